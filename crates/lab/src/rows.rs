//! The decisions and draws of games as rows, packed into bytes while they are played: for the files of a batch.
//!
//! Texts come again and again, so each is written once for a chunk and then called by its number. The rows of a game are written
//! when it is over: half a game leaves none.

use std::collections::HashMap;

use kernel::{CompleteGame, Seat};

use crate::work::{ByteReader, ByteWriter, Unreadable};

/// The parts of a batch that hold rows; part 0 are its totals.
pub(crate) const GAMES: u32 = 1;
pub(crate) const DECISIONS: u32 = 2;
pub(crate) const DRAWS: u32 = 3;

/// Rows while games are played.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    games: ByteWriter,
    decisions: Sheet,
    draws: Sheet,
    step: u64,
    name: String,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GameRow {
    pub game: u64,
    /// An index into the results of the game.
    pub outcome: Option<usize>,
    pub decisions: u64,
    pub draws: u64,
    pub turns: u64,
}

/// A seat chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecisionRow<'b> {
    pub game: u64,
    pub step: u64,
    pub turn: u64,
    pub seat: usize,
    pub rule: &'b str,
    pub choice: &'b str,
    pub index: u64,
    pub open: u64,
}

/// Fate chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawRow<'b> {
    pub game: u64,
    pub step: u64,
    pub turn: u64,
    pub purpose: &'b str,
    pub choice: &'b str,
    pub tickets: u64,
    pub ticket: u64,
}

impl Rows {
    /// A game begins.
    pub fn begin(&mut self) {
        self.step = 0;
        self.decisions.begin();
        self.draws.begin();
    }

    pub fn chose<G: CompleteGame>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        choices: &[G::Choice],
        pick: usize,
    ) {
        self.step += 1;
        self.name.clear();
        game.write_name(state, choices[pick], &mut self.name);
        let (rule, choice) = (game.prompt(state).rule, self.name.as_str());
        let numbers = [self.step, game.turn(state).into(), seat.index() as u64];
        self.decisions.row(numbers, [rule, choice], [pick as u64, choices.len() as u64]);
    }

    pub fn drew<G: CompleteGame>(
        &mut self,
        game: &G,
        state: &G::State,
        [tickets, ticket]: [u32; 2],
        choice: G::Choice,
    ) {
        self.step += 1;
        self.name.clear();
        game.write_name(state, choice, &mut self.name);
        let (purpose, choice) = (game.prompt(state).text, self.name.as_str());
        let numbers = [self.step, game.turn(state).into()];
        self.draws.row(numbers, [&purpose, choice], [tickets.into(), ticket.into()]);
    }

    /// A game is over.
    pub fn close(&mut self, row: GameRow) {
        let GameRow { game, outcome, decisions, draws, turns } = row;
        let outcome = outcome.map_or(0, |outcome| outcome as u64 + 1);
        for number in [game, outcome, decisions, draws, turns] {
            self.games.put(number);
        }
        self.decisions.close(game);
        self.draws.close(game);
    }

    /// The parts of what was played since the last time.
    pub fn take(&mut self) -> [Vec<u8>; 3] {
        [self.games.take(), self.decisions.take(), self.draws.take()]
    }
}

/// Rows with texts.
#[derive(Debug, Default)]
struct Sheet {
    texts: HashMap<String, u64>,
    dictionary: ByteWriter,
    rows: ByteWriter,
    /// Of the game that is being played.
    now: ByteWriter,
    count: u64,
}

impl Sheet {
    fn begin(&mut self) {
        self.now.clear();
        self.count = 0;
    }

    fn row<const N: usize>(&mut self, first: [u64; N], texts: [&str; 2], last: [u64; 2]) {
        let texts = texts.map(|text| self.number(text));
        first.into_iter().chain(texts).chain(last).for_each(|number| self.now.put(number));
        self.count += 1;
    }

    fn number(&mut self, text: &str) -> u64 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.texts.len() as u64;
        self.texts.insert(text.to_owned(), number);
        self.dictionary.put_text(text);
        number
    }

    fn close(&mut self, game: u64) {
        self.rows.put(game);
        self.rows.put(self.count);
        self.rows.put_all(&self.now);
        self.begin();
    }

    fn take(&mut self) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.put(self.texts.len() as u64);
        out.put_all(&self.dictionary);
        out.put_all(&self.rows);
        self.texts.clear();
        self.dictionary.clear();
        self.rows.clear();
        out.take()
    }
}

/// Reads the rows of games.
pub(crate) fn games(bytes: &[u8]) -> Result<Vec<GameRow>, Unreadable> {
    let mut from = ByteReader::new(bytes);
    let mut rows = Vec::new();
    while !from.is_empty() {
        let (game, outcome) = (from.get()?, from.get_up_to(u64::from(u8::MAX) + 1)?);
        let [decisions, draws, turns] = [from.get()?, from.get()?, from.get()?];
        rows.push(GameRow { game, outcome: outcome.checked_sub(1), decisions, draws, turns });
    }
    Ok(rows)
}

/// Texts, and the rows that follow them.
fn sheet(bytes: &[u8]) -> Result<(Vec<&str>, ByteReader<'_>), Unreadable> {
    let mut from = ByteReader::new(bytes);
    let texts = (0..from.get_up_to(bytes.len() as u64)?).map(|_| from.get_text());
    Ok((texts.collect::<Result<_, _>>()?, from))
}

/// Reads decisions.
pub(crate) fn decisions<'b, E: From<Unreadable>>(
    bytes: &'b [u8],
    mut each: impl FnMut(DecisionRow<'b>) -> Result<(), E>,
) -> Result<(), E> {
    let (texts, mut from) = sheet(bytes)?;
    while !from.is_empty() {
        let game = from.get()?;
        for _ in 0..from.get()? {
            let (step, turn, seat) = (from.get()?, from.get()?, from.get_up_to(u8::MAX.into())?);
            let mut text = || texts.get(from.get()? as usize).copied().ok_or(Unreadable);
            let (rule, choice) = (text()?, text()?);
            let (index, open) = (from.get()?, from.get()?);
            each(DecisionRow { game, step, turn, seat, rule, choice, index, open })?;
        }
    }
    Ok(())
}

/// Reads draws.
pub(crate) fn draws<'b, E: From<Unreadable>>(
    bytes: &'b [u8],
    mut each: impl FnMut(DrawRow<'b>) -> Result<(), E>,
) -> Result<(), E> {
    let (texts, mut from) = sheet(bytes)?;
    while !from.is_empty() {
        let game = from.get()?;
        for _ in 0..from.get()? {
            let (step, turn) = (from.get()?, from.get()?);
            let mut text = || texts.get(from.get()? as usize).copied().ok_or(Unreadable);
            let (purpose, choice) = (text()?, text()?);
            let (tickets, ticket) = (from.get()?, from.get()?);
            each(DrawRow { game, step, turn, purpose, choice, tickets, ticket })?;
        }
    }
    Ok(())
}
