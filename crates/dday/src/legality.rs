//! Explains why a choice is illegal. Only the lists decide what is legal.

use kernel::{Dice, Refusal};
use terrain::{Cell, NOWHERE, Octant};

use crate::battalions::Class;
use crate::choice::{Choice, Gun};
use crate::movement::Barred;
use crate::rules::Rules;
use crate::state::{Job, NOBODY, Stage, State, Task, WAITING, mark};
use crate::tables::Activation;
use crate::units::Units;

pub(crate) fn because(reason: impl Into<String>, rule: &'static str) -> Refusal {
    Refusal { reason: reason.into(), rule }
}

impl Barred {
    /// The reason in words, and its rule.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::OffMap => ("that is off the map", "10.5"),
            Self::Water => ("no unit may enter there", "10.5"),
            Self::Enemy => ("the enemy is there: assault it in the combat phase", "10.5"),
            Self::NoRoad => ("no open road leads there", "10.7"),
            Self::Marsh => ("MECH enters marsh only by road", "10.5"),
            Self::River => ("it can't cross a river without a bridge", "10.8"),
            Self::RiverLater => ("a river without a bridge is crossed only with the first step", "10.8"),
            Self::Capacity => ("the bridge can carry no more in this player turn", "2.7"),
            Self::RoughTwice => ("it has made its one rough step", "10.6"),
            Self::RoadControl => ("road mode may not enter an enemy zone of control", "4.5"),
            Self::ControlToControl => ("it may not go from one enemy zone of control to another", "4.5"),
            Self::NightControl => ("units may not enter an enemy zone of control at night", "18.2"),
        }
    }
}

impl Rules {
    /// Whether a choice may be made now: by the list, which alone decides.
    pub fn is_open(&self, s: &State, choice: Choice) -> bool {
        let mut listed = Vec::new();
        self.list(s, &mut listed);
        listed.contains(&choice)
    }

    /// Explains why a choice that is not listed can't be made.
    pub fn why_not(&self, s: &State, choice: Choice) -> Refusal {
        if s.stage == Stage::Over {
            return because("the game is over", "16.4");
        }
        if self.rolls(s) && !matches!(choice, Choice::Die(_)) {
            let prompt = self.prompt(s);
            return because(format!("a die must be rolled first: {}", prompt.text), prompt.rule);
        }
        if s.die > 0 {
            return because("first choose: keep the die or reroll it", "19.1");
        }
        let special = match (s.stage, choice) {
            (_, Choice::Die(_)) => Some(because("no such die is rolled now", "6")),
            (Stage::Movement, Choice::Activate(unit)) => self.not_activated(s, unit),
            (Stage::Movement, Choice::MakeReady(unit)) => Some(self.not_made_ready(s, unit)),
            (Stage::Movement, Choice::Place { unit, zone }) => Some(self.not_placed(s, unit, zone)),
            (Stage::Movement | Stage::NightMoves, Choice::Turn(zone)) => Some(self.not_turned(s, zone)),
            (Stage::March | Stage::AdvanceMarch, Choice::Step(zone)) => {
                Some(self.not_stepped(s, zone, false))
            }
            (Stage::March, Choice::Road(zone)) => Some(self.not_stepped(s, zone, true)),
            (Stage::March, Choice::Face(_)) if self.confirms() && !s.act.stopped => {
                Some(because("halt first; then the stack can be turned", "4.2"))
            }
            (Stage::March, Choice::Halt | Choice::Face(_)) => {
                Some(because("there is no room to stop here, or it faces that way already", "4.1"))
            }
            (Stage::Combat | Stage::NewAssault, Choice::Assault { from, to })
            | (Stage::Raids, Choice::Raid { from, to }) => Some(self.not_assaulted(s, from, to)),
            (Stage::Combat | Stage::Interdiction, Choice::Strike(unit)) => Some(self.not_struck(s, unit)),
            (Stage::Combat, Choice::Shell(gun)) => Some(self.not_shelling(s, gun)),
            (Stage::RangedTarget, Choice::At(unit)) => Some(self.no_target(s, unit, false)),
            (Stage::AssaultForce, Choice::With(unit) | Choice::Join(unit)) => Some(self.not_joining(s, unit)),
            (Stage::AssaultForce | Stage::AssaultFire | Stage::RangedFire, Choice::Fire(gun)) => {
                Some(self.not_firing(s, gun))
            }
            (Stage::Rally, Choice::Rally { hq, unit }) => Some(self.not_rallied(s, hq, unit)),
            (Stage::Engineering, Choice::Work(job)) => Some(self.not_worked(s, job)),
            (Stage::NightMoves, Choice::Move(unit)) => self.not_moved_at_night(s, unit),
            (Stage::Retreat | Stage::Fallback | Stage::RangedResult, Choice::Retreat { .. }) => {
                Some(because(
                    "a retreat goes one zone, not nearer to the threat, not into the enemy or its zone of control, not over a river without a bridge, and ends where there is room",
                    "13.2",
                ))
            }
            _ => None,
        };
        special.unwrap_or_else(|| {
            let mut listed = Vec::new();
            self.list(s, &mut listed);
            let kind = std::mem::discriminant(&choice);
            let prompt = self.prompt(s);
            if listed.iter().any(|open| std::mem::discriminant(open) == kind) {
                because(format!("not this one; the question is: {}", prompt.text), prompt.rule)
            } else {
                because(format!("that is not asked now; the question is: {}", prompt.text), prompt.rule)
            }
        })
    }

    fn not_ours(&self, s: &State, unit: u8) -> Option<Refusal> {
        if self.troop(unit).side != s.side {
            return Some(because(format!("{} is not yours", self.unit_name(unit)), "5.1"));
        }
        (!s.unit(unit).on_map())
            .then(|| because(format!("{} is not on the map", self.unit_name(unit)), "3.2"))
    }

    fn not_activated(&self, s: &State, unit: u8) -> Option<Refusal> {
        let name = self.unit_name(unit);
        if let Some(refusal) = self.not_ours(s, unit) {
            return Some(refusal);
        }
        if self.is_fixed(s, unit) {
            let turn = self.troop(unit).fixed_until;
            return Some(because(format!("{name} may not be activated before turn {turn}"), "16.5"));
        }
        let result = s.unit(unit).result;
        (result != Activation::None)
            .then(|| because(format!("{name} has been activated this turn: {}", result.title()), "10.1"))
    }

    fn not_made_ready(&self, s: &State, unit: u8) -> Refusal {
        if let Some(refusal) = self.not_activated(s, unit) {
            return refusal;
        }
        let name = self.unit_name(unit);
        if !self.troop(unit).assaults {
            return because(format!("{name} never assaults"), "12.2");
        }
        let enemies =
            self.around(s.unit(unit).zone).filter(|near| self.holds(s, *near, s.side.enemy())).count();
        if enemies == 0 {
            return because(format!("no enemy is next to {name}: activate it"), "12.1");
        }
        because(
            format!(
                "{name} is made ready together with others of its formation, or it can't assault from there"
            ),
            "12.2",
        )
    }

    fn not_placed(&self, s: &State, unit: u8, zone: Cell) -> Refusal {
        let (name, troop) = (self.unit_name(unit), self.troop(unit));
        if troop.side != s.side {
            return because(format!("{name} is not yours"), "5.1");
        }
        if s.unit(unit).zone != WAITING {
            return because(format!("{name} is not waiting as a reinforcement"), "16.5");
        }
        if troop.arrives > s.turn {
            return because(format!("{name} arrives from turn {}", troop.arrives), "16.5");
        }
        if !self.scenario.papers[usize::from(unit)].zones.contains(&zone) {
            return because(format!("{name} does not arrive there"), "16.5");
        }
        let reason =
            if self.holds(s, zone, s.side.enemy()) { "the enemy is there" } else { "there is no room" };
        because(reason, "16.5")
    }

    fn not_turned(&self, s: &State, zone: Cell) -> Refusal {
        if !self.holds(s, zone, s.side) {
            return because("no stack of yours is there", "4.2");
        }
        if self.lay(zone).water {
            return because("battalions afloat have no facing", "17.3");
        }
        if s.zones[usize::from(zone)].works & crate::state::work::TURNED != 0 {
            return because("it has already been turned a second time", "4.2");
        }
        because("only a stack with a battalion that had a full or double move may turn", "4.2")
    }

    fn not_stepped(&self, s: &State, to: Cell, road: bool) -> Refusal {
        let act = &s.act;
        let (from, group) = if s.stage == Stage::AdvanceMarch {
            (s.unit(act.foe).zone, Units::one(act.foe))
        } else {
            (act.from, act.group)
        };
        if act.stopped || act.steps == 0 {
            return because("the march ends here", "10.5");
        }
        let Some(way) = self.scenario.grid.direction(from, to) else {
            return because("that zone is not next to it", "10.5");
        };
        let column = self.column(s, group);
        if road && !self.may_drive(s, &column) {
            return because(
                "road mode is for MOT and MECH, from a road outside enemy zones of control, and before any other step",
                "10.7",
            );
        }
        if !road && act.road {
            return because("the march is in road mode", "10.7");
        }
        let first = s.stage == Stage::March && !act.begun;
        match self.step(s, &column, from, way, first, road) {
            Err(barred) => {
                let (reason, rule) = barred.words();
                because(reason, rule)
            }
            Ok(_) => because("there is no room, and no way on from there", "4.1"),
        }
    }

    pub(crate) fn not_assaulted(&self, s: &State, from: Cell, to: Cell) -> Refusal {
        let rule = if s.night { "18.2" } else { "12.2" };
        let Some(way) = self.scenario.grid.direction(from, to) else {
            return because("an assault goes into a neighbouring zone", "12.1");
        };
        if !self.holds(s, from, s.side) {
            return because("no battalion of yours is there", "12.1");
        }
        if !self.holds(s, to, s.side.enemy()) {
            return because("there is no enemy", "12.1");
        }
        if self.lay(to).water {
            return because("battalions afloat can't be assaulted", "17.3");
        }
        if !self.can_be_assaulted(s, to) {
            return because("every battalion there has been attacked in this player turn", "11.1");
        }
        if s.night {
            return because(
                "a raid needs LEG or MOT infantry that has not moved tonight, of a formation with its HQ on the map that has not raided",
                rule,
            );
        }
        let mut able = s.stack(from).filter(|unit| self.troop(*unit).assaults).peekable();
        if able.peek().is_none() {
            return because("no unit there may assault", rule);
        }
        if able.clone().all(|unit| !s.unit(unit).result.moves()) {
            return because("no unit there had a full or double move this turn", rule);
        }
        if able.clone().all(|unit| s.unit(unit).is(mark::DONE)) {
            return because("all of them have fought", rule);
        }
        if able.clone().all(|unit| s.unit(unit).is(mark::ROAD)) {
            return because("they moved in road mode", "10.7");
        }
        if able.clone().all(|unit| s.unit(unit).mp == 0) {
            return because("no unit there has a movement point left", rule);
        }
        if self.is_unbridged(s, from, way) {
            return because(
                "across a river without a bridge only foot and lorried infantry and engineers assault, with engineers in their zone that did not move",
                rule,
            );
        }
        because("the step there is not allowed: a second rough step, or marsh", rule)
    }

    fn not_struck(&self, s: &State, unit: u8) -> Refusal {
        if s.air[self.striker(s).index()] == 0 {
            return because("no aircraft available", "8.3");
        }
        self.no_target(s, unit, true)
    }

    fn no_target(&self, s: &State, unit: u8, air: bool) -> Refusal {
        let (name, side) = (self.unit_name(unit), self.striker(s));
        if self.troop(unit).side == side || !s.unit(unit).on_map() {
            return because(format!("{name} is not an enemy on the map"), "11.4");
        }
        if s.unit(unit).is(mark::ATTACKED) {
            return because(format!("{name} has been attacked in this player turn"), "11.1");
        }
        if !self.is_target(s, unit) {
            return because("an HQ is a target only when it is alone", "11.4");
        }
        let bonus = if air { self.tables.sight_air } else { 0 };
        if !self.sees(s, side, s.unit(unit).zone, bonus) {
            return because(format!("no unit of yours can see {name}"), "4.7");
        }
        because("it is out of range", "11.4")
    }

    fn not_shelling(&self, s: &State, gun: u8) -> Refusal {
        if gun == NOBODY {
            let none = s.art[s.side.index()] == 0;
            return because(if none { "no corps artillery available" } else { "there is no target" }, "11.4");
        }
        if !self.guns.has(gun) {
            return because("only artillery can fire at range", "11.1");
        }
        if let Some(refusal) = self.not_ours(s, gun) {
            return refusal;
        }
        self.silent_gun(s, gun, "11.4").unwrap_or_else(|| because("no target in range and sight", "11.4"))
    }

    fn silent_gun(&self, s: &State, gun: u8, rule: &'static str) -> Option<Refusal> {
        let (battalion, name) = (s.unit(gun), self.unit_name(gun));
        if battalion.is(mark::FIRED) {
            return Some(because(format!("{name} has fired"), rule));
        }
        let supports = s.stage != Stage::Combat && self.troop(gun).class == Class::SelfPropelled;
        if battalion.is(mark::ROAD) || (battalion.is(mark::MOVED) && !supports) {
            return Some(because(format!("{name} has moved"), "10.9"));
        }
        if battalion.result == Activation::Fallback && self.troop(gun).side == s.side {
            return Some(because(format!("{name} fell back this turn"), "10.3"));
        }
        if self.is_cut_off(s, gun) {
            return Some(because(format!("{name} is out of supply"), "15.3"));
        }
        self.is_afloat(s, gun).then(|| because(format!("{name} is afloat"), "17.3"))
    }

    fn not_joining(&self, s: &State, unit: u8) -> Refusal {
        if let Some(refusal) = self.not_ours(s, unit) {
            return refusal;
        }
        let beside = s.unit(unit).zone != s.act.from;
        if beside && s.act.joined.len() >= self.tables.zone_max {
            return because("at most two zones can support", "12.3");
        }
        because(format!("{} can't take part: see rules 12.2 and 12.4", self.unit_name(unit)), "12.4")
    }

    fn not_firing(&self, s: &State, gun: Gun) -> Refusal {
        let ours = s.stage != Stage::AssaultFire;
        let side = if ours { s.side } else { s.side.enemy() };
        if s.act.fire[usize::from(!ours)].count() >= self.tables.fire_max {
            return because("at most three units can support by fire", "12.5");
        }
        match gun {
            Gun::Corps if s.art[side.index()] == 0 => because("no corps artillery available", "8.3"),
            Gun::Air if s.air[side.index()] == 0 => because("no aircraft available", "8.3"),
            Gun::Battalion(unit)
                if self.guns.has(unit) && self.troop(unit).side == side && s.unit(unit).on_map() =>
            {
                self.silent_gun(s, unit, "12.5").unwrap_or_else(|| because("it is out of range", "12.5"))
            }
            _ => because("it can't fire here", "12.5"),
        }
    }

    fn not_rallied(&self, s: &State, hq: u8, unit: u8) -> Refusal {
        if !self.troop(hq).is_hq() || self.troop(hq).side != s.side {
            return because("only your own HQ can rally battalions", "9.1");
        }
        if !self.shattered_of(s, hq).has(unit) {
            return because("it rallies shattered battalions of its own formation", "9.1");
        }
        if !s.unit(hq).on_map() {
            return because("the HQ is not on the map", "9.1");
        }
        if s.unit(hq).is(mark::TRIED) && !s.night {
            return because("the HQ has already tried", "9.1");
        }
        if s.night && s.unit(unit).is(mark::TRIED) {
            return because("it has already tried tonight", "18.2");
        }
        if !self.can_rally(s, hq) {
            return because("the enemy is within one zone of the HQ", "9.1");
        }
        because("there is no room at the HQ or next to it", "9.2")
    }

    fn not_worked(&self, s: &State, job: Job) -> Refusal {
        if let Some(refusal) = self.not_ours(s, job.unit) {
            return refusal;
        }
        let (battalion, name) = (s.unit(job.unit), self.unit_name(job.unit));
        if battalion.is(mark::WORKED) {
            return because(format!("{name} has already tried"), "14.1");
        }
        if battalion.is(mark::MOVED) {
            return because(format!("{name} has moved"), "14.1");
        }
        if battalion.result == Activation::Fallback {
            return because(format!("{name} fell back"), "14.1");
        }
        if self.is_cut_off(s, job.unit) {
            return because(format!("{name} is out of supply"), "15.3");
        }
        because(format!("{name} can't {} there", job.task.words()), "14.1")
    }

    fn not_moved_at_night(&self, s: &State, unit: u8) -> Option<Refusal> {
        if let Some(refusal) = self.not_ours(s, unit) {
            return Some(refusal);
        }
        if self.is_fixed(s, unit) {
            return Some(because("it may not move before its turn", "16.5"));
        }
        s.unit(unit).is(mark::NIGHT_MOVED).then(|| because("it has made its night move", "18.2"))
    }

    // --- what to look at ------------------------------------------------------------------------

    /// What a person would look for here and can't have.
    pub fn closed(&self, s: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        let mut wanted = Vec::new();
        match s.stage {
            Stage::Movement => {
                let army = self.armies[s.side.index()].into_iter();
                wanted.extend(army.filter(|unit| s.unit(*unit).on_map()).map(Choice::Activate));
            }
            Stage::March if !s.act.stopped => {
                wanted.extend(self.around(s.act.from).map(Choice::Step));
            }
            Stage::Combat => {
                for unit in self.armies[s.side.index()] {
                    let from = s.unit(unit).zone;
                    if !s.unit(unit).on_map() || s.zones[usize::from(from)].top != unit {
                        continue;
                    }
                    let enemies = self.around(from).filter(|to| self.holds(s, *to, s.side.enemy()));
                    wanted.extend(enemies.map(|to| Choice::Assault { from, to }));
                }
            }
            Stage::Rally => {
                for hq in Units(self.hqs.0 & self.armies[s.side.index()].0) {
                    wanted
                        .extend(self.shattered_of(s, hq).into_iter().map(|unit| Choice::Rally { hq, unit }));
                }
            }
            _ => return,
        }
        out.extend(wanted.into_iter().filter(|choice| !listed.contains(choice)));
    }

    /// Choices to try, legal or not.
    pub fn vocabulary<D: Dice>(&self, s: &State, dice: &mut D, out: &mut Vec<Choice>) {
        let grid = self.scenario.grid;
        out.extend([
            Choice::First,
            Choice::Second,
            Choice::WithAll,
            Choice::Roll,
            Choice::Halt,
            Choice::Stand,
            Choice::Hold,
            Choice::Blow,
            Choice::Spare,
            Choice::Attack,
            Choice::Ready,
            Choice::Decline,
            Choice::Keep,
            Choice::Reroll,
            Choice::End,
            Choice::Shell(NOBODY),
            Choice::Fire(Gun::Corps),
            Choice::Fire(Gun::Air),
        ]);
        out.extend((1..=10).map(Choice::Die));
        out.extend(Octant::ALL.map(Choice::Face));
        let units = self.scenario.troops.len() as u32;
        for _ in 0..6 {
            let unit = dice.below(units) as u8;
            let other = dice.below(units) as u8;
            let zone = dice.below(grid.len() as u32) as Cell;
            let at = s.unit(unit).zone;
            let home = if s.unit(unit).on_map() { at } else { zone };
            let near = self.near(home, Octant::from_index(dice.below(8) as usize));
            let near = if near == NOWHERE { zone } else { near };
            let task = Task::ALL[dice.below(Task::ALL.len() as u32) as usize];
            out.extend([
                Choice::Rally { hq: other, unit },
                Choice::Pick(unit),
                Choice::Put(near),
                Choice::Place { unit, zone },
                Choice::Activate(unit),
                Choice::MakeReady(unit),
                Choice::With(unit),
                Choice::Step(near),
                Choice::Road(near),
                Choice::Turn(home),
                Choice::Retreat { unit, zone: near },
                Choice::Break(unit),
                Choice::Work(Job { unit, task, zone: near }),
                Choice::Work(Job { unit, task, zone: home }),
                Choice::Strike(unit),
                Choice::Shell(unit),
                Choice::At(unit),
                Choice::Fire(Gun::Battalion(unit)),
                Choice::Assault { from: home, to: near },
                Choice::Raid { from: home, to: near },
                Choice::Lead(unit),
                Choice::Join(unit),
                Choice::Defend(unit),
                Choice::Advance(unit),
                Choice::Move(unit),
            ]);
        }
    }
}
