//! A small picture of a position: who controls what, the front, and a dot for each army. It stands alone, so it brings its
//! colours along.

use std::fmt::Write as _;

use maud::{Markup, html};
use surrender::{Place, Rules, Side, State, UnitId};
use web::Tone;

use super::frame::{HEIGHT, Point, WIDTH, centre};
use crate::thumbnail::{HIGH, WIDE, colours};

/// The colours of the sides.
const fn colour(side: Side, tone: Tone) -> &'static str {
    match side {
        Side::Axis => tone.pick("#8f9484", "#7d8577"),
        Side::Western => tone.pick("#7f9fd0", "#5d86cc"),
        Side::Soviet => tone.pick("#cf7a6c", "#c65c50"),
        Side::Lone => tone.pick("#b9a36a", "#9c8650"),
        Side::Nobody => tone.pick("#e8ddbf", "#3c3c33"),
    }
}

/// The picture: rows of land as strokes, which take few bytes.
pub fn draw(rules: &Rules, state: &State, tone: Tone) -> Markup {
    let colours = colours(tone);
    let (left, top, scale) = piece(rules, state);
    let sides = [Side::Nobody, Side::Axis, Side::Western, Side::Soviet, Side::Lone];
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" {
            rect width=(WIDE) height=(HIGH) fill=(colours.sea) {}
            g transform=(format!("translate({left:.1} {top:.1}) scale({scale:.4})")) fill="none" {
                @for side in sides { path d=(rows(rules, state, side)) stroke=(colour(side, tone)) stroke-width="18" {} }
                path d=(armies(rules, state)) stroke=(colours.rim) stroke-width="12" stroke-linecap="round" {}
            }
        }
    }
}

/// Where the map lies in the picture and how large: so that all armies are in it, but never closer than a theatre.
fn piece(rules: &Rules, state: &State) -> (f64, f64, f64) {
    const MARGIN: f64 = 60.0;
    let whole = (WIDE / WIDTH).max(HIGH / HEIGHT);
    let places = UnitId::all().map(|unit| state.unit(unit).place).filter(|place| place.is_hex());
    let points: Vec<Point> = places.filter_map(|place| centre(rules.world, place)).collect();
    if points.is_empty() {
        return (0.0, (HIGH - HEIGHT * whole) / 2.0, whole);
    }
    let most = |of: &dyn Fn(&Point) -> f64| points.iter().map(of).fold(f64::MIN, f64::max);
    let (right, bottom) = (most(&|point| point.x), most(&|point| point.y));
    let (left, top) = (-most(&|point| -point.x), -most(&|point| -point.y));
    let fits = (WIDE / (right - left + MARGIN)).min(HIGH / (bottom - top + MARGIN));
    let scale = fits.clamp(whole, whole * 3.0);
    // The edge of the map is the edge of the picture.
    let shift =
        |middle: f64, size: f64, room: f64| (room / 2.0 - middle * scale).clamp(room - size * scale, 0.0);
    (shift((left + right) / 2.0, WIDTH, WIDE), shift((top + bottom) / 2.0, HEIGHT, HIGH), scale)
}

/// Runs of hexes of a side, row by row.
fn rows(rules: &Rules, state: &State, side: Side) -> String {
    let mut path = String::new();
    let mut run: Option<(u8, u8, u8)> = None;
    let mut end = |run: Option<(u8, u8, u8)>| {
        let Some((row, from, to)) = run else { return };
        let shift = if row % 2 == 0 { 10 } else { 0 };
        let y = 17.32 * f64::from(row - 1) + 11.5;
        let _ =
            write!(path, "M{} {y:.0}h{}", u32::from(from - 1) * 20 + shift, (u32::from(to - from) + 1) * 20);
    };
    for hex in Place::hexes().filter(|hex| state.controller(*hex) == side) {
        let info = rules.world.hex(hex);
        run = match run {
            Some((row, from, to)) if row == info.row && to + 1 == info.col => Some((row, from, info.col)),
            other => {
                end(other);
                Some((info.row, info.col, info.col))
            }
        };
    }
    end(run);
    path
}

fn armies(rules: &Rules, state: &State) -> String {
    let mut path = String::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).place.is_hex() && rules.kind(*unit).is_field())
    {
        if let Some(Point { x, y }) = centre(rules.world, state.unit(unit).place) {
            let _ = write!(path, "M{x:.0} {y:.0}h0");
        }
    }
    path
}
