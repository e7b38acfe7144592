//! Somebody who tries what works while something fails, at a match of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::NEW_MATCH_OF_SEED;
use crate::history::Outcome;
use crate::hosts::{A, B};
use crate::house::{Random, told, until};
use crate::site::{SERVERS, Site, Visitor};

/// How long the longest time-outs of servers may take in all; nobody waits longer for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a server may take to say no when it knows that there is no database, on a machine that does a lot besides.
const AT_ONCE: Duration = Duration::from_secs(5);
/// How long a choice or a page may take while a server finds out that there is no database: its time-outs are five seconds each.
const TIME_OUTS: Duration = Duration::from_secs(30);
/// How long news may take without NATS: it is asked every two seconds, on a machine that does a lot besides.
const ASKED: Duration = Duration::from_secs(20);
/// What a server says that knows of it.
const NO_DATABASE: &str = "database does not answer";
/// How often something is tried.
const TIMES: usize = 3;

/// The longest times that were met with.
#[derive(Default)]
pub struct Longest {
    /// From a cut until `/health` says so.
    pub red: Duration,
    /// Until a choice was answered.
    pub answer: Duration,
    /// From a cut until choices are refused at once.
    pub known: Duration,
    /// Until a choice was refused after that.
    pub refusal: Duration,
    /// Until a page came, all the time.
    pub page: Duration,
    /// Until a choice was made at the other server meanwhile.
    pub elsewhere: Duration,
    /// Until a page at one server was told of a choice at the other, without NATS.
    pub update: Duration,
    /// From the end of a fault until both servers were well and took choices.
    pub recovery: Duration,
}

/// Somebody who tries what works.
pub struct Probe<'s> {
    site: &'s Site,
    visitor: Visitor<'s>,
    random: Random,
    count: u64,
    /// The match, and one that only looked at.
    path: String,
    idle: String,
    pub played: Vec<String>,
    pub longest: Longest,
}

impl<'s> Probe<'s> {
    pub fn new(site: &'s Site, seed: u64) -> Self {
        let visitor = Visitor::new(site, "probe".to_owned(), PATIENCE);
        let (path, idle, played, longest) = (String::new(), String::new(), Vec::new(), Longest::default());
        let mut probe = Self { site, visitor, random: Random(seed), count: 0, path, idle, played, longest };
        probe.idle = probe.new_match(A);
        probe
    }

    fn new_match(&mut self, host: usize) -> String {
        let form = format!("{NEW_MATCH_OF_SEED}{}", self.random.below(1 << 30));
        let path = until("a new match", || self.visitor.new_match(host, &form));
        self.played.push(path.clone());
        path
    }

    /// Begins a match that both servers know.
    pub fn prepare(&mut self) {
        self.path = self.new_match(A);
        for host in SERVERS {
            self.go_on(host);
            until("an idle page", || {
                (self.site.status(host, &self.idle, PATIENCE) == Some(200)).then_some(())
            });
        }
    }

    /// Tries a choice once; how long the answer took. `None` if there was nobody to ask.
    fn try_once(&mut self, host: usize) -> Option<(Outcome, Duration)> {
        let shown = self.visitor.look(host, &self.path)?;
        let Some(choice) = shown.choices.get(self.random.below(shown.choices.len())) else {
            self.path = self.new_match(host);
            return None;
        };
        self.count += 1;
        let (path, key) = (self.path.clone(), format!("probe-{}", self.count));
        let begun = Instant::now();
        let outcome = self.visitor.choose(host, &path, shown.revision, choice, &key)?;
        Some((outcome, begun.elapsed()))
    }

    /// Chooses at a server until a choice is made; its number, and how long that took.
    pub fn go_on(&mut self, host: usize) -> (u64, Duration) {
        let begun = Instant::now();
        let number = until("a choice is made", || match self.try_once(host)? {
            (Outcome::Made(number), _) => Some(number),
            _ => None,
        });
        (number, begun.elapsed())
    }

    /// The same at a server that nothing is wrong with.
    pub fn go_on_elsewhere(&mut self, host: usize) {
        let (_, took) = self.go_on(host);
        self.longest.elsewhere = self.longest.elsewhere.max(took);
        self.expect_health(host, 200);
    }

    fn expect_health(&self, host: usize, status: u16) {
        until(&format!("/health of {host} says {status}"), || {
            (self.site.status(host, "/health", PATIENCE) == Some(status)).then_some(())
        });
    }

    /// A server has no database: it refuses choices and says why, shows its pages, and its `/health` is red.
    pub fn expect_refusals(&mut self, host: usize) {
        let (site, idle, is_over) = (self.site, self.idle.clone(), AtomicBool::new(false));
        let (red, page) = thread::scope(|scope| {
            let red = scope.spawn(|| time_until_red(site, host));
            let pages = scope.spawn(|| longest_page(site, host, &idle, &is_over));
            let ends = Ends(&is_over);
            self.wait_until_it_knows(host);
            let red = red.join().unwrap_or_else(|why| std::panic::resume_unwind(why));
            self.be_refused(host);
            drop(ends);
            (red, pages.join().unwrap_or_else(|why| std::panic::resume_unwind(why)))
        });
        self.longest.red = self.longest.red.max(red);
        self.longest.page = self.longest.page.max(page);
        assert!(page < TIME_OUTS, "a page took {page:?}");
    }

    /// Chooses until the server says that the database does not answer.
    fn wait_until_it_knows(&mut self, host: usize) {
        let begun = Instant::now();
        until("it knows that it has no database", || {
            let (outcome, took) = self.try_once(host)?;
            self.longest.answer = self.longest.answer.max(took);
            assert!(took < TIME_OUTS, "{outcome:?} took {took:?}");
            matches!(outcome, Outcome::Refused(why) if why.contains(NO_DATABASE)).then_some(())
        });
        self.longest.known = self.longest.known.max(begun.elapsed());
    }

    /// Insists that choices are refused at once, and that what they were for is shown.
    fn be_refused(&mut self, host: usize) {
        for _ in 0..TIMES {
            let (outcome, took) = until("an answer", || self.try_once(host));
            match outcome {
                Outcome::Refused(why) => assert!(why.contains(NO_DATABASE), "{why}"),
                other => panic!("without a database: {other:?}"),
            }
            self.longest.refusal = self.longest.refusal.max(took);
            assert!(took < AT_ONCE, "it took {took:?}");
            assert_eq!(self.site.status(host, &self.path, PATIENCE), Some(200), "the page is shown");
        }
    }

    /// A server hears nothing from NATS: choices at one are shown at the other all the same.
    pub fn expect_updates(&mut self) {
        for number in 0..2 * TIMES {
            let (here, there) = if number % 2 == 0 { (A, B) } else { (B, A) };
            let path = self.path.clone();
            let known = until("a position", || self.visitor.look(there, &path)).revision;
            let open = || self.site.window(there, &path, known, PATIENCE).ok();
            let mut window = until("a window", open);
            let (number, _) = self.go_on(here);
            if path != self.path {
                continue;
            }
            let chosen = Instant::now();
            while told(&window.update().expect("an update")).is_none_or(|told| told < number) {}
            let took = chosen.elapsed();
            self.longest.update = self.longest.update.max(took);
            assert!(took < ASKED, "an update without NATS took {took:?}");
        }
    }

    /// Nothing is wrong any more: both servers are well and take choices.
    pub fn expect_recovery(&mut self) {
        let begun = Instant::now();
        for host in SERVERS {
            self.expect_health(host, 200);
            self.go_on(host);
        }
        self.longest.recovery = self.longest.recovery.max(begun.elapsed());
    }
}

/// How long it takes until `/health` is red.
fn time_until_red(site: &Site, host: usize) -> Duration {
    let begun = Instant::now();
    until("/health is red", || (site.status(host, "/health", PATIENCE) == Some(503)).then_some(()));
    begun.elapsed()
}

/// Looks at a page again and again; how long it took at most. It is shown every time.
fn longest_page(site: &Site, host: usize, path: &str, is_over: &AtomicBool) -> Duration {
    let mut longest = Duration::ZERO;
    while !is_over.load(Ordering::SeqCst) {
        let begun = Instant::now();
        assert_eq!(site.status(host, path, PATIENCE), Some(200), "the page is shown");
        longest = longest.max(begun.elapsed());
        thread::sleep(Duration::from_millis(50));
    }
    longest
}

/// Says that something is over, also when it has failed.
pub struct Ends<'a>(pub &'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
