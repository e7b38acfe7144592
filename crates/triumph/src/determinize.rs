//! Full positions that agree with a view: hidden blocks, cards and chits are dealt out anew, by construction and without
//! rejection.

use kernel::Dice;

use crate::areas::{AreaSet, bits, nth_bit};
use crate::cards::{Card, Deck, Research, Tech};
use crate::factions::{Faction, Power};
use crate::rules::Rules;
use crate::set_up::CHITS;
use crate::stage::Stage;
use crate::state::{State, VaultPair, flag};
use crate::units::{KINDS, Kind};
use crate::view::View;
use crate::world::Atlas;

/// How likely a hidden unit is of each type, before the pool is looked at: on land without a coast, on a coast, at sea.
const MIX: [[u8; KINDS]; 3] = [[3, 4, 0, 0, 0, 5, 9], [3, 3, 1, 2, 4, 3, 8], [0, 1, 2, 5, 6, 2, 5]];

/// What a hidden block can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    Inland,
    Coast,
    Sea,
    /// At sea and Engaged: no Convoys.
    Battle,
    /// An Escaped Submarine.
    Escaped,
    /// In an Enemy's land where nothing else can be the Ground unit without which the others would have had to leave (12.52).
    Foothold,
}

impl Spot {
    fn allows(self, kind: Kind) -> bool {
        match self {
            Self::Inland => !kind.is_ship(),
            Self::Coast => true,
            Self::Sea => kind != Kind::Fortress,
            Self::Battle => kind.is_ans(),
            Self::Escaped => kind == Kind::Submarine,
            Self::Foothold => kind.is_troop(),
        }
    }

    const fn weights(self) -> [u8; KINDS] {
        match self {
            Self::Inland | Self::Foothold => MIX[0],
            Self::Coast => MIX[1],
            Self::Sea | Self::Battle | Self::Escaped => MIX[2],
        }
    }

    /// The most constrained are filled first.
    const fn rank(self) -> u8 {
        match self {
            Self::Escaped | Self::Foothold => 0,
            Self::Battle => 1,
            Self::Inland => 2,
            Self::Sea => 3,
            Self::Coast => 4,
        }
    }
}

impl Rules {
    /// A full position that is consistent with a view.
    pub fn determinize<D: Dice>(&self, view: &View, dice: &mut D) -> State {
        let mut state = *view.state();
        let hidden = Faction::ALL.into_iter().filter(|faction| !view.knows(*faction));
        for faction in hidden.clone() {
            self.guess_units(&mut state, faction, dice);
            self.guess_strengths(&mut state, faction, view.counted(faction).cv, dice);
        }
        if !view.knows(state.turn.faction) {
            // Battles that have not been selected are Raids if the guess has no Ground unit there.
            let ground = Self::ground_units(&state)[state.turn.faction.index()];
            let raids = state.turn.open.and(AreaSet::LAND).minus(ground);
            state.turn.battles = state.turn.battles.minus(raids);
        }
        if hidden.clone().next().is_some() {
            self.guess_cards(&mut state, view, dice);
            self.guess_chits(&mut state, view, dice);
        }
        state
    }

    fn spot(&self, block: &crate::state::Block) -> Spot {
        match () {
            () if block.is(flag::ESCAPED) => Spot::Escaped,
            () if !Atlas::is_sea(block.area) => {
                if self.atlas().area(block.area).coastal {
                    Spot::Coast
                } else {
                    Spot::Inland
                }
            }
            () if block.is(flag::ENGAGED | flag::WAITING) => Spot::Battle,
            () => Spot::Sea,
        }
    }

    /// Types for the hidden units of a Faction, within what its pools hold.
    fn guess_units<D: Dice>(&self, state: &mut State, faction: Faction, dice: &mut D) {
        let mut forts = AreaSet::EMPTY;
        for block in crate::factions::blocks_of(faction) {
            let unit = &state.blocks[block];
            if unit.on_map() && !unit.is_hidden() && unit.kind == Kind::Fortress {
                forts.add(unit.area);
            }
        }
        let mut footholds = self.footholds(state, faction);
        for &power in Power::of(faction) {
            let mut left = self.atlas().pools[power.index()];
            let mut order: Vec<(Spot, usize)> = Vec::new();
            for block in power.blocks() {
                let unit = &state.blocks[block];
                if unit.is_hidden() {
                    let spot = match footholds.has(unit.area) {
                        true => Spot::Foothold,
                        false => self.spot(unit),
                    };
                    footholds.remove(unit.area);
                    order.push((spot, block));
                } else if unit.on_map() {
                    left[unit.kind.index()] = left[unit.kind.index()].saturating_sub(1);
                }
            }
            order.sort_by_key(|(spot, block)| (spot.rank(), *block));
            if !self.deal_types(state, &order, left, forts, false, dice) {
                // Chance has used up what the last ones needed: Fortresses and ships first wherever they fit.
                self.deal_types(state, &order, left, forts, true, dice);
            }
            for (_, block) in order {
                let unit = &state.blocks[block];
                if unit.kind == Kind::Fortress {
                    forts.add(unit.area);
                }
            }
        }
    }

    /// Land that hidden units of a Faction hold against its owner, or stayed in though an Enemy controls it, with no known Ground
    /// unit among them. Ruling R3.
    fn footholds(&self, state: &State, faction: Faction) -> AreaSet {
        let enemies = state.of(faction).enemies;
        let (mut held, mut settled) = (AreaSet::EMPTY, AreaSet::EMPTY);
        for block in crate::factions::blocks_of(faction) {
            let unit = &state.blocks[block];
            if !unit.on_map() || Atlas::is_sea(unit.area) {
                continue;
            }
            let passes = unit.is(flag::MOVED | flag::ENGAGED | flag::WAITING);
            if passes || !unit.is_hidden() && unit.kind.is_ground() {
                settled.add(unit.area);
            } else if unit.is_hidden() {
                let owner = state.nation(self.atlas().nation_of(unit.area)).holder;
                let occupied = state.controls(faction, unit.area) && owner != Some(faction);
                if occupied || !state.controller(unit.area).common(enemies).is_empty() {
                    held.add(unit.area);
                }
            }
        }
        held.minus(settled)
    }

    /// Deals types to blocks; `false` if the last ones had none left.
    fn deal_types<D: Dice>(
        &self,
        state: &mut State,
        order: &[(Spot, usize)],
        mut left: [u8; KINDS],
        mut forts: AreaSet,
        sparing: bool,
        dice: &mut D,
    ) -> bool {
        for &(spot, block) in order {
            let area = state.blocks[block].area;
            let moved = state.blocks[block].is(flag::MOVED);
            let mut weights = [0_u32; KINDS];
            for kind in Kind::ALL {
                let at = kind.index();
                let fits = left[at] > 0
                    && spot.allows(kind)
                    && !(kind == Kind::Fortress && (forts.has(area) || (moved && !sparing)));
                if fits {
                    let special = kind == Kind::Fortress || kind.is_ship();
                    weights[at] = match sparing {
                        true if special => 1_000,
                        true => 1,
                        false => u32::from(spot.weights()[at].max(1)) * u32::from(left[at]),
                    };
                }
            }
            let total: u32 = weights.iter().sum();
            if total == 0 {
                return false;
            }
            let mut ticket = dice.below(total);
            let mut kind = Kind::Infantry;
            for (at, weight) in weights.iter().enumerate() {
                if ticket < *weight {
                    kind = Kind::at(at);
                    break;
                }
                ticket -= weight;
            }
            left[kind.index()] -= 1;
            if kind == Kind::Fortress {
                forts.add(area);
            }
            state.blocks[block].kind = kind;
        }
        true
    }

    /// Strengths for the hidden units of a Faction, which add up to the total that everybody can count.
    fn guess_strengths<D: Dice>(&self, state: &mut State, faction: Faction, total: u16, dice: &mut D) {
        let mut hidden: Vec<(usize, u8)> = Vec::new();
        let mut known = 0;
        for block in crate::factions::blocks_of(faction) {
            let unit = &mut state.blocks[block];
            if unit.is_hidden() {
                unit.cv = 1;
                let most = Power::of_block(block).map_or(1, |power| self.atlas().max_cv[power.index()]);
                hidden.push((block, most));
            }
            known += u16::from(unit.cv);
        }
        let mut spare = total.saturating_sub(known);
        while spare > 0 && !hidden.is_empty() {
            let at = dice.below(hidden.len() as u32) as usize;
            let (block, most) = hidden[at];
            if state.blocks[block].cv < most {
                state.blocks[block].cv += 1;
                spare -= 1;
            } else {
                hidden.swap_remove(at);
            }
        }
    }

    /// Deals unseen cards to vaults, hands, committed cards, stacks and decks.
    fn guess_cards<D: Dice>(&self, state: &mut State, view: &View, dice: &mut D) {
        let mut unseen = Deck::ALL.map(|deck| self.unseen(state, deck));
        for faction in Faction::ALL.into_iter().filter(|faction| !view.knows(*faction)) {
            for slot in 0..usize::from(view.counted(faction).vault) {
                if state.of(faction).vault[slot].is_none() {
                    let pair = self.guess_pair(state, faction, &mut unseen[1], dice);
                    state.of_mut(faction).vault[slot] = pair;
                }
            }
        }
        let paying = self.guess_payment(state, view, &mut unseen[0], dice);
        for faction in Faction::ALL {
            let counted = view.counted(faction);
            if !view.knows(faction) {
                let mut hands = [0; 2];
                if let Some((_, card)) = paying.filter(|(payer, _)| *payer == faction) {
                    hands[0] = card;
                }
                for ((hand, unseen), count) in hands.iter_mut().zip(&mut unseen).zip(counted.hand) {
                    *hand |= deal(unseen, count.saturating_sub(hand.count_ones() as u8), dice);
                }
                state.of_mut(faction).hand = hands;
                if counted.committed && state.of(faction).committed.is_none() {
                    self.guess_command(state, faction, dice);
                }
            }
            for (deck, unseen) in unseen.iter_mut().enumerate() {
                state.of_mut(faction).stack[deck] = deal(unseen, counted.stack[deck], dice);
            }
        }
        state.deck = unseen;
    }

    /// An Ally that pays for a war holds a card of the season. Rule 18.
    fn guess_payment<D: Dice>(
        &self,
        state: &State,
        view: &View,
        unseen: &mut u64,
        dice: &mut D,
    ) -> Option<(Faction, u64)> {
        let payer = state.turn.faction;
        if view.knows(payer) || !matches!(state.stage, Stage::WarCard(_)) {
            return None;
        }
        let valid = state.part.season().map_or(0, |season| self.seasons[season as usize]);
        let card = deal(&mut (*unseen & valid), 1, dice);
        *unseen &= !card;
        Some((payer, card))
    }

    /// One of a Rival's cards is its Command card: an Action card if it has one.
    fn guess_command<D: Dice>(&self, state: &mut State, faction: Faction, dice: &mut D) {
        let own = state.of_mut(faction);
        let deck = if own.hand[0] != 0 { Deck::Action } else { Deck::Investment };
        let hand = &mut own.hand[deck as usize];
        if *hand != 0 {
            let card = Card::new(deck, nth_bit(*hand, dice.below(hand.count_ones())));
            *hand &= !card.bit();
            own.committed = Some(card);
        }
    }

    /// The cards of a deck that the viewer has not seen.
    fn unseen(&self, state: &State, deck: Deck) -> u64 {
        let at = deck as usize;
        let mut seen = state.discard[at];
        for own in &state.factions {
            seen |= own.hand[at];
            match deck {
                Deck::Action => seen |= own.in_play,
                Deck::Investment => {
                    seen |= own.kept;
                    seen |=
                        own.vault().fold(0, |mask, pair| mask | pair.cards[0].bit() | pair.cards[1].bit());
                }
            }
            if let Some(card) = own.committed.filter(|card| card.deck() == deck) {
                seen |= card.bit();
            }
        }
        if let Some(card) = Self::card_in_the_air(state).filter(|card| card.deck() == deck) {
            seen |= card.bit();
        }
        self.world.all_cards(deck) & !seen
    }

    /// A pair that a Rival may have in its vault.
    fn guess_pair<D: Dice>(
        &self,
        state: &State,
        faction: Faction,
        unseen: &mut u64,
        dice: &mut D,
    ) -> Option<VaultPair> {
        let own = state.of(faction);
        let known = own.techs | own.secret_techs();
        let first = dice.below(Tech::ALL.len() as u32) as usize;
        for turn in 0..Tech::ALL.len() {
            let tech = Tech::at((first + turn) % Tech::ALL.len());
            if known & tech.bit() != 0 {
                continue;
            }
            let shows = bits(*unseen).filter(|index| {
                let research = self.world.decks.investments[usize::from(*index)].research;
                matches!(research, Research::Tech(techs, _) if techs & tech.bit() != 0)
            });
            let mut two = shows.take(2);
            if let (Some(one), Some(other)) = (two.next(), two.next()) {
                *unseen &= !(1 << one | 1 << other);
                let cards = [Card::new(Deck::Investment, one), Card::new(Deck::Investment, other)];
                return Some(VaultPair { tech, cards });
            }
        }
        // No two cards of a technology are left unseen: a Science card must have been used.
        let tech = Tech::ALL.into_iter().find(|tech| known & tech.bit() == 0)?;
        let one = bits(*unseen).next()?;
        let other = bits(*unseen).nth(1)?;
        *unseen &= !(1 << one | 1 << other);
        Some(VaultPair {
            tech,
            cards: [Card::new(Deck::Investment, one), Card::new(Deck::Investment, other)],
        })
    }

    fn guess_chits<D: Dice>(&self, state: &mut State, view: &View, dice: &mut D) {
        let mut left = CHITS;
        for own in &state.factions {
            for (left, count) in left.iter_mut().zip(own.chits) {
                *left -= count;
            }
        }
        for faction in Faction::ALL.into_iter().filter(|faction| !view.knows(*faction)) {
            for _ in 0..view.counted(faction).chits {
                let total: u32 = left.iter().map(|count| u32::from(*count)).sum();
                let mut ticket = dice.below(total.max(1));
                for (value, left) in left.iter_mut().enumerate() {
                    let count = u32::from(*left);
                    if ticket < count {
                        *left -= 1;
                        state.of_mut(faction).chits[value] += 1;
                        break;
                    }
                    ticket -= count;
                }
            }
        }
        state.cup = left;
    }
}

/// Takes some cards out of those unseen.
fn deal<D: Dice>(unseen: &mut u64, count: u8, dice: &mut D) -> u64 {
    let mut hand = 0;
    for _ in 0..count {
        if *unseen == 0 {
            break;
        }
        let card = 1 << nth_bit(*unseen, dice.below(unseen.count_ones()));
        *unseen &= !card;
        hand |= card;
    }
    hand
}
