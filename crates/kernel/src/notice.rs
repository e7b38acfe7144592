//! Who listens to the story while it happens.

use crate::seat::{Audience, Viewer};

/// Receives the notices of a game as choices are played.
///
/// The notice is handed over as a closure: a listener that is not interested never makes it, so
/// notices cost nothing when nobody listens.
pub trait Listener<N> {
    /// Something happened that `audience` may know.
    fn tell(&mut self, audience: Audience, notice: impl FnOnce() -> N);

    /// Something happened that everybody may know.
    #[inline]
    fn announce(&mut self, notice: impl FnOnce() -> N) {
        self.tell(Audience::Everyone, notice);
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<N> Listener<N> for Silent {
    #[inline]
    fn tell(&mut self, _: Audience, _: impl FnOnce() -> N) {}
}

/// Keeps every notice with its audience.
#[derive(Clone, Debug)]
pub struct Recorder<N> {
    /// What was told, in order.
    pub told: Vec<(Audience, N)>,
}

impl<N> Default for Recorder<N> {
    fn default() -> Self {
        Self { told: Vec::new() }
    }
}

impl<N> Recorder<N> {
    /// What one viewer was told.
    pub fn heard_by(&self, viewer: Viewer) -> impl Iterator<Item = &N> {
        self.told.iter().filter(move |(audience, _)| audience.includes(viewer)).map(|(_, notice)| notice)
    }
}

impl<N> Listener<N> for Recorder<N> {
    fn tell(&mut self, audience: Audience, notice: impl FnOnce() -> N) {
        self.told.push((audience, notice()));
    }
}

/// A notice in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    /// One line of the story.
    pub text: String,
    /// The rule it follows from, or an empty text.
    pub rule: &'static str,
    /// Whether it only says how what follows came about: shown folded, for those who ask.
    pub aside: bool,
}
