//! A small picture of a position: the land in the colours of who controls it, and a dot where blocks stand. It stands alone,
//! so it brings its colours along.

use std::fmt::Write as _;
use std::sync::LazyLock;

use maud::{Markup, html};
use triumph::{Atlas, Faction, LANDS, State};
use web::Tone;

use super::atlas;
use super::geometry::{Geometry, HEIGHT, WIDTH};
use crate::thumbnail::{HIGH, WIDE, colours};

/// Points closer than this are one point in a small picture.
const APART: f64 = 9.0;

/// The outline of each land area with few points, in whole units.
static OUTLINES: LazyLock<Vec<String>> = LazyLock::new(|| (0..LANDS as u8).map(outline).collect());

fn outline(area: u8) -> String {
    let map = Geometry::built_in();
    let mut path = String::new();
    for ring in atlas::place(area).map(|place| map.outline(place)).unwrap_or_default() {
        let mut kept: Vec<(f64, f64)> = Vec::new();
        for point in ring {
            let (x, y) = point.units();
            if kept.last().is_none_or(|(a, b)| (x - a).hypot(y - b) > APART) {
                kept.push((x, y));
            }
        }
        if kept.len() < 3 {
            continue;
        }
        for (at, (x, y)) in kept.iter().enumerate() {
            let _ = write!(path, "{}{x:.0} {y:.0}", if at == 0 { 'M' } else { ' ' });
        }
        path.push('z');
    }
    path
}

/// The colours of the Factions.
const fn colour(faction: Faction, tone: Tone) -> &'static str {
    match faction {
        Faction::Axis => tone.pick("#6d7264", "#8b9480"),
        Faction::West => tone.pick("#5b82c0", "#5d86cc"),
        Faction::Ussr => tone.pick("#bf5146", "#c65c50"),
    }
}

/// The picture.
pub fn draw(state: &State, tone: Tone) -> Markup {
    let colours = colours(tone);
    let scale = (WIDE / WIDTH).max(HIGH / HEIGHT);
    let top = (HIGH - HEIGHT * scale) / 2.0;
    let land = |owner: Option<Faction>| -> String {
        let areas = 0..LANDS as u8;
        let is =
            |area: &u8| Faction::ALL.into_iter().find(|faction| state.controls(*faction, *area)) == owner;
        areas.filter(is).map(|area| OUTLINES[usize::from(area)].as_str()).collect()
    };
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" {
            rect width=(WIDE) height=(HIGH) fill=(colours.sea) {}
            g transform=(format!("translate(0 {top:.1}) scale({scale:.4})")) stroke=(colours.sea) stroke-width="3" stroke-linejoin="round" fill-rule="evenodd" {
                path d=(land(None)) fill=(colours.land) {}
                @for faction in Faction::ALL { path d=(land(Some(faction))) fill=(colour(faction, tone)) {} }
            }
            g transform=(format!("translate(0 {top:.1}) scale({scale:.4})")) stroke=(colours.rim) stroke-width="3" {
                @for faction in Faction::ALL { path d=(stacks(state, faction)) fill=(colour(faction, tone)) {} }
            }
        }
    }
}

fn stacks(state: &State, faction: Faction) -> String {
    let mut path = String::new();
    for area in state.present[faction.index()] {
        let slot = atlas::place(area).and_then(|place| place.slots.get(usize::from(Atlas::is_sea(area))));
        if let Some([x, y]) = slot {
            let _ = write!(path, "M{:.0} {:.0}h18v18h-18z", x - 9.0, y - 9.0);
        }
    }
    path
}
