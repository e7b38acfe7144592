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
    /// How many there are, and one more.
    count: usize,
    /// The hexes of each stretch, for Strategic Movement.
    hexes: Vec<HexSet>,
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
    /// Open hexes that the side controls and in which no ground unit is.
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
            count: 0,
            hexes: Vec::new(),
            fed: [0; STOPS + 1],
            unlimited: [0; CITIES],
            limited: [0; CITIES],
            sources: HexSet::EMPTY,
            of: None,
            tracks: Tracks {
                ezoc: HexSet::EMPTY,
                free: HexSet::EMPTY,
                bases: CitySet::EMPTY,
                stamp: Stamp::NONE,
            },
            notes: LinkNotes::nothing(),
        })
    }

    fn find(&mut self, purpose: Use) {
        let is_rail = purpose == Use::Rail;
        let rails = Rails::get(is_rail);
        // The hexes that no stretch has been found for yet, and the Central Russia Box as one more.
        let mut left = self.inside.and(&rails.hexes);
        if self.russia {
            left.insert(Place::CRU);
        }
        let mut stack = [Place::CRU; STOPS];
        self.at.fill(0);
        self.count = 1;
        self.hexes.clear();
        self.hexes.push(HexSet::EMPTY);
        while let Some(start) = left.first() {
            let number = self.count as u16;
            self.count += 1;
            let mut hexes = HexSet::EMPTY;
            left.remove(start);
            stack[0] = start;
            let mut waiting = 1;
            while waiting > 0 {
                waiting -= 1;
                let here = stack[waiting];
                self.at[here.index()] = number;
                if is_rail && here != Place::CRU {
                    hexes.insert(here);
                }
                for next in rails.joined(here) {
                    if left.take(*next) {
                        stack[waiting] = *next;
                        waiting += 1;
                    }
                }
            }
            if is_rail {
                self.hexes.push(hexes);
            }
        }
    }

    /// The stretch at a hex or in the Central Russia Box; 0 for none.
    #[inline]
    pub fn at(&self, place: Place) -> u16 {
        self.at[place.index()]
    }

    /// The hexes of a stretch; known for Strategic Movement only.
    #[inline]
    pub fn hexes(&self, stretch: u16) -> &HexSet {
        &self.hexes[usize::from(stretch)]
    }
}

#[cfg(test)]
mod tests {
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
                assert_eq!(kept.hexes, fresh.hexes);
                assert!(kept.fed.iter().all(|fed| *fed == 0));
            }
        }
    }
}
