//! Reads the opening forces. Rules 5, 17.

use diagnostics::Problems;
use diagnostics::datafile::Table;

use crate::factions::Faction;
use crate::units::Kind;
use crate::world::{Atlas, OpeningForces, Placement, ShortStart};
use crate::world_files::{faction, placement, short_start};

/// The first hands and the industry of 1936, unless the file says otherwise. Rules 5.1 to 5.3.
const CARDS: [u8; 3] = [14, 8, 6];
const IND: [u8; 3] = [12, 7, 9];

/// The file as a whole.
pub(crate) fn forces(root: &mut Table<'_>, atlas: &Atlas, problems: &mut Problems) -> Option<OpeningForces> {
    let mut forces = OpeningForces {
        units: Vec::new(),
        cards: CARDS,
        ind: IND,
        short: [ShortStart::default(); 3],
        short_satellites: Vec::new(),
        short_units: Vec::new(),
        short_plays: 0,
    };
    let mut fixed = Vec::new();
    for mut entry in root.tables("unit", problems)? {
        let owner = faction(&mut entry, problems);
        let choice = entry.word(
            "kind",
            &["choice", "fixed"],
            |word| match word {
                "choice" => Some(true),
                "fixed" => Some(false),
                _ => None,
            },
            problems,
        );
        let span = entry.span();
        let read = placement(&mut entry, atlas, problems);
        entry.finish(problems);
        let (Some(owner), Some(choice), Some(read)) = (owner, choice, read) else { continue };
        if read.power.faction() != owner {
            let what = format!("{} is not of {}", read.power.title(), owner.the());
            problems.error(span.clone(), what).expected(format!("a nation of {}", owner.the()));
        }
        match (choice, read.kind) {
            (true, Some(_)) => {
                problems.error(span, "the owner chooses these types").expected("no key \"type\"");
            }
            (false, None) => {
                problems.error(span, "the type is missing").expected("\"type\", or kind = \"choice\"");
            }
            (true, None) => forces.units.push(read),
            (false, Some(_)) => fixed.push(read),
        }
    }
    forces.units.sort_by_key(|unit| unit.power.faction());
    forces.units.extend(fixed);
    starts(root, &mut forces, problems);
    short_game(root, &mut forces, atlas, problems)?;
    root.optional("expected");
    check_pools(&forces, atlas, problems);
    Some(forces)
}

/// Hands and industry of 1936 that differ from the published ones.
fn starts(root: &mut Table<'_>, forces: &mut OpeningForces, problems: &mut Problems) {
    let Some(entries) = root.optional("start").and_then(|value| value.tables(problems)) else { return };
    for mut entry in entries {
        let owner = faction(&mut entry, problems);
        let cards = entry.integer("action_cards", 0..=18, problems);
        let ind = entry.integer("ind", 0..=25, problems);
        entry.finish(problems);
        if let (Some(owner), Some(cards), Some(ind)) = (owner, cards, ind) {
            forces.cards[owner.index()] = cards;
            forces.ind[owner.index()] = ind;
        }
    }
}

fn short_game(
    root: &mut Table<'_>,
    forces: &mut OpeningForces,
    atlas: &Atlas,
    problems: &mut Problems,
) -> Option<()> {
    for mut entry in root.tables("short_game", problems)? {
        let owner = faction(&mut entry, problems);
        let start = short_start(&mut entry, problems);
        entry.finish(problems);
        if let (Some(owner), Some(start)) = (owner, start) {
            forces.short[owner.index()] = start;
        }
    }
    let mut axis = root.table("short_game_axis", problems)?;
    let known: Vec<&str> = atlas.nations.iter().map(|nation| nation.id.as_str()).collect();
    forces.short_satellites = axis.required("satellites", "a list of nations", problems)?.words(
        &known,
        |word| atlas.find_nation(word),
        problems,
    )?;
    let mut unit = axis.table("fixed_unit", problems)?;
    forces.short_units.extend(placement(&mut unit, atlas, problems));
    unit.finish(problems);
    forces.short_plays = axis.integer("free_diplomacy_plays", 0..=20, problems)?;
    axis.optional("start_year");
    axis.finish(problems);
    Some(())
}

/// A set-up must not need more blocks than the box holds.
fn check_pools(forces: &OpeningForces, atlas: &Atlas, problems: &mut Problems) {
    for faction in Faction::ALL {
        for &power in crate::factions::Power::of(faction) {
            let own = |units: &[Placement]| -> usize {
                units.iter().filter(|unit| unit.power == power).map(|unit| usize::from(unit.count)).sum()
            };
            let count = own(&forces.units) + own(&forces.short_units);
            if count > power.blocks().len() {
                let what = format!("{} has {count} units", power.title());
                problems.error(0..0, what).expected(format!("at most {}", power.blocks().len()));
            }
            for kind in Kind::ALL {
                let fixed = forces.units.iter().chain(&forces.short_units);
                let count: usize = fixed
                    .filter(|unit| unit.power == power && unit.kind == Some(kind))
                    .map(|unit| usize::from(unit.count))
                    .sum();
                let most = usize::from(atlas.pools[power.index()][kind.index()]);
                if count > most {
                    let what = format!("{} has {count} blocks of the type {}", power.title(), kind.title());
                    problems.error(0..0, what).expected(format!("at most {most}"));
                }
            }
        }
    }
}
