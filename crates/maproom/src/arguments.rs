//! The command line; its doc comments are the help.

mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use bots::external::Opponent;
use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use lab::Format;

use crate::log::LogLevels;
use crate::mail::MailOrder;
use crate::options::{self, OwnFiles, Setup};
use crate::registry::GAMES;

pub use work::{JobsOrder, JobsTask, WorkOrder, WorkerOrder};

/// Play, host and study board wargames of the Second World War, with the rules fully enforced.
#[derive(Debug, Parser)]
#[command(name = "maproom", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub serve: ServeOrder,
}

impl Arguments {
    /// Reads the command line. What can't be understood ends the program with a message, and so does `--help`.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Self {
        Self::try_read(words).unwrap_or_else(|error| error.exit())
    }

    /// Reads a command line, or says what is wrong with it.
    pub fn try_read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        // Only for the help, which shows the options of the game that is meant.
        let meant = GAMES.iter().find(|game| words.iter().any(|word| word == game.id()));
        let command = options::with_games(Self::command(), meant);
        let mut matches = command.try_get_matches_from(words)?;
        Self::from_arg_matches_mut(&mut matches)
    }
}

const EXAMPLES: &str = "\
Examples:
  maproom                                  open the table in the browser
  maproom serve --host 0.0.0.0             the same for friends on your network; prints your key
  maproom play echoes                      play in the terminal, against the book
  maproom play echoes --edition axis       play the other side
  maproom play echoes --help               show the options of that game
  maproom sim echoes --games 200000        play many games and show win rates
  maproom sim dday --games 5000 --ledger runs   the same, and go on after a stop
  maproom ladder blitz --games 400         rank the bots by strength
  maproom ladder dday --scenario omaha,remagen --bots greedy,commander
  maproom ladder blitz --bots greedy,\"python3 examples/first_bot.py\"
  maproom odds echoes attack WF --turn 12 --set EMT=1
  maproom check echoes --book my-book.txt  check a book of your own
  maproom play dday --scenario omaha --bot commander
  maproom check dday my-scenario.toml      check a scenario of your own and draw it
  maproom verify war.match                 were the dice fair?
  maproom review war.match                 was it luck, or was it me?";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the table in the browser; `maproom` on its own does the same.
    Serve(ServeOrder),
    /// Play a game in plain text: in a terminal, over ssh, with a screen reader, in a pipe.
    Play(PlayOrder),
    /// Speak the engine protocol on standard input and output: a line of JSON in, a line out.
    ///
    /// docs/protocol.md has every command with real payloads. A first conversation:
    ///   {"cmd":"new","game":"echoes","seed":3}
    ///   {"cmd":"choices"}
    ///   {"cmd":"go","bot":"greedy"}
    /// In games that hide nothing the engine can also play a seat itself: `maproom play dday --bot "maproom engine"`.
    #[command(verbatim_doc_comment)]
    Engine(EngineOrder),
    /// Play many games between bots on all cores and show the results.
    Sim(SimOrder),
    /// Play every bot against every other, in every seat and with the same dice, and rank them by Elo.
    ///
    /// In solo games the bots are ranked by how often they win, all with the same dice.
    Ladder(LadderOrder),
    /// Check whether predicted win chances come true, over many positions from games between bots.
    Calibrate(CalibrateOrder),
    /// List what is in a ledger of `sim`, `ladder`, `calibrate` and `review`; show or drop a job.
    Jobs(JobsOrder),
    /// Work for others: do chunks of their `sim`, `ladder`, `calibrate` and `review` that come over NATS.
    ///
    /// It takes a few seconds of work at a time, brings the results, and goes on until it is ended (Ctrl-C, SIGTERM); what it
    /// has begun is then given back. Whoever hands work out runs `maproom sim … --nats ADDRESS`, or `maproom serve --nats ADDRESS`
    /// for batches of its laboratory. Only a Maproom of the very same build can help.
    Worker(WorkerOrder),
    /// Write the finished matches of a house into files, for statistics; the server may be running.
    Export(ExportOrder),
    /// Give exact odds: of an attack, a Major Conflict, a Confidence roll.
    ///
    /// Questions in echoes: `attack WF`, `attack Axis PAC at +1`, `conflict europe`, `confidence`, `vp`. In dday `calc` works
    /// out any combat: `calc veteran tnk_medium vs inf_leg town prepared with=2 fire=1`. So it does in triumph: `calc 2
    /// submarine 3 then fleet 4 vs carrier 4 sea escape`.
    Odds(OddsOrder),
    /// Replay a saved match, check every choice, and prove every die.
    Verify(VerifyOrder),
    /// Separate luck from skill in a saved match: what each die and each choice did to the chance to win.
    ///
    /// For every seat the parts add up to the result: the chance at the start, good and bad luck, what its own mistakes cost,
    /// and what the mistakes of others gave it. `maproom review war.match --svg curve.svg` also draws the curve.
    Review(ReviewOrder),
    /// Check a game's data, or files of your own: a book, spreads, a scenario, worked examples, a lesson.
    Check(CheckOrder),
    /// Measure how fast the games play on one core of this machine.
    Bench(BenchOrder),
    /// Count all lines of play to a given depth: a fingerprint of the rules.
    Perft(PerftOrder),
    /// Show a rule from a game's rulebook, such as `maproom rule echoes 2.5.3`.
    Rule(RuleOrder),
    /// Print a one-time link with which somebody can make an account; the server may be running.
    Invite(InviteOrder),
    /// Look after the accounts of a server, which may be running.
    Admin(AdminOrder),
    /// Write everything that a server keeps into one file; the server may be running.
    ///
    /// The file holds one moment: matches, accounts, notices, ratings, tournaments, orders, as lines of JSON with a sum at the
    /// end. With --check an existing file is read instead: its sum is compared, and every match in it is replayed.
    Backup(BackupOrder),
    /// Take a backup into an empty folder or database; no server may be running there.
    Restore(RestoreOrder),
    /// Move what a server keeps from one place to another.
    Store(StoreOrder),
}

impl Command {
    /// The log levels, if a flag gives them.
    pub fn log_levels(&self) -> Option<&LogLevels> {
        if let Self::Serve(order) = self { order.log.as_ref() } else { None }
    }
}

/// How long an external program may think.
#[derive(Debug, Clone, Copy, Args)]
pub struct Patience {
    /// How long a program of your own may take to answer.
    #[arg(long = "bot-time", value_name = "SECONDS", default_value_t = 30.0)]
    pub seconds: f64,
}

impl Patience {
    /// Sets the time limit of an opponent that is a program.
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
    /// Play a match with fixed dice: the same number gives the same dice.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Your seat in a game for several players, such as allies; by default the first one.
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<String>,
    /// Who plays the other seats: a bot, or a program of your own given as a command, such as `python3 my_bot.py`.
    #[arg(long, default_value = "greedy", value_name = "BOT|COMMAND")]
    pub bot: String,
    #[command(flatten)]
    pub patience: Patience,
    /// Roll real dice and type in the results.
    #[arg(long, conflicts_with = "seed")]
    pub own_dice: bool,
    /// Where to save the match; by default your system's data folder.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Continue a match: the last one, or the one in FILE.
    #[arg(long, value_name = "FILE")]
    pub resume: Option<Option<PathBuf>>,
    /// With --resume: if the rules have changed and the match can't be replayed to its end, continue from the last step that
    /// is still the same, as a new match. The old file is not changed.
    #[arg(long, requires = "resume")]
    pub common: bool,
}

#[derive(Debug, Args)]
pub struct ServeOrder {
    /// The folder to save matches in; by default your system's data folder.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// A database of PostgreSQL instead of a folder, such as `postgres:///maproom?host=/run/postgresql`. Only in a Maproom that
    /// was built with it (`--features shared`).
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub database: Option<String>,
    /// The server of NATS, such as `nats://127.0.0.1:4222`. Servers that share a database tell each other over it at once what
    /// has happened, workers (`maproom worker`) play batches of the laboratory beside the server, and those of the house
    /// (`--class house`) think for bots.
    #[arg(long, value_name = "ADDRESS")]
    pub nats: Option<String>,
    /// The file with the key of this server, if the server of NATS wants one.
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub key: Option<PathBuf>,
    /// Which workers may play batches of the laboratory: those of the house only, or lent machines all of them. Without it lent
    /// machines play what holds no text of your own.
    #[arg(long, value_name = "CLASS", value_parser = ["house", "lent"], requires = "nats")]
    pub class: Option<String>,
    /// The address to listen on. With 0.0.0.0 other machines can connect, and the lobby needs the key that is printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; by default 4040, or any free one if that is taken.
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The public address of this server behind a reverse proxy, such as `https://war.example`. The lobby then needs the key
    /// that is printed, and visitors are counted by the address that the proxy adds to `X-Forwarded-For`.
    #[arg(long, value_name = "URL")]
    pub address: Option<String>,
    /// The address of that proxy, if it runs on another machine; may be given several times. With accounts it must be given in
    /// any case, such as `--behind-proxy 127.0.0.1`: forwarded requests from anywhere else are refused.
    #[arg(long, visible_alias = "behind-proxy", value_name = "ADDRESS", requires = "address")]
    pub proxy: Vec<std::net::IpAddr>,
    /// Let people have accounts: those with an invitation (see `maproom invite`), or anybody. Accounts need HTTPS (--address),
    /// except on this machine alone.
    #[arg(long, value_name = "WHO", value_parser = ["invited", "open"])]
    pub accounts: Option<String>,
    #[command(flatten)]
    pub mail: MailOrder,
    /// Make a new key for the lobby: the old one stops working.
    #[arg(long)]
    pub new_key: bool,
    /// Offer a program of your own as a bot, under a name; may be given several times.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub bot: Vec<String>,
    #[command(flatten)]
    pub patience: Patience,
    /// Memory for a bot's search trees, in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub tree_memory: u32,
    /// What to log to standard error: off, error, warn, info, debug or trace, also for single parts as in `info,store=debug`.
    /// The parts are maproom, web, store, bots, lab and program (your own bots). The default is the environment variable
    /// MAPROOM_LOG, else warn. Links, keys, addresses and hidden choices are never logged.
    #[arg(long, value_name = "LEVEL")]
    pub log: Option<LogLevels>,
    /// Show figures for Prometheus at `/metrics` of this address, such as 127.0.0.1:9464. Let only whoever watches over the
    /// server reach it.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<std::net::SocketAddr>,
    /// Don't open a browser.
    #[arg(long)]
    pub no_browser: bool,
}

#[derive(Debug, Args)]
pub struct BackupOrder {
    /// The file to write, which must not be there yet; with --check the file to read.
    pub file: PathBuf,
    /// Check an existing backup: compare its sum and replay every match.
    #[arg(long, conflicts_with_all = ["data", "database"])]
    pub check: bool,
    /// The folder of the server; by default your system's data folder.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The database of the server, if it is PostgreSQL.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub database: Option<String>,
}

#[derive(Debug, Args)]
pub struct RestoreOrder {
    /// The backup.
    pub file: PathBuf,
    /// The folder to restore into, which must hold no matches yet; by default your system's data folder.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The database to restore into, if it is PostgreSQL.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub database: Option<String>,
}

#[derive(Debug, Args)]
pub struct StoreOrder {
    #[command(subcommand)]
    pub task: StoreTask,
}

#[derive(Debug, Subcommand)]
pub enum StoreTask {
    /// Copy everything into an empty place, then replay every match in both and compare. No server may be running.
    Copy(CopyOrder),
}

#[derive(Debug, Args)]
pub struct CopyOrder {
    /// Where everything is: a folder, or the address of a database such as `postgres:///maproom?host=/run/postgresql`.
    #[arg(long, value_name = "DIR|URL")]
    pub from: String,
    /// Where it is to be: an empty folder, or an empty database.
    #[arg(long, value_name = "DIR|URL")]
    pub to: String,
}

#[derive(Debug, Args)]
pub struct InviteOrder {
    #[command(flatten)]
    pub house: HouseOrder,
    /// How many days the link works.
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u64).range(1..=365))]
    pub days: u64,
    /// How many links to print, each for one account.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub count: u32,
}

/// Which server is meant.
#[derive(Debug, Args)]
pub struct HouseOrder {
    /// The folder of the server; by default your system's data folder.
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,
    /// The database of the server, if it is PostgreSQL.
    #[arg(long, value_name = "URL", global = true, conflicts_with = "data")]
    pub database: Option<String>,
    /// What links begin with; by default the address at which the server was last started.
    #[arg(long, value_name = "URL", global = true)]
    pub address: Option<String>,
}

#[derive(Debug, Args)]
pub struct AdminOrder {
    #[command(flatten)]
    pub house: HouseOrder,
    #[command(subcommand)]
    pub task: AdminTask,
}

#[derive(Debug, Subcommand)]
pub enum AdminTask {
    /// List all accounts.
    List,
    /// Print a one-time link with which somebody can choose a new password; it works for 30 minutes.
    Reset {
        /// The name of the account.
        name: String,
    },
    /// Close an account: its holder is logged out and can't log in.
    Close {
        /// The name of the account.
        name: String,
    },
    /// Open an account again that was closed.
    Reopen {
        /// The name of the account.
        name: String,
    },
    /// Set what an account may do: an admin opens the lobby like its owner. Its holder has to log in again.
    Role {
        /// The name of the account.
        name: String,
        /// The role.
        #[arg(value_parser = ["member", "admin"])]
        role: String,
    },
    /// Let an account write nothing at any table for some days.
    Mute {
        /// The name of the account.
        name: String,
        /// For how many days.
        #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u64).range(1..=365))]
        days: u64,
    },
    /// End such a mute.
    Unmute {
        /// The name of the account.
        name: String,
    },
    /// List the reports that wait for an answer.
    Reports,
    /// Answer a report; whoever made it reads the answer.
    Answer {
        /// The number of the report.
        report: u64,
        /// The answer.
        words: String,
    },
    /// List when the server did not run.
    Outages,
    /// Show what those who look after the house have done, the newest first.
    Log,
}

#[derive(Debug, Args)]
pub struct EngineOrder {
    /// The bot that chooses when the engine itself plays a seat (`hello`, `choose`).
    #[arg(long, default_value = "greedy")]
    pub bot: String,
}

#[derive(Debug, Args)]
pub struct ExportOrder {
    /// The folder to write into; it is made if it is missing.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// How the files are written: csv, or parquet in a Maproom that was built with it (`--features files`).
    #[arg(long, value_name = "FORMAT", default_value = Format::usual().word(), value_parser = Format::read)]
    pub format: Format,
    /// The folder of the house; by default your system's data folder.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The database of the house, if it is PostgreSQL.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    pub database: Option<String>,
}

#[derive(Debug, Args)]
pub struct SimOrder {
    /// The game.
    pub game: String,
    #[command(flatten)]
    pub setup: Setup,
    /// How many games to play for each set-up. An option may have several values here, such as `--spread 1,3-6` or
    /// `--spread all`.
    #[arg(long, default_value_t = 10_000)]
    pub games: u64,
    /// Who plays: random, greedy (the game's quick policy), onestep, or one of the game's own bots (blitz: solo). Give one bot
    /// for all seats, or one for each, separated by commas.
    #[arg(long, default_value = "greedy")]
    pub bot: String,
    /// The same seed gives the same games, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads to use; by default all cores.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub work: WorkOrder,
    /// Also write the games, their decisions and their draws into files in this folder. One set-up at a time.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How the files are written: csv, or parquet in a Maproom that was built with it (`--features files`).
    #[arg(long, value_name = "FORMAT", requires = "out")]
    #[arg(default_value = Format::usual().word(), value_parser = Format::read)]
    pub format: Format,
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
    /// Who takes part, separated by commas: bots, and programs of your own given as commands such as `python3 my_bot.py`,
    /// named if you like (`mine=python3 my_bot.py`). By default all bots of the game.
    #[arg(long, value_name = "LIST")]
    pub bots: Vec<String>,
    /// How many games to play for each pairing and set-up; in solo games, for each bot. An option may have several values
    /// here, such as `--scenario omaha,remagen`; the results are added up.
    #[arg(long, default_value_t = 200)]
    pub games: u64,
    /// The same seed gives the same games, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads to use; by default all cores.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub work: WorkOrder,
    #[command(flatten)]
    pub patience: Patience,
    /// Also show how long a choice takes, in the table and in the JSON document.
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
    /// How many positions to test, each from a different game.
    #[arg(long, default_value_t = 2_000)]
    pub positions: u64,
    /// How many times each position is played on.
    #[arg(long, default_value_t = 8)]
    pub continuations: u32,
    /// Who plays.
    #[arg(long, default_value = "sergeant")]
    pub bot: String,
    /// How many playouts each prediction uses.
    #[arg(long, default_value_t = 16_384)]
    pub playouts: u32,
    /// The same seed gives the same positions, whatever the number of threads.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads to use; by default all cores.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub work: WorkOrder,
    /// Also draw a chart into this file, as SVG.
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
    /// The question, such as `attack WF`; by default all questions that make sense.
    pub question: Vec<String>,
    #[command(flatten)]
    pub setup: Setup,
    /// Ask about the position of a saved match.
    #[arg(long, value_name = "FILE", conflicts_with = "setup")]
    pub r#match: Option<PathBuf>,
    /// Ask about this turn.
    #[arg(long, value_name = "N")]
    pub turn: Option<String>,
    /// Change the position, such as WF=4, EMT=-1, USA=3, tow=0; separate several with commas.
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
    /// How hard to think: quick, normal, or deep, which takes eight times as long and sees smaller mistakes.
    #[arg(long, value_name = "WORD", default_value = review::Quality::DEFAULT, value_parser = PossibleValuesParser::new(crate::review::words()))]
    pub quality: String,
    /// Show only what concerns this seat, such as allies.
    #[arg(long, value_name = "WORD", conflicts_with = "json")]
    pub seat: Option<String>,
    /// Also draw the win-chance curve into this file, as SVG.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How many threads to use; by default all cores. The review is the same for any number.
    #[arg(long)]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub work: WorkOrder,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CheckOrder {
    /// The game.
    pub game: String,
    /// Your own files of the game's main kind, the first of those listed below.
    pub file: Vec<PathBuf>,
    #[command(flatten)]
    pub own: OwnFiles,
    /// A lesson: it is played through against the rules.
    #[arg(long, value_name = "FILE")]
    pub lesson: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct BenchOrder {
    /// The game; by default all games.
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
    /// How many choices deep to count.
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
    /// The number of the rule, such as 2.5.3 or R11; by default the table of contents.
    pub rule: Option<String>,
}
