//! The theatres of war: pieces of the map that people name, to go there and to sort lists.

use surrender::{Place, World};

use super::frame::{Point, centre};

/// A theatre: its name, and the left, top, width and height of the piece of the map that shows it.
#[derive(Clone, Copy, Debug)]
pub struct Theatre {
    /// Its name.
    pub name: &'static str,
    /// A word for ids.
    pub word: &'static str,
    /// Left, top, width, height.
    pub frame: [u32; 4],
}

/// All of them.
pub const THEATRES: [Theatre; 7] = [
    Theatre { name: "West", word: "west", frame: [220, 420, 300, 260] },
    Theatre { name: "North", word: "north", frame: [380, 20, 420, 380] },
    Theatre { name: "East", word: "east", frame: [640, 220, 480, 440] },
    Theatre { name: "Balkans", word: "balkans", frame: [580, 580, 320, 320] },
    Theatre { name: "Italy", word: "italy", frame: [400, 640, 320, 330] },
    Theatre { name: "Africa", word: "africa", frame: [60, 840, 900, 270] },
    Theatre { name: "Near East", word: "near-east", frame: [860, 640, 460, 460] },
];

/// The theatre of a place, by its number: the one whose middle is nearest, measured in its own size, because they overlap.
pub fn of(world: &World, place: Place) -> usize {
    let Some(Point { x, y }) = centre(world, place) else { return 0 };
    let off = |theatre: &Theatre| {
        let [left, top, wide, high] = theatre.frame.map(f64::from);
        let (right, down) = ((x - left) / wide - 0.5, (y - top) / high - 0.5);
        right * right + down * down
    };
    let nearest = THEATRES.iter().enumerate().min_by(|(_, one), (_, other)| off(one).total_cmp(&off(other)));
    nearest.map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_lie_in_their_theatres() {
        let world = World::get();
        for (city, theatre) in [
            ("Paris", "West"),
            ("Oslo", "North"),
            ("Smolensk", "East"),
            ("Belgrade", "Balkans"),
            ("Rome", "Italy"),
            ("Tobruk", "Africa"),
        ] {
            let found = world.cities.iter().find(|known| known.name == city).expect("the city is on the map");
            assert_eq!(THEATRES[of(world, found.hex)].name, theatre, "{city}");
        }
    }
}
