//! Workers that play batches of a house's laboratory, beside the house.
//!
//! The house plays its share itself, so nothing here is needed for a batch to come to its end. While a worker is there that can help,
//! a desk hands chunks out; when the last one is not heard of any more, or NATS is not, the desk is closed, and what it had goes back
//! to the ledger, where the house finds it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lab::{Asked, Hands, Order};
use relay::{Class, Hears, Posted, Target, Terms, Watch, finished, hand_out, worker_in};
use serde_json::Value;
use store::{ChunkState, Job, JobState, Kept};
use web::{Crew, Doing, Help, Mark, Marks, Present};

use crate::registry;
use crate::work::short;

/// A worker that is not heard of for so long loses what it has.
const LEASE: Duration = Duration::from_secs(30);
/// What two should do is compared by the house if of no second worker was heard for so long.
const ALONE: Duration = Duration::from_secs(3);
/// If of no worker was heard for so long, none is there.
const GONE: Duration = Duration::from_secs(5);
/// How often to look whether somebody has come, and how the job is.
const LOOK: Duration = Duration::from_millis(200);
/// How long to wait after something went wrong.
const PAUSE: Duration = Duration::from_secs(1);

/// The workers of a house.
pub struct HouseCrew {
    target: Target,
    /// Which machines may help; if nothing is said, lent ones with everything but texts of the house's own.
    class: Option<Class>,
    watch: Watch,
    shown: Mutex<HashMap<String, Shown>>,
}

/// What is known of those who do a job.
#[derive(Default)]
struct Shown {
    /// Of desks that are closed.
    marks: Marks,
    /// Of the one that is open.
    crew: relay::Crew,
    /// When it was seen.
    at: Option<Instant>,
    only_own: bool,
    is_private: bool,
    /// What somebody should know as long as there is nothing newer.
    said: String,
    /// Why nothing can be handed out now.
    trouble: String,
}

impl Shown {
    /// What became of the work, that of the desk which is open included.
    fn all_marks(&self) -> Marks {
        let mut marks = self.marks.clone();
        marks.add(&marks_of(&self.crew));
        marks
    }
}

fn marks_of(crew: &relay::Crew) -> Marks {
    let mark = |member: &relay::Member| {
        let relay::Member { failed, lost, .. } = *member;
        (member.name.clone(), Mark { failed, lost })
    };
    Marks { checked: crew.checked.clone(), workers: crew.members.iter().map(mark).collect() }
}

impl HouseCrew {
    /// Begins to listen for workers. `class` is the word of the command line.
    pub fn start(nats: &Target, class: Option<&str>) -> Result<Self, String> {
        let read = |word: &str| Class::read(word).ok_or_else(|| format!("--class {word}: house or lent"));
        let class = class.map(read).transpose()?;
        Ok(Self { target: nats.clone(), class, watch: Watch::start(nats)?, shown: Mutex::default() })
    }

    fn shown(&self) -> MutexGuard<'_, HashMap<String, Shown>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, job: &str, change: impl FnOnce(&mut Shown)) {
        change(self.shown().entry(job.to_owned()).or_default());
    }

    /// Which machines may do a job.
    fn class_of(&self, job: &Job) -> Class {
        let own_text = || Order::of_spec(&job.job.spec).is_none_or(|order| has_own_text(&order));
        self.class.unwrap_or_else(|| if own_text() { Class::House } else { Class::Lent })
    }

    fn is_anybody(&self, job: &Job, class: Class) -> bool {
        self.watch.is_anybody(&job.job.build, class, GONE)
    }

    /// Hands out what workers can do, for as long as one is there. What they could not do is the house's, which is waited for.
    fn serve(&self, asked: &Asked<'_>, class: Class) -> Result<(), String> {
        let id = &asked.job.job.id;
        let known = asked.ledger.job(id).map_err(|why| why.to_string())?;
        let Some(job) = known.filter(|job| job.state == JobState::Open) else { return Ok(()) };
        let spec: Value = serde_json::from_str(&job.job.spec).unwrap_or_default();
        let posted = Posted {
            ledger: asked.ledger.clone(),
            job: &job,
            game: spec["game"].as_str().unwrap_or_default().to_owned(),
            holder: asked.holder,
            lease: asked.lease,
            now: asked.now,
        };
        let terms = Terms { class, lease: LEASE, alone: ALONE, backed: true };
        let done = hand_out(&self.target, terms, &posted, &Ear { crew: self, asked, class });
        self.change(id, |shown| {
            shown.marks = shown.all_marks();
            shown.crew = relay::Crew::default();
        });
        let given_back = asked.ledger.give_back(id, asked.holder).map_err(|why| why.to_string());
        let summary = done?;
        given_back?;
        if let Some((n, why)) = summary.left {
            let words = format!("Workers could not play some games, and this house plays them itself: {why}");
            tracing::info!("job {}: {words}", short(id));
            self.change(id, |shown| shown.said = words);
            let is_waiting = || {
                let chunks = asked.ledger.chunks(id).unwrap_or_default();
                chunks.iter().any(|chunk| chunk.n == n && chunk.state == ChunkState::Waiting)
            };
            while !asked.progress.is_stopped() && is_waiting() {
                std::thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// Plays chunks that two should have played and only one worker has, and compares. The error is the ledger's, or a game's.
    fn compare(&self, asked: &Asked<'_>) -> Result<(), String> {
        let job = &asked.job.job;
        let game = Order::of_spec(&job.spec).map(|order| order.game).unwrap_or_default();
        let chunks = asked.ledger.chunks(&job.id).map_err(|why| why.to_string())?;
        let checked = self.shown().get(&job.id).map(|shown| shown.all_marks().checked).unwrap_or_default();
        for n in relay::meant(&job.id, chunks.len() as u64).into_iter().filter(|n| !checked.contains_key(n)) {
            let chunk = chunks.get(n as usize).filter(|chunk| chunk.state == ChunkState::Done);
            let kept = asked.ledger.part(&job.id, n, 0).map_err(|why| why.to_string())?;
            // What has no thread is the house's own.
            let (Some(chunk), Some(_)) = (chunk, kept.filter(|kept| worker_in(&kept.by).contains('/')))
            else {
                continue;
            };
            let mut parts = None;
            let ranges = std::slice::from_ref(&chunk.numbers);
            registry::game(&game)?.tools.labour(&job.spec, ranges, asked.progress, &mut |done| {
                parts = Some(done);
                true
            })?;
            let Some(parts) = parts else { return Ok(()) };
            match asked
                .ledger
                .keep(&job.id, asked.holder, &[finished(n, parts)])
                .map_err(|why| why.to_string())?
            {
                // Without a name it is the house.
                Kept::All => self.change(&job.id, |shown| drop(shown.marks.checked.insert(n, String::new()))),
                Kept::Missing | Kept::Disputed(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Whether an order holds a text that does not come with its game.
fn has_own_text(order: &Order) -> bool {
    let Ok(game) = registry::game(&order.game) else { return true };
    let kinds = game.title.subject().texts();
    let is_built_in =
        |text: &str| kinds.iter().flat_map(|kind| &kind.built_in).any(|(_, known)| *known == text);
    let values = order.options.values().chain(order.other.iter().flat_map(|other| other.values()));
    values.into_iter().any(|value| value.contains('\n') && !is_built_in(value))
}

impl Hands for HouseCrew {
    fn work(&self, asked: &Asked<'_>) -> Result<(), String> {
        let (id, class) = (&asked.job.job.id, self.class_of(asked.job));
        self.change(id, |shown| {
            shown.only_own = class == Class::House;
            shown.is_private = shown.only_own && self.class.is_none();
        });
        loop {
            if asked.progress.is_stopped() {
                return Ok(());
            }
            // A database that is away is told of where the house plays.
            match asked.ledger.job(id).map(|job| job.map(|job| job.state)) {
                Ok(Some(JobState::Open)) if self.is_anybody(asked.job, class) => {
                    if let Err(why) = self.serve(asked, class) {
                        tracing::info!("job {}: {why}", short(id));
                        self.change(id, |shown| {
                            shown.trouble =
                                format!("Workers are there, and can't be given anything now: {why}");
                        });
                        std::thread::sleep(PAUSE);
                    }
                }
                Ok(Some(JobState::Open)) | Err(_) => std::thread::sleep(LOOK),
                Ok(Some(JobState::Done)) => {
                    web::step_back();
                    return self.compare(asked);
                }
                Ok(Some(JobState::Stuck | JobState::Disputed) | None) => return Ok(()),
            }
        }
    }
}

impl Crew for HouseCrew {
    fn command(&self) -> String {
        let key = if self.target.key.is_some() { " --key FILE" } else { "" };
        format!("maproom worker --nats {}{key}", self.target)
    }

    fn is_reached(&self) -> bool {
        self.watch.is_connected()
    }

    fn here(&self) -> Vec<Present> {
        let present = |one: relay::Present| Present {
            name: one.process,
            build: one.build,
            is_own: one.class == Class::House,
            heard: one.heard,
        };
        self.watch.here().into_iter().map(present).collect()
    }

    fn help(&self, job: &str) -> Option<Help> {
        let shown = self.shown();
        let shown = shown.get(job)?;
        let since = shown.at.map_or(Duration::ZERO, |at| at.elapsed());
        let doing = |member: &relay::Member| Doing {
            name: member.name.clone(),
            threads: member.threads,
            numbers: member.numbers,
            checking: member.checking,
            since: member.since + since,
            heard: member.heard + since,
        };
        let doing = shown.crew.members.iter().map(doing).collect();
        let said = if shown.trouble.is_empty() { &shown.said } else { &shown.trouble };
        let (only_own, is_private) = (shown.only_own, shown.is_private);
        Some(Help { doing, marks: shown.all_marks(), only_own, is_private, said: said.clone() })
    }

    fn dismiss(&self, job: &str) {
        self.shown().remove(job);
    }
}

/// What a desk asks and tells.
struct Ear<'a> {
    crew: &'a HouseCrew,
    asked: &'a Asked<'a>,
    class: Class,
}

impl Hears for Ear<'_> {
    /// Also if nobody is there any more: then the house shall have what the desk holds.
    fn is_stopped(&self) -> bool {
        self.asked.progress.is_stopped() || !self.crew.is_anybody(self.asked.job, self.class)
    }

    /// How much is done is seen in the ledger, where the house's own share is, too.
    fn advance(&self, _numbers: u64) {}

    fn say(&self, words: &str) {
        // Refusals: who has another build is shown as such among those who are there.
        tracing::info!("{words}");
    }

    fn shows(&self, crew: &relay::Crew) {
        self.crew.change(&self.asked.job.job.id, |shown| {
            shown.crew.clone_from(crew);
            shown.at = Some(Instant::now());
            shown.trouble.clear();
        });
    }
}

#[cfg(test)]
mod tests {
    use kernel::Options;

    use super::*;

    #[test]
    fn a_text_of_the_house_is_known_from_one_that_comes_with_the_game() {
        let kinds = registry::game("dday").expect("a game").title.subject().texts();
        let scenario = kinds.iter().find(|kind| kind.key == "scenario").expect("scenarios").built_in[0].1;
        let order = |text: Option<&str>, other: Option<&str>| {
            let options = |text: &str| Options::from([("scenario".to_owned(), text.to_owned())]);
            let options_of = |text: Option<&str>| text.map(options).unwrap_or_default();
            Order {
                game: "dday".to_owned(),
                options: options_of(text),
                other: other.map(options),
                ..Order::default()
            }
        };
        let own = format!("# mine\n{scenario}");
        assert!(!has_own_text(&order(None, None)) && !has_own_text(&order(Some(scenario), None)));
        assert!(!has_own_text(&order(Some("03_villers_bocage"), None)), "a name is no text");
        assert!(has_own_text(&order(Some(&own), None)) && has_own_text(&order(Some(scenario), Some(&own))));
        assert!(has_own_text(&Order { game: "unknown".to_owned(), ..Order::default() }));
    }
}
