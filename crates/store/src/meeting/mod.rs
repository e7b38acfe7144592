//! How people of a house meet: what they say to each other, what they note for themselves, whom they don't want to hear, what
//! they report, and the tables that they gather.
//!
//! Like accounts, nothing of this exists in a store until [`People::prepare_people`](crate::People::prepare_people) was called.

mod conduct;
mod gathering;
mod memory;
mod sql;
mod talk;

pub use conduct::{
    Act, Conduct, Contact, MOST_CONTACTS, MOST_OPEN_REPORTS, NewAct, NewReport, Report, Reported,
};
pub use gathering::{
    Gathering, GatheringSeat, Gatherings, MOST_GATHERINGS, MOST_INVITATIONS, SeatOffer, Taken,
};
pub(crate) use memory::Meeting;
pub(crate) use sql::{STEPS, prepare};
pub use talk::{ChatLine, MOST_LINES, Manners, NewLine, Room, Said, Talk};
