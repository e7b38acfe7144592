//! The coach at a real match of Echoes of War.

use std::sync::Arc;

use echoes::Echoes;
use kernel::{Match, MatchDice, Seat, SeatSet, Table, Undo};
use lessons::{Coach, Lesson, Stand};

const SEAT: Seat = Seat(0);

/// The dice of this seed open box 1.1, so that the Allies are asked for an Action after some windows.
const LESSON: &str = r#"
format = "lesson/1"
title = "A test"
about = "Short."
minutes = 1
seed = 4183656
seat = "allies"

[[meanwhile]]
choice = "no"
say = "Not now."

[[page]]
say = "First page."

[[page]]
say = """
Second page,
on two lines.

And a paragraph."""
when = { "/phase" = "act" }
choose = ["shift EMT"]
right = "Good."
otherwise = "No."

[[page.if]]
choice = "shift PMT"
say = "Also fine."
then = "go on"

[[page]]
say = "On your own."
free = 1

[[page]]
say = "Goodbye."
"#;

fn start() -> (Box<dyn Table>, Coach) {
    let (lesson, _) = Lesson::read("test.toml", LESSON, |_| None).unwrap_or_else(|why| panic!("{why}"));
    let game = <Echoes as kernel::Game>::with_options(&lesson.options).expect("the plain game");
    let mut table: Box<dyn Table> = Box::new(Match::new(game, MatchDice::seeded(lesson.seed)));
    table.seat_persons(SeatSet::default().with(SEAT));
    table.play_forced(None);
    let mut coach = Coach::new(Arc::new(lesson), SEAT);
    coach.follow(&*table);
    (table, coach)
}

fn play(table: &mut dyn Table, coach: &mut Coach, choice: &str) {
    table.play(SEAT, choice, None).unwrap_or_else(|why| panic!("{choice}: {why}"));
    table.play_forced(None);
    coach.follow(table);
}

/// Declines every window until an Action is asked for.
fn decline_all(table: &mut dyn Table, coach: &mut Coach) {
    while table.why_not(kernel::Viewer::Seat(SEAT), "no").is_ok() {
        assert_eq!(coach.advice(9).meanwhile, Some("Not now."));
        play(table, coach, "no");
    }
}

fn shown(coach: &Coach, page: usize) -> (usize, String) {
    let (at, page) = coach.advice(page).page.expect("a page");
    (at, page.say.clone())
}

#[test]
fn pages_are_turned_by_hand_as_far_as_the_task() {
    let (_, coach) = start();
    assert_eq!(shown(&coach, 0), (0, "First page.".to_owned()));
    let second = "Second page, on two lines.\n\nAnd a paragraph.".to_owned();
    assert_eq!(shown(&coach, 1), (1, second.clone()));
    // Not past the task.
    assert_eq!(shown(&coach, 3), (1, second));
    assert_eq!((coach.advice(0).has_previous, coach.advice(0).has_next), (false, true));
    assert_eq!((coach.advice(1).has_previous, coach.advice(1).has_next), (true, false));
}

#[test]
fn a_good_choice_leads_on_and_an_undo_leads_back() {
    let (mut table, mut coach) = start();
    decline_all(&mut *table, &mut coach);
    assert_eq!(coach.advice(9).meanwhile, None);
    let before = table.steps();
    play(&mut *table, &mut coach, "shift EMT");
    assert_eq!(coach.advice(9).said, Some(("Good.", true)));
    assert_eq!(shown(&coach, 0).0, 2);
    table.undo(SEAT, Undo::Step).expect("an undo");
    coach.follow(&*table);
    assert_eq!((table.steps(), shown(&coach, 9).0, coach.advice(9).said), (before, 1, None));
    // The other way goes on as well.
    play(&mut *table, &mut coach, "shift PMT");
    assert_eq!(coach.advice(9).said, Some(("Also fine.", false)));
    assert_eq!(*coach.stand(), Stand::Together);
}

#[test]
fn what_is_to_be_taken_back_stops_the_lesson_until_it_is() {
    let (mut table, mut coach) = start();
    decline_all(&mut *table, &mut coach);
    play(&mut *table, &mut coach, "pass");
    assert_eq!(*coach.stand(), Stand::Astray("No.".to_owned()));
    // Whatever follows does not change that.
    let choice = table.offers(kernel::Viewer::Seat(SEAT))[0].name.clone();
    play(&mut *table, &mut coach, &choice);
    assert!(matches!(coach.stand(), Stand::Astray(_)));
    for _ in 0..2 {
        table.undo(SEAT, Undo::Step).expect("an undo");
        coach.follow(&*table);
    }
    assert_eq!((coach.stand(), shown(&coach, 9).0), (&Stand::Together, 1));
}

#[test]
fn a_lesson_ends_and_a_fresh_coach_comes_to_the_same_place() {
    let (mut table, mut coach) = start();
    decline_all(&mut *table, &mut coach);
    play(&mut *table, &mut coach, "shift EMT");
    while *coach.stand() == Stand::Together {
        let mut again = Coach::new(Arc::clone(coach.lesson()), SEAT);
        again.follow(&*table);
        assert_eq!((again.stand(), shown(&again, 0)), (coach.stand(), shown(&coach, 0)));
        let choice = table.offers(kernel::Viewer::Seat(SEAT))[0].name.clone();
        play(&mut *table, &mut coach, &choice);
    }
    assert_eq!((coach.stand(), shown(&coach, 0)), (&Stand::Over, (3, "Goodbye.".to_owned())));
    assert!(coach.advice(4).page.is_none(), "every page was read");
    // Choices after the end are not followed, and an undo of them does not bring the lesson back.
    let choice = table.offers(kernel::Viewer::Seat(SEAT))[0].name.clone();
    play(&mut *table, &mut coach, &choice);
    table.undo(SEAT, Undo::Step).expect("an undo");
    coach.follow(&*table);
    assert_eq!(*coach.stand(), Stand::Over);
}
