//! `maproom export`: the finished matches of a house as files.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use kernel::{Actor, Names, Standing, Table, Viewer};
use lab::{SCHEMA, Sheets};
use serde_json::json;
use store::{FinishedMatch, OrderBooks as _, Player, SqliteStore, Store as _};

use crate::arguments::ExportOrder;
use crate::files;
use crate::registry;

/// The columns of a match beyond those of a game between bots.
const MORE: [&str; 2] = ["rated", "ended_by"];
/// How many rated matches are read at a time.
const PAGE: usize = 500;

/// Runs the command.
pub fn run(order: &ExportOrder) -> Result<ExitCode, String> {
    let house = match &order.data {
        Some(folder) => folder.clone(),
        None => {
            files::data_folder().ok_or("no data folder found on this system: choose one with --data DIR")?
        }
    };
    lab::check_folder(&order.folder)?;
    let store = SqliteStore::open_beside(&house).map_err(|why| why.to_string())?;
    let finished = store.finished().map_err(|why| why.to_string())?;
    let mut export = Export { rated: rated(&store)?, store, persons: BTreeMap::new() };
    let mut sheets = Sheets::new(&order.folder, &MORE)?;
    let (mut written, mut left_out) = (0_u64, 0_u64);
    for one in &finished {
        match export.one(&mut sheets, written, one) {
            Ok(()) => written += 1,
            // A match of other rules or of a game that this program has not is no reason to give up the others.
            Err(Trouble::Match(why)) => {
                left_out += 1;
                errln!("left out: {why}");
            }
            Err(Trouble::Store(why)) => return Err(why),
        }
    }
    let about = json!({ "schema": SCHEMA, "matches": written, "left_out": left_out });
    sheets.finish(&about)?;
    errln!("{written} finished matches are in {}.", order.folder.display());
    Ok(ExitCode::SUCCESS)
}

/// The matches that count for ratings.
fn rated(store: &SqliteStore) -> Result<BTreeSet<String>, String> {
    let (mut matches, mut after) = (BTreeSet::new(), 0);
    loop {
        let page = store.rated(after, PAGE).map_err(|why| why.to_string())?;
        let Some(last) = page.last() else { return Ok(matches) };
        after = last.number;
        matches.extend(page.into_iter().map(|rated| rated.match_id));
    }
}

/// Why a match is not in the files.
enum Trouble {
    /// It can't be read; the others may.
    Match(String),
    /// Nothing can be read.
    Store(String),
}

impl From<store::StoreError> for Trouble {
    fn from(why: store::StoreError) -> Self {
        Self::Store(why.to_string())
    }
}

struct Export {
    store: SqliteStore,
    rated: BTreeSet<String>,
    /// People are numbered as they come up, so that the files name nobody.
    persons: BTreeMap<String, usize>,
}

impl Export {
    fn one(&mut self, sheets: &mut Sheets, number: u64, finished: &FinishedMatch) -> Result<(), Trouble> {
        let id = &finished.match_id;
        let fail = |why: String| Trouble::Match(format!("match {number}: {why}"));
        let record = self.store.find(id)?.ok_or_else(|| fail("it has just been removed".to_owned()))?;
        let journal = self.store.journal(id)?;
        let (text, ended_by) = web::save_of_stored(&record, &journal);
        let game = registry::of_save("the save", &text).map_err(fail)?;
        let opened = game.load("the save", &text).map_err(|why| fail(why.to_string()))?;
        let table = &*opened.table;
        let ordered: BTreeSet<usize> =
            self.store.answers(id)?.into_iter().map(|(_, answer)| answer.step as usize).collect();
        let by: Vec<(String, &str)> =
            record.seats.iter().map(|seat| self.player(id, seat.seat, &seat.player)).collect();
        let standings: Vec<i8> = finished.standings.split(',').map(standing).collect();
        let game_number = number.to_string();
        let walk = Walk { table, number: &game_number, by: &by, standings: &standings, ordered: &ordered };
        let [decisions, draws] = walk.write(sheets);
        let options = table.options().into_iter().map(|(key, value)| lab::option_words(&key, &value));
        let standings: Vec<String> = standings.iter().map(ToString::to_string).collect();
        let players: Vec<&str> = by.iter().map(|(name, _)| name.as_str()).collect();
        sheets.game(&[
            &game_number,
            "",
            table.game_id(),
            &options.collect::<Vec<_>>().join("; "),
            table.begun_under(),
            &players.join(" "),
            &finished.result,
            &standings.join(" "),
            &decisions.to_string(),
            &draws.to_string(),
            &table.turn().to_string(),
            if self.rated.contains(id) { "true" } else { "false" },
            ended_by.as_deref().unwrap_or("rules"),
        ]);
        Ok(())
    }

    /// Who plays a seat: a name for the files, and whether it is a person. Without an account nobody knows whether it is the
    /// same person in another match.
    fn player(&mut self, id: &str, seat: u8, player: &Player) -> (String, &'static str) {
        let person = match player {
            Player::Bot(bot) => return (bot.clone(), "bot"),
            Player::Owner | Player::StandIn { for_owner: true, .. } => "owner".to_owned(),
            Player::Account { id, .. } => format!("account {id}"),
            Player::Person | Player::StandIn { .. } => format!("somebody in {id} at {seat}"),
        };
        let next = self.persons.len() + 1;
        (format!("person-{}", self.persons.entry(person).or_insert(next)), "person")
    }
}

fn standing(word: &str) -> i8 {
    if word == Standing::Win.to_string() {
        1
    } else if word == Standing::Loss.to_string() {
        -1
    } else {
        0
    }
}

/// A match, step by step.
struct Walk<'a> {
    table: &'a dyn Table,
    number: &'a str,
    by: &'a [(String, &'static str)],
    standings: &'a [i8],
    ordered: &'a BTreeSet<usize>,
}

impl Walk<'_> {
    /// Writes all steps, and says how many decisions and draws there were.
    fn write(&self, sheets: &mut Sheets) -> [u64; 2] {
        let (mut counts, mut names) = ([0; 2], Names::default());
        for step in 1..=self.table.steps() {
            let mut before = self.table.fork(step - 1);
            let seen_by = |viewer| self.table.log_range(step - 1..step, viewer).pop();
            let Some(entry) = seen_by(Viewer::Spectator) else { continue };
            let (at, turn) = (step.to_string(), before.turn().to_string());
            match entry.actor {
                Actor::Seat(seat) => {
                    counts[0] += 1;
                    // A match that ended early still hides something; who chose knows what.
                    let own = seen_by(Viewer::Seat(seat));
                    let choice = own.and_then(|own| own.name).unwrap_or_default();
                    let rule = before.prompt(Viewer::Seat(seat)).rule;
                    before.offer_names(&mut names);
                    let index = names.iter().position(|name| name == choice);
                    let by = self.by.get(seat.index()).map_or("", |(_, kind)| *kind);
                    sheets.decision(&[
                        self.number,
                        &at,
                        &turn,
                        self.table.seats().get(seat.index()).map_or("", |seat| seat.word),
                        rule,
                        &choice,
                        &index.map_or_else(String::new, |index| index.to_string()),
                        &names.len().to_string(),
                        if entry.forced { "true" } else { "false" },
                        if self.ordered.contains(&step) { "order" } else { by },
                        &self.standings.get(seat.index()).map_or_else(String::new, ToString::to_string),
                    ]);
                }
                Actor::Fate => {
                    counts[1] += 1;
                    let purpose = before.prompt(Viewer::Spectator).text;
                    let choice = entry.name.unwrap_or_default();
                    let tickets = before.tickets().to_string();
                    sheets.draw(&[self.number, &at, &turn, &purpose, &choice, &tickets, ""]);
                }
            }
        }
        counts
    }
}
