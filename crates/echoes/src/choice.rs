//! The choices of the game and their names. Rule 8.

use crate::ids::{Region, Track};
use crate::state::{Phase, State};

/// One decision of the human or of Fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Fate: a face of the die, 1 to 6.
    Die(u8),
    /// Attack a region.
    Attack(Region),
    /// Spend an Action on a mark.
    Shift(Track),
    /// Let the rest of the grant go.
    Pass,
    /// Advance here.
    Advance(Region),
    /// An option of a `Choose`, from 1.
    Option(u8),
    /// Tide of War: roll the attack on this region again.
    TowReroll(Region),
    /// Tide of War: mark the region's box and shift the track.
    TowShift(Region, Track),
    /// Ask about the Tide of War from now on, for a while.
    Request,
    /// No Tide of War now.
    No,
}

/// The most options a `Choose` may have.
pub const MAX_OPTIONS: u8 = 8;

// Names are written out: they are made on the way of every choice that goes over a wire.
const DIE: [&str; 7] = ["none", "die 1", "die 2", "die 3", "die 4", "die 5", "die 6"];
const ATTACK: [&str; 6] = ["attack WF", "attack EF", "attack SF", "attack CHN", "attack PAC", "attack ISL"];
const SHIFT: [&str; 3] = ["shift EMT", "shift PMT", "shift USA"];
const ADVANCE: [&str; 6] = ["adv WF", "adv EF", "adv SF", "adv CHN", "adv PAC", "adv ISL"];
const OPTION: [&str; 9] =
    ["none", "option 1", "option 2", "option 3", "option 4", "option 5", "option 6", "option 7", "option 8"];
const TOW_REROLL: [&str; 6] =
    ["tow reroll WF", "tow reroll EF", "tow reroll SF", "tow reroll CHN", "tow reroll PAC", "tow reroll ISL"];
const TOW_SHIFT: [&str; 18] = [
    "tow shift WF EMT",
    "tow shift WF PMT",
    "tow shift WF USA",
    "tow shift EF EMT",
    "tow shift EF PMT",
    "tow shift EF USA",
    "tow shift SF EMT",
    "tow shift SF PMT",
    "tow shift SF USA",
    "tow shift CHN EMT",
    "tow shift CHN PMT",
    "tow shift CHN USA",
    "tow shift PAC EMT",
    "tow shift PAC PMT",
    "tow shift PAC USA",
    "tow shift ISL EMT",
    "tow shift ISL PMT",
    "tow shift ISL USA",
];

impl Choice {
    /// The stable name.
    pub fn name(self) -> &'static str {
        let nth = |names: &[&'static str], n: usize| names.get(n).copied().unwrap_or("none");
        match self {
            Self::Die(face) => nth(&DIE, usize::from(face)),
            Self::Attack(region) => nth(&ATTACK, region.index()),
            Self::Shift(track) => nth(&SHIFT, track.index()),
            Self::Pass => "pass",
            Self::Advance(region) => nth(&ADVANCE, region.index()),
            Self::Option(number) => nth(&OPTION, usize::from(number)),
            Self::TowReroll(region) => nth(&TOW_REROLL, region.index()),
            Self::TowShift(region, track) => nth(&TOW_SHIFT, region.index() * 3 + track.index()),
            Self::Request => "tow ask",
            Self::No => "no",
        }
    }

    /// Reads a name in any case. A bare number is a die face, `yes` at window D takes the reroll, and `pass` at
    /// a Tide of War window means `no`.
    pub fn parse(state: &State, text: &str) -> Option<Self> {
        // In a buffer of its own: reading a name is on the way of every choice that comes over a wire.
        let mut buffer = [0; 40];
        let lower = buffer.get_mut(..text.len())?;
        lower.copy_from_slice(text.as_bytes());
        lower.make_ascii_lowercase();
        let text = std::str::from_utf8(lower).ok()?;
        let mut words = [""; 4];
        let mut count = 0;
        for word in text.split_ascii_whitespace() {
            *words.get_mut(count)? = word;
            count += 1;
        }
        let face = |word: &str| word.parse().ok().filter(|face| (1..=6).contains(face)).map(Self::Die);
        let window = state.phase.is_window();
        match &words[..count] {
            ["die" | "roll", word] | [word] if word.starts_with(|c: char| c.is_ascii_digit()) => face(word),
            ["attack", region] => Region::parse(region).map(Self::Attack),
            ["shift" | "mark", track] => Track::parse(track).map(Self::Shift),
            ["pass"] if window => Some(Self::No),
            ["pass"] => Some(Self::Pass),
            ["adv" | "advance", region] => Region::parse(region).map(Self::Advance),
            ["option", number] => {
                number.parse().ok().filter(|number| (1..=MAX_OPTIONS).contains(number)).map(Self::Option)
            }
            ["tow", "reroll" | "force", region] => Region::parse(region).map(Self::TowReroll),
            ["tow", "shift", region, track] => {
                Some(Self::TowShift(Region::parse(region)?, Track::parse(track)?))
            }
            ["tow", "ask"] => Some(Self::Request),
            ["yes"] if state.phase == Phase::AfterAttack => Some(Self::TowReroll(state.region)),
            ["no" | "decline"] => Some(Self::No),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_reader::Edition;
    use crate::game::Echoes;

    #[test]
    fn every_name_is_made_of_the_codes_of_the_book_and_reads_back() {
        let game = Echoes::edition(Edition::Allied, 1).expect("the plain game is there");
        let state = game.rules().start();
        let mut vocabulary = Vec::new();
        game.rules().vocabulary(&mut vocabulary);
        for choice in vocabulary {
            match choice {
                Choice::Attack(region) => assert_eq!(choice.name(), format!("attack {region}")),
                Choice::Shift(track) => assert_eq!(choice.name(), format!("shift {track}")),
                Choice::Advance(region) => assert_eq!(choice.name(), format!("adv {region}")),
                Choice::TowReroll(region) => assert_eq!(choice.name(), format!("tow reroll {region}")),
                Choice::TowShift(region, track) => {
                    assert_eq!(choice.name(), format!("tow shift {region} {track}"));
                }
                _ => {}
            }
            let real = choice.name() != "none";
            assert_eq!(Choice::parse(&state, choice.name()), real.then_some(choice), "{}", choice.name());
            assert_eq!(Choice::parse(&state, &choice.name().to_uppercase()), real.then_some(choice));
        }
    }
}
