//! The log as people read it: which choices and dice are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::choice::Choice;
use crate::game_event::{AttackRoll, GameEvent};
use crate::ids::{Region, Side};
use crate::rules::Rules;
use crate::state::{Phase, State};

impl Rules {
    /// How a step belongs to the steps before it: a roll on the chart opens the box of the turn, and whatever the box does
    /// by itself belongs to it. What the human spends an Action on is an action, and so is an attack of the other side.
    pub(crate) fn fold(&self, state: &State, choice: Choice) -> Fold {
        match (choice, state.phase) {
            (Choice::Attack(_) | Choice::Shift(_) | Choice::Pass | Choice::Advance(_), _)
            | (Choice::Die(_), Phase::Chart | Phase::ConfidenceDie) => Fold::Begins,
            (Choice::Die(_), Phase::AttackDie) if state.attacker != self.human => Fold::Begins,
            _ => Fold::Continues,
        }
    }

    /// What an action came to.
    pub(crate) fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let mut main: Option<(u8, String, &'static str)> = None;
        let mut after = Vec::new();
        let mut captured = None;
        for event in events {
            let line = self.log_line(event);
            // The last of the events that matter most is what happened.
            let weight = match event {
                GameEvent::AttackRolled(_) | GameEvent::ConflictRolled { .. } => 4,
                GameEvent::BoxOpened { .. } => 3,
                GameEvent::Advanced { .. }
                | GameEvent::Marked { .. }
                | GameEvent::Passed { .. }
                | GameEvent::AttackImpossible { .. }
                | GameEvent::AdvanceBlocked { .. }
                | GameEvent::ConfidenceRolled { .. } => 2,
                GameEvent::TurnStarted { .. } => 0,
                _ => 1,
            };
            match event {
                GameEvent::Captured { region, to, .. } => captured = Some((*region, *to)),
                GameEvent::GameOver { .. } => after.push(line.text),
                _ if weight > 0 && main.as_ref().is_none_or(|(heaviest, ..)| weight >= *heaviest) => {
                    let text = match event {
                        GameEvent::AttackRolled(roll) => {
                            captured = None;
                            self.attack_headline(roll)
                        }
                        _ => line.text,
                    };
                    main = Some((weight, text, line.rule));
                }
                _ => {}
            }
        }
        let (_, mut text, rule) = main.or_else(|| after.pop().map(|text| (0, text, "5.2")))?;
        if let Some((region, to)) = captured {
            text.push_str(&format!(": {}", self.book.regions[region.index()].spaces[usize::from(to)]));
        }
        for sentence in after {
            text.push_str(&format!(". {sentence}"));
        }
        Some(LogLine { text, rule, aside: false })
    }

    /// "The Axis attack on the Eastern Front succeeds (rolled 4 +1, needed 5)".
    fn attack_headline(&self, roll: &AttackRoll) -> String {
        let end = if roll.wins() { "succeeds" } else { "fails" };
        let whose = match roll.side {
            Side::Allies => "Allied",
            Side::Axis => "Axis",
        };
        let region = self.region_words(roll.region);
        format!("The {whose} attack on {region} {end} (rolled {}, needed {})", roll.rolled(), roll.need)
    }

    /// A region with its article: "the Eastern Front", "China".
    fn region_words(&self, region: Region) -> String {
        let name = &self.book.regions[region.index()].name;
        let has_article = name.ends_with("Front") || name.ends_with("Pacific") || name.ends_with("Islands");
        if has_article { format!("the {name}") } else { name.clone() }
    }
}
