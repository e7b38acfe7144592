//! A small picture of a position: the ground, roads and rivers, a dot for each stack. It stands alone, so it brings its
//! colours along.

use std::fmt::Write as _;

use dday::{Ground, Rules, Side, State};
use maud::{Markup, html};
use terrain::Cell;

/// The picture is so large.
const WIDE: f64 = 240.0;
const HIGH: f64 = 135.0;

/// The grounds that have a colour of their own.
const COLOURS: [(&[Ground], &str); 6] = [
    (&[Ground::Beach], "#ecdcae"),
    (&[Ground::Marsh], "#bccdb8"),
    (&[Ground::Bocage], "#c3cb9c"),
    (&[Ground::Forest], "#9db183"),
    (&[Ground::Hill], "#d3b68b"),
    (&[Ground::Town, Ground::City], "#c08d7a"),
];
const WATER: (&[Ground], &str) = (&[Ground::Sea, Ground::Lake, Ground::Landing], "#a9c7cf");

/// The colour of a nation.
pub fn colour(rules: &Rules, side: Side) -> &'static str {
    match rules.scenario.sides[side.index()].id.as_str() {
        "US" => "#5f6f36",
        "UK" => "#a9834a",
        "CW" => "#94703c",
        "SU" => "#8c3a2c",
        "PL" => "#a04a5c",
        _ if side == Side::First => "#5f6f36",
        _ => "#54636b",
    }
}

/// The picture.
pub fn draw(rules: &Rules, s: &State) -> Markup {
    let grid = rules.scenario.grid;
    let (columns, rows) = (f64::from(grid.cols()), f64::from(grid.rows()));
    let scale = (WIDE / columns).min(HIGH / rows);
    let (left, top) = ((WIDE - columns * scale) / 2.0, (HIGH - rows * scale) / 2.0);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" {
            rect width=(WIDE) height=(HIGH) fill="#d9cfb6" {}
            g transform=(format!("translate({left:.1} {top:.1}) scale({scale:.3})")) {
                rect width=(columns) height=(rows) fill="#efe6cc" {}
                @for (of, colour) in COLOURS.into_iter().chain([WATER]) { path fill=(colour) d=(ground(rules, of)) {} }
                path fill="none" stroke="#5f9ab0" stroke-width="0.16" stroke-linejoin="round" d=(rivers(rules)) {}
                path fill="none" stroke="#8a5a3a" stroke-width="0.1" stroke-linejoin="round" d=(roads(rules)) {}
                @for side in Side::ALL {
                    path fill=(colour(rules, side)) stroke="#241f16" stroke-width="0.07" d=(stacks(rules, s, side)) {}
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
