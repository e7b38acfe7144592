//! The way to supply: the hexes that somebody must hold so that a spearhead is fed, and what is at hand for the next action.
//! Rules 7.2, 6.1.

use crate::ids::{Place, UnitId};
use crate::rail_net::{Rails, Ring};
use crate::supply::{Lay, Net, bit};

use super::Desk;
use super::plan::THEATRES;

/// So near to the enemy a unit can be cut off.
const IN_CONTACT: i16 = 6;
/// So many places are looked at for a way to supply.
const MOST: usize = 96;
/// Steps that a trace may make off the lines; more than that is on a line.
const OFF_LINE: u8 = 2;
const ON_LINE: u8 = 3;
/// A way with more gaps than this is left alone.
const GAPS: u8 = 2;

/// A place on a way to supply.
#[derive(Clone, Copy, Debug)]
struct Mark {
    hex: Place,
    /// Steps made off the lines, or [`ON_LINE`].
    off: u8,
    /// Hexes in an EZOC without a friend so far.
    gaps: u8,
    before: u8,
}

impl Desk<'_> {
    /// Finds the hexes that must be held so that units in contact with the enemy are fed.
    pub(super) fn find_gaps(&mut self) {
        self.memory.plan.gaps.clear();
        if (0..THEATRES).all(|theatre| self.memory.plan.eager[theatre] == 0) {
            return;
        }
        let (rules, state) = (self.rules, self.state);
        let lay = Lay::new(rules, state, self.side);
        let net = Net::of(rules, state, self.side, &lay);
        self.memory.plan.find_supply(state, &net, rules, self.side);
        for unit in UnitId::all() {
            let place = state.unit(unit).place;
            if !place.is_hex()
                || self.memory.plan.foe[place.index()] > IN_CONTACT
                || !rules.kind(unit).is_field()
                || rules.side_of(state, unit) != self.side
            {
                continue;
            }
            let country = bit(rules.country_of(state, unit));
            if net.fed(state, &net.reach(state, place)) & country == 0 {
                self.find_way(&lay, &net, place, country);
            }
        }
    }

    /// The way from a place to supply with the fewest gaps; each gap on it is noted with its worth.
    fn find_way(&mut self, lay: &Lay, net: &Net<'_>, from: Place, country: u32) {
        let mut marks = [Mark { hex: from, off: 0, gaps: 0, before: 0 }; MOST];
        let mut count = 1;
        let mut done = 0_u128;
        loop {
            // The mark with the fewest gaps that was not looked at; of equal ones the first.
            let open = (0..count).filter(|at| done >> at & 1 == 0);
            let Some(at) = open.min_by_key(|at| marks[*at].gaps) else { return };
            done |= 1 << at;
            let here = marks[at];
            if at > 0 && net.is_fed_hex(self.state, here.hex, country) {
                if here.gaps > 0 {
                    self.note_gaps(net, &marks, at);
                }
                return;
            }
            let mut add = |hex: Place, off: u8| {
                if !hex.is_hex() || !lay.open.has(hex) || count == MOST {
                    return;
                }
                let gaps = here.gaps + u8::from(!net.is_usable(hex));
                let known = marks[..count].iter().any(|mark| mark.hex == hex && mark.off <= off);
                if gaps <= GAPS && !known {
                    marks[count] = Mark { hex, off, gaps, before: at as u8 };
                    count += 1;
                }
            };
            for near in Rails::get(false).joined(here.hex) {
                add(*near, ON_LINE);
            }
            if here.off < OFF_LINE {
                for near in Ring::of(here.hex).first() {
                    add(*near, here.off + 1);
                }
            }
        }
    }

    fn note_gaps(&mut self, net: &Net<'_>, marks: &[Mark; MOST], end: usize) {
        let worth = self.weights.link / i32::from(marks[end].gaps);
        let mut at = end;
        while at != 0 {
            let hex = marks[at].hex;
            if !net.is_usable(hex) {
                let gaps = &mut self.memory.plan.gaps;
                match gaps.iter_mut().find(|(known, _)| *known == hex) {
                    Some((_, known)) => *known += worth,
                    None => gaps.push((hex, worth)),
                }
            }
            at = usize::from(marks[at].before);
        }
    }

    /// Notes which air units are fresh, for the judgement of combats.
    pub(super) fn count_wings(&mut self) {
        let (rules, state) = (self.rules, self.state);
        for list in &mut self.memory.plan.wings {
            list.clear();
        }
        for unit in &rules.world.wings {
            let entry = state.unit(*unit);
            if entry.place.is_hex()
                && entry.level <= super::odds::TIRED
                && rules.kind(*unit).is_air()
                && rules.is_fit(state, *unit)
            {
                self.memory.plan.wings[rules.side_of(state, *unit).index()].push(entry.place);
            }
        }
    }
}
