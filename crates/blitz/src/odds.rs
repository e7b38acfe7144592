//! Questions about chances: the next token, the next weapon, the bot's next placement.

use std::collections::BTreeMap;

use diagnostics::{nearest, shown};
use kernel::{Answer, Chance, Discard};

use crate::pool::Pool;
use crate::rules::Rules;
use crate::solo::Selection;
use crate::state::Phase;
use crate::stratagem::Stratagem;
use crate::units::{Kind, Side};
use crate::view::View;

const QUESTIONS: [&str; 3] = ["draw", "research", "bot"];

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
        match question.trim().to_ascii_lowercase().as_str() {
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
                    "unknown question {question:?}{hint}; the questions are {}",
                    QUESTIONS.join(", ")
                ))
            }
        }
    }

    /// What the bot would place where, over all stratagems that it can draw and all dice, if it were to move now.
    fn bot_odds(&self, view: &View) -> Result<Answer, String> {
        let Some(solo) = self.solo() else {
            return Err("there is no bot in a game for two".to_owned());
        };
        let state = view.state();
        let selections: Vec<Option<Selection>> = if state.phase == Phase::UnitDie {
            // Only the die is still to come.
            vec![Some(Selection { space: state.bot.space, units: state.bot.units })]
        } else if solo.stratagems {
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
        let title = "What the bot would place on this board".to_owned();
        Ok(Answer { title, rule: "9", facts: Vec::new(), results })
    }
}

fn tokens(title: String, rule: &'static str, fact: (&'static str, String), pool: Pool) -> Answer {
    let all = u64::from(pool.len());
    let mut results: Vec<(String, Chance)> = pool
        .kinds()
        .map(|kind| (kind.name().to_owned(), Chance::of(u64::from(pool.count(kind)), all)))
        .collect();
    results.sort_by(|a, b| b.1.as_f64().total_cmp(&a.1.as_f64()));
    Answer { title, rule, facts: vec![fact], results }
}
