//! Simulations, ladders and calibration of a game for three, and what they say where there are too many seats for search.

use bots::BotKind;
use bots::external::Opponent;
use bots::search::Budget;
use kernel::Game as _;
use lab::calibration::{Inquiry, calibrate};
use lab::ladder::{Contender, Ladder, LadderReport, LadderTotals, climb};
use lab::{Batch, Progress, SimReport, Totals, simulate};
use testkit::auction::Auction;

fn bot(word: &str) -> BotKind {
    BotKind::parse::<Auction>(word).expect("a bot")
}

fn batch(seats: &[&str], games: u64, threads: usize) -> Batch {
    Batch { games, seed: 3, seats: seats.iter().map(|word| bot(word)).collect(), threads }
}

fn played(batch: &Batch) -> Totals {
    simulate(&Auction::for_seats(3), batch, &Progress::default()).expect("a batch")
}

fn ladder(words: &[&str], games: u64, threads: usize) -> Ladder {
    let contender = |word: &&str| Contender { name: (*word).to_owned(), who: Opponent::Bot(bot(word)) };
    Ladder { contenders: words.iter().map(contender).collect(), games, seed: 1, threads }
}

fn climbed(ladder: &Ladder) -> LadderTotals {
    climb(&Auction::for_seats(3), ladder, &Progress::default()).expect("a ladder").0
}

#[test]
fn search_wins_against_two_greedy_bots_from_any_seat() {
    for seat in 0..3 {
        let mut seats = ["greedy"; 3];
        seats[seat] = "search:400";
        let batch = batch(&seats, 120, 2);
        let totals = played(&batch);
        let wins: Vec<u64> = totals.standings.iter().map(|counts| counts[2]).collect();
        let best_other = wins.iter().enumerate().filter(|(at, _)| *at != seat).map(|(_, wins)| *wins).max();
        assert!(Some(wins[seat]) > best_other, "seat {seat}: {wins:?}");
        let report = SimReport::new(&Auction::for_seats(3), &batch, &totals);
        assert_eq!(report.seats.iter().map(|seat| seat.seat).collect::<Vec<_>>(), ["red", "blue", "green"]);
    }
}

#[test]
fn batches_and_ladders_of_three_are_the_same_on_any_number_of_threads() {
    let seats = ["search:30", "greedy", "random"];
    assert_eq!(played(&batch(&seats, 60, 1)), played(&batch(&seats, 60, 3)));
    let words = ["random", "greedy", "search:60"];
    assert_eq!(climbed(&ladder(&words, 12, 1)), climbed(&ladder(&words, 12, 3)));
}

#[test]
fn a_ladder_of_three_seats_ranks_search_above_chance() {
    let ladder = ladder(&["random", "search:200"], 60, 2);
    let totals = climbed(&ladder);
    assert_eq!((totals.games, totals.asked, totals.seats.len()), (totals.asked, totals.games, 3));
    let [duel] = &totals.duels[..] else { panic!("two bots meet once: {:?}", totals.duels) };
    assert!(duel.score() < 0.4, "random made {:.2} of the points", duel.score());
    let report = LadderReport::new(Auction::ID, &ladder, &[totals], None).expect("a report");
    let table = report.table();
    assert!(table.find("search:200") < table.find("random"), "{table}");
}

#[test]
fn predictions_for_three_seats_are_compared_with_what_came() {
    let inquiry = Inquiry {
        positions: 30,
        continuations: 2,
        bot: BotKind::Greedy,
        budget: Budget::playouts(60),
        seed: 2,
        threads: 2,
    };
    let found = calibrate(&Auction::for_seats(3), &inquiry, &Progress::default()).expect("a calibration");
    assert_eq!(found.positions, 30);
}

#[test]
fn where_there_are_too_many_seats_for_search_that_is_said_before_the_first_game() {
    let game = Auction::for_seats(4);
    let progress = Progress::default();
    let said = |result: Result<(), String>| result.expect_err("four seats are too many");
    let limit = "search plays games of up to 3 seats, and this one has 4";
    let sim = said(simulate(&game, &batch(&["greedy", "general"], 5, 1), &progress).map(|_| ()));
    assert_eq!(sim, format!("general: {limit}"));
    let climb = |words: &[&str]| climb(&game, &ladder(words, 8, 1), &progress);
    assert_eq!(said(climb(&["greedy", "search:50"]).map(|_| ())), format!("search:50: {limit}"));
    let inquiry = Inquiry {
        positions: 1,
        continuations: 1,
        bot: BotKind::Greedy,
        budget: Budget::playouts(1),
        seed: 1,
        threads: 1,
    };
    assert_eq!(said(calibrate(&game, &inquiry, &progress).map(|_| ())), limit);
    // Without search four play as well as two.
    assert!(simulate(&game, &batch(&["greedy"], 5, 1), &progress).is_ok_and(|totals| totals.games == 5));
    assert!(climb(&["greedy", "random"]).is_ok());
}

#[test]
fn a_game_that_panics_is_an_error_and_not_a_smaller_batch() {
    let game = Auction::for_seats(3).breaking_down();
    let progress = Progress::default();
    for threads in [1, 2] {
        let sim = simulate(&game, &batch(&["greedy"], 600, threads), &progress).map(|_| ());
        let ladder = climb(&game, &ladder(&["greedy", "random"], 600, threads), &progress).map(|_| ());
        // Here it is the trees of the search that break down.
        let search = simulate(&game, &batch(&["search:9000"], 2, threads), &progress).map(|_| ());
        for broken in [sim, ladder, search] {
            let why = broken.expect_err("every game breaks down");
            assert!(why.contains("a fault of the program: lot 3 breaks down"), "{why}");
        }
    }
}
