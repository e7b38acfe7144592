//! Where on the board an event happened.

use blitz::units::Side;
use blitz::{GameEvent, Rules};

use web::Trace;

use super::{theatre, track};

/// The places of an event. What closes or falls is a moment to look at, as a battle is in other games.
pub fn of(rules: &Rules, event: &GameEvent) -> Trace {
    let card = |theatre: u8| theatre::card_key(rules.theatre(theatre));
    match event {
        GameEvent::Placed { space, .. } | GameEvent::Collects { space } => {
            Trace::at(format!("at-{}", rules.space(*space).name))
        }
        GameEvent::Marker { theatre, from, to }
        | GameEvent::Tactical { theatre, from, to }
        | GameEvent::Strategic { theatre, from, to, .. }
        | GameEvent::Backfire { theatre, from, to } => {
            let cell = |at: i8| track::cell_anchor(rules.theatre(*theatre), at);
            Trace::way(cell(*from), cell(*to))
        }
        GameEvent::CampaignClosed { theatre, campaign, .. } => {
            Trace::at(theatre::campaign_key(rules.theatre(*theatre), usize::from(*campaign))).in_combat()
        }
        GameEvent::CollectedCampaign { theatre, campaign, .. } => {
            Trace::at(theatre::campaign_key(rules.theatre(*theatre), usize::from(*campaign)))
        }
        GameEvent::TheatreTaken { theatre, .. } => Trace::at(card(*theatre)).in_combat(),
        GameEvent::TheatreClosed { theatre, .. }
        | GameEvent::CityOpened { theatre, .. }
        | GameEvent::BotAdvanced { theatre, .. }
        | GameEvent::BotTarget { theatre, .. } => Trace::at(card(*theatre)),
        GameEvent::Propaganda { side, .. } => Trace::at(score(*side)),
        GameEvent::StratagemDrawn { .. } => Trace::at("stratagem"),
        _ => Trace::default(),
    }
}

/// A side's score.
fn score(side: Side) -> &'static str {
    match side {
        Side::First => "vp-first",
        Side::Second => "vp-second",
    }
}
