//! Wars, moves, Battles, supply and the end of the game, in sentences.

use crate::areas::NONE;
use crate::economy::Points;
use crate::factions::Faction;
use crate::game_event::{Cause, GameEvent};
use crate::labels_war::{dice_words, hits_on, targets};
use crate::rules::Rules;
use crate::state::Verdict;
use crate::story::the;
use crate::words::{and_list, capitalized, count};

impl Rules {
    /// Declarations and moves.
    pub(crate) fn war_words(&self, event: &GameEvent) -> (String, &'static str) {
        match event {
            GameEvent::WarDeclared { by, on } => {
                (format!("{} declares war on {}", the(*by), on.the()), "15.2")
            }
            GameEvent::Violated { by, nation } => {
                (format!("{} violates the neutrality of {}", the(*by), self.nation_name(*nation)), "15.4")
            }
            GameEvent::Armed { nation } => {
                let verb = self.agrees(*nation, "takes", "take");
                (format!("{} {verb} up arms", capitalized(&self.nation_name(*nation))), "15.42")
            }
            GameEvent::Intervened { by, nation } => {
                (format!("{} intervenes in {}", the(*by), self.nation_name(*nation)), "15.423")
            }
            GameEvent::ProtectorStands { by, nation } => {
                (format!("{} stands by {}", the(*by), self.nation_name(*nation)), "8.13")
            }
            GameEvent::ProtectorGivesUp { by, nation } => {
                (format!("{} gives {} up", the(*by), self.nation_name(*nation)), "8.13")
            }
            GameEvent::Moved { unit, from, to, via, invades } => {
                let name = capitalized(&self.seen_name(*unit, NONE));
                let verb = if *invades { "invades" } else { "moves to" };
                let via = via.map_or_else(String::new, |via| format!(" via {}", self.place_name(via)));
                let rule = if *invades { "11.221" } else { "11.0" };
                (format!("{name} {verb} {} from {}{via}", self.place_name(*to), self.place_name(*from)), rule)
            }
            GameEvent::Surfaced { faction, area } => {
                (format!("A Submarine of {} surfaces in {}", faction.the(), self.place_name(*area)), "12.73")
            }
            GameEvent::MovesEnd { faction } => (format!("{} ends its moves", the(*faction)), "10.2"),
            GameEvent::BattleDeclared { area, by } => {
                (format!("{} fights in {}", the(*by), self.place_name(*area)), "12.1")
            }
            GameEvent::BattleAvoided { area, by } => {
                (format!("{} does not fight in {}", the(*by), self.place_name(*area)), "12.1")
            }
            _ => self.battle_words(event),
        }
    }

    /// Battles.
    fn battle_words(&self, event: &GameEvent) -> (String, &'static str) {
        match event {
            GameEvent::BattleBegins { area, by, against } if against.is_empty() => {
                (format!("{}: {} bombs it", self.battle_name(*area), by.the()), "12.62")
            }
            GameEvent::BattleBegins { area, by, against } => {
                let foes = self.parties_name(*against, *area);
                (format!("{}: {} against {foes}", self.battle_name(*area), by.the()), "12.1")
            }
            GameEvent::Shown { area, units } => {
                let names: Vec<String> = units
                    .iter()
                    .map(|unit| self.seen_name(*unit, *area).trim_start_matches("the ").to_owned())
                    .collect();
                let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
                (format!("In {}: {names}", self.place_name(*area)), "12.1")
            }
            GameEvent::RoundBegins { area, round } => {
                (format!("Round {round} in {}", self.place_name(*area)), "12.2")
            }
            GameEvent::Fires { unit, class, dice, needs } => {
                let name = capitalized(&self.seen_name(*unit, NONE));
                let (what, rule) = match class {
                    Some(class) => (format!("fires at {}", targets(*class)), "12.4"),
                    None => ("bombs industry".to_owned(), "12.62"),
                };
                (format!("{name} {what}: {}, {}", dice_words(*dice), hits_on(*needs)), rule)
            }
            GameEvent::Rolled { dice, hits: 0 } => (format!("{}: no hit", dice_words(*dice)), "12.4"),
            GameEvent::Rolled { dice, hits } => {
                (format!("{}: {}", dice_words(*dice), count(*hits, "hit")), "12.4")
            }
            GameEvent::Hit { unit, area, left } => {
                (format!("{} is reduced to {left}", capitalized(&self.seen_name(*unit, *area))), "12.44")
            }
            GameEvent::Lost { unit, area, cause } => {
                let name = capitalized(&self.seen_name(*unit, *area));
                let place = self.place_name(*area);
                match cause {
                    Cause::Hits => (format!("{name} is destroyed in {place}"), "12.44"),
                    Cause::Supply => (format!("{name} in {place} is lost without supply"), "14.1"),
                    Cause::NowhereToGo => (format!("{name} must leave {place}, can't, and is lost"), "12.52"),
                    Cause::Disbanded => (format!("{name} in {place} is disbanded"), "3.3"),
                }
            }
            GameEvent::Retreats { unit, from, to } => {
                let name = capitalized(&self.seen_name(*unit, *from));
                (
                    format!("{name} retreats from {} to {}", self.place_name(*from), self.place_name(*to)),
                    "12.5",
                )
            }
            GameEvent::Rebases { unit, from, to } => {
                let name = capitalized(&self.seen_name(*unit, *from));
                (
                    format!("{name} ReBases from {} to {}", self.place_name(*from), self.place_name(*to)),
                    "13.1",
                )
            }
            GameEvent::EscapesAway { faction, area } => {
                (format!("A Submarine of {} Escapes in {}", faction.the(), self.place_name(*area)), "12.73")
            }
            GameEvent::BattleEnds { area, winner: Some(winner) } => {
                (format!("{} holds {}", the(*winner), self.place_name(*area)), "12.24")
            }
            GameEvent::BattleEnds { area, winner: None } => {
                (format!("The Battle in {} is over for now", self.place_name(*area)), "12.22")
            }
            GameEvent::Bombed { faction, ind, lost: 0 } => {
                (format!("No bomb hits: {} keeps IND {ind}", faction.the()), "12.62")
            }
            GameEvent::Bombed { faction, ind, lost } => {
                (format!("{} loses {lost} IND to bombs: {ind} left", the(*faction)), "12.62")
            }
            _ => self.outcome_words(event),
        }
    }

    /// Captures, supply, blockade, the end.
    fn outcome_words(&self, event: &GameEvent) -> (String, &'static str) {
        match event {
            GameEvent::Captured { nation, captor, defeated: true } => (
                format!("{} is Defeated by {}", capitalized(&self.nation_name(*nation)), captor.the()),
                "2.22",
            ),
            GameEvent::Captured { nation, captor, defeated: false } => {
                (format!("{} captures {}", the(*captor), self.nation_name(*nation)), "1.121")
            }
            GameEvent::ColonyTaken { nation, faction } => {
                (format!("{} goes to {}", capitalized(&self.nation_name(*nation)), faction.the()), "2.22")
            }
            GameEvent::ColonyArmed { nation } => {
                (format!("{} takes up arms on its own", capitalized(&self.nation_name(*nation))), "2.22")
            }
            GameEvent::Unsupplied { faction, area, steps } => {
                let steps = count(*steps, "step");
                (format!("{} loses {steps} in {}: no supply", the(*faction), self.place_name(*area)), "14.1")
            }
            GameEvent::Blockaded { faction, full: 0, med: 0 } => {
                (format!("No blockade of {}", faction.the()), "14.22")
            }
            GameEvent::Blockaded { faction, full, med } => {
                let full = (*full > 0).then(|| format!("{} cut off", count(*full, "area")));
                let med = (*med > 0).then(|| format!("{} only round Africa", count(*med, "area")));
                let parts: Vec<String> = full.into_iter().chain(med).collect();
                (format!("Blockade of {}: {}", faction.the(), parts.join(", ")), "14.22")
            }
            GameEvent::Ended { verdict, points } => verdict_words(*verdict, points),
            _ => ("Something happens".to_owned(), ""),
        }
    }
}

/// Who has won, and with how many VP each.
fn verdict_words(verdict: Verdict, points: &[Points; 3]) -> (String, &'static str) {
    let (text, rule) = match verdict {
        Verdict::Economic(faction) => (format!("Economic victory of {}", faction.the()), "16.2"),
        Verdict::Military(faction) => (format!("Military victory of {}", faction.the()), "16.3"),
        Verdict::Atomic(faction) => (format!("Atomic victory of {}", faction.the()), "16.4"),
        Verdict::Hegemony(faction) => (format!("Hegemony of {}", faction.the()), "16.5"),
        Verdict::Shared(parties) => {
            let names: Vec<&str> = parties.factions().map(Faction::the).collect();
            (capitalized(&format!("{} share the victory", and_list(&names))), "16.5")
        }
    };
    let vp: Vec<String> =
        Faction::ALL.iter().map(|faction| format!("{faction} {}", points[faction.index()].total())).collect();
    (format!("{text} ({} VP)", vp.join(", ")), rule)
}
