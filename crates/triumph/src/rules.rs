//! The rules of a set-up: what never changes, and small questions about a position that every chapter asks.

use kernel::Seat;

use crate::areas::{AreaSet, bits};
use crate::factions::{Faction, Parties, Power};
use crate::settings::Settings;
use crate::state::{State, Status};
use crate::world::{Atlas, NationKind, World};

/// The rules of a set-up.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The settings.
    pub settings: Settings,
    /// The map, the decks, the opening forces.
    pub world: World,
    /// The Action cards of each season, as masks.
    pub(crate) seasons: [u64; 3],
    /// The Cadres that their owners choose, in the order in which they are asked for.
    cadres: Vec<(Power, u8)>,
}

impl Rules {
    /// The rules for some settings.
    pub fn new(settings: Settings) -> Self {
        let world = settings.world();
        let seasons = crate::cards::Season::ALL.map(|season| world.of_season(season));
        let mut rules = Self { settings, world, seasons, cadres: Vec::new() };
        rules.cadres = rules.chosen_cadres();
        rules
    }

    /// The Cadres that their owners choose, in the order in which they are asked for: Power and area.
    pub fn cadres(&self) -> impl Iterator<Item = (Power, u8)> + '_ {
        self.cadres.iter().copied()
    }

    /// The map and the printed figures.
    #[inline]
    pub fn atlas(&self) -> &'static Atlas {
        self.world.atlas
    }

    /// The seat that plays a Faction. In the game for two one player has the West and the USSR.
    #[inline]
    pub fn seat_of(&self, faction: Faction) -> Seat {
        if self.settings.two_players && faction != Faction::Axis { Seat(1) } else { Seat(faction as u8) }
    }

    /// The Factions that a seat plays.
    pub fn factions_of(&self, seat: Seat) -> Parties {
        let own = Faction::ALL.into_iter().filter(|faction| self.seat_of(*faction) == seat);
        own.fold(Parties::NONE, Parties::with)
    }

    /// Whether two Factions are played by the same person. Rule 18.
    #[inline]
    pub fn allied(&self, one: Faction, other: Faction) -> bool {
        self.seat_of(one) == self.seat_of(other)
    }

    /// Whether a Faction is an Enemy of an Armed Minor, or may enter it without a declaration. Rules 15.42, 15.422.
    #[inline]
    pub(crate) fn may_attack_minor(state: &State, faction: Faction, nation: u8) -> bool {
        let minor = state.nation(nation);
        minor.enemies.has(faction) || !minor.violators.is_empty()
    }

    /// The areas of Armed Minors that a Faction may attack.
    pub(crate) fn open_minors(&self, state: &State, faction: Faction) -> AreaSet {
        bits(state.armed)
            .filter(|&nation| Self::may_attack_minor(state, faction, nation))
            .fold(AreaSet::EMPTY, |set, nation| set.or(self.atlas().nation(nation).areas))
    }

    /// The areas of Armed Minors that are Enemies of a Faction.
    pub(crate) fn hostile_minors(&self, state: &State, faction: Faction) -> AreaSet {
        bits(state.armed)
            .filter(|&nation| state.nation(nation).enemies.has(faction))
            .fold(AreaSet::EMPTY, |set, nation| set.or(self.atlas().nation(nation).areas))
    }

    /// Where Enemy Factions of a Faction have units that have not Escaped.
    pub(crate) fn enemy_units(state: &State, faction: Faction) -> AreaSet {
        let enemies = state.of(faction).enemies;
        enemies.factions().fold(AreaSet::EMPTY, |set, enemy| set.or(state.present[enemy.index()]))
    }

    /// Where a Faction has Enemies: other Factions, and forts of Minors that are its Enemies.
    pub(crate) fn foes(&self, state: &State, faction: Faction) -> AreaSet {
        let forts = state.present[3].and(self.hostile_minors(state, faction));
        Self::enemy_units(state, faction).or(forts)
    }

    /// The Enemies of a Faction that stand in an area.
    pub(crate) fn foes_at(&self, state: &State, faction: Faction, area: u8) -> Parties {
        let mut foes = state.parties(area).common(state.of(faction).enemies);
        if state.counts[3][usize::from(area)] > 0 {
            let nation = self.atlas().nation_of(area);
            if state.nation(nation).enemies.has(faction) {
                foes = foes.and(Parties::MINOR);
            }
        }
        foes
    }

    /// Land that belongs to nobody: Neutral, and Armed Minors that are no Enemies. Ruling R26.
    pub(crate) fn neutral_land(&self, state: &State, faction: Faction) -> AreaSet {
        let [axis, west, ussr, _] = state.control;
        AreaSet::LAND
            .minus(axis.or(west).or(ussr))
            .minus(state.control[3].and(self.hostile_minors(state, faction)))
    }

    /// Land that Enemies control.
    pub(crate) fn enemy_land(&self, state: &State, faction: Faction) -> AreaSet {
        let enemies = state.of(faction).enemies.factions();
        let land = enemies.fold(AreaSet::EMPTY, |set, enemy| set.or(state.control[enemy.index()]));
        land.or(state.control[3].and(self.hostile_minors(state, faction)))
    }

    /// Seas without Enemy units, where everybody else may be. Rule 1.21.
    pub(crate) fn open_seas(state: &State, faction: Faction) -> AreaSet {
        AreaSet::SEA.minus(Self::enemy_units(state, faction))
    }

    /// Where Enemy Submarines have Escaped.
    pub(crate) fn lurking(state: &State, faction: Faction) -> AreaSet {
        let enemies = state.of(faction).enemies.factions();
        enemies.fold(AreaSet::EMPTY, |set, enemy| set.or(state.escaped[enemy.index()]))
    }

    /// Friendly land where no Enemy stands.
    pub(crate) fn undisputed(&self, state: &State, faction: Faction) -> AreaSet {
        let mut others = AreaSet::EMPTY;
        for (row, present) in state.present.iter().enumerate() {
            if row != faction.index() {
                others = others.or(*present);
            }
        }
        state.control[faction.index()].minus(others)
    }

    /// The Powers of a Faction that still have units: those that are not Defeated, and the USA once they have joined.
    pub(crate) fn powers<'s>(
        &'s self,
        state: &'s State,
        faction: Faction,
    ) -> impl Iterator<Item = Power> + 's {
        let powers = Power::of(faction).iter().copied();
        powers.filter(move |power| {
            state.nation(self.atlas().power_nation[power.index()]).status == Status::Belongs
        })
    }

    /// The Power whose Fortresses are built in an area. Rule 7.231.
    pub(crate) fn fortress_power(&self, state: &State, faction: Faction, area: u8) -> Power {
        let atlas = self.atlas();
        let nation = atlas.nation(atlas.nation_of(area));
        let power = match nation.kind {
            NationKind::Colony(owner) => Some(owner),
            NationKind::Major => nation.power,
            NationKind::Great | NationKind::Minor => None,
        };
        let own = |power: &Power| {
            let at = atlas.power_nation[power.index()];
            power.faction() == faction && state.nation(at).status == Status::Belongs
        };
        // A colony that was captured and retaken by the other Power of the Faction is no longer its owner's.
        let kept = state.nation(atlas.nation_of(area)).status == Status::Belongs;
        power.filter(own).filter(|_| kept).unwrap_or(faction.great())
    }

    /// The cost of a factory. Rule 7.32, ruling R29.
    pub fn factory_cost(&self, state: &State, faction: Faction) -> u8 {
        let costs = &self.atlas().factions[faction.index()].factory_costs;
        let level = usize::from(state.of(faction).factory_level).min(costs.len() - 1);
        costs[level]
    }

    /// How many cards a Faction may keep. Rules 4.3, 9.3.
    pub fn hand_limit(&self, state: &State, faction: Faction) -> u8 {
        let limit = self.atlas().factions[faction.index()].hand_size;
        limit.saturating_sub(state.of(faction).vault_len() as u8)
    }
}
