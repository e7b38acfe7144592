//! What has changed from one scene to the next: parts that are drawn otherwise, parts that are gone, and the places of parts
//! that are new or stand elsewhere. A page that had the old scene and makes these changes has the new one.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher as _};

use serde::Serialize;

use super::{Part, Scene};

/// Where a part goes that is new or stands elsewhere than before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place(
    /// The `id` of the part.
    pub String,
    /// The `id` of the element that holds it.
    pub &'static str,
    /// The part right before it in the same holder; `None` for the first.
    pub Option<String>,
);

/// What turns a page with one scene into a page with another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The parts that are new or drawn otherwise, in order.
    pub parts: Vec<Part>,
    /// The parts that are gone, by `id`.
    pub gone: Vec<String>,
    /// The places of parts that are new or stand elsewhere, in the order in which they are put there.
    pub places: Vec<Place>,
}

/// A class of the sheet's own element: it has no place.
const NO_HOLDER: u8 = u8::MAX;

/// A part remembered.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Where its key ends in the text of all keys.
    end: u32,
    /// Its holder, by its place in the list of holders.
    holder: u8,
    /// The fingerprint of what was drawn.
    drawn: u64,
}

/// A scene remembered by its fingerprints: enough to tell what has changed, at some twenty bytes a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct SceneMarks {
    keys: String,
    marks: Vec<Mark>,
    holders: Vec<&'static str>,
}

fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

impl SceneMarks {
    /// The marks of a scene.
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut marks = Self {
            keys: String::with_capacity(scene.parts.iter().map(|Part(key, ..)| key.len()).sum()),
            marks: Vec::with_capacity(scene.parts.len()),
            holders: Vec::new(),
        };
        for Part(key, holder, html) in &scene.parts {
            marks.keys.push_str(key);
            let holder = holder.map_or(NO_HOLDER, |holder| marks.holder(holder));
            marks.marks.push(Mark { end: marks.keys.len() as u32, holder, drawn: fingerprint(html) });
        }
        marks
    }

    /// The number of a holder.
    fn holder(&mut self, holder: &'static str) -> u8 {
        let known = self.holders.iter().position(|known| *known == holder);
        let at = known.unwrap_or_else(|| {
            self.holders.push(holder);
            self.holders.len() - 1
        });
        // A sheet has a handful of places; what lies beyond shares a number, and is only ever put in its place again.
        at.min(usize::from(NO_HOLDER) - 1) as u8
    }

    /// The keys with their marks, in order.
    fn parts(&self) -> impl Iterator<Item = (&str, Mark)> {
        let starts = std::iter::once(0).chain(self.marks.iter().map(|mark| mark.end));
        starts.zip(&self.marks).map(|(start, mark)| (&self.keys[start as usize..mark.end as usize], *mark))
    }

    /// Notes that one part was drawn anew, and returns whether it differs. The scene must have the part.
    pub(crate) fn redrawn(&mut self, key: &str, html: &str) -> bool {
        let drawn = fingerprint(html);
        let Some(at) = self.parts().position(|(known, _)| known == key) else { return false };
        std::mem::replace(&mut self.marks[at].drawn, drawn) != drawn
    }

    /// What turns a page with this scene into one with `next`, and the marks of `next`.
    pub(crate) fn changes(&self, next: Scene) -> (Changes, Self) {
        let marks = Self::of(&next);
        let before: HashMap<&str, (usize, Mark)> =
            self.parts().enumerate().map(|(at, (key, mark))| (key, (at, mark))).collect();
        // For each part of the next scene its place in this one, where it is in the same holder.
        let old_holder = |mark: Mark| self.holders.get(usize::from(mark.holder)).copied();
        let stays: Vec<Option<usize>> = next
            .parts
            .iter()
            .map(|Part(key, holder, _)| {
                before.get(key.as_str()).filter(|(_, mark)| old_holder(*mark) == *holder).map(|(at, _)| *at)
            })
            .collect();
        let gone = {
            let mut is_there = vec![false; self.marks.len()];
            for Part(key, ..) in &next.parts {
                if let Some((at, _)) = before.get(key.as_str()) {
                    is_there[*at] = true;
                }
            }
            let all = self.parts().zip(is_there);
            all.filter(|((_, mark), there)| !there && mark.holder != NO_HOLDER)
                .map(|((key, _), _)| key.to_owned())
                .collect()
        };
        let places = places(&next, &stays);
        let is_new = |part: &Part, mark: &Mark| {
            before.get(part.0.as_str()).is_none_or(|(_, old)| {
                old.drawn != mark.drawn || (old.holder == NO_HOLDER) != (mark.holder == NO_HOLDER)
            })
        };
        let parts = next
            .parts
            .into_iter()
            .zip(&marks.marks)
            .filter(|(part, mark)| is_new(part, mark))
            .map(|(part, _)| part);
        (Changes { parts: parts.collect(), gone, places }, marks)
    }
}

/// The places of all parts that can't stay where they are. Of those that can, as many stay as keep their order among each other.
fn places(next: &Scene, stays: &[Option<usize>]) -> Vec<Place> {
    let mut holders: Vec<&'static str> = Vec::new();
    let mut children: Vec<Vec<usize>> = Vec::new();
    for (at, Part(_, holder, _)) in next.parts.iter().enumerate() {
        let Some(holder) = holder else { continue };
        match holders.iter().position(|known| known == holder) {
            Some(known) => children[known].push(at),
            None => {
                holders.push(holder);
                children.push(vec![at]);
            }
        }
    }
    let mut places = Vec::new();
    for (holder, children) in holders.into_iter().zip(children) {
        let old: Vec<Option<usize>> = children.iter().map(|at| stays[*at]).collect();
        // Most often nothing has moved.
        if old.iter().all(Option::is_some) && old.is_sorted() {
            continue;
        }
        let kept = longest_rise(&old);
        let mut before: Option<&str> = None;
        for (child, is_kept) in children.iter().zip(kept) {
            let key = next.parts[*child].0.as_str();
            if !is_kept {
                places.push(Place(key.to_owned(), holder, before.map(str::to_owned)));
            }
            before = Some(key);
        }
    }
    places
}

/// Which numbers belong to a longest sequence that rises; what is no number never does.
fn longest_rise(numbers: &[Option<usize>]) -> Vec<bool> {
    // For each length the place of the lowest number that ends a rise of that length.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let Some(number) = number else { continue };
        let length = ends.partition_point(|end| numbers[*end] < Some(*number));
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept[at] = true;
        next = before[at];
    }
    kept
}

#[cfg(test)]
mod tests;
