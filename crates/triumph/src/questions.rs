//! Answers without dice: Trade Routes, Supply Lines, VP, where a unit can go. Rules 11, 14, 16.1.

use kernel::{Answer, Chance};

use crate::areas::AreaSet;
use crate::economy::Points;
use crate::factions::{Faction, Power};
use crate::odds::{capitalized, title_at};
use crate::routes::Way;
use crate::rules::Rules;
use crate::set_up::CHITS;
use crate::state::{State, mark};
use crate::view::View;
use crate::world::Atlas;
use crate::year::TO_WIN;

impl Rules {
    fn area_name(&self, area: u8) -> &str {
        &self.atlas().area(area).name
    }

    fn area_names(&self, areas: impl IntoIterator<Item = u8>) -> String {
        let names: Vec<&str> = areas.into_iter().map(|area| self.area_name(area)).collect();
        names.join(", ")
    }

    /// A way and what would break it.
    fn way_facts(&self, way: &Way, pairs: &[[u8; 2]]) -> Vec<(&'static str, String)> {
        let route = match way.areas.as_slice() {
            [only] => format!("{} itself", self.area_name(*only)),
            areas => self.area_names(areas.iter().copied()),
        };
        let mut facts = vec![("by", route)];
        if way.areas.len() > 2 {
            let vital = match way.vital.as_slice() {
                [] => "no single area in between".to_owned(),
                areas => self.area_names(areas.iter().copied()),
            };
            facts.push(("broken by an Enemy in", vital));
        }
        if !pairs.is_empty() {
            let both =
                |[one, other]: &[u8; 2]| format!("{} and {}", self.area_name(*one), self.area_name(*other));
            let words: Vec<String> = pairs.iter().map(both).collect();
            facts.push(("broken by Enemies in both", words.join("; or ")));
        }
        facts
    }

    /// The Faction that a question about an area means: the viewer's own, if it fits.
    fn asked_for(view: &View, fits: impl Fn(Faction) -> bool) -> Option<Faction> {
        let own = Faction::ALL.into_iter().filter(|faction| view.knows(*faction));
        own.chain(Faction::ALL).find(|faction| fits(*faction))
    }

    /// Whether an area has a Trade Route. Rules 14.21 to 14.24.
    pub(crate) fn trade_answer(&self, view: &View, area: u8) -> Result<Answer, String> {
        let state = view.state();
        let info = self.atlas().area(area);
        let credited = |faction: Faction| self.credited(state, faction).has(area);
        let Some(faction) = Self::asked_for(view, credited) else {
            return Err(format!("{} counts for nobody", info.name));
        };
        let routes = self.trade_routes(state, faction);
        let now = self.blockade(&routes, area);
        let way = self.trade_way(state, faction, area);
        let words = |marked: u8| match marked {
            mark::NONE => "everything counts",
            mark::MED => "only round Africa: POP and red RES count, ordinary RES do not",
            _ => "no Trade Route: neither POP nor RES counts",
        };
        let mut facts =
            vec![("worth", format!("POP {}, RES {}, red RES {}", info.pop, info.res, info.red_res))];
        facts.push(("now", words(now).to_owned()));
        let summer = state.marks[usize::from(area)];
        if state.of(faction).at_war() {
            facts.push(("at the end of Summer", words(summer).to_owned()));
            facts.push(("at Production", words(summer.min(now)).to_owned()));
        } else {
            facts.push(("at peace", "routes do not matter yet".to_owned()));
        }
        match &way {
            Some(way) => facts.extend(self.way_facts(way, &self.trade_pairs(state, faction, way))),
            None => facts.push(("by", "no way".to_owned())),
        }
        let capital = self.area_name(self.atlas().factions[faction.index()].main_capital);
        let title = format!("{}: Trade Route from {} to {capital}", faction.title(), info.name);
        Ok(Answer { title, rule: "14.2", facts, results: Vec::new() })
    }

    /// Whether Ground units in an area have a Supply Line. Rule 14.11.
    pub(crate) fn supply_answer(&self, view: &View, area: u8) -> Result<Answer, String> {
        let state = view.state();
        let there = |faction: Faction| state.parties(area).has(faction) || state.controls(faction, area);
        let own = Faction::ALL.into_iter().find(|faction| view.knows(*faction));
        let Some(faction) = Self::asked_for(view, there).or(own) else {
            return Err(format!("nobody is in {}", self.area_name(area)));
        };
        let mut facts = Vec::new();
        let way = self.supply_way(state, faction, area);
        facts.push(("supplied", if way.is_some() { "yes" } else { "no" }.to_owned()));
        match &way {
            Some(way) => facts.extend(self.way_facts(way, &self.supply_pairs(state, faction, way))),
            None => {
                facts.push(("in each Supply Phase", "every Tank and Infantry here loses a step".to_owned()));
            }
        }
        if !state.of(faction).at_war() {
            facts.push(("at peace", "nobody needs supply yet".to_owned()));
        }
        let title = format!("{}: supply in {}", faction.title(), self.area_name(area));
        Ok(Answer { title, rule: "14.1", facts, results: Vec::new() })
    }

    // --- VP ------------------------------------------------------------------------------------------

    /// The parts of everybody's VP, and the chance that chits give a Rival enough. Rule 16.1.
    pub(crate) fn vp_answer(&self, view: &View) -> Answer {
        let state = view.state();
        let mut facts = Vec::new();
        let mut results = Vec::new();
        for faction in Faction::ALL {
            let known = view.knows(faction);
            let points = self.points(state, faction, true);
            facts.push((faction.title(), self.points_words(view, faction, points)));
            facts.push(("with two more factories", format!("{} VP", self.with_factories(state, faction))));
            if !known && view.counted(faction).chits > 0 {
                let short = TO_WIN - points.total();
                let title = format!("{} has {TO_WIN} VP now, by its chits", capitalized(faction.the()));
                results.push((title, self.chits_give(view, faction, short)));
            }
        }
        facts.push(("not counted for others", "atomic stages in their vaults".to_owned()));
        Answer { title: "Victory points".to_owned(), rule: "16.1", facts, results }
    }

    fn points_words(&self, view: &View, faction: Faction, points: Points) -> String {
        let tracks = self.tracks_blockaded(view.state(), faction);
        let least = if view.state().of(faction).at_war() {
            format!("IND {}, POP {}, RES {}", tracks.ind, tracks.pop, tracks.res)
        } else {
            format!("IND {}, POP {}", tracks.ind, tracks.pop)
        };
        let mut words = format!("production {} ({least})", points.level);
        let parts = [("atomic stages", points.atomic), ("capitals", points.capitals)];
        for (name, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
            words.push_str(&format!(", {name} {count}"));
        }
        if view.knows(faction) {
            words.push_str(&format!(", Peace Dividends {}", points.chits));
        } else {
            words.push_str(&format!(", {} hidden chits", view.counted(faction).chits));
        }
        if points.wars > 0 {
            words.push_str(&format!(", wars declared −{}", points.wars));
        }
        let known = if view.knows(faction) { "" } else { " without the chits" };
        format!("{} VP{known}: {words}", points.total())
    }

    /// The VP of a Faction if its IND were two higher and everything else the same.
    fn with_factories(&self, state: &State, faction: Faction) -> i16 {
        let mut after = *state;
        let own = after.of_mut(faction);
        own.ind = (own.ind + 2).min(crate::economy::MOST);
        self.points(&after, faction, true).total()
    }

    /// The exact chance that the hidden chits of a Faction are worth at least so much.
    fn chits_give(&self, view: &View, faction: Faction, least: i16) -> Chance {
        let mut pool = CHITS.map(u64::from);
        for own in &view.state().factions {
            for (left, count) in pool.iter_mut().zip(own.chits) {
                *left -= u64::from(count);
            }
        }
        let drawn = u64::from(view.counted(faction).chits);
        let choose = |n: u64, k: u64| (0..k).fold(1_u64, |ways, at| ways * n.saturating_sub(at) / (at + 1));
        let (mut enough, mut all) = (0, 0);
        for twos in 0..=drawn {
            for ones in 0..=drawn - twos {
                let ways =
                    choose(pool[2], twos) * choose(pool[1], ones) * choose(pool[0], drawn - twos - ones);
                all += ways;
                if (ones + 2 * twos) as i16 >= least {
                    enough += ways;
                }
            }
        }
        Chance::of(enough, all)
    }

    // --- reach ---------------------------------------------------------------------------------------

    /// Where a unit of the viewer can go. Rule 11.
    pub(crate) fn reach_answer(&self, view: &View, name: &str) -> Result<Answer, String> {
        let state = view.state();
        let unknown = || "name one of your units, such as reach germany infantry 3 berlin".to_owned();
        let block = usize::from(self.read_unit(state, name.trim()).ok_or_else(unknown)?);
        let owner = State::owner(block).filter(|owner| view.knows(*owner)).ok_or_else(unknown)?;
        let unit = &state.blocks[block];
        let stance = self.stance(state, owner);
        let reach = self.reach(state, &stance, block);
        let list = |areas: AreaSet| {
            if areas.is_empty() { "nowhere".to_owned() } else { self.area_names(areas) }
        };
        let mut facts = vec![("ends in", list(reach.ends))];
        let mut entries: Vec<(u8, u8)> = reach.entries().to_vec();
        entries.sort_unstable();
        for same in entries.chunk_by(|one, other| one.0 == other.0) {
            let from = self.area_names(same.iter().map(|(_, via)| *via));
            facts.push(("enters", format!("{} from {from}", self.area_name(same[0].0))));
        }
        let power = Power::of_block(block).map_or("", Power::adjective);
        let kind = title_at(unit.kind, Atlas::is_sea(unit.area));
        let title = format!("{power} {kind} {} in {}", unit.cv, self.area_name(unit.area));
        Ok(Answer { title, rule: "11", facts, results: Vec::new() })
    }
}
