//! What a choice would do, before it is made: words, and ghosts on the board. Rules 3.5 to 3.7, 5.6, 6.1.

use blitz::layout::bits;
use blitz::units::Ability;
use blitz::{Choice, Rules, State, View};
use maud::html;

use super::{symbols, track};
use web::Scene;

/// Spaces that a nuclear bomb costs in every other open theatre. Rule 5.6.
const BACKFIRE: i8 = 2;

/// The words and the ghosts; `None` where nothing can be foreseen.
pub fn preview(rules: &Rules, view: &View, choice: Choice) -> Option<(String, Scene)> {
    let state = view.state();
    let mut scene = Scene::default();
    match choice {
        Choice::Place { kind, space } => {
            let unit = rules.played(state, state.side, kind)?;
            let seen = rules.preview(state, state.side, unit, space);
            let place: &'static str = rules.layout.spaces[usize::from(space)].name.as_str();
            let token =
                html! { div #ghost-token .ghost aria-hidden="true" { (symbols::counter(state.side, kind)) } };
            scene.add(place, "ghost-token", token);
            ghost_marker(rules, state, rules.space(space).theatre, seen.to, &mut scene);
            if unit.ability == Ability::Nuclear {
                backfire(rules, state, rules.space(space).theatre, &mut scene);
            }
        }
        Choice::Strategic(theatre) => {
            let most = rules.theatre(theatre).track_end - 1;
            let to = state.track(theatre) + state.side.sign() * state.placing.left as i8;
            ghost_marker(rules, state, theatre, to.clamp(-most, most), &mut scene);
        }
        Choice::Theatre(_) | Choice::Open(_) | Choice::Bomb(_) | Choice::BombAt(_) => {}
        _ => return None,
    }
    Some((rules.label(state, choice), scene))
}

fn ghost_marker(rules: &Rules, state: &State, theatre: u8, to: i8, scene: &mut Scene) {
    let place: &'static str = rules.layout.theatres[usize::from(theatre)].id.as_str();
    let from = state.track(theatre);
    if from != to {
        scene.add(place, format!("ghost-{place}"), track::ghost(rules.theatre(theatre), from, to));
    }
}

/// The marker of every other open theatre goes back, but never onto an end. Rule 5.6.
fn backfire(rules: &Rules, state: &State, at: u8, scene: &mut Scene) {
    for other in bits(u64::from(state.open)).filter(|other| *other != at) {
        let most = rules.theatre(other).track_end - 1;
        let to = (state.track(other) - state.side.sign() * BACKFIRE).clamp(-most, most);
        ghost_marker(rules, state, other, to, scene);
    }
}
