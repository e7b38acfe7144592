//! Blitzkrieg! at the board: a new game, and tokens that are placed by click, by drag and by keys.

use serde_json::Value;

use crate::blitz_desk::{
    FORM, PIECES, aim, assert_calm, assert_placed, finish_turn, name_theatres, offered, reach, solo, space,
    told,
};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{SEED, change, choose, choose_first, lobby_ready, ready, revision, seed, wait_revision};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_war_against_the_bot_begins_with_a_click() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    page.wait_for(&format!("{FORM} [data-when='option.mode=solo option.board=base'] select")).await;
    seed(&page, SEED).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    name_theatres(&page).await;
    assert_eq!(page.text(".bar h1").await, "Against the bot, Medium");
    assert_eq!(page.text(".role").await, "Allies");
    assert_eq!(page.count("#board .theatre.open").await, 5);
    page.wait_text("#far h3", "row, drawn left to right").await;
    // The bot's row lies open, as one's own reserve.
    assert_eq!(page.count("#far .counter.back").await, 0);
    assert!(page.count("#far .token use[href^='#k-']").await > 0);
    assert_eq!(page.text("#hand h3").await.lines().next(), Some("Your reserve"));
    assert_eq!(page.count("#hand .piece").await, 3);
    assert!(page.count(PIECES).await > 0);
    // The Axis has begun.
    page.wait_until("document.querySelector('#log details.why')", "the bot's reasons").await;
    assert!(offered(&page).await.iter().all(|name| name.starts_with("place ")));
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_six_lets_a_theatre_be_named_on_the_board() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    page.click(&format!("{FORM} .more:has([name=dice]) summary")).await;
    page.click(&format!("{FORM} [name=dice][value=own]")).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    for _ in 0..30 {
        if offered(&page).await.iter().any(|name| name == "die 6") {
            break;
        }
        choose_first(&page).await;
    }
    choose(&page, "die 6").await;
    let theatres = offered(&page).await;
    assert!(theatres.iter().all(|name| name.starts_with("theatre ")), "{theatres:?}");
    assert_eq!(page.count("#board .title.lit").await, theatres.len());
    page.wait_text("#prompt", "choose the theatre").await;
    let title = "#board #title-PO";
    assert_eq!(page.text(&format!("{title} .standing")).await, "level");
    change(&page, async || page.click(title).await).await;
    page.wait_text(title, "Axis ahead by").await;
    assert_calm(&page).await;
}

/// The spaces that light up for the picked token.
async fn lit(page: &Page) -> Vec<String> {
    let places = "[...document.querySelectorAll('#board .takes')].map(place => place.dataset.place).sort()";
    serde_json::from_value(page.eval(places).await).expect("names of spaces")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_picked_considered_and_placed() {
    let server = Server::start();
    let page = solo(&server, Size::DESKTOP, "base").await;
    let aim = aim(&page).await;
    let mut legal = aim.legal.clone();
    legal.sort();
    let target = space(&aim.legal[0]);
    page.click(&aim.piece).await;
    page.wait_for(&format!("{}[aria-pressed=true]", aim.piece)).await;
    assert_eq!(lit(&page).await, legal);

    // What would come of it, in words and on the board.
    reach(&page, &target).await;
    page.hover(&target).await;
    page.wait_text("#choice-note .foreseen", "strength ").await;
    page.wait_for(&format!("#ghost-token use[href='#k-{}']", aim.kind)).await;
    assert_eq!(page.eval("document.getElementById('ghost-token').parentElement.id").await, *aim.legal[0]);
    let theatre = aim.legal[0].split('.').next().unwrap_or_default();
    page.wait_for(&format!("#ghost-{theatre} .marker")).await;

    page.press("Escape").await;
    page.wait_until("!document.body.classList.contains('picking')", "no token in hand").await;
    assert!(lit(&page).await.is_empty());
    assert_eq!(page.count("#ghost-token, #sheet g.ghost").await, 0);
    assert_eq!(page.attribute(&aim.piece, "aria-pressed").await.as_deref(), Some("false"));

    // Where it can't go it is told why, and nothing changes.
    let before = revision(&page).await;
    page.click(&aim.piece).await;
    reach(&page, &space(&aim.barred)).await;
    page.click(&space(&aim.barred)).await;
    let reason = page.wait_text(".toast", "Not possible: ").await;
    assert!(reason.len() > "Not possible: ".len() + 8 && reason.contains("(rule "), "{reason}");
    assert_eq!((revision(&page).await, lit(&page).await), (before, legal));

    let log = told(&page).await.len();
    let whys = page.count("#log details.why").await;
    reach(&page, &target).await;
    change(&page, async || page.click(&target).await).await;
    finish_turn(&page).await;
    assert_placed(&page, &aim.kind, &aim.legal[0], log).await;
    assert_eq!(page.count(".takes, .picking, #ghost-token").await, 0);
    // The bot has answered, and tells why if it is asked.
    page.wait_until(&format!("document.querySelectorAll('#log details.why').length > {whys}"), "a reason")
        .await;
    why_is_unfolded(&page).await;
    page.assert_quiet().await;
}

/// Unfolds the last reason of the bot: the table stays in the present.
async fn why_is_unfolded(page: &Page) {
    page.run(
        "[...document.querySelectorAll('#log details.why')].filter((why) => why.textContent.includes('Theatres:')).at(-1).id = 'last-why';
        document.getElementById('last-why').closest('.steps').open = true;",
        vec![],
    )
    .await;
    assert_eq!(page.eval("document.getElementById('last-why').open").await, false);
    page.click("#last-why summary").await;
    page.wait_for("#last-why[open] p").await;
    let words = page.text("#last-why").await;
    assert!(words.contains("Theatres:") && words.contains("Units:"), "{words}");
    assert_eq!(page.eval("maproom.past").await, Value::Null);
    assert_eq!(page.count("#prompt.past").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_dragged_to_its_space() {
    let server = Server::start();
    let page = solo(&server, Size::DESKTOP, "base").await;
    let aim = aim(&page).await;
    let (target, barred) = (space(&aim.legal[0]), space(&aim.barred));
    let before = revision(&page).await;

    // Dropped where it can't go, it is back in the reserve, and the reason is told.
    reach(&page, &barred).await;
    page.carry(&aim.piece, &barred).await;
    page.wait_for(".dragged").await;
    page.let_go().await;
    page.wait_text(".toast", "Not possible: ").await;
    assert_eq!(page.count(".dragged").await, 0);
    assert_eq!(revision(&page).await, before);

    let log = told(&page).await.len();
    reach(&page, &target).await;
    page.carry(&aim.piece, &target).await;
    page.wait_for(&format!("{target}.aimed.takes")).await;
    page.wait_for(&format!("#ghost-token use[href='#k-{}']", aim.kind)).await;
    page.wait_text("#choice-note .foreseen", "strength ").await;
    page.let_go().await;
    wait_revision(&page, before + 1).await;
    finish_turn(&page).await;
    assert_placed(&page, &aim.kind, &aim.legal[0], log).await;
    assert_eq!(page.count(".dragged, .aimed").await, 0);
    page.assert_quiet().await;
}

/// Presses a key until what has the focus matches.
async fn walk(page: &Page, chord: &str, css: &str) {
    for _ in 0..80 {
        if page.run("return document.activeElement.matches(arguments[0]);", vec![css.into()]).await == true {
            return;
        }
        page.press(chord).await;
    }
    panic!("{chord} never comes to {css}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_placed_by_keys_alone() {
    let server = Server::start();
    let page = solo(&server, Size::DESKTOP, "base").await;
    let aim = aim(&page).await;
    let (target, before) = (space(&aim.legal[0]), revision(&page).await);
    page.eval("document.activeElement.blur()").await;
    walk(&page, "Tab", &aim.piece).await;
    page.press("Enter").await;
    page.wait_for(&format!("{}[aria-pressed=true]", aim.piece)).await;
    // Back to the board; a space says what it is, and what would come of it.
    walk(&page, "Shift+Tab", &target).await;
    let words = page.attribute(&target, "aria-label").await.unwrap_or_default();
    assert!(words.ends_with(", empty"), "{words}");
    page.wait_text("#choice-note .foreseen", "strength ").await;
    page.wait_for("#ghost-token").await;
    let log = told(&page).await.len();
    page.press("Enter").await;
    wait_revision(&page, before + 1).await;
    finish_turn(&page).await;
    assert_placed(&page, &aim.kind, &aim.legal[0], log).await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_game_is_without_stratagems_and_tells_the_bots_answers() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    page.wait_for(&format!("{FORM} .first-game input")).await;
    seed(&page, SEED).await;
    page.click(&format!("{FORM} .first-game input")).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    name_theatres(&page).await;
    assert_eq!(page.count("#stratagem").await, 0, "no stratagems");
    assert!(page.count(".far .signs .meanings li").await >= 9, "the legend is in the bot's box");
    page.shot("blitz-first-game").await;
    let aim = aim(&page).await;
    page.click(&aim.piece).await;
    page.hover(&space(&aim.legal[0])).await;
    let note = page.wait_text("#choice-note", "The bot's answer to").await;
    assert!(note.contains(&aim.legal[0]), "{note}");
    page.wait_for("#choice-note .chance").await;
    page.shot("blitz-bot-answer").await;
    assert_calm(&page).await;
}
