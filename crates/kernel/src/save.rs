//! The save file: a match as readable text.
//!
//! ```text
//! maproom match 1
//! game: echoes
//! rules: 1
//! digest: 2
//! option edition: allied
//! option spread: 1
//! dice: fair
//! commitment: 5c0e…
//! secret: 91ab…
//! takebacks: 0
//! steps: 3
//!
//! # Turn 1, 1940
//!    1  fate    die 3        5b1c09aa
//!    2  fate    die 1        0c6d2f11
//!    3  allies  attack WF    93ac77e0
//! result: draw
//! ```
//!
//! A value of several lines (a custom book), or with blanks at an end of its line, follows `option book:` as lines that begin
//! with `|`. Lines end in `\n`: a `\r` before that is neither written nor read, so a save means the same after a program has
//! changed its line ends.
//! `share allies: COMMITMENT NUMBER` says what a player put into the dice: `awaited` or a commitment alone while the dice wait
//! for it, and `left-out` where they were begun without it.
//! `inherited: 12` stands in a fork of a match that hid something: the first 12 draws were made with another secret.
//! `digest` says how the digests after the choices are made; without it they are of [format 1](DigestFormat::V1).
//! A forced choice has a `*` after the seat. Lines that begin with `#` are comments. A comment `# why: …` after a choice
//! is its remark; a reader that does not know remarks skips it.

mod following;
mod parting;
mod reader;

use std::fmt::Write as _;

use crate::dice::{Dice, FairDice};
use crate::digest::{DigestFormat, StateDigest};
use crate::event::Discard;
use crate::game::Options;
use crate::matches::{Match, MatchDice};
use crate::seat::Actor;
use crate::wording::Wording;
use diagnostics::Problems;

pub use parting::{LoadError, Parting};
use reader::{read, read_common};

/// The first line of every save.
const MAGIC: &str = "maproom match 1";
/// The start of a line with a remark about the choice before it.
pub const REMARK: &str = "# why: ";
/// The largest save that is read.
pub const MAX_SAVE_BYTES: usize = 16 << 20;

/// Whether a save may show the secret of dice that are still to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretPolicy {
    /// For the owner of the match: it can be continued from the save.
    Keep,
    /// For publication: the secret is left out until the game is over.
    Withhold,
}

/// A match that was read from a save, and what a person should know about it.
#[derive(Clone, Debug)]
pub struct Loaded<G: Wording> {
    /// The match.
    pub game_match: Match<G>,
    /// Notes, such as "started under rules 1; all 93 choices lead to the same states under rules 2".
    pub notes: Vec<String>,
    /// Of how many steps, from the first, the digests could not be compared. Only a save of [format 1](DigestFormat::V1)
    /// can have such steps: the program that wrote it was compiled differently.
    pub uncompared: usize,
}

/// What `verify` found out about the dice of a save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiceProof {
    /// Every draw is the one that the committed secret gives, except for those that a fork has
    /// [inherited](Match::inherited_draws).
    Proven {
        /// How many draws were proven.
        draws: u64,
        /// How many a fork has inherited: the secret says nothing about them.
        inherited: u64,
    },
    /// A person rolled the dice, so nothing can be proven.
    OwnDice,
    /// The match is not over, so its secret is not published yet.
    NotYet,
}

/// A step in the words of a save.
struct Written {
    who: String,
    name: String,
    digest: StateDigest,
}

impl<G: Wording> Match<G> {
    /// Writes the match as text.
    pub fn save(&self, policy: SecretPolicy) -> String {
        let mut log = String::new();
        self.write_log(0, &mut log);
        let mut head = self.head(policy);
        if self.dice().are_awaited() {
            self.write_shares(&mut head);
        }
        assemble(&head, self.takebacks(), self.log().len(), &log, self.result_word())
    }

    fn write_shares(&self, out: &mut String) {
        let seats = self.game().seats();
        self.dice().shares().write(|seat| seats.get(seat.index()).map_or("", |info| info.word), out);
    }

    /// The first part of a save: game, rules, options and dice, which never change during a match (except that a
    /// withheld secret is shown at the end).
    pub fn head(&self, policy: SecretPolicy) -> String {
        let mut out = String::new();
        self.write_set_up(&mut out);
        if let MatchDice::Fair { secret, seed, shares, .. } = self.dice() {
            let shown = policy == SecretPolicy::Keep || self.game().outcome(self.state()).is_some();
            if let Some(secret) = secret.as_ref().filter(|_| shown) {
                let _ = writeln!(out, "secret: {}", secret.reveal());
                if let Some(seed) = seed {
                    let _ = writeln!(out, "seed: {seed}");
                }
            }
            // Shares that are still awaited will change: they are not part of what never changes.
            if !shares.is_open() {
                self.write_shares(&mut out);
            }
            if self.inherited_draws() > 0 {
                let _ = writeln!(out, "inherited: {}", self.inherited_draws());
            }
        }
        out
    }

    /// Game, rules, options, and what everybody knows of the dice.
    fn write_set_up(&self, out: &mut String) {
        let _ = writeln!(out, "{MAGIC}\ngame: {}\nrules: {}", G::ID, self.begun_under());
        if self.digest_format() != DigestFormat::V1 {
            let _ = writeln!(out, "digest: {}", self.digest_format().number());
        }
        // What the rules that the match began under did not know of goes without saying.
        let unsaid = G::options_under(self.begun_under());
        let options = self.game().options().into_iter();
        for (key, value) in options.filter(|(key, value)| unsaid.get(key) != Some(value)) {
            write_option(&key, &value, out);
        }
        match self.dice() {
            MatchDice::Own => out.push_str("dice: own\n"),
            MatchDice::Fair { commitment, .. } => {
                let _ = writeln!(out, "dice: fair\ncommitment: {commitment}");
            }
        }
    }

    /// The match as a save for whoever only looks at what was played, as short as can be: without the secret of its dice and what
    /// players have put into them, also when the game is over, without undos and remarks. The same choices in the same match are
    /// always written in the same way.
    pub fn transcript(&self) -> String {
        let (mut head, mut log) = (String::new(), String::new());
        self.write_set_up(&mut head);
        self.each_step(0, |at, _, _, line| {
            let _ = writeln!(log, "{} {} {} {}", at + 1, line.who, line.name, line.digest);
        });
        assemble(&head, 0, self.log().len(), &log, self.result_word())
    }

    /// The word for how the game ended, if it has.
    fn result_word(&self) -> Option<&str> {
        let game = self.game();
        game.outcome(self.state()).map(|outcome| game.results()[usize::from(outcome.0)].word)
    }

    /// Writes the choices from step `from` (counted from 0) on, a line each, with a comment where a turn begins and one for
    /// each remark.
    pub fn write_log(&self, from: usize, out: &mut String) {
        let game = self.game();
        let mut turn = from.checked_sub(1).map(|before| game.turn(&self.state_at(before)));
        self.each_step(from, |at, now, remark, line| {
            if turn != Some(now) {
                turn = Some(now);
                let _ = writeln!(out, "# {}", game.turn_title(now));
            }
            let _ = writeln!(out, "{:>5}  {:<8} {:<20} {}", at + 1, line.who, line.name, line.digest);
            if let Some(why) = remark {
                let _ = writeln!(out, "{REMARK}{why}");
            }
        });
    }

    /// Shows the steps from one on, each with its number (from 0), its turn and its remark.
    fn each_step(&self, from: usize, mut show: impl FnMut(usize, u16, Option<&str>, &Written)) {
        let game = self.game();
        let mut line = Written { who: String::new(), name: String::new(), digest: StateDigest(0) };
        let mut state = self.state_at(from);
        for (at, step) in (from..).zip(self.log().from(from)) {
            let turn = game.turn(&state);
            line.name.clear();
            game.write_name(&state, step.choice, &mut line.name);
            line.who.clear();
            line.who.push_str(match step.actor {
                Actor::Fate => "fate",
                Actor::Seat(seat) => game.seats()[seat.index()].word,
            });
            if step.forced {
                line.who.push('*');
            }
            game.apply(&mut state, step.choice, &mut Discard);
            line.digest = self.digest_of(&state);
            show(at, turn, self.remark_at(at), &line);
        }
    }

    /// Reads a save and replays it, under the rules that it was started under if the game still has them
    /// ([`Game::options_under`](crate::Game::options_under)). Every error names its line; on an error nothing is returned.
    pub fn load(name: &str, text: &str) -> Result<Loaded<G>, LoadError> {
        Self::load_with(name, text, G::with_options)
    }

    /// Like [`load`](Self::load), with set-ups from `make`, so that a server with a thousand matches can share them.
    pub fn load_with(
        name: &str,
        text: &str,
        make: impl FnOnce(&Options) -> Result<G, String>,
    ) -> Result<Loaded<G>, LoadError> {
        read(name, text, make).map(|(loaded, _)| loaded)
    }

    /// Reads as much of a save as the current rules can replay, as a match under the current rules. A save that
    /// [differs](LoadError::Parted) from them ends at the last step that is the same; any other is complete.
    pub fn load_common(
        name: &str,
        text: &str,
        make: impl Fn(&Options) -> Result<G, String>,
    ) -> Result<Loaded<G>, LoadError> {
        match read(name, text, &make) {
            Ok((loaded, _)) => Ok(loaded),
            Err(LoadError::Parted(parting)) => read_common(name, text, make, &parting),
            Err(unreadable) => Err(unreadable),
        }
    }

    /// Reads a save, replays it, and checks every draw against the committed secret.
    pub fn verify(name: &str, text: &str) -> Result<(Loaded<G>, DiceProof), LoadError> {
        let (loaded, places) = read(name, text, G::with_options)?;
        let game_match = &loaded.game_match;
        let game = game_match.game();
        if *game_match.dice() == MatchDice::Own {
            return Ok((loaded, DiceProof::OwnDice));
        }
        let mut problems = Problems::new(name, text);
        // A log with draws whose shares are awaited was refused when it was read.
        if game_match.dice().are_awaited() {
            return Ok((loaded, DiceProof::NotYet));
        }
        let Some(key) = game_match.dice().key() else {
            if game.outcome(game_match.state()).is_none() {
                return Ok((loaded, DiceProof::NotYet));
            }
            problems
                .error(places.commitment, "the game is over, but the secret of its dice is missing")
                .expected("a line `secret: …`, without which no die can be proven");
            return Err(LoadError::Unreadable(problems));
        };
        let (source, s) = match game_match.dice().shares().is_empty() {
            true => ("secret", "s"),
            false => ("secret and the numbers of the players", ""),
        };
        let (mut draws, inherited) = (0, game_match.inherited_draws());
        game_match.replay(0, &mut Discard, |at, state, step, _| {
            if step.actor != Actor::Fate {
                return;
            }
            if draws < inherited {
                draws += 1;
                return;
            }
            let ticket = FairDice::new(&key, draws).below(game.tickets(state));
            let due = game.drawn(state, ticket);
            if due != step.choice {
                let mut expected = String::new();
                game.write_name(state, due, &mut expected);
                problems.set_place(format!("step {}, {}", at + 1, game.turn_title(game.turn(state))));
                problems
                    .error(
                        places.choices[at].clone(),
                        format!("draw {} is not what the committed {source} give{s}", draws + 1),
                    )
                    .expected(format!("{expected:?}"))
                    .hint(format!("purpose of the draw: {}", game.prompt(state).text));
            }
            draws += 1;
        });
        if problems.has_errors() {
            return Err(LoadError::Unreadable(problems));
        }
        if inherited > draws {
            problems
                .error(
                    places.inherited,
                    format!("{inherited} draws are said to be inherited, but there are only {draws}"),
                )
                .expected("at most as many as the match has draws before the fork");
            return Err(LoadError::Unreadable(problems));
        }
        Ok((loaded, DiceProof::Proven { draws: draws - inherited, inherited }))
    }
}

/// Writes an option so that every character of it comes back, except what belongs to the end of a line.
fn write_option(key: &str, value: &str, out: &mut String) {
    let lines: Vec<&str> = value.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    if let [line] = lines[..]
        && line.trim() == line
    {
        let _ = writeln!(out, "option {key}: {line}");
        return;
    }
    let _ = writeln!(out, "option {key}:");
    for line in lines {
        let _ = writeln!(out, "|{line}");
    }
}

/// Puts a save together from what [`Match::head`] and [`Match::write_log`] wrote, and the figures of the whole match. This is
/// how a store that keeps a match step by step makes the file.
pub fn assemble(head: &str, takebacks: u32, steps: usize, log: &str, result: Option<&str>) -> String {
    let mut out = String::with_capacity(head.len() + log.len() + 64);
    let _ = writeln!(out, "{head}takebacks: {takebacks}\nsteps: {steps}\n");
    out.push_str(log);
    if let Some(result) = result {
        let _ = writeln!(out, "result: {result}");
    }
    out
}

/// The value of `game:` in a save, to choose the game that loads it.
pub fn game_of_save(text: &str) -> Option<&str> {
    header(text, "game:")
}

/// The version of the rules that a save was started under.
pub fn rules_of_save(text: &str) -> Option<&str> {
    header(text, "rules:")
}

/// The value of one of the first headers of a save.
fn header<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut lines = text.lines();
    if lines.next()?.trim_end() != MAGIC {
        return None;
    }
    lines.take(50).find_map(|line| line.strip_prefix(key)).map(str::trim)
}
