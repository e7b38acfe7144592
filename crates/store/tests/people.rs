//! What only a real file can show about accounts.

use std::path::Path;

use store::conformance::{sample, steps_append};
use store::{
    AccountChange, AccountId, Added, Fingerprint, Keeping, Mail, NewAccount, People, Purpose, Role, Session,
    SqliteStore, Store, StoreError, Token,
};

const SECRETS: [&str; 5] = ["Wilhelmina", "wilhelmina", "minna@war.example", "argon-hash", "Opera on Haiku"];

fn with_account(store: &SqliteStore) -> AccountId {
    store.prepare_people().unwrap();
    let new = NewAccount {
        name: "Wilhelmina".into(),
        name_key: "wilhelmina".into(),
        password: "argon-hash".into(),
        zone: "Africa/Ouagadougou".into(),
        role: Role::Member,
        at: 5,
        invitation: None,
    };
    let Added::Made(id) = store.add_account(&new).unwrap() else { panic!("made") };
    let mail = Mail { address: "Minna@war.example".into(), key: "minna@war.example".into(), verified_at: 6 };
    store.change_account(id, &AccountChange::Mail(Some(mail))).unwrap();
    let about = "Opera on Haiku".to_owned();
    let key = Fingerprint([3; 32]);
    store
        .add_session(&Session { number: 0, key, account: id, made_at: 1, seen_at: 1, expires_at: 99, about })
        .unwrap();
    let note = "minna@war.example".to_owned();
    let purpose = Purpose::Mail;
    store.add_token(&Token { key, account: Some(id), purpose, expires_at: 99, used_at: None, note }).unwrap();
    id
}

/// All bytes of all files of a folder.
fn bytes(folder: &Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    files.collect::<Vec<_>>().concat()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn at_home_nothing_of_accounts_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    store.create(&sample("m"), &[]).unwrap();
    store.append(&[steps_append("m", 1, "x")]).unwrap();
    assert!(!store.has_people().unwrap());
    drop(store);
    let file = bytes(folder.path());
    for table in [
        "accounts",
        "sessions",
        "tokens",
        "rest_days",
        "seats_of_accounts",
        "people_version",
        "rated_seats",
        "ratings_version",
        "tournaments",
        "entrants",
        "pairings",
    ] {
        assert!(!contains(&file, table), "{table}");
    }
}

#[test]
fn a_deleted_account_leaves_no_text_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let id = with_account(&store);
    let before = bytes(folder.path());
    assert!(SECRETS.iter().all(|secret| contains(&before, secret)), "the test looks in the right place");
    assert!(store.erase_account(id).unwrap());
    let after = bytes(folder.path());
    for secret in SECRETS.iter().chain(&["Minna", "Ouagadougou"]) {
        assert!(!contains(&after, secret), "{secret} is still in a file");
    }
    store.check().unwrap();
}

#[test]
fn a_command_can_work_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let beside = || SqliteStore::open_beside(folder.path());
    assert!(matches!(beside(), Err(StoreError::Other(_))), "there is nothing yet");
    let server = SqliteStore::open(folder.path()).unwrap();
    assert!(matches!(SqliteStore::open(folder.path()), Err(StoreError::Locked { .. })));
    assert!(!beside().unwrap().has_people().unwrap());
    let id = with_account(&server);
    let command = beside().unwrap();
    command.prepare_people().unwrap();
    command.change_account(id, &AccountChange::Role(Role::Admin)).unwrap();
    assert_eq!(server.account(id).unwrap().unwrap().role, Role::Admin);
    drop(command);
    server.create(&sample("m"), &[]).unwrap();
    let keeping = Keeping { match_id: "m", seat: 0, account: id, token: "seat-0-m", mover: Some(0), at: 7 };
    assert!(server.keep_seat(&keeping).unwrap());
    server.check().unwrap();
}

#[test]
fn tables_of_a_newer_maproom_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    store.set_setting("people_version", "999").unwrap();
    assert!(matches!(store.prepare_people(), Err(StoreError::Newer { found: 999, .. })));
}
