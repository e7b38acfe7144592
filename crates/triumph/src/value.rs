//! The value of a position for the search: the chances of the three Factions, fitted to games of the quick policy.
//!
//! Every Faction has [`OMENS`], numbers that tell how well it stands. Weighted sums of them are compared as odds: a Faction
//! whose sum is one higher is e times as likely to win. A weight changes with the time that is left: chits and factories
//! matter early, VP late, and in the last seasons nothing else. `cargo run --release -p lab --example triumph_value` fits the weights anew.

use crate::areas::{AREAS, bits};
use crate::cards::{Card, Deck, Tech};
use crate::factions::{Faction, Parties, blocks_of};
use crate::rules::Rules;
use crate::state::{State, Verdict};
use crate::units::Kind;
use crate::value_weights::WEIGHTS;

/// How many omens there are.
pub const OMENS: usize = 24;
/// How many seasons a game has.
const SEASONS: f32 = 50.0;
/// How many VP factories can add in a year.
const GROWTH: f32 = 1.4;

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
        let [left, last] = Self::time_left(state);
        let sums = Faction::ALL.map(|faction| {
            let omens = self.omens(state, faction);
            let weighed = omens
                .iter()
                .zip(&WEIGHTS)
                .map(|(omen, [always, early, late])| omen * (always + early * left + late * last));
            weighed.sum::<f32>()
        });
        let most = sums.iter().copied().fold(f32::MIN, f32::max);
        let odds = sums.map(|sum| (sum - most).exp());
        let all: f32 = odds.iter().sum();
        factions.factions().map(|faction| odds[faction.index()]).sum::<f32>() / all
    }

    /// The share of the game that is still to come, and how near its end is: 1 in the last season.
    pub fn time_left(state: &State) -> [f32; 2] {
        let years = f32::from(45_u8.saturating_sub(state.year));
        let left = (5.0 * years + 4.0 - f32::from(state.part as u8)) / SEASONS;
        [left, (-12.0 * left).exp()]
    }

    /// What tells how well a Faction stands.
    pub fn omens(&self, state: &State, faction: Faction) -> [f32; OMENS] {
        let own = state.of(faction);
        let tracks = self.tracks(state, faction);
        let war = own.at_war();
        let flag = |is: bool| f32::from(u8::from(is));
        let stages = ((own.techs | own.secret_techs()) >> Tech::Atomic1 as u8).count_ones() as f32;
        let capitals = f32::from(self.rival_capitals(state, faction));
        let chits = f32::from(own.chits[1]) + 2.0 * f32::from(own.chits[2]);
        let points = f32::from(tracks.level) + stages + 2.0 * capitals + chits - own.declared.count() as f32;
        let limit = f32::from(if war { tracks.pop.min(tracks.res) } else { tracks.pop });
        let (ind, res) = (f32::from(tracks.ind), f32::from(tracks.res));
        let years = Self::time_left(state)[0] * SEASONS / 5.0;
        let room = (limit - ind).clamp(0.0, GROWTH * years);
        let enemies: f32 = own.enemies.factions().map(|enemy| f32::from(state.total_cv(enemy))).sum();
        let [main, others] = self.dangers(state, faction);
        let markers: u32 = state
            .nations
            .iter()
            .filter(|nation| nation.influencer == Some(faction))
            .map(|nation| u32::from(nation.markers))
            .sum();
        let usa = &state.nations[usize::from(self.atlas().usa)];
        let usa_markers = match usa.influencer {
            Some(Faction::West) => f32::from(usa.markers),
            Some(_) => -f32::from(usa.markers),
            None => 0.0,
        };
        let actions = own.hand_len(Deck::Action) as f32;
        let factories: u32 = bits(own.hand[1])
            .map(|index| u32::from(self.world.investment(Card::new(Deck::Investment, index)).factory))
            .sum();
        let raises = factories as f32 / f32::from(self.factory_cost(state, faction)).max(1.0);
        [
            flag(faction == Faction::Axis),
            flag(faction == Faction::West),
            flag(faction == Faction::Ussr),
            points,
            (points - 21.0).max(0.0),
            room,
            (ind - limit).clamp(0.0, 5.0),
            limit,
            flag(war),
            (res - ind).clamp(-6.0, 6.0),
            flag(war) * (res - f32::from(tracks.pop)).clamp(-6.0, 6.0),
            f32::from(state.total_cv(faction)) / 10.0,
            enemies / 10.0,
            main,
            others,
            actions.min(12.0) / 4.0,
            raises.min(3.0),
            stages,
            flag(stages >= 3.0),
            capitals,
            markers as f32 / 4.0,
            if faction == Faction::West { usa_markers } else { 0.0 },
            flag(own.fought),
            own.techs.count_ones() as f32 + own.vault_len() as f32 / 2.0,
        ]
    }

    /// How much the capitals are in danger: the main one, and the others together.
    fn dangers(&self, state: &State, faction: Faction) -> [f32; 2] {
        let home = &self.atlas().factions[faction.index()];
        let mut dangers = [0.0; 2];
        for &capital in &home.capitals {
            dangers[usize::from(capital != home.main_capital)] += self.danger(state, faction, capital);
        }
        dangers
    }

    /// How much a capital is in danger, from 0 to 1: Enemy steps that can reach it, against what stands there.
    fn danger(&self, state: &State, faction: Faction, capital: u8) -> f32 {
        let enemies = state.of(faction).enemies;
        if enemies.is_empty() || !state.controls(faction, capital) {
            return 0.0;
        }
        let steps = &self.atlas().steps[usize::from(capital) * AREAS..][..AREAS];
        let mut attackers = 0.0;
        for enemy in enemies.factions() {
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
        attackers / (attackers + 1.5 * defenders + 1.0)
    }
}
