//! Where the bots stand: the Elo of a ladder as ratings, so that people can compare themselves with them.
//!
//! The figures are in `data/levels.tsv`, with what they come from. In Elo a player who is `d` better makes
//! 1 / (1 + 10^(−d/400)) of the points; between two players of known skill Weng and Lin's model says 1 / (1 + e^(−Δ/(β√2))), with
//! β = 25/6. Both are the same curve, so a point of Elo is ln 10 / 400 · β√2 = 0.0339 points of rating. A newcomer's 25 is given to
//! the captain, who is offered to people as "a solid player".

use std::sync::LazyLock;

use crate::Rating;

/// A bot's place on the ladder of a game.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    /// The id of the game.
    game: &'static str,
    /// The bot's word.
    bot: &'static str,
    /// Its Elo.
    elo: f64,
    /// Half the width of the 95 % interval of that.
    half: f64,
}

/// The bot that stands where a newcomer stands.
const ANCHOR: &str = "captain";
/// Standard deviations to either side that make 95 %.
const SIDE: f64 = 1.959_964;

/// All lines of the file.
static LEVELS: LazyLock<Vec<Level>> = LazyLock::new(|| read(include_str!("../data/levels.tsv")));

/// What a point of Elo is worth in points of rating.
pub fn points_per_elo() -> f64 {
    let beta = 25.0 / 6.0;
    std::f64::consts::LN_10 / 400.0 * beta * 2.0_f64.sqrt()
}

fn read(text: &'static str) -> Vec<Level> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(read_line).collect()
}

fn read_line(line: &'static str) -> Option<Level> {
    let mut words = line.split('\t');
    let (game, bot) = (words.next()?, words.next()?);
    let (elo, half) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Level { game, bot, elo, half })
}

/// The ratings of the bots of a game, the strongest first; empty where no ladder was played with the captain in it.
///
/// ```
/// let blitz = ratings::levels("blitz");
/// let captain = blitz.iter().find(|(bot, _)| *bot == "captain").unwrap().1;
/// assert!((captain.mu - 25.0).abs() < 1e-9);
/// assert!(ratings::levels("chess").is_empty());
/// ```
pub fn levels(game: &str) -> Vec<(&'static str, Rating)> {
    let of_game: Vec<&Level> = LEVELS.iter().filter(|level| level.game == game).collect();
    let Some(anchor) = of_game.iter().find(|level| level.bot == ANCHOR).map(|level| level.elo) else {
        return Vec::new();
    };
    let newcomer = Rating::default();
    let placed = |level: &&Level| {
        let mu = (level.elo - anchor).mul_add(points_per_elo(), newcomer.mu);
        (level.bot, Rating { mu, sigma: (level.half / SIDE * points_per_elo()).max(0.1) })
    };
    let mut found: Vec<_> = of_game.iter().map(placed).collect();
    found.sort_by(|a, b| b.1.mu.total_cmp(&a.1.mu));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrant, expected};

    #[test]
    fn every_line_of_the_file_is_read() {
        let text = include_str!("../data/levels.tsv");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert!(lines > 0 && LEVELS.len() == lines, "{} of {lines}", LEVELS.len());
        for level in LEVELS.iter() {
            assert!(level.half >= 0.0 && level.elo.abs() < 3_000.0, "{level:?}");
        }
    }

    #[test]
    fn four_hundred_points_of_elo_are_ten_to_one() {
        let sure = |mu| Entrant::new(Rating { mu, sigma: 1e-6 }, 1);
        let chances = expected(&[sure(25.0 + 400.0 * points_per_elo()), sure(25.0)]);
        assert!((chances[0] - 10.0 / 11.0).abs() < 1e-6, "{chances:?}");
    }
}
