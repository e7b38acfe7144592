//! The arithmetic of combat: hit numbers and saves, line by line. Rules 11.3, 11.5, 12.5, 12.6.

use terrain::{Arc, Cell, Octant};

use crate::battalions::{Class, Mode, Quality};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::settings::Flanks;
use crate::state::{NOBODY, State, mark};
use crate::tables::Shift;
use crate::units::Units;

/// A line of a sum. The words are in `words.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum Line {
    #[default]
    Basic,
    Quality,
    HeavierInOpen,
    LighterInOpen,
    InZone,
    Zones,
    Fire,
    TheirInZone,
    TheirZones,
    TheirFire,
    River,
    FromTheSea,
    Minefield,
    OutOfSupply,
    Night,
    SaveValue,
    Support,
    Rough,
    Prepared,
    Flank,
    Rear,
    Tanks,
    Heavier,
    ArmourIntoRough,
    Afloat,
}

/// A number on a die, and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    lines: [(Line, Shift); 14],
    count: u8,
    /// What is needed: so much or less on a ten-sided die.
    pub need: u8,
}

impl Sum {
    /// The lines that count for something.
    pub fn lines(&self) -> &[(Line, Shift)] {
        &self.lines[..usize::from(self.count)]
    }
}

/// Adds up the lines of a number.
trait Adder {
    fn add(&mut self, line: Line, shift: Shift);
}

/// Only the total counts: the hot path.
struct Total(Shift);

impl Adder for Total {
    #[inline]
    fn add(&mut self, _: Line, shift: Shift) {
        self.0 += shift;
    }
}

impl Adder for Sum {
    fn add(&mut self, line: Line, shift: Shift) {
        if shift != 0 && usize::from(self.count) < self.lines.len() {
            self.lines[usize::from(self.count)] = (line, shift);
            self.count += 1;
        }
    }
}

/// An assault as far as its arithmetic goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fight {
    /// The attacking zone.
    pub from: Cell,
    /// The defending zone.
    pub to: Cell,
    /// The primary attacker.
    pub lead: u8,
    /// The primary defender.
    pub foe: u8,
    /// In-zone supports.
    pub supports: Units,
    /// Supporting zones of the attacker.
    pub zones: u8,
    /// Fire supports of the attacker.
    pub fire: u8,
    /// Fire supports of the defender.
    pub answer: u8,
    /// A night raid.
    pub raid: bool,
}

impl Rules {
    fn limited(&self, total: Shift) -> u8 {
        total.clamp(self.tables.hit_min, self.tables.hit_max) as u8
    }

    /// The quality line. Rule 11.3.
    fn quality(&self, attacker: Quality, defender: Quality) -> Shift {
        self.tables.quality_hit[attacker as usize][defender as usize]
    }

    /// The hit number of ranged combat. Rule 11.5.
    pub fn ranged_need(&self, gun: u8, target: u8, supports: u8) -> u8 {
        let mut total = Total(0);
        self.ranged_lines(gun, target, supports, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn ranged_sum(&self, gun: u8, target: u8, supports: u8) -> Sum {
        let mut sum = Sum { need: self.ranged_need(gun, target, supports), ..Sum::default() };
        self.ranged_lines(gun, target, supports, &mut sum);
        sum
    }

    fn ranged_lines(&self, gun: u8, target: u8, supports: u8, out: &mut impl Adder) {
        let tables = self.tables;
        // Rule 8.5: off-map artillery is Regular.
        let quality = if gun == NOBODY { Quality::Regular } else { self.troop(gun).quality };
        out.add(Line::Basic, tables.base_hit);
        out.add(Line::Quality, self.quality(quality, self.troop(target).quality));
        out.add(Line::Fire, tables.fire_each * supports.min(tables.fire_max) as Shift);
    }

    /// The save of a battalion under the fire of a gun: [`NOBODY`] for off-map artillery. Rule 11.6, ruling R63.
    pub fn fire_save_need(&self, s: &State, gun: u8, target: u8) -> u8 {
        let mut total = Total(0);
        self.fire_save_lines(s, gun, target, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn fire_save_sum(&self, s: &State, gun: u8, target: u8) -> Sum {
        let mut sum = Sum { need: self.fire_save_need(s, gun, target), ..Sum::default() };
        self.fire_save_lines(s, gun, target, &mut sum);
        sum
    }

    fn fire_save_lines(&self, s: &State, gun: u8, target: u8, out: &mut impl Adder) {
        self.shelter_lines(s, target, false, out);
        if self.settings.flanks == Flanks::All && gun != NOBODY && !self.is_afloat(s, target) {
            self.arc_line(self.exposed(s, s.unit(target).zone, s.unit(gun).zone), out);
        }
    }

    /// The line for an attack from the flank or the rear. Rule 12.6.
    fn arc_line(&self, arc: Arc, out: &mut impl Adder) {
        match arc {
            Arc::Front => {}
            Arc::Flank => out.add(Line::Flank, self.tables.save_flank),
            Arc::Rear => out.add(Line::Rear, self.tables.save_flank),
        }
    }

    /// The save of a battalion under fire or from the air, whichever side it comes from, without the lines of an assault.
    /// Rules 11.6, 11.9, 17.3.
    pub fn shelter_need(&self, s: &State, target: u8, from_air: bool) -> u8 {
        let mut total = Total(0);
        self.shelter_lines(s, target, from_air, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn shelter_sum(&self, s: &State, target: u8, from_air: bool) -> Sum {
        let mut sum = Sum { need: self.shelter_need(s, target, from_air), ..Sum::default() };
        self.shelter_lines(s, target, from_air, &mut sum);
        sum
    }

    fn shelter_lines(&self, s: &State, target: u8, from_air: bool, out: &mut impl Adder) {
        let (tables, troop) = (self.tables, self.troop(target));
        let zone = s.unit(target).zone;
        out.add(Line::SaveValue, troop.save as Shift);
        let others = self.others(s, zone, target).min(tables.save_support_max);
        out.add(Line::Support, tables.save_support_each * others as Shift);
        self.cover(s, troop.side, troop.mode, zone, false, out);
        if !from_air && self.is_afloat(s, target) {
            out.add(Line::Afloat, tables.save_afloat);
        }
        if self.is_cut_off(s, target) {
            out.add(Line::OutOfSupply, tables.save_out_of_supply);
        }
    }

    /// Rough terrain or a prepared position, for Non Mech. Rule 12.6.
    fn cover(&self, s: &State, side: Side, mode: Mode, zone: Cell, engineers: bool, out: &mut impl Adder) {
        if mode == Mode::Mechanized {
            return;
        }
        if self.is_prepared(s, zone, side) {
            let less = if engineers { self.tables.save_engineer } else { 0 };
            out.add(Line::Prepared, self.tables.save_prepared - less);
        } else if self.lay(zone).rough {
            out.add(Line::Rough, self.tables.save_rough);
        }
    }

    /// The save of a gun whose own fire went wrong. Rule 11.7.
    pub fn gunner_need(&self, s: &State, gun: u8) -> u8 {
        let less = if self.is_cut_off(s, gun) { self.tables.save_out_of_supply } else { 0 };
        self.limited(self.troop(gun).save as Shift + less)
    }

    /// Zones that support the defender: at most two, not assaulted in this phase. Rule 12.4.
    pub fn defending_zones(&self, s: &State, from: Cell, to: Cell) -> u8 {
        let Some(side) = self.owner(s, to) else { return 0 };
        let most = self.tables.zone_max;
        let mut count = 0;
        let mut look = |zone: Cell| {
            if zone != from
                && zone != to
                && count < most
                && self.holds(s, zone, side)
                && s.zones[usize::from(zone)].works & crate::state::work::PINNED == 0
                && s.stack(zone).any(|unit| self.troop(unit).class.is_combat())
            {
                count += 1;
            }
        };
        for zone in self.around(to) {
            look(zone);
        }
        for zone in self.around(from) {
            if !self.touch(zone, to) {
                look(zone);
            }
        }
        count
    }

    /// The hit number of an assault. Rule 12.5.
    pub fn assault_need(&self, s: &State, fight: &Fight) -> u8 {
        let mut total = Total(0);
        self.assault_lines(s, fight, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn assault_sum(&self, s: &State, fight: &Fight) -> Sum {
        let mut sum = Sum { need: self.assault_need(s, fight), ..Sum::default() };
        self.assault_lines(s, fight, &mut sum);
        sum
    }

    fn assault_lines(&self, s: &State, fight: &Fight, out: &mut impl Adder) {
        let tables = self.tables;
        let (lead, foe) = (self.troop(fight.lead), self.troop(fight.foe));
        let count = |count: u8, most: u8, each: Shift| count.min(most) as Shift * each;
        out.add(Line::Basic, tables.base_hit);
        out.add(Line::Quality, self.quality(lead.quality, foe.quality));
        if lead.class.is_armour() && foe.class.is_armour() && !self.lay(fight.to).rough {
            match lead.weight.cmp(&foe.weight) {
                std::cmp::Ordering::Greater => out.add(Line::HeavierInOpen, tables.heavier_in_open),
                std::cmp::Ordering::Less => out.add(Line::LighterInOpen, -tables.heavier_in_open),
                std::cmp::Ordering::Equal => {}
            }
        }
        out.add(Line::InZone, count(fight.supports.len(), tables.in_zone_max, tables.in_zone_each));
        out.add(Line::Zones, count(fight.zones, tables.zone_max, tables.zone_each));
        out.add(Line::Fire, count(fight.fire, tables.fire_max, tables.fire_each));
        let others = self.others(s, fight.to, fight.foe);
        out.add(Line::TheirInZone, -count(others, tables.in_zone_max, tables.in_zone_each));
        if !fight.raid {
            let zones = self.defending_zones(s, fight.from, fight.to);
            out.add(Line::TheirZones, -count(zones, tables.zone_max, tables.zone_each));
        }
        out.add(Line::TheirFire, -count(fight.answer, tables.fire_max, tables.fire_each));
        if self
            .scenario
            .grid
            .direction(fight.from, fight.to)
            .is_some_and(|way| self.is_river(fight.from, way))
        {
            out.add(Line::River, tables.hit_across_river);
        }
        if self.lay(fight.from).water {
            out.add(Line::FromTheSea, tables.hit_landing);
        }
        if self.is_mined(s, fight.to, foe.side) {
            out.add(Line::Minefield, tables.hit_minefield);
        }
        if self.is_cut_off(s, fight.lead) {
            out.add(Line::OutOfSupply, tables.hit_out_of_supply);
        }
        if fight.raid {
            out.add(Line::Night, tables.hit_night);
        }
    }

    /// The save of the primary defender. Rule 12.6.
    pub fn defender_need(&self, s: &State, fight: &Fight) -> u8 {
        let mut total = Total(0);
        self.defender_lines(s, fight, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn defender_sum(&self, s: &State, fight: &Fight) -> Sum {
        let mut sum = Sum { need: self.defender_need(s, fight), ..Sum::default() };
        self.defender_lines(s, fight, &mut sum);
        sum
    }

    fn defender_lines(&self, s: &State, fight: &Fight, out: &mut impl Adder) {
        let tables = self.tables;
        let (lead, foe) = (self.troop(fight.lead), self.troop(fight.foe));
        out.add(Line::SaveValue, foe.save as Shift);
        let others = self.others(s, fight.to, fight.foe).min(tables.save_support_max);
        out.add(Line::Support, tables.save_support_each * others as Shift);
        let engineers = lead.class == Class::Engineers
            || fight.supports.into_iter().any(|unit| self.troop(unit).class == Class::Engineers);
        self.cover(s, foe.side, foe.mode, fight.to, engineers, out);
        self.arc_line(self.exposed(s, fight.to, fight.from), out);
        if lead.class == Class::Tank && !s.stack(fight.to).any(|unit| self.troop(unit).antitank) {
            out.add(Line::Tanks, tables.save_by_tank);
        }
        if lead.class.is_armour() && foe.class.is_armour() && lead.weight > foe.weight {
            out.add(Line::Heavier, tables.save_heavier);
        }
        if self.is_cut_off(s, fight.foe) {
            out.add(Line::OutOfSupply, tables.save_out_of_supply);
        }
    }

    /// From which side of a stack an attack comes; for guns far away by the nearest of the eight directions. Rule 4.3.
    #[inline]
    pub fn exposed(&self, s: &State, defending: Cell, attacking: Cell) -> Arc {
        let towards = self.scenario.grid.bearing(defending, attacking);
        towards.map_or(Arc::Front, |towards| Octant::arc(s.zones[usize::from(defending)].facing, towards))
    }

    /// The save of the primary attacker. Rule 12.6.
    pub fn attacker_need(&self, s: &State, fight: &Fight) -> u8 {
        let mut total = Total(0);
        self.attacker_lines(s, fight, &mut total);
        self.limited(total.0)
    }

    /// The same, line by line.
    pub fn attacker_sum(&self, s: &State, fight: &Fight) -> Sum {
        let mut sum = Sum { need: self.attacker_need(s, fight), ..Sum::default() };
        self.attacker_lines(s, fight, &mut sum);
        sum
    }

    fn attacker_lines(&self, s: &State, fight: &Fight, out: &mut impl Adder) {
        let (tables, lead) = (self.tables, self.troop(fight.lead));
        out.add(Line::SaveValue, lead.save as Shift);
        let supports = fight.supports.len().min(tables.save_support_max);
        out.add(Line::Support, tables.save_support_each * supports as Shift);
        if lead.class.is_armour() && self.lay(fight.to).rough {
            out.add(Line::ArmourIntoRough, tables.save_armour_into_rough);
        }
        if self.is_mined(s, fight.to, lead.side.enemy()) {
            out.add(Line::Minefield, tables.save_minefield);
        }
        if self.lay(fight.from).water {
            out.add(Line::Afloat, tables.save_afloat);
        }
        if self.is_cut_off(s, fight.lead) {
            out.add(Line::OutOfSupply, tables.save_out_of_supply);
        }
    }

    /// Whether artillery on the map may fire at a zone, as the primary of ranged combat or as a support. Rules 10.9, 12.5.
    pub fn may_fire(&self, s: &State, gun: u8, zone: Cell, primary: bool) -> bool {
        let (troop, battalion) = (self.troop(gun), s.unit(gun));
        battalion.on_map()
            && !battalion.is(mark::FIRED | mark::ROAD)
            && (!battalion.is(mark::MOVED) || (troop.class == Class::SelfPropelled && !primary))
            && !self.is_cut_off(s, gun)
            && !self.lay(battalion.zone).water
            && !(battalion.result == crate::tables::Activation::Fallback && troop.side == s.side)
            && self.distance(battalion.zone, zone) <= troop.range
    }
}
