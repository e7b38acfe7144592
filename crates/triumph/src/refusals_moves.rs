//! Why a declaration or a move can't be made. Rules 8.46, 11, 15, 16.4; rulings R17, R21, R41 to R45, R77, R82, R95.

use kernel::Refusal;

use crate::areas::NONE;
use crate::choice::Choice;
use crate::factions::{Faction, Power};
use crate::refusals::no;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, Part, State, Status, flag};
use crate::units::Kind;
use crate::words::capitalized;
use crate::world::NationKind;

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
    pub(crate) fn owed(&self, declared: Declared) -> Refusal {
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
            _ if now.status != Status::Armed => {
                let has = self.agrees(nation, "has", "have");
                no(format!("{name} {has} not taken up arms"), "15.423")
            }
            _ if self.atlas().nation(nation).capital == NONE => no("Albania has no army to join you", "R7"),
            _ if state.turn.interventions >> nation & 1 != 0 => no("that is declared already", "15.423"),
            _ if now.enemies.has(faction) => {
                no(format!("{name} {} your Enemy", self.agrees(nation, "is", "are")), "15.423")
            }
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
            () if state.part == Part::Winter => no("it has nowhere to go inside the USSR", "10.4"),
            () => no("it has nowhere to go", "11.0"),
        }
    }
}
