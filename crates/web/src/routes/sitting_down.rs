//! Routes for sitting down and for the numbers that players put into the dice. Pages call them without being asked.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::table::seat;
use super::{App, MatchVisitor};
use crate::lobby::LobbyError;

/// What somebody commits to who sits down; nothing where no dice wait for numbers.
#[derive(Deserialize)]
pub struct SitDown {
    commitment: Option<String>,
}

/// Sits down.
pub async fn sit(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(SitDown { commitment }): Json<SitDown>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let changed = app.lobby.sit(&seated.found, seat, commitment).await?;
    Ok(Json(json!({ "ok": true, "changed": changed })))
}

/// The number behind a commitment.
#[derive(Deserialize)]
pub struct Shown {
    number: String,
}

/// Shows a number.
pub async fn number(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Shown { number }): Json<Shown>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let changed = app.lobby.show_number(&seated.found, seat, number).await?;
    Ok(Json(json!({ "ok": true, "changed": changed })))
}
