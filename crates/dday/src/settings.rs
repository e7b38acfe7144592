//! The settings of a match: the scenario and the optional rules. Rule 19.

use std::sync::Arc;

use diagnostics::{nearest, shown};
use kernel::{Options, refuse_unknown_options};

use crate::commander::Personality;
use crate::scenario::{DEFAULT, SCENARIOS, Scenario};

/// The most free rerolls of a side.
const MAX_REROLLS: u8 = 20;

/// The optional rules.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Rule 19.1: how many free rerolls each side has.
    pub rerolls: u8,
    /// Rule 19.2.
    pub random_rally: bool,
    /// Rule 19.3: no supply, no engineering, no night.
    pub basic: bool,
    /// Rule 19.4: a natural 10 on an assault save shatters and does not lose.
    pub gentle: bool,
    /// Rule 15.1: the scenario's word, or on, or off.
    pub supply: Option<bool>,
    /// A scenario of the user's own, as text; it replaces `scenario`.
    pub own_scenario: Option<String>,
    /// Weights of the commander of the user's own.
    pub own_commander: Option<(String, Personality)>,
}

/// The options, each with a sentence.
pub const HELP: [(&str, &str); 8] = [
    ("scenario", "one of the eleven, such as 03_villers_bocage, or the text of a scenario file of your own"),
    ("commander", "weights for the bot `commander`: the text of a file such as data/commanders.toml has"),
    ("rerolls", "free rerolls of each side, all back every night: 0 to 20 (rule 19.1)"),
    ("random_rally", "on: a die says who picks the battalion that rallies (rule 19.2)"),
    ("basic", "on: no supply, no engineering, no night (rule 19.3)"),
    ("gentle_saves", "on: a natural 10 on an assault save only shatters (rule 19.4)"),
    ("supply", "scenario, on or off: whether the supply phase is played (rule 15.1)"),
    ("name", "what the scenario file is called in messages"),
];

impl Settings {
    /// Reads options.
    pub fn read(options: &Options) -> Result<(Arc<Scenario>, Self), String> {
        refuse_unknown_options(options, &HELP)?;
        let get = |key: &str| options.get(key).map(String::as_str);
        let word = get("scenario").unwrap_or(DEFAULT);
        let (scenario, own_scenario) = match Scenario::builtin(word) {
            Some(scenario) => (scenario, None),
            None if word.contains('\n') => {
                let name = get("name").unwrap_or("scenario.toml");
                let (read, _) = Scenario::read(name, word).map_err(|problems| problems.to_string())?;
                (Arc::new(read), Some(word.to_owned()))
            }
            None => return Err(unknown_scenario(word)),
        };
        let own_commander = match get("commander") {
            None | Some("") => None,
            Some(text) => {
                let read = Personality::read_first("commander.toml", text);
                Some((text.to_owned(), read.map_err(|problems| problems.to_string())?))
            }
        };
        let flag = |key: &str| match get(key).unwrap_or("off") {
            "on" => Ok(true),
            "off" => Ok(false),
            other => Err(format!("{key} = {:?}: on or off", shown(other))),
        };
        let rerolls = get("rerolls").unwrap_or("0");
        let rerolls = rerolls
            .parse::<u8>()
            .ok()
            .filter(|count| *count <= MAX_REROLLS)
            .ok_or_else(|| format!("rerolls = {:?}: a number from 0 to {MAX_REROLLS}", shown(rerolls)))?;
        let supply = match get("supply").unwrap_or("scenario") {
            "scenario" => None,
            "on" => Some(true),
            "off" => Some(false),
            other => return Err(format!("supply = {:?}: scenario, on or off", shown(other))),
        };
        let settings = Self {
            rerolls,
            random_rally: flag("random_rally")?,
            basic: flag("basic")?,
            gentle: flag("gentle_saves")?,
            supply,
            own_scenario,
            own_commander,
        };
        Ok((scenario, settings))
    }

    /// The options again, complete.
    pub fn options(&self, scenario: &Scenario) -> Options {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        let mut options = Options::new();
        options.insert("scenario".into(), self.own_scenario.clone().unwrap_or_else(|| scenario.id.clone()));
        options.insert("rerolls".into(), self.rerolls.to_string());
        options.insert("random_rally".into(), on_off(self.random_rally));
        options.insert("basic".into(), on_off(self.basic));
        options.insert("gentle_saves".into(), on_off(self.gentle));
        options.insert("supply".into(), self.supply.map_or_else(|| "scenario".to_owned(), on_off));
        if let Some((text, _)) = &self.own_commander {
            options.insert("commander".into(), text.clone());
        }
        options
    }
}

fn unknown_scenario(word: &str) -> String {
    let ids = SCENARIOS.iter().map(|(id, _)| *id);
    let short = ids.clone().filter_map(|id| id.split_once('_').map(|(_, short)| short));
    let meant = nearest(word, ids.clone().chain(short));
    let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
    let all: Vec<&str> = ids.collect();
    format!(
        "unknown scenario {:?}{hint}; the scenarios are: {}; or the text of a scenario file",
        shown(word),
        all.join(", ")
    )
}
