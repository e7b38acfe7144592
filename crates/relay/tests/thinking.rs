//! Questions to bots over a real server of NATS, with answers that can be counted on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use relay::{
    Asked, Askers, Choice, Class, Errand, Labour, NoChoice, Question, Target, Task, Told, Waits, Worker,
};
use testkit::nats::Server;

/// Nothing takes so long, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(300);
const BUILD: &str = "1 abc";
/// A match of three steps.
const LINES: [&str; 3] = ["1 red a 01\n", "# Turn 2\n2 red b 02\n", "3 red c 03\n"];

/// Repeats what it was told of a match.
#[derive(Default)]
struct Parrot {
    known: Mutex<HashMap<String, String>>,
    /// What it was told, question by question.
    told: Mutex<Vec<(usize, String)>>,
}

impl Labour for Parrot {
    fn rules(&self, _: &str) -> Option<String> {
        None
    }

    fn work(&self, _: &Task<'_>, _: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String> {
        Err("it only answers questions".to_owned())
    }

    fn think(&self, question: &Question, _: usize, stop: &AtomicBool) -> Result<Choice, NoChoice> {
        let Question { from, head, lines, bot, .. } = question;
        self.told.lock().unwrap().push((*from, lines.clone()));
        let mut known = self.known.lock().unwrap();
        let before = if head.is_empty() {
            known.remove(&question.about).ok_or(NoChoice::Unknown)?
        } else {
            head.clone()
        };
        let now = format!("{before}{lines}");
        known.insert(question.about.clone(), now.clone());
        drop(known);
        match bot.as_str() {
            "slow" => {
                while !stop.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
            }
            "broken" => panic!("a bot that breaks down"),
            "lost" => return Err(NoChoice::Failed("it has lost its way".to_owned())),
            _ => {}
        }
        Ok(Choice { choice: now, why: bot.clone() })
    }
}

impl Told for Parrot {
    fn says(&self, _: &str) {}

    fn brought(&self, _: &Errand, _: u64, _: u64) {}
}

fn target(server: &Server) -> Target {
    Target { address: server.address(), key: None }
}

/// Whoever asks, and waits however busy the machine is.
fn patient(target: &Target) -> Askers {
    Askers::start(target, Waits { first_word: PATIENCE, silence: PATIENCE }).expect("it connects")
}

fn worker(server: &Server, name: &str, class: Class, build: &str) -> Worker {
    Worker { target: target(server), class, threads: 1, name: name.to_owned(), build: build.to_owned() }
}

fn asked(bot: &str, steps: usize, patience: Duration) -> Asked {
    let patience = patience.as_millis() as u64;
    let [about, game, build, bot] = ["m", "parrot", BUILD, bot].map(str::to_owned);
    Asked {
        question: Question { about, game, build, bot, patience, ..Question::default() },
        steps,
        head: "head\n".to_owned(),
        lines: Box::new(move |from| LINES[from..steps].concat()),
        stop: Arc::default(),
    }
}

fn whole(steps: usize) -> String {
    format!("head\n{}", LINES[..steps].concat())
}

/// Asks, and asks again until somebody listens.
fn answer(askers: &Askers, bot: &str, steps: usize) -> Choice {
    let begun = Instant::now();
    loop {
        if let Some(choice) = wait(askers, asked(bot, steps, PATIENCE)) {
            return choice;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody answers");
        thread::sleep(Duration::from_millis(10));
    }
}

fn wait(askers: &Askers, asked: Asked) -> Option<Choice> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(askers.ask(asked))
}

/// Lets workers end when a test has ended, even if by a failure.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_worker_of_the_house_answers_and_is_told_only_what_has_happened_since() {
    let Some(server) = Server::start() else { return };
    let askers = patient(&target(&server));
    let (first, second) = (Parrot::default(), Parrot::default());
    let (stop, stop_first) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let _ends = [End(&stop), End(&stop_first)];
        let at_first =
            scope.spawn(|| worker(&server, "one", Class::House, BUILD).run(&first, &stop_first, &first));
        assert_eq!(answer(&askers, "plain", 1), Choice { choice: whole(1), why: "plain".to_owned() });
        assert_eq!(answer(&askers, "plain", 2).choice, whole(2));
        assert_eq!(answer(&askers, "plain", 2).choice, whole(2), "nothing has happened since");
        let told = std::mem::take(&mut *first.told.lock().unwrap());
        assert_eq!(told, [(0, LINES[0].to_owned()), (1, LINES[1].to_owned()), (2, String::new())]);
        // One that has forgotten it is told all of it.
        first.known.lock().unwrap().clear();
        assert_eq!(answer(&askers, "plain", 3).choice, whole(3));
        assert_eq!(first.told.lock().unwrap().last(), Some(&(0, LINES.concat())));
        // So is another one that takes its place.
        stop_first.store(true, Ordering::Relaxed);
        at_first.join().expect("no panic").expect("it ends well");
        scope.spawn(|| worker(&server, "two", Class::House, BUILD).run(&second, &stop, &second));
        assert_eq!(answer(&askers, "plain", 3).choice, whole(3));
        assert_eq!(*second.told.lock().unwrap(), [(0, LINES.concat())]);
    });
}

#[test]
fn whoever_wants_the_answer_now_gets_it_and_what_breaks_down_gives_none() {
    let Some(server) = Server::start() else { return };
    let askers = patient(&target(&server));
    let (parrot, stop) = (Parrot::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let _end = End(&stop);
        scope.spawn(|| worker(&server, "one", Class::House, BUILD).run(&parrot, &stop, &parrot));
        answer(&askers, "plain", 1);
        let slow = asked("slow", 1, PATIENCE);
        let now = Arc::clone(&slow.stop);
        let hurry = scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            now.store(true, Ordering::Relaxed);
        });
        assert_eq!(wait(&askers, slow).map(|choice| choice.why).as_deref(), Some("slow"));
        hurry.join().expect("no panic");
        // After its time a worker answers by itself, or is not waited for.
        let begun = Instant::now();
        wait(&askers, asked("slow", 1, Duration::from_millis(300)));
        assert!(begun.elapsed() < PATIENCE);
        answer(&askers, "plain", 1);
        for bot in ["broken", "lost"] {
            assert_eq!(wait(&askers, asked(bot, 1, PATIENCE)), None, "{bot}");
        }
        answer(&askers, "plain", 1);
    });
}

#[test]
fn a_worker_that_ends_does_not_answer_in_haste() {
    let Some(server) = Server::start() else { return };
    let askers = patient(&target(&server));
    let (parrot, stop) = (Parrot::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let _end = End(&stop);
        scope.spawn(|| worker(&server, "one", Class::House, BUILD).run(&parrot, &stop, &parrot));
        answer(&askers, "plain", 1);
        let slow = scope.spawn(|| wait(&askers, asked("slow", 1, PATIENCE)));
        while parrot.told.lock().unwrap().len() < 2 {
            thread::sleep(Duration::from_millis(1));
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(slow.join().expect("no panic"), None, "nobody else is there");
    });
}

#[test]
fn a_match_that_has_not_begun_is_asked_about_like_any_other() {
    let Some(server) = Server::start() else { return };
    let askers = patient(&target(&server));
    let (parrot, stop) = (Parrot::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let _end = End(&stop);
        scope.spawn(|| worker(&server, "one", Class::House, BUILD).run(&parrot, &stop, &parrot));
        assert_eq!(answer(&askers, "plain", 0).choice, whole(0));
        assert_eq!(answer(&askers, "plain", 1).choice, whole(1));
    });
    assert!(parrot.told.lock().unwrap().iter().all(|(from, _)| *from == 0), "nothing was known of it");
}

/// Linux takes this address for its own machine, and nobody can know that from the address.
#[cfg(target_os = "linux")]
#[test]
fn what_a_match_hides_goes_only_where_nobody_can_listen() {
    let Some(server) = Server::start() else { return };
    let open = Target { address: server.address().replace("127.0.0.1", "0.0.0.0"), key: None };
    assert!(!open.is_private() && target(&server).is_private());
    let hiding = |steps| {
        let mut asked = asked("plain", steps, PATIENCE);
        asked.question.hides = true;
        asked
    };
    let askers = patient(&target(&server));
    let (in_the_open, apart) = (Parrot::default(), Parrot::default());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&stop);
        let far = Worker { target: open.clone(), ..worker(&server, "far", Class::House, BUILD) };
        let (stop, ear) = (&stop, &in_the_open);
        scope.spawn(move || far.run(ear, stop, ear).expect("it ends well"));
        answer(&askers, "plain", 1);
        assert_eq!(wait(&askers, hiding(2)), None, "the only worker is reached in the open");
        scope.spawn(|| worker(&server, "near", Class::House, BUILD).run(&apart, stop, &apart));
        let begun = Instant::now();
        while wait(&askers, hiding(3)).is_none() {
            assert!(begun.elapsed() < PATIENCE, "nobody answers");
        }
        let far = patient(&open);
        assert_eq!(wait(&far, hiding(1)), None, "nor does it leave in the open");
        answer(&far, "plain", 1);
    });
    let told = in_the_open.told.lock().unwrap();
    assert!(told.iter().all(|(_, lines)| *lines == LINES[0]), "{told:?}");
}

#[test]
fn lent_machines_and_other_builds_are_not_asked() {
    let Some(server) = Server::start() else { return };
    let askers = patient(&target(&server));
    assert_eq!(wait(&askers, asked("plain", 1, PATIENCE)), None, "nobody is there");
    let (lent, other, house) = (Parrot::default(), Parrot::default(), Parrot::default());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(&stop);
        scope.spawn(|| worker(&server, "lent", Class::Lent, BUILD).run(&lent, &stop, &lent));
        scope.spawn(|| worker(&server, "other", Class::House, "2 def").run(&other, &stop, &other));
        scope.spawn(|| worker(&server, "house", Class::House, BUILD).run(&house, &stop, &house));
        for _ in 0..5 {
            answer(&askers, "plain", 1);
        }
    });
    for parrot in [&lent, &other] {
        assert_eq!(*parrot.told.lock().unwrap(), []);
    }
    assert_eq!(house.told.lock().unwrap().len(), 5);
}
