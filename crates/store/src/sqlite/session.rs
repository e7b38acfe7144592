//! SQLite as a database of the shared statements.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::SqliteStore;
use super::errors::of_sqlite;
use crate::sql::{self, Columns, Database, Row, Session, TableShape, Value};
use crate::{Append, AppendOutcome, StoreError, matches_sql};

impl Database for SqliteStore {
    fn read<T>(&self, work: impl Fn(&sql::Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.read(|c| self.lend(c, &work))
    }

    fn write<T>(&self, work: impl Fn(&sql::Connection<'_>) -> sql::Result<T>) -> Result<T, StoreError> {
        self.write(|c| self.lend(c, &work))
    }

    fn append_group(&self, group: &[Append]) -> Result<Vec<AppendOutcome>, StoreError> {
        Database::write(self, |c| group.iter().map(|append| matches_sql::append(c, append)).collect())
    }

    fn newer(&self, found: u32, known: u32) -> StoreError {
        StoreError::Newer { path: self.path().to_path_buf(), found, known }
    }

    fn overwrite_deleted(&self) -> Result<(), StoreError> {
        self.set_secure_delete()
    }

    fn clean_log(&self) -> Result<(), StoreError> {
        self.fold_log_in()
    }
}

impl SqliteStore {
    /// Does `work` on a connection of SQLite, and says what its errors mean for the file.
    fn lend<T>(
        &self,
        connection: &Connection,
        work: &impl Fn(&sql::Connection<'_>) -> sql::Result<T>,
    ) -> rusqlite::Result<Result<T, StoreError>> {
        let session = SqliteSession { connection, path: self.path() };
        Ok(work(&sql::Connection::new(&session)).map_err(|why| match why {
            sql::Error::Database(why) => why,
            sql::Error::Unreadable(detail) => StoreError::Corrupt { path: self.path().to_path_buf(), detail },
            sql::Error::NoRow => StoreError::Other(format!("{}: {why}", self.path().display())),
        }))
    }
}

struct SqliteSession<'c> {
    connection: &'c Connection,
    path: &'c Path,
}

impl SqliteSession<'_> {
    fn fail(&self, error: &rusqlite::Error) -> sql::Error {
        sql::Error::Database(of_sqlite(self.path, error))
    }
}

impl Session for SqliteSession<'_> {
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> sql::Result<usize> {
        let run = || self.connection.prepare_cached(sql)?.execute(params_from_iter(values));
        run().map_err(|error| self.fail(&error))
    }

    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> sql::Result<()>,
    ) -> sql::Result<()> {
        let fail = |error| self.fail(&error);
        let mut statement = self.connection.prepare_cached(sql).map_err(fail)?;
        let mut rows = statement.query(params_from_iter(values)).map_err(fail)?;
        while let Some(row) = rows.next().map_err(fail)? {
            each(&Row::new(&SqliteRow { row }))?;
        }
        Ok(())
    }

    fn tables(&self) -> sql::Result<Vec<TableShape>> {
        let sql = "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c \
                   WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid";
        let mut tables: Vec<TableShape> = Vec::new();
        self.query(sql, &[], &mut |row| {
            let (name, column): (String, String) = (row.get(0)?, row.get(1)?);
            match tables.last_mut().filter(|last| last.name == name) {
                Some(last) => last.columns.push(column),
                None => tables.push(TableShape { name, columns: vec![column] }),
            }
            Ok(())
        })?;
        Ok(tables)
    }

    fn make_tables(&self, step: &str) -> sql::Result<()> {
        self.connection.execute_batch(step).map_err(|error| self.fail(&error))
    }
}

struct SqliteRow<'r> {
    row: &'r rusqlite::Row<'r>,
}

impl Columns for SqliteRow<'_> {
    fn value(&self, column: usize) -> sql::Result<Value<'_>> {
        let unreadable = |why: String| sql::Error::Unreadable(format!("column {column}: {why}"));
        Ok(match self.row.get_ref(column).map_err(|why| unreadable(why.to_string()))? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Text(text) => {
                Value::Text(str::from_utf8(text).map_err(|why| unreadable(why.to_string()))?.into())
            }
            ValueRef::Blob(bytes) => Value::Blob(bytes.into()),
        })
    }
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Real(number) => ValueRef::Real(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
