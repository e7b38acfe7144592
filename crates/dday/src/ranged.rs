//! Ranged combat and limited advances. Rules 11.4 to 11.8.

use kernel::EventSink;
use terrain::Cell;

use crate::battalions::Class;
use crate::choice::{Choice, Gun};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Action, After, NOBODY, Stage, State, WAITING, mark};
use crate::tables::Activation;
use crate::units::Units;

impl Rules {
    /// Whether a battalion may be shelled or struck, sight and range apart. Rules 11.1, 11.4, ruling R45.
    pub(crate) fn is_target(&self, s: &State, unit: u8) -> bool {
        let battalion = s.unit(unit);
        battalion.on_map()
            && !battalion.is(mark::ATTACKED)
            && (!self.troop(unit).is_hq() || self.others(s, battalion.zone, unit) == 0)
    }

    /// Battalions of the other side that the active side may shell; with `air`, strike.
    pub(crate) fn targets(&self, s: &State, air: bool) -> Units {
        self.targets_of(s, s.side, air)
    }

    /// The same for either side.
    pub(crate) fn targets_of(&self, s: &State, by: Side, air: bool) -> Units {
        let bonus = if air { self.tables.sight_air } else { 0 };
        let mut targets = Units::EMPTY;
        let observers = self.observers(s, by);
        let (mut known, mut seen) = (WAITING, false);
        for unit in self.armies[by.enemy().index()] {
            if !self.is_target(s, unit) {
                continue;
            }
            let zone = s.unit(unit).zone;
            if zone != known {
                (known, seen) = (zone, observers.see(self, zone, bonus));
            }
            if seen {
                targets.insert(unit);
            }
        }
        targets
    }

    /// Whether a gun has a target in range.
    fn has_target(&self, s: &State, gun: u8, targets: Units) -> bool {
        targets.into_iter().any(|target| self.may_fire(s, gun, s.unit(target).zone, true))
    }

    /// Artillery of the active side that could be the primary of ranged combat, targets apart.
    fn ready_guns(&self, s: &State) -> Units {
        let guns = Units(self.guns.0 & self.armies[s.side.index()].0);
        guns.into_iter().filter(|gun| self.may_fire(s, *gun, s.unit(*gun).zone, true)).collect()
    }

    /// Lists air strikes and bombardments.
    pub(crate) fn fire_choices(&self, s: &State, out: &mut Vec<Choice>) {
        if s.air[s.side.index()] > 0 {
            out.extend(self.targets(s, true).into_iter().map(Choice::Strike));
        }
        let guns = self.ready_guns(s);
        let corps = s.art[s.side.index()] > 0;
        if guns.is_empty() && !corps {
            return;
        }
        let targets = self.targets(s, false);
        if targets.is_empty() {
            return;
        }
        out.extend(guns.into_iter().filter(|gun| self.has_target(s, *gun, targets)).map(Choice::Shell));
        if corps {
            out.push(Choice::Shell(NOBODY));
        }
    }

    // --- ranged combat --------------------------------------------------------------------------

    pub(crate) fn begin_ranged(&self, s: &mut State, gun: u8) {
        s.act = Action { lead: gun, ..Action::default() };
        s.stage = Stage::RangedTarget;
    }

    pub(crate) fn target_choices(&self, s: &State, out: &mut Vec<Choice>) {
        let gun = s.act.lead;
        let reaches = |target: &u8| gun == NOBODY || self.may_fire(s, gun, s.unit(*target).zone, true);
        out.extend(self.targets(s, false).into_iter().filter(reaches).map(Choice::At));
    }

    pub(crate) fn aim(&self, s: &mut State, target: u8) {
        s.act.foe = target;
        s.act.to = s.unit(target).zone;
        let gun = s.act.lead;
        if gun == NOBODY {
            s.art[s.side.index()] -= 1;
        } else {
            s.unit_mut(gun).marks |= mark::FIRED;
        }
        s.unit_mut(target).marks |= mark::ATTACKED;
        s.stage = Stage::RangedFire;
        if !self.confirms() {
            self.skip_empty_fire(s, Stage::RangedDie);
        }
    }

    /// Supports by fire that a side may still add at the zone `act.to`. Rules 11.4 and 12.5.
    pub(crate) fn supports_left(&self, s: &State, ours: bool, mut found: impl FnMut(Gun)) {
        let side = if ours { s.side } else { s.side.enemy() };
        if s.act.fire[usize::from(!ours)].count() >= self.tables.fire_max {
            return;
        }
        for gun in Units(self.guns.0 & self.armies[side.index()].0) {
            if self.may_fire(s, gun, s.act.to, false) {
                found(Gun::Battalion(gun));
            }
        }
        if s.art[side.index()] > 0 {
            found(Gun::Corps);
        }
        if s.air[side.index()] > 0 {
            found(Gun::Air);
        }
    }

    /// Goes on to the next stage where there is nothing to add.
    pub(crate) fn skip_empty_fire(&self, s: &mut State, next: Stage) {
        let ours = s.stage != Stage::AssaultFire;
        let mut any = false;
        self.supports_left(s, ours, |_| any = true);
        if !any {
            s.stage = next;
        }
    }

    pub(crate) fn add_fire(&self, s: &mut State, gun: Gun, ours: bool) {
        let side = if ours { s.side } else { s.side.enemy() };
        let fire = &mut s.act.fire[usize::from(!ours)];
        match gun {
            Gun::Battalion(unit) => {
                fire.guns.insert(unit);
                s.unit_mut(unit).marks |= mark::FIRED;
            }
            Gun::Corps => {
                fire.corps += 1;
                s.art[side.index()] -= 1;
            }
            Gun::Air => {
                fire.air += 1;
                s.air[side.index()] -= 1;
            }
        }
    }

    pub(crate) fn ranged_fire_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Attack);
        self.supports_left(s, true, |gun| out.push(Choice::Fire(gun)));
    }

    pub(crate) fn ranged_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let (gun, target, supports) = (s.act.lead, s.act.foe, s.act.fire[0].count());
        let need = self.ranged_need(gun, target, supports);
        l.emit(|| GameEvent::Reckoning { what: "hit", sum: self.ranged_sum(gun, target, supports) });
        l.emit(|| GameEvent::Shelled { gun, target, need, die: face });
        if face <= need {
            s.stage = Stage::RangedSave;
        } else if face == 10 && gun != NOBODY {
            s.stage = Stage::GunnerSave;
        } else {
            self.next_combat(s, l);
        }
    }

    pub(crate) fn ranged_save<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let target = s.act.foe;
        let gun = s.act.lead;
        let need = self.fire_save_need(s, gun, target);
        l.emit(|| GameEvent::Reckoning { what: "save", sum: self.fire_save_sum(s, gun, target) });
        l.emit(|| GameEvent::Saved { unit: target, need, die: face });
        if face <= need {
            self.next_combat(s, l);
        } else if self.troop(target).detachment {
            // Rule 3.3: a detachment that fails any save is lost.
            self.lose(s, target, l);
            self.next_combat(s, l);
        } else {
            let threat = self.nearest(s, s.act.to, s.side);
            s.act = Action { foe: target, to: s.act.to, after: After::Fire, ..Action::default() };
            s.act.threat = threat.unwrap_or(WAITING);
            s.act.queue = Units::one(target);
            s.stage = Stage::RangedResult;
        }
    }

    /// What holding costs. Rule 11.6, ruling R26.
    pub fn hold_price(&self, s: &State, target: u8) -> u16 {
        u16::from((self.others(s, s.unit(target).zone, NOBODY)).max(1))
    }

    /// Hold, retreat, or break where there is no way out. Ruling R42.
    pub(crate) fn ranged_result_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Hold);
        let before = out.len();
        self.retreat_choices(s, out);
        if out.len() == before && s.stage == Stage::RangedResult {
            out.push(Choice::Break(s.act.foe));
        }
    }

    pub(crate) fn hold<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let gunner = s.stage == Stage::GunnerResult;
        let unit = if gunner { s.act.lead } else { s.act.foe };
        let markers = if gunner { 1 } else { self.hold_price(s, unit) };
        self.take_markers(s, self.troop(unit).side, markers);
        l.emit(|| GameEvent::Held { unit, markers });
        self.next_combat(s, l);
    }

    pub(crate) fn break_up<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        self.shatter(s, unit, l);
        self.next_combat(s, l);
    }

    /// Rule 11.7, ruling R25.
    pub(crate) fn gunner_save<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let gun = s.act.lead;
        let need = self.gunner_need(s, gun);
        l.emit(|| GameEvent::Saved { unit: gun, need, die: face });
        if face <= need {
            self.next_combat(s, l);
        } else if self.troop(gun).detachment {
            self.lose(s, gun, l);
            self.next_combat(s, l);
        } else {
            let threat = self.nearest(s, s.unit(gun).zone, s.side.enemy());
            s.act = Action { lead: gun, after: After::Gunner, ..Action::default() };
            s.act.threat = threat.unwrap_or(WAITING);
            s.act.queue = Units::one(gun);
            s.stage = Stage::GunnerResult;
        }
    }

    // --- limited advance ------------------------------------------------------------------------

    /// The retreat after ranged fire is made: somebody may take the position. Rule 11.8.
    pub(crate) fn after_fire<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let (target, zone) = (s.act.foe, s.act.to);
        let retreated = s.unit(target).on_map() && s.unit(target).zone != zone;
        s.act = Action { to: zone, ..Action::default() };
        s.stage = Stage::LimitedAdvance;
        let mut any = false;
        if retreated && s.is_empty(zone) {
            self.limited_candidates(s, |_| any = true);
        }
        if !any {
            self.next_combat(s, l);
        }
    }

    fn may_follow(&self, s: &State, unit: u8, zone: Cell) -> bool {
        let (troop, battalion) = (self.troop(unit), s.unit(unit));
        if !troop.class.is_combat()
            || troop.class == Class::Antitank
            || battalion.is(mark::ROAD | mark::DONE)
            || battalion.result == Activation::Fallback
            || self.is_fixed(s, unit)
        {
            return false;
        }
        let Some(way) = self.scenario.grid.direction(battalion.zone, zone) else { return false };
        let column = self.column(s, Units::one(unit));
        self.step(s, &column, battalion.zone, way, true, false).is_ok()
    }

    fn limited_candidates(&self, s: &State, mut found: impl FnMut(u8)) {
        let zone = s.act.to;
        for near in self.around(zone) {
            if self.holds(s, near, s.side) {
                s.stack(near).filter(|unit| self.may_follow(s, *unit, zone)).for_each(&mut found);
            }
        }
    }

    pub(crate) fn limited_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Decline);
        self.limited_candidates(s, |unit| out.push(Choice::Advance(unit)));
    }

    pub(crate) fn begin_limited<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        s.act.from = s.unit(unit).zone;
        s.act.lead = unit;
        self.follow(s, unit, l);
        s.stage = Stage::LimitedGroup;
        self.rest_if_alone(s, l);
    }

    /// Another battalion takes the position.
    pub(crate) fn follow_too<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        self.follow(s, unit, l);
        self.rest_if_alone(s, l);
    }

    /// Under rules 2 a group that nobody can follow comes to rest by itself.
    fn rest_if_alone<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let mut any = false;
        self.followers(s, |_| any = true);
        if !any && self.confirms() {
            self.rest(s, l);
        }
    }

    fn follow<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        let (from, to) = (s.unit(unit).zone, s.act.to);
        let Some(way) = self.scenario.grid.direction(from, to) else { return };
        self.count_crossing(s, from, way, self.troop(unit).points);
        let rough = self.is_rough_step(s, from, way);
        // Ashore or through a river nothing is left, as on a march. Ruling R49.
        let spent = self.lay(from).water || self.is_unbridged(s, from, way);
        self.take_off(s, unit, 0);
        l.emit(|| GameEvent::Advanced { unit, to });
        self.arrive(s, unit, to, way, l);
        let battalion = s.unit_mut(unit);
        battalion.marks |= mark::MOVED | if rough { mark::ROUGH } else { 0 };
        if spent {
            battalion.mp = 0;
        }
        s.act.group.insert(unit);
    }

    /// Battalions that may take the position together with the first. Rule 11.8.
    fn followers(&self, s: &State, mut found: impl FnMut(u8)) {
        let formation = self.troop(s.act.lead).formation;
        if s.act.group.len() >= crate::movement::GROUP {
            return;
        }
        for unit in s.stack(s.act.from) {
            if self.troop(unit).formation == formation
                && self.may_follow(s, unit, s.act.to)
                && self.has_room(s, s.act.to, self.troop(unit).points)
            {
                found(unit);
            }
        }
    }

    pub(crate) fn limited_group_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.facing_choices(s, s.act.to, out);
        if !s.act.stopped {
            self.followers(s, |unit| out.push(Choice::With(unit)));
        }
    }
}
