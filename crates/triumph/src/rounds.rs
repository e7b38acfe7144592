//! Combat Rounds: whose turn it is to act, and what comes after the last action. Rules 12.2, 12.21 to 12.23, 13.12; rulings
//! R20, R56, R64, R67, R81, R92.

use crate::areas::NONE;
use crate::cards::Tech;
use crate::choice::Choice;
use crate::factions::Faction;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{State, flag};
use crate::units::Kind;
use crate::world::Atlas;
use kernel::EventSink;

impl Rules {
    /// Before a round everybody with a vault may open it: Attacker, then Defenders. Ruling R56.
    pub(crate) fn ask_vaults<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let by = state.turn.faction;
        let defenders = state.order.into_iter().filter(|faction| *faction != by);
        for faction in std::iter::once(by).chain(defenders) {
            let takes_part = faction == by || state.battle.against.has(faction);
            let asked = state.battle.asked.has(faction);
            if takes_part && !asked && state.of(faction).vault_len() > 0 {
                state.stage = Stage::Vault(faction);
                return;
            }
        }
        self.begin_round(state, sink);
    }

    pub(crate) fn begin_round<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let (area, round) = (state.battle.area, state.battle.round);
        sink.emit(|| GameEvent::RoundBegins { area, round });
        for faction in Faction::ALL {
            if faction == state.turn.faction || state.battle.against.has(faction) {
                state.of_mut(faction).fought = true;
            }
        }
        for block in &mut state.blocks {
            if block.area == area {
                block.flags &= !flag::ACTED;
            }
        }
        (state.battle.kind, state.battle.second) = (Kind::Fortress, false);
        self.next_action(state, sink);
    }

    /// Whether a block takes part on the attacking side.
    pub fn attacks(&self, state: &State, block: usize) -> bool {
        let unit = &state.blocks[block];
        unit.area == state.battle.area
            && State::owner(block) == Some(state.turn.faction)
            && !unit.is(flag::ESCAPED | flag::WAITING)
    }

    /// Whether a block takes part on the defending side.
    pub fn defends(&self, state: &State, block: usize) -> bool {
        let unit = &state.blocks[block];
        let against = state.battle.against;
        unit.area == state.battle.area
            && State::owner(block).map_or(against.has_minor(), |owner| against.has(owner))
            && !unit.is(flag::ESCAPED)
    }

    /// Whether the Attacker's units of a type act first. Rule 12.21.
    pub fn attacker_first(&self, state: &State, kind: Kind) -> bool {
        let tech = match kind {
            Kind::Fleet => Tech::NavalRadar,
            Kind::Tank => Tech::HeavyTanks,
            Kind::Infantry => Tech::RocketArtillery,
            Kind::AirForce => Tech::Jets,
            Kind::Fortress | Kind::Carrier | Kind::Submarine => return state.turn.surprise,
        };
        let attacker = state.of(state.turn.faction).knows(tech);
        let defender = state.battle.against.factions().any(|faction| state.of(faction).knows(tech));
        let surprise = state.turn.surprise;
        ((attacker || surprise) && !defender) || (attacker && defender && surprise)
    }

    /// The next Combat Action, or the end of the round. Rule 12.21.
    pub(crate) fn next_action<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        loop {
            let (attackers, defenders) = self.strengths(state);
            if attackers == 0 || (defenders == 0 && !state.battle.against.is_empty()) {
                break;
            }
            let kind = state.battle.kind;
            let attacking = self.attacker_first(state, kind) != state.battle.second;
            if let Some(block) = self.next_actor(state, kind, attacking) {
                match State::owner(block) {
                    Some(owner) => state.stage = Stage::Action(owner),
                    None => self.fort_fires(state, block, sink),
                }
                return;
            }
            if !state.battle.second {
                state.battle.second = true;
            } else if kind == Kind::Infantry {
                break;
            } else {
                (state.battle.kind, state.battle.second) = (Kind::at(kind.index() + 1), false);
            }
        }
        self.end_round(state, sink);
    }

    /// How many units each side still has in the Battle.
    pub(crate) fn strengths(&self, state: &State) -> (usize, usize) {
        let area = state.battle.area;
        let (mut attackers, mut defenders) = (0, 0);
        for (block, _) in state.blocks_at(area) {
            attackers += usize::from(self.attacks(state, block));
            defenders += usize::from(self.defends(state, block));
        }
        (attackers, defenders)
    }

    /// The first unit of a type on a side that can act; those that can't are passed over. Ruling R64.
    pub(crate) fn next_actor(&self, state: &mut State, kind: Kind, attacking: bool) -> Option<usize> {
        let area = state.battle.area;
        let by_turn = |state: &State, block: usize| match State::owner(block) {
            Some(owner) => state.order.iter().position(|faction| *faction == owner).unwrap_or(0),
            None => 3,
        };
        let mut best: Option<(usize, usize)> = None;
        for block in 0..state.blocks.len() {
            let unit = &state.blocks[block];
            if unit.area != area || unit.kind != kind || unit.is(flag::ACTED) {
                continue;
            }
            let on_side = if attacking { self.attacks(state, block) } else { self.defends(state, block) };
            if !on_side {
                continue;
            }
            if !self.can_act(state, block) {
                state.blocks[block].flags |= flag::ACTED;
                continue;
            }
            let rank = by_turn(state, block);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, block));
            }
        }
        best.map(|(_, block)| block)
    }

    /// A Combat Round is over. Rules 12.22, 12.23.
    pub(crate) fn end_round<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.battle.firing = NONE;
        let area = state.battle.area;
        for block in &mut state.blocks {
            if block.area == area {
                block.flags &= !flag::ACTED;
            }
        }
        if Atlas::is_sea(area) {
            self.leave(state, Leaving::Sea, sink);
        } else {
            self.ask_rebase(state, sink);
        }
    }

    /// The Active Player's Air, Naval and Submarine units may ReBase. Rule 13.12.
    pub(crate) fn ask_rebase<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let (faction, area) = (state.turn.faction, state.battle.area);
        let stance = self.stance(state, faction);
        let can = |(block, unit): (usize, &crate::state::Block)| {
            unit.kind.is_ans()
                && !unit.is(flag::WAITING)
                && !self.rebase_goals(state, &stance, block).is_empty()
        };
        if state.own_at(faction, area).any(can) {
            state.stage = Stage::Rebase;
        } else {
            self.after_rebase(state, sink);
        }
    }

    /// The optional ReBases that are open.
    pub(crate) fn list_rebases(&self, state: &State, out: &mut Vec<Choice>) {
        let (faction, area) = (state.turn.faction, state.battle.area);
        let stance = self.stance(state, faction);
        for (block, unit) in state.own_at(faction, area) {
            if unit.kind.is_ans() && !unit.is(flag::WAITING) && Self::is_first_alike(state, block) {
                let goals = self.rebase_goals(state, &stance, block);
                out.extend(goals.iter().map(|to| Choice::Rebase(block as u8, to)));
            }
        }
        out.push(Choice::End);
    }

    /// After the optional ReBases: on land those leave who must; at sea the Battle is over.
    pub(crate) fn after_rebase<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if Atlas::is_sea(state.battle.area) {
            self.close_battle(state, sink);
        } else {
            self.leave(state, Leaving::Round, sink);
        }
    }

    /// At sea, after Air Forces have left and Submarines Escaped: the next round, or the end. Rules 12.23, 12.71.
    pub(crate) fn next_sea_round<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let (attackers, defenders) = self.strengths(state);
        let waiting = self.groups(state).next().is_some();
        if defenders == 0 || (attackers == 0 && !waiting) {
            self.ask_rebase(state, sink);
            return;
        }
        let only_convoys = |attacking: bool| {
            state.blocks_at(state.battle.area).all(|(block, unit)| {
                let on_side = if attacking { self.attacks(state, block) } else { self.defends(state, block) };
                !on_side || Self::is_convoy(unit)
            })
        };
        if !waiting && only_convoys(true) && only_convoys(false) {
            self.leave(state, Leaving::Convoys, sink);
            return;
        }
        self.join_group(state, sink);
    }
}
