//! A position: flat, `Copy`, without pointers. Rules 19.1.

use crate::areas::{AREAS, AreaSet, BORDERS, LANDS, NATIONS};
use crate::cards::Card;
use crate::factions::{BLOCKS, FORTS, Faction, Parties, Power};
use crate::stage::Stage;
use crate::units::Kind;

pub use crate::block::{Block, flag};
pub use crate::standing::{FactionState, NationState, Status, VAULT, VaultPair};
pub use crate::turn::{Battle, Declared, Part, Spending, Turn, Verdict, mark};

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
