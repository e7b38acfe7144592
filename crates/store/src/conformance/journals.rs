//! Journals: growing, conflicts, races.

use std::sync::Barrier;
use std::thread;

use super::{entry, sample, steps_append, with_result};
use crate::AppendOutcome::{Conflict, Missing, Written};
use crate::{Append, AppendOutcome, EntryKind, MatchRecord, Store};

pub(super) fn grow(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    let undo = Append {
        entry: entry(2, EntryKind::Undo { to_step: 1, crossed: true }),
        ..with_result(steps_append("m", 2, ""), "win")
    };
    let all = [steps_append("m", 1, "a\nb"), undo, steps_append("m", 3, "c")];
    for append in &all {
        assert_eq!(store.append(std::slice::from_ref(append)).unwrap(), [Written]);
        // The record follows; nothing else of it changes.
        let expected = MatchRecord {
            revision: append.entry.seq,
            changed_at: append.entry.at,
            summary: append.summary.clone(),
            ..sample("m")
        };
        assert_eq!(store.find("m").unwrap(), Some(expected));
    }
    let entries = all.map(|append| append.entry);
    assert_eq!(store.journal("m").unwrap(), entries);
    for after in 0..=3 {
        assert_eq!(store.journal_after("m", after).unwrap(), entries[after as usize..]);
    }
    assert_eq!((store.journal_after("m", 7), store.journal_after("n", 0)), (Ok(Vec::new()), Ok(Vec::new())));
}

pub(super) fn conflict(store: &dyn Store) {
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    let group = [
        steps_append("m", 1, "first"),
        steps_append("m", 1, "again"),
        steps_append("nobody", 1, "lost"),
        steps_append("n", 2, "too far"),
        steps_append("n", 0, "zero"),
        steps_append("n", u32::MAX, "far too far"),
        steps_append("n", 1, "fine"),
    ];
    let expected = [Written, Conflict, Missing, Conflict, Conflict, Conflict, Written];
    assert_eq!(store.append(&group).unwrap(), expected);
    assert_eq!(store.journal("m").unwrap(), [group[0].entry.clone()]);
    assert_eq!(store.journal("n").unwrap(), [group[6].entry.clone()]);
    assert_eq!(store.find("m").unwrap().unwrap().summary, group[0].summary);
    assert_eq!(store.journal("nobody").unwrap(), []);
    assert_eq!(store.find("nobody").unwrap(), None);
}

pub(super) fn two_of_one_match(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    let group: Vec<_> =
        (1..=50).flat_map(|seq| ["m", "n"].map(|id| steps_append(id, seq, &format!("{id} {seq}")))).collect();
    assert_eq!(store.append(&group).unwrap(), [Written; 100]);
    for id in ["m", "n"] {
        let own: Vec<_> = group.iter().filter(|a| a.match_id == id).map(|a| a.entry.clone()).collect();
        assert_eq!(store.journal(id).unwrap(), own);
        assert_eq!(store.find(id).unwrap().unwrap().revision, 50);
    }
}

pub(super) fn any_text(store: &dyn Store) {
    let big = "0123456789abcdef⚔".repeat(200_000);
    let texts =
        ["", "\n", "\0 in the \0 middle", "e\u{301} ≠ é", "👩‍👩‍👧 \u{feff}\u{10ffff}", "a\r\nb\tc\\", &big];
    store.create(&MatchRecord { header: big.clone(), ..sample("m") }, &[]).unwrap();
    for (i, text) in texts.iter().enumerate() {
        let mut append = steps_append("m", i as u32 + 1, text);
        append.summary.last_event = (*text).into();
        assert_eq!(store.append(&[append]).unwrap(), [Written]);
        let record = store.find("m").unwrap().unwrap();
        assert!(record.summary.last_event == *text && record.header == big);
    }
    for (entry, text) in store.journal("m").unwrap().iter().zip(texts) {
        assert!(entry.kind == EntryKind::Steps(text.into()), "{} bytes", text.len());
    }
}

/// Of many who write the same number at once exactly one wins, time and again.
pub(super) fn one_winner(store: &dyn Store) {
    const WRITERS: usize = 4;
    store.create(&sample("m"), &[]).unwrap();
    for seq in 1..=10 {
        let barrier = Barrier::new(WRITERS);
        let outcomes: Vec<(usize, AppendOutcome)> = thread::scope(|scope| {
            let write = |writer: usize| {
                let append = steps_append("m", seq, &format!("by {writer}"));
                barrier.wait();
                (writer, store.append(&[append]).unwrap()[0])
            };
            let threads: Vec<_> = (0..WRITERS).map(|w| scope.spawn(move || write(w))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|(_, o)| *o == Written);
        assert_eq!((won.len(), lost.len()), (1, WRITERS - 1));
        assert!(lost.iter().all(|(_, outcome)| *outcome == Conflict));
        let journal = store.journal("m").unwrap();
        assert_eq!(journal.len(), seq as usize);
        assert_eq!(journal[seq as usize - 1].kind, EntryKind::Steps(format!("by {}", won[0].0)));
    }
}
