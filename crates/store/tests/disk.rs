//! Disks that are full or may only be read: real ones, made of memory (tmpfs) in a namespace of their
//! own, so that they vanish with the child process that uses them. Where the system allows no such
//! thing the tests say so on standard error and pass.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use store::conformance::{sample, steps_append};
use store::{AppendOutcome, MatchRecord, SqliteStore, Store, StoreError};

const CHILD: &str = "MAPROOM_TEST_DISK";

/// Runs the test `name` again in a child with a small disk of its own, and `body` there.
fn with_disk(name: &str, kilobytes: u32, body: impl FnOnce(&Path)) {
    if let Some(disk) = std::env::var_os(CHILD) {
        body(Path::new(&disk));
        return;
    }
    let disk = tempfile::tempdir().unwrap();
    let mount = "mount -t tmpfs -o size=\"$1k\" tmpfs \"$2\" || exit 77; shift 2; exec \"$@\"";
    let child = Command::new("unshare")
        .args(["--map-root-user", "--mount", "--", "sh", "-c", mount, "sh", &kilobytes.to_string()])
        .arg(disk.path())
        .arg(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, disk.path())
        .output();
    // Not with eprintln, which a test that passes keeps to itself.
    let skip = |why: &str| {
        let _ = writeln!(std::io::stderr(), "\nSKIPPED {name}: no disk of its own could be mounted: {why}");
    };
    match child {
        Err(error) => skip(&format!("unshare: {error}")),
        Ok(child) => {
            let said = String::from_utf8_lossy(&child.stderr);
            let told = String::from_utf8_lossy(&child.stdout);
            if child.status.code() == Some(77) || said.starts_with("unshare:") {
                skip(&said);
            } else {
                assert!(child.status.success() && told.contains("1 passed"), "{told}\n{said}");
            }
        }
    }
}

/// Takes all the room there is but `spare` bytes.
fn fill(ballast: &Path, spare: u64) {
    let mut file = fs::File::create(ballast).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
    let length = file.metadata().unwrap().len();
    file.set_len(length.saturating_sub(spare)).unwrap();
}

#[test]
fn full_while_writing() {
    with_disk("full_while_writing", 2048, |disk| {
        let folder = disk.join("matches");
        let ballast = disk.join("ballast");
        let store = SqliteStore::open(&folder).unwrap();
        store.create(&sample("m"), &[]).unwrap();
        let text = "x".repeat(3000);
        let mut written = 0;
        // Full, room, full again: each time it goes on as if nothing had been.
        for round in 0..5 {
            fill(&ballast, 100_000 + round * 8192);
            let error = loop {
                match store.append(&[steps_append("m", written + 1, &text)]) {
                    Ok(outcome) => assert_eq!(outcome, [AppendOutcome::Written]),
                    Err(error) => break error,
                }
                written += 1;
            };
            assert_eq!(error, StoreError::Full { path: store.path().to_path_buf() });
            assert!(written > 0);
            // What is there can be read though there is no room.
            assert_eq!(store.find("m").unwrap().unwrap().revision, written);
            assert_eq!(store.journal("m").unwrap().len(), written as usize);
            store.check().unwrap();
            let large = MatchRecord { header: "x".repeat(2_000_000), ..sample("new") };
            assert!(matches!(store.create(&large, &[]), Err(StoreError::Full { .. })));
            fs::remove_file(&ballast).unwrap();
            written += 1;
            assert_eq!(store.append(&[steps_append("m", written, &text)]).unwrap(), [AppendOutcome::Written]);
        }
        // Closing on a full disk loses nothing either.
        fill(&ballast, 0);
        drop(store);
        fs::remove_file(&ballast).unwrap();
        let store = SqliteStore::open(&folder).unwrap();
        store.check().unwrap();
        let seqs: Vec<_> = store.journal("m").unwrap().iter().map(|entry| entry.seq).collect();
        assert_eq!(seqs, (1..=written).collect::<Vec<_>>());
        assert_eq!(store.find("new").unwrap(), None);
    });
}

#[test]
fn full_when_opening() {
    with_disk("full_when_opening", 1024, |disk| {
        let folder = disk.join("matches");
        let ballast = disk.join("ballast");
        // With every amount of room, from none to enough.
        let mut spare = 0;
        loop {
            fill(&ballast, spare);
            let opened = SqliteStore::open(&folder);
            fs::remove_file(&ballast).unwrap();
            match opened {
                Ok(store) => break store.check().unwrap(),
                Err(error) => {
                    assert!(matches!(error, StoreError::Full { .. }), "with {spare} bytes: {error}");
                }
            }
            spare += 4096;
        }
        assert!(spare > 0);
        SqliteStore::open(&folder).unwrap().check().unwrap();
    });
}

#[test]
fn read_only() {
    with_disk("read_only", 1024, |disk| {
        let (used, empty) = (disk.join("used"), disk.join("empty"));
        fs::create_dir(&empty).unwrap();
        SqliteStore::open(&used).unwrap().create(&sample("m"), &[]).unwrap();
        let remount = |mode: &str| {
            let mode = format!("remount,{mode}");
            assert!(Command::new("mount").arg("-o").arg(mode).arg(disk).status().unwrap().success());
        };
        remount("ro");
        for folder in [&used, &empty, &disk.join("new")] {
            let Err(error) = SqliteStore::open(folder) else { panic!("opened {}", folder.display()) };
            assert!(matches!(&error, StoreError::ReadOnly { path, .. } if path == folder), "{error}");
            assert!(error.to_string().contains("Is it read-only"), "{error}");
        }
        remount("rw");
        assert_eq!(SqliteStore::open(&used).unwrap().find("m").unwrap(), Some(sample("m")));
    });
}
