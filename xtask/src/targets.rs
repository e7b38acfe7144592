//! Which test binaries of the workspace use something: found in their sources, so that none can be forgotten.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::root;

/// The test binaries in whose sources `text` stands, as arguments for `cargo test --workspace`.
pub fn arguments(text: &str) -> Result<Vec<String>, String> {
    let mut arguments = Vec::new();
    for target in find(&root(), text)? {
        match target {
            Target::Library => arguments.push("--lib".to_owned()),
            Target::Test(name) => arguments.extend(["--test".to_owned(), name]),
        }
    }
    Ok(arguments)
}

/// All golden files of the workspace.
pub fn golden_files() -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in crates(&root())? {
        let golden = folder.join("tests/golden");
        if golden.is_dir() {
            gather(&golden, &mut files)?;
        }
    }
    Ok(files)
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Library,
    Test(String),
}

fn find(root: &Path, text: &str) -> Result<BTreeSet<Target>, String> {
    let mut found = BTreeSet::new();
    for folder in crates(root)? {
        if holds(&folder.join("src"), text)? {
            found.insert(Target::Library);
        }
        let tests = folder.join("tests");
        if !tests.is_dir() {
            continue;
        }
        for path in list(&tests)? {
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let is_target =
                path.extension().is_some_and(|kind| kind == "rs") || path.join("main.rs").is_file();
            if !holds(&path, text)? {
                continue;
            }
            if is_target {
                found.insert(Target::Test(name));
                continue;
            }
            // A folder of modules belongs to the binaries that name it.
            for other in list(&tests)?.into_iter().filter(|other| other.is_file()) {
                let source = read(&other)?;
                if source.contains(&format!("mod {name};")) || source.contains(&format!("\"{name}/")) {
                    let stem = other.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                    found.extend(stem.map(Target::Test));
                }
            }
        }
    }
    Ok(found)
}

fn crates(root: &Path) -> Result<Vec<PathBuf>, String> {
    list(&root.join("crates"))
}

/// Whether a file, or a Rust file anywhere in a folder, holds a text.
fn holds(path: &Path, text: &str) -> Result<bool, String> {
    let mut files = Vec::new();
    if path.is_dir() {
        gather(path, &mut files)?;
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs")) {
        if read(file)?.contains(text) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for path in list(folder)? {
        if path.is_dir() {
            gather(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let say = |why| format!("{}: {why}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(say)? {
        paths.push(entry.map_err(say)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_are_found_wherever_a_text_stands() {
        let root = std::env::temp_dir().join(format!("maproom-xtask-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = root.join("crates").join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
            fs::write(file, text).expect("a file can be written");
        };
        write("one/src/lib.rs", "plain");
        write("one/tests/plain.rs", "mod other;");
        write("one/tests/sought.rs", "compare(x)");
        write("one/tests/sought.txt", "compare(x)");
        write("one/tests/other/mod.rs", "plain");
        write("two/src/deep/file.rs", "compare(x)");
        write("two/tests/whole/main.rs", "mod part;");
        write("two/tests/whole/part.rs", "compare(x)");
        write("three/src/lib.rs", "plain");
        write("three/tests/uses.rs", "mod shared;");
        write("three/tests/names.rs", "#[path = \"shared/mod.rs\"]");
        write("three/tests/neither.rs", "plain");
        write("three/tests/shared/mod.rs", "compare(x)");
        let found = find(&root, "compare(");
        fs::remove_dir_all(&root).expect("the folder can go");
        let tests = ["names", "sought", "uses", "whole"].map(|name| Target::Test(name.to_owned()));
        assert_eq!(found, Ok([Target::Library].into_iter().chain(tests).collect()));
    }

    #[test]
    fn all_golden_files_have_a_binary() {
        let with_golden: Vec<PathBuf> = crates(&root())
            .expect("the workspace")
            .into_iter()
            .filter(|folder| folder.join("tests/golden").is_dir())
            .collect();
        assert!(with_golden.len() >= 5, "{with_golden:?}");
        for folder in with_golden {
            let tests = folder.join("tests");
            assert_eq!(holds(&tests, crate::GOLDEN), Ok(true), "{}", folder.display());
        }
        assert!(golden_files().is_ok_and(|files| files.len() > 20));
    }
}
