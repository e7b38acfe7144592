//! What people who play each other see beside the choices: the clocks, offers and answers, a pause, a flag.

use clocks::{DAY, Days, HOUR, MINUTE, SECOND};
use kernel::Viewer;
use maud::{Markup, html};
use store::Offer;

use crate::live::Live;
use crate::proceedings::OpenOffer;

/// The clock of every seat; the page counts down the one that runs.
pub fn clocks(live: &Live) -> Markup {
    let Some(clock) = live.proceedings.clock.as_ref().filter(|_| !live.is_over()) else {
        return html! { div #clocks.clocks hidden {} };
    };
    let free = live.proceedings.free(&live.outages());
    let now = live.now();
    html! {
        ul #clocks.clocks aria-label="Time left" {
            @for (record, info) in live.seats.iter().zip(live.table.seats()) {
                @if record.player.is_a_persons() {
                    @let left = clock.left(record.seat, now, &free);
                    @let awaited = clock.stint().is_some_and(|stint| stint.seat == record.seat);
                    // On an off day the time of the awaited seat stands still as well. When a rest is over the page knows.
                    @let rests = live.proceedings.resting(record.seat, now).is_some() && !clock.is_paused();
                    @let runs = awaited && (rests || clock.left(record.seat, now + SECOND, &free) < left);
                    li.awaited[awaited] data-left=(left) data-runs=[runs.then_some("")] {
                        span { (info.title) } " " b role="timer" { (time_left(left)) }
                        @for (_, from, until) in live.proceedings.rests().iter().filter(|(of, _, until)| *of == record.seat && *until > now) {
                            " " small.resting data-from=(from) data-until=(until) hidden[*from > now] { "resting until " (day(*until)) }
                        }
                    }
                }
            }
            @if let Some(off) = live.proceedings.rules.as_ref().and_then(|rules| rules.off.as_ref()) {
                li.off { small { "No clock runs on " (off.words()) " (" (off.zone()) ")." } }
            }
        }
    }
}

/// The day of a moment in UTC; the page says it in its own zone.
fn day(at: u64) -> String {
    Days::at(at, "UTC").map_or_else(String::new, |day| day.to_string())
}

/// How much time is left, in words that need no counting: days and hours, hours and minutes, or minutes and seconds.
pub fn time_left(left: u64) -> String {
    match left {
        DAY.. => format!("{} d {} h", left / DAY, left % DAY / HOUR),
        HOUR..DAY => format!("{} h {:02} min", left / HOUR, left % HOUR / MINUTE),
        _ => format!("{}:{:02}", left / MINUTE, left % MINUTE / SECOND),
    }
}

/// What is agreed, asked and decided beside choices, with the buttons of a player.
pub fn agreements(live: &Live, viewer: Viewer) -> Markup {
    let own = match viewer {
        Viewer::Seat(seat) => Some(seat.0),
        Viewer::Spectator => None,
    };
    if live.is_over() {
        return html! { div #agreements.agreements hidden {} };
    }
    let proceedings = &live.proceedings;
    html! {
        div #agreements.agreements {
            (sitting_down(live, own))
            @if proceedings.is_paused {
                p role="status" { "The match is paused: no clock runs." }
                @if own.is_some() { p.buttons { (deed("resume", "Resume", "Clocks run again at once.")) } }
            }
            @if live.is_rated() { (rated(live)) }
            @if let Some(late) = proceedings.claimable { (out_of_time(live, late, own)) }
            @if let Some(offer) = &proceedings.offer { (open_offer(live, offer, own)) }
            @if own.is_some() { (menu(live)) }
        }
    }
}

/// What is at stake.
fn rated(live: &Live) -> Markup {
    html! {
        p.rated { small {
            @if live.will_count() {
                "Rated. Whoever gives up, or runs out of time, loses."
            } @else {
                "Rated as soon as every seat is kept in an account: open Share, then “Keep this seat”, before your first choice."
            }
        } }
    }
}

/// Whom the match waits for before it begins.
fn sitting_down(live: &Live, own: Option<u8>) -> Markup {
    let missing = live.missing();
    let Some(sitting) = live.proceedings.sitting_down.as_ref().filter(|_| !missing.is_empty()) else {
        return html! {};
    };
    let missing = missing.join(" and ");
    let is_mine = own.is_some_and(|own| sitting.awaited() == [own]);
    html! {
        p role="status" {
            @match (sitting.all_sit(), is_mine) {
                (false, _) => {
                    "Waiting for " (missing) " to sit down. "
                    small {
                        @if sitting.dice { "Play begins when everybody has opened this page, and with it put a number into the dice." }
                        @else { "Play begins when everybody has opened this page." }
                    }
                }
                (true, true) => { "The dice wait for your number, which is in the browser with which you sat down." }
                (true, false) => { "The dice wait for the number of " (missing) ": it comes when their page is open." }
            }
        }
        @if own.is_some() {
            p.buttons {
                button type="button" data-act="deed" data-deed="call-off" data-sure="Call this match off?"
                    title="The match ends without a result, before it has begun." { "Call it off" }
            }
        }
    }
}

fn title(live: &Live, seat: u8) -> &'static str {
    live.table.seats().get(usize::from(seat)).map_or("Somebody", |info| info.title)
}

/// A button for something that is no choice.
fn deed(word: &str, label: &str, about: &str) -> Markup {
    html! { button type="button" data-act="deed" data-deed=(word) title=(about) { (label) } }
}

fn out_of_time(live: &Live, late: u8, own: Option<u8>) -> Markup {
    html! {
        p role="status" { (title(live, late)) " has run out of time." }
        @if own == Some(late) {
            p { small { "You can still choose until the others have decided what follows." } }
        } @else if own.is_some() {
            p.buttons {
                (deed("claim-win", "Claim the win", "The match ends, and you win it."))
                (deed("claim-bot", "Let a bot play on", "The player can come back at any time."))
                (deed("wait", "Wait", "The player gets some more time."))
            }
        }
    }
}

fn open_offer(live: &Live, offer: &OpenOffer, own: Option<u8>) -> Markup {
    let what = match offer.of {
        Offer::Draw => "offers a draw".to_owned(),
        Offer::BreakOff => "wants to end the match without a result".to_owned(),
        Offer::Pause => "asks for a pause".to_owned(),
        Offer::Undo { to_step, crossed } => {
            let steps = live.table.steps().saturating_sub(to_step as usize);
            let dice = if crossed { ". The dice of that will fall the same way again" } else { "" };
            format!("asks to undo {steps} step{}{dice}", if steps == 1 { "" } else { "s" })
        }
    };
    let asked = own.is_some_and(|own| offer.pending.contains(&own));
    let waits: Vec<&str> = offer.pending.iter().map(|seat| title(live, *seat)).collect();
    html! {
        p role="status" { (title(live, offer.seat)) " " (what) "." }
        p.buttons data-offer=(offer.number) {
            @if asked {
                (deed("yes", "Accept", "Agree to it."))
                (deed("no", "Decline", "The match goes on."))
            } @else {
                small { "Waiting for " (waits.join(" and ")) "." }
                @if own == Some(offer.seat) { (deed("withdraw", "Take it back", "Nothing is offered any more.")) }
            }
        }
    }
}

fn menu(live: &Live) -> Markup {
    let resigned = match live.seats.len() {
        0..=2 => "You lose the match.",
        _ => "It counts as a loss for you, and a bot plays your seat to the end.",
    };
    html! {
        details #deeds.deeds {
            summary { "Offer or resign" }
            p.buttons {
                (deed("draw", "Offer a draw", "The match ends as a draw if all agree."))
                @if !live.is_rated() {
                    (deed("undo", "Ask to undo", "Your last choice is undone if all agree, whatever has happened since."))
                }
                @if !live.proceedings.is_paused {
                    (deed("pause", "Ask for a pause", "Clocks stand still if all agree."))
                }
                (deed("break-off", "Break off", "The match ends without a result if all agree."))
                button type="button" data-act="deed" data-deed="resign" data-sure="Resign this match?" title=(resigned) { "Resign" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_in_two_units() {
        for (left, words) in [
            (0, "0:00"),
            (999, "0:00"),
            (61_000, "1:01"),
            (45 * MINUTE, "45:00"),
            (HOUR, "1 h 00 min"),
            (DAY - 1, "23 h 59 min"),
            (5 * DAY + 7 * HOUR, "5 d 7 h"),
        ] {
            assert_eq!(time_left(left), words);
        }
    }
}
