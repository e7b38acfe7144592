//! Routes of the review: its page, its progress, and plain text.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use diagnostics::shown;
use kernel::Viewer;
use review::Quality;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, MatchVisitor, page as as_page};
use crate::lobby::LobbyError;
use crate::pages::review as review_page;
use crate::scene::Tone;

/// The columns of the plain text.
const COLUMNS: usize = 100;

/// How deep the review goes: the word of a preset.
#[derive(Default, Deserialize)]
pub struct Depth {
    pub(super) depth: Option<String>,
}

/// A review that failed; the log says why.
const NOT_REVIEWED: LobbyError = LobbyError::Fault("This match could not be reviewed");

impl Depth {
    fn word(&self) -> Result<&'static str, LobbyError> {
        let wanted = self.depth.as_deref().unwrap_or(Quality::DEFAULT);
        let found = Quality::words().map(|(word, _)| word).find(|word| *word == wanted);
        found.ok_or_else(|| {
            let words: Vec<&str> = Quality::words().map(|(word, _)| word).collect();
            LobbyError::Bad(format!("unknown depth {:?}: use {}", shown(wanted), words.join(", ")))
        })
    }
}

/// The page: the review, or its progress.
pub async fn page(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(depth): Query<Depth>,
) -> Result<Html<String>, LobbyError> {
    let depth = depth.word()?;
    let job = app.lobby.review(&seated.found, depth).await?;
    let live = seated.found.lock().await;
    let visit = review_page::Visit {
        viewer: seated.viewer,
        path: &seated.path,
        owner: seated.visitor.owner,
        depth,
        may_fork: live.is_solo() && matches!(seated.viewer, Viewer::Seat(_)),
    };
    let prefs = seated.visitor.prefs;
    Ok(as_page(&match job.review() {
        Some(review) => review_page::page(prefs, &live, review, &visit),
        None if job.is_done() => return Err(NOT_REVIEWED),
        None => review_page::waiting(prefs, &live, job.progress(), &visit),
    }))
}

/// The progress, for the waiting page.
pub async fn progress(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(depth): Query<Depth>,
) -> Result<Json<Value>, LobbyError> {
    let job = app.lobby.review(&seated.found, depth.word()?).await?;
    Ok(Json(json!({ "progress": job.progress(), "done": job.is_done() })))
}

/// The review as plain text, when it is done.
pub async fn text(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(depth): Query<Depth>,
) -> Result<Response, LobbyError> {
    let job = app.lobby.review(&seated.found, depth.word()?).await?;
    let Some(review) = job.review() else {
        if job.is_done() {
            return Err(NOT_REVIEWED);
        }
        let percent = (100.0 * job.progress()).floor();
        return Err(LobbyError::NotReady(format!(
            "The review is not ready yet ({percent} %): try again soon."
        )));
    };
    let seat = match seated.viewer {
        Viewer::Seat(seat) => Some(seat.index()),
        Viewer::Spectator => None,
    };
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))];
    Ok((kind, review.text(COLUMNS, seat)).into_response())
}

/// A thumbnail of an earlier position as a spectator sees it.
pub async fn thumbnail(seated: MatchVisitor, Path((_, _, step)): Path<(String, String, usize)>) -> Response {
    let live = seated.found.lock().await;
    let table = live.table.fork(step.min(live.table.steps()));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=60")),
    ];
    (headers, live.title.thumbnail(&*table, Tone::Light).into_string()).into_response()
}
