//! The box language: Action Event boxes typed the way they read on the page. Rules 7.1 to 7.3.
//!
//! ```
//! use echoes::box_language::parse_alone;
//! use echoes::ids::Side;
//! let spaces = [5, 5, 5, 3, 5, 5];
//! assert!(parse_alone("Axis: Attack EF x2. Allies: 1 Action.", Side::Allies, &[], spaces).is_ok());
//! let problems = parse_alone("Axis: Assault WF.", Side::Allies, &[], spaces).unwrap_err();
//! assert!(problems.to_string().contains("box:1:7"));
//! ```

pub mod ast;
mod checker;
mod conditions;
mod instructions;
mod lexer;
mod parser;

use std::ops::Range;

use diagnostics::{Problem, Problems, Severity};

pub(crate) use checker::asked_titles;

pub use ast::{Body, BoxText, ChooseOption, Condition, Event, Instr, InstrKind};

use crate::ids::Side;

/// The longest box text, in characters.
pub const MAX_CHARACTERS: usize = 4_000;
/// How deep instructions may stand inside each other.
pub const MAX_DEPTH: usize = 16;
/// The most single steps, attacks, Actions and marks that a box may hold, all branches counted.
pub const MAX_STEPS: usize = 400;
/// The most options of a `Choose`.
pub const MAX_OPTIONS: usize = 8;

/// What a box text has to fit: the book that it stands in.
#[derive(Clone, Copy, Debug)]
pub struct BoxContext<'a> {
    /// The side that the human plays; some instructions are not for the bot. Rule 7.3.
    pub human: Side,
    /// The titles of all boxes, which name the events.
    pub titles: &'a [&'a str],
    /// The highest space of each region.
    pub region_max: [u8; 6],
}

/// Where the findings about a box text go: a [`Problems`] of the whole file, with a map from the box
/// text to the file.
pub struct BoxReport<'a> {
    problems: &'a mut Problems,
    locate: &'a dyn Fn(Range<usize>) -> Range<usize>,
    errors: usize,
    /// Takes complaints that only follow from one that has been made.
    unsaid: Problem,
}

impl<'a> BoxReport<'a> {
    /// A report into `problems`; `locate` turns a byte range of the box text into one of the file.
    pub fn new(problems: &'a mut Problems, locate: &'a dyn Fn(Range<usize>) -> Range<usize>) -> Self {
        let unsaid = Problem {
            severity: Severity::Error,
            span: 0..0,
            place: String::new(),
            what: String::new(),
            expected: None,
            hint: None,
        };
        Self { problems, locate, errors: 0, unsaid }
    }

    /// A complaint that nobody reads, because an earlier one is the reason for it.
    fn unsaid(&mut self) -> &mut Problem {
        &mut self.unsaid
    }

    fn error(&mut self, span: Range<usize>, what: impl Into<String>) -> &mut Problem {
        self.errors += 1;
        self.problems.error((self.locate)(span), what)
    }

    fn warn(&mut self, span: Range<usize>, what: impl Into<String>) -> &mut Problem {
        self.problems.warn((self.locate)(span), what)
    }
}

/// Reads and checks a box text. `None` after at least one error; warnings do not stop it.
pub fn parse_box(text: &str, context: &BoxContext<'_>, report: &mut BoxReport<'_>) -> Option<BoxText> {
    let before = report.errors;
    if text.chars().nth(MAX_CHARACTERS).is_some() {
        report
            .error(0..0, format!("the box text has {} characters", text.chars().count()))
            .expected(format!("at most {MAX_CHARACTERS} characters"));
        return None;
    }
    let tokens = lexer::tokens(text, report);
    let parsed = parser::Parser::new(text, tokens, context, report).box_text();
    checker::check(&parsed, text, context, report);
    (report.errors == before).then_some(parsed)
}

/// Reads a box text that stands in no file; messages call it `box`.
///
/// `Ok` holds the warnings as well.
pub fn parse_alone(
    text: &str,
    human: Side,
    titles: &[&str],
    region_max: [u8; 6],
) -> Result<(BoxText, Problems), Problems> {
    let shown = if text.chars().nth(MAX_CHARACTERS).is_some() { "" } else { text };
    let mut problems = Problems::new("box", shown);
    let locate = |span| span;
    let mut report = BoxReport::new(&mut problems, &locate);
    match parse_box(text, &BoxContext { human, titles, region_max }, &mut report) {
        Some(parsed) => Ok((parsed, problems)),
        None => Err(problems),
    }
}

/// White space folded to single blanks, as words are shown and titles compared.
pub(crate) fn folded(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for word in words.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// The title of `titles` that is meant by `words`, if there is one; case and white space do not matter.
pub(crate) fn find_title<'a>(words: &str, titles: &[&'a str]) -> Option<&'a str> {
    let words = folded(words).to_lowercase();
    titles.iter().copied().find(|title| folded(title).to_lowercase() == words)
}

#[cfg(test)]
mod tests;
