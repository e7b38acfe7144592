//! Where a group on the march can come: every zone with the steps that lead there, as a chain of choices. Rules 10.5, 10.7.
//! For a group that has not rolled yet: where a full move would take it, as a chain that begins with the roll.
//!
//! The way is found by playing the steps on copies of the position, so it is right whatever the rules say. A step that
//! somebody else must answer, because a bridge may be blown, is the last of its chain.

use std::collections::{HashMap, HashSet};

use dday::{Activation, Choice, DDay, Stage, State, Units};
use kernel::{Discard, Game as _, Wording};
use terrain::Cell;
use web::chain::{AFTER_DICE, LINK};

/// A zone that can be reached in one manner: by steps, or in road mode.
#[derive(Clone, Debug)]
pub struct Way {
    /// The names of its choices, one after the other.
    pub chain: String,
    /// How many zones it is.
    pub steps: u8,
    /// The march ends there.
    pub ends: bool,
    /// An assault stays possible from there. Rule 12.2.
    pub fights: bool,
}

/// All that a group can reach.
#[derive(Debug, Default)]
pub struct Marches {
    at: Option<Cell>,
    fights: bool,
    by_step: HashMap<Cell, Way>,
    by_road: HashMap<Cell, Way>,
}

/// Longer chains than any march of the rules are not looked for.
const MOST_STEPS: u8 = 24;

impl Marches {
    /// What the group that marches now can reach; nothing where none does or the viewer is not asked.
    pub fn find(game: &DDay, s: &State, asked: bool) -> Self {
        let at = match s.stage {
            Stage::March | Stage::AdvanceMarch | Stage::Turning | Stage::LimitedGroup => {
                Some(game.rules().resting_zone(s))
            }
            _ => None,
        };
        let mut marches = Self { at: at.filter(|_| asked), ..Self::default() };
        if asked && s.stage == Stage::Group && game.rules().confirms() && !s.act.stopped {
            marches.planned(game, s);
        }
        if asked && matches!(s.stage, Stage::March | Stage::AdvanceMarch) {
            marches.search(game, s, String::new());
            marches.fights = s.stage == Stage::March && fights(game, s, s.act.from, s.act.group);
        }
        marches
    }

    /// What the group could reach with a full move. The chain rolls first; if the die allows less, the rest is dropped.
    fn planned(&mut self, game: &DDay, s: &State) {
        let mut ready = s.clone();
        game.apply(&mut ready, Choice::Roll, &mut Discard);
        let full = (1..=10).find_map(|face| {
            let mut after = ready.clone();
            game.apply(&mut after, Choice::Die(face), &mut Discard);
            let leader = s.act.group.first()?;
            (after.stage == Stage::March && after.unit(leader).result == Activation::Full).then_some(after)
        });
        if let Some(full) = full {
            self.search(game, &full, "roll".to_owned());
        }
    }

    /// Breadth first, so that the shortest way is found first; steps and road mode apart. `before` is what is chosen first.
    fn search(&mut self, game: &DDay, s: &State, before: String) {
        let mut level = vec![(s.clone(), before)];
        let (mut choices, home) = (Vec::new(), game.rules().resting_zone(s));
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
                    if zone == home || passed.contains(&(zone, road)) || settled {
                        continue;
                    }
                    let mut after = state.clone();
                    game.apply(&mut after, *choice, &mut Discard);
                    // At rest it may be asked which way it looks; that is no going on.
                    let goes_on = after.stage == s.stage && !after.act.stopped && after.act.steps > 0;
                    if known.is_some() && !goes_on {
                        continue;
                    }
                    let mut chain = chain.clone();
                    if !chain.is_empty() {
                        chain.push_str(if steps == 1 { AFTER_DICE } else { LINK });
                    }
                    game.write_name(state, *choice, &mut chain);
                    // A full zone may be passed, not chosen as an end from afar.
                    let full = after.stage == Stage::March
                        && game.rules().points(&after, zone) > game.rules().stack_limit;
                    if steps == 1 || !full {
                        let fights =
                            !road && s.stage == Stage::March && fights(game, &after, zone, s.act.group);
                        found.insert(zone, Way { chain: chain.clone(), steps, ends: !goes_on, fights });
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

    /// Whether an assault stays possible from where the group is.
    pub const fn fights_here(&self) -> bool {
        self.fights
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

/// Whether somebody of the marching group, which has come to a zone, could assault out of it.
fn fights(game: &DDay, s: &State, zone: Cell, group: Units) -> bool {
    game.rules().may_assault_from(s, zone, group)
}
