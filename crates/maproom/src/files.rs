//! Files, with errors that say which file and what.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

/// The largest file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// Reads a text file.
pub fn read_text(file: &Path) -> Result<String, String> {
    let fail = |why: String| format!("can't read {}: {why}", file.display());
    let opened = fs::File::open(file).map_err(|why| fail(why.to_string()))?;
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|why| fail(why.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail("it is larger than 16 MiB".to_owned()));
    }
    String::from_utf8(bytes).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        let line = why.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        fail(format!("line {line} is not text (UTF-8)"))
    })
}

/// Writes a file completely or not at all.
pub fn write_text(file: &Path, text: &str) -> Result<(), String> {
    let fail = |why: std::io::Error| format!("can't write {}: {why}", file.display());
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut beside = file.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let write = || {
        let mut new = fs::File::create(&beside)?;
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        fs::rename(&beside, file)
    };
    write().map_err(|why| {
        let _ = fs::remove_file(&beside);
        fail(why)
    })
}

/// The platform's data folder for Maproom: on Linux `maproom` in `$XDG_DATA_HOME`, or in `~/.local/share` if that is not set
/// or not an absolute path. `None` if there is no home folder.
pub fn data_folder() -> Option<PathBuf> {
    let base = etcetera::base_strategy::choose_native_strategy().ok()?.data_dir();
    let own = base.join("maproom");
    // On Windows programs keep data apart from settings inside their own folder.
    let folder = if cfg!(windows) { own.join("data") } else { own };
    folder.is_absolute().then_some(folder)
}

/// The folder for matches without a file name.
fn match_folder() -> Option<PathBuf> {
    Some(data_folder()?.join("matches"))
}

/// The highest number among the saved matches of a game.
fn last_number(folder: &Path, game: &str) -> Option<u32> {
    let numbers = fs::read_dir(folder).ok()?.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        let number = name.to_str()?.strip_prefix(game)?.strip_prefix('-')?.strip_suffix(".match")?;
        number.parse().ok()
    });
    numbers.max()
}

/// The most recently started match of a game, if any.
pub fn last_match(game: &str) -> Option<PathBuf> {
    let folder = match_folder()?;
    let number = last_number(&folder, game)?;
    Some(folder.join(format!("{game}-{number:04}.match")))
}

/// The file for a new match: each has its own, and none is overwritten.
pub fn new_match(game: &str) -> Option<PathBuf> {
    let folder = match_folder()?;
    let number = last_number(&folder, game).unwrap_or(0).saturating_add(1);
    Some(folder.join(format!("{game}-{number:04}.match")))
}
