//! What the commands do with a game, without its type.

use std::any::Any;
use std::marker::PhantomData;
#[cfg(feature = "shared")]
use std::ops::Range;
use std::time::Duration;

use bots::external::Opponent;
use bots::search::Resources;
use bots::{BotKind, Player, SeatedBot};
use diagnostics::{FileCheck, Problems};
use kernel::{Answer, CompleteGame, DiceProof, LoadError, Match, Options, Table, Viewer};
use lab::bench::BenchReport;
use lab::calibration::{Calibration, Inquiry, calibrate_at};
use lab::ladder::{Ladder, LadderTotals, Spent, climb_at};
use lab::{Batch, OptionValue, Shelf, SimReport, Site, Worked, review_at, simulate_at, simulate_to_files};
use review::{Quality, Review, ReviewError};
use testkit::perft;
use web::Opened;
use workers::Progress;

/// Everything that the commands do with a game besides opening and showing a match, which [`web::Title`] does. One
/// implementation serves all games.
pub trait GameTools: Send + Sync {
    /// Its options with a sentence each.
    fn option_help(&self) -> &'static [(&'static str, &'static str)];
    /// What an option takes on the command line.
    fn option_value(&self, key: &str) -> OptionValue;
    /// Whether a set-up can be made of these options.
    fn check_options(&self, options: &Options) -> Result<(), String>;
    /// The bots for this game: a word and a sentence each.
    fn bots(&self) -> Vec<(&'static str, &'static str)>;
    /// The bot of a word, or which there are.
    fn bot(&self, word: &str) -> Result<BotKind, String>;
    /// The bot of a word or the program of a command line; else which bots there are and how a command is written.
    fn opponent(&self, text: &str) -> Result<Opponent, String>;
    /// A bot for a seat at a table of this game.
    fn sit(&self, bot: BotKind) -> Box<dyn SeatedBot>;
    /// A saved match, its dice proven.
    fn verify(&self, name: &str, text: &str) -> Result<(Opened, DiceProof), LoadError>;
    /// Many games.
    fn simulate(
        &self,
        site: &Site,
        options: &Options,
        batch: &Batch,
        progress: &Progress,
    ) -> Result<Worked<SimReport>, String>;
    /// Many games, and files about them in a folder.
    fn simulate_to_files(
        &self,
        site: &Site,
        options: &Options,
        batch: &Batch,
        shelf: &Shelf,
        progress: &Progress,
    ) -> Result<Worked<SimReport>, String>;
    /// Every bot against every other.
    fn ladder(
        &self,
        site: &Site,
        options: &Options,
        ladder: &Ladder,
        progress: &Progress,
    ) -> Result<Worked<(LadderTotals, Vec<Spent>)>, String>;
    /// Whether predicted chances come true.
    fn calibrate(
        &self,
        site: &Site,
        options: &Options,
        inquiry: &Inquiry,
        progress: &Progress,
    ) -> Result<Worked<Calibration>, String>;
    /// Luck and skill in a match, through a ledger; nothing if it was stopped.
    fn review(
        &self,
        site: &Site,
        table: &dyn Table,
        quality: Quality,
        progress: &Progress,
    ) -> Result<Worked<Option<Review>>, String>;
    /// The version of its rules, which a worker compares with that of the work.
    #[cfg(feature = "shared")]
    fn rules(&self) -> &'static str;
    /// Does ranges of work that somebody else has begun; see [`lab::labour`].
    #[cfg(feature = "shared")]
    fn labour(
        &self,
        spec: &str,
        ranges: &[Range<u64>],
        progress: &Progress,
        hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool,
    ) -> Result<(), String>;
    /// Answers questions about the opening position, changed by hand.
    fn odds(
        &self,
        options: &Options,
        placed: &[(String, String)],
        questions: &[String],
    ) -> Result<Vec<Answer>, String>;
    /// How to ask about things that are in no position.
    fn odds_help(&self) -> &'static str;
    /// Speed.
    fn bench(&self, options: &Options, time: Duration) -> Result<BenchReport, String>;
    /// Lines of play by depth.
    fn perft(&self, options: &Options, depth: u32) -> Result<Vec<u64>, String>;
    /// Checks the built-in data.
    fn check_builtin(&self) -> Result<Vec<String>, Problems>;
    /// The kinds of file that a user may write for it, each with a sentence; the first is what the game is about.
    fn file_kinds(&self) -> &'static [(&'static str, &'static str)];
    /// Checks a file.
    fn check_file(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems>;
}

struct Tools<G>(PhantomData<fn() -> G>);

/// The tools of a game.
pub(super) fn of<G: CompleteGame>() -> Box<dyn GameTools> {
    Box::new(Tools::<G>(PhantomData))
}

impl<G: CompleteGame> GameTools for Tools<G> {
    fn option_help(&self) -> &'static [(&'static str, &'static str)] {
        G::option_help()
    }

    fn option_value(&self, key: &str) -> OptionValue {
        lab::option_value::<G>(key)
    }

    fn check_options(&self, options: &Options) -> Result<(), String> {
        G::with_options(options).map(drop)
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

    fn verify(&self, name: &str, text: &str) -> Result<(Opened, DiceProof), LoadError> {
        let (loaded, proof) = Match::<G>::verify(name, text)?;
        Ok((Opened::from(loaded), proof))
    }

    fn simulate(
        &self,
        site: &Site,
        options: &Options,
        batch: &Batch,
        progress: &Progress,
    ) -> Result<Worked<SimReport>, String> {
        let game = G::with_options(options)?;
        let totals = simulate_at(site, &game, batch, progress)?;
        Ok(totals.with(|totals| SimReport::new(&game, batch, &totals)))
    }

    fn simulate_to_files(
        &self,
        site: &Site,
        options: &Options,
        batch: &Batch,
        shelf: &Shelf,
        progress: &Progress,
    ) -> Result<Worked<SimReport>, String> {
        let game = G::with_options(options)?;
        let totals = simulate_to_files(site, &game, batch, shelf, progress)?;
        Ok(totals.with(|totals| SimReport::new(&game, batch, &totals)))
    }

    fn ladder(
        &self,
        site: &Site,
        options: &Options,
        ladder: &Ladder,
        progress: &Progress,
    ) -> Result<Worked<(LadderTotals, Vec<Spent>)>, String> {
        climb_at(site, &G::with_options(options)?, ladder, progress)
    }

    fn calibrate(
        &self,
        site: &Site,
        options: &Options,
        inquiry: &Inquiry,
        progress: &Progress,
    ) -> Result<Worked<Calibration>, String> {
        calibrate_at(site, &G::with_options(options)?, inquiry, progress)
    }

    fn review(
        &self,
        site: &Site,
        table: &dyn Table,
        quality: Quality,
        progress: &Progress,
    ) -> Result<Worked<Option<Review>>, String> {
        let of = (table as &dyn Any).downcast_ref::<Match<G>>();
        review_at(site, of.ok_or_else(|| ReviewError::OtherGame.to_string())?, quality, progress)
    }

    #[cfg(feature = "shared")]
    fn rules(&self) -> &'static str {
        G::RULES_VERSION
    }

    #[cfg(feature = "shared")]
    fn labour(
        &self,
        spec: &str,
        ranges: &[Range<u64>],
        progress: &Progress,
        hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool,
    ) -> Result<(), String> {
        lab::labour::<G>(spec, ranges, progress, hand_in)
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

    fn odds_help(&self) -> &'static str {
        G::odds_help()
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

    fn file_kinds(&self) -> &'static [(&'static str, &'static str)] {
        G::file_kinds()
    }

    fn check_file(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
        G::check_file(kind, name, text)
    }
}
