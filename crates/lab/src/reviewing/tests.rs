//! Reviews in pieces are those of one process, whoever makes the looks; what is no review is refused.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bots::{Bot as _, BotKind, Player};
use kernel::{Discard, LabDice, MatchDice, Mover, Options, Viewer, Wording as _};
use sha2::{Digest as _, Sha256};
use store::{Finished, JobState, Ledger, MemoryStore, Part, SqliteStore};

use super::*;
use crate::work::{Asked, Build, Hands};

/// A match between bots, at most so many steps of it.
fn played<G: CompleteGame>(options: &[(&str, &str)], bot: BotKind, most: usize) -> Match<G> {
    let options: Options =
        options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let game = G::with_options(&options).expect("these options exist");
    let mut of = Match::new(game.clone(), MatchDice::seeded(7));
    let mut dice = LabDice::new(7);
    let mut players: Vec<Player<G>> = game.seats().iter().map(|_| Player::new(bot)).collect();
    while of.log().len() < most {
        match of.mover() {
            Mover::Nobody => break,
            Mover::Fate => of.fate(None, &mut Discard).expect("fair dice"),
            Mover::Seat(seat) => {
                let choices = of.choices();
                let pick = {
                    let view = game.view(of.state(), Viewer::Seat(seat));
                    players[seat.index()].choose(&game, &view, &choices, &mut dice)
                };
                of.play(choices[pick], &mut Discard).expect("a listed choice is open");
            }
        }
    }
    of
}

/// What people and programs are shown.
fn told(review: &Review) -> String {
    assert!(!review.stopped);
    format!("{}\n{}", review.text(100, None), serde_json::to_string(review).expect("a document"))
}

fn site(ledger: &Arc<dyn Ledger>) -> Site {
    let build = Build { build: "1".to_owned(), process: "test".to_owned() };
    Site::with_ledger(Arc::clone(ledger), build, true)
}

/// A game that a review is read for, by its specification alone.
type Labourer =
    fn(&str, &[Range<u64>], &Progress, &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String>;

/// Others that make the looks, the last chunk first; they have never heard of the match. After so many chunks they stop.
struct Others {
    labour: Labourer,
    most: usize,
    /// How many chunks they have done.
    done: AtomicU64,
}

impl Hands for Others {
    fn work(&self, asked: &Asked<'_>) -> Result<(), String> {
        let id = &asked.job.job.id;
        let taken = asked.ledger.claim(id, asked.holder, (asked.now)(), u64::MAX, usize::MAX);
        for chunk in taken.map_err(|why| why.to_string())?.iter().rev().take(self.most) {
            let mut parts = Vec::new();
            let spec = &asked.job.job.spec;
            (self.labour)(spec, std::slice::from_ref(&chunk.numbers), &Progress::default(), &mut |made| {
                parts.extend(made);
                true
            })?;
            let part = |bytes: Vec<u8>| Part { sha256: Sha256::digest(&bytes).into(), bytes };
            let finished = Finished { n: chunk.n, parts: parts.into_iter().map(part).collect() };
            asked.ledger.keep(id, "another", &[finished]).map_err(|why| why.to_string())?;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// A review is the same in one process, through a ledger on any number of threads, with stops in between, and by others who
/// know nothing but the specifications.
#[track_caller]
fn is_the_same_in_pieces<G: CompleteGame>(of: &Match<G>, playouts: u64) {
    let quality = |threads| Quality { playouts, threads };
    let plain = review::review(of, quality(2), &Progress::default()).expect("a review");
    let plain = told(&plain);
    for threads in [1, 3] {
        let here = Site::in_process();
        let progress = Progress::default();
        let worked = review_at(&here, of, quality(threads), &progress).expect("a review");
        assert!(told(&worked.result.expect("it was not stopped")) == plain, "{threads} threads");
        assert!((progress.fraction() - 1.0).abs() < 1e-9, "{progress:?}");
    }
    stopped_again_and_again(of, quality(2), &plain);
    // By others, who stop after some chunks.
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let mut rounds = 0;
    let review = loop {
        rounds += 1;
        let most = if rounds < 4 { 5 * rounds } else { usize::MAX };
        let others = Others { labour: crate::labour::<G>, most, done: AtomicU64::new(0) };
        let there = site(&ledger).with_hands(Arc::new(others));
        if let Some(review) = review_at(&there, of, quality(1), &Progress::default()).expect("looks").result {
            break review;
        }
    };
    assert!(rounds >= 4 && told(&review) == plain, "by others, in {rounds} rounds");
}

/// Stopped after each so many claims, and gone on with; nothing that was kept is done again.
#[track_caller]
fn stopped_again_and_again<G: CompleteGame>(of: &Match<G>, quality: Quality, plain: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger: Arc<dyn Ledger> = Arc::new(SqliteStore::open(folder.path()).expect("a store"));
    let (mut stops, mut before) = (0, 0);
    let review = loop {
        let progress = Arc::new(Progress::default());
        // The clock is asked twice for each claim.
        let (left, heard) = (AtomicU64::new(8 + 4 * stops), Arc::clone(&progress));
        let clock = move || {
            if left.fetch_sub(1, Ordering::Relaxed) <= 1 {
                heard.stop();
            }
            1
        };
        let here = site(&ledger).with_clock(clock);
        let worked = review_at(&here, of, quality, &progress).expect("looks");
        assert!(worked.before >= before, "{} and then {}", before, worked.before);
        before = worked.before;
        match worked.result {
            Some(review) => break review,
            None => stops += 1,
        }
        assert!(stops < 40, "it never ends");
    };
    assert!(stops > 1 && before > 0, "it was stopped {stops} times, with {before} looks kept");
    assert!(told(&review) == plain, "after {stops} stops");
    // All of it is there.
    let looks: u64 = ledger.jobs().expect("jobs").iter().map(|job| job.numbers[0]).sum();
    let again = review_at(&site(&ledger), of, quality, &Progress::default()).expect("looks");
    assert_eq!(again.before, looks);
    assert!(told(&again.result.expect("all of it")) == plain, "once more");
}

#[test]
fn a_review_of_echoes_is_the_same_in_pieces() {
    is_the_same_in_pieces(&echoes_match(), 20_000);
}

#[test]
fn a_review_of_a_match_that_goes_on_is_the_same_in_pieces() {
    is_the_same_in_pieces(&played::<echoes::Echoes>(&[("edition", "axis")], BotKind::Greedy, 40), 8_000);
}

#[test]
fn a_review_of_blitz_is_the_same_in_pieces() {
    is_the_same_in_pieces(&played::<blitz::Blitz>(&[], BotKind::Random, usize::MAX), 3_000);
}

#[test]
fn a_review_of_triumph_is_the_same_in_pieces() {
    // With one playout for everything there is enough to look at.
    is_the_same_in_pieces(&played::<triumph::Triumph>(&[("start", "1939")], BotKind::Greedy, usize::MAX), 0);
}

#[test]
fn a_review_of_dday_is_the_same_in_pieces() {
    is_the_same_in_pieces(&played::<dday::DDay>(&[("scenario", "01_omaha")], BotKind::Random, 90), 400);
}

#[test]
fn a_review_of_surrender_is_the_same_in_pieces() {
    let options = [("scenario", "poland-1939"), ("commit", "open")];
    is_the_same_in_pieces(&played::<surrender::Surrender>(&options, BotKind::Greedy, 70), 200);
}

/// With mistakes in it, so that there are second looks.
fn echoes_match() -> Match<echoes::Echoes> {
    played(&[], BotKind::Random, usize::MAX)
}

/// The jobs of a review, as they are written down.
fn jobs_of<G: CompleteGame>(of: &Match<G>, playouts: u64) -> Vec<store::Job> {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    let quality = Quality { playouts, threads: 2 };
    let review = review_at(&site(&ledger), of, quality, &Progress::default()).expect("looks");
    assert!(review.result.is_some());
    ledger.jobs().expect("jobs")
}

#[test]
fn a_review_is_two_jobs_that_say_all_but_the_secret() {
    let of = echoes_match();
    let jobs = jobs_of(&of, 20_000);
    let [second, first] = &jobs[..] else { panic!("{} jobs", jobs.len()) };
    for job in [first, second] {
        assert_eq!((job.job.kind.as_str(), job.state), ("review", JobState::Done));
        let MatchDice::Fair { secret: Some(secret), .. } = of.dice() else { panic!("fair dice") };
        let spec = &job.job.spec;
        assert!(!spec.contains(&secret.reveal().to_string()) && !spec.contains("seed: "), "{spec}");
    }
    assert!(second.numbers[0] < first.numbers[0] && first.chunks[0] > 50, "{first:?}");
    // The same match is the same job, whatever bots have said about it.
    let mut remarked = of.clone();
    remarked.remark(3, "because");
    let ids = |jobs: &[store::Job]| jobs.iter().map(|job| job.job.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&jobs_of(&remarked, 20_000)), ids(&jobs));
    assert_ne!(ids(&jobs_of(&of, 20_001)), ids(&jobs));
}

#[test]
fn what_is_no_review_is_refused_before_anything_is_done() {
    let of = echoes_match();
    let jobs = jobs_of(&of, 20_000);
    let [second, first] = [&jobs[0], &jobs[1]].map(|job| job.job.spec.as_str());
    let refused = |spec: &str, range: Range<u64>, why: &str| {
        let never = &mut |_| panic!("something was done");
        let said = crate::labour::<echoes::Echoes>(spec, &[range], &Progress::default(), never);
        let said = said.expect_err(why);
        assert!(said.contains(why), "{why}:\n{said}");
    };
    let changed = |spec: &str, from: &str, to: &str| {
        assert!(spec.contains(from), "{from} is not in it");
        spec.replacen(from, to, 1)
    };
    // Past the end, of both jobs.
    let [most, again] = [&jobs[1], &jobs[0]].map(|job| job.numbers[0]);
    refused(first, most..most + 1, &format!("it has no number {most}"));
    refused(second, 0..again + 1, &format!("it has no number {again}"));
    refused(first, u64::MAX - 1..u64::MAX, "it has no number");
    // Work without an end.
    refused(
        &changed(first, "\"playouts\":20000", "\"playouts\":18446744073709551615"),
        0..1,
        "are more than",
    );
    let due = second.split_once("],\"playouts\":").expect("second looks").1;
    let due = &due[..due.find('}').expect("a number")];
    let endless = changed(second, &format!("],\"playouts\":{due}"), "],\"playouts\":4294967295");
    refused(&endless, 0..1, "a second look has");
    // Steps that nobody chose at, or in no order, or too many.
    let steps = |steps: &str| {
        let (head, rest) = second.split_once("\"steps\":[").expect("steps");
        let (_, rest) = rest.split_once(']').expect("steps");
        format!("{head}\"steps\":[{steps}]{rest}")
    };
    refused(&steps("0"), 0..1, "nobody had anything to decide at step 1");
    refused(&steps("99999999999"), 0..1, "nobody had anything to decide");
    let agenda = Agenda::of(&of, 20_000).expect("looks");
    let decisions: Vec<String> =
        (0..of.log().len()).filter(|at| agenda.decision_at(*at).is_some()).map(|at| at.to_string()).collect();
    refused(&steps(&format!("{},{}", decisions[1], decisions[0])), 0..1, "not in order");
    refused(&steps(&format!("{0},{0}", decisions[1])), 0..1, "not in order");
    refused(&steps(&decisions.join(",")), 0..1, "too many");
    // Logs that don't replay, or are none.
    let line = of.transcript().lines().find(|line| line.contains(" attack ")).expect("an attack").to_owned();
    let digest = line.rsplit(' ').next().expect("a digest");
    refused(&changed(first, digest, "00000000"), 0..1, "leads to another state");
    refused(&changed(first, " attack ", " attacks "), 0..1, "the match of a review");
    refused(&changed(first, "maproom match 1", "maproom match 2"), 0..1, "not a Maproom match");
    refused(&changed(first, "game: echoes", "game: blitz"), 0..1, "a match of \"blitz\"");
    let long = changed(first, "maproom match 1", &format!("maproom match 1{}", "\\n#".repeat(9 << 20)));
    refused(&long, 0..1, "too large for a save");
    refused(&changed(first, "\"match\":", "\"mach\":"), 0..1, "can't be read");
    // What is written otherwise than this program would.
    refused(&changed(first, "\"steps\":", "\"steps\":1"), 0..1, "in another way");
    refused(&changed(first, "\\n\\n", "\\n# twice as long\\n\\n"), 0..1, "in another way");
    // After all of that a good one is done.
    let mut done = 0;
    let good = crate::labour::<echoes::Echoes>(first, &[0..2, 5..6], &Progress::default(), &mut |_| {
        done += 1;
        true
    });
    assert_eq!((good, done), (Ok(()), 2));
}

#[test]
fn a_match_that_hides_something_and_goes_on_is_refused_by_both() {
    let running = played::<blitz::Blitz>(&[], BotKind::Greedy, 30);
    let why = "a match with hidden information can only be reviewed when it is over";
    let quality = Quality { playouts: 100, threads: 1 };
    let here = Site::in_process();
    let asked = review_at(&here, &running, quality, &Progress::default());
    assert_eq!(asked.map(drop), Err(why.to_owned()));
    let spec = work::canonical(&Spec {
        kind: "review",
        game: "blitz",
        steps: 30,
        playouts: 100,
        again: None,
        transcript: &running.transcript(),
    });
    let first = std::slice::from_ref(&(0..1));
    let done = crate::labour::<blitz::Blitz>(&spec, first, &Progress::default(), &mut |_| panic!("done"));
    assert_eq!(done, Err(why.to_owned()));
    let begun = played::<echoes::Echoes>(&[], BotKind::Greedy, 0);
    let nothing = review_at(&here, &begun, quality, &Progress::default()).map(drop);
    assert_eq!(nothing, Err("nothing has been played yet".to_owned()));
}

#[test]
fn a_guess_after_a_stop_is_not_handed_in() {
    let prepared = Prepared::new(&echoes_match(), 20_000).expect("looks");
    let progress = Progress::default();
    progress.stop();
    let looks = Looks { prepared: &prepared, again: None, progress: &progress };
    let mut bench = looks.bench();
    assert!(!looks.one(&mut bench, 0), "it was stopped");
    assert_eq!(looks.hand_in(&mut bench), [Vec::<u8>::new()]);
}

#[test]
fn a_choice_that_is_not_listed_is_kept_by_its_name_and_broken_bytes_are_refused() {
    let of = echoes_match();
    let prepared = Prepared::new(&of, 20_000).expect("looks");
    let progress = Progress::default();
    let looks = Looks { prepared: &prepared, again: None, progress: &progress };
    let agenda = &prepared.agenda;
    let number = (0..agenda.looks()).find(|number| agenda.decision(*number).is_some()).expect("a decision");
    let (state, _) = agenda.decision(number).expect("a decision");
    let never = AtomicBool::new(false);
    let Some(Found::Decision(found)) = agenda.look(number, &never) else { panic!("no judgement") };
    let mut unlisted = found.clone();
    let elsewhere = (0..agenda.looks()).filter_map(|other| agenda.decision(other)).find_map(|(other, _)| {
        let listed = looks.choices(state);
        looks.choices(other).into_iter().find(|choice| {
            let mut name = String::new();
            of.game().write_name(state, *choice, &mut name);
            !listed.contains(choice) && of.game().read_name(state, &name) == Some(*choice)
        })
    });
    unlisted.tried[0].choice = elsewhere.expect("a choice of another decision");
    for judgement in [found, unlisted] {
        let mut out = ByteWriter::default();
        looks.put_judgement(&mut out, number, &judgement);
        let bytes = out.take();
        assert_eq!(looks.get_judgement(&mut ByteReader::new(&bytes), state), Ok(judgement));
        for cut in 0..bytes.len() {
            assert!(looks.get_judgement(&mut ByteReader::new(&bytes[..cut]), state).is_err(), "cut at {cut}");
        }
    }
    let endless = looks.get_judgement(&mut ByteReader::new(&[0xff, 0xff, 0xff, 0x7f, 0]), state);
    assert_eq!(endless, Err(Unreadable), "more choices than bytes");
}

#[test]
fn ranges_cover_all_looks_and_are_a_small_part_of_the_review_at_most() {
    let sizes = |numbers: u64, size: fn(u64) -> u64| {
        let ranges = by_size(numbers, size);
        let mut next = 0;
        for range in &ranges {
            assert!(range.start == next && !range.is_empty(), "{ranges:?}");
            next = range.end;
        }
        assert_eq!(next, numbers);
        let all: u64 = (0..numbers).map(size).sum();
        let is_fair = |range: &Range<u64>| {
            range.end - range.start == 1 || range.clone().map(size).sum::<u64>() <= all.div_ceil(PARTS)
        };
        assert!(ranges.iter().all(is_fair), "{ranges:?}");
        ranges.len() as u64
    };
    assert_eq!(sizes(0, |_| 1), 0);
    assert_eq!(sizes(300, |_| 0), 1);
    assert_eq!(sizes(300, |_| 1), 300);
    assert_eq!(sizes(50_000, |_| 3), 16_667);
    assert_eq!(sizes(10, |number| 1_000_000 * number), 10);
    assert!(sizes(20_000, |number| number % 97 * (number % 7)) <= 2 * PARTS);
}
