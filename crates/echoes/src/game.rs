//! The game as the kernel knows it.

use std::sync::Arc;

use diagnostics::FileCheck;
use diagnostics::{Problems, shown};
use kernel::{
    Answer, Catalogue, Dice, DigestFormat, Effort, EventSink, FeatureSink, Fold, Game, Judgement, LessonFile,
    LogLine, Mover, Options, Outcome, Prompt, Refusal, ResultInfo, Seat, SeatInfo, Setup, Standing,
    StateDigest, Tuning, Viewer, Wording, refuse_unknown_options,
};
use serde_json::Value;

use crate::book::{Book, Verdict};
use crate::book_reader::Edition;
use crate::checks;
use crate::choice::Choice;
use crate::features::ACTIONS;
use crate::game_event::GameEvent;
use crate::ids::{Conflict, Region, Side, Track};
use crate::prospects::Prospects;
use crate::rules::Rules;
use crate::setups;
use crate::spreads::Spreads;
use crate::state::{NO_BOX, Phase, State};
use crate::view::View;
use crate::windows::{Ask, Windows};

/// Echoes of War: one edition or own book, one spread.
///
/// ```
/// use echoes::Echoes;
/// use kernel::{Game, Match, MatchDice, Mover, Options, Discard};
///
/// let game = Echoes::with_options(&Options::new())?;
/// let mut war = Match::new(game, MatchDice::seeded(3));
/// war.play_forced(&mut Discard); // Fate rolls until the human is asked
/// let choice = war.choices()[0];
/// war.play(choice, &mut Discard).expect("a listed choice is open");
/// assert!(!war.log().is_empty());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Echoes {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    rules: Rules,
    options: Options,
    seats: [SeatInfo; 1],
    results: Vec<ResultInfo>,
}

/// Tallies: 24 events, 24 alternates or plain boxes, two conflicts, and these.
const OTHER_COUNTERS: [&str; 4] =
    ["Tide of War reroll", "Tide of War shift", "Confidence roll", "Confidence failure"];

impl Echoes {
    /// The set-up of a book that is ready.
    pub fn new(rules: Rules, options: Options) -> Self {
        let seat = match rules.human {
            Side::Allies => SeatInfo { word: "allies", title: "Allies" },
            Side::Axis => SeatInfo { word: "axis", title: "Axis" },
        };
        let result = |verdict: Verdict| ResultInfo {
            word: verdict.word(),
            title: verdict.title().to_owned(),
            standings: vec![rules.standing(verdict)],
        };
        let results = Verdict::ALL.into_iter().map(result).collect();
        Self { inner: Arc::new(Inner { rules, options, seats: [seat], results }) }
    }

    /// An edition with a spread of ours. Spread 1 is the plain game.
    pub fn edition(edition: Edition, spread: u8) -> Result<Self, String> {
        let mut options = Options::new();
        options.insert("edition".to_owned(), edition.word().to_owned());
        options.insert("spread".to_owned(), spread.to_string());
        Self::with_options(&options)
    }

    /// The rules of this set-up.
    pub fn rules(&self) -> &Rules {
        &self.inner.rules
    }
}

/// Which Tide of War windows there are and when the human is asked; what is not usual is kept for the save. Rule 2.5.8.
fn read_windows(options: &Options, kept: &mut Options) -> Result<(Windows, Ask), String> {
    let word = options.get("windows").map_or(Windows::default().word(), String::as_str);
    let windows = Windows::parse(word).ok_or_else(|| format!("windows {:?}: 1, 2 or 3", shown(word)))?;
    let word = options.get("ask").map_or(Ask::default().word(), String::as_str);
    let ask = Ask::parse(word).ok_or_else(|| format!("ask {:?}: always, change or request", shown(word)))?;
    if windows != Windows::default() {
        if options.contains_key("ask") {
            return Err("the option ask is for the windows of rules 3: older ones always ask".to_owned());
        }
        kept.insert("windows".to_owned(), windows.word().to_owned());
    }
    if ask != Ask::default() {
        kept.insert("ask".to_owned(), ask.word().to_owned());
    }
    Ok((windows, ask))
}

impl Rules {
    /// How a verdict stands for the human.
    pub fn standing(&self, verdict: Verdict) -> Standing {
        let winner = match verdict {
            Verdict::AlliedMajor | Verdict::AlliedMinor | Verdict::AlliedImmediate => Side::Allies,
            Verdict::Axis | Verdict::AxisMinor | Verdict::AxisMajor | Verdict::AxisImmediate => Side::Axis,
            Verdict::ConfidenceFailure => self.human.enemy(),
            Verdict::Draw => return Standing::Draw,
        };
        if winner == self.human { Standing::Win } else { Standing::Loss }
    }
}

impl Game for Echoes {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View;

    const ID: &'static str = "echoes";
    const TITLE: &'static str = "Echoes of War";
    const RULES_VERSION: &'static str = "3";

    fn with_options(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, Self::option_help())?;
        let mut kept = Options::new();
        let book = match options.get("book") {
            Some(text) => {
                if options.contains_key("edition") {
                    return Err(
                        "give a book or an edition, not both: a book says itself which side you play"
                            .to_owned(),
                    );
                }
                let text = text.replace("\r\n", "\n");
                let (book, _) = Book::parse("book", &text).map_err(|problems| problems.to_string())?;
                kept.insert("book".to_owned(), text);
                book
            }
            None => {
                let word = options.get("edition").map_or("allied", String::as_str);
                let edition = Edition::parse(word)
                    .ok_or_else(|| format!("edition {:?}: allied or axis", shown(word)))?;
                kept.insert("edition".to_owned(), edition.word().to_owned());
                Book::builtin(edition).clone()
            }
        };
        let own_spreads;
        let spreads = match options.get("spreads") {
            Some(text) => {
                let text = text.replace("\r\n", "\n");
                own_spreads = Spreads::parse("spreads", &text).map_err(|problems| problems.to_string())?.0;
                kept.insert("spreads".to_owned(), text);
                &own_spreads
            }
            None => Spreads::builtin(),
        };
        let number = options.get("spread").map_or("1", String::as_str);
        let spread = number.trim().parse().ok().and_then(|n| spreads.get(n));
        let spread = spread.ok_or_else(|| {
            let count = spreads.list().len();
            let number = shown(number);
            format!("spread {number:?}: there are {count}, from 1; `maproom check echoes` lists them")
        })?;
        kept.insert("spread".to_owned(), spread.n.to_string());
        let (windows, ask) = read_windows(options, &mut kept)?;
        let (book, _) = book.with_spread(spread).map_err(|problems| problems.to_string())?;
        Ok(Self::new(Rules::new(book).with_windows(windows, ask), kept))
    }

    /// Rules 1 and 2 had fewer windows. Ruling R12.
    fn options_under(rules: &str) -> Options {
        let windows = match rules {
            "1" => Windows::V1,
            "2" => Windows::V2,
            _ => return Options::new(),
        };
        Options::from([("windows".to_owned(), windows.word().to_owned())])
    }

    fn options(&self) -> Options {
        self.inner.options.clone()
    }

    fn seats(&self) -> &[SeatInfo] {
        &self.inner.seats
    }

    fn results(&self) -> &[ResultInfo] {
        &self.inner.results
    }

    fn start(&self) -> State {
        self.rules().start()
    }

    #[inline]
    fn mover(&self, state: &State) -> Mover {
        if state.phase.is_fate() {
            Mover::Fate
        } else if state.phase.is_over() {
            Mover::Nobody
        } else {
            Mover::Seat(Seat(0))
        }
    }

    #[inline]
    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        self.rules().list(state, out);
    }

    #[inline]
    fn tickets(&self, _: &State) -> u32 {
        6
    }

    #[inline]
    fn drawn(&self, _: &State, ticket: u32) -> Choice {
        Choice::Die(ticket as u8 + 1)
    }

    #[inline(always)]
    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        match choice {
            Choice::Die(face) => self.rules().die(state, face, sink),
            decision => self.rules().decide(state, decision, sink),
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.verdict.map(|verdict| Outcome(verdict as u8))
    }

    fn turn(&self, state: &State) -> u16 {
        u16::from(state.turn)
    }

    fn view(&self, state: &State, _: Viewer) -> View {
        View::new(*state)
    }

    fn determinize<D: Dice>(&self, view: &View, _: &mut D) -> State {
        *view.sheet()
    }

    /// The place inside a box is counted from its first operation, and what the last attack left behind does not
    /// count: so a changed box parts only from matches that have opened it.
    fn digest(&self, state: &State, format: DigestFormat) -> StateDigest {
        StateDigest::of(&self.rules().canonical(state), format)
    }

    /// The invariants of the specification. Rules 1.0, 2.2, 2.4, 2.5.1, 3.3.4.
    fn invariants(&self, state: &State) -> Result<(), String> {
        let rules = self.rules();
        for region in Region::ALL {
            let at = region.index();
            if state.pos[at] > rules.max[at] {
                return Err(format!("{region} stands at {} of {}", state.pos[at], rules.max[at]));
            }
            if i32::from(state.x[0][at]) - i32::from(state.x[1][at]) != i32::from(state.pos[at]) {
                return Err(format!("{region}: the campaign track does not give its space"));
            }
            if state.attacks[at] > 2 {
                return Err(format!("{region} was attacked {} times by the human", state.attacks[at]));
            }
        }
        for track in Track::ALL {
            let at = track.index();
            let value = state.tracks[at];
            if !(rules.track_min[at]..=rules.track_max[at]).contains(&value) {
                return Err(format!("{track} is {value}"));
            }
            if i16::from(state.marks[0][at]) - i16::from(state.marks[1][at]) != i16::from(value) {
                return Err(format!("{track}: the marks do not give its value"));
            }
        }
        if !(rules.book.start_turn..=rules.final_turn).contains(&state.turn) {
            return Err(format!("turn {}", state.turn));
        }
        if (state.verdict.is_some()) != (state.phase == Phase::Over) {
            return Err(format!("verdict {:?} in phase {:?}", state.verdict, state.phase));
        }
        if state.in_box != NO_BOX && state.in_box >= 24 {
            return Err(format!("box {}", state.in_box));
        }
        Ok(())
    }
}

impl Wording for Echoes {
    fn why_not(&self, state: &State, choice: Choice) -> Refusal {
        self.rules().refusal(state, choice).unwrap_or_else(Refusal::unexplained)
    }

    fn default_choice(&self, state: &State) -> Option<Choice> {
        state.phase.is_window().then_some(Choice::No)
    }

    fn closed(&self, state: &State, _: &[Choice], out: &mut Vec<Choice>) {
        self.rules().closed(state, out);
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        out.push_str(choice.name());
    }

    fn read_name(&self, state: &State, name: &str) -> Option<Choice> {
        Choice::parse(state, name)
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        self.rules().label(state, choice)
    }

    fn prompt(&self, state: &State) -> Prompt {
        self.rules().prompt(state)
    }

    fn log_line(&self, game_event: &GameEvent) -> LogLine {
        self.rules().log_line(game_event)
    }

    fn fold(&self, state: &State, choice: Choice) -> Fold {
        self.rules().fold(state, choice)
    }

    fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        self.rules().headline(events)
    }

    fn turn_title(&self, turn: u16) -> String {
        format!("Turn {turn}, {}", self.rules().year(turn.min(255) as u8))
    }

    fn describe(&self, view: &View) -> Value {
        self.rules().describe(view.sheet())
    }

    fn picture(&self, view: &View) -> String {
        self.rules().picture(view.sheet())
    }
}

impl Judgement for Echoes {
    type Memory = ();

    fn value(&self, state: &State, _: Seat) -> f32 {
        Prospects::of(self.rules().human).score(self.rules(), state)
    }

    /// A playout ends with the turn: what a position promises then is known better than quick play could find it out.
    fn tuning(&self) -> Tuning {
        Tuning {
            playouts: 32_768,
            review: 65_536,
            horizon: Some(0),
            exploration: 0.3,
            trust: 0.5,
            stakes: 0.012,
            // The table knows best play, which nobody quite reaches.
            calibration: match self.rules().human {
                Side::Allies => (-0.16, 0.99),
                Side::Axis => (-0.08, 0.945),
            },
            ..Tuning::default()
        }
    }

    #[inline]
    fn policy<D: Dice>(
        &self,
        _: Effort,
        (): &mut (),
        view: &View,
        choices: &[Choice],
        _: &mut D,
        _: Option<&mut String>,
    ) -> usize {
        self.rules().best_choice(view.sheet(), choices)
    }

    #[inline]
    fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        self.rules().features(view.sheet(), out);
    }

    fn actions(&self) -> usize {
        ACTIONS
    }

    fn action(&self, _: usize, choice: Choice) -> usize {
        choice.action()
    }
}

impl Catalogue for Echoes {
    const LEGEND: &'static [(&'static str, &'static str)] = setups::LEGEND;
    const LESSONS: &'static [LessonFile] = setups::LESSONS;

    fn setups() -> Vec<Setup> {
        setups::setups()
    }

    const METRIC: &'static str = "VP";

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[
            ("edition", "allied or axis: the side you play"),
            ("spread", "1 to 24; 1 is the plain game"),
            ("book", "the text of a book of your own, instead of an edition"),
            ("spreads", "the text of a file with spreads of your own"),
            (
                "ask",
                "about the Tide of War: change, only where a use changes a result; always; or request, only when you ask (rule 2.5.8)",
            ),
            ("windows", "Tide of War windows: 3, or 1 or 2 as in older rules (ruling R12)"),
        ]
    }

    fn questions(&self, view: &View) -> Vec<String> {
        self.rules().questions(view.sheet())
    }

    fn answer(&self, view: &View, question: &str) -> Result<Answer, String> {
        self.rules().answer(view.sheet(), question)
    }

    fn place(&self, state: &mut State, key: &str, value: &str) -> Result<(), String> {
        let rules = self.rules();
        let number = |low: i8, high: i8| {
            let number = value.trim().trim_start_matches('+').parse::<i8>().ok();
            number
                .filter(|number| (low..=high).contains(number))
                .ok_or_else(|| format!("{key} = {value:?}: a number from {low} to {high}"))
        };
        if let Some(region) = Region::parse(key) {
            let space = number(0, rules.max[region.index()] as i8)?;
            rules.set_front(state, region, space.unsigned_abs());
        } else if let Some(track) = Track::parse(key) {
            let at = track.index();
            rules.set_track(state, track, number(rules.track_min[at], rules.track_max[at])?);
        } else if key.eq_ignore_ascii_case("turn") {
            state.turn = number(1, rules.final_turn as i8)?.unsigned_abs();
        } else if key.eq_ignore_ascii_case("tow") {
            state.tow_left = number(0, 12)?.unsigned_abs();
        } else {
            return Err(format!("unknown {key:?}: WF, EF, SF, CHN, PAC, ISL, EMT, PMT, USA, turn or tow"));
        }
        Ok(())
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
        i32::from(self.rules().vp(state))
    }

    fn counters(&self) -> Vec<String> {
        let rules = self.rules();
        let title = |n: u8| format!("{}.{} {}", n / 6 + 1, n % 6 + 1, rules.box_title(n));
        let mut names: Vec<String> = (0..24).map(|n| format!("{}, Event", title(n))).collect();
        names.extend((0..24).map(|n| {
            let has_event =
                rules.book.tables[usize::from(n / 6)].boxes[usize::from(n % 6)].parsed.event.is_some();
            if has_event { format!("{}, Alternate", title(n)) } else { title(n) }
        }));
        names.extend(Conflict::ALL.map(|conflict| format!("Major Conflict {conflict}")));
        names.extend(OTHER_COUNTERS.map(str::to_owned));
        names
    }

    fn counter(&self, game_event: &GameEvent) -> Option<usize> {
        match *game_event {
            GameEvent::BoxOpened { number, event, .. } => {
                Some(usize::from(number) + if event { 0 } else { 24 })
            }
            GameEvent::ConflictRolled { conflict, .. } => Some(48 + conflict.index()),
            GameEvent::TowReroll { .. } => Some(50),
            GameEvent::TowShifted { .. } => Some(51),
            GameEvent::ConfidenceRolled { lost: false, .. } => Some(52),
            GameEvent::ConfidenceRolled { lost: true, .. } => Some(53),
            _ => None,
        }
    }
}
