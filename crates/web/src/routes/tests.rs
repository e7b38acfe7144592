//! What a match hides stays hidden at every address, also from the one who made it.

use axum::body::to_bytes;
use axum::extract::{Query, State};
use kernel::{Seat, Undo};
use store::MemoryStore;

use super::*;
use crate::live::Live;
use crate::lobby::tests::sitting_down::all_sit;
use crate::lobby::tests::{card_lobby, cards, open_cards, until};
use crate::prefs::Prefs;

const RED: Viewer = Viewer::Seat(Seat(0));
const BLUE: Viewer = Viewer::Seat(Seat(1));

fn app(lobby: &Arc<Lobby>) -> App {
    let (_, closing) = watch::channel(false);
    App {
        lobby: Arc::clone(lobby),
        local_only: true,
        address: None,
        proxies: Arc::default(),
        limits: Arc::default(),
        live_pages: NetworkCount::for_live_pages(),
        accounts: None,
        answer_time: Duration::from_secs(60),
        ping_time: Duration::from_secs(60),
        closing,
    }
}

/// Somebody at a match, who may also own the server.
fn seated(found: &Arc<LiveMatch>, viewer: Viewer, owner: bool) -> MatchVisitor {
    let prefs = Prefs { debug: true, ..Prefs::default() };
    let visitor = Visitor { prefs, owner, from: IpAddr::from([127, 0, 0, 1]), signed_in: None };
    MatchVisitor { found: Arc::clone(found), viewer, visitor, path: "/m/x/y".to_owned() }
}

async fn text(answer: impl IntoResponse) -> String {
    let bytes = to_bytes(answer.into_response().into_body(), usize::MAX).await.expect("a body");
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn query<T>(value: T) -> Query<T> {
    Query(value)
}

/// Everything that a viewer can fetch, with its address.
async fn all_answers(
    app: &App,
    found: &Arc<LiveMatch>,
    viewer: Viewer,
    owner: bool,
) -> Vec<(String, String)> {
    let who = || seated(found, viewer, owner);
    let app = || State(app.clone());
    let mut answers = vec![
        ("page".to_owned(), text(table::page(app(), who()).await).await),
        ("odds".to_owned(), text(table::odds(who(), query(table::Question::default())).await).await),
        ("debug".to_owned(), text(table::debug(app(), who()).await).await),
        ("export".to_owned(), text(table::export(who()).await).await),
        ("print".to_owned(), text(table::print(who(), query(table::PrintForm::default())).await).await),
        ("thumbnail".to_owned(), text(table::thumbnail(who(), Query::default()).await).await),
    ];
    let (revision, steps) = {
        let live = found.lock().await;
        (live.revision, live.table.steps())
    };
    for since in 0..=revision {
        let asked = query(table::Since { since: Some(since) });
        answers.push((format!("update since {since}"), text(table::update(app(), who(), asked).await).await));
    }
    let quick = || query(review::Depth { depth: Some("quick".to_owned()) });
    answers.push(("hint".to_owned(), text(bots::hint(app(), who()).await).await));
    answers.push(("review".to_owned(), text(review::page(app(), who(), quick()).await).await));
    answers.push(("review.txt".to_owned(), text(review::text(app(), who(), quick()).await).await));
    for step in 0..=steps {
        let path = Path((String::new(), String::new(), step));
        let alone = query(table::Shown::default());
        answers.push((format!("at {step}"), text(table::at(who(), path, alone).await).await));
        for shown in 0..=steps {
            let path = Path((String::new(), String::new(), step));
            let from = query(table::Shown { shown: Some(shown), revision: Some(revision) });
            let differs = text(table::at(who(), path, from).await).await;
            answers.push((format!("at {step} after {shown}"), differs));
        }
        let range = query(table::LogRange { from: step, to: usize::MAX, seen: Some(step) });
        answers.push((format!("log from {step}"), text(table::log(who(), range).await).await));
        let path = Path((String::new(), String::new(), step));
        answers.push((format!("thumbnail at {step}"), text(review::thumbnail(who(), path).await).await));
    }
    if owner {
        let id = Path(found.id.clone());
        let owner = || Owner(who().visitor);
        answers.push(("record".to_owned(), text(lobby::record(app(), owner(), id).await).await));
        answers.push((
            "lobby".to_owned(),
            text(lobby::page(app(), owner(), Query(lobby::Shown::default())).await).await,
        ));
    }
    answers
}

/// Whether a text shows a card of a seat: `red:1` to `red:3`.
fn shows(text: &str, seat: &str) -> bool {
    (1..=3).any(|card| text.contains(&format!("{seat}:{card}")))
}

/// Plays a choice in memory and for those who listen.
async fn choose(lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat) {
    let revision = found.lock().await.revision;
    lobby.change(found, move |live| live.choose(seat, revision, "bid 1")).await.expect("an open choice");
}

#[tokio::test]
async fn nobody_is_shown_the_hand_of_another() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    for other in ["friend", "bot:greedy", "bot:talking"] {
        let (id, _) = lobby.create(&cards(&["me", other], "")).await.expect("made");
        let found = lobby.find(&id).await.expect("there");
        let (mut red, _) = found.lock().await.subscribe(RED, Some(1));
        let (mut nobody, _) = found.lock().await.subscribe(Viewer::Spectator, Some(1));
        choose(&lobby, &found, Seat(0)).await;
        if other == "friend" {
            choose(&lobby, &found, Seat(1)).await;
        }
        until(&found, "blue has answered", |live| live.revision == 3).await;
        for (viewer, owner) in
            [(RED, true), (BLUE, false), (Viewer::Spectator, true), (Viewer::Spectator, false)]
        {
            for (address, answer) in all_answers(&app(&lobby), &found, viewer, owner).await {
                let what = format!("{address} for {viewer:?} against a {other}: {answer}");
                assert!(viewer == RED || !shows(&answer, "red"), "{what}");
                assert!(viewer == BLUE || !shows(&answer, "blue"), "{what}");
                assert!(!answer.contains("secret: "), "{what}");
                if matches!(address.as_str(), "export" | "record") {
                    assert!(answer.contains("published when it is over"), "{what}");
                }
            }
        }
        let own = all_answers(&app(&lobby), &found, RED, true).await;
        assert!(shows(&own[0].1, "red"), "everybody sees their own: {}", own[0].1);
        for updates in [&mut red, &mut nobody] {
            while let Ok(update) = updates.try_recv() {
                assert!(!shows(&update, "blue"), "{update}");
            }
        }
        assert!(!own[0].1.contains("/export"), "a record that can't be had is not offered");
    }
}

#[tokio::test]
async fn what_was_hidden_is_published_when_the_game_is_over() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let (id, _) = lobby.create(&cards(&["bot:greedy", "bot:random"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    until(&found, "the game is over", |live| live.table.result().is_some()).await;
    let record = lobby.owners_record(&id).await.expect("published");
    assert!(shows(&record, "red") && shows(&record, "blue"), "{record}");
}

#[tokio::test]
async fn a_match_that_can_t_be_opened_is_given_to_its_owner_as_it_is() {
    let store = Arc::new(MemoryStore::default());
    let lobby = card_lobby(&store);
    let (id, token) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let other: Arc<dyn store::Store> = Arc::<MemoryStore>::clone(&store);
    // A server that no longer has the game.
    let bare = Arc::new(Lobby::open(other, Vec::new()).expect("opens"));
    assert!(bare.enter(&id, &token).await.is_err());
    assert!(matches!(bare.enter(&id, &token[1..]).await, Err(LobbyError::NotFound)));
    assert!(bare.owners_record(&id).await.expect("its text").starts_with("maproom match 1"));
    assert!(matches!(bare.owners_record("nosuchmatch").await, Err(LobbyError::NotFound)));
}

#[tokio::test]
async fn only_the_maker_hands_out_links_and_bots_have_none() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let app = app(&lobby);
    let page = async |found: &Arc<LiveMatch>, viewer: Viewer, owner: bool| {
        text(table::page(State(app.clone()), seated(found, viewer, owner)).await).await
    };
    let made = async |seats: &[&str]| {
        let (id, _) = lobby.create(&cards(seats, "")).await.expect("made");
        lobby.find(&id).await.expect("there")
    };
    // The maker sits in the second seat.
    let found = made(&["friend", "me"]).await;
    let friend = found.keys.seat(Seat(0)).expect("a link").to_owned();
    assert!(page(&found, BLUE, true).await.contains(&friend));
    assert!(!page(&found, Viewer::Spectator, true).await.contains(&friend));
    let own = found.keys.seat(Seat(1)).expect("a link").to_owned();
    assert!(!page(&found, RED, false).await.contains(&own));
    assert!(page(&found, BLUE, true).await.contains(&friend), "a page that was fetched may be a preview");
    stream::claim(&app, &found, &mut *found.lock().await, RED);
    let shown = page(&found, BLUE, true).await;
    assert!(!shown.contains(&friend) && shown.contains("somebody has taken this seat"), "{shown}");
    assert!(
        !page(&found, RED, false).await.contains("name=\"link\" value=\"1\""),
        "not the friend's to change"
    );
    // The maker looks on.
    let found = made(&["friend", "bot:greedy"]).await;
    let friend = found.keys.seat(Seat(0)).expect("a link").to_owned();
    assert!(found.keys.seat(Seat(1)).is_none());
    assert!(!page(&found, Viewer::Spectator, false).await.contains(&friend));
    assert!(page(&found, Viewer::Spectator, true).await.contains(&friend));
    assert!(!page(&found, Viewer::Spectator, true).await.contains("To play the Blue"));
}

#[tokio::test]
async fn the_log_folds_what_only_explains() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let app = app(&lobby);
    let (id, _) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    choose(&lobby, &found, Seat(0)).await;
    let page = text(table::page(State(app.clone()), seated(&found, RED, true)).await).await;
    let folded = "<details class=\"why\"><summary>How</summary><p>Red weighs the odds </p></details><p>Red bids 1 </p>";
    assert!(page.contains(folded), "{page}");
    let die = "<details class=\"why\"><summary>How</summary><p>The cards are shuffled </p></details><p><i class=\"die\"";
    assert!(page.contains(die), "the die stands at the line that is not folded: {page}");
    let revision = found.lock().await.revision;
    let back = move |live: &mut Live| live.undo(Seat(0), revision, Undo::Step);
    lobby.change(&found, back).await.expect("taken back");
    let update = found.lock().await.whole_update(RED, Some(revision));
    assert!(!update.contains("Red bids"), "{update}");
}

/// A table with open cards at which red may bid twice in a row.
async fn open_table(lobby: &Arc<Lobby>, other: &str) -> Arc<LiveMatch> {
    let (id, _) = lobby.create(&open_cards(&["me", other])).await.expect("made");
    lobby.find(&id).await.expect("there")
}

/// Sends a choice or a chain as the client does.
async fn send_choice(
    app: &App,
    found: &Arc<LiveMatch>,
    viewer: Viewer,
    choice: &str,
) -> (StatusCode, String) {
    let revision = found.lock().await.revision;
    let body = serde_json::from_value(json!({ "revision": revision, "choice": choice })).expect("a choice");
    let answer = table::choose(State(app.clone()), seated(found, viewer, false), axum::Json(body)).await;
    let answer = answer.into_response();
    (answer.status(), text(answer).await)
}

/// Who has bid what, so far.
async fn bids(found: &LiveMatch) -> String {
    let live = found.lock().await;
    let entries = live.table.log(2, Viewer::Spectator).into_iter();
    entries.filter_map(|entry| Some(entry.name?.replace("bid ", ""))).collect()
}

#[tokio::test]
async fn a_chain_is_played_link_by_link_as_far_as_it_goes() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let app = app(&lobby);
    let found = open_table(&lobby, "friend").await;
    let before = found.lock().await.revision;
    assert_eq!(send_choice(&app, &found, RED, "bid 1 > bid 2").await.0, StatusCode::OK);
    assert_eq!((bids(&found).await.as_str(), found.lock().await.revision), ("12", before + 1));
    // Each link is a decision of its own: one undo takes back one of them.
    let revision = found.lock().await.revision;
    let back = move |live: &mut Live| live.undo(Seat(0), revision, Undo::Step);
    lobby.change(&found, back).await.expect("taken back");
    assert_eq!(bids(&found).await, "1");
    // Where the next link is not open the chain ends there, and what was played stays played.
    assert_eq!(send_choice(&app, &found, RED, "bid 1 > bid 1 > bid 1").await.0, StatusCode::OK);
    assert_eq!(bids(&found).await, "11", "blue is to bid");
    assert_eq!(send_choice(&app, &found, BLUE, "bid 2 > nonsense > bid 2").await.0, StatusCode::OK);
    assert_eq!(bids(&found).await, "112");
    // A chain whose first link is refused is refused as that link would be.
    for (viewer, chain, code) in [
        (RED, "bid 1 > bid 1", "not-yours"),
        (BLUE, "nonsense > bid 1", "unknown-choice"),
        (BLUE, " > ", "unknown-choice"),
    ] {
        let (status, answer) = send_choice(&app, &found, viewer, chain).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{chain}");
        assert!(answer.contains(code), "{chain}: {answer}");
    }
    assert_eq!(bids(&found).await, "112");
}

#[tokio::test]
async fn a_chain_ends_where_a_bot_comes_in() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let found = open_table(&lobby, "bot:greedy").await;
    let (status, _) = send_choice(&app(&lobby), &found, RED, "bid 1 > bid 1 > bid 1 > bid 1").await;
    assert_eq!(status, StatusCode::OK);
    until(&found, "blue has answered", |live| live.table.steps() == 6).await;
    assert_eq!(bids(&found).await, "1122");
}

#[tokio::test]
async fn of_a_chain_the_last_link_is_foreseen() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let found = open_table(&lobby, "friend").await;
    let considered = |choice: &str| {
        query(serde_json::from_value::<preview::Considered>(json!({ "choice": choice })).expect("a query"))
    };
    let chains = "bid 2|bid 1 > bid 2|bid 2 > bid 2|bid 1 > bid 1 > bid 1|bid 1 > nonsense";
    let labels = text(preview::labels(seated(&found, RED, false), considered(chains)).await).await;
    assert_eq!(
        labels, r#"{"labels":["Bid 2, 2 in all","Bid 2, 3 in all","Bid 2, 4 in all",null,null]}"#,
        "nothing is foreseen beyond one's own choices"
    );
    let words = text(preview::preview(seated(&found, RED, false), considered("bid 1 > bid 2")).await).await;
    assert!(words.contains("Bid 2, 3 in all"), "{words}");
    let others = preview::labels(seated(&found, BLUE, false), considered("bid 1")).await;
    assert!(others.is_err_and(|(status, _)| status == StatusCode::FORBIDDEN));
    // Where something is hidden, what the first link would lead to may be more than the seat knows.
    let (id, _) = lobby.create(&cards(&["me", "friend"], "")).await.expect("made");
    let hidden = lobby.find(&id).await.expect("there");
    let labels = preview::labels(seated(&hidden, RED, false), considered("bid 1|bid 1 > bid 2")).await;
    assert_eq!(text(labels).await, r#"{"labels":["Bid 1, 1 in all",null]}"#);
}

#[tokio::test]
async fn those_who_play_and_the_owner_set_the_pace() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let app = app(&lobby);
    let found = open_table(&lobby, "bot:greedy").await;
    let set = async |viewer: Viewer, owner: bool, pace: &str| {
        let body = serde_json::from_value(json!({ "pace": pace })).expect("a pace");
        let answer = table::pace(State(app.clone()), seated(&found, viewer, owner), axum::Json(body)).await;
        answer.into_response().status()
    };
    assert_eq!(set(Viewer::Spectator, false, "fast").await, StatusCode::FORBIDDEN);
    assert_eq!(set(Viewer::Spectator, true, "fast").await, StatusCode::OK);
    assert_eq!(set(RED, false, "pause").await, StatusCode::OK);
    assert_eq!(set(RED, false, "quick").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(set(RED, false, "step").await, StatusCode::UNPROCESSABLE_ENTITY, "no bot is to choose");
    assert_eq!(send_choice(&app, &found, RED, "bid 1 > bid 1").await.0, StatusCode::OK);
    assert_eq!(set(RED, false, "step").await, StatusCode::OK);
    until(&found, "the bot has made a step", |live| live.table.steps() == 5).await;
    // All see it; only the page of those who may change it shows the buttons.
    let page = async |viewer: Viewer, owner: bool| {
        text(table::page(State(app.clone()), seated(&found, viewer, owner)).await).await
    };
    for (viewer, owner, may) in
        [(RED, false, true), (Viewer::Spectator, true, true), (Viewer::Spectator, false, false)]
    {
        let page = page(viewer, owner).await;
        assert!(page.contains("data-pace=\"pause\" data-resume=\"fast\" data-bots"), "{page}");
        assert_eq!(page.contains("<body class=\"table sets-pace"), may, "{viewer:?}, owner: {owner}");
        assert_eq!(page.contains("\"setsPace\":true"), may);
    }
    let friends = open_table(&lobby, "friend").await;
    let page = text(table::page(State(app.clone()), seated(&friends, RED, true)).await).await;
    assert!(
        page.contains("id=\"pace\"") && !page.contains("data-bots"),
        "everybody has a pace of their own: {page}"
    );
}

/// What a player does beside choosing, as the client sends it.
async fn deed(app: &App, found: &Arc<LiveMatch>, viewer: Viewer, word: &str) -> (StatusCode, String) {
    let (revision, offer) = {
        let live = found.lock().await;
        (live.revision, live.proceedings.offer.as_ref().map_or(0, |offer| offer.number))
    };
    let body = json!({ "revision": revision, "deed": word, "offer": offer, "request": format!("key-{revision}-{word}") });
    let body = serde_json::from_value(body).expect("a deed");
    let answer = agreements::act(State(app.clone()), seated(found, viewer, false), axum::Json(body)).await;
    let answer = answer.into_response();
    (answer.status(), text(answer).await)
}

#[tokio::test]
async fn people_who_play_each_other_see_clocks_and_settle_things() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let app = app(&lobby);
    let order = crate::lobby::NewMatch { clock: "daily".to_owned(), ..cards(&["me", "friend"], "") };
    let (id, _) = lobby.create(&order).await.expect("made");
    let found = lobby.find(&id).await.expect("there");
    all_sit(&lobby, &found).await;
    let page = async |viewer: Viewer| {
        text(table::page(State(app.clone()), seated(&found, viewer, false)).await).await
    };
    for viewer in [RED, BLUE, Viewer::Spectator] {
        let page = page(viewer).await;
        assert_eq!(page.matches("role=\"timer\"").count(), 2, "a clock for every seat: {page}");
        assert!(page.contains("<li class=\"awaited\" data-left=\"259"), "{page}");
        assert_eq!(page.contains("data-deed=\"resign\""), viewer != Viewer::Spectator);
    }
    // A page that comes back gets the clocks anew, though the match is where it was.
    let (_, missed) = found.lock().await.subscribe(RED, Some(5));
    let missed = missed.expect("the clocks");
    assert!(missed.contains("\"from\":5,\"to\":5") && missed.contains("\"clocks\""), "{missed}");
    let (mut updates, _) = found.lock().await.subscribe(BLUE, Some(5));
    assert_eq!(deed(&app, &found, Viewer::Spectator, "draw").await.0, StatusCode::FORBIDDEN);
    let (status, why) = deed(&app, &found, RED, "drw").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(why.contains("unknown deed") && why.contains("Did you mean draw?"), "{why}");
    assert_eq!(deed(&app, &found, RED, "draw").await.0, StatusCode::OK);
    let told = updates.recv().await.expect("blue is told");
    assert!(told.contains("Red offers a draw.") && told.contains("data-deed=\\\"yes\\\""), "{told}");
    assert!(page(RED).await.contains("Waiting for Blue."));
    assert!(!page(Viewer::Spectator).await.contains("data-deed=\"yes\""));
    assert_eq!(deed(&app, &found, BLUE, "yes").await.0, StatusCode::OK);
    let over = page(RED).await;
    assert!(over.contains("Draw by agreement") && !over.contains("data-deed"), "{over}");
    // One person alone sees none of this.
    let alone = open_table(&lobby, "bot:greedy").await;
    let page = text(table::page(State(app.clone()), seated(&alone, RED, true)).await).await;
    assert!(!page.contains("id=\"clocks\"") && !page.contains("id=\"agreements\""), "{page}");
}

#[tokio::test]
async fn only_the_owner_of_the_house_gives_a_verdict() {
    let lobby = card_lobby(&Arc::new(MemoryStore::default()));
    let found = open_table(&lobby, "friend").await;
    let owner = Owner(seated(&found, Viewer::Spectator, true).visitor);
    let body = serde_json::from_value(json!({ "standings": "draw,draw", "why": "the cat sat down" }))
        .expect("a verdict");
    let answer =
        agreements::verdict(State(app(&lobby)), owner, Path(found.id.clone()), axum::Json(body)).await;
    assert_eq!(answer.into_response().status(), StatusCode::OK);
    assert_eq!(
        found.lock().await.outcome().map(|outcome| outcome.title),
        Some("Ended by the house: the cat sat down".to_owned())
    );
}
