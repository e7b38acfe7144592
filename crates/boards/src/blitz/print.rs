//! The board for paper, blank or as a match stands, for tokens or a pencil.

use blitz::layout::Effect;
use blitz::units::Side;
use blitz::{Blitz, Rules, State};
use kernel::Game as _;
use maud::{Markup, html};

use super::{america, fields, symbols, theatre};

/// The pages. A blank sheet shows the board as it is before the first unit.
pub fn pages(game: &Blitz, state: Option<&State>) -> Markup {
    let rules = game.rules();
    let opening = game.start();
    let shown = state.unwrap_or(&opening);
    let blank = state.is_none();
    html! {
        p.hint { "Print this page in landscape, with background graphics. "
            @if blank { "All markers are on the start space; move them as you play." } @else { "Shows the current position of the match." } }
        section.sheet-page.blitz.(fields::board_class(rules)).blank[blank] {
            (symbols::definitions())
            header {
                h1 { "Blitzkrieg!" }
                p { (fields::setup_title(game)) }
                p.final-score { @for side in Side::ALL { span.(symbols::side_class(side)) { (rules.side_name(side)) ": " @if blank { "____" } @else { (shown.vp[side.index()]) } " VP" } } }
            }
            @if rules.layout.opens_cities { div.print-map { (america::on_paper(rules, shown)) } }
            @else { (cards(rules, shown)) (legend()) }
        }
        @if rules.layout.opens_cities {
            section.sheet-page.blitz.(fields::board_class(rules)) {
                header { h1 { "The cities" } p { (fields::setup_title(game)) } }
                (cards(rules, shown))
                (legend())
            }
        }
    }
}

fn cards(rules: &Rules, state: &State) -> Markup {
    html! {
        div.theatres { @for at in 0..rules.layout.theatres.len() as u8 { (theatre::on_paper(rules, state, at)) } }
    }
}

/// What the signs of the spaces mean. Rule 6.
fn legend() -> Markup {
    html! {
        ul.legend {
            @for effect in Effect::ALL.into_iter().filter(|effect| *effect != Effect::None) {
                li { svg.tile viewBox="0 0 64 64" { use.effect href={"#e-" (effect.word())} {} } (effect.name()) }
            }
        }
    }
}
