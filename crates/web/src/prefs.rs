//! A visitor's settings: theme, hand, motion. Stored in a cookie, and for the lobby's owner in the store.

/// The name of the cookie.
pub const COOKIE: &str = "maproom_prefs";

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefs {
    /// Light or dark.
    pub theme: Theme,
    /// Whether the controls are on the left.
    pub left_handed: bool,
    /// Whether to reduce motion, whatever the system says.
    pub still: bool,
    /// Whether the debug drawer can be opened.
    pub debug: bool,
    /// Whether the win-chance bar is turned off.
    pub no_chance: bool,
    /// Whether dice, moves, hits and one's turn are heard.
    pub sound: bool,
    /// Whether the sides have colours that colour-blind people can tell apart.
    pub clear_colours: bool,
}

impl Prefs {
    /// Reads what [`text`](Self::text) wrote; unknown parts get their defaults.
    pub fn read(text: &str) -> Self {
        let mut prefs = Self::default();
        for word in text.split('.') {
            match word {
                "light" => prefs.theme = Theme::Light,
                "dark" => prefs.theme = Theme::Dark,
                "left" => prefs.left_handed = true,
                "still" => prefs.still = true,
                "debug" => prefs.debug = true,
                "nochance" => prefs.no_chance = true,
                "sound" => prefs.sound = true,
                "clear" => prefs.clear_colours = true,
                _ => {}
            }
        }
        prefs
    }

    /// The settings as a short text.
    pub fn text(self) -> String {
        let mut words = vec![match self.theme {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }];
        words.extend(self.left_handed.then_some("left"));
        words.extend(self.still.then_some("still"));
        words.extend(self.debug.then_some("debug"));
        words.extend(self.no_chance.then_some("nochance"));
        words.extend(self.sound.then_some("sound"));
        words.extend(self.clear_colours.then_some("clear"));
        words.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back() {
        for text in [
            "system",
            "dark.left",
            "light.still.debug",
            "system.left.still.debug",
            "dark.nochance",
            "light.sound",
            "light.clear",
            "dark.sound.clear",
        ] {
            assert_eq!(Prefs::read(text).text(), text);
        }
        assert_eq!(Prefs::read("nonsense.<script>"), Prefs::default());
    }
}
