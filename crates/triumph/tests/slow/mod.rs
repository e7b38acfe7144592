//! The slow ways, each in its own file.

mod afloat;
pub mod eyes;
pub mod trade;
