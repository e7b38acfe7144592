//! What the small pictures of all boards share: their size, their colours in light and dark, and the map of the world.

use std::sync::LazyLock;

use maud::{Markup, html};
use web::Tone;

use crate::world::World;

/// The pictures are so large.
pub const WIDE: f64 = 240.0;
/// The pictures are so high.
pub const HIGH: f64 = 135.0;

/// The piece of the world behind a picture: all of it but the ice.
const WORLD: [f64; 4] = [0.0, 0.0, 1600.0, 900.0];
static LAND: LazyLock<String> = LazyLock::new(|| World::built_in().small_outline(WORLD, WIDE));

/// The colours of a picture: the same as those of the pages.
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    /// The ground.
    pub paper: &'static str,
    /// Writing.
    pub ink: &'static str,
    /// Water.
    pub sea: &'static str,
    /// Land on the map of the world.
    pub land: &'static str,
    /// The Allies.
    pub allied: &'static str,
    /// The Axis.
    pub axis: &'static str,
    /// A marker that stands between the sides.
    pub even: &'static str,
    /// The rim of a marker.
    pub rim: &'static str,
}

/// The colours of a tone.
pub const fn colours(tone: Tone) -> Colours {
    match tone {
        Tone::Light => Colours {
            paper: "#e9e0c8",
            ink: "#3a342a",
            sea: "#c9d9d8",
            land: "#e8ddbf",
            allied: "#2f5d8a",
            axis: "#8c3b2e",
            even: "#f7f1df",
            rim: "#2a2620",
        },
        Tone::Dark => Colours {
            paper: "#222528",
            ink: "#d8d0c0",
            sea: "#1c2a31",
            land: "#3c3c33",
            allied: "#7fb2e0",
            axis: "#e59a8a",
            even: "#ece6d8",
            rim: "#0f1112",
        },
    }
}

/// The map of the world over the whole picture.
pub fn world(colours: Colours) -> Markup {
    html! {
        rect width=(WIDE) height=(HIGH) fill=(colours.sea) {}
        path d=(*LAND) fill=(colours.land) fill-rule="evenodd" transform="scale(.5)" {}
    }
}

/// A place of the world's frame in the picture.
pub fn in_picture((x, y): (f64, f64)) -> (f64, f64) {
    let [left, top, width, _] = WORLD;
    ((x - left) * WIDE / width, (y - top) * WIDE / width)
}
