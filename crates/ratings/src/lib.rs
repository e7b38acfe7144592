//! Ratings, estimates without luck, pairings and standings.
//!
//! Everything here is a pure function of its arguments: no clock, no files, no random numbers. Whoever keeps ratings keeps
//! one [`Rating`] for each player in each [`Pool`] (a game with a number of players), and writes what [`rate`] returns.
//!
//! * [`rate`] and [`expected`]: Weng-Lin (the Bradley-Terry model with full pairs), with an offset for the side that a player has.
//! * [`side_offsets`]: these offsets, from the results of the sides.
//! * [`count`]: a whole match counted, with the sides that it was played on; [`levels`]: where the bots stand.
//! * [`luck_free`]: how well somebody plays when luck is taken off, with its interval.
//! * [`round_robin`] and [`standings`]: tournaments.
//!
//! ```
//! use ratings::{Entrant, Rating, rate};
//! let newcomer = Rating::default();
//! let after = rate(&[Entrant::new(newcomer, 1), Entrant::new(newcomer, 2)]);
//! assert!(after[0].mu > newcomer.mu && after[1].mu < newcomer.mu);
//! assert!(after[0].sigma < newcomer.sigma);
//! ```

mod counting;
mod levels;
mod luck;
mod pairing;
mod skill;
mod standings;

pub use counting::{After, Before, Finish, SIXTHS, count};
pub use levels::{levels, points_per_elo};
pub use luck::{Estimate, LuckFree, Reviewed, luck_free};
pub use pairing::{MOST_IN_A_POOL, PairingError, Sides, round_robin};
pub use skill::{Entrant, Pool, Rating, SideRecord, expected, rate, side_offsets};
pub use standings::{Played, Row, Score, standings};
