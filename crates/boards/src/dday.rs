//! The board of D-Day to Berlin: a staff map of 1944 with counters, and what lies on the table around it.
//!
//! The ground never changes and lies in the sheet. Over it come works, lit zones, counters, and for each stack what can be
//! pointed at. Above the map are the desks of both sides, the situation and the row of orders; the attack builder lies over
//! that half of the map in which the target is not.

mod arrows;
mod builder;
mod chains;
mod counter;
mod fields;
mod figures;
mod frame;
mod ground;
mod march;
mod marks;
mod names;
mod orders;
mod outline;
mod places;
mod preview;
mod print;
mod sheet;
mod sides;
mod situation;
mod stacks;
mod tally;
mod thumbnail;
mod trace;
mod ways;
mod works;
mod zones;

use dday::{Choice, DDay, GameEvent, View};
use kernel::Options;
use maud::Markup;

use web::BotOffer;
use web::{Asked, Board, Scene, Tone, Trace};

/// The board of DDay.
pub struct DDayBoard;

impl Board for DDayBoard {
    type Game = DDay;

    const CREDIT: &'static str = "D-Day to Berlin is a title of its designer and publisher, who are not connected with this \
                                  project; map, scenarios and most rules are our own.";
    const PITCH: &'static str = "Battalions from Omaha Beach to the Reichstag: activate a group and hope, put an assault \
                                 together piece by piece, and see its exact odds before you roll.";
    const RULEBOOK: &'static str = include_str!("../../../docs/rules/dday.md");
    const PIECES: bool = true;
    const STYLE: &'static str = concat!(
        include_str!("dday/map.css"),
        include_str!("dday/counters.css"),
        include_str!("dday/zones.css"),
        include_str!("dday/panels.css"),
        include_str!("dday/builder.css"),
    );

    fn setup_title(game: &DDay) -> String {
        fields::setup_title(game)
    }

    fn setup_class(options: &Options) -> (String, String) {
        fields::setup_class(options)
    }

    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        fields::new_game(bots)
    }

    fn sheet(game: &DDay) -> Markup {
        sheet::board(game.rules())
    }

    fn draw(game: &DDay, view: &View<'_>, asked: &Asked<'_, Choice>, scene: &mut Scene) {
        let (rules, state) = (game.rules(), view.state());
        let marches = march::Marches::find(game, state, !asked.open.is_empty());
        sides::draw(rules, state, asked, scene);
        situation::draw(rules, state, scene);
        orders::draw(rules, state, asked, scene);
        works::draw(rules, state, scene);
        zones::draw(rules, state, asked, &marches, scene);
        arrows::draw(game, state, asked, scene);
        stacks::draw(game, state, asked, &marches, scene);
        builder::draw(rules, state, asked, scene);
    }

    fn preview(game: &DDay, view: &View<'_>, choice: Choice) -> Option<(String, Scene)> {
        preview::preview(game.rules(), view.state(), choice)
    }

    fn thumbnail(game: &DDay, view: &View<'_>, tone: Tone) -> Markup {
        thumbnail::draw(game.rules(), view.state(), tone)
    }

    fn print(game: &DDay, view: Option<&View<'_>>) -> Markup {
        print::pages(game, view.map(View::state))
    }

    fn die_face(name: &str) -> Option<u8> {
        name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=10).contains(face))
    }

    fn tally(game: &DDay, events: &[GameEvent]) -> Vec<(String, String)> {
        tally::of(game.rules(), events)
    }

    fn trace(game: &DDay, event: &GameEvent) -> Trace {
        trace::of(game.rules(), event)
    }

    fn question(game: &DDay, view: &View<'_>, choice: Choice) -> Option<String> {
        game.rules().question_of(view.state(), choice)
    }
}
