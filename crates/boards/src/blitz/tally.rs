//! A finished game in figures.

use blitz::units::Side;
use blitz::{GameEvent, Rules};

use crate::words::counted;

/// What both sides placed and took.
pub fn of(rules: &Rules, events: &[GameEvent]) -> Vec<(String, String)> {
    let count = |is: &dyn Fn(&GameEvent) -> bool| events.iter().filter(|event| is(event)).count();
    let mut facts = Vec::new();
    for side in Side::ALL {
        let placed = count(&|event| matches!(event, GameEvent::Placed { side: by, .. } if *by == side));
        let won = count(
            &|event| matches!(event, GameEvent::CampaignClosed { vp, .. } if vp[side.index()] > vp[side.enemy().index()]),
        );
        let taken = count(&|event| matches!(event, GameEvent::TheatreTaken { side: by, .. } if *by == side));
        let mut words = format!("{} placed, {} won", counted(placed, "unit"), counted(won, "campaign"));
        if taken > 0 {
            words.push_str(&format!(", {taken} taken to the end of the track"));
        }
        facts.push((rules.side_name(side).to_owned(), words));
    }
    facts
}
