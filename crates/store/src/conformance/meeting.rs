//! Chat, notes, blocks, reports, and tables that gather.

use super::people::{House, add};
use super::sample;
use crate::{
    AccountId, Contact, Gathering, GatheringSeat, MOST_GATHERINGS, MOST_LINES, MOST_OPEN_REPORTS, Manners,
    NewAct, NewLine, NewReport, Reported, Room, Said, SeatOffer, Taken,
};

const ANN: AccountId = AccountId(1);
const BOB: AccountId = AccountId(2);

fn line(room: Room, seat: Option<u8>, account: Option<AccountId>, text: &str) -> NewLine {
    NewLine { match_id: "m".into(), at: 7, room, seat, account, text: text.into() }
}

fn players(text: &str) -> NewLine {
    line(Room::Players, Some(1), Some(ANN), text)
}

/// The words of the last lines.
fn words(store: &dyn House, rooms: &[Room], after: u32, most: usize) -> Vec<String> {
    store.lines("m", rooms, after, most).unwrap().into_iter().map(|line| line.line.text).collect()
}

pub(super) fn chat_goes_to_its_room(store: &dyn House) {
    assert_eq!(store.say(&players("to nobody")).unwrap(), Said::Missing);
    store.create(&sample("m"), &[]).unwrap();
    assert!(words(store, &Room::ALL, 0, 9).is_empty());
    assert_eq!(store.say(&players("Größe & <b>\n\"hello\"")).unwrap(), Said::Kept(1));
    assert_eq!(store.say(&line(Room::Onlookers, None, Some(BOB), "psst")).unwrap(), Said::Kept(2));
    assert_eq!(store.say(&line(Room::Players, Some(0), None, "a guest")).unwrap(), Said::Kept(3));
    assert_eq!(words(store, &[Room::Players], 0, 9), ["Größe & <b>\n\"hello\"", "a guest"]);
    assert_eq!(words(store, &[Room::Onlookers], 0, 9), ["psst"]);
    assert!(words(store, &[], 0, 9).is_empty(), "whoever is in no room hears nothing");
    assert_eq!(words(store, &Room::ALL, 1, 9), ["psst", "a guest"]);
    assert_eq!(words(store, &Room::ALL, 0, 2), ["psst", "a guest"], "the last ones, in order");
    let kept = store.line("m", 3).unwrap().unwrap();
    assert_eq!((kept.n, kept.line), (3, line(Room::Players, Some(0), None, "a guest")));
    assert!(store.line("m", 4).unwrap().is_none() && store.line("other", 1).unwrap().is_none());
    let said = store.said_by(BOB).unwrap();
    assert_eq!((said.len(), said[0].line.text.as_str()), (1, "psst"));
    // How far somebody has read never goes back.
    assert_eq!(store.heard("m", 1).unwrap(), 0);
    for n in [2, 1] {
        assert!(store.set_heard("m", 1, n).unwrap());
        assert_eq!((store.heard("m", 1).unwrap(), store.heard("m", 0).unwrap()), (2, 0));
    }
    assert!(!store.set_heard("other", 1, 1).unwrap());
    assert_eq!(store.manners("m").unwrap(), Manners::default());
    let manners = Manners { is_quiet: true, is_gathered: true };
    assert!(store.set_manners("m", manners).unwrap() && !store.set_manners("other", manners).unwrap());
    assert_eq!(store.manners("m").unwrap(), manners);
    assert_eq!(
        store.say(&players("4")).unwrap(),
        Said::Kept(4),
        "whether one may talk is not the store's to say"
    );
}

pub(super) fn a_room_is_full_one_day(store: &dyn House) {
    store.create(&sample("m"), &[]).unwrap();
    for _ in 0..MOST_LINES {
        assert!(matches!(store.say(&players("again")).unwrap(), Said::Kept(_)));
    }
    assert_eq!(store.say(&players("once more")).unwrap(), Said::Full);
    let other = line(Room::Onlookers, None, Some(BOB), "here is room");
    assert_eq!(store.say(&other).unwrap(), Said::Kept(MOST_LINES as u32 + 1));
}

pub(super) fn notes_are_ones_own(store: &dyn House) {
    assert!(!store.set_note("m", 0, None, "nowhere").unwrap());
    store.create(&sample("m"), &[]).unwrap();
    assert_eq!(store.note("m", 0, None).unwrap(), "");
    assert!(store.set_note("m", 0, None, "a guest's").unwrap());
    assert_eq!(store.note("m", 0, None).unwrap(), "a guest's");
    assert_eq!(store.note("m", 1, None).unwrap(), "", "the other seat");
    assert_eq!(
        store.note("m", 0, Some(ANN)).unwrap(),
        "a guest's",
        "whoever keeps the seat goes on with them"
    );
    assert!(store.set_note("m", 0, Some(ANN), "Ann's").unwrap());
    assert_eq!(store.note("m", 0, Some(ANN)).unwrap(), "Ann's");
    assert_eq!(store.note("m", 0, None).unwrap(), "", "and gives nothing back to the link");
    assert_eq!(store.note("m", 0, Some(BOB)).unwrap(), "");
    assert_eq!(store.noted_by(ANN).unwrap(), [("m".to_owned(), 0, "Ann's".to_owned())]);
}

pub(super) fn muted_and_blocked(store: &dyn House) {
    for (kind, is_on) in [(Contact::Mute, true), (Contact::Mute, true), (Contact::Block, true)] {
        assert!(store.set_contact(ANN, BOB, kind, is_on).unwrap());
    }
    assert_eq!(store.contacts(ANN).unwrap(), [(BOB, Contact::Mute), (BOB, Contact::Block)]);
    assert!(store.has_blocked(ANN, BOB).unwrap() && !store.has_blocked(BOB, ANN).unwrap());
    assert!(store.set_contact(ANN, BOB, Contact::Block, false).unwrap());
    assert!(!store.has_blocked(ANN, BOB).unwrap(), "a mute is no block");
    assert_eq!(store.contacts(ANN).unwrap(), [(BOB, Contact::Mute)]);
    for other in 0..crate::MOST_CONTACTS as u64 - 1 {
        assert!(store.set_contact(ANN, AccountId(100 + other), Contact::Block, true).unwrap());
    }
    assert!(!store.set_contact(ANN, AccountId(99), Contact::Mute, true).unwrap());
    assert!(store.set_contact(ANN, AccountId(99), Contact::Mute, false).unwrap());
    assert_eq!(store.silenced_until(BOB).unwrap(), None);
    for until in [Some(5), Some(9), None] {
        store.silence(BOB, until).unwrap();
        assert_eq!(store.silenced_until(BOB).unwrap(), until);
    }
}

fn complaint(by: AccountId, about: Option<AccountId>, n: u32) -> NewReport {
    let (text, why) = ("a bad word".into(), "it hurts".into());
    NewReport { at: 8, by, about, match_id: "m".into(), n, room: Room::Players, text, why }
}

pub(super) fn reports_are_answered_once(store: &dyn House) {
    let Reported::Kept(id) = store.report(&complaint(ANN, Some(BOB), 3)).unwrap() else { panic!("kept") };
    assert_eq!(store.report(&complaint(ANN, Some(BOB), 3)).unwrap(), Reported::Twice);
    assert!(matches!(store.report(&complaint(BOB, None, 3)).unwrap(), Reported::Kept(_)));
    let found = store.report_numbered(id).unwrap().unwrap();
    assert_eq!((found.report, found.answer), (complaint(ANN, Some(BOB), 3), None));
    assert_eq!(store.reports(false, 9).unwrap().len(), 2);
    assert!(store.answer_report(id, 20, "spoken to").unwrap());
    assert!(!store.answer_report(id, 21, "again").unwrap() && !store.answer_report(99, 21, "none").unwrap());
    let answered = store.reports(true, 9).unwrap();
    assert_eq!((answered.len(), answered[0].answer.clone()), (1, Some((20, "spoken to".to_owned()))));
    assert_eq!(store.reports(false, 9).unwrap().len(), 1);
    assert_eq!(store.reports_by(ANN, 9).unwrap(), answered);
    assert!(store.reports(false, 0).unwrap().is_empty());
    for n in 0..MOST_OPEN_REPORTS as u32 {
        assert!(matches!(store.report(&complaint(ANN, None, 100 + n)).unwrap(), Reported::Kept(_)));
    }
    assert_eq!(store.report(&complaint(ANN, None, 99)).unwrap(), Reported::TooMany);
}

pub(super) fn the_log_is_read_from_its_end(store: &dyn House) {
    for at in 1..=5 {
        let (deed, note) = (format!("deed {at}"), String::new());
        store.note_act(&NewAct { at, by: None, about: Some(BOB), deed, note }).unwrap();
    }
    let deeds = |before: Option<u64>, most: usize| -> Vec<String> {
        store.acts(before, most).unwrap().into_iter().map(|act| act.act.deed).collect()
    };
    assert_eq!(deeds(None, 2), ["deed 5", "deed 4"]);
    let last = store.acts(None, 2).unwrap()[1].id;
    assert_eq!(deeds(Some(last), 9), ["deed 3", "deed 2", "deed 1"]);
}

fn table(id: &str, host: AccountId, made_at: u64) -> Gathering {
    let seat = |offer, taken| GatheringSeat { offer, taken };
    Gathering {
        id: id.into(),
        host,
        game: "echoes".into(),
        name: "Größe".into(),
        setup: "for four".into(),
        options: r#"{"a":"b"}"#.into(),
        clock: "daily".into(),
        is_quiet: true,
        is_listed: true,
        made_at,
        revision: 0,
        match_id: None,
        again: Some("before".into()),
        seats: vec![
            seat(SeatOffer::Named(host), Some(Taken::Account(host))),
            seat(SeatOffer::Named(BOB), None),
            seat(SeatOffer::Link("token".into()), Some(Taken::Guest)),
            seat(SeatOffer::Bot("greedy".into()), None),
            seat(SeatOffer::Open, None),
            seat(SeatOffer::Declined(AccountId(9)), None),
        ],
    }
}

pub(super) fn tables_gather(store: &dyn House) {
    let first = table("t1", ANN, 10);
    assert!(store.add_gathering(&first).unwrap());
    assert_eq!(store.gathering("t1").unwrap().as_ref(), Some(&first));
    assert!(store.gathering("none").unwrap().is_none());
    assert!(store.add_gathering(&Gathering { is_listed: false, ..table("t2", ANN, 20) }).unwrap());
    assert!(store.add_gathering(&table("t3", ANN, 30)).unwrap());
    let ids = |found: Vec<Gathering>| found.into_iter().map(|one| one.id).collect::<Vec<_>>().join(" ");
    assert_eq!(ids(store.open_gatherings(9).unwrap()), "t3 t1");
    assert_eq!(ids(store.open_gatherings(1).unwrap()), "t3");
    assert_eq!(ids(store.gatherings_of(ANN).unwrap()), "t3 t2 t1", "their host");
    assert_eq!(ids(store.gatherings_of(BOB).unwrap()), "t3 t2 t1", "invited");
    assert_eq!(ids(store.gatherings_of(AccountId(9)).unwrap()), "", "who has declined is not asked again");
    assert_eq!(store.gathering_after("before").unwrap().unwrap().id, "t3");
    assert!(store.gathering_after("t1").unwrap().is_none());
    let mut begun = store.gathering("t3").unwrap().unwrap();
    begun.match_id = Some("m".into());
    assert!(store.change_gathering(&begun).unwrap());
    assert_eq!(ids(store.open_gatherings(9).unwrap()), "t1", "what has begun gathers no more");
    assert_eq!(ids(store.gatherings_of(BOB).unwrap()), "t2 t1");
    assert_eq!(store.gathering_after("before").unwrap().unwrap().id, "t2");
    for more in 0..MOST_GATHERINGS - 2 {
        assert!(store.add_gathering(&table(&format!("more{more}"), ANN, 40)).unwrap());
    }
    assert!(!store.add_gathering(&table("one too many", ANN, 40)).unwrap());
    assert!(store.add_gathering(&table("t4", BOB, 40)).unwrap(), "others have room");
    assert_eq!(store.forget_gatherings(20).unwrap(), 1);
    assert!(store.gathering("t1").unwrap().is_none());
    assert!(store.remove_gathering("t2").unwrap() && !store.remove_gathering("t2").unwrap());
}

pub(super) fn of_two_changes_one_counts(store: &dyn House) {
    store.add_gathering(&table("t", ANN, 10)).unwrap();
    let read = store.gathering("t").unwrap().unwrap();
    let (mut mine, mut theirs) = (read.clone(), read);
    mine.seats[4].taken = Some(Taken::Account(AccountId(7)));
    theirs.seats[4].taken = Some(Taken::Account(AccountId(8)));
    assert!(store.change_gathering(&mine).unwrap());
    assert!(!store.change_gathering(&theirs).unwrap(), "the seat was taken meanwhile");
    let now = store.gathering("t").unwrap().unwrap();
    assert_eq!((now.seat_of(AccountId(7)), now.seat_of(AccountId(8)), now.revision), (Some(4), None, 1));
    assert!(!store.change_gathering(&Gathering { id: "none".into(), ..now }).unwrap());
}

pub(super) fn nothing_is_left_of_whoever_leaves(store: &dyn House) {
    let (ann, bob) = (add(store, "Ann"), add(store, "Bob"));
    store.create(&sample("m"), &[]).unwrap();
    store.say(&line(Room::Players, Some(0), Some(ann), "Ann's words")).unwrap();
    store.say(&line(Room::Players, Some(1), Some(bob), "Bob's words")).unwrap();
    store.set_note("m", 0, Some(ann), "Ann's note").unwrap();
    store.set_contact(ann, bob, Contact::Mute, true).unwrap();
    store.set_contact(bob, ann, Contact::Block, true).unwrap();
    store.silence(ann, Some(9)).unwrap();
    store.report(&complaint(ann, Some(bob), 2)).unwrap();
    let Reported::Kept(id) = store.report(&complaint(bob, Some(ann), 1)).unwrap() else { panic!("kept") };
    store.answer_report(id, 9, "Ann was told").unwrap();
    let (deed, note) = ("closed the account".to_owned(), "Ann again".to_owned());
    store.note_act(&NewAct { at: 9, by: None, about: Some(ann), deed, note }).unwrap();
    let mut asked = table("hers", ann, 10);
    asked.seats.truncate(1);
    store.add_gathering(&asked).unwrap();
    let mut bobs = table("his", bob, 10);
    bobs.seats[1].offer = SeatOffer::Named(ann);
    bobs.seats[4].taken = Some(Taken::Account(ann));
    store.add_gathering(&bobs).unwrap();

    assert!(store.erase_account(ann).unwrap());
    assert_eq!(words(store, &Room::ALL, 0, 9), ["Bob's words"]);
    assert!(store.said_by(ann).unwrap().is_empty() && store.noted_by(ann).unwrap().is_empty());
    assert_eq!(store.note("m", 0, Some(ann)).unwrap(), "");
    assert!(store.contacts(ann).unwrap().is_empty() && store.contacts(bob).unwrap().is_empty());
    assert_eq!(store.silenced_until(ann).unwrap(), None);
    assert!(store.reports_by(ann, 9).unwrap().is_empty());
    let left = store.report_numbered(id).unwrap().unwrap();
    assert_eq!((left.report.text.as_str(), left.report.why.as_str()), ("", ""));
    assert_eq!(left.answer, Some((9, String::new())));
    let act = store.acts(None, 9).unwrap().remove(0).act;
    assert_eq!((act.deed.as_str(), act.note.as_str(), act.about), ("closed the account", "", Some(ann)));
    assert!(store.gathering("hers").unwrap().is_none());
    let his = store.gathering("his").unwrap().unwrap();
    assert_eq!((his.seats[4].taken, &his.seats[1].offer), (None, &SeatOffer::Open));
    // The number of a line that is gone is not given again: pages would take the next one for known.
    assert_eq!(store.say(&line(Room::Players, Some(1), Some(bob), "still here")).unwrap(), Said::Kept(3));
}

pub(super) fn talk_goes_with_its_match(store: &dyn House) {
    store.create(&sample("m"), &[]).unwrap();
    store.say(&players("gone tomorrow")).unwrap();
    store.set_note("m", 0, Some(ANN), "this as well").unwrap();
    store.set_heard("m", 0, 1).unwrap();
    store.mark_deleted("m", Some(5)).unwrap();
    assert_eq!(store.purge(6).unwrap(), 1);
    store.create(&sample("m"), &[]).unwrap();
    assert!(words(store, &Room::ALL, 0, 9).is_empty());
    assert_eq!((store.note("m", 0, Some(ANN)).unwrap(), store.heard("m", 0).unwrap()), (String::new(), 0));
}
