//! Which Sea Zones and boxes lie next to each other, as sets: they depend on the map only and are made once.

use std::sync::LazyLock;

use crate::ids::{NODES, Node};
use crate::world::{Passage, World};

/// How many kinds of passage there are.
const PASSAGES: usize = 7;

/// The passages that are straits, as bits.
pub(crate) const STRAITS: u8 = 1 << Passage::Danish as u8
    | 1 << Passage::Gibraltar as u8
    | 1 << Passage::Messina as u8
    | 1 << Passage::Turkish as u8;

/// The nodes next to each node, by the passage between them.
static LANES: LazyLock<[[u64; PASSAGES]; NODES]> = LazyLock::new(|| {
    let mut lanes = [[0; PASSAGES]; NODES];
    for (lanes, node) in lanes.iter_mut().zip(&World::get().nodes) {
        for (next, passage) in &node.links {
            lanes[*passage as usize] |= next.bit();
        }
    }
    lanes
});

/// The nodes next to each node, by the set of passages that are open.
static NEXT: LazyLock<Vec<[u64; NODES]>> = LazyLock::new(|| {
    let next = |open: usize, lanes: &[u64; PASSAGES]| {
        let through = lanes.iter().enumerate().filter(|(at, _)| open >> at & 1 != 0);
        through.fold(0, |found, (_, lane)| found | lane)
    };
    (0..1 << PASSAGES).map(|open| std::array::from_fn(|node| next(open, &LANES[node]))).collect()
});

/// The nodes next to those of a set through passages that are open.
#[inline]
pub(crate) fn beyond(set: u64, open: u8) -> u64 {
    let next = &NEXT[usize::from(open) % (1 << PASSAGES)];
    Node::of(set).fold(0, |found, node| found | next[node.index()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_straits_are_those_of_the_map_and_lanes_are_its_links() {
        for node in &World::get().nodes {
            for (_, passage) in &node.links {
                assert_eq!(STRAITS >> *passage as u8 & 1 != 0, passage.is_strait(), "{passage:?}");
            }
        }
        for (at, node) in World::get().nodes.iter().enumerate() {
            let links = node.links.iter().filter(|(_, passage)| *passage != Passage::Kiel);
            let next = links.fold(0, |set, (next, _)| set | next.bit());
            assert_eq!(beyond(1 << at, !(1 << Passage::Kiel as u8)), next, "{}", node.name);
        }
    }
}
