//! The verbs of the engine protocol.

use std::path::Path;

use bots::{BotKind, Said, Sitter};
use kernel::source::shown;
use kernel::{
    Actor, LabDice, MatchDice, MatchError, Mover, Options, Seat, Secret, SecretPolicy, Story, Table, Telling,
    Undo, Viewer,
};
use serde_json::{Map, Value, json};

use super::Trouble;
use super::request::Request;
use crate::files::{read_text, write_text};
use crate::odds::answer_json;
use crate::registry::{self, Opened, TITLES, Title};

const VERBS: [&str; 15] = [
    "games", "new", "load", "state", "sight", "choices", "play", "fate", "undo", "log", "go", "odds", "save",
    "rule", "quit",
];

/// The engine and the match it holds.
#[derive(Default)]
pub struct Engine {
    seated: Option<Seated>,
    quit: bool,
}

struct Seated {
    title: &'static dyn Title,
    table: Box<dyn Table>,
    /// Whether Fate and forced choices follow by themselves.
    auto: bool,
    /// The bots that have chosen so far, each with its seat: some remember what they did.
    sitters: Vec<(Seat, BotKind, Box<dyn Sitter>)>,
}

type Fields = Map<String, Value>;

impl From<MatchError> for Trouble {
    fn from(error: MatchError) -> Self {
        let rule = match &error {
            MatchError::Refused { refusal, .. } => refusal.rule,
            _ => "",
        };
        Self { message: error.to_string(), code: error.code(), rule }
    }
}

fn set_up(message: impl Into<String>) -> Trouble {
    Trouble { message: message.into(), code: "bad-setup", rule: "" }
}

fn file(message: impl Into<String>) -> Trouble {
    Trouble { message: message.into(), code: "bad-file", rule: "" }
}

impl Engine {
    /// Whether `quit` was said.
    pub fn has_quit(&self) -> bool {
        self.quit
    }

    /// Answers a request. An error leaves everything as it was.
    pub fn answer(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let verb = request.required("cmd", "{\"cmd\":\"choices\"}")?;
        match verb.as_str() {
            "games" => self.games(request),
            "new" => self.new_match(request),
            "load" => self.load(request),
            "state" => self.state(request),
            "sight" => self.sight(request),
            "choices" => self.choices(request),
            "play" => self.play(request),
            "fate" => self.fate(request),
            "undo" => self.undo(request),
            "log" => self.log(request),
            "go" => self.go(request),
            "odds" => self.odds(request),
            "save" => self.save(request),
            "rule" => self.rule(request),
            "quit" => {
                request.finish()?;
                self.quit = true;
                Ok(Fields::new())
            }
            _ => {
                let mut message = format!("unknown command {:?}", shown(&verb));
                if let Some(meant) = kernel::source::nearest(&verb, VERBS) {
                    message.push_str(&format!(" (did you mean {meant:?}?)"));
                }
                message.push_str(&format!("; the commands are: {}", VERBS.join(", ")));
                Err(Trouble { message, code: "unknown-command", rule: "" })
            }
        }
    }

    fn seated(&mut self) -> Result<&mut Seated, Trouble> {
        self.seated.as_mut().ok_or_else(|| Trouble {
            message:
                "no match is open: begin with {\"cmd\":\"new\",\"game\":\"echoes\"} or {\"cmd\":\"load\",…}"
                    .to_owned(),
            code: "no-match",
            rule: "",
        })
    }

    fn games(&self, request: &Request) -> Result<Fields, Trouble> {
        request.finish()?;
        let games: Vec<Value> = TITLES
            .iter()
            .map(|title| {
                let options: Vec<Value> = title
                    .option_help()
                    .iter()
                    .map(|(name, about)| json!({ "name": name, "about": about }))
                    .collect();
                let bots: Vec<&str> = title.bots().into_iter().map(|(word, _)| word).collect();
                json!({ "game": title.id(), "title": title.name(), "options": options, "bots": bots })
            })
            .collect();
        Ok(fields([("games", json!(games)), ("bots", json!(BotKind::common_words()))]))
    }

    fn new_match(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let word = request.required("game", "{\"cmd\":\"new\",\"game\":\"echoes\",\"seed\":3}")?;
        let mut options: Options = request.options("options")?.into_iter().collect();
        for key in ["edition", "spread", "book", "spreads"] {
            if let Some(value) = request.text_or_number(key)? {
                options.insert(key.to_owned(), value);
            }
        }
        let seed = request.number("seed")?;
        let own = word_field(request, "dice", &["fair", "own"])?.as_deref() == Some("own");
        let manual = word_field(request, "fate", &["auto", "manual"])?.as_deref() == Some("manual");
        request.finish()?;
        let dice = match (own, seed) {
            (true, Some(_)) => {
                return Err(Trouble::request("own dice have no seed: leave out one of the two"));
            }
            (true, None) => MatchDice::Own,
            (false, Some(seed)) => MatchDice::seeded(seed),
            (false, None) => MatchDice::fair(fresh_secret()?),
        };
        let title = registry::title(&word).map_err(set_up)?;
        let table = title.open(&options, dice).map_err(set_up)?;
        self.take_seat(Seated { title, table, auto: !manual, sitters: Vec::new() }, &[])
    }

    fn load(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let text = request.text("save")?;
        let path = request.text("file")?;
        let manual = word_field(request, "fate", &["auto", "manual"])?.as_deref() == Some("manual");
        request.finish()?;
        let (name, text) = match (text, path) {
            (Some(text), None) => ("save".to_owned(), text),
            (None, Some(path)) => {
                let text = read_text(Path::new(&path)).map_err(file)?;
                (path, text)
            }
            _ => return Err(Trouble::request("give either \"save\" (the text) or \"file\" (its path)")),
        };
        let title = registry::title_of_save(&name, &text).map_err(file)?;
        let Opened { table, notes } =
            title.load(&name, &text).map_err(|problems| file(problems.to_string()))?;
        self.take_seat(Seated { title, table, auto: !manual, sitters: Vec::new() }, &notes)
    }

    fn take_seat(&mut self, mut seated: Seated, notes: &[String]) -> Result<Fields, Trouble> {
        let mut story = Story::for_viewer(seated.mover_view());
        seated.settle(&mut story);
        let mut answer = seated.summary();
        answer.insert("story".to_owned(), story_json(&story.lines));
        if !notes.is_empty() {
            answer.insert("notes".to_owned(), json!(notes));
        }
        self.seated = Some(seated);
        Ok(answer)
    }

    fn state(&mut self, request: &Request) -> Result<Fields, Trouble> {
        request.finish()?;
        let seated = self.seated()?;
        let mut answer = seated.summary();
        let viewer = seated.mover_view();
        answer.insert("sight".to_owned(), seated.table.sight(viewer));
        Ok(answer)
    }

    fn sight(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let viewer = request.text("viewer")?;
        let picture = request.flag("picture")?;
        request.finish()?;
        let seated = self.seated()?;
        let viewer = seated.viewer(viewer.as_deref())?;
        let mut answer = fields([("sight", seated.table.sight(viewer))]);
        if picture {
            answer.insert("picture".to_owned(), json!(seated.table.picture(viewer)));
        }
        Ok(answer)
    }

    fn choices(&mut self, request: &Request) -> Result<Fields, Trouble> {
        request.finish()?;
        let seated = self.seated()?;
        let fate = seated.table.mover() == Mover::Fate;
        let viewer = seated.mover_view();
        let open: Vec<Value> = seated
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
        let closed: Vec<Value> = seated
            .table
            .closed(viewer)
            .into_iter()
            .map(|closed| json!({ "name": closed.name, "reason": closed.refusal.reason, "rule": closed.refusal.rule }))
            .collect();
        let prompt = seated.table.prompt(viewer);
        Ok(fields([
            ("mover", seated.mover_json()),
            ("prompt", json!(prompt.text)),
            ("rule", json!(prompt.rule)),
            ("choices", json!(open)),
            ("usual", json!(seated.table.usual(viewer))),
            ("closed", json!(closed)),
        ]))
    }

    fn play(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let choice = request.required("choice", "{\"cmd\":\"play\",\"choice\":\"attack WF\"}")?;
        request.finish()?;
        let seated = self.seated()?;
        seated.play(&choice, "")
    }

    fn fate(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let choice = request.text_or_number("choice")?;
        request.finish()?;
        let seated = self.seated()?;
        let mut story = Story::for_viewer(seated.mover_view());
        seated.table.fate(choice.as_deref(), Some(&mut story))?;
        Ok(seated.after(story))
    }

    fn undo(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let scope = word_field(request, "scope", &["step", "turn"])?;
        let seat = request.text("seat")?;
        request.finish()?;
        let seated = self.seated()?;
        let seat = match seat {
            Some(word) => seated.seat(&word)?,
            None => Seat(0),
        };
        let scope = if scope.as_deref() == Some("turn") { Undo::Turn } else { Undo::Step };
        let steps = seated.table.undo(seat, scope)?;
        let mut answer = seated.summary();
        answer.insert("undone".to_owned(), json!(steps));
        Ok(answer)
    }

    fn log(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let from = request.number("from")?.unwrap_or(0);
        let viewer = request.text("viewer")?;
        request.finish()?;
        let seated = self.seated()?;
        let viewer = seated.viewer(viewer.as_deref())?;
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let entries: Vec<Value> = seated
            .table
            .log(from, viewer)
            .into_iter()
            .map(|entry| {
                let who = match entry.actor {
                    Actor::Fate => "fate",
                    Actor::Seat(seat) => seated.table.seats()[seat.index()].word,
                };
                let mut line = fields([
                    ("step", json!(entry.step)),
                    ("turn", json!(entry.turn)),
                    ("who", json!(who)),
                    ("forced", json!(entry.forced)),
                    ("choice", json!(entry.name)),
                    ("digest", json!(entry.digest.map(|digest| digest.to_string()))),
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

    fn go(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let word = request.text("bot")?.unwrap_or_else(|| "greedy".to_owned());
        let seed = request.number("seed")?;
        let only_think = request.flag("think")?;
        request.finish()?;
        let seated = self.seated()?;
        let bot = seated.title.bot(&word).map_err(Trouble::request)?;
        let mut dice = LabDice::new(seed.unwrap_or(seated.table.steps() as u64));
        let Said { choice, why } =
            seated.suggest(bot, &mut dice).ok_or_else(|| match seated.table.mover() {
                Mover::Nobody => Trouble::from(MatchError::Over),
                _ => Trouble::from(MatchError::FateToMove),
            })?;
        let mut answer = fields([("bot", json!(word)), ("choice", json!(choice))]);
        if !why.is_empty() {
            answer.insert("why".to_owned(), json!(why));
        }
        if only_think {
            return Ok(answer);
        }
        answer.extend(seated.play(&choice, &why)?);
        Ok(answer)
    }

    fn odds(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let question = request.text("question")?;
        request.finish()?;
        let seated = self.seated()?;
        let viewer = seated.mover_view();
        let Some(question) = question else {
            return Ok(fields([("questions", json!(seated.table.questions(viewer)))]));
        };
        let answer = seated.table.answer(&question, viewer).map_err(|message| Trouble {
            message,
            code: "bad-question",
            rule: "",
        })?;
        Ok(fields([("answer", answer_json(&answer))]))
    }

    fn save(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let path = request.text("file")?;
        let publish = request.flag("publish")?;
        request.finish()?;
        let seated = self.seated()?;
        let policy = if publish { SecretPolicy::Withhold } else { SecretPolicy::Keep };
        let text = seated.table.save(policy)?;
        match path {
            Some(path) => {
                write_text(Path::new(&path), &text).map_err(file)?;
                Ok(fields([("file", json!(path))]))
            }
            None => Ok(fields([("save", json!(text))])),
        }
    }

    fn rule(&mut self, request: &mut Request) -> Result<Fields, Trouble> {
        let number = request.required("number", "{\"cmd\":\"rule\",\"number\":\"2.5.3\"}")?;
        request.finish()?;
        let game = self.seated()?.title.id();
        let section = crate::rulebook::section(game, &number);
        match section {
            Some(text) => Ok(fields([("rule", json!(number)), ("text", json!(text))])),
            None => Err(Trouble::request(format!("there is no rule {:?}", shown(&number)))),
        }
    }
}

impl Seated {
    /// What a bot would choose now.
    fn suggest(&mut self, bot: BotKind, dice: &mut LabDice) -> Option<Said> {
        let Mover::Seat(seat) = self.table.mover() else { return None };
        let known = self.sitters.iter().position(|(at, kind, _)| *at == seat && *kind == bot);
        let known = known.unwrap_or_else(|| {
            self.sitters.push((seat, bot, self.title.sit(bot)));
            self.sitters.len() - 1
        });
        self.sitters[known].2.choose(&*self.table, dice)
    }

    /// Lets follow what needs nobody, unless the client wants to see every draw.
    fn settle(&mut self, story: &mut Story) {
        if self.auto {
            self.table.settle(Some(story));
        }
    }

    /// A choice of the seat that is to choose, and its reason where a bot gave one: the client plays for all seats.
    fn play(&mut self, choice: &str, why: &str) -> Result<Fields, Trouble> {
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

    fn after(&mut self, mut story: Story) -> Fields {
        self.settle(&mut story);
        let mut answer = fields([("story", story_json(&story.lines))]);
        answer.extend(self.position());
        answer
    }

    /// Where the match is.
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

    /// What the match is, and where.
    fn summary(&self) -> Fields {
        let mut answer = fields([
            ("game", json!(self.title.id())),
            ("title", json!(self.title.name())),
            ("rules", json!(self.table.rules_version())),
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

    fn mover_json(&self) -> Value {
        match self.table.mover() {
            Mover::Seat(seat) => json!(self.table.seats()[seat.index()].word),
            Mover::Fate => json!("fate"),
            Mover::Nobody => Value::Null,
        }
    }

    fn mover_view(&self) -> Viewer {
        match self.table.mover() {
            Mover::Seat(seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    fn seat(&self, word: &str) -> Result<Seat, Trouble> {
        let seats = self.table.seats();
        let at = seats.iter().position(|seat| seat.word == word);
        at.map(|at| Seat(at as u8)).ok_or_else(|| {
            let words: Vec<&str> = seats.iter().map(|seat| seat.word).collect();
            Trouble::request(format!("unknown seat {:?}; the seats are: {}", shown(word), words.join(", ")))
        })
    }

    fn viewer(&self, word: Option<&str>) -> Result<Viewer, Trouble> {
        match word {
            None => Ok(self.mover_view()),
            Some("spectator") => Ok(Viewer::Spectator),
            Some(word) => self.seat(word).map(Viewer::Seat),
        }
    }
}

/// A field that takes one of a few words.
fn word_field(request: &mut Request, key: &'static str, words: &[&str]) -> Result<Option<String>, Trouble> {
    match request.text(key)? {
        Some(word) if !words.contains(&word.as_str()) => {
            let message = format!("the field {key:?} is {:?}, expected {}", shown(&word), words.join(" or "));
            Err(Trouble::request(message))
        }
        word => Ok(word),
    }
}

fn fresh_secret() -> Result<Secret, Trouble> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)
        .map_err(|why| set_up(format!("this machine gives no random numbers ({why}); give a seed")))?;
    Ok(Secret(secret))
}

fn story_json(story: &[Telling]) -> Value {
    story.iter().map(|line| json!({ "text": line.text, "rule": line.rule })).collect()
}

fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Fields {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
