//! External programs that play a seat through the engine protocol.
//!
//! Maproom writes a line of JSON to the program's standard input and reads a line from its standard output; docs/protocol.md
//! shows every message. The program only gets what its seat may know. It is never trusted: an answer must come in time, be
//! short enough and name a legal choice. If it is not, the log says what was wrong and what was expected (target `program`),
//! and the program may try once more before it loses the seat.

mod command;
mod process;
mod report;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use diagnostics::shown;
use kernel::{Actor, Dice as _, LabDice, LogEntry, Mover, Seat, SecretPolicy, Standing, Table, Viewer};
use serde_json::{Map, Value, json};

use crate::{BotChoice, SeatedBot};
use process::{Process, ReadError};
use report::complain;

pub use command::{Command, Opponent};

/// The version of the engine protocol that Maproom speaks.
pub const PROTOCOL: u64 = 2;
/// Words of protocol 1 and what protocol 2 calls them.
pub const RENAMED: [(&str, &str); 2] = [("sight", "view"), ("usual", "default")];
/// What a program may ask for with every question.
pub const WANTS: [&str; 5] = ["labels", "log", "save", "features", "actions"];

/// How long a program may take to exit after the game.
const FAREWELL: Duration = Duration::from_secs(1);
/// The longest name that a program may give itself.
const MAX_NAME: usize = 40;

/// A program in a seat, for the length of a match.
pub struct External {
    command: Command,
    connection: Connection,
    /// Whether it has already been restarted after a crash.
    restarted: bool,
}

enum Connection {
    /// It starts with its first request.
    NotStarted,
    Open(Conversation),
    /// It is not asked any more, for this reason.
    Lost(String),
}

/// A program that has answered `hello`.
struct Conversation {
    process: Process,
    /// Whether the match hides something.
    hides: bool,
    seat: Seat,
    /// What it calls itself.
    name: String,
    /// Which of [`WANTS`] it asked for.
    wants: Vec<String>,
    /// The steps that it has been sent, and their lines in a save.
    sent: (usize, String),
    /// Answers still to come to questions that were abandoned; they arrive before the next one.
    owed: usize,
}

/// Why there is no answer to a question.
enum NoAnswer {
    /// The program exited; a restart may help.
    Ended(String),
    /// The program can't be used any more.
    Final(String),
    /// The caller asked to stop waiting.
    Stopped,
}

impl NoAnswer {
    fn why(self) -> String {
        match self {
            Self::Ended(why) | Self::Final(why) => why,
            Self::Stopped => "it was stopped before it answered".to_owned(),
        }
    }
}

impl External {
    /// A player for this command. The program starts with the first [`External::greet`] or the first question.
    pub fn new(command: Command) -> Self {
        Self { command, connection: Connection::NotStarted, restarted: false }
    }

    /// Starts the program, says hello with the match and the seat, and returns its name. A program that rolls its own dice
    /// can use the seed to be repeatable.
    pub fn greet(
        &mut self,
        table: &dyn Table,
        seat: Seat,
        seed: u32,
        stop: &AtomicBool,
    ) -> Result<String, String> {
        match Conversation::begin(&self.command, table, seat, seed, stop) {
            Ok(conversation) => {
                let name = conversation.name.clone();
                self.connection = Connection::Open(conversation);
                Ok(name)
            }
            Err(failure) => {
                let why = failure.why();
                self.connection = Connection::Lost(why.clone());
                Err(why)
            }
        }
    }

    /// Starts the program once to see whether it plays at such a table, and returns its name.
    pub fn try_out(command: &Command, table: &dyn Table) -> Result<String, String> {
        let mut external = Self::new(command.clone());
        let name = external.greet(table, Seat(0), 0, &AtomicBool::new(false))?;
        external.leave();
        Ok(name)
    }

    /// Why it is not asked any more; `None` while it plays.
    pub fn failure(&self) -> Option<&str> {
        match &self.connection {
            Connection::Lost(why) => Some(why),
            Connection::NotStarted | Connection::Open(_) => None,
        }
    }

    fn leave(&mut self) {
        match std::mem::replace(&mut self.connection, Connection::NotStarted) {
            Connection::Open(conversation) => {
                conversation.process.say(json!({ "cmd": "quit" }).to_string());
                conversation.process.end(FAREWELL);
            }
            // A lost connection stays lost.
            connection @ (Connection::Lost(_) | Connection::NotStarted) => self.connection = connection,
        }
    }

    /// Asks the program for a choice, and again if it had to be restarted.
    fn ask(
        &mut self,
        table: &dyn Table,
        seat: Seat,
        dice: &mut LabDice,
        stop: &AtomicBool,
    ) -> Result<BotChoice, NoAnswer> {
        loop {
            let mut conversation = match std::mem::replace(&mut self.connection, Connection::NotStarted) {
                Connection::Open(conversation) => conversation,
                Connection::NotStarted => Conversation::begin(&self.command, table, seat, dice.word(), stop)?,
                Connection::Lost(why) => return Err(NoAnswer::Final(why)),
            };
            match conversation.choose(&self.command, table, stop) {
                Err(NoAnswer::Ended(why)) if !self.restarted => {
                    drop(conversation);
                    complain(self.command.name(), table.hides(), &why, "restarting it once");
                    self.restarted = true;
                }
                answer => {
                    // After a final error the program is dropped here; `choose` keeps the reason.
                    if !matches!(answer, Err(NoAnswer::Ended(_) | NoAnswer::Final(_))) {
                        self.connection = Connection::Open(conversation);
                    }
                    return answer;
                }
            }
        }
    }
}

impl SeatedBot for External {
    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice, stop: &AtomicBool) -> Option<BotChoice> {
        let Mover::Seat(seat) = table.mover() else { return None };
        if self.failure().is_some() {
            return None;
        }
        match self.ask(table, seat, dice, stop) {
            Ok(said) => Some(said),
            Err(NoAnswer::Stopped) => None,
            Err(failure) => {
                let why = failure.why();
                complain(self.command.name(), table.hides(), &why, "it loses its seat");
                self.connection = Connection::Lost(why);
                None
            }
        }
    }

    /// Sends the result, then `quit`.
    fn game_over(&mut self, table: &dyn Table) {
        if let (Connection::Open(conversation), Some(result)) = (&self.connection, table.result()) {
            let standing = result.standings.get(conversation.seat.index()).copied().unwrap_or(Standing::Draw);
            let line = json!({
                "cmd": "over", "result": result.word, "title": result.title, "standing": standing.to_string(),
            });
            conversation.process.say(line.to_string());
        }
        self.leave();
    }
}

impl Conversation {
    /// Starts a program and says hello.
    fn begin(
        command: &Command,
        table: &dyn Table,
        seat: Seat,
        seed: u32,
        stop: &AtomicBool,
    ) -> Result<Self, NoAnswer> {
        let words = command.words();
        let program = words.first().map_or("", String::as_str);
        let hides = table.hides();
        let process = Process::start(words, command.name(), hides)
            .map_err(|why| NoAnswer::Final(format!("{:?} can't be started: {why}", shown(program))))?;
        let mut conversation = Self {
            process,
            hides,
            seat,
            name: String::new(),
            wants: Vec::new(),
            sent: (0, String::new()),
            owed: 0,
        };
        let seats: Vec<&str> = table.seats().iter().map(|seat| seat.word).collect();
        let hello = json!({
            "cmd": "hello", "protocol": PROTOCOL, "game": table.game_id(), "title": table.game_title(),
            "options": table.options(), "rules": table.rules_version(), "seats": seats,
            "seat": seats.get(seat.index()), "hides": conversation.hides, "seed": seed,
            "time": command.patience().as_secs_f64(),
        });
        let answer = conversation.converse(command, hello.to_string(), None, stop, |answer| {
            check_protocol(answer)?;
            let name = text(answer, "name")?.unwrap_or(command.name());
            let wants = match answer.get("wants") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(list)) => list.iter().map(read_want).collect::<Result<_, _>>()?,
                Some(other) => return Err(not_a_list_of_wants(other)),
            };
            let plain = name.chars().filter(|letter| !letter.is_control());
            Ok((plain.take(MAX_NAME).collect(), wants))
        });
        (conversation.name, conversation.wants) = answer?;
        Ok(conversation)
    }

    /// The program's choice.
    fn choose(
        &mut self,
        command: &Command,
        table: &dyn Table,
        stop: &AtomicBool,
    ) -> Result<BotChoice, NoAnswer> {
        let viewer = Viewer::Seat(self.seat);
        let prompt = table.prompt(viewer);
        let offers = table.offers(viewer);
        let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
        let mut question = json!({
            "cmd": "choose", "seat": table.seats()[self.seat.index()].word, "step": table.steps(),
            "turn": table.turn(), "prompt": prompt.text, "rule": prompt.rule, "view": table.view(viewer),
            "choices": names,
        });
        if self.wants("labels") {
            question["labels"] = offers.iter().map(|offer| json!(offer.label)).collect();
        }
        if self.wants("log") {
            question["log"] = self.news(table, viewer);
        }
        // Without the secret of the dice, and refused where the game hides something.
        if self.wants("save")
            && let Ok(save) = table.save(SecretPolicy::Withhold)
        {
            question["save"] = save.into();
        }
        if self.wants("features") {
            question["features"] = table.features(viewer).into();
        }
        if self.wants("actions") {
            question["actions"] = json!(table.offered_actions(viewer));
        }
        question["time"] = command.patience().as_secs_f64().into();
        let example = names.first().copied().unwrap_or_default();
        self.converse(command, question.to_string(), Some(example), stop, |answer| {
            check_words(answer)?;
            let said = text(answer, "choice")?
                .ok_or_else(|| format!("the field \"choice\" is missing, expected {}", choice(example)))?;
            let why = text(answer, "why")?.unwrap_or_default().to_owned();
            let open = names.iter().find(|name| name.eq_ignore_ascii_case(said.trim()));
            let open = open.ok_or_else(|| match table.why_not(viewer, said) {
                Err(why) => format!("{why}; expected one of \"choices\", such as {}", choice(example)),
                Ok(()) => {
                    format!("{:?} is not one of \"choices\", such as {}", shown(said), choice(example))
                }
            })?;
            Ok(BotChoice { choice: (*open).to_owned(), why })
        })
    }

    fn wants(&self, what: &str) -> bool {
        self.wants.iter().any(|wanted| wanted == what)
    }

    /// The log since the last question; all of it if steps that were already sent have been undone.
    fn news(&mut self, table: &dyn Table, viewer: Viewer) -> Value {
        let mut lines = String::new();
        table.write_log(0, &mut lines);
        let from = if lines.starts_with(&self.sent.1) { self.sent.0 } else { 0 };
        self.sent = (table.steps(), lines);
        table.log(from, viewer).iter().map(|entry| entry_json(table, entry)).collect()
    }

    /// Asks a question and reads the answer with `judge`. After an answer that can't be used the program may try once more.
    fn converse<T>(
        &mut self,
        command: &Command,
        question: String,
        example: Option<&str>,
        stop: &AtomicBool,
        judge: impl Fn(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<T, NoAnswer> {
        self.owed = self.owed.saturating_sub(self.process.forget_lines());
        while self.owed > 0 {
            self.read_line(command, example, stop)?;
            self.owed -= 1;
        }
        self.process.say(question);
        let mut again = false;
        loop {
            let line = self.read_line(command, example, stop).inspect_err(|failure| {
                self.owed += usize::from(matches!(failure, NoAnswer::Stopped));
            })?;
            let slip = match read_answer(&line)? {
                Ok(answer) => match judge(&answer) {
                    Ok(usable) => return Ok(usable),
                    Err(why) => why,
                },
                Err(why) => why,
            };
            let slip = format!("it wrote {:?}: {slip}", shown(&line));
            if std::mem::replace(&mut again, true) {
                return Err(NoAnswer::Final(slip));
            }
            complain(command.name(), self.hides, &slip, "it may try once more");
            self.process.say(json!({ "error": slip }).to_string());
        }
    }

    /// Reads the next line; `example` is a legal choice for the error message.
    fn read_line(
        &mut self,
        command: &Command,
        example: Option<&str>,
        stop: &AtomicBool,
    ) -> Result<String, NoAnswer> {
        let patience = command.patience();
        let expected = example.map_or_else(|| "{\"ok\":true}".to_owned(), choice);
        self.process.read_line(patience, stop).map_err(|error| match error {
            ReadError::Ended(Some(status)) => NoAnswer::Ended(format!(
                "it ended ({status}) instead of answering with a line such as {expected}"
            )),
            ReadError::Ended(None) => NoAnswer::Ended(format!(
                "it closed its standard output instead of answering with a line such as {expected}"
            )),
            ReadError::Endless(line) => NoAnswer::Final(format!(
                "it wrote a line without an end, {:?}, instead of one such as {expected}",
                shown(&line)
            )),
            ReadError::TooLong => NoAnswer::Final(format!(
                "it gave no answer within {} s and was ended; expected a line such as {expected}, and that \
                 standard output is flushed after it",
                patience.as_secs_f64()
            )),
            ReadError::Stopped => NoAnswer::Stopped,
        })
    }
}

fn choice(name: &str) -> String {
    json!({ "ok": true, "choice": name }).to_string()
}

/// Reads an answer, which is a JSON object; with a field `error` the program resigns its seat.
fn read_answer(line: &str) -> Result<Result<Map<String, Value>, String>, NoAnswer> {
    Ok(match serde_json::from_str(line) {
        Ok(Value::Object(answer)) => {
            if let Some(error) = answer.get("error") {
                let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
                return Err(NoAnswer::Final(format!("it says: {}", shown(&error))));
            }
            Ok(answer)
        }
        Ok(_) => Err("an answer is a JSON object such as {\"ok\":true}".to_owned()),
        Err(why) => Err(format!(
            "this is not JSON ({why}); an answer is one line such as {{\"ok\":true}}, and remarks go to standard error"
        )),
    })
}

/// The message for a word of protocol 1; `None` if the word was never renamed.
pub fn renamed(word: &str) -> Option<String> {
    let (old, new) = RENAMED.iter().find(|(old, _)| old.eq_ignore_ascii_case(word))?;
    Some(format!("`{old}` is called `{new}` since protocol 2"))
}

/// A program may say which protocol it speaks; it must be ours.
fn check_protocol(answer: &Map<String, Value>) -> Result<(), String> {
    check_words(answer)?;
    match answer.get("protocol") {
        None | Some(Value::Null) => Ok(()),
        Some(spoken) if spoken.as_u64() == Some(PROTOCOL) => Ok(()),
        Some(spoken) => {
            let changes: Vec<String> = RENAMED.iter().filter_map(|(old, _)| renamed(old)).collect();
            Err(format!(
                "the program speaks protocol {}, but Maproom speaks protocol {PROTOCOL}: {}",
                shown(&spoken.to_string()),
                changes.join(", ")
            ))
        }
    }
}

/// Refuses field names of protocol 1.
fn check_words(answer: &Map<String, Value>) -> Result<(), String> {
    answer.keys().find_map(|key| renamed(key)).map_or(Ok(()), Err)
}

fn text<'a>(answer: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, String> {
    match answer.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("the field {key:?} is {}, expected a text", shown(&other.to_string()))),
    }
}

fn read_want(value: &Value) -> Result<String, String> {
    match value.as_str() {
        Some(want) if WANTS.contains(&want) => Ok(want.to_owned()),
        Some(want) => Err(renamed(want).unwrap_or_else(|| not_a_list_of_wants(value))),
        None => Err(not_a_list_of_wants(value)),
    }
}

fn not_a_list_of_wants(value: &Value) -> String {
    format!("the field \"wants\" has {}, expected a list of {}", shown(&value.to_string()), WANTS.join(", "))
}

/// A log entry as the seat may see it.
fn entry_json(table: &dyn Table, entry: &LogEntry) -> Value {
    let who = match entry.actor {
        Actor::Fate => "fate",
        Actor::Seat(seat) => table.seats()[seat.index()].word,
    };
    let story: Vec<Value> =
        entry.story.iter().map(|line| json!({ "text": line.text, "rule": line.rule })).collect();
    json!({
        "step": entry.step, "turn": entry.turn, "who": who, "forced": entry.forced, "choice": entry.name,
        "story": story,
    })
}
