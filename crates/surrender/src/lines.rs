//! The stretches of Transport Line that hang together inside a set of hexes. They are found once and kept for as long as the
//! same hexes are asked for: a Supply Check and a phase of Strategic Movement ask again and again.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use crate::bits::CitySet;
use crate::hex_set::HexSet;
use crate::ids::{CITIES, LANDS, Place, Side};
use crate::link_notes::LinkNotes;
use crate::net_key::NetKey;
use crate::rail_net::Rails;
use crate::tracked::Stamp;

/// Places that a Transport Line can lead to: every hex and the Central Russia Box.
pub(crate) const STOPS: usize = LANDS + 1;

/// The uses that stretches are kept for: supply and Strategic Movement of each side.
const KEPT: usize = 10;

/// How many stretches are kept with their hexes.
const ASKED: usize = 8;

/// What the lines are looked at for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// Supply (7.2).
    Supply,
    /// Strategic Movement, where a line ends at the edge of an Overseas Area (4.8).
    Rail,
}

/// The stretches of line inside a set of hexes, with room for what a supply net notes about them and about cities.
pub(crate) struct Lines {
    inside: HexSet,
    russia: bool,
    /// The number of the stretch at each hex and in the Central Russia Box, from 1; 0 where there is none.
    at: [u16; STOPS],
    /// While they are being found: what each number is said to be; one that is itself is a stretch of its own.
    said: [u16; STOPS + 1],
    /// How many there are, and one more.
    count: usize,
    /// Stretches that were asked about, 0 for none, and their hexes; each at a place that follows from its number.
    asked: [(u16, HexSet); ASKED],
    /// Hexes in which a move may end, and how many of them each stretch has.
    counted: HexSet,
    ends: [u16; STOPS + 1],
    /// Countries for which each stretch leads to an Unlimited source.
    pub fed: [u32; STOPS + 1],
    /// Countries for which each city is an Unlimited source.
    pub unlimited: [u32; CITIES],
    /// Countries for which each city is a Limited source.
    pub limited: [u32; CITIES],
    /// The hexes that are an Unlimited source for anybody.
    pub sources: HexSet,
    /// The position whose supply or railways are noted here, if it is one's.
    pub of: Option<NetKey>,
    /// What the railways of that position are besides the lines.
    pub tracks: Tracks,
    /// What was found out about sea links and single units of that position.
    pub notes: Box<LinkNotes>,
}

/// What the railways of a side are besides the lines.
#[derive(Clone, Copy)]
pub(crate) struct Tracks {
    /// Hexes in an enemy zone of control.
    pub ezoc: HexSet,
    /// Hexes with a ground unit of any other side.
    pub others: HexSet,
    /// Open hexes on lines that the side controls, and those of them in which no ground unit is.
    pub ends: HexSet,
    pub free: HexSet,
    /// The friendly cities with room for an air unit, and the stamp of the bases they were found with.
    pub bases: CitySet,
    pub stamp: Stamp,
}

thread_local! {
    /// What was found last for each use. Who works with one takes it away and brings it back.
    static KNOWN: RefCell<[Option<Box<Lines>>; KEPT]> = const { RefCell::new([const { None }; KEPT]) };
}

/// Lines that are kept for the next who asks.
pub(crate) struct Lent {
    lines: Option<Box<Lines>>,
    slot: usize,
}

impl Deref for Lent {
    type Target = Lines;

    #[inline]
    fn deref(&self) -> &Lines {
        self.lines.as_ref().expect("lines are brought back only at the end")
    }
}

impl DerefMut for Lent {
    #[inline]
    fn deref_mut(&mut self) -> &mut Lines {
        self.lines.as_mut().expect("lines are brought back only at the end")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let lines = self.lines.take();
        // A thread that ends has no use for them.
        let _ = KNOWN.try_with(|known| known.borrow_mut()[self.slot] = lines);
    }
}

/// What a number is said to be in the end.
fn root(is: &[u16], mut number: u16) -> u16 {
    while is[usize::from(number)] != number {
        number = is[usize::from(number)];
    }
    number
}

impl Lines {
    /// What was found last for a side, whatever it was.
    pub fn last(side: Side, purpose: Use) -> Lent {
        let slot = side.index() * 2 + usize::from(purpose == Use::Rail);
        let known = KNOWN.with_borrow_mut(|known| known[slot].take());
        Lent { lines: Some(known.unwrap_or_else(Self::nothing)), slot }
    }

    /// The hexes that the lines lie in.
    #[inline]
    pub const fn hexes_inside(&self) -> &HexSet {
        &self.inside
    }

    /// The stretches inside `usable`; `russia` tells whether the Central Russia Box is in play. Nothing is noted about them.
    pub fn inside(usable: &HexSet, russia: bool, side: Side, purpose: Use) -> Lent {
        let slot = side.index() * 2 + usize::from(purpose == Use::Rail);
        let known = KNOWN.with_borrow_mut(|known| known[slot].take());
        let mut lines = known.unwrap_or_else(Self::nothing);
        if lines.count == 0 || lines.inside != *usable || lines.russia != russia {
            (lines.inside, lines.russia) = (*usable, russia);
            lines.find(purpose);
        }
        if purpose == Use::Supply {
            lines.fed[..=lines.count].fill(0);
            lines.unlimited.fill(0);
            lines.limited.fill(0);
            lines.sources = HexSet::EMPTY;
            lines.notes.forget();
        }
        lines.of = None;
        Lent { lines: Some(lines), slot }
    }

    fn nothing() -> Box<Self> {
        Box::new(Self {
            inside: HexSet::EMPTY,
            russia: false,
            at: [0; STOPS],
            said: [0; STOPS + 1],
            count: 0,
            asked: [(0, HexSet::EMPTY); ASKED],
            counted: HexSet::EMPTY,
            ends: [0; STOPS + 1],
            fed: [0; STOPS + 1],
            unlimited: [0; CITIES],
            limited: [0; CITIES],
            sources: HexSet::EMPTY,
            of: None,
            tracks: Tracks {
                ezoc: HexSet::EMPTY,
                others: HexSet::EMPTY,
                ends: HexSet::EMPTY,
                free: HexSet::EMPTY,
                bases: CitySet::EMPTY,
                stamp: Stamp::NONE,
            },
            notes: LinkNotes::nothing(),
        })
    }

    /// Finds what hangs together, in the order of the map: a hex takes the number of a hex before it that a line joins to it; where
    /// two numbers meet the greater is said to be the smaller one. Numbers that are others are then given up.
    fn find(&mut self, purpose: Use) {
        let rails = Rails::get(purpose == Use::Rail);
        self.ends[..self.count].fill(0);
        self.counted = HexSet::EMPTY;
        self.asked.iter_mut().for_each(|(stretch, _)| *stretch = 0);
        let inside = self.inside.and(&rails.hexes);
        let at = &mut self.at;
        at.fill(0);
        let is = &mut self.said;
        let mut count = 1;
        let mut join = |place: Place| {
            let mut number = 0;
            for before in rails.joined_before(place) {
                let known = at[before.index()];
                if number == 0 {
                    number = known;
                } else if known != 0 && known != number {
                    let (one, other) = (root(is, known), root(is, number));
                    is[usize::from(one.max(other))] = one.min(other);
                }
            }
            if number == 0 {
                number = count;
                is[usize::from(count)] = count;
                count += 1;
            }
            at[place.index()] = number;
        };
        inside.iter().for_each(&mut join);
        if self.russia {
            join(Place::CRU);
        }
        // What a number is said to be is smaller and settled by then.
        self.count = 1;
        for number in 1..usize::from(count) {
            let said = usize::from(is[number]);
            is[number] = if said == number {
                self.count += 1;
                self.count as u16 - 1
            } else {
                is[said]
            };
        }
        inside.iter().for_each(|hex| at[hex.index()] = is[usize::from(at[hex.index()])]);
        at[Place::CRU.index()] = is[usize::from(at[Place::CRU.index()])];
    }

    /// The stretch at a hex or in the Central Russia Box; 0 for none.
    #[inline]
    pub fn at(&self, place: Place) -> u16 {
        self.at[place.index()]
    }

    /// The hexes of a set that lie on one of some stretches.
    pub fn among(&mut self, hexes: &HexSet, stretches: &[u16]) -> HexSet {
        // Most travel on one line, and most of them on the same.
        let [only] = stretches else { return self.search(hexes, stretches) };
        let at = usize::from(*only) % ASKED;
        if self.asked[at].0 != *only {
            let on_line = self.inside.and(&Rails::get(false).hexes);
            self.asked[at] = (*only, self.search(&on_line, stretches));
        }
        self.asked[at].1.and(hexes)
    }

    fn search(&self, hexes: &HexSet, stretches: &[u16]) -> HexSet {
        let mut found = HexSet::EMPTY;
        for hex in hexes.iter() {
            let at = self.at(hex);
            found.put(hex, stretches.iter().fold(false, |is_there, stretch| is_there | (*stretch == at)));
        }
        found
    }

    /// Counts the hexes of a set on each stretch: those that differ from the set that was counted last.
    pub fn count_ends(&mut self, hexes: &HexSet) {
        for hex in self.counted.unlike(hexes).iter() {
            let count = &mut self.ends[usize::from(self.at[hex.index()])];
            *count = if hexes.has(hex) { *count + 1 } else { *count - 1 };
        }
        self.counted = *hexes;
    }

    /// Whether one of the hexes that were counted lies on a stretch.
    #[inline]
    pub fn has_end(&self, stretch: u16) -> bool {
        stretch != 0 && self.ends[usize::from(stretch)] != 0
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, LabDice};

    use super::*;

    #[test]
    fn lines_that_are_kept_are_those_of_the_hexes_asked_for() {
        let half = |rest: usize| {
            let mut hexes = HexSet::EMPTY;
            Place::hexes().filter(|hex| hex.index() / 100 % 2 == rest).for_each(|hex| hexes.insert(hex));
            hexes
        };
        for purpose in [Use::Supply, Use::Rail] {
            // The second and the third ask find something else kept, the last one finds its own.
            for hexes in [half(0), half(1), half(0), half(0)] {
                let kept = Lines::inside(&hexes, true, Side::Axis, purpose);
                let mut fresh = Lines::nothing();
                (fresh.inside, fresh.russia) = (hexes, true);
                fresh.find(purpose);
                assert!(fresh.count > 10);
                assert!(Place::hexes().all(|hex| kept.at(hex) == fresh.at(hex)));
                assert!(kept.fed.iter().all(|fed| *fed == 0));
            }
        }
    }

    /// Two places are on the same stretch if and only if a walk along lines leads from one to the other, whatever can be used.
    #[test]
    fn stretches_are_what_a_walk_from_hex_to_hex_finds() {
        let mut dice = LabDice::new(8);
        for round in 0..120 {
            let (mut hexes, russia) = (HexSet::EMPTY, round % 3 != 0);
            // From hardly any hex to all but a few.
            Place::hexes().for_each(|hex| hexes.put(hex, dice.below(120) < 4 + round));
            for purpose in [Use::Supply, Use::Rail] {
                let rails = Rails::get(purpose == Use::Rail);
                let lines = Lines::inside(&hexes, russia, Side::Axis, purpose);
                let is_in = |place: Place| if place == Place::CRU { russia } else { hexes.has(place) };
                let mut number = vec![0; STOPS];
                let mut names = vec![0; lines.count + 1];
                for start in Place::hexes().chain([Place::CRU]).filter(|place| is_in(*place)) {
                    let is_line = start == Place::CRU || rails.hexes.has(start);
                    assert_eq!(lines.at(start) != 0, is_line, "{start:?}");
                    if !is_line || number[start.index()] != 0 {
                        continue;
                    }
                    let name = start.index() + 1;
                    assert_eq!(
                        names[usize::from(lines.at(start))],
                        0,
                        "{start:?} is not joined to what bears its number"
                    );
                    names[usize::from(lines.at(start))] = name;
                    let mut waiting = vec![start];
                    while let Some(here) = waiting.pop() {
                        if is_in(here) && std::mem::replace(&mut number[here.index()], name) == 0 {
                            assert_eq!(lines.at(here), lines.at(start), "{here:?}");
                            waiting.extend(rails.joined(here));
                        }
                    }
                }
                let outside = Place::hexes().filter(|hex| !hexes.has(*hex));
                outside.for_each(|hex| assert_eq!(lines.at(hex), 0, "{hex:?}"));
            }
        }
    }
}
