//! Why a choice can't be made now: ships, aircraft and landing troops.

use kernel::Refusal;

use crate::choice::Choice;
use crate::ids::{Faction, Place, UnitId};
use crate::labels_missions::hexes;
use crate::markers::{Marker, Owner};
use crate::refusals::no;
use crate::rules::Rules;
use crate::state::{State, flag, note};
use crate::words::count;
use crate::world::Kind;

impl Rules {
    /// Actions of ships, aircraft and landing troops. Rules 4.5 to 4.7, 6.4 to 6.8.
    pub(crate) fn why_not_mission(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        let (Choice::Rebase(unit)
        | Choice::Sail(unit)
        | Choice::Transport(unit)
        | Choice::Invade(unit)
        | Choice::Strike(unit)
        | Choice::Bomb(unit)
        | Choice::Drop(unit)) = choice
        else {
            return self.not_asked(state);
        };
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let (name, kind, now) = (self.unit_name(unit), self.kind(unit), state.unit(unit));
        if now.has(flag::RAILED) {
            return no(format!("{name} moved in the Strategic Movement Phase"), "4.8");
        }
        if !kind.is_ground()
            && let Some(refusal) = self.unfit(state, unit)
        {
            return refusal;
        }
        let ranges = &self.world.tables.ranges;
        match choice {
            Choice::Rebase(_) if !kind.is_air() => no("only air units rebase", "4.5"),
            Choice::Sail(_) | Choice::Transport(_) if !kind.is_naval() => no("only ships sail", "4.6"),
            Choice::Rebase(_) | Choice::Sail(_) if now.has(flag::MOVED) => no(
                format!("{name} has made its one move of this sub-phase"),
                if kind.is_air() { "4.5" } else { "4.6" },
            ),
            Choice::Rebase(_) => no("no free base is within its movement points", "4.5"),
            Choice::Sail(_) => no("no free port is within its movement points", "4.6"),
            Choice::Transport(_) if kind != Kind::Convoy => no("only convoys carry units", "4.7"),
            Choice::Transport(_) => no("nobody can go aboard, or there is no free port for both", "4.7"),
            Choice::Strike(_) => {
                no(format!("no enemy air unit or ship in port within {}", hexes(ranges.strike)), "6.6")
            }
            Choice::Bomb(_) if kind != Kind::Bomber => no("only bombers make Bombing Runs", "6.7"),
            Choice::Bomb(_) if now.has(flag::BOMBED) => {
                no(format!("{name} has made its Bombing Run of this sub-phase"), "6.7")
            }
            Choice::Bomb(_) => no(
                format!("no enemy Factory without a Bombed marker within {}", hexes(ranges.bombing)),
                "6.7",
            ),
            Choice::Drop(_) => self.why_not_airdrop(state, unit),
            _ => self.why_not_invade(state, faction, unit),
        }
    }

    pub(crate) fn why_not_airdrop(&self, state: &State, unit: UnitId) -> Refusal {
        let name = self.unit_name(unit);
        let country = self.country_of(state, unit);
        if self.kind(unit) != Kind::Airborne {
            return no("only airborne units drop", "6.8");
        }
        if state.unit(unit).has(flag::DONE) {
            return no(format!("{name} has been activated in this sub-phase"), "6.1");
        }
        if self.ready(state, Marker::Airdrop, Owner::Country(country)) == 0 {
            return no(format!("{} has no unused Airdrop marker", self.country_name(country)), "6.8");
        }
        no(
            "it needs a fit air unit of its country beside it, a free hex within 3 hexes, and its points",
            "6.8",
        )
    }

    pub(crate) fn why_not_invade(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        let name = self.unit_name(unit);
        if !self.kind(unit).is_field() {
            return no("only field ground units land from the sea", "6.4");
        }
        if state.unit(unit).has(flag::DONE) {
            return no(format!("{name} has been activated in this sub-phase"), "6.1");
        }
        let most = if state.noted(note::WESER) { 3 } else { self.world.tables.landings(faction, state.turn) };
        if state.landings >= most {
            return no(format!("only {} in this sub-phase", count(most, "landing")), "6.4");
        }
        if self.world.waters(state.unit(unit).place) == 0 {
            return no(format!("{name} is not in a port"), "6.4");
        }
        no("it needs a fit convoy in its port, a beach in range that is not Severe, and its points", "6.4")
    }

    /// A base or a place for a new unit that can't be used. Rule 3.2.
    pub(crate) fn why_not_base(
        &self,
        state: &State,
        unit: UnitId,
        place: Place,
        rule: &'static str,
    ) -> Refusal {
        let (words, side) = (self.place_words(place), self.side_of(state, unit));
        let kind = self.kind(unit);
        if kind.is_air() && !self.is_air_base(state, place, side) {
            return no(format!("{words} is no friendly city"), "3.2");
        }
        if kind.is_naval() && !self.is_naval_base(state, place, side) {
            return no(format!("{words} is no friendly port"), "3.2");
        }
        if !self.has_room(state, unit, place) {
            return no(format!("{words} is taken"), "3.2");
        }
        match rule {
            "8.3" => no(format!("{words} is no place where {} can be mobilized", self.unit_name(unit)), rule),
            _ => no(format!("{words} is out of reach ({} MP)", self.allowance(state, unit)), rule),
        }
    }

    pub(crate) fn why_not_strike(&self, state: &State, unit: UnitId, other: UnitId) -> Refusal {
        let name = self.unit_name(other);
        let range = self.world.tables.ranges.strike;
        if self.kind(other).is_ground() {
            return no("an Air Strike hits air units and ships in port", "6.6");
        }
        if !state.at_war(self.side_of(state, unit), self.side_of(state, other)) {
            return no(format!("{name} is no enemy"), "1.1");
        }
        if !self.is_within(state, other, state.unit(unit).place, range) {
            return no(format!("{name} is more than {} away", hexes(range)), "1.4");
        }
        no(format!("{name} can't be struck"), "6.6")
    }

    pub(crate) fn why_not_bomb(&self, state: &State, unit: UnitId, place: Place) -> Refusal {
        let range = self.world.tables.ranges.bombing;
        let Some(city) = self.world.city_at(place).filter(|city| self.world.city(*city).factory) else {
            return no("there is no Factory to bomb", "6.7");
        };
        if !state.at_war(state.controller(place), self.side_of(state, unit)) {
            return no(format!("no enemy controls {}", self.city_name(city)), "6.7");
        }
        if state.is_bombed(city) {
            return no(format!("{} has a Bombed marker already", self.city_name(city)), "6.7");
        }
        no(format!("{} is more than {} away", self.city_name(city), hexes(range)), "1.4")
    }

    pub(crate) fn why_no_landing(&self, state: &State, faction: Faction, place: Place) -> Refusal {
        if !place.is_hex() || !self.world.hex(place).is_coastal() {
            return no("a landing needs a coastal hex", "6.4");
        }
        let unit = state.mission.passenger;
        if let Some(refusal) = self.why_closed(state, place, faction.side()) {
            return refusal;
        }
        if self.world.hex(place).faded || self.is_barred(state, place, unit) {
            return no("no ground unit may enter this hex", "1.3");
        }
        if state
            .ground_at(place)
            .is_some_and(|other| !state.at_war(self.side_of(state, other), faction.side()))
        {
            return no("a friend stands there", "6.4");
        }
        no("no Sea Zone that touches it is in range and free of Severe weather", "6.4")
    }

    pub(crate) fn why_no_drop(&self, state: &State, place: Place) -> Refusal {
        if !place.is_hex() {
            return no("an Airdrop needs a land hex", "6.8");
        }
        if let Some(other) = state.ground_at(place) {
            return no(format!("{} stands there", self.unit_name(other)), "6.8");
        }
        if self.weather_at(state, place) == crate::tables::Weather::Severe {
            return no("nobody drops in Severe weather", "6.8");
        }
        let range = self.world.tables.ranges.airdrop;
        no(format!("the drop zone must be open and within {} of the air unit", hexes(range)), "6.8")
    }

    /// An escort or interceptor. Rule 6.9.
    pub(crate) fn why_not_meet(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        if let Some(refusal) = self.unfit(state, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        match self.kind(unit) {
            kind if kind.is_ground() => no("only ships and aircraft escort or intercept", "6.9"),
            Kind::Convoy => no("convoys neither escort nor intercept", "6.9"),
            _ => no(format!("{name} is out of range of this mission"), "6.9"),
        }
    }

    pub(crate) fn why_no_link(&self, state: &State, faction: Faction, unit: UnitId) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if self.kind(unit) != Kind::Convoy {
            return no("only convoys make sea links", "7.4");
        }
        if state.unit(unit).has(flag::LINKED) {
            return no(format!("{name} has served a link in this check"), "7.4");
        }
        if let Some(refusal) = self.unfit(state, unit) {
            return refusal;
        }
        no(format!("nobody needs a link that begins or ends where {name} lies"), "7.4")
    }
}
