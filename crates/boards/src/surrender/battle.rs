//! The combat under way: who fights whom, both lists of modifiers, and the chance of each result before the dice are rolled.

use maud::{Markup, html};
use surrender::{CombatResult, Duel, Fight, Rules, Stage, State, Sum, UnitId};
use web::Scene;

use super::trace::place_anchor;
use super::{counter, frame};

/// Draws the panel; without a combat it is empty.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    let fights = state.fight.primary.some().is_some() && state.fight.stage != Stage::Over;
    let duels = state.duel.units.iter().all(|unit| unit.some().is_some());
    let drawn = match (duels, fights) {
        (true, _) => duel(rules, state, &state.duel),
        (false, true) => fight(rules, state, &state.fight),
        (false, false) => html! { section #battle .battle .none {} },
    };
    scene.add("battle-place", "battle", drawn);
    let attackers = if fights { state.fight.more } else { [UnitId::NONE; 2] };
    let attackers =
        attackers.into_iter().chain(fights.then_some(state.fight.primary)).filter_map(UnitId::some);
    scene.add(
        "strikes",
        "strike-ways",
        html! {
            g #strike-ways {
                @for unit in attackers {
                    path.strike d=(frame::way(rules.world, &[state.unit(unit).place, state.fight.hex])) marker-end="url(#way-head)" {}
                }
            }
        },
    );
}

fn fight(rules: &Rules, state: &State, fight: &Fight) -> Markup {
    let sums = [0, 1].map(|side| rules.fight_sum(state, fight, side));
    let mut attackers = vec![fight.primary];
    attackers.extend(fight.more.iter().filter_map(|unit| unit.some()));
    html! {
        section #battle .battle aria-label="Combat" data-speaks-of=[place_anchor(rules, fight.hex)] {
            (party(rules, state, "Attack", &attackers, fight.air[0], &sums[0]))
            (party(rules, state, "Defence", &[fight.defender], fight.air[1], &sums[1]))
            (chances(rules, &sums, fight.result))
        }
    }
}

fn duel(rules: &Rules, state: &State, duel: &Duel) -> Markup {
    let sums = [0, 1].map(|side| rules.duel_sum(state, duel, side));
    html! {
        section #battle .battle aria-label="Air or naval combat" data-speaks-of=[place_anchor(rules, duel.hex)] {
            (party(rules, state, "Attack", &duel.units[..1], UnitId::NONE, &sums[0]))
            (party(rules, state, "Defence", &duel.units[1..], UnitId::NONE, &sums[1]))
            (chances(rules, &sums, duel.result))
        }
    }
}

/// A side: its units, its modifiers, their sum.
fn party(rules: &Rules, state: &State, title: &str, units: &[UnitId], air: UnitId, sum: &Sum) -> Markup {
    html! {
        div.party {
            h3 { (title) " " b { (signed(sum.total())) } @if sum.die > 0 { " 🎲" (sum.die) } }
            p.units { @for unit in units.iter().copied().chain(air.some()).filter(|unit| unit.some().is_some()) {
                span title=(counter::words(rules, state, unit)) { (counter::loose(rules, state, unit)) }
            } }
            ul { @for (line, value) in sum.lines() { li { span { (line.words()) } b { (signed(*value)) } } }
                @if sum.halvings > 0 { li { span { "halved" } b { (sum.halvings) "×" } } } }
        }
    }
}

/// The chance of each result, as a bar, or what came.
fn chances(rules: &Rules, sums: &[Sum; 2], result: Option<CombatResult>) -> Markup {
    let odds = rules.fight_odds(sums);
    html! {
        div.results {
            @match result {
                Some(result) => { p { b { (title_of(result as usize)) } } },
                None => (bar(&odds)),
            }
        }
    }
}

/// A bar of results with their chances.
pub fn bar(odds: &[u32; 6]) -> Markup {
    html! {
        svg.odds-bar viewBox="0 0 360 26" role="img" aria-label=(odds_words(odds)) {
            @for (at, rolls) in odds.iter().enumerate().filter(|(_, rolls)| **rolls > 0) {
                @let (left, wide) = (odds[..at].iter().sum::<u32>() * 10, rolls * 10);
                g.{"r" (at)} { title { (title_of(at)) ": " (rolls) " of 36" }
                    rect x=(left) y="0" width=(wide) height="26" {}
                    @if *rolls > 1 { text x=(left + wide / 2) y="18" { (CombatResult::ALL[at].0.trim_end_matches(|c: char| c.is_ascii_digit())) @if *rolls > 3 { " " ((rolls * 100 + 18) / 36) } } }
                }
            }
        }
    }
}

/// The results in words, in the order of [`CombatResult`].
const TITLES: [&str; 6] = [
    "attacker worn down",
    "attacker stopped",
    "no effect",
    "defender retreats",
    "defender disrupted",
    "defender eliminated",
];

const fn title_of(at: usize) -> &'static str {
    TITLES[at]
}

/// The chances in words, the best for the attacker first.
pub fn odds_words(odds: &[u32; 6]) -> String {
    let said: Vec<String> = odds
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, rolls)| **rolls > 0)
        .map(|(at, rolls)| format!("{} {}%", title_of(at), (rolls * 100 + 18) / 36))
        .collect();
    said.join(", ")
}

fn signed(value: i8) -> String {
    if value < 0 { format!("−{}", -value) } else { format!("+{value}") }
}
