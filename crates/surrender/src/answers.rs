//! Answers without dice: where the supply of a unit comes from and what would cut it, and where it can go. Rules 4.1 to 4.6, 7.2.

use kernel::Answer;

use crate::ids::{LANDS, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{Activation, State, Supply};
use crate::supply::{Net, Source, for_each_joined};
use crate::world::Hexside;

/// More places than this are only counted.
const NAMED: usize = 60;
/// A trace is on a Transport Line.
const ON_LINE: u8 = 3;

impl Rules {
    /// Where a unit's supply comes from by land, by which way, and where an enemy would cut it.
    pub(crate) fn supply_answer(&self, state: &State, unit: UnitId) -> Result<Answer, String> {
        if !state.unit(unit).on_map() {
            return Err(format!("{} is not on the map", self.unit_title(unit)));
        }
        let mut facts = vec![("now", Self::supply_word(state.unit(unit).supply).to_owned())];
        let source = self.source_of(state, unit);
        let (words, to) = match source {
            Source::Unlimited(place) => (format!("{}, Full", self.place_words(place)), Some(place)),
            Source::Limited(place) => {
                (format!("{}, Low; it feeds two units", self.place_words(place)), Some(place))
            }
            Source::Nothing => {
                facts.push(("over sea", self.sea_supply_words(state, unit)));
                ("nothing by land".to_owned(), None)
            }
        };
        facts.push(("from", words));
        let own = state.unit(unit).place;
        if let Some(to) = to.filter(|to| own.is_hex() && *to != own) {
            let way = self.supply_way(state, self.side_of(state, unit), own, to);
            let names: Vec<String> = way.iter().map(|place| self.world.place_name(*place)).collect();
            facts.push(("by", names.join(" ")));
            let vital: Vec<String> = way
                .iter()
                .filter(|hex| hex.is_hex() && **hex != own && self.is_vital(state, unit, **hex, source))
                .map(|hex| self.world.place_name(*hex))
                .collect();
            let words = if vital.is_empty() { "no single hex".to_owned() } else { vital.join(" ") };
            facts.push(("cut by an enemy in", words));
        }
        let title = format!("Supply of {}", self.unit_name(unit));
        Ok(Answer { title, rule: "7.2, 7.3", facts, results: Vec::new() })
    }

    /// Whether a unit would be worse off if a hex were closed to it.
    pub fn is_vital(&self, state: &State, unit: UnitId, hex: Place, source: Source) -> bool {
        let mut closed = *state;
        closed.control[hex.index()] = Side::Nobody;
        match self.source_of(&closed, unit) {
            Source::Unlimited(_) => false,
            Source::Limited(_) => matches!(source, Source::Unlimited(_)),
            Source::Nothing => true,
        }
    }

    /// A shortest trace from a hex to a place, both ends included.
    pub fn supply_way(&self, state: &State, side: Side, from: Place, to: Place) -> Vec<Place> {
        let net = Net::new(self, state, side);
        let range = self.world.tables.ranges.supply as u8;
        // What each place was reached from, by steps taken; a place on a line by `ON_LINE`.
        let mut before = vec![[None; ON_LINE as usize + 1]; LANDS + 1];
        let mut queue = std::collections::VecDeque::from([(from, 0_u8)]);
        before[from.index()][0] = Some((from, 0_u8));
        while let Some((here, taken)) = queue.pop_front() {
            if here == to {
                let mut way = vec![here];
                let mut at = (here, taken);
                while let Some(earlier) =
                    before[at.0.index()][usize::from(at.1)].filter(|earlier| *earlier != at)
                {
                    way.push(earlier.0);
                    at = earlier;
                }
                way.reverse();
                return way;
            }
            let mut next = Vec::new();
            for_each_joined(self, here, false, |place| next.push((place, ON_LINE)));
            if here.is_hex() && taken < range {
                let info = self.world.hex(here);
                let near = info.near.into_iter().zip(info.sides);
                next.extend(
                    near.filter(|(_, between)| *between != Hexside::Water).map(|(near, _)| (near, taken + 1)),
                );
            }
            for (place, steps) in next {
                let is_open = place == Place::CRU || net.is_usable(place);
                if is_open && before[place.index()][usize::from(steps)].is_none() {
                    before[place.index()][usize::from(steps)] = Some((here, taken));
                    queue.push_back((place, steps));
                }
            }
        }
        Vec::new()
    }

    /// Where a unit could go with the points it has: hexes of a march, bases, ports.
    pub(crate) fn reach_answer(&self, state: &State, unit: UnitId) -> Result<Answer, String> {
        if !state.unit(unit).on_map() {
            return Err(format!("{} is not on the map", self.unit_title(unit)));
        }
        let kind = self.kind(unit);
        let mut places = Vec::new();
        if kind.is_air() {
            self.rebases(state, unit, |place| {
                places.push(place);
                false
            });
        } else if kind.is_naval() {
            self.harbours(state, unit, None, |place| {
                places.push(place);
                false
            });
        } else {
            places = self.march(state, unit);
        }
        places.sort();
        places.dedup();
        let names: Vec<String> =
            places.iter().take(NAMED).map(|place| self.world.place_name(*place)).collect();
        let more = places.len().saturating_sub(NAMED);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let points = self.allowance(state, unit);
        let half = if state.unit(unit).supply == Supply::Full { "" } else { ", halved for its supply" };
        let facts = vec![
            ("points", format!("{points}{half}")),
            ("places", places.len().to_string()),
            ("to", format!("{}{tail}", names.join(" "))),
        ];
        let rule = if kind.is_air() {
            "4.5"
        } else if kind.is_naval() {
            "4.6"
        } else {
            "4.2, 4.3"
        };
        Ok(Answer { title: format!("Reach of {}", self.unit_name(unit)), rule, facts, results: Vec::new() })
    }

    /// Every place where a march of a ground unit can end, found by marching: each step as the activation would allow it.
    fn march(&self, state: &State, unit: UnitId) -> Vec<Place> {
        let mut best = vec![None; LANDS + 1];
        let mut found = Vec::new();
        let points = self.allowance(state, unit);
        let mut waiting = vec![(state.unit(unit).place, points, false)];
        while let Some((here, points, begun)) = waiting.pop() {
            let mut there = *state;
            self.lift(&mut there, unit);
            let passing = here.is_hex() && there.ground_at(here).is_some();
            there.unit_mut(unit).place = here;
            if here.is_hex() && !passing {
                there.ground[here.index()] = unit;
            }
            there.activation = Activation { unit, points, begun };
            if begun && !passing {
                found.push(here);
            }
            for (to, left) in self.next_steps(&there) {
                if best[to.index()].is_none_or(|known| left > known) {
                    best[to.index()] = Some(left);
                    waiting.push((to, left, true));
                }
            }
        }
        found
    }
}
