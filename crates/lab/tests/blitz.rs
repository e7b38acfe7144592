//! Blitzkrieg! in the laboratory: nothing is allocated, and the figures are those of the reference simulation.

use blitz::Blitz;
use blitz::settings::{BoardKind, Difficulty, Settings};
use bots::BotKind;
use kernel::{Game, LabDice};
use lab::{Batch, BotPlayers, Interval, Playing, Progress, SimReport, Unobserved, simulate};

const SOLO_BOT: BotKind = BotKind::Own(0);

fn modes() -> [Settings; 4] {
    [
        Settings::two_player(BoardKind::Base),
        Settings::solo(BoardKind::Base, Difficulty::Hard),
        Settings::two_player(BoardKind::Nippon),
        Settings::solo(BoardKind::Nippon, Difficulty::Standard),
    ]
}

#[test]
fn games_allocate_nothing() {
    for settings in modes() {
        for bot in [BotKind::Random, BotKind::Greedy, SOLO_BOT] {
            let game = Blitz::new(settings);
            let mut playing = Playing::default();
            let mut seated = BotPlayers::new(&game, &[bot]);
            let mut play = |first: u64, games: u64| {
                for number in first..first + games {
                    let mut dice = LabDice::for_game(5, number);
                    let mut state = game.start();
                    seated.begin();
                    playing.to_the_end(&game, &mut state, &mut seated, &mut dice, &mut Unobserved);
                    assert!(game.outcome(&state).is_some());
                }
            };
            // A long hand needs a longer list of choices than any before it: the buffer is warm after a while.
            play(0, 2_000);
            let count = allocation_counter::measure(|| play(0, 2_000)).count_total;
            assert_eq!(count, 0, "{settings:?}, {bot:?}");
        }
    }
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<blitz::State>() <= 320, "{} bytes", size_of::<blitz::State>());
}

fn win_of_seat(settings: Settings, bots: &[BotKind], seat: usize) -> Interval {
    let game = Blitz::new(settings);
    let batch = Batch { games: 6_000, seed: 7, seats: bots.to_vec(), threads: 2 };
    let totals = simulate(&game, &batch, &Progress::default()).expect("a batch");
    SimReport::new(&game, &batch, &totals).seats[seat].win
}

/// Rule 13: the bot against the quick player 51, 65, 76 % by level and 73 % without stratagems, in Nippon 53 %; the side
/// that moves first 53 %, in Nippon 56 %. The reference played 2,000 games of each, so a figure of its own is sure to
/// about two points and a bit.
#[test]
fn the_figures_are_those_of_the_reference() {
    let greedy = [BotKind::Greedy];
    let solo = |difficulty| Settings::solo(BoardKind::Base, difficulty);
    let mut learning = solo(Difficulty::Medium);
    learning.solo = learning.solo.map(|settings| blitz::settings::Solo { stratagems: false, ..settings });
    let cases = [
        (solo(Difficulty::Easy), 1.0 - 0.515),
        (solo(Difficulty::Medium), 1.0 - 0.650),
        (solo(Difficulty::Hard), 1.0 - 0.763),
        (learning, 1.0 - 0.730),
        (Settings::solo(BoardKind::Nippon, Difficulty::Standard), 1.0 - 0.532),
        (Settings::two_player(BoardKind::Base), 0.528),
        (Settings::two_player(BoardKind::Nippon), 0.565),
    ];
    for (settings, reference) in cases {
        let win = win_of_seat(settings, &greedy, 0);
        assert!((win.share - reference).abs() < 0.03, "{settings:?}: {reference} and {win:?}");
    }
    let first = win_of_seat(Settings::two_player(BoardKind::Base), &[BotKind::Greedy, BotKind::Random], 0);
    assert!((first.share - 0.94).abs() < 0.02, "{first:?}");
}
