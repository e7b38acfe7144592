//! What the table itself costs at a late step, without server and wire.

use std::sync::atomic::AtomicBool;

use kernel::{Game as _, LabDice, Match, SecretPolicy, Table, Viewer};
use web::{Of, Title as _};

use crate::expanse::Expanse;
use crate::figures::{heading, row, timed};
use crate::stand::{MARKS, Stand};

const TIMES: usize = 15;

pub fn measure(stand: &Stand) {
    for mark in [MARKS[0], MARKS[3]] {
        let played = stand.course.fork(stand.input_before(mark));
        one(&played, mark);
    }
}

fn one(played: &Match<Expanse>, mark: usize) {
    let table: &dyn Table = played;
    let (steps, game) = (table.steps(), played.game());
    let mover = Viewer::Seat(kernel::Seat(played.state().side()));
    let title = Of::<Expanse>::new();
    heading(&format!("Step {mark}: the table itself"));
    row("fork, as for a bot, a hint, the chances", &timed(TIMES, || table.fork(steps)));
    row("fork in the middle", &timed(TIMES, || table.fork(steps / 2)));
    row("log from the beginning", &timed(TIMES, || table.log(0, mover)));
    row("log from the middle", &timed(TIMES, || table.log(steps / 2, mover)));
    row("log of the last step", &timed(TIMES, || table.log(steps - 1, mover)));
    row("offers", &timed(TIMES, || table.offers(mover)));
    row("closed choices", &timed(TIMES, || table.closed(mover)));
    row("a copy of the sight", &timed(TIMES, || game.sight(played.state(), mover)));
    row("digest", &timed(TIMES, || table.digest()));
    row("the position in the middle", &timed(TIMES, || played.state_at(steps / 2)));
    let offers = table.offers(mover);
    row(
        "the questions of all offers",
        &timed(TIMES, || {
            offers.iter().filter(|offer| title.question(table, mover, &offer.name).is_some()).count()
        }),
    );
    let mut bot = title.sit("greedy").expect("the quick policy");
    let mut dice = LabDice::new(1);
    let never = AtomicBool::new(false);
    row("a choice of the quick bot", &timed(TIMES, || bot.choose(table, &mut dice, &never)));
    row("save", &timed(TIMES, || table.save(SecretPolicy::Keep)));
    let text = table.save(SecretPolicy::Keep).expect("nothing is hidden");
    row("load", &timed(3, || Match::<Expanse>::load("x", &text).map(|loaded| loaded.game_match.log().len())));
}
