//! What a game adds to be played in the browser, and the scene that it draws.

mod changes;

use std::collections::HashMap;

use kernel::{Catalogue, CompleteGame, Game, Options, Viewer};
use maud::{Markup, PreEscaped};
use serde::Serialize;

use crate::assets::BoardFile;
use crate::opponents::BotOffer;
use crate::plain;
use crate::told::{Dated, Movements, Trace};

pub(crate) use changes::SceneMarks;
pub use changes::{Changes, Place};

/// A piece of the page that can change: one element, known by its `id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part(
    /// The `id` of the element.
    pub String,
    /// The `id` of the element that holds it, where it is added if the page does not have it yet; `None` where the
    /// element is of the sheet and only its class changes.
    pub Option<&'static str>,
    /// The element, or its class.
    pub String,
);

/// Everything on the page that can change, drawn for one viewer at one moment.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The parts in the order in which they are drawn.
    pub parts: Vec<Part>,
}

impl Scene {
    /// Adds a part; `html` must be one element whose `id` is `key`.
    pub fn add(&mut self, parent: &'static str, key: impl Into<String>, html: Markup) {
        self.parts.push(Part(key.into(), Some(parent), html.into_string()));
    }

    /// Gives an element of the sheet another class: for much text of which little changes.
    pub fn class(&mut self, key: impl Into<String>, class: impl Into<String>) {
        self.parts.push(Part(key.into(), None, class.into()));
    }

    /// Puts the drawn parts into the empty places of a sheet, for the first showing of the page.
    pub fn fill(&self, sheet: Markup) -> Markup {
        let sheet = sheet.into_string();
        let mut held: HashMap<&str, Vec<&str>> = HashMap::new();
        for Part(_, parent, html) in &self.parts {
            if let Some(parent) = parent {
                held.entry(parent).or_default().push(html);
            }
        }
        let drawn = self.parts.iter().map(|Part(_, _, html)| html.len()).sum::<usize>();
        let mut page = String::with_capacity(sheet.len() + drawn);
        let mut rest = sheet.as_str();
        while let Some((before, after)) = rest.split_once(" id=\"") {
            let id = after.split('"').next().unwrap_or_default();
            // The place of an element is right behind its opening tag.
            let tag = before.len() + after.find('>').map_or(after.len(), |end| end + 1) + 5;
            let (head, tail) = rest.split_at(tag);
            page.push_str(head);
            for html in held.remove(id).into_iter().flatten() {
                page.push_str(html);
            }
            rest = tail;
        }
        page.push_str(rest);
        PreEscaped(page)
    }

    /// The parts that are classes of the sheet's own elements.
    pub(crate) fn classes(&self) -> Vec<&Part> {
        self.parts.iter().filter(|Part(_, parent, _)| parent.is_none()).collect()
    }
}

/// What the viewer may choose now, for lighting places on the board.
pub struct Asked<'a, C> {
    /// The open choices with their names.
    pub open: &'a [(C, String)],
    /// Choices that a person would look for and can't have, with the reason.
    pub closed: &'a [(C, String)],
}

impl<C: Copy> Asked<'_, C> {
    /// Nothing is asked: a moment of the past, a spectator, the end.
    pub const NOTHING: Self = Self { open: &[], closed: &[] };

    /// The names of the open choices that belong to a place, parted by `|` as the client expects them; `None` where
    /// there are none.
    pub fn names(&self, mut belongs: impl FnMut(C) -> bool) -> Option<String> {
        let names: Vec<&str> =
            self.open.iter().filter(|(choice, _)| belongs(*choice)).map(|(_, name)| name.as_str()).collect();
        (!names.is_empty()).then(|| names.join("|"))
    }

    /// Why a place can't be chosen now, where a person would look for it.
    pub fn reason(&self, mut belongs: impl FnMut(C) -> bool) -> Option<&str> {
        self.closed.iter().find(|(choice, _)| belongs(*choice)).map(|(_, reason)| reason.as_str())
    }
}

/// An open choice, for the list beside the board.
#[derive(Clone, Debug)]
pub struct MenuItem {
    /// Its stable name.
    pub name: String,
    /// The choice in words.
    pub label: String,
    /// The question about its odds, where it is a gamble.
    pub question: Option<String>,
    /// The face of a die, where it is one.
    pub face: Option<u8>,
    /// The heading under which it stands, and what it is called there; see [`Board::group`].
    pub group: Option<(String, String)>,
}

/// What a viewer may choose now, in words: listed once for the board and for the list beside it.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    /// The open choices.
    pub open: Vec<MenuItem>,
    /// The one that a person takes by just going on, by its place among them.
    pub default: Option<usize>,
    /// How many choices a person may look for that are not possible now. Why not, is asked for when the list is opened.
    pub closed: usize,
}

/// Light or dark, for pictures that can't follow the page by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// On light paper.
    #[default]
    Light,
    /// On a dark ground.
    Dark,
}

impl Tone {
    /// One of two colours.
    pub const fn pick<T: Copy>(self, light: T, dark: T) -> T {
        match self {
            Self::Light => light,
            Self::Dark => dark,
        }
    }
}

/// What a viewer of a board's game sees.
pub type ViewOf<'s, B> = <<B as Board>::Game as Game>::View<'s>;
/// A choice of a board's game.
pub type ChoiceOf<B> = <<B as Board>::Game as Game>::Choice;

/// How a game is shown in the browser. See ARCHITECTURE.md, "A board of its own".
///
/// Everything but the game has a default, which is the [plain board](crate::PlainBoard): a position as a picture in text and as
/// tables. So a board can be drawn piece by piece.
///
/// A place that can be clicked carries `data-choice` with the name of its choice (several parted by `|`: the client asks
/// which). A choice may be a *chain* of choices of the same seat, separated by ` > ` (`crate::chain::LINK`), for a way that takes
/// several: they are made one after the other as far as each is open. A piece that glides carries `class="glide"` and a
/// `transform="translate(x y)"`.
///
/// A piece that is picked up first carries `data-piece` with the beginning of its choices' names (`place army2`): while it
/// is picked, only the places light up whose choices begin so. A place carries `data-place` with what completes such a name
/// (`EE.1.1`), so that the table can say why a piece can't go there.
pub trait Board: Send + Sync + 'static {
    /// The game that it shows.
    type Game: CompleteGame;

    /// Who designed and published the game, with a sentence.
    const CREDIT: &'static str = "";
    /// The game in a sentence or two, for the lobby.
    const PITCH: &'static str = <Self::Game as Catalogue>::PITCH;
    /// The rulebook in Markdown; without one, a page is made of the options and the bots.
    const RULEBOOK: &'static str = <Self::Game as Catalogue>::RULEBOOK;
    /// The stylesheet of the board.
    const STYLE: &'static str = plain::STYLE;
    /// Further files that the board refers to, such as a map of its own.
    fn files() -> Vec<BoardFile> {
        Vec::new()
    }
    /// Whether pieces are picked up and put down on the board (`data-piece`), so that the help says how.
    const PIECES: bool = false;
    /// The questions that several seats answer in secret, one after the other: there a seat may choose before the others have. Each
    /// by its rule, and by what others are told meanwhile.
    const SECRET_IN_TURN: &'static [(&'static str, &'static str)] = &[];

    /// The set-up in a few words: "Allied edition, 4 Rising Sun".
    fn setup_title(game: &Self::Game) -> String {
        plain::setup_title(game)
    }
    /// The set-up in two words for statistics: the row and the bar ("Allied edition", "4").
    fn setup_class(options: &Options) -> (String, String) {
        plain::setup_class::<Self::Game>(options)
    }
    /// The fields of the form for a new game; the name of a field is `option.` and the option's key. A game for several
    /// adds [`seat_fields`](crate::seat_fields) for the bots that it is given.
    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        plain::new_game_fields::<Self::Game>(bots)
    }
    /// The sheet: everything that never changes during a match, with the places where parts go. Who writes this writes
    /// [`draw`](Self::draw) and [`STYLE`](Self::STYLE) as well.
    fn sheet(game: &Self::Game) -> Markup {
        plain::sheet(game)
    }
    /// Everything on the board that changes.
    fn draw(
        game: &Self::Game,
        view: &ViewOf<'_, Self>,
        _asked: &Asked<'_, ChoiceOf<Self>>,
        scene: &mut Scene,
    ) {
        plain::draw(game, view, scene);
    }
    /// A small picture of a position: an SVG that stands alone, so it is drawn in the colours of one tone.
    fn thumbnail(game: &Self::Game, view: &ViewOf<'_, Self>, tone: Tone) -> Markup {
        plain::thumbnail(game, view, tone)
    }
    /// Pages to print: as the position stands, or blank where there is none.
    fn print(game: &Self::Game, view: Option<&ViewOf<'_, Self>>) -> Markup {
        plain::print(game, view)
    }
    /// The face that a die shows, where Fate's choice of this name is a die.
    fn die_face(name: &str) -> Option<u8> {
        plain::die_face(name)
    }
    /// A finished game in figures, for its last page: what is counted, and the figure in a few words.
    fn tally(_game: &Self::Game, _events: &[<Self::Game as Game>::Event]) -> Vec<(String, String)> {
        Vec::new()
    }
    /// The set-up with which a player of a game for one plays the other side; `None` where there is no other.
    fn other_side(_options: &Options) -> Option<Options> {
        None
    }
    /// Where on the board an event happened, for the marks of the last move, the log and the moment of combat.
    fn trace(_game: &Self::Game, _event: &<Self::Game as Game>::Event) -> Trace {
        Trace::default()
    }
    /// What is known about the piece with an `id`, for whoever points at it: parts to lay over the board until they point at
    /// something else. Pieces that have this name the layers that show it in `data-about`.
    fn about(_game: &Self::Game, _view: &ViewOf<'_, Self>, _id: &str) -> Option<Scene> {
        None
    }
    /// Where pieces went in the last turns, for a layer that is asked for when it is shown (`data-asks`). `before` is the
    /// position in which the first of the events happened.
    fn movements(
        _game: &Self::Game,
        _before: &ViewOf<'_, Self>,
        _events: &[Dated<<Self::Game as Game>::Event>],
        _viewer: Viewer,
    ) -> Option<Movements> {
        None
    }
    /// The question whose answer are the odds of a choice, where it is a gamble.
    fn question(_game: &Self::Game, _view: &ViewOf<'_, Self>, _choice: ChoiceOf<Self>) -> Option<String> {
        None
    }
    /// The heading under which a choice stands in the list beside the board together with those next to it that have the
    /// same one, and what it is called there. For choices of which many differ in one thing only.
    fn group(
        _game: &Self::Game,
        _view: &ViewOf<'_, Self>,
        _choice: ChoiceOf<Self>,
    ) -> Option<(String, String)> {
        None
    }
    /// What an open choice would do: in words, and as parts to lay over the board until the person looks elsewhere
    /// (`ghost` and whatever its name is). The view is that of the seat that chooses. A sheet that has this carries
    /// `data-previews`.
    fn preview(
        _game: &Self::Game,
        _view: &ViewOf<'_, Self>,
        _choice: ChoiceOf<Self>,
    ) -> Option<(String, Scene)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    fn scene(parts: &[(&str, &str)]) -> Scene {
        let mut scene = Scene::default();
        for (key, text) in parts {
            scene.add("board", *key, html! { p id=(key) { (text) } });
        }
        scene
    }

    #[test]
    fn only_what_has_changed_is_sent() {
        let before = SceneMarks::of(&scene(&[("a", "1"), ("b", "2")]));
        let (changes, _) = before.changes(scene(&[("a", "1"), ("b", "3"), ("c", "4")]));
        let keys: Vec<&str> = changes.parts.iter().map(|Part(key, ..)| key.as_str()).collect();
        assert_eq!(keys, ["b", "c"]);
        assert!(changes.gone.is_empty());
        assert_eq!(changes.places, [Place("c".to_owned(), "board", Some("b".to_owned()))]);
    }

    #[test]
    fn a_sheet_is_filled_in_order() {
        let mut drawn = scene(&[("a", "1"), ("b", "2")]);
        drawn.class("c", "now");
        let sheet = drawn.fill(html! { div #board .wide {} p #c {} });
        assert_eq!(
            sheet.into_string(),
            "<div class=\"wide\" id=\"board\"><p id=\"a\">1</p><p id=\"b\">2</p></div><p id=\"c\"></p>"
        );
        assert_eq!(drawn.classes().len(), 1);
    }

    #[test]
    fn a_part_that_is_gone_is_taken_away() {
        let before = SceneMarks::of(&scene(&[("a", "1"), ("b", "2")]));
        let (changes, _) = before.changes(scene(&[("b", "2")]));
        assert_eq!(changes, Changes { gone: vec!["a".to_owned()], ..Changes::default() });
    }

    #[test]
    fn a_part_that_is_drawn_alone_is_compared_alone() {
        let mut marks = SceneMarks::of(&scene(&[("a", "1"), ("b", "2")]));
        assert!(!marks.redrawn("b", "<p id=\"b\">2</p>") && marks.redrawn("b", "<p id=\"b\">3</p>"));
        let (changes, _) = marks.changes(scene(&[("a", "1"), ("b", "3")]));
        assert_eq!(changes, Changes::default());
    }
}
