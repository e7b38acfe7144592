//! The solo bot as an opponent for two players: the same procedure, with what a player knows. Rule 13.1.

use std::mem::discriminant;

use kernel::{Dice, Discard, Recorder};

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::Phase;
use crate::stratagem::{Stratagem, StratagemSet};
use crate::view::View;

/// The stratagem tokens of a bot in a player's seat.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The turn for which a stratagem was drawn.
    turn: u16,
    cup: StratagemSet,
    previous: Stratagem,
    in_force: Option<Stratagem>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { turn: 0, cup: StratagemSet::START, previous: Stratagem::Steamroll, in_force: None }
    }
}

impl Memory {
    /// Rule 8.4: a new token each turn, the one before goes back.
    fn stratagem<D: Dice>(&mut self, turn: u16, dice: &mut D) -> Option<Stratagem> {
        if self.turn != turn {
            self.turn = turn;
            let drawn = self.cup.nth(dice.below(self.cup.len()));
            self.cup.remove(drawn);
            self.cup.add(self.previous);
            self.previous = drawn;
            if drawn != Stratagem::Steamroll {
                self.in_force = Some(drawn);
            }
        }
        self.in_force
    }
}

impl Rules {
    /// What the bot does in a player's seat: an index into `choices`, and why, where that is asked.
    pub(crate) fn seat_bot<D: Dice>(
        &self,
        memory: &mut Memory,
        view: &View,
        choices: &[Choice],
        dice: &mut D,
        mut why: Option<&mut String>,
    ) -> usize {
        let state = view.state();
        let wanted = match state.phase {
            Phase::Place | Phase::Blitz => {
                let blitz = state.phase == Phase::Blitz;
                let only = blitz.then(|| self.space(state.placing.space).theatre);
                let stratagem = memory.stratagem(state.turn, dice);
                let selection = match &mut why {
                    None => self.select(state, state.side, stratagem, only, &mut Discard),
                    Some(why) => {
                        let mut recorder = Recorder::default();
                        let selection = self.select(state, state.side, stratagem, only, &mut recorder);
                        **why = self.reasons(stratagem, &recorder);
                        selection
                    }
                };
                match selection {
                    Some(selection) => {
                        let face = dice.below(6) as u8 + 1;
                        let at = Self::unit_of_die(selection.units, face);
                        let kind = state.hands[state.side.index()].as_slice()[at];
                        Choice::Place { kind, space: selection.space }
                    }
                    // A scientist may still go where the procedure does not look.
                    None => {
                        if let Some(why) = why {
                            *why = "Nothing fits where the procedure looks.".to_owned();
                        }
                        return choices.len() - 1;
                    }
                }
            }
            Phase::Strategic => {
                let n = state.placing.left as i8;
                let targets = self.strategic_targets(state);
                let (theatre, class) = self.greatest_target(state, state.side, targets, n);
                if let Some(why) = why {
                    *why = format!("{}.", self.log_line(&GameEvent::BotTarget { theatre, class }).text);
                }
                Choice::Strategic(theatre)
            }
            _ => return self.quick_choice(state, choices),
        };
        choices.iter().position(|choice| *choice == wanted).unwrap_or(0)
    }
    /// The stratagem in force and the steps that settled the theatre, the space and the unit, in a few sentences: of each
    /// kind only the last, because the earlier ones left several.
    fn reasons(&self, stratagem: Option<Stratagem>, recorder: &Recorder<GameEvent>) -> String {
        let told = || recorder.events.iter().map(|(_, event)| event);
        let settled = told().filter(|event| {
            let last = told().rfind(|other| discriminant(*other) == discriminant(*event));
            last.is_some_and(|last| std::ptr::eq(last, *event))
        });
        let stratagem = stratagem.map(|stratagem| format!("Stratagem {}. ", stratagem.name()));
        let settled: Vec<String> = settled.map(|event| format!("{}.", self.log_line(event).text)).collect();
        stratagem.unwrap_or_default() + &settled.join(" ")
    }
}
