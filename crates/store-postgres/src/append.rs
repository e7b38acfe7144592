//! A group of entries in one transaction and a few statements, however large it is.
//!
//! The rows of all matches are locked in the order of their names, so that two writers never wait for each other in a ring. What
//! becomes of each entry is then known without another question; a second entry of a match follows the first in the same
//! statements.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use store::sql::{self, Connection, EntryRow, Following, brings_current_books, write_effects};
use store::{Append, AppendOutcome, StoreError, Summary};

use crate::dialect::{read, written};
use crate::session::PgSession;

const LOCK: &str = "SELECT match_id, revision, changed_at, result, finished_at FROM progress \
                    WHERE match_id = ANY($1::text[]) ORDER BY match_id FOR UPDATE";

const REQUESTS: &str = "SELECT j.match_id, j.request, j.seq FROM unnest($1::text[], $2::text[]) AS r (match_id, request) \
                        JOIN journal j ON j.match_id = r.match_id AND j.request = r.request";

const PROGRESS: &str = "UPDATE progress p SET revision = u.revision, changed_at = u.changed_at, steps = u.steps, turn = u.turn, \
     last_event = u.last_event, to_move = u.to_move, result = u.result, result_title = u.result_title, \
     standings = u.standings, owner_to_move = u.owner_to_move, mover = u.mover, finished_at = u.finished_at \
     FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::text[], $7::text[], $8::text[], $9::text[], \
     $10::text[], $11::text[], $12::int8[], $13::int8[], $14::int8[]) AS u (match_id, before, revision, changed_at, steps, turn, \
     last_event, to_move, result, result_title, standings, owner_to_move, mover, finished_at) \
     WHERE p.match_id = u.match_id AND p.revision = u.before";

const JOURNAL: &str = "INSERT INTO journal (match_id, seq, at, steps, undo_to, undo_crossed, event, account, request, awaits, turn) \
     SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[], $4::text[], $5::int8[], $6::int8[], $7::text[], $8::int8[], \
     $9::text[], $10::int8[], $11::int8[])";

/// Where a match stands while its entries are looked at.
struct Standing<'g> {
    before: i64,
    revision: i64,
    changed_at: i64,
    result: Option<Cow<'g, str>>,
    finished_at: Option<i64>,
    summary: Option<&'g Summary>,
}

/// Writes a group; see [`store::Store::append`].
pub(crate) fn append(session: &PgSession<'_>, group: &[Append]) -> sql::Result<Vec<AppendOutcome>> {
    let mut standings = lock(session, group)?;
    let mut requests = known_requests(session, group)?;
    let mut outcomes = Vec::with_capacity(group.len());
    let mut won: Vec<&Append> = Vec::with_capacity(group.len());
    for append in group {
        let Append { match_id, entry, summary, .. } = append;
        let request = entry.request.as_deref().map(|request| (match_id.as_str(), request.to_owned()));
        let repeated = request.as_ref().and_then(|request| requests.get(request));
        outcomes.push(match (repeated, standings.get_mut(match_id.as_str())) {
            (Some(seq), _) => AppendOutcome::Repeated(*seq),
            (None, None) => AppendOutcome::Missing,
            (None, Some(standing)) if standing.revision + 1 != i64::from(entry.seq) => {
                AppendOutcome::Conflict
            }
            (None, Some(_)) if !brings_current_books(&Connection::new(session), append, &won)? => {
                AppendOutcome::Conflict
            }
            (None, Some(standing)) => {
                standing.go_on(entry.seq, time(entry.at), summary);
                requests.extend(request.map(|request| (request, entry.seq)));
                won.push(append);
                AppendOutcome::Written
            }
        });
    }
    if !won.is_empty() {
        write(session, &standings, &won)?;
    }
    Ok(outcomes)
}

impl<'g> Standing<'g> {
    fn go_on(&mut self, seq: u32, at: i64, summary: &'g Summary) {
        self.revision = i64::from(seq);
        self.changed_at = self.changed_at.max(at);
        self.finished_at = match (&summary.result, &self.result) {
            (None, _) => None,
            (Some(now), Some(before)) if now == before => self.finished_at,
            (Some(_), _) => Some(at),
        };
        self.result = summary.result.as_deref().map(Cow::Borrowed);
        self.summary = Some(summary);
    }
}

/// Locks the matches of a group and says where they stand.
fn lock<'g>(session: &PgSession<'_>, group: &'g [Append]) -> sql::Result<BTreeMap<&'g str, Standing<'g>>> {
    let mut ids: Vec<&str> = group.iter().map(|append| append.match_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let names: Vec<Cow<'_, str>> = ids.iter().map(|id| written(id)).collect();
    let rows = session.ask(session.rows(LOCK, &[&names]))?;
    let mut standings = BTreeMap::new();
    for row in rows {
        let get = |why: tokio_postgres::Error| sql::Error::Unreadable(crate::errors::detail(&why));
        let name: &str = row.try_get(0).map_err(get)?;
        let name = read(name);
        let Ok(at) = ids.binary_search(&&*name) else { continue };
        let revision = row.try_get(1).map_err(get)?;
        let result: Option<&str> = row.try_get(3).map_err(get)?;
        let standing = Standing {
            before: revision,
            revision,
            changed_at: row.try_get(2).map_err(get)?,
            result: result.map(|result| Cow::Owned(read(result).into_owned())),
            finished_at: row.try_get(4).map_err(get)?,
            summary: None,
        };
        standings.insert(ids[at], standing);
    }
    Ok(standings)
}

/// The requests of a group that the journals know already, with the numbers of their entries.
fn known_requests<'g>(
    session: &PgSession<'_>,
    group: &'g [Append],
) -> sql::Result<HashMap<(&'g str, String), u32>> {
    let asked: Vec<(&str, &str)> = group
        .iter()
        .filter_map(|append| Some((append.match_id.as_str(), append.entry.request.as_deref()?)))
        .collect();
    let mut known = HashMap::new();
    if asked.is_empty() {
        return Ok(known);
    }
    let (ids, requests): (Vec<_>, Vec<_>) = asked.iter().map(|(id, key)| (written(id), written(key))).unzip();
    for row in session.ask(session.rows(REQUESTS, &[&ids, &requests]))? {
        let get = |why: tokio_postgres::Error| sql::Error::Unreadable(crate::errors::detail(&why));
        let (id, request): (&str, &str) = (row.try_get(0).map_err(get)?, row.try_get(1).map_err(get)?);
        let (id, request) = (read(id), read(request).into_owned());
        let seq: i64 = row.try_get(2).map_err(get)?;
        let seq = u32::try_from(seq)
            .map_err(|_| sql::Error::Unreadable(format!("entry {seq} of the match {id} is out of range")))?;
        if let Some((own, _)) = asked.iter().find(|(own, _)| **own == *id) {
            known.insert((*own, request), seq);
        }
    }
    Ok(known)
}

/// The entries that won, and what follows from them.
fn write(
    session: &PgSession<'_>,
    standings: &BTreeMap<&str, Standing<'_>>,
    won: &[&Append],
) -> sql::Result<()> {
    let moved = Columns::of(standings);
    let entries = Entries::of(won);
    let (updated, inserted) =
        session.ask(async { Ok(tokio::join!(biased; moved.write(session), entries.write(session))) })?;
    let refused = |error: tokio_postgres::Error| session.ask(async { Err::<(), _>(error) });
    let updated = match updated {
        Ok(updated) => updated,
        Err(error) => return refused(error),
    };
    if let Err(error) = inserted {
        return refused(error);
    }
    if usize::try_from(updated) != Ok(moved.ids.len()) {
        let why = "rows that were locked have changed".to_owned();
        return Err(sql::Error::Database(StoreError::Invalid(why)));
    }
    let following: Vec<Following<'_>> = won
        .iter()
        .map(|append| Following {
            match_id: &append.match_id,
            revision: append.entry.seq,
            at: append.entry.at,
            effects: &append.effects,
        })
        .collect();
    write_effects(&Connection::new(session), &following)
}

type Texts<'a> = Vec<Cow<'a, str>>;

/// Where matches stand now, column by column.
#[derive(Default)]
struct Columns<'a> {
    ids: Texts<'a>,
    numbers: [Vec<i64>; 4],
    texts: [Texts<'a>; 3],
    results: Vec<Option<Cow<'a, str>>>,
    more_texts: [Texts<'a>; 2],
    owner_to_move: Vec<i64>,
    movers: Vec<Option<i64>>,
    finished: Vec<Option<i64>>,
}

impl<'a> Columns<'a> {
    fn of(standings: &'a BTreeMap<&str, Standing<'_>>) -> Self {
        let mut columns = Self::default();
        for (id, standing) in standings {
            let Some(summary) = standing.summary else { continue };
            columns.ids.push(written(id));
            let numbers = [standing.before, standing.revision, standing.changed_at, i64::from(summary.steps)];
            columns.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            let texts = [&summary.turn, &summary.last_event, &summary.to_move];
            columns.texts.iter_mut().zip(texts).for_each(|(column, text)| column.push(written(text)));
            columns.results.push(summary.result.as_deref().map(written));
            let texts = [&summary.result_title, &summary.standings];
            columns.more_texts.iter_mut().zip(texts).for_each(|(column, text)| column.push(written(text)));
            columns.owner_to_move.push(i64::from(summary.owner_to_move));
            columns.movers.push(summary.mover.map(i64::from));
            columns.finished.push(standing.finished_at);
        }
        columns
    }

    async fn write(&self, session: &PgSession<'_>) -> Result<u64, tokio_postgres::Error> {
        let [before, revision, changed_at, steps] = &self.numbers;
        let [turn, last_event, to_move] = &self.texts;
        let [result_title, standings] = &self.more_texts;
        let (owner_to_move, movers, finished) = (&self.owner_to_move, &self.movers, &self.finished);
        session
            .run(
                PROGRESS,
                &[
                    &self.ids,
                    before,
                    revision,
                    changed_at,
                    steps,
                    turn,
                    last_event,
                    to_move,
                    &self.results,
                    result_title,
                    standings,
                    owner_to_move,
                    movers,
                    finished,
                ],
            )
            .await
    }
}

/// Entries, column by column.
struct Entries<'a> {
    won: &'a [&'a Append],
    rows: Vec<EntryRow<'a>>,
}

impl<'a> Entries<'a> {
    fn of(won: &'a [&'a Append]) -> Self {
        Self { won, rows: won.iter().map(|append| EntryRow::of(&append.entry)).collect() }
    }

    async fn write(&self, session: &PgSession<'_>) -> Result<u64, tokio_postgres::Error> {
        let text = |text: &'a str| written(text);
        let rows = &self.rows;
        let ids: Texts<'_> = self.won.iter().map(|append| text(&append.match_id)).collect();
        let seqs: Vec<i64> = rows.iter().map(|row| row.entry.seq.into()).collect();
        let times: Vec<i64> = rows.iter().map(|row| time(row.entry.at)).collect();
        let steps: Vec<Option<Cow<'_, str>>> = rows.iter().map(|row| row.steps.map(text)).collect();
        let undo_to: Vec<Option<i64>> = rows.iter().map(|row| row.undo_to.map(i64::from)).collect();
        let crossed: Vec<Option<i64>> = rows.iter().map(|row| row.undo_crossed.map(i64::from)).collect();
        let events: Vec<Option<Cow<'_, str>>> =
            rows.iter().map(|row| row.event.as_deref().map(written)).collect();
        let accounts: Vec<Option<i64>> =
            rows.iter().map(|row| row.entry.account.map(|account| account.0.cast_signed())).collect();
        let requests: Vec<Option<Cow<'_, str>>> =
            rows.iter().map(|row| row.entry.request.as_deref().map(text)).collect();
        let awaits: Vec<Option<i64>> =
            rows.iter().map(|row| row.entry.awaits.map(|awaited| awaited.seat.into())).collect();
        let turns: Vec<Option<i64>> =
            rows.iter().map(|row| row.entry.awaits.map(|awaited| awaited.turn.into())).collect();
        session
            .run(
                JOURNAL,
                &[
                    &ids, &seqs, &times, &steps, &undo_to, &crossed, &events, &accounts, &requests, &awaits,
                    &turns,
                ],
            )
            .await
    }
}

/// The time that doesn't fit is 292 million years away.
fn time(at: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}
