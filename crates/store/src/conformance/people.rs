//! Accounts, sessions, tokens, and the seats that accounts keep.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{meeting, sample, steps_append, with_result};
use crate::{
    Account, AccountChange, AccountId, AccountState, Added, Changed, FORMER_PLAYER, Fingerprint, Keeping,
    Mail, NewAccount, People, Player, Purpose, Rest, Role, Session, Shelf, Store, Token,
};

/// What keeps both matches and accounts.
pub trait House: Store + People {}

impl<T: Store + People> House for T {}

/// Puts a store through all checks about accounts. `lend` makes an empty store and hands it to the check.
pub fn people_conformance(lend: impl Fn(&dyn Fn(&dyn House))) {
    let checks: &[fn(&dyn House)] = &[
        accounts_are_found,
        names_and_addresses_are_unique,
        invitations_are_used_once,
        changes,
        deleted,
        sessions,
        sessions_end,
        tokens_are_used_once,
        one_winner,
        what_has_expired_is_forgotten,
        kept_once,
        my_turn,
        rests_are_kept_and_go_with_the_account,
        meeting::chat_goes_to_its_room,
        meeting::a_room_is_full_one_day,
        meeting::notes_are_ones_own,
        meeting::muted_and_blocked,
        meeting::reports_are_answered_once,
        meeting::the_log_is_read_from_its_end,
        meeting::tables_gather,
        meeting::of_two_changes_one_counts,
        meeting::nothing_is_left_of_whoever_leaves,
        meeting::talk_goes_with_its_match,
    ];
    for check in checks {
        lend(&|store| {
            assert!(!store.has_people().unwrap());
            // Twice does no harm.
            store.prepare_people().unwrap();
            store.prepare_people().unwrap();
            assert!(store.has_people().unwrap());
            check(store);
        });
    }
}

fn new(name: &str) -> NewAccount {
    NewAccount {
        name: name.to_owned(),
        name_key: name.to_lowercase(),
        password: format!("hash of {name}"),
        zone: "Europe/Berlin".to_owned(),
        role: Role::Member,
        at: 1_000,
        invitation: None,
    }
}

pub(super) fn add(store: &dyn House, name: &str) -> AccountId {
    match store.add_account(&new(name)).unwrap() {
        Added::Made(id) => id,
        other => panic!("{name}: {other:?}"),
    }
}

fn get(store: &dyn House, id: AccountId) -> Account {
    store.account(id).unwrap().unwrap()
}

fn mail(address: &str) -> AccountChange {
    AccountChange::Mail(Some(Mail {
        address: address.to_owned(),
        key: address.to_lowercase(),
        verified_at: 7,
    }))
}

fn key(number: u8) -> Fingerprint {
    Fingerprint([number; 32])
}

fn session(account: AccountId, number: u8, seen_at: u64) -> Session {
    let (made_at, expires_at) = (5, seen_at + 100);
    Session {
        number: 0,
        key: key(number),
        account,
        made_at,
        seen_at,
        expires_at,
        about: "Firefox on Linux".to_owned(),
    }
}

fn token(account: Option<AccountId>, number: u8, purpose: Purpose) -> Token {
    Token {
        key: key(number),
        account,
        purpose,
        expires_at: 100,
        used_at: None,
        note: format!("note {number}"),
    }
}

fn accounts_are_found(store: &dyn House) {
    let (first, second) = (add(store, "Änne"), add(store, "Bob"));
    assert!(first < second);
    let found = get(store, first);
    assert_eq!(
        (found.name.as_str(), found.name_key.as_str(), found.password.as_str()),
        ("Änne", "änne", "hash of Änne")
    );
    assert_eq!((found.role, found.state, found.created_at), (Role::Member, AccountState::Open, 1_000));
    assert!(found.mail.is_none() && found.leaving_at.is_none() && found.zone == "Europe/Berlin");
    assert_eq!(store.account_named("bob").unwrap().map(|account| account.id), Some(second));
    assert_eq!(store.account_named("Bob").unwrap(), None, "by its key only");
    assert_eq!(store.account(AccountId(99)).unwrap(), None);
    let ids = |after, most| -> Vec<AccountId> {
        store.accounts(after, most).unwrap().into_iter().map(|account| account.id).collect()
    };
    assert_eq!(ids(None, 10), [first, second]);
    assert_eq!(ids(None, 1), [first]);
    assert_eq!(ids(Some(first), 10), [second]);
}

fn names_and_addresses_are_unique(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    assert_eq!(store.add_account(&new("ANN")).unwrap(), Added::NameTaken);
    assert_eq!(store.change_account(ann, &mail("Ann@war.example")).unwrap(), Changed::Done);
    assert_eq!(store.change_account(bob, &mail("ann@WAR.example")).unwrap(), Changed::MailTaken);
    assert_eq!(store.change_account(ann, &mail("ann@war.example")).unwrap(), Changed::Done, "one's own");
    assert_eq!(store.account_with_mail("ann@war.example").unwrap().map(|account| account.id), Some(ann));
    assert_eq!(store.change_account(ann, &AccountChange::Mail(None)).unwrap(), Changed::Done);
    assert_eq!(store.change_account(bob, &mail("ann@war.example")).unwrap(), Changed::Done);
    assert_eq!(store.account_with_mail("ann@war.example").unwrap().map(|account| account.id), Some(bob));
}

fn invitations_are_used_once(store: &dyn House) {
    for number in [1, 2] {
        store.add_token(&token(None, number, Purpose::Invitation)).unwrap();
    }
    let invited = |name: &str, number: u8, at: u64| {
        store.add_account(&NewAccount { invitation: Some(key(number)), at, ..new(name) }).unwrap()
    };
    let ann = invited("Ann", 1, 99);
    assert!(matches!(ann, Added::Made(_)));
    assert_eq!(invited("Bob", 1, 99), Added::NotInvited, "used");
    assert_eq!(invited("ann", 2, 99), Added::NameTaken);
    assert_eq!(invited("Bob", 2, 100), Added::NotInvited, "expired");
    assert_eq!(invited("Bob", 3, 99), Added::NotInvited, "never was");
    assert!(matches!(invited("Bob", 2, 99), Added::Made(_)), "a name that is taken costs no invitation");
}

fn changes(store: &dyn House) {
    let id = add(store, "Ann");
    for change in [
        AccountChange::Password("other".to_owned()),
        AccountChange::Zone("Asia/Tokyo".to_owned()),
        AccountChange::Role(Role::Admin),
        AccountChange::State(AccountState::Closed),
        AccountChange::Leaving(Some(50)),
    ] {
        assert_eq!(store.change_account(id, &change).unwrap(), Changed::Done);
        assert_eq!(store.change_account(AccountId(99), &change).unwrap(), Changed::Missing);
    }
    let found = get(store, id);
    assert_eq!((found.password.as_str(), found.zone.as_str()), ("other", "Asia/Tokyo"));
    assert_eq!((found.role, found.state, found.leaving_at), (Role::Admin, AccountState::Closed, Some(50)));
    assert_eq!(store.leaving(50).unwrap(), []);
    assert_eq!(store.leaving(51).unwrap(), [id]);
    store.change_account(id, &AccountChange::Leaving(None)).unwrap();
    assert_eq!(store.leaving(u64::MAX).unwrap(), []);
}

fn deleted(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    store.change_account(ann, &mail("ann@war.example")).unwrap();
    store.change_account(ann, &AccountChange::Leaving(Some(1))).unwrap();
    store.add_session(&session(ann, 1, 10)).unwrap();
    store.add_session(&session(bob, 2, 10)).unwrap();
    store.add_token(&token(Some(ann), 3, Purpose::Reset)).unwrap();
    assert!(store.erase_account(ann).unwrap());
    assert!(!store.erase_account(AccountId(99)).unwrap());
    let left = get(store, ann);
    assert_eq!((left.name.as_str(), left.password.as_str(), left.zone.as_str()), (FORMER_PLAYER, "", ""));
    assert!(left.state == AccountState::Deleted && left.mail.is_none() && left.leaving_at.is_none());
    assert_eq!(store.account_named("ann").unwrap(), None);
    assert_eq!(store.account_with_mail("ann@war.example").unwrap(), None);
    assert!(store.session(key(1)).unwrap().is_none() && store.session(key(2)).unwrap().is_some());
    assert_eq!(store.token(key(3)).unwrap(), None);
    assert_eq!(store.leaving(u64::MAX).unwrap(), []);
    let state = AccountChange::State(AccountState::Open);
    assert_eq!(store.change_account(ann, &state).unwrap(), Changed::Missing, "gone for good");
    let other = add(store, "Ann");
    assert!(other > bob, "the name is free, the number is not used again");
}

fn sessions(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    for (account, number, seen) in [(ann, 1, 10), (ann, 2, 30), (bob, 3, 20)] {
        store.add_session(&session(account, number, seen)).unwrap();
    }
    let found = store.session(key(2)).unwrap().unwrap();
    assert!(found.number > 0);
    assert_eq!(Session { number: 0, ..found }, session(ann, 2, 30));
    assert_eq!(store.session(key(9)).unwrap(), None);
    let listed = |at| -> Vec<Fingerprint> {
        store.sessions(ann, at).unwrap().into_iter().map(|session| session.key).collect()
    };
    assert_eq!(listed(50), [key(2), key(1)]);
    assert_eq!(listed(110), [key(2)], "the first has expired");
    store.touch_session(key(1), 60, 500).unwrap();
    assert_eq!(listed(110), [key(1), key(2)]);
    let touched = store.session(key(1)).unwrap().unwrap();
    assert_eq!((touched.made_at, touched.seen_at, touched.expires_at), (5, 60, 500));
}

fn sessions_end(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    for (account, number) in [(ann, 1), (ann, 2), (ann, 3), (bob, 4)] {
        store.add_session(&session(account, number, 10)).unwrap();
    }
    let number = |of| store.session(key(of)).unwrap().unwrap().number;
    let (first, bobs) = (number(1), number(4));
    assert!(!store.end_session(ann, bobs).unwrap(), "somebody else's");
    assert!(store.end_session(ann, first).unwrap() && !store.end_session(ann, first).unwrap());
    assert_eq!(store.end_sessions(ann, Some(key(3))).unwrap(), 1);
    assert!(store.session(key(2)).unwrap().is_none() && store.session(key(3)).unwrap().is_some());
    assert_eq!(store.end_sessions(ann, None).unwrap(), 1);
    assert!(store.session(key(4)).unwrap().is_some());
}

fn tokens_are_used_once(store: &dyn House) {
    let ann = add(store, "Ann");
    store.add_token(&token(Some(ann), 1, Purpose::Reset)).unwrap();
    store.add_token(&token(Some(ann), 2, Purpose::Mail)).unwrap();
    assert_eq!(store.use_token(key(1), Purpose::Mail, 5).unwrap(), None, "not for that");
    assert_eq!(store.use_token(key(1), Purpose::Reset, 100).unwrap(), None, "too late");
    let used = store.use_token(key(1), Purpose::Reset, 99).unwrap().unwrap();
    assert_eq!((used.account, used.used_at, used.note.as_str()), (Some(ann), Some(99), "note 1"));
    assert_eq!(store.use_token(key(1), Purpose::Reset, 99).unwrap(), None, "twice");
    assert_eq!(store.token(key(1)).unwrap().unwrap().used_at, Some(99));
    // A newer link closes the older one.
    store.add_token(&token(Some(ann), 3, Purpose::Mail)).unwrap();
    assert_eq!(store.use_token(key(2), Purpose::Mail, 5).unwrap(), None);
    assert!(store.use_token(key(3), Purpose::Mail, 5).unwrap().is_some());
}

fn one_winner(store: &dyn House) {
    store.add_token(&token(None, 1, Purpose::Invitation)).unwrap();
    let won = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                if store.use_token(key(1), Purpose::Invitation, 5).unwrap().is_some() {
                    won.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(won.into_inner(), 1);
}

fn what_has_expired_is_forgotten(store: &dyn House) {
    let ann = add(store, "Ann");
    store.add_session(&session(ann, 1, 10)).unwrap();
    store.add_session(&session(ann, 2, 50)).unwrap();
    store.add_token(&token(None, 3, Purpose::Invitation)).unwrap();
    assert_eq!(store.forget_expired(99).unwrap(), 0);
    assert_eq!(store.forget_expired(110).unwrap(), 2);
    assert!(store.session(key(2)).unwrap().is_some() && store.token(key(3)).unwrap().is_none());
}

fn keeping<'a>(match_id: &'a str, seat: u8, account: AccountId, token: &'a str) -> Keeping<'a> {
    Keeping { match_id, seat, account, token, mover: Some(1), at: 77 }
}

fn kept_once(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    store.create(&sample("m"), &[]).unwrap();
    for (seat, token) in [(0, "seat-1-m"), (0, ""), (7, "seat-0-m"), (1, "seat-0-m")] {
        assert!(!store.keep_seat(&keeping("m", seat, ann, token)).unwrap(), "{seat} {token}");
    }
    assert!(!store.keep_seat(&keeping("nobody", 0, ann, "seat-0-m")).unwrap());
    assert!(store.keep_seat(&keeping("m", 0, ann, "seat-0-m")).unwrap());
    assert!(!store.keep_seat(&keeping("m", 0, bob, "seat-0-m")).unwrap(), "its link is closed");
    assert!(!store.keep_seat(&keeping("m", 0, bob, "")).unwrap());
    assert!(!store.keep_seat(&keeping("m", 1, ann, "seat-1-m")).unwrap(), "one seat for each");
    let record = store.find("m").unwrap().unwrap();
    let kept = &record.seats[0];
    assert_eq!(kept.player, Player::Account { id: ann, bot: None });
    assert_eq!((kept.token.as_str(), kept.claimed_at), ("", Some(77)));
    assert_eq!((&record.seats[1], record.summary.mover), (&sample("m").seats[1], Some(1)));
    // A bot that plays for its person goes on.
    store.set_player("m", 1, &Player::read("person+bot:captain"), "south", false).unwrap();
    assert!(store.keep_seat(&keeping("m", 1, bob, "seat-1-m")).unwrap());
    let word = format!("account:{bob}+bot:captain");
    assert_eq!(store.find("m").unwrap().unwrap().seats[1].player.to_string(), word);
    // Neither the owner's seat nor a bot's can be kept.
    for player in [Player::Owner, Player::Bot("greedy".into())] {
        let mut record = sample("other");
        record.seats[0].player = player;
        store.create(&record, &[]).unwrap();
        assert!(!store.keep_seat(&keeping("other", 0, ann, "seat-0-other")).unwrap());
        store.mark_deleted("other", Some(1)).unwrap();
        store.purge(2).unwrap();
    }
}

fn my_turn(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    for id in ["a", "b", "c", "d", "gone", "over", "bot"] {
        store.create(&sample(id), &[]).unwrap();
        assert!(store.keep_seat(&keeping(id, 0, ann, &format!("seat-0-{id}"))).unwrap());
    }
    assert!(store.keep_seat(&keeping("a", 1, bob, "seat-1-a")).unwrap());
    // Every entry says who is to move, and comes a second after the one before.
    let play = |id: &str, entries: u32, mover: Option<u8>| {
        for seq in 1..=entries {
            let mut append = steps_append(id, seq, "x");
            append.summary.mover = mover;
            store.append(&[append]).unwrap();
        }
    };
    play("a", 3, Some(0));
    play("b", 4, Some(1));
    play("c", 1, Some(0));
    play("d", 5, None);
    play("gone", 1, Some(0));
    play("bot", 2, Some(0));
    store.mark_deleted("gone", Some(1)).unwrap();
    store.append(&[with_result(steps_append("over", 1, "x"), "decisive")]).unwrap();
    let bot = Player::Account { id: ann, bot: Some("captain".to_owned()) };
    store.set_player("bot", 0, &bot, "north, Captain", false).unwrap();
    let list = |account, shelf, most| -> Vec<(String, bool)> {
        let seats = store.kept_seats(account, shelf, most).unwrap();
        seats.into_iter().map(|seat| (seat.match_id.clone(), seat.is_awaited())).collect()
    };
    let row = |id: &str, awaited| (id.to_owned(), awaited);
    let all = [row("c", true), row("a", true), row("d", false), row("b", false), row("bot", false)];
    assert_eq!(list(ann, Shelf::Running, 100), all);
    assert_eq!(list(ann, Shelf::Running, 2), all[..2]);
    assert_eq!(list(ann, Shelf::Finished, 100), [row("over", false)]);
    assert_eq!(list(bob, Shelf::Running, 100), [row("a", false)]);
    assert_eq!(list(AccountId(17), Shelf::Running, 100), []);
    let seat = &store.kept_seats(ann, Shelf::Running, 1).unwrap()[0];
    let record = store.find("c").unwrap().unwrap();
    assert_eq!((&seat.name, &seat.game, &seat.setup), (&record.name, &record.game, &record.setup));
    assert_eq!((&seat.summary, seat.changed_at), (&record.summary, record.changed_at));
    assert_eq!((seat.seat, seat.word.as_str(), seat.revision), (0, "north", 1));
}

fn rests_are_kept_and_go_with_the_account(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    let rest = |first: &str, last: &str, from, until| Rest {
        first: first.to_owned(),
        last: last.to_owned(),
        from,
        until,
    };
    let autumn = rest("2026-11-20", "2026-11-22", 500, 900);
    let winter = rest("2026-12-24", "2026-12-26", 2_000, 3_000);
    assert_eq!(store.rests(ann).unwrap(), []);
    assert_eq!(store.resting(0).unwrap(), []);
    let first = [winter.clone()];
    assert!(store.put_rests(ann, &[], &first).unwrap());
    // Of two changes that were made from the same list one counts.
    assert!(!store.put_rests(ann, &[], std::slice::from_ref(&autumn)).unwrap());
    assert!(store.put_rests(ann, &first, &[autumn.clone(), winter.clone()]).unwrap());
    assert!(store.put_rests(bob, &[], std::slice::from_ref(&autumn)).unwrap());
    assert_eq!(store.rests(ann).unwrap(), [autumn.clone(), winter.clone()]);
    assert_eq!(store.resting(899).unwrap(), [ann, bob]);
    assert_eq!(store.resting(900).unwrap(), [ann]);
    assert_eq!(store.resting(3_000).unwrap(), []);
    assert!(store.put_rests(ann, &[autumn.clone(), winter], std::slice::from_ref(&autumn)).unwrap());
    assert_eq!(store.rests(ann).unwrap(), [autumn]);
    store.erase_account(ann).unwrap();
    assert_eq!(store.rests(ann).unwrap(), []);
    assert_eq!(store.resting(0).unwrap(), [bob]);
}
