//! Monte-Carlo tree search for any game.
//!
//! A search imagines what is to come: it plays a position out thousands of times by the game's quick policy, remembers in a
//! tree how the choices at its beginning did, and looks more often where that is worth it. Fate is a player in the tree, only
//! that its choices come as often as their weights say. What a seat can't know is imagined anew for every playout.
//!
//! With a budget of playouts the same seed finds the same, whatever the number of threads: the budget is shared out to a
//! number of trees that follows from it alone, each with dice of its own, and what the trees found is added up.

pub mod playout;
mod tree;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kernel::{Game, LabDice, Mover, Seat, Tuning, Viewer, fingerprint};

use playout::{Ground, SEATS};
use tree::{Root, Tally, Tree, mark_of};

/// A tree gets at least so many playouts before there is a second one: who asks for chances is served by several trees that know
/// nothing of each other, who has to decide by deeper ones.
const PLAYOUTS_A_TREE: u32 = 4_000;
const PLAYOUTS_A_DEEP_TREE: u32 = 16_000;
/// After so many playouts a tree looks whether its choice is settled.
const LOOK_EVERY: u32 = 16;
/// More trees than this find no more.
const MOST_TREES: u32 = 8;

/// What [`Means::all`] gives a search for its trees: a setting of the whole program.
static TREE_MEMORY: AtomicUsize = AtomicUsize::new(256 << 20);

/// How much a search may think about one choice: whichever ends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    /// So many playouts.
    pub playouts: u32,
    /// So long.
    pub time: Duration,
    /// Whether it is enough to know what to do: what was found out before counts then, and thinking ends when no other choice
    /// can come out ahead any more. Who asks for chances wants them as exact as the budget allows.
    pub only_decide: bool,
}

impl Budget {
    /// So many playouts, however long that takes.
    pub const fn playouts(playouts: u32) -> Self {
        Self { playouts, time: Duration::MAX, only_decide: false }
    }

    /// So long, however many playouts that gives.
    pub const fn time(time: Duration) -> Self {
        Self { playouts: u32::MAX, time, only_decide: false }
    }
}

impl Budget {
    /// The same for one who only wants to know what to do.
    #[must_use]
    pub const fn only_deciding(mut self) -> Self {
        self.only_decide = true;
        self
    }
}

/// What a search may use of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Threads.
    pub threads: usize,
    /// Bytes for trees, all together.
    pub memory: usize,
}

impl Means {
    /// One thread: for many games at a time.
    pub const fn single() -> Self {
        Self { threads: 1, memory: 64 << 20 }
    }

    /// Everything: for a table with people who wait.
    pub fn all() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, memory: TREE_MEMORY.load(Ordering::Relaxed) }
    }

    /// Sets how many bytes the trees of a search may take that has everything.
    pub fn set_memory(bytes: usize) {
        TREE_MEMORY.store(bytes, Ordering::Relaxed);
    }
}

/// What was found out about one choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<C> {
    /// The choice.
    pub choice: C,
    /// Playouts that went this way.
    pub visits: u32,
    /// What each seat may expect, as search finds it: from 0 for a loss to 1 for a win.
    pub chances: [f64; SEATS],
    /// What is most likely to follow.
    pub then: Vec<C>,
}

impl<C> Line<C> {
    /// The standard error of the chances.
    pub fn error(&self) -> f64 {
        standard_error(self.chances[0], self.visits)
    }
}

/// The standard error of a chance that was found by so many playouts; never nothing, for what never happened in them may
/// happen still.
pub fn standard_error(chance: f64, playouts: u32) -> f64 {
    let n = f64::from(playouts.max(1));
    let p = (chance * n + 1.0) / (n + 2.0);
    (p * (1.0 - p) / n).sqrt()
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Thoughts<C> {
    /// Whose choice it is; `None` for Fate's.
    pub seat: Option<Seat>,
    /// The choices, most looked at first; empty where Fate chooses.
    pub lines: Vec<Line<C>>,
    /// What each seat may expect of the position, as search finds it.
    pub chances: [f64; SEATS],
    /// The standard error of that.
    pub error: f64,
    /// Playouts that were made for it now.
    pub playouts: u32,
    /// Nodes of all trees.
    pub nodes: usize,
}

/// A search that remembers its trees from choice to choice.
#[derive(Clone, Debug)]
pub struct Search<G: Game> {
    trees: Vec<Tree<G>>,
    means: Means,
    /// Other numbers than the game's own, for those who look for better ones.
    tuning: Option<Tuning>,
}

/// What to think about.
#[derive(Debug)]
pub enum About<'a, G: Game> {
    /// What somebody sees, whoever is to choose.
    Sight(&'a G::Sight, Viewer),
    /// A position in which everything is known, whoever is to choose.
    Position(&'a G::State),
}

impl<G: Game> Clone for About<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for About<'_, G> {}

impl<G: Game> Search<G> {
    /// A search that has thought of nothing yet.
    pub fn new(means: Means) -> Self {
        Self { trees: Vec::new(), means, tuning: None }
    }

    /// The same with other numbers than the game's own.
    #[must_use]
    pub fn tuned(mut self, tuning: Tuning) -> Self {
        self.tuning = Some(tuning);
        self
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.trees.clear();
    }

    /// What a node of its trees takes, in bytes.
    pub const NODE_BYTES: usize = Tree::<G>::NODE_BYTES;

    /// Thinks until the budget is used up or `stop` is set, and says what was found. Every third playout goes by `focus`,
    /// where there is one, so that it is known well however bad it is.
    pub fn think(
        &mut self,
        game: &G,
        about: About<'_, G>,
        budget: Budget,
        seed: u64,
        focus: Option<G::Choice>,
        stop: &AtomicBool,
    ) -> Thoughts<G::Choice> {
        let begin = Instant::now();
        let mut ground = Ground::of(game);
        if let Some(tuning) = self.tuning {
            ground.tuning = tuning;
        }
        let mut dice = LabDice::new(seed);
        let position = match about {
            About::Position(state) => state.clone(),
            About::Sight(sight, _) => game.imagine(sight, &mut dice),
        };
        let mover = if let Mover::Seat(seat) = game.mover(&position) { Some(seat) } else { None };
        let (root, eyes) = match about {
            About::Sight(sight, viewer) if ground.hides => {
                let eyes = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
                (Root::Seen(Box::new(sight.clone())), eyes)
            }
            // Who knows everything sees everything.
            About::Position(_) if ground.hides => (Root::Known(position), None),
            About::Position(_) | About::Sight(..) => (Root::Known(position), mover),
        };
        let mark = match (&root, mover) {
            (Root::Known(state), Some(seat)) => mark_of(game, state, seat),
            (Root::Known(_), None) => 0,
            (Root::Seen(sight), _) => fingerprint(&**sight).max(1),
        };
        let trees = match budget.playouts {
            u32::MAX => self.means.threads as u32,
            playouts if budget.only_decide => (playouts / PLAYOUTS_A_DEEP_TREE).clamp(1, MOST_TREES),
            playouts => (playouts / PLAYOUTS_A_TREE).clamp(1, MOST_TREES),
        };
        let limit = self.means.memory / Tree::<G>::NODE_BYTES / trees as usize;
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
            // At least one, so that there is something to say.
            while done < playouts && (done == 0 || !stop.load(Ordering::Relaxed)) {
                tree.playout(game, &ground, &root, focus);
                done += 1;
                if budget.only_decide && done % LOOK_EVERY == 0 && tree.is_settled(playouts - done) {
                    break;
                }
                if done > 1 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    break;
                }
            }
            done
        };
        let playouts = spread(&mut self.trees, self.means.threads, work);
        self.sum_up(mover, playouts)
    }

    /// Adds up what the trees found.
    fn sum_up(&self, seat: Option<Seat>, playouts: u32) -> Thoughts<G::Choice> {
        let mut tallies: Vec<(G::Choice, Tally)> = Vec::new();
        let mut whole = Tally::default();
        for tree in &self.trees {
            add(&mut whole, tree.root());
            tree.each_choice(|choice, tally| match tallies.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, sum)) => add(sum, tally),
                None => tallies.push((choice, tally)),
            });
        }
        let mut lines: Vec<Line<G::Choice>> = Vec::new();
        if let Some(seat) = seat {
            lines.extend(tallies.into_iter().map(|(choice, tally)| Line {
                choice,
                visits: tally.visits,
                chances: mean(tally),
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
        Thoughts {
            seat,
            error: standard_error(chances[0], visits),
            chances,
            lines,
            playouts,
            nodes: self.trees.iter().map(Tree::len).sum(),
        }
    }
}

/// Lets each tree work, on several threads where that is wanted; returns the sum of what they did.
fn spread<T: Send>(trees: &mut [T], threads: usize, work: impl Fn(usize, &mut T) -> u32 + Sync) -> u32 {
    let threads = threads.clamp(1, trees.len().max(1));
    if threads == 1 {
        return trees.iter_mut().enumerate().map(|(at, tree)| work(at, tree)).sum();
    }
    let queue = std::sync::Mutex::new(trees.iter_mut().enumerate());
    let next = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let labour = || {
        let mut done = 0;
        while let Some((at, tree)) = next() {
            done += work(at, tree);
        }
        done
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(labour)).collect();
        let own = labour();
        own + others.into_iter().map(|other| other.join().unwrap_or_default()).sum::<u32>()
    })
}

fn add(sum: &mut Tally, more: Tally) {
    sum.visits += more.visits;
    for (sum, more) in sum.total.iter_mut().zip(more.total) {
        *sum += more;
    }
}

fn mean(tally: Tally) -> [f64; SEATS] {
    tally.total.map(|total| f64::from(total) / f64::from(tally.visits.max(1)))
}
