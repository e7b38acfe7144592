//! Questions about chances: the next token, the next weapon, the bot's next placement.

use std::collections::BTreeMap;

use diagnostics::{nearest, shown};
use kernel::{Answer, Chance, Discard, Mover, Recorder};

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::pool::Pool;
use crate::rules::Rules;
use crate::solo::Selection;
use crate::state::{Phase, State};
use crate::stratagem::Stratagem;
use crate::units::{Kind, Side};
use crate::view::View;

const QUESTIONS: [&str; 3] = ["draw", "research", "bot"];
/// The question what the bot would answer to a placement begins so, and the placement's name follows.
const AFTER: &str = "bot after ";
/// More steps than a placement and the draws after it can have.
const MOST_STEPS: usize = 64;

impl Rules {
    /// The questions that make sense to a viewer now.
    pub fn questions(&self, view: &View) -> Vec<String> {
        let state = view.state();
        if state.phase == Phase::Over {
            return Vec::new();
        }
        let asked = |question: &&'static str| match *question {
            "draw" => self.drawer(view).is_some_and(|side| view.bag_len(side) > 0),
            "research" => view.pile_len() > 0,
            _ => self.solo().is_some() && state.turn > 0,
        };
        QUESTIONS.into_iter().filter(asked).map(str::to_owned).collect()
    }

    /// The side whose bag a viewer may ask about.
    fn drawer(&self, view: &View) -> Option<Side> {
        view.own().or(self.solo().map(|_| Side::Second))
    }

    /// Answers a question, or says which there are.
    pub fn answer(&self, view: &View, question: &str) -> Result<Answer, String> {
        let question = question.trim();
        let folded = question.to_ascii_lowercase();
        if let Some(name) = folded.strip_prefix(AFTER) {
            return self.answer_to_placement(view, name);
        }
        match folded.as_str() {
            "draw" => {
                let side = self.drawer(view).filter(|side| view.knows(*side));
                let side = side.ok_or_else(|| "spectators can't see the bags".to_owned())?;
                let bag = view.state().bags[side.index()];
                let title = format!("The next token of {}", self.with_article(side));
                Ok(tokens(title, "3.4", ("in the bag", bag.len().to_string()), bag))
            }
            "research" => {
                let unseen = if view.knows_pile() { view.state().pile } else { self.unseen_weapons(view) };
                let hidden = unseen.len() - u32::from(view.pile_len()).min(unseen.len());
                let fact = if hidden == 0 { "in the pile" } else { "in the pile or with the opponent" };
                let title = "The next special weapon".to_owned();
                Ok(tokens(title, "6", (fact, unseen.len().to_string()), unseen))
            }
            "bot" => self.bot_odds(view),
            _ => {
                let meant = nearest(question, QUESTIONS);
                let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
                let question = shown(question);
                Err(format!(
                    "unknown question {question:?}{hint}; the questions are {}, {AFTER}place UNIT SPACE",
                    QUESTIONS.join(", ")
                ))
            }
        }
    }

    /// What the bot would place where, over all stratagems that it can draw and all dice, if it were to move now.
    fn bot_odds(&self, view: &View) -> Result<Answer, String> {
        if self.solo().is_none() {
            return Err(NO_BOT.to_owned());
        }
        let results = self.bot_placements(view.state())?;
        let title = "What the bot would place on this board".to_owned();
        Ok(Answer { title, rule: "9", facts: Vec::new(), results })
    }

    /// All placements of the bot in a position, with their chances: the likeliest first.
    fn bot_placements(&self, state: &State) -> Result<Vec<(String, Chance)>, String> {
        let stratagems = self.solo().is_some_and(|solo| solo.stratagems);
        let selections: Vec<Option<Selection>> = if state.phase == Phase::UnitDie {
            // Only the die is still to come.
            vec![Some(Selection { space: state.bot.space, units: state.bot.units })]
        } else if stratagems {
            let filters = |drawn: Stratagem| {
                if drawn == Stratagem::Steamroll { state.bot.in_force } else { Some(drawn) }
            };
            let select = |drawn| self.select(state, Side::First, filters(drawn), None, &mut Discard);
            state.bot.cup.iter().map(select).collect()
        } else {
            vec![self.select(state, Side::First, None, None, &mut Discard)]
        };
        let all = selections.len() as u64 * 6;
        let mut found: BTreeMap<(u8, Kind), u64> = BTreeMap::new();
        for selection in selections {
            let selection = selection.ok_or_else(|| "the bot could not place anything".to_owned())?;
            for face in 1..=6 {
                let at = Self::unit_of_die(selection.units, face);
                let kind = state.hands[0].as_slice()[at];
                *found.entry((selection.space, kind)).or_default() += 1;
            }
        }
        let mut results: Vec<(String, Chance)> = found
            .into_iter()
            .map(|((space, kind), cases)| {
                (format!("{kind} on {}", self.space_title(space)), Chance::of(cases, all))
            })
            .collect();
        results.sort_by(|a, b| b.1.as_f64().total_cmp(&a.1.as_f64()));
        Ok(results)
    }

    /// What the bot would answer to a placement. What the player draws on the way does not matter to the bot; where the
    /// player has to choose once more, the quick player's choice is taken and said.
    fn answer_to_placement(&self, view: &View, name: &str) -> Result<Answer, String> {
        if self.solo().is_none() {
            return Err(NO_BOT.to_owned());
        }
        let mut state = *view.state();
        let choice = Choice::parse(self.layout, name)
            .filter(|choice| matches!(choice, Choice::Place { .. }))
            .ok_or_else(|| format!("{:?} is not a placement, such as place army1 WE.1.2", shown(name)))?;
        if let Some(refusal) = self.refusal(&state, choice) {
            return Err(refusal.to_string());
        }
        let title = format!("The bot's answer to {}", self.placement_title(choice));
        let mut facts = Vec::new();
        let mut told = Recorder::default();
        self.play(&mut state, choice, &mut told);
        let mut choices = Vec::new();
        for _ in 0..MOST_STEPS {
            let placed = told.events.iter().find_map(|(_, event)| match *event {
                GameEvent::Placed { side: Side::First, kind, space, .. } => Some((kind, space)),
                _ => None,
            });
            // Without stratagems and without a choice between units the bot has already answered.
            if let Some((kind, space)) = placed {
                let answer = format!("{kind} on {}", self.space_title(space));
                return Ok(Answer { title, rule: "9", facts, results: vec![(answer, Chance::CERTAIN)] });
            }
            match state.phase {
                Phase::Over => {
                    let result =
                        state.verdict.map_or_else(String::new, |verdict| self.verdict_title(verdict));
                    let over = format!("none, the game is over: {result}");
                    return Ok(Answer { title, rule: "7", facts, results: vec![(over, Chance::CERTAIN)] });
                }
                Phase::Stratagem | Phase::UnitDie => {
                    let results = self.bot_placements(&state)?;
                    return Ok(Answer { title, rule: "9", facts, results });
                }
                _ => {}
            }
            let next = if self.mover(&state) == Mover::Fate {
                self.drawn(&state, 0)
            } else {
                choices.clear();
                self.list(&state, &mut choices);
                let next = if choices.contains(&Choice::Stop) {
                    Choice::Stop
                } else {
                    choices[self.quick_choice(&state, &choices)]
                };
                facts.push(("if you go on with", self.label(&state, next)));
                next
            };
            self.play(&mut state, next, &mut told);
        }
        Err("the bot's answer can't be foreseen".to_owned())
    }

    /// "Army 2 on WE.1.2 (Western Europe)".
    fn placement_title(&self, choice: Choice) -> String {
        match choice {
            Choice::Place { kind, space } => format!("{kind} on {}", self.space_title(space)),
            _ => String::new(),
        }
    }
}

/// What is said of the bot where there is none.
const NO_BOT: &str = "there is no bot in a game for two";

fn tokens(title: String, rule: &'static str, fact: (&'static str, String), pool: Pool) -> Answer {
    let all = u64::from(pool.len());
    let mut results: Vec<(String, Chance)> = pool
        .kinds()
        .map(|kind| (kind.name().to_owned(), Chance::of(u64::from(pool.count(kind)), all)))
        .collect();
    results.sort_by(|a, b| b.1.as_f64().total_cmp(&a.1.as_f64()));
    Answer { title, rule, facts: vec![fact], results }
}
