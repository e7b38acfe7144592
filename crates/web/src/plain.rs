//! A plain board for games without their own: the view as text, the choices as buttons.

use std::marker::PhantomData;

use kernel::{CompleteGame, Options};
use maud::{Markup, html};

use crate::opponents::{BotOffer, seat_fields};
use crate::scene::{Asked, Board, Scene};

/// The board of a game without its own. The table lists every choice as a button, with keys, undo, log and bots.
pub struct PlainBoard<G>(PhantomData<fn() -> G>);

/// The set-up with default options.
fn default_setup<G: CompleteGame>() -> Option<G> {
    G::with_options(&Options::new()).ok()
}

impl<G: CompleteGame> Board for PlainBoard<G> {
    type Game = G;

    const CREDIT: &'static str = "";
    const PITCH: &'static str = "Played on a plain board: the position as text, the choices as buttons.";
    const RULEBOOK: &'static str = "# Rules\n";
    const STYLE: &'static str = include_str!("plain.css");

    fn setup_title(game: &G) -> String {
        let options = game.options();
        let short = options.iter().filter(|(_, value)| value.len() <= 40 && !value.contains('\n'));
        let words: Vec<String> = short.map(|(key, value)| format!("{key} {value}")).collect();
        if words.is_empty() { G::TITLE.to_owned() } else { words.join(", ") }
    }

    fn setup_class(_: &Options) -> (String, String) {
        (G::TITLE.to_owned(), String::new())
    }

    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        let seats = default_setup::<G>()
            .map_or_else(Vec::new, |game| game.seats().iter().map(|seat| seat.title).collect::<Vec<_>>());
        let defaults = default_setup::<G>().map_or_else(Options::new, |game| game.options());
        html! {
            @for (key, about) in G::option_help() {
                label.field {
                    (key)
                    input type="text" name={ "option." (key) } title=(about) value=[defaults.get(*key)];
                    small { (about) }
                }
            }
            @if seats.len() > 1 { (seat_fields(&seats, bots)) }
        }
    }

    fn sheet(_: &G) -> Markup {
        html! { div.plain #plain-place {} }
    }

    fn draw(game: &G, view: &G::View<'_>, _: &Asked<'_, G::Choice>, scene: &mut Scene) {
        scene.add("plain-place", "plain", html! { pre #plain { (game.picture(view)) } });
    }

    fn thumbnail(game: &G, view: &G::View<'_>) -> Markup {
        let picture = game.picture(view);
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" font-family="monospace" font-size="9" {
                rect width="320" height="200" fill="#f4f0e6" {}
                @for (row, line) in picture.lines().take(18).enumerate() {
                    text x="8" y=(16 + row * 10) fill="#222" xml:space="preserve" { (line.chars().take(56).collect::<String>()) }
                }
            }
        }
    }

    fn print(game: &G, view: Option<&G::View<'_>>) -> Markup {
        html! { @if let Some(view) = view { pre { (game.picture(view)) } } }
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
    }

    fn question(_: &G, _: &G::View<'_>, _: G::Choice) -> Option<String> {
        None
    }
}
