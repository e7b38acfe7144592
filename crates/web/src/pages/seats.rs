//! Who sits where, and the handing over of seats to bots.

use kernel::{Seat, Viewer};
use maud::{Markup, html};
use store::{Player, SeatRecord};

use crate::live::Live;
use crate::opponents::{bot_name, bot_options, default_bot};

/// The dialogue; the list in it changes with the match.
pub fn dialog(live: &Live, list: impl maud::Render) -> Markup {
    let bots = live.title.bots();
    html! {
        dialog #seats aria-labelledby="seats-title" {
            h2 #seats-title { "Who sits where" }
            div #seats-list { (list) }
            label.field {
                "A bot that plays on "
                select #seats-bot { (bot_options(&bots, "", default_bot(&bots))) }
            }
            p { small {
                "A bot plays on for somebody who leaves, until they take their seat back. The link of the seat stays good: it "
                "goes on to show what the seat sees. The one who made the match can do this for others who are away."
            } }
            p.buttons { button type="button" data-close="" { "Close" } }
        }
    }
}

/// The seats. The buttons of others' seats are hidden from those who did not make the match, by the class of the page: what is
/// drawn is the same for all of a kind.
pub fn list(live: &Live, viewer: Viewer) -> Markup {
    let over = live.table.result().is_some();
    html! {
        ul #seating.seating data-news=(live.seat_news) {
            @for (record, info) in live.seats.iter().zip(live.table.seats()) {
                @let mine = viewer == Viewer::Seat(Seat(record.seat));
                li {
                    span { b { (info.title) } " " small { (who(record, mine)) } }
                    @if record.player.is_a_persons() && !over {
                        span.hand.others[!mine] {
                            @if !record.player.is_human() {
                                button type="button" data-act="hand-over" data-seat=(record.seat) data-bot="" {
                                    @if mine { "Take the seat back" } @else { "Give the seat back" }
                                }
                            }
                            button type="button" data-act="hand-over" data-seat=(record.seat) { "Let a bot play on" }
                        }
                    }
                }
            }
        }
    }
}

/// Who plays a seat.
fn who(record: &SeatRecord, mine: bool) -> String {
    match &record.player {
        Player::Bot(bot) => bot_name(bot),
        Player::StandIn { bot, .. } if mine => format!("{}, for you", bot_name(bot)),
        Player::StandIn { bot, .. } => format!("{}, for somebody who may come back", bot_name(bot)),
        Player::Owner | Player::Person if mine => "you".to_owned(),
        Player::Owner => "the one who made the match".to_owned(),
        Player::Person if record.claimed_at.is_some() => "a friend".to_owned(),
        Player::Person => "is awaited".to_owned(),
    }
}
