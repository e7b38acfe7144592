//! Routes for bots at the table: play now, hand a seat over, hint.

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use kernel::{Seat, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, MatchVisitor, page as as_page};
use crate::lobby::{LobbyError, Requester};
use crate::pages::chance;

/// Makes a thinking bot play now. Only players and the lobby's owner may do it.
pub async fn now(State(app): State<App>, seated: MatchVisitor) -> Result<Json<Value>, LobbyError> {
    if seated.viewer == Viewer::Spectator && !seated.visitor.owner {
        return Err(LobbyError::WatchOnly);
    }
    app.lobby.play_now(&seated.found).await?;
    Ok(Json(json!({ "ok": true })))
}

/// A seat and the bot that should play it; empty to give it back.
#[derive(Deserialize)]
pub struct HandOver {
    pub(super) seat: u8,
    #[serde(default)]
    pub(super) bot: String,
}

/// Hands a seat over to a bot, or back to its player.
pub async fn seat(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(HandOver { seat, bot }): Json<HandOver>,
) -> Result<Json<Value>, LobbyError> {
    let by = Requester { viewer: seated.viewer, owns_lobby: seated.visitor.owner };
    let bot = Some(bot).filter(|bot| !bot.is_empty());
    app.lobby.hand_over(&seated.found, by, Seat(seat), bot).await?;
    Ok(Json(json!({ "ok": true })))
}

/// The best choices for the player to move.
pub async fn hint(State(app): State<App>, seated: MatchVisitor) -> Result<Html<String>, LobbyError> {
    let hint = app.lobby.hint(&seated.found, seated.viewer).await?;
    Ok(as_page(&chance::hint(&*seated.found.lock().await, &hint)))
}
