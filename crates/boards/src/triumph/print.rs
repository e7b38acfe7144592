//! The map and the panels for paper, blank or as a match stands.

use kernel::{Game as _, Viewer};
use maud::{Markup, PreEscaped, html};
use triumph::{Triumph, View};
use web::Scene;

use super::layers::Layers;
use super::lit::Lit;
use super::{fields, fronts, hand, marks, sheet, units};

/// The pages: the map with its blocks, then panels and hand.
pub fn pages(game: &Triumph, view: Option<&View>) -> Markup {
    let opening = game.view(&game.start(), Viewer::Spectator);
    let shown = view.unwrap_or(&opening);
    let (lit, layers) = (Lit::default(), Layers::default());
    let mut map = Scene::default();
    marks::draw(game, shown, &lit, &layers, &mut map);
    units::draw(game, shown, &lit, &layers, &mut map);
    let mut panels = Scene::default();
    fronts::draw(game, shown, &lit, &mut panels);
    hand::draw(game, shown, &lit, &mut panels);
    let state = shown.state();
    html! {
        p.hint { "Print these pages in landscape, with background graphics. "
            @if view.is_none() { "Shows the position at the start." } @else { "Shows the current position of the match, as you see it." } }
        section.sheet-page.triumph {
            (sheet::symbols())
            header {
                h1 { "Triumph & Tragedy" }
                p { (fields::setup_title(game)) }
                p { (state.part.title()) " " (game.rules().shown_year(state)) }
            }
            (with_classes(&map, map.fill(sheet::the_map()).into_string()))
        }
        section.sheet-page.triumph {
            header { h1 { "Factions" } p { (fields::setup_title(game)) } }
            (panels.fill(html! { (fronts::frames()) div.hand-row #hand {} }))
        }
    }
}

/// Paper has no client that would set the classes of the sheet.
fn with_classes(scene: &Scene, mut page: String) -> Markup {
    for web::Part(key, parent, class) in &scene.parts {
        if parent.is_none() {
            let (old, new) =
                (format!(" class=\"area\" id=\"{key}\""), format!(" class=\"{class}\" id=\"{key}\""));
            page = page.replacen(&old, &new, 1);
        }
    }
    PreEscaped(page)
}
