//! Entries beside choices, and what follows from entries.

use super::{entry, sample, steps_append, with_result};
use crate::AppendOutcome::{Conflict, Repeated, Written};
use crate::{
    AccountId, Append, Awaited, Claim, Deadline, Effect, Entry, EntryKind, Notice, NoticeState, Offer,
    OnFlag, Outage, Player, Store, StoreError, TableEvent,
};

const ANNA: AccountId = AccountId(17);
const FAR: AccountId = AccountId(u64::MAX);

fn event(match_id: &str, seq: u32, event: TableEvent) -> Append {
    Append { entry: entry(seq, EntryKind::Event(event)), ..steps_append(match_id, seq, "") }
}

fn with_effects(append: Append, effects: &[Effect]) -> Append {
    Append { effects: effects.to_vec(), ..append }
}

/// One of each kind.
fn all_events() -> Vec<TableEvent> {
    vec![
        TableEvent::Seat { seat: 1, player: Player::Account { id: ANNA, bot: None } },
        TableEvent::Clock { rules: "daily off=sat,sun zone=Europe/Zürich".into() },
        TableEvent::Offer { seat: 0, to: vec![1], of: Offer::Draw },
        TableEvent::Answer { seat: 1, offer: 3, yes: false },
        TableEvent::Offer { seat: 0, to: vec![1], of: Offer::Undo { to_step: 7, crossed: true } },
        TableEvent::Withdraw { seat: 0, offer: 5 },
        TableEvent::Offer { seat: 0, to: vec![1], of: Offer::Pause },
        TableEvent::Answer { seat: 1, offer: 7, yes: true },
        TableEvent::Resume { seat: 1 },
        TableEvent::Offer { seat: 1, to: vec![0, 2], of: Offer::BreakOff },
        TableEvent::Rest { seat: 1, from: 5, until: 6 },
        TableEvent::Flag { seat: 1, then: OnFlag::Claim },
        TableEvent::Claim { seat: 0, wish: Claim::Wait },
        TableEvent::Flag { seat: 1, then: OnFlag::StandIn("captain".into()) },
        TableEvent::Resign { seat: 0, bot: Some("captain".into()) },
        TableEvent::Verdict { standings: "win,loss".into(), why: "‘why’ in words".into() },
    ]
}

pub(super) fn beside_choices(store: &dyn Store) {
    // At the start as later, among steps and undos.
    let first = [entry(1, EntryKind::Steps("a".into())), event("m", 2, all_events()[1].clone()).entry];
    store.create(&crate::MatchRecord { revision: 2, ..sample("m") }, &first).unwrap();
    let mut kept: Vec<Entry> = first.to_vec();
    for (seq, happened) in (3..).zip(all_events()) {
        let mut append = event("m", seq, happened);
        append.entry.account = [None, Some(ANNA), Some(FAR)][seq as usize % 3];
        append.entry.request = (seq % 2 == 0).then(|| format!("request-{seq} '"));
        append.entry.awaits = (seq % 5 > 0).then_some(Awaited { seat: 1, turn: u16::MAX });
        assert_eq!(store.append(std::slice::from_ref(&append)).unwrap(), [Written]);
        kept.push(append.entry);
    }
    let undo = EntryKind::Undo { to_step: 1, crossed: false };
    let undo = Append {
        entry: Entry { account: Some(ANNA), ..entry(kept.len() as u32 + 1, undo) },
        ..steps_append("m", 0, "")
    };
    assert_eq!(store.append(std::slice::from_ref(&undo)).unwrap(), [Written]);
    kept.push(undo.entry);
    assert_eq!(store.journal("m").unwrap(), kept);
    assert_eq!(store.find("m").unwrap().unwrap().revision, kept.len() as u32);
    // The same race for the number keeps a choice and a resignation apart.
    let seq = kept.len() as u32 + 1;
    let group =
        [event("m", seq, TableEvent::Resign { seat: 0, bot: None }), steps_append("m", seq, "too late")];
    assert_eq!(store.append(&group).unwrap(), [Written, Conflict]);
    assert_eq!(store.journal("m").unwrap().last(), Some(&group[0].entry));
}

pub(super) fn a_request_counts_once(store: &dyn Store) {
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    let asked = |id: &str, seq, text: &str, request: &str| {
        let mut append = steps_append(id, seq, text);
        append.entry.request = Some(request.into());
        with_effects(append, &[Effect::Deadline { seat: 0, at: u64::from(seq) }])
    };
    let group = [
        asked("m", 1, "first", "a"),
        // Again, at the same revision, at the next and far off; in the same group and later.
        asked("m", 1, "again", "a"),
        asked("m", 2, "again", "a"),
        asked("m", 2, "second", "b"),
        asked("n", 1, "another match", "a"),
    ];
    assert_eq!(store.append(&group).unwrap(), [Written, Repeated(1), Repeated(1), Written, Written]);
    assert_eq!(
        store.append(&[asked("m", 9, "again", "b"), asked("m", 2, "x", "c")]).unwrap(),
        [Repeated(2), Conflict]
    );
    assert_eq!(store.journal("m").unwrap(), [group[0].entry.clone(), group[3].entry.clone()]);
    let due: Vec<_> = store.deadlines(u64::MAX, 9).unwrap().into_iter().map(|d| (d.match_id, d.at)).collect();
    assert_eq!(due, [("n".to_string(), 1), ("m".to_string(), 2)], "what was not written has no effects");
    let mut twice = [asked("o", 1, "a", "same").entry, asked("o", 2, "b", "same").entry];
    let record = crate::MatchRecord { revision: 2, ..sample("o") };
    assert!(matches!(store.create(&record, &twice), Err(StoreError::Invalid(_))));
    twice[1].request = None;
    store.create(&record, &twice).unwrap();
}

pub(super) fn deadlines(store: &dyn Store) {
    assert_eq!(store.deadlines(u64::MAX, 9).unwrap(), []);
    let soon = |at| [Effect::Deadline { seat: 1, at }];
    for (id, at) in [("a", 50), ("b", 40), ("c", 50), ("d", 60)] {
        store.create_with(&sample(id), &[], &soon(at)).unwrap();
    }
    let due = |until, most| -> Vec<String> {
        store.deadlines(until, most).unwrap().into_iter().map(|deadline| deadline.match_id).collect()
    };
    assert_eq!(due(u64::MAX, 9), ["b", "a", "c", "d"]);
    assert_eq!(
        (due(39, 9).len(), due(50, 9), due(50, 2)),
        (0, vec!["b".into(), "a".into(), "c".into()], vec!["b".into(), "a".into()])
    );
    // An entry replaces it, takes it away, or leaves it; one that loses the race does nothing.
    store
        .append(&[
            with_effects(steps_append("b", 1, "x"), &[Effect::Deadline { seat: 0, at: 90 }]),
            with_effects(steps_append("a", 1, "x"), &[Effect::NoDeadline]),
            steps_append("c", 1, "x"),
            with_effects(steps_append("d", 7, "x"), &[Effect::NoDeadline]),
        ])
        .unwrap();
    let expected = |id: &str, seat, at, revision| Deadline { match_id: id.into(), seat, at, revision };
    assert_eq!(
        store.deadlines(u64::MAX, 9).unwrap(),
        [expected("c", 1, 50, 0), expected("d", 1, 60, 0), expected("b", 0, 90, 1)]
    );
    // Made again from the journal: only for the revision that it was made for.
    assert!(store.set_deadline("c", 1, Some((0, 55))).unwrap());
    assert!(!store.set_deadline("c", 0, Some((0, 5))).unwrap());
    assert!(!store.set_deadline("nobody", 0, None).unwrap());
    assert!(store.set_deadline("d", 0, None).unwrap());
    store.mark_deleted("b", Some(1)).unwrap();
    assert_eq!(store.deadlines(u64::MAX, 9).unwrap(), [expected("c", 0, 55, 1)]);
    store.mark_deleted("b", None).unwrap();
    assert_eq!(due(u64::MAX, 9), ["c", "b"]);
}

pub(super) fn notices(store: &dyn Store) {
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    let notice =
        |account, seat, stint, kind: &str, due_at| Notice { account, seat, stint, kind: kind.into(), due_at };
    let add = |notice: &Notice| Effect::Notice(notice.clone());
    let (turn, hour) = (notice(ANNA, 0, 1, "turn", 100), notice(ANNA, 0, 1, "hour", u64::MAX >> 1));
    let other = notice(FAR, 1, 2, "turn", 200);
    store.append(&[with_effects(steps_append("m", 1, "x"), &[add(&turn), add(&hour)])]).unwrap();
    // The same once more stays as it was first.
    let later = Notice { due_at: 900, ..turn.clone() };
    let effects =
        [Effect::Moot { seat: 0, stint: 9 }, Effect::Moot { seat: 1, stint: 1 }, add(&later), add(&other)];
    store.append(&[with_effects(steps_append("m", 2, "x"), &effects)]).unwrap();
    let of = |id| store.notices(id).unwrap();
    let waiting = |notice: &Notice| (notice.clone(), NoticeState::Waiting);
    // By the number of the account, whichever way a database counts.
    let mut all = of("m");
    all.sort_by_key(|(notice, _)| (notice.account, notice.kind.clone()));
    assert_eq!(all, [waiting(&hour), waiting(&turn), waiting(&other)]);
    store
        .append(&[with_effects(
            steps_append("m", 3, "x"),
            &[Effect::Moot { seat: 0, stint: 1 }, add(&later)],
        )])
        .unwrap();
    let states: Vec<_> = of("m").into_iter().filter(|(notice, _)| notice.account == ANNA).collect();
    assert_eq!(states, [(hour, NoticeState::Moot), (turn, NoticeState::Moot)]);
    assert_eq!(of("n"), []);
    assert_eq!(of("nobody"), []);
}

pub(super) fn players_and_ratings(store: &dyn Store) {
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    let player = Player::Account { id: ANNA, bot: Some("captain".into()) };
    let handed = Effect::Player { seat: 1, player: player.clone() };
    store.append(&[with_effects(steps_append("m", 1, "x"), &[handed])]).unwrap();
    assert_eq!(store.find("m").unwrap().unwrap().seats[1].player, player);
    assert_eq!(store.find("m").unwrap().unwrap().seats[0], sample("m").seats[0]);
    assert_eq!(store.find("n").unwrap().unwrap().seats, sample("n").seats);
    let rated = |account, standing: &str| Effect::Rating { account, standing: standing.into() };
    let both = [rated(ANNA, "win"), rated(FAR, "loss")];
    store
        .append(&[
            with_effects(with_result(steps_append("n", 1, "x"), "win"), &both),
            with_effects(with_result(steps_append("m", 9, "stale"), "win"), &both),
            with_effects(with_result(steps_append("m", 2, "x"), "win"), &[rated(FAR, "draw")]),
            // An undo and the same end once more.
            with_effects(with_result(steps_append("n", 2, "x"), "win"), &[rated(ANNA, "loss")]),
        ])
        .unwrap();
    let told: Vec<_> = store
        .rated(0, 9)
        .unwrap()
        .into_iter()
        .map(|row| (row.number, row.match_id, row.game, row.account, row.standing, row.at))
        .collect();
    let at = |seq| entry(seq, EntryKind::Steps(String::new())).at;
    let row = |number, id: &str, account, standing: &str, seq| {
        (number, id.to_string(), "echoes".to_string(), account, standing.to_string(), at(seq))
    };
    assert_eq!(told, [row(1, "n", ANNA, "win", 1), row(2, "n", FAR, "loss", 1), row(3, "m", FAR, "draw", 2)]);
    assert_eq!(store.rated(1, 1).unwrap().len(), 1);
    assert_eq!(store.rated(3, 9).unwrap(), []);
    // They outlast their match.
    store.mark_deleted("n", Some(1)).unwrap();
    store.purge(2).unwrap();
    assert_eq!(store.rated(0, 9).unwrap().len(), 3);
}

pub(super) fn outages(store: &dyn Store) {
    assert_eq!(store.outages(0).unwrap(), []);
    let outage = |began, ended| Outage { began, ended };
    for (began, ended) in [(50, 60), (10, 20), (50, 60), (70, 70)] {
        store.add_outage(outage(began, ended)).unwrap();
    }
    assert!(matches!(store.add_outage(outage(9, 8)), Err(StoreError::Invalid(_))));
    assert_eq!(store.outages(0).unwrap(), [outage(10, 20), outage(50, 60), outage(70, 70)]);
    assert_eq!(store.outages(20).unwrap(), [outage(50, 60), outage(70, 70)]);
}
