//! Markers, losses, control and victory. Rules 3.3, 16.1 to 16.4.

use kernel::EventSink;
use terrain::Cell;

use crate::battalions::Class;
use crate::game_event::{Fate, GameEvent};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, SHATTERED, Stage, State, Verdict, mark, work};

impl Rules {
    /// A side takes markers. Rules 16.1 and 16.2.
    pub(crate) fn take_markers(&self, s: &mut State, side: Side, count: u16) {
        s.markers[side.index()] = s.markers[side.index()].saturating_add(count);
        s.tally[side.index()] = s.tally[side.index()].saturating_add(count);
    }

    /// Whether a battalion that is shattered is lost at once. Rules 3.3 and 15.3, ruling R37.
    pub fn breaks_for_good(&self, s: &State, unit: u8) -> bool {
        let troop = self.troop(unit);
        !troop.is_hq()
            && (troop.detachment
                || matches!(troop.class, Class::Artillery | Class::SelfPropelled | Class::Antitank)
                || self.is_cut_off(s, unit))
    }

    /// What a lost battalion costs. Rule 16.1.
    pub fn price(&self, unit: u8) -> u16 {
        let troop = self.troop(unit);
        if troop.detachment {
            self.tables.marker_detachment_lost
        } else {
            self.tables.marker_lost[troop.quality as usize]
        }
    }

    /// A battalion is shattered, or lost where it must be. Returns whether it was lost.
    pub(crate) fn shatter<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) -> bool {
        if self.breaks_for_good(s, unit) {
            self.lose(s, unit, l);
            return true;
        }
        self.take_off(s, unit, SHATTERED);
        let markers = self.tables.marker_shattered;
        self.take_markers(s, self.troop(unit).side, markers);
        l.emit(|| GameEvent::Gone { unit, fate: Fate::Shattered, markers });
        false
    }

    /// A battalion is lost for good; an HQ is only shattered (ruling R37).
    pub(crate) fn lose<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        if self.troop(unit).is_hq() {
            if s.unit(unit).on_map() {
                self.shatter(s, unit, l);
            }
            return;
        }
        if s.unit(unit).on_map() {
            self.take_off(s, unit, LOST);
        } else {
            s.unit_mut(unit).zone = LOST;
        }
        s.unit_mut(unit).marks = 0;
        let markers = self.price(unit);
        self.take_markers(s, self.troop(unit).side, markers);
        l.emit(|| GameEvent::Gone { unit, fate: Fate::Lost, markers });
    }

    /// A battalion comes into a zone: it destroys what the enemy has prepared there and takes what is to be taken.
    /// Rules 2.8 and 16.3.
    pub(crate) fn enter<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, zone: Cell, l: &mut L) {
        let side = self.troop(unit).side;
        let theirs = work::PREPARED << side.enemy().index();
        if s.zones[usize::from(zone)].works & theirs != 0 {
            s.zones[usize::from(zone)].works &= !theirs;
            l.emit(|| GameEvent::PositionGone { zone });
        }
        let Some(key) = self.key_at(zone) else { return };
        if self.troop(unit).is_hq() || self.holder(s, key) == side {
            return;
        }
        s.held = s.held & !(1 << key) | (side.index() as u32) << key;
        let markers = self.tables.marker_objective;
        self.take_markers(s, side.enemy(), markers);
        l.emit(|| GameEvent::Taken { key: key as u8, by: side, markers });
    }

    /// Puts a battalion into a zone it has come to; a first one there turns the stack its way.
    pub(crate) fn arrive<L: EventSink<GameEvent>>(
        &self,
        s: &mut State,
        unit: u8,
        zone: Cell,
        facing: terrain::Octant,
        l: &mut L,
    ) {
        if s.is_empty(zone) {
            s.zones[usize::from(zone)].facing = facing;
        }
        self.put(s, unit, zone);
        self.enter(s, unit, zone, l);
    }

    /// Rule 16.4.
    pub(crate) fn check_victory<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let vp = self.aggressor_vp(s);
        let Some(verdict) = self.verdict(s, vp) else { return };
        for side in Side::ALL {
            let tally = s.tally[side.index()];
            if tally >= self.scenario.sides[side.index()].break_at {
                l.emit(|| GameEvent::Broken { side, tally });
            }
        }
        s.verdict = Some(verdict);
        s.stage = Stage::Over;
        s.act = crate::state::Action::default();
        l.emit(|| GameEvent::Over { verdict, vp });
    }

    /// How the battle ends, if it does, with this many points of the aggressor. Rule 16.4.
    pub(crate) fn verdict(&self, s: &State, vp: u8) -> Option<Verdict> {
        let (aggressor, defender) = (self.scenario.aggressor, self.defender());
        let over = |side: Side| {
            let break_at = self.scenario.sides[side.index()].break_at;
            (s.tally[side.index()] >= break_at).then(|| s.tally[side.index()] - break_at)
        };
        match (over(aggressor), over(defender)) {
            (Some(ours), Some(theirs)) if ours < theirs => return Some(Verdict::AggressorBreak),
            (Some(ours), Some(theirs)) if ours > theirs => return Some(Verdict::DefenderBreak),
            (Some(_), Some(_)) => return Some(Verdict::DrawBroken),
            (None, Some(_)) => return Some(Verdict::AggressorBreak),
            (Some(_), None) => return Some(Verdict::DefenderBreak),
            (None, None) => {}
        }
        let victory = self.scenario.victory;
        if victory.sudden > 0 && vp >= victory.sudden {
            return Some(Verdict::AggressorSudden);
        }
        if s.turn < self.scenario.turns {
            return None;
        }
        Some(if vp >= victory.aggressor_win {
            Verdict::AggressorPoints
        } else if vp <= victory.defender_win {
            Verdict::DefenderPoints
        } else {
            Verdict::DrawPoints
        })
    }

    /// Forgets what battalions did: at the start of a player turn, at nightfall and at dawn. Rule 3.4, ruling R28.
    pub(crate) fn clear_marks(&self, s: &mut State, own: Option<Side>) {
        for at in 0..s.units.len() {
            let side = self.scenario.troops[at].side;
            let battalion = &mut s.units[at];
            if own.is_none_or(|own| own == side) {
                battalion.marks &= !mark::OWN;
                battalion.mp = 0;
                battalion.result = crate::tables::Activation::None;
            } else {
                battalion.marks &= !mark::EVERY;
            }
        }
        for zone in &mut s.zones {
            zone.works &= !work::PASSING;
        }
        s.crossed = [0; crate::scenario::MAX_BRIDGES];
    }
}
