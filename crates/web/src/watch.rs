//! What a proxy and whoever watches over a server ask: whether it is well, and figures.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;
use tracing::warn;

use crate::lobby::Lobby;

/// `ok`, or 503 while nobody can choose because the store does not answer.
pub(crate) async fn health(lobby: &Lobby) -> impl IntoResponse + use<> {
    let answer = match lobby.is_well().await {
        true => (StatusCode::OK, "ok\n"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n"),
    };
    ([(header::CACHE_CONTROL, "no-store")], answer)
}

async fn figures(State(lobby): State<Arc<Lobby>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], lobby.figures().await)
}

/// Answers `/metrics` and `/health` on a port of its own, which nobody but whoever watches over the server should reach.
pub async fn watch(lobby: Arc<Lobby>, listener: TcpListener) {
    let router = Router::new()
        .route("/metrics", get(figures))
        .route("/health", get(|State(lobby): State<Arc<Lobby>>| async move { health(&lobby).await }))
        .with_state(lobby);
    if let Err(why) = axum::serve(listener, router).await {
        warn!("figures are not shown any more: {why}");
    }
}
