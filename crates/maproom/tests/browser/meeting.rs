//! Three people of a house meet: they join by invitation, gather a table of `triumph`, talk, and end the match by agreement.

use crate::accounts::{PASSWORD, invitation};
use crate::agreements::deed;
use crate::driver::{Page, Size};
use crate::fair_dice::BEGUN;
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::{ready, revision, wait_revision};

const FORM: &str = "form.game:has([name=game][value=triumph])";

async fn join(server: &Server, size: Size, name: &str) -> Page {
    let page = Page::open_at(size, &invitation(server)).await;
    page.fill("#name", name).await;
    page.fill("#password", PASSWORD).await;
    page.click(".go").await;
    page.wait_text("main.turns", "No matches yet").await;
    page
}

/// Gathers a table of three and invites the others by name.
async fn gather(ann: &Page, server: &Server) {
    ann.goto(&server.at("/tables")).await;
    ann.wait_until("document.body.dataset.ready", "the page is ready").await;
    ann.axe().await;
    ann.click(".fold:has([value=triumph]) > summary").await;
    for (seat, who) in ["me", "friend", "friend"].iter().enumerate() {
        ann.choose(&format!("{FORM} [name='seat.{seat}']"), who).await;
    }
    ann.fill(&format!("{FORM} [name=invite]"), "Bob, Cleo").await;
    ann.shot("meeting-new-table").await;
    ann.click(&format!("{FORM} .go")).await;
    ann.wait_for("#gathering").await;
    ann.wait_text("#gathering", "2 are still free").await;
    ann.shot("meeting-table").await;
    ann.axe().await;
}

async fn at_table(page: &Page) {
    page.wait_until("location.pathname.endsWith('/mine')", "the match has begun").await;
    ready(page).await;
    page.wait_until("document.body.dataset.talk", "the talk is ready").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_people_gather_a_table_talk_and_agree_on_the_end() {
    let server = Server::start_with(&["--accounts", "invited"]);
    let mut ann = join(&server, Size::DESKTOP, "Ann").await;
    let bob = join(&server, Size::DESKTOP, "Bob").await;
    let cleo = join(&server, Size::PHONE, "Cleo").await;
    gather(&ann, &server).await;
    for page in [&bob, &cleo] {
        page.goto(&server.at("/turns")).await;
        page.wait_text("#gathering-tables", "Invitation").await;
    }
    assert_fits(&cleo, Size::PHONE, "an invitation").await;
    cleo.shot("meeting-invited-phone").await;
    bob.click("#gathering-tables .go").await;
    bob.wait_text("#gathering", "1 is still free").await;
    ann.wait_text("#gathering", "1 is still free").await;
    cleo.click("#gathering-tables .go").await;
    for page in [&ann, &bob, &cleo] {
        at_table(page).await;
        page.wait_until(BEGUN, "the numbers of all three").await;
        page.wait_until("document.querySelectorAll('#presence .here').length === 3", "all three are here")
            .await;
    }

    // A key opens the talk; the others get a mark, and read.
    ann.press("Shift+T").await;
    ann.wait_until("document.activeElement.id === 'say-text'", "one can write at once").await;
    ann.fill("#say-text", "Good evening <b>both</b>").await;
    ann.press("Enter").await;
    ann.wait_text("#talk-lines .mine", "Good evening <b>both</b>").await;
    for page in [&bob, &cleo] {
        page.wait_text(".tools [data-unread]", "1").await;
    }
    bob.wait_text("#talk-news", "Ann (").await;
    cleo.tap(".tools [data-act=talk]").await;
    cleo.wait_text("#talk-lines", "Good evening").await;
    cleo.wait_until("document.querySelector('.tools [data-unread]').hidden", "it counts as read").await;
    cleo.fill("#say-text", "Hello from the train").await;
    cleo.shot("meeting-talk-phone").await;
    assert_fits(&cleo, Size::PHONE, "the talk").await;
    cleo.click("#say-form button").await;
    ann.wait_text("#talk-lines", "Hello from the train").await;
    ann.click("#talk-lines .about summary").await;
    ann.shot("meeting-talk").await;
    ann.media(&[("prefers-color-scheme", "dark")]).await;
    ann.shot("meeting-talk-dark").await;
    ann.media(&[]).await;
    ann.axe().await;
    ann.click("#talk-lines [data-contact=mute]").await;
    ann.wait_until("!document.querySelector('#talk-lines').textContent.includes('train')", "a muted line")
        .await;
    ann.click(".note summary").await;
    ann.fill("#note-text", "Watch the Baltic").await;
    ann.wait_text("#note-state", "Saved.").await;
    ann.reload().await;
    at_table(&ann).await;
    assert_eq!(ann.eval("document.getElementById('note-text').value").await, "Watch the Baltic");

    // The end by agreement.
    deed(&ann, "draw").await;
    cleo.click(".side-close").await;
    bob.click("#agreements [data-deed=yes]").await;
    ann.wait_text("#agreements", "Waiting for USSR.").await;
    // Her page must know of the other answer, or hers would come from an older position.
    wait_revision(&cleo, revision(&ann).await).await;
    cleo.click("#agreements [data-deed=yes]").await;
    for page in [&ann, &bob, &cleo] {
        page.wait_for("#prompt.over").await;
    }
    ann.goto(&server.at("/people")).await;
    ann.wait_text("main", "Cleo").await;
    ann.axe().await;
    ann.resize(Size::PHONE).await;
    assert_fits(&ann, Size::PHONE, "people").await;
    ann.shot("meeting-people-phone").await;
    for page in [&ann, &bob, &cleo] {
        page.assert_quiet().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_of_the_house_can_be_read_and_used() {
    let server = Server::start_with(&["--accounts", "invited"]);
    let bob = join(&server, Size::DESKTOP, "Bob").await;
    bob.assert_quiet().await;
    // On this machine whoever opens the lobby is the owner.
    let mut owner = Page::open_at(Size::DESKTOP, &server.at("/house")).await;
    owner.wait_text("#accounts", "Bob").await;
    owner.axe().await;
    owner.click("#accounts summary").await;
    owner.shot("meeting-house").await;
    owner.click("#accounts [value=mute]").await;
    owner.wait_text("#log", "muted for 7 days").await;
    owner.wait_text("#accounts", "muted for 7 days").await;
    owner.resize(Size::PHONE).await;
    assert_fits(&owner, Size::PHONE, "the house").await;
    owner.media(&[("prefers-color-scheme", "dark")]).await;
    owner.shot("meeting-house-phone-dark").await;
    owner.assert_quiet().await;
    bob.goto(&server.at("/people")).await;
    bob.wait_text("main", "You are muted").await;
}
