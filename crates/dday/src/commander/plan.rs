//! The plan of a phase: ways to the objectives, where the enemy can strike, who goes where.

use terrain::{Cell, Field, NOWHERE, Octant};

use super::weights::Personality;
use crate::battalions::Mode;
use crate::rules::Rules;
use crate::scenario::{MAX_UNITS, Side};
use crate::state::{Stage, State};

/// No goal.
pub(crate) const NO_GOAL: u8 = u8::MAX;
/// So far that it is not worth going.
pub(crate) const UNREACHED: u16 = 9_999;

/// Costs of a step in quarters of an open one.
const ROAD: u16 = 3;
const OPEN: u16 = 4;
const ROUGH: u16 = 6;
const RIVER: u16 = 18;
const THROUGH_ENEMY: u16 = 5;

/// When a plan was made: turn, side, phase, night.
type When = (u8, Side, u8, bool);

/// How ways are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ways {
    /// Step by step, with roads, rivers and enemies.
    Charted,
    /// As the crow flies, for who has no time.
    Crow,
}

/// A plan, with its buffers.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    when: Option<When>,
    /// When the ways were charted: they hold for a whole player turn.
    charted: Option<(u8, Side, bool)>,
    field: Field,
    /// By key, then by zone: the cost of the way there.
    ways: Vec<Vec<u16>>,
    /// By zone: how hard the enemy can strike there.
    threat: Vec<u16>,
    /// By zone: the distance to the nearest enemy.
    enemy: Vec<u8>,
    /// By battalion: the key that it goes to.
    goals: [u8; MAX_UNITS],
    /// Whether the side must attack to win.
    pub attacks: bool,
    /// Whether nobody moves after this player turn: then nothing has to be guarded.
    pub last_word: bool,
    ways_by: Ways,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            when: None,
            charted: None,
            field: Field::new(),
            ways: Vec::new(),
            threat: Vec::new(),
            enemy: Vec::new(),
            goals: [NO_GOAL; MAX_UNITS],
            attacks: false,
            last_word: false,
            ways_by: Ways::Crow,
        }
    }
}

/// The phase that a stage belongs to, as far as planning goes.
const fn phase(stage: Stage) -> u8 {
    match stage {
        Stage::Movement
        | Stage::Group
        | Stage::March
        | Stage::Fallback
        | Stage::Turning
        | Stage::NightMoves
        | Stage::Demolition => 1,
        Stage::Engineering => 2,
        _ => 3,
    }
}

impl Plan {
    /// Makes the plan anew where the phase has changed.
    pub fn refresh(&mut self, rules: &Rules, s: &State, side: Side, weights: &Personality, ways: Ways) {
        let now = (s.turn, s.side, phase(s.stage), s.night);
        if self.when == Some(now) {
            return;
        }
        self.when = Some(now);
        self.attacks = must_attack(rules, s, side);
        self.last_word = s.turn == rules.scenario.turns && !s.night && s.side == side && s.first != side;
        self.chart_threats(rules, s, side);
        // In the other side's turn nobody of ours goes anywhere.
        let turn = (s.turn, s.side, s.night);
        if s.side == side && self.charted != Some(turn) {
            self.charted = Some(turn);
            self.ways_by = ways;
            match ways {
                Ways::Charted => self.chart_ways(rules, s, side),
                Ways::Crow => self.guess_ways(rules),
            }
            self.assign(rules, s, side, weights);
        }
    }

    /// The ways as the crow flies.
    fn guess_ways(&mut self, rules: &Rules) {
        let grid = rules.scenario.grid;
        self.ways.resize_with(rules.scenario.keys.len(), Vec::new);
        for (key, ways) in rules.scenario.keys.iter().zip(&mut self.ways) {
            ways.clear();
            ways.extend(grid.cells().map(|zone| u16::from(grid.distance(zone, key.zone)) * OPEN));
        }
    }

    /// The cost of the way from a zone to a key.
    #[inline]
    pub fn way(&self, key: u8, zone: Cell) -> u16 {
        self.ways.get(usize::from(key)).map_or(UNREACHED, |ways| ways[usize::from(zone)])
    }

    /// Whether a bridge from one zone to the next would bring somebody nearer to a key than the way round, or the ford.
    pub fn is_nearer_over(&self, key: u8, here: Cell, beyond: Cell) -> bool {
        let least = match self.ways_by {
            Ways::Charted => OPEN + RIVER / 2,
            Ways::Crow => OPEN,
        };
        self.way(key, here) >= self.way(key, beyond).saturating_add(least)
    }

    /// How hard the enemy can strike at a zone.
    #[inline]
    pub fn threat(&self, zone: Cell) -> i32 {
        self.threat[usize::from(zone)].into()
    }

    /// The distance to the nearest enemy.
    #[inline]
    pub fn enemy(&self, zone: Cell) -> u8 {
        self.enemy[usize::from(zone)]
    }

    /// The key that a battalion goes to.
    #[inline]
    pub fn goal(&self, unit: u8) -> u8 {
        self.goals[usize::from(unit)]
    }

    fn chart_threats(&mut self, rules: &Rules, s: &State, side: Side) {
        let grid = rules.scenario.grid;
        self.threat.clear();
        self.threat.resize(grid.len(), 0);
        self.enemy.clear();
        self.enemy.resize(grid.len(), u8::MAX);
        for unit in rules.armies[side.enemy().index()] {
            if !s.unit(unit).on_map() {
                continue;
            }
            let (at, troop) = (s.unit(unit).zone, rules.troop(unit));
            let reach = if troop.assaults { troop.moves.min(3) } else { 0 };
            for zone in grid.within(at, 5) {
                let far = grid.distance(at, zone);
                let nearest = &mut self.enemy[usize::from(zone)];
                *nearest = (*nearest).min(far);
                if troop.assaults && far <= reach + 1 {
                    self.threat[usize::from(zone)] += if far <= 1 { 3 } else { 4 - u16::from(far.min(3)) };
                }
            }
        }
    }

    /// The ways to every objective and supply point, for the side's own steps.
    fn chart_ways(&mut self, rules: &Rules, s: &State, side: Side) {
        let cells = rules.scenario.grid.len();
        let keys = &rules.scenario.keys;
        self.ways.resize_with(keys.len(), Vec::new);
        for (key, ways) in keys.iter().zip(&mut self.ways) {
            // From the goal outwards: a step is charged in the direction in which it will be gone, which costs the same.
            self.field.flood(cells, [(key.zone, 0)], UNREACHED, |here, reach| {
                for way in Octant::ALL {
                    let to = rules.near(here, way);
                    if to == NOWHERE || rules.lay(to).impassable {
                        continue;
                    }
                    let mut cost = if rules.is_road(s, here, way) {
                        ROAD
                    } else if rules.lay(here).rough || rules.lay(to).rough {
                        ROUGH
                    } else {
                        OPEN
                    };
                    if rules.is_unbridged(s, here, way) {
                        cost += RIVER;
                    }
                    if rules.lay(here).water {
                        cost += RIVER;
                    }
                    if rules.holds(s, here, side.enemy()) {
                        cost += THROUGH_ENEMY;
                    }
                    reach.to(to, cost);
                }
            });
            ways.clear();
            ways.extend((0..cells as Cell).map(|zone| self.field.distance(zone).unwrap_or(UNREACHED)));
        }
    }

    /// Gives every battalion a goal: what is worth most for the way there, spread over the objectives.
    fn assign(&mut self, rules: &Rules, s: &State, side: Side, weights: &Personality) {
        self.goals = [NO_GOAL; MAX_UNITS];
        let keys = &rules.scenario.keys;
        let mut sent = [0_i32; crate::scenario::MAX_KEYS];
        // Who stands on an objective that must be held stays with it.
        for unit in rules.armies[side.index()] {
            let battalion = s.unit(unit);
            if !battalion.on_map() || !rules.troop(unit).class.is_combat() {
                continue;
            }
            if let Some(key) = rules.key_at(battalion.zone)
                && sent[key] < self.wanted(rules, s, side, key, weights)
            {
                self.goals[usize::from(unit)] = key as u8;
                sent[key] += 1;
            }
        }
        for unit in rules.armies[side.index()] {
            let battalion = s.unit(unit);
            let troop = rules.troop(unit);
            if !battalion.on_map() || troop.is_hq() || self.goals[usize::from(unit)] != NO_GOAL {
                continue;
            }
            let fords = troop.fords() || troop.mode != Mode::Mechanized;
            let mut best = (0, NO_GOAL);
            for (key, info) in keys.iter().enumerate() {
                let held = rules.holder(s, key) == side;
                let wanted = self.wanted(rules, s, side, key, weights);
                if wanted == 0 {
                    continue;
                }
                let way = i32::from(self.ways[key][usize::from(battalion.zone)]) + i32::from(!fords) * 2;
                if way >= i32::from(UNREACHED) {
                    continue;
                }
                let worth = if held { 2 + 2 * i32::from(info.vp) } else { 3 + 4 * i32::from(info.vp) };
                let crowd = (sent[key] - wanted).max(0);
                let found = worth * 1000 / (way + 10) / (1 + crowd);
                if found > best.0 {
                    best = (found, key as u8);
                }
            }
            if best.1 != NO_GOAL {
                self.goals[usize::from(unit)] = best.1;
                sent[usize::from(best.1)] += 1;
            }
        }
    }

    /// How many battalions a key is worth now.
    fn wanted(&self, rules: &Rules, s: &State, side: Side, key: usize, weights: &Personality) -> i32 {
        let info = &rules.scenario.keys[key];
        let vp = i32::from(info.vp);
        let zone = info.zone;
        if rules.holder(s, key) == side {
            let near = self.enemy(zone);
            if self.last_word && self.attacks {
                return 0;
            }
            if vp == 0 {
                return i32::from(near <= 2 && info.supplies == Some(side));
            }
            // A side that must attack leaves as few behind as it dares.
            let guard = if self.attacks { weights.garrison / 2 } else { weights.garrison + vp / 2 };
            return match near {
                0..=2 => guard.max(1),
                3..=4 => 1 + guard / 2,
                // What was taken stays taken when everybody goes on (rule 16.3).
                _ => i32::from(!self.attacks),
            };
        }
        if self.attacks {
            if vp > 0 { 4 + vp } else { 1 }
        } else if vp > 0 {
            // The other side must come; what was lost is still worth a counterstroke.
            2 + vp / 2
        } else {
            0
        }
    }
}

/// Whether a side would lose or draw if the game ended as it stands.
fn must_attack(rules: &Rules, s: &State, side: Side) -> bool {
    let (vp, victory) = (rules.aggressor_vp(s), rules.scenario.victory);
    if side == rules.scenario.aggressor { vp < victory.aggressor_win } else { vp > victory.defender_win }
}
