//! Box texts compiled to a flat list of operations, so that a position in the middle of a box is one small
//! number. Rule 7.3.

use crate::book::{Book, TURNS, Verdict};
use crate::box_language::ast::{Body, BoxText, Condition, Instr, InstrKind};
use crate::box_language::find_title;
use crate::ids::{Conflict, Region, Regions, Side, Track};

/// One operation. Small and `Copy`: the engine reads one per step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// An automatic step. Rule 3.3.3.
    Advance(Side, Region),
    /// `ADV n of`: the list stands in [`Program::lists`].
    AdvanceOf(Side, u8, u32),
    /// An ordered attack with the modifier of the box.
    Attack(Side, Region, i8),
    /// Free attacks: how many, where, modifier.
    FreeAttacks(Side, u8, Regions, i8),
    /// Actions; for the bot free attacks anywhere.
    Actions(Side, u8),
    /// Marks on the side's own row of a track.
    Mark(Side, Track, u8),
    /// More or fewer Tide of War uses.
    Tow(i8),
    /// A Major Conflict.
    Major(Conflict),
    /// A die picks where to go on: six entries of [`Program::jumps`].
    Roll(u32),
    /// Go on at the target unless the condition holds.
    Unless(u32, u32),
    /// The human picks where to go on: this many entries of [`Program::jumps`].
    Choose(u32, u8),
    /// Go on at the target.
    Jump(u32),
    /// Put an X in the event square of a box.
    MarkEvent(u8),
    /// The turn's instructions are done.
    EndTurn,
    /// A procedure that was run alone is done (examples, questions).
    Halt,
}

/// A compiled condition. Rule 7.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// The front of a region stands between two spaces.
    Space(Region, u8, u8),
    /// The victory points lie between two numbers.
    Vp(u8, u8),
    /// The USA are, or are not, in Europe.
    UsaInEurope(bool),
    /// Nobody leads the track.
    Even(Track),
    /// The side leads the track.
    Leads(Side, Track),
    /// The side holds one of the enemy capitals at the ends of these regions.
    Holds(Side, Regions),
    /// The event square of a box is, or is not, marked.
    Event(u8, bool),
}

/// All operations of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The operations of all boxes, one after the other.
    pub ops: Vec<Op>,
    /// Targets of [`Op::Roll`] and [`Op::Choose`].
    pub jumps: Vec<u32>,
    /// Conditions of [`Op::Unless`].
    pub tests: Vec<Test>,
    /// Region lists of [`Op::AdvanceOf`], in the order written.
    pub lists: Vec<Vec<Region>>,
    /// What the options of each [`Op::Choose`] say, by the same index as its jumps.
    pub option_words: Vec<String>,
}

/// Where a box begins in a given year. Rule 3.3.1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// First operation of the Event, where the box has one and the year is in its range.
    pub event: Option<u32>,
    /// First operation of the Alternate, or of a box without Event.
    pub body: u32,
}

/// Compiles the texts of one book.
///
/// Every box is compiled once for each year of the war, so that conditions on years are evaluated here and cost
/// nothing in play.
pub struct Compiler<'a> {
    book: &'a Book,
    program: Program,
    year: u16,
}

impl<'a> Compiler<'a> {
    /// A compiler for the boxes of `book`.
    pub fn new(book: &'a Book) -> Self {
        Self { book, program: Program::default(), year: 0 }
    }

    /// A compiler that adds to what was compiled before, for one year.
    pub fn extending(book: &'a Book, program: Program, year: u16) -> Self {
        Self { book, program, year }
    }

    /// The finished program.
    pub fn finish(self) -> Program {
        self.program
    }

    /// Adds one operation and returns its number.
    pub fn emit(&mut self, op: Op) -> u32 {
        self.program.ops.push(op);
        (self.program.ops.len() - 1) as u32
    }

    fn here(&self) -> u32 {
        self.program.ops.len() as u32
    }

    /// Compiles all boxes for all turns; the turns of one year share their operations.
    pub fn all_boxes(&mut self) -> [[Entry; 24]; TURNS + 1] {
        let mut entries = [[Entry::default(); 24]; TURNS + 1];
        for (turn, &year) in (1..).zip(&self.book.years) {
            if turn > 1 && self.year == year {
                entries[turn] = entries[turn - 1];
                continue;
            }
            self.year = year;
            let texts = self.book.tables.iter().flat_map(|table| &table.boxes);
            let before = entries[turn - 1];
            for ((number, entry), data) in entries[turn].iter_mut().enumerate().zip(texts) {
                *entry = self.action_box(number as u8, &data.parsed);
                *entry = self.share(*entry, before[number]);
            }
        }
        entries
    }

    /// Drops what was just compiled for a box if the year before has the same operations: a small program stays in
    /// the fastest memory.
    fn share(&mut self, new: Entry, before: Entry) -> Entry {
        let first = new.event.unwrap_or(new.body) as usize;
        let length = self.program.ops.len() - first;
        let old = before.event.unwrap_or(before.body) as usize;
        let (earlier, ours) = self.program.ops.split_at(first);
        let moves = |op: &Op| {
            matches!(op, Op::Jump(_) | Op::Unless(..) | Op::Roll(_) | Op::Choose(..) | Op::AdvanceOf(..))
        };
        let same = new.event.is_some() == before.event.is_some()
            && earlier.get(old..old + length).is_some_and(|earlier| earlier == ours)
            && !ours.iter().any(moves);
        if !same {
            return new;
        }
        self.program.ops.truncate(first);
        before
    }

    /// Compiles a whole box; `number` is table × 6 + box, from 0.
    fn action_box(&mut self, number: u8, text: &BoxText) -> Entry {
        let event = text.event.as_ref().filter(|event| event.years.contains(&self.year)).map(|event| {
            let first = self.here();
            self.body(&event.body);
            self.emit(Op::MarkEvent(number));
            self.emit(Op::EndTurn);
            first
        });
        let body = self.here();
        self.body(&text.body);
        self.emit(Op::EndTurn);
        Entry { event, body }
    }

    /// Both sides' instructions, the bot's first unless the text says otherwise. Rule 3.3.2.
    pub fn body(&mut self, body: &Body) {
        let first = body.first.unwrap_or(self.book.human.enemy());
        for side in [first, first.enemy()] {
            let instrs = match side {
                Side::Allies => &body.allies,
                Side::Axis => &body.axis,
            };
            self.sequence(side, instrs);
        }
    }

    fn sequence(&mut self, side: Side, instrs: &[Instr]) {
        for instr in instrs {
            self.instr(side, &instr.kind);
        }
    }

    fn instr(&mut self, side: Side, instr: &InstrKind) {
        match instr {
            InstrKind::Nothing => {}
            InstrKind::Advance(regions) => {
                for &region in regions {
                    self.emit(Op::Advance(side, region));
                }
            }
            InstrKind::AdvanceOf { count, regions } => {
                self.program.lists.push(regions.clone());
                self.emit(Op::AdvanceOf(side, *count, (self.program.lists.len() - 1) as u32));
            }
            InstrKind::Attack { regions, modifier } => {
                for &region in regions {
                    self.emit(Op::Attack(side, region, *modifier));
                }
            }
            InstrKind::FreeAttacks { count, regions, modifier } => {
                let regions = regions.iter().copied().collect();
                self.emit(Op::FreeAttacks(side, *count, regions, *modifier));
            }
            InstrKind::Actions(count) => {
                self.emit(Op::Actions(side, *count));
            }
            InstrKind::Mark { track, count } => {
                self.emit(Op::Mark(side, *track, *count));
            }
            InstrKind::Tow(change) => {
                self.emit(Op::Tow(*change));
            }
            InstrKind::Major(conflict) => {
                self.emit(Op::Major(*conflict));
            }
            InstrKind::Roll { faces, branches } => self.roll(side, faces, branches),
            InstrKind::If { conditions, then, otherwise } => self.test(side, conditions, then, otherwise),
            InstrKind::Choose(options) => {
                // Ruling R24: the bot takes the first.
                if side != self.book.human {
                    if let Some(first) = options.first() {
                        self.sequence(side, &first.instrs);
                    }
                    return;
                }
                let base = self.program.jumps.len();
                self.program.jumps.resize(base + options.len(), 0);
                self.program.option_words.resize(base, String::new());
                self.program.option_words.extend(options.iter().map(|option| option.words.clone()));
                self.emit(Op::Choose(base as u32, options.len() as u8));
                let branches: Vec<&[Instr]> = options.iter().map(|option| &option.instrs[..]).collect();
                let starts = self.branches(side, &branches);
                self.program.jumps[base..base + starts.len()].copy_from_slice(&starts);
            }
        }
    }

    /// A die conditional: faces that are not listed do nothing. Rule 7.3.
    fn roll(&mut self, side: Side, faces: &[Option<u8>; 6], branches: &[Vec<Instr>]) {
        let base = self.program.jumps.len();
        self.program.jumps.resize(base + 6, 0);
        self.emit(Op::Roll(base as u32));
        let branches: Vec<&[Instr]> = branches.iter().map(Vec::as_slice).collect();
        let starts = self.branches(side, &branches);
        let end = self.here();
        for (face, branch) in faces.iter().enumerate() {
            self.program.jumps[base + face] = branch.map_or(end, |branch| starts[usize::from(branch)]);
        }
    }

    /// Compiles alternatives that all go on behind the last one, and returns where each begins.
    fn branches(&mut self, side: Side, branches: &[&[Instr]]) -> Vec<u32> {
        let mut starts = Vec::new();
        let mut exits = Vec::new();
        for branch in branches {
            starts.push(self.here());
            self.sequence(side, branch);
            exits.push(self.emit(Op::Jump(0)));
        }
        let end = self.here();
        for exit in exits {
            self.program.ops[exit as usize] = Op::Jump(end);
        }
        starts
    }

    fn test(&mut self, side: Side, conditions: &[Condition], then: &[Instr], otherwise: &[Instr]) {
        let mut failing = Vec::new();
        for condition in conditions {
            match self.condition(condition) {
                Compiled::Holds => {}
                Compiled::Fails => return self.sequence(side, otherwise),
                Compiled::InPlay(test) => {
                    self.program.tests.push(test);
                    failing.push((self.program.tests.len() - 1) as u32);
                }
            }
        }
        if failing.is_empty() {
            return self.sequence(side, then);
        }
        let unless: Vec<u32> = failing.iter().map(|&test| self.emit(Op::Unless(test, 0))).collect();
        self.sequence(side, then);
        let exit = (!otherwise.is_empty()).then(|| self.emit(Op::Jump(0)));
        let no = self.here();
        for (at, test) in unless.into_iter().zip(failing) {
            self.program.ops[at as usize] = Op::Unless(test, no);
        }
        self.sequence(side, otherwise);
        if let Some(exit) = exit {
            self.program.ops[exit as usize] = Op::Jump(self.here());
        }
    }

    fn condition(&self, condition: &Condition) -> Compiled {
        Compiled::InPlay(match condition {
            Condition::Years(years) if years.contains(&self.year) => return Compiled::Holds,
            Condition::Years(_) => return Compiled::Fails,
            Condition::Space(region, spaces) => Test::Space(*region, *spaces.start(), *spaces.end()),
            Condition::Vp(vp) => Test::Vp(*vp.start(), *vp.end()),
            Condition::UsaInEurope(there) => Test::UsaInEurope(*there),
            Condition::Even(track) => Test::Even(*track),
            Condition::Leads(side, track) => Test::Leads(*side, *track),
            Condition::Holds(side, region) => {
                let enemy_capital = |region: &Region| {
                    let data = &self.book.regions[region.index()];
                    match side {
                        Side::Axis => data.allied_capital,
                        Side::Allies => data.axis_capital,
                    }
                };
                let asked = region.map_or(Regions::ALL, |region| Regions::NONE.with(region));
                Test::Holds(*side, asked.iter().filter(enemy_capital).collect())
            }
            Condition::EventDone { title, done, .. } => {
                // The checker has made sure that the title exists.
                Test::Event(self.book.event_number(title).unwrap_or(u8::MAX), *done)
            }
        })
    }
}

/// Whether a condition can be evaluated when the box is compiled.
enum Compiled {
    /// It holds in this year.
    Holds,
    /// It does not.
    Fails,
    /// It depends on the position.
    InPlay(Test),
}

impl Book {
    /// The number (table × 6 + box, from 0) of the box with this title, in any case.
    pub fn event_number(&self, title: &str) -> Option<u8> {
        let titles = self.titles();
        let meant = find_title(title, &titles)?;
        titles.iter().position(|title| *title == meant).map(|number| number as u8)
    }

    /// The band that a final total falls into. Rule 5.2.
    pub fn band(&self, vp: u8, axis_holds_capital: bool) -> Verdict {
        let band = self.bands.iter().find(|band| vp >= band.min).or(self.bands.last());
        band.map_or(Verdict::Draw, |band| match band.if_axis_holds_capital {
            Some(verdict) if axis_holds_capital => verdict,
            _ => band.result,
        })
    }
}
