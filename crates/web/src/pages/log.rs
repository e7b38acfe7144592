//! The log of a match: a line for every action, which unfolds to its steps.

use kernel::{Actor, LogEntry, LogLine};
use maud::{Markup, html};

use crate::live::Live;
use crate::opponents::short_bot_name;
use crate::pages::layout::rule_link;
use crate::told::{ToldAction, ToldStep, Trace};

/// The most steps of the log in a page; older ones are loaded when the reader scrolls to them.
const MOST: usize = 600;
/// The fewest: a short match is there in full.
const LEAST: usize = 300;
/// The names of choices by which somebody does nothing, in all games.
const PASSES: [&str; 7] = ["pass", "no", "decline", "end", "done", "stop", "let it pass"];
/// The most dice that stand at the line of an action.
const DICE: usize = 6;

/// The step at which the log of a page begins: the previous turn, or where the viewer left off.
pub fn first_page(live: &Live, seen: Option<usize>) -> usize {
    let steps = live.table.steps();
    if steps <= LEAST {
        return 0;
    }
    let turns = live.table.last_turns_from(MOST).min(steps - LEAST);
    let first = seen.map_or(turns, |seen| turns.min(seen)).max(steps.saturating_sub(MOST));
    live.table.action_start(first)
}

/// The lines for some actions. Every line carries the first and the last of its steps: the client removes lines after an undo
/// and shows the position of a line. The first line has the heading of its turn before it; the client drops a heading that it
/// has already. Steps after `seen` are new to the viewer.
pub fn lines(live: &Live, actions: &[ToldAction], seen: Option<usize>) -> Markup {
    // The mark stands where the first new step is, not at the beginning of what is shown of them.
    let mut first_new = seen
        .map(|seen| seen.saturating_add(1))
        .filter(|new| first_step(actions).is_some_and(|step| step <= *new));
    let mut turn = None;
    html! {
        @for action in actions {
            @if let (Some(headline), Some(first), Some(last)) = (&action.headline, action.steps.first(), action.steps.last()) {
                @let (from, to) = (first.entry.step, last.entry.step);
                @if first_new.is_some_and(|new| new <= to) {
                    @if first_new.take().is_some() { li.new-mark data-step=(from) { "New since your last visit" } }
                }
                @if turn.replace(first.entry.turn) != Some(first.entry.turn) {
                    li.turn data-step=(from) data-turn=(first.entry.turn) { (live.table.turn_title(first.entry.turn)) }
                }
                (line(live, action, headline, (from, to)))
            }
        }
    }
}

/// The line of an action.
fn line(live: &Live, action: &ToldAction, headline: &LogLine, (from, to): (usize, usize)) -> Markup {
    let steps: Vec<&ToldStep> = action.steps.iter().filter(|step| is_told(live, step)).collect();
    let side = action.steps.iter().find_map(|step| match step.entry.actor {
        Actor::Seat(seat) => Some(live.table.seats()[seat.index()].word),
        Actor::Fate => None,
    });
    let words = html! {
        @for face in action.steps.iter().filter_map(|step| step.face).take(DICE) {
            i.die data-face=(face) aria-hidden="true" {} " "
        }
        (headline.text)
    };
    let rule = rule_link(live.title.id(), headline.rule);
    let jump = html! {
        button.jump type="button" data-step=(to) aria-label=(format!("Show the position after step {to}")) { (to) }
    };
    match &steps[..] {
        // A step that says no more than the line itself is not folded.
        [step] if is_plain(live, step, headline) => html! {
            li.action.step.(side.unwrap_or_default()) data-step=(from) data-to=(to) data-by=(by(&step.entry)) data-idle=[idle(step)] data-purpose=[purpose(step)] {
                (jump)
                @let trace = told_lines(live, step).first().map(|(_, trace)| (*trace).clone()).unwrap_or_default();
                div { p.headline data-at=[at(&trace)] data-from=[&trace.from] data-to=[&trace.to] data-lost=[&trace.lost]
                    data-combat=[trace.combat.then_some("")] { (words) " " (rule) } }
            }
        },
        _ => html! {
            li.action.(side.unwrap_or_default()) data-step=(from) data-to=(to) {
                (jump)
                details.steps {
                    summary.headline { (words) }
                    @for step in steps { (told(live, step)) }
                }
            }
        },
    }
}

/// Whether a step has anything to read.
fn is_told(live: &Live, step: &ToldStep) -> bool {
    let has_words = chosen(step).is_some() || step.entry.remark.is_some() || step.face.is_some();
    has_words || !told_lines(live, step).is_empty()
}

/// Whether a step says no more than the headline of its action.
fn is_plain(live: &Live, step: &ToldStep, headline: &LogLine) -> bool {
    let lines = told_lines(live, step);
    let is_same = matches!(&lines[..], [(line, _)] if line.text == headline.text);
    is_same && chosen(step).is_none() && step.entry.remark.is_none()
}

/// The lines of a step with where they belong, without those that the heading of a turn says already: of this one, or of the next that the
/// step leads to.
fn told_lines<'a>(live: &Live, step: &'a ToldStep) -> Vec<(&'a LogLine, &'a Trace)> {
    let turn = step.entry.turn;
    let headings = [turn, turn.saturating_add(1)].map(|turn| live.table.turn_title(turn));
    let lines = step.entry.story.iter().zip(&step.traces);
    lines.filter(|(line, _)| !headings.contains(&line.text)).collect()
}

/// What a seat decided, in words, where it had a choice.
fn chosen(step: &ToldStep) -> Option<&str> {
    let is_decision = matches!(step.entry.actor, Actor::Seat(_)) && !step.entry.forced;
    step.label.as_deref().filter(|_| is_decision)
}

/// Who made a step: the number of the seat that decided, or `fate`, or `forced`.
fn by(entry: &LogEntry) -> String {
    match entry.actor {
        Actor::Fate => "fate".to_owned(),
        Actor::Seat(_) if entry.forced => "forced".to_owned(),
        Actor::Seat(seat) => seat.0.to_string(),
    }
}

/// Whether nobody who comes back needs to be shown a step: somebody passed, or had no choice, and nothing is marked on the board.
fn idle(step: &ToldStep) -> Option<&'static str> {
    let is_pass = step.entry.name.as_deref().is_some_and(|name| PASSES.contains(&name));
    let has_marks = step.face.is_some() || step.traces.iter().any(|trace| *trace != Trace::default());
    let is_seats = matches!(step.entry.actor, Actor::Seat(_));
    (is_seats && !has_marks && (is_pass || step.entry.forced)).then_some("")
}

fn purpose(step: &ToldStep) -> Option<&str> {
    Some(step.purpose.as_str()).filter(|purpose| !purpose.is_empty() && step.face.is_some())
}

fn at(trace: &Trace) -> Option<String> {
    (!trace.at.is_empty()).then(|| trace.at.join(" "))
}

/// A step of an action: who decided what and why, and what it led to. What only says how the next line came about is folded
/// before it; a die stands at the first line that is not.
fn told(live: &Live, step: &ToldStep) -> Markup {
    let entry = &step.entry;
    let lines = told_lines(live, step);
    let mut die = step.face;
    html! {
        div.step data-step=(entry.step) data-by=(by(entry)) data-idle=[idle(step)] data-purpose=[purpose(step)] {
            @if let (Actor::Seat(seat), Some(label)) = (entry.actor, chosen(step)) {
                p.chose {
                    b { (live.table.seats()[seat.index()].title) }
                    @if let Some(bot) = live.own_bot_at(seat) { " " span.by { (short_bot_name(bot)) } }
                    ": " (label)
                }
            }
            @if let Some(why) = &entry.remark {
                details.why.remark {
                    summary { "Why" }
                    p { (why) }
                }
            }
            @for alike in lines.chunk_by(|one, next| one.0.aside == next.0.aside) {
                @if alike[0].0.aside {
                    details.why {
                        summary { "How" }
                        @for (line, trace) in alike { (story_line(live, line, trace, None)) }
                    }
                } @else {
                    @for (line, trace) in alike { (story_line(live, line, trace, die.take())) }
                }
            }
            // A die whose outcome is told with the next one.
            @if let Some(face) = die { p { i.die data-face=(face) aria-hidden="true" {} " " (step.purpose) } }
        }
    }
}

/// A line of a step, with its places on the board.
fn story_line(live: &Live, line: &LogLine, trace: &Trace, die: Option<u8>) -> Markup {
    html! {
        p data-at=[at(trace)] data-from=[&trace.from] data-to=[&trace.to] data-lost=[&trace.lost] data-combat=[trace.combat.then_some("")] {
            @if let Some(face) = die { i.die data-face=(face) aria-hidden="true" {} " " }
            (line.text) " " (rule_link(live.title.id(), line.rule))
        }
    }
}

fn first_step(actions: &[ToldAction]) -> Option<usize> {
    actions.first()?.steps.first().map(|step| step.entry.step)
}
