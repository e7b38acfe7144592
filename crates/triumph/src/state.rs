//! A position: flat, `Copy`, without pointers. Rules 19.1.

use crate::areas::{AREAS, AreaSet, BORDERS, LANDS, NATIONS, NONE};
use crate::cards::{Card, Deck, Season, Tech};
use crate::factions::{BLOCKS, FORTS, Faction, Parties, Power};
use crate::stage::Stage;
use crate::units::Kind;

/// What a block has done or suffered; bits of [`Block::flags`].
pub mod flag {
    /// A Submarine that has Escaped. Rule 12.73.
    pub const ESCAPED: u8 = 1;
    /// Landed by invasion this turn. Rule 11.221.
    pub const DISRUPTED: u8 = 2;
    /// Has moved this turn.
    pub const MOVED: u8 = 4;
    /// Has acted in this Combat Round, or need not be asked any more.
    pub const ACTED: u8 = 8;
    /// Lies face up.
    pub const REVEALED: u8 = 16;
    /// Has taken a step this Production. Rule 7.23.
    pub const STEPPED: u8 = 32;
    /// Engaged this turn: [`Block::from`](super::Block::from) is where it came from.
    pub const ENGAGED: u8 = 64;
    /// Waits in a BattleGroup that has not joined its Battle. Rule 12.71.
    pub const WAITING: u8 = 128;
}

/// A unit. The Power is its place among the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Where it stands; [`NONE`] in the pool.
    pub area: u8,
    /// Its type.
    pub kind: Kind,
    /// Its strength.
    pub cv: u8,
    /// Bits of [`flag`].
    pub flags: u8,
    /// The last area before it Engaged this turn.
    pub from: u8,
    /// Where it started its move this turn, for BattleGroups. Ruling R44.
    pub origin: u8,
}

impl Block {
    /// A block in the pool.
    pub const FREE: Self =
        Self { area: NONE, kind: Kind::Fortress, cv: 0, flags: 0, from: NONE, origin: NONE };

    /// Whether a flag is set.
    pub const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether two blocks of a Power are alike in all that a decision can depend on.
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.area, self.kind, self.cv, self.flags, self.from)
            == (other.area, other.kind, other.cv, other.flags, other.from)
    }

    /// Whether it stands on the map.
    pub const fn on_map(&self) -> bool {
        self.area != NONE
    }
}

/// How a nation stands. Rules 8, 15.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// Nobody's; a Faction may have influence.
    Neutral,
    /// At arms against its violators. Rule 15.42.
    Armed,
    /// Won by diplomacy.
    Satellite,
    /// Won by force.
    Conquered,
    /// A Power, or a colony of one.
    Belongs,
    /// A Major Power whose capital has fallen. Rule 2.22.
    Defeated,
}

/// A nation or colony in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NationState {
    /// How it stands.
    pub status: Status,
    /// Who has influence.
    pub influencer: Option<Faction>,
    /// How many markers.
    pub markers: u8,
    /// Who has violated it.
    pub violators: Parties,
    /// Who is its Enemy while it is Armed.
    pub enemies: Parties,
    /// Whose its capital is, while nobody stands there: a Control marker, or the Power it belongs to.
    pub holder: Option<Faction>,
}

/// A technology in a vault, with its two cards, the kept one first. Rule 9.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VaultPair {
    /// The technology.
    pub tech: Tech,
    /// The card that stays when it is revealed, and the other one.
    pub cards: [Card; 2],
}

/// The most pairs a vault can hold: no Faction can pay for more hand cards.
pub const VAULT: usize = 8;

/// A Faction in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FactionState {
    /// Industry.
    pub ind: u8,
    /// Factories built this year. Rule 7.32.
    pub raises: u8,
    /// How far it has come in its list of Factory Costs. Ruling R29.
    pub factory_level: u8,
    /// The Rivals it has declared war on.
    pub declared: Parties,
    /// Its Enemies among the Factions.
    pub enemies: Parties,
    /// Peace chits by value.
    pub chits: [u8; 3],
    /// Whether it violated a Neutral or fought this year. Rule 7.13.
    pub fought: bool,
    /// Revealed technologies.
    pub techs: u16,
    /// The year of its last stage of Atomic Research, in its vault or revealed; 0 before the first.
    pub stage_year: u8,
    /// Its vault; entries past the length are `None`.
    pub vault: [Option<VaultPair>; VAULT],
    /// Hands by deck, as masks.
    pub hand: [u64; 2],
    /// Diplomacy cards in play. Rule 7.31.
    pub in_play: u64,
    /// Of these, the ones that mean their second nation.
    pub second_end: u64,
    /// Investment cards that lie face up as technologies.
    pub kept: u64,
    /// The card committed for the season.
    pub committed: Option<Card>,
    /// Cards that must still be drawn, by deck.
    pub due: [u8; 2],
    /// The face-down Passive Stack of the game for two, by deck. Rule 18.
    pub stack: [u64; 2],
}

impl FactionState {
    /// The pairs in the vault.
    pub fn vault(&self) -> impl Iterator<Item = VaultPair> + '_ {
        self.vault.iter().flatten().copied()
    }

    /// How many pairs are in the vault.
    pub fn vault_len(&self) -> usize {
        self.vault.iter().flatten().count()
    }

    /// Technologies in the vault.
    pub fn secret_techs(&self) -> u16 {
        self.vault().fold(0, |mask, pair| mask | pair.tech.bit())
    }

    /// Whether a revealed technology is there.
    pub const fn knows(&self, tech: Tech) -> bool {
        self.techs & tech.bit() != 0
    }

    /// Whether it is at war with another Faction. Rule 15.1, ruling R24.
    pub const fn at_war(&self) -> bool {
        !self.enemies.is_empty()
    }

    /// How many cards of a deck are in hand.
    pub const fn hand_len(&self, deck: Deck) -> u32 {
        self.hand[deck as usize].count_ones()
    }

    /// The whole hand.
    pub const fn cards(&self) -> u32 {
        self.hand[0].count_ones() + self.hand[1].count_ones()
    }

    /// Whether a card is in hand.
    pub const fn holds(&self, card: Card) -> bool {
        self.hand[card.deck() as usize] & card.bit() != 0
    }
}

/// The blockade mark of an area at the end of Summer. Rule 14.22.
pub mod mark {
    /// A Trade Route is open.
    pub const NONE: u8 = 0;
    /// Only round Africa.
    pub const MED: u8 = 1;
    /// No Trade Route.
    pub const FULL: u8 = 2;
}

/// The season of a year in which a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Part {
    NewYear = 0,
    Spring = 1,
    Summer = 2,
    Fall = 3,
    Winter = 4,
}

impl Part {
    /// The season of the Action cards that are valid now.
    pub const fn season(self) -> Option<Season> {
        match self {
            Self::Spring => Some(Season::Spring),
            Self::Summer => Some(Season::Summer),
            Self::Fall => Some(Season::Fall),
            Self::NewYear | Self::Winter => None,
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["New Year", "Spring", "Summer", "Fall", "Winter"][self as usize]
    }
}

/// A declaration that the next move must fulfil. Ruling R41.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declared {
    /// War on a Faction.
    War(Faction),
    /// A Violation of Neutrality.
    Violation(u8),
    /// An Intervention.
    Intervention(u8),
}

/// The Player Turn under way. Rules 10.2, 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Whose.
    pub faction: Faction,
    /// Unit-moves left.
    pub moves: u8,
    /// An Emergency Command. Rule 10.11.
    pub emergency: bool,
    /// A Defensive Turn of a Passive Ally. Rule 18.
    pub defensive: bool,
    /// Whether declarations may still be made.
    pub may_declare: bool,
    /// Whether a war was declared this turn: all its units have FirstFire. Rule 15.2.
    pub surprise: bool,
    /// The declaration that the next move must fulfil.
    pub declared: Option<Declared>,
    /// Nations in which it has intervened, as a mask. Rule 15.423.
    pub interventions: u64,
    /// Where it committed Aggression, and seas that it must clear: Battles there are mandatory.
    pub aggression: AreaSet,
    /// Battles of this turn that are not Raids; nobody retreats there. Rule 12.5.
    pub battles: AreaSet,
    /// Battles declared and not yet resolved.
    pub open: AreaSet,
    /// Optional Battles about which the Active Player has not been asked yet.
    pub ask: AreaSet,
}

/// The Battle under way. Rule 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// Where.
    pub area: u8,
    /// The Enemies that take part.
    pub against: Parties,
    /// The current Combat Round, from 1.
    pub round: u8,
    /// The type that acts now.
    pub kind: Kind,
    /// Whether the second side of that type acts.
    pub second: bool,
    /// The acting block, while its dice are in the air.
    pub firing: u8,
    /// Whether it is a Carrier that leaves after its shot. Rule 12.74.
    pub striking: bool,
    /// Its target class; 4 is industry.
    pub class: u8,
    /// Hits to be placed.
    pub hits: u8,
    /// Where Enemies of the defenders came from. Rule 12.5.
    pub entries: AreaSet,
    /// Whose answer about the vault has been given this round.
    pub asked: Parties,
}

/// What a Production has done so far. Rule 7.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Spending {
    /// Points left.
    pub points: u8,
    /// Points spent on steps.
    pub steps: u8,
    /// Points spent on new Cadres.
    pub cadres: u8,
    /// Cards bought, by deck.
    pub cards: [u8; 2],
    /// The level of this Production.
    pub level: u8,
}

/// How a game ended. Rule 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// 25 VP. Rule 16.2.
    Economic(Faction),
    /// Two capitals of Rivals. Rule 16.3.
    Military(Faction),
    /// The bomb. Rule 16.4.
    Atomic(Faction),
    /// Most VP at the end of 1945. Rule 16.5.
    Hegemony(Faction),
    /// The same by several. Ruling R18.
    Shared(Parties),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The units.
    pub blocks: [Block; BLOCKS],
    /// How many units that have not Escaped each Faction has in an area; the fourth row are Neutral Fortresses.
    pub counts: [[u8; AREAS]; 4],
    /// Where each Faction (and Armed Minors) has units that have not Escaped.
    pub present: [AreaSet; 4],
    /// Where each Faction has Escaped Submarines.
    pub escaped: [AreaSet; 3],
    /// Who controls the land, as of the start of the phase: three Factions, Armed Minors. The rest is Neutral. Rule 1.14.
    pub control: [AreaSet; 4],
    /// In which order Factions came into a land area: two bits each, the first lowest, 1 for the Axis to 3 for the USSR.
    pub arrivals: [u8; LANDS],
    /// The nations.
    pub nations: [NationState; NATIONS],
    /// Which nations are Armed, as a mask.
    pub armed: u64,
    /// The Factions.
    pub factions: [FactionState; 3],
    /// Cards to draw, by deck.
    pub deck: [u64; 2],
    /// Cards discarded, by deck.
    pub discard: [u64; 2],
    /// Chits in the cup, by value.
    pub cup: [u8; 3],
    /// Ground units that crossed each border this phase, by Faction: two bits each. Rule 11.52.
    pub crossed: [[u8; BORDERS.div_ceil(4)]; 3],
    /// Blockade marks of Summer. Rule 14.22.
    pub marks: [u8; LANDS],
    /// Units still to be placed where a nation joins a Faction. Ruling R58.
    pub muster: AreaSet,
    /// The year, from 36.
    pub year: u8,
    /// The season.
    pub part: Part,
    /// Turn Order. Rule 7.14.
    pub order: [Faction; 3],
    /// Player Turns of the season that are still to come, in Command Order; the first is the next.
    pub turns: [Option<Faction>; 3],
    /// What is decided now.
    pub stage: Stage,
    /// The Faction whose step it is in phases that go round: an index into the Turn Order.
    pub at: u8,
    /// Passes in a row.
    pub passes: u8,
    /// The Player Turn under way.
    pub turn: Turn,
    /// The Battle under way.
    pub battle: Battle,
    /// The Production under way.
    pub spending: Spending,
    /// The block, or Power and type, that was picked and is to be placed or moved.
    pub picked: u8,
    /// USA groups that have arrived, from 0 to 3; 8.46 counts from the invasion on.
    pub usa_groups: u8,
    /// Whether the USA was brought in by force: its groups come year by year from then on. Rule 8.46.
    pub usa_forced: bool,
    /// The Active Ally of the game for two. Rule 18.
    pub active_ally: Option<Faction>,
    /// Whether the Passive Ally has played two cards for a full turn. Rule 18.
    pub passive_full: bool,
    /// The result.
    pub verdict: Option<Verdict>,
}

impl State {
    /// A Faction.
    #[inline]
    pub const fn of(&self, faction: Faction) -> &FactionState {
        &self.factions[faction.index()]
    }

    /// A Faction, to be changed.
    #[inline]
    pub const fn of_mut(&mut self, faction: Faction) -> &mut FactionState {
        &mut self.factions[faction.index()]
    }

    /// A nation.
    #[inline]
    pub const fn nation(&self, nation: u8) -> &NationState {
        &self.nations[nation as usize]
    }

    /// A nation, to be changed.
    #[inline]
    pub const fn nation_mut(&mut self, nation: u8) -> &mut NationState {
        &mut self.nations[nation as usize]
    }

    /// Whether two Factions are at war.
    #[inline]
    pub const fn at_war(&self, one: Faction, other: Faction) -> bool {
        self.of(one).enemies.has(other)
    }

    /// Who has units in an area that have not Escaped.
    #[inline]
    pub fn parties(&self, area: u8) -> Parties {
        let at = usize::from(area);
        let mut mask = 0;
        for (bit, counts) in self.counts.iter().enumerate() {
            mask |= u8::from(counts[at] > 0) << bit;
        }
        Parties(mask)
    }

    /// Who controls a land area.
    #[inline]
    pub fn controller(&self, area: u8) -> Parties {
        let mut mask = 0;
        for (bit, control) in self.control.iter().enumerate() {
            mask |= u8::from(control.has(area)) << bit;
        }
        Parties(mask)
    }

    /// Whether a Faction controls a land area.
    #[inline]
    pub const fn controls(&self, faction: Faction, area: u8) -> bool {
        self.control[faction.index()].has(area)
    }

    /// The row of [`counts`](Self::counts) of a block.
    #[inline]
    const fn row(block: usize) -> usize {
        match Power::of_block(block) {
            Some(power) => power.faction() as usize,
            None => 3,
        }
    }

    /// The Faction of a block; `None` for a Neutral Fortress.
    #[inline]
    pub const fn owner(block: usize) -> Option<Faction> {
        match Power::of_block(block) {
            Some(power) => Some(power.faction()),
            None => None,
        }
    }

    /// The blocks that stand in an area, with their numbers.
    #[inline]
    pub fn blocks_at(&self, area: u8) -> impl Iterator<Item = (usize, &Block)> {
        self.blocks.iter().enumerate().filter(move |(_, block)| block.area == area)
    }

    /// The blocks of a Faction that stand in an area.
    #[inline]
    pub fn own_at(&self, faction: Faction, area: u8) -> impl Iterator<Item = (usize, &Block)> {
        let range = crate::factions::blocks_of(faction);
        let first = range.start;
        let own = self.blocks[range].iter().enumerate();
        own.filter(move |(_, block)| block.area == area).map(move |(at, block)| (first + at, block))
    }

    /// Whether a Faction has a Ground unit in an area. Rule 11.551.
    pub fn ground_support(&self, faction: Faction, area: u8) -> bool {
        self.counts[faction.index()][usize::from(area)] > 0
            && self.own_at(faction, area).any(|(_, block)| block.kind.is_ground())
    }

    /// A block that is not on the map, of a Power.
    pub fn free_block(&self, power: Power) -> Option<usize> {
        power.blocks().find(|&block| !self.blocks[block].on_map())
    }

    /// A Neutral Fortress that is not on the map.
    fn free_fort(&self) -> Option<usize> {
        FORTS.clone().find(|&block| !self.blocks[block].on_map())
    }

    /// How many blocks of a type a Power has on the map.
    pub fn used(&self, power: Power, kind: Kind) -> u8 {
        let own = self.blocks[power.blocks()].iter();
        own.filter(|block| block.on_map() && block.kind == kind).count() as u8
    }

    /// Puts a new unit of a Power on the map; it takes the first free block, so that its number tells nothing.
    pub fn place(&mut self, power: Power, kind: Kind, cv: u8, area: u8) -> Option<usize> {
        let block = self.free_block(power)?;
        self.blocks[block] = Block { area, kind, cv, ..Block::FREE };
        self.arrive(block, area);
        Some(block)
    }

    /// Puts a Neutral Fortress on the map.
    pub fn place_fort(&mut self, cv: u8, area: u8) {
        if let Some(block) = self.free_fort() {
            self.blocks[block] =
                Block { area, kind: Kind::Fortress, cv, flags: flag::REVEALED, ..Block::FREE };
            self.arrive(block, area);
        }
    }

    /// The Neutral Fortress of an area.
    pub fn fort_at(&self, area: u8) -> Option<usize> {
        if self.counts[3][usize::from(area)] == 0 {
            return None;
        }
        FORTS.clone().find(|&block| self.blocks[block].area == area)
    }

    /// Counts a block in where it now stands.
    fn arrive(&mut self, block: usize, area: u8) {
        let row = Self::row(block);
        if self.blocks[block].is(flag::ESCAPED) {
            self.escaped[row].add(area);
            return;
        }
        let count = &mut self.counts[row][usize::from(area)];
        *count += 1;
        if *count == 1 {
            self.present[row].add(area);
            if let Some(order) = self.arrivals.get_mut(usize::from(area)).filter(|_| row < 3) {
                let mut at = 0;
                while *order >> at & 3 != 0 {
                    at += 2;
                }
                *order |= (row as u8 + 1) << at;
            }
        }
    }

    /// Counts a block out of where it stood.
    fn depart(&mut self, block: usize, area: u8) {
        let row = Self::row(block);
        if self.blocks[block].is(flag::ESCAPED) {
            let others = self
                .blocks_at(area)
                .any(|(other, unit)| other != block && Self::row(other) == row && unit.is(flag::ESCAPED));
            if !others {
                self.escaped[row].remove(area);
            }
            return;
        }
        let count = &mut self.counts[row][usize::from(area)];
        *count -= 1;
        if *count == 0 {
            self.present[row].remove(area);
            if let Some(order) = self.arrivals.get_mut(usize::from(area)).filter(|_| row < 3) {
                let mut at = 0;
                while *order >> at & 3 != row as u8 + 1 && at < 8 {
                    at += 2;
                }
                let below = *order & ((1 << at) - 1);
                let above = (u16::from(*order) >> (at + 2)) as u8;
                *order = below | above << at;
            }
        }
    }

    /// Moves a block to another area.
    pub fn relocate(&mut self, block: usize, to: u8) {
        let from = self.blocks[block].area;
        self.depart(block, from);
        self.blocks[block].area = to;
        self.arrive(block, to);
    }

    /// Takes a block off the map.
    pub fn remove(&mut self, block: usize) {
        let from = self.blocks[block].area;
        self.depart(block, from);
        self.blocks[block] = Block::FREE;
    }

    /// Lets a Submarine Escape, or come back.
    pub fn set_escaped(&mut self, block: usize, escaped: bool) {
        let area = self.blocks[block].area;
        self.depart(block, area);
        let flags = &mut self.blocks[block].flags;
        *flags = if escaped { *flags | flag::ESCAPED } else { *flags & !flag::ESCAPED };
        self.arrive(block, area);
    }

    /// The Faction that came first to a land area and still has units there.
    pub fn first_arrival(&self, area: u8) -> Option<Faction> {
        match self.arrivals[usize::from(area)] & 3 {
            0 => None,
            first => Some(Faction::at(usize::from(first) - 1)),
        }
    }

    /// Puts a Faction first among those that stand in a land area: its unit takes the place of one that was there before
    /// all others. Ruling R105.
    pub fn put_first(&mut self, faction: Faction, area: u8) {
        let own = faction as u8 + 1;
        let order = self.arrivals[usize::from(area)];
        let others = (0..3).map(|at| order >> (2 * at) & 3).filter(|other| *other != 0 && *other != own);
        let places = std::iter::once(own).chain(others).enumerate();
        self.arrivals[usize::from(area)] = places.fold(0, |all, (at, other)| all | other << (2 * at));
    }

    /// Ground units of a Faction that have crossed a border this phase.
    pub const fn crossings(&self, faction: Faction, border: u16) -> u8 {
        self.crossed[faction.index()][border as usize / 4] >> (border % 4 * 2) & 3
    }

    /// Counts a crossing.
    pub fn cross(&mut self, faction: Faction, border: u16) {
        if self.crossings(faction, border) < 3 {
            self.crossed[faction.index()][usize::from(border) / 4] += 1 << (border % 4 * 2);
        }
    }

    /// The total CV of a Faction on the map, which everybody can count. Ruling R47.
    pub fn total_cv(&self, faction: Faction) -> u16 {
        let own = self.blocks[crate::factions::blocks_of(faction)].iter();
        own.map(|block| u16::from(block.cv)).sum()
    }

    /// Moves a card to the discards.
    pub fn discard(&mut self, card: Card) {
        self.discard[card.deck() as usize] |= card.bit();
    }
}
