//! Ground movement: what a step and an attack cost, and the activation of a unit. Rules 4.1 to 4.4, 6.2.

use std::sync::LazyLock;

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{Activation, Fight, Manner, State};
use crate::tiles::Tile;
use crate::world::{DIRECTIONS, Hexside, World};

/// The places next to a hex for a ground unit, and how many there are.
type Steps = ([Place; DIRECTIONS + 1], u8);

/// The places next to each land hex.
static NEXT: LazyLock<Vec<Steps>> = LazyLock::new(|| {
    let world = World::get();
    let around = |hex: Place| {
        let info = world.hex(hex);
        let to_box = info.to_russia.then_some(Place::CRU);
        let mut steps = ([Place::NONE; DIRECTIONS + 1], 0);
        for place in info.near.into_iter().filter(|near| near.is_hex()).chain(to_box) {
            steps.0[usize::from(steps.1)] = place;
            steps.1 += 1;
        }
        steps
    };
    Place::hexes().map(around).collect()
});

/// The hexes from which units pass into the Central Russia Box.
static BORDER: LazyLock<Vec<Place>> =
    LazyLock::new(|| Place::hexes().filter(|hex| World::get().hex(*hex).to_russia).collect());

/// The places next to a land hex or the Central Russia Box; none for other places.
#[inline]
fn steps_from(place: Place) -> &'static [Place] {
    match NEXT.get(place.index()) {
        Some((places, count)) => &places[..usize::from(*count)],
        None if place == Place::CRU => &BORDER,
        None => &[],
    }
}

impl Rules {
    /// The movement points that a step of a ground unit costs (4.2), or `None` where it may not go. An enemy ground unit in
    /// the hex, a friend in the way and zones of control are not looked at.
    pub fn step_cost(&self, state: &State, unit: UnitId, from: Place, to: Place) -> Option<u8> {
        let costs = &self.world.tables.costs;
        let side = self.side_of(state, unit);
        if to == Place::CRU {
            return (from.is_hex() && self.joins_russia(from, side)).then_some(costs.russia);
        }
        if !to.is_hex() || !self.may_enter(state, to, unit) {
            return None;
        }
        if from == Place::CRU {
            return self.joins_russia(to, side).then(|| self.entry_cost(state, to, side));
        }
        if !from.is_hex() {
            return None;
        }
        let tile = self.tile(from);
        let direction = tile.direction(to)?;
        if tile.dry >> direction & 1 == 0 { None } else { self.cost_towards(state, side, tile, direction) }
    }

    /// The movement points that a step costs from a hex in a direction in which one may go.
    fn cost_towards(&self, state: &State, side: Side, tile: &Tile, direction: usize) -> Option<u8> {
        let to = tile.near[direction];
        if tile.lines >> direction & 1 != 0 && !self.breaks_line(state, to, side) {
            return Some(self.world.tables.costs.line);
        }
        let added = self.hexside_cost(tile.sides[direction])?;
        Some(self.entry_cost(state, to, side) + added)
    }

    /// The movement points of a Mobile attack (4.4), which an Assault must be able to pay too (6.3): the step without the
    /// benefit of a Transport Line, and the surcharge of the weather. `None` where the unit could not go.
    pub fn attack_cost(&self, state: &State, unit: UnitId, from: Place, to: Place) -> Option<u8> {
        if !from.is_hex() || !to.is_hex() || !self.may_enter(state, to, unit) {
            return None;
        }
        let tile = self.tile(from);
        let between = tile.sides[tile.direction(to)?];
        let surcharge = self.world.tables.costs.attack[self.weather_at(state, to) as usize];
        let entry = self.entry_cost(state, to, self.side_of(state, unit));
        Some(entry + self.hexside_cost(between)? + surcharge)
    }

    /// The base cost of a hex without a Transport Line: the first line of 4.2 that applies.
    fn entry_cost(&self, state: &State, hex: Place, side: Side) -> u8 {
        let costs = &self.world.tables.costs;
        if self.has_city(hex) || self.has_fort(state, hex) {
            if state.controller(hex) == side { costs.friendly_city } else { costs.enemy_city }
        } else if self.tile(hex).is_rough() {
            costs.rough
        } else {
            costs.clear
        }
    }

    /// What a hexside adds; `None` where it can't be crossed. Ruling 7: a strait with a river is a strait.
    fn hexside_cost(&self, between: Hexside) -> Option<u8> {
        match between {
            Hexside::Clear => Some(0),
            Hexside::River | Hexside::Canal | Hexside::Mountain => Some(self.world.tables.costs.obstacle),
            Hexside::Strait => Some(self.world.tables.costs.strait),
            Hexside::Water => None,
        }
    }

    /// Whether a hex holds an enemy city, fort or unit, so that a Transport Line into it is of no use.
    fn breaks_line(&self, state: &State, hex: Place, side: Side) -> bool {
        if state.controller(hex) == side {
            return false;
        }
        let has_base = self
            .tile(hex)
            .city
            .some()
            .is_some_and(|city| state.bases[city.index()].iter().any(|unit| unit.some().is_some()));
        has_base || self.has_enemy_city(state, hex, side) || self.has_enemy(state, hex, side)
    }

    /// Whether units of a side pass between a hex and the Central Russia Box: it lies behind the Soviet front, so only Soviet
    /// ones do (ruling 114).
    fn joins_russia(&self, hex: Place, side: Side) -> bool {
        self.tile(hex).is_next_to_russia() && self.is_box_open(Place::CRU, side)
    }

    // --- what a unit can do -----------------------------------------------------------------------------------------

    /// Whether a unit that has not been activated could step or attack somewhere.
    pub(crate) fn can_act(&self, state: &State, unit: UnitId) -> bool {
        let points = self.allowance(state, unit);
        let from = state.unit(unit).place;
        self.next_places(from).any(|to| {
            self.can_step(state, unit, from, to, points, false)
                || self.mobile_cost(state, unit, to).is_some_and(|cost| cost <= points)
        })
    }

    /// The places next to a place for a ground unit.
    fn next_places(&self, from: Place) -> impl Iterator<Item = Place> + use<> {
        steps_from(from).iter().copied()
    }

    /// Whether a unit may step to a place with the points it has (4.2). One that has done nothing yet may make a minimum move
    /// whatever it costs. Where a friend stands it must be able to go on to a free hex (ruling 111).
    fn can_step(&self, state: &State, unit: UnitId, from: Place, to: Place, points: u8, begun: bool) -> bool {
        let occupant = if to.is_hex() { state.ground_at(to) } else { None };
        let side = self.side_of(state, unit);
        if occupant.is_some_and(|other| self.side_of(state, other) != side) {
            return false;
        }
        self.step_cost(state, unit, from, to)
            .is_some_and(|cost| self.is_worth(state, unit, to, points, begun, cost))
    }

    /// Whether a step to a place that holds no unit of another side, and its cost, leave a unit where it may be (4.2, ruling 111).
    fn is_worth(&self, state: &State, unit: UnitId, to: Place, points: u8, begun: bool, cost: u8) -> bool {
        let is_free = !to.is_hex() || state.ground_at(to).is_none();
        if is_free {
            cost <= points || !begun
        } else {
            cost <= points && self.leads_out(state, unit, to, points - cost)
        }
    }

    /// Whether a unit may step from a hex in a direction to a hex that holds no unit of another side: as [`Rules::can_step`].
    fn can_step_towards(&self, state: &State, side: Side, tile: &Tile, direction: usize) -> bool {
        let Activation { unit, points, begun } = state.activation;
        let to = tile.near[direction];
        if tile.dry >> direction & 1 == 0 || !self.may_enter(state, to, unit) {
            return false;
        }
        // A minimum move costs whatever it costs.
        if !begun && state.ground_at(to).is_none() {
            return true;
        }
        let cost = self.cost_towards(state, side, tile, direction);
        cost.is_some_and(|cost| self.is_worth(state, unit, to, points, begun, cost))
    }

    /// Whether a unit that passes through a friend's hex with so many points left can still reach a free hex, through further
    /// friends if need be (ruling 111). An EZOC would stop it where it can't stay.
    fn leads_out(&self, state: &State, unit: UnitId, first: Place, points: u8) -> bool {
        const MOST: usize = 64;
        let side = self.side_of(state, unit);
        // Hexes of friends with the most points that can be left there; those from `next` on are still to be looked at.
        let mut queue = [(first, points); MOST];
        let (mut count, mut next) = (1, 0);
        while next < count {
            let (here, left) = queue[next];
            next += 1;
            if self.ezoc(state, here, side) {
                continue;
            }
            for to in self.next_places(here) {
                let Some(cost) = self.step_cost(state, unit, here, to).filter(|cost| *cost <= left) else {
                    continue;
                };
                let occupant = if to.is_hex() { state.ground_at(to) } else { None };
                let Some(other) = occupant.filter(|other| *other != unit) else { return true };
                let left = left - cost;
                let is_new = !queue[..count].iter().any(|(seen, most)| *seen == to && *most >= left);
                if is_new && self.side_of(state, other) == side && left > 0 && count < MOST {
                    queue[count] = (to, left);
                    count += 1;
                }
            }
        }
        false
    }

    /// What a Mobile attack on a hex costs a unit from where it stands; `None` if it can't make one: nobody to attack there,
    /// or one in a fort (4.4).
    pub fn mobile_cost(&self, state: &State, unit: UnitId, hex: Place) -> Option<u8> {
        if !hex.is_hex()
            || !self.has_enemy(state, hex, self.side_of(state, unit))
            || self.has_fort(state, hex)
        {
            return None;
        }
        self.attack_cost(state, unit, state.unit(unit).place, hex)
    }

    /// Whether a unit only passes through the hex it is in: a friend stands there.
    fn is_passing(&self, state: &State, unit: UnitId) -> bool {
        let place = state.unit(unit).place;
        place.is_hex() && state.ground[place.index()] != unit
    }

    /// Whether the activated unit may move on (4.3): before it has done anything always, then not out of an EZOC.
    fn may_move_on(&self, state: &State) -> bool {
        let Activation { unit, begun, .. } = state.activation;
        let place = state.unit(unit).place;
        !begun
            || !place.is_hex()
            || self.is_passing(state, unit)
            || !self.ezoc(state, place, self.side_of(state, unit))
    }

    // --- the activation ---------------------------------------------------------------------------------------------

    /// A ground unit is activated: its country pays (6.2).
    pub(crate) fn activate_unit<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        sink: &mut S,
    ) {
        self.pay_activation(state, unit, sink);
        state.activation = Activation { unit, points: self.allowance(state, unit), begun: false };
        state.push(Frame::Activation);
    }

    /// Steps, attacks, stop.
    fn list_activation(&self, state: &State, out: &mut Vec<Choice>) {
        let Activation { unit, points, begun } = state.activation;
        let from = state.unit(unit).place;
        let (side, is_passing) = (self.side_of(state, unit), self.is_passing(state, unit));
        let may_move_on = self.may_move_on(state);
        let mut attacks = ([Place::NONE; DIRECTIONS], 0);
        let can_attack =
            |to: Place| !is_passing && self.mobile_cost(state, unit, to).is_some_and(|cost| cost <= points);
        if from.is_hex() {
            let tile = self.tile(from);
            for (direction, to) in tile.near.iter().copied().enumerate().filter(|(_, near)| near.is_hex()) {
                let occupant = state.ground_at(to);
                if occupant.is_none_or(|other| self.side_of(state, other) == side) {
                    if may_move_on && self.can_step_towards(state, side, tile, direction) {
                        out.push(Choice::Step(to));
                    }
                } else if can_attack(to) {
                    attacks.0[attacks.1] = to;
                    attacks.1 += 1;
                }
            }
        }
        // The Central Russia Box comes last; who is in it comes out over one of many hexes.
        let boxes: &[Place] = match from.is_hex() {
            true if self.tile(from).is_next_to_russia() => &[Place::CRU],
            true => &[],
            false => steps_from(from),
        };
        for to in boxes.iter().copied() {
            if may_move_on && self.can_step(state, unit, from, to, points, begun) {
                out.push(Choice::Step(to));
            }
        }
        if !is_passing {
            out.extend(attacks.0[..attacks.1].iter().copied().map(Choice::Attack));
            out.push(Choice::Stop);
        }
    }

    /// The places that the activated unit can step to, each with the points left; for questions about its reach.
    pub(crate) fn next_steps(&self, state: &State) -> Vec<(Place, u8)> {
        let Activation { unit, points, begun } = state.activation;
        if !self.may_move_on(state) {
            return Vec::new();
        }
        let from = state.unit(unit).place;
        let steps = self.next_places(from).filter(|to| self.can_step(state, unit, from, *to, points, begun));
        steps
            .filter_map(|to| Some((to, points.saturating_sub(self.step_cost(state, unit, from, to)?))))
            .collect()
    }

    fn play_activation<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let unit = state.activation.unit;
        match choice {
            Choice::Step(to) => self.step_to(state, unit, to, sink),
            Choice::Attack(hex) => {
                let Some(fight) = self.mobile_fight(state, unit, hex) else { return };
                let cost = self.mobile_cost(state, unit, hex).unwrap_or_default();
                state.activation.points = state.activation.points.saturating_sub(cost);
                state.activation.begun = true;
                self.begin_fight(state, fight, sink);
            }
            _ => self.end_activation(state, sink),
        }
    }

    /// The Mobile attack of a unit on a hex next to it, as it would begin; for odds too.
    pub fn mobile_fight(&self, state: &State, unit: UnitId, hex: Place) -> Option<Fight> {
        let defender = state.ground_at(hex)?;
        self.mobile_cost(state, unit, hex)?;
        Some(Fight { manner: Manner::Mobile, primary: unit, defender, hex, ..Fight::NONE })
    }

    /// A step. After a minimum move the activation is over.
    fn step_to<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, to: Place, sink: &mut S) {
        let from = state.unit(unit).place;
        let is_last = self.make_step(state, unit, to);
        sink.emit(|| GameEvent::Stepped(unit, from, to));
        if is_last {
            self.end_activation(state, sink);
        }
        if to.is_hex() {
            self.enter_hex(state, unit, to, sink);
        }
    }

    /// Pays for a step and moves the unit; whether it was a minimum move.
    fn make_step(&self, state: &mut State, unit: UnitId, to: Place) -> bool {
        let from = state.unit(unit).place;
        let cost = self.step_cost(state, unit, from, to).unwrap_or_default();
        let is_last = cost > state.activation.points;
        state.activation.points = state.activation.points.saturating_sub(cost);
        state.activation.begun = true;
        if to.is_hex() && state.ground_at(to).is_some() {
            // A friend keeps the hex; the unit only passes.
            self.vacate(state, unit);
            state.unit_mut(unit).place = to;
        } else {
            self.put(state, unit, to);
        }
        is_last
    }

    /// The activation is over; its frame is the innermost.
    fn end_activation<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let unit = state.activation.unit;
        state.activation = Activation::NONE;
        state.pop();
        if state.unit(unit).on_map() {
            sink.emit(|| GameEvent::Stopped(unit));
        }
    }

    /// After a Mobile attack (4.4): AS and AA end the activation; into an empty hex the unit may advance.
    pub(crate) fn after_mobile<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let fight = state.fight;
        if fight.vacated {
            state.push(Frame::Advance);
            return;
        }
        state.fight = Fight::NONE;
        let is_beaten = fight.result.is_some_and(|result| result < crate::tables::CombatResult::NoEffect);
        if is_beaten && state.frame() == Frame::Activation {
            self.end_activation(state, sink);
        }
    }

    /// Advance or not. The entry was paid with the attack.
    fn play_advance<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let Fight { primary, hex, .. } = state.fight;
        state.fight = Fight::NONE;
        state.pop();
        if choice == Choice::Advance {
            self.advance(state, primary, hex, sink);
        }
    }

    /// A unit advances into a hex that was left.
    pub(crate) fn advance<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        hex: Place,
        sink: &mut S,
    ) {
        self.put(state, unit, hex);
        sink.emit(|| GameEvent::Advanced(unit, hex));
        self.enter_hex(state, unit, hex, sink);
    }

    /// Whether the activated unit is gone, or passes through a hex that it can't leave any more (ruling 111).
    pub(crate) fn is_stranded(&self, state: &State) -> bool {
        let Activation { unit, points, begun } = state.activation;
        let entry = state.unit(unit);
        if !entry.on_map() {
            return true;
        }
        let from = entry.place;
        self.is_passing(state, unit)
            && (state.ground_at(from).is_none()
                || !self.may_enter(state, from, unit)
                || !self.next_places(from).any(|to| self.can_step(state, unit, from, to, points, begun)))
    }

    /// Such a unit takes the hex if nobody is there any more, or goes to the nearest legal hex and its activation ends
    /// (rulings 111, 113).
    pub(crate) fn rescue<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let unit = state.activation.unit;
        let from = state.unit(unit).place;
        if !state.unit(unit).on_map() {
            return self.end_activation(state, sink);
        }
        if state.ground_at(from).is_none() && self.may_enter(state, from, unit) {
            return self.put(state, unit, from);
        }
        let to = self.nearest_legal(state, unit, from, self.side_of(state, unit));
        self.put(state, unit, to.unwrap_or(Place::POOL));
        match to {
            Some(to) => sink.emit(|| GameEvent::Relocated(unit, from, to)),
            None => sink.emit(|| GameEvent::Pooled(unit)),
        }
        self.end_activation(state, sink);
    }

    // --- questions --------------------------------------------------------------------------------------------------

    /// The choices of an activation or an Assault.
    pub(crate) fn list_land(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::Activation => self.list_activation(state, out),
            Frame::Advance => out.extend([Choice::Advance, Choice::Stay]),
            Frame::Primary(hex) => self.list_primaries(state, hex, out),
            Frame::Additional => self.list_additional(state, out),
            Frame::AdvanceOne => self.list_forward(state, out),
            _ => {}
        }
    }

    /// A step of an activation or an Assault.
    pub(crate) fn play_land<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match frame {
            Frame::Activation => self.play_activation(state, choice, sink),
            Frame::Advance => self.play_advance(state, choice, sink),
            Frame::Primary(hex) => self.play_primary(state, hex, choice),
            Frame::Additional => self.play_additional(state, choice, sink),
            Frame::AdvanceOne => self.play_forward(state, choice, sink),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "movement_examples.rs"]
mod examples;
