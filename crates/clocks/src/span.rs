//! Lengths of time as short words: `45m`, `20s`, `3d`.

use crate::{DAY, HOUR, MINUTE, SECOND};

const UNITS: [(&str, u64); 5] = [("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];

/// A length of time in the largest unit that fits it: `45m`.
pub fn write_span(span: u64) -> String {
    let unit = UNITS.iter().find(|(_, size)| span > 0 && span.is_multiple_of(*size));
    let (name, size) = unit.copied().unwrap_or(("s", SECOND));
    format!("{}{name}", span / size)
}

/// Reads a length of time: a number and one of `d`, `h`, `m`, `s` and `ms`.
pub fn read_span(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let (_, size) = UNITS.iter().find(|(name, _)| *name == &text[digits.len()..])?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse::<u64>().ok()?.checked_mul(*size) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_they_are_written() {
        for (span, word) in [
            (0, "0s"),
            (20_000, "20s"),
            (2_700_000, "45m"),
            (129_600_000, "36h"),
            (5 * DAY, "5d"),
            (1_234, "1234ms"),
        ] {
            assert_eq!((write_span(span).as_str(), read_span(word)), (word, Some(span)));
        }
        for wrong in
            ["", "5", "m", "-5m", "+5m", "5 m", "5w", "1.5h", "99999999999999999999d", "9999999999999999d"]
        {
            assert_eq!(read_span(wrong), None, "{wrong:?}");
        }
    }
}
