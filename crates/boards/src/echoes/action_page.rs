//! The Action Page: the Die Roll Chart, the four tables and the Major Conflict boxes. Rule 3.
//!
//! Its text is long and stays; what changes are classes: the box in force, an event that has happened or is over.

use echoes::book::ChartEntry;
use echoes::ids::{Conflict, Region};
use echoes::{NO_BOX, Phase, Rules, State};
use maud::{Markup, html};

/// The Major Conflict that is being fought, where one is. Rule 3.4.
pub fn conflict_now(rules: &Rules, state: &State) -> Option<Conflict> {
    let fought = matches!(
        state.phase,
        Phase::BeforeConflict | Phase::ConflictAllies | Phase::ConflictAxis | Phase::AfterConflict
    ) || (state.phase == Phase::PickAdvance && state.in_box == NO_BOX);
    fought.then(|| rules.conflict_in_hand(state))
}

/// The table that the chart has led to, where it has. Rule 3.1.
fn table_now(state: &State) -> Option<u8> {
    (state.in_box != NO_BOX).then_some(state.in_box / 6)
}

/// The Die Roll Chart. Rule 3.1.
pub fn chart(rules: &Rules) -> Markup {
    html! {
        ol.chart aria-label="Die Roll Chart" {
            @for (at, entry) in rules.chart.iter().enumerate() {
                li #{"chart-" (at + 1)} {
                    i.die data-face=(at + 1) aria-hidden="true" {}
                    span {
                        @match entry {
                            ChartEntry::Table(table) => (rules.book.tables[usize::from(*table)].name),
                            ChartEntry::Major(conflict) => { "Major Conflict " (conflict) },
                        }
                    }
                }
            }
        }
    }
}

/// A table with its six boxes. Rules 3.2, 3.3.
pub fn table(rules: &Rules, table: u8) -> Markup {
    let data = &rules.book.tables[usize::from(table)];
    html! {
        section.box-table data-colour=(data.colour) {
            h3 { span.number { (table + 1) } (data.name) }
            ol {
                @for n in 0..6 { (box_text(rules, table * 6 + n)) }
            }
        }
    }
}

fn box_text(rules: &Rules, number: u8) -> Markup {
    let data = &rules.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
    html! {
        li id=(box_key(number)) {
            h4 { i.number { (number % 6 + 1) } (data.title) }
            @if let Some(event) = &data.parsed.event {
                p.event {
                    span.square aria-hidden="true" {}
                    b { (event.years.start()) "–" (event.years.end()) } " " (rules.box_words(number, true))
                }
                p.alternate { b { "Alternate" } " " (rules.box_words(number, false)) }
            } @else {
                p.always { (rules.box_words(number, false)) }
            }
        }
    }
}

/// The name of a box.
pub fn box_key(number: u8) -> String {
    format!("box-{}-{}", number / 6 + 1, number % 6 + 1)
}

/// The name of a Major Conflict's box.
pub fn conflict_key(conflict: Conflict) -> &'static str {
    match conflict {
        Conflict::Europe => "conflict-europe",
        Conflict::Pacific => "conflict-pacific",
    }
}

/// Where the words of a Major Conflict go, and their name.
pub const fn conflict_slot(conflict: Conflict) -> (&'static str, &'static str) {
    match conflict {
        Conflict::Europe => ("conflict-europe-place", "conflict-europe-words"),
        Conflict::Pacific => ("conflict-pacific-place", "conflict-pacific-words"),
    }
}

/// The class of everything on the page whose class changes.
pub fn classes(rules: &Rules, state: &State) -> Vec<(String, String)> {
    let mut classes = Vec::with_capacity(32);
    let fought = conflict_now(rules, state);
    for (at, entry) in rules.chart.iter().enumerate() {
        let now = match entry {
            ChartEntry::Table(table) => table_now(state) == Some(*table),
            ChartEntry::Major(conflict) => fought == Some(*conflict),
        };
        classes.push((format!("chart-{}", at + 1), if now { "now" } else { "" }.to_owned()));
    }
    let year = rules.year(state.turn);
    for number in 0..24 {
        classes.push((box_key(number), box_class(rules, state, number, year)));
    }
    for conflict in Conflict::ALL {
        let class = if fought == Some(conflict) { "conflict now" } else { "conflict" };
        classes.push((conflict_key(conflict).to_owned(), class.to_owned()));
    }
    classes
}

/// `now` for the box in force, with the half that is played; `done` for a crossed event, `over` for one whose years are
/// past. Rule 3.3.1.
fn box_class(rules: &Rules, state: &State, number: u8, year: u16) -> String {
    let data = &rules.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
    let mut words = Vec::new();
    if state.in_box == number && state.phase != Phase::BoxDie {
        words.push("now");
        words.push(if state.event { "plays-event" } else { "plays-rest" });
    }
    if let Some(event) = &data.parsed.event {
        if state.events >> number & 1 != 0 {
            words.push("done");
        } else if *event.years.end() < year {
            words.push("over");
        }
    }
    words.join(" ")
}

/// What a Major Conflict would mean now. Rule 3.4.
pub fn conflict(rules: &Rules, state: &State, conflict: Conflict) -> Markup {
    html! { div id=(conflict_slot(conflict).1) { (conflict_words(rules, state, conflict)) } }
}

/// How a Major Conflict goes, as the tracks stand.
pub fn conflict_words(rules: &Rules, state: &State, conflict: Conflict) -> Markup {
    let data = &rules.book.conflicts[conflict.index()];
    let codes =
        |regions: &[Region]| regions.iter().map(|region| region.code()).collect::<Vec<_>>().join(", ");
    html! {
        p {
            "Both sides roll a die; "
            @match rules.conflict_lead(state, conflict) {
                Some(side) => { "the " b { (side) } " " (side.verb("add", "adds")) " 1 (" (data.track) ")" }
                None => { "nobody leads " (data.track) }
            }
            ". The higher advances in " (codes(&data.regions)) "; the book's order is " (codes(&data.bot_order)) "."
        }
    }
}
