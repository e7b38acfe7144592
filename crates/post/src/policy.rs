//! When somebody is told: what is planned with a stint, what makes a notice moot, how long a channel holds it back.
//!
//! Pure functions over milliseconds since 1970: nothing here looks at a clock.

use store::{NoticeKind, QuietHours, Wishes};

use crate::Zone;

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// How a match is played, as far as notices care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tempo {
    /// In one sitting: people are there, and want to know soon.
    Sitting,
    /// Over days or weeks.
    Slow,
}

impl Tempo {
    /// How long something may still become moot before anybody is told: 30 seconds or 3 minutes.
    pub const fn grace(self) -> u64 {
        match self {
            Tempo::Sitting => 30 * SECOND,
            Tempo::Slow => 3 * MINUTE,
        }
    }
}

/// When a notice is due about something that happens now and that isn't a turn.
pub fn due(tempo: Tempo, now: u64) -> u64 {
    now.saturating_add(tempo.grace())
}

/// The notices of a stint that begins now: the turn, and reminders when half of the time is left, a fifth, and an hour. A reminder that
/// would come less than the grace after the notice before it, or before the deadline, is left out; the last one that is left is
/// [`NoticeKind::Last`].
///
/// ```
/// use post::{Tempo, plan_stint};
/// use store::NoticeKind;
/// const HOUR: u64 = 3_600_000;
/// let plan = plan_stint(Tempo::Slow, 0, Some(100 * HOUR));
/// assert_eq!(plan[1..], [(NoticeKind::Half, 50 * HOUR), (NoticeKind::Fifth, 80 * HOUR), (NoticeKind::Last, 99 * HOUR)]);
/// ```
pub fn plan_stint(tempo: Tempo, now: u64, deadline: Option<u64>) -> Vec<(NoticeKind, u64)> {
    let grace = tempo.grace();
    let mut plan = vec![(NoticeKind::Turn, now.saturating_add(grace))];
    let Some(deadline) = deadline else { return plan };
    let left = deadline.saturating_sub(now);
    let hour = deadline.saturating_sub(HOUR);
    let reminders = [
        (NoticeKind::Half, deadline - left / 2),
        (NoticeKind::Fifth, deadline - left / 5),
        (NoticeKind::Last, hour),
    ];
    for (kind, at) in reminders {
        let before = plan.last().map_or(now, |(_, at)| *at);
        if at >= before.saturating_add(grace) && at.saturating_add(grace) <= deadline {
            plan.push((kind, at));
        }
    }
    if let [_, .., last] = &mut plan[..] {
        last.0 = NoticeKind::Last;
    }
    plan
}

/// Whether nobody needs to be told: what it is about has passed (a choice was made, an order answered, an offer was taken), or the
/// account has a visible window open and sees it. A window can be left open by somebody who has gone to bed, so the last reminder
/// goes out all the same; and a failing channel is not seen in any match.
pub fn is_moot(kind: NoticeKind, has_passed: bool, is_looking: bool) -> bool {
    has_passed || (is_looking && !matches!(kind, NoticeKind::Last | NoticeKind::Channel))
}

/// Whether a channel is to carry this kind.
pub fn is_wanted(kind: NoticeKind, wishes: &Wishes) -> bool {
    kind == NoticeKind::Channel || wishes.kinds.contains(&kind)
}

/// From when on a channel may tell what is due at `at`. The last reminder waits for nothing. With a digest everything else waits
/// for its hour, even if that is a quiet one: somebody chose it. Else quiet hours hold it back until they end.
pub fn hold(kind: NoticeKind, wishes: &Wishes, zone: &Zone, at: u64) -> u64 {
    match (kind, wishes.digest, wishes.quiet) {
        (NoticeKind::Last, _, _) => at,
        (_, Some(hour), _) => zone.next(at, hour),
        (_, None, Some(quiet)) if is_quiet(quiet, zone.minute(at)) => zone.next(at, quiet.to),
        _ => at,
    }
}

fn is_quiet(QuietHours { from, to }: QuietHours, minute: u16) -> bool {
    if from <= to { (from..to).contains(&minute) } else { minute >= from || minute < to }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_stints_have_fewer_reminders() {
        let plan = |tempo, left| plan_stint(tempo, 1000, Some(1000 + left));
        let kinds = |tempo, left| plan(tempo, left).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        use NoticeKind::{Fifth, Half, Last, Turn};
        assert_eq!(kinds(Tempo::Slow, 6 * HOUR), [Turn, Half, Fifth, Last]);
        assert_eq!(kinds(Tempo::Slow, 5 * HOUR + 5), [Turn, Half, Last], "a fifth is an hour");
        assert_eq!(kinds(Tempo::Slow, 5 * HOUR), [Turn, Half, Last]);
        assert_eq!(plan(Tempo::Slow, 5 * HOUR)[2].1, 1000 + 4 * HOUR);
        assert_eq!(kinds(Tempo::Sitting, 45 * MINUTE), [Turn, Half, Last]);
        assert_eq!(plan(Tempo::Sitting, 45 * MINUTE)[0].1, 1000 + 30 * SECOND);
        assert_eq!(plan(Tempo::Sitting, 45 * MINUTE)[2].1, 1000 + 36 * MINUTE);
        assert_eq!(kinds(Tempo::Sitting, 2 * MINUTE), [Turn, Last]);
        assert_eq!(kinds(Tempo::Sitting, MINUTE), [Turn]);
        assert_eq!(kinds(Tempo::Slow, 0), [Turn]);
        assert_eq!(plan_stint(Tempo::Slow, 0, None), [(Turn, 3 * MINUTE)]);
        assert_eq!(plan_stint(Tempo::Slow, u64::MAX, Some(0)), [(Turn, u64::MAX)]);
    }

    #[test]
    fn reminders_come_in_order_between_turn_and_deadline() {
        for tempo in [Tempo::Sitting, Tempo::Slow] {
            for left in (0..2000).map(|i| i * i * 137) {
                let plan = plan_stint(tempo, 5, Some(5 + left));
                assert!(plan.len() == 1 || plan[plan.len() - 1].0 == NoticeKind::Last);
                for pair in plan.windows(2) {
                    assert!(
                        pair[0].0 < pair[1].0 && pair[0].1 + tempo.grace() <= pair[1].1,
                        "{left}: {plan:?}"
                    );
                    assert!(pair[1].1 + tempo.grace() <= 5 + left);
                }
            }
        }
    }

    #[test]
    fn who_looks_needs_no_notice_but_the_last() {
        for kind in NoticeKind::ALL {
            assert!(is_moot(*kind, true, false));
            assert!(!is_moot(*kind, false, false));
            assert_eq!(is_moot(*kind, false, true), ![NoticeKind::Last, NoticeKind::Channel].contains(kind));
        }
    }

    #[test]
    fn only_what_is_wanted_is_told() {
        let wishes = Wishes { kinds: [NoticeKind::Turn].into(), ..Wishes::default() };
        assert!(is_wanted(NoticeKind::Turn, &wishes));
        assert!(!is_wanted(NoticeKind::Chat, &wishes));
        assert!(is_wanted(NoticeKind::Channel, &Wishes::default()));
    }

    #[test]
    fn quiet_hours_hold_back_all_but_the_last_reminder() {
        let wishes = Wishes { quiet: Some(QuietHours { from: 22 * 60, to: 7 * 60 }), ..Wishes::default() };
        let held = |kind, at| hold(kind, &wishes, &Zone::UTC, at);
        for (at, until) in
            [(21 * HOUR, 21 * HOUR), (22 * HOUR, 31 * HOUR), (26 * HOUR, 31 * HOUR), (31 * HOUR, 31 * HOUR)]
        {
            assert_eq!(held(NoticeKind::Turn, at), until);
            assert_eq!(held(NoticeKind::Last, at), at);
        }
        // In New York it is five hours earlier.
        assert_eq!(hold(NoticeKind::Turn, &wishes, &Zone::named("America/New_York"), 26 * HOUR), 26 * HOUR);
        assert_eq!(hold(NoticeKind::Turn, &wishes, &Zone::named("America/New_York"), 27 * HOUR), 36 * HOUR);
        let noon = Wishes { quiet: Some(QuietHours { from: 12 * 60, to: 13 * 60 }), ..Wishes::default() };
        assert_eq!(hold(NoticeKind::Chat, &noon, &Zone::UTC, 12 * HOUR + 1), 13 * HOUR);
        assert_eq!(hold(NoticeKind::Chat, &noon, &Zone::UTC, 14 * HOUR), 14 * HOUR);
    }

    #[test]
    fn a_digest_comes_once_a_day() {
        let quiet = Some(QuietHours { from: 0, to: 24 * 60 - 1 });
        let wishes = Wishes { digest: Some(18 * 60), quiet, ..Wishes::default() };
        let held = |kind, at| hold(kind, &wishes, &Zone::UTC, at);
        assert_eq!(held(NoticeKind::Turn, HOUR), 18 * HOUR);
        assert_eq!(held(NoticeKind::Over, 18 * HOUR), 18 * HOUR);
        assert_eq!(held(NoticeKind::Over, 18 * HOUR + 1), 42 * HOUR);
        assert_eq!(held(NoticeKind::Last, HOUR), HOUR);
    }
}
