//! A PostgreSQL that speaks TLS: the store works over it as without, certificates are looked at, and passwords are bound to the
//! connection.

mod secure;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use secure::between::{ask_for_passwords, listen_in};
use secure::certificates::{Authority, LONG_AGO, SOME_DAY, Signature, Wish};
use secure::{Secure, shared, start};
use store::conformance::{conformance, ledger_conformance, people_conformance, sample, sharing_conformance};
use store::{Hint, News as _, Store as _, StoreError, Topic};
use store_postgres::{PostgresNews, PostgresStore};
use testkit::postgres;
use testkit::postgres_tls::{PASSWORD, USER, keep, set, speak_tls};

fn empty(secure: &Secure) -> PostgresStore {
    PostgresStore::open(&secure.address(&secure.server.empty())).unwrap()
}

/// Why an address is refused.
fn refusal(address: &str) -> String {
    let why = PostgresStore::open(address).map(drop).expect_err(address);
    let why = why.to_string();
    assert!(!why.contains(PASSWORD), "{why}");
    why
}

#[test]
fn matches() {
    let Some(secure) = shared() else { return };
    conformance(|| Box::new(empty(secure)));
}

#[test]
fn people() {
    let Some(secure) = shared() else { return };
    people_conformance(|check| check(&empty(secure)));
}

#[test]
fn the_ledger() {
    let Some(secure) = shared() else { return };
    ledger_conformance(|check| check(&empty(secure)));
}

#[test]
fn sharing() {
    let Some(secure) = shared() else { return };
    sharing_conformance(|check| check(&empty(secure)));
}

/// How often this user is connected to a database, by what protects these connections.
fn protected(secure: &Secure, database: &str) -> String {
    secure.server.ask(
        "postgres",
        &format!(
            "SELECT DISTINCT ssl, version FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) \
             WHERE datname = '{database}' AND usename = '{USER}'"
        ),
    )
}

#[test]
fn every_connection_is_encrypted() {
    let Some(secure) = start(Signature::EcdsaSha256) else { return };
    let server = &secure.server;
    let database = server.empty();
    let without = secure.with(&database, "sslmode=disable");
    assert!(refusal(&without).contains("no encryption"), "the server lets nobody in without");
    for version in ["TLSv1.2", "TLSv1.3"] {
        set(server, "ssl_max_protocol_version", version);
        let store = PostgresStore::open(&secure.address(&database)).unwrap();
        store.join_house().unwrap();
        assert_eq!(protected(&secure, &database), format!("t|{version}"));
        drop(store);
        let news = PostgresNews::start(&secure.address(&database)).unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while protected(&secure, &database) != format!("t|{version}") {
            assert!(Instant::now() < until, "news is connected");
            thread::yield_now();
        }
        drop(news);
    }
}

/// What is asked of the certificate that a server shows, and what is said about one that does not answer.
#[test]
fn certificates_are_looked_at() {
    let Some(secure) = start(Signature::EcdsaSha256) else { return };
    let (server, database) = (&secure.server, &secure.server.empty());
    let file = secure.file.display();
    let show = |wish: &Wish<'_>| {
        let pair = secure.authority.issue(wish);
        speak_tls(server, &pair.certificate, &pair.key);
    };
    let full = secure.address(database);
    let ca = secure.with(database, &format!("sslmode=verify-ca&sslrootcert={file}"));
    let required = secure.with(database, "sslmode=require");
    let opens = |address: &str| drop(PostgresStore::open(address).expect(address));

    opens(&full);
    // Nothing said is the strictest.
    opens(&secure.with(database, &format!("sslrootcert={file}")));
    let unknown = refusal(&secure.with(database, "sslmode=verify-full"));
    assert!(unknown.contains("not from an authority that this system trusts"), "{unknown}");
    assert!(unknown.contains(&format!("postgres://127.0.0.1:{}/{database}", server.port())), "{unknown}");
    let namesake = Authority::new("The authority of the tests", Signature::EcdsaSha256);
    let stranger = Authority::new("Somebody else", Signature::EcdsaSha256);
    for other in [namesake, stranger] {
        let other = keep(server, "other.pem", &other.pem());
        for mode in ["verify-full", "verify-ca", "require"] {
            let words = format!("sslmode={mode}&sslrootcert={}", other.display());
            let why = refusal(&secure.with(database, &words));
            assert!(why.contains(&format!("not from an authority in {}", other.display())), "{mode}: {why}");
        }
    }

    show(&Wish { hosts: &["db.example", "*.db.example"], addresses: &[[10, 0, 0, 5]], ..Wish::default() });
    let why = refusal(&full);
    assert!(why.contains("not for 127.0.0.1 but for db.example, *.db.example, 10.0.0.5"), "{why}");
    opens(&ca);
    opens(&required);
    for (host, is_right) in [("db.example", true), ("one.db.example", true), ("db.example.org", false)] {
        let address = full.replace("@127.0.0.1:", &format!("@{host}:")) + "&hostaddr=127.0.0.1";
        assert_eq!(PostgresStore::open(&address).map(drop).is_ok(), is_right, "{host}");
    }

    show(&Wish { hosts: &[], addresses: &[], ..Wish::default() });
    assert!(refusal(&full).contains("for no name at all"));
    for (dates, words) in [(LONG_AGO, "expired"), (SOME_DAY, "will be valid in")] {
        show(&Wish { dates, ..Wish::default() });
        for address in [&full, &ca] {
            let why = refusal(address);
            assert!(why.contains(words) && why.contains("days"), "{why}");
        }
    }
    show(&Wish { is_old: true, ..Wish::default() });
    assert!(refusal(&full).contains("of version 1"));

    // One that signs others, and itself: as good as its name and dates, if it is the one in the file.
    for (dates, words) in [(secure::certificates::NOW, None), (LONG_AGO, Some("expired"))] {
        let alone = Authority::like(
            "Alone",
            Signature::EcdsaSha256,
            &Wish { is_authority: true, dates, ..Wish::default() },
        );
        speak_tls(server, &alone.own().certificate, &alone.own().key);
        let itself = keep(server, "itself.pem", &alone.pem());
        let address = secure.with(database, &format!("sslrootcert={}", itself.display()));
        match words {
            None => opens(&address),
            Some(words) => assert!(refusal(&address).contains(words)),
        }
        assert!(PostgresStore::open(&full).is_err(), "it is not in that file");
        let elsewhere = address.replace("@127.0.0.1:", "@db.example:") + "&hostaddr=127.0.0.1";
        assert!(PostgresStore::open(&elsewhere).is_err(), "it has another name");
    }
}

#[test]
fn passwords_are_bound_to_the_connection() {
    for (signature, is_bound) in
        [(Signature::EcdsaSha256, true), (Signature::EcdsaSha384, true), (Signature::Ed25519, false)]
    {
        let Some(secure) = start(signature) else { return };
        let database = secure.server.empty();
        let address = secure.address(&database);
        for binding in ["", "&channel_binding=prefer", "&channel_binding=disable"] {
            drop(PostgresStore::open(&format!("{address}{binding}")).unwrap());
        }
        let unseen = secure.with(&database, "sslmode=require");
        for address in [format!("{address}&channel_binding=require"), unseen.clone()] {
            if is_bound {
                drop(PostgresStore::open(&address).unwrap());
            } else {
                let why = refusal(&address);
                assert!(why.contains("does not bind the password"), "{why}");
            }
        }
        drop(PostgresStore::open(&format!("{unseen}&channel_binding=disable")).unwrap());
        let wrong = address.replace(PASSWORD, "wrong");
        assert!(refusal(&wrong).contains("password authentication failed"));
        // Whoever is let in without a password is not known to be at the right place.
        let trusted = unseen.replace(&format!("{USER}:{PASSWORD}@"), "maproom@");
        assert!(refusal(&trusted).contains("does not bind the password"));
        drop(PostgresStore::open(&format!("{trusted}&channel_binding=prefer")).unwrap());
    }
}

/// What the manual of PostgreSQL makes with one command, with RSA as nearly everywhere: `openssl` makes it, which comes along with
/// Debian's PostgreSQL. Without it this is passed over.
#[test]
fn passwords_are_bound_to_certificates_with_rsa() {
    let Some(server) = postgres::own() else { return };
    let database = server.empty();
    let folder = tempfile::tempdir().unwrap();
    for (at, words) in
        ["-sha256", "-sha384", "-sha512", "-sha256 -sigopt rsa_padding_mode:pss"].iter().enumerate()
    {
        let [certificate, key] = ["crt", "key"].map(|end| folder.path().join(format!("{at}.{end}")));
        let mut make = Command::new("openssl");
        make.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=rsa", "-days", "2"]);
        make.args(["-addext", "subjectAltName=IP:127.0.0.1", "-keyout"])
            .arg(&key)
            .arg("-out")
            .arg(&certificate);
        let Ok(made) = make.args(words.split(' ')).output() else {
            println!("nothing is tested with RSA: there is no openssl");
            return;
        };
        assert!(made.status.success(), "{words}: {}", String::from_utf8_lossy(&made.stderr));
        speak_tls(
            &server,
            &std::fs::read_to_string(&certificate).unwrap(),
            &std::fs::read_to_string(&key).unwrap(),
        );
        let address = format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{database}", server.port());
        let bound = format!("{address}?channel_binding=require&sslrootcert={}", certificate.display());
        drop(PostgresStore::open(&bound).expect(words));
        drop(PostgresStore::open(&format!("{address}?sslmode=require")).expect(words));
    }
}

/// Somebody in between who passes on what is said reads along only if nobody looks at certificates and the password is not bound.
/// Even a certificate from the right authority, for the right name, does not help them.
#[test]
fn nobody_in_between_passes_for_the_server() {
    let Some(secure) = shared() else { return };
    let database = secure.server.empty();
    let stolen = secure.authority.issue(&Wish::default());
    let forged = Authority::new("Somebody in between", Signature::EcdsaSha256).issue(&Wish::default());
    for (pair, is_forged) in [(stolen, false), (forged, true)] {
        let port = format!("127.0.0.1:{}/", listen_in(secure, &pair));
        let through = |address: &str| address.replace(&format!("127.0.0.1:{}/", secure.server.port()), &port);
        let unseen = through(&secure.with(&database, "sslmode=require"));
        let why = refusal(&unseen);
        assert!(why.contains("channel binding"), "{why}");
        drop(PostgresStore::open(&format!("{unseen}&channel_binding=disable")).expect("they read along"));
        let full = through(&secure.address(&database));
        let why = refusal(&full);
        let words = if is_forged { "not from an authority" } else { "channel binding" };
        assert!(why.contains(words), "{why}");
        assert_eq!(PostgresStore::open(&format!("{full}&channel_binding=disable")).is_err(), is_forged);
    }
}

/// Who asks for a password in plain text gets it only where somebody has written that nothing is to be looked at.
#[test]
fn nobody_gets_a_password_by_asking() {
    let forged = Authority::new("Somebody in between", Signature::EcdsaSha256).issue(&Wish::default());
    for (words, gets_it) in [("sslmode=require", false), ("sslmode=require&channel_binding=disable", true)] {
        let (port, told) = ask_for_passwords(&forged);
        refusal(&format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{port}/x?{words}"));
        let told = told.recv_timeout(Duration::from_secs(60)).unwrap();
        let told = String::from_utf8_lossy(&told);
        assert_eq!(told.contains(PASSWORD), gets_it, "{words}: {told:?}");
    }
}

#[test]
fn a_server_without_tls_is_refused() {
    let Some(server) = postgres::shared() else { return };
    let address = server.address(&server.empty());
    drop(PostgresStore::open(&address).unwrap());
    for mode in ["require", "verify-full"] {
        let why = refusal(&format!("{address}?sslmode={mode}"));
        assert!(why.contains("does not speak TLS") && why.contains("sslmode=disable"), "{why}");
    }
}

/// One that agrees and then says nothing.
#[test]
fn a_server_that_falls_silent_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut connections = Vec::new();
        for mut connection in listener.incoming().map_while(Result::ok) {
            let mut request = [0; 8];
            connection.read_exact(&mut request).unwrap();
            connection.write_all(b"S").unwrap();
            connections.push(connection);
        }
    });
    let why = refusal(&format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{port}/x?sslmode=verify-full"));
    assert!(why.contains("does not answer"), "{why}");
}

/// A server that is killed takes nothing along, and the next statement after it is back finds it.
#[test]
fn a_killed_server_is_noticed_and_found_again() {
    let Some(secure) = start(Signature::EcdsaSha256) else { return };
    let store = empty(&secure);
    store.create(&sample("before"), &[]).unwrap();
    secure.server.kill();
    // Its other processes see a moment later that the first is gone.
    let until = Instant::now() + Duration::from_secs(60);
    let why = loop {
        match store.find("before") {
            Ok(_) => assert!(Instant::now() < until, "it is gone"),
            Err(why) => break why,
        }
    };
    assert!(matches!(why, StoreError::Unreachable { .. }), "{why:?}");
    secure.server.restart();
    store.create(&sample("after"), &[]).unwrap();
    assert!(store.find("before").unwrap().is_some());
}

/// News comes to the others, and again after its connections were ended.
#[test]
fn news_is_told_over_tls() {
    let Some(secure) = shared() else { return };
    let database = secure.server.empty();
    let address = secure.address(&database);
    let [one, other] = [PostgresNews::start(&address).unwrap(), PostgresNews::start(&address).unwrap()];
    let (tell, heard) = mpsc::channel::<Hint>();
    let tell = Mutex::new(tell);
    other.listen(Arc::new(move |hints| {
        let tell = tell.lock().unwrap();
        hints.into_iter().for_each(|hint| tell.send(hint).unwrap());
    }));
    for number in 1..=2 {
        let hint = Hint { match_id: "m".to_owned(), about: Topic::Journal(number) };
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            one.tell(hint.clone());
            match heard.recv_timeout(Duration::from_millis(200)) {
                Ok(found) if found == hint => break,
                _ => assert!(Instant::now() < until, "news {number} comes"),
            }
        }
        let ended = secure.server.ask(
            "postgres",
            &format!(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}'"
            ),
        );
        assert_ne!(ended, "0", "news has a connection");
    }
}

/// Where it opens what [`the_authorities_of_the_system_count`] gives it.
const OPEN: &str = "MAPROOM_TEST_OPEN";

/// The authorities of a system are looked for where the environment says, and that is of a whole process: so the test starts
/// itself again, as the one below.
#[test]
fn the_authorities_of_the_system_count() {
    let Some(secure) = shared() else { return };
    let database = secure.server.empty();
    let stranger = Authority::new("Somebody else", Signature::EcdsaSha256);
    let stranger = keep(&secure.server, "stranger.pem", &stranger.pem());
    let nobody = keep(&secure.server, "nobody.pem", "");
    for (file, words) in [
        (&secure.file, ""),
        (&stranger, "not from an authority that this system trusts"),
        (&nobody, "this system has no certificates of authorities"),
    ] {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "opened_in_a_process_of_its_own", "--nocapture"]);
        again.env("SSL_CERT_FILE", file).env_remove("SSL_CERT_DIR");
        let opened = again.env(OPEN, secure.with(&database, "sslrootcert=system")).output().unwrap();
        let said = String::from_utf8_lossy(&opened.stdout);
        assert_eq!(opened.status.success(), words.is_empty(), "{said}");
        let said = [&*said, &*String::from_utf8_lossy(&opened.stderr)].concat();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn opened_in_a_process_of_its_own() {
    let Ok(address) = std::env::var(OPEN) else { return };
    if let Err(why) = PostgresStore::open(&address) {
        panic!("{why}");
    }
}
