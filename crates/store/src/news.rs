//! News: what servers that share a database tell each other, so that a page learns at once what happened on another server.
//!
//! News is a hint and nothing else. It may be lost, come twice, late or in another order: whoever gets it reads what is missing from the
//! database, and whoever gets none asks for the revisions of what is looked at every two seconds.

use std::collections::BTreeMap;
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

/// The most bytes of a message: PostgreSQL allows 7,999.
const MOST_BYTES: usize = 7_500;
/// The longest id that is told of: none that this program makes is nearly as long.
const LONGEST_ID: usize = 100;
/// Stands for the number of an entry when something beside the journal has changed.
const BESIDE: u32 = 0;

/// Hints that wait to be told: of each match the last entry, and whether something beside its journal has changed. Many of them
/// become one message.
#[derive(Debug, Default)]
pub struct HintsWaiting(BTreeMap<String, (u32, bool)>);

impl HintsWaiting {
    /// Adds one.
    pub fn add(&mut self, hint: Hint) {
        // No other ids are ever made.
        let id = &hint.match_id;
        if id.is_empty() || id.len() > LONGEST_ID || id.contains([' ', '=']) {
            return;
        }
        let known = self.0.entry(hint.match_id).or_default();
        match hint.about {
            Topic::Journal(revision) => known.0 = known.0.max(revision),
            Topic::Beside => known.1 = true,
        }
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next message, with as many matches as it holds; [`read_hints`] reads it.
    pub fn message(&mut self) -> String {
        let mut text = String::new();
        while let Some((id, (revision, is_beside))) = self.0.pop_first() {
            if revision > 0 {
                word(&mut text, &id, revision);
            }
            if is_beside {
                word(&mut text, &id, BESIDE);
            }
            if text.len() > MOST_BYTES - 3 * LONGEST_ID {
                break;
            }
        }
        text
    }
}

fn word(text: &mut String, id: &str, number: u32) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&format!("{id}={number}"));
}

/// What a message says; what can't be read may be a later Maproom's.
pub fn read_hints(message: &str) -> Vec<Hint> {
    let hint = |word: &str| {
        let (id, revision) = word.split_once('=')?;
        let changed = match revision.parse().ok()? {
            BESIDE => Topic::Beside,
            revision => Topic::Journal(revision),
        };
        Some(Hint { match_id: id.to_owned(), about: changed })
    };
    message.split(' ').filter_map(hint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(id: &str, about: Topic) -> Hint {
        Hint { match_id: id.to_owned(), about }
    }

    #[test]
    fn many_hints_become_few_words() {
        let mut waiting = HintsWaiting::default();
        for revision in [3, 5, 4] {
            waiting.add(hint("m", Topic::Journal(revision)));
        }
        waiting.add(hint("n", Topic::Beside));
        waiting.add(hint("m", Topic::Beside));
        waiting.add(hint("not one", Topic::Beside));
        let text = waiting.message();
        assert_eq!(text, "m=5 m=0 n=0");
        assert!(waiting.is_empty());
        let expected = [hint("m", Topic::Journal(5)), hint("m", Topic::Beside), hint("n", Topic::Beside)];
        assert_eq!(read_hints(&text), expected);
        assert_eq!(read_hints("of a later=version m=2"), [hint("m", Topic::Journal(2))]);
    }

    #[test]
    fn no_message_is_too_long() {
        let mut waiting = HintsWaiting::default();
        let long = "x".repeat(LONGEST_ID - 4);
        for number in 0..2_000 {
            waiting.add(hint(&format!("{long}{number}"), Topic::Journal(u32::MAX)));
            waiting.add(hint(&format!("{long}{number}"), Topic::Beside));
        }
        waiting.add(hint(&"y".repeat(LONGEST_ID + 1), Topic::Beside));
        let mut told = 0;
        while !waiting.is_empty() {
            let text = waiting.message();
            assert!(text.len() <= MOST_BYTES, "{}", text.len());
            told += read_hints(&text).len();
        }
        assert_eq!(told, 4_000);
    }
}
