//! Standing orders in a match of two people: made from a choice's menu, written in the editor with its mistakes pointed at,
//! answering by themselves, ending with a reason. Time is turned by hand, so that an answer that waits can be looked at.

use crate::blitz_desk::{calm, tick};
use crate::driver::{Page, Size};
use crate::fair_dice::ROLLED;
use crate::house::{House, MINUTE};
use crate::table::{CHOICES, lobby_ready, ready, revision, sit_down};
use crate::together::link;
use crate::triumph_desk::LAPTOP;

const FORM: &str = "form.game:has([name=game][value=blitz])";
/// A choice after which nothing more is asked, whatever somebody holds: a space that only gives points.
const PLAIN: &str = "[...document.querySelectorAll('#choices ol [data-choice]')]\
                     .find((choice) => choice.textContent.includes('Propaganda'))";

/// Two people at a table whose dice are rolled: who moves, and the other with a screen of their own.
async fn at_table(house: &House, size: Size) -> [Page; 2] {
    let mut first = Page::open_at(LAPTOP, &house.url).await;
    lobby_ready(&first).await;
    tick(&first, "mode", "two_player").await;
    for (seat, who) in ["me", "friend"].iter().enumerate() {
        first.choose(&format!("{FORM} [name='seat.{seat}']"), who).await;
    }
    first.click(&format!("{FORM} .go")).await;
    ready(&first).await;
    calm(&first).await;
    let mut second = sit_down(LAPTOP, &link(&first, "link-0").await).await;
    calm(&second).await;
    for page in [&first, &second] {
        page.wait_until(ROLLED, "the first dice").await;
    }
    if first.count(CHOICES).await == 0 {
        second.wait_for(CHOICES).await;
        std::mem::swap(&mut first, &mut second);
    }
    second.resize(size).await;
    [first, second]
}

/// Whether the desk beside the choices says something.
fn says(words: &str) -> String {
    format!("document.getElementById('standing-orders').textContent.includes('{words}')")
}

/// Opens the desk by the menu of a choice and makes an order of it.
async fn make_of_choice(page: &Page, how: &str) -> String {
    let menu = "dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))";
    page.eval(&format!("{PLAIN}.{menu}")).await;
    page.wait_for(&format!("#orders-desk[open] [data-draft={how}]")).await;
    page.click(&format!("[data-draft={how}]")).await;
    page.wait_until("document.getElementById('order-text').value !== ''", "a text").await;
    page.eval("document.getElementById('order-text').value").await.as_str().expect("a text").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_give_orders() {
    let house = House::open().await;
    let [mover, other] = &at_table(&house, LAPTOP).await;
    let text = make_of_choice(mover, "always").await;
    assert!(text.starts_with("when rule ") && text.contains(" choose \""), "{text}");
    mover.shot("orders-desk").await;
    mover.axe().await;
    let before = revision(mover).await;
    mover.click("#order-form [type=submit]").await;
    mover.wait_text("#orders-desk .order-list", "Runs. It has not answered yet.").await;
    mover.press("Escape").await;
    // The order answers the question that was asked, and the other is asked.
    house.pass_until(other, &format!("maproom.revision > {before}"), "an answer").await;
    other.wait_for(CHOICES).await;
    assert_eq!(other.count("#standing-orders:not([hidden])").await, 0, "nobody else hears of it");
    mover.wait_text("#standing-orders", "1 standing order").await;

    // The editor points at what is wrong, and takes what is right.
    other.click("[data-act=orders]").await;
    other.wait_for("#orders-desk[open]").await;
    other.fill("#order-text", "when rule 99.7 choos \"pass\"").await;
    other.click("#order-form [type=submit]").await;
    other.wait_text("#order-problems", "Line 1, column 11: the rulebook has no rule 99.7").await;
    other.wait_text("#order-problems", "Did you mean \"choose\"?").await;
    assert_eq!(other.eval("document.getElementById('order-text').selectionStart").await, 10);
    // The refusal itself is the only thing that the console has to say.
    let said = other.console_problems().await;
    assert!(said.len() == 1 && said[0].contains("/orders") && said[0].contains("422"), "{said:?}");
    other.shot("orders-mistakes").await;
    let name = other.eval(&format!("{PLAIN}.dataset.choice")).await;
    let name = name.as_str().expect("a choice").to_owned();
    other.fill("#order-text", &format!("after other \"**\" choose \"{name}\", once")).await;
    other.click("#order-form [type=submit]").await;
    other.wait_text("#orders-desk .order-list", "After another player chose anything").await;
    other.press("Escape").await;
    other.wait_text("#standing-orders", "Your order answers in about").await;
    other.shot("orders-coming").await;
    house.pass_until(other, &says("answered as often as you said"), "an order that has run out").await;
    other.click("#standing-orders [data-deed=remove]").await;
    other.wait_until("document.getElementById('standing-orders').hidden", "an empty list").await;

    // The same space can't be taken twice: the order stops and says why.
    house.pass_until(mover, &says("Stopped: its choice was refused."), "an order that stops").await;
    mover.shot("orders-stopped").await;
    mover.wait_for(CHOICES).await;
    for page in [mover, other] {
        page.assert_quiet().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_tied_to_what_happened_and_put_to_rest_by_the_keyboard() {
    let house = House::open().await;
    let [mover, other] = &at_table(&house, Size::PHONE).await;
    mover.eval(&format!("{PLAIN}.click()")).await;
    other.wait_for(CHOICES).await;
    other.press("Shift+O").await;
    other.wait_for("#orders-desk[open] [data-draft=after]").await;
    other.click("[data-draft=after]").await;
    other
        .wait_until("document.getElementById('order-text').value.startsWith('after ')", "an order after")
        .await;
    other.media(&[("prefers-color-scheme", "dark")]).await;
    other.shot("orders-after-dark").await;
    other.click("#order-form [type=submit]").await;
    other.wait_for("#orders-desk [data-order=pause]").await;
    other.eval("document.querySelector('#orders-desk [data-order=pause]').focus()").await;
    other.press("Enter").await;
    other.wait_text("#orders-desk .order-list", "Paused.").await;
    assert_eq!(other.eval("document.activeElement.dataset.order").await, "resume", "the focus stays");
    // While it rests it leaves the question to its person, and goes on when it is told to.
    let before = revision(other).await;
    house.lobby.pass(MINUTE);
    other.press("Enter").await;
    other.wait_text("#orders-desk .order-list", "Runs. It has not answered yet.").await;
    assert_eq!(revision(other).await, before, "nothing was answered meanwhile");
    other.press("Escape").await;
    house.pass_until(other, &format!("maproom.revision > {before}"), "an answer").await;
    other.assert_quiet().await;
}
