//! Whole wars of Blitzkrieg!: against the solo bot, against a bot at a seat, and over the cities of Nippon.

use blitz::Blitz;
use kernel::{Game as _, Options, Standing};

use crate::blitz_desk::{
    aim, assert_calm, assert_placed, begin_solo, calm, finish_turn, for_two, offered, play_on, reach, solo,
    space, told,
};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, SEED, change, choose_first, choose_some, key, lobby_ready, revision, shown, wait_revision,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_war_against_the_bot() {
    let server = Server::start();
    let page = solo(&server, Size::DESKTOP, "base").await;
    calm(&page).await;
    choose_some(&page, 5).await;
    page.shot("blitz-solo").await;

    // Taking back goes to one's own last decision, whatever the bot has done since.
    finish_turn(&page).await;
    let before = shown(&page).await;
    choose_first(&page).await;
    assert_ne!(shown(&page).await.log, before.log);
    key(&page, "u").await;
    shown(&page).await.assert_same(&before, "after taking back");

    for decision in 0.. {
        match offered(&page).await.len() {
            0 => break,
            // Two digits are waited for where there are more.
            1..=9 => key(&page, "1").await,
            _ => choose_first(&page).await,
        }
        assert!(decision < 150, "the war does not end");
    }
    let result = page.text("#prompt.over .sentence").await;
    let standing = page.attribute("#prompt", "data-standing").await;
    let (winner, word) = recorded_winner(&page).await;
    assert!(result.starts_with(&format!("Victory for the {winner}")), "{word}: {result}");
    assert_eq!(
        standing.as_deref(),
        Some(if winner == "Allies" { "win" } else { "loss" }),
        "{word}: {result}"
    );
    assert_eq!(page.count(CHOICES).await, 0);
    assert_eq!(page.count("#board [data-choice], #board [data-piece]").await, 0);
    page.assert_quiet().await;
    page.click("a.home").await;
    lobby_ready(&page).await;
    assert_eq!(page.texts("li.match .state b").await, [result]);
    page.assert_quiet().await;
}

/// The side that has won by the record, and the record's word for the result.
async fn recorded_winner(page: &Page) -> (&'static str, String) {
    let record = page.eval("fetch(maproom.path + '/export').then((answer) => answer.text())").await;
    let record = record.as_str().unwrap_or_default();
    let word = record.lines().find_map(|line| line.strip_prefix("result: ")).unwrap_or_default();
    let game = Blitz::with_options(&Options::from([("mode".to_owned(), "solo".to_owned())])).expect("a war");
    let results = game.results();
    let result = results.iter().find(|result| result.word == word);
    let standing = result.unwrap_or_else(|| panic!("no result is called {word:?}: {record}")).standings[0];
    (if standing == Standing::Win { "Allies" } else { "Axis" }, word.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_at_a_seat_answers_by_itself() {
    let server = Server::start();
    // As the form proposes it: the bot moves first.
    let page = for_two(&server, Size::DESKTOP, ["bot:greedy", "me"]).await;
    assert_eq!(page.text(".role").await, "Allies");
    page.wait_for(CHOICES).await;
    finish_turn(&page).await;
    let backs = page.count("#far .counter.back").await;
    assert_eq!((backs, page.count("#far .counter:not(.back)").await), (3, 0));

    // Slowly, so that the moment in which the bot is to move can be seen on a busy machine, too.
    page.click("#pace button[data-pace=slow]").await;
    page.wait_for("#pace[data-pace=slow]").await;
    let (before, at, log) = (shown(&page).await, revision(&page).await, told(&page).await.len());
    let aim = aim(&page).await;
    let target = space(&aim.legal[0]);
    page.click(&aim.piece).await;
    reach(&page, &target).await;
    change(&page, async || page.click(&target).await).await;
    finish_turn(&page).await;
    // It is told who is to choose, and that it is a bot.
    let waits = format!(
        "document.querySelector('#prompt[data-thinking=greedy]')?.textContent.includes('Greedy')
        && !document.querySelector({CHOICES:?})"
    );
    page.wait_until(&waits, "a bot that is to move").await;
    page.wait_for(CHOICES).await;
    assert_placed(&page, &aim.kind, &aim.legal[0], log).await;
    let new = told(&page).await.split_off(log);
    let placed = new.iter().any(|line| line.starts_with("Axis Greedy: ") && line.contains(" → "));
    assert!(placed, "the bot has placed nothing: {new:#?}");
    assert!(page.count("#far .counter:not(.back)").await == 0, "the bot's tokens are to be seen");

    // Back to one's own decision, over the bot's and those that came with one's own.
    for _ in 0..4 {
        let now = revision(&page).await;
        page.click("[data-act=undo]").await;
        wait_revision(&page, now + 1).await;
        if shown(&page).await.log.len() <= before.log.len() {
            break;
        }
    }
    assert!(revision(&page).await > at);
    shown(&page).await.assert_same(&before, "after taking back");
    assert_calm(&page).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cities_of_nippon_are_opened_on_the_map() {
    let server = Server::start();
    let page = solo(&server, Size::DESKTOP, "nippon").await;
    calm(&page).await;
    assert_eq!(page.text(".bar h1").await, "Nippon, against the bot");
    assert_eq!(page.count("svg.america .city").await, 15);
    assert_eq!(page.count("svg.america .city.open").await, 4);
    let seen =
        "[...document.querySelectorAll('#board .theatre')].filter(card => card.checkVisibility()).length";
    assert_eq!(page.eval(seen).await, 4);
    let mut by_card = false;
    for _ in 0..2 {
        // Where only one city could open, or the war was short, nobody was asked: another war then.
        let mut wars = 1;
        while !play_on(&page, &format!("{CHOICES}[data-choice^='open ']")).await {
            assert!(wars < 6, "no city was to be opened in {wars} wars");
            wars += 1;
            page.goto(server.url()).await;
            begin_solo(&page, "nippon", SEED + wars).await;
            calm(&page).await;
        }
        let names = offered(&page).await;
        assert_eq!(page.count("svg.america .city.lit").await, names.len());
        let city = names[0].strip_prefix("open ").unwrap_or_default().to_owned();
        let sign = format!("#city-{city}.lit .vp");
        if by_card {
            // With the keys: a city is a button as well.
            page.run("document.getElementById(arguments[0]).focus();", vec![format!("city-{city}").into()])
                .await;
            key(&page, "Enter").await;
        } else {
            reach(&page, &sign).await;
            change(&page, async || page.click(&sign).await).await;
            page.shot("blitz-nippon").await;
        }
        by_card = true;
        page.wait_for(&format!("#city-{city}.open")).await;
        page.wait_for(&format!("#theatre-{city}.open")).await;
        page.wait_text("#log", " opens: ").await;
    }
    page.assert_quiet().await;
}
