//! The board of Echoes of War: what is drawn is golden, and holds together in every position of random play.

use std::collections::HashSet;
use std::path::Path;

use boards::EchoesBoard;
use echoes::{Choice, Echoes, Edition};
use kernel::{Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Seat, Viewer};
use testkit::golden;
use web::{Board, Part, Tone};

use crate::drawing::{ids, lines, scene, without_fingerprints};

/// The one who plays.
const PLAYER: Viewer = Viewer::Seat(Seat(0));

/// Plays one random choice and what follows by itself.
fn play_on(war: &mut Match<Echoes>, dice: &mut LabDice) {
    let choices = war.choices();
    let pick = choices[dice.below(choices.len() as u32) as usize];
    war.play(pick, &mut Discard).expect("a listed choice is open");
    war.play_forced(&mut Discard);
}

#[test]
fn the_sheet_and_a_position_of_echoes_are_golden() {
    let game = Echoes::edition(Edition::Allied, 1).expect("the plain game");
    let mut war = Match::new(game.clone(), MatchDice::seeded(7));
    let mut dice = LabDice::new(7);
    war.play_forced(&mut Discard);
    for _ in 0..12 {
        play_on(&mut war, &mut dice);
    }
    let mut text = format!("{}\n", lines(&EchoesBoard::sheet(&game).into_string()));
    for Part(key, place, html) in &scene::<EchoesBoard>(&war, PLAYER).0.parts {
        text.push_str(&format!("\n== {key} in {}\n{}\n", place.unwrap_or("the sheet, class"), lines(html)));
    }
    let view = game.view(war.state(), Viewer::Spectator);
    text.push_str(&format!(
        "\n== thumbnail\n{}\n",
        lines(&EchoesBoard::thumbnail(&game, &view, Tone::Light).into_string())
    ));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/echoes-board.txt");
    golden::compare(&file, &without_fingerprints(&text));
}

fn check_position(shown: &Match<Echoes>, sheet: &str, places: &HashSet<&str>) {
    let (scene, open) = scene::<EchoesBoard>(shown, PLAYER);
    let mut drawn = String::new();
    let mut bytes = 0;
    for Part(key, place, html) in &scene.parts {
        bytes += key.len() + html.len();
        match place {
            // Beside the choices, in the page itself.
            Some("ask") => {}
            Some(place) => {
                assert!(places.contains(place), "{key} goes to {place}, which the sheet does not have");
                assert_eq!(ids(html).first(), Some(&key.as_str()), "the part must be the element of its key");
                drawn.push_str(html);
            }
            None => assert!(places.contains(key.as_str()), "the sheet has no {key}"),
        }
    }
    assert!(bytes < 24_000, "a whole scene of {bytes} bytes");
    for forbidden in [" style=", "<script", "onclick", "javascript:"] {
        let found = drawn.contains(forbidden) || sheet.contains(forbidden);
        assert!(!found, "{forbidden} is not allowed by the policy");
    }
    let mut seen = HashSet::new();
    for id in ids(sheet).into_iter().chain(ids(&drawn)) {
        assert!(seen.insert(id), "the id {id} is there twice");
    }
    let lit: HashSet<&str> = drawn
        .split("data-choice=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .flat_map(|names| names.split('|'))
        .collect();
    for (choice, name) in &open {
        let has_place = !matches!(choice, Choice::Pass | Choice::No | Choice::Option(_) | Choice::Die(_));
        assert_eq!(lit.contains(name.as_str()), has_place, "whether {name} is lit on the board");
    }
    let names: HashSet<&str> = open.iter().map(|(_, name)| name.as_str()).collect();
    assert!(lit.is_subset(&names), "lit but not open: {:?}", lit.difference(&names));
    let game = shown.game();
    let thumbnail =
        EchoesBoard::thumbnail(game, &game.view(shown.state(), Viewer::Spectator), Tone::Dark).into_string();
    assert!(thumbnail.len() < 16_000, "a thumbnail of {} bytes", thumbnail.len());
}

#[test]
fn a_scene_of_echoes_holds_together_in_every_position() {
    let setups = [(Edition::Allied, 1), (Edition::Axis, 1), (Edition::Allied, 14), (Edition::Axis, 18)];
    for (edition, spread) in setups {
        let game = Echoes::edition(edition, spread).expect("a built-in spread");
        let sheet = EchoesBoard::sheet(&game).into_string();
        let places: HashSet<&str> = ids(&sheet).into_iter().collect();
        for seed in 0..6 {
            let mut dice = LabDice::new(seed);
            let mut war = Match::new(game.clone(), MatchDice::seeded(seed));
            war.play_forced(&mut Discard);
            check_position(&war, &sheet, &places);
            while let Mover::Seat(_) = war.mover() {
                play_on(&mut war, &mut dice);
                check_position(&war, &sheet, &places);
            }
            let view = game.view(war.state(), Viewer::Spectator);
            assert!(EchoesBoard::print(&game, Some(&view)).into_string().contains("Echoes of War"));
        }
    }
}

/// A book of one's own may have tracks of another length, and any words: the board must fit them.
#[test]
fn an_own_book_has_a_board_too() {
    let text = include_str!("../../../echoes/data/book.toml")
        .replace("max = 3\nvp = [0, 1, 2, 4]", "max = 4\nvp = [0, 1, 2, 3, 4]")
        .replace(
            "spaces = [\"Chungking cut off\", \"Changsha\", \"The Yangtze\", \"The coast and Manchuria\"]",
            "spaces = [\"Chungking\", \"Changsha\", \"The <Yangtze>\", \"The coast\", \"Manchuria\"]",
        );
    let options = [("book".to_owned(), text)].into_iter().collect();
    let game = Echoes::with_options(&options).expect("the book is in order");
    let sheet = EchoesBoard::sheet(&game).into_string();
    assert!(sheet.contains("&lt;Yangtze&gt;") && !sheet.contains("<Yangtze>"), "names are escaped");
    let places: HashSet<&str> = ids(&sheet).into_iter().collect();
    let mut war = Match::new(game, MatchDice::seeded(1));
    war.play_forced(&mut Discard);
    check_position(&war, &sheet, &places);
}
