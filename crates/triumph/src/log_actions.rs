//! The log as people read it: which choices and draws are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::cards::Deck;
use crate::choice::Choice;
use crate::factions::{Faction, Power};
use crate::game_event::{Cause, Command, GameEvent};
use crate::rules::Rules;
use crate::stage::{After, Leaving, Stage};
use crate::state::State;
use crate::story::the;
use crate::units::Kind;
use crate::words::{and_list, capitalized, count, within_sentence};

/// Kinds of actions of which one follows the other: they are told in one line. Room is left for a Faction or a season.
mod kind {
    /// Set-up of a Faction. Rule 5.
    pub const SET_UP: u8 = 0;
    /// First hands. Rule 5.
    pub const HANDS: u8 = 4;
    /// Chits and Turn Order. Rules 7.13, 7.14.
    pub const YEAR_START: u8 = 8;
    /// The same before 1939. Rule 17.
    pub const BEFORE_1939: u8 = 9;
    /// Production of a Faction. Rule 7.2.
    pub const PRODUCTION: u8 = 12;
    /// Passes in a row. Rule 7.35.
    pub const PASSES: u8 = 16;
    /// Cards above the HandSize. Rule 7.5.
    pub const HAND_SIZE: u8 = 17;
    /// Command of a season. Rule 10.1.
    pub const COMMAND: u8 = 20;
    /// The end of a Faction's moves, and which Battles it fights. Rule 12.1.
    pub const BATTLES: u8 = 28;
    /// Units that must leave after the Battles or the Supply Phase. Rule 12.52.
    pub const LEAVING: u8 = 32;
}

impl Rules {
    /// How a step belongs to the steps before it.
    pub(crate) fn fold(&self, state: &State, choice: Choice) -> Fold {
        let of = |faction: Faction| faction as u8;
        match state.stage {
            Stage::SetUp(_) => Fold::Joins(kind::SET_UP + self.decider(state).map_or(0, of)),
            Stage::Draw(After::SetUp | After::ShortStart) => Fold::Joins(kind::HANDS),
            Stage::Chit(..) | Stage::TurnOrder | Stage::ActiveAlly | Stage::SetAside(..) => {
                let early = self.before_short_game(state);
                Fold::Joins(if early { kind::BEFORE_1939 } else { kind::YEAR_START })
            }
            Stage::Arrival(_) if state.part == crate::state::Part::NewYear => {
                Fold::Joins(kind::PRODUCTION + of(Faction::West))
            }
            Stage::Spend | Stage::Step | Stage::Build | Stage::BuildAt => {
                Fold::Joins(kind::PRODUCTION + of(Self::current(state)))
            }
            Stage::Government | Stage::FreePlay(_) if choice == Choice::Pass => Fold::Joins(kind::PASSES),
            Stage::Discard => Fold::Joins(kind::HAND_SIZE),
            Stage::Command | Stage::SecondCard | Stage::Tie(..) | Stage::Winter => {
                Fold::Joins(kind::COMMAND + state.part as u8)
            }
            Stage::Fight(_) => Fold::Joins(kind::BATTLES + of(state.turn.faction)),
            Stage::Movement if choice == Choice::End => Fold::Joins(kind::BATTLES + of(state.turn.faction)),
            // The move that a declaration is fulfilled by belongs to it. Ruling R41.
            Stage::Movement if state.turn.declared.is_some() && matches!(choice, Choice::Move(_)) => {
                Fold::Continues
            }
            Stage::Leave(_, Leaving::Combat | Leaving::Supply) => Fold::Joins(kind::LEAVING),
            Stage::Government | Stage::FreePlay(_) | Stage::Movement | Stage::Select => Fold::Begins,
            _ => Fold::Continues,
        }
    }

    /// What an action came to.
    pub(crate) fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let year = events.iter().position(|event| matches!(event, GameEvent::YearBegins { .. }));
        let before = &events[..year.unwrap_or(events.len())];
        let (head, rule) = match self.head(before) {
            Some(head) => head,
            None => (String::new(), self.log_line(events.first()?).rule),
        };
        let mut parts = vec![head];
        let told = parts[0].clone();
        for part in self.aftermath(events) {
            if !told.contains(&part) {
                parts.push(part);
            }
        }
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let (first, rest) = parts.split_first()?;
        let mut text = capitalized(first);
        for part in rest {
            text += "; ";
            text += &within_sentence(part);
        }
        Some(LogLine { text, rule, aside: false })
    }

    /// The first part: what the action itself was.
    fn head(&self, events: &[&GameEvent]) -> Option<(String, &'static str)> {
        if events.iter().any(|event| matches!(event, GameEvent::CommandShown { .. })) {
            return Some((self.command_summary(events), "10.1"));
        }
        for event in events {
            match **event {
                GameEvent::Lost { unit, cause: Cause::Disbanded, .. } => {
                    let faction = unit.power.map_or(Faction::Axis, Power::faction);
                    return Some((self.production_summary(events, faction), "7.2"));
                }
                GameEvent::BattleBegins { area, by, against } => {
                    return Some((self.battle_summary(events, area, by, against), "12.2"));
                }
                GameEvent::Bought { faction, .. }
                | GameEvent::Stepped { faction, .. }
                | GameEvent::ProductionEnds { faction, .. } => {
                    return Some((self.production_summary(events, faction), "7.2"));
                }
                GameEvent::Built { unit, .. } => {
                    let faction = unit.power.map_or(Faction::Axis, Power::faction);
                    return Some((self.production_summary(events, faction), "7.2"));
                }
                GameEvent::Chit { .. } | GameEvent::Order { .. } => {
                    return Some((self.year_summary(events), "7.1"));
                }
                GameEvent::Committed { .. } => {
                    return Some((self.command_summary(events), "10.1"));
                }
                GameEvent::Placed { unit, .. } => {
                    let faction = unit.power.map_or(Faction::Axis, Power::faction);
                    return Some((self.placed_summary(events, faction), "5.0"));
                }
                GameEvent::Drawn { .. } => return Some((self.drawn_summary(events), "5.0")),
                // The card that an Ally pays for its war. Rule 18.7.
                GameEvent::Discarded { .. } if declares_war(events) => {
                    return Some((self.plain_summary(events), "18.7"));
                }
                GameEvent::Discarded { .. } => return Some((self.discard_summary(events), "7.5")),
                GameEvent::Passed { .. } => return Some((passes_summary(events), "7.35")),
                GameEvent::MovesEnd { faction } => {
                    return Some((self.battles_summary(events, faction), "12.1"));
                }
                _ => {
                    let line = self.log_line(event);
                    if !line.aside && !is_aftermath(event) {
                        return Some((self.plain_summary(events), line.rule));
                    }
                }
            }
        }
        // Only what follows by itself: a Battle that fell away, the next season.
        let first = events.iter().find(|event| is_aftermath(event))?;
        Some((String::new(), self.log_line(first).rule))
    }

    /// All lines that are no details, for short actions.
    fn plain_summary(&self, events: &[&GameEvent]) -> String {
        let own = &events[..Self::resolution(events)];
        let lines = own.iter().filter(|event| !is_aftermath(event)).filter(|event| {
            // What was drawn, seen or placed on the way is told in the steps.
            !matches!(
                event,
                GameEvent::Placed { .. } | GameEvent::MovesEnd { .. } | GameEvent::BattleDeclared { .. }
            )
        });
        let lines: Vec<String> = lines
            .map(|event| self.log_line(event))
            .filter(|line| !line.aside)
            .map(|line| line.text)
            .collect();
        let parts = lines.iter().enumerate();
        let parts: Vec<String> =
            parts.map(|(at, line)| if at == 0 { line.clone() } else { within_sentence(line) }).collect();
        let drawn = self.cards_drawn(events);
        let drawn = if drawn.is_empty() { String::new() } else { format!("; {drawn}") };
        format!("{}{drawn}", parts.join("; "))
    }

    /// "the West draws 3 Action cards, …".
    fn cards_drawn(&self, events: &[&GameEvent]) -> String {
        let of = |faction: Faction, deck: Deck| {
            let drawn = events.iter().filter(|event| {
                matches!(event, GameEvent::Drawn { faction: by, deck: of, .. } if *by == faction && *of == deck)
            });
            drawn.count() as i32
        };
        let parts = Faction::ALL.into_iter().filter_map(|faction| {
            let decks = Deck::ALL.into_iter().filter(|deck| of(faction, *deck) > 0);
            let cards: Vec<String> =
                decks.map(|deck| count(of(faction, deck), &format!("{} card", deck.title()))).collect();
            (!cards.is_empty()).then(|| format!("{} draws {}", faction.the(), and_list(&cards)))
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    fn drawn_summary(&self, events: &[&GameEvent]) -> String {
        format!("First hands: {}", self.cards_drawn(events))
    }

    /// A set-up, or US units that arrive.
    fn placed_summary(&self, events: &[&GameEvent], faction: Faction) -> String {
        let mut counts: Vec<([String; 2], i32)> = Vec::new();
        let mut all = 0;
        for event in events {
            let GameEvent::Placed { unit, .. } = event else { continue };
            let what = match (unit.power, unit.face) {
                (_, Some((kind, _))) => [kind.title().to_owned(), plural(kind)],
                (Some(power), None) => {
                    ["block", "blocks"].map(|word| format!("{} {word}", power.adjective()))
                }
                (None, None) => continue,
            };
            all += 1;
            match counts.iter_mut().find(|(known, _)| *known == what) {
                Some((_, count)) => *count += 1,
                None => counts.push((what, 1)),
            }
        }
        let words = |([one, many], count): &([String; 2], i32)| {
            format!("{count} {}", if *count == 1 { one } else { many })
        };
        let parts: Vec<String> = counts.iter().map(words).collect();
        format!("{} places {}: {}", the(faction), count(all, "unit"), parts.join(", "))
    }

    /// A whole Production: the points, and what they bought.
    fn production_summary(&self, events: &[&GameEvent], faction: Faction) -> String {
        let (mut cards, mut steps, mut units, mut lost, mut ended) = ([0; 2], 0, 0, 0, false);
        let (mut disbanded, mut arrived) = (0, 0);
        for event in events {
            match **event {
                GameEvent::Bought { faction: by, deck } if by == faction => cards[deck as usize] += 1,
                GameEvent::Stepped { faction: by, .. } if by == faction => steps += 1,
                GameEvent::Built { .. } => units += 1,
                GameEvent::Placed { .. } => arrived += 1,
                GameEvent::Lost { cause: Cause::Disbanded, .. } => disbanded += 1,
                GameEvent::ProductionEnds { faction: by, lost: left } if by == faction && !ended => {
                    (lost, ended) = (i32::from(left), true);
                }
                _ => {}
            }
        }
        let all = cards[0] + cards[1] + steps + units + lost;
        let bought = [
            (cards[0], "Action card", ""),
            (cards[1], "Investment card", ""),
            (steps, "step", ""),
            (units, "new unit", ""),
            (arrived, "US unit", " arrived"),
            (disbanded, "unit", " disbanded"),
        ];
        let bought = bought.iter().filter(|(number, ..)| *number > 0);
        let mut parts: Vec<String> =
            bought.map(|(number, what, how)| format!("{}{how}", count(*number, what))).collect();
        if lost > 0 {
            parts.push(format!("{} lost", count(lost, "point")));
        }
        if parts.is_empty() {
            return format!("{} produces nothing", the(faction));
        }
        let verb = if ended { "produces" } else { "has spent" };
        format!("{} {verb} {all}: {}", the(faction), parts.join(", "))
    }

    /// Chits, Turn Order, the Active Ally.
    fn year_summary(&self, events: &[&GameEvent]) -> String {
        let mut parts = Vec::new();
        let drawn: Vec<String> = Faction::ALL
            .into_iter()
            .filter_map(|faction| {
                let mut number = 0;
                let mut values = Vec::new();
                for event in events {
                    if let GameEvent::Chit { faction: by, value } = event
                        && *by == faction
                    {
                        number += 1;
                        values.extend(value.map(|value| value.to_string()));
                    }
                }
                let known =
                    if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
                match number {
                    0 => None,
                    1 => Some(format!("{}{known}", faction.the())),
                    more => Some(format!("{more} for {}{known}", faction.the())),
                }
            })
            .collect();
        if !drawn.is_empty() {
            parts.push(format!("Peace Dividends: {}", and_list(&drawn)));
        }
        for event in events {
            if matches!(event, GameEvent::Order { .. } | GameEvent::ActiveAlly { .. }) {
                parts.push(within_sentence(&self.log_line(event).text));
            }
        }
        parts.join("; ")
    }

    /// The cards of a season and the order of the turns; before they are shown, who has committed.
    fn command_summary(&self, events: &[&GameEvent]) -> String {
        let mut shown = Vec::new();
        let mut turns = Vec::new();
        for event in events {
            match **event {
                GameEvent::CommandShown { faction, card, counts } => {
                    let how = match counts {
                        Command::Valid => String::new(),
                        Command::Emergency => ", Emergency".to_owned(),
                        Command::Bluff => ", a bluff".to_owned(),
                        Command::Defensive => ", defensive".to_owned(),
                    };
                    shown.push(format!("{faction} {}{how}", self.card_name(card)));
                }
                GameEvent::TurnBegins { faction, moves, .. } if turns.is_empty() => {
                    turns.push(format!("{} begins with {}", faction.the(), count(moves, "move")));
                }
                _ => {}
            }
        }
        if shown.is_empty() {
            let lines = events
                .iter()
                .filter(|event| matches!(event, GameEvent::Committed { .. } | GameEvent::Passed { .. }));
            let lines: Vec<String> = lines.map(|event| within_sentence(&self.log_line(event).text)).collect();
            return lines.join("; ");
        }
        let turns = if turns.is_empty() { "nobody moves".to_owned() } else { turns.join("; ") };
        format!("Command: {}; {turns}", shown.join("; "))
    }

    fn discard_summary(&self, events: &[&GameEvent]) -> String {
        let parts = Faction::ALL.into_iter().filter_map(|faction| {
            let cards: Vec<String> = events
                .iter()
                .filter_map(|event| match event {
                    GameEvent::Discarded { faction: by, card } if *by == faction => {
                        Some(self.world.card_id(*card).to_owned())
                    }
                    _ => None,
                })
                .collect();
            (!cards.is_empty()).then(|| format!("{} discards {}", faction.the(), and_list(&cards)))
        });
        parts.collect::<Vec<_>>().join("; ")
    }
}

/// The unit types in the plural.
fn plural(kind: Kind) -> String {
    match kind {
        Kind::Infantry => "Infantry".to_owned(),
        Kind::Fortress => "Fortresses".to_owned(),
        kind => format!("{}s", kind.title()),
    }
}

fn declares_war(events: &[&GameEvent]) -> bool {
    events.iter().any(|event| matches!(event, GameEvent::WarDeclared { .. }))
}

/// Who passed, one after the other.
fn passes_summary(events: &[&GameEvent]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for event in events {
        if let GameEvent::Passed { faction } = event
            && !names.contains(&faction.the())
        {
            names.push(faction.the());
        }
    }
    let verb = if names.len() == 1 { "passes" } else { "pass" };
    format!("{} {verb}", and_list(&names))
}

/// What follows from an action by itself, and is told behind it.
pub(crate) const fn is_aftermath(event: &GameEvent) -> bool {
    matches!(
        event,
        GameEvent::YearBegins { .. }
            | GameEvent::Begins { .. }
            | GameEvent::Standing { .. }
            | GameEvent::Production { .. }
            | GameEvent::TurnBegins { .. }
            | GameEvent::NoTurn { .. }
            | GameEvent::Captured { .. }
            | GameEvent::ColonyTaken { .. }
            | GameEvent::ColonyArmed { .. }
            | GameEvent::Unsupplied { .. }
            | GameEvent::Blockaded { .. }
            | GameEvent::Ended { .. }
    )
}
