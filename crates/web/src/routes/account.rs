//! One's own account: sessions, password, address, data, leaving.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Form, FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use kernel::Seat;
use people::{PeopleError, SignedIn};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{KeptSeat, Shelf};

use super::sign_in::{accounts, again, asked_to_log_in, failed, signed_in, signed_out};
use super::{App, Visitor, page as as_page};
use crate::accounts::Accounts;
use crate::lobby::{Lobby, LobbyError};
use crate::pages::account as pages;

/// Lets only somebody who is signed in pass; others are led to the log-in.
pub struct MemberOnly {
    /// The accounts.
    pub accounts: Arc<Accounts>,
    /// Who they are.
    pub signed_in: Arc<SignedIn>,
    /// The visitor.
    pub visitor: Visitor,
}

impl FromRequestParts<App> for MemberOnly {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        let accounts = accounts(app, &visitor)?;
        match visitor.signed_in.clone() {
            Some(signed_in) => Ok(Self { accounts, signed_in, visitor }),
            None => Err(asked_to_log_in(parts)),
        }
    }
}

/// What was done just now, as a word in the address.
#[derive(Default, Deserialize)]
pub struct Done {
    #[serde(default)]
    done: String,
}

/// The sentence for such a word.
fn sentence(done: &str) -> Option<&'static str> {
    Some(match done {
        "password" => "Your password was changed. All other browsers are logged out.",
        "mail" => "Look into your mail: a letter is on its way to the new address.",
        "no-mail" => "Your mail address was removed.",
        "zone" => "Your time zone was saved.",
        "session" => "That browser was logged out.",
        "sessions" => "All other browsers were logged out.",
        "return" => "Your account stays.",
        _ => return None,
    })
}

/// The page.
pub async fn page(member: MemberOnly, Query(Done { done }): Query<Done>) -> Result<Response, Response> {
    Ok(as_page(&drawn(&member, sentence(&done), None).await?).into_response())
}

async fn drawn(
    member: &MemberOnly,
    done: Option<&str>,
    trouble: Option<&str>,
) -> Result<maud::Markup, Response> {
    let MemberOnly { accounts, signed_in, visitor } = member;
    let id = signed_in.account.id;
    let sessions = accounts.with(move |house, now| Ok(house.people().sessions(id, now)?)).await;
    let sessions = sessions.map_err(|error| failed(visitor, &error))?;
    let shown = pages::AccountPage {
        account: &signed_in.account,
        sessions: &sessions,
        here: signed_in.session.number,
        can_send_mail: accounts.house().can_send_mail(),
        is_owner: visitor.owner,
        now: accounts.now(),
        done,
        trouble,
    };
    Ok(pages::page(visitor.prefs, &shown))
}

/// The page again, with what went wrong.
async fn refused(member: &MemberOnly, error: &PeopleError) -> Response {
    let words = error.to_string();
    match drawn(member, None, Some(&words)).await {
        Ok(page) => again(error, &page),
        Err(answer) => answer,
    }
}

fn done(word: &str) -> Response {
    Redirect::to(&format!("/account?done={word}")).into_response()
}

/// Another password.
#[derive(Deserialize)]
pub struct PasswordForm {
    /// The old one.
    password: String,
    new: String,
}

/// Changes the password; all sessions end, and this browser gets a new one.
pub async fn password(
    State(app): State<App>,
    member: MemberOnly,
    headers: HeaderMap,
    Form(PasswordForm { password, new }): Form<PasswordForm>,
) -> Response {
    let account = member.signed_in.account.clone();
    let changed = member.accounts.for_visitor(&member.visitor, &headers, move |house, visit| {
        house.change_password(&account, &password, &new, visit)
    });
    match changed.await {
        Ok(secret) => signed_in(&app, &secret, "/account?done=password"),
        Err(error) => refused(&member, &error).await,
    }
}

/// Another mail address; empty for none.
#[derive(Deserialize)]
pub struct MailForm {
    #[serde(default)]
    mail: String,
    password: String,
}

/// Sends a letter to a new mail address.
pub async fn mail(member: MemberOnly, headers: HeaderMap, Form(form): Form<MailForm>) -> Response {
    let account = member.signed_in.account.clone();
    let is_none = form.mail.trim().is_empty();
    let asked = member.accounts.for_visitor(&member.visitor, &headers, move |house, visit| {
        house.ask_for_mail(&account, &form.password, &form.mail, visit)
    });
    match asked.await {
        Ok(()) => done(if is_none { "no-mail" } else { "mail" }),
        Err(error) => refused(&member, &error).await,
    }
}

/// Another time zone.
#[derive(Deserialize)]
pub struct ZoneForm {
    #[serde(default)]
    zone: String,
}

/// Sets the time zone.
pub async fn zone(member: MemberOnly, Form(ZoneForm { zone }): Form<ZoneForm>) -> Response {
    let id = member.signed_in.account.id;
    match member.accounts.with(move |house, _| house.set_zone(id, &zone)).await {
        Ok(()) => done("zone"),
        Err(error) => refused(&member, &error).await,
    }
}

/// Which session to end: its number, or `others`.
#[derive(Deserialize)]
pub struct SessionForm {
    session: String,
}

/// Ends a session, or all but this one.
pub async fn end_sessions(
    State(app): State<App>,
    member: MemberOnly,
    Form(SessionForm { session }): Form<SessionForm>,
) -> Response {
    let (id, here) = (member.signed_in.account.id, member.signed_in.session.clone());
    let (all_others, number) = (session == "others", session.parse().unwrap_or(0));
    let ended = member.accounts.with(move |house, _| {
        if all_others {
            house.people().end_sessions(id, Some(here.key))?;
            return Ok(());
        }
        match house.people().end_session(id, number)? {
            true => Ok(()),
            false => Err(PeopleError::Missing),
        }
    });
    match ended.await {
        Ok(()) if all_others => done("sessions"),
        Ok(()) if number == member.signed_in.session.number => signed_out(&app, "/login"),
        Ok(()) => done("session"),
        Err(error) => refused(&member, &error).await,
    }
}

/// The password, for what can't be taken back.
#[derive(Deserialize)]
pub struct DeleteForm {
    password: String,
}

/// Asks to delete the account.
pub async fn delete(
    State(app): State<App>,
    member: MemberOnly,
    headers: HeaderMap,
    Form(DeleteForm { password }): Form<DeleteForm>,
) -> Response {
    let account = member.signed_in.account.clone();
    let leaving = member
        .accounts
        .for_visitor(&member.visitor, &headers, move |house, visit| house.leave(&account, &password, visit));
    match leaving.await {
        Ok(()) => signed_out(&app, "/login"),
        Err(error) => refused(&member, &error).await,
    }
}

/// Keeps an account that was about to be deleted.
pub async fn come_back(State(app): State<App>, member: MemberOnly, headers: HeaderMap) -> Response {
    let id = member.signed_in.account.id;
    let back = member
        .accounts
        .for_visitor(&member.visitor, &headers, move |house, visit| house.come_back(id, visit));
    match back.await {
        Ok(secret) => signed_in(&app, &secret, "/account?done=return"),
        Err(error) => refused(&member, &error).await,
    }
}

/// Everything that is kept about somebody, as JSON lines: of finished matches the record, of running ones what they have seen.
pub async fn export(State(app): State<App>, member: MemberOnly) -> Result<Response, Response> {
    let failed = |error: LobbyError| error.into_response();
    let _one_at_a_time = member.accounts.exports.acquire().await.map_err(|_| failed(LobbyError::Closing))?;
    let id = member.signed_in.account.id;
    let sessions = member.accounts.with(move |house, now| Ok(house.people().sessions(id, now)?)).await;
    let sessions = sessions.map_err(|error| self::failed(&member.visitor, &error))?;
    let account = &member.signed_in.account;
    let mut text = String::new();
    let mut line = |value: Value| {
        let _ = writeln!(text, "{value}");
    };
    line(json!({
        "kind": "account", "id": id.to_string(), "name": account.name, "zone": account.zone,
        "mail": account.mail.as_ref().map(|mail| &mail.address), "role": account.role.word(),
        "created_at": account.created_at, "leaving_at": account.leaving_at,
    }));
    for session in sessions {
        line(json!({
            "kind": "session", "browser": session.about, "made_at": session.made_at,
            "seen_at": session.seen_at, "expires_at": session.expires_at,
        }));
    }
    for shelf in [Shelf::Running, Shelf::Finished] {
        let seats = app.lobby.with_accounts(move |people| people.kept_seats(id, shelf, usize::MAX)).await;
        for seat in seats.map_err(failed)? {
            line(match_line(&app.lobby, &seat).await);
        }
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson; charset=utf-8")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment; filename=\"maproom-account.jsonl\""),
        ),
    ];
    Ok((headers, text).into_response())
}

/// A match of somebody, for their export.
async fn match_line(lobby: &Arc<Lobby>, seat: &KeptSeat) -> Value {
    let mut line = json!({
        "kind": "match", "id": seat.match_id, "game": seat.game, "name": seat.name, "seat": seat.word,
        "result": seat.summary.result, "changed_at": seat.changed_at,
    });
    match lobby.find(&seat.match_id).await {
        Ok(found) if seat.summary.result.is_some() => match found.lock().await.record(false) {
            Ok(record) => line["record"] = json!(record),
            Err(why) => line["problem"] = json!(why.to_string()),
        },
        Ok(found) => line["seen"] = json!(Lobby::seen_lines(&found, Seat(seat.seat)).await),
        // Why it can't be opened quotes lines of the record.
        Err(_) => line["problem"] = json!("This match can't be opened any more."),
    }
    line
}
