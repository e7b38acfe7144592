//! Routes for the standing orders of a seat. Only its own player gets anything here.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use diagnostics::shown;
use serde::Deserialize;
use serde_json::{Value, json};

use super::table::seat;
use super::{App, MatchVisitor, page as as_page};
use crate::live::{OrderEdit, OrderRefusal};
use crate::lobby::LobbyError;
use crate::pages::orders as page;

/// What the desk is opened with.
#[derive(Default, Deserialize)]
pub struct Opened {
    #[serde(default)]
    choice: String,
    #[serde(default)]
    step: usize,
}

/// The desk at which orders are written.
pub async fn desk(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(Opened { choice, step }): Query<Opened>,
) -> Result<Html<String>, LobbyError> {
    let seat = seat(seated.viewer)?;
    if !app.lobby.takes_orders() {
        return Err(LobbyError::NotFound);
    }
    let live = seated.found.lock().await;
    Ok(as_page(&page::desk(&live, seat, &page::Wanted { choice: &choice, step })))
}

/// What the seat could choose before it is asked.
pub async fn sealable(State(app): State<App>, seated: MatchVisitor) -> Result<Html<String>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let offers = app.lobby.sealable(&seated.found, seat).await?;
    Ok(as_page(&page::sealable(&offers)))
}

/// A choice of which an order is to be made, and how.
#[derive(Deserialize)]
pub struct Drafted {
    choice: String,
    how: String,
}

/// The text of an order that is made of a choice.
pub async fn draft(
    seated: MatchVisitor,
    Query(Drafted { choice, how }): Query<Drafted>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let live = seated.found.lock().await;
    Ok(Json(json!({ "text": live.draft(seat, &choice, &how)? })))
}

/// A change of orders.
#[derive(Deserialize)]
pub struct Edited {
    deed: String,
    #[serde(default)]
    number: u32,
    #[serde(default)]
    text: String,
    /// The choice that is sealed.
    #[serde(default)]
    choice: String,
}

/// Makes it.
pub async fn edit(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Edited { deed, number, text, choice }): Json<Edited>,
) -> Result<Json<Value>, Response> {
    let refuse = |error: LobbyError| error.into_response();
    let seat = seat(seated.viewer).map_err(refuse)?;
    let edit = |edit| app.lobby.edit_orders(&seated.found, seat, edit);
    let edited = match deed.as_str() {
        "give" => edit(OrderEdit::Give(text)).await,
        "pause" => edit(OrderEdit::Pause { number, is_paused: true }).await,
        "resume" => edit(OrderEdit::Pause { number, is_paused: false }).await,
        "remove" => edit(OrderEdit::Remove { number }).await,
        "hold" => edit(OrderEdit::Hold).await,
        "seal" => app.lobby.seal(&seated.found, seat, &choice).await,
        other => {
            let words = "give, pause, resume, remove, hold, seal";
            return Err(refuse(LobbyError::Bad(format!("unknown deed {:?}: use {words}", shown(other)))));
        }
    };
    match edited {
        Ok(()) => Ok(Json(json!({ "ok": true }))),
        Err(OrderRefusal::Other(error)) => Err(refuse(error)),
        Err(OrderRefusal::Unreadable(problems)) => {
            Err((StatusCode::UNPROCESSABLE_ENTITY, Json(page::problems(&problems))).into_response())
        }
    }
}
