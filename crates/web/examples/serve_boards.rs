//! Temporary: serves the boards from memory.
use std::path::Path;
use std::sync::Arc;
use web::{House, Of, Serving};

fn main() {
    let port: u16 = std::env::args().nth(1).and_then(|p| p.parse().ok()).unwrap_or(4555);
    let folder = std::env::args().nth(2).unwrap_or("/tmp/boardshot/data".into());
    let store = store::SqliteStore::open(Path::new(&folder)).expect("store");
    let house = House::open(
        Arc::new(store),
        vec![Arc::new(Of::<echoes::Echoes>::new()), Arc::new(Of::<blitz::Blitz>::new())],
    )
    .expect("house");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("rt");
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.expect("port");
        let serving = Serving { listener, local_only: true, secure: false };
        web::serve(Arc::new(house), serving, std::future::pending()).await.expect("served");
    });
}
