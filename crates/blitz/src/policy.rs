//! The quick player, and how good a position is. Rule 13.1.

use crate::choice::Choice;
use crate::layout::{Effect, bits};
use crate::rules::{BACKFIRE, Closing, Rules, Unit};
use crate::state::State;
use crate::units::{Ability, Kind, Side};

/// What a victory point is worth to the quick player.
const POINT: f32 = 1.6;

/// What an effect is worth to the quick player, besides points and tracks.
fn effect_value(effect: Effect) -> f32 {
    match effect {
        Effect::Production | Effect::Bombing => 1.0,
        Effect::ImprovedProduction => 1.8,
        Effect::Research => 0.9,
        Effect::ImprovedResearch => 1.7,
        Effect::ResearchIndustry => 1.6,
        Effect::None | Effect::Tactical | Effect::Strategic | Effect::Propaganda => 0.0,
    }
}

impl Rules {
    /// What a theatre promises a side at a lead: from all of its weight to the same against it.
    fn standing(&self, state: &State, theatre: u8, lead: i8) -> f32 {
        let place = self.theatre(theatre);
        let active = usize::from(state.active[usize::from(theatre)]);
        let unfinished: u8 = place.campaigns[active.min(place.campaigns.len())..].iter().map(|c| c.vp).sum();
        let weight = 0.55 * f32::from(unfinished) + 0.25 * f32::from(self.active_vp(state, theatre));
        (f32::from(lead) / (0.55 * f32::from(place.track_end))).clamp(-1.0, 1.0) * weight
    }

    fn gain(&self, state: &State, side: Side, theatre: u8, by: i8, end: i8) -> f32 {
        let lead = state.lead(theatre, side);
        self.standing(state, theatre, (lead + by).clamp(-end, end)) - self.standing(state, theatre, lead)
    }

    /// The other open theatres.
    fn others(&self, state: &State, theatre: u8) -> impl Iterator<Item = u8> {
        bits(u64::from(state.open & !(1 << theatre)))
    }

    /// The best that a strategic advantage of `n` could do elsewhere.
    fn strategic_value(&self, state: &State, side: Side, here: u8, n: i8) -> f32 {
        let gains =
            self.others(state, here).map(|at| self.gain(state, side, at, n, self.theatre(at).track_end - 1));
        gains.fold(0.0, f32::max)
    }

    /// How much a placement promises.
    fn promise(&self, state: &State, side: Side, unit: Unit, space: u8) -> f32 {
        let place = self.space(space);
        let at = place.theatre;
        let theatre = self.theatre(at);
        let preview = self.preview(state, side, unit, space);
        let [mine, theirs] = [side, side.enemy()].map(|of| f32::from(preview.vp[of.index()]));
        let mut value = POINT * (mine - theirs) + effect_value(preview.effect);
        if preview.effect == Effect::Strategic {
            value += self.strategic_value(state, side, at, place.n as i8);
        }
        if unit.ability == Ability::Bombing {
            value += 1.0;
        }
        let (before, after) = (preview.from * side.sign(), preview.to * side.sign());
        value -= self.standing(state, at, before);
        // What a closed theatre promised is settled: its points are counted above.
        if preview.closing == Closing::No {
            value += self.standing(state, at, after);
        }
        if unit.ability == Ability::Nuclear {
            for other in self.others(state, at) {
                value += self.gain(state, side, other, -BACKFIRE, self.theatre(other).track_end - 1);
            }
        }
        if unit.ability == Ability::Blitz {
            value += if state.hands[side.index()].len() > 1 { 0.8 } else { -0.5 };
        }
        let left = theatre.campaigns[usize::from(place.campaign)].mask & !state.occupied & !(1 << space);
        if left.count_ones() == 1 {
            value -= 0.7 * f32::from((3 - after).max(0));
        }
        value - 0.25 * f32::from(preview.strength.min(5))
    }

    /// The choice that promises most at once: an index into `choices`.
    pub fn quick_choice(&self, state: &State, choices: &[Choice]) -> usize {
        let side = state.side;
        let value = |choice: Choice| match choice {
            Choice::Place { kind, space } => match self.played(state, side, kind) {
                Some(unit) => self.promise(state, side, unit, space),
                None => f32::MIN,
            },
            Choice::Strategic(theatre) => {
                let end = self.theatre(theatre).track_end - 1;
                self.gain(state, side, theatre, state.placing.left as i8, end)
            }
            Choice::Bomb(kind) => f32::from(Self::printed(kind)),
            Choice::BombAt(place) => {
                let row = state.hands[side.enemy().index()].as_slice();
                row.get(usize::from(place)).map_or(f32::MIN, |kind| f32::from(Self::printed(*kind)))
            }
            Choice::Open(theatre) => {
                let city = self.theatre(theatre);
                let vp = city.campaigns.first().map_or(0, |campaign| campaign.vp);
                f32::from(vp) / 100.0 - f32::from(city.modifier)
            }
            // A theatre for the bot: where it matters least to the human.
            Choice::Theatre(theatre) => {
                self.gain(state, Side::Second, theatre, -2, self.theatre(theatre).track_end - 1)
            }
            _ => 0.0,
        };
        let mut best = (f32::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let worth = value(choice);
            if worth > best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    fn printed(kind: Kind) -> i8 {
        kind.info().strength
    }

    /// How good a position is for a side, in thousandths of a point.
    pub fn evaluate(&self, state: &State, side: Side) -> i32 {
        if let Some(verdict) = state.verdict {
            return if verdict.winner() == side { 100_000 } else { -100_000 };
        }
        let [mine, theirs] = [side, side.enemy()].map(|of| {
            let tokens = state.hands[of.index()].len() as f32;
            POINT * f32::from(state.vp[of.index()]) + tokens.min(6.0)
        });
        let standing: f32 = bits(u64::from(state.open))
            .map(|theatre| self.standing(state, theatre, state.lead(theatre, side)))
            .sum();
        ((mine - theirs + standing) * 1_000.0) as i32
    }
}
