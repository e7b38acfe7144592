//! The odds of a combat that is only imagined: types, quality, ground and supports, with no scenario. Rules 11 and 12.
//!
//! The combat is set up on a small map and worked out by the rules themselves, so it can't differ from a real one.

use std::fmt::Write as _;

use diagnostics::{nearest, shown};
use kernel::Answer;

use crate::battalions::{Battalions, Kind, Quality};
use crate::combat::Fight;
use crate::rules::Rules;
use crate::state::{NOBODY, State};
use crate::units::Units;

/// How to ask, for those who ask nothing.
pub const HELP: &str = "\
Ask about any combat, without a scenario:
  calc [QUALITY] TYPE vs [QUALITY] TYPE [WORD …]   an assault
  calc shell [QUALITY] GUN vs [QUALITY] TYPE [WORD …]   ranged combat (corps for off-map artillery)
  calc strike [QUALITY] TYPE [WORD …]   an air strike
QUALITY is poor, regular or veteran; TYPE is a battalion type such as inf_leg, tnk_medium, atg_heavy (rule 3.1).
WORDs about the defender: open, beach, hill, forest, bocage, marsh, town, city, prepared, mines, beside=2, their-zones=1,
their-fire=2, antitank (one of those beside it has antitank guns), flank, rear, cut-off, detachment, surrounded.
WORDs about the attacker: with=2 (battalions beside it), zones=1, fire=2, engineers, river, sea, night, exhausted (out of
supply).
For example: maproom odds dday calc veteran tnk_medium vs inf_leg town prepared beside=1 with=2 fire=1
";

/// The most battalions beside another, as many as a zone holds.
const BESIDE: u8 = 3;

/// One of the two who fight.
#[derive(Clone, Debug)]
struct Fighter {
    quality: Quality,
    kind: &'static Kind,
}

impl Fighter {
    /// Reads a quality, which may be left out, and a type.
    fn read(words: &[&str]) -> Result<Self, String> {
        let (quality, kind) = match words {
            [kind] => (Quality::Regular, kind),
            [quality, kind] => {
                let found = Quality::parse(quality);
                (
                    found.ok_or_else(|| {
                        format!("{:?} is no quality: poor, regular or veteran", shown(quality))
                    })?,
                    kind,
                )
            }
            [] => return Err(format!("a type is missing\n{HELP}")),
            _ => {
                return Err(format!(
                    "{:?}: a quality and a type, such as veteran inf_leg",
                    shown(&words.join(" "))
                ));
            }
        };
        let kinds = &Battalions::builtin().kinds;
        let Some(kind) = kinds.iter().find(|known| known.id == **kind) else {
            let meant = nearest(kind, kinds.iter().map(|kind| kind.id.as_str()));
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            let all: Vec<&str> = kinds.iter().map(|kind| kind.id.as_str()).collect();
            return Err(format!("unknown type {:?}{hint}; the types are: {}", shown(kind), all.join(", ")));
        };
        Ok(Self { quality, kind })
    }

    fn words(&self) -> String {
        format!("{} {}", self.quality.title(), self.kind.name)
    }
}

/// What was said about the ground, the supports and the rest.
#[derive(Clone, Debug)]
struct Circumstances {
    ground: (&'static str, char),
    prepared: bool,
    mines: bool,
    beside: u8,
    their_zones: u8,
    their_fire: u8,
    antitank: bool,
    facing: &'static str,
    cut_off: bool,
    detachment: bool,
    surrounded: bool,
    with: u8,
    zones: u8,
    fire: u8,
    engineers: bool,
    river: bool,
    sea: bool,
    night: bool,
    exhausted: bool,
}

/// The grounds that a zone may have, with the letters of scenario files. Rule 2.4.
const GROUNDS: [(&str, char); 8] = [
    ("open", '.'),
    ("beach", 'v'),
    ("hill", 'h'),
    ("forest", 'f'),
    ("bocage", 'b'),
    ("marsh", 'm'),
    ("town", 't'),
    ("city", 'c'),
];

/// The words that are said or not, and those with a number.
const WORDS: [&str; 13] = [
    "prepared",
    "mines",
    "antitank",
    "flank",
    "rear",
    "cut-off",
    "detachment",
    "surrounded",
    "engineers",
    "river",
    "sea",
    "night",
    "exhausted",
];
const NUMBERS: [&str; 6] = ["beside", "their-zones", "their-fire", "with", "zones", "fire"];

impl Circumstances {
    fn read(words: &[&str]) -> Result<Self, String> {
        let mut said = Self {
            ground: GROUNDS[0],
            prepared: false,
            mines: false,
            beside: 0,
            their_zones: 0,
            their_fire: 0,
            antitank: false,
            facing: "W",
            cut_off: false,
            detachment: false,
            surrounded: false,
            with: 0,
            zones: 0,
            fire: 0,
            engineers: false,
            river: false,
            sea: false,
            night: false,
            exhausted: false,
        };
        for word in words {
            if let Some((key, number)) = word.split_once('=') {
                said.number(key, number)?;
            } else if let Some(ground) = GROUNDS.iter().find(|(known, _)| known == word) {
                said.ground = *ground;
            } else {
                said.word(word)?;
            }
        }
        Ok(said)
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        match word {
            "prepared" => self.prepared = true,
            "mines" => self.mines = true,
            "antitank" => self.antitank = true,
            "flank" => self.facing = "N",
            "rear" => self.facing = "E",
            "cut-off" => self.cut_off = true,
            "detachment" => self.detachment = true,
            "surrounded" => self.surrounded = true,
            "engineers" => self.engineers = true,
            "river" => self.river = true,
            "sea" => self.sea = true,
            "night" => self.night = true,
            "exhausted" => self.exhausted = true,
            other => {
                let known = GROUNDS.iter().map(|(ground, _)| *ground).chain(WORDS).chain(NUMBERS);
                let meant = nearest(other, known.clone());
                let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
                let all: Vec<&str> = known.collect();
                return Err(format!(
                    "unknown word {:?}{hint}; the words are: {}",
                    shown(other),
                    all.join(", ")
                ));
            }
        }
        Ok(())
    }

    fn number(&mut self, key: &str, number: &str) -> Result<(), String> {
        let (place, most) = match key {
            "beside" => (&mut self.beside, BESIDE),
            "with" => (&mut self.with, BESIDE),
            "their-zones" => (&mut self.their_zones, 2),
            "zones" => (&mut self.zones, 2),
            "their-fire" => (&mut self.their_fire, 3),
            "fire" => (&mut self.fire, 3),
            _ => return Err(format!("{:?} takes no number; {} do", shown(key), NUMBERS.join(", "))),
        };
        let read = number.parse::<u8>().ok().filter(|number| *number <= most);
        *place = read.ok_or_else(|| format!("{key} = {:?}: a number from 0 to {most}", shown(number)))?;
        Ok(())
    }

    /// The imagined combat as an example of the rulebook: the attackers in 0303, the defenders in 0403.
    fn example(&self, attacker: Option<&Fighter>, defender: &Fighter) -> String {
        let mut text = String::from("schema = 1\n[[example]]\nid = \"calc\"\ntitle = \"calc\"\nterrain = [");
        for row in 1..=5 {
            let letter = |column: u8| match (column, row) {
                (4, 3) => self.ground.1,
                (3, 3) if self.sea => 'l',
                (3..=5, 2..=4) if self.surrounded && (column, row) != (3, 3) => 's',
                _ => '.',
            };
            let line: String = (1..=7).map(letter).collect();
            let _ = write!(text, "\"{line}\", ");
        }
        text.push_str("]\n");
        if self.river {
            text.push_str("rivers = [[[3, 0], [3, 5]]]\n");
        }
        if self.sea {
            text.push_str("scenario = { landing_side = \"US\" }\n");
        }
        for (said, key) in [(self.prepared, "prepared"), (self.mines, "mines")] {
            if said {
                let _ = writeln!(text, "{key} = {{ GE = [\"0403\"] }}");
            }
        }
        let unit = |text: &mut String, id: &str, kind: &str, zone: &str, more: &str| {
            let _ = write!(text, "{{ id = \"{id}\", type = \"{kind}\", at = \"{zone}\"{more} }}, ");
        };
        text.push_str("us = [");
        if let Some(attacker) = attacker {
            let supply = if self.exhausted { ", unsupplied = 2" } else { "" };
            let more = format!(", quality = \"{}\"{supply}", attacker.quality.word());
            unit(&mut text, "us-1", &attacker.kind.id, "0303", &more);
            for at in 0..self.with.max(u8::from(self.engineers)) {
                let kind = if at == 0 && self.engineers { "eng_leg" } else { "inf_leg" };
                unit(&mut text, &format!("us-with{at}"), kind, "0303", "");
            }
        }
        text.push_str("]\nge = [");
        let mut more = format!(", quality = \"{}\", facing = \"{}\"", defender.quality.word(), self.facing);
        if self.cut_off {
            more.push_str(", unsupplied = 2");
        }
        if self.detachment {
            more.push_str(", detachment = true");
        }
        unit(&mut text, "ge-1", &defender.kind.id, "0403", &more);
        for at in 0..self.beside.max(u8::from(self.antitank)) {
            let kind = if at == 0 && self.antitank { "atg_medium" } else { "inf_leg" };
            unit(&mut text, &format!("ge-beside{at}"), kind, "0403", "");
        }
        for (at, zone) in ["0502", "0504"].into_iter().take(usize::from(self.their_zones)).enumerate() {
            unit(&mut text, &format!("ge-zone{at}"), "inf_leg", zone, ", facing = \"E\"");
        }
        text.push_str("]\n[[example.case]]\nexpect = { turn = 1 }\n");
        text
    }

    /// What was said, for the title.
    fn words(&self) -> String {
        let place = match self.ground.0 {
            "open" => "in the open".to_owned(),
            "beach" | "hill" => format!("on a {}", self.ground.0),
            "forest" | "marsh" | "town" | "city" => format!("in a {}", self.ground.0),
            other => format!("in {other}"),
        };
        if self.prepared { format!("{place}, in a prepared position") } else { place }
    }
}

impl Rules {
    /// Answers a question that begins with `calc`.
    pub(crate) fn calculate(&self, question: &str) -> Result<Answer, String> {
        let words: Vec<&str> = question.split_whitespace().skip(1).collect();
        match &words[..] {
            [] => Err(format!("what should be calculated?\n{HELP}")),
            ["strike", rest @ ..] => {
                let (target, said) = described(rest)?;
                let (rules, s) = self.imagined(&said, None, &target)?;
                let target_unit = unit(&rules, "ge-1")?;
                let answer = rules.strike_answer(&s, target_unit);
                Ok(Answer { title: format!("Air strike on {} {}", target.words(), said.words()), ..answer })
            }
            ["shell", rest @ ..] => {
                let (gun, target, said) = opponents(rest, true)?;
                let (rules, s) = self.imagined(&said, gun.as_ref(), &target)?;
                let (at, target_unit) = (unit(&rules, "us-1").unwrap_or(NOBODY), unit(&rules, "ge-1")?);
                let by = gun.as_ref().map_or_else(|| "Corps artillery".to_owned(), Fighter::words);
                let answer = rules.ranged_answer(&s, at, target_unit, said.fire);
                Ok(Answer { title: format!("{by} shells {} {}", target.words(), said.words()), ..answer })
            }
            rest => self.imagined_assault(rest.strip_prefix(&["assault"]).unwrap_or(rest)),
        }
    }

    fn imagined_assault(&self, words: &[&str]) -> Result<Answer, String> {
        let (attacker, defender, said) = opponents(words, false)?;
        let Some(attacker) = attacker else { return Err(format!("the attacker is missing\n{HELP}")) };
        if !attacker.kind.assaults {
            return Err(format!("{} never assaults; ask calc shell", attacker.kind.id));
        }
        let (rules, s) = self.imagined(&said, Some(&attacker), &defender)?;
        let (lead, foe) = (unit(&rules, "us-1")?, unit(&rules, "ge-1")?);
        let mut supports: Units = s.stack(s.unit(lead).zone).collect();
        supports.remove(lead);
        let fight = Fight {
            from: s.unit(lead).zone,
            to: s.unit(foe).zone,
            lead,
            foe,
            supports,
            zones: said.zones,
            fire: said.fire,
            answer: said.their_fire,
            raid: said.night,
        };
        let answer = rules.assault_answer(&s, &fight);
        let title = format!("{} assaults {} {}", attacker.words(), defender.words(), said.words());
        Ok(Answer { title, ..answer })
    }

    /// The combat on its small map, with the readings of this match.
    fn imagined(
        &self,
        said: &Circumstances,
        attacker: Option<&Fighter>,
        defender: &Fighter,
    ) -> Result<(Self, State), String> {
        if said.surrounded && said.their_zones > 0 {
            return Err("surrounded and their-zones exclude each other: there it could retreat to".to_owned());
        }
        let (examples, problems) = crate::examples::read("calc", &said.example(attacker, defender))
            .map_err(|problems| problems.to_string())?;
        let Some(example) = examples.into_iter().next() else { return Err(problems.to_string()) };
        let mut rules = example.rules;
        rules.settings.flanks = self.settings.flanks;
        rules.settings.gentle = self.settings.gentle;
        Ok((rules, example.start))
    }
}

fn unit(rules: &Rules, id: &str) -> Result<u8, String> {
    rules.scenario.unit(id).ok_or_else(|| format!("{id} is missing"))
}

/// A fighter, and what is said after it.
fn described(words: &[&str]) -> Result<(Fighter, Circumstances), String> {
    let has_quality = words.first().is_some_and(|word| Quality::parse(word).is_some());
    let named = words.len().min(1 + usize::from(has_quality));
    Ok((Fighter::read(&words[..named])?, Circumstances::read(&words[named..])?))
}

/// Both sides of a combat; `corps` as the attacker is off-map artillery where guns may fire.
fn opponents(words: &[&str], guns: bool) -> Result<(Option<Fighter>, Fighter, Circumstances), String> {
    let Some(at) = words.iter().position(|word| matches!(*word, "vs" | "against")) else {
        return Err(format!("who fights whom? Put vs between them\n{HELP}"));
    };
    let (before, after) = (&words[..at], &words[at + 1..]);
    let attacker = match before {
        ["corps"] if guns => None,
        _ => Some(Fighter::read(before)?),
    };
    if guns && attacker.as_ref().is_some_and(|gun| gun.kind.range == 0) {
        let types =
            Battalions::builtin().kinds.iter().filter(|kind| kind.range > 0).map(|kind| kind.id.as_str());
        let types: Vec<&str> = types.collect();
        return Err(format!("only guns fire from afar: corps, {}", types.join(", ")));
    }
    let (defender, said) = described(after)?;
    Ok((attacker, defender, said))
}

#[cfg(test)]
#[path = "calculator_tests.rs"]
mod tests;
