//! Records into rows. Every function here runs inside a transaction of its caller.

use rusqlite::{Connection, OptionalExtension, params};

use crate::{AccountId, Append, AppendOutcome, Effect, Entry, EntryKind, MatchRecord, Outage, Player};

use super::effects;

/// Whether it was written: `false` if there is a match with that id.
pub(super) fn create(
    c: &Connection,
    record: &MatchRecord,
    journal: &[Entry],
    effects: &[Effect],
) -> rusqlite::Result<bool> {
    let mut insert = c.prepare_cached(
        "INSERT INTO matches (id, game, name, setup, viewer_token, origin_match, origin_step, created_at, \
         deleted_at, options, header) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
         ON CONFLICT (id) DO NOTHING",
    )?;
    let written = insert.execute(params![
        record.id,
        record.game,
        record.name,
        record.setup,
        record.viewer_token,
        record.origin.as_ref().map(|origin| &origin.match_id),
        record.origin.as_ref().map(|origin| origin.step),
        time(record.created_at),
        record.deleted_at.map(time),
        record.options,
        record.header,
    ])?;
    if written == 0 {
        return Ok(false);
    }
    let summary = &record.summary;
    let mut insert = c.prepare_cached(
        "INSERT INTO progress (match_id, revision, changed_at, steps, turn, last_event, to_move, result, \
         result_title, standings, finished_at, pace, lesson, owner_to_move, mover) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, \
         ?8, ?9, ?10, CASE WHEN ?8 IS NULL THEN NULL ELSE ?3 END, ?11, ?12, ?13, ?14)",
    )?;
    insert.execute(params![
        record.id,
        record.revision,
        time(record.changed_at),
        summary.steps,
        summary.turn,
        summary.last_event,
        summary.to_move,
        summary.result,
        summary.result_title,
        summary.standings,
        record.pace,
        record.lesson,
        summary.owner_to_move,
        summary.mover,
    ])?;
    let mut insert = c.prepare_cached(
        "INSERT INTO seats (match_id, seat, word, token, player, claimed_at, seen) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for seat in &record.seats {
        insert.execute(params![
            record.id,
            seat.seat,
            seat.word,
            seat.token,
            seat.player.to_string(),
            seat.claimed_at.map(time),
            seat.seen
        ])?;
    }
    for entry in journal {
        insert_entry(c, &record.id, entry)?;
    }
    effects::write(c, &record.id, record.revision, record.changed_at, effects)?;
    Ok(true)
}

pub(super) fn append(c: &Connection, append: &Append) -> rusqlite::Result<AppendOutcome> {
    let Append { match_id, entry, summary, effects } = append;
    if let Some(request) = &entry.request {
        let mut known = c.prepare_cached("SELECT seq FROM journal WHERE match_id = ?1 AND request = ?2")?;
        if let Some(seq) = known.query_row([match_id, request], |row| row.get(0)).optional()? {
            return Ok(AppendOutcome::Repeated(seq));
        }
    }
    // The condition on the revision is what lets only one of several writers have a number; that it is
    // the primary key of the journal too is the second line.
    let mut update = c.prepare_cached(
        "UPDATE progress SET revision = ?2, changed_at = max(changed_at, ?3), steps = ?4, turn = ?5, \
         last_event = ?6, to_move = ?7, result = ?8, result_title = ?9, standings = ?10, owner_to_move = ?11, \
         mover = ?12, finished_at = CASE WHEN ?8 IS NULL THEN NULL WHEN result IS ?8 THEN finished_at ELSE ?3 END \
         WHERE match_id = ?1 AND revision = ?2 - 1",
    )?;
    let updated = update.execute(params![
        match_id,
        entry.seq,
        time(entry.at),
        summary.steps,
        summary.turn,
        summary.last_event,
        summary.to_move,
        summary.result,
        summary.result_title,
        summary.standings,
        summary.owner_to_move,
        summary.mover,
    ])?;
    if updated == 0 {
        let exists = c.prepare_cached("SELECT 1 FROM matches WHERE id = ?1")?.exists([match_id])?;
        return Ok(if exists { AppendOutcome::Conflict } else { AppendOutcome::Missing });
    }
    insert_entry(c, match_id, entry)?;
    effects::write(c, match_id, entry.seq, entry.at, effects)?;
    Ok(AppendOutcome::Written)
}

fn insert_entry(c: &Connection, match_id: &str, entry: &Entry) -> rusqlite::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO journal (match_id, seq, at, steps, undo_to, undo_crossed, event, account, request, awaits, \
         turn) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    let (mut steps, mut to_step, mut crossed, mut event) = (None, None, None, None);
    match &entry.kind {
        EntryKind::Steps(text) => steps = Some(text),
        EntryKind::Undo { to_step: step, crossed: has_crossed } => {
            (to_step, crossed) = (Some(step), Some(has_crossed));
        }
        EntryKind::Event(happened) => event = Some(happened.to_string()),
    }
    insert.execute(params![
        match_id,
        entry.seq,
        time(entry.at),
        steps,
        to_step,
        crossed,
        event,
        entry.account.map(number),
        entry.request,
        entry.awaits.map(|awaited| awaited.seat),
        entry.awaits.map(|awaited| awaited.turn),
    ])?;
    Ok(())
}

pub(super) fn rename(c: &Connection, id: &str, name: &str) -> rusqlite::Result<bool> {
    let changed = c.prepare_cached("UPDATE matches SET name = ?2 WHERE id = ?1")?.execute([id, name])?;
    Ok(changed > 0)
}

pub(super) fn set_pace(c: &Connection, id: &str, pace: &str) -> rusqlite::Result<bool> {
    let mut update = c.prepare_cached("UPDATE progress SET pace = ?2 WHERE match_id = ?1")?;
    Ok(update.execute([id, pace])? > 0)
}

pub(super) fn set_lesson(c: &Connection, id: &str, lesson: &str) -> rusqlite::Result<bool> {
    let mut update = c.prepare_cached("UPDATE progress SET lesson = ?2 WHERE match_id = ?1")?;
    Ok(update.execute([id, lesson])? > 0)
}

pub(super) fn mark_deleted(c: &Connection, id: &str, at: Option<u64>) -> rusqlite::Result<bool> {
    let mut update = c.prepare_cached("UPDATE matches SET deleted_at = ?2 WHERE id = ?1")?;
    Ok(update.execute(params![id, at.map(time)])? > 0)
}

pub(super) fn purge(c: &Connection, deleted_before: u64) -> rusqlite::Result<usize> {
    // Notices outlive no match, though some are about other things and so refer to none.
    c.prepare_cached("DELETE FROM notices WHERE match IN (SELECT id FROM matches WHERE deleted_at < ?1)")?
        .execute([time(deleted_before)])?;
    c.prepare_cached("DELETE FROM matches WHERE deleted_at < ?1")?.execute([time(deleted_before)])
}

pub(super) fn claim(c: &Connection, id: &str, seat: u8, at: u64) -> rusqlite::Result<bool> {
    let mut update = c.prepare_cached(
        "UPDATE seats SET claimed_at = ?3 WHERE match_id = ?1 AND seat = ?2 AND claimed_at IS NULL",
    )?;
    Ok(update.execute(params![id, seat, time(at)])? > 0)
}

pub(super) fn set_seen(c: &Connection, group: &[(String, u8, u32)]) -> rusqlite::Result<()> {
    let mut update = c.prepare_cached("UPDATE seats SET seen = ?3 WHERE match_id = ?1 AND seat = ?2")?;
    for (id, seat, steps) in group {
        update.execute(params![id, seat, steps])?;
    }
    Ok(())
}

pub(super) fn set_token(c: &Connection, id: &str, seat: Option<u8>, token: &str) -> rusqlite::Result<bool> {
    let changed = match seat {
        None => {
            let mut update = c.prepare_cached("UPDATE matches SET viewer_token = ?2 WHERE id = ?1")?;
            update.execute([id, token])?
        }
        Some(seat) => {
            let mut update = c.prepare_cached(
                "UPDATE seats SET token = ?3, claimed_at = NULL WHERE match_id = ?1 AND seat = ?2",
            )?;
            update.execute(params![id, seat, token])?
        }
    };
    Ok(changed > 0)
}

pub(super) fn set_player(
    c: &Connection,
    id: &str,
    seat: u8,
    player: &Player,
    (to_move, owner_to_move): (&str, bool),
) -> rusqlite::Result<bool> {
    if !seat_player(c, id, seat, player)? {
        return Ok(false);
    }
    let mut update =
        c.prepare_cached("UPDATE progress SET to_move = ?2, owner_to_move = ?3 WHERE match_id = ?1")?;
    update.execute(params![id, to_move, owner_to_move])?;
    Ok(true)
}

/// Whether there is such a seat.
pub(super) fn seat_player(c: &Connection, id: &str, seat: u8, player: &Player) -> rusqlite::Result<bool> {
    let mut update = c.prepare_cached("UPDATE seats SET player = ?3 WHERE match_id = ?1 AND seat = ?2")?;
    Ok(update.execute(params![id, seat, player.to_string()])? > 0)
}

pub(super) fn add_outage(c: &Connection, outage: Outage) -> rusqlite::Result<()> {
    let mut insert =
        c.prepare_cached("INSERT INTO outages (began, ended) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?;
    insert.execute([time(outage.began), time(outage.ended)])?;
    Ok(())
}

pub(crate) fn set_setting(c: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
    )?;
    insert.execute([key, value])?;
    Ok(())
}

/// SQLite knows no unsigned numbers. The time that doesn't fit is 292 million years away.
pub(crate) fn time(at: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// The number of an account; each has its own, however large.
pub(super) fn number(account: AccountId) -> i64 {
    account.0.cast_signed()
}
