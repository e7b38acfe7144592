//! Problems in text that people write: where, what, what was expected, and a hint.
//!
//! Every reader in the project (data files, box texts, saves, example files) collects its
//! findings in a [`Problems`] and goes on reading, so that a file is reported whole and
//! not one error at a time.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};
use std::ops::Range;

/// How many problems of one text are kept; the rest is only counted.
const KEPT: usize = 100;
/// How many characters of an over-long line are shown around the spot.
const WINDOW: usize = 100;
/// How many characters of somebody's words are repeated in a message.
const SHOWN: usize = 60;

/// Whether a problem stops the text from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text can't be used as it is.
    Error,
    /// The text can be used, but probably does not say what was meant.
    Warning,
}

/// One finding in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Error or warning.
    pub severity: Severity,
    /// Byte range in the text; clamped to it when shown.
    pub span: Range<usize>,
    /// Where that is in the reader's terms, such as `table 1, box 4 "Atlantic Wall"`; may be empty.
    pub place: String,
    /// What is wrong, as a sentence without a full stop.
    pub what: String,
    /// What would have been right.
    pub expected: Option<String>,
    /// A guess at what was meant, or how to mend it.
    pub hint: Option<String>,
}

impl Problem {
    /// Says what would have been right.
    pub fn expected(&mut self, expected: impl Into<String>) -> &mut Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds a guess at what was meant.
    pub fn hint(&mut self, hint: impl Into<String>) -> &mut Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Line and column of a place in a text, both counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A text, its name, and everything that was found wrong with it.
///
/// ```
/// use diagnostics::Problems;
/// let mut problems = Problems::new("my.toml", "Axis: Assault WF.");
/// problems
///     .error(6..13, "unknown word \"Assault\"")
///     .expected("ADV, Attack or Roll")
///     .hint("did you mean \"Attack\"?");
/// let text = problems.to_string();
/// assert!(text.contains("my.toml:1:7"));
/// assert!(text.contains("^^^^^^^ expected ADV, Attack or Roll"));
/// ```
#[derive(Clone, Debug)]
pub struct Problems {
    name: String,
    text: String,
    place: String,
    list: Vec<Problem>,
    /// Takes the words of problems past the last kept one; boxed to keep this value small.
    unkept: Option<Box<Problem>>,
    not_kept: usize,
    errors: usize,
}

impl Problems {
    /// Starts an empty list for `text`, which is called `name` in messages.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            place: String::new(),
            list: Vec::new(),
            unkept: None,
            not_kept: 0,
            errors: 0,
        }
    }

    /// The text that is being read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the text in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets where in the reader's terms the following problems lie (`box 1.4 "Atlantic Wall"`).
    pub fn set_place(&mut self, place: impl Into<String>) {
        self.place = place.into();
    }

    /// Adds an error at a byte range.
    pub fn error(&mut self, span: Range<usize>, what: impl Into<String>) -> &mut Problem {
        self.errors += 1;
        self.add(Severity::Error, span, what.into())
    }

    /// Adds a warning at a byte range.
    pub fn warn(&mut self, span: Range<usize>, what: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, span, what.into())
    }

    fn add(&mut self, severity: Severity, span: Range<usize>, what: String) -> &mut Problem {
        let problem = Problem { severity, span, place: self.place.clone(), what, expected: None, hint: None };
        if self.list.len() >= KEPT {
            self.not_kept += 1;
            return self.unkept.insert(Box::new(problem));
        }
        self.list.push(problem);
        let last = self.list.len() - 1;
        &mut self.list[last]
    }

    /// What was found, in the order it was found (at most a hundred are kept).
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Whether any of the problems is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors there are, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor_boundary(&self.text, offset);
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }

    /// One problem with its excerpt, as shown to a person.
    fn render(&self, problem: &Problem, out: &mut impl fmt::Write) -> fmt::Result {
        let position = self.position(problem.span.start);
        let kind = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(out, "{kind}: {}", problem.what)?;
        write!(out, "  --> {}:{}:{}", self.name, position.line, position.column)?;
        if problem.place.is_empty() {
            writeln!(out)?;
        } else {
            writeln!(out, ", {}", problem.place)?;
        }
        let margin = " ".repeat(position.line.to_string().len());
        writeln!(out, " {margin} |")?;
        self.draw(problem, out)?;
        if let Some(hint) = &problem.hint {
            writeln!(out, " {margin} = hint: {hint}")?;
        }
        Ok(())
    }

    /// The line of a problem, and below it what is meant and what was expected there.
    fn draw(&self, problem: &Problem, out: &mut impl fmt::Write) -> fmt::Result {
        let excerpt = self.excerpt(&problem.span);
        let number = self.position(problem.span.start).line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(out, " {number} | {}", excerpt.line)?;
        write!(out, " {margin} | {}{}", " ".repeat(excerpt.before), "^".repeat(excerpt.width))?;
        match &problem.expected {
            Some(expected) => writeln!(out, " expected {expected}"),
            None => writeln!(out),
        }
    }

    /// The same as text, for those who show the rest in their own way.
    ///
    /// ```
    /// let mut problems = diagnostics::Problems::new("my.toml", "Axis: Assault WF.");
    /// problems.error(6..13, "unknown word").expected("Attack");
    /// let drawn = problems.drawn(&problems.list()[0]);
    /// assert_eq!(drawn, " 1 | Axis: Assault WF.\n   |       ^^^^^^^ expected Attack\n");
    /// ```
    pub fn drawn(&self, problem: &Problem) -> String {
        let mut out = String::new();
        // A String takes everything.
        let _ = self.draw(problem, &mut out);
        out
    }

    /// The part of the line around a span that fits on a screen.
    fn excerpt(&self, span: &Range<usize>) -> Excerpt {
        let start = floor_boundary(&self.text, span.start);
        let end = floor_boundary(&self.text, span.end).max(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let from = floor_boundary(&self.text, start.saturating_sub(WINDOW).max(line_start));
        let to = floor_boundary(&self.text, (start + WINDOW).min(line_end));
        let mut line = String::new();
        if from > line_start {
            line.push('…');
        }
        let visible = |c: char| if c.is_control() { ' ' } else { c };
        line.extend(self.text[from..start].chars().map(visible));
        let before = line.chars().count();
        line.extend(self.text[start..to].chars().map(visible));
        let marked = self.text[start..end.clamp(start, to)].chars().count();
        if to < line_end {
            line.push('…');
        }
        Excerpt { line, before, width: marked.max(1) }
    }
}

struct Excerpt {
    line: String,
    before: usize,
    width: usize,
}

impl Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for problem in &self.list {
            self.render(problem, &mut text)?;
            text.push('\n');
        }
        if self.not_kept > 0 {
            writeln!(text, "… and {} more", self.not_kept)?;
        }
        f.write_str(text.trim_end())
    }
}

impl std::error::Error for Problems {}

/// The nearest character boundary at or before `offset`.
fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// As much of a text as belongs into a message: the first sixty characters.
///
/// ```
/// assert_eq!(diagnostics::shown("short"), "short");
/// assert_eq!(diagnostics::shown(&"x".repeat(1_000)).chars().count(), 61);
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The word of `known` that is nearest to `word`, if one is near enough to be what was meant.
///
/// ```
/// assert_eq!(diagnostics::nearest("Atack", ["ADV", "Attack"]), Some("Attack"));
/// assert_eq!(diagnostics::nearest("zebra", ["ADV", "Attack"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.chars().count() > 40 {
        return None;
    }
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&word, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance * 2 < known.chars().count().max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_line_column_expectation_and_hint() {
        let mut problems = Problems::new("book.txt", "one\ntwö three\n");
        problems.set_place("box 1.1");
        problems.error(9..14, "unknown word").expected("four").hint("count again");
        assert_eq!(
            problems.to_string(),
            "error: unknown word\n  --> book.txt:2:5, box 1.1\n   |\n 2 | twö three\n   |     ^^^^^ expected four\n   = hint: count again"
        );
    }

    #[test]
    fn a_huge_line_is_cut_and_spans_past_the_end_are_clamped() {
        let text = "é".repeat(1_000_000);
        let mut problems = Problems::new("x", text);
        problems.error(1_000_001..9_999_999, "here");
        assert!(problems.to_string().len() < 1_000);
    }

    #[test]
    fn only_a_hundred_problems_are_kept_but_all_are_counted() {
        let mut problems = Problems::new("x", "abc");
        for _ in 0..250 {
            problems.error(0..1, "bad");
        }
        assert_eq!((problems.list().len(), problems.error_count()), (100, 250));
        assert!(problems.to_string().ends_with("… and 150 more"));
    }
}
