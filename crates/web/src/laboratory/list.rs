//! The list of batches in the settings of a store, which several servers may write.

use serde::{Deserialize, Serialize};
use store::{AccountId, Store, StoreError};

use super::crew::Marks;

/// The setting. A house that never had a batch has none.
const KEY: &str = "laboratory";

/// Whether a batch is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// When its turn comes.
    Wanted,
    /// Not now.
    Stopped,
    /// It can't.
    Failed,
}

/// Which of several servers plays a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The server.
    pub by: String,
    /// It changes as long as that server is alive. No clock is compared with another one's.
    pub beat: u64,
}

/// A batch on the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The id of its job in the ledger.
    pub id: String,
    /// The account that asked for it, where there are accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When it was asked for.
    pub at: u64,
    /// Whether it is to be played.
    pub wish: Wish,
    /// Why it does not go on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Who plays it, where several servers could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// What is to be remembered of its workers.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
}

impl Entry {
    /// A batch that somebody has just asked for.
    pub(super) fn new(id: &str, by: Option<AccountId>, at: u64) -> Self {
        let by = by.map(|by| by.to_string());
        let (id, wish, why) = (id.to_owned(), Wish::Wanted, String::new());
        Self { id, by, at, wish, why, held: None, marks: Marks::default() }
    }
}

/// The list as it was read or written last.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// As it is in the store, which is what a change must find there.
    text: Option<String>,
    /// The batches, the newest first.
    pub entries: Vec<Entry>,
}

impl List {
    /// Reads the list. What a newer program wrote and this one can't read is no list.
    pub fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let text = store.setting(KEY)?;
        let entries = serde_json::from_str(text.as_deref().unwrap_or_default()).unwrap_or_default();
        Ok(Self { text, entries })
    }

    /// The list with other entries, if the store had still this one; `None` if another server was quicker.
    pub fn replace(&self, store: &dyn Store, entries: Vec<Entry>) -> Result<Option<Self>, StoreError> {
        let text = serde_json::to_string(&entries).map_err(|why| StoreError::Other(why.to_string()))?;
        let written = store.swap_setting(KEY, self.text.as_deref(), &text)?;
        Ok(written.then_some(Self { text: Some(text), entries }))
    }
}
