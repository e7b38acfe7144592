//! Remarks: why a choice was made, in the words of the bot that made it.
//!
//! They are stored beside the log and are not part of the game: no state, digest or rule depends on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::history::BLOCK;

/// The longest remark, in characters. It is meant for a sentence or two; longer ones are cut.
pub const MAX_REMARK: usize = 500;

/// The remarks of a match by the step that each belongs to, counted from 0. Those of the same block of steps are kept
/// together and shared, because a table is copied whenever a bot thinks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks(BTreeMap<usize, Arc<BTreeMap<usize, Arc<str>>>>);

impl Remarks {
    /// Adds a remark; an empty one is ignored.
    pub(crate) fn note(&mut self, step: usize, text: &str) {
        let text = tidy(text);
        let block = Arc::make_mut(self.0.entry(step / BLOCK).or_default());
        if text.is_empty() {
            block.remove(&step);
        } else {
            block.insert(step, text.into());
        }
    }

    pub(crate) fn at(&self, step: usize) -> Option<&str> {
        self.0.get(&(step / BLOCK))?.get(&step).map(|text| &**text)
    }

    /// Drops those of step `step` and later.
    pub(crate) fn drop_from(&mut self, step: usize) {
        drop(self.0.split_off(&(step / BLOCK + 1)));
        if let Some(block) = self.0.get_mut(&(step / BLOCK)) {
            drop(Arc::make_mut(block).split_off(&step));
        }
    }
}

/// One line of plain text that is not too long. Line breaks, and characters that change the text direction, are removed.
fn tidy(text: &str) -> String {
    let is_plain = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let words = text.split_whitespace().map(|word| word.chars().filter(is_plain).collect::<String>());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_REMARK) {
        None => line,
        Some(_) => {
            let kept: String = line.chars().take(MAX_REMARK - 1).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_one_line_of_plain_text() {
        for (said, kept) in [
            ("Bastogne is cut off.", "Bastogne is cut off."),
            ("  two\nlines\r\n\tand\u{2028}more ", "two lines and more"),
            ("bell\u{7} and \u{202e}turned", "bell and turned"),
            ("\u{7} \n", ""),
        ] {
            assert_eq!(tidy(said), kept, "{said:?}");
        }
        let long = tidy(&"Köln ".repeat(200));
        assert!(long.chars().count() <= MAX_REMARK && long.ends_with("Köln…"), "{long}");
        let whole = "x".repeat(MAX_REMARK);
        assert_eq!(tidy(&whole), whole);
    }

    #[test]
    fn remarks_go_with_their_steps() {
        let mut remarks = Remarks::default();
        for step in [1, 4, 7] {
            remarks.note(step, "because");
        }
        remarks.note(1, " ");
        remarks.drop_from(5);
        assert_eq!([1, 4, 7].map(|step| remarks.at(step)), [None, Some("because"), None]);
        for step in [63, 64, 65, 200] {
            remarks.note(step, "because");
        }
        let copy = remarks.clone();
        remarks.drop_from(65);
        assert_eq!(
            [4, 63, 64, 65, 200].map(|step| remarks.at(step).is_some()),
            [true, true, true, false, false]
        );
        assert!(copy.at(65).is_some() && copy.at(200).is_some(), "a copy keeps its own");
    }
}
