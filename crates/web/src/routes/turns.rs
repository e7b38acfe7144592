//! My turn, the next match, and seats that accounts keep.

use std::collections::HashMap;

use axum::extract::{Query, State};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use store::{AccountId, KeptSeat, Shelf};

use super::account::MemberOnly;
use super::{App, MatchVisitor, page as as_page};
use crate::lobby::{LobbyError, MINE};
use crate::pages::turns;

/// The most matches on the page; those that wait for somebody are always among them.
const MOST: usize = 1_000;
/// How many finished matches the page shows.
const FINISHED: usize = 12;

/// How many deadlines are looked at for the order of the list: the nearest of the house.
const DEADLINES: usize = 20_000;

/// The running matches of an account, those first that wait for it, by what ends first; and when that is.
async fn running(app: &App, id: AccountId) -> Result<(Vec<KeptSeat>, HashMap<String, u64>), LobbyError> {
    let mut seats =
        app.lobby.with_accounts(move |people| people.kept_seats(id, Shelf::Running, MOST)).await?;
    if !seats.iter().any(KeptSeat::is_awaited) {
        return Ok((seats, HashMap::new()));
    }
    let due = app.lobby.with_store(|store| store.deadlines(u64::MAX, DEADLINES)).await?;
    let awaited = seats.iter().take_while(|seat| seat.is_awaited()).count();
    let mine = |id: &str, seat: u8| seats[..awaited].iter().any(|of| of.match_id == id && of.seat == seat);
    let due = due.into_iter().filter(|due| mine(&due.match_id, due.seat));
    // The index has the moment at which a flag would fall: a choice may be on its way.
    let due: HashMap<String, u64> =
        due.map(|due| (due.match_id, due.at.saturating_sub(clocks::MINUTE))).collect();
    // Without a clock the one that has waited longest is the next.
    seats[..awaited].sort_by_key(|seat| due.get(&seat.match_id).copied().unwrap_or(u64::MAX));
    Ok((seats, due))
}

/// The page.
pub async fn page(State(app): State<App>, member: MemberOnly) -> Result<Html<String>, LobbyError> {
    let id = member.signed_in.account.id;
    let (running, due) = running(&app, id).await?;
    let read = move |people: &dyn store::People| people.kept_seats(id, Shelf::Finished, FINISHED);
    let finished = app.lobby.with_accounts(read).await?;
    let (tables, names) = super::tables::own(&app, id).await?;
    let now = member.accounts.now();
    let drawn = || {
        let titles = app.lobby.titles();
        crate::pages::tables::cards(titles, &tables, &names, id, app.lobby.now())
    };
    let shown = turns::TurnsPage {
        gathering: (!tables.is_empty()).then(drawn),
        titles: app.lobby.titles(),
        running: &running,
        due: &due,
        finished: &finished,
        is_owner: member.visitor.owner,
        now,
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
    let (seats, _) = running(&app, id).await?;
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
