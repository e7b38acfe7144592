//! Standing orders on the page of the seat that gave them: what is about to be answered, what has ended and why, and the desk
//! at which orders are written.

use diagnostics::Problems;
use kernel::{Actor, Mover, Seat, Viewer};
use maud::{Markup, html};
use orders::{MOST_IN_A_ROW, MOST_ORDERS, Standing};
use serde_json::{Value, json};

use crate::live::Live;
use crate::scene::{Part, Scene};

/// How many of the last steps an order can be tied to from the list.
const RECENT: usize = 12;
/// How far back they are looked for.
const LOOK_BACK: usize = 96;

/// The part of the page, for a change of orders that is no change of the match.
pub fn part(live: &Live, viewer: Viewer) -> Part {
    Part("standing-orders".to_owned(), Some("ask"), bar(live, viewer).into_string())
}

/// Adds what a seat is told of its orders; nobody else's page has it.
pub fn add(live: &Live, viewer: Viewer, scene: &mut Scene) {
    if matches!(viewer, Viewer::Seat(_)) {
        scene.add("ask", "standing-orders", bar(live, viewer));
    }
}

fn bar(live: &Live, viewer: Viewer) -> Markup {
    let Viewer::Seat(seat) = viewer else { return html! {} };
    let list = live.orders.list(seat);
    let may_seal = live.may_seal(seat);
    if (list.is_empty() && !may_seal) || live.is_over() {
        return html! { div #standing-orders.agreements.orders hidden {} };
    }
    let coming = live.orders.coming().filter(|coming| coming.seat == seat);
    let standing = coming.and_then(|coming| list.iter().find(|one| one.number == coming.number));
    let running = list.iter().filter(|one| one.runs() && !one.is_sealed()).count();
    let sealed = list.iter().find(|one| one.is_sealed());
    html! {
        div #standing-orders.agreements.orders {
            @if let Some(sealed) = sealed.filter(|_| coming.is_none()) { (sealed_choice(sealed, may_seal)) }
            @else if may_seal { (sealing(live)) }
            @if let (Some(coming), Some(standing)) = (coming, standing) {
                @let seconds = coming.at.saturating_sub(live.now()).div_ceil(1000).max(1);
                p role="status" { "Your order answers in about " (seconds) " s: " q { (standing.words) } " You can still choose yourself." }
                p.buttons {
                    button type="button" data-act="order-deed" data-deed="hold" title="The order leaves this question to you." { "Not this time" }
                }
            }
            @if live.orders.are_tired(seat) {
                p role="status" { "Your orders have answered " (MOST_IN_A_ROW) " times in a row. Choose once yourself, and they go on." }
            }
            @for one in list.iter().filter(|one| one.ended.is_some()) { (ended(one)) }
            @if running > 0 {
                p.buttons {
                    button type="button" data-act="orders" title="Look at your orders, or change them (Shift+O)" { (count(running)) }
                }
            }
        }
    }
}

/// Somebody else is asked in secret: nobody has to wait for them.
fn sealing(live: &Live) -> Markup {
    html! {
        p role="status" { (live.to_move()) " is asked in secret. You need not wait: choose now what you will answer." }
        p.buttons {
            button type="button" data-act="seal" title="Your choice is kept sealed until you are asked; nobody is shown it." { "Choose now" }
        }
    }
}

/// A choice that waits for its question.
fn sealed_choice(sealed: &Standing, may_change: bool) -> Markup {
    html! {
        p role="status" { (sealed.words) " It is played when you are asked; until then nobody is shown it." }
        p.buttons {
            @if may_change { button type="button" data-act="seal" { "Change it" } }
            button type="button" data-act="order-deed" data-deed="remove" data-number=(sealed.number) { "Take it back" }
        }
    }
}

/// What a seat could choose before it is asked.
pub fn sealable(offers: &[kernel::Offer]) -> Markup {
    html! {
        h2 #seal-title { "Choose in secret" }
        @if offers.is_empty() {
            p { "You will not be asked this, or have answered it already." }
        } @else {
            p { "Your choice is kept sealed and played when you are asked. Until then you can change it or take it back, and nobody is shown it." }
            ol.sealable {
                @for offer in offers { li { button type="button" data-seal=(offer.name) { (offer.label) } } }
            }
        }
        p.buttons { button type="button" data-close="" { "Close" } }
    }
}

fn count(running: usize) -> String {
    format!("{running} standing order{}", if running == 1 { "" } else { "s" })
}

/// An order that has ended, until its owner has taken note.
fn ended(one: &Standing) -> Markup {
    let why = one.ended.as_ref().map_or_else(String::new, ToString::to_string);
    html! {
        p role="status" {
            @if one.order.sealed { (one.words) } @else { q { (one.words) } }
            " " b { (why) }
        }
        p.buttons {
            button type="button" data-act="order-deed" data-deed="remove" data-number=(one.number) { "I see" }
        }
    }
}

/// What the desk is opened with: a choice that an order is to make, and a step that it is to follow.
pub struct Wanted<'a> {
    /// The name of the choice.
    pub choice: &'a str,
    /// The step, from 1; 0 for none.
    pub step: usize,
}

/// The desk: the orders, what can be made of the present question, and the editor.
pub fn desk(live: &Live, seat: Seat, wanted: &Wanted<'_>) -> Markup {
    html! {
        h2 #orders-title { "Standing orders" }
        p {
            "An order answers a question for you, also while you are away. Others see the choice, and learn only after the match "
            "that an order made it."
        }
        @if live.table.hides() {
            p { small {
                "In this game an order never looks at what you hold or at what you are offered: it answers whenever its question "
                "comes, and stops if its choice can't be made."
            } }
        }
        (list(live, seat))
        (from_choices(live, seat, wanted))
        form #order-form {
            label for="order-text" { "The order" }
            textarea #order-text name="text" rows="3" maxlength="1000" spellcheck="false" autocapitalize="off"
                aria-describedby="order-help order-problems" required placeholder="when rule 8.3 choose \"pass\" until turn 8" {}
            ul #order-problems.problems role="alert" {}
            details #order-help {
                summary { "How orders are written" }
                (language(live))
            }
            p.buttons {
                button.go-on type="submit" { "Save the order" }
                button type="button" data-close="" { "Close" }
            }
        }
    }
}

fn list(live: &Live, seat: Seat) -> Markup {
    let list = live.orders.list(seat);
    let seats = live.table.seats();
    html! {
        @if list.is_empty() { p { "You have no orders here yet." } } @else {
            ol.order-list aria-label={"Your orders, at most " (MOST_ORDERS) ": the first that fits answers"} {
                @for one in list {
                    li.resting[!one.runs()] {
                        p { (one.words) }
                        p { code { (one.order.text(seats)) } }
                        p { small { (state(one)) } }
                        p.buttons {
                            @if one.ended.is_none() {
                                @let (deed, label) = if one.is_paused { ("resume", "Go on") } else { ("pause", "Pause") };
                                button type="button" data-order=(deed) data-number=(one.number) { (label) }
                            }
                            button type="button" data-order="remove" data-number=(one.number) { "Remove" }
                        }
                    }
                }
            }
        }
    }
}

/// How an order stands, in a sentence.
fn state(one: &Standing) -> String {
    let answered = match one.answers {
        0 => "has not answered yet".to_owned(),
        1 => "has answered once".to_owned(),
        times => format!("has answered {times} times"),
    };
    let left = one.uses_left.map_or_else(String::new, |left| format!(", {left} left"));
    match &one.ended {
        Some(why) => format!("{why} It {answered}."),
        None if one.is_paused => format!("Paused. It {answered}{left}."),
        None => format!("Runs. It {answered}{left}."),
    }
}

/// Orders that can be made of the question that is asked now.
fn from_choices(live: &Live, seat: Seat, wanted: &Wanted<'_>) -> Markup {
    let offers = match live.table.mover() {
        Mover::Seat(mover) if mover == seat && live.plays(Viewer::Seat(seat)) => {
            live.table.offers(Viewer::Seat(seat))
        }
        _ => Vec::new(),
    };
    let events = recent(live, seat, wanted.step);
    html! {
        @if !offers.is_empty() {
            fieldset #order-draft {
                legend { "Make one of a choice" }
                label.field { "Choose " select #order-choice {
                    @for offer in &offers {
                        option value=(offer.name) selected[offer.name == wanted.choice] { (offer.label) }
                    }
                } }
                p.buttons {
                    button type="button" data-draft="always" { "Always here" }
                    button type="button" data-draft="until" { "Until something happens to me" }
                }
                @if !events.is_empty() {
                    label.field { "If " select #order-event {
                        @for (step, words) in &events {
                            option value=(step) selected[*step == wanted.step] { (words) }
                        }
                    } }
                    p.buttons { button type="button" data-draft="after" { "If that, then this" } }
                }
            }
        }
    }
}

/// What others and Fate have done of late, the latest first, as an order may see it; and the step that somebody looks at.
fn recent(live: &Live, seat: Seat, wanted: usize) -> Vec<(usize, String)> {
    let table = &*live.table;
    let viewer = if table.hides() { Viewer::Spectator } else { Viewer::Seat(seat) };
    let steps = table.steps();
    let mut found = table.log_range(steps.saturating_sub(LOOK_BACK)..steps, viewer);
    found.retain(|entry| entry.actor != Actor::Seat(seat));
    found.drain(..found.len().saturating_sub(RECENT));
    if (1..=steps).contains(&wanted) && !found.iter().any(|entry| entry.step == wanted) {
        found.splice(0..0, table.log_range(wanted - 1..wanted, viewer));
    }
    let words = |entry: kernel::LogEntry| {
        let who = match entry.actor {
            Actor::Fate => "Fate",
            Actor::Seat(seat) => table.seats()[seat.index()].title,
        };
        let told = entry.story.iter().find(|line| !line.aside).or(entry.story.first());
        let what = told.map_or("something that you can't see", |line| line.text.as_str());
        (entry.step, format!("Step {}, {who}: {what}", entry.step))
    };
    found.into_iter().rev().map(words).collect()
}

fn language(live: &Live) -> Markup {
    let seats: Vec<&str> = live.table.seats().iter().map(|seat| seat.word).collect();
    html! {
        ul {
            li { code { "when rule 8.3" } ": the rule of the question; " code { "8.3.*" } " is all under it." }
            li {
                code { "after " (seats.first().copied().unwrap_or("other")) " \"…\"" }
                ": what was chosen last, by " (seats.join(", ")) ", " code { "other" } ", " code { "anybody" } " or "
                code { "fate" } "; more with " code { "then" } "."
            }
            @if live.table.hides() {
                li { code { "choose \"…\"" } ": one choice, by its whole name; or " code { "usual" } ", what the game would do." }
            } @else {
                li {
                    code { "choose \"…\" | \"…\" | usual" } ": the first of these that is open. " code { "*" } " is any word, "
                    code { "**" } " any words up to the end, " code { "usual" } " what the game would do."
                }
            }
            li { code { "unless other \"…\"" } ", " code { "until turn 8" } ", " code { "2 times" } ": when the order ends." }
        }
    }
}

/// What is wrong with a text, each with its place.
pub fn problems(problems: &Problems) -> Value {
    let told: Vec<Value> = problems
        .list()
        .iter()
        .map(|problem| {
            let at = problems.position(problem.span.start);
            json!({
                "line": at.line,
                "column": at.column,
                "from": utf16(problems.text(), problem.span.start),
                "to": utf16(problems.text(), problem.span.end),
                "what": problem.what,
                "expected": problem.expected,
                "hint": problem.hint,
            })
        })
        .collect();
    json!({ "error": "This order can't be read.", "code": "unreadable-order", "problems": told })
}

/// A place in a text as browsers count.
fn utf16(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).encode_utf16().count()
}
