//! What a viewer may know: everything but the first commit marker of a combat until both are shown (60.0).

use std::borrow::Cow;

use kernel::{Dice, Discard, Viewer};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::rules::Rules;
use crate::state::{Commitment, State};

/// A position as a viewer sees it. The hidden commit marker, if there is one, reads [`Commitment::Open`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View<'s> {
    state: Cow<'s, State>,
    /// Whether a commit marker is hidden from the viewer.
    pub hidden: bool,
}

impl View<'_> {
    /// The position, without what is hidden.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Rules {
    /// Whether a commit marker lies on the table that a viewer may not see: the first of two (5.1 step 2).
    fn hides_marker(&self, state: &State, viewer: Viewer) -> Option<usize> {
        if !self.settings.secret {
            return None;
        }
        let Frame::Commit(second) = state.frame() else { return None };
        let first = usize::from(1 - second);
        let owner = Viewer::Seat(self.seat_of_side(self.fight_side(state, first as u8)));
        let is_shown = self.is_shown_first(state, first);
        (state.fight.will[first] != Commitment::Open && !is_shown && owner != viewer).then_some(first)
    }

    /// What a viewer sees.
    pub fn view<'s>(&self, state: &'s State, viewer: Viewer) -> View<'s> {
        match self.hides_marker(state, viewer) {
            None => View { state: Cow::Borrowed(state), hidden: false },
            Some(first) => {
                let mut state = *state;
                state.fight.will[first] = Commitment::Open;
                View { state: Cow::Owned(state), hidden: true }
            }
        }
    }

    /// A position that agrees with a view: the hidden marker is one of two.
    pub fn determinize<D: Dice>(&self, view: &View<'_>, dice: &mut D) -> State {
        let mut state = *view.state();
        if view.hidden
            && let Frame::Commit(second) = state.frame()
        {
            let will = if dice.below(2) == 0 { Commitment::Will } else { Commitment::WillNot };
            state.fight.will[usize::from(1 - second)] = will;
        }
        state
    }

    /// Whether the log hides a choice: the first commit marker, as long as the other side has still to choose.
    pub fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let Frame::Commit(at) = state.frame() else { return false };
        let is_marker = matches!(choice, Choice::Commit | Choice::HoldBack);
        let owner = Viewer::Seat(self.seat_of_side(self.fight_side(state, at)));
        if !self.settings.secret
            || !is_marker
            || owner == viewer
            || self.is_shown_first(state, usize::from(at))
        {
            return false;
        }
        // A side that can commit nothing is not asked: then both markers are shown at once.
        let mut after = *state;
        self.play(&mut after, choice, &mut Discard);
        after.frame() == Frame::Commit(1 - at)
    }

    /// Whether a choice shows what was hidden: the second commit marker.
    pub fn reveals(&self, state: &State, choice: Choice) -> bool {
        let Frame::Commit(at) = state.frame() else { return false };
        let first = usize::from(1 - at);
        self.settings.secret
            && matches!(choice, Choice::Commit | Choice::HoldBack)
            && state.fight.will[first] != Commitment::Open
            && !self.is_shown_first(state, first)
    }

    /// Whether a forced answer may be played at once: not where it would tell that a side can commit nothing.
    pub fn may_play_forced(&self, state: &State) -> bool {
        !(self.settings.secret && matches!(state.frame(), Frame::Commit(_)))
    }
}
