//! Rows into records.

use std::collections::HashMap;

use crate::sql::{self, Connection, OptionalExtension as _, Row, ToValue, marks, params, unreadable};
use crate::{
    AccountId, Awaited, Counts, Entry, EntryKind, FinishedMatch, MatchRecord, Origin, Player, SeatRecord,
    Shelf, Summary, TableEventError,
};

/// The columns that [`record`] reads; the header is the last, so that it can be left out.
macro_rules! select_match {
    ($header:literal, $rest:literal) => {
        concat!(
            "SELECT m.id, m.game, m.name, m.setup, m.options, m.viewer_token, m.origin_match, m.origin_step, \
             m.created_at, m.deleted_at, p.changed_at, p.revision, p.steps, p.turn, p.last_event, p.to_move, \
             p.result, p.result_title, p.standings, p.pace, p.lesson, p.owner_to_move, p.mover, ",
            $header,
            " FROM matches m JOIN progress p ON p.match_id = m.id ",
            $rest
        )
    };
}

pub(crate) fn find(c: &Connection<'_>, id: &str) -> sql::Result<Option<MatchRecord>> {
    let mut found = c.prepare_cached(select_match!("m.header", "WHERE m.id = ?1"))?;
    let Some(mut found) = found.query_row([id], record).optional()? else { return Ok(None) };
    found.seats = seats_of(c, id)?;
    Ok(Some(found))
}

/// The matches in the bin: few, and found by their index.
pub(crate) fn bin(c: &Connection<'_>) -> sql::Result<Vec<MatchRecord>> {
    let mut matches = c.prepare_cached(select_match!(
        "''",
        "WHERE m.deleted_at IS NOT NULL ORDER BY p.changed_at DESC, m.created_at DESC, m.id"
    ))?;
    let mut found: Vec<MatchRecord> = matches.query_map([], record)?.collect::<Result<_, _>>()?;
    for record in &mut found {
        record.seats = seats_of(c, &record.id)?;
    }
    Ok(found)
}

/// All matches that are not in the bin.
pub(crate) fn list(c: &Connection<'_>) -> sql::Result<Vec<MatchRecord>> {
    let mut matches = c.prepare_cached(select_match!(
        "''",
        "WHERE m.deleted_at IS NULL ORDER BY p.changed_at DESC, m.created_at DESC, m.id"
    ))?;
    let mut matches: Vec<_> = matches.query_map([], record)?.collect::<Result<_, _>>()?;
    // All seats at once: one query for each match would take far longer.
    let mut seats = c.prepare_cached(
        "SELECT s.seat, s.word, s.token, s.player, s.claimed_at, s.seen, s.match_id
         FROM seats s JOIN matches m ON m.id = s.match_id WHERE m.deleted_at IS NULL
         ORDER BY s.match_id, s.seat",
    )?;
    let mut of: HashMap<String, Vec<SeatRecord>> = HashMap::with_capacity(matches.len());
    seats.for_each([], |row| {
        of.entry(row.get(6)?).or_default().push(seat(row)?);
        Ok(())
    })?;
    for record in &mut matches {
        record.seats = of.remove(&record.id).unwrap_or_default();
    }
    Ok(matches)
}

pub(crate) fn forks(c: &Connection<'_>) -> sql::Result<Vec<(String, String)>> {
    let mut forks = c.prepare_cached(
        "SELECT id, origin_match FROM matches WHERE origin_match IS NOT NULL AND deleted_at IS NULL ORDER BY id",
    )?;
    forks.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(crate) fn counts(c: &Connection<'_>) -> sql::Result<Counts> {
    // All of them from the index alone, less the few in the bin.
    let all = "SELECT result IS NOT NULL, owner_to_move, count(*) FROM progress GROUP BY 1, 2";
    let in_bin = "SELECT p.result IS NOT NULL, p.owner_to_move, count(*) FROM matches m \
                  JOIN progress p ON p.match_id = m.id WHERE m.deleted_at IS NOT NULL GROUP BY 1, 2";
    let mut counts = Counts::default();
    for (query, counts_as_there) in [(all, true), (in_bin, false)] {
        let mut statement = c.prepare_cached(query)?;
        statement.for_each([], |row| {
            let (finished, owner_to_move): (bool, bool) = (row.get(0)?, row.get(1)?);
            let count = row.get::<u32>(2)? as usize;
            let change = |sum: &mut usize| {
                *sum = if counts_as_there { *sum + count } else { sum.saturating_sub(count) };
            };
            change(if finished { &mut counts.finished } else { &mut counts.running });
            if owner_to_move && !finished {
                change(&mut counts.owner_to_move);
            }
            Ok(())
        })?;
    }
    Ok(counts)
}

pub(crate) fn page(
    c: &Connection<'_>,
    shelf: Shelf,
    from: usize,
    most: usize,
) -> sql::Result<Vec<MatchRecord>> {
    // The condition is that of the index, word for word, and so without a value.
    let sql = match shelf {
        Shelf::Finished => select_match!(
            "''",
            "WHERE (p.result IS NOT NULL) = TRUE AND m.deleted_at IS NULL
             ORDER BY p.owner_to_move DESC, p.changed_at DESC, p.match_id LIMIT ?1 OFFSET ?2"
        ),
        Shelf::Running => select_match!(
            "''",
            "WHERE (p.result IS NOT NULL) = FALSE AND m.deleted_at IS NULL
             ORDER BY p.owner_to_move DESC, p.changed_at DESC, p.match_id LIMIT ?1 OFFSET ?2"
        ),
    };
    let mut matches = c.prepare_cached(sql)?;
    let found = matches.query_map([most as i64, from as i64], record)?;
    let mut found: Vec<MatchRecord> = found.collect::<Result<_, _>>()?;
    for record in &mut found {
        record.seats = seats_of(c, &record.id)?;
    }
    Ok(found)
}

fn seats_of(c: &Connection<'_>, id: &str) -> sql::Result<Vec<SeatRecord>> {
    let mut seats = c.prepare_cached(
        "SELECT seat, word, token, player, claimed_at, seen FROM seats WHERE match_id = ?1 ORDER BY seat",
    )?;
    seats.query_map([id], seat)?.collect()
}

pub(crate) fn journal(c: &Connection<'_>, id: &str) -> sql::Result<Vec<Entry>> {
    let mut entries = c.prepare_cached(
        "SELECT seq, at, steps, undo_to, undo_crossed, event, account, request, awaits, turn FROM journal \
         WHERE match_id = ?1 ORDER BY seq",
    )?;
    entries.query_map([id], entry)?.collect()
}

pub(crate) fn journal_after(c: &Connection<'_>, id: &str, after: u32) -> sql::Result<Vec<Entry>> {
    let mut entries = c.prepare_cached(
        "SELECT seq, at, steps, undo_to, undo_crossed, event, account, request, awaits, turn FROM journal \
         WHERE match_id = ?1 AND seq > ?2 ORDER BY seq",
    )?;
    entries.query_map(params![id, after], entry)?.collect()
}

/// Some matches. A statement asks for so many whatever the number, so that there are few of them: the last one is repeated.
pub(crate) fn glance(c: &Connection<'_>, ids: &[String]) -> sql::Result<Vec<MatchRecord>> {
    const AT_ONCE: usize = 32;
    let mut found = Vec::with_capacity(ids.len());
    for some in ids.chunks(AT_ONCE) {
        let ids = some.iter().chain(std::iter::repeat(&some[some.len() - 1])).take(AT_ONCE);
        let values: Vec<&dyn ToValue> = ids.map(|id| id as &dyn ToValue).collect();
        let sql = format!("{} ({})", select_match!("''", "WHERE m.id IN"), marks(1, AT_ONCE));
        let records = c.prepare_cached(&sql)?.query_map(&values[..], record)?;
        let mut records: HashMap<String, MatchRecord> = records
            .map(|record| record.map(|record| (record.id.clone(), record)))
            .collect::<Result<_, _>>()?;
        let sql = format!(
            "SELECT seat, word, token, player, claimed_at, seen, match_id FROM seats WHERE match_id IN ({}) \
             ORDER BY match_id, seat",
            marks(1, AT_ONCE)
        );
        c.prepare_cached(&sql)?.for_each(&values[..], |row| {
            if let Some(record) = records.get_mut(&row.get::<String>(6)?) {
                record.seats.push(seat(row)?);
            }
            Ok(())
        })?;
        found.extend(records.into_values());
    }
    Ok(found)
}

pub(crate) fn finished(c: &Connection<'_>) -> sql::Result<Vec<FinishedMatch>> {
    let mut finished = c.prepare_cached(
        "SELECT m.id, m.game, m.options, p.result, p.standings, p.finished_at
         FROM matches m JOIN progress p ON p.match_id = m.id
         WHERE p.result IS NOT NULL AND m.deleted_at IS NULL ORDER BY p.finished_at, m.id",
    )?;
    let rows = finished.query_map([], |row| {
        Ok(FinishedMatch {
            match_id: row.get(0)?,
            game: row.get(1)?,
            options: row.get(2)?,
            result: row.get(3)?,
            standings: row.get(4)?,
            finished_at: time(row.get(5)?),
        })
    })?;
    rows.collect()
}

pub(crate) fn setting(c: &Connection<'_>, key: &str) -> sql::Result<Option<String>> {
    let mut value = c.prepare_cached("SELECT value FROM settings WHERE key = ?1")?;
    value.query_row(params![key], |row| row.get(0)).optional()
}

fn record(row: &Row<'_>) -> sql::Result<MatchRecord> {
    let origin = row.get::<Option<String>>(6)?.zip(row.get::<Option<u32>>(7)?);
    Ok(MatchRecord {
        id: row.get(0)?,
        game: row.get(1)?,
        name: row.get(2)?,
        setup: row.get(3)?,
        options: row.get(4)?,
        viewer_token: row.get(5)?,
        origin: origin.map(|(match_id, step)| Origin { match_id, step }),
        created_at: time(row.get(8)?),
        deleted_at: row.get::<Option<i64>>(9)?.map(time),
        changed_at: time(row.get(10)?),
        revision: row.get(11)?,
        summary: Summary {
            steps: row.get(12)?,
            turn: row.get(13)?,
            last_event: row.get(14)?,
            to_move: row.get(15)?,
            owner_to_move: row.get(21)?,
            mover: row.get(22)?,
            result: row.get(16)?,
            result_title: row.get(17)?,
            standings: row.get(18)?,
        },
        pace: row.get(19)?,
        lesson: row.get(20)?,
        header: row.get(23)?,
        seats: Vec::new(),
    })
}

fn seat(row: &Row<'_>) -> sql::Result<SeatRecord> {
    Ok(SeatRecord {
        seat: row.get(0)?,
        word: row.get(1)?,
        token: row.get(2)?,
        player: Player::read(row.get_ref(3)?.as_str()?),
        claimed_at: row.get::<Option<i64>>(4)?.map(time),
        seen: row.get(5)?,
    })
}

fn entry(row: &Row<'_>) -> sql::Result<Entry> {
    let awaits = row.get::<Option<u8>>(8)?.zip(row.get::<Option<u16>>(9)?);
    Ok(Entry {
        seq: row.get(0)?,
        at: time(row.get(1)?),
        account: row.get::<Option<i64>>(6)?.map(account),
        request: row.get(7)?,
        awaits: awaits.map(|(seat, turn)| Awaited { seat, turn }),
        kind: match (row.get(2)?, row.get_ref(5)?.as_str_or_null()?) {
            (Some(steps), _) => EntryKind::Steps(steps),
            (None, None) => EntryKind::Undo { to_step: row.get(3)?, crossed: row.get(4)? },
            (None, Some(line)) => EntryKind::Event(line.parse().map_err(|why: TableEventError| {
                unreadable(format!("the event {line:?} can't be read: {why}"))
            })?),
        },
    })
}

/// Databases know no unsigned numbers; no time before 1970 is ever written.
pub(crate) fn time(at: i64) -> u64 {
    at.max(0).cast_unsigned()
}

pub(crate) fn account(number: i64) -> AccountId {
    AccountId(number.cast_unsigned())
}
