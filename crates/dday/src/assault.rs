//! Assault and raids: who may, who helps, what comes of it. Rules 12 and 18.2.

use kernel::EventSink;
use terrain::{Cell, NOWHERE, Octant};

use crate::battalions::{Class, Mode};
use crate::choice::{Choice, Gun};
use crate::combat::Fight;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{Action, After, NOBODY, Stage, State, mark, work};
use crate::tables::Activation;
use crate::units::Units;

impl Rules {
    /// Back to the choice of the next combat.
    pub(crate) fn next_combat<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        if s.night {
            self.next_raid(s, l);
        } else {
            s.stage = Stage::Combat;
        }
    }

    pub(crate) fn combat_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.assaults(s, |from, to| out.push(Choice::Assault { from, to }));
        self.fire_choices(s, out);
        out.push(Choice::End);
    }

    /// Whether a battalion could assault at all in this combat phase. Rule 12.2.
    #[inline]
    pub fn could_assault(&self, s: &State, unit: u8) -> bool {
        let battalion = s.unit(unit);
        battalion.on_map()
            && self.troop(unit).assaults
            && if s.night {
                self.may_raid(s, unit)
            } else {
                battalion.result.moves() && battalion.mp > 0 && !battalion.is(mark::ROAD | mark::DONE)
            }
    }

    /// Whether a battalion could assault out of its zone in a direction. Rule 12.2.
    pub fn may_assault(&self, s: &State, unit: u8, way: Octant) -> bool {
        self.could_assault(s, unit) && self.could_step_to_assault(s, unit, way)
    }

    /// Whether the way to an assault is open to a battalion: rivers, marsh, the one rough step. Rule 12.2.
    pub(crate) fn could_step_to_assault(&self, s: &State, unit: u8, way: Octant) -> bool {
        let from = s.unit(unit).zone;
        let (to, troop) = (self.near(from, way), self.troop(unit));
        if self.is_unbridged(s, from, way) && !(troop.crosses_in_boats() && self.has_boats(s, from)) {
            return false;
        }
        let road = self.is_road(s, from, way);
        if self.lay(to).marsh && troop.mode == Mode::Mechanized && !road {
            return false;
        }
        let rough = !road && (self.lay(from).rough || self.lay(to).rough);
        !(rough && s.unit(unit).is(mark::ROUGH) && !s.night)
    }

    /// Rule 14.7: engineers that did not move bring boats.
    fn has_boats(&self, s: &State, zone: Cell) -> bool {
        s.stack(zone).any(|unit| self.troop(unit).class == Class::Engineers && !s.unit(unit).is(mark::MOVED))
    }

    /// Whether somebody in a zone may be the primary defender. Rules 11.1, 12.1, 17.3.
    pub fn can_be_assaulted(&self, s: &State, zone: Cell) -> bool {
        !self.lay(zone).water && s.stack(zone).any(|unit| self.is_target(s, unit))
    }

    /// Whether somebody of a set could assault out of a zone as the position stands.
    pub fn may_assault_from(&self, s: &State, from: Cell, by: Units) -> bool {
        let mut any = false;
        self.assaults_from(s, from, by, |_, _| any = true);
        any
    }

    /// All pairs of zones for an assault by the active side.
    pub(crate) fn assaults(&self, s: &State, mut found: impl FnMut(Cell, Cell)) {
        for unit in self.armies[s.side.index()] {
            if !self.could_assault(s, unit) {
                continue;
            }
            let from = s.unit(unit).zone;
            let first = s.stack(from).find(|other| self.could_assault(s, *other));
            if first == Some(unit) {
                self.assaults_from(s, from, Units(u128::MAX), &mut found);
            }
        }
    }

    /// The zones that battalions of a set may assault out of a zone.
    pub(crate) fn assaults_from(&self, s: &State, from: Cell, by: Units, mut found: impl FnMut(Cell, Cell)) {
        let enemy = s.side.enemy();
        for way in Octant::ALL {
            let to = self.near(from, way);
            if to != NOWHERE
                && self.holds(s, to, enemy)
                && s.stack(from).any(|unit| by.has(unit) && self.may_assault(s, unit, way))
                && self.can_be_assaulted(s, to)
            {
                found(from, to);
            }
        }
    }

    // --- the attacking force --------------------------------------------------------------------

    pub(crate) fn begin_assault(&self, s: &mut State, from: Cell, to: Cell) {
        let (chain, through) = (s.act.chain, s.act.through);
        s.act = Action { from, to, chain, through, ..Action::default() };
        s.stage = Stage::AssaultLead;
    }

    fn way(&self, s: &State) -> Octant {
        self.scenario.grid.direction(s.act.from, s.act.to).unwrap_or(Octant::N)
    }

    /// Whether a battalion of the attacking zone may take part. In a breakthrough only those that broke through may.
    fn may_take_part(&self, s: &State, unit: u8, way: Octant) -> bool {
        (s.act.chain == 0 || s.act.through.has(unit)) && self.may_assault(s, unit, way)
    }

    pub(crate) fn lead_choices(&self, s: &State, out: &mut Vec<Choice>) {
        let way = self.way(s);
        let leads = |unit: &u8| {
            self.may_take_part(s, *unit, way) && (!s.night || self.troop(*unit).mode != Mode::Mechanized)
        };
        out.extend(s.stack(s.act.from).filter(leads).map(Choice::Lead));
    }

    pub(crate) fn lead(&self, s: &mut State, unit: u8) {
        s.act.lead = unit;
        s.stage = Stage::AssaultForce;
        self.skip_full_force(s);
    }

    /// Under rules 1 an assault to which nothing can be added is made at once.
    fn skip_full_force(&self, s: &mut State) {
        if self.confirms() {
            return;
        }
        let mut any = false;
        self.force_members(s, |_| any = true);
        if !any {
            self.commit_assault(s);
        }
    }

    /// Everything that may still be added to the assault. Rules 12.3 to 12.5.
    pub(crate) fn force_members(&self, s: &State, mut found: impl FnMut(Choice)) {
        let act = &s.act;
        let way = self.way(s);
        let formation = self.troop(act.lead).formation;
        for unit in s.stack(act.from) {
            if unit != act.lead
                && !act.group.has(unit)
                && self.may_take_part(s, unit, way)
                && (!s.night || self.troop(unit).formation == formation)
            {
                found(Choice::With(unit));
            }
        }
        if s.night {
            return;
        }
        if act.joined.len() < self.tables.zone_max {
            for zone in self.around(act.to) {
                self.contributors(s, zone, &mut found);
            }
            for zone in self.around(act.from) {
                if !self.touch(zone, act.to) && zone != act.to {
                    self.contributors(s, zone, &mut found);
                }
            }
        }
        self.supports_left(s, true, |gun| found(Choice::Fire(gun)));
    }

    /// Battalions of a supporting zone that may contribute. Rule 12.4.
    fn contributors(&self, s: &State, zone: Cell, found: &mut impl FnMut(Choice)) {
        let act = &s.act;
        if zone == act.from
            || !self.holds(s, zone, s.side)
            || act.joined.into_iter().any(|unit| s.unit(unit).zone == zone)
        {
            return;
        }
        for unit in s.stack(zone) {
            if self.may_contribute(s, unit) {
                found(Choice::Join(unit));
            }
        }
    }

    /// Rule 12.4: a combat battalion other than ATG that has not moved by road, fought or fallen back.
    pub fn may_contribute(&self, s: &State, unit: u8) -> bool {
        let (class, battalion) = (self.troop(unit).class, s.unit(unit));
        class.is_combat()
            && class != Class::Antitank
            && !battalion.is(mark::ROAD | mark::DONE)
            && battalion.result != Activation::Fallback
    }

    pub(crate) fn force_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Attack);
        self.gather_choices(s, out);
        self.force_members(s, |choice| out.push(choice));
    }

    pub(crate) fn add_to_force(&self, s: &mut State, choice: Choice) {
        match choice {
            Choice::With(unit) => s.act.group.insert(unit),
            Choice::Join(unit) => s.act.joined.insert(unit),
            Choice::Fire(gun) => self.add_fire(s, gun, true),
            _ => {}
        }
        self.skip_full_force(s);
    }

    /// The attacker has named everything. Rule 12.5.
    pub(crate) fn commit_assault(&self, s: &mut State) {
        let mut force = Units(s.act.group.0 | s.act.joined.0);
        force.insert(s.act.lead);
        for unit in force {
            s.unit_mut(unit).marks |= mark::DONE;
        }
        s.zones[usize::from(s.act.to)].works |= work::PINNED;
        if s.night {
            self.note_raid(s, s.act.lead);
        }
        s.stage = Stage::AssaultAnswer;
        let mut defenders = self.defenders(s);
        if let (Some(only), None) = (defenders.next(), defenders.next()) {
            drop(defenders);
            self.defend(s, only);
        }
    }

    /// Who may be the primary defender: guns and HQ only where there is nobody else. Rule 12.5.
    fn defenders<'s>(&'s self, s: &'s State) -> impl Iterator<Item = u8> + 's {
        self.defenders_of(s, s.act.to)
    }

    /// The same for any zone.
    pub(crate) fn defenders_of<'s>(&'s self, s: &'s State, zone: Cell) -> impl Iterator<Item = u8> + 's {
        let fits = |unit: &u8| self.is_target(s, *unit);
        let better = s.stack(zone).filter(fits).any(|unit| self.troop(unit).class.is_combat());
        s.stack(zone).filter(fits).filter(move |unit| !better || self.troop(*unit).class.is_combat())
    }

    pub(crate) fn defend_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.extend(self.defenders(s).map(Choice::Defend));
    }

    pub(crate) fn defend(&self, s: &mut State, unit: u8) {
        s.act.foe = unit;
        s.unit_mut(unit).marks |= mark::ATTACKED;
        s.stage = Stage::AssaultFire;
        if s.night {
            s.stage = Stage::AssaultDie;
        } else {
            self.skip_empty_fire(s, Stage::AssaultDie);
        }
    }

    pub(crate) fn defensive_fire_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Ready);
        self.supports_left(s, false, |gun| out.push(Choice::Fire(gun)));
    }

    pub(crate) fn add_defensive_fire(&self, s: &mut State, gun: Gun) {
        self.add_fire(s, gun, false);
        if !self.confirms() {
            self.skip_empty_fire(s, Stage::AssaultDie);
        }
    }

    // --- the dice -------------------------------------------------------------------------------

    /// The assault that is being made, as far as its arithmetic goes.
    pub fn fight(&self, s: &State) -> Fight {
        let act = &s.act;
        Fight {
            from: act.from,
            to: act.to,
            lead: act.lead,
            foe: act.foe,
            supports: act.group,
            zones: act.joined.len(),
            fire: act.fire[0].count(),
            answer: act.fire[1].count(),
            raid: s.night,
        }
    }

    pub(crate) fn assault_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let fight = self.fight(s);
        let need = self.assault_need(s, &fight);
        l.emit(|| GameEvent::Reckoning { what: "hit", sum: self.assault_sum(s, &fight) });
        l.emit(|| GameEvent::Assaulted {
            lead: fight.lead,
            defender: fight.foe,
            from: fight.from,
            to: fight.to,
            need,
            die: face,
            night: s.night,
        });
        s.stage = if face <= need { Stage::DefenderSave } else { Stage::AttackerSave };
    }

    pub(crate) fn defender_save<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let fight = self.fight(s);
        let need = self.defender_need(s, &fight);
        l.emit(|| GameEvent::Reckoning { what: "save", sum: self.defender_sum(s, &fight) });
        l.emit(|| GameEvent::Saved { unit: fight.foe, need, die: face });
        if face <= need {
            s.stage = Stage::AttackerSave;
            return;
        }
        s.act.threat = fight.from;
        let mut way_out = false;
        self.retreat_zones(s, fight.foe, |_| way_out = true);
        // Rule 12.8.
        let lost = !self.troop(fight.foe).is_hq()
            && ((face == 10 && !self.settings.gentle) || !way_out || self.breaks_for_good(s, fight.foe));
        if lost {
            self.lose(s, fight.foe, l);
        } else {
            self.shatter(s, fight.foe, l);
        }
        s.act.breakthrough = lost;
        s.act.foe = NOBODY;
        s.act.fire = Default::default();
        s.act.queue = s.stack(fight.to).collect();
        s.act.after = After::Won;
        self.next_retreat(s, l);
    }

    pub(crate) fn attacker_save<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let fight = self.fight(s);
        let need = self.attacker_need(s, &fight);
        l.emit(|| GameEvent::Reckoning { what: "save", sum: self.attacker_sum(s, &fight) });
        l.emit(|| GameEvent::Saved { unit: fight.lead, need, die: face });
        if face <= need {
            l.emit(|| GameEvent::Holds { zone: fight.from });
            self.after_assault(s, l);
            return;
        }
        l.emit(|| GameEvent::Repulsed { zone: fight.from });
        if (face == 10 && !self.settings.gentle) || self.breaks_for_good(s, fight.lead) {
            self.lose(s, fight.lead, l);
        } else {
            self.shatter(s, fight.lead, l);
        }
        s.act.queue = fight.supports;
        s.act.threat = fight.to;
        s.act.after = After::Repulsed;
        self.next_retreat(s, l);
    }

    /// The assault is over; units that broke through are finished.
    pub(crate) fn after_assault<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        for unit in s.act.through {
            s.unit_mut(unit).marks |= mark::DONE;
        }
        self.next_combat(s, l);
    }
}
