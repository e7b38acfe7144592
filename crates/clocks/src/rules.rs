//! The rules of a table about time: pace, what follows when time runs out, off days. In a journal they are one line of words.

use std::fmt;
use std::str::FromStr;

use crate::free::are_days;
use crate::{DAY, HOUR, MINUTE, OffDays, SECOND, read_span, write_span};

/// How much time a match gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Played at one sitting.
    Sitting,
    /// A few choices a day.
    Daily,
    /// A few choices a week.
    Easy,
    /// Numbers of one's own.
    Own,
    /// No clock.
    None,
}

impl Pace {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Sitting, Self::Daily, Self::Easy, Self::Own];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Sitting => "sitting",
            Self::Daily => "daily",
            Self::Easy => "easy",
            Self::Own => "own",
            Self::None => "none",
        }
    }

    /// Reads the word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.word() == word)
    }

    /// What it gives; `None` for no clock and for numbers of one's own.
    pub const fn settings(self) -> Option<Settings> {
        let (bank, delay, refill, cap) = match self {
            Self::Sitting => (45 * MINUTE, 20 * SECOND, 0, 45 * MINUTE),
            Self::Daily => (3 * DAY, 0, 12 * HOUR, 5 * DAY),
            Self::Easy => (7 * DAY, 0, 36 * HOUR, 14 * DAY),
            Self::Own | Self::None => return None,
        };
        Some(Settings { bank, delay, refill, cap })
    }
}

/// The numbers of a clock, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What each seat begins with.
    pub bank: u64,
    /// How much of each stint is free.
    pub delay: u64,
    /// What a seat gets when its stint ends, at most once in a turn of the game.
    pub refill: u64,
    /// The most that a refill fills up to.
    pub cap: u64,
}

impl Settings {
    /// How long after the deadline a flag falls: a choice may be on its way.
    pub fn grace(&self) -> u64 {
        if self.bank >= DAY { MINUTE } else { 2 * SECOND }
    }

    /// What somebody has at least whose time has run out and for whom the others wait.
    pub fn respite(&self) -> u64 {
        match self.refill.min(self.cap) {
            0 => (self.bank / 10).max(self.delay),
            refill => refill,
        }
    }

    /// Why these numbers make no clock.
    fn fault(&self) -> Option<&'static str> {
        match self {
            _ if self.bank.max(self.delay) < SECOND => Some("a bank or a delay of at least a second"),
            _ if self.cap < self.bank => Some("a cap that is not below the bank"),
            _ if [self.bank, self.delay, self.refill, self.cap].iter().any(|span| *span > 366 * DAY) => {
                Some("times of at most a year")
            }
            _ => None,
        }
    }
}

/// What follows when somebody's time runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagPolicy {
    /// The bot with this word plays on, and the person may come back.
    StandIn(String),
    /// They lose.
    Loss,
    /// The others claim the win, let this bot play on, or wait.
    Claim(String),
}

/// The rules of a table about time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The pace that was chosen.
    pub pace: Pace,
    /// The numbers of the clock; `None` without one.
    pub settings: Option<Settings>,
    /// What follows when time runs out.
    pub on_flag: FlagPolicy,
    /// Days on which no clock runs.
    pub off: Option<OffDays>,
    /// Whether a player's clock stands still while they rest.
    pub allows_rest: bool,
    /// Whether the match counts for ratings.
    pub is_rated: bool,
}

/// Why a text is not the rules of a table, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// The letter of the text at which it goes wrong, from 1.
    pub column: usize,
    /// What was expected.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}, found {:?}", self.column, self.expected, self.found)
    }
}

impl std::error::Error for RulesError {}

/// The bot that stands in where the rules name none: every game has it.
const STAND_IN: &str = "captain";

impl Rules {
    /// The rules of a pace, with a bot that stands in for whoever runs out of time.
    pub fn of(pace: Pace) -> Self {
        let on_flag = FlagPolicy::StandIn(STAND_IN.to_owned());
        Self { pace, settings: pace.settings(), on_flag, off: None, allows_rest: true, is_rated: false }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pace.word())?;
        if let (Pace::Own, Some(Settings { bank, delay, refill, cap })) = (self.pace, &self.settings) {
            for (key, span) in [("bank", bank), ("delay", delay), ("refill", refill), ("cap", cap)] {
                write!(f, " {key}={}", write_span(*span))?;
            }
        }
        match &self.on_flag {
            FlagPolicy::StandIn(bot) => write!(f, " flag=stand-in:{bot}")?,
            FlagPolicy::Loss => f.write_str(" flag=loss")?,
            FlagPolicy::Claim(bot) => write!(f, " flag=claim:{bot}")?,
        }
        if self.is_rated {
            f.write_str(" rated=yes")?;
        }
        if !self.allows_rest {
            f.write_str(" rest=no")?;
        }
        self.off.as_ref().map_or(Ok(()), |off| write!(f, " {off}"))
    }
}

/// What was read so far.
struct Draft<'a> {
    rules: Rules,
    own: Settings,
    days: Option<&'a str>,
    zone: Option<&'a str>,
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, _) = text.split_once(' ').unwrap_or((text, ""));
        let wrong = |word: &str, expected: &'static str| {
            let before = word.as_ptr() as usize - text.as_ptr() as usize;
            RulesError { column: text[..before].chars().count() + 1, expected, found: word.to_owned() }
        };
        let pace = Pace::read(first).ok_or_else(|| wrong(first, "none, sitting, daily, easy or own"))?;
        let own = Settings { bank: 0, delay: 0, refill: 0, cap: 0 };
        let mut draft = Draft { rules: Self::of(pace), own, days: None, zone: None };
        for word in text.split(' ').skip(1) {
            draft.take(word).map_err(|expected| wrong(word, expected))?;
        }
        draft.finish().map_err(|expected| wrong(text, expected))
    }
}

impl<'a> Draft<'a> {
    /// Reads one word, or says what was expected.
    fn take(&mut self, word: &'a str) -> Result<(), &'static str> {
        let (key, value) = word.split_once('=').ok_or("a setting such as flag=loss")?;
        let span = || read_span(value).ok_or("a time such as 45m, 20s, 12h or 3d");
        match key {
            "bank" | "delay" | "refill" | "cap" if self.rules.pace != Pace::Own => {
                return Err("numbers only with the pace own");
            }
            "bank" => self.own.bank = span()?,
            "delay" => self.own.delay = span()?,
            "refill" => self.own.refill = span()?,
            "cap" => self.own.cap = span()?,
            "flag" => self.rules.on_flag = read_policy(value)?,
            "rated" => self.rules.is_rated = yes_or_no(value).ok_or("rated=yes or rated=no")?,
            "rest" => self.rules.allows_rest = yes_or_no(value).ok_or("rest=yes or rest=no")?,
            "off" if !are_days(value) => return Err("days such as sat,sun"),
            "off" => self.days = Some(value),
            "zone" => self.zone = Some(value),
            _ => return Err("bank, delay, refill, cap, flag, rated, rest, off or zone"),
        }
        Ok(())
    }

    /// The rules, or what is wrong with them as a whole.
    fn finish(mut self) -> Result<Rules, &'static str> {
        if self.rules.pace == Pace::Own {
            if let Some(fault) = self.own.fault() {
                return Err(fault);
            }
            self.rules.settings = Some(self.own);
        }
        self.rules.off = match (self.days, self.zone) {
            (None, None) => None,
            (None, Some(_)) => return Err("off days where there is a zone"),
            (Some(days), zone) => {
                let off = OffDays::new(days.split(','), zone.unwrap_or("UTC"));
                Some(off.ok_or("a zone such as Europe/Berlin, and a day of the week that is not off")?)
            }
        };
        Ok(self.rules)
    }
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn read_policy(text: &str) -> Result<FlagPolicy, &'static str> {
    let (word, bot) = text.split_once(':').unwrap_or((text, STAND_IN));
    let bot = bot.to_owned();
    match word {
        "stand-in" if !bot.is_empty() => Ok(FlagPolicy::StandIn(bot)),
        "claim" if !bot.is_empty() => Ok(FlagPolicy::Claim(bot)),
        "loss" if !text.contains(':') => Ok(FlagPolicy::Loss),
        _ => Err("loss, claim:BOT or stand-in:BOT"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        for text in [
            "none flag=stand-in:captain",
            "sitting flag=loss",
            "daily flag=claim:captain rated=yes off=sat,sun zone=Europe/Berlin",
            "easy flag=stand-in:search:4000 off=mon zone=UTC",
            "daily flag=loss rated=yes rest=no off=sun zone=UTC",
            "own bank=90m delay=30s refill=10m cap=2h flag=loss",
            "own bank=0s delay=5s refill=0s cap=0s flag=loss",
        ] {
            let rules: Rules = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(rules.to_string(), text);
        }
        assert_eq!("daily".parse(), Ok(Rules::of(Pace::Daily)));
        assert_eq!(
            "daily off=sun,sat".parse::<Rules>().unwrap().to_string(),
            "daily flag=stand-in:captain off=sat,sun zone=UTC"
        );
    }

    #[test]
    fn a_mistake_is_pointed_at() {
        for (text, told) in [
            ("", "column 1: expected none, sitting, daily, easy or own"),
            ("dayly", "column 1: expected none, sitting"),
            ("daily flag", "column 7: expected a setting such as flag=loss"),
            ("daily bank=5m", "column 7: expected numbers only with the pace own"),
            ("daily flag=win", "column 7: expected loss, claim:BOT or stand-in:BOT, found \"flag=win\""),
            ("daily flag=stand-in:", "column 7: expected loss"),
            ("daily flag=loss:captain", "column 7: expected loss"),
            ("daily off=Sunday", "column 7: expected days such as sat,sun"),
            ("daily zone=UTC", "column 1: expected off days where there is a zone"),
            ("daily off=sun zone=Europe/Atlantis", "column 1: expected a zone such as"),
            (
                "daily off=mon,tue,wed,thu,fri,sat,sun",
                "column 1: expected a zone such as Europe/Berlin, and a day",
            ),
            ("own bank=5 cap=5m", "column 5: expected a time such as"),
            ("own bank=5m", "column 1: expected a cap that is not below the bank"),
            ("own", "column 1: expected a bank or a delay of at least a second"),
            ("own bank=400d cap=400d", "column 1: expected times of at most a year"),
            ("daily rated=maybe", "column 7: expected rated=yes or rated=no"),
            ("daily rest=7", "column 7: expected rest=yes or rest=no"),
            ("own speed=5m", "column 5: expected bank, delay"),
        ] {
            let why = text.parse::<Rules>().expect_err(text).to_string();
            assert!(why.starts_with(told), "{text}: {why}");
        }
    }
}
