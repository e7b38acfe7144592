//! The HTTP routes.

mod account;
mod agreements;
mod bots;
mod coach;
mod ending;
mod house;
mod laboratory;
mod links;
mod lobby;
mod notices;
mod off_days;
mod orders;
mod players;
mod preview;
mod review;
mod sign_in;
mod sitting_down;
mod stream;
mod survey;
mod table;
mod tables;
mod talk;
mod tournaments;
mod turns;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use kernel::{MatchError, Parting, Viewer};
use maud::Markup;
use people::SignedIn;
use serde_json::json;
use store::Role;
use tokio::sync::watch;
use tracing::{error, warn};

use crate::accounts::Accounts;
use crate::assets;
use crate::compression;
use crate::connections::NetworkCount;
use crate::guard::{self, Client, Limits};
use crate::lobby::{LiveMatch, Lobby, LobbyError, MINE};
use crate::pages::layout;
use crate::prefs::{self, Prefs};
use crate::proxies::Proxies;
use crate::secrets;
use crate::server::Serving;

/// The largest body of an ordinary request.
const MAX_BODY: usize = 64 << 10;
/// The largest record that can be imported.
const MAX_IMPORT: usize = kernel::MAX_SAVE_BYTES;
/// What somebody hears who tries keys.
pub(crate) const TOO_MANY_KEYS: &str = "Too many wrong keys: wait a minute.";
/// The cookie with the owner's key.
pub(crate) const OWNER_COOKIE: &str = "maproom_owner";

/// What all routes share.
#[derive(Clone)]
pub struct App {
    /// The server.
    pub lobby: Arc<Lobby>,
    /// Whether only this machine can reach the server.
    pub local_only: bool,
    /// The public address behind a reverse proxy, such as `https://war.example`.
    pub address: Option<Arc<str>>,
    /// The proxies in front of the server.
    pub proxies: Arc<Proxies>,
    /// Limits by address.
    pub limits: Arc<Limits>,
    /// The pages with live updates, by network.
    pub live_pages: Arc<NetworkCount>,
    /// The accounts, if there are any.
    pub accounts: Option<Arc<Accounts>>,
    /// How long a request may take to be answered.
    pub answer_time: Duration,
    /// How often a page with live updates is pinged.
    pub ping_time: Duration,
    /// Becomes true when the server shuts down.
    pub closing: watch::Receiver<bool>,
}

impl App {
    /// An app over a server.
    pub fn new(lobby: Arc<Lobby>, serving: &Serving, closing: watch::Receiver<bool>) -> Self {
        Self {
            lobby,
            local_only: serving.local_only,
            address: serving.address.as_deref().map(|url| url.trim_end_matches('/').into()),
            proxies: Arc::new(serving.proxies()),
            limits: Arc::default(),
            live_pages: NetworkCount::for_live_pages(),
            accounts: serving.accounts.clone(),
            answer_time: serving.limits.answer_time,
            ping_time: serving.limits.ping_time,
            closing,
        }
    }

    /// Whether people use HTTPS: then cookies are sent over HTTPS only.
    pub fn is_secure(&self) -> bool {
        self.address.as_ref().is_some_and(|url| url.starts_with("https:"))
    }

    /// Whether a text is the owner's key.
    pub fn is_key(&self, text: &str) -> bool {
        secrets::same(text, self.lobby.owner_key())
    }
}

/// Whether somebody can choose here: for a proxy in front of the server.
async fn health(State(app): State<App>) -> impl IntoResponse {
    crate::watch::health(&app.lobby).await
}

/// All addresses.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/", get(lobby::page))
        .route("/enter/{key}", get(lobby::enter))
        .route("/health", get(health))
        .route("/settings", post(lobby::settings))
        .route("/matches", post(lobby::create))
        .route("/matches/import", post(lobby::import).layer(DefaultBodyLimit::max(MAX_IMPORT)))
        .route("/matches/{id}/rename", post(lobby::rename))
        .route("/matches/{id}/delete", post(lobby::delete))
        .route("/matches/{id}/restore", post(lobby::restore))
        .route("/matches/{id}/continue", post(lobby::continue_common))
        .route("/matches/{id}/record", get(lobby::record))
        .route("/join", get(sign_in::join_page).post(sign_in::join))
        .route("/join/{secret}", get(sign_in::invited_page).post(sign_in::join_invited))
        .route("/login", get(sign_in::login_page).post(sign_in::login))
        .route("/logout", post(sign_in::logout))
        .route("/reset", get(sign_in::forgotten_page).post(sign_in::forgotten))
        .route("/reset/{secret}", get(sign_in::reset_page).post(sign_in::reset))
        .route("/mail/{secret}", get(sign_in::mail_page).post(sign_in::confirm_mail))
        .route("/account", get(account::page))
        .route("/account/password", post(account::password))
        .route("/account/mail", post(account::mail))
        .route("/account/zone", post(account::zone))
        .route("/account/rest", post(account::rest))
        .route("/account/rest/end", post(account::end_rest))
        .route("/account/sessions", post(account::end_sessions))
        .route("/account/export", get(account::export))
        .route("/account/delete", post(account::delete))
        .route("/account/return", post(account::come_back))
        .route("/account/notices", get(notices::page).post(notices::add))
        .route("/account/notices/{id}/wishes", post(notices::wishes))
        .route("/account/notices/{id}/test", post(notices::test))
        .route("/account/notices/{id}/mend", post(notices::mend))
        .route("/account/notices/{id}/remove", post(notices::remove))
        .route("/unsubscribe/{token}", get(notices::unsubscribe_page).post(notices::unsubscribe))
        .route("/notices-worker.js", get(notices::worker))
        .route("/manifest.webmanifest", get(notices::manifest))
        .route("/people", get(talk::contacts_page).post(talk::contact))
        .route("/tables", get(tables::list).post(tables::gather))
        .route("/tables/{id}", get(tables::table))
        .route("/tables/{id}/sit", post(tables::sit))
        .route("/tables/{id}/leave", post(tables::leave))
        .route("/tables/{id}/seat", post(tables::keep))
        .route("/tables/{id}/start", post(tables::start))
        .route("/tables/{id}/delete", post(tables::give_up))
        .route("/tables/{id}/link/{secret}", get(tables::by_link).post(tables::sit_by_link))
        .route("/house", get(house::page))
        .route("/house/account", post(house::account))
        .route("/house/report", post(house::answer))
        .route("/lab", get(laboratory::list))
        .route("/lab/new/{game}", get(laboratory::form))
        .route("/lab/edit/{game}/{kind}", get(laboratory::editor))
        .route("/lab/check", post(laboratory::check).layer(DefaultBodyLimit::max(laboratory::MOST_FORM)))
        .route("/lab/batches", post(laboratory::start).layer(DefaultBodyLimit::max(laboratory::MOST_FORM)))
        .route("/lab/batches/{id}", get(laboratory::batch))
        .route("/lab/batches/{id}/stop", post(laboratory::stop))
        .route("/lab/batches/{id}/again", post(laboratory::again))
        .route("/lab/batches/{id}/delete", post(laboratory::delete))
        .route("/lab/batches/{id}/files/{name}", get(laboratory::file))
        .route("/m/{id}/{token}/talk", get(talk::lines).post(talk::say))
        .route("/m/{id}/{token}/talk/heard", post(talk::heard))
        .route("/m/{id}/{token}/talk/report", post(talk::report))
        .route("/m/{id}/{token}/note", post(talk::note))
        .route("/turns", get(turns::page))
        .route("/turns/next", get(turns::next))
        .route("/players", get(players::players))
        .route("/players/{id}", get(players::player))
        .route("/ratings/{game}", get(players::game))
        .route("/tournaments", get(tournaments::list).post(tournaments::make))
        .route("/tournaments/{id}", get(tournaments::page))
        .route("/tournaments/{id}/live", get(tournaments::live))
        .route("/tournaments/{id}/enter", post(tournaments::enter))
        .route("/tournaments/{id}/withdraw", post(tournaments::withdraw))
        .route("/tournaments/{id}/add", post(tournaments::add))
        .route("/tournaments/{id}/strike", post(tournaments::strike))
        .route("/tournaments/{id}/begin", post(tournaments::begin))
        .route("/tournaments/{id}/off", post(tournaments::call_off))
        .route("/tournaments/{id}/verdict", post(tournaments::verdict))
        .route("/m/{id}/{token}/keep", post(turns::keep))
        .route("/m/{id}/{token}/release", post(turns::release))
        .route("/matches/{id}/verdict", post(agreements::verdict))
        .route("/statistics", get(lobby::statistics))
        .route("/games/{game}/{kind}/{id}", get(lobby::picture))
        .route("/rules/{game}", get(lobby::rules))
        .route("/rules/{game}/panel", get(lobby::rules_panel))
        .route("/rules/{game}/search", get(lobby::rules_search))
        .route("/m/{id}/{token}", get(table::page))
        .route("/m/{id}/{token}/live", get(stream::live))
        .route("/m/{id}/{token}/update", get(table::update))
        .route("/m/{id}/{token}/choose", post(table::choose))
        .route("/m/{id}/{token}/undo", post(table::undo))
        .route("/m/{id}/{token}/deed", post(agreements::act))
        .route("/m/{id}/{token}/orders", get(orders::desk).post(orders::edit))
        .route("/m/{id}/{token}/orders/draft", get(orders::draft))
        .route("/m/{id}/{token}/sit", post(sitting_down::sit))
        .route("/m/{id}/{token}/number", post(sitting_down::number))
        .route("/m/{id}/{token}/sealed", get(orders::sealable))
        .route("/m/{id}/{token}/fork", post(table::fork))
        .route("/m/{id}/{token}/links", post(links::change))
        .route("/m/{id}/{token}/pace", post(table::pace))
        .route("/m/{id}/{token}/coach", post(coach::ask))
        .route("/m/{id}/{token}/now", post(bots::now))
        .route("/m/{id}/{token}/seat", post(bots::seat))
        .route("/m/{id}/{token}/hint", get(bots::hint))
        .route("/m/{id}/{token}/at/{step}", get(table::at))
        .route("/m/{id}/{token}/film", get(table::film))
        .route("/m/{id}/{token}/log", get(table::log))
        .route("/m/{id}/{token}/at/{step}/thumbnail.svg", get(review::thumbnail))
        .route("/m/{id}/{token}/ending", get(ending::card))
        .route("/m/{id}/{token}/rematch", post(ending::rematch))
        .route("/m/{id}/{token}/review", get(review::page))
        .route("/m/{id}/{token}/review/progress", get(review::progress))
        .route("/m/{id}/{token}/review.txt", get(review::text))
        .route("/m/{id}/{token}/about", get(survey::about))
        .route("/m/{id}/{token}/movements", get(survey::movements))
        .route("/m/{id}/{token}/odds", get(table::odds))
        .route("/m/{id}/{token}/preview", get(preview::preview))
        .route("/m/{id}/{token}/labels", get(preview::labels))
        .route("/m/{id}/{token}/why", get(preview::why))
        .route("/m/{id}/{token}/closed", get(preview::closed))
        .route("/m/{id}/{token}/debug", get(table::debug))
        .route("/m/{id}/{token}/export", get(table::export))
        .route("/m/{id}/{token}/print", get(table::print))
        .route("/m/{id}/{token}/thumbnail.svg", get(table::thumbnail))
        .route("/asset/{fingerprint}/{name}", get(asset))
        .fallback(async |visitor: Visitor| {
            let text = "There is no page at this address.";
            (StatusCode::NOT_FOUND, page(&layout::error_page(visitor.prefs, "Not found", text)))
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(from_fn(compression::compress))
        .with_state(app)
}

async fn asset(State(app): State<App>, Path((fingerprint, name)): Path<(String, String)>) -> Response {
    assets::answer(app.lobby.titles(), &fingerprint, &name)
}

/// The error text that goes with a JSON answer.
#[derive(Clone)]
pub struct ErrorPage {
    /// In words.
    pub text: String,
    /// A stored match that differs from the current rules, and where; the page offers to continue it.
    pub rescue: Option<(String, Parting)>,
}

/// Markup as an answer.
pub(crate) fn page(markup: &Markup) -> Html<String> {
    Html(markup.0.clone())
}

/// Who sends a request: their settings and whether they own the lobby.
pub struct Visitor {
    /// Their settings.
    pub prefs: Prefs,
    /// Whether the visitor owns the lobby.
    pub owner: bool,
    /// Their address.
    pub from: IpAddr,
    /// Who they are, if they are signed in.
    pub signed_in: Option<Arc<SignedIn>>,
}

impl FromRequestParts<App> for Visitor {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let prefs = cookie(&parts.headers, prefs::COOKIE).map(Prefs::read);
        let key = cookie(&parts.headers, OWNER_COOKIE).unwrap_or_default();
        let from = parts.extensions.get::<Client>().map(|client| client.0);
        let signed_in = parts.extensions.get::<Arc<SignedIn>>().cloned();
        let is_admin = signed_in.as_ref().is_some_and(|signed_in| signed_in.account.role == Role::Admin);
        Ok(Self {
            prefs: prefs.unwrap_or_else(|| app.lobby.default_prefs()),
            owner: (app.local_only && !is_forwarded(&parts.headers)) || app.is_key(key) || is_admin,
            from: from.unwrap_or(IpAddr::from([0, 0, 0, 0])),
            signed_in,
        })
    }
}

/// Whether a proxy forwarded the request: then it does not come from this machine, whatever its address says.
pub(crate) fn is_forwarded(headers: &HeaderMap) -> bool {
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"]
        .iter()
        .any(|name| headers.contains_key(*name))
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// Lets only the lobby's owner pass.
pub struct Owner(pub Visitor);

impl FromRequestParts<App> for Owner {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        if visitor.owner {
            return Ok(Self(visitor));
        }
        if app.accounts.is_some() && parts.uri.path() == "/" {
            let home = if visitor.signed_in.is_some() { "/turns" } else { "/login" };
            return Err(Redirect::to(home).into_response());
        }
        let is_guess = cookie(&parts.headers, OWNER_COOKIE).is_some_and(|key| !key.is_empty());
        if is_guess && !app.limits.wrong_links.take(visitor.from, Instant::now()) {
            return Err((StatusCode::TOO_MANY_REQUESTS, TOO_MANY_KEYS).into_response());
        }
        let text = "Only the owner of this Maproom can open the lobby. Its address, with the key, is in the terminal \
                    where Maproom was started. If you were sent a link to a match, use that link.";
        Err((StatusCode::FORBIDDEN, page(&layout::error_page(visitor.prefs, "This lobby is private", text)))
            .into_response())
    }
}

/// A match that the visitor's link opens.
pub struct MatchVisitor {
    /// The match.
    pub found: Arc<LiveMatch>,
    /// As whom.
    pub viewer: Viewer,
    /// Who they are.
    pub visitor: Visitor,
    /// The path of the table.
    pub path: String,
}

impl FromRequestParts<App> for MatchVisitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let Ok(visitor) = Visitor::from_request_parts(parts, app).await;
        let mut segments = parts.uri.path().split('/').skip(2);
        let id = segments.next().unwrap_or_default().to_owned();
        let token = segments.next().unwrap_or_default().to_owned();
        let entered = match (token.as_str(), &visitor.signed_in) {
            (MINE, Some(signed_in)) => app.lobby.enter_as(&id, signed_in.account.id).await,
            (MINE, None) if app.accounts.is_some() => return Err(sign_in::asked_to_log_in(parts)),
            // Valid links always work, whatever others at the same address have tried: behind a proxy all share one address.
            _ => app.lobby.enter(&id, &token).await,
        };
        match entered {
            Ok((found, viewer)) => Ok(Self { found, viewer, visitor, path: format!("/m/{id}/{token}") }),
            Err(error) => {
                let is_wrong = matches!(error, LobbyError::NotFound);
                if is_wrong && !app.limits.wrong_links.take(visitor.from, Instant::now()) {
                    let text = "Too many wrong links: wait a minute.";
                    return Err((StatusCode::TOO_MANY_REQUESTS, text).into_response());
                }
                // The reason quotes lines of the record, which may hold hidden information.
                let error = match error {
                    LobbyError::Unreadable(_) | LobbyError::Parted { .. } if !visitor.owner => {
                        LobbyError::Unreadable(
                            "This match can't be opened; its owner can see why.".to_owned(),
                        )
                    }
                    error => error,
                };
                Err(error.into_response())
            }
        }
    }
}

impl LobbyError {
    /// The one place that maps errors to status codes.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::WatchOnly => StatusCode::FORBIDDEN,
            Self::Stale { .. } => StatusCode::CONFLICT,
            Self::Refused(MatchError::Hidden) => StatusCode::FORBIDDEN,
            Self::Refused(_) | Self::Bad(_) | Self::Parted { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooFast => StatusCode::TOO_MANY_REQUESTS,
            Self::Unreadable(_) | Self::Fault(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Store(_) | Self::NotReady(_) | Self::Closing => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Logs the server's own failures. Why a match can't be read quotes lines of its record, so that is left out.
    fn log(&self) {
        match self {
            Self::Store(error) => warn!("answered with an error of the store: {error}"),
            Self::Fault(what) => error!("answered with a fault: {what}"),
            Self::Unreadable(_) => warn!("a stored match can't be read"),
            _ => {}
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::WatchOnly => "looks-only",
            Self::Stale { .. } => "stale",
            Self::Refused(error) => error.code(),
            Self::TooFast => "too-fast",
            Self::Unreadable(_) => "unreadable",
            Self::Parted { .. } => "parted",
            Self::Bad(_) => "bad",
            Self::NotReady(_) => "not-ready",
            Self::Fault(_) => "fault",
            Self::Closing => "closing",
            Self::Store(_) => "store",
        }
    }
}

impl IntoResponse for LobbyError {
    fn into_response(self) -> Response {
        let rule = match &self {
            Self::Refused(MatchError::Refused { refusal, .. }) => refusal.rule,
            _ => "",
        };
        self.log();
        let text = self.to_string();
        let mut body = json!({ "error": text, "code": self.code(), "rule": rule });
        let mut rescue = None;
        if let Self::Parted { match_id, parting, .. } = &self {
            body["common"] = json!(parting.common);
            body["steps"] = json!(parting.steps);
            rescue = match_id.clone().map(|id| (id, (**parting).clone()));
        }
        let mut answer = (self.status(), axum::Json(body)).into_response();
        // The guard turns it into a page for people who followed a link or sent a form.
        answer.extensions_mut().insert(ErrorPage { text, rescue });
        answer
    }
}

#[cfg(test)]
mod tests;
