//! `docs/security.md` says what somebody who means harm can't do, and names a test for every line. Here it is checked that each of
//! these tests is there and runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of a crate in which tests are.
const FOLDERS: [&str; 3] = ["src", "tests", "benches"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// What is known of a function by its name.
#[derive(Clone, Copy, Default)]
struct Known {
    /// How many tests have the name.
    tests: usize,
    /// How many of them do not run by themselves.
    ignored: usize,
    /// Whether a conformance suite has it among its checks.
    is_check: bool,
}

/// What the files of the workspace have: functions by name, and the names of files with tests.
struct Tree {
    functions: BTreeMap<String, Known>,
    modules: Vec<String>,
}

impl Tree {
    fn read() -> Self {
        let mut tree = Self { functions: BTreeMap::new(), modules: Vec::new() };
        for entry in fs::read_dir(root().join("crates")).expect("the crates") {
            let path = entry.expect("a crate").path();
            let mut files = Vec::new();
            for folder in FOLDERS {
                sources(&path.join(folder), &mut files);
            }
            for file in files {
                tree.take(&file);
            }
        }
        tree
    }

    fn take(&mut self, file: &Path) {
        let text = fs::read_to_string(file).expect("a source file");
        let is_suite = file.components().any(|part| part.as_os_str() == "conformance");
        let (mut is_test, mut is_ignored, mut has_tests) = (false, false, false);
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[") {
                is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
                is_ignored |= line.starts_with("#[ignore");
                has_tests |= is_test;
                continue;
            }
            if let Some(name) = function(line) {
                let known = self.functions.entry(name.to_owned()).or_default();
                known.tests += usize::from(is_test);
                known.ignored += usize::from(is_test && is_ignored);
                // A check is a function of a suite that stands in its list as well.
                known.is_check |=
                    is_suite && (text.contains(&format!("        {name},")) || in_list(file, name));
            }
            if !line.is_empty() && !line.starts_with("//") {
                (is_test, is_ignored) = (false, false);
            }
        }
        if has_tests
            || file.components().any(|part| ["tests", "benches"].iter().any(|of| part.as_os_str() == *of))
        {
            let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            self.modules.push(name.to_owned());
        }
    }

    /// Why a name is no test that runs; `None` if it is one.
    fn fault(&self, name: &str) -> Option<String> {
        if let Some(module) = name.strip_suffix("::tests") {
            let module = module.rsplit("::").next().unwrap_or_default();
            let is_there = self.modules.iter().any(|known| known == module);
            return (!is_there).then(|| format!("{name}: no file {module}.rs has tests"));
        }
        let name = name.rsplit("::").next().unwrap_or_default();
        if let Some(begin) = name.strip_suffix('…') {
            let fits = self.functions.iter().filter(|(of, known)| of.starts_with(begin) && known.tests > 0);
            let count = fits.count();
            return (count != 1).then(|| format!("{name}: {count} tests begin like this"));
        }
        match self.functions.get(name) {
            _ if self.modules.iter().any(|module| module == name) => None,
            None => Some(format!("{name}: there is no such test")),
            Some(known) if known.is_check => None,
            Some(known) if known.tests == 0 => Some(format!("{name} is no test")),
            Some(known) if known.ignored == known.tests => Some(format!("{name} is ignored")),
            Some(_) => None,
        }
    }
}

/// Whether the suite of a file has a check of another file in its list, by the name of the file.
fn in_list(file: &Path, name: &str) -> bool {
    let module = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(folder) = file.parent() else { return false };
    let listed = format!("{module}::{name},");
    let mut others = Vec::new();
    sources(folder, &mut others);
    others.iter().any(|other| fs::read_to_string(other).is_ok_and(|text| text.contains(&listed)))
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    let begins = ["fn ", "async fn ", "pub fn ", "pub async fn ", "pub(super) fn ", "pub(crate) fn "];
    let rest = begins.iter().find_map(|begin| line.strip_prefix(begin))?;
    rest.split(['(', '<']).next()
}

/// What stands between backticks in a text.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Whether a quoted word is the name of a test: nothing else has so many words in it.
fn is_a_tests_name(word: &str) -> bool {
    let plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_:…".contains(letter);
    word.chars().all(plain)
        && !word.starts_with('_')
        && (word.matches('_').count() >= 3 || word.ends_with("::tests") || word.ends_with('…'))
}

#[test]
fn every_line_names_a_test_and_every_test_is_there() {
    let text = fs::read_to_string(root().join("docs/security.md")).expect("the document");
    let tree = Tree::read();
    let mut faults = Vec::new();
    let named: Vec<&str> = quoted(&text).into_iter().filter(|word| is_a_tests_name(word)).collect();
    assert!(named.len() > 90, "{} tests are named", named.len());
    faults.extend(named.iter().filter_map(|name| tree.fault(name)));
    // A line of a table, but for its head.
    let is_head = |line: &str| line.starts_with("|---") || line.trim_end_matches(' ').ends_with("| test |");
    let mut lines = 0;
    for line in text.lines().filter(|line| line.starts_with('|') && !is_head(line)) {
        lines += 1;
        let last = line.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default();
        if !quoted(last).iter().any(|word| tree.fault(word).is_none()) {
            faults.push(format!("no test is named for: {line}"));
        }
    }
    assert!(lines > 40, "{lines} lines");
    assert_eq!(faults, Vec::<String>::new(), "docs/security.md");
}

#[test]
fn a_name_that_is_no_test_is_found() {
    let tree = Tree::read();
    assert_eq!(tree.fault("a_name_that_is_no_test_is_found"), None);
    assert_eq!(tree.fault("a_name_that_is_no_…"), None);
    for (name, told) in [
        ("a_test_that_nobody_wrote", "there is no such test"),
        ("a_test_that_nobody_…", "0 tests begin"),
        ("every_…", "tests begin like this"),
        ("is_a_tests_name", "is no test"),
        ("nowhere::tests", "no file nowhere.rs has tests"),
    ] {
        let why = tree.fault(name).expect(name);
        assert!(why.contains(told), "{why}");
    }
}
