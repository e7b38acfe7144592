//! Choices in words, with what they mean here.
//!
//! Unless a choice is concealed, the others read its label in the log: so these labels say only what everybody may know once
//! the choice is made. What only the mover may know stands in the prompt and in reasons.

use crate::areas::{NONE, bits};
use crate::cards::{Card, Deck, Diplomacy, Intel, Research, Wild};
use crate::choice::{Choice, Find};
use crate::factions::Faction;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::State;
use crate::units::Kind;
use crate::words::{and_list, capitalized, count};
use crate::year::TURN_ORDERS;

impl Rules {
    /// A choice in words.
    pub(crate) fn label(&self, state: &State, choice: Choice) -> String {
        let faction = self.decider(state).unwrap_or(Faction::Axis);
        match choice {
            Choice::Cadre(kind) => self.placing_label(state, kind),
            Choice::Muster(kind) => self.placing_label(state, kind),
            Choice::Card(card) => self.card_text(card),
            Choice::Chit(value) => format!("A Peace Dividend of {value}"),
            Choice::Die(die) => match TURN_ORDERS.get(usize::from(die).wrapping_sub(1)) {
                Some([a, b, c]) => format!("Rolled {die}: {a}, {b}, {c}"),
                None => format!("Rolled {die}"),
            },
            Choice::Hits(0) => "No hit".to_owned(),
            Choice::Hits(hits) => count(hits, "hit"),
            Choice::FromDeck(investment) => {
                let deck = Deck::ALL[usize::from(investment)];
                format!("An {} card", deck.title())
            }
            Choice::Active(active) => {
                let [one, other] = [Faction::West, Faction::Ussr];
                let passive = if active == one { other } else { one };
                format!("{} is Active this year, {} Passive", capitalized(active.the()), passive.the())
            }
            Choice::Arrive(area) => {
                let (kind, cv) = Self::arriving(state);
                format!("The US {} {cv} arrives in {}", kind.title(), self.place_name(area))
            }
            Choice::Disband(block) => format!("Disband {}", self.unit_there(state, block)),
            Choice::BuyAction => "Buy an Action card".to_owned(),
            Choice::BuyInvestment => "Buy an Investment card".to_owned(),
            Choice::Strengthen => "Strengthen a unit by a step".to_owned(),
            Choice::Build => "Build a new unit".to_owned(),
            Choice::Finish => match state.spending.points {
                0 => "End Production".to_owned(),
                left => format!("End Production; {} lost", count(left, "point")),
            },
            Choice::Step(block) => {
                let cv = state.blocks.get(usize::from(block)).map_or(0, |unit| unit.cv);
                format!("Strengthen {} to {}", self.unit_there(state, block), cv + 1)
            }
            Choice::New(power, kind) => {
                let pool = self.atlas().pools[power.index()][kind.index()];
                let left = pool.saturating_sub(state.used(power, kind));
                format!("{} {} ({left} of {pool} left)", power.adjective(), kind.title())
            }
            Choice::At(area) => format!("Place it in {}", self.place_name(area)),
            Choice::Diplomacy(card, nation) => self.diplomacy_label(state, faction, card, nation),
            Choice::Wild(card, nation) => self.wild_label(state, faction, card, nation),
            Choice::Factory => {
                let ind = state.of(faction).ind;
                format!(
                    "Build a factory: pay {} (IND {ind} → {})",
                    self.factory_cost(state, faction),
                    ind + 1
                )
            }
            Choice::Pay(card) => self.pay_label(state, faction, card),
            Choice::Pair(keep, other, find) => self.pair_label(keep, other, find),
            Choice::Spy(card, target, place) => {
                format!("{}: {}", self.spy_title(card), self.spy_effect(state, card, target, place))
            }
            Choice::Aim(place) => match state.stage {
                Stage::Turned(card, _, player) => capitalized(&self.spy_effect(state, card, player, place)),
                _ => "Choose what the card is aimed at".to_owned(),
            },
            Choice::Reveal(tech) => format!("Show {} from the vault: {}", tech.title(), tech.about()),
            Choice::Repudiate(nation) => {
                let left = state.nation(nation).markers.saturating_sub(1);
                format!("Take back a marker from {} ({left} left)", self.nation_name(nation))
            }
            Choice::Pass => Self::pass_label(state).to_owned(),
            Choice::DoubleAgent => match state.stage {
                Stage::DoubleAgent(card, player, ..) => {
                    format!("Answer with Double Agent: {} hits {}", self.spy_title(card), player.the())
                }
                _ => "Answer with Double Agent".to_owned(),
            },
            Choice::LetItPass => "No Double Agent: let it happen".to_owned(),
            Choice::Take(card, find) => {
                let way = if find.vault() { "put it into the vault" } else { "show it" };
                format!("Pair the Mole with {} for {} and {way}", self.card_name(card), find.tech().title())
            }
            Choice::Nothing => match state.stage {
                Stage::Mole(..) => "Take nothing: the Mole is discarded".to_owned(),
                _ => "Nothing".to_owned(),
            },
            Choice::Discard(card) => match state.stage {
                Stage::WarCard(rival) => {
                    format!("Pay for the war on {} with {}", rival.the(), self.card_text(card))
                }
                _ => format!("Discard {}", self.card_text(card)),
            },
            Choice::Commit(card) => self.commit_label(state, faction, card),
            Choice::Order(order) => {
                let turns = order.iter().filter(|who| state.turns.contains(&Some(**who)));
                let turns: Vec<&str> = turns.map(|who| who.title()).collect();
                if turns.is_empty() { "This order of turns".to_owned() } else { turns.join(", then ") }
            }
            _ => self.war_label(state, choice),
        }
    }

    /// A unit with its area: "the German Infantry 3 in Berlin".
    pub(crate) fn unit_there(&self, state: &State, block: u8) -> String {
        let name = self.block_name(state, usize::from(block));
        match state.blocks.get(usize::from(block)) {
            Some(unit) if unit.on_map() => format!("the {name} in {}", self.place_name(unit.area)),
            _ => format!("the {name}"),
        }
    }

    /// A new unit of the set-up or of a nation that joins.
    fn placing_label(&self, state: &State, kind: Kind) -> String {
        let found = match state.stage {
            Stage::SetUp(at) => self.cadres().nth(usize::from(at)).map(|(power, area)| (power, area, 1)),
            _ => self.next_muster(state).map(|(faction, area)| {
                let power = faction.great();
                (power, area, self.muster_cv(state, power, area))
            }),
        };
        match found {
            Some((power, area, cv)) => {
                format!("{} {} {cv} in {}", power.adjective(), kind.title(), self.place_name(area))
            }
            None => kind.title().to_owned(),
        }
    }

    /// A Diplomacy card: the nation, the card, and what lies there.
    fn diplomacy_label(&self, state: &State, faction: Faction, card: Card, nation: u8) -> String {
        let mut notes = Vec::new();
        for who in Faction::ALL {
            let cards = self.cards_for(state, who, nation);
            if cards > 0 && who == faction {
                notes.push(format!("{} in play", count(cards, "own card")));
            } else if cards > 0 {
                notes.push(format!("cancels a card of {}", who.the()));
            }
        }
        notes.extend(self.markers_note(state, nation));
        let notes = if notes.is_empty() { String::new() } else { format!(" – {}", notes.join(", ")) };
        format!("{}: play {}{notes}", capitalized(&self.nation_name(nation)), self.card_name(card))
    }

    /// How many cards a Faction has in play for a nation.
    pub(crate) fn cards_for(&self, state: &State, faction: Faction, nation: u8) -> i32 {
        let cards = bits(state.of(faction).in_play).map(|index| Card::new(Deck::Action, index));
        { cards }.filter(|card| self.meant(state, faction, *card) == Some(nation)).count() as i32
    }

    fn markers_note(&self, state: &State, nation: u8) -> Option<String> {
        let now = state.nation(nation);
        now.influencer.map(|who| count(now.markers, &format!("{who} marker")))
    }

    /// A WildCard: what it does there.
    fn wild_label(&self, state: &State, faction: Faction, card: Card, nation: u8) -> String {
        let Some(Diplomacy::Wild(title, wild)) =
            (card.deck() == Deck::Action).then(|| &self.world.action(card).diplomacy)
        else {
            return format!("{}: play {}", capitalized(&self.nation_name(nation)), self.card_name(card));
        };
        let now = state.nation(nation);
        let place = self.nation_name(nation);
        let effect = match now.influencer {
            Some(other) if other != faction => {
                let left = now.markers.saturating_sub(1);
                format!("one {other} marker less in {place} ({left} left)")
            }
            _ => format!("a marker in {place} (then {})", now.markers + 1),
        };
        let price = if *wild == Wild::ForeignAid { "; costs 1 IND" } else { "" };
        format!("{title} {}: {effect}{price}", self.world.card_id(card))
    }

    fn pay_label(&self, state: &State, faction: Faction, card: Card) -> String {
        if card.deck() == Deck::Action {
            return format!("Pay {}", self.card_name(card));
        }
        let laid = if let Stage::Pay(laid) = state.stage { laid } else { 0 };
        let sum = laid + self.world.investment(card).factory;
        format!("Pay {}: {sum} of {}", self.card_text(card), self.factory_cost(state, faction))
    }

    fn pair_label(&self, keep: Card, other: Card, find: Find) -> String {
        let tech = find.tech();
        let id = |card: Card| self.world.card_id(card);
        if keep == other {
            return format!("{}: {} and a second card", tech.title(), id(keep));
        }
        if find.vault() {
            format!("Put {} into the vault: {} and {}", tech.title(), id(keep), id(other))
        } else {
            format!("Show {}: keep {}, discard {} – {}", tech.title(), id(keep), id(other), tech.about())
        }
    }

    /// The kind of an Intelligence card.
    pub(crate) fn spy(&self, card: Card) -> Option<Intel> {
        match (card.deck() == Deck::Investment).then(|| self.world.investment(card).research) {
            Some(Research::Intelligence(intel)) => Some(intel),
            _ => None,
        }
    }

    /// "Agent I32".
    pub(crate) fn spy_title(&self, card: Card) -> String {
        let id = self.world.card_id(card);
        self.spy(card).map_or_else(|| id.to_owned(), |intel| format!("{} {id}", intel.title()))
    }

    /// What an Intelligence card does to a Faction.
    fn spy_effect(&self, state: &State, card: Card, target: Faction, place: u8) -> String {
        let the = target.the();
        match self.spy(card) {
            Some(Intel::Agent) if place == NONE => format!("look at units of {the}"),
            Some(Intel::Agent) => {
                let units = Self::units_of(state, target, place) as i32;
                format!("look at {} of {the} in {}", count(units, "unit"), self.place_name(place))
            }
            Some(Intel::CodeBreak) => format!("look at the hand of {the}"),
            Some(Intel::SpyRing) => format!("take a card at random from the hand of {the}"),
            Some(Intel::Coup) if place == NONE => format!("remove all markers of {the} from a nation"),
            Some(Intel::Coup) => {
                format!("remove all markers of {the} from {}", self.nation_name(place))
            }
            Some(Intel::Sabotage) => {
                let ind = state.of(target).ind;
                format!("{the} loses 1 IND ({ind} → {})", ind.saturating_sub(1))
            }
            Some(Intel::Mole) => format!("look into the vault of {the}"),
            Some(Intel::DoubleAgent) | None => format!("play it against {the}"),
        }
    }

    const fn pass_label(state: &State) -> &'static str {
        match state.stage {
            Stage::Command => "Pass: commit no card now",
            Stage::SecondCard => "No second card",
            Stage::Winter => "No Winter turn",
            Stage::FreePlay(_) => "No more plays",
            _ => "Pass",
        }
    }

    /// What a Command card gives. Rules 10.1, 10.11, 10.4, 18.6.
    fn commit_label(&self, state: &State, faction: Faction, card: Card) -> String {
        let name = self.card_text(card);
        if card.deck() == Deck::Investment {
            return format!("Commit {name}: a bluff, no turn");
        }
        let value = self.world.action(card).value;
        match () {
            () if state.stage == Stage::SecondCard => format!("Add {name}: a full turn"),
            () if !self.is_valid(state, card) => {
                let moves = self.atlas().factions[faction.index()].emergency;
                format!("Commit {name}: an Emergency turn, {}, no Aggression", count(moves, "move"))
            }
            () if self.is_passive(state, faction) && state.stage == Stage::Command => {
                format!("Commit {name}: a Defensive Turn, {}", count(value, "move"))
            }
            () => format!("Commit {name}: {}", count(value, "move")),
        }
    }

    /// The technologies of a vault in words.
    pub(crate) fn vault_words(state: &State, faction: Faction) -> String {
        let titles: Vec<&str> = state.of(faction).vault().map(|pair| pair.tech.title()).collect();
        and_list(&titles)
    }

    /// The unit of a USA group that arrives now.
    pub(crate) fn arriving(state: &State) -> (Kind, u8) {
        let at = if let Stage::Arrival(at) = state.stage { usize::from(at) } else { 0 };
        (Self::group_kind(at), Self::group_cv(state))
    }
}
