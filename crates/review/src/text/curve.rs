//! The curve of a chance, drawn with letters.

use std::fmt::Write as _;

use crate::data::{Moment, Review};

/// Rows of the curve; each has eight levels.
const ROWS: usize = 8;
/// Blocks of one to eight eighths.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// What stands left of the curve.
const MARGIN: usize = 7;
/// A draw that changed at least so much is marked.
const LARGE_DRAW: f64 = 0.05;

/// Draws the chance of a seat over the steps, with marks for mistakes and large draws and the turns below.
pub fn draw(review: &Review, seat: usize, width: usize) -> String {
    let chances: Vec<f64> =
        review.points.iter().map(|point| point.chances.get(seat).copied().unwrap_or_default()).collect();
    let (Some(info), true) = (review.seats.get(seat), chances.len() > 1) else { return String::new() };
    let columns = width.saturating_sub(MARGIN).min(3 * chances.len()).max(2);
    let last = chances.len() - 1;
    // The point that a column shows, and the column that shows a point.
    let point_at = |column: usize| (column * last + (columns - 1) / 2) / (columns - 1);
    let column_of = |point: usize| (point * (columns - 1) + last / 2) / last;
    let mut out = format!("The chance of {}, step by step\n", info.title);
    for row in (0..ROWS).rev() {
        let label = match row {
            row if row == ROWS - 1 => "100 %",
            row if row == ROWS / 2 - 1 => "50 %",
            0 => "0 %",
            _ => "",
        };
        let _ = write!(out, "{label:>5} ");
        let mut line = String::from(if label.is_empty() { "│" } else { "┤" });
        for column in 0..columns {
            let level = (chances[point_at(column)].clamp(0.0, 1.0) * (8 * ROWS) as f64).round() as usize;
            let here = level.saturating_sub(8 * row).min(8);
            line.push(match here {
                0 if row == ROWS / 2 => '·',
                0 => ' ',
                eighths => BLOCKS[eighths - 1],
            });
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    turns(&mut out, review, columns, &column_of);
    marks(&mut out, review, seat, columns, &column_of);
    out
}

/// A line with `x` for mistakes of the seat, `o` for those of others, `+` and `-` for large draws; and what they mean.
fn marks(out: &mut String, review: &Review, seat: usize, columns: usize, column_of: &dyn Fn(usize) -> usize) {
    let mut line = vec![' '; columns];
    let word = review.seats.get(seat).map(|seat| seat.word.as_str());
    let change = |moment: &Moment| moment.change.get(seat).copied().unwrap_or_default();
    let mut weight = vec![0.0; columns];
    for moment in &review.moments {
        let mark = match change(moment) {
            _ if moment.is_mistake() && word == Some(moment.actor.as_str()) => 'x',
            _ if moment.is_mistake() => 'o',
            gain if moment.is_luck() && gain >= LARGE_DRAW => '+',
            gain if moment.is_luck() && gain <= -LARGE_DRAW => '-',
            _ => continue,
        };
        let column = column_of(moment.step).min(columns - 1);
        // Where several fall together the largest is shown.
        if change(moment).abs() > weight[column] {
            weight[column] = change(moment).abs();
            line[column] = mark;
        }
    }
    let line: String = line.into_iter().collect();
    if !line.trim().is_empty() {
        let _ = writeln!(out, "{:MARGIN$}{}", "", line.trim_end());
    }
    let mut meanings = Vec::new();
    for (mark, meaning) in
        [('x', "own mistake"), ('o', "the other side's"), ('+', "lucky draw"), ('-', "unlucky draw")]
    {
        if line.contains(mark) {
            meanings.push(format!("{mark} {meaning}"));
        }
    }
    if !meanings.is_empty() {
        let _ = writeln!(out, "{:MARGIN$}{}", "", meanings.join(", "));
    }
}

/// Ticks where turns begin, with their numbers where there is room.
fn turns(out: &mut String, review: &Review, columns: usize, column_of: &dyn Fn(usize) -> usize) {
    let mut ticks = vec!['─'; columns];
    let mut numbers = String::new();
    let mut turn = None;
    for point in &review.points {
        if turn == Some(point.turn) || point.step == review.moments.len() {
            continue;
        }
        turn = Some(point.turn);
        let column = column_of(point.step).min(columns - 1);
        ticks[column] = '┴';
        let number = point.turn.to_string();
        let free = numbers.chars().count();
        if (free == 0 || free < column) && column + number.len() <= columns {
            let _ = write!(numbers, "{:width$}{number}", "", width = column - free);
        }
    }
    let _ = writeln!(out, "{:>5} └{}", "", ticks.into_iter().collect::<String>());
    let _ = writeln!(out, "{:>5}  {numbers}", "turn");
}
