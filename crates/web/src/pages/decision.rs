//! The decision panel, the same for every game: prompt, thinking bot, pace, choices and dice.

use kernel::{MatchDice, Mover, Viewer};
use maud::{Markup, html};

use crate::live::Live;
use crate::lobby::Pace;
use crate::opponents::bot_name;
use crate::pages::layout::{icon, rule_link};
use crate::pages::{agreements, chance, coach, fair_dice, orders, presence, seats};
use crate::scene::{Menu, MenuItem, Scene};
use crate::title::PointInTime;

/// How many dice of the last change the tray shows.
const TRAY: usize = 5;

/// With more choices than this the list is sent as rows of text, which the page makes into buttons: a third of the size.
const LONG_LIST: usize = 24;

/// The parts of the page that are the same for every game: turn, prompt, choices, dice.
pub fn controls(live: &Live, viewer: Viewer, moment: PointInTime, menu: &Menu, scene: &mut Scene) {
    let table = &*live.table;
    match moment {
        PointInTime::Now => {
            let turn = table.turn_title(table.turn());
            scene.add("bar", "turn", html! { span #turn { (turn) } });
            if let Some(coach) = coach::panel(live, viewer) {
                scene.add("ask", "coach", coach);
            }
            scene.add("ask", "prompt", prompt(live, viewer));
            scene.add("ask", "thinking", thinking(live));
            scene.add("ask", "pace", pace(live));
            scene.add("ask", "chance", chance::bar(live, viewer));
            scene.add("ask", "choices", choices(live, viewer, menu));
            scene.add("ask", "tray", tray(live, viewer, live.last_input_from(), table.steps()));
            scene.add("seats-list", "seating", seats::list(live, viewer));
            // Only people who play each other have clocks and something to settle.
            if !live.is_solo() {
                scene.add("ask", "clocks", agreements::clocks(live));
                scene.add("ask", "agreements", agreements::agreements(live, viewer));
            }
            orders::add(live, viewer, scene);
            if let Some(dice) = fair_dice::panel(live, viewer) {
                scene.add("share-dice", "fair-dice", dice);
            }
            if live.company.meets {
                scene.add("ask", "presence", presence::line(live));
            }
        }
        PointInTime::After(steps) => {
            let turn = steps.checked_sub(1).map_or(1, |before| table.turn_at(before));
            let turn = table.turn_title(turn);
            scene.add("bar", "turn", html! { span #turn { (turn) } });
            scene.add("ask", "prompt", past_prompt(live, viewer, steps));
            scene.add("ask", "choices", html! { div #choices.choices {} });
            scene.add("ask", "tray", tray(live, viewer, steps.saturating_sub(1), steps));
        }
    }
}

fn prompt(live: &Live, viewer: Viewer) -> Markup {
    let table = &*live.table;
    if let Some(result) = live.outcome() {
        let mine = match viewer {
            Viewer::Seat(seat) => result.standings.get(seat.index()).map(ToString::to_string),
            Viewer::Spectator => None,
        };
        return html! {
            div #prompt.prompt.over data-standing=[mine] {
                p.sentence { (result.title) }
                p.then {
                    "The game is over. Replay it with the slider, or click any line of the log."
                }
                p.buttons {
                    button.go-on type="button" data-act="ending" { "How it ended" }
                    button type="button" data-act="review" { "Review: luck or skill?" }
                    button type="button" data-act="share" { "Save or print the record" }
                    a.button href="/" { "New game" }
                }
            }
        };
    }
    // A player whose seat a bot plays waits like the others.
    let left = match viewer {
        Viewer::Seat(seat) => live.bot_at(seat).map(|bot| (seat, bot)),
        Viewer::Spectator => None,
    };
    let asked = table.prompt(if left.is_some() { Viewer::Spectator } else { viewer });
    let yours = match table.mover() {
        Mover::Seat(seat) => viewer == Viewer::Seat(seat) && left.is_none(),
        Mover::Fate => *table.dice() == MatchDice::Own && viewer != Viewer::Spectator,
        Mover::Nobody => false,
    };
    let bot = live.bot_to_choose().map(|(_, word)| word);
    html! {
        div #prompt.prompt.yours[yours] data-thinking=[bot] {
            p.sentence {
                (asked.text)
                @if let Some(bot) = bot {
                    " · " span.who { (bot_name(bot)) }
                    @if live.bots.pace() == Pace::Paused { ", paused" }
                }
                " " (rule_link(live.title.id(), asked.rule))
            }
            @if table.mover() == Mover::Fate && yours {
                p.then { "Roll your die and choose the result." }
            }
            @if let Some((seat, bot)) = left {
                p.then { (bot_name(bot)) " is playing for you; you are watching." }
                p.buttons {
                    button type="button" data-act="hand-over" data-seat=(seat.0) data-bot="" { "Take over again" }
                }
            }
            @if yours && matches!(table.mover(), Mover::Seat(_)) && live.may_analyse() {
                p.buttons.helpers {
                    button type="button" data-act="hint" title="The best choice the bot can find (h)" { "Hint " kbd { "h" } }
                }
            }
        }
    }
}

/// Which bot is thinking and for how long; the page counts on from there. Only those who may set the pace see the button.
fn thinking(live: &Live) -> Markup {
    let Some(thinking) = live.long_thinking() else {
        return html! { div #thinking.thinking role="status" hidden {} };
    };
    html! {
        div #thinking.thinking role="status" data-ms=(thinking.since.elapsed().as_millis()) {
            span.dots aria-hidden="true" { i {} i {} i {} }
            span { (bot_name(&thinking.bot)) " is thinking" span.clock aria-hidden="true" {} }
            button type="button" data-act="play-now" title="Play the best choice found so far (n)" {
                "Play now " kbd { "n" }
            }
        }
    }
}

/// How fast everything happens that the viewer has no part in: bots, dice, forced moves. Where bots play it is the same for
/// everybody, and the class of the page hides the buttons from those who may not change it, so that the markup is the same for
/// all spectators. Elsewhere everybody has a pace of their own, which the page keeps.
fn pace(live: &Live) -> Markup {
    if live.is_over() {
        return html! { div #pace.pace hidden {} };
    }
    let now = live.bots.pace();
    html! {
        div #pace.pace role="group" aria-label="How fast things happen" data-pace=(now.word())
            data-resume=(live.bots.resumed_pace().word()) data-bots=[live.has_bots().then_some("")] {
            span { "Pace:" }
            span.now { (now.title()) }
            @for pace in Pace::ALL {
                button type="button" data-act="pace" data-pace=(pace.word()) title=(pace.about())
                    aria-pressed=(if pace == now { "true" } else { "false" }) {
                    @if pace == Pace::Paused { (icon("M5 3v10M11 3v10")) }
                    (pace.title())
                }
            }
            @if now == Pace::Paused && live.has_bots() {
                button type="button" data-act="bot-step" title="Let the bot make one choice"
                    disabled[live.bot_to_choose().is_none()] { "Step" }
            }
        }
    }
}

fn past_prompt(live: &Live, viewer: Viewer, steps: usize) -> Markup {
    let table = &*live.table;
    let may_fork = live.is_solo() && matches!(viewer, Viewer::Seat(_)) && steps < table.steps();
    html! {
        div #prompt.prompt.past {
            p.sentence { "Position after step " (steps) " of " (table.steps()) "." }
            p.buttons {
                button type="button" data-act="now" { "Current position " kbd { "Esc" } }
                @if may_fork {
                    button type="button" data-act="fork" data-step=(steps)
                        title="Starts a new match from this position; this match is not changed." {
                        "Play from here " kbd { "f" }
                    }
                }
            }
        }
    }
}

fn choices(live: &Live, viewer: Viewer, menu: &Menu) -> Markup {
    let table = &*live.table;
    let Menu { open, default, closed } = menu;
    let asked = matches!(table.mover(), Mover::Seat(_)) || *table.dice() == MatchDice::Own;
    let left = matches!(table.mover(), Mover::Seat(_)) && !live.plays(viewer);
    if open.is_empty() || !asked || left || viewer == Viewer::Spectator {
        return html! { div #choices.choices {} };
    }
    let faces = open.iter().all(|item| item.face.is_some());
    html! {
        div #choices.choices.faces[faces] {
            @if open.len() > LONG_LIST && !faces { (rows(open, *default)) } @else { ol aria-label="Your choices" {
                @for (first, items) in grouped(open) {
                    @if let Some((heading, _)) = items.first().and_then(|item| item.group.as_ref()) {
                        li.group {
                            p { (heading) }
                            div role="group" aria-label=(heading) {
                                @for (at, item) in (first..).zip(items) { (choice_button(item, at, *default)) }
                            }
                        }
                    } @else {
                        @for (at, item) in (first..).zip(items) { li { (choice_button(item, at, *default)) } }
                    }
                }
            } }
            // The list itself is fetched when somebody opens it.
            @if *closed > 0 {
                details.closed #closed { summary { "Why not …? (" (closed) ")" } ul {} }
            }
        }
    }
}

/// A long list, as `rows.js` reads it: a line for each choice with its name and label, and as far as there are any the question
/// about its odds, its heading, and what it is called there.
fn rows(open: &[MenuItem], default: Option<usize>) -> Markup {
    let row = |item: &MenuItem| {
        let mut row = format!("{}\t{}", item.name, item.label);
        match (&item.question, &item.group) {
            (None, None) => {}
            (Some(question), None) => row.extend(["\t", question]),
            (question, Some((heading, short))) => {
                row.extend(["\t", question.as_deref().unwrap_or_default(), "\t", heading, "\t", short]);
            }
        }
        row
    };
    let rows: Vec<String> = open.iter().map(row).collect();
    let default = default.map_or(-1, |at| at as i64);
    html! { ol aria-label="Your choices" data-rows=(default) { (rows.join("\n")) } }
}

/// The choices in runs with the same heading, each with the place of its first; those without a heading are a run too.
fn grouped(open: &[MenuItem]) -> impl Iterator<Item = (usize, &[MenuItem])> {
    let heading = |item: &MenuItem| item.group.as_ref().map(|(heading, _)| heading.clone());
    let mut first = 0;
    open.chunk_by(move |one, next| heading(one) == heading(next)).map(move |items| {
        let run = (first, items);
        first += items.len();
        run
    })
}

fn choice_button(item: &MenuItem, at: usize, default: Option<usize>) -> Markup {
    let is_default = default == Some(at);
    html! {
        button.choice.default[is_default] data-choice=(item.name) data-ask=[&item.question] {
            kbd { (at + 1) }
            @if let Some(face) = item.face {
                i.die data-face=(face) aria-hidden="true" {}
                span.sr { (item.label) }
            } @else if let Some((_, short)) = &item.group {
                span title=(item.label) { b { (short) } }
            } @else {
                (choice_words(&item.label))
            }
            @if is_default { kbd.enter { "Enter" } }
        }
    }
}

/// What a viewer may look for and can't choose now, with the reasons: the items of the list "Why not …?".
pub fn closed(live: &Live, viewer: Viewer) -> Markup {
    html! {
        @for offer in live.table.closed(viewer) {
            li {
                button.choice aria-disabled="true" {
                    span {
                        b { (offer.label) }
                        small { (offer.refusal.reason) }
                    }
                }
                (rule_link(live.title.id(), offer.refusal.rule))
            }
        }
    }
}

/// The label of a choice; what follows the first comma or colon is shown smaller.
fn choice_words(label: &str) -> Markup {
    let cut = [label.find(": "), label.find(", ")].into_iter().flatten().min();
    let (what, meaning) = cut.map_or((label, ""), |at| (&label[..at], &label[at + 2..]));
    html! {
        span {
            b { (what) }
            @if !meaning.is_empty() { small { (meaning) } }
        }
    }
}

/// The dice of the last change, each with what it was for.
fn tray(live: &Live, viewer: Viewer, from: usize, to: usize) -> Markup {
    let steps = live.title.steps(&*live.table, from..to, viewer);
    let rolled: Vec<(u8, &str)> =
        steps.iter().filter_map(|step| Some((step.face?, step.purpose.as_str()))).collect();
    let shown = &rolled[rolled.len().saturating_sub(TRAY)..];
    html! {
        div #tray.tray role="group" aria-label="Dice" {
            @for (face, purpose) in shown {
                span.roll title=(purpose) {
                    i.die data-face=(face) {}
                    span.purpose { (purpose) }
                }
            }
        }
    }
}
