//! Rules 3.1 to 3.3 and 4.0: the course of a turn, box by box and instruction by instruction.
//! Rulings R13, R21, R24.

use kernel::EventSink;

use crate::book::ChartEntry;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::ids::{Region, Regions, Side, Track};
use crate::program::{Op, Test};
use crate::rules::Rules;
use crate::state::{NO_BOX, Phase, State};

impl Rules {
    /// Plays a choice that is open.
    pub(crate) fn play<L: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut L) {
        match choice {
            Choice::Die(face) => self.die(state, face, sink),
            decision => self.decide(state, decision, sink),
        }
    }

    /// A decision of the human.
    pub(crate) fn decide<L: EventSink<GameEvent>>(&self, state: &mut State, decision: Choice, sink: &mut L) {
        match decision {
            Choice::Die(_) => {}
            Choice::Attack(region) => self.spend_on_attack(state, region, sink),
            Choice::Shift(track) => self.spend_on_mark(state, track, sink),
            Choice::Pass => {
                let left = state.left;
                sink.emit(|| GameEvent::Passed { left });
                self.end_grant(state, sink);
            }
            Choice::Advance(region) => self.pick_advance(state, region, sink),
            Choice::Option(number) => self.pick_option(state, number, sink),
            Choice::TowReroll(_) => self.tow_reroll(state, sink),
            Choice::TowShift(region, track) => self.tow_shift(state, region, track, sink),
            Choice::Request => self.request(state, sink),
            Choice::No => self.decline(state, sink),
        }
    }

    /// A die, for whatever it was rolled.
    #[inline(always)]
    pub(crate) fn die<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        match state.phase {
            Phase::Chart => self.chart_die(state, face, sink),
            Phase::BoxDie => self.open_box(state, face, sink),
            Phase::AttackDie => self.attack_die(state, face, sink),
            Phase::RerollDie => self.reroll_die(state, face, sink),
            Phase::BranchDie => self.branch_die(state, face, sink),
            Phase::ConflictAllies => {
                state.die = face;
                state.phase = Phase::ConflictAxis;
            }
            Phase::ConflictAxis => self.conflict_die(state, face, sink),
            Phase::ConfidenceDie => self.confidence_die(state, face, sink),
            _ => {}
        }
    }

    /// Rule 7.3: a die inside a box.
    #[inline(never)]
    fn branch_die<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        sink.emit(|| GameEvent::BranchRolled { die: face });
        if let Op::Roll(base) = *self.op(state) {
            state.pc = self.program.jumps[base as usize + usize::from(face) - 1];
        }
        self.run(state, sink);
    }

    /// Rule 3.1: the Die Roll Chart.
    #[inline(never)]
    fn chart_die<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        let turn = state.turn;
        let entry = self.chart[usize::from(face) - 1];
        sink.emit(|| GameEvent::TurnStarted { turn });
        sink.emit(|| GameEvent::ChartRolled { die: face, entry });
        match entry {
            ChartEntry::Table(table) => {
                state.in_box = table * 6;
                state.phase = Phase::BoxDie;
            }
            ChartEntry::Major(conflict) => {
                state.pc = self.conflict_entries[conflict.index()];
                self.run(state, sink);
            }
        }
    }

    /// Rule 3.3.1: Event or Alternate, then window A.
    #[inline(never)]
    fn open_box<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        state.in_box += face - 1;
        let number = state.in_box;
        let entry = &self.entries[usize::from(state.turn)][usize::from(number)];
        let event = entry.event.filter(|_| state.events >> number & 1 == 0);
        state.event = event.is_some();
        state.pc = event.unwrap_or(entry.body);
        let (marked, year) = (state.events >> number & 1 != 0, self.year(state.turn));
        sink.emit(|| GameEvent::BoxOpened { die: face, number, event: event.is_some(), marked, year });
        if self.asks_early() && self.open_shifts(state) != 0 {
            state.phase = Phase::Opened;
        } else {
            self.run(state, sink);
        }
    }

    /// Does operations until a choice is needed. Only attacks, the most frequent of them, are done in place: what is
    /// rare stays out of the way.
    #[inline(never)]
    pub(crate) fn run<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        loop {
            let waits = match *self.op(state) {
                Op::Attack(side, region, modifier) => self.begin_attack(state, side, region, modifier, sink),
                Op::FreeAttacks(_, count, _, _) | Op::Actions(_, count) => {
                    state.left = count;
                    self.next_of_grant(state, sink)
                }
                Op::EndTurn => return self.end_turn(state, sink),
                _ => self.rare_op(state, sink),
            };
            if waits {
                return;
            }
            state.pc = state.pc.wrapping_add(1);
        }
    }

    /// One of the less frequent operations. Whether the game now waits for a choice.
    #[inline(never)]
    fn rare_op<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) -> bool {
        match *self.op(state) {
            Op::Advance(side, region) => self.advance(state, side, region, sink),
            Op::Mark(side, track, count) => self.mark(state, side, track, count, sink),
            Op::AdvanceOf(side, count, list) => {
                return self.advance_in(state, side, count, &self.program.lists[list as usize], sink);
            }
            Op::Tow(change) => {
                if change < 0 && self.open_late_window(state, Phase::BeforeLoss) {
                    return true;
                }
                self.change_allowance(state, change, sink);
            }
            Op::Major(_) => {
                self.open_window_before_conflict(state);
                return true;
            }
            Op::Roll(_) => {
                state.phase = Phase::BranchDie;
                return true;
            }
            Op::Choose(..) => {
                state.phase = Phase::PickOption;
                return true;
            }
            Op::Unless(..) => {
                if self.open_late_window(state, Phase::BeforeTest) {
                    return true;
                }
                self.pass_conditions(state);
            }
            // The run goes on one operation further, so a jump leads to the one before its target.
            Op::Jump(target) => state.pc = target.wrapping_sub(1),
            Op::MarkEvent(number) => {
                state.events |= 1 << number;
                sink.emit(|| GameEvent::EventMarked { number });
            }
            Op::Halt => {
                state.phase = Phase::Halted;
                return true;
            }
            Op::Attack(..) | Op::FreeAttacks(..) | Op::Actions(..) | Op::EndTurn => {}
        }
        false
    }

    /// On after an attack: the next of the grant, or the next operation.
    #[inline(always)]
    pub(crate) fn go_on<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        if state.left > 0 && self.next_of_grant(state, sink) {
            return;
        }
        state.pc += 1;
        self.run(state, sink);
    }

    /// The next Action or free attack of a grant. Whether the game now waits for a choice. Rules 3.3.3, 7.3.
    #[inline(never)]
    fn next_of_grant<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) -> bool {
        let (side, _, regions) = self.attack_order(state);
        if side != self.human {
            return self.bot_attacks(state, false, sink);
        }
        let actions = matches!(*self.op(state), Op::Actions(..));
        state.phase = if actions { Phase::Action } else { Phase::FreeAttack };
        if state.left > 0 && self.has_use_for_grant(state, actions, regions) {
            return true;
        }
        state.left = 0;
        false
    }

    /// The next free attack of the bot. Whether the game now waits for a choice; `asked` if the human has just let the bot
    /// pick. Rules 2.5.7, 7.3.
    pub(crate) fn bot_attacks<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        mut asked: bool,
        sink: &mut L,
    ) -> bool {
        let (side, modifier, regions) = self.attack_order(state);
        while state.left > 0 {
            if !asked && self.open_late_window(state, Phase::BeforePick) {
                return true;
            }
            asked = false;
            state.left -= 1;
            let Some(region) = self.best_attack(state, side, regions, modifier) else { break };
            if self.begin_attack(state, side, region, modifier, sink) {
                return true;
            }
        }
        state.left = 0;
        false
    }

    /// Asks the human again after a Tide of War shift inside a grant.
    pub(crate) fn ask_grant<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        if !self.next_of_grant(state, sink) {
            state.pc += 1;
            self.run(state, sink);
        }
    }

    /// Whether there is anything to do but pass: a point without is skipped. Rule 8.
    #[inline]
    fn has_use_for_grant(&self, state: &State, actions: bool, regions: Regions) -> bool {
        // A mark is nearly always open, and is the cheapest to see.
        (actions && self.open_marks(state) != 0)
            || self.open_attacks(state).0 & regions.0 != 0
            || (self.asks_early() && self.open_shifts(state) != 0)
    }

    /// Whether the human may attack here.
    pub(crate) fn human_can_attack(&self, state: &State, region: Region) -> bool {
        self.open_attacks(state).has(region)
    }

    /// The bot's free attack: the highest chance, ties in the order of the regions. Rule 7.3.
    pub(crate) fn best_attack(
        &self,
        state: &State,
        side: Side,
        regions: Regions,
        modifier: i8,
    ) -> Option<Region> {
        let mut best = None;
        for region in regions.iter().filter(|&region| self.need(state, side, region) != 0) {
            let faces = self.winning_faces(state, side, region, modifier);
            if best.is_none_or(|(most, _)| faces > most) {
                best = Some((faces, region));
            }
        }
        best.map(|(_, region)| region)
    }

    fn spend_on_attack<L: EventSink<GameEvent>>(&self, state: &mut State, region: Region, sink: &mut L) {
        state.left -= 1;
        let (_, modifier, _) = self.attack_order(state);
        self.begin_attack(state, self.human, region, modifier, sink);
    }

    fn spend_on_mark<L: EventSink<GameEvent>>(&self, state: &mut State, track: Track, sink: &mut L) {
        state.left -= 1;
        self.mark(state, self.human, track, 1, sink);
        self.ask_grant(state, sink);
    }

    fn end_grant<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        state.left = 0;
        state.pc += 1;
        self.run(state, sink);
    }

    fn pick_option<L: EventSink<GameEvent>>(&self, state: &mut State, number: u8, sink: &mut L) {
        sink.emit(|| GameEvent::OptionChosen { number });
        if let Op::Choose(base, _) = *self.op(state) {
            state.pc = self.program.jumps[base as usize + usize::from(number) - 1];
        }
        self.run(state, sink);
    }

    /// Whether all conditions of the `If` in hand hold, and the last operation that asks for one. Rule 7.3.
    pub(crate) fn conditions_hold(&self, state: &State) -> (bool, u32) {
        let Op::Unless(_, exit) = *self.op(state) else { return (true, state.pc) };
        let mut last = state.pc;
        let mut hold = true;
        while let Some(&Op::Unless(test, target)) = self.program.ops.get(last as usize)
            && target == exit
        {
            hold &= self.holds(state, self.program.tests[test as usize]);
            last += 1;
        }
        (hold, last - 1)
    }

    /// Goes to the last operation before those that the conditions of the `If` in hand lead to.
    pub(crate) fn pass_conditions(&self, state: &mut State) {
        let Op::Unless(_, exit) = *self.op(state) else { return };
        let (hold, last) = self.conditions_hold(state);
        state.pc = if hold { last } else { exit.wrapping_sub(1) };
    }

    /// Whether a condition holds at this moment. Rule 7.3.
    fn holds(&self, state: &State, test: Test) -> bool {
        match test {
            Test::Space(region, low, high) => (low..=high).contains(&state.at(region)),
            Test::Vp(low, high) => (low..=high).contains(&self.vp(state)),
            Test::UsaInEurope(there) => self.usa_in_europe(state) == there,
            Test::Even(track) => state.track(track) == 0,
            Test::Leads(side, track) => self.leads(state, side, track),
            Test::Holds(Side::Axis, regions) => regions.iter().any(|region| state.at(region) == 0),
            Test::Holds(Side::Allies, regions) => {
                regions.iter().any(|region| state.at(region) == self.max[region.index()])
            }
            Test::Event(number, done) => (state.events >> (number & 31) & 1 != 0) == done,
        }
    }

    /// The position without what depends on how the book was compiled and without what the last attack left behind.
    pub(crate) fn canonical(&self, state: &State) -> State {
        let mut canonical = *state;
        let in_box = state.in_box != NO_BOX && state.phase != Phase::BoxDie;
        let first = if in_box {
            let entry = self.entries[usize::from(state.turn)][usize::from(state.in_box)];
            entry.event.filter(|_| state.event).unwrap_or(entry.body)
        } else {
            let conflict = self.conflict_entries.into_iter().filter(|&first| first <= state.pc);
            conflict.max().unwrap_or(0)
        };
        canonical.pc = match state.phase {
            Phase::Chart | Phase::BoxDie | Phase::ConfidenceDie | Phase::Over => 0,
            _ => state.pc.wrapping_sub(first),
        };
        let attacking = matches!(
            state.phase,
            Phase::BeforeAttack | Phase::AttackDie | Phase::AfterAttack | Phase::RerollDie
        );
        if !attacking {
            (canonical.attacker, canonical.region, canonical.modifier) = (Side::Allies, Region::Wf, 0);
        }
        canonical
    }

    /// The next turn begins. Rule 4.0, step 4.
    pub(crate) fn next_turn(&self, state: &mut State) {
        state.turn += 1;
        state.attacks = [0; 8];
        state.in_box = NO_BOX;
        state.event = false;
        state.pc = 0;
        state.phase = Phase::Chart;
    }
}
