//! The turn: dealing, placing, and everything that follows from a placement in its order. Rules 3 to 7.

use kernel::{Audience, Listener, Seat};

use crate::choice::Choice;
use crate::layout::{Effect, bits};
use crate::notice::Notice;
use crate::pool::Row;
use crate::rules::{BACKFIRE, BOT_CLOSER, HAND_START, ROW_START, Rules, START_CITIES, TRACK_VP, WAR_VP};
use crate::state::{BotDesk, NOWHERE, Phase, Placed, Placing, Stage, State, Verdict};
use crate::stratagem::{Stratagem, StratagemSet};
use crate::units::{Ability, Kind, Side};

impl Rules {
    /// The position before the first token is drawn.
    pub fn start(&self) -> State {
        let mut state = State {
            phase: Phase::Deal,
            stage: Stage::SetUp,
            side: Side::First,
            turn: 0,
            vp: [0; 2],
            tracks: [0; crate::layout::MAX_THEATRES],
            active: [0; crate::layout::MAX_THEATRES],
            open: self.layout.open,
            closed: 0,
            occupied: 0,
            available: 0,
            units: [Placed::NONE; crate::layout::MAX_SPACES],
            hands: [Row::default(); 2],
            bags: self.supply.bags,
            pile: self.supply.pile,
            last: [None; 2],
            spy_as: None,
            placing: Placing::NOTHING,
            bot: BotDesk {
                cup: StratagemSet::START,
                previous: Stratagem::Steamroll,
                in_force: None,
                space: NOWHERE,
                units: 0,
            },
            verdict: None,
        };
        for theatre in 0..self.layout.theatres.len() as u8 {
            self.refresh(&mut state, theatre);
        }
        state.placing.left = self.hand_start(Side::First);
        state
    }

    fn hand_start(&self, side: Side) -> u8 {
        if self.is_bot(side) { ROW_START } else { HAND_START }
    }

    /// The seat that plays a side; the bot has none.
    #[inline]
    pub fn seat_of(&self, side: Side) -> Option<Seat> {
        match (self.solo(), side) {
            (None, side) => Some(Seat(side as u8)),
            (Some(_), Side::Second) => Some(Seat(0)),
            (Some(_), Side::First) => None,
        }
    }

    /// The side that a seat plays.
    pub fn side_of(&self, seat: Seat) -> Side {
        if self.solo().is_some() || seat.0 == 1 { Side::Second } else { Side::First }
    }

    /// Tells the owner which token it was, and the others that there was one.
    fn tell_owner<L: Listener<Notice>>(
        &self,
        side: Side,
        kind: Kind,
        listener: &mut L,
        notice: impl Fn(Option<Kind>) -> Notice,
    ) {
        match self.seat_of(side) {
            Some(seat) if self.solo().is_none() => {
                listener.tell(Audience::Only(seat), || notice(Some(kind)));
                listener.tell(Audience::Except(seat), || notice(None));
            }
            _ => listener.announce(|| notice(Some(kind))),
        }
    }

    /// Plays a choice that is open, and what follows from it.
    #[inline]
    pub fn play<L: Listener<Notice>>(&self, state: &mut State, choice: Choice, listener: &mut L) {
        match choice {
            Choice::Draw(kind) => self.drew(state, kind, listener),
            Choice::Place { kind, space } => {
                self.place(state, kind, space, listener);
                self.go_on(state, listener);
            }
            Choice::Stop => {
                state.stage = Stage::TurnDraw;
                self.go_on(state, listener);
            }
            Choice::Stuck => {
                let verdict = match state.side {
                    Side::First => Verdict::FirstStuck,
                    Side::Second => Verdict::SecondStuck,
                };
                self.end(state, verdict, listener);
            }
            Choice::Strategic(theatre) => {
                self.spend_strategic(state, theatre, listener);
                self.go_on(state, listener);
            }
            Choice::Bomb(kind) | Choice::Hit(kind) => {
                self.bombed(state, kind, listener);
                self.go_on(state, listener);
            }
            Choice::Research(kind) => {
                self.researched(state, kind, listener);
                self.go_on(state, listener);
            }
            Choice::Open(theatre) => {
                self.open_city(state, theatre, listener);
                self.go_on(state, listener);
            }
            Choice::Stratagem(drawn) => {
                self.take_stratagem(state, drawn, listener);
                self.bot_places(state, None, listener);
                self.go_on(state, listener);
            }
            Choice::Die(face) if state.phase == Phase::UnitDie => {
                self.bot_die(state, face, listener);
                self.go_on(state, listener);
            }
            Choice::Die(face) => self.difficulty_rolled(state, face, listener),
            Choice::Theatre(theatre) => self.difficulty(state, theatre, listener),
            Choice::City(theatre) => {
                self.advance_for_bot(state, theatre, START_CITIES.1, listener);
                state.placing.left -= 1;
                state.placing.collect |= 1 << theatre;
                if state.placing.left == 0 {
                    self.first_turn(state, listener);
                }
            }
        }
    }

    // --- set-up -----------------------------------------------------------------------------------

    fn drew<L: Listener<Notice>>(&self, state: &mut State, kind: Kind, listener: &mut L) {
        let side = state.side;
        state.bags[side.index()].remove(kind);
        state.hands[side.index()].push(kind);
        self.tell_owner(side, kind, listener, |kind| Notice::Drew { side, kind });
        if state.stage == Stage::SetUp {
            state.placing.left -= 1;
            if state.placing.left == 0 {
                self.dealt(state, listener);
            }
            return;
        }
        state.placing.left = state.placing.left.saturating_sub(1);
        if state.stage == Stage::TurnDraw {
            self.end_turn(state, listener);
        }
        self.go_on(state, listener);
    }

    /// A reserve is complete: the other one, then the bot's advantage, then the first turn. Rules 2.4, 8.2, 8.3.
    fn dealt<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        if state.side == Side::First {
            state.side = Side::Second;
            state.placing.left = self.hand_start(Side::Second);
            return;
        }
        let Some(solo) = self.solo() else { return self.first_turn(state, listener) };
        let (rolls, _) = solo.difficulty.rolls();
        if self.layout.opens_cities {
            state.phase = Phase::StartCity;
            state.placing.left = START_CITIES.0;
        } else if rolls > 0 {
            state.phase = Phase::Difficulty;
            state.placing.left = rolls;
        } else {
            self.first_turn(state, listener);
        }
    }

    /// Rule 8.3: the die names a theatre; a 6 lets the human name one.
    fn difficulty_rolled<L: Listener<Notice>>(&self, state: &mut State, face: u8, listener: &mut L) {
        listener.announce(|| Notice::DifficultyRolled { face });
        let named = self.layout.theatres.iter().position(|theatre| theatre.die == Some(face));
        match named {
            Some(theatre) => self.difficulty(state, theatre as u8, listener),
            None => state.phase = Phase::NameTheatre,
        }
    }

    fn difficulty<L: Listener<Notice>>(&self, state: &mut State, theatre: u8, listener: &mut L) {
        let by = self.solo().map_or(0, |solo| solo.difficulty.rolls().1);
        self.advance_for_bot(state, theatre, by, listener);
        state.placing.left -= 1;
        state.phase = Phase::Difficulty;
        if state.placing.left == 0 {
            self.first_turn(state, listener);
        }
    }

    /// Moves a marker in the bot's favour, never onto an end space. Rulings R20, R31.
    fn advance_for_bot<L: Listener<Notice>>(&self, state: &mut State, theatre: u8, by: i8, listener: &mut L) {
        let most = self.theatre(theatre).track_end - 1;
        let marker = &mut state.tracks[usize::from(theatre)];
        let by = by.min(most - *marker);
        *marker += by;
        listener.announce(|| Notice::BotAdvanced { theatre, by });
    }

    fn first_turn<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        state.placing = Placing::NOTHING;
        if let Some(solo) = self.solo() {
            let (vp, tracks) = (solo.start_vp(), solo.start_tracks());
            if tracks > 0 {
                for theatre in bits(u64::from(state.open)) {
                    self.advance_for_bot(state, theatre, tracks, listener);
                }
            }
            if vp > 0 {
                state.vp[0] += vp;
                listener.announce(|| Notice::BotPoints { vp });
            }
        }
        self.begin_turn(state, Side::First, listener);
        self.go_on(state, listener);
    }

    // --- the turn ---------------------------------------------------------------------------------

    /// Rule 3.1, and for the bot rule 8.4.
    fn begin_turn<L: Listener<Notice>>(&self, state: &mut State, side: Side, listener: &mut L) {
        state.side = side;
        state.turn += 1;
        state.stage = Stage::Ready;
        state.placing = Placing::NOTHING;
        if state.available == 0 {
            return self.end_on_points(state, listener);
        }
        let turn = state.turn;
        listener.announce(|| Notice::TurnBegan { turn, side });
        if !self.is_bot(side) {
            state.phase = Phase::Place;
        } else if !self.can_place(state, side) {
            self.end(state, Verdict::FirstStuck, listener);
        } else if self.solo().is_some_and(|solo| solo.stratagems) {
            state.phase = Phase::Stratagem;
        } else {
            self.bot_places(state, None, listener);
        }
    }

    /// Rule 3.4, the end of a turn, and rule 7.
    pub(crate) fn end_turn<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        let side = state.side;
        let reached = state.vp.map(|vp| vp >= WAR_VP);
        match side {
            Side::First if reached[1] && !reached[0] => self.end(state, Verdict::SecondPoints, listener),
            Side::Second if reached[0] || reached[1] => self.end_on_points(state, listener),
            _ => self.begin_turn(state, side.enemy(), listener),
        }
    }

    fn end_on_points<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        let verdict = match state.vp[0].cmp(&state.vp[1]) {
            std::cmp::Ordering::Greater => Verdict::FirstPoints,
            std::cmp::Ordering::Less => Verdict::SecondPoints,
            std::cmp::Ordering::Equal => Verdict::SecondTie,
        };
        self.end(state, verdict, listener);
    }

    fn end<L: Listener<Notice>>(&self, state: &mut State, verdict: Verdict, listener: &mut L) {
        state.phase = Phase::Over;
        state.stage = Stage::Ready;
        state.placing = Placing::NOTHING;
        state.verdict = Some(verdict);
        let vp = state.vp;
        listener.announce(|| Notice::Ended { verdict, vp });
    }

    // --- a placement ------------------------------------------------------------------------------

    /// Rule 3.5, step 1: the unit leaves the reserve and stands on its space.
    pub(crate) fn place<L: Listener<Notice>>(
        &self,
        state: &mut State,
        token: Kind,
        space: u8,
        listener: &mut L,
    ) {
        state.hands[state.side.index()].remove(token);
        self.put(state, token, space, listener);
    }

    /// The same for a token that has already left the reserve.
    pub(crate) fn put<L: Listener<Notice>>(
        &self,
        state: &mut State,
        token: Kind,
        space: u8,
        listener: &mut L,
    ) {
        let side = state.side;
        let theatre = self.space(space).theatre;
        let Some(unit) = self.played(state, side, token) else { return };
        let strength = self.strength(state, side, unit, theatre);
        state.units[usize::from(space)] = Placed::new(side, token);
        state.occupied |= 1 << space;
        state.available &= !(1 << space);
        state.last[side.index()] = Some(unit.kind);
        if token == Kind::Spy {
            state.spy_as = Some(unit.kind);
        }
        let effect = self.space(space);
        state.placing = Placing {
            kind: unit.kind,
            space,
            strength,
            effect: effect.effect,
            left: effect.n,
            collect: 0,
            campaign: 0,
        };
        listener.announce(|| Notice::Placed { side, kind: token, played_as: unit.kind, space, strength });
        if unit.ability == Ability::TaskForce && effect.effect != Effect::None {
            state.placing.effect = Effect::None;
            state.placing.left = 0;
            listener.announce(|| Notice::NoEffect { kind: unit.kind });
        }
        state.stage = Stage::Effect;
    }

    /// Goes through the steps of a placement until somebody is to choose.
    pub(crate) fn go_on<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        loop {
            match state.stage {
                Stage::SetUp | Stage::Ready => return,
                Stage::Effect => {
                    if !self.carry_out(state, listener) {
                        return;
                    }
                    let bombs = self.ability(state) == Ability::Bombing;
                    state.placing.effect = if bombs { Effect::Bombing } else { Effect::None };
                    state.placing.left = u8::from(bombs);
                    state.stage = Stage::Ability;
                }
                Stage::Ability => {
                    if !self.carry_out(state, listener) {
                        return;
                    }
                    state.stage = Stage::Marker;
                }
                Stage::Marker => self.move_marker(state, listener),
                Stage::Collect => {
                    if !self.collect(state, listener) {
                        return;
                    }
                }
                Stage::Opening => {
                    state.stage = Stage::Follow;
                    let theatre = self.space(state.placing.space).theatre;
                    if state.is_closed(theatre) && self.openable(state, theatre) != 0 {
                        state.phase = Phase::Open;
                        return;
                    }
                }
                Stage::Follow => {
                    if self.follow(state, listener) {
                        return;
                    }
                }
                Stage::TurnDraw => {
                    if !state.bags[state.side.index()].is_empty() {
                        state.phase = Phase::Draw;
                        return;
                    }
                    self.end_turn(state, listener);
                }
            }
        }
    }

    /// What the unit in hand does: the bot's scientist does nothing.
    fn ability(&self, state: &State) -> Ability {
        let kind = state.placing.kind;
        if kind == Kind::Scientist { Ability::None } else { kind.ability() }
    }

    /// Rule 6: carries an effect out as far as nobody has to choose; `true` when it is done.
    fn carry_out<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) -> bool {
        let side = state.side;
        let effect = state.placing.effect;
        match effect {
            Effect::None => return true,
            Effect::Production | Effect::ImprovedProduction => {
                if state.placing.left > 0 && !state.bags[side.index()].is_empty() {
                    state.phase = Phase::Draw;
                    return false;
                }
                self.note_unused(state, listener);
            }
            Effect::Research | Effect::ImprovedResearch | Effect::ResearchIndustry => {
                if state.placing.left > 0 && !state.pile.is_empty() {
                    state.phase = Phase::Research;
                    return false;
                }
                self.note_unused(state, listener);
            }
            Effect::Bombing => {
                if state.placing.left > 0 && !state.hands[side.enemy().index()].is_empty() {
                    state.phase = if self.is_bot(side.enemy()) { Phase::BombRow } else { Phase::Hit };
                    return false;
                }
                self.note_unused(state, listener);
            }
            Effect::Strategic => {
                if state.placing.left > 0 && self.strategic_targets(state) != 0 {
                    if self.is_bot(side) {
                        let theatre = self.bot_target(state, listener);
                        self.spend_strategic(state, theatre, listener);
                        return true;
                    }
                    state.phase = Phase::Strategic;
                    return false;
                }
                self.note_unused(state, listener);
            }
            Effect::Tactical => {
                let theatre = self.space(state.placing.space).theatre;
                let end = self.theatre(theatre).track_end;
                let marker = &mut state.tracks[usize::from(theatre)];
                let from = *marker;
                *marker = (from + side.sign() * state.placing.left as i8).clamp(-end, end);
                let to = *marker;
                listener.announce(|| Notice::Tactical { theatre, from, to });
            }
            Effect::Propaganda => {
                let vp = state.placing.left;
                state.vp[side.index()] += vp;
                listener.announce(|| Notice::Propaganda { side, vp });
            }
        }
        state.placing.effect = Effect::None;
        state.placing.left = 0;
        true
    }

    /// An effect that found nothing to do. Rules 6.2, 6.3.
    fn note_unused<L: Listener<Notice>>(&self, state: &State, listener: &mut L) {
        let effect = state.placing.effect;
        if state.placing.left > 0 {
            listener.announce(|| Notice::Nothing { effect });
        }
    }

    /// The theatres to which a strategic advantage may go: any other open one.
    pub fn strategic_targets(&self, state: &State) -> u16 {
        state.open & !(1 << self.space(state.placing.space).theatre)
    }

    /// Rule 6: a strategic advantage stops one space short of the end.
    pub(crate) fn spend_strategic<L: Listener<Notice>>(
        &self,
        state: &mut State,
        theatre: u8,
        listener: &mut L,
    ) {
        let side = state.side;
        let most = self.theatre(theatre).track_end - 1;
        let marker = &mut state.tracks[usize::from(theatre)];
        let from = *marker;
        *marker = (from + side.sign() * state.placing.left as i8).clamp(-most, most);
        let to = *marker;
        listener.announce(|| Notice::Strategic { side, theatre, from, to });
        state.placing.effect = Effect::None;
        state.placing.left = 0;
    }

    /// Rule 6: a special weapon goes into the bag, from an industry into the reserve.
    fn researched<L: Listener<Notice>>(&self, state: &mut State, kind: Kind, listener: &mut L) {
        let side = state.side;
        let to_hand = state.placing.effect == Effect::ResearchIndustry;
        state.pile.remove(kind);
        if to_hand {
            state.hands[side.index()].push(kind);
        } else {
            state.bags[side.index()].add(kind);
        }
        state.placing.left -= 1;
        self.tell_owner(side, kind, listener, |kind| Notice::Researched { side, kind, to_hand });
    }

    /// Rules 6.3, 8.7, ruling R9: where a bombed token goes.
    fn bombed<L: Listener<Notice>>(&self, state: &mut State, kind: Kind, listener: &mut L) {
        let victim = state.side.enemy();
        state.hands[victim.index()].remove(kind);
        let to_pile =
            self.is_bot(victim) && (kind.is_special() || self.solo().is_some_and(|solo| solo.bombed_to_pile));
        if to_pile {
            state.pile.add(kind);
        } else {
            state.bags[victim.index()].add(kind);
        }
        state.placing.left -= 1;
        self.tell_owner(victim, kind, listener, |kind| Notice::Bombed { victim, kind, to_pile });
    }

    /// Rule 3.5, steps 4 to 7.
    fn move_marker<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) {
        let side = state.side;
        let theatre = self.space(state.placing.space).theatre;
        let end = self.theatre(theatre).track_end;
        let from = state.track(theatre);
        let to = (from + side.sign() * state.placing.strength).clamp(-end, end);
        state.tracks[usize::from(theatre)] = to;
        listener.announce(|| Notice::Marker { theatre, from, to });
        if self.ability(state) == Ability::Nuclear {
            self.backfire(state, theatre, listener);
        }
        self.close_campaigns(state, theatre, listener);
        let campaign = state.active[usize::from(theatre)];
        if to == side.sign() * end {
            listener.announce(|| Notice::TheatreTaken { side, theatre });
            state.placing.campaign = campaign;
            state.placing.collect = self.left_in(state, theatre, campaign);
            state.placing.effect = Effect::None;
            state.stage = Stage::Collect;
            return;
        }
        if usize::from(campaign) == self.theatre(theatre).campaigns.len() {
            self.close_theatre(state, theatre);
            listener.announce(|| Notice::TheatreClosed { theatre, taken: false });
        }
        state.stage = Stage::Opening;
    }

    /// Rule 5.6: two spaces towards the opponent everywhere else, never onto an end.
    fn backfire<L: Listener<Notice>>(&self, state: &mut State, here: u8, listener: &mut L) {
        let sign = state.side.sign();
        for theatre in bits(u64::from(state.open & !(1 << here))) {
            let most = self.theatre(theatre).track_end - 1;
            let marker = &mut state.tracks[usize::from(theatre)];
            let from = *marker;
            *marker = (from - sign * BACKFIRE).clamp(-most, most);
            let to = *marker;
            listener.announce(|| Notice::Backfire { theatre, from, to });
        }
    }

    /// Rules 3.6, 5.9: closes the active campaign while all its spaces are occupied.
    fn close_campaigns<L: Listener<Notice>>(&self, state: &mut State, theatre: u8, listener: &mut L) {
        let campaigns = &self.theatre(theatre).campaigns;
        while let Some(campaign) = campaigns.get(usize::from(state.active[usize::from(theatre)]))
            && campaign.mask & !state.occupied == 0
        {
            let number = state.active[usize::from(theatre)];
            let marker = state.track(theatre);
            let vp = self.campaign_vp(theatre, number, marker);
            state.vp = [state.vp[0] + vp[0], state.vp[1] + vp[1]];
            state.active[usize::from(theatre)] += 1;
            listener.announce(|| Notice::CampaignClosed { theatre, campaign: number, marker, vp });
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
    fn collect<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) -> bool {
        if !self.carry_out(state, listener) {
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
                listener.announce(|| Notice::Collects { space });
            }
            return true;
        }
        let campaign = state.placing.campaign;
        if let Some(found) = campaigns.get(usize::from(campaign)) {
            let vp = found.vp;
            state.vp[side.index()] += vp;
            listener.announce(|| Notice::CollectedCampaign { theatre, campaign, vp });
            state.placing.campaign += 1;
            state.placing.collect = self.left_in(state, theatre, campaign + 1);
            return true;
        }
        state.vp[side.index()] += TRACK_VP;
        self.close_theatre(state, theatre);
        listener.announce(|| Notice::TheatreClosed { theatre, taken: true });
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
    fn open_city<L: Listener<Notice>>(&self, state: &mut State, theatre: u8, listener: &mut L) {
        let marker = self.opening_marker(state, theatre);
        state.tracks[usize::from(theatre)] = marker;
        state.open |= 1 << theatre;
        self.refresh(state, theatre);
        listener.announce(|| Notice::CityOpened { theatre, marker });
    }

    /// Rules 3.3, 8.5: one more unit after a blitz. `true` when a player is to choose.
    fn follow<L: Listener<Notice>>(&self, state: &mut State, listener: &mut L) -> bool {
        let side = state.side;
        state.stage = Stage::TurnDraw;
        if self.ability(state) != Ability::Blitz || state.hands[side.index()].is_empty() {
            return false;
        }
        let theatre = self.space(state.placing.space).theatre;
        if self.is_bot(side) {
            self.bot_follows(state, theatre, listener);
            return false;
        }
        // Whether the question is put tells nothing of the reserve (ruling R26); where nothing is hidden it may.
        let room = state.is_open(theatre) && self.empty_spaces(state, theatre) != 0;
        if !room || (self.solo().is_some() && !self.can_follow(state, side, theatre)) {
            return false;
        }
        state.phase = Phase::Blitz;
        true
    }

    /// Whether a side has a unit for a theatre.
    pub fn can_follow(&self, state: &State, side: Side, theatre: u8) -> bool {
        let mask = self.theatre(theatre).mask;
        state.hands[side.index()].pool().kinds().any(|token| {
            self.played(state, side, token).is_some_and(|unit| self.spaces_for(state, unit) & mask != 0)
        })
    }
}
