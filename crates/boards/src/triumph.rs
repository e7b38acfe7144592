//! The board of Triumph & Tragedy: Europe from 1936 to 1945, with hidden blocks, cards and the panels of three Factions.
//!
//! The map is a file that browsers keep ([`map::file`]); the sheet draws it with `use`, and who controls an area is the class
//! of its element. Blocks stand on the slots of [`geometry::Place`]. Everything is drawn from a view: of a hidden block there
//! is nothing on the page but its nation and how many there are.

mod atlas;
mod battle;
mod block;
mod deeds;
mod fields;
mod fronts;
pub mod geometry;
mod groups;
mod hand;
mod key;
mod layers;
mod lines;
mod lit;
pub mod map;
mod marks;
mod odds_bar;
mod pen;
mod preview;
mod print;
mod questions;
mod season;
mod sheet;
mod signs;
mod tally;
mod thumbnail;
mod trace;
mod tray;
mod units;

use kernel::Options;
use maud::Markup;
use triumph::{Choice, GameEvent, Triumph, View};
use web::{Asked, Board, BoardFile, BotOffer, Scene, Tone, Trace};

pub use key::alone as key_alone;
pub use pen::Point;

/// The stylesheet of the map.
pub const MAP_STYLE: &str = include_str!("triumph/map.css");

/// The board of Triumph.
pub struct TriumphBoard;

impl Board for TriumphBoard {
    type Game = Triumph;

    const CREDIT: &'static str = "Triumph & Tragedy was designed by Craig Besinque and published by GMT Games. This is an \
                                  independent implementation; neither is connected with this project.";
    const PITCH: &'static str = "Three rivals, ten years, hidden blocks: arm, court the Neutrals, research in secret, and win \
                                 by trade, by war or by the bomb. Nobody has to start a war.";
    const RULEBOOK: &'static str = include_str!("../../../docs/rules/triumph.md");
    const PIECES: bool = true;
    /// Command cards.
    const SECRET_IN_TURN: &'static [(&'static str, &'static str)] = &[("10.1", "to commit a card")];
    const STYLE: &'static str = concat!(
        include_str!("triumph/map.css"),
        include_str!("triumph/pieces.css"),
        include_str!("triumph/board.css"),
        include_str!("triumph/battle.css"),
    );

    fn files() -> Vec<BoardFile> {
        vec![atlas::FILE.clone()]
    }

    fn setup_title(game: &Triumph) -> String {
        fields::setup_title(game)
    }

    fn setup_class(options: &Options) -> (String, String) {
        fields::setup_class(options)
    }

    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        fields::new_game(bots)
    }

    fn sheet(_: &Triumph) -> Markup {
        sheet::board()
    }

    fn draw(game: &Triumph, view: &View, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        let lit = lit::Lit::of(game, view, asked);
        let layers = layers::Layers::of(game.rules(), view);
        season::draw(game.rules(), view, scene);
        fronts::draw(game, view, &lit, scene);
        hand::draw(game, view, &lit, scene);
        deeds::draw(view.state(), &lit, scene);
        marks::draw(game, view, &lit, &layers, scene);
        layers.draw_threats(game.rules(), scene);
        units::draw(game, view, &lit, &layers, scene);
        tray::draw(game, view, &lit, scene);
        battle::draw(game, view, &lit, scene);
    }

    fn thumbnail(_: &Triumph, view: &View, tone: Tone) -> Markup {
        thumbnail::draw(view.state(), tone)
    }

    fn print(game: &Triumph, view: Option<&View>) -> Markup {
        print::pages(game, view)
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
    }

    fn tally(_: &Triumph, events: &[GameEvent]) -> Vec<(String, String)> {
        tally::of(events)
    }

    fn group(game: &Triumph, view: &View, choice: Choice) -> Option<(String, String)> {
        groups::of(game.rules(), view.state(), choice)
    }

    fn question(game: &Triumph, view: &View, choice: Choice) -> Option<String> {
        questions::of(game, view.state(), choice)
    }

    fn preview(game: &Triumph, view: &View, choice: Choice) -> Option<(String, Scene)> {
        preview::of(game, view, choice)
    }

    fn trace(game: &Triumph, event: &GameEvent) -> Trace {
        trace::of(game.rules(), event)
    }
}
