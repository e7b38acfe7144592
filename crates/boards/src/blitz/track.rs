//! Battle tracks: the spaces, the bonus marks, the flags at both ends, the marker. Rules 1.3, 3.6, 3.7.

use blitz::Rules;
use blitz::layout::Theatre;
use blitz::units::Side;
use maud::{Markup, html};

use super::symbols::side_class;

/// The width of a track; all theatres have the same, so longer tracks have narrower spaces.
const WIDTH: f64 = 580.0;
const HEIGHT: f64 = 46.0;
const CELL_TOP: f64 = 9.0;
const CELL_HEIGHT: f64 = 28.0;
const RADIUS: f64 = 15.0;

/// The middle of a space of a track: the second side's end is left, the first side's right.
fn x_of(theatre: &Theatre, position: i8) -> f64 {
    let cells = f64::from(theatre.track_end) * 2.0 + 1.0;
    (f64::from(position) + f64::from(theatre.track_end) + 0.5) * WIDTH / cells
}

/// A space of a track, as a place on the page.
pub fn cell_anchor(theatre: &Theatre, position: i8) -> String {
    let left = x_of(theatre, position) - RADIUS;
    format!("{}:{left:.0},{CELL_TOP:.0},{:.0},{CELL_HEIGHT:.0}", theatre.id, 2.0 * RADIUS)
}

/// The class of a space: whose half, and the bonus that it gives.
fn cell_class(theatre: &Theatre, position: i8) -> String {
    let half = match position {
        0 => return "cell start".to_owned(),
        1.. => "first",
        _ => "second",
    };
    let bonus = theatre.bonus.iter().filter(|at| position.abs() >= **at).count();
    let end = if position.abs() == theatre.track_end { " end" } else { "" };
    format!("cell {half} bonus-{bonus}{end}")
}

/// The track without its marker, and an empty place for it.
pub fn sheet(theatre: &Theatre) -> Markup {
    spaces(theatre, &html! { g id=(theatre.id) {} })
}

/// The track of a position, whole, for paper.
pub fn on_paper(rules: &Rules, theatre: &Theatre, position: i8) -> Markup {
    spaces(theatre, &marker(rules, theatre, position))
}

fn spaces(theatre: &Theatre, over: &Markup) -> Markup {
    let end = theatre.track_end;
    let width = WIDTH / (f64::from(end) * 2.0 + 1.0);
    html! {
        svg.track viewBox={"0 0 " (WIDTH) " " (HEIGHT)} aria-hidden="true" {
            @for position in -end..=end {
                @let x = x_of(theatre, position);
                rect class=(cell_class(theatre, position)) x=(format!("{:.1}", x - width / 2.0 + 0.8)) y=(CELL_TOP)
                    width=(format!("{:.1}", width - 1.6)) height=(CELL_HEIGHT) rx="3" {}
            }
            @for (at, words) in theatre.bonus.iter().zip(["+1", "+2"]) {
                @for side in Side::ALL {
                    text.bonus x=(format!("{:.1}", x_of(theatre, at * side.sign()))) y=(CELL_TOP + 18.5) { (words) }
                }
            }
            @for side in Side::ALL {
                svg.(side_class(side)) x=(format!("{:.1}", x_of(theatre, end * side.sign()) - 8.0)) y=(CELL_TOP + 3.0) width="16" height="22" viewBox="0 0 24 32" {
                    use href="#flag" {}
                }
            }
            (over)
        }
    }
}

/// The class of the side that leads.
pub const fn leader_class(position: i8) -> &'static str {
    match position {
        0 => "level",
        1.. => side_class(Side::First),
        _ => side_class(Side::Second),
    }
}

/// The marker, as a part of a scene.
pub fn marker(rules: &Rules, theatre: &Theatre, position: i8) -> Markup {
    let x = x_of(theatre, position);
    html! {
        g #{"marker-" (theatre.id)} .marker.glide.(leader_class(position)) transform=(format!("translate({x:.1} {})", CELL_TOP + CELL_HEIGHT / 2.0)) {
            title { (theatre.name) ": " (rules.marker_words(position)) }
            circle.disc r=(RADIUS) {}
            circle.line r=(RADIUS - 3.0) {}
            text y="6" { (position.unsigned_abs()) }
        }
    }
}

/// Where the marker would go: a ghost, and the way to it.
pub fn ghost(theatre: &Theatre, from: i8, to: i8) -> Markup {
    let (start, x) = (x_of(theatre, from), x_of(theatre, to));
    let y = CELL_TOP + CELL_HEIGHT / 2.0;
    html! {
        g #{"ghost-" (theatre.id)} .ghost.(leader_class(to)) {
            path.way d=(format!("M{start:.1} {y}H{x:.1}")) {}
            g.marker.(leader_class(to)) transform=(format!("translate({x:.1} {y})")) {
                circle.disc r=(RADIUS) {}
                text y="6" { (to.unsigned_abs()) }
            }
        }
    }
}
