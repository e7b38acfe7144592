//! News: what servers that share a database tell each other, so that a page learns at once what happened on another server.
//!
//! News is a hint and nothing else. It may be lost, come twice, late or in another order: whoever gets it reads what is missing from the
//! database, and whoever gets none asks for the revisions of what is looked at every two seconds.

use std::sync::Arc;

/// What has changed about a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Its journal, up to the entry with this number.
    Journal(u32),
    /// Something beside its journal: its links, who plays, the pace of its bots, its name, orders, talk.
    Beside,
}

/// That a match has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hint {
    /// The match.
    pub match_id: String,
    /// What has changed.
    pub about: Topic,
}

/// What is done with hints of other servers. It is called on a thread or task of the one who brings them: it must return at once.
pub type Hear = Arc<dyn Fn(Vec<Hint>) + Send + Sync>;

/// A way by which servers tell each other what has changed.
///
/// It is told of an entry when that is durable, and never has a part in the transaction.
pub trait News: Send + Sync {
    /// Tells all other servers. It does not wait and can't fail: what can't be told is dropped.
    fn tell(&self, hint: Hint);

    /// Has `hear` called with what other servers tell, from now on and for as long as this is kept. What this server tells itself
    /// is left out. Only the last that was given is called.
    fn listen(&self, hear: Hear);
}
