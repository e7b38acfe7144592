//! Where the fronts lie on the map of the world.

use echoes::ids::Region;

use crate::world::World;

/// A piece of the map, in the frame of the world.
#[derive(Clone, Copy, Debug)]
pub struct Crop {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width; the height follows from the shape of the card.
    pub width: f64,
}

/// The piece of the map that a theatre shows.
pub const fn crop(region: Region) -> Crop {
    let (x, y, width) = match region {
        Region::Wf => (108.0, 122.0, 205.0),
        Region::Ef => (258.0, 80.0, 250.0),
        Region::Sf => (165.0, 246.0, 360.0),
        Region::Chn => (742.0, 268.0, 360.0),
        Region::Pac => (960.0, 318.0, 450.0),
        Region::Isl => (756.0, 372.0, 680.0),
    };
    Crop { x, y, width }
}

/// A point of a route: a named place of the world, or one that we place by hand.
enum Point {
    Named(&'static str),
    At(f64, f64),
}

/// The way of a front from the Allied end to the Axis end.
const fn route(region: Region) -> &'static [Point] {
    use Point::{At, Named};
    match region {
        Region::Wf => &[
            Named("london"),
            At(160.0, 182.0),
            At(157.0, 194.5),
            Named("paris"),
            At(222.0, 181.0),
            Named("berlin"),
        ],
        Region::Ef => &[
            Named("moscow"),
            Named("smolensk"),
            At(411.0, 160.0),
            At(374.0, 163.0),
            Named("warsaw"),
            Named("berlin"),
        ],
        Region::Sf => &[
            Named("suez"),
            Named("el_alamein"),
            Named("tobruk"),
            At(280.0, 360.0),
            Named("rome"),
            // Berlin lies beyond the upper edge of this piece.
            At(278.0, 270.0),
        ],
        Region::Chn => &[Named("chungking"), Named("changsha"), At(922.0, 388.0), At(955.0, 300.0)],
        Region::Pac => &[
            Named("hawaii"),
            Named("midway"),
            Named("wake"),
            Named("guam"),
            Named("iwo_jima"),
            Named("tokyo"),
        ],
        Region::Isl => &[
            Named("darwin"),
            Named("port_moresby"),
            Named("solomons"),
            Named("philippines"),
            Named("okinawa"),
            // Japan lies beyond the upper edge of this piece.
            At(1046.0, 414.0),
        ],
    }
}

/// The places of a front, in the frame of the world, for a track of so many spaces. An own book may have more or fewer
/// spaces than the map has places: then they are spread along the way.
pub fn places(region: Region, spaces: usize) -> Vec<(f64, f64)> {
    let world = World::built_in();
    let known: Vec<(f64, f64)> = route(region)
        .iter()
        .map(|point| match point {
            Point::Named(id) => world.place(id).unwrap_or_default(),
            Point::At(x, y) => (*x, *y),
        })
        .collect();
    let last = known.len() - 1;
    let between = |space: usize| {
        let along = space as f64 * last as f64 / (spaces.max(2) - 1) as f64;
        let from = (along.floor() as usize).min(last);
        let (a, b) = (known[from], known[(from + 1).min(last)]);
        let part = along - from as f64;
        (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
    };
    (0..spaces).map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_lies_on_its_piece_of_the_map() {
        for region in Region::ALL {
            let piece = crop(region);
            for spaces in [4, 6, 8] {
                for (x, y) in places(region, spaces) {
                    assert!((piece.x..piece.x + piece.width).contains(&x), "{region}: x {x}");
                    let height =
                        piece.width * super::super::theatre::MAP_HEIGHT / super::super::theatre::WIDTH;
                    assert!((piece.y..piece.y + height).contains(&y), "{region}: y {y}");
                }
            }
        }
    }

    #[test]
    fn a_track_of_the_printed_length_stands_on_the_named_places() {
        let london = World::built_in().place("london").expect("London is there");
        assert_eq!(places(Region::Wf, 6)[0], london);
        assert_eq!(places(Region::Chn, 4).len(), 4);
    }
}
