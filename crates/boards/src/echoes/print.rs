//! The two pages of a spread for paper, blank or as a match stands, for pencil and die.

use echoes::ids::{Conflict, Region, Side, Track};
use echoes::{Echoes, Rules, State};
use kernel::Game as _;
use maud::{Markup, html};

use super::{action_page, fields, strips, theatre};
use web::Asked;

/// Both pages. Blank sheets show the opening position in outline, for marking with a pencil.
pub fn pages(game: &Echoes, state: Option<&State>) -> Markup {
    let rules = game.rules();
    let opening = game.start();
    let shown = state.unwrap_or(&opening);
    let blank = state.is_none();
    html! {
        p.hint { "Print this page in landscape, with background graphics. "
            @if blank { "Shows the start of the game; mark it as you play." } @else { "Shows the current position of the match." } }
        section.sheet-page.echoes.blank[blank] {
            header { h1 { "Echoes of War" } p { (fields::setup_title(game)) } }
            (strips::turns(rules, Some(shown)))
            @if !blank { (strips::victory_points(rules, shown)) } @else { (bands(rules)) }
            div.theatres {
                @for region in Region::ALL {
                    div.theatre-print {
                        (theatre::on_paper(rules, shown, region))
                        (campaign(rules, shown, region, blank))
                    }
                }
            }
            div.strip.bottom {
                @for track in Track::ALL { div.track-place { (strips::track(rules, shown, track, &Asked::NOTHING)) } }
                (strips::tide(shown))
            }
        }
        section.sheet-page.echoes.blank[blank] {
            header { h1 { "The Action Page" } p { (fields::setup_title(game)) } }
            div.action-page {
                (action_page::chart(rules))
                div.tables {
                    @for table in 0..4 { (action_page::table(rules, table)) }
                    @for conflict in Conflict::ALL {
                        section.conflict {
                            h3 { "Major Conflict " (conflict) }
                            (action_page::conflict(rules, shown, conflict))
                        }
                    }
                }
            }
            (confidence(rules))
            @if !blank { (happened(rules, shown)) }
        }
    }
}

/// The campaign track of a region: squares to cross, with what the match has crossed. Rule 2.4.
fn campaign(rules: &Rules, state: &State, region: Region, blank: bool) -> Markup {
    let most = usize::from(rules.max[region.index()]) + 10;
    html! {
        @for side in Side::ALL {
            @let crossed = usize::from(state.x[side.index()][region.index()]);
            p.campaign-row {
                span { (side) }
                @for n in 0..most { i.square.crossed[n < crossed] {} }
                @if blank && crossed > 0 { small { (crossed) " at the start" } }
            }
        }
    }
}

/// The victory table. Rule 5.2.
fn bands(rules: &Rules) -> Markup {
    html! {
        p.bands {
            b { "At the end: " }
            @for (at, band) in rules.book.bands.iter().enumerate() {
                @if at > 0 { " · " }
                (band.min) "+ " (band.result.title())
                @if let Some(other) = band.if_axis_holds_capital { " (" (other.title()) " if the Axis holds an Allied capital)" }
            }
        }
    }
}

/// The events whose square has an X. Rule 3.3.1.
fn happened(rules: &Rules, state: &State) -> Markup {
    let done: Vec<&str> =
        (0..24).filter(|n| state.events >> n & 1 != 0).map(|n| rules.box_title(n)).collect();
    html! {
        @if !done.is_empty() { p.bands { b { "Events that have happened: " } (done.join(", ")) } }
    }
}

/// The Confidence Chart. Rule 3.5.
fn confidence(rules: &Rules) -> Markup {
    html! {
        table.confidence {
            caption { "Confidence Chart" }
            thead { tr { th { "Turn" } th { "Points" } th { "Loses on" } } }
            tbody {
                @for row in &rules.book.confidence {
                    tr {
                        td { (row.turn) } td { (row.points) }
                        td { @for (face, loses) in row.lose.iter().enumerate() { @if *loses { (face + 1) " " } } }
                    }
                }
            }
        }
    }
}
