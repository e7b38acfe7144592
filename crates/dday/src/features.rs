//! The map as named numbers, for learning programs: who holds what, with which strength, and how long it goes on. Rule 6.

use kernel::FeatureSink;

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, SHATTERED, Stage, State, WAITING, mark};

/// What a position can wait for, with a name for each.
const STAGES: [(Stage, &str); 48] = [
    (Stage::Initiative, "initiative"),
    (Stage::Order, "order"),
    (Stage::Supports, "supports"),
    (Stage::Recovery, "recovery"),
    (Stage::RecoveryZone, "recovery zone"),
    (Stage::Rally, "rally"),
    (Stage::RallyDie, "rally die"),
    (Stage::RallyVoice, "rally voice"),
    (Stage::RallyPick, "rally pick"),
    (Stage::RallyZone, "rally zone"),
    (Stage::Movement, "movement"),
    (Stage::Group, "group"),
    (Stage::ActivationDie, "activation die"),
    (Stage::Fallback, "fallback"),
    (Stage::March, "march"),
    (Stage::Demolition, "demolition"),
    (Stage::DemolitionDie, "demolition die"),
    (Stage::Turning, "turning"),
    (Stage::Engineering, "engineering"),
    (Stage::EngineeringDie, "engineering die"),
    (Stage::Combat, "combat"),
    (Stage::StrikeDie, "strike die"),
    (Stage::StrikeSave, "strike save"),
    (Stage::RangedTarget, "ranged target"),
    (Stage::RangedFire, "ranged fire"),
    (Stage::RangedDie, "ranged die"),
    (Stage::RangedSave, "ranged save"),
    (Stage::RangedResult, "ranged result"),
    (Stage::GunnerSave, "gunner save"),
    (Stage::GunnerResult, "gunner result"),
    (Stage::LimitedAdvance, "limited advance"),
    (Stage::LimitedGroup, "limited group"),
    (Stage::AssaultLead, "assault lead"),
    (Stage::AssaultForce, "assault force"),
    (Stage::AssaultAnswer, "assault answer"),
    (Stage::AssaultFire, "assault fire"),
    (Stage::AssaultDie, "assault die"),
    (Stage::DefenderSave, "defender save"),
    (Stage::AttackerSave, "attacker save"),
    (Stage::Retreat, "retreat"),
    (Stage::Advance, "advance"),
    (Stage::AdvanceMarch, "advance march"),
    (Stage::NewAssault, "new assault"),
    (Stage::Airdrop, "airdrop"),
    (Stage::NightDie, "night die"),
    (Stage::NightMoves, "night moves"),
    (Stage::Raids, "raids"),
    (Stage::Interdiction, "interdiction"),
];

/// Losses, supports and rerolls beyond which few battles go.
const MANY: u8 = 8;

/// What a side has, by where it is and what was done with it.
#[derive(Default)]
struct Army {
    worth: f32,
    on_map: f32,
    waiting: f32,
    shattered: f32,
    lost: f32,
    unsupplied: f32,
    done: f32,
    fired: f32,
}

impl Rules {
    /// The map as named numbers.
    pub fn features<S: FeatureSink>(&self, s: &State, out: &mut S) {
        let scenario = &*self.scenario;
        out.share(format_args!("turn"), s.turn, scenario.turns);
        out.share(format_args!("hour"), s.clock, 24_u8);
        out.flag(format_args!("night"), s.night);
        let all: u16 = scenario.keys.iter().map(|key| u16::from(key.vp)).sum();
        out.share(format_args!("VP of the aggressor"), self.aggressor_vp(s), all);
        let seen = self.judgement(s);
        out.put(format_args!("lead in VP held"), seen.held);
        out.put(format_args!("lead in VP in reach"), seen.reach);
        out.put(format_args!("lead in losses"), seen.spent);
        out.put(format_args!("lead in strength"), seen.strength);
        for (at, key) in scenario.keys.iter().enumerate() {
            let name = &key.name;
            out.flag(format_args!("{name} held by the aggressor"), self.holder(s, at) == scenario.aggressor);
            out.flag(format_args!("{name} occupied"), !s.is_empty(key.zone));
        }
        for side in Side::ALL {
            self.side_features(s, side, out);
        }
        for (stage, word) in STAGES {
            out.flag(format_args!("stage {word}"), s.stage == stage);
        }
        out.share(format_args!("die"), s.die, 10_u8);
    }

    fn side_features<S: FeatureSink>(&self, s: &State, side: Side, out: &mut S) {
        let (at, info) = (side.index(), &self.scenario.sides[side.index()]);
        let id = &info.id;
        out.flag(format_args!("{id} to move"), s.side == side);
        out.flag(format_args!("{id} moves first"), s.first == side);
        out.share(format_args!("{id} losses"), s.tally[at], info.break_at);
        out.share(format_args!("{id} markers"), s.markers[at], info.break_at);
        out.share(format_args!("{id} artillery"), s.art[at], MANY);
        out.share(format_args!("{id} aircraft"), s.air[at], MANY);
        out.share(format_args!("{id} aircraft lost"), s.air_lost[at], MANY);
        out.share(format_args!("{id} rerolls"), s.rerolls[at], MANY);
        let army = self.army(s, side);
        out.share(format_args!("{id} strength on the map"), army.on_map, army.worth);
        out.share(format_args!("{id} strength to come"), army.waiting, army.worth);
        out.share(format_args!("{id} strength shattered"), army.shattered, army.worth);
        out.share(format_args!("{id} strength lost"), army.lost, army.worth);
        out.share(format_args!("{id} strength without supply"), army.unsupplied, army.worth);
        out.share(format_args!("{id} strength done"), army.done, army.worth);
        out.share(format_args!("{id} strength that fired"), army.fired, army.worth);
    }

    fn army(&self, s: &State, side: Side) -> Army {
        let mut army = Army::default();
        for unit in self.armies[side.index()] {
            let (battalion, worth) = (s.unit(unit), f32::from(self.troop(unit).worth));
            army.worth += worth;
            *match battalion.zone {
                WAITING => &mut army.waiting,
                SHATTERED => &mut army.shattered,
                LOST => &mut army.lost,
                _ => &mut army.on_map,
            } += worth;
            if battalion.on_map() {
                army.unsupplied += if battalion.unsupplied > 0 { worth } else { 0.0 };
                army.done += if battalion.is(mark::DONE) { worth } else { 0.0 };
                army.fired += if battalion.is(mark::FIRED) { worth } else { 0.0 };
            }
        }
        army
    }
}
