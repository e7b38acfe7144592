//! Where aircraft come to from each base. A flight in all directions is dear and asked for again and again, so what was found is
//! kept beside the skies it was found under, as far as it led, and serves for as long as these are the same. Rule 4.5.

use std::cell::RefCell;

use crate::bits::CitySet;
use crate::flight::Skies;
use crate::ids::{CITIES, City, Place, UnitId};
use crate::near_cities::{around, to_russia};
use crate::rules::Rules;
use crate::state::State;
use crate::survey::Survey;
use crate::tracked::Stamp;
use crate::world::{HEIGHT, WIDTH};

/// More cities and ports than lie within the reach of any base.
const MOST: usize = 64;
/// More words than the rows within the reach of a base take up.
const WORDS: usize = 24;

/// The cities and ports that aircraft come to from a base.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AirReach {
    /// All of them, as a set.
    pub cities: CitySet,
    /// Whether they come to the Central Russia Box.
    pub russia: bool,
    /// The nearest first, in the order of a flight; no city stands for the Central Russia Box.
    order: [City; MOST + 1],
    count: u8,
}

impl AirReach {
    const NOTHING: Self =
        Self { cities: CitySet::EMPTY, russia: false, order: [City::NONE; MOST + 1], count: 0 };

    /// The nearest first; nothing stands for the Central Russia Box.
    pub fn in_order(&self) -> impl Iterator<Item = Option<City>> + '_ {
        self.order[..usize::from(self.count)].iter().map(|city| city.some())
    }

    fn add(&mut self, city: Option<City>) {
        match city {
            Some(city) => self.cities.insert(city),
            None => self.russia = true,
        }
        self.order[usize::from(self.count)] = city.unwrap_or(City::NONE);
        self.count += 1;
    }
}

/// A reach, and what it depends on.
struct Known {
    points: u8,
    /// Whether a way may lead through the Central Russia Box, from where it leads far away.
    is_far: bool,
    /// The skies it was found under.
    stamp: Stamp,
    /// The words of the map that hold the rows within reach: the first, and how many.
    first: usize,
    length: usize,
    /// Everything within reach, closed or not.
    within: [u64; WORDS],
    /// What of it can't be flown over.
    closed: [u64; WORDS],
    reach: AirReach,
}

thread_local! {
    /// What was found last for each base, with all points and with fewer.
    static KNOWN: RefCell<Vec<Option<Box<Known>>>> = const { RefCell::new(Vec::new()) };
}

/// Columns and rows around a base that may be within reach.
fn bounds(at: u8, range: u8, size: usize) -> (u8, u8) {
    (at.saturating_sub(range), (at + range).min(size as u8 - 1))
}

impl Rules {
    /// Asks something about the cities and ports that an air unit comes to from its base, bases or not. `None` where that is not
    /// kept: outside cities.
    pub(crate) fn air_reach<R>(
        &self,
        state: &State,
        survey: &Survey,
        unit: UnitId,
        question: impl FnOnce(&AirReach) -> R,
    ) -> Option<R> {
        let place = state.unit(unit).place;
        let base = place.is_hex().then(|| self.tile(place).city).and_then(City::some)?;
        let points = self.allowance(state, unit);
        let side = self.side_of(state, unit);
        KNOWN.with_borrow_mut(|known| {
            if known.is_empty() {
                known.resize_with(CITIES * 2, || None);
            }
            // A unit in supply has twice the points of one that is not.
            let kept = known[base.index() * 2 + usize::from(points % 2)]
                .get_or_insert_with(|| Box::new(Known::nothing()));
            let stamp = survey.sky_stamp(side);
            if !kept.stamp.is_same(stamp) || kept.points != points {
                let sky = survey.skies_of(side);
                if kept.points != points {
                    kept.measure(self, base, points)?;
                    kept.find(self, state, survey, unit);
                } else if kept.is_far || self.leads_over_russia(base, points) || !kept.fits(self, sky) {
                    kept.find(self, state, survey, unit);
                }
                kept.is_far = self.leads_over_russia(base, points);
                (kept.points, kept.stamp) = (points, stamp);
            }
            Some(question(&kept.reach))
        })
    }

    /// Whether a flight from a base with some points can lead through the Central Russia Box.
    fn leads_over_russia(&self, base: City, points: u8) -> bool {
        let costs = &self.world.tables.costs;
        let cost = u32::from(to_russia(base)) * u32::from(costs.air_hex) + u32::from(costs.air_russia);
        cost <= u32::from(points) && self.is_box_in_play(Place::CRU)
    }
}

impl Known {
    const fn nothing() -> Self {
        Self {
            points: u8::MAX,
            is_far: false,
            stamp: Stamp::NONE,
            first: 0,
            length: 0,
            within: [0; WORDS],
            closed: [0; WORDS],
            reach: AirReach::NOTHING,
        }
    }

    /// What lies around a base; `None` if there is no room for so much.
    fn measure(&mut self, rules: &Rules, base: City, points: u8) -> Option<()> {
        let costs = &rules.world.tables.costs;
        let range = points / costs.air_hex;
        (self.points, self.stamp) = (u8::MAX, Stamp::NONE);
        let (row, col) = rules.sites[base.index()].spot;
        let (rows, cols) = (bounds(row, range, HEIGHT), bounds(col, range, WIDTH));
        let words = Skies::words(rows.0, rows.1);
        let near = around(base, u32::from(range)).count();
        let behind_russia = City::all().filter(|city| to_russia(*city) <= range).count();
        let most = near + if to_russia(base) <= range { behind_russia } else { 0 };
        if words.len() > WORDS || most > MOST {
            return None;
        }
        let mut within = Skies::EMPTY;
        for at in rows.0..=rows.1 {
            // Every second step up or down leads a column sideways.
            let aside = range - at.abs_diff(row) / 2;
            let (left, right) = bounds(col, aside, WIDTH);
            within.put_row(at, left.max(cols.0)..=right.min(cols.1));
        }
        (self.first, self.length) = (words.start, words.len());
        self.within = [0; WORDS];
        for (word, at) in self.within.iter_mut().zip(words) {
            *word = within.word(at);
        }
        Some(())
    }

    /// Whether it was found under the skies as they are.
    #[inline]
    fn fits(&self, rules: &Rules, sky: &Skies) -> bool {
        let around = self.within.iter().zip(&self.closed).take(self.length).enumerate();
        let unlike = around.fold(0, |unlike, (at, (within, closed))| {
            unlike | (rules.closed_sky(sky, self.first + at) & within ^ closed)
        });
        unlike == 0
    }

    fn find(&mut self, rules: &Rules, state: &State, survey: &Survey, unit: UnitId) {
        let sky = survey.skies_of(rules.side_of(state, unit));
        for at in 0..self.length {
            self.closed[at] = rules.closed_sky(sky, self.first + at) & self.within[at];
        }
        let reach = &mut self.reach;
        *reach = AirReach::NOTHING;
        rules.fly(state, survey, unit, Skies::of_cities(), |place| {
            reach.add(if place.is_hex() { rules.tile(place).city.some() } else { None });
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, Game as _, LabDice, Options};

    use super::*;
    use crate::game::Surrender;
    use crate::testing::Wars;

    /// No base has more around it than there is room for, so that every reach can be kept.
    #[test]
    fn there_is_room_for_the_reach_of_every_base() {
        let game = Surrender::with_options(&Options::new()).expect("Poland");
        for base in City::all() {
            let points = game.rules().world.tables.costs.other[0];
            assert!(Known::nothing().measure(game.rules(), base, points).is_some(), "{base:?}");
        }
    }

    /// What is kept is what a flight finds, in the same order, for every air unit wherever it is, in wars that go on at random and
    /// in which now and then a hex changes hands for no reason.
    #[test]
    fn a_reach_that_is_kept_is_that_of_a_flight() {
        let (mut wars, mut dice) =
            (Wars::of(&["main-event-1939", "ussr-1941", "balkans-1941"]), LabDice::new(3));
        let everywhere: Vec<City> = City::all().collect();
        let gates: Vec<City> = City::all().filter(|city| to_russia(*city) <= 7).collect();
        let mut asked = [0; 2];
        for _ in 0..200 {
            let (rules, mut state) = wars.go_on(&mut dice, 40);
            let hex = dice.below(state.control.len() as u32) as usize;
            state.control[hex] = state.control[dice.below(state.control.len() as u32) as usize];
            // Few have their base near Russia, so everybody flies from somewhere else.
            for unit in rules.world.wings.iter().filter(|unit| rules.kind(**unit).is_air()) {
                let bases = if dice.below(4) == 0 { &gates } else { &everywhere };
                let base = bases[dice.below(bases.len() as u32) as usize];
                state.unit_mut(*unit).place = rules.sites[base.index()].hex;
            }
            Survey::ask(rules, &state, |survey| {
                for unit in rules.world.wings.iter().copied().filter(|unit| rules.kind(*unit).is_air()) {
                    let Some(reach) = rules.air_reach(&state, survey, unit, |reach| *reach) else { continue };
                    let mut flown = Vec::new();
                    rules.fly(&state, survey, unit, Skies::of_cities(), |place| {
                        flown.push(if place == Place::CRU { None } else { rules.tile(place).city.some() });
                        false
                    });
                    assert!(reach.in_order().eq(flown.iter().copied()), "{unit:?}");
                    assert!(City::all().all(|city| reach.cities.has(city) == flown.contains(&Some(city))));
                    assert_eq!(reach.russia, flown.contains(&None));
                    asked[usize::from(reach.russia)] += 1;
                }
            });
        }
        assert!(asked.into_iter().all(|count| count > 100), "without and with Russia {asked:?} times");
    }
}
