//! What servers share beside matches, in memory: for tests of several lobbies in one process.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::memory::MemoryStore;
use crate::sharing::NOBODY;
use crate::{AccountId, Outage, SharedHouse, Store, StoreError, Windows};

/// A server and what a window is about.
type Place = (String, String, Option<u8>, Option<AccountId>);

#[derive(Default)]
pub(crate) struct Sharing {
    /// By match: who drives it, and until when.
    drives: BTreeMap<String, (String, u64)>,
    /// How many windows there are and how many can be seen, until when.
    windows: BTreeMap<Place, (u32, u32, u64)>,
    alive: Option<u64>,
}

impl Sharing {
    /// Nobody drives a match that is gone.
    pub(crate) fn keep_matches(&mut self, is_there: impl Fn(&str) -> bool) {
        self.drives.retain(|id, _| is_there(id));
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl SharedHouse for MemoryStore {
    fn prepare_sharing(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(now())
    }

    fn note_life(&self, asleep: u64) -> Result<Option<Outage>, StoreError> {
        let now = now();
        let last = self.inner().sharing.alive.replace(now);
        let outage =
            last.filter(|last| now > last.saturating_add(asleep)).map(|began| Outage { began, ended: now });
        if let Some(outage) = outage {
            self.add_outage(outage)?;
        }
        Ok(outage)
    }

    fn rest_life(&self) -> Result<(), StoreError> {
        self.inner().sharing.alive = None;
        Ok(())
    }

    fn take_drive(&self, server: &str, match_id: &str, span: u64) -> Result<bool, StoreError> {
        let (mut inner, now) = (self.inner(), now());
        if inner.record_mut(match_id).is_none() {
            return Ok(false);
        }
        let drives = &mut inner.sharing.drives;
        let is_free =
            drives.get(match_id).is_none_or(|(by, until)| by == server || by == NOBODY || *until < now);
        if is_free {
            drives.insert(match_id.to_owned(), (server.to_owned(), now.saturating_add(span)));
        }
        Ok(is_free)
    }

    fn renew_drives(&self, server: &str, span: u64) -> Result<Vec<String>, StoreError> {
        let until = now().saturating_add(span);
        let mut inner = self.inner();
        let own = inner.sharing.drives.iter_mut().filter(|(_, (by, _))| by == server);
        Ok(own
            .map(|(id, drive)| {
                drive.1 = until;
                id.clone()
            })
            .collect())
    }

    fn drop_drives(&self, server: &str, matches: &[String]) -> Result<(), StoreError> {
        self.inner().sharing.drives.retain(|id, (by, _)| by != server || !matches.contains(id));
        Ok(())
    }

    fn pass_drive_on(&self, server: &str, match_id: &str, span: u64) -> Result<(), StoreError> {
        let until = now().saturating_add(span);
        let mut inner = self.inner();
        if let Some(drive) = inner.sharing.drives.get_mut(match_id).filter(|(by, _)| by == server) {
            *drive = (NOBODY.to_owned(), until);
        }
        Ok(())
    }

    fn leave_drives(&self, server: &str) -> Result<(), StoreError> {
        let mut inner = self.inner();
        inner.sharing.drives.values_mut().filter(|(by, _)| by == server).for_each(|(_, until)| *until = 0);
        Ok(())
    }

    fn adopt_drives(&self, server: &str, span: u64, most: usize) -> Result<Vec<String>, StoreError> {
        let (mut inner, now) = (self.inner(), now());
        let silent = inner.sharing.drives.iter_mut().filter(|(_, (_, until))| *until < now).take(most);
        Ok(silent
            .map(|(id, drive)| {
                *drive = (server.to_owned(), now.saturating_add(span));
                id.clone()
            })
            .collect())
    }

    fn note_windows(&self, server: &str, changed: &[Windows], span: u64) -> Result<(), StoreError> {
        let until = now().saturating_add(span);
        let windows = &mut self.inner().sharing.windows;
        for Windows { match_id, seat, account, open, shown } in changed {
            let place = (match_id.clone(), server.to_owned(), *seat, *account);
            match open {
                0 => drop(windows.remove(&place)),
                _ => drop(windows.insert(place, (*open, *shown, until))),
            }
        }
        Ok(())
    }

    fn keep_windows(&self, server: &str, span: u64) -> Result<(), StoreError> {
        let now = now();
        let windows = &mut self.inner().sharing.windows;
        for ((_, by, ..), (.., until)) in windows.iter_mut() {
            if by == server {
                *until = now.saturating_add(span);
            }
        }
        windows.retain(|_, (.., until)| *until >= now);
        Ok(())
    }

    fn other_windows(&self, server: &str, matches: &[String]) -> Result<Vec<Windows>, StoreError> {
        let (inner, now) = (self.inner(), now());
        let others = inner.sharing.windows.iter().filter(|((match_id, by, ..), (.., until))| {
            by != server && *until >= now && matches.contains(match_id)
        });
        let mut found: Vec<Windows> = others
            .map(|((match_id, _, seat, account), (open, shown, _))| Windows {
                match_id: match_id.clone(),
                seat: *seat,
                account: *account,
                open: *open,
                shown: *shown,
            })
            .collect();
        found.sort_unstable();
        Ok(found)
    }

    fn looks_elsewhere(&self, server: &str, account: AccountId, match_id: &str) -> Result<bool, StoreError> {
        let found = self.other_windows(server, &[match_id.to_owned()])?;
        Ok(found.iter().any(|windows| windows.account == Some(account) && windows.shown > 0))
    }
}
