//! Where the playouts go.
//!
//! Draws and decisions share the playouts. Every decision gets a first look, which says only where a second one is worth
//! it. The second is a search of its own, with other dice and more playouts, and only what it finds is ever called a mistake:
//! of a hundred sound choices the first look would accuse a few by chance, and the ones that it accuses would be exactly those
//! in which chance was greatest.

use crate::estimate::Judgement;

/// The parts of the playouts that go to draws, to first looks and to second looks.
const DRAWS: f64 = 0.3;
const FIRST: f64 = 0.3;
const SECOND: f64 = 0.4;
/// The part of all playouts that goes to replies first, where there are any.
const REPLIES: f64 = 0.25;
/// A decision is looked at again if the first look found something better by so many standard errors.
const SUSPICIOUS: f64 = 0.5;
/// A second look takes at least so many times the playouts of a first one, and at most.
const LEAST_SECOND: f64 = 2.0;
const MOST_SECOND: f64 = 6.0;
/// Fewer playouts than this can't tell choices apart: rather a few second looks that mean something.
const SECOND_LOOK: f64 = 240.0;

/// How the playouts are shared out.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// For a place of share 1.
    place: f64,
    /// For a reply.
    pub reply: u32,
    /// For a first look.
    pub first: u32,
    /// For all second looks together.
    second: f64,
}

impl Shares {
    /// Shares playouts out among so many decisions, places with so many shares, and replies.
    pub fn of(playouts: u64, decisions: usize, shares: f64, replies: usize) -> Self {
        let reply = if replies > 0 { playouts as f64 * REPLIES } else { 0.0 };
        let all = playouts as f64 - reply;
        let (draws, decided) = match (shares > 0.0, decisions > 0) {
            (true, true) => (DRAWS, FIRST + SECOND),
            (true, false) => (1.0, 0.0),
            (false, _) => (0.0, 1.0),
        };
        let first = all * decided * FIRST / (FIRST + SECOND) / decisions.max(1) as f64;
        Self {
            place: if shares > 0.0 { all * draws / shares } else { 0.0 },
            reply: (reply / replies.max(1) as f64).clamp(1.0, 1e9) as u32,
            first: first.clamp(1.0, 1e9) as u32,
            second: all * decided * SECOND / (FIRST + SECOND),
        }
    }

    /// For a place.
    pub fn place(&self, share: f64) -> u32 {
        (self.place * share).clamp(1.0, 1e9) as u32
    }

    /// The fewest playouts for a second look, and the most.
    fn second_look(&self) -> (f64, f64) {
        let first = f64::from(self.first);
        ((LEAST_SECOND * first).max(SECOND_LOOK), (MOST_SECOND * first).max(SECOND_LOOK))
    }

    /// How many second looks there are at most.
    pub fn most_second_looks(&self) -> usize {
        ((self.second / self.second_look().0) as usize).max(1)
    }

    /// How many playouts each of so many second looks gets.
    pub fn second(&self, looks: usize) -> u32 {
        (self.second / looks.max(1) as f64).clamp(1.0, self.second_look().1) as u32
    }
}

/// The steps that are worth a second look, in order. Where there are too many for the playouts that are left, those that promise
/// most to be large mistakes.
pub fn suspects<'j, C: 'j>(
    first: impl Iterator<Item = (usize, &'j Judgement<C>)>,
    shares: &Shares,
) -> Vec<usize> {
    let mut list: Vec<(f64, usize)> = first
        .filter(|(_, judgement)| judgement.best.is_some() && judgement.sureness() >= SUSPICIOUS)
        .map(|(step, judgement)| (judgement.gap * judgement.sureness(), step))
        .collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    list.truncate(shares.most_second_looks());
    let mut steps: Vec<usize> = list.into_iter().map(|(_, step)| step).collect();
    steps.sort_unstable();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_playouts_are_given_out_and_none_is_left_without() {
        let shares = Shares::of(100_000, 20, 50.0, 0);
        assert!((50.0 * shares.place + 20.0 * f64::from(shares.first) + shares.second - 1e5).abs() < 50.0);
        assert_eq!(Shares::of(0, 20, 50.0, 0).place(0.1), 1);
        assert_eq!(Shares::of(0, 20, 50.0, 0).first, 1);
        assert!((Shares::of(1_000, 0, 10.0, 0).place - 100.0).abs() < 1e-9);
        assert!(Shares::of(1_000, 10, 0.0, 0).second > 500.0);
        let hidden = Shares::of(100_000, 20, 50.0, 30);
        let replies = 30.0 * f64::from(hidden.reply);
        assert!(
            (50.0 * hidden.place + 20.0 * f64::from(hidden.first) + hidden.second + replies - 1e5).abs()
                < 80.0
        );
    }

    #[test]
    fn only_what_may_be_a_mistake_is_looked_at_again_and_the_worst_first() {
        let judgement = |gap: f64, noise: f64| Judgement::<u8> {
            tried: Vec::new(),
            made: Some(0),
            best: (gap > 0.0).then_some(0),
            gap,
            noise,
            playouts: 0,
        };
        let first = vec![
            (3, judgement(0.0, 0.1)),
            (5, judgement(0.01, 0.1)),
            (7, judgement(0.2, 0.1)),
            (9, judgement(0.1, 0.1)),
        ];
        let looked_at = |first: &[(usize, Judgement<u8>)], shares: Shares| {
            let steps = suspects(first.iter().map(|(step, judgement)| (*step, judgement)), &shares);
            let playouts = shares.second(steps.len());
            (steps, playouts)
        };
        let many = Shares { place: 0.0, reply: 0, first: 1_000, second: 8_000.0 };
        let few = Shares { first: 10, second: 300.0, ..many };
        assert_eq!(looked_at(&first, many), (vec![7, 9], 4_000));
        assert_eq!(looked_at(&first, few), (vec![7], 240));
        assert_eq!(looked_at(&first[..1], few).0, Vec::<usize>::new());
    }
}
