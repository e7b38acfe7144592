//! Card play: Diplomacy where it pays or hurts the leader, factories, technologies, Intelligence; which cards to keep.

use crate::areas::bits;
use crate::cards::{Card, Deck, Intel, Research, Tech};
use crate::choice::{Choice, Find};
use crate::factions::Faction;
use crate::policy::Mind;
use crate::stage::Stage;
use crate::state::Part;

/// What a play must be worth to be made, in hundredths of VP.
const WORTHWHILE: i32 = 12;

impl Mind<'_> {
    /// The best play, or a pass.
    pub fn choose_play(&mut self, choices: &[Choice]) -> usize {
        let mut best = (WORTHWHILE, usize::MAX);
        for (at, &choice) in choices.iter().enumerate() {
            let rating = self.rate_play(choice);
            if rating > best.0 {
                best = (rating, at);
            }
        }
        if best.1 == usize::MAX {
            return choices.iter().position(|choice| *choice == Choice::Pass).unwrap_or(0);
        }
        if self.tells {
            self.explain_play(choices[best.1], best.0);
        }
        best.1
    }

    fn explain_play(&mut self, choice: Choice, rating: i32) {
        let atlas = self.rules.atlas();
        self.reason = match choice {
            Choice::Diplomacy(_, nation) | Choice::Wild(_, nation) => {
                let info = atlas.nation(nation);
                let (pop, res) = self.wealth(info.areas);
                let now = self.state.nation(nation);
                match now.influencer.filter(|other| *other != self.me) {
                    Some(rival) => format!("{}: takes influence from {}.", info.name, rival.the()),
                    None => format!(
                        "{}: {pop} POP and {res} RES, worth {}.{:02} VP here.",
                        info.name,
                        rating / 100,
                        rating % 100
                    ),
                }
            }
            Choice::Factory => {
                let tracks = &self.tracks()[self.me.index()];
                format!("IND {} holds back POP {}.", tracks.ind, tracks.pop)
            }
            Choice::Pair(_, _, find) => format!("{}: {}.", find.tech().title(), find.tech().about()),
            _ => String::new(),
        };
    }

    /// What a play is worth, in hundredths of VP.
    fn rate_play(&self, choice: Choice) -> i32 {
        match choice {
            Choice::Diplomacy(card, nation) => {
                let gain = self.rate_influence(nation, true);
                gain - self.keep_value(card)
            }
            Choice::Wild(card, nation) => self.rate_influence(nation, false) + 15 - self.keep_value(card),
            Choice::Factory => self.rate_factory(),
            Choice::Pair(_, _, find) => self.rate_tech(find),
            Choice::Spy(card, target, place) => self.rate_spy(card, target, place),
            _ => 0,
        }
    }

    /// One marker more in a nation, or a Rival's less.
    fn rate_influence(&self, nation: u8, in_play: bool) -> i32 {
        let atlas = self.rules.atlas();
        let info = atlas.nation(nation);
        let now = self.state.nation(nation);
        let (pop, res) = self.wealth(info.areas);
        let usa = nation == atlas.usa;
        let worth = |faction: Faction| match () {
            () if usa && faction != Faction::West => 60,
            () => self.worth(faction, pop, res) + 10,
        };
        let mine = worth(self.me) * self.character.courtship / 100;
        let own_cards = self.cards_in_play(self.me, nation);
        let rival_cards: i32 = self.me.rivals().iter().map(|rival| self.cards_in_play(*rival, nation)).sum();
        let rival = now.influencer.filter(|other| *other != self.me);
        if let Some(rival) = rival {
            // Taking a marker away: half of what it gives, all of it where it is the last one; a third is a Satellite.
            let last = now.markers == 1;
            let share = if last { 70 } else { 35 };
            let mut gain = worth(rival) * share / 100 * self.spite(rival) / 100;
            if now.markers == 2 && rival_cards > 0 {
                gain += 40;
            }
            return gain;
        }
        let have = i32::from(now.markers) + if in_play { own_cards } else { 0 };
        if rival_cards > 0 && in_play {
            // It cancels a Rival's card.
            let rival = self.me.rivals().into_iter().find(|rival| self.cards_in_play(*rival, nation) > 0);
            return rival.map_or(0, |rival| worth(rival) * 60 / 100 * self.spite(rival) / 100 + mine / 8);
        }
        match have {
            0 => mine,
            1 => 14 + mine / 5,
            2 => 30 + mine / 4 + if usa { 60 } else { self.frontier_value(nation) },
            _ => 2,
        }
    }

    /// How much a Rival is to be hurt.
    fn spite(&self, rival: Faction) -> i32 {
        let prospects = self.prospects();
        let leads = rival == self.leader() && prospects[rival.index()] > prospects[self.me.index()];
        let base = if leads { 90 } else { 55 };
        (base + 35 * self.alarm(rival)) * self.character.spite / 100
    }

    /// The Diplomacy cards that a Faction has in play for a nation.
    fn cards_in_play(&self, faction: Faction, nation: u8) -> i32 {
        let cards = bits(self.state.of(faction).in_play).map(|index| Card::new(Deck::Action, index));
        cards.filter(|card| self.rules.meant(self.state, faction, *card) == Some(nation)).count() as i32
    }

    /// What a Satellite is worth as ground: a wall, or a step towards a Rival.
    fn frontier_value(&self, nation: u8) -> i32 {
        let areas = self.rules.atlas().nation(nation).areas;
        let near = areas
            .iter()
            .map(|area| self.own_capitals().map(|own| self.distance(area, own)).min().unwrap_or(9));
        if near.min().unwrap_or(9) <= 2 { 40 } else { 15 }
    }

    fn rate_factory(&self) -> i32 {
        let tracks = &self.tracks()[self.me.index()];
        let war = self.state.of(self.me).at_war();
        let bottleneck = if war { tracks.pop.min(tracks.res) } else { tracks.pop };
        let room = i32::from(bottleneck) - i32::from(tracks.ind);
        match room {
            1.. => 150,
            room if room > -self.character.industry => 60,
            _ => 0,
        }
    }

    /// What a technology is worth.
    fn rate_tech(&self, find: Find) -> i32 {
        let tech = find.tech();
        if tech.stage() > 0 {
            let worth = 100 * self.character.physics / 100 + 20;
            // Stages are shown only when they must be: a secret bomb is a better one.
            return worth + i32::from(find.vault()) * 5;
        }
        let war = self.state.of(self.me).at_war();
        let base = match tech {
            Tech::HeavyTanks | Tech::RocketArtillery => 35,
            Tech::MotorizedInfantry | Tech::HeavyBombers => 30,
            Tech::Jets | Tech::AirDefenseRadar => 25,
            Tech::Lsts if self.me == Faction::West => 35,
            Tech::Sonar | Tech::NavalRadar if self.me == Faction::West => 28,
            Tech::PrecisionBombsight => 20,
            _ => 15,
        };
        // In peace it waits in the vault, where it costs a card of the hand.
        base + i32::from(war) * 25 - i32::from(find.vault()) * 10
    }

    fn rate_spy(&self, card: Card, target: Faction, place: u8) -> i32 {
        let Research::Intelligence(intel) = self.rules.world.investment(card).research else { return 0 };
        let spite = self.spite(target);
        match intel {
            Intel::Sabotage => 70 * spite / 100,
            Intel::SpyRing => 55,
            Intel::Coup => {
                let now = self.state.nation(place);
                let (pop, res) = self.wealth(self.rules.atlas().nation(place).areas);
                (self.worth(target, pop, res) + 12 * i32::from(now.markers)) * spite / 100
            }
            Intel::Mole => 25,
            Intel::CodeBreak => 8,
            Intel::Agent | Intel::DoubleAgent => 0,
        }
    }

    /// What a card is worth in the hand: as a Command card of a season to come.
    pub fn keep_value(&self, card: Card) -> i32 {
        let own = self.state.of(self.me);
        match card.deck() {
            Deck::Action => {
                let action = self.rules.world.action(card);
                let war = self.campaigns();
                let season = action.season as i32;
                let past = match self.state.part {
                    Part::NewYear => false,
                    part => season < part as i32 - 1,
                };
                let best = bits(own.hand[0]).filter(|index| {
                    let other = &self.rules.world.decks.actions[usize::from(*index)];
                    other.season == action.season && other.value > action.value
                });
                let spare = best.count() as i32;
                if past {
                    return 3;
                }
                let base = i32::from(action.value) * if war { 6 } else { 2 };
                (base - 15 * spare).max(2)
            }
            Deck::Investment => {
                let investment = self.rules.world.investment(card);
                let pair = match investment.research {
                    Research::Tech(techs, _) if techs >> Tech::Atomic1 as u8 != 0 => {
                        self.character.physics / 3
                    }
                    Research::Tech(..) => 8,
                    Research::Science(..) => 12,
                    Research::Intelligence(Intel::DoubleAgent) => 14,
                    Research::Intelligence(_) => 10,
                };
                pair + 6 * i32::from(investment.factory)
            }
        }
    }

    /// Cards for a factory: no more than it takes, the least useful first.
    pub fn choose_payment(&mut self, choices: &[Choice], laid: u8) -> usize {
        let cost = self.rules.factory_cost(self.state, self.me);
        let rate = |mind: &Self, choice: Choice| {
            let Choice::Pay(card) = choice else { return 0 };
            let investment = mind.rules.world.investment(card);
            let left = i32::from(cost) - i32::from(laid);
            let over = (i32::from(investment.factory) - left).max(0);
            let exact = i32::from(i32::from(investment.factory) == left) * 20;
            let keep = mind.keep_value(card) - 6 * i32::from(investment.factory);
            exact - 10 * over - keep + 4 * i32::from(investment.factory)
        };
        self.best(choices, rate)
    }

    /// The card that is missed least.
    pub fn rate_discard(&self, choice: Choice) -> i32 {
        let Choice::Discard(card) = choice else { return 0 };
        let nations = match card.deck() {
            Deck::Action => match &self.rules.world.action(card).diplomacy {
                crate::cards::Diplomacy::Nations(ends) => {
                    ends.iter().map(|nation| self.future_value(*nation)).max().unwrap_or(0)
                }
                crate::cards::Diplomacy::Wild(..) => 20,
            },
            Deck::Investment => 0,
        };
        -self.keep_value(card) - nations
    }

    /// What a nation's card may do next year.
    fn future_value(&self, nation: u8) -> i32 {
        if self.rules.is_courted(self.state, nation) { self.rate_influence(nation, false) / 3 } else { 0 }
    }

    /// Vault, Mole and the aim of a turned card.
    pub fn rate_secret(&self, choice: Choice) -> i32 {
        match (choice, self.state.stage) {
            (Choice::Reveal(tech), Stage::Vault(_)) if tech.stage() == 0 => 50,
            (Choice::Reveal(_), _) => -10,
            (Choice::Take(_, find), _) => self.rate_tech(find),
            (Choice::Aim(place), Stage::Turned(card, _, player)) => self.rate_spy(card, player, place),
            _ => 0,
        }
    }
}
