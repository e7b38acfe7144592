//! Passwords that everybody tries first are refused, by patterns rather than by a long list.

/// The fewest letters of a password.
const FEWEST: usize = 10;
/// The most bytes: a longer one would only keep the server busy.
const MOST_BYTES: usize = 400;
/// So many digits alone are too few to guess at.
const DIGITS_ALONE: usize = 16;

/// Words that are no password by themselves, whatever digits and signs stand around them.
const WORDS: [&str; 48] = [
    "abc",
    "abcdef",
    "access",
    "admin",
    "administrator",
    "baseball",
    "batman",
    "blitzkrieg",
    "changeme",
    "computer",
    "default",
    "dragon",
    "football",
    "freedom",
    "hello",
    "iloveyou",
    "internet",
    "letmein",
    "login",
    "maproom",
    "master",
    "monkey",
    "motdepasse",
    "pass",
    "passphrase",
    "passw",
    "password",
    "passwort",
    "pokemon",
    "princess",
    "qazwsx",
    "qwert",
    "qwerty",
    "qwertz",
    "samsung",
    "secret",
    "shadow",
    "starwars",
    "sunshine",
    "superman",
    "test",
    "trustno",
    "user",
    "wargame",
    "wargames",
    "welcome",
    "whatever",
    "zaqxsw",
];

/// Neighbours on keyboards and in the alphabet.
const ROWS: [&str; 7] = [
    "01234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p",
];

/// Whether a password will do for somebody with this name; if not, why.
pub fn check_password(password: &str, name_key: &str) -> Result<(), String> {
    if password.chars().count() < FEWEST {
        return Err(format!(
            "A password has at least {FEWEST} letters. A few words in a row are good and easy to keep."
        ));
    }
    if password.len() > MOST_BYTES {
        return Err("That password is too long.".to_owned());
    }
    match is_common(password, name_key) {
        true => {
            Err("That password is among the first that anybody would try: choose another one.".to_owned())
        }
        false => Ok(()),
    }
}

fn is_common(password: &str, name_key: &str) -> bool {
    let small = password.to_lowercase();
    let letters: Vec<char> = small.chars().collect();
    let is_repeated = repeated(&letters).is_some_and(|piece| {
        let piece: String = piece.iter().collect();
        piece.chars().count() <= 4 || is_in_a_row(&piece) || is_bad_word(&core(&piece), name_key)
    });
    if is_repeated || is_in_a_row(&small) {
        return true;
    }
    if letters.iter().all(char::is_ascii_digit) {
        return letters.len() < DIGITS_ALONE;
    }
    is_bad_word(&core(&small), name_key) || is_bad_word(&letters_alone(&small), name_key)
}

/// The part of a password between the digits and signs at its ends, with the usual signs read as letters.
fn core(small: &str) -> String {
    let read = |letter: char| match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    };
    let inner = small.trim_matches(|letter: char| !letter.is_alphabetic() && letter != '@' && letter != '$');
    inner.chars().map(read).collect()
}

/// Only the letters of a password.
fn letters_alone(small: &str) -> String {
    small.chars().filter(|letter| letter.is_alphabetic()).collect()
}

fn is_bad_word(word: &str, name_key: &str) -> bool {
    word.is_empty()
        || WORDS.contains(&word)
        || word == name_key
        || (word.chars().count() >= 4 && is_in_a_row(word))
        || (name_key.chars().count() >= 3 && word.replace(name_key, "").chars().count() < 3)
}

/// Whether all of a text stands in a row on a keyboard or in the alphabet, forwards or backwards, or is one letter again and again.
fn is_in_a_row(small: &str) -> bool {
    let backwards: String = small.chars().rev().collect();
    let is_row = |row: &str| {
        let twice = row.repeat(3);
        twice.contains(small) || twice.contains(&backwards)
    };
    small.chars().all(|letter| small.starts_with(letter)) || ROWS.into_iter().any(is_row)
}

/// The piece of which a text is made by repeating it, the last time perhaps not to its end.
fn repeated(letters: &[char]) -> Option<&[char]> {
    let is_period =
        |period: &usize| letters.iter().skip(*period).zip(letters).all(|(later, letter)| later == letter);
    (1..=letters.len() / 2).find(is_period).map(|period| &letters[..period])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_tries_is_refused() {
        for password in [
            "short",
            "123456789",
            "1234567890",
            "0987654321",
            "aaaaaaaaaa",
            "abcabcabcabc",
            "passwordpassword",
            "Password123",
            "P@ssw0rd2024!",
            "!!!letmein!!!",
            "qwertyuiop",
            "qwertzuiopasdf",
            "poiuytrewq",
            "1qaz2wsx3edc",
            "1q2w3e4r5t6y",
            "abcdefghijkl",
            "19450508194505",
            "ann-marie1939",
            "ann-marie-ann-marie",
            "..........",
            "maproom2026",
            "qwerty12345",
            "p.a.s.s.w.o.r.d",
        ] {
            assert!(check_password(password, "ann-marie").is_err(), "{password}");
        }
        assert!(check_password(&"lang ist gut ".repeat(60), "ann").is_err(), "too long");
    }

    #[test]
    fn what_nobody_would_guess_is_taken() {
        for password in [
            "correct horse battery",
            "tow the shift to Emt",
            "Zwölf Boxkämpfer",
            "k3Jq!x0vPz2",
            "囲碁は楽しいですよね本当",
            "4711081519450508",
            "password of the day: tulip",
            "ann likes marmalade",
        ] {
            assert_eq!(check_password(password, "ann"), Ok(()), "{password}");
        }
    }
}
