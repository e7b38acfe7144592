//! The last turn: what could still win it, and what would only put it at risk. Rule 16.4.

use terrain::Cell;

use super::Desk;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{State, Verdict};

/// An army that lacks so many markers or fewer may break in one player turn: a lost objective is 5, a lost battalion up
/// to 4.
const NEARLY_BROKEN: u16 = 10;

/// How a side stands to the end of the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// There is time.
    Open,
    /// It is the side's last player turn, and as things stand it does not win: whatever could win is tried.
    Try,
    /// It is the last player turn of all, and as things stand the side wins: nothing is put at risk.
    Keep,
}

impl Ending {
    /// How a side stands now.
    pub fn of(rules: &Rules, s: &State, side: Side) -> Self {
        if s.turn < rules.scenario.turns || s.night || s.side != side {
            return Self::Open;
        }
        let verdict = rules.verdict(s, rules.aggressor_vp(s));
        let wins = verdict.and_then(Verdict::won_by_aggressor) == Some(side == rules.scenario.aggressor);
        if !wins {
            Self::Try
        } else if s.first == side {
            Self::Open
        } else {
            Self::Keep
        }
    }
}

impl Desk<'_> {
    /// Whether driving the enemy from a zone could still win: an objective lies there or one step on (rule 13.4), or a few
    /// markers more would break the enemy's army.
    pub(super) fn could_decide(&self, zone: Cell) -> bool {
        let (rules, s) = (self.rules, self.s);
        let enemy = self.side.enemy();
        let lacking = rules.scenario.sides[enemy.index()].break_at.saturating_sub(s.tally[enemy.index()]);
        let wanted = |zone: Cell| {
            rules
                .key_at(zone)
                .is_some_and(|key| rules.scenario.keys[key].vp > 0 && rules.holder(s, key) != self.side)
        };
        lacking <= NEARLY_BROKEN || wanted(zone) || rules.around(zone).any(wanted)
    }
}
