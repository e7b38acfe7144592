//! The files of a batch: the same bytes however it was played, and true to its report.

mod tables;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bots::BotKind;
use kernel::CompleteGame;
use lab::{Batch, Format, Progress, Shelf, Site, Totals, simulate, simulate_to_files};
use tables::read_csv;
use testkit::auction::Auction;

const NAMES: [&str; 4] = ["games.csv", "decisions.csv", "draws.csv", "about.json"];

fn batch(threads: usize) -> Batch {
    Batch { games: 300, seed: 7, seats: vec![BotKind::Random, BotKind::Greedy], threads }
}

fn csv(folder: &Path) -> Shelf {
    Shelf { folder: folder.to_owned(), format: Format::Csv }
}

fn written<G: CompleteGame>(game: &G, threads: usize) -> (Vec<String>, Totals) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("a/b");
    let played =
        simulate_to_files(&Site::in_process(), game, &batch(threads), &csv(&out), &Progress::default());
    let totals = played.expect("files").result;
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), NAMES.len(), "nothing else is left");
    (NAMES.map(|name| fs::read_to_string(out.join(name)).expect("a file")).into(), totals)
}

/// The rows of a file by the names of their columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = read_csv(text).into_iter();
    let names = lines.next().expect("names");
    let row = |line: Vec<String>| {
        assert_eq!(line.len(), names.len(), "{line:?}");
        names.iter().cloned().zip(line).collect()
    };
    lines.map(row).collect()
}

#[test]
fn files_are_the_same_on_any_number_of_threads_and_true_to_the_report() {
    let game = Auction::for_seats(3);
    let (files, totals) = written(&game, 1);
    assert_eq!(files, written(&game, 3).0);
    assert_eq!(
        totals,
        simulate(&game, &batch(2), &Progress::default()).expect("a batch"),
        "rows change nothing"
    );
    let [games, decisions, draws] = [0, 1, 2].map(|at: usize| rows(&files[at]));
    assert_eq!((games.len(), decisions.len() as u64), (300, totals.decisions));
    assert_eq!(draws.len() as u64, totals.draws);
    for (number, game) in games.iter().enumerate() {
        let first = [&game["game"], &game["seed"], &game["title"]].map(String::as_str);
        assert_eq!(first, [&*number.to_string(), "7", "auction"]);
        assert_eq!((&*game["seats"], &*game["bots"]), ("red blue green", "random greedy greedy"));
    }
    let wins = games.iter().filter(|game| game["standings"].split(' ').next() == Some("1")).count();
    assert_eq!(wins as u64, totals.standings[0][2]);
    let open: u64 = decisions.iter().map(|row| row["open"].parse::<u64>().expect("a number")).sum();
    assert_eq!(open, totals.choices);
    for row in &decisions {
        let game = &games[row["game"].parse::<usize>().expect("a number")];
        let seat = ["red", "blue", "green"].iter().position(|seat| *seat == row["seat"]).expect("a seat");
        assert_eq!(game["standings"].split(' ').nth(seat), Some(&*row["standing"]));
        assert_eq!(row["by"], ["random", "greedy", "greedy"][seat]);
        assert_eq!(row["forced"] == "true", row["open"] == "1");
        assert!(row["index"].parse::<u32>().expect("a number") < row["open"].parse().expect("a number"));
        assert!(row["choice"] == "pass" || row["choice"].starts_with("bid "), "{row:?}");
    }
    for row in &draws {
        assert!(row["ticket"].parse::<u32>().expect("a number") < row["tickets"].parse().expect("a number"));
    }
    // The steps of a game are numbered through, whoever chose.
    let mut steps: BTreeMap<&String, Vec<u32>> = BTreeMap::new();
    for row in decisions.iter().chain(&draws) {
        steps.entry(&row["game"]).or_default().push(row["step"].parse().expect("a number"));
    }
    for steps in steps.values_mut() {
        steps.sort_unstable();
        assert!(steps.iter().zip(1..).all(|(step, at)| *step == at), "{steps:?}");
    }
    assert!(files[3].contains("\"schema\": 1") && files[3].contains("\"rows\": true"), "{}", files[3]);
}

#[test]
fn texts_with_commas_and_quotes_are_quoted() {
    let options = [("motto".to_owned(), "war, \"total\"\nand short".to_owned())];
    let game = <Auction as kernel::Game>::with_options(&options.into()).expect("any motto will do");
    let (files, _) = written(&game, 2);
    assert!(files[0].contains("\"motto war, \"\"total\"\" …; seats 3\""), "{}", &files[0][..300]);
}

#[test]
fn folders_that_will_not_do_are_refused_before_the_first_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("decisions.csv");
    fs::write(&file, "mine").expect("a file");
    let refused = |folder: &Path| {
        let progress = Progress::default();
        let game = Auction::for_seats(3);
        let why =
            simulate_to_files(&Site::in_process(), &game, &batch(1), &csv(folder), &progress).map(|_| ());
        assert_eq!(progress.done.into_inner(), 0);
        assert_eq!(csv(folder).check(), why);
        why.expect_err("refused")
    };
    let why = refused(folder.path());
    assert!(why.contains("decisions.csv is there already"), "{why}");
    assert_eq!(fs::read_to_string(&file).expect("it is still there"), "mine");
    let why = refused(&file);
    assert!(why.contains("can't make the folder"), "{why}");
}

#[test]
fn a_batch_that_is_stopped_writes_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let progress = Progress::default();
    progress.stop();
    let game = Auction::for_seats(3);
    let played = simulate_to_files(&Site::in_process(), &game, &batch(1), &csv(folder.path()), &progress);
    assert_eq!(played.expect("what there is").result.games, 0);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// What is left in a folder after files could not be written into it, and what was said.
fn broken(folder: &Path, format: Format) -> (Vec<String>, String) {
    let files = Shelf { folder: folder.to_owned(), format };
    let game = Auction::for_seats(3);
    let played = simulate_to_files(&Site::in_process(), &game, &batch(1), &files, &Progress::default());
    let left = fs::read_dir(folder).expect("a folder").map(|file| {
        let name = file.expect("a file").file_name();
        name.into_string().expect("a name of ours")
    });
    (left.collect(), played.map(|_| ()).expect_err("it can't be written"))
}

/// The formats of this build.
fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| Format::read(format.word()).is_ok())
}

#[test]
fn what_can_not_be_written_is_said_and_no_half_files_are_left() {
    for format in formats() {
        for name in NAMES.map(|name| name.replace("csv", format.word()) + ".new") {
            // A folder in the way.
            let folder = tempfile::tempdir().expect("a folder");
            fs::create_dir(folder.path().join(&name)).expect("a folder");
            let (left, why) = broken(folder.path(), format);
            assert_eq!(left, [&*name]);
            assert!(why.contains("can't write") && why.contains(&name), "{why}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_no_half_files_are_left() {
    for format in formats() {
        for name in NAMES.map(|name| name.replace("csv", format.word()) + ".new") {
            let folder = tempfile::tempdir().expect("a folder");
            std::os::unix::fs::symlink("/dev/full", folder.path().join(&name)).expect("a link");
            let (left, why) = broken(folder.path(), format);
            assert_eq!(left, [""; 0], "{why}");
            assert!(why.contains("No space left on device") && why.contains(&name), "{why}");
        }
    }
}

#[test]
fn a_format_that_is_not_in_this_build_is_refused_by_name() {
    assert_eq!(Format::read("csv"), Ok(Format::Csv));
    let parquet = Format::read("parquet");
    if cfg!(feature = "files") {
        assert_eq!((parquet, Format::usual()), (Ok(Format::Parquet), Format::Parquet));
    } else {
        let why = parquet.expect_err("it is not built in");
        assert!(why.contains("--features files"), "{why}");
        assert_eq!(Format::usual(), Format::Csv);
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(broken(folder.path(), Format::Parquet), (Vec::new(), why));
    }
    assert!(Format::read("xlsx").expect_err("there is no such format").contains("csv or parquet"));
}
