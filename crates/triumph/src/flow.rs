//! Who decides, what can be decided, and what comes of it: one arm for each stage. Section 24 of the rulebook.

use kernel::{EventSink, Mover};

use crate::areas::{NONE, bits, nth_bit};
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::{Faction, Parties, Power};
use crate::fire::INDUSTRY;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, State};
use crate::units::{Class, Kind};

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
                out.extend(
                    self.steppable(state, Self::current(state)).map(|block| Choice::Step(block as u8)),
                );
            }
            Stage::Build => {
                let units = self.buildable(state, Self::current(state));
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

    /// Plays a listed choice and everything that follows without another decision.
    pub(crate) fn play<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        match (state.stage, choice) {
            (Stage::SetUp(at), Choice::Cadre(kind)) => self.set_up_cadre(state, at, kind, sink),
            (Stage::Draw(after), Choice::Card(card)) => self.card_drawn(state, card, after, sink),
            (Stage::SetAside(..), Choice::Card(card)) => self.set_aside(state, card, sink),
            (Stage::Chit(..), Choice::Chit(value)) => self.chit_drawn(state, value, sink),
            (Stage::TurnOrder, Choice::Die(die)) => self.turn_order_rolled(state, die, sink),
            (Stage::ActiveAlly, Choice::Active(faction)) => self.name_active(state, faction, sink),
            (Stage::Arrival(at), Choice::Arrive(area)) => self.arrive_at(state, at, area, sink),
            (Stage::Spend, Choice::Disband(block)) => self.disband(state, usize::from(block), sink),
            (Stage::Spend, Choice::BuyAction) => self.buy(state, Deck::Action, sink),
            (Stage::Spend, Choice::BuyInvestment) => self.buy(state, Deck::Investment, sink),
            (Stage::Spend, Choice::Strengthen) => state.stage = Stage::Step,
            (Stage::Spend, Choice::Build) => state.stage = Stage::Build,
            (Stage::Spend, Choice::Finish) => self.end_production(state, sink),
            (Stage::Step, Choice::Step(block)) => self.step(state, usize::from(block), sink),
            (Stage::Build, Choice::New(power, kind)) => {
                state.picked = (power.index() * 8 + kind.index()) as u8;
                state.stage = Stage::BuildAt;
            }
            (Stage::BuildAt, Choice::At(area)) => {
                let (power, kind) = Self::picked_type(state);
                state.picked = NONE;
                self.build(state, power, kind, area, sink);
            }
            (Stage::FreePlay(left), _) => self.play_free(state, left, choice, sink),
            (Stage::Government, _) => self.play_government(state, choice, sink),
            (Stage::Pay(laid), Choice::Pay(card)) => self.pay(state, laid, card, sink),
            (Stage::DoubleAgent(card, player, target, _), Choice::DoubleAgent) => {
                self.turn_spy(state, card, player, target, sink);
            }
            (Stage::DoubleAgent(card, player, target, place), _) => {
                sink.emit(|| GameEvent::NotTurned { faction: target });
                self.spy_works(state, card, player, target, place, sink);
            }
            (Stage::Turned(card, holder, player), Choice::Aim(place)) => {
                self.spy_works(state, card, holder, player, place, sink);
            }
            (Stage::Mole(mole, user, _), Choice::Take(card, find)) => {
                self.achieve(state, user, [card, mole], find, sink);
                self.played(state, sink);
            }
            (Stage::Mole(mole, user, _), _) => {
                state.discard(mole);
                sink.emit(|| GameEvent::MoleFails { faction: user });
                self.played(state, sink);
            }
            (Stage::SpyDeck(by, target), Choice::FromDeck(investment)) => {
                state.stage = Stage::SpyCard(by, target, Deck::ALL[usize::from(investment)]);
            }
            (Stage::SpyCard(by, target, _), Choice::Card(card)) => self.steal(state, by, target, card, sink),
            (Stage::Muster(after), Choice::Muster(kind)) => self.muster(state, kind, after, sink),
            (Stage::Muster(after), _) => {
                if let Some((_, area)) = self.next_muster(state) {
                    state.muster.remove(area);
                }
                self.muster_due(state, after, sink);
            }
            (Stage::Discard, Choice::Discard(card)) => {
                self.discard_card(state, Self::current(state), card, sink);
                self.ask_discard(state, sink);
            }
            (Stage::Command, Choice::Commit(card)) => self.commit(state, card, sink),
            (Stage::Command, _) => self.pass_command(state, sink),
            (Stage::SecondCard, Choice::Commit(card)) => self.add_second_card(state, card, sink),
            (Stage::SecondCard, _) => self.cards_are_in(state, sink),
            (Stage::Winter, Choice::Commit(card)) => self.commit_winter(state, card, sink),
            (Stage::Winter, _) => {
                sink.emit(|| GameEvent::Passed { faction: Faction::Ussr });
                self.begin_supply(state, sink);
            }
            (Stage::Tie(by, _), Choice::Order(order)) => self.order_turns(state, by, order, sink),
            _ => self.play_war(state, choice, sink),
        }
    }

    /// A free play of the Axis before 1939.
    fn play_free<S: EventSink<GameEvent>>(&self, state: &mut State, left: u8, choice: Choice, sink: &mut S) {
        match choice {
            Choice::Diplomacy(card, nation) => self.play_diplomacy(state, Faction::Axis, card, nation, sink),
            Choice::Wild(card, nation) => self.play_wild(state, Faction::Axis, card, nation, sink),
            _ => return self.next_free_play(state, 0, sink),
        }
        self.next_free_play(state, left - 1, sink);
    }

    /// A play of the Government Phase.
    fn play_government<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let faction = Self::current(state);
        match choice {
            Choice::Diplomacy(card, nation) => {
                self.play_diplomacy(state, faction, card, nation, sink);
                self.played(state, sink);
            }
            Choice::Wild(card, nation) => {
                self.play_wild(state, faction, card, nation, sink);
                self.played(state, sink);
            }
            Choice::Factory => state.stage = Stage::Pay(0),
            Choice::Pair(keep, other, find) => {
                self.achieve(state, faction, [keep, other], find, sink);
                self.played(state, sink);
            }
            Choice::Spy(card, target, place) => self.play_spy(state, card, target, place, sink),
            // These two are free: the same player goes on.
            Choice::Reveal(tech) => {
                self.open_vault(state, faction, tech, sink);
                if state.of(faction).cards() == 0 && state.of(faction).vault_len() == 0 {
                    self.pass_government(state, sink);
                }
            }
            Choice::Repudiate(nation) => self.repudiate(state, faction, nation, sink),
            _ => {
                sink.emit(|| GameEvent::Passed { faction });
                self.pass_government(state, sink);
            }
        }
    }

    fn pass_government<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.passes += 1;
        self.next_government(state, sink);
    }

    /// Moves and Battles.
    fn play_war<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        match (state.stage, choice) {
            (Stage::Movement, Choice::War(rival)) if self.pays_for_war(state.turn.faction) => {
                state.stage = Stage::WarCard(rival);
            }
            (Stage::Movement, Choice::War(rival)) => self.war_declared(state, rival, sink),
            (Stage::WarCard(rival), Choice::Discard(card)) => {
                self.discard_card(state, state.turn.faction, card, sink);
                match state.turn.declared {
                    Some(Declared::Violation(nation)) => self.protect(state, nation, rival, sink),
                    _ => self.war_declared(state, rival, sink),
                }
            }
            (Stage::Movement, Choice::Violate(nation)) => self.violate(state, nation, sink),
            (Stage::Movement, Choice::Intervene(nation)) => self.intervene(state, nation, sink),
            (Stage::Movement, Choice::Bomb) => self.drop_bomb(state, sink),
            (Stage::Movement, Choice::Reveal(tech)) => self.open_vault(state, state.turn.faction, tech, sink),
            (Stage::Movement, Choice::Surface(block)) => self.surface(state, usize::from(block), sink),
            (Stage::Movement, Choice::Move(block)) => {
                state.picked = block;
                state.stage = Stage::Destination;
            }
            (Stage::Movement, _) => self.end_movement(state, sink),
            (Stage::Destination, Choice::To(to, via)) => self.move_unit(state, to, via, sink),
            (Stage::Protectorate(nation, protector), Choice::StandBy) => {
                self.stand_by(state, nation, protector, sink);
            }
            (Stage::Protectorate(nation, protector), _) => self.give_up(state, nation, protector, sink),
            (Stage::Fight(area), choice) => {
                self.answer_fight(state, area, matches!(choice, Choice::Fight(_)), sink);
            }
            (Stage::Select, Choice::Select(area)) => self.open_battle(state, area, sink),
            (Stage::Against(area), Choice::Against(parties)) => self.begin_battle(state, area, parties, sink),
            (Stage::Group, Choice::Group(block)) => self.attackers_join(state, block, sink),
            (Stage::Vault(faction), Choice::Reveal(tech)) => {
                self.open_vault(state, faction, tech, sink);
                if state.of(faction).vault_len() == 0 {
                    self.ask_vaults(state, sink);
                }
            }
            (Stage::Vault(faction), _) => {
                state.battle.asked = state.battle.asked.with(faction);
                self.ask_vaults(state, sink);
            }
            (Stage::Dice, Choice::Hits(hits)) => self.dice_fallen(state, hits, sink),
            (Stage::Hit(_), Choice::Hit(block)) => {
                self.hit(state, usize::from(block), sink);
                self.place_hits(state, sink);
            }
            (Stage::Action(_), choice) => self.act(state, choice, sink),
            (Stage::AfterStrike, Choice::Retreat(block, to)) => {
                self.end_strike(state, block, to, false, sink);
            }
            (Stage::AfterStrike, Choice::Rebase(block, to)) => self.end_strike(state, block, to, true, sink),
            (Stage::Rebase, Choice::Rebase(block, to)) => {
                self.depart(state, usize::from(block), to, true, sink);
                self.ask_rebase(state, sink);
            }
            (Stage::Rebase, _) => self.after_rebase(state, sink),
            (Stage::Leave(_, why), Choice::Retreat(block, to)) => {
                self.depart(state, usize::from(block), to, false, sink);
                self.leave(state, why, sink);
            }
            (Stage::Leave(_, why), Choice::Rebase(block, to)) => {
                self.depart(state, usize::from(block), to, true, sink);
                self.leave(state, why, sink);
            }
            (Stage::Escape(_), Choice::Escape(block)) => self.escape(state, usize::from(block), sink),
            (Stage::Escape(faction), _) => self.stay(state, faction, sink),
            _ => {}
        }
    }

    fn war_declared<S: EventSink<GameEvent>>(&self, state: &mut State, rival: Faction, sink: &mut S) {
        let faction = state.turn.faction;
        state.turn.declared = Some(Declared::War(rival));
        self.declare_war(state, faction, rival, sink);
        self.resume_movement(state, sink);
    }

    /// A Combat Action.
    fn act<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        match choice {
            Choice::Fire(block, class) => self.fire(state, usize::from(block), class as u8, sink),
            Choice::Raid(block) => self.fire(state, usize::from(block), INDUSTRY, sink),
            Choice::Strike(block) => {
                state.battle.striking = true;
                self.fire(state, usize::from(block), Class::Naval as u8, sink);
            }
            Choice::Retreat(block, to) => {
                self.depart(state, usize::from(block), to, false, sink);
                self.next_action(state, sink);
            }
            Choice::Rebase(block, to) => {
                self.depart(state, usize::from(block), to, true, sink);
                self.next_action(state, sink);
            }
            _ => {}
        }
    }

    /// A Carrier leaves after its Strike.
    fn end_strike<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        block: u8,
        to: u8,
        rebases: bool,
        sink: &mut S,
    ) {
        (state.battle.striking, state.battle.firing) = (false, NONE);
        self.depart(state, usize::from(block), to, rebases, sink);
        self.next_action(state, sink);
    }
}
