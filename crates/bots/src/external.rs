//! Programs that play: whatever speaks the protocol may sit in a seat.
//!
//! The house writes a line of JSON to the program's standard input and reads a line from its standard output; docs/protocol.md
//! has every line with real payloads. The program is told what its seat may know and nothing else. It is never trusted: an
//! answer has a time limit and a greatest length, what it names must be open to its seat, and whatever it does instead is said
//! in the log (target `program`), with what would have been right. It gets one chance to do better, then its seat is given up.

mod command;
mod process;
mod report;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use diagnostics::shown;
use kernel::{Actor, Dice as _, LabDice, LogEntry, Mover, Seat, SecretPolicy, Standing, Table, Viewer};
use serde_json::{Map, Value, json};

use crate::{BotChoice, SeatedBot};
use process::{Process, Silence};
use report::complain;

pub use command::{Command, Opponent};

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u64 = 1;
/// What a program may ask to be told with every question.
pub const WANTS: [&str; 3] = ["labels", "log", "save"];

/// How long a program may take to leave after the game.
const FAREWELL: Duration = Duration::from_secs(1);
/// The longest name that a program may give itself.
const MAX_NAME: usize = 40;

/// A program in a seat, for the length of a match.
pub struct External {
    command: Command,
    guest: Guest,
    /// Whether it has been started again after it ended without being asked to.
    restarted: bool,
}

enum Guest {
    /// It starts with its first question.
    Waiting,
    Here(Conversation),
    /// It can't be asked any more, and why.
    Gone(String),
}

/// A program that has been greeted.
struct Conversation {
    process: Process,
    /// Whether the match hides something.
    hides: bool,
    seat: Seat,
    /// What it calls itself.
    name: String,
    /// Which of [`WANTS`] it asked for.
    wants: Vec<String>,
    /// The steps that it was told, and their lines in a save.
    told: (usize, String),
    /// Answers that nobody waited for: they will come before the next one.
    owed: usize,
}

/// Why there is no answer.
enum Trouble {
    /// It has ended: another start may help.
    Ended(String),
    /// It can't be helped.
    Final(String),
    /// Somebody said stop.
    Stopped,
}

impl Trouble {
    fn why(self) -> String {
        match self {
            Self::Ended(why) | Self::Final(why) => why,
            Self::Stopped => "it was not waited for".to_owned(),
        }
    }
}

impl External {
    /// The program of a command; it starts when it is greeted or asked for the first time.
    pub fn new(command: Command) -> Self {
        Self { command, guest: Guest::Waiting, restarted: false }
    }

    /// Starts the program and tells it which match it is to play in which seat; returns what it calls itself. The seed makes
    /// a program repeatable that throws dice of its own.
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
                self.guest = Guest::Here(conversation);
                Ok(name)
            }
            Err(trouble) => {
                let why = trouble.why();
                self.guest = Guest::Gone(why.clone());
                Err(why)
            }
        }
    }

    /// Starts the program once to see whether it would play at a table, and returns what it calls itself.
    pub fn try_out(command: &Command, table: &dyn Table) -> Result<String, String> {
        let mut external = Self::new(command.clone());
        let name = external.greet(table, Seat(0), 0, &AtomicBool::new(false))?;
        external.leave();
        Ok(name)
    }

    /// Why it can't be asked any more; `None` while it can.
    pub fn trouble(&self) -> Option<&str> {
        match &self.guest {
            Guest::Gone(why) => Some(why),
            Guest::Waiting | Guest::Here(_) => None,
        }
    }

    fn leave(&mut self) {
        match std::mem::replace(&mut self.guest, Guest::Waiting) {
            Guest::Here(conversation) => {
                conversation.process.say(json!({ "cmd": "quit" }).to_string());
                conversation.process.end(FAREWELL);
            }
            // Who was given up stays so.
            guest @ (Guest::Gone(_) | Guest::Waiting) => self.guest = guest,
        }
    }

    /// Asks the program for the choice of a seat, once more where it had to be started again.
    fn ask(
        &mut self,
        table: &dyn Table,
        seat: Seat,
        dice: &mut LabDice,
        stop: &AtomicBool,
    ) -> Result<BotChoice, Trouble> {
        loop {
            let mut conversation = match std::mem::replace(&mut self.guest, Guest::Waiting) {
                Guest::Here(conversation) => conversation,
                Guest::Waiting => Conversation::begin(&self.command, table, seat, dice.word(), stop)?,
                Guest::Gone(why) => return Err(Trouble::Final(why)),
            };
            match conversation.choose(&self.command, table, stop) {
                Err(Trouble::Ended(why)) if !self.restarted => {
                    drop(conversation);
                    complain(self.command.name(), hides(table), &why, "it is started once more");
                    self.restarted = true;
                }
                answer => {
                    // Whoever can't be helped is ended here; `choose` keeps the reason.
                    if !matches!(answer, Err(Trouble::Ended(_) | Trouble::Final(_))) {
                        self.guest = Guest::Here(conversation);
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
        if self.trouble().is_some() {
            return None;
        }
        match self.ask(table, seat, dice, stop) {
            Ok(said) => Some(said),
            Err(Trouble::Stopped) => None,
            Err(trouble) => {
                let why = trouble.why();
                complain(self.command.name(), hides(table), &why, "it is not asked any more");
                self.guest = Guest::Gone(why);
                None
            }
        }
    }

    /// Tells the program how the game ended and lets it go.
    fn hear_end(&mut self, table: &dyn Table) {
        if let (Guest::Here(conversation), Some(result)) = (&self.guest, table.result()) {
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
    /// Starts a program and greets it.
    fn begin(
        command: &Command,
        table: &dyn Table,
        seat: Seat,
        seed: u32,
        stop: &AtomicBool,
    ) -> Result<Self, Trouble> {
        let words = command.words();
        let program = words.first().map_or("", String::as_str);
        let process = Process::start(words, command.name())
            .map_err(|why| Trouble::Final(format!("{:?} can't be started: {why}", shown(program))))?;
        let mut conversation = Self {
            process,
            hides: hides(table),
            seat,
            name: String::new(),
            wants: Vec::new(),
            told: (0, String::new()),
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
    ) -> Result<BotChoice, Trouble> {
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
        question["time"] = command.patience().as_secs_f64().into();
        let example = names.first().copied().unwrap_or_default();
        self.converse(command, question.to_string(), Some(example), stop, |answer| {
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

    /// What has happened since the last question; everything, where something that was told has been taken back.
    fn news(&mut self, table: &dyn Table, viewer: Viewer) -> Value {
        let mut lines = String::new();
        table.write_log(0, &mut lines);
        let from = if lines.starts_with(&self.told.1) { self.told.0 } else { 0 };
        self.told = (table.steps(), lines);
        table.log(from, viewer).iter().map(|entry| entry_json(table, entry)).collect()
    }

    /// Puts a question and reads the answer by `judge`; an answer that can't be used gets one chance to be another.
    fn converse<T>(
        &mut self,
        command: &Command,
        question: String,
        example: Option<&str>,
        stop: &AtomicBool,
        judge: impl Fn(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<T, Trouble> {
        self.owed = self.owed.saturating_sub(self.process.forget_lines());
        while self.owed > 0 {
            self.hear(command, example, stop)?;
            self.owed -= 1;
        }
        self.process.say(question);
        let mut again = false;
        loop {
            let line = self.hear(command, example, stop).inspect_err(|trouble| {
                self.owed += usize::from(matches!(trouble, Trouble::Stopped));
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
                return Err(Trouble::Final(slip));
            }
            complain(command.name(), self.hides, &slip, "it may try once more");
            self.process.say(json!({ "error": slip }).to_string());
        }
    }

    /// The next line; `example` is a choice that it could name.
    fn hear(
        &mut self,
        command: &Command,
        example: Option<&str>,
        stop: &AtomicBool,
    ) -> Result<String, Trouble> {
        let patience = command.patience();
        let expected = example.map_or_else(|| "{\"ok\":true}".to_owned(), choice);
        self.process.hear(patience, stop).map_err(|silence| match silence {
            Silence::Ended(Some(status)) => Trouble::Ended(format!(
                "it ended ({status}) instead of answering with a line such as {expected}"
            )),
            Silence::Ended(None) => Trouble::Ended(format!(
                "it closed its standard output instead of answering with a line such as {expected}"
            )),
            Silence::Endless(line) => Trouble::Final(format!(
                "it wrote a line without an end, {:?}, instead of one such as {expected}",
                shown(&line)
            )),
            Silence::TooLong => Trouble::Final(format!(
                "it gave no answer within {} s and was ended; expected a line such as {expected}, and that \
                 standard output is flushed after it",
                patience.as_secs_f64()
            )),
            Silence::Stopped => Trouble::Stopped,
        })
    }
}

/// Whether a running match keeps something from its players.
fn hides(table: &dyn Table) -> bool {
    table.save(SecretPolicy::Withhold).is_err()
}

fn choice(name: &str) -> String {
    json!({ "ok": true, "choice": name }).to_string()
}

/// An answer is an object; one that says `error` is the program's own way of giving up.
fn read_answer(line: &str) -> Result<Result<Map<String, Value>, String>, Trouble> {
    Ok(match serde_json::from_str(line) {
        Ok(Value::Object(answer)) => {
            if let Some(error) = answer.get("error") {
                let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
                return Err(Trouble::Final(format!("it says: {}", shown(&error))));
            }
            Ok(answer)
        }
        Ok(_) => Err("an answer is a JSON object such as {\"ok\":true}".to_owned()),
        Err(why) => Err(format!(
            "this is not JSON ({why}); an answer is one line such as {{\"ok\":true}}, and remarks go to standard error"
        )),
    })
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
        _ => Err(not_a_list_of_wants(value)),
    }
}

fn not_a_list_of_wants(value: &Value) -> String {
    format!("the field \"wants\" has {}, expected a list of {}", shown(&value.to_string()), WANTS.join(", "))
}

/// A line of the log, as the seat may know it.
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
