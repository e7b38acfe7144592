//! What every report on a refused text must have.

use diagnostics::Problems;

/// A report of a refused text must have an error, and name the file and a line that exists.
pub fn check_report(problems: &Problems, text: &str) {
    assert!(problems.has_errors() && !problems.is_empty(), "refused without an error:\n{text}");
    let report = problems.to_string();
    let marker = format!("--> {}:", problems.name());
    let place = report.split(&marker).nth(1).unwrap_or_else(|| panic!("no place in\n{report}"));
    let line: usize = place.split(':').next().and_then(|line| line.parse().ok()).expect("a line number");
    assert!(line >= 1 && line <= text.matches('\n').count() + 1, "line {line} of\n{text}");
    assert!(report.len() < 100_000, "a report of {} bytes", report.len());
}
