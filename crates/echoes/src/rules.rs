//! A book made ready to play: every look-up a flat table, every box compiled.

use crate::attack::ATTACKS_PER_REGION;
use crate::book::{Book, ChartEntry, MAX_SPACE, TURNS, Verdict};
use crate::ids::{Conflict, Region, Regions, Side, Track};
use crate::program::{Compiler, Entry, Op, Program};
use crate::state::{AskedUntil, NO_BOX, Phase, State};
use crate::windows::{Ask, Windows};

/// Spaces of a battle track, counted.
const SPACES: usize = MAX_SPACE as usize + 1;

/// A book made ready to play.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The book itself, for words and pictures.
    pub book: Book,
    /// The side that the human plays.
    pub human: Side,
    /// Which Tide of War windows there are.
    pub windows: Windows,
    /// At which of them the human is asked.
    pub ask: Ask,
    /// The compiled boxes.
    pub program: Program,
    /// Where each of the 24 boxes begins, by turn.
    pub entries: [[Entry; 24]; TURNS + 1],
    /// Where the Die Roll Chart leads, by face.
    pub chart: [ChartEntry; 6],
    /// Where the Major Conflict turns begin.
    pub conflict_entries: [u32; 2],
    /// By column, side and region: what an attack from each space needs; 0 where there is nothing to attack.
    need: [[[[u8; SPACES]; 6]; 2]; 2],
    /// By side and region: the spaces (bits) from which an ADV is possible.
    advance_from: [[u8; 6]; 2],
    /// By side and region: the spaces (bits) from which there is something to attack.
    attack_from: [[u8; 6]; 2],
    /// By region and space: VP and held capitals, packed so that six additions give the whole [`Ledger`].
    ledger: [[u32; SPACES]; 6],
    /// The opening position.
    start: State,
    /// Highest space by region.
    pub max: [u8; 6],
    /// The same as one machine word, a byte each.
    max_word: u64,
    /// Regions whose space 0 is an Allied capital.
    pub allied_capitals: Regions,
    /// Regions whose highest space is an Axis capital.
    pub axis_capitals: Regions,
    /// Regions that list each track in their DRM column.
    pub track_regions: [Regions; 3],
    /// Lowest value by track.
    pub track_min: [i8; 3],
    /// Highest value by track.
    pub track_max: [i8; 3],
    /// The value at which the USA are in Europe.
    pub usa_active: i8,
    /// Turns of the second strength column begin here.
    pub red: u8,
    /// The last turn.
    pub final_turn: u8,
    /// By turn: points and losing faces (bits 1 to 6) of the Confidence Chart, where the turn is gold.
    pub confidence: [Option<(u8, u8)>; TURNS + 1],
    /// Victory points from which a draw is given.
    pub draw_from: u8,
    /// By turn: boxes (bits) whose event may be played in it or later.
    pub events_to_come: [u32; TURNS + 1],
}

impl Rules {
    /// Makes a book ready.
    pub fn new(book: Book) -> Self {
        let mut compiler = Compiler::new(&book);
        let entries = compiler.all_boxes();
        let conflict_entries = Conflict::ALL.map(|conflict| {
            let first = compiler.emit(Op::Major(conflict));
            compiler.emit(Op::EndTurn);
            first
        });
        let program = compiler.finish();
        let mut confidence = [None; TURNS + 1];
        for row in &book.confidence {
            let lose = (1..=6).filter(|&face| row.lose[face - 1]).fold(0, |bits, face| bits | 1 << face);
            confidence[usize::from(row.turn)] = Some((row.points, lose));
        }
        let capital = |which: fn(&crate::book::RegionData) -> bool| {
            Region::ALL.into_iter().filter(|region| which(&book.regions[region.index()])).collect()
        };
        let mut rules = Self {
            human: book.human,
            windows: Windows::default(),
            ask: Ask::default(),
            program,
            entries,
            chart: book.chart,
            conflict_entries,
            need: [[[[0; SPACES]; 6]; 2]; 2],
            advance_from: [[0; 6]; 2],
            attack_from: [[0; 6]; 2],
            ledger: [[0; SPACES]; 6],
            start: BLANK,
            max: Region::ALL.map(|region| book.regions[region.index()].max),
            max_word: Region::ALL.into_iter().fold(0, |word, region| {
                word | u64::from(book.regions[region.index()].max) << (8 * region.index())
            }),
            allied_capitals: capital(|data| data.allied_capital),
            axis_capitals: capital(|data| data.axis_capital),
            track_regions: Track::ALL.map(track_regions),
            track_min: Track::ALL.map(|track| book.drm[track.index()].min),
            track_max: Track::ALL.map(|track| book.drm[track.index()].max),
            usa_active: book.drm[Track::Usa.index()].active_at,
            red: book.red,
            final_turn: book.years.len() as u8,
            confidence,
            draw_from: draw_from(&book),
            events_to_come: events_to_come(&entries),
            book,
        };
        rules.fill_tables();
        rules.start = rules.set_up();
        rules
    }

    /// The same with other Tide of War windows, and asking at others of them.
    #[must_use]
    pub fn with_windows(self, windows: Windows, ask: Ask) -> Self {
        Self { windows, ask, ..self }
    }

    /// Rules 2.3.2, 2.3.4 and 3.3.3 as tables.
    fn fill_tables(&mut self) {
        for region in Region::ALL {
            let data = &self.book.regions[region.index()];
            for space in 0..=data.max {
                let lost = data.allied_capital && space == 0;
                let taken = data.axis_capital && space == data.max;
                let europe = region.main_track() == Track::Emt;
                self.ledger[region.index()][usize::from(space)] = u32::from(data.vp[usize::from(space)])
                    | u32::from(lost) << Ledger::LOST
                    | u32::from(taken && europe) << Ledger::BERLIN
                    | u32::from(taken && !europe) << Ledger::JAPAN;
                for side in Side::ALL {
                    let (target, capital, strength) = match side {
                        Side::Allies => {
                            (space + 1, data.axis_capital && space + 1 == data.max, data.axis_strength)
                        }
                        Side::Axis => {
                            (space.wrapping_sub(1), data.allied_capital && space == 1, data.allied_strength)
                        }
                    };
                    if target > data.max {
                        continue;
                    }
                    self.attack_from[side.index()][region.index()] |= 1 << space;
                    for (column, strength) in strength.into_iter().enumerate() {
                        let need = if capital { 6 } else { strength };
                        self.need[column][side.index()][region.index()][usize::from(space)] = need;
                    }
                    if !capital {
                        self.advance_from[side.index()][region.index()] |= 1 << space;
                    }
                }
            }
        }
    }

    /// The opening position.
    #[inline]
    pub const fn start(&self) -> State {
        self.start
    }

    /// Sets up the sheet. Rules 2.2, 2.3.1, 2.5.1.
    fn set_up(&self) -> State {
        let mut state = State { turn: self.book.start_turn, tow_left: self.book.tow, ..BLANK };
        for region in Region::ALL {
            self.set_front(&mut state, region, self.book.regions[region.index()].start);
        }
        for track in Track::ALL {
            self.set_track(&mut state, track, self.book.drm[track.index()].start);
        }
        let boxes = self.book.tables.iter().flat_map(|table| &table.boxes);
        state.events = boxes.zip(0..).filter(|(data, _)| data.done).fold(0, |bits, (_, n)| bits | 1_u32 << n);
        state
    }

    /// Puts a front on a space as if the Allies had won that many (set-up, examples, questions).
    pub fn set_front(&self, state: &mut State, region: Region, space: u8) {
        state.pos[region.index()] = space;
        state.x[Side::Allies.index()][region.index()] = u16::from(space);
        state.x[Side::Axis.index()][region.index()] = 0;
    }

    /// Sets a track as if only the leader had marked it (set-up, examples, questions).
    pub fn set_track(&self, state: &mut State, track: Track, value: i8) {
        state.tracks[track.index()] = value;
        state.marks[Side::Allies.index()][track.index()] = value.max(0).unsigned_abs();
        state.marks[Side::Axis.index()][track.index()] = value.min(0).unsigned_abs();
    }

    /// The operation that is being done.
    #[inline]
    pub(crate) fn op(&self, state: &State) -> &Op {
        &self.program.ops[state.pc as usize]
    }

    /// The strength column in force: 0 for 1940-42, 1 for 1943+. Rule 2.1.
    #[inline]
    pub fn column(&self, state: &State) -> usize {
        usize::from(state.turn >= self.red)
    }

    /// What an attack needs; 0 where there is nothing to attack. Rules 2.3.2, 2.3.4.
    #[inline]
    pub fn need(&self, state: &State, side: Side, region: Region) -> u8 {
        let space = usize::from(state.at(region)) % SPACES;
        self.need[self.column(state)][side.index()][region.index()][space]
    }

    /// Whether the next space for the side is an enemy capital. Rule 2.3.4.
    pub fn faces_capital(&self, state: &State, side: Side, region: Region) -> bool {
        match side {
            Side::Allies => {
                self.axis_capitals.has(region) && state.at(region) + 1 == self.max[region.index()]
            }
            Side::Axis => self.allied_capitals.has(region) && state.at(region) == 1,
        }
    }

    /// Whether an ADV has an effect: not past a limit, not into an enemy capital. Rule 3.3.3.
    #[inline]
    pub fn can_advance(&self, state: &State, side: Side, region: Region) -> bool {
        self.advance_from[side.index()][region.index()] >> state.at(region) & 1 != 0
    }

    /// The space that a side would enter next, if there is one.
    pub fn next_space(&self, state: &State, side: Side, region: Region) -> Option<u8> {
        let at = state.at(region);
        match side {
            Side::Allies => (at < self.max[region.index()]).then(|| at + 1),
            Side::Axis => at.checked_sub(1),
        }
    }

    /// Whether there is a space to attack. Rule 2.3.3, step 1.
    #[inline]
    pub fn has_target(&self, state: &State, side: Side, region: Region) -> bool {
        self.attack_from[side.index()][region.index()] >> state.at(region) & 1 != 0
    }

    /// The regions that the human may attack: a space to enter, and fewer than two attacks this turn. Rule 3.3.4.
    #[inline]
    pub(crate) fn open_attacks(&self, state: &State) -> Regions {
        // All regions at once, a byte each: the top bit of a byte says yes.
        const TOP: u64 = 0x8080_8080_8080_8080;
        const ONES: u64 = 0x0101_0101_0101_0101;
        let pos = u64::from_le_bytes(state.pos);
        let has_target = match self.human {
            Side::Allies => (self.max_word | TOP) - pos - ONES,
            Side::Axis => pos + (TOP - ONES),
        };
        let twice = u64::from_le_bytes(state.attacks) << (8 - ATTACKS_PER_REGION);
        let open = (has_target & !twice & TOP) >> 7;
        // Gathers the eight bits in the top byte.
        Regions((open.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8 & Regions::ALL.0)
    }

    /// The tracks (bits) on which a mark of the human counts. Rule 2.2.
    #[inline]
    pub(crate) fn open_marks(&self, state: &State) -> u8 {
        let [emt, pmt, usa] = state.tracks;
        let open = match self.human {
            Side::Allies => {
                let [most_emt, most_pmt, most_usa] = self.track_max;
                [emt < most_emt, pmt < most_pmt, usa < most_usa]
            }
            Side::Axis => {
                let [least_emt, least_pmt, least_usa] = self.track_min;
                [emt > least_emt, pmt > least_pmt, usa > least_usa]
            }
        };
        u8::from(open[0]) | u8::from(open[1]) << 1 | u8::from(open[2]) << 2
    }

    /// Victory points of a space.
    #[inline]
    pub fn space_vp(&self, region: Region, space: u8) -> u8 {
        Ledger(self.ledger[region.index()][usize::from(space) % SPACES]).vp()
    }

    /// Victory points and capitals, added up.
    #[inline]
    pub(crate) fn ledger(&self, state: &State) -> Ledger {
        let mut total = 0;
        for (entries, space) in self.ledger.iter().zip(state.pos) {
            total += entries[usize::from(space) % SPACES];
        }
        Ledger(total)
    }

    /// The Allied victory points. Rule 3.5.
    #[inline]
    pub fn vp(&self, state: &State) -> u8 {
        self.ledger(state).vp()
    }

    /// Whether the Axis holds an Allied capital. Rule 5.2, ruling R15.
    pub fn axis_holds_capital(&self, state: &State) -> bool {
        self.ledger(state).lost() > 0
    }

    /// The year of a turn; the nearest year for a number that is no turn of this book.
    pub fn year(&self, turn: u8) -> u16 {
        let last = self.book.years.len().saturating_sub(1);
        self.book.years.get(usize::from(turn).saturating_sub(1).min(last)).copied().unwrap_or(1940)
    }
}

/// Where the final judgement turns from the Axis to a draw. Rule 5.2.
fn draw_from(book: &Book) -> u8 {
    let draw = book.bands.iter().find(|band| band.result == Verdict::Draw);
    draw.map_or(22, |band| band.min)
}

/// By turn: boxes (bits) whose event may be played in it or later.
fn events_to_come(entries: &[[Entry; 24]; TURNS + 1]) -> [u32; TURNS + 1] {
    let mut to_come = [0; TURNS + 1];
    let mut later = 0;
    for (turn, boxes) in entries.iter().enumerate().rev() {
        let events = boxes.iter().zip(0..).filter(|(entry, _)| entry.event.is_some());
        later = events.fold(later, |bits, (_, at)| bits | 1_u32 << at);
        to_come[turn] = later;
    }
    to_come
}

/// Victory points and held capitals of a position, packed: see [`Rules::ledger`].
#[derive(Clone, Copy)]
pub(crate) struct Ledger(u32);

impl Ledger {
    const LOST: u32 = 8;
    const BERLIN: u32 = 12;
    const JAPAN: u32 = 16;

    /// Allied victory points.
    #[inline]
    pub(crate) const fn vp(self) -> u8 {
        self.0 as u8
    }

    /// Allied capitals that the Axis holds.
    #[inline]
    pub(crate) const fn lost(self) -> u32 {
        self.0 >> Self::LOST & 15
    }

    /// Allied armies in Berlin.
    #[inline]
    pub(crate) const fn in_berlin(self) -> u32 {
        self.0 >> Self::BERLIN & 15
    }

    /// Allied armies in Japan.
    #[inline]
    pub(crate) const fn in_japan(self) -> u32 {
        self.0 >> Self::JAPAN & 15
    }
}

/// An empty sheet.
const BLANK: State = State {
    x: [[0; 6]; 2],
    events: 0,
    pc: 0,
    marks: [[0; 3]; 2],
    pos: [0; 8],
    tracks: [0; 3],
    attacks: [0; 8],
    turn: 1,
    tow_left: 0,
    tow_used: Regions::NONE,
    phase: Phase::Chart,
    in_box: NO_BOX,
    event: false,
    left: 0,
    candidates: Regions::NONE,
    attacker: Side::Allies,
    region: Region::Wf,
    modifier: 0,
    die: 0,
    verdict: None,
    asked_until: AskedUntil(0),
};

/// The regions that list a track in their DRM column. Rule 2.2.
fn track_regions(track: Track) -> Regions {
    match track {
        Track::Emt => Regions::NONE.with(Region::Wf).with(Region::Ef).with(Region::Sf),
        Track::Pmt => Regions::NONE.with(Region::Chn).with(Region::Pac).with(Region::Isl),
        Track::Usa => Regions::NONE.with(Region::Wf).with(Region::Sf),
    }
}
