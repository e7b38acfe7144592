//! The conditions of an `If`. Rules 7.2, 7.3.

use std::ops::RangeInclusive;

use diagnostics::datafile::suggest;

use super::ast::Condition;
use super::lexer::Kind;
use super::parser::Parser;
use super::{find_title, folded};
use crate::ids::{Region, Side, Track};

/// The highest VP that a condition may name.
const MAX_VP: u32 = 99;
/// The forms of a condition for a message.
const A_CONDITION: &str = "a condition: WF at 3 or more, VP 20 or more, USA in Europe, EMT even, Axis lead EMT, \
     Axis hold WF capital or event \"…\" done";
/// The words that a condition can begin with.
const STARTERS: [&str; 13] =
    ["WF", "EF", "SF", "CHN", "PAC", "ISL", "VP", "USA", "EMT", "PMT", "Axis", "Allies", "event"];

impl Parser<'_, '_> {
    /// `condition { "and" condition }`
    pub(super) fn conditions(&mut self) -> Option<Vec<Condition>> {
        let mut conditions = vec![self.condition()?];
        while self.eat_word("and") || self.eat_word("&") {
            conditions.push(self.condition()?);
        }
        Some(conditions)
    }

    fn condition(&mut self) -> Option<Condition> {
        let word = self.word().unwrap_or_default();
        if let Some(region) = Region::parse(word) {
            self.next();
            self.expect_word("at")?;
            let max = self.context.region_max[region.index()];
            let expected = format!("a space of {region}, 0 to {max}");
            let range = self.compared(u32::from(max), max, &expected)?;
            return Some(Condition::Space(region, range));
        }
        if let Some(side) = Side::parse(word) {
            self.next();
            return self.side_condition(side);
        }
        match word.to_ascii_lowercase().as_str() {
            "vp" => {
                self.next();
                Some(Condition::Vp(self.compared(MAX_VP, u8::MAX, "0 to 99 points")?))
            }
            "usa" => {
                self.next();
                let not = self.eat_word("not");
                if !self.eat_word("in") {
                    self.unknown("\"in Europe\" or \"not in Europe\"", &["in", "not"]);
                    return None;
                }
                self.expect_word("Europe")?;
                Some(Condition::UsaInEurope(!not))
            }
            "emt" | "pmt" => {
                let track = Track::parse(word)?;
                self.next();
                self.expect_word("even")?;
                Some(Condition::Even(track))
            }
            "event" => {
                self.next();
                self.event_done()
            }
            _ => {
                self.unknown(A_CONDITION, &STARTERS);
                None
            }
        }
    }

    /// `side leads EMT`, `side hold WF capital`
    fn side_condition(&mut self, side: Side) -> Option<Condition> {
        if self.eat_word("lead") || self.eat_word("leads") {
            let track = self.word().and_then(Track::parse).filter(|track| *track != Track::Usa);
            let Some(track) = track else {
                self.unknown("EMT or PMT", &["EMT", "PMT"]);
                return None;
            };
            self.next();
            return Some(Condition::Leads(side, track));
        }
        if !(self.eat_word("hold") || self.eat_word("holds")) {
            self.unknown("\"lead\" or \"hold\"", &["lead", "leads", "hold", "holds"]);
            return None;
        }
        let region = if self.eat_word("any") {
            None
        } else {
            let Some(region) = self.word().and_then(Region::parse) else {
                self.unknown("a region or \"any\"", &["any", "WF", "EF", "SF", "CHN", "PAC", "ISL"]);
                return None;
            };
            self.next();
            Some(region)
        };
        self.expect_word("capital")?;
        Some(Condition::Holds(side, region))
    }

    /// `string [ "not" ] "done"`
    fn event_done(&mut self) -> Option<Condition> {
        let token = *self.peek();
        if token.kind != Kind::Quoted {
            self.unexpected("the title of a box in quotation marks");
            return None;
        }
        self.next();
        let quotes = ['"', '\u{201c}', '\u{201d}', '\u{201e}'];
        let words = folded(self.text[token.span()].trim_matches(quotes));
        let title = find_title(&words, self.context.titles);
        if title.is_none() {
            let quoted = self.quote(token.span());
            let problem = self.report.error(token.span(), format!("no box of this book is called {quoted}"));
            problem.expected("the title of a box");
            suggest(problem, &words, self.context.titles.iter().copied());
        }
        let title = title.map_or(words, str::to_owned);
        let not = self.eat_word("not");
        self.expect_word("done")?;
        Some(Condition::EventDone { title, done: !not, span: token.span() })
    }

    /// `number [ "or" ( "more" | "less" ) ]` as a range within `0..=top`.
    fn compared(&mut self, limit: u32, top: u8, expected: &str) -> Option<RangeInclusive<u8>> {
        let token = *self.peek();
        let Kind::Number(number) = token.kind else {
            self.unexpected(expected);
            return None;
        };
        self.next();
        if number > limit {
            let quoted = self.quote(token.span());
            self.report.error(token.span(), format!("{quoted} is out of range")).expected(expected);
        }
        let number = u8::try_from(number.min(limit)).unwrap_or(top);
        if !self.eat_word("or") {
            return Some(number..=number);
        }
        if self.eat_word("more") {
            return Some(number..=top);
        }
        if self.eat_word("less") || self.eat_word("fewer") {
            return Some(0..=number);
        }
        self.unknown("\"more\" or \"less\"", &["more", "less"]);
        None
    }
}
