//! What the rules say of a position: who may stand where, how strong, and what would come of it.

use crate::layout::{Effect, Layout, Space, Theatre};
use crate::settings::{BoardKind, Settings, Solo};
use crate::state::State;
use crate::units::{Ability, BOT_SCIENTIST, Class, Kind, Side, Supply};

/// VP for driving a marker to the end of its track. Rule 3.7.
pub const TRACK_VP: u8 = 2;
/// VP that end the game. Rule 7.
pub const WAR_VP: u8 = 25;
/// Tokens that a player begins with. Rule 2.4.
pub const HAND_START: u8 = 3;
/// Tokens that the bot begins with. Rule 8.2.
pub const ROW_START: u8 = 5;
/// Spaces that a nuclear bomb costs everywhere else. Rule 5.6.
pub const BACKFIRE: i8 = 2;
/// Cities in which the bot begins ahead, and by how much. Rule 10.7.
pub const START_CITIES: (u8, i8) = (2, 2);
/// What the bot gets in a city that opens because it closed another. Rule 10.7.
pub const BOT_CLOSER: i8 = 1;

/// A set-up: board, tokens, settings.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The settings.
    pub settings: Settings,
    /// The board.
    pub layout: &'static Layout,
    /// The tokens at the start.
    pub supply: Supply,
}

/// A unit as one side plays it: a spy is its copy, the bot's scientist an airforce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The kind that it is played as.
    pub kind: Kind,
    /// Where it may stand.
    pub class: Class,
    /// Its strength before a leader's share.
    pub strength: i8,
    /// What it does.
    pub ability: Ability,
}

/// How a theatre would close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// It stays open.
    No,
    /// Its last campaign is full.
    Filled,
    /// The marker reaches the end.
    Track,
}

/// What a placement would do, as far as it can be known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The unit's strength there.
    pub strength: i8,
    /// Whether the space's effect is executed.
    pub effect: Effect,
    /// The parameter of the effect.
    pub n: u8,
    /// The marker before.
    pub from: i8,
    /// The marker after.
    pub to: i8,
    /// Whether the campaign closes.
    pub closes_campaign: bool,
    /// How the theatre closes.
    pub closing: Closing,
    /// VP that each side gets.
    pub vp: [u8; 2],
}

impl Rules {
    /// The rules of some settings.
    pub fn new(settings: Settings) -> Self {
        let nippon = settings.board == BoardKind::Nippon;
        let layout = if nippon { Layout::nippon() } else { Layout::base() };
        Self { settings, layout, supply: Supply::new(nippon, settings.printing_2021) }
    }

    /// The bot's settings in a solo game.
    #[inline]
    pub const fn solo(&self) -> Option<&Solo> {
        self.settings.solo.as_ref()
    }

    /// Whether a side is played by the bot.
    #[inline]
    pub fn is_bot(&self, side: Side) -> bool {
        self.settings.bot_side() == Some(side)
    }

    /// The name of a side.
    pub const fn side_name(&self, side: Side) -> &'static str {
        match (self.settings.board, side) {
            (BoardKind::Base, Side::First) | (BoardKind::Nippon, Side::Second) => "Axis",
            (BoardKind::Base, Side::Second) => "Allies",
            (BoardKind::Nippon, Side::First) => "Japan",
        }
    }

    /// A theatre.
    #[inline]
    pub fn theatre(&self, theatre: u8) -> &Theatre {
        &self.layout.theatres[usize::from(theatre)]
    }

    /// A space.
    #[inline]
    pub fn space(&self, space: u8) -> &Space {
        &self.layout.spaces[usize::from(space)]
    }

    /// The unit that a token is when a side plays it now; `None` for a spy with nothing to copy. Rules 5.7, 8.6,
    /// ruling R25.
    #[inline]
    pub fn played(&self, state: &State, side: Side, token: Kind) -> Option<Unit> {
        let kind = if token == Kind::Spy { state.last[side.enemy().index()]? } else { token };
        let info = kind.info();
        if kind == Kind::Scientist && self.is_bot(side) {
            return Some(Unit {
                kind,
                class: Class::Airforce,
                strength: BOT_SCIENTIST,
                ability: Ability::None,
            });
        }
        Some(Unit { kind, class: info.class, strength: info.strength, ability: info.ability })
    }

    /// The spaces on which a unit may stand. Rules 4.1, 4.2, 5.8.
    #[inline]
    pub fn spaces_for(&self, state: &State, unit: Unit) -> u64 {
        if unit.class == Class::Scientist {
            return self.empty_in_open(state);
        }
        self.layout.standing(unit.class) & state.available
    }

    /// All empty spaces of open theatres.
    fn empty_in_open(&self, state: &State) -> u64 {
        let open = self.layout.theatres.iter().enumerate().filter(|(at, _)| state.open >> at & 1 != 0);
        open.fold(0, |all, (_, theatre)| all | theatre.mask) & !state.occupied
    }

    /// The strength of a unit in a theatre, before it stands there. Rule 5.2.
    #[inline]
    pub fn strength(&self, state: &State, side: Side, unit: Unit, theatre: u8) -> i8 {
        let helps: fn(Class) -> bool = match unit.ability {
            Ability::General => |class| matches!(class, Class::Army | Class::Airforce),
            Ability::Admiral => |class| matches!(class, Class::Navy | Class::Airforce),
            _ => return unit.strength,
        };
        let mut strength = unit.strength;
        for space in crate::layout::bits(self.theatre(theatre).mask & state.occupied) {
            if let Some((owner, kind)) = state.at(space)
                && owner == side
                && !kind.is_special()
                && helps(kind.info().class)
            {
                strength += 1;
            }
        }
        strength
    }

    /// The empty spaces of a theatre's active campaign.
    #[inline]
    pub fn empty_spaces(&self, state: &State, theatre: u8) -> u64 {
        self.theatre(theatre).mask & state.available
    }

    /// The VP of a theatre's active campaign; 0 if it has none.
    #[inline]
    pub fn active_vp(&self, state: &State, theatre: u8) -> u8 {
        let active = usize::from(state.active[usize::from(theatre)]);
        self.theatre(theatre).campaigns.get(active).map_or(0, |campaign| campaign.vp)
    }

    /// What a campaign gives when it closes at a marker: VP by side. Rule 3.6.
    pub fn campaign_vp(&self, theatre: u8, campaign: u8, marker: i8) -> [u8; 2] {
        let theatre = self.theatre(theatre);
        let vp = theatre.campaigns[usize::from(campaign)].vp;
        let bonus = theatre.bonus.iter().filter(|at| marker.abs() >= **at).count() as u8;
        match marker {
            0 => [vp, vp],
            1.. => [vp + bonus, 0],
            _ => [0, vp + bonus],
        }
    }

    /// What a placement would do. Rules 3.5 to 3.7, 9.1.
    pub fn preview(&self, state: &State, side: Side, unit: Unit, space: u8) -> Preview {
        let place = self.space(space);
        let theatre = self.theatre(place.theatre);
        let strength = self.strength(state, side, unit, place.theatre);
        let effect = if unit.ability == Ability::TaskForce { Effect::None } else { place.effect };
        let from = state.track(place.theatre);
        let tactical = if effect == Effect::Tactical { place.n as i8 } else { 0 };
        let end = theatre.track_end;
        let to = (from + side.sign() * (strength + tactical)).clamp(-end, end);
        let mut vp = [0_u8; 2];
        if effect == Effect::Propaganda {
            vp[side.index()] += place.n;
        }
        let occupied = state.occupied | 1 << space;
        let first = usize::from(state.active[usize::from(place.theatre)]);
        let mut active = first;
        while active < theatre.campaigns.len() && theatre.campaigns[active].mask & !occupied == 0 {
            let gained = self.campaign_vp(place.theatre, active as u8, to);
            vp = [vp[0] + gained[0], vp[1] + gained[1]];
            active += 1;
        }
        let closing = if to == side.sign() * end {
            for campaign in &theatre.campaigns[active..] {
                vp[side.index()] += campaign.vp;
                for left in crate::layout::bits(campaign.mask & !occupied) {
                    let left = self.space(left);
                    vp[side.index()] += if left.effect == Effect::Propaganda { left.n } else { 0 };
                }
            }
            vp[side.index()] += TRACK_VP;
            Closing::Track
        } else if active == theatre.campaigns.len() {
            Closing::Filled
        } else {
            Closing::No
        };
        let n = place.n;
        Preview { strength, effect, n, from, to, closes_campaign: active > first, closing, vp }
    }

    /// Whether a side could place anything.
    pub fn can_place(&self, state: &State, side: Side) -> bool {
        self.can_place_in(state, side, u64::MAX)
    }

    /// Whether a side could place anything on some spaces, such as those of a theatre.
    pub fn can_place_in(&self, state: &State, side: Side, spaces: u64) -> bool {
        state.hands[side.index()].pool().kinds().any(|token| {
            self.played(state, side, token).is_some_and(|unit| self.spaces_for(state, unit) & spaces != 0)
        })
    }

    /// The cities that may open when one closes. Rule 10.4.
    pub fn openable(&self, state: &State, closed: u8) -> u16 {
        if !self.layout.opens_cities {
            return 0;
        }
        let all = (1_u32 << self.layout.theatres.len()) - 1;
        let locked = all as u16 & !state.open & !state.closed;
        let near = self.theatre(closed).links & locked;
        if near != 0 {
            return near;
        }
        let linked = crate::layout::bits(u64::from(state.closed))
            .fold(0, |links, theatre| links | self.theatre(theatre).links);
        if linked & locked != 0 { linked & locked } else { locked }
    }

    /// Recomputes the empty spaces of active campaigns of a theatre.
    pub(crate) fn refresh(&self, state: &mut State, theatre: u8) {
        let place = self.theatre(theatre);
        state.available &= !place.mask;
        let active = usize::from(state.active[usize::from(theatre)]);
        if state.is_open(theatre)
            && let Some(campaign) = place.campaigns.get(active)
        {
            state.available |= campaign.mask & !state.occupied;
        }
    }
}
