//! The panel in which people talk at a table, and note things for themselves.

use maud::{Markup, html};
use store::Room;

use crate::clock;
use crate::lobby::{Ears, LONGEST_LINE, LONGEST_NOTE, ReadLine};

/// What a visitor has in the panel.
pub struct Panel {
    /// Whether people talk at this table.
    pub talks: bool,
    /// What the visitor reads and writes.
    pub ears: Ears,
    /// Up to which line they have read; none if everything that is there counts as read.
    pub heard: Option<u32>,
    /// Their notes, where they have a seat.
    pub note: Option<String>,
    /// Whether they are signed in.
    pub is_member: bool,
    /// Whether the match is over.
    pub is_over: bool,
}

/// The button that opens it, with the mark of what was not read.
pub fn tab(panel: &Panel) -> Markup {
    html! {
        button #tab-talk role="tab" type="button" aria-selected="false" aria-controls="panel-talk" data-tab="talk" {
            @if panel.talks { "Talk" } @else { "Notes" }
            span.unread data-unread="" hidden {}
        }
    }
}

/// The panel itself; the page fetches the lines.
pub fn panel(panel: &Panel) -> Markup {
    html! {
        div.panel.talk #panel-talk role="tabpanel" aria-labelledby="tab-talk" tabindex="0" hidden
            data-heard=[panel.heard] data-member=[panel.is_member.then_some("")] {
            @if panel.talks {
                p.room { small { (who_reads(panel)) } }
                @if !panel.ears.hears.is_empty() {
                    // Read out as a log; the list inside stays a list.
                    div role="log" aria-live="polite" aria-label="What was said" {
                        ol.lines #talk-lines {}
                    }
                    p.empty #talk-empty { "Nothing was said yet." }
                }
                @if panel.ears.speaks.is_some() {
                    form.say #say-form autocomplete="off" {
                        label.sr for="say-text" { "Write a message" }
                        input #say-text name="text" maxlength=(LONGEST_LINE) placeholder="Write a message" enterkeyhint="send" required;
                        button type="submit" { "Send" }
                    }
                    button.quiet #talk-hide type="button" aria-pressed="false" { "Hide the talk at this table" }
                }
            }
            @if let Some(note) = &panel.note {
                details.note open[!panel.talks] {
                    summary { "Notes for yourself" }
                    label.sr for="note-text" { "Notes that only you can read" }
                    textarea #note-text maxlength=(LONGEST_NOTE) rows="5" placeholder="Only you can read this." { (note) }
                    p role="status" { small #note-state {} }
                }
            }
        }
    }
}

/// Who reads what one writes here.
fn who_reads(panel: &Panel) -> &'static str {
    match (panel.is_over, panel.ears.speaks, panel.is_member) {
        (true, ..) => "The match is over: players and onlookers read everything now.",
        (false, Some(Room::Players), _) => {
            "The players read this. Those who watch can read it when the match is over."
        }
        (false, Some(Room::Onlookers), _) => {
            "Those who watch read this. The players can read it when the match is over."
        }
        (false, None, true) => "You play in this match: talk from your seat.",
        (false, None, false) => "Log in to talk with the others who watch.",
    }
}

/// Lines, for the list on the page.
pub fn lines(lines: &[ReadLine], now: u64, is_member: bool) -> Markup {
    html! { @for line in lines { (one(line, now, is_member)) } }
}

fn one(read: &ReadLine, now: u64, is_member: bool) -> Markup {
    let ReadLine { line, name, is_mine } = read;
    html! {
        li.mine[*is_mine] data-n=(line.n) {
            p.who {
                b { @if *is_mine { "You" } @else { (name) } }
                @if line.line.room == Room::Onlookers { " " small { "watching" } }
                " " small { (clock::ago(line.line.at, now)) }
            }
            p.words { (line.line.text) }
            @if is_member && !is_mine {
                details.about {
                    summary aria-label={"What to do about " (name)} { "…" }
                    p.buttons {
                        @if let Some(account) = line.line.account {
                            button type="button" data-contact="mute" data-account=(account) title="You don't see what they say any more" { "Mute" }
                            button type="button" data-contact="block" data-account=(account)
                                title="You don't see what they say, they can't join your tables or invite you to theirs" { "Block" }
                        }
                        button type="button" data-report=(line.n) title="Those who look after this house read this line" { "Report" }
                    }
                }
            }
        }
    }
}
