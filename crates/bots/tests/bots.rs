//! Every bot plays legal choices at any table, and the better ones play better.

use std::sync::atomic::AtomicBool;

use blitz::Blitz;
use bots::{Bot, BotKind, OneStep, Player, SeatedBot};
use dday::DDay;
use echoes::{Choice, Echoes, Edition};
use kernel::{
    Catalogue, CompleteGame, Discard, Game, LabDice, Match, MatchDice, Mover, Options, Seat, Standing, Table,
    Viewer,
};

fn game<G: CompleteGame>(options: &[(&str, &str)]) -> G {
    let options: Options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    G::with_options(&options).expect("a set-up")
}

fn plain(edition: Edition) -> Echoes {
    Echoes::edition(edition, 1).expect("the plain game is there")
}

/// Plays a match of a seed to the end and returns how the first seat fared, and how many decisions with a choice there
/// were. The first of them are greedy's, the others the bot's.
fn play<G: CompleteGame>(game: &G, bot: BotKind, seed: u64, greedys: usize) -> (Standing, usize) {
    let mut table: Box<dyn Table> = Box::new(Match::new(game.clone(), MatchDice::seeded(seed)));
    let mut dice = LabDice::new(seed);
    let player = |kind| -> Vec<Box<dyn SeatedBot>> {
        (0..table.seats().len()).map(|_| Box::new(Player::<G>::new(kind)) as Box<dyn SeatedBot>).collect()
    };
    let (mut players, mut quick) = (player(bot), player(BotKind::Greedy));
    let mut decisions = 0;
    loop {
        table.play_forced(None);
        let seat = match table.mover() {
            Mover::Nobody => {
                let result = table.result().expect("a game that is over has a result");
                return (result.standings[0], decisions);
            }
            Mover::Fate => unreachable!("play_forced leaves no fair die unrolled"),
            Mover::Seat(seat) => seat,
        };
        let is_greedys = decisions < greedys;
        let player = if is_greedys { &mut quick[seat.index()] } else { &mut players[seat.index()] };
        let offers = table.offers(Viewer::Seat(seat)).len();
        let said =
            player.choose(&*table, &mut dice, &AtomicBool::new(false)).expect("a bot suggests something");
        if !is_greedys && !matches!(bot, BotKind::Own(_)) {
            let thinks = matches!(bot, BotKind::Level(_)) && offers > 1;
            assert_eq!(said.why.contains("Win chance "), thinks, "who thinks says why: {:?}", said.why);
        }
        table.play(seat, &said.choice, None).expect("a bot's choice is legal");
        decisions += usize::from(offers > 1);
    }
}

/// Every bot plays a game to its end: the quick ones whole matches, the strong levels with all that they may spend the last
/// decisions of one.
fn every_bot_plays<G: CompleteGame>(game: &G, matches: u64, last: usize) {
    for (bot, word, _) in BotKind::all::<G>() {
        if !matches!(bot, BotKind::Level(2..)) {
            for seed in 0..matches {
                let (_, decisions) = play(game, bot, seed, 0);
                assert!(decisions > 5, "{word} has hardly chosen: {decisions} decisions");
            }
            continue;
        }
        let (_, all) = play(game, BotKind::Greedy, 3, usize::MAX);
        let (_, decisions) = play(game, bot, 3, all - last);
        assert!(decisions > all - last, "{word} has chosen nothing");
    }
}

#[test]
fn every_bot_plays_echoes() {
    for edition in [Edition::Allied, Edition::Axis] {
        every_bot_plays(&plain(edition), 5, 10);
    }
}

#[test]
fn every_bot_plays_blitz() {
    every_bot_plays(&game::<Blitz>(&[]), 2, 6);
    every_bot_plays(&game::<Blitz>(&[("mode", "solo")]), 2, 6);
}

#[test]
fn every_bot_plays_dday() {
    every_bot_plays(&game::<DDay>(&[("scenario", "omaha")]), 1, 2);
}

#[test]
fn the_better_bots_win_more() {
    let game = plain(Edition::Allied);
    let wins = |bot: BotKind| (0..150).filter(|&seed| play(&game, bot, seed, 0).0 == Standing::Win).count();
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
