//! The board of Echoes of War: the two pages of a spread. Rules 2.0 (Map Page) and 3.0 (Action Page).
//!
//! The Map Page is six theatres, each a piece of the real map with its battle track beneath, under the turn track, the
//! three modifier tracks and the scale of victory points. The Action Page is the Die Roll Chart, the four tables and
//! the two Major Conflict boxes.

mod action_page;
mod fields;
mod geography;
mod in_force;
mod print;
mod strips;
mod tally;
mod theatre;
mod thumbnail;
mod trace;

use echoes::ids::{Conflict, Region, Track};
use echoes::{Choice, Echoes, GameEvent, View};
use kernel::Options;
use maud::{Markup, html};

use web::BotOffer;
use web::{Asked, Board, BoardFile, Scene, Tone, Trace};

/// The board of Echoes.
pub struct EchoesBoard;

impl Board for EchoesBoard {
    type Game = Echoes;

    const CREDIT: &'static str =
        "Echoes of War belongs to Mark W. and Five Starboard Games, who are not connected with this project.";
    const PITCH: &'static str = "The whole war in twenty turns, one die and half an hour, against a book that plays the \
                                 other side by its own rules.";
    const RULEBOOK: &'static str = include_str!("../../../docs/rules/echoes.md");
    const STYLE: &'static str = include_str!("echoes/board.css");

    fn files() -> Vec<BoardFile> {
        vec![crate::world::FILE.clone()]
    }

    fn setup_title(game: &Echoes) -> String {
        fields::setup_title(game)
    }

    fn setup_class(options: &Options) -> (String, String) {
        fields::setup_class(options)
    }

    fn new_game_fields(_: &[BotOffer]) -> Markup {
        fields::new_game()
    }

    fn sheet(game: &Echoes) -> Markup {
        let rules = game.rules();
        html! {
            div.echoes {
                div.page.map-page {
                    div.strip.top {
                        (strips::turns(rules, None))
                        div #vp-place {}
                    }
                    div.theatres {
                        @for region in Region::ALL { (theatre::card(rules, region)) }
                    }
                    div.strip.bottom {
                        @for track in Track::ALL { div.track-place #{"track-place-" (track.code())} {} }
                        div #tow-place {}
                    }
                }
                div.page.action-page {
                    (action_page::chart(rules))
                    div.tables {
                        @for table in 0..4 { (action_page::table(rules, table)) }
                        @for conflict in Conflict::ALL {
                            section.conflict id=(action_page::conflict_key(conflict)) {
                                h3 { "Major Conflict " (conflict) }
                                div id=(action_page::conflict_slot(conflict).0) {}
                            }
                        }
                    }
                }
            }
        }
    }

    fn draw(game: &Echoes, view: &View, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        let (rules, state) = (game.rules(), view.sheet());
        scene.add("ask", "in-force", in_force::draw(rules, state));
        for turn in 1..=rules.final_turn {
            scene.class(strips::turn_key(turn), strips::turn_class(rules, state, turn));
        }
        scene.add("vp-place", "vp", strips::victory_points(rules, state));
        for region in Region::ALL {
            theatre::draw(rules, state, region, asked, scene);
        }
        for track in Track::ALL {
            let (place, key) = strips::track_slot(track);
            scene.add(place, key, strips::track(rules, state, track, asked));
        }
        scene.add("tow-place", "tow", strips::tide(state));
        for (key, class) in action_page::classes(rules, state) {
            scene.class(key, class);
        }
        for conflict in Conflict::ALL {
            let (place, key) = action_page::conflict_slot(conflict);
            scene.add(place, key, action_page::conflict(rules, state, conflict));
        }
    }

    fn thumbnail(game: &Echoes, view: &View, tone: Tone) -> Markup {
        thumbnail::draw(game.rules(), view.sheet(), tone)
    }

    fn print(game: &Echoes, view: Option<&View>) -> Markup {
        print::pages(game, view.map(View::sheet))
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
    }

    /// The other edition.
    fn other_side(options: &Options) -> Option<Options> {
        let edition = options.get("edition")?;
        let other = if edition == "axis" { "allied" } else { "axis" };
        let mut options = options.clone();
        options.insert("edition".to_owned(), other.to_owned());
        Some(options)
    }

    fn tally(_: &Echoes, events: &[GameEvent]) -> Vec<(String, String)> {
        tally::of(events)
    }

    fn trace(game: &Echoes, event: &GameEvent) -> Trace {
        trace::of(game.rules(), event)
    }

    fn question(game: &Echoes, view: &View, choice: Choice) -> Option<String> {
        let Choice::Attack(region) = choice else { return None };
        match game.rules().attack_modifier(view.sheet()) {
            0 => Some(format!("attack {region}")),
            modifier => Some(format!("attack {region} at {modifier:+}")),
        }
    }

    /// Tide of War shifts by track: they differ only in the box that pays.
    fn group(game: &Echoes, view: &View, choice: Choice) -> Option<(String, String)> {
        let Choice::TowShift(region, track) = choice else { return None };
        let heading = format!("Tide of War, shift {}", game.rules().shift_heading(view.sheet(), track));
        let name = &game.rules().book.regions[region.index()].name;
        Some((heading, format!("box of {name}")))
    }
}
