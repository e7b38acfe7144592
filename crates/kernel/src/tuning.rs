//! How a search thinks about a game: the few numbers that differ from game to game.

/// What a search has to know about a game besides its rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Playouts that the strongest level spends on a choice; the others take their share of it.
    pub playouts: u32,
    /// Playouts that a review of the usual quality spends for each decision of a match.
    pub review: u32,
    /// After so many turns a playout is cut off and judged at a glance; `None` plays to the end. For long games.
    pub horizon: Option<u16>,
    /// How much a search looks at choices that seem worse: in chances to win.
    pub exploration: f32,
    /// How far the quick policy is trusted, from 0 to below 1: with none, search looks at all choices alike; with some, others
    /// have to show that they are better. For games in which playouts are few or the dice drown differences.
    pub trust: f32,
    /// How fast further choices come into view at a position: their number grows with the square root of the visits, times
    /// this.
    pub widening: f32,
    /// By how much choices usually differ, in chances to win: the unit in which levels slip.
    pub stakes: f64,
    /// How much better by its evaluation a position must be to be e times as likely to win.
    pub spread: f32,
    /// What search finds and what happens among good players are related by `logit(p') = shift + slope · logit(p)`: the
    /// shift and the slope, fitted to games of the middle level.
    pub calibration: (f64, f64),
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            playouts: 20_000,
            review: 40_000,
            horizon: None,
            exploration: 0.6,
            trust: 0.0,
            widening: 2.0,
            stakes: 0.02,
            spread: 5_000.0,
            calibration: (0.0, 1.0),
        }
    }
}

impl Tuning {
    /// The chance to win that an evaluation stands for: a position that is `spread` better is e times as likely to win as
    /// to lose.
    #[inline]
    pub fn chance(&self, evaluation: i32) -> f32 {
        1.0 / (1.0 + (-evaluation as f32 / self.spread).exp())
    }

    /// A chance as search finds it, made to agree with what happens among good players.
    pub fn calibrated(&self, chance: f64) -> f64 {
        if chance <= 0.0 || chance >= 1.0 {
            return chance.clamp(0.0, 1.0);
        }
        let (shift, slope) = self.calibration;
        let logit = shift + slope * (chance / (1.0 - chance)).ln();
        1.0 / (1.0 + (-logit).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_things_stay_certain_and_order_is_kept() {
        let tuning = Tuning { calibration: (0.3, 1.2), ..Tuning::default() };
        assert_eq!((tuning.calibrated(0.0), tuning.calibrated(1.0)), (0.0, 1.0));
        let steps: Vec<f64> = (0..=100).map(|p| tuning.calibrated(f64::from(p) / 100.0)).collect();
        assert!(steps.is_sorted());
        assert!((Tuning::default().calibrated(0.37) - 0.37).abs() < 1e-12);
    }

    #[test]
    fn an_even_position_is_even() {
        let tuning = Tuning::default();
        assert_eq!(tuning.chance(0), 0.5);
        assert!((tuning.chance(5_000) / tuning.chance(-5_000) - std::f32::consts::E).abs() < 1e-4);
        assert!(tuning.chance(i32::MAX) <= 1.0 && tuning.chance(i32::MIN + 1) >= 0.0);
    }
}
