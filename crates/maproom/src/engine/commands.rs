//! The verbs of the engine protocol.

use std::path::Path;

use bots::external::{PROTOCOL, renamed};
use bots::{BotChoice, BotKind};
use diagnostics::shown;
use kernel::{
    Actor, LabDice, LoadError, MatchDice, MatchError, Mover, Options, Seat, Secret, SecretPolicy, Shares,
    Story, Undo,
};
use serde_json::{Value, json};
use web::Opened;

use super::EngineError;
use super::bot_session::BotSession;
use super::engine_match::{EngineMatch, Fields, fields, story_json};
use super::request::Request;
use crate::files::{read_text, write_text};
use crate::odds::answer_json;
use crate::registry::{self, GAMES};

pub(super) const VERBS: [&str; 18] = [
    "games", "new", "load", "state", "view", "choices", "play", "fate", "undo", "log", "go", "odds", "save",
    "rule", "hello", "choose", "over", "quit",
];

/// The engine and the match it holds.
pub struct Engine {
    /// The bot that plays when the engine is used as an external program.
    bot: String,
    playing: Option<EngineMatch>,
    /// The seat that the engine plays in somebody else's match.
    bot_session: Option<BotSession>,
    quit: bool,
}

impl From<MatchError> for EngineError {
    fn from(error: MatchError) -> Self {
        let rule = match &error {
            MatchError::Refused { refusal, .. } => refusal.rule,
            _ => "",
        };
        Self { message: error.to_string(), code: error.code(), rule }
    }
}

fn not_greeted() -> EngineError {
    let message = "no match yet: start with {\"cmd\":\"hello\",\"game\":\"echoes\",…}";
    EngineError { message: message.to_owned(), code: "no-match", rule: "" }
}

/// A game or options that can't be used.
pub fn set_up(message: impl Into<String>) -> EngineError {
    EngineError { message: message.into(), code: "bad-setup", rule: "" }
}

/// A file or a save that can't be used.
pub fn file(message: impl Into<String>) -> EngineError {
    EngineError { message: message.into(), code: "bad-file", rule: "" }
}

impl Engine {
    /// An engine without a match; `bot` is the bot that plays when the engine is used as an external program.
    pub fn new(bot: &str) -> Self {
        Self { bot: bot.to_owned(), playing: None, bot_session: None, quit: false }
    }

    /// Whether the client sent `quit`.
    pub fn has_quit(&self) -> bool {
        self.quit
    }

    /// Everything that a request may change, to see whether an error has left it as it was.
    #[cfg(test)]
    pub(super) fn position(&self) -> (Option<String>, Option<String>, bool) {
        let save = self.playing.as_ref().map(|playing| playing.table.save(SecretPolicy::Keep));
        let seat = self.bot_session.as_ref().map(BotSession::describe);
        (save.and_then(Result::ok), seat, self.quit)
    }

    /// Answers a request. An error leaves everything as it was.
    pub fn answer(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let verb = request.required("cmd", "{\"cmd\":\"choices\"}")?;
        match verb.as_str() {
            "games" => self.games(request),
            "new" => self.new_match(request),
            "load" => self.load(request),
            "state" => self.state(request),
            "view" => self.view(request),
            "choices" => self.choices(request),
            "play" => self.play(request),
            "fate" => self.fate(request),
            "undo" => self.undo(request),
            "log" => self.log(request),
            "go" => self.go(request),
            "odds" => self.odds(request),
            "save" => self.save(request),
            "rule" => self.rule(request),
            "hello" => {
                let (bot_session, answer) = BotSession::hello(&self.bot, request)?;
                self.bot_session = Some(bot_session);
                Ok(answer)
            }
            "choose" => self.bot_session.as_mut().ok_or_else(not_greeted)?.choose(request),
            "over" => {
                self.bot_session.as_ref().ok_or_else(not_greeted)?.over(request)?;
                self.bot_session = None;
                Ok(Fields::new())
            }
            "quit" => {
                request.finish()?;
                self.quit = true;
                Ok(Fields::new())
            }
            _ => {
                if let Some(message) = renamed(&verb) {
                    return Err(EngineError { message, code: "unknown-command", rule: "" });
                }
                let mut message = format!("unknown command {:?}", shown(&verb));
                if let Some(meant) = diagnostics::nearest(&verb, VERBS) {
                    message.push_str(&format!(" (did you mean {meant:?}?)"));
                }
                message.push_str(&format!("; the commands are: {}", VERBS.join(", ")));
                Err(EngineError { message, code: "unknown-command", rule: "" })
            }
        }
    }

    fn playing(&mut self) -> Result<&mut EngineMatch, EngineError> {
        self.playing.as_mut().ok_or_else(|| EngineError {
            message:
                "no match is open: start with {\"cmd\":\"new\",\"game\":\"echoes\"} or {\"cmd\":\"load\",…}"
                    .to_owned(),
            code: "no-match",
            rule: "",
        })
    }

    fn games(&self, request: &Request) -> Result<Fields, EngineError> {
        request.finish()?;
        let games: Vec<Value> = GAMES
            .iter()
            .map(|game| {
                let options: Vec<Value> = game
                    .tools
                    .option_help()
                    .iter()
                    .map(|(name, about)| json!({ "name": name, "about": about }))
                    .collect();
                let bots: Vec<&str> = game.tools.bots().into_iter().map(|(word, _)| word).collect();
                json!({ "game": game.id(), "title": game.name(), "options": options, "bots": bots })
            })
            .collect();
        Ok(fields([
            ("protocol", json!(PROTOCOL)),
            ("games", json!(games)),
            ("bots", json!(BotKind::common_words())),
        ]))
    }

    fn new_match(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let word = request.required("game", "{\"cmd\":\"new\",\"game\":\"echoes\",\"seed\":3}")?;
        let mut options: Options = request.options("options")?.into_iter().collect();
        let seed = request.number("seed")?;
        let own = word_field(request, "dice", &["fair", "own"])?.as_deref() == Some("own");
        let manual = word_field(request, "fate", &["auto", "manual"])?.as_deref() == Some("manual");
        let game = registry::game(&word).map_err(set_up)?;
        // Every option of the game may also be a field of its own, unless it is called as one of those above.
        for (key, _) in game.tools.option_help() {
            if let Some(value) = request.text_or_number(key)? {
                options.insert((*key).to_owned(), value);
            }
        }
        request.finish()?;
        let dice = match (own, seed) {
            (true, Some(_)) => {
                return Err(EngineError::request("your own dice have no seed: leave out one of the two"));
            }
            (true, None) => MatchDice::Own,
            (false, Some(seed)) => MatchDice::seeded(seed),
            (false, None) => MatchDice::fair(fresh_secret()?),
        };
        let table = game.open(&options, dice).map_err(set_up)?;
        self.take_seat(EngineMatch::new(game, table, !manual), &[])
    }

    fn load(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let text = request.text("save")?;
        let path = request.text("file")?;
        let manual = word_field(request, "fate", &["auto", "manual"])?.as_deref() == Some("manual");
        let common = request.flag("common")?;
        request.finish()?;
        let (name, text) = match (text, path) {
            (Some(text), None) => ("save".to_owned(), text),
            (None, Some(path)) => {
                let text = read_text(Path::new(&path)).map_err(file)?;
                (path, text)
            }
            _ => return Err(EngineError::request("give either \"save\" (the text) or \"file\" (its path)")),
        };
        let game = registry::of_save(&name, &text).map_err(file)?;
        let loaded = if common { game.load_common(&name, &text) } else { game.load(&name, &text) };
        let Opened { mut table, notes, .. } = loaded.map_err(|error| match &error {
            LoadError::Parted(parting) if parting.common > 0 => {
                let offer = format!("\"common\":true continues from step {} as a new match", parting.common);
                // Under the same rules it is the file that is wrong.
                let code = if parting.is_of_other_rules() { "parted" } else { "bad-file" };
                EngineError { message: format!("{error}\n{offer}"), code, rule: "" }
            }
            _ => file(error.to_string()),
        })?;
        // Those who were to put a number into its dice are not here.
        if table.dice().are_awaited() {
            table.share_dice(Shares::default());
        }
        self.take_seat(EngineMatch::new(game, table, !manual), &notes)
    }

    fn take_seat(&mut self, mut playing: EngineMatch, notes: &[String]) -> Result<Fields, EngineError> {
        let mut story = Story::for_viewer(playing.mover_view());
        playing.play_forced(&mut story);
        let mut answer = playing.summary();
        answer.insert("story".to_owned(), story_json(&story.lines));
        if !notes.is_empty() {
            answer.insert("notes".to_owned(), json!(notes));
        }
        self.playing = Some(playing);
        Ok(answer)
    }

    fn state(&mut self, request: &Request) -> Result<Fields, EngineError> {
        request.finish()?;
        let playing = self.playing()?;
        let mut answer = playing.summary();
        let viewer = playing.mover_view();
        answer.insert("view".to_owned(), playing.table.view(viewer));
        Ok(answer)
    }

    fn view(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let viewer = request.text("viewer")?;
        let picture = request.flag("picture")?;
        request.finish()?;
        let playing = self.playing()?;
        let viewer = playing.viewer(viewer.as_deref())?;
        let mut answer = fields([("view", playing.table.view(viewer))]);
        if picture {
            answer.insert("picture".to_owned(), json!(playing.table.picture(viewer)));
        }
        Ok(answer)
    }

    fn choices(&mut self, request: &Request) -> Result<Fields, EngineError> {
        request.finish()?;
        let playing = self.playing()?;
        let fate = playing.table.mover() == Mover::Fate;
        let viewer = playing.mover_view();
        let open: Vec<Value> = playing
            .table
            .offers(viewer)
            .into_iter()
            .map(|offer| {
                let mut choice = fields([("name", json!(offer.name)), ("label", json!(offer.label))]);
                if fate {
                    choice.insert("weight".to_owned(), json!(offer.weight));
                }
                Value::Object(choice)
            })
            .collect();
        let closed: Vec<Value> = playing
            .table
            .closed(viewer)
            .into_iter()
            .map(|closed| json!({ "name": closed.name, "reason": closed.refusal.reason, "rule": closed.refusal.rule }))
            .collect();
        let prompt = playing.table.prompt(viewer);
        Ok(fields([
            ("mover", playing.mover_json()),
            ("prompt", json!(prompt.text)),
            ("rule", json!(prompt.rule)),
            ("choices", json!(open)),
            ("default", json!(playing.table.default_choice(viewer))),
            ("closed", json!(closed)),
        ]))
    }

    fn play(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let choice = request.required("choice", "{\"cmd\":\"play\",\"choice\":\"attack WF\"}")?;
        request.finish()?;
        let playing = self.playing()?;
        playing.play(&choice, "")
    }

    fn fate(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let choice = request.text_or_number("choice")?;
        request.finish()?;
        let playing = self.playing()?;
        let mut story = Story::for_viewer(playing.mover_view());
        playing.table.fate(choice.as_deref(), Some(&mut story))?;
        Ok(playing.after(story))
    }

    fn undo(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let scope = word_field(request, "scope", &["step", "turn"])?;
        let seat = request.text("seat")?;
        request.finish()?;
        let playing = self.playing()?;
        let seat = match seat {
            Some(word) => playing.seat(&word)?,
            None => Seat(0),
        };
        let scope = if scope.as_deref() == Some("turn") { Undo::Turn } else { Undo::Step };
        let steps = playing.table.undo(seat, scope)?;
        let mut answer = playing.summary();
        answer.insert("undone".to_owned(), json!(steps));
        Ok(answer)
    }

    fn log(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let from = request.number("from")?.unwrap_or(0);
        let viewer = request.text("viewer")?;
        request.finish()?;
        let playing = self.playing()?;
        let viewer = playing.viewer(viewer.as_deref())?;
        let from = usize::try_from(from).unwrap_or(usize::MAX).min(playing.table.steps());
        let digests = playing.table.digests(from..playing.table.steps());
        let entries: Vec<Value> = playing
            .table
            .log(from, viewer)
            .into_iter()
            .map(|entry| {
                let who = match entry.actor {
                    Actor::Fate => "fate",
                    Actor::Seat(seat) => playing.table.seats()[seat.index()].word,
                };
                let mut line = fields([
                    ("step", json!(entry.step)),
                    ("turn", json!(entry.turn)),
                    ("who", json!(who)),
                    ("forced", json!(entry.forced)),
                    ("choice", json!(entry.name)),
                    (
                        "digest",
                        json!(digests.as_ref().map(|digests| digests[entry.step - 1 - from].to_string())),
                    ),
                ]);
                if let Some(why) = entry.remark {
                    line.insert("why".to_owned(), json!(why));
                }
                line.insert("story".to_owned(), story_json(&entry.story));
                Value::Object(line)
            })
            .collect();
        Ok(fields([("log", json!(entries))]))
    }

    fn go(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let word = request.text("bot")?.unwrap_or_else(|| "greedy".to_owned());
        let seed = request.number("seed")?;
        let only_think = request.flag("think")?;
        request.finish()?;
        let playing = self.playing()?;
        let bot = playing.game.tools.bot(&word).map_err(EngineError::request)?;
        let fits = bot.check_seats(playing.table.seats().len());
        fits.map_err(|why| EngineError::request(why.to_string()))?;
        let mut dice = LabDice::new(seed.unwrap_or(playing.table.steps() as u64));
        let BotChoice { choice, why } =
            playing.suggest(bot, &mut dice).ok_or_else(|| match playing.table.mover() {
                Mover::Nobody => EngineError::from(MatchError::Over),
                _ => EngineError::from(MatchError::FateToMove),
            })?;
        let mut answer = fields([("bot", json!(word)), ("choice", json!(choice))]);
        if !why.is_empty() {
            answer.insert("why".to_owned(), json!(why));
        }
        if only_think {
            return Ok(answer);
        }
        answer.extend(playing.play(&choice, &why)?);
        Ok(answer)
    }

    fn odds(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let question = request.text("question")?;
        request.finish()?;
        let playing = self.playing()?;
        let viewer = playing.mover_view();
        let Some(question) = question else {
            return Ok(fields([("questions", json!(playing.table.questions(viewer)))]));
        };
        let answer = playing.table.answer(&question, viewer).map_err(|message| EngineError {
            message,
            code: "bad-question",
            rule: "",
        })?;
        Ok(fields([("answer", answer_json(&answer))]))
    }

    fn save(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let path = request.text("file")?;
        let publish = request.flag("publish")?;
        request.finish()?;
        let playing = self.playing()?;
        let policy = if publish { SecretPolicy::Withhold } else { SecretPolicy::Keep };
        let text = playing.table.save(policy)?;
        match path {
            Some(path) => {
                write_text(Path::new(&path), &text).map_err(file)?;
                Ok(fields([("file", json!(path))]))
            }
            None => Ok(fields([("save", json!(text))])),
        }
    }

    fn rule(&mut self, request: &mut Request) -> Result<Fields, EngineError> {
        let number = request.required("number", "{\"cmd\":\"rule\",\"number\":\"2.5.3\"}")?;
        request.finish()?;
        let section = self.playing()?.game.title.rulebook().section_markdown(&number);
        match section {
            Some(text) => Ok(fields([("rule", json!(number)), ("text", json!(text))])),
            None => Err(EngineError::request(format!("there is no rule {:?}", shown(&number)))),
        }
    }
}

/// A field that must be one of a few words.
fn word_field(
    request: &mut Request,
    key: &'static str,
    words: &[&str],
) -> Result<Option<String>, EngineError> {
    match request.text(key)? {
        Some(word) if !words.contains(&word.as_str()) => {
            let message = format!("the field {key:?} is {:?}, expected {}", shown(&word), words.join(" or "));
            Err(EngineError::request(message))
        }
        word => Ok(word),
    }
}

fn fresh_secret() -> Result<Secret, EngineError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)
        .map_err(|why| set_up(format!("no random numbers on this machine ({why}); give a seed")))?;
    Ok(Secret(secret))
}
