//! The game as the kernel knows it.

use std::sync::Arc;

use diagnostics::{FileCheck, Problems};
use kernel::{
    Answer, Catalogue, Dice, EventSink, Game, LessonFile, Mover, Options, Outcome, ResultInfo, SeatInfo,
    Setup, Viewer,
};

use crate::checks;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::ids::Country;
use crate::legend::LEGEND;
use crate::odds;
use crate::rules::Rules;
use crate::settings::{HELP, Settings};
use crate::setups;
use crate::state::State;
use crate::victory;
use crate::view::View;

/// Unconditional Surrender!: a scenario, or the whole war.
#[derive(Clone, Debug)]
pub struct Surrender {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rules: Rules,
    seats: Vec<SeatInfo>,
    results: Vec<ResultInfo>,
    /// The opening position, which every game begins with.
    start: State,
}

impl Surrender {
    /// The game of some settings.
    pub fn new(settings: Settings) -> Self {
        let rules = Rules::new(settings);
        let scenario = rules.scenario();
        let seats: Vec<SeatInfo> = scenario
            .factions
            .iter()
            .map(|faction| SeatInfo { word: faction.word(), title: faction.title() })
            .collect();
        let results = victory::results(scenario);
        let start = rules.start();
        Self { inner: Arc::new(Inner { rules, seats, results, start }) }
    }

    /// The rules of this set-up.
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

impl Game for Surrender {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View<'s>;

    const ID: &'static str = "surrender";
    const TITLE: &'static str = "Unconditional Surrender!";

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
        self.rules().settings.secret
    }

    fn start(&self) -> State {
        self.inner.start
    }

    fn mover(&self, state: &State) -> Mover {
        self.rules().mover(state)
    }

    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        self.rules().list(state, out);
    }

    fn tickets(&self, state: &State) -> u32 {
        self.rules().tickets(state)
    }

    fn drawn(&self, state: &State, ticket: u32) -> Choice {
        self.rules().drawn(state, ticket)
    }

    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        self.rules().play(state, choice, sink);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.map(Outcome)
    }

    /// A month.
    fn turn(&self, state: &State) -> u16 {
        u16::from(state.turn) + 1
    }

    fn view<'s>(&self, state: &'s State, viewer: Viewer) -> View<'s> {
        self.rules().view(state, viewer)
    }

    fn determinize<D: Dice>(&self, view: &View<'_>, dice: &mut D) -> State {
        self.rules().determinize(view, dice)
    }

    fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        self.rules().conceals(state, choice, viewer)
    }

    fn reveals(&self, state: &State, _: Choice) -> bool {
        self.rules().reveals(state)
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        self.rules().invariants(state)
    }
}

impl Catalogue for Surrender {
    const ALARMS: &'static [&'static str] =
        &["declare **", "attack **", "assault **", "bomb **", "strike **", "invade **"];
    const PITCH: &'static str = setups::PITCH;
    const RULEBOOK: &'static str = include_str!("../../../docs/rules/surrender.md");
    const LEGEND: &'static [(&'static str, &'static str)] = LEGEND;
    const LESSONS: &'static [LessonFile] = setups::LESSONS;

    fn setups() -> Vec<Setup> {
        setups::setups()
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

    /// Countries that fall, and when, are what a batch of wars is read for.
    fn counters(&self) -> Vec<String> {
        let name = |country| format!("{} falls", self.rules().world.country(country).name);
        Country::all().map(name).collect()
    }

    fn counter(&self, event: &GameEvent) -> Option<usize> {
        match event {
            GameEvent::Conquered(country, _) => Some(country.index()),
            _ => None,
        }
    }

    fn questions(&self, view: &View<'_>) -> Vec<String> {
        self.rules().questions(view.state())
    }

    fn answer(&self, view: &View<'_>, question: &str) -> Result<Answer, String> {
        self.rules().answer(view.state(), question)
    }

    fn odds_help() -> &'static str {
        odds::HELP
    }

    fn place(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        let (key, about) = key.split_once(' ').unwrap_or((key, ""));
        self.rules().set_part(state, key, about, value)
    }

    fn option_help() -> &'static [(&'static str, &'static str)] {
        HELP
    }
}
