//! What a Battle would be if units moved there: the question before the move. Rules 11, 12, 15.2, 15.4.

use kernel::{Answer, Discard};

use crate::areas::{AreaSet, NONE};
use crate::battle_answers::{Fact, split_manners};
use crate::factions::{Faction, blocks_of};
use crate::odds::capitalized;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, Part, State, flag};
use crate::units::Kind;
use crate::view::View;
use crate::world::Atlas;

/// Unit-moves enough for everybody.
const PLENTY: u8 = 200;

/// A position that is only imagined, in which a Faction moves.
struct Imagined {
    state: State,
    faction: Faction,
    /// The unit-moves that it really has, if it is its turn.
    moves: Option<u8>,
    /// What it must declare first.
    declares: Option<Declared>,
    /// The protector of the nation that it violates.
    protector: Option<Faction>,
}

impl Rules {
    /// The areas with Enemies that units of the viewer can enter now, while it moves.
    pub(crate) fn targets(&self, view: &View) -> AreaSet {
        let state = view.state();
        let faction = state.turn.faction;
        if state.stage != Stage::Movement || !view.knows(faction) || state.turn.moves == 0 {
            return AreaSet::EMPTY;
        }
        let stance = self.stance(state, faction);
        let reached = self
            .movers(state, faction)
            .fold(AreaSet::EMPTY, |set, block| set.or(self.reach(state, &stance, block).areas()));
        reached.and(stance.foes)
    }

    /// Answers `attack AREA` and `attack AREA with UNIT, UNIT`.
    pub(crate) fn attack_answer(&self, view: &View, words: &str) -> Result<Answer, String> {
        let (words, manners) = split_manners(words);
        let (place, units) = match words.split_once(" with ") {
            Some((place, units)) => (place, Some(units)),
            None => (words, None),
        };
        let area = self.named_area(place)?;
        let name = &self.atlas().area(area).name;
        let named = units.map(|units| self.named_units(view, units)).transpose()?;
        let faction = self.asker(view, named.as_deref())?;
        let mut imagined = self.imagine_turn(view, faction);
        self.imagine_declaration(&mut imagined, area)?;
        let wanted = match &named {
            Some(units) => units.clone(),
            None => self.own_units(&imagined),
        };
        let mut arrived = Vec::new();
        let mut left_over = 0;
        for block in wanted {
            let reaches = self.way_in(&imagined, block, area);
            match reaches {
                Some(_) if imagined.moves.is_some_and(|moves| arrived.len() >= usize::from(moves)) => {
                    left_over += 1;
                }
                Some(via) => {
                    self.imagine_move(&mut imagined, block, area, via);
                    arrived.push(block);
                }
                None if named.is_some() => return Err(self.why_out_of_reach(&imagined, block, area)),
                None => {}
            }
        }
        if self.foes_at(&imagined.state, faction, area).is_empty() {
            return Err(format!("no Enemy stands in {name}: there would be no Battle"));
        }
        if !imagined.state.parties(area).has(faction) {
            return Err(format!("no unit of {} can reach {name} now", faction.the()));
        }
        let facts = self.attack_facts(&imagined, &arrived, left_over);
        let title = format!("If {} attacks in {name}", faction.the());
        Ok(self.odds_of(view, &imagined.state, area, faction, manners, title, facts))
    }

    /// The units of a list of names.
    fn named_units(&self, view: &View, names: &str) -> Result<Vec<usize>, String> {
        let mut state = *view.state();
        let mut units = Vec::new();
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let block = self.read_unit(&state, name).map(usize::from);
            let own = block.filter(|block| State::owner(*block).is_some_and(|owner| view.knows(owner)));
            let block = own.ok_or_else(|| {
                format!(
                    "{:?} is none of your units, or is named twice; a unit is named such as germany infantry 3 berlin",
                    diagnostics::shown(name)
                )
            })?;
            // The next one of the same name is another block.
            state.blocks[block].area = NONE;
            units.push(block);
        }
        if units.is_empty() { Err("name the units, with commas between them".to_owned()) } else { Ok(units) }
    }

    /// The Faction that would attack: the owner of the named units, else the Active Player or another of the viewer's own.
    fn asker(&self, view: &View, named: Option<&[usize]>) -> Result<Faction, String> {
        if let Some(owner) = named.and_then(|units| units.first()).and_then(|block| State::owner(*block)) {
            return Ok(owner);
        }
        let own = Faction::ALL.into_iter();
        std::iter::once(view.state().turn.faction)
            .chain(own)
            .find(|faction| view.knows(*faction))
            .ok_or_else(|| "only a player can ask this: units are hidden from spectators".to_owned())
    }

    /// The position in which the asker moves: as it is, or as if its turn began now.
    fn imagine_turn(&self, view: &View, faction: Faction) -> Imagined {
        let mut state = *view.state();
        let moving =
            state.turn.faction == faction && matches!(state.stage, Stage::Movement | Stage::Destination);
        let moves = moving.then_some(state.turn.moves);
        if !moving {
            if matches!(state.part, Part::Winter | Part::NewYear) {
                state.part = Part::Spring;
            }
            self.begin_turn(&mut state, faction, PLENTY, false, &mut Discard);
        }
        state.turn.moves = PLENTY;
        Imagined { state, faction, moves, declares: None, protector: None }
    }

    /// What must be declared before the area can be attacked, if anything.
    fn imagine_declaration(&self, imagined: &mut Imagined, area: u8) -> Result<(), String> {
        let (state, faction) = (&mut imagined.state, imagined.faction);
        let name = &self.atlas().area(area).name;
        let there = state.parties(area).and(state.controller(area));
        let rivals = faction.rivals().into_iter().filter(|rival| there.has(*rival));
        let open = Atlas::is_sea(area) || !self.stance(state, faction).closed.has(area);
        let rival = { rivals }.find(|rival| !state.at_war(faction, *rival));
        if open && (rival.is_none() || !self.foes_at(state, faction, area).is_empty()) {
            return Ok(());
        }
        let may = state.turn.may_declare;
        let late = || "nothing more can be declared this turn (15.2)".to_owned();
        match rival {
            Some(rival) if !may && self.may_declare_war(state, faction, rival) => Err(late()),
            Some(rival) if self.may_declare_war(state, faction, rival) => {
                self.declare_war(state, faction, rival, &mut Discard);
                imagined.declares = Some(Declared::War(rival));
                Ok(())
            }
            Some(rival) => Err(format!("war can't be declared on {} (15.2)", rival.the())),
            None => {
                let nation = self.atlas().nation_of(area);
                if !self.may_violate(state, faction, nation) {
                    return Err(format!("{name} can't be attacked: it can't be violated (15.4)"));
                }
                if !may {
                    return Err(late());
                }
                imagined.protector = self.protector_of(state, faction, nation).factions().next();
                if imagined.protector.is_some_and(|protector| state.at_war(faction, protector))
                    || nation == self.atlas().usa
                {
                    return Err(format!("{name} would get units of your Enemy before you move (8.13, 8.46)"));
                }
                self.arm_against(state, nation, faction, &mut Discard);
                imagined.declares = Some(Declared::Violation(nation));
                Ok(())
            }
        }
    }

    /// The units that have not moved, the strongest first.
    fn own_units(&self, imagined: &Imagined) -> Vec<usize> {
        let unit = |block: &usize| &imagined.state.blocks[*block];
        let can = |block: &usize| {
            unit(block).on_map() && !unit(block).is(flag::MOVED) && unit(block).kind != Kind::Fortress
        };
        let mut units: Vec<usize> = blocks_of(imagined.faction).filter(can).collect();
        units.sort_by_key(|block| std::cmp::Reverse(unit(block).cv));
        units
    }

    /// The last area before a unit enters an area, [`NONE`] where that does not matter; `None` if it can't.
    fn way_in(&self, imagined: &Imagined, block: usize, area: u8) -> Option<u8> {
        let unit = &imagined.state.blocks[block];
        if unit.area == area || unit.is(flag::MOVED) {
            return None;
        }
        let stance = self.stance(&imagined.state, imagined.faction);
        let reach = self.reach(&imagined.state, &stance, block);
        let entry = reach.entries().iter().find(|(to, _)| *to == area).map(|(_, via)| *via);
        entry.or_else(|| reach.ends.has(area).then_some(NONE))
    }

    fn imagine_move(&self, imagined: &mut Imagined, block: usize, area: u8, via: u8) {
        imagined.state.picked = block as u8;
        self.move_unit(&mut imagined.state, area, via, &mut Discard);
        imagined.state.turn.moves = PLENTY;
    }

    fn why_out_of_reach(&self, imagined: &Imagined, block: usize, area: u8) -> String {
        let unit = &imagined.state.blocks[block];
        let what = format!("the {} in {}", unit.kind.title(), self.atlas().area(unit.area).name);
        match () {
            () if unit.area == area => format!("{what} is there already"),
            () if unit.is(flag::MOVED) => format!("{what} has moved this turn (11.0)"),
            () => format!(
                "{what} can't reach {} with the others: too far, or the border is full (11.1 to 11.5)",
                self.atlas().area(area).name
            ),
        }
    }

    fn attack_facts(&self, imagined: &Imagined, arrived: &[usize], left_over: usize) -> Vec<Fact> {
        let mut facts = Vec::new();
        match imagined.declares {
            Some(Declared::War(rival)) => {
                facts.push((
                    "declares first",
                    format!("war on {}: all its units have FirstFire", rival.the()),
                ));
            }
            Some(Declared::Violation(nation)) => {
                let name = &self.atlas().nation(nation).name;
                let mut words = format!("a Violation of Neutrality: {name}");
                if let Some(protector) = imagined.protector {
                    words.push_str(&format!("; its protector, {}, is taken to give it up", protector.the()));
                }
                facts.push(("declares first", words));
            }
            Some(Declared::Intervention(_)) | None => {}
        }
        let units = |count: usize| if count == 1 { "1 unit".to_owned() } else { format!("{count} units") };
        let mut words = format!("{} would move there", units(arrived.len()));
        match imagined.moves {
            Some(moves) if left_over > 0 => words.push_str(&format!(
                "; {} more could, but there are only {moves} unit-moves, so the strongest go",
                units(left_over)
            )),
            Some(moves) => words.push_str(&format!("; {moves} unit-moves are left")),
            None => words.push_str("; as if your turn began now, with as many unit-moves as it takes"),
        }
        facts.push(("moves", capitalized(&words)));
        facts
    }
}
