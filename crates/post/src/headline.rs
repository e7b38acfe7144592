//! What is public about the thing that a notice is about.

use store::MatchRecord;

/// The most letters of a name that are shown.
const LONGEST_NAME: usize = 60;

/// What any spectator knows of a match: its name, its game, and until when a seat has time. There is no field for anything else,
/// and it is made of the parts of a record that are public, so a notice can't tell what a game hides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Headline {
    pub(crate) name: String,
    pub(crate) game: &'static str,
    pub(crate) path: String,
    pub(crate) until: Option<u64>,
    pub(crate) by: Option<String>,
}

impl Headline {
    /// Of a match; `game` is the title of its game. It leads to the seat that whoever is told keeps there.
    pub fn of_match(record: &MatchRecord, game: &'static str) -> Headline {
        Headline {
            name: tidy(&record.name),
            game,
            path: format!("/m/{}/mine", record.id),
            until: None,
            by: None,
        }
    }

    /// Of a tournament.
    pub fn of_tournament(id: &str, name: &str, game: &'static str) -> Headline {
        Headline { name: tidy(name), game, path: format!("/tournaments/{id}"), until: None, by: None }
    }

    /// Of a table that gathers.
    pub fn of_table(id: &str, name: &str, game: &'static str) -> Headline {
        Headline { name: tidy(name), game, path: format!("/tables/{id}"), until: None, by: None }
    }

    /// The same, with the time at which the seat's clock (or an offer) runs out.
    pub fn until(self, deadline: u64) -> Headline {
        Headline { until: Some(deadline), ..self }
    }

    /// The same, with the name of the account that invites.
    pub fn by(self, name: &str) -> Headline {
        Headline { by: Some(tidy(name)), ..self }
    }
}

/// A name on one line and not too long: people choose names, and a line break in one would be a line of its own in a mail.
fn tidy(name: &str) -> String {
    let plain = |letter: char| {
        if letter.is_control() || letter == '\u{2028}' || letter == '\u{2029}' { ' ' } else { letter }
    };
    let mut short: String = name.chars().take(LONGEST_NAME).map(plain).collect();
    if name.chars().nth(LONGEST_NAME).is_some() {
        short.push('…');
    }
    short.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{SeatRecord, Summary};

    /// Two matches that differ in everything but what is public have the same headline.
    #[test]
    fn nothing_hidden_comes_in() {
        let one = MatchRecord { id: "m".into(), name: "War".into(), ..MatchRecord::default() };
        let other = MatchRecord {
            header: "secret 1".into(),
            options: "{}".into(),
            viewer_token: "token".into(),
            revision: 7,
            summary: Summary { last_event: "drew the ace".into(), turn: "4".into(), ..Summary::default() },
            seats: vec![SeatRecord { token: "token".into(), ..SeatRecord::default() }],
            ..one.clone()
        };
        assert_eq!(Headline::of_match(&one, "Echoes"), Headline::of_match(&other, "Echoes"));
    }

    #[test]
    fn names_are_one_short_line() {
        assert_eq!(tidy("War\r\nBcc: all\u{2028}x\t"), "War  Bcc: all x");
        assert_eq!(tidy(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
        assert_eq!(tidy(&"é".repeat(60)), "é".repeat(60));
    }
}
