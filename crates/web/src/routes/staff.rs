//! Bots at the table: told to play now, given a seat for a while, asked for a hint.

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use kernel::{Seat, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, MatchVisitor, page as as_page};
use crate::lobby::{LobbyError, Requester};
use crate::pages::chance;

/// Tells the bot that thinks to answer. It is for those who play, and for the owner of the server who looks on.
pub async fn now(State(app): State<App>, seated: MatchVisitor) -> Result<Json<Value>, LobbyError> {
    if seated.viewer == Viewer::Spectator && !seated.visitor.owner {
        return Err(LobbyError::LooksOnly);
    }
    app.lobby.play_now(&seated.found).await?;
    Ok(Json(json!({ "ok": true })))
}

/// A seat and the word of the bot that is to play it; an empty one gives it back.
#[derive(Deserialize)]
pub struct HandOver {
    pub(super) seat: u8,
    #[serde(default)]
    pub(super) bot: String,
}

/// Hands a seat over to a bot, or takes it back.
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

/// The best choices, for the one who is to choose.
pub async fn hint(State(app): State<App>, seated: MatchVisitor) -> Result<Html<String>, LobbyError> {
    let hint = app.lobby.hint(&seated.found, seated.viewer).await?;
    Ok(as_page(&chance::hint(&*seated.found.lock().await, &hint)))
}
