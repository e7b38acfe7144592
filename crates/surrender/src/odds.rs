//! Questions about combats and their exact odds. Rules 5.1 to 5.4: both dice are enumerated, an air contest before them too.

use kernel::{Answer, Chance};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::Sum;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::{Duel, Fight, Manner, Occasion, State, Supply};
use crate::tables::{CombatResult, Line};
use crate::words::{result_words, signed};

/// How to ask, for those who ask nothing.
pub(crate) const HELP: &str = "\
Ask about a combat by its modifiers alone, without a position:
  calc +5 vs +2          modifiers of the attacker and of the defender
  calc +7/2 vs +1        a slash for each halving after the roll: /2 or /2/2
With a scenario or a saved match, ask about what is there: attack GER-6A 2732, assault 3322 GER-19PZ GER-4A, strike GER-LF3 UK-FC,
strategic west, combat, supply GER-6A, reach GER-6A; and a whole march with attacks on its way: march GER-16PZ 3033 warsaw.
";

/// How many of all cases give each result, in the order of [`CombatResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    pub counts: [u64; 6],
}

impl Spread {
    fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The chance of a retreat or better.
    fn success(&self) -> Chance {
        Chance::of(self.counts[CombatResult::DefenderRetreats as usize..].iter().sum(), self.all())
    }

    /// Every result that can happen, in words.
    fn results(&self) -> Vec<(String, Chance)> {
        let each = CombatResult::ALL.into_iter().filter(|(_, result, _)| self.counts[*result as usize] > 0);
        each.map(|(_, result, _)| {
            (result_words(result).to_owned(), Chance::of(self.counts[result as usize], self.all()))
        })
        .collect()
    }
}

/// What both sides commit to an imagined combat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Commitments {
    /// Markers of each side, as bits.
    pub markers: [u32; 2],
    /// The air unit of each side.
    pub air: [UnitId; 2],
}

impl Commitments {
    pub const NOTHING: Self = Self { markers: [0; 2], air: [UnitId::NONE; 2] };

    fn with(mut self, side: usize, item: Choice) -> Self {
        match item {
            Choice::Use(marker) => self.markers[side] |= 1 << marker.index(),
            Choice::Air(unit) => self.air[side] = unit,
            _ => {}
        }
        self
    }
}

impl Rules {
    /// The exact odds of a ground combat with what is committed. A contest of two air units comes first and decides who has
    /// Air Support (5.1 step 3); the markers of that contest are left out.
    pub(crate) fn fight_spread(&self, state: &State, fight: &Fight, with: &Commitments) -> Spread {
        let mut spread = Spread { counts: [0; 6] };
        let (mut fight, hex) = (*fight, fight.hex);
        for side in 0..2 {
            fight.markers[side] |= with.markers[side];
        }
        let mut add = |support: [bool; 2], times: u64| {
            fight.support = support;
            let sums = [0, 1].map(|side| self.fight_sum(state, &fight, side));
            for (count, rolls) in spread.counts.iter_mut().zip(self.fight_odds(&sums)) {
                *count += u64::from(rolls) * times;
            }
        };
        match with.air.map(UnitId::some) {
            [Some(_), Some(_)] => {
                let duel = Duel { occasion: Occasion::AirSupport, units: with.air, hex, ..Duel::NONE };
                let sums = [0, 1].map(|side| self.duel_sum(state, &duel, side));
                for (_, result, _) in CombatResult::ALL {
                    let times = u64::from(self.fight_odds(&sums)[result as usize]);
                    let attacker = result != CombatResult::AttackerAttrition;
                    add([attacker, result < CombatResult::DefenderDisrupted], times);
                }
            }
            air => add(air.map(|unit| unit.is_some()), 1),
        }
        spread
    }

    /// The lines of a side in words.
    fn line_words(&self, sum: &Sum) -> String {
        let mut words: Vec<String> = sum
            .lines()
            .iter()
            .map(|(line, value)| format!("{} {}", Line::words(*line), signed(*value)))
            .collect();
        let limit = self.world.tables.drm_limit;
        let total = sum.total();
        if words.is_empty() {
            words.push("no modifier".to_owned());
        }
        let capped = total.clamp(-limit, limit);
        let halved = match sum.halvings {
            0 => String::new(),
            1 => ", then halved".to_owned(),
            times => format!(", then halved {times} times"),
        };
        format!("{}: {}{halved}", words.join(", "), signed(capped))
    }

    /// The answer about a ground combat that is about to begin, with nothing committed and with each thing that could be.
    pub(crate) fn fight_answer(&self, state: &State, fight: &Fight) -> Answer {
        let sums = [0, 1].map(|side| self.fight_sum(state, fight, side));
        let plain = self.fight_spread(state, fight, &Commitments::NOTHING);
        let mut results = plain.results();
        results.push(("retreat or better".to_owned(), plain.success()));
        let mut imagined = *state;
        imagined.fight = *fight;
        let mut items = [Vec::new(), Vec::new()];
        for (side, items) in items.iter_mut().enumerate() {
            self.each_item(&imagined, side, |item| {
                items.push(item);
                false
            });
        }
        for (side, who) in ["with", "against"].into_iter().enumerate() {
            for item in &items[side] {
                let spread = self.fight_spread(state, fight, &Commitments::NOTHING.with(side, *item));
                results
                    .push((format!("retreat or better {who} {}", self.item_words(*item)), spread.success()));
            }
        }
        let airs = |side: usize| items[side].iter().filter(|item| matches!(item, Choice::Air(_))).take(3);
        for mine in airs(0) {
            for yours in airs(1) {
                let with = Commitments::NOTHING.with(0, *mine).with(1, *yours);
                let title = format!(
                    "retreat or better with {} against {}",
                    self.item_words(*mine),
                    self.item_words(*yours)
                );
                results.push((title, self.fight_spread(state, fight, &with).success()));
            }
        }
        let facts = vec![
            ("attacker", self.line_words(&sums[0])),
            ("defender", self.line_words(&sums[1])),
            ("weather", self.weather_at(state, fight.hex).title().to_owned()),
        ];
        let title = format!(
            "{} against {} in {}",
            self.unit_title(fight.primary),
            self.unit_name(fight.defender),
            self.place_words(fight.hex)
        );
        Answer { title, rule: "5.1, 5.3", facts, results }
    }

    fn item_words(&self, item: Choice) -> String {
        match item {
            Choice::Use(marker) => self.marker_name(marker).to_owned(),
            Choice::Air(unit) => self.unit_name(unit),
            _ => String::new(),
        }
    }

    /// The answer about an air or naval combat.
    pub(crate) fn duel_answer(&self, state: &State, duel: &Duel) -> Answer {
        let sums = [0, 1].map(|side| self.duel_sum(state, duel, side));
        let spread = Spread { counts: self.fight_odds(&sums).map(u64::from) };
        let mut results = spread.results();
        let success = match duel.occasion {
            Occasion::AirSupport => "the attacker alone or both have Air Support",
            Occasion::Strike => "the defender adds two Sorties or more",
            Occasion::Escort => "the escort fails",
            Occasion::Interdiction => "the mission is interdicted",
        };
        let chance = match duel.occasion {
            Occasion::AirSupport => Chance::of(spread.counts[1..].iter().sum(), spread.all()),
            _ => spread.success(),
        };
        results.push((success.to_owned(), chance));
        let facts = vec![("attacker", self.line_words(&sums[0])), ("defender", self.line_words(&sums[1]))];
        let title = format!("{} against {}", self.unit_title(duel.units[0]), self.unit_name(duel.units[1]));
        Answer { title, rule: "5.2", facts, results }
    }

    fn strategic_answer(&self, state: &State, combat: u8) -> Answer {
        let sums = [0, 1].map(|side| self.strategic_sum(state, combat, side));
        let spread = Spread { counts: self.fight_odds(&sums).map(u64::from) };
        let title = format!("Strategic Warfare against the {}", ["West", "Soviets"][usize::from(combat)]);
        let facts = vec![("Axis", self.line_words(&sums[0])), ("Allies", self.line_words(&sums[1]))];
        Answer { title, rule: "5.4", facts, results: spread.results() }
    }

    /// `calc +5/2 vs +2`.
    fn calculate(&self, question: &str) -> Result<Answer, String> {
        let (attack, defence) =
            question.trim_start_matches("calc").split_once(" vs ").ok_or_else(|| HELP.to_owned())?;
        let side = |text: &str| -> Result<Sum, String> {
            let mut parts = text.trim().split('/');
            let wrong = || format!("{text:?} is no modifier such as +5 or -2/2\n{HELP}");
            let value: i8 = parts.next().unwrap_or_default().parse().map_err(|_| wrong())?;
            let halvings = parts.clone().count() as u8;
            if parts.any(|part| part != "2") || halvings > 3 || value.abs() > 30 {
                return Err(wrong());
            }
            let mut sum = Sum { halvings, ..Sum::EMPTY };
            sum.add(Line::GroundEvents, value);
            Ok(sum)
        };
        let sums = [side(attack)?, side(defence)?];
        let spread = Spread { counts: self.fight_odds(&sums).map(u64::from) };
        let mut results = spread.results();
        results.push(("retreat or better".to_owned(), spread.success()));
        let title = format!("{} against {}", attack.trim(), defence.trim());
        Ok(Answer { title, rule: "5.1", facts: Vec::new(), results })
    }

    /// The questions that can be asked about a position: the combat under way, attacks of the faction that acts, and the supply
    /// and reach of its units.
    pub(crate) fn questions(&self, state: &State) -> Vec<String> {
        let mut questions = Vec::new();
        if self.combat_under_way(state).is_some() {
            questions.push("combat".to_owned());
        }
        let name = |place: Place| self.world.place_name(place);
        for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
            if !self.moves(state, state.acting, unit) {
                continue;
            }
            let id = &self.info(unit).id;
            let place = state.unit(unit).place;
            if self.kind(unit).is_field() && place.is_hex() {
                for near in self.world.hex(place).near.into_iter().filter(|near| near.is_hex()) {
                    if self.mobile_fight(state, unit, near).is_some() {
                        questions.push(format!("attack {id} {}", name(near)));
                    } else if self.assault_fight(state, near, &[unit]).is_ok() {
                        questions.push(format!("assault {} {id}", name(near)));
                    }
                }
            }
            questions.push(format!("supply {id}"));
            questions.push(format!("reach {id}"));
        }
        if self.scenario().strategic_warfare {
            questions.extend(["strategic west".to_owned(), "strategic soviet".to_owned()]);
        }
        questions
    }

    /// The ground combat or the air or naval combat that is being decided.
    fn combat_under_way(&self, state: &State) -> Option<Answer> {
        let open = |frame: Frame| state.frames[..usize::from(state.depth)].contains(&frame);
        if open(Frame::Duel) {
            return Some(self.duel_answer(state, &state.duel));
        }
        let rolled = state.fight.result.is_some();
        (open(Frame::Fight) && !rolled).then(|| self.fight_answer(state, &state.fight))
    }

    /// An Assault of some units on a hex, the first the Primary Attacker.
    fn assault_fight(&self, state: &State, hex: Place, units: &[UnitId]) -> Result<Fight, String> {
        let [primary, more @ ..] = units else { return Err("an Assault needs a unit".to_owned()) };
        if more.len() > 2 {
            return Err("an Assault has at most two Additional Attackers".to_owned());
        }
        let side = self.side_of(state, *primary);
        let defender =
            if hex.is_hex() && self.has_enemy(state, hex, side) { state.ground_at(hex) } else { None };
        let defender = defender.ok_or("no enemy stands there")?;
        for unit in units {
            if !self.kind(*unit).is_field() || !state.unit(*unit).on_map() || !self.reaches(state, *unit, hex)
            {
                return Err(format!("{} can't attack there", self.unit_title(*unit)));
            }
        }
        let mut others = [UnitId::NONE; 2];
        others[..more.len()].copy_from_slice(more);
        Ok(Fight { manner: Manner::Assault, primary: *primary, more: others, defender, hex, ..Fight::NONE })
    }

    /// Answers a question, or says which questions there are.
    pub(crate) fn answer(&self, state: &State, question: &str) -> Result<Answer, String> {
        let words: Vec<&str> = question.split_whitespace().collect();
        match words[..] {
            ["calc", ..] => self.calculate(question),
            ["combat"] => self.combat_under_way(state).ok_or_else(|| "no combat is under way".to_owned()),
            ["attack", unit, hex] => {
                let (unit, hex) = (self.unit_of(unit)?, self.place_of(hex)?);
                let fight = if hex.is_hex() && state.unit(unit).place.is_hex() {
                    self.mobile_fight(state, unit, hex)
                } else {
                    None
                };
                let fight = fight.ok_or_else(|| format!("{} can't attack there", self.unit_title(unit)))?;
                Ok(self.fight_answer(state, &fight))
            }
            ["assault", hex, ref units @ ..] => {
                let units: Result<Vec<UnitId>, String> =
                    units.iter().map(|unit| self.unit_of(unit)).collect();
                let fight = self.assault_fight(state, self.place_of(hex)?, &units?)?;
                Ok(self.fight_answer(state, &fight))
            }
            ["strike", unit, target] => {
                let (unit, target) = (self.unit_of(unit)?, self.unit_of(target)?);
                let may = state.unit(unit).on_map()
                    && !self.kind(unit).is_ground()
                    && self.strikes(state, unit, |known| known == target);
                if !may {
                    return Err(format!("{} can't strike {}", self.unit_title(unit), self.unit_name(target)));
                }
                let hex = state.unit(target).place;
                let duel = Duel { occasion: Occasion::Strike, units: [unit, target], hex, ..Duel::NONE };
                Ok(self.duel_answer(state, &duel))
            }
            ["march", unit, ref stops @ ..] => {
                let stops: Result<Vec<Place>, String> =
                    stops.iter().map(|stop| self.place_of(stop)).collect();
                self.plan_answer(state, self.unit_of(unit)?, &stops?)
            }
            ["strategic", "west"] => Ok(self.strategic_answer(state, 0)),
            ["strategic", "soviet"] => Ok(self.strategic_answer(state, 1)),
            ["supply", unit] => self.supply_answer(state, self.unit_of(unit)?),
            ["reach", unit] => self.reach_answer(state, self.unit_of(unit)?),
            _ => {
                let here = self.questions(state);
                let some = here.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ");
                Err(format!(
                    "unknown question {:?}; ask for example: {some}, calc …",
                    diagnostics::shown(question)
                ))
            }
        }
    }

    /// Supply in a word, for answers.
    pub(crate) const fn supply_word(supply: Supply) -> &'static str {
        supply.title()
    }
}

#[cfg(test)]
#[path = "odds_tests.rs"]
mod tests;
