//! The players, and letting a bot play for somebody.

use kernel::{Seat, Viewer};
use maud::{Markup, html};
use store::{Player, SeatRecord};

use crate::live::Live;
use crate::opponents::{bot_name, bot_options, default_bot};

/// The dialog; the list in it changes with the match.
pub fn dialog(live: &Live, list: impl maud::Render) -> Markup {
    let bots = live.title.bots();
    html! {
        dialog #seats aria-labelledby="seats-title" {
            h2 #seats-title { "Players" }
            div #seats-list { (list) }
            label.field {
                "Bot "
                select #seats-bot { (bot_options(&bots, "", default_bot(&bots))) }
            }
            p { small {
                "A bot can play for somebody who has to leave, until they take over again. Their link still works and shows "
                "what they may see. The match's creator can do this for players who are away."
            } }
            p.buttons { button type="button" data-close="" { "Close" } }
        }
    }
}

/// The seats. The class of the page hides the buttons for other players' seats from everybody but the creator, so that the
/// markup is the same for all viewers of a kind.
pub fn list(live: &Live, viewer: Viewer) -> Markup {
    let over = live.is_over();
    html! {
        ul #seating.seating data-news=(live.seat_news) {
            @for (record, info) in live.seats.iter().zip(live.table.seats()) {
                @let mine = viewer == Viewer::Seat(Seat(record.seat));
                li {
                    span { b { (info.title) } " " small { (who(live, record, mine)) } (results(live, record, mine)) }
                    @if record.player.is_a_persons() && !over {
                        span.hand.others[!mine] {
                            @if !record.player.is_human() {
                                button type="button" data-act="hand-over" data-seat=(record.seat) data-bot="" {
                                    @if mine { "Take over again" } @else { "Give the seat back" }
                                }
                            }
                            button type="button" data-act="hand-over" data-seat=(record.seat) { "Let a bot play" }
                        }
                    }
                }
            }
        }
    }
}

/// The way to the page of an account's player.
fn results(live: &Live, record: &SeatRecord, mine: bool) -> Markup {
    let known = record.player.account().filter(|id| !mine && live.account_names.contains_key(id));
    html! { @if let Some(id) = known { " " a href={"/players/" (id)} { "Ratings and results" } } }
}

/// Who plays a seat.
fn who(live: &Live, record: &SeatRecord, mine: bool) -> String {
    let name = |id| live.account_names.get(&id).map_or("a player", String::as_str);
    match &record.player {
        Player::Bot(bot) => bot_name(bot),
        Player::Account { id, bot: Some(bot) } if !mine => format!("{}, for {}", bot_name(bot), name(*id)),
        Player::Account { bot: Some(bot), .. } => format!("{}, for you", bot_name(bot)),
        Player::Account { id, bot: None } if !mine => name(*id).to_owned(),
        Player::StandIn { bot, .. } if mine => format!("{}, for you", bot_name(bot)),
        Player::StandIn { bot, .. } => format!("{}, for a player who is away", bot_name(bot)),
        Player::Owner | Player::Person | Player::Account { .. } if mine => "you".to_owned(),
        Player::Owner => "the match's creator".to_owned(),
        Player::Person if record.claimed_at.is_some() => "a friend".to_owned(),
        Player::Person | Player::Account { .. } => "has not joined yet".to_owned(),
    }
}
