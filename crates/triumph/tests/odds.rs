//! Questions and answers: dice, Battles that are only imagined, attacks before they are made, routes, hidden units.

mod scene;

use kernel::{Answer, Catalogue, Chance, Dice, Discard, Game, LabDice, Mover, Seat, Viewer};
use scene::Scene;
use triumph::{Choice, Faction, Kind, Parties, Power, Stage, State, Triumph, flag};

use Faction::{Axis, Ussr, West};

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
        "calc fleet 1 then fleet 2 vs fleet 1",
        "attack",
        "attack paris",
        "battle paris retreat",
        "trade atlantis",
        "reach germany infantry 0 berlin",
        "fire x",
        "dice",
    ] {
        assert!(game.answer(&view, wrong).is_err(), "{wrong}");
    }
}

/// If everybody were at war: puts Enemies where an answer says that they would break a Trade Route.
fn enemies_break(game: &Triumph, state: &State, faction: Faction, area: u8) -> usize {
    let rules = game.rules();
    let mut state = *state;
    for (one, own) in Faction::ALL.into_iter().zip(&mut state.factions) {
        own.enemies = one.rivals().into_iter().fold(own.enemies, Parties::with);
    }
    let Some(way) = rules.trade_way(&state, faction, area) else { return 0 };
    let enemy = faction.rivals()[0];
    let is_open = |seas: &[u8]| {
        let mut blocked = state;
        for sea in seas {
            blocked.place(enemy.great(), Kind::Fleet, 1, *sea);
        }
        rules.trade_routes(&blocked, faction).round_africa.has(area)
    };
    let at_sea = |areas: &[u8]| areas.iter().all(|area| usize::from(*area) >= triumph::LANDS);
    let mut count = 0;
    for vital in way.vital.iter().filter(|vital| at_sea(&[**vital])) {
        assert!(!is_open(&[*vital]), "one area breaks the route");
        count += 1;
    }
    for pair in rules.trade_pairs(&state, faction, &way).iter().filter(|pair| at_sea(&pair[..])) {
        assert!(pair.iter().all(|sea| is_open(&[*sea])), "one of the two is not enough");
        assert!(!is_open(pair), "both areas break the route");
        count += 1;
    }
    count
}

#[test]
fn every_question_of_a_game_has_an_answer_and_ways_agree_with_sets() {
    let game = Triumph::new(triumph::Settings::default());
    let mut dice = LabDice::new(23);
    let (mut answered, mut ways, mut vital, mut broken) = (0, 0, 0, 0);
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
                        if dice.below(20) == 0 {
                            broken += enemies_break(&game, &state, faction, area);
                        }
                        ways += 1;
                        vital += way.vital.len();
                    }
                }
            }
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    assert!(
        answered > 20 && ways > 1_000 && vital > 20 && broken > 20,
        "{answered}, {ways}, {vital}, {broken}"
    );
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

// --- attacks that are not made yet -------------------------------------------------------------------

/// The Axis moves; the West holds Paris and everybody sees with what.
fn before_the_attack() -> Scene {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    for (kind, cv) in [(Kind::Infantry, 2), (Kind::Fortress, 1)] {
        let block = scene.unit(Power::France, kind, cv, "lorraine");
        scene.state.blocks[block].flags |= flag::REVEALED;
    }
    scene.unit(Power::Germany, Kind::Infantry, 3, "munich");
    scene.unit(Power::Germany, Kind::Tank, 2, "munich");
    scene.unit(Power::Germany, Kind::AirForce, 1, "ruhr");
    scene.summer_turn(Axis);
    scene
}

fn ask(scene: &Scene, seat: u8, question: &str) -> Result<Answer, String> {
    let view = scene.game.view(&scene.state, Viewer::Seat(Seat(seat)));
    scene.game.answer(&view, question)
}

fn fact<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let found = answer.facts.iter().find(|(known, _)| *known == name);
    found.map_or_else(|| panic!("no {name} in {answer}"), |(_, fact)| fact.as_str())
}

/// Moves a unit as its owner would, by whatever way is listed first.
fn march(scene: &mut Scene, power: Power, kind: Kind, from: &str, to: &str) {
    let (from, to) = (scene.area(from), scene.area(to));
    let blocks = power.blocks();
    let unit = { blocks }.find(|block| {
        let unit = &scene.state.blocks[*block];
        unit.area == from && unit.kind == kind
    });
    scene.choose(Choice::Move(unit.expect("a unit") as u8));
    let goal =
        scene.choices().into_iter().find(|choice| matches!(choice, Choice::To(goal, _) if *goal == to));
    scene.choose(goal.expect("a way"));
}

#[test]
fn an_attack_is_the_battle_that_follows_from_the_moves() {
    let mut scene = before_the_attack();
    let all = ask(&scene, 0, "attack lorraine").expect("an answer");
    assert_eq!(fact(&all, "attackers"), "Air Force 1, Tank 2, Infantry 3");
    assert_eq!(fact(&all, "defenders"), "Fortress 1, Infantry 2");
    assert!(fact(&all, "moves").starts_with("3 units would move there"), "{all}");
    let some =
        ask(&scene, 0, "attack Lorraine with germany infantry 3 munich, germany tank 2 munich retreat");
    let some = some.expect("an answer");
    assert_eq!(fact(&some, "attackers"), "Tank 2, Infantry 3");
    assert!(fact(&some, "assumed").contains("the Attacker's units leave"), "{some}");
    assert!(
        scene
            .game
            .questions(&scene.game.view(&scene.state, Viewer::Seat(Seat(0))))
            .contains(&"attack lorraine".to_owned())
    );
    march(&mut scene, Power::Germany, Kind::Infantry, "munich", "lorraine");
    march(&mut scene, Power::Germany, Kind::Tank, "munich", "lorraine");
    let there = ask(&scene, 0, "battle lorraine retreat").expect("an answer");
    assert_eq!(there.results, some.results);
    march(&mut scene, Power::Germany, Kind::AirForce, "ruhr", "lorraine");
    assert_eq!(ask(&scene, 0, "battle lorraine").expect("an answer").results, all.results);
}

#[test]
fn an_attack_that_cannot_be_made_says_why() {
    let scene = before_the_attack();
    let why = |seat: u8, question: &str| ask(&scene, seat, question).expect_err("no answer");
    assert!(why(0, "attack london").contains("no Enemy stands"), "{}", why(0, "attack london"));
    assert!(why(0, "attack lorraine with germany infantry 2 munich").contains("none of your units"));
    assert!(why(0, "attack lorraine with france infantry 2 lorraine").contains("none of your units"));
    let twice = "attack lorraine with germany infantry 3 munich, germany infantry 3 munich";
    assert!(why(0, twice).contains("named twice"));
    assert!(why(0, "attack berlin").contains("no Enemy stands"), "{}", why(0, "attack berlin"));
    assert!(why(0, "attack atlantis").contains("no area"));
    let spectator = scene.game.view(&scene.state, Viewer::Spectator);
    assert!(scene.game.answer(&spectator, "attack lorraine").expect_err("hidden").contains("spectators"));
}

#[test]
fn an_attack_on_neutrals_and_at_peace_counts_what_must_be_declared() {
    let mut scene = Scene::empty();
    scene.unit(Power::Germany, Kind::Infantry, 3, "berlin");
    scene.unit(Power::Ussr, Kind::Infantry, 2, "leningrad");
    scene.unit(Power::Britain, Kind::Fleet, 2, "north_sea");
    scene.unit(Power::Germany, Kind::Fleet, 3, "ruhr");
    scene.summer_turn(Axis);
    let poland = ask(&scene, 0, "attack warsaw").expect("an answer");
    assert!(fact(&poland, "declares first").contains("Violation of Neutrality: Poland"), "{poland}");
    assert!(fact(&poland, "defenders").starts_with("Fortress"), "{poland}");
    assert!(poland.facts.iter().any(|(_, fact)| fact == "all rolls counted"), "{poland}");
    let sea = ask(&scene, 0, "attack north_sea").expect("an answer");
    assert!(fact(&sea, "declares first").contains("war on the West"), "{sea}");
    assert_eq!(fact(&sea, "defenders"), "1 hidden");
    assert!(sea.facts.iter().any(|(name, _)| *name == "hidden units"), "{sea}");
    // Whoever is not on turn asks as if it were.
    let later = ask(&scene, Ussr as u8, "attack helsinki").expect("an answer");
    assert!(fact(&later, "moves").contains("as if your turn began now"), "{later}");
}

#[test]
fn imagined_battles_take_groups_escapes_and_retreats() {
    let game = Triumph::new(triumph::Settings::default());
    let view = game.view(&game.start(), Viewer::Spectator);
    let ask = |question: &str| game.answer(&view, question).unwrap_or_else(|why| panic!("{question}: {why}"));
    let chance = |answer: &Answer, at: usize| answer.results[at].1.as_f64();
    let together = ask("calc fleet 3, fleet 3 vs fleet 4 sea");
    let apart = ask("calc fleet 3 then fleet 3 vs fleet 4 sea");
    assert_eq!(fact(&apart, "joins in a later round"), "Fleet 3");
    assert!(chance(&together, 0) > chance(&apart, 0), "{together}\n{apart}");
    let stays = ask("calc submarine 3 vs fleet 4 sea");
    let escapes = ask("calc submarine 3 vs fleet 4 sea escape");
    assert!(fact(&escapes, "steps the Attacker loses on average").contains("get away"), "{escapes}");
    assert!(chance(&escapes, 1) > chance(&stays, 1), "an Escaped Submarine leaves the sea to the Enemy");
    let leaves = ask("calc infantry 4, tank 4 vs infantry 1 their-retreat");
    assert!(chance(&leaves, 0) > chance(&ask("calc infantry 4, tank 4 vs infantry 1"), 0), "{leaves}");
    // Submarines can't fire at Ground units and may not pass: they leave. Ruling R64.
    let harbour = ask("calc infantry 2 vs submarine 2");
    assert_eq!(chance(&harbour, 0), 1.0, "{harbour}");
    let sum: f64 = (0..3).map(|at| chance(&apart, at)).sum();
    let first: f64 = (3..6).map(|at| chance(&apart, at)).sum();
    assert!((sum - 1.0).abs() < 1e-6 && (first - 1.0).abs() < 1e-6, "{apart}");
}
