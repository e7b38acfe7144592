//! The bot's stratagem tokens. Rules 8.2, 8.4, 9.6.

/// A stratagem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Stratagem {
    BigGuns,
    Counterattack,
    EconomicWarfare,
    ForTheGlory,
    RapidDeployment,
    ResearchDevelopment,
    Secure,
    Steamroll,
}

impl Stratagem {
    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::BigGuns,
        Self::Counterattack,
        Self::EconomicWarfare,
        Self::ForTheGlory,
        Self::RapidDeployment,
        Self::ResearchDevelopment,
        Self::Secure,
        Self::Steamroll,
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::BigGuns => "big_guns",
            Self::Counterattack => "counterattack",
            Self::EconomicWarfare => "economic_warfare",
            Self::ForTheGlory => "for_the_glory",
            Self::RapidDeployment => "rapid_deployment",
            Self::ResearchDevelopment => "research_development",
            Self::Secure => "secure",
            Self::Steamroll => "steamroll",
        }
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BigGuns => "Big Guns",
            Self::Counterattack => "Counterattack",
            Self::EconomicWarfare => "Economic Warfare",
            Self::ForTheGlory => "For the Glory",
            Self::RapidDeployment => "Rapid Deployment",
            Self::ResearchDevelopment => "Research & Development",
            Self::Secure => "Secure",
            Self::Steamroll => "Steamroll",
        }
    }

    /// What it makes the bot do, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Self::BigGuns => "Plays a special weapon if one fits, else the unit that changes most",
            Self::Counterattack => "Goes where you lead, with the unit that changes most",
            Self::EconomicWarfare => "Looks for production and bombing",
            Self::ForTheGlory => "Looks for the campaigns of most points and for propaganda",
            Self::RapidDeployment => "Plays the leftmost unit that fits",
            Self::ResearchDevelopment => "Looks for research; elsewhere plays a special weapon",
            Self::Secure => "Goes where it leads",
            Self::Steamroll => "Does as last turn",
        }
    }

    /// Reads a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stratagem| stratagem.word().eq_ignore_ascii_case(word))
    }
}

/// A set of stratagem tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StratagemSet(u8);

kernel::encode_struct!(StratagemSet[bits]);

impl StratagemSet {
    /// All but Steamroll: the cup at the start. Rule 8.2.
    pub const START: Self = Self(0x7f);

    /// Whether a token is there.
    pub const fn has(self, stratagem: Stratagem) -> bool {
        self.0 >> stratagem as u8 & 1 != 0
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Puts a token in.
    pub const fn add(&mut self, stratagem: Stratagem) {
        self.0 |= 1 << stratagem as u8;
    }

    /// Takes a token out.
    pub const fn remove(&mut self, stratagem: Stratagem) {
        self.0 &= !(1 << stratagem as u8);
    }

    /// The tokens.
    pub fn iter(self) -> impl Iterator<Item = Stratagem> {
        Stratagem::ALL.into_iter().filter(move |stratagem| self.has(*stratagem))
    }

    /// The token of a ticket from 0 to `len - 1`.
    pub fn nth(self, ticket: u32) -> Stratagem {
        self.iter().nth(ticket as usize).unwrap_or(Stratagem::Steamroll)
    }
}
