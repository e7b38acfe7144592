//! Who sits where: what the maker of a match wishes for, and what is said of those who sit there.

use diagnostics::shown;
use kernel::SeatInfo;
use store::Player;

use crate::title::Title;

/// A game has no more seats than this.
pub const MOST_SEATS: usize = 8;

/// The players of a new match, from a wish for each seat by its number: `me`, `friend` or `bot:WORD`.
///
/// Where nothing is wished the first seat is the maker's, if they have no other, and the rest wait for friends. A lone
/// seat is always the maker's: there would be nothing for them to do. Wishes for seats that there are not do no harm: a
/// form may have more fields than a set-up has seats.
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
        return Err("nobody can sit in two seats: at most one of them can be \"me\"".to_owned());
    }
    Ok(players)
}

fn unknown(title: &dyn Title, wish: &str) -> String {
    let bots: Vec<String> = title.bots().iter().map(|bot| format!("bot:{}", bot.word)).collect();
    format!("{:?} can't sit there; who can: me, friend, {}", shown(wish), bots.join(", "))
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
    fn a_wrong_wish_is_told_what_is_right() {
        for (wishes, parts) in [
            (&["me", "frend"], &["Blue: \"frend\"", "me, friend, bot:recruit", "bot:greedy"][..]),
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
