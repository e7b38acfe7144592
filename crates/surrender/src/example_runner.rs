//! Plays worked examples and answers what they ask about a position.

use diagnostics::examples::Mismatch;
use kernel::{Mover, Recorder};

use crate::example_position::{EVENTS, country, owner};
use crate::examples::{Case, Example};
use crate::frame::Frame;
use crate::game_event::{GameEvent, Sum};
use crate::ids::{City, Faction, Node, Place, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::sea_paths::NO_WAY;
use crate::state::{Fight, Manner, State, Status, Supply};
use crate::supply::Source;
use crate::tables::{CombatResult, Diplomat, month_of};
use crate::words::side_word;

/// What can be asked.
pub(crate) const QUESTIONS: [&str; 39] = [
    "units",
    "will",
    "points",
    "extra",
    "income",
    "status",
    "pro",
    "control",
    "result",
    "drm",
    "values",
    "open",
    "closed",
    "only",
    "asked",
    "frame",
    "left",
    "step",
    "attack",
    "sea",
    "path",
    "intercepts",
    "source",
    "no_ezoc",
    "weather",
    "fac_lost",
    "events",
    "cup",
    "ready",
    "turn",
    "bombed",
    "pact",
    "activation",
    "mobilization",
    "landings",
    "tickets",
    "usa",
    "walls",
    "fight",
];

/// Plays a case of an example and compares what comes of it.
pub(crate) fn play(example: &Example, case: &Case, place: &str, wrong: &mut Vec<Mismatch>) {
    let rules = &example.rules;
    let mut table = ExampleTable { rules, state: example.start, recorder: Recorder::default() };
    for (key, about, value) in &case.changes {
        if let Err(why) = rules.set_part(&mut table.state, key, about, value) {
            wrong.push(Mismatch::new(&format!("{place}{key} {about}"), value, why));
            return;
        }
    }
    if let Some(step) = example.step {
        table.state.next = step;
        rules.settle(&mut table.state, &mut table.recorder);
    }
    let mut listed = Vec::new();
    for (at, choice) in case.play.iter().enumerate() {
        listed.clear();
        rules.list(&table.state, &mut listed);
        if !listed.contains(choice) {
            let what = format!("{place}choice {} ", at + 1);
            let found = format!("refused; open are: {}", table.names().join(", "));
            wrong.push(Mismatch::new(&what, table.name(*choice), found));
            return;
        }
        rules.play(&mut table.state, *choice, &mut table.recorder);
        if let Err(why) = rules.invariants(&table.state) {
            let what = format!("{place}choice {} {}", at + 1, table.name(*choice));
            wrong.push(Mismatch::new(&what, "a position that can be", why));
            return;
        }
    }
    for check in &case.checks {
        let found = table.answer(check.question, &check.about).unwrap_or_else(|why| why);
        if found != check.expected {
            let what = format!("{place}{} {}", check.question, check.about);
            wrong.push(Mismatch::new(what.trim_end(), &*check.expected, found));
        }
    }
}

/// A position and all events on the way to it.
struct ExampleTable<'a> {
    rules: &'a Rules,
    state: State,
    recorder: Recorder<GameEvent>,
}

impl ExampleTable<'_> {
    fn name(&self, choice: crate::Choice) -> String {
        let mut name = String::new();
        self.rules.write_name(choice, &mut name);
        name
    }

    /// The names of all choices.
    fn names(&self) -> Vec<String> {
        let mut listed = Vec::new();
        self.rules.list(&self.state, &mut listed);
        listed.into_iter().map(|choice| self.name(choice)).collect()
    }

    /// The sums and the result of the last combat of any kind.
    fn combat(&self) -> Result<([Sum; 2], CombatResult), String> {
        let found = self.recorder.events.iter().rev().find_map(|(_, event)| match event {
            GameEvent::Fought(_, _, _, one, other, result)
            | GameEvent::Dueled(_, _, _, one, other, result)
            | GameEvent::Strategic(_, one, other, result, _, _) => Some(([*one, *other], *result)),
            _ => None,
        });
        found.ok_or_else(|| "no combat".to_owned())
    }

    /// The answer to a question, in the words of the examples; what is wrong with the question otherwise.
    fn answer(&self, question: &str, about: &str) -> Result<String, String> {
        let (rules, s) = (self.rules, &self.state);
        let of = || country(about).map(|country| s.country(country));
        Ok(match question {
            "units" => self.unit(about)?,
            "will" => of()?.will.to_string(),
            "points" => of()?.points.to_string(),
            "extra" => of()?.extra.to_string(),
            "income" => rules.income(s, country(about)?).to_string(),
            "status" => {
                let entry = of()?;
                match entry.status {
                    Status::Active => side_word(entry.side).to_owned(),
                    Status::Conquered => format!("conquered {}", side_word(entry.side)),
                    other => format!("{other:?}").to_ascii_lowercase(),
                }
            }
            "pro" => of()?.pro.map_or("none", Faction::word).to_owned(),
            "control" => side_word(s.controller(rules.place_of(about)?)).to_owned(),
            "result" => self.combat()?.1.code().to_owned(),
            "drm" => {
                let limit = rules.world.tables.drm_limit;
                self.combat()?.0.map(|sum| sum.total().clamp(-limit, limit).to_string()).join(" ")
            }
            "values" => self.combat()?.0.map(|sum| rules.sum_value(&sum).to_string()).join(" "),
            "open" | "closed" => {
                if rules.read_name(about).is_none() {
                    return Err("no choice of this game".to_owned());
                }
                if self.names().iter().any(|name| name == about) { "open" } else { "closed" }.to_owned()
            }
            "only" => {
                let names = self.names();
                let rest = names.iter().filter_map(|name| name.strip_prefix(about)?.strip_prefix(' '));
                rest.collect::<Vec<_>>().join(" ")
            }
            "asked" => match rules.mover(s) {
                Mover::Nobody => "nobody",
                Mover::Fate => "fate",
                Mover::Seat(seat) => rules.faction_of(seat).word(),
            }
            .to_owned(),
            "frame" => frame_word(s.frame()),
            "left" => s.activation.points.to_string(),
            "step" | "attack" | "sea" | "path" => self.way(question, about)?,
            "intercepts" => zones(rules.interception_zones(s, rules.unit_of(about)?)),
            "source" => match rules.source_of(s, rules.unit_of(about)?) {
                Source::Unlimited(place) => format!("unlimited {}", rules.world.place_name(place)),
                Source::Limited(place) => format!("limited {}", rules.world.place_name(place)),
                Source::Nothing => "nothing".to_owned(),
            },
            "no_ezoc" => self.hexes(|hex| s.has_no_ezoc(hex)),
            "walls" => self.hexes(|hex| s.walls.contains(&hex)),
            "weather" => s.weather[..3]
                .iter()
                .map(|weather| weather.title())
                .collect::<Vec<_>>()
                .join(" ")
                .to_ascii_lowercase(),
            "fac_lost" => s.fac_lost.map(|lost| lost.to_string()).join(" "),
            "events" => {
                let known = EVENTS.iter().filter(|(_, bit)| s.occurred(*bit));
                known.map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
            }
            "cup" => {
                let marker = Diplomat::of_id(about).ok_or("no marker of the Cup")?;
                format!("{} and {}", s.cup[marker as usize], s.holding[marker as usize])
            }
            "ready" => {
                let (marker, whose) = about.split_once(' ').ok_or("a marker and its owner")?;
                rules.ready(s, Marker::of_id(marker).ok_or("no marker")?, owner(whose)?).to_string()
            }
            "turn" => month_words(s.turn),
            "usa" => {
                if s.usa_turn == u8::MAX {
                    "never".to_owned()
                } else {
                    month_words(s.usa_turn)
                }
            }
            "bombed" => {
                let bombed = City::all().filter(|city| s.is_bombed(*city));
                bombed.map(|city| rules.world.city(city).id.as_str()).collect::<Vec<_>>().join(" ")
            }
            "pact" => s.pact().to_string(),
            "activation" => rules.activation_cost(s, rules.unit_of(about)?).to_string(),
            "mobilization" => rules.mobilization_cost(rules.unit_of(about)?).to_string(),
            "landings" => {
                let faction = Faction::of_word(about).ok_or("no faction")?;
                rules.world.tables.landings(faction, s.turn).to_string()
            }
            "fight" => self.imagined(about)?,
            "tickets" => {
                let choice = rules.read_name(about).ok_or("no choice of this game")?;
                let all = rules.tickets(s);
                let of = (0..all).filter(|ticket| rules.drawn(s, *ticket) == choice).count();
                format!("{of} of {all}")
            }
            _ => return Err("no question".to_owned()),
        })
    }

    /// Where a unit is, its strength or Sorties, and its supply if it is not Full.
    fn unit(&self, about: &str) -> Result<String, String> {
        let (rules, s) = (self.rules, &self.state);
        let unit = rules.unit_of(about)?;
        let entry = s.unit(unit);
        let mut words = rules.world.place_name(entry.place);
        if !entry.on_map() {
            return Ok(words);
        }
        match (rules.kind(unit).is_ground(), entry.level) {
            (_, 0) => {}
            (true, _) => words.push_str(" reduced"),
            (false, sorties) => words.push_str(&format!(" {sorties}")),
        }
        match entry.supply {
            Supply::Full => {}
            Supply::Low => words.push_str(" low"),
            Supply::No => words.push_str(" no"),
        }
        if entry.has(crate::state::flag::ENDED) {
            words.push_str(" ended");
        }
        Ok(words)
    }

    /// What a step, an attack or a voyage of a unit to a place costs, or the Sea Zones on its way.
    fn way(&self, question: &str, about: &str) -> Result<String, String> {
        let (rules, s) = (self.rules, &self.state);
        let (unit, to) = about.split_once(' ').ok_or("a unit and a place")?;
        let (unit, to) = (rules.unit_of(unit)?, rules.place_of(to)?);
        let from = s.unit(unit).place;
        let cost = match question {
            "step" => rules.step_cost(s, unit, from, to),
            "attack" => rules.attack_cost(s, unit, from, to),
            _ => {
                let way = rules.sea_path_of(s, unit, from, to, NO_WAY - 1);
                if question == "path" {
                    return Ok(way.map_or_else(|| "none".to_owned(), |(_, path)| path_words(&path)));
                }
                way.map(|(cost, _)| cost)
            }
        };
        Ok(cost.map_or_else(|| "none".to_owned(), |cost| cost.to_string()))
    }

    /// A combat that is only imagined: `mobile GER-4A 3914 1 1`.
    fn imagined(&self, about: &str) -> Result<String, String> {
        let (rules, s) = (self.rules, &self.state);
        let words: Vec<&str> = about.split(' ').collect();
        let [manner, units @ .., hex, one, other] = &words[..] else {
            return Err("a manner, units, a hex and two dice".to_owned());
        };
        let manner = match *manner {
            "mobile" => Manner::Mobile,
            "assault" => Manner::Assault,
            "landing" => Manner::Landing,
            other => return Err(format!("{other:?} is no manner of attack")),
        };
        let hex = rules.place_of(hex)?;
        let mut attackers = [UnitId::NONE; 3];
        for (attacker, name) in attackers.iter_mut().zip(units) {
            *attacker = rules.unit_of(name)?;
        }
        let die = |text: &str| text.parse::<u8>().map_err(|_| "no die".to_owned());
        let [primary, first, second] = attackers;
        let defender = s.ground_at(hex).ok_or("nobody defends there")?;
        let dice = [die(one)?, die(other)?];
        let fight = Fight { manner, primary, more: [first, second], defender, hex, dice, ..Fight::NONE };
        let sums = [0, 1].map(|side| rules.fight_sum(s, &fight, side));
        let limit = rules.world.tables.drm_limit;
        let modifiers = sums.map(|sum| sum.total().clamp(-limit, limit).to_string()).join(" ");
        let values = sums.map(|sum| rules.sum_value(&sum).to_string()).join(" ");
        Ok(format!("{modifiers} {values} {}", rules.result_of(&sums).code()))
    }

    fn hexes(&self, is_one: impl Fn(Place) -> bool) -> String {
        let found = Place::hexes().filter(|hex| is_one(*hex));
        found.map(|hex| self.rules.world.place_name(hex)).collect::<Vec<_>>().join(" ")
    }
}

/// The word of a question.
fn frame_word(frame: Frame) -> String {
    let text = format!("{frame:?}");
    text.split('(').next().unwrap_or_default().to_ascii_lowercase()
}

fn node_word(node: Node) -> String {
    match node {
        Node::ENA => "ENA".to_owned(),
        Node::WIO => "WIO".to_owned(),
        zone => zone.number().to_string(),
    }
}

fn zones(set: u64) -> String {
    Node::of(set).map(node_word).collect::<Vec<_>>().join(" ")
}

fn path_words(path: &[Node]) -> String {
    path.iter()
        .take_while(|node| **node != Node::NONE)
        .map(|node| node_word(*node))
        .collect::<Vec<_>>()
        .join(" ")
}

fn month_words(turn: u8) -> String {
    let (year, month) = month_of(turn);
    format!("{year}-{month:02}")
}
