use super::*;

fn refused(text: &str) -> String {
    read("mine.toml", text).map(|(scenario, _)| scenario.id).expect_err("a broken file").to_string()
}

#[test]
fn ours_are_in_order() {
    for (id, text) in SCENARIOS {
        let (scenario, problems) = read(id, text).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(scenario.id, id);
        assert!(problems.is_empty(), "{problems}");
        assert!(scenario.victory.len() >= 2 && scenario.playable.contains(&true));
    }
    assert!(chosen("poland-1938").expect_err("no such").contains("did you mean poland-1939?"));
    assert_eq!(chosen("france-1940").map(|scenario| scenario.text), Ok(String::new()));
}

#[test]
fn a_file_of_a_users_own_is_played() {
    let text = SCENARIOS[0].1.replace("GER = 18", "GER = 30");
    let scenario = chosen(&text).expect("a file");
    assert_eq!(scenario.production.map(|points| points[0]), Some(30));
    assert_eq!(scenario.text, text);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let poland = SCENARIOS[0].1;
    for (from, to, message) in [
        ("\"GER-3A\"", "\"GER-3X\"", "\"GER-3X\" is no unit"),
        ("hex = \"2635\"", "hex = \"9999\"", "\"9999\" is no land hex"),
        ("hex = \"2635\"", "hex = \"2835\"", "is a hex of POL"),
        ("hex = \"2635\"", "hex = \"3318\"", "outside the playable area"),
        ("hex = \"2632\"", "hex = \"2635\"", "a unit of its kind stands in 2635 already"),
        ("unit = \"GER-4A\"", "unit = \"GER-3A\"", "it stands in the file twice"),
        ("unit = \"GER-4A\"", "unit = \"FRA-1A\"", "FRA is not in play"),
        ("hex = \"2730\"", "hex = \"2635\"", "an air unit needs a city"),
        ("sorties = 1", "strength = \"reduced\"", "has no strength"),
        ("sorties = 1", "sorties = 9", "a whole number from 0 to 6"),
        ("title =", "titel =", "did you mean \"title\"?"),
        ("1939-09", "1938-09", "\"1938-09\" is no month"),
        ("last_turn = \"1939-10\"", "last_turn = \"1939-09\"", ""),
        ("production = { GER = 18", "production = { GRE = 1, GEX = 18", "did you mean \"GER\"?"),
        ("\"area-closed\"", "\"area-close\"", "did you mean \"area-closed\"?"),
        ("\"eastern-poland\"", "\"eastern-polend\"", "did you mean \"eastern-poland\"?"),
        ("axis decisive", "axis devisive", "did you mean \"axis decisive\"?"),
        ("western marginal", "soviet marginal", "nobody who plays could win"),
        ("conquered(POL)", "conquered(PLO)", "did you mean \"POL\"?"),
        ("[warsaw]", "[warsow]", "did you mean \"warsaw\"?"),
        ("appeasement = false", "appeasement = true", "has ended in every scenario"),
        (
            "id = \"ground-support\", country = \"GER\"",
            "id = \"partisans\", country = \"GER\"",
            "never has the marker",
        ),
        ("axis = [\"GER\"]", "axis = [\"GER\", \"POL\"]", "belongs to a faction already"),
        ("axis = [\"GER\"]", "axes = [\"GER\"]", "did you mean \"axis\"?"),
        ("factions = [\"axis\", \"western\"]", "factions = [\"western\"]", "no war of factions"),
    ] {
        let text = poland.replacen(from, to, 1);
        assert_ne!(text, poland, "{from}");
        if message.is_empty() {
            assert!(read("mine.toml", &text).is_ok());
            continue;
        }
        let said = refused(&text);
        assert!(said.contains(message), "{from} to {to}: {said}");
        assert!(said.contains("mine.toml:"), "{said}");
    }
}

/// Whatever a file says, it is read or refused: every line left out, every value changed, cut off anywhere.
#[test]
fn no_file_makes_the_reader_panic() {
    for (_, text) in SCENARIOS {
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(at);
            let _ = read("fewer", &fewer.join("\n"));
        }
        for at in (0..text.len()).step_by(97).filter(|at| text.is_char_boundary(*at)) {
            let _ = read("cut", &text[..at]);
        }
    }
    let text = SCENARIOS[2].1;
    for (from, to) in [
        ("\"", "'"),
        ("[", "{"),
        ("= 1", "= -1"),
        ("= 1", "= 99999999999999999999"),
        ("true", "3"),
        ("false", "\"\""),
        ("\"GER\"", "\"\""),
        ("\"GER\"", "\"VIC\""),
        ("19", "20"),
        ("28", "00"),
        (", ", " "),
        ("{ ", "{ x = 1, "),
        ("\"2", "\"box:"),
        ("GER", "USA"),
        ("controls", "will"),
        ("==", ">="),
        (")", ""),
        ("(", "(("),
    ] {
        let _ = read("changed", &text.replace(from, to));
        for (at, _) in text.match_indices(from).step_by(3) {
            let _ = read("changed", &format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
}
