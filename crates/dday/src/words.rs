//! Prompts, labels and log lines.

use std::fmt::Write as _;

use kernel::Prompt;
use terrain::Cell;

use crate::choice::{Choice, Gun};
use crate::combat::{Line, Sum};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Job, NOBODY, Stage, State, Task, Verdict};
use crate::units::Units;

impl Line {
    /// The line in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Quality => "quality",
            Self::HeavierInOpen => "heavier armour in the open",
            Self::LighterInOpen => "lighter armour in the open",
            Self::InZone => "in-zone supports",
            Self::Zones => "supporting zones",
            Self::Fire => "fire support",
            Self::TheirInZone => "defenders beside it",
            Self::TheirZones => "defender's zones",
            Self::TheirFire => "defensive fire",
            Self::River => "across a river",
            Self::FromTheSea => "from the sea",
            Self::Minefield => "minefield",
            Self::OutOfSupply => "out of supply",
            Self::Night => "night",
            Self::SaveValue => "save value",
            Self::Support => "support in the zone",
            Self::Rough => "rough terrain",
            Self::Prepared => "prepared position",
            Self::Flank => "in the flank",
            Self::Rear => "in the rear",
            Self::Tanks => "tanks against no anti-tank weapons",
            Self::Heavier => "by heavier armour",
            Self::ArmourIntoRough => "armour into rough",
            Self::Afloat => "afloat",
        }
    }
}

impl Sum {
    /// The sum in words: "basic 5, quality +1, across a river −2: 4 or less".
    pub fn words(&self) -> String {
        let mut text = String::new();
        for (at, (line, shift)) in self.lines().iter().enumerate() {
            if at > 0 {
                text.push_str(", ");
            }
            text.push_str(line.words());
            let _ = match (at, *shift) {
                (0, shift) => write!(text, " {shift}"),
                (_, shift) if shift < 0 => write!(text, " −{}", shift.unsigned_abs()),
                (_, shift) => write!(text, " +{shift}"),
            };
        }
        let _ = write!(text, ": {}", or_less(self.need));
        text
    }
}

pub(crate) fn or_less(need: u8) -> String {
    match need {
        0 => "impossible".to_owned(),
        1 => "a 1".to_owned(),
        _ => format!("{need} or less"),
    }
}

pub(crate) fn markers(count: u16) -> String {
    if count == 1 { "1 marker".to_owned() } else { format!("{count} markers") }
}

impl Task {
    /// The task in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Prepare => "prepare a position",
            Self::Bridge => "build a bridge",
            Self::Repair => "repair the bridge",
            Self::Blow => "blow the bridge",
            Self::Mine => "lay mines",
            Self::ClearMines => "clear the mines",
            Self::Block => "block the road",
            Self::ClearRoad => "clear the road",
        }
    }
}

impl Rules {
    /// A side for people.
    pub fn side_name(&self, side: Side) -> &str {
        &self.scenario.sides[side.index()].name
    }

    /// A battalion for people.
    pub fn unit_name(&self, unit: u8) -> &str {
        self.scenario.papers.get(usize::from(unit)).map_or("Corps artillery", |paper| &paper.name)
    }

    pub(crate) fn zone(&self, zone: Cell) -> String {
        self.scenario.zone_title(zone)
    }

    /// A group for people: "4th County of London Yeomanry and 1st Rifle Brigade".
    pub fn group_name(&self, group: Units) -> String {
        let names: Vec<&str> = group.into_iter().map(|unit| self.unit_name(unit)).collect();
        match &names[..] {
            [] => "nobody".to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} and {last}", most.join(", ")),
        }
    }

    /// The hour for people.
    pub fn hour(clock: u8) -> String {
        format!("{:02}:00", clock % 24)
    }

    /// What a verdict means for people.
    pub fn verdict_title(&self, verdict: Verdict) -> String {
        let (aggressor, defender) =
            (self.side_name(self.scenario.aggressor), self.side_name(self.defender()));
        match verdict {
            Verdict::AggressorBreak => format!("{aggressor} wins: the enemy army breaks"),
            Verdict::AggressorSudden => format!("{aggressor} wins at once by its objectives"),
            Verdict::AggressorPoints => format!("{aggressor} wins by objectives"),
            Verdict::DefenderBreak => format!("{defender} wins: the enemy army breaks"),
            Verdict::DefenderPoints => format!("{defender} wins: the attack has failed"),
            Verdict::DrawPoints => "Draw: neither side reached its goal".to_owned(),
            Verdict::DrawBroken => "Draw: both armies broke".to_owned(),
        }
    }

    // --- prompts --------------------------------------------------------------------------------

    /// What is asked now.
    pub fn prompt(&self, s: &State) -> Prompt {
        let (what, rule) = self.question_now(s);
        if self.rolls(s) || s.stage == Stage::Over {
            return Prompt { waiting: what.clone(), text: what, rule };
        }
        let side = self.side_name(self.chooser(s));
        let mut text = format!("{side}: {what}");
        if s.night {
            text.push_str(" (night)");
        }
        Prompt { waiting: format!("Waiting for {side}: {what}"), text, rule }
    }

    fn question_now(&self, s: &State) -> (String, &'static str) {
        let act = &s.act;
        if s.die > 0 {
            let side = self.chooser(s);
            let left = s.rerolls[side.index()];
            return (format!("keep the {} or roll again ({left} free rerolls left)", s.die), "19.1");
        }
        match s.stage {
            Stage::Initiative => {
                let side = if s.dice[0] == 0 { Side::First } else { Side::Second };
                (format!("{}: initiative die", self.side_name(side)), "7.1")
            }
            Stage::Order => ("choose to move first or second this turn".to_owned(), "7.1"),
            Stage::Supports => {
                let (side, air) = self.support_round(s);
                let kind = if air { "aircraft" } else { "artillery" };
                (format!("{}: {kind} support die, 7 or less", self.side_name(side)), "8.1")
            }
            Stage::Recovery => (format!("{}: recovery die", self.unit_name(act.lead)), "9.6"),
            Stage::RecoveryZone => {
                (format!("choose where {} sets up again", self.unit_name(act.lead)), "9.6")
            }
            Stage::Rally => ("rally a shattered battalion, or end the rally phase".to_owned(), "9.1"),
            Stage::RallyDie => {
                let need = self.rally_need(s, act.lead, act.foe);
                (format!("{}: rally die, {}", self.unit_name(act.foe), or_less(need)), "9.1")
            }
            Stage::RallyVoice => {
                ("who picks the battalion that rallies: on 1-4 its owner".to_owned(), "19.2")
            }
            Stage::RallyPick => ("pick the battalion that comes back".to_owned(), "19.2"),
            Stage::RallyZone => (format!("choose where {} comes back", self.unit_name(act.foe)), "9.2"),
            Stage::Movement => (
                "activate a group, bring on reinforcements, turn a stack, or end movement".to_owned(),
                "10.1",
            ),
            Stage::Group if act.stopped => {
                (format!("make {} ready to assault: roll", self.group_name(act.group)), "10.2")
            }
            Stage::Group if self.confirms() && self.is_complete(s) => {
                (format!("roll for {}", self.group_name(act.group)), "10.2")
            }
            Stage::Group => {
                (format!("choose who moves with {}, or roll", self.group_name(act.group)), "10.1")
            }
            Stage::ActivationDie => (format!("{}: activation die", self.group_name(act.group)), "10.2"),
            Stage::Fallback => {
                let price = u16::from(self.battalions_of(act.group).max(1));
                (
                    format!("{} must fall back, or stand for {}", self.group_name(act.group), markers(price)),
                    "10.3",
                )
            }
            Stage::March => (self.march_prompt(s), if s.night { "18.2" } else { "10.5" }),
            Stage::Demolition => (format!("blow {} now, on 4 or less", self.bridge_name(s)), "14.6"),
            Stage::DemolitionDie => (format!("{}: demolition die, 4 or less", self.bridge_name(s)), "14.6"),
            Stage::Turning => (format!("choose the facing of {}", self.zone(act.from)), "4.2"),
            Stage::Engineering => ("give engineering tasks, or end the phase".to_owned(), "14.1"),
            Stage::EngineeringDie => {
                let need = self.work_need(s, act.job);
                (
                    format!("{}, {}: {}", self.unit_name(act.job.unit), act.job.task.words(), or_less(need)),
                    "14.1",
                )
            }
            Stage::Combat => ("assault, shell, strike from the air, or end combat".to_owned(), "11.1"),
            Stage::Interdiction => {
                ("strike from the air at the end of the enemy's combat phase, or not".to_owned(), "11.9")
            }
            Stage::StrikeDie => {
                (format!("air strike on {}: 1-5 it must save", self.unit_name(act.foe)), "11.9")
            }
            Stage::StrikeSave => (self.save_prompt(act.foe, self.shelter_need(s, act.foe, true)), "11.9"),
            Stage::RangedTarget => (format!("{}: pick the target", self.unit_name(act.lead)), "11.4"),
            Stage::RangedFire => {
                let need = self.ranged_need(act.lead, act.foe, act.fire[0].count());
                (format!("shell {} ({}), or add fire", self.unit_name(act.foe), or_less(need)), "11.4")
            }
            Stage::RangedDie => {
                let need = self.ranged_need(act.lead, act.foe, act.fire[0].count());
                (format!("bombardment of {}: {}", self.unit_name(act.foe), or_less(need)), "11.5")
            }
            Stage::RangedSave => {
                (self.save_prompt(act.foe, self.fire_save_need(s, act.lead, act.foe)), "11.6")
            }
            Stage::RangedResult => {
                let price = markers(self.hold_price(s, act.foe));
                (format!("{} must retreat, or hold for {price}", self.unit_name(act.foe)), "11.6")
            }
            Stage::GunnerSave => (self.save_prompt(act.lead, self.gunner_need(s, act.lead)), "11.7"),
            Stage::GunnerResult => {
                (format!("{} must retreat, or hold for 1 marker", self.unit_name(act.lead)), "11.7")
            }
            Stage::LimitedAdvance => (format!("choose who takes {}", self.zone(act.to)), "11.8"),
            Stage::LimitedGroup => {
                (format!("choose who else takes {}, and the facing", self.zone(act.to)), "11.8")
            }
            Stage::AssaultLead => (format!("choose who leads the assault on {}", self.zone(act.to)), "12.3"),
            Stage::AssaultForce => (self.force_prompt(s), "12.5"),
            Stage::AssaultAnswer => {
                (format!("choose who defends against the assault on {}", self.zone(act.to)), "12.5")
            }
            Stage::AssaultFire => {
                let need = self.assault_need(s, &self.fight(s));
                (
                    format!(
                        "add defensive fire at {} ({} hits), or say that you are ready",
                        self.zone(act.to),
                        or_less(need)
                    ),
                    "12.5",
                )
            }
            Stage::AssaultDie => {
                let need = self.assault_need(s, &self.fight(s));
                (
                    format!(
                        "{} assaults {}: {}",
                        self.unit_name(act.lead),
                        self.unit_name(act.foe),
                        or_less(need)
                    ),
                    "12.5",
                )
            }
            Stage::DefenderSave => (self.save_prompt(act.foe, self.defender_need(s, &self.fight(s))), "12.6"),
            Stage::AttackerSave => {
                (self.save_prompt(act.lead, self.attacker_need(s, &self.fight(s))), "12.6")
            }
            Stage::Retreat => ("retreat, one battalion after the other".to_owned(), "13.1"),
            Stage::Advance => (format!("choose who advances into {}", self.zone(act.to)), "13.4"),
            Stage::AdvanceMarch => {
                (format!("{} advances: move on, halt or turn", self.unit_name(act.foe)), "13.4")
            }
            Stage::NewAssault => ("breakthrough: make a new assault, or stop".to_owned(), "13.5"),
            Stage::Airdrop => {
                let unit = act.queue.first().unwrap_or(NOBODY);
                (format!("{}: airdrop die, 5 or less", self.unit_name(unit)), "15.4")
            }
            Stage::NightDie => ("does night fall: half the die plus the hour".to_owned(), "18.1"),
            Stage::NightMoves => ("make night moves, or end them".to_owned(), "18.2"),
            Stage::Raids => ("make a night raid, or none".to_owned(), "18.2"),
            Stage::Over => {
                (s.verdict.map_or_else(String::new, |verdict| self.verdict_title(verdict)), "16.4")
            }
        }
    }

    fn march_prompt(&self, s: &State) -> String {
        let act = &s.act;
        let name = self.group_name(act.group);
        if act.stopped || act.steps == 0 {
            return format!("{name} stops: choose its facing");
        }
        let zones = if act.steps == 1 { "1 zone".to_owned() } else { format!("{} zones", act.steps) };
        format!("{name} may move {zones}")
    }

    fn force_prompt(&self, s: &State) -> String {
        let fight = self.fight(s);
        let best = self.likely_defender(s, &fight);
        let zone = self.zone(fight.to);
        match best {
            Some(fight) => {
                let need = self.assault_need(s, &fight);
                let worst = self.under_all_fire(s, &fight).map_or(need, |worst| self.assault_need(s, &worst));
                let worst = if worst == need {
                    String::new()
                } else {
                    format!(" ({} under all defensive fire)", or_less(worst))
                };
                format!(
                    "{} assaults {zone}, {} hits{worst}: add supports, or attack",
                    self.unit_name(fight.lead),
                    or_less(need)
                )
            }
            None => format!("the assault on {zone}"),
        }
    }

    /// The fight with the defender that fares best, where none is named yet.
    pub fn likely_defender(&self, s: &State, fight: &crate::combat::Fight) -> Option<crate::combat::Fight> {
        if fight.foe != NOBODY {
            return Some(*fight);
        }
        let fights = self.defenders_of(s, fight.to).map(|foe| crate::combat::Fight { foe, ..*fight });
        fights.min_by_key(|fight| {
            u32::from(self.assault_need(s, fight)) * u32::from(10 - self.defender_need(s, fight))
        })
    }

    fn save_prompt(&self, unit: u8, need: u8) -> String {
        format!("{}: save, {}", self.unit_name(unit), or_less(need))
    }

    fn bridge_name(&self, s: &State) -> String {
        self.bridge_ahead(s).map_or_else(String::new, |at| format!("the {}", self.scenario.bridges[at].name))
    }

    // --- labels ---------------------------------------------------------------------------------

    /// A choice in words.
    pub fn label(&self, s: &State, choice: Choice) -> String {
        let unit = |unit: u8| self.unit_name(unit);
        match choice {
            Choice::First => "Move first".to_owned(),
            Choice::Second => "Move second".to_owned(),
            Choice::Rally { hq, unit: who } => {
                format!("{} rallies {}: {}", unit(hq), unit(who), or_less(self.rally_need(s, hq, who)))
            }
            Choice::Pick(who) => format!("{} comes back", unit(who)),
            Choice::Put(zone) => format!("Into {}", self.zone(zone)),
            Choice::Place { unit: who, zone } => format!("{} arrives in {}", unit(who), self.zone(zone)),
            Choice::Activate(who) => {
                let shift = self.activation_shift(s, Units::one(who));
                let shift = if shift > 0 { format!(", die +{shift}") } else { String::new() };
                format!("Activate {}{shift}", unit(who))
            }
            Choice::MakeReady(who) => {
                let group = self.ready_group(s, who);
                let shift = self.activation_shift(s, group);
                let shift = if shift > 0 { format!(", die +{shift}") } else { String::new() };
                format!("Make ready to assault: {}{shift}", self.group_name(group))
            }
            Choice::With(who) => format!("With {}", unit(who)),
            Choice::WithAll if s.stage == Stage::AssaultForce => {
                format!("Add all who help: {}", self.helpers_named(s))
            }
            Choice::WithAll => "With the whole formation here".to_owned(),
            Choice::Roll => "Roll the activation".to_owned(),
            Choice::Step(zone) => format!("To {}", self.zone(zone)),
            Choice::Road(zone) => format!("By road to {} (no combat this turn)", self.zone(zone)),
            Choice::Halt => "Halt here".to_owned(),
            Choice::Face(way) => format!("Face {}", way.name()),
            Choice::Turn(zone) => format!("Turn the stack in {}", self.zone(zone)),
            Choice::Stand => "Stand and take the markers".to_owned(),
            Choice::Retreat { unit: who, zone } => format!("{} retreats to {}", unit(who), self.zone(zone)),
            Choice::Hold if s.stage == Stage::GunnerResult => "Hold for 1 marker".to_owned(),
            Choice::Hold if s.act.foe == NOBODY => "Hold".to_owned(),
            Choice::Hold => format!("Hold for {}", markers(self.hold_price(s, s.act.foe))),
            Choice::Break(who) => format!("{} breaks: no way to retreat", unit(who)),
            Choice::Blow => "Blow the bridge: 4 or less".to_owned(),
            Choice::Spare => "Let them cross".to_owned(),
            Choice::Work(job) => self.job_label(s, job),
            Choice::Strike(who) => format!("Air strike on {}", unit(who)),
            Choice::Shell(NOBODY) => "Shell with corps artillery".to_owned(),
            Choice::Shell(who) => format!("Shell with {}", unit(who)),
            Choice::At(who) => {
                let need = self.ranged_need(s.act.lead, who, 0);
                let save = self.fire_save_need(s, s.act.lead, who);
                format!("{}: hit {}, save {}", unit(who), or_less(need), or_less(save))
            }
            Choice::Fire(Gun::Battalion(who)) => format!("Fire of {}", unit(who)),
            Choice::Fire(Gun::Corps) => "Corps artillery".to_owned(),
            Choice::Fire(Gun::Air) => "Aircraft".to_owned(),
            Choice::Assault { from, to } => format!("Assault {} from {}", self.zone(to), self.zone(from)),
            Choice::Raid { from, to } => format!("Raid {} from {}", self.zone(to), self.zone(from)),
            Choice::Lead(who) => format!("{} leads", unit(who)),
            Choice::Join(who) => format!("{} joins in from {}", unit(who), self.zone(s.unit(who).zone)),
            Choice::Attack if s.stage == Stage::RangedFire => "Fire!".to_owned(),
            Choice::Attack => "Attack!".to_owned(),
            Choice::Defend(who) => {
                let fight = crate::combat::Fight { foe: who, ..self.fight(s) };
                let (hit, save) = (self.assault_need(s, &fight), self.defender_need(s, &fight));
                format!("{} defends: hit {}, save {}", unit(who), or_less(hit), or_less(save))
            }
            Choice::Ready => "Ready".to_owned(),
            Choice::Advance(who) => format!("{} advances", unit(who)),
            Choice::Decline if s.stage == Stage::NewAssault => "No new assault".to_owned(),
            Choice::Decline => "Nobody advances".to_owned(),
            Choice::Move(who) => format!("Move {}", unit(who)),
            Choice::Keep => "Keep the die".to_owned(),
            Choice::Reroll => "Roll again".to_owned(),
            Choice::End => self.end_label(s).to_owned(),
            Choice::Die(face) => format!("{face}"),
        }
    }

    fn end_label(&self, s: &State) -> &'static str {
        match s.stage {
            Stage::Rally => "End rally",
            Stage::Movement => "End movement",
            Stage::Engineering => "End engineering",
            Stage::Combat => "End combat",
            Stage::Interdiction => "No air strike",
            Stage::NightMoves => "End night moves",
            Stage::Raids => "No further raid",
            _ => "End",
        }
    }

    fn job_label(&self, s: &State, job: Job) -> String {
        let need = self.work_need(s, job);
        let (name, task) = (self.unit_name(job.unit), job.task.words());
        format!("{name}: {task} {} {}: {}", job_place(job), self.zone(job.zone), or_less(need))
    }
}

/// "in" a zone, or "towards" it where the job is at an edge.
pub(crate) const fn job_place(job: Job) -> &'static str {
    if job.task.at_edge() { "towards" } else { "in" }
}
