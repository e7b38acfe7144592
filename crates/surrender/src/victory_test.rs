//! The test language of the victory table (30.4): `conquered(C)`, `collapsed(C)`, `will(C)`, `controls(faction, [cities])`,
//! `ground_in(faction, C)`, `otherwise`, numbers, brackets and the operators `! + == >= && ||`, the loosest last.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Text, suggest};

use crate::ids::{City, Country, Faction};
use crate::world::World;

/// A test of a victory line: a number, where 0 is false and everything else is true.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Always true.
    Otherwise,
    /// A number.
    Number(i32),
    /// 1 if a country is conquered.
    Conquered(Country),
    /// 1 if a country has ever collapsed.
    Collapsed(Country),
    /// Its National Will.
    Will(Country),
    /// How many of the cities a faction controls.
    Controls(Faction, Vec<City>),
    /// How many ground units of a faction stand in hexes of a country.
    GroundIn(Faction, Country),
    /// 1 if the other is 0.
    Not(Box<Test>),
    /// Two tests and what joins them.
    Join(Operator, Box<(Test, Test)>),
}

/// What joins two tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equals,
    /// `>=`
    AtLeast,
    /// `+`
    Plus,
}

impl Operator {
    /// The operators with their signs, the loosest first; those of one rank stand together.
    const RANKS: [&'static [(&'static str, Self)]; 4] = [
        &[("||", Self::Or)],
        &[("&&", Self::And)],
        &[("==", Self::Equals), (">=", Self::AtLeast)],
        &[("+", Self::Plus)],
    ];
}

/// Brackets can be nested so deep.
const DEEPEST: u8 = 40;
/// The functions of the language.
const FUNCTIONS: [&str; 6] = ["conquered", "collapsed", "will", "controls", "ground_in", "otherwise"];

/// Reads a test; what is wrong with it is said with its place.
pub(crate) fn parse(text: &Text, problems: &mut Problems) -> Option<Test> {
    let mut parser = Parser { text, rest: 0, depth: 0 };
    let test = parser.join(0).and_then(|test| match parser.peek() {
        None => Ok(test),
        Some(_) => Err(parser.complaint("this is one word too many", "an operator: && || == >= +")),
    });
    match test {
        Ok(test) => Some(test),
        Err(complaint) => {
            let problem = problems.error(text.locate(complaint.at), complaint.what);
            problem.expected(complaint.expected);
            if let Some((word, known)) = complaint.near {
                suggest(problem, &word, known.iter().map(String::as_str));
            }
            None
        }
    }
}

struct Complaint {
    at: Range<usize>,
    what: String,
    expected: String,
    near: Option<(String, Vec<String>)>,
}

struct Parser<'t> {
    text: &'t Text,
    rest: usize,
    depth: u8,
}

/// A word or sign can't be longer than this in a message.
fn short(word: &str) -> String {
    diagnostics::shown(word).into_owned()
}

impl<'t> Parser<'t> {
    /// The next word, number or sign and where it stands.
    fn peek(&mut self) -> Option<(Range<usize>, &'t str)> {
        let text = self.text.as_str();
        self.rest += text[self.rest..].len() - text[self.rest..].trim_start().len();
        let rest = &text[self.rest..];
        let first = rest.chars().next()?;
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        let length = if is_word(first) {
            rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())
        } else if ["&&", "||", "==", ">="].iter().any(|sign| rest.starts_with(sign)) {
            2
        } else {
            first.len_utf8()
        };
        Some((self.rest..self.rest + length, &rest[..length]))
    }

    fn complaint(&mut self, what: &str, expected: &str) -> Complaint {
        let end = self.text.as_str().len();
        let (at, what) = match self.peek() {
            Some((at, word)) => (at, format!("{what}: \"{}\"", short(word))),
            None => (end..end, "the test breaks off".to_owned()),
        };
        Complaint { at, what, expected: expected.to_owned(), near: None }
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.peek().filter(|(_, word)| *word == sign);
        if let Some((at, _)) = &found {
            self.rest = at.end;
        }
        found.is_some()
    }

    fn need(&mut self, sign: &str) -> Result<(), Complaint> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.complaint("this can't stand here", &format!("\"{sign}\"")))
    }

    fn join(&mut self, rank: usize) -> Result<Test, Complaint> {
        let Some(operators) = Operator::RANKS.get(rank) else { return self.term() };
        let mut test = self.join(rank + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            test = Test::Join(*operator, Box::new((test, self.join(rank + 1)?)));
        }
        Ok(test)
    }

    fn term(&mut self) -> Result<Test, Complaint> {
        if self.depth == DEEPEST {
            return Err(self.complaint("brackets are nested too deep here", "a simpler test"));
        }
        self.depth += 1;
        let test = if self.take("!") {
            Test::Not(Box::new(self.term()?))
        } else if self.take("(") {
            let test = self.join(0)?;
            self.need(")")?;
            test
        } else {
            self.function()?
        };
        self.depth -= 1;
        Ok(test)
    }

    fn function(&mut self) -> Result<Test, Complaint> {
        let expected = "a test such as conquered(FRA), or a number";
        let Some((at, word)) = self.peek() else { return Err(self.complaint("", expected)) };
        if let Ok(number) = word.parse::<u16>() {
            self.rest = at.end;
            return Ok(Test::Number(i32::from(number)));
        }
        if !FUNCTIONS.contains(&word) {
            let near = Some((word.to_owned(), FUNCTIONS.iter().map(|&word| word.to_owned()).collect()));
            return Err(Complaint { near, ..self.complaint("this is no test", expected) });
        }
        self.rest = at.end;
        if word == "otherwise" {
            return Ok(Test::Otherwise);
        }
        self.need("(")?;
        let test = match word {
            "conquered" => Test::Conquered(self.country()?),
            "collapsed" => Test::Collapsed(self.country()?),
            "will" => Test::Will(self.country()?),
            "controls" => {
                let faction = self.faction()?;
                self.need(",")?;
                Test::Controls(faction, self.cities()?)
            }
            _ => {
                let faction = self.faction()?;
                self.need(",")?;
                Test::GroundIn(faction, self.country()?)
            }
        };
        self.need(")")?;
        Ok(test)
    }

    fn named<T>(
        &mut self,
        what: &str,
        find: impl Fn(&str) -> Option<T>,
        known: impl Iterator<Item = String>,
    ) -> Result<T, Complaint> {
        let found = self.peek();
        if let Some((at, value)) = found.clone().and_then(|(at, word)| Some((at, find(word)?))) {
            self.rest = at.end;
            return Ok(value);
        }
        let near = found.map(|(_, word)| (word.to_owned(), known.collect()));
        Err(Complaint { near, ..self.complaint(&format!("this is no {what}"), what) })
    }

    fn country(&mut self) -> Result<Country, Complaint> {
        self.named("country", Country::of_id, Country::IDS.iter().map(|&id| id.to_owned()))
    }

    fn faction(&mut self) -> Result<Faction, Complaint> {
        self.named("faction", Faction::of_word, Faction::ALL.iter().map(|faction| faction.word().to_owned()))
    }

    fn cities(&mut self) -> Result<Vec<City>, Complaint> {
        let world = World::get();
        self.need("[")?;
        let mut cities = Vec::new();
        loop {
            let known = world.cities.iter().map(|city| city.id.clone());
            cities.push(self.named("city", |word| world.city_named(word), known)?);
            if !self.take(",") {
                break;
            }
        }
        self.need("]")?;
        Ok(cities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(test: &str) -> Result<Test, String> {
        let text = Text::from_lines([(0, test)]);
        let mut problems = Problems::new("test", test);
        parse(&text, &mut problems).ok_or_else(|| problems.to_string())
    }

    #[test]
    fn operators_bind_in_their_order() {
        let join = |operator, one, other| Test::Join(operator, Box::new((one, other)));
        let (a, b) = (|| Test::Conquered(Country::FRA), || Test::Will(Country::GER));
        assert_eq!(read("conquered(FRA)"), Ok(a()));
        assert_eq!(
            read("conquered(FRA) || will(GER) + 1 >= 3 && ! conquered(FRA)"),
            Ok(join(
                Operator::Or,
                a(),
                join(
                    Operator::And,
                    join(Operator::AtLeast, join(Operator::Plus, b(), Test::Number(1)), Test::Number(3)),
                    Test::Not(Box::new(a()))
                )
            ))
        );
        assert_eq!(
            read("(conquered(FRA) || will(GER)) == 1"),
            Ok(join(Operator::Equals, join(Operator::Or, a(), b()), Test::Number(1)))
        );
        let world = World::get();
        let cities =
            vec![world.city_named("paris").expect("Paris"), world.city_named("lille").expect("Lille")];
        assert_eq!(read("controls(western,[paris,lille])"), Ok(Test::Controls(Faction::Western, cities)));
    }

    #[test]
    fn mistakes_are_pointed_at() {
        for (test, what) in [
            ("conquerd(FRA)", "did you mean \"conquered\"?"),
            ("conquered(FRX)", "did you mean \"FRA\"?"),
            ("controls(western, [pariss])", "did you mean \"paris\"?"),
            ("controls(wester, [paris])", "did you mean \"western\"?"),
            ("conquered(FRA) conquered(UK)", "one word too many"),
            ("conquered(FRA", "breaks off"),
            ("", "breaks off"),
            ("will(GER) >= é", "this is no test"),
            ("99999999999", "this is no test"),
        ] {
            let message = read(test).expect_err(test);
            assert!(message.contains(what), "{test}: {message}");
        }
        let deep = "(".repeat(5000);
        assert!(read(&deep).expect_err("too deep").contains("nested too deep"));
        let deep = "!".repeat(5000);
        assert!(read(&deep).expect_err("too deep").contains("nested too deep"));
    }
}
