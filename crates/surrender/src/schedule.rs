//! Historical politics. Rule 10.5.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Country, Faction, Place, UnitId};
use crate::rules::Rules;
use crate::scenario::{Condition, Deed};
use crate::state::{State, Status};

impl Rules {
    /// The list of the scenario is read in its order: what is due and whose conditions hold happens, once.
    pub(crate) fn follow_history<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        for (at, entry) in self.scenario().politics.iter().enumerate() {
            let is_due =
                entry.from <= state.turn && state.turn <= entry.until && state.history >> at & 1 == 0;
            if !is_due || !entry.conditions.iter().all(|(condition, is)| self.holds(state, *condition) == *is)
            {
                continue;
            }
            state.history |= 1 << at;
            match entry.deed {
                Deed::Cede(area) => self.cede(state, area, sink),
                Deed::Activate(country, faction) => {
                    if state.country(country).status == Status::Neutral {
                        self.activate(state, country, faction.side(), sink);
                    }
                }
                Deed::Absorb(country, faction) => {
                    if state.country(country).status == Status::Neutral {
                        self.absorb(state, country, faction, sink);
                    }
                }
                Deed::Switch(country, faction) => {
                    if state.country(country).status == Status::Active {
                        self.switch(state, country, faction, sink);
                    }
                }
                Deed::Leave(country) => {
                    if state.country(country).status == Status::Active {
                        self.leave(state, country, sink);
                    }
                }
            }
        }
    }

    fn holds(&self, state: &State, condition: Condition) -> bool {
        match condition {
            Condition::Neutral(country) => state.country(country).status == Status::Neutral,
            Condition::Active(faction, country) => {
                let entry = state.country(country);
                entry.status == Status::Active && entry.side == faction.side()
            }
            Condition::Pact => state.pact(),
            Condition::GroundNear(faction, country, hexes) => {
                self.has_ground_near(state, faction, country, hexes)
            }
            Condition::Controls(faction, city) => self.controls(state, faction, city),
        }
    }

    /// Whether a ground unit of a faction is within so many hexes of a hex of a country.
    fn has_ground_near(&self, state: &State, faction: Faction, country: Country, hexes: u8) -> bool {
        UnitId::all().any(|unit| {
            let place = state.unit(unit).place;
            self.kind(unit).is_ground()
                && place.is_hex()
                && self.side_of(state, unit) == faction.side()
                && Place::hexes().any(|hex| {
                    self.world.hex(hex).country == country
                        && self.world.distance(place, hex) <= u32::from(hexes)
                })
        })
    }
}
