//! The checks for all stores, over PostgreSQL.

use std::sync::Arc;

use store::conformance::{
    POST_MATCHES, PostBetween, PostVia, conformance, contests_conformance, ledger_conformance,
    orders_conformance, people_conformance, post_conformance, sample, sharing_conformance,
};
use store::{Post, SqlPost, Store as _, StoreError};
use store_postgres::PostgresStore;
use testkit::postgres::{Server, shared};

fn empty(server: &Server) -> PostgresStore {
    PostgresStore::open(&server.address(&server.empty())).unwrap()
}

#[test]
fn matches() {
    let Some(server) = shared() else { return };
    conformance(|| Box::new(empty(server)));
}

#[test]
fn people() {
    let Some(server) = shared() else { return };
    people_conformance(|check| check(&empty(server)));
}

#[test]
fn contests() {
    let Some(server) = shared() else { return };
    contests_conformance(|check| check(&empty(server)));
}

#[test]
fn orders() {
    let Some(server) = shared() else { return };
    orders_conformance(|check| check(&empty(server)));
}

#[test]
fn the_ledger() {
    let Some(server) = shared() else { return };
    ledger_conformance(|check| check(&empty(server)));
}

#[test]
fn sharing() {
    let Some(server) = shared() else { return };
    sharing_conformance(|check| check(&empty(server)));
}

struct OverPostgres(Arc<PostgresStore>);

impl PostBetween for OverPostgres {
    fn with<T>(
        &self,
        _: &'static str,
        call: impl FnOnce(&dyn Post) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // Opened for each call, so that nothing can live in memory only.
        call(&SqlPost::open(Arc::clone(&self.0))?)
    }
}

#[test]
fn post() {
    let Some(server) = shared() else { return };
    post_conformance(|| {
        let store = Arc::new(empty(server));
        for id in POST_MATCHES {
            store.create(&sample(id), &[]).unwrap();
        }
        Box::new(PostVia(OverPostgres(store)))
    });
}
