//! Exact chances, before anybody rolls. Rules 11.5, 11.6, 11.9, 12.5 to 12.8.

use kernel::{Answer, Chance};

use crate::choice::{Choice, Gun};
use crate::combat::Fight;
use crate::rules::Rules;
use crate::state::{After, NOBODY, Stage, State};
use crate::units::Units;

/// What an assault can come to, in hundredths of tenths: every chance is so many of a thousand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssaultOdds {
    /// The hit number.
    pub hit: u8,
    /// The defender's save.
    pub save: u8,
    /// The attacker's save.
    pub own_save: u8,
    /// The defender is shattered: a general advance; of a hundred.
    pub shattered: u16,
    /// The defender is lost: a breakthrough; of a hundred.
    pub lost: u16,
    /// Neither: both hold; of a thousand.
    pub holds: u16,
    /// The attacker is repulsed; of a thousand.
    pub repulsed: u16,
}

impl AssaultOdds {
    /// The chance that the defender gives way, of a thousand.
    pub const fn success(&self) -> u16 {
        (self.shattered + self.lost) * 10
    }
}

/// So many of a thousand as people read it: "42 %", "42.5 %".
pub fn percent(count: u16) -> String {
    if count.is_multiple_of(10) {
        format!("{} %", count / 10)
    } else {
        format!("{}.{} %", count / 10, count % 10)
    }
}

impl Rules {
    /// How many more supports by fire the defender could bring down on its attackers. Rule 12.5.
    pub fn answer_left(&self, s: &State, fight: &Fight) -> u8 {
        let Some(side) = self.owner(s, fight.to).filter(|_| !fight.raid) else { return 0 };
        let guns = Units(self.guns.0 & self.armies[side.index()].0);
        let guns = guns.into_iter().filter(|gun| self.may_fire(s, *gun, fight.to, false)).count() as u8;
        let at_hand = guns.saturating_add(s.art[side.index()]).saturating_add(s.air[side.index()]);
        at_hand.min(self.tables.fire_max.saturating_sub(fight.answer))
    }

    /// The same fight with all the defensive fire that is possible; `None` where there is none to come.
    pub fn under_all_fire(&self, s: &State, fight: &Fight) -> Option<Fight> {
        let settled = matches!(s.stage, Stage::AssaultDie | Stage::DefenderSave | Stage::AttackerSave);
        let left = if settled { 0 } else { self.answer_left(s, fight) };
        (left > 0).then(|| Fight { answer: fight.answer + left, ..*fight })
    }

    /// The chances of an assault whose defender is known.
    pub fn assault_odds(&self, s: &State, fight: &Fight) -> AssaultOdds {
        let hit = u16::from(self.assault_need(s, fight));
        let save = u16::from(self.defender_need(s, fight));
        let own = u16::from(self.attacker_need(s, fight));
        let fails = 10 - save;
        let always = self.always_lost(s, fight);
        // A natural 10 is always among the failing faces.
        let lost_faces = match (self.troop(fight.foe).is_hq(), always, self.settings.gentle) {
            (true, ..) => 0,
            (false, true, _) => fails,
            (false, false, true) => 0,
            (false, false, false) => 1,
        };
        let won = hit * fails;
        let repulsed = (100 - won) * (10 - own);
        AssaultOdds {
            hit: hit as u8,
            save: save as u8,
            own_save: own as u8,
            shattered: hit * (fails - lost_faces),
            lost: hit * lost_faces,
            holds: (100 - won) * own,
            repulsed,
        }
    }

    /// Whether a failed save of the defender always loses it. Rule 12.8.
    fn always_lost(&self, s: &State, fight: &Fight) -> bool {
        let mut seen = s.clone();
        seen.act.threat = fight.from;
        seen.act.passes = 0;
        seen.act.after = After::Won;
        let mut way_out = false;
        self.retreat_zones(&seen, fight.foe, |_| way_out = true);
        !way_out || self.breaks_for_good(s, fight.foe)
    }

    /// The answer about an assault.
    pub(crate) fn assault_answer(&self, s: &State, fight: &Fight) -> Answer {
        let odds = self.assault_odds(s, fight);
        let of_thousand = |count: u16| Chance::of(u64::from(count), 1000);
        let mech = |unit: u8| self.troop(unit).mode == crate::battalions::Mode::Mechanized;
        let breaks =
            !fight.raid && s.act.chain == 0 && (mech(fight.lead) || fight.supports.into_iter().any(mech));
        let lost = if breaks { "Defender lost, breakthrough" } else { "Defender lost" };
        let mut facts = vec![
            ("hit", self.assault_sum(s, fight).words()),
            ("defender's save", self.defender_sum(s, fight).words()),
            ("attacker's save", self.attacker_sum(s, fight).words()),
        ];
        if let Some(worst) = self.under_all_fire(s, fight) {
            let (low, high) = (percent(self.assault_odds(s, &worst).success()), percent(odds.success()));
            let range = if low == high { high } else { format!("{low} to {high}") };
            let fire = worst.answer - fight.answer;
            facts.push(("success", range));
            facts.push((
                "defensive fire",
                format!("−{fire} if all of it comes; the chances below are without it"),
            ));
        }
        Answer {
            title: format!("{} assaults {}", self.unit_name(fight.lead), self.unit_name(fight.foe)),
            rule: "12.5",
            facts,
            results: vec![
                (lost.to_owned(), of_thousand(odds.lost * 10)),
                ("Defender shattered".to_owned(), of_thousand(odds.shattered * 10)),
                ("Both hold".to_owned(), of_thousand(odds.holds)),
                ("Attacker repulsed".to_owned(), of_thousand(odds.repulsed)),
            ],
        }
    }

    pub(crate) fn ranged_answer(&self, s: &State, gun: u8, target: u8, supports: u8) -> Answer {
        let (hit, save) = (
            u64::from(self.ranged_need(gun, target, supports)),
            u64::from(self.fire_save_need(s, gun, target)),
        );
        let lost = self.troop(target).detachment;
        let what = if lost { "Lost: a detachment" } else { "Must retreat or take markers" };
        let mut results = vec![
            (what.to_owned(), Chance::of(hit * (10 - save), 100)),
            ("Nothing happens".to_owned(), Chance::of(100 - hit * (10 - save), 100)),
        ];
        if gun != NOBODY {
            let own = u64::from(self.gunner_need(s, gun));
            results.push(("of which: the gun itself falters".to_owned(), Chance::of(10 - own, 100)));
        }
        Answer {
            title: format!("{} shells {}", self.unit_name(gun), self.unit_name(target)),
            rule: "11.5",
            facts: vec![
                ("hit", self.ranged_sum(gun, target, supports).words()),
                ("save", self.fire_save_sum(s, gun, target).words()),
            ],
            results,
        }
    }

    pub(crate) fn strike_answer(&self, s: &State, target: u8) -> Answer {
        let (hit, save) =
            (u64::from(self.tables.air_attack_max), u64::from(self.shelter_need(s, target, true)));
        Answer {
            title: format!("Air strike on {}", self.unit_name(target)),
            rule: "11.9",
            facts: vec![("save", self.shelter_sum(s, target, true).words())],
            results: vec![
                ("It is shattered or lost".to_owned(), Chance::of(hit * (10 - save), 100)),
                ("Nothing happens".to_owned(), Chance::of(100 - hit * (10 - save), 100)),
            ],
        }
    }

    fn activation_answer(&self, s: &State, group: Units) -> Answer {
        let shift = self.activation_shift(s, group);
        let quality =
            group.into_iter().map(|unit| self.troop(unit).quality).min().unwrap_or(crate::Quality::Regular);
        let results = [
            crate::Activation::Double,
            crate::Activation::Full,
            crate::Activation::Hold,
            crate::Activation::Fallback,
        ]
        .map(|result| {
            let faces =
                (1..=10).filter(|face| self.tables.activated(quality, face + shift) == result).count();
            (result.title().to_owned(), Chance::of(faces as u64, 10))
        });
        Answer {
            title: format!("Activation of {}", self.group_name(group)),
            rule: "10.2",
            facts: vec![("quality", quality.title().to_owned()), ("die", format!("+{shift}"))],
            results: results.to_vec(),
        }
    }

    /// The question that a choice is a gamble on.
    pub fn question_of(&self, s: &State, choice: Choice) -> Option<String> {
        let id =
            |unit: u8| self.scenario.papers.get(usize::from(unit)).map_or("corps", |paper| paper.id.as_str());
        match choice {
            Choice::Attack | Choice::Ready | Choice::Fire(_) | Choice::Join(_) => Some("attack".to_owned()),
            Choice::With(_) if s.stage == Stage::AssaultForce => Some("attack".to_owned()),
            Choice::Lead(unit) => Some(format!("lead {}", id(unit))),
            Choice::Defend(unit) => Some(format!("defend {}", id(unit))),
            Choice::Strike(unit) => Some(format!("strike {}", id(unit))),
            Choice::At(unit) => Some(format!("at {}", id(unit))),
            Choice::Activate(unit) => Some(format!("activate {}", id(unit))),
            Choice::MakeReady(unit) => Some(format!("ready {}", id(unit))),
            Choice::WithAll if s.stage == Stage::AssaultForce => Some("attack".to_owned()),
            Choice::Roll => s.act.group.first().map(|unit| format!("activate {}", id(unit))),
            Choice::Assault { from, to } | Choice::Raid { from, to } => {
                Some(format!("assault {} {}", self.scenario.grid.name(from), self.scenario.grid.name(to)))
            }
            _ => None,
        }
    }

    /// The questions that make sense here.
    pub fn questions(&self, s: &State) -> Vec<String> {
        let mut choices = Vec::new();
        if !self.rolls(s) {
            self.list(s, &mut choices);
        }
        let mut questions: Vec<String> =
            choices.into_iter().filter_map(|choice| self.question_of(s, choice)).collect();
        questions.dedup();
        if matches!(s.stage, Stage::AssaultDie | Stage::RangedDie) {
            questions.push("attack".to_owned());
        }
        if self.rolls(s) || s.stage == Stage::Movement {
            questions.extend(self.contacts(s).map(|(from, to)| {
                format!("assault {} {}", self.scenario.grid.name(from), self.scenario.grid.name(to))
            }));
        }
        questions.sort();
        questions.dedup();
        questions
    }

    /// Neighbouring stacks of the two sides, in both directions.
    fn contacts<'s>(&'s self, s: &'s State) -> impl Iterator<Item = (u16, u16)> + 's {
        let zones = (0..self.scenario.grid.len() as u16).filter(|zone| !s.is_empty(*zone));
        let able = |zone: u16| s.stack(zone).any(|unit| self.troop(unit).assaults);
        zones.filter(move |from| able(*from)).flat_map(move |from| {
            let enemies = self
                .around(from)
                .filter(move |to| self.owner(s, *to).is_some_and(|owner| Some(owner) != self.owner(s, from)));
            enemies.map(move |to| (from, to))
        })
    }

    /// The fight that would come of an assault by a zone alone, with its best primary and its own supports. Where nobody
    /// there may assault now, it is about those who could after an activation.
    fn bare_fight(&self, s: &State, from: u16, to: u16) -> Option<Fight> {
        let way = self.scenario.grid.direction(from, to)?;
        let (ours, theirs) = (self.owner(s, from)?, self.owner(s, to)?);
        if ours == theirs {
            return None;
        }
        let now = s.stack(from).any(|unit| self.may_assault(s, unit, way));
        let able = |unit: &u8| if now { self.may_assault(s, *unit, way) } else { self.troop(*unit).assaults };
        let force: Units = s.stack(from).filter(able).collect();
        let fights = force.into_iter().filter_map(|lead| {
            let mates = force.into_iter().filter(|unit| *unit != lead);
            let fight = Fight {
                from,
                to,
                lead,
                foe: NOBODY,
                supports: mates.take(usize::from(self.tables.in_zone_max)).collect(),
                zones: 0,
                fire: 0,
                answer: 0,
                raid: s.night,
            };
            self.likely_defender(s, &fight)
        });
        fights.max_by_key(|fight| {
            u32::from(self.assault_need(s, fight)) * u32::from(10 - self.defender_need(s, fight))
        })
    }

    /// Answers a question.
    pub fn answer(&self, s: &State, question: &str) -> Result<Answer, String> {
        let unknown = || {
            let questions = self.questions(s);
            let here =
                if questions.is_empty() { String::new() } else { format!("{}, ", questions.join(", ")) };
            format!("unknown question {:?}; the questions are: {here}calc …", diagnostics::shown(question))
        };
        let mut words = question.split(' ');
        let verb = words.next().unwrap_or_default();
        let (first, second) = (words.next(), words.next());
        let unit = || first.and_then(|id| self.scenario.unit(id)).ok_or_else(unknown);
        let on_map = || unit().and_then(|unit| if s.unit(unit).on_map() { Ok(unit) } else { Err(unknown()) });
        let act = &s.act;
        match (verb, s.stage) {
            ("calc", _) => self.calculate(question),
            ("activate", _) => {
                let unit = on_map()?;
                let group = if act.group.has(unit) { act.group } else { Units::one(unit) };
                Ok(self.activation_answer(s, group))
            }
            ("ready", _) => {
                let unit = on_map()?;
                let mut group = if act.group.has(unit) { act.group } else { self.ready_group(s, unit) };
                group.insert(unit);
                Ok(self.activation_answer(s, group))
            }
            ("strike", _) => Ok(self.strike_answer(s, on_map()?)),
            ("at", Stage::RangedTarget) => Ok(self.ranged_answer(s, act.lead, on_map()?, 0)),
            ("attack", Stage::RangedFire | Stage::RangedDie) => {
                Ok(self.ranged_answer(s, act.lead, act.foe, act.fire[0].count()))
            }
            (
                "attack",
                Stage::AssaultForce | Stage::AssaultAnswer | Stage::AssaultFire | Stage::AssaultDie,
            ) => {
                let fight = self.likely_defender(s, &self.fight(s)).ok_or_else(unknown)?;
                Ok(self.assault_answer(s, &fight))
            }
            ("lead", Stage::AssaultLead) => {
                let fight = Fight { lead: on_map()?, ..self.fight(s) };
                let fight = self.likely_defender(s, &fight).ok_or_else(unknown)?;
                Ok(self.assault_answer(s, &fight))
            }
            ("defend", Stage::AssaultAnswer) => {
                Ok(self.assault_answer(s, &Fight { foe: on_map()?, ..self.fight(s) }))
            }
            ("assault", _) => {
                let zone = |word: Option<&str>| {
                    word.and_then(|word| self.scenario.grid.parse(word)).ok_or_else(unknown)
                };
                let fight = self.bare_fight(s, zone(first)?, zone(second)?).ok_or_else(unknown)?;
                Ok(self.assault_answer(s, &fight))
            }
            _ => Err(unknown()),
        }
    }

    /// What an open choice would make of the assault or bombardment that is being put together.
    pub fn answer_after(&self, s: &State, choice: Choice) -> Option<Answer> {
        let mut next = s.clone();
        match choice {
            Choice::With(unit) if s.stage == Stage::AssaultForce => next.act.group.insert(unit),
            Choice::Join(unit) => next.act.joined.insert(unit),
            Choice::WithAll if s.stage == Stage::AssaultForce => self.gather(&mut next),
            Choice::Fire(gun) => {
                let fire = &mut next.act.fire[usize::from(s.stage == Stage::AssaultFire)];
                match gun {
                    Gun::Battalion(unit) => fire.guns.insert(unit),
                    Gun::Corps => fire.corps += 1,
                    Gun::Air => fire.air += 1,
                }
            }
            _ => {}
        }
        self.question_of(s, choice).and_then(|question| self.answer(&next, &question).ok())
    }
}
