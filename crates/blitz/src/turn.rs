//! The turn: placing, the steps that follow from a placement in their order, and the end. Rules 3 to 7.

use kernel::{Audience, EventSink, Seat};

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::layout::Effect;
use crate::rules::{Rules, START_CITIES, WAR_VP};
use crate::state::{Phase, Placed, Placing, Stage, State, Verdict};
use crate::units::{Ability, Kind, Side};

impl Rules {
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
    fn tell_owner<L: EventSink<GameEvent>>(
        &self,
        side: Side,
        kind: Kind,
        sink: &mut L,
        event: impl Fn(Option<Kind>) -> GameEvent,
    ) {
        match self.seat_of(side) {
            Some(seat) if self.solo().is_none() => {
                sink.emit_to(Audience::Only(seat), || event(Some(kind)));
                sink.emit_to(Audience::Except(seat), || event(None));
            }
            _ => sink.emit(|| event(Some(kind))),
        }
    }

    /// Plays a choice that is open, and what follows from it.
    #[inline]
    pub fn play<L: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut L) {
        match choice {
            Choice::Draw(kind) => self.drew(state, kind, sink),
            Choice::Place { kind, space } => {
                self.place(state, kind, space, sink);
                self.go_on(state, sink);
            }
            Choice::Stop => {
                state.stage = Stage::TurnDraw;
                self.go_on(state, sink);
            }
            Choice::Stuck => {
                let verdict = match state.side {
                    Side::First => Verdict::FirstStuck,
                    Side::Second => Verdict::SecondStuck,
                };
                self.end(state, verdict, sink);
            }
            Choice::Strategic(theatre) => {
                self.spend_strategic(state, theatre, sink);
                self.go_on(state, sink);
            }
            Choice::Bomb(kind) | Choice::Hit(kind) => {
                state.hands[state.side.enemy().index()].remove(kind);
                self.bombed(state, kind, sink);
                self.go_on(state, sink);
            }
            Choice::BombAt(place) => {
                let row = &mut state.hands[state.side.enemy().index()];
                let kind = row.as_slice()[usize::from(place)];
                row.remove_at(usize::from(place));
                self.bombed(state, kind, sink);
                self.go_on(state, sink);
            }
            Choice::Research(kind) => {
                self.researched(state, kind, sink);
                self.go_on(state, sink);
            }
            Choice::Open(theatre) => {
                self.open_city(state, theatre, sink);
                self.go_on(state, sink);
            }
            Choice::Stratagem(drawn) => {
                self.take_stratagem(state, drawn, sink);
                self.bot_places(state, None, sink);
                self.go_on(state, sink);
            }
            Choice::Die(face) if state.phase == Phase::UnitDie => {
                self.bot_die(state, face, sink);
                self.go_on(state, sink);
            }
            Choice::Die(face) => self.difficulty_rolled(state, face, sink),
            Choice::Theatre(theatre) => self.difficulty(state, theatre, sink),
            Choice::City(theatre) => {
                self.advance_for_bot(state, theatre, START_CITIES.1, sink);
                state.placing.left -= 1;
                state.placing.collect |= 1 << theatre;
                if state.placing.left == 0 {
                    self.first_turn(state, sink);
                }
            }
        }
    }

    /// A token from the bag: of the first reserve, of production, or at the end of the turn.
    fn drew<L: EventSink<GameEvent>>(&self, state: &mut State, kind: Kind, sink: &mut L) {
        let side = state.side;
        state.bags[side.index()].remove(kind);
        state.hands[side.index()].push(kind);
        self.tell_owner(side, kind, sink, |kind| GameEvent::Drew { side, kind });
        if state.stage == Stage::SetUp {
            state.placing.left -= 1;
            if state.placing.left == 0 {
                self.dealt(state, sink);
            }
            return;
        }
        state.placing.left = state.placing.left.saturating_sub(1);
        if state.stage == Stage::TurnDraw {
            self.end_turn(state, sink);
        }
        self.go_on(state, sink);
    }

    // --- the turn ---------------------------------------------------------------------------------

    /// Rule 3.1, and for the bot rule 8.4.
    pub(crate) fn begin_turn<L: EventSink<GameEvent>>(&self, state: &mut State, side: Side, sink: &mut L) {
        state.side = side;
        state.turn += 1;
        state.stage = Stage::Ready;
        state.placing = Placing::NOTHING;
        if state.available == 0 {
            return self.end_on_points(state, sink);
        }
        let turn = state.turn;
        sink.emit(|| GameEvent::TurnBegan { turn, side });
        if !self.is_bot(side) {
            state.phase = Phase::Place;
        } else if !self.can_place(state, side) {
            self.end(state, Verdict::FirstStuck, sink);
        } else if self.solo().is_some_and(|solo| solo.stratagems) {
            state.phase = Phase::Stratagem;
        } else {
            self.bot_places(state, None, sink);
        }
    }

    /// Rule 3.4, the end of a turn, and rule 7.
    pub(crate) fn end_turn<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let side = state.side;
        let reached = state.vp.map(|vp| vp >= WAR_VP);
        match side {
            Side::First if reached[1] && !reached[0] => self.end(state, Verdict::SecondPoints, sink),
            Side::Second if reached[0] || reached[1] => self.end_on_points(state, sink),
            _ => self.begin_turn(state, side.enemy(), sink),
        }
    }

    fn end_on_points<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        let verdict = match state.vp[0].cmp(&state.vp[1]) {
            std::cmp::Ordering::Greater => Verdict::FirstPoints,
            std::cmp::Ordering::Less => Verdict::SecondPoints,
            std::cmp::Ordering::Equal => Verdict::SecondTie,
        };
        self.end(state, verdict, sink);
    }

    fn end<L: EventSink<GameEvent>>(&self, state: &mut State, verdict: Verdict, sink: &mut L) {
        state.phase = Phase::Over;
        state.stage = Stage::Ready;
        state.placing = Placing::NOTHING;
        state.verdict = Some(verdict);
        let vp = state.vp;
        sink.emit(|| GameEvent::Ended { verdict, vp });
    }

    // --- a placement ------------------------------------------------------------------------------

    /// Rule 3.5, step 1: the unit leaves the reserve and stands on its space.
    pub(crate) fn place<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        token: Kind,
        space: u8,
        sink: &mut L,
    ) {
        state.hands[state.side.index()].remove(token);
        self.put(state, token, space, sink);
    }

    /// The same for a token that has already left the reserve.
    pub(crate) fn put<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        token: Kind,
        space: u8,
        sink: &mut L,
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
        sink.emit(|| GameEvent::Placed { side, kind: token, played_as: unit.kind, space, strength });
        if unit.ability == Ability::TaskForce && effect.effect != Effect::None {
            state.placing.effect = Effect::None;
            state.placing.left = 0;
            sink.emit(|| GameEvent::NoEffect { kind: unit.kind });
        }
        state.stage = Stage::Effect;
    }

    /// Goes through the steps of a placement until somebody must choose.
    pub(crate) fn go_on<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) {
        loop {
            match state.stage {
                Stage::SetUp | Stage::Ready => return,
                Stage::Effect => {
                    if !self.carry_out(state, sink) {
                        return;
                    }
                    let bombs = self.ability(state) == Ability::Bombing;
                    state.placing.effect = if bombs { Effect::Bombing } else { Effect::None };
                    state.placing.left = u8::from(bombs);
                    state.stage = Stage::Ability;
                }
                Stage::Ability => {
                    if !self.carry_out(state, sink) {
                        return;
                    }
                    state.stage = Stage::Marker;
                }
                Stage::Marker => self.move_marker(state, sink),
                Stage::Collect => {
                    if !self.collect(state, sink) {
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
                    if self.follow(state, sink) {
                        return;
                    }
                }
                Stage::TurnDraw => {
                    if !state.bags[state.side.index()].is_empty() {
                        state.phase = Phase::Draw;
                        return;
                    }
                    self.end_turn(state, sink);
                }
            }
        }
    }

    /// What the unit in hand does: the bot's scientist does nothing.
    pub(crate) fn ability(&self, state: &State) -> Ability {
        let kind = state.placing.kind;
        if kind == Kind::Scientist { Ability::None } else { kind.ability() }
    }

    /// Rule 6: carries an effect out as far as nobody has to choose; `true` when it is done.
    pub(crate) fn carry_out<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) -> bool {
        let side = state.side;
        let effect = state.placing.effect;
        match effect {
            Effect::None => return true,
            Effect::Production | Effect::ImprovedProduction => {
                if state.placing.left > 0 && !state.bags[side.index()].is_empty() {
                    state.phase = Phase::Draw;
                    return false;
                }
                self.note_unused(state, sink);
            }
            Effect::Research | Effect::ImprovedResearch | Effect::ResearchIndustry => {
                if state.placing.left > 0 && !state.pile.is_empty() {
                    state.phase = Phase::Research;
                    return false;
                }
                self.note_unused(state, sink);
            }
            Effect::Bombing => {
                if state.placing.left > 0 && !state.hands[side.enemy().index()].is_empty() {
                    state.phase = if self.is_bot(side.enemy()) { Phase::BombRow } else { Phase::Hit };
                    return false;
                }
                self.note_unused(state, sink);
            }
            Effect::Strategic => {
                if state.placing.left > 0 && self.strategic_targets(state) != 0 {
                    if self.is_bot(side) {
                        let theatre = self.bot_target(state, sink);
                        self.spend_strategic(state, theatre, sink);
                        return true;
                    }
                    state.phase = Phase::Strategic;
                    return false;
                }
                self.note_unused(state, sink);
            }
            Effect::Tactical => {
                let theatre = self.space(state.placing.space).theatre;
                let end = self.theatre(theatre).track_end;
                let marker = &mut state.tracks[usize::from(theatre)];
                let from = *marker;
                *marker = (from + side.sign() * state.placing.left as i8).clamp(-end, end);
                let to = *marker;
                sink.emit(|| GameEvent::Tactical { theatre, from, to });
            }
            Effect::Propaganda => {
                let vp = state.placing.left;
                state.vp[side.index()] += vp;
                sink.emit(|| GameEvent::Propaganda { side, vp });
            }
        }
        state.placing.effect = Effect::None;
        state.placing.left = 0;
        true
    }

    /// An effect that found nothing to do. Rules 6.2, 6.3.
    fn note_unused<L: EventSink<GameEvent>>(&self, state: &State, sink: &mut L) {
        let effect = state.placing.effect;
        if state.placing.left > 0 {
            sink.emit(|| GameEvent::Nothing { effect });
        }
    }

    /// The theatres to which a strategic advantage may go: any other open one.
    pub fn strategic_targets(&self, state: &State) -> u16 {
        state.open & !(1 << self.space(state.placing.space).theatre)
    }

    /// Rule 6: a strategic advantage stops one space short of the end.
    pub(crate) fn spend_strategic<L: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        theatre: u8,
        sink: &mut L,
    ) {
        let side = state.side;
        let most = self.theatre(theatre).track_end - 1;
        let marker = &mut state.tracks[usize::from(theatre)];
        let from = *marker;
        *marker = (from + side.sign() * state.placing.left as i8).clamp(-most, most);
        let to = *marker;
        sink.emit(|| GameEvent::Strategic { side, theatre, from, to });
        state.placing.effect = Effect::None;
        state.placing.left = 0;
    }

    /// Rule 6: a special weapon goes into the bag, from an industry into the reserve.
    fn researched<L: EventSink<GameEvent>>(&self, state: &mut State, kind: Kind, sink: &mut L) {
        let side = state.side;
        let to_hand = state.placing.effect == Effect::ResearchIndustry;
        state.pile.remove(kind);
        if to_hand {
            state.hands[side.index()].push(kind);
        } else {
            state.bags[side.index()].add(kind);
        }
        state.placing.left -= 1;
        self.tell_owner(side, kind, sink, |kind| GameEvent::Researched { side, kind, to_hand });
    }

    /// Rules 6.3, 8.7, ruling R9: where a bombed token goes, which has left the reserve or row.
    fn bombed<L: EventSink<GameEvent>>(&self, state: &mut State, kind: Kind, sink: &mut L) {
        let victim = state.side.enemy();
        let to_pile =
            self.is_bot(victim) && (kind.is_special() || self.solo().is_some_and(|solo| solo.bombed_to_pile));
        if to_pile {
            state.pile.add(kind);
        } else {
            state.bags[victim.index()].add(kind);
        }
        state.placing.left -= 1;
        self.tell_owner(victim, kind, sink, |kind| GameEvent::Bombed { victim, kind, to_pile });
    }

    /// Rules 3.3, 8.5: one more unit after a blitz. `true` when a player must choose.
    fn follow<L: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut L) -> bool {
        let side = state.side;
        state.stage = Stage::TurnDraw;
        if self.ability(state) != Ability::Blitz || state.hands[side.index()].is_empty() {
            return false;
        }
        let theatre = self.space(state.placing.space).theatre;
        if self.is_bot(side) {
            self.bot_follows(state, theatre, sink);
            return false;
        }
        // Whether the question is put tells nothing of the reserve (ruling R26); where nothing is hidden it may.
        let room = state.is_open(theatre) && self.empty_spaces(state, theatre) != 0;
        if !room || (self.solo().is_some() && !self.can_place_in(state, side, self.theatre(theatre).mask)) {
            return false;
        }
        state.phase = Phase::Blitz;
        true
    }
}
