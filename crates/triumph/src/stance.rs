//! How the map looks to a Faction that moves: where it may go, pass, stop and fight. Rules 1.3, 11, 15; rulings R42, R76, R77.

use crate::areas::{AreaSet, bits};
use crate::cards::Tech;
use crate::factions::{Faction, Parties};
use crate::rules::Rules;
use crate::state::{Declared, Part, State, Status};
use crate::units::Kind;

/// The map in the eyes of a Faction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// Whose eyes.
    pub faction: Faction,
    /// Its Enemies.
    pub enemies: Parties,
    /// Friendly land.
    pub friendly: AreaSet,
    /// Friendly land where nobody else stands.
    pub undisputed: AreaSet,
    /// Land of Enemies, Armed Minors open to attack included.
    pub enemy: AreaSet,
    /// Land of Minors in which it has intervened.
    pub guest: AreaSet,
    /// Where Enemies stand, on land and at sea.
    pub foes: AreaSet,
    /// Land that is closed: Neutral, or of Rivals at peace.
    pub closed: AreaSet,
    /// Straits that sea and air movement may pass though it may not end there. Rule 1.3.
    pub pass_straits: AreaSet,
    /// Where it has units.
    pub own: AreaSet,
    /// Where it has Ground units.
    pub ground: AreaSet,
    /// Seas with Escaped Enemy Submarines.
    pub lurking: AreaSet,
    /// Where it can't end a move: with its ally in the game for two. Rule 18.
    pub no_end: AreaSet,
    /// Where it may be at all.
    pub within: AreaSet,
    /// No Aggression: Emergency and Defensive turns. Rule 10.11.
    pub calm: bool,
    /// Its revealed technologies.
    pub techs: u16,
}

impl Rules {
    /// The map in the eyes of a Faction, as it is.
    pub(crate) fn stance(&self, state: &State, faction: Faction) -> Stance {
        self.stance_after(state, faction, None)
    }

    /// The same as if something had been declared.
    pub(crate) fn stance_after(&self, state: &State, faction: Faction, declared: Option<Declared>) -> Stance {
        let atlas = self.atlas();
        let own = state.of(faction);
        let moving = state.turn.faction == faction;
        let mut enemies = own.enemies;
        let mut violated = None;
        let mut interventions = if moving { state.turn.interventions } else { 0 };
        match declared {
            Some(Declared::War(rival)) => enemies = enemies.with(rival),
            Some(Declared::Violation(nation)) => {
                violated = Some(nation);
                enemies = enemies.and(self.protector_of(state, faction, nation));
            }
            Some(Declared::Intervention(nation)) => interventions |= 1 << nation,
            None => {}
        }
        let guests =
            bits(interventions).fold(AreaSet::EMPTY, |set, nation| set.or(atlas.nation(nation).areas));
        let armed = self.open_minors(state, faction).minus(guests);
        let mut enemy = state.control[3].and(armed);
        let mut foes = state.present[3].and(armed);
        let mut peaceful = AreaSet::EMPTY;
        for rival in faction.rivals() {
            if enemies.has(rival) {
                enemy = enemy.or(state.control[rival.index()]);
                foes = foes.or(state.present[rival.index()]);
            } else {
                peaceful = peaceful.or(state.present[rival.index()]);
            }
        }
        if let Some(nation) = violated {
            let info = atlas.nation(nation);
            let taken = state.control[0].or(state.control[1]).or(state.control[2]);
            enemy = enemy.or(info.areas.minus(taken));
            let forts = if nation == atlas.usa { info.areas } else { info.musters };
            foes = foes.or(forts.minus(taken));
        }
        let friendly = state.control[faction.index()];
        let guest = guests.and(state.control[3]);
        let closed = AreaSet::LAND.minus(friendly.or(enemy).or(guest)).or(peaceful.and(AreaSet::LAND));
        let ally = faction.rivals().into_iter().find(|rival| self.allied(faction, *rival));
        let mut ground = AreaSet::EMPTY;
        for block in &state.blocks[crate::factions::blocks_of(faction)] {
            if block.on_map() && block.kind.is_ground() {
                ground.add(block.area);
            }
        }
        let winter = moving && state.part == Part::Winter;
        Stance {
            faction,
            enemies,
            friendly,
            undisputed: self.undisputed(state, faction),
            enemy: enemy.minus(closed),
            guest: guest.minus(closed),
            foes,
            closed,
            pass_straits: atlas.straits.minus(enemy).minus(friendly).minus(foes),
            own: state.present[faction.index()],
            ground,
            lurking: Self::lurking(state, faction),
            no_end: ally.map_or(AreaSet::EMPTY, |ally| state.present[ally.index()]),
            within: if winter {
                atlas.great_home[Faction::Ussr.index()]
            } else {
                AreaSet::LAND.or(AreaSet::SEA)
            },
            calm: moving && (state.turn.emergency || state.turn.defensive),
            techs: own.techs,
        }
    }

    /// The Rival whose Protectorate a nation is. Rule 8.13.
    pub(crate) fn protector_of(&self, state: &State, faction: Faction, nation: u8) -> Parties {
        let now = state.nation(nation);
        if nation == self.atlas().usa {
            return Parties::one(Faction::West).without(faction);
        }
        match now.influencer {
            Some(other) if other != faction && now.markers >= 2 && now.status == Status::Neutral => {
                Parties::one(other)
            }
            _ => Parties::NONE,
        }
    }
}

impl Stance {
    /// Whether a technology is revealed.
    pub const fn knows(&self, tech: Tech) -> bool {
        self.techs & tech.bit() != 0
    }

    /// How many Ground units may land across a coast. Rule 11.221, ruling R90.
    pub const fn landing_limit(&self) -> u8 {
        if self.knows(Tech::Lsts) { 2 } else { 1 }
    }

    /// How far a type goes by land.
    pub fn land_speed(&self, rules: &Rules, kind: Kind) -> u8 {
        let base = rules.atlas().types[kind.index()].land;
        match kind {
            Kind::Infantry if self.knows(Tech::MotorizedInfantry) => 3,
            _ => base,
        }
    }

    /// How far a type flies.
    pub fn air_speed(&self, rules: &Rules, kind: Kind) -> u8 {
        let base = rules.atlas().types[kind.index()].air;
        if self.knows(Tech::HeavyBombers) { 3 } else { base }
    }

    /// How far a type sails.
    pub fn sea_speed(&self, rules: &Rules, kind: Kind) -> u8 {
        rules.atlas().types[kind.index()].sea
    }
}
