//! How long *my turn* takes over a thousand matches of one account, among ten times as many of others.
//!
//! `cargo bench -p store --bench turns [-- FOLDER]`: the folder decides which disk is measured.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use store::conformance::{sample, steps_append};
use store::{AccountId, Added, KeptSeat, NewAccount, People, Player, Role, Shelf, SqliteStore, Store};

const MATCHES: u32 = 1_000;
const OTHERS: u32 = 10_000;
const TIMES: usize = 200;
const BAR: Duration = Duration::from_millis(30);

fn main() {
    let given = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let folder = given.map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("turns-bench-{}", std::process::id()));
    let store = SqliteStore::open(&folder).expect("a database");
    store.prepare_people().expect("tables");
    let (ann, others) = (account(&store, "ann"), account(&store, "others"));
    for number in 0..MATCHES + OTHERS {
        let id = format!("m{number}");
        let mut record = sample(&id);
        let holder = if number % 11 == 0 { ann } else { others };
        record.seats[0].player = Player::Account { id: holder, bot: None };
        store.create(&record, &[]).expect("a match");
        // A third of them waits for the account.
        let mut append = steps_append(&id, 1, "x");
        append.summary.mover = Some(u8::from(number % 3 != 0));
        store.append(&[append]).expect("an entry");
    }
    let list = || store.kept_seats(ann, Shelf::Running, 1_000).expect("a list");
    let (all, waiting) = (list().len(), list().iter().filter(|seat| KeptSeat::is_awaited(seat)).count());
    let mut times: Vec<Duration> = (0..TIMES)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(list().len(), all);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    println!(
        "my turn over {all} of {} matches, {waiting} waiting: median {:.2} ms, 99% {:.2} ms; the bar of {} ms is {}",
        MATCHES + OTHERS,
        at(50).as_secs_f64() * 1e3,
        at(99).as_secs_f64() * 1e3,
        BAR.as_millis(),
        if at(99) <= BAR { "kept" } else { "missed" }
    );
    drop(store);
    std::fs::remove_dir_all(&folder).expect("the folder removed");
}

fn account(store: &SqliteStore, name: &str) -> AccountId {
    let new = NewAccount {
        name: name.to_owned(),
        name_key: name.to_owned(),
        password: String::new(),
        zone: String::new(),
        role: Role::Member,
        at: 1,
        invitation: None,
    };
    match store.add_account(&new).expect("an account") {
        Added::Made(id) => id,
        other => panic!("{other:?}"),
    }
}
