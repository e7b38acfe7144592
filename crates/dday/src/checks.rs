//! What `maproom check dday` says about our data and about files that a user wrote.

use std::sync::Arc;

use diagnostics::FileCheck;
use diagnostics::Problems;
use diagnostics::examples::must_pass;

use crate::battalions::{BATTALIONS, Battalions};
use crate::commander::{COMMANDERS, Personality};
use crate::rules::Rules;
use crate::scenario::{SCENARIOS, Scenario, Side};
use crate::settings::Settings;
use crate::tables::{TABLES, Tables};

/// The kinds of file.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("scenario", "a map, two armies and their aims"),
    ("commander", "weights for the bot `commander`"),
    ("examples", "positions, choices and what must come of them, as in the rulebook's worked examples"),
];

/// Our own tables, battalions, scenarios, commanders and worked examples.
pub(crate) fn builtin() -> Result<Vec<String>, Problems> {
    let mut lines = Vec::new();
    Tables::read("tables.toml", TABLES)?;
    let battalions = Battalions::read("battalions.toml", BATTALIONS)?;
    let (kinds, nations) = (battalions.kinds.len(), battalions.nations.len());
    lines.push(format!("tables.toml: in order; battalions.toml: {kinds} types, {nations} nations"));
    for (id, text) in SCENARIOS {
        let name = format!("{id}.toml");
        let (scenario, _) = Scenario::read(&name, text)?;
        lines.push(format!("{name}: {}", summary(&scenario)));
    }
    let commanders = Personality::read_all("commanders.toml", COMMANDERS)?;
    let names: Vec<&str> = commanders.iter().map(|commander| commander.id.as_str()).collect();
    lines.push(format!("commanders.toml: {}", names.join(", ")));
    for (name, text) in crate::examples::SOURCES {
        let summary = must_pass(name, text, crate::examples::check(name, text)?)?;
        lines.extend(summary.into_iter().map(|line| format!("{name}: {line}")));
    }
    Ok(lines)
}

/// A scenario in a line.
fn summary(scenario: &Scenario) -> String {
    let count = |side: Side| {
        let all = scenario.troops.iter().filter(|troop| troop.side == side && !troop.is_hq());
        format!("{} {} battalions", scenario.sides[side.index()].id, all.count())
    };
    let objectives = scenario.keys.iter().filter(|key| key.vp > 0).count();
    format!(
        "{}×{} zones, {}, {}, {objectives} objectives ({} VP), {} turns",
        scenario.grid.cols(),
        scenario.grid.rows(),
        count(Side::First),
        count(Side::Second),
        scenario.total_vp(),
        scenario.turns
    )
}

/// What there is of a kind: names and texts.
pub(crate) fn built_in(kind: &str) -> Vec<(&'static str, &'static str)> {
    match kind {
        "scenario" => SCENARIOS.to_vec(),
        "commander" => vec![("commanders", COMMANDERS)],
        _ => Vec::new(),
    }
}

/// A file of a user.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
    match kind {
        "scenario" => {
            let (scenario, problems) = Scenario::read(name, text)?;
            let mut lines = vec![format!("{}: {}", scenario.name, summary(&scenario))];
            let rules = Rules::new(Arc::new(scenario), Settings::default());
            let start = rules.start();
            lines.push(String::new());
            lines.extend(rules.text_map(Some(&start)).lines().map(str::to_owned));
            lines.push(String::new());
            lines.push(LEGEND.to_owned());
            Ok(FileCheck { summary: lines, warnings: problems.to_string(), failures: Vec::new() })
        }
        "commander" => {
            let all = Personality::read_all(name, text)?;
            let summary = all.iter().map(|one| format!("{}: {}", one.id, one.about)).collect();
            Ok(FileCheck { summary, ..FileCheck::default() })
        }
        "examples" => crate::examples::check(name, text),
        _ => {
            let mut problems = Problems::new(name, "");
            problems
                .error(0..0, format!("dday has no files of the kind {kind:?}"))
                .expected("scenario, commander or examples");
            Err(problems)
        }
    }
}

const LEGEND: &str = "G3> three battalions of G facing east, h an HQ alone; * objective, + supply point; n position, \
                      x minefield, o road block; = : / \\ roads, | -- rivers, H ## bridges";
