//! A review as plain text.

mod curve;

use std::fmt::Write as _;

use crate::data::{Fork, Moment, Review, SeatSum, What};
use crate::verdict::{deed, percent};

/// The narrowest text that makes sense.
const NARROWEST: usize = 72;
/// The longest title of a turn.
const LONGEST_TURN: usize = 24;
/// The most mistakes that are listed.
const MISTAKES: usize = 12;
/// The most draws that are listed, of the luckiest and of the unluckiest.
const DRAWS: usize = 3;
/// A draw that changed less is neither.
const SMALLEST_DRAW: f64 = 0.005;

impl Review {
    /// The review as plain text of at most so many columns; for one seat, or for all of them.
    pub fn text(&self, width: usize, seat: Option<usize>) -> String {
        let page = Page {
            review: self,
            width: width.max(NARROWEST),
            seat: seat.filter(|seat| *seat < self.seats.len()),
        };
        page.write()
    }
}

struct Page<'a> {
    review: &'a Review,
    width: usize,
    seat: Option<usize>,
}

impl Page<'_> {
    fn write(&self) -> String {
        let review = self.review;
        let mut out = String::new();
        let state = if review.finished { review.result.as_str() } else { "the match goes on" };
        let _ = writeln!(out, "{}: {state}", review.title);
        self.sentence(&mut out, &review.verdict);
        if review.stopped {
            self.sentence(
                &mut out,
                "This review was stopped before it was finished: its numbers are guesses.",
            );
        }
        out.push('\n');
        for (at, seat) in review.seats.iter().enumerate() {
            if self.seat.is_none_or(|shown| shown == at) {
                let name = if review.seats.len() > 1 { format!("{}: ", seat.title) } else { String::new() };
                self.sentence(&mut out, &format!("{name}{}", seat.verdict));
            }
        }
        out.push('\n');
        out.push_str(&curve::draw(review, self.eyes(), self.width));
        self.account(&mut out);
        self.turns(&mut out);
        self.turning_points(&mut out);
        self.mistakes(&mut out);
        self.draws(&mut out);
        out.push('\n');
        let foot = format!(
            "{} steps, {} playouts. A point is a hundredth of a victory; a draw counts half.",
            review.moments.len(),
            thousands(review.playouts)
        );
        self.sentence(&mut out, &foot);
        out
    }

    /// The seat through whose eyes the curve and the draws are shown.
    fn eyes(&self) -> usize {
        self.seat.unwrap_or_default()
    }

    fn title_of(&self, word: &str) -> String {
        let seat = self.review.seats.iter().find(|seat| seat.word == word);
        seat.map_or_else(|| "Fate".to_owned(), |seat| seat.title.clone())
    }

    /// A sentence over as many lines as it takes.
    fn sentence(&self, out: &mut String, text: &str) {
        for (at, line) in wrapped(text, self.width.saturating_sub(2)).iter().enumerate() {
            let _ = writeln!(out, "{}{line}", if at == 0 { "" } else { "  " });
        }
    }

    /// An item of a list: what comes first stays in its columns, and what follows is broken into lines below itself.
    fn item(&self, out: &mut String, columns: &str, text: &str) {
        let indent = columns.chars().count();
        let lines = wrapped(text, self.width.saturating_sub(indent + 2));
        for (at, line) in lines.iter().enumerate() {
            let before = if at == 0 { columns.to_owned() } else { " ".repeat(indent + 2) };
            let _ = writeln!(out, "{before}{line}");
        }
    }

    /// A line, cut off where the text ends.
    fn line(&self, out: &mut String, text: &str) {
        let _ = writeln!(out, "{}", cut(text, self.width).trim_end());
    }

    fn account(&self, out: &mut String) {
        let seats = &self.review.seats;
        let name = name_width(seats);
        let end = if self.review.finished { "result" } else { "now" };
        let others = if seats.len() > 1 { "  others' choices" } else { "" };
        self.line(out, "\nWhere the result came from, in points");
        self.line(out, &format!("  {:name$}  start    luck  own choices{others}   {end:>6}", ""));
        for seat in seats {
            let [start, luck, own, given] = adding_up(seat);
            let given = if seats.len() > 1 { format!("  {:>15}", signed(given)) } else { String::new() };
            let (start, sum) = (format!("{start:.1}"), 100.0 * seat.end);
            self.line(
                out,
                &format!(
                    "  {:name$}  {start:>5}  {:>6}  {:>11}{given} = {sum:>6.1}",
                    seat.title,
                    signed(luck),
                    signed(own)
                ),
            );
        }
    }

    fn turns(&self, out: &mut String) {
        let review = self.review;
        let titles = review.turns.iter().map(|turn| turn.title.chars().count()).max().unwrap_or_default();
        let titles = titles.min(LONGEST_TURN);
        self.line(out, "\nTurn by turn, in points");
        let mut head = format!("  {:titles$}", "");
        for (_, seat) in review.seats.iter().enumerate().filter(|(at, _)| self.shows(*at)) {
            let _ = write!(head, "  {:>14}  choices", format!("{} luck", cut(&seat.title, 9)));
        }
        self.line(out, &head);
        for turn in &review.turns {
            if turn.luck.iter().chain(&turn.choices).all(|change| change.abs() < 0.0005) {
                continue;
            }
            let mut line = format!("  {:titles$}", cut(&turn.title, titles));
            for seat in (0..review.seats.len()).filter(|seat| self.shows(*seat)) {
                let of = |list: &[f64]| gain(list.get(seat).copied().unwrap_or_default());
                let _ = write!(line, "  {:>14}  {:>7}", of(&turn.luck), of(&turn.by_seat));
            }
            self.line(out, &line);
        }
    }

    fn shows(&self, seat: usize) -> bool {
        self.seat.is_none_or(|shown| shown == seat)
    }

    fn turning_points(&self, out: &mut String) {
        if self.review.turning_points.is_empty() {
            return;
        }
        let eyes = self.review.seats.get(self.eyes());
        let names = name_width(&self.review.seats);
        self.line(
            out,
            &format!("\nTurning points, in points of {}", eyes.map_or("", |seat| seat.title.as_str())),
        );
        for moment in self.review.turning_points.iter().filter_map(|at| self.review.moments.get(*at)) {
            let change = moment.change.get(self.eyes()).copied().unwrap_or_default();
            let who = if moment.is_luck() { "luck".to_owned() } else { self.title_of(&moment.actor) };
            let columns = format!("  {}  {:>6}  {who:names$}  ", place(moment), gain(change));
            self.item(out, &columns, &deed(moment));
        }
    }

    fn mistakes(&self, out: &mut String) {
        let is_shown = |moment: &&Moment| {
            let actor = self.review.seats.iter().position(|seat| seat.word == moment.actor);
            moment.is_mistake() && actor.is_some_and(|actor| self.shows(actor))
        };
        let mut mistakes: Vec<&Moment> = self.review.moments.iter().filter(is_shown).collect();
        let seats = self.review.seats.iter().enumerate().filter(|(at, _)| self.shows(*at));
        let decisions: usize = seats.map(|(_, seat)| seat.decisions).sum();
        if mistakes.is_empty() {
            self.line(out, &format!("\nMistakes: none found in {decisions} decisions"));
            return;
        }
        self.line(out, &format!("\nMistakes: {} in {decisions} decisions", mistakes.len()));
        let names = name_width(&self.review.seats);
        mistakes.sort_by(|a, b| loss_of(b).total_cmp(&loss_of(a)).then(a.step.cmp(&b.step)));
        for moment in mistakes.iter().take(MISTAKES) {
            let What::Choice { loss, noise, best: Some(best), tried, .. } = &moment.what else { continue };
            let actor =
                self.review.seats.iter().position(|seat| seat.word == moment.actor).unwrap_or_default();
            let chance = |fork: &Fork| percent(fork.chances.get(actor).copied().unwrap_or_default());
            let made = tried.iter().find(|fork| fork.was_made).map_or_else(String::new, chance);
            let who = if self.review.seats.len() > 1 {
                format!("{:names$}  ", self.title_of(&moment.actor))
            } else {
                String::new()
            };
            let columns =
                format!("  {}  {who}{:5.1} ± {:<4.1}  ", place(moment), 100.0 * loss, 100.0 * noise);
            let text = format!("{} ({made}): better {} ({})", moment.name, best.name, chance(best));
            self.item(out, &columns, &text);
        }
        if mistakes.len() > MISTAKES {
            self.line(out, &format!("  … and {} smaller ones", mistakes.len() - MISTAKES));
        }
    }

    fn draws(&self, out: &mut String) {
        let (eyes, review) = (self.eyes(), self.review);
        let change = |moment: &Moment| moment.change.get(eyes).copied().unwrap_or_default();
        let mut draws: Vec<&Moment> = review.moments.iter().filter(|moment| moment.is_luck()).collect();
        draws.sort_by(|a, b| change(b).total_cmp(&change(a)).then(a.step.cmp(&b.step)));
        let lucky: Vec<&Moment> =
            draws.iter().take(DRAWS).copied().filter(|m| change(m) >= SMALLEST_DRAW).collect();
        let unlucky: Vec<&Moment> =
            draws.iter().rev().take(DRAWS).copied().filter(|m| change(m) <= -SMALLEST_DRAW).collect();
        let title = review.seats.get(eyes).map_or("", |seat| seat.title.as_str());
        for (word, than, list) in [("Luckiest", "better", lucky), ("Unluckiest", "worse", unlucky)] {
            if list.is_empty() {
                continue;
            }
            self.line(out, &format!("\n{word} draws of {title}, and how likely that or {than} was"));
            for moment in list {
                let share = percent(as_extreme(moment, eyes));
                let columns = format!("  {}  {:>6}  {share:>5}  ", place(moment), gain(change(moment)));
                self.item(out, &columns, &deed(moment));
            }
        }
    }
}

/// Where a moment is in the match.
fn place(moment: &Moment) -> String {
    format!("turn {:<3} step {:<4}", moment.turn, moment.step)
}

fn loss_of(moment: &Moment) -> f64 {
    if let What::Choice { loss, .. } = moment.what { loss } else { 0.0 }
}

/// How likely it was to draw something as good for a seat as what came, where that was good, or as bad, where it was bad.
fn as_extreme(moment: &Moment, seat: usize) -> f64 {
    let What::Luck { outcomes } = &moment.what else { return 1.0 };
    let chance = |fork: &Fork| fork.chances.get(seat).copied().unwrap_or_default();
    let Some(came) = outcomes.iter().find(|fork| fork.was_made).map(chance) else { return 1.0 };
    let was_good = moment.change.get(seat).is_some_and(|change| *change >= 0.0);
    let counts = |fork: &&Fork| if was_good { chance(fork) >= came } else { chance(fork) <= came };
    let sum = |weight: f64, fork: &Fork| weight + f64::from(fork.weight);
    outcomes.iter().filter(counts).fold(0.0, sum) / outcomes.iter().fold(0.0, sum).max(1.0)
}

/// The start and the three columns of a seat in points, rounded so that they add up to the rounded end.
fn adding_up(seat: &SeatSum) -> [f64; 4] {
    let exact = [seat.start, seat.luck, seat.own, seat.others].map(|share| 1000.0 * share);
    let mut rounded = exact.map(f64::round);
    let off = (1000.0 * seat.end).round() - rounded.iter().sum::<f64>();
    // What is off goes to the column that was rounded most the other way.
    let gain = |at: usize| (exact[at] - rounded[at]) * off.signum();
    let worst = (0..4).filter(|at| exact[*at] != 0.0).max_by(|a, b| gain(*a).total_cmp(&gain(*b)));
    if let Some(worst) = worst {
        rounded[worst] += off;
    }
    rounded.map(|tenths| tenths / 10.0)
}

/// Points with their sign.
fn signed(points: f64) -> String {
    if points.abs() < 0.05 { "0.0".to_owned() } else { format!("{points:+.1}") }
}

/// A share in points with its sign.
fn gain(share: f64) -> String {
    signed(100.0 * share)
}

fn name_width(seats: &[SeatSum]) -> usize {
    seats.iter().map(|seat| seat.title.chars().count()).max().unwrap_or_default()
}

/// A text in lines of at most so many letters. What belongs together ("17 %", "→ die 5") stays so.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    const GLUE: &str = "\u{a0}";
    let text = text.replace(" %", &format!("{GLUE}%")).replace("→ ", &format!("→{GLUE}"));
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.iter().map(|line| cut(&line.replace(GLUE, " "), width)).collect()
}

/// A text of at most so many letters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// 1234567 as "1,234,567".
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(start: f64, luck: f64, own: f64, others: f64) -> SeatSum {
        SeatSum {
            word: "x".to_owned(),
            title: "X".to_owned(),
            start,
            luck,
            own,
            others,
            end: start + luck + own + others,
            mistakes: 0,
            decisions: 0,
            verdict: String::new(),
        }
    }

    #[test]
    fn rounded_columns_add_up() {
        for n in 0..2_000 {
            let part = |k: u32| f64::from((n * k) % 997) / 1234.5 / 4.0;
            let (luck, own, others) = (part(7), -part(11), part(13));
            let sum = seat(1.0 - luck - own - others, luck, own, others);
            let columns = adding_up(&sum);
            assert!((columns.iter().sum::<f64>() - 100.0).abs() < 1e-9, "{columns:?}");
            assert!((columns[1] - 100.0 * luck).abs() < 0.2 && columns[2] <= 0.0, "{columns:?}");
        }
    }

    #[test]
    fn numbers_and_long_texts() {
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(12), "12");
        assert_eq!((signed(-0.01), signed(3.12), signed(-2.0)), ("0.0".into(), "+3.1".into(), "-2.0".into()));
        assert_eq!(cut("Eastern Front", 8), "Eastern…");
        assert_eq!(cut("née", 3), "née");
    }
}
