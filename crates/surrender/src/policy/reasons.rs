//! Why: a sentence for the log.

use std::fmt::Write as _;

use crate::choice::Choice;
use crate::ids::{Place, UnitId};
use crate::state::{Errand, Fight, Manner};

use super::Desk;
use super::plan::{THEATRE_NAMES, theatre};

/// A city this near in movement points is opened by a hex.
const OPENS: u32 = 3;

impl Desk<'_> {
    /// Writes the reason of a choice, where it is worth a word.
    pub(super) fn reason(&mut self, choice: Choice, why: &mut String) {
        let said = match choice {
            Choice::Attack(hex) => self.why_attack(self.state.activation.unit, hex, Manner::Mobile),
            Choice::Assault(hex) => {
                let plan = self.plan_assault(hex, None);
                plan.map(|(fight, promise)| self.attack_words(fight.primary, hex, promise.falls, "assaults"))
            }
            Choice::Activate(unit) => Some(self.why_activate(unit)),
            Choice::Invade(unit) => {
                Some(format!("{} has no enemy here and can land on one's coast.", self.name(unit)))
            }
            Choice::At(hex) => Some(self.why_there(hex)),
            Choice::Rail(unit) => {
                Some(format!("{} is far from any enemy: by rail to the front.", self.name(unit)))
            }
            Choice::Escort(unit) => Some(format!("{} holds best against whoever may come.", self.name(unit))),
            Choice::LetGo => Some("Nobody at hand has good odds against it.".to_owned()),
            Choice::LowCountries => Some("The way around the forts leads through Belgium.".to_owned()),
            Choice::Influence(country) | Choice::Court(country) => {
                let name = &self.rules.world.country(country).name;
                Some(format!("Of those who can be courted now {name} is worth most."))
            }
            Choice::Replace(unit) => {
                Some(format!("{} is worn and at the front, or its points would be lost.", self.name(unit)))
            }
            Choice::Rebase(unit) => {
                Some(format!("{} flies to where it can support the armies.", self.name(unit)))
            }
            Choice::Sail(unit) => Some(format!("{} sails to where ships are wanted.", self.name(unit))),
            Choice::Transport(unit) => {
                Some(format!("{} carries an army that has no enemy here to a front.", self.name(unit)))
            }
            Choice::Bomb(unit) => {
                Some(format!("{} bombs German Factories: it is fresh enough.", self.name(unit)))
            }
            Choice::Strike(unit) => {
                Some(format!("{} has nothing better to do and good odds.", self.name(unit)))
            }
            Choice::Declare(country) => {
                let name = &self.rules.world.country(country).name;
                Some(format!("The plan against {name} is due and the weather will do."))
            }
            Choice::EndPact => Some("The plan against the USSR is due and the weather will do.".to_owned()),
            Choice::Commit => Some("What is at stake is worth a Sortie or a marker.".to_owned()),
            Choice::HoldBack => Some("Nothing at hand would change enough.".to_owned()),
            Choice::Retreat(hex) => Some(format!("{} is the safest way out.", self.place_words(hex))),
            Choice::Stand => Some("The fort is worth a step.".to_owned()),
            Choice::Intercept(unit) => Some(format!("{} has good odds against it.", self.name(unit))),
            Choice::Link(_) => Some("Units overseas wait for supply.".to_owned()),
            Choice::Play(_) => Some("Many armies stand ready to attack.".to_owned()),
            Choice::End => Some("Nothing is left that is worth its points.".to_owned()),
            _ => None,
        };
        if let Some(said) = said {
            let _ = write!(why, "{said}");
        }
    }

    /// Why a landing, an airdrop or a Bombing Run goes to a hex.
    fn why_there(&self, hex: Place) -> String {
        let place = self.place_words(hex);
        match (self.state.mission.errand, self.state.ground_at(hex)) {
            (Errand::Invasion, None) => format!("{place} is open and worth most."),
            (Errand::Invasion, Some(unit)) => {
                format!("{place} is worth a fight with {}.", self.name(unit))
            }
            _ => format!("{place} is the best place in reach."),
        }
    }

    fn name(&self, unit: UnitId) -> &str {
        &self.rules.info(unit).name
    }

    /// A hex as people call it: its city, or the hex.
    fn place_words(&self, hex: Place) -> String {
        match self.rules.world.city_at(hex) {
            Some(city) => self.rules.world.city(city).name.clone(),
            None => format!("hex {}", self.rules.world.place_name(hex)),
        }
    }

    fn why_attack(&mut self, unit: UnitId, hex: Place, manner: Manner) -> Option<String> {
        let defender = self.state.ground_at(hex)?;
        let fight = Fight { manner, primary: unit, defender, hex, ..Fight::NONE };
        let judge = self.judge();
        let promise = judge.promise(self.state, &judge.helped(self.state, fight));
        Some(self.attack_words(unit, hex, promise.falls, "attacks"))
    }

    /// "6th Army attacks Lodz: 72 % that it falls, opens the road to Warsaw."
    fn attack_words(&self, unit: UnitId, hex: Place, falls: i32, verb: &str) -> String {
        let mut words =
            format!("{} {verb} {}: {falls} % that it falls", self.name(unit), self.place_words(hex));
        if let Some(city) = self.opened_by(hex) {
            let _ = write!(words, ", opens the road to {city}");
        }
        words.push('.');
        words
    }

    /// The worthiest enemy city near a hex.
    fn opened_by(&self, hex: Place) -> Option<&str> {
        let (rules, state) = (self.rules, self.state);
        let judge = self.judge();
        let near = rules.world.cities.iter().filter(|city| {
            city.hex != hex
                && state.at_war(state.controller(city.hex), self.side)
                && rules.world.distance(city.hex, hex) <= OPENS
        });
        near.max_by_key(|city| judge.hex_worth(state, city.hex)).map(|city| city.name.as_str())
    }

    fn why_activate(&mut self, unit: UnitId) -> String {
        let points = self.rules.allowance(self.state, unit);
        let deal = self.best_deal(unit, points, false);
        let front = THEATRE_NAMES[theatre(deal.goal)];
        let name = self.rules.info(unit).name.clone();
        if deal.attack.is_hex() {
            format!("{name} goes for {}: the best attack in {front} now.", self.place_words(deal.attack))
        } else if self.state.at_war(self.state.controller(deal.goal), self.side) {
            format!("{name} advances to {}, which nobody holds.", self.place_words(deal.goal))
        } else if self.eagerness(self.base_of(unit, deal.goal)) >= 50 {
            format!("{name} moves up in {front}.")
        } else if self.memory.plan.embarks && self.can_go_aboard(unit, deal.goal) {
            format!("{name} waits in {} to go aboard.", self.place_words(deal.goal))
        } else {
            format!("{name} covers {} in {front}.", self.place_words(deal.goal))
        }
    }
}
