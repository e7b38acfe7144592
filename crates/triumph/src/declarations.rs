//! Declarations: war, Violations of Neutrality, Intervention; what protectors answer. Rules 8.13, 8.46, 15.2 to 15.423;
//! rulings R7, R8, R30, R40, R41, R73 to R77, R100.

use kernel::EventSink;

use crate::areas::{AreaSet, NONE, bits};
use crate::choice::Choice;
use crate::factions::{Faction, Parties};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::stance::Stance;
use crate::state::{Declared, State, Status};
use crate::units::Kind;
use crate::world::NationKind;

impl Rules {
    /// The declarations that a move can fulfil now. Ruling R41.
    pub(crate) fn list_declarations(&self, state: &State, stance: &Stance, out: &mut Vec<Choice>) {
        let faction = stance.faction;
        if state.turn.moves == 0 {
            return;
        }
        let claims = self.claims(state, stance);
        for rival in faction.rivals() {
            if self.may_declare_war(state, faction, rival)
                && self.war_is_fulfilled(state, stance, &claims, rival)
            {
                out.push(Choice::War(rival));
            }
        }
        for nation in 0..self.atlas().nations.len() as u8 {
            if self.may_violate(state, faction, nation)
                && self.violation_is_fulfilled(state, &claims, faction, nation)
            {
                out.push(Choice::Violate(nation));
            }
        }
        for nation in bits(state.armed) {
            if self.may_intervene(state, faction, nation)
                && self.intervention_is_fulfilled(state, faction, nation)
            {
                out.push(Choice::Intervene(nation));
            }
        }
    }

    /// Closed areas that units could enter if they were Enemy land.
    fn claims(&self, state: &State, stance: &Stance) -> Claims {
        let mut claims = Claims::default();
        for block in self.movers(state, stance.faction) {
            let unit = &state.blocks[block];
            let reach = self.reach_near(state, stance, block);
            if unit.kind.is_ground() {
                let leaves = stance.foes.has(unit.area);
                let beyond = if leaves { &mut claims.leaving } else { &mut claims.ground };
                *beyond = beyond.or(reach.beyond);
            } else {
                claims.others = claims.others.or(reach.beyond);
                claims.flies |= unit.kind == Kind::AirForce;
            }
        }
        claims
    }

    /// Whether war may be declared on a Rival at all.
    pub(crate) fn may_declare_war(&self, state: &State, faction: Faction, rival: Faction) -> bool {
        !state.at_war(faction, rival) && !self.allied(faction, rival) && self.can_pay_for_war(state, faction)
    }

    /// Whether some unit can commit Aggression against a Rival.
    fn war_is_fulfilled(&self, state: &State, stance: &Stance, claims: &Claims, rival: Faction) -> bool {
        let third = stance.faction.rivals().into_iter().find(|other| *other != rival);
        let peaceful = third
            .filter(|third| !stance.enemies.has(*third))
            .map_or(AreaSet::EMPTY, |third| state.present[third.index()].and(AreaSet::LAND));
        let units = state.present[rival.index()].minus(stance.own).minus(peaceful);
        let land = state.control[rival.index()].minus(stance.own).minus(peaceful);
        // Seas and straits of the new Enemy are closed to some afterwards, and shared seas hold Convoys fast; Air Forces
        // fly over Enemy land, and who leaves a Battle may not Engage: so only a closer look tells.
        let near = claims.ground.meets(land.or(units.and(AreaSet::LAND))) || claims.others.meets(units);
        (near || claims.flies || claims.leaving.meets(land)) && {
            let declared = Declared::War(rival);
            let stance = self.stance_after(state, stance.faction, Some(declared));
            self.can_fulfil(state, &stance, declared)
        }
    }

    /// Whether a nation may be violated at all. Rules 8.46, 15.4.
    pub(crate) fn may_violate(&self, state: &State, faction: Faction, nation: u8) -> bool {
        let info = self.atlas().nation(nation);
        let now = state.nation(nation);
        let neutral = match now.status {
            Status::Neutral => true,
            // A colony armed by the fall of its Power. Rule 15.42.
            Status::Armed => now.violators.is_empty() && !now.enemies.has(faction),
            _ => false,
        };
        let usa = nation == self.atlas().usa;
        let protector = self.protector_of(state, faction, nation);
        let barred = protector.factions().any(|other| {
            self.allied(faction, other)
                || (!state.at_war(faction, other) && !self.can_pay_for_war(state, faction))
        });
        neutral && !barred && (!usa || faction == Faction::Axis) && info.kind != NationKind::Great
    }

    fn violation_is_fulfilled(&self, state: &State, claims: &Claims, faction: Faction, nation: u8) -> bool {
        let info = self.atlas().nation(nation);
        if claims.ground.meets(info.areas) {
            return true;
        }
        // Ships may have passed a strait of the nation that is an Enemy's afterwards.
        claims.others.or(claims.leaving).meets(info.areas) && {
            let declared = Declared::Violation(nation);
            let stance = self.stance_after(state, faction, Some(declared));
            self.can_fulfil(state, &stance, declared)
        }
    }

    /// Whether a Tank or Infantry can enter the Minor as its guest; who leaves a Battle may do that, too. Ruling R77.
    fn intervention_is_fulfilled(&self, state: &State, faction: Faction, nation: u8) -> bool {
        let declared = Declared::Intervention(nation);
        let stance = self.stance_after(state, faction, Some(declared));
        self.can_fulfil(state, &stance, declared)
    }

    /// Whether a Faction may intervene in an Armed Minor. Rule 15.423, ruling R77.
    pub(crate) fn may_intervene(&self, state: &State, faction: Faction, nation: u8) -> bool {
        let now = state.nation(nation);
        let enemies = state.of(faction).enemies;
        let areas = self.atlas().nation(nation).areas;
        let strangers = Faction::ALL
            .into_iter()
            .any(|other| !enemies.has(other) && state.present[other.index()].meets(areas));
        now.status == Status::Armed
            && !now.violators.common(enemies).is_empty()
            && !now.enemies.has(faction)
            && self.atlas().nation(nation).capital != NONE
            && state.turn.interventions >> nation & 1 == 0
            && !strangers
    }

    // --- declaring -------------------------------------------------------------------------------

    /// War is declared. Rule 15.2.
    pub(crate) fn declare_war<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        rival: Faction,
        sink: &mut S,
    ) {
        state.of_mut(faction).enemies = state.of(faction).enemies.with(rival);
        state.of_mut(rival).enemies = state.of(rival).enemies.with(faction);
        state.of_mut(faction).declared = state.of(faction).declared.with(rival);
        state.of_mut(rival).factory_level += 1;
        state.turn.surprise = true;
        // Seas that both share must be left or fought for.
        let shared = state.present[faction.index()].and(state.present[rival.index()]).and(AreaSet::SEA);
        state.turn.aggression = state.turn.aggression.or(shared);
        sink.emit(|| GameEvent::WarDeclared { by: faction, on: rival });
    }

    /// A nation's neutrality is violated. Rules 15.4, 15.41; rulings R8, R73, R74.
    pub(crate) fn violate<S: EventSink<GameEvent>>(&self, state: &mut State, nation: u8, sink: &mut S) {
        let faction = state.turn.faction;
        state.turn.declared = Some(Declared::Violation(nation));
        state.of_mut(faction).fought = true;
        sink.emit(|| GameEvent::Violated { by: faction, nation });
        self.world_reaction(state, faction, nation);
        if nation == self.atlas().usa {
            if !state.at_war(faction, Faction::West) {
                self.declare_war(state, faction, Faction::West, sink);
            }
            self.force_usa(state, sink);
            if !matches!(state.stage, Stage::Arrival(_)) {
                self.resume_movement(state, sink);
            }
            return;
        }
        let protector = self.protector_of(state, faction, nation).factions().next();
        match protector {
            None => {
                self.arm_against(state, nation, faction, sink);
                self.resume_movement(state, sink);
            }
            Some(protector) if state.at_war(faction, protector) => {
                self.stand_by(state, nation, protector, sink);
            }
            Some(protector) => state.stage = Stage::Protectorate(nation, protector),
        }
    }

    /// Each Rival draws cards. Rule 15.41.
    fn world_reaction(&self, state: &mut State, faction: Faction, nation: u8) {
        for rival in faction.rivals() {
            state.of_mut(rival).due[0] += self.reaction_share(faction, rival, nation);
        }
    }

    /// The Action cards that a Rival draws for a violation. Rule 15.41; for two players rule 18.3.
    pub(crate) fn reaction_share(&self, faction: Faction, rival: Faction, nation: u8) -> u8 {
        let cards = self.atlas().nation(nation).reaction;
        match () {
            () if !self.settings.two_players => cards,
            () if self.allied(faction, rival) => 0,
            // Half for each Ally, the odd card for the West.
            () if faction == Faction::Axis && rival == Faction::West => cards.div_ceil(2),
            () if faction == Faction::Axis => cards / 2,
            () => cards,
        }
    }

    /// The nation takes up arms against its violator. Rule 15.42.
    pub(crate) fn arm_against<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        nation: u8,
        faction: Faction,
        sink: &mut S,
    ) {
        if state.nation(nation).status != Status::Armed {
            self.arm(state, nation);
            sink.emit(|| GameEvent::Armed { nation });
        }
        let now = state.nation_mut(nation);
        now.violators = now.violators.with(faction);
        if self.atlas().nation(nation).capital != NONE {
            now.enemies = now.enemies.with(faction);
        }
    }

    /// The protector stands by: war, and a Satellite with its units before any move. Rule 8.13, ruling R30.
    pub(crate) fn stand_by<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        nation: u8,
        protector: Faction,
        sink: &mut S,
    ) {
        let faction = state.turn.faction;
        sink.emit(|| GameEvent::ProtectorStands { by: protector, nation });
        if !state.at_war(faction, protector) && self.pays_for_war(faction) {
            // This war, too, costs an Ally a card. Rule 18.7.
            state.stage = Stage::WarCard(protector);
            return;
        }
        self.protect(state, nation, protector, sink);
    }

    /// The Protectorate joins its protector, and its violator is at war with both.
    pub(crate) fn protect<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        nation: u8,
        protector: Faction,
        sink: &mut S,
    ) {
        let faction = state.turn.faction;
        if !state.at_war(faction, protector) {
            self.declare_war(state, faction, protector, sink);
        }
        self.join(state, nation, protector, sink);
        self.resume_movement(state, sink);
    }

    /// The protector gives it up: a plain Violation. Rule 8.13.
    pub(crate) fn give_up<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        nation: u8,
        protector: Faction,
        sink: &mut S,
    ) {
        sink.emit(|| GameEvent::ProtectorGivesUp { by: protector, nation });
        let faction = state.turn.faction;
        self.arm_against(state, nation, faction, sink);
        self.resume_movement(state, sink);
    }

    /// The USA are brought in by force; their first group comes at once. Rule 8.46.
    pub(crate) fn force_usa<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.nation(self.atlas().usa).status != Status::Neutral {
            return;
        }
        self.usa_joins(state, sink);
        state.usa_forced = true;
        state.usa_groups = 0;
        self.next_arrival_in_movement(state, sink);
    }

    /// The West places the group before the moves go on.
    fn next_arrival_in_movement<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.next_arrival(state, 0, sink);
    }

    /// An Intervention is declared. Rule 15.423.
    pub(crate) fn intervene<S: EventSink<GameEvent>>(&self, state: &mut State, nation: u8, sink: &mut S) {
        let faction = state.turn.faction;
        state.turn.declared = Some(Declared::Intervention(nation));
        state.turn.interventions |= 1 << nation;
        sink.emit(|| GameEvent::Intervened { by: faction, nation });
        self.resume_movement(state, sink);
    }

    /// At the end of the Movement Phase Minors join those who intervened. Ruling R77.
    pub(crate) fn settle_interventions<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let faction = state.turn.faction;
        for nation in bits(state.turn.interventions) {
            let info = self.atlas().nation(nation);
            let there = info
                .areas
                .iter()
                .any(|area| state.own_at(faction, area).any(|(_, block)| block.kind.is_troop()));
            if !there || state.nation(nation).status != Status::Armed {
                continue;
            }
            let forts = info.areas.and(state.present[3]);
            state.armed &= !(1 << nation);
            let now = state.nation_mut(nation);
            (now.violators, now.enemies) = (Parties::NONE, Parties::NONE);
            (now.status, now.holder) = (Status::Satellite, Some(faction));
            state.muster = state.muster.or(forts);
            sink.emit(|| GameEvent::Joined { nation, faction });
            self.recontrol(state, nation);
        }
        state.turn.interventions = 0;
    }
}

/// What units could enter.
#[derive(Clone, Copy, Debug, Default)]
struct Claims {
    /// Closed areas that Ground units could enter if they were Enemy land.
    ground: AreaSet,
    /// The same for those who leave a Battle: they may not Engage again.
    leaving: AreaSet,
    /// The same for other units, if the area is held.
    others: AreaSet,
    /// Whether an Air Force is among the units.
    flies: bool,
}
