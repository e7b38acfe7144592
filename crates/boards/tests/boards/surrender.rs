//! The board of Unconditional Surrender!: what is drawn is golden, holds together in every position of random play, and has a
//! place for every choice.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use boards::SurrenderBoard;
use kernel::{
    Catalogue as _, Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Options, Viewer,
    Wording as _,
};
use surrender::{Choice, State, Surrender};
use testkit::golden;
use web::chain::links;
use web::{Board, Part, Tone};

use crate::dday::names;
use crate::drawing::{assembled, ids, lines, scene, without_fingerprints};

/// A whole scene is no larger than this: the first page of the full war.
const MOST_BYTES: usize = 400_000;
/// What an update may take.
const MOST_CHANGED: usize = 60_000;
/// What it takes on the average; between two choices of different seats more changes than anybody is sent.
const MEAN_CHANGED: usize = 24_000;

fn game(scenario: &str) -> Surrender {
    let options: Options =
        [("scenario", scenario)].map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    Surrender::with_options(&options).expect("the options are in order")
}

fn begun(game: Surrender, seed: u64) -> Match<Surrender> {
    let mut war = Match::new(game, MatchDice::seeded(seed));
    war.play_forced(&mut Discard);
    war
}

/// Plays one random choice and what follows by itself. Phases are not ended at once, so that something happens in them.
fn play_on(war: &mut Match<Surrender>, dice: &mut LabDice) {
    let choices = war.choices();
    let mut pick = choices[dice.below(choices.len() as u32) as usize];
    if matches!(pick, Choice::End | Choice::Stop | Choice::Pass) && dice.below(3) > 0 {
        pick = choices[dice.below(choices.len() as u32) as usize];
    }
    war.play(pick, &mut Discard).expect("a listed choice is open");
    war.play_forced(&mut Discard);
}

fn mover(war: &Match<Surrender>) -> Viewer {
    match war.mover() {
        Mover::Seat(seat) => Viewer::Seat(seat),
        _ => Viewer::Spectator,
    }
}

#[test]
fn the_sheet_and_a_position_of_surrender_are_golden() {
    let mut war = begun(game("poland-1939"), 7);
    let mut dice = LabDice::new(7);
    for _ in 0..40 {
        play_on(&mut war, &mut dice);
    }
    let game = war.game();
    let mut text = format!("{}\n", lines(&SurrenderBoard::sheet(game).into_string()));
    for Part(key, place, html) in &scene::<SurrenderBoard>(&war, mover(&war)).0.parts {
        text.push_str(&format!("\n== {key} in {}\n{}\n", place.unwrap_or("the sheet, class"), lines(html)));
    }
    let thumbnail = SurrenderBoard::thumbnail(game, &game.view(war.state(), Viewer::Spectator), Tone::Light)
        .into_string();
    text.push_str(&format!("\n== thumbnail\n{}\n", lines(&thumbnail)));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/surrender-poland.txt");
    golden::compare(&file, &without_fingerprints(&text));
}

/// Every listed choice is lit, by itself or at the end of a chain; everything that is lit can be played to its end.
fn check_position(war: &Match<Surrender>, viewer: Viewer, sheet: &str, places: &HashSet<&str>) {
    let (drawn, open) = scene::<SurrenderBoard>(war, viewer);
    let html = assembled(&drawn, sheet, places, MOST_BYTES);
    let lit = names(&html);
    let ends: HashSet<&str> = lit.iter().filter_map(|name| links(name).last()).collect();
    for (choice, name) in &open {
        // Dice that people roll themselves are said in the list alone.
        let has_place = !matches!(choice, Choice::Die(_) | Choice::Drawn(_));
        assert_eq!(ends.contains(name.as_str()), has_place, "whether {name} is on the board");
    }
    let known: HashSet<&str> = open.iter().map(|(_, name)| name.as_str()).collect();
    for name in &lit {
        let first = links(name).next().unwrap_or_default();
        assert!(known.contains(first), "{name} is lit but not open");
        let refused = refused_link(war.game(), war.state(), name);
        assert!(refused.is_none(), "{refused:?} of {name}");
    }
}

/// The first link of a chain that can't be played.
fn refused_link(game: &Surrender, state: &State, chain: &str) -> Option<String> {
    if links(chain).count() < 2 {
        return None;
    }
    let mut state = *state;
    for link in links(chain) {
        let choice = game.read_name(&state, link).expect("a name of the game");
        if !game.is_legal(&state, choice) {
            return Some(link.to_owned());
        }
        game.apply(&mut state, choice, &mut Discard);
    }
    None
}

#[test]
fn every_choice_of_surrender_has_a_place_on_the_board() {
    for (at, setup) in Surrender::setups().into_iter().enumerate() {
        let game = game(&setup.id);
        let sheet = SurrenderBoard::sheet(&game).into_string();
        assert!(sheet.len() < 60_000, "a sheet of {} bytes", sheet.len());
        let places: HashSet<&str> = ids(&sheet).into_iter().collect();
        let mut dice = LabDice::new(at as u64);
        let mut war = begun(game, at as u64);
        let mut before: BTreeMap<String, Part> = BTreeMap::new();
        let mut changed: Vec<usize> = Vec::new();
        for step in 0..400 {
            let Mover::Seat(seat) = war.mover() else { break };
            check_position(&war, Viewer::Seat(seat), &sheet, &places);
            if step % 20 == 0 {
                check_position(&war, Viewer::Spectator, &sheet, &places);
            }
            let parts = scene::<SurrenderBoard>(&war, Viewer::Seat(seat)).0.parts;
            if !before.is_empty() {
                let fresh = parts.iter().filter(|part| before.get(&part.0) != Some(*part));
                changed.push(fresh.map(|Part(key, _, html)| key.len() + html.len() + 20).sum());
            }
            before = parts.into_iter().map(|part| (part.0.clone(), part)).collect();
            play_on(&mut war, &mut dice);
        }
        let most = changed.iter().max().copied().unwrap_or_default();
        let mean = changed.iter().sum::<usize>() / changed.len().max(1);
        assert!(
            mean < MEAN_CHANGED && most < 2 * MOST_CHANGED,
            "an update of {} has {mean}, at most {most} bytes",
            setup.id
        );
        let game = war.game();
        let view = game.view(war.state(), Viewer::Spectator);
        let thumbnail = SurrenderBoard::thumbnail(game, &view, Tone::Dark).into_string();
        assert!(thumbnail.len() < 12_000, "a thumbnail of {} bytes", thumbnail.len());
        assert!(SurrenderBoard::print(game, Some(&view)).into_string().contains("Order of battle"));
    }
}

#[test]
fn previews_of_surrender_lie_on_the_sheet() {
    let mut war = begun(game("france-1940"), 3);
    let mut dice = LabDice::new(3);
    let sheet = SurrenderBoard::sheet(war.game()).into_string();
    let places: HashSet<&str> = ids(&sheet).into_iter().collect();
    let mut foreseen = 0;
    for _ in 0..120 {
        if !matches!(war.mover(), Mover::Seat(_)) {
            break;
        }
        let view = war.game().view(war.state(), mover(&war));
        for choice in war.choices() {
            if let Some((words, ghosts)) = SurrenderBoard::preview(war.game(), &view, choice) {
                assert!(!words.is_empty());
                foreseen += 1;
                for Part(key, place, _) in &ghosts.parts {
                    assert!(place.is_some_and(|place| places.contains(place)), "{key} has no place");
                }
            }
        }
        play_on(&mut war, &mut dice);
    }
    assert!(foreseen > 100, "only {foreseen} previews");
}
