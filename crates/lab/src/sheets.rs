//! Files of rows, written whole or not at all: with commas between their fields (CSV, RFC 4180), or as Parquet.
//!
//! Both hold the same: the columns are described once, and a row comes with its types, so that neither form is made from the
//! other.

mod columns;
mod csv;
#[cfg(feature = "files")]
mod parquet;

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::Value;

pub use columns::{Column, Field, Kind};
use columns::{DECISIONS, DRAWS, GAMES};
use csv::CsvSheet;

/// The version of the columns.
pub const SCHEMA: u32 = 1;

const ABOUT: &str = "about.json";
const NO_PARQUET: &str =
    "this Maproom was built without Parquet: build it with `--features files`, or write csv";

/// How files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Texts with commas between.
    Csv,
    /// Columns with types, compressed; only in a build with the feature `files`.
    Parquet,
}

impl Format {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Parquet];

    /// What this build writes if nobody asks for anything else.
    pub const fn usual() -> Self {
        if cfg!(feature = "files") { Self::Parquet } else { Self::Csv }
    }

    /// The word for it, with which the names of its files end.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Reads the word. What this build can't write is refused.
    pub fn read(word: &str) -> Result<Self, String> {
        match Self::ALL.into_iter().find(|format| format.word() == word) {
            Some(Self::Parquet) if !cfg!(feature = "files") => Err(NO_PARQUET.to_owned()),
            Some(format) => Ok(format),
            None => Err(format!("{word:?} is no format of files: csv or parquet")),
        }
    }
}

/// Where files are written, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// The folder.
    pub folder: PathBuf,
    /// How.
    pub format: Format,
}

impl Shelf {
    /// Makes the folder, if it is missing, and refuses one that has such files already, in whatever format: what is one batch
    /// and what another could not be told any more.
    pub fn check(&self) -> Result<(), String> {
        let folder = &self.folder;
        fs::create_dir_all(folder)
            .map_err(|why| format!("can't make the folder {}: {why}", folder.display()))?;
        let names = [GAMES.0, DECISIONS.0, DRAWS.0].into_iter();
        let names = names.flat_map(|name| Format::ALL.map(|format| format!("{name}.{}", format.word())));
        let mut files = names.chain([ABOUT.to_owned()]).map(|name| folder.join(name));
        match files.find(|file| file.exists()) {
            Some(file) => Err(format!(
                "{} is there already, and is not overwritten: choose another folder, or move it away",
                file.display()
            )),
            None => Ok(()),
        }
    }
}

/// Games, their decisions and their draws as files of a folder.
#[derive(Debug)]
pub struct Sheets {
    shelf: Shelf,
    games: Box<dyn Sheet>,
    decisions: Box<dyn Sheet>,
    draws: Box<dyn Sheet>,
}

impl Sheets {
    /// Empty files. They get their names when they are finished. `more` are columns of games beyond the usual ones.
    pub fn new(shelf: &Shelf, more: &[Column]) -> Result<Self, String> {
        shelf.check()?;
        let sheet = |(name, columns): (&str, &[Column]), more: &[Column]| {
            let new = New::beside(shelf.folder.join(format!("{name}.{}", shelf.format.word())))?;
            let columns = [columns, more].concat();
            match shelf.format {
                Format::Csv => CsvSheet::boxed(new, &columns),
                #[cfg(feature = "files")]
                Format::Parquet => parquet::ParquetSheet::boxed(new, &columns),
                #[cfg(not(feature = "files"))]
                Format::Parquet => Err(NO_PARQUET.to_owned()),
            }
        };
        let (games, decisions, draws) = (sheet(GAMES, more)?, sheet(DECISIONS, &[])?, sheet(DRAWS, &[])?);
        Ok(Self { shelf: shelf.clone(), games, decisions, draws })
    }

    /// Adds a game: a field for each column.
    pub fn game(&mut self, fields: &[Field<'_>]) -> Result<(), String> {
        self.games.row(fields)
    }

    /// Adds a decision.
    pub fn decision(&mut self, fields: &[Field<'_>]) -> Result<(), String> {
        self.decisions.row(fields)
    }

    /// Adds a draw.
    pub fn draw(&mut self, fields: &[Field<'_>]) -> Result<(), String> {
        self.draws.row(fields)
    }

    /// Finishes the files, and says beside them what they are about; in Parquet it is in each of them as well.
    pub fn finish(self, about: &Value) -> Result<(), String> {
        let (last, file) = New::beside(self.shelf.folder.join(ABOUT))?;
        write_text(file, &format!("{about:#}\n")).map_err(|why| last.fail(why))?;
        let sheets = [self.games, self.decisions, self.draws];
        let mut whole = sheets.into_iter().map(|sheet| sheet.end(about)).collect::<Result<Vec<_>, _>>()?;
        whole.push(last);
        // Only when all are whole does any of them get its name, and nobody's file is lost by it.
        self.shelf.check()?;
        let mut named = Vec::new();
        for new in whole {
            if let Err(why) = fs::rename(&new.beside, &new.file) {
                named.iter().for_each(|file| drop(fs::remove_file(file)));
                return Err(new.fail(why));
            }
            named.push(new.file.clone());
        }
        Ok(())
    }
}

fn write_text(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// One file. A row that fails leaves it broken: it is not to be finished after that.
trait Sheet: Debug {
    /// Adds a row: a field for each column.
    fn row(&mut self, fields: &[Field<'_>]) -> Result<(), String>;
    /// Brings the file to the disk, still under its name beside.
    fn end(self: Box<Self>, about: &Value) -> Result<New, String>;
}

/// A file that is not whole yet. It has another name until then, and is removed if it never gets its own.
#[derive(Debug)]
struct New {
    file: PathBuf,
    beside: PathBuf,
}

impl New {
    /// Begins a file. It is locked as long as it is written, so that no two write the same.
    fn beside(file: PathBuf) -> Result<(Self, File), String> {
        let mut beside = file.clone().into_os_string();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        let fail = |why: io::Error| format!("can't write {}: {why}", beside.display());
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&beside).map_err(fail)?;
        match open.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let beside = beside.display();
                return Err(format!(
                    "{beside} is being written by another Maproom: wait for it, or choose another folder"
                ));
            }
            Err(TryLockError::Error(why)) => return Err(fail(why)),
        }
        // One that was killed may have left something.
        if open.metadata().map_err(fail)?.len() > 0 {
            open.set_len(0).map_err(fail)?;
        }
        Ok((Self { file, beside }, open))
    }

    fn fail(&self, why: impl std::fmt::Display) -> String {
        format!("can't write {}: {why}", self.beside.display())
    }
}

impl Drop for New {
    fn drop(&mut self) {
        // After it has got its name nothing is there any more.
        let _ = fs::remove_file(&self.beside);
    }
}
