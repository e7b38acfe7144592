//! Matches that the current rules can't replay to their end. Each is kept unchanged, and can be continued as a new match from
//! the last step that is the same under both rules.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{LoadError, Parting, rules_of_save};
use store::{MatchRecord, Origin};

use super::creation::Draft;
use super::{Lobby, LobbyError};
use crate::live::as_save;

/// The stored matches that are known to differ from the current rules, by id.
#[derive(Default)]
pub(super) struct PartedMatches(Mutex<HashMap<String, Parting>>);

impl PartedMatches {
    /// Notes where a match differs from the current rules, or that it can be read.
    pub(super) fn note(&self, id: &str, parting: Option<&Parting>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match parting {
            Some(parting) => drop(known.insert(id.to_owned(), parting.clone())),
            None => drop(known.remove(id)),
        }
    }
}

impl Lobby {
    /// The matches that are known to differ from the current rules, by id.
    pub fn parted(&self) -> HashMap<String, Parting> {
        self.parted.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks for stored matches that were started under other rules and differ from the current ones, so that the lobby can
    /// say so before somebody opens them.
    pub async fn look_for_partings(self: &Arc<Self>) -> Result<(), LobbyError> {
        for listed in self.with_store(|store| store.list(false)).await? {
            let record = match self.stored_record(&listed.id).await {
                Ok(record) => record,
                Err(LobbyError::NotFound) => continue,
                Err(error) => return Err(error),
            };
            // A game that this version does not have says nothing about the others.
            let Ok(title) = self.title(&record.game).map(Arc::clone) else { continue };
            if rules_of_save(&record.header).is_none_or(|rules| rules == title.rules_version()) {
                continue;
            }
            // Only now: the journals of a large house are more than should be read at every start.
            let (record, journal) = match self.stored(&listed.id).await {
                Ok(stored) => stored,
                Err(LobbyError::NotFound) => continue,
                Err(error) => return Err(error),
            };
            let read = tokio::task::spawn_blocking(move || {
                let text = as_save(&record, &journal, &[]).text;
                title.load(&record.name, &text).map(|_| ())
            });
            if let Ok(Err(LoadError::Parted(parting))) = read.await {
                self.parted.note(&listed.id, Some(&parting));
            }
        }
        Ok(())
    }

    /// Creates a new match with the steps that are the same under the current rules, and the same players. The old match,
    /// which must be one that parts, is not changed. Returns the new match's id and its creator's token.
    pub async fn continue_common(self: &Arc<Self>, id: &str) -> Result<(String, String), LobbyError> {
        let (record, journal) = self.stored(id).await?;
        // Each copy has the same dice: whoever had two could try in one what will happen to the others in the other.
        if record.seats.iter().filter(|seat| seat.player.is_a_persons()).count() > 1 {
            let is_copy =
                |other: &MatchRecord| other.origin.as_ref().is_some_and(|origin| origin.match_id == id);
            let copies = self.with_store(|store| Ok((store.list(false)?, store.list(true)?))).await?;
            if copies.0.iter().chain(&copies.1).any(is_copy) {
                return Err(LobbyError::Bad(
                    "This match has already been continued as a new one.".to_owned(),
                ));
            }
        }
        let title = Arc::clone(self.title(&record.game)?);
        let text = as_save(&record, &journal, &[]).text;
        // A copy of a match that can go on would show how its dice will fall.
        if title.load(&record.name, &text).is_ok() {
            return Err(LobbyError::Bad("This match can go on as it is.".to_owned()));
        }
        let mut opened = title
            .load_common(&record.name, &text)
            .map_err(|error| LobbyError::Unreadable(format!("{}: {error}", record.name)))?;
        let steps = opened.table.steps();
        opened.table.play_forced(None);
        let name = name_from(&record, steps);
        let draft = Draft {
            title,
            table: opened.table,
            players: record.seats.iter().map(|seat| seat.player.clone()).collect(),
            name: &name,
            origin: Some(Origin { match_id: id.to_owned(), step: steps as u32 }),
            lesson: record.lesson.clone(),
            rules: None,
        };
        let made = self.start_match(draft).await?;
        Ok((made.id.clone(), made.owner_token().to_owned()))
    }
}

/// The name of a match that continues another from a step.
fn name_from(record: &MatchRecord, step: usize) -> String {
    let short: String = record.name.chars().take(60).collect();
    format!("{short}, from step {step}")
}
