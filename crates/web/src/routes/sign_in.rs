//! Joining, logging in and out, and one-time links. Nothing here changes anything by GET.

use std::sync::Arc;

use axum::extract::{Form, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use people::{Entry, Joining, PeopleError, Secret};
use serde::Deserialize;
use serde_json::json;
use store::Purpose;

use super::{App, ErrorPage, Visitor, page as as_page};
use crate::accounts::{Accounts, session_cookie, session_secret};
use crate::pages::{layout, sign_in};

/// Where somebody goes who has just signed in.
const HOME: &str = "/turns";

/// The accounts of the server; without accounts these pages don't exist.
#[expect(clippy::result_large_err, reason = "the error is the answer, which extractors give back as it is")]
pub(super) fn accounts(app: &App, visitor: &Visitor) -> Result<Arc<Accounts>, Response> {
    app.accounts.clone().ok_or_else(|| {
        let text = "There is no page at this address.";
        (StatusCode::NOT_FOUND, as_page(&layout::error_page(visitor.prefs, "Not found", text)))
            .into_response()
    })
}

/// The status code of what went wrong, in the one place that knows.
pub(super) fn status(error: &PeopleError) -> StatusCode {
    match error {
        PeopleError::Wrong => StatusCode::UNAUTHORIZED,
        PeopleError::Wait(_) | PeopleError::Busy | PeopleError::TooMany => StatusCode::TOO_MANY_REQUESTS,
        PeopleError::Refused(_) | PeopleError::NameTaken | PeopleError::MailTaken => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        PeopleError::DeadLink => StatusCode::GONE,
        PeopleError::Closed | PeopleError::NoMail => StatusCode::FORBIDDEN,
        PeopleError::Missing => StatusCode::NOT_FOUND,
        PeopleError::Store(_) | PeopleError::NoRandomness => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// A page again, with what went wrong.
pub(super) fn again(error: &PeopleError, page: &Markup) -> Response {
    let mut answer = (status(error), as_page(page)).into_response();
    if let PeopleError::Wait(left) = error {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(left.div_ceil(1_000)));
    }
    answer
}

/// Gives the browser the secret of its session and sends it on.
pub(super) fn signed_in(app: &App, secret: &Secret, to: &str) -> Response {
    let cookie = session_cookie(secret.reveal(), app.is_secure());
    ([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response()
}

/// Takes the secret away from the browser and sends it on.
pub(super) fn signed_out(app: &App, to: &str) -> Response {
    ([(header::SET_COOKIE, session_cookie("", app.is_secure()))], Redirect::to(to)).into_response()
}

/// What somebody hears who needs an account and is not signed in: a page leads to the log-in and back.
pub(super) fn asked_to_log_in(parts: &Parts) -> Response {
    let accepts = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let is_page =
        parts.method == axum::http::Method::GET && accepts.is_some_and(|of| of.contains("text/html"));
    if is_page {
        return Redirect::to(&format!("/login?next={}", parts.uri.path())).into_response();
    }
    let text = "You are logged out: log in again.".to_owned();
    let body = json!({ "error": text, "code": "logged-out" });
    let mut answer = (StatusCode::UNAUTHORIZED, axum::Json(body)).into_response();
    answer.extensions_mut().insert(ErrorPage { text, rescue: None });
    answer
}

/// A path of this server, and nothing that a browser could take for another one.
fn own_path(next: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.');
    if next.starts_with('/') && !next.starts_with("//") && next.bytes().all(is_plain) { next } else { HOME }
}

/// The form to join.
#[derive(Deserialize)]
pub struct JoinForm {
    name: String,
    password: String,
    #[serde(default)]
    zone: String,
    #[serde(default)]
    mail: String,
}

/// The page to join an open house.
pub async fn join_page(State(app): State<App>, visitor: Visitor) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    if accounts.house().entry() == Entry::Invited {
        let text = "This Maproom takes members by invitation. Ask whoever runs it for a link.";
        let shown = sign_in::notice(visitor.prefs, "By invitation", text, ("/login", "Log in"));
        return Ok((StatusCode::FORBIDDEN, as_page(&shown)).into_response());
    }
    let filled = sign_in::Joined { can_send_mail: accounts.house().can_send_mail(), ..Default::default() };
    Ok(as_page(&sign_in::join(visitor.prefs, "/join", filled, None)).into_response())
}

/// The page to join by an invitation.
pub async fn invited_page(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let action = format!("/join/{secret}");
    check_link(&accounts, &visitor, secret, Purpose::Invitation).await?;
    let filled = sign_in::Joined { can_send_mail: accounts.house().can_send_mail(), ..Default::default() };
    Ok(as_page(&sign_in::join(visitor.prefs, &action, filled, None)).into_response())
}

/// Makes an account in an open house.
pub async fn join(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(form): Form<JoinForm>,
) -> Result<Response, Response> {
    make_account(&app, visitor, &headers, form, None).await
}

/// Makes an account with an invitation.
pub async fn join_invited(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
    headers: HeaderMap,
    Form(form): Form<JoinForm>,
) -> Result<Response, Response> {
    make_account(&app, visitor, &headers, form, Some(secret)).await
}

async fn make_account(
    app: &App,
    visitor: Visitor,
    headers: &HeaderMap,
    form: JoinForm,
    invitation: Option<String>,
) -> Result<Response, Response> {
    let accounts = accounts(app, &visitor)?;
    let action = invitation.as_ref().map_or_else(|| "/join".to_owned(), |secret| format!("/join/{secret}"));
    let (name, mail) = (form.name.clone(), form.mail.clone());
    let made = accounts
        .for_visitor(&visitor, headers, move |house, visit| {
            let JoinForm { name, password, zone, mail } = &form;
            let invitation = invitation.as_deref();
            house.join(&Joining { name, password, zone, mail, invitation }, visit)
        })
        .await;
    match made {
        Ok(secret) => Ok(signed_in(app, &secret, HOME)),
        Err(error) => {
            let can_send_mail = accounts.house().can_send_mail();
            let filled = sign_in::Joined { name: &name, mail: &mail, can_send_mail };
            let words = error.to_string();
            Err(again(&error, &sign_in::join(visitor.prefs, &action, filled, Some(&words))))
        }
    }
}

/// Refuses a one-time link that opens nothing any more. Guesses count like wrong links to matches.
async fn check_link(
    accounts: &Accounts,
    visitor: &Visitor,
    secret: String,
    purpose: Purpose,
) -> Result<(), Response> {
    let open = accounts.with(move |house, now| house.is_open_link(&secret, purpose, now)).await;
    let error = match open {
        Ok(true) => return Ok(()),
        Ok(false) => PeopleError::DeadLink,
        Err(error) => error,
    };
    let words = error.to_string();
    let shown = sign_in::notice(visitor.prefs, "This link doesn't work", &words, ("/login", "Log in"));
    Err(again(&error, &shown))
}

/// Where to go after the log-in.
#[derive(Default, Deserialize)]
pub struct Next {
    #[serde(default)]
    next: String,
}

fn log_in_form<'a>(accounts: &Accounts, name: &'a str, next: &'a str) -> sign_in::LogIn<'a> {
    let house = accounts.house();
    let is_open = house.entry() == Entry::Open;
    sign_in::LogIn { name, next: own_path(next), is_open, can_send_mail: house.can_send_mail() }
}

/// The page to log in.
pub async fn login_page(
    State(app): State<App>,
    visitor: Visitor,
    Query(Next { next }): Query<Next>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    if visitor.signed_in.is_some() {
        return Ok(Redirect::to(own_path(&next)).into_response());
    }
    let form = log_in_form(&accounts, "", &next);
    Ok(as_page(&sign_in::log_in(visitor.prefs, form, None)).into_response())
}

/// The form to log in.
#[derive(Deserialize)]
pub struct LoginForm {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// Logs somebody in.
pub async fn login(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Form(form): Form<LoginForm>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let before = session_secret(&headers, app.is_secure()).map(ToOwned::to_owned);
    let (name, next) = (form.name.clone(), form.next.clone());
    let done = accounts
        .for_visitor(&visitor, &headers, move |house, visit| {
            house.log_in(&form.name, &form.password, before.as_deref(), visit)
        })
        .await;
    match done {
        Ok(secret) => Ok(signed_in(&app, &secret, own_path(&next))),
        Err(error) => {
            let (form, words) = (log_in_form(&accounts, &name, &next), error.to_string());
            Err(again(&error, &sign_in::log_in(visitor.prefs, form, Some(&words))))
        }
    }
}

/// Logs somebody out.
pub async fn logout(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    if let Some(secret) = session_secret(&headers, app.is_secure()).map(ToOwned::to_owned) {
        let done = accounts.with(move |house, _| house.log_out(&secret)).await;
        done.map_err(|error| failed(&visitor, &error))?;
    }
    Ok(signed_out(&app, "/login"))
}

/// A page for what went wrong where there is no form to show again.
pub(super) fn failed(visitor: &Visitor, error: &PeopleError) -> Response {
    let words = error.to_string();
    again(error, &sign_in::notice(visitor.prefs, "That did not work", &words, ("/account", "Back")))
}

/// The page for a forgotten password.
pub async fn forgotten_page(State(app): State<App>, visitor: Visitor) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    if !accounts.house().can_send_mail() {
        return Err(failed(&visitor, &PeopleError::NoMail));
    }
    Ok(as_page(&sign_in::forgotten(visitor.prefs, None)).into_response())
}

/// Whose password was forgotten.
#[derive(Deserialize)]
pub struct ForgottenForm {
    name: String,
}

/// Sends a link for a new password. Whether there is such an account is not told.
pub async fn forgotten(
    State(app): State<App>,
    visitor: Visitor,
    Form(ForgottenForm { name }): Form<ForgottenForm>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let asked = accounts.with(move |house, now| house.ask_for_reset(&name, now)).await;
    asked.map_err(|error| failed(&visitor, &error))?;
    let text = "If there is such an account with a confirmed mail address, a letter is on its way to it.";
    let shown = sign_in::notice(visitor.prefs, "Look into your mail", text, ("/login", "Log in"));
    Ok(as_page(&shown).into_response())
}

/// The page to choose a new password with a one-time link.
pub async fn reset_page(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let action = format!("/reset/{secret}");
    check_link(&accounts, &visitor, secret, Purpose::Reset).await?;
    Ok(as_page(&sign_in::reset(visitor.prefs, &action, None)).into_response())
}

/// The new password.
#[derive(Deserialize)]
pub struct ResetForm {
    password: String,
}

/// Sets a new password with a one-time link.
pub async fn reset(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
    headers: HeaderMap,
    Form(ResetForm { password }): Form<ResetForm>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let action = format!("/reset/{secret}");
    let done =
        accounts.for_visitor(&visitor, &headers, move |house, visit| house.reset(&secret, &password, visit));
    match done.await {
        Ok(secret) => Ok(signed_in(&app, &secret, HOME)),
        Err(error) => {
            let words = error.to_string();
            Err(again(&error, &sign_in::reset(visitor.prefs, &action, Some(&words))))
        }
    }
}

/// The page to confirm a mail address.
pub async fn mail_page(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let action = format!("/mail/{secret}");
    check_link(&accounts, &visitor, secret, Purpose::Mail).await?;
    Ok(as_page(&sign_in::confirm_mail(visitor.prefs, &action)).into_response())
}

/// Confirms a mail address.
pub async fn confirm_mail(
    State(app): State<App>,
    visitor: Visitor,
    Path(secret): Path<String>,
) -> Result<Response, Response> {
    let accounts = accounts(&app, &visitor)?;
    let done = accounts.with(move |house, now| house.confirm_mail(&secret, now)).await;
    let (account, address) = done.map_err(|error| failed(&visitor, &error))?;
    super::notices::follow_address(&accounts, account, Some(address)).await;
    let text = "Letters go to this address from now on.";
    Ok(as_page(&sign_in::notice(visitor.prefs, "Address confirmed", text, ("/account", "My account")))
        .into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        for fine in ["/turns", "/m/abc/mine", "/"] {
            assert_eq!(own_path(fine), fine);
        }
        for odd in ["", "//evil.example", "https://evil.example", "/\\evil.example", "/a?b", "/a\nb", "/a%2f"]
        {
            assert_eq!(own_path(odd), HOME, "{odd}");
        }
    }
}
