//! Reviews of real matches of all games.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use blitz::Blitz;
use bots::BotKind;
use bots::search::{Budget, Resources, Search, Subject};
use common::{check, game, play_on, played, reviewed};
use dday::DDay;
use echoes::Echoes;
use kernel::{CompleteGame, Discard, Match, MatchDice, Mover, Table, Viewer};
use review::{Of, Progress, Quality, ReviewError, Reviewer, What, why_not};

/// Reviews finished matches of seeds between weak bots.
fn adds_up<G: CompleteGame>(of: &G, seeds: std::ops::Range<u64>, playouts: u64) {
    for seed in seeds {
        for bot in [BotKind::Random, BotKind::Greedy] {
            let of = played(of.clone(), &[bot, BotKind::Greedy], seed);
            let review = reviewed(&of, playouts);
            check(&review, of.log().len());
            assert!(review.finished && !review.result.is_empty());
        }
    }
}

#[test]
fn echoes_adds_up() {
    adds_up::<Echoes>(&game(&[]), 0..12, 4_000);
    adds_up::<Echoes>(&game(&[("edition", "axis")]), 0..12, 4_000);
    adds_up::<Echoes>(&game(&[]), 20..60, 0);
}

#[test]
fn blitz_adds_up() {
    adds_up::<Blitz>(&game(&[]), 0..3, 2_000);
    adds_up::<Blitz>(&game(&[("mode", "solo")]), 0..3, 2_000);
    adds_up::<Blitz>(&game(&[("board", "nippon")]), 0..2, 0);
}

#[test]
fn dday_adds_up() {
    let of: DDay = game(&[("scenario", "01_omaha")]);
    let mut part = Match::new(of, MatchDice::seeded(2));
    play_on(&mut part, &[BotKind::Random, BotKind::Greedy], 2, 220);
    let review = reviewed(&part, 0);
    check(&review, 220);
    assert!(!review.finished);
    play_on(&mut part, &[BotKind::Greedy], 3, usize::MAX);
    let whole = reviewed(&part, 0);
    check(&whole, part.log().len());
    assert!(whole.finished);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = played::<Echoes>(game(&[]), &[BotKind::Random], 5);
    let on = |threads| review::review(&of, Quality { playouts: 20_000, threads }, &Progress::default());
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
    let of = played::<Blitz>(game(&[]), &[BotKind::Greedy], 5);
    let on = |threads| review::review(&of, Quality { playouts: 2_000, threads }, &Progress::default());
    assert_eq!(on(1), on(3));
}

/// Plays matches until there is a decision in the last part of one at which some choice is worse by at least `gap` than
/// another, makes that choice, plays on, and sees whether the review says so.
fn finds_a_blunder<G: CompleteGame>(of: &G, playouts: u32, gap: f64) {
    let stop = AtomicBool::new(false);
    for seed in 0..40 {
        let whole = played(of.clone(), &[BotKind::Greedy], seed);
        let steps = whole.log().len();
        for at in (steps * 3 / 4..steps).rev() {
            let state = whole.state_at(at);
            let Mover::Seat(seat) = of.mover(&state) else { continue };
            let view = of.view(&state, Viewer::Seat(seat));
            let about = Subject::View(&view, Viewer::Seat(seat));
            let mut search = Search::<G>::new(Resources::single());
            let thoughts =
                search.think(of, about, Budget::playouts(playouts), 1, None, &stop).expect("few seats");
            let chance = |line: &bots::search::Line<_>| line.chances[seat.index()];
            let Some(best) = thoughts.lines.first() else { continue };
            let worst = thoughts.lines.iter().filter(|line| line.visits >= 8);
            let Some(worst) = worst.min_by(|a, b| chance(a).total_cmp(&chance(b))) else { continue };
            if chance(best) - chance(worst) < gap {
                continue;
            }
            let mut line = whole.fork(at);
            line.play(worst.choice, &mut Discard).expect("an open choice");
            play_on(&mut line, &[BotKind::Greedy], seed, usize::MAX);
            let review = reviewed(&line, 40_000);
            check(&review, line.log().len());
            let moment = &review.moments[at];
            // Where the match was won in spite of all there is nothing left that the choice could have cost.
            if review.points[at + 1].chances[seat.index()] > 1.0 - gap {
                continue;
            }
            let What::Choice { is_mistake: true, best: Some(named), loss, .. } = &moment.what else {
                panic!("seed {seed}, {moment:?}")
            };
            let mut name = String::new();
            of.write_name(&state, worst.choice, &mut name);
            assert!(*loss > gap / 2.0 && named.name != name, "{moment:?}");
            return;
        }
    }
    panic!("no blunder could be planted");
}

#[test]
fn a_blunder_in_echoes_is_found() {
    finds_a_blunder::<Echoes>(&game(&[]), 4_000, 0.12);
}

#[test]
fn a_blunder_in_blitz_is_found() {
    finds_a_blunder::<Blitz>(&game(&[]), 1_500, 0.35);
}

#[test]
fn a_review_can_be_watched_and_stopped() {
    let of = played::<Echoes>(game(&[]), &[BotKind::Greedy], 3);
    let watch = Progress::default();
    let done = review::review(&of, Quality { playouts: 5_000, threads: 2 }, &watch).expect("a review");
    assert!(!done.stopped && (watch.fraction() - 1.0).abs() < 0.2, "{watch:?}");
    assert_eq!(watch.done.load(Ordering::Relaxed), done.playouts);
    watch.stop.store(true, Ordering::Relaxed);
    let begin = std::time::Instant::now();
    let stopped =
        review::review(&of, Quality { playouts: 4_000_000_000, threads: 2 }, &watch).expect("a review");
    assert!(stopped.stopped && begin.elapsed().as_secs() < 120);
    check(&stopped, of.log().len());
    assert!(stopped.text(100, None).contains("stopped before it was finished"));
}

#[test]
fn a_table_is_reviewed_without_its_type_when_it_may_be() {
    let reviewer: &dyn Reviewer = &Of::<Blitz>::new();
    let quality = Quality { playouts: 300, threads: 1 };
    let mut of = Match::new(game::<Blitz>(&[]), MatchDice::seeded(4));
    assert!(why_not(&of).is_some_and(|why| why.contains("nothing")));
    play_on(&mut of, &[BotKind::Greedy], 4, 12);
    assert!(why_not(&of).is_some_and(|why| why.contains("hidden information")));
    let told = reviewer.review(&of, quality, &Progress::default());
    assert!(matches!(told, Err(ReviewError::NotNow(_))), "it would tell hands");
    play_on(&mut of, &[BotKind::Greedy], 4, usize::MAX);
    assert_eq!(why_not(&of), None);
    let table: Box<dyn Table> = Box::new(of);
    let review = reviewer.review(&*table, quality, &Progress::default()).expect("the game is over");
    assert_eq!(review.game, "blitz");
    let other: &dyn Reviewer = &Of::<Echoes>::new();
    assert_eq!(other.review(&*table, quality, &Progress::default()), Err(ReviewError::OtherGame));
    assert!(other.quality(&*table, "normal").is_none());
    let [quick, normal, deep] =
        ["quick", "normal", "deep"].map(|word| reviewer.quality(&*table, word).expect("a preset").playouts);
    assert!(quick < normal && normal < deep);
    assert!(reviewer.quality(&*table, "thorough").is_none());
}

#[test]
fn a_review_is_data() {
    let of = played::<Blitz>(game(&[]), &[BotKind::Greedy], 6);
    let review = reviewed(&of, 500);
    let value = serde_json::to_value(&review).expect("plain data");
    assert_eq!(value["game"], "blitz");
    assert_eq!(value["seats"].as_array().map(Vec::len), Some(2));
    let kinds: Vec<&str> = value["moments"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|m| m["what"]["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"luck") && kinds.contains(&"choice"), "{kinds:?}");
}
