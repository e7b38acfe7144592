//! How fast the bots of a match play; players and the lobby's owner can change it. Pages show what happens at the same pace.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::MutexGuard;

use super::{Bots, LiveMatch, Lobby, LobbyError};
use crate::live::Live;

/// The default wait between choices.
pub(super) const NORMAL: Duration = Duration::from_millis(700);
const SLOW: Duration = Duration::from_secs(2);
const FAST: Duration = Duration::from_millis(150);

/// How long a bot waits after the last change before it chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// Bots wait until somebody asks for a single step.
    Paused,
    /// Slow enough to read everything.
    Slow,
    /// Slow enough to follow.
    #[default]
    Normal,
    /// Just slow enough to see each move.
    Fast,
    /// Without any wait.
    AtOnce,
}

impl Pace {
    /// All of them, slowest first.
    pub const ALL: [Self; 5] = [Self::Paused, Self::Slow, Self::Normal, Self::Fast, Self::AtOnce];

    /// Its name in URLs and in the store.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Paused => "pause",
            Self::Slow => "slow",
            Self::Normal => "normal",
            Self::Fast => "fast",
            Self::AtOnce => "once",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.word() == word)
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Paused => "Pause",
            Self::Slow => "Slow",
            Self::Normal => "Normal",
            Self::Fast => "Fast",
            Self::AtOnce => "At once",
        }
    }

    /// What it means, for people.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Paused => "Everything waits (Space)",
            Self::Slow => "One event every 2 seconds",
            Self::Normal => "One event every 0.7 seconds",
            Self::Fast => "One event every 0.15 seconds",
            Self::AtOnce => "No waiting",
        }
    }

    /// How long a bot waits; `normal` is this server's normal wait. `None` means until somebody asks for a step.
    fn wait(self, normal: Duration) -> Option<Duration> {
        match self {
            Self::Paused => None,
            Self::Slow => Some(SLOW),
            Self::Normal => Some(normal),
            Self::Fast => Some(FAST),
            Self::AtOnce => Some(Duration::ZERO),
        }
    }
}

impl Bots {
    /// How fast they play.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The pace that a pause returns to.
    pub fn resumed_pace(&self) -> Pace {
        self.before_pause
    }

    /// How long they wait after a change; `None` while paused.
    pub(super) fn wait(&self, normal: Duration) -> Option<Duration> {
        if self.one_more { Some(Duration::ZERO) } else { self.pace.wait(normal) }
    }

    /// Whether they play by themselves, as soon as it is their turn.
    pub(super) fn goes_on(&self) -> bool {
        self.one_more || self.pace != Pace::Paused
    }

    pub(super) fn set_pace(&mut self, pace: Pace) {
        if self.pace != Pace::Paused {
            self.before_pause = self.pace;
        }
        self.pace = pace;
        self.one_more = false;
        self.woken.notify_one();
    }
}

impl Lobby {
    /// Locks a match for a change, unless this copy is no longer the live one or the rate limit is reached.
    pub(super) async fn lock_current<'a>(
        &self,
        found: &'a LiveMatch,
    ) -> Result<MutexGuard<'a, Live>, LobbyError> {
        let mut live = found.lock().await;
        if !self.holds(found) {
            return Err(LobbyError::Stale { revision: live.revision });
        }
        live.spend()?;
        Ok(live)
    }

    /// Sets how fast the bots of a match play, stores it, and sends it to all subscribers.
    pub async fn set_pace(self: &Arc<Self>, found: &Arc<LiveMatch>, pace: Pace) -> Result<(), LobbyError> {
        let mut live = self.lock_current(found).await?;
        if !live.has_bots() {
            return Err(LobbyError::Bad("No bot plays in this match.".to_owned()));
        }
        if live.bots.pace == pace {
            return Ok(());
        }
        // Under the lock, so that the later of two changes is also the one that is stored.
        let id = found.id.clone();
        self.with_store(move |store| store.set_pace(&id, pace.word())).await?;
        live.bots.set_pace(pace);
        live.publish_page();
        self.tell_beside(&found.id);
        self.run_bots(found, &mut live);
        Ok(())
    }

    /// Lets a bot of a paused match make one choice.
    pub async fn let_step(self: &Arc<Self>, found: &Arc<LiveMatch>) -> Result<(), LobbyError> {
        let mut live = self.lock_current(found).await?;
        if live.bots.pace != Pace::Paused || live.bot_to_choose().is_none() {
            return Err(LobbyError::Bad("No bot is waiting for a step.".to_owned()));
        }
        live.bots.one_more = true;
        self.run_bots(found, &mut live);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for pace in Pace::ALL {
            assert_eq!(Pace::read(pace.word()), Some(pace));
        }
        assert_eq!(Pace::read(""), None);
        assert_eq!(Bots::at_pace("of a later version").pace(), Pace::Normal);
    }

    #[test]
    fn after_a_pause_the_pace_is_that_of_before() {
        let mut bots = Bots::at_pace("pause");
        assert_eq!(bots.resumed_pace(), Pace::Normal);
        for pace in [Pace::Fast, Pace::Paused, Pace::Paused] {
            bots.set_pace(pace);
        }
        assert_eq!((bots.pace(), bots.resumed_pace()), (Pace::Paused, Pace::Fast));
        assert_eq!(bots.wait(NORMAL), None);
        bots.one_more = true;
        assert_eq!(bots.wait(NORMAL), Some(Duration::ZERO));
    }
}
