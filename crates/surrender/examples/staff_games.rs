//! Games of the staff against itself: how they end, how fast it decides, when countries fall, and what it does and why.
//!
//! ```text
//! cargo run --release -p surrender --example staff_games -- sim france-1940 150
//! cargo run --release -p surrender --example staff_games -- sim main-event-1939+historical 10 77
//! cargo run --release -p surrender --example staff_games -- tell france-1940 7
//! ```
//! The last number of `sim` is the seed, the one of `tell` the number of the game. A changed copy of `data/staff.toml` plays
//! the seat it is given to against the built-in staff: `axis=my.toml`, `western=my.toml`, `soviet=my.toml`.

use std::collections::BTreeMap;
use std::time::Instant;

use kernel::{Dice, Effort, Game, Judgement, LabDice, Mover, Options, Recorder, Viewer, Wording};
use surrender::{Country, Memory, State, Status, Surrender, Weights, month_of};

/// A month as people write it.
fn month(turn: u8) -> String {
    let (year, month) = month_of(turn);
    format!("{year}-{month:02}")
}

/// What became of one game.
struct Told {
    word: &'static str,
    end: u8,
    decisions: u64,
    falls: Vec<(Country, u8)>,
    state: State,
}

/// Plays a game; with `aloud` everything that happens is written out.
fn play(game: &Surrender, staffs: &Staffs, seed: u64, number: u64, aloud: bool) -> Told {
    let mut dice = LabDice::for_game(seed, number);
    let mut state = game.start();
    let mut minds: Vec<Memory> = game.seats().iter().map(|seat| staffs.mind(seat.word)).collect();
    let (mut choices, mut falls, mut decisions) = (Vec::new(), Vec::new(), 0);
    let mut turn = u8::MAX;
    while game.outcome(&state).is_none() {
        if aloud && state.turn != turn {
            turn = state.turn;
            println!("\n=== {} ===", month(turn));
        }
        let before: Vec<Status> = Country::all().map(|country| state.country(country).status).collect();
        let choice = match game.mover(&state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(seat));
                let mut why = String::new();
                let reason = aloud.then_some(&mut why);
                let at =
                    game.policy(Effort::Bot(0), &mut minds[seat.index()], &view, &choices, &mut dice, reason);
                decisions += u64::from(choices.len() > 1);
                if aloud {
                    let mut name = String::new();
                    game.write_name(&state, choices[at], &mut name);
                    println!("{} {name}    {why}", game.seats()[seat.index()].title);
                }
                choices[at]
            }
            _ => game.drawn(&state, dice.below(game.tickets(&state))),
        };
        if aloud {
            let mut events = Recorder::default();
            game.apply(&mut state, choice, &mut events);
            for (_, event) in &events.events {
                println!("        {}", game.log_line(event).text);
            }
        } else {
            game.apply(&mut state, choice, &mut kernel::Discard);
        }
        for (country, before) in Country::all().zip(before) {
            // A country may fall more than once; the first time counts.
            let falls_now = before == Status::Active && state.country(country).status == Status::Conquered;
            if falls_now && falls.iter().all(|(known, _)| *known != country) {
                falls.push((country, state.turn));
            }
        }
    }
    let outcome = game.outcome(&state).expect("an end");
    let word = game.results()[usize::from(outcome.0)].word;
    Told { word, end: state.turn, decisions, falls, state }
}

/// Staffs of one's own, by the word of the seat that they play.
struct Staffs(Vec<(String, Weights)>);

impl Staffs {
    /// Takes the words that name a staff out of the words of the command line.
    fn take(words: &mut Vec<String>) -> Self {
        let read = |word: &String| {
            let (seat, file) = word.split_once('=')?;
            let text = std::fs::read_to_string(file).expect("a file that can be read");
            let weights = Weights::read(file, &text).unwrap_or_else(|problems| panic!("{problems}"));
            Some((seat.to_owned(), weights))
        };
        let staffs = words.iter().filter_map(read).collect();
        words.retain(|word| !word.contains('='));
        Self(staffs)
    }

    fn mind(&self, seat: &str) -> Memory {
        let own = self.0.iter().find(|(word, _)| word == seat);
        own.map_or_else(Memory::default, |(_, weights)| Memory::of_staff(weights.clone()))
    }
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let staffs = Staffs::take(&mut words);
    let scenario = words.get(1).cloned().unwrap_or_else(|| "poland-1939".to_owned());
    let count: u64 = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(100);
    let seed: u64 = words.get(3).and_then(|word| word.parse().ok()).unwrap_or(5);
    let mut options = Options::new();
    options.insert("scenario".to_owned(), scenario.trim_end_matches("+historical").to_owned());
    if scenario.ends_with("+historical") {
        options.insert("politics".to_owned(), "historical".to_owned());
    }
    let game = Surrender::with_options(&options).expect("good options");
    if words.first().is_some_and(|word| word == "tell") {
        let told = play(&game, &staffs, seed, count, true);
        println!("{} in {}", told.word, month(told.end));
        return;
    }
    let clock = Instant::now();
    let (mut results, mut ends, mut falls) = (BTreeMap::new(), Vec::new(), BTreeMap::<_, Vec<u8>>::new());
    let (mut decisions, mut will) = (0, BTreeMap::<_, i64>::new());
    for number in 0..count {
        let told = play(&game, &staffs, seed, number, false);
        *results.entry(told.word).or_insert(0) += 1;
        ends.push(told.end);
        decisions += told.decisions;
        for (country, turn) in told.falls {
            falls.entry(country.id()).or_default().push(turn);
        }
        for country in Country::all() {
            if told.state.country(country).status == Status::Active {
                *will.entry(country.id()).or_default() += i64::from(told.state.country(country).will);
            }
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    print!("{scenario}:");
    for (word, number) in results {
        print!(" {word} {:.0} %", f64::from(number) * 100.0 / count as f64);
    }
    ends.sort_unstable();
    println!(
        "; end {} ({}-{}); {} decisions a game, {:.0}/s",
        month(ends[ends.len() / 2]),
        month(ends[0]),
        month(ends[ends.len() - 1]),
        decisions / count,
        decisions as f64 / seconds
    );
    for (country, mut turns) in falls {
        turns.sort_unstable();
        let share = turns.len() as f64 * 100.0 / count as f64;
        print!(
            " {country} {share:.0}% {} ({}-{});",
            month(turns[turns.len() / 2]),
            month(turns[0]),
            month(turns[turns.len() - 1])
        );
    }
    println!();
}
