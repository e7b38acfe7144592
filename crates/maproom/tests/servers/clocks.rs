//! Servers whose machines' clocks are off: by two seconds, by ten minutes. Times are the database's at all of them, and matches in
//! which minutes count begin only where the clock is right.
//!
//! A program can't be given another time of day by Linux alone, so a library between it and the system tells it a wrong one.

use std::path::Path;
use std::process::Command;

use crate::client::{FORM, Server, program};
use crate::house::{House, choose, id_of, until};

/// A match in which minutes count, and one in which days do.
const MINUTES: &str = "game=blitz&option.mode=two_player&seat.0=me&seat.1=friend&seed=7&clock=sitting";
const DAYS: &str = "game=blitz&option.mode=two_player&seat.0=me&seat.1=friend&seed=7&clock=daily";

/// A busy machine may stop a server between the answer of the database and a look at its own clock, for so many milliseconds.
const ERROR: i64 = 1_500;

/// What tells a program that it is so many seconds later than it is. It is no part of any crate.
const LIBRARY: &str = r#"
#[repr(C)]
pub struct Time {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn syscall(number: i64, ...) -> i64;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
    let number = if cfg!(target_arch = "x86_64") { 228 } else { 113 };
    let answer = unsafe { syscall(number, clock, time) } as i32;
    // The time of day; the others go on as they do.
    if answer == 0 && clock == 0 {
        unsafe { (*time).seconds += SECONDS };
    }
    answer
}
"#;

/// A server on a machine whose clock is so many seconds ahead.
fn server(house: &House, folder: &Path, seconds: i64) -> Server {
    let [source, library] = ["rs", "so"].map(|ending| folder.join(format!("clock{seconds}.{ending}")));
    std::fs::write(&source, format!("{LIBRARY}\nconst SECONDS: i64 = {seconds};\n"))
        .expect("it can be written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-o"])
        .args([&library, &source])
        .output();
    let made = made.unwrap_or_else(|why| panic!("rustc can't be started: {why}"));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut command = program(&["serve", "--no-browser", "--port", "0", "--database", &house.address()]);
    command.env("LD_PRELOAD", library);
    Server::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
}

#[test]
fn servers_whose_clocks_are_off_write_the_time_of_the_database() {
    let Some(house) = House::new() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (right, ahead, behind) =
        (house.server(), server(&house, folder.path(), 2), server(&house, folder.path(), -600));
    for (server, off) in [(&ahead, 2_000), (&behind, 600_000)] {
        let told = || -> Option<i64> {
            let log = server.log();
            let (_, rest) = log.split_once("the clock of this machine is ")?;
            let (seconds, _) = rest.split_once(" s off")?;
            Some((seconds.parse::<f64>().expect("seconds") * 1_000.0) as i64)
        };
        let told = until("it says that its clock is off", told);
        // As well as a busy machine measures it.
        assert!((told - off).abs() <= ERROR, "{told} ms, not {off}");
        let refused = server.send("POST", "/matches", &[FORM], MINUTES);
        assert_eq!(refused.status, 503, "{refused:?}");
        assert!(refused.body.contains("The clock of this server is"), "{refused:?}");
        assert_eq!(server.send("POST", "/matches", &[FORM], DAYS).status, 303);
    }
    until("minutes count where the clock is right", || {
        (right.send("POST", "/matches", &[FORM], MINUTES).status == 303).then_some(())
    });
    // One match, by turns at all three.
    let servers = [&right, &ahead, &behind];
    let path = right.connect().new_match_of(crate::client::NEW_MATCH).expect("a match");
    let id = id_of(&path);
    let time = || -> i64 {
        house.ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8").parse().expect("a time")
    };
    let mut revision = 1;
    let begun = time();
    for number in 0..12 {
        let mut http = servers[number % 3].connect();
        let choice = until("it can be chosen", || {
            let shown = http.debug(&path).ok().filter(|shown| shown["revision"] == revision)?;
            shown["choices"][0].as_str().map(ToOwned::to_owned)
        });
        let before = time();
        let answer = choose(&mut http, &path, revision, &choice, &format!("c{number}")).expect("an answer");
        revision = answer.is(200).json()["revision"].as_u64().expect("a revision");
        let at = format!("SELECT at FROM journal WHERE match_id = '{id}' AND seq = {revision}");
        let (at, after): (i64, i64) = (house.ask(&at).parse().expect("a time"), time());
        assert!((before - ERROR..=after + ERROR).contains(&at), "{number}: {at} is not in {before}..{after}");
    }
    let late = format!("SELECT count(*) FROM journal WHERE match_id = '{id}' AND at < {}", begun - 5_000);
    assert_eq!(house.ask(&late), "0");
}
