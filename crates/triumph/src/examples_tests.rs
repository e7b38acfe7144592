use super::*;

/// A mistake is reported at its line and column, with what would have been right.
fn problems_of(text: &str) -> String {
    match check("x.toml", text) {
        Ok(report) => report.failures.join("\n"),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn every_built_in_example_passes() {
    for (name, text) in SOURCES {
        let report = check(name, text).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(report.failures.is_empty(), "{}", report.failures.join("\n"));
        assert!(report.warnings.is_empty(), "{}", report.warnings);
    }
}
