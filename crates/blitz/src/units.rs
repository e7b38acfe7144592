//! The tokens: what each kind is, and how many there are. Rules 2.2, 2.3, 5, 10.5.

use std::fmt;

/// Which side. Rule 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first: the Axis, in Nippon Japan.
    First,
    /// Moves last and wins ties: the Allies, in Nippon the Axis.
    Second,
}

impl Side {
    /// Both, in turn order.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    pub const fn enemy(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The direction of this side's end of every track: +1 or -1. Rule 1.3.
    pub const fn sign(self) -> i8 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// Where a unit may stand, and which leader it helps. Rules 4.2, 5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Land, and land or sea.
    Army,
    /// Sea, and land or sea.
    Navy,
    /// Anywhere.
    Airforce,
    /// Anywhere; helps no leader. Godzilla, rule 10.5.
    Monster,
    /// The scientist: any empty space of an open theatre. Rule 5.8.
    Scientist,
}

/// What a unit does besides its strength. Rules 5.2 to 5.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Nothing.
    None,
    /// One more unit may be placed in the same theatre. Rule 3.3.
    Blitz,
    /// Stronger by own earlier armies and airforces in the theatre. Rule 5.2.
    General,
    /// Stronger by own earlier navies and airforces in the theatre. Rule 5.2.
    Admiral,
    /// Bombs besides the effect of the space. Rule 5.4.
    Bombing,
    /// The effect of the space is not executed. Rule 5.5.
    TaskForce,
    /// Two spaces back in every other open theatre. Rule 5.6.
    Nuclear,
    /// Goes anywhere. Rule 5.8.
    Scientist,
    /// Becomes the opponent's last unit. Rule 5.7.
    Spy,
}

impl Ability {
    /// Whether the unit is a leader.
    pub const fn is_leader(self) -> bool {
        matches!(self, Self::General | Self::Admiral)
    }
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Army1,
    Army2,
    Army3,
    General,
    Navy1,
    Navy2,
    Navy3,
    Admiral,
    BlitzAir0,
    Air1,
    Air2,
    Godzilla,
    EliteArmy,
    EliteNavy,
    EliteAirforce,
    BlitzArmy,
    BlitzNavy,
    BlitzAirforce,
    BomberArmy,
    BomberNavy,
    BomberAirforce,
    TaskArmy,
    TaskNavy,
    TaskAirforce,
    Nuclear,
    Scientist,
    Spy,
}

/// What the rules say of a kind.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The kind.
    pub kind: Kind,
    /// Its word in choices and files.
    pub word: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Its type.
    pub class: Class,
    /// Its printed strength.
    pub strength: i8,
    /// What it does.
    pub ability: Ability,
    /// Whether it is a special weapon, from the research pile.
    pub special: bool,
    /// How many there are: of a normal unit on each side, of a special weapon in the pile of 2021.
    pub count: u8,
}

const fn unit(
    kind: Kind,
    word: &'static str,
    name: &'static str,
    class: Class,
    strength: i8,
    ability: Ability,
    count: u8,
) -> KindInfo {
    // The special weapons stand last.
    let special = kind as u8 >= Kind::EliteArmy as u8;
    KindInfo { kind, word, name, class, strength, ability, special, count }
}

/// All kinds in the order of [`Kind`].
pub const KINDS: [KindInfo; KIND_COUNT] = {
    use Ability as A;
    use Class as C;
    use Kind as K;
    [
        unit(K::Army1, "army1", "Army 1", C::Army, 1, A::None, 3),
        unit(K::Army2, "army2", "Army 2", C::Army, 2, A::None, 2),
        unit(K::Army3, "army3", "Army 3", C::Army, 3, A::None, 2),
        unit(K::General, "general", "General", C::Army, 1, A::General, 1),
        unit(K::Navy1, "navy1", "Navy 1", C::Navy, 1, A::None, 3),
        unit(K::Navy2, "navy2", "Navy 2", C::Navy, 2, A::None, 2),
        unit(K::Navy3, "navy3", "Navy 3", C::Navy, 3, A::None, 2),
        unit(K::Admiral, "admiral", "Admiral", C::Navy, 1, A::Admiral, 1),
        unit(K::BlitzAir0, "air0b", "Blitz airforce 0", C::Airforce, 0, A::Blitz, 1),
        unit(K::Air1, "air1", "Airforce 1", C::Airforce, 1, A::None, 3),
        unit(K::Air2, "air2", "Airforce 2", C::Airforce, 2, A::None, 2),
        unit(K::Godzilla, "godzilla", "Godzilla", C::Monster, 5, A::TaskForce, 1),
        unit(K::EliteArmy, "elite_army", "Elite army", C::Army, 4, A::None, 2),
        unit(K::EliteNavy, "elite_navy", "Elite navy", C::Navy, 4, A::None, 2),
        unit(K::EliteAirforce, "elite_airforce", "Elite airforce", C::Airforce, 3, A::None, 2),
        unit(K::BlitzArmy, "blitz_army", "Blitz army", C::Army, 1, A::Blitz, 1),
        unit(K::BlitzNavy, "blitz_navy", "Blitz navy", C::Navy, 1, A::Blitz, 1),
        unit(K::BlitzAirforce, "blitz_airforce", "Blitz airforce", C::Airforce, 1, A::Blitz, 1),
        unit(K::BomberArmy, "bomber_army", "Bomber army", C::Army, 2, A::Bombing, 1),
        unit(K::BomberNavy, "bomber_navy", "Bomber navy", C::Navy, 2, A::Bombing, 1),
        unit(K::BomberAirforce, "bomber_airforce", "Bomber airforce", C::Airforce, 1, A::Bombing, 1),
        unit(K::TaskArmy, "task_army", "Task force army", C::Army, 5, A::TaskForce, 1),
        unit(K::TaskNavy, "task_navy", "Task force navy", C::Navy, 5, A::TaskForce, 1),
        unit(K::TaskAirforce, "task_airforce", "Task force airforce", C::Airforce, 4, A::TaskForce, 1),
        unit(K::Nuclear, "nuclear", "Nuclear bomb", C::Army, 7, A::Nuclear, 1),
        unit(K::Scientist, "scientist", "Scientist", C::Scientist, 0, A::Scientist, 1),
        unit(K::Spy, "spy", "Spy", C::Scientist, 0, A::Spy, 1),
    ]
};

/// How many kinds there are.
pub const KIND_COUNT: usize = 27;

/// The strength that the bot's scientist has. Rule 8.6.
pub const BOT_SCIENTIST: i8 = 3;

impl Kind {
    /// What the rules say of it.
    #[inline]
    pub const fn info(self) -> &'static KindInfo {
        &KINDS[self as usize]
    }

    /// Reads a word.
    pub fn parse(word: &str) -> Option<Self> {
        KINDS.iter().find(|info| info.word.eq_ignore_ascii_case(word)).map(|info| info.kind)
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        self.info().word
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// What it does.
    #[inline]
    pub const fn ability(self) -> Ability {
        self.info().ability
    }

    /// Whether it is a special weapon.
    #[inline]
    pub const fn is_special(self) -> bool {
        self.info().special
    }

    /// Whether one more unit may be placed after it.
    #[inline]
    pub const fn is_blitz(self) -> bool {
        matches!(self.ability(), Ability::Blitz)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which tokens a board and a printing have. Rules 2.2, 2.3, 10.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply {
    /// The bags at the start, by side.
    pub bags: [crate::pool::Pool; 2],
    /// The research pile at the start.
    pub pile: crate::pool::Pool,
}

impl Supply {
    /// The tokens of the base game or of Nippon, with the pile of a printing.
    pub fn new(nippon: bool, printing_2021: bool) -> Self {
        let mut bags = [crate::pool::Pool::default(); 2];
        let mut pile = crate::pool::Pool::default();
        for info in &KINDS {
            let added = matches!(info.kind, Kind::BlitzAirforce | Kind::BomberArmy);
            for _ in 0..info.count {
                if info.special {
                    if printing_2021 || !added {
                        pile.add(info.kind);
                    }
                } else if info.kind == Kind::Godzilla {
                    if nippon {
                        bags[0].add(info.kind);
                    }
                } else {
                    bags[0].add(info.kind);
                    bags[1].add(info.kind);
                }
            }
        }
        if nippon {
            bags[0].remove(Kind::Army3);
        }
        Self { bags, pile }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn every_kind_stands_at_its_place() {
        for (at, info) in KINDS.iter().enumerate() {
            assert_eq!(info.kind as usize, at);
            assert_eq!(Kind::parse(info.word), Some(info.kind));
        }
    }

    /// Rules 2.2, 2.3, 10.5: 22 tokens a side, 18 or 16 special weapons; Godzilla for an army.
    #[test]
    fn the_tokens_are_as_many_as_printed() {
        for nippon in [false, true] {
            for (printing_2021, weapons) in [(true, 18), (false, 16)] {
                let supply = Supply::new(nippon, printing_2021);
                assert_eq!(supply.bags.map(Pool::len), [22, 22]);
                assert_eq!(supply.pile.len(), weapons);
                assert_eq!(supply.bags[0].count(Kind::Godzilla), u32::from(nippon));
                assert_eq!(supply.bags[0].count(Kind::Army3), 2 - u32::from(nippon));
            }
        }
    }
}
