//! Questions about odds and their answers.

use std::fmt;

/// An exact probability as a fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chance {
    numerator: u64,
    denominator: u64,
}

impl Chance {
    /// Impossible.
    pub const NEVER: Self = Self { numerator: 0, denominator: 1 };
    /// Certain.
    pub const CERTAIN: Self = Self { numerator: 1, denominator: 1 };

    /// `favourable` of `all` equally likely cases; 0 if there are no cases.
    pub fn of(favourable: u64, all: u64) -> Self {
        let mut a = favourable;
        let mut b = all;
        while b != 0 {
            (a, b) = (b, a % b);
        }
        if all == 0 {
            return Self::NEVER;
        }
        Self { numerator: favourable / a, denominator: all / a }
    }

    /// The numerator in lowest terms.
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator in lowest terms.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// The chance as a number from 0 to 1.
    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} ({:.1} %)", self.numerator, self.denominator, self.as_f64() * 100.0)
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was asked, in words.
    pub title: String,
    /// The rule behind it.
    pub rule: &'static str,
    /// The facts behind the answer, such as "need" and "5".
    pub facts: Vec<(&'static str, String)>,
    /// The possible results, each with its exact chance.
    pub results: Vec<(String, Chance)>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} [{}]", self.title, self.rule)?;
        for (name, value) in &self.facts {
            writeln!(f, "  {name}: {value}")?;
        }
        let width = self.results.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
        for (what, chance) in &self.results {
            writeln!(f, "  {what:width$}  {chance}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_in_lowest_terms() {
        assert_eq!(Chance::of(6, 36), Chance::of(1, 6));
        assert_eq!(Chance::of(0, 36), Chance::NEVER);
        assert_eq!(Chance::of(0, 0), Chance::NEVER);
        assert_eq!(Chance::of(36, 36), Chance::CERTAIN);
        assert_eq!(Chance::of(1, 3).to_string(), "1/3 (33.3 %)");
    }
}
