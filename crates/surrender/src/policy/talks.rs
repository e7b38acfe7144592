//! What the staff makes of neutral countries: what each is worth to whom, what a step towards it gains, what a draw from the
//! Cup promises. Rules 10.1 to 10.4, 13.3.
//!
//! Everything is counted in hundredths of a production point, so that a draw can be weighed against its price.

use crate::choice::Choice;
use crate::ids::{Country, Faction};
use crate::state::Status;
use crate::tables::Diplomat;

use super::Desk;

/// Shares of the worth of a country that a step of Influence brings, in hundredths: a marker placed, a country won, a rival's
/// marker taken away.
const PLACED: i32 = 45;
const WON: i32 = 55;
const BARRED: i32 = 50;
/// How often a Coup does something, in hundredths.
const COUP: i32 = 83;
/// What a Coup does to a country at war: little, unless it is near its end.
const SHAKEN: i32 = 300;
const OVERTHROWN: i32 = 2_000;
/// So much National Will a Coup takes.
const BLOW: i16 = 2;
/// What a Trade Agreement brings.
const TRADE: i32 = 300;
/// What the Baltic states are worth together to the Soviets, who get them without a fight.
const BALTIC: i32 = 2_000;

/// Whether two factions want different things of a country.
fn are_rivals(one: Faction, other: Faction) -> bool {
    (one == Faction::Axis) != (other == Faction::Axis)
}

impl Desk<'_> {
    /// The share of a country's worth that Influence of a faction brings it now.
    fn share(&self, faction: Faction, country: Country) -> i32 {
        match self.state.country(country).pro {
            None => PLACED,
            Some(owner) if owner == faction => WON,
            Some(owner) if are_rivals(owner, faction) => BARRED,
            Some(_) => 0,
        }
    }

    /// What Influence of a faction on a country is worth to that faction.
    fn step(&self, faction: Faction, country: Country) -> i32 {
        self.weights.suit(faction, country) * self.share(faction, country)
    }

    /// Where a faction would apply Influence now; nothing if it cannot.
    fn wish(&self, faction: Faction) -> Option<Country> {
        if !self.rules.can_influence(self.state, faction) {
            return None;
        }
        self.rules.influenced(self.state, faction).max_by_key(|country| self.step(faction, *country))
    }

    /// What it costs oneself if another faction applies Influence.
    fn harm(&self, other: Faction) -> i32 {
        let wish = self.wish(other).filter(|_| are_rivals(other, self.faction));
        wish.map_or(0, |country| self.weights.suit(self.faction, country) * self.share(other, country))
    }

    /// What it costs on average that a die says which of the other two applies Influence.
    pub(super) fn harm_by_die(&self) -> i32 {
        let next = self.faction.next();
        (self.harm(next) + self.harm(next.next())) / 2
    }

    /// What a choice among countries is worth: Influence, a Pro-marker, a Coup.
    pub(super) fn suit_worth(&self, choice: Choice) -> i32 {
        match choice {
            Choice::Influence(country) | Choice::Court(country) => self.step(self.faction, country),
            Choice::Coup(country) => self.coup_worth(country),
            _ => 0,
        }
    }

    fn coup_worth(&self, country: Country) -> i32 {
        let entry = self.state.country(country);
        if entry.status == Status::Neutral {
            let barred = entry.pro.is_some_and(|owner| are_rivals(owner, self.faction));
            return if barred { self.weights.suit(self.faction, country) * BARRED } else { 0 };
        }
        if entry.will <= BLOW { OVERTHROWN } else { SHAKEN }
    }

    /// What a Pro-Axis marker on a country is worth to oneself.
    fn axis_marker(&self, country: Country) -> i32 {
        let entry = self.state.country(country);
        let share = match entry.pro {
            _ if entry.status != Status::Neutral => 0,
            None => PLACED,
            Some(Faction::Axis) => 0,
            Some(_) => PLACED + BARRED,
        };
        let worth = self.weights.suit(self.faction, country) * share;
        if self.faction == Faction::Axis { worth } else { -worth }
    }

    /// What it is worth to draw a marker.
    fn drawn_worth(&self, marker: Diplomat) -> i32 {
        let (rules, state) = (self.rules, self.state);
        let is_neutral = |country: Country| state.country(country).status == Status::Neutral;
        match marker {
            Diplomat::NoEvent => 0,
            Diplomat::Success => {
                self.wish(self.faction).map_or(0, |country| self.step(self.faction, country))
            }
            Diplomat::Failure => -self.harm_by_die(),
            Diplomat::Coup => {
                let best = rules.coups(state, self.faction).map(|country| self.coup_worth(country)).max();
                best.unwrap_or(0) * COUP / 100
            }
            Diplomat::Bessarabia if state.pact() => self.axis_marker(Country::ROM),
            Diplomat::Karelia => self.axis_marker(Country::FIN),
            Diplomat::Baltic if state.pact() && self.faction == Faction::Soviet => BALTIC,
            Diplomat::Vienna if is_neutral(Country::ROM) => {
                self.axis_marker(Country::HUN) + self.axis_marker(Country::BUL)
            }
            Diplomat::Iraq if is_neutral(Country::IRQ) => {
                let worth = self.weights.suit(self.faction, Country::IRQ) * 100;
                match self.faction {
                    _ if state.country(Country::FRA).status != Status::Conquered => 0,
                    Faction::Axis => worth,
                    Faction::Western | Faction::Soviet => -worth,
                }
            }
            Diplomat::Trade => TRADE,
            Diplomat::Bessarabia | Diplomat::Baltic | Diplomat::Vienna | Diplomat::Iraq => 0,
        }
    }

    /// What a draw from the Cup promises.
    pub(super) fn promise_of_draw(&self) -> i32 {
        let cup = &self.state.cup;
        let all: i32 = cup.iter().map(|count| i32::from(*count)).sum();
        let worth = |(count, (_, marker)): (&u8, (&str, Diplomat))| {
            if *count == 0 { 0 } else { i32::from(*count) * self.drawn_worth(marker) }
        };
        cup.iter().zip(Diplomat::ALL).map(worth).sum::<i32>() / all.max(1)
    }

    /// Whether points are kept for a draw: it promises more than it costs.
    pub(super) fn keeps_for_talks(&self, country: Country) -> bool {
        let price = i32::from(self.rules.world.tables.production.draw);
        self.rules.scenario().diplomacy
            && !self.rules.settings.historical
            && self.rules.leading_power(self.state, self.faction) == Some(country)
            && self.promise_of_draw() >= price * 100
    }
}
