//! Three people at Triumph & Tragedy in three windows, and one who looks on: the year 1936 by the mouse, and nobody is sent what
//! the others hide.

use std::collections::BTreeMap;

use crate::blitz_desk::calm;
use crate::driver::Page;
use crate::server::Server;
use crate::table::{SEED, machine_is_quiet, post, sit_down, wait_revision};
use crate::together::link;
use crate::triumph_desk::{LAPTOP, by_mouse, war};
use crate::triumph_plan::Plan;
use crate::triumph_secrets::{SEATS, Seen, Truth, listen, look, truth};

/// The most bytes of an update, also of one that lists up to a hundred plays of the own cards.
const MOST_BYTES: usize = 30_000;

/// The longest that the server may take for a choice in the middle of all, on a machine that does nothing else.
const MOST_MICROS: u64 = 5_000;

/// Somebody at the table, in a browser of their own.
struct Visitor {
    page: Page,
    path: String,
    seat: Option<&'static str>,
    /// The size of the largest update that the live connection has brought.
    largest: usize,
    card_play: usize,
}

impl Visitor {
    async fn new(page: Page, seat: Option<&'static str>) -> Self {
        calm(&page).await;
        listen(&page).await;
        let path = page.eval("location.pathname").await.as_str().expect("a path").to_owned();
        page.traffic().await;
        Self { page, path, seat, largest: 0, card_play: 0 }
    }

    fn name(&self) -> &'static str {
        self.seat.unwrap_or("who looks on")
    }

    /// Fails if they were sent what they must not know.
    async fn check(&mut self, truths: &[Truth]) -> Seen {
        let messages = self.page.traffic().await.received;
        let seen = look(&self.page, &self.path, self.seat, truths, &messages, true).await;
        let now = truths.last().expect("a truth").revision;
        assert!(seen.leaks.is_empty(), "{} at revision {now}:\n{}", self.name(), seen.leaks.join("\n"));
        self.largest = self.largest.max(seen.largest);
        self.card_play = self.card_play.max(seen.card_play);
        seen
    }
}

/// What happened in the year, to be sure that there was something to hide.
#[derive(Default)]
struct Met {
    clicks_on_the_board: usize,
    committed: bool,
    vaulted: bool,
    shown: bool,
    kinds: BTreeMap<String, usize>,
}

impl Met {
    /// Whether a kind of secret is met for the first time.
    fn is_new(&mut self, now: &Truth) -> bool {
        let news = [now.committed, now.vaults.iter().any(|vault| !vault.is_empty()), !now.shown.is_empty()];
        let known = [&mut self.committed, &mut self.vaulted, &mut self.shown];
        known.into_iter().zip(news).fold(false, |any, (known, new)| {
            let first = new && !*known;
            *known |= new;
            any || first
        })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_year_in_three_windows_tells_nobody_what_the_others_hide() {
    let server = Server::start();
    let owner = war(&server, LAPTOP, "1936", ["me", "friend", "friend"], SEED).await;
    let mut windows = Vec::new();
    for id in ["link-0", "link-1", "link-viewer"] {
        windows.push(sit_down(LAPTOP, &link(&owner, id).await).await);
    }
    let mut visitors = vec![Visitor::new(owner, Some("axis")).await];
    for (page, seat) in windows.into_iter().zip([Some("west"), Some("ussr"), None]) {
        visitors.push(Visitor::new(page, seat).await);
    }
    let paths = [0, 1, 2].map(|at: usize| visitors[at].path.clone());
    let mut plan = Plan::default();
    let mut met = Met::default();
    let mut truths = vec![truth(&visitors[0].page, &paths).await];
    let mut checked = 0;
    loop {
        let now = truths.last().expect("a truth").clone();
        if now.season.contains("1937") {
            break;
        }
        let asked = &visitors[now.asked.expect("the year has not ended")].page;
        wait_revision(asked, now.revision).await;
        let name = plan.choice(SEATS[now.asked.expect("somebody is asked")], &now.choices, &now.season);
        let word = name.split(' ').next().unwrap_or_default().to_owned();
        *met.kinds.entry(word).or_default() += 1;
        met.clicks_on_the_board += usize::from(by_mouse(asked, &name).await);
        truths.push(truth(&visitors[0].page, &paths).await);
        let then = truths.last().expect("a truth").clone();
        // At the first secret of a kind and at every change of phase everything is looked at.
        if met.is_new(&then) || then.season != now.season || checked == 0 {
            checked += 1;
            if checked == 1 {
                eyes_see(&visitors[0], &truths).await;
            }
            for visitor in &mut visitors {
                wait_revision(&visitor.page, then.revision).await;
                let seen = visitor.check(&truths).await;
                assert!(seen.searched > 20 && seen.backs > 0, "{}: {seen:?}", visitor.name());
            }
        }
        assert!(truths.len() < 400, "the year does not end: {:?}", met.kinds);
    }
    visitors[3].page.shot("triumph-1937").await;
    assert!(met.committed && met.vaulted && met.shown, "{:?}", met.kinds);
    for kind in [
        "cadre",
        "strengthen",
        "build",
        "at",
        "buy",
        "finish",
        "diplomacy",
        "commit",
        "move",
        "to",
        "violate",
        "fire",
    ] {
        assert!(met.kinds.contains_key(kind), "no {kind}: {:?}", met.kinds);
    }
    let largest = visitors.iter().map(|visitor| visitor.largest).max().unwrap_or_default();
    let card_play = visitors.iter().map(|visitor| visitor.card_play).max().unwrap_or_default();
    let mut micros: Vec<u64> = truths.iter().skip(1).map(|truth| truth.micros).collect();
    micros.sort_unstable();
    let median = micros[micros.len() / 2];
    println!(
        "{} choices, {} on the board, {checked} looks, the largest update {largest} bytes ({card_play} in card play), {median} µs a choice: {:?}",
        truths.len() - 1,
        met.clicks_on_the_board,
        met.kinds
    );
    assert!(!machine_is_quiet() || median < MOST_MICROS, "{median} µs a choice");
    assert!((2_000..MOST_BYTES).contains(&largest), "an update of {largest} bytes");
    assert!((2_000..MOST_BYTES).contains(&card_play), "an update of {card_play} bytes in card play");
    for visitor in &visitors {
        let problems = visitor.page.console_problems().await;
        // The eyes ask for what is refused, and read pages that have styles of their own.
        let is_ours = |line: &&String| line.contains("status of 4") || line.contains("Applying inline style");
        let others: Vec<&String> = problems.iter().filter(|line| !is_ours(line)).collect();
        assert!(others.is_empty(), "{}: {others:#?}", visitor.name());
    }
    waiting_is_all_that_others_can_do(&visitors, truths.last().expect("a truth")).await;
}

/// To anybody else the Axis's own window is full of secrets, wherever one looks.
async fn eyes_see(axis: &Visitor, truths: &[Truth]) {
    for other in [Some("west"), None] {
        let seen = look(&axis.page, &axis.path, other, truths, &[], false).await;
        for part in ["the page as it is served:", "update:", "debug:", "film", "log:", "/print:"] {
            assert!(seen.leaks.iter().any(|leak| leak.starts_with(part)), "{part} {:#?}", seen.leaks);
        }
    }
}

/// Nobody can choose, foresee or ask for another.
async fn waiting_is_all_that_others_can_do(visitors: &[Visitor], now: &Truth) {
    let asked = now.asked.expect("somebody is asked");
    let name = now.choices[0].replace(' ', "%20");
    for visitor in visitors.iter().filter(|visitor| visitor.seat != Some(SEATS[asked])) {
        for route in ["preview", "why", "labels"] {
            let path = format!("{}/{route}?choice={name}", visitor.path);
            let status = visitor
                .page
                .run("return fetch(arguments[0]).then((answer) => answer.status);", vec![path.into()]);
            assert_eq!(status.await, 403, "{route} {}", visitor.name());
        }
        let wish = serde_json::json!({ "revision": now.revision, "choice": now.choices[0] });
        let refused = post(&visitor.page, &format!("{}/choose", visitor.path), &wish).await;
        assert!((400..500).contains(&refused), "{}: {refused}", visitor.name());
        assert_eq!(
            visitor.page.count("#board [data-choice], #choices ol [data-choice], [data-piece]").await,
            0
        );
    }
}
