//! Routes for tables that gather: the open ones, one of them, and sitting down, inviting, leaving and starting there.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use post::{Tempo, due};
use serde::Deserialize;
use serde_json::json;
use store::{AccountId, Gathering, NoticeKey, NoticeKind, People};
use tracing::warn;

use super::account::MemberOnly;
use super::sign_in::accounts;
use super::{App, Visitor, page as as_page};
use crate::accounts::Accounts;
use crate::lobby::{GatheringOrder, LobbyError, SeatWish, names, seat_of_link};
use crate::pages::tables as pages;

/// How many open tables the page shows.
const MOST: usize = 60;
/// An invitation is told for so many states of a table; whoever is asked again and again hears no more of it.
const TOLD_AGAIN: u32 = 8;

/// What a page about tables needs to know of them.
async fn with_names(
    app: &App,
    tables: Vec<Gathering>,
) -> Result<(Vec<Gathering>, HashMap<AccountId, String>), LobbyError> {
    let of = move |people: &dyn People| {
        let seats = tables.iter().flat_map(|table| &table.seats);
        let sitting = seats.flat_map(|seat| [seat.account(), seat.offer.asked()]).flatten();
        let all: Vec<AccountId> = sitting.chain(tables.iter().map(|table| table.host)).collect();
        let names = names(people, all)?;
        Ok((tables, names))
    };
    app.lobby.with_accounts(of).await
}

/// The tables of somebody, for their list of matches.
pub(super) async fn own(
    app: &App,
    account: AccountId,
) -> Result<(Vec<Gathering>, HashMap<AccountId, String>), LobbyError> {
    let tables = app.lobby.with_accounts(move |people| people.gatherings_of(account)).await?;
    with_names(app, tables).await
}

/// The page of all open tables.
pub async fn list(State(app): State<App>, member: MemberOnly) -> Result<Html<String>, LobbyError> {
    let id = member.signed_in.account.id;
    let read = move |people: &dyn People| {
        let own = people.gatherings_of(id)?;
        let mut all = people.open_gatherings(MOST)?;
        // Where somebody has blocked the visitor they can't sit down: it is not for them.
        let mut kept = Vec::new();
        for table in all.drain(..) {
            if !people.has_blocked(table.host, id)? && !own.iter().any(|known| known.id == table.id) {
                kept.push(table);
            }
        }
        Ok((own, kept))
    };
    let (own, open) = app.lobby.with_accounts(read).await?;
    let count = own.len();
    let (all, names) = with_names(&app, own.into_iter().chain(open).collect()).await?;
    let (own, open) = all.split_at(count);
    let shown = pages::TablesPage {
        titles: app.lobby.titles(),
        own,
        open,
        names: &names,
        visitor: id,
        is_owner: member.visitor.owner,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::list(member.visitor.prefs, &shown)))
}

/// Gathers a table: the form for a new game with `listed` and `invite` besides.
pub async fn gather(
    State(app): State<App>,
    member: MemberOnly,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Redirect, LobbyError> {
    let (mut is_listed, mut invited, mut rest) = (false, Vec::new(), Vec::new());
    for (key, value) in fields {
        match key.as_str() {
            "listed" => is_listed = true,
            "invite" => {
                let names = value.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty());
                invited = names.map(ToOwned::to_owned).collect();
            }
            _ => rest.push((key, value)),
        }
    }
    let order = super::lobby::order(rest)?;
    // Whoever chooses the seed knows the dice, and nobody rolls alone for all.
    if order.seed.is_some() || order.own_dice || !order.lesson.is_empty() {
        return Err(LobbyError::Bad("At a gathering table Maproom rolls the dice.".to_owned()));
    }
    let wanted = GatheringOrder { order, is_listed, invited };
    let id = app.lobby.gather(member.signed_in.account.id, wanted).await?;
    tell_invited(&app, &app.lobby.gathering(&id).await?, None).await;
    Ok(Redirect::to(&format!("/tables/{id}")))
}

/// Tells those who are asked to a table and have not answered, or only whoever is asked to one of its seats.
pub(super) async fn tell_invited(app: &App, table: &Gathering, only: Option<usize>) {
    let Some(notices) = app.accounts.as_deref().and_then(Accounts::notices) else { return };
    let due_at = due(Tempo::Slow, app.lobby.now());
    let seats = table.seats.iter().enumerate().filter(|(at, _)| only.is_none_or(|only| only == *at));
    let asked = seats.filter_map(|(at, seat)| {
        let account = seat.offer.asked().filter(|account| seat.waits_for(*account))?;
        let (match_id, seat, stint) =
            (table.id.clone(), u8::try_from(at).ok()?, table.revision.min(TOLD_AGAIN));
        Some((NoticeKey { account, match_id, seat, stint, kind: NoticeKind::Invited }, due_at))
    });
    if let Err(why) = notices.queue(asked.collect()).await {
        warn!("an invitation could not be told: {why}");
    }
}

/// Whether only the state is asked for.
#[derive(Default, Deserialize)]
pub struct Asked {
    state: Option<String>,
}

/// One table; whoever comes when it has started is led to the match.
pub async fn table(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, LobbyError> {
    let table = app.lobby.gathering(&id).await?;
    shown(&app, &member.visitor, table, None, asked.state.is_some()).await
}

/// The table as somebody with the link of a seat sees it.
pub async fn by_link(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, token)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<Response, LobbyError> {
    if let Err(answer) = accounts(&app, &visitor) {
        return Ok(answer);
    }
    let table = linked(&app, &visitor, &id, &token).await?;
    shown(&app, &visitor, table, Some(token), asked.state.is_some()).await
}

/// The table that a link opens.
async fn linked(app: &App, visitor: &Visitor, id: &str, token: &str) -> Result<Gathering, LobbyError> {
    let found = app.lobby.gathering(id).await.map(|table| (seat_of_link(&table, token).is_some(), table));
    match found {
        Ok((true, table)) => Ok(table),
        Ok((false, _)) | Err(LobbyError::NotFound) => {
            if app.limits.wrong_links.take(visitor.from, std::time::Instant::now()) {
                Err(LobbyError::NotFound)
            } else {
                Err(LobbyError::TooFast)
            }
        }
        Err(why) => Err(why),
    }
}

async fn shown(
    app: &App,
    visitor: &Visitor,
    table: Gathering,
    link: Option<String>,
    is_state: bool,
) -> Result<Response, LobbyError> {
    let account = visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id);
    let path = app.lobby.path_from(&table, account, link.as_deref()).await?;
    if is_state {
        return Ok(Json(json!({ "revision": table.revision, "path": path })).into_response());
    }
    if let Some(path) = path {
        return Ok(Redirect::to(&path).into_response());
    }
    let title = std::sync::Arc::clone(app.lobby.title(&table.game)?);
    let options = serde_json::from_str(&table.options).unwrap_or_default();
    let opened = title.open(&options, kernel::MatchDice::seeded(1)).map_err(LobbyError::Bad)?;
    let sides: Vec<&'static str> = opened.seats().iter().map(|seat| seat.title).collect();
    drop(opened);
    let (tables, names) = with_names(app, vec![table]).await?;
    let Some(table) = tables.first() else { return Err(LobbyError::NotFound) };
    let shown = pages::TablePage {
        title: &*title,
        table,
        sides: &sides,
        names: &names,
        visitor: account,
        link: link.as_deref(),
        is_owner: visitor.owner,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::table(visitor.prefs, &shown)).into_response())
}

/// Which seat.
#[derive(Deserialize)]
pub struct SeatForm {
    seat: usize,
}

fn back(id: &str) -> Redirect {
    Redirect::to(&format!("/tables/{id}"))
}

/// Takes a seat.
pub async fn sit(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
    Form(SeatForm { seat }): Form<SeatForm>,
) -> Result<Redirect, LobbyError> {
    app.lobby.sit_down(&id, member.signed_in.account.id, seat).await?;
    Ok(back(&id))
}

/// Gives a seat up, or declines an invitation.
pub async fn leave(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.stand_up(&id, member.signed_in.account.id).await?;
    Ok(Redirect::to("/turns"))
}

/// For whom the host keeps a seat.
#[derive(Deserialize)]
pub struct WishForm {
    seat: usize,
    /// `open`, `named`, `link`, `me` or `bot:NAME`.
    wish: String,
    #[serde(default)]
    name: String,
}

/// Keeps a seat for somebody else.
pub async fn keep(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
    Form(WishForm { seat, wish, name }): Form<WishForm>,
) -> Result<Redirect, LobbyError> {
    let wish = match wish.as_str() {
        "open" => SeatWish::Open,
        "named" => SeatWish::Named(name),
        "link" => SeatWish::Link,
        "me" => SeatWish::Mine,
        other => match other.strip_prefix("bot:") {
            Some(bot) => SeatWish::Bot(bot.to_owned()),
            None => {
                return Err(LobbyError::Bad("A seat is open, named, link, me or bot:NAME.".to_owned()));
            }
        },
    };
    let table = app.lobby.keep_for(&id, member.signed_in.account.id, seat, wish).await?;
    tell_invited(&app, &table, Some(seat)).await;
    Ok(back(&id))
}

/// Lets bots fill the empty seats, and starts.
pub async fn start(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.fill_with_bots(&id, member.signed_in.account.id).await?;
    Ok(back(&id))
}

/// Gives the table up.
pub async fn give_up(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.give_up_table(&id, member.signed_in.account.id).await?;
    Ok(Redirect::to("/tables"))
}

/// Whether a guest comes or goes.
#[derive(Deserialize)]
pub struct GuestForm {
    #[serde(default)]
    leaves: String,
}

/// Takes the seat of a link, or gives it up again.
pub async fn sit_by_link(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, token)): Path<(String, String)>,
    Form(GuestForm { leaves }): Form<GuestForm>,
) -> Result<Response, LobbyError> {
    if let Err(answer) = accounts(&app, &visitor) {
        return Ok(answer);
    }
    linked(&app, &visitor, &id, &token).await?;
    let account = visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id);
    match (leaves.is_empty(), account) {
        (true, _) => app.lobby.sit_by_link(&id, &token, account).await?,
        (false, Some(account)) => app.lobby.stand_up(&id, account).await?,
        (false, None) => app.lobby.stand_up_guest(&id, &token).await?,
    };
    Ok(Redirect::to(&format!("/tables/{id}/link/{token}")).into_response())
}
