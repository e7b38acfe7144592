//! The tests that every game inherits, and toy games to test the rest of the program with.
//!
//! * [`conformance`] plays random games and checks every promise of the kernel's traits.
//! * [`golden`] keeps whole games as text files and compares.
//! * [`museum`] loads, verifies and continues the saves of earlier releases.
//! * [`edits`] changes texts as accidents and people do, for property tests.
//! * [`saves`] plays matches at random and checks that their saves keep everything.
//! * [`nats`] starts a server of NATS of the tests' own.
//! * [`place`] says where servers of the tests' own run.
//! * [`postgres`] starts a PostgreSQL of the tests' own.
//! * [`postgres_tls`] lets it speak TLS.
//! * [`perft()`] counts the lines of play of a given length.
//! * [`random_choice()`] is the next step of a match that nobody thinks about.
//! * [`auction`] is a toy game for two to five seats, for whatever must work with more than two.
//! * [`duel`] is a toy game for two with hidden information, which can break one promise at a time on purpose.

pub mod auction;
pub mod conformance;
pub mod duel;
pub mod edits;
mod features;
pub mod golden;
pub mod museum;
pub mod nats;
mod perft;
pub mod place;
pub mod postgres;
pub mod postgres_tls;
mod random;
pub mod saves;
mod told;

pub use perft::{perft, perft_counts};
pub use random::random_choice;
