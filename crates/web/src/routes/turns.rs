//! My turn, the next match, and seats that accounts keep.

use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use store::Shelf;

use super::account::MemberOnly;
use super::{App, MatchVisitor, page as as_page};
use crate::lobby::{LobbyError, MINE};
use crate::pages::turns;

/// The most matches on the page; those that wait for somebody are always among them.
const MOST: usize = 1_000;
/// How many finished matches the page shows.
const FINISHED: usize = 12;

/// The page.
pub async fn page(State(app): State<App>, member: MemberOnly) -> Result<Html<String>, LobbyError> {
    let id = member.signed_in.account.id;
    let read = move |people: &dyn store::People| {
        Ok((people.kept_seats(id, Shelf::Running, MOST)?, people.kept_seats(id, Shelf::Finished, FINISHED)?))
    };
    let (running, finished) = app.lobby.with_accounts(read).await?;
    let shown = turns::TurnsPage {
        titles: app.lobby.titles(),
        running: &running,
        finished: &finished,
        is_owner: member.visitor.owner,
        now: member.accounts.now(),
    };
    Ok(as_page(&turns::page(member.visitor.prefs, &shown)))
}

/// The match that somebody comes from.
#[derive(Default, Deserialize)]
pub struct After {
    #[serde(default)]
    after: String,
}

/// Goes to the next match that waits for the visitor: from one of them to the one behind it in the list, from the last to the
/// first.
pub async fn next(
    State(app): State<App>,
    member: MemberOnly,
    Query(After { after }): Query<After>,
) -> Result<Redirect, LobbyError> {
    let id = member.signed_in.account.id;
    let seats = app.lobby.with_accounts(move |people| people.kept_seats(id, Shelf::Running, MOST)).await?;
    let waiting: Vec<_> = seats.iter().filter(|seat| seat.is_awaited()).collect();
    let here = waiting.iter().position(|seat| seat.match_id == after);
    let next = match here {
        Some(here) => waiting.get(here + 1).or(waiting.first()),
        None => waiting.first(),
    };
    let next = next.filter(|next| next.match_id != after);
    Ok(Redirect::to(&next.map_or_else(|| "/turns".to_owned(), |seat| turns::path(seat))))
}

/// Keeps the seat of a link in the visitor's account; the link is closed.
pub async fn keep(
    State(app): State<App>,
    member: MemberOnly,
    seated: MatchVisitor,
) -> Result<Redirect, LobbyError> {
    app.lobby.keep_seat(&seated.found, seated.viewer, member.signed_in.account.id).await?;
    Ok(Redirect::to(&format!("/m/{}/{MINE}", seated.found.id)))
}

/// Gives a kept seat up again, and shows the table by its new link.
pub async fn release(
    State(app): State<App>,
    member: MemberOnly,
    seated: MatchVisitor,
) -> Result<Response, LobbyError> {
    let token = app.lobby.release_seat(&seated.found, member.signed_in.account.id).await?;
    Ok(Redirect::to(&format!("/m/{}/{token}", seated.found.id)).into_response())
}
