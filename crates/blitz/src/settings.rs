//! The settings of a match. Rules 2.3, 8.3, 10.7, rulings R9 and R30.

use diagnostics::{nearest, shown};
use kernel::{Options, refuse_unknown_options};

use crate::units::Side;

/// Which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardKind {
    /// Axis against Allies, five theatres.
    Base,
    /// Japan against the Axis, fifteen cities. Rule 10.
    Nippon,
}

/// How hard the bot is. Rule 8.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
    /// Hard and two VP; in Nippon the standard set-up and two VP.
    Veteran,
    /// Hard, three VP and a space on all tracks; in Nippon the standard set-up and the same.
    Elite,
    /// Nippon only: two cities two spaces each. Rule 10.7.
    Standard,
}

impl Difficulty {
    const BASE: [Self; 5] = [Self::Easy, Self::Medium, Self::Hard, Self::Veteran, Self::Elite];
    const NIPPON: [Self; 3] = [Self::Standard, Self::Veteran, Self::Elite];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Veteran => "veteran",
            Self::Elite => "elite",
            Self::Standard => "standard",
        }
    }

    /// The levels of a board.
    pub const fn of(board: BoardKind) -> &'static [Self] {
        match board {
            BoardKind::Base => &Self::BASE,
            BoardKind::Nippon => &Self::NIPPON,
        }
    }

    /// How many dice are rolled, and how many spaces each one moves a marker.
    pub const fn rolls(self) -> (u8, i8) {
        match self {
            Self::Easy => (3, 1),
            Self::Medium => (3, 2),
            Self::Hard | Self::Veteran | Self::Elite => (4, 2),
            Self::Standard => (0, 0),
        }
    }

    /// Extra VP and extra spaces on all tracks.
    pub const fn extra(self) -> (u8, i8) {
        match self {
            Self::Veteran => (2, 0),
            Self::Elite => (3, 1),
            _ => (0, 0),
        }
    }
}

/// The settings of a game against the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solo {
    /// How hard.
    pub difficulty: Difficulty,
    /// Whether the bot draws stratagems; not in a first, learning game. Rule 8.4.
    pub stratagems: bool,
    /// VP that the bot has at the start besides those of the level.
    pub extra_vp: u8,
    /// Spaces on every open track in the bot's favour besides those of the level.
    pub extra_tracks: i8,
    /// Whether a bombed unit of the bot goes to the research pile whatever it is. Ruling R9.
    pub bombed_to_pile: bool,
}

impl Solo {
    /// All VP that the bot starts with.
    pub const fn start_vp(&self) -> u8 {
        self.difficulty.extra().0 + self.extra_vp
    }

    /// All spaces on every open track.
    pub const fn start_tracks(&self) -> i8 {
        self.difficulty.extra().1 + self.extra_tracks
    }
}

/// All settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which board.
    pub board: BoardKind,
    /// Whether the research pile has the 18 tokens of 2021 or the 16 of 2019. Two of the 18 are our own guess, so the
    /// 16 are usual. Rule 2.3.
    pub printing_2021: bool,
    /// Whether a unit of the bot's row is bombed by its place in the row, or by its kind as in rules 1. Rule 8.7.
    pub bombing_by_place: bool,
    /// The bot's settings; `None` for two players.
    pub solo: Option<Solo>,
}

/// The options, each with a sentence.
pub const HELP: [(&str, &str); 9] = [
    ("board", "base or nippon"),
    ("mode", "two_player, or solo against the published bot"),
    ("printing", "2019 (16 special weapons) or 2021 (18, two of them our own)"),
    ("difficulty", "solo: easy, medium, hard, veteran or elite; Nippon: standard, veteran or elite"),
    ("stratagems", "solo: on, or off for a first, learning game"),
    ("extra_vp", "solo: 0 to 10 victory points for the bot at the start"),
    ("extra_tracks", "solo: 0 to 5 spaces on every open track for the bot at the start"),
    ("bombed_unit_goes_to", "solo: origin, or research_pile as the published text has it (ruling R9)"),
    (
        "bombing",
        "solo: place, or kind as in rules 1: how you name the unit of the bot that you bomb (rule 8.7)",
    ),
];

/// The options that only a solo game has.
const SOLO_ONLY: [&str; 5] = ["difficulty", "stratagems", "extra_vp", "extra_tracks", "bombed_unit_goes_to"];

impl Settings {
    /// Two players on a board.
    pub const fn two_player(board: BoardKind) -> Self {
        Self { board, printing_2021: false, bombing_by_place: true, solo: None }
    }

    /// A game against the bot.
    pub const fn solo(board: BoardKind, difficulty: Difficulty) -> Self {
        let solo = Solo { difficulty, stratagems: true, extra_vp: 0, extra_tracks: 0, bombed_to_pile: false };
        Self { board, printing_2021: false, bombing_by_place: true, solo: Some(solo) }
    }

    /// The side that the bot plays: in a solo game the one that moves first. Rules 8.1, 10.7.
    pub const fn bot_side(&self) -> Option<Side> {
        if self.solo.is_some() { Some(Side::First) } else { None }
    }

    /// Reads options, or says what is wrong with them.
    pub fn read(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, &HELP)?;
        let word = |key: &str, words: &[&'static str]| -> Result<usize, String> {
            let Some(given) = options.get(key) else { return Ok(0) };
            words.iter().position(|word| word == given).ok_or_else(|| {
                let meant = nearest(given, words.iter().copied());
                let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
                format!("{key} = {:?}{hint}: {}", shown(given), diagnostics::datafile::any_of(words))
            })
        };
        let number = |key: &str, most: u8| -> Result<u8, String> {
            let Some(given) = options.get(key) else { return Ok(0) };
            let number = given.trim().parse().ok().filter(|number| *number <= most);
            number.ok_or_else(|| format!("{key} = {:?}: a number from 0 to {most}", shown(given)))
        };
        let board = [BoardKind::Base, BoardKind::Nippon][word("board", &["base", "nippon"])?];
        let solo = word("mode", &["two_player", "solo"])? == 1;
        let printing_2021 = word("printing", &["2019", "2021"])? == 1;
        // A game for two is allowed to say it, because all matches of rules 1 do; it has no row to bomb.
        let bombing_by_place = word("bombing", &["place", "kind"])? == 0 || !solo;
        if !solo && let Some(key) = SOLO_ONLY.iter().find(|key| options.contains_key(**key)) {
            return Err(format!("{key} is for a game against the bot: set mode = solo, or leave it out"));
        }
        let solo = if solo {
            let levels = Difficulty::of(board);
            let words: Vec<&'static str> = levels.iter().map(|level| level.word()).collect();
            let default = usize::from(board == BoardKind::Base);
            let level =
                if options.contains_key("difficulty") { word("difficulty", &words)? } else { default };
            Some(Solo {
                difficulty: levels[level],
                stratagems: word("stratagems", &["on", "off"])? == 0,
                extra_vp: number("extra_vp", 10)?,
                extra_tracks: number("extra_tracks", 5)? as i8,
                bombed_to_pile: word("bombed_unit_goes_to", &["origin", "research_pile"])? == 1,
            })
        } else {
            None
        };
        Ok(Self { board, printing_2021, bombing_by_place, solo })
    }

    /// The options that give these settings again.
    pub fn options(&self) -> Options {
        let mut options = Options::new();
        let mut set = |key: &str, value: String| options.insert(key.to_owned(), value);
        set("board", if self.board == BoardKind::Base { "base" } else { "nippon" }.to_owned());
        set("mode", if self.solo.is_some() { "solo" } else { "two_player" }.to_owned());
        set("printing", if self.printing_2021 { "2021" } else { "2019" }.to_owned());
        if let Some(solo) = &self.solo {
            set("difficulty", solo.difficulty.word().to_owned());
            set("stratagems", if solo.stratagems { "on" } else { "off" }.to_owned());
            set("extra_vp", solo.extra_vp.to_string());
            set("extra_tracks", solo.extra_tracks.to_string());
            let goes_to = if solo.bombed_to_pile { "research_pile" } else { "origin" };
            set("bombed_unit_goes_to", goes_to.to_owned());
            if !self.bombing_by_place {
                set("bombing", "kind".to_owned());
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::read(&pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn settings_are_read_back_from_their_options() {
        for pairs in [
            &[][..],
            &[("board", "nippon"), ("printing", "2021")],
            &[("mode", "solo"), ("bombing", "kind")],
            &[("bombing", "kind")],
            &[("mode", "solo")],
            &[("mode", "solo"), ("board", "nippon"), ("difficulty", "elite"), ("stratagems", "off")],
            &[
                ("mode", "solo"),
                ("extra_vp", "4"),
                ("extra_tracks", "2"),
                ("bombed_unit_goes_to", "research_pile"),
            ],
        ] {
            let settings = read(pairs).expect("these are good options");
            assert_eq!(Settings::read(&settings.options()), Ok(settings));
        }
        assert_eq!(
            read(&[("mode", "solo")]).map(|s| s.solo.map(|solo| solo.difficulty)),
            Ok(Some(Difficulty::Medium))
        );
    }

    #[test]
    fn wrong_settings_are_answered_with_the_right_ones() {
        for (pairs, words) in [
            (&[("bord", "base")][..], "did you mean \"board\"?"),
            (&[("board", "nipon")], "did you mean nippon?"),
            (&[("difficulty", "hard")], "mode = solo"),
            (&[("mode", "solo"), ("extra_vp", "99")], "0 to 10"),
            (&[("mode", "solo"), ("board", "nippon"), ("difficulty", "hard")], "standard, veteran or elite"),
        ] {
            let why = read(pairs).expect_err("these are bad options");
            assert!(why.contains(words), "{why}");
        }
    }
}
