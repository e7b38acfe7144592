//! What happens at a table beside choices: seats change hands, clocks are set, offers are made and answered, somebody resigns or
//! runs out of time. Each is an entry of the journal, so the number that keeps two choices apart keeps these apart as well.
//!
//! In a database an event is one line of words. It is stable: a line that was written once is read for ever.

use std::fmt;
use std::str::FromStr;

use crate::Player;

/// What happens at a table beside choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableEvent {
    /// Somebody else plays a seat now: `seat 1 account:a17`.
    Seat {
        /// The seat.
        seat: u8,
        /// Who plays it.
        player: Player,
    },
    /// The rules of the table about time, from here on: `clock daily flag=loss`. What follows the word is opaque here.
    Clock {
        /// The rules.
        rules: String,
    },
    /// A player asks the others for something: `offer 0 to 1,2 draw`, `offer 0 to 1 undo 41 crossed`.
    Offer {
        /// Who asks.
        seat: u8,
        /// Who has to agree.
        to: Vec<u8>,
        /// What for.
        of: Offer,
    },
    /// A player answers an offer: `answer 1 17 yes`. The offer is agreed when all whom it was made to have said yes.
    Answer {
        /// Who answers.
        seat: u8,
        /// The number of the entry with the offer.
        offer: u32,
        /// Whether they agree.
        yes: bool,
    },
    /// A player takes their own offer back: `withdraw 0 17`.
    Withdraw {
        /// Who made it.
        seat: u8,
        /// The number of the entry with the offer.
        offer: u32,
    },
    /// A player ends a pause: `resume 1`.
    Resume {
        /// Who ends it.
        seat: u8,
    },
    /// A player gives up: `resign 1`; where the others go on without them, a bot has the seat for good: `resign 1 captain`.
    Resign {
        /// Who gives up.
        seat: u8,
        /// The bot that plays on.
        bot: Option<String>,
    },
    /// The time of a player has run out: `flag 1 loss`, `flag 1 claim`, `flag 1 stand-in captain`.
    Flag {
        /// Whose time.
        seat: u8,
        /// What follows.
        then: OnFlag,
    },
    /// What a player says about somebody whose time has run out: `claim 0 win`, `claim 0 wait`, `claim 0 stand-in captain`.
    Claim {
        /// Who says so.
        seat: u8,
        /// What they want.
        wish: Claim,
    },
    /// A player rests; their clock stands still meanwhile: `rest 1 1790000000000 1790086400000`. A second one with the same
    /// beginning takes the place of the first: somebody is back earlier.
    Rest {
        /// Who rests.
        seat: u8,
        /// From when, milliseconds since 1970.
        from: u64,
        /// Until when.
        until: u64,
    },
    /// The match begins when those who play these seats have sat down, and with `dice` each puts a number into the dice:
    /// `expect 0,1`, `expect 0,1 dice`, `expect 0,1 dice at-once`.
    Expect {
        /// The seats.
        seats: Vec<u8>,
        /// Whether the dice wait for their numbers.
        dice: bool,
        /// Whether the time of those who have not sat down runs meanwhile.
        at_once: bool,
    },
    /// Somebody has sat down: `sit 1`, and where the dice wait for numbers `sit 1 COMMITMENT`, 64 hexadecimal digits.
    Sit {
        /// Their seat.
        seat: u8,
        /// What they commit to; opaque here.
        commitment: Option<String>,
    },
    /// Somebody shows the number that they have committed to: `number 1 NUMBER`, 64 hexadecimal digits.
    Number {
        /// Their seat.
        seat: u8,
        /// The number; opaque here.
        number: String,
    },
    /// Somebody calls off a match that has not begun: `call-off 0`.
    CallOff {
        /// Their seat.
        seat: u8,
    },
    /// The match is put in the bin or taken out of it; in there no clock runs: `bin in`, `bin out`.
    Bin {
        /// Whether it is put in.
        goes_in: bool,
    },
    /// Somebody who may has ended the match: `verdict win,loss left and never came back`.
    Verdict {
        /// How each seat fared, as in a summary; empty where there is no result.
        standings: String,
        /// Why, in words.
        why: String,
    },
}

/// What a player asks the others for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// To end the match as a draw: `draw`.
    Draw,
    /// To end the match without a result: `break-off`.
    BreakOff,
    /// To stop the clocks until somebody resumes: `pause`.
    Pause,
    /// To undo what could not be undone alone: `undo 41`, or `undo 41 crossed`.
    Undo {
        /// The last step that still counts.
        to_step: u32,
        /// Whether something that had been revealed (a die, a card) would be undone.
        crossed: bool,
    },
}

/// What follows when a player's time has run out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnFlag {
    /// A bot plays on until they come back.
    StandIn(String),
    /// They lose.
    Loss,
    /// The others may claim the win, let a bot play on, or wait.
    Claim,
}

/// What somebody wants whose opponent has run out of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The win.
    Win,
    /// To wait: the player whose time ran out gets some more.
    Wait,
    /// That a bot plays on.
    StandIn(String),
}

/// Why a line is not an event, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEventError {
    /// The letter of the line at which it goes wrong, from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for TableEventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, expected, found } = self;
        match found.is_empty() {
            true => write!(f, "column {column}: expected {expected}, but the line ends there"),
            false => write!(f, "column {column}: expected {expected}, found {found:?}"),
        }
    }
}

impl std::error::Error for TableEventError {}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.write_str("draw"),
            Self::BreakOff => f.write_str("break-off"),
            Self::Pause => f.write_str("pause"),
            Self::Undo { to_step, crossed } => {
                write!(f, "undo {to_step}{}", if *crossed { " crossed" } else { "" })
            }
        }
    }
}

impl fmt::Display for OnFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StandIn(bot) => write!(f, "stand-in {bot}"),
            Self::Loss => f.write_str("loss"),
            Self::Claim => f.write_str("claim"),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.write_str("win"),
            Self::Wait => f.write_str("wait"),
            Self::StandIn(bot) => write!(f, "stand-in {bot}"),
        }
    }
}

impl fmt::Display for TableEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat { seat, player } => write!(f, "seat {seat} {player}"),
            Self::Clock { rules } => write!(f, "clock {}", one_line(rules)),
            Self::Offer { seat, to, of } => {
                write!(f, "offer {seat} to {} {of}", listed(to))
            }
            Self::Answer { seat, offer, yes } => {
                write!(f, "answer {seat} {offer} {}", if *yes { "yes" } else { "no" })
            }
            Self::Withdraw { seat, offer } => write!(f, "withdraw {seat} {offer}"),
            Self::Resume { seat } => write!(f, "resume {seat}"),
            Self::Resign { seat, bot: None } => write!(f, "resign {seat}"),
            Self::Resign { seat, bot: Some(bot) } => write!(f, "resign {seat} {bot}"),
            Self::Flag { seat, then } => write!(f, "flag {seat} {then}"),
            Self::Claim { seat, wish } => write!(f, "claim {seat} {wish}"),
            Self::Rest { seat, from, until } => write!(f, "rest {seat} {from} {until}"),
            Self::Expect { seats, dice, at_once } => {
                write!(f, "expect {}{}", listed(seats), if *dice { " dice" } else { "" })?;
                f.write_str(if *at_once { " at-once" } else { "" })
            }
            Self::Sit { seat, commitment: None } => write!(f, "sit {seat}"),
            Self::Sit { seat, commitment: Some(commitment) } => write!(f, "sit {seat} {commitment}"),
            Self::Number { seat, number } => write!(f, "number {seat} {number}"),
            Self::CallOff { seat } => write!(f, "call-off {seat}"),
            Self::Bin { goes_in } => write!(f, "bin {}", if *goes_in { "in" } else { "out" }),
            Self::Verdict { standings, why } => {
                let standings = if standings.is_empty() { "none" } else { standings };
                write!(f, "verdict {standings} {}", one_line(why))
            }
        }
    }
}

/// Seats with commas between.
fn listed(seats: &[u8]) -> String {
    seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Text from outside in one line, so that it can't look like another event in a save.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl FromStr for TableEvent {
    type Err = TableEventError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut words = Words::of(line);
        let event = match words.next() {
            "seat" => {
                let seat = words.seat()?;
                let word = words.next();
                // A word that is not known would count as a person: here it is a mistake.
                let player = Player::read(word);
                if word != player.to_string() {
                    return Err(words.wrong("who plays the seat, such as person, account:a17 or bot:captain"));
                }
                Self::Seat { seat, player }
            }
            "clock" => Self::Clock { rules: words.rest().to_owned() },
            "offer" => Self::Offer { seat: words.seat()?, to: words.to()?, of: words.offer()? },
            "answer" => Self::Answer { seat: words.seat()?, offer: words.entry()?, yes: words.yes()? },
            "withdraw" => Self::Withdraw { seat: words.seat()?, offer: words.entry()? },
            "resume" => Self::Resume { seat: words.seat()? },
            "resign" => {
                let seat = words.seat()?;
                let bot = words.next();
                Self::Resign { seat, bot: (!bot.is_empty()).then(|| bot.to_owned()) }
            }
            "flag" => Self::Flag { seat: words.seat()?, then: words.on_flag()? },
            "claim" => Self::Claim { seat: words.seat()?, wish: words.claim()? },
            "rest" => Self::Rest {
                seat: words.seat()?,
                from: words.number("a time")?,
                until: words.number("a time")?,
            },
            "verdict" => {
                let standings = words.something("how each seat fared, such as win,loss, or none")?;
                let standings = if standings == "none" { "" } else { standings }.to_owned();
                Self::Verdict { standings, why: words.rest().to_owned() }
            }
            "expect" => words.expected()?,
            "sit" => Self::Sit { seat: words.seat()?, commitment: words.hex_or_nothing()? },
            "number" => {
                let seat = words.seat()?;
                let number = words.hex_or_nothing()?.ok_or_else(|| words.wrong(HEX))?;
                Self::Number { seat, number }
            }
            "call-off" => Self::CallOff { seat: words.seat()? },
            "bin" => match words.next() {
                "in" => Self::Bin { goes_in: true },
                "out" => Self::Bin { goes_in: false },
                _ => return Err(words.wrong("in or out")),
            },
            _ => {
                return Err(words.wrong(
                    "seat, clock, offer, answer, withdraw, resume, resign, flag, claim, rest, expect, sit, number, \
                     call-off, bin or verdict",
                ));
            }
        };
        words.end()?;
        Ok(event)
    }
}

/// What commitments and numbers look like.
const HEX: &str = "64 hexadecimal digits, a to f in small letters";

/// The words of a line, one after the other.
struct Words<'a> {
    line: &'a str,
    /// What was not read yet.
    left: &'a str,
    /// The last word.
    word: &'a str,
    /// Where it begins, from 1.
    column: usize,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        Self { line, left: line, word: "", column: 1 }
    }

    /// The next word; empty at the end.
    fn next(&mut self) -> &'a str {
        self.column = self.line[..self.line.len() - self.left.len()].chars().count() + 1;
        (self.word, self.left) = self.left.split_once(' ').unwrap_or((self.left, ""));
        self.word
    }

    /// Everything that was not read yet.
    fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.left)
    }

    /// The error that the last word is not what it should be.
    fn wrong(&self, expected: &'static str) -> TableEventError {
        TableEventError { column: self.column, expected, found: self.word.to_owned() }
    }

    fn end(mut self) -> Result<(), TableEventError> {
        match self.next() {
            "" => Ok(()),
            _ => Err(self.wrong("the end of the line")),
        }
    }

    fn something(&mut self, expected: &'static str) -> Result<&'a str, TableEventError> {
        match self.next() {
            "" => Err(self.wrong(expected)),
            word => Ok(word),
        }
    }

    fn number<T: FromStr>(&mut self, expected: &'static str) -> Result<T, TableEventError> {
        self.next().parse().map_err(|_| self.wrong(expected))
    }

    fn seat(&mut self) -> Result<u8, TableEventError> {
        self.number("the number of a seat, from 0 to 255")
    }

    fn entry(&mut self) -> Result<u32, TableEventError> {
        self.number("the number of the entry with the offer")
    }

    fn yes(&mut self) -> Result<bool, TableEventError> {
        match self.next() {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.wrong("yes or no")),
        }
    }

    fn bot(&mut self) -> Result<String, TableEventError> {
        self.something("the word of a bot, such as captain").map(str::to_owned)
    }

    fn to(&mut self) -> Result<Vec<u8>, TableEventError> {
        if self.next() != "to" {
            return Err(self.wrong("to and the seats that have to agree"));
        }
        self.seats("the seats that have to agree, such as 1,2")
    }

    fn seats(&mut self, expected: &'static str) -> Result<Vec<u8>, TableEventError> {
        let seats = self.next().split(',').map(str::parse).collect::<Result<_, _>>();
        seats.map_err(|_| self.wrong(expected))
    }

    fn expected(&mut self) -> Result<TableEvent, TableEventError> {
        let seats = self.seats("the seats that are awaited, such as 0,1")?;
        let mut word = self.next();
        let dice = word == "dice";
        if dice {
            word = self.next();
        }
        let at_once = match word {
            "" => false,
            "at-once" => true,
            _ => return Err(self.wrong("dice, at-once or the end of the line")),
        };
        Ok(TableEvent::Expect { seats, dice, at_once })
    }

    fn hex_or_nothing(&mut self) -> Result<Option<String>, TableEventError> {
        let word = self.next();
        let is_hex = word.len() == 64 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match (word, is_hex) {
            ("", _) => Ok(None),
            (_, true) => Ok(Some(word.to_owned())),
            (_, false) => Err(self.wrong(HEX)),
        }
    }

    fn offer(&mut self) -> Result<Offer, TableEventError> {
        match self.next() {
            "draw" => Ok(Offer::Draw),
            "break-off" => Ok(Offer::BreakOff),
            "pause" => Ok(Offer::Pause),
            "undo" => {
                let to_step = self.number("the last step that still counts")?;
                match self.next() {
                    "" => Ok(Offer::Undo { to_step, crossed: false }),
                    "crossed" => Ok(Offer::Undo { to_step, crossed: true }),
                    _ => Err(self.wrong("crossed or the end of the line")),
                }
            }
            _ => Err(self.wrong("draw, break-off, pause or undo")),
        }
    }

    fn on_flag(&mut self) -> Result<OnFlag, TableEventError> {
        match self.next() {
            "loss" => Ok(OnFlag::Loss),
            "claim" => Ok(OnFlag::Claim),
            "stand-in" => self.bot().map(OnFlag::StandIn),
            _ => Err(self.wrong("loss, claim or stand-in")),
        }
    }

    fn claim(&mut self) -> Result<Claim, TableEventError> {
        match self.next() {
            "win" => Ok(Claim::Win),
            "wait" => Ok(Claim::Wait),
            "stand-in" => self.bot().map(Claim::StandIn),
            _ => Err(self.wrong("win, wait or stand-in")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[&str] = &[
        "seat 0 owner",
        "seat 255 account:a17+bot:search:4000",
        "clock daily flag=stand-in:captain off=sat,sun zone=Europe/Berlin",
        "clock ",
        "offer 0 to 1 draw",
        "offer 2 to 0,1 break-off",
        "offer 1 to 0 pause",
        "offer 1 to 0 undo 41",
        "offer 1 to 0 undo 0 crossed",
        "answer 1 17 yes",
        "answer 1 4294967295 no",
        "withdraw 0 17",
        "resume 1",
        "resign 1",
        "resign 1 captain",
        "flag 1 loss",
        "flag 1 claim",
        "flag 1 stand-in captain",
        "claim 0 win",
        "claim 0 wait",
        "claim 0 stand-in captain",
        "rest 1 1790000000000 1790086400000",
        "expect 0,1",
        "expect 0,1,2 dice",
        "expect 1 at-once",
        "expect 0,1 dice at-once",
        "sit 1",
        "sit 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "number 0 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "call-off 0",
        "bin in",
        "bin out",
        "verdict win,loss left and never came back",
        "verdict none by the house",
    ];

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in LINES {
            let event: TableEvent = line.parse().unwrap_or_else(|why| panic!("{line}: {why}"));
            assert_eq!(event.to_string(), *line);
        }
    }

    #[test]
    fn a_mistake_is_pointed_at() {
        for (line, told) in [
            ("", "column 1: expected seat, clock, offer"),
            ("seet 1 owner", "column 1: expected seat, clock, offer"),
            ("seat 256 owner", "column 6: expected the number of a seat, from 0 to 255, found \"256\""),
            ("seat 1 account:17", "column 8: expected who plays the seat"),
            (
                "seat 1",
                "column 7: expected who plays the seat, such as person, account:a17 or bot:captain, but the line ends",
            ),
            (
                "offer 1 to 0 undo",
                "column 18: expected the last step that still counts, but the line ends there",
            ),
            (
                "offer 1 to 0 undo 7 crosed",
                "column 21: expected crossed or the end of the line, found \"crosed\"",
            ),
            ("offer 1 draw", "column 9: expected to and the seats"),
            ("offer 1 to 0,x draw", "column 12: expected the seats that have to agree"),
            ("offer 1 to 0 peace", "column 14: expected draw, break-off, pause or undo"),
            ("answer 1 17 maybe", "column 13: expected yes or no, found \"maybe\""),
            ("resign 1 captain ä", "column 18: expected the end of the line"),
            ("flag 1 stand-in", "column 16: expected the word of a bot"),
            ("claim 0 draw", "column 9: expected win, wait or stand-in"),
            ("rest 1 5 x", "column 10: expected a time"),
            ("verdict", "column 8: expected how each seat fared"),
            ("expect 0,x", "column 8: expected the seats that are awaited"),
            ("expect 0 cards", "column 10: expected dice, at-once or the end"),
            ("expect 0 dice now", "column 15: expected dice, at-once or the end"),
            ("expect 0 at-once x", "column 18: expected the end of the line"),
            ("sit 1 0123", "column 7: expected 64 hexadecimal digits"),
            ("number 1", "column 9: expected 64 hexadecimal digits"),
            ("bin", "column 4: expected in or out"),
        ] {
            let why = line.parse::<TableEvent>().expect_err(line).to_string();
            assert!(why.starts_with(told), "{line}: {why}");
        }
    }

    #[test]
    fn words_of_others_make_no_second_line() {
        let event = TableEvent::Verdict { standings: String::new(), why: "one\n# ended: two\r\n".into() };
        assert_eq!(event.to_string(), "verdict none one # ended: two");
    }
}
