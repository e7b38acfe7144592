//! Rules of the year: 7.1, 17, R6.

mod scene;

use kernel::{Catalogue, Game};
use scene::Scene;
use triumph::{Choice, Faction, Kind, Stage};

/// Plays the first choice until a year begins or the game ends.
fn play_until_year(scene: &mut Scene, year: u8) {
    for _ in 0..4_000 {
        if scene.state.year >= year || scene.state.stage == Stage::Over {
            return;
        }
        let quiet = [Choice::Pass, Choice::End, Choice::Finish];
        let open = scene.choices();
        let choice = quiet.into_iter().find(|choice| open.contains(choice)).unwrap_or(open[0]);
        scene.play(choice);
    }
    panic!("the year {year} never came");
}

#[test]
fn the_whole_game_has_a_year_1938() {
    let mut scene = Scene::empty();
    scene.state = scene.game.start();
    play_until_year(&mut scene, 38);
    let chits = scene.state.factions.map(|own| own.chits.iter().sum::<u8>());
    let mut productions = 0;
    while scene.state.year == 38 {
        productions += usize::from(scene.state.stage == Stage::Spend);
        let quiet = [Choice::Pass, Choice::End, Choice::Finish];
        let open = scene.choices();
        let choice = quiet.into_iter().find(|choice| open.contains(choice)).unwrap_or(open[0]);
        scene.play(choice);
    }
    assert!(productions >= 3, "everybody produces in 1938: {productions}");
    let after = scene.state.factions.map(|own| own.chits.iter().sum::<u8>());
    for (before, after) in chits.into_iter().zip(after) {
        assert!(after <= before + 2, "one chit a year, not the three of the start of 1939");
    }
}

#[test]
fn before_1939_the_axis_holds_austria_and_has_seven_plays() {
    let mut scene = Scene::with(&[("start", "1939")]);
    scene.state = scene.game.start();
    for _ in 0..1_000 {
        if matches!(scene.state.stage, Stage::FreePlay(_)) {
            break;
        }
        let open = scene.choices();
        let choice = if open.contains(&Choice::Finish) { Choice::Finish } else { open[0] };
        scene.play(choice);
    }
    assert_eq!(scene.state.stage, Stage::FreePlay(7), "17.5");
    let vienna = scene.area("vienna");
    let garrison: Vec<_> =
        scene.state.own_at(Faction::Axis, vienna).map(|(_, unit)| (unit.kind, unit.cv)).collect();
    assert_eq!(garrison, [(Kind::Infantry, 2)], "17.4");
    assert!(scene.state.controls(Faction::Axis, vienna));
    scene.choose(Choice::Pass);
    assert_eq!(scene.state.stage, Stage::Chit(Faction::Axis, 3), "17.6: three Peace Dividends");
}

#[test]
fn an_empty_deck_is_made_anew_of_its_discards() {
    let mut scene = Scene::empty();
    scene.game.place(&mut scene.state, "phase", "production axis").expect("a phase");
    let used = scene.game.rules().world.card("I07").expect("a card");
    (scene.state.deck[1], scene.state.discard[1]) = (0, used.bit());
    scene.choose(Choice::BuyInvestment);
    assert!(!scene.offers(Choice::BuyInvestment), "R47: there is only one card");
    scene.choose(Choice::Finish);
    scene.choose(Choice::Card(used));
    assert_eq!((scene.state.of(Faction::Axis).hand[1], scene.state.discard[1]), (used.bit(), 0), "R6");
}
