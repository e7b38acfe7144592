//! Choices that a person would look for and can't have now. [`Rules::why_not`] explains each of them.

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{City, Country, Faction, Place, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::state::{State, Status};
use crate::tables::Diplomat;
use crate::world::Kind;

/// How far beyond their range aircraft are looked for.
const BEYOND: u32 = 3;

impl Rules {
    /// Adds choices that are closed now.
    pub(crate) fn closed(&self, state: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        let frame = state.frame();
        if !frame.is_question() || frame.is_fate() || frame == Frame::Over {
            return;
        }
        let faction = self.decider(state, frame);
        let mut found = Vec::new();
        self.look_for(state, faction, frame, &mut found);
        for choice in found {
            if !listed.contains(&choice) && !out.contains(&choice) {
                out.push(choice);
            }
        }
    }

    /// What a person would look for, open or not.
    fn look_for(&self, state: &State, faction: Faction, frame: Frame, out: &mut Vec<Choice>) {
        let ranges = &self.world.tables.ranges;
        match frame {
            Frame::Actions(_) => self.look_for_actions(state, faction, out),
            Frame::Activation => self.look_for_steps(state, out),
            Frame::Primary(hex) => self.look_for_attackers(state, faction, hex, Choice::Primary, out),
            Frame::Additional => self.look_for_attackers(state, faction, state.fight.hex, Choice::With, out),
            Frame::Commit(1) => out.extend([Choice::Commit, Choice::HoldBack, Choice::HoldBackAll]),
            Frame::Commit(_) => out.extend([Choice::Commit, Choice::HoldBack]),
            Frame::Item(_) => {
                let near =
                    |unit: &UnitId| self.is_within(state, *unit, state.fight.hex, ranges.support + BEYOND);
                let air = self.own_units(state, faction, Kind::is_air).filter(near);
                out.extend(air.map(Choice::Air));
                out.extend([Marker::GroundSupport, Marker::HeavyArtillery].map(Choice::Use));
            }
            Frame::Retreat => out.extend(self.hexes_around(state.fight.hex).map(Choice::Retreat)),
            Frame::Rail(_) => {
                let movers = self.own_units(state, faction, |kind| kind.is_ground() || kind.is_air());
                out.extend(movers.map(Choice::Rail));
            }
            Frame::RailTo(_) | Frame::RebaseTo(_) | Frame::MobilizeAt(_) | Frame::PlaceAir(_) => {
                out.extend(self.own_cities(state, faction).map(Choice::To));
            }
            Frame::SailTo(_) | Frame::TransportTo => {
                let ports = self.own_cities(state, faction).filter(|hex| self.world.waters(*hex) != 0);
                out.extend(ports.map(Choice::To));
            }
            Frame::Declare(_) | Frame::Influence(_) => {
                let of = if matches!(frame, Frame::Declare(_)) { Choice::Declare } else { Choice::Influence };
                let neutral = |country: &Country| state.country(*country).status == Status::Neutral;
                out.extend(Country::all().filter(neutral).map(of));
            }
            Frame::BombAt(_) => {
                let factories = City::all().filter(|city| {
                    let info = self.world.city(*city);
                    info.factory && state.at_war(state.controller(info.hex), faction.side())
                });
                out.extend(factories.map(|city| Choice::At(self.world.city(city).hex)));
            }
            Frame::StrikeAt(unit) => {
                let near = |other: &UnitId| {
                    self.is_within(state, *other, state.unit(unit).place, ranges.strike + BEYOND)
                };
                out.extend(self.enemies(state, faction).filter(near).map(Choice::Against));
            }
            Frame::InvadeAt => {
                let ports = City::all().map(|city| self.world.city(city)).filter(|city| {
                    city.is_port() && state.at_war(state.controller(city.hex), faction.side())
                });
                out.extend(ports.map(|city| Choice::At(city.hex)));
            }
            Frame::Replace(_) => {
                let worn =
                    self.own_units(state, faction, |_| true).filter(|unit| state.unit(*unit).level > 0);
                out.extend(worn.map(Choice::Replace));
            }
            Frame::Mobilize(_) => {
                let pool = UnitId::all().filter(|unit| {
                    state.unit(*unit).place == Place::POOL && self.side_of(state, *unit).player() == faction
                });
                out.extend(pool.map(Choice::Mobilize));
                out.push(Choice::Order);
            }
            Frame::Link(_) => {
                out.extend(self.own_units(state, faction, |kind| kind == Kind::Convoy).map(Choice::Link));
            }
            Frame::Diplomacy(_) => {
                out.push(Choice::Draw);
                out.extend(Diplomat::ALL.iter().map(|(_, marker)| Choice::Put(*marker)));
            }
            _ => {}
        }
    }

    /// The actions of every unit, and the markers that are played.
    fn look_for_actions(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        for unit in self.own_units(state, faction, |_| true) {
            let kind = self.kind(unit);
            match kind {
                kind if kind.is_ground() => out.push(Choice::Activate(unit)),
                Kind::Fighter => out.extend([Choice::Rebase(unit), Choice::Strike(unit)]),
                Kind::Bomber => out.extend([Choice::Rebase(unit), Choice::Strike(unit), Choice::Bomb(unit)]),
                Kind::Convoy => out.extend([Choice::Sail(unit), Choice::Transport(unit)]),
                _ => out.push(Choice::Sail(unit)),
            }
            if kind == Kind::Airborne {
                out.push(Choice::Drop(unit));
            }
            let in_port = self.world.waters(state.unit(unit).place) != 0;
            if kind.is_field() && in_port {
                out.push(Choice::Invade(unit));
            }
        }
        out.extend(
            [Marker::SurpriseAttack, Marker::WeserExercise]
                .into_iter()
                .filter(|marker| self.slot(*marker, crate::markers::Owner::Faction(faction)).is_some())
                .map(Choice::Play),
        );
        out.push(Choice::End);
    }

    /// The hexes around the unit that is activated.
    fn look_for_steps(&self, state: &State, out: &mut Vec<Choice>) {
        let unit = state.activation.unit;
        let Some(from) = unit.some().map(|unit| state.unit(unit).place).filter(|place| place.is_hex()) else {
            return;
        };
        let side = self.side_of(state, unit);
        for near in self.hexes_around(from) {
            let enemy = state.ground_at(near).is_some_and(|other| self.side_of(state, other) != side);
            out.push(if enemy { Choice::Attack(near) } else { Choice::Step(near) });
        }
        if self.world.hex(from).to_russia {
            out.push(Choice::Step(Place::CRU));
        }
    }

    /// Own ground units beside a hex.
    fn look_for_attackers(
        &self,
        state: &State,
        faction: Faction,
        hex: Place,
        choice: fn(UnitId) -> Choice,
        out: &mut Vec<Choice>,
    ) {
        let beside = self.hexes_around(hex).filter_map(|near| state.ground_at(near));
        out.extend(beside.filter(|unit| self.side_of(state, *unit).player() == faction).map(choice));
    }

    /// The land hexes around a hex.
    pub(crate) fn hexes_around(&self, hex: Place) -> impl Iterator<Item = Place> {
        let near = if hex.is_hex() { self.world.hex(hex).near } else { [Place::NONE; 6] };
        near.into_iter().filter(|place| place.is_hex())
    }

    /// The units of a faction's player on the map, of some kinds.
    pub(crate) fn own_units<'a>(
        &'a self,
        state: &'a State,
        faction: Faction,
        wanted: impl Fn(Kind) -> bool + 'a,
    ) -> impl Iterator<Item = UnitId> + 'a {
        UnitId::all().filter(move |unit| {
            state.unit(*unit).on_map()
                && wanted(self.kind(*unit))
                && self.side_of(state, *unit).player() == faction
        })
    }

    /// Air and naval units of enemies on the map.
    fn enemies<'a>(&'a self, state: &'a State, faction: Faction) -> impl Iterator<Item = UnitId> + 'a {
        UnitId::all().filter(move |unit| {
            state.unit(*unit).place.is_hex()
                && !self.kind(*unit).is_ground()
                && state.at_war(self.side_of(state, *unit), faction.side())
        })
    }

    /// The hexes of the cities and ports that a faction controls.
    fn own_cities<'a>(&'a self, state: &'a State, faction: Faction) -> impl Iterator<Item = Place> + 'a {
        City::all()
            .map(|city| self.world.city(city).hex)
            .filter(move |hex| state.controller(*hex) == faction.side() && self.scenario().in_play(*hex))
    }

    /// Whether a unit stands within some hexes of a place.
    pub(crate) fn is_within(&self, state: &State, unit: UnitId, of: Place, hexes: u32) -> bool {
        let place = state.unit(unit).place;
        place.is_hex() && of.is_hex() && self.world.distance(place, of) <= hexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Side;
    use crate::prompts::tests::{busy, every_question};
    use crate::state::flag;
    use crate::tables::Weather;
    use crate::testing::{position, put, rules};

    fn why(rules: &Rules, state: &State, choice: Choice) -> String {
        rules.why_not(state, choice).to_string()
    }

    fn place(rules: &Rules, name: &str) -> Place {
        rules.world.place_named(name).expect("a place")
    }

    /// Germany against Poland; the Soviets and the other neighbours stand aside.
    fn poland(rules: &Rules) -> State {
        let sides =
            [(Country::GER, Side::Axis), (Country::POL, Side::Western), (Country::USSR, Side::Soviet)];
        let mut state = position(rules, &sides);
        state.war_east = false;
        state
    }

    #[test]
    fn units_that_cannot_be_activated_say_why() {
        let rules = rules();
        let mut state = poland(&rules);
        let army = put(&rules, &mut state, "GER-8A", "3032");
        let wall = put(&rules, &mut state, "GER-WW", "3223");
        let enemy = put(&rules, &mut state, "POL-LOD", "3034");
        let fighter = put(&rules, &mut state, "GER-LF1", "2730");
        state.push(Frame::Actions(Faction::Axis));
        let mut closed = Vec::new();
        rules.closed(&state, &[Choice::Activate(army), Choice::End], &mut closed);
        assert!(closed.contains(&Choice::Activate(wall)) && !closed.contains(&Choice::Activate(army)));
        assert!(closed.contains(&Choice::Rebase(fighter)) && !closed.contains(&Choice::Activate(enemy)));
        let text = why(&rules, &state, Choice::Activate(wall));
        assert_eq!(
            text,
            "the Westwall garrison is a garrison: it moves by rail, by sea or in retreat only (rule 3.1)"
        );
        state.unit_mut(army).flags = flag::DONE;
        let text = why(&rules, &state, Choice::Activate(army));
        assert_eq!(text, "the German 8th Army has been activated in this sub-phase (rule 6.1)");
        state.unit_mut(army).flags = flag::RAILED;
        assert!(why(&rules, &state, Choice::Activate(army)).ends_with("Strategic Movement Phase (rule 4.8)"));
        assert!(why(&rules, &state, Choice::Activate(enemy)).contains("not one of your units"));
        assert!(why(&rules, &state, Choice::Activate(fighter)).contains("only ground units"));
        state.unit_mut(fighter).level = 6;
        let text = why(&rules, &state, Choice::Rebase(fighter));
        assert_eq!(text, "Luftflotte 1 has 6 Sorties and can only defend (rule 3.1)");
        (state.unit_mut(fighter).level, state.unit_mut(fighter).flags) = (0, flag::MOVED);
        assert!(why(&rules, &state, Choice::Rebase(fighter)).contains("its one move"));
        state.unit_mut(fighter).flags = flag::ENDED;
        assert!(why(&rules, &state, Choice::Strike(fighter)).contains("has ended"));
    }

    #[test]
    fn hexes_that_cannot_be_entered_say_why() {
        let rules = rules();
        let mut state = poland(&rules);
        let army = put(&rules, &mut state, "GER-8A", "3032");
        let friend = put(&rules, &mut state, "GER-10A", "3033");
        put(&rules, &mut state, "POL-LOD", "2933");
        state.activation = crate::state::Activation { unit: army, points: 8, begun: false };
        state.push(Frame::Activation);
        let mut closed = Vec::new();
        rules.closed(&state, &[], &mut closed);
        assert_eq!(closed.len(), 6);
        let hex = state.unit(friend).place;
        assert!(why(&rules, &state, Choice::Step(hex)).contains("the German 10th Army is there"));
        assert!(why(&rules, &state, Choice::Step(place(&rules, "2828"))).contains("neighbouring hex"));
        assert!(
            why(&rules, &state, Choice::Step(place(&rules, "2933")))
                .ends_with("attack it instead (rule 4.2)")
        );
        assert!(why(&rules, &state, Choice::Step(Place::ENA)).contains("no way by land"));
        // A neutral neighbour is closed, and so is one with whom there is no war.
        let belgium = place(&rules, "3021");
        rules.put(&mut state, army, place(&rules, "3022"));
        assert_eq!(rules.world.hex(belgium).country, Country::BEL);
        assert!(why(&rules, &state, Choice::Step(belgium)).contains("Belgium is neutral (rule 1.1)"));
        state.control[belgium.index()] = Side::Soviet;
        assert!(
            why(&rules, &state, Choice::Step(belgium)).contains("not at war with the Soviets (rule 1.1)")
        );
    }

    #[test]
    fn attacks_and_retreats_that_are_not_allowed_say_why() {
        let rules = rules();
        let mut state = poland(&rules);
        let army = put(&rules, &mut state, "GER-8A", "3032");
        let enemy = put(&rules, &mut state, "POL-LOD", "2933");
        let hex = state.unit(enemy).place;
        state.activation = crate::state::Activation { unit: army, points: 1, begun: true };
        state.push(Frame::Activation);
        assert!(why(&rules, &state, Choice::Attack(hex)).contains("the attack costs 2 MP, and 1 are left"));
        state.walls[0] = hex;
        let text = why(&rules, &state, Choice::Attack(hex));
        assert_eq!(text, "the Lodz Army is in a fort: only an Assault can attack it (rule 4.4)");
        assert!(why(&rules, &state, Choice::Attack(place(&rules, "3033"))).contains("no enemy ground unit"));
        (state.fight.primary, state.fight.defender, state.fight.hex) = (army, enemy, hex);
        state.become_frame(Frame::Retreat);
        let near = rules
            .hexes_around(hex)
            .find(|near| rules.is_within(&state, army, *near, 1) && *near != state.unit(army).place);
        let near = near.expect("a hex beside both");
        assert!(why(&rules, &state, Choice::Retreat(near)).contains("two hexes away"));
        state.become_frame(Frame::Item(0));
        let fighter = put(&rules, &mut state, "GER-LF3", "3326");
        assert!(why(&rules, &state, Choice::Air(fighter)).contains("more than 5 hexes away (rule 1.4)"));
        state.weather = [Weather::Severe; 4];
        assert!(why(&rules, &state, Choice::Air(fighter)).contains("Severe"));
        let slot = rules.slot(Marker::GroundSupport, crate::markers::Owner::Country(Country::GER));
        state.spent[slot.expect("a slot")] = 1;
        assert!(why(&rules, &state, Choice::Use(Marker::GroundSupport)).contains("End of Turn (rule 14.0)"));
    }

    #[test]
    fn politics_that_are_not_allowed_say_why() {
        let rules = rules();
        let mut state = poland(&rules);
        state.push(Frame::Declare(Faction::Axis));
        state.country_mut(Country::ITA).pro = Some(Faction::Axis);
        assert!(why(&rules, &state, Choice::Declare(Country::ITA)).contains("your own Pro-marker"));
        assert!(why(&rules, &state, Choice::Declare(Country::POL)).contains("at war already"));
        state.become_frame(Frame::Declare(Faction::Western));
        assert!(why(&rules, &state, Choice::Declare(Country::SWE)).contains("before 1943"));
        state.become_frame(Frame::Diplomacy(Faction::Axis));
        assert!(why(&rules, &state, Choice::Draw).contains("is empty"));
        assert!(why(&rules, &state, Choice::Put(Diplomat::Coup)).contains("not in the Holding Box"));
    }

    /// A choice that belongs to another question gets an answer that names the question.
    #[test]
    fn every_question_refuses_a_foreign_choice() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Flow);
        for frame in every_question(state.activation.unit) {
            state.become_frame(frame);
            let refusal = rules.why_not(&state, Choice::Relocate(City(0)));
            assert!(!refusal.reason.is_empty() && !refusal.rule.is_empty(), "{frame:?}");
            let mut closed = Vec::new();
            rules.closed(&state, &[], &mut closed);
            let mut seen = closed.clone();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), closed.len(), "{frame:?} lists a closed choice twice");
        }
    }
}
