//! Who sits where, and what each of them gets.

use kernel::SecretPolicy;
use store::{AccountId, MatchRecord, Player, Shelf, Store as _};

use super::*;
use crate::pages::lobby::{self, LobbyPage};
use crate::pages::statistics::{self, Played};

fn players(record: &MatchRecord) -> String {
    record.seats.iter().map(|seat| seat.player.to_string()).collect::<Vec<_>>().join(" ")
}

fn stored(store: &MemoryStore, id: &str) -> MatchRecord {
    store.find(id).expect("the store answers").expect("the match is there")
}

#[tokio::test]
async fn everybody_gets_the_seat_that_was_wished_for() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    for (wishes, seated, role) in [
        (&[][..], "owner person", Viewer::Seat(Seat(0))),
        (&["friend", "me"], "person owner", Viewer::Seat(Seat(1))),
        (&["bot:greedy", "me"], "bot:greedy owner", Viewer::Seat(Seat(1))),
        (&["bot:greedy", "bot:random"], "bot:greedy bot:random", Viewer::Spectator),
        (&["friend", "friend"], "person person", Viewer::Spectator),
    ] {
        let (id, token) = lobby.create(&cards(wishes, "")).await.expect("made");
        let record = stored(&store, &id);
        assert_eq!(players(&record), seated);
        assert_eq!(lobby.enter(&id, &token).await.expect("the maker may enter").1, role, "{seated}");
        for seat in &record.seats {
            assert_eq!(seat.token.is_empty(), !seat.player.is_human(), "{seated}: a bot has no link");
        }
        assert!(matches!(lobby.enter(&id, "").await, Err(LobbyError::NotFound)));
    }
    let refused = lobby.create(&cards(&["me", "bot:gredy"], "")).await.expect_err("no such bot").to_string();
    assert!(refused.contains("did you mean greedy") && refused.contains("learning"), "{refused}");
    let own_dice = NewMatch { own_dice: true, ..cards(&["bot:random", "bot:greedy"], "") };
    assert!(lobby.create(&own_dice).await.is_err(), "nobody could roll");
}

#[tokio::test]
async fn one_person_among_bots_may_play_on_from_an_earlier_point_with_the_same_players() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, token) = lobby.create(&cards(&["bot:greedy", "me"], "")).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    let me = Seat(1);
    until(&found, "the bot has begun", |live| live.table.mover() == Mover::Seat(me)).await;
    assert!(found.lock().await.is_solo());
    let (fork, token) = lobby.fork(&found, me, 3).await.expect("forked");
    assert_eq!(players(&stored(&store, &fork)), "bot:greedy owner");
    let (fork, viewer) = lobby.enter(&fork, &token).await.expect("entered");
    assert_eq!(viewer, Viewer::Seat(me));
    // Where the fork begins with the bot's choice the bot makes it.
    let (again, _) = lobby.fork(&found, me, 2).await.expect("forked");
    let again = lobby.find(&again).await.expect("there");
    for found in [fork, again] {
        until(&found, "it is my turn", |live| live.table.mover() == Mover::Seat(me)).await;
    }
}

#[tokio::test]
async fn friends_do_not_go_back_and_do_not_fork() {
    let lobby = card_lobby(&Arc::default());
    let (id, _) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    assert!(!found.lock().await.is_solo());
    assert!(lobby.fork(&found, Seat(0), 2).await.is_err());
}

#[tokio::test]
async fn a_record_that_is_taken_in_has_an_owner_and_friends() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, _) = lobby.create(&cards(&["bot:greedy", "bot:greedy"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let text =
        found.lock().await.table.save(SecretPolicy::Withhold).expect("a game that is over is published");
    let (id, _, _) = lobby.import("x", &text, false).await.expect("taken in");
    assert_eq!(players(&stored(&store, &id)), "owner person");
}

#[tokio::test]
async fn a_match_from_before_there_were_owners_is_the_owners() {
    let store = Arc::new(MemoryStore::default());
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new())];
    let shared: Arc<dyn Store> = Arc::<MemoryStore>::clone(&store);
    let lobby = Arc::new(Lobby::open(shared, titles).expect("opens"));
    let (id, token) = lobby.create(&order(false)).await.expect("made");
    assert!(store.set_player(&id, 0, &Player::Person, "", false).expect("the store answers"));
    assert_eq!(stored(&store, &id).owner_token(), token);
    let (found, viewer) = lobby.enter(&id, &token).await.expect("entered");
    assert_eq!((viewer, found.lock().await.owner()), (Viewer::Seat(SEAT), Some(SEAT)));
}

#[tokio::test]
async fn the_lobby_tells_who_plays_against_whom() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let cards_of = async |wishes: &[&str], settled: &dyn Fn(&Live) -> bool| {
        let (id, _) = lobby.create(&cards(wishes, "")).await.expect("made");
        let found = lobby.find(&id).await.expect("there");
        until(&found, "it is settled", settled).await;
        let matches = [stored(&store, &id)];
        let counts = store.counts().expect("the store answers");
        let shelf = if matches[0].summary.result.is_some() { Shelf::Finished } else { Shelf::Running };
        let lobby = LobbyPage {
            has_accounts: false,
            titles: lobby.titles(),
            counts,
            shelf,
            page: 0,
            matches: &matches,
            deleted: &[],
            parted: &lobby.parted(),
            now: lobby.now(),
            has_contests: false,
            has_laboratory: false,
        };
        let page = lobby::page(Prefs::default(), &lobby).into_string();
        (page, matches[0].owner_token().to_owned())
    };
    let (page, _) = cards_of(&["bot:greedy", "me"], &|live| live.revision == 2).await;
    for part in ["against Greedy", "to move: Blue, that is you", "1 step since your last visit", ">Play<"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let (page, token) = cards_of(&["me", "friend"], &|_| true).await;
    assert!(page.contains("blue has not joined yet") && page.contains(&token), "{page}");
    assert!(!page.contains("Statistics"), "{page}");
    let (page, token) = cards_of(&["bot:greedy", "bot:random"], &|live| live.table.result().is_some()).await;
    assert!(page.contains("red: Greedy") && page.contains("blue: Random"), "{page}");
    assert!(page.contains(&token), "who made it can look on");
    let (matches, finished) = (store.list(false).expect("a list"), store.finished().expect("a list"));
    let played = Played { titles: lobby.titles(), matches: &matches, finished: &finished };
    let chart = statistics::page(Prefs::default(), &played).into_string();
    assert!(
        finished.len() == 1 && chart.contains("You haven't finished a match yet"),
        "what bots play among themselves is nobody's success: {chart}"
    );
    assert!(page.contains("name=\"seat.1\""), "the form asks who sits where");
}

#[tokio::test]
async fn programs_are_offered_where_they_play() {
    let command = Command::parse("mine=./no/such/program").expect("a command");
    let titles: Vec<Arc<dyn Title>> =
        vec![Arc::new(Of::<cards::Cards>::new()), Arc::new(Of::<crate::PlainBoard<echoes::Echoes>>::new())];
    let lobby = Lobby::open(Arc::new(MemoryStore::default()), titles).expect("opens");
    let lobby = Arc::new(lobby.with_programs(vec![BotProgram { command, games: vec!["cards"] }]));
    let offers = |game: &str| lobby.title(game).expect("known").bots().iter().any(|bot| bot.word == "mine");
    assert!(offers("cards") && !offers("echoes"));
    assert!(lobby.title("cards").expect("known").new_game_fields().into_string().contains("bot:mine"));
    // One that does not even start is replaced by the quick policy, as any bot that fails.
    let (id, token) = lobby.create(&cards(&["bot:mine", "me"], "")).await.expect("made");
    let (found, _) = lobby.enter(&id, &token).await.expect("entered");
    until(&found, "red has been played", |live| live.revision == 2).await;
}

/// Whoever the seat is given to, the journal and the record say it with one write; the link is a second, and does no harm.
#[tokio::test]
async fn a_house_that_dies_while_a_seat_changes_hands_loses_nobodys_seat() {
    const ANN: AccountId = AccountId(7);
    const RED: Seat = Seat(0);
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, _) = lobby.create(&open_cards(&["friend", "friend"])).await.expect("made");
    let again = async || {
        let lobby = card_lobby(&store);
        let found = lobby.find(&id).await.expect("there");
        (lobby, found)
    };
    let found = lobby.find(&id).await.expect("there");
    lobby.keep_seat(&found, Viewer::Seat(RED), ANN).await.expect("kept");
    let (lobby, found) = again().await;
    let link = lobby.release_seat(&found, ANN).await.expect("given up");
    let (lobby, found) = again().await;
    assert_eq!((found.keys.holder(&link), found.keys.seat_of(ANN)), (Some(Viewer::Seat(RED)), None));
    // She takes it back, and the house dies before the link is closed: it opens nothing all the same.
    lobby.seat_in_journal(&found, |live| Ok((RED, live.kept_by(RED, ANN)?))).await.expect("kept");
    let (_, found) = again().await;
    assert_eq!((found.keys.holder(&link), found.keys.seat_of(ANN)), (None, Some(Viewer::Seat(RED))));
    // She gives it up, and the house dies when there is a new link and nothing else: the seat is still hers.
    store.set_token(&id, Some(0), "a-new-link").expect("set");
    let (_, found) = again().await;
    assert_eq!((found.keys.holder("a-new-link"), found.keys.seat_of(ANN)), (None, Some(Viewer::Seat(RED))));
    let record = store.find(&id).expect("answers").expect("there");
    assert_eq!(record.seats[0].player.account(), Some(ANN), "the record says what the journal says");
}
