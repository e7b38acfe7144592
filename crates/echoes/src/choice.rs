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
    /// No Tide of War now.
    No,
}

/// The most options a `Choose` may have.
pub const MAX_OPTIONS: u8 = 8;

impl Choice {
    /// Writes the stable name.
    pub fn write_name(self, out: &mut String) {
        let push = |out: &mut String, words: &[&str]| {
            for (at, word) in words.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                out.push_str(word);
            }
        };
        let digit = |n: u8| ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"][usize::from(n.min(9))];
        match self {
            Self::Die(face) => push(out, &["die", digit(face)]),
            Self::Attack(region) => push(out, &["attack", region.code()]),
            Self::Shift(track) => push(out, &["shift", track.code()]),
            Self::Pass => push(out, &["pass"]),
            Self::Advance(region) => push(out, &["adv", region.code()]),
            Self::Option(number) => push(out, &["option", digit(number)]),
            Self::TowReroll(region) => push(out, &["tow", "reroll", region.code()]),
            Self::TowShift(region, track) => push(out, &["tow", "shift", region.code(), track.code()]),
            Self::No => push(out, &["no"]),
        }
    }

    /// The stable name.
    pub fn name(self) -> String {
        let mut name = String::new();
        self.write_name(&mut name);
        name
    }

    /// Reads a name in any case. A bare number is a die face, `yes` at window D takes the reroll, and `pass` at
    /// a Tide of War window means `no`.
    pub fn parse(state: &State, text: &str) -> Option<Self> {
        if text.len() > 40 {
            return None;
        }
        let text = text.to_ascii_lowercase();
        let mut words = [""; 4];
        let mut count = 0;
        for word in text.split_ascii_whitespace() {
            *words.get_mut(count)? = word;
            count += 1;
        }
        let face = |word: &str| word.parse().ok().filter(|face| (1..=6).contains(face)).map(Self::Die);
        let window = matches!(
            state.phase,
            Phase::Opened | Phase::BeforeAttack | Phase::AfterAttack | Phase::BeforeConflict
        );
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
            ["yes"] if state.phase == Phase::AfterAttack => Some(Self::TowReroll(state.region)),
            ["no" | "decline"] => Some(Self::No),
            _ => None,
        }
    }
}
