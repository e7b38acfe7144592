//! Orders that take several choices and are given by one click: an assault with its best leader and all who help, and the
//! fire of the best gun at a target. Nothing is rolled before the player confirms it (ruling R61).

use std::collections::HashMap;

use dday::{Choice, DDay, NOBODY, Stage, State};
use kernel::{Discard, Game as _, Wording as _};
use web::Asked;
use web::chain::LINK;

/// The position after a choice.
fn after(game: &DDay, s: &State, choice: Choice) -> State {
    let mut next = s.clone();
    game.apply(&mut next, choice, &mut Discard);
    next
}

fn listed(game: &DDay, s: &State) -> Vec<Choice> {
    let mut choices = Vec::new();
    game.choices(s, &mut choices);
    choices
}

fn link(game: &DDay, s: &State, chain: &mut String, choice: Choice) {
    chain.push_str(LINK);
    game.write_name(s, choice, chain);
}

/// The chain of an assault: its own name, the leader that promises most with all who help, and the word that adds them.
/// Under rules 1 the last support would roll the dice, so the name stays alone.
pub fn assault(game: &DDay, s: &State, choice: Choice, name: &str) -> String {
    let mut chain = name.to_owned();
    if !game.rules().confirms() {
        return chain;
    }
    let begun = after(game, s, choice);
    let leads = listed(game, &begun).into_iter().filter_map(|lead| {
        let Choice::Lead(_) = lead else { return None };
        let led = after(game, &begun, lead);
        let help = helpers(game, &led);
        let whole = help.map_or_else(|| led.clone(), |help| after(game, &led, help));
        let fight = game.rules().likely_defender(&whole, &game.rules().fight(&whole))?;
        Some((game.rules().assault_odds(&whole, &fight).success(), lead, led, help))
    });
    // The first of equals, so that the same position always has the same chain.
    let Some((_, lead, led, help)) = leads.reduce(|best, one| if one.0 > best.0 { one } else { best }) else {
        return chain;
    };
    link(game, &begun, &mut chain, lead);
    if let Some(help) = help {
        link(game, &led, &mut chain, help);
    }
    chain
}

/// The choice that adds all who help: the word for several, or the one battalion beside the leader.
fn helpers(game: &DDay, s: &State) -> Option<Choice> {
    let choices = listed(game, s);
    let all = choices.iter().copied().find(|choice| *choice == Choice::WithAll);
    all.or_else(|| choices.into_iter().find(|choice| matches!(choice, Choice::With(_))))
}

/// For every battalion that a gun could shell now: the chain of the gun that promises most, guns on the map first.
pub fn bombardments(game: &DDay, s: &State, asked: &Asked<'_, Choice>) -> HashMap<u8, String> {
    let mut best: HashMap<u8, (u16, String)> = HashMap::new();
    if s.stage != Stage::Combat || !game.rules().confirms() {
        return HashMap::new();
    }
    let guns = asked.open.iter().filter_map(|(choice, name)| match *choice {
        Choice::Shell(gun) => Some((gun, *choice, name)),
        _ => None,
    });
    let mut guns: Vec<_> = guns.collect();
    guns.sort_by_key(|(gun, ..)| (*gun == NOBODY, *gun));
    for (gun, choice, name) in guns {
        let aiming = after(game, s, choice);
        for target in listed(game, &aiming) {
            let Choice::At(unit) = target else { continue };
            let rules = game.rules();
            let (hit, save) = (rules.ranged_need(gun, unit, 0), rules.fire_save_need(s, gun, unit));
            let worth = u16::from(hit) * u16::from(10 - save.min(10));
            if best.get(&unit).is_none_or(|(known, _)| worth > *known) {
                let mut chain = name.clone();
                link(game, &aiming, &mut chain, target);
                best.insert(unit, (worth, chain));
            }
        }
    }
    best.into_iter().map(|(unit, (_, chain))| (unit, chain)).collect()
}
