//! What a choice would do, and why it can't be made: asked by the one who is to choose, and told to nobody else.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use kernel::{MatchDice, MatchError, Mover, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::MatchVisitor;
use crate::live::Live;
use crate::lobby::LobbyError;

/// No menu is longer.
const MOST_LABELS: usize = 200;

/// A choice by its name.
#[derive(Deserialize)]
pub struct Considered {
    choice: String,
}

/// Somebody else is to choose: what they have in mind is not for others.
type NotYours = (StatusCode, &'static str);

fn is_asked(live: &Live, viewer: Viewer) -> Result<(), NotYours> {
    match live.table.mover() {
        Mover::Seat(seat) if viewer == Viewer::Seat(seat) && live.plays(viewer) => Ok(()),
        _ => Err((StatusCode::FORBIDDEN, "you are not the one who is to choose")),
    }
}

/// The words and the ghosts of an open choice; empty where nothing can be foreseen.
pub async fn preview(
    seated: MatchVisitor,
    Query(Considered { choice }): Query<Considered>,
) -> Result<Json<Value>, NotYours> {
    let live = seated.found.lock().await;
    // What a person's own die may show is open to all, and there is nothing to foresee in it.
    if live.table.mover() == Mover::Fate && *live.table.dice() == MatchDice::Own {
        return Ok(Json(json!({ "words": "", "parts": [] })));
    }
    is_asked(&live, seated.viewer)?;
    let (words, scene) = live.title.preview(&*live.table, seated.viewer, &choice).unwrap_or_default();
    Ok(Json(json!({ "words": words, "parts": scene.parts })))
}

/// The words for choices and chains, parted by `|` as on the board: of a chain those of its last link, and `null` where it
/// can't be foreseen. For the menu of a place that has several.
pub async fn labels(
    seated: MatchVisitor,
    Query(Considered { choice }): Query<Considered>,
) -> Result<Json<Value>, NotYours> {
    let live = seated.found.lock().await;
    is_asked(&live, seated.viewer)?;
    let label = |choice: &str| live.title.label(&*live.table, seated.viewer, choice);
    let labels: Vec<Option<String>> = choice.split('|').take(MOST_LABELS).map(label).collect();
    Ok(Json(json!({ "labels": labels })))
}

/// Why a choice can't be made, with its rule; both empty if it can.
pub async fn why(
    seated: MatchVisitor,
    Query(Considered { choice }): Query<Considered>,
) -> Result<Result<Json<Value>, LobbyError>, NotYours> {
    let live = seated.found.lock().await;
    is_asked(&live, seated.viewer)?;
    let refusal = match live.table.why_not(seated.viewer, &choice) {
        Ok(()) => None,
        Err(MatchError::Refused { refusal, .. }) => Some(refusal),
        Err(other) => return Ok(Err(LobbyError::Refused(other))),
    };
    let (why, rule) = refusal.map_or_else(Default::default, |refusal| (refusal.reason, refusal.rule));
    Ok(Ok(Json(json!({ "why": why, "rule": rule }))))
}
