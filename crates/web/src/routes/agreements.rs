//! Routes for what players do beside choosing.

use axum::Json;
use axum::extract::{Path, State};
use diagnostics::{nearest, shown};
use kernel::Undo;
use serde::Deserialize;
use serde_json::{Value, json};

use super::table::seat;
use super::{App, MatchVisitor, Owner};
use crate::live::{Live, TableAct, Wish};
use crate::lobby::{LobbyError, Sender};

/// What a player does beside choosing, at a revision.
#[derive(Deserialize)]
pub struct Deed {
    revision: u32,
    /// The word for it.
    deed: String,
    /// The number of the offer that it is about.
    #[serde(default)]
    offer: u32,
    request: Option<String>,
}

/// What a word means, for an offer with this number.
type Meaning = fn(u32) -> TableAct;

/// The words, and what they mean.
const DEEDS: [(&str, Meaning); 14] = [
    ("resign", |_| TableAct::Resign),
    ("draw", |_| TableAct::Offer(Wish::Draw)),
    ("break-off", |_| TableAct::Offer(Wish::BreakOff)),
    ("pause", |_| TableAct::Offer(Wish::Pause)),
    ("undo", |_| TableAct::Offer(Wish::Undo(Undo::Step))),
    ("undo-turn", |_| TableAct::Offer(Wish::Undo(Undo::Turn))),
    ("yes", |offer| TableAct::Answer { offer, yes: true }),
    ("no", |offer| TableAct::Answer { offer, yes: false }),
    ("withdraw", |offer| TableAct::Withdraw { offer }),
    ("resume", |_| TableAct::Resume),
    ("claim-win", |_| TableAct::ClaimWin),
    ("claim-bot", |_| TableAct::ClaimStandIn),
    ("wait", |_| TableAct::Wait),
    ("call-off", |_| TableAct::CallOff),
];

/// Does it.
pub async fn act(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(done): Json<Deed>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let (_, meant) =
        DEEDS.into_iter().find(|(word, _)| *word == done.deed).ok_or_else(|| unknown(&done.deed))?;
    let act = meant(done.offer);
    let sender = Sender { account: None, request: done.request };
    app.lobby.reach(&seated.found, done.revision).await;
    let act = move |live: &mut Live| live.act(seat, done.revision, &act);
    let revision = app.lobby.change_anyhow(&seated.found, sender, act).await?;
    Ok(Json(json!({ "ok": true, "revision": revision })))
}

fn unknown(word: &str) -> LobbyError {
    let words = DEEDS.map(|(word, _)| word);
    let meant = nearest(word, words).map_or_else(String::new, |meant| format!(" Did you mean {meant}?"));
    LobbyError::Bad(format!("unknown deed {:?}: use {}.{meant}", shown(word), words.join(", ")))
}

/// How the owner of the house ends a match.
#[derive(Deserialize)]
pub struct Verdict {
    /// How each seat fared: `win,loss`; empty for no result.
    #[serde(default)]
    standings: String,
    why: String,
}

/// Ends a match that its players can't or won't end.
pub async fn verdict(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
    Json(Verdict { standings, why }): Json<Verdict>,
) -> Result<Json<Value>, LobbyError> {
    let found = app.lobby.find(&id).await?;
    let revision = app.lobby.change(&found, move |live| live.verdict(&standings, &why)).await?;
    Ok(Json(json!({ "ok": true, "revision": revision })))
}
