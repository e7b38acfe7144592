//! The row of orders: everything that is chosen by a button rather than on the map.

use kernel::Wording as _;
use maud::html;
use surrender::{Choice, State, Surrender};
use web::Scene;

use super::lit::Lit;

/// Draws the row.
pub fn draw(game: &Surrender, state: &State, lit: &Lit, scene: &mut Scene) {
    scene.add("orders-place", "orders", html! {
        div #orders .orders .none[lit.buttons.is_empty()] role="group" aria-label="Orders" {
            @for (choice, name) in &lit.buttons {
                button type="button" .(tone(*choice)) data-choice=(name) title=(game.label(state, *choice)) { (short(game, state, *choice)) }
            }
        }
    });
}

/// What a button is like: the end of something, or one of many.
const fn tone(choice: Choice) -> &'static str {
    match choice {
        Choice::End
        | Choice::Pass
        | Choice::Stop
        | Choice::Stay
        | Choice::LetGo
        | Choice::LetAllGo
        | Choice::HoldBack
        | Choice::HoldBackAll => "quiet",
        _ => "deed",
    }
}

/// A choice in a few words; whatever has no short form says all.
fn short(game: &Surrender, state: &State, choice: Choice) -> String {
    let world = game.rules().world;
    let country = |verb: &str, country: surrender::Country| format!("{verb} {}", world.country(country).name);
    match choice {
        Choice::Pass => "Pass".to_owned(),
        Choice::End => "End the phase".to_owned(),
        Choice::Stop => "Stop here".to_owned(),
        Choice::Advance => "Advance".to_owned(),
        Choice::Stay => "Stay".to_owned(),
        Choice::Go => "Attack!".to_owned(),
        Choice::Commit => "Commit".to_owned(),
        Choice::HoldBack => "Hold back".to_owned(),
        Choice::HoldBackAll => "Hold back all month".to_owned(),
        Choice::LetAllGo => "Let all go this month".to_owned(),
        Choice::Declare(of) => country("War on", of),
        Choice::Peace(of) => country("Peace with", of),
        Choice::Influence(of) => country("Influence", of),
        Choice::Coup(of) => country("Coup in", of),
        Choice::Court(of) => country("Court", of),
        Choice::Play(marker) | Choice::Use(marker) => world.markers[marker.index()].name.clone(),
        _ => game.label(state, choice),
    }
}
