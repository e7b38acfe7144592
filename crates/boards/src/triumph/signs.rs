//! Names and signs on the map: areas, nations, cities, resources, capitals. Rules 1.12 and 1.13.

use maud::{Markup, html};

use super::geometry::{Geometry, NationPlace, Place};
use super::map::{Area, City, Kind, Nation};
use super::pen::{Pen, Tenths};

/// From one line of an area's name to the next.
const LINE: f64 = 12.4;
/// From the middle of a line to the foot of its letters.
const FOOT: f64 = 4.2;
/// Between two signs of a row.
const GAP: f64 = 1.4;
/// How wide the sign of a resource is.
const RESOURCE: f64 = 8.4;
/// How wide the star of a capital is.
const STAR: f64 = 11.0;

impl City {
    /// How large its mark is.
    pub const fn size(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Town => 8.5,
            Self::City | Self::CapitalCity => 12.0,
            Self::SubCapital => 14.0,
            Self::MainCapital => 16.0,
        }
    }

    /// The class of its mark.
    pub const fn class(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Town => "town",
            Self::City => "city",
            Self::CapitalCity => "capital-city",
            Self::SubCapital => "sub-capital",
            Self::MainCapital => "main-capital",
        }
    }

    /// From the middle of its mark to the foot of the figure in it.
    pub const fn figure_foot(self) -> f64 {
        match self {
            Self::MainCapital => 3.9,
            Self::SubCapital => 3.4,
            _ => 3.1,
        }
    }
}

/// All signs of the map, one path or group for each look.
#[derive(Debug, Default)]
pub struct Signs {
    marks: [Pen; City::MARKED.len()],
    figures: [Vec<(f64, f64, u8)>; City::MARKED.len()],
    rims: Pen,
    resources: Pen,
    red_resources: Pen,
    stars: Pen,
}

impl Signs {
    /// The signs of areas.
    pub fn of(map: &Geometry, areas: &[Area<'_>]) -> Self {
        let mut signs = Self::default();
        for area in areas {
            if let Some(middle) = map.place(area.id).and_then(|place| place.signs) {
                signs.row(area, middle);
            }
        }
        signs
    }

    /// A row of signs around its middle: star, city, resources.
    fn row(&mut self, area: &Area<'_>, [middle, y]: [f64; 2]) {
        let stars = if area.capital { 1 } else { 0 };
        let cities = if area.city == City::None { 0 } else { 1 };
        let resources = usize::from(area.res + area.red_res);
        let gaps = (stars + cities + resources).saturating_sub(1) as f64;
        let wide = stars as f64 * STAR + area.city.size() + resources as f64 * RESOURCE + gaps * GAP;
        let mut left = middle - wide / 2.0;
        let mut next = |wide: f64| {
            let x = left + wide / 2.0;
            left += wide + GAP;
            x
        };
        if area.capital {
            star(&mut self.stars, next(STAR), y);
        }
        if let Some(at) = City::MARKED.iter().position(|city| *city == area.city) {
            let x = next(area.city.size());
            mark(&mut self.marks[at], &mut self.rims, area.city, x, y);
            if area.pop > 0 {
                self.figures[at].push((x, y + area.city.figure_foot(), area.pop));
            }
        }
        for at in 0..area.res + area.red_res {
            let pen = if at < area.res { &mut self.resources } else { &mut self.red_resources };
            resource(pen, next(RESOURCE), y);
        }
    }

    /// The signs as pieces of the map's file.
    pub fn draw(self) -> Markup {
        html! {
            path #rims d=(self.rims.done()) {}
            @for (city, pen) in City::MARKED.iter().zip(self.marks) {
                path id={"mark-" (city.class())} d=(pen.done()) {}
            }
            @for (city, figures) in City::MARKED.iter().zip(&self.figures) {
                g id={"figures-" (city.class())} {
                    @for (x, y, pop) in figures { text x=(Tenths::of(*x)) y=(Tenths::of(*y)) { (pop) } }
                }
            }
            path #resources d=(self.resources.done()) {}
            path #red-resources d=(self.red_resources.done()) {}
            path #stars d=(self.stars.done()) {}
        }
    }
}

/// The mark of a city: a ring for a town, a disc, a square for the capital city of a large Minor, a rim around the capitals
/// that count for victory.
pub fn mark(pen: &mut Pen, rims: &mut Pen, city: City, x: f64, y: f64) {
    let radius = city.size() / 2.0;
    match city {
        City::None => {}
        City::Town | City::City => pen.circle(x, y, radius - 0.4),
        City::CapitalCity => {
            let side = radius - 0.5;
            pen.shape(&[
                (x - side, y - side),
                (x + side, y - side),
                (x + side, y + side),
                (x - side, y + side),
            ]);
        }
        City::SubCapital | City::MainCapital => {
            pen.circle(x, y, radius - 2.0);
            rims.circle(x, y, radius - 0.6);
        }
    }
}

/// The sign of a resource: a crystal.
pub fn resource(pen: &mut Pen, x: f64, y: f64) {
    const WIDE: f64 = 3.9;
    const HIGH: f64 = 4.9;
    pen.shape(&[(x, y - HIGH), (x + WIDE, y), (x, y + HIGH), (x - WIDE, y)]);
}

/// The star of a capital.
pub fn star(pen: &mut Pen, x: f64, y: f64) {
    const REACH: f64 = 5.6;
    let corner = |n: u32| {
        let angle = std::f64::consts::PI * (f64::from(n) / 5.0 - 0.5);
        let reach = if n.is_multiple_of(2) { REACH } else { REACH * 0.42 };
        // A star looks centred a little below the middle.
        (x + reach * angle.cos(), y + 0.4 + reach * angle.sin())
    };
    let corners: Vec<(f64, f64)> = (0..10).map(corner).collect();
    pen.shape(&corners);
}

/// The names of the areas that are wanted, as a group of the map's file.
pub fn names(map: &Geometry, areas: &[Area<'_>], id: &str, wanted: impl Fn(&Area<'_>) -> bool) -> Markup {
    html! {
        g id=(id) {
            @for area in areas.iter().filter(|area| wanted(area)) {
                @if let Some(place) = map.place(area.id) { (name(place, area.name)) }
            }
        }
    }
}

fn name(place: &Place, name: &str) -> Markup {
    let [x, y] = place.name;
    let lines = in_lines(name, &place.lines);
    let top = y - (lines.len() - 1) as f64 * LINE / 2.0 + FOOT;
    html! {
        @for (at, line) in lines.iter().enumerate() {
            text x=(Tenths::of(x)) y=(Tenths::of(top + at as f64 * LINE)) { (line) }
        }
    }
}

/// Whether an area's name is written as that of a capital.
pub const fn is_capital(area: &Area<'_>) -> bool {
    area.capital
}

/// Whether an area is water.
pub const fn is_water(area: &Area<'_>) -> bool {
    matches!(area.kind, Kind::Sea | Kind::Ocean)
}

/// The names of the nations: large and faint, for those who hold a card and look for its land.
pub fn nation_names(map: &Geometry, nations: &[Nation<'_>]) -> Markup {
    html! {
        g #nation-names {
            @for nation in nations {
                @if let Some(place) = map.nation(nation.id) { (nation_name(place, nation.name)) }
            }
        }
    }
}

fn nation_name(place: &NationPlace, name: &str) -> Markup {
    let Some([x, y]) = place.at else { return html! {} };
    let name = name.to_uppercase();
    let lines = in_lines(&name, &place.lines);
    let step = place.size * 1.08;
    let top = place.size * 0.34 - (lines.len() - 1) as f64 * step / 2.0;
    let turn = if place.turn == 0 { String::new() } else { format!(" rotate({})", place.turn) };
    html! {
        g transform={"translate(" (Tenths::of(x)) " " (Tenths::of(y)) ")" (turn)} font-size=(place.size) letter-spacing={(place.spacing) "em"} {
            @for (at, line) in lines.iter().enumerate() {
                // Letters have their space behind them: half of it is given back.
                text x=(Tenths::of(place.spacing * place.size / 2.0)) y=(Tenths::of(top + at as f64 * step)) { (line) }
            }
        }
    }
}

/// The names of the land out of play.
pub fn scenery_names(map: &Geometry) -> Markup {
    html! {
        g #scenery-names {
            @for scenery in &map.scenery {
                @if let Some([x, y]) = scenery.at {
                    text x=(Tenths::of(x)) y=(Tenths::of(y + 4.0)) font-size=[scenery.small.then_some("9")] letter-spacing=[scenery.small.then_some(".04em")] { (scenery.name) }
                }
            }
        }
    }
}

/// A name in lines of so many words; what is left over goes to the last line.
fn in_lines(name: &str, counts: &[usize]) -> Vec<String> {
    let mut words = name.split_whitespace();
    let Some((_, first)) = counts.split_last() else { return vec![name.to_owned()] };
    let mut lines: Vec<String> =
        first.iter().map(|count| words.by_ref().take(*count).collect::<Vec<_>>().join(" ")).collect();
    lines.push(words.collect::<Vec<_>>().join(" "));
    lines.retain(|line| !line.is_empty());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_broken_where_the_map_says() {
        assert_eq!(in_lines("Gulf of Bothnia", &[2, 1]), ["Gulf of", "Bothnia"]);
        assert_eq!(in_lines("Warsaw", &[]), ["Warsaw"]);
        assert_eq!(in_lines("Azov", &[1, 1, 1]), ["Azov"]);
    }

    #[test]
    fn a_row_of_signs_lies_around_its_middle() {
        let baku = Area {
            id: "baku",
            name: "Baku",
            kind: Kind::Land,
            city: City::SubCapital,
            pop: 2,
            res: 3,
            red_res: 1,
            capital: false,
            nation: Some("ussr"),
        };
        let mut signs = Signs::default();
        signs.row(&baku, [100.0, 50.0]);
        let drawn = signs.draw().into_string();
        // 14 + 4 × 8.4 + 4 × 1.4 = 53.2 wide: the mark is 19.6 left of the middle.
        assert!(drawn.contains("<text x=\"80.4\" y=\"53.4\">2</text>"), "{drawn}");
        assert!(drawn.contains("M122.4 45.1"), "the red one is the last: {drawn}");
    }
}
