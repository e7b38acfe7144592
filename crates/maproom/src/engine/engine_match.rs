//! The match that the engine holds.

use std::sync::atomic::AtomicBool;

use bots::{BotChoice, BotKind, SeatedBot};
use diagnostics::shown;
use kernel::{LabDice, LogLine, MatchDice, Mover, Seat, Story, Table, Viewer};
use serde_json::{Map, Value, json};

use super::EngineError;
use crate::registry::GameEntry;

/// The fields of an answer.
pub type Fields = Map<String, Value>;

/// A match, and the bots that have played in it.
pub struct EngineMatch {
    /// The game.
    pub game: &'static GameEntry,
    /// The match.
    pub table: Box<dyn Table>,
    /// Whether Fate's draws and forced choices are made automatically.
    auto: bool,
    /// The bots that have played so far, by seat: some remember what they did.
    seated_bots: Vec<(Seat, BotKind, Box<dyn SeatedBot>)>,
}

impl EngineMatch {
    /// A match without any bot yet.
    pub fn new(game: &'static GameEntry, table: Box<dyn Table>, auto: bool) -> Self {
        Self { game, table, auto, seated_bots: Vec::new() }
    }

    /// What a bot would choose now.
    pub fn suggest(&mut self, bot: BotKind, dice: &mut LabDice) -> Option<BotChoice> {
        let Mover::Seat(seat) = self.table.mover() else { return None };
        let known = self.seated_bots.iter().position(|(at, kind, _)| *at == seat && *kind == bot);
        let known = known.unwrap_or_else(|| {
            self.seated_bots.push((seat, bot, self.game.tools.sit(bot)));
            self.seated_bots.len() - 1
        });
        self.seated_bots[known].2.choose(&*self.table, dice, &AtomicBool::new(false))
    }

    /// Plays Fate's draws and forced choices, unless the client wants to ask for each.
    pub fn play_forced(&mut self, story: &mut Story) {
        if self.auto {
            self.table.play_forced(Some(story));
        }
    }

    /// Plays a choice for the seat to move, with a bot's reason if it gave one. The client plays for all seats.
    pub fn play(&mut self, choice: &str, why: &str) -> Result<Fields, EngineError> {
        let mut story = Story::for_viewer(self.mover_view());
        let seat = match self.table.mover() {
            Mover::Seat(seat) => seat,
            _ => Seat(0),
        };
        let step = self.table.steps();
        self.table.play(seat, choice, Some(&mut story))?;
        self.table.remark(step, why);
        Ok(self.after(story))
    }

    /// The answer after a change: the story and the new position.
    pub fn after(&mut self, mut story: Story) -> Fields {
        self.play_forced(&mut story);
        let mut answer = fields([("story", story_json(&story.lines))]);
        answer.extend(self.position());
        answer
    }

    /// The fields that describe the position.
    fn position(&self) -> Fields {
        let prompt = self.table.prompt(self.mover_view());
        fields([
            ("step", json!(self.table.steps())),
            ("turn", json!(self.table.turn())),
            ("digest", json!(self.table.digest().map(|digest| digest.to_string()))),
            ("mover", self.mover_json()),
            ("prompt", json!(prompt.text)),
            ("rule", json!(prompt.rule)),
            ("result", json!(self.table.result().map(|result| result.word))),
        ])
    }

    /// The fields that describe the match and the position.
    pub fn summary(&self) -> Fields {
        let mut answer = fields([
            ("game", json!(self.game.id())),
            ("title", json!(self.game.name())),
            ("rules", json!(self.table.begun_under())),
            ("options", json!(self.table.options())),
            ("seats", json!(self.table.seats().iter().map(|seat| seat.word).collect::<Vec<_>>())),
        ]);
        match self.table.dice() {
            MatchDice::Own => answer.insert("dice".to_owned(), json!({ "kind": "own" })),
            MatchDice::Fair { commitment, .. } => answer
                .insert("dice".to_owned(), json!({ "kind": "fair", "commitment": commitment.to_string() })),
        };
        answer.insert("takebacks".to_owned(), json!(self.table.takebacks()));
        answer.extend(self.position());
        answer
    }

    /// Whose turn it is.
    pub fn mover_json(&self) -> Value {
        match self.table.mover() {
            Mover::Seat(seat) => json!(self.table.seats()[seat.index()].word),
            Mover::Fate => json!("fate"),
            Mover::Nobody => Value::Null,
        }
    }

    /// The viewer whose turn it is; a spectator when no seat is to move.
    pub fn mover_view(&self) -> Viewer {
        match self.table.mover() {
            Mover::Seat(seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    /// The seat with this name, or an error that lists the seats.
    pub fn seat(&self, word: &str) -> Result<Seat, EngineError> {
        let seats = self.table.seats();
        let at = seats.iter().position(|seat| seat.word == word);
        at.map(|at| Seat(at as u8)).ok_or_else(|| {
            let words: Vec<&str> = seats.iter().map(|seat| seat.word).collect();
            EngineError::request(format!(
                "unknown seat {:?}; the seats are: {}",
                shown(word),
                words.join(", ")
            ))
        })
    }

    /// The viewer with this name; by default the seat to move.
    pub fn viewer(&self, word: Option<&str>) -> Result<Viewer, EngineError> {
        match word {
            None => Ok(self.mover_view()),
            Some("spectator") => Ok(Viewer::Spectator),
            Some(word) => self.seat(word).map(Viewer::Seat),
        }
    }
}

/// Lines of the story as data.
pub fn story_json(story: &[LogLine]) -> Value {
    story.iter().map(|line| json!({ "text": line.text, "rule": line.rule })).collect()
}

/// Fields in their order.
pub fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Fields {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
