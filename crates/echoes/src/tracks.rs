//! Rule 2.2: the die roll modifier tracks. Rulings R10, R20.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::ids::{Region, Side, Track};
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// Whether the side leads the EMT or PMT.
    #[inline]
    pub fn leads(&self, state: &State, side: Side, track: Track) -> bool {
        state.track(track) * side.sign() > 0
    }

    /// Whether the USA are in Europe: the Allies add 1 on WF and SF.
    #[inline]
    pub fn usa_in_europe(&self, state: &State) -> bool {
        state.track(Track::Usa) >= self.usa_active
    }

    /// What the main track adds to an attack of the side.
    #[inline]
    pub fn lead_modifier(&self, state: &State, side: Side, region: Region) -> i8 {
        i8::from(self.leads(state, side, region.main_track()))
    }

    /// What the USA track adds to an attack of the side.
    #[inline]
    pub fn usa_modifier(&self, state: &State, side: Side, region: Region) -> i8 {
        let listed = (side == Side::Allies) & self.track_regions[Track::Usa.index()].has(region);
        i8::from(listed & self.usa_in_europe(state))
    }

    /// Whether a mark of the side would be ignored: the track is at its end. Rule 2.2.2, 2.2.3.
    #[inline]
    pub fn mark_is_ignored(&self, state: &State, side: Side, track: Track) -> bool {
        let value = state.track(track);
        match side {
            Side::Allies => value >= self.track_max[track.index()],
            Side::Axis => value <= self.track_min[track.index()],
        }
    }

    /// Puts marks on the side's own row, one after the other; what the track can't take is ignored.
    #[inline]
    pub fn mark<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: Side,
        track: Track,
        count: u8,
        sink: &mut L,
    ) {
        let at = track.index();
        let before = state.tracks[at];
        let after = (before + side.sign() * count as i8).clamp(self.track_min[at], self.track_max[at]);
        let made = before.abs_diff(after);
        state.tracks[at] = after;
        state.marks[side.index()][at] = state.marks[side.index()][at].saturating_add(made);
        for mark in 1..=made {
            let value = before + side.sign() * mark as i8;
            sink.emit(|| GameEvent::Marked { side, track, value });
        }
        if made < count {
            sink.emit(|| GameEvent::MarkIgnored { side, track });
        }
    }
}
