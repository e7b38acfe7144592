//! Rules 3.5 and 5.0: the Confidence Chart and how the game ends. Rulings R1, R2, R4, R15, R18.

use kernel::EventSink;

use crate::book::{ConfidenceRule, Verdict};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{NO_BOX, Phase, State};

impl Rules {
    /// Steps 3 and 4 of a turn. Rule 4.0.
    #[inline(never)]
    pub(crate) fn end_turn<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        if let Some(verdict) = self.immediate_victory(state) {
            return self.finish(state, verdict, sink);
        }
        if let Some((points, _)) = self.confidence[usize::from(state.turn)].filter(|(_, lose)| *lose != 0) {
            let vp = self.vp(state);
            let roll = self.confidence_is_shaken(vp, points);
            sink.emit(|| GameEvent::ConfidenceChecked { vp, points, roll });
            if roll {
                state.phase = Phase::ConfidenceDie;
                return;
            }
        }
        self.close_turn(state, sink);
    }

    /// Whether a row of the Confidence Chart asks for a roll. Rule 3.5, ruling R4.
    pub fn confidence_is_shaken(&self, vp: u8, points: u8) -> bool {
        match self.book.confidence_rule {
            ConfidenceRule::AtOrBelow => vp <= points,
            ConfidenceRule::Below => vp < points,
            ConfidenceRule::AtOrAbove => vp >= points,
        }
    }

    /// Rule 3.5: the Confidence die.
    #[inline(never)]
    pub(crate) fn confidence_die<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        let lose = self.confidence[usize::from(state.turn)].map_or(0, |(_, lose)| lose);
        let lost = lose >> face & 1 != 0;
        sink.emit(|| GameEvent::ConfidenceRolled { die: face, lost });
        if lost {
            self.finish(state, Verdict::ConfidenceFailure, sink);
        } else {
            self.close_turn(state, sink);
        }
    }

    /// The next turn, or the final judgement. Rule 5.2.
    fn close_turn<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        if state.turn >= self.final_turn {
            let verdict = self.book.band(self.vp(state), self.axis_holds_capital(state));
            self.finish(state, verdict, sink);
        } else {
            self.next_turn(state);
        }
    }

    /// Rule 5.1: all three Allied capitals, or two armies in Berlin and two in Japan.
    pub fn immediate_victory(&self, state: &State) -> Option<Verdict> {
        let ledger = self.ledger(state);
        let capitals = self.allied_capitals.count();
        if capitals > 0 && ledger.lost() == capitals {
            return Some(Verdict::AxisImmediate);
        }
        (ledger.in_berlin() >= 2 && ledger.in_japan() >= 2).then_some(Verdict::AlliedImmediate)
    }

    fn finish<L: EventSink<GameEvent>>(&self, state: &mut State, verdict: Verdict, sink: &mut L) {
        state.phase = Phase::Over;
        state.in_box = NO_BOX;
        state.event = false;
        state.verdict = Some(verdict);
        let vp = self.vp(state);
        sink.emit(|| GameEvent::GameOver { verdict, vp });
    }
}
