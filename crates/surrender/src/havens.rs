//! Where the air and naval units of a side could go or strike, found once for a list of actions. Each answer is a reason that is
//! quickly seen; where there is none the whole reach of the unit is looked at. Rules 4.5, 4.6, 6.6.

use crate::ids::{CITIES, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::State;
use crate::world::{Slot, World};

/// Some cities.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    hexes: [Place; CITIES],
    count: u8,
}

impl Places {
    const NONE: Self = Self { hexes: [Place::NONE; CITIES], count: 0 };

    fn add(&mut self, hex: Place) {
        self.hexes[usize::from(self.count)] = hex;
        self.count += 1;
    }

    /// The hexes.
    #[inline]
    pub fn hexes(&self) -> &[Place] {
        &self.hexes[..usize::from(self.count)]
    }
}

/// What the bases on the map are to a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Havens {
    side: Side,
    /// Friendly cities without an air unit.
    air: Places,
    /// Cities and ports of enemies with aircraft or ships in them.
    enemy: Places,
    /// The Sea Zones of friendly ports without a warship, and without a convoy.
    free: [u64; 2],
}

impl Havens {
    /// Looks at all bases.
    pub fn new(rules: &Rules, state: &State, side: Side) -> Self {
        let air = Places::free_for_air(rules, state, side);
        let mut havens = Self { side, air, enemy: Places::NONE, free: [0; 2] };
        let enemies = state.enemies(side);
        for (site, slots) in rules.sites.iter().zip(&state.bases) {
            let controller = state.controller(site.hex);
            if controller == side && site.is_in_play {
                for (free, slot) in havens.free.iter_mut().zip([Slot::Warship, Slot::Convoy]) {
                    *free |= if slots[slot as usize].some().is_none() { site.zones } else { 0 };
                }
            } else if enemies >> controller.index() & 1 != 0 && slots.iter().any(|unit| unit.some().is_some())
            {
                havens.enemy.add(site.hex);
            }
        }
        havens
    }

    /// Those of a side, which may be known.
    pub fn of<'k>(known: &'k mut Option<Self>, rules: &Rules, state: &State, side: Side) -> &'k Self {
        if known.as_ref().is_some_and(|havens| havens.side != side) {
            *known = None;
        }
        known.get_or_insert_with(|| Self::new(rules, state, side))
    }
}

impl Places {
    /// The friendly cities with room for an air unit.
    pub fn free_for_air(rules: &Rules, state: &State, side: Side) -> Self {
        let mut places = Self::NONE;
        for (site, slots) in rules.sites.iter().zip(&state.bases) {
            let is_base = site.is_city && site.is_in_play && state.controller(site.hex) == side;
            if is_base && slots[Slot::Air as usize].some().is_none() {
                places.add(site.hex);
            }
        }
        places
    }
}

impl Rules {
    /// Whether an air unit can rebase anywhere (4.5): most have a base that lies in a straight line.
    pub(crate) fn can_rebase(&self, state: &State, unit: UnitId, havens: &Havens) -> bool {
        let from = state.unit(unit).place;
        let range = u32::from(self.allowance(state, unit) / self.world.tables.costs.air_hex);
        let is_near = |base: &Place| {
            self.world.distance(from, *base) <= range
                && self.is_straight_flight(state, havens.side, from, *base)
        };
        from.is_hex() && havens.air.hexes().iter().any(is_near) || self.rebases(state, unit, |_| true)
    }

    /// Whether a flight that comes nearer with every hex leads from one hex to another. One that has to turn is not found.
    fn is_straight_flight(&self, state: &State, side: Side, from: Place, to: Place) -> bool {
        let (mut here, end) = (self.world.axial(from), self.world.axial(to));
        while here != end {
            let (across, down) = (end.0 - here.0, end.1 - here.1);
            let steps = match (across.signum(), down.signum()) {
                (1, -1) | (-1, 1) if across + down == 0 => [(across.signum(), down.signum()); 2],
                (1, -1) | (-1, 1) if across.abs() > down.abs() => {
                    [(across.signum(), down.signum()), (across.signum(), 0)]
                }
                (1, -1) | (-1, 1) => [(across.signum(), down.signum()), (0, down.signum())],
                (0, down) => [(0, down); 2],
                (across, 0) => [(across, 0); 2],
                (across, down) => [(across, 0), (0, down)],
            };
            let next =
                steps.into_iter().map(|(across, down)| (here.0 + across, here.1 + down)).find(|spot| {
                    let place = self.world.at_axial(*spot);
                    place == Place::WATER || place.is_hex() && !self.is_closed(state, place, side)
                });
            let Some(next) = next else { return false };
            here = next;
        }
        true
    }

    /// Whether a ship can sail anywhere (4.6): most find a port on the waters they lie in, which costs one point.
    pub(crate) fn can_sail(&self, state: &State, ship: UnitId, havens: &Havens) -> bool {
        let from = state.unit(ship).place;
        let free = havens.free[usize::from(self.kind(ship).slot() == Slot::Convoy)];
        let waters = self.waters_at(from) & self.scenario().nodes;
        from.is_hex() && waters & free != 0 || self.harbours(state, ship, None, |_| true)
    }

    /// Whether an air unit can strike anybody (6.6).
    pub(crate) fn has_target(&self, state: &State, unit: UnitId, havens: &Havens) -> bool {
        let place = state.unit(unit).place;
        let range = self.world.tables.ranges.strike;
        place.is_hex() && havens.enemy.hexes().iter().any(|base| self.world.distance(place, *base) <= range)
    }
}

impl World {
    /// A land hex on axes along which every step is a hex.
    #[inline]
    fn axial(&self, hex: Place) -> (i16, i16) {
        self.hex(hex).cube
    }

    /// What lies at a place of these axes.
    #[inline]
    fn at_axial(&self, (across, row): (i16, i16)) -> Place {
        let spot = Self::spot(row as u8, (across + (row + 1) / 2) as u8);
        self.grid.get(spot).copied().unwrap_or(Place::NONE)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, Discard, Game as _, LabDice, Mover, Options};

    use super::*;
    use crate::frame::Frame;
    use crate::game::Surrender;
    use crate::state::HEX_WORDS;

    /// The quick answers are those of the whole reach, for every unit at every list of actions of a war that goes on at random.
    #[test]
    fn quick_reasons_say_what_the_whole_reach_says() {
        let options = Options::from([("scenario".to_owned(), "main-event-1939".to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let rules = game.rules();
        let mut state = game.start();
        let mut dice = LabDice::for_game(17, 0);
        let (mut choices, mut asked) = (Vec::new(), [0; 2]);
        for _ in 0..6_000 {
            if matches!(state.frame(), Frame::Actions(_)) {
                for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
                    let found = compare(rules, &state, unit);
                    asked[usize::from(found)] += 1;
                }
            }
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(_) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    choices[dice.below(choices.len() as u32) as usize]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        assert!(asked.into_iter().all(|count| count > 100), "no and yes were answered {asked:?} times");
    }

    fn compare(rules: &Rules, state: &State, unit: UnitId) -> bool {
        let kind = rules.kind(unit);
        if kind.is_ground() {
            let found = rules.look_around(state, unit, &mut [0; HEX_WORDS]);
            assert_eq!(found, rules.can_act(state, unit), "{unit:?}");
            return found;
        }
        let havens = Havens::new(rules, state, rules.side_of(state, unit));
        if kind.is_air() {
            let found = rules.can_rebase(state, unit, &havens);
            assert_eq!(found, rules.rebases(state, unit, |_| true), "{unit:?}");
            return found;
        }
        let found = rules.can_sail(state, unit, &havens);
        assert_eq!(found, rules.harbours(state, unit, None, |_| true), "{unit:?}");
        found
    }
}
