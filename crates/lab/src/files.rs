//! The games of a batch as files: `games`, `decisions` and `draws`, for other programs to read.
//!
//! They are made from what the ledger keeps, in the order of the games, and hold neither times nor anything of the machine:
//! the same batch gives the same bytes.

use std::path::Path;

use bots::BotKind;
use kernel::{CompleteGame, ResultInfo, Standing};
use serde_json::json;
use workers::Progress;

use crate::rows::{self, DECISIONS, DRAWS, DecisionRow, DrawRow, GAMES, GameRow};
use crate::sheets::{SCHEMA, Sheets, check_folder};
use crate::sim::{Batch, Totals, play};
use crate::work::{Site, Unreadable, Worked};

/// Plays a batch as [`simulate_at`](crate::simulate_at) does, and writes its files into a folder when all games are played.
/// Nothing is written if it is stopped before. No file that is there is overwritten.
pub fn simulate_to_files<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    folder: &Path,
    progress: &Progress,
) -> Result<Worked<Totals>, String> {
    check_folder(folder)?;
    let worked = play(site, game, batch, true, progress)?;
    if worked.result.games == batch.games {
        write(site, game, batch, &worked.job, folder)?;
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
    seed: String,
    title: &'a str,
    setup: String,
    rules: &'a str,
    /// By seat.
    bots: Vec<String>,
    seats: Vec<&'a str>,
    results: &'a [ResultInfo],
}

impl<'a> Common<'a> {
    fn of<G: CompleteGame>(game: &'a G, batch: &Batch) -> Self {
        let bot = |seat| *batch.seats.get(seat).or(batch.seats.last()).unwrap_or(&BotKind::Random);
        let options = game.options().into_iter().map(|(key, value)| option_words(&key, &value));
        let seats: Vec<&str> = game.seats().iter().map(|seat| seat.word).collect();
        Self {
            seed: batch.seed.to_string(),
            title: G::ID,
            setup: options.collect::<Vec<_>>().join("; "),
            rules: G::RULES_VERSION,
            bots: (0..seats.len()).map(|seat| bot(seat).word::<G>().into_owned()).collect(),
            seats,
            results: game.results(),
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    fn standing(&self, game: &GameRow, seat: usize) -> i8 {
        let result = game.outcome.and_then(|outcome| self.results.get(outcome));
        match result.and_then(|result| result.standings.get(seat)) {
            Some(Standing::Win) => 1,
            Some(Standing::Loss) => -1,
            Some(Standing::Draw) | None => 0,
        }
    }
}

fn write<G: CompleteGame>(
    site: &Site,
    game: &G,
    batch: &Batch,
    job: &str,
    folder: &Path,
) -> Result<(), String> {
    let common = Common::of(game, batch);
    let mut sheets = Sheets::new(folder, &[])?;
    let ledger = site.ledger();
    for chunk in ledger.chunks(job).map_err(|why| why.to_string())? {
        let part = |part| {
            let kept = ledger.part(job, chunk.n, part).map_err(|why| why.to_string())?;
            kept.ok_or_else(|| format!("part {part} of chunk {} is missing", chunk.n))
        };
        let [of_games, of_decisions, of_draws] = [part(GAMES)?, part(DECISIONS)?, part(DRAWS)?];
        let rows = rows::games(&of_games.part.bytes).and_then(|rows| {
            rows.iter().for_each(|row| game_row(&mut sheets, &common, row));
            // The games of a chunk follow each other.
            let of = |game: u64| rows.iter().find(|row| row.game == game).ok_or(Unreadable);
            let mut current = None;
            rows::decisions(&of_decisions.part.bytes, |row| {
                let game = match current {
                    Some(game @ &GameRow { game: number, .. }) if number == row.game => game,
                    _ => of(row.game)?,
                };
                current = Some(game);
                decision_row(&mut sheets, &common, game, &row);
                Ok(())
            })?;
            rows::draws(&of_draws.part.bytes, |row| {
                draw_row(&mut sheets, &row);
                Ok(())
            })
        });
        rows.map_err(|why| format!("chunk {} of job {}: {why}", chunk.n, &job[..8]))?;
    }
    let spec = ledger.job(job).map_err(|why| why.to_string())?.ok_or("the job was dropped meanwhile")?.job;
    let known: serde_json::Value = serde_json::from_str(&spec.spec).unwrap_or_default();
    sheets.finish(&json!({ "schema": SCHEMA, "spec": known, "rules": spec.rules, "build": spec.build }))
}

fn game_row(sheets: &mut Sheets, common: &Common<'_>, row: &GameRow) {
    let result = row.outcome.and_then(|outcome| common.results.get(outcome));
    let standings: Vec<String> =
        (0..common.seats.len()).map(|seat| common.standing(row, seat).to_string()).collect();
    let [game, decisions, draws, turns] =
        [row.game, row.decisions, row.draws, row.turns].map(|number| number.to_string());
    sheets.game(&[
        &game,
        &common.seed,
        common.title,
        &common.setup,
        common.rules,
        &common.bots.join(" "),
        result.map_or("", |result| result.word),
        &standings.join(" "),
        &decisions,
        &draws,
        &turns,
    ]);
}

fn decision_row(sheets: &mut Sheets, common: &Common<'_>, game: &GameRow, row: &DecisionRow<'_>) {
    let [number, step, turn, index, open] =
        [row.game, row.step, row.turn, row.index, row.open].map(|number| number.to_string());
    sheets.decision(&[
        &number,
        &step,
        &turn,
        common.seats.get(row.seat).copied().unwrap_or_default(),
        row.rule,
        row.choice,
        &index,
        &open,
        if row.open == 1 { "true" } else { "false" },
        common.bots.get(row.seat).map_or("", String::as_str),
        &common.standing(game, row.seat).to_string(),
    ]);
}

fn draw_row(sheets: &mut Sheets, row: &DrawRow<'_>) {
    let [game, step, turn, tickets, ticket] =
        [row.game, row.step, row.turn, row.tickets, row.ticket].map(|number| number.to_string());
    sheets.draw(&[&game, &step, &turn, row.purpose, row.choice, &tickets, &ticket]);
}
