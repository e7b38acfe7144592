//! Games of three and more: search thinks for each seat by itself, and says where there are too many.

use std::sync::atomic::AtomicBool;

use bots::analysis::{Analyst as _, SearchAnalyst};
use bots::search::{Budget, Resources, SEATS, Search, Subject, TooManySeats};
use bots::{Bot, BotKind, LEVELS, Player, SeatedBot};
use kernel::{Discard, Game as _, LabDice, Match, MatchDice, Mover, Seat, Viewer};
use testkit::auction::{Auction, Choice, State};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// The last lot, for which the seat is asked last: the others have passed and have five points each.
fn last_word_of(game: &Auction, seat: Seat) -> State {
    let mut state = game.start();
    state.lot = 4;
    state.points[..3].fill(5);
    game.apply(&mut state, Choice::Die(3), &mut Discard);
    while game.mover(&state) != Mover::Seat(seat) {
        game.apply(&mut state, Choice::Pass, &mut Discard);
    }
    state
}

#[test]
fn each_of_three_seats_sees_what_wins_for_it() {
    let game = Auction::for_seats(3);
    for seat in (0..3).map(Seat) {
        let mut state = last_word_of(&game, seat);
        // Behind by two, so that only the lot can win.
        state.points[seat.index()] = 3;
        let found = Search::new(Resources::single())
            .think(&game, Subject::Position(&state), Budget::playouts(500), 1, None, &GO_ON)
            .expect("three seats are not too many");
        assert!(matches!(found.lines[0].choice, Choice::Bid(_)), "{seat:?}: {:?}", found.lines);
        let best = &found.lines[0];
        assert!(best.chances[seat.index()] > 0.5, "{seat:?}: {best:?}");
    }
}

#[test]
fn chances_of_three_add_up_where_somebody_wins() {
    let game = Auction::for_seats(3);
    let mut state = last_word_of(&game, Seat(1));
    state.points = [9, 1, 1, 0, 0];
    let found = Search::new(Resources::single())
        .think(&game, Subject::Position(&state), Budget::playouts(200), 1, None, &GO_ON)
        .expect("three seats are not too many");
    assert_eq!(found.chances, [1.0, 0.0, 0.0], "red has won already");
}

#[test]
fn every_level_plays_in_every_seat_of_three() {
    let game = Auction::for_seats(3);
    for (at, level) in LEVELS.iter().enumerate() {
        let mut table = Match::new(game.clone(), MatchDice::seeded(at as u64));
        let mut players: Vec<Player<Auction>> =
            (0..3).map(|_| Player::new(BotKind::Level(at as u8))).collect();
        let mut dice = LabDice::new(7);
        loop {
            match table.mover() {
                Mover::Nobody => break,
                Mover::Fate => table.fate(None, &mut Discard).expect("fair dice"),
                Mover::Seat(seat) => {
                    let view = game.view(table.state(), Viewer::Seat(seat));
                    let choices = table.choices();
                    let pick = Bot::choose(&mut players[seat.index()], &game, &view, &choices, &mut dice);
                    table.play(choices[pick], &mut Discard).expect("a listed choice is open");
                }
            }
        }
        assert!(game.outcome(table.state()).is_some(), "{}", level.word);
    }
}

#[test]
fn more_seats_than_search_can_think_for_are_refused() {
    let game = Auction::for_seats(SEATS + 1);
    let refused = TooManySeats { seats: SEATS + 1 };
    let state = game.start();
    let thought = Search::new(Resources::single()).think(
        &game,
        Subject::Position(&state),
        Budget::playouts(10),
        1,
        None,
        &GO_ON,
    );
    assert_eq!(thought, Err(refused));
    assert_eq!(refused.to_string(), "search plays games of up to 3 seats, and this one has 4");
    for (kind, ..) in BotKind::all::<Auction>() {
        let is_search = matches!(kind, BotKind::Level(_));
        assert_eq!(kind.check_seats(SEATS), Ok(()));
        assert_eq!(kind.check_seats(SEATS + 1), if is_search { Err(refused) } else { Ok(()) }, "{kind:?}");
        assert_eq!(Player::<Auction>::new(kind).check_seats(SEATS + 1).is_err(), is_search);
    }
    assert_eq!(BotKind::Playouts(5).check_seats(SEATS + 1), Err(refused));
    let mut table = Match::new(game, MatchDice::seeded(1));
    table.play_forced(&mut Discard);
    let mut analyst = SearchAnalyst::<Auction>::new(Resources::single());
    assert!(analyst.advise(&table, Viewer::Seat(Seat(0)), Budget::playouts(10), &GO_ON).is_none());
    // The bots that do not search play all the same.
    for kind in [BotKind::Random, BotKind::Greedy, BotKind::OneStep] {
        let mut player = Player::<Auction>::new(kind);
        let said = SeatedBot::choose(&mut player, &table, &mut LabDice::new(1), &GO_ON);
        assert!(said.is_some(), "{kind:?}");
    }
}
