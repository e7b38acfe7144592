//! Rules of the year: 7.1, 17.

mod scene;

use kernel::Game;
use scene::Scene;
use triumph::{Choice, Stage};

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
