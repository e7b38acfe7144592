//! The board of Triumph & Tragedy: what is drawn holds together in every position of random play, has a place for what is
//! chosen on the map, and tells nobody what is hidden from them.

use std::collections::HashSet;

use boards::TriumphBoard;
use kernel::{
    Catalogue as _, Dice as _, Discard, Effort, Game as _, Judgement as _, LabDice, Match, MatchDice, Mover,
    Options, Seat, Viewer, Wording as _,
};
use triumph::{Choice, State, Triumph};
use web::chain::links;
use web::{Asked, Board, Part, Scene, Tone};

use crate::dday::{names, values};
use crate::drawing::{assembled, ids, scene};

/// A whole scene is no larger than this.
const MOST_BYTES: usize = 200_000;

fn game(start: &str, players: &str) -> Triumph {
    let options: Options = [("start", start), ("players", players)]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
    Triumph::with_options(&options).expect("the options are in order")
}

/// Plays one random choice and what follows by itself. Phases are not ended at once, so that something happens in them.
fn play_on(war: &mut Match<Triumph>, dice: &mut LabDice) {
    let choices = war.choices();
    let mut pick = choices[dice.below(choices.len() as u32) as usize];
    for _ in 0..3 {
        if matches!(pick, Choice::End | Choice::Finish | Choice::Pass | Choice::Disband(_)) {
            pick = choices[dice.below(choices.len() as u32) as usize];
        }
    }
    war.play(pick, &mut Discard).expect("a listed choice is open");
    war.play_forced(&mut Discard);
}

/// Plays one choice of a bot, or one of five times any, and what follows by itself: so there are wars, and much else.
fn play_war(war: &mut Match<Triumph>, seat: Seat, dice: &mut LabDice) {
    let choices = war.choices();
    let pick = match dice.below(5) {
        0 => choices[dice.below(choices.len() as u32) as usize],
        _ => {
            let game = war.game();
            let view = game.view(war.state(), Viewer::Seat(seat));
            choices[game.policy(Effort::Bot(0), &mut (), &view, &choices, dice, None)]
        }
    };
    war.play(pick, &mut Discard).expect("a listed choice is open");
    war.play_forced(&mut Discard);
}

fn viewers(game: &Triumph) -> Vec<Viewer> {
    let seats = (0..game.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat)));
    seats.chain([Viewer::Spectator]).collect()
}

/// Whether a choice can be made on the board itself: a place carries its name, or a chain begins with it.
fn is_on_board(name: &str, lit: &[String]) -> bool {
    lit.iter().any(|other| other == name || links(other).next() == Some(name))
}

fn check_position(war: &Match<Triumph>, viewer: Viewer, sheet: &str, places: &HashSet<&str>) {
    let (drawn, open) = scene::<TriumphBoard>(war, viewer);
    let html = assembled(&drawn, sheet, places, MOST_BYTES);
    let lit = names(&html);
    for (choice, name) in &open {
        assert!(is_on_board(name, &lit), "{name} ({choice:?}) has no place on the board");
    }
    let open: HashSet<&str> = open.iter().map(|(_, name)| name.as_str()).collect();
    for name in &lit {
        let first = links(name).next().unwrap_or_default();
        assert!(open.contains(first), "{name} is on the board and not open");
    }
    for piece in values(&html, "data-piece") {
        assert!(open.iter().any(|name| name.starts_with(&format!("{piece} "))), "nothing to do with {piece}");
    }
}

/// The kind of a choice: its name in the code, without what it is about.
fn kind_of(choice: Choice) -> String {
    format!("{choice:?}").chars().take_while(|letter| letter.is_alphanumeric()).collect()
}

/// What random play must have asked for the walk to say something about every stage of section 24.
const ASKED: [&str; 32] = [
    "Active",
    "Arrive",
    "At",
    "Avoid",
    "Build",
    "BuyAction",
    "BuyInvestment",
    "Cadre",
    "Commit",
    "Diplomacy",
    "Disband",
    "Discard",
    "End",
    "Factory",
    "Fight",
    "Finish",
    "Fire",
    "Hit",
    "Intervene",
    "Move",
    "Muster",
    "Pair",
    "Pass",
    "Pay",
    "Rebase",
    "Retreat",
    "Select",
    "Spy",
    "Strengthen",
    "To",
    "Violate",
    "War",
];

/// What a choice would do is drawn where the sheet has a place for it; what its odds are can be asked.
fn check_foresight(war: &Match<Triumph>, seat: Seat, places: &HashSet<&str>, asks: bool) -> usize {
    let (game, mut foreseen) = (war.game(), 0);
    let view = game.view(war.state(), Viewer::Seat(seat));
    for choice in war.choices() {
        if let Some((words, ghosts)) = TriumphBoard::preview(game, &view, choice) {
            assert!(!words.is_empty(), "{choice:?}");
            assembled(&ghosts, "", places, MOST_BYTES);
            foreseen += 1;
        }
        if asks && let Some(question) = TriumphBoard::question(game, &view, choice) {
            let answer = game.answer(&view, &question);
            assert!(answer.is_ok(), "{choice:?} asks {question:?}: {answer:?}");
        }
    }
    foreseen
}

#[test]
fn a_scene_of_triumph_holds_together_in_every_position() {
    let (mut asked, mut foreseen) = (HashSet::new(), 0);
    for (start, players, seed) in [("1939", "3", 1), ("1936", "2", 2), ("1936", "3", 3), ("1939", "2", 4)] {
        let game = game(start, players);
        let sheet = TriumphBoard::sheet(&game).into_string();
        let places: HashSet<&str> = ids(&sheet).into_iter().collect();
        let mut dice = LabDice::new(seed);
        let mut war = Match::new(game.clone(), MatchDice::seeded(seed));
        war.play_forced(&mut Discard);
        for step in 0..1_500 {
            let Mover::Seat(seat) = war.mover() else { break };
            asked.extend(war.choices().into_iter().map(kind_of));
            check_position(&war, Viewer::Seat(seat), &sheet, &places);
            if step % 5 == 0 {
                foreseen += check_foresight(&war, seat, &places, step % 100 == 0);
            }
            if step % 10 == 0 {
                check_position(&war, Viewer::Spectator, &sheet, &places);
                let view = game.view(war.state(), Viewer::Spectator);
                let picture = TriumphBoard::thumbnail(&game, &view, Tone::Dark).into_string();
                assert!(picture.len() < 40_000, "a thumbnail of {} bytes", picture.len());
            }
            play_war(&mut war, seat, &mut dice);
        }
        let view = game.view(war.state(), Viewer::Spectator);
        assert!(TriumphBoard::print(&game, Some(&view)).into_string().contains("Triumph &amp; Tragedy"));
    }
    assert!(foreseen > 1_000, "only {foreseen} choices could be foreseen");
    let missing: Vec<&str> = ASKED.into_iter().filter(|kind| !asked.contains(*kind)).collect();
    assert!(missing.is_empty(), "never asked: {missing:?}; asked: {asked:?}");
}

/// Everything on the board of a viewer, as text.
fn seen(game: &Triumph, state: &State, viewer: Viewer) -> Vec<Part> {
    let mut open = Vec::new();
    if let Mover::Seat(seat) = game.mover(state)
        && viewer == Viewer::Seat(seat)
    {
        let mut choices = Vec::new();
        game.choices(state, &mut choices);
        for choice in choices {
            let mut name = String::new();
            game.write_name(state, choice, &mut name);
            open.push((choice, name));
        }
    }
    let mut scene = Scene::default();
    let view = game.view(state, viewer);
    TriumphBoard::draw(game, &view, &Asked { open: &open, closed: &[] }, &mut scene);
    scene.parts
}

/// A position in which everything that a viewer can't know is something else looks the same to them.
#[test]
fn no_viewer_of_triumph_sees_what_is_hidden() {
    for (start, players, seed) in [("1939", "3", 3), ("1936", "3", 4), ("1939", "2", 5)] {
        let game = game(start, players);
        let mut dice = LabDice::new(seed);
        let mut war = Match::new(game.clone(), MatchDice::seeded(seed));
        war.play_forced(&mut Discard);
        let mut swapped = 0;
        for step in 0..1_500 {
            let Mover::Seat(_) = war.mover() else { break };
            if step % 5 == 0 {
                for viewer in viewers(&game) {
                    let other = game.determinize(&game.view(war.state(), viewer), &mut dice);
                    swapped += usize::from(other != *war.state());
                    let (real, guessed) = (seen(&game, war.state(), viewer), seen(&game, &other, viewer));
                    for (real, guessed) in real.iter().zip(&guessed) {
                        assert_eq!(real, guessed, "step {step}, {viewer:?}");
                    }
                    assert_eq!(real.len(), guessed.len(), "step {step}, {viewer:?}");
                }
            }
            play_on(&mut war, &mut dice);
        }
        assert!(swapped > 300, "only {swapped} positions with another secret");
    }
}

/// Of the blocks of others a scene has backs with counts, and faces of those only that lie face up.
#[test]
fn a_back_says_nothing_but_its_nation() {
    let game = game("1939", "3");
    let mut dice = LabDice::new(6);
    let mut war = Match::new(game.clone(), MatchDice::seeded(6));
    war.play_forced(&mut Discard);
    for _ in 0..60 {
        play_on(&mut war, &mut dice);
    }
    let drawn = seen(&game, war.state(), Viewer::Spectator);
    let backs: Vec<&Part> = drawn.iter().filter(|Part(key, ..)| key.starts_with("h-")).collect();
    assert!(backs.len() > 20, "{} stacks", backs.len());
    for Part(key, _, html) in backs {
        assert!(
            !html.contains("#u-")
                && !html.contains("#p-")
                && !html.contains("pip")
                && !html.contains("data-"),
            "{key}: {html}"
        );
    }
}
