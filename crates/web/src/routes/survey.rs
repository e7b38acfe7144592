//! What a board tells of itself when somebody asks: about a piece, and where pieces went of late.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::MatchVisitor;

/// A piece by its `id`.
#[derive(Deserialize)]
pub struct PointedAt {
    id: String,
    /// The revision that the page shows.
    revision: Option<u32>,
}

/// The parts that tell about a piece; nothing for a page that has not heard of the newest move.
pub async fn about(
    seated: MatchVisitor,
    Query(PointedAt { id, revision }): Query<PointedAt>,
) -> Result<Json<Value>, StatusCode> {
    let live = seated.found.lock().await;
    if live.is_past(revision) {
        return Err(StatusCode::NO_CONTENT);
    }
    let scene = live.title.about(&*live.table, seated.viewer, &id).unwrap_or_default();
    Ok(Json(json!({ "parts": scene.parts })))
}

/// The layer of the last moves, and where a film of what the others did begins.
pub async fn movements(seated: MatchVisitor) -> Result<Json<Value>, StatusCode> {
    let live = seated.found.lock().await;
    let movements = live.title.movements(&*live.table, seated.viewer).ok_or(StatusCode::NOT_FOUND)?;
    Ok(Json(json!({ "from": movements.from, "parts": movements.scene.parts })))
}
