//! The list of batches in the settings of a store.

use serde::{Deserialize, Serialize};
use store::{AccountId, Store, StoreError};

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
}

impl Entry {
    /// A batch that somebody has just asked for.
    pub(super) fn new(id: &str, by: Option<AccountId>, at: u64) -> Self {
        let by = by.map(|by| by.to_string());
        Self { id: id.to_owned(), by, at, wish: Wish::Wanted, why: String::new() }
    }
}

/// Reads the list. What a newer program wrote and this one can't read is no list.
pub(super) fn read(store: &dyn Store) -> Result<Vec<Entry>, StoreError> {
    let text = store.setting(KEY)?.unwrap_or_default();
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

pub(super) fn write(store: &dyn Store, list: &[Entry]) -> Result<(), StoreError> {
    let text = serde_json::to_string(list).map_err(|why| StoreError::Other(why.to_string()))?;
    store.set_setting(KEY, &text)
}
