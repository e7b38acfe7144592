//! The boards of the games, and what they share.

mod blitz;
mod dday;
mod echoes;
mod world;

use kernel::Game;

use crate::scene::Board;

pub use world::{WORLD_SVG, World};

/// The stylesheets of the boards, by game.
pub const STYLES: &[(&str, &str)] = &[
    (::echoes::Echoes::ID, ::echoes::Echoes::STYLE),
    (::blitz::Blitz::ID, ::blitz::Blitz::STYLE),
    (::dday::DDay::ID, ::dday::DDay::STYLE),
];
