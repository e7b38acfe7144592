//! Plays worked examples and compares what comes of them. Rule 21.

use diagnostics::examples::Mismatch;
use kernel::{Mover, Recorder};
use terrain::{Arc, Cell};

use crate::examples::{Case, Example};
use crate::examples_board::CODES;
use crate::examples_expect::{Ask, BARRED, mark_words};
use crate::examples_start::RESULTS;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, SHATTERED, Stage, State, WAITING, work};
use crate::units::Units;

/// Plays an example; an empty list means that all is as it should be.
pub(crate) fn run(example: &Example) -> Vec<Mismatch> {
    let mut wrong = Vec::new();
    for (at, case) in example.cases.iter().enumerate() {
        let place = match (&*case.about, example.cases.len()) {
            ("", 1) => String::new(),
            ("", _) => format!("case {}, ", at + 1),
            (about, _) => format!("{about}, "),
        };
        play(example, case, &place, &mut wrong);
    }
    wrong
}

fn play(example: &Example, case: &Case, place: &str, wrong: &mut Vec<Mismatch>) {
    let rules = &example.rules;
    let mut table = ExampleTable { rules, state: example.start.clone(), recorder: Recorder::default() };
    for (at, &choice) in case.play.iter().enumerate() {
        let mut name = String::new();
        choice.write(&rules.scenario, &mut name);
        let what = format!("{place}choice {}", at + 1);
        if !rules.is_open(&table.state, choice) {
            let refusal = rules.why_not(&table.state, choice);
            let found = format!("refused: {refusal}; {}", rules.prompt(&table.state).text);
            wrong.push(Mismatch::new(&what, name, found));
            return;
        }
        rules.play(&mut table.state, choice, &mut table.recorder);
        if let Err(why) = rules.invariants(&table.state) {
            wrong.push(Mismatch::new(&format!("{what} {name}"), "a position that can be", why));
            return;
        }
    }
    for check in &case.checks {
        let found = table.answer(check.ask);
        if found != check.expected {
            wrong.push(Mismatch::new(&format!("{place}{}", check.what), &*check.expected, found));
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
    /// The answer to a question, in the words of the examples.
    fn answer(&self, ask: Ask) -> String {
        let (rules, s) = (self.rules, &self.state);
        let pair = |pair: [u16; 2]| format!("{pair:?}");
        let each = |read: &dyn Fn(Side) -> u8| pair(Side::ALL.map(|side| u16::from(read(side))));
        match ask {
            Ask::Place(unit) => self.place(unit),
            Ask::Mp(unit) => s.unit(unit).mp.to_string(),
            Ask::Result(unit) => {
                let result = s.unit(unit).result;
                RESULTS.iter().find(|(_, known)| *known == result).map_or("", |(word, _)| word).to_owned()
            }
            Ask::Marks(unit) => mark_words(s.unit(unit).marks),
            Ask::Level(unit) => s.unit(unit).unsupplied.to_string(),
            Ask::Supplied(unit) => {
                let lines = rules.supply_lines(s, rules.troop(unit).side);
                (s.unit(unit).on_map() && lines.reach(s.unit(unit).zone)).to_string()
            }
            Ask::InCommand(unit) => {
                (s.unit(unit).on_map() && rules.in_command(s, unit, s.unit(unit).zone)).to_string()
            }
            Ask::Facing(zone) if s.is_empty(zone) => "nobody".to_owned(),
            Ask::Facing(zone) => s.zones[usize::from(zone)].facing.name().to_owned(),
            Ask::Works(zone) => self.works(zone),
            Ask::Holder(zone) => {
                let key = rules.key_at(zone);
                key.map_or("nobody", |key| CODES[rules.holder(s, key).index()]).to_owned()
            }
            Ask::Crossing(zone, way) => self.crossing(zone, way).to_owned(),
            Ask::Arc(defending, attacking) => match rules.exposed(s, defending, attacking) {
                Arc::Front => "front",
                Arc::Flank => "flank",
                Arc::Rear => "rear",
            }
            .to_owned(),
            Ask::Control(side) => {
                let zones = (0..rules.scenario.grid.len() as Cell)
                    .filter(|zone| rules.in_control_of(s, *zone, side))
                    .map(|zone| rules.scenario.grid.name(zone));
                zones.collect::<Vec<_>>().join(" ")
            }
            Ask::Step(unit, to) => self.step(unit, to).to_owned(),
            Ask::Markers => pair(s.markers),
            Ask::Tally => pair(s.tally),
            Ask::Art => each(&|side| s.art[side.index()]),
            Ask::Air => each(&|side| s.air[side.index()]),
            Ask::AirAllowance => each(&|side| rules.allowance(s, side, true)),
            Ask::Rerolls => each(&|side| s.rerolls[side.index()]),
            Ask::Stage => format!("{:?}", s.stage),
            Ask::Asked => match rules.mover(s) {
                Mover::Nobody => "nobody",
                Mover::Fate => "fate",
                Mover::Seat(seat) => CODES[Rules::side_of(seat).index()],
            }
            .to_owned(),
            Ask::Open(choice) => if rules.is_open(s, choice) { "open" } else { "closed" }.to_owned(),
            Ask::Hits => self.numbers(|event| match event {
                GameEvent::Assaulted { need, .. } | GameEvent::Shelled { need, .. } => Some(*need),
                _ => None,
            }),
            Ask::Saves => self.numbers(|event| match event {
                GameEvent::Saved { need, .. } => Some(*need),
                _ => None,
            }),
            Ask::Need => self.need().map_or_else(|| "no die".to_owned(), |need| need.to_string()),
            Ask::Night => s.night.to_string(),
            Ask::Turn => s.turn.to_string(),
            Ask::Clock => s.clock.to_string(),
            Ask::Vp => rules.aggressor_vp(s).to_string(),
            Ask::Verdict => s.verdict.map_or_else(|| "none".to_owned(), |verdict| format!("{verdict:?}")),
        }
    }

    fn place(&self, unit: u8) -> String {
        match self.state.unit(unit).zone {
            WAITING => "waiting".to_owned(),
            SHATTERED => "shattered".to_owned(),
            LOST => "lost".to_owned(),
            zone => self.rules.scenario.grid.name(zone),
        }
    }

    /// What lies in a zone, in the order in which expectations are sorted.
    fn works(&self, zone: Cell) -> String {
        let works = self.state.zones[usize::from(zone)].works;
        let all = [
            (work::PREPARED, "prepared US"),
            (work::PREPARED << 1, "prepared GE"),
            (work::MINES, "mines US"),
            (work::MINES << 1, "mines GE"),
            (work::BLOCKED, "road block"),
        ];
        let found = all.into_iter().filter(|(bit, _)| works & bit != 0).map(|(_, word)| word);
        found.collect::<Vec<_>>().join(", ")
    }

    fn crossing(&self, zone: Cell, way: terrain::Octant) -> &'static str {
        let (rules, s) = (self.rules, &self.state);
        if !rules.is_river(zone, way) {
            return "none";
        }
        if rules.is_unbridged(s, zone, way) {
            return "river";
        }
        let wired = rules.scenario.bridge_at(zone, way).is_some_and(|at| s.wired >> at & 1 != 0);
        if wired { "wired" } else { "bridge" }
    }

    /// The first step of a battalion's march, alone and not in road mode.
    fn step(&self, unit: u8, to: Cell) -> &'static str {
        let (rules, s) = (self.rules, &self.state);
        if !s.unit(unit).on_map() {
            return "gone";
        }
        let Some(way) = rules.scenario.grid.direction(s.unit(unit).zone, to) else { return "too far" };
        let column = rules.column(s, Units::one(unit));
        match rules.step(s, &column, s.unit(unit).zone, way, true, false) {
            Ok(kind) if kind.ford => "ford",
            Ok(kind) if kind.rough => "rough",
            Ok(kind) if kind.stops => "stop",
            Ok(_) => "free",
            Err(barred) => {
                BARRED.iter().find(|(_, known)| *known == barred).map_or("barred", |(word, _)| word)
            }
        }
    }

    /// Numbers of the events that have one.
    fn numbers(&self, number: impl Fn(&GameEvent) -> Option<u8>) -> String {
        let found: Vec<u8> = self.recorder.events.iter().filter_map(|(_, event)| number(event)).collect();
        format!("{found:?}")
    }

    /// The number of the die that is due, asked of the rules themselves.
    fn need(&self) -> Option<u8> {
        let (rules, s, act) = (self.rules, &self.state, &self.state.act);
        if !rules.rolls(s) {
            return None;
        }
        Some(match s.stage {
            Stage::RallyDie => rules.rally_need(s, act.lead, act.foe),
            Stage::EngineeringDie => rules.work_need(s, act.job),
            Stage::StrikeSave => rules.shelter_need(s, act.foe, true),
            Stage::RangedDie => rules.ranged_need(act.lead, act.foe, act.fire[0].count()),
            Stage::RangedSave => rules.fire_save_need(s, act.lead, act.foe),
            Stage::GunnerSave => rules.gunner_need(s, act.lead),
            Stage::AssaultDie => rules.assault_need(s, &rules.fight(s)),
            Stage::DefenderSave => rules.defender_need(s, &rules.fight(s)),
            Stage::AttackerSave => rules.attacker_need(s, &rules.fight(s)),
            _ => return None,
        })
    }
}
