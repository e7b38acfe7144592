//! Missions step by step: N08, A11 to A15, rulings 35, 40, 62, 67, 82.

use kernel::Discard;

use super::*;
use crate::ids::Side;
use crate::standing::Reaction;
use crate::survey::Survey;
use crate::testing::{position, put, rules};

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect("a city")).hex
}

fn war(rules: &Rules) -> State {
    let mut state = position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::ITA, Side::Axis),
            (Country::NOR, Side::Axis),
            (Country::UK, Side::Western),
            (Country::USA, Side::Western),
            (Country::DEN, Side::Western),
            (Country::USSR, Side::Soviet),
        ],
    );
    state.become_frame(Frame::Actions(Faction::Axis));
    state
}

fn choices(rules: &Rules, state: &State) -> Vec<Choice> {
    let mut out = Vec::new();
    rules.list(state, &mut out);
    out
}

/// Plays choices, each of which must be offered.
fn play(rules: &Rules, state: &mut State, answers: &[Choice]) {
    for answer in answers {
        assert!(choices(rules, state).contains(answer), "{answer:?} at {:?}", state.frame());
        rules.play(state, *answer, &mut Discard);
    }
}

fn sail(rules: &Rules, state: &mut State, unit: UnitId, to: &str) {
    rules.play_mission_action(state, Choice::Sail(unit), &mut Discard);
    play(rules, state, &[Choice::To(hex(rules, to))]);
}

const CALM: Frame = Frame::Actions(Faction::Axis);

#[test]
fn a_ship_sails_once_and_unseen() {
    let rules = rules();
    let mut state = war(&rules);
    let fleet = put(&rules, &mut state, "GER-KM", "2526");
    let escort = put(&rules, &mut state, "GER-LF1", "2730");
    let mut list = Vec::new();
    let own = rules.own_on_map(&state, Faction::Axis);
    Survey::ask(&rules, &state, |survey| rules.list_mission_actions(&state, survey, &own, &mut list));
    assert_eq!(list, [Choice::Rebase(escort), Choice::Sail(fleet)]);
    // Nobody can intercept: no escort is asked for.
    sail(&rules, &mut state, fleet, "oslo");
    assert_eq!((state.frame(), state.unit(fleet).place), (CALM, hex(&rules, "oslo")));
    assert_eq!((state.unit(fleet).level, state.mission), (0, Mission::NONE));
    list.clear();
    let own = rules.own_on_map(&state, Faction::Axis);
    Survey::ask(&rules, &state, |survey| rules.list_mission_actions(&state, survey, &own, &mut list));
    assert_eq!(list, [Choice::Rebase(escort)]);
}

/// The Baltic with a German convoy, its escort at Kiel, a British fighter at Copenhagen and the Soviet fleet.
fn baltic(rules: &Rules) -> (State, [UnitId; 4]) {
    let mut state = war(rules);
    let units = [("GER-CV1", "2730"), ("GER-KM", "2526"), ("UK-DAF", "2328"), ("USSR-BAL", "1641")];
    let leningrad = rules.world.place_name(hex(rules, "leningrad"));
    let units = units.map(|(unit, place)| {
        put(rules, &mut state, unit, if unit == "USSR-BAL" { &leningrad } else { place })
    });
    (state, units)
}

/// N08: the West passes, the Soviets intercept and fail against the escort; nobody is asked again.
#[test]
fn one_interception_is_all() {
    let rules = rules();
    let (mut state, [convoy, escort, british, soviet]) = baltic(&rules);
    sail(&rules, &mut state, convoy, "memel");
    assert_eq!(choices(&rules, &state), [Choice::Escort(escort), Choice::Alone]);
    play(&rules, &mut state, &[Choice::Escort(escort)]);
    assert_eq!(state.frame(), Frame::Intercept(Faction::Western));
    assert_eq!(choices(&rules, &state), [Choice::Intercept(british), Choice::LetGo, Choice::LetAllGo]);
    play(&rules, &mut state, &[Choice::LetGo]);
    assert_eq!(state.frame(), Frame::Intercept(Faction::Soviet));
    play(&rules, &mut state, &[Choice::Intercept(soviet)]);
    assert_eq!((state.mission.zone, state.duel.occasion), (Node::zone(13), Occasion::Escort));
    play(&rules, &mut state, &[Choice::Die(1), Choice::Die(6)]);
    assert_eq!((state.frame(), state.unit(convoy).place), (CALM, hex(&rules, "memel")));
    assert_eq!([convoy, escort, soviet].map(|unit| state.unit(unit).level), [0, 1, 3]);
    let ended = [convoy, escort, british, soviet].map(|unit| state.unit(unit).has(flag::ENDED));
    assert_eq!(ended, [false, false, false, true]);
    assert_eq!((state.duel, state.mission), (Duel::NONE, Mission::NONE));
    // The fleet has returned to its base.
    assert_eq!(state.unit(escort).place, hex(&rules, "kiel"));
}

/// Ruling 134: who lets everything go is not asked again in this month; the others are, until they say the same. Then no
/// escort is asked for either.
#[test]
fn who_lets_everything_go_is_asked_again_next_month() {
    let rules = rules();
    let (mut state, [convoy, escort, ..]) = baltic(&rules);
    let again = put(&rules, &mut state, "GER-CV2", "2526");
    sail(&rules, &mut state, convoy, "memel");
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::LetAllGo]);
    assert!(state.stands(Reaction::Intercept, Faction::Western));
    assert!(!state.stands(Reaction::Commit, Faction::Western), "that is another question");
    assert_eq!(state.frame(), Frame::Intercept(Faction::Soviet));
    play(&rules, &mut state, &[Choice::LetGo]);
    assert_eq!((state.frame(), state.unit(convoy).place), (CALM, hex(&rules, "memel")));
    let before = state;
    sail(&rules, &mut state, again, "konigsberg");
    play(&rules, &mut state, &[Choice::Alone]);
    assert_eq!(state.frame(), Frame::Intercept(Faction::Soviet), "the Soviets never said so");
    play(&rules, &mut state, &[Choice::LetAllGo]);
    assert_eq!((state.frame(), state.unit(again).place), (CALM, hex(&rules, "konigsberg")));
    // With both of them out of the way a voyage is not even escorted.
    let mut state = State { standing: state.standing, ..before };
    sail(&rules, &mut state, again, "konigsberg");
    assert_eq!((state.frame(), state.unit(again).place), (CALM, hex(&rules, "konigsberg")));
    let mut state = State { standing: state.standing, ..before };
    rules.end_turn(&mut state, &mut Discard);
    assert_eq!(state.standing, 0);
    sail(&rules, &mut state, again, "konigsberg");
    play(&rules, &mut state, &[Choice::Alone]);
    assert_eq!(state.frame(), Frame::Intercept(Faction::Western));
}

/// A12 and A13 in the Baltic: the escort fails, the interceptor goes on, convoy and escort go to the nearest port.
#[test]
fn an_interdicted_convoy_turns_back() {
    let rules = rules();
    let (mut state, [convoy, escort, _, soviet]) = baltic(&rules);
    let passenger = put(&rules, &mut state, "GER-LF1", "2730");
    state.unit_mut(passenger).level = 1;
    rules.play_mission_action(&mut state, Choice::Transport(convoy), &mut Discard);
    assert_eq!(choices(&rules, &state), [Choice::With(passenger)]);
    play(&rules, &mut state, &[Choice::With(passenger), Choice::To(hex(&rules, "memel"))]);
    assert!(state.unit(passenger).has(flag::ENDED));
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::LetGo, Choice::Intercept(soviet)]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1)]);
    assert_eq!(choices(&rules, &state), [Choice::Press, Choice::LetGo]);
    assert!(state.unit(escort).has(flag::ENDED) && !state.unit(soviet).has(flag::ENDED));
    let before = [escort, soviet].map(|unit| state.unit(unit).level);
    assert_eq!(before, [2, 1]);
    play(&rules, &mut state, &[Choice::Press, Choice::Die(6), Choice::Die(1)]);
    // 6 - 1 against 1 + 1 - 2, at least 1: DR.
    assert_eq!([convoy, escort, soviet, passenger].map(|unit| state.unit(unit).level), [2, 2, 2, 3]);
    assert_eq!(state.unit(convoy).place, hex(&rules, "stettin"), "its old port is as near as any");
    assert_eq!(state.unit(passenger).place, hex(&rules, "stettin"));
    assert_eq!(state.unit(escort).place, hex(&rules, "kiel"));
    assert!([convoy, escort, soviet].iter().all(|unit| state.unit(*unit).has(flag::ENDED)));
    assert_eq!(state.frame(), CALM);
}

/// 5.2: a fleet from Hamburg that is interdicted in the Baltic puts in there, not at home.
#[test]
fn an_interdicted_fleet_puts_in_at_the_nearest_port() {
    let rules = rules();
    let (mut state, [_, fleet, _, soviet]) = baltic(&rules);
    let hamburg = hex(&rules, "hamburg");
    rules.put(&mut state, fleet, hamburg);
    sail(&rules, &mut state, fleet, "memel");
    play(&rules, &mut state, &[Choice::LetGo, Choice::Intercept(soviet)]);
    assert_eq!(state.mission.zone, Node::zone(13));
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1)]);
    let port = state.unit(fleet).place;
    assert!(
        rules.world.waters(port) & Node::zone(13).bit() != 0,
        "{} is no port of the Baltic",
        rules.world.place_name(port)
    );
    assert_eq!((state.controller(port), state.frame()), (Side::Axis, CALM));
}

/// The interceptor may let the mission go after beating the escort, and is not ended then.
#[test]
fn an_interceptor_may_let_go() {
    let rules = rules();
    let (mut state, [convoy, escort, british, soviet]) = baltic(&rules);
    sail(&rules, &mut state, convoy, "memel");
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::LetGo, Choice::Intercept(soviet)]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1), Choice::LetGo]);
    assert_eq!((state.unit(convoy).place, state.unit(convoy).level), (hex(&rules, "memel"), 0));
    assert!(!state.unit(soviet).has(flag::ENDED));
    // With six Sorties it could not have gone on, and would not have been asked.
    let (mut state, _) = baltic(&rules);
    rules.lift(&mut state, british);
    state.unit_mut(soviet).level = 5;
    sail(&rules, &mut state, convoy, "memel");
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::Intercept(soviet)]);
    state.unit_mut(escort).level = 4;
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1)]);
    // 6 - 5 against 1 + 1 - 4: no effect, the escort holds.
    assert_eq!((state.frame(), state.unit(soviet).level), (CALM, 6));
}

/// A voyage that meets an enemy goes on if he fails, and a transport then adds no Sortie of its own.
#[test]
fn a_failed_interdiction_lets_the_convoy_through() {
    let rules = rules();
    let (mut state, [convoy, _, british, soviet]) = baltic(&rules);
    let passenger = put(&rules, &mut state, "GER-LF1", "2730");
    rules.play_mission_action(&mut state, Choice::Transport(convoy), &mut Discard);
    play(&rules, &mut state, &[Choice::With(passenger), Choice::To(hex(&rules, "memel")), Choice::Alone]);
    play(&rules, &mut state, &[Choice::Intercept(british), Choice::Die(1), Choice::Die(6)]);
    assert_eq!(state.unit(convoy).place, hex(&rules, "memel"));
    assert_eq!(state.unit(passenger).place, hex(&rules, "memel"));
    assert_eq!((state.unit(convoy).level, state.unit(passenger).level), (1, 0));
    assert!(state.unit(british).has(flag::ENDED) && !state.unit(soviet).has(flag::ENDED));
}

/// A sea link: the Supply Check finds whether it was interdicted (A14); without a fight the convoy adds a Sortie (ruling 35).
#[test]
fn a_sea_link_tells_how_it_went() {
    let rules = rules();
    for (answers, interdicted, sorties) in [
        (&[Choice::LetGo][..], false, 1),
        (&[Choice::Intercept(UnitId::NONE), Choice::Die(3), Choice::Die(2)], true, 2),
        (&[Choice::Intercept(UnitId::NONE), Choice::Die(1), Choice::Die(6)], false, 1),
    ] {
        let mut state = war(&rules);
        let convoy = put(&rules, &mut state, "UK-CV3", "ENA");
        let naples = hex(&rules, "naples");
        state.control[naples.index()] = Side::Western;
        let gibraltar = hex(&rules, "gibraltar");
        rules.put(&mut state, convoy, gibraltar);
        let fighter = put(&rules, &mut state, "ITA-AIR2", "5228");
        state.become_frame(Frame::Link(Faction::Western));
        let mission =
            Mission { errand: Errand::Link, unit: convoy, from: gibraltar, to: naples, ..Mission::NONE };
        rules.begin_mission(&mut state, mission, &mut Discard);
        rules.settle(&mut state, &mut Discard);
        assert_eq!(state.frame(), Frame::Intercept(Faction::Axis));
        for answer in answers {
            let answer =
                if matches!(answer, Choice::Intercept(_)) { Choice::Intercept(fighter) } else { *answer };
            play(&rules, &mut state, &[answer]);
        }
        assert_eq!(state.frame(), Frame::Link(Faction::Western));
        assert_eq!((state.mission.errand, state.mission.interdicted), (Errand::Link, interdicted));
        assert_eq!((state.unit(convoy).level, state.unit(convoy).place), (sorties, gibraltar));
        assert_eq!(state.unit(convoy).has(flag::ENDED), interdicted);
    }
}

/// A Bombing Run from Leeds against Hamburg, with a German fighter at Hannover.
fn raid(rules: &Rules, markers: &[(Marker, Country)]) -> (State, [UnitId; 3]) {
    let mut state = war(rules);
    for (marker, country) in markers {
        state.ready[rules.slot(*marker, Owner::Country(*country)).expect("a marker")] = 1;
    }
    let units = [("UK-BC", "2416"), ("GER-LF2", "2825"), ("USA-8FC", "2816")];
    let [bomber, fighter, escort] = units.map(|(unit, place)| put(rules, &mut state, unit, place));
    state.become_frame(Frame::Actions(Faction::Western));
    let (from, to) = (state.unit(bomber).place, hex(rules, "hamburg"));
    let mission = Mission { errand: Errand::Bombing, unit: bomber, from, to, ..Mission::NONE };
    rules.begin_mission(&mut state, mission, &mut Discard);
    rules.settle(&mut state, &mut Discard);
    (state, [bomber, fighter, escort])
}

/// A03, and a run that nobody meets.
#[test]
fn a_bombing_run() {
    let rules = rules();
    let hamburg = rules.world.city_named("hamburg").expect("Hamburg");
    let (mut state, [bomber, fighter, _]) = raid(&rules, &[]);
    // No Long-Range Escort in hand: no escort.
    assert_eq!(state.frame(), Frame::Intercept(Faction::Axis));
    play(&rules, &mut state, &[Choice::Intercept(fighter), Choice::Die(5), Choice::Die(2)]);
    assert!(!state.is_bombed(hamburg));
    assert_eq!((state.unit(bomber).level, state.unit(fighter).level), (3, 1));
    assert!(state.unit(bomber).has(flag::ENDED) && state.unit(fighter).has(flag::ENDED));
    let (mut state, [bomber, ..]) = raid(&rules, &[]);
    play(&rules, &mut state, &[Choice::LetGo]);
    assert!(state.is_bombed(hamburg) && state.unit(bomber).level == 1);
    let mut targets = Vec::new();
    rules.bombings(&state, bomber, |hex| {
        targets.push(hex);
        false
    });
    assert!(!targets.contains(&rules.world.city(hamburg).hex) && targets.len() > 10);
}

/// A fighter meets a Bombing Run over hexes up to five away, wherever the bomber comes from (1.4); a bomber meets nobody.
#[test]
fn fighters_meet_bombers_within_five_hexes_of_the_target() {
    let rules = rules();
    let (mut state, [_, fighter, _]) = raid(&rules, &[]);
    let bomber = rules.world.wings.iter().copied().find(|unit| {
        rules.kind(*unit) == crate::world::Kind::Bomber && rules.info(*unit).country == Country::GER
    });
    let bomber = bomber.expect("a German bomber");
    let (mission, mut seen) = (state.mission, [0; 2]);
    for hex in Place::hexes() {
        state.unit_mut(fighter).place = hex;
        state.unit_mut(bomber).place = hex;
        let meets: Vec<UnitId> = rules.interceptors(&state, &mission, Faction::Axis).collect();
        let is_near = rules.world.distance(hex, mission.to) <= 5;
        assert_eq!(meets, if is_near { vec![fighter] } else { Vec::new() }, "{hex:?}");
        seen[usize::from(is_near)] += 1;
    }
    assert!(seen[0] > 1000 && seen[1] > 50, "far and near {seen:?} times");
}

/// A15, and what Thousand Bombers add once the escort has failed.
#[test]
fn an_escorted_bombing_run() {
    let rules = rules();
    let hamburg = rules.world.city_named("hamburg").expect("Hamburg");
    let markers = [(Marker::LongRangeEscort, Country::USA), (Marker::ThousandBombers, Country::UK)];
    let (mut state, [bomber, fighter, escort]) = raid(&rules, &markers);
    state.unit_mut(fighter).level = 2;
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::Intercept(fighter)]);
    play(&rules, &mut state, &[Choice::Die(5), Choice::Die(3)]);
    assert!(state.is_bombed(hamburg));
    assert_eq!([bomber, fighter, escort].map(|unit| state.unit(unit).level), [1, 3, 1]);
    let used = rules.slot(Marker::LongRangeEscort, Owner::Country(Country::USA)).expect("a marker");
    assert_eq!((state.ready[used], state.spent[used]), (0, 1));

    let (mut state, [bomber, fighter, escort]) = raid(&rules, &markers);
    play(&rules, &mut state, &[Choice::Escort(escort), Choice::Intercept(fighter)]);
    play(&rules, &mut state, &[Choice::Die(6), Choice::Die(1), Choice::Press]);
    assert_eq!(state.frame(), Frame::DuelItem(1));
    play(&rules, &mut state, &[Choice::Use(Marker::ThousandBombers)]);
    assert_eq!(rules.duel_sum(&state, &state.duel, 1).total(), 1);
    play(&rules, &mut state, &[Choice::Die(1), Choice::Die(6)]);
    // 1 + 2 - 1 against 6 + 1: the run goes on; the bomber has fought, and adds nothing more.
    assert!(state.is_bombed(hamburg) && state.unit(bomber).level == 1);
}

/// The zone of the fight is the one nearest to the interceptor, the earlier of two (6.9).
#[test]
fn where_they_meet() {
    let rules = rules();
    let mut state = war(&rules);
    let fleet = put(&rules, &mut state, "GER-KM", "2730");
    let (from, to) = (hex(&rules, "stettin"), hex(&rules, "trondheim"));
    let (_, path) = rules.sea_path_of(&state, fleet, from, to, 10).expect("a way");
    let mission = Mission { errand: Errand::Sail, unit: fleet, from, to, path, ..Mission::NONE };
    let home = put(&rules, &mut state, "UK-HFL", "1518");
    assert_eq!(rules.meeting_zone(&state, &mission, home), Node::zone(8));
    let channel = put(&rules, &mut state, "UK-CHN", "2815");
    assert_eq!(rules.meeting_zone(&state, &mission, channel), Node::zone(11));
    // Lone countries are the Soviets' enemies only (ruling 67).
    state.country_mut(Country::SWE).side = Side::Lone;
    state.country_mut(Country::SWE).status = crate::state::Status::Active;
    let swedish = put(&rules, &mut state, "SWE-FL", "1733");
    let western: Vec<UnitId> = rules.interceptors(&state, &mission, Faction::Western).collect();
    assert!(western.contains(&home) && western.contains(&channel) && !western.contains(&swedish));
    let soviet = put(&rules, &mut state, "USSR-CV1", "2335");
    let against = Mission { unit: soviet, ..mission };
    let western: Vec<UnitId> = rules.interceptors(&state, &against, Faction::Western).collect();
    assert_eq!(western, [swedish]);
}
