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

use crate::checks;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::layout::Effect;
use crate::rules::Rules;
use crate::seat_bot::Memory;
use crate::settings::{HELP, Settings};
use crate::setups;
use crate::state::{Phase, State, Verdict};
use crate::stratagem::Stratagem;
use crate::units::Side;
use crate::view::View;

/// Blitzkrieg!: a board, two players or one.
///
/// ```
/// use blitz::Blitz;
/// use kernel::{Game, Match, MatchDice, Options, Discard};
///
/// let game = Blitz::with_options(&Options::new())?;
/// let mut war = Match::new(game, MatchDice::seeded(3));
/// war.play_forced(&mut Discard); // Fate deals the reserves
/// let choice = war.choices()[0];
/// war.play(choice, &mut Discard).expect("a listed choice is open");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blitz {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rules: Rules,
    seats: Vec<SeatInfo>,
    results: Vec<ResultInfo>,
}

/// What is counted in a batch, before the stratagems.
const COUNTERS: [&str; 9] = [
    "Campaign closed",
    "Theatre closed by its track",
    "Theatre closed by its last campaign",
    "Unit bombed",
    "Special weapon researched",
    "Strategic advantage",
    "Propaganda",
    "Special weapon placed",
    "Leader placed",
];

impl Blitz {
    /// The game of some settings.
    pub fn new(settings: Settings) -> Self {
        let rules = Rules::new(settings);
        let seat = |side: Side| match rules.side_name(side) {
            "Axis" => SeatInfo { word: "axis", title: "Axis" },
            "Allies" => SeatInfo { word: "allies", title: "Allies" },
            _ => SeatInfo { word: "japan", title: "Japan" },
        };
        let sides: Vec<Side> = Side::ALL.into_iter().filter(|side| !rules.is_bot(*side)).collect();
        let results = Verdict::ALL
            .into_iter()
            .map(|verdict| ResultInfo {
                word: verdict_word(verdict),
                title: rules.verdict_title(verdict),
                standings: sides
                    .iter()
                    .map(|side| if verdict.winner() == *side { Standing::Win } else { Standing::Loss })
                    .collect(),
            })
            .collect();
        let seats = sides.into_iter().map(seat).collect();
        Self { inner: Arc::new(Inner { rules, seats, results }) }
    }

    /// The rules of this set-up.
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::FirstPoints => "first_points",
        Verdict::SecondPoints => "second_points",
        Verdict::SecondTie => "second_tie",
        Verdict::SecondStuck => "second_stuck",
        Verdict::FirstStuck => "first_stuck",
    }
}

impl Game for Blitz {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View;

    const ID: &'static str = "blitz";
    const TITLE: &'static str = "Blitzkrieg!";
    const RULES_VERSION: &'static str = "2";

    fn with_options(options: &Options) -> Result<Self, String> {
        Settings::read(options).map(Self::new)
    }

    /// In rules 1 a unit of the bot's row was bombed by its kind. Rule 8.7. The printing stands in every save.
    fn options_under(rules: &str) -> Options {
        let bombing = ("bombing".to_owned(), "kind".to_owned());
        if rules == "1" { Options::from([bombing]) } else { Options::new() }
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

    /// Rule 14: reserves and bags are hidden between two players; against the bot nothing is.
    fn hides(&self) -> bool {
        self.rules().solo().is_none()
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

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.map(|verdict| Outcome(verdict as u8))
    }

    fn turn(&self, state: &State) -> u16 {
        state.turn
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        self.rules().view(state, viewer)
    }

    fn determinize<D: Dice>(&self, view: &View, dice: &mut D) -> State {
        self.rules().determinize(view, dice)
    }

    /// A token that comes or goes is known to its owner only.
    fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let owner = match choice {
            Choice::Draw(_) | Choice::Research(_) => state.side,
            Choice::Hit(_) => state.side.enemy(),
            _ => return false,
        };
        self.hides() && viewer != self.rules().viewer_of(owner)
    }

    /// A unit is placed by hand also where there is only one way to. Whether a blitz could continue stays hidden (R26).
    fn may_play_forced(&self, state: &State) -> bool {
        match state.phase {
            Phase::Place => !self.rules().can_place(state, state.side),
            Phase::Blitz => false,
            _ => true,
        }
    }

    /// A token that was placed has been seen.
    fn reveals(&self, _: &State, choice: Choice) -> bool {
        self.hides() && matches!(choice, Choice::Place { .. })
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        self.rules().invariants(state)
    }
}

impl Wording for Blitz {
    fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        self.rules().refusal(state, choice).unwrap_or_else(Refusal::unexplained)
    }

    fn closed(&self, state: &State, _: &[Choice], out: &mut Vec<Choice>) {
        self.rules().closed(state, out);
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        choice.write(self.rules().layout, out);
    }

    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        Choice::parse(self.rules().layout, name)
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
        self.rules().turn_title(turn)
    }

    fn describe(&self, view: &View) -> Value {
        self.rules().describe(view)
    }

    fn picture(&self, view: &View) -> String {
        self.rules().picture(view)
    }
}

impl Judgement for Blitz {
    type Memory = Memory;

    fn value(&self, state: &State, seat: Seat) -> f32 {
        self.tuning().chance(self.rules().evaluate(state, self.rules().side_of(seat)))
    }

    fn tuning(&self) -> Tuning {
        Tuning { playouts: 8_192, review: 16_384, calibration: (0.0, 0.8), ..Tuning::default() }
    }

    fn bots() -> &'static [(&'static str, &'static str)] {
        &[("solo", "The published solo bot, stratagems and all, with a player's hand")]
    }

    #[inline]
    fn policy<D: Dice>(
        &self,
        effort: Effort,
        memory: &mut Memory,
        view: &View,
        choices: &[Choice],
        dice: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        match effort {
            Effort::Bot(_) => self.rules().seat_bot(memory, view, choices, dice, why),
            Effort::Playout | Effort::Quick | Effort::Considered => {
                self.rules().quick_choice(view.state(), choices)
            }
        }
    }

    #[inline]
    fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        self.rules().features(view, out);
    }

    fn actions(&self) -> usize {
        self.rules().actions()
    }

    fn action(&self, _: usize, choice: Choice) -> usize {
        self.rules().action(choice)
    }
}

impl Catalogue for Blitz {
    const LEGEND: &'static [(&'static str, &'static str)] = setups::LEGEND;
    const LESSONS: &'static [LessonFile] = setups::LESSONS;

    fn setups() -> Vec<Setup> {
        setups::setups()
    }

    const METRIC: &'static str = "VP lead of the side that moves first";

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &HELP
    }

    fn questions(&self, view: &View) -> Vec<String> {
        self.rules().questions(view)
    }

    fn answer(&self, view: &View, question: &str) -> Result<Answer, String> {
        self.rules().answer(view, question)
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

    fn metric(&self, state: &State) -> i32 {
        i32::from(state.vp[0]) - i32::from(state.vp[1])
    }

    fn counters(&self) -> Vec<String> {
        let mut names: Vec<String> = COUNTERS.iter().map(|name| (*name).to_owned()).collect();
        if self.rules().solo().is_some_and(|solo| solo.stratagems) {
            names.extend(Stratagem::ALL.iter().map(|stratagem| format!("Stratagem {}", stratagem.name())));
        }
        names
    }

    fn counter(&self, event: &GameEvent) -> Option<usize> {
        match *event {
            GameEvent::CampaignClosed { .. } => Some(0),
            GameEvent::TheatreClosed { taken: true, .. } => Some(1),
            GameEvent::TheatreClosed { taken: false, .. } => Some(2),
            // Each has an event for its owner and one for the others; only one of the two is counted.
            GameEvent::Bombed { kind: Some(_), .. } => Some(3),
            GameEvent::Researched { kind: Some(_), .. } => Some(4),
            GameEvent::Strategic { .. } => Some(5),
            GameEvent::Propaganda { .. } => Some(6),
            GameEvent::Placed { kind, .. } if kind.is_special() => Some(7),
            GameEvent::Placed { kind, .. } if kind.info().ability.is_leader() => Some(8),
            GameEvent::StratagemDrawn { drawn, .. } => Some(COUNTERS.len() + drawn as usize),
            _ => None,
        }
    }
}

impl Rules {
    /// Sets one thing of a position by hand: a theatre's marker, `vp_first`, `vp_second`, `row` or `reserve`.
    fn set(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        let number = |low: i8, high: i8| {
            let number = value.trim().trim_start_matches('+').parse::<i8>().ok();
            number
                .filter(|number| (low..=high).contains(number))
                .ok_or_else(|| format!("{key} = {value:?}: a number from {low} to {high}"))
        };
        if let Some(theatre) = self.layout.theatre(key) {
            let most = self.theatre(theatre).track_end - 1;
            state.tracks[usize::from(theatre)] = number(-most, most)?;
            return Ok(());
        }
        match key.to_ascii_lowercase().as_str() {
            "vp_first" => state.vp[0] = number(0, 99)?.unsigned_abs(),
            "vp_second" => state.vp[1] = number(0, 99)?.unsigned_abs(),
            "row" | "reserve_first" => self.set_hand(state, Side::First, value)?,
            "reserve" | "reserve_second" => self.set_hand(state, Side::Second, value)?,
            _ => {
                let theatres: Vec<&str> =
                    self.layout.theatres.iter().map(|theatre| theatre.id.as_str()).collect();
                return Err(format!(
                    "unknown {key:?}: {}, vp_first, vp_second, row, reserve_first or reserve_second",
                    theatres.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Exchanges a reserve for other tokens of the bag or the pile.
    fn set_hand(&self, state: &mut State, side: Side, value: &str) -> Result<(), String> {
        let at = side.index();
        let mut bag = state.bags[at].and(state.hands[at].pool());
        let mut hand = crate::pool::Row::default();
        for word in value.split([',', ' ', '+']).filter(|word| !word.is_empty()) {
            let kind = crate::units::Kind::parse(word).ok_or_else(|| format!("there is no unit {word:?}"))?;
            if bag.has(kind) {
                bag.remove(kind);
            } else if state.pile.has(kind) {
                state.pile.remove(kind);
            } else {
                return Err(format!("there is no further {kind} for {}", self.with_article(side)));
            }
            hand.push(kind);
        }
        state.bags[at] = bag;
        state.hands[at] = hand;
        Ok(())
    }

    /// The question about a choice: what the bot would answer to a placement, in a solo game; else what it draws.
    pub fn question_of(&self, choice: Choice) -> Option<String> {
        let Choice::Place { space, .. } = choice else { return None };
        if self.solo().is_some() {
            let mut question = "bot after ".to_owned();
            choice.write(self.layout, &mut question);
            return Some(question);
        }
        match self.space(space).effect {
            Effect::Production | Effect::ImprovedProduction => Some("draw".to_owned()),
            Effect::Research | Effect::ImprovedResearch | Effect::ResearchIndustry => {
                Some("research".to_owned())
            }
            _ => None,
        }
    }
}
