//! The plan of a sub-phase: fields over the map that say where to go, where the enemy comes from and where supply is. All of
//! it can be worked out again from any position.

use std::collections::VecDeque;
use std::sync::LazyLock;

use crate::ids::{COUNTRIES, City, Country, Faction, LANDS, Place, Side, UNITS, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status};
use crate::supply::{Net, bit};
use crate::world::{DIRECTIONS, Hexside, NO_AREA, World};

use super::raids::Raids;
use super::weights::{Front, Weights};
use super::worth::{Aims, city_worth, power};

/// From this turn on, the end of 1942, a France that fights was liberated.
const LIBERATED: u8 = 39;
/// A cost that is farther than anything that counts.
pub(super) const FAR: i16 = 400;
/// How many theatres there are.
pub(super) const THEATRES: usize = 7;
pub(super) const EAST: usize = 2;
const ITALY: usize = 4;
/// Their names for people.
pub(super) const THEATRE_NAMES: [&str; THEATRES] =
    ["the West", "the North", "the East", "the Balkans", "Italy", "Africa", "the Near East"];

/// What a step costs in general, by direction; [`NO_WAY`] where no unit goes.
pub(super) static STEPS: LazyLock<Vec<[u8; DIRECTIONS]>> = LazyLock::new(|| {
    let world = World::get();
    let costs = &world.tables.costs;
    let cost = |hex: Place, direction: usize| {
        let info = world.hex(hex);
        let (to, between) = (info.near[direction], info.sides[direction]);
        if !to.is_hex() || between == Hexside::Water || world.hex(to).faded {
            return NO_WAY;
        }
        if info.lines >> direction & 1 != 0 {
            return costs.line;
        }
        let added = match between {
            Hexside::Clear | Hexside::Water => 0,
            Hexside::River | Hexside::Canal | Hexside::Mountain => costs.obstacle,
            Hexside::Strait => costs.strait,
        };
        added + if world.hex(to).terrain.is_rough() { costs.rough } else { costs.clear }
    };
    Place::hexes().map(|hex| std::array::from_fn(|direction| cost(hex, direction))).collect()
});
pub(super) const NO_WAY: u8 = u8::MAX;

/// The theatre of each hex.
static THEATRE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let world = World::get();
    let theatre = |hex: Place| {
        let info = world.hex(hex);
        let (lat, lon) = (info.lat, info.lon);
        match info.country {
            Country::NOR | Country::SWE | Country::DEN => 1,
            Country::POL => 2,
            Country::YUG | Country::GRE | Country::BUL => 3,
            Country::TUR | Country::IRQ | Country::PER => 6,
            Country::ITA if info.area == NO_AREA => 4,
            _ if lat < 3750 && lon < 3400 => 5,
            _ if lat < 4000 && lon >= 3400 => 6,
            _ if lon >= 1700 => 2,
            _ => 0,
        }
    };
    Place::hexes().map(theatre).collect()
});

/// The theatre of a hex.
pub(super) fn theatre(hex: Place) -> usize {
    usize::from(THEATRE[hex.index()])
}

/// Which sub-phase a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    turn: u8,
    next: u8,
    faction: Faction,
}

/// The plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    key: Option<Key>,
    /// What it costs to come to an enemy city from each hex, a worthy city being nearer than it is.
    pub lure: Vec<i16>,
    /// The theatre of the enemy city that each hex is drawn to.
    drawn: Vec<u8>,
    /// What it costs the nearest enemy field unit to come to each hex.
    pub foe: Vec<i16>,
    /// Where enemy garrisons are: they stay there.
    pub garrisons: Vec<Place>,
    /// What it costs to come from one's own cities to each hex, worthy ones being nearer.
    pub shield: Vec<i16>,
    /// How many hexes each hex lies away from a place that has supply.
    pub supply: Vec<u8>,
    /// Where enemies could march.
    pub raids: Raids,
    /// The balance of strength in each theatre, own against enemy, in hundredths.
    pub balance: [i32; THEATRES],
    /// How eager the faction is in each theatre, from 0 to 100.
    pub eager: [i32; THEATRES],
    /// The theatres in which the faction stays on its own ground.
    pub stands: [bool; THEATRES],
    /// Whether armies go to the ports for Norway.
    pub embarks: bool,
    /// What the victory table names.
    pub aims: Aims,
    /// What each unit was rated at; [`STALE`] if it is to be rated.
    pub ratings: Vec<i32>,
    /// Missions that were looked at in this sub-phase and found wanting.
    pub dismissed: [u64; UNITS.div_ceil(64)],
    /// Hexes that must be held so that spearheads are fed, and what that is worth.
    pub gaps: Vec<(Place, i32)>,
    /// Where the fresh air units of each side are.
    pub wings: [Vec<Place>; 5],
    /// What each country keeps for replacements and new units.
    pub kept: [i16; COUNTRIES],
    /// Countries that can pay for everything, as bits.
    pub plenty: u32,
    /// Who holds which city, in a number.
    stamp: u64,
    queue: VecDeque<u16>,
}

/// Not rated yet.
pub(super) const STALE: i32 = i32::MAX;

impl Plan {
    /// Whether the victory table names a city.
    pub fn is_objective(&self, city: City) -> bool {
        self.aims.names(city)
    }

    /// Whether a unit's mission was dismissed.
    pub fn is_dismissed(&self, unit: UnitId) -> bool {
        self.dismissed[unit.index() / 64] >> (unit.index() % 64) & 1 != 0
    }

    /// The plan is to be made anew.
    pub fn forget(&mut self) {
        self.key = None;
    }

    /// Makes the plan if it is of another sub-phase.
    pub fn refresh(&mut self, rules: &Rules, state: &State, faction: Faction, weights: &Weights) {
        let key = Key { turn: state.turn, next: state.next, faction };
        if self.key == Some(key) {
            return;
        }
        self.key = Some(key);
        self.dismissed = [0; UNITS.div_ceil(64)];
        self.gaps.clear();
        self.stamp = stamp(rules, state);
        self.draw_up(rules, state, faction, weights);
    }

    /// Draws the fields up anew if a city has changed hands.
    pub fn keep_up(&mut self, rules: &Rules, state: &State, faction: Faction, weights: &Weights) {
        let stamp = stamp(rules, state);
        if self.stamp != stamp {
            self.stamp = stamp;
            self.draw_up(rules, state, faction, weights);
        }
    }

    fn draw_up(&mut self, rules: &Rules, state: &State, faction: Faction, weights: &Weights) {
        let side = faction.side();
        self.ratings.clear();
        self.ratings.resize(UNITS, STALE);
        self.aims = Aims::of(rules);
        self.embarks = embarks(rules, state, faction, weights);
        let rival = weights.rival(faction, state.turn).filter(|_| !is_busy_in_france(state, side));
        let is_enemy = |other: Side| state.at_war(other, side) || rival == Some(other);
        let mut open = [false; 5];
        for other in Side::ALL {
            open[other.index()] = other == side || is_enemy(other);
        }
        let is_open = |hex: Place| open[state.controller(hex).index()];
        // Neutral countries that will be attacked soon.
        let gathered = weights.gathered(faction, state.turn);
        let is_next = |hex: Place| {
            let country = rules.owner(state, hex);
            country != Country::NONE
                && gathered >> country.index() & 1 != 0
                && state.country(country).status == Status::Neutral
        };
        self.drawn.clear();
        self.drawn.extend_from_slice(&THEATRE);
        let worth = |city: City| city_worth(rules, state, weights, self.aims, city);
        let mut field = vec![FAR; LANDS];
        let mut queue = std::mem::take(&mut self.queue);
        queue.clear();
        for city in City::all() {
            let hex = rules.world.city(city).hex;
            let is_aim = is_enemy(state.controller(hex)) || is_next(hex);
            if rules.scenario().in_play(hex) && is_aim {
                seed(&mut field, &mut queue, hex, (20 - worth(city) / weights.nearness) as i16);
            }
        }
        let drawn = &mut self.drawn;
        let is_way = |hex: Place| is_open(hex) || is_next(hex);
        flood(rules, is_way, &mut field, &mut queue, |from, to| drawn[to] = drawn[from]);
        std::mem::swap(&mut self.lure, &mut field);
        // Where own cities are; only those that an enemy could come to matter, and those the enemy field tells.
        reset(&mut field);
        self.garrisons.clear();
        let mut strength = [[0; 2]; THEATRES];
        for unit in UnitId::all() {
            let place = state.unit(unit).place;
            if !place.is_hex() || !rules.kind(unit).is_ground() {
                continue;
            }
            let own = rules.side_of(state, unit);
            let power = power(rules, state, unit);
            let front = self.front(place);
            if own == side {
                strength[front][0] += power;
            } else if is_enemy(own) {
                strength[front][1] += power;
                if rules.kind(unit).is_field() {
                    seed(&mut field, &mut queue, place, 0);
                } else {
                    self.garrisons.push(place);
                }
            }
        }
        self.balance = strength.map(|[own, enemy]| if enemy == 0 { 1_000 } else { own * 100 / enemy });
        self.eager = self.balance.map(|balance| ((balance - 70 + weights.bolder) * 100 / 60).clamp(0, 100));
        let fights = |foe: Country| {
            let entry = state.country(foe);
            entry.status == Status::Active && state.at_war(entry.side, side)
        };
        let now = |front: &&Front| {
            front.faction == faction
                && (front.from..=front.until).contains(&state.turn)
                && front.with.is_none_or(|ally| state.country(ally).side == side)
                && front.against.is_none_or(&fights)
        };
        self.stands = [false; THEATRES];
        for front in weights.fronts.iter().filter(now) {
            self.stands[front.theatre] = front.stands;
            self.eager[front.theatre] = weights.emboldened(front.eager);
        }
        flood(rules, is_open, &mut field, &mut queue, |_, _| {});
        std::mem::swap(&mut self.foe, &mut field);
        reset(&mut field);
        for city in City::all() {
            let hex = rules.world.city(city).hex;
            if rules.scenario().in_play(hex) && state.controller(hex) == side {
                seed(&mut field, &mut queue, hex, (20 - worth(city) / weights.nearness) as i16);
            }
        }
        flood(rules, is_open, &mut field, &mut queue, |_, _| {});
        std::mem::swap(&mut self.shield, &mut field);
        self.queue = queue;
        self.raids.find(rules, state, side);
        self.find_supply(state, &Net::new(rules, state, side), rules, side);
        self.keep_house(rules, state, side, weights);
    }

    /// What each country must keep, and who has plenty.
    fn keep_house(&mut self, rules: &Rules, state: &State, side: Side, weights: &Weights) {
        self.kept = [0; COUNTRIES];
        let mut wanted = [0_i16; COUNTRIES];
        for unit in UnitId::all() {
            let (entry, kind) = (state.unit(unit), rules.kind(unit));
            if !kind.is_field() || rules.side_of(state, unit) != side {
                continue;
            }
            let country = rules.country_of(state, unit).index();
            let price = 1 + i16::from(kind.is_mobile());
            let waits = entry.place == Place::POOL;
            if waits || entry.on_map() && entry.level > 0 {
                self.kept[country] += price;
            }
            if entry.place.is_hex() && self.foe[entry.place.index()] < FAR && rules.is_idle(state, unit) {
                wanted[country] += price;
            }
        }
        self.plenty = 0;
        for country in Country::all() {
            let at = country.index();
            self.kept[at] = (i32::from(self.kept[at]) * weights.reserve / 100) as i16;
            if state.country(country).points >= self.kept[at] + wanted[at] {
                self.plenty |= 1 << at;
            }
        }
    }

    /// The front that a hex belongs to: the theatre of the enemy city that it is drawn to, or its own.
    /// Italy is a front of its own, whatever lies beyond the Alps.
    pub fn front(&self, hex: Place) -> usize {
        if theatre(hex) == ITALY { ITALY } else { usize::from(self.drawn[hex.index()]) }
    }

    /// What it is worth to hold a hex through which others are fed.
    pub fn gap(&self, hex: Place) -> i32 {
        self.gaps.iter().find(|(known, _)| *known == hex).map_or(0, |(_, worth)| *worth)
    }

    /// The hexes where the leading power would be in supply, and how far the others are.
    pub fn find_supply(&mut self, state: &State, net: &Net<'_>, rules: &Rules, side: Side) {
        self.supply.clear();
        self.supply.resize(LANDS, u8::MAX);
        let all = Country::all()
            .filter(|country| {
                state.country(*country).status == Status::Active && state.country(*country).side == side
            })
            .fold(0, |set, country| set | bit(country));
        self.queue.clear();
        for hex in Place::hexes() {
            if net.is_fed_hex(state, hex, all) {
                self.supply[hex.index()] = 0;
                self.queue.push_back(hex.0);
            }
        }
        while let Some(at) = self.queue.pop_front() {
            // A trace passes no EZOC that nobody holds.
            let barred = !net.is_usable(Place(at));
            let next = self.supply[usize::from(at)] + if barred { 3 } else { 1 };
            if next > 12 {
                continue;
            }
            for (direction, near) in rules.world.hex(Place(at)).near.iter().enumerate() {
                if near.is_hex()
                    && STEPS[usize::from(at)][direction] != NO_WAY
                    && self.supply[near.index()] > next
                {
                    self.supply[near.index()] = next;
                    self.queue.push_back(near.0);
                }
            }
        }
    }
}

/// Whether France still fights: nobody turns elsewhere before it has fallen.
pub(super) fn is_busy_in_france(state: &State, side: Side) -> bool {
    let france = state.country(Country::FRA);
    france.status == Status::Active && state.at_war(france.side, side) && state.turn < LIBERATED
}

/// Whether armies of a faction go to the ports for Norway: until the attack on the Low Countries, which needs them all, and
/// again when France has fallen. Without Weser Exercise no convoy comes there (14.0).
fn embarks(rules: &Rules, state: &State, faction: Faction, weights: &Weights) -> bool {
    let Some(plan) = weights.plan(faction, Country::NOR) else { return false };
    let busy_from = weights.plan(faction, Country::BEL).map_or(u8::MAX, |plan| plan.from);
    let can_land = rules.ready(state, Marker::WeserExercise, Owner::Faction(faction)) > 0;
    (plan.from.saturating_sub(plan.gather)..=plan.until).contains(&state.turn)
        && state.country(Country::NOR).status == Status::Neutral
        && (can_land || state.turn < plan.from)
        && (state.turn < busy_from || !is_busy_in_france(state, faction.side()))
}

/// Who holds which city, in a number.
fn stamp(rules: &Rules, state: &State) -> u64 {
    rules
        .world
        .cities
        .iter()
        .fold(0, |stamp: u64, city| stamp.wrapping_mul(0x0100_0000_01b3) ^ state.controller(city.hex) as u64)
}

fn reset(field: &mut Vec<i16>) {
    field.clear();
    field.resize(LANDS, FAR);
}

fn seed(field: &mut [i16], queue: &mut VecDeque<u16>, hex: Place, cost: i16) {
    if field[hex.index()] > cost {
        field[hex.index()] = cost;
        queue.push_back(hex.0);
    }
}

/// The cheapest way from the seeds to every hex that is open. `passed` is told each step of a cheaper way.
fn flood(
    rules: &Rules,
    is_open: impl Fn(Place) -> bool,
    field: &mut [i16],
    queue: &mut VecDeque<u16>,
    mut passed: impl FnMut(usize, usize),
) {
    let scenario = rules.scenario();
    while let Some(at) = queue.pop_front() {
        let here = field[usize::from(at)];
        let info = rules.world.hex(Place(at));
        for (direction, near) in info.near.iter().enumerate() {
            let step = STEPS[usize::from(at)][direction];
            if step == NO_WAY || !is_open(*near) || !scenario.in_play(*near) {
                continue;
            }
            let cost = here + i16::from(step);
            if cost < field[near.index()] {
                field[near.index()] = cost;
                queue.push_back(near.0);
                passed(usize::from(at), near.index());
            }
        }
    }
}
