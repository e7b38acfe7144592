//! Live updates: a WebSocket that sends what has changed since the page's revision.

use std::sync::Arc;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use kernel::{Seat, Viewer};
use serde::Deserialize;
use store::{AccountId, NoticeKey, NoticeKind, SeatRecord};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tracing::warn;

use super::{App, MatchVisitor};
use crate::accounts::Accounts;
use crate::live::Live;
use crate::lobby::{LiveMatch, Lobby, LobbyError, MINE};
use crate::notices::Notices;

/// Pages send short messages only; the library's default buffers would take 136 KB per connection.
const BUFFER: usize = 2 << 10;
const MAX_MESSAGE: usize = 1 << 10;
const PIECE: usize = 4 << 10;

/// What the page knows.
#[derive(Deserialize)]
pub struct Since {
    since: Option<u32>,
}

/// Opens the connection.
pub async fn live(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(Since { since }): Query<Since>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, LobbyError> {
    let page = app.live_pages.take(seated.visitor.from).ok_or_else(|| {
        LobbyError::NotReady("Too many pages are open at your address: close some of them.".to_owned())
    })?;
    app.lobby.reach(&seated.found, since.unwrap_or(0)).await;
    let mut live = seated.found.lock().await;
    // Whoever waited for a match that was dropped meanwhile would never hear of it again.
    if !app.lobby.holds(&seated.found) {
        return Err(LobbyError::Stale { revision: live.revision });
    }
    claim(&app, &seated.found, &mut live, seated.viewer);
    let (receiver, missed) = live.subscribe(seated.viewer, since);
    if !seated.visitor.prefs.no_chance {
        live.show_win_chances();
        app.lobby.analyse(&seated.found, &mut live);
    }
    Lobby::note_presence(&seated.found, &mut live);
    drop(live);
    let found = Arc::clone(&seated.found);
    let answer = upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(512 << 10)
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| {
            Box::pin(async move {
                talk(app, seated, socket, receiver, missed).await;
                drop(page);
                Lobby::note_presence(&found, &mut *found.lock().await);
            })
        });
    Ok(answer)
}

/// Records that somebody has taken a seat. Only a page with live updates counts: a preview of a link in a chat also fetches
/// the page.
pub(super) fn claim(app: &App, found: &LiveMatch, live: &mut Live, viewer: Viewer) {
    let Viewer::Seat(seat) = viewer else { return };
    let Some(record) = live.seats.iter_mut().find(|record| record.seat == seat.0) else { return };
    if record.claimed_at.is_some() {
        return;
    }
    let now = app.lobby.now();
    record.claimed_at = Some(now);
    let told = started(live, seat);
    let (lobby, id, accounts) = (Arc::clone(&app.lobby), found.id.clone(), app.accounts.clone());
    tokio::spawn(async move {
        // It is noted first: whoever is killed in between finds the seat free and notes it again.
        if let Some(notices) = accounts.as_deref().and_then(Accounts::notices) {
            let of = |(seat, account): &(u8, AccountId)| {
                let (account, match_id) = (*account, id.clone());
                (NoticeKey { account, match_id, seat: *seat, stint: 0, kind: NoticeKind::Started }, now)
            };
            if let Err(why) = notices.queue(told.iter().map(of).collect()).await {
                warn!("that a match has started could not be told: {why}");
            }
        }
        // Only the lobby shows who has joined: a failure here does no harm, and the next visit records it.
        let of = id.clone();
        let claimed = lobby.with_store(move |store| store.claim(&of, seat.0, now)).await;
        if lobby.is_shared() && claimed.is_ok_and(|is_first| is_first) {
            lobby.tell_beside(&id);
            // The others may have come to other servers meanwhile, each the last as far as its own could tell.
            tell_others_of_start(&lobby, accounts.as_deref(), &id, seat).await;
        }
    });
}

/// Tells those who keep a seat that the match has started, if the record says that all have come now.
async fn tell_others_of_start(lobby: &Arc<Lobby>, accounts: Option<&Accounts>, id: &str, seat: Seat) {
    let Some(notices) = accounts.and_then(Accounts::notices) else { return };
    let (of, now) = (id.to_owned(), lobby.now());
    let Ok(Some(record)) = lobby.with_store(move |store| store.find(&of)).await else { return };
    let told = if record.summary.result.is_some() { Vec::new() } else { all_came(&record.seats, seat) };
    let key = |(seat, account): (u8, AccountId)| {
        let match_id = record.id.clone();
        (NoticeKey { account, match_id, seat, stint: 0, kind: NoticeKind::Started }, now)
    };
    if let Err(why) = notices.queue(told.into_iter().map(key).collect()).await {
        warn!("that a match has started could not be told: {why}");
    }
}

/// Those who keep a seat and are to be told that a match has started, because the last of its persons has come.
fn started(live: &Live, newcomer: Seat) -> Vec<(u8, AccountId)> {
    if live.is_over() { Vec::new() } else { all_came(&live.seats, newcomer) }
}

/// Those who keep a seat, apart from the newcomer, if all persons have come.
fn all_came(seats: &[SeatRecord], newcomer: Seat) -> Vec<(u8, AccountId)> {
    let persons = || seats.iter().filter(|record| record.player.is_a_persons());
    if persons().any(|record| record.claimed_at.is_none()) {
        return Vec::new();
    }
    let others = persons().filter(|record| record.seat != newcomer.0);
    others.filter_map(|record| Some((record.seat, record.player.account()?))).collect()
}

/// Sends updates and receives how far the page has shown them, until one side disconnects.
async fn talk(
    mut app: App,
    seated: MatchVisitor,
    mut socket: WebSocket,
    mut updates: mpsc::Receiver<Arc<str>>,
    missed: Option<Arc<str>>,
) {
    let MatchVisitor { found, viewer, visitor, path } = seated;
    // Whoever sits here by their account stays only as long as they are signed in.
    let account = visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id);
    let session = visitor.signed_in.filter(|_| path.ends_with(MINE)).map(|signed_in| signed_in.session.key);
    if let Some(missed) = missed
        && send(&mut socket, &missed).await.is_err()
    {
        return;
    }
    // Only a page of an account has somebody who might be told otherwise.
    let account = account.filter(|_| path.ends_with(MINE));
    let mut _looking = None;
    let mut window = app.lobby.window(&found.id, viewer, account);
    let mut ping = interval_at(Instant::now() + app.ping_time, app.ping_time);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut answered = true;
    loop {
        let sent = tokio::select! {
            update = updates.recv() => match update {
                Some(update) => send(&mut socket, &update).await,
                None => break,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(words))) => {
                    if let (Viewer::Seat(seat), Some(steps)) = (viewer, seen(&words)) {
                        app.lobby.seen(&found, seat, steps).await;
                    }
                    if let (Some(shown), Some(account), Some(notices)) = (is_shown(&words), account, notices(&app)) {
                        _looking = shown.then(|| notices.looks(account, &found.id));
                    }
                    if let (Some(shown), Some(window)) = (is_shown(&words), &mut window) {
                        window.show(shown);
                    }
                    Ok(())
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => { answered = true; Ok(()) }
            },
            _ = ping.tick() => {
                if !answered {
                    break;
                }
                answered = false;
                if let (Some(session), Some(accounts)) = (session, &app.accounts)
                    && !accounts.is_still_open(session).await
                {
                    break;
                }
                let pinged = socket.send(Message::Ping(axum::body::Bytes::new())).await;
                // Scripts do not see pings: a message tells the page that the connection works and whether it is behind.
                let word = found.lock().await.behind();
                match pinged {
                    Ok(()) => send(&mut socket, &word).await,
                    lost => lost,
                }
            }
            _ = app.closing.changed() => break,
        };
        if sent.is_err() {
            break;
        }
    }
}

/// Sends a message, in pieces if it is long: the connection's buffer keeps the size of its longest message. Pieces start
/// with `+`, the last one with `=`.
async fn send(socket: &mut WebSocket, message: &str) -> Result<(), axum::Error> {
    if message.len() <= PIECE {
        return socket.send(Message::Text(Utf8Bytes::from(message))).await;
    }
    let mut rest = message;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        let sign = if after.is_empty() { '=' } else { '+' };
        socket.send(Message::Text(Utf8Bytes::from(format!("{sign}{piece}")))).await?;
        rest = after;
    }
    Ok(())
}

fn notices(app: &App) -> Option<&Notices> {
    app.accounts.as_deref().and_then(Accounts::notices)
}

/// "shown" or "hidden": whether the window of the page can be seen.
fn is_shown(words: &str) -> Option<bool> {
    match words {
        "shown" => Some(true),
        "hidden" => Some(false),
        _ => None,
    }
}

/// "seen 37": the page has shown the match up to step 37.
fn seen(words: &str) -> Option<u32> {
    words.strip_prefix("seen ")?.parse().ok()
}
