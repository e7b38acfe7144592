//! Rally and headquarters. Rules 9 and 19.2.

use kernel::EventSink;
use terrain::Cell;

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Action, LOST, NOBODY, SHATTERED, Stage, State, mark};
use crate::units::Units;

impl Rules {
    /// The rally phase begins with the headquarters that were shattered. Rule 9.6.
    pub(crate) fn begin_rally<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        let hqs = Units(self.hqs.0 & self.armies[s.side.index()].0);
        s.act.queue = hqs.into_iter().filter(|hq| s.unit(*hq).zone == SHATTERED).collect();
        self.next_recovery(s, l);
    }

    fn next_recovery<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        while let Some(hq) = s.act.queue.first() {
            let mut possible = false;
            self.recovery_zones(s, hq, |_| possible = true);
            if possible {
                s.act.lead = hq;
                s.stage = Stage::Recovery;
                return;
            }
            s.act.queue.remove(hq);
        }
        self.next_rally(s, l);
    }

    /// Where a recovered HQ may come back: with a battalion of its formation, or on a supply point of its side.
    fn recovery_zones(&self, s: &State, hq: u8, mut found: impl FnMut(Cell)) {
        let (side, formation) = (self.troop(hq).side, self.troop(hq).formation);
        for unit in self.armies[side.index()] {
            let battalion = s.unit(unit);
            if self.troop(unit).formation == formation && battalion.on_map() && !self.troop(unit).is_hq() {
                // Only the first battalion of the formation in a stack names the zone.
                let first = s
                    .stack(battalion.zone)
                    .find(|other| self.troop(*other).formation == formation && !self.troop(*other).is_hq());
                if first == Some(unit) {
                    found(battalion.zone);
                }
            }
        }
        for (at, key) in self.scenario.keys.iter().enumerate() {
            let with_formation = s
                .stack(key.zone)
                .any(|unit| self.troop(unit).formation == formation && !self.troop(unit).is_hq());
            if key.supplies == Some(side)
                && self.holder(s, at) == side
                && !self.holds(s, key.zone, side.enemy())
                && self.may_stand(hq, key.zone)
                && !with_formation
            {
                found(key.zone);
            }
        }
    }

    pub(crate) fn recovery_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let hq = s.act.lead;
        let need = self.tables.rally[self.troop(hq).quality as usize];
        let back = face <= need;
        l.emit(|| GameEvent::Recovery { hq, die: face, need, back });
        if back {
            s.stage = Stage::RecoveryZone;
            return;
        }
        s.act.queue.remove(hq);
        self.next_recovery(s, l);
    }

    pub(crate) fn recovery_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.recovery_zones(s, s.act.lead, |zone| out.push(Choice::Put(zone)));
    }

    pub(crate) fn recover<L: EventSink<GameEvent>>(&self, s: &mut State, zone: Cell, l: &mut L) {
        let hq = s.act.lead;
        self.bring_back(s, hq, zone, l);
        s.act.queue.remove(hq);
        self.next_recovery(s, l);
    }

    fn bring_back<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, zone: Cell, l: &mut L) {
        let facing = self.facing_enemy(s, zone, self.troop(unit).side);
        l.emit(|| GameEvent::Returned { unit, zone });
        self.arrive(s, unit, zone, facing, l);
    }

    /// Whether an HQ may try to rally. Rule 9.1; at night it may try again and again (18.2).
    pub fn can_rally(&self, s: &State, hq: u8) -> bool {
        let battalion = s.unit(hq);
        battalion.on_map()
            && (s.night || !battalion.is(mark::TRIED))
            && !self.any_within(
                s,
                battalion.zone,
                self.troop(hq).side.enemy(),
                self.tables.rally_enemy_distance,
            )
    }

    /// Whether any unit of a side, HQ or not, is within a distance.
    pub(crate) fn any_within(&self, s: &State, zone: Cell, side: Side, distance: u8) -> bool {
        let mut units = self.armies[side.index()].into_iter();
        units.any(|unit| s.unit(unit).on_map() && self.distance(s.unit(unit).zone, zone) <= distance)
    }

    /// Where a rallied battalion may be put: with its HQ, or next to it if there is no room. Rule 9.2.
    pub(crate) fn rally_zones(&self, s: &State, hq: u8, unit: u8, mut found: impl FnMut(Cell)) {
        let (home, side, points) = (s.unit(hq).zone, self.troop(unit).side, self.troop(unit).points);
        if self.has_room(s, home, points) && self.may_stand(unit, home) {
            found(home);
            return;
        }
        for zone in self.around(home) {
            if self.may_stand(unit, zone)
                && !self.holds(s, zone, side.enemy())
                && !self.in_control_of(s, zone, side.enemy())
                && self.has_room(s, zone, points)
            {
                found(zone);
            }
        }
    }

    pub(crate) fn rally_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.rally_attempts(s, |hq, unit| out.push(Choice::Rally { hq, unit }));
        out.push(Choice::End);
    }

    fn rally_attempts(&self, s: &State, mut found: impl FnMut(u8, u8)) {
        let army = self.armies[s.side.index()];
        let broken: Units = army
            .into_iter()
            .filter(|unit| {
                let battalion = s.unit(*unit);
                battalion.zone == SHATTERED
                    && !self.troop(*unit).is_hq()
                    && !(s.night && battalion.is(mark::TRIED))
            })
            .collect();
        if broken.is_empty() {
            return;
        }
        for hq in Units(self.hqs.0 & army.0) {
            let formation = self.troop(hq).formation;
            let mut theirs =
                broken.into_iter().filter(|unit| self.troop(*unit).formation == formation).peekable();
            if theirs.peek().is_none() || !self.can_rally(s, hq) {
                continue;
            }
            for unit in theirs {
                let mut room = false;
                self.rally_zones(s, hq, unit, |_| room = true);
                if room {
                    found(hq, unit);
                }
            }
        }
    }

    /// Goes on with the rally phase, or ends it where nothing can be tried.
    pub(crate) fn next_rally<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        s.stage = Stage::Rally;
        let mut possible = false;
        self.rally_attempts(s, |_, _| possible = true);
        if !possible {
            self.end_rally(s, l);
        }
    }

    pub(crate) fn end_rally<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.night {
            self.after_night_rally(s, l);
        } else {
            self.begin_movement(s);
        }
    }

    pub(crate) fn try_rally(&self, s: &mut State, hq: u8, unit: u8) {
        (s.act.lead, s.act.foe) = (hq, unit);
        let tried = if s.night { unit } else { hq };
        s.unit_mut(tried).marks |= mark::TRIED;
        s.stage = Stage::RallyDie;
    }

    /// The number that a battalion rallies on. Rules 9.1 and 9.4.
    pub fn rally_need(&self, s: &State, hq: u8, unit: u8) -> u8 {
        let need = self.tables.rally[self.troop(unit).quality as usize];
        if self.is_cut_off(s, hq) { need.saturating_sub(self.tables.oos_rally) } else { need }
    }

    pub(crate) fn rally_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let (hq, unit) = (s.act.lead, s.act.foe);
        let need = self.rally_need(s, hq, unit);
        let back = face <= need;
        l.emit(|| GameEvent::Rally { unit, die: face, need, back });
        if face == 10 {
            // Rule 9.3.
            s.unit_mut(unit).zone = LOST;
            s.unit_mut(unit).marks = 0;
            let markers = self.price(unit);
            self.take_markers(s, self.troop(unit).side, markers);
            l.emit(|| GameEvent::Gone { unit, fate: crate::game_event::Fate::Lost, markers });
        } else if back && self.settings.random_rally && self.shattered_of(s, hq).len() > 1 {
            s.stage = Stage::RallyVoice;
            return;
        } else if back {
            self.place_rallied(s, l);
            return;
        }
        self.next_rally(s, l);
    }

    /// The shattered battalions of an HQ's formation.
    pub(crate) fn shattered_of(&self, s: &State, hq: u8) -> Units {
        let formation = self.troop(hq).formation;
        let army = self.armies[self.troop(hq).side.index()].into_iter();
        army.filter(|unit| {
            s.unit(*unit).zone == SHATTERED
                && self.troop(*unit).formation == formation
                && !self.troop(*unit).is_hq()
        })
        .collect()
    }

    /// Rule 19.2: who picks the battalion that comes back. `act.chain` is set where it is the opponent.
    pub(crate) fn rally_voice<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let own = face <= 4;
        let side = if own { s.side } else { s.side.enemy() };
        l.emit(|| GameEvent::RallyVoice { die: face, side });
        s.act.chain = u8::from(!own);
        s.stage = Stage::RallyPick;
    }

    pub(crate) fn pick_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.extend(self.shattered_of(s, s.act.lead).into_iter().map(Choice::Pick));
    }

    pub(crate) fn pick<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        s.act.chain = 0;
        s.act.foe = unit;
        self.place_rallied(s, l);
    }

    fn place_rallied<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let (hq, unit) = (s.act.lead, s.act.foe);
        let mut zones = 0;
        let mut only = 0;
        self.rally_zones(s, hq, unit, |zone| {
            zones += 1;
            only = zone;
        });
        match zones {
            // Rule 9.2: no room for the one that was picked, so it stays shattered.
            0 => self.next_rally(s, l),
            1 => self.put_rallied(s, only, l),
            _ => s.stage = Stage::RallyZone,
        }
    }

    pub(crate) fn rally_zone_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.rally_zones(s, s.act.lead, s.act.foe, |zone| out.push(Choice::Put(zone)));
    }

    pub(crate) fn put_rallied<L: EventSink<GameEvent>>(&self, s: &mut State, zone: Cell, l: &mut L) {
        let unit = s.act.foe;
        self.bring_back(s, unit, zone, l);
        debug_assert!(unit != NOBODY);
        self.next_rally(s, l);
    }
}
