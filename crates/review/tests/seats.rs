//! Reviews of a game for three, and of games that can't be reviewed.

mod common;

use bots::BotKind;
use bots::search::TooManySeats;
use common::{check, play_on, played, reviewed};
use kernel::{Match, MatchDice};
use review::{Progress, Quality, ReviewError, What};
use testkit::auction::Auction;

#[test]
fn a_match_of_three_adds_up_for_each_of_them() {
    let kinds = [BotKind::Random, BotKind::Greedy, BotKind::Playouts(50)];
    for seed in 0..6 {
        let of = played(Auction::for_seats(3), &kinds, seed);
        let review = reviewed(&of, 4_000);
        check(&review, of.log().len());
        let seats: Vec<&str> = review.seats.iter().map(|seat| &*seat.word).collect();
        assert_eq!(seats, ["red", "blue", "green"]);
        let text = review.text(100, Some(2));
        assert!(text.contains("Green") && review.curve_svg().starts_with("<svg"), "{text}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing_for_three() {
    let of = played(Auction::for_seats(3), &[BotKind::Random], 3);
    let on = |threads| review::review(&of, Quality { playouts: 3_000, threads }, &Progress::default());
    assert_eq!(on(1), on(3));
}

#[test]
fn the_third_seat_can_make_a_mistake_too() {
    // Green passes whatever is offered, and random play does not save it.
    let mistakes = (0..12).flat_map(|seed| {
        let kinds = [BotKind::Playouts(200), BotKind::Playouts(200), BotKind::Random];
        let of = played(Auction::for_seats(3), &kinds, seed);
        let review = reviewed(&of, 20_000);
        check(&review, of.log().len());
        review
            .moments
            .into_iter()
            .filter(|moment| matches!(moment.what, What::Choice { is_mistake: true, .. }))
    });
    let by_green = mistakes.filter(|moment| moment.actor == "green").count();
    assert!(by_green > 0, "random play makes mistakes");
}

#[test]
fn too_many_seats_and_panics_are_told() {
    let quality = Quality { playouts: 200, threads: 2 };
    let four = played(Auction::for_seats(4), &[BotKind::Greedy], 1);
    let refused = review::review(&four, quality, &Progress::default()).map(|_| ());
    assert_eq!(refused, Err(ReviewError::TooManySeats(TooManySeats { seats: 4 })));
    // The match itself goes well so far; what may come does not.
    let game = Auction::for_seats(3).breaking_down();
    let mut begun = Match::new(game, MatchDice::seeded(1));
    play_on(&mut begun, &[BotKind::Greedy], 1, 7);
    let broken = review::review(&begun, quality, &Progress::default()).map(|_| ());
    assert!(
        matches!(&broken, Err(ReviewError::Panicked(why)) if why.message().contains("breaks down")),
        "{broken:?}"
    );
}
