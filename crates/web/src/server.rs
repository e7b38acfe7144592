//! The server: a listener, the routes, and a sweep now and then.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tracing::warn;

use crate::lobby::Lobby;
use crate::routes::{self, App};

/// How long half-sent requests may hold up the end.
const LAST_CALL: Duration = Duration::from_secs(3);
/// How often idle matches leave the memory.
const SWEEP: Duration = Duration::from_secs(60);

/// How a server is served.
pub struct Serving {
    /// Where to listen; already bound.
    pub listener: TcpListener,
    /// Whether only this machine can reach it: then the lobby is open without a key.
    pub local_only: bool,
    /// Whether people reach it by HTTPS: then cookies travel by nothing else.
    pub secure: bool,
}

/// Serves until `stop` is done; open pages are told by their connection closing.
pub async fn serve(
    lobby: Arc<Lobby>,
    serving: Serving,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let sweeping = Arc::clone(&lobby);
    let sweeper = tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP).await;
            sweeping.sweep();
        }
    });
    let looking = Arc::clone(&lobby);
    let looker = tokio::spawn(async move {
        if let Err(why) = looking.look_for_partings().await {
            warn!("matches of other rules could not be looked through: {why}");
        }
    });
    let (close, closing) = watch::channel(false);
    let app = App::new(lobby, &serving, closing);
    let router = routes::router(app).into_make_service_with_connect_info::<SocketAddr>();
    let mut closed = close.subscribe();
    // An update in pieces must not wait 40 ms for the receipt of the first.
    let listener = serving.listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let served = axum::serve(listener, router).with_graceful_shutdown(async move {
        stop.await;
        // Live connections would otherwise hold the server up for ever.
        let _ = close.send(true);
    });
    let done = tokio::select! {
        done = served => done,
        () = async { let _ = closed.changed().await; tokio::time::sleep(LAST_CALL).await } => Ok(()),
    };
    sweeper.abort();
    looker.abort();
    done
}
