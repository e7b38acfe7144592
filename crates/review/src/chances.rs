//! Chances of all seats at once.

use bots::search::SEATS;
use bots::search::standard_error;
use kernel::Tuning;

/// A number for each seat; seats that the game does not have stay at 0.
pub type Chances = [f64; SEATS];

/// Adds what each seat gains, times a factor.
pub fn plus(chances: Chances, gain: Chances, factor: f64) -> Chances {
    std::array::from_fn(|seat| chances[seat] + factor * gain[seat])
}

/// What each seat gains from one to the other.
pub fn difference(from: Chances, to: Chances) -> Chances {
    std::array::from_fn(|seat| to[seat] - from[seat])
}

/// Rounding errors cut off.
pub fn within_bounds(chances: Chances) -> Chances {
    chances.map(|chance| chance.clamp(0.0, 1.0))
}

/// How much of a gain there is room for: the largest factor from 0 to 1 with which all seats stay between 0 and 1.
pub fn room_for(chances: Chances, gain: Chances) -> f64 {
    let mut factor: f64 = 1.0;
    for (chance, gain) in chances.into_iter().zip(gain) {
        let room = if gain > 0.0 { 1.0 - chance } else { chance };
        if gain != 0.0 {
            factor = factor.min((room / gain.abs()).max(0.0));
        }
    }
    factor
}

/// Makes chances as search finds them agree with what happens among good players, and their standard error with them.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    tuning: Tuning,
    seats: usize,
}

impl Scale {
    /// The scale of a game with so many seats.
    pub fn new(tuning: Tuning, seats: usize) -> Self {
        Self { tuning, seats: seats.min(SEATS) }
    }

    /// Chances that added up to one still do so.
    pub fn chances(&self, found: Chances) -> Chances {
        let mut scaled = [0.0; SEATS];
        for (scaled, found) in scaled.iter_mut().zip(found).take(self.seats) {
            *scaled = self.tuning.calibrated(found);
        }
        let (before, after): (f64, f64) = (found.iter().sum(), scaled.iter().sum());
        if self.seats > 1 && (before - 1.0).abs() < 1e-3 && after > 0.0 {
            scaled = scaled.map(|chance| chance / after);
        }
        scaled
    }

    /// The standard error of chances that were found by so many playouts: that of the seat of which least is known.
    pub fn error(&self, found: Chances, playouts: u32) -> f64 {
        let errors = found.into_iter().take(self.seats).map(|chance| self.error_of(chance, playouts));
        errors.fold(0.0, f64::max)
    }

    /// The standard error of one chance.
    pub fn error_of(&self, found: f64, playouts: u32) -> f64 {
        let error = standard_error(found, playouts);
        let (low, high) = ((found - error).max(0.0), (found + error).min(1.0));
        error * (self.tuning.calibrated(high) - self.tuning.calibrated(low)) / (high - low).max(f64::EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_what_keeps_all_seats_within_bounds() {
        assert_eq!(room_for([0.5, 0.5, 0.0], [0.2, -0.2, 0.0]), 1.0);
        assert!((room_for([0.9, 0.1, 0.0], [0.4, -0.4, 0.0]) - 0.25).abs() < 1e-12);
        assert_eq!(room_for([1.0, 0.0, 0.0], [0.4, -0.4, 0.0]), 0.0);
        assert!((room_for([0.2, 0.3, 0.5], [0.5, -0.6, 0.1]) - 0.5).abs() < 1e-12);
        let full = room_for([0.25, 0.0, 0.0], [3.0, 0.0, 0.0]);
        assert!((plus([0.25, 0.0, 0.0], [3.0, 0.0, 0.0], full)[0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn calibration_keeps_the_sum_of_chances() {
        let tuning = Tuning { calibration: (0.4, 1.3), ..Tuning::default() };
        let two = Scale::new(tuning, 2).chances([0.7, 0.3, 0.0]);
        assert!((two[0] + two[1] - 1.0).abs() < 1e-12 && two[0] > 0.7, "{two:?}");
        let one = Scale::new(tuning, 1).chances([0.5, 0.0, 0.0]);
        assert!(one[0] > 0.55 && one[1] == 0.0, "{one:?}");
        assert_eq!(Scale::new(tuning, 2).chances([1.0, 0.0, 0.0]), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn errors_shrink_with_playouts_and_never_vanish() {
        let scale = Scale::new(Tuning::default(), 2);
        assert!((scale.error([0.5, 0.5, 0.0], 100) - 0.05).abs() < 0.001);
        assert!(scale.error([0.5, 0.5, 0.0], 10_000) < 0.006);
        assert!(scale.error([1.0, 0.0, 0.0], 100) > 0.0);
    }
}
