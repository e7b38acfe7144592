//! The tests that every game inherits, and toy games to test the rest of the program with.
//!
//! * [`conformance`] plays random games and checks every promise of the kernel's traits.
//! * [`golden`] keeps whole games as text files and compares.
//! * [`perft()`] counts the positions that can be reached in so many choices.
//! * [`duel`] is a toy game for two with hidden information, which can break one promise at a time on purpose.

pub mod conformance;
pub mod duel;
pub mod golden;
mod perft;

pub use perft::perft;
