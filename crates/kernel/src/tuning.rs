//! The search parameters of a game.

/// What the search needs to know about a game besides its rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Playouts per choice at the strongest level; the other levels use a share of it.
    pub playouts: u32,
    /// Playouts per decision in a review of normal depth.
    pub review: u32,
    /// A playout is cut off after this many turns and judged by [`Judgement::value`](crate::Judgement::value); `None` plays to
    /// the end.
    pub horizon: Option<u16>,
    /// How much the search explores choices that seem worse, in win chance.
    pub exploration: f32,
    /// How much the quick policy is trusted, from 0 to below 1. At 0 all choices start equal; otherwise the others must prove
    /// that they are better. Useful when playouts are few or the dice hide small differences.
    pub trust: f32,
    /// How much better than the policy's choice another one must seem, in win chance, before it is preferred. Where playouts
    /// end long before the game does, the policy knows more than they can tell.
    pub doubt: f32,
    /// Whether the searching seat plays the considered policy in playouts too, where that costs no more than the quick one.
    pub considered_playouts: bool,
    /// Whether the others are taken to play against the searching seat instead of for themselves, in games of three and more.
    pub paranoia: bool,
    /// How much of what a determinized position is worth at first glance, compared with the mean of such positions, is taken
    /// off its result, from 0 to 1. It takes luck out of what is guessed: whether the others hold good cards is the same for
    /// all choices.
    pub leveling: f32,
    /// Progressive widening: the number of choices considered grows with the square root of the visits, times this.
    pub widening: f32,
    /// The typical difference between choices, in win chance: the unit for the mistakes of weaker levels.
    pub stakes: f64,
    /// How much better by its evaluation a position must be to be e times as likely to win.
    pub spread: f32,
    /// The calibration `logit(p') = shift + slope · logit(p)` from search results to results of real games, fitted to games
    /// of the middle level: shift and slope.
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
            doubt: 0.0,
            considered_playouts: false,
            paranoia: false,
            leveling: 0.0,
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

    /// Calibrates a win chance found by the search.
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
