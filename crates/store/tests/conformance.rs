//! The checks for all stores, over all stores.

mod common;

use std::sync::Mutex;

use common::{Between, Via};
use store::conformance::{
    conformance, contests_conformance, ledger_conformance, orders_conformance, people_conformance, sample,
    sharing_conformance,
};
use store::{Ledger, MemoryStore, NewJob, OrderBooks, SqliteStore, Store, StoreError, StoredBook};
use tempfile::TempDir;

#[test]
fn memory() {
    conformance(|| Box::new(MemoryStore::new()));
}

/// A store in a folder that lasts as long as it.
struct InFolder {
    store: SqliteStore,
    _folder: TempDir,
}

impl Between for InFolder {
    fn with<T>(&self, call: impl FnOnce(&dyn Store) -> T) -> T {
        call(&self.store)
    }
}

#[test]
fn sqlite() {
    conformance(|| {
        let folder = tempfile::tempdir().unwrap();
        Box::new(Via(InFolder { store: SqliteStore::open(folder.path()).unwrap(), _folder: folder }))
    });
}

/// Opens the database for each call and closes it again, so that nothing can live in memory only.
struct Reopening {
    folder: Mutex<TempDir>,
}

impl Between for Reopening {
    fn with<T>(&self, call: impl FnOnce(&dyn Store) -> T) -> T {
        let folder = self.folder.lock().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        let result = call(&store);
        store.check().unwrap();
        result
    }
}

#[test]
fn sqlite_closed_and_reopened_between_any_two_calls() {
    conformance(|| Box::new(Via(Reopening { folder: Mutex::new(tempfile::tempdir().unwrap()) })));
}

#[test]
fn people_in_memory() {
    people_conformance(|check| check(&MemoryStore::new()));
}

#[test]
fn people_in_sqlite() {
    people_conformance(|check| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        check(&store);
        store.check().unwrap();
    });
}

#[test]
fn sharing_in_memory() {
    sharing_conformance(|check| check(&MemoryStore::new()));
}

#[test]
fn sharing_in_sqlite() {
    sharing_conformance(|check| {
        let folder = tempfile::tempdir().unwrap();
        check(&SqliteStore::open(folder.path()).unwrap());
    });
}

#[test]
fn contests_in_memory() {
    contests_conformance(|check| check(&MemoryStore::new()));
}

#[test]
fn contests_in_sqlite() {
    contests_conformance(|check| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        check(&store);
        store.check().unwrap();
    });
}

#[test]
fn orders_in_memory() {
    orders_conformance(|check| check(&MemoryStore::new()));
}

#[test]
fn orders_in_sqlite() {
    orders_conformance(|check| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        check(&store);
        store.check().unwrap();
    });
}

#[test]
fn where_nobody_gives_orders_there_are_no_tables_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let tables = || {
        let database = rusqlite::Connection::open(folder.path().join("maproom.db")).unwrap();
        let like = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE '%order%'";
        database.query_row(like, [], |row| row.get::<_, u32>(0)).unwrap()
    };
    store.create(&sample("m"), &[]).unwrap();
    store.books("m").unwrap();
    store.answers("m").unwrap();
    store.awaiting_orders().unwrap();
    assert!(!store.forget_book("m", 0).unwrap() && !store.has_orders().unwrap());
    assert_eq!((tables(), store.setting("orders_version").unwrap()), (0, None));
    store.put_book("m", 0, &StoredBook::default()).unwrap();
    assert_eq!((tables(), store.has_orders()), (3, Ok(true)));
    store.set_setting("orders_version", "99").unwrap();
    assert!(matches!(store.has_orders(), Err(StoreError::Newer { found: 99, .. })));
}

#[test]
fn the_ledger_in_memory() {
    ledger_conformance(|check| check(&MemoryStore::new()));
}

#[test]
fn the_ledger_in_sqlite() {
    ledger_conformance(|check| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        check(&store);
        store.check().unwrap();
    });
}

#[test]
fn where_no_work_is_done_there_are_no_tables_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    assert_eq!(store.jobs(), Ok(Vec::new()));
    store.beat("a", 5).unwrap();
    assert_eq!((store.drop_job("j"), store.setting("ledger_version")), (Ok(false), Ok(None)));
    let job = NewJob {
        id: "j".into(),
        kind: "sim".into(),
        spec: String::new(),
        rules: String::new(),
        build: String::new(),
        made_at: 1,
    };
    assert_eq!(store.open_job(&job, &[]), Ok(true));
    store.set_setting("ledger_version", "99").unwrap();
    for refused in [store.jobs().map(drop), store.open_job(&job, &[]).map(drop), store.beat("a", 5)] {
        assert!(matches!(refused, Err(StoreError::Newer { found: 99, .. })));
    }
}
