//! Two people at Blitzkrieg! by link, and one who looks on: hands stay hidden.

use serde_json::{Value, json};

use crate::blitz_desk::{calm, for_two};
use crate::blitz_secrets::{Looker, look};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{CHOICES, choose_first, revision, sit_down, wait_revision};
use crate::together::link;

const AXIS: (&str, &str) = ("Axis", "first");
const ALLIES: (&str, &str) = ("Allies", "second");

/// Somebody at the table, in a browser of their own.
struct Visitor {
    page: Page,
    looker: Looker,
    messages: Vec<String>,
}

impl Visitor {
    async fn new(page: Page, side: Option<(&'static str, &'static str)>) -> Self {
        let path = page.eval("location.pathname").await.as_str().expect("a path").to_owned();
        Self { page, looker: Looker { path, side }, messages: Vec::new() }
    }

    fn name(&self) -> &'static str {
        self.looker.side.map_or("who looks on", |(name, _)| name)
    }

    /// Fails if they are sent what they must not know; returns their hand.
    async fn check(&mut self) -> Vec<String> {
        let new = self.page.traffic().await.received;
        let seen = look(&self.page, &self.looker, &new, true).await;
        seen.assert_honest(self.name());
        self.messages.extend(new);
        seen.hand
    }
}

/// The words of the tokens in the own reserve, as the page shows them.
async fn hand(page: &Page) -> Vec<String> {
    let words = "[...document.querySelectorAll('#hand .tokens use[href^=\"#k-\"]')]
        .map(use => use.getAttribute('href').slice(3))";
    serde_json::from_value(page.eval(words).await).expect("tokens")
}

/// What is fetched from within the page: status and text.
async fn fetch(page: &Page, path: &str) -> (u64, String) {
    let script = "return fetch(arguments[0]).then(async (answer) => [answer.status, await answer.text()]);";
    let answer = page.run(script, vec![path.into()]).await;
    (answer[0].as_u64().expect("a status"), answer[1].as_str().unwrap_or_default().to_owned())
}

/// Makes some choices over HTTP, for whichever seat is to move; returns whether the game is over.
const PLAY: &str = "const [paths, count] = arguments;
  const pause = (time) => new Promise((done) => setTimeout(done, time));
  for (let made = 0; made < count; made++) {
    let asked = null;
    for (const path of paths) {
      const debug = await fetch(`${path}/debug`).then((answer) => answer.json());
      if (debug.choices.length) asked = { path, revision: debug.revision, choices: debug.choices };
    }
    if (!asked) return true;
    const { path, revision, choices } = asked;
    const choice = choices[(revision * 7) % choices.length];
    const post = () => fetch(`${path}/choose`, { method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ revision, choice }) });
    let answer = await post();
    while (answer.status === 429) {
      await pause(100);
      answer = await post();
    }
    if (!answer.ok) throw new Error(`${choice}: ${await answer.text()}`);
  }
  return (await fetch(`${paths[0]}/update?since=0`).then((answer) => answer.json())).over;";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hands_stay_hidden_from_friend_and_spectator() {
    let server = Server::start();
    let owner = for_two(&server, Size::DESKTOP, ["me", "friend"]).await;
    let friend = sit_down(Size::DESKTOP, &link(&owner, "link-0").await).await;
    let viewer = sit_down(Size::DESKTOP, &link(&owner, "link-viewer").await).await;
    assert_eq!((owner.text(".role").await, friend.text(".role").await), ("Axis".into(), "Allies".into()));
    let mut visitors = [
        Visitor::new(owner, Some(AXIS)).await,
        Visitor::new(friend, Some(ALLIES)).await,
        Visitor::new(viewer, None).await,
    ];

    for visitor in &visitors {
        calm(&visitor.page).await;
    }

    // The eyes see: to anybody else the owner's own page is full of secrets.
    for other in [Some(ALLIES), None] {
        let wrong = Looker { path: visitors[0].looker.path.clone(), side: other };
        let seen = look(&visitors[0].page, &wrong, &[], true).await;
        for part in ["the page:", "the page as it is served:", "update:", "at 0:", "debug:"] {
            // Before the first step nobody has a token.
            let expected = part != "at 0:";
            assert_eq!(
                seen.leaks.iter().any(|leak| leak.starts_with(part)),
                expected,
                "{part} {:#?}",
                seen.leaks
            );
        }
    }

    for turn in 0..6 {
        let [axis, allies, viewer] = &mut visitors;
        let hands = (axis.check().await, allies.check().await);
        assert_eq!(hands, (hand(&axis.page).await, hand(&allies.page).await));
        assert!(viewer.check().await.is_empty());
        assert_eq!(viewer.page.count("#hand .counter.back").await, hands.1.len());
        for (own, others) in [(&*axis, hands.1.len()), (&*allies, hands.0.len())] {
            assert_eq!(own.page.count("#far .counter.back").await, others);
            assert_eq!(own.page.count("#far .counter:not(.back)").await, 0);
        }
        if turn == 0 {
            assert_eq!((hands.0.len(), hands.1.len()), (3, 3));
        }
        // Whoever is asked chooses; the other can't even ask what they could do.
        let axis_moves = axis.page.count("#prompt.yours").await > 0;
        let (mover, waits) = if axis_moves { (&*axis, &*allies) } else { (&*allies, &*axis) };
        assert_eq!(waits.page.count(&format!("{CHOICES}, #board [data-choice], [data-piece]")).await, 0);
        let name = mover.page.attribute(CHOICES, "data-choice").await.expect("a choice");
        for other in [waits, &*viewer] {
            for route in ["preview", "why"] {
                let path = format!("{}/{route}?choice={}", other.looker.path, name.replace(' ', "%20"));
                assert_eq!(fetch(&other.page, &path).await.0, 403, "{route} {}", other.name());
            }
        }
        choose_first(&mover.page).await;
        let now = revision(&mover.page).await;
        for visitor in &visitors {
            wait_revision(&visitor.page, now).await;
        }
    }
    assert!(visitors.iter().all(|visitor| visitor.messages.len() >= 4), "messages were not heard");
    let wrong = Looker { side: Some(ALLIES), ..visitors[0].looker.clone() };
    let seen = look(&visitors[0].page, &wrong, &visitors[0].messages, false).await;
    assert!(seen.leaks.iter().any(|leak| leak.starts_with("message ")), "the eyes are blind to messages");
    visitors[1].page.shot("blitz-two-players").await;
    record_waits_for_the_end(&visitors).await;
}

/// The record is refused while something is hidden; then the war is played to its end over HTTP.
async fn record_waits_for_the_end(visitors: &[Visitor; 3]) {
    let [axis, allies, _] = visitors;
    let id = axis.looker.path.split('/').nth(2).unwrap_or_default();
    let record = format!("/matches/{id}/record");
    for visitor in visitors {
        for path in [format!("{}/export", visitor.looker.path), record.clone()] {
            let (status, text) = fetch(&visitor.page, &path).await;
            assert_eq!(status, 403, "{path}: {text}");
            assert!(
                text.contains("a match with hidden information can only be published when it is over"),
                "{path}: {text}"
            );
        }
    }
    axis.page.click("[data-act=share]").await;
    axis.page.wait_text("#share", "download the record of the match when the game is over").await;
    assert_eq!(axis.page.count("#share a[href$='/export']").await, 0);
    axis.page.press("Escape").await;

    let paths = json!([axis.looker.path, allies.looker.path]);
    let mut rounds = 0;
    while axis.page.run(PLAY, vec![paths.clone(), json!(9)]).await != Value::Bool(true) {
        rounds += 1;
        assert!(rounds < 40, "the war does not end");
        for visitor in visitors {
            let seen = look(&axis.page, &visitor.looker, &[], false).await;
            seen.assert_honest(visitor.name());
        }
    }
    for visitor in visitors {
        visitor.page.wait_for("#prompt.over").await;
        let (status, text) = fetch(&visitor.page, &format!("{}/export", visitor.looker.path)).await;
        assert_eq!(status, 200, "{text}");
        assert!(text.contains("draw ") && text.contains("\nresult: "), "{text}");
    }
    assert!(fetch(&axis.page, &record).await.1.contains("\nresult: "));
    // Nothing is hidden any more.
    assert_eq!(allies.page.count("#far .counter.back").await, 0);
    for visitor in visitors {
        let problems = visitor.page.console_problems().await;
        let others: Vec<&String> = problems.iter().filter(|line| !line.contains("status of 4")).collect();
        assert!(others.is_empty(), "{}: {others:#?}", visitor.name());
    }
}
