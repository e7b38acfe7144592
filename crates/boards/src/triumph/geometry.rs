//! Where everything lies on the map: outlines, borders, names, and the slots on which blocks stand.
//!
//! `data/triumph_map.json` holds arcs that areas share. So two neighbours have the same points along their border, the border is
//! drawn once, by its kind, and no gap shows between them. Coasts and lakes come from public-domain geography (Natural Earth)
//! under a lens that gives Europe more room. Names, signs and slots were placed so that they cover neither each other nor, as
//! far as there is room, a border.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::pen::Point;

/// The size of the map in units.
pub const WIDTH: f64 = 1600.0;
/// The size of the map in units.
pub const HEIGHT: f64 = 1100.0;
/// The side of a block that stands on a slot.
pub const BLOCK: f64 = 22.0;

static MAP: LazyLock<Geometry> = LazyLock::new(Geometry::read);

/// What a border between two areas is (rules 1.11).
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Border {
    /// Open land.
    Plains,
    /// A river.
    River,
    /// Woods.
    Forest,
    /// Mountains.
    Mountain,
    /// The edge of a strait.
    Strait,
    /// Between land and sea.
    Coast,
    /// Between two seas.
    Sea,
    /// Between an ocean and another water.
    Ocean,
}

/// What lies between an area and the land out of play.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// Land that nobody passes.
    Impassable,
    /// A shore on which nobody lands.
    Shore,
}

/// An area on the map.
#[derive(Debug, Deserialize)]
pub struct Place {
    /// Its id in the data of the game.
    pub id: String,
    /// Arcs; a negative one, `!arc`, runs backwards.
    rings: Vec<Vec<i32>>,
    /// The middle of its name.
    pub name: [f64; 2],
    /// How many words each line of its name has; empty where there is one line.
    #[serde(default)]
    pub lines: Vec<usize>,
    /// The middle of the row of its signs.
    pub signs: Option<[f64; 2]>,
    /// Its middle, for arrows and for a panel that speaks of it.
    pub centre: [f64; 2],
    /// Whether it is an inset: a box at the edge for what lies beyond it.
    #[serde(default, rename = "box")]
    pub inset: bool,
    /// Where blocks stand, the best places first; at least six.
    pub slots: Vec<[f64; 2]>,
    /// How many slots leave the name free: the first ones.
    pub clear: usize,
}

/// How a nation is drawn.
#[derive(Debug, Deserialize)]
pub struct NationPlace {
    /// Its id in the data of the game.
    pub id: String,
    /// The tint of its land: a Power, a Power's colonies, or one of five for Minors, so that neighbours differ.
    pub tint: String,
    /// The middle of its name; `None` where the area has the same name.
    pub at: Option<[f64; 2]>,
    /// The size of its letters.
    #[serde(default)]
    pub size: f64,
    /// The space between them, in em.
    #[serde(default)]
    pub spacing: f64,
    /// By how many degrees its name is turned.
    #[serde(default)]
    pub turn: i32,
    /// How many words each line of its name has; empty where there is one line.
    #[serde(default)]
    pub lines: Vec<usize>,
}

/// Land that is out of play.
#[derive(Debug, Deserialize)]
pub struct Scenery {
    /// Its name.
    pub name: String,
    rings: Vec<Vec<i32>>,
    /// The middle of its name, where there is room for it.
    pub at: Option<[f64; 2]>,
    /// Whether its name has to be small.
    #[serde(default)]
    pub small: bool,
}

/// The file.
#[derive(Debug, Default, Deserialize)]
struct Written {
    arcs: Vec<Vec<i32>>,
    areas: Vec<Place>,
    nations: Vec<NationPlace>,
    scenery: Vec<Scenery>,
    borders: Vec<(usize, usize, Border, Vec<usize>)>,
    edges: Vec<(Edge, Vec<usize>)>,
    lakes: Vec<Vec<i32>>,
    channels: Vec<Vec<i32>>,
    shores: Vec<Vec<i32>>,
}

/// The map as geometry.
#[derive(Debug)]
pub struct Geometry {
    arcs: Vec<Vec<Point>>,
    places: Vec<Place>,
    by_id: HashMap<String, usize>,
    /// The nations.
    pub nations: Vec<NationPlace>,
    /// The land out of play.
    pub scenery: Vec<Scenery>,
    borders: Vec<(usize, usize, Border, Vec<usize>)>,
    edges: Vec<(Edge, Vec<usize>)>,
    /// Lakes, which are no areas.
    pub lakes: Vec<Vec<Point>>,
    /// The water inside straits.
    pub channels: Vec<Vec<Point>>,
    /// The shores of that water.
    pub shores: Vec<Vec<Point>>,
}

impl Geometry {
    fn read() -> Self {
        let read: Written =
            serde_json::from_str(include_str!("../../data/triumph_map.json")).unwrap_or_default();
        let points = |lines: &[Vec<i32>]| lines.iter().map(|line| points_of(line)).collect();
        let by_id = read.areas.iter().enumerate().map(|(at, place)| (place.id.clone(), at)).collect();
        Self {
            arcs: points(&read.arcs),
            by_id,
            lakes: points(&read.lakes),
            channels: points(&read.channels),
            shores: points(&read.shores),
            places: read.areas,
            nations: read.nations,
            scenery: read.scenery,
            borders: read.borders,
            edges: read.edges,
        }
    }

    /// The map that is built in.
    pub fn built_in() -> &'static Self {
        &MAP
    }

    /// All areas.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// An area by its id.
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.by_id.get(id).map(|at| &self.places[*at])
    }

    /// A nation by its id.
    pub fn nation(&self, id: &str) -> Option<&NationPlace> {
        self.nations.iter().find(|nation| nation.id == id)
    }

    /// The outlines of an area; what is inside an odd number of them belongs to it.
    pub fn outline(&self, place: &Place) -> Vec<Vec<Point>> {
        self.closed(&place.rings)
    }

    /// The outlines of land that is out of play.
    pub fn scenery_outline(&self, scenery: &Scenery) -> Vec<Vec<Point>> {
        self.closed(&scenery.rings)
    }

    /// The outlines of several areas together, without the borders between them.
    pub fn united<'a>(&self, places: impl IntoIterator<Item = &'a Place>) -> Vec<Vec<Point>> {
        let mut uses = vec![0_u8; self.arcs.len()];
        for arc in places.into_iter().flat_map(|place| place.rings.iter().flatten()) {
            uses[forwards(*arc)] += 1;
        }
        let outer: Vec<usize> = (0..uses.len()).filter(|arc| uses[*arc] == 1).collect();
        self.joined(&outer)
    }

    /// All borders of a kind as lines, each as long as the border.
    pub fn borders(&self, kind: Border) -> Vec<Vec<Point>> {
        self.borders_where(|_, _, border| border == kind)
    }

    /// The borders that are wanted, told by their areas and kind.
    pub fn borders_where(&self, wanted: impl Fn(&Place, &Place, Border) -> bool) -> Vec<Vec<Point>> {
        let chosen = self
            .borders
            .iter()
            .filter(|(a, b, border, _)| wanted(&self.places[*a], &self.places[*b], *border));
        chosen.flat_map(|(.., arcs)| self.joined(arcs)).collect()
    }

    /// All edges of a kind as lines.
    pub fn edges(&self, kind: Edge) -> Vec<Vec<Point>> {
        let chosen = self.edges.iter().filter(|(edge, _)| *edge == kind);
        chosen.flat_map(|(_, arcs)| self.joined(arcs)).collect()
    }

    /// The lines of the border between two areas.
    pub fn border(&self, a: &str, b: &str) -> Vec<Vec<Point>> {
        self.borders_where(|one, other, _| (one.id == a && other.id == b) || (one.id == b && other.id == a))
    }

    /// The middle of the border between two areas, for an arrow across it and for how many may still pass.
    pub fn between(&self, a: &str, b: &str) -> Option<(f64, f64)> {
        let lines = self.border(a, b);
        let longest = lines.iter().max_by(|one, other| length(one).total_cmp(&length(other)))?;
        let mut left = length(longest) / 2.0;
        for pair in longest.windows(2) {
            let step = pair[0].distance(pair[1]);
            if step >= left && step > 0.0 {
                let ((x, y), (to_x, to_y)) = (pair[0].units(), pair[1].units());
                return Some((x + (to_x - x) * left / step, y + (to_y - y) * left / step));
            }
            left -= step;
        }
        longest.last().map(|point| point.units())
    }

    fn closed(&self, rings: &[Vec<i32>]) -> Vec<Vec<Point>> {
        rings
            .iter()
            .map(|ring| {
                let mut points: Vec<Point> = Vec::new();
                for arc in ring {
                    let line = &self.arcs[forwards(*arc)];
                    // An arc begins where the one before it ends.
                    let skip = usize::from(!points.is_empty());
                    if *arc < 0 {
                        points.extend(line.iter().rev().skip(skip));
                    } else {
                        points.extend(line.iter().skip(skip));
                    }
                }
                points
            })
            .collect()
    }

    /// Arcs joined end to end into lines as long as they get, so that dashes and peaks run on where arcs meet.
    fn joined(&self, arcs: &[usize]) -> Vec<Vec<Point>> {
        let mut left: Vec<usize> = arcs.to_vec();
        let mut lines = Vec::new();
        while let Some(first) = left.pop() {
            let mut line = self.arcs[first].clone();
            // What can't be added at the end may still fit at the start.
            for _ in 0..2 {
                while line.first() != line.last() {
                    let end = line.last().copied();
                    let meets = |arc: &usize| {
                        let other = &self.arcs[*arc];
                        other.first().copied() == end || other.last().copied() == end
                    };
                    let Some(at) = left.iter().position(meets) else { break };
                    let next = &self.arcs[left.remove(at)];
                    if next.first().copied() == end {
                        line.extend(next.iter().skip(1));
                    } else {
                        line.extend(next.iter().rev().skip(1));
                    }
                }
                line.reverse();
            }
            lines.push(line);
        }
        lines
    }
}

/// The index of an arc, whichever way it runs.
fn forwards(arc: i32) -> usize {
    (if arc < 0 { !arc } else { arc }) as usize
}

/// Points from steps: the first from the corner of the map, each other from the one before.
fn points_of(steps: &[i32]) -> Vec<Point> {
    let mut at = Point::default();
    let walk = steps.chunks_exact(2).map(|step| {
        at = Point { x: at.x + step[0], y: at.y + step[1] };
        at
    });
    walk.collect()
}

/// The length of a line in units.
pub fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_map([x, y]: [f64; 2], margin: f64) -> bool {
        (margin..=WIDTH - margin).contains(&x) && (margin..=HEIGHT - margin).contains(&y)
    }

    #[test]
    fn every_area_has_an_outline_a_name_and_room_for_blocks() {
        let map = Geometry::built_in();
        assert_eq!(map.places().len(), 136);
        for place in map.places() {
            for ring in map.outline(place) {
                assert!(ring.len() > 3 && ring.first() == ring.last(), "{}: an open outline", place.id);
            }
            assert!(on_map(place.name, 0.0) && on_map(place.centre, 0.0), "{}", place.id);
            assert!(place.slots.len() >= 6 && place.clear >= 3, "{}: {} slots", place.id, place.slots.len());
            assert!(place.slots.iter().all(|slot| on_map(*slot, BLOCK / 2.0)), "{}", place.id);
        }
    }

    #[test]
    fn no_two_blocks_of_an_area_overlap() {
        for place in Geometry::built_in().places() {
            for (at, [x, y]) in place.slots.iter().enumerate() {
                let apart = |[a, b]: &[f64; 2]| (x - a).abs() >= BLOCK || (y - b).abs() >= BLOCK;
                assert!(place.slots[at + 1..].iter().all(apart), "{}: slot {at}", place.id);
            }
        }
    }

    #[test]
    fn neighbours_share_a_border_and_others_do_not() {
        let map = Geometry::built_in();
        assert_eq!(map.borders.len(), 353);
        let (x, y) = map.between("warsaw", "berlin").expect("they are neighbours");
        assert!((500.0..800.0).contains(&x) && (350.0..600.0).contains(&y), "{x} {y}");
        assert_eq!(map.between("berlin", "warsaw"), Some((x, y)));
        assert_eq!(map.between("berlin", "moscow"), None);
    }

    #[test]
    fn a_united_outline_has_no_inner_borders() {
        let map = Geometry::built_in();
        let germany: Vec<&Place> =
            ["munich", "berlin", "ruhr"].iter().filter_map(|id| map.place(id)).collect();
        let whole = map.united(germany.iter().copied());
        let apart: usize = germany.iter().map(|place| map.outline(place).concat().len()).sum();
        assert!(whole.iter().all(|ring| ring.first() == ring.last()));
        assert!(whole.concat().len() < apart, "{} of {apart} points", whole.concat().len());
    }
}
