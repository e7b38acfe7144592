//! Clock times where an account lives.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};

/// The time zone of an account. All times come and go as milliseconds since 1970.
#[derive(Clone, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    /// Universal time.
    pub const UTC: Zone = Zone(TimeZone::UTC);

    /// A zone by its name, for example `Europe/Berlin`. A name that nobody knows is universal time: being told at a wrong hour is
    /// better than not being told.
    pub fn named(name: &str) -> Zone {
        Zone::known(name).unwrap_or(Zone::UTC)
    }

    /// A zone by its name, if there is one, to check what somebody enters.
    pub fn known(name: &str) -> Option<Zone> {
        TimeZone::get(name).ok().map(Zone)
    }

    /// The time on the wall.
    fn wall(&self, at: u64) -> Zoned {
        let millis = i64::try_from(at).unwrap_or(i64::MAX);
        Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX).to_zoned(self.0.clone())
    }

    /// The minute of the day.
    pub(crate) fn minute(&self, at: u64) -> u16 {
        let wall = self.wall(at);
        u16::from(wall.hour().unsigned_abs()) * 60 + u16::from(wall.minute().unsigned_abs())
    }

    /// The next moment at which the clock shows this minute of the day; `at` itself if it just does. An hour that the clock skips
    /// in spring is taken to be the one after.
    pub(crate) fn next(&self, at: u64, minute: u16) -> u64 {
        let wall = self.wall(at);
        let (hour, minute) = (minute / 60 % 24, minute % 60);
        let time = Time::constant(hour as i8, minute as i8, 0, 0);
        let on = |days: i64| {
            let date = wall.date().checked_add(days.days()).ok()?;
            let moment = date.to_datetime(time).to_zoned(self.0.clone()).ok()?;
            u64::try_from(moment.timestamp().as_millisecond()).ok()
        };
        // Two days ahead because the clock may skip a whole day, as Samoa's did.
        (0..=2).filter_map(on).find(|moment| *moment >= at).unwrap_or(at)
    }

    /// A time as people say it: "18:00 today", "Tuesday 18:00", "24 November 18:00".
    pub(crate) fn say(&self, at: u64, now: u64) -> String {
        let (wall, now) = (self.wall(at), self.wall(now));
        let days = wall.date().since(now.date()).map_or(i32::MAX, |span| span.get_days());
        let format = match days {
            0 => "%H:%M today",
            1 => "tomorrow %H:%M",
            2..=6 => "%A %H:%M",
            _ if wall.year() == now.year() => "%-d %B %H:%M",
            _ => "%-d %B %Y %H:%M",
        };
        wall.strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A moment in universal time.
    fn at(text: &str) -> u64 {
        let moment: Timestamp = format!("{text}Z").parse().unwrap();
        u64::try_from(moment.as_millisecond()).unwrap()
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        let berlin = Zone::named("Europe/Berlin");
        let now = at("2026-11-18T20:00:00");
        for (then, said) in [
            ("2026-11-18T22:30:00", "23:30 today"),
            ("2026-11-18T23:30:00", "tomorrow 00:30"),
            ("2026-11-24T17:00:00", "Tuesday 18:00"),
            ("2026-11-25T17:00:00", "25 November 18:00"),
            ("2027-01-02T17:00:00", "2 January 2027 18:00"),
        ] {
            assert_eq!(berlin.say(at(then), now), said);
        }
        assert_eq!(Zone::named("Nowhere/Else").say(at("2026-11-18T22:30:00"), now), "22:30 today");
        assert!(Zone::known("Nowhere/Else").is_none());
    }

    #[test]
    fn the_next_eight_o_clock() {
        let berlin = Zone::named("Europe/Berlin");
        let eight = 8 * 60;
        for (now, next) in [
            ("2026-11-18T06:59:59", "2026-11-18T07:00:00"),
            ("2026-11-18T07:00:00", "2026-11-18T07:00:00"),
            ("2026-11-18T07:00:01", "2026-11-19T07:00:00"),
            // The clocks go back on 25 October.
            ("2026-10-24T18:00:00", "2026-10-25T07:00:00"),
            ("2026-10-23T18:00:00", "2026-10-24T06:00:00"),
        ] {
            assert_eq!(berlin.next(at(now), eight), at(next), "{now}");
        }
        // On 29 March there is no half past two.
        assert_eq!(berlin.next(at("2026-03-29T00:00:00"), 150), at("2026-03-29T01:30:00"));
        assert_eq!(berlin.minute(at("2026-11-18T06:59:59")), 7 * 60 + 59);
    }
}
