//! A game in plain text, independent of where lines come from and go to.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bots::external::{External, Opponent};
use bots::{BotChoice, BotKind, SeatedBot};
use diagnostics::shown;
use kernel::{
    Answer, Dice as _, LabDice, LogLine, MatchDice, MatchError, Mover, Names, Seat, SeatSet, SecretPolicy,
    Standing, Story, Table, Undo, Viewer,
};
use web::Opened;

use super::pieces::{self, Meant};
use crate::files::write_text;
use crate::registry::GameEntry;

const HELP: &str = "  a number or a name   choose
  Enter                the default choice, if there is one; otherwise the list again
  back                 another piece, where you picked a piece first
  u, u turn            undo the last choice, or the whole turn
  ?                    what is not possible now, and why
  ? NAME               why a choice is not possible, or a rule (? 2.5)
  r, r RULE            the rule for this question, or any rule (for example r 2.5)
  o, o QUESTION        odds; without a question, all that apply
  w                    the reasons behind the last automatic choices and the bots' choices
  b                    the board
  l                    the log of this turn; l all for the whole log
  h                    a hint: what the greedy bot would choose
  s FILE               save a copy
  q                    quit; the match is saved and can be resumed
";

/// What happens next.
pub enum Step {
    /// Something to print.
    Say(String),
    /// Something to print, then the player types a line.
    Ask(String),
    /// The player leaves.
    Quit,
    /// The game is over.
    Over(String),
}

/// Who plays another seat.
enum Chair {
    Bot(Box<dyn SeatedBot>),
    Program(Box<External>),
}

impl Chair {
    fn choose(&mut self, table: &dyn Table, dice: &mut LabDice) -> Option<BotChoice> {
        let never = AtomicBool::new(false);
        match self {
            Self::Bot(bot) => bot.choose(table, dice, &never),
            Self::Program(program) => program.choose(table, dice, &never),
        }
    }
}

/// A game being played in plain text.
pub struct Session {
    game: &'static GameEntry,
    table: Box<dyn Table>,
    notes: Vec<String>,
    /// The seat of the person at this terminal.
    me: Seat,
    /// Who plays the other seats, by seat; the person's own stays empty.
    bots: Vec<Option<Chair>>,
    /// Their name.
    opponent: String,
    /// Explanations that are shown on request.
    asides: Vec<String>,
    /// Whether the person has made a choice since they were stored.
    asides_are_old: bool,
    /// The turn whose picture was last shown.
    shown: Option<u16>,
    /// The step at which the choices were last listed, so that a question does not list them again.
    asked: Option<usize>,
    /// The piece that was picked at a step, as the beginning of its choices' names.
    picked: Option<(usize, String)>,
    quitting: bool,
}

impl Session {
    /// A session at an opened match: a person in one seat, a bot or a program in all others.
    pub fn new(
        game: &'static GameEntry,
        opened: Opened,
        seat: Option<&str>,
        opponent: &Opponent,
    ) -> Result<Self, String> {
        let Opened { mut table, notes, .. } = opened;
        let words: Vec<&str> = table.seats().iter().map(|seat| seat.word).collect();
        let me = match seat {
            None => 0,
            Some(word) => words
                .iter()
                .position(|known| known.eq_ignore_ascii_case(word))
                .ok_or_else(|| format!("--seat {:?}: the seats are {}", shown(word), words.join(", ")))?,
        };
        let others = (0..words.len()).filter(|at| *at != me);
        let mut bots: Vec<Option<Chair>> = words.iter().map(|_| None).collect();
        let mut name = "a bot".to_owned();
        for at in others {
            bots[at] = Some(match opponent {
                Opponent::Bot(kind) => {
                    kind.check_seats(words.len()).map_err(|why| why.to_string())?;
                    Chair::Bot(game.tools.sit(*kind))
                }
                Opponent::Program(command) => {
                    let mut program = Box::new(External::new(command.clone()));
                    let seed = LabDice::new(table.steps() as u64).word();
                    let never = AtomicBool::new(false);
                    let called = program.greet(&*table, Seat(at as u8), seed, &never);
                    let called = called.map_err(|why| format!("{}: {why}", command.name()))?;
                    name = format!("the program {called}");
                    Chair::Program(program)
                }
            });
        }
        let me = Seat(me as u8);
        table.seat_persons(SeatSet::default().with(me));
        Ok(Self {
            game,
            table,
            notes,
            me,
            bots,
            opponent: name,
            asides: Vec::new(),
            asides_are_old: false,
            shown: None,
            asked: None,
            picked: None,
            quitting: false,
        })
    }

    /// The match as text.
    pub fn save(&self) -> Result<String, String> {
        self.table.save(SecretPolicy::Keep).map_err(|why| why.to_string())
    }

    /// The greeting.
    pub fn greeting(&self) -> String {
        let mut out = String::new();
        let options = self.table.options();
        let options: Vec<String> = options
            .iter()
            .map(|(key, value)| match value.lines().next() {
                Some(first) if value.contains('\n') => format!("{key} {first} …"),
                first => format!("{key} {}", first.unwrap_or_default()),
            })
            .collect();
        let _ = writeln!(out, "{} ({})", self.game.name(), options.join(", "));
        match self.table.dice() {
            MatchDice::Own => out.push_str("Dice: your own. Enter the results.\n"),
            MatchDice::Fair { commitment, .. } => {
                let _ = writeln!(out, "Dice: fair. Commitment (SHA-256 of the secret): {commitment}");
            }
        }
        for note in &self.notes {
            let _ = writeln!(out, "Note: {note}");
        }
        if self.bots.len() > 1 {
            let seat = self.table.seats()[self.me.index()].title;
            let _ = writeln!(out, "You play the {seat}; {} plays the other side.", self.opponent);
        }
        out.push_str("Type h? for help.\n");
        out
    }

    /// Runs the match until the person must type something.
    pub fn next(&mut self) -> Step {
        if self.quitting {
            return Step::Quit;
        }
        let turn = self.table.turn();
        let mut story = Story::for_viewer(self.viewer());
        self.table.play_forced(Some(&mut story));
        if !story.lines.is_empty() {
            return Step::Say(self.show(turn, story.lines));
        }
        match self.table.mover() {
            Mover::Seat(seat) if seat != self.me => self.bot_plays(seat),
            Mover::Nobody => {
                for chair in self.bots.iter_mut().flatten() {
                    if let Chair::Program(program) = chair {
                        program.game_over(&*self.table);
                    }
                }
                let result = self.table.result();
                let title = result.as_ref().map_or("", |result| result.title.as_str());
                let fared = match result.as_ref().and_then(|result| result.standings.get(self.me.index())) {
                    Some(Standing::Win) => "You won.",
                    Some(Standing::Loss) => "You lost.",
                    _ => "Nobody won.",
                };
                Step::Over(format!("\n{}\n\n{title}. {fared}\n\n", self.table.picture(Viewer::Spectator)))
            }
            Mover::Fate => {
                let prompt = self.table.prompt(self.viewer());
                Step::Ask(format!(
                    "{}Roll for {}{}: ",
                    self.picture_of_new_turn(),
                    prompt.text,
                    in_brackets(prompt.rule)
                ))
            }
            Mover::Seat(_) => Step::Ask(self.question()),
        }
    }

    fn picture_of_new_turn(&mut self) -> String {
        if self.shown == Some(self.table.turn()) {
            return String::new();
        }
        self.shown = Some(self.table.turn());
        format!("\n{}\n", self.table.picture(self.viewer()))
    }

    fn viewer(&self) -> Viewer {
        Viewer::Seat(self.me)
    }

    /// Makes a bot's choice and returns what the person may see of it.
    fn bot_plays(&mut self, seat: Seat) -> Step {
        let turn = self.table.turn();
        let mut dice = LabDice::new(self.table.steps() as u64);
        let chosen = self.bots[seat.index()].as_mut().and_then(|bot| bot.choose(&*self.table, &mut dice));
        if let (None, Some(Chair::Program(program))) = (&chosen, &self.bots[seat.index()]) {
            let why = program.failure().unwrap_or("it made no choice").to_owned();
            self.bots[seat.index()] = Some(Chair::Bot(self.game.tools.sit(BotKind::Greedy)));
            let opponent = capital(&self.opponent);
            return Step::Say(format!("{opponent} failed: {why}. The greedy bot takes over.\n"));
        }
        let step = self.table.steps();
        let mut story = Story::for_viewer(self.viewer());
        let played = match &chosen {
            Some(said) => {
                self.table.play(seat, &said.choice, Some(&mut story)).map_err(|why| why.to_string())
            }
            None => Err("it made no choice".to_owned()),
        };
        if let Err(why) = played {
            self.quitting = true;
            return Step::Say(format!("The bot could not choose: {why}.\n"));
        }
        let said = chosen.unwrap_or_default();
        self.table.remark(step, &said.why);
        let who = self.table.seats()[seat.index()].title;
        let told = self.show(turn, story.lines);
        // As the player may see it: in games with hidden information neither every choice nor its reason is shown.
        let entry = self.table.log(step, self.viewer()).into_iter().next();
        let (name, why) = entry.map_or((None, None), |entry| (entry.name, entry.remark));
        if let Some(why) = why {
            self.keep_asides([format!("  {who}: {why}\n")]);
        }
        let name = name.unwrap_or_else(|| "has chosen in secret".to_owned());
        Step::Say(format!("{who}: {name}\n{told}"))
    }

    /// The log lines, with a heading for a new turn; explanations are stored for `why`.
    fn show(&mut self, from_turn: u16, lines: Vec<LogLine>) -> String {
        let headings: Vec<String> =
            (from_turn..=self.table.turn()).map(|turn| self.table.turn_title(turn)).collect();
        let (asides, lines): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.aside);
        self.keep_asides(asides.iter().map(|line| format!("  {}{}\n", line.text, in_brackets(line.rule))));
        story_text(&lines, &headings)
    }

    /// Stores explanations for `why`; the first after the person's own choice replaces the earlier ones.
    fn keep_asides(&mut self, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            if std::mem::take(&mut self.asides_are_old) {
                self.asides.clear();
            }
            self.asides.push(line);
        }
    }

    /// The board, the question and the numbered choices.
    fn question(&mut self) -> String {
        if self.asked.replace(self.table.steps()) == Some(self.table.steps()) {
            return "> ".to_owned();
        }
        let mut out = self.picture_of_new_turn();
        let prompt = self.table.prompt(self.viewer());
        let _ = writeln!(out, "\n{}{}", prompt.text, in_brackets(prompt.rule));
        let offers = self.table.offers(self.viewer());
        match self.picked_piece() {
            Some(key) => pieces::list_spaces(&offers, key, &mut out),
            None => pieces::list_entries(&offers, &mut out),
        }
        if let Some(default) = self.table.default_choice(self.viewer()) {
            let _ = writeln!(out, "  Enter: {default}");
        }
        out.push_str("> ");
        out
    }

    /// The piece that was picked at this question.
    fn picked_piece(&self) -> Option<&str> {
        self.picked.as_ref().filter(|(step, _)| *step == self.table.steps()).map(|(_, key)| key.as_str())
    }

    /// Picks a piece, or none; the question is put again.
    fn pick(&mut self, key: Option<String>) -> String {
        self.picked = key.map(|key| (self.table.steps(), key));
        self.asked = None;
        String::new()
    }

    /// Handles a line from the player and returns the answer.
    pub fn enter(&mut self, line: &str) -> String {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => match self.table.default_choice(self.viewer()) {
                Some(default) => self.choose(&default),
                None => {
                    self.asked = None;
                    String::new()
                }
            },
            "q" | "quit" => {
                self.quitting = true;
                String::new()
            }
            "u" | "undo" => self.undo(rest),
            "?" => self.why_not(rest),
            "h?" | "help" => HELP.to_owned(),
            "h" | "hint" => self.hint(),
            "r" | "rule" => self.rule(rest),
            "o" | "odds" => self.odds(rest),
            "b" | "board" => format!("{}\n", self.table.picture(self.viewer())),
            "l" | "log" => self.log(rest == "all"),
            "w" | "why" if self.asides.is_empty() => "No reason was given for the last choices.\n".to_owned(),
            "w" | "why" => self.asides.concat(),
            "s" | "save" => self.save_copy(rest),
            "back" if self.picked_piece().is_some() => self.pick(None),
            _ => self.choose(line),
        }
    }

    fn choose(&mut self, line: &str) -> String {
        let turn = self.table.turn();
        let mut story = Story::for_viewer(self.viewer());
        let seat = self.me;
        let result = match self.table.mover() {
            Mover::Fate => self.table.fate(Some(line), Some(&mut story)),
            _ => match pieces::meant(&self.table.offers(self.viewer()), self.picked_piece(), line) {
                Ok(Meant::Choice(name)) => self.table.play(seat, &name, Some(&mut story)),
                Ok(Meant::Piece(key)) => return self.pick(Some(key)),
                Err(why) => return why,
            },
        };
        match result {
            Ok(()) => {
                self.asides_are_old = true;
                self.show(turn, story.lines)
            }
            Err(MatchError::Unknown { .. }) if self.table.mover() == Mover::Fate => self.what_fate_can_show(),
            Err(why @ MatchError::Unknown { .. }) => {
                let asked = self.table.prompt(self.viewer()).text;
                let why = capital(&why.to_string());
                let end = if why.ends_with('?') { "" } else { "." };
                format!("{why}{end} The question is: {asked}. Type h? for help.\n")
            }
            Err(why) => format!("{}. Type ? to see why, h? for help.\n", capital(&why.to_string())),
        }
    }

    /// The results that can be entered for the player's own dice or tokens.
    fn what_fate_can_show(&mut self) -> String {
        let mut names = Names::default();
        self.table.offer_names(&mut names);
        if names.iter().all(|name| name.starts_with("die ")) {
            return format!("A die shows 1 to {}. Type h? for help.\n", names.len());
        }
        let names: Vec<&str> = names.iter().collect();
        format!("Possible results: {}. Type h? for help.\n", names.join(", "))
    }

    fn undo(&mut self, rest: &str) -> String {
        let scope = match rest {
            "" => Undo::Step,
            "turn" => Undo::Turn,
            _ => return "Type u, or u turn.\n".to_owned(),
        };
        let before = self.table.takebacks();
        match self.table.undo(self.me, scope) {
            Ok(steps) => {
                self.shown = None;
                self.asked = None;
                self.asides.clear();
                let marked = if self.table.takebacks() > before {
                    " Dice had already been rolled; the record notes this undo."
                } else {
                    ""
                };
                format!("Undone: {steps} step{}.{marked}\n", if steps == 1 { "" } else { "s" })
            }
            Err(why) => format!("{}.\n", capital(&why.to_string())),
        }
    }

    fn why_not(&self, name: &str) -> String {
        if name.is_empty() {
            let closed = self.table.closed(self.viewer());
            if closed.is_empty() {
                return "Everything you might look for here is possible. Type ? NAME to ask about a choice.\n"
                    .to_owned();
            }
            return closed.iter().map(|closed| format!("  {}: {}\n", closed.name, closed.refusal)).collect();
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) && name.contains('.') {
            return self.rule(name);
        }
        match self.table.why_not(self.viewer(), name) {
            Ok(()) => format!("You can choose {name} now.\n"),
            Err(why) => format!("{}.\n", capital(&why.to_string())),
        }
    }

    fn hint(&self) -> String {
        let mut dice = LabDice::new(self.table.steps() as u64);
        match self.game.tools.sit(BotKind::Greedy).choose(&*self.table, &mut dice, &AtomicBool::new(false)) {
            Some(said) => format!("The greedy bot would choose: {}\n", said.choice),
            None => "There is nothing to decide right now.\n".to_owned(),
        }
    }

    fn rule(&self, rule: &str) -> String {
        let rule = if rule.is_empty() { self.table.prompt(self.viewer()).rule } else { rule };
        match self.game.title.rulebook().section_markdown(rule) {
            Some(section) => format!("{section}\n"),
            None => format!("There is no rule {rule:?}.\n"),
        }
    }

    fn odds(&self, question: &str) -> String {
        let viewer = self.viewer();
        let answer = |question: &str| match self.table.answer(question, viewer) {
            Ok(answer) => answer.to_string(),
            Err(why) => format!("{}.\n", capital(&why)),
        };
        if !question.is_empty() {
            return answer(question);
        }
        // One line for each question that makes sense here.
        let mut out = String::new();
        for question in self.table.questions(viewer) {
            if let Ok(answer) = self.table.answer(&question, viewer) {
                let results: Vec<String> =
                    answer.results.iter().map(|(what, chance)| format!("{what} {chance}")).collect();
                let results = if results.is_empty() { facts(&answer) } else { results.join("; ") };
                let _ = writeln!(out, "  {question:18} {results}");
            }
        }
        out
    }

    fn log(&self, all: bool) -> String {
        let mut out = String::new();
        let turn = self.table.turn();
        for entry in self.table.log(0, self.viewer()) {
            if all || entry.turn == turn {
                let name = entry.name.as_deref().unwrap_or("(hidden)");
                let _ = writeln!(out, "{:>5}  {name}", entry.step);
                out.push_str(&story_text(&entry.story, &[self.table.turn_title(entry.turn)]));
            }
        }
        out
    }

    fn save_copy(&self, file: &str) -> String {
        if file.is_empty() {
            return "Type s and a file name, for example s my-war.match\n".to_owned();
        }
        match self.save().and_then(|text| write_text(Path::new(file), &text)) {
            Ok(()) => format!("Saved to {file}\n"),
            Err(why) => format!("{}.\n", capital(&why)),
        }
    }
}

fn facts(answer: &Answer) -> String {
    answer.facts.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join("; ")
}

/// " [2.5.3]", or nothing for a game without rule numbers.
fn in_brackets(rule: &str) -> String {
    if rule.is_empty() { String::new() } else { format!(" [{rule}]") }
}

/// Log lines as text; headings of turns stand out.
fn story_text(story: &[LogLine], headings: &[String]) -> String {
    let mut out = String::new();
    for line in story {
        if headings.contains(&line.text) {
            let _ = writeln!(out, "\n{}\n{}", line.text, "-".repeat(line.text.chars().count()));
        } else {
            let _ = writeln!(out, "  {}{}", line.text, in_brackets(line.rule));
        }
    }
    out
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
