//! Reading data files (TOML) with line and column for every complaint.
//!
//! A [`Document`] is read once; its [`Table`]s and [`Value`]s hand out typed values and write
//! whatever is wrong into a [`Problems`], without ever stopping at the first error. A table
//! remembers which keys were asked for, so that [`Table::finish`] can name the unknown ones.
//!
//! ```
//! use diagnostics::datafile::Document;
//! use diagnostics::Problems;
//! let text = "name = \"Berlin\"\nsize = 12\ncolr = \"grey\"\n";
//! let mut problems = Problems::new("town.toml", text);
//! let document = Document::parse(text, &mut problems).expect("no syntax error");
//! let mut town = document.root();
//! assert_eq!(town.text("name", &mut problems).unwrap().as_str(), "Berlin");
//! assert_eq!(town.integer("size", 1..=9u8, &mut problems), None);
//! assert_eq!(town.optional("colour").map(|colour| colour.span()), None);
//! town.finish(&mut problems);
//! let report = problems.to_string();
//! assert!(report.contains("town.toml:2:8") && report.contains("expected a whole number from 1 to 9"));
//! assert!(report.contains("town.toml:3:1") && report.contains("did you mean \"colour\"?"));
//! ```

use std::fmt;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::source::{Problem, Problems, nearest};

/// The largest data file that is read at all.
pub const MAX_BYTES: usize = 1 << 20;
/// With more syntax errors than this the rest of the file is not looked at: most of them follow from the first.
const MAX_FAULTS: usize = 10;
/// How much of a wrong value is quoted.
const QUOTED: usize = 40;

/// The refusal of a text that is too large to be a data file, if it is.
///
/// To be asked before anything copies the text.
pub fn refuse_huge(name: &str, text: &str) -> Option<Problems> {
    if text.len() <= MAX_BYTES {
        return None;
    }
    let mut problems = Problems::new(name, "");
    problems
        .error(0..0, format!("the file is too large: {} bytes", text.len()))
        .expected(format!("at most {MAX_BYTES} bytes"));
    Some(problems)
}

/// A data file whose syntax has been read.
#[derive(Debug)]
pub struct Document<'t> {
    root: Spanned<DeTable<'t>>,
    text: &'t str,
    faults: Vec<Range<usize>>,
}

impl<'t> Document<'t> {
    /// Reads the syntax of a file and reports every fault in it.
    ///
    /// The rest of a file with a few faults can still be read (values on a faulty line and missing
    /// keys are then passed over in silence). `None` if there are too many for that.
    pub fn parse(text: &'t str, problems: &mut Problems) -> Option<Self> {
        let (root, errors) = DeTable::parse_recoverable(text);
        let mut faults: Vec<Range<usize>> = Vec::new();
        for error in &errors {
            let span = error.span().unwrap_or_default();
            if faults.iter().any(|line| (line.start..=line.end).contains(&span.start)) {
                continue;
            }
            faults.push(line_of(text, span.start));
            if faults.len() > MAX_FAULTS {
                problems.error(span, "there are more faults of this kind from here on").hint(
                    "most of them follow from the first; a missing quotation mark or bracket does that",
                );
                return None;
            }
            let (what, expected) = match error.message().split_once(", expected ") {
                Some((what, expected)) => (what, Some(expected)),
                None => (error.message(), None),
            };
            let after_quote = text.get(..span.start).is_some_and(|before| before.ends_with(['"', '\'']));
            let problem = problems.error(span, format!("not valid TOML: {what}"));
            problem.expected = expected.map(str::to_owned);
            if after_quote && faults.len() == 1 {
                problem.hint("is the text before this one closed with its quotation marks?");
            }
        }
        Some(Self { root, text, faults })
    }

    /// The table of the whole file.
    pub fn root(&self) -> Table<'_> {
        Table {
            source: Source { text: self.text, faults: &self.faults },
            map: self.root.get_ref(),
            span: 0..0,
            asked: Vec::new(),
        }
    }
}

/// What every part of a document needs to place and to judge a value.
#[derive(Clone, Copy, Debug)]
struct Source<'d> {
    text: &'d str,
    faults: &'d [Range<usize>],
}

impl Source<'_> {
    /// Whether a value stands on a line whose syntax has already been complained about.
    fn is_spoilt(self, span: &Range<usize>) -> bool {
        !self.faults.is_empty()
            && (span.is_empty()
                || self.faults.iter().any(|fault| span.start <= fault.end && fault.start <= span.end))
    }

    /// The words of the file at a place, cut to a readable length.
    fn quote(&self, span: Range<usize>) -> String {
        let words = self.text.get(span).unwrap_or_default();
        let mut quoted: String = words.chars().take(QUOTED).collect();
        if quoted.len() < words.len() {
            quoted.push('…');
        }
        quoted
    }
}

/// A table of a document: `[header]`, an entry of `[[header]]`, or `{ … }`.
#[derive(Clone, Debug)]
pub struct Table<'d> {
    source: Source<'d>,
    map: &'d DeTable<'d>,
    span: Range<usize>,
    asked: Vec<&'static str>,
}

impl<'d> Table<'d> {
    /// Where its header or its brackets stand.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether the syntax of the file is faulty, so that something that is missing may only have been
    /// unreadable.
    pub fn is_broken(&self) -> bool {
        !self.source.faults.is_empty()
    }

    /// Whether any of these keys is there; for telling one kind of file from another.
    pub fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.map.contains_key(*key))
    }

    /// Checks the key `format`, by which a file says what it is. `false` if it says something else, so that
    /// reading on makes no sense; a missing key is only reported.
    pub fn check_format(&mut self, format: &str, problems: &mut Problems) -> bool {
        let said = self.required("format", &format!("\"{format}\""), problems);
        said.is_none_or(|said| {
            said.word(&[format], |word| (word == format).then_some(()), problems).is_some()
        })
    }

    /// The value of a key that may be left out.
    pub fn optional(&mut self, key: &'static str) -> Option<Value<'d>> {
        self.asked.push(key);
        let value = self.map.get(key)?;
        Some(Value { source: self.source, label: Label::Key(key), value })
    }

    /// The value of a key that must be there; `expected` says of what kind.
    pub fn required(
        &mut self,
        key: &'static str,
        expected: &str,
        problems: &mut Problems,
    ) -> Option<Value<'d>> {
        let value = self.optional(key);
        if value.is_none() && !self.is_broken() {
            problems.error(self.span(), format!("the key \"{key}\" is missing")).expected(expected);
        }
        value
    }

    /// A text that must be there.
    pub fn text(&mut self, key: &'static str, problems: &mut Problems) -> Option<Text> {
        self.required(key, "a text", problems)?.text(problems)
    }

    /// A whole number that must be there.
    pub fn integer<T: Whole>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        self.required(key, &whole_number(&range), problems)?.integer(range, problems)
    }

    /// A word out of a few that must be there; see [`Value::word`].
    pub fn word<T>(
        &mut self,
        key: &'static str,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        self.required(key, &any_of(known), problems)?.word(known, parse, problems)
    }

    /// A list that must be there.
    pub fn list(&mut self, key: &'static str, problems: &mut Problems) -> Option<Vec<Value<'d>>> {
        self.required(key, "a list", problems)?.list(problems)
    }

    /// A table that must be there.
    pub fn table(&mut self, key: &'static str, problems: &mut Problems) -> Option<Self> {
        self.required(key, "a table", problems)?.table(problems)
    }

    /// A list of tables that must be there, usually written `[[key]]`.
    pub fn tables(&mut self, key: &'static str, problems: &mut Problems) -> Option<Vec<Self>> {
        self.required(key, "a list of tables", problems)?.tables(problems)
    }

    /// Every key of a table whose keys are the writer's own (names by zone), where it stands, and its value. Such a
    /// table has no unknown keys, so it is not to be [finished](Self::finish).
    pub fn entries(&self) -> impl Iterator<Item = (&'d str, Range<usize>, Value<'d>)> + use<'d> {
        let source = self.source;
        self.map.iter().map(move |(key, value)| {
            let word: &'d str = key.get_ref().as_ref();
            (word, key.span(), Value { source, label: Label::Key(word), value })
        })
    }

    /// Complains about every key that nobody asked for.
    ///
    /// To be called when the table has been read: the keys that were asked for are the known ones.
    pub fn finish(&self, problems: &mut Problems) {
        for key in self.map.keys() {
            let word = key.get_ref().as_ref();
            if self.asked.contains(&word) || self.source.is_spoilt(&key.span()) {
                continue;
            }
            let quoted = self.source.quote(key.span());
            let problem = problems.error(key.span(), format!("unknown key \"{quoted}\""));
            problem.expected(any_of(&self.asked));
            suggest(problem, word, self.asked.iter().copied());
        }
    }
}

/// What a value is called in messages.
#[derive(Clone, Copy, Debug)]
enum Label<'d> {
    Key(&'d str),
    Entry(&'d str, usize),
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, "\"{key}\""),
            Self::Entry(key, number) => write!(f, "entry {number} of \"{key}\""),
        }
    }
}

/// A value of a document, not yet looked at.
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    source: Source<'d>,
    label: Label<'d>,
    value: &'d Spanned<DeValue<'d>>,
}

impl<'d> Value<'d> {
    /// Where it stands in the file.
    pub fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// Whether it is a whole number, for keys that take several kinds.
    pub fn is_integer(&self) -> bool {
        self.value.get_ref().is_integer()
    }

    /// Whether it is a table, for keys that take several kinds.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Whether it is a list, for keys that take several kinds.
    pub fn is_list(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Array(_))
    }

    /// Whether it is `true` or `false`, for keys that take several kinds.
    pub fn is_boolean(&self) -> bool {
        self.value.get_ref().is_bool()
    }

    /// The value as a text.
    pub fn text(&self, problems: &mut Problems) -> Option<Text> {
        match self.value.get_ref() {
            DeValue::String(value) => Some(Text::quoted(self.source.text, self.span(), value)),
            _ => self.wrong_type("a text in quotation marks", problems),
        }
    }

    /// The value as a whole number of the range.
    pub fn integer<T: Whole>(&self, range: RangeInclusive<T>, problems: &mut Problems) -> Option<T> {
        let expected = whole_number(&range);
        let DeValue::Integer(digits) = self.value.get_ref() else {
            return self.wrong_type(&expected, problems);
        };
        let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
        let within =
            number.filter(|number| ((*range.start()).into()..=(*range.end()).into()).contains(number));
        match within.and_then(|number| T::try_from(number).ok()) {
            Some(number) => Some(number),
            None => self.refuse(&format!("is {}", self.source.quote(self.span())), expected, problems),
        }
    }

    /// A number with up to two digits after the point, as hundredths: `13.4` is 1340. No rule works with fractions of
    /// the machine, so none is made here.
    pub fn hundredths<T: Whole>(&self, range: RangeInclusive<T>, problems: &mut Problems) -> Option<T> {
        let digits = match self.value.get_ref() {
            DeValue::Float(digits) => digits.as_str(),
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str(),
            _ => return self.wrong_type("a number", problems),
        };
        let number = hundredths(digits);
        let within =
            number.filter(|number| ((*range.start()).into()..=(*range.end()).into()).contains(number));
        match within.and_then(|number| T::try_from(number).ok()) {
            Some(number) => Some(number),
            None => {
                let (low, high): (i64, i64) = ((*range.start()).into(), (*range.end()).into());
                let expected = format!(
                    "a number from {} to {} with at most two digits after the point",
                    low / 100,
                    high / 100
                );
                self.refuse(&format!("is {}", self.source.quote(self.span())), expected, problems)
            }
        }
    }

    /// The value as `true` or `false`.
    pub fn boolean(&self, problems: &mut Problems) -> Option<bool> {
        match self.value.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            _ => self.wrong_type("true or false", problems),
        }
    }

    /// The value as one of a few words; `parse` knows them, `known` lists them for messages.
    pub fn word<T>(
        &self,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        let DeValue::String(word) = self.value.get_ref() else {
            return self.wrong_type(&any_of(known), problems);
        };
        let value = parse(word.trim());
        if value.is_none() && !self.source.is_spoilt(&self.span()) {
            let quoted = self.source.quote(self.span());
            let problem = problems.error(self.span(), format!("{} is {quoted}", self.label));
            problem.expected(any_of(known));
            suggest(problem, word, known.iter().copied());
        }
        value
    }

    /// The value as a list.
    pub fn list(&self, problems: &mut Problems) -> Option<Vec<Self>> {
        let DeValue::Array(values) = self.value.get_ref() else {
            return self.wrong_type("a list", problems);
        };
        let key = match self.label {
            Label::Key(key) | Label::Entry(key, _) => key,
        };
        let entry = |(index, value)| Self { source: self.source, label: Label::Entry(key, index + 1), value };
        Some(values.iter().enumerate().map(entry).collect())
    }

    /// The value as a list of whole numbers; `None` if any of them is wrong, after naming all that are.
    pub fn integers<T: Whole>(&self, range: &RangeInclusive<T>, problems: &mut Problems) -> Option<Vec<T>> {
        self.all(problems, |value, problems| value.integer(range.clone(), problems))
    }

    /// The value as a list of texts.
    pub fn texts(&self, problems: &mut Problems) -> Option<Vec<Text>> {
        self.all(problems, Self::text)
    }

    /// The value as a list of words; see [`Value::word`].
    pub fn words<T>(
        &self,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
        problems: &mut Problems,
    ) -> Option<Vec<T>> {
        self.all(problems, |value, problems| value.word(known, &parse, problems))
    }

    /// The value as a table.
    pub fn table(&self, problems: &mut Problems) -> Option<Table<'d>> {
        match self.value.get_ref() {
            DeValue::Table(map) => {
                Some(Table { source: self.source, map, span: self.span(), asked: Vec::new() })
            }
            _ => self.wrong_type("a table", problems),
        }
    }

    /// The value as a list of tables; entries that are none are named and left out.
    pub fn tables(&self, problems: &mut Problems) -> Option<Vec<Table<'d>>> {
        if matches!(self.value.get_ref(), DeValue::Table(_)) {
            return self.wrong_type("a list of tables, each written with [[two brackets]]", problems);
        }
        let list = self.list(problems)?;
        Some(list.iter().filter_map(|value| value.table(problems)).collect())
    }

    /// Reads every entry of a list; `None` if any of them is wrong, after naming all that are.
    fn all<T>(
        &self,
        problems: &mut Problems,
        mut read: impl FnMut(&Self, &mut Problems) -> Option<T>,
    ) -> Option<Vec<T>> {
        let list = self.list(problems)?;
        let read: Vec<_> = list.iter().map(|value| read(value, problems)).collect();
        read.into_iter().collect()
    }

    fn wrong_type<T>(&self, expected: &str, problems: &mut Problems) -> Option<T> {
        let is = match self.value.get_ref() {
            DeValue::String(_) => "is a text",
            DeValue::Integer(_) => "is a whole number",
            DeValue::Float(_) => "is a number with a fraction",
            DeValue::Boolean(_) => "is true or false",
            DeValue::Datetime(_) => "is a date",
            DeValue::Array(_) => "is a list",
            DeValue::Table(_) => "is a table",
        };
        self.refuse(is, expected.to_owned(), problems)
    }

    fn refuse<T>(&self, is: &str, expected: String, problems: &mut Problems) -> Option<T> {
        if !self.source.is_spoilt(&self.span()) {
            problems.error(self.span(), format!("{} {is}", self.label)).expected(expected);
        }
        None
    }
}

/// The integer types that a data file's numbers can be read into.
pub trait Whole: Copy + Into<i64> + TryFrom<i64> {}
impl<T: Copy + Into<i64> + TryFrom<i64>> Whole for T {}

/// A text of a data file that knows where each of its characters stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    value: String,
    span: Range<usize>,
    /// Offset in the value and in the file of each run of characters that both have in common.
    runs: Vec<(usize, usize)>,
}

impl Text {
    /// The text without its quotation marks and escapes.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// Where it stands in the file, quotation marks included.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The place in the file of a byte range of the text.
    pub fn locate(&self, range: Range<usize>) -> Range<usize> {
        let start = self.place(range.start, true);
        let end = if range.is_empty() { start } else { self.place(range.end, false) };
        start..end.max(start)
    }

    /// The place of an offset: in the run that begins there, or (as an end) in the one before.
    fn place(&self, offset: usize, as_start: bool) -> usize {
        let upto = self.runs.partition_point(|(at, _)| if as_start { *at <= offset } else { *at < offset });
        let (at, place) = upto.checked_sub(1).map_or((0, self.span.start), |index| self.runs[index]);
        place + (offset - at)
    }

    /// A text put together from lines of a file, each given with its offset there.
    ///
    /// This is for plain-text formats: lines can be left out (comments) without losing the places.
    pub fn from_lines<'a>(lines: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut value = String::new();
        let mut runs = Vec::new();
        let mut span: Option<Range<usize>> = None;
        for (offset, line) in lines {
            if !runs.is_empty() {
                value.push('\n');
            }
            runs.push((value.len(), offset));
            value.push_str(line);
            let end = offset + line.len();
            span = Some(span.map_or(offset, |span| span.start)..end);
        }
        Self { value, span: span.unwrap_or_default(), runs }
    }

    /// A string of a TOML file; `span` holds its quotation marks.
    fn quoted(text: &str, span: Range<usize>, value: &str) -> Self {
        let raw = text.get(span.clone()).unwrap_or_default();
        let runs = runs(raw, value)
            .map(|runs| runs.into_iter().map(|(at, place)| (at, span.start + place)).collect())
            .unwrap_or_default();
        Self { value: value.to_owned(), span, runs }
    }
}

/// Walks a TOML string with its quotation marks and notes where each run of the decoded value stands;
/// `None` if the walk does not end where the value does.
fn runs(raw: &str, value: &str) -> Option<Vec<(usize, usize)>> {
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| raw.starts_with(quotes))?;
    let mut at = quotes.len();
    if quotes.len() == 3 {
        let body = &raw[at..];
        at += if body.starts_with("\r\n") { 2 } else { usize::from(body.starts_with('\n')) };
    }
    // A string whose closing marks are missing ends in something else.
    let end = raw.len().checked_sub(quotes.len()).filter(|end| *end >= at && raw.is_char_boundary(*end))?;
    let mut runs = vec![(0, at)];
    let mut length = 0;
    while at < end {
        let next = match raw[at..end].find('\\') {
            Some(next) if quotes.starts_with('"') => at + next,
            _ => end,
        };
        length += next - at;
        at = next;
        if at < end {
            let (decoded, skipped) = escape(&raw[at + 1..end])?;
            length += decoded;
            at += 1 + skipped;
            runs.push((length, at));
        }
    }
    (length == value.len()).then_some(runs)
}

/// Decoded length, and length in the file, of the escape whose backslash stands before `rest`.
fn escape(rest: &str) -> Option<(usize, usize)> {
    let first = rest.chars().next()?;
    let digits = match first {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ if first.is_whitespace() => return Some((0, rest.len() - rest.trim_start().len())),
        _ => return Some((1, first.len_utf8())),
    };
    let code = u32::from_str_radix(rest.get(1..=digits)?, 16).ok()?;
    Some((char::from_u32(code)?.len_utf8(), 1 + digits))
}

/// The byte range of the line that an offset stands in.
fn line_of(text: &str, offset: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let offset = offset.min(bytes.len());
    let start = bytes[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[offset..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| offset + at);
    start..end
}

/// A decimal number as hundredths.
fn hundredths(digits: &str) -> Option<i64> {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 9 || fraction.len() > 2 || !is_number(whole) || !is_number(fraction)
    {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<2}").parse().ok()?;
    Some(sign * (whole.parse::<i64>().ok()? * 100 + fraction))
}

fn whole_number<T: Whole>(range: &RangeInclusive<T>) -> String {
    let (low, high): (i64, i64) = ((*range.start()).into(), (*range.end()).into());
    if low == high {
        return format!("the number {low}");
    }
    format!("a whole number from {low} to {high}")
}

/// `a, b or c`, as messages list what is possible.
pub fn any_of(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_owned(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Adds "did you mean …?" where a known word is near.
pub fn suggest<'a>(problem: &mut Problem, word: &str, known: impl IntoIterator<Item = &'a str>) {
    if let Some(near) = nearest(word, known) {
        problem.hint(format!("did you mean \"{near}\"?"));
    }
}

#[cfg(test)]
mod tests;
