//! The map of Nippon: fifteen cities at their places, how they are linked, and how each stands. Rule 10.2.

use blitz::layout::bits;
use blitz::{Choice, Rules, State};
use maud::{Markup, html};

use super::geography::{self, ALASKA_BOX, Label, MAP, NIPPON_PIECES};
use super::{theatre, track};
use crate::world;
use web::{Asked, Scene};

/// The map with the links; the cities are parts.
pub fn sheet(rules: &Rules) -> Markup {
    frame(rules, &html! { g #cities {} })
}

/// The map of a position, whole, for paper.
pub fn on_paper(rules: &Rules, state: &State) -> Markup {
    let cities = 0..rules.layout.theatres.len() as u8;
    frame(rules, &html! { @for at in cities { (city(rules, state, at, &Asked::NOTHING)) } })
}

fn frame(rules: &Rules, over: &Markup) -> Markup {
    let [x, y, width, height] = ALASKA_BOX;
    html! {
        svg.america viewBox={"0 0 " (MAP.0) " " (MAP.1)} role="group" aria-label="Cities" {
            @for (place, crop) in NIPPON_PIECES { (piece(place, crop)) }
            rect.inset x=(x) y=(y) width=(width) height=(height) {}
            g.roads {
                @for (at, city) in rules.layout.theatres.iter().enumerate() {
                    @for other in bits(u64::from(city.links)).filter(|other| usize::from(*other) > at) {
                        @let (from, to) = (geography::city(&city.id).0, geography::city(&rules.theatre(other).id).0);
                        line x1=(tenths(from.0)) y1=(tenths(from.1)) x2=(tenths(to.0)) y2=(tenths(to.1)) {}
                    }
                }
            }
            (over)
        }
    }
}

fn piece([x, y, width, height]: geography::Crop, crop: geography::Crop) -> Markup {
    let world = world::url();
    html! {
        svg x=(x) y=(y) width=(width) height=(height) preserveAspectRatio="none"
            viewBox={(crop[0]) " " (crop[1]) " " (crop[2]) " " (crop[3])} aria-hidden="true" {
            rect.sea x=(crop[0]) y=(crop[1]) width=(crop[2]) height=(crop[3]) {}
            use.shore href={(world) "#land"} {}
            use.land href={(world) "#land"} {}
        }
    }
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}

/// The cities, a part each.
pub fn draw(rules: &Rules, state: &State, asked: &Asked<'_, Choice>, scene: &mut Scene) {
    for at in 0..rules.layout.theatres.len() as u8 {
        scene.add("cities", format!("city-{}", rules.theatre(at).id), city(rules, state, at, asked));
    }
}

/// A city: a sign with its worth, its name, the red modifier while it is locked, the flag of its winner afterwards.
fn city(rules: &Rules, state: &State, at: u8, asked: &Asked<'_, Choice>) -> Markup {
    let data = rules.theatre(at);
    let ((x, y), label) = geography::city(&data.id);
    let vp = data.campaigns.first().map_or(0, |campaign| campaign.vp);
    let position = state.track(at);
    let open = asked.names(|choice| theatre::names_theatre(choice, at));
    let (word, words) = match () {
        () if state.is_open(at) => ("open", format!("open, {}", rules.marker_words(position))),
        () if state.is_closed(at) => ("shut", format!("closed, {}", rules.marker_words(position))),
        () => ("locked", format!("locked, +{}", data.modifier)),
    };
    let (dx, dy, anchor) = match label {
        Label::Above => (0.0, -19.0, "middle"),
        Label::Below => (0.0, 29.0, "middle"),
        Label::Right => (19.0, 4.5, "start"),
    };
    let role = if open.is_some() { "button" } else { "img" };
    html! {
        g #{"city-" (data.id)} .city.(word).(track::leader_class(position)).lit[open.is_some()] transform=(format!("translate({x:.1} {y:.1})"))
            data-choice=[&open] role=(role) tabindex=[open.as_ref().map(|_| "0")] aria-label={(data.name) ", " (vp) " VP, " (words)} {
            circle.sign r="14" {}
            text.vp y="5.5" { (vp) }
            @if word == "shut" { svg.flag x="3" y="-30" width="16" height="22" viewBox="0 0 24 32" { use href="#flag" {} } }
            @if word == "locked" && data.modifier > 0 {
                // On the side that the name leaves free.
                g.modifier transform=(if label == Label::Above { "translate(13 12)" } else { "translate(13 -12)" }) {
                    circle r="9.5" {}
                    text y="4" { "+" (data.modifier) }
                }
            }
            text.called x=(dx) y=(dy) text-anchor=(anchor) { (data.name) }
        }
    }
}
