//! What must hold in every position in which somebody has to choose. Rules 1.3, 2.1, 3.1, 3.2, 7.1, 14.0, 15.0.

use crate::frame::Frame;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::{Coming, Marker, Owner};
use crate::rules::Rules;
use crate::state::{
    Activation, Duel, FRAMES, Fight, Mission, Phase, State, Status, SupplyCheck, fate, flag, note,
};
use crate::tables::DIPLOMATS;
use crate::world::Slot;

/// The marker of National Will never exceeds this (2.1.2).
const MOST_WILL: i16 = 199;
/// The boxes of a Fac Lost marker (5.4).
const FAC_LOST: std::ops::RangeInclusive<u8> = 1..=9;
/// The most Extra Factories a country can have (9.1).
const MOST_EXTRA: u8 = 30;

/// Holds or does not hold.
type Verdict = Result<(), String>;

fn holds(is_so: bool, why: impl FnOnce() -> String) -> Verdict {
    if is_so { Ok(()) } else { Err(why()) }
}

impl Rules {
    /// The first thing that does not hold.
    pub fn invariants(&self, state: &State) -> Verdict {
        self.frames_hold(state)?;
        for unit in UnitId::all() {
            self.unit_holds(state, unit).map_err(|why| {
                format!("{} ({:?}) {why} at {:?}", self.info(unit).id, state.unit(unit), state.frame())
            })?;
        }
        self.slots_hold(state)?;
        for country in Country::all() {
            self.country_holds(state, country)
                .map_err(|why| format!("{} ({:?}) {why}", country.id(), state.country(country)))?;
        }
        for hex in Place::hexes() {
            self.hex_holds(state, hex).map_err(|why| format!("hex {} {why}", self.world.place_name(hex)))?;
        }
        self.markers_hold(state)?;
        self.tracks_hold(state)
    }

    /// The stack of what is to be decided, and that what is over has left no trace.
    fn frames_hold(&self, state: &State) -> Verdict {
        let depth = usize::from(state.depth);
        holds((1..=FRAMES).contains(&depth), || format!("{depth} frames"))?;
        let frame = state.frame();
        holds(frame.is_question(), || format!("{frame:?} is no question"))?;
        let outermost = state.frames[0];
        holds(outermost == Frame::Flow || frame == Frame::Over, || format!("{outermost:?} is outermost"))?;
        let rest = &state.frames[depth..];
        holds(rest.iter().all(|frame| *frame == Frame::Flow), || format!("left behind: {rest:?}"))?;
        holds((frame == Frame::Over) == state.verdict.is_some(), || "over, or not".to_owned())?;
        holds(state.collapsing == 0 || !frame.is_calm(), || "a country should have collapsed".to_owned())?;
        let open = |frames: &[Frame]| state.frames[..depth].iter().any(|known| frames.contains(known));
        let fights = open(&[Frame::Fight, Frame::Advance, Frame::AdvanceOne, Frame::Additional]);
        // A landing that is being fought for keeps its combat until its mission has read it.
        holds(fights || state.fight == Fight::NONE || open(&[Frame::Mission]), || {
            format!("{:?} is left behind at {frame:?}", state.fight)
        })?;
        let duels = open(&[Frame::Duel]);
        holds(duels || state.duel == Duel::NONE, || format!("{:?} is left behind at {frame:?}", state.duel))?;
        let sails = open(&[Frame::Mission, Frame::TransportTo, Frame::InvadeAt, Frame::DropAt]);
        holds(sails || state.mission == Mission::NONE, || {
            format!("{:?} is left behind at {frame:?}", state.mission)
        })?;
        holds(open(&[Frame::Activation]) || state.activation == Activation::NONE, || {
            format!("{:?} is left behind at {frame:?}", state.activation)
        })?;
        let checks = state.frames[..depth].iter().any(|frame| matches!(frame, Frame::Check(_)));
        let settled = flag::CHECKED | flag::LINKED;
        let marked = state.units.iter().any(|unit| unit.has(settled));
        holds(checks || state.check == SupplyCheck::NONE, || format!("{:?} is left behind", state.check))?;
        holds(checks || !marked || state.phase == Phase::NoSupply, || "a check left marks".to_owned())?;
        holds(checks || !state.noted(note::LONE_CHECK), || "a Lone check left a note".to_owned())
    }

    /// A unit stands where it may, and the tables of the map say so too.
    fn unit_holds(&self, state: &State, unit: UnitId) -> Verdict {
        let (entry, info) = (state.unit(unit), self.info(unit));
        let place = entry.place;
        let most = if info.kind.is_ground() { 1 } else { self.world.tables.production.max_sorties };
        holds(entry.level <= most, || "has lost too much".to_owned())?;
        if !entry.on_map() {
            holds(place.0 <= Place::LATER.0, || "is nowhere".to_owned())?;
            let owner = state.country(self.country_of(state, unit));
            let may_wait = owner.status == Status::Active || place != Place::POOL;
            return holds(may_wait, || "waits in the box of a country that does not fight".to_owned());
        }
        let owner = self.country_of(state, unit);
        let country = state.country(owner);
        let falls = |country: Country| {
            let open = state.frames[..usize::from(state.depth)].iter();
            open.copied().any(|frame| matches!(frame, Frame::Conquest(victim, _) if victim == country))
        };
        let overseas =
            place.is_hex() && self.world.country(Country::FRA).overseas.contains(&self.world.hex(place).area);
        if falls(owner) && info.kind.is_naval() || falls(Country::FRA) && overseas {
            // The dice of France (13.4): its ships, and whoever is in its Overseas Areas, wait for the last of them.
            return Ok(());
        }
        holds(country.status == Status::Active, || "fights for a country that does not".to_owned())?;
        let side = country.side;
        if place.is_box() {
            return holds(self.is_box_open(place, side), || "is in a box that is not its side's".to_owned());
        }
        holds(state.controller(place) == side, || {
            format!("stands on ground of {:?}", state.controller(place))
        })?;
        holds(self.scenario().in_play(place), || "stands outside the playable area".to_owned())?;
        match info.kind.slot() {
            Slot::Ground => {
                holds(!self.world.hex(place).faded, || "stands on a faded dot".to_owned())?;
                holds(!self.is_barred(state, place, unit), || "stands where it is barred".to_owned())?;
                let holder = state.ground_at(place);
                let passes = state.activation.unit == unit
                    && holder.is_some_and(|other| self.side_of(state, other) == side);
                holds(holder == Some(unit) || passes, || format!("but {holder:?} is in its hex"))
            }
            slot => {
                let city = self.world.city_at(place);
                let there = city.and_then(|city| state.bases[city.index()][slot as usize].some());
                holds(there == Some(unit), || format!("but {there:?} is in its base"))?;
                let based = match slot {
                    Slot::Air => self.is_air_base(state, place, side),
                    _ => self.is_naval_base(state, place, side),
                };
                holds(based, || "has no base there".to_owned())
            }
        }
    }

    /// The tables of the map name nobody who is not there.
    fn slots_hold(&self, state: &State) -> Verdict {
        for hex in Place::hexes() {
            if let Some(unit) = state.ground_at(hex) {
                let is_there = state.unit(unit).place == hex && self.kind(unit).is_ground();
                holds(is_there, || {
                    format!("{} is not in {}", self.info(unit).id, self.world.place_name(hex))
                })?;
            }
        }
        for city in City::all() {
            for (slot, unit) in state.bases[city.index()].into_iter().enumerate() {
                let Some(unit) = unit.some() else { continue };
                let is_there = state.unit(unit).place == self.world.city(city).hex
                    && self.kind(unit).slot() as usize == slot;
                holds(is_there, || format!("{} is not in {}", self.info(unit).id, self.world.city(city).id))?;
            }
        }
        Ok(())
    }

    /// A country's status, side, National Will and points go together.
    fn country_holds(&self, state: &State, country: Country) -> Verdict {
        let entry = state.country(country);
        let has_side = matches!(entry.status, Status::Active | Status::Conquered);
        holds(has_side == (entry.side != Side::Nobody), || "has a side, or none".to_owned())?;
        holds(entry.pro.is_none() || entry.status == Status::Neutral, || "is courted".to_owned())?;
        holds(entry.points >= 0, || "owes points".to_owned())?;
        holds(entry.will <= MOST_WILL && entry.extra <= MOST_EXTRA, || "has too much".to_owned())?;
        let calm = state.frame().is_calm() && state.collapsing == 0;
        let simple = self.scenario().hooks.simple_conquest.iter().any(|(of, _)| *of == country);
        let spent = entry.status == Status::Active && entry.will <= 0;
        holds(!(calm && spent) || simple, || "should have collapsed".to_owned())?;
        let lone = entry.status == Status::Active && entry.side == Side::Lone;
        holds(!lone || state.pact(), || "is alone although the Pact has ended".to_owned())?;
        let fell = fate::WAS_ALLIED;
        holds(entry.fates & fell == 0 || entry.status == Status::Conquered, || "did not fall".to_owned())
    }

    /// Who controls a hex agrees with how its owner stands (1.1, 1.3).
    fn hex_holds(&self, state: &State, hex: Place) -> Verdict {
        let side = state.controller(hex);
        if !self.scenario().in_play(hex) {
            return holds(state.ground_at(hex).is_none(), || "is not in play".to_owned());
        }
        if side == Side::Lone {
            let any = Country::all().any(|country| state.country(country).side == Side::Lone);
            holds(any, || "is held by Lone countries, of which there are none".to_owned())?;
        }
        let owner = self.owner(state, hex);
        if owner == Country::NONE {
            return holds(side == Side::Nobody, || format!("of nobody is held by {side:?}"));
        }
        match state.country(owner).status {
            Status::Neutral => holds(side == Side::Nobody, || format!("of a neutral is held by {side:?}")),
            Status::Active | Status::Conquered => {
                holds(side != Side::Nobody, || format!("of {} is held by nobody", owner.id()))
            }
            Status::Pending | Status::Absent => Ok(()),
        }
    }

    /// Nobody has more markers than there are, and those on the map lie where they may.
    fn markers_hold(&self, state: &State) -> Verdict {
        for (slot, (marker, owner)) in self.slot_owners().iter().enumerate() {
            let info = &self.world.markers[marker.index()];
            let dated: i32 = info
                .holdings
                .iter()
                .filter(|holding| holding.owner == *owner && holding.count > 0)
                .map(|holding| i32::from(holding.count))
                .sum();
            let listed = self.scenario().markers.as_ref().map_or(0, |list| {
                let of = list.iter().filter(|(known, whose, _)| known == marker && whose == owner);
                of.map(|(_, _, count)| i32::from(*count)).sum::<i32>()
            });
            let bought = info.holdings.iter().any(|holding| holding.coming == Coming::Holding);
            let out = match (marker, owner) {
                (Marker::Partisans, Owner::Faction(faction)) => partisans_of(state, *faction),
                _ => 0,
            };
            let held = i32::from(state.ready[slot]) + i32::from(state.spent[slot]);
            holds(bought || held <= dated.max(listed), || format!("{owner:?} has {held} {marker:?}"))?;
            holds(i32::from(state.spent[slot]) >= i32::from(out), || {
                format!("{out} {marker:?} of {owner:?} on the map, {} used", state.spent[slot])
            })?;
        }
        for (at, (hex, _)) in state.partisans.iter().enumerate() {
            let twice = state.partisans[..at].iter().any(|(other, _)| other == hex);
            holds(!hex.is_hex() || !twice, || "two Partisans in one hex".to_owned())?;
            holds(hex.is_hex() || *hex == Place::NONE, || "Partisans nowhere".to_owned())?;
        }
        for (at, wall) in state.walls.iter().enumerate() {
            let twice = state.walls[..at].contains(wall);
            holds(!wall.is_hex() || !twice, || "two walls in one hex".to_owned())?;
        }
        for at in 0..DIPLOMATS {
            let info = &self.world.tables.diplomacy[at];
            let (there, most) = (state.cup[at] + state.holding[at], info.cup + info.holding);
            holds(there <= most, || format!("{there} of {most} markers of the Cup"))?;
        }
        Ok(())
    }

    /// The tracks of 15.0.
    fn tracks_hold(&self, state: &State) -> Verdict {
        let scenario = self.scenario();
        let turns = scenario.first..=scenario.last;
        holds(turns.contains(&state.turn), || format!("turn {}", state.turn))?;
        holds(state.fac_lost.iter().all(|lost| FAC_LOST.contains(lost)), || format!("{:?}", state.fac_lost))?;
        for city in City::all() {
            let factory = self.world.city(city).factory;
            let marked = state.is_bombed(city) || state.is_closed_down(city);
            holds(factory || !marked, || format!("{} has no Factory", self.world.city(city).id))?;
        }
        let (disputed, areas) = (self.world.disputed.len(), self.world.areas.len());
        holds(u32::from(state.ceded) >> disputed == 0, || "ceded what is not disputed".to_owned())?;
        holds(u64::from(state.vichy) >> areas == 0, || "Vichy has what is no area".to_owned())?;
        let (known, begun) = (state.standing >> 6 == 0, state.phase >= Phase::Actions);
        holds(known && (begun || state.standing == 0), || format!("standing answers {:b}", state.standing))?;
        holds(state.notes & note::WESER == 0 || state.phase == Phase::Actions, || {
            "Weser goes on".to_owned()
        })?;
        holds(state.no_ezoc.iter().all(|word| *word == 0) || state.phase == Phase::Actions, || {
            "a No EZOC marker was left behind".to_owned()
        })
    }
}

/// Partisans of a faction on the map.
fn partisans_of(state: &State, faction: Faction) -> u8 {
    state.partisans.iter().filter(|(hex, of)| hex.is_hex() && *of == faction).count() as u8
}
