//! Results as bytes: finished chunks one after the other, cut into slices that a message can hold.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::{Finished, Part};

/// The most bytes of results in a message. A server of NATS takes a megabyte if it is not told otherwise.
pub(crate) const SLICE: usize = 512 << 10;
/// The most bytes that are brought at once; a single chunk with more can't be brought at all.
const MOST_BYTES: usize = 512 << 20;
/// The most bytes of unfinished deliveries that a desk keeps.
const MOST_WAITING: usize = 1 << 30;

/// Finished chunks as bytes.
pub(crate) fn pack(finished: &[Finished]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |number: usize| out.extend((number as u64).to_le_bytes());
    put(finished.len());
    for Finished { n, parts } in finished {
        out.extend(n.to_le_bytes());
        out.extend((parts.len() as u64).to_le_bytes());
        for part in parts {
            out.extend((part.bytes.len() as u64).to_le_bytes());
            out.extend(&part.bytes);
        }
    }
    out
}

/// Reads what [`pack`] has written. The sums are made here: a desk believes no sum that it has not made itself.
pub(crate) fn unpack(mut from: &[u8]) -> Option<Vec<Finished>> {
    fn number(from: &mut &[u8]) -> Option<u64> {
        let (bytes, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(u64::from_le_bytes(*bytes))
    }
    let mut finished = Vec::new();
    for _ in 0..number(&mut from)? {
        let n = number(&mut from)?;
        let mut parts = Vec::new();
        for _ in 0..number(&mut from)? {
            let length = usize::try_from(number(&mut from)?).ok()?;
            let (bytes, rest) = from.split_at_checked(length)?;
            from = rest;
            parts.push(part(bytes.to_vec()));
        }
        finished.push(Finished { n, parts });
    }
    from.is_empty().then_some(finished)
}

/// A chunk that was done, with the sums of its parts.
pub fn finished(n: u64, parts: Vec<Vec<u8>>) -> Finished {
    Finished { n, parts: parts.into_iter().map(part).collect() }
}

/// A part with its sum.
pub(crate) fn part(bytes: Vec<u8>) -> Part {
    Part { sha256: Sha256::digest(&bytes).into(), bytes }
}

/// What a slice is a slice of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    /// Who brings it.
    pub worker: String,
    /// The worker's build.
    pub build: String,
    /// The desk and the errand for which it was done.
    pub desk: String,
    /// The number of the errand.
    pub errand: u64,
    /// The number of the delivery at that worker.
    pub delivery: u64,
    /// The place of the slice, from 0.
    pub slice: usize,
    /// How many slices there are.
    pub slices: usize,
}

impl Label {
    /// Who brought it, for people and for the ledger.
    pub fn by(&self) -> String {
        format!("{} ({})", self.build, self.worker)
    }
}

/// The worker in what a ledger says of who did a chunk; all of it if somebody else has.
pub fn worker_in(by: &str) -> &str {
    by.strip_suffix(')').and_then(|by| by.rsplit_once(" (")).map_or(by, |(_, worker)| worker)
}

/// A slice with its label, as a message.
pub(crate) fn labelled(label: &Label, slice: &[u8]) -> Vec<u8> {
    let label = crate::message::bytes(label);
    let mut out = Vec::with_capacity(4 + label.len() + slice.len());
    out.extend((label.len() as u32).to_le_bytes());
    out.extend(label);
    out.extend(slice);
    out
}

/// Reads a message with a slice.
pub(crate) fn read_labelled(from: &[u8]) -> Option<(Label, &[u8])> {
    let (length, rest) = from.split_first_chunk()?;
    let (label, slice) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((serde_json::from_slice(label).ok()?, slice))
}

/// How many slices so many bytes make.
pub(crate) fn slices(bytes: usize) -> usize {
    bytes.div_ceil(SLICE).max(1)
}

/// Whether this is more than can be brought.
pub(crate) fn is_too_large(bytes: usize) -> bool {
    bytes > MOST_BYTES
}

/// What has come of a slice.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Gathered {
    /// More is to come.
    Part,
    /// All is there.
    Whole(Vec<u8>),
    /// It does not follow what came before.
    Broken,
}

/// Deliveries of which not all slices have come.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    /// By worker: the number of its delivery, the slices that have come, and their bytes. Each worker's threads are workers
    /// of their own here, so each has at most one.
    waiting: HashMap<String, (u64, usize, Vec<u8>)>,
    bytes: usize,
}

impl Gathering {
    /// Takes a slice.
    pub fn take(&mut self, label: &Label, slice: &[u8]) -> Gathered {
        let whole = label.slices;
        if slice.len() > SLICE || whole == 0 || whole > slices(MOST_BYTES) || label.slice >= whole {
            return Gathered::Broken;
        }
        if label.slice == 0 {
            self.forget(&label.worker);
        }
        let known = self.waiting.get(&label.worker).map(|(delivery, next, _)| (*delivery, *next));
        let follows = match known {
            Some((delivery, next)) => delivery == label.delivery && next == label.slice,
            None => label.slice == 0,
        };
        if !follows || self.bytes + slice.len() > MOST_WAITING {
            self.forget(&label.worker);
            return Gathered::Broken;
        }
        let entry = self.waiting.entry(label.worker.clone());
        let (_, next, bytes) = entry.or_insert_with(|| (label.delivery, 0, Vec::new()));
        bytes.extend(slice);
        *next += 1;
        self.bytes += slice.len();
        if *next < whole {
            return Gathered::Part;
        }
        Gathered::Whole(self.forget(&label.worker))
    }

    /// Drops what a worker has brought of a delivery that is not whole.
    pub fn forget(&mut self, worker: &str) -> Vec<u8> {
        let bytes = self.waiting.remove(worker).map(|(_, _, bytes)| bytes).unwrap_or_default();
        self.bytes -= bytes.len();
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(delivery: u64, slice: usize, slices: usize) -> Label {
        let [worker, build, desk] = ["w", "1", "d"].map(str::to_owned);
        Label { worker, build, desk, errand: 1, delivery, slice, slices }
    }

    #[test]
    fn what_is_packed_is_unpacked_and_broken_bytes_are_refused() {
        let finished = vec![
            Finished { n: 7, parts: vec![part(vec![1, 2, 3]), part(Vec::new())] },
            Finished { n: 900, parts: Vec::new() },
        ];
        let bytes = pack(&finished);
        assert_eq!(unpack(&bytes), Some(finished));
        for cut in 0..bytes.len() {
            assert_eq!(unpack(&bytes[..cut]), None, "cut at {cut}");
        }
        assert_eq!(unpack(&[bytes, vec![0]].concat()), None);
        assert_eq!(unpack(&[0xff; 64]), None);
        assert_eq!(unpack(&pack(&[])), Some(Vec::new()));
    }

    #[test]
    fn labels_travel_with_their_slice() {
        let message = labelled(&label(3, 0, 2), b"bytes");
        assert_eq!(read_labelled(&message), Some((label(3, 0, 2), &b"bytes"[..])));
        assert_eq!(read_labelled(&message[..9]), None);
        assert_eq!(read_labelled(b"\xff\xff\xff\xff"), None);
    }

    #[test]
    fn who_brought_it_is_found_in_what_the_ledger_says() {
        let by = Label { worker: "host 4/0".to_owned(), build: "1 (abc)".to_owned(), ..label(1, 0, 1) }.by();
        assert_eq!(worker_in(&by), "host 4/0");
        assert_eq!(worker_in("0.2.0 abc"), "0.2.0 abc");
    }

    #[test]
    fn slices_are_put_together_in_order_and_nothing_else_is() {
        let mut all = Gathering::default();
        assert_eq!(all.take(&label(1, 0, 1), b"whole"), Gathered::Whole(b"whole".to_vec()));
        assert_eq!(all.take(&label(2, 0, 2), b"a"), Gathered::Part);
        assert_eq!(all.take(&label(2, 1, 2), b"b"), Gathered::Whole(b"ab".to_vec()));
        // From the middle, with a gap, of another delivery: all of that begins again.
        assert_eq!(all.take(&label(3, 1, 3), b"b"), Gathered::Broken);
        assert_eq!(all.take(&label(4, 0, 3), b"a"), Gathered::Part);
        assert_eq!(all.take(&label(4, 2, 3), b"c"), Gathered::Broken);
        assert_eq!(all.take(&label(4, 1, 3), b"b"), Gathered::Broken);
        assert_eq!(all.take(&label(5, 0, 2), b"a"), Gathered::Part);
        assert_eq!(all.take(&label(6, 1, 2), b"b"), Gathered::Broken);
        // A repeat begins anew.
        assert_eq!(all.take(&label(7, 0, 2), b"a"), Gathered::Part);
        assert_eq!(all.take(&label(7, 0, 2), b"a"), Gathered::Part);
        assert_eq!(all.take(&label(7, 1, 2), b"b"), Gathered::Whole(b"ab".to_vec()));
        assert_eq!((all.bytes, all.waiting.len()), (0, 0));
        assert_eq!(all.take(&label(8, 2, 2), b""), Gathered::Broken);
        assert_eq!(all.take(&label(8, 0, usize::MAX), b""), Gathered::Broken);
    }
}
