//! Rules of combat: 12.23, 12.24, 12.62, R67, R98.

mod scene;

use scene::Scene;
use triumph::{Choice, Class, Faction, Kind, Power, Stage, Tech, flag};

use Faction::{Axis, Ussr, West};

#[test]
fn defending_submarines_may_escape_while_a_battle_group_waits() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    scene.satellite("denmark", Axis);
    let first = scene.unit(Power::Germany, Kind::Fleet, 1, "ruhr");
    let second = scene.unit(Power::Germany, Kind::Fleet, 4, "copenhagen");
    let submarine = scene.unit(Power::Britain, Kind::Submarine, 3, "north_sea");
    scene.summer_turn(Axis);
    scene.go(first, "north_sea");
    scene.go(second, "north_sea");
    scene.choose(Choice::End);
    scene.choose(Choice::Select(scene.area("north_sea")));
    scene.choose(Choice::Group(first as u8));
    assert_eq!(scene.state.stage, Stage::Action(West));
    scene.choose(Choice::Fire(submarine as u8, Class::Naval));
    scene.play(Choice::Hits(1));
    assert!(!scene.state.blocks[first].on_map());
    assert_eq!(scene.state.stage, Stage::Escape(West), "12.23: before the second group joins");
    scene.choose(Choice::Escape(submarine as u8));
    assert!(!scene.state.blocks[second].is(flag::REVEALED), "X42: the second group stays hidden");
}

#[test]
fn in_winter_soviet_air_forces_rebase_inside_the_ussr() {
    let mut scene = Scene::empty();
    scene.war(Axis, Ussr);
    scene.satellite("poland", Ussr);
    scene.unit(Power::Ussr, Kind::Infantry, 3, "kiev");
    let air = scene.unit(Power::Ussr, Kind::AirForce, 3, "kiev");
    scene.unit(Power::Germany, Kind::Infantry, 3, "kiev");
    scene.winter_turn();
    scene.choose(Choice::End);
    scene.choose(Choice::Fight(scene.area("kiev")));
    scene.choose(Choice::Select(scene.area("kiev")));
    assert_eq!(scene.state.stage, Stage::Action(Ussr));
    assert!(!scene.offers(Choice::Rebase(air as u8, scene.area("lvov"))), "R98");
    assert!(scene.offers(Choice::Rebase(air as u8, scene.area("odessa"))));
}

#[test]
fn nobody_bombs_the_industry_of_a_capital_that_is_his_own_now() {
    let mut scene = Scene::empty();
    scene.war(Axis, Ussr);
    scene.unit(Power::Ussr, Kind::Infantry, 3, "berlin");
    let air = scene.unit(Power::Ussr, Kind::AirForce, 3, "berlin");
    scene.unit(Power::Germany, Kind::Infantry, 3, "berlin");
    scene.state.of_mut(Ussr).techs |= Tech::PrecisionBombsight.bit();
    scene.summer_turn(Ussr);
    assert!(scene.state.controls(Ussr, scene.area("berlin")));
    scene.choose(Choice::End);
    scene.choose(Choice::Fight(scene.area("berlin")));
    scene.choose(Choice::Select(scene.area("berlin")));
    assert_eq!(scene.state.stage, Stage::Action(Ussr));
    assert!(!scene.offers(Choice::Raid(air as u8)), "12.62: an Enemy MainCapital");
}

#[test]
fn aggressors_are_hidden_again_when_the_owner_has_left() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    let french = scene.unit(Power::France, Kind::Infantry, 3, "paris");
    let german = scene.unit(Power::Germany, Kind::Infantry, 3, "paris");
    scene.state.blocks[german].flags |= flag::REVEALED;
    scene.summer_turn(West);
    assert!(scene.is_shown(german));
    scene.go(french, "gascony");
    scene.choose(Choice::End);
    assert!(!scene.is_shown(german), "12.24");
}
