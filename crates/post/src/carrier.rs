//! Whoever brings a message to where a channel leads.

use store::{ChannelKind, ChannelRecord, NewChannel, Post, StoreError};

use crate::hooks::{self, Request};
use crate::mail::{self, Mailer};
use crate::push::{self, SubscriptionKeys, Vapid};
use crate::{Message, Outgoing, Reach, Refusal, fresh_secret, unsubscribe_token};

/// A message on its way by a channel.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// Where to.
    pub channel: &'a ChannelRecord,
    /// What.
    pub message: &'a Message,
    /// The name of the message: a repeat after a crash has the same.
    pub id: &'a str,
    /// The time, in milliseconds since 1970.
    pub now: u64,
}

/// Brings messages out of the house. Tests step in between here.
pub trait Carrier: Send + Sync {
    /// Delivers a message, or says why not. It may take as long as the other side is given.
    fn carry(&self, parcel: Parcel<'_>) -> Result<(), Refusal>;
}

/// What whoever runs the house settles about its post.
#[derive(Clone, PartialEq, Eq)]
pub struct House {
    /// The address of the house, for links: `https://maproom.example`, without a slash at the end.
    pub base: String,
    /// The address of the mail server, as [`Mailer::new`] takes it; without one no mail is sent.
    pub mail_server: Option<String>,
    /// The name and the password for it, if it wants any.
    pub mail_login: Option<(String, String)>,
    /// The sender of mails.
    pub mail_from: String,
    /// Where push services can reach whoever runs the house: `mailto:…` or `https://…`; without it nothing is pushed.
    pub contact: Option<String>,
    /// Which addresses hooks may have.
    pub reach: Reach,
}

/// The carriers of a house: mail, hooks and push.
pub struct Carriers {
    base: String,
    secret: String,
    mailer: Option<Mailer>,
    vapid: Option<Vapid>,
    outgoing: Outgoing,
}

/// The settings under which the secrets of the house are kept.
const SECRET: &str = "post-secret";
const VAPID_KEY: &str = "post-vapid-key";

/// Why a house could not be made ready to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The settings can't be used; the sentence says which and why.
    Settings(String),
    /// The store failed.
    Store(StoreError),
    /// The system has no randomness to give.
    NoRandomness,
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetupError::Settings(why) => f.write_str(why),
            SetupError::Store(why) => write!(f, "{why}"),
            SetupError::NoRandomness => {
                f.write_str("the system gives no random numbers, so no secrets can be made")
            }
        }
    }
}

impl std::error::Error for SetupError {}

impl From<StoreError> for SetupError {
    fn from(error: StoreError) -> SetupError {
        SetupError::Store(error)
    }
}

impl Carriers {
    /// Makes ready to send: reads the secrets of the house, or makes them, once.
    pub fn open(house: &House, post: &dyn Post) -> Result<Carriers, SetupError> {
        let fresh = fresh_secret().ok_or(SetupError::NoRandomness)?;
        let secret = post.keep_secret(SECRET, &fresh)?;
        let fresh = Vapid::fresh_key().ok_or(SetupError::NoRandomness)?;
        let key = post.keep_secret(VAPID_KEY, &fresh)?;
        let login = house.mail_login.as_ref();
        let mailer =
            house.mail_server.as_ref().map(|server| Mailer::new(server, login.cloned(), &house.mail_from));
        let vapid = house.contact.as_ref().map(|contact| Vapid::new(&key, contact));
        Ok(Carriers {
            base: house.base.clone(),
            secret,
            mailer: mailer.transpose().map_err(SetupError::Settings)?,
            vapid: vapid.transpose().map_err(SetupError::Settings)?,
            outgoing: Outgoing::new(house.reach),
        })
    }

    /// The address of the house.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The secret by which unsubscribe tokens are made and read.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The key that pages need to subscribe to push; `None` if the house pushes nothing.
    pub fn push_key(&self) -> Option<String> {
        self.vapid.as_ref().map(Vapid::public_key)
    }

    /// Who sends mail; `None` if the house sends none.
    pub fn mailer(&self) -> Option<&Mailer> {
        self.mailer.as_ref()
    }

    /// What is wrong with a channel that somebody enters, as a sentence for them.
    pub fn check(&self, channel: &NewChannel) -> Result<(), String> {
        let refuse = |why: &str| Err(why.to_owned());
        match channel.kind {
            ChannelKind::Mail if self.mailer.is_none() => refuse("This house sends no mail."),
            ChannelKind::Mail if !mail::is_address(&channel.address) => refuse("This is no mail address."),
            ChannelKind::Mail => Ok(()),
            ChannelKind::Push if self.vapid.is_none() => refuse("This house pushes nothing to browsers."),
            ChannelKind::Push if SubscriptionKeys::read(&channel.secret).is_none() => {
                refuse("The browser's subscription can't be read. Try to subscribe again.")
            }
            ChannelKind::Json if channel.secret.len() < 16 => {
                refuse("A hook needs a key of at least 16 letters.")
            }
            ChannelKind::Ntfy if channel.secret.bytes().any(|b| !b.is_ascii_graphic()) => {
                refuse("An access token is made of letters and digits.")
            }
            _ => self.outgoing.check(&channel.address),
        }
    }

    fn mail(&self, Parcel { channel, message, id, now }: Parcel<'_>) -> Result<(), Refusal> {
        let mailer = self.mailer.as_ref().ok_or_else(|| Refusal::no_answer("this house sends no mail"))?;
        let token = unsubscribe_token(&self.secret, channel.channel.account, channel.id);
        let unsubscribe = format!("{}/unsubscribe/{token}", self.base);
        mailer.send(&channel.channel.address, message, id, &unsubscribe, now)
    }

    fn push(&self, Parcel { channel, message, now, .. }: Parcel<'_>) -> Result<Request, Refusal> {
        let vapid =
            self.vapid.as_ref().ok_or_else(|| Refusal::no_answer("this house pushes nothing to browsers"))?;
        let keys = SubscriptionKeys::read(&channel.channel.secret);
        let request =
            keys.and_then(|keys| push::request(vapid, &channel.channel.address, &keys, message, now));
        request.ok_or_else(|| Refusal::no_answer("the browser's subscription can't be read"))
    }
}

impl Carrier for Carriers {
    fn carry(&self, parcel: Parcel<'_>) -> Result<(), Refusal> {
        let Parcel { channel, message, id, now } = parcel;
        let secret = &channel.channel.secret;
        let request = match channel.channel.kind {
            ChannelKind::Mail => return self.mail(parcel),
            ChannelKind::Push => self.push(parcel)?,
            ChannelKind::Discord => hooks::discord(message),
            ChannelKind::Slack => hooks::slack(message),
            ChannelKind::Ntfy => hooks::ntfy(message, secret),
            ChannelKind::Json => hooks::signed(message, secret, id, now),
        };
        self.outgoing.post(&channel.channel.address, &request.headers, &request.body)
    }
}
