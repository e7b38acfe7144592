//! Spending: shares for units, Action and Investment cards; which units, where.

use crate::areas::NONE;
use crate::choice::Choice;
use crate::factions::{Power, blocks_of};
use crate::policy::Mind;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::units::{KINDS, Kind};

impl Mind<'_> {
    /// How many of each type a Power should have, in proportion.
    fn mix(&self, power: Power) -> [i32; KINDS] {
        let [fort, air, carrier, submarine, fleet, tank, infantry] = match power {
            Power::Germany => [1, 4, 0, 2, 1, 5, 7],
            Power::Italy => [1, 2, 0, 1, 2, 1, 4],
            Power::Britain => [2, 3, 1, 1, 4, 1, 4],
            Power::France => [2, 2, 0, 0, 1, 1, 5],
            Power::Usa => [0, 3, 1, 0, 3, 3, 4],
            Power::Ussr => [2, 3, 0, 1, 1, 5, 8],
        };
        let ships = |weight: i32| weight * self.character.fleet / 100;
        [fort, air, ships(carrier), ships(submarine), ships(fleet), tank, infantry]
    }

    /// How much a type is missing in a Power's forces.
    fn lacks(&self, power: Power, kind: Kind) -> i32 {
        let mix = self.mix(power);
        let total: i32 = mix.iter().sum::<i32>().max(1);
        let units = self.state.blocks[power.blocks()].iter().filter(|block| block.on_map());
        let (mut count, mut same) = (0, 0);
        for unit in units {
            count += 1;
            same += i32::from(unit.kind == kind);
        }
        mix[kind.index()] * (count + 3) * 100 / total - 100 * same
    }

    /// A type for a Cadre of the set-up or of a new Satellite.
    pub fn rate_kind(&self, choice: Choice) -> i32 {
        let (power, area, kind) = match (choice, self.state.stage) {
            (Choice::Cadre(kind), Stage::SetUp(at)) => {
                let Some((power, area)) = self.rules.cadres().nth(usize::from(at)) else { return 0 };
                (power, area, kind)
            }
            (Choice::Muster(kind), _) => {
                let Some((faction, area)) = self.rules.next_muster(self.state) else { return 0 };
                (faction.great(), area, kind)
            }
            _ => return 0,
        };
        // A Satellite's unit is there to hold: ground troops, a Fortress where it may be attacked.
        let holds = matches!(choice, Choice::Muster(_)) && kind.is_ground();
        let border = kind == Kind::Fortress && self.need(area) > 0;
        self.lacks(power, kind) + 400 * i32::from(holds) + 250 * i32::from(border)
    }

    /// What the next point is spent on.
    pub fn choose_spending(&mut self, choices: &[Choice]) -> usize {
        let at = |wanted: Choice| choices.iter().position(|choice| *choice == wanted);
        let spent = &self.state.spending;
        let level = i32::from(spent.level).max(1);
        let [units, actions, investments] = self.shares();
        let parts = [
            (Choice::Strengthen, units, i32::from(spent.steps + spent.cadres)),
            (Choice::BuyAction, actions, i32::from(spent.cards[0])),
            (Choice::BuyInvestment, investments, i32::from(spent.cards[1])),
        ];
        let mut order = parts.map(|(choice, share, done)| (share * level - 100 * done, choice));
        order.sort_by_key(|(lack, _)| -lack);
        for (_, choice) in order {
            let found = match choice {
                Choice::Strengthen => self.unit_or_step(choices),
                other => at(other),
            };
            if let Some(found) = found {
                return found;
            }
        }
        at(Choice::Finish).unwrap_or(0)
    }

    /// Steps before Cadres, but new blocks where most units are strong already.
    fn unit_or_step(&self, choices: &[Choice]) -> Option<usize> {
        let at = |wanted: Choice| choices.iter().position(|choice| *choice == wanted);
        let (mut weak, mut all) = (0, 0);
        for block in &self.state.blocks[blocks_of(self.me)] {
            if block.on_map() {
                all += 1;
                weak += i32::from(block.cv <= 2);
            }
        }
        let spent = &self.state.spending;
        let few = all < 18 && spent.cadres * 2 <= spent.steps;
        if few || weak * 3 < all {
            at(Choice::Build).or_else(|| at(Choice::Strengthen))
        } else {
            at(Choice::Strengthen).or_else(|| at(Choice::Build))
        }
    }

    /// The shares of a Production, in hundredths: units, Action cards, Investment cards.
    fn shares(&self) -> [i32; 3] {
        let own = self.state.of(self.me);
        let tracks = &self.tracks()[self.me.index()];
        let danger: i32 = self.own_capitals().map(|area| self.need(area)).sum();
        let war = own.at_war();
        let mut units = if war { self.character.arms_at_war } else { self.character.arms };
        units = (units + 4 * danger.min(10)).min(85);
        let bottleneck = if war { tracks.pop.min(tracks.res) } else { tracks.pop };
        let room = i32::from(bottleneck) + self.character.industry - i32::from(tracks.ind);
        let hand = i32::from(own.hand_len(crate::cards::Deck::Action) as u8);
        let mut actions = self.character.actions - 3 * hand;
        let mut investments = 100 - units - actions;
        if room <= 0 && self.character.physics < 150 {
            // Factories would stand idle.
            let moved = investments * 2 / 3;
            investments -= moved;
            actions += moved / 2;
            units += moved - moved / 2;
        }
        [units.max(5), actions.max(5), investments.max(0)]
    }

    /// Which unit takes a step.
    pub fn rate_step(&self, choice: Choice) -> i32 {
        let Some(block) = choice.block() else { return 0 };
        let unit = &self.state.blocks[block];
        let kind = match unit.kind {
            Kind::Infantry => 60,
            Kind::Tank => 55,
            Kind::AirForce => 45,
            Kind::Fortress => 30,
            Kind::Fleet => 30,
            Kind::Submarine => 20,
            Kind::Carrier => 15,
        };
        let need = self.need(unit.area).min(8);
        let capital = i32::from(self.own_capitals().any(|area| area == unit.area));
        let wall = i32::from(unit.kind == Kind::Fortress) * need * 25;
        kind + need * (10 + 20 * capital) + wall + self.front(unit.area) - 4 * i32::from(unit.cv)
    }

    /// How near an area is to Enemies, or to Rivals in peace.
    fn front(&self, area: u8) -> i32 {
        let foes = self.stance().foes;
        let rivals = self.me.rivals();
        let near = if foes.is_empty() {
            let [one, other] = rivals.map(|rival| self.state.present[rival.index()]);
            self.nearest(area, one.or(other).and(crate::areas::AreaSet::LAND))
        } else {
            self.nearest(area, foes)
        };
        if near == NONE { 0 } else { 30 - 6 * i32::from(near.min(5)) }
    }

    /// What is built.
    pub fn rate_build(&self, choice: Choice) -> i32 {
        let Choice::New(power, kind) = choice else { return 0 };
        let great = i32::from(power == self.me.great()) * 40;
        let usa = i32::from(power == Power::Usa) * -20;
        let danger: i32 = self.own_capitals().map(|area| self.need(area)).max().unwrap_or(0);
        let wall = i32::from(kind == Kind::Fortress) * (danger.min(6) * 40 - 60);
        self.lacks(power, kind) + great + usa + wall
    }

    /// Where it is built.
    pub fn rate_site(&self, choice: Choice) -> i32 {
        let (area, kind) = match choice {
            Choice::At(area) => (area, Rules::picked_type(self.state).1),
            Choice::Arrive(area) => (area, Kind::Infantry),
            _ => return 0,
        };
        let need = self.need(area).min(8);
        let capital = i32::from(self.own_capitals().any(|own| own == area));
        let fortress = kind == Kind::Fortress;
        let value = self.place_value(area).min(600) / 10;
        let guard = need * (15 + 25 * capital);
        let wall = i32::from(fortress) * value;
        let offence = i32::from(!fortress) * self.front(area) * 2;
        guard + wall + offence + (self.whim % 7) as i32
    }
}
