//! The value of a position for search and reviews: what is held, what is in reach, what was lost.

use terrain::Cell;

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, State, Verdict};

/// What a battalion counts for at an objective by its distance in zones; farther ones count for nothing.
const REACH: [f32; 10] = [1.0, 0.85, 0.65, 0.48, 0.35, 0.26, 0.19, 0.14, 0.1, 0.07];

/// What counts how much towards the aggressor's chance, by the turns after this one: what is held, what is in reach, and what
/// was spent.
const WEIGHTS: [[f32; 3]; 9] = [
    [4.7, 5.5, 1.5],
    [3.0, 5.5, 2.0],
    [2.6, 5.0, 2.2],
    [2.1, 4.7, 2.6],
    [1.9, 4.5, 2.8],
    [1.4, 3.8, 2.8],
    [1.2, 3.5, 2.8],
    [1.0, 3.2, 2.8],
    [0.5, 2.2, 3.0],
];

/// What can be seen of a position, as the aggressor's lead in each respect, from about -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Victory points held, against the middle between the two aims.
    pub held: f32,
    /// Victory points in reach: each objective shared out by the strength near it.
    pub reach: f32,
    /// What the enemy has spent of the losses that break it, less what was spent of one's own.
    pub spent: f32,
    /// The share of all strength on both sides.
    pub strength: f32,
}

impl Verdict {
    /// Whether the aggressor has won; `None` for a draw.
    pub const fn won_by_aggressor(self) -> Option<bool> {
        match self {
            Self::AggressorBreak | Self::AggressorSudden | Self::AggressorPoints => Some(true),
            Self::DefenderBreak | Self::DefenderPoints => Some(false),
            Self::DrawPoints | Self::DrawBroken => None,
        }
    }
}

impl Rules {
    /// Looks at a position.
    pub fn judgement(&self, s: &State) -> Judgement {
        let scenario = &*self.scenario;
        let (aggressor, victory) = (scenario.aggressor, scenario.victory);
        let all: f32 = scenario.keys.iter().map(|key| f32::from(key.vp)).sum();
        let all = all.max(1.0);
        let middle = f32::from(victory.aggressor_win) + f32::from(victory.defender_win);
        let mut near = [0.0; 2];
        let mut strength = [0.0; 2];
        let mut reach = 0.0;
        let mut held = 0.0;
        for side in Side::ALL {
            for unit in self.armies[side.index()] {
                let zone = s.unit(unit).zone;
                if zone < LOST {
                    strength[side.index()] += f32::from(self.troop(unit).worth);
                }
            }
        }
        for (at, key) in scenario.keys.iter().enumerate().filter(|(_, key)| key.vp > 0) {
            let vp = f32::from(key.vp);
            held += if self.holder(s, at) == aggressor { vp } else { 0.0 };
            near.fill(0.0);
            for side in Side::ALL {
                for unit in self.armies[side.index()] {
                    let standing = s.unit(unit);
                    if standing.on_map() {
                        near[side.index()] +=
                            self.weight_at(standing.zone, key.zone) * f32::from(self.troop(unit).worth);
                    }
                }
            }
            let ours = near[aggressor.index()];
            reach += vp * (ours + 0.1) / (ours + near[aggressor.enemy().index()] + 0.2);
        }
        let spent = |side: Side| {
            f32::from(s.tally[side.index()]) / f32::from(scenario.sides[side.index()].break_at).max(1.0)
        };
        let [ours, theirs] = [aggressor, aggressor.enemy()].map(|side| strength[side.index()]);
        Judgement {
            held: (2.0 * held - middle) / all,
            reach: (2.0 * reach - middle) / all,
            spent: spent(aggressor.enemy()) - spent(aggressor),
            strength: (ours - theirs) / (ours + theirs).max(1.0),
        }
    }

    fn weight_at(&self, from: Cell, to: Cell) -> f32 {
        let far = usize::from(self.scenario.grid.distance(from, to));
        REACH.get(far).copied().unwrap_or_default()
    }

    /// The estimated win chance of a side.
    pub fn win_chance(&self, s: &State, side: Side) -> f32 {
        let aggressor = match s.verdict.map(Verdict::won_by_aggressor) {
            Some(Some(true)) => 1.0,
            Some(Some(false)) => 0.0,
            Some(None) => 0.5,
            None => 1.0 / (1.0 + (-self.prospect(s)).exp()),
        };
        if side == self.scenario.aggressor { aggressor } else { 1.0 - aggressor }
    }

    /// The logit of the aggressor's chance: fitted to 3,200 games of the quick policy over eight scenarios.
    fn prospect(&self, s: &State) -> f32 {
        let seen = self.judgement(s);
        let left = usize::from(self.scenario.turns.saturating_sub(s.turn));
        let [held, reach, spent] = WEIGHTS[left.min(WEIGHTS.len() - 1)];
        seen.held * held + (seen.reach - self.opening_reach) * reach + seen.spent * spent
    }
}
