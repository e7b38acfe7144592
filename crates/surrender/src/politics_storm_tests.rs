//! Politics at random: whatever happens in whatever order, a position stays whole.

use std::sync::Arc;

use kernel::{Audience, EventSink};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, WillCause};
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::rules::Rules;
use crate::scenario_file;
use crate::settings::Settings;
use crate::state::{State, Status};
use crate::tables::turn_of;
use crate::world::NO_AREA;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.below(of.len())])
    }
}

/// What has happened in all storms: so many of each kind, as a test that tests nothing would be of no use.
#[derive(Default)]
struct Tally {
    conquests: u32,
    crises: u32,
    liberations: u32,
    peaces: u32,
    areas: u32,
    departures: u32,
}

impl EventSink<GameEvent> for Tally {
    fn emit_to(&mut self, _: Audience, event: impl FnOnce() -> GameEvent) {
        match event() {
            GameEvent::Conquered(..) => self.conquests += 1,
            GameEvent::Crisis(_) => self.crises += 1,
            GameEvent::Liberated(..) => self.liberations += 1,
            GameEvent::Peace(_) => self.peaces += 1,
            GameEvent::FrenchArea(..) => self.areas += 1,
            GameEvent::Left(_) => self.departures += 1,
            _ => {}
        }
    }
}

/// The full war without aircraft and ships, whose displacement has tests of its own.
fn start(historical: bool) -> (Rules, State) {
    let scenario = Arc::new(scenario_file::chosen("main-event-1939").expect("the full war"));
    let rules = Rules::new(Settings { scenario, secret: false, historical, variable: false });
    let mut state = rules.opening();
    ground_only(&rules, &mut state);
    (rules, state)
}

fn ground_only(rules: &Rules, state: &mut State) {
    for unit in UnitId::all().filter(|unit| !rules.kind(*unit).is_ground()) {
        rules.lift(state, unit);
    }
}

/// Plays what waits, at random, until the sequence of play would go on.
fn settle(rules: &Rules, state: &mut State, numbers: &mut Numbers, sink: &mut Tally) {
    let mut choices = Vec::new();
    loop {
        ground_only(rules, state);
        if state.collapsing != 0 && state.frame().is_calm() {
            rules.look_at_will(state, sink);
            continue;
        }
        match state.frame() {
            Frame::Flow => return,
            Frame::Collapse(country) => rules.proceed_collapse(state, country, sink),
            Frame::Conquest(country, step) => rules.proceed_conquest(state, country, step, sink),
            frame => {
                choices.clear();
                rules.list(state, &mut choices);
                let choice = numbers.one_of(&choices).unwrap_or_else(|| panic!("{frame:?} has no answer"));
                // Most factions are content after a declaration or two.
                let choice = if matches!(frame, Frame::Declare(_)) && numbers.below(3) > 0 {
                    Choice::Pass
                } else {
                    choice
                };
                rules.play_politics(state, frame, choice, sink);
            }
        }
    }
}

fn march(rules: &Rules, state: &mut State, numbers: &mut Numbers, sink: &mut Tally) {
    let armies: Vec<UnitId> = UnitId::all().filter(|unit| state.unit(*unit).place.is_hex()).collect();
    let Some(army) = numbers.one_of(&armies) else { return };
    let near = rules.world.hex(state.unit(army).place).near;
    let open: Vec<Place> = near
        .into_iter()
        .filter(|hex| hex.is_hex() && rules.may_enter(state, *hex, army) && state.ground_at(*hex).is_none())
        .collect();
    if let Some(hex) = numbers.one_of(&open) {
        rules.put(state, army, hex);
        rules.enter_hex(state, army, hex, sink);
    }
}

fn check(rules: &Rules, state: &State) {
    assert_eq!((state.depth, state.collapsing), (1, 0));
    for unit in UnitId::all() {
        let place = state.unit(unit).place;
        let id = &rules.info(unit).id;
        if !place.is_hex() {
            continue;
        }
        assert_eq!(state.ground_at(place), Some(unit), "{id}");
        assert_eq!(
            state.controller(place),
            rules.side_of(state, unit),
            "{id} at {}",
            rules.world.place_name(place)
        );
        assert_eq!(state.country(rules.country_of(state, unit)).status, Status::Active, "{id}");
    }
    for hex in Place::hexes() {
        assert!(state.ground_at(hex).is_none_or(|unit| state.unit(unit).place == hex));
        let owner = rules.owner(state, hex);
        // What was ceded and then taken from its claimant is its first owner's again, even while that one is neutral (1.3).
        let area = rules.tile(hex).disputed;
        let was_ceded = area != NO_AREA && state.ceded >> area & 1 != 0;
        if owner != Country::NONE && state.country(owner).status == Status::Neutral && !was_ceded {
            assert_eq!(
                state.controller(hex),
                Side::Nobody,
                "{} of {}",
                rules.world.place_name(hex),
                owner.id()
            );
        }
    }
    for country in Country::all() {
        let entry = state.country(country);
        match entry.status {
            Status::Active => {
                assert!((1..=199).contains(&entry.will) && entry.pro.is_none(), "{}", country.id());
            }
            Status::Conquered => {
                assert!(entry.side != Side::Nobody && entry.pro.is_none(), "{}", country.id());
            }
            _ => assert_eq!(entry.side, Side::Nobody, "{}", country.id()),
        }
        if country.index() == 0 && state.pact() {
            assert!(!state.occurred(crate::state::event::EAST));
        }
        assert!(entry.side != Side::Lone || state.pact(), "{} is Lone without a Pact", country.id());
    }
}

#[test]
fn a_position_stays_whole_whatever_happens() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let (rules, mut state) = start(seed % 3 == 0);
        for turn in 0..turn_of(1945, 9) {
            state.turn = turn;
            rules.begin_turn(&mut state, &mut tally);
            for faction in Faction::ALL {
                rules.begin_declarations(&mut state, faction, &mut tally);
                settle(&rules, &mut state, &mut numbers, &mut tally);
            }
            for _ in 0..40 {
                march(&rules, &mut state, &mut numbers, &mut tally);
                settle(&rules, &mut state, &mut numbers, &mut tally);
            }
            rules.end_of_operations(&mut state, Faction::Axis, &mut tally);
            settle(&rules, &mut state, &mut numbers, &mut tally);
            let victim = Country(numbers.below(Country::IDS.len()) as u8);
            let blow = numbers.below(12) as i16;
            rules.change_will(&mut state, victim, -blow, WillCause::Reset, &mut tally);
            settle(&rules, &mut state, &mut numbers, &mut tally);
            if state.cup.iter().any(|count| *count > 0) {
                let faction = Faction::ALL[numbers.below(3)];
                state.push(Frame::DrawMarker(faction));
                settle(&rules, &mut state, &mut numbers, &mut tally);
            }
            check(&rules, &state);
        }
    }
    let Tally { conquests, crises, liberations, peaces, areas, departures } = tally;
    let all = [conquests, crises, liberations, peaces, areas, departures];
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
}
