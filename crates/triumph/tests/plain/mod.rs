//! A plain policy for both sides of a Battle, read from the choices of the engine alone: what the model of a Battle assumes.

use triumph::{Choice, Class, Manner, Rules, Stage, State, flag};

fn steps(state: &State, of: impl Fn(usize) -> bool) -> u32 {
    let there = state
        .blocks
        .iter()
        .enumerate()
        .filter(|(at, unit)| unit.area == state.battle.area && !unit.is(flag::ESCAPED) && of(*at));
    there.map(|(_, unit)| u32::from(unit.cv)).sum()
}

fn leaves(choice: &Choice) -> bool {
    matches!(choice, Choice::Strike(_) | Choice::Retreat(..) | Choice::Rebase(..))
}

/// The strongest unit acts; it leaves if it is outnumbered and its side does so, or finds no target.
fn action(rules: &Rules, state: &State, listed: &[Choice], manners: [Manner; 2]) -> Choice {
    let block = |choice: &Choice| choice.block().expect("a unit acts");
    let actor = listed.iter().map(block).max_by_key(|at| state.blocks[*at].cv).expect("an action");
    let own: Vec<Choice> = listed.iter().copied().filter(|choice| block(choice) == actor).collect();
    let owner = State::owner(actor);
    let side = usize::from(owner != Some(state.turn.faction));
    let foes = steps(state, |at| State::owner(at) != owner);
    let outnumbered = foes > 2 * steps(state, |at| State::owner(at) == owner);
    let at_sea = usize::from(state.battle.area) >= triumph::LANDS;
    let worth = |choice: &Choice| match *choice {
        Choice::Fire(_, class) => {
            let kind = state.blocks[actor].kind;
            let there = steps(state, |at| {
                State::owner(at) != owner
                    && !state.blocks[at].is(flag::WAITING)
                    && state.blocks[at].kind.class(at_sea) == class
            });
            let order = [Class::Submarine, Class::Naval, Class::Air, Class::Ground];
            let last = order.iter().position(|other| *other == class).unwrap_or(0);
            (u32::from(rules.atlas().types[kind.index()].fire[class as usize]), there, last)
        }
        _ => (0, 0, 0),
    };
    let way_out = own.iter().copied().find(leaves);
    let fires = own.iter().copied().any(|choice| matches!(choice, Choice::Fire(..)));
    match way_out {
        Some(choice) if !fires || (manners[side].retreats && outnumbered) => choice,
        _ => *own.iter().max_by_key(|choice| worth(choice)).expect("a shot"),
    }
}

/// What a player of the policy chooses.
pub fn plain_choice(rules: &Rules, state: &State, listed: &[Choice], manners: [Manner; 2]) -> Choice {
    match state.stage {
        Stage::Action(_) => action(rules, state, listed, manners),
        Stage::Hit(_) => {
            let kind = |choice: &Choice| choice.block().map(|block| state.blocks[block].kind);
            *listed.iter().max_by_key(|choice| kind(choice)).expect("a unit")
        }
        Stage::Group => {
            let strength = |choice: &Choice| {
                let first = state.blocks[choice.block().expect("a group")];
                steps(state, |at| {
                    let unit = &state.blocks[at];
                    unit.is(flag::WAITING) && (unit.origin, unit.from) == (first.origin, first.from)
                })
            };
            *listed.iter().max_by_key(|choice| strength(choice)).expect("a group")
        }
        Stage::Escape(faction) => {
            let side = usize::from(faction != state.turn.faction);
            listed[if manners[side].escapes { 0 } else { listed.len() - 1 }]
        }
        _ if listed.contains(&Choice::End) => Choice::End,
        _ => listed[0],
    }
}
