//! Victory points: the track from 0 to 30 with both markers, which count on past its end, and each side's score. Rules 1.7, 7.

use blitz::units::Side;
use blitz::{Rules, State, WAR_VP};
use maud::{Markup, html};

use super::symbols::side_class;
use web::Scene;

/// The last printed space. Rule 1.7.
const LAST: u8 = 30;
const CELL: f64 = 32.0;
const HEIGHT: f64 = 52.0;

fn x_of(vp: u8) -> f64 {
    (f64::from(vp.min(LAST)) + 0.5) * CELL
}

/// The strip without scores and markers.
pub fn sheet() -> Markup {
    html! {
        div.score {
            div #score-second {}
            svg.points viewBox={"0 0 " (CELL * f64::from(LAST + 1)) " " (HEIGHT)} aria-hidden="true" {
                @for vp in 0..=LAST {
                    g.step.fifth[vp.is_multiple_of(5)].war[vp >= WAR_VP] {
                        rect x=(f64::from(vp) * CELL + 1.0) y="1" width=(CELL - 2.0) height=(HEIGHT - 2.0) rx="3" {}
                        text x=(x_of(vp)) y="31" { (vp) }
                    }
                }
                g #vp-markers {}
            }
            div #score-first {}
        }
    }
}

/// Scores and markers.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    for side in Side::ALL {
        let (place, key) = match side {
            Side::First => ("score-first", "vp-first"),
            Side::Second => ("score-second", "vp-second"),
        };
        scene.add(place, key, total(rules, state, side, key));
        scene.add(
            "vp-markers",
            format!("{key}-marker"),
            marker(rules, state, side, &format!("{key}-marker")),
        );
    }
}

fn total(rules: &Rules, state: &State, side: Side, key: &str) -> Markup {
    let vp = state.vp[side.index()];
    let moves = state.side == side && state.verdict.is_none() && state.turn > 0;
    html! {
        p id=(key) .total.(side_class(side)).moves[moves] {
            span { (rules.side_name(side)) @if rules.is_bot(side) { " (bot)" } }
            b { (vp) small { " VP" } }
        }
    }
}

/// The marker: the first side's hangs from above, the second side's stands below, so that both can be on one space.
fn marker(rules: &Rules, state: &State, side: Side, key: &str) -> Markup {
    let vp = state.vp[side.index()];
    let y = if side == Side::First { 0.0 } else { HEIGHT };
    let pointed = if side == Side::First { "M-15 -2h30v17l-15 9-15-9z" } else { "M-15 2h30v-17l-15-9-15 9z" };
    html! {
        g id=(key) .vp-marker.glide.(side_class(side)) transform=(format!("translate({} {y})", x_of(vp))) {
            title { (rules.side_name(side)) ": " (vp) " VP" }
            path d=(pointed) {}
            text y=(if side == Side::First { "14" } else { "-4" }) { (vp) }
        }
    }
}
