//! D-Day to Berlin in the laboratory: next to nothing is allocated, bots beat chance, and the scenarios are fair.

use bots::BotKind;
use dday::{DDay, SCENARIOS};
use kernel::{Game, LabDice, Options};
use lab::bench::play_typed;
use lab::{Batch, Interval, Playing, Progress, SimReport, Unobserved, simulate};

const COMMANDER: BotKind = BotKind::Own(0);

fn game(scenario: &str) -> DDay {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    DDay::with_options(&options).expect("a built-in scenario")
}

/// A position has two boxes, its battalions and its zones; nothing else is ever allocated in a random battle.
#[test]
fn a_battle_allocates_its_opening_position_only() {
    let game = game("03_villers_bocage");
    let mut playing = Playing::default();
    let mut play = |first: u64, games: u64| {
        for number in first..first + games {
            let mut dice = LabDice::for_game(5, number);
            let mut state = game.start();
            playing.to_the_end(&game, &mut state, &mut bots::Random, &mut dice, &mut Unobserved);
        }
    };
    play(0, 50);
    let count = allocation_counter::measure(|| play(0, 50)).count_total;
    assert_eq!(count, 2 * 50);
}

fn report(scenario: &str, seats: &[BotKind], games: u64) -> (SimReport, usize) {
    let game = game(scenario);
    let batch = Batch { games, seed: 7, seats: seats.to_vec(), threads: 2 };
    let totals = simulate(&game, &batch, &Progress::default()).expect("a batch");
    let report = SimReport::new(&game, &batch, &totals);
    (report, game.rules().scenario.aggressor.index())
}

#[test]
fn the_commander_beats_chance_on_either_side() {
    for seats in [[COMMANDER, BotKind::Random], [BotKind::Random, COMMANDER]] {
        let (report, _) = report("03_villers_bocage", &seats, 40);
        let at = usize::from(seats[1] == COMMANDER);
        assert!(report.seats[at].win.share > 0.8, "{seats:?}: {:?}", report.seats[at].win);
    }
}

/// Between equals no side should win less than 30 or more than 60 of a hundred, nor more than 25 end in a draw. The short
/// run can only see gross faults; `MAPROOM_LONG` plays 2,000 of each.
#[test]
fn the_scenarios_are_fair_between_commanders() {
    let long = std::env::var_os("MAPROOM_LONG").is_some();
    let games = if long { 2_000 } else { 60 };
    for (id, _) in SCENARIOS {
        let (report, aggressor) = report(id, &[COMMANDER], games);
        let (attack, defence) = (report.seats[aggressor].win, report.seats[1 - aggressor].win);
        let draws = 1.0 - attack.share - defence.share;
        println!(
            "{id}: {:.1} % : {:.1} %, draws {:.1} %",
            attack.share * 100.0,
            defence.share * 100.0,
            draws * 100.0
        );
        let fair = |win: Interval| win.high >= 0.30 && win.low <= 0.60;
        assert!(fair(attack) && fair(defence), "{id}: {attack:?} {defence:?}");
        assert!(draws <= if long { 0.25 } else { 0.42 }, "{id}: draws {draws}");
        if long {
            let within = |win: Interval| (0.30..=0.60).contains(&win.share);
            assert!(within(attack) && within(defence), "{id}: {attack:?} {defence:?}");
        }
    }
}

/// Commanders see no more than anybody and allocate a view for each question; still a battle takes well under a tenth of a
/// second, which the benchmark measures. Here only that they end.
#[test]
fn battles_of_commanders_end() {
    let game = game("11_berlin");
    let mut seated = lab::BotPlayers::new(&game, &[COMMANDER, BotKind::Own(1)]);
    play_typed(&game, &mut seated, 0, 20);
}
