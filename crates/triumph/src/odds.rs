//! Chances and other questions about a position, for what the viewer knows. Rules 12, 14, 16.

use kernel::{Answer, Chance, LabDice};

use crate::choice::Choice;
use crate::factions::Faction;
use crate::fight::{Army, Fight, Fighter, Prospects};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::units::Kind;
use crate::view::View;
use crate::world::Atlas;

/// Battles that are played out where counting would take too long or units are hidden.
const SAMPLE: u32 = 4_000;
/// The seed of samples: the same question has the same answer.
const SEED: u64 = 1936;
/// What is assumed of those who fight.
const MANNER: &str = "everybody fires where its firepower is greatest, nobody retreats or Escapes";

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

/// A part of the whole as a fraction that can be shown: exact where it fits, else to a thousandth of a millionth.
fn part(count: u128, all: u128) -> Chance {
    let (mut a, mut b) = (count, all);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    match (u64::try_from(count / a.max(1)), u64::try_from(all / a.max(1))) {
        (Ok(count), Ok(all)) => Chance::of(count, all),
        _ => rounded(count as f64 / all as f64),
    }
}

fn rounded(chance: f64) -> Chance {
    const FINE: f64 = 1e9;
    Chance::of((chance.clamp(0.0, 1.0) * FINE).round() as u64, FINE as u64)
}

/// Units in words: "2 Infantry 4, Tank 3".
pub(crate) fn describe(units: &[Fighter], at_sea: bool) -> String {
    let mut units = units.to_vec();
    units.sort_unstable_by_key(|unit| (unit.kind, std::cmp::Reverse(unit.cv), unit.idle));
    let mut words: Vec<String> = Vec::new();
    for same in units.chunk_by(|one, other| one == other) {
        let unit = same[0];
        let kind = title_at(unit.kind, at_sea);
        let idle = if unit.idle { " (just landed)" } else { "" };
        words.push(match same.len() {
            1 => format!("{kind} {}{idle}", unit.cv),
            count => format!("{count} × {kind} {}{idle}", unit.cv),
        });
    }
    if words.is_empty() { "nobody".to_owned() } else { words.join(", ") }
}

/// The answer about a Battle whose units are all known.
pub(crate) fn fight_answer(title: String, fight: &Fight, mut facts: Vec<(&'static str, String)>) -> Answer {
    for (name, army) in ["attackers", "defenders"].into_iter().zip(&fight.armies) {
        facts.push((name, describe(&army.units, fight.at_sea)));
    }
    let counted = if fight.at_sea { fight.whole() } else { fight.one_round() };
    let prospects =
        counted.unwrap_or_else(|| Fight::sample(SAMPLE, &mut LabDice::new(SEED), |_| fight.clone()));
    let exact = (!fight.at_sea).then(|| fight.rolls_of_round()).flatten();
    let chances = match exact {
        Some((rolls, all)) => rolls.map(|count| part(count, all)),
        None => chances(&prospects),
    };
    prospects_answer(title, fight.at_sea, &prospects, chances, facts)
}

fn chances(prospects: &Prospects) -> [Chance; 3] {
    let parts = [prospects.attacker, prospects.defender, prospects.both];
    match prospects.sample {
        Some(count) => {
            let of = |chance: f64| (chance * f64::from(count)).round() as u64;
            parts.map(|chance| Chance::of(of(chance), u64::from(count)))
        }
        None => parts.map(rounded),
    }
}

fn prospects_answer(
    title: String,
    at_sea: bool,
    prospects: &Prospects,
    [attacker, defender, both]: [Chance; 3],
    mut facts: Vec<(&'static str, String)>,
) -> Answer {
    let [own, other] = prospects.losses;
    facts.push(("steps lost on average", format!("Attacker {own:.2}, Defender {other:.2}")));
    let span = if at_sea { "the whole Battle, round by round" } else { "one Combat Round" };
    facts.push(("what is counted", span.to_owned()));
    facts.push(("assumed", MANNER.to_owned()));
    if let Some(count) = prospects.sample {
        facts.push(("how", format!("{count} Battles played out: right to about 2 in 100")));
    } else if at_sea {
        facts.push(("how", "counted out".to_owned()));
    } else {
        facts.push(("how", "all rolls counted".to_owned()));
    }
    let remain = if at_sea { "Nobody can go on" } else { "Both are left" };
    let results = vec![
        ("Only the Attacker is left".to_owned(), attacker),
        ("Only the Defender is left".to_owned(), defender),
        (remain.to_owned(), both),
    ];
    Answer { title, rule: "12.2", facts, results }
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
            "battle" => self.battle_answer(view, self.named_area(rest)?),
            "trade" => self.trade_answer(view, self.named_area(rest)?),
            "supply" => self.supply_answer(view, self.named_area(rest)?),
            "vp" => Ok(self.vp_answer(view)),
            "reach" => self.reach_answer(view, rest),
            _ => Err(self.which_questions(view)),
        }
    }

    fn which_questions(&self, view: &View) -> String {
        let mut text = "the questions are: battle AREA, trade AREA, supply AREA, reach UNIT, vp, fire UNIT CLASS, calc …"
            .to_owned();
        let now = self.questions(view);
        if !now.is_empty() {
            text.push_str("; now for example: ");
            text.push_str(&now[..now.len().min(5)].join(", "));
        }
        text
    }

    /// An area by its id or its name.
    fn named_area(&self, word: &str) -> Result<u8, String> {
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

    // --- Battles ---------------------------------------------------------------------------------------

    /// Who would attack in an area where Enemies stand: the Active Player, else the viewer, else anybody.
    fn attacker_at(&self, view: &View, area: u8) -> Option<Faction> {
        let state = view.state();
        let fights = |faction: &Faction| {
            state.parties(area).has(*faction) && !self.foes_at(state, *faction, area).is_empty()
        };
        let own = Faction::ALL.into_iter().filter(|faction| view.knows(*faction));
        std::iter::once(state.turn.faction).chain(own).chain(Faction::ALL).find(fights)
    }

    /// The Battle of an area as a calculation.
    fn fight_at(&self, state: &State, area: u8, attacker: Faction) -> Fight {
        let here = state.battle.area == area && state.turn.faction == attacker;
        let against = if here { state.battle.against } else { self.foes_at(state, attacker, area) };
        let mut armies = [Army::default(), Army::default()];
        for (block, unit) in state.blocks_at(area).filter(|(_, unit)| !unit.is(flag::ESCAPED)) {
            let owner = State::owner(block);
            let side = match owner {
                Some(owner) if owner == attacker => 0,
                Some(owner) if against.has(owner) => 1,
                None if against.has_minor() => 1,
                _ => continue,
            };
            armies[side].units.push(Fighter { kind: unit.kind, cv: unit.cv, idle: unit.is(flag::DISRUPTED) });
        }
        armies[0].techs = state.of(attacker).techs;
        armies[0].at_home = state.controls(attacker, area);
        armies[1].techs = against.factions().fold(0, |techs, faction| techs | state.of(faction).techs);
        armies[1].at_home = against.factions().any(|faction| state.controls(faction, area));
        armies[1].minor = against.has_minor() && against.count() == 1;
        let surprise = state.turn.surprise && state.turn.faction == attacker;
        Fight { armies, at_sea: Atlas::is_sea(area), surprise }
    }

    fn battle_answer(&self, view: &View, area: u8) -> Result<Answer, String> {
        let state = view.state();
        let name = &self.atlas().area(area).name;
        let Some(attacker) = self.attacker_at(view, area) else {
            return Err(format!("there are no Enemies side by side in {name}"));
        };
        let title = format!("{} attacks in {name}", capitalized(attacker.the()));
        let fight = self.fight_at(state, area, attacker);
        let unknown = |army: &Army| army.units.iter().filter(|unit| unit.cv == 0).count();
        let hidden: usize = fight.armies.iter().map(unknown).sum();
        if hidden == 0 {
            return Ok(fight_answer(title, &fight, Vec::new()));
        }
        let prospects = Fight::sample(SAMPLE, &mut LabDice::new(SEED), |dice| {
            self.fight_at(&self.determinize(view, dice), area, attacker)
        });
        let mut facts = Vec::new();
        for (name, army) in ["attackers", "defenders"].into_iter().zip(&fight.armies) {
            let known: Vec<Fighter> = army.units.iter().copied().filter(|unit| unit.cv > 0).collect();
            let mut words = describe(&known, fight.at_sea);
            if unknown(army) > 0 {
                let hidden = format!("{} hidden", unknown(army));
                words = if known.is_empty() { hidden } else { format!("{words}, {hidden}") };
            }
            facts.push((name, words));
        }
        facts.push((
            "hidden units",
            "dealt out anew for each Battle: types as the pools and the area allow, CV as the Faction's total allows"
                .to_owned(),
        ));
        Ok(prospects_answer(title, fight.at_sea, &prospects, chances(&prospects), facts))
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
