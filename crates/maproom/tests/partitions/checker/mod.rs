//! Compares what people were answered and pages were shown with the journals. It knows nothing of the program: it reads two texts.
//!
//! **The history**, one event a line, the words separated by tabs, times in microseconds of one clock:
//!
//! * `choice MATCH KEY BEFORE SERVER BEGAN ENDED OUTCOME` – somebody sent a request, for the position at the revision BEFORE. The
//!   outcome is `made N` (it is entry N), `refused WHY` (it was not made) or `unknown WHY` (nobody knows). One request may be sent
//!   several times.
//! * `page MATCH READER SERVER BEGAN ENDED REVISION STEPS DIGEST NAMES` – a server answered with a position: how many steps led to
//!   it, what it is (equal only if the positions are), and what its last steps were, separated by commas.
//! * `told MATCH READER SERVER AT REVISION` – an open page was told of a revision. A reader is one page, wherever it is connected.
//! * `end MATCH SERVER REVISION STEPS DIGEST` – what a server shows when all is over.
//!
//! **The journals**, one entry a line, `MATCH|NUMBER|KEY|STEPS`: as psql prints them. The steps are separated by commas, and each is
//! `NAME=DIGEST`, the digest that of the position that it led to. The key is empty where no person has asked for the entry.

mod journal;
mod read;
mod rules;
#[cfg(test)]
mod tests;

/// What a history that holds together consists of.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// Matches that have a journal.
    pub matches: usize,
    /// Entries in all journals.
    pub entries: usize,
    /// Requests that were acknowledged.
    pub acknowledged: usize,
    /// Those of them that were sent more than once.
    pub repeated: usize,
    /// Requests that were refused each time they were sent.
    pub refused: usize,
    /// Requests of which nobody was told what became, and which are in a journal.
    pub unknown_made: usize,
    /// The same, in none.
    pub unknown_not_made: usize,
    /// Positions that were shown, and revisions that pages were told of.
    pub shown: usize,
}

/// Checks a history against the journals. The error lists every lie.
pub fn check(history: &str, journals: &str) -> Result<Found, Vec<String>> {
    let (events, journals) = match (read::history(history), journal::read(journals)) {
        (Ok(events), Ok(journals)) => (events, journals),
        (events, journals) => {
            return Err([events.err(), journals.err()].into_iter().flatten().collect());
        }
    };
    rules::check(&events, &journals)
}
