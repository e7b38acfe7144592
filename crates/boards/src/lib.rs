//! The boards of the games, and what they share. A board draws from a view: it never sees a state.

mod blitz;
mod dday;
mod echoes;
mod surrender;
mod thumbnail;
pub mod triumph;
mod words;
mod world;

pub use blitz::BlitzBoard;
pub use dday::DDayBoard;
pub use echoes::EchoesBoard;
pub use surrender::SurrenderBoard;
pub use triumph::TriumphBoard;
