//! Supply. Rule 15.

use kernel::EventSink;
use terrain::{Cell, NOWHERE, Octant};

use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::{MAX_ZONES, Side};
use crate::state::{Action, Stage, State};
use crate::units::Units;

/// No supply reaches a zone.
const FAR: u8 = u8::MAX;
/// The highest supply level that is kept.
const WORST: u8 = 9;

/// How far every zone is from supply: steps off the road, or [`FAR`].
pub struct Lines {
    off_road: [u8; MAX_ZONES],
}

impl Lines {
    /// Whether supply reaches a zone.
    #[inline]
    pub fn reach(&self, zone: Cell) -> bool {
        self.off_road[usize::from(zone)] != FAR
    }
}

impl Rules {
    /// How far supply of a side reaches: level by level of steps off the road, roads for nothing, so that every zone is
    /// looked at once. Rule 15.2.
    pub fn supply_lines(&self, s: &State, side: Side) -> Lines {
        let barred = self.barred_to_supply(s, side);
        let mut off_road = [FAR; MAX_ZONES];
        let mut queue = [0 as Cell; MAX_ZONES];
        let (mut from, mut end) = (0, 0);
        for (at, key) in self.scenario.keys.iter().enumerate() {
            if key.supplies == Some(side) && self.holder(s, at) == side && !barred[usize::from(key.zone)] {
                off_road[usize::from(key.zone)] = 0;
                queue[end] = key.zone;
                end += 1;
            }
        }
        for level in 0..=self.tables.supply_steps {
            // Roads of this level: the queue grows while it is read.
            let mut at = from;
            while at < end {
                let here = queue[at];
                at += 1;
                for way in Octant::ALL {
                    if self.is_road(s, here, way) {
                        let to = self.near(here, way);
                        if off_road[usize::from(to)] == FAR && !barred[usize::from(to)] {
                            off_road[usize::from(to)] = level;
                            queue[end] = to;
                            end += 1;
                        }
                    }
                }
            }
            if level == self.tables.supply_steps {
                break;
            }
            let level_end = end;
            for at in from..level_end {
                let here = queue[at];
                for way in Octant::ALL {
                    let to = self.near(here, way);
                    if to != NOWHERE
                        && off_road[usize::from(to)] == FAR
                        && !self.is_unbridged(s, here, way)
                        && !barred[usize::from(to)]
                    {
                        off_road[usize::from(to)] = level + 1;
                        queue[end] = to;
                        end += 1;
                    }
                }
            }
            from = level_end;
        }
        Lines { off_road }
    }

    /// The zones that no supply line of a side may enter: the enemy, its zones of control unless a friend stands there, and
    /// water. Every stack marks its own front, so that no zone is searched for enemies. Rules 4.6 and 15.2.
    fn barred_to_supply(&self, s: &State, side: Side) -> [bool; MAX_ZONES] {
        let mut barred = [false; MAX_ZONES];
        let enemy = side.enemy().tag();
        for (at, zone) in s.zones.iter().enumerate() {
            let lay = &self.scenario.lay[at];
            let closed = lay.impassable || (lay.water && self.scenario.landing != Some(side));
            if closed || zone.owner == enemy {
                barred[at] = true;
            }
            if zone.controls != enemy {
                continue;
            }
            for way in zone.facing.front() {
                let to = self.near(at as Cell, way);
                if to != NOWHERE
                    && !self.lay(to).water
                    && s.zones[usize::from(to)].owner != side.tag()
                    && !self.is_unbridged(s, at as Cell, way)
                {
                    barred[usize::from(to)] = true;
                }
            }
        }
        barred
    }

    /// The supply phase of the active side; at night of both in turn.
    pub(crate) fn begin_supply<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        if !self.has_supply() {
            self.end_supply(s, l);
            return;
        }
        let lines = self.supply_lines(s, s.side);
        let mut cut = Units::EMPTY;
        for unit in self.armies[s.side.index()] {
            let battalion = s.unit(unit);
            if !battalion.on_map() {
                continue;
            }
            if lines.reach(battalion.zone) || self.lay(battalion.zone).water {
                s.unit_mut(unit).unsupplied = 0;
            } else if self.is_fed_from_the_air(s, unit) {
                s.act.queue.insert(unit);
            } else {
                self.go_hungry(s, unit);
                cut.insert(unit);
            }
        }
        if !cut.is_empty() {
            l.emit(|| GameEvent::Unsupplied { units: cut });
        }
        self.next_airdrop(s, l);
    }

    /// Rule 15.4.
    fn is_fed_from_the_air(&self, s: &State, unit: u8) -> bool {
        let from = self.scenario.formations[usize::from(self.troop(unit).formation)].air_supply_from;
        from > 0 && s.turn >= from
    }

    /// Rules 15.2 and 15.5.
    fn go_hungry(&self, s: &mut State, unit: u8) {
        let worst = if self.troop(unit).garrison { 1 } else { WORST };
        let battalion = s.unit_mut(unit);
        battalion.unsupplied = (battalion.unsupplied + 1).min(worst);
    }

    fn next_airdrop<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.act.queue.is_empty() {
            self.end_supply(s, l);
        } else {
            s.stage = Stage::Airdrop;
        }
    }

    pub(crate) fn airdrop_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let Some(unit) = s.act.queue.first() else { return };
        let landed = face <= self.tables.airdrop_success;
        l.emit(|| GameEvent::Airdrop { unit, die: face, landed });
        if landed {
            s.unit_mut(unit).unsupplied = 0;
        } else {
            self.go_hungry(s, unit);
        }
        s.act.queue.remove(unit);
        self.next_airdrop(s, l);
    }

    fn end_supply<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.night {
            self.after_night_supply(s, l);
        } else {
            self.end_player_turn(s, l);
        }
    }
}
