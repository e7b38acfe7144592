//! Every bot plays legal choices at any table, and the better ones play better.

use std::sync::atomic::AtomicBool;

use bots::{Bot, BotKind, OneStep, Player, SeatedBot};
use echoes::{Choice, Echoes, Edition};
use kernel::{Catalogue, Discard, Game, LabDice, Match, MatchDice, Mover, Seat, Standing, Table, Viewer};

fn plain(edition: Edition) -> Echoes {
    Echoes::edition(edition, 1).expect("the plain game is there")
}

/// Plays a match of a seed to the end and returns how the human fared.
fn play(edition: Edition, bot: BotKind, seed: u64) -> Standing {
    let mut table: Box<dyn Table> = Box::new(Match::new(plain(edition), MatchDice::seeded(seed)));
    let mut dice = LabDice::new(seed);
    let mut player: Box<dyn SeatedBot> = Box::new(Player::<Echoes>::new(bot));
    loop {
        table.play_forced(None);
        match table.mover() {
            Mover::Nobody => return table.result().expect("a game that is over has a result").standings[0],
            Mover::Fate => unreachable!("settle leaves no fair die unrolled"),
            Mover::Seat(_) => {
                let stop = AtomicBool::new(false);
                let said = player.choose(&*table, &mut dice, &stop).expect("a bot suggests something");
                let thinks = matches!(bot, BotKind::Level(_));
                assert_eq!(
                    said.why.contains("Expects to win"),
                    thinks,
                    "who thinks says why: {:?}",
                    said.why
                );
                table.play(Seat(0), &said.choice, None).expect("a bot's choice is legal");
            }
        }
    }
}

#[test]
fn every_bot_plays_whole_matches_by_name() {
    for edition in [Edition::Allied, Edition::Axis] {
        for (bot, ..) in BotKind::all::<Echoes>() {
            // The strong levels take their time.
            let matches = if matches!(bot, BotKind::Level(2..)) { 0 } else { 5 };
            for seed in 0..matches {
                play(edition, bot, seed);
            }
        }
    }
}

#[test]
fn the_better_bots_win_more() {
    let wins =
        |bot: BotKind| (0..150).filter(|&seed| play(Edition::Allied, bot, seed) == Standing::Win).count();
    let [random, greedy, one_step] = [BotKind::Random, BotKind::Greedy, BotKind::OneStep].map(wins);
    assert!(greedy > random + 20, "greedy {greedy}, random {random}");
    assert!(one_step > random + 20, "onestep {one_step}, random {random}");
}

#[test]
fn one_step_sees_the_move_that_wins_the_game() {
    // Turn 20: the last Action. China one step below its top is worth two points and turns a draw into a victory;
    // a mark is worth nothing any more.
    let game = plain(Edition::Allied);
    let mut state = game.start();
    for (key, value) in
        [("turn", "20"), ("WF", "4"), ("EF", "4"), ("SF", "4"), ("CHN", "2"), ("PAC", "4"), ("ISL", "3")]
    {
        game.place(&mut state, key, value).expect("a position by hand");
    }
    // Box 4.4: the Axis marks PMT and attacks ISL, then the Allies have one Action.
    for face in [4, 4, 1] {
        while matches!(game.mover(&state), Mover::Seat(_)) {
            game.apply(&mut state, Choice::No, &mut Discard);
        }
        game.apply(&mut state, Choice::Die(face), &mut Discard);
    }
    let mut choices = Vec::new();
    game.choices(&state, &mut choices);
    let view = game.view(&state, Viewer::Seat(Seat(0)));
    let pick = OneStep::new(200).choose(&game, &view, &choices, &mut LabDice::new(1));
    assert!(matches!(choices[pick], Choice::Attack(_)), "{:?} of {choices:?}", choices[pick]);
}

#[test]
fn an_unknown_bot_is_answered_with_the_known_ones() {
    let why = BotKind::parse::<Echoes>("gredy").expect_err("there is no such bot");
    assert!(why.contains("did you mean greedy?") && why.contains("random, greedy, onestep"), "{why}");
    assert!(why.contains("recruit, sergeant, captain, colonel, general"), "{why}");
}

#[test]
fn budgets_of_ones_own_are_read_and_written() {
    for word in ["search:4000", "search:500ms"] {
        let kind = BotKind::parse::<Echoes>(word).expect("a budget");
        assert_eq!(kind.word::<Echoes>(), word);
    }
    assert_eq!(BotKind::parse::<Echoes>("search:2s"), Ok(BotKind::Millis(2_000)));
    for word in ["search:", "search:0", "search:-3", "search:4x", "search:99999999999", "search:5000000s"] {
        let why = BotKind::parse::<Echoes>(word).expect_err(word);
        assert!(why.contains("search:4000") && why.contains("500ms"), "{why}");
    }
}
