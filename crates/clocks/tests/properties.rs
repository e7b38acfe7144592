//! The clock against a slow model of it, in random matches.

mod slow;

use clocks::{Clock, FreeTime, MINUTE, OffDays, Settings};
use jiff::Timestamp;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use slow::{Free, Slow};

const SEATS: u8 = 3;

#[derive(Clone, Copy, Debug)]
enum Act {
    Awaits(Option<u8>, u16),
    Pause,
    Resume,
    Flag(u8),
    Grant(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => (0..SEATS, 0_u16..4).prop_map(|(seat, turn)| Act::Awaits(Some(seat), turn)),
        1 => Just(Act::Awaits(None, 0)),
        1 => Just(Act::Pause),
        2 => Just(Act::Resume),
        1 => (0..SEATS).prop_map(Act::Flag),
        1 => (0..SEATS).prop_map(Act::Grant),
    ]
}

/// Times in ticks: since the last entry, or how far the clock was put back.
fn entries() -> impl Strategy<Value = Vec<(i64, Act)>> {
    let time = prop_oneof![8 => 0_i64..120, 1 => 0_i64..900, 1 => -200_i64..0];
    prop::collection::vec((time, act()), 1..40)
}

fn settings() -> impl Strategy<Value = Settings> {
    (0_u64..400, 0_u64..40, 0_u64..120, 0_u64..200).prop_map(|(bank, delay, refill, more)| Settings {
        bank,
        delay,
        refill,
        cap: bank + more,
    })
}

fn stretches(seats: bool) -> impl Strategy<Value = Vec<(Option<u8>, u64, u64)>> {
    let seat = if seats { (0..SEATS).prop_map(Some).boxed() } else { Just(None).boxed() };
    prop::collection::vec((seat, 0_u64..3000, 0_u64..400), 0..6)
}

fn scaled(settings: &Settings, tick: u64) -> Settings {
    let Settings { bank, delay, refill, cap } = *settings;
    Settings { bank: bank * tick, delay: delay * tick, refill: refill * tick, cap: cap * tick }
}

/// A match told to both clocks, which are compared after every entry.
struct Both {
    clock: Clock,
    slow: Slow,
    free: FreeTime,
    wall: u64,
    number: u32,
    turn: u16,
}

impl Both {
    fn new(settings: &Settings, start: u64, tick: u64, told: &[(Option<u8>, u64, u64)]) -> Self {
        let mut slow = Slow::new(settings, usize::from(SEATS), start, tick);
        let mut free = FreeTime::default();
        for (seat, from, length) in told {
            let (from, until) = (start + from * tick, start + (from + length) * tick);
            slow.free.push(Free { seat: *seat, from, until });
            match seat {
                Some(seat) => free.rests.push((*seat, from, until)),
                None => free.outages.push((from, until)),
            }
        }
        let clock = Clock::new(settings, usize::from(SEATS), start);
        Self { clock, slow, free, wall: start, number: 0, turn: 0 }
    }

    fn entry(&mut self, after: i64, act: Act) -> Result<(), TestCaseError> {
        let tick = self.slow.tick;
        self.wall = self.wall.saturating_add_signed(after * tick as i64);
        self.number += 1;
        // What is shown just before an entry is what the entry finds.
        let shown: Vec<u64> = (0..SEATS).map(|seat| self.clock.left(seat, self.wall, &self.free)).collect();
        self.clock.advance(self.wall, &self.free);
        self.slow.pass(self.wall);
        for seat in 0..SEATS {
            prop_assert_eq!(shown[usize::from(seat)], self.clock.left(seat, self.clock.now(), &self.free));
        }
        match act {
            Act::Awaits(seat, turn) => {
                // Turns go on, and now and then back, as after an undo.
                self.turn = if turn == 3 { self.turn.saturating_sub(1) } else { self.turn + turn / 2 };
                let awaited = seat.map(|seat| (seat, self.turn));
                self.clock.awaits(awaited, self.number);
                self.slow.awaits(awaited);
            }
            Act::Pause => {
                self.clock.pause();
                self.slow.set_paused(true);
            }
            Act::Resume => {
                self.clock.resume();
                self.slow.set_paused(false);
            }
            Act::Flag(seat) => {
                self.clock.flag(seat);
                self.slow.flag(seat);
            }
            Act::Grant(seat) => {
                self.clock.grant(seat);
                self.slow.grant(seat);
            }
        }
        self.compare()
    }

    fn compare(&self) -> Result<(), TestCaseError> {
        prop_assert_eq!(self.clock.now(), self.slow.now);
        for seat in 0..SEATS {
            prop_assert_eq!(
                self.clock.bank(seat),
                self.slow.banks[usize::from(seat)],
                "the bank of {}",
                seat
            );
            prop_assert_eq!(self.clock.left(seat, self.clock.now(), &self.free), self.slow.left(seat));
            prop_assert!(self.clock.bank(seat) <= self.slow.settings.cap);
        }
        if let Some(found) = self.slow.deadline(40_000 * self.slow.tick) {
            prop_assert_eq!(self.clock.deadline(&self.free), Some(found));
        } else if self.clock.is_paused() || self.clock.stint().is_none() {
            prop_assert_eq!(self.clock.deadline(&self.free), None);
        }
        Ok(())
    }
}

/// The weekend in Berlin, moment by moment.
fn is_weekend(at: u64) -> bool {
    let berlin = TimeZone::get("Europe/Berlin").expect("a zone");
    let day = Timestamp::from_millisecond(at as i64).expect("a time").to_zoned(berlin).weekday();
    matches!(day, Weekday::Saturday | Weekday::Sunday)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn it_is_what_the_slow_model_says(
        settings in settings(), outages in stretches(false), rests in stretches(true), entries in entries(),
    ) {
        let told: Vec<_> = outages.into_iter().chain(rests).collect();
        let mut both = Both::new(&settings, 1_000_000, 1, &told);
        for (after, act) in entries {
            both.entry(after, act)?;
        }
    }

    #[test]
    fn time_in_an_outage_is_never_charged(
        settings in settings(), seat in 0..SEATS, before in 0_u64..200, length in 0_u64..100_000, after in 0_u64..200,
    ) {
        let mut clocks = [(0, 0), (before, before + length)].map(|outage| {
            let free = FreeTime { outages: vec![outage], ..FreeTime::default() };
            let mut clock = Clock::new(&settings, usize::from(SEATS), 0);
            clock.awaits(Some((seat, 1)), 1);
            (clock, free)
        });
        // One house was away in between; in the other nothing happened.
        let (clock, free) = &mut clocks[0];
        clock.advance(before + after, free);
        let (clock, free) = &mut clocks[1];
        let deadline = clock.deadline(free);
        clock.advance(before + length + after, free);
        prop_assert_eq!(clocks[0].0.bank(seat), clocks[1].0.bank(seat));
        let alone = Clock::new(&settings, usize::from(SEATS), 0);
        prop_assert_eq!(clocks[1].0.bank((seat + 1) % SEATS), alone.bank(0));
        // An outage moves a deadline back by its length, or lies after it.
        let plain = settings.bank + settings.delay;
        let expected = if plain <= before { plain } else { plain + length };
        prop_assert_eq!(deadline, Some((seat, expected)));
    }

    #[test]
    fn a_clock_that_is_put_back_harms_nobody(settings in settings(), entries in entries(), back in 1_i64..500) {
        // The same match, and the same with every second entry's time put back: there nobody has less.
        let mut clocks = [(); 2].map(|()| Clock::new(&settings, usize::from(SEATS), 10_000));
        let free = FreeTime::default();
        let mut wall = 10_000_u64;
        for (number, (after, act)) in entries.into_iter().enumerate() {
            wall = wall.saturating_add_signed(after.abs());
            for (clock, back) in clocks.iter_mut().zip([0, back * (number as i64 % 2)]) {
                clock.advance(wall.saturating_add_signed(-back), &free);
                if let Act::Awaits(seat, _) = act {
                    clock.awaits(seat.map(|seat| (seat, 1)), number as u32);
                }
            }
            prop_assert!(clocks[1].now() <= clocks[0].now());
            let now = clocks[1].now();
            clocks[1].advance(now.saturating_sub(1_000_000), &free);
            prop_assert_eq!(clocks[1].now(), now, "time never goes back");
        }
        for clock in &clocks {
            prop_assert!((0..SEATS).all(|seat| clock.bank(seat) <= settings.cap));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(6), ..ProptestConfig::default() })]

    /// Around the days on which clocks change in Berlin, minute by minute.
    #[test]
    fn off_days_are_those_of_the_zone(
        settings in settings(), outages in stretches(false), entries in entries(), summer in any::<bool>(),
    ) {
        let start = if summer { "2026-03-27T12:00:00Z" } else { "2026-10-23T12:00:00Z" };
        let start = start.parse::<Timestamp>().expect("a time").as_millisecond() as u64;
        let settings = scaled(&settings, 10 * MINUTE);
        let mut both = Both::new(&settings, start, 10 * MINUTE, &outages);
        both.free.off = OffDays::new(["sat", "sun"], "Europe/Berlin");
        both.slow.is_off = is_weekend;
        for (after, act) in entries {
            both.entry(after, act)?;
        }
    }
}
