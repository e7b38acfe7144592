//! A store for channels and notices that passes everything on to another, so that tests can step in between.

use crate::{
    AccountId, Addressed, ChannelId, ChannelRecord, Letter, LetterId, NewChannel, NoticeKey, Post,
    PostCounts, QueuedNotice, Settled, StoreError, Wishes,
};

/// What happens around each call.
pub trait PostBetween: Send + Sync {
    /// Does `call`, which has this name, with the store behind.
    fn with<T>(
        &self,
        name: &'static str,
        call: impl FnOnce(&dyn Post) -> Result<T, StoreError>,
    ) -> Result<T, StoreError>;
}

/// The store with something in between.
pub struct PostVia<B>(pub B);

macro_rules! pass_on {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $out:ty;)*) => {
        impl<B: PostBetween> Post for PostVia<B> {
            $(fn $name(&self, $($arg: $kind),*) -> Result<$out, StoreError> {
                self.0.with(stringify!($name), |post| post.$name($($arg),*))
            })*
        }
    };
}

pass_on! {
    add_channel(channel: &NewChannel) -> Option<ChannelId>;
    channel(id: ChannelId) -> Option<ChannelRecord>;
    channels(account: AccountId) -> Vec<ChannelRecord>;
    set_wishes(account: AccountId, id: ChannelId, wishes: &Wishes) -> bool;
    mend_channel(account: AccountId, id: ChannelId) -> bool;
    remove_channel(account: AccountId, id: ChannelId) -> bool;
    forget(account: AccountId) -> ();
    queue(notices: &[(NoticeKey, u64)]) -> usize;
    notices(account: AccountId) -> Vec<QueuedNotice>;
    due(now: u64, most: usize) -> Vec<QueuedNotice>;
    address(notices: &[Addressed]) -> usize;
    cancel_stint(match_id: &str, seat: u8, stint: u32) -> usize;
    gather(now: u64) -> usize;
    claim(now: u64, until: u64) -> Option<Letter>;
    lighten(letter: LetterId, moot: &[NoticeKey]) -> usize;
    settle(letter: LetterId, settled: &Settled) -> bool;
    purge_notices(due_before: u64) -> usize;
    post_counts() -> PostCounts;
    keep_secret(name: &str, fresh: &str) -> String;
}
