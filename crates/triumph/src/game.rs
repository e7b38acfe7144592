//! The game as the kernel knows it.

use std::sync::Arc;

use diagnostics::{FileCheck, Problems};
use kernel::{
    Answer, Catalogue, Dice, Effort, EventSink, FeatureSink, Game, Judgement, LessonFile, Mover, Options,
    Outcome, ResultInfo, Seat, SeatInfo, Setup, Standing, Tuning, Viewer,
};

use crate::checks;
use crate::choice::Choice;
use crate::factions::{Faction, Parties};
use crate::game_event::GameEvent;
use crate::policy::{Character, characters};
use crate::results::{SHARED, WAYS, WORDS, result};
use crate::rules::Rules;
use crate::settings::{HELP, Settings};
use crate::setups;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::statistics;
use crate::view::View;

/// Triumph & Tragedy: the whole game or the one from 1939, for three players or two.
///
/// ```
/// use kernel::{Discard, Game, Match, MatchDice, Options};
/// use triumph::Triumph;
///
/// let game = Triumph::with_options(&Options::new())?;
/// let mut war = Match::new(game, MatchDice::seeded(3));
/// let choice = war.choices()[0];
/// war.play(choice, &mut Discard).expect("a listed choice is open");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Triumph {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rules: Rules,
    seats: Vec<SeatInfo>,
    results: Vec<ResultInfo>,
}

impl Triumph {
    /// The game of some settings.
    pub fn new(settings: Settings) -> Self {
        let rules = Rules::new(settings);
        let seats = if rules.settings.two_players {
            vec![SeatInfo { word: "axis", title: "Axis" }, SeatInfo { word: "allies", title: "Allies" }]
        } else {
            Faction::ALL
                .iter()
                .map(|faction| SeatInfo { word: faction.word(), title: faction.title() })
                .collect()
        };
        let standings = |winners: Parties| -> Vec<Standing> {
            let winning = |at: usize| {
                Faction::ALL
                    .into_iter()
                    .any(|faction| winners.has(faction) && rules.seat_of(faction).index() == at)
            };
            let count = (0..seats.len()).filter(|at| winning(*at)).count();
            let win = if count > 1 { Standing::Draw } else { Standing::Win };
            (0..seats.len()).map(|at| if winning(at) { win } else { Standing::Loss }).collect()
        };
        let mut results = Vec::new();
        for faction in Faction::ALL {
            for (way, (_, title)) in WAYS.iter().enumerate() {
                results.push(ResultInfo {
                    word: WORDS[faction.index()][way],
                    title: format!("{}: {title}", faction.title()),
                    standings: standings(Parties::one(faction)),
                });
            }
        }
        for (word, title, parties) in SHARED {
            results.push(ResultInfo {
                word,
                title: title.to_owned(),
                standings: standings(Parties(parties)),
            });
        }
        Self { inner: Arc::new(Inner { rules, seats, results }) }
    }

    /// The rules of this set-up.
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

/// The phase that a position is in; what is hidden may show when it changes.
const fn phase(state: &State) -> (u8, u8, u8, u8, u8) {
    let step = match state.stage {
        Stage::Spend | Stage::Step | Stage::Build | Stage::BuildAt => 1 + state.at,
        Stage::Government | Stage::Pay(_) => 4,
        Stage::Discard => 5,
        Stage::Command | Stage::Winter => 6,
        Stage::Movement | Stage::Destination | Stage::WarCard(_) | Stage::Protectorate(..) => 7,
        Stage::Fight(_) | Stage::Select => 8,
        Stage::Leave(_, why) => 11 + why as u8,
        Stage::Rebase | Stage::Escape(_) => 9,
        Stage::Over => 10,
        Stage::SecondCard => 16,
        _ => 0,
    };
    let turns = state.turns[0].is_some() as u8 + state.turns[1].is_some() as u8;
    (state.year, state.part as u8, state.turn.faction as u8, turns, step)
}

impl Game for Triumph {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View;

    const ID: &'static str = "triumph";
    const TITLE: &'static str = "Triumph & Tragedy";

    fn with_options(options: &Options) -> Result<Self, String> {
        Settings::read(options).map(Self::new)
    }

    fn options(&self) -> Options {
        self.rules().settings.options()
    }

    fn seats(&self) -> &[SeatInfo] {
        &self.inner.seats
    }

    fn results(&self) -> &[ResultInfo] {
        &self.inner.results
    }

    fn hides(&self) -> bool {
        true
    }

    fn start(&self) -> State {
        self.rules().start()
    }

    #[inline]
    fn mover(&self, state: &State) -> Mover {
        self.rules().mover(state)
    }

    #[inline]
    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        self.rules().list(state, out);
    }

    #[inline]
    fn tickets(&self, state: &State) -> u32 {
        self.rules().tickets(state)
    }

    #[inline]
    fn drawn(&self, state: &State, ticket: u32) -> Choice {
        self.rules().drawn(state, ticket)
    }

    #[inline]
    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        self.rules().play(state, choice, sink);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.map(result)
    }

    /// A season: five a year.
    fn turn(&self, state: &State) -> u16 {
        let years = u16::from(state.year.saturating_sub(36));
        years * 5 + state.part as u16 + 1
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.rules().view(state, viewer)
    }

    fn determinize<D: Dice>(&self, view: &View, dice: &mut D) -> State {
        self.rules().determinize(view, dice)
    }

    /// Types of units, what is picked, drawn, committed or vaulted: known to its owner only.
    fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let rules = self.rules();
        let owners = match (choice, state.stage) {
            // Everybody sees the pips of a unit that lies face up.
            (Choice::Step(block), _) if state.blocks[usize::from(block)].is(flag::REVEALED) => return false,
            (Choice::Cadre(_), _)
            | (Choice::Muster(_), _)
            | (Choice::Step(_), _)
            | (Choice::New(..), _)
            | (Choice::Move(_), _) => rules.decider(state),
            (Choice::Commit(_), Stage::Command) if !rules.is_last_to_commit(state) => rules.decider(state),
            (Choice::Pair(_, _, find), _) if find.vault() => rules.decider(state),
            (Choice::Card(_), Stage::Draw(after)) => {
                let due = Rules::next_due(state).map(|(faction, _)| faction);
                if due.is_some_and(|faction| rules.draws_to_stack(state, faction, after)) {
                    return true;
                }
                due
            }
            (Choice::Card(_), Stage::SetAside(passive, ..)) => Some(passive),
            (Choice::Card(_), Stage::SpyCard(by, target, _)) => {
                let parties = [by, target];
                return !parties.iter().any(|faction| Viewer::Seat(rules.seat_of(*faction)) == viewer);
            }
            (Choice::Take(_, find), Stage::Mole(_, user, victim)) if find.vault() => {
                let parties = [user, victim];
                return !parties.iter().any(|faction| Viewer::Seat(rules.seat_of(*faction)) == viewer);
            }
            (Choice::Chit(_), Stage::Chit(faction, _)) => Some(faction),
            _ => return false,
        };
        owners.is_none_or(|faction| Viewer::Seat(rules.seat_of(faction)) != viewer)
    }

    /// Whatever shows units, hands or vaults can't be taken back; and a new phase may show who holds what, who starves and
    /// what everybody has committed.
    fn reveals(&self, state: &State, choice: Choice) -> bool {
        match choice {
            Choice::Select(_)
            | Choice::Against(_)
            | Choice::Group(_)
            | Choice::Fight(_)
            | Choice::Avoid(_)
            | Choice::Reveal(_)
            | Choice::Spy(..)
            | Choice::Disband(_)
            // A type that does not arrive is used up. Ruling R50.
            | Choice::Arrive(_)
            | Choice::LetItPass
            | Choice::DoubleAgent
            | Choice::Aim(_) => true,
            _ => {
                let mut after = *state;
                self.rules().play(&mut after, choice, &mut kernel::Discard);
                phase(&after) != phase(state)
            }
        }
    }

    /// Where a question tells that there was something to choose, it is asked in any case: what a hand, a vault, a pool or a
    /// unit that nobody else sees allows is not known by an answer that comes at once.
    fn may_play_forced(&self, state: &State) -> bool {
        match state.stage {
            Stage::DoubleAgent(..)
            | Stage::Command
            | Stage::SecondCard
            | Stage::WarCard(_)
            | Stage::Winter
            | Stage::Government
            | Stage::FreePlay(_)
            | Stage::Mole(..)
            | Stage::Muster(_)
            | Stage::Vault(_)
            | Stage::Fight(_)
            | Stage::Movement
            | Stage::Destination
            | Stage::Spend
            | Stage::Step
            | Stage::Build
            | Stage::BuildAt => false,
            Stage::Action(faction) => !self.rules().may_have_ships_nearby(state, faction),
            _ => true,
        }
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        self.rules().invariants(state)
    }
}

impl Judgement for Triumph {
    type Memory = ();

    fn value(&self, state: &State, seat: Seat) -> f32 {
        self.rules().chance_of(state, self.rules().factions_of(seat))
    }

    /// A game has a thousand decisions, and most of its luck lies in what is not seen: playouts end with the next season, the
    /// luck of what is guessed is taken off, and a choice must be clearly better than the master's of the Faction, whose
    /// plans are longer than a season.
    fn tuning(&self) -> Tuning {
        Tuning {
            playouts: 256,
            review: 512,
            horizon: Some(1),
            exploration: 0.1,
            considered_playouts: true,
            doubt: 0.04,
            trust: 0.6,
            leveling: 1.0,
            stakes: 0.005,
            ..Tuning::default()
        }
    }

    fn bots() -> &'static [(&'static str, &'static str)] {
        characters()
    }

    fn policy<D: Dice>(
        &self,
        effort: Effort,
        _memory: &mut (),
        view: &View,
        choices: &[Choice],
        dice: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        let character = match effort {
            Effort::Bot(at) => Character::builtin(at),
            Effort::Considered => {
                self.rules().decider(view.state()).map_or(Character::builtin(0), Character::master)
            }
            Effort::Playout | Effort::Quick => Character::builtin(0),
        };
        self.rules().character_choice(character, view, choices, dice, why)
    }

    fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        self.rules().features(view, out);
    }
}

impl Catalogue for Triumph {
    const ALARMS: &'static [&'static str] = &["war **", "violate **", "fight **", "raid **"];
    const PITCH: &'static str = setups::PITCH;
    const LEGEND: &'static [(&'static str, &'static str)] = setups::LEGEND;
    const LESSONS: &'static [LessonFile] = setups::LESSONS;

    fn setups() -> Vec<Setup> {
        setups::setups()
    }

    const METRIC: &'static str = "VP of the leader";

    fn metric(&self, state: &State) -> i32 {
        self.rules().metric(state)
    }

    fn counters(&self) -> Vec<String> {
        statistics::counters()
    }

    fn counter(&self, event: &GameEvent) -> Option<usize> {
        self.rules().counter(event)
    }

    fn questions(&self, view: &View) -> Vec<String> {
        self.rules().questions(view)
    }

    fn answer(&self, view: &View, question: &str) -> Result<Answer, String> {
        self.rules().answer(view, question)
    }

    fn odds_help() -> &'static str {
        crate::calculator::HELP
    }

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &HELP
    }

    fn place(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        self.rules().set_by_hand(state, key, value)
    }

    fn check_builtin() -> Result<Vec<String>, Problems> {
        checks::builtin()
    }

    fn file_kinds() -> &'static [(&'static str, &'static str)] {
        checks::KINDS
    }

    fn check_file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
        checks::file(kind, name, text)
    }

    fn built_in(kind: &str) -> Vec<(&'static str, &'static str)> {
        checks::built_in(kind)
    }
}
