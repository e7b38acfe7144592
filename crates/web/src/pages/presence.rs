//! Who is at the table.

use maud::{Markup, html};

use crate::live::Live;

/// Who of the players is here, and how many watch. Everybody sees the same.
pub fn line(live: &Live) -> Markup {
    let watching = live.watching();
    html! {
        ul #presence.presence aria-label="Who is here" {
            @for (record, info) in live.seats.iter().zip(live.table.seats()) {
                @if record.player.is_a_persons() {
                    @let here = live.is_seat_here(record.seat);
                    @let name = record.player.account().and_then(|id| live.account_names.get(&id));
                    li.here[here] {
                        i aria-hidden="true" {}
                        @if let Some(name) = name { b { (name) } " " small { (info.title) } } @else { b { (info.title) } }
                        " " span.state { @if here { "here" } @else { "away" } }
                    }
                }
            }
            @if watching > 0 { li.watching { (watching) " watching" } }
        }
    }
}
