//! The odds of a Battle that is only imagined: `calc 2 infantry 4, tank 3 vs fortress 2, infantry 3`. Rules 12.2 to 12.4.

use diagnostics::{nearest, shown};
use kernel::Answer;

use crate::battle_answers::{MANNERS, apply_manner};
use crate::cards::Tech;
use crate::fight::{Army, Fight, Fighter};
use crate::units::Kind;

/// How to ask, for those who ask nothing.
pub const HELP: &str = "\
Ask about any Battle, without a match:
  calc UNITS vs UNITS [WORD …]   the Attacker first
  calc hits DICE FIREPOWER       one Combat Action
UNITS are types with their CV, with commas between them: 2 infantry 4, tank 3. The types are fortress, air_force, carrier,
submarine, fleet, tank, infantry; tanks and infantry at sea are Convoys. `landed infantry 3` has just come ashore and does
not act. At sea BattleGroups of the Attacker join round by round, with `then` between them.
WORDs: sea (a Battle at sea, to its end), surprise, minor (the Defender is an Armed Minor); escape (Submarines Escape after
a round), retreat (units leave when the Enemy has more than twice their steps); and technologies: naval_radar, heavy_tanks,
rocket_artillery, jets, sonar, air_defense_radar. With their- before them they are the Defender's.
For example:
  maproom odds triumph calc 2 infantry 4, tank 3 vs fortress 2, infantry 3 surprise
  maproom odds triumph calc 2 submarine 3 then fleet 4 vs carrier 4, fleet 3 sea escape their-sonar
At the table you can also ask about the position: battle AREA, attack AREA (everything that can get there), attack AREA with
UNIT, UNIT, trade AREA, supply AREA, reach UNIT, vp. The words escape and retreat go with battle and attack, too.
";

/// The most units of a side.
const MOST_UNITS: usize = 24;
/// The highest CV of any unit.
const MOST_CV: u8 = 4;
/// The most dice of one action: twice the CV with AirDefense Radar.
const MOST_DICE: u8 = 8;
/// The words that are no technologies.
const WORDS: [&str; 3] = ["sea", "surprise", "minor"];
/// The technologies that matter in a Battle.
const TECHS: [Tech; 6] = [
    Tech::NavalRadar,
    Tech::HeavyTanks,
    Tech::RocketArtillery,
    Tech::Jets,
    Tech::Sonar,
    Tech::AirDefenseRadar,
];

/// Answers a question that begins with `calc`.
pub(crate) fn answer(words: &str) -> Result<Answer, String> {
    let words = words.trim();
    if words.is_empty() {
        return Err(HELP.to_owned());
    }
    if let Some(rest) = words.strip_prefix("hits ") {
        return hits(rest);
    }
    let Some((attacker, rest)) = words.split_once(" vs ") else {
        return Err(format!("say who fights whom, with vs between them\n{HELP}"));
    };
    let (defender, circumstances) = split_words(rest);
    let mut groups = attacker.split(" then ").map(units).collect::<Result<Vec<_>, _>>()?;
    let first = Army { units: groups.remove(0), ..Army::default() };
    let second = Army { units: units(&defender)?, ..Army::default() };
    let mut fight =
        Fight { armies: [first, second], groups, at_sea: false, surprise: false, in_the_air: None };
    for word in circumstances {
        apply(&mut fight, &word)?;
    }
    if !fight.at_sea && !fight.groups.is_empty() {
        return Err("BattleGroups join one after the other only at sea: add the word sea".to_owned());
    }
    let attackers = fight.groups.iter().flatten();
    let mut all = fight.armies.iter().flat_map(|army| &army.units).chain(attackers);
    if fight.at_sea && all.any(|unit| unit.kind == Kind::Fortress) {
        return Err("there are no Fortresses at sea".to_owned());
    }
    fight.armies[1].at_home = !fight.at_sea;
    let others = fight.armies[1].units.iter().any(|unit| unit.kind != Kind::Fortress);
    if fight.armies[1].minor && others {
        return Err("an Armed Minor has Fortresses only".to_owned());
    }
    Ok(crate::battle_answers::fight_answer("An imagined Battle".to_owned(), &fight, Vec::new()))
}

/// The dice of one Combat Action.
fn hits(words: &str) -> Result<Answer, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let number = |word: &str, most: u8| {
        word.parse::<u8>()
            .ok()
            .filter(|number| (1..=most).contains(number))
            .ok_or_else(|| format!("{:?}: a number from 1 to {most}", shown(word)))
    };
    match words.as_slice() {
        [dice, needs] => Ok(crate::odds::hits_answer(
            "One Combat Action".to_owned(),
            number(dice, MOST_DICE)?,
            number(needs, 6)?,
        )),
        _ => Err("hits takes two numbers: how many dice, and the firepower".to_owned()),
    }
}

/// The units of the Defender, and the words behind them.
fn split_words(rest: &str) -> (String, Vec<String>) {
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    let mut said = Vec::new();
    while let Some(last) = words.last().filter(|word| is_word(word)) {
        said.push((*last).to_owned());
        words.pop();
    }
    said.reverse();
    (words.join(" "), said)
}

fn is_word(word: &str) -> bool {
    let unit =
        word.trim_end_matches(',').parse::<u8>().is_ok() || Kind::parse(word.trim_end_matches(',')).is_some();
    !unit && word != "landed"
}

fn units(text: &str) -> Result<Vec<Fighter>, String> {
    let mut units = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let mut words: Vec<&str> = part.split_whitespace().collect();
        let count = match words.first().and_then(|word| word.parse::<usize>().ok()) {
            Some(count) => {
                words.remove(0);
                count
            }
            None => 1,
        };
        let idle = words.first() == Some(&"landed");
        if idle {
            words.remove(0);
        }
        let [kind, cv] = words.as_slice() else {
            return Err(format!("{:?}: a type and its CV, such as infantry 3", shown(part)));
        };
        let kind = Kind::parse(kind).ok_or_else(|| {
            let meant = nearest(kind, Kind::ALL.iter().map(|kind| kind.word()));
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            format!("unknown type {:?}{hint}", shown(kind))
        })?;
        let cv = cv.parse::<u8>().ok().filter(|cv| (1..=MOST_CV).contains(cv));
        let cv = cv.ok_or_else(|| format!("{:?}: the CV is 1 to {MOST_CV}", shown(part)))?;
        if units.len() + count > MOST_UNITS {
            return Err(format!("at most {MOST_UNITS} units a side"));
        }
        units.extend(std::iter::repeat_n(Fighter { idle, ..Fighter::new(kind, cv) }, count));
    }
    if units.is_empty() {
        return Err(format!("a side without units\n{HELP}"));
    }
    Ok(units)
}

fn apply(fight: &mut Fight, word: &str) -> Result<(), String> {
    let mut manners = fight.armies.each_ref().map(|army| army.manner);
    if apply_manner(&mut manners, word) {
        for (army, manner) in fight.armies.iter_mut().zip(manners) {
            army.manner = manner;
        }
        return Ok(());
    }
    let (side, tech) = match word.strip_prefix("their-") {
        Some(tech) => (1, tech),
        None => (0, word),
    };
    if let Some(tech) = Tech::parse(tech).filter(|tech| TECHS.contains(tech)) {
        fight.armies[side].techs |= tech.bit();
        return Ok(());
    }
    match word {
        "sea" => fight.at_sea = true,
        "surprise" => fight.surprise = true,
        "minor" => fight.armies[1].minor = true,
        _ => {
            let known = WORDS.into_iter().chain(MANNERS).chain(TECHS.map(Tech::word));
            let meant = nearest(word, known.clone()).or_else(|| nearest(tech, known.clone()));
            let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
            let all: Vec<&str> = known.collect();
            return Err(format!("unknown word {:?}{hint}; the words are: {}", shown(word), all.join(", ")));
        }
    }
    Ok(())
}
