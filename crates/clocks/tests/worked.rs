//! Worked examples: one for each sentence of the rules.

use clocks::{BEFORE_PLAY, Clock, DAY, FreeTime, HOUR, MINUTE, OffDays, Pace, Rules, SECOND, Settings};
use jiff::Timestamp;

const NO: FreeTime = FreeTime { outages: Vec::new(), rests: Vec::new(), off: None };

fn settings(pace: Pace) -> Settings {
    pace.settings().expect("a clock")
}

fn time(text: &str) -> u64 {
    text.parse::<Timestamp>().expect("a time").as_millisecond() as u64
}

/// A clock of two seats that waits for the first in turn 1.
fn begun(settings: &Settings, at: u64) -> Clock {
    let mut clock = Clock::new(settings, 2, at);
    clock.awaits(Some((0, 1)), 1);
    clock
}

#[test]
fn a_delay_is_free_once_in_a_stint_and_not_at_each_choice() {
    let mut clock = begun(&settings(Pace::Sitting), 0);
    // Four choices of the same seat, ten seconds apart: one stint.
    for choice in 1..=4 {
        clock.advance(choice * 10 * SECOND, &NO);
        clock.awaits(Some((0, 1)), choice as u32 + 1);
    }
    assert_eq!(clock.bank(0), 45 * MINUTE - 20 * SECOND);
    assert_eq!(clock.stint().map(|stint| stint.number), Some(1));
    // A quick answer of the other costs nothing.
    clock.awaits(Some((1, 1)), 6);
    clock.advance(55 * SECOND, &NO);
    clock.awaits(Some((0, 1)), 7);
    assert_eq!(clock.bank(1), 45 * MINUTE);
    assert_eq!(
        clock.deadline(&NO),
        Some((0, 55 * SECOND + 45 * MINUTE)),
        "a new stint has a delay of its own"
    );
}

#[test]
fn a_refill_comes_once_a_turn_and_never_beyond_the_cap() {
    let daily = settings(Pace::Daily);
    let mut clock = begun(&daily, 0);
    clock.advance(DAY, &NO);
    clock.awaits(Some((1, 1)), 2);
    assert_eq!(clock.bank(0), 2 * DAY + 12 * HOUR);
    // Reactions in the same turn earn nothing more.
    for number in 0..10 {
        clock.awaits(Some((number % 2, 1)), 3 + u32::from(number));
    }
    assert_eq!((clock.bank(0), clock.bank(1)), (2 * DAY + 12 * HOUR, 3 * DAY + 12 * HOUR));
    for turn in 2..20 {
        clock.awaits(Some((0, turn)), 20);
        clock.awaits(Some((1, turn)), 21);
    }
    assert_eq!((clock.bank(0), clock.bank(1)), (5 * DAY, 5 * DAY));
}

#[test]
fn an_undo_to_an_earlier_turn_earns_no_second_refill() {
    let mut clock = begun(&settings(Pace::Easy), 0);
    clock.awaits(Some((1, 1)), 2);
    clock.awaits(Some((0, 2)), 3);
    clock.awaits(Some((1, 2)), 4);
    let before = clock.bank(0);
    // Back to turn 1, and forth.
    for turn in [1, 2] {
        clock.awaits(Some((0, turn)), 5);
        clock.awaits(Some((1, turn)), 6);
    }
    assert_eq!(clock.bank(0), before);
}

#[test]
fn a_pause_stands_still_for_all_and_ends_no_stint() {
    let mut clock = begun(&settings(Pace::Sitting), 0);
    clock.advance(MINUTE, &NO);
    clock.pause();
    assert_eq!(clock.deadline(&NO), None);
    clock.advance(10 * DAY, &NO);
    assert_eq!(clock.left(0, 20 * DAY, &NO), 45 * MINUTE - 40 * SECOND);
    clock.resume();
    assert_eq!(clock.deadline(&NO), Some((0, 10 * DAY + 45 * MINUTE - 40 * SECOND)));
}

#[test]
fn who_comes_back_after_a_flag_has_one_refill() {
    let daily = settings(Pace::Daily);
    let mut clock = begun(&daily, 0);
    clock.advance(3 * DAY + MINUTE, &NO);
    clock.flag(0);
    assert_eq!((clock.bank(0), clock.stint(), clock.deadline(&NO)), (0, None, None));
    // A bot plays on for a week; then the person takes over.
    clock.advance(10 * DAY, &NO);
    clock.grant(0);
    clock.awaits(Some((0, 4)), 9);
    assert_eq!(clock.deadline(&NO), Some((0, 10 * DAY + 12 * HOUR)));
    // One who had more keeps it.
    clock.grant(1);
    assert_eq!(clock.bank(1), 3 * DAY);
}

#[test]
fn an_outage_counts_from_the_last_entry_on() {
    let mut free = NO;
    let mut clock = begun(&settings(Pace::Sitting), 0);
    // The house noted last at 1:00 and ran again at 11:00; in between, at 1:04, somebody still made an entry.
    free.outages.push((MINUTE, 11 * MINUTE));
    clock.advance(MINUTE + 4 * SECOND, &free);
    clock.awaits(Some((1, 1)), 2);
    assert_eq!(clock.bank(0), 45 * MINUTE - 44 * SECOND, "it ran until then");
    clock.advance(12 * MINUTE, &free);
    assert_eq!(clock.bank(1), 45 * MINUTE - 40 * SECOND, "one minute after the house was back");
}

#[test]
fn off_days_begin_and_end_at_midnight_of_the_zone() {
    // Friday noon in Berlin; on Sunday the clocks there go forward an hour.
    let friday = time("2026-03-27T11:00:00Z");
    let rules: Rules = "own bank=1d cap=1d off=sat,sun zone=Europe/Berlin".parse().expect("rules");
    let free = FreeTime { off: rules.off, ..NO };
    let mut clock = begun(&rules.settings.expect("a clock"), friday);
    assert_eq!(
        clock.deadline(&free),
        Some((0, time("2026-03-30T10:00:00Z"))),
        "noon on Monday, by the summer's clock"
    );
    clock.advance(time("2026-03-29T12:00:00Z"), &free);
    assert_eq!(clock.bank(0), 12 * HOUR);
    clock.advance(time("2026-03-30T10:00:00Z"), &free);
    assert_eq!(clock.bank(0), 0);
}

#[test]
fn an_outage_on_an_off_day_is_not_free_twice() {
    let sunday = time("2026-07-05T00:00:00Z");
    let off = OffDays::new(["sun"], "UTC");
    let free = FreeTime {
        outages: vec![(sunday - HOUR, sunday + HOUR)],
        rests: vec![(0, sunday, sunday + 2 * HOUR)],
        off,
    };
    let mut clock = begun(&settings(Pace::Daily), sunday - 2 * HOUR);
    clock.advance(sunday + DAY + HOUR, &free);
    assert_eq!(clock.bank(0), 3 * DAY - 2 * HOUR);
}

#[test]
fn the_rest_of_one_is_not_the_rest_of_the_other() {
    let free = FreeTime { rests: vec![(1, 0, DAY)], ..NO };
    let mut clock = begun(&settings(Pace::Daily), 0);
    clock.advance(HOUR, &free);
    clock.awaits(Some((1, 1)), 2);
    clock.advance(DAY + HOUR, &free);
    assert_eq!((clock.bank(0), clock.bank(1)), (3 * DAY - HOUR + 12 * HOUR, 3 * DAY - HOUR));
}

#[test]
fn grace_is_short_in_a_sitting_and_a_minute_else() {
    assert_eq!(
        [Pace::Sitting, Pace::Daily, Pace::Easy].map(|pace| settings(pace).grace()),
        [2 * SECOND, MINUTE, MINUTE]
    );
}

#[test]
fn whoever_takes_a_choice_back_has_thought_on_their_own_time() {
    let mut clock = begun(&settings(Pace::Sitting), 0);
    clock.advance(MINUTE, &NO);
    clock.awaits(Some((1, 1)), 2);
    // The other is away for half an hour, and then the choice is taken back.
    clock.advance(31 * MINUTE, &NO);
    clock.take_back(0);
    clock.awaits(Some((0, 1)), 3);
    assert_eq!(clock.bank(0), 45 * MINUTE - 31 * MINUTE + 20 * SECOND, "one stint, with one delay");
    assert_eq!(clock.bank(1), 45 * MINUTE);
    assert_eq!(clock.stint().map(|stint| stint.number), Some(1));
    // However often: nothing is free.
    for minute in 32..40 {
        clock.advance(minute * MINUTE - 10 * SECOND, &NO);
        clock.awaits(Some((1, 1)), 4);
        clock.advance(minute * MINUTE, &NO);
        clock.take_back(0);
        clock.awaits(Some((0, 1)), 5);
    }
    assert_eq!(clock.bank(0), 45 * MINUTE - 39 * MINUTE + 20 * SECOND);
}

#[test]
fn nobody_takes_back_what_another_has_answered() {
    let daily = settings(Pace::Daily);
    let mut clock = begun(&daily, 0);
    clock.awaits(Some((1, 1)), 2);
    clock.advance(DAY, &NO);
    clock.awaits(Some((0, 2)), 3);
    let before = clock.clone();
    clock.take_back(0);
    assert_eq!(clock, before, "it is their turn already");
    // A pause in between is no more theirs than it was the other's, and a refill that was earned too early is not kept.
    clock.advance(DAY + HOUR, &NO);
    clock.awaits(Some((1, 2)), 4);
    clock.pause();
    clock.advance(9 * DAY, &NO);
    clock.resume();
    clock.take_back(0);
    clock.awaits(Some((0, 2)), 5);
    assert_eq!(clock.bank(0), 3 * DAY + 12 * HOUR - HOUR);
}

#[test]
fn whom_the_others_wait_for_gets_time_also_where_there_is_no_refill() {
    for (text, left) in [
        ("sitting", 4 * MINUTE + 30 * SECOND),
        ("daily", 12 * HOUR),
        ("own bank=0s delay=5s refill=0s cap=0s", 5 * SECOND),
    ] {
        let rules: Rules = text.parse().expect(text);
        let mut clock = begun(&rules.settings.expect("a clock"), 0);
        clock.flag(0);
        clock.wait_for(0);
        assert_eq!(clock.bank(0), left, "{text}");
        clock.wait_for(0);
        assert_eq!(clock.bank(0), left, "no more for waiting twice");
    }
}

/// Two owe a number before play begins: whoever gives theirs while the other is awaited must not have less than the other.
#[test]
fn what_is_owed_before_play_earns_no_refill() {
    let daily = settings(Pace::Daily);
    let mut clock = Clock::new(&daily, 2, 0);
    clock.awaits(Some((0, BEFORE_PLAY)), 1);
    clock.advance(HOUR, &NO);
    clock.awaits(Some((1, BEFORE_PLAY)), 2);
    clock.advance(2 * HOUR, &NO);
    clock.awaits(Some((0, 1)), 3);
    assert_eq!([0, 1].map(|seat| clock.bank(seat)), [3 * DAY - HOUR, 3 * DAY - HOUR]);
    // The stint of the first turn earns its refill as ever.
    clock.awaits(Some((1, 1)), 4);
    assert_eq!(clock.bank(0), 3 * DAY - HOUR + 12 * HOUR);
}
