//! Words that several boards need.

/// The months.
pub use surrender::MONTHS;

/// A number with its noun: "1 battalion", "3 battalions".
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_no_plural() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "hit")), ["0 hits", "1 hit", "2 hits"]);
    }
}
