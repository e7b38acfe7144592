//! The features of a view: a position as named numbers, for learning programs.

use std::fmt;

/// Where a game writes the features of a view, one after the other.
///
/// One method of the game gives both names and values, so they can't disagree; a sink that only wants the values never
/// writes a name.
pub trait FeatureSink {
    /// Adds a feature. The values should be about as large as 1.
    fn put(&mut self, name: fmt::Arguments<'_>, value: impl Into<f32>);

    /// Adds a yes or no as 1 or 0.
    #[inline]
    fn flag(&mut self, name: fmt::Arguments<'_>, is: bool) {
        self.put(name, f32::from(u8::from(is)));
    }

    /// Adds a share of a whole, which is 1 at the full value; 0 of nothing.
    #[inline]
    fn share(&mut self, name: fmt::Arguments<'_>, part: impl Into<f32>, whole: impl Into<f32>) {
        self.put(name, part.into() / whole.into().max(1.0));
    }
}

/// Collects the names.
impl FeatureSink for Vec<String> {
    fn put(&mut self, name: fmt::Arguments<'_>, _: impl Into<f32>) {
        self.push(name.to_string());
    }
}

/// Collects the values; it allocates only where the vector is too small.
impl FeatureSink for Vec<f32> {
    #[inline]
    fn put(&mut self, _: fmt::Arguments<'_>, value: impl Into<f32>) {
        self.push(value.into());
    }
}

/// Fills a slice with values, without allocating.
#[derive(Debug)]
pub struct FeatureSlice<'a> {
    slice: &'a mut [f32],
    filled: usize,
}

impl<'a> FeatureSlice<'a> {
    /// A slice to be filled from its start. It must have room for all features.
    pub fn new(slice: &'a mut [f32]) -> Self {
        Self { slice, filled: 0 }
    }

    /// How many values were written.
    pub fn filled(&self) -> usize {
        self.filled
    }
}

impl FeatureSink for FeatureSlice<'_> {
    #[inline]
    fn put(&mut self, _: fmt::Arguments<'_>, value: impl Into<f32>) {
        self.slice[self.filled] = value.into();
        self.filled += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(out: &mut impl FeatureSink) {
        out.put(format_args!("front {}", 1), 3_u8);
        out.flag(format_args!("open"), true);
        out.share(format_args!("held"), 1_u8, 4_u8);
        out.share(format_args!("none"), 0_u8, 0_u8);
    }

    #[test]
    fn every_sink_gets_the_same_features() {
        let (mut names, mut values, mut slice) = (Vec::<String>::new(), Vec::<f32>::new(), [9.0; 5]);
        write(&mut names);
        write(&mut values);
        let mut filling = FeatureSlice::new(&mut slice);
        write(&mut filling);
        assert_eq!(filling.filled(), 4);
        assert_eq!(names, ["front 1", "open", "held", "none"]);
        assert_eq!(values, [3.0, 1.0, 0.25, 0.0]);
        assert_eq!(slice, [3.0, 1.0, 0.25, 0.0, 9.0]);
    }
}
