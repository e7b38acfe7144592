//! What is said about a program that plays, and what it says itself: events of the log.
//!
//! Events about programs have the target `program`. In a game that hides something, what a program wrote or should have written
//! gives away its hand. Such a message comes twice: with the quotation under `program::quoted`, for the author of the program
//! (`maproom play`, `maproom ladder`), and without the quotation under `program::unquoted`, for a server.

use tracing::{info, warn};

/// Passes on a line that a program wrote to its standard error.
pub(super) fn pass_on(name: &str, hides: bool, line: &str) {
    if hides {
        info!(target: "program::quoted", "{name}: {line}");
    } else {
        info!(target: "program", "{name}: {line}");
    }
}

/// Says why an answer could not be used, and what follows from it.
pub(super) fn complain(name: &str, hides: bool, why: &str, then: &str) {
    if hides {
        warn!(target: "program::quoted", "{name}: {why}; {then}");
        warn!(target: "program::unquoted", "{name}: it gave no usable answer; {then}");
    } else {
        warn!(target: "program", "{name}: {why}; {then}");
    }
}
