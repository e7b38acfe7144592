//! The options of a match.

use std::sync::Arc;

use kernel::{Options, refuse_unknown_options};

use crate::scenario::Scenario;
use crate::scenario_file;

/// What the options mean, for forms and the command line.
pub const HELP: &[(&str, &str)] = &[
    (
        "scenario",
        "which scenario: poland-1939 (the default), scandinavia-1940, france-1940, balkans-1941, ussr-1941, france-1944, main-event-1939, or the text of a file of your own",
    ),
    (
        "commit",
        "secret (the default: both sides choose their commit markers hidden) or open (the attacker chooses first, in the open, so that nothing is hidden)",
    ),
    ("politics", "in the full war: free (the default) or historical"),
    ("timeline", "when dated units come in the full war: historical (the default) or variable"),
];

/// The options of a match, read and checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Whether commit markers are chosen in secret.
    pub secret: bool,
    /// Whether politics follow history (10.5).
    pub historical: bool,
    /// Whether dated units roll for their arrival.
    pub variable: bool,
}

impl Settings {
    /// Reads the options.
    pub fn read(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, HELP)?;
        let word = |key: &str, known: [&str; 2]| -> Result<bool, String> {
            match options.get(key).map(String::as_str) {
                None => Ok(false),
                Some(word) if word == known[0] => Ok(false),
                Some(word) if word == known[1] => Ok(true),
                Some(word) => Err(format!(
                    "option {key} is {:?}; it can be {} or {}",
                    diagnostics::shown(word),
                    known[0],
                    known[1]
                )),
            }
        };
        let scenario = scenario_file::chosen(options.get("scenario").map_or("poland-1939", String::as_str))?;
        Ok(Self {
            scenario: Arc::new(scenario),
            secret: !word("commit", ["secret", "open"])?,
            historical: word("politics", ["free", "historical"])?,
            variable: word("timeline", ["historical", "variable"])?,
        })
    }

    /// The options that make these settings.
    pub fn options(&self) -> Options {
        let scenario = if self.scenario.text.is_empty() { &self.scenario.id } else { &self.scenario.text };
        let choose = |is: bool, words: [&str; 2]| words[usize::from(is)].to_owned();
        Options::from([
            ("scenario".to_owned(), scenario.clone()),
            ("commit".to_owned(), choose(!self.secret, ["secret", "open"])),
            ("politics".to_owned(), choose(self.historical, ["free", "historical"])),
            ("timeline".to_owned(), choose(self.variable, ["historical", "variable"])),
        ])
    }
}
