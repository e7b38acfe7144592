//! The board of Blitzkrieg!: what is drawn is golden, holds together in every position of random play, and tells nobody
//! what is hidden from them.

use std::collections::HashSet;
use std::path::Path;

use blitz::settings::{BoardKind, Difficulty};
use blitz::{Blitz, Choice, Settings};
use boards::BlitzBoard;
use kernel::{Catalogue, Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Seat, Viewer};
use testkit::golden;
use web::{Asked, Board, Part, Scene, Tone};

use crate::drawing::{assembled, ids, lines, scene, without_fingerprints};

const VIEWERS: [Viewer; 3] = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];

fn setups() -> [Settings; 4] {
    [
        Settings::two_player(BoardKind::Base),
        Settings::two_player(BoardKind::Nippon),
        Settings::solo(BoardKind::Base, Difficulty::Medium),
        Settings::solo(BoardKind::Nippon, Difficulty::Standard),
    ]
}

fn viewers(game: &Blitz) -> Vec<Viewer> {
    let seats = game.seats().len();
    VIEWERS
        .into_iter()
        .filter(|viewer| !matches!(viewer, Viewer::Seat(seat) if seat.index() >= seats))
        .collect()
}

/// Plays one random choice and what follows by itself.
fn play_on(war: &mut Match<Blitz>, dice: &mut LabDice) {
    let choices = war.choices();
    let pick = choices[dice.below(choices.len() as u32) as usize];
    war.play(pick, &mut Discard).expect("a listed choice is open");
    war.play_forced(&mut Discard);
}

fn begun(settings: Settings, seed: u64) -> Match<Blitz> {
    let mut war = Match::new(Blitz::new(settings), MatchDice::seeded(seed));
    war.play_forced(&mut Discard);
    war
}

#[test]
fn the_sheets_and_positions_of_blitz_are_golden() {
    for (settings, name) in [(setups()[2], "blitz-solo"), (setups()[1], "blitz-nippon")] {
        let mut war = begun(settings, 7);
        let mut dice = LabDice::new(7);
        for _ in 0..9 {
            play_on(&mut war, &mut dice);
        }
        let game = war.game();
        let viewer = match war.mover() {
            Mover::Seat(seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        };
        let mut text = format!("{}\n", lines(&BlitzBoard::sheet(game).into_string()));
        let (drawn, open) = scene::<BlitzBoard>(&war, viewer);
        for Part(key, place, html) in &drawn.parts {
            text.push_str(&format!(
                "\n== {key} in {}\n{}\n",
                place.unwrap_or("the sheet, class"),
                lines(html)
            ));
        }
        let view = game.view(war.state(), viewer);
        for (choice, name) in open.iter().take(2) {
            let (words, ghosts) =
                BlitzBoard::preview(game, &view, *choice).expect("a placement can be foreseen");
            text.push_str(&format!("\n== preview of {name}: {words}\n"));
            for Part(key, place, html) in &ghosts.parts {
                text.push_str(&format!("{key} in {}\n{}\n", place.unwrap_or_default(), lines(html)));
            }
        }
        let thumbnail = BlitzBoard::thumbnail(game, &game.view(war.state(), Viewer::Spectator), Tone::Light);
        text.push_str(&format!("\n== thumbnail\n{}\n", lines(&thumbnail.into_string())));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
        golden::compare(&file, &without_fingerprints(&text));
    }
}

/// Whether a choice has a place on the board.
const fn has_place(choice: Choice) -> bool {
    matches!(
        choice,
        Choice::Place { .. }
            | Choice::Strategic(_)
            | Choice::Bomb(_)
            | Choice::BombAt(_)
            | Choice::Open(_)
            | Choice::Theatre(_)
    )
}

/// The values of an attribute in a piece of markup.
fn values<'a>(html: &'a str, attribute: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {attribute}=\"");
    let pieces: Vec<&str> = html.split(start.as_str()).skip(1).collect();
    pieces.into_iter().filter_map(|rest| rest.split('"').next())
}

fn check_position(war: &Match<Blitz>, viewer: Viewer, sheet: &str, places: &HashSet<&str>) {
    let (drawn, open) = scene::<BlitzBoard>(war, viewer);
    let html = assembled(&drawn, sheet, places, 36_000);
    let lit: HashSet<&str> = values(&html, "data-choice").flat_map(|names| names.split('|')).collect();
    let pieces: HashSet<&str> = values(&html, "data-piece").collect();
    for (choice, name) in &open {
        assert_eq!(lit.contains(name.as_str()), has_place(*choice), "whether {name} is lit on the board");
        if let Choice::Place { .. } = choice {
            let piece = name.rsplit_once(' ').map_or("", |(piece, _)| piece);
            assert!(pieces.contains(piece), "no piece for {name}");
        }
    }
    let names: HashSet<&str> = open.iter().map(|(_, name)| name.as_str()).collect();
    assert!(lit.is_subset(&names), "lit but not open: {:?}", lit.difference(&names));
    let seen: HashSet<&str> = ids(sheet).into_iter().chain(ids(&html)).collect();
    check_previews(war, viewer, &open, places, &seen);
}

fn check_previews(
    war: &Match<Blitz>,
    viewer: Viewer,
    open: &[(Choice, String)],
    places: &HashSet<&str>,
    taken: &HashSet<&str>,
) {
    let view = war.game().view(war.state(), viewer);
    for (choice, name) in open.iter().filter(|(choice, _)| has_place(*choice)) {
        let (words, ghosts) =
            BlitzBoard::preview(war.game(), &view, *choice).expect("an open choice can be foreseen");
        assert!(!words.is_empty(), "{name}");
        for Part(key, place, _) in &ghosts.parts {
            assert!(key.starts_with("ghost-") && !taken.contains(key.as_str()), "{key}");
            assert!(place.is_some_and(|place| places.contains(place)), "{key} goes to {place:?}");
        }
    }
}

#[test]
fn a_scene_of_blitz_holds_together_in_every_position() {
    for settings in setups() {
        for seed in 0..4 {
            let mut dice = LabDice::new(seed);
            let mut war = begun(settings, seed);
            let sheet = BlitzBoard::sheet(war.game()).into_string();
            let places: HashSet<&str> = ids(&sheet).into_iter().collect();
            let mut before: Vec<Part> = Vec::new();
            loop {
                for viewer in viewers(war.game()) {
                    check_position(&war, viewer, &sheet, &places);
                }
                let parts = scene::<BlitzBoard>(&war, VIEWERS[0]).0.parts;
                let changed = parts.iter().filter(|part| !before.contains(part));
                let bytes: usize = changed.map(|Part(key, _, html)| key.len() + html.len()).sum();
                assert!(before.is_empty() || bytes < 24_000, "an update of {bytes} bytes");
                before = parts;
                let Mover::Seat(_) = war.mover() else { break };
                play_on(&mut war, &mut dice);
            }
            let game = war.game();
            let view = game.view(war.state(), Viewer::Spectator);
            assert!(BlitzBoard::thumbnail(game, &view, Tone::Dark).into_string().len() < 16_000);
            assert!(BlitzBoard::print(game, Some(&view)).into_string().contains("Blitzkrieg!"));
        }
    }
}

/// Rule 14.6, R22: whatever hidden tokens are exchanged for others, nobody who may not know them sees a difference.
#[test]
fn what_is_hidden_is_not_drawn() {
    for settings in [setups()[0], setups()[1]] {
        let mut dice = LabDice::new(11);
        let mut war = begun(settings, 11);
        while let Mover::Seat(_) = war.mover() {
            let game = war.game();
            for viewer in VIEWERS {
                let view = game.view(war.state(), viewer);
                let other = game.view(&game.determinize(&view, &mut dice), viewer);
                let draw = |view: &blitz::View| {
                    let mut scene = Scene::default();
                    BlitzBoard::draw(game, view, &Asked::NOTHING, &mut scene);
                    scene.parts
                };
                assert_eq!(draw(&view), draw(&other));
            }
            play_on(&mut war, &mut dice);
        }
    }
}

/// The form makes games that the rules accept, with and without its script.
#[test]
fn the_form_asks_for_what_there_is() {
    let form = BlitzBoard::new_game_fields(&web::bots_of::<Blitz>(&[])).into_string();
    let known: HashSet<String> =
        Blitz::option_help().iter().map(|(key, _)| format!("option.{key}")).collect();
    let asked: HashSet<&str> = values(&form, "name").collect();
    // Earlier rules are for matches that were begun under them.
    for key in known.iter().filter(|key| *key != "option.bombing") {
        assert!(asked.contains(key.as_str()), "{key} is not asked for");
    }
    assert!(asked.contains("seat.0") && asked.contains("seat.1"), "{form}");
    for board in ["base", "nippon"] {
        let options = [("board", board), ("mode", "solo")];
        let options = options.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        assert!(Blitz::with_options(&options).is_ok());
    }
    let titles: Vec<String> =
        setups().into_iter().map(|settings| BlitzBoard::setup_title(&Blitz::new(settings))).collect();
    assert_eq!(
        titles,
        [
            "Blitzkrieg!: two players",
            "Nippon: two players",
            "Against the bot, Medium",
            "Nippon, against the bot"
        ]
    );
}
