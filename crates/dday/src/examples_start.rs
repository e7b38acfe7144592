//! The start at which a worked example begins: whose turn it is, what the battalions have done, what is at hand.
//! Rules 3.4, 5, 21.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::Table;
use kernel::Discard;

use crate::examples_board::{flag, pair, side};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Action, LOST, SHATTERED, Stage, State, mark, work};
use crate::tables::Activation;

/// Marks by their words, as the notes of a battalion have them. Rule 3.4.
pub(crate) const MARKS: [(&str, u16); 9] = [
    ("rough", mark::ROUGH),
    ("road", mark::ROAD),
    ("moved", mark::MOVED),
    ("done", mark::DONE),
    ("fired", mark::FIRED),
    ("attacked", mark::ATTACKED),
    ("worked", mark::WORKED),
    ("tried", mark::TRIED),
    ("night-moved", mark::NIGHT_MOVED),
];
/// Results of an activation by their words.
pub(crate) const RESULTS: [(&str, Activation); 5] = [
    ("none", Activation::None),
    ("hold", Activation::Hold),
    ("fallback", Activation::Fallback),
    ("full", Activation::Full),
    ("double", Activation::Double),
];

/// Where in the sequence of play an example begins. Rule 5.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Phase {
    /// The first start of the scenario, with everything that comes by itself.
    Opening,
    /// The dice of initiative.
    Initiative,
    Rally,
    #[default]
    Movement,
    Engineering,
    Combat,
    Supply,
    /// The die that says whether night falls.
    NightCheck,
    /// Nightfall, with everything that comes by itself.
    Nightfall,
}

const PHASES: [(&str, Phase); 9] = [
    ("opening", Phase::Opening),
    ("initiative", Phase::Initiative),
    ("rally", Phase::Rally),
    ("movement", Phase::Movement),
    ("engineering", Phase::Engineering),
    ("combat", Phase::Combat),
    ("supply", Phase::Supply),
    ("night-check", Phase::NightCheck),
    ("nightfall", Phase::Nightfall),
];

/// The start, without the battalions.
#[derive(Clone, Debug)]
pub(crate) struct StartingPoint {
    pub phase: Phase,
    pub side: Side,
    pub first: Option<Side>,
    pub night: bool,
    pub turn: u8,
    pub clock: Option<u8>,
    pub markers: [u16; 2],
    pub tally: [u16; 2],
    pub art: [u16; 2],
    pub air: [u16; 2],
    pub held: Vec<(String, Side, Range<usize>)>,
    pub blocked: Vec<(String, Range<usize>)>,
}

impl Default for StartingPoint {
    fn default() -> Self {
        Self {
            phase: Phase::default(),
            side: Side::First,
            first: None,
            night: false,
            turn: 1,
            clock: None,
            markers: [0; 2],
            tally: [0; 2],
            art: [0; 2],
            air: [0; 2],
            held: Vec::new(),
            blocked: Vec::new(),
        }
    }
}

/// What an example says of a battalion besides its scenario.
#[derive(Clone, Debug)]
pub(crate) struct UnitStart {
    id: String,
    /// Shattered or lost.
    pub gone: Option<u16>,
    result: Activation,
    mp: Option<u8>,
    marks: u16,
    unsupplied: u8,
    span: Range<usize>,
}

/// Reads the key `start` of an example.
pub(crate) fn read_start(mut table: Table<'_>, problems: &mut Problems) -> Option<StartingPoint> {
    let mut start = StartingPoint::default();
    if let Some(value) = table.optional("phase") {
        let words = PHASES.map(|(word, _)| word);
        let parse = |word: &str| PHASES.iter().find(|(known, _)| *known == word).map(|(_, phase)| *phase);
        start.phase = value.word(&words, parse, problems)?;
    }
    if let Some(value) = table.optional("side") {
        start.side = side(&value, problems)?;
    }
    if let Some(value) = table.optional("first") {
        start.first = Some(side(&value, problems)?);
    }
    start.night = flag(&mut table, "night", problems)?;
    if let Some(value) = table.optional("turn") {
        start.turn = value.integer(1..=60, problems)?;
    }
    if let Some(value) = table.optional("clock") {
        start.clock = Some(value.integer(0..=23, problems)?);
    }
    if let Some(value) = table.optional("markers") {
        start.markers = pair::<999>(&value, problems)?;
        start.tally = start.markers;
    }
    if let Some(value) = table.optional("tally") {
        start.tally = pair::<999>(&value, problems)?;
    }
    if let Some(value) = table.optional("art") {
        start.art = pair::<20>(&value, problems)?;
    }
    if let Some(value) = table.optional("air") {
        start.air = pair::<20>(&value, problems)?;
    }
    if let Some(value) = table.optional("held") {
        for (zone, span, value) in value.table(problems)?.entries() {
            start.held.push((zone.to_owned(), side(&value, problems)?, span));
        }
    }
    table.finish(problems);
    Some(start)
}

/// Reads what an example says of a battalion besides its scenario.
pub(crate) fn read_unit_start(table: &mut Table<'_>, id: &str, problems: &mut Problems) -> Option<UnitStart> {
    let mut unit_start = UnitStart {
        id: id.to_owned(),
        gone: None,
        result: Activation::None,
        mp: None,
        marks: 0,
        unsupplied: 0,
        span: table.span(),
    };
    if let Some(value) = table.optional("state") {
        let parse = |word: &str| match word {
            "shattered" => Some(SHATTERED),
            "lost" => Some(LOST),
            _ => None,
        };
        unit_start.gone = Some(value.word(&["shattered", "lost"], parse, problems)?);
    }
    if let Some(value) = table.optional("result") {
        let words = RESULTS.map(|(word, _)| word);
        let parse = |word: &str| RESULTS.iter().find(|(known, _)| *known == word).map(|(_, result)| *result);
        unit_start.result = value.word(&words, parse, problems)?;
    }
    if let Some(value) = table.optional("mp") {
        unit_start.mp = Some(value.integer(0..=12, problems)?);
    }
    if let Some(value) = table.optional("marks") {
        let words = MARKS.map(|(word, _)| word);
        let parse = |word: &str| MARKS.iter().find(|(known, _)| *known == word).map(|(_, bit)| *bit);
        unit_start.marks = value.words(&words, parse, problems)?.into_iter().fold(0, |all, bit| all | bit);
    }
    if let Some(value) = table.optional("unsupplied") {
        unit_start.unsupplied = value.integer(0..=9, problems)?;
    }
    Some(unit_start)
}

/// Why a position can't be, and where that stands.
type Impossible = (Option<Range<usize>>, String);

/// The position at the start.
pub(crate) fn start(
    rules: &Rules,
    start: &StartingPoint,
    unit_start: &[UnitStart],
) -> Result<State, Impossible> {
    if start.turn > rules.scenario.turns {
        return Err((None, format!("turn {} of {}", start.turn, rules.scenario.turns)));
    }
    let mut s = rules.start();
    if start.phase != Phase::Opening {
        s.act = Action::default();
        s.dice = [0; 2];
        s.markers = start.markers;
        s.tally = [0, 1].map(|at| start.tally[at].max(start.markers[at]));
        s.art = start.art.map(|count| count as u8);
        s.air = start.air.map(|count| count as u8);
        (s.turn, s.side, s.night) = (start.turn, start.side, start.night);
        // At night the side that was player B goes first.
        s.first = start.first.unwrap_or(if start.night { start.side.enemy() } else { start.side });
        s.clock = start.clock.unwrap_or(rules.scenario.start_hour);
    }
    places(rules, &mut s, start)?;
    for one in unit_start {
        battalion(rules, &mut s, one)?;
    }
    if let Err(why) = rules.invariants(&s) {
        return Err((None, why));
    }
    begin(rules, &mut s, start);
    Ok(s)
}

/// Road blocks, and who holds what.
fn places(rules: &Rules, s: &mut State, start: &StartingPoint) -> Result<(), Impossible> {
    let zone = |name: &str, span: &Range<usize>| {
        let zone = rules.scenario.grid.parse(name);
        zone.ok_or_else(|| (Some(span.clone()), format!("there is no zone {name:?}")))
    };
    for (name, span) in &start.blocked {
        s.zones[usize::from(zone(name, span)?)].works |= work::BLOCKED;
    }
    for (name, side, span) in &start.held {
        let key = rules.key_at(zone(name, span)?);
        let key = key.ok_or_else(|| (Some(span.clone()), format!("nothing is to be held in {name}")))?;
        s.held = s.held & !(1 << key) | (side.index() as u32) << key;
    }
    Ok(())
}

fn battalion(rules: &Rules, s: &mut State, unit_start: &UnitStart) -> Result<(), Impossible> {
    let impossible = |why: &str| (Some(unit_start.span.clone()), format!("{}: {why}", unit_start.id));
    let unit = rules.scenario.unit(&unit_start.id).ok_or_else(|| impossible("there is no such battalion"))?;
    if let Some(gone) = unit_start.gone {
        s.unit_mut(unit).zone = gone;
    } else if !s.unit(unit).on_map()
        && (unit_start.result != Activation::None
            || unit_start.marks != 0
            || unit_start.mp.is_some()
            || unit_start.unsupplied > 0)
    {
        return Err(impossible("it is not on the map and has done nothing"));
    }
    let moves = rules.troop(unit).moves;
    let default = match unit_start.result {
        Activation::Full => moves,
        Activation::Double => moves * rules.tables.double_multiplier,
        _ => 0,
    };
    let battalion = s.unit_mut(unit);
    battalion.result = unit_start.result;
    battalion.mp = unit_start.mp.unwrap_or(default);
    battalion.marks = unit_start.marks;
    battalion.unsupplied = unit_start.unsupplied;
    Ok(())
}

/// Goes into the phase, with everything that comes by itself.
fn begin(rules: &Rules, s: &mut State, start: &StartingPoint) {
    let l = &mut Discard;
    match (start.phase, start.night) {
        (Phase::Opening, _) => {}
        (Phase::Initiative, _) => s.stage = Stage::Initiative,
        (Phase::Rally, _) => rules.begin_rally(s, l),
        (Phase::Movement, false) => rules.begin_movement(s),
        (Phase::Movement, true) => rules.next_night_move(s, l),
        (Phase::Engineering, _) => rules.begin_engineering(s, l),
        (Phase::Combat, _) => rules.next_combat(s, l),
        (Phase::Supply, _) => rules.begin_supply(s, l),
        (Phase::NightCheck, _) => s.stage = Stage::NightDie,
        (Phase::Nightfall, _) => rules.begin_night(s, l),
    }
}
