//! What follows from entries, as rows. Every function here runs inside a transaction of its caller.

use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Row, params};

use super::read::{account, time as read_time};
use super::write::{number, seat_player, time};
use crate::{Deadline, Effect, Notice, NoticeState, Outage, RatedMatch};

/// Writes what follows from the entry `revision` of a match, made at `at`.
pub(super) fn write(
    c: &Connection,
    id: &str,
    revision: u32,
    at: u64,
    effects: &[Effect],
) -> rusqlite::Result<()> {
    for effect in effects {
        match effect {
            Effect::Player { seat, player } => {
                seat_player(c, id, *seat, player)?;
            }
            Effect::Deadline { seat, at } => put_deadline(c, id, revision, Some((*seat, *at)))?,
            Effect::NoDeadline => put_deadline(c, id, revision, None)?,
            Effect::Notice(notice) => add_notice(c, id, notice)?,
            Effect::Moot { seat, stint } => {
                let mut update = c.prepare_cached(
                    "UPDATE notices SET state = 'moot' WHERE match = ?1 AND seat = ?2 AND stint = ?3 \
                     AND state = 'waiting'",
                )?;
                update.execute(params![id, seat, stint])?;
            }
            Effect::Rating { account, standing } => {
                let mut insert = c.prepare_cached(
                    "INSERT INTO rating_log (match, game, account, standing, at) \
                     SELECT id, game, ?2, ?3, ?4 FROM matches WHERE id = ?1 ON CONFLICT DO NOTHING",
                )?;
                insert.execute(params![id, number(*account), standing, time(at)])?;
            }
        }
    }
    Ok(())
}

fn add_notice(c: &Connection, id: &str, notice: &Notice) -> rusqlite::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO notices (account, match, seat, stint, kind, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT DO NOTHING",
    )?;
    let Notice { account, seat, stint, kind, due_at } = notice;
    insert.execute(params![number(*account), id, seat, stint, kind, time(*due_at)])?;
    Ok(())
}

fn put_deadline(
    c: &Connection,
    id: &str,
    revision: u32,
    deadline: Option<(u8, u64)>,
) -> rusqlite::Result<()> {
    match deadline {
        Some((seat, at)) => {
            let mut put = c.prepare_cached(
                "INSERT INTO deadlines (match_id, seat, at, revision) VALUES (?1, ?2, ?3, ?4) \
                 ON CONFLICT (match_id) DO UPDATE SET seat = ?2, at = ?3, revision = ?4",
            )?;
            put.execute(params![id, seat, time(at), revision])?;
        }
        None => {
            c.prepare_cached("DELETE FROM deadlines WHERE match_id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}

/// Whether the match is still at that revision.
pub(super) fn set_deadline(
    c: &Connection,
    id: &str,
    revision: u32,
    deadline: Option<(u8, u64)>,
) -> rusqlite::Result<bool> {
    let mut now = c.prepare_cached("SELECT revision FROM progress WHERE match_id = ?1")?;
    let now: Option<u32> = now.query_row([id], |row| row.get(0)).optional()?;
    if now != Some(revision) {
        return Ok(false);
    }
    put_deadline(c, id, revision, deadline)?;
    Ok(true)
}

pub(super) fn deadlines(c: &Connection, until: u64, most: usize) -> rusqlite::Result<Vec<Deadline>> {
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

pub(super) fn notices(c: &Connection, id: &str) -> rusqlite::Result<Vec<(Notice, NoticeState)>> {
    let mut notices = c.prepare_cached(
        "SELECT account, seat, stint, kind, due_at, state FROM notices WHERE match = ?1 \
         ORDER BY account, seat, stint, kind",
    )?;
    notices.query_map([id], notice)?.collect()
}

fn notice(row: &Row<'_>) -> rusqlite::Result<(Notice, NoticeState)> {
    let state = row.get_ref(5)?.as_str()?;
    let state = NoticeState::read(state).ok_or_else(|| {
        Error::FromSqlConversionFailure(5, Type::Text, format!("unknown state {state:?} of a notice").into())
    })?;
    let notice = Notice {
        account: account(row.get(0)?),
        seat: row.get(1)?,
        stint: row.get(2)?,
        kind: row.get(3)?,
        due_at: read_time(row.get(4)?),
    };
    Ok((notice, state))
}

pub(super) fn rated(c: &Connection, after: u64, most: usize) -> rusqlite::Result<Vec<RatedMatch>> {
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

pub(super) fn outages(c: &Connection, ended_after: u64) -> rusqlite::Result<Vec<Outage>> {
    let mut outages =
        c.prepare_cached("SELECT began, ended FROM outages WHERE ended > ?1 ORDER BY began, ended")?;
    let rows = outages.query_map([time(ended_after)], |row| {
        Ok(Outage { began: read_time(row.get(0)?), ended: read_time(row.get(1)?) })
    })?;
    rows.collect()
}
