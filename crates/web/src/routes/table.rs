//! Routes of a match: its page and what players do there.

use std::time::Duration;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use diagnostics::shown;
use kernel::{Actor, Seat, Table, Undo, Viewer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::links::links;
use super::{App, MatchVisitor, page as as_page};
use crate::assets;
use crate::film::Cut;
use crate::live::Live;
use crate::lobby::{LobbyError, Pace, Sender};
use crate::pages::layout::{self, Page};
use crate::pages::{log as log_page, odds as odds_page, table as table_page};
use crate::scene::Tone;
use crate::title::Title;
use crate::update as messages;

/// The most steps of the log that are sent at once.
const MOST_LOG: usize = 1_000;

/// The page.
pub async fn page(State(app): State<App>, seated: MatchVisitor) -> Result<Html<String>, LobbyError> {
    let talk = seated.talk_panel(&app).await?;
    let MatchVisitor { found, viewer, visitor, path } = seated;
    let mut live = found.lock().await;
    live.publish();
    let steps = live.table.steps();
    let seen = match viewer {
        Viewer::Seat(seat) => live.seats.iter().find(|record| record.seat == seat.0),
        Viewer::Spectator => None,
    };
    let seen = seen.map(|record| record.seen as usize).filter(|seen| *seen < steps);
    let links = links(&found, &live, viewer, visitor.owner);
    let member = visitor.signed_in.as_ref().map(|signed_in| {
        let id = signed_in.account.id;
        let keeps = live.seats.iter().find(|record| record.player.account() == Some(id));
        table_page::Member {
            keeps_this: keeps.is_some_and(|record| viewer == Viewer::Seat(Seat(record.seat))),
            may_keep: keeps.is_none() && live.may_be_kept(viewer),
            match_id: &found.id,
        }
    });
    let visit = table_page::Visit { viewer, path: &path, owner: visitor.owner, seen, links, member, talk };
    Ok(as_page(&table_page::page(visitor.prefs, &live, &visit)))
}

/// The seat of a visitor who may make choices.
pub(super) fn seat(viewer: Viewer) -> Result<Seat, LobbyError> {
    match viewer {
        Viewer::Seat(seat) => Ok(seat),
        Viewer::Spectator => Err(LobbyError::WatchOnly),
    }
}

/// A choice, made at a revision.
#[derive(Deserialize)]
pub struct Chosen {
    revision: u32,
    choice: String,
    /// The key of the request, which counts once however often it comes.
    request: Option<String>,
}

/// Makes a choice.
pub async fn choose(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(chosen): Json<Chosen>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let Chosen { revision, choice, request } = chosen;
    app.lobby.reach(&seated.found, revision).await;
    let act = move |live: &mut Live| live.choose(seat, revision, &choice);
    let sender = Sender { account: None, request };
    let revision = app.lobby.change_by(&seated.found, sender, act).await?;
    Ok(Json(json!({ "ok": true, "revision": revision })))
}

/// How much to undo.
#[derive(Deserialize)]
pub struct TakenBack {
    revision: u32,
    #[serde(default)]
    scope: String,
    request: Option<String>,
}

/// Undoes choices.
pub async fn undo(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(back): Json<TakenBack>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    let scope = match back.scope.as_str() {
        "" | "step" => Undo::Step,
        "turn" => Undo::Turn,
        other => return Err(LobbyError::Bad(format!("unknown scope {other:?}: use step or turn"))),
    };
    let sender = Sender { account: None, request: back.request };
    app.lobby.reach(&seated.found, back.revision).await;
    let act = move |live: &mut Live| live.undo(seat, back.revision, scope);
    let revision = app.lobby.change_by(&seated.found, sender, act).await?;
    Ok(Json(json!({ "ok": true, "revision": revision })))
}

/// The pace for the bots, or `step` for a single choice during a pause.
#[derive(Deserialize)]
pub struct Paced {
    pace: String,
}

/// Sets the bots' pace. Only players and the lobby's owner may do it.
pub async fn pace(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Paced { pace }): Json<Paced>,
) -> Result<Json<Value>, LobbyError> {
    if seated.viewer == Viewer::Spectator && !seated.visitor.owner {
        return Err(LobbyError::WatchOnly);
    }
    if pace == "step" {
        app.lobby.let_step(&seated.found).await?;
    } else {
        let wanted = Pace::read(&pace).ok_or_else(|| {
            let words = Pace::ALL.map(Pace::word).join(", ");
            LobbyError::Bad(format!("unknown pace {:?}: use {words} or step", shown(&pace)))
        })?;
        app.lobby.set_pace(&seated.found, wanted).await?;
    }
    Ok(Json(json!({ "ok": true })))
}

/// The step to fork from.
#[derive(Deserialize)]
pub struct ForkFrom {
    step: usize,
}

/// Starts a new match from an earlier position.
pub async fn fork(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(from): Json<ForkFrom>,
) -> Result<Json<Value>, LobbyError> {
    let seat = seat(seated.viewer)?;
    // Whoever hangs up has begun it all the same: what is counted against the quota is what was worked for.
    let forked = tokio::spawn(async move { app.lobby.fork(&seated.found, seat, from.step).await }).await;
    let (id, token) = forked.map_err(|_| LobbyError::Fault("This position could not be forked"))??;
    Ok(Json(json!({ "path": format!("/m/{id}/{token}") })))
}

/// What a page shows of the past.
#[derive(Default, Deserialize)]
pub struct Shown {
    pub(super) shown: Option<usize>,
    pub(super) revision: Option<u32>,
}

/// The board at an earlier step; only what differs from the moment that the page shows, where it says which.
pub async fn at(
    seated: MatchVisitor,
    Path((_, _, step)): Path<(String, String, usize)>,
    Query(Shown { shown, revision }): Query<Shown>,
) -> Response {
    let live = seated.found.lock().await;
    json_text(messages::past(&live, seated.viewer, step, shown.zip(revision)))
}

/// Which steps a page wants to see one after the other.
#[derive(Deserialize)]
pub struct FilmFrom {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The steps to stop at, separated by commas.
    #[serde(default)]
    pub(super) at: String,
    /// Whether the page shows the position after `to`, and not the one after `from`.
    pub(super) rewind: Option<String>,
}

/// What happened after a step, frame by frame.
pub async fn film(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(FilmFrom { from, to, at, rewind }): Query<FilmFrom>,
) -> Result<Response, LobbyError> {
    let at: Vec<usize> = at.split(',').filter_map(|step| step.parse().ok()).collect();
    let film = app.lobby.film(&seated.found, seated.viewer, Cut { from, to, at, rewinds: rewind.is_some() });
    film.await.map(json_text)
}

/// Steps of the log: those after the first `from`, up to `to`.
#[derive(Deserialize)]
pub struct LogRange {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) seen: Option<usize>,
}

/// Some lines of the log, for a page that goes back in it. At most a thousand steps at a time.
pub async fn log(seated: MatchVisitor, Query(LogRange { from, to, seen }): Query<LogRange>) -> Html<String> {
    let live = seated.found.lock().await;
    let range = from..to.min(from.saturating_add(MOST_LOG));
    let actions = live.title.actions(&*live.table, range, seated.viewer);
    as_page(&log_page::lines(&live, &actions, seen))
}

/// The revision that a page has.
#[derive(Deserialize)]
pub struct Since {
    pub(super) since: Option<u32>,
}

/// Everything that can change, for a page that was disconnected or returns from an earlier position.
pub async fn update(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(Since { since }): Query<Since>,
) -> Response {
    app.lobby.reach(&seated.found, since.unwrap_or(0)).await;
    let mut live = seated.found.lock().await;
    json_text(live.whole_update(seated.viewer, since))
}

fn json_text(text: String) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], text).into_response()
}

/// A question.
#[derive(Default, Deserialize)]
pub struct Question {
    about: Option<String>,
    /// The revision that the page shows: what is asked of an older one gets no answer.
    revision: Option<u32>,
}

/// Odds for one choice or question, or for all that apply.
pub async fn odds(
    seated: MatchVisitor,
    Query(Question { about, revision }): Query<Question>,
) -> Result<Response, LobbyError> {
    let live = seated.found.lock().await;
    if live.is_past(revision) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let game = live.title.id();
    let shown = match about {
        None => odds_page::all(game, &*live.table, seated.viewer),
        Some(question) => {
            let found = live.table.answer(&question, seated.viewer).map_err(LobbyError::Bad)?;
            odds_page::answer(game, &found)
        }
    };
    Ok(as_page(&shown).into_response())
}

/// The record as a download.
pub async fn export(seated: MatchVisitor) -> Result<Response, LobbyError> {
    let live = seated.found.lock().await;
    let text = live.record(live.is_solo() && matches!(seated.viewer, Viewer::Seat(_)))?;
    let plain: String =
        live.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect();
    let disposition = format!("attachment; filename=\"{plain}.match\"");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_str(&disposition).unwrap_or(HeaderValue::from_static("attachment")),
        ),
    ];
    Ok((headers, text).into_response())
}

/// Whether to print a blank sheet.
#[derive(Default, Deserialize)]
pub struct PrintForm {
    blank: Option<String>,
}

/// Pages for printing.
pub async fn print(seated: MatchVisitor, Query(PrintForm { blank }): Query<PrintForm>) -> Html<String> {
    let live = seated.found.lock().await;
    let body = live.title.print(&*live.table, seated.viewer, blank.is_some());
    let styles = [assets::url("print.css"), live.title.style_url().to_owned()];
    let title = format!("{}, to print", live.name);
    let page = Page { title: &title, class: "print", styles: &styles, script: Some("page.js"), body };
    as_page(&layout::document(seated.visitor.prefs, &page))
}

/// A small picture of the board.
pub async fn thumbnail(seated: MatchVisitor, Query(toned): Query<Toned>) -> Response {
    let live = seated.found.lock().await;
    toned.picture(&*live.title, &*live.table)
}

/// The colours that a picture is asked for in.
#[derive(Default, Deserialize)]
pub struct Toned {
    #[serde(default)]
    tone: String,
}

impl Toned {
    /// The small picture of a position as an answer.
    pub(super) fn picture(&self, title: &dyn Title, table: &dyn Table) -> Response {
        let tone = if self.tone == "dark" { Tone::Dark } else { Tone::Light };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
            (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600")),
        ];
        (headers, title.thumbnail(table, tone).into_string()).into_response()
    }
}

/// The data of the debug drawer: view, choices, log with digests, timing.
pub async fn debug(State(app): State<App>, seated: MatchVisitor) -> Json<Value> {
    let live = seated.found.lock().await;
    let table = &*live.table;
    let viewer = seated.viewer;
    let micros = |time: Duration| time.as_micros() as u64;
    let from = table.steps().saturating_sub(60);
    let digests = table.digests(from..table.steps());
    let log: Vec<Value> = table
        .log(from, viewer)
        .into_iter()
        .map(|entry| {
            let actor = match entry.actor {
                Actor::Fate => "fate",
                Actor::Seat(seat) => table.seats()[seat.index()].word,
            };
            let digest = digests.as_ref().and_then(|digests| digests.get(entry.step - 1 - from));
            let digest = digest.map(ToString::to_string);
            json!([entry.step, actor, entry.name, entry.forced, digest])
        })
        .collect();
    Json(json!({
        "revision": live.revision,
        "steps": table.steps(),
        "digest": table.digest().map(|digest| digest.to_string()),
        "takebacks": table.takebacks(),
        "rules": table.rules_version(),
        "windows": live.audience(),
        "live matches": app.lobby.live_count(),
        "microseconds": {
            "play": micros(live.timing.play),
            "store": micros(live.timing.store),
            "draw": micros(live.timing.draw),
        },
        "choices": table.offers(viewer).into_iter().map(|offer| offer.name).collect::<Vec<_>>(),
        "closed": table.closed(viewer).into_iter()
            .map(|offer| json!({ "choice": offer.name, "why": offer.refusal.to_string() })).collect::<Vec<_>>(),
        "view": table.view(viewer),
        "log": log,
    }))
}
