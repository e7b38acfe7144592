//! Matches kept in PostgreSQL, so that several servers can share them.
//!
//! The statements are those of the crate `store`, written once for every database ([`store::sql`]). What is PostgreSQL's own is
//! here: connections on a thread of the store's own ([`PostgresStore::open`]), transactions that are done again when others were
//! in the way, and groups of entries in a few statements whatever their size.
//!
//! - An entry is acknowledged when the server has confirmed the commit. If that answer is lost nobody knows whether it was
//!   made: [`StoreError::Unknown`].
//! - Every other writing is as if nobody else wrote at the same time (`SERIALIZABLE`), as it is in SQLite.
//! - No transaction notifies anybody: that would make all commits wait for each other. News has a connection of its own
//!   ([`PostgresNews`]).

mod address;
mod append;
mod dialect;
mod errors;
mod locks;
mod news;
mod pool;
mod schema;
mod session;
mod target;
mod tls;
mod wait;

use std::thread;
use std::time::{Duration, Instant};

use store::sql::{self, Connection, Database};
use store::{Append, AppendOutcome, OrderBooks as _, StoreError};

pub use news::PostgresNews;
use pool::Pool;
use session::PgSession;
use target::Target;

/// How often something is tried in which others may be in the way.
const TRIES: u32 = 16;

/// How long a server that is just ending may take to let go of the database.
const HANDOVER: Duration = Duration::from_secs(2);

const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const SERIAL: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE";
const PLAIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// Entries lock the rows of their matches, and one statement follows the other at once. A server that is cut off or stands still in
/// between must not keep the others from those matches until the limit of longer transactions is over.
const ENTRIES: &str =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 3000";

/// A connection that breaks is replaced, and what was asked is asked again, if that came to light so soon: the database may have been
/// started anew. If there was silence for longer, there would only be silence again.
const BREAKS: Duration = Duration::from_secs(2);

/// Matches, accounts and everything else in one database of PostgreSQL, which several servers may use at the same time.
pub struct PostgresStore {
    pool: Pool,
}

impl PostgresStore {
    /// Opens a database by its address, such as `postgres:///maproom?host=/run/postgresql`; makes the tables if they are
    /// missing and brings older ones up to date. A database that is not Maproom's, or that only a newer Maproom may open, is
    /// left untouched.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let store = Self { pool: Pool::start(Target::read(address)?)? };
        schema::check_server(&store)?;
        schema::migrate(&store)?;
        // So that no entry has to make tables.
        store.prepare_orders()?;
        Ok(store)
    }

    /// Serves from the database beside others as long as this store is open, unless somebody has it to themselves: a command that
    /// fills or empties it, or a server of an earlier release, which would not learn what others write. Should the connection break
    /// meanwhile, nothing is lost: an entry counts only if its number is the next.
    pub fn join_house(&self) -> Result<(), StoreError> {
        self.lock_house(
            locks::JOIN,
            "is in use by a command that needs it to itself, or by a Maproom of an earlier release, which can't share it",
        )
    }

    /// Has the database to itself as long as this store is open, for a command that fills or empties it. Other commands need no claim.
    pub fn claim_house(&self) -> Result<(), StoreError> {
        self.lock_house(locks::CLAIM, "is in use by a Maproom that serves from it")
    }

    fn lock_house(&self, lock: &'static str, otherwise: &str) -> Result<(), StoreError> {
        let until = Instant::now() + HANDOVER;
        while !self.try_lock(lock)? {
            if Instant::now() >= until {
                return Err(StoreError::Other(format!(
                    "the database {} {otherwise}. End that first, or choose another database.",
                    self.place()
                )));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn try_lock(&self, lock: &str) -> Result<bool, StoreError> {
        let lent = self.pool.take()?;
        let session = PgSession::new(lent.link()?, self.place(), PLAIN);
        let asked = (|| {
            let row = session.ask(session.rows(lock, &[&locks::HOUSE_NUMBER]))?;
            let row = row.first().ok_or(sql::Error::NoRow)?;
            row.try_get(0).map_err(|why| sql::Error::Unreadable(errors::detail(&why)))
        })();
        let is_ours: bool = asked.map_err(|why| self.meaning(why))?;
        session.commit()?;
        if is_ours {
            self.pool.keep(lent);
        }
        Ok(is_ours)
    }

    /// Where the database is, without what opens it.
    pub fn place(&self) -> &str {
        self.pool.place()
    }

    /// Does `work` in one transaction, and again from the start if others were in the way or if the connection broke before
    /// anything could be written.
    fn transact<T>(
        &self,
        begin: &'static str,
        is_read: bool,
        work: impl Fn(&PgSession<'_>) -> sql::Result<T>,
    ) -> Result<T, StoreError> {
        let mut tries = 0;
        loop {
            let begun = Instant::now();
            let lent = self.pool.take()?;
            let link = lent.link()?;
            let session = PgSession::new(link, self.place(), begin);
            let result = match work(&session) {
                Ok(result) if is_read => {
                    session.finish();
                    return Ok(result);
                }
                Ok(result) => session.commit().map(|()| result),
                Err(why) => {
                    session.roll_back();
                    Err(self.meaning(why))
                }
            };
            let why = match result {
                Ok(result) => return Ok(result),
                Err(why) => why,
            };
            let is_unknown = matches!(why, StoreError::Unknown { .. });
            if session.is_cut.get() {
                self.pool.forget_idle();
            }
            let has_broken = session.is_cut.get() && tries == 0 && begun.elapsed() < BREAKS;
            let may_repeat = session.may_repeat.get() || has_broken;
            if is_unknown || !may_repeat || tries + 1 == TRIES {
                return Err(why);
            }
            drop(lent);
            thread::sleep(Duration::from_millis(1 << tries.min(6)));
            tries += 1;
        }
    }

    fn meaning(&self, why: sql::Error) -> StoreError {
        match why {
            sql::Error::Database(why) => why,
            sql::Error::Unreadable(detail) => StoreError::Corrupt { path: self.place().into(), detail },
            sql::Error::NoRow => StoreError::Other(format!("the database {}: {why}", self.place())),
        }
    }
}

impl Database for PostgresStore {
    fn read<T>(&self, work: impl Fn(&Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.transact(SNAPSHOT, true, |session| work(&Connection::new(session)))
    }

    fn write<T>(&self, work: impl Fn(&Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.transact(SERIAL, false, |session| work(&Connection::new(session)))
    }

    fn touch<T>(&self, work: impl Fn(&Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.transact(PLAIN, false, |session| work(&Connection::new(session)))
    }

    fn migrate<T>(&self, work: impl Fn(&Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.transact(PLAIN, false, |session| {
            session.be_patient();
            session.batch("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")?;
            session.batch(locks::TABLES)?;
            work(&Connection::new(session))
        })
    }

    fn append_group(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        self.transact(ENTRIES, false, |session| append::append(session, group))
    }

    fn newer(&self, found: u32, known: u32) -> StoreError {
        StoreError::Newer { path: self.place().into(), found, known }
    }
}
