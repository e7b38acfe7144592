//! The question whose answer are the odds of a choice: a shot, a Battle, a move into one.

use kernel::Wording as _;
use triumph::{Choice, State, Triumph};

/// The question, where the choice is a gamble.
pub fn of(game: &Triumph, state: &State, choice: Choice) -> Option<String> {
    let rules = game.rules();
    let id = |area: u8| &rules.atlas().area(area).id;
    match choice {
        Choice::Fire(..) => {
            let mut name = String::new();
            game.write_name(state, choice, &mut name);
            Some(name)
        }
        Choice::Fight(area) | Choice::Select(area) => Some(format!("battle {}", id(area))),
        Choice::To(area, _) => {
            let mover = state.turn.faction;
            let meets = state.parties(area).factions().any(|other| state.at_war(mover, other));
            let mut unit = String::new();
            game.write_name(state, Choice::Move(state.picked), &mut unit);
            let unit = unit.strip_prefix("move ")?;
            meets.then(|| format!("attack {} with {unit}", id(area)))
        }
        _ => None,
    }
}
