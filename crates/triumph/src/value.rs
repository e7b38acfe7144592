//! The value of a position for the search: forecasts of the three scores, and what each is worth against the others.

use crate::areas::AREAS;
use crate::factions::{Faction, Parties, blocks_of};
use crate::rules::Rules;
use crate::state::{State, Verdict};
use crate::units::Kind;

/// What a step of strength adds to the forecast.
const STEP: f32 = 0.07;
/// What a chance to raise a bottleneck adds, for each point and year to come.
const GROWTH: f32 = 0.45;
/// How far apart forecasts must be to be e times as likely to win: at the end, and for every year before it.
const SPREAD: (f32, f32) = (0.9, 0.35);
/// What a capital in danger takes from a forecast, at most.
const DANGER: f32 = 2.5;

impl Rules {
    /// The chance of some Factions to win, from 0 to 1; the three add up to one.
    pub(crate) fn chance_of(&self, state: &State, factions: Parties) -> f32 {
        if let Some(verdict) = state.verdict {
            let (winners, count) = match verdict {
                Verdict::Economic(faction)
                | Verdict::Military(faction)
                | Verdict::Atomic(faction)
                | Verdict::Hegemony(faction) => (Parties::one(faction), 1.0),
                Verdict::Shared(parties) => (parties, parties.count() as f32),
            };
            return winners.common(factions).count() as f32 / count;
        }
        let years = f32::from(45_u8.saturating_sub(state.year));
        let spread = SPREAD.0 + SPREAD.1 * years;
        let forecasts = Faction::ALL.map(|faction| self.forecast(state, faction, years));
        let most = forecasts.iter().copied().fold(f32::MIN, f32::max);
        let weights = forecasts.map(|forecast| ((forecast - most) / spread).exp());
        let all: f32 = weights.iter().sum();
        factions.factions().map(|faction| weights[faction.index()]).sum::<f32>() / all
    }

    /// The VP of a Faction at the end, as far as can be seen now.
    fn forecast(&self, state: &State, faction: Faction, years: f32) -> f32 {
        let own = state.of(faction);
        let tracks = self.tracks(state, faction);
        let points = self.points_of(state, faction, tracks.level);
        let limit = if own.at_war() { tracks.pop.min(tracks.res) } else { tracks.pop };
        let room = f32::from(limit.saturating_sub(tracks.ind)).min(1.4 * years);
        let idle = f32::from(tracks.ind.saturating_sub(limit)).min(3.0) * 0.25;
        let chits = if own.at_war() { 0.0 } else { 0.45 * years };
        let army = STEP * f32::from(state.total_cv(faction));
        let mut value = f32::from(points) + GROWTH * room + idle + chits + army;
        for &capital in &self.atlas().factions[faction.index()].capitals {
            value -= self.danger(state, faction, capital);
        }
        // The nearer to a victory at the next check, the better.
        if points >= 22 {
            value += 0.8 * f32::from(points - 21);
        }
        value
    }

    /// VP without blockade, from the level of Production.
    fn points_of(&self, state: &State, faction: Faction, level: u8) -> i16 {
        let own = state.of(faction);
        let stages =
            ((own.techs | own.secret_techs()) >> crate::cards::Tech::Atomic1 as u8).count_ones() as i16;
        i16::from(level)
            + stages
            + 2 * i16::from(self.rival_capitals(state, faction))
            + i16::from(own.chits[1])
            + 2 * i16::from(own.chits[2])
            - own.declared.count() as i16
    }

    /// How much a capital is in danger: Enemy steps that can reach it, against what stands there.
    fn danger(&self, state: &State, faction: Faction, capital: u8) -> f32 {
        if !state.controls(faction, capital) {
            return 0.0;
        }
        let steps = &self.atlas().steps[usize::from(capital) * AREAS..][..AREAS];
        let mut attackers = 0.0;
        for enemy in state.of(faction).enemies.factions() {
            for block in &state.blocks[blocks_of(enemy)] {
                if block.on_map() && block.kind != Kind::Fortress {
                    attackers += match steps[usize::from(block.area)] {
                        0 => 1.0,
                        1 => 0.6,
                        2 => 0.25,
                        _ => 0.0,
                    } * f32::from(block.cv);
                }
            }
        }
        if attackers == 0.0 {
            return 0.0;
        }
        let defenders: f32 = state.own_at(faction, capital).map(|(_, block)| f32::from(block.cv)).sum();
        DANGER * attackers / (attackers + 1.5 * defenders + 1.0)
    }
}
