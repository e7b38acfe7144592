//! Whether the database may be used, and how an older one is brought up to date.

use store::StoreError;
use store::sql::{self, Database as _, MATCH_TABLES, Session as _};
use tokio_postgres::Error;

use crate::session::PgSession;
use crate::{PLAIN, PostgresStore, SNAPSHOT, locks};

/// The version that all steps lead to.
const KNOWN: i64 = MATCH_TABLES.len() as i64;

/// The oldest version whose programs may open what this one has made: a release only adds, and what it stops using goes one
/// release later.
const OLDEST: i64 = 5;

/// The oldest server with all that is used here.
const OLDEST_SERVER: i64 = 130_000;

const VERSIONS: &str = "CREATE TABLE IF NOT EXISTS maproom (
    only_row BOOLEAN NOT NULL PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    version  BIGINT NOT NULL,
    oldest   BIGINT NOT NULL
)";

/// Refuses a server that would acknowledge what is not on its disk, or that can't keep all texts.
pub(crate) fn check_server(store: &PostgresStore) -> Result<(), StoreError> {
    let settings = store.transact(SNAPSHOT, true, |session| {
        let rows = session.ask(session.rows(
            "SELECT current_setting('server_version_num')::int8, current_setting('synchronous_commit'), \
             current_setting('server_encoding'), current_setting('fsync')",
            &[],
        ))?;
        let row = rows.first().ok_or(sql::Error::NoRow)?;
        let read = || Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?));
        read().map_err(|why: Error| sql::Error::Unreadable(crate::errors::detail(&why)))
    })?;
    let (version, commit, encoding, fsync): (i64, String, String, String) = settings;
    let refuse = |why: String| Err(StoreError::Other(format!("the database {}: {why}", store.place())));
    if version < OLDEST_SERVER {
        return refuse(format!(
            "PostgreSQL {} is too old: {} or newer is needed",
            version / 10_000,
            OLDEST_SERVER / 10_000
        ));
    }
    if !["on", "remote_apply"].contains(&commit.as_str()) {
        return refuse(format!(
            "synchronous_commit is {commit}, so that choices could be lost that were acknowledged. Set it to on, for \
             example with ALTER ROLE … SET synchronous_commit = on"
        ));
    }
    if encoding != "UTF8" {
        return refuse(format!("its encoding is {encoding}: make it anew with ENCODING 'UTF8'"));
    }
    if fsync != "on" {
        tracing::warn!("{}: fsync is {fsync}: a power cut may lose everything", store.place());
    }
    Ok(())
}

/// Brings the tables of matches up to date.
pub(crate) fn migrate(store: &PostgresStore) -> Result<(), StoreError> {
    // Nearly always there is nothing to do, and then nobody waits for anybody.
    if may_be_used(store, store.transact(SNAPSHOT, true, versions)?)? {
        return Ok(());
    }
    let found = store.transact(PLAIN, false, |session| {
        session.be_patient();
        session.batch("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
        session.batch(locks::TABLES)?;
        let found = versions(session)?;
        let Found::Ours { version, .. } = found else { return take(session, 0, found) };
        take(session, version, found)
    })?;
    may_be_used(store, found).map(drop)
}

/// What a database holds.
#[derive(Clone, Copy)]
enum Found {
    Nothing,
    /// Tables of our names without a version.
    Foreign,
    Ours {
        version: i64,
        oldest: i64,
    },
}

fn versions(session: &PgSession<'_>) -> sql::Result<Found> {
    let unreadable = |why: Error| sql::Error::Unreadable(crate::errors::detail(&why));
    // Not by `to_regclass`, which may remember from before a lock that there is no such table.
    let there = "SELECT COUNT(*) FILTER (WHERE tablename = 'maproom') > 0, COUNT(*) FILTER (WHERE tablename = 'matches') > 0 \
                 FROM pg_tables WHERE schemaname = current_schema()";
    let rows = session.ask(session.rows(there, &[]))?;
    let row = rows.first().ok_or(sql::Error::NoRow)?;
    let (is_ours, has_matches): (bool, bool) =
        (row.try_get(0).map_err(unreadable)?, row.try_get(1).map_err(unreadable)?);
    match (is_ours, has_matches) {
        (false, false) => return Ok(Found::Nothing),
        (false, true) => return Ok(Found::Foreign),
        (true, _) => {}
    }
    let rows = session.ask(session.rows("SELECT version, oldest FROM maproom", &[]))?;
    let Some(row) = rows.first() else { return Ok(Found::Foreign) };
    Ok(Found::Ours {
        version: row.try_get(0).map_err(unreadable)?,
        oldest: row.try_get(1).map_err(unreadable)?,
    })
}

/// Takes the steps that are missing, if the database is ours and not too new.
fn take(session: &PgSession<'_>, version: i64, found: Found) -> sql::Result<Found> {
    let is_ours = !matches!(found, Found::Foreign) && version < KNOWN;
    if !is_ours {
        return Ok(found);
    }
    let done = usize::try_from(version).unwrap_or(0);
    session.batch(VERSIONS)?;
    MATCH_TABLES[done..].iter().try_for_each(|step| session.make_tables(step))?;
    session.batch(&format!(
        "INSERT INTO maproom (version, oldest) VALUES ({KNOWN}, {OLDEST}) \
         ON CONFLICT (only_row) DO UPDATE SET version = {KNOWN}, oldest = GREATEST(maproom.oldest, {OLDEST})"
    ))?;
    Ok(Found::Ours { version: KNOWN, oldest: OLDEST })
}

/// Whether a database is up to date; an error if it must be left alone.
fn may_be_used(store: &PostgresStore, found: Found) -> Result<bool, StoreError> {
    match found {
        Found::Nothing => Ok(false),
        Found::Foreign => Err(StoreError::Foreign {
            path: store.place().into(),
            detail: "it has a table called matches, but none that says of which version it is".to_owned(),
        }),
        Found::Ours { oldest, .. } if oldest > KNOWN => {
            Err(store.newer(u32::try_from(oldest).unwrap_or(u32::MAX), KNOWN as u32))
        }
        Found::Ours { version, .. } => Ok(version >= KNOWN),
    }
}
