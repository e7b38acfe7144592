//! A small picture of a position: the six fronts on the map of the world, the turn and the points.

use std::fmt::Write as _;

use echoes::ids::Region;
use echoes::{Rules, State};
use maud::{Markup, html};
use web::Tone;

use super::geography;
use crate::thumbnail::{Colours, HIGH, WIDE, colours, in_picture, world};

/// The picture.
pub fn draw(rules: &Rules, state: &State, tone: Tone) -> Markup {
    let colours = colours(tone);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={"0 0 " (WIDE) " " (HIGH)} role="img" font-family="Georgia, serif" {
            (world(colours))
            @for region in Region::ALL { (front(rules, state, region, colours)) }
            rect y="114" width=(WIDE) height="21" fill=(colours.paper) {}
            text x="10" y="129" font-size="12" fill=(colours.ink) { "Turn " (state.turn) ", " (rules.year(state.turn)) }
            text x="230" y="129" text-anchor="end" font-size="12" font-weight="700" fill=(colours.ink) { (rules.vp(state)) " VP" }
        }
    }
}

/// The way of a front: Allied ground behind it, Axis ground before it, and where it stands.
fn front(rules: &Rules, state: &State, region: Region, colours: Colours) -> Markup {
    let spaces = rules.book.regions[region.index()].spaces.len();
    let at = usize::from(state.at(region));
    let places: Vec<(f64, f64)> = geography::places(region, spaces).into_iter().map(in_picture).collect();
    let (x, y) = places[at.min(places.len() - 1)];
    html! {
        path d=(line(&places[at..])) fill="none" stroke=(colours.axis) stroke-width="2.4" stroke-linecap="round" {}
        path d=(line(&places[..=at])) fill="none" stroke=(colours.allied) stroke-width="2.4" stroke-linecap="round" {}
        circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" fill=(colours.even) stroke=(colours.rim) stroke-width="1.6" {}
    }
}

fn line(places: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in places.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    path
}
