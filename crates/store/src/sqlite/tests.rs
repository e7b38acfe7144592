//! What needs a look inside the store.

use super::*;
use crate::conformance::{sample, steps_append};
use crate::{AppendOutcome, Effect, Entry, Notice, Store};

fn store() -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    (folder, store)
}

fn pragma<T: rusqlite::types::FromSql>(store: &SqliteStore, name: &str) -> T {
    store.writer().pragma_query_value(None, name, |row| row.get(0)).unwrap()
}

#[test]
fn commits_wait_for_the_disk() {
    let (_folder, store) = store();
    assert_eq!(pragma::<String>(&store, "journal_mode"), "wal");
    assert_eq!(pragma::<i64>(&store, "synchronous"), 2);
    assert_eq!(pragma::<i64>(&store, "foreign_keys"), 1);
    assert_eq!(pragma::<u32>(&store, "application_id"), schema::APPLICATION_ID);
    assert_eq!(pragma::<u32>(&store, "user_version"), schema::KNOWN);
}

/// Full, as SQLite sees it, on every machine. A real full disk is in `tests/disk.rs`.
#[test]
fn without_room_nothing_is_written_and_with_room_it_goes_on() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    let pages: i64 = pragma(&store, "page_count");
    store.writer().pragma_update_and_check(None, "max_page_count", pages, |_| Ok(())).unwrap();
    let big = [steps_append("m", 1, "small"), steps_append("m", 2, &"x".repeat(100_000))];
    assert_eq!(store.append(&big), Err(StoreError::Full { path: store.path.clone() }));
    assert_eq!(store.find("m").unwrap().unwrap().revision, 0);
    store.check().unwrap();
    store.writer().pragma_update_and_check(None, "max_page_count", 1 << 30, |_| Ok(())).unwrap();
    assert_eq!(store.append(&big).unwrap(), [AppendOutcome::Written; 2]);
    store.check().unwrap();
}

#[test]
fn a_database_that_may_only_be_read_says_so() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    store.writer().pragma_update(None, "query_only", true).unwrap();
    let error = store.append(&[steps_append("m", 1, "a")]).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
}

#[test]
fn reading_does_not_wait_for_writing() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    let writer = store.writer();
    writer.execute_batch("BEGIN IMMEDIATE; UPDATE matches SET name = 'not yet'").unwrap();
    assert_eq!(store.find("m").unwrap().unwrap().name, sample("m").name);
    writer.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn another_program_that_holds_the_database_is_named() {
    let (_folder, store) = store();
    store.writer().busy_timeout(Duration::from_millis(20)).unwrap();
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(store.set_setting("a", "b"), Err(StoreError::Busy { path: store.path.clone() }));
    other.execute_batch("ROLLBACK").unwrap();
    store.set_setting("a", "b").unwrap();
}

/// A database from before bots had a pace.
#[test]
fn an_older_database_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(folder.path()).unwrap());
    let path = folder.path().join("maproom.db");
    std::fs::remove_file(&path).unwrap();
    let mut old = Connection::open(&path).unwrap();
    old.pragma_update(None, "application_id", schema::APPLICATION_ID).unwrap();
    schema::migrate(&mut old, &STEPS[..1]).unwrap();
    old.execute_batch(
        "INSERT INTO matches VALUES ('m', 'echoes', 'War', '', '', NULL, NULL, 1, NULL, '', 'head');
         INSERT INTO progress VALUES ('m', 2, 1, 0, '', '', '', NULL, '', '', NULL);
         INSERT INTO journal VALUES ('m', 1, 5, 'one', NULL, NULL), ('m', 2, 6, NULL, 0, 1);",
    )
    .unwrap();
    drop(old);
    let store = SqliteStore::open(folder.path()).unwrap();
    let found = store.find("m").unwrap().unwrap();
    assert_eq!((found.name.as_str(), found.header.as_str(), found.pace.as_str()), ("War", "head", ""));
    assert!(store.set_pace("m", "fast").unwrap());
    assert_eq!(store.list(false).unwrap()[0].pace, "fast");
    let undo = crate::EntryKind::Undo { to_step: 0, crossed: true };
    let journal = [Entry::new(1, 5, crate::EntryKind::Steps("one".into())), Entry::new(2, 6, undo)];
    assert_eq!(store.journal("m").unwrap(), journal);
    assert_eq!(store.append(&[steps_append("m", 3, "on")]).unwrap(), [AppendOutcome::Written]);
    store.check().unwrap();
}

/// What cannot be read says where, and nobody plays on it.
#[test]
fn an_event_that_cannot_be_read_is_pointed_at() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    store
        .writer()
        .execute_batch("INSERT INTO journal (match_id, seq, at, event) VALUES ('m', 1, 1, 'flag 1 lost')")
        .unwrap();
    let error = store.journal("m").unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    let told = "column 8: expected loss, claim or stand-in, found \"lost\"";
    assert!(error.to_string().contains(told), "{error}");
}

/// Matches of one person write only what they always wrote.
#[test]
fn without_clocks_the_new_tables_and_columns_stay_empty() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    store.append(&[steps_append("m", 1, "a")]).unwrap();
    let count = |sql: &str| store.writer().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    for table in ["deadlines", "notices", "rating_log", "outages"] {
        assert_eq!(count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    let set = "coalesce(event, account, request, awaits, turn) IS NOT NULL";
    assert_eq!(count(&format!("SELECT count(*) FROM journal WHERE {set}")), 0);
}

#[test]
fn a_purged_match_leaves_nothing_behind() {
    let (_folder, store) = store();
    store.create(&sample("m"), &[]).unwrap();
    let mut append = steps_append("m", 1, "a");
    let (account, seat, stint, kind) = (crate::AccountId(1), 0, 1, "turn".to_string());
    let notice = Notice { account, seat, stint, kind, due_at: 1 };
    append.effects = vec![Effect::Deadline { seat: 0, at: 5 }, Effect::Notice(notice)];
    store.append(&[append]).unwrap();
    store.mark_deleted("m", Some(1)).unwrap();
    assert_eq!(store.purge(2).unwrap(), 1);
    for table in ["matches", "progress", "seats", "journal", "deadlines", "notices"] {
        let sql = format!("SELECT count(*) FROM {table}");
        assert_eq!(store.writer().query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap(), 0, "{table}");
    }
}
