//! Who decides, what can be decided, and what Fate draws: one arm for each stage. Section 24 of the rulebook.

use kernel::Mover;

use crate::areas::{bits, nth_bit};
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::{Faction, Parties, Power};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::State;
use crate::units::Kind;

impl Rules {
    /// The Faction that decides; `None` for Fate and when the game is over.
    pub fn decider(&self, state: &State) -> Option<Faction> {
        match state.stage {
            Stage::Draw(_)
            | Stage::Chit(..)
            | Stage::TurnOrder
            | Stage::SetAside(..)
            | Stage::SpyDeck(..)
            | Stage::SpyCard(..)
            | Stage::Dice
            | Stage::Over => None,
            Stage::SetUp(at) => self.cadres().nth(usize::from(at)).map(|(power, _)| power.faction()),
            Stage::ActiveAlly | Stage::Arrival(_) => Some(Faction::West),
            Stage::Spend
            | Stage::Step
            | Stage::Build
            | Stage::BuildAt
            | Stage::Government
            | Stage::Pay(_)
            | Stage::Discard
            | Stage::Command => Some(Self::current(state)),
            Stage::FreePlay(_) => Some(Faction::Axis),
            Stage::DoubleAgent(_, _, target, _) => Some(target),
            Stage::Turned(_, holder, _) => Some(holder),
            Stage::Mole(_, user, _) => Some(user),
            Stage::Muster(_) => self.next_muster(state).map(|(faction, _)| faction),
            Stage::SecondCard => Some(self.second_card_asked(state)),
            Stage::Tie(faction, _)
            | Stage::Protectorate(_, faction)
            | Stage::Vault(faction)
            | Stage::Action(faction)
            | Stage::Hit(faction)
            | Stage::Leave(faction, _)
            | Stage::Escape(faction) => Some(faction),
            Stage::AfterStrike => State::owner(usize::from(state.battle.firing)),
            Stage::Movement
            | Stage::Destination
            | Stage::WarCard(_)
            | Stage::Fight(_)
            | Stage::Select
            | Stage::Against(_)
            | Stage::Group
            | Stage::Rebase => Some(state.turn.faction),
            Stage::Winter => Some(Faction::Ussr),
        }
    }

    /// Who makes the next choice.
    pub(crate) fn mover(&self, state: &State) -> Mover {
        match (self.decider(state), state.stage) {
            (Some(faction), _) => Mover::Seat(self.seat_of(faction)),
            (None, Stage::Over) => Mover::Nobody,
            (None, _) => Mover::Fate,
        }
    }

    /// Lists what can be chosen.
    pub(crate) fn list(&self, state: &State, out: &mut Vec<Choice>) {
        match state.stage {
            Stage::SetUp(at) => {
                if let Some((power, area)) = self.cadres().nth(usize::from(at)) {
                    out.extend(self.kinds_for(state, power, area).map(Choice::Cadre));
                }
            }
            Stage::Draw(_) => {
                if let Some((_, deck)) = Self::next_due(state) {
                    out.extend(
                        bits(state.deck[deck as usize]).map(|card| Choice::Card(Card::new(deck, card))),
                    );
                }
            }
            Stage::SetAside(owner, deck, _) | Stage::SpyCard(_, owner, deck) => {
                let hand = state.of(owner).hand[deck as usize];
                out.extend(bits(hand).map(|card| Choice::Card(Card::new(deck, card))));
            }
            Stage::Chit(..) => {
                out.extend((0..3).filter(|value| state.cup[usize::from(*value)] > 0).map(Choice::Chit));
            }
            Stage::TurnOrder => out.extend((1..=6).map(Choice::Die)),
            Stage::ActiveAlly => out.extend([Choice::Active(Faction::West), Choice::Active(Faction::Ussr)]),
            Stage::Arrival(_) => out.extend(self.arrival_areas(state).iter().map(Choice::Arrive)),
            Stage::Spend => self.list_spending(state, out),
            Stage::Step => {
                let faction = Self::current(state);
                let supplied = self.sites(state, faction).supplied;
                let units = self.steppable(state, faction, supplied);
                out.extend(units.map(|block| Choice::Step(block as u8)));
            }
            Stage::Build => {
                let faction = Self::current(state);
                let sites = self.sites(state, faction);
                let units = self.buildable(state, faction, &sites);
                out.extend(units.map(|(power, kind)| Choice::New(power, kind)));
            }
            Stage::BuildAt => {
                let (power, kind) = Self::picked_type(state);
                out.extend(self.build_areas(state, power, kind).iter().map(Choice::At));
            }
            Stage::Government => self.list_government(state, out),
            Stage::FreePlay(_) => {
                self.list_diplomacy(state, Faction::Axis, out);
                out.push(Choice::Pass);
            }
            Stage::Pay(_) => {
                let hand = state.of(Self::current(state)).hand[1];
                out.extend(bits(hand).map(|card| Choice::Pay(Card::new(Deck::Investment, card))));
            }
            Stage::DoubleAgent(_, _, target, _) => {
                if self.double_agent(state, target).is_some() {
                    out.push(Choice::DoubleAgent);
                }
                out.push(Choice::LetItPass);
            }
            Stage::Turned(card, _, player) => self.list_turned(state, card, player, out),
            Stage::Mole(_, user, target) => self.list_mole(state, user, target, out),
            Stage::SpyDeck(_, target) => {
                let there = state.of(target);
                let decks = [false, true].into_iter();
                out.extend(decks.filter(|deck| there.hand[usize::from(*deck)] != 0).map(Choice::FromDeck));
            }
            Stage::Muster(_) => {
                if let Some((faction, area)) = self.next_muster(state) {
                    out.extend(self.kinds_for(state, faction.great(), area).map(Choice::Muster));
                }
                if out.is_empty() {
                    // Only in a guess at what is hidden: the pool never runs out here otherwise.
                    out.push(Choice::Nothing);
                }
            }
            Stage::Discard => Self::list_hand(state, Self::current(state), Choice::Discard, out),
            Stage::Command => Self::list_commands(state, Self::current(state), false, out),
            Stage::SecondCard => self.list_second_cards(state, out),
            Stage::Winter => Self::list_commands(state, Faction::Ussr, true, out),
            Stage::Tie(_, tied) => Self::list_orders(state, tied, out),
            Stage::Movement => self.list_movement(state, out),
            Stage::Destination => self.list_destinations(state, out),
            Stage::WarCard(_) => self.list_war_cards(state, state.turn.faction, out),
            Stage::Protectorate(..) => out.extend([Choice::StandBy, Choice::GiveUp]),
            Stage::Fight(area) => self.list_fight(state, area, out),
            Stage::Select => out.extend(state.turn.open.iter().map(Choice::Select)),
            Stage::Against(area) => self.list_against(state, area, out),
            Stage::Group => out.extend(self.groups(state).map(|block| Choice::Group(block as u8))),
            Stage::Vault(faction) => {
                self.list_reveals(state, faction, out);
                out.push(Choice::End);
            }
            Stage::Action(faction) => self.list_actions(state, faction, out),
            Stage::Dice => {
                let (dice, _) = self.shot(state);
                out.extend((0..=dice).map(Choice::Hits));
            }
            Stage::Hit(faction) => self.list_hits(state, faction, out),
            Stage::AfterStrike => self.list_after_strike(state, out),
            Stage::Rebase => self.list_rebases(state, out),
            Stage::Leave(faction, why) => self.list_leaving(state, faction, why, out),
            Stage::Escape(faction) => self.list_escapes(state, faction, out),
            Stage::Over => {}
        }
    }

    /// All cards of a hand.
    fn list_hand(state: &State, faction: Faction, choice: impl Fn(Card) -> Choice, out: &mut Vec<Choice>) {
        for deck in Deck::ALL {
            let cards = bits(state.of(faction).hand[deck as usize]);
            out.extend(cards.map(|index| choice(Card::new(deck, index))));
        }
    }

    /// Against whom a Battle with two Enemies can be fought. Ruling R13.
    fn list_against(&self, state: &State, area: u8, out: &mut Vec<Choice>) {
        let foes = self.foes_at(state, state.turn.faction, area);
        out.extend(
            (1..=foes.0).filter(|some| some & !foes.0 == 0).map(|some| Choice::Against(Parties(some))),
        );
    }

    /// The Power and type that is to be placed.
    pub(crate) fn picked_type(state: &State) -> (Power, Kind) {
        let picked = usize::from(state.picked);
        (Power::ALL[(picked / 8).min(5)], Kind::at((picked % 8).min(6)))
    }

    /// Fate's equally likely tickets.
    pub(crate) fn tickets(&self, state: &State) -> u32 {
        match state.stage {
            Stage::Draw(_) => {
                Self::next_due(state).map_or(0, |(_, deck)| state.deck[deck as usize].count_ones())
            }
            Stage::SpyDeck(_, target) => state.of(target).cards(),
            Stage::Chit(..) => state.cup.iter().map(|count| u32::from(*count)).sum(),
            Stage::TurnOrder => 6,
            Stage::SetAside(owner, deck, _) | Stage::SpyCard(_, owner, deck) => {
                state.of(owner).hand_len(deck)
            }
            Stage::Dice => self.rolls(state),
            _ => 0,
        }
    }

    /// What a ticket draws.
    pub(crate) fn drawn(&self, state: &State, ticket: u32) -> Choice {
        match state.stage {
            Stage::Draw(_) => {
                let deck = Self::next_due(state).map_or(Deck::Action, |(_, deck)| deck);
                Choice::Card(Card::new(deck, nth_bit(state.deck[deck as usize], ticket)))
            }
            Stage::SpyDeck(_, target) => Choice::FromDeck(ticket >= state.of(target).hand_len(Deck::Action)),
            Stage::SetAside(owner, deck, _) | Stage::SpyCard(_, owner, deck) => {
                Choice::Card(Card::new(deck, nth_bit(state.of(owner).hand[deck as usize], ticket)))
            }
            Stage::Chit(..) => {
                let [none, one, _] = state.cup.map(u32::from);
                Choice::Chit(if ticket < none {
                    0
                } else if ticket < none + one {
                    1
                } else {
                    2
                })
            }
            Stage::Dice => Choice::Hits(self.hits_of(state, ticket)),
            _ => Choice::Die(ticket as u8 + 1),
        }
    }
}
