//! Where the theatres and the cities lie on the map of the world.

use crate::world::World;

/// A piece of the map, in the frame of the world: left, top, width, height.
pub type Crop = [f64; 4];

/// The piece of the map behind a theatre of the base board.
pub fn crop(theatre: &str) -> Crop {
    match theatre {
        "WE" => [40.0, 112.0, 330.0, 120.0],
        "EE" => [310.0, 70.0, 400.0, 146.0],
        "PO" => [970.0, 330.0, 480.0, 174.0],
        "AF" => [90.0, 300.0, 520.0, 190.0],
        _ => [745.0, 440.0, 560.0, 204.0],
    }
}

/// The size of the map of Nippon.
pub const MAP: (f64, f64) = (620.0, 440.0);
/// What it shows: the land between the oceans.
const AMERICA: Crop = [1415.0, 150.0, 180.0, 295.0];
/// Alaska lies far off, so it has a corner of its own: where, and what of the world.
pub const ALASKA_BOX: Crop = [8.0, 8.0, 150.0, 72.0];
const ALASKA: Crop = [1296.0, 22.0, 104.0, 96.0];

/// The two pieces of the Nippon map: where they are drawn, and what they show.
pub const NIPPON_PIECES: [(Crop, Crop); 2] = [([0.0, 0.0, MAP.0, MAP.1], AMERICA), (ALASKA_BOX, ALASKA)];

/// On which side of its sign a city's name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Above.
    Above,
    /// Below.
    Below,
    /// To the right.
    Right,
}

/// Where a city lies in the frame of the world, and where its name stands. The places are true but for a few steps that
/// keep signs apart.
fn in_frame(id: &str) -> ((f64, f64), Label) {
    use Label::{Above, Below, Right};
    let named = |id: &str| World::built_in().place(id).unwrap_or((1500.0, 300.0));
    match id {
        "ANC" => (named("anchorage"), Right),
        "SET" => (named("seattle"), Right),
        "SFO" => (named("san_francisco"), Right),
        "LAX" => (named("los_angeles"), Below),
        "MIN" => ((1513.7, 242.2), Above),
        "SLC" => ((1462.8, 282.0), Above),
        "DEN" => ((1484.0, 301.0), Right),
        "PHX" => ((1464.3, 366.0), Below),
        "CHI" => ((1528.9, 272.0), Above),
        "STL" => ((1521.0, 317.0), Below),
        "DAL" => ((1500.3, 371.0), Below),
        "NOL" => ((1521.3, 398.0), Below),
        "NYC" => ((1565.6, 282.0), Above),
        "WAS" => ((1557.7, 318.0), Below),
        _ => ((1549.4, 420.0), Above),
    }
}

/// Where a city lies in the frame of the world.
pub fn in_world(id: &str) -> (f64, f64) {
    in_frame(id).0
}

/// Where a city's sign stands on the Nippon map, and its name beside it.
pub fn city(id: &str) -> ((f64, f64), Label) {
    let ((x, y), label) = in_frame(id);
    let [(whole, america), (corner, alaska)] = NIPPON_PIECES;
    let (place, crop) = if id == "ANC" { (corner, alaska) } else { (whole, america) };
    let along = |value: f64, at: usize| place[at] + (value - crop[at]) * place[at + 2] / crop[at + 2];
    ((along(x, 0), along(y, 1)), label)
}

/// The piece of the map behind a city's card: the city lies to the right of its spaces.
pub fn city_crop(id: &str) -> Crop {
    let ((x, y), _) = in_frame(id);
    [x - 41.0, y - 17.0, 56.0, 40.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fifteen signs with their names must not cover one another.
    #[test]
    fn the_signs_of_the_cities_stand_apart() {
        let layout = blitz::layout::Layout::nippon();
        let places: Vec<(f64, f64)> = layout.theatres.iter().map(|theatre| city(&theatre.id).0).collect();
        for (at, a) in places.iter().enumerate() {
            assert!(
                (10.0..MAP.0 - 10.0).contains(&a.0) && (10.0..MAP.1 - 10.0).contains(&a.1),
                "{at}: {a:?}"
            );
            for b in &places[..at] {
                assert!((a.0 - b.0).hypot(a.1 - b.1) > 38.0, "{a:?} and {b:?}");
            }
        }
    }
}
