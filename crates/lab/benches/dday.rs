//! D-Day to Berlin: random battles and battles of commanders a second, copies of a position, and the growth with the map.

use bots::{BotKind, Random};
use dday::{DDay, SCENARIOS, State};
use kernel::{Discard, Game, LabDice, Options};
use lab::BotPlayers;
use lab::bench::{play_erased, play_named, play_typed};
use testkit::random_choice;

fn main() {
    divan::main();
}

const IDS: [&str; 11] = {
    let mut ids = [""; 11];
    let mut at = 0;
    while at < ids.len() {
        ids[at] = SCENARIOS[at].0;
        at += 1;
    }
    ids
};
const GAMES: u64 = 20;

fn game(scenario: &str) -> DDay {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    DDay::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

#[divan::bench(args = IDS)]
fn typed_random(bencher: divan::Bencher<'_, '_>, id: &str) {
    let game = game(id);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench(|| play_typed(&game, &mut Random, 0, GAMES));
}

#[divan::bench(args = IDS, sample_count = 10)]
fn commander(bencher: divan::Bencher<'_, '_>, id: &str) {
    let game = game(id);
    let mut bots = BotPlayers::new(&game, &[BotKind::Own(0)]);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| play_typed(&game, &mut bots, 0, GAMES));
}

#[divan::bench]
fn erased_random(bencher: divan::Bencher<'_, '_>) {
    let game = game("03_villers_bocage");
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_erased(&game, 0, GAMES));
}

#[divan::bench]
fn named_random(bencher: divan::Bencher<'_, '_>) {
    let game = game("03_villers_bocage");
    bencher.counter(divan::counter::ItemsCount::new(GAMES)).bench(|| play_named(&game, 0, GAMES));
}

/// A position in the midst of a battle.
fn midst(game: &DDay) -> State {
    let mut dice = LabDice::new(5);
    let mut state = game.start();
    let mut choices = Vec::new();
    while state.turn < 4 {
        let Some(choice) = random_choice(game, &state, &mut dice, &mut choices) else { break };
        game.apply(&mut state, choice, &mut Discard);
    }
    state
}

#[divan::bench(args = IDS)]
fn clone_state(bencher: divan::Bencher<'_, '_>, id: &str) {
    let state = midst(&game(id));
    bencher.bench(|| state.clone());
}

/// Maps from 80 to 1,200 zones with the same two armies in the middle, roads across, a river and woods.
const MAPS: [(u8, u8); 4] = [(10, 8), (20, 15), (30, 22), (40, 30)];

fn synthetic(cols: u8, rows: u8) -> DDay {
    use std::fmt::Write as _;
    let mut text = String::from(
        "schema = 1\nid = \"synthetic\"\nname = \"Synthetic\"\ndate = \"1944-07-01\"\nseason = \"summer\"\nstart_hour = 6\n\
         turns = 4\naggressor = \"US\"\nfirst_player = \"US\"\nadvanced_supply = true\nsummary = \"For measuring.\"\n",
    );
    let (middle, half) = (cols / 2, rows / 2);
    let _ = writeln!(
        text,
        "objective = [{{ zone = \"{:02}{half:02}\", name = \"Mill\", vp = 5, control = \"GE\" }}]",
        middle + 2
    );
    let _ = writeln!(
        text,
        "supply = [{{ zone = \"01{half:02}\", side = \"US\" }}, {{ zone = \"{cols:02}{half:02}\", side = \"GE\" }}]"
    );
    for (key, side) in [("US", "us"), ("GE", "ge")] {
        let _ = writeln!(
            text,
            "[[side]]\nid = \"{key}\"\nnation = \"{key}\"\nname = \"{key}\"\nart_support = 2\nair_support = 1\nbreak = 60\n\
             [[formation]]\nid = \"{side}\"\nside = \"{key}\"\nname = \"{side}\"\nquality = \"regular\""
        );
        for number in 0..12 {
            let column = if side == "us" { middle - 1 - number / 6 } else { middle + 1 + number / 6 };
            let row = half - 3 + number % 6;
            let kind =
                ["hq", "inf_leg", "tnk_medium", "inf_mot", "rec_mech", "art_field"][usize::from(number % 6)];
            let kind = if number == 6 { "inf_mech" } else { kind };
            let _ = writeln!(
                text,
                "[[unit]]\nid = \"{side}-{number}\"\nname = \"{number}\"\nformation = \"{side}\"\ntype = \"{kind}\"\n\
                 at = \"{column:02}{row:02}\""
            );
        }
    }
    let _ = writeln!(
        text,
        "[victory]\naggressor_win = 5\ndefender_win = 0\nsudden = 0\n[map]\ncols = {cols}\nrows = {rows}\nterrain = ["
    );
    for row in 0..rows {
        let line: String =
            (0..cols).map(|column| if (row * 7 + column * 5) % 11 < 3 { 'f' } else { '.' }).collect();
        let _ = writeln!(text, "  \"{line}\",");
    }
    let road: Vec<String> = (1..=cols).map(|column| format!("\"{column:02}{half:02}\"")).collect();
    let _ = writeln!(text, "]\nroad = [{{ name = \"Road\", path = [{}] }}]", road.join(", "));
    game(&text)
}

/// Movement and everything else of a turn on maps of growing size: the armies are the same, so that the time should hardly
/// grow.
#[divan::bench(args = MAPS)]
fn random_by_map(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    let game = synthetic(cols, rows);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench(|| play_typed(&game, &mut Random, 0, GAMES));
}

/// Listing every choice of the movement phase and of a march, without the phases that look at the whole map.
#[divan::bench(args = MAPS)]
fn listing_marches_by_map(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    let game = synthetic(cols, rows);
    let mut state = game.start();
    let mut choices = Vec::new();
    // On with dice of 2 until the first group is on the march.
    while state.stage != dday::Stage::March {
        choices.clear();
        game.choices(&state, &mut choices);
        let wanted = |choice: &&dday::Choice| match choice {
            dday::Choice::Die(2) | dday::Choice::Roll => true,
            dday::Choice::Activate(unit) => *unit == 2,
            _ => false,
        };
        let choice = *choices.iter().find(wanted).unwrap_or(&choices[0]);
        game.apply(&mut state, choice, &mut Discard);
    }
    bencher.bench_local(|| {
        choices.clear();
        game.choices(&state, &mut choices);
        choices.len()
    });
}

/// The commander charts the ways over the whole map once a player turn: linear in the zones.
#[divan::bench(args = MAPS, sample_count = 20)]
fn commander_by_map(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    let game = synthetic(cols, rows);
    let mut bots = BotPlayers::new(&game, &[BotKind::Own(0)]);
    bencher
        .counter(divan::counter::ItemsCount::new(GAMES))
        .bench_local(|| play_typed(&game, &mut bots, 0, GAMES));
}
