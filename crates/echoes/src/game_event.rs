//! What happened, as typed lines of the story. Rule 8.

use crate::book::{ChartEntry, Verdict};
use crate::ids::{Conflict, Region, Side, Track};

/// A line of the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEvent {
    /// A turn began.
    TurnStarted {
        /// The turn.
        turn: u8,
    },
    /// The Die Roll Chart was rolled. Rule 3.1.
    ChartRolled {
        /// The die.
        die: u8,
        /// Where it leads.
        entry: ChartEntry,
    },
    /// A box was opened. Rule 3.3.1.
    BoxOpened {
        /// The die.
        die: u8,
        /// Table × 6 + box, from 0.
        number: u8,
        /// Whether its Event happens.
        event: bool,
        /// Whether its event square was marked before. Rule 3.3.1.
        marked: bool,
        /// The year.
        year: u16,
    },
    /// A front moved without a die. Rule 3.3.3.
    Advanced {
        /// Who advanced.
        side: Side,
        /// Where.
        region: Region,
        /// The space reached.
        to: u8,
    },
    /// An ADV had no effect. Rule 3.3.3.
    AdvanceBlocked {
        /// Whose.
        side: Side,
        /// Where.
        region: Region,
        /// Whether the next space is an enemy capital (else the track ends).
        capital: bool,
    },
    /// An attack was rolled. Rule 2.3.3.
    AttackRolled(AttackRoll),
    /// Tide of War shifts have turned an attack after its die was seen. Rule 2.5.5.
    AttackTurned(AttackRoll),
    /// The front moved by a won attack. Rule 2.3.3.
    Captured {
        /// Who won.
        side: Side,
        /// Where.
        region: Region,
        /// The space reached.
        to: u8,
    },
    /// An ordered attack could not be made. Rules 2.3.3, 3.3.4.
    AttackImpossible {
        /// Whose.
        side: Side,
        /// Where.
        region: Region,
        /// Whether because of the two-per-region limit (else because the track ends).
        twice: bool,
    },
    /// A mark was made. Rule 2.2.
    Marked {
        /// Whose.
        side: Side,
        /// The track.
        track: Track,
        /// Its value now.
        value: i8,
    },
    /// A mark was ignored. Rule 2.2.
    MarkIgnored {
        /// Whose.
        side: Side,
        /// The track.
        track: Track,
    },
    /// A Tide of War shift. Rule 2.5.
    TowShifted {
        /// The box that was marked.
        region: Region,
        /// The track.
        track: Track,
        /// Its value now.
        value: i8,
        /// Uses left.
        left: u8,
    },
    /// A Tide of War reroll. Rule 2.5.5.
    TowReroll {
        /// The region under attack, whose box was marked.
        region: Region,
        /// Who must roll again.
        side: Side,
        /// Uses left.
        left: u8,
    },
    /// The Tide of War allowance changed. Rule 2.5.1.
    TowAllowance {
        /// Uses left.
        left: u8,
    },
    /// A Major Conflict was rolled. Rule 3.4.1.
    ConflictRolled {
        /// Which.
        conflict: Conflict,
        /// The Allied die.
        allies: u8,
        /// The Axis die.
        axis: u8,
        /// Who adds 1 for the lead.
        lead: Option<Side>,
    },
    /// A Tide of War shift has changed a Major Conflict after its dice were seen. Rule 2.5.5.
    ConflictTurned {
        /// Which.
        conflict: Conflict,
        /// The Allied die.
        allies: u8,
        /// The Axis die.
        axis: u8,
        /// Who adds 1 for the lead now.
        lead: Option<Side>,
    },
    /// The human asked to be asked about the Tide of War. Rule 2.5.8.
    TideRequested {
        /// The last turn in which they are.
        until: u8,
    },
    /// A die inside a box was rolled. Rule 7.3.
    BranchRolled {
        /// The die.
        die: u8,
    },
    /// An option was chosen. Rule 7.3.
    OptionChosen {
        /// Its number, from 1.
        number: u8,
    },
    /// The rest of a grant was let go. Rule 3.3.4.
    Passed {
        /// How much was left.
        left: u8,
    },
    /// An event square was marked. Rule 3.3.1.
    EventMarked {
        /// Table × 6 + box, from 0.
        number: u8,
    },
    /// The Confidence Chart was consulted. Rule 3.5.
    ConfidenceChecked {
        /// Allied VP.
        vp: u8,
        /// The points column.
        points: u8,
        /// Whether a roll is needed.
        roll: bool,
    },
    /// The Confidence die. Rule 3.5.
    ConfidenceRolled {
        /// The die.
        die: u8,
        /// Whether the human has lost.
        lost: bool,
    },
    /// The game ended. Rule 5.
    GameOver {
        /// How.
        verdict: Verdict,
        /// Allied VP.
        vp: u8,
    },
}

/// The arithmetic of an attack. Rule 2.3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackRoll {
    /// Who attacks.
    pub side: Side,
    /// Where.
    pub region: Region,
    /// The die.
    pub die: u8,
    /// 1 if the side leads the main track.
    pub lead: i8,
    /// 1 if the USA help.
    pub usa: i8,
    /// The modifier of the box.
    pub modifier: i8,
    /// What is needed.
    pub need: u8,
    /// Whether the target is an enemy capital.
    pub capital: bool,
    /// Whether this is the second roll, which stands.
    pub reroll: bool,
}

impl AttackRoll {
    /// Die and modifiers.
    pub const fn total(&self) -> i8 {
        self.die as i8 + self.lead + self.usa + self.modifier
    }

    /// The die with what is added to it, if anything: "4", "4 +1".
    pub fn rolled(&self) -> String {
        match self.total() - self.die as i8 {
            0 => self.die.to_string(),
            modifier => format!("{} {modifier:+}", self.die),
        }
    }

    /// Whether the attack wins.
    pub const fn wins(&self) -> bool {
        self.total() >= self.need as i8
    }
}
