//! Which of several servers plays a batch: the one whose name is beside it in the list, as long as it changes the number there.
//!
//! That keeps servers from doing the same work at the same time; nothing depends on it. If two play the same batch after all, the
//! ledger gives each its own chunks and counts none twice.

use std::time::{Duration, Instant};

use super::{Entry, Held, Laboratory, Wish, locked};
use crate::lobby::LobbyError;

/// How often a server says that it is still at its batch, and looks whether it shall be.
pub(super) const BEAT: Duration = Duration::from_secs(4);
/// A server that has not said so for so long is gone.
const GONE: Duration = Duration::from_secs(20);

/// A name that no other server has.
pub(super) fn fresh_name() -> String {
    let mut bytes = [0; 8];
    // Without random numbers the process must do; on one machine that is enough.
    let _ = getrandom::fill(&mut bytes);
    format!("{}-{:016x}", std::process::id(), u64::from_le_bytes(bytes))
}

impl Laboratory {
    /// Whether another server is at a batch. How long it has been silent is measured by this server's own clock.
    pub(super) fn is_another_at(&self, entry: &Entry) -> bool {
        let Some(held) = entry.held.as_ref().filter(|held| self.is_shared && held.by != self.name) else {
            return false;
        };
        let mut others = locked(&self.others);
        match others.get(&entry.id) {
            Some((known, since)) if known == held => since.elapsed() < GONE,
            _ => {
                others.insert(entry.id.clone(), (held.clone(), Instant::now()));
                true
            }
        }
    }

    /// Takes a batch for this server, if nobody else is at it.
    pub(super) fn take_hold(&self, id: &str) -> Result<bool, LobbyError> {
        if !self.is_shared {
            return Ok(true);
        }
        self.change(|list| {
            let Some(entry) = list.iter_mut().find(|entry| entry.id == id && entry.wish == Wish::Wanted)
            else {
                return Ok(false);
            };
            if self.is_another_at(entry) {
                return Ok(false);
            }
            let beat = entry.held.as_ref().map_or(0, |held| held.beat.wrapping_add(1));
            entry.held = Some(Held { by: self.name.clone(), beat });
            Ok(true)
        })
    }

    /// Says that this server is still at a batch. `false` if it is not to be any more: another server was told to stop or to delete it,
    /// or has taken it because this one was not heard of.
    pub(super) fn keep_hold(&self, id: &str) -> Result<bool, LobbyError> {
        self.change(|list| {
            let Some(entry) = list.iter_mut().find(|entry| entry.id == id && entry.wish == Wish::Wanted)
            else {
                return Ok(false);
            };
            // A Maproom of before this release writes the list without names.
            let held = entry.held.get_or_insert_with(|| Held { by: self.name.clone(), beat: 0 });
            let is_own = held.by == self.name;
            if is_own {
                held.beat = held.beat.wrapping_add(1);
            }
            Ok(is_own)
        })
    }

    /// Leaves a batch to others.
    pub(super) fn let_go(&self, id: &str) -> Result<(), LobbyError> {
        if !self.is_shared {
            return Ok(());
        }
        self.change(|list| {
            let entry = list.iter_mut().find(|entry| entry.id == id);
            if let Some(entry) =
                entry.filter(|entry| entry.held.as_ref().is_some_and(|held| held.by == self.name))
            {
                entry.held = None;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use store::{MemoryStore, Store};

    use super::*;

    fn server(store: &Arc<MemoryStore>) -> Laboratory {
        let store: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
        Laboratory::new(store, || Err("nothing is played".to_owned()), true)
    }

    fn add(server: &Laboratory, id: &str) {
        server
            .change(|list| {
                list.insert(0, Entry::new(id, None, 1));
                Ok(())
            })
            .expect("written");
    }

    fn ids(server: &Laboratory) -> Vec<String> {
        server.entries().expect("a list").into_iter().map(|entry| entry.id).collect()
    }

    #[test]
    fn what_two_servers_write_is_all_there() {
        let store = Arc::default();
        let [one, two] = [server(&store), server(&store)];
        for at in 0..3 {
            add(&one, &format!("one {at}"));
            add(&two, &format!("two {at}"));
        }
        let all = ["two 2", "one 2", "two 1", "one 1", "two 0", "one 0"];
        assert_eq!(
            (ids(&one), ids(&two)),
            (all.map(str::to_owned).to_vec(), all.map(str::to_owned).to_vec())
        );
        std::thread::scope(|scope| {
            for own in [&one, &two] {
                scope.spawn(|| (0..10).for_each(|at| add(own, &format!("{} {at}", own.name))));
            }
        });
        assert_eq!(ids(&one).len(), 26, "none was overwritten");
    }

    #[test]
    fn a_batch_is_one_servers_until_that_is_silent() {
        let store = Arc::default();
        let [one, two] = [server(&store), server(&store)];
        add(&one, "a");
        assert!(one.take_hold("a").expect("asked") && !two.take_hold("a").expect("asked"));
        let entry = || two.entries().expect("a list").remove(0);
        assert!(two.is_another_at(&entry()) && !one.is_another_at(&entry()));
        // As long as the number changes, however old the first is.
        let long_ago = || Instant::now().checked_sub(GONE).expect("the machine is older");
        let age = |server: &Laboratory| {
            locked(&server.others).values_mut().for_each(|(_, since)| *since = long_ago());
        };
        age(&two);
        assert!(one.keep_hold("a").expect("asked"));
        assert!(!two.take_hold("a").expect("asked"), "it was heard of");
        age(&two);
        assert!(two.take_hold("a").expect("asked"), "it was not heard of");
        assert!(!one.keep_hold("a").expect("asked"), "it has lost it");
        one.let_go("a").expect("asked");
        assert!(two.keep_hold("a").expect("asked"), "what is another's is not let go");
        two.let_go("a").expect("asked");
        assert!(one.take_hold("a").expect("asked"));
    }

    #[test]
    fn who_stops_a_batch_stops_it_at_the_other_server() {
        let store = Arc::default();
        let [one, two] = [server(&store), server(&store)];
        add(&one, "a");
        assert!(one.take_hold("a").expect("asked"));
        two.stop("a").expect("stopped");
        assert!(!one.keep_hold("a").expect("asked") && !one.take_hold("a").expect("asked"));
    }

    #[test]
    fn a_house_of_one_server_writes_no_names() {
        let store = Arc::<MemoryStore>::default();
        let mut alone = server(&store);
        alone.is_shared = false;
        add(&alone, "a");
        assert!(alone.take_hold("a").expect("asked"));
        assert_eq!(alone.entries().expect("a list")[0].held, None);
    }
}
