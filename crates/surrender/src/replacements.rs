//! Replacements and upgrades. Rules 8.1, 8.2.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Faction, Place, Side, UnitId};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::state::{State, Supply, flag};
use crate::world::Avail;

impl Rules {
    /// Phase 8.
    pub(crate) fn begin_replacements(&self, state: &mut State, faction: Faction) {
        if self.replaceable(state, faction).next().is_some() {
            state.push(Frame::Replace(faction));
        }
    }

    /// The units for which a faction can buy a replacement: a reduced field unit that has supply, once a turn; an air or naval
    /// unit with Sorties, twice. Each country pays for its own (9.2).
    fn replaceable<'s>(&'s self, state: &'s State, faction: Faction) -> impl Iterator<Item = UnitId> + 's {
        let muster = Muster::of(state);
        let own = self.on_map_of(state, &muster, |side| side != Side::Nobody && side.player() == faction);
        own.and(&muster.worn).units().filter(move |unit| {
            let entry = state.unit(*unit);
            let kind = self.kind(*unit);
            let cost = self.world.tables.production.replacement[kind as usize];
            let may = if kind.is_ground() {
                kind.is_field() && entry.supply != Supply::No && !entry.has(flag::REPLACED)
            } else {
                !entry.has(flag::REPLACED_TWICE)
            };
            may && cost > 0 && state.country(self.country_of(state, *unit)).points >= cost
        })
    }

    /// The choices of [`Frame::Replace`].
    pub(crate) fn list_replacements(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        out.extend(self.replaceable(state, faction).map(Choice::Replace));
        out.push(Choice::Pass);
    }

    /// A replacement is bought, or no more are.
    pub(crate) fn play_replacement<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        choice: Choice,
        sink: &mut S,
    ) {
        let Choice::Replace(unit) = choice else {
            state.pop();
            return;
        };
        let production = &self.world.tables.production;
        let kind = self.kind(unit);
        let cost = production.replacement[kind as usize];
        let country = self.country_of(state, unit);
        state.country_mut(country).points -= cost;
        let entry = state.unit_mut(unit);
        let sorties = if kind.is_ground() { 1 } else { production.replaced_sorties };
        entry.level = entry.level.saturating_sub(sorties);
        entry.flags |= if entry.has(flag::REPLACED) { flag::REPLACED_TWICE } else { flag::REPLACED };
        sink.emit(|| GameEvent::Replaced(unit, cost));
        if self.replaceable(state, faction).next().is_none() {
            state.pop();
        }
    }

    /// Whether units come and change by the dates of `units.toml`: not in scenarios that list their own (30.1).
    pub(crate) fn goes_by_date(&self) -> bool {
        self.scenario().country_setup != 0
    }

    /// Phase 9: a unit takes the place of another from its turn on, as soon as that one is on the map in Full Supply or in the
    /// Mobilization Box (8.2).
    pub(crate) fn upgrade<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if !self.goes_by_date() {
            return;
        }
        for unit in UnitId::all() {
            let Avail::Upgrade(old, turn) = self.info(unit).avail else { continue };
            let before = *state.unit(old);
            let ripe = before.place == Place::POOL || before.on_map() && before.supply == Supply::Full;
            if state.turn < turn || state.unit(unit).place != Place::LATER || !ripe {
                continue;
            }
            self.lift(state, old);
            self.put(state, unit, before.place);
            let entry = state.unit_mut(unit);
            (entry.level, entry.supply, entry.flags) = (before.level, before.supply, before.flags);
            let gone = state.unit_mut(old);
            (gone.level, gone.supply, gone.flags) = (0, Supply::Full, 0);
            sink.emit(|| GameEvent::Upgraded(old, unit));
        }
    }
}
