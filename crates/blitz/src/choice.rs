//! The choices of the game and their names. Rule 14.

use crate::layout::Layout;
use crate::stratagem::Stratagem;
use crate::units::Kind;

/// One decision of a side or of Fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// A unit of the reserve on a space.
    Place {
        /// The token.
        kind: Kind,
        /// The space's number.
        space: u8,
    },
    /// No further unit after a blitz.
    Stop,
    /// No unit can be placed: the game is lost.
    Stuck,
    /// The theatre of a strategic advantage.
    Strategic(u8),
    /// A unit of the bot's row is bombed, by its kind: the leftmost one. As in rules 1.
    Bomb(Kind),
    /// A unit of the bot's row is bombed, by its place from the left, from 0. Rule 8.7.
    BombAt(u8),
    /// A city opens.
    Open(u8),
    /// The theatre for the bot after a 6.
    Theatre(u8),
    /// Fate: a die.
    Die(u8),
    /// Fate: a token from the bag.
    Draw(Kind),
    /// Fate: a special weapon from the pile.
    Research(Kind),
    /// Fate: the token that a bombing sends back.
    Hit(Kind),
    /// Fate: the bot's stratagem.
    Stratagem(Stratagem),
    /// Fate: a city in which the bot begins ahead.
    City(u8),
}

impl Choice {
    /// Writes its name.
    pub fn write(self, layout: &Layout, out: &mut String) {
        let theatre = |at: u8| layout.theatres[usize::from(at)].id.as_str();
        let mut say = |verb: &str, what: &str| {
            out.push_str(verb);
            out.push(' ');
            out.push_str(what);
        };
        match self {
            Self::Place { kind, space } => {
                say("place", kind.word());
                out.push(' ');
                out.push_str(&layout.spaces[usize::from(space)].name);
            }
            Self::Stop => out.push_str("stop"),
            Self::Stuck => out.push_str("stuck"),
            Self::Strategic(at) => say("strategic", theatre(at)),
            Self::Bomb(kind) => say("bomb", kind.word()),
            Self::BombAt(place) => say("bomb", &(u32::from(place) + 1).to_string()),
            Self::Open(at) => say("open", theatre(at)),
            Self::Theatre(at) => say("theatre", theatre(at)),
            Self::Die(face) => {
                out.push_str("die ");
                out.push(char::from(b'0' + face));
            }
            Self::Draw(kind) => say("draw", kind.word()),
            Self::Research(kind) => say("research", kind.word()),
            Self::Hit(kind) => say("hit", kind.word()),
            Self::Stratagem(stratagem) => say("stratagem", stratagem.word()),
            Self::City(at) => say("city", theatre(at)),
        }
    }

    /// Reads a name.
    pub fn parse(layout: &Layout, name: &str) -> Option<Self> {
        let mut words = name.split_whitespace();
        let verb = words.next()?.to_ascii_lowercase();
        let (what, more) = (words.next(), words.next());
        if words.next().is_some() || (more.is_some() && verb != "place") {
            return None;
        }
        let kind = || Kind::parse(what?);
        let theatre = || layout.theatre(what?);
        match verb.as_str() {
            "place" => Some(Self::Place { kind: kind()?, space: layout.space(more?)? }),
            "stop" if what.is_none() => Some(Self::Stop),
            "stuck" if what.is_none() => Some(Self::Stuck),
            "strategic" => theatre().map(Self::Strategic),
            "bomb" => match what?.parse::<u8>() {
                Ok(place) => place.checked_sub(1).map(Self::BombAt),
                Err(_) => kind().map(Self::Bomb),
            },
            "open" => theatre().map(Self::Open),
            "theatre" => theatre().map(Self::Theatre),
            "die" => what?.parse().ok().filter(|face| (1..=6).contains(face)).map(Self::Die),
            "draw" => kind().map(Self::Draw),
            "research" => kind().map(Self::Research),
            "hit" => kind().map(Self::Hit),
            "stratagem" => Stratagem::parse(what?).map(Self::Stratagem),
            "city" => theatre().map(Self::City),
            _ => None,
        }
    }
}
