//! Faults one after the other, while people play at both servers, pages are open at both, and bots think at one.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::bots::Bots;
use crate::checker;
use crate::faults::{ALL, Fault};
use crate::house::{Random, id_of, until};
use crate::pages;
use crate::people::{Play, Table};
use crate::probe::{Ends, Longest, Probe};
use crate::site::{SERVERS, Site, Visitor};

/// Tables with two people each.
const TABLES: usize = 4;
/// What fails among the other tests.
const FEW: [Fault; 8] = [
    Fault::DatabaseCut,
    Fault::NatsMute,
    Fault::BadLine,
    Fault::PeopleCut,
    Fault::StandsStill,
    Fault::PeerCut,
    Fault::DatabaseMute,
    Fault::Unplugged,
];
/// How many faults there are in a long run.
const MANY: usize = 150;
/// How often it is said how far a long run is.
const WORD: usize = 10;
/// How soon both servers must be well and take choices after a fault, on a machine that does a lot besides.
const SOON: Duration = Duration::from_secs(60);

/// The journals as the checker reads them: a step is a line with its number, who made it, its name, and the digest of the position.
const JOURNALS: &str = "SELECT match_id, seq, COALESCE(request, ''), COALESCE((\
     SELECT string_agg(regexp_replace(replace(line, ',', ';'), '^ *\\d+ +\\S+ +(.*\\S) +(\\S+)$', '\\1=\\2'), ',' ORDER BY n) \
     FROM regexp_split_to_table(steps, '\\n') WITH ORDINALITY AS lines (line, n) WHERE line ~ '^ *\\d'), '') \
     FROM journal ORDER BY match_id, seq";
/// Matches of which something else is said than their journals say.
const APART: &str = "SELECT count(*) FROM progress \
                     WHERE revision <> (SELECT count(*) FROM journal WHERE match_id = progress.match_id)";

#[test]
fn one_history_whatever_is_cut() {
    crate::inside::run("campaign::one_history_whatever_is_cut", campaign);
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// The faults of a campaign: so many, all kinds in turn, in an order that is another each time.
fn plan(count: Option<usize>, random: &mut Random) -> Vec<Fault> {
    let Some(count) = count else { return FEW.to_vec() };
    let mut plan = Vec::new();
    while plan.len() < count {
        let mut deck = ALL.to_vec();
        while !deck.is_empty() && plan.len() < count {
            plan.push(deck.swap_remove(random.below(deck.len())));
        }
    }
    plan
}

fn campaign() {
    let long = std::env::var_os("MAPROOM_LONG").is_some().then_some(MANY);
    let wanted = number("MAPROOM_PARTITIONS").map(|count| usize::try_from(count).expect("a count"));
    let seed = number("MAPROOM_SEED").unwrap_or(1);
    let mut random = Random(seed);
    let plan = plan(wanted.or(long), &mut random);
    let Some(site) = Site::open(random.next()) else { return };
    let (is_over, clicks) = (AtomicBool::new(false), AtomicU64::new(0));
    let (tables, bots): ([Table; TABLES], Bots) = Default::default();
    let longest = Mutex::new(Duration::ZERO);
    let mut probe = Probe::new(&site, random.next());
    thread::scope(|scope| {
        let ends = Ends(&is_over);
        for (number, table) in tables.iter().enumerate() {
            for which in 0..2 {
                let (play, mut random) =
                    (Play { site: &site, is_over: &is_over, clicks: &clicks }, Random(random.next()));
                let longest = &longest;
                scope.spawn(move || {
                    let met = play.play(table, &format!("person-{number}-{which}"), which, &mut random);
                    let mut longest = longest.lock().unwrap_or_else(PoisonError::into_inner);
                    *longest = (*longest).max(met.longest);
                });
            }
        }
        for (number, table) in tables.iter().chain([&bots.table]).enumerate() {
            for which in 0..2 {
                let (site, is_over, mut random) = (&site, &is_over, Random(random.next()));
                let name = format!("page-{number}-{which}");
                scope.spawn(move || pages::follow(site, table, &name, is_over, &mut random));
            }
        }
        let (bots_of, site_of, is_over, mut of_bots) = (&bots, &site, &is_over, Random(random.next()));
        scope.spawn(move || bots_of.play_on(site_of, is_over, &mut of_bots));
        fail(&plan, &site, &mut probe, &bots, &clicks, &mut random);
        drop(ends);
    });
    let tables = tables.iter().chain([&bots.table]);
    let mut played: Vec<String> = tables
        .flat_map(|table| table.played.lock().unwrap_or_else(PoisonError::into_inner).clone())
        .filter(|path| Some(path) != bots.table.path().as_ref())
        .collect();
    played.append(&mut probe.played);
    show_ends(&site, &played);
    let sums = Sums {
        seed,
        longest: probe.longest,
        waited: longest.into_inner().unwrap_or_else(PoisonError::into_inner),
        paused: bots.longest(),
        packets: site.hosts.ether.counts(),
    };
    conclude(site, &plan, &sums);
}

/// Has everything fail that is planned, one after the other.
fn fail(
    plan: &[Fault],
    site: &Site,
    probe: &mut Probe<'_>,
    bots: &Bots,
    clicks: &AtomicU64,
    random: &mut Random,
) {
    for (number, fault) in plan.iter().enumerate() {
        probe.prepare();
        let host = match fault {
            // So that somebody else has to think for the bots.
            Fault::StandsStill => until("somebody thinks for the bots", || site.driver()),
            _ => SERVERS[random.below(2)],
        };
        let begun = site.history.elapsed();
        fault.happen(host, site, probe, bots, random);
        probe.expect_recovery();
        let took = site.history.elapsed() - begun;
        if std::env::var_os("MAPROOM_TELL").is_some() || (number + 1) % WORD == 0 {
            let clicks = clicks.load(Ordering::SeqCst);
            let _ = writeln!(
                io::stderr(),
                "{} faults in {:.0} s, {clicks} choices; the last, {}, took {took:.1?}",
                number + 1,
                site.history.elapsed().as_secs_f32(),
                fault.name(),
            );
        }
        // People go on before the next.
        let so_far = clicks.load(Ordering::SeqCst);
        until("people choose", || (clicks.load(Ordering::SeqCst) > so_far + TABLES as u64).then_some(()));
    }
    assert!(probe.longest.recovery < SOON, "all was well again {:?} after a fault", probe.longest.recovery);
}

/// Writes down what both servers show of all matches, when nobody chooses any more.
fn show_ends(site: &Site, played: &[String]) {
    let mut visitor = Visitor::new(site, "end".to_owned(), Duration::from_secs(60));
    for path in played {
        let id = id_of(path);
        let count: u64 = site
            .house
            .ask(&format!("SELECT count(*) FROM journal WHERE match_id = '{id}'"))
            .parse()
            .expect("a number");
        for host in SERVERS {
            let what = format!("{path} at revision {count}");
            let shown = until(&what, || visitor.look(host, path).filter(|shown| shown.revision == count));
            site.history.end(id, host, &shown);
        }
    }
}

/// What is told besides what was found.
struct Sums {
    seed: u64,
    longest: Longest,
    waited: Duration,
    paused: Duration,
    packets: (u64, u64),
}

/// Has everything checked, and says what was found.
fn conclude(site: Site, plan: &[Fault], sums: &Sums) {
    let seed = sums.seed;
    assert_eq!(site.history.odd(), [""; 0], "MAPROOM_SEED={seed}");
    for said in site.said() {
        assert!(!said.contains("panicked"), "MAPROOM_SEED={seed}: {said}");
    }
    assert_eq!(site.house.ask(APART), "0", "what is said of a match is what its journal says");
    let (journals, begun) = (site.house.ask(JOURNALS), site.history.elapsed());
    let Site { history, .. } = site;
    let history = history.into_text();
    if let Some(folder) = std::env::var_os("MAPROOM_KEEP") {
        let folder = std::path::PathBuf::from(folder);
        std::fs::write(folder.join("history"), &history).expect("it can be written");
        std::fs::write(folder.join("journals"), &journals).expect("it can be written");
    }
    let found = checker::check(&history, &journals).unwrap_or_else(|lies| {
        let count = lies.len();
        let first: Vec<String> = lies.into_iter().take(20).collect();
        panic!("MAPROOM_SEED={seed}: {count} lies, such as\n{}", first.join("\n"))
    });
    let kinds: Vec<String> = ALL
        .iter()
        .map(|kind| (kind, plan.iter().filter(|fault| *fault == kind).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{} {count}", kind.name()))
        .collect();
    let longest = &sums.longest;
    let _ = writeln!(
        io::stderr(),
        "{} faults (seed {seed}) in {:.0} s: {}. {} matches with one history each: {} entries, {} acknowledged choices ({} of them \
         sent again), {} refused and not there, {} of which nobody knew and that are there, {} that are not; {} positions shown, none \
         of them another; {} packets, {} lost. Without its database a server's /health was red after {:.1?} at most, a choice was answered after {:.1?} at most, and after \
         {:.1?} choices were refused within {:.0?}; pages took {:.1?}, a choice at the other server {:.1?}. \
         Without NATS an update took {:.1?}. All was well {:.1?} after a fault, people waited {:.1?}, bots paused {:.1?}",
        plan.len(),
        begun.as_secs_f32(),
        kinds.join(", "),
        found.matches,
        found.entries,
        found.acknowledged,
        found.repeated,
        found.refused,
        found.unknown_made,
        found.unknown_not_made,
        found.shown,
        sums.packets.0,
        sums.packets.1,
        longest.red,
        longest.answer,
        longest.known,
        longest.refusal,
        longest.page,
        longest.elsewhere,
        longest.update,
        longest.recovery,
        sums.waited,
        sums.paused,
    );
}
