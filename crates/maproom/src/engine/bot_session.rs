//! The engine as an external program: it answers the requests that Maproom sends to any program in a seat.
//!
//! The built-in bots need the whole match, not just a view as JSON. So the engine asks for a save with every question, which
//! is only sent in games without hidden information.

use std::sync::atomic::AtomicBool;

use bots::SeatedBot;
use bots::external::PROTOCOL;
use diagnostics::shown;
use kernel::{LabDice, MatchDice, MatchError, Mover, Options, SecretPolicy, Table};
use serde_json::json;
use web::Opened;

use super::EngineError;
use super::commands::{file, set_up};
use super::engine_match::{Fields, fields};
use super::request::Request;
use crate::registry::{self, GameEntry};

/// The shortest valid hello.
const HELLO: &str = "{\"cmd\":\"hello\",\"game\":\"echoes\",\"seat\":\"allies\"}";

/// A seat in a match that another program runs.
pub struct BotSession {
    game: &'static GameEntry,
    seat: String,
    seated_bot: Box<dyn SeatedBot>,
    seed: u64,
}

impl BotSession {
    /// Answers `hello`: checks that it can play in this match.
    pub fn hello(bot: &str, request: &mut Request) -> Result<(Self, Fields), EngineError> {
        let protocol = request.number("protocol")?;
        let game = request.required("game", HELLO)?;
        let options: Options = request.options("options")?.into_iter().collect();
        let rules = request.text("rules")?;
        let seat = request.required("seat", HELLO)?;
        let seed = request.number("seed")?.unwrap_or(0);
        request.pass_over(&["title", "seats", "hides", "time"]);
        request.finish()?;
        if protocol.is_some_and(|protocol| protocol != PROTOCOL) {
            let spoken = protocol.unwrap_or_default();
            return Err(EngineError::request(format!(
                "you speak protocol {spoken}, but this engine speaks protocol {PROTOCOL}; docs/protocol.md lists what changed"
            )));
        }
        let game = registry::game(&game).map_err(set_up)?;
        let kind = game.tools.bot(bot).map_err(set_up)?;
        let table = game.open(&options, MatchDice::seeded(0)).map_err(set_up)?;
        kind.check_seats(table.seats().len()).map_err(|why| set_up(why.to_string()))?;
        check(&*table, rules.as_deref(), &seat)?;
        let answer = fields([("name", json!(format!("maproom {bot}"))), ("wants", json!(["save"]))]);
        Ok((Self { game, seat, seated_bot: game.tools.sit(kind), seed }, answer))
    }

    /// What it is about, to see whether an error has left it as it was.
    #[cfg(test)]
    pub(super) fn describe(&self) -> String {
        format!("{} in {} with {}", self.seat, self.game.id(), self.seed)
    }

    /// Answers `choose` by loading the save.
    pub fn choose(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let seat = request.text("seat")?;
        let save = request
            .required("save", "{\"cmd\":\"choose\",\"save\":\"maproom match 1\\ngame: echoes\\n…\"}")?;
        request.pass_over(&["step", "turn", "prompt", "rule", "view", "choices", "labels", "log", "time"]);
        request.finish()?;
        let game = registry::of_save("save", &save).map_err(file)?;
        if game.id() != self.game.id() {
            let message = format!("the save is of {}, but hello said {}", game.id(), self.game.id());
            return Err(file(message));
        }
        let Opened { table, .. } = game.load("save", &save).map_err(|problems| file(problems.to_string()))?;
        let mover = match table.mover() {
            Mover::Seat(seat) => table.seats()[seat.index()].word,
            Mover::Fate => return Err(MatchError::FateToMove.into()),
            Mover::Nobody => return Err(MatchError::Over.into()),
        };
        if mover != self.seat || seat.is_some_and(|seat| seat != self.seat) {
            return Err(MatchError::NotYours.into());
        }
        // Each question has its own dice, from the seed and the step.
        let mut dice = LabDice::for_game(self.seed, table.steps() as u64);
        let said = self.seated_bot.choose(&*table, &mut dice, &AtomicBool::new(false));
        let said = said.ok_or_else(|| EngineError::request("the bot made no choice"))?;
        let mut answer = fields([("choice", json!(said.choice))]);
        if !said.why.is_empty() {
            answer.insert("why".to_owned(), json!(said.why));
        }
        Ok(answer)
    }

    /// Answers `over`.
    pub fn over(&self, request: &mut Request) -> Result<(), EngineError> {
        request.pass_over(&["result", "title", "standing"]);
        request.finish()
    }
}

/// Whether the engine can play at this table.
fn check(table: &dyn Table, rules: Option<&str>, seat: &str) -> Result<(), EngineError> {
    let own = table.rules_version();
    if rules.is_some_and(|rules| rules != own) {
        return Err(set_up(format!("this engine knows version {own} of the rules of {}", table.game_id())));
    }
    let seats: Vec<&str> = table.seats().iter().map(|seat| seat.word).collect();
    if !seats.contains(&seat) {
        return Err(set_up(format!("unknown seat {:?}; the seats are: {}", shown(seat), seats.join(", "))));
    }
    if let Err(why @ MatchError::Hidden) = table.save(SecretPolicy::Withhold) {
        let message = format!(
            "{} has hidden information in this set-up, and the engine needs the whole match to choose",
            table.game_id()
        );
        return Err(EngineError { code: why.code(), ..set_up(message) });
    }
    Ok(())
}
