//! Declarations, policies, diplomacy: by the dated plans of the staff. Rules 10.1 to 10.4.

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place};
use crate::state::Status;
use crate::tables::Diplomat;
use crate::world::Climate;

use super::plan::is_busy_in_france;
use super::{Desk, position};

/// Countries by what they are worth to whoever wins them over.
const SUITORS: [Country; 14] = [
    Country::ITA,
    Country::ROM,
    Country::HUN,
    Country::TUR,
    Country::SPA,
    Country::YUG,
    Country::BUL,
    Country::FIN,
    Country::SWE,
    Country::GRE,
    Country::POL,
    Country::NOR,
    Country::IRQ,
    Country::PER,
];
/// Points that a leading power must have to draw from the Cup, and to put a marker in.
const PURSE: i16 = 9;
/// The Soviets end the Pact themselves once so many turns have passed and the Axis has not.
const PACT_IS_OLD: u8 = 33;

impl Desk<'_> {
    /// Politics, and every question that has no other chapter.
    pub(super) fn politics(&mut self, frame: Frame, choices: &[Choice]) -> usize {
        match frame {
            Frame::EvaluatePact if self.state.turn >= PACT_IS_OLD => position(choices, Choice::Evaluate),
            Frame::EndPact if self.is_due(Country::USSR) && self.is_ready_for(Country::USSR) => {
                position(choices, Choice::EndPact)
            }
            Frame::Declare(_) => self.declare(choices),
            Frame::Influence(_) | Frame::ProMarker(..) | Frame::BalticPro(_) | Frame::Coup(_) => {
                self.court(choices)
            }
            Frame::Diplomacy(_) => self.diplomacy(choices),
            Frame::LendLease => self.lend_lease(choices),
            Frame::Relocate => self.relocate(choices),
            Frame::FinlandWar => Self::first(choices),
            _ => Self::first(choices),
        }
    }

    /// Whether a plan against a country is due: its date, and weather that can be put up with in most of the country.
    fn is_due(&self, country: Country) -> bool {
        let turn = self.state.turn;
        self.weights.plans.iter().any(|plan| {
            plan.faction == self.faction
                && plan.country == country
                && (plan.from..=plan.until).contains(&turn)
                && (self.weather_of(country) <= plan.weather || turn == plan.until)
        })
    }

    fn weather_of(&self, country: Country) -> crate::tables::Weather {
        let capital = self.rules.world.country(country).capital;
        let climate = capital.some().map_or(Climate::Mild, |city| {
            let hex: Place = self.rules.world.city(city).hex;
            self.rules.world.hex(hex).climate
        });
        self.state.weather[climate as usize]
    }

    /// A declaration of war that is due, and that armies stand ready for.
    fn declare(&self, choices: &[Choice]) -> usize {
        let due = choices.iter().position(|choice| match choice {
            Choice::Declare(country) => self.is_due(*country) && self.is_ready_for(*country),
            _ => false,
        });
        due.unwrap_or_else(|| position(choices, Choice::Pass))
    }

    /// The Balkans and Russia come only when France has fallen. Whoever attacks a neutral country gives its rivals Influence: while friends
    /// may still be lost by it, only those are attacked that bar the way.
    fn is_ready_for(&self, country: Country) -> bool {
        if self.faction != Faction::Axis {
            return true;
        }
        let is_busy = is_busy_in_france(self.state, self.side);
        let is_neutral = |friend: Country| self.state.country(friend).status == Status::Neutral;
        let friends_waver = !self.rules.settings.historical
            && self.rules.scenario().diplomacy
            && [Country::ITA, Country::ROM, Country::HUN].into_iter().any(is_neutral);
        match country {
            Country::YUG | Country::GRE => !is_busy && !friends_waver,
            Country::DEN | Country::NOR => !friends_waver,
            Country::USSR => !is_busy,
            _ => true,
        }
    }

    /// Whom to court.
    fn court(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Influence(country) | Choice::Court(country) | Choice::Coup(country) => {
                let rank = SUITORS.iter().position(|known| *known == country).unwrap_or(SUITORS.len());
                let own = self.state.country(country).pro == Some(self.faction);
                100 - rank as i32 * 4 + i32::from(own) * 30
            }
            _ => 0,
        })
    }

    /// Draws while points are left; better markers are put in first where there are many points.
    fn diplomacy(&self, choices: &[Choice]) -> usize {
        let points = self
            .rules
            .leading_power(self.state, self.faction)
            .map_or(0, |power| self.state.country(power).points);
        if points < PURSE {
            return Self::first(choices);
        }
        let all: u32 = self.state.cup.iter().map(|count| u32::from(*count)).sum();
        let good = u32::from(self.state.cup[Diplomat::Success as usize]);
        self.best(choices, |choice| match choice {
            Choice::Draw => 10 + (good * 40 / all.max(1)) as i32,
            Choice::Put(Diplomat::Success) => 14,
            Choice::Pass => 5,
            _ => 0,
        })
    }

    /// The USSR while it fights for its life, the UK otherwise, and nobody when the USA need every point.
    fn lend_lease(&self, choices: &[Choice]) -> usize {
        let ussr = self.state.country(Country::USSR);
        let wanted = if ussr.status == Status::Active && self.state.war_east { 2 } else { 0 };
        position(choices, Choice::LendLease(wanted))
    }

    /// The Factory that the enemy is nearest to, if it is near.
    fn relocate(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| match choice {
            Choice::Relocate(city) => {
                let foe = self.memory.plan.foe[self.rules.world.city(city).hex.index()];
                20 - i32::from(foe)
            }
            _ => 0,
        })
    }
}
