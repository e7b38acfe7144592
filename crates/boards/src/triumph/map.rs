//! The map: a file that browsers keep, and the layers of the sheet that are drawn from it.
//!
//! The file holds shapes and words without any colour. The sheet draws them with `use`, once for every look, and colour, stroke
//! and font are inherited from there: so both themes and the colour-blind palette are a matter of the stylesheet, and nothing of
//! the map is ever sent again. Who controls an area is the class of its element `area-…` in the sheet.

use maud::{Markup, PreEscaped, html};

use super::geometry::{Border, Edge, Geometry, HEIGHT, Place, WIDTH};
use super::pen::{Pen, Point};
use super::{key, lines, signs};

/// What kind of area it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Land.
    Land,
    /// A strait, which is land that ships pass through (rule 1.3).
    Strait,
    /// A sea.
    Sea,
    /// An ocean, which costs two (rule 1.2).
    Ocean,
}

/// What kind of city an area has (rule 1.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum City {
    /// None.
    None,
    /// A town.
    Town,
    /// A city.
    City,
    /// The capital of a large Minor.
    CapitalCity,
    /// A capital that counts for victory.
    SubCapital,
    /// The first capital of a Great Power.
    MainCapital,
}

impl City {
    /// Those that have a mark, from the least to the greatest.
    pub const MARKED: [Self; 5] =
        [Self::Town, Self::City, Self::CapitalCity, Self::SubCapital, Self::MainCapital];
}

/// What the map says of an area. The rules of the game know it; the map only draws it.
#[derive(Clone, Copy, Debug)]
pub struct Area<'a> {
    /// Its id, by which the geometry knows it.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Its city.
    pub city: City,
    /// Its population.
    pub pop: u8,
    /// Its ordinary resources.
    pub res: u8,
    /// Its resources that may be shipped round Africa.
    pub red_res: u8,
    /// Whether it is the capital of its nation.
    pub capital: bool,
    /// The id of its nation, where it is land.
    pub nation: Option<&'a str>,
}

/// A nation or colony.
#[derive(Clone, Copy, Debug)]
pub struct Nation<'a> {
    /// Its id, by which the geometry knows it.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// Layers under the tint of control: the class in the sheet, and what it draws of the file.
const UNDER: [(&str, &str); 5] = [
    ("oceans", "oceans"),
    ("shelf s3", "coast"),
    ("shelf s2", "coast"),
    ("shelf s1", "coast"),
    ("shelf s0", "coast"),
];

/// Layers between the land and the tint of control.
const GROUND: [(&str, &str); 3] = [("void", "void"), ("hatching", "hatching"), ("channels", "channels")];

/// Layers over the tint of control, the last on top.
const OVER: [(&str, &str); 36] = [
    ("lakes", "lakes"),
    ("sea-line", "seas"),
    ("ocean-line", "ocean-lines"),
    ("strait-water", "strait-water"),
    ("insets", "insets"),
    ("frontier", "frontier"),
    ("plains", "plains"),
    ("forest", "forest"),
    ("mountain", "mountain"),
    ("river-bank", "river"),
    ("river", "river"),
    ("strait-bed", "strait"),
    ("strait", "strait"),
    ("trees", "trees"),
    ("peaks", "peaks"),
    ("peak-shade", "peak-shade"),
    ("wall", "wall"),
    ("ticks", "ticks"),
    ("coast", "coast"),
    ("nation-name", "nation-names"),
    ("name of-void", "scenery-names"),
    ("name of-water", "names-water"),
    ("name", "names-land"),
    ("name of-capital", "names-capital"),
    ("rims", "rims"),
    ("mark town", "mark-town"),
    ("mark", "mark-city"),
    ("mark", "mark-capital-city"),
    ("mark", "mark-sub-capital"),
    ("mark", "mark-main-capital"),
    ("pop", "figures-city"),
    ("pop", "figures-capital-city"),
    ("pop of-sub-capital", "figures-sub-capital"),
    ("pop of-main-capital", "figures-main-capital"),
    ("res", "resources"),
    ("res red", "red-resources"),
];

/// The file of the map.
pub fn file(areas: &[Area<'_>], nations: &[Nation<'_>]) -> String {
    let map = Geometry::built_in();
    let drawn = html! {
        (PreEscaped("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1600 1100\">"))
        @for place in map.places() { (shape(&format!("a-{}", place.id), &map.outline(place))) }
        @for tint in tints(map) { (shape(&format!("tint-{tint}"), &land_of(map, areas, tint))) }
        (shape("oceans", &map.united(places(map, areas, |area| area.kind == Kind::Ocean))))
        (shape("channels", &map.channels))
        (shape("lakes", &map.lakes))
        (scenery(map))
        (borders(map, areas))
        path #insets d=(insets(map)) {}
        (signs::nation_names(map, nations))
        (signs::scenery_names(map))
        (signs::names(map, areas, "names-water", signs::is_water))
        (signs::names(map, areas, "names-land", |area| !signs::is_water(area) && !signs::is_capital(area)))
        (signs::names(map, areas, "names-capital", signs::is_capital))
        (signs::Signs::of(map, areas).draw())
        (PreEscaped("</svg>"))
    };
    drawn.into_string()
}

/// The map on the sheet, drawn from its file at an address. `over` lies on top: the places for blocks and whatever else changes.
pub fn sheet(areas: &[Area<'_>], nations: &[Nation<'_>], url: &str, over: &Markup) -> Markup {
    let map = Geometry::built_in();
    html! {
        svg #map .atlas viewBox={"0 0 " (WIDTH) " " (HEIGHT)} role="group" aria-label="Map of Europe" {
            defs {
                pattern #disputed width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    path.dispute d="M0 4.5H9" {}
                }
            }
            // A drawing of its own, so that shallows at the edge of the map end there.
            svg.ground width=(WIDTH) height=(HEIGHT) aria-hidden="true" {
                rect.water width=(WIDTH) height=(HEIGHT) {}
                (layers(url, &UNDER))
                @for tint in tints(map) { use.{"tint " (tint)} href={(url) "#tint-" (tint)} {} }
                (layers(url, &GROUND))
            }
            g.areas {
                @for area in areas {
                    use.area #{"area-" (area.id)} href={(url) "#a-" (area.id)} { title { (words(area, nations)) } }
                }
            }
            g.lines aria-hidden="true" {
                (layers(url, &OVER))
                use.stars href={(url) "#stars"} {}
                (key::draw())
                rect.neatline x="1" y="1" width=(WIDTH - 2.0) height=(HEIGHT - 2.0) {}
            }
            (over)
        }
    }
}

/// An area in words: "Warsaw (Poland): capital city, POP 1, RES 1".
pub fn words(area: &Area<'_>, nations: &[Nation<'_>]) -> String {
    let mut words = area.name.to_owned();
    let nation = nations.iter().find(|nation| Some(nation.id) == area.nation);
    if let Some(nation) = nation.filter(|nation| nation.name != area.name) {
        words.push_str(&format!(" ({})", nation.name));
    }
    let mut facts = Vec::new();
    match area.kind {
        Kind::Ocean => facts.push("ocean".to_owned()),
        Kind::Strait => facts.push("strait".to_owned()),
        Kind::Land | Kind::Sea => {}
    }
    match area.city {
        City::None => {}
        City::Town => facts.push("town".to_owned()),
        City::City => facts.push("city".to_owned()),
        City::CapitalCity => facts.push("capital city".to_owned()),
        City::SubCapital => facts.push("sub-capital".to_owned()),
        City::MainCapital => facts.push("main capital".to_owned()),
    }
    if area.capital && matches!(area.city, City::None | City::Town | City::City) {
        facts.push("capital".to_owned());
    }
    for (value, word) in [(area.pop, "POP"), (area.res, "RES"), (area.red_res, "RES round Africa")] {
        if value > 0 {
            facts.push(format!("{word} {value}"));
        }
    }
    if !facts.is_empty() {
        words.push_str(&format!(": {}", facts.join(", ")));
    }
    words
}

fn layers(url: &str, layers: &[(&str, &str)]) -> Markup {
    html! { @for (class, id) in layers { use.(class) href={(url) "#" (id)} {} } }
}

/// The tints in the order of the nations, each once.
fn tints(map: &Geometry) -> Vec<&str> {
    let mut tints: Vec<&str> = map.nations.iter().map(|nation| nation.tint.as_str()).collect();
    tints.sort_unstable();
    tints.dedup();
    tints
}

fn places<'m>(map: &'m Geometry, areas: &[Area<'_>], wanted: impl Fn(&Area<'_>) -> bool) -> Vec<&'m Place> {
    areas.iter().filter(|area| wanted(area)).filter_map(|area| map.place(area.id)).collect()
}

/// The outlines of all land of a tint.
fn land_of(map: &Geometry, areas: &[Area<'_>], tint: &str) -> Vec<Vec<Point>> {
    let of = |area: &Area<'_>| {
        area.nation.and_then(|nation| map.nation(nation)).is_some_and(|nation| nation.tint == tint)
    };
    map.united(places(map, areas, of))
}

fn shape(id: &str, rings: &[Vec<Point>]) -> Markup {
    let mut pen = Pen::default();
    for ring in rings {
        pen.ring(ring);
    }
    html! { path id=(id) fill-rule="evenodd" d=(pen.done()) {} }
}

fn path(id: &str, lines: &[Vec<Point>]) -> Markup {
    let mut pen = Pen::default();
    for line in lines {
        pen.line(line);
    }
    html! { path id=(id) d=(pen.done()) {} }
}

/// The land out of play, hatched.
fn scenery(map: &Geometry) -> Markup {
    let outlines: Vec<Vec<Vec<Point>>> =
        map.scenery.iter().map(|scenery| map.scenery_outline(scenery)).collect();
    let hatching: String = outlines.iter().map(|rings| lines::hatching(rings)).collect();
    html! { (shape("void", &outlines.concat())) path #hatching d=(hatching) {} }
}

/// All borders, one path for each kind.
fn borders(map: &Geometry, areas: &[Area<'_>]) -> Markup {
    let nation = |place: &Place| areas.iter().find(|area| area.id == place.id).and_then(|area| area.nation);
    let on_land = |a: &Place, b: &Place| nation(a).is_some() && nation(b).is_some();
    let strait =
        |land: bool| map.borders_where(move |a, b, border| border == Border::Strait && on_land(a, b) == land);
    let frontier = map.borders_where(|a, b, _| on_land(a, b) && nation(a) != nation(b));
    let (forests, mountains) = (map.borders(Border::Forest), map.borders(Border::Mountain));
    let (peaks, shades) = lines::peaks(&mountains);
    let walls = map.edges(Edge::Impassable);
    let mut coast = map.borders(Border::Coast);
    coast.extend(map.edges(Edge::Shore));
    coast.extend(map.shores.iter().cloned());
    html! {
        (path("coast", &coast))
        (path("seas", &map.borders(Border::Sea)))
        (path("ocean-lines", &map.borders(Border::Ocean)))
        (path("strait-water", &strait(false)))
        (path("strait", &strait(true)))
        (path("frontier", &frontier))
        (path("plains", &map.borders(Border::Plains)))
        (path("river", &map.borders(Border::River)))
        (path("forest", &forests))
        path #trees d=(lines::trees(&forests)) {}
        (path("mountain", &mountains))
        path #peaks d=(peaks) {}
        path #peak-shade d=(shades) {}
        (path("wall", &walls))
        path #ticks d=(lines::ticks(&walls)) {}
    }
}

/// The frames of the insets.
fn insets(map: &Geometry) -> String {
    let mut pen = Pen::default();
    for place in map.places().iter().filter(|place| place.inset) {
        for ring in map.outline(place) {
            pen.ring(&ring);
        }
    }
    pen.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLAND: [Nation<'static>; 1] = [Nation { id: "poland", name: "Poland" }];
    const WARSAW: Area<'static> = Area {
        id: "warsaw",
        name: "Warsaw",
        kind: Kind::Land,
        city: City::CapitalCity,
        pop: 1,
        res: 1,
        red_res: 0,
        capital: true,
        nation: Some("poland"),
    };

    /// The whole map, with one area that is more than a name.
    fn areas() -> Vec<Area<'static>> {
        let others = Geometry::built_in().places().iter().filter(|place| place.id != WARSAW.id);
        let plain = |place: &'static Place| Area {
            id: &place.id,
            name: &place.id,
            city: City::None,
            pop: 0,
            res: 0,
            capital: false,
            ..WARSAW
        };
        others.map(plain).chain([WARSAW]).collect()
    }

    #[test]
    fn the_sheet_draws_nothing_that_the_file_does_not_hold() {
        let (areas, file) = (areas(), file(&areas(), &POLAND));
        let sheet = sheet(&areas, &POLAND, "map.svg", &html! { g #units {} }).into_string();
        let drawn: Vec<&str> =
            sheet.split("href=\"map.svg#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(drawn.len() > 180, "{}", drawn.len());
        for id in drawn {
            assert_eq!(file.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        }
        assert!(sheet.contains("<g id=\"units\"></g></svg>"), "what changes lies on top");
        assert!(sheet.contains("id=\"area-warsaw\""));
    }

    #[test]
    fn the_file_is_colourless_and_not_too_large() {
        let file = file(&areas(), &POLAND);
        assert!(!file.contains("fill=\"") && !file.contains("class="), "the sheet has all looks");
        assert!(file.contains(">POLAND</text>") && file.contains(">Warsaw</text>"));
        assert!((150_000..350_000).contains(&file.len()), "{} bytes", file.len());
    }

    #[test]
    fn areas_are_told_in_words() {
        assert_eq!(words(&WARSAW, &POLAND), "Warsaw (Poland): capital city, POP 1, RES 1");
        let sea = Area { kind: Kind::Ocean, nation: None, ..WARSAW };
        let sea =
            Area { name: "Mid Atlantic Ocean", city: City::None, pop: 0, res: 0, capital: false, ..sea };
        assert_eq!(words(&sea, &POLAND), "Mid Atlantic Ocean: ocean");
    }
}
