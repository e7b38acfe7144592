//! The board of Unconditional Surrender!: a hex map of Europe from Iceland to the Urals with the counters of the war.
//!
//! The map is a file that browsers keep ([`map`]); the sheet draws it with `use`, in layers between which lies what changes:
//! who controls what below the water and the names, front, lit places and counters above them. A march of many steps is one
//! click ([`march`]); its odds are shown before.

mod about;
mod battle;
mod control;
mod counter;
mod dashboard;
mod fields;
mod frame;
mod geography;
mod groups;
mod lit;
mod map;
mod march;
mod month;
mod movements;
mod orders;
mod panels;
mod pieces;
mod preview;
mod print;
mod reach;
mod roll;
mod sheet;
mod tally;
mod theatres;
mod thumbnail;
mod trace;
mod units;

use kernel::{Catalogue, Options, Viewer};
use maud::Markup;
use surrender::{Choice, GameEvent, Surrender, View};
use web::{Asked, Board, BoardFile, BotOffer, Dated, Movements, Scene, Tone, Trace};

/// The board of Surrender.
pub struct SurrenderBoard;

impl Board for SurrenderBoard {
    type Game = Surrender;

    /// Commit markers.
    const SECRET_IN_TURN: &'static [(&'static str, &'static str)] = &[("5.1", "to choose a commit marker")];
    const CREDIT: &'static str = "Unconditional Surrender! was designed by Salvatore Vasta and published by GMT Games. This is an \
                                  independent implementation with a map of its own; neither is connected with this project.";
    const RULEBOOK: &'static str = <Surrender as Catalogue>::RULEBOOK;
    const STYLE: &'static str = concat!(
        include_str!("surrender/map.css"),
        include_str!("surrender/layers.css"),
        include_str!("surrender/counters.css"),
        include_str!("surrender/panels.css"),
        include_str!("surrender/dashboard.css"),
    );

    fn files() -> Vec<BoardFile> {
        vec![map::FILE.clone()]
    }

    fn setup_title(game: &Surrender) -> String {
        fields::setup_title(game)
    }

    fn setup_class(options: &Options) -> (String, String) {
        fields::setup_class(options)
    }

    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        fields::new_game(bots)
    }

    fn sheet(game: &Surrender) -> Markup {
        sheet::board(game)
    }

    fn draw(game: &Surrender, view: &View<'_>, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        let (rules, state) = (game.rules(), view.state());
        let lit = lit::Lit::of(game, view, asked);
        month::draw(rules, state, scene);
        orders::draw(game, state, &lit, scene);
        control::draw(rules, state, scene);
        reach::draw(rules, &lit, scene);
        about::hungry(rules, state, scene);
        about::draw(rules, state, scene);
        units::draw(rules, state, &lit, scene);
        battle::draw(rules, state, scene);
        panels::draw(rules, state, &lit, scene);
    }

    fn preview(game: &Surrender, view: &View<'_>, choice: Choice) -> Option<(String, Scene)> {
        preview::preview(game, view.state(), choice)
    }

    fn about(game: &Surrender, view: &View<'_>, id: &str) -> Option<Scene> {
        about::about(game, view.state(), id)
    }

    fn movements(
        game: &Surrender,
        before: &View<'_>,
        events: &[Dated<GameEvent>],
        viewer: Viewer,
    ) -> Option<Movements> {
        Some(movements::of(game, before.state(), events, viewer))
    }

    fn thumbnail(game: &Surrender, view: &View<'_>, tone: Tone) -> Markup {
        thumbnail::draw(game.rules(), view.state(), tone)
    }

    fn print(game: &Surrender, view: Option<&View<'_>>) -> Markup {
        print::pages(game, view)
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
    }

    fn tally(game: &Surrender, events: &[GameEvent]) -> Vec<(String, String)> {
        tally::of(game.rules(), events)
    }

    fn group(game: &Surrender, view: &View<'_>, choice: Choice) -> Option<(String, String)> {
        groups::of(game.rules(), view.state(), choice)
    }

    fn trace(game: &Surrender, event: &GameEvent) -> Trace {
        trace::of(game.rules(), event)
    }
}
