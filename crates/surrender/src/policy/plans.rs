//! The plans that a search chooses among: the staff with other weights.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, refuse_huge};

use crate::choice::Choice;
use crate::state::State;

use super::Memory;
use super::plan::STALE;
use super::weights::{Weights, built_in};

/// The plans that are built in.
const PLANS: &str = include_str!("../../data/plans.toml");

/// So many actions are worth a look.
const IDEAS: usize = 6;

/// The weights that a plan may change.
const KEYS: [&str; 25] = [
    "city",
    "capital",
    "factory",
    "port",
    "objective",
    "army",
    "step",
    "ground",
    "attack_from",
    "pull",
    "block",
    "garrison",
    "supply",
    "reserve",
    "sortie",
    "patience",
    "nearness",
    "exploit",
    "company",
    "line",
    "link",
    "contact",
    "odds",
    "point",
    "aside",
];

/// The staff's own way first, then the other plans.
pub(crate) fn plans() -> &'static [Weights] {
    static READ: LazyLock<Vec<Weights>> = LazyLock::new(|| match read("plans.toml", PLANS) {
        Ok(plans) => plans,
        Err(problems) => panic!("the built-in plans are broken:\n{problems}"),
    });
    &READ
}

/// The staff and the plans of a file.
fn read(name: &str, text: &str) -> Result<Vec<Weights>, Problems> {
    if let Some(problems) = refuse_huge(name, text) {
        return Err(problems);
    }
    let mut problems = Problems::new(name, text);
    let Some(document) = Document::parse(text, &mut problems) else { return Err(problems) };
    let mut root = document.root();
    root.integer("schema", 1..=1_u8, &mut problems);
    let tables = root.tables("plan", &mut problems).unwrap_or_default();
    let mut plans = vec![built_in().clone()];
    plans.extend(tables.into_iter().filter_map(|mut table| read_plan(&mut table, &mut problems)));
    root.finish(&mut problems);
    if problems.has_errors() { Err(problems) } else { Ok(plans) }
}

fn read_plan(table: &mut Table<'_>, problems: &mut Problems) -> Option<Weights> {
    let mut plan = built_in().clone();
    plan.id = table.text("id", problems)?.as_str().to_owned();
    plan.about = table.text("about", problems)?.as_str().to_owned();
    if let Some(bolder) = table.optional("bolder") {
        plan.bolder = bolder.integer(-100..=100, problems)?;
    }
    for key in KEYS {
        let Some(percent) = table.optional(key) else { continue };
        let percent: i32 = percent.integer(0..=2000, problems)?;
        if let Some(weight) = weight(&mut plan, key) {
            *weight = *weight * percent / 100;
        }
    }
    plan.nearness = plan.nearness.max(1);
    table.finish(problems);
    Some(plan)
}

impl Memory {
    /// The actions that were rated highest when the next one was chosen.
    pub(crate) fn ideas(&self, state: &State, choices: &[Choice], ideas: &mut Vec<usize>) {
        let rating = |choice: &Choice| {
            let unit = match choice {
                Choice::Activate(unit) => Some(*unit),
                Choice::Assault(hex) => state.ground_at(*hex),
                _ => None,
            };
            unit.and_then(|unit| self.plan.ratings.get(unit.index()))
                .copied()
                .filter(|rating| *rating != STALE)
        };
        let mut rated: Vec<(i32, usize)> =
            choices.iter().enumerate().filter_map(|(at, choice)| Some((rating(choice)?, at))).collect();
        rated.retain(|(rating, _)| *rating > 0);
        rated.sort_by_key(|(rating, at)| (std::cmp::Reverse(*rating), *at));
        ideas.extend(rated.into_iter().take(IDEAS).map(|(_, at)| at));
    }
}

/// A weight by its key.
fn weight<'w>(weights: &'w mut Weights, key: &str) -> Option<&'w mut i32> {
    Some(match key {
        "city" => &mut weights.city,
        "capital" => &mut weights.capital,
        "factory" => &mut weights.factory,
        "port" => &mut weights.port,
        "objective" => &mut weights.objective,
        "army" => &mut weights.army,
        "step" => &mut weights.step,
        "ground" => &mut weights.ground,
        "attack_from" => &mut weights.attack_from,
        "pull" => &mut weights.pull,
        "block" => &mut weights.block,
        "garrison" => &mut weights.garrison,
        "supply" => &mut weights.supply,
        "reserve" => &mut weights.reserve,
        "sortie" => &mut weights.sortie,
        "patience" => &mut weights.patience,
        "nearness" => &mut weights.nearness,
        "exploit" => &mut weights.exploit,
        "company" => &mut weights.company,
        "line" => &mut weights.line,
        "link" => &mut weights.link,
        "contact" => &mut weights.contact,
        "odds" => &mut weights.odds,
        "point" => &mut weights.point,
        "aside" => &mut weights.aside,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_differ_from_the_staff_and_from_each_other() {
        let plans = plans();
        assert!(plans.len() > 4 && plans[0] == *built_in());
        for (at, plan) in plans.iter().enumerate() {
            let alike = |other: &Weights| {
                Weights { id: String::new(), about: String::new(), ..plan.clone() }
                    == Weights { id: String::new(), about: String::new(), ..other.clone() }
            };
            assert!(!plans[..at].iter().any(alike), "{} is like another", plan.id);
        }
    }

    #[test]
    fn a_wrong_weight_of_a_plan_is_pointed_at() {
        let said = |text: &str| {
            let text = format!("schema = 1\n[[plan]]\nid = \"x\"\nabout = \"X\"\n{text}\n");
            read("my.toml", &text).map(|plans| plans[1].block).map_err(|problems| problems.to_string())
        };
        assert_eq!(said("block = 200"), Ok(2 * built_in().block));
        assert!(said("blck = 200").expect_err("a mistake").contains("blck"));
        assert!(said("block = -1").is_err() && said("bolder = 300").is_err());
    }
}
