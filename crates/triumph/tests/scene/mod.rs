//! Positions built by hand for tests of single rules: an empty map, units where they are wanted, a Player Turn.

#![allow(dead_code, reason = "every test file uses some of it")]

use kernel::{Discard, Game, Options};
use triumph::{
    Card, Choice, Deck, Faction, Kind, NONE, Part, Power, Season, Stage, State, Status, Triumph, flag,
};

/// A game and a position of it.
pub struct Scene {
    pub game: Triumph,
    pub state: State,
}

impl Scene {
    /// The map of 1936 without any unit, all at peace.
    pub fn empty() -> Self {
        Self::with(&[])
    }

    /// The same with options.
    pub fn with(options: &[(&str, &str)]) -> Self {
        let options: Options =
            options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let game = Triumph::with_options(&options).expect("good options");
        let mut state = game.start();
        for block in 0..state.blocks.len() {
            if state.blocks[block].on_map() {
                state.remove(block);
            }
        }
        (state.year, state.part) = (40, Part::Summer);
        Self { game, state }
    }

    pub fn area(&self, id: &str) -> u8 {
        self.game.rules().atlas().find_area(id).unwrap_or_else(|| panic!("no area {id}"))
    }

    pub fn nation(&self, id: &str) -> u8 {
        self.game.rules().atlas().find_nation(id).unwrap_or_else(|| panic!("no nation {id}"))
    }

    /// Puts a unit on the map.
    pub fn unit(&mut self, power: Power, kind: Kind, cv: u8, area: &str) -> usize {
        let area = self.area(area);
        self.state.place(power, kind, cv, area).expect("a block is free")
    }

    /// A Submarine that has Escaped.
    pub fn lurker(&mut self, power: Power, cv: u8, area: &str) -> usize {
        let block = self.unit(power, Kind::Submarine, cv, area);
        self.state.set_escaped(block, true);
        block
    }

    pub fn war(&mut self, one: Faction, other: Faction) {
        self.state.of_mut(one).enemies = self.state.of(one).enemies.with(other);
        self.state.of_mut(other).enemies = self.state.of(other).enemies.with(one);
    }

    /// A nation is a Satellite of a Faction, without units.
    pub fn satellite(&mut self, nation: &str, faction: Faction) {
        let nation = self.nation(nation);
        let now = self.state.nation_mut(nation);
        (now.status, now.holder) = (Status::Satellite, Some(faction));
    }

    /// Influence of a Faction.
    pub fn markers(&mut self, nation: &str, faction: Faction, markers: u8) {
        let nation = self.nation(nation);
        let now = self.state.nation_mut(nation);
        (now.influencer, now.markers) = (Some(faction), markers);
    }

    /// A card of the deck by its season goes to a hand.
    pub fn deal(&mut self, faction: Faction, season: Season) -> Card {
        let rules = self.game.rules();
        let found = triumph::bits(self.state.deck[0])
            .map(|index| Card::new(Deck::Action, index))
            .find(|card| rules.world.action(*card).season == season)
            .expect("a card of the season");
        self.state.deck[0] &= !found.bit();
        self.state.of_mut(faction).hand[0] |= found.bit();
        found
    }

    /// An Investment card of the deck goes to a hand.
    pub fn deal_investment(&mut self, faction: Faction, id: &str) -> Card {
        let card = self.game.rules().world.card(id).expect("a card");
        self.state.deck[1] &= !card.bit();
        self.state.of_mut(faction).hand[1] |= card.bit();
        card
    }

    /// Begins the Player Turn of a Faction with a card of the given season.
    pub fn turn(&mut self, faction: Faction, season: Season) {
        let card = self.deal(faction, season);
        self.state.of_mut(faction).hand[0] &= !card.bit();
        self.state.of_mut(faction).committed = Some(card);
        (self.state.stage, self.state.passes) = (Stage::Command, 2);
        self.play(Choice::Pass);
        assert_eq!(self.state.stage, Stage::Movement, "the turn has begun");
    }

    /// The turn of a Faction in Summer with a valid card.
    pub fn summer_turn(&mut self, faction: Faction) {
        self.turn(faction, Season::Summer);
    }

    /// The Winter turn of the USSR.
    pub fn winter_turn(&mut self) {
        self.state.part = Part::Winter;
        let card = self.deal(Faction::Ussr, Season::Spring);
        self.state.stage = Stage::Winter;
        self.play(Choice::Commit(card));
    }

    pub fn choices(&self) -> Vec<Choice> {
        let mut out = Vec::new();
        self.game.choices(&self.state, &mut out);
        out
    }

    pub fn offers(&self, choice: Choice) -> bool {
        self.choices().contains(&choice)
    }

    /// Plays a choice without asking whether it is open.
    pub fn play(&mut self, choice: Choice) {
        self.game.apply(&mut self.state, choice, &mut Discard);
    }

    /// Plays a choice that must be open.
    pub fn choose(&mut self, choice: Choice) {
        let open = self.choices();
        assert!(open.contains(&choice), "{choice:?} is not among {open:?}");
        self.play(choice);
    }

    /// Where a unit can go, by the choices that would be offered.
    pub fn goals(&self, block: usize) -> Vec<(u8, u8)> {
        let mut state = self.state;
        (state.stage, state.picked) = (Stage::Destination, block as u8);
        let mut out = Vec::new();
        self.game.choices(&state, &mut out);
        let goals = out.into_iter().filter_map(|choice| match choice {
            Choice::To(to, via) => Some((to, via)),
            _ => None,
        });
        goals.collect()
    }

    /// Whether a unit can go to an area.
    pub fn reaches(&self, block: usize, area: &str) -> bool {
        let area = self.area(area);
        self.goals(block).iter().any(|(to, _)| *to == area)
    }

    /// Moves a unit.
    pub fn go(&mut self, block: usize, to: &str) {
        let area = self.area(to);
        let (to, via) = self
            .goals(block)
            .into_iter()
            .find(|(goal, _)| *goal == area)
            .unwrap_or_else(|| panic!("no way to {to}"));
        self.choose(Choice::Move(block as u8));
        self.choose(Choice::To(to, via));
    }

    /// Whether a block lies face up.
    pub fn is_shown(&self, block: usize) -> bool {
        self.state.blocks[block].is(flag::REVEALED)
    }

    /// Nothing is picked.
    pub const NOTHING: u8 = NONE;
}
