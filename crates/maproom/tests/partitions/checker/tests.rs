//! Histories made by hand: one that holds together, and the same with one lie each.

use super::{Found, check};

/// Two servers, three requests: one acknowledged, one of which nobody knows, one that is repeated at the other server.
const JOURNAL: &str =
    "m|1||deal=d1\nm|2|first|north=x2,roll-6=d2\nm|3||bot=d3\nm|4|second|south=d4\nm|5|third|east=d5\n";

const HISTORY: &[&str] = &[
    "page m ann A 0 5 1 1 d1 deal",
    "choice m first 1 A 10 20 made 2",
    "told m window B 25 2",
    "page m bob B 21 30 3 4 d3 north,roll-6,bot",
    "choice m lost 2 B 22 31 refused 409",
    "choice m second 3 A 40 90 unknown no-answer",
    "told m window B 70 4",
    "choice m third 4 B 80 85 unknown no-answer",
    "choice m third 4 A 95 99 made 5",
    "choice m never 5 A 100 110 unknown no-answer",
    "told m window A 120 5",
    "page m ann A 121 125 5 6 d5 south,east",
    "end m A 5 6 d5",
    "end m B 5 6 d5",
];

/// The history with some lines instead of those that begin like them, or after all others.
fn history(instead: &[(&str, &str)]) -> String {
    let mut lines: Vec<&str> = HISTORY.to_vec();
    for (beginning, line) in instead {
        match lines.iter_mut().find(|known| known.starts_with(beginning)) {
            Some(known) => *known = line,
            None => lines.push(line),
        }
    }
    let lines = lines.into_iter().filter(|line| !line.is_empty());
    lines.map(|line| words(line) + "\n").collect()
}

/// Tabs between the words, and none within an outcome, which is the last.
fn words(line: &str) -> String {
    let mut text = line.replace(' ', "\t");
    for outcome in ["made", "refused", "unknown"] {
        text = text.replace(&format!("{outcome}\t"), &format!("{outcome} "));
    }
    text
}

/// Insists that a lie is found, and that nothing else is called one.
#[track_caller]
fn finds(journal: &str, instead: &[(&str, &str)], lie: &str) {
    let lies = check(&history(instead), journal).expect_err("a lie");
    assert!(lies.len() == 1 && lies[0].contains(lie), "{lie}: {lies:#?}");
}

#[test]
fn what_holds_together_is_counted() {
    let found = check(&history(&[]), JOURNAL).expect("no lie");
    let expected = Found {
        matches: 1,
        entries: 5,
        acknowledged: 2,
        repeated: 1,
        refused: 1,
        unknown_made: 1,
        unknown_not_made: 1,
        shown: 6,
    };
    assert_eq!(found, expected);
}

#[test]
fn a_gap_is_found() {
    let gap = JOURNAL.replace("m|2|", "m|1|");
    let lies = check(&history(&[]), &gap).expect_err("a lie");
    assert!(lies[0].contains("entry 1 is where 2 should be"), "{lies:?}");
    let lies = check("", "m|1||\nm|3||\n").expect_err("a lie");
    assert_eq!(lies, ["match m: entry 3 is where 2 should be"]);
}

#[test]
fn what_was_acknowledged_and_is_lost_is_found() {
    finds(&JOURNAL.replace("first", ""), &[], "request first was acknowledged as 2 and is lost");
}

#[test]
fn another_number_than_the_acknowledged_one_is_found() {
    let other = ("choice m third 4 A", "choice m third 4 A 95 99 made 4");
    finds(JOURNAL, &[other], "request third was acknowledged as 4 and is entry 5");
}

#[test]
fn two_numbers_for_one_request_are_found() {
    let other = ("choice m third 4 C", "choice m third 4 C 130 140 made 6");
    finds(JOURNAL, &[other], "request third was acknowledged as 6 and is entry 5");
}

#[test]
fn an_effect_that_came_twice_is_found() {
    finds(&(JOURNAL.to_owned() + "m|6|third|\n"), &LONGER, "request third has had its effect more than once");
}

/// The ends of a journal with an entry more that has no steps.
const LONGER: [(&str, &str); 2] = [("end m A", "end m A 6 6 d5"), ("end m B", "end m B 6 6 d5")];

#[test]
fn what_was_refused_and_is_there_is_found() {
    let refused = ("choice m never", "choice m never 5 A 100 110 refused 503");
    let journal = JOURNAL.to_owned() + "m|6|never|\n";
    finds(&journal, &[LONGER[0], LONGER[1], refused], "request never was refused and is entry 6");
}

#[test]
fn what_nobody_knew_of_and_is_there_is_no_lie() {
    let found = check(&history(&LONGER), &(JOURNAL.to_owned() + "m|6|never|\n")).expect("no lie");
    assert_eq!((found.unknown_made, found.unknown_not_made), (2, 0));
}

#[test]
fn what_nobody_has_sent_is_found() {
    finds(&(JOURNAL.to_owned() + "m|6|ghost|\n"), &LONGER, "which nobody has sent");
}

#[test]
fn what_was_made_for_another_position_is_found() {
    let older = ("choice m second", "choice m second 2 A 40 90 unknown no-answer");
    finds(JOURNAL, &[older], "request second was for revision 2 and is entry 4");
}

#[test]
fn an_entry_that_should_have_come_later_is_found() {
    // It was sent when the next one had been acknowledged.
    let late = ("choice m second", "choice m second 3 A 100 110 unknown no-answer");
    let instead = [late, ("told m window B 70 4", ""), ("page m ann A 121", "")];
    finds(JOURNAL, &instead, "entry 4 was asked for at 100, after entry 5 had been acknowledged at 99");
}

#[test]
fn what_was_shown_before_anybody_asked_for_it_is_found() {
    let early = ("told m window B 25 2", "told m window B 8 2");
    finds(JOURNAL, &[early], "revision 2 was shown at 8, before anybody asked for it at 10");
}

#[test]
fn what_was_shown_and_is_not_there_is_found() {
    let more = ("told m window A 120 5", "told m window A 120 6");
    finds(JOURNAL, &[more], "revision 6 was shown, and the journal ends with 5");
}

#[test]
fn an_older_position_after_an_acknowledgement_of_the_same_server_is_found() {
    let stale = ("page m ann A 21 23", "page m ann A 21 23 1 1 d1 deal");
    finds(JOURNAL, &[stale], "server A showed revision 1 at 21, after it had answered with 2");
}

#[test]
fn an_older_position_after_a_newer_one_of_the_same_server_is_found() {
    let stale = ("page m cid B 31", "page m cid B 31 33 2 3 d2 roll-6");
    finds(JOURNAL, &[stale], "server B showed revision 2 at 31, after it had answered with 3");
}

#[test]
fn an_older_position_at_another_server_or_at_the_same_time_is_no_lie() {
    let elsewhere = ("page m cid B 21", "page m cid B 21 22 1 1 d1 deal");
    let meanwhile = ("page m cid A 15", "page m cid A 15 25 1 1 d1 deal");
    assert!(check(&history(&[elsewhere, meanwhile]), JOURNAL).is_ok());
}

#[test]
fn a_page_that_goes_back_is_found() {
    let back = ("told m window A 120 5", "told m window A 120 3");
    finds(JOURNAL, &[back], "the page window went back from revision 4 to 3");
}

#[test]
fn two_histories_are_found() {
    let other = ("page m bob B", "page m bob B 21 30 3 4 x3 north,roll-6,bot");
    let first = ("page m cid A", "page m cid A 32 34 3 4 d3 bot");
    let lies = check(&history(&[other, first]), JOURNAL).expect_err("two lies");
    assert!(lies[0].contains("revision 3 is x3 at B, and in the journal d3"), "{lies:?}");
    assert!(lies[1].contains("revision 3 is x3 after 4 steps at B and d3 after 4 at A"), "{lies:?}");
    assert_eq!(lies.len(), 2);
    // Also where the journal says nothing of positions.
    let silent = JOURNAL.replace("east=d5", "");
    let ends = [("page m ann A 121", ""), ("end m A", "end m A 5 5 d5"), ("end m B", "end m B 5 5 x5")];
    let lies = check(&history(&ends), &silent).expect_err("a lie");
    assert!(
        lies.iter().any(|lie| lie.contains("revision 5 is d5 after 5 steps at A and x5 after 5 at B")),
        "{lies:?}"
    );
}

#[test]
fn steps_that_are_not_those_of_the_journal_are_found() {
    let other = ("page m bob B", "page m bob B 21 30 3 4 d3 north,roll-5,bot");
    finds(JOURNAL, &[other], "revision 3 ends with [\"north\", \"roll-5\", \"bot\"] at B");
}

#[test]
fn a_position_that_is_not_that_of_the_journal_is_found() {
    let journal = JOURNAL.replace("bot=d3", "bot=d4");
    finds(&journal, &[], "revision 3 is d3 at B, and in the journal d4");
}

#[test]
fn a_server_that_does_not_come_to_the_end_is_found() {
    finds(JOURNAL, &[("end m B", "end m B 4 5 d4")], "server B ends at 4 of 5");
}

#[test]
fn what_can_not_be_read_is_no_history() {
    for (history, journal) in [("choice m first", ""), ("page\tm\n", ""), ("", "m|1"), ("", "m|one||")] {
        let lies = check(history, journal).expect_err("odd");
        assert!(lies[0].contains("can't be read"), "{lies:?}");
    }
}
