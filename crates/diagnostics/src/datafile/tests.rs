use super::*;

fn read(text: &str, check: impl FnOnce(&mut Table<'_>, &mut Problems)) -> String {
    let mut problems = Problems::new("t", text);
    if let Some(document) = Document::parse(text, &mut problems) {
        let mut root = document.root();
        check(&mut root, &mut problems);
        root.finish(&mut problems);
    }
    problems.to_string()
}

#[test]
fn every_wrong_value_is_named_with_what_was_expected() {
    let text = "a = 5\nb = \"x\"\nc = [1, 9, \"z\"]\nd = 99999999999999999999\n";
    let report = read(text, |root, problems| {
        assert!(root.text("a", problems).is_none());
        assert!(root.integer("b", 1..=3u8, problems).is_none());
        assert!(root.required("c", "", problems).unwrap().integers(&(1..=5u8), problems).is_none());
        assert!(root.integer("d", -1..=3i8, problems).is_none());
        assert!(root.table("e", problems).is_none());
    });
    for line in [
        "error: \"a\" is a whole number\n  --> t:1:5",
        "expected a text in quotation marks",
        "error: \"b\" is a text\n  --> t:2:5",
        "expected a whole number from 1 to 3",
        "error: entry 2 of \"c\" is 9\n  --> t:3:9",
        "error: entry 3 of \"c\" is a text\n  --> t:3:12",
        "error: \"d\" is 99999999999999999999\n  --> t:4:5",
        "error: the key \"e\" is missing\n  --> t:1:1",
    ] {
        assert!(report.contains(line), "{line}\n\n{report}");
    }
}

#[test]
fn all_syntax_faults_are_found_and_spoil_only_their_lines() {
    let report = read("a = \nb = 7\nc = [1, 2\nd = 4\n", |root, problems| {
        root.optional("a").map(|value| value.text(problems));
        assert_eq!(root.integer("b", 1..=3u8, problems), None);
        root.text("zzz", problems);
    });
    assert!(report.contains("not valid TOML") && report.contains("t:1:"), "{report}");
    assert!(report.contains("\"b\" is 7"), "{report}");
    assert!(!report.contains("missing\n"), "{report}");
}

#[test]
fn an_avalanche_of_syntax_faults_is_cut_short() {
    let report = read(&"= = ]\n".repeat(500), |_, _| unreachable!("nothing left to read"));
    assert_eq!(report.matches("error: ").count(), 11, "{report}");
}

#[test]
fn places_in_texts_are_found_through_escapes_and_line_breaks() {
    let text =
        "a = \"one \\\"two\\\" \\u00e9 three\"\nb = \"\"\"\r\nx\\\r\n   yz\r\nq\"\"\"\nc = '''k\\l'''\n";
    read(text, |root, problems| {
        for (key, words) in [("a", "two"), ("a", "three"), ("b", "yz"), ("b", "q"), ("c", "l")] {
            let value = root.text(key, problems).unwrap();
            let at = value.as_str().find(words).unwrap();
            assert_eq!(&text[value.locate(at..at + words.len())], words);
        }
    });
    let lines = Text::from_lines([(10, "abc"), (20, "de")]);
    assert_eq!((lines.as_str(), lines.locate(1..2), lines.locate(4..6)), ("abc\nde", 11..12, 20..22));
    assert_eq!(lines.locate(6..6), 22..22);
}

#[test]
fn words_get_a_suggestion() {
    let report = read("kind = \"atack\"", |root, problems| {
        root.word("kind", &["attack", "adv"], |_| None::<u8>, problems);
    });
    assert!(report.contains("\"kind\" is \"atack\"") && report.contains("expected attack or adv"));
    assert!(report.contains("did you mean \"attack\"?"), "{report}");
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    assert!(refuse_huge("x", &"x".repeat(MAX_BYTES)).is_none());
    let report = refuse_huge("x", &"x".repeat(MAX_BYTES + 1)).unwrap().to_string();
    assert!(report.contains("too large"), "{report}");
}

#[test]
fn hostile_syntax_is_refused_in_bounded_time() {
    let start = std::time::Instant::now();
    let deep_keys = format!("{}a = 1", "a.".repeat(400_000));
    for text in [
        "[".repeat(MAX_BYTES),
        "{a=".repeat(300_000),
        "a = [".repeat(100_000),
        deep_keys,
        "= ,".repeat(MAX_BYTES / 3),
        "\"".repeat(MAX_BYTES),
    ] {
        read(&text, |_, _| ());
    }
    assert!(start.elapsed().as_secs() < 120);
}

#[test]
fn a_text_without_its_closing_mark_may_end_in_any_character() {
    for last in ["¡", "é", "💀", "\\"] {
        for mark in ["\"", "'", "\"\"\"", "'''"] {
            let text = format!("title = {mark}Overlord{last}\nturns = 3\n");
            let mut problems = Problems::new("x.toml", &text);
            if let Some(document) = Document::parse(&text, &mut problems) {
                document.root().text("title", &mut problems);
            }
            assert!(problems.has_errors(), "{text}");
        }
    }
}

#[test]
fn hundredths_are_read_without_fractions_of_the_machine() {
    let text = "a = 13.4\nb = -0.05\nc = 7\nd = 1.234\ne = 200.0\n";
    let mut problems = Problems::new("degrees.toml", text);
    let document = Document::parse(text, &mut problems).expect("valid TOML");
    let mut root = document.root();
    let mut read =
        |key| root.optional(key).and_then(|value| value.hundredths(-18_000..=18_000_i16, &mut problems));
    assert_eq!(
        [read("a"), read("b"), read("c"), read("d"), read("e")],
        [Some(1340), Some(-5), Some(700), None, None]
    );
    let report = problems.to_string();
    assert!(report.contains("degrees.toml:4:5") && report.contains("two digits after the point"), "{report}");
    assert!(report.contains("degrees.toml:5:5"), "{report}");
}
