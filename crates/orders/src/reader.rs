//! Reads orders, and points at what is wrong with them.

use std::ops::Range;

use diagnostics::{Problems, nearest, shown};
use kernel::{Seat, SeatInfo};

use crate::language::{Event, Order, Pattern, Pick, RulePattern, Who, Word};

/// How long the text of an order may be, in bytes.
pub const LONGEST_TEXT: usize = 1_000;
/// How many choices, and how many events of a kind, an order may name.
const MOST_PARTS: usize = 16;
const KEYWORDS: [&str; 11] =
    ["when", "rule", "after", "then", "choose", "usual", "unless", "until", "turn", "times", "sealed"];

/// What the words of an order mean at one table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Language<'a> {
    /// The seats of the game, whose words name them.
    pub seats: &'a [SeatInfo],
    /// Whether the game hides something: then an order has one choice without gaps.
    pub hides: bool,
    /// The turn that is being played: an order until then would end at once. 0 where that does not matter.
    pub turn: u16,
    /// The numbers of the rules in the rulebook; empty where they are not known.
    pub rules: &'a [&'a str],
}

/// Reads an order. All mistakes are reported together, each with its place.
///
/// ```
/// use kernel::SeatInfo;
/// let seats = [SeatInfo { word: "axis", title: "Axis" }];
/// let language = orders::Language { seats: &seats, ..orders::Language::default() };
/// let problems = orders::parse("after axsi \"attack WF\" choose \"no\"", language).unwrap_err();
/// assert!(problems.to_string().contains("did you mean \"axis\"?"));
/// ```
pub fn parse(text: &str, language: Language<'_>) -> Result<Order, Problems> {
    let mut problems = Problems::new("order", text);
    if text.len() > LONGEST_TEXT {
        problems.error(LONGEST_TEXT..text.len(), format!("an order has at most {LONGEST_TEXT} letters"));
        return Err(problems);
    }
    let tokens = tokens(text, &mut problems);
    let mut reader = Reader { tokens, at: 0, end: text.len(), problems, language };
    let order = reader.order();
    let problems = reader.problems;
    if problems.has_errors() { Err(problems) } else { Ok(order) }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Word(String),
    Quoted(Vec<Word>),
    Bar,
    Comma,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    span: Range<usize>,
}

fn tokens(text: &str, problems: &mut Problems) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        let mut add = |kind, end| found.push(Token { kind, span: start..end });
        match c {
            c if c.is_whitespace() => {}
            '|' => add(Kind::Bar, start + 1),
            ',' => add(Kind::Comma, start + 1),
            '"' => {
                let (mut raw, mut escaped, mut end) = (Vec::new(), false, None);
                for (at, c) in rest.by_ref() {
                    match c {
                        _ if escaped => {
                            raw.push((c, true));
                            escaped = false;
                        }
                        '\\' => escaped = true,
                        '"' => {
                            end = Some(at + 1);
                            break;
                        }
                        c => raw.push((c, false)),
                    }
                }
                match end {
                    Some(end) => add(Kind::Quoted(words(&raw, start..end, problems)), end),
                    None => {
                        problems.error(start..text.len(), "the text has no end").expected("a closing \"");
                    }
                }
            }
            _ => {
                let mut end = start + c.len_utf8();
                while let Some(&(at, c)) = rest.peek() {
                    if c.is_whitespace() || matches!(c, '"' | '|' | ',') {
                        break;
                    }
                    end = at + c.len_utf8();
                    rest.next();
                }
                add(Kind::Word(text[start..end].to_owned()), end);
            }
        }
    }
    found
}

/// The words of a quoted text; a letter after a backslash is only itself.
fn words(raw: &[(char, bool)], span: Range<usize>, problems: &mut Problems) -> Vec<Word> {
    let mut found = Vec::new();
    for word in raw.split(|(c, _)| c.is_whitespace()).filter(|word| !word.is_empty()) {
        let gaps = word.iter().filter(|letter| **letter == ('*', false)).count();
        let text: String = word.iter().map(|(c, _)| c).collect();
        found.push(match (gaps, word.len()) {
            (0, _) => Word::Exactly(text),
            (1, 1) => Word::Any,
            (2, 2) => Word::Rest,
            _ => {
                problems
                    .error(span.clone(), format!("\"{}\" is part word, part gap", shown(&text)))
                    .expected("* for a whole word, or ** at the end for all words that follow");
                Word::Any
            }
        });
    }
    if found.is_empty() {
        problems.error(span.clone(), "the text is empty").expected("the name of a choice");
    }
    let before_last = &found[..found.len().saturating_sub(1)];
    if before_last.contains(&Word::Rest) {
        problems.error(span, "words after **").expected("** at the end only");
    }
    found
}

struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
    problems: Problems,
    language: Language<'a>,
}

impl Reader<'_> {
    fn order(&mut self) -> Order {
        let mut order = Order::default();
        while let Some(token) = self.next() {
            match &token.kind {
                Kind::Comma => {}
                Kind::Word(word) => self.clause(word, &token, &mut order),
                Kind::Quoted(_) | Kind::Bar => {
                    self.problems
                        .error(token.span, "this does not belong to any part of the order")
                        .expected("when, after, choose, unless, until or a number of times");
                }
            }
        }
        self.check(&order);
        order
    }

    fn clause(&mut self, word: &str, token: &Token, order: &mut Order) {
        let span = token.span.clone();
        match word {
            "when" => {
                let rule = self.rule();
                self.once(&span, order.rule.is_some(), "when");
                order.rule = order.rule.take().or(rule);
            }
            "after" => {
                self.once(&span, !order.after.is_empty(), "after");
                order.after.extend(self.event());
                while self.take_word("then") {
                    order.after.extend(self.event());
                }
            }
            "choose" => {
                self.once(&span, !order.choose.is_empty(), "choose");
                order.choose.extend(self.pick());
                while self.peek() == Some(&Kind::Bar) {
                    self.at += 1;
                    order.choose.extend(self.pick());
                }
            }
            "unless" => order.unless.extend(self.event()),
            "until" => {
                let turn = self.turn();
                self.once(&span, order.until.is_some(), "until");
                order.until = order.until.or(turn);
            }
            "once" => {
                self.once(&span, order.times.is_some(), "a number of times");
                order.times = Some(1);
            }
            "sealed" => {
                self.once(&span, order.times.is_some(), "a number of times");
                (order.times, order.sealed) = (Some(1), true);
            }
            number if number.starts_with(|c: char| c.is_ascii_digit()) => {
                let times = number.parse().ok().filter(|times| (1..=999).contains(times));
                if times.is_none() {
                    self.problems.error(span.clone(), "how often?").expected("a number from 1 to 999");
                }
                if !self.take_word("times") {
                    let here = self.here();
                    self.problems.error(here, "a number of what?").expected("times");
                }
                self.once(&span, order.times.is_some(), "a number of times");
                order.times = times;
            }
            other => self.unknown(other, span),
        }
    }

    fn unknown(&mut self, word: &str, span: Range<usize>) {
        let guess = nearest(word, KEYWORDS).map(|known| format!("did you mean \"{known}\"?"));
        let problem = self.problems.error(span, format!("unknown word \"{}\"", shown(word)));
        problem.expected("when, after, choose, unless, until or a number of times");
        if let Some(guess) = guess {
            problem.hint(guess);
        }
    }

    fn once(&mut self, span: &Range<usize>, already: bool, what: &str) {
        if already {
            self.problems.error(span.clone(), format!("{what} is said twice"));
        }
    }

    fn rule(&mut self) -> Option<RulePattern> {
        self.expect_word("rule")?;
        let (word, span) = self.word("the number of a rule, such as 2.5 or 2.5.*")?;
        let (rule, under) = word.strip_suffix(".*").map_or((word.as_str(), false), |rule| (rule, true));
        let sound = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
        if !rule.split('.').all(sound) {
            self.problems
                .error(span, format!("\"{}\" is no number of a rule", shown(&word)))
                .expected("the number of a rule, such as 2.5 or 2.5.*");
            return None;
        }
        let rules = self.language.rules;
        let is_at = |known: &&&str| {
            known.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !rules.is_empty() && !rules.iter().any(|known| is_at(&known)) {
            let problem = self.problems.error(span, format!("the rulebook has no rule {}", shown(rule)));
            problem.expected("the number of a rule, as it stands behind a question");
            if let Some(guess) = nearest(rule, rules.iter().copied()) {
                problem.hint(format!("did you mean {guess}?"));
            }
            return None;
        }
        Some(RulePattern { rule: rule.to_owned(), under })
    }

    fn turn(&mut self) -> Option<u16> {
        self.expect_word("turn")?;
        let (word, span) = self.word("the number of a turn")?;
        let turn = word.parse().ok().filter(|turn| *turn > 0);
        if turn.is_none() {
            self.problems
                .error(span, format!("\"{}\" is no number of a turn", shown(&word)))
                .expected("a number from 1 to 65535");
        } else if turn.is_some_and(|turn| turn <= self.language.turn) {
            let now = self.language.turn;
            self.problems
                .error(span, format!("turn {} has begun already", shown(&word)))
                .expected(format!("a turn after {now}"));
        }
        turn
    }

    fn event(&mut self) -> Option<Event> {
        let who = match self.peek() {
            Some(Kind::Quoted(_)) => Who::Anybody,
            _ => self.who()?,
        };
        Some(Event { who, what: self.quoted()? })
    }

    fn who(&mut self) -> Option<Who> {
        let (word, span) = self.word("who chose: a seat, other, anybody or fate")?;
        let seats = self.language.seats;
        if let Some(at) = seats.iter().position(|seat| seat.word == word) {
            return u8::try_from(at).ok().map(|at| Who::Seat(Seat(at)));
        }
        match word.as_str() {
            "other" => Some(Who::Other),
            "anybody" => Some(Who::Anybody),
            "fate" => Some(Who::Fate),
            _ => {
                let known = || seats.iter().map(|seat| seat.word).chain(["other", "anybody", "fate"]);
                let listed = known().collect::<Vec<_>>().join(", ");
                let problem = self.problems.error(span, format!("nobody is called \"{}\"", shown(&word)));
                problem.expected(listed);
                if let Some(guess) = nearest(&word, known()) {
                    problem.hint(format!("did you mean \"{guess}\"?"));
                }
                // The text behind belongs to it all the same.
                Some(Who::Anybody)
            }
        }
    }

    fn pick(&mut self) -> Option<Pick> {
        if self.take_word("usual") {
            return Some(Pick::Usual);
        }
        self.quoted().map(Pick::Named)
    }

    fn quoted(&mut self) -> Option<Pattern> {
        if let Some(Kind::Quoted(words)) = self.peek() {
            let words = words.clone();
            self.at += 1;
            return Some(Pattern { words });
        }
        let here = self.here();
        self.problems.error(here, "which choice?").expected("its name between two \"");
        None
    }

    fn check(&mut self, order: &Order) {
        let all = 0..self.end;
        if order.rule.is_none() && order.after.is_empty() && !self.problems.has_errors() {
            self.problems
                .error(all.clone(), "the order does not say when")
                .expected("when rule … or after …")
                .hint("an order without them would answer everything");
        }
        if order.choose.is_empty() && !self.problems.has_errors() {
            self.problems
                .error(self.end..self.end, "the order chooses nothing")
                .expected("choose \"…\" or choose usual");
        }
        if [order.after.len(), order.choose.len(), order.unless.len()].iter().any(|count| *count > MOST_PARTS)
        {
            self.problems.error(all.clone(), format!("an order names at most {MOST_PARTS} things of a kind"));
        }
        let is_plain = order.after.is_empty() && order.unless.is_empty() && order.until.is_none();
        let is_named = matches!(&order.choose[..], [Pick::Named(pattern)] if pattern.name().is_some());
        if order.sealed && !(order.rule.is_some() && is_plain && is_named) && !self.problems.has_errors() {
            self.problems
                .error(all.clone(), "a sealed choice is for the next question of a rule, and nothing else")
                .expected("when rule … choose \"…\", sealed");
        }
        if !self.language.hides {
            return;
        }
        let hint =
            "in this game an order must not depend on what is offered, because that may tell what you hold";
        if order.choose.len() > 1 {
            self.problems.error(all.clone(), "several choices").expected("one").hint(hint);
        }
        let with_gaps = |pick: &Pick| matches!(pick, Pick::Named(pattern) if pattern.name().is_none());
        if order.choose.iter().any(with_gaps) {
            self.problems
                .error(all, "a choice with *")
                .expected("the whole name of a choice, or usual")
                .hint(hint);
        }
    }

    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    /// Where the next token is, or the end.
    fn here(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.end..self.end, |token| token.span.clone())
    }

    fn take_word(&mut self, wanted: &str) -> bool {
        let found = matches!(self.peek(), Some(Kind::Word(word)) if word == wanted);
        self.at += usize::from(found);
        found
    }

    fn expect_word(&mut self, wanted: &str) -> Option<()> {
        if self.take_word(wanted) {
            return Some(());
        }
        let here = self.here();
        self.problems.error(here, format!("\"{wanted}\" is missing")).expected(wanted);
        None
    }

    fn word(&mut self, expected: &str) -> Option<(String, Range<usize>)> {
        let span = self.here();
        if let Some(Kind::Word(word)) = self.peek() {
            let word = word.clone();
            self.at += 1;
            return Some((word, span));
        }
        self.problems.error(span, "something is missing").expected(expected);
        None
    }
}
