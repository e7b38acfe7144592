//! A backup taken into an empty store.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

use serde_json::Value as Json;

use super::{BackupError, Contents, LONGEST_LINE, Taker, read_all, versions};
use crate::sql::{self, Connection, Database, TableShape, Value};
use crate::{
    StoreError, ledger_sql, meeting, orders_sql, people_sql, post_sql, rating_book_sql, sharing_sql,
    tournament_sql,
};

/// How many rows are written at once.
const ROWS: usize = 400;
/// What a store may hold that still counts as empty.
const OF_THE_HOUSE: &[&str] = &["settings", "outages"];

/// Takes a backup into an empty store, all of it or nothing.
pub fn restore<D: Database>(database: &D, input: impl BufRead) -> Result<Contents, BackupError> {
    let input = RefCell::new(Some(input));
    let outcome: RefCell<Option<BackupError>> = RefCell::new(None);
    // The tables that it needs are made before, because some databases make tables only by themselves.
    let mut head = Vec::new();
    if let Some(input) = input.borrow_mut().as_mut() {
        io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut head)?;
    }
    let first: Json = serde_json::from_slice(&head).unwrap_or(Json::Null);
    prepare(database, &versions(&first))?;
    let done = database.migrate(|c| {
        let Some(input) = input.borrow_mut().take() else {
            return Err(sql::Error::Database(StoreError::Other(
                "the connection to the database broke: nothing was restored, try again".to_owned(),
            )));
        };
        let mut taker = Restoring { connection: *c, there: Vec::new(), table: None, rows: Vec::new() };
        read_all(io::Read::chain(&*head, input), &mut taker).map_err(|why| {
            let words = why.to_string();
            *outcome.borrow_mut() = Some(why);
            sql::Error::Database(StoreError::Other(words))
        })
    });
    match (done, outcome.into_inner()) {
        (Err(_), Some(why)) => Err(why),
        (done, _) => Ok(done?),
    }
}

/// Groups of tables: the setting with their version, and the steps to them.
const GROUPS: &[(&str, &[&str])] = &[
    ("people_version", people_sql::STEPS),
    ("meeting_version", meeting::STEPS),
    ("ratings_version", rating_book_sql::STEPS),
    ("tournaments_version", tournament_sql::STEPS),
    ("orders_version", orders_sql::STEPS),
    ("post-version", post_sql::STEPS),
    ("ledger_version", ledger_sql::STEPS),
    ("sharing_version", sharing_sql::STEPS),
];

/// Makes the groups of tables that a backup has, in the version that it has them in: a store that no server has brought up to
/// date yet can be saved and taken back as it is.
fn prepare<D: Database>(database: &D, versions: &BTreeMap<String, u32>) -> Result<(), BackupError> {
    for (setting, steps) in GROUPS {
        let wanted = versions.get(*setting).map_or(0, |found| (*found as usize).min(steps.len()));
        let there = database.read(|c| sql::version(c, setting))? as usize;
        if there < wanted {
            sql::prepare(database, setting, &steps[..wanted])?;
        }
    }
    Ok(())
}

struct Restoring<'c> {
    connection: Connection<'c>,
    there: Vec<TableShape>,
    table: Option<(String, TableShape)>,
    rows: Vec<Vec<Value<'static>>>,
}

impl Restoring<'_> {
    fn flush(&mut self) -> Result<(), BackupError> {
        if let Some((statement, _)) = &self.table {
            self.connection.execute_all(statement, &self.rows).map_err(database_error)?;
        }
        self.rows.clear();
        Ok(())
    }
}

fn database_error(why: sql::Error) -> BackupError {
    match why {
        sql::Error::Database(why) => BackupError::Store(why),
        other => BackupError::Refused(other.to_string()),
    }
}

impl Taker for Restoring<'_> {
    fn begin(&mut self, versions: &BTreeMap<String, u32>) -> Result<(), BackupError> {
        for (group, &found) in versions {
            let known = match group.as_str() {
                "tables" => sql::MATCH_TABLES.len() as u32,
                setting => sql::version(&self.connection, setting).map_err(database_error)?,
            };
            if found != known {
                let age = if found > known { "a newer" } else { "an older" };
                return Err(BackupError::Refused(format!(
                    "the backup was made by {age} Maproom ({group}: version {found}, this one has {known}). Restore it \
                     with that one; a newer Maproom then brings the store up to date when it opens it"
                )));
            }
        }
        self.there = self.connection.tables().map_err(database_error)?;
        for TableShape { name, columns } in &self.there {
            let is_full = self.connection.has_rows(name, &columns[0]).map_err(database_error)?;
            if is_full && !OF_THE_HOUSE.contains(&name.as_str()) {
                return Err(BackupError::Refused(format!(
                    "a backup is restored into an empty store only, and this one has something in `{name}`: choose \
                     another folder or database"
                )));
            }
        }
        Ok(())
    }

    fn table(&mut self, shape: &TableShape) -> Result<(), BackupError> {
        self.flush()?;
        let there = self.there.iter().find(|there| there.name == shape.name);
        let unknown =
            |what: String| BackupError::Refused(format!("the backup has {what}, which this Maproom has not"));
        let there = there.ok_or_else(|| unknown(format!("a table {:?}", shape.name)))?;
        if let Some(column) = shape.columns.iter().find(|column| !there.columns.contains(column)) {
            return Err(unknown(format!("a column {column:?} of {}", shape.name)));
        }
        let marks: Vec<String> = (1..=shape.columns.len()).map(|number| format!("?{number}")).collect();
        // The settings of an empty house give way.
        let rest = match shape.name.as_str() {
            "settings" => " ON CONFLICT (key) DO UPDATE SET value = ?2",
            "outages" => " ON CONFLICT DO NOTHING",
            _ => "",
        };
        let (name, columns, marks) = (&shape.name, shape.columns.join(", "), marks.join(", "));
        let statement = format!("INSERT INTO {name} ({columns}) VALUES ({marks}){rest}");
        if name == "settings" && shape.columns != ["key", "value"] {
            return Err(unknown("other columns of the settings".to_owned()));
        }
        self.table = Some((statement, shape.clone()));
        Ok(())
    }

    fn row(&mut self, cells: Vec<Value<'static>>) -> Result<(), BackupError> {
        self.rows.push(cells);
        if self.rows.len() >= ROWS { self.flush() } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), BackupError> {
        self.flush()?;
        self.connection.go_on_numbering().map_err(database_error)
    }
}
