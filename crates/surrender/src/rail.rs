//! Strategic Movement: by rail, and by air over long distances. Rule 4.8; rulings 58, 86.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::hex_set::HexSet;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::lines::{Lent, Lines, STOPS, Tracks, Use};
use crate::muster::Muster;
use crate::near_cities::around;
use crate::net_key::NetKey;
use crate::rail_net::Rails;
use crate::rules::Rules;
use crate::state::{State, flag};
use crate::supply::Lay;
use crate::survey::Survey;
use crate::world::{DIRECTIONS, Slot};

/// How far an air unit flies in the Strategic Movement Phase.
pub(crate) const FLIGHT: u32 = 20;

/// The railways of a side: the hexes that may be passed, and where a move may end.
struct Railways<'r> {
    rules: &'r Rules,
    side: Side,
    /// What hangs together, which nobody's move changes, and where moves may end.
    lines: Lent,
}

impl<'r> Railways<'r> {
    /// The railways of a side: as they were found last, if they can be brought up to date.
    fn new(rules: &'r Rules, state: &State, side: Side) -> Self {
        let mut last = Lines::last(side, Use::Rail);
        let lines = if Self::follow(&mut last, rules, state, side) {
            last
        } else {
            drop(last);
            Self::find(rules, state, side)
        };
        Self { rules, side, lines }
    }

    /// Brings what is known up to date, if nothing has changed that it depends on but where units of the side are: they bar
    /// nobody's way, and a move may end where one has left.
    fn follow(lines: &mut Lines, rules: &Rules, state: &State, side: Side) -> bool {
        let Some(key) = lines.of.as_mut().filter(|key| key.fits_but_for_ground(rules, state)) else {
            return false;
        };
        let (tracks, mut is_own) = (&mut lines.tracks, true);
        if key.ground().is_same(state.ground.stamp()) && tracks.stamp.is_same(state.bases.stamp()) {
            return true;
        }
        let mut free = tracks.free;
        let is_known = state.ground.changes_since(key.ground(), |at| {
            let (hex, unit) = (Place::hex(at), state.ground[at].some());
            is_own &= !tracks.others.has(hex) && unit.is_none_or(|unit| rules.side_of(state, unit) == side);
            free.remove(hex);
            free.put(hex, unit.is_none() && tracks.ends.has(hex));
        });
        if !is_known || !is_own {
            return false;
        }
        let bases = &mut tracks.bases;
        let is_known = state.bases.changes_since(tracks.stamp, |at| {
            let is_own = rules.towns.has_number(at) && state.controller(rules.sites[at].hex) == side;
            bases.set_number(at, is_own && state.bases[at][Slot::Air as usize].some().is_none());
        });
        if !is_known {
            return false;
        }
        key.follow(state.ground.stamp());
        (tracks.stamp, tracks.free) = (state.bases.stamp(), free);
        lines.count_ends(&free);
        true
    }

    fn find(rules: &Rules, state: &State, side: Side) -> Lent {
        Survey::ask(rules, state, |survey| {
            let lay = Lay::seen(rules, state, survey, side);
            let open = lay.open.without(&lay.ezoc, &HexSet::EMPTY);
            let mut others = survey.stood[Side::Nobody.index()];
            for other in Side::ALL.into_iter().filter(|other| *other != side) {
                others.add(&survey.stood[other.index()]);
            }
            let ends = open.and(&lay.own).without(&lay.strangers, &HexSet::EMPTY);
            let ends = ends.and(&Rails::get(true).hexes);
            let free = ends.without(&lay.friends, &HexSet::EMPTY);
            let own = survey.towns[side.index()].and(&rules.towns);
            let bases = own.minus(&survey.taken[Slot::Air as usize]);
            let mut lines = Lines::inside(&open, rules.scenario().russia, side, Use::Rail);
            lines.count_ends(&free);
            lines.of = Some(NetKey::new(rules, state));
            lines.tracks = Tracks { ezoc: lay.ezoc, others, ends, free, bases, stamp: state.bases.stamp() };
            lines
        })
    }

    /// Hexes that may be passed.
    fn open(&self) -> &HexSet {
        self.lines.hexes_inside()
    }

    /// Whether a unit can go anywhere.
    fn can_move(&mut self, state: &State, unit: UnitId) -> bool {
        let is_air = self.rules.kind(unit).is_air();
        if is_air && self.can_fly(state, unit) {
            return true;
        }
        if is_air || self.rules.has_bars {
            let (ends, russia) = self.ends(state, unit);
            return russia || ends != HexSet::EMPTY;
        }
        // The hex it comes from is no end: it stands there.
        let in_russia = self.lines.at(Place::CRU);
        let may_enter_box = self.side == Side::Soviet && state.unit(unit).place != Place::CRU;
        let leads = |stretch: u16| self.lines.has_end(stretch) || may_enter_box && stretch == in_russia;
        // Most stand on the line that they travel on.
        let from = state.unit(unit).place;
        if self.open().has(from) {
            let stretch = self.lines.at(from);
            return stretch != 0 && leads(stretch);
        }
        self.stretches_from(from).into_iter().any(|stretch| stretch != 0 && leads(stretch))
    }

    /// The stretches of line that a unit in a place can travel on; 0 stands for none.
    fn stretches_from(&self, from: Place) -> [u16; DIRECTIONS + 1] {
        let mut stretches = [0; DIRECTIONS + 1];
        if from == Place::CRU || self.open().has(from) {
            stretches[0] = self.lines.at(from);
        } else if from.is_hex() && !self.lines.tracks.ezoc.has(from) {
            let joined = Rails::get(true).joined(from);
            stretches.iter_mut().zip(joined).for_each(|(stretch, next)| *stretch = self.lines.at(*next));
        }
        stretches
    }

    /// The hexes along Transport Lines in which a unit may end its move, and whether it can come to the Central Russia Box, which
    /// is the Soviets'.
    fn ends(&mut self, state: &State, unit: UnitId) -> (HexSet, bool) {
        let from = state.unit(unit).place;
        let tracks = &self.lines.tracks;
        let may_end = if self.rules.kind(unit).is_air() {
            let mut bases = HexSet::EMPTY;
            let hexes = tracks.bases.cities().map(|city| self.rules.sites[city.index()].hex);
            hexes.for_each(|hex| bases.insert(hex));
            bases
        } else {
            tracks.free
        };
        if self.rules.has_bars {
            let (mut reached, mut russia) = (HexSet::EMPTY, false);
            self.search(state, unit, |place| match place {
                Place::CRU => russia = true,
                hex => reached.insert(hex),
            });
            return (reached.and(&may_end), russia);
        }
        let mut stretches = self.stretches_from(from);
        stretches.sort_unstable();
        let none = stretches.iter().take_while(|stretch| **stretch == 0).count();
        let stretches = &stretches[none..];
        let mut ends = self.lines.among(&may_end, stretches);
        if from.is_hex() {
            ends.remove(from);
        }
        let leads_to_russia = stretches.contains(&self.lines.at(Place::CRU));
        (ends, leads_to_russia && from != Place::CRU && self.side == Side::Soviet)
    }

    /// Whether an air unit can fly to another base.
    fn can_fly(&self, state: &State, unit: UnitId) -> bool {
        let from = state.unit(unit).place;
        let city = if from.is_hex() { self.rules.tile(from).city.some() } else { None };
        city.is_some_and(|city| self.rules.in_flight[city.index()].meets(&self.lines.tracks.bases))
    }

    /// Visits the hexes that a unit can come to along Transport Lines, and the Central Russia Box if it is the unit's, one after
    /// the other. Never into or out of an EZOC, nor into closed ground or a hex marked Partisans.
    fn search(&self, state: &State, unit: UnitId, mut visit: impl FnMut(Place)) {
        let from = state.unit(unit).place;
        if self.lines.tracks.ezoc.has(from) || !from.is_hex() && from != Place::CRU {
            return;
        }
        let rails = Rails::get(true);
        let mut reached = HexSet::EMPTY;
        let mut in_box = from == Place::CRU || !self.rules.scenario().russia;
        let mut stack = [from; STOPS];
        let mut left = 1;
        while left > 0 {
            left -= 1;
            for next in rails.joined(stack[left]).iter().copied() {
                if next == Place::CRU {
                    if in_box {
                        continue;
                    }
                    in_box = true;
                    if self.side == Side::Soviet {
                        visit(next);
                    }
                } else {
                    if next == from || !self.open().has(next) || reached.has(next) {
                        continue;
                    }
                    if self.rules.is_barred(state, next, unit) {
                        continue;
                    }
                    reached.insert(next);
                    visit(next);
                }
                stack[left] = next;
                left += 1;
            }
        }
    }
}

impl Rules {
    /// Phase 5.
    pub(crate) fn begin_rail(&self, state: &mut State, faction: Faction) {
        if self.can_rail(state, faction) {
            state.push(Frame::Rail(faction));
        }
    }

    /// How many units a country may move: half its Factories on the map, at least one.
    pub fn rail_allowance(&self, state: &State, country: Country) -> u8 {
        self.rail_moves_of(self.factories(state, country))
    }

    fn rail_moves_of(&self, factories: u8) -> u8 {
        factories.div_ceil(self.world.tables.production.rail_divisor).max(1)
    }

    /// Whether a unit may be chosen while its country has moves left and is not held back (30.6), whoever moves it.
    #[inline]
    fn may_travel(&self, state: &State, held_back: u32, unit: UnitId) -> bool {
        let entry = state.unit(unit);
        (entry.place.is_hex() || entry.place == Place::CRU)
            && !entry.has(flag::RAILED)
            && !self.kind(unit).is_naval()
            && held_back >> self.country_of(state, unit).index() & 1 == 0
    }

    /// Visits the units that a faction may move, until the visitor has seen enough.
    fn for_each_traveller(
        &self,
        state: &State,
        faction: Faction,
        with_moves: u32,
        mut visit: impl FnMut(UnitId) -> bool,
    ) {
        let held_back = self.held_back(state) | !with_moves;
        let muster = Muster::of(state);
        for side in Side::ALL.into_iter().filter(|side| side.player() == faction) {
            let mut railways = None;
            let of_side = self.on_map_by_country(&muster, |country| {
                state.country(country).side == side && held_back >> country.index() & 1 == 0
            });
            for unit in of_side.minus(&self.ships).minus(&muster.railed).units() {
                let place = state.unit(unit).place;
                if !place.is_hex() && place != Place::CRU {
                    continue;
                }
                let railways = railways.get_or_insert_with(|| Railways::new(self, state, side));
                if railways.can_move(state, unit) && visit(unit) {
                    return;
                }
            }
        }
    }

    /// The countries that have moves left, as bits.
    fn with_rail_moves(&self, state: &State) -> u32 {
        let counts = self.all_factories(state).into_iter().zip(state.railed).enumerate();
        counts
            .filter(|(_, (factories, moved))| *moved < self.rail_moves_of(*factories))
            .fold(0, |set, (at, _)| set | 1 << at)
    }

    fn can_rail(&self, state: &State, faction: Faction) -> bool {
        let with_moves = self.with_rail_moves(state);
        if self.can_fly_far(state, faction, with_moves) {
            return true;
        }
        let mut any = false;
        self.for_each_traveller(state, faction, with_moves, |_| {
            any = true;
            true
        });
        any
    }

    /// Whether an air unit can fly to another base, which is seen without a look at the lines.
    fn can_fly_far(&self, state: &State, faction: Faction, with_moves: u32) -> bool {
        let held_back = self.held_back(state) | !with_moves;
        self.world.wings.iter().any(|unit| {
            self.may_travel(state, held_back, *unit)
                && self.moves(state, faction, *unit)
                && self.bases_in_flight(state, *unit, self.side_of(state, *unit)).next().is_some()
        })
    }

    /// The friendly bases that an air unit can fly to, the nearest first.
    fn bases_in_flight<'s>(
        &'s self,
        state: &'s State,
        unit: UnitId,
        side: Side,
    ) -> impl Iterator<Item = Place> + 's {
        let from = state.unit(unit).place;
        let city = if from.is_hex() { self.tile(from).city.some() } else { None };
        let near = city.into_iter().flat_map(|city| around(city, FLIGHT));
        near.map(|city| self.sites[city.index()].hex)
            .filter(move |hex| self.is_air_base(state, *hex, side) && self.has_room(state, unit, *hex))
    }

    /// The choices of [`Frame::Rail`].
    pub(crate) fn list_rail(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        self.for_each_traveller(state, faction, self.with_rail_moves(state), |unit| {
            out.push(Choice::Rail(unit));
            false
        });
        out.push(Choice::Pass);
    }

    /// The choices of [`Frame::RailTo`], in the order of the map.
    pub(crate) fn list_rail_ends(&self, state: &State, unit: UnitId, out: &mut Vec<Choice>) {
        let mut railways = Railways::new(self, state, self.side_of(state, unit));
        let (mut ends, russia) = railways.ends(state, unit);
        if self.kind(unit).is_air() {
            self.bases_in_flight(state, unit, railways.side).for_each(|hex| ends.insert(hex));
        }
        ends.list(out, Choice::To);
        if russia {
            out.push(Choice::To(Place::CRU));
        }
    }

    /// A unit is chosen, or the phase is over.
    pub(crate) fn play_rail(&self, state: &mut State, choice: Choice) {
        match choice {
            Choice::Rail(unit) => state.push(Frame::RailTo(unit)),
            _ => state.pop(),
        }
    }

    /// A unit moves. The path is not named, so nothing that it passes changes hands.
    pub(crate) fn play_rail_end<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        sink: &mut S,
    ) {
        state.pop();
        let from = state.unit(unit).place;
        self.put(state, unit, to);
        state.unit_mut(unit).flags |= flag::RAILED;
        state.railed[self.country_of(state, unit).index()] += 1;
        sink.emit(|| GameEvent::Railed(unit, from, to));
        if let Frame::Rail(faction) = state.frame()
            && !self.can_rail(state, faction)
        {
            state.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, Discard, Game as _, LabDice, Mover, Options};

    use super::*;
    use crate::game::Surrender;

    /// Where a unit can come to and may stay, found by walking along the lines.
    fn walk(railways: &Railways<'_>, state: &State, unit: UnitId) -> (HexSet, bool) {
        let (rules, side) = (railways.rules, railways.side);
        let (mut ends, mut russia) = (HexSet::EMPTY, false);
        railways.search(state, unit, |place| {
            if place == Place::CRU {
                russia = true;
                return;
            }
            let is_base = !rules.kind(unit).is_air() || rules.is_air_base(state, place, side);
            if is_base && state.controller(place) == side && rules.has_room(state, unit, place) {
                ends.insert(place);
            }
        });
        (ends, russia)
    }

    /// Compares what is known of the railways of a side with a look at the map.
    fn compare(rules: &Rules, state: &State, side: Side) {
        let railways = Railways::new(rules, state, side);
        let (lay, tracks) = (Lay::new(rules, state, side), &railways.lines.tracks);
        assert_eq!(tracks.ezoc, lay.ezoc);
        assert_eq!(*railways.open(), lay.open.without(&lay.ezoc, &HexSet::EMPTY));
        for hex in Place::hexes() {
            let is_line = Rails::get(true).hexes.has(hex) && railways.open().has(hex);
            let is_free = is_line && state.controller(hex) == side && state.ground_at(hex).is_none();
            assert_eq!(tracks.free.has(hex), is_free, "{hex:?}");
        }
    }

    /// Units of the side are followed; where somebody else has come or gone everything is looked at anew.
    #[test]
    fn railways_follow_their_own_side_and_nobody_else() {
        let options = Options::from([("scenario".to_owned(), "main-event-1939".to_owned())]);
        let game = Surrender::with_options(&options).expect("a scenario of ours");
        let (rules, start, mut seen) = (game.rules(), game.start(), [0; 2]);
        let armies = || UnitId::all().filter(|unit| rules.kind(*unit).is_ground());
        for unit in armies().filter(|unit| start.unit(*unit).place.is_hex()) {
            let mut gone = start;
            rules.lift(&mut gone, unit);
            let spare = armies().find(|other| {
                !start.unit(*other).on_map() && rules.side_of(&start, *other) == rules.side_of(&start, unit)
            });
            let mut back = gone;
            rules.put(&mut back, spare.unwrap_or(unit), start.unit(unit).place);
            for state in [&start, &gone, &back, &start] {
                compare(rules, state, Side::Axis);
            }
            seen[usize::from(rules.side_of(&start, unit) == Side::Axis)] += 1;
        }
        assert!(seen.into_iter().all(|count| count > 5), "others and own {seen:?} times");
    }

    /// What hangs together says what a walk along the lines says, for every unit at every question of the phase in wars that go
    /// on at random, with and without hexes that are barred to some.
    #[test]
    fn stretches_lead_where_a_walk_along_the_lines_leads() {
        for (scenario, steps) in [("main-event-1939", 30_000), ("balkans-1941", 2_000)] {
            let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
            let game = Surrender::with_options(&options).expect("a scenario of ours");
            let rules = game.rules();
            let mut state = game.start();
            let mut dice = LabDice::for_game(23, 0);
            let (mut choices, mut asked) = (Vec::new(), [0; 2]);
            for _ in 0..steps {
                if let Frame::Rail(faction) = state.frame() {
                    compare(rules, &state, faction.side());
                    let held_back = rules.held_back(&state);
                    let may = |unit: &UnitId| {
                        rules.may_travel(&state, held_back, *unit) && rules.moves(&state, faction, *unit)
                    };
                    for unit in UnitId::all().filter(may) {
                        let mut railways = Railways::new(rules, &state, rules.side_of(&state, unit));
                        let found = railways.ends(&state, unit);
                        let russia = found.1;
                        let can_fly = rules.kind(unit).is_air() && railways.can_fly(&state, unit);
                        let can_move = can_fly || russia || found.0 != HexSet::EMPTY;
                        assert_eq!(railways.can_move(&state, unit), can_move, "{unit:?}");
                        assert_eq!(found, walk(&railways, &state, unit), "{unit:?}");
                        asked[usize::from(found.0 != HexSet::EMPTY)] += 1;
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
            assert!(asked.into_iter().all(|count| count > 50), "{scenario}: no and yes {asked:?} times");
        }
    }
}
