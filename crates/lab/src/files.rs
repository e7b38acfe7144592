//! The games of a batch as files: `games`, `decisions` and `draws`, for other programs to read.
//!
//! They are made from what the ledger keeps, in the order of the games, and hold neither times nor anything of the machine:
//! the same batch gives the same bytes.

use bots::BotKind;
use kernel::{CompleteGame, ResultInfo, Standing};
use serde_json::json;
use workers::Progress;

use crate::rows::{self, DECISIONS, DRAWS, DecisionRow, DrawRow, GAMES, GameRow};
use crate::sheets::{Field, SCHEMA, Sheets, Shelf};
use crate::sim::{Batch, Totals, play};
use crate::work::{Site, Unreadable, Worked};

/// Plays a batch as [`simulate_at`](crate::simulate_at) does, and writes its files when all games are played.
/// Nothing is written if it is stopped before. No file that is there is overwritten.
pub fn simulate_to_files<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    shelf: &Shelf,
    progress: &Progress,
) -> Result<Worked<Totals>, String> {
    shelf.check()?;
    let worked = play(site, game, batch, true, progress)?;
    if worked.result.games == batch.games {
        write(site, game, batch, &worked.job, shelf)?;
    }
    Ok(worked)
}

/// An option in a line: of a text of its own only the beginning.
pub fn option_words(key: &str, value: &str) -> String {
    let first = value.lines().next().unwrap_or_default();
    if value.contains('\n') { format!("{key} {first} …") } else { format!("{key} {first}") }
}

/// What the rows of a batch have in common.
struct Common<'a> {
    seed: u64,
    title: &'a str,
    setup: String,
    rules: &'a str,
    /// By seat.
    bots: Vec<String>,
    seats: Vec<String>,
    results: &'a [ResultInfo],
}

impl<'a> Common<'a> {
    fn of<G: CompleteGame>(game: &'a G, batch: &Batch) -> Self {
        let bot = |seat| *batch.seats.get(seat).or(batch.seats.last()).unwrap_or(&BotKind::Random);
        let options = game.options().into_iter().map(|(key, value)| option_words(&key, &value));
        let seats: Vec<String> = game.seats().iter().map(|seat| seat.word.to_owned()).collect();
        Self {
            seed: batch.seed,
            title: G::ID,
            setup: options.collect::<Vec<_>>().join("; "),
            rules: G::RULES_VERSION,
            bots: (0..seats.len()).map(|seat| bot(seat).word::<G>().into_owned()).collect(),
            seats,
            results: game.results(),
        }
    }

    /// By seat: 1 for a win, 0 for a draw, -1 for a loss.
    fn standings(&self, game: &GameRow) -> Vec<i8> {
        let result = game.outcome.and_then(|outcome| self.results.get(outcome));
        let standing = |seat| match result.and_then(|result| result.standings.get(seat)) {
            Some(Standing::Win) => 1,
            Some(Standing::Loss) => -1,
            Some(Standing::Draw) | None => 0,
        };
        (0..self.seats.len()).map(standing).collect()
    }
}

fn write<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    job: &str,
    shelf: &Shelf,
) -> Result<(), String> {
    let mut table = Tables { common: Common::of(game, batch), sheets: Sheets::new(shelf, &[])? };
    let ledger = site.ledger();
    for chunk in ledger.chunks(job).map_err(|why| why.to_string())? {
        let part = |part| {
            let kept = ledger.part(job, chunk.n, part).map_err(|why| why.to_string())?;
            kept.map(|kept| kept.part.bytes)
                .ok_or_else(|| format!("part {part} of chunk {} is missing", chunk.n))
        };
        let parts = [part(GAMES)?, part(DECISIONS)?, part(DRAWS)?];
        table.chunk(&parts).map_err(|why| match why {
            Trouble::Read(why) => format!("chunk {} of job {}: {why}", chunk.n, &job[..8]),
            Trouble::Write(why) => why,
        })?;
    }
    let spec = ledger.job(job).map_err(|why| why.to_string())?.ok_or("the job was dropped meanwhile")?.job;
    let known: serde_json::Value = serde_json::from_str(&spec.spec).unwrap_or_default();
    let about = json!({ "schema": SCHEMA, "spec": known, "rules": spec.rules, "build": spec.build });
    table.sheets.finish(&about)
}

/// Why a chunk is not in the files.
enum Trouble {
    /// What the ledger has is not what was put in.
    Read(Unreadable),
    /// A file can't be written.
    Write(String),
}

impl From<Unreadable> for Trouble {
    fn from(why: Unreadable) -> Self {
        Self::Read(why)
    }
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Write(why)
    }
}

/// The files while they are written.
struct Tables<'a> {
    common: Common<'a>,
    sheets: Sheets,
}

impl Tables<'_> {
    fn chunk(&mut self, [of_games, of_decisions, of_draws]: &[Vec<u8>; 3]) -> Result<(), Trouble> {
        let games = rows::games(of_games)?;
        games.iter().try_for_each(|row| self.game(row))?;
        // The games of a chunk follow each other.
        let mut current: Option<(&GameRow, Vec<i8>)> = None;
        rows::decisions(of_decisions, |row| {
            let standings = match &current {
                Some((game, standings)) if game.game == row.game => standings,
                _ => {
                    let game = games.iter().find(|game| game.game == row.game).ok_or(Unreadable)?;
                    &current.insert((game, self.common.standings(game))).1
                }
            };
            self.decision(&row, standings.get(row.seat).copied())
        })?;
        rows::draws(of_draws, |row| self.draw(&row))
    }

    fn game(&mut self, row: &GameRow) -> Result<(), Trouble> {
        let common = &self.common;
        let result = row.outcome.and_then(|outcome| common.results.get(outcome));
        self.sheets.game(&[
            Field::Number(row.game),
            Field::Number(common.seed),
            Field::Text(common.title),
            Field::text(&common.setup),
            Field::Text(common.rules),
            Field::Words(&common.seats),
            Field::Words(&common.bots),
            result.map_or(Field::Nothing, |result| Field::Text(result.word)),
            Field::Signs(&common.standings(row)),
            Field::Number(row.decisions),
            Field::Number(row.draws),
            Field::Number(row.turns),
        ])?;
        Ok(())
    }

    fn decision(&mut self, row: &DecisionRow<'_>, standing: Option<i8>) -> Result<(), Trouble> {
        self.sheets.decision(&[
            Field::Number(row.game),
            Field::Number(row.step),
            Field::Number(row.turn),
            Field::Text(self.common.seats.get(row.seat).map_or("", String::as_str)),
            Field::text(row.rule),
            Field::text(row.choice),
            Field::Number(row.index),
            Field::Number(row.open),
            Field::Truth(row.open == 1),
            Field::Text(self.common.bots.get(row.seat).map_or("", String::as_str)),
            standing.map_or(Field::Nothing, Field::Sign),
        ])?;
        Ok(())
    }

    fn draw(&mut self, row: &DrawRow<'_>) -> Result<(), Trouble> {
        self.sheets.draw(&[
            Field::Number(row.game),
            Field::Number(row.step),
            Field::Number(row.turn),
            Field::text(row.purpose),
            Field::text(row.choice),
            Field::Number(row.tickets),
            Field::Number(row.ticket),
        ])?;
        Ok(())
    }
}
