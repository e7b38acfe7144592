//! New matches from an earlier position of another.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kernel::{Seat, Secret, Shares, Table, Viewer};
use store::{Origin, Player, SeatRecord};

use super::creation::Draft;
use super::kept::path_token;
use super::thread::in_background;
use super::{LiveMatch, Lobby, LobbyError};
use crate::secrets;

/// How many forks a match may have, those of its forks included.
const MOST_FORKS: usize = 100;

impl Lobby {
    /// Creates a match with the same steps up to a point and the same players. Returns its id and the token of `seat`.
    ///
    /// If the match hides something, the fork has dice of its own, and hidden things that only look the same to `seat`: who
    /// plays the fork to its end must not know more about the match than before.
    pub async fn fork(
        self: &Arc<Self>,
        found: &LiveMatch,
        seat: Seat,
        steps: usize,
    ) -> Result<(String, String), LobbyError> {
        let _one_at_a_time = self.forking.lock().await;
        let live = self.lock_current(found).await?;
        if !live.is_solo() {
            return Err(LobbyError::Bad(
                "You can only play from an earlier position in a solo match.".to_owned(),
            ));
        }
        let (title, name, hides) = (Arc::clone(&live.title), live.name.clone(), live.hides());
        let players = live.seats.iter().map(|record| players_own(record, seat)).collect();
        let table = live.table.fork(steps);
        let steps_kept = table.steps();
        drop(live);
        self.check_fork_quota(&found.id).await?;
        let mut table = if hides { as_known_to(table, seat).await? } else { table };
        let turn = table.turn_title(table.turn());
        if table.dice().are_awaited() {
            table.share_dice(Shares::default());
        }
        table.play_forced(None);
        let name = format!("{name}: what if, {turn}");
        let draft = Draft {
            title,
            table,
            players,
            name: &name,
            origin: Some(Origin { match_id: found.id.clone(), step: steps_kept as u32 }),
            lesson: String::new(),
            rules: None,
        };
        let made = self.start_match(draft).await?;
        let own = made.seats.iter().find(|record| record.seat == seat.0);
        let token = own.map_or(made.viewer_token.as_str(), path_token);
        Ok((made.id.clone(), token.to_owned()))
    }

    /// Refuses another fork where there are many already: each is a match that the server keeps.
    async fn check_fork_quota(&self, id: &str) -> Result<(), LobbyError> {
        let forks = self.with_store(|store| store.forks()).await?;
        if relatives(&forks, id) < MOST_FORKS {
            return Ok(());
        }
        Err(LobbyError::Bad(format!(
            "{MOST_FORKS} matches have been started from this one and its forks already: delete some of them first."
        )))
    }
}

/// A fork in which everything that a seat does not know is drawn anew.
async fn as_known_to(table: Box<dyn Table>, seat: Seat) -> Result<Box<dyn Table>, LobbyError> {
    let (secret, seed) = (Secret(secrets::random_bytes()?), u64::from_ne_bytes(secrets::random_bytes()?));
    let steps = table.steps();
    let forked = in_background("fork", move || table.fork_for(Viewer::Seat(seat), steps, secret, seed));
    forked.await.map_err(|_| LobbyError::Fault("This position could not be forked"))
}

/// How many forks there are of the match that `id` was made from in the end, directly or not. A match in the bin separates
/// its forks from the rest.
fn relatives(forks: &[(String, String)], id: &str) -> usize {
    let origin: HashMap<&str, &str> = forks.iter().map(|(fork, of)| (fork.as_str(), of.as_str())).collect();
    let root = |id: &str| {
        let (mut at, mut passed) = (id.to_owned(), HashSet::new());
        while let Some(of) = origin.get(at.as_str()).filter(|of| passed.insert(**of)) {
            at = (*of).to_owned();
        }
        at
    };
    let own = root(id);
    forks.iter().filter(|(fork, _)| root(fork) == own).count()
}

/// Who plays a seat in a fork: the person who forks plays their own seat, even if a bot was playing for them.
fn players_own(record: &SeatRecord, forks: Seat) -> Player {
    if record.seat == forks.0 { record.player.taken_back() } else { record.player.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_of_forks_count() {
        let forks: Vec<(String, String)> = [("a", "m"), ("b", "a"), ("c", "b"), ("x", "n"), ("y", "y")]
            .map(|(fork, of)| (fork.to_owned(), of.to_owned()))
            .to_vec();
        for (id, count) in [("m", 3), ("a", 3), ("c", 3), ("n", 1), ("x", 1), ("y", 1), ("other", 0)] {
            assert_eq!(relatives(&forks, id), count, "{id}");
        }
    }
}
