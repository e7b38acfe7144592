//! Elo from results: how strong each contender is, and how sure that is.
//!
//! The model is Bradley's and Terry's: a contender that is `d` Elo stronger makes `1 / (1 + 10^(-d/400))` of the points, and a
//! draw is half a win. The strengths are those under which the results were most likely. To that every two contenders get
//! one game more that never was, half won and half lost, so that whoever has won everything still has a finite rating.
//!
//! How sure that is follows from the rounds, not from the games (the "sandwich" of the information and the spread that was
//! seen). The games of a round share their dice and differ only in who sits where: where a seat or luck decides, a round is
//! one to one, again and again, and tells more than its games would one by one; where games are drawn it tells more, too. The
//! information alone would take each game for a coin of its own, and a resampling of rounds knows nothing of what a few of
//! them did not show. So to the rounds that were seen a few are added whose games were such coins: with few rounds the
//! intervals are about those of the information, with many the rounds speak.

use super::Duel;

/// Elo for a natural logarithm of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Standard deviations to either side that make 95 %.
const SIDE: f64 = 1.959_964;
/// Games that never were, between every two contenders.
const PRIOR: f64 = 1.0;
/// Rounds of independent games by which the spread of the rounds is steadied.
const STEADYING: f64 = 4.0;
/// The farthest that a strength is moved at a time: the curve is only known nearby.
const STRIDE: f64 = 1.0;

/// The strengths of all contenders in Elo.
#[derive(Clone, Debug)]
pub struct Ratings {
    elo: Vec<f64>,
    /// How they vary together, in squares of Elo.
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The strengths under which the results were most likely. The anchor has Elo 0 by definition; without one the mean has.
    pub fn of(contenders: usize, duels: &[Duel], anchor: Option<usize>) -> Self {
        let strengths = most_likely(contenders, duels);
        let covariance = spread(contenders, duels, &strengths);
        let zero = anchor.map_or_else(
            || strengths.iter().sum::<f64>() / contenders.max(1) as f64,
            |anchor| strengths[anchor],
        );
        let relative = |i: usize, j: usize| match anchor {
            Some(a) => covariance[i][j] - covariance[i][a] - covariance[a][j] + covariance[a][a],
            None => covariance[i][j],
        };
        let row = |i| (0..contenders).map(|j| relative(i, j) * ELO * ELO).collect();
        Self {
            elo: strengths.iter().map(|strength| (strength - zero) * ELO).collect(),
            covariance: (0..contenders).map(row).collect(),
        }
    }

    /// The rating of a contender.
    pub fn elo(&self, contender: usize) -> f64 {
        self.elo[contender]
    }

    /// Half the width of the 95 % interval of a rating.
    pub fn error(&self, contender: usize) -> f64 {
        SIDE * self.covariance[contender][contender].max(0.0).sqrt()
    }

    /// How likely it is that one contender is stronger than another.
    pub fn stronger(&self, one: usize, other: usize) -> f64 {
        let c = &self.covariance;
        let variance = c[one][one] + c[other][other] - c[one][other] - c[other][one];
        let lead = self.elo[one] - self.elo[other];
        if variance > 0.0 { normal(lead / variance.sqrt()) } else { 0.5 }
    }
}

/// The share of the points that a difference of strength promises.
fn share(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Newton's way to the most likely strengths, whose sum is 0.
fn most_likely(contenders: usize, duels: &[Duel]) -> Vec<f64> {
    let mut strengths = vec![0.0; contenders];
    for _ in 0..1_000 {
        let mut slope = vec![0.0; contenders];
        for duel in duels {
            let games = duel.games() as f64;
            let p = share(strengths[duel.first] - strengths[duel.second]);
            let more = duel.score() * games + PRIOR / 2.0 - (games + PRIOR) * p;
            slope[duel.first] += more;
            slope[duel.second] -= more;
        }
        let inverse = inverse(information(contenders, duels, &strengths));
        let mut farthest: f64 = 0.0;
        for (strength, row) in strengths.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            let step = step.clamp(-STRIDE, STRIDE);
            *strength += step;
            farthest = farthest.max(step.abs());
        }
        if farthest < 1e-10 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / contenders.max(1) as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

/// The information that the results hold about the strengths. Only differences count, so the sum is held by a term of its own.
fn information(contenders: usize, duels: &[Duel], strengths: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![1.0; contenders]; contenders];
    for duel in duels {
        let p = share(strengths[duel.first] - strengths[duel.second]);
        add_between(&mut matrix, duel, (duel.games() as f64 + PRIOR) * p * (1.0 - p));
    }
    matrix
}

/// How the strengths vary: the spread of the rounds between two faces of the information.
fn spread(contenders: usize, duels: &[Duel], strengths: &[f64]) -> Vec<Vec<f64>> {
    let mut seen = vec![vec![0.0; contenders]; contenders];
    for duel in duels {
        let p = share(strengths[duel.first] - strengths[duel.second]);
        let seatings = duel.seatings as f64;
        let most = duel.rounds.len().saturating_sub(1).max(1) as f64;
        let rounds: u64 = duel.rounds.iter().sum();
        let squares: f64 = duel
            .rounds
            .iter()
            .zip(0_u32..)
            .map(|(&count, points)| count as f64 * (seatings * (f64::from(points) / most - p)).powi(2))
            .sum();
        let coins = seatings * p * (1.0 - p);
        let of_a_round = (squares + STEADYING * coins) / (rounds as f64 + STEADYING);
        let never_played = PRIOR * ((1.0 - p).powi(2) + p.powi(2)) / 2.0;
        add_between(&mut seen, duel, rounds as f64 * of_a_round + never_played);
    }
    let inverse = inverse(information(contenders, duels, strengths));
    times(&times(&inverse, &seen), &inverse)
}

/// Adds something that pulls two contenders apart or together.
fn add_between(matrix: &mut [Vec<f64>], duel: &Duel, weight: f64) {
    let (a, b) = (duel.first, duel.second);
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

fn times(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &[f64], column: usize| row.iter().zip(b).map(|(x, other)| x * other[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| cell(row, column)).collect()).collect()
}

/// The inverse of a small positive matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|column| f64::from(u8::from(column == at))));
    }
    for at in 0..n {
        let pivot = matrix[at][at];
        matrix[at].iter_mut().for_each(|cell| *cell /= pivot);
        let base = matrix[at].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at];
            row.iter_mut().zip(&base).for_each(|(cell, base)| *cell -= factor * base);
        }
    }
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}

/// The normal distribution, to seven places (Abramowitz and Stegun 26.2.17).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let sum = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
        .iter()
        .fold(0.0, |sum, b| (sum + b) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests;
