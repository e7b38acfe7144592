//! The odds of a Battle in words, for what the viewer knows. Rules 12.2 to 12.7.

use kernel::{Answer, Chance, LabDice};

use crate::factions::{Faction, Parties};
use crate::fight::{Army, Fight, Fighter, Manner, Shot};
use crate::fight_chances::Prospects;
use crate::odds::{capitalized, title_at};
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{State, flag};
use crate::units::{Class, Kind};
use crate::view::View;
use crate::world::Atlas;

/// Battles that are played out where counting would take too long or units are hidden.
const SAMPLE: u32 = 4_000;
/// Positions that are looked at, and Battles that are played out, for the bar of the battle board: it is drawn with every
/// step of a Battle, for everybody at the table.
const QUICK_WORK: usize = 1_500;
const QUICK_SAMPLE: u32 = 300;
/// The same where hidden units are dealt out for each.
const QUICK_DEALS: u32 = 100;
/// The seed of samples: the same question has the same answer.
const SEED: u64 = 1936;
/// The words for how the sides fight, the Attacker's first, and what they change.
pub(crate) const MANNERS: [&str; 4] = ["escape", "their-escape", "retreat", "their-retreat"];

/// The names of the sides.
const SIDES: [&str; 2] = ["Attacker", "Defender"];

/// A named fact of an answer.
pub(crate) type Fact = (&'static str, String);

/// Applies a word for how a side fights; `false` if it is none.
pub(crate) fn apply_manner(manners: &mut [Manner; 2], word: &str) -> bool {
    let Some(at) = MANNERS.iter().position(|known| *known == word) else { return false };
    let manner = &mut manners[at % 2];
    if at < 2 {
        manner.escapes = true;
    } else {
        manner.retreats = true;
    }
    true
}

/// Takes the words for how the sides fight from the end of a question.
pub(crate) fn split_manners(question: &str) -> (&str, [Manner; 2]) {
    let mut rest = question.trim();
    let mut manners = [Manner::default(); 2];
    while let Some((before, word)) = rest.rsplit_once(' ') {
        if !apply_manner(&mut manners, word) {
            break;
        }
        rest = before.trim_end();
    }
    (rest, manners)
}

/// A part of the whole as a fraction that can be shown: exact where it fits, else to a thousandth of a millionth.
fn part(count: u128, all: u128) -> Chance {
    let (mut a, mut b) = (count, all);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    match (u64::try_from(count / a.max(1)), u64::try_from(all / a.max(1))) {
        (Ok(count), Ok(all)) => Chance::of(count, all),
        _ => rounded(count as f64 / all as f64),
    }
}

fn rounded(chance: f64) -> Chance {
    const FINE: f64 = 1e9;
    Chance::of((chance.clamp(0.0, 1.0) * FINE).round() as u64, FINE as u64)
}

/// Units in words: "2 × Infantry 4, Tank 3".
fn describe(units: &[Fighter], at_sea: bool) -> String {
    let mut units = units.to_vec();
    units.sort_unstable_by_key(|unit| (unit.kind, std::cmp::Reverse(unit.cv), unit.idle, unit.acted));
    let mut words: Vec<String> = Vec::new();
    let alike = |one: &Fighter, other: &Fighter| {
        (one.kind, one.cv, one.idle, one.acted) == (other.kind, other.cv, other.idle, other.acted)
    };
    for same in units.chunk_by(alike) {
        let unit = same[0];
        let kind = title_at(unit.kind, at_sea);
        let state = match () {
            () if unit.idle => " (just landed)",
            () if unit.acted => " (has acted)",
            () => "",
        };
        words.push(match same.len() {
            1 => format!("{kind} {}{state}", unit.cv),
            count => format!("{count} × {kind} {}{state}", unit.cv),
        });
    }
    if words.is_empty() { "nobody".to_owned() } else { words.join(", ") }
}

/// The same where some are hidden: those have CV 0.
fn describe_known(units: &[Fighter], at_sea: bool) -> String {
    let known: Vec<Fighter> = units.iter().copied().filter(|unit| unit.cv > 0).collect();
    match units.len() - known.len() {
        0 => describe(&known, at_sea),
        hidden if known.is_empty() => format!("{hidden} hidden"),
        hidden => format!("{}, {hidden} hidden", describe(&known, at_sea)),
    }
}

/// Who fights.
fn unit_facts(fight: &Fight) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (name, army) in ["attackers", "defenders"].into_iter().zip(&fight.armies) {
        facts.push((name, describe_known(&army.units, fight.at_sea)));
    }
    for group in &fight.groups {
        facts.push(("joins in a later round", describe_known(group, fight.at_sea)));
    }
    facts
}

/// What is assumed of those who fight.
fn manner_words(fight: &Fight) -> String {
    let mut words = "everybody fires where its firepower is greatest".to_owned();
    let named = |wanted: fn(&Manner) -> bool| {
        let sides = SIDES.into_iter().zip(&fight.armies).filter(|(_, army)| wanted(&army.manner));
        sides.map(|(name, _)| format!("the {name}'s")).collect::<Vec<_>>().join(" and ")
    };
    let (retreat, escape) = (named(|manner| manner.retreats), named(|manner| manner.escapes));
    if retreat.is_empty() {
        words.push_str("; nobody leaves who finds a target");
    } else {
        words.push_str(&format!("; {retreat} units leave when the Enemy has more than twice their steps"));
    }
    if fight.at_sea {
        if escape.is_empty() {
            words.push_str("; no Submarine Escapes");
        } else {
            words.push_str(&format!("; {escape} Submarines Escape after a round"));
        }
    }
    if !fight.groups.is_empty() {
        words.push_str("; the strongest BattleGroup joins first");
    }
    words
}

/// The answer about a Battle whose units are all known.
pub(crate) fn fight_answer(title: String, fight: &Fight, mut facts: Vec<Fact>) -> Answer {
    facts.extend(unit_facts(fight));
    let sample = || Fight::sample(SAMPLE, &mut LabDice::new(SEED), |_| fight.clone());
    let prospects = fight.counted().unwrap_or_else(sample);
    let exact = (!fight.at_sea).then(|| fight.rolls_of_round()).flatten();
    let chances = match exact {
        Some((rolls, all)) => rolls.map(|count| part(count, all)),
        None => chances(&prospects, prospects.ends),
    };
    prospects_answer(title, fight, &prospects, chances, facts)
}

fn chances(prospects: &Prospects, parts: [f64; 4]) -> [Chance; 4] {
    match prospects.sample {
        Some(count) => {
            let of = |chance: f64| (chance * f64::from(count)).round() as u64;
            parts.map(|chance| Chance::of(of(chance), u64::from(count)))
        }
        None => parts.map(rounded),
    }
}

/// Steps lost, with the columns of the table of firepower where there is more than one.
fn lost_words(prospects: &Prospects, side: usize) -> String {
    let total = prospects.toll.total(side);
    let columns = Class::ALL.into_iter().zip(prospects.toll.lost[side]).filter(|(_, lost)| *lost >= 0.005);
    let columns: Vec<String> = columns.map(|(class, lost)| format!("{} {lost:.2}", class.title())).collect();
    let away = prospects.toll.away[side];
    let mut words = format!("{total:.2}");
    if columns.len() > 1 {
        words.push_str(&format!(" ({})", columns.join(", ")));
    }
    if away >= 0.005 {
        words.push_str(&format!("; {away:.2} get away"));
    }
    words
}

fn prospects_answer(
    title: String,
    fight: &Fight,
    prospects: &Prospects,
    ends: [Chance; 4],
    mut facts: Vec<Fact>,
) -> Answer {
    facts.push(("steps the Attacker loses on average", lost_words(prospects, 0)));
    facts.push(("steps the Defender loses on average", lost_words(prospects, 1)));
    let span = if fight.at_sea { "the whole Battle, round by round" } else { "one Combat Round" };
    facts.push(("what is counted", span.to_owned()));
    facts.push(("assumed", manner_words(fight)));
    let how = match prospects.sample {
        Some(count) => format!("{count} Battles played out: right to about 2 in 100"),
        None if fight.at_sea => "counted out".to_owned(),
        None => "all rolls counted".to_owned(),
    };
    facts.push(("how", how));
    let both = if fight.at_sea { "Nobody can go on" } else { "Both are left" };
    let names = ["Only the Attacker is left", "Only the Defender is left", both, "Nobody is left"];
    let mut results: Vec<(String, Chance)> = names.map(str::to_owned).into_iter().zip(ends).collect();
    if fight.at_sea {
        let names = [
            "only the Attacker is left",
            "only the Defender is left",
            "the Battle goes on",
            "nobody is left",
        ];
        let first = names.into_iter().zip(chances(prospects, prospects.first));
        results.extend(first.map(|(name, chance)| (format!("After the first round {name}"), chance)));
    }
    // That nobody is left is rare.
    results
        .retain(|(name, chance)| !name.to_lowercase().ends_with("nobody is left") || chance.as_f64() > 0.0);
    Answer { title, rule: "12.2", facts, results }
}

impl Rules {
    /// Who would attack in an area where Enemies stand: the Active Player, else the viewer, else anybody.
    pub(crate) fn attacker_at(&self, view: &View, area: u8) -> Option<Faction> {
        let state = view.state();
        let fights = |faction: &Faction| {
            state.parties(area).has(*faction) && !self.foes_at(state, *faction, area).is_empty()
        };
        let own = Faction::ALL.into_iter().filter(|faction| view.knows(*faction));
        std::iter::once(state.turn.faction).chain(own).chain(Faction::ALL).find(fights)
    }

    /// The position as it is while a Battle is fought: who attacks, and from where, so that ways out are the real ones.
    fn as_fought(&self, state: &State, area: u8, attacker: Faction) -> State {
        let mut fought = *state;
        if state.battle.area == area && state.turn.faction == attacker {
            return fought;
        }
        fought.turn.faction = attacker;
        fought.turn.battles.add(area);
        fought.battle.area = area;
        fought.battle.against = self.foes_at(state, attacker, area);
        let engaged = state
            .own_at(attacker, area)
            .filter(|(_, unit)| unit.is(flag::ENGAGED) && unit.kind != Kind::AirForce);
        fought.battle.entries = engaged.map(|(_, unit)| unit.from).collect();
        (fought.battle.firing, fought.battle.round) = (crate::areas::NONE, 0);
        if Atlas::is_sea(area) {
            for block in crate::factions::blocks_of(attacker) {
                let unit = &mut fought.blocks[block];
                if unit.area == area && unit.is(flag::ENGAGED) {
                    unit.flags |= flag::WAITING;
                }
            }
        }
        fought
    }

    /// The Battle of an area as a calculation.
    pub fn fight_at(&self, state: &State, area: u8, attacker: Faction, manners: [Manner; 2]) -> Fight {
        let state = &self.as_fought(state, area, attacker);
        let against = state.battle.against;
        let under_way = state.battle.round > 0 && state.stage != Stage::Group;
        let stances = Faction::ALL.map(|faction| self.stance(state, faction));
        let mut armies = manners.map(|manner| Army { manner, ..Army::default() });
        let mut groups: Vec<((u8, u8), Vec<Fighter>)> = Vec::new();
        for (block, unit) in state.blocks_at(area).filter(|(_, unit)| !unit.is(flag::ESCAPED)) {
            let owner = State::owner(block);
            let side = match owner {
                Some(owner) if owner == attacker => 0,
                Some(owner) if against.has(owner) => 1,
                None if against.has_minor() => 1,
                _ => continue,
            };
            let why = if Self::is_convoy(unit) { Leaving::Convoys } else { Leaving::Round };
            let stuck = owner.is_none_or(|owner| {
                let (retreats, rebases) = self.ways_out(state, &stances[owner.index()], block, why);
                retreats.is_empty() && rebases.is_empty()
            });
            let acted = under_way && (unit.is(flag::ACTED) || usize::from(state.battle.firing) == block);
            let fighter =
                Fighter { kind: unit.kind, cv: unit.cv, idle: unit.is(flag::DISRUPTED), stuck, acted };
            if !unit.is(flag::WAITING) {
                armies[side].units.push(fighter);
                continue;
            }
            let key = (unit.origin, unit.from);
            match groups.iter_mut().find(|(other, _)| *other == key) {
                Some((_, group)) => group.push(fighter),
                None => groups.push((key, vec![fighter])),
            }
        }
        armies[0].techs = state.of(attacker).techs;
        armies[0].at_home = state.controls(attacker, area);
        armies[1].techs = against.factions().fold(0, |techs, faction| techs | state.of(faction).techs);
        armies[1].at_home =
            against.has_minor() || against.factions().any(|faction| state.controls(faction, area));
        armies[1].minor = against.has_minor() && against.count() == 1;
        let mut groups: Vec<Vec<Fighter>> = groups.into_iter().map(|(_, group)| group).collect();
        groups
            .sort_by_key(|group| std::cmp::Reverse(group.iter().map(|unit| u32::from(unit.cv)).sum::<u32>()));
        if !under_way && !groups.is_empty() {
            armies[0].units.extend(groups.remove(0));
        }
        let surprise = state.turn.surprise && state.turn.faction == attacker;
        let mut fight = Fight { armies, groups, at_sea: Atlas::is_sea(area), surprise, in_the_air: None };
        if under_way {
            self.unfinished_shot(state, &mut fight);
        }
        fight
    }

    /// The shot under way: its dice are in the air, or some of its hits are still to be placed.
    fn unfinished_shot(&self, state: &State, fight: &mut Fight) {
        let block = usize::from(state.battle.firing);
        let Some(class) = Class::ALL.get(usize::from(state.battle.class)).copied() else { return };
        if block >= state.blocks.len() {
            return;
        }
        let side = usize::from(!self.attacks(state, block));
        let (dice, needs) = match state.stage {
            Stage::Dice => self.shot(state),
            // Hits that are certain.
            Stage::Hit(_) => (state.battle.hits, 6),
            _ => return,
        };
        fight.in_the_air = Some((side, Shot { dice, needs, class }));
    }

    /// The odds of the Battle in an area where Enemies stand.
    pub(crate) fn battle_answer(&self, view: &View, words: &str) -> Result<Answer, String> {
        let (place, manners) = split_manners(words);
        let area = self.named_area(place)?;
        let name = &self.atlas().area(area).name;
        let Some(attacker) = self.attacker_at(view, area) else {
            return Err(format!(
                "there are no Enemies side by side in {name}; attack {} asks what would be if you moved there",
                self.atlas().area(area).id
            ));
        };
        let title = format!("{} attacks in {name}", capitalized(attacker.the()));
        Ok(self.odds_of(view, view.state(), area, attacker, manners, title, Vec::new()))
    }

    /// What the Battle under way comes to if everybody fights on, in little time: counted out, or a small sample. `None`
    /// where nobody defends.
    pub fn battle_prospects(&self, view: &View) -> Option<Prospects> {
        let state = view.state();
        if state.battle.area == crate::areas::NONE || state.battle.against.is_empty() {
            return None;
        }
        let (area, attacker, manners) = (state.battle.area, state.turn.faction, [Manner::default(); 2]);
        let fight = self.fight_at(state, area, attacker, manners);
        if fight.has_hidden() {
            return Some(Fight::sample(QUICK_DEALS, &mut LabDice::new(SEED), |dice| {
                self.fight_at(&self.dealt(view, state, dice), area, attacker, manners)
            }));
        }
        let sample = || Fight::sample(QUICK_SAMPLE, &mut LabDice::new(SEED), |_| fight.clone());
        Some(fight.counted_within(QUICK_WORK).unwrap_or_else(sample))
    }

    /// A position with the hidden units dealt out anew.
    fn dealt(&self, view: &View, state: &State, dice: &mut LabDice) -> State {
        let guess = self.determinize(view, dice);
        let mut dealt = *state;
        for (block, unit) in dealt.blocks.iter_mut().enumerate() {
            if unit.is_hidden() {
                (unit.kind, unit.cv) = (guess.blocks[block].kind, guess.blocks[block].cv);
            }
        }
        dealt
    }

    /// Vaults may be opened before a round; what is in them changes the odds. Ruling R56.
    fn vault_fact(&self, view: &View, attacker: Faction, against: Parties) -> Option<Fact> {
        let fights = |faction: &Faction| *faction == attacker || against.has(*faction);
        let owners =
            Faction::ALL.into_iter().filter(fights).filter(|faction| view.counted(*faction).vault > 0);
        let names: Vec<&str> = owners.map(Faction::the).collect();
        let words = || format!("technologies that {} could show from a vault", names.join(" and "));
        (!names.is_empty()).then(|| ("not counted", words()))
    }

    /// The odds of a Battle in a position that a viewer imagines: hidden units are dealt out anew again and again.
    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one question")]
    pub(crate) fn odds_of(
        &self,
        view: &View,
        state: &State,
        area: u8,
        attacker: Faction,
        manners: [Manner; 2],
        title: String,
        mut facts: Vec<Fact>,
    ) -> Answer {
        let fight = self.fight_at(state, area, attacker, manners);
        facts.extend(self.vault_fact(view, attacker, self.foes_at(state, attacker, area)));
        if !fight.has_hidden() {
            return fight_answer(title, &fight, facts);
        }
        let prospects = Fight::sample(SAMPLE, &mut LabDice::new(SEED), |dice| {
            self.fight_at(&self.dealt(view, state, dice), area, attacker, manners)
        });
        facts.extend(unit_facts(&fight));
        facts.push((
            "hidden units",
            "dealt out anew for each Battle: types as the pools and the area allow, CV as the Faction's total allows"
                .to_owned(),
        ));
        prospects_answer(title, &fight, &prospects, chances(&prospects, prospects.ends), facts)
    }
}
