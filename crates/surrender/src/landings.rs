//! Amphibious Invasions. Rule 6.4; the markers Weser Exercise and Mulberry (14.0); rulings 31, 47, 87 to 91.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Faction, Node, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Errand, Fight, Manner, Mission, State, flag, note};
use crate::tables::Weather;
use crate::world::{Hexside, Kind, Passage};

/// Landings in the sub-phase of Weser Exercise.
const WESER_LANDINGS: u8 = 3;
/// Their range in Sea Zones.
const WESER_RANGE: u8 = 2;
/// Turns that a Mulberry serves after the one it is placed in (ruling 90).
const MULBERRY_TURNS: u8 = 2;

/// The Sea Zones in which a force may land, by distance; in Denmark and Norway there are others during Weser Exercise.
#[derive(Clone, Copy)]
struct Landings {
    usual: [u64; 3],
    weser: [u64; 3],
}

impl Rules {
    /// Whether a side may begin another landing in this sub-phase. Lone countries share in the West's.
    pub(crate) fn may_land_again(&self, state: &State, side: Side) -> bool {
        let most = if side == Side::Axis && state.noted(note::WESER) {
            WESER_LANDINGS
        } else {
            self.world.tables.landings(side.player(), state.turn)
        };
        state.landings < most
    }

    /// Whether a ship can carry an invader: a convoy, or during Weser Exercise a German surface unit.
    fn may_carry(&self, state: &State, ship: UnitId, side: Side) -> bool {
        let fits = match self.kind(ship) {
            Kind::Convoy => true,
            Kind::Surface => self.is_weser_carrier(state, ship),
            _ => false,
        };
        fits && self.side_of(state, ship) == side && self.may_act(state, ship)
    }

    /// Whether a surface unit may carry troops to Denmark and Norway.
    fn is_weser_carrier(&self, state: &State, ship: UnitId) -> bool {
        state.noted(note::WESER) && self.info(ship).country == crate::ids::Country::GER
    }

    /// The Sea Zones in which a ship may land somebody (1.4): in range, not Severe, inside the landing area of the scenario.
    fn landing_rings(&self, state: &State, ship: UnitId, weser: bool) -> [u64; 3] {
        let (from, side) = (state.unit(ship).place, self.side_of(state, ship));
        let ranges = &self.world.tables.ranges;
        let mut chart = self.chart_of(state, ship);
        if weser {
            chart = chart.with(Passage::Danish);
        }
        let range = match side.faction() {
            _ if weser => WESER_RANGE,
            Some(Faction::Western) if from.is_box() => ranges.landing_from_box,
            Some(faction) => ranges.landing[faction.index()],
            None => 0,
        };
        let mut allowed = u64::MAX;
        if let Some((until, zones)) = self.scenario().hooks.landing_area
            && side == Side::Western
            && state.turn <= until
        {
            allowed = zones;
        }
        let mut rings = self.zone_rings(chart, from, true);
        for (distance, ring) in rings.iter_mut().enumerate() {
            *ring = Node::of(*ring & allowed)
                .filter(|zone| self.weather_in(state, *zone) != Weather::Severe)
                .fold(0, |set, zone| set | zone.bit());
            if distance > usize::from(range) {
                *ring = 0;
            }
        }
        rings
    }

    fn landings_of(&self, state: &State, ship: UnitId) -> Landings {
        let side = self.side_of(state, ship);
        let weser = side == Side::Axis && state.noted(note::WESER);
        Landings {
            usual: if self.kind(ship) == Kind::Convoy {
                self.landing_rings(state, ship, false)
            } else {
                [0; 3]
            },
            weser: if weser { self.landing_rings(state, ship, true) } else { [0; 3] },
        }
    }

    /// The Sea Zone through which a hex is reached: the nearest, the smaller number of two (6.4).
    fn landing_zone(&self, state: &State, landings: &Landings, side: Side, hex: Place) -> Option<Node> {
        let rings = if self.is_weser(state, side, hex) { landings.weser } else { landings.usual };
        let touched = self.world.hex(hex).zones | self.world.waters(hex);
        rings.into_iter().find_map(|ring| Node::of(ring & touched).next())
    }

    /// Calls `visit` with every hex where a ship can land a ground unit, and its Sea Zone, until it returns `true`; tells
    /// whether it did.
    pub(crate) fn beaches(
        &self,
        state: &State,
        ship: UnitId,
        unit: UnitId,
        mut visit: impl FnMut(Place, Node) -> bool,
    ) -> bool {
        let landings = self.landings_of(state, ship);
        let side = self.side_of(state, unit);
        let zones = landings.usual.into_iter().chain(landings.weser).fold(0, |set, ring| set | ring);
        for zone in Node::of(zones) {
            for hex in &self.world.coasts[zone.index()] {
                // A hex on two zones is met twice: it counts where it is reached.
                if self.may_enter(state, *hex, unit)
                    && (state.ground_at(*hex).is_none() || self.has_enemy(state, *hex, side))
                    && self.landing_zone(state, &landings, side, *hex) == Some(zone)
                    && visit(*hex, zone)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Calls `visit` with every ship that can carry a ground unit to some beach, until it returns `true`; tells whether it
    /// did.
    pub(crate) fn carriers_of(
        &self,
        state: &State,
        unit: UnitId,
        mut visit: impl FnMut(UnitId) -> bool,
    ) -> bool {
        let (place, side) = (state.unit(unit).place, self.side_of(state, unit));
        let mut may = |ship: UnitId| {
            self.may_carry(state, ship, side) && self.beaches(state, ship, unit, |_, _| true) && visit(ship)
        };
        if let Some(city) = self.world.city_at(place) {
            return state.bases[city.index()].into_iter().filter_map(UnitId::some).any(may);
        }
        place.node().is_some()
            && self
                .world
                .wings
                .iter()
                .any(|ship| state.unit(*ship).place == place && self.kind(*ship).is_naval() && may(*ship))
    }

    /// Whether a ground unit can begin an Amphibious Invasion.
    pub(crate) fn may_invade(&self, state: &State, unit: UnitId) -> bool {
        let place = state.unit(unit).place;
        self.kind(unit).is_field()
            && self.waters_at(place) != 0
            && self.may_land_again(state, self.side_of(state, unit))
            && self.may_join_mission(state, unit)
            && self.carriers_of(state, unit, |_| true)
    }

    /// A convoy was named: where to land is asked next.
    pub(crate) fn embark(&self, state: &mut State, unit: UnitId, ship: UnitId) {
        let from = state.unit(ship).place;
        state.mission =
            Mission { errand: Errand::Invasion, unit: ship, passenger: unit, from, ..Mission::NONE };
        state.become_frame(Frame::InvadeAt);
    }

    /// Where the force may land.
    pub(crate) fn list_beaches(&self, state: &State, out: &mut Vec<Choice>) {
        self.beaches(state, state.mission.unit, state.mission.passenger, |hex, _| {
            out.push(Choice::At(hex));
            false
        });
    }

    /// The invasion sets out: it counts (ruling 89), the activation is paid, the path is the way of fewest Sea Zones.
    pub(crate) fn invade<S: EventSink<GameEvent>>(&self, state: &mut State, to: Place, sink: &mut S) {
        let mut mission = Mission { to, ..state.mission };
        let side = self.side_of(state, mission.unit);
        let landings = self.landings_of(state, mission.unit);
        let mut chart = self.chart_of(state, mission.unit);
        if self.is_weser(state, side, to) {
            chart = chart.with(Passage::Danish);
        }
        let zone = self.landing_zone(state, &landings, side, to);
        let way =
            zone.and_then(|zone| self.landing_path(chart, self.danger(state, side), mission.from, zone));
        if let Some(path) = way {
            mission.path = path;
        }
        state.pop();
        state.landings += 1;
        self.pay_for_mission(state, mission.passenger, sink);
        self.begin_mission(state, mission, sink);
    }

    /// The force is off the beach: an empty hex is taken at once, a defended one attacked.
    pub(crate) fn approach_beach<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.ground_at(state.mission.to).is_none() {
            self.finish_landing(state, sink);
        } else if self.more_attackers(state).next().is_some() {
            state.push(Frame::LandingMore);
        } else {
            self.assault_beach(state, sink);
        }
    }

    /// The units that can join the attack on the beach from the land side: un-activated field units next to it, which pay, and
    /// one that was dropped there in this sub-phase and has not attacked yet.
    fn more_attackers<'a>(&'a self, state: &'a State) -> impl Iterator<Item = UnitId> + 'a {
        let mission = &state.mission;
        let side = self.side_of(state, mission.passenger);
        let full = mission.more[1].some().is_some();
        let hex = self.world.hex(mission.to);
        hex.near.into_iter().zip(hex.sides).filter_map(move |(near, between)| {
            if full || !near.is_hex() || between == Hexside::Water {
                return None;
            }
            let unit = state.ground_at(near)?;
            let dropped = state.unit(unit).has(flag::DROPPED) && !state.unit(unit).has(flag::ENDED);
            let joins = self.side_of(state, unit) == side
                && self.kind(unit).is_field()
                && !mission.more.contains(&unit)
                && self.may_enter(state, mission.to, unit)
                && (dropped || self.may_join_mission(state, unit));
            joins.then_some(unit)
        })
    }

    /// Additional Attackers, or go.
    pub(crate) fn list_more_attackers(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(self.more_attackers(state).map(Choice::With));
        out.push(Choice::Go);
    }

    /// An Additional Attacker was named, or nobody more.
    pub(crate) fn play_more_attackers<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        if let Choice::With(unit) = choice {
            let more = state.mission.more.iter_mut().find(|more| more.some().is_none());
            if let Some(more) = more {
                *more = unit;
            }
            if state.unit(unit).has(flag::DROPPED) {
                // It attacks once (6.8).
                state.unit_mut(unit).flags |= flag::ENDED;
            } else {
                self.pay_for_mission(state, unit, sink);
            }
            if self.more_attackers(state).next().is_some() {
                return;
            }
        }
        state.pop();
        self.assault_beach(state, sink);
    }

    /// The attack on the beach: a warship that escorts, has not failed and still can gives Naval Support for a Sortie.
    fn assault_beach<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        let Some(defender) = state.ground_at(mission.to) else { return };
        let support = mission.escort.some().filter(|escort| {
            self.kind(*escort).is_warship() && !mission.escort_failed && self.is_fit(state, *escort)
        });
        if let Some(escort) = support {
            self.add_sorties(state, escort, 1, sink);
        }
        state.mission.step = crate::state::MissionStep::Ashore;
        let fight = Fight {
            manner: Manner::Landing,
            primary: mission.passenger,
            more: mission.more,
            defender,
            hex: mission.to,
            naval_support: support.is_some(),
            ..Fight::NONE
        };
        self.begin_fight(state, fight, sink);
    }

    /// The invader lands if nobody holds the hex, or stays in its port; the convoy adds its Sortie (6.4 step 4).
    pub(crate) fn finish_landing<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        state.fight = Fight::NONE;
        let (unit, hex) = (mission.passenger, mission.to);
        self.count_sortie(state, sink);
        if !state.unit(unit).on_map() || state.ground_at(hex).is_some() {
            return;
        }
        self.put(state, unit, hex);
        state.unit_mut(unit).flags |= flag::ASHORE;
        sink.emit(|| GameEvent::Landed(unit, hex));
        self.enter_hex(state, unit, hex, sink);
        let owner = Owner::Faction(Faction::Western);
        let wanted = self.side_of(state, unit) == Side::Western && self.world.waters(hex) == 0;
        if wanted && self.ready(state, Marker::Mulberry, owner) > 0 {
            state.push(Frame::Mulberry);
        }
    }

    /// The Mulberry is placed, or not.
    pub(crate) fn play_mulberry<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        state.pop();
        if choice == Choice::Mulberry {
            let hex = state.mission.to;
            self.spend(state, Marker::Mulberry, Owner::Faction(Faction::Western));
            state.mulberry = (hex, state.turn + MULBERRY_TURNS);
            sink.emit(|| GameEvent::Mulberry(hex));
        }
    }
}

#[cfg(test)]
mod tests;
