use super::*;
use crate::book::{ChartEntry, ConfidenceRule, Verdict};
use crate::ids::{Conflict, Region};

fn allied() -> &'static str {
    source_of(Edition::Allied)
}

/// The report on the built-in book after some words in it were replaced.
#[track_caller]
fn after(changes: &[(&str, &str)]) -> String {
    let mut text = allied().to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    match Book::parse("my.toml", &text) {
        Ok((_, problems)) | Err(problems) => problems.to_string(),
    }
}

#[test]
fn both_built_in_books_are_without_any_problem() {
    for edition in Edition::ALL {
        let (book, problems) = match Book::parse("book", source_of(edition)) {
            Ok(read) => read,
            Err(problems) => panic!("{problems}"),
        };
        assert!(problems.is_empty(), "{problems}");
        assert_eq!(&book, Book::builtin(edition));
        assert_eq!((book.id.as_str(), book.human), (edition.word(), edition.human()));
        assert_eq!(book.titles().len(), 24);
        assert!(book.boxes().all(|data| !data.done));
    }
}

#[test]
fn a_shorter_war_keeps_the_printed_turn_track() {
    let text = allied().replacen("final = 20", "final = 18", 1);
    let (book, problems) = Book::parse("short.toml", &text).expect("a war that ends in 1944");
    assert!(problems.is_empty(), "{problems}");
    assert_eq!((book.years.len(), book.years.last()), (18, Some(&1944)));
}

#[test]
fn the_allied_book_has_its_printed_values() {
    let book = Book::builtin(Edition::Allied);
    assert_eq!((book.years.len(), book.years[10], book.red, book.start_turn), (20, 1943, 11, 1));
    assert_eq!(book.gold, [6, 10, 14, 18]);
    assert_eq!((book.drm[0].start, book.drm[2].max, book.drm[2].active_at, book.tow), (-1, 3, 3, 2));
    let china = &book.regions[Region::Chn.index()];
    assert_eq!((china.max, china.vp.as_slice(), china.allied_capital), (3, &[0, 1, 2, 4][..], false));
    let west = &book.regions[0];
    assert!(west.allied_capital && west.axis_capital);
    assert_eq!((west.allied_strength, west.axis_strength), ([3, 5], [5, 4]));
    assert_eq!(book.chart[3..5], [ChartEntry::Table(3), ChartEntry::Major(Conflict::Europe)]);
    assert_eq!(book.confidence_rule, ConfidenceRule::AtOrBelow);
    assert_eq!((book.confidence[1].turn, book.confidence[1].points), (10, 8));
    assert_eq!(book.confidence[1].lose, [true, true, true, false, false, false]);
    assert_eq!(book.bands[1].if_axis_holds_capital, Some(Verdict::Draw));
    assert_eq!(book.tables[0].boxes[4].title, "Overlord");
    assert!(book.tables[0].boxes[4].parsed.event.is_some());
}

#[test]
fn an_error_in_a_box_points_into_the_file_and_names_the_box() {
    let report = after(&[("Attack WF, SF; else Attack WF.", "Attack WF, SF; else Assault WF.")]);
    let line = allied().lines().position(|line| line.contains("Attack WF, SF; else")).unwrap() + 1;
    let column = allied().lines().nth(line - 1).unwrap().find("else ").unwrap() + 6;
    assert!(report.contains("error: unknown word \"Assault\""), "{report}");
    assert!(report.contains(&format!("--> my.toml:{line}:{column}, box 1.4 \"Atlantic Wall\"")), "{report}");
    assert_eq!(report.matches("error:").count(), 1, "{report}");
}

#[test]
fn a_text_with_escapes_or_windows_line_ends_keeps_its_places() {
    let text =
        "text = \"\"\"Axis: +1 EMT. In 1940-1942: Attack WF, SF; else Attack WF. Allies: 1 Action.\"\"\"";
    let escaped = "text = \"Axis: If event \\\"Overlord\\\" done: +1 EMT. Assault WF. Allies: 1 Action.\"";
    let report = after(&[(text, escaped)]);
    assert!(report.contains(&format!(":{}, box 1.4", escaped.find("Assault").unwrap() + 1)), "{report}");
    let windows =
        allied().replace('\n', "\r\n").replacen("Attack WF, EF. Allies: 1", "Attack WF, XX. Allies: 1", 1);
    let report = Book::parse("my.toml", &windows).unwrap_err().to_string();
    assert!(report.contains("unknown word \"XX\"") && report.contains(":29, box 1.6"), "{report}");
}

#[test]
fn every_rule_about_a_book_is_checked() {
    for (from, to, message) in [
        ("echoes-book/1", "echoes-spreads/1", "\"format\" is \"echoes-spreads/1\""),
        ("bot = \"Axis\"", "bot = \"Allies\"", "human and bot are both Allies"),
        ("human = \"Allies\"", "human = \"Allied\"", "did you mean \"Allies\"?"),
        ("1944, 1945, 1945]", "1944]", "there are 18 years for 20 turns"),
        ("final = 20", "final = 21", "from 1 to 20"),
        ("1940, 1940, 1941", "1940, 1942, 1941", "the years go back"),
        ("gold = [6, 10", "gold = [10, 6", "gold turns are not in order"),
        ("gold = [6, 10, 14, 18]", "gold = [6, 10, 14]", "turn 18 is not a gold turn"),
        ("gold = [6, 10, 14, 18]", "gold = [6, 10, 14, 18, 20]", "no row for the gold turn 20"),
        ("start = 1\ngold", "start = 21\ngold", "from 1 to 20"),
        ("start = -1\nmin = -1", "start = 2\nmin = -1", "from -1 to 1"),
        ("min = -1\nmax = 1", "min = -2\nmax = 1", "the number -1"),
        ("max = 3\nactive_at = 3", "max = 3\nactive_at = 4", "from 1 to 3"),
        ("regions = [\"WF\", \"EF\", \"SF\"]", "regions = [\"WF\", \"EF\"]", "the rules fix this list"),
        ("drm = [\"EMT\", \"USA\"]", "drm = [\"EMT\"]", "the rules fix this list"),
        ("per_game = 2", "per_game = 7", "from 0 to 6"),
        ("per_region = 1", "per_region = 2", "the number 1"),
        ("id = \"EF\"", "id = \"SF\"", "SF stands in the place of EF"),
        ("start = 3\nmax = 5", "start = 6\nmax = 5", "\"start\" is 6"),
        ("start = 3\nmax = 5", "start = 3\nmax = 8", "from 1 to 7"),
        ("vp = [0, 1, 2, 3, 5, 8]", "vp = [0, 1, 2, 3, 5]", "there are 5 point numbers for 6 spaces"),
        ("vp = [0, 1, 2, 3, 5, 8]", "vp = [0, 1, 2, 3, 2, 8]", "go down along the track"),
        ("vp = [0, 1, 2, 3, 5, 8]", "vp = [0, 1, 2, 3, 5, 21]", "from 0 to 20"),
        ("\"The Rhine\", \"Berlin\"]", "\"Berlin\"]", "there are 5 names for 6 spaces"),
        ("allied_capital = 0", "allied_capital = 1", "the number 0"),
        ("axis_capital = 5", "axis_capital = 4", "the number 5"),
        ("allies = [3, 5]", "allies = [3, 7]", "from 2 to 6"),
        ("allies = [3, 5]", "allies = [3]", "there are 1 strengths"),
        ("6 = \"major pacific\"", "", "the key \"6\" is missing"),
        ("6 = \"major pacific\"", "6 = \"major africa\"", "major europe or major pacific"),
        (
            "bot_order = [\"WF\", \"EF\", \"SF\"]",
            "bot_order = [\"WF\", \"EF\", \"EF\"]",
            "the rules fix this list",
        ),
        ("track = \"EMT\"", "track = \"USA\"", "expected EMT"),
        ("at_or_below", "at_or_under", "\"rule\" is \"at_or_under\""),
        ("turn = 10", "turn = 6", "there is a row for turn 6 already"),
        ("lose = [1, 2]", "lose = [1, 7]", "from 1 to 6"),
        ("min = 25", "min = 28", "not in descending order"),
        ("min = 0\nresult", "min = 1\nresult", "does not begin at 0"),
        ("allied_minor", "allied_small", "\"result\" is \"allied_small\""),
        ("\nn = 2", "\nn = 1", "there is a box 1 already"),
        ("\nn = 2", "\nn = 7", "from 1 to 6"),
        ("id = 2", "id = 1", "there is no table 2"),
        ("\"Wolf Packs\"", "\"fall of FRANCE\"", "a box before this one is called"),
        ("\"Wolf Packs\"", "\" \"", "this name is empty"),
        ("colour = \"green\"", "color = \"green\"", "did you mean \"colour\"?"),
        ("[tow]", "[towe]", "did you mean \"tow\"?"),
        ("name = \"China\"", "name = 5", "\"name\" is a whole number"),
    ] {
        let report = after(&[(from, to)]);
        assert!(report.contains(message), "{from} -> {to}\n{report}");
        assert!(report.contains("error:"), "{from} -> {to}");
    }
}

#[test]
fn all_errors_of_a_book_are_reported_at_once() {
    let report = after(&[
        ("colour = \"green\"", "colr = \"green\""),
        ("max = 3\nvp", "max = 9\nvp"),
        ("Attack WF x2. Allies: 1 Action.", "Atack WF x2. Allies: 1 Action"),
        ("lose = [1, 2]", "lose = [0]"),
    ]);
    for message in ["colr", "is 9", "\"Atack\"", "no full stop", "is 0"] {
        assert!(report.contains(message), "{message}\n{report}");
    }
}

#[test]
fn a_syntax_error_does_not_hide_the_rest_and_causes_no_avalanche() {
    let report = after(&[("start = 1\n", "start = \n"), ("per_game = 2", "per_game = 9")]);
    assert!(report.contains("not valid TOML") && report.contains("\"per_game\" is 9"), "{report}");
    assert_eq!(report.matches("error:").count(), 2, "{report}");
}

/// The plain-text form of a built-in book.
fn plain(edition: Edition) -> String {
    let mut text = format!("# typed by hand\ntitle: My copy\nedition: {}\n\n", edition.word());
    for (table, data) in (1..).zip(&Book::builtin(edition).tables) {
        for (number, data) in (1..).zip(&data.boxes) {
            text.push_str(&format!("{table}.{number} {}\n# note\n{}\n\n", data.title, data.text));
        }
    }
    text
}

#[test]
fn the_plain_form_reads_to_the_same_book() {
    for edition in Edition::ALL {
        let (book, problems) = Book::parse("my.txt", &plain(edition)).unwrap();
        assert!(problems.is_empty(), "{problems}");
        let built_in = Book::builtin(edition);
        assert_eq!((book.id.as_str(), book.title.as_str()), ("own", "My copy"));
        assert_eq!((&book.tables, &book.regions), (&built_in.tables, &built_in.regions));
        let windows = plain(edition).replace('\n', "\r\n");
        assert_eq!(Book::parse("my.txt", &format!("\u{feff}{windows}")).unwrap().0, book);
    }
}

#[test]
fn the_plain_form_reports_lines_and_boxes() {
    let text = plain(Edition::Allied);
    let wrong = text.replacen("Attack WF, SF; else Attack", "Attack WF, SF; else Atack", 1);
    let report = Book::parse("my.txt", &wrong).unwrap_err().to_string();
    let line = wrong.lines().position(|line| line.contains("Atack")).unwrap() + 1;
    assert!(report.contains(&format!("my.txt:{line}:49, box 1.4 \"Atlantic Wall\"")), "{report}");
    assert!(report.contains("did you mean \"Attack\"?"), "{report}");
    for (from, to, message) in [
        ("2.3 Afrika Korps", "2.2 Afrika Korps", "box 2.2 appears twice"),
        ("2.3 Afrika Korps", "2.7 Afrika Korps", "there is no box 2.7"),
        ("2.3 Afrika Korps", "2.3", "the box has no title"),
        ("2.3 Afrika Korps", "2.3 Midway", "is called \"Midway\" too"),
        ("2.3 Afrika Korps\n", "\n", "missing: box 2.3"),
        ("edition: allied", "edition: alied", "did you mean \"allied\"?"),
        ("edition: allied", "editon: allied", "did you mean \"edition\"?"),
        ("title: My copy", "title:", "this name is empty"),
    ] {
        let report = Book::parse("my.txt", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(report.contains(message), "{from} -> {to}\n{report}");
    }
}

#[test]
fn a_book_without_a_form_is_refused() {
    assert!(Book::parse("x", "").unwrap_err().to_string().contains("this is not a book"));
    assert!(Book::parse("x", "hello there").unwrap_err().to_string().contains("this is not a book"));
    let headless = allied().replacen("format = \"echoes-book/1\"", "", 1);
    let report = Book::parse("x", &headless).unwrap_err().to_string();
    assert!(report.contains("the key \"format\" is missing"), "{report}");
    assert_eq!(report.matches("error:").count(), 1, "{report}");
    assert!(Book::parse("x", "edition: axis").unwrap_err().to_string().contains("missing: boxes 1.1, 1.2"));
    assert!(Book::parse("x", &"x".repeat(2 << 20)).unwrap_err().to_string().contains("too large"));
}
