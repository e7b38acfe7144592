//! Which Tide of War windows open, and the late ones: what a shift can still turn once it lies on the table. Rules 2.5.5
//! to 2.5.8, ruling R12.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Region, Regions, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{AskedUntil, Phase, State};
use crate::tide::track_bit;

/// Which Tide of War windows there are. Ruling R12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Windows {
    /// As in rules 1: before a roll only if a single shift changes it.
    V1,
    /// As in rules 2: before an attack of the human that a box orders also if it takes several shifts.
    V2,
    /// Also after dice are seen, before an `If`, before the bot picks a region and before uses are lost.
    #[default]
    V3,
}

impl Windows {
    /// All, the oldest first.
    pub const ALL: [Self; 3] = [Self::V1, Self::V2, Self::V3];

    /// The word in the option `windows`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::V1 => "1",
            Self::V2 => "2",
            Self::V3 => "3",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|windows| windows.word() == word)
    }
}

/// When the human wants to be asked about the Tide of War. Rule 2.5.8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ask {
    /// At every window, also before anything is rolled.
    Always,
    /// Only where a use changes what lies on the table.
    #[default]
    Change,
    /// The same, but only after having asked for it.
    Request,
}

impl Ask {
    /// All, the most questions first.
    pub const ALL: [Self; 3] = [Self::Always, Self::Change, Self::Request];

    /// The word in the option `ask`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Change => "change",
            Self::Request => "request",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ask| ask.word() == word)
    }
}

/// For how many turns a request to be asked holds, after the one in which it was made. Rule 2.5.8.
const REQUEST_TURNS: u8 = 1;

impl Rules {
    /// Whether windows open before anything has happened: A, and B before a roll. Rules 2.5.2, 2.5.3.
    #[inline]
    pub(crate) fn asks_early(&self) -> bool {
        self.windows != Windows::V3 || self.ask == Ask::Always
    }

    /// Whether windows of rules 3 open, which show what a shift would turn. Rules 2.5.5, 2.5.7.
    #[inline]
    pub(crate) fn asks_late(&self, state: &State) -> bool {
        self.windows == Windows::V3 && self.listens(state)
    }

    /// Whether the human wants to be asked now. Rule 2.5.8.
    #[inline]
    pub(crate) fn listens(&self, state: &State) -> bool {
        self.ask != Ask::Request || state.asked_until.0 >= state.turn
    }

    /// Whether the human may ask to be asked. Rule 2.5.8.
    pub(crate) fn may_request(&self, state: &State) -> bool {
        state.tow_left > 0 && !self.listens(state)
    }

    /// From now on the human is asked, for a while. Rule 2.5.8.
    pub(crate) fn request<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let until = (state.turn + REQUEST_TURNS).min(self.final_turn);
        state.asked_until = AskedUntil(until);
        sink.emit(|| GameEvent::TideRequested { until });
    }

    /// Opens a late window if shifts can turn what it is about. Whether it is open now.
    #[inline(never)]
    pub(crate) fn open_late_window(&self, state: &mut State, phase: Phase) -> bool {
        if state.tow_left == 0 || !self.asks_late(state) {
            return false;
        }
        let before = state.phase;
        state.phase = phase;
        let open = match phase {
            Phase::BeforeLoss => self.open_shifts(state) != 0,
            _ => self.shifts_to_turn(state).is_some(),
        };
        if !open {
            state.phase = before;
        }
        open
    }

    /// The fewest shifts that turn what the late window in hand is about, if uses and boxes are left for them.
    pub(crate) fn shifts_to_turn(&self, state: &State) -> Option<u8> {
        let tracks = self.tracks_that_count(state);
        let mut fewest: Option<u8> = None;
        let most = |track: Track| {
            let counts = tracks & track_bit(track) != 0;
            if counts { self.marks_to_limit(state, track).min(state.tow_left) } else { 0 }
        };
        for emt in 0..=most(Track::Emt) {
            for pmt in 0..=most(Track::Pmt) {
                for usa in 0..=most(Track::Usa) {
                    let shifts = emt + pmt + usa;
                    if shifts == 0 || fewest.is_some_and(|fewest| fewest <= shifts) {
                        continue;
                    }
                    if self.can_pay(state, emt, pmt, usa)
                        && self.turns(state, &self.shifted(state, [emt, pmt, usa]))
                    {
                        fewest = Some(shifts);
                    }
                }
            }
        }
        fewest
    }

    /// Whether a shift belongs to the shortest way to turn what the late window is about.
    pub(crate) fn shift_turns(&self, state: &State, region: Region, track: Track) -> bool {
        let Some(needed) = self.shifts_to_turn(state) else { return false };
        let mut next = self.shifted(state, Track::ALL.map(|other| u8::from(other == track)));
        if needed == 1 {
            return self.turns(state, &next);
        }
        next.tow_used = next.tow_used.with(region);
        next.tow_left -= 1;
        self.shifts_to_turn(&next) == Some(needed - 1)
    }

    /// The tracks (bits) that what the late window is about depends on.
    fn tracks_that_count(&self, state: &State) -> u8 {
        match state.phase {
            Phase::AfterAttack => {
                let usa = self.track_regions[Track::Usa.index()].has(state.region);
                track_bit(state.region.main_track()) | (u8::from(usa) * track_bit(Track::Usa))
            }
            Phase::AfterConflict => {
                track_bit(self.book.conflicts[self.conflict_in_hand(state).index()].track)
            }
            Phase::BeforeTest | Phase::BeforePick => {
                Track::ALL.into_iter().fold(0, |bits, track| bits | track_bit(track))
            }
            _ => 0,
        }
    }

    /// Whether what the late window is about comes out otherwise after shifts.
    fn turns(&self, state: &State, shifted: &State) -> bool {
        match state.phase {
            Phase::AfterAttack => {
                let wins = |state: &State| self.roll_in_hand(state, state.die).wins();
                wins(state) != wins(shifted)
            }
            Phase::AfterConflict => self.advances_in_hand(state) != self.advances_in_hand(shifted),
            Phase::BeforeTest => self.conditions_hold(state).0 != self.conditions_hold(shifted).0,
            Phase::BeforePick => {
                let (side, modifier, regions) = self.attack_order(state);
                let pick = |state: &State| self.best_attack(state, side, regions, modifier);
                pick(state) != pick(shifted)
            }
            _ => false,
        }
    }

    /// How many marks of the human a track can still take.
    fn marks_to_limit(&self, state: &State, track: Track) -> u8 {
        let (at, value) = (track.index(), state.track(track));
        let limit = if self.human.sign() > 0 { self.track_max[at] } else { self.track_min[at] };
        limit.abs_diff(value)
    }

    /// Whether uses and empty boxes are left for so many shifts of each track. The regions of USA are among those of EMT.
    fn can_pay(&self, state: &State, emt: u8, pmt: u8, usa: u8) -> bool {
        let boxes = |track: Track| Regions(self.track_regions[track.index()].0 & !state.tow_used.0).count();
        emt + pmt + usa <= state.tow_left
            && u32::from(usa) <= boxes(Track::Usa)
            && u32::from(emt + usa) <= boxes(Track::Emt)
            && u32::from(pmt) <= boxes(Track::Pmt)
    }

    /// The position with its tracks shifted the human's way, and nothing paid for it.
    fn shifted(&self, state: &State, shifts: [u8; 3]) -> State {
        let mut shifted = *state;
        for (value, shifts) in shifted.tracks.iter_mut().zip(shifts) {
            *value += self.human.sign() * shifts as i8;
        }
        shifted
    }

    /// After a shift in a late window: on, unless more shifts can turn it.
    pub(crate) fn after_late_shift<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        match state.phase {
            Phase::AfterAttack => {
                let roll = self.roll_in_hand(state, state.die);
                if roll.wins() == (roll.side == self.human) {
                    sink.emit(|| GameEvent::AttackTurned(roll));
                    self.let_roll_stand(state, sink);
                }
            }
            Phase::AfterConflict => {
                self.tell_turned_conflict(state, sink);
                if self.shifts_to_turn(state).is_none() {
                    self.resolve_conflict(state, sink);
                }
            }
            Phase::BeforeLoss if self.open_shifts(state) != 0 => {}
            Phase::BeforeTest | Phase::BeforePick if self.shifts_to_turn(state).is_some() => {}
            _ => self.close_late_window(state, sink),
        }
    }

    /// On with what a window before an instruction held up.
    pub(crate) fn close_late_window<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        match (state.phase, *self.op(state)) {
            (Phase::AfterConflict, _) => return self.resolve_conflict(state, sink),
            (Phase::BeforeTest, _) => self.pass_conditions(state),
            (Phase::BeforeLoss, Op::Tow(change)) => self.change_allowance(state, change, sink),
            (Phase::BeforePick, _) if self.bot_attacks(state, true, sink) => return,
            _ => {}
        }
        state.pc = state.pc.wrapping_add(1);
        self.run(state, sink);
    }
}
