//! The small names of the game: sides, regions, tracks, theatres of Major Conflict. Rules 2.2, 2.3.

use std::fmt;

macro_rules! ids {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant),+ }

        impl $name {
            /// All of them, in the order of the book.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The abbreviation that the book prints.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Position in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.code())
            }
        }
    };
}

ids! {
    /// The two sides. The human plays one of them, the book the other. Rule 1.0.
    Side {
        /// Move up the battle tracks.
        Allies = "Allies",
        /// Move down the battle tracks.
        Axis = "Axis",
    }
}

ids! {
    /// The six regions, always in this order. Rule 2.3.1.
    Region {
        /// Western Front.
        Wf = "WF",
        /// Eastern Front.
        Ef = "EF",
        /// Southern Front.
        Sf = "SF",
        /// China.
        Chn = "CHN",
        /// Pacific.
        Pac = "PAC",
        /// Islands.
        Isl = "ISL",
    }
}

ids! {
    /// The three die roll modifier tracks. Rule 2.2.
    Track {
        /// European modifier track.
        Emt = "EMT",
        /// Pacific modifier track.
        Pmt = "PMT",
        /// USA in Europe.
        Usa = "USA",
    }
}

ids! {
    /// The two Major Conflict boxes. Rule 3.4.
    Conflict {
        /// WF, EF and SF by the EMT.
        Europe = "Europe",
        /// PAC, ISL and CHN by the PMT.
        Pacific = "Pacific",
    }
}

impl Side {
    /// The other side.
    pub const fn enemy(self) -> Self {
        match self {
            Self::Allies => Self::Axis,
            Self::Axis => Self::Allies,
        }
    }

    /// `+1` for the Allies, `-1` for the Axis: the direction on battle and modifier tracks.
    pub const fn sign(self) -> i8 {
        match self {
            Self::Allies => 1,
            Self::Axis => -1,
        }
    }

    /// A verb after the side's name: the Allies attack, the Axis attacks.
    pub const fn verb(self, plural: &'static str, singular: &'static str) -> &'static str {
        match self {
            Self::Allies => plural,
            Self::Axis => singular,
        }
    }

    /// Reads `Allies` or `Axis` in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.code().eq_ignore_ascii_case(text))
    }
}

impl Region {
    /// Reads a region's abbreviation in any case; `CH`, `PA` and `IS` are accepted too. Rule 2.3.1.
    pub fn parse(text: &str) -> Option<Self> {
        let aliases = [("CH", Self::Chn), ("PA", Self::Pac), ("IS", Self::Isl)];
        let codes = Self::ALL.into_iter().map(|region| (region.code(), region));
        let mut known = codes.chain(aliases);
        known.find(|(code, _)| code.eq_ignore_ascii_case(text)).map(|(_, region)| region)
    }

    /// The EMT or PMT that modifies attacks here. Rule 2.2.
    pub const fn main_track(self) -> Track {
        match self {
            Self::Wf | Self::Ef | Self::Sf => Track::Emt,
            Self::Chn | Self::Pac | Self::Isl => Track::Pmt,
        }
    }

    /// This region's bit in a [`Regions`] set.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Track {
    /// Reads a track's abbreviation in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|track| track.code().eq_ignore_ascii_case(text))
    }
}

impl Conflict {
    /// Reads `Europe` or `Pacific` in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|conflict| conflict.code().eq_ignore_ascii_case(text))
    }
}

/// A set of regions in six bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Regions(pub u8);

impl Regions {
    /// No region.
    pub const NONE: Self = Self(0);
    /// All six.
    pub const ALL: Self = Self(0b11_1111);

    /// Whether the region is in the set.
    pub const fn has(self, region: Region) -> bool {
        self.0 & region.bit() != 0
    }

    /// The set with the region added.
    #[must_use]
    pub const fn with(self, region: Region) -> Self {
        Self(self.0 | region.bit())
    }

    /// The set with the region taken out.
    #[must_use]
    pub const fn without(self, region: Region) -> Self {
        Self(self.0 & !region.bit())
    }

    /// How many regions are in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The regions of the set in the order of the book.
    pub fn iter(self) -> impl Iterator<Item = Region> {
        Region::ALL.into_iter().filter(move |region| self.has(*region))
    }
}

impl FromIterator<Region> for Regions {
    fn from_iter<I: IntoIterator<Item = Region>>(regions: I) -> Self {
        regions.into_iter().fold(Self::NONE, Self::with)
    }
}
