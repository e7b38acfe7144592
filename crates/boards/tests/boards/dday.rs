//! The board of D-Day to Berlin: what is drawn is golden, holds together in every position of random play, and has a place
//! for every choice.

use std::collections::HashSet;
use std::path::Path;

use boards::DDayBoard;
use dday::{Choice, DDay, SCENARIOS, State};
use kernel::{
    Catalogue, Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Options, Seat, Viewer,
    Wording,
};
use testkit::golden;
use web::chain::{AFTER_DICE, links};
use web::{Board, Part, Tone};

use crate::drawing::{assembled, ids, lines, scene, without_fingerprints};

fn game(scenario: &str, more: &[(&str, &str)]) -> DDay {
    let own = [("scenario", scenario)];
    let options: Options =
        own.iter().chain(more).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    DDay::with_options(&options).expect("the options are in order")
}

fn begun(game: DDay, seed: u64) -> Match<DDay> {
    let mut battle = Match::new(game, MatchDice::seeded(seed));
    battle.play_forced(&mut Discard);
    battle
}

/// Plays one random choice and what follows by itself. Phases are not ended at once, so that something happens in them.
fn play_on(battle: &mut Match<DDay>, dice: &mut LabDice) {
    let choices = battle.choices();
    let mut pick = choices[dice.below(choices.len() as u32) as usize];
    if matches!(pick, Choice::End | Choice::Halt) && dice.below(3) > 0 {
        pick = choices[dice.below(choices.len() as u32) as usize];
    }
    battle.play(pick, &mut Discard).expect("a listed choice is open");
    battle.play_forced(&mut Discard);
}

fn mover(battle: &Match<DDay>) -> Viewer {
    match battle.mover() {
        Mover::Seat(seat) => Viewer::Seat(seat),
        _ => Viewer::Spectator,
    }
}

#[test]
fn the_sheets_and_positions_of_dday_are_golden() {
    for (scenario, name, steps) in
        [("03_villers_bocage", "dday-villers-bocage", 40), ("11_berlin", "dday-berlin", 120)]
    {
        let mut battle = begun(game(scenario, &[]), 7);
        let mut dice = LabDice::new(7);
        for _ in 0..steps {
            play_on(&mut battle, &mut dice);
        }
        let game = battle.game();
        let mut text = format!("{}\n", lines(&DDayBoard::sheet(game).into_string()));
        for Part(key, place, html) in &scene::<DDayBoard>(&battle, mover(&battle)).0.parts {
            text.push_str(&format!(
                "\n== {key} in {}\n{}\n",
                place.unwrap_or("the sheet, class"),
                lines(html)
            ));
        }
        let thumbnail =
            DDayBoard::thumbnail(game, &game.view(battle.state(), Viewer::Spectator), Tone::Light);
        text.push_str(&format!("\n== thumbnail\n{}\n", lines(&thumbnail.into_string())));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
        golden::compare(&file, &without_fingerprints(&text));
    }
}

/// The values of an attribute in a piece of markup.
pub fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(start.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Names of choices as they stand in markup: a chain's `>` is escaped there.
pub fn names(html: &str) -> Vec<String> {
    let all = values(html, "data-choice").into_iter().flat_map(|names| names.split('|'));
    all.map(|name| name.replace("&gt;", ">")).collect()
}

fn check_position(battle: &Match<DDay>, viewer: Viewer, sheet: &str, places: &HashSet<&str>) {
    let (drawn, open) = scene::<DDayBoard>(battle, viewer);
    let html = assembled(&drawn, sheet, places, 160_000);
    let lit = names(&html);
    let pieces: HashSet<&str> = values(&html, "data-piece").into_iter().collect();
    for (choice, name) in &open {
        // Dice that people roll themselves are said in the list alone.
        let has_place = !matches!(choice, Choice::Die(_));
        assert_eq!(lit.contains(name), has_place, "whether {name} is on the board");
        if let Choice::Place { .. } = choice {
            let piece = name.rsplit_once(' ').map_or("", |(piece, _)| piece);
            assert!(pieces.contains(piece), "no piece for {name}");
        }
    }
    let known: HashSet<&str> = open.iter().map(|(_, name)| name.as_str()).collect();
    for name in &lit {
        let first = links(name).next().unwrap_or_default();
        assert!(known.contains(first), "{name} is lit but not open");
    }
    check_chains(battle, &lit);
}

/// Every chain can be played to its end; one that begins with a roll, for some die.
fn check_chains(battle: &Match<DDay>, lit: &[String]) {
    let game = battle.game();
    for chain in lit.iter().filter(|name| links(name).count() > 1) {
        let faces: Vec<u8> = if chain.contains(AFTER_DICE) { (1..=10).collect() } else { vec![1] };
        let refused: Vec<String> =
            faces.into_iter().filter_map(|face| refused_link(game, battle.state(), chain, face)).collect();
        assert!(
            refused.is_empty() || refused.len() < 10 && chain.contains(AFTER_DICE),
            "{refused:?} of {chain}"
        );
    }
}

/// The first link of a chain that can't be played; every die on the way shows the same face.
fn refused_link(game: &DDay, state: &State, chain: &str, face: u8) -> Option<String> {
    let mut state = state.clone();
    for link in links(chain) {
        if game.mover(&state) == Mover::Fate {
            game.apply(&mut state, Choice::Die(face), &mut Discard);
        }
        let choice = game.read_name(&state, link).expect("a name of the game");
        if !game.is_legal(&state, choice) {
            return Some(link.to_owned());
        }
        game.apply(&mut state, choice, &mut Discard);
    }
    None
}

#[test]
fn every_choice_of_dday_has_a_place_on_the_board() {
    for (at, (scenario, _)) in SCENARIOS.iter().enumerate() {
        let more: &[(&str, &str)] =
            if at % 3 == 0 { &[("rerolls", "3"), ("random_rally", "on")] } else { &[] };
        let game = game(scenario, more);
        let sheet = DDayBoard::sheet(&game).into_string();
        assert!(sheet.len() < 300_000, "a sheet of {} bytes", sheet.len());
        let places: HashSet<&str> = ids(&sheet).into_iter().collect();
        let mut dice = LabDice::new(at as u64);
        let mut battle = begun(game, at as u64);
        let mut before: Vec<Part> = Vec::new();
        let mut bytes = Vec::new();
        for _ in 0..350 {
            let Mover::Seat(seat) = battle.mover() else { break };
            for viewer in [Viewer::Seat(seat), Viewer::Seat(Seat(1 - seat.0)), Viewer::Spectator] {
                check_position(&battle, viewer, &sheet, &places);
            }
            let parts = scene::<DDayBoard>(&battle, Viewer::Seat(seat)).0.parts;
            let changed = parts.iter().filter(|part| !before.contains(part));
            if !before.is_empty() {
                bytes.push(changed.map(|Part(key, _, html)| key.len() + html.len()).sum::<usize>());
            }
            before = parts;
            play_on(&mut battle, &mut dice);
        }
        let mean = bytes.iter().sum::<usize>() / bytes.len().max(1);
        assert!(mean < 24_000, "an update of {scenario} has {mean} bytes on the average");
        let game = battle.game();
        let view = game.view(battle.state(), Viewer::Spectator);
        let thumbnail = DDayBoard::thumbnail(game, &view, Tone::Dark).into_string();
        assert!(thumbnail.len() < 8_000, "a thumbnail of {} bytes", thumbnail.len());
        assert!(DDayBoard::print(game, Some(&view)).into_string().contains("D-Day to Berlin"));
        assert!(DDayBoard::print(game, None).into_string().contains("Battalions"));
    }
}

#[test]
fn previews_lie_on_the_sheet() {
    let mut battle = begun(game("08_bastogne", &[]), 3);
    let mut dice = LabDice::new(3);
    let sheet = DDayBoard::sheet(battle.game()).into_string();
    let places: HashSet<&str> = ids(&sheet).into_iter().collect();
    let mut foreseen = 0;
    for _ in 0..200 {
        let view = battle.game().view(battle.state(), mover(&battle));
        for choice in battle.choices() {
            let Some((words, ghosts)) = DDayBoard::preview(battle.game(), &view, choice) else { continue };
            assert!(!words.is_empty());
            foreseen += 1;
            for Part(key, place, html) in &ghosts.parts {
                assert!(key.starts_with("ghost-") && !places.contains(key.as_str()), "{key}");
                assert!(place.is_some_and(|place| places.contains(place)), "{key} goes to {place:?}");
                assert_eq!(ids(html).first(), Some(&key.as_str()));
            }
        }
        let Mover::Seat(_) = battle.mover() else { break };
        play_on(&mut battle, &mut dice);
    }
    assert!(foreseen > 100, "only {foreseen} choices could be foreseen");
}

/// A map of the largest size that the rules allow is drawn too, and its words are escaped.
#[test]
fn an_own_scenario_has_a_board_too() {
    let text = include_str!("../../../dday/data/scenarios/03_villers_bocage.toml");
    let mut own = String::new();
    for line in text.lines() {
        let wide = line.trim_start().starts_with('"') && line.contains("# row");
        own.push_str(&if wide {
            line.replacen("\",", &format!("{}\",", ".".repeat(28)), 1)
        } else {
            line.to_owned()
        });
        own.push('\n');
        if line.contains("# row 08") {
            own.push_str(&format!("\"{}\",\n", ".f.h.m.t.c".repeat(4)).repeat(22));
        }
    }
    let own = own
        .replace("cols = 12", "cols = 40")
        .replace("rows = 8", "rows = 30")
        .replace("Livry\"", "Livry <b>\"");
    let game = game(&own, &[]);
    let sheet = DDayBoard::sheet(&game).into_string();
    assert!(sheet.contains("Livry &lt;b&gt;") && !sheet.contains("Livry <b>"), "names are escaped");
    let places: HashSet<&str> = ids(&sheet).into_iter().collect();
    let battle = begun(game, 1);
    check_position(&battle, mover(&battle), &sheet, &places);
}

/// The form asks for every option, and what it sends without a script makes a game.
#[test]
fn the_form_asks_for_what_there_is() {
    let form = DDayBoard::new_game_fields(&web::bots_of::<DDay>(&[])).into_string();
    let asked: HashSet<&str> = values(&form, "name").into_iter().collect();
    // The scenarios of earlier rules are for matches that were begun under them.
    for (key, _) in DDay::option_help().iter().filter(|(key, _)| *key != "setup") {
        assert!(asked.contains(format!("option.{key}").as_str()), "{key} is not asked for");
    }
    assert!(asked.contains("seat.0") && asked.contains("seat.1"));
    for (id, _) in SCENARIOS {
        assert_eq!(form.matches(&format!("<option value=\"{id}\"")).count(), 1, "{id}");
    }
    let options = [("scenario".to_owned(), "11_berlin".to_owned())].into_iter().collect();
    assert_eq!(DDayBoard::setup_class(&options).1, "full");
    assert_eq!(DDayBoard::die_face("die 10"), Some(10));
    assert_eq!(DDayBoard::die_face("die 11"), None);
}
