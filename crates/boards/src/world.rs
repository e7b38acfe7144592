//! The outlines of the world in a board frame of 1600 by 800, shared by the boards that are drawn on them.
//!
//! `data/world.json` holds polygons from public-domain geography (Natural Earth, 1:50 million, with fewer points) under a
//! lens that gives Europe and the western Pacific more room, and named places in the same frame.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;
use web::BoardFile;

/// The data.
static WORLD: LazyLock<World> = LazyLock::new(World::read);

/// The outlines as an SVG with one path, `#land`, for `<use>`: a file of its own that the browser keeps.
static WORLD_SVG: LazyLock<String> = LazyLock::new(|| WORLD.svg());

/// The file with the outlines, as the server offers it.
pub static FILE: LazyLock<BoardFile> =
    LazyLock::new(|| BoardFile::new("world.svg", "image/svg+xml", WORLD_SVG.as_str()));

/// The address of the outlines.
pub fn url() -> &'static str {
    FILE.url()
}

/// Polygons and places.
#[derive(Debug, Deserialize)]
pub struct World {
    land: Vec<Vec<Vec<[f64; 2]>>>,
    anchors: Vec<Anchor>,
}

#[derive(Debug, Deserialize)]
struct Anchor {
    id: String,
    x: f64,
    y: f64,
}

impl World {
    fn read() -> Self {
        let read = serde_json::from_str(include_str!("../data/world.json"));
        read.unwrap_or_else(|_| Self { land: Vec::new(), anchors: Vec::new() })
    }

    /// The data that is built in.
    pub fn built_in() -> &'static Self {
        &WORLD
    }

    /// Where a named place lies.
    pub fn place(&self, id: &str) -> Option<(f64, f64)> {
        self.anchors.iter().find(|anchor| anchor.id == id).map(|anchor| (anchor.x, anchor.y))
    }

    /// The outlines of a piece of the world, left, top, width and height, as a path for a small picture of a width: with
    /// fewer points, without islands that would be specks, and in half points so that whole numbers do.
    pub fn small_outline(&self, [left, top, width, height]: [f64; 4], picture: f64) -> String {
        const APART: f64 = 1.8;
        let scale = picture / width;
        let mut path = String::new();
        for ring in self.land.iter().flatten() {
            let mut kept: Vec<(f64, f64)> = Vec::new();
            for [x, y] in ring {
                let point = ((x - left) * scale, (y - top) * scale);
                let far = |(x, y): &(f64, f64)| (point.0 - x).hypot(point.1 - y) > APART;
                if kept.last().is_none_or(far) {
                    kept.push(point);
                }
            }
            let seen = |(x, y): &(f64, f64)| (0.0..picture).contains(x) && (0.0..height * scale).contains(y);
            if kept.len() < 4 || !kept.iter().any(seen) {
                continue;
            }
            for (at, (x, y)) in kept.iter().enumerate() {
                let _ = write!(path, "{}{:.0} {:.0}", if at == 0 { 'M' } else { ' ' }, x * 2.0, y * 2.0);
            }
            path.push('z');
        }
        path
    }

    fn svg(&self) -> String {
        let mut path = String::with_capacity(70_000);
        for ring in self.land.iter().flatten() {
            let mut before: Option<[f64; 2]> = None;
            for point in ring {
                // Relative steps in tenths: a third shorter than absolute ones.
                let _ = match before {
                    None => write!(path, "M{:.1} {:.1}l", point[0], point[1]),
                    Some(from) => write!(path, "{:.1} {:.1} ", point[0] - from[0], point[1] - from[1]),
                };
                before = Some(*point);
            }
            path.push('z');
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1600 800\"><path id=\"land\" \
             fill-rule=\"evenodd\" vector-effect=\"non-scaling-stroke\" d=\"{path}\"/></svg>"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_world_is_there() {
        assert!(WORLD_SVG.len() > 20_000, "only {} bytes", WORLD_SVG.len());
        assert!(World::built_in().place("london").is_some());
        assert!(World::built_in().place("atlantis").is_none());
    }
}
