//! Who is looking at what: a match that is open in a visible window needs no notice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use store::AccountId;

/// An account and a match.
type Place = (AccountId, String);

/// How many visible windows each account has on each match.
#[derive(Debug, Default)]
pub struct Presence(Mutex<HashMap<Place, usize>>);

/// A visible window; dropping it says that it is hidden or closed.
#[derive(Debug)]
pub struct Looking {
    presence: Arc<Presence>,
    place: Place,
}

impl Presence {
    /// Notes a visible window.
    pub fn looks(presence: &Arc<Self>, account: AccountId, match_id: &str) -> Looking {
        let place = (account, match_id.to_owned());
        *presence.windows().entry(place.clone()).or_default() += 1;
        Looking { presence: Arc::clone(presence), place }
    }

    /// Whether an account has a visible window on a match.
    pub fn is_looking(&self, account: AccountId, match_id: &str) -> bool {
        self.windows().contains_key(&(account, match_id.to_owned()))
    }

    fn windows(&self) -> std::sync::MutexGuard<'_, HashMap<Place, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut windows = self.presence.windows();
        if let Some(count) = windows.get_mut(&self.place) {
            *count -= 1;
            if *count == 0 {
                windows.remove(&self.place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_visible_window_counts() {
        let (presence, ann) = (Arc::<Presence>::default(), AccountId(1));
        let (one, other) = (Presence::looks(&presence, ann, "m"), Presence::looks(&presence, ann, "m"));
        assert!(presence.is_looking(ann, "m"));
        assert!(!presence.is_looking(ann, "n") && !presence.is_looking(AccountId(2), "m"));
        drop(one);
        assert!(presence.is_looking(ann, "m"));
        drop(other);
        assert!(!presence.is_looking(ann, "m") && presence.windows().is_empty());
    }
}
