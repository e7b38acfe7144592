//! What a viewer may know of threats: units that could come to a capital, routes that are broken, the odds of a Battle in a
//! moment's time.

mod scene;

use kernel::{Catalogue as _, Game as _, Seat, Viewer};
use scene::Scene;
use triumph::{Faction, Kind, Power, Threat, View};

use Faction::{Axis, Ussr, West};

/// What the West sees, whose seat is the second.
fn western(scene: &Scene) -> View {
    scene.game.view(&scene.state, Viewer::Seat(Seat(1)))
}

fn at<'t>(scene: &Scene, threats: &'t [Threat], capital: &str, by: Faction) -> Option<&'t Threat> {
    let capital = scene.area(capital);
    threats.iter().find(|threat| threat.capital == capital && threat.by == by)
}

#[test]
fn a_hidden_unit_in_reach_is_an_unknown_threat_and_one_far_away_is_none() {
    let mut scene = Scene::empty();
    scene.unit(Power::Germany, Kind::Infantry, 3, "ruhr");
    scene.unit(Power::Germany, Kind::Tank, 4, "ruhr");
    scene.unit(Power::Germany, Kind::Tank, 4, "konigsberg");
    scene.unit(Power::Ussr, Kind::Tank, 3, "moscow");
    let threats = scene.game.rules().threats(&western(&scene), West);
    let paris = at(&scene, &threats, "paris", Axis).expect("Paris is in reach of the Ruhr");
    assert_eq!((paris.known, paris.cv, paris.unknown, paris.at_war), (0, 0, 2, false));
    assert!(paris.from.has(scene.area("ruhr")) && !paris.from.has(scene.area("konigsberg")));
    assert!(threats.iter().all(|threat| threat.by != Ussr), "{threats:?}");
}

#[test]
fn a_unit_that_lies_face_up_is_counted_with_its_strength_and_its_own_reach() {
    let mut scene = Scene::empty();
    let tank = scene.unit(Power::Germany, Kind::Tank, 4, "ruhr");
    let fort = scene.unit(Power::Germany, Kind::Fortress, 3, "ruhr");
    for block in [tank, fort] {
        scene.state.blocks[block].flags |= triumph::flag::REVEALED;
    }
    scene.war(Axis, West);
    let threats = scene.game.rules().threats(&western(&scene), West);
    let paris = at(&scene, &threats, "paris", Axis).expect("a Tank comes to Paris");
    assert_eq!((paris.known, paris.cv, paris.unknown, paris.at_war), (1, 4, 0, true), "a Fortress stays");
}

/// What is told depends on nothing that the viewer can't see.
#[test]
fn the_type_of_a_hidden_unit_changes_no_threat() {
    let seen = |kind: Kind| {
        let mut scene = Scene::empty();
        scene.unit(Power::Germany, kind, 1, "ruhr");
        scene.game.rules().threats(&western(&scene), West)
    };
    assert_eq!(seen(Kind::Tank), seen(Kind::Fortress));
}

#[test]
fn allies_of_the_game_for_two_do_not_threaten_each_other() {
    let mut scene = Scene::with(&[("players", "2")]);
    scene.unit(Power::Britain, Kind::Tank, 3, "kiev");
    let threats = scene.game.rules().threats(&western(&scene), Ussr);
    assert!(threats.is_empty(), "{threats:?}");
}

/// One Enemy fleet after the other in every sea: named are the seas in which it takes goods from the West.
#[test]
fn the_sea_with_the_enemy_that_breaks_a_route_is_named() {
    let mut broken = 0;
    for sea in triumph::AreaSet::SEA {
        let mut scene = Scene::empty();
        scene.war(Axis, West);
        let rules = scene.game.rules().clone();
        let before = rules.trade_routes(&scene.state, West).open;
        let id = rules.atlas().area(sea).id.clone();
        scene.unit(Power::Germany, Kind::Fleet, 2, &id);
        let lost = before.minus(rules.trade_routes(&scene.state, West).open);
        let is_worth = |area: u8| {
            let info = rules.atlas().area(area);
            scene.state.controls(West, area) && info.pop + info.res + info.red_res > 0
        };
        let takes_goods = lost.iter().any(is_worth);
        broken += usize::from(takes_goods);
        let named = rules.trade_breakers(&scene.state, West);
        assert_eq!(named.has(sea), takes_goods, "{id}");
        assert!(named.minus(triumph::AreaSet::one(sea)).is_empty(), "{id}: only where an Enemy is");
    }
    assert!(broken > 0, "some sea carries goods that have no other way");
}

/// The bar on the battle board says what the long answer says, as well as a sample can.
#[test]
fn the_quick_odds_agree_with_the_answer() {
    let mut scene = Scene::empty();
    scene.war(Axis, Ussr);
    for cv in [4, 3] {
        scene.unit(Power::Germany, Kind::Tank, cv, "lvov");
        scene.unit(Power::Ussr, Kind::Infantry, cv, "lvov");
    }
    let lvov = scene.area("lvov");
    scene.state.turn.faction = Axis;
    (scene.state.battle.area, scene.state.battle.round) = (lvov, 1);
    scene.state.battle.against = triumph::Parties::one(Ussr);
    for (_, block) in scene.state.blocks.iter_mut().enumerate().filter(|(_, block)| block.area == lvov) {
        block.flags |= triumph::flag::REVEALED;
    }
    let view = western(&scene);
    let quick = scene.game.rules().battle_prospects(&view).expect("everybody is known");
    let answer = scene.game.answer(&view, "battle lvov").expect("an answer");
    for (part, (name, chance)) in quick.ends.iter().zip(&answer.results) {
        assert!((part - chance.as_f64()).abs() < 0.05, "{name}: {part} and {}", chance.as_f64());
    }
}
