//! Worked examples as files, so that the rules can be checked against them. Rule 9, `echoes-examples/1`.

use std::ops::{Range, RangeInclusive};

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Text, Value, refuse_huge};

use crate::book::{MAX_SPACE, TURNS, Verdict};
use crate::book_reader::parts::{self, REGIONS, TRACKS};
use crate::book_reader::{Edition, conclude};
use crate::box_language::folded;
use crate::ids::{Conflict, Region, Side, Track};

const FORMAT: &str = "echoes-examples/1";
const SIDES: [&str; 2] = ["Allies", "Axis"];
const KINDS: [&str; 8] = ["attack", "adv", "shift", "major", "text", "turn", "end_turn", "vp"];
/// More examples than this are not one file.
const MAX_EXAMPLES: usize = 2_000;

/// The text of the built-in examples.
pub const SOURCE: &str = include_str!("../data/examples.toml");

/// One worked example: a state, what happens in it, and what must come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its number, such as `E02`.
    pub id: String,
    /// What it shows.
    pub about: String,
    /// The book that it is played with.
    pub book: Edition,
    /// The spread that the book is changed by.
    pub spread: Option<u8>,
    /// What happens.
    pub kind: ExampleKind,
    /// What is different from the start of the game.
    pub state: StateSpec,
    /// Every die in the order it is used.
    pub dice: Vec<u8>,
    /// The human's decisions in order, as typed.
    pub choices: Vec<String>,
    /// What must come of it.
    pub expect: Expect,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

/// What happens in an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExampleKind {
    /// One attack. Rule 2.3.
    Attack {
        /// Who attacks.
        side: Side,
        /// Where.
        region: Region,
        /// The modifier of the box.
        modifier: i8,
    },
    /// One automatic step.
    Adv {
        /// Who advances.
        side: Side,
        /// Where.
        region: Region,
    },
    /// Marks on a track. Rule 2.2.
    Shift {
        /// Whose marks.
        side: Side,
        /// On which track.
        track: Track,
        /// How many.
        n: u8,
    },
    /// A Major Conflict. Rule 3.4.
    Major {
        /// Which of the two boxes.
        conflict: Conflict,
    },
    /// A box text is resolved. Rule 7.3.
    Text {
        /// The box text.
        text: String,
    },
    /// A whole turn. Rule 4.0.
    Turn,
    /// Steps 3 and 4 of a turn only.
    EndTurn,
    /// The victory points are counted.
    Vp,
}

/// What an example says about the state before; what it leaves out is as at the start of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSpec {
    /// The turn.
    pub turn: Option<u8>,
    /// The space of the front, by [`Region::index`].
    pub regions: [Option<u8>; 6],
    /// The values of the tracks, by [`Track::index`].
    pub tracks: [Option<i8>; 3],
    /// Tide of War uses left.
    pub tow: Option<u8>,
    /// Regions whose Tide of War box is marked.
    pub tow_used: Vec<Region>,
    /// Regions that the human has attacked this turn, each as often as attacked.
    pub attacked: Vec<Region>,
    /// Events whose square is marked.
    pub done: Vec<String>,
}

/// What must come of an example; what it leaves out must not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// The turn.
    pub turn: Option<u8>,
    /// The space of the front, by [`Region::index`].
    pub regions: [Option<u8>; 6],
    /// The values of the tracks, by [`Track::index`].
    pub tracks: [Option<i8>; 3],
    /// Tide of War uses left.
    pub tow: Option<u8>,
    /// Regions whose Tide of War box is marked, all of them.
    pub tow_used: Option<Vec<Region>>,
    /// Regions that the human has attacked this turn, each as often as attacked.
    pub attacked: Option<Vec<Region>>,
    /// Events whose square must be marked.
    pub marked: Vec<String>,
    /// Events whose square must not be marked.
    pub unmarked: Vec<String>,
    /// How the game stands.
    pub result: Option<ExpectedResult>,
    /// Whether something in it must be refused.
    pub error: bool,
}

/// The result that an example expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedResult {
    /// The game goes on.
    Continue,
    /// The game is over like this.
    Verdict(Verdict),
    /// A number, such as the victory points.
    Number(u8),
}

/// Reads a file of examples, all of them or none. `Ok` holds the warnings as well.
pub fn parse(name: &str, text: &str) -> Result<(Vec<Example>, Problems), Problems> {
    let (examples, problems) = read(name, text)?;
    conclude(Some(examples), problems)
}

/// Reads what can be read of a file of examples: one that has an error is left out and stands in the problems. `Err`
/// if the file as a whole can't be read.
pub fn read(name: &str, text: &str) -> Result<(Vec<Example>, Problems), Problems> {
    if let Some(refusal) = refuse_huge(name, text) {
        return Err(refusal);
    }
    let mut problems = Problems::new(name, text);
    let document = Document::parse(text, &mut problems);
    if problems.has_errors() {
        return Err(problems);
    }
    match document.as_ref().and_then(|document| examples(document.root(), &mut problems)) {
        Some(examples) => Ok((examples, problems)),
        None => conclude(None, problems),
    }
}

fn examples(mut root: Table<'_>, problems: &mut Problems) -> Option<Vec<Example>> {
    if !root.check_format(FORMAT, problems) {
        return None;
    }
    let tables = root.tables("example", problems);
    root.finish(problems);
    let mut examples: Vec<Example> = Vec::new();
    for table in tables? {
        if examples.len() >= MAX_EXAMPLES {
            problems
                .error(table.span(), "there are too many examples")
                .expected(format!("at most {MAX_EXAMPLES}"));
            return None;
        }
        problems.set_place("example");
        let (span, errors) = (table.span(), problems.error_count());
        match example(table, problems) {
            Some(example) if problems.error_count() == errors => examples.push(example),
            // Nothing may be left out without a word.
            None if problems.error_count() == errors => {
                problems.error(span, "this example can't be read");
            }
            _ => {}
        }
        problems.set_place("");
    }
    let mut ids: Vec<(&str, usize)> =
        (0..).zip(&examples).map(|(at, example)| (example.id.as_str(), at)).collect();
    ids.sort_unstable();
    for pair in ids.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let (id, at) = pair[1];
        problems.warn(examples[at].span.clone(), format!("there is an example \"{id}\" already"));
    }
    Some(examples)
}

fn example(mut table: Table<'_>, problems: &mut Problems) -> Option<Example> {
    let span = table.span();
    let id = table.required("id", "a text", problems).and_then(|value| parts::name(&value, problems));
    let id = id.map(|id| folded(id.as_str()));
    if let Some(id) = &id {
        problems.set_place(format!("example {id}"));
    }
    let about = table.optional("about").and_then(|value| value.text(problems));
    let about = about.map(|about| folded(about.as_str())).unwrap_or_default();
    let book = table.optional("book");
    let book = book.map(|value| value.word(&["allied", "axis"], Edition::parse, problems));
    let spread = table.optional("spread").map(|value| value.integer(1..=99u8, problems));
    let kind = kind(&mut table, problems);
    let state = table.optional("state").and_then(|value| value.table(problems));
    let state = state.map(|state| state_spec(state, problems)).unwrap_or_default();
    let dice = table.optional("dice").map(|value| value.integers(&(1..=6u8), problems));
    let choices = table.optional("choices").and_then(|value| value.texts(problems));
    let choices = choices.unwrap_or_default().iter().map(|words| folded(words.as_str())).collect();
    let expect = table.optional("expect").and_then(|value| value.table(problems));
    let expect = expect.map(|expect| expectation(expect, problems)).unwrap_or_default();
    table.finish(problems);
    Some(Example {
        id: id?,
        about,
        book: book.unwrap_or(Some(Edition::Allied))?,
        spread: spread.map_or(Some(None), |n| n.map(Some))?,
        kind: kind?,
        state,
        dice: dice.unwrap_or_else(|| Some(Vec::new()))?,
        choices,
        expect,
        span,
    })
}

/// `kind` and what `do` says for it.
fn kind(table: &mut Table<'_>, problems: &mut Problems) -> Option<ExampleKind> {
    let position = |word: &str| KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(word));
    let kind = table.word("kind", &KINDS, position, problems);
    let value = table.optional("do");
    let kind = KINDS[kind?];
    let mut inner = match value {
        Some(value) => value.table(problems)?,
        None if matches!(kind, "turn" | "end_turn" | "vp") => return what_happens(kind, None, problems),
        None => {
            if !table.is_broken() {
                problems
                    .error(table.span(), "the key \"do\" is missing")
                    .expected(format!("what the {kind} is, such as {}", sample(kind)));
            }
            return None;
        }
    };
    let happens = what_happens(kind, Some(&mut inner), problems);
    inner.finish(problems);
    happens
}

/// A `do` for a message.
fn sample(kind: &str) -> &'static str {
    match kind {
        "shift" => "{ side = \"Axis\", track = \"EMT\", n = 1 }",
        "major" => "{ box = \"europe\" }",
        "text" => "{ text = \"Axis: Attack WF.\" }",
        _ => "{ side = \"Axis\", region = \"WF\" }",
    }
}

fn what_happens(kind: &str, table: Option<&mut Table<'_>>, problems: &mut Problems) -> Option<ExampleKind> {
    let table = match (kind, table) {
        ("turn", _) => return Some(ExampleKind::Turn),
        ("end_turn", _) => return Some(ExampleKind::EndTurn),
        ("vp", _) => return Some(ExampleKind::Vp),
        (_, table) => table?,
    };
    match kind {
        "major" => {
            let conflict = table.word("box", &["europe", "pacific"], Conflict::parse, problems)?;
            Some(ExampleKind::Major { conflict })
        }
        "text" => Some(ExampleKind::Text { text: table.text("text", problems)?.as_str().to_owned() }),
        "shift" => {
            let side = table.word("side", &SIDES, side, problems);
            let track = table.word("track", &TRACKS, Track::parse, problems);
            let n = table.optional("n").map(|value| value.integer(1..=99u8, problems));
            Some(ExampleKind::Shift { side: side?, track: track?, n: n.unwrap_or(Some(1))? })
        }
        _ => {
            let side = table.word("side", &SIDES, side, problems);
            let region = table.word("region", &REGIONS, Region::parse, problems);
            if kind == "adv" {
                return Some(ExampleKind::Adv { side: side?, region: region? });
            }
            let modifier = table.optional("modifier").or(table.optional("at"));
            let modifier = modifier.map(|value| value.integer(-20..=20i8, problems));
            Some(ExampleKind::Attack { side: side?, region: region?, modifier: modifier.unwrap_or(Some(0))? })
        }
    }
}

fn side(word: &str) -> Option<Side> {
    Side::parse(word).or_else(|| word.eq_ignore_ascii_case("allied").then_some(Side::Allies))
}

/// The keys that the state before and the expectation have in common.
struct Position {
    turn: Option<u8>,
    regions: [Option<u8>; 6],
    tracks: [Option<i8>; 3],
    tow: Option<u8>,
    tow_used: Option<Vec<Region>>,
    attacked: Option<Vec<Region>>,
}

fn position(table: &mut Table<'_>, problems: &mut Problems) -> Position {
    let last = TURNS as u8;
    Position {
        turn: number(table, "turn", 1..=last + 1, problems),
        regions: Region::ALL.map(|region| {
            let written = number(table, region.code(), 0..=MAX_SPACE, problems);
            // The short forms of rule 2.3.1.
            let short = match region {
                Region::Chn => number(table, "CH", 0..=MAX_SPACE, problems),
                Region::Pac => number(table, "PA", 0..=MAX_SPACE, problems),
                Region::Isl => number(table, "IS", 0..=MAX_SPACE, problems),
                _ => None,
            };
            written.or(short)
        }),
        tracks: Track::ALL.map(|track| {
            let value = table.optional(track.code())?;
            value.integer(-1..=6i8, problems)
        }),
        tow: number(table, "tow", 0..=99, problems),
        tow_used: table.optional("tow_used").and_then(|value| parts::regions(&value, problems)),
        attacked: table.optional("attacked").and_then(|value| parts::regions(&value, problems)),
    }
}

fn number(
    table: &mut Table<'_>,
    key: &'static str,
    range: RangeInclusive<u8>,
    problems: &mut Problems,
) -> Option<u8> {
    table.optional(key)?.integer(range, problems)
}

/// A list of event titles.
fn titles(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Vec<String> {
    let texts: Option<Vec<Text>> = table.optional(key).and_then(|value| value.texts(problems));
    texts.unwrap_or_default().iter().map(|title| folded(title.as_str())).collect()
}

fn state_spec(mut table: Table<'_>, problems: &mut Problems) -> StateSpec {
    let Position { turn, regions, tracks, tow, tow_used, attacked } = position(&mut table, problems);
    let done = titles(&mut table, "done", problems);
    table.finish(problems);
    let (tow_used, attacked) = (tow_used.unwrap_or_default(), attacked.unwrap_or_default());
    StateSpec { turn, regions, tracks, tow, tow_used, attacked, done }
}

fn expectation(mut table: Table<'_>, problems: &mut Problems) -> Expect {
    let Position { turn, regions, tracks, tow, tow_used, attacked } = position(&mut table, problems);
    let marked = titles(&mut table, "marked", problems);
    let unmarked = titles(&mut table, "unmarked", problems);
    let result = table.optional("result").and_then(|value| expected_result(&value, problems));
    let error = table.optional("error").and_then(|value| value.boolean(problems)).unwrap_or(false);
    table.finish(problems);
    Expect { turn, regions, tracks, tow, tow_used, attacked, marked, unmarked, result, error }
}

/// `"continue"`, the word of a verdict, or a number.
fn expected_result(value: &Value<'_>, problems: &mut Problems) -> Option<ExpectedResult> {
    if value.is_integer() {
        return value.integer(0..=u8::MAX, problems).map(ExpectedResult::Number);
    }
    let mut words = vec!["continue"];
    words.extend(Verdict::ALL.map(Verdict::word));
    let parse = |word: &str| match word {
        "continue" => Some(ExpectedResult::Continue),
        _ => Verdict::ALL.into_iter().find(|verdict| verdict.word() == word).map(ExpectedResult::Verdict),
    };
    value.word(&words, parse, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(example: &str) -> String {
        format!("format = \"{FORMAT}\"\n[[example]]\nid = \"E1\"\n{example}\n")
    }

    fn one(example: &str) -> Example {
        let (mut examples, problems) = parse("e.toml", &file(example)).unwrap();
        assert!(problems.is_empty(), "{problems}");
        examples.remove(0)
    }

    #[test]
    fn the_built_in_examples_are_without_any_problem() {
        let (examples, problems) = match parse("examples.toml", SOURCE) {
            Ok(read) => read,
            Err(problems) => panic!("{problems}"),
        };
        assert!(problems.is_empty(), "{problems}");
        assert_eq!(examples.len(), 92);
        let find = |id: &str| examples.iter().find(|example| example.id == id).unwrap();
        let e58 = find("E58");
        assert_eq!((e58.state.turn, e58.state.tow, e58.dice.as_slice()), (Some(12), Some(0), &[1, 6][..]));
        assert_eq!(e58.state.tow_used, [Region::Ef, Region::Wf]);
        assert_eq!(e58.expect.tow_used, Some(vec![Region::Ef, Region::Isl, Region::Wf]));
        assert_eq!(e58.choices, ["attack ISL", "tow reroll ISL"]);
        assert_eq!(find("E83").expect.result, Some(ExpectedResult::Number(17)));
        assert_eq!(find("E71").expect.result, Some(ExpectedResult::Verdict(Verdict::ConfidenceFailure)));
        assert_eq!((find("E86").book, find("E91").spread), (Edition::Axis, Some(22)));
        assert!(find("E103").expect.error);
        assert_eq!(find("E65").expect.marked, ["Overlord"]);
    }

    #[test]
    fn every_kind_is_read() {
        let kind = |example: &str| one(example).kind;
        let attack = ExampleKind::Attack { side: Side::Axis, region: Region::Chn, modifier: 2 };
        assert_eq!(kind("kind = \"attack\"\ndo = { side = \"axis\", region = \"CH\", at = 2 }"), attack);
        assert_eq!(
            kind("kind = \"attack\"\ndo = { side = \"axis\", region = \"CHN\", modifier = 2 }"),
            attack
        );
        let adv = ExampleKind::Adv { side: Side::Allies, region: Region::Ef };
        assert_eq!(kind("kind = \"adv\"\ndo = { side = \"Allied\", region = \"EF\" }"), adv);
        let shift = ExampleKind::Shift { side: Side::Axis, track: Track::Usa, n: 1 };
        assert_eq!(kind("kind = \"shift\"\ndo = { side = \"Axis\", track = \"USA\" }"), shift);
        let major = ExampleKind::Major { conflict: Conflict::Pacific };
        assert_eq!(kind("kind = \"major\"\ndo = { box = \"Pacific\" }"), major);
        assert_eq!(
            kind("kind = \"text\"\ndo.text = \"Axis: x\""),
            ExampleKind::Text { text: "Axis: x".into() }
        );
        assert_eq!(kind("kind = \"turn\""), ExampleKind::Turn);
        assert_eq!(kind("kind = \"end_turn\"\ndo = {}"), ExampleKind::EndTurn);
        assert_eq!(kind("kind = \"vp\""), ExampleKind::Vp);
    }

    #[test]
    fn mistakes_are_named() {
        for (example, message) in [
            ("kind = \"atack\"", "did you mean \"attack\"?"),
            ("kind = \"attack\"", "the key \"do\" is missing"),
            ("kind = \"attack\"\ndo = { side = \"Axis\", regoin = \"WF\" }", "did you mean \"region\"?"),
            ("kind = \"vp\"\ndice = [7]", "entry 1 of \"dice\" is 7"),
            ("kind = \"vp\"\nstate = { WF = 9 }", "from 0 to 7"),
            ("kind = \"vp\"\nstate = { turm = 3 }", "did you mean \"turn\"?"),
            ("kind = \"vp\"\nexpect = { result = \"drawn\" }", "did you mean \"draw\"?"),
            ("kind = \"vp\"\nbook = \"axes\"", "did you mean \"axis\"?"),
            ("kind = \"vp\"\nexpects = {}", "did you mean \"expect\"?"),
        ] {
            let report = parse("e.toml", &file(example)).unwrap_err().to_string();
            assert!(report.contains(message) && report.contains("e.toml:"), "{example}\n{report}");
        }
        let (_, problems) =
            parse("e.toml", &file("kind = \"vp\"\n[[example]]\nid = \"E1\"\nkind = \"vp\"")).unwrap();
        assert!(problems.to_string().contains("e.toml:5:1"), "{problems}");
    }
}
