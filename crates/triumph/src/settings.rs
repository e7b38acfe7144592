//! The settings of a match. Rules 5, 17, 18.

use kernel::{Options, refuse_unknown_options};

use crate::world::World;

/// The options, each with a sentence.
pub(crate) const HELP: [(&str, &str); 5] = [
    ("start", "1936 (the whole game) or 1939 (the short game)"),
    ("players", "3, or 2: one player has the West and the USSR"),
    ("actions", "your own Action cards: the text of a file as cards_action.toml"),
    ("investments", "your own Investment cards: the text of a file as cards_investment.toml"),
    ("forces", "your own opening forces: the text of a file as setup.toml"),
];

/// The settings of a match.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Settings {
    /// The short game from 1939. Rule 17.
    pub short: bool,
    /// One player has the West and the USSR. Rule 18.
    pub two_players: bool,
    /// Own Action cards.
    pub actions: Option<String>,
    /// Own Investment cards.
    pub investments: Option<String>,
    /// Own opening forces.
    pub forces: Option<String>,
}

impl Settings {
    /// Reads the options, or says what is wrong with them.
    pub fn read(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, &HELP)?;
        let word = |key: &str, known: [&str; 2]| match options.get(key).map(|value| value.trim()) {
            None => Ok(false),
            Some(value) if value == known[0] => Ok(false),
            Some(value) if value == known[1] => Ok(true),
            Some(value) => {
                let value = diagnostics::shown(value);
                Err(format!("{key} = {value:?}: expected {} or {}", known[0], known[1]))
            }
        };
        let text = |key: &str| options.get(key).filter(|text| !text.trim().is_empty()).cloned();
        let settings = Self {
            short: word("start", ["1936", "1939"])?,
            two_players: word("players", ["3", "2"])?,
            actions: text("actions"),
            investments: text("investments"),
            forces: text("forces"),
        };
        settings.build().map(|_| settings).map_err(|problems| problems.to_string())
    }

    /// The complete options.
    pub fn options(&self) -> Options {
        let mut options = Options::new();
        options.insert("start".to_owned(), if self.short { "1939" } else { "1936" }.to_owned());
        options.insert("players".to_owned(), if self.two_players { "2" } else { "3" }.to_owned());
        let files =
            [("actions", &self.actions), ("investments", &self.investments), ("forces", &self.forces)];
        for (key, text) in files {
            if let Some(text) = text {
                options.insert(key.to_owned(), text.clone());
            }
        }
        options
    }

    /// The map, the decks and the opening forces.
    fn build(&self) -> Result<World, diagnostics::Problems> {
        let mut world = World::standard();
        if let Some(text) = &self.actions {
            world.with_actions("actions", text)?;
        }
        if let Some(text) = &self.investments {
            world.with_investments("investments", text)?;
        }
        if let Some(text) = &self.forces {
            world.with_forces("forces", text)?;
        }
        Ok(world)
    }

    /// The same; files that were not [read](Self::read) and are faulty are left out.
    pub(crate) fn world(&self) -> World {
        self.build().unwrap_or_else(|_| World::standard())
    }
}
