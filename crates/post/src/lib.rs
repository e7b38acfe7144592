//! What leaves the house: notices by mail, hooks and browser push.
//!
//! - The policy, as pure functions over milliseconds: [`plan_stint`] and [`due`] say when notices are due, [`is_moot`] when nobody
//!   needs them any more, [`hold`] how long a channel holds them back, [`Delivery`] when a message is tried again, [`is_public`]
//!   which addresses may be connected to.
//! - The words: a [`Message`] is put together by [`compose`] from [`Headline`]s, which have room for public things only.
//! - The senders: [`Carriers`] bring a message out by mail ([`Mailer`]), hook or push ([`Vapid`]); whatever a user has named is
//!   reached through [`Outgoing`], which connects to public addresses only.
//! - The [`Postman`] takes notices from a [`store::Post`], asks a [`Desk`] what they are about, gathers and sends them.
//! - [`unsubscribe_token`] and [`read_unsubscribe`]: the one link that works without logging in.

mod addresses;
mod carrier;
mod delivery;
mod headline;
mod hooks;
mod mail;
mod message;
mod outgoing;
mod policy;
mod postman;
mod push;
mod secret;
mod zone;

pub use addresses::is_public;
pub use carrier::{Carrier, Carriers, House, Parcel, SetupError};
pub use delivery::{Delivery, Outcome, Verdict};
pub use headline::Headline;
pub use mail::Mailer;
pub use message::{Item, Matter, Message, compose, test_message};
pub use outgoing::{Outgoing, Reach, Refusal};
pub use policy::{Tempo, due, hold, is_moot, is_wanted, plan_stint};
pub use postman::{Clock, Desk, Postman, Rounds};
pub use push::{SubscriptionKeys, Vapid};
pub use secret::{fresh_secret, read_unsubscribe, unsubscribe_token};
pub use zone::Zone;
