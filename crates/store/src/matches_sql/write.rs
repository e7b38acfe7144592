//! Records into rows. Every function here runs inside a transaction of its caller.

use crate::sql::{self, Connection, OptionalExtension as _, Value, list, params};
use crate::{
    AccountId, Append, AppendOutcome, Effect, Entry, EntryKind, MatchRecord, Outage, Player, SeatRecord,
};

use super::effects::{Following, brings_current_books, write_effects};

/// Whether it was written: `false` if there is a match with that id.
pub(crate) fn create(
    c: &Connection<'_>,
    record: &MatchRecord,
    journal: &[Entry],
    effects: &[Effect],
) -> sql::Result<bool> {
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
         ?8, ?9, ?10, CASE WHEN CAST(?8 AS TEXT) IS NULL THEN NULL ELSE CAST(?3 AS BIGINT) END, ?11, ?12, ?13, ?14)",
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
    let player = |seat: &SeatRecord| seat.player.to_string();
    let players: Vec<String> = record.seats.iter().map(player).collect();
    let seats: Vec<Vec<Value<'_>>> = record
        .seats
        .iter()
        .zip(&players)
        .map(|(seat, player)| {
            let claimed_at = seat.claimed_at.map(time);
            list![&*record.id, seat.seat, &*seat.word, &*seat.token, &**player, claimed_at, seat.seen]
        })
        .collect();
    c.execute_all(
        "INSERT INTO seats (match_id, seat, word, token, player, claimed_at, seen) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        &seats,
    )?;
    insert_entries(c, &record.id, journal)?;
    let following =
        Following { match_id: &record.id, revision: record.revision, at: record.changed_at, effects };
    write_effects(c, &[following])?;
    Ok(true)
}

pub(crate) fn append(c: &Connection<'_>, append: &Append) -> sql::Result<AppendOutcome> {
    let Append { match_id, entry, summary, effects } = append;
    if let Some(request) = &entry.request {
        let mut known = c.prepare_cached("SELECT seq FROM journal WHERE match_id = ?1 AND request = ?2")?;
        if let Some(seq) = known.query_row([match_id, request], |row| row.get(0)).optional()? {
            return Ok(AppendOutcome::Repeated(seq));
        }
    }
    if !brings_current_books(c, append, &[])? {
        return Ok(AppendOutcome::Conflict);
    }
    // The condition on the revision is what lets only one of several writers have a number; that it is
    // the primary key of the journal too is the second line.
    let mut update = c.prepare_cached(
        "UPDATE progress SET revision = ?2, changed_at = CASE WHEN changed_at < ?3 THEN ?3 ELSE changed_at END, steps = ?4, turn = ?5, \
         last_event = ?6, to_move = ?7, result = ?8, result_title = ?9, standings = ?10, owner_to_move = ?11, \
         mover = ?12, finished_at = CASE WHEN ?8 IS NULL THEN NULL WHEN result IS NOT DISTINCT FROM ?8 THEN finished_at ELSE ?3 END \
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
    insert_entries(c, match_id, std::slice::from_ref(entry))?;
    write_effects(c, &[Following { match_id, revision: entry.seq, at: entry.at, effects }])?;
    Ok(AppendOutcome::Written)
}

fn insert_entries(c: &Connection<'_>, match_id: &str, entries: &[Entry]) -> sql::Result<()> {
    let rows: Vec<EntryRow<'_>> = entries.iter().map(EntryRow::of).collect();
    let lists: Vec<Vec<Value<'_>>> = rows.iter().map(|row| row.values(match_id)).collect();
    c.execute_all(
        "INSERT INTO journal (match_id, seq, at, steps, undo_to, undo_crossed, event, account, request, awaits, \
         turn) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        &lists,
    )
}

/// An entry as the journal's table has it: in one of its columns stands what happened.
pub struct EntryRow<'e> {
    /// The entry.
    pub entry: &'e Entry,
    /// The steps that one input led to.
    pub steps: Option<&'e str>,
    /// The last step that still counts.
    pub undo_to: Option<u32>,
    /// Whether something that had been revealed was undone.
    pub undo_crossed: Option<bool>,
    /// What happened beside choices.
    pub event: Option<String>,
}

impl<'e> EntryRow<'e> {
    /// The row of an entry.
    pub fn of(entry: &'e Entry) -> Self {
        let mut row = Self { entry, steps: None, undo_to: None, undo_crossed: None, event: None };
        match &entry.kind {
            EntryKind::Steps(text) => row.steps = Some(text),
            EntryKind::Undo { to_step, crossed } => {
                (row.undo_to, row.undo_crossed) = (Some(*to_step), Some(*crossed));
            }
            EntryKind::Event(happened) => row.event = Some(happened.to_string()),
        }
        row
    }

    fn values<'v>(&'v self, match_id: &'v str) -> Vec<Value<'v>> {
        let Self { entry, steps, undo_to, undo_crossed, event } = self;
        let (seat, turn) = entry.awaits.map(|awaited| (awaited.seat, awaited.turn)).unzip();
        list![
            match_id,
            entry.seq,
            time(entry.at),
            *steps,
            *undo_to,
            *undo_crossed,
            event.as_deref(),
            entry.account.map(number),
            entry.request.as_deref(),
            seat,
            turn
        ]
    }
}

pub(crate) fn rename(c: &Connection<'_>, id: &str, name: &str) -> sql::Result<bool> {
    let changed = c.prepare_cached("UPDATE matches SET name = ?2 WHERE id = ?1")?.execute([id, name])?;
    Ok(changed > 0)
}

pub(crate) fn set_pace(c: &Connection<'_>, id: &str, pace: &str) -> sql::Result<bool> {
    let mut update = c.prepare_cached("UPDATE progress SET pace = ?2 WHERE match_id = ?1")?;
    Ok(update.execute([id, pace])? > 0)
}

pub(crate) fn set_lesson(c: &Connection<'_>, id: &str, lesson: &str) -> sql::Result<bool> {
    let mut update = c.prepare_cached("UPDATE progress SET lesson = ?2 WHERE match_id = ?1")?;
    Ok(update.execute([id, lesson])? > 0)
}

pub(crate) fn mark_deleted(c: &Connection<'_>, id: &str, at: Option<u64>) -> sql::Result<bool> {
    let mut update = c.prepare_cached("UPDATE matches SET deleted_at = ?2 WHERE id = ?1")?;
    Ok(update.execute(params![id, at.map(time)])? > 0)
}

pub(crate) fn purge(c: &Connection<'_>, deleted_before: u64) -> sql::Result<usize> {
    // Notices outlive no match, though some are about other things and so refer to none.
    c.prepare_cached("DELETE FROM notices WHERE match IN (SELECT id FROM matches WHERE deleted_at < ?1)")?
        .execute([time(deleted_before)])?;
    c.prepare_cached("DELETE FROM matches WHERE deleted_at < ?1")?.execute([time(deleted_before)])
}

pub(crate) fn claim(c: &Connection<'_>, id: &str, seat: u8, at: u64) -> sql::Result<bool> {
    let mut update = c.prepare_cached(
        "UPDATE seats SET claimed_at = ?3 WHERE match_id = ?1 AND seat = ?2 AND claimed_at IS NULL",
    )?;
    Ok(update.execute(params![id, seat, time(at)])? > 0)
}

pub(crate) fn set_seen(c: &Connection<'_>, group: &[(String, u8, u32)]) -> sql::Result<()> {
    let lists: Vec<Vec<Value<'_>>> =
        group.iter().map(|(id, seat, steps)| list![&**id, *seat, *steps]).collect();
    c.execute_all("UPDATE seats SET seen = ?3 WHERE match_id = ?1 AND seat = ?2", &lists)
}

pub(crate) fn set_token(c: &Connection<'_>, id: &str, seat: Option<u8>, token: &str) -> sql::Result<bool> {
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

pub(crate) fn set_player(
    c: &Connection<'_>,
    id: &str,
    seat: u8,
    player: &Player,
    (to_move, owner_to_move): (&str, bool),
) -> sql::Result<bool> {
    if !seat_player(c, id, seat, player)? {
        return Ok(false);
    }
    let mut update =
        c.prepare_cached("UPDATE progress SET to_move = ?2, owner_to_move = ?3 WHERE match_id = ?1")?;
    update.execute(params![id, to_move, owner_to_move])?;
    Ok(true)
}

pub(super) const SEAT_PLAYER: &str = "UPDATE seats SET player = ?3 WHERE match_id = ?1 AND seat = ?2";

/// Whether there is such a seat.
pub(crate) fn seat_player(c: &Connection<'_>, id: &str, seat: u8, player: &Player) -> sql::Result<bool> {
    Ok(c.execute(SEAT_PLAYER, params![id, seat, player.to_string()])? > 0)
}

pub(crate) fn add_outage(c: &Connection<'_>, outage: Outage) -> sql::Result<()> {
    let mut insert =
        c.prepare_cached("INSERT INTO outages (began, ended) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?;
    insert.execute([time(outage.began), time(outage.ended)])?;
    Ok(())
}

pub(crate) fn set_setting(c: &Connection<'_>, key: &str, value: &str) -> sql::Result<()> {
    let mut insert = c.prepare_cached(
        "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
    )?;
    insert.execute([key, value])?;
    Ok(())
}

/// Whether the setting was as it was said to be.
pub(super) fn swap_setting(
    c: &Connection<'_>,
    key: &str,
    before: Option<&str>,
    value: &str,
) -> sql::Result<bool> {
    let changed = match before {
        Some(before) => c
            .prepare_cached("UPDATE settings SET value = ?3 WHERE key = ?1 AND value = ?2")?
            .execute([key, before, value])?,
        None => c
            .prepare_cached("INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING")?
            .execute([key, value])?,
    };
    Ok(changed > 0)
}

/// Databases know no unsigned numbers. The time that doesn't fit is 292 million years away.
pub(crate) fn time(at: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// The number of an account; each has its own, however large.
pub(crate) fn number(account: AccountId) -> i64 {
    account.0.cast_signed()
}
