//! What comes of a choice: one arm for each stage. Section 24 of the rulebook.

use crate::areas::NONE;
use crate::cards::Deck;
use crate::choice::Choice;
use crate::factions::Faction;
use crate::fire::INDUSTRY;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, State};
use crate::units::Class;
use kernel::EventSink;

impl Rules {
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
    pub(crate) fn play_free<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        left: u8,
        choice: Choice,
        sink: &mut S,
    ) {
        match choice {
            Choice::Diplomacy(card, nation) => self.play_diplomacy(state, Faction::Axis, card, nation, sink),
            Choice::Wild(card, nation) => self.play_wild(state, Faction::Axis, card, nation, sink),
            _ => return self.next_free_play(state, 0, sink),
        }
        self.next_free_play(state, left - 1, sink);
    }

    /// A play of the Government Phase.
    pub(crate) fn play_government<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
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

    pub(crate) fn pass_government<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.passes += 1;
        self.next_government(state, sink);
    }

    /// Moves and Battles.
    pub(crate) fn play_war<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
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

    pub(crate) fn war_declared<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        rival: Faction,
        sink: &mut S,
    ) {
        let faction = state.turn.faction;
        state.turn.declared = Some(Declared::War(rival));
        self.declare_war(state, faction, rival, sink);
        self.resume_movement(state, sink);
    }

    /// A Combat Action.
    pub(crate) fn act<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
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
    pub(crate) fn end_strike<S: EventSink<GameEvent>>(
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
