//! Routes for the end of a match: its card, and another match.

use axum::Json;
use axum::extract::{Query, State};
use axum::response::Html;
use kernel::Viewer;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, MatchVisitor, page as as_page};
use crate::lobby::{LobbyError, Requester};
use crate::pages::ending::{self, Insight};

/// The review behind the card: the match has just ended, and nobody wants to wait long.
const DEPTH: &str = "quick";

/// Whether a spectator wants the match looked over. For players it is done by itself.
#[derive(Default, Deserialize)]
pub struct Look {
    pub(super) look: Option<String>,
}

impl MatchVisitor {
    fn requester(&self) -> Requester {
        Requester { viewer: self.viewer, owns_lobby: self.visitor.owner }
    }
}

/// The card of a finished match. While the match is looked over it says how far that has come, and is asked for again.
pub async fn card(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(Look { look }): Query<Look>,
) -> Result<Html<String>, LobbyError> {
    if !seated.found.lock().await.is_over() {
        return Err(LobbyError::Bad("This match is not over yet.".to_owned()));
    }
    let wants = look.is_some() || seated.viewer != Viewer::Spectator;
    let job = if wants { Some(app.lobby.review(&seated.found, DEPTH).await) } else { None };
    let insight = match &job {
        None => Insight::Unasked,
        // Others are before it: the page asks again.
        Some(Err(LobbyError::NotReady(_))) => Insight::Coming(0.0),
        Some(Err(_)) => Insight::Impossible,
        Some(Ok(job)) => match job.review() {
            Some(review) => Insight::Ready(review),
            None if job.is_done() => Insight::Impossible,
            None => Insight::Coming(job.progress()),
        },
    };
    let live = seated.found.lock().await;
    Ok(as_page(&ending::card(&live, seated.requester(), &seated.path, &insight)))
}

/// Who plays what in the next match.
#[derive(Deserialize)]
pub struct Rematch {
    #[serde(default)]
    pub(super) change_sides: bool,
}

/// Starts the match again.
pub async fn rematch(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Rematch { change_sides }): Json<Rematch>,
) -> Result<Json<Value>, LobbyError> {
    let by = seated.requester();
    let (again, gathers) = {
        let live = seated.found.lock().await;
        (live.may_start_again(by), live.may_gather_again(by))
    };
    // Players with accounts are asked first: nobody finds themselves in a match.
    if let Some(signed_in) = seated.visitor.signed_in.as_ref().filter(|_| gathers && !again) {
        let account = signed_in.account.id;
        let table = app.lobby.gather_again(&seated.found, by, account, change_sides).await?;
        super::tables::tell_invited(&app, &app.lobby.gathering(&table).await?, None).await;
        return Ok(Json(json!({ "path": format!("/tables/{table}") })));
    }
    let (id, token) = app.lobby.rematch(&seated.found, seated.requester(), change_sides).await?;
    Ok(Json(json!({ "path": format!("/m/{id}/{token}") })))
}
