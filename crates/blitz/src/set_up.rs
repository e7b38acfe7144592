//! The set-up: the first reserves, and the bot's advantage. Rules 2.4, 8.2, 8.3, 10.7.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::layout::bits;
use crate::pool::Row;
use crate::rules::{HAND_START, ROW_START, Rules, START_CITIES};
use crate::state::{BotDesk, NOWHERE, Phase, Placed, Placing, Stage, State};
use crate::stratagem::{Stratagem, StratagemSet};
use crate::units::Side;

impl Rules {
    /// The position before the first token is drawn.
    pub fn start(&self) -> State {
        let mut state = State {
            phase: Phase::Deal,
            stage: Stage::SetUp,
            side: Side::First,
            turn: 0,
            vp: [0; 2],
            tracks: [0; crate::layout::MAX_THEATRES],
            active: [0; crate::layout::MAX_THEATRES],
            open: self.layout.open,
            closed: 0,
            occupied: 0,
            available: 0,
            units: [Placed::NONE; crate::layout::MAX_SPACES],
            hands: [Row::default(); 2],
            bags: self.supply.bags,
            pile: self.supply.pile,
            last: [None; 2],
            spy_as: None,
            placing: Placing::NOTHING,
            bot: BotDesk {
                cup: StratagemSet::START,
                previous: Stratagem::Steamroll,
                in_force: None,
                space: NOWHERE,
                units: 0,
            },
            verdict: None,
        };
        for theatre in 0..self.layout.theatres.len() as u8 {
            self.refresh(&mut state, theatre);
        }
        state.placing.left = self.hand_start(Side::First);
        state
    }

    fn hand_start(&self, side: Side) -> u8 {
        if self.is_bot(side) { ROW_START } else { HAND_START }
    }

    /// A reserve is complete: the other one, then the bot's advantage, then the first turn. Rules 2.4, 8.2, 8.3.
    pub(crate) fn dealt<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        if state.side == Side::First {
            state.side = Side::Second;
            state.placing.left = self.hand_start(Side::Second);
            return;
        }
        let Some(solo) = self.solo() else { return self.first_turn(state, sink) };
        let (rolls, _) = solo.difficulty.rolls();
        if self.layout.opens_cities {
            state.phase = Phase::StartCity;
            state.placing.left = START_CITIES.0;
        } else if rolls > 0 {
            state.phase = Phase::Difficulty;
            state.placing.left = rolls;
        } else {
            self.first_turn(state, sink);
        }
    }

    /// Rule 8.3: the die names a theatre; a 6 lets the human name one.
    pub(crate) fn difficulty_rolled<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        face: u8,
        sink: &mut L,
    ) {
        sink.emit(|| GameEvent::DifficultyRolled { face });
        let named = self.layout.theatres.iter().position(|theatre| theatre.die == Some(face));
        match named {
            Some(theatre) => self.difficulty(state, theatre as u8, sink),
            None => state.phase = Phase::NameTheatre,
        }
    }

    pub(crate) fn difficulty<L: EventSink<GameEvent>>(&self, state: &mut State, theatre: u8, sink: &mut L) {
        let by = self.solo().map_or(0, |solo| solo.difficulty.rolls().1);
        self.advance_for_bot(state, theatre, by, sink);
        state.placing.left -= 1;
        state.phase = Phase::Difficulty;
        if state.placing.left == 0 {
            self.first_turn(state, sink);
        }
    }

    /// Moves a marker in the bot's favour, never onto an end space. Rulings R20, R31.
    pub(crate) fn advance_for_bot<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        theatre: u8,
        by: i8,
        sink: &mut L,
    ) {
        let most = self.theatre(theatre).track_end - 1;
        let marker = &mut state.tracks[usize::from(theatre)];
        let by = by.min(most - *marker);
        *marker += by;
        sink.emit(|| GameEvent::BotAdvanced { theatre, by });
    }

    pub(crate) fn first_turn<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        state.placing = Placing::NOTHING;
        if let Some(solo) = self.solo() {
            let (vp, tracks) = (solo.start_vp(), solo.start_tracks());
            if tracks > 0 {
                for theatre in bits(u64::from(state.open)) {
                    self.advance_for_bot(state, theatre, tracks, sink);
                }
            }
            if vp > 0 {
                state.vp[0] += vp;
                sink.emit(|| GameEvent::BotPoints { vp });
            }
        }
        self.begin_turn(state, Side::First, sink);
        self.go_on(state, sink);
    }
}
