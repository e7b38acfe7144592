//! The slow ways, each in its own file.

pub mod eyes;
pub mod trade;
