//! Three people of a house play over days: they join by invitation, gather at a table, sit down, and their numbers go into the
//! dice. One is told by mail and gives an order, one by a hook and lets her time run out; they talk, somebody gives up, the others
//! agree on the end, and the record proves the dice.

use std::process::Command;
use std::time::Duration;

use crate::PROGRAM;
use crate::accounts::PASSWORD;
use crate::agreements::deed;
use crate::contests::goto_until;
use crate::driver::{Page, Size};
use crate::fair_dice::BEGUN;
use crate::house::{DAY, House, MINUTE, link_in};
use crate::looks::assert_fits;
use crate::table::{CHOICES, ready, revision, wait_revision};
use crate::triumph_desk::{LAPTOP, asked, at_once};

const FORM: &str = "form.game:has([name=game][value=triumph])";
/// What the select of clocks does not offer: the bot that plays on is one that answers at once, and the match counts.
const TERMS: &str = "daily flag=stand-in:greedy rated=yes";

/// Confirms an address, and is told there.
async fn told_by_mail(page: &Page, house: &House) {
    page.goto(&house.at("/account")).await;
    page.fill("#mail", "bob@home.example").await;
    page.fill("#mail-password", PASSWORD).await;
    page.click("form[action='/account/mail'] button").await;
    page.wait_text(".done", "a letter is on its way").await;
    let letter = house.letter("Confirm your address").await;
    page.goto(link_in(&letter, house)).await;
    page.click("form button").await;
    page.wait_text("h1", "Address confirmed").await;
    page.goto(&house.at("/account/notices")).await;
    page.click("#add-mail").await;
    page.wait_text(".done", "added").await;
}

/// Is told by a hook.
async fn told_by_hook(page: &Page, house: &House) {
    page.goto(&house.at("/account/notices")).await;
    page.choose("#hook-kind", "json").await;
    page.fill("#hook-address", &house.hooks.url("/maproom")).await;
    page.fill("#hook-secret", "a key of sixteen letters").await;
    page.click("form:has(#hook-kind) button").await;
    page.wait_text(".done", "added").await;
}

/// Gathers a table of three and invites the others by name.
async fn gather(ann: &Page, house: &House) {
    ann.goto(&house.at("/tables")).await;
    ann.wait_until("document.body.dataset.ready", "the page is ready").await;
    ann.click(".fold:has([value=triumph]) > summary").await;
    for (seat, who) in ["me", "friend", "friend"].iter().enumerate() {
        ann.choose(&format!("{FORM} [name='seat.{seat}']"), who).await;
    }
    let terms = "const select = document.querySelector(arguments[0]);
        select.add(new Option('Daily, rated', arguments[1]));
        select.value = arguments[1];";
    ann.run(terms, vec![format!("{FORM} [name=clock]").into(), TERMS.into()]).await;
    ann.fill(&format!("{FORM} [name=invite]"), "Bob, Cleo").await;
    ann.click(&format!("{FORM} .go")).await;
    ann.wait_text("#gathering", "2 are still free").await;
}

async fn at_table(page: &Page) {
    page.wait_until("location.pathname.endsWith('/mine')", "the match").await;
    ready(page).await;
}

/// Makes what is first offered until somebody else is asked.
async fn place_all(page: &Page, most: usize) {
    for _ in 0..most {
        let offered = asked(page).await;
        at_once(page, &offered[0]).await;
        if page.count("#choices ol [data-choice]").await == 0 {
            return;
        }
    }
}

/// What whoever of some people is asked first can choose.
async fn asked_first(pages: [&Page; 2]) -> Vec<String> {
    for _ in 0..2_000 {
        for page in pages {
            if page.count(CHOICES).await > 0 {
                return asked(page).await;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody is asked");
}

/// The numbers of all three are in the dice.
async fn sit_down(pages: [&Page; 3]) {
    for page in pages {
        at_table(page).await;
        page.wait_until(BEGUN, "the numbers of all three").await;
        page.wait_text("#agreements", "Rated. Whoever gives up").await;
    }
    let [ann, ..] = pages;
    ann.wait_text("#clocks", "2 d 23 h").await;
    ann.click("[data-act=share]").await;
    ann.wait_text("#fair-dice", "Everybody who plays has a part in these dice").await;
    let numbers = "document.getElementById('fair-dice').innerText.match(/Number/g)?.length === 3";
    ann.wait_until(numbers, "the numbers of all three").await;
    ann.shot("by-post-fair-dice").await;
    ann.press("Escape").await;
}

/// Bob is away; he is told by mail, comes by the link in it, and gives an order for the rest of his question.
async fn bob_gives_an_order(house: &House, bob: &Page) {
    house.lobby.pass(4 * MINUTE);
    let letter = house.letter("Your turn in").await;
    bob.goto(link_in(&letter, house)).await;
    ready(bob).await;
    asked(bob).await;
    bob.press("Shift+O").await;
    bob.wait_for("#orders-desk[open]").await;
    bob.fill("#order-text", "when rule 5.0 choose usual, 3 times").await;
    bob.click("#order-form [type=submit]").await;
    bob.wait_text("#orders-desk .order-list", "It has not answered yet").await;
    bob.press("Escape").await;
    bob.wait_text("#standing-orders", "Your order answers in about").await;
    bob.shot("by-post-order-coming").await;
    let before = revision(bob).await;
    house.pass_until(bob, &format!("maproom.revision >= {}", before + 3), "three answers").await;
    bob.wait_text("#standing-orders", "answered as often as you said").await;
    bob.shot("by-post-order").await;
    place_all(bob, 12).await;
}

/// Cleo is told by a hook, does not come, and a bot plays on for her until she is back.
async fn cleo_runs_out_of_time(house: &House, [ann, bob, cleo]: [&Page; 3], path: &str) {
    house.lobby.pass(4 * MINUTE);
    let hook = house.hook("\"kind\":\"turn\"").await;
    assert!(hook.contains("Your turn in"), "{hook}");
    house.lobby.pass(3 * DAY);
    house.hook("\"kind\":\"flagged\"").await;
    // The bot places what was hers, the cards are dealt by the dice of all, and so is it who is asked first.
    let produces = asked_first([ann, bob]).await;
    assert!(produces.iter().any(|name| name == "finish"), "Production, not {produces:?}");
    cleo.goto(&house.at(path)).await;
    at_table(cleo).await;
    cleo.wait_text("#prompt", "is playing for you; you are watching").await;
    cleo.shot("by-post-stand-in-phone").await;
    cleo.click("#prompt [data-act=hand-over]").await;
    cleo.wait_until("!document.querySelector('#prompt [data-act=hand-over]')", "her seat again").await;
    cleo.wait_text("#clocks", "12 h 00 min").await;
}

async fn talk(ann: &Page, bob: &Page, cleo: &Page) {
    for page in [ann, bob, cleo] {
        page.wait_until("document.body.dataset.talk", "the talk is ready").await;
    }
    ann.press("Shift+T").await;
    ann.wait_until("document.activeElement.id === 'say-text'", "one can write at once").await;
    ann.fill("#say-text", "There you are again").await;
    ann.press("Enter").await;
    bob.wait_text(".tools [data-unread]", "1").await;
    cleo.tap(".tools [data-act=talk]").await;
    cleo.wait_text("#talk-lines", "There you are again").await;
    cleo.click(".side-close").await;
}

/// Cleo gives up and watches; the others agree on a draw.
async fn end(ann: &Page, bob: &Page, cleo: &Page) {
    deed(cleo, "resign").await;
    cleo.wait_until("!location.pathname.endsWith('/mine')", "the page for watching").await;
    ready(cleo).await;
    let greedy = "document.getElementById('seating').textContent.includes('Greedy')";
    ann.wait_until(greedy, "a bot in her seat").await;
    deed(ann, "draw").await;
    bob.wait_text("#agreements", "offers a draw").await;
    wait_revision(bob, revision(ann).await).await;
    bob.click("#agreements [data-deed=yes]").await;
    for page in [ann, bob, cleo] {
        page.wait_for("#prompt.over").await;
        page.wait_text("#prompt", "Draw by agreement").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_people_play_over_days_with_dice_that_all_have_a_part_in() {
    let house = House::open().await;
    let ann = house.join(LAPTOP, "Ann").await;
    let bob = house.join(LAPTOP, "Bob").await;
    let cleo = house.join(Size::PHONE, "Cleo").await;
    told_by_mail(&bob, &house).await;
    told_by_hook(&cleo, &house).await;
    gather(&ann, &house).await;
    for page in [&bob, &cleo] {
        page.goto(&house.at("/turns")).await;
        page.wait_text("#gathering-tables", "Invitation").await;
        page.click("#gathering-tables .go").await;
    }
    sit_down([&ann, &bob, &cleo]).await;
    assert_fits(&cleo, Size::PHONE, "a table that has begun").await;
    let path = ann.eval("location.pathname").await.as_str().expect("a path").to_owned();
    // Whoever looks at the table needs no notice.
    for page in [&bob, &cleo] {
        page.goto("about:blank").await;
    }
    place_all(&ann, 22).await;
    bob_gives_an_order(&house, &bob).await;
    cleo_runs_out_of_time(&house, [&ann, &bob, &cleo], &path).await;
    talk(&ann, &bob, &cleo).await;
    end(&ann, &bob, &cleo).await;

    let record = ann.run(
        "return fetch(arguments[0]).then(answer => answer.text())",
        vec![format!("{path}/export").into()],
    );
    let record = record.await.as_str().expect("a record").to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record");
    std::fs::write(&file, record).expect("written");
    let done = Command::new(PROGRAM).arg("verify").arg(&file).output().expect("runs");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}");
    assert_eq!(said.matches("their number is in the dice, as it was sealed").count(), 3, "{said}");

    // Ann and Bob have drawn, and Cleo has given up.
    goto_until(&ann, &house.at("/players"), "Cleo").await;
    ann.click("a[href='/players/a3']").await;
    ann.wait_text("main.contests", "from 1 rated match").await;
    ann.wait_text("main.contests", "Given up").await;
    ann.shot("by-post-ratings").await;
    for page in [&ann, &bob, &cleo] {
        page.assert_quiet().await;
    }
}
