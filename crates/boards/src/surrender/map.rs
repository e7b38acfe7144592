//! The map as a file that browsers keep, and how the sheet draws it: ground below, then what changes (who controls what), then
//! water, lines and names above it.
//!
//! Every style is a layer with an `id` of its own, drawn with `use`: colours come from the page, so that both themes work.

use std::fmt::Write as _;
use std::sync::LazyLock;

use maud::{Markup, PreEscaped, html};
use surrender::{Climate, Hexside, Place, Terrain, World};
use web::BoardFile;

use super::frame::{self, Corner, HEIGHT, Point, WIDTH, centre};
use super::geography::{Geography, Kind, Label};
use super::pieces::{self, Pieces};

/// The map as a file.
static MAP_SVG: LazyLock<String> = LazyLock::new(file);

/// The file as the server offers it.
pub static FILE: LazyLock<BoardFile> =
    LazyLock::new(|| BoardFile::new("surrender.svg", "image/svg+xml", MAP_SVG.as_str()));

/// Some of the directions of the rules.
const WEST: usize = 1;
const SOUTH_EAST: usize = 4;
const SOUTH_WEST: usize = 5;

/// Layers below what changes.
const UNDER: [&str; 5] = ["clear", "desert", "hills", "woods", "swamp"];
/// Layers above it.
const OVER: [&str; 9] =
    ["sea", "shallows", "lakes", "zones", "lattice", "rivers", "canals", "mountains", "straits"];
/// Lines of people.
const LINES: [&str; 5] = ["rails", "sleepers", "areas", "borders", "faded"];
/// Signs and names.
const NAMES: [&str; 10] = [
    "names-sea",
    "names-land",
    "names-small",
    "names-river",
    "names-mountain",
    "towns",
    "names-town",
    "ports",
    "cities",
    "factories",
];
/// Names of cities, which lie above the counters' edge.
const CITY_NAMES: [&str; 3] = ["names-port", "names-city", "names-capital"];

fn layers(ids: &[&str]) -> Markup {
    html! { @for id in ids { use.{"l-" (id)} href={(FILE.url()) "#" (id)} {} } }
}

/// What lies below the control of hexes.
pub fn ground() -> Markup {
    layers(&UNDER)
}

/// Water, rivers, lines and signs.
pub fn over() -> Markup {
    html! { (layers(&OVER)) (layers(&LINES)) (layers(&NAMES)) (layers(&CITY_NAMES)) }
}

/// A weather zone, to be tinted by its weather.
pub fn climate(zone: Climate) -> Markup {
    html! { use href={(FILE.url()) "#climate-" (zone as u8)} {} }
}

fn path(id: &str, d: &str) -> Markup {
    html! { path id=(id) d=(d) {} }
}

fn file() -> String {
    let world = World::get();
    let geography = Geography::built_in();
    let sea = format!("M-40-40H{}V{}H-40z{}", WIDTH + 40.0, HEIGHT + 40.0, geography.land);
    let of = |terrain: Terrain| frame::outline(world, |hex| world.hex(hex).terrain == terrain);
    let drawn = html! {
        (PreEscaped(format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">")))
        (path("clear", &of(Terrain::Clear)))
        (path("desert", &of(Terrain::Desert)))
        (path("hills", &of(Terrain::Hills)))
        (path("woods", &of(Terrain::Woods)))
        (path("swamp", &of(Terrain::Swamp)))
        path #sea fill-rule="evenodd" d=(sea) {}
        (strokes(&geography.land).draw("shallows"))
        (lakes(&geography.lakes).draw("lakes"))
        (strokes(&geography.zones).draw("zones"))
        (lattice(world).draw("lattice"))
        (curves(world, Hexside::River).draw("rivers"))
        (curves(world, Hexside::Canal).draw("canals"))
        (curves(world, Hexside::Mountain).draw("mountains"))
        (straits(world).draw("straits"))
        @let rails = rails(world);
        (rails.draw("rails"))
        (rails.draw("sleepers"))
        (borders(world, |one, other| one.country == other.country && one.area != other.area).draw("areas"))
        (borders(world, |one, other| one.country != other.country).draw("borders"))
        (path("faded", &frame::outline(world, |hex| world.hex(hex).faded)))
        @for zone in [Climate::Cold, Climate::Mild, Climate::Warm, Climate::Desert] {
            (path(&format!("climate-{}", zone as u8), &frame::outline(world, |hex| world.hex(hex).climate == zone)))
        }
        (names("names-sea", geography, |label| label.0 == Kind::Sea))
        (names("names-land", geography, |label| label.0 == Kind::Land && label.5 >= 15))
        (names("names-small", geography, |label| label.0 == Kind::Land && (2..15).contains(&label.5)))
        (names("names-river", geography, |label| label.0 == Kind::River))
        (names("names-mountain", geography, |label| label.0 == Kind::Mountain))
        (towns(world, geography))
        (cities(world))
        (PreEscaped("</svg>"))
    };
    drawn.into_string()
}

/// The lines of a path.
fn strokes(path: &str) -> Pieces {
    let mut all = Pieces::default();
    for line in pieces::lines(path) {
        all.line(&line);
    }
    all
}

/// Lakes are filled, so that each stays whole.
fn lakes(path: &str) -> Pieces {
    let mut all = Pieces::default();
    for (lake, points) in path.split_inclusive('z').zip(pieces::lines(path)) {
        if let Some(first) = points.first() {
            all.at(*first).push_str(lake);
        }
    }
    all
}

/// The sides of all land hexes: row by row, each hex its upper sides and the one to the right. A pattern would be shorter, but
/// browsers draw it slowly.
fn lattice(world: &World) -> Pieces {
    let mut all = Pieces::default();
    for hex in Place::hexes() {
        let info = world.hex(hex);
        let middle = frame::point(frame::middle(info.row, info.col));
        let Point { x, y } = middle;
        let path = all.at(middle);
        let has_left = info.near[WEST].is_hex();
        let _ = if has_left {
            write!(path, "M{} {:.1}", x - 10.0, y - 5.8)
        } else {
            write!(path, "M{} {:.1}v-11.5", x - 10.0, y + 5.8)
        };
        path.push_str("l10-5.8 10 5.8v11.5");
        if !info.near[SOUTH_EAST].is_hex() {
            path.push_str("l-10 5.8");
        }
        if !info.near[SOUTH_WEST].is_hex() {
            let _ = write!(path, "M{x} {:.1}l-10-5.8", y + 11.5);
        }
    }
    all
}

/// Sides of a kind, each once.
fn sides(world: &World, mut wanted: impl FnMut(Place, Place, usize) -> bool) -> Vec<[Corner; 2]> {
    let mut all = Vec::new();
    for hex in Place::hexes() {
        for (direction, near) in world.hex(hex).near.iter().enumerate() {
            if near.is_hex() && *near > hex && wanted(hex, *near, direction) {
                all.push(frame::side(world, hex, direction));
            }
        }
    }
    all
}

fn curves(world: &World, kind: Hexside) -> Pieces {
    let mut all = Pieces::default();
    for line in frame::lines(&sides(world, |hex, _, direction| world.hex(hex).sides[direction] == kind)) {
        all.curve(&line);
    }
    all
}

fn borders(world: &World, parted: impl Fn(&surrender::HexInfo, &surrender::HexInfo) -> bool) -> Pieces {
    let mut all = Pieces::default();
    let on_land = |hex: Place, direction: usize| world.hex(hex).sides[direction] != Hexside::Water;
    let border = |one, other, direction| on_land(one, direction) && parted(world.hex(one), world.hex(other));
    for line in frame::lines(&sides(world, border)) {
        all.curve(&line);
    }
    all
}

/// Two-headed arrows across straits.
fn straits(world: &World) -> Pieces {
    let mut all = Pieces::default();
    for hex in Place::hexes() {
        let info = world.hex(hex);
        for (near, between) in info.near.iter().zip(info.sides) {
            let (Some(from), Some(to)) = (centre(world, hex), centre(world, *near)) else { continue };
            if between == Hexside::Strait && *near > hex {
                let at = |part: f64| Point {
                    x: from.x + (to.x - from.x) * part,
                    y: from.y + (to.y - from.y) * part,
                };
                all.line(&[at(0.3), at(0.7)]);
            }
        }
    }
    all
}

/// Transport Lines: from middle to middle, each stretch once, in runs that are as long as they can be.
fn rails(world: &World) -> Pieces {
    let mut stretches: Vec<[Corner; 2]> = Vec::new();
    let middle = |hex: Place| frame::middle(world.hex(hex).row, world.hex(hex).col);
    for hex in Place::hexes() {
        let info = world.hex(hex);
        for (direction, near) in info.near.iter().enumerate() {
            if near.is_hex() && *near > hex && info.lines >> direction & 1 != 0 {
                stretches.push([middle(hex), middle(*near)]);
            }
        }
    }
    let mut all = Pieces::default();
    for line in frame::lines(&stretches) {
        let points: Vec<Point> = line.iter().map(|corner| frame::point(*corner)).collect();
        all.line(&points);
    }
    all
}

fn names(id: &str, geography: &Geography, mut wanted: impl FnMut(&Label) -> bool) -> Markup {
    html! {
        g id=(id) {
            @for Label(_, words, x, y, angle, _) in geography.labels.iter().filter(|label| wanted(label)) {
                text x=(x) y=(y) transform=[(*angle != 0.0).then(|| format!("rotate({angle} {x} {y})"))] { (words) }
            }
        }
    }
}

fn towns(world: &World, geography: &Geography) -> Markup {
    let places: Vec<(Point, &str)> = geography
        .towns
        .iter()
        .filter_map(|(name, hex)| Some((centre(world, world.hex_named(hex)?)?, name.as_str())))
        .collect();
    html! {
        g #towns { @for (Point { x, y }, _) in &places { circle cx=(x) cy=(y) r="1.1" {} } }
        g #names-town { @for (Point { x, y }, name) in &places { text x=(x) y=(y + 4.6) { (name) } } }
    }
}

/// Signs and names of cities: a square for a city, an anchor's blue for a port without one, a rim for a Factory.
fn cities(world: &World) -> Markup {
    let at = |city: &surrender::CityInfo| centre(world, city.hex).unwrap_or(Point { x: 0.0, y: 0.0 });
    let named = |id: &str, wanted: &dyn Fn(&surrender::CityInfo) -> bool| {
        html! {
            g id=(id) {
                @for city in world.cities.iter().filter(|city| wanted(city)) {
                    @let Point { x, y } = at(city);
                    text x=(x) y=(y + 10.6) { (city.name) }
                }
            }
        }
    };
    html! {
        g #ports {
            @for city in world.cities.iter().filter(|city| city.is_port()) {
                @let Point { x, y } = at(city);
                circle cx=(x) cy=(y) r="6.2" {}
            }
        }
        g #cities {
            @for city in world.cities.iter().filter(|city| !city.port_only) {
                @let Point { x, y } = at(city);
                @let half = if city.capital { 4.2 } else { 3.2 };
                rect x=(x - half) y=(y - half) width=(half * 2.0) height=(half * 2.0) {}
            }
        }
        g #factories {
            @for city in world.cities.iter().filter(|city| city.factory) {
                @let Point { x, y } = at(city);
                path d=(format!("M{} {}v-3.2l2 1.3v-1.3l2 1.3v-2.4h1.6v4.3z", x - 2.8, y + 2.2)) {}
            }
        }
        (named("names-port", &|city| city.port_only))
        (named("names-city", &|city| !city.port_only && !city.capital))
        (named("names-capital", &|city| city.capital))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_file_has_every_layer_and_is_not_too_large() {
        let text = &*MAP_SVG;
        for id in UNDER.iter().chain(&OVER).chain(&LINES).chain(&NAMES).chain(&CITY_NAMES) {
            assert!(text.contains(&format!("id=\"{id}\"")), "no layer {id}");
        }
        assert!(text.len() < 600_000, "a map of {} bytes", text.len());
    }

    #[test]
    fn a_line_of_the_map_lies_within_a_few_hexes() {
        for pieces in [rails(World::get()), lattice(World::get()), strokes(&Geography::built_in().land)] {
            let drawn = pieces.draw("layer").into_string();
            assert!(drawn.matches("<path").count() > 20, "a layer is cut into pieces");
        }
    }
}
