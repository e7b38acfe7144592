//! `maproom jobs`: what is in a ledger.

use std::process::ExitCode;
use std::sync::Arc;

use diagnostics::shown;
use serde_json::{Value, json};
use store::{Chunk, ChunkState, Job, Ledger};

use crate::arguments::{JobsOrder, JobsTask};
use crate::database::Place;
use crate::output;
use crate::registry;
use crate::work::short;

/// The most letters of a text that a line shows.
const MOST_LETTERS: usize = 24;

/// Runs the command.
pub fn run(order: &JobsOrder) -> Result<ExitCode, String> {
    let Some(place) = &order.ledger else {
        return Err("give the folder or the database of the ledger: maproom jobs --ledger DIR".to_owned());
    };
    let ledger = &*existing(&Place::read(place))?;
    match &order.task {
        None => list(ledger, order.json)?,
        Some(JobsTask::Show { id }) => show(ledger, &find(ledger, id)?, order.json)?,
        Some(JobsTask::Drop { id }) => {
            let job = find(ledger, id)?;
            ledger.drop_job(&job.job.id).map_err(|why| why.to_string())?;
            outln!("Dropped {}: {}", short(&job.job.id), words(&spec(&job)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A ledger that is there: nothing is made where somebody only looks.
fn existing(place: &Place) -> Result<Arc<dyn Ledger>, String> {
    match place {
        Place::Folder(folder) if !folder.join("maproom.db").is_file() => {
            Err(format!("there is no ledger in {}", folder.display()))
        }
        Place::Folder(folder) => Ok(Arc::new(crate::work::ledger(folder)?)),
        Place::Postgres(_) => Ok(place.open_beside()?.ledger()),
    }
}

/// The job whose id begins so.
fn find(ledger: &dyn Ledger, id: &str) -> Result<Job, String> {
    let jobs = ledger.jobs().map_err(|why| why.to_string())?;
    let mut found: Vec<Job> = jobs.into_iter().filter(|job| job.job.id.starts_with(id)).collect();
    match (found.len(), found.pop()) {
        (1, Some(job)) => Ok(job),
        (0, _) | (_, None) => Err(format!("no job begins with {:?}; maproom jobs lists them", shown(id))),
        (many, _) => Err(format!("{many} jobs begin with {:?}: give more letters", shown(id))),
    }
}

/// The specification of a job. It is JSON, but a newer Maproom's may be anything.
fn spec(job: &Job) -> Value {
    serde_json::from_str(&job.job.spec).unwrap_or_default()
}

/// A specification in a line, without what the other columns say.
fn words(spec: &Value) -> String {
    if spec["kind"] == "review" {
        return words_of_review(spec);
    }
    let word = |value: &Value| match value {
        Value::String(text) => shorten(text),
        Value::Array(list) => {
            list.iter().map(|one| shorten(one.as_str().unwrap_or_default())).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    };
    let mut parts = Vec::new();
    for (key, value) in spec.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("kind" | "game", _) => {}
            ("options", Value::Object(options)) => {
                parts.extend(options.iter().map(|(key, value)| format!("{key} {}", word(value))));
            }
            _ => parts.push(format!("{key} {}", word(value))),
        }
    }
    parts.join(", ")
}

/// Of a review: which match, and which of its looks.
fn words_of_review(spec: &Value) -> String {
    let id = spec["game"].as_str().unwrap_or_default();
    let title = registry::game(id).map_or(id, |game| game.name());
    let transcript = spec["match"].as_str().unwrap_or_default();
    let line = |key: &str| transcript.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let set_up = transcript.lines().filter_map(|line| line.strip_prefix("option ")?.split_once(": "));
    let set_up: String = set_up.map(|(key, value)| format!(", {key} {}", shorten(value))).collect();
    let end = if line("result:").is_some() { "finished" } else { "not over" };
    let looks = match spec["again"]["steps"].as_array() {
        None => "first looks".to_owned(),
        Some(steps) => format!("second looks at {} of its decisions", steps.len()),
    };
    format!("{title}{set_up}, {} steps, {end}, {} playouts: {looks}", spec["steps"], spec["playouts"])
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let start: String = line.chars().take(MOST_LETTERS).collect();
    if start.len() < text.len() { format!("{start} …") } else { start }
}

fn list(ledger: &dyn Ledger, as_json: bool) -> Result<(), String> {
    let jobs = ledger.jobs().map_err(|why| why.to_string())?;
    if as_json {
        output::json(&json!({ "jobs": jobs.iter().map(document).collect::<Vec<_>>() }));
        return Ok(());
    }
    if jobs.is_empty() {
        outln!("No jobs.");
        return Ok(());
    }
    outln!("{:9} {:10} {:10} {:>21}  {:9} asked for", "job", "kind", "game", "done", "state");
    for job in &jobs {
        let spec = spec(job);
        let [all, done] = job.numbers;
        outln!(
            "{:9} {:10} {:10} {:>21}  {:9} {}",
            short(&job.job.id),
            job.job.kind,
            spec["game"].as_str().unwrap_or_default(),
            format!("{done} of {all}"),
            job.state.word(),
            words(&spec)
        );
    }
    Ok(())
}

fn document(job: &Job) -> Value {
    json!({
        "id": job.job.id,
        "kind": job.job.kind,
        "spec": spec(job),
        "rules": job.job.rules,
        "build": job.job.build,
        "state": job.state.word(),
        "why": job.why,
        "numbers": job.numbers[0],
        "numbers_done": job.numbers[1],
        "chunks": job.chunks[0],
        "chunks_done": job.chunks[1],
    })
}

fn show(ledger: &dyn Ledger, job: &Job, as_json: bool) -> Result<(), String> {
    let chunks = ledger.chunks(&job.job.id).map_err(|why| why.to_string())?;
    let held = |chunk: &Chunk| match &chunk.state {
        ChunkState::Held { holder, .. } => {
            Some((chunk.n, chunk.numbers.clone(), chunk.tries, holder.clone()))
        }
        ChunkState::Waiting | ChunkState::Done => None,
    };
    let held: Vec<_> = chunks.iter().filter_map(held).collect();
    if as_json {
        let mut document = document(job);
        document["held"] = held
            .iter()
            .map(|(n, numbers, tries, by)| {
                json!({ "chunk": n, "first": numbers.start, "last": numbers.end - 1, "tries": tries, "by": by })
            })
            .collect();
        output::json(&document);
        return Ok(());
    }
    let spec = spec(job);
    outln!("job {}", job.job.id);
    outln!("  {} {}: {}", job.job.kind, spec["game"].as_str().unwrap_or_default(), words(&spec));
    outln!("  begun by Maproom {}, rules {}", job.job.build, job.job.rules);
    let why = if job.why.is_empty() { String::new() } else { format!(": {}", job.why) };
    outln!("  {}{why}", job.state.word());
    outln!(
        "  {} of {} done, in {} of {} chunks",
        job.numbers[1],
        job.numbers[0],
        job.chunks[1],
        job.chunks[0]
    );
    for (n, numbers, tries, by) in held {
        let again = if tries > 1 { format!(", try {tries}") } else { String::new() };
        outln!("  chunk {n} ({} to {}) was taken by {by}{again}", numbers.start, numbers.end - 1);
    }
    Ok(())
}
