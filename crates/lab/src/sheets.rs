//! Files of rows with commas between their fields (CSV, RFC 4180), written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The version of the columns.
pub const SCHEMA: u32 = 1;

/// The files, and the columns of each.
const GAMES: (&str, &[&str]) = (
    "games.csv",
    &[
        "game",
        "seed",
        "title",
        "setup",
        "rules",
        "bots",
        "result",
        "standings",
        "decisions",
        "draws",
        "turns",
    ],
);
const DECISIONS: (&str, &[&str]) = (
    "decisions.csv",
    &["game", "step", "turn", "seat", "rule", "choice", "index", "open", "forced", "by", "standing"],
);
const DRAWS: (&str, &[&str]) =
    ("draws.csv", &["game", "step", "turn", "purpose", "choice", "tickets", "ticket"]);
const ABOUT: &str = "about.json";

/// Makes a folder for files, if it is missing, and refuses one that has them already.
pub fn check_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|why| format!("can't make the folder {}: {why}", folder.display()))?;
    let names = [GAMES.0, DECISIONS.0, DRAWS.0, ABOUT];
    match names.iter().map(|name| folder.join(name)).find(|file| file.exists()) {
        Some(file) => Err(format!(
            "{} is there already, and is not overwritten: choose another folder, or move it away",
            file.display()
        )),
        None => Ok(()),
    }
}

/// Games, their decisions and their draws as files of a folder.
#[derive(Debug)]
pub struct Sheets {
    games: Sheet,
    decisions: Sheet,
    draws: Sheet,
    about: PathBuf,
}

impl Sheets {
    /// Empty files. They get their names when they are finished. `more` are columns of games beyond the usual ones.
    pub fn new(folder: &Path, more: &[&str]) -> Result<Self, String> {
        check_folder(folder)?;
        let sheet = |(name, columns): (&str, &[&str]), more: &[&str]| {
            let mut sheet = Sheet::new(folder.join(name));
            sheet.row(&[columns, more].concat());
            sheet
        };
        let (games, decisions, draws) = (sheet(GAMES, more), sheet(DECISIONS, &[]), sheet(DRAWS, &[]));
        Ok(Self { games, decisions, draws, about: folder.join(ABOUT) })
    }

    /// Adds a game: a field for each column.
    pub fn game(&mut self, fields: &[&str]) {
        self.games.row(fields);
    }

    /// Adds a decision.
    pub fn decision(&mut self, fields: &[&str]) {
        self.decisions.row(fields);
    }

    /// Adds a draw.
    pub fn draw(&mut self, fields: &[&str]) {
        self.draws.row(fields);
    }

    /// Finishes the files, and says beside them what they are about. What went wrong on the way is told here.
    pub fn finish(self, about: &Value) -> Result<(), String> {
        let mut last = Sheet::new(self.about);
        last.text(&format!("{about:#}\n"));
        // Only when all are whole does any of them get its name.
        let sheets = [self.games, self.decisions, self.draws, last];
        let whole = sheets.into_iter().map(Sheet::end).collect::<Result<Vec<_>, _>>()?;
        for (from, to) in whole {
            fs::rename(&from, &to).map_err(|why| format!("can't write {}: {why}", to.display()))?;
        }
        Ok(())
    }
}

/// One file.
#[derive(Debug)]
struct Sheet {
    file: PathBuf,
    beside: PathBuf,
    columns: usize,
    out: io::Result<BufWriter<File>>,
}

impl Sheet {
    fn new(file: PathBuf) -> Self {
        let mut beside = file.clone().into_os_string();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        Self { out: File::create(&beside).map(BufWriter::new), file, beside, columns: 0 }
    }

    fn text(&mut self, text: &str) {
        self.write(|out| out.write_all(text.as_bytes()));
    }

    fn row(&mut self, fields: &[&str]) {
        debug_assert!(self.columns == 0 || self.columns == fields.len(), "{fields:?}");
        self.columns = fields.len();
        self.write(|out| {
            for (at, field) in fields.iter().enumerate() {
                if at > 0 {
                    out.write_all(b",")?;
                }
                if field.contains([',', '"', '\n', '\r']) {
                    write!(out, "\"{}\"", field.replace('"', "\"\""))?;
                } else {
                    out.write_all(field.as_bytes())?;
                }
            }
            out.write_all(b"\n")
        });
    }

    fn write(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        if let Ok(out) = &mut self.out
            && let Err(why) = write(out)
        {
            self.out = Err(why);
        }
    }

    /// Brings the file to the disk, still under its name beside.
    fn end(self) -> Result<(PathBuf, PathBuf), String> {
        let done =
            self.out.and_then(|out| out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all());
        done.map_err(|why| format!("can't write {}: {why}", self.beside.display()))?;
        Ok((self.beside, self.file))
    }
}
