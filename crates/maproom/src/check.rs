//! `maproom check`: checks data files.

use std::path::Path;
use std::process::ExitCode;

use diagnostics::FileCheck;
use diagnostics::Problems;
use serde_json::{Value, json};
use web::lessons::check_lesson;

use crate::arguments::CheckOrder;
use crate::files::read_text;
use crate::output;
use crate::registry;

/// Runs the command.
pub fn run(order: &CheckOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let kinds = game.tools.file_kinds();
    let mut results: Vec<(String, Result<FileCheck, Problems>)> = Vec::new();
    if let Some(file) = &order.lesson {
        let name = file.display().to_string();
        let text = read_text(file)?;
        results.push((name.clone(), check_lesson(&*game.title, &name, &text, beside(file))));
    }
    if let Some(kind) = order.own.other_kind(kinds) {
        let known: Vec<String> = kinds.iter().map(|(kind, _)| format!("--{kind}")).collect();
        return Err(format!("{} has no files of the kind --{kind}; it has {}", game.id(), known.join(", ")));
    }
    // Without a kind, a file is of the game's main kind.
    let untold = order.file.iter().filter_map(|file| Some((kinds.first()?.0, file.as_path())));
    let told = kinds.iter().flat_map(|(kind, _)| order.own.of(kind).map(|file| (*kind, file)));
    for (kind, file) in untold.chain(told) {
        let name = file.display().to_string();
        let text = read_text(file)?;
        results.push((name.clone(), game.tools.check_file(kind, &name, &text)));
    }
    if results.is_empty() {
        let as_check = |summary| FileCheck { summary, ..FileCheck::default() };
        results.push((format!("data of {}", game.id()), game.tools.check_builtin().map(as_check)));
        if !game.title.lessons().is_empty() {
            results.push((format!("lessons of {}", game.id()), game.title.check_lessons().map(as_check)));
        }
    }
    let sound =
        results.iter().all(|(_, result)| result.as_ref().is_ok_and(|check| check.failures.is_empty()));
    if order.json {
        let files: Vec<Value> = results.iter().map(|(name, result)| result_json(name, result)).collect();
        output::json(&json!({ "ok": sound, "game": game.id(), "files": files }));
    } else {
        for (name, result) in &results {
            print_result(name, result);
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The files that a lesson names lie beside it.
fn beside(lesson: &Path) -> impl Fn(&str) -> Option<String> {
    let folder = lesson.parent().map(Path::to_owned).unwrap_or_default();
    move |name| {
        let is_plain = Path::new(name).file_name().is_some_and(|plain| plain == name);
        if is_plain { read_text(&folder.join(name)).ok() } else { None }
    }
}

fn print_result(name: &str, result: &Result<FileCheck, Problems>) {
    match result {
        Ok(check) => {
            if !check.warnings.is_empty() {
                outln!("{}\n", check.warnings);
            }
            for failure in &check.failures {
                outln!("FAILED {failure}");
            }
            for line in &check.summary {
                outln!("{line}");
            }
            outln!("{name}: {}", if check.failures.is_empty() { "ok" } else { "NOT ok" });
        }
        Err(problems) => {
            let count = problems.error_count();
            outln!("{problems}\n\n{name}: {count} error{}", if count == 1 { "" } else { "s" });
        }
    }
}

fn result_json(name: &str, result: &Result<FileCheck, Problems>) -> Value {
    match result {
        Ok(check) => json!({
            "file": name,
            "ok": check.failures.is_empty(),
            "summary": check.summary,
            "warnings": check.warnings,
            "failures": check.failures,
        }),
        Err(problems) => json!({ "file": name, "ok": false, "problems": crate::problems_json(problems) }),
    }
}
