//! Letters to the holders of accounts.

use std::sync::{Mutex, PoisonError};

/// A letter in plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its subject.
    pub subject: String,
    /// What it says.
    pub text: String,
}

/// What a house sends letters with.
pub trait Mailer: Send + Sync {
    /// Whether this house can send letters at all. Where it can't, pages don't offer what needs one.
    fn can_send(&self) -> bool;

    /// Sends a letter, now or soon. Whether it arrives is not known.
    fn send(&self, to: &str, letter: Letter);
}

/// A house that can't send letters.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMail;

impl Mailer for NoMail {
    fn can_send(&self) -> bool {
        false
    }

    fn send(&self, _: &str, _: Letter) {}
}

/// Letters that are kept instead of sent, for tests.
#[derive(Debug, Default)]
pub struct Outbox(Mutex<Vec<(String, Letter)>>);

impl Outbox {
    /// The letters since the last time, each with its address.
    pub fn take(&self) -> Vec<(String, Letter)> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What follows `start` on its line in the only letter, with the address of the letter: the rest of a link.
    ///
    /// # Panics
    ///
    /// If there is not exactly one letter, or if it has no such text.
    pub fn link(&self, start: &str) -> (String, String) {
        let letters = self.take();
        let [(to, letter)] = &letters[..] else { panic!("one letter, not {letters:?}") };
        let rest = letter.text.split_once(start).unwrap_or_else(|| panic!("{}", letter.text)).1;
        (to.clone(), rest.lines().next().unwrap_or_default().to_owned())
    }
}

impl Mailer for Outbox {
    fn can_send(&self) -> bool {
        true
    }

    fn send(&self, to: &str, letter: Letter) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((to.to_owned(), letter));
    }
}

pub(crate) fn reset(name: &str, link: &str) -> Letter {
    Letter {
        subject: "A new password for Maproom".to_owned(),
        text: format!(
            "Hello {name},\n\nsomebody, probably you, asked for a new password. Choose one here within 30 minutes:\n\n\
             {link}\n\nIf it wasn't you, do nothing: your password stays as it is.\n"
        ),
    }
}

pub(crate) fn confirm(name: &str, link: &str) -> Letter {
    Letter {
        subject: "Confirm your address for Maproom".to_owned(),
        text: format!(
            "Hello {name},\n\nto use this address for your account, open this page within two days and press the \
             button there:\n\n{link}\n\nIf you have no account, do nothing.\n"
        ),
    }
}

pub(crate) fn taken(name: &str) -> Letter {
    Letter {
        subject: "Your address is already used at Maproom".to_owned(),
        text: format!(
            "Hello {name},\n\nsomebody, perhaps you, wanted to use this address for another account. It stays with \
             your account {name}. If it wasn't you, do nothing.\n"
        ),
    }
}

pub(crate) fn moved(name: &str) -> Letter {
    Letter {
        subject: "Your address at Maproom was changed".to_owned(),
        text: format!(
            "Hello {name},\n\nyour account now has another mail address, and letters go there from now on. If it \
             wasn't you, tell whoever runs your Maproom at once: they can reset your password.\n"
        ),
    }
}
