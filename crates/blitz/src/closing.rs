//! The end of a placement: marker, backfire, campaigns, theatres, new cities. Rules 3.5 to 3.7, 5.6, 10.4.

use kernel::EventSink;

use crate::game_event::GameEvent;
use crate::layout::{Effect, bits};
use crate::rules::{BACKFIRE, BOT_CLOSER, Rules, TRACK_VP};
use crate::state::{Stage, State};
use crate::units::{Ability, Side};

impl Rules {
    /// Rule 3.5, steps 4 to 7.
    pub(crate) fn move_marker<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let side = state.side;
        let theatre = self.space(state.placing.space).theatre;
        let end = self.theatre(theatre).track_end;
        let from = state.track(theatre);
        let to = (from + side.sign() * state.placing.strength).clamp(-end, end);
        state.tracks[usize::from(theatre)] = to;
        sink.emit(|| GameEvent::Marker { theatre, from, to });
        if self.ability(state) == Ability::Nuclear {
            self.backfire(state, theatre, sink);
        }
        self.close_campaigns(state, theatre, sink);
        let campaign = state.active[usize::from(theatre)];
        if to == side.sign() * end {
            sink.emit(|| GameEvent::TheatreTaken { side, theatre });
            state.placing.campaign = campaign;
            state.placing.collect = self.left_in(state, theatre, campaign);
            state.placing.effect = Effect::None;
            state.stage = Stage::Collect;
            return;
        }
        if usize::from(campaign) == self.theatre(theatre).campaigns.len() {
            self.close_theatre(state, theatre);
            sink.emit(|| GameEvent::TheatreClosed { theatre, taken: false });
        }
        state.stage = Stage::Opening;
    }

    /// Rule 5.6: two spaces towards the opponent everywhere else, never onto an end.
    fn backfire<L: EventSink<GameEvent>>(&self, state: &mut State, here: u8, sink: &mut L) {
        let sign = state.side.sign();
        for theatre in bits(u64::from(state.open & !(1 << here))) {
            let most = self.theatre(theatre).track_end - 1;
            let marker = &mut state.tracks[usize::from(theatre)];
            let from = *marker;
            *marker = (from - sign * BACKFIRE).clamp(-most, most);
            let to = *marker;
            sink.emit(|| GameEvent::Backfire { theatre, from, to });
        }
    }

    /// Rules 3.6, 5.9: closes the active campaign while all its spaces are occupied.
    fn close_campaigns<L: EventSink<GameEvent>>(&self, state: &mut State, theatre: u8, sink: &mut L) {
        let campaigns = &self.theatre(theatre).campaigns;
        while let Some(campaign) = campaigns.get(usize::from(state.active[usize::from(theatre)]))
            && campaign.mask & !state.occupied == 0
        {
            let number = state.active[usize::from(theatre)];
            let marker = state.track(theatre);
            let vp = self.campaign_vp(theatre, number, marker);
            state.vp = [state.vp[0] + vp[0], state.vp[1] + vp[1]];
            state.active[usize::from(theatre)] += 1;
            sink.emit(|| GameEvent::CampaignClosed { theatre, campaign: number, marker, vp });
        }
        self.refresh(state, theatre);
    }

    /// The empty spaces of a campaign.
    fn left_in(&self, state: &State, theatre: u8, campaign: u8) -> u64 {
        let found = self.theatre(theatre).campaigns.get(usize::from(campaign));
        found.map_or(0, |campaign| campaign.mask & !state.occupied)
    }

    /// Rule 3.7: the effects of all empty spaces of all unfinished campaigns, their VP, and two more. `true` when it is
    /// done, or when it can go on at once.
    pub(crate) fn collect<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) -> bool {
        if !self.carry_out(state, sink) {
            return false;
        }
        let side = state.side;
        let theatre = self.space(state.placing.space).theatre;
        let campaigns = &self.theatre(theatre).campaigns;
        if state.placing.collect != 0 {
            let space = state.placing.collect.trailing_zeros() as u8;
            state.placing.collect &= state.placing.collect - 1;
            let place = self.space(space);
            if !matches!(place.effect, Effect::None | Effect::Tactical) {
                state.placing.effect = place.effect;
                state.placing.left = place.n;
                sink.emit(|| GameEvent::Collects { space });
            }
            return true;
        }
        let campaign = state.placing.campaign;
        if let Some(found) = campaigns.get(usize::from(campaign)) {
            let vp = found.vp;
            state.vp[side.index()] += vp;
            sink.emit(|| GameEvent::CollectedCampaign { theatre, campaign, vp });
            state.placing.campaign += 1;
            state.placing.collect = self.left_in(state, theatre, campaign + 1);
            return true;
        }
        state.vp[side.index()] += TRACK_VP;
        self.close_theatre(state, theatre);
        sink.emit(|| GameEvent::TheatreClosed { theatre, taken: true });
        state.stage = Stage::Opening;
        true
    }

    fn close_theatre(&self, state: &mut State, theatre: u8) {
        state.open &= !(1 << theatre);
        state.closed |= 1 << theatre;
        state.active[usize::from(theatre)] = self.theatre(theatre).campaigns.len() as u8;
        self.refresh(state, theatre);
    }

    /// Who opens the next city: who closed the old one, in a solo game the human. Rules 10.4, 10.7.
    pub fn opener(&self, state: &State) -> Side {
        if self.solo().is_some() { Side::Second } else { state.side }
    }

    /// Where the marker of a city begins. Rule 10.4: the red modifier favours the side that did not close; the bot gets
    /// one more. Rule 10.7.
    pub fn opening_marker(&self, state: &State, theatre: u8) -> i8 {
        let closer = state.side;
        let most = self.theatre(theatre).track_end - 1;
        let bonus = if self.is_bot(closer) { BOT_CLOSER } else { 0 };
        (closer.sign() * (bonus - self.theatre(theatre).modifier)).clamp(-most, most)
    }

    /// Opens a city. Rule 10.4.
    pub(crate) fn open_city<L: EventSink<GameEvent>>(&self, state: &mut State, theatre: u8, sink: &mut L) {
        let marker = self.opening_marker(state, theatre);
        state.tracks[usize::from(theatre)] = marker;
        state.open |= 1 << theatre;
        self.refresh(state, theatre);
        sink.emit(|| GameEvent::CityOpened { theatre, marker });
    }
}
