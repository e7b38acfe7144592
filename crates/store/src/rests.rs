//! The `Rests` trait: the days on which the holders of accounts rest.
//!
//! What a rest means for a match is an entry of that match ([`TableEvent::Rest`](crate::TableEvent::Rest)). Here is what an account
//! has announced, so that its days can be counted and a match that begins later knows of it.

use crate::{AccountId, StoreError};

/// A rest of an account: whole days in its zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rest {
    /// The first day, such as `2026-11-20`: opaque here.
    pub first: String,
    /// The last day.
    pub last: String,
    /// From when on, milliseconds since 1970: the first moment of the first day, or when it was announced on that day.
    pub from: u64,
    /// Until when.
    pub until: u64,
}

/// A store for rests. It exists where accounts do.
pub trait Rests: Send + Sync {
    /// The rests of an account, in the order in which they begin.
    fn rests(&self, account: AccountId) -> Result<Vec<Rest>, StoreError>;

    /// Replaces the rests of an account, if they still are as in `before`. Of two changes at once the second learns by `false` that
    /// it has to look again.
    fn put_rests(&self, account: AccountId, before: &[Rest], after: &[Rest]) -> Result<bool, StoreError>;

    /// The accounts with a rest that ends after a time.
    fn resting(&self, at: u64) -> Result<Vec<AccountId>, StoreError>;
}
