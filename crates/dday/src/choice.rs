//! The choices of the game and their names. Rule 6.

use terrain::{Cell, Octant};

use crate::scenario::Scenario;
use crate::state::{Job, NOBODY, Task};

/// A support by fire. Rule 12.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gun {
    /// Artillery on the map.
    Battalion(u8),
    /// Off-map artillery.
    Corps,
    /// Aircraft.
    Air,
}

/// One decision of a side or of Fate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Choice {
    /// Initiative: to be player A.
    First,
    /// Initiative: to be player B.
    Second,
    Rally {
        hq: u8,
        unit: u8,
    },
    /// Random rally: the battalion that comes back.
    Pick(u8),
    /// The zone of a rallied battalion or a recovered HQ.
    Put(Cell),
    /// A reinforcement enters.
    Place {
        unit: u8,
        zone: Cell,
    },
    Activate(u8),
    /// All of a battalion's formation in its zone who can assault are activated and stay. Ruling R61.
    MakeReady(u8),
    With(u8),
    WithAll,
    Roll,
    Step(Cell),
    Road(Cell),
    Halt,
    Face(Octant),
    Turn(Cell),
    Stand,
    Retreat {
        unit: u8,
        zone: Cell,
    },
    Hold,
    Break(u8),
    Blow,
    Spare,
    Work(Job),
    Strike(u8),
    /// Ranged combat by a gun, or [`NOBODY`] for off-map artillery.
    Shell(u8),
    At(u8),
    Fire(Gun),
    Assault {
        from: Cell,
        to: Cell,
    },
    Lead(u8),
    Join(u8),
    Attack,
    Defend(u8),
    Ready,
    Advance(u8),
    Decline,
    /// A night move.
    Move(u8),
    Raid {
        from: Cell,
        to: Cell,
    },
    Keep,
    Reroll,
    End,
    /// Fate: a ten-sided die.
    Die(u8),
}

impl Choice {
    /// Writes its name.
    pub fn write(self, scenario: &Scenario, out: &mut String) {
        let grid = scenario.grid;
        let unit = |out: &mut String, verb: &str, unit: u8| {
            out.push_str(verb);
            out.push(' ');
            out.push_str(scenario.papers.get(usize::from(unit)).map_or("corps", |paper| &paper.id));
        };
        let zone = |out: &mut String, verb: &str, zone: Cell| {
            if !verb.is_empty() {
                out.push_str(verb);
            }
            out.push(' ');
            grid.write_name(zone, out);
        };
        match self {
            Self::First => out.push_str("first"),
            Self::Second => out.push_str("second"),
            Self::Rally { hq, unit: who } => {
                unit(out, "rally", hq);
                unit(out, "", who);
            }
            Self::Pick(who) => unit(out, "pick", who),
            Self::Put(at) => zone(out, "put", at),
            Self::Place { unit: who, zone: at } => {
                unit(out, "place", who);
                zone(out, "", at);
            }
            Self::Activate(who) => unit(out, "activate", who),
            Self::MakeReady(who) => unit(out, "ready", who),
            Self::With(who) => unit(out, "with", who),
            Self::WithAll => out.push_str("with all"),
            Self::Roll => out.push_str("roll"),
            Self::Step(at) => zone(out, "step", at),
            Self::Road(at) => zone(out, "road", at),
            Self::Halt => out.push_str("halt"),
            Self::Face(way) => {
                out.push_str("face ");
                out.push_str(way.name());
            }
            Self::Turn(at) => zone(out, "turn", at),
            Self::Stand => out.push_str("stand"),
            Self::Retreat { unit: who, zone: at } => {
                unit(out, "retreat", who);
                zone(out, "", at);
            }
            Self::Hold => out.push_str("hold"),
            Self::Break(who) => unit(out, "break", who),
            Self::Blow => out.push_str("blow"),
            Self::Spare => out.push_str("spare"),
            Self::Work(job) => {
                unit(out, "work", job.unit);
                out.push(' ');
                out.push_str(job.task.word());
                zone(out, "", job.zone);
            }
            Self::Strike(who) => unit(out, "strike", who),
            Self::Shell(who) => unit(out, "shell", who),
            Self::At(who) => unit(out, "at", who),
            Self::Fire(Gun::Battalion(who)) => unit(out, "fire", who),
            Self::Fire(Gun::Corps) => out.push_str("fire corps"),
            Self::Fire(Gun::Air) => out.push_str("fire air"),
            Self::Assault { from, to } => {
                zone(out, "assault", from);
                zone(out, "", to);
            }
            Self::Lead(who) => unit(out, "lead", who),
            Self::Join(who) => unit(out, "join", who),
            Self::Attack => out.push_str("attack"),
            Self::Defend(who) => unit(out, "defend", who),
            Self::Ready => out.push_str("ready"),
            Self::Advance(who) => unit(out, "advance", who),
            Self::Decline => out.push_str("decline"),
            Self::Move(who) => unit(out, "move", who),
            Self::Raid { from, to } => {
                zone(out, "raid", from);
                zone(out, "", to);
            }
            Self::Keep => out.push_str("keep"),
            Self::Reroll => out.push_str("reroll"),
            Self::End => out.push_str("end"),
            Self::Die(face) => {
                out.push_str("die ");
                out.push_str(DIGITS[usize::from(face.min(10))]);
            }
        }
    }

    /// Reads a name.
    pub fn parse(scenario: &Scenario, name: &str) -> Option<Self> {
        let mut words = name.split(' ');
        let verb = words.next()?;
        let rest: [Option<&str>; 3] = [words.next(), words.next(), words.next()];
        if words.next().is_some() {
            return None;
        }
        let unit = |at: usize| rest[at].and_then(|word| scenario.unit(word));
        let zone = |at: usize| rest[at].and_then(|word| scenario.grid.parse(word));
        let word = |at: usize| rest[at];
        let count = rest.iter().flatten().count();
        let choice = match (verb, count) {
            ("first", 0) => Self::First,
            ("second", 0) => Self::Second,
            ("rally", 2) => Self::Rally { hq: unit(0)?, unit: unit(1)? },
            ("pick", 1) => Self::Pick(unit(0)?),
            ("put", 1) => Self::Put(zone(0)?),
            ("place", 2) => Self::Place { unit: unit(0)?, zone: zone(1)? },
            ("activate", 1) => Self::Activate(unit(0)?),
            ("with", 1) if word(0) == Some("all") => Self::WithAll,
            ("with", 1) => Self::With(unit(0)?),
            ("roll", 0) => Self::Roll,
            ("step", 1) => Self::Step(zone(0)?),
            ("road", 1) => Self::Road(zone(0)?),
            ("halt", 0) => Self::Halt,
            ("face", 1) => Self::Face(Octant::parse(word(0)?)?),
            ("turn", 1) => Self::Turn(zone(0)?),
            ("stand", 0) => Self::Stand,
            ("retreat", 2) => Self::Retreat { unit: unit(0)?, zone: zone(1)? },
            ("hold", 0) => Self::Hold,
            ("break", 1) => Self::Break(unit(0)?),
            ("blow", 0) => Self::Blow,
            ("spare", 0) => Self::Spare,
            ("work", 3) => {
                let task = Task::ALL.into_iter().find(|task| Some(task.word()) == word(1))?;
                Self::Work(Job { unit: unit(0)?, task, zone: zone(2)? })
            }
            ("strike", 1) => Self::Strike(unit(0)?),
            ("shell", 1) if word(0) == Some("corps") => Self::Shell(NOBODY),
            ("shell", 1) => Self::Shell(unit(0)?),
            ("at", 1) => Self::At(unit(0)?),
            ("fire", 1) => Self::Fire(match word(0)? {
                "corps" => Gun::Corps,
                "air" => Gun::Air,
                id => Gun::Battalion(scenario.unit(id)?),
            }),
            ("assault", 2) => Self::Assault { from: zone(0)?, to: zone(1)? },
            ("lead", 1) => Self::Lead(unit(0)?),
            ("join", 1) => Self::Join(unit(0)?),
            ("attack", 0) => Self::Attack,
            ("defend", 1) => Self::Defend(unit(0)?),
            ("ready", 0) => Self::Ready,
            ("ready", 1) => Self::MakeReady(unit(0)?),
            ("advance", 1) => Self::Advance(unit(0)?),
            ("decline", 0) => Self::Decline,
            ("move", 1) => Self::Move(unit(0)?),
            ("raid", 2) => Self::Raid { from: zone(0)?, to: zone(1)? },
            ("keep", 0) => Self::Keep,
            ("reroll", 0) => Self::Reroll,
            ("end", 0) => Self::End,
            ("die", 1) => {
                let face = (1..=10).find(|face| word(0) == Some(DIGITS[usize::from(*face)]))?;
                Self::Die(face)
            }
            _ => return None,
        };
        Some(choice)
    }
}

const DIGITS: [&str; 11] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
