//! Choices of the seasons in words: declarations, moves, Battles.

use crate::areas::NONE;
use crate::choice::Choice;
use crate::factions::Faction;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::units::Class;
use crate::words::{and_list, count};
use crate::world::{Atlas, BorderKind};

impl Rules {
    /// Declarations, moves and Battles in words.
    pub(crate) fn war_label(&self, state: &State, choice: Choice) -> String {
        let faction = state.turn.faction;
        match choice {
            Choice::War(rival) => self.declaration_label(state, rival),
            Choice::Violate(nation) => self.violation_label(state, faction, nation),
            Choice::Intervene(nation) => {
                let name = self.nation_name(nation);
                format!("Intervene in {name}: a Tank or Infantry must enter; then it joins {}", faction.the())
            }
            Choice::Bomb => "Drop the bomb: atomic victory".to_owned(),
            Choice::Surface(block) => {
                let area = state.blocks.get(usize::from(block)).map_or(NONE, |unit| unit.area);
                if area == NONE {
                    return "Let an Escaped Submarine surface".to_owned();
                }
                format!("Let an Escaped Submarine in {} surface", self.place_name(area))
            }
            Choice::Move(block) => {
                let unit = state.blocks.get(usize::from(block)).filter(|unit| unit.on_map());
                let from =
                    unit.map_or_else(String::new, |unit| format!(" from {}", self.place_name(unit.area)));
                format!("Move the {}{from}", self.block_name(state, usize::from(block)))
            }
            Choice::To(to, via) => self.destination_label(state, to, via),
            Choice::End => self.end_label(state),
            Choice::StandBy => match state.stage {
                Stage::Protectorate(nation, protector) => {
                    let (name, by) = (self.nation_name(nation), faction.the());
                    format!("Stand by {name}: it joins {}, and {by} is at war with it", protector.the())
                }
                _ => "Stand by".to_owned(),
            },
            Choice::GiveUp => match state.stage {
                Stage::Protectorate(nation, protector) => {
                    let name = self.nation_name(nation);
                    format!("Give {name} up: it takes up arms alone, no war for {}", protector.the())
                }
                _ => "Give it up".to_owned(),
            },
            Choice::Fight(area) => format!("Fight in {}: {}", self.place_name(area), self.sides(state, area)),
            Choice::Avoid(area) => format!("No Battle in {}", self.place_name(area)),
            Choice::Select(area) => {
                format!("{}: {}", self.battle_name(area), self.sides(state, area))
            }
            Choice::Against(parties) => {
                let area = if let Stage::Against(area) = state.stage { area } else { NONE };
                format!("Fight {}", self.parties_name(parties, area))
            }
            Choice::Group(block) => self.group_label(state, block),
            Choice::Fire(block, class) => {
                let at = usize::from(block).min(state.blocks.len() - 1);
                let (dice, needs) = (self.dice(state, at, class), self.firepower(state, at, class));
                let name = self.block_name(state, at);
                let odds = if needs == 0 {
                    "firepower 0".to_owned()
                } else {
                    format!("{}, {}", dice_words(dice), hits_on(needs))
                };
                format!("{name} fires at {}: {odds}", targets(class))
            }
            Choice::Raid(block) => {
                let name = self.block_name(state, usize::from(block));
                format!("{name} bombs industry: each 1 costs an IND")
            }
            Choice::Strike(block) => {
                let name = self.block_name(state, usize::from(block));
                format!("{name} strikes naval units: {}, then it leaves", hits_on(1))
            }
            Choice::Retreat(block, to) => {
                let name = self.block_name(state, usize::from(block));
                format!("{name} retreats to {}", self.place_name(to))
            }
            Choice::Rebase(block, to) => {
                let name = self.block_name(state, usize::from(block));
                format!("{name} ReBases to {}", self.place_name(to))
            }
            Choice::Hit(block) => {
                let name = self.block_name(state, usize::from(block));
                let disrupted =
                    state.blocks.get(usize::from(block)).is_some_and(|unit| unit.is(flag::DISRUPTED));
                let note = if disrupted { ", which has just landed," } else { "" };
                format!("The {name}{note} takes the hit")
            }
            Choice::Escape(block) => format!("{} Escapes", self.block_name(state, usize::from(block))),
            _ => "This choice".to_owned(),
        }
    }

    fn declaration_label(&self, state: &State, rival: Faction) -> String {
        let costs = &self.atlas().factions[rival.index()].factory_costs;
        let now = self.factory_cost(state, rival);
        let level = usize::from(state.of(rival).factory_level) + 1;
        let then = costs.get(level).or(costs.last()).copied().unwrap_or(now);
        let cheaper =
            if then < now { format!("; its factories cost {then}, not {now}") } else { String::new() };
        let by = state.turn.faction;
        // At peace resources do not limit Production (7.1); what a war costs is more than the VP of the declaration.
        let (tracks, peace) = (self.tracks(state, by), !state.of(by).at_war());
        let at_war = tracks.level.min(tracks.res);
        let scarce = if peace && at_war < tracks.level {
            format!(", resources count from now on: Production {at_war}, not {}", tracks.level)
        } else {
            String::new()
        };
        format!("Declare war on {}: 1 VP lost, Surprise this turn{scarce}{cheaper}", rival.the())
    }

    fn violation_label(&self, state: &State, faction: Faction, nation: u8) -> String {
        let info = self.atlas().nation(nation);
        let mut notes = Vec::new();
        let shares: Vec<(Faction, u8)> = faction
            .rivals()
            .into_iter()
            .map(|rival| (rival, self.reaction_share(faction, rival, nation)))
            .collect();
        notes.push(match shares[..] {
            [(_, 0), (_, 0)] => "nobody draws cards".to_owned(),
            [(_, one), (_, other)] if one == other => {
                format!("each Rival draws {}", count(one, "Action card"))
            }
            _ => {
                let some = shares.iter().filter(|(_, cards)| *cards > 0);
                let draws = some
                    .map(|(rival, cards)| format!("{} draws {}", rival.the(), count(*cards, "Action card")));
                and_list(&draws.collect::<Vec<_>>())
            }
        });
        let forts: Vec<String> =
            info.musters.iter().map(|area| self.atlas().area(area).muster.to_string()).collect();
        if let Some(protector) = self.protector_of(state, faction, nation).factions().next() {
            notes.push(if nation == self.atlas().usa || state.at_war(faction, protector) {
                format!("it joins {}", protector.the())
            } else {
                format!("{} protects it and may go to war", protector.the())
            });
        } else if !forts.is_empty() {
            let fort = if forts.len() == 1 { "a fort" } else { "forts" };
            notes.push(format!("{fort} of {} CV", and_list(&forts)));
        }
        format!("Violate {}: {}", self.nation_name(nation), notes.join("; "))
    }

    /// Where a unit goes. The border is told, but not what is left of its limit: that would tell what has crossed it.
    fn destination_label(&self, state: &State, to: u8, via: u8) -> String {
        let mut text = format!("To {}", self.place_name(to));
        if via != NONE {
            let edge = self.atlas().border(via, to);
            let from = self.place_name(via);
            text += &match edge.map(|edge| edge.kind) {
                None | Some(BorderKind::Sea | BorderKind::Ocean) => format!(" from {from}"),
                Some(BorderKind::Coast) => format!(" from {from}, {}", BorderKind::Coast.crossing()),
                Some(kind) => format!(
                    ", {} from {from} (at most {})",
                    kind.crossing(),
                    count(kind.limit(), "Ground unit")
                ),
            };
        }
        let faction = state.turn.faction;
        let foes = self.foes_at(state, faction, to);
        if !foes.is_empty() {
            text += &format!(" – Battle with {}", self.parties_name(foes, to));
        } else if !Atlas::is_sea(to) && self.enemy_land(state, faction).has(to) {
            text += " – Enemy land";
        }
        text
    }

    fn end_label(&self, state: &State) -> String {
        match state.stage {
            Stage::Movement => match state.turn.moves {
                0 => "End the moves".to_owned(),
                left => format!("End the moves ({left} unused)"),
            },
            Stage::Vault(_) => "Go on without opening the vault".to_owned(),
            Stage::Rebase => "No more ReBases".to_owned(),
            Stage::Escape(_) => "Nobody else Escapes".to_owned(),
            _ => "Go on".to_owned(),
        }
    }

    /// Both sides of a Battle by their number of units.
    fn sides(&self, state: &State, area: u8) -> String {
        let faction = state.turn.faction;
        let mut foes = self.foes_at(state, faction, area);
        for enemy in state.of(faction).enemies.factions() {
            if state.escaped[enemy.index()].has(area) {
                foes = foes.with(enemy);
            }
        }
        let own = count(Self::units_of(state, faction, area) as i32, "unit");
        let mut others: Vec<String> = foes
            .factions()
            .map(|foe| format!("{} of {}", Self::units_of(state, foe, area), foe.the()))
            .collect();
        if foes.has_minor() {
            others.push(format!("the {} fort", self.nation_adjective(self.atlas().nation_of(area))));
        }
        if others.is_empty() {
            return format!("{own} of {}", faction.the());
        }
        format!("{own} of {} against {}", faction.the(), and_list(&others))
    }

    /// A BattleGroup by where it came from and its units: whoever is chosen is shown at once.
    fn group_label(&self, state: &State, block: u8) -> String {
        let Some(first) = state.blocks.get(usize::from(block)) else { return "A BattleGroup".to_owned() };
        let faction = state.turn.faction;
        let units: Vec<String> = state
            .own_at(faction, first.area)
            .filter(|(_, unit)| {
                unit.is(flag::WAITING) && (unit.origin, unit.from) == (first.origin, first.from)
            })
            .map(|(at, _)| self.block_name(state, at))
            .collect();
        let origin = if first.origin == NONE {
            String::new()
        } else {
            format!(" from {}", self.place_name(first.origin))
        };
        format!("The group{origin} joins: {}", and_list(&units))
    }
}

/// A target class in words.
pub(crate) const fn targets(class: Class) -> &'static str {
    match class {
        Class::Air => "Air Forces",
        Class::Naval => "naval units",
        Class::Ground => "ground units",
        Class::Submarine => "Submarines",
    }
}

/// What a die must show: "3 or less hits".
pub(crate) fn hits_on(needs: u8) -> String {
    if needs == 1 { "each 1 hits".to_owned() } else { format!("{needs} or less hits") }
}

/// `1 die`, `3 dice`.
pub(crate) fn dice_words(dice: u8) -> String {
    if dice == 1 { "1 die".to_owned() } else { format!("{dice} dice") }
}
