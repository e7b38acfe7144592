//! `maproom ladder`: every bot against every other.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use bots::external::{External, Opponent};
use kernel::{MatchDice, Options};
use lab::ladder::{Contender, Ladder, LadderReport, LadderTotals, Spent};

use crate::arguments::LadderOrder;
use crate::output;
use crate::progress::{Stoppable, threads};
use crate::registry::{self, GameEntry};
use crate::work::Place;

/// Runs the command.
pub fn run(order: &LadderOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    if order.games == 0 {
        return Err("--games 0: must be at least 1".to_owned());
    }
    let contenders = contenders(game, order)?;
    let setups = order.setup.each(game)?;
    let ladder =
        Ladder { contenders, games: order.games, seed: order.seed, threads: threads(order.threads)? };
    let mut games = 0_u64;
    for setup in &setups {
        let table = game.open(setup, MatchDice::seeded(0))?;
        games = games.saturating_add(ladder.games_in_all(table.seats().len()));
        // A bot that can't play at all is found before the first game.
        for contender in &ladder.contenders {
            if let Opponent::Program(command) = &contender.who {
                External::try_out(command, &*table).map_err(|why| format!("{}: {why}", contender.name))?;
            }
        }
    }

    let place = Place::open(&order.work, None)?;
    let watched = Stoppable::by_ctrl_c()?;
    watched.progress.total.store(games, Ordering::Relaxed);
    let (parts, spent) = climb(&place, game, &setups, &ladder, &watched)?;
    let report = LadderReport::new(game.id(), &ladder, &parts, order.times.then_some(&spent[..]))?;
    if report.interrupted && !watched.was_interrupted() {
        errln!("the ladder stopped early: {}", why_short(&ladder, &parts));
    }
    if order.json {
        output::json(&report);
    } else {
        out!("{}", report.table());
    }
    Ok(ExitCode::SUCCESS)
}

/// The participants: the bots and programs in the list, or all bots of the game.
fn contenders(game: &GameEntry, order: &LadderOrder) -> Result<Vec<Contender>, String> {
    let listed: Vec<String> = order.bots.iter().flat_map(|list| split_list(list)).collect();
    let all = || game.tools.bots().into_iter().map(|(word, _)| word.to_owned()).collect();
    let texts: Vec<String> = if listed.is_empty() { all() } else { listed };
    let mut contenders: Vec<Contender> = Vec::new();
    for text in texts {
        let who = order.patience.grant(game.tools.opponent(&text)?)?;
        let name = match &who {
            Opponent::Bot(_) => text.clone(),
            Opponent::Program(command) => command.name().to_owned(),
        };
        if contenders.iter().any(|known| known.name == name) {
            return Err(format!(
                "--bots: {name} is in the list twice; give a program a name of its own, such as \
                 \"other=python3 my_bot.py\""
            ));
        }
        contenders.push(Contender { name, who });
    }
    Ok(contenders)
}

/// Splits a list at commas outside quotes. The quotes stay, because they are part of a command line.
fn split_list(list: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let (mut quote, mut escaped) = (None, false);
    for letter in list.chars() {
        match (letter, quote) {
            _ if escaped => escaped = false,
            (',', None) => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            ('\\', None | Some('"')) => escaped = true,
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            _ => {}
        }
        part.push(letter);
    }
    parts.push(part);
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Plays all set-ups, with a progress bar on the terminal and the speed on standard error.
fn climb(
    place: &Place,
    game: &GameEntry,
    setups: &[Options],
    ladder: &Ladder,
    watched: &Stoppable,
) -> Result<(Vec<LadderTotals>, Vec<Spent>), String> {
    // After an early stop the remaining set-ups are visited without playing, so that they appear in the report.
    let (climbed, took) = watched.run("games", |progress| {
        setups
            .iter()
            .map(|options| game.tools.ladder(&place.site, options, ladder, progress))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let mut spent = vec![Spent::default(); ladder.contenders.len()];
    let mut parts = Vec::new();
    let mut before = 0;
    let mut unfinished = None;
    for worked in climbed? {
        let (totals, times) = worked.result;
        before += worked.before;
        if totals.games < totals.asked {
            unfinished.get_or_insert(worked.job);
        }
        spent.iter_mut().zip(&times).for_each(|(sum, time)| sum.add(time));
        parts.push(totals);
    }
    let times = ladder.contenders.iter().zip(&spent).filter_map(|(contender, spent)| {
        spent.microseconds().map(|time| format!("{} {time:.1} µs", contender.name))
    });
    let times: Vec<String> = times.collect();
    errln!(
        "{} games in {:.2} s {}{}{}{}",
        parts.iter().map(|part| part.games).sum::<u64>().saturating_sub(before),
        took.as_secs_f64(),
        place.by(ladder.threads),
        place.found(before),
        if times.is_empty() { "" } else { "; time per choice: " },
        times.join(", ")
    );
    if let Some(job) = unfinished {
        place.say_how_to_go_on(&job);
    }
    Ok((parts, spent))
}

/// Why a ladder stopped early by itself.
fn why_short(ladder: &Ladder, parts: &[LadderTotals]) -> String {
    let broken = |at: usize| parts.iter().any(|part| part.broken[at] > 0);
    let broken = ladder.contenders.iter().enumerate().filter(|(at, _)| broken(*at));
    let names: Vec<&str> = broken.map(|(_, contender)| contender.name.as_str()).collect();
    match names[..] {
        [] => "a game could not be played to its end".to_owned(),
        _ => format!("{} failed too often", names.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_at_commas_outside_quotations() {
        let split = |list: &str| split_list(list);
        assert_eq!(split("greedy, python3 a.py,,"), ["greedy", "python3 a.py"]);
        assert_eq!(split(r#"a,"b, c" --x 1,d"#), ["a", r#""b, c" --x 1"#, "d"]);
        assert_eq!(split(r"./b '1,2' \, 3,e"), [r"./b '1,2' \, 3", "e"]);
        assert_eq!(split(r#"x "it's, \", so",y"#), [r#"x "it's, \", so""#, "y"]);
        assert!(split(" , ").is_empty());
    }
}
