//! A match in a sentence.

use crate::data::{Moment, Review, SeatSum};
use crate::tell::FATE;

/// Less than half a point is nothing.
const NOTHING: f64 = 0.005;
/// Whoever stood so well had a won game.
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

/// The moment that changed the chance of a seat most, if it changed it at all.
fn turning_point(review: &Review, seat: usize) -> Option<&Moment> {
    let size = |moment: &Moment| moment.change.get(seat).map_or(0.0, |change| change.abs());
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

/// The match of one seat, said to whoever sat there.
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
        () if sum.mistakes == 0 => "A loss without a mistake that was found",
        () if sum.own < sum.luck.min(-0.25) => "A loss of your own making",
        () => "A loss",
    }
    .to_owned()
}

/// The title of a turn within a sentence.
fn lower(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Luck, own choices and those of the others, as a clause.
fn account_for_you(sum: &SeatSum, seats: usize) -> String {
    let mut costs = Vec::new();
    let mut gifts = Vec::new();
    if sum.luck <= -NOTHING {
        costs.push(format!("luck cost you {}", points(sum.luck)));
    } else if sum.luck >= NOTHING {
        gifts.push(format!("luck gave you {}", points(sum.luck)));
    }
    let others = if seats > 2 { "the mistakes of the others" } else { "your opponent's mistakes" };
    if sum.others >= NOTHING {
        gifts.push(match gifts.is_empty() {
            true => format!("{others} gave you {}", points(sum.others)),
            false => format!("{others} {}", points(sum.others)),
        });
    } else if sum.others <= -NOTHING {
        costs.push(format!("{others} cost you {}", points(sum.others)));
    }
    if sum.own <= -NOTHING {
        costs.push(match costs.is_empty() {
            true => format!("your choices cost you {}", points(sum.own)),
            false => format!("your choices {}", points(sum.own)),
        });
    }
    let mut clauses = Vec::new();
    if !gifts.is_empty() {
        clauses.push(joined(&gifts));
    }
    if !costs.is_empty() {
        clauses.push(joined(&costs));
    }
    if sum.luck.abs() < NOTHING {
        clauses.insert(0, "luck was even".to_owned());
    }
    if sum.own > -NOTHING && sum.decisions > 0 && sum.mistakes == 0 {
        clauses.push("no mistake of yours was found".to_owned());
    }
    clauses.join(", ")
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
        (true, false) => format!("{} and {names} drew", hero.title),
    };
    let mut parts = Vec::new();
    let to = if others.is_empty() { String::new() } else { format!(" to {}", hero.title) };
    parts.push(match hero.luck {
        luck if luck >= NOTHING => format!("luck was worth {}{to}", points(luck)),
        luck if luck <= -NOTHING && others.is_empty() => format!("luck cost {}", points(luck)),
        luck if luck <= -NOTHING => format!("luck cost {} {}", hero.title, points(luck)),
        _ => "luck was even".to_owned(),
    });
    for seat in others.iter().chain([&hero]).filter(|seat| seat.own <= -NOTHING) {
        parts.push(match others.is_empty() {
            true => format!("mistakes cost {}", points(seat.own)),
            false => format!("mistakes cost {} {}", seat.title, points(seat.own)),
        });
    }
    if review.seats.iter().all(|seat| seat.mistakes == 0) {
        parts.push("no mistake was found".to_owned());
    }
    format!("{head}: {}.", joined(&parts))
}
