//! Time that is charged to nobody, or not to one seat.

use std::fmt;

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// Days of the week on which no clock runs, from midnight to midnight in a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffDays {
    /// The days, as bits from Monday on.
    days: u8,
    zone: TimeZone,
}

/// The words for the days, from Monday on.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Their names, of all weeks.
const NAMES: [&str; 7] =
    ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

impl OffDays {
    /// Off days by their words (`sat`), in a zone such as `Europe/Berlin`. `None` where a word or the zone is not known, or no
    /// day of the week would be left.
    pub fn new<'a>(days: impl IntoIterator<Item = &'a str>, zone: &str) -> Option<Self> {
        let zone = TimeZone::get(zone).ok()?;
        let mut bits = 0;
        for day in days {
            bits |= 1 << DAYS.iter().position(|name| *name == day)?;
        }
        (bits != 0 && bits != 0x7f).then_some(Self { days: bits, zone })
    }

    /// The words of the days, in the order of the week.
    pub fn days(&self) -> Vec<&'static str> {
        (0..7).filter(|day| self.days & (1 << day) != 0).map(|day| DAYS[day]).collect()
    }

    /// The name of the zone.
    pub fn zone(&self) -> &str {
        self.zone.iana_name().unwrap_or("UTC")
    }

    /// The days in words: `Saturdays and Sundays`.
    pub fn words(&self) -> String {
        let names: Vec<&str> =
            (0..7).filter(|day| self.days & (1 << day) != 0).map(|day| NAMES[day]).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, before)) => format!("{} and {last}", before.join(", ")),
            None => String::new(),
        }
    }

    fn is_off(&self, day: Weekday) -> bool {
        self.days & (1 << day.to_monday_zero_offset()) != 0
    }

    /// The first moment of a day, which is not midnight everywhere.
    fn start(&self, day: Date) -> Option<u64> {
        let start = day.to_zoned(self.zone.clone()).ok()?;
        u64::try_from(start.timestamp().as_millisecond()).ok()
    }

    /// The off days that begin before `until` and end after `from`, in order, at most `most`.
    fn between(&self, from: u64, until: u64, most: usize) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        let Some(first) = i64::try_from(from).ok().and_then(|from| Timestamp::from_millisecond(from).ok())
        else {
            return found;
        };
        let mut day = first.to_zoned(self.zone.clone()).date();
        while found.len() < most {
            let Ok(next) = day.checked_add(1.day()) else { break };
            let (Some(start), Some(end)) = (self.start(day), self.start(next)) else { break };
            if start >= until {
                break;
            }
            if self.is_off(day.weekday()) && end > from {
                found.push((start, end));
            }
            day = next;
        }
        found
    }
}

/// Written as rules say it: `off=sat,sun zone=Europe/Berlin`.
impl fmt::Display for OffDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "off={} zone={}", self.days().join(","), self.zone())
    }
}

/// Whether a text is a list of days: `sat,sun`.
pub(crate) fn are_days(text: &str) -> bool {
    text.split(',').all(|word| DAYS.contains(&word))
}

/// Time that is not charged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreeTime {
    /// When the house did not run: from, until. An outage counts only where it was over before the next entry came: with an
    /// entry in between, the house must have run until then.
    pub outages: Vec<(u64, u64)>,
    /// When players rested: seat, from, until.
    pub rests: Vec<(u8, u64, u64)>,
    /// Days on which no clock runs.
    pub off: Option<OffDays>,
}

/// How many off days are looked at in one piece when a deadline is sought.
const PIECE: usize = 64;

impl FreeTime {
    /// How much of a time was free for a seat.
    pub(crate) fn within(&self, seat: u8, from: u64, until: u64) -> u64 {
        let mut free = self.told(seat, until);
        if let Some(off) = &self.off {
            free.extend(off.between(from, until, usize::MAX));
        }
        free.sort_unstable();
        let (mut sum, mut at) = (0, from);
        for (begins, ends) in free {
            let (begins, ends) = (begins.max(at), ends.min(until));
            if ends > begins {
                sum += ends - begins;
                at = ends;
            }
        }
        sum
    }

    /// When so much time that is not free has passed for a seat. `None` where that is beyond all calendars.
    pub(crate) fn after(&self, seat: u8, from: u64, mut left: u64) -> Option<u64> {
        let told = self.told(seat, u64::MAX);
        let mut at = from;
        loop {
            // Off days have no end, so they are looked at piece by piece.
            let off = self.off.as_ref().map(|off| off.between(at, u64::MAX, PIECE)).unwrap_or_default();
            let seen_until = match (off.len() == PIECE, off.last()) {
                (true, Some((_, ends))) => *ends,
                _ => u64::MAX,
            };
            let mut free: Vec<(u64, u64)> =
                told.iter().copied().filter(|(begins, _)| *begins < seen_until).chain(off).collect();
            free.sort_unstable();
            for (begins, ends) in free {
                let gap = begins.saturating_sub(at);
                if left <= gap {
                    return at.checked_add(left);
                }
                left -= gap;
                at = at.max(ends);
            }
            if seen_until == u64::MAX {
                return at.checked_add(left);
            }
        }
    }

    /// Outages and rests that count for a seat at a moment.
    fn told(&self, seat: u8, now: u64) -> Vec<(u64, u64)> {
        let outages = self.outages.iter().copied().filter(|(_, ended)| *ended <= now);
        let rests = self.rests.iter().filter(|(of, ..)| *of == seat).map(|(_, from, until)| (*from, *until));
        outages.chain(rests).collect()
    }
}
