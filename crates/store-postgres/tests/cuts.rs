//! Connections to the database that break at any byte, or carry nothing any more: what was acknowledged is there, what was
//! refused is not, and what nobody knows is found out by sending the same request again.

mod secure;

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use kernel::{Dice as _, LabDice};
use secure::Secure;
use store::conformance::{sample, steps_append};
use store::{Append, AppendOutcome, Effect, Store as _, StoreError};
use store_postgres::PostgresStore;
use testkit::postgres::{Server, shared};

/// Bytes that may pass in one direction.
#[derive(Debug)]
struct Way {
    left: AtomicI64,
}

impl Way {
    fn open() -> Self {
        Self { left: AtomicI64::new(i64::MAX) }
    }
}

/// Passes bytes on between the store and the server, and does so only with so many of them.
struct Cutter {
    port: u16,
    /// To the server, and from it.
    ways: Arc<[Way; 2]>,
    /// What is over what may pass is swallowed, and nobody is told; otherwise the connection ends there.
    swallows: bool,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cutter {
    fn start(to: u16, swallows: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let ways = Arc::new([Way::open(), Way::open()]);
        let connections = Arc::<Mutex<Vec<TcpStream>>>::default();
        let (both, known) = (Arc::clone(&ways), Arc::clone(&connections));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { return };
                let again = |end: &TcpStream| end.try_clone().unwrap();
                known.lock().unwrap().extend([again(&client), again(&server)]);
                for (way, from, to) in [(0, again(&client), again(&server)), (1, server, client)] {
                    let both = Arc::clone(&both);
                    thread::spawn(move || pass(&both[way], swallows, from, to));
                }
            }
        });
        Self { port, ways, swallows, connections }
    }

    /// The same address, through this.
    fn through(&self, server: &Server, address: &str) -> String {
        let [to, through] = [server.port(), self.port].map(|port| format!(":{port}/"));
        address.replace(&to, &through)
    }

    fn limit(&self, way: usize, bytes: u32) {
        self.ways[way].left.store(bytes.into(), Ordering::SeqCst);
    }

    /// Lets everything pass again. Whether it had cut.
    fn heal(&self) -> bool {
        let cut = self
            .ways
            .iter()
            .map(|way| way.left.swap(i64::MAX, Ordering::SeqCst) < 0)
            .fold(false, |a, b| a | b);
        if self.swallows {
            self.end_all();
        }
        cut
    }

    /// Ends all connections, so that the next statement needs a new one.
    fn end_all(&self) {
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn pass(way: &Way, swallows: bool, mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        let left = way.left.fetch_sub(read as i64, Ordering::SeqCst);
        let passed = usize::try_from(left).unwrap_or(0).min(read);
        if to.write_all(&bytes[..passed]).is_err() || (passed < read && !swallows) {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// How a store reaches its server.
#[derive(Clone, Copy)]
enum Line<'a> {
    Open(&'a Server),
    Encrypted(&'a Secure),
}

impl<'a> Line<'a> {
    fn server(self) -> &'a Server {
        match self {
            Self::Open(server) => server,
            Self::Encrypted(secure) => &secure.server,
        }
    }

    fn address(self, database: &str) -> String {
        match self {
            Self::Open(server) => server.address(database),
            Self::Encrypted(secure) => secure.address(database),
        }
    }
}

/// Matches that are written to, and what is known about each.
struct Campaign<'a> {
    server: &'a Server,
    database: String,
    cutter: Cutter,
    /// Its connections pass through the cutter.
    store: PostgresStore,
    /// By match: the requests that were acknowledged, in order. Nothing else must be in the journal.
    known: Vec<Vec<String>>,
    written: [usize; 2],
    refused: usize,
    requests: u32,
}

const MATCHES: usize = 5;
const REFUSED: &str = "what was refused is not there";

impl<'a> Campaign<'a> {
    fn new(line: Line<'a>, swallows: bool) -> Self {
        let server = line.server();
        let database = server.empty();
        let sure = PostgresStore::open(&server.address(&database)).unwrap();
        for number in 0..MATCHES {
            sure.create(&sample(&format!("m{number}")), &[]).unwrap();
        }
        let cutter = Cutter::start(server.port(), swallows);
        let store = PostgresStore::open(&cutter.through(server, &line.address(&database))).unwrap();
        let known = vec![Vec::new(); MATCHES];
        Self { server, database, cutter, store, known, written: [0; 2], refused: 0, requests: 0 }
    }

    /// The next entry of some matches, each with a request and an effect of its own.
    fn group(&mut self, dice: &mut LabDice, count: usize) -> Vec<Append> {
        let first = dice.below(MATCHES as u32) as usize;
        let group = (first..first + count).map(|number| {
            let number = number % MATCHES;
            self.requests += 1;
            let mut append =
                steps_append(&format!("m{number}"), self.known[number].len() as u32 + 1, "a choice");
            append.entry.request = Some(format!("r{}", self.requests));
            append.effects = vec![Effect::Deadline { seat: 0, at: self.requests.into() }];
            append
        });
        group.collect()
    }

    /// Writes a group of this size without a cut. How many bytes that needs in one direction.
    fn needed(&mut self, dice: &mut LabDice, count: usize, way: usize) -> u32 {
        // The first may need a new connection.
        for _ in 0..2 {
            self.cutter.heal();
            let group = self.group(dice, count);
            let outcomes = self.until_known(&group);
            assert!(outcomes.iter().all(|outcome| *outcome == AppendOutcome::Written), "{outcomes:?}");
            self.acknowledge(group);
        }
        let left = self.cutter.ways[way].left.load(Ordering::SeqCst);
        u32::try_from(i64::MAX - left).unwrap()
    }

    fn acknowledge(&mut self, group: Vec<Append>) {
        for Append { match_id, entry, .. } in group {
            let number: usize = match_id[1..].parse().unwrap();
            self.known[number].extend(entry.request);
        }
    }

    /// Writes a group while this happens; then it is found out what has become of it. Whether there was a cut.
    fn write(&mut self, group: Vec<Append>, way: usize, bytes: u32) -> bool {
        self.cutter.limit(way, bytes);
        let outcome = self.store.append(&group);
        let cut = self.cutter.heal();
        match outcome {
            Ok(outcomes) => {
                assert!(outcomes.iter().all(|outcome| *outcome == AppendOutcome::Written), "{outcomes:?}");
                self.acknowledge(group);
            }
            Err(StoreError::Unreachable { .. }) => self.refused += 1,
            Err(StoreError::Unknown { .. }) => {
                let again = self.until_known(&group);
                // A group is one transaction: all of it or nothing.
                let repeated = group.iter().map(|append| AppendOutcome::Repeated(append.entry.seq));
                let was_written = again == repeated.collect::<Vec<_>>();
                let is_written = again.iter().all(|outcome| *outcome == AppendOutcome::Written);
                assert!(was_written || is_written, "{again:?}");
                self.written[usize::from(was_written)] += 1;
                self.acknowledge(group);
            }
            Err(other) => panic!("{other:?}"),
        }
        cut
    }

    /// Sends the same again until there is an answer.
    fn until_known(&self, group: &[Append]) -> Vec<AppendOutcome> {
        loop {
            match self.store.append(group) {
                Ok(outcomes) => return outcomes,
                Err(why) => {
                    let broken = matches!(why, StoreError::Unreachable { .. } | StoreError::Unknown { .. });
                    assert!(broken, "{why:?}");
                }
            }
        }
    }

    /// Asks the database itself, by another program: each journal holds what was acknowledged, in order, without a gap, nothing
    /// twice and nothing else; and what followed from the last entry is there once.
    fn check(&self) {
        let ask = |statement: &str| self.server.ask(&self.database, statement);
        for (number, known) in self.known.iter().enumerate() {
            let journal = ask(&format!(
                "SELECT string_agg(seq || ' ' || request, ',' ORDER BY seq) FROM journal WHERE match_id = 'm{number}'"
            ));
            let entries: Vec<String> =
                known.iter().enumerate().map(|(at, request)| format!("{} {request}", at + 1)).collect();
            assert!(journal == entries.join(","), "m{number}: {REFUSED}, what was acknowledged is");
            let deadline = ask(&format!("SELECT at, revision FROM deadlines WHERE match_id = 'm{number}'"));
            let last = known.last().map(|request| format!("{}|{}", &request[1..], known.len()));
            assert_eq!(deadline, last.unwrap_or_default(), "m{number}: what follows from the last entry");
        }
    }
}

/// How many cuts are made; of these suites the long one makes ten thousand.
fn cuts() -> usize {
    if std::env::var_os("MAPROOM_LONG").is_some() { 10_000 } else { 160 }
}

/// So many campaigns at a time, each with a database of its own: most of the time is spent waiting.
const CAMPAIGNS: u64 = 4;

#[test]
fn cut_at_any_byte() {
    let Some(server) = shared() else { return };
    cut_all(Line::Open(server), cuts());
}

#[test]
fn cut_at_any_byte_under_encryption() {
    let Some(secure) = secure::shared() else { return };
    cut_all(Line::Encrypted(secure), cuts() / 2);
}

fn cut_all(line: Line<'_>, cuts: usize) {
    let all = thread::scope(|scope| {
        let begin = |at| scope.spawn(move || cut(line, LabDice::new(18 + at), cuts / CAMPAIGNS as usize));
        let campaigns: Vec<_> = (0..CAMPAIGNS).map(begin).collect();
        campaigns.into_iter().map(|campaign| campaign.join().unwrap()).collect::<Vec<_>>()
    });
    let [refused, was, was_not] = [0, 1, 2].map(|at| all.iter().map(|counts| counts[at]).sum::<usize>());
    println!("{refused} refused, {was} unknown and written, {was_not} unknown and not written");
    assert!(refused > 0 && was > 0 && was_not > 0);
}

/// So many cuts in a database of its own. How many groups were refused, how many were written although nobody knew, and how many
/// were not.
fn cut(line: Line<'_>, mut dice: LabDice, cuts: usize) -> [usize; 3] {
    let mut campaign = Campaign::new(line, false);
    let (mut rounds, mut ways) = (0, [0; 2]);
    while ways[0] + ways[1] < cuts {
        rounds += 1;
        let count = 1 + dice.below(MATCHES as u32 - 1) as usize;
        let way = dice.below(2) as usize;
        let bytes = if dice.below(3) == 0 {
            // On a new connection there is a greeting first, and the server reads the statements.
            campaign.cutter.end_all();
            dice.below(6_000)
        } else {
            let needed = campaign.needed(&mut dice, count, way);
            // The end is where nobody knows: there is the commit.
            if dice.below(2) == 0 { needed.saturating_sub(1 + dice.below(60)) } else { dice.below(needed) }
        };
        let group = campaign.group(&mut dice, count);
        ways[way] += usize::from(campaign.write(group, way, bytes));
        if rounds % 1_000 == 0 {
            campaign.check();
        }
    }
    campaign.check();
    let Campaign { known, written: [was_not, was], refused, .. } = campaign;
    let (entries, [there, back]) = (known.iter().map(Vec::len).sum::<usize>(), ways);
    println!("cut {there} times on the way to the database and {back} on the way back, {entries} entries");
    [refused, was, was_not]
}

/// The connection stays and carries nothing, as when a cable is pulled.
#[test]
fn swallowed_without_a_word() {
    let Some(server) = shared() else { return };
    swallow(Line::Open(server));
}

#[test]
fn swallowed_under_encryption() {
    let Some(secure) = secure::shared() else { return };
    swallow(Line::Encrypted(secure));
}

fn swallow(line: Line<'_>) {
    let mut campaign = Campaign::new(line, true);
    let mut dice = LabDice::new(19);
    let rounds = if cuts() > 1_000 { 20 } else { 1 };
    for round in 0..rounds {
        let before = campaign.group(&mut dice, 2);
        campaign.until_known(&before);
        campaign.acknowledge(before);
        let group = campaign.group(&mut dice, 2);
        campaign.write(group, (round + 1) % 2, dice.below(60));
        campaign.check();
    }
    assert!(campaign.refused + campaign.written[0] + campaign.written[1] > 0);
}
