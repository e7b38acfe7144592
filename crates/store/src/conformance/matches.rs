//! Whole matches: made, found, listed, renamed, put in the bin, purged.

use super::{entry, sample, steps_append, with_result};
use crate::{AppendOutcome, Counts, EntryKind, MatchRecord, Origin, Shelf, Store, StoreError};

fn ids(list: &[MatchRecord]) -> Vec<&str> {
    list.iter().map(|record| record.id.as_str()).collect()
}

pub(super) fn empty(store: &dyn Store) {
    assert_eq!(store.find("nobody").unwrap(), None);
    assert_eq!(store.journal("nobody").unwrap(), []);
    assert_eq!(store.list(false).unwrap(), []);
    assert_eq!(store.list(true).unwrap(), []);
    assert_eq!(store.finished().unwrap(), []);
    assert_eq!(store.setting("anything").unwrap(), None);
    assert_eq!(store.purge(u64::MAX).unwrap(), 0);
    assert_eq!(store.append(&[]).unwrap(), []);
    store.set_seen(&[]).unwrap();
}

pub(super) fn kept_as_given(store: &dyn Store) {
    // Bare, full, and with every field that can be there; seats in any order come back in theirs.
    let bare = MatchRecord { id: "bare".into(), ..MatchRecord::default() };
    let journal = [
        entry(1, EntryKind::Steps("one\ntwo\n".into())),
        entry(2, EntryKind::Undo { to_step: 1, crossed: true }),
        entry(3, EntryKind::Undo { to_step: u32::MAX, crossed: false }),
        entry(4, EntryKind::Steps(String::new())),
    ];
    let mut full = MatchRecord { revision: 4, deleted_at: Some(5), ..sample("full") };
    full.summary = with_result(steps_append("full", 4, ""), "draw").summary;
    full.seats[1].claimed_at = Some(77);
    full.seats[1].seen = u32::MAX;
    full.seats[1].seat = u8::MAX;
    let mut shuffled = full.clone();
    shuffled.seats.reverse();
    store.create(&bare, &[]).unwrap();
    store.create(&shuffled, &journal).unwrap();
    store.create(&sample("plain"), &[]).unwrap();
    assert_eq!(store.find("bare").unwrap(), Some(bare));
    assert_eq!(store.find("full").unwrap(), Some(full));
    assert_eq!(store.find("plain").unwrap(), Some(sample("plain")));
    assert_eq!(store.journal("full").unwrap(), journal);
    assert_eq!(store.journal("plain").unwrap(), []);
}

pub(super) fn refused(store: &dyn Store) {
    let invalid = |record: &MatchRecord, journal: &[_]| {
        let result = store.create(record, journal);
        assert!(matches!(result, Err(StoreError::Invalid(_))), "{result:?}");
    };
    let steps = |seq| entry(seq, EntryKind::Steps("a".into()));
    invalid(&MatchRecord { revision: 1, ..sample("m") }, &[]);
    invalid(&MatchRecord { revision: 2, ..sample("m") }, &[steps(2)]);
    invalid(&MatchRecord { revision: 3, ..sample("m") }, &[steps(1), steps(3)]);
    invalid(&sample(""), &[]);
    let mut twice = sample("m");
    twice.seats[1].seat = 0;
    invalid(&twice, &[]);
    assert_eq!(store.list(false).unwrap(), []);

    store.create(&sample("m"), &[]).unwrap();
    let other = MatchRecord { name: "another".into(), revision: 1, ..sample("m") };
    assert_eq!(store.create(&other, &[steps(1)]), Err(StoreError::Exists { id: "m".into() }));
    assert_eq!(store.find("m").unwrap(), Some(sample("m")));
    assert_eq!(store.journal("m").unwrap(), []);
}

pub(super) fn listed_by_change(store: &dyn Store) {
    let made = |id: &str, created_at| MatchRecord { created_at, ..sample(id) };
    for record in [made("b", 1), made("a", 1), made("c", 2)] {
        store.create(&record, &[]).unwrap();
    }
    // Of one moment: the newer, then by id, so that the order never wavers.
    assert_eq!(ids(&store.list(false).unwrap()), ["c", "a", "b"]);
    let changed = store.append(&[steps_append("b", 1, "x"), steps_append("nobody", 1, "x")]).unwrap();
    assert_eq!(changed, [AppendOutcome::Written, AppendOutcome::Missing]);
    let list = store.list(false).unwrap();
    assert_eq!(ids(&list), ["b", "c", "a"]);
    for listed in list {
        let found = store.find(&listed.id).unwrap().unwrap();
        assert!(!found.header.is_empty());
        assert_eq!(listed, MatchRecord { header: String::new(), ..found });
    }
    // A clock that was put back does not send a match down the list.
    let mut early = steps_append("b", 2, "x");
    early.entry.at = 5;
    store.append(&[early]).unwrap();
    assert_eq!(ids(&store.list(false).unwrap()), ["b", "c", "a"]);
    assert_eq!(store.journal("b").unwrap()[1].at, 5);
}

pub(super) fn page_by_page(store: &dyn Store) {
    assert_eq!(store.counts().unwrap(), Counts::default());
    assert_eq!(store.page(Shelf::Running, 0, 5).unwrap(), []);
    let made = |id: &str, changed_at, owner_to_move| {
        let mut record = MatchRecord { changed_at, ..sample(id) };
        record.summary.owner_to_move = owner_to_move;
        record
    };
    let records = [
        made("old", 1, false),
        made("new", 9, false),
        made("mine", 3, true),
        made("mine-b", 2, true),
        made("mine-a", 2, true),
        made("binned", 8, true),
        made("over", 5, false),
        made("over-binned", 5, false),
    ];
    for record in &records {
        store.create(record, &[]).unwrap();
    }
    let end = |id: &str| with_result(steps_append(id, 1, "x"), "draw");
    store.append(&[end("over"), end("over-binned")]).unwrap();
    for id in ["binned", "over-binned"] {
        store.mark_deleted(id, Some(1)).unwrap();
    }
    assert_eq!(store.counts().unwrap(), Counts { running: 5, owner_to_move: 3, finished: 1 });
    let page = |shelf, from, most| store.page(shelf, from, most).unwrap();
    let all = page(Shelf::Running, 0, 10);
    assert_eq!(ids(&all), ["mine", "mine-a", "mine-b", "new", "old"]);
    assert_eq!(ids(&page(Shelf::Running, 1, 3)), ["mine-a", "mine-b", "new"]);
    assert_eq!(ids(&page(Shelf::Running, 5, 3)), [""; 0]);
    assert_eq!(ids(&page(Shelf::Finished, 0, 3)), ["over"]);
    // The same records as in the list, seats included.
    assert_eq!(all[0], MatchRecord { header: String::new(), ..records[2].clone() });
    // What was chosen says anew whose turn it is.
    store.append(&[steps_append("mine", 1, "x")]).unwrap();
    assert_eq!(store.counts().unwrap().owner_to_move, 2);
    assert_eq!(ids(&page(Shelf::Running, 0, 3)), ["mine-a", "mine-b", "mine"]);
}

pub(super) fn with_a_lesson(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    assert!(store.set_lesson("m", "first closed").unwrap());
    assert!(!store.set_lesson("nobody", "first 1").unwrap());
    let changed = MatchRecord { lesson: "first closed".into(), ..sample("m") };
    assert_eq!(store.find("m").unwrap(), Some(changed));
    assert_eq!(store.find("n").unwrap(), Some(sample("n")));
}

pub(super) fn renamed(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    assert!(store.rename("m", "Ēostre ⚔ ' OR 1=1 --").unwrap());
    assert!(!store.rename("nobody", "x").unwrap());
    let renamed = MatchRecord { name: "Ēostre ⚔ ' OR 1=1 --".into(), ..sample("m") };
    assert_eq!(store.find("m").unwrap(), Some(renamed));
    assert_eq!(store.find("n").unwrap(), Some(sample("n")));
}

pub(super) fn paced(store: &dyn Store) {
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    assert!(store.set_pace("m", "once").unwrap());
    assert!(!store.set_pace("nobody", "once").unwrap());
    let paced = MatchRecord { pace: "once".into(), ..sample("m") };
    assert_eq!(store.find("m").unwrap(), Some(paced));
    assert_eq!(store.find("n").unwrap(), Some(sample("n")));
    // What is chosen in the match leaves it as it is.
    assert_eq!(store.append(&[steps_append("m", 1, "a")]).unwrap(), [AppendOutcome::Written]);
    assert_eq!(store.find("m").unwrap().unwrap().pace, "once");
}

pub(super) fn binned_and_purged(store: &dyn Store) {
    for id in ["a", "b", "c"] {
        store.create(&sample(id), &[]).unwrap();
    }
    assert!(store.mark_deleted("a", Some(10)).unwrap());
    assert!(store.mark_deleted("b", Some(20)).unwrap());
    assert!(!store.mark_deleted("nobody", Some(20)).unwrap());
    assert_eq!(ids(&store.list(false).unwrap()), ["c"]);
    assert_eq!(ids(&store.list(true).unwrap()), ["a", "b"]);
    assert_eq!(store.find("a").unwrap().unwrap().deleted_at, Some(10));
    // A choice that was on its way is not lost.
    assert_eq!(store.append(&[steps_append("b", 1, "late")]).unwrap(), [AppendOutcome::Written]);

    assert_eq!(store.purge(10).unwrap(), 0);
    assert_eq!(store.purge(11).unwrap(), 1);
    assert_eq!(store.find("a").unwrap(), None);
    assert_eq!(store.append(&[steps_append("a", 1, "x")]).unwrap(), [AppendOutcome::Missing]);

    assert!(store.mark_deleted("b", None).unwrap());
    assert_eq!(store.purge(u64::MAX).unwrap(), 0);
    assert_eq!(ids(&store.list(false).unwrap()), ["b", "c"]);
    assert_eq!(store.list(true).unwrap(), []);
    let restored = store.find("b").unwrap().unwrap();
    assert_eq!((restored.deleted_at, restored.revision, restored.seats), (None, 1, sample("b").seats));
    assert_eq!(store.journal("b").unwrap().len(), 1);

    // What is gone for good leaves its id free, and nothing of itself behind.
    store.create(&sample("a"), &[]).unwrap();
    assert_eq!(store.find("a").unwrap(), Some(sample("a")));
    assert_eq!(store.journal("a").unwrap(), []);
}

pub(super) fn finished(store: &dyn Store) {
    for id in ["a", "b", "c", "open"] {
        store.create(&sample(id), &[]).unwrap();
    }
    let mut over = MatchRecord { changed_at: 9, ..sample("imported") };
    over.summary.result = Some("loss".into());
    over.summary.standings = "loss".into();
    store.create(&over, &[]).unwrap();
    let end = |id: &str, seq| with_result(steps_append(id, seq, "x"), "decisive");
    let group =
        [steps_append("a", 1, "x"), end("a", 2), end("b", 1), end("c", 1), steps_append("open", 1, "x")];
    store.append(&group).unwrap();
    store.mark_deleted("c", Some(1)).unwrap();
    let told = || -> Vec<_> {
        let finished = store.finished().unwrap();
        finished.into_iter().map(|f| (f.match_id, f.result, f.standings, f.finished_at)).collect()
    };
    let row = |id: &str, result: &str, standings: &str, at| (id.into(), result.into(), standings.into(), at);
    let (first, second) = (group[2].entry.at, group[1].entry.at);
    let a = || row("a", "decisive", "win,loss", second);
    let imported = || row("imported", "loss", "loss", 9);
    assert_eq!(told(), [imported(), row("b", "decisive", "win,loss", first), a()]);
    let whole = &store.finished().unwrap()[1];
    assert_eq!((&whole.game, &whole.options), (&sample("b").game, &sample("b").options));

    // What comes after the end does not move it; an undo of the end takes it back.
    store.append(&[end("a", 3), steps_append("b", 2, "undone")]).unwrap();
    assert_eq!(told(), [imported(), a()]);
    store.append(&[end("b", 3)]).unwrap();
    assert_eq!(told()[2], row("b", "decisive", "win,loss", end("b", 3).entry.at));
}

pub(super) fn forks(store: &dyn Store) {
    store.create(&MatchRecord { origin: None, ..sample("root") }, &[]).unwrap();
    for (id, of) in [("a", "root"), ("b", "a"), ("binned", "root")] {
        let origin = Some(Origin { match_id: of.into(), step: 3 });
        store.create(&MatchRecord { origin, ..sample(id) }, &[]).unwrap();
    }
    store.mark_deleted("binned", Some(7)).unwrap();
    let fork = |id: &str, of: &str| (id.to_owned(), of.to_owned());
    assert_eq!(store.forks().unwrap(), [fork("a", "root"), fork("b", "a")]);
}

/// What servers look at every two seconds: many matches at once, also those in the bin.
pub(super) fn at_a_glance(store: &dyn Store) {
    let ids: Vec<String> = (0..70).map(|number| format!("m{number}")).collect();
    for id in &ids[..67] {
        store.create(&sample(id), &[]).unwrap();
    }
    store.append(&[steps_append("m3", 1, "x")]).unwrap();
    store.mark_deleted("m66", Some(5)).unwrap();
    assert_eq!(store.glance(&[]), Ok(Vec::new()));
    for some in [&ids[..], &ids[3..4], &ids[66..]] {
        let mut found = store.glance(some).unwrap();
        found.sort_by_key(|record| record.id[1..].parse::<u32>().unwrap());
        let expected = some.iter().filter_map(|id| store.find(id).unwrap());
        let expected: Vec<_> =
            expected.map(|record| MatchRecord { header: String::new(), ..record }).collect();
        assert_eq!(found, expected);
    }
}
