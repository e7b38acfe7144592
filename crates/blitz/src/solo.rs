//! The bot's turn and its procedure. Rules 8.4 to 8.6 and 9.

use kernel::EventSink;

use crate::game_event::{GameEvent, Reason};
use crate::layout::{Effect, bits};
use crate::rules::{Rules, Unit};
use crate::state::{Phase, Stage, State};
use crate::stratagem::Stratagem;
use crate::units::{Ability, Class, Kind, Side};

/// From this many VP on the bot plays for points. Rules 9.3, 9.4.
const HIGH_VP: u8 = 20;
/// A lead in VP that worries the bot. Rule 9.3.
const PLAYER_LEAD: u8 = 3;
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
    /// The spaces that are looked at: all, or those of the theatre to which a blitz binds.
    region: u64,
    /// Of these the spaces where some unit may stand.
    usable: u64,
    /// What a placement must do to count: see [`Procedure::verdict`]; 0 if there is no such condition.
    must_close: u8,
}

impl Procedure<'_> {
    fn new<'a>(rules: &'a Rules, state: &'a State, side: Side, only: Option<u8>) -> Procedure<'a> {
        let row = state.hands[side.index()].as_slice();
        let region = only.map_or(u64::MAX, |theatre| rules.theatre(theatre).mask);
        let mut procedure = Procedure { rules, state, side, row, region, usable: 0, must_close: 0 };
        for at in 0..row.len() {
            procedure.usable |= procedure.legal(at);
        }
        procedure
    }

    /// The unit at a place of the row as it would be played. The procedure knows active campaigns only, also for a
    /// scientist in a player's seat.
    #[inline]
    fn unit(&self, at: usize) -> Option<Unit> {
        let unit = self.rules.played(self.state, self.side, self.row[at])?;
        let class = if unit.class == Class::Scientist { Class::Airforce } else { unit.class };
        Some(Unit { class, ..unit })
    }

    /// The spaces where a unit may stand.
    #[inline]
    fn legal(&self, at: usize) -> u64 {
        self.unit(at).map_or(0, |unit| self.rules.spaces_for(self.state, unit) & self.region)
    }

    /// Whether a unit may stand on a space and does there what it must.
    fn fits(&self, at: usize, space: u8) -> bool {
        self.legal(at) >> space & 1 != 0
            && (self.must_close == 0 || self.verdict(at, space) == self.must_close)
    }

    fn theatres_of(&self, spaces: u64) -> u16 {
        let open = bits(u64::from(self.state.open));
        open.filter(|at| self.rules.theatre(*at).mask & spaces != 0).fold(0, |all, at| all | 1 << at)
    }

    fn strength(&self, at: usize, theatre: u8) -> i8 {
        self.unit(at).map_or(0, |unit| self.rules.strength(self.state, self.side, unit, theatre))
    }

    /// The strength of a unit that is no leader.
    fn plain_strength(&self, at: usize) -> i8 {
        self.unit(at).filter(|unit| !unit.ability.is_leader()).map_or(0, |unit| unit.strength)
    }

    /// More than any leader could have in a theatre: all units there and itself.
    fn leader_strength(&self, theatre: u8) -> i8 {
        (self.rules.theatre(theatre).mask & self.state.occupied).count_ones() as i8 + 1
    }

    fn is_last(&self, space: u8) -> bool {
        let theatre = self.rules.space(space).theatre;
        self.rules.empty_spaces(self.state, theatre) == 1 << space
    }

    /// The marker before and after, from the bot's side, and whether the player wins something. Rule 9.1.
    fn shift(&self, at: usize, space: u8) -> (i8, i8, bool) {
        let place = self.rules.space(space);
        let theatre = self.rules.theatre(place.theatre);
        let task_force = self.unit(at).is_some_and(|unit| unit.ability == Ability::TaskForce);
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
    fn run<L: EventSink<GameEvent>>(
        &mut self,
        stratagem: Option<Stratagem>,
        only: Option<u8>,
        sink: &mut L,
    ) -> Option<Selection> {
        if self.usable == 0 {
            return None;
        }
        let all = self.theatres_of(self.usable);
        let legal = if only.is_some() { Reason::SameTheatre } else { Reason::Legal };
        sink.emit(|| GameEvent::BotTheatres { reason: legal, kept: all });
        let theatres = self.keep_closers(all, sink);
        let theatre = self.pick_theatre(theatres, stratagem, sink);
        let mut spaces = self.usable & self.rules.theatre(theatre).mask;
        if self.must_close > 0 {
            let closes = |space: &u8| (0..self.row.len()).any(|at| self.fits(at, *space));
            spaces = bits(spaces).filter(closes).fold(0, |all, space| all | 1 << space);
        }
        let space = self.pick_space(spaces, stratagem, sink);
        let units = self.pick_units(space, stratagem, sink);
        Some(Selection { space, units })
    }

    /// Rule 9.2, the first two steps: only placements that close and win, if there are any.
    fn keep_closers<L: EventSink<GameEvent>>(&mut self, all: u16, sink: &mut L) -> u16 {
        // The theatres in which something wins a campaign, and those that something wins.
        let mut won = [0_u16; 2];
        let strongest = (0..self.row.len()).map(|at| self.plain_strength(at)).max().unwrap_or(0);
        for theatre in bits(u64::from(all)) {
            let place = self.rules.theatre(theatre);
            let lead = self.state.lead(theatre, self.side);
            let empty = self.rules.empty_spaces(self.state, theatre);
            let fills = empty & empty.wrapping_sub(1) == 0;
            // Most theatres are nowhere near the end of their track: those need no closer look.
            let enough = place.track_end - lead - self.rules.layout.most_tactical;
            if !fills && strongest.max(self.leader_strength(theatre)) < enough {
                continue;
            }
            for at in 0..self.row.len() {
                for space in bits(self.legal(at) & place.mask) {
                    match self.verdict(at, space) {
                        0 => {}
                        verdict => won[usize::from(verdict) - 1] |= 1 << theatre,
                    }
                }
            }
        }
        for (must_close, reason) in [(2, Reason::ClosesTheatre), (1, Reason::ClosesCampaign)] {
            let kept = won[usize::from(must_close) - 1];
            if kept != 0 {
                self.must_close = must_close;
                sink.emit(|| GameEvent::BotTheatres { reason, kept });
                return kept;
            }
        }
        all
    }

    fn pick_theatre<L: EventSink<GameEvent>>(
        &self,
        mut kept: u16,
        stratagem: Option<Stratagem>,
        sink: &mut L,
    ) -> u8 {
        let mut narrow = |kept: &mut u16, filtered: u16, reason: Reason| {
            if filtered & *kept != 0 && filtered & *kept != *kept {
                *kept &= filtered;
                sink.emit(|| GameEvent::BotTheatres { reason, kept: *kept });
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
    fn pick_space<L: EventSink<GameEvent>>(
        &self,
        mut kept: u64,
        stratagem: Option<Stratagem>,
        sink: &mut L,
    ) -> u8 {
        sink.emit(|| GameEvent::BotSpaces { reason: Reason::Legal, kept });
        // Keeps the spaces with an effect, if there are any and others besides; `true` if there are any.
        let mut keep = |kept: &mut u64, wanted: EffectSet, reason: Reason| {
            let fits = |space: &u8| wanted.has(self.rules.space(*space).effect);
            let found = bits(*kept).filter(fits).fold(0, |all, space| all | 1 << space);
            if found != 0 && found != *kept {
                *kept = found;
                sink.emit(|| GameEvent::BotSpaces { reason, kept: found });
            }
            found != 0
        };
        let few = self.row.len() <= FEW_UNITS;
        if let Some(stratagem) = stratagem {
            let reason = Reason::Stratagem(stratagem);
            match stratagem {
                Stratagem::EconomicWarfare => {
                    let [first, second] = if few { [PRODUCTION, BOMBING] } else { [BOMBING, PRODUCTION] };
                    if !keep(&mut kept, first, reason) {
                        keep(&mut kept, second, reason);
                    }
                }
                Stratagem::ForTheGlory => {
                    keep(&mut kept, PROPAGANDA, reason);
                }
                Stratagem::ResearchDevelopment => {
                    keep(&mut kept, RESEARCH, reason);
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
        let present = bits(kept).fold(0, |all, space| all | 1 << self.rules.space(space).effect as u8);
        let first = priorities.into_iter().find(|(applies, wanted, _)| *applies && wanted.0 & present != 0);
        if let Some((_, wanted, words)) = first {
            keep(&mut kept, wanted, Reason::Priority(words));
        }
        let first = kept.trailing_zeros() as u8;
        if kept.count_ones() > 1 {
            sink.emit(|| GameEvent::BotSpaces { reason: Reason::Leftmost, kept: 1 << first });
        }
        first
    }

    /// Rule 9.4, up to the die.
    fn pick_units<L: EventSink<GameEvent>>(
        &self,
        space: u8,
        stratagem: Option<Stratagem>,
        sink: &mut L,
    ) -> u64 {
        let place = self.rules.space(space);
        let mut kept =
            (0..self.row.len()).filter(|at| self.fits(*at, space)).fold(0_u64, |all, at| all | 1 << at);
        let names = |units: u64| bits(units).map(|at| self.row[usize::from(at)]).collect::<Vec<_>>();
        sink.emit(|| GameEvent::BotUnits { reason: Reason::Legal, kept: names(kept) });
        let mut narrow = |kept: &mut u64, filtered: u64, reason: Reason| {
            if filtered & *kept != 0 && filtered & *kept != *kept {
                *kept &= filtered;
                sink.emit(|| GameEvent::BotUnits { reason, kept: names(*kept) });
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
            let blitz = |at: usize| self.unit(at).is_some_and(|unit| unit.ability == Ability::Blitz);
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
    pub fn select<L: EventSink<GameEvent>>(
        &self,
        state: &State,
        side: Side,
        stratagem: Option<Stratagem>,
        only: Option<u8>,
        sink: &mut L,
    ) -> Option<Selection> {
        Procedure::new(self, state, side, only).run(stratagem, only, sink)
    }

    /// The place in the row that a die picks: 1 is the leftmost, looping around. Rule 9.4.
    pub fn unit_of_die(units: u64, face: u8) -> usize {
        let count = units.count_ones() as usize;
        let nth = (usize::from(face) - 1) % count.max(1);
        bits(units).nth(nth).map_or(0, usize::from)
    }

    /// Rules 8.4, 9.7: the drawn token is in force, the one before goes back; Steamroll repeats.
    pub(crate) fn take_stratagem<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        drawn: Stratagem,
        sink: &mut L,
    ) {
        let bot = &mut state.bot;
        bot.cup.remove(drawn);
        bot.cup.add(bot.previous);
        bot.previous = drawn;
        if drawn != Stratagem::Steamroll {
            bot.in_force = Some(drawn);
        }
        let in_force = bot.in_force;
        sink.emit(|| GameEvent::StratagemDrawn { drawn, in_force });
    }

    /// Step B of the bot's turn: the procedure, up to the die or the placement. Rule 8.4.
    pub(crate) fn bot_places<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        only: Option<u8>,
        sink: &mut L,
    ) {
        let side = state.side;
        let stratagem =
            if self.solo().is_some_and(|solo| solo.stratagems) { state.bot.in_force } else { None };
        let Some(selection) = self.select(state, side, stratagem, only, sink) else { return };
        state.stage = Stage::Ready;
        if selection.units.count_ones() > 1 {
            state.bot.space = selection.space;
            state.bot.units = selection.units;
            state.phase = Phase::UnitDie;
            return;
        }
        self.bot_puts(state, selection.space, selection.units.trailing_zeros() as usize, sink);
    }

    /// The die has picked a unit. Rule 9.4.
    pub(crate) fn bot_die<L: EventSink<GameEvent>>(&self, state: &mut State, face: u8, sink: &mut L) {
        let at = Self::unit_of_die(state.bot.units, face);
        let kind = state.hands[state.side.index()].as_slice()[at];
        sink.emit(|| GameEvent::BotDie { face, kind });
        self.bot_puts(state, state.bot.space, at, sink);
    }

    fn bot_puts<L: EventSink<GameEvent>>(&self, state: &mut State, space: u8, at: usize, sink: &mut L) {
        let row = &mut state.hands[state.side.index()];
        let token = row.as_slice()[at];
        row.remove_at(at);
        state.bot.space = crate::state::NOWHERE;
        state.bot.units = 0;
        self.put(state, token, space, sink);
    }

    /// Rule 8.5: the same theatre if possible, otherwise any. Ruling R21.
    pub(crate) fn bot_follows<L: EventSink<GameEvent>>(&self, state: &mut State, theatre: u8, sink: &mut L) {
        let side = state.side;
        if state.is_open(theatre) && self.can_place_in(state, side, self.theatre(theatre).mask) {
            self.bot_places(state, Some(theatre), sink);
        } else if self.can_place(state, side) {
            self.bot_places(state, None, sink);
        } else {
            sink.emit(|| GameEvent::BotCannotFollow);
        }
    }

    /// Where the bot spends a strategic advantage. Rules 8.6, 9.5.
    pub(crate) fn bot_target<L: EventSink<GameEvent>>(&self, state: &State, sink: &mut L) -> u8 {
        let targets = self.strategic_targets(state);
        let (theatre, class) = self.greatest_target(state, state.side, targets, state.placing.left as i8);
        sink.emit(|| GameEvent::BotTarget { theatre, class });
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
