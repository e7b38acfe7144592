//! What `maproom check surrender` says about our data and about files that a user wrote.

use std::fmt::Write as _;
use std::sync::Arc;

use diagnostics::examples::must_pass;
use diagnostics::{FileCheck, Problems};

use crate::examples;
use crate::files;
use crate::ids::{Faction, Place, Side};
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::scenario_file;
use crate::settings::Settings;
use crate::setups;
use crate::state::State;
use crate::world::World;

/// The kinds of file.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("scenario", "what part of the war is played: countries, area, set-up, special rules, victory"),
    ("examples", "positions, choices and what must come of them, as in the rulebook's worked examples"),
];

/// What the signs of the drawing mean.
const LEGEND: &str = "a, w, s: a hex of the Axis, the West, the Soviets; -: nobody's; # a ground unit, o a city, ^ rough ground";

/// Our own map, tables, units and scenarios.
pub(crate) fn builtin() -> Result<Vec<String>, Problems> {
    let world = files::world()?;
    let mut lines = vec![format!(
        "{} land hexes, {} cities, {} countries, {} units, {} kinds of marker",
        world.hexes.len(),
        world.cities.len(),
        world.countries.len(),
        world.units.len(),
        world.markers.len()
    )];
    for (id, text) in scenario_file::SCENARIOS {
        let name = format!("{id}.toml");
        let (scenario, _) = scenario_file::read(&name, text)?;
        lines.push(format!("{name}: {}", summary(&scenario)));
    }
    for (name, text) in examples::SOURCES {
        let summary = must_pass(name, text, examples::check(name, text)?)?;
        lines.extend(summary.into_iter().map(|line| format!("{name}: {line}")));
    }
    Ok(lines)
}

/// What there is of a kind: names and texts.
pub(crate) fn built_in(kind: &str) -> Vec<(&'static str, &'static str)> {
    if kind == "scenario" { scenario_file::SCENARIOS.to_vec() } else { Vec::new() }
}

/// A file of a user.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
    if kind == "examples" {
        return examples::check(name, text);
    }
    if kind != "scenario" {
        let mut problems = Problems::new(name, text);
        problems
            .error(0..0, format!("there are no files of the kind \"{kind}\""))
            .expected("scenario or examples");
        return Err(problems);
    }
    let (scenario, problems) = scenario_file::read(name, text)?;
    let mut lines = vec![format!("{}: {}", scenario.title, summary(&scenario)), String::new()];
    let scenario = Arc::new(scenario);
    let rules = Rules::new(Settings { scenario, secret: false, historical: false, variable: false });
    lines.extend(rules.text_map(&rules.opening()).lines().map(str::to_owned));
    lines.push(String::new());
    lines.push(LEGEND.to_owned());
    Ok(FileCheck { summary: lines, warnings: problems.to_string(), failures: Vec::new() })
}

/// A scenario in a line.
fn summary(scenario: &Scenario) -> String {
    let world = World::get();
    let mut line = setups::length(scenario);
    for faction in &scenario.factions {
        let units = scenario
            .setup
            .iter()
            .filter(|entry| scenario.active[world.unit(entry.unit).country.index()] == Some(*faction));
        let by_country = world.units.iter().filter(|unit| {
            let country = unit.country.index();
            scenario.country_setup >> country & 1 != 0
                && scenario.active[country] == Some(*faction)
                && unit.avail == crate::world::Avail::Start
        });
        let _ = write!(line, ", {} {} units", title(*faction), units.count() + by_country.count());
    }
    let hexes = scenario.playable.iter().filter(|is_in_play| **is_in_play).count();
    let _ = write!(
        line,
        ", {hexes} hexes, {} special rules, {} victory lines",
        scenario.special.len(),
        scenario.victory.len()
    );
    line
}

const fn title(faction: Faction) -> &'static str {
    match faction {
        Faction::Axis => "Axis",
        Faction::Western => "Western",
        Faction::Soviet => "Soviet",
    }
}

impl Rules {
    /// The part of the map in play as text, two signs a hex: who controls it, and what is in it.
    pub(crate) fn text_map(&self, state: &State) -> String {
        let in_play =
            || Place::hexes().filter(|hex| self.scenario().in_play(*hex)).map(|hex| self.world.hex(hex));
        let (top, bottom) =
            in_play().fold((u8::MAX, 0), |(low, high), hex| (low.min(hex.row), high.max(hex.row)));
        let (left, right) =
            in_play().fold((u8::MAX, 0), |(low, high), hex| (low.min(hex.col), high.max(hex.col)));
        let mut text = String::new();
        for row in top..=bottom {
            let mut line = format!("{row:02} {}", if row % 2 == 0 { " " } else { "" });
            for col in left..=right {
                match self.world.at(row, col).filter(|hex| self.scenario().in_play(*hex)) {
                    Some(hex) => line.extend(self.signs(state, hex)),
                    None => line.push_str("  "),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn signs(&self, state: &State, hex: Place) -> [char; 2] {
        let controller = match state.controller(hex) {
            Side::Axis => 'a',
            Side::Western => 'w',
            Side::Soviet => 's',
            Side::Lone => 'l',
            Side::Nobody => '-',
        };
        let inside = if state.ground_at(hex).is_some() {
            '#'
        } else if self.has_city(hex) {
            'o'
        } else if self.world.hex(hex).terrain.is_rough() {
            '^'
        } else {
            ' '
        };
        [controller, inside]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_in_play_is_drawn() {
        let (_, poland) = scenario_file::SCENARIOS[0];
        let check = file("scenario", "poland.toml", poland).unwrap_or_else(|problems| panic!("{problems}"));
        let text = check.summary.join("\n");
        assert!(
            text.contains("Poland 1939: 2 turns, September to October 1939, Axis 10 units, Western 9 units"),
            "{text}"
        );
        // Hex 2736: POL-MOD north of Warsaw (2835), which no ground unit holds.
        let row = |number: &str| text.lines().find(|line| line.starts_with(number)).map(str::to_owned);
        assert!(row("27 ").is_some_and(|row| row.contains("w#")), "{text}");
        assert!(row("28 ").is_some_and(|row| row.contains("wo")), "{text}");
        assert!(row("60 ").is_none());
        assert!(file("book", "x", "").is_err());
        assert!(file("scenario", "x", "id = 3").is_err());
    }

    #[test]
    fn our_data_is_in_order() {
        let lines = builtin().unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(lines.len(), 1 + scenario_file::SCENARIOS.len() + examples::SOURCES.len());
        assert!(lines[0].starts_with("2446 land hexes, 236 cities, 29 countries, 320 units"), "{}", lines[0]);
    }
}
