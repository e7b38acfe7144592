//! One transaction of PostgreSQL for the shared statements.

use std::borrow::Cow;
use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use store::StoreError;
use store::sql::{self, Columns, Row, Session, TableShape, Value};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut};
use tokio_postgres::{Error, Statement};

use crate::errors::{is_in_the_way, is_refusal, of_postgres};
use crate::pool::Link;
use crate::wait::{begin, wait};
use crate::{dialect, locks};

/// How long an answer may take in all: the server itself gives up sooner.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many rows of a table are read at once.
const FETCH: usize = 1_000;
/// The time of the server, whenever the transaction began.
const TIME: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8";
/// How many statements are on their way at once.
const WINDOW: usize = 512;

/// A transaction, begun with its first statement.
pub(crate) struct PgSession<'l> {
    link: &'l Link,
    place: &'l str,
    /// What begins it, until that was sent.
    begin: Cell<Option<&'static str>>,
    patience: Cell<Duration>,
    /// Whether it failed for something that may be gone the next time.
    pub(crate) may_repeat: Cell<bool>,
    /// Whether the connection broke.
    pub(crate) is_cut: Cell<bool>,
}

impl<'l> PgSession<'l> {
    pub(crate) fn new(link: &'l Link, place: &'l str, begin: &'static str) -> Self {
        Self {
            link,
            place,
            begin: Cell::new(Some(begin)),
            patience: Cell::new(PATIENCE),
            may_repeat: Cell::new(false),
            is_cut: Cell::new(false),
        }
    }

    /// Lets statements take as long as they need: those that change tables.
    pub(crate) fn be_patient(&self) {
        self.patience.set(Duration::from_secs(24 * 3_600));
    }

    /// Says what an error means, and notes whether to try again.
    fn fail(&self, error: &Error) -> sql::Error {
        if is_in_the_way(error) {
            self.may_repeat.set(true);
        }
        let why = of_postgres(self.place, error);
        if matches!(why, StoreError::Unreachable { .. }) {
            self.is_cut.set(true);
        }
        sql::Error::Database(why)
    }

    /// Waits for what is asked of the server; the first time the transaction is begun on the way.
    pub(crate) fn ask<T>(&self, asked: impl Future<Output = Result<T, Error>>) -> sql::Result<T> {
        let words = self.begin.take();
        let begun = async {
            match words {
                Some(words) => self.link.client.batch_execute(words).await,
                None => Ok(()),
            }
        };
        let both = async { tokio::join!(biased; begun, asked) };
        let Some((begun, answer)) = wait(both, Instant::now() + self.patience.get()) else {
            self.link.is_lost.set(true);
            self.is_cut.set(true);
            let detail = "it does not answer".to_owned();
            return Err(sql::Error::Database(StoreError::Unreachable {
                place: self.place.to_owned(),
                detail,
            }));
        };
        begun.map_err(|error| self.fail(&error))?;
        answer.map_err(|error| self.fail(&error))
    }

    /// A statement that the server has read; `types` are those of its values as far as they are known.
    pub(crate) async fn statement(&self, sql: &str, types: &[Type]) -> Result<Statement, Error> {
        if let Some(known) = self.link.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let statement = self.link.client.prepare_typed(&dialect::statement(sql), types).await?;
        self.link.statements.borrow_mut().insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Runs a statement that is written for PostgreSQL.
    pub(crate) async fn rows(
        &self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, Error> {
        let statement = self.statement(sql, &[]).await?;
        self.link.client.query(&statement, params).await
    }

    /// Runs a statement that is written for PostgreSQL, for what it changes.
    pub(crate) async fn run(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<u64, Error> {
        let statement = self.statement(sql, &[]).await?;
        self.link.client.execute(&statement, params).await
    }

    /// Several statements without values.
    pub(crate) fn batch(&self, sql: &str) -> sql::Result<()> {
        self.ask(self.link.client.batch_execute(sql))
    }

    /// Ends a transaction that only read. Nobody waits for the answer.
    pub(crate) fn finish(&self) {
        if self.begin.take().is_none() && !self.link.is_lost.get() {
            begin(self.link.client.batch_execute("COMMIT"));
        }
    }

    /// Takes everything back.
    pub(crate) fn roll_back(&self) {
        if self.begin.take().is_none() && !self.link.is_lost.get() {
            begin(self.link.client.batch_execute("ROLLBACK"));
        }
    }

    /// Makes everything durable. If the answer is lost nobody knows whether it is.
    pub(crate) fn commit(&self) -> Result<(), StoreError> {
        if self.begin.take().is_some() {
            return Ok(());
        }
        match wait(self.link.client.batch_execute("COMMIT"), Instant::now() + self.patience.get()) {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) if is_refusal(&error) => {
                self.may_repeat.set(is_in_the_way(&error));
                Err(of_postgres(self.place, &error))
            }
            _ => {
                self.link.is_lost.set(true);
                self.is_cut.set(true);
                Err(StoreError::Unknown { place: self.place.to_owned() })
            }
        }
    }
}

impl Session for PgSession<'_> {
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> sql::Result<usize> {
        let changed = self.ask(async {
            let statement = self.statement(sql, &types(values)).await?;
            self.link.client.execute_raw(&statement, values.iter().map(Param)).await
        })?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    fn query(
        &self,
        sql: &str,
        values: &[Value<'_>],
        each: &mut dyn FnMut(&Row<'_>) -> sql::Result<()>,
    ) -> sql::Result<()> {
        let rows = self.ask(async {
            let statement = self.statement(sql, &types(values)).await?;
            let params: Vec<Param<'_>> = values.iter().map(Param).collect();
            let params: Vec<&(dyn ToSql + Sync)> =
                params.iter().map(|param| param as &(dyn ToSql + Sync)).collect();
            self.link.client.query(&statement, &params).await
        })?;
        rows.iter().try_for_each(|row| each(&Row::new(&PgRow { row })))
    }

    fn execute_all(&self, sql: &str, lists: &[Vec<Value<'_>>]) -> sql::Result<()> {
        let Some(first) = lists.first() else { return Ok(()) };
        for window in lists.chunks(WINDOW) {
            self.ask(async {
                let statement = self.statement(sql, &types(first)).await?;
                let runs = window
                    .iter()
                    .map(|values| self.link.client.execute_raw(&statement, values.iter().map(Param)));
                in_a_row(runs.collect()).await
            })?;
        }
        Ok(())
    }

    fn tables(&self) -> sql::Result<Vec<TableShape>> {
        let sql = "SELECT table_name::text, column_name::text FROM information_schema.columns \
                   WHERE table_schema = current_schema() AND table_name <> 'maproom' \
                   AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = current_schema()) \
                   ORDER BY table_name, ordinal_position";
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

    /// A few rows at a time: a table may be larger than the memory.
    fn scan(
        &self,
        table: &str,
        columns: &[String],
        each: &mut dyn FnMut(&Row<'_>) -> sql::Result<()>,
    ) -> sql::Result<()> {
        self.batch(&format!(
            "DECLARE rows_of_{table} NO SCROLL CURSOR FOR SELECT {} FROM {table}",
            columns.join(", ")
        ))?;
        let fetch = format!("FETCH FORWARD {FETCH} FROM rows_of_{table}");
        loop {
            // Not a statement that is kept: the cursor it would read from is another the next time.
            let rows = self.ask(async {
                let statement = self.link.client.prepare(&fetch).await?;
                self.link.client.query(&statement, &[]).await
            })?;
            rows.iter().try_for_each(|row| each(&Row::new(&PgRow { row })))?;
            if rows.len() < FETCH {
                return self.batch(&format!("CLOSE rows_of_{table}"));
            }
        }
    }

    fn go_on_numbering(&self) -> sql::Result<()> {
        let sql = "SELECT table_name::text, column_name::text FROM information_schema.columns \
                   WHERE table_schema = current_schema() AND is_identity = 'YES'";
        let mut numbered: Vec<(String, String)> = Vec::new();
        self.query(sql, &[], &mut |row| {
            numbered.push((row.get(0)?, row.get(1)?));
            Ok(())
        })?;
        numbered.iter().try_for_each(|(table, column)| {
            self.batch(&format!(
                "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), COALESCE(MAX({column}), 0) + 1, false) \
                 FROM {table}"
            ))
        })
    }

    fn make_tables(&self, step: &str) -> sql::Result<()> {
        self.batch(&dialect::tables(step))
    }

    fn time(&self) -> sql::Result<i64> {
        let rows = self.ask(self.rows(TIME, &[]))?;
        let row = rows.first().ok_or(sql::Error::NoRow)?;
        row.try_get(0).map_err(|why| sql::Error::Unreadable(crate::errors::detail(&why)))
    }

    fn hold_rating_log(&self) -> sql::Result<()> {
        self.batch(locks::RATINGS)
    }
}

/// Sends everything, then waits for the answers in their order.
async fn in_a_row<T>(asked: Vec<impl Future<Output = Result<T, Error>>>) -> Result<(), Error> {
    let mut asked: Vec<_> = asked.into_iter().map(|one| (Box::pin(one), None)).collect();
    poll_fn(|context| {
        for (one, answer) in &mut asked {
            if let Poll::Ready(came) = Pin::new(one).poll(context) {
                *answer = Some(came);
            }
        }
        Poll::Ready(())
    })
    .await;
    for (one, answer) in asked {
        match answer {
            Some(answer) => answer?,
            None => one.await?,
        };
    }
    Ok(())
}

/// The types of values; those of missing ones the server finds out.
fn types(values: &[Value<'_>]) -> Vec<Type> {
    let of = |value: &Value<'_>| match value {
        Value::Null => Type::UNKNOWN,
        Value::Integer(_) => Type::INT8,
        Value::Real(_) => Type::FLOAT8,
        Value::Text(_) => Type::TEXT,
        Value::Blob(_) => Type::BYTEA,
    };
    values.iter().map(of).collect()
}

/// A value on its way to the server.
#[derive(Debug)]
struct Param<'v>(&'v Value<'v>);

type Failure = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Param<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        match self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Integer(number) => match *kind {
                Type::INT8 => number.to_sql(kind, out),
                Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
                Type::BOOL => (*number != 0).to_sql(kind, out),
                Type::FLOAT8 => (*number as f64).to_sql(kind, out),
                _ => Err(format!("a whole number where {kind} is wanted").into()),
            },
            Value::Real(number) => number.to_sql(kind, out),
            Value::Text(text) => dialect::written(text).to_sql(kind, out),
            Value::Blob(bytes) => bytes.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    tokio_postgres::types::to_sql_checked!();
}

/// A value that has come from the server.
struct Any<'v>(Value<'v>);

impl<'v> FromSql<'v> for Any<'v> {
    fn from_sql(kind: &Type, raw: &'v [u8]) -> Result<Self, Failure> {
        Ok(Self(match *kind {
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::BOOL => Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => Value::Blob(Cow::Borrowed(raw)),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => {
                Value::Text(dialect::read(std::str::from_utf8(raw)?))
            }
            _ => return Err(format!("a column of the type {kind}").into()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Failure> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

struct PgRow<'r> {
    row: &'r tokio_postgres::Row,
}

impl Columns for PgRow<'_> {
    fn value(&self, column: usize) -> sql::Result<Value<'_>> {
        let value = self.row.try_get::<_, Any<'_>>(column);
        value.map(|any| any.0).map_err(|why| {
            sql::Error::Unreadable(format!("column {column}: {}", crate::errors::detail(&why)))
        })
    }
}
