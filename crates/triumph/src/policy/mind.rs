//! What the chapters of the policy have in common: the position in a seat's eyes, strengths, threats, the leader.

use std::cell::{Cell, OnceCell};

use crate::areas::{AREAS, AreaSet, NONE};
use crate::economy::Tracks;
use crate::factions::{Faction, blocks_of};
use crate::policy::Character;
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::{Block, State};
use crate::units::Kind;
use crate::view::View;
use crate::world::Atlas;

/// Hits in a round and steps, in hundredths.
type Strength = (i32, i32);

/// A seat that thinks about one decision.
pub(crate) struct Mind<'v> {
    pub rules: &'v Rules,
    pub state: &'v State,
    pub view: &'v View,
    pub me: Faction,
    pub character: &'v Character,
    /// A number that breaks ties differently from time to time.
    pub whim: u32,
    /// Whether somebody wants to know why; simulations spend no time on words.
    pub tells: bool,
    /// Why the choice was made, in a sentence.
    pub reason: String,
    tracks: OnceCell<[Tracks; 3]>,
    points: OnceCell<[i32; 3]>,
    stance: OnceCell<Stance>,
    guess: OnceCell<[i32; 3]>,
    forces: OnceCell<[[(i16, i16); AREAS]; 3]>,
    threats: OnceCell<[Cell<Option<Strength>>; AREAS]>,
}

/// How many VP a Power gains by factories in a year, in hundredths, while its population allows it.
const GROWTH: i32 = 140;
/// From this year on the others turn on a Rival that will lead, not only on one that does.
const QUIET_LEADER: u8 = 40;
/// How much the steps of aircraft and ships count on land, in hundredths: they give fire, but take few hits and hold nothing.
pub(crate) const SUPPORT: i32 = 25;
/// The same for hidden units, some of which are such.
const SOME_SUPPORT: i32 = 85;

/// The expected CV of a hidden unit where nothing is known, in hundredths.
const UNKNOWN_CV: i32 = 150;

impl<'v> Mind<'v> {
    pub fn new(rules: &'v Rules, view: &'v View, me: Faction, character: &'v Character, whim: u32) -> Self {
        Self {
            rules,
            state: view.state(),
            view,
            me,
            character,
            whim,
            tells: false,
            reason: String::new(),
            tracks: OnceCell::new(),
            points: OnceCell::new(),
            stance: OnceCell::new(),
            guess: OnceCell::new(),
            forces: OnceCell::new(),
            threats: OnceCell::new(),
        }
    }

    /// Gives a reason, where one is asked for.
    pub fn say(&mut self, why: &str) {
        if self.tells {
            self.reason.push_str(why);
        }
    }

    /// The tracks of all Factions, without blockades.
    pub fn tracks(&self) -> &[Tracks; 3] {
        self.tracks.get_or_init(|| Faction::ALL.map(|faction| self.rules.tracks(self.state, faction)))
    }

    /// The VP of all Factions as far as they can be judged, in hundredths: unseen chits count by their mean.
    pub fn points(&self) -> &[i32; 3] {
        self.points.get_or_init(|| {
            Faction::ALL.map(|faction| {
                let own = self.state.of(faction);
                let level = i32::from(self.tracks()[faction.index()].level);
                let stages = (own.techs >> crate::cards::Tech::Atomic1 as u8).count_ones() as i32;
                let secret = (own.secret_techs() >> crate::cards::Tech::Atomic1 as u8).count_ones() as i32;
                let capitals = 2 * i32::from(self.rules.rival_capitals(self.state, faction));
                let chits = if self.view.knows(faction) {
                    100 * (i32::from(own.chits[1]) + 2 * i32::from(own.chits[2]))
                } else {
                    // 20 points on 32 chits.
                    62 * i32::from(self.view.counted(faction).chits)
                };
                100 * (level + stages + secret + capitals - own.declared.count() as i32) + chits
            })
        })
    }

    /// The VP that all Factions will have at the end if nobody stops them, in hundredths: factories up to the population,
    /// a Peace Dividend for every year of peace. A Power that stays quiet shows here long before it leads.
    pub fn prospects(&self) -> [i32; 3] {
        let years = i32::from(45_u8.saturating_sub(self.state.year));
        Faction::ALL.map(|faction| {
            let tracks = &self.tracks()[faction.index()];
            let war = self.state.of(faction).at_war();
            let limit = if war { tracks.pop.min(tracks.res) } else { tracks.pop };
            let room = (100 * i32::from(limit) - 100 * i32::from(tracks.ind)).clamp(0, GROWTH * years);
            let dividends = if war { 0 } else { 62 * years };
            self.points()[faction.index()] + room + dividends
        })
    }

    /// The Rival with the best prospects.
    pub fn leader(&self) -> Faction {
        let [one, other] = self.me.rivals();
        let prospects = self.prospects();
        if prospects[one.index()] >= prospects[other.index()] { one } else { other }
    }

    /// How alarming a Rival is: 0 below the alarm, rising to 4 just before it wins. Late in the game whoever is ahead is
    /// alarming, and in the last years also whoever will be.
    pub fn alarm(&self, rival: Faction) -> i32 {
        let over = self.points()[rival.index()] / 100 - self.character.alarm;
        let late = i32::from(self.state.year >= 43);
        let ahead = self.points()[rival.index()] > self.points()[self.me.index()];
        let prospects = self.prospects();
        let quiet = self.state.year >= QUIET_LEADER
            && rival == self.leader()
            && prospects[rival.index()] > prospects[self.me.index()] + 100;
        if over < 0 && !(late > 0 && ahead) && !quiet { 0 } else { (1 + over.max(0) / 2 + late).clamp(1, 4) }
    }

    /// Whether there is fighting to be done: a war, or a siege that has begun.
    pub fn campaigns(&self) -> bool {
        self.state.of(self.me).at_war() || !self.stance().ground.and(self.stance().foes).is_empty()
    }

    /// The map in this seat's eyes.
    pub fn stance(&self) -> &Stance {
        self.stance.get_or_init(|| self.rules.stance(self.state, self.me))
    }

    /// The mean CV of a Faction's hidden units, in hundredths.
    fn hidden_cv(&self, faction: Faction) -> i32 {
        self.guess.get_or_init(|| {
            Faction::ALL.map(|faction| {
                let (mut known, mut hidden) = (0, 0);
                for block in &self.state.blocks[blocks_of(faction)] {
                    known += i32::from(block.cv);
                    hidden += i32::from(block.is_hidden());
                }
                let total = i32::from(self.view.counted(faction).cv);
                if hidden == 0 { UNKNOWN_CV } else { ((total - known) * 100 / hidden).clamp(100, 400) }
            })
        })[faction.index()]
    }

    /// The CV of a unit in hundredths, guessed where it is hidden.
    pub fn cv(&self, block: usize, unit: &Block) -> i32 {
        match State::owner(block) {
            Some(owner) if unit.is_hidden() => self.hidden_cv(owner),
            _ => 100 * i32::from(unit.cv),
        }
    }

    /// The hits that a unit makes in a round against ground units, in hundredths.
    pub fn fire(&self, block: usize, unit: &Block) -> i32 {
        let power = if unit.is_hidden() {
            // A mixture: infantry, tanks, some aircraft and forts.
            2_50
        } else {
            match unit.kind {
                Kind::Fortress => 4_00,
                Kind::Infantry => 3_00,
                Kind::Tank => 2_00,
                Kind::AirForce | Kind::Carrier | Kind::Fleet => 1_00,
                Kind::Submarine => 0,
            }
        };
        self.cv(block, unit) * power / 600
    }

    /// The steps of a unit that count where it stands, in hundredths.
    pub fn holding(&self, block: usize, unit: &Block) -> i32 {
        let share = match () {
            () if Atlas::is_sea(unit.area) => 100,
            () if unit.is_hidden() => SOME_SUPPORT,
            () if unit.kind.is_ground() => 100,
            () => SUPPORT,
        };
        self.cv(block, unit) * share / 100
    }

    /// Strength of a Faction's units in an area: hits and steps, in hundredths.
    pub fn strength(&self, faction: Faction, area: u8) -> (i32, i32) {
        let forces = self.forces.get_or_init(|| {
            let mut forces = [[(0_i16, 0_i16); AREAS]; 3];
            for faction in Faction::ALL {
                for block in blocks_of(faction) {
                    let unit = &self.state.blocks[block];
                    if unit.on_map() {
                        let sum = &mut forces[faction.index()][usize::from(unit.area)];
                        sum.0 += self.fire(block, unit) as i16;
                        sum.1 += self.holding(block, unit) as i16;
                    }
                }
            }
            forces
        });
        let (hits, steps) = forces[faction.index()][usize::from(area)];
        (i32::from(hits), i32::from(steps))
    }

    /// Strength of everybody who would defend an area against this seat.
    pub fn defence(&self, area: u8) -> (i32, i32) {
        let mut sum = (0, 0);
        for faction in self.me.rivals() {
            let (hits, steps) = self.strength(faction, area);
            (sum.0, sum.1) = (sum.0 + hits, sum.1 + steps);
        }
        if let Some(fort) = self.state.fort_at(area) {
            let cv = 100 * i32::from(self.state.blocks[fort].cv);
            (sum.0, sum.1) = (sum.0 + cv * 4 / 6, sum.1 + cv);
        }
        sum
    }

    /// How far apart two areas are, in steps over any border.
    pub fn distance(&self, from: u8, to: u8) -> u8 {
        self.rules.atlas().steps[usize::from(from) * AREAS + usize::from(to)]
    }

    /// What an area is worth to whoever holds it, in hundredths of VP: what it adds to a track that holds Production back.
    pub fn worth(&self, faction: Faction, pop: i32, res: i32) -> i32 {
        let tracks = &self.tracks()[faction.index()];
        let war = self.state.of(faction).at_war();
        let (ind, has_pop, has_res) = (i32::from(tracks.ind), i32::from(tracks.pop), i32::from(tracks.res));
        // A point of a track is worth most where it is the bottleneck, and something in reserve.
        let weigh = |have: i32, more: i32, counts: bool| {
            let short = (ind + 2 - have).clamp(0, 6);
            let each = if short > 0 { 70 + 5 * short } else { 25 };
            more * if counts { each } else { each / 2 }
        };
        weigh(has_pop, pop, true) + weigh(has_res, res, war)
    }

    /// Population and resources of a nation's areas.
    pub fn wealth(&self, areas: AreaSet) -> (i32, i32) {
        areas.iter().fold((0, 0), |(pop, res), area| {
            let info = self.rules.atlas().area(area);
            (pop + i32::from(info.pop), res + i32::from(info.res + info.red_res))
        })
    }

    /// The attackers that Rivals could bring against an area within a turn: hits and steps.
    pub fn threat(&self, area: u8) -> (i32, i32) {
        let known = &self.threats.get_or_init(|| [const { Cell::new(None) }; AREAS])[usize::from(area)];
        if let Some(threat) = known.get() {
            return threat;
        }
        let threat = self.threat_now(area);
        known.set(Some(threat));
        threat
    }

    fn threat_now(&self, area: u8) -> (i32, i32) {
        let mut sum = (0, 0);
        for rival in self.me.rivals() {
            if self.rules.allied(self.me, rival) {
                continue;
            }
            // A Rival at peace is half a threat.
            let share = if self.state.at_war(self.me, rival) { 100 } else { 45 };
            for near in self.state.present[rival.index()] {
                let far = self.distance(near, area);
                if far <= 2 && far > 0 {
                    let (hits, steps) = self.strength(rival, near);
                    let share = if far == 1 { share } else { share * 2 / 3 };
                    (sum.0, sum.1) = (sum.0 + hits * share / 100, sum.1 + steps * share / 100);
                }
            }
        }
        sum
    }

    /// How much more defence an own area needs, in steps; 0 where it is safe.
    pub fn need(&self, area: u8) -> i32 {
        let (hits, steps) = self.threat(area);
        let (own_hits, own_steps) = self.strength(self.me, area);
        let lack = (hits + steps) - (own_hits + own_steps) * 3 / 2;
        (lack * self.character.guard / 100).max(0) / 100
    }

    /// Own capitals, the main one first.
    pub fn own_capitals(&self) -> impl Iterator<Item = u8> + '_ {
        let capitals = self.rules.atlas().factions[self.me.index()].capitals.iter().copied();
        capitals.filter(|area| self.state.controls(self.me, *area))
    }

    /// What holding a place is worth beyond its tracks: capitals win and lose games.
    pub fn place_value(&self, area: u8) -> i32 {
        let atlas = self.rules.atlas();
        let own = &atlas.factions[self.me.index()];
        let info = atlas.area(area);
        let capital = match () {
            () if own.main_capital == area => 900,
            () if own.capitals.contains(&area) => 400,
            () => 0,
        };
        capital + self.worth(self.me, i32::from(info.pop), i32::from(info.res + info.red_res))
    }

    /// The nearest area of a set.
    pub fn nearest(&self, from: u8, set: AreaSet) -> u8 {
        set.iter().map(|area| self.distance(from, area)).min().unwrap_or(NONE)
    }
}
