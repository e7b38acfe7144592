//! A whole store as one file of lines, and back.
//!
//! The first line names the format and the versions of the tables. Then each table has a line with its name and its columns,
//! followed by one line a row; the last line has the number of rows and the SHA-256 of all lines before it, so that a file that
//! was cut short or changed is noticed before anything is written. The file knows nothing of the kind of database: what one
//! kind has written another can read.

mod cell;
mod restoring;

pub use restoring::restore;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};

use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::StoreError;
use crate::sql::{self, Connection, Database, TableShape, Value};

/// The format of the file.
const FORMAT: u64 = 1;
/// The longest line that is read: a match may be large, but not like this.
const LONGEST_LINE: u64 = 256 << 20;

/// Tables to which others refer come first, in this order; then the others.
const FIRST: &[&str] = &[
    "matches",
    "accounts",
    "order_books",
    "channels",
    "letters",
    "tournaments",
    "gatherings",
    "jobs",
    "chunks",
];
/// Settings with the versions of groups of tables.
const VERSIONS: &[&str] = &[
    "people_version",
    "meeting_version",
    "ratings_version",
    "tournaments_version",
    "orders_version",
    "post-version",
    "ledger_version",
    "sharing_version",
];
/// Why a backup was not made or taken in.
#[derive(Debug)]
pub enum BackupError {
    /// The database refused.
    Store(StoreError),
    /// The file can't be read or written.
    File(io::Error),
    /// A line of the file is not what it should be.
    Line {
        /// Its number.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// The file is whole, but not for this store.
    Refused(String),
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(why) => why.fmt(f),
            Self::File(why) => write!(f, "the backup can't be read or written: {why}"),
            Self::Line { number, why } => write!(f, "line {number} of the backup: {why}"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for BackupError {}

impl From<StoreError> for BackupError {
    fn from(why: StoreError) -> Self {
        Self::Store(why)
    }
}

impl From<io::Error> for BackupError {
    fn from(why: io::Error) -> Self {
        Self::File(why)
    }
}

/// What a backup holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many rows each table has.
    pub rows: BTreeMap<String, u64>,
}

impl Contents {
    /// How many rows there are.
    pub fn total(&self) -> u64 {
        self.rows.values().sum()
    }

    /// How many matches there are, those in the bin too.
    pub fn matches(&self) -> u64 {
        self.rows.get("matches").copied().unwrap_or(0)
    }
}

/// The lines of a backup on their way out.
struct Lines<W> {
    out: W,
    sum: Sha256,
}

impl<W: Write> Lines<W> {
    fn write(&mut self, line: &Json) -> io::Result<()> {
        let mut text = line.to_string();
        text.push('\n');
        self.sum.update(&text);
        self.out.write_all(text.as_bytes())
    }
}

/// Writes everything that a store holds at one moment; others may go on writing meanwhile.
pub fn backup(database: &impl Database, out: impl Write) -> Result<Contents, BackupError> {
    // Reading may be done again from the start, but not once something was written.
    let lines = RefCell::new(Some(Lines { out, sum: Sha256::new() }));
    let failure = RefCell::new(None);
    let done = database.read(|c| {
        let Some(mut lines) = lines.borrow_mut().take() else {
            return Err(sql::Error::Database(StoreError::Other(
                "the connection to the database broke while the backup was made: make it again".to_owned(),
            )));
        };
        write_all(c, &mut lines).map_err(|why| match why {
            Failure::Sql(why) => why,
            Failure::File(why) => {
                let words = why.to_string();
                *failure.borrow_mut() = Some(why);
                sql::Error::Database(StoreError::Other(words))
            }
        })
    });
    match (done, failure.into_inner()) {
        (_, Some(why)) => Err(BackupError::File(why)),
        (done, None) => Ok(done?),
    }
}

/// What can go wrong between a database and a file.
enum Failure {
    Sql(sql::Error),
    File(io::Error),
}

impl From<sql::Error> for Failure {
    fn from(why: sql::Error) -> Self {
        Self::Sql(why)
    }
}

impl From<io::Error> for Failure {
    fn from(why: io::Error) -> Self {
        Self::File(why)
    }
}

fn write_all(c: &Connection<'_>, lines: &mut Lines<impl Write>) -> Result<Contents, Failure> {
    let mut versions = serde_json::Map::new();
    for setting in VERSIONS {
        let version = sql::version(c, setting)?;
        if version > 0 {
            versions.insert((*setting).to_owned(), version.into());
        }
    }
    let tables = sql::MATCH_TABLES.len();
    lines.write(&json!({ "maproom_backup": FORMAT, "tables": tables, "versions": versions }))?;
    let mut contents = Contents::default();
    for TableShape { name, columns } in in_order(c.tables()?) {
        lines.write(&json!({ "table": name, "columns": columns }))?;
        let (mut rows, mut failure) = (0, None);
        c.scan(&name, &columns, &mut |row| {
            let cells = (0..columns.len()).map(|column| Ok(cell::written(&row.get_ref(column)?)));
            let cells: sql::Result<Vec<Json>> = cells.collect();
            rows += 1;
            lines.write(&Json::Array(cells?)).map_err(|why| {
                let words = why.to_string();
                failure = Some(why);
                sql::Error::Database(StoreError::Other(words))
            })
        })
        .map_err(|why| failure.take().map_or(Failure::Sql(why), Failure::File))?;
        contents.rows.insert(name, rows);
    }
    let sum: String = lines.sum.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    lines.write(&json!({ "end": { "rows": contents.total(), "sha256": sum } }))?;
    lines.out.flush()?;
    Ok(contents)
}

fn in_order(mut tables: Vec<TableShape>) -> Vec<TableShape> {
    let place = |name: &str| FIRST.iter().position(|first| *first == name).unwrap_or(FIRST.len());
    tables.sort_by(|a, b| (place(&a.name), &a.name).cmp(&(place(&b.name), &b.name)));
    tables
}

/// A backup as it is read, line by line.
struct Reader<R> {
    input: R,
    number: usize,
    sum: Sha256,
}

impl<R: BufRead> Reader<R> {
    fn bad<T>(&self, why: impl Into<String>) -> Result<T, BackupError> {
        Err(BackupError::Line { number: self.number, why: why.into() })
    }

    /// The next line, and the sum of all before it.
    fn next(&mut self) -> Result<(Json, Sha256), BackupError> {
        let mut line = Vec::new();
        self.number += 1;
        io::Read::take(&mut self.input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            return self.bad("the file ends here, but a whole backup has a last line with `end`");
        }
        let before = self.sum.clone();
        self.sum.update(&line);
        match serde_json::from_slice(&line) {
            Ok(json) => Ok((json, before)),
            Err(why) => self.bad(format!("this is not JSON: {why}")),
        }
    }
}

/// What is done with a backup while it is read.
trait Taker {
    fn begin(&mut self, versions: &BTreeMap<String, u32>) -> Result<(), BackupError>;
    fn table(&mut self, shape: &TableShape) -> Result<(), BackupError>;
    fn row(&mut self, cells: Vec<Value<'static>>) -> Result<(), BackupError>;
    fn end(&mut self) -> Result<(), BackupError>;
}

fn read_all(input: impl BufRead, taker: &mut dyn Taker) -> Result<Contents, BackupError> {
    let mut reader = Reader { input, number: 0, sum: Sha256::new() };
    let (head, _) = reader.next()?;
    match head["maproom_backup"].as_u64() {
        Some(FORMAT) => {}
        Some(newer) => {
            return Err(BackupError::Refused(format!(
                "the backup was made by a newer Maproom (format {newer}, this one reads {FORMAT}): use that one"
            )));
        }
        None => return reader.bad("this is not a backup of Maproom: it would begin with `maproom_backup`"),
    }
    taker.begin(&versions(&head))?;
    let mut contents = Contents::default();
    let mut shape: Option<TableShape> = None;
    loop {
        let (line, before) = reader.next()?;
        match line {
            Json::Array(cells) => {
                let Some(shape) = &shape else { return reader.bad("a row before any table") };
                if cells.len() != shape.columns.len() {
                    let (found, wanted) = (cells.len(), shape.columns.len());
                    return reader.bad(format!("{found} cells, but {} has {wanted} columns", shape.name));
                }
                let values = cells.into_iter().map(cell::read).collect::<Result<Vec<_>, String>>();
                match values {
                    Ok(values) => taker.row(values)?,
                    Err(why) => return reader.bad(why),
                }
                *contents.rows.entry(shape.name.clone()).or_default() += 1;
            }
            Json::Object(mut fields) if fields.contains_key("table") => {
                let name = fields["table"].as_str().map(str::to_owned);
                let columns: Option<Vec<String>> = fields
                    .remove("columns")
                    .and_then(|columns| serde_json::from_value(columns).ok())
                    .filter(|columns: &Vec<String>| !columns.is_empty());
                let (Some(name), Some(columns)) = (name, columns) else {
                    return reader.bad("a table without a name or without columns");
                };
                let next = TableShape { name, columns };
                taker.table(&next)?;
                contents.rows.entry(next.name.clone()).or_default();
                shape = Some(next);
            }
            Json::Object(fields) if fields.contains_key("end") => {
                let end = &fields["end"];
                let sum: String = before.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
                if end["sha256"].as_str() != Some(&sum) || end["rows"].as_u64() != Some(contents.total()) {
                    return reader.bad("the sum at the end is another: the file was changed or damaged");
                }
                taker.end()?;
                return Ok(contents);
            }
            _ => return reader.bad("neither a row nor a table nor the end"),
        }
    }
}

fn versions(head: &Json) -> BTreeMap<String, u32> {
    let number = |json: &Json| json.as_u64().and_then(|number| u32::try_from(number).ok());
    let groups = head["versions"].as_object().into_iter().flatten();
    let mut versions: BTreeMap<String, u32> =
        groups.filter_map(|(name, version)| Some((name.clone(), number(version)?))).collect();
    versions.insert("tables".to_owned(), number(&head["tables"]).unwrap_or(0));
    versions
}

/// Reads a backup to its end and says what it holds; nothing is written.
pub fn inspect(input: impl BufRead) -> Result<Contents, BackupError> {
    struct Look;
    impl Taker for Look {
        fn begin(&mut self, _: &BTreeMap<String, u32>) -> Result<(), BackupError> {
            Ok(())
        }
        fn table(&mut self, _: &TableShape) -> Result<(), BackupError> {
            Ok(())
        }
        fn row(&mut self, _: Vec<Value<'static>>) -> Result<(), BackupError> {
            Ok(())
        }
        fn end(&mut self) -> Result<(), BackupError> {
            Ok(())
        }
    }
    read_all(input, &mut Look)
}
