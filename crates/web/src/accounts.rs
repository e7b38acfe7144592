//! Accounts in the web server: who is signed in, the cookie that says so, and the clean-up behind those who leave.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use people::{Cost, Entry, House, Mailer, Passwords, PeopleError, SESSION_MS, SignedIn, Visit, browser_name};
use store::{Fingerprint, People};
use tokio::sync::Semaphore;
use tracing::warn;

use crate::clock::Clock;
use crate::lobby::{Lobby, step_back};
use crate::notices::Notices;
use crate::routes::{Visitor, cookie};

/// The cookie of a session. The prefix makes browsers insist that it came over HTTPS, for this host and for all paths: no other
/// site under the same domain can plant one.
const SECURE_COOKIE: &str = "__Host-maproom_session";
/// The same where there is no HTTPS, which is on this machine only: browsers would refuse the prefix there.
const PLAIN_COOKIE: &str = "maproom_session";

/// The accounts of a server.
pub struct Accounts {
    house: Arc<House>,
    clock: Clock,
    /// How people are told what happens in their matches.
    notices: Option<Notices>,
    /// One export at a time: it reads all matches of somebody.
    pub(crate) exports: Semaphore,
}

impl Accounts {
    /// The accounts of a house, by a clock.
    pub fn new(house: House, clock: Clock) -> Self {
        Self { house: Arc::new(house), clock, notices: None, exports: Semaphore::new(1) }
    }

    /// Opens the accounts of a store for a real server: passwords are hashed on as many threads as there are cores, behind those
    /// who play. Letters go by `mailer`, and links in them begin with `address`.
    pub fn open(
        people: Arc<dyn People>,
        mailer: Arc<dyn Mailer>,
        entry: Entry,
        address: &str,
    ) -> Result<Self, PeopleError> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let passwords = Passwords::start(Cost::STORED, cores, step_back)?;
        let house = House::open(people, passwords, mailer, entry, address)?;
        Ok(Self::new(house, Clock::default()))
    }

    /// With notices of what happens in matches.
    #[must_use]
    pub fn with_notices(self, notices: Notices) -> Self {
        Self { notices: Some(notices), ..self }
    }

    /// How people are told what happens in their matches, if they are.
    pub(crate) fn notices(&self) -> Option<&Notices> {
        self.notices.as_ref()
    }

    /// What persons can do.
    pub fn house(&self) -> &Arc<House> {
        &self.house
    }

    /// Now.
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Does something blocking with the accounts on another thread.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&House, u64) -> Result<T, PeopleError> + Send + 'static,
    ) -> Result<T, PeopleError> {
        let (house, now) = (Arc::clone(&self.house), self.clock.now());
        let done = tokio::task::spawn_blocking(move || work(&house, now)).await;
        done.unwrap_or(Err(PeopleError::Busy))
    }

    /// The same for something that a visitor asks for.
    pub(crate) async fn for_visitor<T: Send + 'static>(
        &self,
        visitor: &Visitor,
        headers: &HeaderMap,
        work: impl FnOnce(&House, Visit<'_>) -> Result<T, PeopleError> + Send + 'static,
    ) -> Result<T, PeopleError> {
        let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let (from, browser) = (visitor.from, browser_name(agent.unwrap_or_default()));
        self.with(move |house, now| work(house, Visit { from, browser: &browser, now })).await
    }

    /// Who sends a request, if they are signed in.
    pub(crate) async fn signed_in(&self, headers: &HeaderMap, is_secure: bool) -> Option<Arc<SignedIn>> {
        let secret = session_secret(headers, is_secure)?.to_owned();
        match self.with(move |house, now| house.who(&secret, now)).await {
            Ok(found) => found.map(Arc::new),
            Err(why) => {
                warn!("who is signed in could not be read: {why}");
                None
            }
        }
    }

    /// Whether a session that was open still is.
    pub(crate) async fn is_still_open(&self, key: Fingerprint) -> bool {
        let open = self.with(move |house, now| {
            let session = house.people().session(key)?;
            Ok(session.is_some_and(|session| now < session.expires_at))
        });
        open.await.unwrap_or(false)
    }

    /// Erases those whose seven days are over, and forgets what has expired; called regularly.
    pub(crate) async fn sweep(&self, lobby: &Arc<Lobby>) {
        let gone = self.with(|house, now| {
            house.tidy(now)?;
            house.gone(now)
        });
        let gone = gone.await.unwrap_or_else(|why| {
            warn!("accounts could not be tidied up: {why}");
            Vec::new()
        });
        if let Err(why) = lobby.tidy_gatherings().await {
            warn!("gathering tables could not be tidied up: {why}");
        }
        for account in gone {
            // If the seats can't all be given up now, the account is erased another time.
            if let Err(why) = lobby.leave_seats(account).await {
                warn!("the seats of {account} could not be left to bots: {why}");
                continue;
            }
            // What leads to a person goes first: whoever is erased is not looked at again.
            if let Some(notices) = &self.notices
                && let Err(why) = notices.with(move |post| post.forget(account)).await
            {
                warn!("the channels of {account} could not be erased: {why}");
                continue;
            }
            if let Err(why) = self.with(move |house, now| house.erase(account, now)).await {
                warn!("{account} could not be erased: {why}");
            }
        }
    }
}

/// The secret in the cookie of a session.
pub(crate) fn session_secret(headers: &HeaderMap, is_secure: bool) -> Option<&str> {
    let name = if is_secure { SECURE_COOKIE } else { PLAIN_COOKIE };
    cookie(headers, name).filter(|secret| !secret.is_empty())
}

/// The header that gives a browser the secret of its session; an empty one takes it away.
pub(crate) fn session_cookie(secret: &str, is_secure: bool) -> HeaderValue {
    let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (PLAIN_COOKIE, "") };
    let age = if secret.is_empty() { 0 } else { SESSION_MS / 1_000 };
    let text = format!("{name}={secret}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}{secure}");
    // A secret is letters and digits, so it always fits into a header.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
pub(crate) mod tests;
