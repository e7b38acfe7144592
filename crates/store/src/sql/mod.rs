//! What the SQL of the stores is written in, so that the same statements serve every database.
//!
//! Statements are SQLite's, with `?1`, `?2` for values, in the part of the language that other databases share: a database of
//! another kind rewrites what is left (the names of types, hints for SQLite's planner). A [`Database`] does pieces of work, each
//! in one transaction, and lends them a [`Connection`].

mod value;

use std::fmt;

pub use value::{FromValue, Params, ToValue, Value};
pub(crate) use value::{list, params};

pub use crate::matches_sql::{EntryRow, Following, brings_current_books, write_effects};
pub use crate::sqlite::STEPS as MATCH_TABLES;
use crate::{Append, AppendOutcome, StoreError};

/// Why a statement failed.
#[derive(Debug)]
pub enum Error {
    /// There is no row where one was asked for.
    NoRow,
    /// A value can't be read as what was written.
    Unreadable(String),
    /// The database refused.
    Database(StoreError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRow => f.write_str("there is no such row"),
            Self::Unreadable(why) => f.write_str(why),
            Self::Database(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// The result of a statement.
pub type Result<T> = std::result::Result<T, Error>;

/// A result that may be missing.
pub(crate) trait OptionalExtension<T> {
    /// `None` where there is no row.
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRow) => Ok(None),
            Err(why) => Err(why),
        }
    }
}

/// A table and its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// Its name.
    pub name: String,
    /// The names of its columns.
    pub columns: Vec<String>,
}

/// What one transaction of a database can be asked.
pub trait Session {
    /// Runs a statement and says how many rows it changed.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<usize>;

    /// Runs a statement and shows each row that it gives.
    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()>;

    /// Runs one statement for each list of values. A database that is far away is sent all of them before the first answer.
    fn execute_all(&self, sql: &str, lists: &[Vec<Value<'_>>]) -> Result<()> {
        lists.iter().try_for_each(|values| self.execute(sql, values).map(drop))
    }

    /// Takes a step towards today's tables: several statements that only make and change tables.
    fn make_tables(&self, step: &str) -> Result<()>;

    /// The tables that hold what is kept, with their columns. Not those that only say of which version a database is.
    fn tables(&self) -> Result<Vec<TableShape>>;

    /// Shows all rows of a table.
    fn scan(
        &self,
        table: &str,
        columns: &[String],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.query(&format!("SELECT {} FROM {table}", columns.join(", ")), &[], each)
    }

    /// After rows came with their numbers: new ones get higher numbers.
    fn go_on_numbering(&self) -> Result<()> {
        Ok(())
    }

    /// The time that all who use the database go by, milliseconds since 1970.
    fn time(&self) -> Result<i64> {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Ok(since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Lets nobody else number what counts for ratings until the transaction ends, so that whoever reads those rows in order
    /// never passes one that isn't there yet.
    fn hold_rating_log(&self) -> Result<()> {
        Ok(())
    }
}

/// A database that the stores of this crate work on: [`Store`](crate::Store), [`People`](crate::People) and the others are there
/// for every one.
pub trait Database: Send + Sync + Sized {
    /// Does `work` on one snapshot.
    fn read<T>(&self, work: impl Fn(&Connection<'_>) -> Result<T>) -> std::result::Result<T, StoreError>;

    /// Does `work` in one durable transaction, as if nobody else wrote meanwhile; it is rolled back if any of it fails. `work`
    /// may be done again from the start if somebody did.
    fn write<T>(&self, work: impl Fn(&Connection<'_>) -> Result<T>) -> std::result::Result<T, StoreError>;

    /// Does `work` in one durable transaction, of which each statement sees what others have written meanwhile: for changes that are
    /// one statement, or that don't mind.
    fn touch<T>(&self, work: impl Fn(&Connection<'_>) -> Result<T>) -> std::result::Result<T, StoreError> {
        self.write(work)
    }

    /// The same as [`write`](Self::write), while nobody else changes tables.
    fn migrate<T>(&self, work: impl Fn(&Connection<'_>) -> Result<T>) -> std::result::Result<T, StoreError> {
        self.write(work)
    }

    /// See [`Store::append`](crate::Store::append). The group is not empty.
    fn append_group(&self, group: &[Append]) -> std::result::Result<Vec<AppendOutcome>, StoreError>;

    /// The error of tables that a newer Maproom made.
    fn newer(&self, found: u32, known: u32) -> StoreError;

    /// From now on what is deleted is overwritten, as far as the database can.
    fn overwrite_deleted(&self) -> std::result::Result<(), StoreError> {
        Ok(())
    }

    /// Removes what a log may still hold of deleted rows, as far as the database can.
    fn clean_log(&self) -> std::result::Result<(), StoreError> {
        Ok(())
    }
}

/// Brings a group of tables up to date whose version is a setting; it has none before the first step. One that has been
/// released is never changed: a new one is added.
pub(crate) fn prepare(
    database: &impl Database,
    setting: &str,
    steps: &[&str],
) -> std::result::Result<(), StoreError> {
    let known = steps.len();
    let number = |steps: usize| u32::try_from(steps).unwrap_or(u32::MAX);
    let found = database.read(|c| version(c, setting))?;
    if found > number(known) {
        return Err(database.newer(found, number(known)));
    }
    if found == number(known) {
        return Ok(());
    }
    database.migrate(|c| take_steps(c, setting, steps))
}

/// The version of a group of tables; 0 without any.
pub(crate) fn version(c: &Connection<'_>, setting: &str) -> Result<u32> {
    let text = crate::matches_sql::setting(c, setting)?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Takes the steps that are missing, in the transaction of the caller.
pub(crate) fn take_steps(c: &Connection<'_>, setting: &str, steps: &[&str]) -> Result<()> {
    let found = version(c, setting)? as usize;
    if found >= steps.len() {
        return Ok(());
    }
    steps[found..].iter().try_for_each(|step| c.make_tables(step))?;
    crate::matches_sql::set_setting(c, setting, &steps.len().to_string())
}

/// One transaction of a database, lent to a piece of work.
#[derive(Clone, Copy)]
pub struct Connection<'c> {
    session: &'c dyn Session,
}

impl<'c> Connection<'c> {
    /// The connection for a session.
    pub fn new(session: &'c dyn Session) -> Self {
        Self { session }
    }

    /// A statement. Databases keep what they know of it, so the same is cheap the next time.
    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<Statement<'c>> {
        Ok(Statement { session: self.session, sql: sql.to_owned() })
    }

    pub(crate) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        params.lend(&mut |values| self.session.execute(sql, values))
    }

    pub(crate) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    pub(crate) fn execute_all(&self, sql: &str, lists: &[Vec<Value<'_>>]) -> Result<()> {
        self.session.execute_all(sql, lists)
    }

    pub(crate) fn make_tables(&self, step: &str) -> Result<()> {
        self.session.make_tables(step)
    }

    pub(crate) fn tables(&self) -> Result<Vec<TableShape>> {
        self.session.tables()
    }

    pub(crate) fn scan(
        &self,
        table: &str,
        columns: &[String],
        each: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.session.scan(table, columns, each)
    }

    pub(crate) fn go_on_numbering(&self) -> Result<()> {
        self.session.go_on_numbering()
    }

    /// Whether a table has any row.
    pub(crate) fn has_rows(&self, table: &str, column: &str) -> Result<bool> {
        self.prepare_cached(&format!("SELECT {column} FROM {table} LIMIT 1"))?.exists([])
    }

    pub(crate) fn time(&self) -> Result<i64> {
        self.session.time()
    }

    pub(crate) fn hold_rating_log(&self) -> Result<()> {
        self.session.hold_rating_log()
    }
}

/// A statement.
pub(crate) struct Statement<'c> {
    session: &'c dyn Session,
    sql: String,
}

impl Statement<'_> {
    /// Runs it and says how many rows it changed.
    pub(crate) fn execute(&mut self, params: impl Params) -> Result<usize> {
        params.lend(&mut |values| self.session.execute(&self.sql, values))
    }

    /// Shows each row to `each`.
    pub(crate) fn for_each(
        &mut self,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        params.lend(&mut |values| self.session.query(&self.sql, values, &mut each))
    }

    /// All rows, each read by `read`.
    pub(crate) fn query_map<T>(
        &mut self,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<std::vec::IntoIter<Result<T>>> {
        let mut rows = Vec::new();
        self.for_each(params, |row| {
            rows.push(Ok(read(row)?));
            Ok(())
        })?;
        Ok(rows.into_iter())
    }

    /// The first row.
    pub(crate) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let (mut read, mut found) = (Some(read), None);
        self.for_each(params, |row| {
            if let Some(read) = read.take() {
                found = Some(read(row)?);
            }
            Ok(())
        })?;
        found.ok_or(Error::NoRow)
    }

    /// Whether there is any row.
    pub(crate) fn exists(&mut self, params: impl Params) -> Result<bool> {
        let mut exists = false;
        // One is enough.
        let read = self.for_each(params, |_| {
            exists = true;
            Err(Error::NoRow)
        });
        match read {
            Ok(()) | Err(Error::NoRow) => Ok(exists),
            Err(why) => Err(why),
        }
    }
}

/// What a database shows of a row.
pub trait Columns {
    /// The value of a column, numbered from 0.
    fn value(&self, column: usize) -> Result<Value<'_>>;
}

/// A row.
pub struct Row<'r> {
    columns: &'r dyn Columns,
}

impl<'r> Row<'r> {
    /// The row of these columns.
    pub fn new(columns: &'r dyn Columns) -> Self {
        Self { columns }
    }

    /// The value of a column.
    pub fn get<T: FromValue>(&self, column: usize) -> Result<T> {
        let value = self.columns.value(column)?;
        T::from_value(value).map_err(|why| Error::Unreadable(format!("column {column}: {why}")))
    }

    pub(crate) fn get_ref(&self, column: usize) -> Result<Value<'r>> {
        self.columns.value(column)
    }
}

/// So many marks for values, from this number on.
pub(crate) fn marks(from: usize, count: usize) -> String {
    (from..from + count).map(|number| format!("?{number}")).collect::<Vec<_>>().join(", ")
}

/// The error of a text that is none of the words that may stand there.
pub(crate) fn unreadable(why: impl Into<String>) -> Error {
    Error::Unreadable(why.into())
}
