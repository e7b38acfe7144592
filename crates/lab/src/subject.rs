//! A game as the laboratory of the house holds it, without its type.

use std::marker::PhantomData;

use bots::BotKind;
use diagnostics::{FileCheck, Problems};
use kernel::{CompleteGame, Options, SeatInfo};
use serde::{Deserialize, Serialize};
use workers::Progress;

use crate::compared::Comparison;
use crate::report::SimReport;
use crate::sim::{self, Batch, Totals, pairs};
use crate::work::Site;

/// What an option of a game takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// A word or a number.
    Word,
    /// A file of the user's own, whose text is the value.
    File,
    /// The name of something built in, or a file of the user's own.
    WordOrFile,
}

/// What an option of a game takes.
pub fn option_value<G: CompleteGame>(key: &str) -> OptionValue {
    if !G::file_kinds().iter().any(|(kind, _)| *kind == key) {
        return OptionValue::Word;
    }
    // What has a value where nobody gives one is something built in; the others are texts and nothing else.
    let default = G::with_options(&Options::new()).map(|game| game.options()).unwrap_or_default();
    if default.contains_key(key) { OptionValue::WordOrFile } else { OptionValue::File }
}

/// A kind of text that a game takes as an option.
#[derive(Clone, Debug)]
pub struct TextKind {
    /// The option.
    pub key: &'static str,
    /// A sentence about it.
    pub about: &'static str,
    /// What comes with the game: names and texts.
    pub built_in: Vec<(&'static str, &'static str)>,
}

/// A batch that somebody asks for, in words. It is read again from the specification of its job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The id of the game.
    pub game: String,
    /// How it is set up.
    pub options: Options,
    /// The other way, if two are compared with the same dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Options>,
    /// The bots by seat; the last one plays all further seats.
    pub bots: Vec<String>,
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

impl Order {
    /// The order that a specification was made of; `None` for work of another kind.
    pub fn of_spec(spec: &str) -> Option<Self> {
        serde_json::from_str(spec).ok()
    }
}

/// Of a batch, in how many games a turn was the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Length {
    /// The number of the turn.
    pub turn: usize,
    /// Its title.
    pub title: String,
    /// In how many games it was the last.
    pub games: u64,
}

/// What came of one way to set a game up.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The same report as that of `maproom sim`.
    pub report: SimReport,
    /// How long games were.
    pub lengths: Vec<Length>,
    /// The names of the seats for people, in the order of the report.
    pub seats: Vec<&'static str>,
}

impl Findings {
    fn new<G: CompleteGame>(game: &G, batch: &Batch, totals: &Totals) -> Self {
        let lengths = totals.lengths.iter().enumerate().filter(|(_, games)| **games > 0);
        let length =
            |(turn, &games): (usize, &u64)| Length { turn, title: game.turn_title(turn as u16), games };
        Self {
            report: SimReport::new(game, batch, totals),
            lengths: lengths.map(length).collect(),
            seats: game.seats().iter().map(|seat| seat.title).collect(),
        }
    }
}

/// What came of a batch so far.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Of one way to set the game up.
    Batch(Box<Findings>),
    /// Of two, with the same dice.
    Pair(Box<[Findings; 2]>, Box<Comparison>),
}

/// Everything that the laboratory needs of a game. One implementation, [`Of`], serves all.
pub trait Subject: Send + Sync {
    /// Its options with a sentence each.
    fn option_help(&self) -> &'static [(&'static str, &'static str)];
    /// What an option takes.
    fn option_value(&self, key: &str) -> OptionValue;
    /// The texts of one's own that it takes as options.
    fn texts(&self) -> Vec<TextKind>;
    /// Checks such a text.
    fn check_text(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems>;
    /// The seats of a set-up, or what is wrong with it.
    fn seats(&self, options: &Options) -> Result<Vec<SeatInfo>, String>;
    /// The bots by word, with a sentence each.
    fn bots(&self) -> Vec<(&'static str, &'static str)>;
    /// The id of the job of an order; the error says what is wrong with it.
    fn job_id(&self, order: &Order) -> Result<String, String>;
    /// Makes the job of an order if there is none.
    fn enlist(&self, site: &Site, order: &Order) -> Result<(), String>;
    /// Does what is left of an order, until it is stopped.
    fn work(&self, site: &Site, order: &Order, threads: usize, progress: &Progress) -> Result<(), String>;
    /// Reads what is kept of an order.
    fn outcome(&self, site: &Site, job: &str, order: &Order) -> Result<Outcome, String>;
}

/// The [`Subject`] of a game.
#[derive(Debug)]
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// It.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Of<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// An order with its games and bots.
struct Ready<G> {
    game: G,
    other: Option<G>,
    batch: Batch,
}

impl<G: CompleteGame> Ready<G> {
    fn new(order: &Order, threads: usize) -> Result<Self, String> {
        let game = G::with_options(&order.options)?;
        let other = order.other.as_ref().map(G::with_options).transpose()?;
        let seats = order.bots.iter().map(|word| BotKind::parse::<G>(word)).collect::<Result<_, _>>()?;
        let batch = Batch { games: order.games, seed: order.seed, seats, threads };
        sim::check_bots(&game, &batch)?;
        if let Some(other) = &other {
            pairs::check_seats(&game, other)?;
        }
        Ok(Self { game, other, batch })
    }
}

impl<G: CompleteGame> Subject for Of<G> {
    fn option_help(&self) -> &'static [(&'static str, &'static str)] {
        G::option_help()
    }

    fn option_value(&self, key: &str) -> OptionValue {
        option_value::<G>(key)
    }

    fn texts(&self) -> Vec<TextKind> {
        let is_option = |kind: &str| G::option_help().iter().any(|(key, _)| *key == kind);
        let kinds = G::file_kinds().iter().filter(|(kind, _)| is_option(kind));
        kinds.map(|&(key, about)| TextKind { key, about, built_in: G::built_in(key) }).collect()
    }

    fn check_text(&self, kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
        G::check_file(kind, name, text)
    }

    fn seats(&self, options: &Options) -> Result<Vec<SeatInfo>, String> {
        Ok(G::with_options(options)?.seats().to_vec())
    }

    fn bots(&self) -> Vec<(&'static str, &'static str)> {
        BotKind::all::<G>().into_iter().map(|(_, word, about)| (word, about)).collect()
    }

    fn job_id(&self, order: &Order) -> Result<String, String> {
        let Ready { game, other, batch } = Ready::<G>::new(order, 1)?;
        match &other {
            None => Ok(sim::job_id(&game, &batch)),
            Some(other) => Ok(pairs::job_id([&game, other], &batch)),
        }
    }

    fn enlist(&self, site: &Site, order: &Order) -> Result<(), String> {
        let Ready { game, other, batch } = Ready::<G>::new(order, 1)?;
        match &other {
            None => sim::enlist(site, &game, &batch),
            Some(other) => pairs::enlist(site, [&game, other], &batch),
        }
    }

    fn work(&self, site: &Site, order: &Order, threads: usize, progress: &Progress) -> Result<(), String> {
        let Ready { game, other, batch } = Ready::<G>::new(order, threads)?;
        match &other {
            None => sim::play(site, &game, &batch, false, progress).map(drop),
            Some(other) => pairs::play(site, [&game, other], &batch, progress),
        }
    }

    fn outcome(&self, site: &Site, job: &str, order: &Order) -> Result<Outcome, String> {
        let Ready { game, other, batch } = Ready::<G>::new(order, 1)?;
        let Some(other) = &other else {
            let totals = sim::kept(site, job, &game)?;
            return Ok(Outcome::Batch(Box::new(Findings::new(&game, &batch, &totals))));
        };
        let totals = pairs::kept(site, job, [&game, other])?;
        let [first, second] = &totals.each;
        let findings = [Findings::new(&game, &batch, first), Findings::new(other, &batch, second)];
        let comparison = Comparison::new([&game, other], &totals);
        Ok(Outcome::Pair(Box::new(findings), Box::new(comparison)))
    }
}
