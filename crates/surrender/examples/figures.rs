//! Plays games of the quick policy (or `staff`, or `random`) and prints what section 56 of the specification lists: results,
//! decisions, turns, combats.
//!
//! `cargo run --release -p surrender --example figures -- SCENARIO [GAMES] [quick|staff|random] [watch] [option=value …]`

use std::collections::BTreeMap;
use std::time::Instant;

use kernel::{
    Audience, Dice, Discard, Effort, EventSink, Game, Judgement, LabDice, Mover, Options, Viewer, Wording,
};
use surrender::{Country, GameEvent, Memory, Surrender, month_of};

/// Counts what the reference figures count.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, u64>);

impl EventSink<GameEvent> for Tally {
    fn emit_to(&mut self, _: Audience, event: impl FnOnce() -> GameEvent) {
        let name = match event() {
            GameEvent::Fought(..) => "ground combats",
            GameEvent::Bombed(..) => "Bombing Runs",
            GameEvent::Landed(..) => "landings ashore",
            GameEvent::Lost(..) => "units lost",
            GameEvent::Linked(..) => "sea links",
            _ => return,
        };
        *self.0.entry(name).or_default() += 1;
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let plain: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.contains('=')).collect();
    let mut options = Options::new();
    options.insert("scenario".to_owned(), (*plain.first().unwrap_or(&"poland-1939")).to_owned());
    for (key, value) in words.iter().filter_map(|word| word.split_once('=')) {
        options.insert(key.to_owned(), value.to_owned());
    }
    let games: u64 = plain.get(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let who = plain.get(2).copied().unwrap_or("quick");
    let watch = plain.contains(&"watch");
    let game = Surrender::with_options(&options).unwrap_or_else(|why| panic!("{why}"));
    let effort = if who == "staff" { Effort::Bot(0) } else { Effort::Playout };
    let (mut results, mut ends, mut fallen) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let (mut decisions, mut tally, mut choices) = (0_u64, Tally::default(), Vec::new());
    let begin = Instant::now();
    for number in 0..games {
        let mut dice = LabDice::for_game(7, number);
        let mut state = game.start();
        let mut minds: Vec<Memory> = game.seats().iter().map(|_| Memory::default()).collect();
        let mut down = 0_u32;
        while game.outcome(&state).is_none() {
            let choice = match game.mover(&state) {
                Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
                Mover::Seat(seat) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    decisions += u64::from(choices.len() > 1);
                    let mut why = String::new();
                    let view = game.view(&state, Viewer::Seat(seat));
                    let at = match who {
                        "random" => dice.below(choices.len() as u32) as usize,
                        _ => {
                            let mind = &mut minds[seat.index()];
                            game.policy(effort, mind, &view, &choices, &mut dice, watch.then_some(&mut why))
                        }
                    };
                    if watch && choices.len() > 1 {
                        println!("{:?} {} | {why}", seat, game.label(&state, choices[at]));
                    }
                    choices[at]
                }
                Mover::Nobody => break,
            };
            if watch && matches!(game.mover(&state), Mover::Fate) {
                println!("    {choice:?}");
            }
            if watch {
                game.apply(&mut state, choice, &mut Discard);
            } else {
                game.apply(&mut state, choice, &mut tally);
            }
            for country in Country::all() {
                let conquered = state.country(country).status == surrender::Status::Conquered;
                if conquered && down >> country.index() & 1 == 0 {
                    down |= 1 << country.index();
                    let turns: &mut Vec<u8> = fallen.entry(country.id()).or_default();
                    turns.push(state.turn);
                }
            }
        }
        let outcome = game.outcome(&state).map_or(usize::MAX, |outcome| usize::from(outcome.0));
        *results.entry(game.results().get(outcome).map_or("none", |result| result.word)).or_insert(0_u64) +=
            1;
        *ends.entry(state.turn).or_insert(0_u64) += 1;
    }
    let time = begin.elapsed().as_secs_f64();
    let per = |count: u64| count as f64 / games as f64;
    println!(
        "{} x {games}, {who}: {:.1} games/s, {:.0} decisions a game, {:.0} decisions/s",
        options["scenario"],
        games as f64 / time,
        per(decisions),
        decisions as f64 / time
    );
    for (word, count) in &results {
        println!("  {word}: {:.1} %", per(*count) * 100.0);
    }
    let month = |turn: u8| {
        let (year, month) = month_of(turn);
        format!("{year}-{month:02}")
    };
    let ends: Vec<String> = ends.iter().map(|(turn, count)| format!("{} {count}", month(*turn))).collect();
    println!("  ends: {}", ends.join(", "));
    for (country, turns) in &mut fallen {
        turns.sort_unstable();
        println!(
            "  {country} conquered {:.0} %, median {}",
            per(turns.len() as u64) * 100.0,
            month(turns[turns.len() / 2])
        );
    }
    for (name, count) in &tally.0 {
        println!("  {name}: {:.1}", per(*count));
    }
}
