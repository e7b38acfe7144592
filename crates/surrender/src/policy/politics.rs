//! Declarations, policies, diplomacy: by the dated plans of the staff. Rules 10.1 to 10.4.

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Country, Faction, Place, UnitId};
use crate::state::Status;
use crate::tables::Diplomat;
use crate::world::Climate;

use super::plan::is_busy_in_france;
use super::{Desk, position};

/// An army of the West this near to the capital of a country can march there.
const MARCH: u32 = 15;
/// So many armies must lie in port with ships before war is declared on a country overseas.
const FLEET: usize = 2;
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

    /// The Balkans and Russia come only when France has fallen, Denmark before the attack on France or after it, Norway when a fleet
    /// lies ready with its armies, and an army must be at hand. Whoever attacks a neutral country gives others Influence: while they would win more by it than the plan dares,
    /// it waits.
    fn is_ready_for(&self, country: Country) -> bool {
        let is_busy = self.faction == Faction::Axis && is_busy_in_france(self.state, self.side);
        let is_prepared = match country {
            Country::YUG | Country::USSR => !is_busy,
            Country::GRE => !is_busy && self.has_way_to_greece(),
            Country::DEN => !is_busy || self.state.turn < self.plan_of(Country::BEL),
            Country::NOR => self.memory.plan.embarks && self.fleet_is_ready(),
            Country::IRQ => self.can_march_to(country),
            _ => true,
        };
        let dare = self.weights.plan(self.faction, country).map_or(0, |plan| plan.dare);
        let is_answered = self.rules.has_pro_markers() && !matches!(country, Country::VIC | Country::USSR);
        is_prepared && (!is_answered || self.harm_by_die() <= dare * 100)
    }

    /// The first turn of the plan against a country; never, if there is none.
    fn plan_of(&self, country: Country) -> u8 {
        self.weights.plan(self.faction, country).map_or(u8::MAX, |plan| plan.from)
    }

    /// Whether armies could come to Greece over land: through Bulgaria or Yugoslavia, not only over the mountains of Albania.
    fn has_way_to_greece(&self) -> bool {
        let state = self.state;
        let is_friend = |country: Country| {
            let entry = state.country(country);
            entry.status == Status::Active && entry.side == self.side
        };
        is_friend(Country::BUL) || state.country(Country::YUG).status != Status::Neutral
    }

    /// Whether armies wait in ports with ships for a landing, at full strength and away from every front.
    fn fleet_is_ready(&self) -> bool {
        UnitId::all().filter(|unit| self.could_embark(*unit)).count() >= FLEET
    }

    /// Whether an army could go aboard where it stands.
    fn could_embark(&self, unit: UnitId) -> bool {
        let (rules, state) = (self.rules, self.state);
        let entry = state.unit(unit);
        entry.place.is_hex()
            && entry.level == 0
            && rules.kind(unit).is_field()
            && self.can_go_aboard(unit, entry.place)
            && !self.is_at_the_front(entry.place)
    }

    /// Whether an army in the field stands near the capital of a country.
    fn can_march_to(&self, country: Country) -> bool {
        let (rules, state) = (self.rules, self.state);
        let Some(capital) = rules.world.country(country).capital.some() else { return false };
        let hex = rules.world.city(capital).hex;
        UnitId::all().any(|unit| {
            let place = state.unit(unit).place;
            place.is_hex()
                && rules.kind(unit).is_field()
                && rules.side_of(state, unit) == self.side
                && rules.world.distance(place, hex) <= MARCH
        })
    }

    /// Whom to court: where a step brings most.
    fn court(&self, choices: &[Choice]) -> usize {
        self.best(choices, |choice| self.suit_worth(choice))
    }

    /// Points that are left now would be lost: it draws if that promises anything. Who has nothing to hope for from the Cup makes
    /// the draws of others worse.
    fn diplomacy(&self, choices: &[Choice]) -> usize {
        let wanted = if self.promise_of_draw() > 0 { Choice::Draw } else { Choice::Put(Diplomat::Failure) };
        position(choices, wanted)
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
