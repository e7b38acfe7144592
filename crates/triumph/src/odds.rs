//! Chances and other questions about a position, for what the viewer knows. Rules 12, 14, 16.

use kernel::{Answer, Chance};

use crate::choice::Choice;
use crate::factions::Faction;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::State;
use crate::units::Kind;
use crate::view::View;

/// The odds of some dice. Rule 12.4.
pub(crate) fn hits_answer(title: String, dice: u8, needs: u8) -> Answer {
    let all = 6_u64.pow(u32::from(dice));
    let plural = if dice == 1 { "die" } else { "dice" };
    let results = (0..=dice).map(|hits| {
        let what = if hits == 1 { "1 hit".to_owned() } else { format!("{hits} hits") };
        (what, Chance::of(u64::from(Rules::rolls_with(dice, needs, hits)), all))
    });
    let facts = vec![
        ("roll", format!("{dice} {plural}, {needs} or less hits")),
        ("hits on average", format!("{:.2}", f64::from(dice) * f64::from(needs) / 6.0)),
    ];
    Answer { title, rule: "12.4", facts, results: results.collect() }
}

impl Rules {
    /// The questions that apply to a position.
    pub fn questions(&self, view: &View) -> Vec<String> {
        let state = view.state();
        let mut all = Vec::new();
        if state.stage == Stage::Over {
            return all;
        }
        let decides = self.decider(state).is_some_and(|faction| view.knows(faction));
        let mut open = Vec::new();
        if decides && matches!(state.stage, Stage::Action(_) | Stage::Movement) {
            self.list(state, &mut open);
        }
        if state.stage == Stage::Dice {
            all.push("dice".to_owned());
        }
        for choice in open {
            let mut name = String::new();
            self.write_name(state, choice, &mut name);
            match choice {
                Choice::Fire(..) => all.push(name),
                Choice::Move(_) => all.push(name.replacen("move", "reach", 1)),
                _ => {}
            }
        }
        let id = |area: u8| self.atlas().area(area).id.as_str();
        let contested = (0..crate::areas::AREAS as u8).filter(|area| self.attacker_at(view, *area).is_some());
        all.extend(contested.map(|area| format!("battle {}", id(area))));
        all.extend(self.targets(view).iter().map(|area| format!("attack {}", id(area))));
        for faction in Faction::ALL.into_iter().filter(|faction| view.knows(*faction)) {
            all.extend(self.worries(state, faction));
        }
        all.push("vp".to_owned());
        all
    }

    /// Areas of a Faction at war whose Trade Route is broken, and units without supply.
    fn worries(&self, state: &State, faction: Faction) -> Vec<String> {
        let mut all = Vec::new();
        if !state.of(faction).at_war() {
            return all;
        }
        let routes = self.trade_routes(state, faction);
        for area in self.credited(state, faction) {
            let info = self.atlas().area(area);
            if info.pop + info.res + info.red_res > 0 && !routes.open.has(area) {
                all.push(format!("trade {}", info.id));
            }
        }
        let supplied = self.supplied(state, faction);
        let mut hungry: Vec<u8> = state.blocks[crate::factions::blocks_of(faction)]
            .iter()
            .filter(|block| block.on_map() && block.kind.is_troop() && !supplied.has(block.area))
            .map(|block| block.area)
            .collect();
        hungry.sort_unstable();
        hungry.dedup();
        all.extend(hungry.into_iter().map(|area| format!("supply {}", self.atlas().area(area).id)));
        all
    }

    /// Answers a question, or says which there are.
    pub fn answer(&self, view: &View, question: &str) -> Result<Answer, String> {
        let question = question.trim();
        let (word, rest) = question.split_once(' ').unwrap_or((question, ""));
        match word {
            "calc" => crate::calculator::answer(rest),
            "dice" if view.state().stage == Stage::Dice => {
                let (dice, needs) = self.shot(view.state());
                Ok(hits_answer("The dice in the air".to_owned(), dice, needs))
            }
            "fire" => self.shot_answer(view, question),
            "battle" => self.battle_answer(view, rest),
            "attack" => self.attack_answer(view, rest),
            "trade" => self.trade_answer(view, self.named_area(rest)?),
            "supply" => self.supply_answer(view, self.named_area(rest)?),
            "vp" => Ok(self.vp_answer(view)),
            "reach" => self.reach_answer(view, rest),
            _ => Err(self.which_questions(view)),
        }
    }

    fn which_questions(&self, view: &View) -> String {
        let mut text = "the questions are: battle AREA, attack AREA, attack AREA with UNIT, UNIT, trade AREA, supply AREA, \
                        reach UNIT, vp, fire UNIT CLASS, calc …"
            .to_owned();
        let now = self.questions(view);
        if !now.is_empty() {
            text.push_str("; now for example: ");
            text.push_str(&now[..now.len().min(5)].join(", "));
        }
        text
    }

    /// An area by its id or its name.
    pub(crate) fn named_area(&self, word: &str) -> Result<u8, String> {
        let word = word.trim();
        let folded = word.to_lowercase();
        let areas = &self.atlas().areas;
        let found = areas.iter().position(|area| area.id == folded || area.name.to_lowercase() == folded);
        found.map(|at| at as u8).ok_or_else(|| {
            let meant = diagnostics::nearest(&folded, areas.iter().map(|area| area.id.as_str()));
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            format!("no area {:?}{hint}", diagnostics::shown(word))
        })
    }

    /// One Combat Action. Rule 12.4.
    fn shot_answer(&self, view: &View, name: &str) -> Result<Answer, String> {
        let state = view.state();
        let Some(Choice::Fire(block, class)) = self.read_name(state, name) else {
            return Err("name the unit and its target, such as fire germany infantry 3 paris G".to_owned());
        };
        let unit = &state.blocks[usize::from(block)];
        let needs = self.firepower(state, usize::from(block), class);
        if unit.is_hidden() || needs == 0 {
            return Err("that unit can't fire at this class".to_owned());
        }
        let title = format!("{} {} fires at {} units", unit.kind.title(), unit.cv, class.title());
        Ok(hits_answer(title, self.dice(state, usize::from(block), class), needs))
    }
}

/// A phrase at the start of a sentence.
pub(crate) fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether a type is shown as a Convoy at sea.
pub(crate) fn title_at(kind: Kind, at_sea: bool) -> &'static str {
    if at_sea && kind.is_troop() { "Convoy" } else { kind.title() }
}
