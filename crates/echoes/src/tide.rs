//! Rule 2.5: Tide of War, its uses and the windows before a roll. Rulings R11, R12, R25.

use kernel::{Discard, EventSink};

use crate::game_event::GameEvent;
use crate::ids::{Conflict, Region, Side, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::windows::Windows;

impl Rules {
    /// The tracks (bits) that a Tide of War shift may move now: a use is left, a box is free, and the track
    /// does not ignore it. Rule 2.5.1.
    #[inline]
    pub(crate) fn open_shifts(&self, state: &State) -> u8 {
        if state.tow_left == 0 {
            return 0;
        }
        let mut bits = 0;
        for track in Track::ALL {
            let free = self.track_regions[track.index()].0 & !state.tow_used.0 != 0;
            if free && !self.mark_is_ignored(state, self.human, track) {
                bits |= track_bit(track);
            }
        }
        bits
    }

    /// Window B before an attack: only shifts that change this very roll. Rule 2.5.3.
    #[inline]
    pub(crate) fn shifts_before_attack(&self, state: &State, side: Side, region: Region) -> u8 {
        if state.tow_left == 0 {
            return 0;
        }
        self.open_shifts(state) & self.shifts_that_matter(state, side, region)
    }

    fn shifts_that_matter(&self, state: &State, side: Side, region: Region) -> u8 {
        let main = region.main_track();
        let usa_listed = self.track_regions[Track::Usa.index()].has(region);
        let (main_matters, usa_matters) = if side == self.human {
            let to_lead = 1 - state.track(main) * side.sign();
            let to_europe = self.usa_active - state.track(Track::Usa);
            let usa = side == Side::Allies && usa_listed && self.can_shift_by(state, Track::Usa, to_europe);
            (self.can_shift_by(state, main, to_lead), usa)
        } else {
            let usa = side == Side::Allies && usa_listed && state.track(Track::Usa) == self.usa_active;
            (self.leads(state, side, main), usa)
        };
        (u8::from(main_matters) * track_bit(main)) | (u8::from(usa_matters) * track_bit(Track::Usa))
    }

    /// Whether the human can change their own roll by this many shifts of a track, the fewest that do. Several are for
    /// attacks that a box orders: before any other the human was just asked how to spend an Action. Rules 2.5.3, 2.5.4.
    #[inline]
    fn can_shift_by(&self, state: &State, track: Track, shifts: i8) -> bool {
        shifts == 1
            || (shifts > 1 && self.windows != Windows::V1 && self.can_pay_for(state, track, shifts as u8))
    }

    /// Whether uses and empty boxes are left for several shifts of a track before the ordered attack in hand.
    #[inline(never)]
    fn can_pay_for(&self, state: &State, track: Track, shifts: u8) -> bool {
        let boxes = (self.track_regions[track.index()].0 & !state.tow_used.0).count_ones();
        let ordered = matches!(*self.op(state), Op::Attack(side, ..) if side == self.human);
        ordered && state.tow_left >= shifts && boxes >= u32::from(shifts)
    }

    /// Whether it takes more than one shift to change the roll of the attack in hand, which is the human's.
    pub(crate) fn takes_several_shifts(&self, state: &State) -> bool {
        let allowed = self.shifts_before_attack(state, state.attacker, state.region);
        let usa = allowed & track_bit(Track::Usa) != 0 && state.track(Track::Usa) == self.usa_active - 1;
        let main = state.region.main_track();
        state.attacker == self.human && !usa && (allowed & track_bit(main) == 0 || state.track(main) != 0)
    }

    /// Window B before a Major Conflict: while the human does not lead its track. Rule 2.5.3.
    pub(crate) fn shifts_before_conflict(&self, state: &State, conflict: Conflict) -> u8 {
        let track = self.book.conflicts[conflict.index()].track;
        if self.leads(state, self.human, track) { 0 } else { self.open_shifts(state) & track_bit(track) }
    }

    /// The shifts (bits of tracks) that the window or decision in hand allows.
    pub(crate) fn shifts_allowed(&self, state: &State) -> u8 {
        match state.phase {
            Phase::Opened | Phase::Action | Phase::FreeAttack => self.open_shifts(state),
            Phase::BeforeAttack => self.shifts_before_attack(state, state.attacker, state.region),
            Phase::BeforeConflict => self.shifts_before_conflict(state, self.conflict_in_hand(state)),
            Phase::BeforeLoss => self.open_shifts(state),
            _ => 0,
        }
    }

    /// Whether the window or decision in hand allows this shift, which the track would not ignore and the box can pay for.
    pub(crate) fn allows_shift(&self, state: &State, region: Region, track: Track) -> bool {
        match state.phase {
            Phase::AfterAttack | Phase::AfterConflict | Phase::BeforeTest | Phase::BeforePick => {
                self.windows == Windows::V3 && self.shift_turns(state, region, track)
            }
            _ => self.shifts_allowed(state) & track_bit(track) != 0,
        }
    }

    /// A shift: marks the box, moves the track, and keeps the window open while another is of use.
    pub(crate) fn tow_shift<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        region: Region,
        track: Track,
        sink: &mut L,
    ) {
        self.use_tow(state, region);
        self.mark(state, self.human, track, 1, &mut Discard);
        let (value, left) = (state.track(track), state.tow_left);
        sink.emit(|| GameEvent::TowShifted { region, track, value, left });
        match state.phase {
            Phase::Opened if self.open_shifts(state) == 0 => self.run(state, sink),
            Phase::BeforeAttack => self.open_window_before_attack(state),
            Phase::BeforeConflict => self.open_window_before_conflict(state),
            Phase::Action | Phase::FreeAttack => self.ask_grant(state, sink),
            Phase::Opened => {}
            _ => self.after_late_shift(state, sink),
        }
    }

    /// A reroll of the attack that was just rolled. Rule 2.5.5.
    pub(crate) fn tow_reroll<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let region = state.region;
        self.use_tow(state, region);
        let (side, left) = (state.attacker, state.tow_left);
        sink.emit(|| GameEvent::TowReroll { region, side, left });
        state.phase = Phase::RerollDie;
    }

    fn use_tow(&self, state: &mut State, region: Region) {
        state.tow_used = state.tow_used.with(region);
        state.tow_left -= 1;
    }

    /// No Tide of War now: on with what the window held up.
    pub(crate) fn decline<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        match state.phase {
            Phase::BeforeAttack => state.phase = Phase::AttackDie,
            Phase::BeforeConflict => state.phase = Phase::ConflictAllies,
            Phase::AfterAttack => self.let_roll_stand(state, sink),
            Phase::Opened => self.run(state, sink),
            _ => self.close_late_window(state, sink),
        }
    }

    /// More or fewer uses, never below none. Rule 7.3.
    pub(crate) fn change_allowance<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        change: i8,
        sink: &mut L,
    ) {
        state.tow_left = state.tow_left.saturating_add_signed(change);
        let left = state.tow_left;
        sink.emit(|| GameEvent::TowAllowance { left });
    }
}

/// A track's bit in a set of tracks.
#[inline]
pub(crate) const fn track_bit(track: Track) -> u8 {
    1 << track as u8
}
