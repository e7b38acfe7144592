//! Event markers (14.0): what they are and who owns how many when. What they do stands with the rule they change.

use crate::ids::{Country, Faction};

/// The event markers in the order of `events.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Marker {
    /// +1 to one side of a ground combat.
    GroundSupport,
    /// +2 against a unit in a city or fort.
    HeavyArtillery,
    /// +2 to the first attack on each enemy unit of a sub-phase.
    SurpriseAttack,
    /// The Western side sees the enemy's commit marker.
    Ultra,
    /// +1 for Western air units over Britain.
    Radar,
    /// +2 for a German fighter.
    Jets,
    /// A fighter escorts a bomber from another hex.
    LongRangeEscort,
    /// +2 for a Western bomber under attack.
    ThousandBombers,
    /// A lost army is taken off by sea.
    NavalEvacuation,
    /// Airborne troops may drop.
    Airdrop,
    /// The German landings in Norway and Denmark.
    WeserExercise,
    /// Supply by air.
    AirTransport,
    /// Partisans behind the enemy's front.
    Partisans,
    /// Poles and Frenchmen who fight on.
    FreeForces,
    /// An artificial harbour.
    Mulberry,
    /// A fort on the coast.
    AtlanticWall,
    /// Soviet Factories moved east.
    FactoryRelocation,
    /// American points for Allies.
    LendLease,
    /// The Axis in the first Russian winter.
    FirstWinter,
    /// The defender may commit nothing.
    Maskirovka,
    /// U-boats in packs.
    WolfPacks,
    /// U-boats with snorkels.
    Snorkel,
    /// Flying bombs and rockets.
    VWeapons,
    /// Escort groups in the Atlantic.
    EscortGroups,
    /// Hunter-killer groups.
    HunterKiller,
    /// Escorts of the Arctic convoys.
    ArcticEscort,
}

/// How many kinds of marker there are.
pub const MARKERS: usize = 26;
/// How many pairs of a marker and an owner the files may have.
pub const SLOTS: usize = 48;

impl Marker {
    /// All markers in the order of `events.toml`, with their ids.
    pub const ALL: [(&'static str, Self); MARKERS] = [
        ("ground-support", Self::GroundSupport),
        ("heavy-artillery", Self::HeavyArtillery),
        ("surprise-attack", Self::SurpriseAttack),
        ("ultra", Self::Ultra),
        ("radar", Self::Radar),
        ("jets", Self::Jets),
        ("long-range-escort", Self::LongRangeEscort),
        ("thousand-bombers", Self::ThousandBombers),
        ("naval-evacuation", Self::NavalEvacuation),
        ("airdrop", Self::Airdrop),
        ("weser-exercise", Self::WeserExercise),
        ("air-transport", Self::AirTransport),
        ("partisans", Self::Partisans),
        ("free-forces", Self::FreeForces),
        ("mulberry", Self::Mulberry),
        ("atlantic-wall", Self::AtlanticWall),
        ("factory-relocation", Self::FactoryRelocation),
        ("lend-lease", Self::LendLease),
        ("first-winter", Self::FirstWinter),
        ("maskirovka", Self::Maskirovka),
        ("wolf-packs", Self::WolfPacks),
        ("snorkel", Self::Snorkel),
        ("v-weapons", Self::VWeapons),
        ("escort-groups", Self::EscortGroups),
        ("hunter-killer", Self::HunterKiller),
        ("arctic-escort", Self::ArcticEscort),
    ];

    /// Position in tables of markers.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its id.
    pub fn id(self) -> &'static str {
        Self::ALL[self.index()].0
    }

    /// The marker with an id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == id).map(|(_, marker)| *marker)
    }
}

/// What becomes of a marker that was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    /// It is back in hand at End of Turn.
    Turn,
    /// It leaves the game.
    Once,
    /// It applies by itself.
    Standing,
    /// It goes back to the Holding Box and must be bought (9.3).
    Holding,
}

/// Who owns a marker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Owner {
    /// A country, while it is active.
    Country(Country),
    /// A faction.
    Faction(Faction),
}

/// When markers come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coming {
    /// When the country is in play.
    Start,
    /// In a turn, until the end of another (`u8::MAX`: for good).
    Turn(u8, u8),
    /// It is bought.
    Holding,
    /// By an event.
    Event,
}

/// Some markers of one owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holding {
    /// Who owns them.
    pub owner: Owner,
    /// How many; negative: so many are taken away.
    pub count: i8,
    /// When they come.
    pub coming: Coming,
}

/// An event marker.
#[derive(Clone, Debug)]
pub struct MarkerInfo {
    /// Which one.
    pub marker: Marker,
    /// Its name.
    pub name: String,
    /// Its modifier.
    pub drm: i8,
    /// What becomes of it.
    pub reuse: Reuse,
    /// Who owns how many when.
    pub holdings: Vec<Holding>,
    /// What it does, in a sentence.
    pub rule: String,
}

kernel::encode_enum!(Marker {
    0 = GroundSupport, 1 = HeavyArtillery, 2 = SurpriseAttack, 3 = Ultra, 4 = Radar, 5 = Jets, 6 = LongRangeEscort,
    7 = ThousandBombers, 8 = NavalEvacuation, 9 = Airdrop, 10 = WeserExercise, 11 = AirTransport, 12 = Partisans,
    13 = FreeForces, 14 = Mulberry, 15 = AtlanticWall, 16 = FactoryRelocation, 17 = LendLease, 18 = FirstWinter,
    19 = Maskirovka, 20 = WolfPacks, 21 = Snorkel, 22 = VWeapons, 23 = EscortGroups, 24 = HunterKiller,
    25 = ArcticEscort,
});
