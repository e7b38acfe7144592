//! Orders: kept as given, written with the entry that they answer with, gone with their match or their account.

use super::{sample, steps_append};
use crate::{
    AccountId, Added, AppendOutcome, Effect, NewAccount, OrderBooks, OrderState, People, Role, Store,
    StoredAnswer, StoredBook, StoredOrder,
};

/// A store of matches, accounts and orders.
pub trait OrderHouse: Store + People + OrderBooks {}

impl<T: Store + People + OrderBooks> OrderHouse for T {}

/// Puts a store through the checks for orders. `make` runs a check on an empty store.
pub fn orders_conformance(make: impl Fn(&dyn Fn(&dyn OrderHouse))) {
    let checks: &[fn(&dyn OrderHouse)] = &[kept_as_given, written_with_the_answer, awaiting, gone];
    for check in checks {
        make(check);
    }
}

fn order(number: u32, state: OrderState) -> StoredOrder {
    StoredOrder {
        number,
        text: format!("when rule {number} choose \"größe\""),
        words: "When …".to_owned(),
        made_at: 7,
        checked: 9,
        answers: 2,
        uses_left: (number == 1).then_some(3),
        state,
        why: if state == OrderState::Ended { "Taken back.".to_owned() } else { String::new() },
    }
}

fn book() -> StoredBook {
    StoredBook {
        account: Some(AccountId(4)),
        salt: "pepper".to_owned(),
        in_a_row: 5,
        held_at: Some(11),
        last_number: 8,
        version: 0,
        // Not in the order of their numbers: the list says which is tried first.
        orders: vec![
            order(8, OrderState::Running),
            order(1, OrderState::Paused),
            order(3, OrderState::Ended),
        ],
    }
}

fn kept_as_given(store: &dyn OrderHouse) {
    assert_eq!((store.books("m"), store.answers("m")), (Ok(Vec::new()), Ok(Vec::new())));
    assert_eq!(store.put_book("m", 0, &book()), Ok(false), "no such match");
    store.create(&sample("m"), &[]).unwrap();
    store.create(&sample("n"), &[]).unwrap();
    assert_eq!(store.put_book("m", 1, &book()), Ok(true));
    let other = StoredBook { account: None, held_at: None, ..book() };
    assert_eq!(store.put_book("m", 0, &other), Ok(true));
    let written = |book: StoredBook| StoredBook { version: book.version + 1, ..book };
    assert_eq!(store.books("m"), Ok(vec![(0, written(other)), (1, written(book()))]));
    assert_eq!(store.books("n"), Ok(Vec::new()));
    let less = StoredBook { orders: vec![order(3, OrderState::Ended)], version: 1, ..book() };
    assert_eq!(store.put_book("m", 1, &less), Ok(true));
    assert_eq!(store.books("m").unwrap()[1], (1, written(less.clone())));
    for version in [0, 1, 3] {
        let of_another = StoredBook { version, ..book() };
        assert_eq!(store.put_book("m", 1, &of_another), Ok(false), "somebody else has changed it meanwhile");
    }
    assert_eq!(store.books("m").unwrap()[1], (1, written(less)));
    assert_eq!(store.forget_book("m", 0), Ok(true));
    assert_eq!(store.forget_book("m", 0), Ok(false));
    assert_eq!(store.books("m").unwrap().len(), 1);
}

fn written_with_the_answer(store: &dyn OrderHouse) {
    store.create(&sample("m"), &[]).unwrap();
    let effect = |step: Option<u32>, steps, version| Effect::Order {
        seat: 1,
        book: Box::new(StoredBook { version, ..book() }),
        answer: step.map(|step| StoredAnswer { step, words: format!("order at {step}") }),
        steps,
    };
    let with = |seq, effect| {
        let mut append = steps_append("m", seq, "step\n");
        append.effects = vec![effect];
        append
    };
    let written = store.append(&[with(1, effect(Some(1), 0, 0)), with(2, effect(Some(2), 1, 1))]);
    assert_eq!(written, Ok(vec![AppendOutcome::Written; 2]));
    // What lost the race for its number leaves nothing behind.
    assert_eq!(store.append(&[with(2, effect(Some(9), 8, 2))]), Ok(vec![AppendOutcome::Conflict]));
    // And so does one that knows nothing of what its player has changed meanwhile.
    let unaware = [with(3, effect(Some(9), 8, 1)), with(3, effect(Some(9), 8, 3))];
    assert_eq!(store.append(&unaware), Ok(vec![AppendOutcome::Conflict; 2]));
    assert_eq!(store.find("m").unwrap().unwrap().revision, 2);
    let steps = |store: &dyn OrderHouse| {
        store.answers("m").unwrap().into_iter().map(|(_, answer)| answer.step).collect::<Vec<_>>()
    };
    assert_eq!(steps(store), [1, 2]);
    // An undo to the first step, then another answer.
    store.append(&[with(3, effect(None, 1, 2)), with(4, effect(Some(5), 4, 3))]).unwrap();
    assert_eq!(steps(store), [1, 5]);
    let (seat, last) = &store.answers("m").unwrap()[1];
    assert_eq!((*seat, last.words.as_str()), (1, "order at 5"));
    assert_eq!(store.books("m"), Ok(vec![(1, StoredBook { version: 4, ..book() })]));
}

fn awaiting(store: &dyn OrderHouse) {
    for id in ["a", "b", "c", "d"] {
        let mut record = sample(id);
        record.summary.mover = Some(1);
        record.summary.result = None;
        store.create(&record, &[]).unwrap();
    }
    let rests = StoredBook { orders: vec![order(1, OrderState::Paused)], ..book() };
    store.put_book("a", 1, &book()).unwrap();
    store.put_book("b", 0, &book()).unwrap();
    store.put_book("c", 1, &rests).unwrap();
    store.put_book("d", 1, &book()).unwrap();
    store.mark_deleted("d", Some(5)).unwrap();
    assert_eq!(store.awaiting_orders(), Ok(vec!["a".to_owned()]), "its move, running, not in the bin");
}

fn gone(store: &dyn OrderHouse) {
    store.prepare_people().unwrap();
    let new = NewAccount {
        name: "Ann".into(),
        name_key: "ann".into(),
        password: String::new(),
        zone: String::new(),
        role: Role::Member,
        at: 1,
        invitation: None,
    };
    let Ok(Added::Made(ann)) = store.add_account(&new) else { panic!("there is room for an account") };
    for id in ["m", "n"] {
        store.create(&sample(id), &[]).unwrap();
    }
    // Before anybody has given an order an account is erased all the same.
    let Ok(Added::Made(bob)) = store.add_account(&NewAccount { name_key: "bob".into(), ..new }) else {
        panic!("there is room for an account")
    };
    assert_eq!(store.erase_account(bob), Ok(true));
    store.put_book("m", 0, &StoredBook { account: Some(ann), ..book() }).unwrap();
    store.put_book("m", 1, &StoredBook { account: None, ..book() }).unwrap();
    store.put_book("n", 0, &StoredBook { account: None, ..book() }).unwrap();
    assert_eq!(store.erase_account(ann), Ok(true));
    assert_eq!(store.books("m").unwrap().len(), 1, "what an account wrote goes with it");
    store.mark_deleted("n", Some(5)).unwrap();
    store.purge(6).unwrap();
    assert_eq!(store.books("n"), Ok(Vec::new()), "a purged match takes its orders along");
}
