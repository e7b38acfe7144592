//! The Action Page: the Die Roll Chart, the four tables and the Major Conflict boxes. Rule 3.

use echoes::book::ChartEntry;
use echoes::ids::{Conflict, Region};
use echoes::{NO_BOX, Phase, Rules, State};
use maud::{Markup, html};

/// The Major Conflict that is being fought, where one is. Rule 3.4.
fn conflict_now(rules: &Rules, state: &State) -> Option<Conflict> {
    let fought = matches!(state.phase, Phase::BeforeConflict | Phase::ConflictAllies | Phase::ConflictAxis)
        || (state.phase == Phase::PickAdvance && state.in_box == NO_BOX);
    fought.then(|| rules.conflict_in_hand(state))
}

/// The table that the chart has led to, where it has. Rule 3.1.
fn table_now(state: &State) -> Option<u8> {
    (state.in_box != NO_BOX).then_some(state.in_box / 6)
}

/// The Die Roll Chart. Rule 3.1.
pub fn chart(rules: &Rules, state: &State) -> Markup {
    html! {
        ol #chart.chart aria-label="Die Roll Chart" {
            @for (at, entry) in rules.chart.iter().enumerate() {
                @let (words, now) = match entry {
                    ChartEntry::Table(table) =>
                        (rules.book.tables[usize::from(*table)].name.clone(), table_now(state) == Some(*table)),
                    ChartEntry::Major(conflict) =>
                        (format!("Major Conflict {conflict}"), conflict_now(rules, state) == Some(*conflict)),
                };
                li.now[now] { i.die data-face=(at + 1) aria-hidden="true" {} span { (words) } }
            }
        }
    }
}

/// A table with its six boxes; the box in force is marked, a used event crossed. Rules 3.2, 3.3.
pub fn table(rules: &Rules, state: &State, table: u8) -> Markup {
    let data = &rules.book.tables[usize::from(table)];
    let here = table_now(state) == Some(table);
    html! {
        section id=(format!("table-{}", table + 1)) .box-table.here[here] data-colour=(data.colour) {
            h3 { span.number { (table + 1) } (data.name) }
            ol {
                @for n in 0..6 { (box_text(rules, state, table * 6 + n)) }
            }
        }
    }
}

fn box_text(rules: &Rules, state: &State, number: u8) -> Markup {
    let data = &rules.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
    let now = state.in_box == number && state.phase != Phase::BoxDie;
    let done = state.events >> number & 1 != 0;
    let year = rules.year(state.turn);
    html! {
        li.now[now] {
            h4 { i.number { (number % 6 + 1) } (data.title) }
            @if let Some(event) = &data.parsed.event {
                @let over = *event.years.end() < year;
                p.event.done[done].over[over && !done].playing[now && state.event] {
                    span.square aria-hidden="true" {}
                    b { (event.years.start()) "–" (event.years.end()) } " " (rules.box_words(number, true))
                    @if done { span.sr { " (has happened)" } }
                }
                p.alternate.playing[now && !state.event] { b { "Alternate" } " " (rules.box_words(number, false)) }
            } @else {
                p.always.playing[now] { (rules.box_words(number, false)) }
            }
        }
    }
}

/// A Major Conflict box. Rule 3.4.
pub fn conflict(rules: &Rules, state: &State, conflict: Conflict, key: &str) -> Markup {
    let data = &rules.book.conflicts[conflict.index()];
    let codes = |regions: &[Region]| regions.iter().map(|region| region.code()).collect::<Vec<_>>().join(", ");
    let lead = rules.conflict_lead(state, conflict);
    html! {
        section id=(key) .conflict.now[conflict_now(rules, state) == Some(conflict)] {
            h3 { "Major Conflict " (conflict) }
            p {
                "Both sides roll a die; "
                @match lead {
                    Some(side) => { "the " b { (side) } " add 1 (" (data.track) ")" }
                    None => { "nobody leads " (data.track) }
                }
                ". The higher advances in " (codes(&data.regions)) "; the book goes " (codes(&data.bot_order)) "."
            }
        }
    }
}
