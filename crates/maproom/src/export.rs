//! `maproom export`: the finished matches of a house as files.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Arc;

use kernel::{Actor, LogEntry, Names, Seat, Standing, Table, Viewer};
use lab::{Column, Field, Kind, SCHEMA, Sheets, Shelf};
use serde_json::json;
use store::{FinishedMatch, Luck, OrderBooks, Player, Store};
use web::Contests;

use crate::arguments::ExportOrder;
use crate::database::Place;
use crate::registry;

/// The columns of a match beyond those of a game between bots.
const MORE: [Column; 3] = [
    Column::new("rated", Kind::Truth),
    Column::new("ended_by", Kind::Text),
    Column::with_gaps("luck", Kind::Fractions),
];
/// How many rated matches are read at a time.
const PAGE: usize = 500;

/// Runs the command.
pub fn run(order: &ExportOrder) -> Result<ExitCode, String> {
    let place = Place::of(order.data.as_deref(), order.database.as_deref())?;
    let shelf = Shelf { folder: order.folder.clone(), format: order.format };
    shelf.check()?;
    let keeper = place.open_beside()?;
    let (store, contests) = (keeper.store(), keeper.contests());
    let finished = store.finished().map_err(|why| why.to_string())?;
    let rated = rated(&*store)?;
    if !rated.is_empty() {
        // Only where there is a book of ratings anyway: it has the luck.
        contests.prepare_ratings().map_err(|why| why.to_string())?;
    }
    let mut export = Export { rated, store, contests, orders: keeper.orders(), persons: BTreeMap::new() };
    let mut sheets = Sheets::new(&shelf, &MORE)?;
    let (mut written, mut left_out) = (0_u64, 0_u64);
    for one in &finished {
        match export.one(&mut sheets, written, one) {
            Ok(()) => written += 1,
            // A match of other rules or of a game that this program has not is no reason to give up the others.
            Err(Trouble::Match(why)) => {
                left_out += 1;
                errln!("left out: {why}");
            }
            Err(Trouble::House(why)) => return Err(why),
        }
    }
    let about = json!({ "schema": SCHEMA, "matches": written, "left_out": left_out });
    sheets.finish(&about)?;
    errln!("{written} finished matches are in {}.", order.folder.display());
    Ok(ExitCode::SUCCESS)
}

/// The matches that count for ratings.
fn rated(store: &dyn Store) -> Result<BTreeSet<String>, String> {
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
    /// Nothing can be read or written.
    House(String),
}

impl From<store::StoreError> for Trouble {
    fn from(why: store::StoreError) -> Self {
        Self::House(why.to_string())
    }
}

struct Export {
    store: Arc<dyn Store>,
    contests: Arc<dyn Contests>,
    orders: Arc<dyn OrderBooks>,
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
            self.orders.answers(id)?.into_iter().map(|(_, answer)| answer.step as usize).collect();
        let (players, by): (Vec<String>, Vec<&str>) =
            record.seats.iter().map(|seat| self.player(id, seat.seat, &seat.player)).unzip();
        let standings: Vec<i8> = finished.standings.split(',').map(standing).collect();
        let seats: Vec<String> = table.seats().iter().map(|seat| seat.word.to_owned()).collect();
        let walk = Walk { table, number, by: &by, standings: &standings, ordered: &ordered };
        let [decisions, draws] = walk.write(sheets).map_err(Trouble::House)?;
        let options = table.options().into_iter().map(|(key, value)| lab::option_words(&key, &value));
        let setup = options.collect::<Vec<_>>().join("; ");
        let is_rated = self.rated.contains(id);
        let luck = if is_rated { self.luck(id)? } else { None };
        let row = [
            Field::Number(number),
            // The dice of a match have a secret and no seed.
            Field::Nothing,
            Field::Text(table.game_id()),
            Field::text(&setup),
            Field::Text(table.begun_under()),
            Field::Words(&seats),
            Field::Words(&players),
            Field::text(&finished.result),
            Field::Signs(&standings),
            Field::Number(decisions),
            Field::Number(draws),
            Field::Number(table.turn().into()),
            Field::Truth(is_rated),
            Field::Text(ended_by.as_deref().unwrap_or("rules")),
            luck.as_deref().map_or(Field::Nothing, Field::Fractions),
        ];
        sheets.game(&row).map_err(Trouble::House)
    }

    /// How much of the result of a rated match was luck, by seat; `None` as long as nobody has reviewed it.
    fn luck(&self, id: &str) -> Result<Option<Vec<f32>>, Trouble> {
        let known = self.contests.rated_match(id)?.into_iter().map(|seat| match seat.luck {
            Luck::Known(luck) => Some(luck as f32),
            Luck::Waits | Luck::Unknowable => None,
        });
        Ok(known.collect::<Option<Vec<f32>>>().filter(|luck| !luck.is_empty()))
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
    number: u64,
    /// Who plays each seat.
    by: &'a [&'static str],
    standings: &'a [i8],
    ordered: &'a BTreeSet<usize>,
}

impl Walk<'_> {
    /// Writes all steps, and says how many decisions and draws there were.
    fn write(&self, sheets: &mut Sheets) -> Result<[u64; 2], String> {
        let (mut counts, mut names) = ([0; 2], Names::default());
        for step in 1..=self.table.steps() {
            let mut before = self.table.fork(step - 1);
            let Some(entry) = self.seen(step, Viewer::Spectator) else { continue };
            match entry.actor {
                Actor::Seat(seat) => {
                    counts[0] += 1;
                    before.offer_names(&mut names);
                    self.decision(sheets, step, seat, &*before, &names, entry.name)?;
                }
                Actor::Fate => {
                    counts[1] += 1;
                    sheets.draw(&[
                        Field::Number(self.number),
                        Field::Number(step as u64),
                        Field::Number(before.turn().into()),
                        Field::text(&before.prompt(Viewer::Spectator).text),
                        Field::text(&entry.name.unwrap_or_default()),
                        Field::Number(before.tickets().into()),
                        Field::Nothing,
                    ])?;
                }
            }
        }
        Ok(counts)
    }

    fn seen(&self, step: usize, viewer: Viewer) -> Option<LogEntry> {
        self.table.log_range(step - 1..step, viewer).pop()
    }

    fn decision(
        &self,
        sheets: &mut Sheets,
        step: usize,
        seat: Seat,
        before: &dyn Table,
        names: &Names,
        name: Option<String>,
    ) -> Result<(), String> {
        // A match that was broken off still hides something, also from whoever reads this.
        let choice = name.unwrap_or_default();
        let is_open = !self.table.hides();
        let index = names.iter().position(|name| name == choice);
        let forced = self.seen(step, Viewer::Seat(seat)).is_some_and(|own| own.forced);
        let by = self.by.get(seat.index()).copied().unwrap_or_default();
        sheets.decision(&[
            Field::Number(self.number),
            Field::Number(step as u64),
            Field::Number(before.turn().into()),
            Field::Text(self.table.seats().get(seat.index()).map_or("", |seat| seat.word)),
            Field::text(before.prompt(Viewer::Seat(seat)).rule),
            Field::text(&choice),
            index.filter(|_| is_open).map_or(Field::Nothing, |index| Field::Number(index as u64)),
            if is_open { Field::Number(names.len() as u64) } else { Field::Nothing },
            Field::Truth(forced),
            Field::Text(if self.ordered.contains(&step) { "order" } else { by }),
            self.standings.get(seat.index()).map_or(Field::Nothing, |standing| Field::Sign(*standing)),
        ])
    }
}
