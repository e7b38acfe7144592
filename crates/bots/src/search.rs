//! Monte-Carlo tree search for any game.
//!
//! The search plays a position out thousands of times with the game's quick policy, keeps statistics of the first choices in a
//! tree, and explores promising ones more often. Fate has nodes like a player, but its choices follow their weights. Hidden
//! information is determinized anew for every playout.
//!
//! With a budget of playouts the same seed gives the same result on any number of threads: the budget is divided among a number
//! of trees that depends on the budget alone, each with its own dice, and their results are added up.

pub mod plans;
pub mod playout;
mod seats;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kernel::{CompleteGame, LabDice, Mover, Seat, Tuning, Viewer, fingerprint};

use playout::SearchContext;
use tree::{Root, Tree, Visits, mark_of};

pub use seats::{SEATS, TooManySeats};

/// The fewest playouts per tree before there is a second one. Several independent trees estimate chances better; one deep tree
/// decides better.
const PLAYOUTS_A_TREE: u32 = 4_000;
const PLAYOUTS_A_DEEP_TREE: u32 = 16_000;
/// How many playouts pass between checks whether the choice is already decided.
const LOOK_EVERY: u32 = 16;
/// The most trees; more would not help.
const MOST_TREES: u32 = 8;

/// The memory that [`Resources::all`] gives a search; set once for the whole program.
static TREE_MEMORY: AtomicUsize = AtomicUsize::new(256 << 20);

/// The budget of a search for one choice; whichever limit is reached first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    /// The number of playouts.
    pub playouts: u32,
    /// The time.
    pub time: Duration,
    /// Whether only the decision matters, not exact chances: then earlier visits count, and the search ends when no other choice
    /// can catch up.
    pub only_decide: bool,
}

impl Budget {
    /// A budget of playouts, without a time limit.
    pub const fn playouts(playouts: u32) -> Self {
        Self { playouts, time: Duration::MAX, only_decide: false }
    }

    /// A budget of time.
    pub const fn time(time: Duration) -> Self {
        Self { playouts: u32::MAX, time, only_decide: false }
    }
}

impl Budget {
    /// The same budget when only the decision matters.
    #[must_use]
    pub const fn only_deciding(mut self) -> Self {
        self.only_decide = true;
        self
    }
}

/// The threads and the memory that a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Threads.
    pub threads: usize,
    /// Bytes for all trees together.
    pub memory: usize,
}

impl Resources {
    /// One thread, for many games in parallel.
    pub const fn single() -> Self {
        Self { threads: 1, memory: 64 << 20 }
    }

    /// All cores, for a table with people who wait.
    pub fn all() -> Self {
        Self { threads: workers::cores(), memory: TREE_MEMORY.load(Ordering::Relaxed) }
    }

    /// Sets the memory for [`Resources::all`].
    pub fn set_memory(bytes: usize) {
        TREE_MEMORY.store(bytes, Ordering::Relaxed);
    }
}

/// The search result for one choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<C> {
    /// The choice.
    pub choice: C,
    /// Playouts that went this way.
    pub visits: u32,
    /// The uncalibrated win chance of each seat, from 0 to 1.
    pub chances: [f64; SEATS],
    /// The most visited continuation.
    pub then: Vec<C>,
}

impl<C> Line<C> {
    /// The standard error of the chances.
    pub fn error(&self) -> f64 {
        standard_error(self.chances[0], self.visits)
    }
}

/// The standard error of a chance after so many playouts; never 0, because something unseen may still happen.
pub fn standard_error(chance: f64, playouts: u32) -> f64 {
    let n = f64::from(playouts.max(1));
    let p = (chance * n + 1.0) / (n + 2.0);
    (p * (1.0 - p) / n).sqrt()
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<C> {
    /// Whose turn it is; `None` for Fate.
    pub seat: Option<Seat>,
    /// The choices, most visited first; empty when it is Fate's turn.
    pub lines: Vec<Line<C>>,
    /// The uncalibrated win chance of each seat in the position.
    pub chances: [f64; SEATS],
    /// The standard error of that.
    pub error: f64,
    /// Playouts made in this search.
    pub playouts: u32,
    /// Nodes of all trees.
    pub nodes: usize,
}

/// A search that keeps its trees between choices.
#[derive(Clone, Debug)]
pub struct Search<G: CompleteGame> {
    trees: Vec<Tree<G>>,
    resources: Resources,
    /// Parameters that replace the game's own, for experiments.
    tuning: Option<Tuning>,
}

/// What to search.
#[derive(Debug)]
pub enum Subject<'a, 's, G: CompleteGame> {
    /// A view, whoever's turn it is.
    View(&'a G::View<'s>, Viewer),
    /// A fully known position, whoever's turn it is.
    Position(&'a G::State),
}

impl<G: CompleteGame> Clone for Subject<'_, '_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: CompleteGame> Copy for Subject<'_, '_, G> {}

impl<G: CompleteGame> Search<G> {
    /// A new search.
    pub fn new(resources: Resources) -> Self {
        Self { trees: Vec::new(), resources, tuning: None }
    }

    /// The same with other parameters than the game's own.
    #[must_use]
    pub fn tuned(mut self, tuning: Tuning) -> Self {
        self.tuning = Some(tuning);
        self
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.trees.clear();
    }

    /// The size of a tree node in bytes.
    pub const NODE_BYTES: usize = Tree::<G>::NODE_BYTES;

    /// Searches until the budget is used up or `stop` is set. If `focus` is given, every third playout starts with it, so that it
    /// is well explored even if it is bad. The error means that the game has too many seats.
    pub fn think(
        &mut self,
        game: &G,
        about: Subject<'_, '_, G>,
        budget: Budget,
        seed: u64,
        focus: Option<G::Choice>,
        stop: &AtomicBool,
    ) -> Result<SearchResult<G::Choice>, TooManySeats> {
        let mut context = SearchContext::of(game)?;
        if let Some(tuning) = self.tuning {
            context.tuning = tuning;
        }
        Ok(self.think_in(&context, game, about, budget, seed, focus, stop))
    }

    /// The same with an existing search context.
    #[allow(clippy::too_many_arguments, reason = "what to think about, and how long")]
    pub fn think_in(
        &mut self,
        ground: &SearchContext,
        game: &G,
        about: Subject<'_, '_, G>,
        budget: Budget,
        seed: u64,
        focus: Option<G::Choice>,
        stop: &AtomicBool,
    ) -> SearchResult<G::Choice> {
        let begin = Instant::now();
        let mut dice = LabDice::new(seed);
        let position = match about {
            Subject::Position(state) => state.clone(),
            Subject::View(view, _) => game.determinize(view, &mut dice),
        };
        let mover = if let Mover::Seat(seat) = game.mover(&position) { Some(seat) } else { None };
        let (root, eyes) = match about {
            Subject::View(view, viewer) if ground.hides => {
                let eyes = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
                (Root::Seen(view), eyes)
            }
            // Nothing is hidden from a fully known position.
            Subject::Position(_) if ground.hides => (Root::Known(position), None),
            Subject::Position(_) | Subject::View(..) => (Root::Known(position), mover),
        };
        let mark = match (&root, mover) {
            (Root::Known(state), Some(seat)) => mark_of(game, state, seat),
            (Root::Known(_), None) => 0,
            (Root::Seen(view), _) => fingerprint(*view).max(1),
        };
        let trees = match budget.playouts {
            u32::MAX => self.resources.threads as u32,
            playouts if budget.only_decide => (playouts / PLAYOUTS_A_DEEP_TREE).clamp(1, MOST_TREES),
            playouts => (playouts / PLAYOUTS_A_TREE).clamp(1, MOST_TREES),
        };
        let limit = self.resources.memory / Tree::<G>::NODE_BYTES / trees as usize;
        self.trees.resize_with(trees as usize, || Tree::new(limit));
        let deadline = begin.checked_add(budget.time);
        let share = |at: u32| budget.playouts / trees + u32::from(at < budget.playouts % trees);
        for (at, tree) in self.trees.iter_mut().enumerate() {
            tree.begin(eyes, mark, limit, LabDice::for_game(seed, at as u64));
        }
        let work = |at: usize, tree: &mut Tree<G>| {
            let mut done = 0;
            let whole = share(at as u32);
            let playouts = if budget.only_decide { tree.missing_to(whole) } else { whole };
            // At least one, so that there is a result.
            while done < playouts && (done == 0 || !stop.load(Ordering::Relaxed)) {
                tree.playout(game, ground, &root, focus);
                done += 1;
                if budget.only_decide && done % LOOK_EVERY == 0 && tree.is_decided(playouts - done) {
                    break;
                }
                if done > 1 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    break;
                }
            }
            done
        };
        let done = workers::map_mut(self.resources.threads, &mut self.trees, work).unwrap_or_else(|panic| {
            // A tree may be in an inconsistent state.
            self.forget();
            panic.resume()
        });
        self.sum_up(mover, done.into_iter().sum())
    }

    /// Adds up the results of the trees.
    fn sum_up(&self, seat: Option<Seat>, playouts: u32) -> SearchResult<G::Choice> {
        let mut sums: Vec<(G::Choice, Visits)> = Vec::new();
        let mut whole = Visits::default();
        for tree in &self.trees {
            add(&mut whole, tree.root());
            tree.each_choice(|choice, visits| match sums.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, sum)) => add(sum, visits),
                None => sums.push((choice, visits)),
            });
        }
        let mut lines: Vec<Line<G::Choice>> = Vec::new();
        if let Some(seat) = seat {
            lines.extend(sums.into_iter().map(|(choice, visits)| Line {
                choice,
                visits: visits.visits,
                chances: mean(visits),
                then: Vec::new(),
            }));
            let worth = |line: &Line<_>| line.chances.get(seat.index()).copied().unwrap_or_default();
            lines.sort_by(|a, b| b.visits.cmp(&a.visits).then(worth(b).total_cmp(&worth(a))));
        }
        if let Some(tree) = self.trees.first() {
            for line in lines.iter_mut().take(8) {
                line.then = tree.line(line.choice, 16, 6);
            }
        }
        let (chances, visits) = match lines.first() {
            Some(best) => (best.chances, best.visits),
            None => (mean(whole), whole.visits),
        };
        SearchResult {
            seat,
            error: standard_error(chances[0], visits),
            chances,
            lines,
            playouts,
            nodes: self.trees.iter().map(Tree::len).sum(),
        }
    }
}

fn add(sum: &mut Visits, more: Visits) {
    sum.visits += more.visits;
    for (sum, more) in sum.total.iter_mut().zip(more.total) {
        *sum += more;
    }
}

fn mean(visits: Visits) -> [f64; SEATS] {
    visits.total.map(|total| f64::from(total) / f64::from(visits.visits.max(1)))
}
