//! The HTTP server: a listener, the routes, and a regular clean-up.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tracing::warn;

use crate::lobby::Lobby;
use crate::routes::{self, App};

/// How long unfinished requests may delay the shutdown.
const LAST_CALL: Duration = Duration::from_secs(3);
/// How often idle matches are dropped from memory.
const SWEEP: Duration = Duration::from_secs(60);

/// The settings of the HTTP server.
pub struct Serving {
    /// The bound listener.
    pub listener: TcpListener,
    /// Whether only this machine can reach it: then the lobby is open without a key.
    pub local_only: bool,
    /// Whether people use HTTPS: then cookies are sent over HTTPS only.
    pub secure: bool,
}

/// Serves until `stop` completes; open pages notice because their connections close.
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
            warn!("stored matches could not be compared with the current rules: {why}");
        }
    });
    let (close, closing) = watch::channel(false);
    let app = App::new(lobby, &serving, closing);
    let router = routes::router(app).into_make_service_with_connect_info::<SocketAddr>();
    let mut closed = close.subscribe();
    // Without Nagle's algorithm, which would delay an update in pieces by 40 ms.
    let listener = serving.listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let served = axum::serve(listener, router).with_graceful_shutdown(async move {
        stop.await;
        // Live connections would otherwise delay the shutdown forever.
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
