//! The board of Blitzkrieg!: five theatres, or the fifteen cities of Nippon. Rules 1, 2.5, 10.2.
//!
//! Each theatre is a card over its piece of the map: campaigns as rows of spaces, the battle track beneath. The score lies
//! above, the viewer's own tokens below, the other side's desk among the theatres. A token of the reserve is a *piece*
//! (`data-piece`): it is picked, and what it can do lights up.

mod america;
mod fields;
mod geography;
mod preview;
mod print;
mod reserves;
mod score;
mod symbols;
mod tally;
mod theatre;
mod thumbnail;
mod trace;
mod track;

use blitz::{Blitz, Choice, GameEvent, View};
use kernel::Options;
use maud::{Markup, html};

use web::BotOffer;
use web::{Asked, Board, BoardFile, Scene, Tone, Trace};

/// The board of Blitz.
pub struct BlitzBoard;

impl Board for BlitzBoard {
    type Game = Blitz;

    const CREDIT: &'static str = "Blitzkrieg! belongs to Paolo Mori, Dávid Turczi (solo mode) and PSC Games, who are not \
                                  connected with this project.";
    const PITCH: &'static str = "The whole war in twenty minutes: place one unit, take what its space gives, and pull the \
                                 front your way. Against a friend, a program or the published solo bot.";
    const RULEBOOK: &'static str = include_str!("../../../docs/rules/blitz.md");
    const PIECES: bool = true;
    const STYLE: &'static str = concat!(include_str!("blitz/board.css"), include_str!("blitz/pieces.css"));

    fn files() -> Vec<BoardFile> {
        vec![crate::world::FILE.clone()]
    }

    fn setup_title(game: &Blitz) -> String {
        fields::setup_title(game)
    }

    fn setup_class(options: &Options) -> (String, String) {
        fields::setup_class(options)
    }

    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        fields::new_game(bots)
    }

    fn sheet(game: &Blitz) -> Markup {
        let rules = game.rules();
        let theatres = 0..rules.layout.theatres.len() as u8;
        html! {
            div.blitz.(fields::board_class(rules)) data-previews="" {
                (symbols::definitions())
                (score::sheet())
                div.field-of-war {
                    @if rules.layout.opens_cities {
                        (america::sheet(rules))
                        div.theatres { @for at in theatres { (theatre::card(rules, at)) } }
                    } @else {
                        @for at in theatres { (theatre::card(rules, at)) }
                    }
                    (reserves::far_sheet(rules))
                }
                (reserves::near_sheet())
            }
        }
    }

    fn draw(game: &Blitz, view: &View, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        let (rules, state) = (game.rules(), view.state());
        score::draw(rules, state, scene);
        theatre::draw(rules, state, asked, scene);
        if rules.layout.opens_cities {
            america::draw(rules, state, asked, scene);
        }
        reserves::draw(rules, view, asked, scene);
    }

    fn preview(game: &Blitz, view: &View, choice: Choice) -> Option<(String, Scene)> {
        preview::preview(game.rules(), view, choice)
    }

    fn thumbnail(game: &Blitz, view: &View, tone: Tone) -> Markup {
        thumbnail::draw(game.rules(), view.state(), tone)
    }

    fn print(game: &Blitz, view: Option<&View>) -> Markup {
        print::pages(game, view.map(View::state))
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
    }

    fn tally(game: &Blitz, events: &[GameEvent]) -> Vec<(String, String)> {
        tally::of(game.rules(), events)
    }

    fn trace(game: &Blitz, event: &GameEvent) -> Trace {
        trace::of(game.rules(), event)
    }

    fn question(game: &Blitz, _: &View, choice: Choice) -> Option<String> {
        game.rules().question_of(choice)
    }
}
