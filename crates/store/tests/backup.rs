//! A store as a file, and back.

use std::fs;
use std::path::Path;

use store::backup::{BackupError, backup, inspect, restore};
use store::conformance::{sample, steps_append};
use store::{People as _, RatingBook as _, SqliteStore, Store as _, Tournaments as _};

fn lines(store: &SqliteStore) -> String {
    let mut file = Vec::new();
    backup(store, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

/// The rows in any order, without the sums.
fn rows(text: &str) -> Vec<&str> {
    let mut rows: Vec<&str> = text.lines().filter(|line| !line.starts_with("{\"end\"")).collect();
    rows.sort_unstable();
    rows
}

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(folder).unwrap()
}

fn in_use() -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.prepare_people().unwrap();
    store.prepare_ratings().unwrap();
    store.prepare_tournaments().unwrap();
    store.create(&sample("m"), &[]).unwrap();
    store.append(&[steps_append("m", 1, "one\n\0two")]).unwrap();
    (folder, store)
}

#[test]
fn everything_comes_back() {
    let (_folder, store) = in_use();
    let text = lines(&store);
    let other = tempfile::tempdir().unwrap();
    let restored = open(other.path());
    // Its own key gives way to that of the backup.
    restored.set_setting("owner_key", "of the empty house").unwrap();
    store.set_setting("owner_key", "of the old house").unwrap();
    let text_with_key = lines(&store);
    let contents = restore(&restored, text_with_key.as_bytes()).unwrap();
    assert_eq!((contents.matches(), contents.rows["journal"]), (1, 1));
    assert_eq!(rows(&lines(&restored)), rows(&text_with_key));
    assert_ne!(text, text_with_key);
    assert_eq!(restored.find("m"), store.find("m"));
    assert_eq!(restored.journal("m"), store.journal("m"));
    assert_eq!(restored.setting("owner_key").unwrap().as_deref(), Some("of the old house"));
    restored.check().unwrap();
    assert_eq!(inspect(text_with_key.as_bytes()).unwrap(), contents);
}

/// The databases of all releases in the museum, brought up to date, saved and taken in again.
#[test]
fn the_databases_of_releases_come_back() {
    let museum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maproom/tests/museum");
    let mut releases = 0;
    for release in fs::read_dir(museum).unwrap() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::copy(release.unwrap().path().join("maproom.db"), old.path().join("maproom.db")).unwrap();
        let (old, new) = (open(old.path()), open(new.path()));
        let text = lines(&old);
        let contents = restore(&new, text.as_bytes()).unwrap();
        assert!(contents.matches() > 5 && contents.rows["journal"] > 5);
        assert_eq!(rows(&lines(&new)), rows(&text));
        new.check().unwrap();
        releases += 1;
    }
    assert!(releases >= 2);
}

#[test]
fn what_is_damaged_is_refused_and_nothing_is_written() {
    let (_folder, store) = in_use();
    let text = lines(&store);
    let folder = tempfile::tempdir().unwrap();
    let empty = open(folder.path());
    let refused = |text: &str| {
        let why = restore(&empty, text.as_bytes()).expect_err("refused").to_string();
        assert!(inspect(text.as_bytes()).is_err() || why.contains("backup"), "{why}");
        assert_eq!(empty.list(false).unwrap(), []);
        why
    };
    let cut: usize = text.len() / 2;
    assert!(refused(&text[..cut]).contains("line"));
    assert!(refused(text.trim_end()).contains("whole backup"));
    let without_end =
        text.lines().filter(|line| !line.starts_with("{\"end\"")).collect::<Vec<_>>().join("\n");
    assert!(refused(&without_end).contains("`end`") || refused(&without_end).contains("whole backup"));
    assert!(refused(&text.replacen("\"one", "\"two", 1)).contains("sum"));
    assert!(refused(&text.replacen("maproom_backup\":1", "maproom_backup\":2", 1)).contains("newer"));
    assert!(refused(&text.replacen("\"tables\":", "\"tables\":9", 1)).contains("newer Maproom"));
    assert!(refused("no backup\n").contains("line 1"));
    assert!(refused("").contains("line 1"));
    restore(&empty, text.as_bytes()).unwrap();
}

#[test]
fn only_an_empty_store_takes_a_backup_in() {
    let (_folder, store) = in_use();
    let text = lines(&store);
    match restore(&store, text.as_bytes()) {
        Err(BackupError::Refused(why)) => assert!(why.contains("empty store only"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(lines(&store), text);
}
