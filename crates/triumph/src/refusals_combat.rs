//! Why something can't be done in a Battle: targets, bombing, Strikes, retreats, ReBases, hits. Rules 12, 13.

use kernel::Refusal;

use crate::areas::{AreaSet, NONE};
use crate::cards::Tech;
use crate::choice::Choice;
use crate::factions::Faction;
use crate::labels_war::targets;
use crate::refusals::no;
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{Part, State, flag};
use crate::units::{Class, Kind};
use crate::words::capitalized;
use crate::world::Atlas;

impl Rules {
    /// Why something is not open in the Combat or Supply Phase.
    pub(crate) fn why_not_fight(&self, state: &State, faction: Faction, choice: Choice) -> Refusal {
        match (state.stage, choice) {
            (Stage::Fight(asked), Choice::Fight(area)) if asked == area => no(
                format!(
                    "Convoys alone start no Battle, and you have nothing else in {}",
                    self.place_name(area)
                ),
                "11.22",
            ),
            (Stage::Fight(asked), Choice::Fight(area) | Choice::Avoid(area)) => {
                let (asked, area) = (self.place_name(asked), self.place_name(area));
                no(format!("the question is about {asked}, not {area}"), "12.1")
            }
            (Stage::Select, Choice::Select(area)) => {
                no(format!("no Battle is declared in {}", self.place_name(area)), "12.1")
            }
            (Stage::Against(area), Choice::Against(_)) => {
                let foes = self.parties_name(self.foes_at(state, faction, area), area);
                no(format!("your Enemies there are {foes}"), "R13")
            }
            (Stage::Group, Choice::Group(_)) => {
                no("name the first unit of a BattleGroup that waits", "12.71")
            }
            (Stage::Vault(_), Choice::Reveal(tech)) => self.not_in_vault(state, faction, tech),
            (Stage::Action(_), Choice::Fire(block, class)) => self
                .why_no_actor(state, faction, block)
                .unwrap_or_else(|| self.why_no_fire(state, block, class)),
            (Stage::Action(_), Choice::Raid(block)) => self
                .why_no_actor(state, faction, block)
                .unwrap_or_else(|| self.why_no_raid(state, faction, block)),
            (Stage::Action(_), Choice::Strike(block)) => {
                self.why_no_actor(state, faction, block).unwrap_or_else(|| self.why_no_strike(state, block))
            }
            (Stage::Action(_), Choice::Retreat(block, to)) => self
                .why_no_actor(state, faction, block)
                .unwrap_or_else(|| self.why_no_retreat(state, faction, usize::from(block), to)),
            (Stage::Action(_), Choice::Rebase(block, to)) => self
                .why_no_actor(state, faction, block)
                .unwrap_or_else(|| self.why_no_rebase(state, faction, usize::from(block), to)),
            (Stage::AfterStrike, Choice::Retreat(block, _) | Choice::Rebase(block, _))
                if block != state.battle.firing =>
            {
                no("the Carrier of the Strike leaves now", "12.74")
            }
            (Stage::AfterStrike, Choice::Retreat(block, to)) => {
                self.why_no_retreat(state, faction, usize::from(block), to)
            }
            (Stage::AfterStrike | Stage::Rebase, Choice::Rebase(block, to)) => {
                self.why_no_rebase(state, faction, usize::from(block), to)
            }
            (Stage::Rebase, Choice::Retreat(..)) => {
                no("after the round units ReBase, they don't retreat", "13.12")
            }
            (Stage::Leave(_, why), Choice::Retreat(block, to)) => {
                self.why_not_leaving(state, faction, usize::from(block), to, why, false)
            }
            (Stage::Leave(_, why), Choice::Rebase(block, to)) => {
                self.why_not_leaving(state, faction, usize::from(block), to, why, true)
            }
            (Stage::Leave(..), Choice::End) => no("these units must leave", "12.52"),
            (Stage::Hit(_), Choice::Hit(block)) => self.why_no_hit(state, faction, usize::from(block)),
            (Stage::Escape(_), Choice::Escape(block)) => {
                self.why_no_escape(state, faction, usize::from(block))
            }
            _ => self.not_asked(state),
        }
    }

    /// Why a unit does not act now. Rule 12.21.
    fn why_no_actor(&self, state: &State, faction: Faction, block: u8) -> Option<Refusal> {
        let block = usize::from(block);
        if let Some(refusal) = self.not_own(state, faction, block) {
            return Some(refusal);
        }
        let unit = &state.blocks[block];
        let place = self.place_name(state.battle.area);
        Some(match () {
            () if unit.area != state.battle.area => no(format!("it is not in {place}"), "12.21"),
            () if unit.is(flag::ESCAPED) => no("an Escaped Submarine takes no part", "12.73"),
            () if unit.is(flag::WAITING) => no("its BattleGroup has not joined yet", "12.71"),
            () if Self::is_convoy(unit) => no("Convoys take no action at sea", "12.72"),
            () if unit.is(flag::DISRUPTED) => no("it has just landed and is disrupted", "11.221"),
            () if unit.is(flag::ACTED) => no("it has acted in this round", "12.3"),
            () if unit.kind != state.battle.kind => {
                no(format!("it is the turn of {} units", state.battle.kind.title()), "12.21")
            }
            () if !Self::is_first_alike(state, block) => self.alike(),
            () => return None,
        })
    }

    fn why_no_fire(&self, state: &State, block: u8, class: Class) -> Refusal {
        let at = usize::from(block);
        let kind = state.blocks[at].kind.title();
        if self.firepower(state, at, class) == 0 {
            return no(format!("{kind} has firepower 0 at {}", targets(class)), "3.15");
        }
        no(format!("the Enemy has no {} here", targets(class)), "12.4")
    }

    fn why_no_raid(&self, state: &State, faction: Faction, block: u8) -> Refusal {
        let unit = &state.blocks[usize::from(block)];
        let capital = state
            .of(faction)
            .enemies
            .factions()
            .find(|enemy| self.atlas().factions[enemy.index()].main_capital == unit.area);
        match capital {
            _ if unit.kind != Kind::AirForce => no("only Air Forces bomb", "12.62"),
            _ if faction != state.turn.faction => no("only the Attacker bombs", "12.62"),
            _ if !state.of(faction).knows(Tech::PrecisionBombsight) => {
                no("bombing takes the Precision Bombsight", "12.62")
            }
            None => no("only an Enemy main capital is bombed", "12.62"),
            Some(enemy) => no(format!("{} has no IND left", enemy.the()), "12.62"),
        }
    }

    fn why_no_strike(&self, state: &State, block: u8) -> Refusal {
        let at = usize::from(block);
        match () {
            () if state.blocks[at].kind != Kind::Carrier => no("only Carriers strike", "12.74"),
            () if self.target_classes(state, at) >> Class::Naval as u8 & 1 == 0 => {
                no("the Enemy has no naval units here", "12.74")
            }
            () => no("it could go nowhere after its Strike", "12.74"),
        }
    }

    // --- out of a Battle -----------------------------------------------------------------------------

    /// Why a unit can't retreat there. Rule 12.5, (a) to (e).
    pub(crate) fn why_no_retreat(&self, state: &State, faction: Faction, block: usize, to: u8) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let (place, here) = (self.place_name(to), usize::from(unit.area));
        let stance = self.stance(state, faction);
        let atlas = self.atlas();
        let sea = Atlas::is_sea(to);
        let attacking = faction == state.turn.faction;
        let goals = self.retreats(state, &stance, block);
        let tied = attacking && unit.is(flag::ENGAGED);
        match () {
            () if unit.kind == Kind::Fortress => no("Fortresses never retreat", "12.5"),
            () if unit.kind == Kind::AirForce => no("Air Forces go back only by ReBasing", "12.51"),
            () if Self::is_convoy(unit) => no("Convoys at sea never retreat", "12.72"),
            () if unit.is(flag::ESCAPED) => no("an Escaped Submarine stays where it is", "12.73"),
            () if goals.has(to) => self.alike(),
            () if !atlas.near[here].has(to) => {
                no(format!("{place} is not adjacent to {}", self.place_name(unit.area)), "12.5")
            }
            () if stance.foes.has(to) => no(format!("Enemies are in {place}"), "12.5"),
            () if !sea && !stance.friendly.has(to) => no(format!("{place} is not Friendly"), "12.5"),
            () if !sea && !stance.undisputed.has(to) => no(format!("{place} is Disputed"), "12.5"),
            () if stance.no_end.has(to) => no(format!("your Ally has units in {place}"), "18.2"),
            () if state.turn.battles.has(to) => no(format!("there is a Battle in {place} this turn"), "12.5"),
            () if !attacking && state.battle.entries.has(to) => {
                no(format!("Enemies came from {place} this turn"), "12.5")
            }
            () if tied && unit.from != to && unit.from != NONE => no(
                format!("it can only go back to where it came from, {}", self.place_name(unit.from)),
                "12.5",
            ),
            () if state.part == Part::Winter && faction == Faction::Ussr && !self.in_ussr(to) => {
                no("in Winter USSR units stay inside the USSR", "R98")
            }
            () if unit.kind.is_troop() && sea && !self.has_ship(state, faction, to) => {
                no(format!("no friendly ship is in {place}"), "R69")
            }
            () if unit.kind.is_ship() && !sea => {
                no(format!("no coast leads from {} to {place}", self.place_name(unit.area)), "R46")
            }
            () => no(format!("the border with {place} is used up"), "11.52"),
        }
    }

    fn in_ussr(&self, area: u8) -> bool {
        self.atlas().great_home[Faction::Ussr.index()].has(area)
    }

    fn has_ship(&self, state: &State, faction: Faction, area: u8) -> bool {
        state.own_at(faction, area).any(|(_, unit)| unit.kind.is_ship() && !unit.is(flag::ESCAPED))
    }

    /// Why a unit can't ReBase there. Rule 13.
    pub(crate) fn why_no_rebase(&self, state: &State, faction: Faction, block: usize, to: u8) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let place = self.place_name(to);
        let stance = self.stance(state, faction);
        let within_battle = unit.area == state.battle.area || matches!(state.stage, Stage::Leave(..));
        match () {
            () if unit.kind.is_ground() => no("Ground units don't ReBase", "13.1"),
            () if unit.is(flag::ESCAPED) => no("an Escaped Submarine may not ReBase", "12.73"),
            () if !within_battle => no("it took no part in this Battle", "13.12"),
            () if unit.is(flag::WAITING) => no("its BattleGroup has not joined the Battle", "13.12"),
            () if unit.area == to => no(format!("it is in {place} already"), "13.1"),
            () if Atlas::is_sea(to) => no("ReBasing ends on land", "13.1"),
            () if !stance.friendly.has(to) => no(format!("{place} is not Friendly"), "13.1"),
            () if !stance.undisputed.has(to) => no(format!("{place} is Disputed"), "13.1"),
            () if stance.no_end.has(to) => no(format!("your Ally has units in {place}"), "18.2"),
            () if state.turn.battles.has(to) => no(format!("there is a Battle in {place} this turn"), "13.1"),
            () if self.rebase_goals(state, &stance, block).has(to) => {
                if self.retreats(state, &stance, block).has(to) {
                    no(format!("it can simply retreat to {place}"), "12.5")
                } else {
                    self.alike()
                }
            }
            () => {
                let range = match unit.kind {
                    Kind::AirForce => stance.air_speed(self, unit.kind),
                    kind => stance.sea_speed(self, kind),
                };
                no(format!("{} is out of its range of {range}", capitalized(&place)), "13.1")
            }
        }
    }

    /// Units that must leave. Rule 12.52.
    fn why_not_leaving(
        &self,
        state: &State,
        faction: Faction,
        block: usize,
        to: u8,
        why: Leaving,
        rebases: bool,
    ) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        match why {
            _ if !self.must_leave(state, block, why) => no("it need not leave", "12.52"),
            Leaving::Sea if !rebases => no("Air Forces go back only by ReBasing", "12.51"),
            Leaving::Convoys if rebases => no("Convoys go to an adjacent area", "R20"),
            Leaving::Convoys => {
                let near = self.atlas().by_sea[usize::from(state.blocks[block].area)];
                let place = self.place_name(to);
                let reason = if near.and(AreaSet::one(to)).is_empty() {
                    format!("{place} is not adjacent by sea")
                } else {
                    format!("{place} is neither an Open Sea nor Friendly, or has a Battle")
                };
                no(reason, "R20")
            }
            _ if rebases => self.why_no_rebase(state, faction, block, to),
            _ => self.why_no_retreat(state, faction, block, to),
        }
    }

    fn why_no_hit(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let at_sea = Atlas::is_sea(state.battle.area);
        let class = Class::ALL[usize::from(state.battle.class) & 3];
        let takes_part = self.attacks(state, block) || self.defends(state, block);
        match () {
            () if !takes_part => no("it takes no part in the Battle", "12.44"),
            () if unit.kind.class(at_sea) != class => {
                no(format!("the fire is at {}", targets(class)), "12.44")
            }
            () if !self.strongest(state).any(|other| other == block) => {
                no("the strongest unit takes the hit", "12.44")
            }
            () => self.alike(),
        }
    }

    fn why_no_escape(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        match () {
            () if unit.kind != Kind::Submarine => no("only Submarines Escape", "12.73"),
            () if unit.area != state.battle.area => no("it is not in this Battle", "12.73"),
            () if unit.is(flag::ESCAPED) => no("it has Escaped already", "12.73"),
            () if unit.is(flag::WAITING) => no("its BattleGroup has not joined yet", "R67"),
            () => self.alike(),
        }
    }
}
