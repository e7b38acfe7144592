//! Rules of movement: 10.11, 10.4, 11.2 to 11.51, 18.2.

mod scene;

use scene::Scene;
use triumph::{Faction, Kind, Power, Season};

use Faction::{Axis, Ussr, West};

#[test]
fn in_winter_no_ship_leaves_the_ussr_not_even_into_a_battle() {
    let mut scene = Scene::empty();
    scene.war(Axis, Ussr);
    let fleet = scene.unit(Power::Ussr, Kind::Fleet, 3, "odessa");
    scene.unit(Power::Ussr, Kind::Infantry, 3, "odessa");
    scene.unit(Power::Italy, Kind::Fleet, 2, "western_black_sea");
    scene.winter_turn();
    assert!(!scene.reaches(fleet, "western_black_sea"), "10.4: path and end are land of the USSR");
    assert!(scene.reaches(fleet, "sevastopol"));
}

#[test]
fn in_an_emergency_a_submarine_enters_no_enemy_sea_on_its_way() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    let submarine = scene.unit(Power::Germany, Kind::Submarine, 2, "copenhagen");
    scene.satellite("denmark", Axis);
    scene.unit(Power::Britain, Kind::Fleet, 4, "north_sea");
    scene.turn(Axis, Season::Spring);
    assert!(scene.state.turn.emergency);
    assert!(!scene.reaches(submarine, "norwegian_sea"), "10.11: only through the North Sea");
    assert!(scene.reaches(submarine, "baltic_sea"));
}

#[test]
fn an_escaped_submarine_beside_enemies_makes_no_strategic_move() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    let submarine = scene.lurker(Power::Germany, 2, "north_sea");
    scene.unit(Power::Britain, Kind::Fleet, 4, "north_sea");
    scene.summer_turn(Axis);
    assert!(scene.reaches(submarine, "norwegian_sea"), "an ordinary move");
    let points = scene.goals(submarine);
    let far = scene.area("barents_sea");
    assert!(!points.iter().any(|(to, _)| *to == far), "11.4: it starts in an Enemy Sea");
}

#[test]
fn a_fleet_leaves_a_battle_into_open_sea_not_through_a_neutral_strait() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    let fleet = scene.unit(Power::Britain, Kind::Fleet, 4, "aegean_sea");
    scene.unit(Power::Italy, Kind::Fleet, 2, "aegean_sea");
    scene.summer_turn(West);
    assert!(!scene.reaches(fleet, "western_black_sea"), "11.51: Istanbul is Neutral");
    assert!(scene.reaches(fleet, "eastern_mediterranean"));
}

#[test]
fn allies_never_share_a_sea_not_even_in_a_battle() {
    let mut scene = Scene::with(&[("players", "2")]);
    scene.war(Axis, West);
    scene.war(Axis, Ussr);
    scene.state.active_ally = Some(West);
    let fleet = scene.unit(Power::Britain, Kind::Fleet, 4, "norwegian_sea");
    scene.unit(Power::Ussr, Kind::Fleet, 2, "north_sea");
    scene.unit(Power::Germany, Kind::Submarine, 2, "north_sea");
    scene.summer_turn(West);
    assert!(!scene.reaches(fleet, "north_sea"), "18.2");
}

#[test]
fn a_war_is_offered_only_if_the_ocean_is_in_reach() {
    let mut scene = Scene::empty();
    let fleet = scene.unit(Power::Britain, Kind::Fleet, 4, "north_sea");
    scene.unit(Power::Germany, Kind::Submarine, 2, "north_atlantic_ocean");
    scene.summer_turn(West);
    assert!(
        !scene.offers(triumph::Choice::War(Axis)),
        "R41: two points to the Irish Sea, two more to the ocean"
    );
    scene.state.relocate(fleet, scene.area("norwegian_sea"));
    assert!(scene.offers(triumph::Choice::War(Axis)));
}

#[test]
fn who_leaves_a_battle_may_intervene() {
    let mut scene = Scene::empty();
    scene.war(Axis, West);
    scene.satellite("low_countries", West);
    let prague = scene.nation("czechoslovakia");
    let now = scene.state.nation_mut(prague);
    now.status = triumph::Status::Armed;
    now.violators = now.violators.with(Axis);
    now.enemies = now.enemies.with(Axis);
    scene.state.armed |= 1 << prague;
    scene.state.place_fort(2, scene.area("prague"));
    scene.unit(Power::Germany, Kind::Infantry, 3, "munich");
    let tank = scene.unit(Power::Britain, Kind::Tank, 2, "munich");
    scene.satellite("austria", West);
    scene.summer_turn(West);
    scene.choose(triumph::Choice::Intervene(prague));
    assert!(scene.reaches(tank, "prague"), "R77: by Vienna, beside the fort and without a Battle");
}
