//! When a delivery is tried again, and when its channel is given up.

use store::ChannelKind;

/// How long to wait after each failed try, in milliseconds: 10 s, 1 min, 10 min.
const WAITS: [u64; 3] = [10_000, 60_000, 600_000];

/// How a try went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The other side took it.
    Accepted,
    /// The other side answered with this status, which is no success.
    Status(u16),
    /// No answer: no connection, too slow, too long.
    NoAnswer,
}

/// What follows from a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Delivered,
    /// Try again at this time, in milliseconds.
    Again(u64),
    /// Mark the channel as failing and tell its owner.
    Failing,
    /// The browser has given the subscription up: delete it.
    Gone,
}

/// One message on its way: a first try, then three more, 10 s, 1 min and 10 min after the one before.
///
/// ```
/// use post::{Delivery, Outcome, Verdict};
/// use store::ChannelKind;
/// let mut delivery = Delivery::new(ChannelKind::Json);
/// assert_eq!(delivery.tried(Outcome::NoAnswer, 5_000), Verdict::Again(15_000));
/// assert_eq!(delivery.tried(Outcome::Accepted, 15_000), Verdict::Delivered);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    channel: ChannelKind,
    failed: usize,
}

impl Delivery {
    /// A message that was not tried yet.
    pub fn new(channel: ChannelKind) -> Self {
        Self { channel, failed: 0 }
    }

    /// A message that has failed so often, as it was stored.
    pub fn stored(channel: ChannelKind, failed: u32) -> Self {
        Self { channel, failed: failed as usize }
    }

    /// Notes how a try went at the time `now`, in milliseconds, and says what follows.
    pub fn tried(&mut self, outcome: Outcome, now: u64) -> Verdict {
        match (outcome, self.channel) {
            (Outcome::Accepted, _) => return Verdict::Delivered,
            (Outcome::Status(404 | 410), ChannelKind::Push) => return Verdict::Gone,
            _ => {}
        }
        let wait = WAITS.get(self.failed);
        self.failed = self.failed.saturating_add(1);
        wait.map_or(Verdict::Failing, |wait| Verdict::Again(now.saturating_add(*wait)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_waits_then_failing() {
        let mut one = Delivery::new(ChannelKind::Mail);
        let verdicts: Vec<Verdict> =
            [0, 10_000, 70_000, 670_000, 670_001].map(|now| one.tried(Outcome::Status(500), now)).into();
        let again = Verdict::Again;
        assert_eq!(
            verdicts,
            [again(10_000), again(70_000), again(670_000), Verdict::Failing, Verdict::Failing]
        );
    }

    #[test]
    fn only_push_is_gone() {
        for status in [404, 410] {
            assert_eq!(Delivery::new(ChannelKind::Push).tried(Outcome::Status(status), 0), Verdict::Gone);
            assert_eq!(
                Delivery::new(ChannelKind::Json).tried(Outcome::Status(status), 0),
                Verdict::Again(10_000)
            );
        }
        assert_eq!(Delivery::new(ChannelKind::Push).tried(Outcome::Status(403), 0), Verdict::Again(10_000));
    }

    #[test]
    fn a_stored_delivery_goes_on_where_it_was() {
        let mut one = Delivery::stored(ChannelKind::Json, 2);
        assert_eq!(one.tried(Outcome::NoAnswer, u64::MAX), Verdict::Again(u64::MAX));
        assert_eq!(one.tried(Outcome::NoAnswer, 0), Verdict::Failing);
    }
}
