//! Why a declaration or a move can't be made. Rules 8.46, 11, 15, 16.4; rulings R17, R21, R41 to R45, R77, R82, R95.

use kernel::Refusal;

use crate::areas::{AreaSet, NONE};
use crate::choice::Choice;
use crate::factions::{Faction, Power};
use crate::refusals::no;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, Part, State, Status, flag};
use crate::units::Kind;
use crate::words::capitalized;
use crate::world::{Atlas, NationKind};

impl Rules {
    /// Why something is not open in the Movement Phase.
    pub(crate) fn why_not_move(&self, state: &State, choice: Choice) -> Refusal {
        let faction = state.turn.faction;
        if state.stage == Stage::Destination {
            return match choice {
                Choice::To(to, via) => self.why_not_to(state, usize::from(state.picked), to, via),
                _ => no(
                    format!("{} is picked: say where it goes", self.unit_there(state, state.picked)),
                    "R43",
                ),
            };
        }
        if let (Some(declared), false) = (state.turn.declared, matches!(choice, Choice::Move(_))) {
            return self.owed(declared);
        }
        match choice {
            Choice::War(rival) => self.why_no_war(state, faction, rival),
            Choice::Violate(nation) => self.why_no_violation(state, faction, nation),
            Choice::Intervene(nation) => self.why_no_intervention(state, faction, nation),
            Choice::Bomb => self.why_no_bomb(state, faction),
            Choice::Reveal(tech) => self.not_in_vault(state, faction, tech),
            Choice::Surface(block) => self.why_not_surface(state, faction, usize::from(block)),
            Choice::Move(block) => self.why_not_unit(state, faction, usize::from(block)),
            Choice::To(..) => no("first choose which unit moves, then where it goes", "R43"),
            _ => self.not_asked(state),
        }
    }

    /// The declaration that comes first. Ruling R41.
    fn owed(&self, declared: Declared) -> Refusal {
        let what = match declared {
            Declared::War(rival) => format!("attack {}", rival.the()),
            Declared::Violation(nation) => format!("enter {}", self.nation_name(nation)),
            Declared::Intervention(nation) => {
                format!("bring a Tank or Infantry into {}", self.nation_name(nation))
            }
        };
        no(format!("the next move must fulfil the declaration: {what}"), "R41")
    }

    /// Why nothing can be declared now.
    fn no_declarations(&self, state: &State) -> Option<Refusal> {
        Some(match () {
            () if state.turn.emergency => no("no declarations in an Emergency turn", "10.11"),
            () if state.turn.defensive => no("no declarations in a Defensive Turn", "18.6"),
            () if state.part == Part::Winter => no("no declarations in Winter", "10.4"),
            () if !state.turn.may_declare => no("declarations come before all other moves", "R41"),
            () if state.turn.moves == 0 => no("no move is left to fulfil it", "R41"),
            () => return None,
        })
    }

    fn why_no_war(&self, state: &State, faction: Faction, rival: Faction) -> Refusal {
        match () {
            () if rival == faction => no("nobody declares war on itself", "15.2"),
            () if state.at_war(faction, rival) => {
                no(format!("{} is at war with you already", rival.the()), "15.2")
            }
            () if self.allied(faction, rival) => no("the Allies never fight each other", "18.2"),
            () => match self.no_declarations(state) {
                Some(refusal) => refusal,
                None if !self.can_pay_for_war(state, faction) => {
                    no("an Ally must discard one more card of the season to declare war", "18.7")
                }
                None => no(format!("no unit that has not moved can attack {} at once", rival.the()), "R41"),
            },
        }
    }

    fn why_no_violation(&self, state: &State, faction: Faction, nation: u8) -> Refusal {
        let now = state.nation(nation);
        let name = self.nation_name(nation);
        let title = capitalized(&name);
        let is = self.agrees(nation, "is", "are");
        let own = now.holder == Some(faction);
        let holder = now.holder.map_or("nobody", Faction::the);
        let info = self.atlas().nation(nation);
        match now.status {
            Status::Belongs | Status::Satellite | Status::Conquered | Status::Defeated if own => {
                return no(format!("{name} {is} yours"), "15.4");
            }
            Status::Satellite => {
                return no(format!("{title} {is} a Satellite of {holder}: declare war instead"), "8.11");
            }
            Status::Belongs | Status::Conquered | Status::Defeated => {
                return no(format!("{title} {is} in the hands of {holder}: declare war instead"), "15.4");
            }
            Status::Armed if now.enemies.has(faction) || now.violators.has(faction) => {
                return no(format!("{title} {is} at arms against you already"), "15.42");
            }
            Status::Armed if !now.violators.is_empty() => {
                return no(format!("{title} {is} at arms: enter without a declaration"), "15.422");
            }
            Status::Armed | Status::Neutral => {}
        }
        if nation == self.atlas().usa && faction != Faction::Axis {
            return no("only the Axis may violate the USA", "8.46");
        }
        if info.kind == NationKind::Great {
            return no(format!("{title} {is} a Great Power"), "15.4");
        }
        let protector = self.protector_of(state, faction, nation).factions().next();
        if let Some(ally) = protector.filter(|other| self.allied(faction, *other)) {
            return no(format!("{title} {is} a Protectorate of {}, your Ally", ally.the()), "18.2");
        }
        if let Some(refusal) = self.no_declarations(state) {
            return refusal;
        }
        if let Some(other) = protector.filter(|other| !state.at_war(faction, *other))
            && !self.can_pay_for_war(state, faction)
        {
            let reason = format!("{} protects it, and war costs one more card of the season", other.the());
            return no(reason, "18.7");
        }
        no(format!("no unit that has not moved can enter {name} at once"), "R41")
    }

    fn why_no_intervention(&self, state: &State, faction: Faction, nation: u8) -> Refusal {
        let now = state.nation(nation);
        let name = self.nation_name(nation);
        let enemies = state.of(faction).enemies;
        let areas = self.atlas().nation(nation).areas;
        let stranger = Faction::ALL
            .into_iter()
            .find(|other| !enemies.has(*other) && state.present[other.index()].meets(areas));
        if let Some(refusal) = self.no_declarations(state) {
            return refusal;
        }
        match stranger {
            _ if now.status != Status::Armed => no(format!("{name} has not taken up arms"), "15.423"),
            _ if self.atlas().nation(nation).capital == NONE => no("Albania has no army to join you", "R7"),
            _ if state.turn.interventions >> nation & 1 != 0 => no("that is declared already", "15.423"),
            _ if now.enemies.has(faction) => no(format!("{name} is your Enemy"), "15.423"),
            _ if now.violators.common(enemies).is_empty() => {
                no(format!("no Enemy of yours has violated {name}"), "15.423")
            }
            Some(other) => no(format!("{} has units there and is not your Enemy", other.the()), "R77"),
            None => no(format!("no Tank or Infantry that has not moved can enter {name} at once"), "R41"),
        }
    }

    fn why_no_bomb(&self, state: &State, faction: Faction) -> Refusal {
        match () {
            () if !Self::has_bomb(state, faction) => {
                no("it takes all four stages of Atomic Research", "16.4")
            }
            () if state.turn.emergency || state.turn.defensive => {
                no("it takes a turn with a card of the season", "R83")
            }
            () if state.part == Part::Winter => no("not in Winter", "R83"),
            () => no("no Air Force on land reaches a Rival's main capital", "16.4"),
        }
    }

    fn why_not_surface(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        match () {
            () if !unit.is(flag::ESCAPED) => no("only an Escaped Submarine surfaces", "R21"),
            () if unit.is(flag::MOVED) => no("it has moved this turn", "R21"),
            () if self.stance(state, faction).foes.has(unit.area) => {
                no(format!("Enemies are in {}", self.place_name(unit.area)), "R21")
            }
            () => self.alike(),
        }
    }

    /// Why a unit can't be picked to move.
    fn why_not_unit(&self, state: &State, faction: Faction, block: usize) -> Refusal {
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let stance = self.stance(state, faction);
        let usa_bound = Power::of_block(block) == Some(Power::Usa) && !state.of(Faction::West).at_war();
        let reach = self.reach(state, &stance, block);
        match () {
            () if unit.kind == Kind::Fortress => no("Fortresses never move", "3.15"),
            () if unit.is(flag::MOVED) => no("it has moved this turn", "11.0"),
            () if state.turn.moves == 0 => no("no moves are left", "11.0"),
            () if Self::is_convoy(unit) && stance.foes.has(unit.area) => {
                no("a Convoy that is Engaged can't leave the sea", "11.22")
            }
            () if !stance.within.has(unit.area) => no("in Winter only units inside the USSR move", "10.4"),
            () if !reach.is_empty() => match state.turn.declared {
                Some(declared) if !self.fulfils_somewhere(state, &stance, block, declared) => {
                    self.owed(declared)
                }
                _ => self.alike(),
            },
            () if usa_bound => no("US units stay at home until the West is at war", "R82"),
            () if stance.foes.has(unit.area) => {
                no("it can't leave the Battle: no Friendly area or Open Sea with room at the border", "11.51")
            }
            () => no("it has nowhere to go", "11.0"),
        }
    }

    // --- destinations ------------------------------------------------------------------------------

    /// Why a unit can't go to an area.
    pub(crate) fn why_not_to(&self, state: &State, block: usize, to: u8, via: u8) -> Refusal {
        let faction = state.turn.faction;
        if let Some(refusal) = self.not_own(state, faction, block) {
            return refusal;
        }
        let unit = &state.blocks[block];
        let stance = self.stance(state, faction);
        let place = self.place_name(to);
        if unit.area == to {
            return no(format!("it is in {place} already"), "11.0");
        }
        let reach = self.reach(state, &stance, block);
        let listed = |via: u8| {
            if via == NONE { reach.ends.has(to) } else { reach.entries().contains(&(to, via)) }
        };
        if listed(via) {
            return state.turn.declared.map_or_else(|| self.not_asked(state), |declared| self.owed(declared));
        }
        if reach.areas().has(to) {
            return self.why_not_via(state, &reach, to, via, faction);
        }
        self.why_closed(state, &stance, block, to)
            .or_else(|| self.why_unfit(state, &stance, block, to))
            .unwrap_or_else(|| self.out_of_reach(&stance, unit.kind, Atlas::is_sea(unit.area)))
    }

    /// The area is open, but not by this way. Ruling R43.
    fn why_not_via(
        &self,
        state: &State,
        reach: &crate::reach::Reach,
        to: u8,
        via: u8,
        faction: Faction,
    ) -> Refusal {
        let place = self.place_name(to);
        if via == NONE {
            return no(format!("say from where it enters {place}"), "R43");
        }
        if reach.ends.has(to) {
            return no(format!("it just goes to {place}: no way has to be named"), "R43");
        }
        let from = self.place_name(via);
        match self.atlas().border(via, to) {
            None => no(format!("{from} does not touch {place}"), "R43"),
            Some(edge) => {
                let crossed = state.crossings(faction, edge.border);
                let limit = edge.kind.limit();
                if crossed >= limit && limit > 0 {
                    return no(format!("the border with {from} is used up: {crossed} of {limit}"), "11.52");
                }
                no(format!("it does not get to {place} by way of {from}"), "R43")
            }
        }
    }

    /// Why an area is closed to everybody of the Faction.
    fn why_closed(
        &self,
        state: &State,
        stance: &crate::stance::Stance,
        block: usize,
        to: u8,
    ) -> Option<Refusal> {
        let place = self.place_name(to);
        let usa_bound = Power::of_block(block) == Some(Power::Usa) && !state.of(Faction::West).at_war();
        if usa_bound && !self.atlas().nation(self.atlas().usa).areas.has(to) {
            return Some(no("US units stay at home until the West is at war", "R82"));
        }
        if !stance.within.has(to) {
            return Some(no("in Winter units stay inside the USSR", "10.4"));
        }
        if stance.no_end.has(to) {
            return Some(no(
                format!("your Ally has units in {place}: the Allies never share an area"),
                "18.2",
            ));
        }
        if !stance.closed.has(to) {
            if stance.calm
                && (stance.enemy.has(to) || stance.foes.has(to))
                && !stance.own.and(AreaSet::LAND).has(to)
            {
                let (what, rule) = if state.turn.emergency {
                    ("an Emergency turn", "10.11")
                } else {
                    ("a Defensive Turn", "18.6")
                };
                return Some(no(format!("no Aggression in {what}, and Enemies hold {place}"), rule));
            }
            return None;
        }
        let nation = self.atlas().nation_of(to);
        let name = capitalized(&self.nation_name(nation));
        let is = self.agrees(nation, "is", "are");
        let rival = stance.faction.rivals().into_iter().find(|rival| {
            !stance.enemies.has(*rival) && (state.controls(*rival, to) || state.parties(to).has(*rival))
        });
        Some(match rival {
            Some(rival) if self.allied(stance.faction, rival) => {
                no(format!("{place} belongs to your Ally"), "18.2")
            }
            Some(rival) if state.controls(rival, to) => no(
                format!("{} controls {place} and is at peace with you: declare war first", rival.the()),
                "15.2",
            ),
            Some(rival) => {
                no(format!("{} has units in {place} and is at peace with you", rival.the()), "R42")
            }
            None => no(format!("{name} {is} Neutral: violate it first"), "15.4"),
        })
    }

    /// Why an area that is open does not suit this unit.
    fn why_unfit(
        &self,
        state: &State,
        stance: &crate::stance::Stance,
        block: usize,
        to: u8,
    ) -> Option<Refusal> {
        let unit = &state.blocks[block];
        let (kind, sea, at_sea) = (unit.kind, Atlas::is_sea(to), Atlas::is_sea(unit.area));
        let place = self.place_name(to);
        let leaves = stance.foes.has(unit.area) && !unit.is(flag::ESCAPED);
        let foes = stance.foes.has(to);
        Some(match () {
            () if kind.is_troop() && sea && foes => no("an Enemy Sea: Convoys can't enter", "11.22"),
            () if kind.is_ship() && !sea && !self.atlas().area(to).coastal => {
                no(format!("{place} is not Coastal"), "11.2")
            }
            () if kind.is_troop() && at_sea && !sea && !self.atlas().area(to).coastal => {
                no(format!("{place} is not Coastal"), "11.22")
            }
            () if leaves && foes => no("it leaves a Battle and can't Engage again this turn", "11.51"),
            () if kind == Kind::AirForce && at_sea && !stance.undisputed.has(to) => {
                no("from the sea an Air Force goes only to Friendly land that is not Disputed", "11.3")
            }
            () if kind.is_ans() && !sea && !foes && stance.enemy.has(to) && !stance.ground.has(to) => {
                no(format!("{place} is empty Enemy land: a Ground unit must enter it first"), "11.55")
            }
            () if kind.is_ground() => return self.border_used_up(state, stance, block, to, foes),
            () => return None,
        })
    }

    /// A border with its limit used up, where that is what keeps a Ground unit out. Rule 11.52.
    fn border_used_up(
        &self,
        state: &State,
        stance: &crate::stance::Stance,
        block: usize,
        to: u8,
        foes: bool,
    ) -> Option<Refusal> {
        let unit = &state.blocks[block];
        let leaves = stance.foes.has(unit.area);
        if !foes && !leaves && !stance.enemy.has(to) {
            return None;
        }
        let near = self.reach(state, stance, block).ends.or(AreaSet::one(unit.area));
        let edge = self.atlas().edges(to).iter().find(|edge| {
            let landing = Atlas::is_sea(edge.to);
            edge.kind.limit() > 0
                && near.has(edge.to)
                && self.border_left(state, stance, edge.border, landing) == 0
        })?;
        let crossed = state.crossings(stance.faction, edge.border);
        let from = self.place_name(edge.to);
        Some(no(format!("the border with {from} is used up: {crossed} of {crossed}"), "11.52"))
    }

    /// Too far, or somebody is in the way.
    fn out_of_reach(&self, stance: &crate::stance::Stance, kind: Kind, at_sea: bool) -> Refusal {
        let title = kind.title();
        let (land, sea, air) =
            (stance.land_speed(self, kind), stance.sea_speed(self, kind), stance.air_speed(self, kind));
        let (how, rule) = match kind {
            Kind::Fortress => return no("Fortresses never move", "3.15"),
            Kind::AirForce => (format!("an {title} moves {air}"), "11.3"),
            _ if kind.is_ship() => (format!("a {title} moves {sea} by sea, or 1 along the coast"), "11.2"),
            _ if at_sea => (format!("a Convoy moves {sea}"), "11.22"),
            Kind::Infantry => (format!("{title} moves {land} by land or {sea} by sea"), "11.1"),
            _ => (format!("a {title} moves {land} by land or {sea} by sea"), "11.1"),
        };
        let stops = if kind == Kind::AirForce { "" } else { ", and Enemies stop it" };
        no(format!("out of reach: {how}, twice that between Friendly places{stops}"), rule)
    }
}
