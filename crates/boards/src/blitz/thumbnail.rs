//! A small picture of a position: a track for each theatre that is open, and the score. It stands alone, so it brings its
//! colours along.

use blitz::settings::BoardKind;
use blitz::{Rules, State};
use maud::{Markup, html};

/// The colours of the sides, by board.
const fn colours(board: BoardKind) -> [&'static str; 2] {
    match board {
        BoardKind::Base => ["#8c3b2e", "#2f5d8a"],
        BoardKind::Nippon => ["#a8322a", "#56604a"],
    }
}

/// The picture.
pub fn draw(rules: &Rules, state: &State) -> Markup {
    let colours = colours(rules.settings.board);
    let theatres = 0..rules.layout.theatres.len() as u8;
    let shown: Vec<u8> = if rules.layout.opens_cities {
        theatres.filter(|at| state.is_open(*at)).collect()
    } else {
        theatres.collect()
    };
    let [first, second] = [0, 1].map(|side| state.vp[side]);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 135" role="img" font-family="Georgia, serif" {
            rect width="240" height="135" fill="#e9e0c8" {}
            @for (row, at) in shown.into_iter().enumerate() { (bar(rules, state, at, 16.0 + 19.5 * row as f64, colours)) }
            rect x="0" y="108" width="240" height="27" fill="#d9cfb6" {}
            text x="10" y="127" font-size="15" font-weight="700" fill=(colours[1]) { (rules.side_name(blitz::units::Side::Second)) " " (second) }
            text x="230" y="127" font-size="15" font-weight="700" text-anchor="end" fill=(colours[0]) { (rules.side_name(blitz::units::Side::First)) " " (first) }
        }
    }
}

fn bar(rules: &Rules, state: &State, at: u8, y: f64, colours: [&str; 2]) -> Markup {
    let theatre = rules.theatre(at);
    let (left, width) = (46.0, 182.0);
    let middle = left + width / 2.0;
    let position = state.track(at);
    let x = middle + f64::from(position) / f64::from(theatre.track_end) * width / 2.0;
    let colour = colours[usize::from(position < 0)];
    let faded = if state.is_closed(at) { "0.4" } else { "1" };
    html! {
        g opacity=(faded) {
            text x="10" y=(y + 4.0) font-size="11" fill="#3a342a" { (theatre.id) }
            rect x=(left) y=(y - 3.0) width=(width / 2.0) height="6" fill=(colours[1]) opacity="0.35" {}
            rect x=(middle) y=(y - 3.0) width=(width / 2.0) height="6" fill=(colours[0]) opacity="0.35" {}
            @if position != 0 {
                rect x=(format!("{:.1}", x.min(middle))) y=(y - 3.0) width=(format!("{:.1}", (x - middle).abs())) height="6" fill=(colour) {}
            }
            circle cx=(format!("{x:.1}")) cy=(y) r="6.5" fill=(if position == 0 { "#f7f1df" } else { colour }) stroke="#2a2620" stroke-width="2" {}
        }
    }
}
