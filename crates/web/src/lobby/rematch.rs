//! Another match with the same set-up and the same players, when one is over.

use std::sync::Arc;

use kernel::{MatchDice, Secret, Viewer};
use store::{MatchRecord, Player};

use super::creation::{Draft, share_dice};
use super::kept::path_token;
use super::{LiveMatch, Lobby, LobbyError, Requester};
use crate::live::Live;
use crate::secrets;

impl Live {
    /// Whether somebody may start the match again: its only player, or its creator.
    pub fn may_start_again(&self, by: Requester) -> bool {
        let plays_alone = self.is_solo() && matches!(by.viewer, Viewer::Seat(_));
        self.is_over() && (plays_alone || self.is_maker(by))
    }

    /// Whether the sides can be changed: there are several seats, or another edition for the other side.
    pub fn has_other_side(&self) -> bool {
        self.seats.len() > 1 || self.title.other_side(&self.table.options()).is_some()
    }
}

impl Lobby {
    /// Starts a match with the set-up and the players of a finished one, with other dice. Where the sides change, every
    /// player moves on to the next seat; in a game for one the set-up is that of the other side. As long as that match runs,
    /// whoever asks again is led to it: so players meet, and nobody fills the lobby. Returns the id, and the token of whoever
    /// asked.
    pub async fn rematch(
        self: &Arc<Self>,
        found: &LiveMatch,
        by: Requester,
        changes_sides: bool,
    ) -> Result<(String, String), LobbyError> {
        let mut live = self.lock_current(found).await?;
        live.spend()?;
        if !live.may_start_again(by) {
            let why = "Only the player or the creator of a finished match can start it again.";
            return Err(LobbyError::Bad(why.to_owned()));
        }
        let title = Arc::clone(&live.title);
        let own_dice = *live.table.dice() == MatchDice::Own;
        let mut options = live.table.options();
        let mut players: Vec<Player> = live.seats.iter().map(|record| record.player.taken_back()).collect();
        let mut seat = match by.viewer {
            Viewer::Seat(seat) => Some(seat.index()),
            Viewer::Spectator => None,
        };
        if changes_sides && players.len() > 1 {
            players.rotate_right(1);
            seat = seat.map(|seat| (seat + 1) % players.len());
        } else if changes_sides {
            let none = || LobbyError::Bad("There is no other side to play in this match.".to_owned());
            options = title.other_side(&options).ok_or_else(none)?;
        }
        if let Some(id) = live.rematches[usize::from(changes_sides)].clone() {
            let known = self.with_store(move |store| store.find(&id)).await?;
            if let Some(known) =
                known.filter(|known| known.deleted_at.is_none() && known.summary.result.is_none())
            {
                return Ok((known.id.clone(), token_of(&known, seat)));
            }
        }
        let name = live.name.clone();
        let rules = live.proceedings.rules.clone();
        let dice = if own_dice { MatchDice::Own } else { MatchDice::fair(Secret(secrets::random_bytes()?)) };
        let mut table = title.open(&options, dice).map_err(LobbyError::Bad)?;
        if !own_dice {
            share_dice(&mut *table, &players);
        }
        table.play_forced(None);
        let setup = title.setup_title(&*table);
        // A match that was named after its set-up is named after the new one.
        let name = if changes_sides { setup } else { name };
        let (name, lesson) = (&name, String::new());
        let asker = seat.and_then(|seat| players.get(seat)).and_then(Player::account);
        let draft = Draft { title, table, players, name, origin: None, lesson, rules };
        let made = self.start_match_with(draft, None, asker).await?;
        live.rematches[usize::from(changes_sides)] = Some(made.id.clone());
        Ok((made.id.clone(), token_of(&made, seat)))
    }
}

/// The token of a seat, or the creator's.
fn token_of(record: &MatchRecord, seat: Option<usize>) -> String {
    let own = seat.and_then(|seat| record.seats.get(seat)).map(path_token).filter(|own| !own.is_empty());
    own.unwrap_or_else(|| record.owner_token()).to_owned()
}
