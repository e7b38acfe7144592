//! What a player who points at an enemy wants to know: why it can't be attacked now.

use kernel::Refusal;
use terrain::Cell;

use crate::legality::because;
use crate::rules::Rules;
use crate::state::{Stage, State};
use crate::tables::Activation;

impl Rules {
    /// Why the stack in an enemy zone can't be attacked at this moment; nothing while something else is under way. Rules 11
    /// and 12.
    pub fn why_no_attack(&self, s: &State, zone: Cell) -> Option<Refusal> {
        let near: Vec<Cell> = self.around(zone).filter(|near| self.holds(s, *near, s.side)).collect();
        Some(match s.stage {
            Stage::Combat | Stage::NewAssault | Stage::Raids => self.why_no_combat(s, zone, &near),
            Stage::Movement | Stage::Group | Stage::March => self.why_not_yet(s, zone, &near),
            Stage::Rally | Stage::Engineering => because("enemies are attacked in the combat phase", "5.1"),
            _ => return None,
        })
    }

    /// In the movement phase: what would have to happen before the combat phase.
    fn why_not_yet(&self, s: &State, zone: Cell, near: &[Cell]) -> Refusal {
        let ready = near.iter().filter(|from| self.could_assault_into(s, **from, zone)).count();
        let waiting = |from: &Cell| {
            s.stack(*from).any(|unit| {
                self.troop(unit).assaults
                    && s.unit(unit).result == Activation::None
                    && !self.is_fixed(s, unit)
            })
        };
        if ready > 0 {
            let stacks = if ready == 1 {
                "one of your stacks is".to_owned()
            } else {
                format!("{ready} of your stacks are")
            };
            return because(format!("it is assaulted in the combat phase: {stacks} ready for that"), "12.1");
        }
        if let Some(from) = near.iter().find(|from| waiting(from)) {
            let from = self.zone(*from);
            return because(
                format!("it is assaulted in the combat phase: first make the stack in {from} ready"),
                "12.2",
            );
        }
        because(
            "it is assaulted in the combat phase, by a battalion next to it with a movement point left",
            "12.2",
        )
    }

    fn could_assault_into(&self, s: &State, from: Cell, zone: Cell) -> bool {
        let Some(way) = self.scenario.grid.direction(from, zone) else { return false };
        self.can_be_assaulted(s, zone) && s.stack(from).any(|unit| self.may_assault(s, unit, way))
    }

    /// In the combat phase: the reason of each stack next to it, or that there is none.
    fn why_no_combat(&self, s: &State, zone: Cell, near: &[Cell]) -> Refusal {
        let mut reasons: Vec<(String, String)> = Vec::new();
        let mut rule = "12.1";
        for from in near {
            let refusal = self.not_assaulted(s, *from, zone);
            rule = refusal.rule;
            match reasons.iter_mut().find(|(_, reason)| *reason == refusal.reason) {
                Some((zones, _)) => {
                    zones.push_str(", ");
                    zones.push_str(&self.scenario.grid.name(*from));
                }
                None => reasons.push((self.scenario.grid.name(*from), refusal.reason)),
            }
        }
        if reasons.is_empty() {
            return because(
                "no battalion of yours is next to it, and neither guns nor aircraft can reach it",
                rule,
            );
        }
        let all: Vec<String> =
            reasons.iter().map(|(zones, reason)| format!("from {zones}: {reason}")).collect();
        because(all.join("; "), rule)
    }
}
