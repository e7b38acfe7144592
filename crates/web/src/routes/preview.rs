//! Previews of choices and reasons why a choice is illegal, for the player to move only.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Html;
use kernel::{MatchDice, MatchError, Mover, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::MatchVisitor;
use crate::live::Live;
use crate::lobby::LobbyError;
use crate::pages::decision;

/// The longest list of choices in one request.
const MOST_LABELS: usize = 200;

/// A choice by its name.
#[derive(Deserialize)]
pub struct Considered {
    choice: String,
    /// The revision that the page shows.
    revision: Option<u32>,
}

/// Refuses requests from anybody but the player to move.
type NotYours = (StatusCode, &'static str);

/// Whether the viewer is the one to choose. A page that has not heard of the newest move asks in good faith: it gets no
/// answer, and that is no fault of its own.
fn is_asked(live: &Live, viewer: Viewer, revision: Option<u32>) -> Result<(), NotYours> {
    if live.is_past(revision) {
        return Err((StatusCode::NO_CONTENT, ""));
    }
    match live.table.mover() {
        Mover::Seat(seat) if viewer == Viewer::Seat(seat) && live.plays(viewer) => Ok(()),
        _ => Err((StatusCode::FORBIDDEN, "It is not your turn.")),
    }
}

/// The text and the ghosts that preview a legal choice; empty if the result is not certain.
pub async fn preview(
    seated: MatchVisitor,
    Query(Considered { choice, revision }): Query<Considered>,
) -> Result<Json<Value>, NotYours> {
    let live = seated.found.lock().await;
    // The result of a player's own die can't be previewed.
    if live.table.mover() == Mover::Fate && *live.table.dice() == MatchDice::Own {
        return Ok(Json(json!({ "words": "", "parts": [] })));
    }
    is_asked(&live, seated.viewer, revision)?;
    let (words, scene) = live.title.preview(&*live.table, seated.viewer, &choice).unwrap_or_default();
    Ok(Json(json!({ "words": words, "parts": scene.parts })))
}

/// The list "Why not …?" for the one who is asked.
pub async fn closed(seated: MatchVisitor) -> Html<String> {
    let live = seated.found.lock().await;
    Html(decision::closed(&live, seated.viewer).into_string())
}

/// Labels for choices and chains, separated by `|`, for the menu of a place with several. A chain has the label of its last
/// link, or `null` if that can't be known in advance.
pub async fn labels(
    seated: MatchVisitor,
    Query(Considered { choice, revision }): Query<Considered>,
) -> Result<Json<Value>, NotYours> {
    let live = seated.found.lock().await;
    is_asked(&live, seated.viewer, revision)?;
    let label = |choice: &str| live.title.label(&*live.table, seated.viewer, choice);
    let labels: Vec<Option<String>> = choice.split('|').take(MOST_LABELS).map(label).collect();
    Ok(Json(json!({ "labels": labels })))
}

/// Why a choice is illegal, with its rule; both empty if it is legal.
pub async fn why(
    seated: MatchVisitor,
    Query(Considered { choice, revision }): Query<Considered>,
) -> Result<Result<Json<Value>, LobbyError>, NotYours> {
    let live = seated.found.lock().await;
    is_asked(&live, seated.viewer, revision)?;
    let refusal = match live.table.why_not(seated.viewer, &choice) {
        Ok(()) => None,
        Err(MatchError::Refused { refusal, .. }) => Some(refusal),
        Err(other) => return Ok(Err(LobbyError::Refused(other))),
    };
    let (why, rule) = refusal.map_or_else(Default::default, |refusal| (refusal.reason, refusal.rule));
    Ok(Ok(Json(json!({ "why": why, "rule": rule }))))
}
