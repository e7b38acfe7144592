//! What follows from entries, as rows. Every function here runs inside a transaction of its caller.

use std::collections::HashMap;

use crate::sql::{self, Connection, Row, Value, list, params, unreadable};

use super::read::{account, time as read_time};
use super::write::{SEAT_PLAYER, number, time};
use crate::orders_sql;
use crate::{Append, Deadline, Effect, Notice, NoticeState, Outage, RatedMatch, StoredAnswer, StoredBook};

/// An entry and what follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Following<'e> {
    /// The match.
    pub match_id: &'e str,
    /// The number of the entry.
    pub revision: u32,
    /// When it was made.
    pub at: u64,
    /// What follows from it.
    pub effects: &'e [Effect],
}

/// Whether the books of orders that an entry brings along are the ones that were written last. Otherwise somebody has changed their
/// orders meanwhile, and the entry was made without knowing that. Those of entries that are `to_be_written` before it are not in the
/// tables yet.
pub fn brings_current_books(
    c: &Connection<'_>,
    append: &Append,
    to_be_written: &[&Append],
) -> sql::Result<bool> {
    for effect in &append.effects {
        let Effect::Order { seat, book, .. } = effect else { continue };
        let earlier = to_be_written.iter().filter(|other| other.match_id == append.match_id);
        let of_seat = earlier.rev().flat_map(|other| &other.effects).find_map(|effect| match effect {
            Effect::Order { seat: of, book, .. } if of == seat => Some(book.version + 1),
            _ => None,
        });
        let is_current = match of_seat {
            Some(version) => version == book.version,
            None => orders_sql::is_current(c, &append.match_id, *seat, book)?,
        };
        if !is_current {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Effects that may be written in any order, by kind.
#[derive(Default)]
struct Layer<'e> {
    players: Vec<Vec<Value<'e>>>,
    deadlines: Vec<Vec<Value<'e>>>,
    no_deadlines: Vec<Vec<Value<'e>>>,
    notices: Vec<Vec<Value<'e>>>,
    moot: Vec<Vec<Value<'e>>>,
    orders: Vec<(&'e str, u8, &'e StoredBook, Option<&'e StoredAnswer>, u32)>,
}

/// Writes what follows from entries. The effects of a match are written in their order; the first of all matches together, then
/// the second, and so on, so that a group takes few trips to a database that is far away.
pub fn write_effects<'e>(c: &Connection<'_>, group: &[Following<'e>]) -> sql::Result<()> {
    let mut layers: Vec<Layer<'e>> = Vec::new();
    // Those are numbered in the order in which matches ended.
    let mut ratings: Vec<Vec<Value<'e>>> = Vec::new();
    let mut depth: HashMap<&str, usize> = HashMap::new();
    for following in group {
        for effect in following.effects {
            if let Effect::Rating { account, standing } = effect {
                let Following { match_id, at, .. } = *following;
                ratings.push(list![match_id, number(*account), &**standing, time(at)]);
                continue;
            }
            let depth = depth.entry(following.match_id).or_default();
            if *depth == layers.len() {
                layers.push(Layer::default());
            }
            layers[*depth].add(following, effect);
            *depth += 1;
        }
    }
    layers.iter().try_for_each(|layer| layer.write(c))?;
    if ratings.is_empty() {
        return Ok(());
    }
    c.hold_rating_log()?;
    c.execute_all(
        "INSERT INTO rating_log (number, match, game, account, standing, at) \
         SELECT (SELECT COALESCE(MAX(number), 0) + 1 FROM rating_log), id, game, ?2, ?3, ?4 \
         FROM matches WHERE id = ?1 ON CONFLICT DO NOTHING",
        &ratings,
    )
}

impl<'e> Layer<'e> {
    fn add(&mut self, following: &Following<'e>, effect: &'e Effect) {
        let Following { match_id: id, revision, .. } = *following;
        match effect {
            Effect::Player { seat, player } => {
                self.players.push(list![id, *seat, Value::Text(player.to_string().into())]);
            }
            Effect::Deadline { seat, at } => self.deadlines.push(list![id, *seat, time(*at), revision]),
            Effect::NoDeadline => self.no_deadlines.push(list![id]),
            Effect::Notice(Notice { account, seat, stint, kind, due_at }) => {
                self.notices.push(list![number(*account), id, *seat, *stint, &**kind, time(*due_at)]);
            }
            Effect::Moot { seat, stint } => self.moot.push(list![id, *seat, *stint]),
            // Written by itself, after all others.
            Effect::Rating { .. } => {}
            Effect::Order { seat, book, answer, steps } => {
                self.orders.push((id, *seat, book, answer.as_ref(), *steps));
            }
        }
    }

    fn write(&self, c: &Connection<'_>) -> sql::Result<()> {
        c.execute_all(SEAT_PLAYER, &self.players)?;
        c.execute_all(PUT_DEADLINE, &self.deadlines)?;
        c.execute_all("DELETE FROM deadlines WHERE match_id = ?1", &self.no_deadlines)?;
        c.execute_all(
            "INSERT INTO notices (account, match, seat, stint, kind, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
             ON CONFLICT DO NOTHING",
            &self.notices,
        )?;
        c.execute_all(
            "UPDATE notices SET state = 'moot' WHERE match = ?1 AND seat = ?2 AND stint = ?3 \
             AND state = 'waiting'",
            &self.moot,
        )?;
        self.orders.iter().try_for_each(|&(id, seat, book, answer, steps)| {
            orders_sql::put(c, id, seat, book, answer, Some(steps)).map(drop)
        })
    }
}

const PUT_DEADLINE: &str = "INSERT INTO deadlines (match_id, seat, at, revision) VALUES (?1, ?2, ?3, ?4) \
                            ON CONFLICT (match_id) DO UPDATE SET seat = ?2, at = ?3, revision = ?4";

fn put_deadline(c: &Connection<'_>, id: &str, revision: u32, deadline: Option<(u8, u64)>) -> sql::Result<()> {
    match deadline {
        Some((seat, at)) => {
            c.execute(PUT_DEADLINE, params![id, seat, time(at), revision])?;
        }
        None => {
            c.prepare_cached("DELETE FROM deadlines WHERE match_id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}

/// Whether the match is still at that revision.
pub(crate) fn set_deadline(
    c: &Connection<'_>,
    id: &str,
    revision: u32,
    deadline: Option<(u8, u64)>,
) -> sql::Result<bool> {
    // Written and not only read: entries come in transactions that would not notice a reader.
    let hold = "UPDATE progress SET revision = revision WHERE match_id = ?1 AND revision = ?2";
    if c.execute(hold, params![id, revision])? == 0 {
        return Ok(false);
    }
    put_deadline(c, id, revision, deadline)?;
    Ok(true)
}

pub(crate) fn deadlines(c: &Connection<'_>, until: u64, most: usize) -> sql::Result<Vec<Deadline>> {
    let mut due = c.prepare_cached(
        "SELECT d.match_id, d.seat, d.at, d.revision FROM deadlines d JOIN matches m ON m.id = d.match_id \
         WHERE d.at <= ?1 AND m.deleted_at IS NULL ORDER BY d.at, d.match_id LIMIT ?2",
    )?;
    let rows = due.query_map(params![time(until), most as i64], |row| {
        Ok(Deadline {
            match_id: row.get(0)?,
            seat: row.get(1)?,
            at: read_time(row.get(2)?),
            revision: row.get(3)?,
        })
    })?;
    rows.collect()
}

pub(crate) fn notices(c: &Connection<'_>, id: &str) -> sql::Result<Vec<(Notice, NoticeState)>> {
    let mut notices = c.prepare_cached(
        "SELECT account, seat, stint, kind, due_at, state FROM notices WHERE match = ?1 \
         ORDER BY account, seat, stint, kind",
    )?;
    notices.query_map([id], notice)?.collect()
}

fn notice(row: &Row<'_>) -> sql::Result<(Notice, NoticeState)> {
    let state = row.get_ref(5)?;
    let state = state.as_str()?;
    let state =
        NoticeState::read(state).ok_or_else(|| unreadable(format!("unknown state {state:?} of a notice")))?;
    let notice = Notice {
        account: account(row.get(0)?),
        seat: row.get(1)?,
        stint: row.get(2)?,
        kind: row.get(3)?,
        due_at: read_time(row.get(4)?),
    };
    Ok((notice, state))
}

pub(crate) fn rated(c: &Connection<'_>, after: u64, most: usize) -> sql::Result<Vec<RatedMatch>> {
    let mut rated = c.prepare_cached(
        "SELECT number, match, game, account, standing, at FROM rating_log WHERE number > ?1 ORDER BY number \
         LIMIT ?2",
    )?;
    let rows = rated.query_map(params![time(after), most as i64], |row| {
        Ok(RatedMatch {
            number: read_time(row.get(0)?),
            match_id: row.get(1)?,
            game: row.get(2)?,
            account: account(row.get(3)?),
            standing: row.get(4)?,
            at: read_time(row.get(5)?),
        })
    })?;
    rows.collect()
}

pub(crate) fn outages(c: &Connection<'_>, ended_after: u64) -> sql::Result<Vec<Outage>> {
    let mut outages =
        c.prepare_cached("SELECT began, ended FROM outages WHERE ended > ?1 ORDER BY began, ended")?;
    let rows = outages.query_map([time(ended_after)], |row| {
        Ok(Outage { began: read_time(row.get(0)?), ended: read_time(row.get(1)?) })
    })?;
    rows.collect()
}
