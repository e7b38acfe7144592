//! A view as named numbers, for learning programs: economy, wars, forces, control. Section 20 of the rulebook.
//!
//! Everything is read from the view, so what a viewer does not know is 0: the chits, vaults and hands of Rivals, and the types
//! and CV of their hidden blocks.

use kernel::FeatureSink;

use crate::areas::AREAS;
use crate::cards::{Deck, Tech};
use crate::factions::{Faction, blocks_of};
use crate::rules::Rules;
use crate::state::Part;
use crate::units::{KINDS, Kind};
use crate::view::View;

/// The first and the last year of a war.
const YEARS: [u8; 2] = [35, 45];
/// What most tracks, hands and hoards stay below.
const MANY: u8 = 20;
/// Blocks of one type that few Factions exceed, and blocks in one area.
const BLOCKS_OF_A_KIND: u8 = 10;
const BLOCKS_IN_AN_AREA: u8 = 4;

impl Rules {
    /// A view as named numbers.
    pub fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        let state = view.state();
        out.share(format_args!("year"), state.year.saturating_sub(YEARS[0]), YEARS[1] - YEARS[0]);
        for part in [Part::NewYear, Part::Spring, Part::Summer, Part::Fall, Part::Winter] {
            out.flag(format_args!("{}", part.title()), state.part == part);
        }
        let decider = self.decider(state);
        for faction in Faction::ALL {
            let word = faction.word();
            out.flag(format_args!("{word} decides"), decider == Some(faction));
            out.flag(format_args!("{word} has the turn"), state.turn.faction == faction);
            self.economy_features(view, faction, out);
            self.war_features(view, faction, out);
            self.force_features(view, faction, out);
        }
        out.share(format_args!("Action deck"), view.deck_len(Deck::Action), 60_u8);
        out.share(format_args!("Investment deck"), view.deck_len(Deck::Investment), 60_u8);
        for area in 0..AREAS as u8 {
            let id = &self.atlas().area(area).id;
            for faction in Faction::ALL {
                let (word, at) = (faction.word(), faction.index());
                out.flag(format_args!("{id} held by {word}"), state.controls(faction, area));
                let blocks = state.counts[at][usize::from(area)];
                out.share(format_args!("{id} blocks of {word}"), blocks, BLOCKS_IN_AN_AREA);
            }
        }
    }

    fn economy_features<S: FeatureSink>(&self, view: &View, faction: Faction, out: &mut S) {
        let (state, word) = (view.state(), faction.word());
        let (own, counted) = (state.of(faction), view.counted(faction));
        let tracks = self.tracks(state, faction);
        out.share(format_args!("{word} population"), tracks.pop, MANY);
        out.share(format_args!("{word} resources"), tracks.res, MANY);
        out.share(format_args!("{word} industry"), tracks.ind, MANY);
        out.share(format_args!("{word} production"), tracks.level, MANY);
        out.share(format_args!("{word} factory level"), own.factory_level, MANY);
        out.share(format_args!("{word} VP known"), self.points(state, faction, false).total(), 25_u8);
        out.share(format_args!("{word} Action cards"), counted.hand[0], MANY);
        out.share(format_args!("{word} Investment cards"), counted.hand[1], MANY);
        out.share(format_args!("{word} vault"), counted.vault, 8_u8);
        out.share(format_args!("{word} chits"), counted.chits, MANY);
        out.share(format_args!("{word} Passive Stack"), counted.stack[0] + counted.stack[1], MANY);
        out.flag(format_args!("{word} committed"), counted.committed);
        for (value, chits) in own.chits.into_iter().enumerate() {
            out.share(format_args!("{word} chits of {value} known"), chits, MANY);
        }
        let markers: u16 = state
            .nations
            .iter()
            .filter(|nation| nation.influencer == Some(faction))
            .map(|nation| u16::from(nation.markers))
            .sum();
        out.share(format_args!("{word} influence"), markers, MANY);
        let secret = own.secret_techs();
        for tech in Tech::ALL {
            out.flag(format_args!("{word} knows {}", tech.word()), own.knows(tech));
            out.flag(format_args!("{word} hides {}", tech.word()), secret & tech.bit() != 0);
        }
    }

    fn war_features<S: FeatureSink>(&self, view: &View, faction: Faction, out: &mut S) {
        let (state, word) = (view.state(), faction.word());
        let own = state.of(faction);
        out.flag(format_args!("{word} is the viewer's"), view.knows(faction));
        for rival in faction.rivals() {
            out.flag(format_args!("{word} at war with {}", rival.word()), own.enemies.has(rival));
            out.flag(format_args!("{word} declared war on {}", rival.word()), own.declared.has(rival));
        }
        out.flag(format_args!("{word} fought this year"), own.fought);
        out.share(format_args!("{word} capitals taken"), self.rival_capitals(state, faction), 2_u8);
        let home = &self.atlas().factions[faction.index()];
        let main = state.controls(faction, home.main_capital);
        out.flag(format_args!("{word} holds its main capital"), main);
    }

    /// The units of a Faction, as far as the viewer knows them.
    fn force_features<S: FeatureSink>(&self, view: &View, faction: Faction, out: &mut S) {
        let (state, word) = (view.state(), faction.word());
        let (mut steps, mut units, mut hidden) = ([0_u16; KINDS], [0_u16; KINDS], 0_u16);
        for block in state.blocks[blocks_of(faction)].iter().filter(|block| block.on_map()) {
            if block.is_hidden() {
                hidden += 1;
            } else {
                units[block.kind as usize] += 1;
                steps[block.kind as usize] += u16::from(block.cv);
            }
        }
        out.share(format_args!("{word} CV"), view.counted(faction).cv, 100_u8);
        out.share(format_args!("{word} hidden blocks"), hidden, MANY);
        for kind in Kind::ALL {
            let at = kind as usize;
            out.share(format_args!("{word} {} blocks", kind.word()), units[at], BLOCKS_OF_A_KIND);
            out.share(format_args!("{word} {} steps", kind.word()), steps[at], 3 * BLOCKS_OF_A_KIND);
        }
    }
}
