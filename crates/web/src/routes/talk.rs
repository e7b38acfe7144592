//! Routes for talking at a table, for notes, and for those whom somebody does not want to hear.

use axum::Json;
use axum::extract::{Form, Query, State};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use kernel::Viewer;
use serde::Deserialize;
use serde_json::{Value, json};
use store::{AccountId, Contact, People};
use tracing::warn;

use super::account::MemberOnly;
use super::{App, MatchVisitor, page as as_page};
use crate::accounts::Accounts;
use crate::lobby::{LobbyError, Speaker, names};
use crate::pages::talk as pages;
use crate::pages::{people, talk};

/// How many of somebody's own reports their page shows.
const REPORTS: usize = 20;

impl MatchVisitor {
    /// As whom they speak.
    pub(super) fn speaker(&self) -> Speaker {
        let account = self.visitor.signed_in.as_ref().map(|signed_in| signed_in.account.id);
        Speaker { viewer: self.viewer, account }
    }

    /// What they have in the panel for talk and notes; nothing where nobody meets.
    pub(super) async fn talk_panel(&self, app: &App) -> Result<Option<talk::Panel>, LobbyError> {
        let speaker = self.speaker();
        let (company, ears, is_over) = {
            let live = self.found.lock().await;
            (live.company, live.ears(&speaker), live.is_over())
        };
        let is_seat = matches!(self.viewer, Viewer::Seat(_));
        if !company.meets || (!company.talks && !is_seat) {
            return Ok(None);
        }
        let (id, viewer, account) = (self.found.id.clone(), self.viewer, speaker.account);
        let read = move |people: &dyn People| match viewer {
            Viewer::Seat(seat) => {
                Ok((Some(people.heard(&id, seat.0)?), Some(people.note(&id, seat.0, account)?)))
            }
            Viewer::Spectator => Ok((None, None)),
        };
        let (heard, note) = app.lobby.with_accounts(read).await?;
        let is_member = account.is_some();
        Ok(Some(talk::Panel { talks: company.talks, ears, heard, note, is_member, is_over }))
    }
}

/// After which line.
#[derive(Deserialize)]
pub struct After {
    #[serde(default)]
    after: u32,
}

/// What was said since, for this visitor.
pub async fn lines(
    State(app): State<App>,
    seated: MatchVisitor,
    Query(After { after }): Query<After>,
) -> Result<Json<Value>, LobbyError> {
    let speaker = seated.speaker();
    let lines = app.lobby.lines_for(&seated.found, &speaker, after).await?;
    let last = lines.last().map_or(after, |line| line.line.n);
    let html = pages::lines(&lines, app.lobby.now(), speaker.account.is_some()).into_string();
    Ok(Json(json!({ "html": html, "last": last })))
}

/// Something to say.
#[derive(Deserialize)]
pub struct Saying {
    text: String,
}

/// Says something.
pub async fn say(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Saying { text }): Json<Saying>,
) -> Result<Json<Value>, LobbyError> {
    let n = app.lobby.say(&seated.found, seated.speaker(), &text).await?;
    if let Some(notices) = app.accounts.as_deref().and_then(Accounts::notices)
        && matches!(seated.viewer, Viewer::Seat(_))
    {
        let told = app.lobby.to_be_told_of_talk(&seated.found, &seated.speaker()).await?;
        if let Err(why) = notices.queue(told).await {
            warn!("that somebody talks could not be told: {why}");
        }
    }
    Ok(Json(json!({ "ok": true, "n": n })))
}

/// How far somebody has read.
#[derive(Deserialize)]
pub struct Heard {
    n: u32,
}

/// Notes how far the player of a seat has read.
pub async fn heard(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Heard { n }): Json<Heard>,
) -> Result<Json<Value>, LobbyError> {
    let seat = super::table::seat(seated.viewer)?;
    seated.found.lock().await.spend()?;
    let id = seated.found.id.clone();
    app.lobby.with_accounts(move |people| people.set_heard(&id, seat.0, n)).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Writes notes for oneself.
pub async fn note(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Saying { text }): Json<Saying>,
) -> Result<Json<Value>, LobbyError> {
    app.lobby.set_note(&seated.found, &seated.speaker(), &text).await?;
    Ok(Json(json!({ "ok": true })))
}

/// A line that somebody reports.
#[derive(Deserialize)]
pub struct Complaint {
    n: u32,
    #[serde(default)]
    why: String,
}

/// Reports a line.
pub async fn report(
    State(app): State<App>,
    seated: MatchVisitor,
    Json(Complaint { n, why }): Json<Complaint>,
) -> Result<Json<Value>, LobbyError> {
    app.lobby.report_line(&seated.found, &seated.speaker(), n, &why).await?;
    Ok(Json(json!({ "ok": true })))
}

/// Whom somebody has muted and blocked, and what became of their reports.
pub async fn contacts_page(State(app): State<App>, member: MemberOnly) -> Result<Html<String>, LobbyError> {
    let id = member.signed_in.account.id;
    let read = move |people: &dyn People| {
        let (contacts, reports) = (people.contacts(id)?, people.reports_by(id, REPORTS)?);
        let names = names(people, contacts.iter().map(|(account, _)| *account))?;
        Ok((contacts, names, reports, people.silenced_until(id)?))
    };
    let (contacts, names, reports, silenced) = app.lobby.with_accounts(read).await?;
    let shown = people::PeoplePage {
        contacts: &contacts,
        names: &names,
        reports: &reports,
        silenced,
        is_owner: member.visitor.owner,
        now: app.lobby.now(),
    };
    Ok(as_page(&people::page(member.visitor.prefs, &shown)))
}

/// Whom, and what of them: by the number of an account or by its name.
#[derive(Deserialize)]
pub struct ContactForm {
    #[serde(default)]
    account: String,
    #[serde(default)]
    name: String,
    kind: String,
    /// `yes` or `no`.
    on: String,
}

/// Mutes or blocks somebody, or ends it.
pub async fn contact(
    State(app): State<App>,
    member: MemberOnly,
    Form(form): Form<ContactForm>,
) -> Result<Response, LobbyError> {
    let own = member.signed_in.account.id;
    let refuse = |why: &str| LobbyError::Bad(why.to_owned());
    let kind = Contact::read(&form.kind).ok_or_else(|| refuse("That can't be done: use mute or block."))?;
    let (is_on, by_name) = (form.on == "yes", form.account.is_empty());
    let change = move |people: &dyn People| {
        let found = match form.account.parse::<AccountId>() {
            Ok(account) => people.account(account)?,
            Err(_) => people.account_named(&::people::name_key(&form.name))?,
        };
        let Some(other) = found.filter(|other| other.id != own) else { return Ok(None) };
        people.set_contact(own, other.id, kind, is_on).map(Some)
    };
    match app.lobby.with_accounts(change).await? {
        Some(true) if by_name => Ok(Redirect::to("/people").into_response()),
        Some(true) => Ok(Json(json!({ "ok": true })).into_response()),
        Some(false) => Err(refuse("Your list is full: take somebody off it first.")),
        None => Err(refuse("Nobody else here has that name.")),
    }
}
