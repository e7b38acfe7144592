//! The places that can be chosen, lit on the map: one part, because all of it changes with every question.

use std::fmt::Write as _;

use maud::{PreEscaped, html};
use surrender::{Place, Rules};
use web::Scene;
use web::chain::links;

use super::battle::odds_words;
use super::frame::{BOXES, Point, centre};
use super::lit::Lit;
use super::march::{percent, success};

/// What is lit.
pub fn draw(rules: &Rules, lit: &Lit, scene: &mut Scene) {
    let mut hexes = String::new();
    for (place, names) in lit.places() {
        if place.is_hex() {
            let goals = lit.march.iter().flat_map(|march| &march.goals);
            let odds = goals.filter(|goal| goal.place == place).find_map(|goal| goal.odds.as_ref());
            write_hex(rules, place, names, odds, &mut hexes);
        }
    }
    if let Some(march) = &lit.march {
        for goal in &march.goals {
            let Some(Point { x, y }) = centre(rules.world, goal.place) else { continue };
            let _ = match &goal.odds {
                None => {
                    write!(hexes, "<text class=\"left\" x=\"{x}\" y=\"{:.1}\">{}</text>", y + 2.0, goal.left)
                }
                Some(odds) => write!(
                    hexes,
                    "<g class=\"odds\" transform=\"translate({x} {y})\"><rect x=\"-9\" y=\"-14.5\" width=\"18\" height=\"8\" rx=\"2\"/><text y=\"-8.4\">{}%</text></g>",
                    percent(success(odds))
                ),
            };
        }
    }
    scene.add("reach", "lit", html! { g #lit { (PreEscaped(hexes)) } });
    for known in BOXES {
        let [left, top, wide, high] = known.frame;
        let key = format!("box-{}", rules.world.place_name(known.place));
        let names = lit.place(known.place);
        let is_off = !rules.is_box_in_play(known.place);
        scene.add(
            "boxes",
            key.clone(),
            html! {
                g #(key) .map-box .off[is_off] .can[names.is_some()] data-choice=[names] {
                    rect x=(left) y=(top) width=(wide) height=(high) rx="4" {}
                    text x=(left + wide / 2.0) y=(top + 11.0) { (known.name) }
                }
            },
        );
    }
}

fn write_hex(rules: &Rules, place: Place, names: &[String], odds: Option<&[u32; 6]>, out: &mut String) {
    let Some(Point { x, y }) = centre(rules.world, place) else { return };
    let attacks = |name: &String| {
        links(name).last().is_some_and(|last| last.starts_with("attack ") || last.starts_with("assault "))
    };
    let class = if names.iter().any(attacks) { "h atk" } else { "h" };
    // A name has no sign that would end an attribute, so it is written as it is: chains are long.
    let names = names.join("|");
    let _ = write!(out, "<use class=\"{class}\" href=\"#hx\" x=\"{x}\" y=\"{y}\" data-choice=\"{names}\"");
    let _ = match odds {
        None => write!(out, "/>"),
        // A way that ends in an attack has no preview where something is hidden: its odds are said here.
        Some(odds) => write!(out, "><title>Attack: {}</title></use>", odds_words(odds)),
    };
}
