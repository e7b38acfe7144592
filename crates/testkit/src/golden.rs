//! Golden texts: a whole game with every position, list and event, kept in a file and compared.

use std::fmt::Write as _;
use std::path::Path;

use kernel::DigestFormat;
use kernel::Recorder;
use kernel::{CompleteGame, Dice, LabDice};
use kernel::{Match, MatchDice};
use kernel::{Mover, Seat, Viewer};

/// The environment variable that makes [`compare`] rewrite the files instead of comparing them.
pub const BLESS: &str = "MAPROOM_BLESS";

/// A whole game of a seed as text: every turn's picture, every prompt, list, choice, event and digest.
pub fn playthrough<G: CompleteGame>(game: &G, seed: u64) -> String {
    playthrough_under(game, seed, G::RULES_VERSION)
}

/// The same for a set-up under earlier rules, in the form those rules had it: without the options that came later.
pub fn playthrough_under<G: CompleteGame>(game: &G, seed: u64, rules: &str) -> String {
    let mut out = String::new();
    let mut dice = LabDice::new(seed);
    let mut game_match = Match::new(game.clone(), MatchDice::seeded(seed));
    let _ = writeln!(out, "{} rules {rules} seed {seed}", G::TITLE);
    let unsaid = G::options_under(rules);
    for (key, value) in game.options().into_iter().filter(|(key, value)| unsaid.get(key) != Some(value)) {
        let _ = writeln!(out, "{key}: {}", value.lines().next().unwrap_or_default());
    }
    let mut turn = None;
    loop {
        let now = game.turn(game_match.state());
        let over = game_match.mover() == Mover::Nobody;
        if turn != Some(now) || over {
            turn = Some(now);
            let view = game.view(game_match.state(), Viewer::Spectator);
            let _ = writeln!(out, "\n== {} ==\n{}", game.turn_title(now), game.picture(&view));
        }
        let mut recorder = Recorder::default();
        let prompt = game.prompt(game_match.state());
        match game_match.mover() {
            Mover::Nobody => break,
            Mover::Fate => {
                let _ = writeln!(out, "Fate: {} [{}]", prompt.text, prompt.rule);
                game_match.fate(None, &mut recorder).expect("Fate may draw");
            }
            Mover::Seat(Seat(seat)) => {
                let choices = game_match.choices();
                let names: Vec<String> = choices.iter().map(|&choice| game_match.name(choice)).collect();
                let _ =
                    writeln!(out, "Seat {seat}: {} [{}]\n  {}", prompt.text, prompt.rule, names.join(" | "));
                let pick = choices[dice.below(choices.len() as u32) as usize];
                let _ = writeln!(out, "> {}", game_match.name(pick));
                game_match.play(pick, &mut recorder).expect("a listed choice is open");
            }
        }
        for (_, event) in &recorder.events {
            let line = game.log_line(event);
            let _ = writeln!(out, "  {} [{}]", line.text, line.rule);
        }
        // In the older format, so that old files only change when play changes.
        let _ = writeln!(out, "  {}", game.digest(game_match.state(), DigestFormat::V1));
    }
    let result = game.outcome(game_match.state()).map(|outcome| game.results()[usize::from(outcome.0)].word);
    let _ = writeln!(out, "result: {}", result.unwrap_or("none"));
    out
}

/// Compares a text with a golden file, or rewrites the file when [`BLESS`] is set.
///
/// # Panics
/// When they differ: that is its purpose in a test.
pub fn compare(file: &Path, text: &str) {
    if std::env::var_os(BLESS).is_some() {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).expect("the folder of golden files can be made");
        }
        std::fs::write(file, text).expect("a golden file can be written");
        return;
    }
    let golden = std::fs::read_to_string(file).unwrap_or_default();
    if golden == text {
        return;
    }
    let differs = golden.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = differs.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
    panic!(
        "{} parts at line {}:\n  golden: {}\n  now:    {}\n`cargo xtask bless` takes the new text, if it is right",
        file.display(),
        line + 1,
        golden.lines().nth(line).unwrap_or("(end)"),
        text.lines().nth(line).unwrap_or("(end)"),
    );
}
