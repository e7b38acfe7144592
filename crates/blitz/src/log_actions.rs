//! The log as people read it: which choices and draws are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::units::Side;

/// Kinds of actions of which one follows the other: they are told in one line.
mod kind {
    /// Reserves and the bot's advantage. Rules 2.4 and 8.3.
    pub const SET_UP: u8 = 0;
    /// The turn of the solo bot. Rule 9.
    pub const BOT: u8 = 1;
}

impl Rules {
    /// How a step belongs to the steps before it. A unit that follows in a blitz belongs to the first one.
    pub(crate) fn fold(state: &State, choice: Choice) -> Fold {
        match (state.phase, choice) {
            (Phase::Deal | Phase::Difficulty | Phase::NameTheatre | Phase::StartCity, _) => {
                Fold::Joins(kind::SET_UP)
            }
            (Phase::Stratagem | Phase::UnitDie, _) => Fold::Joins(kind::BOT),
            (Phase::Place, _) => Fold::Begins,
            _ => Fold::Continues,
        }
    }

    /// What an action came to: what was placed where, how far markers moved, and what that decided.
    pub(crate) fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let mut parts: Vec<String> = Vec::new();
        let mut placed_by = None;
        let mut rule = "";
        // Where the part about each theatre's marker stands, and where the marker came from.
        let mut markers: Vec<(u8, i8, usize)> = Vec::new();
        for event in events {
            match *event {
                GameEvent::Placed { side, kind, played_as, space, .. } => {
                    let copied = if kind == played_as { String::new() } else { format!(" as {played_as}") };
                    let what = format!("{kind}{copied} on {}", self.space_title(*space));
                    if placed_by == Some(*side) {
                        parts.push(format!("then {what}"));
                    } else {
                        let places = if self.side_name(*side) == "Allies" { "place" } else { "places" };
                        parts.push(format!("{} {places} {what}", self.with_article(*side)));
                    }
                    placed_by = Some(*side);
                    rule = "3.5";
                }
                GameEvent::Marker { theatre, from, to }
                | GameEvent::Tactical { theatre, from, to }
                | GameEvent::Strategic { theatre, from, to, .. }
                | GameEvent::Backfire { theatre, from, to } => {
                    let known = markers.iter().find(|(of, ..)| of == theatre).copied();
                    let (_, begun, at) = known.unwrap_or((*theatre, *from, parts.len()));
                    let words = self.moved(*theatre, begun, *to);
                    if known.is_some() {
                        parts[at] = words;
                    } else {
                        markers.push((*theatre, begun, at));
                        parts.push(words);
                    }
                }
                GameEvent::Propaganda { .. }
                | GameEvent::Researched { .. }
                | GameEvent::Bombed { .. }
                | GameEvent::CampaignClosed { .. }
                | GameEvent::CollectedCampaign { .. }
                | GameEvent::TheatreTaken { .. }
                | GameEvent::TheatreClosed { .. }
                | GameEvent::CityOpened { .. }
                | GameEvent::BotAdvanced { .. }
                | GameEvent::BotPoints { .. }
                | GameEvent::Ended { .. } => {
                    let line = self.log_line(event);
                    parts.push(line.text);
                    rule = if rule.is_empty() { line.rule } else { rule };
                }
                _ => {}
            }
        }
        if parts.is_empty() {
            parts.push(self.tokens_drawn(events)?);
            rule = "2.4";
        }
        let mut text = parts.join("; ");
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        Some(LogLine { text, rule, aside: false })
    }

    /// Tokens that were drawn, where nothing else happened.
    fn tokens_drawn(&self, events: &[&GameEvent]) -> Option<String> {
        let of = |side: Side| {
            let drawn = events
                .iter()
                .filter(|event| matches!(event, GameEvent::Drew { side: by, .. } if *by == side));
            drawn.count()
        };
        let sides: Vec<String> = Side::ALL
            .into_iter()
            .filter(|side| of(*side) > 0)
            .map(|side| format!("{} for {}", of(side), self.with_article(side)))
            .collect();
        (!sides.is_empty()).then(|| format!("Tokens drawn: {}", sides.join(", ")))
    }
}
