//! The pages, as plain functions that return markup.

pub mod layout;
pub mod lobby;
pub mod log;
pub mod odds;
pub mod rules;
pub mod statistics;
pub mod table;
