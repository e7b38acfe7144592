//! What the rules do not know of the map: coasts, lakes, the borders of Sea Zones, names. From public-domain geography
//! (Natural Earth) in the frame of the map, with few points.

use std::sync::LazyLock;

use serde::Deserialize;

/// The data.
static GEOGRAPHY: LazyLock<Geography> = LazyLock::new(|| {
    serde_json::from_str(include_str!("geography.json")).expect("the built-in geography can be read")
});

/// Lines and names.
#[derive(Debug, Deserialize)]
pub struct Geography {
    /// The coasts, as a path.
    pub land: String,
    /// Lakes, as a path.
    pub lakes: String,
    /// The borders between Sea Zones, as a path.
    pub zones: String,
    /// Names.
    pub labels: Vec<Label>,
    /// Towns that the rules do not know, by the name of their hex.
    pub towns: Vec<(String, String)>,
}

/// A name on the map: what it is of, the words, where, the angle in degrees, and how large the thing is.
#[derive(Debug, Deserialize)]
pub struct Label(pub Kind, pub String, pub f64, pub f64, pub f64, pub u32);

/// What a name is of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A Sea Zone.
    Sea,
    /// A river.
    River,
    /// Mountains.
    Mountain,
    /// A country or a part of one.
    Land,
}

impl Geography {
    /// The data that is built in.
    pub fn built_in() -> &'static Self {
        &GEOGRAPHY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_geography_is_there() {
        let geography = Geography::built_in();
        assert!(geography.land.len() > 20_000 && geography.zones.starts_with('M'));
        assert_eq!(geography.labels.iter().filter(|label| label.0 == Kind::Sea).count(), surrender::ZONES);
    }
}
