//! Where a group on the march can come: every zone with the steps that lead there, as a chain of choices. Rules 10.5, 10.7.
//!
//! The way is found by playing the steps on copies of the position, so it is right whatever the rules say. A step that
//! somebody else must answer, because a bridge may be blown, is the last of its chain.

use std::collections::{HashMap, HashSet};

use dday::{Choice, DDay, Stage, State};
use kernel::{Discard, Game as _, Wording};
use terrain::Cell;

/// A zone that can be reached in one manner: by steps, or in road mode.
#[derive(Clone, Debug)]
pub struct Way {
    /// The names of its choices, one after the other.
    pub chain: String,
    /// How many zones it is.
    pub steps: u8,
    /// The march ends there.
    pub ends: bool,
}

/// All that a group can reach.
#[derive(Debug, Default)]
pub struct Marches {
    at: Option<Cell>,
    by_step: HashMap<Cell, Way>,
    by_road: HashMap<Cell, Way>,
}

/// Longer chains than any march of the rules are not looked for.
const MOST_STEPS: u8 = 24;

impl Marches {
    /// What the group that marches now can reach; nothing where none does or the viewer is not asked.
    pub fn find(game: &DDay, s: &State, asked: bool) -> Self {
        let at = match s.stage {
            Stage::March => Some(s.act.from),
            Stage::AdvanceMarch => Some(s.unit(s.act.foe).zone),
            Stage::Turning | Stage::LimitedGroup => Some(resting(s)),
            _ => None,
        };
        let mut marches = Self { at: at.filter(|_| asked), ..Self::default() };
        if asked && matches!(s.stage, Stage::March | Stage::AdvanceMarch) {
            marches.search(game, s);
        }
        marches
    }

    /// Breadth first, so that the shortest way is found first; steps and road mode apart.
    fn search(&mut self, game: &DDay, s: &State) {
        let mut level = vec![(s.clone(), String::new())];
        let mut choices = Vec::new();
        // Zones that were gone on from, by the manner: once each.
        let mut passed: HashSet<(Cell, bool)> = HashSet::new();
        for steps in 1..=MOST_STEPS {
            let mut next = Vec::new();
            for (state, chain) in &level {
                choices.clear();
                game.choices(state, &mut choices);
                for choice in &choices {
                    let (zone, road, found) = match *choice {
                        Choice::Step(zone) => (zone, false, &mut self.by_step),
                        Choice::Road(zone) => (zone, true, &mut self.by_road),
                        _ => continue,
                    };
                    // A way that ends there is bettered by one of the same length that does not.
                    let known = found.get(&zone);
                    let settled = known.is_some_and(|known| known.steps < steps && steps > 1);
                    if Some(zone) == self.at || passed.contains(&(zone, road)) || settled {
                        continue;
                    }
                    let mut after = state.clone();
                    game.apply(&mut after, *choice, &mut Discard);
                    let goes_on = after.stage == s.stage && !after.act.stopped && after.act.steps > 0;
                    if known.is_some() && !goes_on {
                        continue;
                    }
                    let mut chain = chain.clone();
                    if !chain.is_empty() {
                        chain.push_str(" > ");
                    }
                    game.write_name(state, *choice, &mut chain);
                    // A full zone may be passed, not chosen as an end from afar.
                    let full = after.stage == Stage::March
                        && game.rules().points(&after, zone) > game.rules().stack_limit;
                    if steps == 1 || !full {
                        found.insert(zone, Way { chain: chain.clone(), steps, ends: !goes_on });
                    }
                    if goes_on {
                        passed.insert((zone, road));
                        next.push((after, chain));
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
    }

    /// Where the group is.
    pub const fn at(&self) -> Option<Cell> {
        self.at
    }

    /// The way to a zone by steps.
    pub fn step(&self, zone: Cell) -> Option<&Way> {
        self.by_step.get(&zone)
    }

    /// The way to a zone in road mode.
    pub fn road(&self, zone: Cell) -> Option<&Way> {
        self.by_road.get(&zone)
    }

    /// All zones that can be reached.
    pub fn zones(&self) -> impl Iterator<Item = Cell> + '_ {
        let by_road = self.by_road.keys().filter(|zone| !self.by_step.contains_key(zone));
        self.by_step.keys().chain(by_road).copied()
    }

    /// The names for a zone that can be reached: by steps, else in road mode.
    pub fn names(&self, zone: Cell) -> Option<String> {
        self.step(zone).or_else(|| self.road(zone)).map(|way| way.chain.clone())
    }
}

/// The zone whose facing is being chosen.
const fn resting(s: &State) -> Cell {
    match s.stage {
        Stage::LimitedGroup => s.act.to,
        _ => s.act.from,
    }
}
