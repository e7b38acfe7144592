//! Rules for what leaves the house: which addresses may be connected to ([`is_public`]), and when a delivery is tried again
//! ([`Delivery`]). Both are pure functions: time and addresses are handed in, nothing is sent here.

mod addresses;
mod delivery;

pub use addresses::is_public;
pub use delivery::{Channel, Delivery, Outcome, Verdict};
