//! Whole days, as somebody counts them in their zone: for rests.

use std::fmt;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// Whole days in a row in a zone.
///
/// ```
/// use clocks::{DAY, Days, HOUR};
/// let days = Days::read("2026-03-28", "2026-03-29", "Europe/Berlin").unwrap();
/// // In the night to the second of them clocks go forward.
/// assert_eq!(days.until().unwrap() - days.from().unwrap(), 2 * DAY - HOUR);
/// assert_eq!((days.count(), days.in_year(2026), days.in_year(2025)), (2, 2, 0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Days {
    first: Date,
    last: Date,
    zone: TimeZone,
}

/// The zone of a name; UTC where there is none of that name.
fn zone_named(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap_or(TimeZone::UTC)
}

impl Days {
    /// Days from one to another, both included, written as `2026-03-28`. `None` where one of them is no day, or the last is before
    /// the first.
    pub fn read(first: &str, last: &str, zone: &str) -> Option<Self> {
        let (first, last): (Date, Date) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last).then(|| Self { first, last, zone: zone_named(zone) })
    }

    /// The day of a moment.
    pub fn at(moment: u64, zone: &str) -> Option<Self> {
        let moment = Timestamp::from_millisecond(i64::try_from(moment).ok()?).ok()?;
        let zone = zone_named(zone);
        let day = moment.to_zoned(zone.clone()).date();
        Some(Self { first: day, last: day, zone })
    }

    /// Their first moment, which is not midnight everywhere.
    pub fn from(&self) -> Option<u64> {
        self.start(self.first)
    }

    /// The first moment after them.
    pub fn until(&self) -> Option<u64> {
        self.start(self.last.checked_add(1.day()).ok()?)
    }

    fn start(&self, day: Date) -> Option<u64> {
        u64::try_from(day.to_zoned(self.zone.clone()).ok()?.timestamp().as_millisecond()).ok()
    }

    /// How many they are.
    pub fn count(&self) -> u32 {
        count(self.first, self.last)
    }

    /// How many of them are in a year.
    pub fn in_year(&self, year: i16) -> u32 {
        let bounds = (Date::new(year, 1, 1), Date::new(year, 12, 31));
        let (Ok(begin), Ok(end)) = bounds else { return 0 };
        count(self.first.max(begin), self.last.min(end))
    }

    /// The years in which they begin and end.
    pub fn years(&self) -> [i16; 2] {
        [self.first.year(), self.last.year()]
    }

    /// The first of them, written as it is read.
    pub fn first(&self) -> String {
        self.first.to_string()
    }

    /// The last of them.
    pub fn last(&self) -> String {
        self.last.to_string()
    }

    /// Whether some day is among these and among others.
    pub fn overlap(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

fn count(first: Date, last: Date) -> u32 {
    first.until(last).map_or(0, |span| u32::try_from(span.get_days() + 1).unwrap_or(0))
}

/// As people write them: `20 November`, `20 to 22 November`, `30 November to 2 December`.
impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last.strftime("%-d %B");
        if self.first == self.last {
            write!(f, "{last}")
        } else if (self.first.year(), self.first.month()) == (self.last.year(), self.last.month()) {
            write!(f, "{} to {last}", self.first.day())
        } else {
            write!(f, "{} to {last}", self.first.strftime("%-d %B"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DAY, HOUR};

    fn days(first: &str, last: &str) -> Days {
        Days::read(first, last, "Europe/Berlin").expect("days")
    }

    #[test]
    fn days_are_counted_by_year_and_said_in_words() {
        let turn = days("2026-12-30", "2027-01-03");
        assert_eq!((turn.count(), turn.in_year(2026), turn.in_year(2027), turn.in_year(2028)), (5, 2, 3, 0));
        assert_eq!(turn.to_string(), "30 December to 3 January");
        assert_eq!(days("2026-11-20", "2026-11-20").to_string(), "20 November");
        assert_eq!(days("2026-11-20", "2026-11-22").to_string(), "20 to 22 November");
        assert_eq!((turn.first(), turn.last()), ("2026-12-30".to_owned(), "2027-01-03".to_owned()));
        assert!(
            turn.overlap(&days("2027-01-03", "2027-01-09"))
                && !turn.overlap(&days("2027-01-04", "2027-01-09"))
        );
    }

    #[test]
    fn days_are_as_long_as_they_are_in_the_zone() {
        let length = |first: &str, last: &str| {
            let days = days(first, last);
            days.until().expect("an end") - days.from().expect("a beginning")
        };
        assert_eq!(length("2026-07-01", "2026-07-03"), 3 * DAY);
        assert_eq!(length("2026-03-29", "2026-03-29"), DAY - HOUR);
        assert_eq!(length("2026-10-25", "2026-10-25"), DAY + HOUR);
        let now = days("2026-07-01", "2026-07-01").until().expect("an end");
        assert_eq!(Days::at(now, "Europe/Berlin").map(|day| day.first()), Some("2026-07-02".to_owned()));
        assert_eq!(Days::at(now, "UTC").map(|day| day.first()), Some("2026-07-01".to_owned()));
        assert_eq!(
            Days::at(now, "Nowhere/AtAll"),
            Days::at(now, "UTC"),
            "as everywhere where a zone is not known"
        );
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for (first, last) in
            [("2026-02-30", "2026-03-01"), ("2026-03-02", "2026-03-01"), ("", ""), ("tomorrow", "2026-03-01")]
        {
            assert_eq!(Days::read(first, last, "UTC"), None, "{first} {last}");
        }
    }
}
