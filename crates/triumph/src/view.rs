//! What one viewer may know, and full positions that agree with it. Section 20 of the rulebook; rulings R23, R47, R55.
//!
//! A view is a position from which everything hidden has been taken: hidden blocks have no type and no CV, and the blocks of
//! Rivals are put in an order that follows from what everybody sees, so that their numbers tell nothing.

use kernel::Viewer;

use crate::areas::BORDERS;
use crate::cards::Deck;
use crate::factions::{Faction, Parties, Power, blocks_of};
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{Block, State, VAULT, flag};
use crate::units::Kind;

/// A position as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The position without what is hidden.
    state: State,
    /// The Factions whose secrets are open.
    own: Parties,
    /// What is counted of each Faction.
    counts: [Counted; 3],
    /// Cards in the decks.
    decks: [u8; 2],
}

/// What everybody can count of a Faction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Counted {
    /// The total CV of its units. Ruling R47.
    pub cv: u16,
    /// Cards in hand by deck; a committed card counts here until it is shown, so that its back tells nothing.
    pub hand: [u8; 2],
    /// Whether it has committed a card.
    pub committed: bool,
    /// Pairs in its vault.
    pub vault: u8,
    /// Peace chits.
    pub chits: u8,
    /// Cards in its Passive Stack by deck. Rule 18.
    pub stack: [u8; 2],
}

/// What stays visible of a hidden block's flags.
const SEEN_FLAGS: u8 = flag::ESCAPED | flag::MOVED | flag::ENGAGED | flag::WAITING;

impl View {
    /// The position without what is hidden: hidden blocks have CV 0.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The Factions whose secrets are open to the viewer.
    pub const fn own(&self) -> Parties {
        self.own
    }

    /// Whether the viewer knows the secrets of a Faction.
    pub const fn knows(&self, faction: Faction) -> bool {
        self.own.has(faction)
    }

    /// What can be counted of a Faction.
    pub const fn counted(&self, faction: Faction) -> &Counted {
        &self.counts[faction.index()]
    }

    /// How many cards lie in a deck.
    pub const fn deck_len(&self, deck: Deck) -> u8 {
        self.decks[deck as usize]
    }
}

impl Block {
    /// Whether a block in a view is hidden from the viewer.
    pub const fn is_hidden(&self) -> bool {
        self.on_map() && self.cv == 0
    }
}

impl Rules {
    /// What a viewer sees.
    pub fn view(&self, state: &State, viewer: Viewer) -> View {
        let all = Faction::ALL.into_iter().fold(Parties::NONE, Parties::with);
        let own = match viewer {
            _ if state.stage == Stage::Over => all,
            Viewer::Seat(seat) => self.factions_of(seat),
            Viewer::Spectator => Parties::NONE,
        };
        let mut seen = *state;
        for faction in Faction::ALL {
            if !own.has(faction) {
                self.hide(&mut seen, faction);
            }
        }
        if own != all {
            for faction in Faction::ALL {
                seen.of_mut(faction).stack = [0; 2];
            }
            (seen.deck, seen.cup) = ([0; 2], [0; 3]);
            if !own.has(state.turn.faction) {
                // Which Battles are Raids shows only when their units are shown. Rule 12.1.
                seen.turn.battles = seen.turn.battles.or(seen.turn.open);
            }
            if let Stage::Mole(_, user, target) = state.stage
                && own.has(user)
            {
                // A Mole's user sees the vault while it decides. Ruling R55.
                seen.of_mut(target).vault = state.of(target).vault;
            }
            self.hide_stage(state, &mut seen, own);
        }
        let counts = Faction::ALL.map(|faction| self.count(state, faction));
        View { state: seen, own, counts, decks: state.deck.map(|cards| cards.count_ones() as u8) }
    }

    fn count(&self, state: &State, faction: Faction) -> Counted {
        let own = state.of(faction);
        let mut hand = own.hand.map(|cards| cards.count_ones() as u8);
        if let Some(card) = own.committed.filter(|_| Self::is_committing(state.stage)) {
            hand[card.deck() as usize] += 1;
        }
        Counted {
            cv: state.total_cv(faction),
            hand,
            committed: own.committed.is_some(),
            vault: own.vault_len() as u8,
            chits: own.chits.iter().sum(),
            stack: own.stack.map(|cards| cards.count_ones() as u8),
        }
    }

    /// Takes out what is secret of a Faction.
    fn hide(&self, seen: &mut State, faction: Faction) {
        let firing = usize::from(seen.battle.firing);
        let shot = blocks_of(faction).contains(&firing).then(|| seen.blocks[firing]);
        for &power in Power::of(faction) {
            let blocks = &mut seen.blocks[power.blocks()];
            for block in blocks.iter_mut().filter(|block| block.on_map() && !block.is(flag::REVEALED)) {
                (block.kind, block.cv) = (Kind::Infantry, 0);
                block.flags &= SEEN_FLAGS;
            }
            // Numbers of blocks would tell when they were built.
            blocks.sort_unstable_by_key(|block| {
                let told =
                    [0, 0, block.area, block.kind as u8, block.cv, block.flags, block.from, block.origin];
                u64::from_be_bytes(told)
            });
        }
        if let Some(shot) = shot {
            let same = blocks_of(faction).find(|block| seen.blocks[*block] == shot);
            seen.battle.firing = same.map_or(seen.battle.firing, |block| block as u8);
        }
        let stage = seen.stage;
        let own = seen.of_mut(faction);
        (own.hand, own.vault) = ([0; 2], [None; VAULT]);
        if Self::is_committing(stage) {
            own.committed = None;
        }
        (own.chits, own.stage_year) = ([0; 3], 0);
        if !Self::is_combat(seen.stage) {
            seen.crossed[faction.index()] = [0; BORDERS.div_ceil(4)];
        }
    }

    /// Whether committed cards lie face down: until the Command Phase is over. Rule 10.1.
    pub(crate) const fn is_committing(stage: Stage) -> bool {
        matches!(stage, Stage::Command | Stage::SecondCard)
    }

    /// Whether Battles are being fought, so that border counts are of retreats that everybody has seen.
    const fn is_combat(stage: Stage) -> bool {
        matches!(
            stage,
            Stage::Fight(_)
                | Stage::Select
                | Stage::Against(_)
                | Stage::Group
                | Stage::Vault(_)
                | Stage::Action(_)
                | Stage::Dice
                | Stage::Hit(_)
                | Stage::AfterStrike
                | Stage::Rebase
                | Stage::Escape(_)
                | Stage::Leave(_, Leaving::Round | Leaving::Sea | Leaving::Combat | Leaving::Convoys)
        )
    }

    /// What another player has picked and not yet placed is nobody's business.
    fn hide_stage(&self, state: &State, seen: &mut State, own: Parties) {
        let decides = self.decider(state).is_some_and(|faction| own.has(faction));
        if decides {
            return;
        }
        match state.stage {
            Stage::Destination => seen.stage = Stage::Movement,
            Stage::Step | Stage::Build | Stage::BuildAt => seen.stage = Stage::Spend,
            _ => return,
        }
        seen.picked = crate::areas::NONE;
    }
}
