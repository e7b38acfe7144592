//! What a viewer may know: everything but the first commit marker of a combat until both are shown (60.0).

use std::borrow::Cow;

use kernel::{Dice, Viewer};

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

    /// Whether the log hides a choice: the first of two commit markers. Where the other side is not asked, both are shown at
    /// once and nothing is hidden.
    pub fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let Frame::Commit(at) = state.frame() else { return false };
        let other = usize::from(1 - at);
        let is_first = state.fight.will[other] == Commitment::Open && self.can_commit(state, other);
        let owner = Viewer::Seat(self.seat_of_side(self.fight_side(state, at)));
        self.settings.secret
            && is_first
            && !self.is_shown_first(state, usize::from(at))
            && matches!(choice, Choice::Commit | Choice::HoldBack)
            && owner != viewer
    }

    /// Whether a choice shows what was hidden: the second commit marker turns both over (5.1 step 2).
    pub fn reveals(&self, state: &State) -> bool {
        let Frame::Commit(at) = state.frame() else { return false };
        self.settings.secret && state.fight.will[usize::from(1 - at)] != Commitment::Open
    }
}
