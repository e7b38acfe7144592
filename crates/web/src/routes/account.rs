//! One's own account: sessions, password, address, data, leaving.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Form, FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
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

/// The most reports in an export: nobody has more open ones.
const MOST_REPORTS: usize = 1_000;
/// In how many matches somebody is told by name that they can't rest.
const TOLD: usize = 5;

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
        "rest" => "Your clocks will stand still on these days.",
        "back" => "Welcome back: your clocks run again.",
        "no-rest" => "These days of rest are taken back.",
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
    let rests = accounts.with(move |house, _| Ok(house.people().rests(id)?)).await;
    let rests = rests.map_err(|error| failed(visitor, &error))?;
    let channels = super::notices::channels_of(member).await.map_err(IntoResponse::into_response)?;
    let shown = pages::AccountPage {
        channels: channels.as_deref(),
        account: &signed_in.account,
        sessions: &sessions,
        here: signed_in.session.number,
        can_send_mail: accounts.house().can_send_mail(),
        is_owner: visitor.owner,
        rests: &rests,
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
        Ok(()) if is_none => {
            super::notices::follow_address(&member.accounts, member.signed_in.account.id, None).await;
            done("no-mail")
        }
        Ok(()) => done("mail"),
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

/// The days on which somebody is away.
#[derive(Deserialize)]
pub struct RestForm {
    first: String,
    last: String,
}

/// Announces days of rest.
pub async fn rest(
    State(app): State<App>,
    member: MemberOnly,
    Form(RestForm { first, last }): Form<RestForm>,
) -> Result<Response, Response> {
    // Whoever closes the page has announced it all the same, in every match.
    let (lobby, account) = (Arc::clone(&app.lobby), member.signed_in.account.clone());
    let announcing = tokio::spawn(async move { lobby.announce_rest(&account, &first, &last).await });
    let rested = match announcing.await.unwrap_or(Err(LobbyError::Fault("The rest was interrupted"))) {
        Ok(rested) => rested,
        Err(LobbyError::Bad(why)) => {
            let page = drawn(&member, None, Some(&why)).await?;
            return Err((StatusCode::UNPROCESSABLE_ENTITY, as_page(&page)).into_response());
        }
        Err(error) => return Err(error.into_response()),
    };
    if rested.refused.is_empty() {
        return Ok(done("rest"));
    }
    let names = rested.refused.iter().take(TOLD).map(|(name, why)| format!("{name} ({why})"));
    let names = names.collect::<Vec<_>>().join("; ");
    let more = rested.refused.len().saturating_sub(TOLD);
    let more = if more > 0 { format!("; and in {more} more") } else { String::new() };
    let words = format!("Your clocks stand still on these days, but not in {names}{more}.");
    Ok(as_page(&drawn(&member, Some(&words), None).await?).into_response())
}

/// Which rest to end: by its beginning.
#[derive(Deserialize)]
pub struct EndRestForm {
    from: u64,
}

/// Ends a rest, or takes one back that has not begun.
pub async fn end_rest(
    State(app): State<App>,
    member: MemberOnly,
    Form(EndRestForm { from }): Form<EndRestForm>,
) -> Result<Response, Response> {
    let has_begun = from <= app.lobby.now();
    match app.lobby.end_rest(&member.signed_in.account, from).await {
        Ok(()) => Ok(done(if has_begun { "back" } else { "no-rest" })),
        Err(LobbyError::Bad(why)) => {
            let page = drawn(&member, None, Some(&why)).await?;
            Err((StatusCode::UNPROCESSABLE_ENTITY, as_page(&page)).into_response())
        }
        Err(error) => Err(error.into_response()),
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
    let rests = member.accounts.with(move |house, _| Ok(house.people().rests(id)?)).await;
    for rest in rests.map_err(|error| self::failed(&member.visitor, &error))? {
        line(json!({ "kind": "rest", "first": rest.first, "last": rest.last }));
    }
    let known = app.lobby.with_accounts(move |people| {
        let contacts = people.contacts(id)?;
        let names = crate::lobby::names(people, contacts.iter().map(|(account, _)| *account))?;
        Ok((contacts, names, people.reports_by(id, MOST_REPORTS)?))
    });
    let (contacts, names, reports) = known.await.map_err(failed)?;
    for (account, kind) in contacts {
        line(json!({ "kind": kind.word(), "name": names.get(&account) }));
    }
    for one in reports {
        line(json!({
            "kind": "report", "match": one.report.match_id, "at": one.report.at, "text": one.report.text, "why": one.report.why,
            "answer": one.answer.map(|(_, answer)| answer),
        }));
    }
    if app.lobby.contests().is_some() {
        let ratings =
            app.lobby.with_contest(move |contests| contests.ratings_of(id)).await.map_err(failed)?;
        for kept in ratings {
            line(json!({
                "kind": "rating", "game": kept.game, "players": kept.players, "mu": kept.skill.mu, "sigma": kept.skill.sigma,
            }));
        }
    }
    for channel in super::notices::exported(&member).await.map_err(failed)? {
        line(channel);
    }
    let written =
        app.lobby.with_accounts(move |people| Ok((people.said_by(id)?, people.noted_by(id)?))).await;
    let (said, noted) = written.map_err(failed)?;
    for one in said {
        line(json!({ "kind": "said", "match": one.line.match_id, "at": one.line.at, "text": one.line.text }));
    }
    for (id, seat, text) in noted {
        line(json!({ "kind": "note", "match": id, "seat": seat, "text": text }));
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
