//! Orders that belong to no place of the board: to end, to pass, to stand by a Protectorate. Each is a button above the map.

use maud::html;
use triumph::{Choice, State};
use web::Scene;

use super::battle;
use super::lit::{Lit, Way};

/// Whether a choice has no place of its own. In a Battle its board has the buttons.
fn is_deed(state: &State, choice: Choice) -> bool {
    match choice {
        Choice::End => !battle::is_fought(state),
        Choice::Finish
        | Choice::Pass
        | Choice::LetItPass
        | Choice::Nothing
        | Choice::Order(_)
        | Choice::Bomb
        | Choice::StandBy
        | Choice::GiveUp
        | Choice::Against(_) => true,
        _ => false,
    }
}

/// The buttons, where there are any.
pub fn draw(state: &State, lit: &Lit, scene: &mut Scene) {
    let deeds: Vec<&Way> = lit.ways().filter(|way| is_deed(state, way.choice)).collect();
    if deeds.is_empty() {
        return;
    }
    let bar = html! {
        div #deed-bar .deed-bar {
            @for way in deeds {
                button.deed.lit type="button" data-choice=(way.name) { (way.label) }
            }
        }
    };
    scene.add("deeds", "deed-bar", bar);
}
