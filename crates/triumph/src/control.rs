//! Who controls what: snapshots, captures, defeats. Rules 1.14, 1.121, 2.22, 15.421; rulings R3, R34, R35, R70, R78.

use kernel::EventSink;

use crate::areas::{AreaSet, NONE};
use crate::factions::{Faction, Parties, blocks_of};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{State, Status, flag, mark};
use crate::world::NationKind;

impl Rules {
    /// Takes the snapshot of control at the start of a phase. Rule 1.14.
    pub(crate) fn snapshot(&self, state: &mut State) {
        let control = self.control_now(state);
        for (old, new) in state.control.iter().zip(&control) {
            // Change of control erases a blockade mark. Rule 14.22.
            for area in old.minus(*new) {
                state.marks[usize::from(area)] = mark::NONE;
            }
        }
        state.control = control;
    }

    /// Hides units again that lie face up though no Enemy is left beside them. Rule 12.24.
    pub(crate) fn hide_winners(&self, state: &mut State) {
        for faction in Faction::ALL {
            let own = blocks_of(faction);
            if !state.blocks[own.clone()].iter().any(|block| block.is(flag::REVEALED)) {
                continue;
            }
            let foes = self.foes(state, faction);
            for block in &mut state.blocks[own] {
                if block.on_map() && block.is(flag::REVEALED) && !foes.has(block.area) {
                    block.flags &= !flag::REVEALED;
                }
            }
        }
    }

    /// Control as the units stand now.
    pub(crate) fn control_now(&self, state: &State) -> [AreaSet; 4] {
        let mut control = [AreaSet::EMPTY; 4];
        for (nation, info) in state.nations.iter().zip(&self.atlas().nations) {
            match (nation.status, nation.holder) {
                (Status::Neutral, _) => {}
                (Status::Armed, _) => control[3] = control[3].or(info.areas),
                (_, Some(holder)) => control[holder.index()] = control[holder.index()].or(info.areas),
                (_, None) => {}
            }
        }
        // Whoever stands on land that is his anyway changes nothing.
        let strangers = state.present.iter().zip(&control).map(|(there, own)| there.minus(*own));
        for area in strangers.fold(AreaSet::EMPTY, AreaSet::or).and(AreaSet::LAND) {
            let parties = state.parties(area);
            let owner = if parties.has_minor() {
                Some(3)
            } else {
                let first = state.first_arrival(area).filter(|&first| {
                    // Air, Naval and Submarine units alone never hold an area. Ruling R3.
                    parties.count() > 1 || state.ground_support(first, area)
                });
                first.map(Faction::index)
            };
            if let Some(owner) = owner {
                control.iter_mut().for_each(|set| set.remove(area));
                control[owner].add(area);
            }
        }
        control
    }

    /// Where each Faction has Ground units on land.
    pub(crate) fn ground_units(state: &State) -> [AreaSet; 3] {
        let mut ground = [AreaSet::EMPTY; 3];
        for faction in Faction::ALL {
            for block in &state.blocks[blocks_of(faction)] {
                if block.on_map() && block.kind.is_ground() {
                    ground[faction.index()].add(block.area);
                }
            }
        }
        ground
    }

    /// Settles what changes hands at the end of a Combat or Supply Phase. Ruling R70.
    pub(crate) fn settle_captures<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        for nation in 0..self.atlas().nations.len() as u8 {
            if let Some(captor) = self.captor(state, nation) {
                self.capture(state, nation, captor, sink);
            }
        }
        self.hide_winners(state);
        self.snapshot(state);
    }

    /// The Faction that has just taken a capital. Rule 1.121.
    fn captor(&self, state: &State, nation: u8) -> Option<Faction> {
        let info = self.atlas().nation(nation);
        let now = state.nation(nation);
        if info.capital == NONE || info.kind == NationKind::Great || now.status == Status::Neutral {
            return None;
        }
        let parties = state.parties(info.capital);
        if parties.count() != 1 || parties.has_minor() {
            return None;
        }
        let captor = parties.factions().next()?;
        let hostile = match now.status {
            Status::Armed => now.enemies.has(captor),
            _ => now.holder != Some(captor),
        };
        (hostile && state.ground_support(captor, info.capital)).then_some(captor)
    }

    fn capture<S: EventSink<GameEvent>>(&self, state: &mut State, nation: u8, captor: Faction, sink: &mut S) {
        let info = self.atlas().nation(nation);
        let before = state.nation(nation).status;
        let defeats_power = info.kind == NationKind::Major && before == Status::Belongs;
        sink.emit(|| GameEvent::Captured { nation, captor, defeated: defeats_power });
        if before == Status::Armed {
            self.disarm(state, nation);
        }
        let returned = match info.kind {
            NationKind::Colony(owner) => {
                let power = self.atlas().power_nation[owner.index()];
                owner.faction() == captor && state.nation(power).status == Status::Belongs
            }
            _ => false,
        };
        let now = state.nation_mut(nation);
        now.holder = Some(captor);
        now.status = match before {
            Status::Defeated => Status::Defeated,
            _ if defeats_power => Status::Defeated,
            _ if returned => Status::Belongs,
            _ => Status::Conquered,
        };
        if defeats_power {
            self.defeat(state, nation, sink);
        }
    }

    /// Takes the forts of an Armed Minor off the map and forgets its enemies. Ruling R78.
    pub(crate) fn disarm(&self, state: &mut State, nation: u8) {
        for area in self.atlas().nation(nation).areas.and(state.present[3]) {
            if let Some(fort) = state.fort_at(area) {
                state.remove(fort);
            }
        }
        state.armed &= !(1 << nation);
        let now = state.nation_mut(nation);
        (now.violators, now.enemies) = (Parties::NONE, Parties::NONE);
    }

    /// A Major Power is Defeated for good. Rule 2.22.
    fn defeat<S: EventSink<GameEvent>>(&self, state: &mut State, nation: u8, sink: &mut S) {
        let Some(power) = self.atlas().nation(nation).power else { return };
        for block in power.blocks() {
            if state.blocks[block].on_map() {
                state.remove(block);
            }
        }
        for colony in 0..self.atlas().nations.len() as u8 {
            let info = self.atlas().nation(colony);
            let own = info.kind == NationKind::Colony(power);
            if !own || state.nation(colony).status != Status::Belongs {
                continue;
            }
            let there = state.first_arrival(info.capital);
            if let Some(faction) = there {
                let now = state.nation_mut(colony);
                (now.status, now.holder) = (Status::Conquered, Some(faction));
                sink.emit(|| GameEvent::ColonyTaken { nation: colony, faction });
            } else {
                self.arm(state, colony);
                sink.emit(|| GameEvent::ColonyArmed { nation: colony });
            }
        }
    }

    /// A nation takes up arms: its forts stand. Rule 15.42.
    pub(crate) fn arm(&self, state: &mut State, nation: u8) {
        for area in self.atlas().nation(nation).musters {
            let free = state.parties(area).is_empty();
            if free {
                state.place_fort(self.atlas().area(area).muster, area);
            }
        }
        state.armed |= 1 << nation;
        let now = state.nation_mut(nation);
        (now.status, now.holder) = (Status::Armed, None);
        (now.influencer, now.markers) = (None, 0);
        self.recontrol(state, nation);
    }

    /// Works out control of one nation anew, within a phase: its status has changed.
    pub(crate) fn recontrol(&self, state: &mut State, nation: u8) {
        let areas = self.atlas().nation(nation).areas;
        let now = self.control_now(state);
        for (set, now) in state.control.iter_mut().zip(now) {
            *set = set.minus(areas).or(now.and(areas));
        }
        for area in areas {
            state.marks[usize::from(area)] = mark::NONE;
        }
    }

    /// The capitals of Rivals that a Faction controls. Rules 16.1, 16.3; rulings R19, R33, R97.
    pub fn rival_capitals(&self, state: &State, faction: Faction) -> u8 {
        let rivals = faction.rivals().into_iter().filter(|rival| !self.allied(faction, *rival));
        let rivals = rivals.map(|rival| self.atlas().capitals[rival.index()]);
        let all = rivals.fold(AreaSet::EMPTY, AreaSet::or);
        state.control[faction.index()].and(all).len() as u8
    }

    /// The Faction that wins by force, if any: the first of `order` with two capitals of Rivals. Ruling R72.
    pub(crate) fn military_winner(
        &self,
        state: &State,
        order: impl IntoIterator<Item = Faction>,
    ) -> Option<Faction> {
        order.into_iter().find(|faction| self.rival_capitals(state, *faction) >= 2)
    }
}
