//! A bot that plays a seat for one match.

use std::any::Any;
use std::sync::atomic::AtomicBool;

use kernel::{CompleteGame, Dice, Effort, LabDice, Match, Mover, Seat, Table, Viewer};

use crate::search::plans::{Crossroads, PlanSearch};
use crate::search::playout::SearchContext;
use crate::search::{Line, Resources, Search, SearchResult, Subject, TooManySeats};
use crate::{Bot, BotKind, Greedy, LEVELS, OneStep, Random};

/// A bot that plays a seat for one match. Check with [`BotKind::check_seats`] first whether it can play a game: a search
/// panics in a game with too many seats.
#[derive(Clone, Debug)]
pub struct Player<G: CompleteGame> {
    kind: BotKind,
    memory: G::Memory,
    search: Option<Box<Search<G>>>,
    plans: PlanSearch<G>,
}

impl<G: CompleteGame> Player<G> {
    /// A new bot whose search uses one thread.
    pub fn new(kind: BotKind) -> Self {
        Self::with_resources(kind, Resources::single())
    }

    /// A new bot whose search may use these resources.
    pub fn with_resources(kind: BotKind, resources: Resources) -> Self {
        Self {
            kind,
            memory: G::Memory::default(),
            search: kind.searches().then(|| Box::new(Search::new(resources))),
            plans: PlanSearch::new(resources),
        }
    }

    /// Forgets everything, for a new match.
    pub fn begin(&mut self) {
        self.memory = G::Memory::default();
        self.plans.forget();
        if let Some(search) = &mut self.search {
            search.forget();
        }
    }

    /// Makes a choice as in a simulation: an index into `choices`. When `stop` is set it soon returns, with whatever it has
    /// found.
    #[inline]
    pub fn choose_until(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        choices: &[G::Choice],
        dice: &mut LabDice,
        stop: &AtomicBool,
    ) -> usize {
        self.pick(game, view, choices, dice, None, stop)
    }

    /// Picks a choice; if `why` is given, the bot may write its reason into it.
    #[inline]
    fn pick(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        choices: &[G::Choice],
        dice: &mut LabDice,
        why: Option<&mut String>,
        stop: &AtomicBool,
    ) -> usize {
        match self.kind {
            BotKind::Random => Random.choose(game, view, choices, dice),
            BotKind::Greedy => Greedy.choose(game, view, choices, dice),
            BotKind::OneStep => OneStep::default().choose(game, view, choices, dice),
            BotKind::Own(at) => {
                game.policy(Effort::Bot(usize::from(at)), &mut self.memory, view, choices, dice, why)
            }
            BotKind::Level(_) | BotKind::Playouts(_) | BotKind::Millis(_) => {
                self.think(game, view, choices, dice, why, stop)
            }
        }
    }

    /// Searches with the budget of its level and takes a choice: among plans where the game has some, otherwise in a tree.
    fn think(
        &mut self,
        game: &G,
        view: &G::View<'_>,
        choices: &[G::Choice],
        dice: &mut LabDice,
        why: Option<&mut String>,
        stop: &AtomicBool,
    ) -> usize {
        let (Some(search), Some(budget)) = (&mut self.search, self.kind.budget(game)) else { return 0 };
        let seed = u64::from(dice.word()) << 32 | u64::from(dice.word());
        if choices.len() < 2 {
            return 0;
        }
        let position = game.determinize(view, dice);
        let Mover::Seat(seat) = game.mover(&position) else { return 0 };
        let found = if game.plans() > 1 {
            if !game.is_crossroads(view, choices) {
                return self.plans.follow(game, view, choices, dice, why);
            }
            let context = SearchContext::of(game).unwrap_or_else(|why| panic!("{why}"));
            let crossroads = Crossroads { view, seat, choices };
            self.plans.think(&context, game, &crossroads, budget, seed, stop)
        } else {
            let about = Subject::View(view, Viewer::Seat(seat));
            let found = search.think(game, about, budget.only_deciding(), seed, None, stop);
            found.unwrap_or_else(|why| panic!("{why}"))
        };
        let taken = match self.kind {
            BotKind::Level(at) => {
                LEVELS[usize::from(at)].take(&found.lines, seat.index(), &game.tuning(), dice)
            }
            _ => 0,
        };
        let Some(line) = found.lines.get(taken) else { return 0 };
        if let Some(why) = why {
            *why = reason(game, &position, seat, &found, line);
        }
        choices.iter().position(|choice| *choice == line.choice).unwrap_or_default()
    }
}

/// The reason for a search's choice.
fn reason<G: CompleteGame>(
    game: &G,
    position: &G::State,
    seat: Seat,
    found: &SearchResult<G::Choice>,
    taken: &Line<G::Choice>,
) -> String {
    let tuning = game.tuning();
    let percent = |line: &Line<G::Choice>| {
        100.0 * tuning.calibrated(line.chances.get(seat.index()).copied().unwrap_or_default())
    };
    let mut why = format!("Win chance {:.0} % this way", percent(taken));
    if let Some(other) = found.lines.iter().find(|line| line.choice != taken.choice) {
        let mut name = String::new();
        game.write_name(position, other.choice, &mut name);
        why.push_str(&format!("; with {name} {:.0} %", percent(other)));
    }
    why.push_str(&format!(" ({} playouts).", found.playouts));
    why
}

/// For simulations: without reasons and without a stop flag.
impl<G: CompleteGame> Bot<G> for Player<G> {
    #[inline]
    fn choose(&mut self, game: &G, view: &G::View<'_>, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        static NEVER: AtomicBool = AtomicBool::new(false);
        self.pick(game, view, choices, dice, None, &NEVER)
    }
}

/// A bot's choice at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotChoice {
    /// The name of its choice.
    pub choice: String,
    /// Its reason, for people; may be empty. It may use hidden information of the bot's seat.
    pub why: String,
}

/// A bot in a seat, without the type of its game.
pub trait SeatedBot: Send {
    /// Refuses a game with too many seats for this bot.
    fn check_seats(&self, _seats: usize) -> Result<(), TooManySeats> {
        Ok(())
    }

    /// Makes a choice for the seat to move; `None` if the table is of another game or it is no seat's turn. When `stop` is set
    /// it soon answers with the best choice found so far.
    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice, stop: &AtomicBool) -> Option<BotChoice>;

    /// Called when the game is over.
    fn game_over(&mut self, _table: &dyn Table) {}

    /// Whether a bot of the same name that has just sat down at another machine may make the next choice in its place: it would take
    /// a while, and it has nothing in mind that the other would have to know. The other may choose otherwise, and as well.
    fn may_think_elsewhere(&self, _table: &dyn Table) -> bool {
        false
    }
}

impl<G: CompleteGame> SeatedBot for Player<G> {
    fn check_seats(&self, seats: usize) -> Result<(), TooManySeats> {
        self.kind.check_seats(seats)
    }

    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice, stop: &AtomicBool) -> Option<BotChoice> {
        let game_match = (table as &dyn Any).downcast_ref::<Match<G>>()?;
        let Mover::Seat(seat) = game_match.mover() else { return None };
        let game = game_match.game();
        let view = game.view(game_match.state(), Viewer::Seat(seat));
        let choices = game_match.choices();
        let mut why = String::new();
        let pick = self.pick(game, &view, &choices, dice, Some(&mut why), stop);
        choices.get(pick).map(|&choice| BotChoice { choice: game_match.name(choice), why })
    }

    fn may_think_elsewhere(&self, table: &dyn Table) -> bool {
        let Some(game_match) = (table as &dyn Any).downcast_ref::<Match<G>>() else { return false };
        // What a tree still knows of earlier choices makes a choice a little better at most; of a plan the next choices are a part.
        let is_told_all = self.kind.searches() && game_match.game().plans() == 1;
        is_told_all && matches!(game_match.mover(), Mover::Seat(_)) && game_match.choices().len() > 1
    }
}
