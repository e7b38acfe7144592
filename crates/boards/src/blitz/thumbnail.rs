//! A small picture of a position: the theatres, or the open cities of Nippon, on the map, each with its lead; and the score.

use std::sync::LazyLock;

use blitz::settings::BoardKind;
use blitz::units::Side;
use blitz::{Rules, State};
use maud::{Markup, html};
use web::Tone;

use super::geography;
use crate::thumbnail::{Colours, HIGH, WIDE, colours, in_picture, world};
use crate::world::World;

/// The piece of the world that is behind the cities of Nippon.
const AMERICA: [f64; 4] = [1130.0, 175.0, 540.0, 304.0];
static AMERICA_LAND: LazyLock<String> = LazyLock::new(|| World::built_in().small_outline(AMERICA, WIDE));

/// The colours of the sides, by board: the first side, the second.
const fn sides(board: BoardKind, tone: Tone) -> [&'static str; 2] {
    match board {
        BoardKind::Base => [colours(tone).axis, colours(tone).allied],
        BoardKind::Nippon => [tone.pick("#a8322a", "#ee8f84"), tone.pick("#56604a", "#b3c09c")],
    }
}

/// The picture.
pub fn draw(rules: &Rules, state: &State, tone: Tone) -> Markup {
    let colours = colours(tone);
    let sides = sides(rules.settings.board, tone);
    let [first, second] = [0, 1].map(|side| state.vp[side]);
    let is_nippon = rules.settings.board == BoardKind::Nippon;
    let theatres = (0..rules.layout.theatres.len() as u8).filter(|at| !is_nippon || state.is_open(*at));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" font-family="Georgia, serif" {
            @if is_nippon {
                rect width=(WIDE) height=(HIGH) fill=(colours.sea) {}
                path d=(*AMERICA_LAND) fill=(colours.land) fill-rule="evenodd" transform="scale(.5)" {}
            } @else { (world(colours)) }
            @for at in theatres { (sign(rules, state, at, sides, colours)) }
            rect y="112" width=(WIDE) height="23" fill=(colours.paper) {}
            text x="10" y="128" font-size="13" font-weight="700" fill=(sides[1]) { (rules.side_name(Side::Second)) " " (second) }
            text x="230" y="128" font-size="13" font-weight="700" text-anchor="end" fill=(sides[0]) { (rules.side_name(Side::First)) " " (first) }
        }
    }
}

/// A theatre: who leads, and by how much.
fn sign(rules: &Rules, state: &State, at: u8, sides: [&str; 2], colours: Colours) -> Markup {
    let theatre = rules.theatre(at);
    let (x, y) = place(rules, &theatre.id);
    let lead = state.track(at);
    let (ground, ink) = match lead {
        0 => (colours.even, colours.rim),
        _ => (sides[usize::from(lead < 0)], colours.paper),
    };
    html! {
        g opacity=[state.is_closed(at).then_some("0.45")] {
            circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="9.5" fill=(ground) stroke=(colours.rim) stroke-width="1.6" {}
            text x=(format!("{x:.1}")) y=(format!("{:.1}", y + 4.0)) text-anchor="middle" font-size="11" font-weight="700" fill=(ink) { (lead.abs()) }
        }
    }
}

/// Where a theatre stands in the picture.
fn place(rules: &Rules, id: &str) -> (f64, f64) {
    if rules.settings.board == BoardKind::Nippon {
        let (x, y) = geography::in_world(id);
        let scale = WIDE / AMERICA[2];
        // Alaska lies beyond the upper edge.
        return ((x - AMERICA[0]) * scale, ((y - AMERICA[1]) * scale).max(12.0));
    }
    let [left, top, width, height] = geography::crop(id);
    in_picture((left + width / 2.0, top + height / 2.0))
}
