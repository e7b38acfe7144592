//! The signs and abbreviations on the board, each with a few words.

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    ("MP", "movement points: a leg unit has 8, every other 10; half of it in Low or No Supply"),
    ("reduced", "a ground unit that has lost one of its two steps: −2 in combat"),
    ("star", "an elite unit: +1 in combat"),
    ("Sorties", "what aircraft and ships have done: −1 each in combat; with 6 they can only defend"),
    ("Low, No", "supply: Low means half the MP and −2, No means half the MP, halved rolls and losses"),
    ("ZOC, EZOC", "zone of control and that of an enemy: entering it stops a unit"),
    ("No EZOC", "a gap torn into the front: no enemy zone of control in this hex until the actions end"),
    ("AA, AS", "the attacker loses a step, or is stopped"),
    ("NE", "no effect"),
    ("DR, DD, DE", "the defender retreats, is reduced and retreats, or is eliminated"),
    (
        "Will Commit",
        "the marker with which a side says that it will use aircraft or event markers in a combat",
    ),
    ("fort", "only an Assault can attack a unit in it; the attacker's roll is halved"),
    ("Factory", "2 points a month for its country"),
    ("Fac Lost", "Factories that the strategic war has shut down: Germany, United Kingdom, Soviet Union"),
    ("Extra Factories", "Factories beyond the map"),
    ("National Will", "what a country can still bear; at 0 it collapses"),
    ("Transport Line", "railways and roads: 1 MP a hex, any distance for supply"),
    ("faded dot", "land that no ground unit may ever enter"),
    ("Sea Zone number", "ports and coasts belong to zones; ships pay 1 MP for each"),
    ("ENA, WIO, CRU", "the Map Boxes: Eastern North America, Western Indian Ocean, Central Russia"),
    ("Pro-marker", "a neutral country leans to a faction; the next Influence brings it in"),
    ("Lone", "a country that fights the Soviets alone while the Pact stands"),
    ("Bombed", "a Factory hit by a Bombing Run; it counts in the next strategic combat"),
    ("Partisans", "the unit there costs a point more and fights at −1; no supply runs through the hex"),
    ("Mulberry", "an artificial harbour: a port for supply for three turns"),
    ("Shift+click", "plans a march, stop by stop, attacks included, with the chance to come that far"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::Catalogue;

    use crate::Surrender;
    use crate::choice::Choice;
    use crate::frame::Frame;
    use crate::ids::{City, Country};
    use crate::markers::Marker;
    use crate::prompts::tests::{busy, every_question};
    use crate::story_politics::tests::every_event;
    use crate::tables::{CombatResult, Line};
    use crate::testing::rules;

    const BOOK: &str = <Surrender as Catalogue>::RULEBOOK;

    /// Whether a rule can be found by its number: as a heading, or in bold at the start of a paragraph or item.
    fn has_rule(rule: &str) -> bool {
        BOOK.lines().any(|line| {
            let line = line.trim_start_matches(['#', '*', ' ']);
            line.strip_prefix(rule).is_some_and(|rest| rest.starts_with([' ', '*']))
        })
    }

    #[test]
    fn every_rule_that_the_program_names_is_in_the_book() {
        let rules = rules();
        let mut named: BTreeSet<&str> = BTreeSet::from(["R74", "R105", "R111", "8.1", "9.3", "10.5", "30.6"]);
        named.extend(every_event(&rules).iter().map(|event| rules.log_line(event).rule));
        let mut state = busy(&rules);
        state.push(Frame::Flow);
        for frame in every_question(state.activation.unit) {
            state.become_frame(frame);
            named.insert(rules.prompt(&state).rule);
            named.insert(rules.why_not(&state, Choice::Relocate(City(0))).rule);
        }
        for rule in named {
            assert!(has_rule(rule), "rule {rule} is not in the book");
        }
    }

    #[test]
    fn the_tables_of_the_book_agree_with_the_data() {
        let rules = rules();
        for country in Country::all() {
            let info = rules.world.country(country);
            let line = format!("| {} (`{}`) |", info.name, country.id());
            let line = BOOK.lines().find(|row| row.starts_with(&line)).expect("a line for every country");
            assert!(line.contains(&format!("| {} |", info.will)), "National Will of {}: {line}", info.name);
        }
        for (_, marker) in Marker::ALL {
            let name = rules.marker_name(marker);
            assert!(BOOK.contains(&format!("| {name} |")), "{name} is not in the book");
        }
        for (defender, row) in rules.world.tables.crt.iter().enumerate() {
            let cells: Vec<&str> = row
                .iter()
                .map(|result| if *result == CombatResult::NoEffect { "–" } else { result.code() })
                .collect();
            let line = format!("| **{}** | {} |", defender + 1, cells.join(" | "));
            assert!(BOOK.contains(&line), "the book has another line for defender {}", defender + 1);
        }
        for zone in &rules.world.nodes[..crate::ids::ZONES] {
            assert!(BOOK.contains(&format!("| {} |", zone.name)), "{} is not in the book", zone.name);
        }
        let lines = Line::ALL.len();
        let rows = BOOK.lines().filter(|line| line.starts_with("| +") || line.starts_with("| −")).count();
        assert!(rows > lines - 3, "modifiers are missing in the book");
    }

    #[test]
    fn the_book_is_written_for_players() {
        for word in [".toml", "map.json", "check.py", "[ours]", "[seed]", "[recon]", "prototype", "TODO"] {
            assert!(!BOOK.contains(word), "{word} stands in the rulebook");
        }
        assert!((1..=113).filter(|number| *number != 45).all(|number| has_rule(&format!("R{number}"))));
    }
}
