//! The route of the coach.

use axum::Json;
use axum::extract::State;
use kernel::Viewer;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, MatchVisitor};
use crate::lobby::{CoachRequest, LobbyError};
use crate::pages::coach;

/// What the learner asks for: `open`, `close`, or the number of a page from 0.
#[derive(Deserialize)]
pub struct Asked {
    coach: String,
}

/// Turns a page of the lesson, closes or reopens it; answers with the panel as it is now.
pub async fn ask(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Asked { coach: asked }): Json<Asked>,
) -> Result<Json<Value>, LobbyError> {
    let Viewer::Seat(seat) = seated.viewer else { return Err(LobbyError::WatchOnly) };
    let request =
        match asked.as_str() {
            "open" => CoachRequest::Open,
            "close" => CoachRequest::Close,
            page => CoachRequest::Turn(page.parse().map_err(|_| {
                LobbyError::Bad("The coach knows open, close, and numbers of pages.".to_owned())
            })?),
        };
    app.lobby.ask_coach(&seated.found, seat, request).await?;
    let panel = coach::panel(&*seated.found.lock().await, seated.viewer);
    Ok(Json(json!({ "panel": panel.map(maud::Markup::into_string) })))
}
