//! A search among plans.
//!
//! In a game of hundreds of small decisions a tree of choices never gets past the next few of them, and what one of them changes
//! is lost in the dice. Where a game has several plans ([`Judgement::plans`](kernel::Judgement::plans)), ways to play on
//! are compared instead: a first choice, and a plan that plays the rest of the turn. All ways meet the same dice, those that
//! fall behind are dropped, and the plan that was followed so far is only given up for one that is clearly better.
//!
//! With a budget of playouts the same seed gives the same result on any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use kernel::{CompleteGame, Dice, Discard, Effort, LabDice, Mover, Seat, Viewer, fingerprint};

use super::playout::{Payoffs, SearchContext};
use super::{Budget, Line, Resources, SEATS, SearchResult, standard_error};

/// Every way that is left gets so many playouts before they are compared again.
const CHUNK: usize = 6;
/// Another way must lead by so many standard errors to be preferred: among a dozen ways one is ahead by chance alone.
const CERTAINTY: f64 = 2.0;
/// A way is given up when it is so many standard errors short of being better.
const HOPE: f64 = 1.0;
/// Another way is only preferred after so many playouts: fewer may all have been lucky.
const LEAST: usize = 6;
/// What is taken for granted before anything was played: that so many playouts differed by so much from the mean. A single
/// result, or a few that happen to agree, then prove little.
const DOUBTS: f64 = 3.0;
const SPREAD: f64 = 0.1;

/// A decision at which plans are compared.
#[derive(Debug)]
pub struct Crossroads<'a, 's, G: CompleteGame> {
    /// What the seat sees.
    pub view: &'a G::View<'s>,
    /// Who decides.
    pub seat: Seat,
    /// What it can choose.
    pub choices: &'a [G::Choice],
}

/// A way to play on.
#[derive(Clone, Debug)]
struct Way<C, M> {
    plan: usize,
    first: C,
    /// What the plan has in mind here.
    memory: M,
    /// The results of its playouts; those of all ways have the same dice in the same order.
    results: Vec<Payoffs>,
    /// Fingerprints of where its first playouts ended.
    ends: Vec<u64>,
    is_alive: bool,
}

/// The ways of a game.
type Ways<G> = Vec<Way<<G as kernel::Game>::Choice, <G as kernel::Judgement>::Memory>>;

/// A bot's search among plans: which one it follows, and which ones it compares.
#[derive(Clone, Debug)]
pub struct PlanSearch<G: CompleteGame> {
    plan: usize,
    memory: G::Memory,
    resources: Resources,
}

impl<G: CompleteGame> PlanSearch<G> {
    /// A new search, which follows the policy's own way.
    pub fn new(resources: Resources) -> Self {
        Self { plan: 0, memory: G::Memory::default(), resources }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        *self = Self::new(self.resources);
    }

    /// The choice of the plan that is followed, as an index.
    pub fn follow(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        choices: &[G::Choice],
        dice: &mut LabDice,
        why: Option<&mut String>,
    ) -> usize {
        game.follow(self.plan, &mut self.memory, view, choices, dice, why)
    }

    /// Compares ways to play on until the budget is used up, `stop` is set or nothing is left to compare, and follows the best.
    /// The first line of the result is its choice.
    pub fn think(
        &mut self,
        context: &SearchContext,
        game: &G,
        at: &Crossroads<'_, '_, G>,
        budget: Budget,
        seed: u64,
        stop: &AtomicBool,
    ) -> SearchResult<G::Choice> {
        let deadline = Instant::now().checked_add(budget.time);
        // As many as can be compared once: with less than that, none could be preferred.
        let most = (budget.playouts as usize / CHUNK).max(2);
        let mut ways = self.ways(game, at, seed, most);
        let first_field = ways.len() as f64;
        let mut spent = 0;
        let is_over =
            || stop.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        loop {
            let alive: Vec<usize> = (0..ways.len()).filter(|way| ways[*way].is_alive).collect();
            let left = (budget.playouts - spent) as usize;
            if alive.len() < 2 || left < alive.len() || spent > 0 && is_over() {
                break;
            }
            let each = CHUNK.min(left / alive.len());
            spent += self.play_chunk(context, game, at, &mut ways, &alive, each, seed, &is_over);
            drop_twins(&mut ways);
            // Half of them by each of equal parts of the budget.
            let share = f64::from(spent) / f64::from(budget.playouts);
            let most = first_field.powf(1.0 - share).ceil().max(2.0) as usize;
            drop_laggards(&mut ways, at.seat, f64::from(context.tuning.doubt), most);
        }
        self.settle(context, at.seat, &ways, spent)
    }

    /// The ways to play on, that of the plan which is followed first; at most so many.
    fn ways(&mut self, game: &G, at: &Crossroads<'_, '_, G>, seed: u64, most: usize) -> Ways<G> {
        let mut dice = LabDice::new(seed);
        let way = |plan, pick: usize, memory: &G::Memory| Way {
            plan,
            first: at.choices[pick],
            memory: memory.clone(),
            results: Vec::new(),
            ends: Vec::new(),
            is_alive: true,
        };
        let own = game.follow(self.plan, &mut self.memory, at.view, at.choices, &mut dice, None);
        let mut ways = vec![way(self.plan, own, &self.memory)];
        let mut ideas = Vec::new();
        game.ideas(&self.memory, at.view, at.choices, &mut ideas);
        ideas.retain(|pick| *pick != own);
        let mut plans = (0..game.plans()).filter(|plan| *plan != self.plan);
        let mut ideas = ideas.into_iter();
        // Now a plan, now an idea, so that a small budget tries some of both.
        while ways.len() < most {
            let before = ways.len();
            if let Some(plan) = plans.next() {
                let mut memory = G::Memory::default();
                let pick = game.follow(plan, &mut memory, at.view, at.choices, &mut dice, None);
                ways.push(way(plan, pick, &memory));
            }
            ways.extend(ideas.next().map(|pick| way(self.plan, pick, &self.memory)));
            if ways.len() == before {
                break;
            }
        }
        ways.truncate(most);
        ways
    }

    /// So many playouts of each way that is left; how many they were in all. When it is over they end at once, but for the
    /// first of all, so that there is a result.
    #[allow(clippy::too_many_arguments, reason = "what to play, and with which dice")]
    fn play_chunk(
        &self,
        context: &SearchContext,
        game: &G,
        at: &Crossroads<'_, '_, G>,
        ways: &mut Ways<G>,
        alive: &[usize],
        each: usize,
        seed: u64,
        is_over: &(impl Fn() -> bool + Sync),
    ) -> u32 {
        let jobs: Vec<(usize, u64)> = (0..each)
            .flat_map(|more| alive.iter().map(move |way| (*way, more)))
            .map(|(way, more)| (way, (ways[way].results.len() + more) as u64))
            .collect();
        let is_first = |way: usize, number: u64| way == 0 && number == 0;
        let done = workers::map(self.resources.threads, &jobs, |_, (way, number)| {
            let is_wanted = is_first(*way, *number) || !is_over();
            is_wanted.then(|| play(context, game, at, &ways[*way], seed, *number))
        });
        let done = done.unwrap_or_else(|panic| panic.resume());
        let mut spent = 0;
        for ((way, number), played) in jobs.iter().zip(done) {
            let way = &mut ways[*way];
            // What comes after a playout that was left out would meet other dice than the others' do.
            let (Some((payoffs, end)), true) = (played, way.results.len() as u64 == *number) else {
                continue;
            };
            way.results.push(payoffs);
            if way.ends.len() < CHUNK {
                way.ends.push(end);
            }
            spent += 1;
        }
        spent
    }

    /// Follows the best way if it is clearly better than the one so far, and sums up what was found.
    fn settle(
        &mut self,
        context: &SearchContext,
        seat: Seat,
        ways: &Ways<G>,
        playouts: u32,
    ) -> SearchResult<G::Choice> {
        let best = preferred(ways, seat, f64::from(context.tuning.doubt));
        let leads: Vec<f64> = ways.iter().map(|way| lead(way, &ways[0], seat).0).collect();
        if ways[best].plan != self.plan {
            self.plan = ways[best].plan;
            self.memory = ways[best].memory.clone();
        }
        let mut order: Vec<usize> = (0..ways.len()).collect();
        order.sort_by(|a, b| leads[*b].total_cmp(&leads[*a]));
        order.sort_by_key(|way| *way != best);
        let mut lines: Vec<Line<G::Choice>> = Vec::new();
        let is_known = |way: &usize| *way == best || !ways[*way].results.is_empty();
        for way in order.into_iter().filter(is_known).map(|way| &ways[way]) {
            if lines.iter().all(|line| line.choice != way.first) {
                let (visits, chances) = (way.results.len() as u32, leveled(way, &ways[0]));
                lines.push(Line { choice: way.first, visits, chances, then: Vec::new() });
            }
        }
        let (chances, visits) = (lines[0].chances, lines[0].visits);
        let error = standard_error(chances[0], visits);
        SearchResult { seat: Some(seat), lines, chances, error, playouts, nodes: ways.len() }
    }
}

/// The way to be followed: the first, unless another one is clearly better.
fn preferred<C, M>(ways: &[Way<C, M>], seat: Seat, doubt: f64) -> usize {
    let mut best = (f64::MIN, 0);
    for (at, way) in ways.iter().enumerate().skip(1).filter(|(_, way)| way.is_alive) {
        let (lead, error) = lead(way, &ways[0], seat);
        if way.results.len() >= LEAST && lead > doubt + CERTAINTY * error && lead > best.0 {
            best = (lead, at);
        }
    }
    best.1
}

/// The mean result for each seat.
fn mean(results: &[Payoffs]) -> [f64; SEATS] {
    let mut sums = [0.0; SEATS];
    for payoffs in results {
        sums.iter_mut().zip(payoffs).for_each(|(sum, payoff)| *sum += f64::from(*payoff));
    }
    sums.map(|sum| sum / results.len().max(1) as f64)
}

/// The chances of a way: those of the first one, and how much better it is with the same dice.
fn leveled<C, M>(way: &Way<C, M>, first: &Way<C, M>) -> [f64; SEATS] {
    let mut chances = mean(&first.results);
    for (seat, chance) in chances.iter_mut().enumerate() {
        *chance = (*chance + lead(way, first, Seat(seat as u8)).0).clamp(0.0, 1.0);
    }
    chances
}

/// How much better a way is than another with the same dice, and the standard error of that.
fn lead<C, M>(way: &Way<C, M>, than: &Way<C, M>, seat: Seat) -> (f64, f64) {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    for (one, other) in way.results.iter().zip(&than.results) {
        let difference = f64::from(one[seat.index()] - other[seat.index()]);
        sum += difference;
        squares += difference * difference;
        count += 1.0;
    }
    if count < 1.0 {
        return (0.0, 1.0);
    }
    let mean: f64 = sum / count;
    let around = (squares - count * mean * mean).max(0.0);
    let variance = (around + DOUBTS * SPREAD * SPREAD) / (count + DOUBTS - 1.0);
    (mean, (variance / count).sqrt())
}

/// Drops ways that begin like an earlier one and whose first playouts all ended as its did.
fn drop_twins<C: Eq, M>(ways: &mut [Way<C, M>]) {
    for at in 1..ways.len() {
        let (before, rest) = ways.split_at_mut(at);
        let way = &mut rest[0];
        let is_twin =
            |other: &Way<C, M>| other.is_alive && other.first == way.first && other.ends == way.ends;
        way.is_alive &= !before.iter().any(is_twin);
    }
}

/// Drops the ways that have little hope to be better than the first, and so many that at most `most` are left. The first stays.
fn drop_laggards<C, M>(ways: &mut [Way<C, M>], seat: Seat, doubt: f64, most: usize) {
    let mut hopeful: Vec<(f64, usize)> = Vec::new();
    for at in (1..ways.len()).filter(|at| ways[*at].is_alive).collect::<Vec<_>>() {
        let (lead, error) = lead(&ways[at], &ways[0], seat);
        if lead + HOPE * error < doubt {
            ways[at].is_alive = false;
        } else {
            hopeful.push((lead, at));
        }
    }
    hopeful.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, at) in hopeful.into_iter().skip(most - 1) {
        ways[at].is_alive = false;
    }
}

/// One playout of a way: its result, and a fingerprint of where it ended. The others play the policy; from the next turn on
/// so does the searching seat.
fn play<G: CompleteGame>(
    context: &SearchContext,
    game: &G,
    at: &Crossroads<'_, '_, G>,
    way: &Way<G::Choice, G::Memory>,
    seed: u64,
    number: u64,
) -> (Payoffs, u64) {
    let mut dice = LabDice::for_game(seed, number);
    let mut state = game.determinize(at.view, &mut dice);
    let last_turn = context.last_turn(game, &state);
    let (mut turn, mut plan) = (game.turn(&state), way.plan);
    let mut memories: [G::Memory; SEATS] = Default::default();
    memories[at.seat.index()] = way.memory.clone();
    let mut choices = Vec::with_capacity(64);
    game.apply(&mut state, way.first, &mut Discard);
    let payoffs = loop {
        let mover = game.mover(&state);
        let now = game.turn(&state);
        if mover == Mover::Nobody {
            break context.result(game, &state);
        }
        if now > last_turn {
            break context.value(game, &state);
        }
        if now != turn {
            turn = now;
            // Dice of its own for every turn, so that the same weather comes whatever happened before.
            dice = LabDice::for_game(seed ^ number, u64::from(turn));
            if plan != 0 {
                plan = 0;
                memories[at.seat.index()] = G::Memory::default();
            }
        }
        let Mover::Seat(seat) = mover else {
            let drawn = game.drawn(&state, dice.below(game.tickets(&state)));
            game.apply(&mut state, drawn, &mut Discard);
            continue;
        };
        choices.clear();
        game.choices(&state, &mut choices);
        let mut pick = 0;
        if choices.len() > 1 {
            let view = game.view(&state, Viewer::Seat(seat));
            let memory = &mut memories[seat.index()];
            pick = if seat == at.seat {
                game.follow(plan, memory, &view, &choices, &mut dice, None)
            } else {
                game.policy(Effort::Playout, memory, &view, &choices, &mut dice, None)
            };
        }
        game.apply(&mut state, choices[pick], &mut Discard);
    };
    (payoffs, fingerprint(&state))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: Seat = Seat(0);

    /// A way with these results of the first of two seats; playouts that end alike have the same result.
    fn way(first: u8, results: &[f32]) -> Way<u8, ()> {
        Way {
            plan: 0,
            first,
            memory: (),
            results: results.iter().map(|result| [*result, 1.0 - *result, 0.0]).collect(),
            ends: results.iter().map(|result| (result * 1000.0) as u64).collect(),
            is_alive: true,
        }
    }

    fn alive(ways: &[Way<u8, ()>]) -> Vec<u8> {
        ways.iter().filter(|way| way.is_alive).map(|way| way.first).collect()
    }

    #[test]
    fn what_is_better_with_every_dice_is_preferred_and_luck_is_not() {
        let first = way(0, &[0.2, 0.6, 0.3, 0.7, 0.1, 0.5]);
        let better = way(1, &[0.3, 0.7, 0.4, 0.8, 0.2, 0.6]);
        // On the whole as much better, by one lucky playout.
        let lucky = way(2, &[0.2, 0.6, 0.3, 0.7, 0.7, 0.5]);
        assert_eq!(preferred(&[first.clone(), better.clone()], ME, 0.005), 1);
        assert_eq!(preferred(&[first.clone(), lucky.clone()], ME, 0.005), 0);
        assert_eq!(preferred(&[first.clone(), lucky, better.clone()], ME, 0.005), 2);
        assert_eq!(preferred(&[first.clone(), better.clone()], ME, 0.2), 0, "a lead below the doubt");
        assert_eq!(
            preferred(&[first.clone(), better.clone()], Seat(1), 0.005),
            0,
            "the other seat sees it otherwise"
        );
        let at_once = [way(0, &[0.2, 0.3, 0.1]), way(1, &[0.9, 0.9, 0.8])];
        assert_eq!(preferred(&at_once, ME, 0.005), 0, "a few results prove nothing");
        let dropped = Way { is_alive: false, ..better };
        assert_eq!(preferred(&[first, dropped], ME, 0.005), 0);
    }

    #[test]
    fn leads_are_taken_over_the_same_dice() {
        // The first has had more playouts, and these went well.
        let first = way(0, &[0.2, 0.2, 0.9, 0.9]);
        let better = way(1, &[0.4, 0.4]);
        assert!((lead(&better, &first, ME).0 - 0.2).abs() < 1e-6);
        assert!((leveled(&better, &first)[0] - 0.75).abs() < 1e-6);
        assert_eq!(lead(&way(2, &[]), &first, ME), (0.0, 1.0), "nothing is known yet");
    }

    #[test]
    fn twins_and_laggards_are_dropped_and_the_first_stays() {
        let results = [0.2, 0.6, 0.3, 0.7, 0.1, 0.5];
        let mut ways = vec![way(0, &results), way(0, &results), way(1, &results), way(0, &[0.2; 6])];
        drop_twins(&mut ways);
        assert_eq!(alive(&ways), [0, 1, 0], "only what begins and ends alike is a twin");

        let shifted = |first, by: f32| way(first, &results.map(|result| result + by));
        let mut ways =
            vec![shifted(0, 0.0), shifted(1, -0.1), shifted(2, 0.1), shifted(3, 0.05), shifted(4, 0.2)];
        drop_laggards(&mut ways, ME, 0.005, 5);
        assert_eq!(alive(&ways), [0, 2, 3, 4]);
        drop_laggards(&mut ways, ME, 0.005, 3);
        assert_eq!(alive(&ways), [0, 2, 4]);
    }
}
