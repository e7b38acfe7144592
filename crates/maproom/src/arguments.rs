//! The command line; its doc comments are the help.

use std::path::PathBuf;

use bots::external::Opponent;
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use kernel::Options;

use crate::files::read_text;
use crate::registry::Title;

/// Play, host and study board wargames of the Second World War, with the rules fully enforced.
#[derive(Debug, Parser)]
#[command(name = "maproom", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub serve: ServeOrder,
}

const EXAMPLES: &str = "\
Examples:
  maproom                                  the table in the browser
  maproom serve --host 0.0.0.0             the same for friends in the house; prints your key
  maproom play echoes                      a war in the terminal, against the book
  maproom play echoes --edition axis       the other side
  maproom sim echoes --games 200000        what the dice do to a plan
  maproom ladder blitz --games 400         which bot is how strong
  maproom ladder dday --scenarios omaha,remagen --bots greedy,commander
  maproom ladder blitz --bots greedy,\"python3 examples/first_bot.py\"
  maproom odds echoes attack WF --turn 12 --set EMT=1
  maproom check echoes --book my-book.txt  is my own book in order?
  maproom play dday --scenario omaha --bot commander
  maproom check dday my-scenario.toml      what is wrong with it, and how it looks
  maproom verify war.match                 were the dice fair?
  maproom review war.match                 was it luck, or was it me?";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the table in the browser; what `maproom` alone does.
    Serve(ServeOrder),
    /// Play a game in plain text: in a terminal, over ssh, with a screen reader, in a pipe.
    Play(PlayOrder),
    /// Speak the engine protocol on standard input and output: a line of JSON in, a line out.
    ///
    /// docs/protocol.md has every command with real payloads. A first conversation:
    ///   {"cmd":"new","game":"echoes","seed":3}
    ///   {"cmd":"choices"}
    ///   {"cmd":"go","bot":"greedy"}
    /// In games that hide nothing it can itself be a program in a seat (`maproom play dday --bot "maproom engine"`).
    #[command(verbatim_doc_comment)]
    Engine(EngineOrder),
    /// Play many games between bots on all cores and show what came of them.
    Sim(SimOrder),
    /// Let every bot meet every other, in every seat and with the same dice, and rank them by Elo.
    ///
    /// In games for one the bots are ranked by how often they win, all with the same dice.
    Ladder(LadderOrder),
    /// Compare predicted chances with what comes of them, over many positions of games between bots.
    Calibrate(CalibrateOrder),
    /// Exact odds: of an attack, a Major Conflict, a Confidence roll.
    ///
    /// Questions of echoes: `attack WF`, `attack Axis PAC at +1`, `conflict europe`, `confidence`, `vp`.
    Odds(OddsOrder),
    /// Replay a saved match, check every choice, and prove every die.
    Verify(VerifyOrder),
    /// Tell luck from skill in a saved match: what each die and each choice did to the chance to win.
    ///
    /// Every seat's account adds up to the result: the chance at the start, what luck gave or took, what its own mistakes cost
    /// and what those of the others gave. `maproom review war.match --svg curve.svg` also draws the curve.
    Review(ReviewOrder),
    /// Check a game's data, or files of your own: a book, spreads, a scenario, worked examples.
    Check(CheckOrder),
    /// Measure how fast the games play on one core of this machine.
    Bench(BenchOrder),
    /// Count all lines of play to a depth: a fingerprint of the rules.
    Perft(PerftOrder),
    /// Show a rule of a game's rulebook, such as `maproom rule echoes 2.5.3`.
    Rule(RuleOrder),
}

/// How a game is set up.
#[derive(Debug, Clone, Default, Args)]
pub struct Setup {
    /// echoes: the side you play, allied or axis.
    #[arg(long)]
    pub edition: Option<String>,
    /// echoes: a book of your own, in TOML or as plain text with only the 24 boxes.
    #[arg(long, value_name = "FILE", conflicts_with = "edition")]
    pub book: Option<PathBuf>,
    /// echoes: spreads of your own.
    #[arg(long, value_name = "FILE")]
    pub spreads: Option<PathBuf>,
    /// dday: a scenario by its name (villers_bocage), or a file of your own.
    #[arg(long, value_name = "NAME|FILE")]
    pub scenario: Option<String>,
    /// dday: weights for the bot `commander`.
    #[arg(long, value_name = "FILE")]
    pub commander: Option<PathBuf>,
    /// Any option of the game as KEY=VALUE.
    #[arg(long, value_name = "KEY=VALUE")]
    pub option: Vec<String>,
}

impl Setup {
    /// The options of the match. Files are read and checked under their own names; warnings go to standard error.
    pub fn options(&self, title: &dyn Title, spread: Option<&str>) -> Result<Options, String> {
        let mut options = Options::new();
        for pair in &self.option {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| format!("--option {pair:?}: write it as KEY=VALUE"))?;
            options.insert(key.trim().to_owned(), value.trim().to_owned());
        }
        if let Some(edition) = &self.edition {
            options.insert("edition".to_owned(), edition.clone());
        }
        let mut files =
            vec![("book", &self.book), ("spreads", &self.spreads), ("commander", &self.commander)];
        // A scenario is a name, or a file where there is one of that name or it is written as one.
        let written = self.scenario.as_ref().map(PathBuf::from);
        let written = written.filter(|file| file.extension().is_some() || file.is_file());
        match (&self.scenario, &written) {
            (_, Some(_)) => files.push(("scenario", &written)),
            (Some(name), None) => drop(options.insert("scenario".to_owned(), name.clone())),
            (None, None) => {}
        }
        for (key, file) in files {
            if let Some(file) = file {
                let text = read_text(file)?;
                let check = title.check_file(key, &file.display().to_string(), &text);
                let check = check.map_err(|problems| problems.to_string())?;
                if !check.warnings.is_empty() {
                    errln!("{}\n", check.warnings);
                }
                options.insert(key.to_owned(), text);
            }
        }
        if let Some(spread) = spread {
            options.insert("spread".to_owned(), spread.to_owned());
        }
        Ok(options)
    }
}

/// How long programs may think.
#[derive(Debug, Clone, Copy, Args)]
pub struct Patience {
    /// How long a program of your own may take for an answer.
    #[arg(long = "bot-time", value_name = "SECONDS", default_value_t = 30.0)]
    pub seconds: f64,
}

impl Patience {
    /// The opponent with so much patience, where it is a program.
    pub fn grant(self, opponent: Opponent) -> Result<Opponent, String> {
        match opponent {
            Opponent::Program(command) => {
                let command = command.with_patience(self.seconds);
                command.map(Opponent::Program).map_err(|why| format!("--bot-time: {why}"))
            }
            bot @ Opponent::Bot(_) => Ok(bot),
        }
    }
}

#[derive(Debug, Args)]
pub struct PlayOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which of the 24 spreads; 1 is the plain game.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// Play a war that can be had again by the same number.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Your seat in a game for several, such as allies; the first one if you don't say.
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<String>,
    /// Who has the other seats: a bot, or a program of your own as a command, such as `python3 my_bot.py`.
    #[arg(long, default_value = "greedy", value_name = "BOT|COMMAND")]
    pub bot: String,
    #[command(flatten)]
    pub patience: Patience,
    /// Roll your own dice and type in what they show.
    #[arg(long, conflicts_with = "seed")]
    pub own_dice: bool,
    /// Where the match is kept; the platform's data folder if you don't say.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Take up a match again: the last one, or that of FILE.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<Option<PathBuf>>,
}

#[derive(Debug, Args)]
pub struct ServeOrder {
    /// The folder in which matches are kept; the platform's usual one if you don't say.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The address to listen on. Other machines can reach 0.0.0.0; then the lobby needs the key that is printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; 4040, or any free one where that is taken, if you don't say.
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address under which others reach this machine, such as `https://war.example`, for a reverse proxy. The lobby then
    /// needs the key that is printed.
    #[arg(long, value_name = "URL")]
    pub address: Option<String>,
    /// A program of your own that plays, with the name that it goes by; may be said several times.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub bot: Vec<String>,
    #[command(flatten)]
    pub patience: Patience,
    /// How many megabytes a bot's search may take for its trees.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub tree_memory: u32,
    /// Don't open a browser.
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct EngineOrder {
    /// The bot that chooses when the engine itself is a program in a seat (`hello`, `choose`).
    #[arg(long, default_value = "greedy")]
    pub bot: String,
}

#[derive(Debug, Args)]
pub struct SimOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which spreads: `3`, `1,4,7`, `1-6` or `all`.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// How many games (for each spread).
    #[arg(long, default_value_t = 10_000)]
    pub games: u64,
    /// Who plays: random, greedy (the game's quick policy), onestep or a bot of the game's own (blitz: solo); for several
    /// seats a list with commas.
    #[arg(long, default_value = "greedy")]
    pub bot: String,
    /// The same seed gives the same games, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads; all cores if you don't say.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LadderOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which spreads, summed up: `3`, `1,4,7`, `1-6` or `all`.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// dday: several scenarios with commas, by name or as files; a ladder over each, summed up.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "scenario")]
    pub scenarios: Vec<String>,
    /// Who takes part, with commas: bots, and programs of your own as commands such as `python3 my_bot.py`, with a name in
    /// front (`mine=python3 my_bot.py`) if you like; all bots of the game if you don't say.
    #[arg(long, value_name = "LIST")]
    pub bots: Vec<String>,
    /// How many games for each pairing (and set-up); in games for one, for each bot.
    #[arg(long, default_value_t = 200)]
    pub games: u64,
    /// The same seed gives the same games, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads; all cores if you don't say.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub patience: Patience,
    /// Show the time that a choice takes in the table and in the JSON document, too.
    #[arg(long)]
    pub times: bool,
    /// Print one JSON document instead of tables.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CalibrateOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which spread.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// How many positions, each from a game of its own.
    #[arg(long, default_value_t = 2_000)]
    pub positions: u64,
    /// How often each position is played on.
    #[arg(long, default_value_t = 8)]
    pub continuations: u32,
    /// Who plays.
    #[arg(long, default_value = "sergeant")]
    pub bot: String,
    /// How many playouts a prediction rests on.
    #[arg(long, default_value_t = 16_384)]
    pub playouts: u32,
    /// The same seed gives the same positions, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads; all cores if you don't say.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Where to draw the chart.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct OddsOrder {
    /// The game.
    pub game: String,
    /// The question, such as `attack WF`; without one, all that make sense are answered.
    pub question: Vec<String>,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which spread.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// Ask about the position of a saved match.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["edition", "book", "spreads", "spread", "option"])]
    pub r#match: Option<PathBuf>,
    /// The turn.
    #[arg(long, value_name = "N")]
    pub turn: Option<String>,
    /// Something else of the position, such as WF=4, EMT=-1, USA=3, tow=0; several with commas.
    #[arg(long, value_name = "KEY=VALUE", value_delimiter = ',', allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct VerifyOrder {
    /// The saved match.
    pub file: PathBuf,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ReviewOrder {
    /// The saved match.
    pub file: PathBuf,
    /// How much to think: quick, normal, or deep, which takes eight times as long and sees smaller mistakes.
    #[arg(long, value_name = "WORD", default_value = review::Quality::USUAL, value_parser = PossibleValuesParser::new(crate::review::words()))]
    pub quality: String,
    /// Only what concerns this seat, such as allies.
    #[arg(long, value_name = "WORD", conflicts_with = "json")]
    pub seat: Option<String>,
    /// Also draw the curve of the chances into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How many threads; all cores if you don't say. The review is the same.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckOrder {
    /// The game.
    pub game: String,
    /// Files of your own, of the kind that the game is about: echoes books, dday scenarios, blitz examples.
    pub file: Vec<PathBuf>,
    /// dday: weights for the bot `commander`.
    #[arg(long, value_name = "FILE")]
    pub commander: Vec<PathBuf>,
    /// echoes: a book of your own.
    #[arg(long, value_name = "FILE")]
    pub book: Vec<PathBuf>,
    /// echoes: spreads of your own.
    #[arg(long, value_name = "FILE")]
    pub spreads: Vec<PathBuf>,
    /// Worked examples.
    #[arg(long, value_name = "FILE")]
    pub examples: Vec<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BenchOrder {
    /// The game; all games if you don't say.
    pub game: Option<String>,
    #[command(flatten)]
    pub setup: Setup,
    /// How long to measure each game, in seconds.
    #[arg(long, default_value_t = 6.0)]
    pub seconds: f64,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PerftOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// echoes: which spread.
    #[arg(long, value_name = "N")]
    pub spread: Option<String>,
    /// How many choices deep.
    #[arg(long, default_value_t = 7)]
    pub depth: u32,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct RuleOrder {
    /// The game.
    pub game: String,
    /// The number of the rule, such as 2.5.3 or R11; the table of contents if you don't say.
    pub rule: Option<String>,
}
