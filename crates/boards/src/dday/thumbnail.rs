//! A small picture of a position: the ground, roads and rivers, a dot for each stack. It stands alone, so it brings its
//! colours along.

use std::fmt::Write as _;

use dday::{Ground, Rules, Side, State};
use maud::{Markup, html};
use terrain::Cell;
use web::Tone;

use crate::thumbnail::{HIGH, WIDE, colours};

/// The grounds that have a colour of their own, in light and in dark.
const COLOURS: [(&[Ground], &str, &str); 7] = [
    (&[Ground::Beach], "#ecdcae", "#5d5538"),
    (&[Ground::Marsh], "#bccdb8", "#33473f"),
    (&[Ground::Bocage], "#c3cb9c", "#454c31"),
    (&[Ground::Forest], "#9db183", "#2f4029"),
    (&[Ground::Hill], "#d3b68b", "#5a472f"),
    (&[Ground::Town, Ground::City], "#c08d7a", "#75503f"),
    (&[Ground::Sea, Ground::Lake, Ground::Landing], "#a9c7cf", "#24424d"),
];

/// The colour of a nation.
fn colour(rules: &Rules, side: Side, tone: Tone) -> &'static str {
    match rules.scenario.sides[side.index()].id.as_str() {
        "US" => tone.pick("#5f6f36", "#a9bf6a"),
        "UK" => tone.pick("#a9834a", "#dcb473"),
        "CW" => tone.pick("#94703c", "#cfa569"),
        "SU" => tone.pick("#8c3a2c", "#e08878"),
        "PL" => tone.pick("#a04a5c", "#e08a9c"),
        _ if side == Side::First => tone.pick("#5f6f36", "#a9bf6a"),
        _ => tone.pick("#54636b", "#a3b6c0"),
    }
}

/// The picture.
pub fn draw(rules: &Rules, s: &State, tone: Tone) -> Markup {
    let grid = rules.scenario.grid;
    let (columns, rows) = (f64::from(grid.cols()), f64::from(grid.rows()));
    let scale = (WIDE / columns).min(HIGH / rows);
    let (left, top) = ((WIDE - columns * scale) / 2.0, (HIGH - rows * scale) / 2.0);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" {
            rect width=(WIDE) height=(HIGH) fill=(colours(tone).paper) {}
            g transform=(format!("translate({left:.1} {top:.1}) scale({scale:.3})")) {
                rect width=(columns) height=(rows) fill=(tone.pick("#efe6cc", "#35362f")) {}
                @for (of, light, dark) in COLOURS { path fill=(tone.pick(light, dark)) d=(ground(rules, of)) {} }
                path fill="none" stroke=(tone.pick("#5f9ab0", "#6fa9bf")) stroke-width="0.16" stroke-linejoin="round" d=(rivers(rules)) {}
                path fill="none" stroke=(tone.pick("#8a5a3a", "#b28a66")) stroke-width="0.1" stroke-linejoin="round" d=(roads(rules)) {}
                @for side in Side::ALL {
                    path fill=(colour(rules, side, tone)) stroke=(tone.pick("#241f16", "#0c0d0d")) stroke-width="0.07" d=(stacks(rules, s, side)) {}
                }
                @if s.night { rect width=(columns) height=(rows) fill="#1b2a55" opacity="0.4" {} }
            }
        }
    }
}

/// The zones of some grounds, row by row in runs.
fn ground(rules: &Rules, of: &[Ground]) -> String {
    let (scenario, grid) = (&*rules.scenario, rules.scenario.grid);
    let mut path = String::new();
    for row in 1..=grid.rows() {
        let mut column = 1;
        while column <= grid.cols() {
            let start = column;
            while grid.cell(column, row).is_some_and(|zone| of.contains(&scenario.ground[usize::from(zone)]))
            {
                column += 1;
            }
            if column > start {
                let _ = write!(path, "M{} {}h{2}v1h-{2}z", start - 1, row - 1, column - start);
            }
            column += 1;
        }
    }
    path
}

fn rivers(rules: &Rules) -> String {
    let mut path = String::new();
    for river in &rules.scenario.rivers {
        for (at, (x, y)) in river.path.iter().enumerate() {
            let _ = write!(path, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
        }
    }
    path
}

fn roads(rules: &Rules) -> String {
    let grid = rules.scenario.grid;
    let mut path = String::new();
    for road in &rules.scenario.roads {
        for (at, zone) in road.path.iter().enumerate() {
            let (x, y) = (f64::from(grid.column(*zone)) - 0.5, f64::from(grid.row(*zone)) - 0.5);
            let _ = write!(path, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
        }
    }
    path
}

fn stacks(rules: &Rules, s: &State, side: Side) -> String {
    let grid = rules.scenario.grid;
    let mut path = String::new();
    for zone in (0..grid.len() as Cell).filter(|zone| rules.holds(s, *zone, side)) {
        let (x, y) = (f64::from(grid.column(zone)) - 0.8, f64::from(grid.row(zone)) - 0.8);
        let _ = write!(path, "M{x:.1} {y:.1}h.6v.6h-.6z");
    }
    path
}
