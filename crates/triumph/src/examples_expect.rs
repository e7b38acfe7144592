//! What worked examples expect: a question, whom or what it is about, and the answer.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Table, Value, suggest};

use crate::factions::Faction;
use crate::position_words::{Fault, Words};
use crate::rules::Rules;

/// Whom or what a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The position as a whole.
    Position,
    /// A Faction.
    Faction(Faction),
    /// A nation.
    Nation(u8),
    /// An area.
    Area(u8),
    /// An area as a Faction uses it.
    Way(Faction, u8),
    /// The beginning of names of choices.
    Choices(String),
}

/// Whom or what a kind of question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Position,
    Faction,
    Nation,
    Area,
    Way,
    Choices,
}

/// A question that a position can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// POP without blockade.
    Pop,
    /// RES without blockade.
    Res,
    /// Industry.
    Ind,
    /// POP that gets through the blockade.
    OpenPop,
    /// RES that gets through the blockade.
    OpenRes,
    /// The level of Production.
    Level,
    /// VP, secrets included.
    Vp,
    /// What a factory costs.
    Cost,
    /// How many cards may be kept.
    HandLimit,
    /// How many cards are in hand.
    Cards,
    /// The cards in hand.
    Hand,
    /// Diplomacy cards in play.
    InPlay,
    /// Revealed technologies.
    Techs,
    /// Technologies in the vault.
    Vault,
    /// How many Peace Dividends.
    Chits,
    /// Whether it violated a Neutral or fought this year.
    Fought,
    /// Enemies among the Factions.
    Enemies,
    /// Units in an area.
    Units,
    /// Units in an area that lie face up.
    Seen,
    /// Who controls an area in this phase.
    Control,
    /// Who would control it in the next phase.
    Owner,
    /// Summer's blockade mark.
    Mark,
    /// How a nation stands.
    Nation,
    /// The blockade of an area as its routes stand now.
    Trade,
    /// Whether Ground units there are supplied.
    Supplied,
    /// Whether a sea is open or an Enemy Sea.
    Sea,
    /// The names of choices that begin so, without that beginning.
    Only,
    /// All choices.
    Choices,
    /// Choices that are open.
    Offered,
    /// Choices that are not.
    Refused,
    /// Who decides.
    Asked,
    /// What is decided.
    Stage,
    /// The year.
    Year,
    /// The season.
    Season,
    /// Turn Order.
    Order,
    /// Player Turns still to come.
    Turns,
    /// Whose Player Turn it is.
    Active,
    /// Unit-moves left.
    Moves,
    /// Whether the turn is an Emergency Command.
    Emergency,
    /// Whether the Active Player has Surprise.
    Surprise,
    /// The dice in the air: "2 at 4".
    Roll,
    /// Discarded cards.
    Discards,
    /// How the game ended.
    Verdict,
}

/// The questions by their words.
const QUESTIONS: [(&str, Question, Needs); 43] = [
    ("pop", Question::Pop, Needs::Faction),
    ("res", Question::Res, Needs::Faction),
    ("ind", Question::Ind, Needs::Faction),
    ("open_pop", Question::OpenPop, Needs::Faction),
    ("open_res", Question::OpenRes, Needs::Faction),
    ("level", Question::Level, Needs::Faction),
    ("vp", Question::Vp, Needs::Faction),
    ("cost", Question::Cost, Needs::Faction),
    ("hand_limit", Question::HandLimit, Needs::Faction),
    ("cards", Question::Cards, Needs::Faction),
    ("hand", Question::Hand, Needs::Faction),
    ("in_play", Question::InPlay, Needs::Faction),
    ("techs", Question::Techs, Needs::Faction),
    ("vault", Question::Vault, Needs::Faction),
    ("chits", Question::Chits, Needs::Faction),
    ("fought", Question::Fought, Needs::Faction),
    ("enemies", Question::Enemies, Needs::Faction),
    ("units", Question::Units, Needs::Area),
    ("seen", Question::Seen, Needs::Area),
    ("control", Question::Control, Needs::Area),
    ("owner", Question::Owner, Needs::Area),
    ("mark", Question::Mark, Needs::Area),
    ("nations", Question::Nation, Needs::Nation),
    ("trade", Question::Trade, Needs::Way),
    ("supplied", Question::Supplied, Needs::Way),
    ("sea", Question::Sea, Needs::Way),
    ("only", Question::Only, Needs::Choices),
    ("choices", Question::Choices, Needs::Position),
    ("offered", Question::Offered, Needs::Position),
    ("refused", Question::Refused, Needs::Position),
    ("asked", Question::Asked, Needs::Position),
    ("stage", Question::Stage, Needs::Position),
    ("year", Question::Year, Needs::Position),
    ("season", Question::Season, Needs::Position),
    ("order", Question::Order, Needs::Position),
    ("turns", Question::Turns, Needs::Position),
    ("active", Question::Active, Needs::Position),
    ("moves", Question::Moves, Needs::Position),
    ("emergency", Question::Emergency, Needs::Position),
    ("surprise", Question::Surprise, Needs::Position),
    ("roll", Question::Roll, Needs::Position),
    ("discards", Question::Discards, Needs::Position),
    ("verdict", Question::Verdict, Needs::Position),
];

/// A question with the answer that an example expects.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// The question in the words of the file, for reports.
    pub what: String,
    /// What is asked.
    pub question: Question,
    /// About whom or what.
    pub about: About,
    /// The answer: one text, or several in any order.
    pub expected: Vec<String>,
}

/// Reads the table of expectations; what is wrong with it is reported.
pub(crate) fn read(table: &Table<'_>, rules: &Rules, problems: &mut Problems) -> Option<Vec<Check>> {
    let mut checks = Vec::new();
    let mut sound = true;
    for (key, span, value) in table.entries() {
        let Some(&(_, question, needs)) = QUESTIONS.iter().find(|(word, ..)| *word == key) else {
            let problem = problems.error(span, format!("{:?} is no question", diagnostics::shown(key)));
            problem.expected("a question that a position can answer, such as level or units");
            suggest(problem, key, QUESTIONS.iter().map(|(word, ..)| *word));
            sound = false;
            continue;
        };
        if needs == Needs::Position {
            match answers(&value, problems) {
                Some(expected) => {
                    checks.push(Check { what: key.to_owned(), question, about: About::Position, expected });
                }
                None => sound = false,
            }
            continue;
        }
        let Some(subjects) = value.table(problems) else {
            sound = false;
            continue;
        };
        for (subject, span, value) in subjects.entries() {
            let about = about(needs, subject, rules)
                .map_err(|fault| report(problems, fault, subject, |range| place_in(&span, &range)))
                .ok();
            match (about, answers(&value, problems)) {
                (Some(about), Some(expected)) => {
                    checks.push(Check { what: format!("{key} {subject}"), question, about, expected });
                }
                _ => sound = false,
            }
        }
    }
    sound.then_some(checks)
}

/// Reports a fault at its place in the file.
pub(crate) fn report(
    problems: &mut Problems,
    fault: Fault,
    text: &str,
    place: impl Fn(Range<usize>) -> Range<usize>,
) {
    let word = text.get(fault.at.clone()).unwrap_or_default().to_owned();
    let problem = problems.error(place(fault.at), fault.what);
    problem.expected(fault.expected);
    suggest(problem, &word, fault.known.iter().map(String::as_str));
}

/// The place of a part of a key: within it, if it stands there as it is.
pub(crate) fn place_in(key: &Range<usize>, part: &Range<usize>) -> Range<usize> {
    if part.is_empty() || part.end > key.len() {
        key.clone()
    } else {
        key.start + part.start..key.start + part.end
    }
}

fn about(needs: Needs, subject: &str, rules: &Rules) -> Result<About, Fault> {
    let mut words = Words::new(subject);
    let about = match needs {
        Needs::Position => About::Position,
        Needs::Faction => About::Faction(words.faction()?),
        Needs::Nation => About::Nation(words.nation(rules)?),
        Needs::Area => About::Area(words.area(rules)?),
        Needs::Way => About::Way(words.faction()?, words.area(rules)?),
        Needs::Choices => return Ok(About::Choices(subject.to_owned())),
    };
    words.end().map(|()| about)
}

/// An answer: a text, a number, true or false, or a list of texts.
fn answers(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    if value.is_integer() {
        let number: i32 = value.integer(-999..=9_999, problems)?;
        return Some(vec![number.to_string()]);
    }
    if value.is_boolean() {
        return Some(vec![value.boolean(problems)?.to_string()]);
    }
    if value.is_list() {
        let texts = value.texts(problems)?;
        return Some(texts.iter().map(|text| text.as_str().to_owned()).collect());
    }
    Some(vec![value.text(problems)?.as_str().to_owned()])
}
