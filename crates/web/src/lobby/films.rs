//! What happened, drawn step by step for whoever wants to see it.
//!
//! A film is up to two hundred boards, and whoever has a link may ask for one: so few are drawn at a time, few wait, and one that
//! nobody waits for any more is stopped. A page without its film shows the words and the last position.

use std::sync::Arc;

use kernel::Viewer;

use super::thread::{StopOnDrop, in_background};
use super::{LiveMatch, Lobby, LobbyError};
use crate::film::{Cut, Reel};

impl Lobby {
    /// The frames of a film as JSON.
    pub async fn film(&self, found: &LiveMatch, viewer: Viewer, cut: Cut) -> Result<String, LobbyError> {
        let _waiting = self.waiting_films.try_acquire().map_err(|_| {
            LobbyError::NotReady("Many people are watching: try again in a few seconds.".to_owned())
        })?;
        let place = Arc::clone(&self.films).acquire_owned().await.map_err(|_| LobbyError::Closing)?;
        let reel = Reel::of(&*found.lock().await, viewer);
        let stop = StopOnDrop::default();
        let stopped = Arc::clone(&stop.0);
        let draw = move || {
            // The place belongs to the thread: it is free when the thread has ended.
            let _place = place;
            reel.film(&cut, &stopped)
        };
        in_background("film", draw).await.map_err(|_| LobbyError::Fault("What happened could not be shown"))
    }
}
