//! Who meets whom, in which seats, and in which order.

use std::cmp::Ordering;
use std::ops::Range;

use kernel::Standing;

use super::Duel;

/// All games of a ladder. Round follows round, and a round has every meeting once: a ladder that is cut short has played each
/// of them about as often.
pub(super) struct Schedule {
    seats: usize,
    rounds: u64,
    meetings: Vec<Meeting>,
}

struct Meeting {
    first: usize,
    second: usize,
    /// The contender of each seat, for every game of a round.
    line_ups: Vec<Vec<usize>>,
}

/// One game.
pub(super) struct Place<'a> {
    pub round: u64,
    pub line_up: &'a [usize],
}

impl Schedule {
    /// For so many contenders and seats; about `games` for each meeting.
    pub(super) fn new(contenders: usize, seats: usize, games: u64) -> Self {
        let pair = |first, second| Meeting { first, second, line_ups: line_ups(first, second, seats) };
        let meetings: Vec<Meeting> = if seats == 1 {
            let alone = |who| Meeting { first: who, second: who, line_ups: vec![vec![who]] };
            (0..contenders).map(alone).collect()
        } else {
            let pairs = (0..contenders).flat_map(|a| (a + 1..contenders).map(move |b| (a, b)));
            pairs.map(|(first, second)| pair(first, second)).collect()
        };
        let seatings = meetings.first().map_or(1, |meeting| meeting.line_ups.len() as u64).max(1);
        Self { seats, rounds: games.div_ceil(seatings).max(1), meetings }
    }

    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    pub(super) fn meetings(&self) -> usize {
        self.meetings.len()
    }

    fn seatings(&self) -> u64 {
        self.meetings.first().map_or(0, |meeting| meeting.line_ups.len() as u64)
    }

    /// How many games there are.
    pub(super) fn games(&self) -> u64 {
        self.rounds.saturating_mul(self.seatings()).saturating_mul(self.meetings.len() as u64)
    }

    /// The game of a number; `None` past the last.
    pub(super) fn game(&self, number: u64) -> Option<Place<'_>> {
        if number >= self.games() {
            return None;
        }
        let (meeting, seating) = (number / self.seatings(), number % self.seatings());
        let (round, meeting) = (meeting / self.meetings.len() as u64, meeting % self.meetings.len() as u64);
        Some(Place { round, line_up: &self.meetings[meeting as usize].line_ups[seating as usize] })
    }

    /// The numbers of the games of a meeting in a round.
    pub(super) fn numbers(&self, round: u64, meeting: usize) -> Range<u64> {
        let first = (round * self.meetings.len() as u64 + meeting as u64) * self.seatings();
        first..first + self.seatings()
    }

    /// Who sits where in the games of a meeting.
    pub(super) fn line_ups(&self, meeting: usize) -> &[Vec<usize>] {
        &self.meetings[meeting].line_ups
    }

    /// The meetings of two, before the first game.
    pub(super) fn duels(&self) -> Vec<Duel> {
        let most = 2 * (self.seats as u64 - 1) * self.seatings();
        let duel = |meeting: &Meeting| Duel {
            first: meeting.first,
            second: meeting.second,
            seatings: self.seatings(),
            rounds: vec![0; most as usize + 1],
            counts: [0; 3],
        };
        self.meetings.iter().map(duel).collect()
    }
}

/// Every seating of two contenders: one of them in one seat, the other in all others, through all seats. With two seats that
/// is both ways round; with more, each of the two is the one against many in turn.
fn line_ups(first: usize, second: usize, seats: usize) -> Vec<Vec<usize>> {
    let alone = |one: usize, others: usize| {
        (0..seats).map(move |at| (0..seats).map(|seat| if seat == at { one } else { others }).collect())
    };
    let mut all: Vec<Vec<usize>> = alone(first, second).collect();
    if seats > 2 {
        all.extend(alone(second, first));
    }
    all
}

/// What a contender made of a game.
pub(super) struct Points {
    pub made: u64,
    /// As many as could be made.
    of: u64,
}

impl Points {
    /// More than half of the points are a win, exactly half a draw.
    pub(super) fn standing(&self) -> Standing {
        match (2 * self.made).cmp(&self.of) {
            Ordering::Less => Standing::Loss,
            Ordering::Equal => Standing::Draw,
            Ordering::Greater => Standing::Win,
        }
    }
}

/// The points of a contender: two for every pair of a seat of its own and one of the other's in which its own fared better,
/// one where both fared alike. So equals share the points however many sit at the table.
pub(super) fn points(contender: usize, line_up: &[usize], standings: &[Standing]) -> Points {
    let side = |own: bool| {
        let seats = line_up.iter().zip(standings);
        seats.filter(move |(who, _)| (**who == contender) == own).map(|(_, standing)| *standing)
    };
    let mut points = Points { made: 0, of: 0 };
    for mine in side(true) {
        for theirs in side(false) {
            points.of += 2;
            points.made += match mine.cmp(&theirs) {
                Ordering::Less => 0,
                Ordering::Equal => 1,
                Ordering::Greater => 2,
            };
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use Standing::{Draw, Loss, Win};

    fn all(schedule: &Schedule) -> Vec<(u64, Vec<usize>)> {
        let games = (0..).map_while(|number| schedule.game(number));
        games.map(|place| (place.round, place.line_up.to_vec())).collect()
    }

    #[test]
    fn two_seats_are_played_both_ways_round() {
        let games = all(&Schedule::new(3, 2, 3));
        let round = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        let expected: Vec<_> =
            (0..2).flat_map(|number| round.iter().map(move |seats| (number, seats.to_vec()))).collect();
        assert_eq!(games, expected, "three games become two rounds of two");
    }

    #[test]
    fn every_contender_sits_everywhere_equally_often() {
        for (contenders, seats) in [(2, 2), (4, 2), (3, 3), (2, 4), (3, 5)] {
            let mut sat = vec![vec![0; seats]; contenders];
            let mut lone = vec![vec![0; seats]; contenders];
            for (_, line_up) in all(&Schedule::new(contenders, seats, 10)) {
                for (seat, &who) in line_up.iter().enumerate() {
                    sat[who][seat] += 1;
                    lone[who][seat] +=
                        usize::from(line_up.iter().filter(|other| **other == who).count() == 1);
                }
            }
            for counts in [sat, lone] {
                let first = counts[0][0];
                assert!(counts.iter().flatten().all(|count| *count == first), "{seats} seats: {counts:?}");
            }
        }
    }

    #[test]
    fn one_seat_is_played_by_each() {
        let games = all(&Schedule::new(3, 1, 2));
        assert_eq!(
            games,
            [(0, vec![0]), (0, vec![1]), (0, vec![2]), (1, vec![0]), (1, vec![1]), (1, vec![2])]
        );
    }

    #[test]
    fn the_numbers_of_a_round_are_its_games() {
        let schedule = Schedule::new(4, 3, 13);
        for round in 0..schedule.rounds() {
            for meeting in 0..schedule.meetings() {
                for (number, line_up) in schedule.numbers(round, meeting).zip(schedule.line_ups(meeting)) {
                    let place = schedule.game(number).expect("a game");
                    assert_eq!((place.round, place.line_up), (round, &line_up[..]));
                }
            }
        }
        assert!(schedule.game(schedule.games()).is_none());
    }

    #[test]
    fn points_compare_seats() {
        let made = |line_up: &[usize], standings: &[Standing]| {
            let points = points(0, line_up, standings);
            (points.made, points.of, points.standing())
        };
        assert_eq!(made(&[0, 1], &[Win, Loss]), (2, 2, Win));
        assert_eq!(made(&[1, 0], &[Win, Loss]), (0, 2, Loss));
        assert_eq!(made(&[0, 1], &[Loss, Loss]), (1, 2, Draw));
        assert_eq!(made(&[0, 1], &[Draw, Loss]), (2, 2, Win));
        // One against two: who loses together with one of them has beaten nobody, but is not behind both.
        assert_eq!(made(&[0, 1, 1], &[Win, Loss, Loss]), (4, 4, Win));
        assert_eq!(made(&[0, 1, 1], &[Loss, Win, Loss]), (1, 4, Loss));
        assert_eq!(made(&[0, 0, 1], &[Loss, Win, Loss]), (3, 4, Win));
    }
}
