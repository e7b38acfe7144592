//! Worked examples as files, so that the rules can be checked against them. Rule 12.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Table, Value};
use diagnostics::examples::read_file;

use crate::layout::Layout;
use crate::pool::Pool;
use crate::settings::{BoardKind, Difficulty};
use crate::stratagem::Stratagem;
use crate::units::{KINDS, Kind, Side};

/// The text of the built-in examples.
pub const SOURCE: &str = include_str!("../data/examples.toml");
const EXAMPLE_KINDS: [(&str, ExampleKind); 10] = [
    ("place", ExampleKind::Place),
    ("bot_place", ExampleKind::BotPlace),
    ("legal", ExampleKind::Legal),
    ("illegal", ExampleKind::Illegal),
    ("strength", ExampleKind::Strength),
    ("stuck", ExampleKind::Stuck),
    ("bot_select", ExampleKind::BotSelect),
    ("bot_strategic", ExampleKind::BotStrategic),
    ("end_check", ExampleKind::EndCheck),
    ("setup", ExampleKind::SetUp),
];

/// What happens in an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExampleKind {
    /// One placement between two players, without a blitz follow-up.
    Place,
    /// One placement in a solo game; the bot's blitz goes on by itself.
    BotPlace,
    /// Whether a placement is legal.
    Legal,
    /// That a placement is not legal.
    Illegal,
    /// How strong a unit would be.
    Strength,
    /// How many placements a side has.
    Stuck,
    /// What the bot picks.
    BotSelect,
    /// Where the bot spends a strategic advantage.
    BotStrategic,
    /// Whether the game is over after a side's turn.
    EndCheck,
    /// The difficulty rolls.
    SetUp,
}

/// What an example says about the position before; what it leaves out is as at the start, without tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The reserves.
    pub hands: [Vec<Kind>; 2],
    /// The bags in drawing order.
    pub bags: [Vec<Kind>; 2],
    /// The research pile in drawing order.
    pub pile: Vec<Kind>,
    /// Units on the board.
    pub filled: Vec<(u8, Side, Kind)>,
    /// Finished campaigns by theatre.
    pub done: Vec<(u8, u8)>,
    /// Markers by theatre.
    pub tracks: Vec<(u8, i8)>,
    /// Victory points.
    pub vp: Option<[u8; 2]>,
    /// Closed theatres.
    pub closed: Vec<u8>,
    /// Open theatres, where they are not those of the start.
    pub open: Option<Vec<u8>>,
    /// The units placed last.
    pub last: [Option<Kind>; 2],
}

impl Position {
    /// A kind of which there are more tokens in this position than both sides and the pile have together.
    fn surplus(&self) -> Option<Kind> {
        let on_board = self.filled.iter().map(|(_, _, kind)| kind);
        let tokens = self.hands.iter().chain(&self.bags).chain([&self.pile]).flatten().chain(on_board);
        let mut all = Pool::default();
        for &kind in tokens {
            if !all.has_room(kind) {
                return Some(kind);
            }
            all.add(kind);
        }
        None
    }
}

/// What is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// Who acts.
    pub side: Option<Side>,
    /// Which unit.
    pub unit: Option<Kind>,
    /// On which space.
    pub at: Option<u8>,
    /// Whether the token at the end of the turn is drawn.
    pub draw: bool,
    /// The targets of strategic advantages in order.
    pub strategic_to: Vec<u8>,
    /// The units of the bot's row that are bombed, in order.
    pub bomb: Vec<Kind>,
    /// The cities that are opened, in order.
    pub open_to: Vec<u8>,
    /// The theatre of a question about strength, or to which the bot is restricted, or from which it acts.
    pub theatre: Option<u8>,
    /// The bot's stratagem.
    pub stratagem: Option<Stratagem>,
    /// The bot's die.
    pub die: Option<u8>,
    /// The size of a strategic advantage.
    pub n: Option<u8>,
    /// The difficulty.
    pub level: Option<Difficulty>,
    /// The difficulty rolls.
    pub rolls: Vec<u8>,
    /// The theatres that the human names, or the cities that are drawn.
    pub choices: Vec<u8>,
}

/// What must come of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Markers by theatre.
    pub tracks: Vec<(u8, i8)>,
    /// Victory points.
    pub vp: Option<[u8; 2]>,
    /// The reserves.
    pub hands: [Option<Vec<Kind>>; 2],
    /// How many tokens the reserves have.
    pub hand_sizes: [Option<u8>; 2],
    /// How many tokens the bags have.
    pub bag_sizes: [Option<u8>; 2],
    /// Tokens that the bags have among others.
    pub bag_has: [Vec<Kind>; 2],
    /// How many tokens the pile has.
    pub pile_size: Option<u8>,
    /// The active campaign by theatre, from 1.
    pub active: Vec<(u8, u8)>,
    /// Whether theatres are open, closed or locked.
    pub status: Vec<(u8, String)>,
    /// Whether the placement is legal.
    pub legal: Option<bool>,
    /// The strength.
    pub strength: Option<i8>,
    /// The number of placements.
    pub placements: Option<u16>,
    /// The space that the bot picks.
    pub at: Option<u8>,
    /// The unit that the bot picks.
    pub unit: Option<Kind>,
    /// Its place in the row, from 1.
    pub index: Option<u8>,
    /// The theatre that the bot picks.
    pub target: Option<u8>,
    /// Who has won; `Some(None)` if the game goes on.
    pub winner: Option<Option<Side>>,
}

/// One worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its number, such as `E05`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What happens.
    pub kind: ExampleKind,
    /// On which board.
    pub board: BoardKind,
    /// The position before.
    pub position: Position,
    /// What is done.
    pub action: Action,
    /// What must come of it.
    pub expect: Expect,
    /// Where it stands in its file.
    pub span: Range<usize>,
}

/// Reads what can be read of a file of examples: one that has an error is left out and stands in the problems. `Err` if
/// the file as a whole can't be read.
pub fn read(name: &str, text: &str) -> Result<(Vec<Example>, Problems), Problems> {
    read_file(name, text, |example| &example.id, example)
}

fn example(table: &mut Table<'_>, problems: &mut Problems) -> Option<Example> {
    let span = table.span();
    let id = table.text("id", problems)?.as_str().to_owned();
    problems.set_place(format!("example {id}"));
    let title = table.text("title", problems)?.as_str().to_owned();
    let kinds = EXAMPLE_KINDS.map(|(word, _)| word);
    let parse = |word: &str| EXAMPLE_KINDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    let kind = table.word("kind", &kinds, parse, problems)?;
    let nippon = table.optional("board");
    let nippon = nippon.map(|board| board.word(&["base", "nippon"], |word| Some(word == "nippon"), problems));
    let board = if nippon.unwrap_or(Some(false))? { BoardKind::Nippon } else { BoardKind::Base };
    let reader =
        Reader { kind, layout: if board == BoardKind::Nippon { Layout::nippon() } else { Layout::base() } };
    let position = match table.optional("setup") {
        Some(value) => reader.position(value.table(problems)?, problems)?,
        None => Position::default(),
    };
    let action = match table.optional("action") {
        Some(value) => reader.action(value.table(problems)?, problems)?,
        None => Action::default(),
    };
    let expect = match table.optional("expect") {
        Some(value) => reader.expect(value.table(problems)?, problems)?,
        None => Expect::default(),
    };
    if expect == Expect::default() && kind != ExampleKind::Illegal {
        problems.error(span.clone(), "this example expects nothing, so it shows nothing");
    }
    table.finish(problems);
    Some(Example { id, title, kind, board, position, action, expect, span })
}

/// Reads the parts of an example on a board.
struct Reader {
    kind: ExampleKind,
    layout: &'static Layout,
}

/// Kinds that play a placement.
const PLACEMENTS: &[ExampleKind] = &[ExampleKind::Place, ExampleKind::BotPlace];
/// Kinds that are about a unit.
const UNITS: &[ExampleKind] = &[
    ExampleKind::Place,
    ExampleKind::BotPlace,
    ExampleKind::Legal,
    ExampleKind::Illegal,
    ExampleKind::Strength,
];
/// Kinds that are about a unit on a space.
const SPACES: &[ExampleKind] =
    &[ExampleKind::Place, ExampleKind::BotPlace, ExampleKind::Legal, ExampleKind::Illegal];
/// Kinds that are about a side.
const SIDES: &[ExampleKind] = &[
    ExampleKind::Place,
    ExampleKind::BotPlace,
    ExampleKind::Legal,
    ExampleKind::Illegal,
    ExampleKind::Strength,
    ExampleKind::Stuck,
    ExampleKind::EndCheck,
];

impl Reader {
    /// A key that only some kinds of example have; elsewhere it is unknown, and `finish` says so.
    fn of<'d>(&self, kinds: &[ExampleKind], table: &mut Table<'d>, key: &'static str) -> Option<Value<'d>> {
        if kinds.contains(&self.kind) { table.optional(key) } else { None }
    }

    fn theatre_word(&self, value: &Value<'_>, problems: &mut Problems) -> Option<u8> {
        let known: Vec<&str> = self.layout.theatres.iter().map(|theatre| theatre.id.as_str()).collect();
        value.word(&known, |word| self.layout.theatre(word), problems)
    }

    fn theatres(&self, value: &Value<'_>, problems: &mut Problems) -> Option<Vec<u8>> {
        let known: Vec<&str> = self.layout.theatres.iter().map(|theatre| theatre.id.as_str()).collect();
        value.words(&known, |word| self.layout.theatre(word), problems)
    }

    fn space(&self, value: &Value<'_>, problems: &mut Problems) -> Option<u8> {
        let text = value.text(problems)?;
        let found = self.layout.space(text.as_str());
        if found.is_none() {
            let what = format!("there is no space {:?}", text.as_str());
            problems.error(text.span(), what).expected("THEATRE.campaign.space, such as WE.1.1");
        }
        found
    }

    /// A table from theatres to something.
    fn by_theatre<T>(
        &self,
        value: &Value<'_>,
        problems: &mut Problems,
        mut read: impl FnMut(&Value<'_>, &mut Problems) -> Option<T>,
    ) -> Option<Vec<(u8, T)>> {
        let mut table = value.table(problems)?;
        let mut found = Vec::new();
        for (at, theatre) in self.layout.theatres.iter().enumerate() {
            if let Some(value) = table.optional(theatre.id.as_str()) {
                found.push((at as u8, read(&value, problems)?));
            }
        }
        table.finish(problems);
        Some(found)
    }

    /// `WE.1.1=first:navy1`.
    fn filled(&self, value: &Value<'_>, problems: &mut Problems) -> Option<Vec<(u8, Side, Kind)>> {
        let mut found = Vec::new();
        for text in value.texts(problems)? {
            let parts = text.as_str().split_once('=').and_then(|(space, unit)| {
                let (side, kind) = unit.split_once(':')?;
                Some((self.layout.space(space.trim())?, side_of(side.trim())?, Kind::parse(kind.trim())?))
            });
            let Some(part) = parts else {
                let what = format!("{:?} is no unit on a space", text.as_str());
                problems.error(text.span(), what).expected("SPACE=side:unit, such as WE.1.1=first:navy1");
                return None;
            };
            found.push(part);
        }
        Some(found)
    }

    fn position(&self, mut table: Table<'_>, problems: &mut Problems) -> Option<Position> {
        let mut position = Position::default();
        let tokens = |value: Option<Value<'_>>, problems: &mut Problems| match value {
            Some(value) => kinds(&value, problems),
            None => Some(Vec::new()),
        };
        position.hands[0] = tokens(table.optional("hand_first"), problems)?;
        position.hands[1] = tokens(table.optional("hand_second"), problems)?;
        position.bags[0] = tokens(table.optional("bag_first"), problems)?;
        position.bags[1] = tokens(table.optional("bag_second"), problems)?;
        position.pile = tokens(table.optional("pile"), problems)?;
        if let Some(value) = table.optional("filled") {
            position.filled = self.filled(&value, problems)?;
        }
        if let Some(value) = table.optional("done") {
            position.done = self.by_theatre(&value, problems, |n, problems| n.integer(0..=5, problems))?;
        }
        if let Some(value) = table.optional("tracks") {
            position.tracks =
                self.by_theatre(&value, problems, |n, problems| n.integer(-40..=40, problems))?;
        }
        position.vp = pair(table.optional("vp"), problems)?;
        if let Some(value) = table.optional("closed") {
            position.closed = self.theatres(&value, problems)?;
        }
        if let Some(value) = table.optional("open") {
            position.open = Some(self.theatres(&value, problems)?);
        }
        for (side, key) in ["last_first", "last_second"].into_iter().enumerate() {
            if let Some(value) = table.optional(key) {
                position.last[side] = Some(kind(&value, problems)?);
            }
        }
        table.finish(problems);
        if let Some(kind) = position.surplus() {
            problems.error(table.span(), format!("there are not so many {} tokens", kind.word()));
        }
        Some(position)
    }

    fn action(&self, mut table: Table<'_>, problems: &mut Problems) -> Option<Action> {
        let mut action = Action::default();
        if let Some(value) = self.of(SIDES, &mut table, "side") {
            action.side = Some(value.word(&["first", "second"], side_of, problems)?);
        }
        if let Some(value) = self.of(UNITS, &mut table, "unit") {
            action.unit = Some(kind(&value, problems)?);
        }
        if let Some(value) = self.of(SPACES, &mut table, "at") {
            action.at = Some(self.space(&value, problems)?);
        }
        if let Some(value) = self.of(PLACEMENTS, &mut table, "draw") {
            action.draw = value.boolean(problems)?;
        }
        if let Some(value) = self.of(PLACEMENTS, &mut table, "strategic_to") {
            action.strategic_to = self.theatres(&value, problems)?;
        }
        if let Some(value) = self.of(PLACEMENTS, &mut table, "bomb") {
            action.bomb = kinds(&value, problems)?;
        }
        if let Some(value) = self.of(PLACEMENTS, &mut table, "open_to") {
            action.open_to = self.theatres(&value, problems)?;
        }
        if let Some(value) = self.of(PLACEMENTS, &mut table, "city") {
            action.open_to.push(self.theatre_word(&value, problems)?);
        }
        let theatres = [
            (ExampleKind::Strength, "theatre"),
            (ExampleKind::BotSelect, "only"),
            (ExampleKind::BotStrategic, "from"),
        ];
        for (kind, key) in theatres {
            if let Some(value) = self.of(&[kind], &mut table, key) {
                action.theatre = Some(self.theatre_word(&value, problems)?);
            }
        }
        if let Some(value) = self.of(&[ExampleKind::BotSelect], &mut table, "stratagem") {
            let words = Stratagem::ALL.map(Stratagem::word);
            action.stratagem = Some(value.word(&words, Stratagem::parse, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::BotSelect], &mut table, "die") {
            action.die = Some(value.integer(1..=6, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::BotStrategic], &mut table, "n") {
            action.n = Some(value.integer(1..=9, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::SetUp], &mut table, "level") {
            let levels = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard, Difficulty::Standard];
            let words = levels.map(Difficulty::word);
            let parse = |word: &str| levels.into_iter().find(|level| level.word() == word);
            action.level = Some(value.word(&words, parse, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::SetUp], &mut table, "rolls") {
            action.rolls = value.integers(&(1..=6), problems)?;
        }
        if let Some(value) = self.of(&[ExampleKind::SetUp], &mut table, "choices") {
            action.choices = self.theatres(&value, problems)?;
        }
        table.finish(problems);
        Some(action)
    }

    fn expect(&self, mut table: Table<'_>, problems: &mut Problems) -> Option<Expect> {
        let mut expect = Expect::default();
        if let Some(value) = table.optional("tracks") {
            expect.tracks = self.by_theatre(&value, problems, |n, problems| n.integer(-40..=40, problems))?;
        }
        expect.vp = pair(table.optional("vp"), problems)?;
        for (side, key) in ["hand_first", "hand_second"].into_iter().enumerate() {
            if let Some(value) = table.optional(key) {
                expect.hands[side] = Some(kinds(&value, problems)?);
            }
        }
        for (side, key) in ["hand_size_first", "hand_size_second"].into_iter().enumerate() {
            expect.hand_sizes[side] = small(table.optional(key), problems)?;
        }
        for (side, key) in ["bag_size_first", "bag_size_second"].into_iter().enumerate() {
            expect.bag_sizes[side] = small(table.optional(key), problems)?;
        }
        for (side, key) in ["bag_has_first", "bag_has_second"].into_iter().enumerate() {
            if let Some(value) = table.optional(key) {
                expect.bag_has[side] = kinds(&value, problems)?;
            }
        }
        expect.pile_size = small(table.optional("pile_size"), problems)?;
        if let Some(value) = table.optional("active") {
            expect.active = self.by_theatre(&value, problems, |n, problems| n.integer(1..=6, problems))?;
        }
        if let Some(value) = table.optional("state") {
            let read = |word: &Value<'_>, problems: &mut Problems| {
                word.word(&["open", "closed", "locked"], |word| Some(word.to_owned()), problems)
            };
            expect.status = self.by_theatre(&value, problems, read)?;
        }
        if let Some(value) = self.of(&[ExampleKind::Legal, ExampleKind::Illegal], &mut table, "legal") {
            let legal = value.boolean(problems)?;
            if legal && self.kind == ExampleKind::Illegal {
                problems.error(value.span(), "an illegal placement can't be legal").expected("false");
            }
            expect.legal = Some(legal);
        }
        if let Some(value) = self.of(&[ExampleKind::Strength], &mut table, "strength") {
            expect.strength = Some(value.integer(-20..=40, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::Stuck], &mut table, "placements") {
            expect.placements = Some(value.integer(0..=2_000, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::BotSelect], &mut table, "at") {
            expect.at = Some(self.space(&value, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::BotSelect], &mut table, "unit") {
            expect.unit = Some(kind(&value, problems)?);
        }
        expect.index = small(self.of(&[ExampleKind::BotSelect], &mut table, "index"), problems)?;
        if let Some(value) = self.of(&[ExampleKind::BotStrategic], &mut table, "target") {
            expect.target = Some(self.theatre_word(&value, problems)?);
        }
        if let Some(value) = self.of(&[ExampleKind::EndCheck], &mut table, "winner") {
            let parse = |word: &str| match word {
                "none" | "" => Some(None),
                side => side_of(side).map(Some),
            };
            expect.winner = Some(value.word(&["first", "second", "none"], parse, problems)?);
        }
        table.finish(problems);
        Some(expect)
    }
}

fn side_of(word: &str) -> Option<Side> {
    match word {
        "first" => Some(Side::First),
        "second" => Some(Side::Second),
        _ => None,
    }
}

fn kind(value: &Value<'_>, problems: &mut Problems) -> Option<Kind> {
    value.word(&KINDS.map(|info| info.word), Kind::parse, problems)
}

fn kinds(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<Kind>> {
    value.words(&KINDS.map(|info| info.word), Kind::parse, problems)
}

/// A number that may be left out: `None` is a fault, `Some(None)` is nothing.
#[allow(clippy::option_option)]
fn small(value: Option<Value<'_>>, problems: &mut Problems) -> Option<Option<u8>> {
    match value {
        Some(value) => value.integer(0..=99, problems).map(Some),
        None => Some(None),
    }
}

/// Two numbers that may be left out.
#[allow(clippy::option_option)]
fn pair(value: Option<Value<'_>>, problems: &mut Problems) -> Option<Option<[u8; 2]>> {
    let Some(value) = value else { return Some(None) };
    let numbers = value.integers(&(0..=99), problems)?;
    let Ok(pair) = <[u8; 2]>::try_from(numbers) else {
        problems.error(value.span(), "the points of both sides").expected("two numbers, such as [3, 0]");
        return None;
    };
    Some(Some(pair))
}
