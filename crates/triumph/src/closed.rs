//! Choices that a person would look for and can't have now. [`Rules::why_not`] explains each of them.

use crate::areas::{AREAS, AreaSet, NONE, bits};
use crate::cards::{Card, Deck, Diplomacy, Intel, Tech, Wild};
use crate::choice::{Choice, Find};
use crate::factions::{Faction, blocks_of};
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{State, Status, flag};
use crate::units::{Class, Kind};
use crate::world::Atlas;

impl Rules {
    /// Adds choices that are closed now.
    pub(crate) fn closed(&self, state: &State, listed: &[Choice], out: &mut Vec<Choice>) {
        let Some(faction) = self.decider(state) else { return };
        let mut found = Vec::new();
        self.look_for(state, faction, &mut found);
        for choice in found {
            // An area that is open by one way or another is not closed.
            let open = |to: u8| listed.iter().any(|other| matches!(*other, Choice::To(at, _) if at == to));
            if matches!(choice, Choice::To(to, NONE) if open(to)) {
                continue;
            }
            if !listed.contains(&choice) && !out.contains(&choice) {
                out.push(choice);
            }
        }
    }

    /// What a person would look for in a stage, open or not.
    fn look_for(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        match state.stage {
            Stage::SetUp(_) => out.extend(Kind::ALL.map(Choice::Cadre)),
            Stage::Muster(_) => out.extend(Kind::ALL.map(Choice::Muster)),
            Stage::Arrival(_) => {
                out.extend(self.atlas().nation(self.atlas().usa).areas.iter().map(Choice::Arrive));
            }
            Stage::Spend => {
                out.extend([Choice::BuyAction, Choice::BuyInvestment, Choice::Strengthen, Choice::Build]);
            }
            Stage::Step => self.look_for_units(state, faction, |_| true, Choice::Step, out),
            Stage::Build => {
                let powers = self.powers(state, faction);
                out.extend(powers.flat_map(|power| Kind::ALL.map(|kind| Choice::New(power, kind))));
            }
            Stage::BuildAt => {
                let (power, kind) = Self::picked_type(state);
                let mut areas = self.atlas().home[power.index()];
                if kind == Kind::Fortress {
                    areas = areas.or(state.control[faction.index()]);
                }
                out.extend(areas.iter().map(Choice::At));
            }
            Stage::Government => {
                self.look_for_diplomacy(state, faction, out);
                out.push(Choice::Factory);
                self.look_for_investments(state, faction, out);
            }
            Stage::FreePlay(_) => self.look_for_diplomacy(state, faction, out),
            Stage::DoubleAgent(..) => {}
            Stage::SecondCard | Stage::Winter => {
                Self::hand(state, faction).for_each(|card| out.push(Choice::Commit(card)));
            }
            Stage::WarCard(_) => {
                let cards = Self::hand(state, faction).filter(|card| card.deck() == Deck::Action);
                out.extend(cards.map(Choice::Discard));
            }
            Stage::Movement => self.look_for_moves(state, faction, out),
            Stage::Destination => self.look_for_destinations(state, out),
            _ => self.look_for_combat(state, faction, out),
        }
    }

    /// All cards of a hand.
    fn hand(state: &State, faction: Faction) -> impl Iterator<Item = Card> {
        let hand = state.of(faction).hand;
        Deck::ALL
            .into_iter()
            .flat_map(move |deck| bits(hand[deck as usize]).map(move |index| Card::new(deck, index)))
    }

    /// Own units on the map, one of each that are alike.
    fn look_for_units(
        &self,
        state: &State,
        faction: Faction,
        wanted: impl Fn(usize) -> bool,
        choice: impl Fn(u8) -> Choice,
        out: &mut Vec<Choice>,
    ) {
        let own = blocks_of(faction).filter(|&block| {
            state.blocks[block].on_map() && Self::is_first_alike(state, block) && wanted(block)
        });
        out.extend(own.map(|block| choice(block as u8)));
    }

    /// The nations of the Action cards in hand, and of the lists of WildCards.
    fn look_for_diplomacy(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        for index in bits(state.of(faction).hand[0]) {
            let card = Card::new(Deck::Action, index);
            match &self.world.action(card).diplomacy {
                Diplomacy::Nations(ends) => {
                    out.extend(ends.iter().map(|nation| Choice::Diplomacy(card, *nation)));
                }
                Diplomacy::Wild(_, wild) => {
                    let list = match *wild {
                        Wild::Listed(lists) => lists[faction.index()],
                        Wild::Isolation(list) => list,
                        Wild::Loathing(lists) => {
                            faction.rivals().iter().fold(0, |all, rival| all | lists[rival.index()])
                        }
                        Wild::Intimidation | Wild::Guarantee | Wild::ForeignAid => 0,
                    };
                    out.extend(bits(list).map(|nation| Choice::Wild(card, nation)));
                }
            }
        }
    }

    /// Technologies with one card only, and Intelligence cards without an aim.
    fn look_for_investments(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let has = |out: &[Choice], tech: Tech| {
            out.iter().any(|choice| matches!(choice, Choice::Pair(_, _, find) if find.tech() == tech))
        };
        let mut paired = Vec::new();
        self.list_pairs(state, faction, &mut paired);
        for (card, tech) in self.single_cards(state, faction) {
            if !has(&paired, tech) {
                out.push(Choice::Pair(card, card, Find::new(tech, false)));
            }
        }
        let mut spies = Vec::new();
        self.list_spies(state, faction, &mut spies);
        for index in bits(state.of(faction).hand[1]) {
            let card = Card::new(Deck::Investment, index);
            let Some(intel) = self.spy(card) else { continue };
            for target in faction.rivals() {
                let aims = |choice: &Choice| matches!(*choice, Choice::Spy(other, at, _) if other == card && at == target);
                let once = intel != Intel::DoubleAgent || target == faction.rivals()[0];
                if once && !spies.iter().any(aims) {
                    out.push(Choice::Spy(card, target, NONE));
                }
            }
        }
    }

    fn look_for_moves(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        out.extend(faction.rivals().map(Choice::War));
        for nation in 0..self.atlas().nations.len() as u8 {
            match state.nation(nation).status {
                Status::Neutral => out.push(Choice::Violate(nation)),
                Status::Armed => out.extend([Choice::Violate(nation), Choice::Intervene(nation)]),
                _ => {}
            }
        }
        if (state.of(faction).techs | state.of(faction).secret_techs()) >> Tech::Atomic1 as u8 != 0 {
            out.push(Choice::Bomb);
        }
        self.look_for_units(state, faction, |_| true, Choice::Move, out);
        let escaped = |block: usize| state.blocks[block].is(flag::ESCAPED);
        self.look_for_units(state, faction, escaped, Choice::Surface, out);
    }

    /// The areas that the picked unit would reach if nothing were in its way.
    fn look_for_destinations(&self, state: &State, out: &mut Vec<Choice>) {
        let Some(unit) = state.blocks.get(usize::from(state.picked)) else { return };
        let stance = self.stance(state, state.turn.faction);
        let speed = match unit.kind {
            Kind::AirForce => stance.air_speed(self, unit.kind),
            kind if kind.is_ship() || Atlas::is_sea(unit.area) => stance.sea_speed(self, kind),
            kind => stance.land_speed(self, kind).max(stance.sea_speed(self, kind)),
        };
        let mut all = AreaSet::one(unit.area);
        for _ in 0..speed {
            all = all.or(Atlas::around(&self.atlas().near, all));
        }
        let reach = self.reach(state, &stance, usize::from(state.picked));
        let inland = |area: u8| !Atlas::is_sea(area) && !self.atlas().area(area).coastal;
        for to in all.minus(AreaSet::one(unit.area)) {
            if !(unit.kind.is_ship() && inland(to)) {
                out.push(Choice::To(to, NONE));
            }
        }
        // Other ways into areas that are open: borders that are used up.
        if unit.kind.is_ground() && state.turn.declared.is_none() {
            for &(to, _) in reach.entries() {
                for edge in self.atlas().edges(to) {
                    let used = edge.kind.limit() > 0
                        && state.crossings(stance.faction, edge.border) >= edge.kind.limit();
                    if used && reach.ends.or(AreaSet::one(unit.area)).has(edge.to) {
                        out.push(Choice::To(to, edge.to));
                    }
                }
            }
        }
    }

    fn look_for_combat(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let here = |area: u8| {
            move |block: usize| state.blocks[block].area == area && !state.blocks[block].is(flag::ESCAPED)
        };
        match state.stage {
            Stage::Action(_) => {
                for block in blocks_of(faction).filter(|block| here(state.battle.area)(*block)) {
                    let unit = &state.blocks[block];
                    if unit.kind == state.battle.kind && Self::is_first_alike(state, block) {
                        self.look_for_actions(state, block, out);
                    }
                }
            }
            Stage::AfterStrike => self.look_for_retreats(state, usize::from(state.battle.firing), out),
            Stage::Hit(_) => {
                let own = here(state.battle.area);
                self.look_for_units(state, faction, own, Choice::Hit, out);
            }
            Stage::Leave(_, why) => {
                for block in blocks_of(faction) {
                    if self.must_leave(state, block, why) && Self::is_first_alike(state, block) {
                        match why {
                            Leaving::Sea => {}
                            _ => self.look_for_retreats(state, block, out),
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// All targets and neighbours of a unit that acts.
    fn look_for_actions(&self, state: &State, block: usize, out: &mut Vec<Choice>) {
        let unit = &state.blocks[block];
        let at = block as u8;
        out.extend(Class::ALL.map(|class| Choice::Fire(at, class)));
        if unit.kind == Kind::Carrier {
            out.push(Choice::Strike(at));
        }
        let capital = self.atlas().factions.iter().any(|info| info.main_capital == unit.area);
        if unit.kind == Kind::AirForce && capital {
            out.push(Choice::Raid(at));
        }
        if unit.kind != Kind::AirForce {
            self.look_for_retreats(state, block, out);
        }
    }

    /// The neighbours of a unit's area; those it can only ReBase to are open.
    fn look_for_retreats(&self, state: &State, block: usize, out: &mut Vec<Choice>) {
        let Some(unit) = state.blocks.get(block).filter(|unit| usize::from(unit.area) < AREAS) else {
            return;
        };
        let owner = State::owner(block).unwrap_or(state.turn.faction);
        let rebases = self.rebase_goals(state, &self.stance(state, owner), block);
        let near = self.atlas().near[usize::from(unit.area)].minus(rebases);
        let inland = |area: &u8| !Atlas::is_sea(*area) && !self.atlas().area(*area).coastal;
        let fits = near.iter().filter(|area| !(unit.kind.is_ship() && inland(area)));
        out.extend(fits.map(|to| Choice::Retreat(block as u8, to)));
    }
}
