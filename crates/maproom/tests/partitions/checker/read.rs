//! The history, line by line.

use std::str::FromStr;

/// What became of a request that was sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It is the entry with this number.
    Made(u64),
    /// It was not made.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub revision: u64,
    pub steps: usize,
    pub digest: String,
}

/// What happened in one match.
#[derive(Debug)]
pub enum Event {
    /// A request was sent.
    Choice { key: String, before: u64, server: String, began: u64, ended: u64, outcome: Outcome },
    /// A position was shown, with the names of the last steps that led to it.
    Page { server: String, began: u64, ended: u64, position: Position, names: Vec<String> },
    /// An open page was told of a revision.
    Told { reader: String, at: u64, revision: u64 },
    /// What a server shows in the end.
    End { server: String, position: Position },
}

/// The match of each event, and the event, in the order of the text.
pub fn history(text: &str) -> Result<Vec<(String, Event)>, String> {
    let odd = |line: &str| format!("a line of the history can't be read: {line}");
    text.lines().map(|line| event(line).ok_or_else(|| odd(line))).collect()
}

fn event(line: &str) -> Option<(String, Event)> {
    let mut words = Words(line.split('\t'));
    let (kind, id) = (words.text()?, words.text()?);
    let event = match kind.as_str() {
        "choice" => Event::Choice {
            key: words.text()?,
            before: words.number()?,
            server: words.text()?,
            began: words.number()?,
            ended: words.number()?,
            outcome: outcome(&words.text()?)?,
        },
        "page" => {
            let _reader = words.text()?;
            Event::Page {
                server: words.text()?,
                began: words.number()?,
                ended: words.number()?,
                position: words.position()?,
                names: words.text()?.split(',').map(ToOwned::to_owned).collect(),
            }
        }
        "told" => {
            let reader = words.text()?;
            let _server = words.text()?;
            Event::Told { reader, at: words.number()?, revision: words.number()? }
        }
        "end" => Event::End { server: words.text()?, position: words.position()? },
        _ => return None,
    };
    words.0.next().is_none().then_some((id, event))
}

fn outcome(text: &str) -> Option<Outcome> {
    let (word, rest) = text.split_once(' ')?;
    match word {
        "made" => rest.parse().ok().map(Outcome::Made),
        "refused" => Some(Outcome::Refused),
        "unknown" => Some(Outcome::Unknown),
        _ => None,
    }
}

struct Words<'l>(std::str::Split<'l, char>);

impl Words<'_> {
    fn text(&mut self) -> Option<String> {
        self.0.next().map(ToOwned::to_owned)
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.0.next()?.parse().ok()
    }

    fn position(&mut self) -> Option<Position> {
        Some(Position { revision: self.number()?, steps: self.number()?, digest: self.text()? })
    }
}
