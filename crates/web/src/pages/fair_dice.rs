//! What the dice of a match follow from, in plain words, in the dialog where links and the record are.

use kernel::{MatchDice, Seat, Share, Viewer};
use maud::{Markup, html};

use crate::live::Live;
use crate::proceedings::Due;

/// Who has a part in the dice; nothing where the house alone makes them and nobody is waited for. The attributes are for the
/// page's script, which sits down and shows the number without being asked.
pub fn panel(live: &Live, viewer: Viewer) -> Option<Markup> {
    let MatchDice::Fair { commitment, secret, shares, seed } = live.table.dice() else {
        return live.proceedings.sitting_down.is_some().then(|| bare(live, viewer));
    };
    if shares.is_empty() || seed.is_some() {
        return live.proceedings.sitting_down.is_some().then(|| bare(live, viewer));
    }
    let own = seat(viewer);
    let of_own = own.and_then(|own| shares.iter().find(|(seat, _)| seat.0 == own));
    let shown = secret.as_ref().filter(|_| live.is_over());
    Some(html! {
        div #fair-dice.fair-dice data-house=(commitment) data-seat=[own] data-due=[due(live, own)]
            data-share=[of_own.map(|(_, share)| share.to_string())] {
            h3 { "Fair dice" }
            p { "Everybody who plays has a part in these dice. The house fixed a secret before anybody sat down. Each player's browser "
                "then drew a number and sealed it, and no number was shown before all were sealed. Every roll follows from the "
                "secret and the numbers together, so neither the house nor a player can choose the dice." }
            dl {
                div {
                    dt { "The house" }
                    dd {
                        @if let Some(secret) = shown { "Secret " code { (secret.reveal()) } }
                        @else { "Its secret is sealed until the match is over." }
                        " Seal " code { (commitment) }
                    }
                }
                @for (seat, share) in shares.iter() {
                    div { dt { (title(live, seat)) } dd { (told(&share)) } }
                }
            }
            p { small {
                "The record contains all of it, and " code { "maproom verify" } " checks every roll. "
                "What can't be prevented: whoever can read the memory of the machine that runs Maproom can look ahead at coming "
                "rolls. If that matters to you, play on the machine of somebody who does not play."
            } }
        }
    })
}

/// The same without a word, where people sit down but dice are no matter.
fn bare(live: &Live, viewer: Viewer) -> Markup {
    let own = seat(viewer);
    html! { div #fair-dice hidden data-seat=[own] data-due=[due(live, own)] {} }
}

fn seat(viewer: Viewer) -> Option<u8> {
    match viewer {
        Viewer::Seat(seat) => Some(seat.0),
        Viewer::Spectator => None,
    }
}

/// What the page's script has to do.
fn due(live: &Live, own: Option<u8>) -> Option<&'static str> {
    let sitting = live.proceedings.sitting_down.as_ref().filter(|_| live.waits_for_players())?;
    match sitting.due(own?) {
        Due::Sit => Some("sit"),
        Due::Number => Some("number"),
        Due::Nothing if sitting.may_commit(own?) => Some("wait"),
        Due::Nothing => None,
    }
}

fn title(live: &Live, seat: Seat) -> &'static str {
    live.table.seats().get(seat.index()).map_or("Somebody", |info| info.title)
}

fn told(share: &Share) -> Markup {
    html! {
        @match share {
            Share::Awaited => { "Has not sat down yet." }
            Share::Committed(seal) => { "Sealed; shown when everybody has sat down. Seal " code { (seal) } }
            Share::Given(seal, number) => { "Number " code { (number) } " Seal " code { (seal) } }
            Share::LeftOut => { b { "No part in these dice: " } "they were begun before this player had sat down." }
        }
    }
}
