//! Texts that were changed by an accident or by hand: strategies for property tests, and what a report on such a text owes.

use diagnostics::Problems;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// Pieces that are likely to hurt somewhere.
const PIECES: [&str; 32] = [
    "\"", "\"\"\"", "'", "[", "]", "[[", "]]", "{", "}", "=", ".", ",", ":", "(", ")", "\n", "\r", "\0",
    "\\", "#", " ", "é", "💀", "\u{feff}", "\t", "-", "_", "|", "*", "true", "0x", "# why: ",
];
/// Numbers at the edges of what anybody counts with.
const NUMBERS: [&str; 10] =
    ["0", "-1", "1", "7", "255", "256", "65536", "4294967296", "99999999999999999999", "1.5"];

/// The settings of a property test that goes the same way every time.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x0073_6176_6573),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// One change of a text.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Some bytes are lost.
    Delete(Index, usize),
    /// A piece comes in.
    Insert(Index, &'static str),
    /// A character becomes another.
    Replace(Index, char),
    /// A number becomes another.
    Renumber(Index, &'static str),
    /// A word takes the place of another.
    Reword(Index, Index),
    /// A line is lost.
    DropLine(Index),
    /// A line stands there twice.
    DoubleLine(Index),
    /// Two lines change places.
    SwapLines(Index, Index),
    /// The end is lost.
    Cut(Index),
}

/// Some changes, one after the other.
pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        (at(), 1..6_usize).prop_map(|(at, count)| Edit::Delete(at, count)),
        (at(), select(&PIECES[..])).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (at(), any::<char>()).prop_map(|(at, with)| Edit::Replace(at, with)),
        (at(), prop::char::range('0', 'z')).prop_map(|(at, with)| Edit::Replace(at, with)),
        (at(), select(&NUMBERS[..])).prop_map(|(at, number)| Edit::Renumber(at, number)),
        (at(), at()).prop_map(|(at, from)| Edit::Reword(at, from)),
        at().prop_map(Edit::DropLine),
        at().prop_map(Edit::DoubleLine),
        (at(), at()).prop_map(|(one, two)| Edit::SwapLines(one, two)),
        at().prop_map(Edit::Cut),
    ];
    vec(edit, 1..4)
}

/// The text after some changes.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits {
        apply(&mut text, edit);
    }
    text
}

fn apply(text: &mut String, edit: &Edit) {
    match edit {
        Edit::Delete(at, count) => {
            let start = place(text, at);
            let end = boundary(text, start + count);
            text.replace_range(start..end, "");
        }
        Edit::Insert(at, piece) => text.insert_str(place(text, at), piece),
        Edit::Replace(at, with) => {
            let start = place(text, at);
            let end = text[start..].chars().next().map_or(start, |old| start + old.len_utf8());
            text.replace_range(start..end, with.encode_utf8(&mut [0; 4]));
        }
        Edit::Renumber(at, number) => {
            let from = place(text, at);
            if let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()) {
                let start = from + start;
                let length = text[start..].find(|c: char| !c.is_ascii_digit());
                text.replace_range(start..length.map_or(text.len(), |length| start + length), number);
            }
        }
        Edit::Reword(at, from) => {
            let new = text[word_at(text, place(text, from))].to_owned();
            text.replace_range(word_at(text, place(text, at)), &new);
        }
        Edit::DropLine(at) => change_lines(text, |lines| {
            lines.remove(at.index(lines.len()));
        }),
        Edit::DoubleLine(at) => change_lines(text, |lines| {
            let at = at.index(lines.len());
            lines.insert(at, lines[at]);
        }),
        Edit::SwapLines(one, two) => change_lines(text, |lines| {
            let [one, two] = [one, two].map(|at| at.index(lines.len()));
            lines.swap(one, two);
        }),
        Edit::Cut(at) => text.truncate(place(text, at)),
    }
}

/// Changes the lines of a text, if it has any.
fn change_lines(text: &mut String, change: impl FnOnce(&mut Vec<&str>)) {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if !lines.is_empty() {
        change(&mut lines);
        *text = lines.concat();
    }
}

/// Where an index points to in a text: before one of its characters, or at its end.
fn place(text: &str, at: &Index) -> usize {
    boundary(text, at.index(text.len() + 1))
}

/// The beginning of the character at a byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn word_at(text: &str, at: usize) -> std::ops::Range<usize> {
    let is_other = |c: char| !c.is_alphanumeric();
    let start = text[..at].char_indices().rev().find(|(_, c)| is_other(*c));
    let end = text[at..].find(is_other).map_or(text.len(), |length| at + length);
    start.map_or(0, |(before, c)| before + c.len_utf8())..end
}

/// A report on a refused text has an error, names the file and a line that there is, and is not endless.
pub fn check_report(problems: &Problems, text: &str) -> Result<(), TestCaseError> {
    let report = problems.to_string();
    prop_assert!(problems.has_errors(), "refused without an error:\n{}", report);
    let lines = text.matches('\n').count() + 1;
    for problem in problems.list() {
        let line = problems.position(problem.span.start).line;
        prop_assert!((1..=lines).contains(&line), "line {} of {} in\n{}", line, lines, report);
        prop_assert!(problem.span.start <= text.len(), "a place behind the end in\n{}", report);
    }
    prop_assert!(report.contains(&format!("--> {}:", problems.name())), "no place in\n{}", report);
    prop_assert!(report.len() < 100_000, "a report of {} bytes", report.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest! {
        #![proptest_config(config(2_000))]

        #[test]
        fn any_text_can_be_edited(text in "([a-z0-9 =\n]|\\PC){0,30}", edits in edits()) {
            let changed = edited(&text, &edits);
            prop_assert!(changed.len() <= 2_usize.pow(edits.len() as u32) * (text.len() + 24));
        }
    }
}
