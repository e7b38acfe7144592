//! What the table tells: odds, reasons, and the debug drawer.

use crate::driver::Size;
use crate::server::Server;
use crate::table::{CHOICES, choose_first, new_game, number, play_until, settings, shown};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn odds_are_told_before_an_attack() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    play_until(&page, &format!("{CHOICES}[data-ask]")).await;
    // The choice that has the focus tells its odds too, until the pointer has come to rest on another.
    let about = page.attribute(&format!("{CHOICES}[data-ask]"), "data-ask").await.expect("a question");
    let odds = format!("#choice-note[data-about='{about}'] .chance");
    page.hover(&format!("{CHOICES}[data-ask]")).await;
    page.wait_for(&odds).await;
    page.wait_text("#choice-note", "success").await;
    let chances = page.texts(&odds).await;
    assert!(!chances.is_empty() && chances.iter().all(|chance| chance.ends_with(" %")), "{chances:?}");
    // The place that belongs to the choice lights up, and tells the same.
    let name = page.attribute(&format!("{CHOICES}[data-ask]"), "data-choice").await.expect("a name");
    let place = format!("#board [data-choice='{name}']");
    page.wait_for(&format!("{place}.considered")).await;
    page.hover("#turn").await;
    page.wait_gone("#choice-note").await;
    page.hover(&place).await;
    page.wait_for(&odds).await;
    assert_eq!(page.texts(&odds).await, chances);

    page.click("[data-act=odds]").await;
    page.wait_for("#panel-odds .answer .chance").await;
    let answers = page.count("#panel-odds .answer").await;
    assert!(answers >= 6, "{answers} answers");
    choose_first(&page).await;
    page.wait_for("#panel-odds").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_die_was_for_is_told_beside_it() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    play_until(&page, "#tray .roll").await;
    page.wait_gone("#tray .tumbling").await;
    let purposes = page.texts("#tray .roll .purpose").await;
    assert_eq!(purposes.len(), page.count("#tray .roll .die").await, "every die says what it was for");
    assert!(purposes.iter().all(|purpose| purpose.len() > 8), "{purposes:?}");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_told_why_something_can_not_be_done() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    play_until(&page, "#board [data-closed]").await;
    let before = shown(&page).await;
    page.click("#closed summary").await;
    page.wait_for("#closed li small").await;
    let reasons = page.texts("#closed small").await;
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.len() > 8), "{reasons:?}");
    assert!(page.count("#closed .rule-link").await > 0);

    let reason = page.attribute("#board [data-closed]", "data-closed").await.expect("a reason");
    page.hover("#board [data-closed]").await;
    page.wait_text("#choice-note", &format!("Not possible now: {reason}")).await;
    // A click says it again and changes nothing.
    page.click("#board [data-closed]").await;
    page.wait_text(".toast", &reason).await;
    page.click("#closed [aria-disabled]").await;
    shown(&page).await.assert_same(&before, "after clicks on what is closed");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_debug_drawer_is_there_for_those_who_want_it() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    assert_eq!(page.count("[data-act=debug], #tab-debug, #panel-debug").await, 0);
    page.press("d").await;
    settings(&page, &["[name=debug]"]).await;
    page.press("d").await;
    page.wait_text("#debug", "digest: ").await;
    page.wait_text("#debug", "choices").await;
    for name in shown(&page).await.choices {
        let script = "return document.getElementById('debug').textContent.includes(arguments[0]);";
        assert_eq!(page.run(script, vec![name.as_str().into()]).await, true, "{name} is among the choices");
    }
    let digest = page.texts("#debug p").await.into_iter().find(|line| line.starts_with("digest"));
    choose_first(&page).await;
    page.wait_until(
        &format!("!document.getElementById('debug').textContent.includes({:?})", digest.expect("a digest")),
        "another digest",
    )
    .await;
    page.assert_quiet().await;
}

/// Who does not scroll back reads the newest line of the log.
const LAST_LINE_IN_VIEW: &str = "(() => {
  const line = document.querySelector('#log li:last-child').getBoundingClientRect();
  const panel = document.getElementById('panel-log').getBoundingClientRect();
  return line.bottom <= panel.bottom + 1 && line.bottom > panel.top;
})()";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_shows_its_newest_line() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    for nth in 0..8 {
        choose_first(&page).await;
        page.wait_until(
            LAST_LINE_IN_VIEW,
            &format!("the last line of the log in view after {} choices", nth + 1),
        )
        .await;
    }
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rulebook_opens_at_the_rule() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    page.press("r").await;
    page.wait_for("#rules .found").await;
    let rule = page.attribute("#prompt [data-rule]", "data-rule").await.expect("a prompt has a rule");
    let found = page.attribute("#rules .found", "id").await.expect("a rule has a name");
    let found = found.strip_prefix("rule-").expect("a rule");
    assert!(rule.starts_with(found.trim_end_matches(".0")), "{found} for {rule}");
    let in_view = "(() => {
        const [rule, panel, field] = ['#rules .found', '#panel-rules', '#find']
            .map(css => document.querySelector(css).getBoundingClientRect());
        return rule.top >= field.bottom - 1 && rule.top < panel.bottom - 20;
    })()";
    page.shot("rules-panel").await;
    page.wait_until(in_view, "the rule in view").await;
    let width = "document.getElementById('panel-rules').scrollWidth - document.getElementById('panel-rules').clientWidth";
    assert!(number(&page, width).await <= 1.0, "the rulebook is wider than its panel");
    page.wait_for("#board .theatre").await;
    page.assert_quiet().await;
}
