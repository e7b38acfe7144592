//! The key of the map, in the corner where nobody plays. Rules 1.12 and 11.52.
//!
//! It is part of the sheet and not of the map's file: it shows every look of the map, and a look is a class of the sheet.

use maud::{Markup, html};

use super::lines;
use super::map::City;
use super::pen::{Pen, Point, Tenths};
use super::signs;

/// Where the key lies.
const AT: (f64, f64) = (1262.0, 10.0);
/// How large it is.
const SIZE: (f64, f64) = (330.0, 130.0);
/// From one row to the next.
const ROW: f64 = 17.0;

/// The borders: how they look, what they are called, how many ground units may cross one of them to fight.
const BORDERS: [(&str, &str, &str); 6] = [
    ("plains", "Plains", "3"),
    ("river", "River", "2"),
    ("forest", "Forest", "2"),
    ("mountain", "Mountains", "1"),
    ("strait", "Strait, coast", "1"),
    ("wall", "Impassable", "–"),
];

/// The cities: what they are called, their population, and the unit that a Minor musters there.
const CITIES: [(City, &str, &str, &str); 5] = [
    (City::MainCapital, "Main capital", "3", "–"),
    (City::SubCapital, "Sub-capital", "2", "–"),
    (City::CapitalCity, "Capital city", "1", "3"),
    (City::City, "City", "1", "2"),
    (City::Town, "Town", "0", "1"),
];

/// The key where it lies on the map.
pub fn draw() -> Markup {
    html! { g.key transform={"translate(" (AT.0) " " (AT.1) ")"} { (content()) } }
}

/// The key alone, for a page that has no room for it on the map.
pub fn alone() -> Markup {
    html! {
        svg.atlas.key viewBox={"0 0 " (SIZE.0) " " (SIZE.1)} role="img" aria-label="Key of the map" { (content()) }
    }
}

fn content() -> Markup {
    let row = |at: usize| 31.0 + at as f64 * ROW;
    html! {
        rect.key-ground width=(SIZE.0) height=(SIZE.1) rx="3" {}
        text.head x="10" y="15" { "Ground units across a border" }
        @for (at, (class, name, limit)) in BORDERS.iter().enumerate() {
            (sample(class, row(at) - 3.5))
            text x="58" y=(row(at)) { (name) }
            text.figure x="146" y=(row(at)) { (limit) }
        }
        text.head x="166" y="15" { "Cities" }
        text.head x="259" y="15" { "POP" }
        text.head x="285" y="15" { "Muster" }
        @for (at, (city, name, pop, muster)) in CITIES.iter().enumerate() {
            (city_mark(*city, pop, 174.0, row(at) - 4.0))
            text x="187" y=(row(at)) { (name) }
            text.figure x="269" y=(row(at)) { (pop) }
            text.figure x="303" y=(row(at)) { (muster) }
        }
        (last_row(117.0))
    }
}

/// A piece of a border.
fn sample(class: &str, y: f64) -> Markup {
    let line =
        vec![Point::at(10.0, y), Point::at(22.6, y - 1.5), Point::at(35.2, y + 1.5), Point::at(52.0, y)];
    let drawn = |points: &[Point]| {
        let mut pen = Pen::default();
        pen.line(points);
        pen.done()
    };
    let d = drawn(&line);
    match class {
        "river" => html! { path.river-bank d=(d) {} path.river d=(d) {} },
        "forest" => html! { path.forest d=(d) {} path.trees d=(lines::trees([&line])) {} },
        "mountain" => {
            let (peaks, shades) = lines::peaks([&line]);
            html! { path.mountain d=(d) {} path.peaks d=(peaks) {} path.peak-shade d=(shades) {} }
        }
        "strait" => html! {
            path.strait d=(drawn(&[Point::at(10.0, y), Point::at(30.0, y)])) {}
            path.coast d=(drawn(&[Point::at(34.0, y), Point::at(43.0, y + 1.5), Point::at(52.0, y)])) {}
        },
        "wall" => html! { path.wall d=(d) {} path.ticks d=(lines::ticks([&line])) {} },
        _ => html! { path.plains d=(d) {} },
    }
}

fn city_mark(city: City, pop: &str, x: f64, y: f64) -> Markup {
    let (mut pen, mut rims) = (Pen::default(), Pen::default());
    signs::mark(&mut pen, &mut rims, city, x, y);
    let rim = rims.done();
    html! {
        @if !rim.is_empty() { path.rims d=(rim) {} }
        path.{"mark " (city.class())} d=(pen.done()) {}
        @if city != City::Town {
            text.{"pop of-" (city.class())} x=(Tenths::of(x)) y=(Tenths::of(y + city.figure_foot())) { (pop) }
        }
    }
}

fn last_row(y: f64) -> Markup {
    let (mut star, mut resource, mut red) = (Pen::default(), Pen::default(), Pen::default());
    signs::star(&mut star, 174.0, y - 4.0);
    signs::resource(&mut resource, 231.0, y - 4.0);
    signs::resource(&mut red, 270.0, y - 4.0);
    html! {
        path.stars d=(star.done()) {}
        text x="183" y=(y) { "Capital" }
        path.res d=(resource.done()) {}
        text x="238" y=(y) { "RES" }
        path.{"res red"} d=(red.done()) {}
        text x="277" y=(y) { "by Africa" }
    }
}
