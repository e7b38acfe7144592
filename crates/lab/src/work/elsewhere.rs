//! Work that other machines do: what is asked of them, and how they do it.
//!
//! Whoever hands work out gets a job with everything to hand it out ([`Asked`]) and brings it to its end in the ledger. Whoever
//! does it gets the specification and some ranges ([`labour`]), and comes to the same bytes as whoever asked.

use std::ops::Range;
use std::sync::Arc;

use kernel::CompleteGame;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use store::{Job, JobState, Ledger};
use workers::Progress;

use super::{Done, Site, Work, stopped};

/// A job that is to be done by others.
pub struct Asked<'a> {
    /// Where it is written down.
    pub ledger: Arc<dyn Ledger>,
    /// The job.
    pub job: &'a Job,
    /// Whoever asks: the name under which chunks are claimed.
    pub holder: &'a str,
    /// For how long, in milliseconds of `now`.
    pub lease: u64,
    /// The time.
    pub now: &'a (dyn Fn() -> u64 + Sync),
    /// Counts what is done, and says when to stop.
    pub progress: &'a Progress,
}

/// Others that do the work.
pub trait Hands: Send + Sync {
    /// Has a job done, until it is over or is to stop. The error says why it can't be handed out.
    fn work(&self, asked: &Asked<'_>) -> Result<(), String>;
}

/// Has a job done by others.
pub(super) fn have_done<B>(
    site: &Site,
    hands: &dyn Hands,
    job: &Job,
    progress: &Progress,
) -> Result<Done<B>, String> {
    let nothing = Done { benches: Vec::new(), leftovers: Vec::new() };
    let Some(lease) = site.lease().filter(|_| job.state == JobState::Open) else { return Ok(nothing) };
    let id = &job.job.id;
    let asked = Asked {
        ledger: site.shared_ledger(),
        job,
        holder: site.holder(),
        lease,
        now: &|| site.now(),
        progress,
    };
    let worked = hands.work(&asked);
    let given_back = site.ledger().give_back(id, site.holder());
    worked?;
    given_back.map_err(|why| why.to_string())?;
    match site.ledger().job(id).map_err(|why| why.to_string())? {
        Some(job) if matches!(job.state, JobState::Stuck | JobState::Disputed) => Err(stopped(&job)),
        Some(_) => Ok(nothing),
        None => Err(format!("job {} was dropped meanwhile", &id[..8])),
    }
}

/// What every specification says.
#[derive(Deserialize)]
struct Kind {
    kind: String,
}

/// Does ranges of a job of this game and hands in the parts of each, until `hand_in` answers `false` or it is to stop. The error
/// says what is wrong with the specification, or with the range that was not handed in.
pub fn labour<G: CompleteGame>(
    spec: &str,
    ranges: &[Range<u64>],
    progress: &Progress,
    hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool,
) -> Result<(), String> {
    let Kind { kind } = read(spec)?;
    let labour = Labour { spec, ranges, progress, hand_in };
    match kind.as_str() {
        "sim" => crate::sim::labour::<G>(labour),
        "pair" => crate::sim::pairs::labour::<G>(labour),
        "ladder" => crate::ladder::labour::<G>(labour),
        "calibrate" => crate::calibration::labour::<G>(labour),
        "review" => crate::reviewing::labour::<G>(labour),
        _ => Err(format!("this Maproom does not know how to do {kind:?}")),
    }
}

/// Reads a specification.
fn read<T: DeserializeOwned>(spec: &str) -> Result<T, String> {
    serde_json::from_str(spec).map_err(|why| format!("the specification can't be read: {why}"))
}

/// Ranges that are to be done.
pub(crate) struct Labour<'a> {
    spec: &'a str,
    ranges: &'a [Range<u64>],
    /// Says when to stop.
    pub progress: &'a Progress,
    hand_in: &'a mut dyn FnMut(Vec<Vec<u8>>) -> bool,
}

impl Labour<'_> {
    /// The specification.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, String> {
        read(self.spec)
    }

    /// Does them.
    pub fn labour<W: Work>(self, work: &W) -> Result<(), String> {
        // What reads a specification otherwise than it was written would do something else.
        if work.spec() != self.spec {
            return Err("this Maproom writes the specification in another way".to_owned());
        }
        let Self { ranges, progress, hand_in, .. } = self;
        let done = workers::caught(|| {
            let mut bench = work.bench();
            for range in ranges {
                if range.end > work.numbers() {
                    return Err(format!("it has no number {}", range.end - 1));
                }
                for number in range.clone() {
                    if progress.is_stopped() || !work.one(&mut bench, number) {
                        return Ok(());
                    }
                }
                if !hand_in(work.hand_in(&mut bench)) {
                    return Ok(());
                }
            }
            Ok(())
        });
        done.map_err(|panic| panic.to_string()).flatten()
    }
}
