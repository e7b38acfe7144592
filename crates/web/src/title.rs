//! A game without its type, as the pages and the server hold it.

use std::any::Any;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use bots::analysis::{Analyst, SearchAnalyst};
use bots::external::{Command, External};
use bots::search::Resources;
use bots::{BotKind, Player, SeatedBot};
use diagnostics::Problems;
use kernel::{
    Catalogue, CompleteGame, Discard, Game, LoadError, Loaded, Match, MatchDice, Mover, Options, Recorder,
    Setup, Table, Viewer, Wording,
};
use maud::Markup;
use review::Reviewer;

use crate::assets::BoardFile;
use crate::chain;
use crate::lessons::{self, TitleLesson};
use crate::opponents::{BotOffer, bots_of};
use crate::plain;
use crate::rulebook::Rulebook;
use crate::scene::{Asked, Board, Menu, MenuItem, Scene, Tone};
use crate::told::{self, Movements, ToldAction, ToldStep};

/// The most steps that are looked at for the movements of the last turns.
const MOST_MOVEMENTS: usize = 3_000;
/// How many set-ups are kept for sharing between matches.
const SHARED_SETUPS: usize = 128;

/// A saved match that was read.
pub struct Opened {
    /// The match.
    pub table: Box<dyn Table>,
    /// What a person should know about it.
    pub notes: Vec<String>,
    /// Of how many steps the check numbers could not be compared.
    pub uncompared: usize,
}

impl<G: CompleteGame> From<Loaded<G>> for Opened {
    fn from(loaded: Loaded<G>) -> Self {
        Self { table: Box::new(loaded.game_match), notes: loaded.notes, uncompared: loaded.uncompared }
    }
}

/// When a position is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointInTime {
    /// As the match stands, with what may be chosen.
    Now,
    /// After this many choices.
    After(usize),
}

/// Everything the browser table needs of a game. One blanket implementation, [`Of`], serves all.
pub trait Title: Send + Sync {
    /// Its word.
    fn id(&self) -> &'static str;
    /// Its title for people.
    fn name(&self) -> &'static str;
    /// The version of its rules.
    fn rules_version(&self) -> &'static str;
    /// The game in a sentence.
    fn pitch(&self) -> &'static str;
    /// Whose game it is.
    fn credit(&self) -> &'static str;
    /// The address of its board's stylesheet.
    fn style_url(&self) -> &str;
    /// The files that its board brings along, the stylesheet first.
    fn files(&self) -> &[BoardFile];
    /// Whether pieces are picked up and put down on its board.
    fn pieces(&self) -> bool;
    /// Its rulebook, made ready at the first use.
    fn rulebook(&self) -> &Rulebook;
    /// What others choose that may concern anybody, as patterns of names.
    fn alarms(&self) -> &'static [&'static str];
    /// The questions that several seats answer in secret, one after the other: each by its rule, and what others are told meanwhile.
    fn secret_in_turn(&self) -> &'static [(&'static str, &'static str)];
    /// The fields of the form for a new game.
    fn new_game_fields(&self) -> Markup;
    /// Lets a program be asked to sit at its tables.
    fn welcome(&self, program: Command);
    /// The bots and programs that can sit at its tables, in the order in which they are offered.
    fn bots(&self) -> Vec<BotOffer>;
    /// A bot for a seat, by its word, or which there are. What it needs of the machine it may have.
    fn sit(&self, word: &str) -> Result<Box<dyn SeatedBot>, String> {
        self.sit_with(word, Resources::all())
    }
    /// The same with so many threads and so much memory.
    fn sit_with(&self, word: &str, resources: Resources) -> Result<Box<dyn SeatedBot>, String>;
    /// Whether a bot may take its time: one that searches, or a program.
    fn is_slow(&self, word: &str) -> bool;
    /// How long a program may take for an answer by the word of its owner; `None` for a bot of the server.
    fn patience(&self, word: &str) -> Option<Duration>;
    /// Somebody to ask what a position is worth.
    fn analyst(&self, resources: Resources) -> Box<dyn Analyst>;
    /// Somebody to look a match over.
    fn reviewer(&self) -> Box<dyn Reviewer>;
    /// The game for the laboratory.
    fn subject(&self) -> Box<dyn lab::Subject>;
    /// The set-up of options for statistics.
    fn setup_class(&self, options: &Options) -> (String, String);
    /// The signs and abbreviations on its board.
    fn legend(&self) -> &'static [(&'static str, &'static str)];
    /// Its lessons, the one for newcomers first.
    fn lessons(&self) -> &[TitleLesson];
    /// Checks its lessons against rules, board and rulebook, and returns a line for each.
    fn check_lessons(&self) -> Result<Vec<String>, Problems>;
    /// The set-ups that the lobby shows as cards.
    fn setups(&self) -> &[Setup];
    /// A new match.
    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String>;
    /// A saved match.
    fn load(&self, name: &str, text: &str) -> Result<Opened, LoadError>;
    /// The steps of a saved match that the current rules can replay; see [`Match::load_common`].
    fn load_common(&self, name: &str, text: &str) -> Result<Opened, LoadError>;
    /// The set-up of a match in a few words.
    fn setup_title(&self, table: &dyn Table) -> String;
    /// The sheet that never changes.
    fn sheet(&self, table: &dyn Table) -> Markup;
    /// The parts of the board, and what may be chosen: nothing in the past.
    fn draw(&self, table: &dyn Table, viewer: Viewer, moment: PointInTime, scene: &mut Scene) -> Menu;
    /// The actions that begin in a range of steps (counted from 0), as a viewer may see them.
    fn actions(&self, table: &dyn Table, range: Range<usize>, viewer: Viewer) -> Vec<ToldAction>;
    /// Some steps (counted from 0), as a viewer may see them.
    fn steps(&self, table: &dyn Table, range: Range<usize>, viewer: Viewer) -> Vec<ToldStep>;
    /// What is known about the piece with an `id`, for whoever points at it.
    fn about(&self, table: &dyn Table, viewer: Viewer, id: &str) -> Option<Scene>;
    /// Where pieces went since the previous turn began.
    fn movements(&self, table: &dyn Table, viewer: Viewer) -> Option<Movements>;
    /// A finished match in figures.
    fn tally(&self, table: &dyn Table) -> Vec<(String, String)>;
    /// The set-up with which a player of a game for one plays the other side.
    fn other_side(&self, options: &Options) -> Option<Options>;
    /// A small picture for the lobby, as a spectator sees it.
    fn thumbnail(&self, table: &dyn Table, tone: Tone) -> Markup;
    /// Pages to print.
    fn print(&self, table: &dyn Table, viewer: Viewer, blank: bool) -> Markup;
    /// The face of a die, where Fate's choice is one.
    fn die_face(&self, name: &str) -> Option<u8>;
    /// The question about the odds of an open choice, where it is a gamble.
    fn question(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<String>;
    /// The words for a choice that could be made now, or for the last link of a chain that could be.
    fn label(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<String>;
    /// What an open choice would do, for the one who is to make it: words, and parts to lay over the board. Of a chain it is
    /// the last link that is foreseen.
    fn preview(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<(String, Scene)>;
}

/// The [`Title`] of a game that has a board.
pub struct Of<B: Board> {
    setups: Mutex<HashMap<Options, B::Game>>,
    rulebook: OnceLock<Rulebook>,
    programs: RwLock<Vec<Command>>,
    files: OnceLock<Vec<BoardFile>>,
    lessons: OnceLock<Vec<TitleLesson>>,
    cards: OnceLock<Vec<Setup>>,
}

impl<B: Board> Of<B> {
    /// The title.
    pub fn new() -> Self {
        Self {
            setups: Mutex::default(),
            rulebook: OnceLock::new(),
            programs: RwLock::default(),
            files: OnceLock::new(),
            lessons: OnceLock::new(),
            cards: OnceLock::new(),
        }
    }

    /// The program of a name.
    fn program(&self, name: &str) -> Option<Command> {
        let programs = self.programs.read().unwrap_or_else(PoisonError::into_inner);
        programs.iter().find(|program| program.name() == name).cloned()
    }

    /// The set-up of options, shared with all matches that have the same: rules and data weigh far more than a position.
    fn setup(&self, options: &Options) -> Result<B::Game, String> {
        let mut setups = self.setups.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = setups.get(options) {
            return Ok(game.clone());
        }
        let game = B::Game::with_options(options)?;
        if setups.len() >= SHARED_SETUPS {
            setups.clear();
        }
        setups.insert(options.clone(), game.clone());
        // The same set-up under its complete options, as saves have them.
        setups.insert(game.options(), game.clone());
        Ok(game)
    }
}

impl<B: Board> Default for Of<B> {
    fn default() -> Self {
        Self::new()
    }
}

/// The match behind a table of this game; `None` for a table of another.
fn of<B: Board>(table: &dyn Table) -> Option<&Match<B::Game>> {
    (table as &dyn Any).downcast_ref()
}

impl<B: Board> Title for Of<B> {
    fn id(&self) -> &'static str {
        B::Game::ID
    }

    fn name(&self) -> &'static str {
        B::Game::TITLE
    }

    fn rules_version(&self) -> &'static str {
        B::Game::RULES_VERSION
    }

    fn pitch(&self) -> &'static str {
        B::PITCH
    }

    fn credit(&self) -> &'static str {
        B::CREDIT
    }

    fn style_url(&self) -> &str {
        self.files()[0].url()
    }

    fn files(&self) -> &[BoardFile] {
        self.files.get_or_init(|| {
            let name: &'static str = format!("board-{}.css", B::Game::ID).leak();
            let mut files = vec![BoardFile::new(name, "text/css; charset=utf-8", B::STYLE)];
            files.extend(B::files());
            files
        })
    }

    fn pieces(&self) -> bool {
        B::PIECES
    }

    fn alarms(&self) -> &'static [&'static str] {
        <B::Game as Catalogue>::ALARMS
    }

    fn secret_in_turn(&self) -> &'static [(&'static str, &'static str)] {
        B::SECRET_IN_TURN
    }

    fn rulebook(&self) -> &Rulebook {
        self.rulebook.get_or_init(|| {
            let book = if B::RULEBOOK.is_empty() { plain::rulebook::<B::Game>().leak() } else { B::RULEBOOK };
            Rulebook::new(B::Game::TITLE, book)
        })
    }

    fn new_game_fields(&self) -> Markup {
        B::new_game_fields(&self.bots())
    }

    fn welcome(&self, program: Command) {
        self.programs.write().unwrap_or_else(PoisonError::into_inner).push(program);
    }

    fn bots(&self) -> Vec<BotOffer> {
        bots_of::<B::Game>(&self.programs.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn sit_with(&self, word: &str, resources: Resources) -> Result<Box<dyn SeatedBot>, String> {
        // A bot of the server goes before a program that calls itself the same.
        match (BotKind::parse::<B::Game>(word), self.program(word)) {
            (Ok(kind), _) => Ok(Box::new(Player::<B::Game>::with_resources(kind, resources))),
            (Err(_), Some(program)) => Ok(Box::new(External::new(program))),
            (Err(why), None) => Err(why),
        }
    }

    fn is_slow(&self, word: &str) -> bool {
        BotKind::parse::<B::Game>(word).map_or(true, BotKind::searches)
    }

    fn patience(&self, word: &str) -> Option<Duration> {
        let program = self.program(word).filter(|_| BotKind::parse::<B::Game>(word).is_err());
        program.map(|program| program.patience())
    }

    fn analyst(&self, resources: Resources) -> Box<dyn Analyst> {
        Box::new(SearchAnalyst::<B::Game>::new(resources))
    }

    fn reviewer(&self) -> Box<dyn Reviewer> {
        Box::new(review::Of::<B::Game>::new())
    }

    fn subject(&self) -> Box<dyn lab::Subject> {
        Box::new(lab::Of::<B::Game>::new())
    }

    fn setup_class(&self, options: &Options) -> (String, String) {
        B::setup_class(options)
    }

    fn legend(&self) -> &'static [(&'static str, &'static str)] {
        B::Game::LEGEND
    }

    fn lessons(&self) -> &[TitleLesson] {
        self.lessons.get_or_init(|| lessons::read(B::Game::ID, B::Game::LESSONS))
    }

    fn check_lessons(&self) -> Result<Vec<String>, Problems> {
        lessons::check_builtin(self, B::Game::LESSONS)
    }

    fn setups(&self) -> &[Setup] {
        self.cards.get_or_init(B::Game::setups)
    }

    fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String> {
        Ok(Box::new(Match::open(self.setup(options)?, dice)?))
    }

    fn load(&self, name: &str, text: &str) -> Result<Opened, LoadError> {
        Match::<B::Game>::load_with(name, text, |options| self.setup(options)).map(Opened::from)
    }

    fn load_common(&self, name: &str, text: &str) -> Result<Opened, LoadError> {
        Match::<B::Game>::load_common(name, text, |options| self.setup(options)).map(Opened::from)
    }

    fn setup_title(&self, table: &dyn Table) -> String {
        of::<B>(table).map_or_else(String::new, |shown| B::setup_title(shown.game()))
    }

    fn sheet(&self, table: &dyn Table) -> Markup {
        of::<B>(table).map_or_else(Markup::default, |shown| B::sheet(shown.game()))
    }

    fn draw(&self, table: &dyn Table, viewer: Viewer, moment: PointInTime, scene: &mut Scene) -> Menu {
        let Some(shown) = of::<B>(table) else { return Menu::default() };
        let game = shown.game();
        if let PointInTime::After(steps) = moment {
            let past = (steps < table.steps()).then(|| shown.state_at(steps));
            let view = game.view(past.as_ref().unwrap_or(shown.state()), viewer);
            B::draw(game, &view, &Asked::NOTHING, scene);
            return Menu::default();
        }
        let view = game.view(shown.state(), viewer);
        let choices = shown.choices_for(viewer);
        let closed = shown.closed_for(viewer, &choices);
        let default = if choices.is_empty() { None } else { game.default_choice(shown.state()) };
        let default = default.and_then(|default| choices.iter().position(|choice| *choice == default));
        let open: Vec<_> = choices.into_iter().map(|choice| (choice, shown.name(choice))).collect();
        let reasons: Vec<_> = closed.iter().map(|(choice, refusal)| (*choice, refusal.to_string())).collect();
        B::draw(game, &view, &Asked { open: &open, closed: &reasons }, scene);
        let item = |(choice, name): (_, String)| MenuItem {
            label: game.label(shown.state(), choice),
            question: B::question(game, &view, choice),
            face: B::die_face(&name),
            group: B::group(game, &view, choice),
            name,
        };
        Menu { closed: closed.len(), open: open.into_iter().map(item).collect(), default }
    }

    fn actions(&self, table: &dyn Table, range: Range<usize>, viewer: Viewer) -> Vec<ToldAction> {
        of::<B>(table).map_or_else(Vec::new, |shown| told::actions::<B>(shown, range, viewer))
    }

    fn steps(&self, table: &dyn Table, range: Range<usize>, viewer: Viewer) -> Vec<ToldStep> {
        of::<B>(table).map_or_else(Vec::new, |shown| told::steps::<B>(shown, range, viewer))
    }

    fn about(&self, table: &dyn Table, viewer: Viewer, id: &str) -> Option<Scene> {
        let shown = of::<B>(table)?;
        B::about(shown.game(), &shown.game().view(shown.state(), viewer), id)
    }

    fn movements(&self, table: &dyn Table, viewer: Viewer) -> Option<Movements> {
        told::movements::<B>(of::<B>(table)?, MOST_MOVEMENTS, viewer)
    }

    fn tally(&self, table: &dyn Table) -> Vec<(String, String)> {
        of::<B>(table).filter(|shown| !shown.hides()).map_or_else(Vec::new, |shown| {
            let mut recorder = Recorder::default();
            shown.replay(0, &mut recorder, |_, _, _, _| {});
            let events: Vec<_> = recorder.events.into_iter().map(|(_, event)| event).collect();
            B::tally(shown.game(), &events)
        })
    }

    fn other_side(&self, options: &Options) -> Option<Options> {
        B::other_side(options)
    }

    fn thumbnail(&self, table: &dyn Table, tone: Tone) -> Markup {
        of::<B>(table).map_or_else(Markup::default, |shown| {
            let game = shown.game();
            B::thumbnail(game, &game.view(shown.state(), Viewer::Spectator), tone)
        })
    }

    fn print(&self, table: &dyn Table, viewer: Viewer, blank: bool) -> Markup {
        of::<B>(table).map_or_else(Markup::default, |shown| {
            let game = shown.game();
            let view = game.view(shown.state(), viewer);
            B::print(game, (!blank).then_some(&view))
        })
    }

    fn die_face(&self, name: &str) -> Option<u8> {
        B::die_face(name)
    }

    fn question(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<String> {
        let shown = of::<B>(table)?;
        let game = shown.game();
        B::question(game, &game.view(shown.state(), viewer), game.read_name(shown.state(), choice)?)
    }

    fn label(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<String> {
        let shown = of::<B>(table)?;
        let (state, last) = come_to(shown, viewer, choice)?;
        Some(shown.game().label(&state, last))
    }

    fn preview(&self, table: &dyn Table, viewer: Viewer, choice: &str) -> Option<(String, Scene)> {
        let shown = of::<B>(table)?;
        let game = shown.game();
        let (state, last) = come_to(shown, viewer, choice)?;
        B::preview(game, &game.view(&state, viewer), last)
    }
}

/// The position in which the last link of a chain would be chosen, and that link. Only what is open can be foreseen, and
/// only the seat that chooses may ask. Where the game hides something nothing is foreseen behind the first link: what it
/// would lead to may be more than the seat knows.
fn come_to<G: CompleteGame>(shown: &Match<G>, viewer: Viewer, chain: &str) -> Option<(G::State, G::Choice)> {
    let game = shown.game();
    let mut state = shown.state().clone();
    let mut links = chain::links(chain).peekable();
    while let Some(link) = links.next() {
        let Mover::Seat(seat) = game.mover(&state) else { return None };
        let choice = game.read_name(&state, link)?;
        if viewer != Viewer::Seat(seat) || !game.is_legal(&state, choice) {
            return None;
        }
        if links.peek().is_none() {
            return Some((state, choice));
        }
        if game.hides() {
            return None;
        }
        game.apply(&mut state, choice, &mut Discard);
    }
    None
}
