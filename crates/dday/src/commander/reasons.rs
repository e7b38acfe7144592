//! Why: a sentence for the log.

use std::fmt::Write as _;

use super::Desk;
use super::ending::Ending;
use super::plan::NO_GOAL;
use crate::choice::Choice;
use crate::combat::Fight;
use crate::state::{Stage, Task};

impl Desk<'_> {
    /// Writes the reason of a choice, where it is worth a word.
    pub(super) fn reason(&self, choice: Choice, why: &mut String) {
        let (rules, s) = (self.rules, self.s);
        let _ = match choice {
            Choice::Assault { from, to } | Choice::Raid { from, to } => {
                let Some(found) = self.real_prospect(from, to) else { return };
                let prize = rules.key_at(to).map_or_else(String::new, |key| {
                    format!("; {} is worth {} VP", rules.scenario.keys[key].name, rules.scenario.keys[key].vp)
                });
                if self.ending == Ending::Try {
                    why.push_str("The last chance to win. ");
                }
                write!(
                    why,
                    "With all help {} % to drive {} out, {} % to be thrown back; balance {} against a bar of {}{prize}.",
                    found.win,
                    rules.unit_name(found.fight.foe),
                    found.repulse,
                    found.worth,
                    self.bar()
                )
            }
            Choice::End if self.ending == Ending::Keep && s.stage == Stage::Movement => {
                write!(why, "The battle is won as it stands: nothing is put at risk.")
            }
            Choice::End if s.stage == Stage::Combat && self.ending != Ending::Keep => {
                write!(why, "No combat is left that promises more than {} in a hundred.", self.bar())
            }
            Choice::Activate(unit) | Choice::Move(unit) => {
                let zone = s.unit(unit).zone;
                let goal = self.plan.goal(unit);
                if self.plan.enemy(zone) <= 1 && !rules.troop(unit).is_hq() && !self.is_gun(unit) {
                    write!(why, "The enemy stands next to it: to assault, or at least to face it.")
                } else if rules.is_afloat(s, unit) && self.rules.guns.has(unit) {
                    write!(why, "Ashore, for no gun fires from the water.")
                } else if rules.guns.has(unit) {
                    write!(why, "To have the enemy in range and friends in front.")
                } else if rules.troop(unit).is_hq() {
                    write!(why, "To have its battalions in command range and the enemy at a distance.")
                } else if goal == NO_GOAL {
                    write!(why, "To close up.")
                } else {
                    let key = &rules.scenario.keys[usize::from(goal)];
                    let verb =
                        if rules.holder(s, usize::from(goal)) == self.side { "To hold" } else { "To take" };
                    write!(why, "{verb} {} ({} VP).", key.name, key.vp)
                }
            }
            Choice::Road(_) => {
                write!(why, "By road, for the enemy is too far to fight this turn.")
            }
            Choice::Halt | Choice::Face(_) if s.stage == Stage::March => {
                write!(why, "Here it is best placed now; it looks to where most of the enemy is.")
            }
            Choice::Strike(unit) => {
                let save = rules.shelter_need(s, unit, true);
                write!(
                    why,
                    "The best target from the air: a save of {save}, and it is worth {}.",
                    rules.troop(unit).worth
                )
            }
            Choice::At(unit) => {
                let (hit, save) =
                    (rules.ranged_need(s.act.lead, unit, 0), rules.fire_save_need(s, s.act.lead, unit));
                write!(why, "Hit on {hit}, save on {save}: the most that this gun can do.")
            }
            Choice::Lead(lead) => {
                let Some(found) = self.led_by(lead) else { return };
                write!(why, "The best balance of all who could lead: {}.", found.worth)
            }
            Choice::Defend(foe) => {
                let fight = Fight { foe, ..rules.fight(s) };
                let (hit, save) = (rules.assault_need(s, &fight), rules.defender_need(s, &fight));
                write!(why, "It stands best: hit on {hit}, save on {save}.")
            }
            Choice::Hold | Choice::Stand => {
                let side = self.side.index();
                let (tally, most) = (s.tally[side], rules.scenario.sides[side].break_at);
                write!(why, "The ground is worth the markers; the tally is {tally} of {most}.")
            }
            Choice::Retreat { .. } => write!(why, "The safest zone in reach."),
            Choice::Work(job) => {
                let task = match job.task {
                    Task::Prepare | Task::Mine => "To make the position strong",
                    Task::Blow => "To stop them at the river",
                    _ => "To open the way",
                };
                write!(why, "{task}: {} or less.", rules.work_need(s, job))
            }
            Choice::Advance(_) => write!(why, "The ground won brings it nearer to its goal."),
            Choice::Decline => write!(why, "What could be gained would not be safe."),
            Choice::Reroll => write!(why, "This die is worth a token."),
            _ => return,
        };
    }
}
