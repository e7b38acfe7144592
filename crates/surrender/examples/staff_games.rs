//! Games of the staff against itself: how they end, how fast it decides, when countries fall, and what it does and why.
//!
//! ```text
//! cargo run --release -p surrender --example staff_games -- sim france-1940 150
//! cargo run --release -p surrender --example staff_games -- sim main-event-1939+historical 10 77
//! cargo run --release -p surrender --example staff_games -- list main-event-1939 10 77
//! cargo run --release -p surrender --example staff_games -- tell france-1940 7
//! ```
//! The last number of `sim` and `list` is the seed, the one before it the number of games; of `tell` it is the seed, and before it
//! the number of the game. `list` writes a line for each game: its result, its end, who joined whom and who fell in which month; `course`
//! adds how the war stands in every quarter, on average over the games that are still played: National Will, income, armies in
//! the field, cities of the USSR that the Axis holds. A changed copy of `data/staff.toml` plays
//! the seat it is given to against the built-in staff: `axis=my.toml`, `western=my.toml`, `soviet=my.toml`. `until=1941-06` breaks
//! games off in that month, to see the beginning of many.

use std::collections::BTreeMap;
use std::time::Instant;

use kernel::{Dice, Effort, Game, Judgement, LabDice, Mover, Options, Recorder, Viewer, Wording};
use surrender::{Country, Memory, Side, State, Status, Surrender, UnitId, Weights, month_of};

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
    joins: Vec<(Country, Side, u8)>,
    quarters: Vec<(u8, [i32; FIGURES])>,
}

/// What the course of a war is told by.
const FIGURES: usize = 11;
const NAMES: [&str; FIGURES] = [
    "Will GER",
    "Will UK",
    "Will USSR",
    "income GER",
    "income UK",
    "income USSR",
    "armies Axis",
    "armies GER",
    "armies West",
    "armies Soviet",
    "Axis in USSR",
];

/// How a war stands.
fn figures(game: &Surrender, state: &State) -> [i32; FIGURES] {
    let rules = game.rules();
    let powers = [Country::GER, Country::UK, Country::USSR];
    let armies = |is_meant: &dyn Fn(UnitId) -> bool| {
        let in_field = |unit: &UnitId| {
            rules.info(*unit).kind.is_field() && state.unit(*unit).place.is_hex() && is_meant(*unit)
        };
        UnitId::all().filter(in_field).count() as i32
    };
    let of_side = |side: Side| armies(&|unit| rules.side_of(state, unit) == side);
    let lost = rules
        .world
        .cities
        .iter()
        .filter(|city| city.country == Country::USSR && state.controller(city.hex) == Side::Axis);
    let [germany, britain, russia] = powers.map(|country| i32::from(state.country(country).will));
    let [coal, tea, steel] = powers.map(|country| i32::from(rules.income(state, country)));
    let germans = armies(&|unit| rules.info(unit).country == Country::GER);
    [
        germany,
        britain,
        russia,
        coal,
        tea,
        steel,
        of_side(Side::Axis),
        germans,
        of_side(Side::Western),
        of_side(Side::Soviet),
        lost.count() as i32,
    ]
}

/// Writes where the armies stand: whose, which, the hex, and a star for each step lost.
fn armies(game: &Surrender, state: &State) {
    let rules = game.rules();
    for side in Side::ALL {
        let mut line = String::new();
        for unit in UnitId::all() {
            let (info, entry) = (rules.info(unit), state.unit(unit));
            if info.kind.is_field() && entry.place.is_hex() && rules.side_of(state, unit) == side {
                let stars = "*".repeat(usize::from(entry.level));
                line += &format!(" {}{stars} {}", info.id, rules.world.place_name(entry.place));
            }
        }
        println!("        armies of {}:{line}", of(side));
    }
}

/// Plays a game; with `aloud` everything that happens is written out.
fn play(game: &Surrender, staffs: &Staffs, seed: u64, number: u64, until: &str, aloud: bool) -> Told {
    let mut dice = LabDice::for_game(seed, number);
    let mut state = game.start();
    let mut minds: Vec<Memory> = game.seats().iter().map(|seat| staffs.mind(seat.word)).collect();
    let (mut choices, mut falls, mut joins, mut decisions) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut turn = u8::MAX;
    let mut quarters: Vec<(u8, [i32; FIGURES])> = Vec::new();
    while game.outcome(&state).is_none() && month(state.turn).as_str() < until {
        if aloud && state.turn != turn {
            turn = state.turn;
            println!("\n=== {} ===", month(turn));
            armies(game, &state);
        }
        let is_new = quarters.last().is_none_or(|(known, _)| *known != state.turn);
        if is_new && month_of(state.turn).1 % 3 == 1 {
            quarters.push((state.turn, figures(game, &state)));
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
            let entry = state.country(country);
            let joins_now = before == Status::Neutral && entry.status == Status::Active;
            if joins_now && joins.iter().all(|(known, _, _)| *known != country) {
                joins.push((country, entry.side, state.turn));
            }
        }
    }
    let outcome = game.outcome(&state);
    let word = outcome.map_or("open", |outcome| game.results()[usize::from(outcome.0)].word);
    Told { word, end: state.turn, decisions, falls, joins, quarters }
}

/// Months of a country in many games: how often, the median, the first and the last.
fn months(mut turns: Vec<u8>, games: u64) -> String {
    turns.sort_unstable();
    let share = turns.len() as f64 * 100.0 / games as f64;
    let median = month(turns[turns.len() / 2]);
    format!("{share:.0}% {median} ({}-{});", month(turns[0]), month(turns[turns.len() - 1]))
}

/// Whom a country joined.
fn of(side: Side) -> &'static str {
    side.faction().map_or("nobody", |faction| faction.title())
}

/// One line for a game.
fn list(number: u64, told: &Told) {
    print!("{number} {} {}", told.word, month(told.end));
    for (country, side, turn) in &told.joins {
        print!(" {}>{} {}", country.id(), of(*side), month(*turn));
    }
    for (country, turn) in &told.falls {
        print!(" {}- {}", country.id(), month(*turn));
    }
    println!();
}

/// The mean course of wars, a line for each quarter.
fn course(quarters: &BTreeMap<u8, Vec<[i32; FIGURES]>>) {
    println!("   quarter  wars  {}", NAMES.join("  "));
    for (turn, wars) in quarters {
        print!("   {:8} {:5}", month(*turn), wars.len());
        for (at, name) in NAMES.iter().enumerate() {
            let sum: i32 = wars.iter().map(|war| war[at]).sum();
            print!("  {:width$.1}", f64::from(sum) / wars.len() as f64, width = name.len());
        }
        println!();
    }
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
    let until = words.iter().find_map(|word| word.strip_prefix("until=")).unwrap_or("9").to_owned();
    words.retain(|word| !word.starts_with("until="));
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
        let told = play(&game, &staffs, seed, count, &until, true);
        println!("{} in {}", told.word, month(told.end));
        return;
    }
    let clock = Instant::now();
    let (mut results, mut ends, mut decisions) = (BTreeMap::new(), Vec::new(), 0);
    let (mut falls, mut joins) = (BTreeMap::<_, Vec<u8>>::new(), BTreeMap::<_, Vec<u8>>::new());
    let mut quarters: BTreeMap<u8, Vec<[i32; FIGURES]>> = BTreeMap::new();
    for number in 0..count {
        let told = play(&game, &staffs, seed, number, &until, false);
        if words[0] == "list" {
            list(number, &told);
        }
        *results.entry(told.word).or_insert(0) += 1;
        ends.push(told.end);
        decisions += told.decisions;
        for (turn, figures) in told.quarters {
            quarters.entry(turn).or_default().push(figures);
        }
        for (country, turn) in told.falls {
            falls.entry(country.id()).or_default().push(turn);
        }
        for (country, side, turn) in told.joins {
            joins.entry((country.id(), of(side))).or_default().push(turn);
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
    for (country, turns) in falls {
        print!(" {country} {}", months(turns, count));
    }
    println!();
    for ((country, side), turns) in joins {
        print!(" {country} joins {side} {}", months(turns, count));
    }
    println!();
    if words[0] == "course" {
        course(&quarters);
    }
}
