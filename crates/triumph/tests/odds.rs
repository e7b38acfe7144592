//! Odds against a slow second way: the rules engine itself, roll by roll, and plain counting.

mod scene;

use std::collections::BTreeMap;

use kernel::{Catalogue, Chance, Dice, Discard, Game, LabDice, Mover, Seat, Viewer};
use scene::Scene;
use triumph::{
    Army, Choice, Class, Faction, Fight, Fighter, Kind, Parties, Power, Rules, Stage, State, Triumph,
};

use Faction::{Axis, West};

/// Types with their CV.
type Units = [(Kind, u8)];

fn fighters(units: &Units) -> Vec<Fighter> {
    units.iter().map(|(kind, cv)| Fighter { kind: *kind, cv: *cv, idle: false }).collect()
}

fn fight(attackers: &Units, defenders: &Units, at_sea: bool) -> Fight {
    let army = |units| Army { units: fighters(units), ..Army::default() };
    Fight { armies: [army(attackers), army(defenders)], at_sea, surprise: false }
}

/// A Battle of the real game, with its dice still to fall.
fn battle(attackers: &Units, defenders: &Units, area: &str) -> Scene {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    for (kind, cv) in defenders {
        scene.unit(Power::Britain, *kind, *cv, area);
    }
    for (kind, cv) in attackers {
        scene.unit(Power::Germany, *kind, *cv, area);
    }
    scene.summer_turn(Axis);
    scene.choose(Choice::End);
    let place = scene.area(area);
    scene.choose(Choice::Fight(place));
    scene.choose(Choice::Select(place));
    scene
}

/// What a player does who fires where the firepower is greatest and never leaves.
fn plain_choice(rules: &Rules, state: &State, listed: &[Choice]) -> Choice {
    let power = |choice: &Choice| match *choice {
        Choice::Fire(block, class) => {
            let kind = state.blocks[usize::from(block)].kind;
            let there = state.blocks.iter().enumerate().filter(|(at, unit)| {
                unit.area == state.battle.area
                    && State::owner(*at) != State::owner(usize::from(block))
                    && unit.kind.class(usize::from(unit.area) >= triumph::LANDS) == class
            });
            let cv: u32 = there.map(|(_, unit)| u32::from(unit.cv)).sum();
            let order = [Class::Submarine, Class::Naval, Class::Air, Class::Ground];
            let last = order.iter().position(|other| *other == class).unwrap_or(0);
            (u32::from(rules.atlas().types[kind.index()].fire[class as usize]), cv, last)
        }
        _ => (0, 0, 0),
    };
    match state.stage {
        Stage::Action(_) => *listed.iter().max_by_key(|choice| power(choice)).expect("an action"),
        Stage::Hit(_) => {
            let kind = |choice: &Choice| choice.block().map(|block| state.blocks[block].kind);
            *listed.iter().max_by_key(|choice| kind(choice)).expect("a unit")
        }
        _ if listed.contains(&Choice::End) => Choice::End,
        _ => listed[0],
    }
}

/// How a Battle has ended: who is left in the area.
fn left(state: &State, area: u8) -> Parties {
    state.parties(area)
}

/// Every roll of a round, by the rules engine: rolls by who is left, all as parts of one.
fn every_roll(scene: &Scene, area: u8) -> BTreeMap<u8, f64> {
    fn walk(game: &Triumph, state: &State, area: u8, part: f64, ends: &mut BTreeMap<u8, f64>) {
        if !state.turn.open.has(area) || state.stage == Stage::Rebase {
            *ends.entry(left(state, area).0).or_default() += part;
            return;
        }
        let mut listed = Vec::new();
        game.choices(state, &mut listed);
        if game.mover(state) == Mover::Fate {
            let all = f64::from(game.tickets(state));
            let mut ways: BTreeMap<u8, u32> = BTreeMap::new();
            for ticket in 0..game.tickets(state) {
                if let Choice::Hits(hits) = game.drawn(state, ticket) {
                    *ways.entry(hits).or_default() += 1;
                }
            }
            for (hits, count) in ways {
                let mut next = *state;
                game.apply(&mut next, Choice::Hits(hits), &mut Discard);
                walk(game, &next, area, part * f64::from(count) / all, ends);
            }
            return;
        }
        let mut next = *state;
        let choice = plain_choice(game.rules(), state, &listed);
        game.apply(&mut next, choice, &mut Discard);
        walk(game, &next, area, part, ends);
    }
    let mut ends = BTreeMap::new();
    walk(&scene.game, &scene.state, area, 1.0, &mut ends);
    ends
}

const AXIS_BIT: u8 = 1;
const WEST_BIT: u8 = 2;

#[test]
fn one_action_is_counted_as_all_faces_of_all_dice() {
    for dice in 1..=4_u32 {
        for needs in 1..=4_u32 {
            let mut by_hits = [0_u64; 5];
            for roll in 0..6_u32.pow(dice) {
                let faces = (0..dice).map(|at| roll / 6_u32.pow(at) % 6 + 1);
                by_hits[faces.filter(|face| *face <= needs).count()] += 1;
            }
            let game = Triumph::new(triumph::Settings::default());
            let view = game.view(&game.start(), Viewer::Spectator);
            let answer = game.answer(&view, &format!("calc hits {dice} {needs}")).expect("an answer");
            for (hits, (_, chance)) in answer.results.iter().enumerate() {
                assert_eq!(*chance, Chance::of(by_hits[hits], 6_u64.pow(dice)));
            }
        }
    }
}

#[test]
fn land_rounds_agree_with_every_roll_of_the_engine() {
    use Kind::{AirForce, Fleet, Fortress, Infantry, Tank};
    let cases: [(&Units, &Units); 6] = [
        (&[(Infantry, 3)], &[(Infantry, 2)]),
        (&[(Infantry, 2), (Tank, 2)], &[(Fortress, 2)]),
        (&[(Infantry, 2), (Infantry, 2)], &[(Tank, 2), (Infantry, 1)]),
        (&[(AirForce, 2), (Infantry, 2)], &[(AirForce, 1), (Infantry, 2)]),
        (&[(Infantry, 1), (AirForce, 1)], &[(Fleet, 2), (Infantry, 1)]),
        (&[(Tank, 1), (Infantry, 1)], &[(Infantry, 1)]),
    ];
    for (attackers, defenders) in cases {
        let scene = battle(attackers, defenders, "paris");
        let ends = every_roll(&scene, scene.area("paris"));
        let prospects = fight(attackers, defenders, false).one_round().expect("small enough");
        let close = |one: f64, bits: u8| {
            let other = ends.get(&bits).copied().unwrap_or(0.0);
            assert!((one - other).abs() < 1e-9, "{attackers:?} {defenders:?}: {one} and {other}, {ends:?}");
        };
        close(prospects.attacker, AXIS_BIT);
        close(prospects.defender, WEST_BIT);
        close(prospects.both, AXIS_BIT | WEST_BIT);
    }
}

#[test]
fn battles_at_sea_agree_with_battles_played_by_the_engine() {
    use Kind::{AirForce, Carrier, Fleet, Infantry, Submarine};
    let cases: [(&Units, &Units); 4] = [
        (&[(Fleet, 3)], &[(Fleet, 2), (Submarine, 2)]),
        (&[(Submarine, 3)], &[(Infantry, 3), (Fleet, 1)]),
        (&[(Carrier, 3), (Fleet, 1)], &[(Fleet, 3)]),
        (&[(AirForce, 2), (Fleet, 2)], &[(Fleet, 3)]),
    ];
    let mut dice = LabDice::new(11);
    for (attackers, defenders) in cases {
        let scene = battle(attackers, defenders, "english_channel");
        let area = scene.area("english_channel");
        let games = 2_000;
        let mut won = [0_u32; 2];
        let mut listed = Vec::new();
        for _ in 0..games {
            let mut state = scene.state;
            while state.turn.open.has(area) && state.stage != Stage::Rebase {
                let choice = if scene.game.mover(&state) == Mover::Fate {
                    scene.game.drawn(&state, dice.below(scene.game.tickets(&state)))
                } else {
                    listed.clear();
                    scene.game.choices(&state, &mut listed);
                    plain_choice(scene.game.rules(), &state, &listed)
                };
                scene.game.apply(&mut state, choice, &mut Discard);
            }
            let there = left(&state, area);
            won[0] += u32::from(there.has(Axis) && !there.has(West));
            won[1] += u32::from(there.has(West) && !there.has(Axis));
        }
        let prospects = fight(attackers, defenders, true).whole().expect("small enough");
        for (count, chance) in won.into_iter().zip([prospects.attacker, prospects.defender]) {
            let seen = f64::from(count) / f64::from(games);
            assert!((seen - chance).abs() < 0.05, "{attackers:?} {defenders:?}: {seen} and {chance}");
        }
        let sample = Fight::sample(4_000, &mut dice, |_| fight(attackers, defenders, true));
        assert!((sample.attacker - prospects.attacker).abs() < 0.03);
        assert!((sample.losses[0] - prospects.losses[0]).abs() < 0.1);
    }
}

#[test]
fn no_question_takes_for_ever() {
    let game = Triumph::new(triumph::Settings::default());
    let view = game.view(&game.start(), Viewer::Spectator);
    let many =
        "calc 6 fleet 4, 6 carrier 4, 6 submarine 4, 6 tank 4 vs 8 fleet 4, 8 submarine 4, 8 infantry 4 sea";
    let start = std::time::Instant::now();
    let answer = game.answer(&view, many).expect("an answer");
    assert!(answer.facts.iter().any(|(_, fact)| fact.contains("played out")), "{answer}");
    let land = "calc 12 infantry 4, 12 tank 4 vs 12 infantry 4, fortress 4, 11 air_force 4 surprise";
    let answer = game.answer(&view, land).expect("an answer");
    assert!(answer.facts.iter().any(|(_, fact)| fact.contains("played out")), "{answer}");
    assert!(start.elapsed().as_secs() < 20);
    for wrong in [
        "",
        "calc",
        "calc x",
        "calc 99 infantry 4 vs tank 1",
        "calc infantry 9 vs tank 1",
        "calc infantry 1 vs fortress 1 sea",
        "calc infantry 1 vs tank 1 minor",
        "calc infanty 1 vs tank 1",
        "calc infantry 1 vs tank 1 surprize",
        "trade atlantis",
        "reach germany infantry 0 berlin",
        "fire x",
        "dice",
    ] {
        assert!(game.answer(&view, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_question_of_a_game_has_an_answer_and_ways_agree_with_sets() {
    let game = Triumph::new(triumph::Settings::default());
    let mut dice = LabDice::new(23);
    let (mut answered, mut ways, mut vital) = (0, 0, 0);
    let mut listed = Vec::new();
    for _ in 0..3 {
        let mut state = game.start();
        let mut step = 0;
        while state.stage != Stage::Over && step < 4_000 {
            step += 1;
            listed.clear();
            game.choices(&state, &mut listed);
            let choice = match game.mover(&state) {
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                _ => listed[dice.below(listed.len() as u32) as usize],
            };
            if dice.below(60) == 0 {
                let view = game.view(&state, Viewer::Seat(Seat(dice.below(3) as u8)));
                let questions = game.questions(&view);
                for question in questions.iter().filter(|asked| !asked.starts_with("battle")).take(12) {
                    let answer =
                        game.answer(&view, question).unwrap_or_else(|why| panic!("{question}: {why}"));
                    assert!(!answer.title.is_empty() && !answer.facts.is_empty());
                    answered += 1;
                }
                for faction in Faction::ALL {
                    let rules = game.rules();
                    let routes = rules.trade_routes(&state, faction);
                    let supplied = rules.supplied(&state, faction);
                    for area in 0..triumph::AREAS as u8 {
                        let way = rules.trade_way(&state, faction, area);
                        assert_eq!(way.is_some(), routes.round_africa.has(area));
                        assert_eq!(rules.supply_way(&state, faction, area).is_some(), supplied.has(area));
                        let Some(way) = way else { continue };
                        let near = |pair: &[u8]| rules.atlas().border(pair[0], pair[1]).is_some();
                        assert!(way.areas.windows(2).all(near), "a chain of neighbours");
                        ways += 1;
                        vital += way.vital.len();
                    }
                }
            }
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    assert!(answered > 20 && ways > 1_000 && vital > 20, "{answered}, {ways}, {vital}");
}

#[test]
fn hidden_units_are_dealt_out_and_the_answer_says_so() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    scene.unit(Power::France, Kind::Infantry, 2, "paris");
    scene.unit(Power::Germany, Kind::Infantry, 3, "paris");
    scene.summer_turn(Axis);
    let view = scene.game.view(&scene.state, Viewer::Seat(Seat(0)));
    let answer = scene.game.answer(&view, "battle Paris").expect("an answer");
    assert!(answer.facts.iter().any(|(name, fact)| *name == "defenders" && fact == "1 hidden"), "{answer}");
    assert!(answer.facts.iter().any(|(name, _)| *name == "hidden units"), "{answer}");
    let whole: f64 = answer.results.iter().map(|(_, chance)| chance.as_f64()).sum();
    assert!((whole - 1.0).abs() < 1e-6);
    assert!(scene.game.questions(&view).contains(&"battle paris".to_owned()));
    let vp = scene.game.answer(&view, "vp").expect("an answer");
    assert!(vp.facts.iter().any(|(name, fact)| *name == "West" && fact.contains("hidden chits")), "{vp}");
}
