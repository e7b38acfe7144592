//! What Rivals learn and what not: section 20, rule 12.1, rulings R47, R48, R63.

mod scene;

use kernel::{Catalogue as _, Discard, Game, Seat, Viewer};
use scene::Scene;
use triumph::{Choice, Faction, GameEvent, Kind, Power, Season, Stage, flag};

use Faction::{Axis, West};

const WEST: Viewer = Viewer::Seat(Seat(1));

#[test]
fn surfacing_does_not_tell_the_strength_of_a_submarine() {
    let mut scene = Scene::empty();
    let submarine = scene.lurker(Power::Germany, 3, "north_sea");
    scene.summer_turn(Axis);
    let surface = Choice::Surface(submarine as u8);
    assert!(scene.offers(surface));
    let mut name = String::new();
    kernel::Wording::write_name(&scene.game, &scene.state, surface, &mut name);
    assert_eq!(name, "surface germany north_sea");
    assert_eq!(kernel::Wording::read_name(&scene.game, &scene.state, &name), Some(surface));
}

#[test]
fn which_battles_are_raids_shows_when_they_are_selected() {
    let view = |kind: Kind| {
        let mut scene = Scene::empty();
        scene.war(Axis, West);
        let unit = scene.unit(Power::Germany, kind, 3, "ruhr");
        scene.unit(Power::France, Kind::Infantry, 3, "lorraine");
        scene.summer_turn(Axis);
        scene.go(unit, "lorraine");
        scene.choose(Choice::End);
        assert_eq!(scene.state.stage, Stage::Select);
        let mut seen = *scene.game.view(&scene.state, WEST).state();
        // An Air Force flies in from where it likes.
        seen.blocks.iter_mut().for_each(|block| block.from = Scene::NOTHING);
        seen
    };
    assert!(view(Kind::Infantry) == view(Kind::AirForce), "12.1: nothing is shown yet");
}

#[test]
fn command_cards_are_secret_until_they_are_shown_and_open_afterwards() {
    let mut scene = Scene::empty();
    let card = scene.deal(Axis, Season::Summer);
    scene.deal(West, Season::Summer);
    scene.state.stage = Stage::Command;
    scene.choose(Choice::Commit(card));
    assert_eq!(scene.state.stage, Stage::Command);
    let before = scene.game.view(&scene.state, WEST);
    assert_eq!(before.state().of(Axis).committed, None);
    assert_eq!(before.counted(Axis).hand, [1, 0], "its back tells nothing");
    scene.choose(Choice::Pass);
    assert_eq!(scene.state.stage, Stage::Movement);
    let after = scene.game.view(&scene.state, WEST);
    assert_eq!(after.state().of(Axis).committed, Some(card));
    assert_eq!(after.counted(Axis).hand, [0, 0]);
    let mut dice = kernel::LabDice::new(1);
    let guess = scene.game.determinize(&after, &mut dice);
    assert_eq!(guess.of(Axis).committed, Some(card));
}

#[test]
fn with_two_players_the_last_card_is_not_shown_before_a_second_one_is_added() {
    let mut scene = Scene::with(&[("players", "2")]);
    scene.state.active_ally = Some(Faction::Ussr);
    let passive = scene.deal(West, Season::Summer);
    scene.deal(West, Season::Summer);
    let axis = scene.deal(Axis, Season::Summer);
    scene.state.stage = Stage::Command;
    scene.state.order = [West, Faction::Ussr, Axis];
    scene.choose(Choice::Commit(passive));
    let commit = Choice::Commit(axis);
    assert!(scene.offers(commit));
    assert!(scene.game.conceals(&scene.state, commit, WEST), "18.6");
    scene.game.apply(&mut scene.state, commit, &mut Discard);
    assert_eq!(scene.state.stage, Stage::SecondCard);
    assert_eq!(scene.game.view(&scene.state, WEST).state().of(Axis).committed, None);
}

#[test]
fn a_mole_sees_the_vault_while_it_decides_and_nobody_else_does() {
    let mut scene = Scene::empty();
    let card = |scene: &Scene, id: &str| scene.game.rules().world.card(id).expect("a card");
    let pair = [card(&scene, "I01"), card(&scene, "I02")];
    scene.state.deck[1] &= !(pair[0].bit() | pair[1].bit());
    let secret = triumph::VaultPair { tech: triumph::Tech::Sonar, cards: pair };
    scene.state.of_mut(West).vault[0] = Some(secret);
    let mole = (1..=55)
        .map(|number| card(&scene, &format!("I{number:02}")))
        .find(|card| {
            let research = scene.game.rules().world.investment(*card).research;
            research == triumph::Research::Intelligence(triumph::Intel::Mole)
        })
        .expect("a Mole");
    scene.state.deck[1] &= !mole.bit();
    scene.state.stage = Stage::Mole(mole, Axis, West);
    let view = |seat: u8| scene.game.view(&scene.state, Viewer::Seat(Seat(seat)));
    assert_eq!(view(0).state().of(West).vault[0], Some(secret), "R55");
    assert_eq!(view(2).state().of(West).vault[0], None);
    let guess = scene.game.determinize(&view(0), &mut kernel::LabDice::new(3));
    assert_eq!(guess.of(West).vault[0], Some(secret));
}

#[test]
fn the_question_about_a_battle_does_not_tell_convoys_from_ships() {
    let view = |kind: Kind| {
        let mut scene = Scene::empty();
        scene.war(Axis, West);
        scene.unit(Power::Germany, kind, 2, "north_sea");
        scene.unit(Power::Britain, Kind::Fleet, 2, "north_sea");
        scene.summer_turn(Axis);
        scene.choose(Choice::End);
        assert_eq!(scene.state.stage, Stage::Fight(scene.area("north_sea")));
        *scene.game.view(&scene.state, WEST).state()
    };
    assert_eq!(view(Kind::Infantry), view(Kind::Submarine), "R63");
}

/// Whether the table would play at once what is asked now.
fn at_once(scene: &Scene) -> bool {
    scene.choices().len() == 1 && scene.game.may_play_forced(&scene.state)
}

/// A French Infantry lands in Sardinia, where an Italian Tank stands; what is Italian in the sea beside it, if anything.
fn landing(afloat: Option<Kind>) -> Scene {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    let invader = scene.unit(Power::France, Kind::Infantry, 3, "marseille");
    scene.unit(Power::Italy, Kind::Tank, 2, "sardinia");
    if let Some(kind) = afloat {
        scene.unit(Power::Italy, kind, 2, "tyrrhenian_sea");
    }
    scene.summer_turn(West);
    scene.go(invader, "sardinia");
    scene.choose(Choice::End);
    scene.choose(Choice::Select(scene.area("sardinia")));
    assert_eq!(scene.state.stage, Stage::Action(Axis));
    scene
}

#[test]
fn a_retreat_by_sea_that_only_hidden_ships_allow_does_not_show() {
    let asked = |afloat: Option<Kind>| {
        let scene = landing(afloat);
        (scene.choices().len(), at_once(&scene))
    };
    assert_eq!(asked(Some(Kind::Fleet)), (2, false), "12.5 e");
    assert_eq!(asked(Some(Kind::AirForce)), (1, false), "asked in any case");
    assert_eq!(asked(None), (1, true), "where nothing lies at sea there is nothing to tell");
}

#[test]
fn the_only_card_for_a_war_is_not_paid_at_once() {
    for more in [false, true] {
        let mut scene = Scene::with(&[("players", "2")]);
        scene.state.active_ally = Some(West);
        scene.unit(Power::Britain, Kind::Fleet, 2, "london");
        scene.unit(Power::Germany, Kind::Fleet, 2, "north_sea");
        scene.summer_turn(West);
        let card = scene.deal(West, Season::Summer);
        if more {
            scene.deal(West, Season::Summer);
        }
        scene.choose(Choice::War(Axis));
        assert_eq!(scene.state.stage, Stage::WarCard(Axis));
        assert_eq!(scene.choices().len(), 1 + usize::from(more));
        assert!(scene.offers(Choice::Discard(card)) && !at_once(&scene), "18: how many there are is secret");
        // Whoever guesses the hand of the Allies knows that they can pay.
        let axis = scene.game.view(&scene.state, Viewer::Seat(Seat(0)));
        for seed in 0..40 {
            let guess = scene.game.determinize(&axis, &mut kernel::LabDice::new(seed));
            let mut choices = Vec::new();
            scene.game.choices(&guess, &mut choices);
            assert!(!choices.is_empty(), "no card to pay with in guess {seed}");
            assert_eq!(guess.of(West).hand[0].count_ones(), 1 + u32::from(more));
        }
    }
}

/// Stages whose answers depend on what only one player knows: cards, vaults, pools, units that stand with their backs to the others.
#[test]
fn what_hangs_on_a_secret_is_never_answered_at_once() {
    let mut scene = Scene::empty();
    let card = scene.game.rules().world.card("I01").expect("a card");
    let area = scene.area("berlin");
    for stage in [
        Stage::Spend,
        Stage::Step,
        Stage::Build,
        Stage::BuildAt,
        Stage::Government,
        Stage::FreePlay(3),
        Stage::DoubleAgent(card, Axis, West, Scene::NOTHING),
        Stage::Mole(card, Axis, West),
        Stage::Muster(triumph::After::Government),
        Stage::Command,
        Stage::SecondCard,
        Stage::WarCard(Axis),
        Stage::Movement,
        Stage::Destination,
        Stage::Fight(area),
        Stage::Vault(West),
        Stage::Winter,
    ] {
        scene.state.stage = stage;
        assert!(!scene.game.may_play_forced(&scene.state), "{stage:?}");
    }
    // What everybody can count is played on: cards that must go, units that lie face up, places that are known.
    for stage in [Stage::Discard, Stage::Pay(1), Stage::Hit(West), Stage::Select, Stage::Arrival(0)] {
        scene.state.stage = stage;
        assert!(scene.game.may_play_forced(&scene.state), "{stage:?}");
    }
}

#[test]
fn a_name_does_not_tell_whether_a_rival_has_such_a_unit() {
    let mut scene = Scene::empty();
    scene.unit(Power::Germany, Kind::Infantry, 1, "berlin");
    let own = scene.unit(Power::Britain, Kind::Fleet, 2, "london");
    scene.summer_turn(West);
    let read = |scene: &Scene, name: &str| kernel::Wording::read_name(&scene.game, &scene.state, name);
    assert_eq!(read(&scene, "move britain fleet 2 london"), Some(Choice::Move(own as u8)));
    for name in
        ["move germany infantry 1 berlin", "step germany infantry 1 berlin", "hit germany tank 1 berlin"]
    {
        assert_eq!(read(&scene, name), None, "section 20: {name}");
    }
}

#[test]
fn a_guess_holds_a_rivals_capital_with_a_ground_unit() {
    let mut scene = Scene::empty();
    scene.war(Axis, Faction::Ussr);
    let occupier = scene.unit(Power::Ussr, Kind::Infantry, 1, "berlin");
    let berlin = scene.area("berlin");
    for controller in [Axis, Faction::Ussr] {
        scene.state.control[Axis.index()].remove(berlin);
        scene.state.control[controller.index()].add(berlin);
        let view = scene.game.view(&scene.state, Viewer::Seat(Seat(0)));
        for seed in 0..200 {
            let guess = scene.game.determinize(&view, &mut kernel::LabDice::new(seed));
            let kind = guess.blocks[occupier].kind;
            assert!(
                kind.is_troop(),
                "R3: a {kind:?} alone can't stay in Berlin, controlled by {controller:?}"
            );
        }
    }
}

#[test]
fn a_step_is_secret_unless_the_unit_lies_face_up() {
    let mut scene = Scene::empty();
    let units = ["berlin", "ruhr"].map(|area| scene.unit(Power::Germany, Kind::Infantry, 1, area));
    scene.state.blocks[units[1]].flags |= flag::REVEALED;
    scene.game.place(&mut scene.state, "phase", "production axis").expect("a phase");
    scene.choose(Choice::Strengthen);
    let [hidden, shown] = units.map(|unit| Choice::Step(unit as u8));
    assert!(scene.offers(hidden) && scene.offers(shown));
    assert!(scene.game.conceals(&scene.state, hidden, WEST), "7.23: which unit is its owner's business");
    assert!(!scene.game.conceals(&scene.state, shown, WEST), "its pips are seen by all");
    let told = |choice: Choice| {
        let (mut state, mut heard) = (scene.state, kernel::Recorder::default());
        scene.game.apply(&mut state, choice, &mut heard);
        let steps =
            heard.seen_by(WEST).filter(|event| matches!(event, GameEvent::Stepped { unit: Some(_), .. }));
        steps.count()
    };
    assert_eq!([told(hidden), told(shown)], [0, 1]);
}
