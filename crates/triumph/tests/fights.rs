//! The model of a Battle against a slow second way: the rules engine itself, roll by roll and Battle by Battle, with players
//! who keep to the same plain policy.

mod plain;
mod scene;

use kernel::{Dice, Discard, Game, LabDice, Mover};
use plain::plain_choice;
use scene::Scene;
use triumph::{Choice, Faction, Fight, Kind, Manner, Power, Stage, State, Triumph, blocks_of};

use Faction::{Axis, West};

/// Types with their CV.
type Units = [(Kind, u8)];

const TO_THE_END: [Manner; 2] = [Manner { escapes: false, retreats: false }; 2];

/// A Battle of the real game, selected, with its dice still to fall. The attackers were there before.
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
    select(&mut scene, area);
    scene
}

/// Ends the moves and opens the Battle.
fn select(scene: &mut Scene, area: &str) {
    scene.choose(Choice::End);
    let place = scene.area(area);
    if scene.offers(Choice::Fight(place)) {
        scene.choose(Choice::Fight(place));
    }
    scene.choose(Choice::Select(place));
}

// --- the slow way --------------------------------------------------------------------------------------

/// Who is left in an area: 0 only the Axis, 1 only the West, 2 both, 3 nobody.
fn ending(state: &State, area: u8) -> usize {
    let there = state.parties(area);
    match (there.has(Axis), there.has(West)) {
        (true, false) => 0,
        (false, true) => 1,
        (true, true) => 2,
        (false, false) => 3,
    }
}

/// Every roll until a round or a Battle is over, by the rules engine: parts of one by who is left, and steps on the map.
struct Walk<'g> {
    game: &'g Triumph,
    area: u8,
    manners: [Manner; 2],
    ends: [f64; 4],
    steps: [f64; 2],
}

impl Walk<'_> {
    /// A round at sea is over when the next one is about to begin.
    fn is_over(&self, state: &State, round: u8) -> bool {
        let next = state.battle.round > round || (state.stage == Stage::Group && state.battle.round == round);
        !state.turn.open.has(self.area) || next
    }

    fn go_on(&mut self, state: &State, round: u8, part: f64) {
        if self.is_over(state, round) {
            self.ends[ending(state, self.area)] += part;
            for (sum, faction) in self.steps.iter_mut().zip([Axis, West]) {
                *sum += part * f64::from(state.total_cv(faction));
            }
            return;
        }
        if self.game.mover(state) == Mover::Fate {
            let all = self.game.tickets(state);
            let mut ways = [0_u32; 9];
            for ticket in 0..all {
                if let Choice::Hits(hits) = self.game.drawn(state, ticket) {
                    ways[usize::from(hits)] += 1;
                }
            }
            for (hits, count) in ways.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                let mut next = *state;
                self.game.apply(&mut next, Choice::Hits(hits as u8), &mut Discard);
                self.go_on(&next, round, part * f64::from(count) / f64::from(all));
            }
            return;
        }
        let mut listed = Vec::new();
        self.game.choices(state, &mut listed);
        let mut next = *state;
        self.game.apply(
            &mut next,
            plain_choice(self.game.rules(), state, &listed, self.manners),
            &mut Discard,
        );
        self.go_on(&next, round, part);
    }
}

/// All rolls of the round under way.
fn every_roll<'g>(game: &'g Triumph, state: &State, area: u8, manners: [Manner; 2]) -> Walk<'g> {
    let mut walk = Walk { game, area, manners, ends: [0.0; 4], steps: [0.0; 2] };
    walk.go_on(state, state.battle.round.max(1), 1.0);
    walk
}

fn model(scene: &Scene, area: u8, manners: [Manner; 2]) -> Fight {
    scene.game.rules().fight_at(&scene.state, area, Axis, manners)
}

fn close(one: f64, other: f64, what: &str) {
    assert!((one - other).abs() < 1e-9, "{what}: the model has {one}, the engine {other}");
}

fn manners(attacker: (bool, bool), defender: (bool, bool)) -> [Manner; 2] {
    [attacker, defender].map(|(escapes, retreats)| Manner { escapes, retreats })
}

/// Compares the model of the position as it is with every roll of the engine until the round is over.
fn compare_round(scene: &Scene, area: &str, manners: [Manner; 2], what: &str) {
    let area = scene.area(area);
    let prospects = model(scene, area, manners).counted().expect("small enough");
    let walk = every_roll(&scene.game, &scene.state, area, manners);
    for (one, other) in prospects.first.into_iter().zip(walk.ends) {
        close(one, other, what);
    }
    if usize::from(area) < triumph::LANDS {
        for (side, faction) in [Axis, West].into_iter().enumerate() {
            let before = f64::from(scene.state.total_cv(faction));
            close(
                prospects.toll.total(side),
                before - walk.steps[side],
                &format!("{what}, steps of {faction}"),
            );
        }
    }
}

// --- one round, exactly ----------------------------------------------------------------------------------

#[test]
fn land_rounds_agree_with_every_roll_of_the_engine() {
    use Kind::{AirForce, Carrier, Fleet, Fortress, Infantry, Submarine, Tank};
    let cases: [(&Units, &Units); 9] = [
        (&[(Infantry, 3)], &[(Infantry, 2)]),
        (&[(Infantry, 2), (Tank, 2)], &[(Fortress, 2)]),
        (&[(Infantry, 2), (Infantry, 1)], &[(Tank, 2), (Infantry, 1)]),
        (&[(AirForce, 2), (Infantry, 2)], &[(AirForce, 1), (Infantry, 2)]),
        (&[(Infantry, 1), (AirForce, 1)], &[(Fleet, 2), (Infantry, 1)]),
        (&[(Tank, 1), (Infantry, 1)], &[(Infantry, 1)]),
        (&[(AirForce, 2)], &[(Infantry, 1), (Submarine, 2)]),
        (&[(Infantry, 3), (Tank, 2)], &[(Carrier, 2), (Submarine, 1)]),
        (&[(Fleet, 2), (AirForce, 1)], &[(Fleet, 1), (AirForce, 2)]),
    ];
    for (attackers, defenders) in cases {
        for manner in
            [TO_THE_END, manners((false, true), (false, true)), manners((false, false), (false, true))]
        {
            for area in ["paris", "london"] {
                let scene = battle(attackers, defenders, area);
                compare_round(
                    &scene,
                    area,
                    manner,
                    &format!("{attackers:?} {defenders:?} {manner:?} {area}"),
                );
            }
        }
    }
}

#[test]
fn first_rounds_at_sea_agree_with_every_roll_of_the_engine() {
    use Kind::{AirForce, Carrier, Fleet, Infantry, Submarine};
    let cases: [(&Units, &Units); 5] = [
        (&[(Fleet, 3)], &[(Fleet, 2), (Submarine, 2)]),
        (&[(Submarine, 2), (AirForce, 1)], &[(Infantry, 3), (Fleet, 1)]),
        (&[(Carrier, 3), (Fleet, 1)], &[(Fleet, 3)]),
        (&[(AirForce, 2), (Fleet, 1)], &[(Carrier, 2), (Submarine, 1)]),
        (&[(Submarine, 2)], &[(AirForce, 2)]),
    ];
    let all = [TO_THE_END, manners((true, true), (true, true)), manners((true, false), (false, true))];
    for (attackers, defenders) in cases {
        for manner in all {
            let scene = battle(attackers, defenders, "english_channel");
            let what = format!("{attackers:?} {defenders:?} {manner:?}");
            compare_round(&scene, "english_channel", manner, &what);
        }
    }
}

/// The model begins where the Battle stands: units that have acted, dice in the air, hits to be placed.
#[test]
fn a_round_under_way_agrees_with_every_roll_of_the_engine() {
    use Kind::{AirForce, Fleet, Infantry, Submarine, Tank};
    let cases: [(&Units, &Units, &str); 3] = [
        (&[(Infantry, 2), (Tank, 2), (AirForce, 1)], &[(Infantry, 2), (Tank, 2)], "paris"),
        (&[(Fleet, 2), (Submarine, 1)], &[(Fleet, 2), (Infantry, 2)], "english_channel"),
        (&[(Infantry, 3), (Tank, 3)], &[(Infantry, 3), (Tank, 3)], "paris"),
    ];
    let mut dice = LabDice::new(5);
    let mut met = [0; 3];
    for (attackers, defenders, name) in cases {
        for _ in 0..4 {
            let mut scene = battle(attackers, defenders, name);
            let area = scene.area(name);
            while scene.state.turn.open.has(area) && scene.state.battle.round < 2 {
                let at = match scene.state.stage {
                    Stage::Action(_) => 0,
                    Stage::Dice => 1,
                    Stage::Hit(_) => 2,
                    _ => break,
                };
                met[at] += 1;
                compare_round(&scene, name, TO_THE_END, &format!("{:?}", scene.state.stage));
                let choice = match scene.game.mover(&scene.state) {
                    Mover::Fate => {
                        scene.game.drawn(&scene.state, dice.below(scene.game.tickets(&scene.state)))
                    }
                    _ => plain_choice(scene.game.rules(), &scene.state, &scene.choices(), TO_THE_END),
                };
                scene.choose(choice);
            }
        }
    }
    assert!(met.iter().all(|count| *count > 3), "{met:?}");
}

// --- whole Battles, by playing them --------------------------------------------------------------------------

/// How many Battles of each kind are played.
const GAMES: u32 = 1_500;

/// Means that differ by more than four standard errors are no accident; the seeds are fixed.
fn agrees(seen: f64, square: f64, expected: f64, what: &str) {
    let games = f64::from(GAMES);
    let (mean, spread) = (seen / games, (square / games - (seen / games).powi(2)).max(0.0));
    let error = 4.0 * (spread / games).sqrt() + 0.004;
    assert!(
        (mean - expected).abs() < error,
        "{what}: the engine has {mean}, the model {expected} (±{error:.3})"
    );
}

/// Plays a Battle out again and again, and compares who is left and what is lost.
fn compare_battles(scene: &Scene, name: &str, manners: [Manner; 2], dice: &mut LabDice, what: &str) {
    let area = scene.area(name);
    let fight = model(scene, area, manners);
    let prospects = fight.counted().expect("small enough");
    let mut ends = [0.0; 4];
    let mut lost = [[0.0; 2]; 2];
    let mut listed = Vec::new();
    for _ in 0..GAMES {
        let mut state = scene.state;
        while state.turn.open.has(area) {
            let choice = if scene.game.mover(&state) == Mover::Fate {
                scene.game.drawn(&state, dice.below(scene.game.tickets(&state)))
            } else {
                listed.clear();
                scene.game.choices(&state, &mut listed);
                plain_choice(scene.game.rules(), &state, &listed, manners)
            };
            scene.game.apply(&mut state, choice, &mut Discard);
        }
        ends[ending(&state, area)] += 1.0;
        for (sums, faction) in lost.iter_mut().zip([Axis, West]) {
            let steps = f64::from(scene.state.total_cv(faction)) - f64::from(state.total_cv(faction));
            sums[0] += steps;
            sums[1] += steps * steps;
        }
    }
    for (count, chance) in ends.into_iter().zip(prospects.ends) {
        agrees(count, count, chance, what);
    }
    for (side, [sum, square]) in lost.into_iter().enumerate() {
        agrees(sum, square, prospects.toll.total(side), &format!("{what}, steps of side {side}"));
    }
    // The sample, for Battles that are too large to be counted, is of the same model.
    let sample = Fight::sample(GAMES, dice, |_| fight.clone());
    for (count, chance) in sample.ends.into_iter().zip(prospects.ends) {
        let games = f64::from(GAMES);
        agrees(count * games, count * games, chance, &format!("{what}, sampled"));
    }
}

#[test]
fn battles_at_sea_agree_with_battles_played_by_the_engine() {
    use Kind::{AirForce, Carrier, Fleet, Infantry, Submarine, Tank};
    let cases: [(&Units, &Units); 5] = [
        (&[(Fleet, 3)], &[(Fleet, 2), (Submarine, 2)]),
        (&[(Submarine, 3)], &[(Infantry, 3), (Fleet, 1)]),
        (&[(Carrier, 3), (Fleet, 1)], &[(Fleet, 3)]),
        (&[(AirForce, 2), (Fleet, 2)], &[(Fleet, 3)]),
        (&[(Fleet, 2), (Tank, 2)], &[(Fleet, 2), (Infantry, 2), (Submarine, 1)]),
    ];
    let all = [TO_THE_END, manners((true, true), (true, true)), manners((false, true), (true, false))];
    let mut dice = LabDice::new(11);
    for (attackers, defenders) in cases {
        for manner in all {
            let scene = battle(attackers, defenders, "english_channel");
            let what = format!("{attackers:?} {defenders:?} {manner:?}");
            compare_battles(&scene, "english_channel", manner, &mut dice, &what);
        }
    }
}

/// Ships that come from two ports are two BattleGroups; the second joins in the second round. Rule 12.71.
#[test]
fn battle_groups_join_round_by_round() {
    let mut dice = LabDice::new(12);
    for manner in [TO_THE_END, manners((true, true), (false, true))] {
        let mut scene = Scene::empty();
        scene.war(Axis, West);
        scene.unit(Power::Britain, Kind::Fleet, 3, "north_sea");
        scene.unit(Power::Britain, Kind::Submarine, 2, "north_sea");
        scene.unit(Power::Germany, Kind::Fleet, 2, "ruhr");
        scene.unit(Power::Germany, Kind::Submarine, 2, "ruhr");
        scene.unit(Power::Germany, Kind::Fleet, 3, "berlin");
        scene.summer_turn(Axis);
        let sea = scene.area("north_sea");
        for block in blocks_of(Axis).filter(|block| scene.state.blocks[*block].on_map()).collect::<Vec<_>>() {
            scene.choose(Choice::Move(block as u8));
            let ways = scene.choices().into_iter();
            let way = { ways }.find(|choice| matches!(choice, Choice::To(to, _) if *to == sea));
            scene.choose(way.expect("a way into the North Sea"));
        }
        let before = model(&scene, sea, manner);
        assert_eq!(before.groups.len(), 1, "one group fights, one waits");
        select(&mut scene, "north_sea");
        assert_eq!(model(&scene, sea, manner).groups, before.groups);
        compare_battles(&scene, "north_sea", manner, &mut dice, &format!("groups, {manner:?}"));
    }
}
