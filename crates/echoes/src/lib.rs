//! Echoes of War.
pub mod book;
pub mod box_language;
pub mod ids;
