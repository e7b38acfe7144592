//! Several stores on one database.

use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use store::backup::{backup, restore};
use store::conformance::{entry, sample, steps_append};
use store::{
    AccountId, Append, AppendOutcome, Effect, EntryKind, Hint, MatchRecord, News as _, SqliteStore,
    Store as _, StoreError, Topic,
};
use store_postgres::{PostgresNews, PostgresStore};
use testkit::postgres::shared;

/// Writers of two servers go for the same matches: no gap, none twice, nobody waits in a ring.
#[test]
fn many_writers_on_the_same_matches() {
    const WRITERS: usize = 4;
    const MATCHES: u32 = 12;
    const ROUNDS: u32 = 12;
    let Some(server) = shared() else { return };
    let address = server.address(&server.empty());
    let first = PostgresStore::open(&address).unwrap();
    let second = PostgresStore::open(&address).unwrap();
    for number in 0..MATCHES {
        first.create(&sample(&format!("m{number}")), &[]).unwrap();
    }
    let won: Vec<usize> = thread::scope(|scope| {
        let write = |writer: usize| {
            let store = if writer.is_multiple_of(2) { &first } else { &second };
            let mut revisions = vec![0; MATCHES as usize];
            let mut won = 0;
            while let Some(least) = revisions.iter().min().copied().filter(|least| *least < ROUNDS) {
                // In an order that differs from writer to writer.
                let group: Vec<Append> = (0..MATCHES)
                    .map(|place| (place * 5 + writer as u32) % MATCHES)
                    .filter(|number| revisions[*number as usize] == least)
                    .map(|number| steps_append(&format!("m{number}"), least + 1, "x"))
                    .collect();
                let outcomes = store.append(&group).unwrap();
                won += outcomes.iter().filter(|outcome| **outcome == AppendOutcome::Written).count();
                for number in 0..MATCHES {
                    let found = store.find(&format!("m{number}")).unwrap().unwrap();
                    revisions[number as usize] = found.revision;
                }
            }
            won
        };
        let threads: Vec<_> = (0..WRITERS).map(|writer| scope.spawn(move || write(writer))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut entries = 0;
    for number in 0..MATCHES {
        let journal = second.journal(&format!("m{number}")).unwrap();
        let seqs: Vec<u32> = journal.iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=seqs.len() as u32).collect::<Vec<_>>());
        entries += seqs.len();
    }
    assert_eq!(entries, won.iter().sum::<usize>());
}

/// What counts for ratings is numbered in the order in which it can be seen, by however many servers.
#[test]
fn no_rating_is_passed_by() {
    let Some(server) = shared() else { return };
    let address = server.address(&server.empty());
    let stores = [PostgresStore::open(&address).unwrap(), PostgresStore::open(&address).unwrap()];
    for writer in 0..2 {
        for number in 0..30 {
            stores[0].create(&sample(&format!("m{writer}-{number}")), &[]).unwrap();
        }
    }
    let seen = thread::scope(|scope| {
        for (writer, store) in stores.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..30 {
                    let mut end = steps_append(&format!("m{writer}-{number}"), 1, "x");
                    end.effects = [1, 2]
                        .map(|account| Effect::Rating { account: AccountId(account), standing: "win".into() })
                        .to_vec();
                    assert_eq!(store.append(&[end]).unwrap(), [AppendOutcome::Written]);
                }
            });
        }
        let mut seen: Vec<u64> = Vec::new();
        while seen.len() < 120 {
            let after = seen.last().copied().unwrap_or(0);
            seen.extend(stores[1].rated(after, 7).unwrap().iter().map(|row| row.number));
        }
        seen
    });
    assert_eq!(seen, (1..=120).collect::<Vec<_>>());
}

/// What one kind of database has written another takes in, and the other way round.
#[test]
fn from_sqlite_and_back() {
    let Some(server) = shared() else { return };
    let museum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../maproom/tests/museum/0.2/maproom.db");
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    std::fs::copy(museum, folders[0].path().join("maproom.db")).unwrap();
    let old = SqliteStore::open(folders[0].path()).unwrap();
    let mut line = sample("any text");
    line.name = "\0 in the \0 middle \u{1a}".into();
    line.revision = 1;
    old.create(&line, &[entry(1, EntryKind::Steps("\u{1a}0".into()))]).unwrap();
    let postgres = PostgresStore::open(&server.address(&server.empty())).unwrap();
    let back = SqliteStore::open(folders[1].path()).unwrap();
    let mut file = Vec::new();
    let contents = backup(&old, &mut file).unwrap();
    restore(&postgres, &*file).unwrap();
    let mut again = Vec::new();
    backup(&postgres, &mut again).unwrap();
    restore(&back, &*again).unwrap();
    back.check().unwrap();
    let all = |list: Vec<MatchRecord>| list.into_iter().map(|record| record.id).collect::<Vec<_>>();
    let ids = all(old.list(false).unwrap());
    assert!(ids.len() > 5 && contents.total() > 50);
    assert_eq!(all(postgres.list(false).unwrap()), ids);
    for id in ids {
        assert_eq!(postgres.find(&id), old.find(&id));
        assert_eq!(postgres.journal(&id), old.journal(&id));
        assert_eq!(back.find(&id), old.find(&id));
        assert_eq!(back.journal(&id), old.journal(&id));
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let Some(server) = shared() else { return };
    let name = server.empty();
    server.ask(&name, "CREATE TABLE matches (id TEXT)");
    let opened = PostgresStore::open(&server.address(&name)).map(drop);
    assert!(matches!(opened, Err(StoreError::Foreign { .. })), "{opened:?}");

    let name = server.empty();
    drop(PostgresStore::open(&server.address(&name)).unwrap());
    // Newer, but it still lets this program in; then it doesn't any more.
    server.ask(&name, "UPDATE maproom SET version = 99");
    drop(PostgresStore::open(&server.address(&name)).unwrap());
    server.ask(&name, "UPDATE maproom SET oldest = 98");
    let opened = PostgresStore::open(&server.address(&name)).map(drop);
    assert!(matches!(opened, Err(StoreError::Newer { found: 98, .. })), "{opened:?}");
    assert_eq!(server.ask(&name, "SELECT version FROM maproom"), "99");
}

#[test]
fn a_server_that_forgets_is_refused() {
    let Some(server) = shared() else { return };
    let name = server.empty();
    server.ask(&name, &format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    let why = PostgresStore::open(&server.address(&name)).map(drop).expect_err("refused").to_string();
    assert!(why.contains("synchronous_commit is off"), "{why}");
    let nobody = PostgresStore::open("postgres://maproom@127.0.0.1:1/x").map(drop).expect_err("nobody there");
    assert!(matches!(nobody, StoreError::Unreachable { .. }), "{nobody:?}");
    let missing = PostgresStore::open(&server.address("missing")).map(drop).expect_err("no such database");
    assert!(missing.to_string().contains("missing"), "{missing}");
}

#[test]
fn servers_share_a_database_but_not_with_one_that_needs_it_alone() {
    let Some(server) = shared() else { return };
    let name = server.empty();
    let address = server.address(&name);
    let [first, second] = [PostgresStore::open(&address).unwrap(), PostgresStore::open(&address).unwrap()];
    first.join_house().unwrap();
    second.join_house().unwrap();
    let third = PostgresStore::open(&address).unwrap();
    let why = third.claim_house().expect_err("others serve from it").to_string();
    assert!(why.contains("a Maproom that serves from it"), "{why}");
    // What a server of an earlier release asks for, which it does not get beside these.
    let alone = "SELECT pg_try_advisory_lock(5567826317461030)";
    assert_eq!(server.ask(&name, alone), "f");
    drop((first, second, third));
    let third = PostgresStore::open(&address).unwrap();
    let mut keeper = server.hold(&name, alone);
    let why = third.join_house().expect_err("it has the database to itself").to_string();
    assert!(why.contains("by a Maproom of an earlier release, which can't share it"), "{why}");
    // A command can work beside it.
    third.set_setting("a", "b").unwrap();
    keeper.let_go();
    // The server learns a moment later that the connection is gone.
    while third.join_house().is_err() {
        thread::yield_now();
    }
}

/// News comes to all other servers and not back; after a connection has broken there is another.
#[test]
fn news_comes_to_the_others() {
    let Some(server) = shared() else { return };
    let name = server.empty();
    let address = server.address(&name);
    let [one, other] = [PostgresNews::start(&address).unwrap(), PostgresNews::start(&address).unwrap()];
    let (tell, heard) = mpsc::channel::<(&str, Hint)>();
    for (who, news) in [("one", &one), ("other", &other)] {
        let tell = Mutex::new(tell.clone());
        news.listen(Arc::new(move |hints| {
            let tell = tell.lock().unwrap();
            hints.into_iter().for_each(|hint| tell.send((who, hint)).unwrap());
        }));
    }
    let hint = |number: u32| Hint { match_id: "m".to_owned(), about: Topic::Journal(number) };
    // The first may be told before anybody listens, and that is how news is: so it is told until it is heard.
    let until_heard = |number: u32| {
        loop {
            one.tell(hint(number));
            if let Ok(first) = heard.recv_timeout(Duration::from_millis(200)) {
                return first;
            }
        }
    };
    assert_eq!(until_heard(1), ("other", hint(1)));
    let told = Instant::now();
    other.tell(Hint { match_id: "n".to_owned(), about: Topic::Beside });
    let answer = loop {
        let next = heard.recv_timeout(Duration::from_secs(60)).unwrap();
        if next.0 == "one" {
            break next.1;
        }
    };
    assert_eq!(answer, Hint { match_id: "n".to_owned(), about: Topic::Beside });
    println!("told within {:?}", told.elapsed());
    server.ask(
        "postgres",
        &format!("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'"),
    );
    while until_heard(2) != ("other", hint(2)) {}
}

/// Two servers that start at the same moment make the tables once.
#[test]
fn opened_by_many_at_once() {
    let Some(server) = shared() else { return };
    let address = server.address(&server.empty());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = PostgresStore::open(&address).unwrap();
                store::People::prepare_people(&store).unwrap();
                store::RatingBook::prepare_ratings(&store).unwrap();
            });
        }
    });
}
