//! The tokens of the box language. Rule 7.2, "Tokens".

use std::ops::Range;

use super::BoxReport;

/// What a token is; its words are in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters; any case.
    Word,
    /// Digits. A number too large for the type is the largest one, which every limit refuses.
    Number(u32),
    /// `+`
    Plus,
    /// `-`, also as a dash or a minus sign. `sign` if it stands like one: blank before, number after.
    Minus {
        sign: bool,
    },
    /// `x2`
    Times(u32),
    /// `1d6`
    Die {
        count: u32,
        faces: u32,
    },
    /// `"Barbarossa"`
    Quoted,
    Colon,
    Semicolon,
    Comma,
    Stop,
    Open,
    Close,
    /// What no token is; it has been complained about.
    Broken,
    /// After the last token.
    End,
}

/// A token and where it stands in the box text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Cuts a text into tokens; the last one is always [`Kind::End`].
pub(super) fn tokens(text: &str, report: &mut BoxReport<'_>) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens: Vec<Token> = Vec::new();
    loop {
        let blank = lexer.skip_blanks();
        let start = lexer.at;
        let Some(first) = lexer.peek() else { break };
        let kind = lexer.token(first, blank || start == 0, report);
        tokens.push(Token { kind, start, end: lexer.at });
    }
    let end = tokens.last().map_or(0, |token| token.end);
    tokens.push(Token { kind: Kind::End, start: end, end });
    tokens
}

/// Characters that end a run of strange ones.
const USED: &str = "+-\u{2013}\u{2014}\u{2212}\u{d7}&:;,.()\"\u{201c}\u{201d}_";

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skips white space and says whether there was any.
    fn skip_blanks(&mut self) -> bool {
        self.take(char::is_whitespace) > 0
    }

    /// Takes characters as long as `wanted` holds; their length in bytes.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> usize {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        length
    }

    /// Takes one token.
    fn token(&mut self, first: char, blank_before: bool, report: &mut BoxReport<'_>) -> Kind {
        if first.is_ascii_digit() {
            return self.number();
        }
        if first.is_alphabetic() || first == '_' {
            return self.word();
        }
        let start = self.at;
        self.at += first.len_utf8();
        match first {
            '+' => Kind::Plus,
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {
                let number_next = self.peek().is_some_and(|c| c.is_ascii_digit());
                Kind::Minus { sign: blank_before && number_next }
            }
            // The multiplication sign is read as the letter x, the ampersand as "and".
            '\u{d7}' | '&' => Kind::Word,
            ':' => Kind::Colon,
            ';' => Kind::Semicolon,
            ',' => Kind::Comma,
            '.' => Kind::Stop,
            '(' => Kind::Open,
            ')' => Kind::Close,
            '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' => self.quoted(start, report),
            _ => {
                self.take(|c| !c.is_alphanumeric() && !c.is_whitespace() && !USED.contains(c));
                let run = start..self.at;
                let shown: String =
                    self.text[run.clone()].chars().take(12).flat_map(char::escape_debug).collect();
                report
                    .error(run, format!("the box language has no use for \"{shown}\""))
                    .expected("words, numbers, quoted titles or one of : ; , . ( ) + -");
                Kind::Broken
            }
        }
    }

    fn quoted(&mut self, start: usize, report: &mut BoxReport<'_>) -> Kind {
        let closing = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}');
        match self.text[self.at..].find(closing) {
            Some(length) => {
                self.at += length;
                self.at += self.peek().map_or(0, char::len_utf8);
            }
            None => {
                self.take(|c| !matches!(c, '\n' | '.' | ':' | ';'));
                report.error(start..self.at, "the quotation mark is not closed").expected("a closing \"");
                return Kind::Broken;
            }
        }
        Kind::Quoted
    }

    fn number(&mut self) -> Kind {
        let count = self.digits();
        let die = self.at;
        if self.peek().is_some_and(|c| c.eq_ignore_ascii_case(&'d')) {
            self.at += 1;
            if self.peek().is_some_and(|c| c.is_ascii_digit()) {
                return Kind::Die { count, faces: self.digits() };
            }
        }
        self.at = die;
        Kind::Number(count)
    }

    fn digits(&mut self) -> u32 {
        let start = self.at;
        self.take(|c| c.is_ascii_digit());
        self.text[start..self.at].parse().unwrap_or(u32::MAX)
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        self.take(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '\u{2019}'));
        let word = &self.text[start..self.at];
        let digits = &word[word.chars().next().map_or(0, char::len_utf8)..];
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Kind::Word;
        }
        let number = digits.parse().unwrap_or(u32::MAX);
        match word.as_bytes()[0] {
            b'x' | b'X' => Kind::Times(number),
            b'd' | b'D' => Kind::Die { count: 1, faces: number },
            _ => Kind::Word,
        }
    }
}

#[cfg(test)]
mod tests {
    use diagnostics::Problems;

    use super::*;

    fn kinds(text: &str) -> (Vec<Kind>, usize) {
        let mut problems = Problems::new("t", text);
        let locate = |span| span;
        let tokens = tokens(text, &mut BoxReport::new(&mut problems, &locate));
        assert_eq!(tokens.last().map(|token| token.kind), Some(Kind::End));
        (tokens.iter().map(|token| token.kind).collect(), problems.error_count())
    }

    #[test]
    fn all_dashes_are_hyphens_and_a_sign_needs_a_blank_before_it() {
        let range = [Kind::Number(1), Kind::Minus { sign: false }, Kind::Number(3), Kind::End];
        for text in ["1-3", "1–3", "1—3", "1\u{2212}3", "1 - 3", "1- 3"] {
            assert_eq!(kinds(text), (range.to_vec(), 0), "{text}");
        }
        assert_eq!(kinds("1 -3").0[1], Kind::Minus { sign: true });
        assert_eq!(kinds("-3").0[0], Kind::Minus { sign: true });
    }

    #[test]
    fn dice_times_words_and_huge_numbers() {
        assert_eq!(kinds("1d6 D6").0[..2], [Kind::Die { count: 1, faces: 6 }; 2]);
        assert_eq!(kinds("x2 X2 ×2").0[..4], [Kind::Times(2), Kind::Times(2), Kind::Word, Kind::Number(2)]);
        assert_eq!(kinds("2Actions").0[..2], [Kind::Number(2), Kind::Word]);
        assert_eq!(kinds(&"9".repeat(400)).0[0], Kind::Number(u32::MAX));
        assert_eq!(kinds("“Fall of France” \"x\"").0[..2], [Kind::Quoted; 2]);
    }

    #[test]
    fn a_run_of_strange_characters_is_one_error() {
        assert_eq!(kinds("WF @@@ EF ** \u{1F480}").1, 3);
        assert_eq!(kinds("event \"Barb").1, 1);
    }
}
