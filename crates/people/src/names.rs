//! The names of persons, their mail addresses and time zones: what is allowed, and when two are the same.

/// The shortest and the longest name, in letters.
pub const NAME_LETTERS: std::ops::RangeInclusive<usize> = 3..=24;

/// Names that would pass for the house itself, or for nobody.
const RESERVED: [&str; 10] =
    ["admin", "administrator", "bot", "house", "maproom", "moderator", "nobody", "owner", "root", "system"];

/// A name that can be used, with the key by which two names are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// Without the difference between small and capital letters.
    pub key: String,
}

impl Name {
    /// Checks a name that somebody would like to have.
    ///
    /// Only letters of the Latin script are allowed, so that no name looks like another one and is a different one.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let letters = text.chars().count();
        if !NAME_LETTERS.contains(&letters) {
            return Err(format!("A name has {} to {} letters.", NAME_LETTERS.start(), NAME_LETTERS.end()));
        }
        if let Some(odd) = text.chars().find(|letter| !is_name_letter(*letter)) {
            return Err(format!(
                "A name can't contain {odd:?}: use letters, digits, hyphens and underscores."
            ));
        }
        if !text.starts_with(char::is_alphabetic) {
            return Err("A name begins with a letter.".to_owned());
        }
        let key = name_key(text);
        if RESERVED.contains(&key.as_str()) {
            return Err("That name is reserved: choose another one.".to_owned());
        }
        Ok(Self { text: text.to_owned(), key })
    }
}

fn is_name_letter(letter: char) -> bool {
    let is_latin = ('\u{c0}'..='\u{17f}').contains(&letter) && letter.is_alphabetic();
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_') || is_latin
}

/// The key of a name as somebody types it to log in; a name that nobody can have has a key that nobody has.
pub fn name_key(typed: &str) -> String {
    typed.trim().chars().take(2 * NAME_LETTERS.end()).flat_map(char::to_lowercase).collect()
}

/// Checks a mail address and returns it with its key. Whether it exists, only a letter can tell.
pub fn mail_address(typed: &str) -> Result<(String, String), String> {
    let typed = typed.trim();
    let refuse = || Err("That is not a mail address such as name@example.org.".to_owned());
    let Some((user, host)) = typed.rsplit_once('@') else { return refuse() };
    let is_plain =
        |letter: char| !letter.is_whitespace() && !letter.is_control() && !"<>,;:\"()[]\\@".contains(letter);
    let is_host_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-');
    let is_host =
        host.contains('.') && !host.starts_with('.') && !host.ends_with('.') && !host.contains("..");
    if user.is_empty()
        || typed.len() > 254
        || !user.chars().all(is_plain)
        || !host.chars().all(is_host_letter)
        || !is_host
    {
        return refuse();
    }
    Ok((typed.to_owned(), typed.to_lowercase()))
}

/// Checks the name of a time zone, such as `Europe/Berlin`; empty for UTC.
pub fn time_zone(typed: &str) -> Result<String, String> {
    let typed = typed.trim();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
    if typed.len() <= 40 && typed.bytes().all(is_letter) {
        return Ok(typed.to_owned());
    }
    Err("That is not a time zone such as Europe/Berlin.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_more_than_capitals() {
        for name in ["Ann", "änne-2", "Œuvre_d", "x1y", " Bob "] {
            assert!(Name::new(name).is_ok(), "{name}");
        }
        let key = |name: &str| Name::new(name).expect("a name").key;
        assert_eq!(key("ÄNNE"), key("änne"));
        assert_eq!(key(" Bob "), name_key("bOB"));
        assert_ne!(key("Ann"), key("Änn"));
    }

    #[test]
    fn names_that_deceive_are_refused() {
        for name in [
            "",
            "ab",
            "abcdefghijklmnopqrstuvwxy",
            "a former player",
            "#17",
            "Аnn",
            "ann\u{202e}",
            "a<b>c",
            "1st",
            "-ann",
            "Admin",
            "an\nn",
            "a\u{d7}b",
        ] {
            assert!(Name::new(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn addresses_and_zones() {
        assert_eq!(
            mail_address(" Ann@War.example "),
            Ok(("Ann@War.example".to_owned(), "ann@war.example".to_owned()))
        );
        for wrong in [
            "",
            "ann",
            "@war.example",
            "ann@",
            "ann@war",
            "a b@war.example",
            "a@b@war..example",
            "a\r\nBcc: x@y.z",
        ] {
            assert!(mail_address(wrong).is_err(), "{wrong:?}");
        }
        assert!(mail_address(&format!("{}@war.example", "a".repeat(250))).is_err());
        for zone in ["", "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+3"] {
            assert_eq!(time_zone(zone).as_deref(), Ok(zone));
        }
        for wrong in ["<b>", "Europe Berlin", "x'; --", &"a".repeat(41)] {
            assert!(time_zone(wrong).is_err(), "{wrong}");
        }
    }
}
