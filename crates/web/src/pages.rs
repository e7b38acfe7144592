//! The pages, as plain functions that return markup.

pub mod account;
pub mod agreements;
pub mod chance;
pub mod coach;
pub mod decision;
pub mod ending;
pub mod layout;
pub mod lobby;
pub mod log;
pub mod odds;
pub mod parted;
pub mod review;
pub mod rules;
pub mod seats;
pub mod sign_in;
pub mod statistics;
pub mod table;
pub mod turns;
