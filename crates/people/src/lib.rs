//! Accounts for play between persons apart: who somebody is, and how they prove it.
//!
//! - [`House`]: everything that persons do with accounts: join, log in, change their password, leave.
//! - [`Passwords`]: Argon2id, never more at a time than there are cores, with a short queue.
//! - [`limits`]: how often anybody may try.
//! - [`Secret`]: what is in cookies and one-time links; only its fingerprint is stored.
//! - [`People`]: the trait of the store that keeps it all, implemented beside [`store::Store`].
//! - [`Mailer`]: what a house sends letters with, if it can.
//!
//! There is no clock in here and no network: every call is told the time and the address. All calls block: make them from
//! threads that may wait.

mod browser;
mod common;
mod error;
mod house;
pub mod limits;
mod mail;
mod names;
mod passwords;
mod secret;

pub use browser::browser_name;
pub use common::check_password;
pub use error::PeopleError;
pub use house::{Entry, House, Joining, LEAVING_MS, SESSION_MS, SignedIn, Visit};
pub use mail::{Letter, Mailer, NoMail, Outbox};
pub use names::{NAME_LETTERS, Name, mail_address, name_key, time_zone};
pub use passwords::{Busy, Cost, Passwords, QUEUE};
pub use secret::{NoRandomness, Secret, fingerprint};
pub use store::People;
