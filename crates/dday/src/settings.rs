//! The settings of a match: the scenario and the optional rules. Rule 19.

use std::sync::Arc;

use diagnostics::{nearest, shown};
use kernel::{Options, refuse_unknown_options};

use crate::commander::Personality;
use crate::scenario::{DEFAULT, SCENARIOS, Scenario};

/// The most free rerolls of a side.
const MAX_REROLLS: u8 = 20;

/// How much is asked of a player. Ruling R61.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orders {
    /// As in rules 1: every march ends with a question, and the last support rolls the dice.
    V1,
    /// Every roll is confirmed; halts and facings are asked for where they decide something.
    #[default]
    V2,
}

/// Where a group in Fallback may go. Ruling R62.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fallback {
    /// Out of contact with the enemy.
    #[default]
    Away,
    /// As in rules 1: also along the enemy's front.
    Along,
}

/// Which attacks a flank or a rear is open to. Ruling R63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flanks {
    /// Assaults, and the fire of guns on the map.
    #[default]
    All,
    /// As in rules 1: assaults.
    Assaults,
}

/// In whose combat phase aircraft strike. Ruling R64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AirStrikes {
    /// In both.
    #[default]
    Any,
    /// As in rules 1: in their owner's.
    Own,
}

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
    /// Ruling R61: how much is asked.
    pub orders: Orders,
    /// Ruling R62: where a group in Fallback goes.
    pub fallback: Fallback,
    /// Ruling R63: what a flank is open to.
    pub flanks: Flanks,
    /// Ruling R64: when aircraft strike.
    pub air_strikes: AirStrikes,
    /// The built-in scenarios are those of set-up 1, which matches under rules 1 have.
    pub setup_1: bool,
    /// A scenario of the user's own, as text; it replaces `scenario`.
    pub own_scenario: Option<String>,
    /// Weights of the commander of the user's own.
    pub own_commander: Option<(String, Personality)>,
}

/// The options, each with a sentence.
pub const HELP: [(&str, &str); 13] = [
    ("scenario", "one of the eleven, such as 03_villers_bocage, or the text of a scenario file of your own"),
    ("commander", "weights for the bot `commander`: the text of a file such as data/commanders.toml has"),
    ("rerolls", "free rerolls of each side, all back every night: 0 to 20 (rule 19.1)"),
    ("random_rally", "on: a die says who picks the battalion that rallies (rule 19.2)"),
    ("basic", "on: no supply, no engineering, no night (rule 19.3)"),
    ("gentle_saves", "on: a natural 10 on an assault save only shatters (rule 19.4)"),
    ("supply", "scenario, on or off: whether the supply phase is played (rule 15.1)"),
    ("orders", "how much is asked: 2, or 1 as in rules 1 (ruling R61)"),
    ("fallback", "away: a group in Fallback leaves the enemy; along: as in rules 1 (ruling R62)"),
    ("flanks", "all: fire from the flank or rear counts too; assaults: as in rules 1 (ruling R63)"),
    ("air_strikes", "any: aircraft strike in either combat phase; own: as in rules 1 (ruling R64)"),
    ("setup", "2, or 1 for the scenarios as they were before their aims were changed (rule 22.1)"),
    ("name", "what the scenario file is called in messages"),
];

/// What the rulings of rules 2 mean under rules 1, as options.
const RULES_1: [(&str, &str); 5] =
    [("orders", "1"), ("fallback", "along"), ("flanks", "assaults"), ("air_strikes", "own"), ("setup", "1")];

/// The value of an option that has two, the first where nothing is said.
fn either<T: Copy>(options: &Options, key: &str, words: [(&str, T); 2]) -> Result<T, String> {
    let word = options.get(key).map_or(words[0].0, String::as_str);
    let found = words.iter().find(|(known, _)| *known == word);
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("{key} = {:?}: {} or {}", shown(word), words[0].0, words[1].0))
}

impl Settings {
    /// Reads options.
    pub fn read(options: &Options) -> Result<(Arc<Scenario>, Self), String> {
        refuse_unknown_options(options, &HELP)?;
        let get = |key: &str| options.get(key).map(String::as_str);
        let word = get("scenario").unwrap_or(DEFAULT);
        let setup_1 = match get("setup").unwrap_or("2") {
            "1" => true,
            "2" => false,
            other => return Err(format!("setup = {:?}: 1 or 2", shown(other))),
        };
        let built_in = if setup_1 { Scenario::of_setup_1(word) } else { Scenario::builtin(word) };
        let (scenario, own_scenario) = match built_in {
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
            orders: either(options, "orders", [("2", Orders::V2), ("1", Orders::V1)])?,
            fallback: either(options, "fallback", [("away", Fallback::Away), ("along", Fallback::Along)])?,
            flanks: either(options, "flanks", [("all", Flanks::All), ("assaults", Flanks::Assaults)])?,
            air_strikes: either(
                options,
                "air_strikes",
                [("any", AirStrikes::Any), ("own", AirStrikes::Own)],
            )?,
            setup_1,
            own_scenario,
            own_commander,
        };
        Ok((scenario, settings))
    }

    /// What earlier rules were, as options that their saves do not name.
    pub fn options_under(rules: &str) -> Options {
        let said: &[(&str, &str)] = if rules == "1" { &RULES_1 } else { &[] };
        said.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    /// The settings of rules 1.
    pub fn rules_1() -> Self {
        Self {
            orders: Orders::V1,
            fallback: Fallback::Along,
            flanks: Flanks::Assaults,
            air_strikes: AirStrikes::Own,
            setup_1: true,
            ..Self::default()
        }
    }

    /// The options again, complete; readings of rules 1 only where they are chosen, so that saves look as before.
    pub fn options(&self, scenario: &Scenario) -> Options {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        let mut options = Options::new();
        options.insert("scenario".into(), self.own_scenario.clone().unwrap_or_else(|| scenario.id.clone()));
        options.insert("rerolls".into(), self.rerolls.to_string());
        options.insert("random_rally".into(), on_off(self.random_rally));
        options.insert("basic".into(), on_off(self.basic));
        options.insert("gentle_saves".into(), on_off(self.gentle));
        options.insert("supply".into(), self.supply.map_or_else(|| "scenario".to_owned(), on_off));
        let chosen = [
            self.orders == Orders::V1,
            self.fallback == Fallback::Along,
            self.flanks == Flanks::Assaults,
            self.air_strikes == AirStrikes::Own,
            self.setup_1,
        ];
        for ((key, value), _) in RULES_1.iter().zip(chosen).filter(|(_, chosen)| *chosen) {
            options.insert((*key).to_owned(), (*value).to_owned());
        }
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
