//! Keeping matches: rename, delete and bring back, export and import.

use std::fs;

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{choose_first, choose_some, lobby_ready, new_game, ready, shown, steps};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_are_renamed_deleted_and_brought_back() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 4).await;
    let turn = page.text("#turn").await;
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    assert_eq!(page.count("li.match").await, 1);
    assert_eq!(page.text("li.match .state b").await, turn);
    page.shot("lobby").await;

    page.click("[data-rename]").await;
    page.fill("#rename input", "Paris & <London>").await;
    page.click("#rename [value=save]").await;
    page.wait_text("li.match h3", "Paris & <London>").await;
    lobby_ready(&page).await;

    page.click("[data-delete]").await;
    page.wait_gone("li.match").await;
    page.wait_text(".toast", "Paris & <London>").await;
    page.click_text(".toast button", "Undo").await;
    page.wait_for("li.match").await;
    lobby_ready(&page).await;

    // Who missed the message finds it in the bin.
    page.click("[data-delete]").await;
    page.wait_gone("li.match").await;
    page.reload().await;
    lobby_ready(&page).await;
    assert_eq!(page.count("li.match").await, 0);
    page.click(".bin summary").await;
    page.click("[data-restore]").await;
    page.wait_for("li.match").await;
    lobby_ready(&page).await;
    page.click_text("li.match a", "Play").await;
    ready(&page).await;
    assert_eq!(page.text(".bar h1").await, "Paris & <London>");
    choose_first(&page).await;
    page.assert_quiet().await;
}

/// The matches of a shelf, in their order.
async fn names(page: &Page) -> Vec<String> {
    page.texts("li.match h3").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_come_page_by_page_with_my_move_first() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    // Thirty games against the book, in which it is my move, and one among friends, in which it is not.
    let made = "return (async () => {
        const make = (fields) => fetch('/matches', { method: 'POST', body: new URLSearchParams(fields) });
        for (let at = 1; at <= 30; at += 1) await make({ game: 'echoes', name: `War ${at}` });
        const theirs = await make({ game: 'blitz', name: 'Theirs', 'option.mode': 'two_player', 'seat.0': 'friend', 'seat.1': 'me' });
        return theirs.ok && theirs.url;
    })();";
    let theirs = page.run(made, Vec::new()).await;
    // Until I have sat down there, it waits for me.
    page.goto(theirs.as_str().expect("a table")).await;
    ready(&page).await;
    page.wait_text("#agreements", "Waiting for Axis to sit down.").await;
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    let first = names(&page).await;
    assert_eq!((first.len(), first[0].as_str()), (24, "War 30"), "{first:?}");
    assert_eq!(page.text(".pager span").await, "Page 1 of 2");
    assert_eq!(page.text("li.match .eyebrow").await, "Echoes of War\nYour move");
    page.click_text(".pager a", "Next").await;
    lobby_ready(&page).await;
    page.wait_text(".pager span", "Page 2 of 2").await;
    let second = names(&page).await;
    // What changed last, but waits for somebody else, comes last.
    assert_eq!((second.len(), second[6].as_str()), (7, "Theirs"), "{second:?}");
    assert!(first.iter().all(|name| !second.contains(name)));
    page.shot("lobby-pages").await;
    page.click_text(".shelves a", "Finished").await;
    lobby_ready(&page).await;
    page.wait_text(".mine .empty", "No match is over yet").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_fills_in_the_form() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    let fold = ".fold:has([name=game][value=dday])";
    assert_eq!(page.count(&format!("{fold} .setup")).await, 11);
    assert_eq!(page.texts(&format!("{fold} .badge")).await, ["Start here"]);
    let facts = page.texts(&format!("{fold} .setup .facts")).await;
    assert!(facts.iter().all(|facts| facts.contains(" turns, ") && facts.contains(" · about ")), "{facts:?}");
    // Every picture is there, in light and in dark.
    let loaded = "return Promise.all([...document.images].map(async (image) => {
        image.loading = 'eager';
        const dark = image.previousElementSibling?.srcset;
        const answers = await Promise.all([image.src, dark].filter(Boolean).map((url) => fetch(url)));
        return answers.length === 2 && answers.every((answer) => answer.ok && answer.headers.get('content-type') === 'image/svg+xml');
    })).then((all) => all.every(Boolean) && all.length);";
    assert_eq!(page.run(loaded, Vec::new()).await.as_u64(), Some(33));
    page.click_text(&format!("{fold} .setup"), "Omaha").await;
    assert_eq!(
        page.eval("document.querySelector('select[name=\"option.scenario\"]').value").await,
        "01_omaha"
    );
    assert_eq!(page.texts(&format!("{fold} .setup[aria-checked=true] b")).await, ["Omaha Beach"]);
    // An answer in the form itself is no longer that of the card.
    page.choose(&format!("{fold} [name='option.scenario']"), "11_berlin").await;
    page.wait_gone(&format!("{fold} .setup[aria-checked=true]")).await;
    let blitz = ".fold:has([name=game][value=blitz])";
    page.click_text(&format!("{blitz} .setup"), "First game").await;
    page.click(&format!("{blitz} .go")).await;
    ready(&page).await;
    assert_eq!(page.text(".bar h1").await, "Against the bot, Easy");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_just_played_is_no_news() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 3).await;
    page.click("a.home").await;
    lobby_ready(&page).await;
    // The lobby may be asked for before the answer to the last choice has gone out.
    let mut looks = 0;
    while page.text("li.match .when").await.contains("since you last looked") {
        looks += 1;
        assert!(looks < 20, "{}", page.text("li.match .when").await);
        page.reload().await;
        lobby_ready(&page).await;
    }
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_is_exported_and_imported() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 5).await;
    let (before, made, url) = (shown(&page).await, steps(&page).await, page.url().await);
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    let export =
        r#"fetch(document.querySelector('li.match a[href$="/export"]').href).then(answer => answer.text())"#;
    let record = page.eval(export).await.as_str().expect("a text").to_owned();
    assert!(record.starts_with("maproom match 1\n"), "{record:.200}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a friend.match");
    fs::write(&file, record).expect("a file can be written");
    page.upload("#import", &file).await;
    page.wait_until("location.pathname.startsWith('/m/')", "the imported match").await;
    ready(&page).await;
    assert_ne!(page.url().await, url);
    assert_eq!(page.text(".bar h1").await, "a friend");
    assert_eq!(steps(&page).await, made);
    shown(&page).await.assert_same(&before, "in the imported match");
    choose_first(&page).await;
    page.assert_quiet().await;

    let nonsense = folder.path().join("shopping.txt");
    fs::write(&nonsense, "milk\nbread\n").expect("a file can be written");
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    assert_eq!(page.count("li.match").await, 2);
    page.upload("#import", &nonsense).await;
    page.wait_text(".toast", "shopping.txt is not a Maproom match").await;
    page.reload().await;
    lobby_ready(&page).await;
    assert_eq!(page.count("li.match").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_seed_gives_the_same_dice() {
    let server = Server::start();
    let page = Page::open(Size::DESKTOP).await;
    let mut logs = Vec::new();
    for typed in ["1944", "1944", "1945"] {
        page.goto(server.url()).await;
        lobby_ready(&page).await;
        let form = "form.game:has([name=game][value=echoes])";
        page.click(&format!("{form} .more summary")).await;
        page.fill(&format!("{form} [name=seed]"), typed).await;
        page.click(&format!("{form} .go")).await;
        ready(&page).await;
        choose_some(&page, 6).await;
        logs.push(shown(&page).await.log);
        page.click("[data-act=share]").await;
        page.wait_text("#share", &format!("started with the seed {typed}")).await;
    }
    assert_eq!(logs[0], logs[1]);
    assert_ne!(logs[0], logs[2]);
    page.assert_quiet().await;
}
