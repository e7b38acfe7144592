//! Folders and files that are not as they should be.

use std::fs;
use std::path::Path;

use store::conformance::{sample, steps_append};
use store::{SqliteStore, Store, StoreError};

fn refused(folder: &Path) -> StoreError {
    match SqliteStore::open(folder) {
        Ok(_) => panic!("opened"),
        Err(error) => {
            // Whatever it is, people learn which folder it is about.
            assert!(error.to_string().contains(&folder.display().to_string()), "{error}");
            error
        }
    }
}

/// A folder with a database in it that was closed properly, and the bytes of it.
fn filled() -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    store.create(&sample("m"), &[]).unwrap();
    store.append(&[steps_append("m", 1, &"x".repeat(50_000))]).unwrap();
    drop(store);
    assert!(!folder.path().join("maproom.db-wal").exists(), "the log was not folded in");
    let bytes = fs::read(folder.path().join("maproom.db")).unwrap();
    (folder, bytes)
}

fn with_number(mut bytes: Vec<u8>, at: usize, number: u32) -> Vec<u8> {
    bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
    bytes
}

#[test]
fn missing_folders_are_made_for_their_owner_only() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a/b c/ü");
    SqliteStore::open(&folder).unwrap().set_setting("a", "1").unwrap();
    assert_eq!(SqliteStore::open(&folder).unwrap().setting("a").unwrap().as_deref(), Some("1"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

/// Whoever can read the database can open every match and the lobby.
#[cfg(unix)]
#[test]
fn the_database_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
    let all = ["maproom.db", "maproom.db-wal", "maproom.db-shm", "maproom.lock"];
    let store = SqliteStore::open(folder.path()).unwrap();
    store.create(&sample("m"), &[]).unwrap();
    assert_eq!(all.map(mode), [0o600; 4], "a new one");
    drop(store);
    // As an earlier version left it.
    for name in ["maproom.db", "maproom.lock"] {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    let store = SqliteStore::open(folder.path()).unwrap();
    store.set_setting("a", "1").unwrap();
    assert_eq!(all.map(mode), [0o600; 4], "an old one");
}

#[test]
fn a_folder_belongs_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let error = refused(folder.path());
    assert_eq!(error, StoreError::Locked { folder: folder.path().to_path_buf() });
    store.set_setting("still", "fine").unwrap();
    drop(store);
    SqliteStore::open(folder.path()).unwrap();
}

#[test]
fn files_of_others_are_left_alone() {
    let (_folder, ours) = filled();
    let garbage: Vec<u8> = (0..20_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let foreign: [&[u8]; 5] = [
        b"my shopping list",
        b"SQLite format 3\0",
        &garbage,
        &with_number(ours.clone(), 68, 0),
        &with_number(ours.clone(), 68, 0x1234),
    ];
    for bytes in foreign {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("maproom.db");
        fs::write(&file, bytes).unwrap();
        let error = refused(folder.path());
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["maproom.db", "maproom.lock"]);
    }
}

#[test]
fn a_newer_database_is_left_alone() {
    let (folder, bytes) = filled();
    let file = folder.path().join("maproom.db");
    let newer = with_number(bytes, 60, 4711);
    fs::write(&file, &newer).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Newer { found: 4711, known: 5, .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), newer);
}

/// A newer Maproom that crashed: its version is only in the log.
#[test]
fn a_newer_log_is_left_alone() {
    let (folder, _) = filled();
    let file = folder.path().join("maproom.db");
    let log = folder.path().join("maproom.db-wal");
    let newer = rusqlite::Connection::open(&file).unwrap();
    newer.pragma_update(None, "user_version", 4711).unwrap();
    let (file_bytes, log_bytes) = (fs::read(&file).unwrap(), fs::read(&log).unwrap());
    newer.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    drop(newer);
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Newer { found: 4711, .. }), "{error}");
    assert!(fs::read(&file).unwrap() == file_bytes && fs::read(&log).unwrap() == log_bytes);
}

#[test]
fn damage_is_reported() {
    let (folder, bytes) = filled();
    let file = folder.path().join("maproom.db");

    // Cut off: seen at once.
    let cut = &bytes[..bytes.len() / 2];
    fs::write(&file, cut).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), cut);

    // Overwritten: seen by the quick check, before anybody plays on it.
    let mut holes = bytes.clone();
    holes[4096..].fill(0x55);
    fs::write(&file, &holes).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert_eq!(fs::read(&file).unwrap(), holes, "left as it is");

    // Overwritten while it is open: seen when it is read, and by the check.
    fs::write(&file, &bytes).unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    fs::write(&file, &holes).unwrap();
    assert!(matches!(store.check(), Err(StoreError::Corrupt { .. })), "{:?}", store.check());
    assert!(matches!(store.find("m"), Err(StoreError::Corrupt { .. })));
    drop(store);
    for log in ["maproom.db-wal", "maproom.db-shm"] {
        drop(fs::remove_file(folder.path().join(log)));
    }

    fs::write(&file, &bytes).unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    store.check().unwrap();
    assert_eq!(store.find("m").unwrap().unwrap().revision, 1);
}

/// SQLite would play an old log back onto a new file.
#[test]
fn a_log_without_its_database_is_left_alone() {
    for database in [None, Some(b"")] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("maproom.db-wal"), "precious").unwrap();
        if let Some(bytes) = database {
            fs::write(folder.path().join("maproom.db"), bytes).unwrap();
        }
        let error = refused(folder.path());
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
        assert_eq!(fs::read(folder.path().join("maproom.db-wal")).unwrap(), b"precious");
        assert_eq!(folder.path().join("maproom.db").exists(), database.is_some());
    }
}

#[test]
fn what_a_crash_while_making_the_database_leaves_is_no_hindrance() {
    let folder = tempfile::tempdir().unwrap();
    for left in ["maproom.db", "maproom.db-wal", "maproom.lock"] {
        fs::write(folder.path().join(left), "").unwrap();
    }
    fs::write(folder.path().join("maproom.db.new"), "half").unwrap();
    fs::write(folder.path().join("maproom.db.new-journal"), "half").unwrap();
    SqliteStore::open(folder.path()).unwrap().check().unwrap();
    assert!(!folder.path().join("maproom.db.new").exists());
}

#[test]
fn what_is_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maproom.db")).unwrap();
    let error = refused(folder.path());
    assert!(matches!(error, StoreError::Io { .. }), "{error}");

    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    refused(&file);
    refused(&file.join("below"));
}

/// Databases as earlier releases left them.
#[test]
fn the_databases_of_earlier_releases_are_brought_up_to_date() {
    let museum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maproom/tests/museum");
    let mut releases = 0;
    for release in fs::read_dir(museum).unwrap() {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(release.unwrap().path().join("maproom.db"), folder.path().join("maproom.db")).unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        let matches = store.list(false).unwrap();
        assert!(!matches.is_empty());
        for record in matches {
            let journal = store.journal(&record.id).unwrap();
            assert_eq!(journal.len(), record.revision as usize, "{}", record.name);
            assert!(journal.iter().all(|entry| entry.request.is_none() && entry.awaits.is_none()));
            let next = steps_append(&record.id, record.revision + 1, "on");
            assert_eq!(store.append(&[next]).unwrap(), [store::AppendOutcome::Written]);
        }
        store.check().unwrap();
        releases += 1;
    }
    assert!(releases >= 2);
}
