//! Work that is handed out over NATS.

use std::time::Duration;

use lab::{Asked, Hands, Progress};
use relay::{Class, Hears, Posted, Summary, Target, Terms, hand_out};
use serde_json::Value;

use crate::arguments::WorkOrder;
use crate::work::short;

/// If of no second worker was heard for so long, what two should do is not waited for.
const ALONE: Duration = Duration::from_secs(5);

/// Where work is handed out, and how.
pub struct Desk {
    target: Target,
    terms: Terms,
}

impl Desk {
    pub fn new(address: &str, order: &WorkOrder) -> Result<Self, String> {
        let class =
            Class::read(&order.class).ok_or_else(|| format!("--class {}: house or lent", order.class))?;
        let terms = Terms { class, lease: Duration::from_secs(order.lease), alone: ALONE, backed: false };
        Ok(Self { target: Target { address: address.to_owned(), key: order.key.clone() }, terms })
    }
}

impl Hands for Desk {
    fn work(&self, asked: &Asked<'_>) -> Result<(), String> {
        let spec: Value = serde_json::from_str(&asked.job.job.spec).unwrap_or_default();
        let posted = Posted {
            ledger: asked.ledger.clone(),
            job: asked.job,
            game: spec["game"].as_str().unwrap_or_default().to_owned(),
            holder: asked.holder,
            lease: asked.lease,
            now: asked.now,
        };
        errln!("Job {} waits for workers at {}.", short(&asked.job.job.id), self.target);
        let summary = hand_out(&self.target, self.terms, &posted, &Ear(asked.progress))?;
        tell(&summary);
        Ok(())
    }
}

/// What is worth to know about who did it.
fn tell(summary: &Summary) {
    let Summary { workers, checked, unchecked, again, .. } = summary;
    if workers.is_empty() {
        return;
    }
    let names: Vec<&str> = workers.iter().map(String::as_str).collect();
    errln!("Done by {}.", names.join(", "));
    if *again > 0 {
        errln!("{again} chunks were handed out again, because a worker failed or was not heard of.");
    }
    if *checked > 0 {
        errln!("{checked} chunks were done by a second worker too, with the same result.");
    }
    if *unchecked > 0 {
        errln!("{unchecked} chunks should have been done by a second worker too, but none could do them.");
    }
}

struct Ear<'a>(&'a Progress);

impl Hears for Ear<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    fn advance(&self, numbers: u64) {
        self.0.advance(numbers);
    }

    fn say(&self, words: &str) {
        errln!("{words}");
    }
}
