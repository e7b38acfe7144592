//! Ladders: the same whatever the number of threads, with shared luck, and in the right order.

use std::sync::atomic::Ordering;

use blitz::Blitz;
use blitz::settings::{BoardKind, Settings};
use bots::BotKind;
use bots::external::Opponent;
use echoes::{Echoes, Edition};
use kernel::CompleteGame;
use lab::Progress;
use lab::ladder::{Contender, Ladder, LadderReport, LadderTotals, climb};

fn ladder(bots: &[(&str, BotKind)], games: u64, threads: usize) -> Ladder {
    let contender =
        |(name, kind): &(&str, BotKind)| Contender { name: (*name).to_owned(), who: Opponent::Bot(*kind) };
    Ladder { contenders: bots.iter().map(contender).collect(), games, seed: 5, threads }
}

fn totals<G: CompleteGame>(game: &G, ladder: &Ladder) -> LadderTotals {
    climb(game, ladder, &Progress::default()).expect("a ladder").0
}

fn report<G: CompleteGame>(game: &G, ladder: &Ladder) -> LadderReport {
    LadderReport::new(G::ID, ladder, &[totals(game, ladder)], None).expect("a report")
}

fn two_players() -> Blitz {
    Blitz::new(Settings::two_player(BoardKind::Base))
}

fn alone() -> Echoes {
    Echoes::edition(Edition::Allied, 1).expect("the plain game")
}

const THREE: [(&str, BotKind); 3] =
    [("random", BotKind::Random), ("greedy", BotKind::Greedy), ("solo", BotKind::Own(0))];

#[test]
fn threads_do_not_change_a_ladder() {
    let documents: Vec<String> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let blitz = report(&two_players(), &ladder(&THREE, 61, threads));
            let echoes = report(&alone(), &ladder(&THREE[..2], 300, threads));
            serde_json::to_string(&(blitz, echoes)).expect("a report can be written")
        })
        .collect();
    assert_eq!(documents[0], documents[1]);
    assert_eq!(documents[0], documents[2]);
}

/// The same bot under two names: with the same dice in the same seats every round is one to one, to the game.
#[test]
fn luck_is_shared_by_the_games_of_a_round() {
    for kind in [BotKind::Random, BotKind::Greedy, BotKind::Own(0)] {
        let ladder = ladder(&[("one", kind), ("other", kind)], 200, 2);
        let totals = totals(&two_players(), &ladder);
        assert_eq!(totals.duels[0].rounds, [0, 0, 100, 0, 0], "{kind:?}");
        let [loss, draw, win] = totals.duels[0].counts;
        assert_eq!((loss, win, loss + draw + win), (win, loss, 200), "{kind:?}");
        let report = LadderReport::new("blitz", &ladder, &[totals], None).expect("a report");
        let [first, second] = &report.ratings[..] else { panic!("two bots") };
        assert!(first.elo.abs() < 1e-6 && second.elo.abs() < 1e-6, "{report:?}");
        // One by one these games would be sure to about 24 Elo each way.
        assert!(first.error < 10.0, "{report:?}");
    }
}

#[test]
fn every_bot_meets_every_other_in_either_seat() {
    let report = report(&two_players(), &ladder(&THREE, 101, 2));
    assert_eq!(
        (report.games, report.games_asked, report.interrupted),
        (306, 306, false),
        "an odd number is made even"
    );
    assert_eq!(report.anchor, Some("greedy"));
    let order: Vec<&str> = report.ratings.iter().map(|line| line.bot.as_str()).collect();
    assert_eq!(order, ["greedy", "solo", "random"]);
    for line in &report.ratings {
        assert_eq!((line.games, line.wins + line.draws + line.losses), (204, 204));
    }
    assert!(
        report.ratings[1].stronger_than_next > Some(0.99) && report.ratings[2].stronger_than_next.is_none()
    );
    assert_eq!((report.ratings[0].elo, report.ratings[0].error), (0.0, 0.0));
    for (at, row) in report.cross.iter().enumerate() {
        assert_eq!(row[at], None);
        for (other, score) in row.iter().enumerate().filter(|(other, _)| *other != at) {
            let back = report.cross[other][at].expect("a score");
            assert!((score.expect("a score") + back - 1.0).abs() < 1e-12);
        }
    }
    assert!((report.seats.iter().map(|seat| seat.win.share).sum::<f64>() - 1.0).abs() < 1e-9);
    let table = report.table();
    for part in ["greedy is 0", "±", "LOS", "Score of the row against the column", "axis", "allies"] {
        assert!(table.contains(part), "{part}\n{table}");
    }
}

#[test]
fn alone_the_share_of_victories_counts_with_the_same_dice_for_all() {
    let bots = [("random", BotKind::Random), ("greedy", BotKind::Greedy), ("twin", BotKind::Greedy)];
    let report = report(&alone(), &ladder(&bots, 400, 2));
    assert!(report.ratings.is_empty() && report.anchor.is_none());
    let [first, second, third] = &report.solo[..] else { panic!("three bots") };
    assert_eq!(third.bot, "random");
    assert_eq!((first.wins, first.draws), (second.wins, second.draws), "twins have the same dice");
    let lead = first.lead.expect("somebody is below");
    assert!(lead.difference == 0.0 && lead.high < 0.01, "{lead:?}");
    let lead = second.lead.expect("somebody is below");
    assert!(lead.low > 0.2 && lead.low < lead.difference && lead.difference < lead.high, "{lead:?}");
    assert!(third.lead.is_none());
    assert!(report.table().contains("lead"));
}

#[test]
fn a_ladder_that_is_stopped_has_whole_rounds_only() {
    let controls = Progress::default();
    controls.stop.store(true, Ordering::Relaxed);
    let ladder = ladder(&THREE, 100, 2);
    let (totals, spent) = climb(&two_players(), &ladder, &controls).expect("a ladder");
    assert_eq!((totals.games, totals.asked), (0, 300));
    assert!(spent.iter().all(|spent| spent.microseconds().is_none()));
    let report = LadderReport::new("blitz", &ladder, &[totals], Some(&spent)).expect("a report");
    assert!(
        report.interrupted && report.table().contains("stopped early, 300 were requested"),
        "{}",
        report.table()
    );
}

#[test]
fn set_ups_are_summed_up() {
    let ladder = ladder(&THREE[..2], 20, 2);
    let parts = [BoardKind::Base, BoardKind::Nippon]
        .map(|board| totals(&Blitz::new(Settings::two_player(board)), &ladder));
    let report = LadderReport::new("blitz", &ladder, &parts, None).expect("a report");
    assert_eq!((report.games, report.setups.len()), (40, 2));
    assert_eq!(report.setups[0].setup, "board base");
    assert!(report.setups[1].setup.contains("board nippon") && !report.options.contains_key("board"));
    assert!(report.table().contains("random v greedy"));
    assert!(LadderReport::new("blitz", &ladder, &[], None).is_err());
}

#[test]
fn what_can_not_be_a_ladder_is_refused() {
    let none = Progress::default();
    let one = climb(&two_players(), &ladder(&THREE[..1], 10, 1), &none).expect_err("nobody to meet");
    assert!(one.contains("2 bots or more, not 1"), "{one}");
    let huge = climb(&two_players(), &ladder(&THREE, u64::MAX, 1), &none).expect_err("too many");
    assert!(huge.contains("at most 100000000"), "{huge}");
}
