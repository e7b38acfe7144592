//! What a position answers to the questions of worked examples.

use kernel::Mover;

use crate::areas::{AreaSet, bits};
use crate::cards::{Card, Deck, Tech};
use crate::examples_expect::{About, Check, Question};
use crate::factions::{Faction, Parties, Power};
use crate::position::{MARKS, SEASONS};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Block, State, Status, Verdict, flag};

/// One answer.
fn one(answer: impl std::fmt::Display + Copy) -> Vec<String> {
    vec![answer.to_string()]
}

impl Rules {
    /// The answer of a position; several texts where a list is asked for.
    pub(crate) fn answer_example(&self, state: &State, check: &Check) -> Vec<String> {
        match (&check.about, check.question) {
            (About::Faction(faction), question) => self.answer_of_faction(state, *faction, question),
            (About::Nation(nation), _) => vec![self.nation_words(state, *nation)],
            (About::Area(area), question) => self.answer_of_area(state, *area, question),
            (About::Way(faction, area), Question::Trade) => {
                let routes = self.trade_routes(state, *faction);
                one(MARKS[usize::from(self.blockade(&routes, *area)).min(2)])
            }
            (About::Way(faction, area), Question::Sea) => {
                one(if Self::open_seas(state, *faction).has(*area) { "open" } else { "enemy" })
            }
            (About::Way(faction, area), _) => one(self.supplied(state, *faction).has(*area)),
            (About::Choices(prefix), _) => {
                let names = self.names_of_choices(state);
                let rests = names.iter().filter_map(|name| name.strip_prefix(prefix.as_str()));
                let whole = rests.filter(|rest| rest.is_empty() || rest.starts_with(' '));
                whole.map(|rest| rest.trim().to_owned()).collect()
            }
            (About::Position, question) => self.answer_of_position(state, question, &check.expected),
        }
    }

    /// The names of all choices, in their order.
    pub(crate) fn names_of_choices(&self, state: &State) -> Vec<String> {
        let mut choices = Vec::new();
        self.list(state, &mut choices);
        let name = |choice| {
            let mut name = String::new();
            self.write_name(state, choice, &mut name);
            name
        };
        choices.into_iter().map(name).collect()
    }

    fn answer_of_faction(&self, state: &State, faction: Faction, question: Question) -> Vec<String> {
        let own = state.of(faction);
        let (all, open) = (self.tracks(state, faction), self.tracks_blockaded(state, faction));
        match question {
            Question::Pop => one(all.pop),
            Question::Res => one(all.res),
            Question::Ind => one(all.ind),
            Question::OpenPop => one(open.pop),
            Question::OpenRes => one(open.res),
            Question::Level => one(open.level),
            Question::Vp => one(self.points(state, faction, true).total()),
            Question::Cost => one(self.factory_cost(state, faction)),
            Question::HandLimit => one(self.hand_limit(state, faction)),
            Question::Cards => one(own.cards()),
            Question::Hand => {
                let cards =
                    Deck::ALL.into_iter().flat_map(|deck| self.card_ids(deck, own.hand[deck as usize]));
                cards.map(str::to_owned).collect()
            }
            Question::InPlay => {
                let cards = bits(own.in_play).map(|index| Card::new(Deck::Action, index));
                let words = |card: Card| {
                    let nation = self.meant(state, faction, card);
                    let nation = nation.map_or("nobody", |nation| &self.atlas().nation(nation).id);
                    format!("{} {nation}", self.world.card_id(card))
                };
                cards.map(words).collect()
            }
            Question::Techs => tech_words(own.techs),
            Question::Vault => tech_words(own.secret_techs()),
            Question::Chits => one(own.chits.iter().sum::<u8>()),
            Question::Fought => one(own.fought),
            _ => own.enemies.factions().map(|enemy| enemy.word().to_owned()).collect(),
        }
    }

    fn answer_of_area(&self, state: &State, area: u8, question: Question) -> Vec<String> {
        let holder = |control: &[AreaSet; 4]| {
            let words = ["axis", "west", "ussr", "minor"];
            let at = control.iter().position(|set| set.has(area));
            one(at.map_or("neutral", |at| words[at]))
        };
        match question {
            Question::Units => state.blocks_at(area).map(|(at, unit)| unit_words(at, unit)).collect(),
            Question::Seen => {
                let seen = state.blocks_at(area).filter(|(_, unit)| unit.is(flag::REVEALED));
                seen.map(|(at, unit)| unit_words(at, unit)).collect()
            }
            Question::Control => holder(&state.control),
            Question::Owner => holder(&self.control_now(state)),
            _ => one(state
                .marks
                .get(usize::from(area))
                .map_or("none", |mark| MARKS[usize::from(*mark).min(2)])),
        }
    }

    /// How a nation stands, in the words in which it is set.
    fn nation_words(&self, state: &State, nation: u8) -> String {
        let now = state.nation(nation);
        let holder = now.holder.map_or("nobody", Faction::word);
        match now.status {
            Status::Neutral => match now.influencer {
                Some(influencer) => format!("{} {}", influencer.word(), now.markers),
                None => "neutral".to_owned(),
            },
            Status::Armed => {
                let mut words = "armed".to_owned();
                now.violators.factions().for_each(|faction| {
                    words.push(' ');
                    words.push_str(faction.word());
                });
                let others = Parties(now.enemies.0 & !now.violators.0);
                others.factions().for_each(|faction| {
                    words.push_str(" entered ");
                    words.push_str(faction.word());
                });
                words
            }
            Status::Satellite => format!("satellite {holder}"),
            Status::Conquered => format!("conquered {holder}"),
            Status::Defeated => format!("defeated {holder}"),
            Status::Belongs if nation == self.atlas().usa => "joined".to_owned(),
            Status::Belongs => format!("belongs {holder}"),
        }
    }

    fn answer_of_position(&self, state: &State, question: Question, expected: &[String]) -> Vec<String> {
        match question {
            Question::Choices => self.names_of_choices(state),
            Question::Offered => {
                let names = self.names_of_choices(state);
                let missing = |name: &&String| !names.contains(name);
                let shown = expected.iter().map(|name| match missing(&name) {
                    true => format!("{name} (not offered)"),
                    false => name.clone(),
                });
                shown.collect()
            }
            Question::Refused => {
                let names = self.names_of_choices(state);
                let shown = expected.iter().map(|name| match () {
                    () if names.contains(name) => format!("{name} (offered)"),
                    // A name that means nothing here would be refused whatever the rules say.
                    () if self.read_name(state, name).is_none() => format!("{name} (means nothing here)"),
                    () => name.clone(),
                });
                shown.collect()
            }
            Question::Asked => one(match self.mover(state) {
                Mover::Nobody => "nobody",
                Mover::Fate => "fate",
                Mover::Seat(_) => self.decider(state).map_or("nobody", Faction::word),
            }),
            Question::Stage => vec![stage_word(state.stage)],
            Question::Year => one(1900 + u16::from(state.year)),
            Question::Season => {
                one(SEASONS.iter().find(|(_, part)| *part == state.part).map_or("", |(word, _)| word))
            }
            Question::Order => state.order.map(|faction| faction.word().to_owned()).to_vec(),
            Question::Turns => {
                state.turns.iter().flatten().map(|faction| faction.word().to_owned()).collect()
            }
            Question::Active => one(state.turn.faction.word()),
            Question::Moves => one(state.turn.moves),
            Question::Emergency => one(state.turn.emergency),
            Question::Surprise => one(state.turn.surprise),
            Question::Roll if state.stage == Stage::Dice => {
                let (dice, needs) = self.shot(state);
                vec![format!("{dice} at {needs}")]
            }
            Question::Roll => one("no dice"),
            Question::Discards => Deck::ALL
                .into_iter()
                .flat_map(|deck| self.card_ids(deck, state.discard[deck as usize]))
                .map(str::to_owned)
                .collect(),
            _ => vec![verdict_words(state.verdict)],
        }
    }
}

/// A unit in the words of a position, without its area.
fn unit_words(at: usize, unit: &Block) -> String {
    let power = Power::of_block(at).map_or("minor", Power::word);
    let mut words = format!("{power} {} {}", unit.kind.word(), unit.cv);
    for (flag, word) in [(flag::ESCAPED, " escaped"), (flag::DISRUPTED, " disrupted")] {
        if unit.is(flag) {
            words.push_str(word);
        }
    }
    words
}

fn tech_words(techs: u16) -> Vec<String> {
    let known = Tech::ALL.into_iter().filter(|tech| techs & tech.bit() != 0);
    known.map(|tech| tech.word().to_owned()).collect()
}

/// What is decided, in one word: `movement`, `hit`.
fn stage_word(stage: Stage) -> String {
    let name = format!("{stage:?}");
    let name = name.split('(').next().unwrap_or_default();
    let mut word = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            word.push('_');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

fn verdict_words(verdict: Option<Verdict>) -> String {
    match verdict {
        None => "none".to_owned(),
        Some(Verdict::Economic(winner)) => format!("{} economic", winner.word()),
        Some(Verdict::Military(winner)) => format!("{} military", winner.word()),
        Some(Verdict::Atomic(winner)) => format!("{} atomic", winner.word()),
        Some(Verdict::Hegemony(winner)) => format!("{} hegemony", winner.word()),
        Some(Verdict::Shared(winners)) => {
            let words: Vec<&str> = winners.factions().map(Faction::word).collect();
            format!("{} shared", words.join(" "))
        }
    }
}
