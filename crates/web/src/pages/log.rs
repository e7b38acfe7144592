//! The log of a match.

use kernel::{Actor, LogEntry, LogLine};
use maud::{Markup, html};

use crate::live::Live;
use crate::opponents::short_bot_name;
use crate::pages::layout::rule_link;

/// The most steps of the log in a page; older ones are loaded when the reader scrolls to them.
const MOST: usize = 600;
/// The fewest: a short match is there in full.
const LEAST: usize = 300;

/// The step at which the log of a page begins: the previous turn, or where the viewer left off.
pub fn first_page(live: &Live, seen: Option<usize>) -> usize {
    let steps = live.table.steps();
    if steps <= LEAST {
        return 0;
    }
    let turns = live.table.last_turns_from(MOST).min(steps - LEAST);
    seen.map_or(turns, |seen| turns.min(seen)).max(steps.saturating_sub(MOST))
}

/// The lines for some steps. Every line carries its step: the client removes lines after an undo and shows the position
/// of a line that is clicked. Steps after `seen` are new to the viewer.
pub fn lines(live: &Live, entries: &[LogEntry], seen: Option<usize>) -> Markup {
    let seats = live.table.seats();
    // The mark stands where the first new step is, not at the beginning of what is shown of them.
    let first_new = seen.map(|seen| seen + 1);
    let mut turn = entries.first().and_then(|first| turn_before(live, first));
    html! {
        @for entry in entries {
            @if first_new == Some(entry.step) {
                li.new-mark data-step=(entry.step) { "New since your last visit" }
            }
            @if turn.replace(entry.turn) != Some(entry.turn) {
                li.turn data-step=(entry.step) { (live.table.turn_title(entry.turn)) }
            }
            @if !entry.story.is_empty() || matches!(entry.actor, Actor::Seat(_)) {
                li.step.mine[matches!(entry.actor, Actor::Seat(_)) && !entry.forced] data-step=(entry.step) {
                    button.jump type="button" aria-label=(format!("Show the position after step {}", entry.step)) { (entry.step) }
                    div {
                        @if let (Actor::Seat(seat), Some(name), false) = (entry.actor, &entry.name, entry.forced) {
                            p.chose {
                                b { (seats[seat.index()].title) }
                                @if let Some(bot) = live.own_bot_at(seat) { " " span.by { (short_bot_name(bot)) } }
                                ": " (name)
                            }
                        }
                        @if let Some(why) = &entry.remark {
                            details.why.remark {
                                summary { "Why" }
                                p { (why) }
                            }
                        }
                        (story(live, entry))
                    }
                }
            }
        }
    }
}

/// What a step led to. What only says how the next line came about is folded before it; a die stands at the first line that
/// is not.
fn story(live: &Live, entry: &LogEntry) -> Markup {
    let game = live.title.id();
    // The heading of a turn says it already: of this one, or of the next that this step leads to.
    let headings = [entry.turn, entry.turn.saturating_add(1)].map(|turn| live.table.turn_title(turn));
    let lines: Vec<&LogLine> = entry.story.iter().filter(|line| !headings.contains(&line.text)).collect();
    let name = entry.name.as_deref().filter(|_| entry.actor == Actor::Fate);
    let mut die = name.and_then(|name| live.title.die_face(name));
    let words = |line: &LogLine| html! { (line.text) " " (rule_link(game, line.rule)) };
    html! {
        @for alike in lines.chunk_by(|one, next| one.aside == next.aside) {
            @if alike[0].aside {
                details.why {
                    summary { "Why" }
                    @for line in alike { p { (words(line)) } }
                }
            } @else {
                @for line in alike {
                    p {
                        @if let Some(face) = die.take() { i.die data-face=(face) aria-hidden="true" {} " " }
                        (words(line))
                    }
                }
            }
        }
    }
}

/// The turn of the step before, so that a heading is not written twice.
fn turn_before(live: &Live, first: &LogEntry) -> Option<u16> {
    if first.step < 2 {
        return None;
    }
    Some(live.table.turn_at(first.step - 2))
}
