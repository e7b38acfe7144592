//! The checks for all stores of channels and notices, over all of them.

use std::sync::Arc;

use store::conformance::{POST_MATCHES, PostBetween, PostVia, post_conformance, sample};
use store::{MemoryPost, Post, SqlitePost, SqliteStore, Store, StoreError};
use tempfile::TempDir;

#[test]
fn memory() {
    post_conformance(|| Box::new(MemoryPost::new()));
}

/// Opens the database for each call and closes it again, so that nothing can live in memory only.
struct Reopening {
    folder: TempDir,
}

impl PostBetween for Reopening {
    fn with<T>(
        &self,
        _: &'static str,
        call: impl FnOnce(&dyn Post) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let store = Arc::new(SqliteStore::open(self.folder.path())?);
        let result = call(&SqlitePost::open(Arc::clone(&store))?);
        store.check()?;
        result
    }
}

#[test]
fn sqlite_closed_and_reopened_between_any_two_calls() {
    post_conformance(|| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        for id in POST_MATCHES {
            store.create(&sample(id), &[]).unwrap();
        }
        drop(store);
        Box::new(PostVia(Reopening { folder }))
    });
}

#[test]
fn a_house_without_accounts_has_none_of_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path()).unwrap());
    assert_eq!(store.setting("post-version").unwrap(), None);
    let before = tables(folder.path());
    // Notices follow from journal entries, so every house has room for them.
    assert!(!before.iter().any(|table| ["channels", "letters", "deliveries"].contains(&table.as_str())));
    SqlitePost::open(Arc::clone(&store)).unwrap();
    SqlitePost::open(Arc::clone(&store)).unwrap();
    let after = tables(folder.path());
    for table in ["channels", "notices", "letters", "deliveries"] {
        assert!(after.iter().any(|one| one == table), "{table}");
    }
    store.set_setting("post-version", "99").unwrap();
    assert!(matches!(SqlitePost::open(store), Err(StoreError::Newer { found: 99, .. })));
}

fn tables(folder: &std::path::Path) -> Vec<String> {
    let database = rusqlite::Connection::open(folder.join("maproom.db")).unwrap();
    let mut select = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let names = select.query_map([], |row| row.get(0)).unwrap();
    names.collect::<Result<_, _>>().unwrap()
}
