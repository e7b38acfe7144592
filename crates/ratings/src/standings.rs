//! Who leads a pool, and by what.
//!
//! Points come first, then Sonneborn-Berger (the points of those one has beaten, and half the points of those one has drawn
//! with), then the matches among those who are still level, then wins. Who is level after that shares the place.
//! All of it is counted in halves and quarters as whole numbers, so that equal is equal.

use std::cmp::Reverse;

/// How a match went for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Score {
    /// Half points.
    const fn halves(self) -> u32 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// A finished match of the pool: its players (from 0) and how it went for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played(pub Vec<(usize, Score)>);

/// A line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The player, from 0.
    pub player: usize,
    /// The place, from 1; those who are level share it.
    pub place: usize,
    /// How many matches are finished.
    pub played: u32,
    /// How many of them were won.
    pub wins: u32,
    /// Half points.
    pub half_points: u32,
    /// Sonneborn-Berger in quarters.
    pub quarter_berger: u32,
}

impl Row {
    /// Points, for people.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Sonneborn-Berger, for people.
    pub fn berger(&self) -> f64 {
        f64::from(self.quarter_berger) / 4.0
    }
}

/// The table of a pool, best first; level players in the order of their numbers. Players that the pool does not have are
/// left out of the count.
///
/// ```
/// use ratings::{Played, Score, standings};
/// let table = standings(2, &[Played(vec![(0, Score::Loss), (1, Score::Win)])]);
/// assert_eq!((table[0].player, table[0].points()), (1, 1.0));
/// ```
pub fn standings(players: usize, matches: &[Played]) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..players)
        .map(|player| Row { player, place: 1, played: 0, wins: 0, half_points: 0, quarter_berger: 0 })
        .collect();
    for &(player, score) in matches.iter().flat_map(|played| &played.0) {
        if let Some(row) = rows.get_mut(player) {
            row.played += 1;
            row.wins += u32::from(score == Score::Win);
            row.half_points += score.halves();
        }
    }
    let points: Vec<u32> = rows.iter().map(|row| row.half_points).collect();
    for (player, other, against) in meetings(matches) {
        if let (Some(row), Some(worth)) = (rows.get_mut(player), points.get(other)) {
            row.quarter_berger += against.halves() * worth;
        }
    }
    rows.sort_by_key(|row| Reverse((row.half_points, row.quarter_berger)));
    let mut start = 0;
    while start < rows.len() {
        let level = |row: &Row| {
            (row.half_points, row.quarter_berger) == (rows[start].half_points, rows[start].quarter_berger)
        };
        let end = start + rows[start..].iter().take_while(|row| level(row)).count();
        place(&mut rows[start..end], start + 1, matches);
        start = end;
    }
    rows
}

/// Orders those who are level by points and Sonneborn-Berger, and gives them their places.
fn place(level: &mut [Row], first: usize, matches: &[Played]) {
    let members: Vec<usize> = level.iter().map(|row| row.player).collect();
    let among = |player: usize| -> u32 {
        meetings(matches)
            .filter(|&(one, other, _)| one == player && members.contains(&other))
            .map(|(_, _, against)| against.halves())
            .sum()
    };
    let mut keyed: Vec<((u32, u32), Row)> =
        level.iter().map(|row| ((among(row.player), row.wins), *row)).collect();
    keyed.sort_by_key(|(key, row)| (Reverse(*key), row.player));
    let mut place = first;
    for n in 0..keyed.len() {
        if n > 0 && keyed[n].0 != keyed[n - 1].0 {
            place = first + n;
        }
        level[n] = Row { place, ..keyed[n].1 };
    }
}

/// Each two players of each match: who, against whom, and how it went between them. With three players who stands better in
/// the result has beaten the other.
fn meetings(matches: &[Played]) -> impl Iterator<Item = (usize, usize, Score)> {
    matches.iter().flat_map(|Played(players)| {
        players.iter().enumerate().flat_map(move |(n, &(player, score))| {
            players.iter().enumerate().filter(move |(m, _)| *m != n).map(move |(_, &(other, theirs))| {
                let against = match score.cmp(&theirs) {
                    std::cmp::Ordering::Less => Score::Loss,
                    std::cmp::Ordering::Equal => Score::Draw,
                    std::cmp::Ordering::Greater => Score::Win,
                };
                (player, other, against)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn duel(first: usize, second: usize, score: Score) -> Played {
        let theirs = match score {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        };
        Played(vec![(first, score), (second, theirs)])
    }

    #[test]
    fn berger_counts_whom_one_has_beaten() {
        // 0 and 1 have two points each; 0 beat the one with a point and a half, 1 the one with half a point.
        let table = standings(
            4,
            &[
                duel(0, 1, Score::Draw),
                duel(0, 2, Score::Win),
                duel(0, 3, Score::Draw),
                duel(1, 2, Score::Draw),
                duel(1, 3, Score::Win),
                duel(2, 3, Score::Win),
            ],
        );
        let line = |n: usize| (table[n].player, table[n].place, table[n].points(), table[n].berger());
        assert_eq!(line(0), (0, 1, 2.0, 0.5 * 2.0 + 1.5 + 0.5 * 0.5));
        assert_eq!(line(1), (1, 2, 2.0, 0.5 * 2.0 + 0.5 * 1.5 + 0.5));
        assert_eq!(line(2), (2, 3, 1.5, 0.5 * 2.0 + 0.5));
        assert_eq!(line(3), (3, 4, 0.5, 0.5 * 2.0));
    }

    #[test]
    fn a_circle_shares_the_first_place() {
        let table = standings(3, &[duel(0, 1, Score::Win), duel(1, 2, Score::Win), duel(2, 0, Score::Win)]);
        assert!(table.iter().all(|row| row.place == 1));
        assert_eq!(table.iter().map(|row| row.player).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn wins_decide_when_all_else_is_level() {
        // Two drawn matches against one win and one loss, at the same Sonneborn-Berger and without having met.
        let table = standings(
            4,
            &[
                duel(0, 2, Score::Draw),
                duel(0, 3, Score::Draw),
                duel(1, 2, Score::Win),
                duel(1, 3, Score::Loss),
                duel(2, 3, Score::Win),
            ],
        );
        assert_eq!(table.iter().map(|row| row.half_points).collect::<Vec<_>>(), [3, 3, 2, 2]);
        let level: Vec<(usize, u32)> = table[2..].iter().map(|row| (row.player, row.wins)).collect();
        assert_eq!(level, [(1, 1), (0, 0)]);
        assert_eq!((table[2].place, table[3].place), (3, 4));
    }

    #[test]
    fn three_at_a_table_are_three_meetings() {
        let table = standings(3, &[Played(vec![(0, Score::Win), (1, Score::Loss), (2, Score::Loss)])]);
        assert_eq!((table[0].player, table[0].wins, table[0].quarter_berger), (0, 1, 0));
        assert_eq!((table[1].place, table[2].place), (2, 2));
    }

    proptest! {
        /// Every player has one line, places fit the order, points are those that were given.
        #[test]
        fn a_table_is_whole(results in prop::collection::vec((0_usize..6, 0_usize..6, 0_u8..3), 0..40)) {
            let matches: Vec<Played> = results
                .iter()
                .filter(|(a, b, _)| a != b)
                .map(|&(a, b, score)| duel(a, b, [Score::Loss, Score::Draw, Score::Win][usize::from(score)]))
                .collect();
            let table = standings(6, &matches);
            prop_assert_eq!(table.iter().map(|row| row.half_points).sum::<u32>() as usize, 2 * matches.len());
            let mut players: Vec<usize> = table.iter().map(|row| row.player).collect();
            players.sort_unstable();
            prop_assert_eq!(players, (0..6).collect::<Vec<_>>());
            prop_assert_eq!(table[0].place, 1);
            for (n, pair) in table.windows(2).enumerate() {
                prop_assert!(pair[0].half_points >= pair[1].half_points);
                prop_assert!(pair[1].place == pair[0].place || pair[1].place == n + 2);
            }
        }
    }
}
