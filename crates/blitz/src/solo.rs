//! The bot's turn and its procedure. Rules 8.4 to 8.6 and 9.

use kernel::Listener;

use crate::layout::{Effect, bits};
use crate::notice::{Notice, Reason};
use crate::pool::MOST_TOKENS;
use crate::rules::{Rules, Unit};
use crate::state::{Phase, Stage, State};
use crate::stratagem::Stratagem;
use crate::units::{Ability, Class, Kind, Side};

/// From so many VP on the bot goes for points. Rules 9.3, 9.4.
const HIGH_VP: u8 = 20;
/// A lead in VP that worries the bot. Rule 9.3.
const PLAYER_LEAD: u8 = 3;
/// The largest tactical advantage of any space.
const MOST_TACTICAL: i8 = 9;
/// A row that is short. Rule 9.3, ruling R14.
const FEW_UNITS: usize = 4;

/// Some effects.
#[derive(Clone, Copy)]
struct EffectSet(u16);

impl EffectSet {
    const fn of(effects: &[Effect]) -> Self {
        let mut set = 0;
        let mut at = 0;
        while at < effects.len() {
            set |= 1 << effects[at] as u8;
            at += 1;
        }
        Self(set)
    }

    const fn has(self, effect: Effect) -> bool {
        self.0 >> effect as u8 & 1 != 0
    }
}

const PRODUCTION: EffectSet = EffectSet::of(&[Effect::Production, Effect::ImprovedProduction]);
const RESEARCH: EffectSet =
    EffectSet::of(&[Effect::Research, Effect::ImprovedResearch, Effect::ResearchIndustry]);
const BOMBING: EffectSet = EffectSet::of(&[Effect::Bombing]);
const PROPAGANDA: EffectSet = EffectSet::of(&[Effect::Propaganda]);
/// What Economic Warfare looks for. Rule 9.6.
const ECONOMY: EffectSet = EffectSet::of(&[Effect::Production, Effect::ImprovedProduction, Effect::Bombing]);

/// What the bot has settled on: a space, and units as places in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The space.
    pub space: u8,
    /// The units between which a die decides, if there is more than one.
    pub units: u64,
}

/// How great a change is; smaller is greater. Rule 9.5: the class, then the more extreme lead, then the larger shift.
type Change = (u8, i8, i8);

/// Rule 9.5, seen from the bot's side.
fn change(p: i8, q: i8, player_wins: bool) -> Change {
    let (class, extreme) = match () {
        () if p < 0 && q > 0 => (1, 0),
        () if p == 0 && q > 0 => (2, 0),
        () if p < 0 && q == 0 => (3, 0),
        () if p > 0 && q > p => (4, -p),
        () if p < 0 && p < q && q < 0 => (5, p),
        () if !player_wins => (6, 0),
        () => (7, 0),
    };
    (class, extreme, p - q)
}

/// The procedure at work on one position.
struct Procedure<'a> {
    rules: &'a Rules,
    state: &'a State,
    side: Side,
    row: &'a [Kind],
    /// By place in the row: the unit as it would be played.
    units: [Option<Unit>; MOST_TOKENS],
    /// By place in the row: the spaces where it may stand.
    fits: [u64; MOST_TOKENS],
    /// All spaces where something may stand.
    usable: u64,
}

impl Procedure<'_> {
    fn new<'a>(rules: &'a Rules, state: &'a State, side: Side, only: Option<u8>) -> Procedure<'a> {
        let row = state.hands[side.index()].as_slice();
        let region = only.map_or(u64::MAX, |theatre| rules.theatre(theatre).mask);
        let mut procedure = Procedure {
            rules,
            state,
            side,
            row,
            units: [None; MOST_TOKENS],
            fits: [0; MOST_TOKENS],
            usable: 0,
        };
        for (at, &token) in row.iter().enumerate() {
            let Some(mut unit) = rules.played(state, side, token) else { continue };
            // The procedure knows active campaigns only, also for a scientist in a player's seat.
            if unit.class == Class::Scientist {
                unit.class = Class::Airforce;
            }
            procedure.units[at] = Some(unit);
            procedure.fits[at] = rules.spaces_for(state, unit) & region;
            procedure.usable |= procedure.fits[at];
        }
        procedure
    }

    fn theatres_of(&self, spaces: u64) -> u16 {
        bits(spaces).fold(0, |all, space| all | 1 << self.rules.space(space).theatre)
    }

    fn strength(&self, at: usize, theatre: u8) -> i8 {
        self.units[at].map_or(0, |unit| self.rules.strength(self.state, self.side, unit, theatre))
    }

    fn is_last(&self, space: u8) -> bool {
        let theatre = self.rules.space(space).theatre;
        self.rules.empty_spaces(self.state, theatre) == 1 << space
    }

    /// The marker before and after, from the bot's side, and whether the player wins something. Rule 9.1.
    fn shift(&self, at: usize, space: u8) -> (i8, i8, bool) {
        let place = self.rules.space(space);
        let theatre = self.rules.theatre(place.theatre);
        let task_force = self.units[at].is_some_and(|unit| unit.ability == Ability::TaskForce);
        let tactical = if place.effect == Effect::Tactical && !task_force { place.n as i8 } else { 0 };
        let p = self.state.lead(place.theatre, self.side);
        let q = (p + self.strength(at, place.theatre) + tactical).min(theatre.track_end);
        (p, q, self.is_last(space) && q < 0)
    }

    /// Rule 9.1: whether a placement closes and wins its theatre (2), its campaign (1) or nothing (0).
    fn verdict(&self, at: usize, space: u8) -> u8 {
        let place = self.rules.space(space);
        let theatre = self.rules.theatre(place.theatre);
        let (_, q, _) = self.shift(at, space);
        let fills = self.is_last(space);
        let last = usize::from(place.campaign) + 1 == theatre.campaigns.len();
        match () {
            () if q <= 0 => 0,
            () if q == theatre.track_end || (fills && last) => 2,
            () => u8::from(fills),
        }
    }

    /// Rule 9.6: whether a theatre's active campaign has an effect on a space that something fits.
    fn has_effect(&self, theatre: u8, wanted: EffectSet) -> bool {
        let spaces = self.usable & self.rules.theatre(theatre).mask;
        bits(spaces).any(|space| wanted.has(self.rules.space(space).effect))
    }

    /// Runs the three selections. `None` if nothing can be placed. Rules 9.2 to 9.4.
    fn run<L: Listener<Notice>>(
        &mut self,
        stratagem: Option<Stratagem>,
        only: Option<u8>,
        listener: &mut L,
    ) -> Option<Selection> {
        if self.usable == 0 {
            return None;
        }
        let all = self.theatres_of(self.usable);
        let legal = if only.is_some() { Reason::SameTheatre } else { Reason::Legal };
        listener.announce(|| Notice::BotTheatres { reason: legal, kept: all });
        let theatres = self.keep_closers(all, listener);
        let theatre = self.pick_theatre(theatres, stratagem, listener);
        let mask = self.rules.theatre(theatre).mask;
        let mut spaces = 0;
        for fits in &mut self.fits[..self.row.len()] {
            *fits &= mask;
            spaces |= *fits;
        }
        let space = self.pick_space(spaces, stratagem, listener);
        let units = self.pick_units(space, stratagem, listener);
        Some(Selection { space, units })
    }

    /// Rule 9.2, the first two steps: only placements that close and win, if there are any.
    fn keep_closers<L: Listener<Notice>>(&mut self, all: u16, listener: &mut L) -> u16 {
        let mut wins = [[0_u64; MOST_TOKENS]; 2];
        let mut any = [0_u64; 2];
        for theatre in bits(u64::from(all)) {
            let mask = self.rules.theatre(theatre).mask;
            let end = self.rules.theatre(theatre).track_end;
            let lead = self.state.lead(theatre, self.side);
            let fills = self.rules.empty_spaces(self.state, theatre).count_ones() == 1;
            for (at, fits) in self.fits[..self.row.len()].iter().enumerate() {
                // Most placements are nowhere near: those need no closer look.
                let near = fills || lead + self.strength(at, theatre) + MOST_TACTICAL >= end;
                for space in bits(if near { fits & mask } else { 0 }) {
                    let verdict = usize::from(self.verdict(at, space));
                    if verdict > 0 {
                        wins[verdict - 1][at] |= 1 << space;
                        any[verdict - 1] |= 1 << space;
                    }
                }
            }
        }
        for (level, reason) in [(1, Reason::ClosesTheatre), (0, Reason::ClosesCampaign)] {
            if any[level] != 0 {
                self.fits = wins[level];
                let kept = self.theatres_of(any[level]);
                listener.announce(|| Notice::BotTheatres { reason, kept });
                return kept;
            }
        }
        all
    }

    fn pick_theatre<L: Listener<Notice>>(
        &self,
        mut kept: u16,
        stratagem: Option<Stratagem>,
        listener: &mut L,
    ) -> u8 {
        let mut narrow = |kept: &mut u16, filtered: u16, reason: Reason| {
            if filtered & *kept != 0 && filtered & *kept != *kept {
                *kept &= filtered;
                listener.announce(|| Notice::BotTheatres { reason, kept: *kept });
            }
        };
        fn which(of: u16, test: impl Fn(u8) -> bool) -> u16 {
            bits(u64::from(of)).filter(|at| test(*at)).fold(0, |all, at| all | 1 << at)
        }
        fn most(of: u16, value: impl Fn(u8) -> u32) -> u16 {
            let best = bits(u64::from(of)).map(&value).max().unwrap_or(0);
            which(of, |theatre| value(theatre) == best)
        }
        let lead = |theatre: u8| self.state.lead(theatre, self.side);
        let vp = |theatre: u8| self.rules.active_vp(self.state, theatre);
        if let Some(stratagem) = stratagem {
            let reason = Reason::Stratagem(stratagem);
            let filtered = match stratagem {
                Stratagem::Counterattack => which(kept, |theatre| lead(theatre) < 0),
                Stratagem::Secure => which(kept, |theatre| lead(theatre) > 0),
                Stratagem::EconomicWarfare => which(kept, |theatre| self.has_effect(theatre, ECONOMY)),
                Stratagem::ResearchDevelopment => which(kept, |theatre| self.has_effect(theatre, RESEARCH)),
                Stratagem::ForTheGlory => {
                    let richest = most(kept, |theatre| u32::from(vp(theatre)));
                    narrow(&mut kept, richest, reason);
                    which(kept, |theatre| self.has_effect(theatre, PROPAGANDA))
                }
                Stratagem::BigGuns | Stratagem::RapidDeployment | Stratagem::Steamroll => kept,
            };
            narrow(&mut kept, filtered, reason);
        }
        let empty = |theatre: u8| self.rules.empty_spaces(self.state, theatre).count_ones();
        let fullest = most(kept, empty);
        narrow(&mut kept, fullest, Reason::MostEmpty);
        let richest = most(kept, |theatre| u32::from(vp(theatre)));
        narrow(&mut kept, richest, Reason::MostPoints);
        let first = self.rules.layout.order.iter().copied().find(|theatre| kept >> theatre & 1 != 0);
        let first = first.unwrap_or(0);
        narrow(&mut kept, 1 << first, Reason::TopLeft);
        first
    }

    /// Rule 9.3.
    fn pick_space<L: Listener<Notice>>(
        &self,
        mut kept: u64,
        stratagem: Option<Stratagem>,
        listener: &mut L,
    ) -> u8 {
        listener.announce(|| Notice::BotSpaces { reason: Reason::Legal, kept });
        // Keeps the spaces with an effect, if there are any and others besides; `true` if there are any.
        let mut keep = |wanted: EffectSet, reason: Reason| {
            let fits = |space: &u8| wanted.has(self.rules.space(*space).effect);
            let found = bits(kept).filter(fits).fold(0, |all, space| all | 1 << space);
            if found != 0 && found != kept {
                kept = found;
                listener.announce(|| Notice::BotSpaces { reason, kept });
            }
            found != 0
        };
        let few = self.row.len() <= FEW_UNITS;
        if let Some(stratagem) = stratagem {
            let reason = Reason::Stratagem(stratagem);
            match stratagem {
                Stratagem::EconomicWarfare => {
                    let [first, second] = if few { [PRODUCTION, BOMBING] } else { [BOMBING, PRODUCTION] };
                    if !keep(first, reason) {
                        keep(second, reason);
                    }
                }
                Stratagem::ForTheGlory => {
                    keep(PROPAGANDA, reason);
                }
                Stratagem::ResearchDevelopment => {
                    keep(RESEARCH, reason);
                }
                _ => {}
            }
        }
        let [bot, player] = [self.side, self.side.enemy()].map(|side| self.state.vp[side.index()]);
        let only = |effect: Effect| EffectSet::of(&[effect]);
        let priorities = [
            (bot >= HIGH_VP, PROPAGANDA, "propaganda, with 20 VP"),
            (true, only(Effect::Strategic), "strategic advantage"),
            (player >= bot + PLAYER_LEAD, PROPAGANDA, "propaganda, as the player leads by 3 VP"),
            (few, PRODUCTION, "production, with 4 units or fewer"),
            (true, only(Effect::ImprovedResearch), "improved research"),
            (true, only(Effect::ResearchIndustry), "research industry"),
            (true, only(Effect::Research), "research"),
            (true, BOMBING, "bombing"),
            (true, only(Effect::Tactical), "tactical advantage"),
            (true, PRODUCTION, "production"),
            (true, PROPAGANDA, "propaganda"),
        ];
        for (applies, wanted, words) in priorities {
            if applies && keep(wanted, Reason::Priority(words)) {
                break;
            }
        }
        let first = kept.trailing_zeros() as u8;
        if kept.count_ones() > 1 {
            listener.announce(|| Notice::BotSpaces { reason: Reason::Leftmost, kept: 1 << first });
        }
        first
    }

    /// Rule 9.4, up to the die.
    fn pick_units<L: Listener<Notice>>(
        &self,
        space: u8,
        stratagem: Option<Stratagem>,
        listener: &mut L,
    ) -> u64 {
        let place = self.rules.space(space);
        let mut kept = (0..self.row.len())
            .filter(|at| self.fits[*at] >> space & 1 != 0)
            .fold(0_u64, |all, at| all | 1 << at);
        let names = |units: u64| bits(units).map(|at| self.row[usize::from(at)]).collect::<Vec<_>>();
        listener.announce(|| Notice::BotUnits { reason: Reason::Legal, kept: names(kept) });
        let mut narrow = |kept: &mut u64, filtered: u64, reason: Reason| {
            if filtered & *kept != 0 && filtered & *kept != *kept {
                *kept &= filtered;
                listener.announce(|| Notice::BotUnits { reason, kept: names(*kept) });
            }
        };
        fn which(of: u64, test: impl Fn(usize) -> bool) -> u64 {
            bits(of).filter(|at| test(usize::from(*at))).fold(0, |all, at| all | 1 << at)
        }
        let special = which(kept, |at| self.row[at].is_special());
        let strength = |at: usize| self.strength(at, place.theatre);
        let greatest = |among: u64| -> u64 {
            let rank = |at: usize| {
                let (p, q, player_wins) = self.shift(at, space);
                change(p, q, player_wins)
            };
            let best = bits(among).map(|at| rank(usize::from(at))).min();
            which(among, |at| Some(rank(at)) == best)
        };
        if let Some(stratagem) = stratagem {
            let reason = Reason::Stratagem(stratagem);
            let filtered = match stratagem {
                Stratagem::BigGuns if special & kept != 0 => special,
                Stratagem::BigGuns | Stratagem::Counterattack => greatest(kept),
                Stratagem::RapidDeployment => kept & kept.wrapping_neg(),
                Stratagem::ResearchDevelopment if !place.effect.is_research() => special,
                _ => kept,
            };
            narrow(&mut kept, filtered, reason);
        }
        if place.effect == Effect::None {
            let not_zero = which(kept, |at| strength(at) != 0);
            narrow(&mut kept, not_zero, Reason::NotZero);
        }
        if self.is_last(space) {
            let blitz = |at: usize| self.units[at].is_some_and(|unit| unit.ability == Ability::Blitz);
            let not_blitz = which(kept, |at| !blitz(at));
            narrow(&mut kept, not_blitz, Reason::NotBlitz);
        }
        if self.state.vp[self.side.index()] >= HIGH_VP {
            let best = bits(kept).map(|at| strength(usize::from(at))).max().unwrap_or(0);
            let strongest = which(kept, |at| strength(at) == best);
            narrow(&mut kept, strongest, Reason::Strongest);
        }
        kept
    }
}

impl Rules {
    /// What the bot would place where, up to the die. Rule 9.
    pub fn select<L: Listener<Notice>>(
        &self,
        state: &State,
        side: Side,
        stratagem: Option<Stratagem>,
        only: Option<u8>,
        listener: &mut L,
    ) -> Option<Selection> {
        Procedure::new(self, state, side, only).run(stratagem, only, listener)
    }

    /// The place in the row that a die picks: 1 is the leftmost, looping around. Rule 9.4.
    pub fn unit_of_die(units: u64, face: u8) -> usize {
        let count = units.count_ones() as usize;
        let nth = (usize::from(face) - 1) % count.max(1);
        bits(units).nth(nth).map_or(0, usize::from)
    }

    /// Rules 8.4, 9.7: the drawn token is in force, the one before goes back; Steamroll repeats.
    pub(crate) fn take_stratagem<L: Listener<Notice>>(
        &self,
        state: &mut State,
        drawn: Stratagem,
        listener: &mut L,
    ) {
        let bot = &mut state.bot;
        bot.cup.remove(drawn);
        bot.cup.add(bot.previous);
        bot.previous = drawn;
        if drawn != Stratagem::Steamroll {
            bot.in_force = Some(drawn);
        }
        let in_force = bot.in_force;
        listener.announce(|| Notice::StratagemDrawn { drawn, in_force });
    }

    /// Step B of the bot's turn: the procedure, up to the die or the placement. Rule 8.4.
    pub(crate) fn bot_places<L: Listener<Notice>>(
        &self,
        state: &mut State,
        only: Option<u8>,
        listener: &mut L,
    ) {
        let side = state.side;
        let stratagem =
            if self.solo().is_some_and(|solo| solo.stratagems) { state.bot.in_force } else { None };
        let Some(selection) = self.select(state, side, stratagem, only, listener) else { return };
        state.stage = Stage::Ready;
        if selection.units.count_ones() > 1 {
            state.bot.space = selection.space;
            state.bot.units = selection.units;
            state.phase = Phase::UnitDie;
            return;
        }
        self.bot_puts(state, selection.space, selection.units.trailing_zeros() as usize, listener);
    }

    /// The die has picked a unit. Rule 9.4.
    pub(crate) fn bot_die<L: Listener<Notice>>(&self, state: &mut State, face: u8, listener: &mut L) {
        let at = Self::unit_of_die(state.bot.units, face);
        let kind = state.hands[state.side.index()].as_slice()[at];
        listener.announce(|| Notice::BotDie { face, kind });
        self.bot_puts(state, state.bot.space, at, listener);
    }

    fn bot_puts<L: Listener<Notice>>(&self, state: &mut State, space: u8, at: usize, listener: &mut L) {
        let row = &mut state.hands[state.side.index()];
        let token = row.as_slice()[at];
        row.remove_at(at);
        state.bot.space = crate::state::NOWHERE;
        state.bot.units = 0;
        self.put(state, token, space, listener);
    }

    /// Rule 8.5: the same theatre if possible, otherwise any. Ruling R21.
    pub(crate) fn bot_follows<L: Listener<Notice>>(&self, state: &mut State, theatre: u8, listener: &mut L) {
        let side = state.side;
        if state.is_open(theatre) && self.fits_somewhere(state, side, self.theatre(theatre).mask) {
            self.bot_places(state, Some(theatre), listener);
        } else if self.fits_somewhere(state, side, u64::MAX) {
            self.bot_places(state, None, listener);
        } else {
            listener.announce(|| Notice::BotCannotFollow);
        }
    }

    fn fits_somewhere(&self, state: &State, side: Side, region: u64) -> bool {
        state.hands[side.index()].pool().kinds().any(|token| {
            self.played(state, side, token).is_some_and(|unit| self.spaces_for(state, unit) & region != 0)
        })
    }

    /// Where the bot spends a strategic advantage. Rules 8.6, 9.5.
    pub(crate) fn bot_target<L: Listener<Notice>>(&self, state: &State, listener: &mut L) -> u8 {
        let targets = self.strategic_targets(state);
        let (theatre, class) = self.greatest_target(state, state.side, targets, state.placing.left as i8);
        listener.announce(|| Notice::BotTarget { theatre, class });
        theatre
    }

    /// The theatre of greatest change for a shift by `n`, and its class. Rule 9.5.
    pub fn greatest_target(&self, state: &State, side: Side, targets: u16, n: i8) -> (u8, u8) {
        let mut best = None;
        for (place, &theatre) in self.layout.order.iter().enumerate() {
            if targets >> theatre & 1 == 0 {
                continue;
            }
            let p = state.lead(theatre, side);
            let q = (p + n).min(self.theatre(theatre).track_end - 1);
            let rank = change(p, q, false);
            let empty = self.empty_spaces(state, theatre).count_ones();
            let key = (rank, 64 - empty, u8::MAX - self.active_vp(state, theatre), place);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, theatre));
            }
        }
        best.map_or((0, 7), |(key, theatre)| (theatre, key.0.0))
    }
}
