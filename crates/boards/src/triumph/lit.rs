//! What can be chosen now, by the thing on the board that is clicked for it.
//!
//! A point of Production is spent in two steps by the rules: first on what, then which unit. On the board it is one click, a
//! chain: the second step is found by playing the first on a copy of what the viewer sees.

use kernel::{Discard, Game as _, Wording as _};
use triumph::{Card, Choice, Class, Faction, NONE, Power, Research, State, Triumph, View};
use web::Asked;
use web::chain::LINK;

/// Something on the board that is clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// An area.
    Area(u8),
    /// A nation, by the place of its markers.
    Nation(u8),
    /// A block.
    Block(u8),
    /// The mark by which a block is disbanded, which is shown only when it is wanted.
    Disband(u8),
    /// A card as a whole.
    Card(Card),
    /// A nation on a card.
    End(Card, u8),
    /// The text of a card, which is picked up and put on a place of the map.
    Text(Card),
    /// A technology of a card or a vault.
    Tech(triumph::Tech),
    /// The panel of a Faction.
    Front(Faction),
    /// The column of a class in a Battle.
    Class(Class),
    /// What the industry of a Faction costs.
    Factory,
    /// A deck.
    Deck(triumph::Deck),
    /// A new unit of a type, where the place is known.
    Kind(triumph::Kind),
    /// A new unit of a Power and type.
    New(Power, triumph::Kind),
}

/// A choice with its name, or a chain of them, and what it is called.
#[derive(Clone, Debug)]
pub struct Way {
    /// The choice; of a chain the last one.
    pub choice: Choice,
    /// Its name.
    pub name: String,
    /// Its words.
    pub label: String,
}

/// Everything that can be chosen now.
#[derive(Debug, Default)]
pub struct Lit {
    ways: Vec<Way>,
}

impl Lit {
    /// What is asked of the viewer.
    pub fn of(game: &Triumph, view: &View, asked: &Asked<'_, Choice>) -> Self {
        let state = view.state();
        let mut ways = Vec::with_capacity(asked.open.len());
        for (choice, name) in asked.open {
            ways.push(Way { choice: *choice, name: name.clone(), label: game.label(state, *choice) });
            if matches!(choice, Choice::Strengthen | Choice::Build) {
                chains(game, state, *choice, name, &mut ways);
            }
        }
        Self { ways }
    }

    /// The choices that belong to a thing on the board.
    pub fn at(&self, game: &Triumph, state: &State, spot: Spot) -> Vec<&Way> {
        self.ways.iter().filter(|way| belongs(game, state, way.choice, spot)).collect()
    }

    /// All choices.
    pub fn ways(&self) -> impl Iterator<Item = &Way> {
        self.ways.iter()
    }

    /// Whether nothing is asked.
    pub const fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }
}

/// Names as the client expects them; `None` where there are none.
pub fn names(ways: &[&Way]) -> Option<String> {
    let names: Vec<&str> = ways.iter().map(|way| way.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join("|"))
}

/// What is said of a place: its only choice, or its own name.
pub fn words(ways: &[&Way], otherwise: &str) -> String {
    match ways {
        [one] => one.label.clone(),
        _ => otherwise.to_owned(),
    }
}

/// What a point can be spent on in its second step.
fn chains(game: &Triumph, state: &State, first: Choice, name: &str, ways: &mut Vec<Way>) {
    let mut after = *state;
    game.apply(&mut after, first, &mut Discard);
    let mut second = Vec::new();
    game.choices(&after, &mut second);
    for choice in second {
        if !matches!(choice, Choice::Step(_) | Choice::New(..)) {
            continue;
        }
        let mut chain = format!("{name}{LINK}");
        game.write_name(&after, choice, &mut chain);
        ways.push(Way { choice, name: chain, label: game.label(&after, choice) });
    }
}

fn belongs(game: &Triumph, state: &State, choice: Choice, spot: Spot) -> bool {
    match (choice, spot) {
        (
            Choice::To(area, _)
            | Choice::At(area)
            | Choice::Arrive(area)
            | Choice::Fight(area)
            | Choice::Avoid(area)
            | Choice::Select(area)
            | Choice::Retreat(_, area)
            | Choice::Rebase(_, area),
            Spot::Area(at),
        ) => area == at,
        (Choice::Spy(card, _, area), Spot::Area(at)) => area == at && !aims_at_nations(game, card),
        (Choice::Spy(card, _, nation), Spot::Nation(at)) => nation == at && aims_at_nations(game, card),
        (Choice::Spy(of, _, place), Spot::Card(card)) => of == card && place == NONE,
        (Choice::Spy(of, _, place), Spot::Text(card)) => of == card && place != NONE,
        (Choice::Aim(place), Spot::Area(at)) => place == at && !aims_now_at_nations(game, state),
        (Choice::Aim(place), Spot::Nation(at)) => place == at && aims_now_at_nations(game, state),
        (Choice::Diplomacy(card, nation), Spot::End(of, at)) => (card, nation) == (of, at),
        (
            Choice::Diplomacy(_, nation)
            | Choice::Wild(_, nation)
            | Choice::Repudiate(nation)
            | Choice::Violate(nation)
            | Choice::Intervene(nation),
            Spot::Nation(at),
        ) => nation == at,
        (Choice::Wild(of, _), Spot::Text(card)) => of == card,
        (Choice::Pay(of) | Choice::Discard(of) | Choice::Commit(of), Spot::Card(card)) => of == card,
        (Choice::Pair(keep, other, _), Spot::Card(card)) => keep == card || other == card,
        (Choice::Take(of, _), Spot::Card(card)) => of == card,
        (Choice::DoubleAgent, Spot::Card(card)) => is_double_agent(game, card),
        (Choice::Reveal(tech), Spot::Tech(of)) => tech == of,
        (Choice::War(faction) | Choice::Active(faction), Spot::Front(of)) => faction == of,
        (Choice::Factory, Spot::Factory) => true,
        (Choice::BuyAction, Spot::Deck(deck)) => deck == triumph::Deck::Action,
        (Choice::BuyInvestment, Spot::Deck(deck)) => deck == triumph::Deck::Investment,
        (Choice::Cadre(kind) | Choice::Muster(kind), Spot::Kind(of)) => kind == of,
        (Choice::New(power, kind), Spot::New(of, other)) => (power, kind) == (of, other),
        (Choice::Fire(_, class), Spot::Class(of)) => class == of,
        (Choice::Disband(block), Spot::Disband(at)) => alike(state, usize::from(block), usize::from(at)),
        (_, Spot::Block(at)) => match choice {
            Choice::Fire(..) | Choice::Raid(_) | Choice::Strike(_) | Choice::Disband(_) => false,
            Choice::Retreat(..) | Choice::Rebase(..) => false,
            _ => choice.block().is_some_and(|block| alike(state, block, usize::from(at))),
        },
        _ => false,
    }
}

/// Whether a choice about one block can be made with another as well. Only one of several that are alike is offered.
pub fn alike(state: &State, one: usize, other: usize) -> bool {
    one == other
        || (Power::of_block(one) == Power::of_block(other)
            && state.blocks[one].is_alike(&state.blocks[other]))
}

fn aims_at_nations(game: &Triumph, card: Card) -> bool {
    card.deck() == triumph::Deck::Investment
        && game.rules().world.investment(card).research == Research::Intelligence(triumph::Intel::Coup)
}

fn aims_now_at_nations(game: &Triumph, state: &State) -> bool {
    matches!(state.stage, triumph::Stage::Turned(card, ..) if aims_at_nations(game, card))
}

fn is_double_agent(game: &Triumph, card: Card) -> bool {
    card.deck() == triumph::Deck::Investment
        && game.rules().world.investment(card).research == Research::Intelligence(triumph::Intel::DoubleAgent)
}
