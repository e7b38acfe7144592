//! Panics as errors.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Work that panicked, with the panic's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerPanic {
    message: String,
}

impl WorkerPanic {
    /// The panic of a payload, as [`catch_unwind`] and the join of a thread give it.
    pub fn of(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Self { message: text.unwrap_or("no message").to_owned() }
    }

    /// The panic's message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Goes on with the panic on the calling thread, for work that has no way to return an error: the caller sees the same as if
    /// the work had not been shared out.
    pub fn resume(self) -> ! {
        resume_unwind(Box::new(self.message))
    }
}

impl fmt::Display for WorkerPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the work broke down by a fault of the program: {}", self.message)
    }
}

impl std::error::Error for WorkerPanic {}

/// Does something, and turns its panic into an error.
///
/// What the work changes must not be used after an error: it may be half changed.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, WorkerPanic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| WorkerPanic::of(&*payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_all_kinds_are_kept() {
        let message = |work: fn()| caught(work).expect_err("it panics").message().to_owned();
        assert_eq!(message(|| panic!("plain")), "plain");
        assert_eq!(message(|| panic!("number {}", 7)), "number 7");
        assert_eq!(message(|| std::panic::panic_any(7)), "no message");
        assert_eq!(message(|| WorkerPanic { message: "again".to_owned() }.resume()), "again");
        assert_eq!(caught(|| 7), Ok(7));
    }
}
