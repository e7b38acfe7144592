//! Rules of the game for two: 18; R97.

mod scene;

use scene::Scene;
use triumph::{Choice, Faction, Kind, Power, Season, Stage, Tech};

use Faction::{Axis, Ussr, West};

fn allies() -> Scene {
    let mut scene = Scene::with(&[("players", "2")]);
    scene.state.active_ally = Some(West);
    scene
}

#[test]
fn capitals_of_an_ally_are_nobodys_prize() {
    let mut scene = allies();
    scene.war(Axis, West);
    scene.unit(Power::Britain, Kind::Infantry, 3, "moscow");
    scene.unit(Power::Germany, Kind::Infantry, 3, "leningrad");
    scene.summer_turn(West);
    assert!(scene.state.controls(West, scene.area("moscow")));
    assert_eq!(scene.game.rules().rival_capitals(&scene.state, West), 0, "R97");
    assert_eq!(scene.game.rules().rival_capitals(&scene.state, Axis), 1);
}

#[test]
fn an_ally_is_not_bombed() {
    let mut scene = allies();
    scene.satellite("poland", West);
    let air = scene.unit(Power::Britain, Kind::AirForce, 3, "vilna");
    for stage in [Tech::Atomic1, Tech::Atomic2, Tech::Atomic3, Tech::Atomic4, Tech::HeavyBombers] {
        scene.state.of_mut(West).techs |= stage.bit();
    }
    scene.unit(Power::Germany, Kind::Infantry, 3, "berlin");
    scene.summer_turn(West);
    scene.state.relocate(air, scene.area("bryansk"));
    assert!(!scene.offers(Choice::Bomb), "only Moscow is in range");
    scene.state.relocate(air, scene.area("vilna"));
    assert!(scene.offers(Choice::Bomb), "Berlin is");
}

#[test]
fn a_war_over_a_protectorate_costs_an_ally_a_card_too() {
    let mut scene = allies();
    scene.markers("low_countries", Axis, 2);
    scene.unit(Power::France, Kind::Infantry, 3, "paris");
    let nation = scene.nation("low_countries");
    scene.summer_turn(West);
    assert!(!scene.offers(Choice::Violate(nation)), "no card to pay with");
    let card = scene.deal(West, Season::Summer);
    scene.choose(Choice::Violate(nation));
    scene.choose(Choice::StandBy);
    assert_eq!(scene.state.stage, Stage::WarCard(Axis), "18.7");
    scene.choose(Choice::Discard(card));
    assert!(scene.state.at_war(West, Axis) && scene.state.turn.surprise);
    assert!(scene.state.muster.has(scene.area("amsterdam")) || !scene.state.muster.is_empty());
    assert!(!scene.state.at_war(Ussr, Axis));
}
