//! The finished matches of a house as files, from the databases of earlier releases.

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use program::Home;
use store::{AccountId, Effect, Luck, MatchRecord, RatedSeat, RatingBook as _, SqliteStore, Store as _};

/// The rows of a file as fields; the matches of the museum have no fields that need quotes but set-ups and purposes, which may.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.lines().map(fields);
    let names = lines.next().expect("names");
    lines
        .map(|line| {
            assert_eq!(line.len(), names.len(), "{line:?}");
            names.iter().cloned().zip(line).collect()
        })
        .collect()
}

/// The fields of a line.
fn fields(line: &str) -> Vec<String> {
    let (mut all, mut field, mut quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(std::mem::take(&mut field)),
            letter => field.push(letter),
        }
    }
    all.push(field);
    all
}

/// The house of an earlier release, as the first start of this release's server leaves it.
fn house(home: &Home) -> SqliteStore {
    let museum = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum/0.2/maproom.db");
    fs::create_dir(home.path().join("house")).expect("a folder");
    fs::copy(museum, home.path().join("house/maproom.db")).expect("a copy");
    SqliteStore::open(&home.path().join("house")).expect("it is brought up to date")
}

const EXPORT: [&str; 5] = ["export", "--data", "house", "--format", "csv"];

#[test]
fn the_finished_matches_of_a_house_become_files() {
    let home = Home::new();
    let store = house(&home);
    let finished = store.finished().expect("matches");
    assert!(finished.len() >= 3, "the museum has finished matches");
    let record = store.find(&finished[0].match_id).expect("a match").expect("a match");
    drop(store);

    let said = home.run(&[&EXPORT[..], &["out/files"]].concat(), b"");
    assert!(said.err.contains("finished matches are in out/files."), "{}", said.err);
    let left_out = said.err.lines().filter(|line| line.starts_with("left out: ")).count();
    said.fine();
    let files = ["games", "decisions", "draws"].map(|name| home.read(&format!("out/files/{name}.csv")));
    let [games, decisions, draws] = [0, 1, 2].map(|at: usize| rows(&files[at]));
    assert_eq!(games.len() + left_out, finished.len());
    assert!(games.len() >= 3, "{left_out} were left out");
    for game in &games {
        let of = |rows: &[BTreeMap<String, String>]| {
            rows.iter().filter(|row| row["game"] == game["game"]).count().to_string()
        };
        assert_eq!((of(&decisions), of(&draws)), (game["decisions"].clone(), game["draws"].clone()));
        let players = game["bots"].split(' ').count();
        assert_eq!(game["standings"].split(' ').count(), players, "{game:?}");
        assert_eq!(game["seats"].split(' ').count(), players, "{game:?}");
        assert_eq!((&*game["rated"], &*game["luck"]), ("false", ""), "{game:?}");
        assert!(!game["result"].is_empty() && !game["ended_by"].is_empty(), "{game:?}");
    }
    for row in &decisions {
        if row["choice"].is_empty() {
            continue;
        }
        let [index, open]: [usize; 2] =
            ["index", "open"].map(|column| row[column].parse().expect("a number"));
        assert!(index < open, "what was chosen was open: {row:?}");
        assert!(["person", "bot", "order"].contains(&&*row["by"]), "{row:?}");
    }
    assert!(draws.iter().all(|row| row["tickets"].parse::<u32>().is_ok_and(|tickets| tickets > 0)));
    // Nobody can be found again through them.
    for secret in [&record.id, &record.viewer_token, &record.seats[0].token, &record.name] {
        assert!(secret.is_empty() || files.iter().all(|text| !text.contains(secret.as_str())), "{secret}");
    }
    home.run(&[&EXPORT[..], &["again"]].concat(), b"").fine();
    for (name, text) in ["games", "decisions", "draws"].iter().zip(&files) {
        assert_eq!(&home.read(&format!("again/{name}.csv")), text);
    }
    let refused = home.run(&["export", "again", "--data", "house"], b"").failed();
    assert!(refused.contains("games.csv is there already"), "{refused}");
    let nowhere = home.run(&["export", "more", "--data", "elsewhere"], b"").failed();
    assert!(nowhere.contains("there are no matches in elsewhere"), "{nowhere}");
}

#[cfg(feature = "shared")]
#[test]
fn a_house_in_postgresql_exports_the_same() {
    let Some(postgres) = testkit::postgres::shared() else { return };
    let home = Home::new();
    drop(house(&home));
    let address = postgres.address(&postgres.empty());
    home.run(&["store", "copy", "--from", "house", "--to", &address], b"").fine();
    home.run(&[&EXPORT[..], &["folder"]].concat(), b"").fine();
    home.run(&["export", "database", "--database", &address, "--format", "csv"], b"").fine();
    for name in ["games.csv", "decisions.csv", "draws.csv", "about.json"] {
        assert_eq!(home.read(&format!("folder/{name}")), home.read(&format!("database/{name}")), "{name}");
    }
}

#[test]
fn rated_matches_have_the_luck_that_their_reviews_found() {
    let home = Home::new();
    let store = house(&home);
    let finished = store.finished().expect("matches").remove(0);
    let original = store.find(&finished.match_id).expect("a match").expect("a match");
    let journal = store.journal(&finished.match_id).expect("its journal");
    store.prepare_ratings().expect("a book of ratings");
    for (number, id) in ["reviewed", "waiting"].into_iter().enumerate() {
        let mut record =
            MatchRecord { id: id.to_owned(), viewer_token: format!("{id}-w"), ..original.clone() };
        record.seats.iter_mut().for_each(|seat| seat.token = format!("{id}-{}", seat.seat));
        let accounts = [AccountId(7), AccountId(8)];
        let effects = accounts.map(|account| Effect::Rating { account, standing: "draw".to_owned() });
        store.create_with(&record, &journal, &effects).expect("a rated match");
        for (seat, account) in (0..).zip(accounts) {
            let row = RatedSeat {
                number: 2 * number as u64 + u64::from(seat) + 1,
                match_id: id.to_owned(),
                account,
                at: finished.finished_at,
                game: original.game.clone(),
                players: 2,
                setup: String::new(),
                seat,
                side: String::new(),
                standing: "draw".to_owned(),
                step: None,
                luck: Luck::Waits,
            };
            assert!(store.take_up(&row, &|_| None).expect("it is taken up"));
        }
    }
    store.set_luck("reviewed", &[0.125, -0.125]).expect("its review");
    drop(store);
    home.run(&[&EXPORT[..], &["files"]].concat(), b"").fine();
    let games = rows(&home.read("files/games.csv"));
    let rated: Vec<&str> =
        games.iter().filter(|game| game["rated"] == "true").map(|game| &*game["luck"]).collect();
    assert_eq!(rated, ["0.125 -0.125", ""]);
}

#[cfg(feature = "files")]
#[test]
fn the_finished_matches_of_a_house_become_parquet() {
    let home = Home::new();
    drop(house(&home));
    for folder in ["one", "two"] {
        home.run(&["export", folder, "--data", "house"], b"").fine();
    }
    for name in program::files() {
        let [one, two] = ["one", "two"].map(|folder| home.bytes(&format!("{folder}/{name}")));
        assert!(one == two, "{name}");
        if name.ends_with(".parquet") {
            assert!(one.starts_with(b"PAR1") && one.ends_with(b"PAR1"), "{name}");
        }
    }
    let games = home.bytes("one/games.parquet");
    for word in ["ended_by", "luck", "maproom.matches"] {
        assert!(games.windows(word.len()).any(|part| part == word.as_bytes()), "{word}");
    }
}
