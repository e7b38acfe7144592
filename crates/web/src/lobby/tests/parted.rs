//! Matches that the present rules can't follow to their end: they are shown, kept, and go on as new ones.

use kernel::{Parting, SecretPolicy};
use store::{Entry, EntryKind, MatchRecord, Origin, Shelf, Store as _};

use super::*;
use crate::pages::lobby::{self as lobby_page, LobbyPage};
use crate::pages::parted as parted_page;

const OLD_RULES: &str = "0";
/// How many steps the matches of these tests have at least.
const STEPS: usize = 20;

/// A server over a store.
fn lobby_over(store: &Arc<MemoryStore>) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> =
        vec![Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new()), Arc::new(Of::<cards::Cards>::new())];
    let store: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    Arc::new(Lobby::open(store, titles).expect("the store opens").with_pace(Duration::ZERO))
}

/// The lines of a save's or a journal's choices.
fn choices(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// A line with another digest than its own.
fn falsified(line: &str) -> String {
    let (rest, digest) = line.rsplit_once(' ').expect("a digest");
    format!("{rest} {}", if digest == "0badc0de" { "deadbeef" } else { "0badc0de" })
}

/// A save that parts after so many steps. With `rules` it says that it was begun under others.
fn parting_save(text: &str, common: usize, rules: Option<&str>) -> String {
    let line = choices(text)[common];
    let text = text.replacen(line, &falsified(line), 1);
    match rules {
        Some(rules) => text.replacen("\nrules: 3\n", &format!("\nrules: {rules}\n"), 1),
        None => text,
    }
}

/// A war that was played for a while, as its record and its journal.
async fn played() -> (MatchRecord, Vec<Entry>) {
    let store = Arc::new(MemoryStore::default());
    let lobby = lobby_over(&store);
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    while found.lock().await.table.steps() < STEPS {
        play_on(&lobby, &found).await.expect("an open choice");
    }
    kept(&store, &id)
}

/// What a store keeps of a match.
fn kept(store: &MemoryStore, id: &str) -> (MatchRecord, Vec<Entry>) {
    let record = store.find(id).expect("the store answers").expect("the match is there");
    (record, store.journal(id).expect("the store answers"))
}

/// The same match as if it had been begun under old rules, which part from the present ones after so many steps.
fn aged((mut record, mut journal): (MatchRecord, Vec<Entry>), common: usize) -> (MatchRecord, Vec<Entry>) {
    let head = record.header.lines().map(|line| match line.strip_prefix("rules: ") {
        Some(_) => format!("rules: {OLD_RULES}\n"),
        None => format!("{line}\n"),
    });
    record.header = head.collect();
    let number = (common + 1).to_string();
    for entry in &mut journal {
        let EntryKind::Steps(text) = &mut entry.kind else { continue };
        let line = choices(text).into_iter().find(|line| line.split_whitespace().next() == Some(&number));
        if let Some(line) = line.map(str::to_owned) {
            *text = text.replacen(&line, &falsified(&line), 1);
        }
    }
    (record, journal)
}

/// The steps after which a seat decides, and those after which Fate draws.
fn steps_before(record: &MatchRecord, journal: &[Entry]) -> [Vec<usize>; 2] {
    let text = as_save(record, journal, &[]).text;
    let lines = choices(&text);
    ["allies", "fate"].map(|word| {
        (1..lines.len()).filter(|at| lines[*at].split_whitespace().nth(1) == Some(word)).collect()
    })
}

/// The lobby as its owner sees it.
async fn shown(lobby: &Arc<Lobby>) -> String {
    let read = |store: &dyn Store| Ok((store.list(false)?, store.counts()?));
    let (matches, counts) = lobby.with_store(read).await.expect("the list");
    let page = LobbyPage {
        has_accounts: false,
        titles: lobby.titles(),
        counts,
        shelf: Shelf::Running,
        page: 0,
        matches: &matches,
        deleted: &[],
        parted: &lobby.parted(),
        now: lobby.now(),
        has_contests: false,
        has_laboratory: false,
    };
    lobby_page::page(Prefs::default(), &page).into_string()
}

fn parting_of(result: Result<Arc<LiveMatch>, LobbyError>) -> (Option<String>, Box<Parting>) {
    match result.map(|_| ()).expect_err("it parts") {
        LobbyError::Parted { match_id, parting, .. } => (match_id, parting),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_match_that_parts_is_kept_and_goes_on_as_a_new_one() {
    let war = played().await;
    let [decisions, draws] = steps_before(&war.0, &war.1);
    assert!(decisions.len() > 3 && draws.len() > 3, "{decisions:?} {draws:?}");
    for (common, exact) in [(decisions[0], true), (decisions[3], true), (draws[2], false)] {
        let store = Arc::new(MemoryStore::default());
        let (record, journal) = aged(war.clone(), common);
        store.create(&record, &journal).expect("stored");
        let lobby = lobby_over(&store);
        let (id, token) = (&record.id, record.owner_token());

        // The lobby finds out before anybody opens it, and offers what can be done.
        assert!(lobby.parted().is_empty());
        lobby.look_for_partings().await.expect("looked through");
        let parted = lobby.parted();
        let parting = &parted[id];
        assert_eq!((parting.common, parting.begun_under.as_str()), (common, OLD_RULES));
        let offer = format!("Continue from step {common} as a new match");
        let card = shown(&lobby).await;
        for part in [
            offer.as_str(),
            &format!("action=\"/matches/{id}/continue\""),
            &format!("href=\"/matches/{id}/record\""),
            "The rules have changed since this match began (from version 0 to 3)",
        ] {
            assert!(card.contains(part), "{part}\n{card}");
        }

        // Whoever opens it is told so, with the page that offers the same.
        let (match_id, parting) = parting_of(lobby.enter(id, token).await.map(|(found, _)| found));
        assert_eq!((match_id.as_ref(), parting.common), (Some(id), common));
        let page =
            parted_page::page(Prefs::default(), id, &parting, &parting.problems.to_string()).into_string();
        assert!(page.contains(&offer) && page.contains(&format!("/matches/{id}/record")), "{page}");
        assert_eq!(choices(&lobby.owners_record(id).await.expect("its record")).len(), parting.steps);

        // It goes on as a new match with the common steps and nothing else.
        let (new, token) = lobby.continue_common(id).await.expect("it goes on");
        let (found, viewer) = lobby.enter(&new, &token).await.expect("the owner may enter");
        assert_eq!(viewer, Viewer::Seat(SEAT));
        let (_, save) = super::record(&found).await;
        let old_text = lobby.owners_record(id).await.expect("its record");
        assert_eq!(choices(&save)[..common], choices(&old_text)[..common]);
        if exact {
            assert_eq!(choices(&save).len(), common);
        }
        assert!(save.contains("\nrules: 3\n"), "it is a match of the present rules: {save}");
        let (made, _) = kept(&store, &new);
        assert_eq!(made.origin, Some(Origin { match_id: id.clone(), step: common as u32 }));
        assert!(made.name.ends_with(&format!(", from step {common}")), "{}", made.name);
        play_on(&lobby, &found).await.expect("it can be played");
        lobby.close(&new).await;
        let again = lobby.find(&new).await.expect("it can be read again");
        assert!(again.lock().await.table.steps() > common);

        // Somebody who plays alone may try as often as he likes.
        lobby.continue_common(id).await.expect("it goes on once more");

        // The old one stays as it was, to the byte.
        assert!(kept(&store, id) == (record.clone(), journal.clone()), "the old match was changed");
        parting_of(lobby.find(id).await);
    }
}

#[tokio::test]
async fn a_match_that_can_go_on_is_not_copied() {
    let store = Arc::new(MemoryStore::default());
    let lobby = lobby_over(&store);
    let (id, _) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let refused = lobby.continue_common(&id).await.expect_err("it can go on").to_string();
    assert!(refused.contains("can go on as it is"), "{refused}");
    assert!(matches!(lobby.continue_common("nosuchmatch").await, Err(LobbyError::NotFound)));
    assert_eq!(store.list(false).expect("the list").len(), 1);
}

#[tokio::test]
async fn all_players_keep_their_seats_when_a_match_goes_on() {
    let before = Arc::new(MemoryStore::default());
    let lobby = lobby_over(&before);
    let (id, token) = lobby.create(&cards(&["friend", "me"], "")).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    for seat in [Seat(0), Seat(1)] {
        let revision = found.lock().await.revision;
        lobby.change(&found, move |live| live.choose(seat, revision, "bid 1")).await.expect("an open choice");
    }
    let steps = found.lock().await.table.steps();
    let store = Arc::new(MemoryStore::default());
    let (record, journal) = aged(kept(&before, &id), steps - 1);
    store.create(&record, &journal).expect("stored");
    let lobby = lobby_over(&store);
    let (new, token) = lobby.continue_common(&id).await.expect("it goes on");
    let (made, _) = kept(&store, &new);
    let players =
        |record: &MatchRecord| -> Vec<_> { record.seats.iter().map(|seat| seat.player.clone()).collect() };
    assert_eq!(players(&made), players(&record));
    assert!(made.seats.iter().zip(&record.seats).all(|(new, old)| new.token != old.token), "links are new");
    let (found, viewer) = lobby.enter(&new, &token).await.expect("entered");
    assert_eq!((viewer, found.lock().await.table.steps()), (Viewer::Seat(Seat(1)), steps - 1));
    // A second copy with the same dice would show one player what awaits the other.
    let refused = lobby.continue_common(&id).await.expect_err("it was continued").to_string();
    assert!(refused.contains("already been continued"), "{refused}");
}

#[tokio::test]
async fn a_game_that_is_not_there_does_not_hide_what_parts() {
    let war = played().await;
    let store = Arc::new(MemoryStore::default());
    let (record, journal) = aged(war, 5);
    // The list has the newest first, so one of the two comes before the match.
    for (id, changed_at) in [("later", record.changed_at + 1), ("earlier", record.changed_at - 1)] {
        let unknown =
            MatchRecord { id: id.to_owned(), game: "chess".to_owned(), changed_at, ..record.clone() };
        store.create(&unknown, &journal).expect("stored");
    }
    store.create(&record, &journal).expect("stored");
    let lobby = lobby_over(&store);
    lobby.look_for_partings().await.expect("looked through");
    assert_eq!(lobby.parted().into_keys().collect::<Vec<_>>(), [record.id]);
}

#[tokio::test]
async fn a_file_that_parts_is_taken_in_up_to_there_and_only_if_that_is_wanted() {
    let store = Arc::new(MemoryStore::default());
    let lobby = lobby_over(&store);
    let (record, journal) = played().await;
    let [decisions, _] = steps_before(&record, &journal);
    let common = decisions[2];
    let text = as_save(&record, &journal, &[]).text;
    for rules in [Some(OLD_RULES), None] {
        let parting = parting_save(&text, common, rules);
        let refused = lobby.import("war.match", &parting, false).await.map(|_| ()).expect_err("it parts");
        let LobbyError::Parted { match_id: None, parting: found, .. } = &refused else {
            panic!("{refused:?}")
        };
        assert_eq!((found.common, found.is_of_other_rules()), (common, rules.is_some()));
        assert!(refused.to_string().contains("--> war.match:"), "{refused}");
        let before = store.list(false).expect("the list").len();
        let (id, _, notes) = lobby.import("war.match", &parting, true).await.expect("taken in");
        assert!(notes[0].contains(&format!("continues from step {common} of ")), "{notes:?}");
        let found = lobby.find(&id).await.expect("there");
        let save = found.lock().await.table.save(SecretPolicy::Keep).expect("a save");
        assert_eq!(choices(&save), choices(&text)[..common]);
        play_on(&lobby, &found).await.expect("it can be played");
        assert_eq!(store.list(false).expect("the list").len(), before + 1);
    }
    // What can be read to its end is taken in whole, whatever is wanted.
    let (id, _, notes) = lobby.import("war.match", &text, true).await.expect("taken in");
    assert_eq!(notes, Vec::<String>::new());
    let save = super::record(&lobby.find(&id).await.expect("there")).await.1;
    assert_eq!(choices(&save)[..choices(&text).len()], choices(&text));
}
