//! Rule 3.4: Major Conflicts. Rulings R6, R7, R8, R16, R22, R27.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Conflict, Region, Regions, Side};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};

/// How a pair of dice turns out. Rule 3.4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictResult {
    /// Who wins; `None` on a tie.
    pub winner: Option<Side>,
    /// In how many regions the winner advances.
    pub regions: u8,
}

impl Rules {
    /// The Major Conflict that is being resolved.
    pub fn conflict_in_hand(&self, state: &State) -> Conflict {
        match *self.op(state) {
            Op::Major(conflict) => conflict,
            _ => Conflict::Europe,
        }
    }

    /// Window B if it is of use, else the dice.
    pub(crate) fn open_window_before_conflict(&self, state: &mut State) {
        let asked =
            self.asks_early() && self.shifts_before_conflict(state, self.conflict_in_hand(state)) != 0;
        state.phase = if asked { Phase::BeforeConflict } else { Phase::ConflictAllies };
    }

    /// The side that adds 1 to its die.
    pub fn conflict_lead(&self, state: &State, conflict: Conflict) -> Option<Side> {
        let track = self.book.conflicts[conflict.index()].track;
        Side::ALL.into_iter().find(|&side| self.leads(state, side, track))
    }

    /// Rule 3.4.1, steps 3 and 4.
    pub fn conflict_result(&self, lead: Option<Side>, allies: u8, axis: u8) -> ConflictResult {
        let bonus = lead.map_or(0, Side::sign);
        let difference = allies as i8 - axis as i8 + bonus;
        let winner = match difference {
            0 => None,
            1.. => Some(Side::Allies),
            _ => Some(Side::Axis),
        };
        ConflictResult { winner, regions: difference.unsigned_abs().div_ceil(2).min(3) }
    }

    /// Both dice are known: window D if a shift changes what follows, else the consequence.
    #[inline(never)]
    pub(crate) fn conflict_die<L: EventSink<GameEvent>>(&self, state: &mut State, axis: u8, sink: &mut L) {
        let conflict = self.conflict_in_hand(state);
        let allies = state.die;
        let lead = self.conflict_lead(state, conflict);
        sink.emit(|| GameEvent::ConflictRolled { conflict, allies, axis, lead });
        state.keep_conflict_dice(allies, axis);
        if !self.open_late_window(state, Phase::AfterConflict) {
            self.resolve_conflict(state, sink);
        }
    }

    /// A shift after the dice: how they stand now.
    pub(crate) fn tell_turned_conflict<L: EventSink<GameEvent>>(&self, state: &State, sink: &mut L) {
        let conflict = self.conflict_in_hand(state);
        let (allies, axis) = state.conflict_dice();
        let lead = self.conflict_lead(state, conflict);
        sink.emit(|| GameEvent::ConflictTurned { conflict, allies, axis, lead });
    }

    /// Who advances by the dice that lie on the table, and in how many regions that can.
    pub(crate) fn advances_in_hand(&self, state: &State) -> (Option<Side>, u32) {
        let conflict = self.conflict_in_hand(state);
        let (allies, axis) = state.conflict_dice();
        let result = self.conflict_result(self.conflict_lead(state, conflict), allies, axis);
        let Some(side) = result.winner else { return (None, 0) };
        let regions = self.book.conflicts[conflict.index()].regions.iter();
        let able = regions.filter(|&&region| self.can_advance(state, side, region)).count() as u32;
        let advances = able.min(u32::from(result.regions));
        (result.winner.filter(|_| advances > 0), advances)
    }

    /// The winner of the dice on the table advances.
    pub(crate) fn resolve_conflict<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let conflict = self.conflict_in_hand(state);
        let (allies, axis) = state.conflict_dice();
        state.die = 0;
        let lead = self.conflict_lead(state, conflict);
        let result = self.conflict_result(lead, allies, axis);
        let data = &self.book.conflicts[conflict.index()];
        let waits = match result.winner {
            None => false,
            Some(side) if side == self.human => {
                self.advance_in(state, side, result.regions, &data.regions, sink)
            }
            Some(side) => self.advance_in(state, side, result.regions, &data.bot_order, sink),
        };
        if !waits {
            state.pc += 1;
            self.run(state, sink);
        }
    }

    /// One step in `count` different regions of the list that can advance: the bot takes the first ones, the
    /// human picks unless all of them go. Whether the game now waits for a choice. Rules 3.4.2, 3.4.3, 3.3.3.
    pub(crate) fn advance_in<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: Side,
        count: u8,
        regions: &[Region],
        sink: &mut L,
    ) -> bool {
        let possible = |region: &&Region| self.can_advance(state, side, **region);
        let candidates: Regions = regions.iter().filter(possible).copied().collect();
        if side == self.human && candidates.count() > u32::from(count) {
            state.left = count;
            state.candidates = candidates;
            state.phase = Phase::PickAdvance;
            return true;
        }
        let mut left = count;
        for &region in regions.iter().filter(|region| candidates.has(**region)) {
            if left == 0 {
                break;
            }
            left -= 1;
            self.advance(state, side, region, sink);
        }
        false
    }

    /// The human picks one of the regions to advance in.
    pub(crate) fn pick_advance<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        region: Region,
        sink: &mut L,
    ) {
        self.advance(state, self.human, region, sink);
        state.candidates = state.candidates.without(region);
        state.left -= 1;
        if state.left == 0 {
            state.candidates = Regions::NONE;
            state.pc += 1;
            self.run(state, sink);
        }
    }
}
