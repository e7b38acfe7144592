//! A lesson as it was read.

use std::ops::Range;

use diagnostics::datafile::Text;
use kernel::Options;
use serde_json::Value;

/// A coached game: the set-up of its match and the pages of the coach.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Its title for the lobby and the match.
    pub title: String,
    /// A sentence for the lobby.
    pub about: String,
    /// About how many minutes it takes.
    pub minutes: u8,
    /// The seed of the match: the same choices always meet the same dice.
    pub seed: u64,
    /// The word of the learner's seat.
    pub seat: String,
    /// The bot in all other seats; `None` in a game for one.
    pub others: Option<String>,
    /// The options of the match.
    pub options: Options,
    /// Choices that may come up at any time and don't count as an answer.
    pub meanwhile: Vec<Meanwhile>,
    /// The pages in order. The last run of pages without a task ends the lesson.
    pub pages: Vec<Page>,
}

/// A page of the coach.
#[derive(Clone, Debug)]
pub struct Page {
    /// What the coach says; paragraphs are separated by empty lines.
    pub say: String,
    /// What to look at: the `id`s of elements at the table.
    pub look: Vec<Text>,
    /// The rule behind it.
    pub rule: Option<Text>,
    /// What must be true in the position in which the page is shown.
    pub expect: Vec<Fact>,
    /// What the learner is to do; without a task they read on.
    pub task: Option<Task>,
    /// Where the page stands in its file.
    pub span: Range<usize>,
}

/// What the learner is to do.
#[derive(Clone, Debug)]
pub enum Task {
    /// To make a choice. Every choice that is possible has an answer.
    Choose {
        /// The task waits until this is true.
        when: Vec<Fact>,
        /// Whether the task is passed over where it does not come up.
        optional: bool,
        /// The good choices.
        good: Vec<Pattern>,
        /// What the coach says to a good one.
        right: String,
        /// Answers to other choices, the first that fits.
        answers: Vec<Answer>,
        /// The answer to all others, which are taken back.
        otherwise: Option<String>,
    },
    /// To play on freely.
    Free(Free),
}

/// A stretch in which the learner plays as they like.
#[derive(Clone, Debug)]
pub struct Free {
    /// It ends when the learner is asked so many turns after they were first asked.
    pub turns: u16,
    /// Remarks on choices made meanwhile.
    pub remarks: Vec<Answer>,
}

/// The answer of the coach to a choice.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The choice.
    pub choice: Pattern,
    /// What the coach says to it.
    pub say: String,
    /// How the lesson continues.
    pub then: Then,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

/// How a lesson continues after a choice that is not the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// With the next page: the choice does no harm to the lesson.
    GoOn,
    /// The learner is asked to take it back; they may also go on alone.
    TakeBack,
}

/// A choice that comes up between the pages, such as an option to pass, with what the coach advises.
#[derive(Clone, Debug)]
pub struct Meanwhile {
    /// The choice.
    pub choice: Pattern,
    /// What the coach says while it is offered and the page's own choice is not.
    pub say: String,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

/// The name of a choice; `*` in it stands for any words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As it was written.
    pub text: String,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

impl Pattern {
    /// Whether a choice of this name is meant.
    pub fn fits(&self, name: &str) -> bool {
        let Some((first, rest)) = self.text.split_once('*') else { return name == self.text };
        let Some(mut left) = name.strip_prefix(first) else { return false };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let last = parts.pop().unwrap_or_default();
        for part in parts {
            let Some(at) = left.find(part) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(last)
    }
}

impl From<&Text> for Pattern {
    fn from(text: &Text) -> Self {
        Self { text: text.as_str().to_owned(), span: text.span() }
    }
}

/// A value that the learner's view of the position has at some place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The place, as a JSON pointer.
    pub at: String,
    /// The value.
    pub value: Value,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

impl Fact {
    /// Whether a view has it.
    pub fn holds(&self, view: &Value) -> bool {
        view.pointer(&self.at) == Some(&self.value)
    }

    /// What a view has there instead.
    pub(crate) fn found(&self, view: &Value) -> String {
        view.pointer(&self.at).map_or_else(|| "nothing".to_owned(), ToString::to_string)
    }
}

impl Lesson {
    /// The page of the first task at or after a page; the number of pages if there is none.
    pub(crate) fn task_from(&self, from: usize) -> usize {
        let rest = self.pages.iter().skip(from);
        from + rest.take_while(|page| page.task.is_none()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_words() {
        let fits = |text: &str, name: &str| Pattern { text: text.to_owned(), span: 0..0 }.fits(name);
        for (text, name) in [
            ("end", "end"),
            ("place *", "place army1 EE.1.1"),
            ("place * EE*", "place army1 EE.1.1"),
            ("*", ""),
            ("a*b*c", "abbc"),
        ] {
            assert!(fits(text, name), "{text} {name}");
        }
        for (text, name) in [
            ("end", "ends"),
            ("place *", "plac"),
            ("place * EE*", "place army1 WE.1.1"),
            ("a*b*c", "acb"),
            ("ab*ba", "aba"),
        ] {
            assert!(!fits(text, name), "{text} {name}");
        }
    }
}
