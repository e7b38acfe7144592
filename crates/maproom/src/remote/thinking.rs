//! Bots that think on workers: what the table's server asks, and what a worker answers.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use bots::BotChoice;
use bots::search::Resources;
use kernel::{LabDice, Table, assemble};
use lab::Build;
use relay::{Asked, Askers, Choice, NoChoice, Question, Target, Waits};
use web::{Answering, BotQuestion, Thinkers};

use crate::registry;

/// How many matches a worker keeps, so that it needs to hear only what has happened since it was last asked about one.
const KEPT: usize = 64;

/// Workers that think for the bots of a server.
struct Workers {
    askers: Askers,
    build: String,
}

/// Others that think, at a server of NATS.
pub fn thinkers(nats: &Target) -> Result<Arc<dyn Thinkers>, String> {
    let build = Build::of_this_program(env!("CARGO_PKG_VERSION"))?.build;
    Ok(Arc::new(Workers { askers: Askers::start(nats, Waits::default())?, build }))
}

impl Thinkers for Workers {
    fn think(&self, question: BotQuestion) -> Answering {
        let BotQuestion { match_id, table, bot, seed, stop, patience } = question;
        let patience = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        let (game, build) = (table.game_id().to_owned(), self.build.clone());
        // A match says in full what its players hide from each other.
        let hides = table.hides();
        let about =
            Question { about: match_id, game, build, bot, seed, patience, hides, ..Question::default() };
        let asked = Asked {
            question: about,
            steps: table.steps(),
            head: table.head_without_secret(),
            lines: Box::new(move |from| {
                let mut lines = String::new();
                table.write_log(from, &mut lines);
                lines
            }),
            stop,
        };
        let answer = self.askers.ask(asked);
        Box::pin(async move {
            let Choice { choice, why } = answer.await?;
            Some(BotChoice { choice, why })
        })
    }
}

/// The matches that a worker was asked about last.
#[derive(Default)]
pub struct Known(Mutex<VecDeque<(String, Box<dyn Table>)>>);

impl Known {
    /// Lets a bot choose, as a worker, on so many threads.
    pub fn think(&self, question: &Question, threads: usize, stop: &AtomicBool) -> Result<Choice, NoChoice> {
        let table = self.table(question)?;
        let title = &registry::game(&question.game).map_err(NoChoice::Failed)?.title;
        let bot = title.sit_with(&question.bot, Resources { threads, ..Resources::all() });
        let mut bot = bot.map_err(NoChoice::Failed)?;
        let chosen = bot.choose(&*table, &mut LabDice::new(question.seed), stop);
        let chosen = chosen.ok_or_else(|| NoChoice::Failed(format!("{} chose nothing", question.bot)))?;
        self.keep(&question.about, table);
        let BotChoice { choice, why } = chosen;
        Ok(Choice { choice, why })
    }

    /// The table of a question, as far as the match has come.
    fn table(&self, question: &Question) -> Result<Box<dyn Table>, NoChoice> {
        let mut table = match question.head.is_empty() {
            true => self.take(&question.about, question.from).ok_or(NoChoice::Unknown)?,
            false => {
                let begun = assemble(&question.head, 0, 0, "", None);
                let game = registry::game(&question.game).map_err(NoChoice::Failed)?;
                let opened = game.load("a match of a question", &begun);
                opened.map_err(|why| NoChoice::Failed(why.to_string()))?.table
            }
        };
        match table.follow(&question.lines, None) {
            Ok(()) => Ok(table),
            // What is known here is of no use: it has to be told in whole.
            Err(_) if question.head.is_empty() => Err(NoChoice::Unknown),
            Err(why) => Err(NoChoice::Failed(why)),
        }
    }

    fn take(&self, about: &str, steps: usize) -> Option<Box<dyn Table>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(known, _)| known == about)?;
        all.remove(at).map(|(_, table)| table).filter(|table| table.steps() == steps)
    }

    fn keep(&self, about: &str, table: Box<dyn Table>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(known, _)| known != about);
        if all.len() >= KEPT {
            all.pop_front();
        }
        all.push_back((about.to_owned(), table));
    }
}

#[cfg(test)]
mod tests {
    use kernel::{MatchDice, Mover, Names, Options};

    use super::*;

    fn question(table: &dyn Table, from: usize, head: String) -> Question {
        let mut lines = String::new();
        table.write_log(from, &mut lines);
        let (about, game, bot) = ("m".to_owned(), table.game_id().to_owned(), "search:40".to_owned());
        Question { about, game, bot, seed: 5, from, head, lines, ..Question::default() }
    }

    /// The choice of a bot that has just sat down.
    fn at_home(table: &dyn Table) -> String {
        let title = &registry::game(table.game_id()).expect("a game").title;
        let mut bot = title.sit("search:40").expect("a bot");
        let said = bot.choose(table, &mut LabDice::new(5), &AtomicBool::new(false));
        said.expect("a choice").choice
    }

    #[test]
    fn a_worker_chooses_what_the_bot_would_choose_at_home_and_needs_to_hear_only_the_news() {
        for game in ["echoes", "blitz", "dday", "triumph"] {
            let entry = registry::game(game).expect("a game");
            let mut table = entry.open(&Options::new(), MatchDice::seeded(3)).expect("a table");
            table.play_forced(None);
            let (known, never) = (Known::default(), AtomicBool::new(false));
            let head = table.head_without_secret();
            assert!(!head.contains("\nsecret:") && !head.contains("\nseed:"), "{head}");
            let mut from = 0;
            for choice in 0..4 {
                let head = if choice == 0 { head.clone() } else { String::new() };
                let said = known.think(&question(&*table, from, head), 1, &never).expect("a choice");
                assert_eq!(said.choice, at_home(&*table), "{game}, choice {choice}");
                from = table.steps();
                let Mover::Seat(seat) = table.mover() else { panic!("somebody chooses") };
                table.play(seat, &said.choice, None).expect("it is possible");
                table.play_forced(None);
                if matches!(table.mover(), Mover::Nobody) {
                    break;
                }
            }
        }
    }

    #[test]
    fn what_a_worker_does_not_know_it_asks_for() {
        let entry = registry::game("echoes").expect("a game");
        let mut table = entry.open(&Options::new(), MatchDice::seeded(3)).expect("a table");
        table.play_forced(None);
        let (known, never) = (Known::default(), AtomicBool::new(false));
        let ask = |table: &dyn Table, from, head| known.think(&question(table, from, head), 1, &never);
        assert_eq!(ask(&*table, 1, String::new()), Err(NoChoice::Unknown), "it has never heard of it");
        let first = ask(&*table, 0, table.head_without_secret()).expect("a choice");
        let (before, mut other) = (table.steps(), table.fork(table.steps()));
        let Mover::Seat(seat) = table.mover() else { panic!("somebody chooses") };
        table.play(seat, &first.choice, None).expect("it is possible");
        table.play_forced(None);
        ask(&*table, before, String::new()).expect("a choice");
        // After an undo the match has gone on elsewhere.
        let mut names = Names::default();
        other.offer_names(&mut names);
        let another = names.iter().find(|name| *name != first.choice).expect("another choice").to_owned();
        other.play(seat, &another, None).expect("it is possible");
        other.play_forced(None);
        assert_eq!(ask(&*other, before, String::new()), Err(NoChoice::Unknown));
        assert!(ask(&*other, 0, other.head_without_secret()).is_ok());
        let broken = Question {
            lines: "1 nobody nothing 00".to_owned(),
            ..question(&*other, 0, other.head_without_secret())
        };
        assert!(matches!(known.think(&broken, 1, &never), Err(NoChoice::Failed(_))));
    }
}
