//! POP, RES, IND, the level of Production, and VP. Rules 7.21, 14.23, 14.24, 16.1.

use crate::factions::Faction;
use crate::rules::Rules;
use crate::state::{State, mark};

/// The highest a track goes. Rule 1.4.
pub const MOST: u8 = 25;

/// The three tracks of a Faction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tracks {
    /// Population.
    pub pop: u8,
    /// Resources.
    pub res: u8,
    /// Industry.
    pub ind: u8,
    /// The level of Production.
    pub level: u8,
}

/// VP and what they are made of. Rule 16.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Points {
    /// Production.
    pub level: u8,
    /// Stages of Atomic Research.
    pub atomic: u8,
    /// Two for each capital of a Rival.
    pub capitals: u8,
    /// Peace Dividends.
    pub chits: u8,
    /// Wars declared.
    pub wars: u8,
}

impl Points {
    /// The sum.
    pub const fn total(self) -> i16 {
        (self.level + self.atomic + self.capitals + self.chits) as i16 - self.wars as i16
    }
}

impl Rules {
    /// The tracks of a Faction without any blockade.
    pub fn tracks(&self, state: &State, faction: Faction) -> Tracks {
        self.tracks_with(state, faction, false)
    }

    /// The tracks of a Faction at its Production: at war the lesser of Summer's marks and the present state counts.
    /// Rule 14.23.
    pub fn tracks_blockaded(&self, state: &State, faction: Faction) -> Tracks {
        self.tracks_with(state, faction, true)
    }

    fn tracks_with(&self, state: &State, faction: Faction, blockade: bool) -> Tracks {
        let at_war = state.of(faction).at_war();
        let routes = (blockade && at_war).then(|| self.trade_routes(state, faction));
        let (mut pop, mut res) = (0_u8, 0_u8);
        for area in self.credited(state, faction) {
            let info = self.atlas().area(area);
            if info.pop + info.res + info.red_res == 0 {
                continue;
            }
            let marked = routes
                .as_ref()
                .map_or(mark::NONE, |routes| state.marks[usize::from(area)].min(self.blockade(routes, area)));
            if marked == mark::FULL {
                continue;
            }
            pop += info.pop;
            res += info.red_res + if marked == mark::MED { 0 } else { info.res };
        }
        let ind = state.of(faction).ind;
        let (pop, res) = (pop.min(MOST), res.min(MOST));
        let capital = self.atlas().factions[faction.index()].main_capital;
        let level = match () {
            () if !state.controls(faction, capital) => 0,
            () if at_war => ind.min(pop).min(res),
            () => ind.min(pop),
        };
        Tracks { pop, res, ind, level }
    }

    /// The VP of a Faction, secrets included, with the blockade or without it. Rule 16.
    pub fn points(&self, state: &State, faction: Faction, blockade: bool) -> Points {
        let own = state.of(faction);
        let stages = |techs: u16| (techs >> crate::cards::Tech::Atomic1 as u8).count_ones() as u8;
        Points {
            level: self.tracks_with(state, faction, blockade).level,
            atomic: stages(own.techs | own.secret_techs()),
            capitals: 2 * self.rival_capitals(state, faction),
            chits: own.chits[1] + 2 * own.chits[2],
            wars: own.declared.count() as u8,
        }
    }

    /// The VP that everybody can count: without chits and what lies in the vault.
    pub fn public_points(&self, state: &State, faction: Faction) -> Points {
        let own = state.of(faction);
        let stages = (own.techs >> crate::cards::Tech::Atomic1 as u8).count_ones() as u8;
        Points { atomic: stages, chits: 0, ..self.points(state, faction, true) }
    }
}
