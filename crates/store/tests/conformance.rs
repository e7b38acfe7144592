//! The checks for all stores, over all stores.

mod common;

use std::sync::Mutex;

use common::{Between, Via};
use store::conformance::{conformance, people_conformance};
use store::{MemoryStore, SqliteStore, Store};
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
