//! Who listens to the story while it happens.

use crate::seat::{Audience, Viewer};

/// Receives the events of a game as choices are played.
///
/// The event is handed over as a closure: a sink that is not interested never makes it, so
/// events cost nothing when nobody listens.
pub trait EventSink<N> {
    /// Something happened that `audience` may know.
    fn emit_to(&mut self, audience: Audience, event: impl FnOnce() -> N);

    /// Something happened that everybody may know.
    #[inline]
    fn emit(&mut self, event: impl FnOnce() -> N) {
        self.emit_to(Audience::Everyone, event);
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl<N> EventSink<N> for Discard {
    #[inline]
    fn emit_to(&mut self, _: Audience, _: impl FnOnce() -> N) {}
}

/// Keeps every event with its audience.
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
    pub fn seen_by(&self, viewer: Viewer) -> impl Iterator<Item = &N> {
        self.told.iter().filter(move |(audience, _)| audience.includes(viewer)).map(|(_, event)| event)
    }
}

impl<N> EventSink<N> for Recorder<N> {
    fn emit_to(&mut self, audience: Audience, event: impl FnOnce() -> N) {
        self.told.push((audience, event()));
    }
}

/// A event in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// One line of the story.
    pub text: String,
    /// The rule it follows from, or an empty text.
    pub rule: &'static str,
    /// Whether it only says how what follows came about: shown folded, for those who ask.
    pub aside: bool,
}
