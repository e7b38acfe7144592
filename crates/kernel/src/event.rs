//! Events, and sinks that receive them.

use crate::seat::{Audience, Viewer};

/// Receives the events of a game as choices are played.
///
/// The event is passed as a closure, so that events cost nothing when the sink ignores them.
pub trait EventSink<N> {
    /// Something happened that `audience` may know.
    fn emit_to(&mut self, audience: Audience, event: impl FnOnce() -> N);

    /// Something happened that everybody may know.
    #[inline]
    fn emit(&mut self, event: impl FnOnce() -> N) {
        self.emit_to(Audience::Everyone, event);
    }
}

/// An event sink that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl<N> EventSink<N> for Discard {
    #[inline]
    fn emit_to(&mut self, _: Audience, _: impl FnOnce() -> N) {}
}

/// An event sink that keeps every event with its audience.
#[derive(Clone, Debug)]
pub struct Recorder<N> {
    /// The events in order.
    pub events: Vec<(Audience, N)>,
}

impl<N> Default for Recorder<N> {
    fn default() -> Self {
        Self { events: Vec::new() }
    }
}

impl<N> Recorder<N> {
    /// The events that one viewer may see.
    pub fn seen_by(&self, viewer: Viewer) -> impl Iterator<Item = &N> {
        self.events.iter().filter(move |(audience, _)| audience.includes(viewer)).map(|(_, event)| event)
    }
}

impl<N> EventSink<N> for Recorder<N> {
    fn emit_to(&mut self, audience: Audience, event: impl FnOnce() -> N) {
        self.events.push((audience, event()));
    }
}

/// An event as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The text.
    pub text: String,
    /// The rule behind it, or an empty string.
    pub rule: &'static str,
    /// Whether it is a detail that explains the next line; shown folded.
    pub aside: bool,
}
