//! The laboratory: batches of games for the owner of the house.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Form as Fields, Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;
use store::AccountId;

use super::{App, Owner, page as as_page};
use crate::laboratory::{Batch, Form, Laboratory, MOST_TEXT};
use crate::lobby::{LobbyError, in_background, names};
use crate::pages::lab::{self as pages, Who};
use crate::title::Title;

/// The largest form: four texts, in which every other letter may take three.
pub(super) const MOST_FORM: usize = 6 * MOST_TEXT;

/// The names of those who asked for batches.
async fn who(app: &App, batches: &[Batch]) -> Result<Who, LobbyError> {
    let ids: Vec<AccountId> =
        batches.iter().filter_map(|batch| batch.entry.by.as_deref()?.parse().ok()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    app.lobby.with_accounts(move |people| names(people, ids)).await
}

/// All batches, and where a new one begins.
pub async fn list(State(app): State<App>, Owner(visitor): Owner) -> Result<Html<String>, LobbyError> {
    let read = |laboratory: &Laboratory| {
        let build = laboratory.crew().map(|_| laboratory.build()).transpose()?.unwrap_or_default();
        Ok((laboratory.batches()?, build))
    };
    let (batches, build) = app.lobby.in_laboratory(read).await?;
    let laboratory = app.lobby.laboratory().ok_or(LobbyError::NotFound)?;
    let crew = laboratory.crew();
    let (workers, command) = (crew.map(|crew| crew.here()), crew.map(|crew| crew.command()));
    let doing = laboratory.at_work().map(|(_, doing)| doing).unwrap_or_default();
    let here = crew.zip(workers.as_ref()).zip(command.as_ref()).map(|((crew, workers), command)| {
        pages::Here { workers, doing: &doing, is_reached: crew.is_reached(), build: &build, command }
    });
    let shown = pages::ListPage {
        titles: app.lobby.titles(),
        batches: &batches,
        who: &who(&app, &batches).await?,
        here,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::list(visitor.prefs, &shown)))
}

/// What a form begins with.
#[derive(Default, Deserialize)]
pub struct Begun {
    /// A set-up.
    #[serde(default)]
    setup: String,
    /// A batch that it shall be like.
    #[serde(default)]
    like: String,
}

/// The form for a new batch.
pub async fn form(
    State(app): State<App>,
    Owner(visitor): Owner,
    Path(game): Path<String>,
    Query(begun): Query<Begun>,
) -> Result<Html<String>, LobbyError> {
    app.lobby.laboratory().ok_or(LobbyError::NotFound)?;
    let title = app.lobby.title(&game)?;
    let like = match begun.like.is_empty() {
        true => None,
        false => Some(app.lobby.in_laboratory(move |laboratory| laboratory.batch(&begun.like)).await?),
    };
    let like = like.as_ref().map(|batch| &batch.order).filter(|order| order.game == game);
    Ok(as_page(&pages::form(visitor.prefs, &**title, &begun.setup, like)?))
}

/// Takes an order.
pub async fn start(
    State(app): State<App>,
    Owner(visitor): Owner,
    Fields(fields): Fields<Vec<(String, String)>>,
) -> Result<Redirect, LobbyError> {
    app.lobby.laboratory().ok_or(LobbyError::NotFound)?;
    let form = Form::read(fields)?;
    let title = Arc::clone(app.lobby.title(form.game())?);
    let (by, now) = (visitor.signed_in.map(|signed_in| signed_in.account.id), app.lobby.now());
    let ask = move |laboratory: &Laboratory| {
        let order = form.order(&*title)?;
        laboratory.ask(&*title, &order, by, now)
    };
    let id = app.lobby.in_laboratory(ask).await?;
    Ok(Redirect::to(&format!("/lab/batches/{id}")))
}

/// A batch with what came of it so far.
async fn read(app: &App, id: String) -> Result<(Batch, Arc<dyn Title>, Arc<lab::Outcome>), LobbyError> {
    let batch = app.lobby.in_laboratory(move |laboratory| laboratory.batch(&id)).await?;
    let title = Arc::clone(app.lobby.title(&batch.order.game)?);
    let (own, of) = (Arc::clone(&title), batch.clone());
    let outcome = app.lobby.in_laboratory(move |laboratory| laboratory.outcome(&*own, &of)).await?;
    Ok((batch, title, outcome))
}

/// The page of a batch; while it is played the page fetches itself again.
pub async fn batch(
    State(app): State<App>,
    Owner(visitor): Owner,
    Path(id): Path<String>,
) -> Result<Html<String>, LobbyError> {
    let (batch, title, outcome) = read(&app, id).await?;
    let of = batch.clone();
    let team = app.lobby.in_laboratory(move |laboratory| laboratory.team(&of)).await?;
    let who = who(&app, std::slice::from_ref(&batch)).await?;
    let shown = pages::BatchPage {
        title: &*title,
        batch: &batch,
        outcome: &outcome,
        team: team.as_ref(),
        who: &who,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::batch(visitor.prefs, &shown)))
}

/// What came of a batch as a file.
pub async fn file(
    State(app): State<App>,
    _: Owner,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, LobbyError> {
    let short = id.get(..8).unwrap_or_default().to_owned();
    let (batch, _, outcome) = read(&app, id).await?;
    let (kind, text) = pages::file(&batch, &outcome, &name).ok_or(LobbyError::NotFound)?;
    let disposition = format!("attachment; filename=\"{}-{short}-{name}\"", batch.order.game);
    let disposition = HeaderValue::from_str(&disposition).map_err(|_| LobbyError::NotFound)?;
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, text).into_response())
}

/// Stops a batch.
pub async fn stop(State(app): State<App>, _: Owner, Path(id): Path<String>) -> Result<Redirect, LobbyError> {
    let back = format!("/lab/batches/{id}");
    app.lobby
        .in_laboratory(move |laboratory| laboratory.batch(&id).and_then(|_| laboratory.stop(&id)))
        .await?;
    Ok(Redirect::to(&back))
}

/// Lets a batch go on.
pub async fn again(State(app): State<App>, _: Owner, Path(id): Path<String>) -> Result<Redirect, LobbyError> {
    let back = format!("/lab/batches/{id}");
    let (wanted, titles) = (id, app.lobby.titles().to_vec());
    let again = move |laboratory: &Laboratory| {
        let batch = laboratory.batch(&wanted)?;
        let title = titles.iter().find(|title| title.id() == batch.order.game);
        laboratory.again(&**title.ok_or(LobbyError::NotFound)?, &wanted)
    };
    app.lobby.in_laboratory(again).await?;
    Ok(Redirect::to(&back))
}

/// Deletes a batch with all that came of it.
pub async fn delete(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.in_laboratory(move |laboratory| laboratory.delete(&id)).await?;
    Ok(Redirect::to("/lab"))
}

/// What an editor begins with.
#[derive(Default, Deserialize)]
pub struct Original {
    #[serde(default)]
    of: String,
}

/// The editor of a text.
pub async fn editor(
    State(app): State<App>,
    Owner(visitor): Owner,
    Path((game, kind)): Path<(String, String)>,
    Query(original): Query<Original>,
) -> Result<Html<String>, LobbyError> {
    app.lobby.laboratory().ok_or(LobbyError::NotFound)?;
    let title = app.lobby.title(&game)?;
    let shown = pages::editor(visitor.prefs, &**title, &kind, &original.of);
    Ok(as_page(&shown.ok_or(LobbyError::NotFound)?))
}

/// A text that is written.
#[derive(Deserialize)]
pub struct Draft {
    game: String,
    kind: String,
    #[serde(default)]
    text: String,
}

/// What is wrong with a text, for whoever writes it. Nothing is changed by it.
pub async fn check(
    State(app): State<App>,
    _: Owner,
    Fields(Draft { game, kind, text }): Fields<Draft>,
) -> Result<Html<String>, LobbyError> {
    let laboratory = app.lobby.laboratory().ok_or(LobbyError::NotFound)?;
    let title = Arc::clone(app.lobby.title(&game)?);
    if text.len() > MOST_TEXT {
        return Err(LobbyError::Bad(format!("This text is longer than {} KB.", MOST_TEXT >> 10)));
    }
    // The place belongs to the thread: it is free when the thread has ended, even if nobody waits for it any more.
    let place = Arc::clone(&laboratory.checks).acquire_owned().await.map_err(|_| LobbyError::Closing)?;
    let checked = in_background("check", move || {
        let _place = place;
        let kinds = title.subject().texts();
        kinds.iter().any(|known| known.key == kind).then(|| {
            let text: Cow<'_, str> =
                if text.contains('\r') { text.replace("\r\n", "\n").into() } else { text.into() };
            title.subject().check_text(&kind, &kind, &text)
        })
    });
    let checked = checked.await.map_err(|_| LobbyError::Fault("This text could not be checked"))?;
    Ok(as_page(&pages::checked(&checked.ok_or(LobbyError::NotFound)?)))
}
