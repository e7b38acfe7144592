//! Which units are where and may do something, as sets. They are kept from one question to the next and follow the journal of the
//! units, so that a question about all units of a side costs what has changed since the last one and not a walk over all counters.

use std::cell::RefCell;

use crate::bits::UnitSet;
use crate::ids::{Country, Faction, Place, Side, UNITS};
use crate::rules::Rules;
use crate::state::{State, Unit, flag};
use crate::tracked::Stamp;
use crate::world::World;

thread_local! {
    /// The last muster.
    static LAST: RefCell<Muster> = const { RefCell::new(Muster::NOTHING) };
}

/// The units of a position by what they are and may do, of whatever side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Muster {
    /// The stamp of the units it was read off.
    stamp: Stamp,
    /// Those on the map or in a Map Box.
    pub on_map: UnitSet,
    /// Those that belong to the United Kingdom instead of the country printed on them (13.4).
    pub free: UnitSet,
    /// Those that were activated, or moved in the Strategic Movement Phase (6.1, 4.8).
    pub done: UnitSet,
    /// Those that moved in the Strategic Movement Phase (4.8).
    pub railed: UnitSet,
    /// Air and naval units that can't act any more: their activation has ended, they moved in the Strategic Movement Phase, or
    /// have too many Sorties (3.1, 4.8). Ground units are here or not, it says nothing.
    pub unfit: UnitSet,
    /// Those that the Supply Check under way has settled.
    pub checked: UnitSet,
    /// Those on the map that are reduced or have Sorties.
    pub worn: UnitSet,
    /// Those in a Mobilization Box.
    pub pooled: UnitSet,
}

impl Muster {
    const NOTHING: Self = Self {
        stamp: Stamp::NONE,
        on_map: UnitSet::EMPTY,
        free: UnitSet::EMPTY,
        done: UnitSet::EMPTY,
        railed: UnitSet::EMPTY,
        unfit: UnitSet::EMPTY,
        checked: UnitSet::EMPTY,
        worn: UnitSet::EMPTY,
        pooled: UnitSet::EMPTY,
    };

    /// The muster of a position.
    pub fn of(state: &State) -> Self {
        Self::ask(state, |muster| *muster)
    }

    /// The units that belong to the United Kingdom instead of the country printed on them.
    pub fn free_of(state: &State) -> UnitSet {
        Self::ask(state, |muster| muster.free)
    }

    #[inline]
    fn ask<R>(state: &State, question: impl FnOnce(&Self) -> R) -> R {
        LAST.with_borrow_mut(|last| {
            if !last.stamp.is_same(state.units.stamp()) {
                last.read(state);
            }
            question(last)
        })
    }

    fn read(&mut self, state: &State) {
        let most = World::get().tables.production.max_sorties;
        let units = state.units.get();
        let mut last = usize::MAX;
        let is_known = state.units.changes_since(self.stamp, |at| {
            // Most units are changed several times in a row.
            if std::mem::replace(&mut last, at) == at {
                return;
            }
            let says = says_of(&units[at], most);
            self.sets().into_iter().zip(says).for_each(|(set, is)| set.set_number(at, is));
        });
        if !is_known {
            self.read_all(units, most);
        }
        self.stamp = state.units.stamp();
    }

    /// Reads all units, as many at once as a word of a set holds.
    fn read_all(&mut self, units: &[Unit; UNITS], max_sorties: u8) {
        for (word, units) in units.chunks(64).enumerate() {
            let mut words = [0_u64; KINDS];
            for (at, unit) in units.iter().enumerate() {
                let says = says_of(unit, max_sorties);
                words.iter_mut().zip(says).for_each(|(word, is)| *word |= u64::from(is) << at);
            }
            self.sets().into_iter().zip(words).for_each(|(set, of)| set.set_word(word, of));
        }
    }

    /// The sets, in the order of [`says_of`].
    const fn sets(&mut self) -> [&mut UnitSet; KINDS] {
        [
            &mut self.on_map,
            &mut self.free,
            &mut self.done,
            &mut self.railed,
            &mut self.unfit,
            &mut self.checked,
            &mut self.worn,
            &mut self.pooled,
        ]
    }
}

/// How many sets there are.
const KINDS: usize = 8;

/// In which of [`Muster::sets`] a unit is.
#[inline]
const fn says_of(unit: &Unit, max_sorties: u8) -> [bool; KINDS] {
    let is_on_map = unit.on_map();
    [
        is_on_map,
        unit.has(flag::FREE),
        unit.has(flag::DONE | flag::RAILED),
        unit.has(flag::RAILED),
        unit.has(flag::ENDED | flag::RAILED) || unit.level >= max_sorties,
        unit.has(flag::CHECKED),
        is_on_map && unit.level > 0,
        unit.place.0 == Place::POOL.0,
    ]
}

impl Rules {
    /// The units on the map that the player of a faction moves.
    pub(crate) fn own_on_map(&self, state: &State, faction: Faction) -> UnitSet {
        self.on_map_of(state, &Muster::of(state), |side| side.player() == faction)
    }

    /// The units of some sides on the map, of those in a muster.
    pub(crate) fn on_map_of(
        &self,
        state: &State,
        muster: &Muster,
        is_wanted: impl Fn(Side) -> bool,
    ) -> UnitSet {
        self.on_map_by_country(muster, |country| is_wanted(state.country(country).side))
    }

    /// The units of some countries on the map, of those in a muster.
    pub(crate) fn on_map_by_country(&self, muster: &Muster, is_wanted: impl Fn(Country) -> bool) -> UnitSet {
        let mut found = UnitSet::EMPTY;
        for (country, units) in Country::all().zip(self.of_country.iter()) {
            if is_wanted(country) {
                found = found.or(units);
            }
        }
        if !muster.free.is_empty() {
            found = found.minus(&muster.free);
            if is_wanted(Country::UK) {
                found = found.or(&muster.free);
            }
        }
        found.and(&muster.on_map)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, LabDice};

    use super::*;
    use crate::ids::UnitId;
    use crate::testing::Wars;

    /// What a muster says of each unit is what its counter says, in wars that go on at random and are looked at now and then.
    #[test]
    fn a_muster_says_what_the_counters_say() {
        let (mut wars, mut dice) = (Wars::of(&["main-event-1939", "france-1944"]), LabDice::new(5));
        let mut seen = [0; 8];
        for _ in 0..1500 {
            let (rules, mut state) = wars.go_on(&mut dice, 30);
            // Few wars come to Free Forces, so somebody changes sides where it stands.
            state.unit_mut(UnitId(dice.below(UNITS as u32) as u16)).flags ^= flag::FREE;
            let state = &state;
            let muster = Muster::of(state);
            for unit in UnitId::all() {
                let entry = state.unit(unit);
                let said = [
                    &muster.on_map,
                    &muster.free,
                    &muster.done,
                    &muster.unfit,
                    &muster.checked,
                    &muster.worn,
                    &muster.pooled,
                    &muster.railed,
                ];
                let is_done = entry.has(flag::DONE | flag::RAILED);
                let is_unfit = !rules.is_fit(state, unit) || entry.has(flag::RAILED);
                let is = [
                    entry.on_map(),
                    entry.has(flag::FREE),
                    is_done,
                    is_unfit,
                    entry.has(flag::CHECKED),
                    entry.on_map() && entry.level > 0,
                    entry.place == Place::POOL,
                    entry.has(flag::RAILED),
                ];
                for (kind, (said, is)) in said.into_iter().zip(is).enumerate() {
                    // Whether a unit that is nowhere is fit says nothing.
                    if kind != 3 || entry.on_map() {
                        assert_eq!(said.has(unit), is, "{kind} of {unit:?}");
                        seen[kind] += usize::from(is);
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|count| count > 100), "{seen:?}");
    }
}
