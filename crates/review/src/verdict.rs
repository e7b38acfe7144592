//! A match in a sentence.

use crate::data::{Moment, Review, SeatSum};
use crate::wording::FATE;

/// Less than half a point is nothing.
const NOTHING: f64 = 0.005;
/// From this chance on, a game counts as won.
const WON_GAME: f64 = 0.75;

/// A share as whole points: "14 points".
pub fn points(share: f64) -> String {
    match (100.0 * share.abs()).round() as i64 {
        1 => "1 point".to_owned(),
        points => format!("{points} points"),
    }
}

/// A chance in per cent: "63 %".
pub fn percent(chance: f64) -> String {
    format!("{:.0} %", (100.0 * chance).clamp(0.0, 100.0))
}

/// What was done at a moment, in a few words: the name of a choice, or what was drawn for and what came.
pub fn deed(moment: &Moment) -> String {
    if moment.actor == FATE { format!("{} → {}", moment.prompt, moment.name) } else { moment.name.clone() }
}

/// The turn of a moment within a sentence.
fn turn_of(review: &Review, moment: &Moment) -> String {
    let title = review.turns.iter().find(|turn| turn.turn == moment.turn).map(|turn| turn.title.as_str());
    match title {
        Some(title) if !title.starts_with("Turn ") => title.to_lowercase(),
        _ => format!("turn {}", moment.turn),
    }
}

/// The moment that changed the chance of a seat most towards how it ended, if any changed it at all: what decided a lost
/// match is where it was lost, not where it could have been saved.
fn turning_point(review: &Review, seat: usize) -> Option<&Moment> {
    let end = review.seats.get(seat).map_or(0.5, |seat| seat.end);
    let size = |moment: &Moment| match moment.change.get(seat).copied().unwrap_or_default() {
        change if review.finished && end > 0.75 => change,
        change if review.finished && end < 0.25 => -change,
        change => change.abs(),
    };
    let largest = review.moments.iter().rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
    (size(largest) >= NOTHING).then_some(largest)
}

/// Joins parts of a sentence: "a, b and c".
fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// With a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The match of one seat, addressed to its player.
pub fn of_seat(review: &Review, seat: usize) -> String {
    let Some(sum) = review.seats.get(seat) else { return String::new() };
    let mut sentence = match headline(review, seat, sum) {
        headline if headline.is_empty() => capital(&account_for_you(sum, review.seats.len())),
        headline => format!("{headline}: {}", account_for_you(sum, review.seats.len())),
    };
    if let Some(moment) = turning_point(review, seat) {
        sentence.push_str(&format!("; the turning point was {}: {}", turn_of(review, moment), deed(moment)));
    }
    sentence.push('.');
    sentence
}

/// What kind of match it was for a seat.
fn headline(review: &Review, seat: usize, sum: &SeatSum) -> String {
    if !review.finished {
        return format!("You stand at {}", percent(sum.end));
    }
    let even_luck = sum.end - sum.luck;
    if sum.end > 0.75 {
        return match () {
            () if even_luck < 0.5 && sum.luck >= sum.others => "A lucky win",
            () if sum.end - sum.others < 0.5 => "A win that the other side gave away",
            () if sum.mistakes == 0 => "A clean win",
            () => "A win",
        }
        .to_owned();
    }
    if sum.end >= 0.25 {
        return if even_luck < 0.5 - NOTHING { "A lucky draw" } else { "A draw" }.to_owned();
    }
    let peak = review.points.iter().max_by(|a, b| {
        let chance = |point: &crate::data::Point| point.chances.get(seat).copied().unwrap_or_default();
        chance(a).total_cmp(&chance(b)).then(b.step.cmp(&a.step))
    });
    if let Some(peak) = peak
        && let Some(&chance) = peak.chances.get(seat)
        && chance >= WON_GAME
        && sum.own < sum.luck.min(-NOTHING)
    {
        return format!(
            "A win thrown away (you stood at {} in {})",
            percent(chance),
            lower(&peak.turn_title)
        );
    }
    match () {
        () if even_luck >= 0.5 => "An unlucky loss",
        () if sum.mistakes == 0 => "A loss with no mistake found",
        () if sum.own < (1.5 * sum.luck).min(-0.25) => "A loss of your own making",
        () => "A loss",
    }
    .to_owned()
}

/// The title of a turn within a sentence.
fn lower(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Several things that did the same: "luck cost you 14 points, your choices 22".
fn together(did: &str, parts: &[(&str, f64)]) -> Option<String> {
    let (first, rest) = parts.split_first()?;
    let mut clause = format!("{} {did} {}", first.0, points(first.1));
    for (what, share) in rest {
        clause.push_str(&format!(", {what} {:.0}", 100.0 * share.abs()));
    }
    Some(clause)
}

/// Luck, own choices and those of the others, as clauses.
fn account_for_you(sum: &SeatSum, seats: usize) -> String {
    let others = if seats > 2 { "the mistakes of the others" } else { "your opponent's mistakes" };
    let all = [("luck", sum.luck), ("your choices", sum.own), (others, sum.others)];
    let gifts: Vec<(&str, f64)> = all.into_iter().filter(|(_, share)| *share >= NOTHING).collect();
    let costs: Vec<(&str, f64)> = all.into_iter().filter(|(_, share)| *share <= -NOTHING).collect();
    let mut clauses = Vec::new();
    if sum.luck.abs() < NOTHING {
        clauses.push("luck was even".to_owned());
    }
    clauses.extend(together("gave you", &gifts));
    clauses.extend(together("cost you", &costs));
    if sum.decisions > 0 && sum.mistakes == 0 {
        clauses.push("no mistake of yours was found".to_owned());
    }
    clauses.join("; ")
}

/// The match in a sentence that names the seats.
pub fn of_match(review: &Review) -> String {
    let best = |a: &&SeatSum, b: &&SeatSum| a.end.total_cmp(&b.end);
    // Of seats that fared alike the first.
    let Some(hero) = review.seats.iter().rev().max_by(best) else { return String::new() };
    let others: Vec<&SeatSum> = review.seats.iter().filter(|seat| seat.word != hero.word).collect();
    let names = joined(&others.iter().map(|seat| seat.title.clone()).collect::<Vec<_>>());
    let head = match (review.finished, others.is_empty()) {
        (false, true) => format!("{} at {} so far", hero.title, percent(hero.end)),
        (false, false) => {
            let stand = |seat: &SeatSum| format!("{} {}", seat.title, percent(seat.end));
            format!("So far {}", joined(&review.seats.iter().map(stand).collect::<Vec<_>>()))
        }
        (true, true) if hero.end > 0.75 => {
            format!("{} won, from {} at the start", hero.title, percent(hero.start))
        }
        (true, true) if hero.end < 0.25 => {
            format!("{} lost, from {} at the start", hero.title, percent(hero.start))
        }
        (true, true) => format!("{} drew, from {} at the start", hero.title, percent(hero.start)),
        (true, false) if hero.end > 0.75 => format!("{} beat {names}", hero.title),
        (true, false) => {
            let drew = review.seats.iter().filter(|seat| seat.end >= 0.25);
            format!("{} drew", joined(&drew.map(|seat| seat.title.clone()).collect::<Vec<_>>()))
        }
    };
    let mut clauses = Vec::new();
    let alone = others.is_empty();
    clauses.push(match hero.luck {
        luck if luck >= NOTHING && alone => format!("luck gave {}", points(luck)),
        luck if luck >= NOTHING => format!("luck gave {} {}", hero.title, points(luck)),
        luck if luck <= -NOTHING && alone => format!("luck cost {}", points(luck)),
        luck if luck <= -NOTHING => format!("luck cost {} {}", hero.title, points(luck)),
        _ => "luck was even".to_owned(),
    });
    let guilty: Vec<&SeatSum> =
        others.into_iter().chain([hero]).filter(|seat| seat.own <= -NOTHING).collect();
    if let Some((first, rest)) = guilty.split_first() {
        let whose = |seat: &SeatSum| if alone { String::new() } else { format!("{} ", seat.title) };
        let mut clause = format!("mistakes cost {}{}", whose(first), points(first.own));
        for seat in rest {
            clause.push_str(&format!(", {}{:.0}", whose(seat), 100.0 * seat.own.abs()));
        }
        clauses.push(clause);
    }
    if review.seats.iter().all(|seat| seat.mistakes == 0) {
        clauses.push("no mistake was found".to_owned());
    }
    format!("{head}: {}.", clauses.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Point, TurnSum, What};

    /// A match of one seat or two: the chances of the first at start, height and end, and its luck and own losses; the rest
    /// is the doing of the other.
    fn review(seats: usize, peak: f64, start: f64, luck: f64, own: f64, end: f64) -> Review {
        let others = end - start - luck - own;
        let sum = |word: &str, title: &str, sums: [f64; 5]| SeatSum {
            word: word.to_owned(),
            title: title.to_owned(),
            start: sums[0],
            luck: sums[1],
            own: sums[2],
            others: sums[3],
            end: sums[4],
            mistakes: usize::from(sums[2] < 0.0),
            decisions: 5,
            verdict: String::new(),
        };
        let mut sums = vec![sum("axis", "Axis", [start, luck, own, others, end])];
        sums.push(sum("allies", "Allies", [1.0 - start, -luck, -others, -own, 1.0 - end]));
        sums.truncate(seats);
        let point = |step: usize, chance: f64| Point {
            step,
            turn: 3,
            turn_title: "Turn 3, 1941".to_owned(),
            chances: [chance, 1.0 - chance][..seats].to_vec(),
            error: 0.0,
        };
        let moment = Moment {
            step: 1,
            turn: 9,
            actor: "axis".to_owned(),
            name: "attack EF".to_owned(),
            label: String::new(),
            prompt: String::new(),
            rule: String::new(),
            // Towards the end, as a turning point is.
            change: if end > start { [0.2, -0.2] } else { [-0.2, 0.2] }[..seats].to_vec(),
            error: 0.0,
            what: What::Forced,
        };
        Review {
            game: "x".to_owned(),
            title: "X".to_owned(),
            seats: sums,
            points: vec![point(0, start), point(1, peak), point(2, end)],
            moments: vec![moment],
            turns: Vec::<TurnSum>::new(),
            turning_points: vec![0],
            verdict: String::new(),
            result: "over".to_owned(),
            playouts: 1,
            finished: true,
            stopped: false,
        }
    }

    #[track_caller]
    fn says(review: &Review, seat: usize, text: &str) {
        assert_eq!(of_seat(review, seat), format!("{text}; the turning point was turn 9: attack EF."));
    }

    #[test]
    fn a_solo_match_in_a_sentence() {
        says(&review(1, 0.6, 0.36, -0.14, -0.22, 0.0), 0, "A loss: luck cost you 14 points, your choices 22");
        says(
            &review(1, 0.6, 0.7, -0.68, -0.02, 0.0),
            0,
            "An unlucky loss: luck cost you 68 points, your choices 2",
        );
        says(
            &review(1, 0.85, 0.55, 0.1, -0.65, 0.0),
            0,
            "A win thrown away (you stood at 85 % in turn 3, 1941): luck gave you 10 points; your choices cost you 65 \
             points",
        );
        says(
            &review(1, 0.6, 0.55, 0.1, -0.65, 0.0),
            0,
            "A loss of your own making: luck gave you 10 points; your choices cost you 65 points",
        );
        says(
            &review(1, 0.4, 0.3, -0.3, 0.0, 0.0),
            0,
            "A loss with no mistake found: luck cost you 30 points; no mistake of yours was found",
        );
        says(
            &review(1, 1.0, 0.3, 0.71, -0.01, 1.0),
            0,
            "A lucky win: luck gave you 71 points; your choices cost you 1 point",
        );
        says(
            &review(1, 1.0, 0.9, 0.1, 0.0, 1.0),
            0,
            "A clean win: luck gave you 10 points; no mistake of yours was found",
        );
        says(
            &review(1, 0.5, 0.7, 0.0, -0.2, 0.5),
            0,
            "A draw: luck was even; your choices cost you 20 points",
        );
    }

    #[test]
    fn a_match_of_two_in_a_sentence_for_each() {
        let given = review(2, 0.9, 0.5, -0.02, -0.88, 0.0);
        says(
            &given,
            1,
            "A win that the other side gave away: luck gave you 2 points, your opponent's mistakes 88; your choices cost you 40 points",
        );
        assert_eq!(
            of_match(&given),
            "Allies beat Axis: luck gave Allies 2 points; mistakes cost Axis 88 points, Allies 40."
        );
    }

    #[test]
    fn the_match_in_a_sentence() {
        assert_eq!(
            of_match(&review(1, 0.6, 0.36, -0.14, -0.22, 0.0)),
            "Axis lost, from 36 % at the start: luck cost 14 points; mistakes cost 22 points."
        );
        assert_eq!(
            of_match(&review(2, 0.6, 0.5, 0.5, 0.0, 1.0)),
            "Axis beat Allies: luck gave Axis 50 points; no mistake was found."
        );
        assert_eq!(
            of_match(&review(2, 0.6, 0.5, 0.0, 0.0, 0.5)),
            "Axis and Allies drew: luck was even; no mistake was found."
        );
        let mut running = review(2, 0.6, 0.5, 0.2, 0.0, 0.7);
        running.finished = false;
        assert_eq!(
            of_match(&running),
            "So far Axis 70 % and Allies 30 %: luck gave Axis 20 points; no mistake was found."
        );
        assert!(of_seat(&running, 1).starts_with("You stand at 30 %: luck cost you 20 points;"));
    }
}
