//! What must hold in every position.

use crate::areas::{AreaSet, LANDS};
use crate::cards::{Card, Deck};
use crate::factions::{BLOCKS, Faction, POWER_BLOCKS, Power, blocks_of};
use crate::rules::Rules;
use crate::set_up::CHITS;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::units::Kind;
use crate::world::Atlas;

impl Rules {
    /// The first thing that does not hold.
    pub fn invariants(&self, state: &State) -> Result<(), String> {
        self.check_blocks(state)?;
        self.check_counts(state)?;
        self.check_cards(state)?;
        self.check_control(state)?;
        if state.verdict.is_some() != (state.stage == Stage::Over) {
            return Err(format!("verdict {:?} in stage {:?}", state.verdict, state.stage));
        }
        let mut chits = state.cup;
        for own in &state.factions {
            for (sum, count) in chits.iter_mut().zip(own.chits) {
                *sum += count;
            }
        }
        if chits != CHITS {
            return Err(format!("chits {chits:?}"));
        }
        for (at, own) in state.factions.iter().enumerate() {
            if own.ind > crate::economy::MOST || own.raises > 2 {
                return Err(format!("{} has IND {}, {} raises", Faction::at(at), own.ind, own.raises));
            }
            if own.enemies.factions().any(|enemy| !state.of(enemy).enemies.has(Faction::at(at))) {
                return Err("a war of one side".to_owned());
            }
        }
        Ok(())
    }

    /// Blocks of a nation never exceed its mix; every unit is where it can be.
    fn check_blocks(&self, state: &State) -> Result<(), String> {
        for power in Power::ALL {
            let pool = self.atlas().pools[power.index()];
            for kind in Kind::ALL {
                let used = state.used(power, kind);
                if used > pool[kind.index()] {
                    return Err(format!("{used} blocks of {} {}", power.title(), kind.title()));
                }
            }
        }
        for faction in Faction::ALL {
            let mut forts = AreaSet::EMPTY;
            for block in blocks_of(faction) {
                let unit = &state.blocks[block];
                let Some(power) = Power::of_block(block).filter(|_| unit.on_map()) else { continue };
                let name = || {
                    format!(
                        "{} {} in {}",
                        power.title(),
                        unit.kind.title(),
                        self.atlas().area(unit.area).name
                    )
                };
                if unit.cv == 0 || unit.cv > self.atlas().max_cv[power.index()] {
                    return Err(format!("{} has CV {}", name(), unit.cv));
                }
                let at_sea = Atlas::is_sea(unit.area);
                let inland = !at_sea && !self.atlas().area(unit.area).coastal;
                if (unit.kind.is_ship() && inland) || (unit.kind == Kind::Fortress && at_sea) {
                    return Err(name());
                }
                if unit.kind == Kind::Fortress {
                    if forts.has(unit.area) {
                        return Err(format!("two Fortresses: {}", name()));
                    }
                    forts.add(unit.area);
                }
                if unit.is(flag::ESCAPED) && (unit.kind != Kind::Submarine || !at_sea) {
                    return Err(format!("{} has Escaped", name()));
                }
            }
        }
        Ok(())
    }

    /// The counts by area agree with the blocks.
    fn check_counts(&self, state: &State) -> Result<(), String> {
        let mut copy = *state;
        copy.counts = [[0; crate::areas::AREAS]; 4];
        (copy.present, copy.escaped) = ([AreaSet::EMPTY; 4], [AreaSet::EMPTY; 3]);
        for block in 0..BLOCKS {
            let unit = &state.blocks[block];
            if !unit.on_map() {
                if *unit != crate::state::Block::FREE {
                    return Err(format!("block {block} is off the map and not clean: {unit:?}"));
                }
                continue;
            }
            let row = State::owner(block).map_or(3, Faction::index);
            if unit.is(flag::ESCAPED) {
                copy.escaped[row].add(unit.area);
            } else {
                copy.counts[row][usize::from(unit.area)] += 1;
                copy.present[row].add(unit.area);
            }
            if block >= POWER_BLOCKS && unit.kind != Kind::Fortress {
                return Err("a Minor has a unit that is no fort".to_owned());
            }
        }
        if copy.counts != state.counts || copy.present != state.present || copy.escaped != state.escaped {
            return Err("units are counted wrongly".to_owned());
        }
        for area in 0..LANDS {
            let mut listed: Vec<u8> =
                (0..4).map(|at| state.arrivals[area] >> (2 * at) & 3).filter(|f| *f != 0).collect();
            listed.sort_unstable();
            let there: Vec<u8> =
                (0..3).filter(|row| state.counts[usize::from(*row)][area] > 0).map(|row| row + 1).collect();
            if listed != there {
                return Err(format!(
                    "{}: arrivals {listed:?}, there are {there:?}",
                    self.atlas().areas[area].name
                ));
            }
        }
        Ok(())
    }

    /// Every card is in exactly one place.
    fn check_cards(&self, state: &State) -> Result<(), String> {
        for deck in Deck::ALL {
            let at = deck as usize;
            let mut seen = 0_u64;
            let mut twice = 0_u64;
            let mut add = |mask: u64| {
                twice |= seen & mask;
                seen |= mask;
            };
            add(state.deck[at]);
            add(state.discard[at]);
            for own in &state.factions {
                add(own.hand[at]);
                add(own.stack[at]);
                match deck {
                    Deck::Action => add(own.in_play),
                    Deck::Investment => {
                        add(own.kept);
                        for pair in own.vault() {
                            pair.cards.iter().for_each(|card| add(card.bit()));
                        }
                    }
                }
                if let Some(card) = own.committed.filter(|card| card.deck() == deck) {
                    add(card.bit());
                }
            }
            if let Some(card) = Self::card_in_the_air(state).filter(|card| card.deck() == deck) {
                add(card.bit());
            }
            if twice != 0 || seen != self.world.all_cards(deck) {
                let missing = self.world.all_cards(deck) & !seen;
                return Err(format!("{} cards: {twice:b} twice, {missing:b} nowhere", deck.title()));
            }
        }
        Ok(())
    }

    /// The Intelligence card that has been played and is not settled yet.
    pub(crate) fn card_in_the_air(state: &State) -> Option<Card> {
        match state.stage {
            Stage::DoubleAgent(card, ..) | Stage::Turned(card, ..) | Stage::Mole(card, ..) => Some(card),
            _ => None,
        }
    }

    /// Nobody controls what another controls.
    fn check_control(&self, state: &State) -> Result<(), String> {
        for one in 0..4 {
            for other in 0..one {
                if state.control[one].meets(state.control[other]) {
                    return Err("an area has two controllers".to_owned());
                }
            }
            if state.control[one].meets(AreaSet::SEA) {
                return Err("a sea is controlled".to_owned());
            }
        }
        Ok(())
    }
}
