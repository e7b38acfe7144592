//! The drawings of the laboratory. Each says in its label what it shows, and stands beside a table or words with the numbers.

use lab::{Difference, Interval};
use maud::{Markup, html};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;
/// Labels below the axis are at least so far apart.
const APART: f64 = 44.0;
/// A bar with its interval.
const BAR: f64 = 200.0;

pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// A number of the axis: as many places as its steps need.
fn tick_words(value: f64, step: f64) -> String {
    let places = if step >= 1.0 {
        0
    } else if step >= 0.1 {
        1
    } else {
        2
    };
    let text = format!("{value:.places$}");
    if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        "0".to_owned()
    } else {
        text.replace('-', "−")
    }
}

/// A share with its interval, on a scale from nothing to all.
pub(super) fn share(share: &Interval, class: &str, label: &str) -> Markup {
    let x = |share: f64| short(share.clamp(0.0, 1.0) * BAR);
    let width = x(share.high - share.low);
    html! {
        svg.share viewBox={"0 0 " (BAR) " 14"} preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.ground x="0" y="3" width=(BAR) height="8" {}
            rect.(class) x="0" y="3" width=(x(share.share)) height="8" {}
            rect.whisker x=(x(share.low)) y="6" width=(width) height="2" {}
            line.end x1=(x(share.low)) x2=(x(share.low)) y1="2" y2="12" {}
            line.end x1=(x(share.high)) x2=(x(share.high)) y1="2" y2="12" {}
        }
    }
}

/// A difference with its interval, nothing being in the middle and `most` at both ends.
pub(super) fn difference(difference: &Difference, most: f64, label: &str) -> Markup {
    let x = |value: f64| short((value / most.max(1e-12)).clamp(-1.0, 1.0) * BAR / 2.0 + BAR / 2.0);
    let class = match (difference.is_clear(), difference.value > 0.0) {
        (false, _) => "unclear",
        (true, true) => "more",
        (true, false) => "less",
    };
    let (low, high) = (x(difference.low), x(difference.high));
    let width = short(high.parse::<f64>().unwrap_or_default() - low.parse::<f64>().unwrap_or_default());
    html! {
        svg.difference.(class) viewBox={"0 0 " (BAR) " 14"} preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.ground x="0" y="3" width=(BAR) height="8" {}
            line.middle x1=(BAR / 2.0) x2=(BAR / 2.0) y1="0" y2="14" {}
            rect.span x=(low) y="4" width=(width) height="6" {}
            line.value x1=(x(difference.value)) x2=(x(difference.value)) y1="1" y2="13" {}
        }
    }
}

/// A line of a chart: by turn the value, and what lies around it.
pub(super) struct Line {
    pub class: &'static str,
    /// Turn, low, value, high.
    pub points: Vec<(usize, [f64; 3])>,
}

/// The largest step of 1, 2 or 5 that leaves at most five lines.
fn step(span: f64) -> f64 {
    let rough = (span / 5.0).max(1e-9);
    let ten = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * ten)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(ten)
}

/// Values by turn as lines with bands. `base` is always on the scale.
pub(super) fn curve(lines: &[Line], base: f64, label: &str) -> Markup {
    let all = || lines.iter().flat_map(|line| &line.points);
    let values = || all().flat_map(|(_, values)| *values);
    let (low, high) = values().fold((base, base), |(low, high), value| (low.min(value), high.max(value)));
    let step = step((high - low).max(0.1));
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let (low, high) = if high - low < step / 2.0 { (low - step, high + step) } else { (low, high) };
    let first = all().map(|(turn, _)| *turn).min().unwrap_or_default();
    let last = all().map(|(turn, _)| *turn).max().unwrap_or_default();
    let span = (last - first).max(1) as f64;
    let x = |turn: usize| LEFT + (WIDTH - LEFT - RIGHT) * (turn - first) as f64 / span;
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low);
    let at = |(turn, values): &(usize, [f64; 3]), which: usize| {
        format!("{},{}", short(x(*turn)), short(y(values[which])))
    };
    let ticks = ((high - low) / step).round() as usize;
    html! {
        svg.chart viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" aria-label=(label) {
            @for tick in 0..=ticks {
                @let value = low + step * tick as f64;
                line.grid.base[(value - base).abs() < step / 100.0] x1=(LEFT) x2=(WIDTH - RIGHT) y1=(short(y(value))) y2=(short(y(value))) {}
                text.axis x=(LEFT - 6.0) y=(short(y(value) + 4.0)) text-anchor="end" { (tick_words(value, step)) }
            }
            (turns(first, last, x))
            @for line in lines {
                @let above = line.points.iter().map(|point| at(point, 2));
                @let below = line.points.iter().rev().map(|point| at(point, 0));
                polygon.band.(line.class) points=(above.chain(below).collect::<Vec<_>>().join(" ")) {}
            }
            @for line in lines {
                polyline.line.(line.class) points=(line.points.iter().map(|point| at(point, 1)).collect::<Vec<_>>().join(" ")) {}
                @if line.points.len() < 30 {
                    @for (turn, values) in &line.points { circle.dot.(line.class) cx=(short(x(*turn))) cy=(short(y(values[1]))) r="2.5" {} }
                }
            }
        }
    }
}

/// The numbers of turns below a chart, as many as there is room for.
fn turns(first: usize, last: usize, x: impl Fn(usize) -> f64) -> Markup {
    let every = ((last - first).max(1) as f64 * APART / (WIDTH - LEFT - RIGHT)).ceil().max(1.0) as usize;
    html! {
        @for turn in (first..=last).step_by(every) {
            text.axis x=(short(x(turn))) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (turn) }
        }
        text.axis.name x=(WIDTH - RIGHT) y=(HEIGHT - 3.0) text-anchor="end" { "turn" }
    }
}

/// In how many of all games each turn was the last one: columns, of one or two ways.
pub(super) fn columns(ways: &[Vec<(usize, f64)>], label: &str) -> Markup {
    let all = || ways.iter().flatten();
    let first = all().map(|(turn, _)| *turn).min().unwrap_or_default();
    let last = all().map(|(turn, _)| *turn).max().unwrap_or_default();
    let most = all().map(|(_, share)| *share).fold(0.01, f64::max);
    let step = step(most * 100.0) / 100.0;
    let top = (most / step).ceil() * step;
    let slot = (WIDTH - LEFT - RIGHT) / (last - first + 1) as f64;
    let x = |turn: usize| LEFT + slot * (turn - first) as f64;
    let y = |share: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share / top);
    let wide = (slot * 0.8 / ways.len().max(1) as f64).min(40.0);
    html! {
        svg.chart viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="img" aria-label=(label) {
            @for tick in 0..=(top / step).round() as usize {
                @let share = step * tick as f64;
                line.grid.base[tick == 0] x1=(LEFT) x2=(WIDTH - RIGHT) y1=(short(y(share))) y2=(short(y(share))) {}
                text.axis x=(LEFT - 6.0) y=(short(y(share) + 4.0)) text-anchor="end" { (tick_words(share * 100.0, step * 100.0)) " %" }
            }
            (turns(first, last, |turn| x(turn) + slot / 2.0))
            @for (at, way) in ways.iter().enumerate() {
                @let class = if at == 0 { "first" } else { "second" };
                @for (turn, share) in way {
                    @let left = x(*turn) + slot / 2.0 + wide * (at as f64 - ways.len() as f64 / 2.0);
                    rect.column.(class) x=(short(left)) y=(short(y(*share))) width=(short(wide)) height=(short(y(0.0) - y(*share))) {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_a_few_round_steps() {
        for (span, wanted) in [(1.0, 0.2), (5.0, 1.0), (7.0, 2.0), (19.0, 5.0), (0.4, 0.1), (300.0, 100.0)] {
            assert!((step(span) - wanted).abs() < 1e-9, "{span}: {}", step(span));
        }
        assert_eq!(tick_words(-0.0, 1.0), "0");
        assert_eq!(tick_words(-2.5, 0.5), "−2.5");
    }

    #[test]
    fn a_chart_of_one_turn_or_of_nothing_is_drawn_without_a_fault() {
        for points in [vec![], vec![(3, [0.0, 0.0, 0.0])], vec![(1, [-2.0, 1.0, 4.0]), (9, [0.0, 0.5, 1.0])]]
        {
            let drawn = curve(&[Line { class: "first", points }], 0.0, "it").into_string();
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
        let drawn = columns(&[vec![], vec![(1, 0.5)]], "it").into_string();
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }
}
