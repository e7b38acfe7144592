//! What one viewer may know. Rules 14, R22.

use std::fmt::Write as _;

use kernel::{Dice, Seat, Viewer};
use serde_json::{Value, json};

use crate::layout::bits;
use crate::pool::{Pool, Row};
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::stratagem::Stratagem;
use crate::units::{Kind, Side};

/// A position as one viewer may see it: what is hidden is taken out, and only counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The position; hidden reserves, bags and the pile are empty in it.
    state: State,
    /// The side whose secrets are open, or `None`.
    own: Option<Side>,
    /// Whether nothing is hidden: a solo game, or one that is over.
    all: bool,
    /// Tokens in the reserves.
    hands: [u8; 2],
    /// Tokens in the bags.
    bags: [u8; 2],
    /// Tokens in the research pile.
    pile: u8,
}

impl View {
    /// The position without what is hidden.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The viewing side; `None` for a spectator.
    pub fn own(&self) -> Option<Side> {
        self.own
    }

    /// Whether a side's reserve and bag are open to this viewer.
    pub fn knows(&self, side: Side) -> bool {
        self.all || self.own == Some(side)
    }

    /// Whether the contents of the research pile are open to this viewer.
    pub fn knows_pile(&self) -> bool {
        self.all
    }

    /// How many tokens are in a reserve.
    pub fn hand_len(&self, side: Side) -> u8 {
        self.hands[side.index()]
    }

    /// How many tokens are in a bag.
    pub fn bag_len(&self, side: Side) -> u8 {
        self.bags[side.index()]
    }

    /// How many tokens are in the research pile.
    pub fn pile_len(&self) -> u8 {
        self.pile
    }
}

impl Rules {
    /// What a viewer sees.
    pub fn view(&self, state: &State, viewer: Viewer) -> View {
        let all = self.solo().is_some() || state.phase == Phase::Over;
        let own = match viewer {
            Viewer::Seat(seat) => Some(self.side_of(seat)),
            Viewer::Spectator => None,
        };
        let mut seen = *state;
        if !all {
            for side in Side::ALL.into_iter().filter(|side| own != Some(*side)) {
                seen.hands[side.index()] = Row::default();
                seen.bags[side.index()] = Pool::default();
            }
            seen.pile = Pool::default();
        }
        View {
            state: seen,
            own,
            all,
            hands: Side::ALL.map(|side| state.hands[side.index()].len() as u8),
            bags: state.bags.map(|bag| bag.len() as u8),
            pile: state.pile.len() as u8,
        }
    }

    /// The special weapons that a viewer has not seen: in the pile, or with a side whose secrets are hidden.
    pub fn unseen_weapons(&self, view: &View) -> Pool {
        let state = &view.state;
        let mut unseen = self.supply.pile;
        let mut see = |kind: Kind| {
            if kind.is_special() && unseen.has(kind) {
                unseen.remove(kind);
            }
        };
        bits(state.occupied).filter_map(|space| state.at(space)).for_each(|(_, kind)| see(kind));
        for side in Side::ALL {
            state.hands[side.index()].as_slice().iter().copied().for_each(&mut see);
            state.bags[side.index()].tokens().for_each(&mut see);
        }
        unseen
    }

    /// The normal units of a side that are not on the board.
    fn units_off_board(&self, state: &State, side: Side) -> Pool {
        let mut off = self.supply.bags[side.index()];
        for (owner, kind) in bits(state.occupied).filter_map(|space| state.at(space)) {
            if owner == side && !kind.is_special() && off.has(kind) {
                off.remove(kind);
            }
        }
        off
    }

    /// A whole position that agrees with a view: what is hidden is dealt out anew.
    pub fn determinize<D: Dice>(&self, view: &View, dice: &mut D) -> State {
        let mut state = view.state;
        if view.all {
            return state;
        }
        let mut weapons = self.unseen_weapons(view);
        let mut take = |pool: &mut Pool| {
            let kind = pool.nth(dice.below(pool.len()));
            pool.remove(kind);
            kind
        };
        for side in Side::ALL.into_iter().filter(|side| !view.knows(*side)) {
            let mut tokens = self.units_off_board(&view.state, side);
            let held = u32::from(view.hand_len(side)) + u32::from(view.bag_len(side));
            while tokens.len() < held && !weapons.is_empty() {
                tokens.add(take(&mut weapons));
            }
            for _ in 0..view.hand_len(side) {
                if !tokens.is_empty() {
                    state.hands[side.index()].push(take(&mut tokens));
                }
            }
            state.bags[side.index()] = tokens;
        }
        state.pile = weapons;
        state
    }

    /// The view as data.
    pub fn describe(&self, view: &View) -> Value {
        let state = &view.state;
        let words = |kinds: &mut dyn Iterator<Item = Kind>| kinds.map(Kind::word).collect::<Vec<_>>();
        let side_word = |side: Side| if side == Side::First { "first" } else { "second" };
        let theatres: Vec<Value> = (0..self.layout.theatres.len() as u8)
            .map(|at| {
                let theatre = self.theatre(at);
                let status = match () {
                    () if state.is_open(at) => "open",
                    () if state.is_closed(at) => "closed",
                    () => "locked",
                };
                let units: Vec<Value> = bits(theatre.mask & state.occupied)
                    .filter_map(|space| {
                        let (side, kind) = state.at(space)?;
                        let name = &self.space(space).name;
                        Some(json!({ "space": name, "side": side_word(side), "unit": kind.word() }))
                    })
                    .collect();
                json!({
                    "id": theatre.id, "status": status, "marker": state.track(at),
                    "campaign": state.active[usize::from(at)] + 1, "units": units,
                })
            })
            .collect();
        let sides: Vec<Value> = Side::ALL
            .into_iter()
            .map(|side| {
                let at = side.index();
                let mut shown = json!({
                    "side": side_word(side),
                    "name": self.side_name(side),
                    "vp": state.vp[at],
                    "reserve_size": view.hands[at],
                    "bag_size": view.bags[at],
                    "last_unit": state.last[at].map(Kind::word),
                });
                if view.knows(side) {
                    shown["reserve"] = json!(words(&mut state.hands[at].as_slice().iter().copied()));
                    shown["bag"] = json!(words(&mut state.bags[at].tokens()));
                }
                shown
            })
            .collect();
        let mut shown = json!({
            "turn": state.turn,
            "to_move": side_word(state.side),
            "phase": format!("{:?}", state.phase).to_lowercase(),
            "sides": sides,
            "theatres": theatres,
            "pile_size": view.pile,
        });
        if view.knows_pile() {
            shown["pile"] = json!(words(&mut state.pile.tokens()));
        }
        if self.solo().is_some_and(|solo| solo.stratagems) {
            shown["stratagem"] = json!(state.bot.in_force.map(Stratagem::word));
            let cup: Vec<&str> = state.bot.cup.iter().map(Stratagem::word).collect();
            shown["cup"] = json!(cup);
        }
        shown
    }

    /// The view as text.
    pub fn picture(&self, view: &View) -> String {
        let state = &view.state;
        let mut out = String::new();
        let [first, second] = Side::ALL.map(|side| self.side_name(side));
        let [a, b] = state.vp;
        let _ = writeln!(out, "{first} {a} VP, {second} {b} VP; research pile {}", view.pile);
        for at in 0..self.layout.theatres.len() as u8 {
            let theatre = self.theatre(at);
            if !state.is_open(at) {
                if state.is_closed(at) {
                    let _ = writeln!(out, "{:3} {}: closed", theatre.id, theatre.name);
                }
                continue;
            }
            let _ = writeln!(
                out,
                "{:3} {}: {} (end {}, +1 from {}, +2 from {})",
                theatre.id,
                theatre.name,
                self.marker_words(state.track(at)),
                theatre.track_end,
                theatre.bonus[0],
                theatre.bonus[1]
            );
            for (number, campaign) in theatre.campaigns.iter().enumerate() {
                let active = usize::from(state.active[usize::from(at)]);
                if number < active {
                    continue;
                }
                let sign = if number == active { '>' } else { ' ' };
                let spaces: Vec<String> =
                    bits(campaign.mask).map(|space| self.space_words(state, space)).collect();
                let _ = writeln!(out, "  {sign} {} {} VP: {}", number + 1, campaign.vp, spaces.join(" | "));
            }
        }
        if let Some(stratagem) =
            state.bot.in_force.filter(|_| self.solo().is_some_and(|solo| solo.stratagems))
        {
            let _ = writeln!(out, "Stratagem: {} ({})", stratagem.name(), stratagem.about());
        }
        for side in Side::ALL {
            let at = side.index();
            let what = if self.is_bot(side) { "row" } else { "reserve" };
            let tokens: Vec<&str> = state.hands[at].as_slice().iter().map(|kind| kind.word()).collect();
            let tokens =
                if view.knows(side) { tokens.join(" ") } else { format!("{} hidden", view.hands[at]) };
            let _ = writeln!(out, "{} {what}: {tokens}; bag {}", self.side_name(side), view.bags[at]);
        }
        out
    }

    /// A space for the text picture: its name, what stands on it or what it does.
    fn space_words(&self, state: &State, space: u8) -> String {
        let place = self.space(space);
        let name = &place.name;
        match state.at(space) {
            Some((side, kind)) => format!("{name} [{} {}]", self.side_name(side), kind.word()),
            None => {
                let n = if place.n > 1 { format!(" {}", place.n) } else { String::new() };
                format!("{name} {} {}{n}", place.terrain.words(), place.effect.word())
            }
        }
    }

    /// A marker in words: "Axis 3", "level".
    pub fn marker_words(&self, marker: i8) -> String {
        match marker {
            0 => "level".to_owned(),
            1.. => format!("{} {marker}", self.side_name(Side::First)),
            _ => format!("{} {}", self.side_name(Side::Second), -marker),
        }
    }

    /// The seat's side as a viewer.
    pub fn viewer_of(&self, side: Side) -> Viewer {
        self.seat_of(side).map_or(Viewer::Spectator, |seat: Seat| Viewer::Seat(seat))
    }
}
