//! Boxes, bodies, blocks and sentences, and how to go on after an error. Rule 7.2.

use std::ops::{Range, RangeInclusive};

use diagnostics::Problem;
use diagnostics::datafile::suggest;

use super::ast::{Body, BoxText, Event, Instr};
use super::lexer::{Kind, Token};
use super::{BoxContext, BoxReport};
use crate::book::WAR_YEARS;
use crate::ids::Side;

/// How much of a wrong word is quoted.
const QUOTED: usize = 30;

/// All words of the box language: one of them in a wrong place is not an unknown word.
const VOCABULARY: [&str; 56] = [
    "ADV",
    "advance",
    "Attack",
    "Attacks",
    "Action",
    "Actions",
    "None",
    "Skip",
    "Extra",
    "TOW",
    "Major",
    "Conflict",
    "Europe",
    "Pacific",
    "Roll",
    "If",
    "In",
    "Choose",
    "then",
    "else",
    "or",
    "and",
    "on",
    "of",
    "at",
    "x",
    "WF",
    "EF",
    "SF",
    "CHN",
    "CH",
    "PAC",
    "PA",
    "ISL",
    "IS",
    "EMT",
    "PMT",
    "USA",
    "VP",
    "not",
    "even",
    "lead",
    "leads",
    "hold",
    "holds",
    "any",
    "capital",
    "event",
    "done",
    "more",
    "less",
    "Alternate",
    "Axis",
    "Allies",
    "first",
    "fewer",
];

/// Reads the tokens of a box.
///
/// A method that returns `None` has reported an error and left the rest of its sentence unread;
/// the sentence then skips to its full stop.
pub(super) struct Parser<'a, 'r> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(super) context: &'a BoxContext<'a>,
    pub(super) report: &'a mut BoxReport<'r>,
    pub(super) depth: usize,
    pub(super) brackets: usize,
}

impl<'a, 'r> Parser<'a, 'r> {
    pub(super) fn new(
        text: &'a str,
        tokens: Vec<Token>,
        context: &'a BoxContext<'a>,
        report: &'a mut BoxReport<'r>,
    ) -> Self {
        Self { text, tokens, at: 0, context, report, depth: 0, brackets: 0 }
    }

    /// `box = event_box | body`
    pub(super) fn box_text(&mut self) -> BoxText {
        if !self.is_word("event") {
            let body = self.body();
            return BoxText { event: None, body };
        }
        let start = self.peek().span();
        self.next();
        let years = self.event_years();
        let event = Event { years, body: self.body() };
        if self.eat_word("alternate") {
            self.colon_after("Alternate");
            return BoxText { event: Some(event), body: self.body() };
        }
        self.report
            .warn(
                start,
                "this Event has no Alternate, so the box does nothing when the Event is not available",
            )
            .hint("add \"Alternate:\" and what happens then");
        BoxText { event: Some(event), body: Body::default() }
    }

    /// The years of an Event and the colon; without years it counts as possible in all years.
    fn event_years(&mut self) -> RangeInclusive<u16> {
        let years = if matches!(self.peek().kind, Kind::Number(_)) {
            self.years()
        } else {
            self.unexpected("a year or years such as 1941-1943");
            None
        };
        if years.is_none() {
            while !matches!(self.peek().kind, Kind::Colon | Kind::Stop | Kind::End) && !self.at_head() {
                self.next();
            }
            self.eat(Kind::Colon);
        } else {
            self.colon_after("the years of the Event");
        }
        years.unwrap_or(WAR_YEARS)
    }

    /// `body = { order | block }`
    fn body(&mut self) -> Body {
        let mut body = Body::default();
        let mut alternate_allowed = self.text_before_is_event();
        loop {
            if self.peek().kind == Kind::End {
                return body;
            }
            if self.is_word("alternate") {
                if alternate_allowed {
                    return body;
                }
                alternate_allowed = false;
                self.stray_alternate();
            } else if self.is_word("event") && matches!(self.peek_after().kind, Kind::Number(_) | Kind::Colon)
            {
                let span = self.peek().span();
                self.report
                    .error(span, "an Event must stand at the start of the box")
                    .expected("at most one Event in a box, first of all");
                self.next();
                self.event_years();
            } else if self.peek().kind == Kind::Broken {
                self.next();
            } else if let Some(side) = self.side() {
                self.order_or_block(side, &mut body);
            } else {
                let span = self.peek().span();
                self.report
                    .error(span, "no side is named for this")
                    .expected("\"Axis:\" or \"Allies:\"")
                    .hint("every instruction stands after the name of a side and a colon");
                while self.peek().kind != Kind::End && !self.at_head() {
                    self.next();
                }
            }
        }
    }

    /// Whether the body that begins here is that of an Event, which an Alternate may follow.
    fn text_before_is_event(&self) -> bool {
        let is = |token: &Token, word: &str| self.text[token.span()].eq_ignore_ascii_case(word);
        self.tokens.first().is_some_and(|token| is(token, "event"))
            && !self.tokens[..self.at].iter().any(|token| token.kind == Kind::Word && is(token, "alternate"))
    }

    fn stray_alternate(&mut self) {
        let span = self.peek().span();
        let seen = self.tokens[..self.at].iter().any(|token| {
            token.kind == Kind::Word && self.text[token.span()].eq_ignore_ascii_case("alternate")
        });
        let what = if seen { "there is a second Alternate" } else { "there is an Alternate but no Event" };
        self.report.error(span, what).expected("\"Event\" and its years, then one \"Alternate:\"");
        self.next();
        self.eat(Kind::Colon);
    }

    /// `Allies first.` or `Allies: sentences`; the side has been seen but not taken.
    fn order_or_block(&mut self, side: Side, body: &mut Body) {
        let start = self.peek().start;
        self.next();
        if self.eat_word("first") {
            let span = start..self.last_end();
            match body.first {
                Some(other) if other != side => {
                    self.report
                        .error(span, format!("\"{side} first\" contradicts \"{other} first\""))
                        .expected("one of the two in an Event or Alternate");
                }
                _ => body.first = Some(side),
            }
            if !self.eat(Kind::Stop) {
                self.missing_stop();
            }
            return;
        }
        self.colon_after(side.code());
        let out = match side {
            Side::Allies => &mut body.allies,
            Side::Axis => &mut body.axis,
        };
        while self.peek().kind != Kind::End && !self.at_head() && self.side().is_none() {
            self.sentence(out);
        }
    }

    /// `sentence = instr { "," instr } "."`, with recovery.
    fn sentence(&mut self, out: &mut Vec<Instr>) {
        self.depth = 0;
        self.brackets = 0;
        let begin = self.at;
        if self.peek().kind == Kind::Stop {
            let span = self.peek().span();
            self.report.error(span, "this full stop ends nothing").expected("an instruction before it");
            self.next();
            return;
        }
        if self.instructions(out).is_none() {
            self.recover(begin);
        }
    }

    /// The instructions of a sentence up to its full stop.
    fn instructions(&mut self, out: &mut Vec<Instr>) -> Option<()> {
        loop {
            self.instr(out)?;
            let token = *self.peek();
            match token.kind {
                Kind::Stop => {
                    self.next();
                    return Some(());
                }
                Kind::Comma => {
                    self.next();
                }
                Kind::Word if self.is_word("then") => {
                    self.next();
                }
                Kind::Semicolon => {
                    self.misplaced_semicolon();
                    return None;
                }
                Kind::Close => {
                    self.report
                        .error(token.span(), "no bracket is open here")
                        .expected("a comma, \"then\" or a full stop");
                    return None;
                }
                _ if token.kind == Kind::End || self.at_head() => {
                    self.missing_stop();
                    return Some(());
                }
                _ if self.starts_instr() => {
                    let end = self.last_end();
                    self.report
                        .error(end..end, "two instructions are not separated")
                        .expected("a comma or a full stop");
                }
                _ => {
                    let problem = self.unexpected("a comma, \"then\" or a full stop");
                    if matches!(token.kind, Kind::Plus | Kind::Minus { .. }) {
                        problem.hint("a modifier is written \"at +1\"");
                    }
                    return None;
                }
            }
        }
    }

    fn missing_stop(&mut self) {
        let end = self.last_end();
        self.report.error(end..end, "the sentence has no full stop").expected("a full stop");
    }

    /// A `;` that no open instruction can use.
    pub(super) fn misplaced_semicolon(&mut self) {
        let span = self.peek().span();
        let after = *self.peek_after();
        let word = self.text[after.span()].to_ascii_lowercase();
        let problem = match word.as_str() {
            "else" => self.report.error(span, "this \"; else\" belongs to no open If or In"),
            "or" => self.report.error(span, "this \"; or\" belongs to no open Choose"),
            _ if matches!(after.kind, Kind::Number(_)) => {
                self.report.error(span, "this die result belongs to no open Roll")
            }
            _ => self.report.error(span, "this semicolon is not followed by a part of the instruction"),
        };
        problem
            .expected("\"; else\" in an If or In, \"; or\" in a Choose, \"; 4-6\" in a Roll, or a full stop")
            .hint("inside these, join instructions with \"then\": a comma or a closed bracket ends them");
    }

    /// Skips the rest of a sentence that has an error: to the full stop after the brackets that are open,
    /// or to the next side.
    fn recover(&mut self, begin: usize) {
        if self.at == begin {
            self.next();
        }
        let mut open = self.brackets;
        loop {
            let kind = self.peek().kind;
            if kind == Kind::End || self.at_head() {
                return;
            }
            let stop_inside = kind == Kind::Stop && open > 0 && self.closes_later();
            self.next();
            match kind {
                Kind::Open => open += 1,
                Kind::Close => open = open.saturating_sub(1),
                Kind::Stop if !stop_inside => return,
                _ => {}
            }
        }
    }

    /// Whether a `)` follows before the block ends.
    fn closes_later(&self) -> bool {
        for at in self.at..self.tokens.len() {
            if self.tokens[at].kind == Kind::Close {
                return true;
            }
            if self.is_head(at) {
                return false;
            }
        }
        false
    }

    /// Whether a block, an order, an Alternate or a misplaced Event begins here.
    pub(super) fn at_head(&self) -> bool {
        self.is_head(self.at)
    }

    fn is_head(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        if token.kind != Kind::Word {
            return false;
        }
        let word = &self.text[token.span()];
        let after = self.tokens.get(at + 1).unwrap_or(token);
        if word.eq_ignore_ascii_case("alternate") {
            return true;
        }
        if word.eq_ignore_ascii_case("event") {
            return matches!(after.kind, Kind::Number(_) | Kind::Colon);
        }
        Side::parse(word).is_some()
            && (after.kind == Kind::Colon || self.text[after.span()].eq_ignore_ascii_case("first"))
    }

    /// `years = year [ "-" year ]`; two digits mean 19xx. Years that can't be are reported and mended.
    pub(super) fn years(&mut self) -> Option<RangeInclusive<u16>> {
        let start = self.peek().start;
        let first = self.year()?;
        let mut last = first;
        if matches!(self.peek().kind, Kind::Minus { .. }) {
            self.next();
            last = self.year()?;
        }
        let span = start..self.last_end();
        if last < first {
            self.report
                .error(span, format!("the years run backwards, from {first} to {last}"))
                .expected("the earlier year first")
                .hint(format!("did you mean {last}-{first}?"));
            return Some(last..=first);
        }
        if !WAR_YEARS.contains(&first) || !WAR_YEARS.contains(&last) {
            let (from, to) = (WAR_YEARS.start(), WAR_YEARS.end());
            self.report.warn(span, format!("the game runs from {from} to {to}"));
        }
        Some(first..=last)
    }

    fn year(&mut self) -> Option<u16> {
        let token = *self.peek();
        let Kind::Number(number) = token.kind else {
            self.unexpected("a year such as 1941 or 41");
            return None;
        };
        self.next();
        let year = match token.end - token.start {
            2 => u16::try_from(number + 1900).ok(),
            4 => u16::try_from(number).ok(),
            _ => None,
        };
        if year.is_none() {
            let quoted = self.quote(token.span());
            self.report
                .error(token.span(), format!("{quoted} is not a year"))
                .expected("a year such as 1941 or 41");
        }
        year
    }

    // ------------------------------------------------------------------ small steps

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn peek_after(&self) -> &Token {
        self.peek_ahead(1)
    }

    pub(super) fn peek_ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = *self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, kind: Kind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.next();
        }
        found
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        let token = self.peek();
        token.kind == Kind::Word && self.text[token.span()].eq_ignore_ascii_case(word)
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    /// The words of the token here, if it is a word.
    pub(super) fn word(&self) -> Option<&'a str> {
        let token = self.peek();
        let text: &'a str = self.text;
        (token.kind == Kind::Word).then(|| &text[token.span()])
    }

    pub(super) fn side(&self) -> Option<Side> {
        Side::parse(self.word()?)
    }

    /// The tokens that have been taken.
    pub(super) fn taken(&self) -> &[Token] {
        &self.tokens[..self.at]
    }

    /// Where the last token that was taken ends.
    pub(super) fn last_end(&self) -> usize {
        self.taken().last().map_or(0, |token| token.end)
    }

    /// Takes a colon or says that it is missing, and goes on either way.
    pub(super) fn colon_after(&mut self, what: &str) {
        if !self.eat(Kind::Colon) && self.peek().kind != Kind::Broken {
            let end = self.last_end();
            self.report.error(end..end, format!("there is no colon after {what}")).expected("a colon");
        }
    }

    /// The words of a place, cut to a readable length.
    pub(super) fn quote(&self, span: Range<usize>) -> String {
        let words = super::folded(&self.text[span]);
        let mut quoted: String = words.chars().take(QUOTED).collect();
        if quoted.len() < words.len() {
            quoted.push('…');
        }
        format!("\"{}\"", quoted.trim_matches('"'))
    }

    /// Reports that the token here is not what could stand here.
    pub(super) fn unexpected(&mut self, expected: &str) -> &mut Problem {
        let token = *self.peek();
        if token.kind == Kind::Broken {
            return self.report.unsaid();
        }
        let what = match token.kind {
            Kind::End => "the text ends too early".to_owned(),
            Kind::Word => format!("unexpected word {}", self.quote(token.span())),
            _ => format!("unexpected {}", self.quote(token.span())),
        };
        self.report.error(token.span(), what).expected(expected)
    }

    /// Reports an unknown word with a guess at the known one that was meant.
    pub(super) fn unknown(&mut self, expected: &str, known: &[&str]) -> &mut Problem {
        let token = *self.peek();
        if token.kind != Kind::Word {
            return self.unexpected(expected);
        }
        let word = &self.text[token.span()];
        let is_of_the_language = VOCABULARY.iter().chain(known).any(|known| known.eq_ignore_ascii_case(word));
        if is_of_the_language {
            return self.unexpected(expected);
        }
        let what = format!("unknown word {}", self.quote(token.span()));
        let problem = self.report.error(token.span(), what);
        problem.expected(expected);
        suggest(problem, word, known.iter().copied());
        problem
    }
}
