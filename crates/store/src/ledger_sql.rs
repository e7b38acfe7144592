//! The ledger in a database: tables of their own, which a house that does no such work never has.

use std::ops::Range;

use crate::ledger::{check_ranges, dispute, given_up};
use crate::matches_sql::{to_stored, to_time};
use crate::sql::{self, Connection, Database, OptionalExtension as _, Row, params};
use crate::{
    Brought, Chunk, ChunkState, Finished, Job, JobState, Kept, KeptPart, Ledger, MOST_TRIES, NewJob, Part,
    StoreError,
};

/// The setting with the version of these tables; without work it is missing.
const VERSION: &str = "ledger_version";

/// The steps from no tables to today's, numbered from 1. One that has been released is never changed.
pub(crate) const STEPS: &[&str] = &["
CREATE TABLE jobs (
    id           TEXT NOT NULL PRIMARY KEY,
    kind         TEXT NOT NULL,
    spec         TEXT NOT NULL,
    rules        TEXT NOT NULL,
    build        TEXT NOT NULL,
    made_at      INTEGER NOT NULL,
    place        INTEGER NOT NULL,
    state        TEXT NOT NULL,
    why          TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The numbers from first to last, both included.
CREATE TABLE chunks (
    job          TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    n            INTEGER NOT NULL,
    first        INTEGER NOT NULL,
    last         INTEGER NOT NULL,
    state        TEXT NOT NULL,
    tries        INTEGER NOT NULL,
    holder       TEXT,
    until        INTEGER,
    PRIMARY KEY (job, n),
    CHECK (first <= last AND (state = 'held') = (holder IS NOT NULL) AND (holder IS NULL) = (until IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX chunks_to_do ON chunks (job, n) WHERE state <> 'done';
CREATE INDEX chunks_held ON chunks (holder) WHERE holder IS NOT NULL;

CREATE TABLE parts (
    job          TEXT NOT NULL,
    n            INTEGER NOT NULL,
    part         INTEGER NOT NULL,
    sha256       BLOB NOT NULL,
    brought_by   TEXT NOT NULL,
    bytes        BLOB NOT NULL,
    PRIMARY KEY (job, n, part),
    FOREIGN KEY (job, n) REFERENCES chunks (job, n) ON DELETE CASCADE
) STRICT;
"];

/// The columns that [`chunk`] reads.
const CHUNK: &str = "n, first, last, tries, state, holder, until";

fn chunk(row: &Row<'_>) -> sql::Result<Chunk> {
    let first = to_time(row.get(1)?);
    let last = to_time(row.get(2)?);
    let held = row.get::<Option<String>>(5)?.zip(row.get::<Option<i64>>(6)?);
    let state = match (row.get_ref(4)?.as_str()?, held) {
        (_, Some((holder, until))) => ChunkState::Held { holder, until: to_time(until) },
        ("done", None) => ChunkState::Done,
        _ => ChunkState::Waiting,
    };
    Ok(Chunk { n: to_time(row.get(0)?), numbers: first..last + 1, tries: row.get(3)?, state })
}

fn job(row: &Row<'_>) -> sql::Result<Job> {
    let count = |at| Ok::<u64, sql::Error>(row.get::<Option<i64>>(at)?.map_or(0, to_time));
    Ok(Job {
        job: NewJob {
            id: row.get(0)?,
            kind: row.get(1)?,
            spec: row.get(2)?,
            rules: row.get(3)?,
            build: row.get(4)?,
            made_at: to_time(row.get(5)?),
        },
        state: JobState::read(row.get_ref(6)?.as_str()?),
        why: row.get(7)?,
        chunks: [count(8)?, count(9)?],
        numbers: [count(10)?, count(11)?],
    })
}

/// The jobs with one id, or all.
fn jobs(c: &Connection<'_>, id: Option<&str>) -> sql::Result<Vec<Job>> {
    let one = if id.is_some() { "WHERE j.id = ?1 " } else { "" };
    let mut find = c.prepare_cached(&format!(
        "SELECT j.id, j.kind, j.spec, j.rules, j.build, j.made_at, j.state, j.why, count(c.n), \
         CAST(sum(CASE WHEN c.state = 'done' THEN 1 ELSE 0 END) AS BIGINT), CAST(sum(c.last - c.first + 1) AS BIGINT), \
         CAST(sum(CASE WHEN c.state = 'done' THEN c.last - c.first + 1 ELSE 0 END) AS BIGINT) \
         FROM jobs j LEFT JOIN chunks c ON c.job = j.id {one}GROUP BY j.id ORDER BY j.made_at DESC, j.place DESC"
    ))?;
    match id {
        Some(id) => find.query_map([id], job)?.collect(),
        None => find.query_map([], job)?.collect(),
    }
}

fn state(c: &Connection<'_>, id: &str) -> sql::Result<Option<JobState>> {
    let mut find = c.prepare_cached("SELECT state FROM jobs WHERE id = ?1")?;
    find.query_row([id], |row| Ok(JobState::read(row.get_ref(0)?.as_str()?))).optional()
}

fn set_state(c: &Connection<'_>, id: &str, state: JobState, why: &str) -> sql::Result<()> {
    let mut set = c.prepare_cached("UPDATE jobs SET state = ?2, why = ?3 WHERE id = ?1")?;
    set.execute(params![id, state.word(), why]).map(drop)
}

fn open(c: &Connection<'_>, job: &NewJob, ranges: &[Range<u64>]) -> sql::Result<bool> {
    let NewJob { id, kind, spec, rules, build, made_at } = job;
    let first = if ranges.is_empty() { JobState::Done } else { JobState::Open };
    let mut add = c.prepare_cached(
        "INSERT INTO jobs (id, kind, spec, rules, build, made_at, place, state, why) VALUES (?1, ?2, ?3, ?4, ?5, ?6, \
         coalesce((SELECT max(place) FROM jobs), 0) + 1, ?7, '') ON CONFLICT (id) DO NOTHING",
    )?;
    let made = add.execute(params![id, kind, spec, rules, build, to_stored(*made_at), first.word()])?;
    if made == 0 {
        return Ok(false);
    }
    let mut add = c.prepare_cached(
        "INSERT INTO chunks (job, n, first, last, state, tries) VALUES (?1, ?2, ?3, ?4, 'waiting', 0)",
    )?;
    for (n, range) in (0_i64..).zip(ranges) {
        add.execute(params![id, n, to_stored(range.start), to_stored(range.end - 1)])?;
    }
    Ok(true)
}

fn claim(
    c: &Connection<'_>,
    id: &str,
    holder: &str,
    now: u64,
    until: u64,
    most: usize,
) -> sql::Result<Vec<Chunk>> {
    if state(c, id)? != Some(JobState::Open) {
        return Ok(Vec::new());
    }
    let mut find = c.prepare_cached(&format!(
        "SELECT {CHUNK} FROM chunks WHERE job = ?1 AND state <> 'done' AND (state = 'waiting' OR until < ?2) \
         ORDER BY n LIMIT ?3"
    ))?;
    let found = find.query_map(params![id, to_stored(now), most as i64], chunk)?;
    let found = found.collect::<sql::Result<Vec<Chunk>>>()?;
    let mut take = c.prepare_cached(
        "UPDATE chunks SET state = 'held', tries = ?3, holder = ?4, until = ?5 WHERE job = ?1 AND n = ?2",
    )?;
    let mut taken = Vec::new();
    for mut chunk in found {
        if chunk.state != ChunkState::Waiting && chunk.tries >= MOST_TRIES {
            set_state(c, id, JobState::Stuck, &given_up(&chunk))?;
            break;
        }
        chunk.tries += 1;
        take.execute(params![id, to_stored(chunk.n), chunk.tries, holder, to_stored(until)])?;
        chunk.state = ChunkState::Held { holder: holder.to_owned(), until };
        taken.push(chunk);
    }
    Ok(taken)
}

/// What a finished chunk is to one that is kept.
enum Compared {
    New,
    Same,
    Missing,
    Differs(String),
}

fn compare(c: &Connection<'_>, id: &str, by: &str, finished: &Finished) -> sql::Result<Compared> {
    let n = to_stored(finished.n);
    let mut find = c.prepare_cached(&format!("SELECT {CHUNK} FROM chunks WHERE job = ?1 AND n = ?2"))?;
    let Some(chunk) = find.query_row(params![id, n], chunk).optional()? else { return Ok(Compared::Missing) };
    if chunk.state != ChunkState::Done {
        return Ok(Compared::New);
    }
    let mut known =
        c.prepare_cached("SELECT sha256, brought_by FROM parts WHERE job = ?1 AND n = ?2 ORDER BY part")?;
    let known = known.query_map(params![id, n], |row| Ok((row.get::<Vec<u8>>(0)?, row.get::<String>(1)?)))?;
    let known = known.collect::<sql::Result<Vec<_>>>()?;
    let parts = &finished.parts;
    let differs = (0..parts.len().max(known.len()))
        .find(|at| parts.get(*at).map(|part| &part.sha256[..]) != known.get(*at).map(|(sum, _)| &sum[..]));
    Ok(differs.map_or(Compared::Same, |at| {
        let first = known.get(at).or(known.first()).map_or("", |(_, by)| by.as_str());
        Compared::Differs(dispute(&chunk, at, first, by))
    }))
}

fn keep(c: &Connection<'_>, id: &str, by: &str, finished: &[Finished]) -> sql::Result<Kept> {
    let Some(before) = state(c, id)? else { return Ok(Kept::Missing) };
    let mut new = Vec::new();
    for one in finished {
        match compare(c, id, by, one)? {
            Compared::New => new.push(one),
            Compared::Same => {}
            Compared::Missing => return Ok(Kept::Missing),
            Compared::Differs(why) => {
                set_state(c, id, JobState::Disputed, &why)?;
                return Ok(Kept::Disputed(why));
            }
        }
    }
    let mut done = c.prepare_cached(
        "UPDATE chunks SET state = 'done', holder = NULL, until = NULL WHERE job = ?1 AND n = ?2",
    )?;
    let mut add = c.prepare_cached(
        "INSERT INTO parts (job, n, part, sha256, brought_by, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
         ON CONFLICT (job, n, part) DO NOTHING",
    )?;
    for Finished { n, parts } in new {
        done.execute(params![id, to_stored(*n)])?;
        for (at, part) in (0_i64..).zip(parts) {
            add.execute(params![id, to_stored(*n), at, part.sha256, by, part.bytes])?;
        }
    }
    let mut left = c.prepare_cached("SELECT 1 FROM chunks WHERE job = ?1 AND state <> 'done'")?;
    if before != JobState::Disputed && !left.exists([id])? {
        set_state(c, id, JobState::Done, "")?;
    }
    Ok(Kept::All)
}

fn resume(c: &Connection<'_>, id: &str, alone: bool) -> sql::Result<()> {
    let stuck = "UPDATE jobs SET state = 'open', why = '' WHERE id = ?1 AND state = 'stuck'";
    c.prepare_cached(stuck)?.execute([id])?;
    if state(c, id)? == Some(JobState::Open) {
        let afresh = "UPDATE chunks SET tries = 0 WHERE job = ?1 AND state <> 'done' AND tries > 0";
        c.prepare_cached(afresh)?.execute([id])?;
    }
    if alone {
        let free = "UPDATE chunks SET state = 'waiting', holder = NULL, until = NULL WHERE job = ?1 AND state = 'held'";
        c.prepare_cached(free)?.execute([id])?;
    }
    Ok(())
}

/// Reads from the ledger, or gives `empty` where there is none. A newer Maproom's tables are refused.
fn read_ledger<D: Database, T: Clone>(
    database: &D,
    empty: T,
    read: impl Fn(&Connection<'_>) -> sql::Result<T>,
) -> Result<T, StoreError> {
    let found = database.read(|c| if_known(c, &empty, &read))?;
    found.map_err(|found| database.newer(found, STEPS.len() as u32))
}

/// The same for a change, in one durable transaction.
fn write_ledger<D: Database, T: Clone>(
    database: &D,
    empty: T,
    write: impl Fn(&Connection<'_>) -> sql::Result<T>,
) -> Result<T, StoreError> {
    let found = database.write(|c| if_known(c, &empty, &write))?;
    found.map_err(|found| database.newer(found, STEPS.len() as u32))
}

/// Does `work` on tables that are there and known; the version of those of a newer Maproom.
fn if_known<T: Clone>(
    c: &Connection<'_>,
    empty: &T,
    work: impl Fn(&Connection<'_>) -> sql::Result<T>,
) -> sql::Result<Result<T, u32>> {
    match sql::version(c, VERSION)? {
        0 => Ok(Ok(empty.clone())),
        found if found > STEPS.len() as u32 => Ok(Err(found)),
        _ => work(c).map(Ok),
    }
}

/// Makes the tables that are missing.
pub(crate) fn prepare(database: &impl Database) -> Result<(), StoreError> {
    sql::prepare(database, VERSION, STEPS)
}

impl<D: Database> Ledger for D {
    fn open_job(&self, job: &NewJob, ranges: &[Range<u64>]) -> Result<bool, StoreError> {
        check_ranges(ranges)?;
        prepare(self)?;
        self.write(|c| open(c, job, ranges))
    }

    fn job(&self, id: &str) -> Result<Option<Job>, StoreError> {
        read_ledger(self, None, |c| Ok(jobs(c, Some(id))?.pop()))
    }

    fn jobs(&self) -> Result<Vec<Job>, StoreError> {
        read_ledger(self, Vec::new(), |c| jobs(c, None))
    }

    fn chunks(&self, job: &str) -> Result<Vec<Chunk>, StoreError> {
        read_ledger(self, Vec::new(), |c| {
            let mut all =
                c.prepare_cached(&format!("SELECT {CHUNK} FROM chunks WHERE job = ?1 ORDER BY n"))?;
            all.query_map([job], chunk)?.collect()
        })
    }

    fn claim(
        &self,
        job: &str,
        holder: &str,
        now: u64,
        until: u64,
        most: usize,
    ) -> Result<Vec<Chunk>, StoreError> {
        write_ledger(self, Vec::new(), |c| claim(c, job, holder, now, until, most))
    }

    fn beat(&self, holder: &str, until: u64) -> Result<(), StoreError> {
        write_ledger(self, (), |c| {
            let mut beat = c.prepare_cached("UPDATE chunks SET until = ?2 WHERE holder = ?1")?;
            beat.execute(params![holder, to_stored(until)]).map(drop)
        })
    }

    fn give_back(&self, job: &str, holder: &str) -> Result<(), StoreError> {
        write_ledger(self, (), |c| {
            let mut free = c.prepare_cached(
                "UPDATE chunks SET state = 'waiting', tries = CASE WHEN tries > 0 THEN tries - 1 ELSE 0 END, holder = NULL, until = NULL \
                 WHERE job = ?1 AND holder = ?2",
            )?;
            free.execute([job, holder]).map(drop)
        })
    }

    fn keep(&self, job: &str, by: &str, finished: &[Finished]) -> Result<Kept, StoreError> {
        write_ledger(self, Kept::Missing, |c| keep(c, job, by, finished))
    }

    fn part(&self, job: &str, n: u64, part: u32) -> Result<Option<KeptPart>, StoreError> {
        read_ledger(self, None, |c| {
            let mut find = c.prepare_cached(
                "SELECT sha256, bytes, brought_by FROM parts WHERE job = ?1 AND n = ?2 AND part = ?3",
            )?;
            let read = |row: &Row<'_>| {
                let part = Part { sha256: row.get(0)?, bytes: row.get(1)? };
                Ok(KeptPart { part, by: row.get(2)? })
            };
            find.query_row(params![job, to_stored(n), part], read).optional()
        })
    }

    fn brought(&self, job: &str) -> Result<Vec<Brought>, StoreError> {
        let mut all = read_ledger(self, Vec::new(), |c| {
            let mut all = c.prepare_cached(
                "SELECT p.brought_by, count(*), CAST(sum(c.last - c.first + 1) AS BIGINT) FROM parts p \
                 JOIN chunks c ON c.job = p.job AND c.n = p.n WHERE p.job = ?1 AND p.part = 0 GROUP BY p.brought_by",
            )?;
            let read = |row: &Row<'_>| {
                let [chunks, numbers] = [to_time(row.get(1)?), to_time(row.get(2)?)];
                Ok(Brought { by: row.get(0)?, chunks, numbers })
            };
            all.query_map([job], read)?.collect()
        })?;
        // Databases have orders of their own for texts.
        all.sort_unstable_by(|a: &Brought, b: &Brought| a.by.cmp(&b.by));
        Ok(all)
    }

    fn fail(&self, job: &str, why: &str) -> Result<(), StoreError> {
        write_ledger(self, (), |c| {
            let mut fail = c.prepare_cached(
                "UPDATE jobs SET state = 'stuck', why = ?2 WHERE id = ?1 AND state = 'open'",
            )?;
            fail.execute([job, why]).map(drop)
        })
    }

    fn resume(&self, job: &str, alone: bool) -> Result<(), StoreError> {
        write_ledger(self, (), |c| resume(c, job, alone))
    }

    fn drop_job(&self, id: &str) -> Result<bool, StoreError> {
        write_ledger(self, false, |c| {
            Ok(c.prepare_cached("DELETE FROM jobs WHERE id = ?1")?.execute([id])? > 0)
        })
    }
}
