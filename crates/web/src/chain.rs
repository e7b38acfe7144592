//! Chains: several choices of one seat made by a single click, such as the steps of a march.
//!
//! A chain is the names of its choices separated by ` > `. Each is checked as if it were made alone, and can be undone alone.
//! When Fate or another seat comes in between, the rest of the chain is dropped, because the player has not seen the position
//! in which the next link would be played. Where a board means a link to be played whatever the dice of the link before it show,
//! as long as it is then open, it writes ` >> ` before it: "roll, and march there if you may".

use kernel::{Actor, MatchError, Mover, Seat, Story, Table, Viewer};

/// The separator of the links.
pub const LINK: &str = " > ";

/// The separator before a link that is played after the dice of the link before it, if it is open then.
pub const AFTER_DICE: &str = " >> ";

/// The most links in a chain; further ones are ignored.
const MOST_LINKS: usize = 64;

/// The names of the links in order; for a plain choice, its own name.
pub fn links(chain: &str) -> impl Iterator<Item = &str> {
    parts(chain).map(|(_, link)| link)
}

/// The links, each with whether it is to be played after dice.
fn parts(chain: &str) -> impl Iterator<Item = (bool, &str)> {
    let pieces = chain.split(LINK).map(|piece| piece.split(AFTER_DICE).enumerate());
    pieces.flatten().map(|(at, link)| (at > 0, link)).take(MOST_LINKS)
}

/// Plays a chain as far as possible and adds its events to the story. Only the first link can cause an error; then nothing
/// was played.
pub fn play(table: &mut dyn Table, seat: Seat, chain: &str, story: &mut Story) -> Result<(), MatchError> {
    for (at, (after_dice, link)) in parts(chain).enumerate() {
        if after_dice {
            table.play_forced(Some(story));
        }
        if at > 0 && !goes_on(table, seat, link, story) {
            return Ok(());
        }
        table.play(seat, link, Some(story))?;
    }
    Ok(())
}

/// Whether another link can be played now. A forced choice of the same seat may come before it, because the player would not
/// have been asked.
fn goes_on(table: &mut dyn Table, seat: Seat, link: &str, story: &mut Story) -> bool {
    let is_open = |table: &dyn Table| {
        table.mover() == Mover::Seat(seat) && table.why_not(Viewer::Seat(seat), link).is_ok()
    };
    if table.mover() != Mover::Seat(seat) {
        return false;
    }
    if is_open(table) {
        return true;
    }
    let from = table.steps();
    table.play_forced(Some(story));
    let followed = table.log(from, Viewer::Seat(seat));
    followed.iter().all(|entry| entry.actor == Actor::Seat(seat)) && is_open(table)
}

#[cfg(test)]
mod tests;
