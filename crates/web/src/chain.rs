//! Chains: choices of one seat that a single click makes one after the other, such as the steps of a way.
//!
//! A chain is the names of its choices parted by ` > `. Each is checked by the rules as if it were made alone, and can be
//! taken back alone. A chain goes on only while nobody else has a say: where Fate or another seat comes in between, the
//! person has not seen the position that the next link would be chosen in, and what is left of the chain falls away.

use kernel::{Actor, MatchError, Mover, Seat, Story, Table, Viewer};

/// What parts the links.
pub const LINK: &str = " > ";

/// No way is longer; what comes after is not made.
const MOST_LINKS: usize = 64;

/// The names of the links, in order; of a plain choice its own.
pub fn links(chain: &str) -> impl Iterator<Item = &str> {
    chain.split(LINK).take(MOST_LINKS)
}

/// Plays a chain as far as it goes, and adds what it led to. An error is that of the first link: then nothing was played.
pub fn play(table: &mut dyn Table, seat: Seat, chain: &str, story: &mut Story) -> Result<(), MatchError> {
    for (at, link) in links(chain).enumerate() {
        if at > 0 && !goes_on(table, seat, link, story) {
            return Ok(());
        }
        table.play(seat, link, Some(story))?;
    }
    Ok(())
}

/// Whether a further link can be made now. A decision of the same seat that has a single answer may lie before it: nobody
/// would have been asked.
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
