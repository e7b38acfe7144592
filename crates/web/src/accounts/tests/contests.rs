//! Ratings and tournaments: what counts, who may decide, and what their pages tell.

use std::sync::Arc;

use kernel::{Options, Seat};
use people::Entry;
use store::{AccountId, Luck, MatchRecord, Player};

use super::host::{Answer, Browser, DAY, GOOD, Host};
use crate::live::{Live, TableAct, Wish};
use crate::lobby::tests::sitting_down::all_sit;
use crate::lobby::tests::{cards, open_cards, until};
use crate::lobby::{LiveMatch, NewMatch};

/// A rated match of the toy with open cards.
fn rated(seats: &[&str]) -> NewMatch {
    NewMatch { rated: true, seed: None, ..open_cards(seats) }
}

/// A rated match whose seats these members keep.
async fn between(host: &Host, players: &[&Browser<'_>], order: &NewMatch) -> (String, Arc<LiveMatch>) {
    let (id, _) = host.lobby.create(order).await.expect("made");
    for (seat, player) in (0..).zip(players) {
        let found = host.lobby.find(&id).await.expect("there");
        let link = format!("/m/{id}/{}", found.keys.seat(Seat(seat)).expect("a link"));
        let kept = player.post(&format!("{link}/keep"), &[]).await;
        assert_eq!(kept.status, 303, "{}", kept.text);
    }
    let found = host.lobby.find(&id).await.expect("there");
    all_sit(&host.lobby, &found).await;
    (id, found)
}

async fn act(host: &Host, found: &Arc<LiveMatch>, seat: u8, deed: TableAct) -> Result<u32, String> {
    let deed = move |live: &mut Live| live.act(Seat(seat), live.revision, &deed);
    host.lobby.change(found, deed).await.map_err(|why| why.to_string())
}

async fn admin<'a>(host: &'a Host, name: &str, address: u8) -> Browser<'a> {
    let browser = host.member(name, address).await;
    let house = host.accounts.house();
    let account = house.people().account_named(&name.to_lowercase()).expect("answers").expect("there");
    house.set_role(account.id, store::Role::Admin).expect("set");
    browser.post("/login", &[("name", name), ("password", GOOD)]).await;
    browser
}

fn shows(page: &Answer, parts: &[&str]) {
    assert_eq!(page.status, 200, "{}", page.text);
    for part in parts {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_match_that_is_given_up_counts_for_both() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, found) = between(&host, &[&ann, &bob], &rated(&["friend", "friend"])).await;
    assert!(found.lock().await.will_count());
    act(&host, &found, 1, TableAct::Resign).await.expect("given up");
    host.lobby.tend_contests().await;
    let hers = ann.get("/players/a1").await;
    shows(
        &hers,
        &["27.6 ± 15.8", "from 1 rated match", "Won", "+2.6", "<a href=\"/players/a2\">Bob</a>", "/mine"],
    );
    let his = ann.get("/players/a2").await;
    shows(&his, &["22.4 ± 15.8", "Lost", "-2.6"]);
    assert!(!his.text.contains(&id), "only players are led to a match");
    shows(&ann.get("/ratings/cards").await, &["27.6 ± 15.8", "Results by side", "Sides in rated matches"]);
    shows(&ann.get("/players").await, &["<a href=\"/players/a1\">Ann</a>"]);
    // The review comes by itself, and stops nobody.
    let contests = Arc::clone(host.lobby.contests().expect("kept"));
    let mut looks = 0;
    while contests.rated_match(&id).expect("read").iter().any(|seat| seat.luck == Luck::Waits) {
        looks += 1;
        assert!(looks < crate::lobby::tests::PATIENCE, "no review");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let luck: Vec<f64> = contests
        .rated_match(&id)
        .expect("read")
        .iter()
        .map(|seat| if let Luck::Known(luck) = seat.luck { luck } else { f64::NAN })
        .collect();
    assert!((luck[0] + luck[1]).abs() < 1e-9, "what one has by luck the other has not: {luck:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_would_not_be_fair_is_refused_in_a_rated_match() {
    let host = Host::start(Entry::Open).await;
    let long = Options::from([("gate".to_owned(), "x".repeat(101))]);
    for (order, part) in [
        (NewMatch { own_dice: true, ..rated(&["friend", "friend"]) }, "nobody knows beforehand"),
        (NewMatch { seed: Some(7), ..rated(&["friend", "friend"]) }, "without a seed"),
        (rated(&["friend", "bot:greedy"]), "two or three people"),
        (rated(&["me", "friend"]), "log in to play it yourself"),
        (NewMatch { options: long, ..rated(&["friend", "friend"]) }, "came with the game"),
    ] {
        let why = host.lobby.create(&order).await.expect_err(part).to_string();
        assert!(why.contains(part), "{part}: {why}");
    }
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, found) = between(&host, &[&ann, &bob], &rated(&["friend", "friend"])).await;
    assert_eq!(
        found.lock().await.proceedings.rules.as_ref().map(ToString::to_string).as_deref(),
        Some("none flag=loss rated=yes")
    );
    let release = bob.post(&format!("/m/{id}/mine/release"), &[]).await;
    assert!(release.status == 422 && release.text.contains("somebody else"), "{}", release.text);
    let bot = |bot: &str| format!("{{\"seat\":1,\"bot\":\"{bot}\"}}");
    let headers = [("Content-Type", "application/json"), ("Origin", "https://war.example")];
    let handed = bob.send("POST", &format!("/m/{id}/mine/seat"), &headers, &bot("greedy")).await;
    assert!(handed.status == 422 && handed.text.contains("rated match"), "{}", handed.text);
    let undo = act(&host, &found, 0, TableAct::Offer(Wish::Undo(kernel::Undo::Step))).await;
    assert!(undo.expect_err("refused").contains("takes back"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_that_has_chosen_without_an_account_does_not_count() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, links) = {
        let (id, _) = host.lobby.create(&rated(&["friend", "friend"])).await.expect("made");
        let found = host.lobby.find(&id).await.expect("there");
        let link = |seat| format!("/m/{id}/{}", found.keys.seat(Seat(seat)).expect("a link"));
        let links = [link(0), link(1)];
        (id, links)
    };
    shows(&ann.get(&links[0]).await, &["Rated as soon as every seat is kept"]);
    let found = host.lobby.find(&id).await.expect("there");
    all_sit(&host.lobby, &found).await;
    let revision = found.lock().await.revision;
    let chosen = ann.choose(&links[0], revision, "bid 1").await;
    assert_eq!(chosen.status, 200, "{}", chosen.text);
    let late = ann.post(&format!("{}/keep", links[0]), &[]).await;
    assert!(late.status == 422 && late.text.contains("without an account"), "{}", late.text);
    assert_eq!(bob.post(&format!("{}/keep", links[1]), &[]).await.status, 303, "who has not chosen may");
    let found = host.lobby.find(&id).await.expect("there");
    act(&host, &found, 0, TableAct::Resign).await.expect("given up");
    host.lobby.tend_contests().await;
    assert!(host.lobby.contests().expect("kept").rated_players("cards", 9).expect("read").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_gives_up_among_three_has_lost_whatever_the_bot_makes_of_it() {
    let host = Host::start(Entry::Open).await;
    let players = [host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cara", 3).await];
    let order = NewMatch {
        game: "auction".to_owned(),
        options: Options::new(),
        ..rated(&["friend", "friend", "friend"])
    };
    let [ann, bob, cara] = &players;
    let (id, found) = between(&host, &[ann, bob, cara], &order).await;
    act(&host, &found, 1, TableAct::Resign).await.expect("given up");
    host.lobby.tend_contests().await;
    let contests = Arc::clone(host.lobby.contests().expect("kept"));
    assert_eq!(contests.rated_match(&id).expect("read").len(), 1, "his row is there");
    assert!(contests.rated_players("auction", 9).expect("read").is_empty(), "the match goes on");
    // Read again, the match still knows.
    host.lobby.close(&id).await;
    let found = host.lobby.find(&id).await.expect("there");
    assert!(found.lock().await.will_count());
    // Even when only one person is left it is nobody's own match.
    act(&host, &found, 2, TableAct::Resign).await.expect("given up");
    assert!(!found.lock().await.is_solo());
    host.lobby.change(&found, |live| live.verdict("loss,win,loss", "a bot has won")).await.expect("ended");
    host.lobby.tend_contests().await;
    let seats = contests.rated_match(&id).expect("read");
    let standings: Vec<&str> = seats.iter().map(|seat| seat.standing.as_str()).collect();
    assert_eq!(standings, ["loss", "gave-up", "gave-up"]);
    let after: Vec<f64> = seats.iter().map(|seat| seat.step.expect("counted").after.mu).collect();
    assert!(after[0] > 25.0 && after[1] < 25.0 && (after[1] - after[2]).abs() < 1e-9, "{after:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_players_tell_nothing_of_running_matches_and_nothing_to_strangers() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let order = NewMatch {
        rated: true,
        seed: None,
        name: "Secret plans".to_owned(),
        ..cards(&["friend", "friend"], "")
    };
    let (id, _) = between(&host, &[&ann, &bob], &order).await;
    for path in ["/players", "/players/a1", "/ratings/cards", "/tournaments"] {
        let page = bob.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        for told in ["Secret plans", id.as_str(), "red:", "blue:"] {
            assert!(!page.text.contains(told), "{path} tells {told}: {}", page.text);
        }
        let stranger = host.browser(9).get(path).await;
        assert_eq!((stranger.status, stranger.location()), (303, format!("/login?next={path}").as_str()));
    }
    for path in ["/players/a99", "/players/x", "/ratings/chess", "/tournaments/abc"] {
        assert_eq!(bob.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_loses_and_is_a_former_player() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, _) = between(&host, &[&ann, &bob], &rated(&["friend", "friend"])).await;
    assert_eq!(bob.post("/account/delete", &[("password", GOOD)]).await.status, 303);
    host.clock.turn(8 * DAY);
    ann.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    host.accounts.sweep(&host.lobby).await;
    host.lobby.tend_contests().await;
    let record = host.lobby.with_store(move |store| store.find(&id)).await.expect("read").expect("there");
    assert_eq!(record.summary.standings, "win,loss");
    let hers = ann.get("/players/a1").await;
    shows(&hers, &["27.6 ± 15.8", "a former player"]);
    assert!(!hers.text.contains("Bob") && !hers.text.contains("/players/a2"), "{}", hers.text);
    assert_eq!(ann.get("/players/a2").await.status, 404);
    let list = ann.get("/ratings/cards").await.text;
    assert!(!list.contains("a former player") && list.contains("Ann"), "{list}");
}

async fn refused(who: &Browser<'_>, to: &str, fields: &[(&str, &str)], part: &str) {
    let answer = who.post(to, fields).await;
    assert!(answer.status == 422 && answer.text.contains(part), "{part}: {}", answer.text);
}

/// The form of a tournament of the toy.
const CUP: [(&str, &str); 6] = [
    ("name", "Spring cup"),
    ("game", "cards"),
    ("option.pairs", "yes"),
    ("sides", "changed"),
    ("rated", "yes"),
    ("open", "yes"),
];

async fn cup(host: &Host, boss: &Browser<'_>) -> String {
    let made = boss.post("/tournaments", &CUP).await;
    assert_eq!(made.status, 303, "{}", made.text);
    assert!(host.lobby.contests().is_some());
    made.location().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_house_makes_and_decides_tournaments() {
    let host = Host::start(Entry::Open).await;
    let boss = admin(&host, "Boss", 1).await;
    let ann = host.member("Ann", 2).await;
    let path = cup(&host, &boss).await;
    let name = [("name", "Ann")];
    for (to, fields) in [
        ("/tournaments".to_owned(), &CUP[..]),
        (format!("{path}/add"), &name[..]),
        (format!("{path}/strike"), &[("account", "a2")][..]),
        (format!("{path}/begin"), &[][..]),
        (format!("{path}/off"), &[][..]),
        (format!("{path}/verdict"), &[("number", "1"), ("standings", "win,loss"), ("why", "so")][..]),
    ] {
        assert_eq!(ann.post(&to, fields).await.status, 403, "{to}");
        assert_eq!(host.browser(9).post(&to, fields).await.status, 403, "{to}");
    }
    for word in ["enter", "withdraw"] {
        assert_eq!(host.browser(9).post(&format!("{path}/{word}"), &[]).await.status, 401, "{word}");
    }
    refused(&ann, &format!("{path}/withdraw"), &[], "does not take part").await;
    refused(&boss, &format!("{path}/add"), &[("name", "Nobody")], "Nobody here has the name").await;
    refused(&boss, &format!("{path}/begin"), &[], "2 players at least").await;
    refused(&boss, &format!("{path}/verdict"), &[("number", "1"), ("why", "so")], "being played").await;
    assert_eq!(ann.post(&format!("{path}/enter"), &[]).await.status, 303);
    for (field, value, part) in [
        ("name", "", "name of up to 60"),
        ("game", "echoes", "unknown game"),
        ("pool", "1", "A pool has"),
        ("pool", "99999", "no number"),
        ("clock", "soon", "The clock"),
        ("clock", "daily flag=stand-in", "no bot plays on"),
        ("names", "Ann%0Aann", "everybody once"),
        ("sponsor", "x", "unknown field"),
    ] {
        let mut form = CUP.to_vec();
        form.retain(|(key, _)| *key != field);
        form.push((field, value));
        refused(&boss, "/tournaments", &form, part).await;
    }
    assert_eq!(boss.post(&format!("{path}/off"), &[]).await.status, 303);
    refused(&ann, &format!("{path}/enter"), &[], "has begun").await;
    refused(&boss, &format!("{path}/off"), &[], "not begun").await;
}

/// The matches of a tournament that are there.
async fn matches(host: &Host, path: &str) -> Vec<MatchRecord> {
    let view = host.lobby.tournament_view(path.rsplit('/').next().expect("an id")).await.expect("there");
    let ids: Vec<String> = view.rounds().filter_map(|round| round.pairing.match_id.clone()).collect();
    let read = move |store: &dyn store::Store| {
        let each = ids.iter().map(|id| Ok(store.find(id)?.expect("made")));
        each.collect::<Result<Vec<MatchRecord>, store::StoreError>>()
    };
    host.lobby.with_store(read).await.expect("read")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tournament_of_three_is_played_to_its_end() {
    let host = Host::start(Entry::Open).await;
    let boss = admin(&host, "Boss", 9).await;
    let path = cup(&host, &boss).await;
    let players = [host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cara", 3).await];
    for player in &players {
        assert_eq!(player.post(&format!("{path}/enter"), &[]).await.status, 303);
    }
    shows(&players[0].get(&path).await, &["Entered: 3", "Withdraw"]);
    assert_eq!(boss.post(&format!("{path}/begin"), &[]).await.status, 303);
    let first = matches(&host, &path).await;
    assert_eq!(first.len(), 1, "with three one rests, and the next round waits");
    shows(&players[0].get(&path).await, &["Being played", "Standings", "Round 6", "To come"]);
    // The loser of each match is whoever has the higher number: Ann wins all, Bob beats Cara.
    for _ in 0..3 {
        let all = matches(&host, &path).await;
        let running: Vec<&MatchRecord> =
            all.iter().filter(|record| record.summary.result.is_none()).collect();
        for record in running {
            let accounts: Vec<AccountId> =
                record.seats.iter().filter_map(|seat| seat.player.account()).collect();
            assert_eq!(accounts.len(), 2, "seats are for accounts, without links");
            assert!(record.seats.iter().all(|seat| seat.token.is_empty()));
            let loser = if accounts[0] > accounts[1] { 0 } else { 1 };
            let found = host.lobby.find(&record.id).await.expect("there");
            act(&host, &found, loser, TableAct::Resign).await.expect("given up");
        }
        host.lobby.tend_contests().await;
    }
    assert_eq!(matches(&host, &path).await.len(), 4, "half of it, and the next");
    // Cara withdraws: what is left is lost, what was played stays.
    assert_eq!(players[2].post(&format!("{path}/withdraw"), &[]).await.status, 303);
    host.lobby.tend_contests().await;
    let id = path.rsplit('/').next().expect("an id");
    for _ in 0..6 {
        let view = host.lobby.tournament_view(id).await.expect("there");
        let open = view.rounds().find(|round| round.fate == crate::lobby::Fate::Running).cloned();
        let Some(open) = open else { break };
        let number = open.pairing.number.to_string();
        let fields = [("number", number.as_str()), ("standings", "draw,draw"), ("why", "rain")];
        assert_eq!(boss.post(&format!("{path}/verdict"), &fields).await.status, 303);
        let found = host.lobby.find(open.pairing.match_id.as_deref().expect("made")).await.expect("there");
        until(&found, "the match is over", Live::is_over).await;
    }
    let page = players[1].get(&path).await;
    shows(&page, &["Over", "withdrawn", "Verdict: rain"]);
    let view = host.lobby.tournament_view(id).await.expect("there");
    assert!(view.is_settled());
    let table = &view.tables()[0];
    let line = |n: usize| (table.players[table.rows[n].player], table.rows[n].half_points);
    assert_eq!(line(0).0, AccountId(2), "Ann has the number 2, after the organizer: {table:?}");
    assert!(line(0).1 > line(1).1 && line(1).1 > line(2).1, "{table:?}");
    assert_eq!(line(2), (AccountId(4), 0));
    // Never one dice secret at two tables.
    let all = matches(&host, &path).await;
    let mut secrets: Vec<&str> = all
        .iter()
        .map(|record| record.header.lines().find(|line| line.starts_with("secret")).expect("a secret"))
        .collect();
    let count = secrets.len();
    secrets.sort_unstable();
    secrets.dedup();
    assert!(count >= 4 && secrets.len() == count, "{secrets:?}");
    let over = boss
        .post(&format!("{path}/verdict"), &[("number", "1"), ("standings", "loss,win"), ("why", "no")])
        .await;
    assert_eq!(over.status, 422, "it is over");
    // What a journal says stays: ratings were kept as well.
    assert_eq!(host.lobby.contests().expect("kept").ratings_of(AccountId(2)).expect("read").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_verdict_does_not_change_what_a_journal_says_and_an_interrupted_start_makes_the_same_match() {
    let host = Host::start(Entry::Open).await;
    let boss = admin(&host, "Boss", 9).await;
    let path = cup(&host, &boss).await;
    let id = path.rsplit('/').next().expect("an id").to_owned();
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    for player in [&ann, &bob] {
        player.post(&format!("{path}/enter"), &[]).await;
    }
    boss.post(&format!("{path}/begin"), &[]).await;
    let record = matches(&host, &path).await.remove(0);
    let found = host.lobby.find(&record.id).await.expect("there");
    act(&host, &found, 0, TableAct::Resign).await.expect("given up");
    let fields = [("number", "1"), ("standings", "win,loss"), ("why", "a mistake")];
    let refused = boss.post(&format!("{path}/verdict"), &fields).await;
    assert!(refused.status == 422 && refused.text.contains("its journal says"), "{}", refused.text);
    host.lobby.tend_contests().await;
    // The second match has its id; as if the server had stopped right after that, the match is not there.
    let second = matches(&host, &path).await.remove(1).id;
    let gone = second.clone();
    host.lobby.close(&second).await;
    host.lobby
        .with_store(move |store| {
            store.mark_deleted(&gone, Some(1))?;
            store.purge(2)
        })
        .await
        .expect("removed");
    host.lobby.tend_contests().await;
    let again = matches(&host, &path).await;
    assert_eq!(again.len(), 2);
    assert_eq!(again[1].id, second);
    assert!(matches!(again[1].seats[0].player, Player::Account { .. }));
    assert_eq!(host.lobby.contests().expect("kept").running_tournaments().expect("read")[0].id, id);
}
