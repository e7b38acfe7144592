//! A small picture of a position: six fronts, a bar each. It stands alone, so it brings its colours along.

use echoes::ids::Region;
use echoes::{Rules, State};
use maud::{Markup, html};

const ALLIED: &str = "#2f5d8a";
const AXIS: &str = "#8c3b2e";

/// The picture.
pub fn draw(rules: &Rules, state: &State) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 135" role="img" font-family="Georgia, serif" {
            rect width="240" height="135" fill="#e9e0c8" {}
            @for (row, region) in Region::ALL.into_iter().enumerate() {
                (bar(rules, state, region, 12.0 + 19.5 * row as f64))
            }
            text x="228" y="129" text-anchor="end" font-size="11" fill="#3a342a" {
                "Turn " (state.turn) " · " (rules.vp(state)) " VP"
            }
        }
    }
}

fn bar(rules: &Rules, state: &State, region: Region, y: f64) -> Markup {
    let spaces = rules.book.regions[region.index()].spaces.len();
    let x = |space: usize| 52.0 + space as f64 * 172.0 / (spaces.max(2) - 1) as f64;
    let at = usize::from(state.at(region));
    let front = x(at);
    html! {
        text x="10" y=(y + 4.0) font-size="11" fill="#3a342a" { (region.code()) }
        rect x=(x(0)) y=(y - 3.0) width=(format!("{:.1}", front - x(0))) height="6" fill=(ALLIED) {}
        rect x=(format!("{front:.1}")) y=(y - 3.0) width=(format!("{:.1}", x(spaces - 1) - front)) height="6" fill=(AXIS) {}
        @for space in 0..spaces {
            circle cx=(format!("{:.1}", x(space))) cy=(y) r="4" fill=(if space <= at { ALLIED } else { AXIS }) {}
        }
        circle cx=(format!("{front:.1}")) cy=(y) r="6.5" fill="#f7f1df" stroke="#2a2620" stroke-width="2.5" {}
    }
}
