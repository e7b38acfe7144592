//! Who plays a seat.

use std::fmt;

use crate::SeatRecord;

/// Who plays a seat. In a database it is one word.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Player {
    /// The one who made the match: `owner`.
    Owner,
    /// Whoever has the link of the seat: `person`.
    #[default]
    Person,
    /// A bot, by the game's word for it: `bot:greedy`.
    Bot(String),
}

impl Player {
    /// Reads the word. What is no known word is a person: they have a link, and nobody moves for them.
    pub fn read(word: &str) -> Self {
        match word.strip_prefix("bot:") {
            Some(bot) => Self::Bot(bot.to_owned()),
            None if word == "owner" => Self::Owner,
            None => Self::Person,
        }
    }

    /// The word of the bot, where it is one.
    pub fn bot(&self) -> Option<&str> {
        match self {
            Self::Bot(word) => Some(word),
            Self::Owner | Self::Person => None,
        }
    }

    /// Whether somebody sits there who can look and click.
    pub fn is_human(&self) -> bool {
        self.bot().is_none()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner => f.write_str("owner"),
            Self::Person => f.write_str("person"),
            Self::Bot(word) => write!(f, "bot:{word}"),
        }
    }
}

/// The seat of the one who made the match; `None` where they only look on.
///
/// Matches made before there were owners have a `person` in every seat, and only games for one could be played then:
/// so a lone seat is the owner's whatever it says.
pub fn owner_seat(seats: &[SeatRecord]) -> Option<&SeatRecord> {
    match seats {
        [lone] if lone.player.is_human() => Some(lone),
        _ => seats.iter().find(|seat| seat.player == Player::Owner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(words: &[&str]) -> Vec<SeatRecord> {
        let seat = |(at, word): (usize, &&str)| SeatRecord {
            seat: at as u8,
            player: Player::read(word),
            ..SeatRecord::default()
        };
        words.iter().enumerate().map(seat).collect()
    }

    #[test]
    fn words_are_written_as_they_are_read() {
        for word in ["owner", "person", "bot:greedy", "bot:"] {
            assert_eq!(Player::read(word).to_string(), word);
        }
        assert_eq!(Player::read("somebody else"), Player::Person);
        assert_eq!(Player::read("bot:greedy").bot(), Some("greedy"));
    }

    #[test]
    fn the_owner_is_found_wherever_they_sit() {
        let owner = |words: &[&str]| owner_seat(&seats(words)).map(|seat| seat.seat);
        assert_eq!(owner(&["owner", "person"]), Some(0));
        assert_eq!(owner(&["bot:greedy", "owner"]), Some(1));
        assert_eq!(owner(&["bot:greedy", "bot:random"]), None);
        assert_eq!(owner(&["person", "person"]), None, "two friends: the owner looks on");
        assert_eq!(owner(&["person"]), Some(0), "a match from before there were owners");
        assert_eq!(owner(&[]), None);
    }
}
