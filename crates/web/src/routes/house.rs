//! The page of those who look after the house: reports, accounts, outages, and the log of what they did.

use axum::extract::{Form, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use serde::Deserialize;
use store::{Account, AccountId, AccountState, NewAct, People, Role};

use super::sign_in::accounts;
use super::{App, Owner, Visitor, page as as_page};
use crate::accounts::Accounts;
use crate::lobby::{LobbyError, names};
use crate::pages::house as pages;

/// How many reports that wait, and how many that were answered, the page shows.
const REPORTS: usize = 50;
const ANSWERED: usize = 20;
/// How many accounts and entries of the log a page has.
const PER_PAGE: usize = 50;
/// How many outages it shows.
const OUTAGES: usize = 10;
const DAY_MS: u64 = 86_400_000;
/// The longest text that is written with something.
const LONGEST: usize = 500;

/// Where in the lists somebody is.
#[derive(Default, Deserialize)]
pub struct Shown {
    /// The account after which the list begins.
    #[serde(default)]
    after: String,
    /// The entry of the log before which it begins.
    before: Option<u64>,
    /// A name to look for.
    #[serde(default)]
    name: String,
}

/// Lets only those pass who look after a house with accounts.
#[expect(clippy::result_large_err, reason = "the error is the answer")]
fn check(app: &App, visitor: &Visitor) -> Result<(), Response> {
    accounts(app, visitor).map(|_| ())
}

/// The page.
pub async fn page(
    State(app): State<App>,
    Owner(visitor): Owner,
    Query(shown): Query<Shown>,
) -> Result<Html<String>, Response> {
    check(&app, &visitor)?;
    let failed = |error: LobbyError| error.into_response();
    let now = app.lobby.now();
    let read = move |people: &dyn People| {
        let (open, answered) = (people.reports(false, REPORTS)?, people.reports(true, ANSWERED)?);
        let acts = people.acts(shown.before, PER_PAGE)?;
        let accounts = match shown.name.trim() {
            "" => people.accounts(shown.after.parse().ok(), PER_PAGE)?,
            name => people.account_named(&::people::name_key(name))?.into_iter().collect(),
        };
        let mut listed = Vec::new();
        for account in accounts {
            let silenced = people.silenced_until(account.id)?.filter(|until| now < *until);
            listed.push(pages::Listed { account, silenced });
        }
        let of_reports = open.iter().chain(&answered).flat_map(|one| [Some(one.report.by), one.report.about]);
        let of_acts = acts.iter().flat_map(|act| [act.act.by, act.act.about]);
        let names = names(people, of_reports.chain(of_acts).flatten().collect::<Vec<_>>())?;
        Ok((open, answered, acts, listed, names))
    };
    let (open, answered, acts, listed, names) = app.lobby.with_accounts(read).await.map_err(failed)?;
    let outages = app.lobby.with_store(move |store| store.outages(0)).await.map_err(failed)?;
    let post = match app.accounts.as_deref().and_then(Accounts::notices) {
        Some(notices) => {
            let counts = notices.with(|post| post.post_counts()).await;
            Some(counts.map_err(|why| failed(LobbyError::Store(why)))?)
        }
        None => None,
    };
    let shown = pages::HousePage {
        post,
        open: &open,
        answered: &answered,
        accounts: &listed,
        has_more_accounts: listed.len() == PER_PAGE,
        acts: &acts,
        has_more_acts: acts.len() == PER_PAGE,
        names: &names,
        outages: &outages[outages.len().saturating_sub(OUTAGES)..],
        is_member: visitor.signed_in.is_some(),
        now,
    };
    Ok(as_page(&pages::page(visitor.prefs, &shown)))
}

/// What is done to an account.
#[derive(Deserialize)]
pub struct AccountForm {
    account: String,
    /// `mute`, `unmute`, `close` or `reopen`.
    deed: String,
    /// For how many days.
    #[serde(default)]
    days: String,
    #[serde(default)]
    note: String,
}

fn back() -> Response {
    Redirect::to("/house").into_response()
}

fn bad(why: &str) -> Response {
    LobbyError::Bad(why.to_owned()).into_response()
}

fn by(visitor: &Visitor) -> Option<AccountId> {
    visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id)
}

fn short(text: &str) -> String {
    text.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

/// Mutes or closes an account, or ends that, and writes it into the log.
pub async fn account(
    State(app): State<App>,
    Owner(visitor): Owner,
    Form(form): Form<AccountForm>,
) -> Result<Response, Response> {
    let house = accounts(&app, &visitor)?;
    let failed = |error: LobbyError| error.into_response();
    let id: AccountId = form.account.parse().map_err(|_| bad("That is not the number of an account."))?;
    let found: Option<Account> =
        app.lobby.with_accounts(move |people| people.account(id)).await.map_err(failed)?;
    let found = found.filter(|account| account.state != AccountState::Deleted);
    let Some(found) = found else { return Err(bad("There is no such account.")) };
    // Whoever has stolen an admin's session can't shut the others out: that is for whoever runs the server.
    if found.role == Role::Admin {
        return Err(bad("That is an admin: only `maproom admin` on the server can do this."));
    }
    let now = app.lobby.now();
    let (deed, until) = match form.deed.as_str() {
        "mute" => {
            let days = form.days.trim().parse().ok().filter(|days| (1..=365).contains(days));
            let days: u64 = days.ok_or_else(|| bad("Mute for 1 to 365 days."))?;
            let ending = if days == 1 { "" } else { "s" };
            (format!("muted for {days} day{ending}"), Some(now + days * DAY_MS))
        }
        "unmute" => ("ended the mute".to_owned(), None),
        "close" => ("closed the account".to_owned(), None),
        "reopen" => ("opened the account again".to_owned(), None),
        _ => return Err(bad("An account is muted, unmuted, closed or reopened.")),
    };
    match form.deed.as_str() {
        "mute" | "unmute" => {
            app.lobby.with_accounts(move |people| people.silence(id, until)).await.map_err(failed)?;
        }
        deed => {
            let closed = deed == "close";
            house
                .with(move |house, _| house.set_closed(id, closed))
                .await
                .map_err(|why| bad(&why.to_string()))?;
        }
    }
    let act = NewAct { at: now, by: by(&visitor), about: Some(id), deed, note: short(&form.note) };
    app.lobby.with_accounts(move |people| people.note_act(&act)).await.map_err(failed)?;
    Ok(back())
}

/// The answer to a report.
#[derive(Deserialize)]
pub struct AnswerForm {
    report: u64,
    #[serde(default)]
    answer: String,
}

/// Answers a report; whoever made it reads the answer, and the log has it.
pub async fn answer(
    State(app): State<App>,
    Owner(visitor): Owner,
    Form(AnswerForm { report, answer }): Form<AnswerForm>,
) -> Result<Response, Response> {
    check(&app, &visitor)?;
    let (now, by, answer) = (app.lobby.now(), by(&visitor), short(&answer));
    let act = move |people: &dyn People| {
        let about = people.report_numbered(report)?.and_then(|known| known.report.about);
        if !people.answer_report(report, now, &answer)? {
            return Ok(false);
        }
        let deed = format!("answered report {report}");
        people.note_act(&NewAct { at: now, by, about, deed, note: answer }).map(|()| true)
    };
    match app.lobby.with_accounts(act).await.map_err(IntoResponse::into_response)? {
        true => Ok(back()),
        false => Err(bad("This report was answered already.")),
    }
}
