//! What must hold in every position. Rule 1, and the counting of tokens.

use crate::layout::bits;
use crate::pool::{Pool, Row};
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::units::Side;

impl Rules {
    /// The first thing that does not hold.
    pub fn invariants(&self, state: &State) -> Result<(), String> {
        self.check_tokens(state)?;
        self.check_theatres(state)?;
        for side in Side::ALL {
            let hand: Row = state.hands[side.index()].as_slice().iter().copied().collect();
            if hand.pool() != state.hands[side.index()].pool() {
                return Err(format!("the reserve of the {side:?} side is counted wrongly"));
            }
        }
        if state.verdict.is_some() != (state.phase == Phase::Over) {
            return Err(format!("verdict {:?} in phase {:?}", state.verdict, state.phase));
        }
        let in_hand = state.bot.cup.len() + u32::from(!state.bot.cup.has(state.bot.previous));
        if in_hand != 8 {
            return Err(format!("{in_hand} stratagem tokens"));
        }
        Ok(())
    }

    /// Every token is in one place: on the board, in a reserve, a bag or the pile.
    fn check_tokens(&self, state: &State) -> Result<(), String> {
        let bombed_to_pile = self.solo().is_some_and(|solo| solo.bombed_to_pile);
        let mut all = state.pile;
        for side in Side::ALL {
            let on_board = bits(state.occupied).filter_map(|space| state.at(space));
            let board = Pool::of(on_board.filter(|(owner, _)| *owner == side).map(|(_, kind)| kind));
            let held = board.and(state.hands[side.index()].pool()).and(state.bags[side.index()]);
            if !bombed_to_pile && held.normals() != self.supply.bags[side.index()] {
                return Err(format!("the {side:?} side has lost or gained normal units: {held:?}"));
            }
            all = all.and(held);
        }
        let supply = self.supply.bags[0].and(self.supply.bags[1]).and(self.supply.pile);
        if all == supply { Ok(()) } else { Err("tokens have been lost or gained".to_owned()) }
    }

    fn check_theatres(&self, state: &State) -> Result<(), String> {
        if state.open & state.closed != 0 {
            return Err("a theatre is open and closed".to_owned());
        }
        if self.layout.opens_cities && state.open.count_ones() > 4 {
            return Err(format!("{} cities are open", state.open.count_ones()));
        }
        let mut available = 0;
        for (at, theatre) in self.layout.theatres.iter().enumerate() {
            let number = at as u8;
            let marker = state.tracks[at];
            let collecting = state.placing.space != crate::state::NOWHERE
                && self.space(state.placing.space).theatre == number;
            if state.is_open(number) && !collecting && marker.abs() >= theatre.track_end {
                return Err(format!("{} is open with its marker on {marker}", theatre.id));
            }
            let active = usize::from(state.active[at]);
            if active > theatre.campaigns.len() {
                return Err(format!("{} has finished {active} campaigns", theatre.id));
            }
            if !state.is_open(number) {
                continue;
            }
            let finished = theatre.campaigns[..active].iter().fold(0, |all, campaign| all | campaign.mask);
            if finished & !state.occupied != 0 {
                return Err(format!("{}: a finished campaign has an empty space", theatre.id));
            }
            if let Some(campaign) = theatre.campaigns.get(active) {
                available |= campaign.mask & !state.occupied;
                let settled = state.placing.space == crate::state::NOWHERE;
                if settled && campaign.mask & !state.occupied == 0 {
                    return Err(format!("{}: the active campaign is full", theatre.id));
                }
            }
        }
        if available != state.available {
            return Err("the empty spaces of active campaigns are noted wrongly".to_owned());
        }
        for space in 0..crate::layout::MAX_SPACES as u8 {
            let taken = state.occupied >> space & 1 != 0;
            if taken != state.at(space).is_some() {
                return Err(format!("space {space} is noted wrongly"));
            }
        }
        Ok(())
    }
}
