//! The games that there are: the one place that names them.

use std::marker::PhantomData;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use bots::external::Opponent;
use bots::search::Resources;
use bots::{BotKind, Player, SeatedBot};
use diagnostics::FileCheck;
use diagnostics::{Problems, shown};
use kernel::{Answer, CompleteGame, DiceProof, Match, MatchDice, Options, Table, Viewer, game_of_save};
use lab::bench::BenchReport;
use lab::calibration::{Calibration, Inquiry, calibrate};
use lab::ladder::{Ladder, LadderTotals, Spent, climb};
use lab::{Batch, SimReport, simulate};
use testkit::perft;
use web::{Board, PlainBoard};
use workers::Progress;

/// The games of this project.
const GAMES: [GameEntry; 3] = [
    GameEntry::new::<boards::EchoesBoard>(),
    GameEntry::new::<boards::BlitzBoard>(),
    GameEntry::new::<boards::DDayBoard>(),
];

/// The games that a program of somebody else adds.
static MORE: OnceLock<Vec<GameEntry>> = OnceLock::new();

/// All games.
pub static TITLES: LazyLock<Vec<&'static dyn Title>> =
    LazyLock::new(|| entries().map(|entry| entry.title).collect());

/// A game that the program offers: its rules, and the board on which the browser shows it.
#[derive(Clone, Copy)]
pub struct GameEntry {
    title: &'static dyn Title,
    board: fn() -> Arc<dyn web::Title>,
}

impl GameEntry {
    /// A game with a board of its own.
    pub const fn new<B: Board>() -> Self {
        Self { title: const { &Of::<B::Game>(PhantomData) }, board: || Arc::new(web::Of::<B>::new()) }
    }

    /// A game that is shown on the plain board: the position as a picture and a table, the choices as buttons.
    pub const fn plain<G: CompleteGame>() -> Self {
        Self::new::<PlainBoard<G>>()
    }
}

/// Adds games to those of this project, once, before anything else is done.
pub fn add(more: &[GameEntry]) {
    assert!(MORE.set(more.to_vec()).is_ok(), "games can be added once only");
    for (at, title) in TITLES.iter().enumerate() {
        let is_new = TITLES[..at].iter().all(|other| other.id() != title.id());
        assert!(is_new, "two games are called {:?}", title.id());
    }
}

fn entries() -> impl Iterator<Item = &'static GameEntry> {
    GAMES.iter().chain(MORE.get().into_iter().flatten())
}

/// All games, as the browser table holds them.
pub fn boards() -> Vec<Arc<dyn web::Title>> {
    entries().map(|entry| (entry.board)()).collect()
}

/// The game of a word, or which there are.
pub fn title(word: &str) -> Result<&'static dyn Title, String> {
    TITLES.iter().copied().find(|title| title.id() == word).ok_or_else(|| {
        let words: Vec<&str> = TITLES.iter().map(|title| title.id()).collect();
        let meant = diagnostics::nearest(word, words.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        format!("unknown game {:?}{hint}; the games are: {}", shown(word), words.join(", "))
    })
}

/// The game that a save belongs to.
pub fn title_of_save(name: &str, text: &str) -> Result<&'static dyn Title, String> {
    match game_of_save(text) {
        Some(word) => title(word).map_err(|why| format!("{name}: {why}")),
        None => Err(format!(
            "{name}: this is not a match of Maproom: its first line should be \"maproom match 1\""
        )),
    }
}

/// A saved match that was read.
pub struct Opened {
    /// The match.
    pub table: Box<dyn Table>,
    /// What a person should know about it.
    pub notes: Vec<String>,
}

/// Everything the program does with a game, without its type.
pub trait Title: Sync {
    /// Its word.
    fn id(&self) -> &'static str;
    /// Its title for people.
    fn name(&self) -> &'static str;
    /// Its options with a sentence each.
    fn option_help(&self) -> &'static [(&'static str, &'static str)];
    /// A new match.
    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String>;
    /// A saved match.
    fn load(&self, name: &str, text: &str) -> Result<Opened, Problems>;
    /// A saved match, its dice proven.
    fn verify(&self, name: &str, text: &str) -> Result<(Opened, DiceProof), Problems>;
    /// The bots for this game: a word and a sentence each.
    fn bots(&self) -> Vec<(&'static str, &'static str)>;
    /// The bot of a word, or which there are.
    fn bot(&self, word: &str) -> Result<BotKind, String>;
    /// The bot of a word or the program of a command line; else which bots there are and how a command is written.
    fn opponent(&self, text: &str) -> Result<Opponent, String>;
    /// A bot for a seat at a table of this game.
    fn sit(&self, bot: BotKind) -> Box<dyn SeatedBot>;
    /// Who tells luck from skill at its tables.
    fn reviewer(&self) -> Box<dyn review::Reviewer>;
    /// Many games.
    fn simulate(&self, options: &Options, batch: &Batch, progress: &Progress) -> Result<SimReport, String>;
    /// Every bot against every other.
    fn ladder(
        &self,
        options: &Options,
        ladder: &Ladder,
        progress: &Progress,
    ) -> Result<(LadderTotals, Vec<Spent>), String>;
    /// Whether predicted chances come true.
    fn calibrate(
        &self,
        options: &Options,
        inquiry: &Inquiry,
        progress: &Progress,
    ) -> Result<Calibration, String>;
    /// Answers questions about the opening position, changed by hand.
    fn odds(
        &self,
        options: &Options,
        placed: &[(String, String)],
        questions: &[String],
    ) -> Result<Vec<Answer>, String>;
    /// Speed.
    fn bench(&self, options: &Options, time: Duration) -> Result<BenchReport, String>;
    /// Lines of play by depth.
    fn perft(&self, options: &Options, depth: u32) -> Result<Vec<u64>, String>;
    /// Checks the built-in data.
    fn check_builtin(&self) -> Result<Vec<String>, Problems>;
    /// The kind of file that the game is about: what a file is whose kind is not told.
    fn main_file_kind(&self) -> &'static str;
    /// Checks a file.
    fn check_file(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems>;
}

struct Of<G>(PhantomData<fn() -> G>);

impl<G: CompleteGame> Title for Of<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn name(&self) -> &'static str {
        G::TITLE
    }

    fn option_help(&self) -> &'static [(&'static str, &'static str)] {
        G::option_help()
    }

    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String> {
        Ok(Box::new(Match::open(G::with_options(options)?, dice)?))
    }

    fn load(&self, name: &str, text: &str) -> Result<Opened, Problems> {
        let loaded = Match::<G>::load(name, text)?;
        Ok(Opened { table: Box::new(loaded.game_match), notes: loaded.notes })
    }

    fn verify(&self, name: &str, text: &str) -> Result<(Opened, DiceProof), Problems> {
        let (loaded, proof) = Match::<G>::verify(name, text)?;
        Ok((Opened { table: Box::new(loaded.game_match), notes: loaded.notes }, proof))
    }

    fn bots(&self) -> Vec<(&'static str, &'static str)> {
        BotKind::all::<G>().into_iter().map(|(_, word, about)| (word, about)).collect()
    }

    fn bot(&self, word: &str) -> Result<BotKind, String> {
        BotKind::parse::<G>(word)
    }

    fn opponent(&self, text: &str) -> Result<Opponent, String> {
        Opponent::parse::<G>(text)
    }

    fn sit(&self, bot: BotKind) -> Box<dyn SeatedBot> {
        Box::new(Player::<G>::with_resources(bot, Resources::all()))
    }

    fn reviewer(&self) -> Box<dyn review::Reviewer> {
        Box::new(review::Of::<G>::new())
    }

    fn simulate(&self, options: &Options, batch: &Batch, progress: &Progress) -> Result<SimReport, String> {
        let game = G::with_options(options)?;
        let totals = simulate(&game, batch, progress)?;
        Ok(SimReport::new(&game, batch, &totals))
    }

    fn ladder(
        &self,
        options: &Options,
        ladder: &Ladder,
        progress: &Progress,
    ) -> Result<(LadderTotals, Vec<Spent>), String> {
        climb(&G::with_options(options)?, ladder, progress)
    }

    fn calibrate(
        &self,
        options: &Options,
        inquiry: &Inquiry,
        progress: &Progress,
    ) -> Result<Calibration, String> {
        calibrate(&G::with_options(options)?, inquiry, progress)
    }

    fn odds(
        &self,
        options: &Options,
        placed: &[(String, String)],
        questions: &[String],
    ) -> Result<Vec<Answer>, String> {
        let game = G::with_options(options)?;
        let mut state = game.start();
        for (key, value) in placed {
            game.place(&mut state, key, value)?;
        }
        let view = game.view(&state, Viewer::Spectator);
        let all;
        let questions = if questions.is_empty() {
            all = game.questions(&view);
            &all
        } else {
            questions
        };
        questions.iter().map(|question| game.answer(&view, question)).collect()
    }

    fn bench(&self, options: &Options, time: Duration) -> Result<BenchReport, String> {
        let game = G::with_options(options)?;
        Ok(lab::bench::measure(&game, time))
    }

    fn perft(&self, options: &Options, depth: u32) -> Result<Vec<u64>, String> {
        let game = G::with_options(options)?;
        let start = game.start();
        Ok((1..=depth).map(|depth| perft(&game, &start, depth)).collect())
    }

    fn check_builtin(&self) -> Result<Vec<String>, Problems> {
        G::check_builtin()
    }

    fn main_file_kind(&self) -> &'static str {
        G::file_kinds().first().map_or("", |(kind, _)| *kind)
    }

    fn check_file(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
        G::check_file(kind, name, text)
    }
}
