//! Clocks for play between persons apart.
//!
//! A clock is a function of what happened when: [`Rules`] and the entries of a match with their times give the time that each
//! seat has left, whose time runs, and the [deadline](Clock::deadline). Nothing is counted anywhere else, so nothing can drift,
//! and a server that starts again finds every clock as it would have been. There is no I/O here, and all times are whole
//! milliseconds since 1970.
//!
//! A *stint* is the time in which one seat is awaited. Of it is charged what goes beyond the delay, and no time in which the
//! player could not or need not play: outages of the house, rests, off days, pauses ([`FreeTime`]). When a stint ends the seat
//! gets a refill, but only once in a turn of the game, and never beyond the cap: our games ask many small questions, and
//! reactions must not earn time.
//!
//! ```
//! use clocks::{Clock, FreeTime, Rules};
//! let rules: Rules = "sitting".parse().unwrap();
//! let settings = rules.settings.unwrap();
//! let free = FreeTime::default();
//! let mut clock = Clock::new(&settings, 2, 0);
//! clock.awaits(Some((0, 1)), 1);
//! assert_eq!(clock.deadline(&free), Some((0, 45 * 60_000 + 20_000)));
//! // After a minute the other seat is to move: 40 seconds were charged.
//! clock.advance(60_000, &free);
//! clock.awaits(Some((1, 1)), 2);
//! assert_eq!(clock.bank(0), 45 * 60_000 - 40_000);
//! ```

mod clock;
mod days;
mod free;
mod rules;
mod span;

pub use clock::{BEFORE_PLAY, Clock, Stint};
pub use days::Days;
pub use free::{FreeTime, OffDays};
pub use rules::{FlagPolicy, Pace, Rules, RulesError, Settings};
pub use span::{read_span, write_span};

/// A second.
pub const SECOND: u64 = 1_000;
/// A minute.
pub const MINUTE: u64 = 60 * SECOND;
/// An hour.
pub const HOUR: u64 = 60 * MINUTE;
/// A day of 24 hours.
pub const DAY: u64 = 24 * HOUR;
