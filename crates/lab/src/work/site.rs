//! Where work is done: in this process alone, or through a ledger that is kept.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use store::{Ledger, MemoryStore};

use super::Hands;

/// For how long chunks are taken, in milliseconds; who is at work says so three times as often.
const LEASE: u64 = 30_000;

/// Which program does the work.
#[derive(Clone, Debug)]
pub struct Build {
    /// The build, such as `0.2.0 1f3a9c04`: the same build comes to the same results.
    pub build: String,
    /// What sets this process apart from others of the same build.
    pub process: String,
}

impl Build {
    /// This process: its build is the version with a sum of the program itself, so that no change of it goes unnoticed.
    pub fn of_this_program(version: &str) -> Result<Self, String> {
        let sum =
            program().and_then(sum_of).map_err(|why| format!("can't read the program itself: {why}"))?;
        let sum: String = sum[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let process = format!("process {} of {}", std::process::id(), now());
        Ok(Self { build: format!("{version} {sum}"), process })
    }
}

/// The file of this program. Linux knows it even if it was replaced since.
fn program() -> io::Result<File> {
    File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?))
}

fn sum_of(mut file: File) -> io::Result<[u8; 32]> {
    let mut sum = Sha256::new();
    let mut block = vec![0; 1 << 18];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sum.finalize().into()),
            read => sum.update(&block[..read]),
        }
    }
}

/// Where work is done.
#[derive(Clone)]
pub struct Site {
    ledger: Arc<dyn Ledger>,
    /// `None` in this process alone.
    lease: Option<u64>,
    build: String,
    holder: String,
    alone: bool,
    now: Arc<dyn Fn() -> u64 + Send + Sync>,
    /// Who does the work, if it is not this process.
    hands: Option<Arc<dyn Hands>>,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site")
            .field("holder", &self.holder)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

impl Site {
    /// In this process, with nothing kept.
    pub fn in_process() -> Self {
        Self {
            ledger: Arc::new(MemoryStore::new()),
            lease: None,
            build: String::new(),
            holder: String::new(),
            alone: true,
            now: Arc::new(|| 0),
            hands: None,
        }
    }

    /// Through a ledger. `alone` says that nobody else works with it now, so whatever others have taken was left behind.
    pub fn with_ledger(ledger: Arc<dyn Ledger>, build: Build, alone: bool) -> Self {
        let Build { build, process } = build;
        let holder = format!("{build} ({process})");
        Self { ledger, lease: Some(LEASE), build, holder, alone, now: Arc::new(now), hands: None }
    }

    /// The same with others that do the work.
    pub fn with_hands(mut self, hands: Arc<dyn Hands>) -> Self {
        self.hands = Some(hands);
        self
    }

    /// The same with another clock, in milliseconds.
    pub fn with_clock(mut self, now: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.now = Arc::new(now);
        self
    }

    /// The ledger.
    pub fn ledger(&self) -> &dyn Ledger {
        &*self.ledger
    }

    pub(crate) fn shared_ledger(&self) -> Arc<dyn Ledger> {
        Arc::clone(&self.ledger)
    }

    pub(crate) fn hands(&self) -> Option<&dyn Hands> {
        self.hands.as_deref()
    }

    /// Whether what is done here is kept.
    pub fn is_kept(&self) -> bool {
        self.lease.is_some()
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.alone
    }

    pub(crate) fn lease(&self) -> Option<u64> {
        self.lease
    }

    /// The build that does the work here.
    pub fn build(&self) -> &str {
        &self.build
    }

    pub(crate) fn holder(&self) -> &str {
        &self.holder
    }

    pub(crate) fn now(&self) -> u64 {
        (self.now)()
    }

    /// Until when what is taken now is taken.
    pub(crate) fn until(&self) -> u64 {
        self.lease.map_or(u64::MAX, |lease| self.now().saturating_add(lease))
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
