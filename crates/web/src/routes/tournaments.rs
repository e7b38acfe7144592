//! Routes of tournaments: their pages, entering and withdrawing, and what their organizer decides.

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Form, Path, State};
use axum::response::{Html, Redirect, Response};
use diagnostics::shown;
use people::name_key;
use serde::Deserialize;
use store::AccountId;
use tokio::time::{Instant, interval_at};

use super::account::MemberOnly;
use super::off_days::OffDaysForm;
use super::players::Insider;
use super::{App, Owner, page as as_page};
use crate::lobby::{LobbyError, NewTournament};
use crate::pages::tournament as pages;

/// How many tournaments the list shows.
const LISTED: usize = 50;

/// The list.
pub async fn list(State(app): State<App>, Insider(visitor): Insider) -> Result<Html<String>, LobbyError> {
    let found = app.lobby.with_contest(|contests| contests.tournaments(LISTED)).await?;
    let shown = pages::ListPage {
        titles: app.lobby.titles(),
        tournaments: &found,
        is_owner: visitor.owner,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::list(visitor.prefs, &shown)))
}

/// The page of a tournament.
pub async fn page(
    State(app): State<App>,
    Insider(visitor): Insider,
    Path(id): Path<String>,
) -> Result<Html<String>, LobbyError> {
    let view = app.lobby.tournament_view(&id).await?;
    let mut players: Vec<AccountId> = view.entrants.iter().map(|entrant| entrant.account).collect();
    players.extend(view.record.made_by);
    let names = app.lobby.account_names(players).await?;
    let shown = pages::TournamentPage {
        titles: app.lobby.titles(),
        view: &view,
        names: &names,
        me: visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id),
        is_owner: visitor.owner,
        now: app.lobby.now(),
    };
    Ok(as_page(&pages::page(visitor.prefs, &shown)))
}

/// Tells a page that follows a tournament when there is something new. It says nothing else: the page fetches itself again.
pub async fn live(
    State(app): State<App>,
    Insider(visitor): Insider,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, LobbyError> {
    app.lobby.tournament(&id).await?;
    let place = app.live_pages.take(visitor.from).ok_or_else(|| {
        LobbyError::NotReady("Too many pages are open at your address: close some of them.".to_owned())
    })?;
    let session = visitor.signed_in.map(|signed_in| signed_in.session.key);
    Ok(upgrade.max_message_size(1 << 10).on_upgrade(move |socket| async move {
        follow(app, session, socket).await;
        drop(place);
    }))
}

async fn follow(mut app: App, session: Option<store::Fingerprint>, mut socket: WebSocket) {
    let mut news = app.lobby.contest_news();
    let mut ping = interval_at(Instant::now() + app.ping_time, app.ping_time);
    loop {
        let sent = tokio::select! {
            told = news.changed() => match told {
                Ok(()) => socket.send(Message::Text("new".into())).await,
                Err(_) => break,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => Ok(()),
            },
            _ = ping.tick() => {
                if let (Some(session), Some(accounts)) = (session, &app.accounts)
                    && !accounts.is_still_open(session).await
                {
                    break;
                }
                socket.send(Message::Text("here".into())).await
            }
            _ = app.closing.changed() => break,
        };
        if sent.is_err() {
            break;
        }
    }
}

/// Makes a tournament: `name`, `game`, `clock`, `off`, `zone`, `rest`, `names`, `open`, `rated`, `sides`, `pool`, and `option.KEY`.
pub async fn make(
    State(app): State<App>,
    Owner(visitor): Owner,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Redirect, LobbyError> {
    let mut names = String::new();
    let maker = visitor.signed_in.map(|signed_in| signed_in.account.id);
    let mut new = NewTournament { maker, ..NewTournament::default() };
    let mut off = OffDaysForm::default();
    for (key, value) in fields {
        match key.as_str() {
            "name" => new.name = value,
            "game" => new.game = value,
            "clock" => new.clock = value,
            "off" | "zone" => off.take(&key, value),
            "rest" => new.allows_rest = value == "yes",
            "names" => names = value,
            "open" => new.is_open = value == "yes",
            "rated" => new.rated = value == "yes",
            "sides" => new.on_every_side = value == "changed",
            "pool" if value.trim().is_empty() => {}
            "pool" => {
                let wrong = |_| LobbyError::Bad(format!("{:?} is no number of players.", shown(&value)));
                new.pool_size = value.trim().parse().map_err(wrong)?;
            }
            "setup" if value.is_empty() => {}
            "setup" => new.options.extend(setup_options(&app, &value)?),
            _ => match key.strip_prefix("option.") {
                Some(option) => drop(new.options.insert(option.to_owned(), value)),
                None => return Err(LobbyError::Bad(format!("unknown field {:?}", shown(&key)))),
            },
        }
    }
    new.clock = off.with(new.clock);
    new.entrants = accounts(&app, &names).await?;
    let id = app.lobby.make_tournament(&new).await?;
    Ok(Redirect::to(&format!("/tournaments/{id}")))
}

/// The options of a set-up, as `GAME/SETUP`.
fn setup_options(app: &App, text: &str) -> Result<kernel::Options, LobbyError> {
    let unknown = || LobbyError::Bad(format!("There is no set-up {:?}.", shown(text)));
    let (game, id) = text.split_once('/').ok_or_else(unknown)?;
    let found = app.lobby.title(game)?.setups().iter().find(|setup| setup.id == id);
    found.map(|setup| setup.options.clone()).ok_or_else(unknown)
}

/// The accounts with these names, one a line.
async fn accounts(app: &App, names: &str) -> Result<Vec<AccountId>, LobbyError> {
    let names: Vec<String> =
        names.lines().map(str::trim).filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect();
    if names.len() > crate::lobby::MOST_ENTRANTS {
        return Err(LobbyError::Bad(format!("At most {} can take part.", crate::lobby::MOST_ENTRANTS)));
    }
    let asked = names.clone();
    let find = move |people: &dyn store::People| {
        asked.iter().map(|name| people.account_named(&name_key(name))).collect::<Result<Vec<_>, _>>()
    };
    let found = app.lobby.with_accounts(find).await?;
    let each = names.iter().zip(found);
    each.map(|(name, account)| match account {
        Some(account) => Ok(account.id),
        None => Err(LobbyError::Bad(format!("Nobody here has the name {:?}.", shown(name)))),
    })
    .collect()
}

/// Back to the page.
fn back(id: &str) -> Redirect {
    Redirect::to(&format!("/tournaments/{id}"))
}

/// Enters the visitor.
pub async fn enter(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.enter_tournament(&id, member.signed_in.account.id).await?;
    Ok(back(&id))
}

/// Withdraws the visitor.
pub async fn withdraw(
    State(app): State<App>,
    member: MemberOnly,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.withdraw_from(&id, member.signed_in.account.id).await?;
    Ok(back(&id))
}

/// Somebody whom the organizer names.
#[derive(Deserialize)]
pub struct Named {
    name: String,
}

/// Enters somebody by name.
pub async fn add(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
    Form(Named { name }): Form<Named>,
) -> Result<Redirect, LobbyError> {
    let found = accounts(&app, &name).await?;
    let [account] = found[..] else { return Err(LobbyError::Bad("Enter one name.".to_owned())) };
    app.lobby.add_entrant(&id, account).await?;
    Ok(back(&id))
}

/// An entrant.
#[derive(Deserialize)]
pub struct Struck {
    account: String,
}

/// Withdraws somebody at the organizer's word.
pub async fn strike(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
    Form(Struck { account }): Form<Struck>,
) -> Result<Redirect, LobbyError> {
    let account = account.parse().map_err(|_| LobbyError::NotFound)?;
    app.lobby.withdraw_from(&id, account).await?;
    Ok(back(&id))
}

/// Begins.
pub async fn begin(State(app): State<App>, _: Owner, Path(id): Path<String>) -> Result<Redirect, LobbyError> {
    app.lobby.begin_tournament(&id).await?;
    Ok(back(&id))
}

/// Calls it off.
pub async fn call_off(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
) -> Result<Redirect, LobbyError> {
    app.lobby.call_off(&id).await?;
    Ok(back(&id))
}

/// The organizer's word about a match.
#[derive(Deserialize)]
pub struct Verdict {
    number: u32,
    #[serde(default)]
    standings: String,
    why: String,
}

/// Decides a match.
pub async fn verdict(
    State(app): State<App>,
    _: Owner,
    Path(id): Path<String>,
    Form(said): Form<Verdict>,
) -> Result<Redirect, LobbyError> {
    app.lobby.decide_pairing(&id, said.number, &said.standings, &said.why).await?;
    Ok(back(&id))
}
