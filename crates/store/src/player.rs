//! Who plays a seat.

use std::fmt;

use crate::{AccountId, SeatRecord};

/// Who plays a seat. In a database it is one word.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Player {
    /// The match's creator: `owner`.
    Owner,
    /// Anyone with the link of the seat: `person`.
    #[default]
    Person,
    /// A bot, by the game's word for it: `bot:greedy`.
    Bot(String),
    /// A bot that plays for somebody who is away: `owner+bot:captain`, `person+bot:captain`.
    StandIn {
        /// The game's word for the bot.
        bot: String,
        /// Whether the seat is the creator's.
        for_owner: bool,
    },
    /// The holder of an account, who needs no link: `account:a17`, and `account:a17+bot:captain` while a bot plays for them.
    Account {
        /// Whose seat it is.
        id: AccountId,
        /// The game's word for the bot that plays for them, if one does.
        bot: Option<String>,
    },
}

/// What the word of an account's seat begins with.
const ACCOUNT: &str = "account:";

/// Separates the seat's person and the bot that plays for them.
const STANDS_IN: &str = "+bot:";

impl Player {
    /// Parses the word. An unknown word counts as a person, so that no bot moves for them.
    pub fn read(word: &str) -> Self {
        if let Some(bot) = word.strip_prefix("bot:") {
            return Self::Bot(bot.to_owned());
        }
        if let Some(account) = word.strip_prefix(ACCOUNT) {
            let (id, bot) = match account.split_once(STANDS_IN) {
                Some((id, bot)) => (id, Some(bot.to_owned())),
                None => (account, None),
            };
            return id.parse().map_or(Self::Person, |id| Self::Account { id, bot });
        }
        match word.split_once(STANDS_IN) {
            Some((of @ ("owner" | "person"), bot)) => {
                Self::StandIn { bot: bot.to_owned(), for_owner: of == "owner" }
            }
            None if word == "owner" => Self::Owner,
            _ => Self::Person,
        }
    }

    /// The bot's name, if a bot plays.
    pub fn bot(&self) -> Option<&str> {
        match self {
            Self::Bot(word) | Self::StandIn { bot: word, .. } => Some(word),
            Self::Account { bot, .. } => bot.as_deref(),
            Self::Owner | Self::Person => None,
        }
    }

    /// The account whose seat it is, even if a bot plays for its holder.
    pub fn account(&self) -> Option<AccountId> {
        if let Self::Account { id, .. } = self { Some(*id) } else { None }
    }

    /// The words of all seats of an account are those from the first of these texts up to, but without, the second: so an
    /// index over the words finds them.
    pub fn words_of(account: AccountId) -> (String, String) {
        // The comma comes right after the plus sign, and before all digits.
        (format!("{ACCOUNT}{account}"), format!("{ACCOUNT}{account},"))
    }

    /// Whether a person plays there now.
    pub fn is_human(&self) -> bool {
        self.bot().is_none()
    }

    /// Whether the seat belongs to a person, even if a bot plays for them.
    pub fn is_a_persons(&self) -> bool {
        !matches!(self, Self::Bot(_))
    }

    /// Whether the seat is the creator's.
    pub fn is_the_owners(&self) -> bool {
        matches!(self, Self::Owner | Self::StandIn { for_owner: true, .. })
    }

    /// The same seat, kept by an account; `None` if it is not the seat of somebody with a link.
    #[must_use]
    pub fn kept_by(&self, account: AccountId) -> Option<Self> {
        match self {
            Self::Person => Some(Self::Account { id: account, bot: None }),
            Self::StandIn { bot, for_owner: false } => {
                Some(Self::Account { id: account, bot: Some(bot.clone()) })
            }
            _ => None,
        }
    }

    /// The same seat, played on by a bot; a bot's own seat just gets another bot.
    #[must_use]
    pub fn handed_to(&self, bot: &str) -> Self {
        let bot = bot.to_owned();
        if let Self::Account { id, .. } = self {
            Self::Account { id: *id, bot: Some(bot) }
        } else if self.is_a_persons() {
            Self::StandIn { bot, for_owner: self.is_the_owners() }
        } else {
            Self::Bot(bot)
        }
    }

    /// The same seat, played by whose it is.
    #[must_use]
    pub fn taken_back(&self) -> Self {
        match self {
            Self::StandIn { for_owner: true, .. } => Self::Owner,
            Self::StandIn { for_owner: false, .. } => Self::Person,
            Self::Account { id, .. } => Self::Account { id: *id, bot: None },
            other => other.clone(),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner => f.write_str("owner"),
            Self::Person => f.write_str("person"),
            Self::Bot(word) => write!(f, "bot:{word}"),
            Self::StandIn { bot, for_owner } => {
                write!(f, "{}{STANDS_IN}{bot}", if *for_owner { "owner" } else { "person" })
            }
            Self::Account { id, bot: None } => write!(f, "{ACCOUNT}{id}"),
            Self::Account { id, bot: Some(bot) } => write!(f, "{ACCOUNT}{id}{STANDS_IN}{bot}"),
        }
    }
}

/// The creator's seat; `None` if they only watch.
///
/// Matches made before there were owners have a `person` in every seat, and only games for one could be played then:
/// so a lone seat is the owner's whatever it says.
pub fn owner_seat(seats: &[SeatRecord]) -> Option<&SeatRecord> {
    match seats {
        [lone] if lone.player.is_a_persons() && lone.player.account().is_none() => Some(lone),
        _ => seats.iter().find(|seat| seat.player.is_the_owners()),
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
        for word in [
            "owner",
            "person",
            "bot:greedy",
            "bot:",
            "owner+bot:captain",
            "person+bot:search:4000",
            "account:a17",
            "account:a17+bot:search:4000",
        ] {
            assert_eq!(Player::read(word).to_string(), word);
        }
        for word in [
            "somebody else",
            "nobody+bot:captain",
            "+bot:",
            "account:",
            "account:17",
            "account:a017",
            "account:x+bot:captain",
        ] {
            assert_eq!(Player::read(word), Player::Person, "{word}");
        }
        assert_eq!(Player::read("bot:greedy").bot(), Some("greedy"));
    }

    #[test]
    fn the_owner_is_found_wherever_they_sit() {
        let owner = |words: &[&str]| owner_seat(&seats(words)).map(|seat| seat.seat);
        assert_eq!(owner(&["owner", "person"]), Some(0));
        assert_eq!(owner(&["bot:greedy", "owner"]), Some(1));
        assert_eq!(owner(&["bot:greedy", "bot:random"]), None);
        assert_eq!(owner(&["person", "person"]), None, "two friends: the owner looks on");
        assert_eq!(owner(&["person+bot:captain", "owner+bot:captain"]), Some(1), "a bot plays on for them");
        assert_eq!(owner(&["person+bot:captain"]), Some(0));
        assert_eq!(owner(&["person"]), Some(0), "a match from before there were owners");
        assert_eq!(owner(&[]), None);
    }

    #[test]
    fn the_seats_of_an_account_stand_together() {
        let (from, to) = Player::words_of(AccountId(17));
        let is_between = |word: &str| from.as_str() <= word && word < to.as_str();
        for word in ["account:a17", "account:a17+bot:captain", "account:a17+bot:"] {
            assert!(is_between(word) && Player::read(word).account() == Some(AccountId(17)), "{word}");
        }
        for word in ["account:a1", "account:a16", "account:a170", "account:a18", "account:a1+bot:x", "person"]
        {
            assert!(!is_between(word), "{word}");
        }
    }

    #[test]
    fn a_seat_that_was_handed_over_can_be_taken_back() {
        for word in ["owner", "person", "account:a17"] {
            let handed = Player::read(word).handed_to("captain");
            assert_eq!(
                (handed.bot(), handed.is_human(), handed.is_a_persons()),
                (Some("captain"), false, true)
            );
            let other = handed.handed_to("general");
            assert_eq!((other.bot(), other.taken_back().to_string().as_str()), (Some("general"), word));
        }
        let bot = Player::read("bot:greedy");
        assert_eq!(bot.handed_to("captain").taken_back(), Player::Bot("captain".to_owned()));
    }
}
