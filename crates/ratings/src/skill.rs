//! Weng-Lin ratings with an offset for the side.
//!
//! The update is that of Weng and Lin, "A Bayesian Approximation Method for Online Ranking" (2011), algorithm 1
//! (Bradley-Terry, full pairs), as the crate `skillratings` has it. It serves two players and three alike.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, expected_score_multi_team, weng_lin_multi_team};

/// What a rating is for: skill at one game does not carry over to another, nor from two players to three.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool {
    /// The id of the game.
    pub game: String,
    /// How many players took part.
    pub players: u8,
}

/// How well somebody plays, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The most likely skill; 25 for a newcomer.
    pub mu: f64,
    /// How unsure that is, as a standard deviation; 25/3 for a newcomer.
    pub sigma: f64,
}

impl Default for Rating {
    fn default() -> Self {
        let newcomer = WengLinRating::new();
        Self { mu: newcomer.rating, sigma: newcomer.uncertainty }
    }
}

impl Rating {
    /// What the player is worth almost certainly: three deviations below the most likely skill. Lists are sorted by it, so
    /// that a newcomer with one lucky win does not lead.
    ///
    /// ```
    /// assert!(ratings::Rating::default().at_least().abs() < 1e-9);
    /// ```
    pub fn at_least(self) -> f64 {
        3.0_f64.mul_add(-self.sigma, self.mu)
    }

    fn shifted(self, offset: f64) -> WengLinRating {
        WengLinRating { rating: self.mu + offset, uncertainty: self.sigma }
    }

    fn is_sound(self) -> bool {
        self.mu.is_finite() && self.mu.abs() <= 1_000.0 && self.sigma.is_finite() && self.sigma > 0.0
    }
}

/// One player of a finished match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entrant {
    /// The rating before the match.
    pub rating: Rating,
    /// What the side is worth in points of rating ([`side_offsets`]): who wins with the better side has shown less.
    pub offset: f64,
    /// The place in the result, 1 for the winner; equal places are a draw.
    pub place: u8,
    /// A bot whose rating is set by the ladder: it moves others and is not moved itself.
    pub anchored: bool,
}

impl Entrant {
    /// A person on a side without advantage.
    pub fn new(rating: Rating, place: u8) -> Self {
        Self { rating, offset: 0.0, place, anchored: false }
    }

    /// The same with the advantage of the side.
    #[must_use]
    pub fn with_offset(self, offset: f64) -> Self {
        Self { offset, ..self }
    }

    /// The same as a bot that was placed by the ladder.
    #[must_use]
    pub fn anchored(self) -> Self {
        Self { anchored: true, ..self }
    }
}

/// The ratings after a match, in the order of `entrants`.
///
/// With fewer than two players, or a stored rating that is not a usable number, nothing changes: a broken row must not spread
/// through everybody whom it meets.
pub fn rate(entrants: &[Entrant]) -> Vec<Rating> {
    let before: Vec<Rating> = entrants.iter().map(|entrant| entrant.rating).collect();
    if entrants.len() < 2
        || !entrants.iter().all(|entrant| entrant.rating.is_sound() && entrant.offset.is_finite())
    {
        return before;
    }
    let shifted: Vec<[WengLinRating; 1]> = entrants.iter().map(|e| [e.rating.shifted(e.offset)]).collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = shifted
        .iter()
        .zip(entrants)
        .map(|(team, entrant)| (team.as_slice(), MultiTeamOutcome::new(usize::from(entrant.place))))
        .collect();
    let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
    entrants
        .iter()
        .zip(after)
        .map(|(entrant, team)| match team.first() {
            Some(new) if !entrant.anchored => {
                Rating { mu: new.rating - entrant.offset, sigma: new.uncertainty }
            }
            _ => entrant.rating,
        })
        .collect()
}

/// The chance of each to win, as the ratings and sides have it; the sum is 1. Places are not looked at.
///
/// ```
/// use ratings::{Entrant, Rating, expected};
/// let equal = Entrant::new(Rating::default(), 1);
/// assert!((expected(&[equal, equal])[0] - 0.5).abs() < 1e-12);
/// assert!(expected(&[equal.with_offset(2.0), equal])[0] > 0.5);
/// ```
pub fn expected(entrants: &[Entrant]) -> Vec<f64> {
    let shifted: Vec<[WengLinRating; 1]> = entrants.iter().map(|e| [e.rating.shifted(e.offset)]).collect();
    let teams: Vec<&[WengLinRating]> = shifted.iter().map(<[WengLinRating; 1]>::as_slice).collect();
    expected_score_multi_team(&teams, &WengLinConfig::new())
}

/// What a side has scored, over all rated matches of a set-up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideRecord {
    /// Points: 1 for a win, a share for a draw; over all sides of a match the sum is 1.
    pub score: f64,
}

/// How many matches with equal sides are added to what was played: few results say little about a side.
const PRIOR_MATCHES: f64 = 20.0;

/// What each side is worth in points of rating, so that equal players with these offsets are expected to score as the sides
/// have. The sum is zero, so a set-up neither makes nor takes points.
///
/// ```
/// use ratings::{SideRecord, side_offsets};
/// let offsets = side_offsets(&[SideRecord { score: 600.0 }, SideRecord { score: 400.0 }]);
/// assert!(offsets[0] > 1.0 && (offsets[0] + offsets[1]).abs() < 1e-9);
/// ```
pub fn side_offsets(sides: &[SideRecord]) -> Vec<f64> {
    if sides.is_empty() {
        return Vec::new();
    }
    let count = sides.len() as f64;
    let played: f64 = sides.iter().map(|side| side.score.max(0.0)).sum();
    let strengths: Vec<f64> = sides
        .iter()
        .map(|side| ((side.score.max(0.0) + PRIOR_MATCHES / count) / (played + PRIOR_MATCHES)).ln())
        .collect();
    let mean = strengths.iter().sum::<f64>() / count;
    // The scale of the model for players whose skill is known.
    let scale = WengLinConfig::new().beta * 2.0_f64.sqrt();
    strengths.iter().map(|strength| (strength - mean) * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, published: f64) {
        assert!((found - published).abs() < 5e-7, "{found} is not {published}");
    }

    /// Algorithm 1 of the paper by hand, for newcomers: c² = 2β² + 2σ², p = 1/2.
    #[test]
    fn two_newcomers_move_as_the_paper_says() {
        let (sigma, beta) = (25.0_f64 / 3.0, 25.0_f64 / 6.0);
        let c = (2.0 * beta * beta + 2.0 * sigma * sigma).sqrt();
        let moved = sigma * sigma / c * 0.5;
        let kept = (sigma * sigma * (1.0 - (sigma / c).powi(3) * 0.25)).sqrt();
        let after = rate(&[Entrant::new(Rating::default(), 1), Entrant::new(Rating::default(), 2)]);
        near(after[0].mu, 25.0 + moved);
        near(after[1].mu, 25.0 - moved);
        near(after[0].sigma, kept);
        // The published figures of openskill for the same match (Bradley-Terry, full pairs).
        near(after[0].mu, 27.635_231_383_473_65);
        near(after[0].sigma, 8.065_506_316_323_548);
        near(after[1].mu, 22.364_768_616_526_35);
    }

    #[test]
    fn three_players_are_three_pairs() {
        let newcomer = Rating::default();
        let after = rate(&[Entrant::new(newcomer, 1), Entrant::new(newcomer, 2), Entrant::new(newcomer, 3)]);
        near(after[0].mu - 25.0, 2.0 * 2.635_231_383_473_65);
        near(after[1].mu, 25.0);
        near(after[2].mu - 25.0, -2.0 * 2.635_231_383_473_65);
    }

    #[test]
    fn a_win_with_the_better_side_earns_less_and_a_draw_with_it_costs() {
        let newcomer = Rating::default();
        let plain = rate(&[Entrant::new(newcomer, 1), Entrant::new(newcomer, 2)]);
        let eased =
            rate(&[Entrant::new(newcomer, 1).with_offset(1.5), Entrant::new(newcomer, 2).with_offset(-1.5)]);
        assert!(eased[0].mu > 25.0 && eased[0].mu < plain[0].mu);
        let drawn =
            rate(&[Entrant::new(newcomer, 1).with_offset(1.5), Entrant::new(newcomer, 1).with_offset(-1.5)]);
        assert!(drawn[0].mu < 25.0 && drawn[1].mu > 25.0);
    }

    #[test]
    fn a_bot_on_the_ladder_stays_where_it_is() {
        let bot = Rating { mu: 30.0, sigma: 0.8 };
        let after = rate(&[Entrant::new(Rating::default(), 1), Entrant::new(bot, 2).anchored()]);
        assert_eq!(after[1], bot);
        assert!(after[0].mu > 25.0);
    }

    #[test]
    fn a_broken_rating_spreads_to_nobody() {
        for broken in [f64::NAN, f64::INFINITY, 1e9] {
            let after = rate(&[
                Entrant::new(Rating { mu: broken, sigma: 1.0 }, 1),
                Entrant::new(Rating::default(), 2),
            ]);
            assert_eq!(after[1], Rating::default());
        }
        assert_eq!(rate(&[Entrant::new(Rating::default(), 1)]), [Rating::default()]);
    }

    #[test]
    fn offsets_give_back_the_shares_that_they_were_made_from() {
        let shares = [0.5, 0.3, 0.2];
        let offsets = side_offsets(&shares.map(|share| SideRecord { score: share * 1e9 }));
        let sure = Rating { mu: 25.0, sigma: 1e-6 };
        let chances = expected(&[0, 1, 2].map(|n: usize| Entrant::new(sure, 1).with_offset(offsets[n])));
        for (chance, share) in chances.iter().zip(shares) {
            assert!((chance - share).abs() < 1e-4, "{chance} {share}");
        }
        assert_eq!(side_offsets(&[SideRecord::default(); 2]), [0.0, 0.0]);
    }

    /// 1,000 matches between players of known strength (a fixed sequence of draws): the ratings find their order.
    #[test]
    fn ratings_find_the_order_of_players() {
        let strengths = [0.0, 3.0, 6.0, 9.0];
        let mut table = [Rating::default(); 4];
        let mut draw = 0.5_f64;
        for n in 0..1_000_usize {
            let (a, b) = (n % 4, (n + 1 + (n / 4) % 3) % 4);
            draw = (draw + 0.618_033_988_749_895).fract();
            let scale = 25.0 / 6.0 * 2.0_f64.sqrt();
            let wins = draw < 1.0 / (1.0 + ((strengths[b] - strengths[a]) / scale).exp());
            let (first, second) = if wins { (1, 2) } else { (2, 1) };
            let after = rate(&[Entrant::new(table[a], first), Entrant::new(table[b], second)]);
            (table[a], table[b]) = (after[0], after[1]);
        }
        assert!(table.windows(2).all(|pair| pair[0].mu < pair[1].mu), "{table:?}");
        assert!((table[3].mu - table[0].mu - 9.0).abs() < 3.0, "{table:?}");
    }
}
