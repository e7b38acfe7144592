//! A view as named numbers, and the choices as fixed actions, for learning programs. Rule 14.

use kernel::FeatureSink;

use crate::choice::Choice;
use crate::layout::{MAX_THEATRES, bits};
use crate::rules::{Rules, WAR_VP};
use crate::state::Phase;
use crate::stratagem::Stratagem;
use crate::units::{KIND_COUNT, KINDS, Side};
use crate::view::View;

/// The questions that a position can wait for, with a name for each.
const PHASES: [(Phase, &str); 14] = [
    (Phase::Deal, "deal"),
    (Phase::Difficulty, "difficulty"),
    (Phase::NameTheatre, "name a theatre"),
    (Phase::StartCity, "start city"),
    (Phase::Stratagem, "stratagem"),
    (Phase::UnitDie, "unit die"),
    (Phase::Place, "place"),
    (Phase::Blitz, "blitz"),
    (Phase::Draw, "draw"),
    (Phase::Research, "research"),
    (Phase::Hit, "hit"),
    (Phase::BombRow, "bomb the row"),
    (Phase::Strategic, "strategic"),
    (Phase::Open, "open a city"),
];

/// Tokens in a reserve, beyond which few games go.
const MANY_TOKENS: u8 = 12;
/// The printed strength of the strongest unit.
const STRONGEST: u8 = 7;
/// Turns of both sides, beyond which few games go.
const MANY_TURNS: u8 = 60;
/// The places of the bot's row that can be named.
const ROW: usize = 64;

impl Rules {
    /// How many actions this board has.
    pub fn actions(&self) -> usize {
        self.first_single() + 2 + 3 * MAX_THEATRES + KIND_COUNT + ROW
    }

    /// The first action after those that place a unit.
    fn first_single(&self) -> usize {
        KIND_COUNT * self.layout.spaces.len()
    }

    /// The action that stands for a choice in every position; Fate's have none and give [`Self::actions`].
    pub fn action(&self, choice: Choice) -> usize {
        let single = self.first_single();
        let theatres = |group: usize, at: u8| single + 2 + group * MAX_THEATRES + usize::from(at);
        let row = single + 2 + 3 * MAX_THEATRES;
        match choice {
            Choice::Place { kind, space } => kind as usize * self.layout.spaces.len() + usize::from(space),
            Choice::Stop => single,
            Choice::Stuck => single + 1,
            Choice::Strategic(at) => theatres(0, at),
            Choice::Open(at) => theatres(1, at),
            Choice::Theatre(at) => theatres(2, at),
            Choice::Bomb(kind) => row + kind as usize,
            Choice::BombAt(place) => row + KIND_COUNT + usize::from(place),
            Choice::Die(_)
            | Choice::Draw(_)
            | Choice::Research(_)
            | Choice::Hit(_)
            | Choice::Stratagem(_)
            | Choice::City(_) => self.actions(),
        }
    }

    /// A view as named numbers. What the viewer does not know is 0.
    pub fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        let state = view.state();
        out.share(format_args!("turn"), state.turn, MANY_TURNS);
        for (phase, word) in PHASES {
            out.flag(format_args!("phase {word}"), state.phase == phase);
        }
        for side in Side::ALL {
            self.side_features(view, side, out);
        }
        for theatre in 0..self.layout.theatres.len() as u8 {
            self.theatre_features(view, theatre, out);
        }
        for space in 0..self.layout.spaces.len() as u8 {
            let name = &self.space(space).name;
            let stands = state.at(space);
            for side in Side::ALL {
                let own = stands.filter(|(owner, _)| *owner == side);
                let strength = own.map_or(0, |(_, kind)| state.played_as(kind).info().strength + 1);
                out.share(format_args!("{name} {}", self.side_name(side)), strength, STRONGEST + 1);
            }
            out.flag(format_args!("{name} free"), state.available >> space & 1 != 0);
        }
        self.deed_features(view, out);
    }

    fn side_features<S: FeatureSink>(&self, view: &View, side: Side, out: &mut S) {
        let (state, name, at) = (view.state(), self.side_name(side), side.index());
        out.flag(format_args!("{name} to move"), state.side == side);
        out.flag(format_args!("{name} is the viewer"), view.own() == Some(side));
        out.share(format_args!("{name} VP"), state.vp[at], WAR_VP);
        out.share(format_args!("{name} reserve"), view.hand_len(side), MANY_TOKENS);
        out.share(format_args!("{name} bag"), view.bag_len(side), 22_u8);
        let (hand, bag) = (state.hands[at].pool(), state.bags[at]);
        for info in &KINDS {
            let (kind, word) = (info.kind, info.word);
            out.share(format_args!("{name} reserve {word}"), hand.count(kind) as u8, info.count);
            out.share(format_args!("{name} bag {word}"), bag.count(kind) as u8, info.count);
            out.flag(format_args!("{name} last {word}"), state.last[at] == Some(kind));
        }
    }

    fn theatre_features<S: FeatureSink>(&self, view: &View, at: u8, out: &mut S) {
        let (state, theatre) = (view.state(), self.theatre(at));
        let id = &theatre.id;
        out.flag(format_args!("{id} open"), state.is_open(at));
        out.flag(format_args!("{id} closed"), state.is_closed(at));
        out.share(format_args!("{id} marker"), state.track(at), theatre.track_end.unsigned_abs());
        let campaigns = theatre.campaigns.len() as u8;
        out.share(format_args!("{id} campaigns done"), state.active[usize::from(at)], campaigns);
        let vp = if state.is_open(at) { self.active_vp(state, at) } else { 0 };
        out.share(format_args!("{id} VP of the campaign"), vp, 6_u8);
        let free = (theatre.mask & state.available).count_ones() as u8;
        out.share(format_args!("{id} free spaces"), free, 6_u8);
        for side in Side::ALL {
            let units = bits(theatre.mask & state.occupied).filter_map(|space| state.at(space));
            let own = units.filter(|(owner, _)| *owner == side).count() as u8;
            out.share(format_args!("{id} units of {}", self.side_name(side)), own, 6_u8);
        }
    }

    /// The pile, the placement in hand and the bot's desk.
    fn deed_features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        let state = view.state();
        out.share(format_args!("pile"), view.pile_len(), 18_u8);
        let unseen = self.unseen_weapons(view);
        for info in KINDS.iter().filter(|info| info.special) {
            let left = unseen.count(info.kind) as u8;
            out.share(format_args!("unseen {}", info.word), left, info.count);
        }
        out.share(format_args!("left of the effect"), state.placing.left, 4_u8);
        for theatre in 0..self.layout.theatres.len() as u8 {
            let placed = usize::from(state.placing.space);
            let here = self.layout.spaces.get(placed).is_some_and(|space| space.theatre == theatre);
            out.flag(format_args!("{} of the placement", self.theatre(theatre).id), here);
        }
        for stratagem in Stratagem::ALL {
            let word = stratagem.word();
            out.flag(format_args!("stratagem {word}"), state.bot.in_force == Some(stratagem));
            out.flag(format_args!("cup {word}"), state.bot.cup.has(stratagem));
        }
    }
}
