//! The same clock, slowly: time passes tick by tick, and each tick is asked whether it is charged. Written from the rules, and
//! sharing nothing with the crate but the numbers of the settings.

use clocks::Settings;

/// A stretch of time that is free for one seat, or for all.
#[derive(Clone, Copy, Debug)]
pub struct Free {
    /// The seat; `None` for an outage.
    pub seat: Option<u8>,
    pub from: u64,
    pub until: u64,
}

pub struct Slow {
    pub settings: Settings,
    pub tick: u64,
    pub banks: Vec<u64>,
    refilled: Vec<Vec<u16>>,
    awaited: Option<(u8, u16)>,
    delay: u64,
    paused: bool,
    pub now: u64,
    pub free: Vec<Free>,
    /// Whether a moment lies in an off day.
    pub is_off: fn(u64) -> bool,
}

impl Slow {
    pub fn new(settings: &Settings, seats: usize, at: u64, tick: u64) -> Self {
        Self {
            settings: settings.clone(),
            tick,
            banks: vec![settings.bank; seats],
            refilled: vec![Vec::new(); seats],
            awaited: None,
            delay: 0,
            paused: false,
            now: at,
            free: Vec::new(),
            is_off: |_| false,
        }
    }

    /// Whether a tick is free, seen from an entry at `entry`.
    fn is_free(&self, seat: u8, tick: u64, entry: u64) -> bool {
        let covers = |free: &Free| free.from <= tick && tick < free.until;
        let counts = |free: &Free| match free.seat {
            Some(of) => of == seat,
            // Somebody who could make an entry before the outage was over was not kept from it.
            None => free.until <= entry,
        };
        self.free.iter().any(|free| covers(free) && counts(free)) || (self.is_off)(tick)
    }

    pub fn pass(&mut self, entry: u64) {
        while self.now < entry {
            if let Some((seat, _)) = self.awaited
                && !self.paused
                && !self.is_free(seat, self.now, entry)
            {
                if self.delay > 0 {
                    self.delay -= self.tick;
                } else {
                    let bank = &mut self.banks[usize::from(seat)];
                    *bank = bank.saturating_sub(self.tick);
                }
            }
            self.now += self.tick;
        }
    }

    pub fn awaits(&mut self, awaited: Option<(u8, u16)>) {
        let seat_before = self.awaited.map(|(seat, _)| seat);
        if seat_before != awaited.map(|(seat, _)| seat) {
            if let Some((seat, turn)) = self.awaited {
                let at = usize::from(seat);
                if self.refilled[at].iter().all(|earlier| *earlier < turn) {
                    self.refilled[at].push(turn);
                    self.banks[at] = (self.banks[at] + self.settings.refill).min(self.settings.cap);
                }
            }
            self.delay = self.settings.delay;
        }
        self.awaited = awaited;
    }

    pub fn flag(&mut self, seat: u8) {
        self.banks[usize::from(seat)] = 0;
        if self.awaited.is_some_and(|(of, _)| of == seat) {
            self.awaited = None;
        }
    }

    pub fn grant(&mut self, seat: u8) {
        let bank = &mut self.banks[usize::from(seat)];
        *bank = (*bank).max(self.settings.refill.min(self.settings.cap));
    }

    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// What a seat has, its delay included.
    pub fn left(&self, seat: u8) -> u64 {
        let delay = if self.awaited.is_some_and(|(of, _)| of == seat) { self.delay } else { 0 };
        self.banks[usize::from(seat)] + delay
    }

    /// The first moment at which the awaited seat has nothing left; outages that are known by now are over.
    pub fn deadline(&self, within: u64) -> Option<(u8, u64)> {
        let (seat, _) = self.awaited.filter(|_| !self.paused)?;
        let (mut left, mut at) = (self.left(seat), self.now);
        while left > 0 && at < self.now + within {
            left -= if self.is_free(seat, at, u64::MAX) { 0 } else { self.tick };
            at += self.tick;
        }
        (left == 0).then_some((seat, at))
    }
}
