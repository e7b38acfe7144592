//! A desk whose workers die, fail, lie, come late and come twice.

use store::{MemoryStore, NewJob};

use super::*;
use crate::results::{part, slices};
use store::Finished;

const LEASE: u64 = 30_000;
const ALONE: u64 = 5_000;

fn job(ledger: &dyn Ledger, chunks: u64) -> Job {
    job_with(ledger, chunks, "{}")
}

fn job_with(ledger: &dyn Ledger, chunks: u64, spec: &str) -> Job {
    let id = "0".repeat(64);
    let [kind, spec, rules, build] = ["sim", spec, "7", "1 abc"].map(str::to_owned);
    let new = NewJob { id: id.clone(), kind, spec, rules, build, made_at: 1 };
    let ranges: Vec<_> = (0..chunks).map(|n| 3 * n..3 * n + 3).collect();
    ledger.open_job(&new, &ranges).expect("a job");
    ledger.job(&id).expect("a ledger").expect("the job")
}

fn with_desk(chunks: u64, test: impl FnOnce(&mut Desk<'_>, &dyn Ledger)) {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    job(&*ledger, chunks);
    with_desk_over(&ledger, |desk| test(desk, &*ledger));
}

fn with_desk_over(ledger: &Arc<dyn Ledger>, test: impl FnOnce(&mut Desk<'_>)) {
    with_backed_desk(ledger, false, test);
}

fn with_backed_desk(ledger: &Arc<dyn Ledger>, backed: bool, test: impl FnOnce(&mut Desk<'_>)) {
    let job = ledger.job(&"0".repeat(64)).expect("a ledger").expect("the job");
    let posted = Posted {
        ledger: Arc::clone(ledger),
        job: &job,
        game: "echoes".to_owned(),
        holder: "the desk",
        lease: LEASE,
        now: &|| 0,
    };
    let [lease, alone] = [LEASE, ALONE].map(Duration::from_millis);
    let mut desk = Desk::new("d".to_owned(), &posted, Terms { class: Class::Lent, lease, alone, backed });
    desk.check_what_is_done(0).expect("a ledger");
    test(&mut desk);
}

/// Puts everything into the stream that is to be there.
fn post(desk: &mut Desk<'_>, now: u64) -> Vec<Errand> {
    desk.fill(now).expect("a ledger");
    let errands = desk.take_unposted(now);
    for errand in &errands {
        desk.was_posted(errand.number, Some(1_000 + errand.number), now);
    }
    errands
}

fn says(desk: &mut Desk<'_>, worker: &str, errand: &Errand, what: What, now: u64) -> Answer {
    desk.hear(&Note { errand: errand.number, worker: worker.to_owned(), what }, now)
}

fn begins(desk: &mut Desk<'_>, worker: &str, errand: &Errand, now: u64) -> Vec<u64> {
    match says(desk, worker, errand, What::Begin, now) {
        Answer::Go { spec, bytes, pieces, lease } => {
            assert_eq!((spec.as_str(), bytes, lease), ("{}", 2, LEASE));
            pieces.iter().for_each(|piece| assert_eq!(piece.numbers(), 3 * piece.n..3 * piece.n + 3));
            pieces.iter().map(|piece| piece.n).collect()
        }
        Answer::Gone => Vec::new(),
        Answer::Noted | Answer::Spec { .. } => panic!("no answer to a question"),
    }
}

#[test]
fn a_specification_that_no_message_can_hold_is_told_slice_by_slice_to_whoever_has_begun() {
    // Letters of more than a byte, and quotes, which are two in a message.
    let spec = format!("\"{}\"", "ü\"\\€".repeat(150_000));
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    job_with(&*ledger, 10, &spec);
    with_desk_over(&ledger, |desk| {
        let errands = post(desk, 0);
        let begun = says(desk, "a/0", &errands[0], What::Begin, 0);
        assert!(crate::message::bytes(&begun).len() < 1_000_000, "a server of NATS would not take it");
        let Answer::Go { spec: mut told, bytes, .. } = begun else { panic!("not to begin") };
        assert_eq!(bytes, spec.len());
        let mut slices = 1;
        while told.len() < bytes {
            let what = What::Spec { from: told.len() };
            assert_eq!(says(desk, "b/0", &errands[0], what.clone(), 1), Answer::Gone, "it has not begun");
            let more = says(desk, "a/0", &errands[0], what, 1);
            assert!(crate::message::bytes(&more).len() < 1_000_000);
            let Answer::Spec { spec: more } = more else { panic!("nothing more") };
            assert!(!more.is_empty(), "cut off after {} bytes", told.len());
            told.push_str(&more);
            slices += 1;
        }
        assert!(told == spec && slices == 5, "{slices} slices");
        // From behind its end, and from the middle of a letter, nothing goes on.
        for from in [bytes, bytes + 1, usize::MAX, 2] {
            let nothing = says(desk, "a/0", &errands[0], What::Spec { from }, 1);
            assert_eq!(nothing, Answer::Spec { spec: String::new() }, "from {from}");
        }
    });
}

fn brings(desk: &mut Desk<'_>, worker: &str, errand: u64, chunks: &[u64], word: &str, now: u64) -> Receipt {
    let finished: Vec<Finished> = chunks
        .iter()
        .map(|n| Finished { n: *n, parts: vec![part(format!("{word} {n}").into_bytes())] })
        .collect();
    let bytes = results::pack(&finished);
    assert_eq!(slices(bytes.len()), 1);
    let [worker, build, desk_name] = [worker, "1 abc", "d"].map(str::to_owned);
    let label = Label { worker, build, desk: desk_name, errand, delivery: 1, slice: 0, slices: 1 };
    desk.take(&label, &bytes, now)
}

/// Does all that is handed out, by these workers in turn, until nothing is left.
fn work_off(desk: &mut Desk<'_>, workers: &[&str], now: u64) {
    for turn in 0.. {
        let (over, _) = desk.is_over(now).expect("a ledger");
        let errands = post(desk, now);
        if over || errands.is_empty() {
            return;
        }
        for (at, errand) in errands.iter().enumerate() {
            let fits = |worker: &&&str| errand.except.as_deref() != Some(process_of(worker));
            let mut able = workers.iter().cycle().skip(turn + at).take(workers.len()).filter(fits);
            if let Some(worker) = able.next() {
                let pieces = begins(desk, worker, errand, now);
                assert_eq!(brings(desk, worker, errand.number, &pieces, "right", now), Receipt::Kept);
            }
        }
    }
}

#[test]
fn everything_is_done_once_and_one_chunk_in_a_hundred_twice() {
    for chunks in [1, 2, 99, 100, 250, 1_000] {
        with_desk(chunks, |desk, ledger| {
            work_off(desk, &["a/0", "a/1", "b/0"], 5);
            let job = ledger.job(&"0".repeat(64)).unwrap().unwrap();
            assert_eq!((job.state, job.chunks), (JobState::Done, [chunks, chunks]));
            let expected = chunks.div_ceil(100);
            assert_eq!((desk.summary.checked, desk.summary.unchecked), (expected, 0), "{chunks} chunks");
            assert_eq!(desk.summary.workers, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
            assert!(desk.is_over(5).unwrap().0 && desk.out.is_empty() && desk.again.is_empty());
        });
    }
}

#[test]
fn without_a_second_worker_a_check_is_not_waited_for() {
    with_desk(250, |desk, _| {
        work_off(desk, &["a/0", "a/1"], 5);
        assert!(!desk.is_over(ALONE).unwrap().0, "there may be one that was not heard yet");
        assert!(desk.is_over(ALONE + 1).unwrap().0, "threads of one process are no two workers");
        assert_eq!((desk.summary.checked, desk.summary.unchecked), (0, 3));
    });
}

#[test]
fn a_check_is_waited_for_as_long_as_a_second_worker_is_heard_of() {
    with_desk(2, |desk, _| {
        let errands = post(desk, 0);
        assert_eq!(begins(desk, "b/0", &errands[1], 0), [1]);
        assert_eq!(brings(desk, "b/0", errands[1].number, &[1], "right", 1), Receipt::Kept);
        assert_eq!(begins(desk, "a/0", &errands[0], 1), [0]);
        assert_eq!(brings(desk, "a/0", errands[0].number, &[0], "right", 2), Receipt::Kept);
        assert_eq!(desk.is_over(1 + ALONE), Ok((false, 6)));
        // It has nothing to do, or is at work for somebody else.
        let sign = |process: &str, build: &str, class| {
            let [process, build] = [process, build].map(str::to_owned);
            Sign { process, build, class }
        };
        for now in (1..100 * LEASE).step_by(1_000) {
            desk.see(&sign("b", "1 abc", Class::Lent), now);
            assert_eq!(desk.is_over(now), Ok((false, 6)));
        }
        // These are no second worker: the first, and one that leaves it to others.
        let heard = 99 * LEASE + 29_001;
        for now in [heard, heard + 2_000, heard + ALONE] {
            desk.see(&sign("a", "1 abc", Class::House), now);
            desk.see(&sign("old", "0 abc", Class::Lent), now);
            assert_eq!(desk.is_over(now), Ok((false, 6)), "{now}");
        }
        // What was not heard while nobody could be heard says nothing.
        desk.forgive(heard + ALONE);
        desk.see(&sign("old", "0 abc", Class::Lent), heard + 2 * ALONE);
        assert_eq!(desk.is_over(heard + 2 * ALONE), Ok((false, 6)));
        assert_eq!(desk.is_over(heard + 2 * ALONE + 1), Ok((true, 6)));
        assert_eq!((desk.summary.checked, desk.summary.unchecked), (0, 1));
    });
}

#[test]
fn machines_that_are_lent_are_no_second_worker_for_the_house() {
    for (worker, work, may) in [
        (Class::House, Class::House, true),
        (Class::House, Class::Lent, true),
        (Class::Lent, Class::Lent, true),
        (Class::Lent, Class::House, false),
    ] {
        assert_eq!(worker.may_do(work), may, "{worker:?} {work:?}");
    }
}

#[test]
fn a_check_whose_second_worker_fails_or_dies_is_asked_of_others_and_then_told() {
    with_desk(1, |desk, _| {
        let errands = post(desk, 0);
        assert_eq!(begins(desk, "a/0", &errands[0], 0), [0]);
        assert_eq!(brings(desk, "a/0", errands[0].number, &[0], "right", 1), Receipt::Kept);
        let mut now = 2;
        for at in 0..4 {
            let check = post(desk, now).pop().expect("a check");
            assert_eq!(begins(desk, "b/0", &check, now), [0]);
            assert_eq!(desk.is_over(now + LEASE), Ok((false, 3)), "somebody is at it");
            if at % 2 == 0 {
                let what = What::Failed { n: 0, why: "no memory".to_owned() };
                assert_eq!(says(desk, "b/0", &check, what, now), Answer::Noted);
            } else {
                now += LEASE + 1;
                desk.sweep(now);
            }
            assert_eq!(desk.summary.unchecked, u64::from(at == 3));
        }
        assert_eq!((desk.is_over(now), desk.summary.checked), (Ok((true, 3)), 0));
        assert_eq!(desk.trouble, None);
    });
}

#[test]
fn what_was_done_for_a_desk_that_was_killed_is_checked_by_the_next() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    job(&*ledger, 250);
    with_desk_over(&ledger, |desk| {
        assert_eq!(desk.out.len(), 0, "nothing is done yet");
        while desk.is_over(0).unwrap().1 < 360 {
            for errand in post(desk, 0).into_iter().filter(|errand| errand.except.is_none()) {
                let pieces = begins(desk, "a/0", &errand, 0);
                brings(desk, "a/0", errand.number, &pieces, "right", 0);
            }
        }
        assert_eq!(desk.summary.checked, 0);
    });
    // The second never hears of the first; what it held is free again.
    ledger.give_back(&"0".repeat(64), "the desk").expect("a ledger");
    with_desk_over(&ledger, |desk| {
        let checks = desk.out.values().filter(|out| out.errand.except.as_deref() == Some("a")).count();
        assert!(checks > 0 && checks == desk.out.len(), "those that `a` has done, and nothing else yet");
        work_off(desk, &["a/0", "b/0"], 5);
        assert_eq!((desk.summary.checked, desk.summary.unchecked), (3, 0));
        assert!(desk.is_over(5).unwrap().0);
    });
}

#[test]
fn errands_grow_with_the_pace_and_shrink_towards_the_end() {
    with_desk(3_000, |desk, _| {
        let (mut now, mut sizes) = (0, Vec::new());
        while desk.is_over(now).unwrap().1 < 9_000 {
            for errand in post(desk, now).into_iter().filter(|errand| errand.except.is_none()) {
                let pieces = begins(desk, "a/0", &errand, now);
                now += 10 * pieces.len() as u64;
                sizes.push(pieces.len());
                brings(desk, "a/0", errand.number, &pieces, "right", now);
            }
        }
        let largest = *sizes.iter().max().unwrap();
        assert_eq!((sizes[0], *sizes.last().unwrap()), (1, 1));
        assert!((200..=400).contains(&largest), "four seconds of ten milliseconds each: {largest}");
    });
}

#[test]
fn who_is_silent_loses_what_it_has_and_what_it_brings_late_counts_all_the_same() {
    with_desk(4, |desk, ledger| {
        let errands = post(desk, 0);
        assert_eq!(begins(desk, "a/0", &errands[0], 0), [0]);
        assert_eq!(begins(desk, "a/0", &errands[0], 1), [0], "asked twice, answered twice");
        assert_eq!(begins(desk, "b/0", &errands[0], 1), [] as [u64; 0], "one is at it");
        assert_eq!(begins(desk, "b/0", &errands[1], 1), [1]);
        assert_eq!(says(desk, "b/0", &errands[1], What::Beat, LEASE), Answer::Noted);
        desk.sweep(LEASE + 2);
        assert_eq!(desk.summary.again, 1, "`b` is still at it, `a` is not");
        assert_eq!(says(desk, "a/0", &errands[0], What::Beat, LEASE + 3), Answer::Gone);
        let again = post(desk, LEASE + 3);
        assert_eq!(begins(desk, "b/1", &again[0], LEASE + 3), [0]);
        assert_eq!(brings(desk, "a/0", errands[0].number, &[0], "right", LEASE + 4), Receipt::Kept);
        // It is kept, so nobody needs it a second time.
        assert_eq!(says(desk, "b/1", &again[0], What::Beat, LEASE + 5), Answer::Gone);
        assert_eq!(brings(desk, "b/1", again[0].number, &[0], "right", LEASE + 6), Receipt::Kept);
        assert_eq!(ledger.part(&"0".repeat(64), 0, 0).unwrap().unwrap().by, "1 abc (a/0)");
    });
}

#[test]
fn what_comes_from_an_errand_of_another_desk_is_kept() {
    with_desk(3, |desk, _| {
        post(desk, 0);
        assert_eq!(brings(desk, "a/0", 4_711, &[0, 1, 2], "right", 1), Receipt::Kept);
        assert!(!desk.is_over(ALONE).unwrap().0 && desk.is_over(1 + ALONE).unwrap().0);
        let unknown = Errand { number: 4_711, ..desk_errand() };
        assert_eq!(begins(desk, "a/0", &unknown, 2), [] as [u64; 0]);
    });
}

fn desk_errand() -> Errand {
    let text = String::new;
    Errand {
        desk: text(),
        number: 0,
        job: text(),
        kind: text(),
        game: text(),
        rules: text(),
        build: text(),
        except: None,
    }
}

#[test]
fn while_the_connection_is_gone_nobody_is_late() {
    with_desk(4, |desk, _| {
        let errands = post(desk, 0);
        begins(desk, "a/0", &errands[0], 0);
        desk.forgive(LEASE + 100);
        desk.sweep(LEASE + 101);
        assert_eq!(desk.summary.again, 0);
        desk.sweep(2 * LEASE + 101);
        assert_eq!(desk.summary.again, 1);
    });
}

#[test]
fn a_chunk_that_fails_four_times_stops_the_job_with_the_words_of_the_worker() {
    with_desk(9, |desk, ledger| {
        let mut failures = 0;
        for now in 0..100 {
            for errand in post(desk, now).into_iter().filter(|errand| errand.except.is_none()) {
                let pieces = begins(desk, "a/0", &errand, now);
                if pieces.contains(&5) {
                    assert!(failures == 0 || pieces == [5], "what failed goes alone");
                    failures += 1;
                    let what = What::Failed { n: 5, why: "a game failed".to_owned() };
                    assert_eq!(says(desk, "a/0", &errand, what, now), Answer::Noted);
                } else {
                    brings(desk, "a/0", errand.number, &pieces, "right", now);
                }
            }
            if desk.trouble.is_some() {
                break;
            }
        }
        let job = ledger.job(&"0".repeat(64)).unwrap().unwrap();
        let why = "chunk 5 (numbers 15 to 17) failed 4 times; a/0 said: a game failed";
        assert_eq!((failures, job.state, job.why.as_str()), (4, JobState::Stuck, why));
        assert_eq!(desk.trouble.as_deref(), Some(why));
        assert!(post(desk, 200).is_empty(), "nothing more is handed out");
    });
}

#[test]
fn a_chunk_that_kills_whoever_takes_it_stops_the_job_after_four() {
    with_desk(1, |desk, ledger| {
        let mut now = 0;
        for at in 0..4 {
            let errands = post(desk, now);
            assert_eq!(begins(desk, &format!("{at}/0"), &errands[0], now), [0]);
            now += LEASE + 1;
            desk.sweep(now);
        }
        let job = ledger.job(&"0".repeat(64)).unwrap().unwrap();
        assert_eq!(job.state, JobState::Stuck);
        let why = "chunk 0 (numbers 0 to 2) was begun and not brought back 4 times; 3/0 had it last and was not heard of again";
        assert_eq!(job.why, why);
    });
}

#[test]
fn what_workers_cannot_do_is_left_to_a_house_that_works_too() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
    job(&*ledger, 1);
    with_backed_desk(&ledger, true, |desk| {
        for now in 0..4 {
            let errands = post(desk, now);
            assert_eq!(begins(desk, "a/0", &errands[0], now), [0]);
            assert_eq!(desk.summary.left, None);
            let what = What::Failed { n: 0, why: "no memory".to_owned() };
            says(desk, "a/0", &errands[0], what, now);
        }
        let why = "chunk 0 (numbers 0 to 2) failed 4 times; a/0 said: no memory";
        assert_eq!(desk.summary.left, Some((0, why.to_owned())));
        assert!(desk.trouble.is_some(), "this desk hands out no more");
    });
    let job = ledger.job(&"0".repeat(64)).unwrap().unwrap();
    assert_eq!((job.state, job.why.as_str()), (JobState::Open, ""), "the job goes on");
}

#[test]
fn people_see_what_each_worker_is_at_and_what_became_of_it() {
    with_desk(4, |desk, _| {
        let errands = post(desk, 10);
        begins(desk, "a/0", &errands[0], 10);
        begins(desk, "a/1", &errands[1], 20);
        let seen = |desk: &Desk<'_>, now: u64, name: &str| {
            let member = desk.crew(now).members.into_iter().find(|member| member.name == name);
            member.expect("it was heard of")
        };
        let member = seen(desk, 50, "a");
        assert_eq!((member.threads, member.numbers, member.checking), (2, 6, 0));
        assert_eq!([member.since, member.heard], [40, 30].map(Duration::from_millis));
        // Chunk 0 is one that two do.
        assert_eq!(brings(desk, "a/0", errands[0].number, &[0], "right", 60), Receipt::Kept);
        let check = post(desk, 60).into_iter().find(|errand| errand.except.is_some()).expect("a check");
        begins(desk, "b/0", &check, 70);
        assert_eq!(seen(desk, 70, "b").checking, 3);
        assert_eq!(brings(desk, "b/0", check.number, &[0], "right", 80), Receipt::Kept);
        let what = What::Failed { n: 1, why: "no".to_owned() };
        says(desk, "a/1", &errands[1], what, 90);
        assert_eq!(desk.crew(90).checked, BTreeMap::from([(0, "b".to_owned())]));
        let again = post(desk, 90);
        begins(desk, "b/1", again.last().expect("what failed goes out again"), 90);
        desk.sweep(91 + LEASE);
        let (a, b) = (seen(desk, 91 + LEASE, "a"), seen(desk, 91 + LEASE, "b"));
        assert_eq!((a.threads, a.failed, a.lost), (0, 1, 0));
        assert_eq!((b.threads, b.failed, b.lost), (0, 0, 1));
    });
}

#[test]
fn what_is_given_back_counts_as_no_try() {
    with_desk(1, |desk, _| {
        let errands = post(desk, 0);
        for now in 0..10 {
            assert_eq!(begins(desk, "a/0", &errands[0], now), [0]);
            assert_eq!(says(desk, "b/0", &errands[0], What::GaveBack, now), Answer::Gone, "not its own");
            assert_eq!(says(desk, "a/0", &errands[0], What::GaveBack, now), Answer::Noted);
        }
        assert_eq!((desk.trouble.as_ref(), desk.summary.again), (None, 0));
        assert_eq!(begins(desk, "b/0", &errands[0], 20), [0]);
        assert_eq!(brings(desk, "b/0", errands[0].number, &[0], "right", 21), Receipt::Kept);
        // `a` was heard of last at 9.
        assert!(!desk.is_over(9 + ALONE).unwrap().0 && desk.is_over(10 + ALONE).unwrap().0);
    });
}

#[test]
fn what_is_given_back_and_was_never_receipted_is_put_in_once_more() {
    with_desk(1, |desk, _| {
        desk.fill(0).expect("a ledger");
        let errands = desk.take_unposted(0);
        assert_eq!(begins(desk, "a/0", &errands[0], 1), [0]);
        desk.was_posted(errands[0].number, None, 2);
        assert_eq!(says(desk, "a/0", &errands[0], What::GaveBack, 3), Answer::Noted);
        assert_eq!(desk.take_unposted(3), []);
        assert_eq!(desk.take_unposted(3 + POST_AGAIN), errands);
    });
}

#[test]
fn a_result_that_differs_stops_the_job_and_names_both() {
    with_desk(2, |desk, ledger| {
        let errands = post(desk, 0);
        begins(desk, "a/0", &errands[0], 0);
        assert_eq!(brings(desk, "a/0", errands[0].number, &[0], "right", 1), Receipt::Kept);
        let check = post(desk, 2).pop().expect("a check");
        assert_eq!(check.except.as_deref(), Some("a"));
        assert_eq!(begins(desk, "liar/0", &check, 3), [0]);
        assert_eq!(brings(desk, "liar/0", check.number, &[0], "wrong", 4), Receipt::Unwanted);
        let job = ledger.job(&"0".repeat(64)).unwrap().unwrap();
        assert_eq!(job.state, JobState::Disputed);
        for named in ["1 abc (a/0)", "1 abc (liar/0)", "chunk 0"] {
            assert!(job.why.contains(named), "{}", job.why);
        }
        assert_eq!(desk.trouble, Some(job.why));
    });
}

#[test]
fn what_the_stream_has_lost_goes_in_again() {
    with_desk(9, |desk, _| {
        let errands = post(desk, 0);
        assert_eq!(desk.to_look_for(LOOK_AFTER - 1), []);
        begins(desk, "a/0", &errands[0], 1);
        let waiting = desk.to_look_for(LOOK_AFTER);
        let first = |waits| {
            let errand = errands[1].clone();
            Waiting { sequence: 1_000 + errand.number, waits, errand }
        };
        assert_eq!(waiting[0], first(LOOK_AFTER));
        desk.begins_anew(100);
        assert_eq!(desk.to_look_for(LOOK_AFTER), []);
        assert_eq!(desk.to_look_for(LOOK_AFTER + 101)[0], first(LOOK_AFTER + 1));
        desk.were_lost(Some(&[errands[0].number, errands[1].number]), LOOK_AFTER);
        let again = desk.take_unposted(LOOK_AFTER);
        assert_eq!(again.len(), 1, "what somebody has begun needs no stream");
        assert_eq!(begins(desk, "b/0", &errands[1], LOOK_AFTER), [] as [u64; 0]);
        assert_eq!(begins(desk, "b/0", &again[0], LOOK_AFTER), [1]);
        desk.were_lost(None, LOOK_AFTER);
        // All that waited, and nothing that was begun.
        assert!(desk.out.values().all(|out| matches!(out.state, Way::Begun { .. } | Way::Unposted(_))));
    });
}

#[test]
fn an_errand_that_could_not_be_put_in_is_tried_again_as_the_same() {
    with_desk(2, |desk, _| {
        desk.fill(0).unwrap();
        let first = desk.take_unposted(0);
        desk.was_posted(first[0].number, None, 0);
        assert!(desk.take_unposted(POST_AGAIN - 1).is_empty());
        assert_eq!(desk.take_unposted(POST_AGAIN), first[..1]);
        // The receipt may come after a worker has begun.
        assert_eq!(begins(desk, "a/0", &first[1], 1), [1]);
        desk.was_posted(first[1].number, Some(5), 2);
        assert_eq!(brings(desk, "a/0", first[1].number, &[1], "right", 3), Receipt::Kept);
    });
}

#[test]
fn who_refuses_is_told_once() {
    with_desk(2, |desk, _| {
        let errands = post(desk, 0);
        for thread in ["old/0", "old/1"] {
            let what = What::Refused { why: "it is build 0".to_owned() };
            assert_eq!(says(desk, thread, &errands[0], what, 0), Answer::Noted);
        }
        assert_eq!(desk.refusals(), BTreeSet::from(["old can't help: it is build 0".to_owned()]));
        assert_eq!(begins(desk, "new/0", &errands[0], 1), [0]);
    });
}
