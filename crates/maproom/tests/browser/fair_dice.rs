//! Two people whose browsers put numbers into the dice: a window that waits, two that sit down, and the record that proves it.

use std::process::Command;

use crate::PROGRAM;
use crate::agreements::deed;
use crate::blitz_desk::{calm, tick};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{lobby_ready, ready, sit_down};
use crate::together::link;
use crate::triumph_desk::LAPTOP;

const FORM: &str = "form.game:has([name=game][value=blitz])";
/// Whether the first dice have been rolled.
pub const ROLLED: &str = "window.maproom.steps > 0 && !document.querySelector('#fair-dice').dataset.due \
     && !document.querySelector('#agreements [data-deed=call-off]')";
/// Whether this player has sat down.
pub const SITS: &str =
    "document.querySelector('#fair-dice') && document.querySelector('#fair-dice').dataset.due !== 'sit'";
/// Whether the numbers of all are in the dice. A page that has done its own part still offers to call the match off while the
/// others are waited for.
pub const BEGUN: &str = "document.querySelector('#fair-dice') \
     && !document.querySelector('#fair-dice').dataset.due \
     && !document.querySelector('#agreements [data-deed=call-off]')";

/// A match of two that was just made, with the dice of the house.
async fn made(server: &Server, size: Size) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    tick(&page, "mode", "two_player").await;
    for (seat, who) in ["me", "friend"].iter().enumerate() {
        page.choose(&format!("{FORM} [name='seat.{seat}']"), who).await;
    }
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_browsers_put_numbers_into_the_dice_and_the_record_proves_it() {
    let server = Server::start();
    let axis = made(&server, LAPTOP).await;
    axis.wait_text("#agreements", "Waiting for Allies to sit down.").await;
    assert_eq!(axis.eval("window.maproom.steps").await, 0, "no die has fallen");
    axis.shot("fair-dice-waiting").await;
    let allies = sit_down(LAPTOP, &link(&axis, "link-0").await).await;
    calm(&allies).await;
    for page in [&axis, &allies] {
        page.wait_until(ROLLED, "dice that are rolled").await;
        let kept = "Object.keys(localStorage).filter(key => key.startsWith('maproom number')).length";
        assert_eq!(page.eval(kept).await, 1, "each browser has the number of its own seat");
    }
    axis.click("[data-act=share]").await;
    axis.wait_text("#fair-dice", "Everybody who plays has a part in these dice").await;
    let numbers = "document.getElementById('fair-dice').innerText.match(/Number/g)?.length === 2";
    axis.wait_until(numbers, "the numbers of both").await;
    axis.shot("fair-dice-panel").await;
    axis.press("Escape").await;
    // A page that is opened again asks for nothing and rolls nothing anew.
    let shares = "document.querySelector('#fair-dice dl').textContent";
    let before = axis.eval(shares).await;
    axis.reload().await;
    ready(&axis).await;
    assert_eq!(axis.eval(shares).await, before);

    deed(&axis, "resign").await;
    axis.wait_for("#prompt.over").await;
    let record = axis
        .run("return fetch(location.pathname + '/export').then(answer => answer.text())", Vec::new())
        .await;
    let record = record.as_str().expect("a record").to_owned();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, told) in [
        ("whole", record.clone(), "their number is in the dice, as it was sealed"),
        ("forged", forged(&record), "is not the one that was committed to"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        let done = Command::new(PROGRAM).arg("verify").arg(&file).output().expect("runs");
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(said.contains(told), "{said}");
        assert_eq!(done.status.success(), name == "whole", "{said}");
    }
    for page in [&axis, &allies] {
        page.assert_quiet().await;
    }
}

/// A record with another number of the first player.
fn forged(record: &str) -> String {
    let line = record.lines().find(|line| line.starts_with("share axis: ")).expect("a share");
    let (seal, _) = line.rsplit_once(' ').expect("a number");
    record.replacen(line, &format!("{seal} {}", "ab".repeat(32)), 1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_waits_looks_well_on_a_phone_and_can_be_called_off() {
    let server = Server::start();
    let axis = made(&server, Size::PHONE).await;
    axis.wait_text("#agreements", "Waiting for Allies to sit down.").await;
    axis.shot("fair-dice-phone").await;
    axis.click("[data-act=share]").await;
    axis.wait_text("#fair-dice", "Sealed; shown when everybody has sat down").await;
    axis.axe().await;
    axis.shot("fair-dice-phone-panel").await;
    axis.press("Escape").await;
    axis.eval("window.confirm = () => true").await;
    axis.click("#agreements [data-deed=call-off]").await;
    axis.wait_for("#prompt.over").await;
    axis.wait_text("#prompt", "Called off by Axis before it began").await;
    axis.assert_quiet().await;
}
