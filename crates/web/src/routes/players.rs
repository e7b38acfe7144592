//! Pages of players and games: ratings and results, for those who belong to the house.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse, Response};
use store::{AccountId, RatedSeat};

use super::sign_in::asked_to_log_in;
use super::{App, Visitor, page as as_page};
use crate::lobby::{Contests, LobbyError};
use crate::pages::{game_results, layout, player};

/// How many rated matches of a player the page counts and draws.
const MATCHES: usize = 200;
/// How many of them it lists.
const LISTED: usize = 20;
/// How many rated players a list has.
const PLAYERS: usize = 200;

/// Lets those pass who belong to the house: they are logged in, or own the lobby. Without accounts these pages don't exist.
pub struct Insider(pub Visitor);

impl FromRequestParts<App> for Insider {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        if app.accounts.is_none() || app.lobby.contests().is_none() {
            let text = "There is no page at this address.";
            let page = layout::error_page(visitor.prefs, "Not found", text);
            return Err((StatusCode::NOT_FOUND, as_page(&page)).into_response());
        }
        match visitor.signed_in.is_some() || visitor.owner {
            true => Ok(Self(visitor)),
            false => Err(asked_to_log_in(parts)),
        }
    }
}

/// The page of a player.
pub async fn player(
    State(app): State<App>,
    Insider(visitor): Insider,
    Path(id): Path<String>,
) -> Result<Html<String>, LobbyError> {
    let id: AccountId = id.parse().map_err(|_| LobbyError::NotFound)?;
    let account = app.lobby.with_accounts(move |people| people.account(id)).await?;
    let account = account.filter(|account| account.state != store::AccountState::Deleted);
    let account = account.ok_or(LobbyError::NotFound)?;
    let read = move |contests: &dyn Contests| {
        let (ratings, seats) = (contests.ratings_of(id)?, contests.rated_seats(id, MATCHES)?);
        let listed = seats.iter().take(LISTED).map(|seat| contests.rated_match(&seat.match_id));
        let tables: Vec<Vec<RatedSeat>> = listed.collect::<Result<_, _>>()?;
        Ok((ratings, seats, tables))
    };
    let (ratings, seats, tables) = app.lobby.with_contest(read).await?;
    let others: Vec<AccountId> = tables.iter().flatten().map(|seat| seat.account).collect();
    let names = app.lobby.account_names(others).await?;
    let me = visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id);
    let shown = player::PlayerPage {
        titles: app.lobby.titles(),
        account: &account,
        is_own: me == Some(id),
        is_owner: visitor.owner,
        ratings: &ratings,
        seats: &seats,
        tables: &tables,
        names: &names,
        results: &app.lobby.player_results(id).await?,
        now: app.lobby.now(),
    };
    Ok(as_page(&player::page(visitor.prefs, &shown)))
}

/// The games and their rated players.
pub async fn players(State(app): State<App>, Insider(visitor): Insider) -> Result<Html<String>, LobbyError> {
    let ids: Vec<&'static str> = app.lobby.titles().iter().map(|title| title.id()).collect();
    let read = move |contests: &dyn Contests| {
        ids.iter().map(|id| Ok((*id, contests.rated_players(id, PLAYERS)?))).collect::<Result<Vec<_>, _>>()
    };
    let lists = app.lobby.with_contest(read).await?;
    let mut all: Vec<AccountId> = Vec::new();
    for (_, list) in &lists {
        all.extend(list.iter().map(|kept| kept.account));
    }
    let names = app.lobby.account_names(all).await?;
    let shown = game_results::PlayersPage {
        titles: app.lobby.titles(),
        lists: &lists,
        names: &names,
        is_owner: visitor.owner,
    };
    Ok(as_page(&game_results::players(visitor.prefs, &shown)))
}

/// The page of a game.
pub async fn game(
    State(app): State<App>,
    Insider(visitor): Insider,
    Path(game): Path<String>,
) -> Result<Html<String>, LobbyError> {
    let title = app.lobby.titles().iter().find(|title| title.id() == game).ok_or(LobbyError::NotFound)?;
    let title = Arc::clone(title);
    let id = title.id();
    let read =
        move |contests: &dyn Contests| Ok((contests.rated_players(id, PLAYERS)?, contests.side_scores(id)?));
    let (rated, scores) = app.lobby.with_contest(read).await?;
    let listed: Vec<AccountId> = rated.iter().map(|kept| kept.account).collect();
    let names = app.lobby.account_names(listed).await?;
    let shown = game_results::GamePage {
        title: &*title,
        results: &app.lobby.game_results(id).await?,
        rated: &rated,
        scores: &scores,
        names: &names,
        is_owner: visitor.owner,
    };
    Ok(as_page(&game_results::page(visitor.prefs, &shown)))
}
