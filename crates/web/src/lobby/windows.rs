//! Which windows are open at this server, so that the others know who is here.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::Viewer;
use store::{AccountId, Windows};
use tracing::warn;

use super::Lobby;

/// How long windows count that nobody says to be open still, in milliseconds.
const SPAN: u64 = 60_000;

/// A match, a seat of it or none for watching, and the account that keeps the seat.
type Place = (String, Option<u8>, Option<AccountId>);

#[derive(Default)]
struct Open {
    /// How many there are, and how many of these can be seen.
    windows: HashMap<Place, (u32, u32)>,
    /// What the others have not been told.
    changed: HashSet<Place>,
}

/// The windows that are open at this server.
#[derive(Default)]
pub(super) struct OpenWindows(Mutex<Open>);

impl OpenWindows {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, place: &Place, change: impl FnOnce(&mut (u32, u32))) {
        let mut open = self.lock();
        let counts = open.windows.entry(place.clone()).or_default();
        change(counts);
        if *counts == (0, 0) {
            open.windows.remove(place);
        }
        open.changed.insert(place.clone());
    }

    /// What has changed since the others were told.
    fn take_changed(&self) -> Vec<Windows> {
        let mut open = self.lock();
        let changed = std::mem::take(&mut open.changed);
        let of = |place: Place| {
            let (count, shown) = open.windows.get(&place).copied().unwrap_or_default();
            let (match_id, seat, account) = place;
            Windows { match_id, seat, account, open: count, shown }
        };
        changed.into_iter().map(of).collect()
    }

    fn put_back(&self, changed: Vec<Windows>) {
        let places =
            changed.into_iter().map(|Windows { match_id, seat, account, .. }| (match_id, seat, account));
        self.lock().changed.extend(places);
    }
}

/// A window that is open; dropping it says that it is closed.
pub struct OpenWindow {
    lobby: Arc<Lobby>,
    place: Place,
    is_shown: bool,
}

impl OpenWindow {
    /// Notes whether the window can be seen.
    pub fn show(&mut self, is_shown: bool) {
        if self.is_shown == is_shown {
            return;
        }
        self.is_shown = is_shown;
        let Some(sharing) = &self.lobby.sharing else { return };
        sharing.windows.change(&self.place, |(_, shown)| match is_shown {
            true => *shown += 1,
            false => *shown = shown.saturating_sub(1),
        });
    }
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        self.show(false);
        let Some(sharing) = &self.lobby.sharing else { return };
        sharing.windows.change(&self.place, |(open, _)| *open = open.saturating_sub(1));
    }
}

impl Lobby {
    /// Notes that a window is open, until what is returned is dropped. Only the servers of a shared house need to know.
    pub fn window(
        self: &Arc<Self>,
        match_id: &str,
        viewer: Viewer,
        account: Option<AccountId>,
    ) -> Option<OpenWindow> {
        let sharing = self.sharing.as_ref()?;
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat.0),
            Viewer::Spectator => None,
        };
        let place = (match_id.to_owned(), seat, account);
        sharing.windows.change(&place, |(open, _)| *open += 1);
        Some(OpenWindow { lobby: Arc::clone(self), place, is_shown: false })
    }

    /// Tells the others what has changed about the windows here, and now and then that the rest are open still.
    pub(super) async fn note_windows(&self, keeps: bool) {
        let Some(sharing) = &self.sharing else { return };
        let changed = sharing.windows.take_changed();
        if changed.is_empty() && !keeps {
            return;
        }
        let written = changed.clone();
        let note = move |house: &dyn store::SharedHouse, server: &str| {
            if !written.is_empty() {
                house.note_windows(server, &written, SPAN)?;
            }
            if keeps { house.keep_windows(server, SPAN) } else { Ok(()) }
        };
        if let Err(why) = self.with_neighbours(note).await {
            warn!("who is here could not be told to the other servers: {why}");
            sharing.windows.put_back(changed);
        }
    }

    /// Whether an account has a window on a match that can be seen, at another server. It blocks.
    pub fn looks_elsewhere(&self, account: AccountId, match_id: &str) -> bool {
        let Some(sharing) = &self.sharing else { return false };
        sharing.house.looks_elsewhere(&sharing.server, account, match_id).unwrap_or_else(|why| {
            warn!("who looks on at other servers could not be read: {why}");
            false
        })
    }
}
