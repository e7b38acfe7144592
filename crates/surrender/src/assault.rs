//! Assaults. Rule 6.3, rulings 52, 65.

use kernel::{Discard, EventSink};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::hex_set::HexSet;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::{Fight, Manner, State, Supply, flag};
use crate::survey::Survey;
use crate::tiles::Tile;

impl Rules {
    /// Adds the hexes that a unit could assault as Primary Attacker to a set; tells whether it could step or attack anywhere if
    /// it were activated. A free hex next to it that it may enter is enough: a minimum move costs what it has (4.2).
    pub(crate) fn look_around(
        &self,
        state: &State,
        survey: &Survey,
        unit: UnitId,
        targets: &mut HexSet,
    ) -> bool {
        let from = state.unit(unit).place;
        if !from.is_hex() {
            return self.can_act(state, unit);
        }
        let tile = self.tile(from);
        let is_full = state.unit(unit).supply == Supply::Full;
        let is_kept = state.ground[from.index()] == unit;
        if let Some(known) = survey.around.of(from, is_full).filter(|_| is_kept) {
            tile.towards(known).for_each(|hex| targets.insert(hex));
            return true;
        }
        let found = self.targets_around(state, survey, unit, tile);
        tile.towards(found).for_each(|hex| targets.insert(hex));
        let side = self.side_of(state, unit);
        let open_to = survey.enemies[side.index()] | 1 << side.index();
        let is_way = |hex: Place| {
            state.ground_at(hex).is_none()
                && self.land.has(hex)
                && open_to >> state.controller(hex).index() & 1 != 0
                && !self.is_barred(state, hex, unit)
        };
        if !tile.towards(tile.dry).any(is_way) {
            return self.can_act(state, unit);
        }
        if is_kept {
            survey.around.note(from, is_full, found);
        }
        true
    }

    /// The directions in which a unit could assault as Primary Attacker, as bits.
    fn targets_around(&self, state: &State, survey: &Survey, unit: UnitId, tile: &Tile) -> u8 {
        let side = self.side_of(state, unit);
        let (from, enemies) = (state.unit(unit).place, survey.enemies[side.index()]);
        // An enemy beside it reaches it with a zone of control, but not over a strait. Nobody attacks over water.
        let is_enemy_near =
            tile.has_strait() || (0..4).any(|at| enemies >> at & 1 != 0 && survey.zones[at].has(from));
        let mut found = 0;
        for (direction, hex) in tile.near.iter().enumerate().filter(|_| is_enemy_near) {
            let is_target = tile.dry >> direction & 1 != 0
                && self.has_enemy(state, *hex, side)
                && self.reaches(state, unit, *hex);
            found |= u8::from(is_target) << direction;
        }
        found
    }

    /// Whether a unit stands next to a hex, could move over the hexside, and owns the movement points of the attack (6.3).
    pub(crate) fn reaches(&self, state: &State, unit: UnitId, hex: Place) -> bool {
        self.attack_cost(state, unit, state.unit(unit).place, hex)
            .is_some_and(|cost| cost <= self.allowance(state, unit))
    }

    /// Whether a unit may be an Additional Attacker on a hex: it may be activated, or it was dropped in this sub-phase and
    /// has not fought since (6.4, 6.8). Who pays is not looked at.
    pub(crate) fn may_join(&self, state: &State, unit: UnitId, hex: Place) -> bool {
        let entry = state.unit(unit);
        let is_dropped = entry.has(flag::DROPPED) && !entry.has(flag::ENDED);
        (is_dropped || self.is_idle(state, unit)) && self.reaches(state, unit, hex)
    }

    /// The Primary Attackers for an Assault on a hex.
    pub(crate) fn list_primaries(&self, state: &State, hex: Place, out: &mut Vec<Choice>) {
        let Some(defender) = state.ground_at(hex) else { return };
        let enemy = self.side_of(state, defender);
        for unit in self.units_around(state, hex) {
            let side = self.side_of(state, unit);
            if state.at_war(side, enemy)
                && side.player() == state.acting
                && self.is_idle(state, unit)
                && self.reaches(state, unit, hex)
                && self.payer(state, unit, self.activation_cost(state, unit)).is_some()
            {
                out.push(Choice::Primary(unit));
            }
        }
    }

    fn units_around(&self, state: &State, hex: Place) -> impl Iterator<Item = UnitId> {
        self.world.hex(hex).near.iter().filter(|near| near.is_hex()).filter_map(|near| state.ground_at(*near))
    }

    pub(crate) fn play_primary(&self, state: &mut State, hex: Place, choice: Choice) {
        let (Choice::Primary(primary), Some(defender)) = (choice, state.ground_at(hex)) else { return };
        state.fight = Fight { manner: Manner::Assault, primary, defender, hex, ..Fight::NONE };
        state.become_frame(Frame::Additional);
    }

    /// Additional Attackers for which somebody can still pay when those named before are paid, or go.
    pub(crate) fn list_additional(&self, state: &State, out: &mut Vec<Choice>) {
        let Fight { primary, more, hex, .. } = state.fight;
        let side = self.side_of(state, primary);
        if more[1].some().is_none() {
            let mut purse = None;
            for unit in self.units_around(state, hex) {
                if unit == primary
                    || unit == more[0]
                    || self.side_of(state, unit) != side
                    || !self.may_join(state, unit, hex)
                {
                    continue;
                }
                let purse = purse.get_or_insert_with(|| self.after_payment(state));
                let is_paid = state.unit(unit).has(flag::DONE);
                if is_paid || self.payer(purse, unit, self.activation_cost(state, unit)).is_some() {
                    out.push(Choice::With(unit));
                }
            }
        }
        out.push(Choice::Go);
    }

    /// The position once the attackers named so far are paid for (ruling 65).
    fn after_payment(&self, state: &State) -> State {
        let mut purse = *state;
        self.pay_attackers(&mut purse, &mut Discard);
        purse
    }

    /// All attackers of the combat are paid for in the order in which they were named.
    fn pay_attackers<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let Fight { primary, more, .. } = state.fight;
        for unit in [primary, more[0], more[1]].into_iter().filter_map(UnitId::some) {
            self.pay_activation(state, unit, sink);
        }
    }

    pub(crate) fn play_additional<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        if let Choice::With(unit) = choice {
            let at = usize::from(state.fight.more[0].some().is_some());
            state.fight.more[at] = unit;
            return;
        }
        self.pay_attackers(state, sink);
        state.pop();
        self.begin_fight(state, state.fight, sink);
    }

    /// After an Assault: if the hex was left, one attacker may move in (5.3).
    pub(crate) fn after_assault(&self, state: &mut State) {
        if state.fight.vacated {
            state.push(Frame::AdvanceOne);
        } else {
            state.fight = Fight::NONE;
        }
    }

    pub(crate) fn list_forward(&self, state: &State, out: &mut Vec<Choice>) {
        let Fight { primary, more, .. } = state.fight;
        let there = [primary, more[0], more[1]].into_iter().filter_map(UnitId::some);
        out.extend(there.filter(|unit| state.unit(*unit).on_map()).map(Choice::Forward));
        out.push(Choice::Stay);
    }

    pub(crate) fn play_forward<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        let hex = state.fight.hex;
        state.fight = Fight::NONE;
        state.pop();
        if let Choice::Forward(unit) = choice {
            self.advance(state, unit, hex, sink);
        }
    }
}
