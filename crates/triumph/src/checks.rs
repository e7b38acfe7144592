//! What `maproom check triumph` says about our data and about files that a user wrote.

use diagnostics::examples::must_pass;
use diagnostics::{FileCheck, Problems};

use crate::cards::{ActionCard, Diplomacy, InvestmentCard, Research, Season};
use crate::examples;
use crate::factions::Faction;
use crate::world::{ATLAS, OpeningForces};
use crate::world_files::{self, ACTIONS, INVESTMENTS, SETUP};

/// The kinds of file; a file of which nothing is said is of the first kind.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("forces", "opening forces: units by nation and area, first hands, industry, the start of 1939"),
    ("actions", "Action cards: seasons, letters and values, with nations or a WildCard each"),
    ("investments", "Investment cards: Factory values, with technologies or Intelligence each"),
    ("examples", "positions, choices and what must come of them, as in the rulebook's worked examples"),
];

/// Our own map, cards, set-up and worked examples.
pub(crate) fn builtin() -> Result<Vec<String>, Problems> {
    let atlas = world_files::atlas()?;
    let mut lines = vec![format!(
        "areas.toml, borders.toml, nations.toml: {} areas, {} borders, {} nations",
        atlas.areas.len(),
        atlas.borders.len(),
        atlas.nations.len()
    )];
    let own =
        [("cards_action.toml", "actions", ACTIONS), ("cards_investment.toml", "investments", INVESTMENTS)];
    for (name, kind, text) in own.into_iter().chain([("setup.toml", "forces", SETUP)]) {
        lines.extend(file(kind, name, text)?.summary.into_iter().map(|line| format!("{name}: {line}")));
    }
    for (name, text) in examples::SOURCES {
        let summary = must_pass(name, text, examples::check(name, text)?)?;
        lines.extend(summary.into_iter().map(|line| format!("{name}: {line}")));
    }
    Ok(lines)
}

/// What there is of a kind: names and texts.
pub(crate) fn built_in(kind: &str) -> Vec<(&'static str, &'static str)> {
    match kind {
        "forces" => vec![("setup", SETUP)],
        "actions" => vec![("cards_action", ACTIONS)],
        "investments" => vec![("cards_investment", INVESTMENTS)],
        _ => Vec::new(),
    }
}

/// A file of a user.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
    let summary = match kind {
        "actions" => actions(&world_files::actions(name, text, &ATLAS)?),
        "investments" => investments(&world_files::investments(name, text)?),
        "forces" => forces(&world_files::forces(name, text, &ATLAS)?),
        "examples" => return examples::check(name, text),
        _ => {
            let mut problems = Problems::new(name, "");
            problems
                .error(0..0, format!("triumph has no files of the kind {kind:?}"))
                .expected("forces, actions, investments or examples");
            return Err(problems);
        }
    };
    Ok(FileCheck { summary, ..FileCheck::default() })
}

/// A deck of Action cards in a few lines.
fn actions(cards: &[ActionCard]) -> Vec<String> {
    let wild = cards.iter().filter(|card| matches!(card.diplomacy, Diplomacy::Wild(..))).count();
    let seasons = Season::ALL.map(|season| {
        let own: Vec<&ActionCard> = cards.iter().filter(|card| card.season == season).collect();
        let moves: u32 = own.iter().map(|card| u32::from(card.value)).sum();
        format!("{} {} ({moves} moves)", own.len(), season.title())
    });
    let courted = ATLAS.nations.iter().enumerate().filter(|(_, nation)| nation.diplomacy);
    let ends = |wanted: usize| {
        let named = cards.iter().filter(|card| match card.diplomacy {
            Diplomacy::Nations(ends) => ends.contains(&(wanted as u8)),
            Diplomacy::Wild(..) => false,
        });
        named.count()
    };
    let unnamed: Vec<&str> =
        courted.filter(|(at, _)| ends(*at) == 0).map(|(_, nation)| nation.name.as_str()).collect();
    let mut lines =
        vec![format!("{} Action cards, {wild} of them WildCards: {}", cards.len(), seasons.join(", "))];
    if !unnamed.is_empty() {
        lines.push(format!("no card names {}", unnamed.join(", ")));
    }
    lines
}

/// A deck of Investment cards in a line.
fn investments(cards: &[InvestmentCard]) -> Vec<String> {
    let count = |wanted: fn(&Research) -> bool| cards.iter().filter(|card| wanted(&card.research)).count();
    let value: u32 = cards.iter().map(|card| u32::from(card.factory)).sum();
    vec![format!(
        "{} Investment cards: {} with technologies, {} Science, {} Intelligence; {value} Factory points",
        cards.len(),
        count(|research| matches!(research, Research::Tech(..))),
        count(|research| matches!(research, Research::Science(..))),
        count(|research| matches!(research, Research::Intelligence(_))),
    )]
}

/// Opening forces, a line for each Faction.
fn forces(forces: &OpeningForces) -> Vec<String> {
    let line = |faction: Faction| {
        let own = forces.units.iter().filter(|unit| unit.power.faction() == faction);
        let (mut units, mut cv) = (0, 0);
        for unit in own {
            units += u32::from(unit.count);
            cv += u32::from(unit.count) * u32::from(unit.cv);
        }
        let (cards, ind) = (forces.cards[faction.index()], forces.ind[faction.index()]);
        format!("{faction}: {units} units with {cv} CV, {cards} Action cards, IND {ind}")
    };
    Faction::ALL.map(line).to_vec()
}
