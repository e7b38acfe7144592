//! Which matches this server drives: it alone thinks for their bots and answers for their orders.
//!
//! A drive is held for ten seconds and renewed every three, all of a server at once. A server looks whether it holds one before it
//! thinks. That keeps two from doing the same work; if two do think, one is written. What a server drove that has died another
//! takes over.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tracing::{debug, warn};

use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;

/// How long a drive is held, in milliseconds.
const SPAN: u64 = 10_000;
/// It counts as lost here a little earlier than there.
const MARGIN: Duration = Duration::from_millis(500);
/// For how long nobody takes over by itself what a server could not go on with, in milliseconds.
const AWAY: u64 = 30_000;
/// How many are taken over at once.
const AT_ONCE: usize = 64;
/// In so many rounds nothing was to be done before a drive is given up.
const ROUNDS: u32 = 2;

/// A drive that this server holds.
#[derive(Clone, Copy)]
struct Drive {
    until: Instant,
    /// In how many rounds nothing was to be done.
    idle: u32,
    /// It comes from another server, and its match was not gone on with yet.
    is_new: bool,
}

/// The drives of this server.
#[derive(Default)]
pub(super) struct Drives(Mutex<HashMap<String, Drive>>);

/// Until when a drive is held that was asked for at a time.
fn until(asked: Instant) -> Instant {
    (asked + Duration::from_millis(SPAN)).checked_sub(MARGIN).unwrap_or(asked)
}

impl Drives {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Drive>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a match is driven here.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.lock().get(id).is_some_and(|drive| Instant::now() < drive.until)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    fn hold(&self, id: &str, asked: Instant) {
        self.take(id, asked, false);
    }

    fn take(&self, id: &str, asked: Instant, is_new: bool) {
        self.lock().insert(id.to_owned(), Drive { until: until(asked), idle: 0, is_new });
    }

    /// Notes that a match is gone on with.
    fn begun(&self, id: &str) {
        if let Some(drive) = self.lock().get_mut(id) {
            drive.is_new = false;
        }
    }

    /// Notes that a match is not driven here.
    fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Those whose matches are still to be gone on with, because they could not be, or are not in memory any more.
    fn left(&self, is_in_memory: impl Fn(&str) -> bool) -> Vec<String> {
        let all = self.lock();
        let left = all.iter().filter(|(id, drive)| drive.is_new || !is_in_memory(id));
        left.map(|(id, _)| id.clone()).collect()
    }

    /// Keeps those that were renewed.
    fn keep(&self, renewed: &[String], asked: Instant) {
        let mut all = self.lock();
        // Those that were taken while the others were renewed are not among them.
        all.retain(|id, drive| renewed.contains(id) || drive.until > until(asked));
        for id in renewed {
            let known = Drive { until: until(asked), idle: 0, is_new: true };
            all.entry(id.clone()).or_insert(known).until = until(asked);
        }
    }

    /// Notes whether there is anything to be done, and returns what is given up.
    fn idle(&self, is_busy: impl Fn(&str) -> bool) -> Vec<String> {
        let mut all = self.lock();
        for (id, drive) in all.iter_mut() {
            drive.idle = if drive.is_new || is_busy(id) { 0 } else { drive.idle + 1 };
        }
        let idle: Vec<String> =
            all.iter().filter(|(_, drive)| drive.idle >= ROUNDS).map(|(id, _)| id.clone()).collect();
        all.retain(|_, drive| drive.idle < ROUNDS);
        idle
    }
}

impl Live {
    /// Whether a server has something to do by itself: think for a bot, or answer for an order.
    fn wants_driver(&self) -> bool {
        let plays = self.bot_to_choose().is_some() && self.bots.goes_on();
        plays || self.orders.coming().is_some()
    }
}

impl Lobby {
    /// Whether this server may think for a match. A server alone always may.
    pub(super) async fn may_drive(&self, id: &str) -> bool {
        let Some(sharing) = &self.sharing else { return true };
        if sharing.drives.holds(id) {
            return true;
        }
        let (of, asked) = (id.to_owned(), Instant::now());
        match self.with_neighbours(move |house, server| house.take_drive(server, &of, SPAN)).await {
            Ok(true) => {
                sharing.drives.hold(id, asked);
                true
            }
            Ok(false) => false,
            Err(why) => {
                warn!("match {id}: which server thinks for its bots could not be settled: {why}");
                false
            }
        }
    }

    /// Takes the drive of a match soon: should this server die, another knows that there is something to do.
    pub(super) fn want_drive(self: &Arc<Self>, id: &str) {
        let Some(sharing) = &self.sharing else { return };
        if !sharing.drives.holds(id) {
            let (lobby, id) = (Arc::clone(self), id.to_owned());
            tokio::spawn(async move { lobby.may_drive(&id).await });
        }
    }

    /// Whether a match is driven here.
    pub(super) fn drives(&self, id: &str) -> bool {
        self.sharing.as_ref().is_some_and(|sharing| sharing.drives.holds(id))
    }

    /// Gives up what nothing is to be done for, and renews the rest.
    pub(super) async fn renew_drives(self: &Arc<Self>) -> Result<(), LobbyError> {
        let Some(sharing) = self.sharing.as_ref().filter(|sharing| sharing.is_reached()) else {
            return Ok(());
        };
        // The database may have been away when they were to be gone on with: nobody else does it while this server renews them.
        for id in sharing.drives.left(|id| self.in_memory(id).is_some()) {
            self.take_over_soon(id);
        }
        // A match that is locked is just being changed.
        let is_busy = |id: &str| {
            self.in_memory(id)
                .is_some_and(|found| found.live.try_lock().map_or(true, |live| live.wants_driver()))
        };
        let (idle, asked) = (sharing.drives.idle(is_busy), Instant::now());
        if idle.is_empty() && sharing.drives.count() == 0 {
            return Ok(());
        }
        let given_up = idle.clone();
        let renew = move |house: &dyn store::SharedHouse, server: &str| {
            if !idle.is_empty() {
                house.drop_drives(server, &idle)?;
            }
            house.renew_drives(server, SPAN)
        };
        let renewed = self.with_neighbours(renew).await?;
        sharing.drives.keep(&renewed, asked);
        // What was wanted again meanwhile may be gone with the rest.
        for id in given_up.iter().filter(|id| sharing.drives.holds(id)) {
            sharing.drives.forget(id);
            self.want_drive(id);
        }
        Ok(())
    }

    /// Takes over what servers drove that are silent.
    pub(super) async fn adopt_drives(self: &Arc<Self>) -> Result<(), LobbyError> {
        let Some(sharing) = self.sharing.as_ref().filter(|sharing| sharing.is_reached()) else {
            return Ok(());
        };
        let asked = Instant::now();
        let adopted = self.with_neighbours(|house, server| house.adopt_drives(server, SPAN, AT_ONCE)).await?;
        for id in adopted {
            debug!("match {id}: driven by this server from now on");
            sharing.drives.take(&id, asked, true);
            self.take_over_soon(id);
        }
        Ok(())
    }

    fn take_over_soon(self: &Arc<Self>, id: String) {
        let lobby = Arc::clone(self);
        tokio::spawn(async move {
            let Some(sharing) = &lobby.sharing else { return };
            match lobby.take_over(&id).await {
                Ok(()) => sharing.drives.begun(&id),
                Err(why @ (LobbyError::Store(_) | LobbyError::NotReady(_))) => {
                    debug!("match {id}: it is tried again to go on with it: {why}");
                }
                // It is gone, and there is nothing to go on with.
                Err(LobbyError::NotFound) => sharing.drives.begun(&id),
                Err(why) => {
                    warn!("match {id}: it can't be gone on with here: {why}");
                    lobby.pass_drive_on(id).await;
                }
            }
        });
    }

    /// Leaves a match to others: they may be newer, and know its rules.
    async fn pass_drive_on(&self, id: String) {
        let Some(sharing) = &self.sharing else { return };
        sharing.drives.forget(&id);
        let pass = move |house: &dyn store::SharedHouse, server: &str| house.pass_drive_on(server, &id, AWAY);
        if let Err(why) = self.with_neighbours(pass).await {
            // Its time runs out by itself.
            debug!("a drive could not be passed on: {why}");
        }
    }

    /// Goes on where another server stopped.
    async fn take_over(self: &Arc<Self>, id: &str) -> Result<(), LobbyError> {
        let Some(found) = self.in_memory(id) else {
            // What is read begins to play by itself.
            return self.find(id).await.map(drop);
        };
        self.look_beside(&found).await?;
        self.go_on(&found).await;
        Ok(())
    }

    /// Lets a match that is in memory do what it has to do by itself.
    async fn go_on(self: &Arc<Self>, found: &Arc<LiveMatch>) {
        let mut live = found.lock().await;
        if self.holds(found) {
            self.run_bots(found, &mut live);
            self.expect_answer(&found.id, &live);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_is_to_be_done_for_is_given_up_after_a_while() {
        let drives = Drives::default();
        let now = Instant::now();
        drives.hold("busy", now);
        drives.hold("idle", now);
        assert!(drives.holds("busy") && drives.holds("idle") && !drives.holds("other"));
        assert_eq!(drives.idle(|id| id == "busy"), [""; 0]);
        assert_eq!(drives.idle(|id| id == "busy"), ["idle"]);
        assert!(drives.holds("busy") && !drives.holds("idle"));
    }

    #[test]
    fn what_was_not_renewed_is_lost() {
        let drives = Drives::default();
        let Some(long_ago) = Instant::now().checked_sub(Duration::from_secs(30)) else { return };
        let now = Instant::now();
        drives.hold("lost", long_ago);
        drives.hold("renewed", long_ago);
        assert!(!drives.holds("renewed"), "its time was over");
        drives.hold("new", now + Duration::from_millis(1));
        drives.keep(&["renewed".to_owned()], now);
        assert!(drives.holds("renewed") && drives.holds("new") && !drives.holds("lost"));
        assert_eq!(drives.count(), 2);
    }
}
