use super::*;
use crate::book::ChartEntry;
use crate::ids::{Conflict, Region, Track};

fn file(spread: &str) -> String {
    format!("format = \"{FORMAT}\"\n[[spread]]\nn = 5\ntitle = \"Test\"\nblurb = \"B.\"\n{spread}\n")
}

fn report(spread: &str) -> String {
    match Spreads::parse("s.toml", &file(spread)) {
        Ok((_, problems)) | Err(problems) => problems.to_string(),
    }
}

#[test]
fn the_built_in_spreads_fit_both_editions_without_any_problem() {
    let (spreads, problems) = match Spreads::parse("spreads.toml", SOURCE) {
        Ok(read) => read,
        Err(problems) => panic!("{problems}"),
    };
    assert!(problems.is_empty(), "{problems}");
    assert_eq!(
        spreads.list().iter().map(|spread| spread.n).collect::<Vec<_>>(),
        (1..=24).collect::<Vec<_>>()
    );
    for edition in Edition::ALL {
        for spread in Spreads::builtin().list() {
            let (book, problems) = Book::builtin(edition).with_spread(spread).unwrap();
            assert!(problems.is_empty(), "{problems}");
            assert_eq!(book == *Book::builtin(edition), spread.n == 1, "{}", spread.n);
        }
    }
}

fn with(n: u8, edition: Edition) -> Book {
    Book::builtin(edition).with_spread(Spreads::builtin().get(n).unwrap()).unwrap().0
}

#[test]
fn spreads_change_what_they_say() {
    let (allied, axis) = (Edition::Allied, Edition::Axis);
    assert_eq!(with(2, allied).drm[Track::Usa.index()].start, 2);
    assert_eq!((with(2, allied).bands[0].min, with(2, axis).bands[0].min), (29, 28));
    assert_eq!((with(2, allied).tow, with(2, axis).tow), (2, 3));
    assert_eq!(with(4, axis).bands.iter().map(|band| band.min).collect::<Vec<_>>(), [27, 24, 21, 17, 0]);
    let north = with(5, allied);
    assert_eq!(north.regions[Region::Isl.index()].axis_strength, [4, 4]);
    assert_eq!(north.regions[Region::Isl.index()].allied_strength, [3, 5]);
    assert_eq!(north.regions[Region::Chn.index()].start, 0);
    assert!(with(6, allied).tables[0].boxes[0].done);
    let felix = with(8, allied);
    assert_eq!(felix.tables[1].boxes[0].title, "Operation Felix");
    assert!(
        felix.tables[1].boxes[0].text.contains("ADV SF") && felix.tables[1].boxes[0].parsed.event.is_some()
    );
    assert_eq!(with(10, allied).regions[Region::Sf.index()].vp, [0, 1, 2, 4, 6, 8]);
    assert_eq!((with(14, allied).start_turn, with(14, allied).confidence[1].points), (7, 7));
    assert_eq!(with(14, allied).confidence[1].lose, [true, true, true, false, false, false]);
    assert_eq!(with(20, axis).confidence[0].lose, [false; 6]);
    assert_eq!(with(22, allied).red, 9);
    assert_eq!(with(23, allied).chart[4], ChartEntry::Major(Conflict::Pacific));
}

#[test]
fn every_rule_about_a_spread_is_checked() {
    for (spread, message) in [
        ("start = { WF = 6 }", "WF starts at 6"),
        ("start = { CHN = 4 }", "from 0 to 3"),
        ("start = { CHM = 1 }", "did you mean \"CHN\"?"),
        ("vp.SF = [0, 1]", "there are 2 point numbers for 6 spaces"),
        ("strength.WF = { axis = [5, 9] }", "from 2 to 6"),
        ("drm = { EMT = 2 }", "EMT starts at 2"),
        ("tow = 7", "from 0 to 6"),
        ("start_turn = 21", "from 1 to 20"),
        ("die_roll_chart = { 7 = \"table 1\" }", "unknown key \"7\""),
        ("confidence = [{ turn = 7, points = 3 }]", "turn 7 is not a gold turn"),
        ("victory_shift = -20", "moves a victory band out of range"),
        ("[[spread.box]]\ntable = 1\nn = 1\ntext = \"Axis: Atack WF.\"", "did you mean \"Attack\"?"),
        ("[[spread.box]]\ntable = 1\nn = 1\ntitle = \"Midway\"", "another box is called \"Midway\" too"),
        ("[[spread.box]]\ntable = 1\nn = 7", "from 1 to 6"),
        ("[[spread.box]]\ntable = 1\nn = 1\n[[spread.box]]\ntable = 1\nn = 1", "is changed twice"),
        ("[spread.allied]\nstrat = 5", "did you mean \"start\"?"),
        ("[[spread]]\nn = 5\ntitle = \"x\"\nblurb = \"y\"", "there is a spread 5 already"),
    ] {
        let report = report(spread);
        assert!(report.contains("error:") && report.contains(message), "{spread}\n{report}");
    }
}

#[test]
fn an_error_is_named_once_with_its_place() {
    let text = report("tow = 3\nstart = { WF = 6 }");
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    assert!(text.contains("s.toml:7:16, spread 5 \"Test\""), "{text}");
    // Only the bot of one edition is refused.
    let text = report("[[spread.box]]\ntable = 1\nn = 1\ntext = \"Axis: Extra TOW.\"");
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    assert!(
        text.contains("s.toml:9:15, spread 5 \"Test\", allied edition, box 1.1 \"Fall of France\""),
        "{text}"
    );
}

#[test]
fn done_names_that_no_edition_has_are_warned_of() {
    let text =
        report("done = [\"Imperial Conference\", \"Carrier Task Forces\", \"Barbarosa\", \"Wolf Packs\"]");
    assert!(text.contains("did you mean \"Barbarossa\"?"), "{text}");
    assert!(text.contains("no Event to be done"), "{text}");
    assert!(!text.contains("error:"), "{text}");
    let felix = "done = [\"Felix\"]\n[[spread.box]]\ntable = 2\nn = 1\ntitle = \"Felix\"";
    assert_eq!(report(felix), "");
}

#[test]
fn a_title_that_other_boxes_ask_for_cannot_be_taken_away() {
    let own = crate::book_reader::source_of(Edition::Allied).replacen(
        "Attack WF, SF; else Attack WF.",
        "Attack WF, SF; else Attack WF. If event \"Barbarossa\" done: ADV WF.",
        1,
    );
    let (book, _) = Book::parse("own.toml", &own).unwrap();
    let problems = book.with_spread(Spreads::builtin().get(8).unwrap()).unwrap_err().to_string();
    assert!(problems.contains("still asks for the event \"Barbarossa\""), "{problems}");
    assert!(problems.contains("spreads.toml:"), "{problems}");
}

#[test]
fn other_files_are_refused() {
    assert!(Spreads::parse("x", "format = \"echoes-book/1\"").is_err());
    assert!(Spreads::parse("x", "").is_err());
    assert!(Spreads::parse("x", &" ".repeat(2 << 20)).is_err());
}
