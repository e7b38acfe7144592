//! `maproom play`: a game in plain text.

mod pieces;
mod session;

use std::io::{BufRead, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kernel::{LoadError, MatchDice, Secret, Shares};
use web::Opened;

use crate::arguments::PlayOrder;
use crate::files::{last_match, new_match, read_text, write_text};
use crate::registry;
use session::{Session, Step};

/// A line longer than this is not a choice.
const MAX_LINE: u64 = 4_096;

/// Runs the command.
pub fn run(order: &PlayOrder) -> Result<ExitCode, String> {
    let game = registry::game(&order.game)?;
    let opponent = order.patience.grant(game.tools.opponent(&order.bot)?)?;
    let (opened, keep) = match &order.resume {
        Some(file) => resume(order, file.as_deref())?,
        None => {
            let options = order.setup.options(game)?;
            let table = game.open(&options, dice(order)?)?;
            (Opened { table, notes: Vec::new(), uncompared: 0 }, new_file(order)?)
        }
    };
    let mut session = Session::new(game, opened, order.seat.as_deref(), &opponent)?;
    let mut keeper = Keeper { file: keep, warned: false };
    out!("{}", session.greeting());
    let mut input = std::io::stdin().lock();
    loop {
        match session.next() {
            Step::Say(text) => out!("{text}"),
            Step::Ask(text) => {
                out!("{text}");
                let _ = std::io::stdout().flush();
                let Some(line) = read_line(&mut input) else {
                    outln!();
                    keeper.keep(&session);
                    outln!("{}", keeper.farewell(order));
                    return Ok(ExitCode::SUCCESS);
                };
                if !std::io::stdin().is_terminal() {
                    outln!("{line}");
                }
                let said = session.enter(&line);
                keeper.keep(&session);
                out!("{said}");
            }
            Step::Quit => {
                keeper.keep(&session);
                outln!("{}", keeper.farewell(order));
                return Ok(ExitCode::SUCCESS);
            }
            Step::Over(text) => {
                out!("{text}");
                keeper.keep(&session);
                if let Some(file) = &keeper.file {
                    outln!(
                        "The match is saved in {0}\n`maproom verify {0}` checks its dice.",
                        file.display()
                    );
                }
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
}

/// A line of at most [`MAX_LINE`] bytes; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut limited = std::io::Read::take(&mut *input, MAX_LINE);
    match limited.read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return None,
        Ok(_) => {}
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == MAX_LINE {
        // The rest of a too long line is skipped.
        loop {
            let (found, used) = match input.fill_buf() {
                Ok([]) | Err(_) => break,
                Ok(buffer) => match buffer.iter().position(|byte| *byte == b'\n') {
                    Some(at) => (true, at + 1),
                    None => (false, buffer.len()),
                },
            };
            input.consume(used);
            if found {
                break;
            }
        }
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

fn dice(order: &PlayOrder) -> Result<MatchDice, String> {
    match order.seed {
        _ if order.own_dice => Ok(MatchDice::Own),
        Some(seed) => Ok(MatchDice::seeded(seed)),
        None => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret)
                .map_err(|why| format!("no random numbers on this machine: {why}"))?;
            Ok(MatchDice::fair(Secret(secret)))
        }
    }
}

/// The saved match that `--resume` names, and the file where it is saved from now on.
fn resume(order: &PlayOrder, file: Option<&Path>) -> Result<(Opened, Option<PathBuf>), String> {
    let game = registry::game(&order.game)?;
    let file = match file {
        Some(file) => file.to_owned(),
        None => {
            let kept = order.save.clone().or_else(|| last_match(game.id()));
            kept.filter(|file| file.exists()).ok_or_else(|| "there is no match to resume".to_owned())?
        }
    };
    let text = read_text(&file)?;
    let name = file.display().to_string();
    let (mut opened, keep) = match game.load(&name, &text) {
        Ok(opened) => (opened, Some(order.save.clone().unwrap_or_else(|| file.clone()))),
        Err(LoadError::Parted(_)) if order.common => {
            let opened = game.load_common(&name, &text).map_err(|error| error.to_string())?;
            (opened, new_file(order)?)
        }
        Err(error) => {
            let rescue = error.parting().filter(|parting| parting.common > 0).map(|parting| {
                format!(
                    "\n`--common` continues from step {} as a new match; {name} is not changed",
                    parting.common
                )
            });
            return Err(format!("{error}{}", rescue.unwrap_or_default()));
        }
    };
    // The others who were to put a number into its dice are not here.
    if opened.table.dice().are_awaited() {
        opened.table.share_dice(Shares::default());
    }
    let without_secret = matches!(opened.table.dice(), MatchDice::Fair { secret: None, .. });
    if without_secret && opened.table.result().is_none() {
        return Err(format!(
            "{} is a published record without the secret of its dice: it can be verified but not continued",
            file.display()
        ));
    }
    Ok((opened, keep))
}

/// The file for a new match. An existing file is never overwritten.
fn new_file(order: &PlayOrder) -> Result<Option<PathBuf>, String> {
    if let Some(file) = &order.save {
        if file.exists() {
            return Err(format!(
                "{0} already exists: `--resume {0}` continues that match; for a new match choose another file",
                file.display()
            ));
        }
        return Ok(Some(file.clone()));
    }
    let unfinished = |file: &PathBuf| read_text(file).is_ok_and(|text| !text.contains("\nresult: "));
    if let Some(file) = last_match(&order.game).filter(unfinished) {
        outln!(
            "The last match is not finished: `maproom play {} --resume` continues it ({}).\n",
            order.game,
            file.display()
        );
    }
    Ok(new_match(&order.game))
}

/// Saves the match after every choice.
struct Keeper {
    file: Option<PathBuf>,
    warned: bool,
}

impl Keeper {
    fn keep(&mut self, session: &Session) {
        let Some(file) = &self.file else { return };
        if let Err(why) = session.save().and_then(|text| write_text(file, &text))
            && !self.warned
        {
            self.warned = true;
            outln!("Warning: {why}. The match is not being saved; `s FILE` saves it elsewhere.");
        }
    }

    fn farewell(&self, order: &PlayOrder) -> String {
        match &self.file {
            Some(file) if !self.warned => format!(
                "Saved in {0}\n`maproom play {1} --resume {0}` continues the match.",
                file.display(),
                order.game
            ),
            _ => "Goodbye.".to_owned(),
        }
    }
}
