//! The game as the kernel knows it.

use std::sync::Arc;

use diagnostics::FileCheck;
use diagnostics::Problems;
use kernel::{
    Answer, Catalogue, Dice, Effort, EventSink, FeatureSink, Fold, Game, Judgement, LessonFile, LogLine,
    Mover, Options, Outcome, Prompt, Refusal, ResultInfo, Seat, SeatInfo, Setup, Standing, Tuning, Viewer,
    Wording,
};
use serde_json::Value;

use crate::calculator;
use crate::checks;
use crate::choice::Choice;
use crate::commander::{self, Memory, own_commanders};
use crate::game_event::{Fate, GameEvent};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::settings::{HELP, Settings};
use crate::setups;
use crate::state::{Stage, State, Verdict};
use crate::view::View;

/// D-Day to Berlin: a scenario and its settings.
///
/// ```
/// use dday::DDay;
/// use kernel::{Game, Match, MatchDice, Options, Discard};
///
/// let game = DDay::with_options(&Options::new())?;
/// let mut battle = Match::new(game, MatchDice::seeded(3));
/// battle.play_forced(&mut Discard); // supports are rolled for
/// let choice = battle.choices()[0];
/// battle.play(choice, &mut Discard).expect("a listed choice is open");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct DDay {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rules: Rules,
    seats: [SeatInfo; 2],
    results: Vec<ResultInfo>,
}

/// What is counted in a batch.
const COUNTERS: [&str; 13] = [
    "Activation",
    "Assault",
    "Bombardment",
    "Air strike",
    "Battalion shattered",
    "Retreat",
    "Breakthrough",
    "Objective or supply point taken",
    "Battalion rallied",
    "Engineering task done",
    "Night",
    "Battalion lost by the aggressor",
    "Battalion lost by the defender",
];

impl DDay {
    /// The game of some rules.
    pub fn new(rules: Rules) -> Self {
        let seats = Side::ALL.map(|side| {
            let info = &rules.scenario.sides[side.index()];
            let nation = crate::Battalions::builtin().nation(&info.id);
            SeatInfo { word: info.word, title: nation.map_or(info.word, |nation| nation.name.as_str()) }
        });
        let aggressor = rules.scenario.aggressor;
        let results = Verdict::ALL
            .into_iter()
            .map(|verdict| ResultInfo {
                word: verdict_word(verdict),
                title: rules.verdict_title(verdict),
                standings: Side::ALL.map(|side| standing(verdict, side == aggressor)).to_vec(),
            })
            .collect();
        Self { inner: Arc::new(Inner { rules, seats, results }) }
    }

    /// The rules of this set-up.
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AggressorBreak => "aggressor_break",
        Verdict::AggressorSudden => "aggressor_sudden",
        Verdict::AggressorPoints => "aggressor_points",
        Verdict::DefenderBreak => "defender_break",
        Verdict::DefenderPoints => "defender_points",
        Verdict::DrawPoints => "draw_points",
        Verdict::DrawBroken => "draw_broken",
    }
}

const fn standing(verdict: Verdict, aggressor: bool) -> Standing {
    match verdict.won_by_aggressor() {
        None => Standing::Draw,
        Some(won) if won == aggressor => Standing::Win,
        Some(_) => Standing::Loss,
    }
}

impl Game for DDay {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View<'s>;

    const ID: &'static str = "dday";
    const TITLE: &'static str = "D-Day to Berlin";
    const RULES_VERSION: &'static str = "2";

    fn with_options(options: &Options) -> Result<Self, String> {
        let (scenario, settings) = Settings::read(options)?;
        Ok(Self::new(Rules::new(scenario, settings)))
    }

    /// Rules 1 had other readings of four rules (rulings R61 to R64), and the scenarios of set-up 1.
    fn options_under(rules: &str) -> Options {
        Settings::options_under(rules)
    }

    fn options(&self) -> Options {
        self.rules().settings.options(&self.rules().scenario)
    }

    fn seats(&self) -> &[SeatInfo] {
        &self.inner.seats
    }

    fn results(&self) -> &[ResultInfo] {
        &self.inner.results
    }

    #[inline]
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
    fn tickets(&self, _: &State) -> u32 {
        10
    }

    #[inline]
    fn drawn(&self, _: &State, ticket: u32) -> Choice {
        Choice::Die(ticket as u8 + 1)
    }

    #[inline]
    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        self.rules().play(state, choice, sink);
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.map(|verdict| Outcome(verdict as u8))
    }

    fn turn(&self, state: &State) -> u16 {
        state.turn.into()
    }

    fn view<'s>(&self, state: &'s State, _: Viewer) -> View<'s> {
        View::new(state)
    }

    fn determinize<D: Dice>(&self, view: &View<'_>, _: &mut D) -> State {
        view.state().clone()
    }

    /// The end of a phase is never taken for a player, nor a word that rolls the dice (ruling R61).
    fn may_play_forced(&self, state: &State) -> bool {
        match state.stage {
            Stage::Movement | Stage::Combat | Stage::NightMoves => false,
            Stage::Group | Stage::AssaultForce | Stage::RangedFire | Stage::AssaultFire => {
                !self.rules().confirms()
            }
            _ => true,
        }
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        self.rules().invariants(state)
    }
}

impl Wording for DDay {
    fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        self.rules().why_not(state, choice)
    }

    fn closed(&self, state: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        self.rules().closed(state, listed, out);
    }

    /// Going on: the die is rolled, the march halts, the fire begins.
    fn default_choice(&self, state: &State) -> Option<Choice> {
        if state.die > 0 {
            return Some(Choice::Keep);
        }
        match state.stage {
            Stage::Group => Some(Choice::Roll),
            Stage::RangedFire | Stage::AssaultForce => Some(Choice::Attack),
            Stage::AssaultFire => Some(Choice::Ready),
            Stage::LimitedGroup | Stage::AdvanceMarch => Some(Choice::Halt),
            _ => None,
        }
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        choice.write(&self.rules().scenario, out);
    }

    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        Choice::parse(&self.rules().scenario, name)
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        self.rules().label(state, choice)
    }

    fn prompt(&self, state: &State) -> Prompt {
        self.rules().prompt(state)
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        self.rules().log_line(event)
    }

    fn fold(&self, state: &State, choice: Choice) -> Fold {
        Rules::fold(state, choice)
    }

    fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        self.rules().headline(events)
    }

    fn turn_title(&self, turn: u16) -> String {
        format!("Turn {turn} of {}", self.rules().scenario.turns)
    }

    fn describe(&self, view: &View<'_>) -> Value {
        self.rules().describe(view.state())
    }

    fn picture(&self, view: &View<'_>) -> String {
        self.rules().picture(view.state())
    }
}

impl Judgement for DDay {
    type Memory = Memory;

    fn value(&self, state: &State, seat: Seat) -> f32 {
        self.rules().win_chance(state, Rules::side_of(seat))
    }

    /// A game has a thousand decisions: playouts end with the turn, and the quick policy is trusted.
    fn tuning(&self) -> Tuning {
        Tuning {
            playouts: 2_048,
            review: 1_024,
            horizon: Some(0),
            exploration: 0.3,
            trust: 0.6,
            ..Tuning::default()
        }
    }

    fn bots() -> &'static [(&'static str, &'static str)] {
        own_commanders()
    }

    fn policy<D: Dice>(
        &self,
        effort: Effort,
        memory: &mut Memory,
        view: &View<'_>,
        choices: &[Choice],
        _: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        let (rules, state) = (self.rules(), view.state());
        match effort {
            Effort::Playout => commander::quick(rules, memory, state, choices),
            Effort::Quick => commander::quick_choice(rules, state, choices),
            Effort::Considered => commander::command(rules, 0, &mut Memory::default(), state, choices, None),
            Effort::Bot(bot) => commander::command(rules, bot, memory, state, choices, why),
        }
    }

    fn features<S: FeatureSink>(&self, view: &View<'_>, out: &mut S) {
        self.rules().features(view.state(), out);
    }
}

impl Catalogue for DDay {
    const ALARMS: &'static [&'static str] = &["attack **", "fire **"];
    const LEGEND: &'static [(&'static str, &'static str)] = setups::LEGEND;
    const LESSONS: &'static [LessonFile] = setups::LESSONS;

    fn setups() -> Vec<Setup> {
        setups::setups()
    }

    const METRIC: &'static str = "VP of the aggressor";

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &HELP
    }

    fn questions(&self, view: &View<'_>) -> Vec<String> {
        self.rules().questions(view.state())
    }

    fn answer(&self, view: &View<'_>, question: &str) -> Result<Answer, String> {
        self.rules().answer(view.state(), question)
    }

    fn odds_help() -> &'static str {
        calculator::HELP
    }

    fn place(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        self.rules().set(state, key, value)
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

    fn metric(&self, state: &State) -> i32 {
        self.rules().aggressor_vp(state).into()
    }

    fn counters(&self) -> Vec<String> {
        COUNTERS.iter().map(|name| (*name).to_owned()).collect()
    }

    fn counter(&self, event: &GameEvent) -> Option<usize> {
        match *event {
            GameEvent::Activated { .. } => Some(0),
            GameEvent::Assaulted { .. } => Some(1),
            GameEvent::Shelled { .. } => Some(2),
            GameEvent::Strike { .. } => Some(3),
            GameEvent::Gone { fate: Fate::Shattered, .. } => Some(4),
            GameEvent::Gone { unit, fate: Fate::Lost, .. } => {
                let aggressor = self.rules().troop(unit).side == self.rules().scenario.aggressor;
                Some(if aggressor { 11 } else { 12 })
            }
            GameEvent::Retreated { .. } => Some(5),
            GameEvent::Breakthrough => Some(6),
            GameEvent::Taken { .. } => Some(7),
            GameEvent::Rally { back: true, .. } => Some(8),
            GameEvent::Worked { done: true, .. } => Some(9),
            GameEvent::NightFalls => Some(10),
            _ => None,
        }
    }
}

impl Rules {
    /// Sets one thing of a position by hand: a battalion's zone, a stack's facing, the turn.
    fn set(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        let grid = self.scenario.grid;
        if let Some(unit) = self.scenario.unit(key) {
            let zone = grid.parse(value).ok_or_else(|| format!("{key} = {value:?}: a zone such as 0101"))?;
            let side = self.troop(unit).side;
            if self.holds(state, zone, side.enemy()) {
                return Err(format!("{key} = {value:?}: the enemy stands there"));
            }
            if !self.may_stand(unit, zone) || !self.has_room(state, zone, self.troop(unit).points) {
                return Err(format!("{key} = {value:?}: it can't stand there, or there is no room"));
            }
            if state.unit(unit).on_map() {
                self.take_off(state, unit, 0);
            }
            let facing = self.facing_enemy(state, zone, side);
            self.arrive(state, unit, zone, facing, &mut kernel::Discard);
            return Ok(());
        }
        if let Some(zone) = grid.parse(key) {
            let way = terrain::Octant::parse(value);
            let way =
                way.ok_or_else(|| format!("{key} = {value:?}: a direction, N, NE, E, SE, S, SW, W or NW"))?;
            if state.is_empty(zone) {
                return Err(format!("{key} = {value:?}: nobody stands there"));
            }
            state.zones[usize::from(zone)].facing = way;
            return Ok(());
        }
        if key.eq_ignore_ascii_case("turn") {
            let turn = value.parse::<u8>().ok().filter(|turn| (1..=self.scenario.turns).contains(turn));
            state.turn = turn.ok_or_else(|| format!("{key} = {value:?}: 1 to {}", self.scenario.turns))?;
            return Ok(());
        }
        let ids = self.scenario.papers.iter().map(|paper| paper.id.as_str());
        let meant = diagnostics::nearest(key, ids);
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        Err(format!("unknown {key:?}{hint}: a battalion, a zone or turn"))
    }
}
