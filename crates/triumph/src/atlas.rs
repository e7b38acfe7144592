//! The tables of the map that follow from areas, borders and nations, and what is looked up in them. Rules 1.1, 11.52.

use crate::areas::{AREAS, AreaSet, BORDERS, LANDS, NATIONS, NONE};
use crate::world::{Area, Atlas, BorderKind, Edge, Ground, Nation};

impl Atlas {
    /// Puts the tables together that follow from areas, borders and nations.
    pub(crate) fn link(&mut self) {
        assert_eq!((self.areas.len(), self.borders.len()), (AREAS, BORDERS), "areas and borders of the map");
        assert_eq!(self.nations.len(), NATIONS, "nations of the map");
        let of = |atlas: &Self, wanted: &dyn Fn(&Area) -> bool| -> AreaSet {
            (0..AREAS as u8).filter(|area| wanted(&atlas.areas[usize::from(*area)])).collect()
        };
        self.straits = of(self, &|area| area.ground == Ground::Strait);
        self.oceans = of(self, &|area| area.ground == Ground::Ocean);
        self.coastal = of(self, &|area| area.coastal);
        for (at, border) in self.borders.iter().enumerate() {
            let [a, b] = border.ends;
            let land = |area: u8| usize::from(area) < LANDS;
            for (from, to) in [(a, b), (b, a)] {
                let from = usize::from(from);
                self.near[from].add(to);
                if land(a) && land(b) {
                    self.by_land[from].add(to);
                } else {
                    self.by_sea[from].add(to);
                }
                if border.coastline {
                    self.along_coast[from].add(to);
                }
                if !(land(a) && land(b)) || border.kind == BorderKind::Strait {
                    self.by_water[from].add(to);
                    if !border.around_africa {
                        self.by_near_water[from].add(to);
                    }
                }
            }
            if border.around_africa {
                self.around_africa = at as u16;
            }
        }
        for area in 0..AREAS as u8 {
            self.edges_from.push(self.edges.len() as u16);
            for to in self.near[usize::from(area)] {
                let found = self
                    .borders
                    .iter()
                    .position(|border| border.ends == [area, to] || border.ends == [to, area]);
                let border = found.unwrap_or_default();
                self.edges.push(Edge { to, border: border as u16, kind: self.borders[border].kind });
            }
        }
        self.edges_from.push(self.edges.len() as u16);
        self.measure();
    }

    /// Fills the table of distances, area by area.
    fn measure(&mut self) {
        self.steps = vec![NONE; AREAS * AREAS];
        for from in 0..AREAS as u8 {
            let (mut all, mut edge) = (AreaSet::EMPTY, AreaSet::one(from));
            for far in 0..AREAS as u8 {
                for area in edge {
                    self.steps[usize::from(from) * AREAS + usize::from(area)] = far;
                }
                all = all.or(edge);
                edge = Self::around(&self.near, edge).minus(all);
            }
        }
    }

    /// The ways out of an area, in the order of the neighbours.
    pub fn edges(&self, area: u8) -> &[Edge] {
        let at = usize::from(area);
        &self.edges[usize::from(self.edges_from[at])..usize::from(self.edges_from[at + 1])]
    }

    /// The border between two neighbours.
    pub fn border(&self, a: u8, b: u8) -> Option<Edge> {
        self.edges(a).iter().find(|edge| edge.to == b).copied()
    }

    /// An area.
    pub fn area(&self, area: u8) -> &Area {
        &self.areas[usize::from(area)]
    }

    /// A nation.
    pub fn nation(&self, nation: u8) -> &Nation {
        &self.nations[usize::from(nation)]
    }

    /// The nation of a land area.
    pub fn nation_of(&self, area: u8) -> u8 {
        self.area(area).nation
    }

    /// The area of an id.
    pub fn find_area(&self, id: &str) -> Option<u8> {
        self.areas.iter().position(|area| area.id == id).map(|at| at as u8)
    }

    /// The nation of an id.
    pub fn find_nation(&self, id: &str) -> Option<u8> {
        self.nations.iter().position(|nation| nation.id == id).map(|at| at as u8)
    }

    /// Whether an area is a sea or an ocean.
    pub const fn is_sea(area: u8) -> bool {
        area as usize >= LANDS && area != NONE
    }

    /// What it costs to enter an area by sea or by air. Rule 1.2.
    pub fn cost(&self, area: u8) -> u8 {
        1 + u8::from(self.oceans.has(area))
    }

    /// The neighbours of a set of areas in one of the adjacency tables.
    pub fn around(table: &[AreaSet], set: AreaSet) -> AreaSet {
        set.iter().fold(AreaSet::EMPTY, |all, area| all.or(table[usize::from(area)]))
    }
}

impl BorderKind {
    /// All types.
    pub const ALL: [Self; 8] = [
        Self::Plains,
        Self::River,
        Self::Forest,
        Self::Mountain,
        Self::Strait,
        Self::Coast,
        Self::Sea,
        Self::Ocean,
    ];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        ["plains", "river", "forest", "mountain", "strait", "coast", "sea", "ocean"][self as usize]
    }

    /// The type of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// How many Ground units may Engage or Disengage across it in a phase. Rule 11.52.
    pub const fn limit(self) -> u8 {
        match self {
            Self::Plains => 3,
            Self::River | Self::Forest => 2,
            Self::Mountain | Self::Strait | Self::Coast => 1,
            Self::Sea | Self::Ocean => 0,
        }
    }
}
