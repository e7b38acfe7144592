//! Finds for each Faction of Triumph & Tragedy the character that wins most, and writes `crates/triumph/data/masters.toml`, from
//! whose choices a search starts:
//!
//! ```text
//! cargo run --release -p lab --example triumph_characters > masters.toml
//! ```
//!
//! With the words of Factions as arguments only those are looked for.
//!
//! One seat is played by a character whose weights are changed, one or two at a time, the others by the quick policy in half
//! of the games and by any built-in character in the rest. A change is kept if it wins more of the same games, and more of
//! fresh ones.

use kernel::{Dice as _, Discard, Game as _, LabDice, Mover, Standing, Viewer};
use triumph::{Character, Faction, Triumph};

/// Games with which a change is tried, and fresh ones with which it must prove itself.
const GAMES: u64 = 600;
const PROOF: u64 = 1_800;
/// Changes tried for each Faction.
const CHANGES: u32 = 110;

/// A weight: its name, how to get at it, and its limits.
type Weight = (&'static str, fn(&mut Character) -> &mut i32, i32, i32);

const WEIGHTS: [Weight; 13] = [
    ("arms", |c| &mut c.arms, 0, 100),
    ("arms_at_war", |c| &mut c.arms_at_war, 0, 100),
    ("actions", |c| &mut c.actions, 0, 100),
    ("industry", |c| &mut c.industry, 0, 25),
    ("odds", |c| &mut c.odds, 50, 500),
    ("fear", |c| &mut c.fear, 0, 1000),
    ("greed", |c| &mut c.greed, 0, 1000),
    ("courtship", |c| &mut c.courtship, 0, 1000),
    ("spite", |c| &mut c.spite, 0, 1000),
    ("alarm", |c| &mut c.alarm, 0, 40),
    ("guard", |c| &mut c.guard, 0, 1000),
    ("physics", |c| &mut c.physics, 0, 1000),
    ("fleet", |c| &mut c.fleet, 0, 1000),
];

fn main() {
    let game = Triumph::with_options(&kernel::Options::new()).expect("the plain game");
    println!(
        "# From whose choices a search starts, one for each Faction: the characters that win most against the others."
    );
    println!(
        "# Found by `cargo run --release -p lab --example triumph_characters`; characters.toml says what the weights mean."
    );
    println!("schema = 1");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for faction in Faction::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == faction.word()) {
            continue;
        }
        let mut best = climb(&game, faction);
        println!("\n[[character]]\nid = \"{}\"", faction.word());
        println!("about = \"{}\"", best.about);
        for (name, weight, ..) in WEIGHTS {
            println!("{name} = {}", weight(&mut best));
        }
    }
}

/// Changes weights as long as it helps, from the best of the built-in characters.
fn climb(game: &Triumph, faction: Faction) -> Character {
    let builtin = Character::all_builtin();
    let rate = |character: &Character, seed, games| share(game, faction, character, seed, games);
    let mut best = builtin[0].clone();
    let mut most = 0.0;
    for one in builtin {
        let wins = rate(one, 1, PROOF);
        eprintln!("{faction:?}: {} wins {:.1} %", one.id, 100.0 * wins);
        if wins > most {
            (best, most) = (one.clone(), wins);
        }
    }
    let mut dice = LabDice::for_game(99, faction.index() as u64);
    for round in 0..CHANGES {
        let mut changed = best.clone();
        for _ in 0..=dice.below(2) {
            let (_, weight, low, high) = WEIGHTS[dice.below(WEIGHTS.len() as u32) as usize];
            let value = weight(&mut changed);
            let step = (*value / 3).max(if high <= 40 { 2 } else { 15 });
            *value = (*value + dice.below(2 * step as u32 + 1) as i32 - step).clamp(low, high);
        }
        if changed == best {
            continue;
        }
        let seed = 1_000 + u64::from(round);
        if rate(&changed, seed, GAMES) < rate(&best, seed, GAMES) + 0.015 {
            continue;
        }
        let (now, before) = (rate(&changed, 2 * seed, PROOF), rate(&best, 2 * seed, PROOF));
        if now > before + 0.008 {
            eprintln!("{faction:?} {round}: {:.1} % instead of {:.1}", 100.0 * now, 100.0 * before);
            best = changed;
        }
    }
    eprintln!("{faction:?}: {:.1} % of fresh games", 100.0 * rate(&best, 77_777, 2 * PROOF));
    best
}

/// The share of games that a character wins with a Faction.
fn share(game: &Triumph, faction: Faction, character: &Character, seed: u64, games: u64) -> f64 {
    (0..games).map(|number| play(game, faction, character, seed, number)).sum::<f64>() / games as f64
}

fn play(game: &Triumph, faction: Faction, character: &Character, seed: u64, number: u64) -> f64 {
    let builtin = Character::all_builtin();
    let mut dice = LabDice::for_game(seed, number);
    let mut who = [&builtin[0]; 3];
    if number % 2 == 1 {
        who = who.map(|_| &builtin[dice.below(builtin.len() as u32) as usize]);
    }
    who[faction.index()] = character;
    let mut state = game.start();
    let mut choices = Vec::new();
    loop {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let pick = if choices.len() == 1 {
                    0
                } else {
                    let view = game.view(&state, Viewer::Seat(seat));
                    game.rules().character_choice(who[seat.index()], &view, &choices, &mut dice, None)
                };
                choices[pick]
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    let outcome = game.outcome(&state).expect("a game ends");
    let standings = &game.results()[usize::from(outcome.0)].standings;
    let winners = standings.iter().filter(|standing| **standing != Standing::Loss).count() as f64;
    if standings[faction.index()] == Standing::Loss { 0.0 } else { 1.0 / winners }
}
