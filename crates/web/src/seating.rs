//! Who plays which seat: from the new-game form to players.

use bots::SeatedBot;
use diagnostics::{nearest, shown};
use kernel::SeatInfo;
use store::Player;

use crate::title::Title;

/// The most seats a game may have.
pub const MOST_SEATS: usize = 8;

/// The players of a new match, from one entry per seat: `me`, `friend` or `bot:NAME`.
///
/// Without entries the first seat is the creator's, if they have no other, and the rest wait for friends. In a game for one
/// the seat is always the creator's. Entries for seats that do not exist are ignored: a form may have more fields than a
/// set-up has seats.
pub fn players(title: &dyn Title, seats: &[SeatInfo], wishes: &[String]) -> Result<Vec<Player>, String> {
    if seats.len() == 1 {
        return Ok(vec![Player::Owner]);
    }
    let wish = |at: usize| wishes.get(at).map_or("", String::as_str);
    let has_seat = (0..seats.len()).any(|at| wish(at) == "me");
    let player = |(at, seat): (usize, &SeatInfo)| match wish(at) {
        "me" => Ok(Player::Owner),
        "" if at == 0 && !has_seat => Ok(Player::Owner),
        "" | "friend" => Ok(Player::Person),
        other => match other.strip_prefix("bot:") {
            Some(bot) => {
                let fail = |why: String| format!("{}: {why}", seat.title);
                let seated_bot = title.sit(bot).map_err(fail)?;
                seated_bot.check_seats(seats.len()).map_err(|why| fail(format!("{bot}: {why}")))?;
                Ok(Player::Bot(bot.to_owned()))
            }
            None => Err(format!("{}: {}", seat.title, unknown(title, other))),
        },
    };
    let players: Vec<Player> = seats.iter().enumerate().map(player).collect::<Result<_, String>>()?;
    if players.iter().filter(|player| **player == Player::Owner).count() > 1 {
        return Err("You can't play two seats: choose \"me\" for at most one.".to_owned());
    }
    Ok(players)
}

/// A bot that somebody may let play a seat: only those that the table offers. Others, such as a search with a budget of one's
/// own, are for the owner, who starts matches.
pub fn sit_offered(title: &dyn Title, bot: &str, seats: usize) -> Result<Box<dyn SeatedBot>, String> {
    let offered = title.bots();
    if !offered.iter().any(|offer| offer.word == bot) {
        let words: Vec<&str> = offered.iter().map(|offer| offer.word.as_str()).collect();
        let meant = nearest(bot, words.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        return Err(format!("{:?} does not play here{hint}; the bots are {}", shown(bot), words.join(", ")));
    }
    let seated_bot = title.sit(bot)?;
    seated_bot.check_seats(seats).map_err(|why| why.to_string())?;
    Ok(seated_bot)
}

fn unknown(title: &dyn Title, wish: &str) -> String {
    let bots: Vec<String> = title.bots().iter().map(|bot| format!("bot:{}", bot.word)).collect();
    format!("unknown player {:?}; possible are me, friend, {}", shown(wish), bots.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::title::Of;

    const TWO: [SeatInfo; 2] =
        [SeatInfo { word: "red", title: "Red" }, SeatInfo { word: "blue", title: "Blue" }];

    fn seated(seats: &[SeatInfo], wishes: &[&str]) -> Result<String, String> {
        let wishes: Vec<String> = wishes.iter().map(|wish| (*wish).to_owned()).collect();
        let players = players(&Of::<crate::PlainBoard<echoes::Echoes>>::new(), seats, &wishes)?;
        Ok(players.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn wishes_become_players() {
        for (wishes, players) in [
            (&[][..], "owner person"),
            (&["", "me"], "person owner"),
            (&["me", "bot:greedy"], "owner bot:greedy"),
            (&["bot:random"], "bot:random person"),
            (&["bot:random", "bot:greedy"], "bot:random bot:greedy"),
            (&["friend", "friend"], "person person"),
            (&["me", "friend", "nonsense"], "owner person"),
        ] {
            assert_eq!(seated(&TWO, wishes).as_deref(), Ok(players), "{wishes:?}");
        }
    }

    #[test]
    fn a_lone_seat_is_the_makers() {
        for wish in ["", "me", "friend", "bot:greedy", "nonsense"] {
            assert_eq!(seated(&TWO[..1], &[wish, "bot:greedy"]).as_deref(), Ok("owner"), "{wish}");
        }
    }

    #[test]
    fn only_bots_that_are_offered_take_over_a_seat() {
        let title = Of::<crate::PlainBoard<echoes::Echoes>>::new();
        for bot in title.bots() {
            assert!(sit_offered(&title, &bot.word, 1).is_ok(), "{}", bot.word);
        }
        for bot in ["search:4294967294", "search:4000", "search:999999s", "gredy", ""] {
            let why = sit_offered(&title, bot, 1).map(|_| ()).expect_err(bot);
            assert!(why.contains("does not play here") && why.contains("greedy, "), "{why}");
        }
        let why = sit_offered(&title, "general", 4).map(|_| ()).expect_err("too many seats");
        assert!(why.contains("up to 3 seats"), "{why}");
    }

    #[test]
    fn a_wrong_wish_is_told_what_is_right() {
        for (wishes, parts) in [
            (
                &["me", "frend"],
                &["Blue: unknown player \"frend\"", "me, friend, bot:recruit", "bot:greedy"][..],
            ),
            (&["bot:gredy", "me"], &["Red: unknown bot", "did you mean greedy", "random"]),
            (&["me", "me"], &["two seats"]),
        ] {
            let why = seated(&TWO, wishes).expect_err("it must be refused");
            assert!(parts.iter().all(|part| why.contains(part)), "{why}");
        }
        let four = [TWO, TWO].concat();
        let why = seated(&four, &["me", "bot:general"]).expect_err("too many seats for search");
        assert!(why.contains("Blue: general: search plays games of up to 3 seats"), "{why}");
        assert_eq!(seated(&four, &["me", "bot:greedy"]).as_deref(), Ok("owner bot:greedy person person"));
    }
}
