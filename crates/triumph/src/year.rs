//! Year Start: USA Public Opinion, Victory Check, shuffling, Peace Dividends, Turn Order. Rules 7.1, 8.44, 16.2, 16.5.

use kernel::{Audience, EventSink};

use crate::cards::{Deck, Tech};
use crate::economy::Points;
use crate::factions::{Faction, Parties};
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::state::{Part, State, Status, Verdict};

/// The VP that win at a Victory Check. Rule 16.2.
pub const TO_WIN: i16 = 25;
/// The last year.
const LAST: u8 = 45;
/// The first year of the whole game, in which all three draw a chit.
const FIRST: u8 = 36;
/// The years of USA Public Opinion. Rule 8.44.
const OPINION: std::ops::RangeInclusive<u8> = 41..=44;

/// Turn Order by die. Rule 7.14.
pub(crate) const TURN_ORDERS: [[Faction; 3]; 6] = [
    [Faction::Axis, Faction::Ussr, Faction::West],
    [Faction::Axis, Faction::West, Faction::Ussr],
    [Faction::West, Faction::Axis, Faction::Ussr],
    [Faction::West, Faction::Ussr, Faction::Axis],
    [Faction::Ussr, Faction::West, Faction::Axis],
    [Faction::Ussr, Faction::Axis, Faction::West],
];

impl Rules {
    /// After Winter: the next year, or the end.
    pub(crate) fn end_year<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.year >= LAST {
            self.hegemony(state, sink);
        } else {
            self.begin_year(state, sink);
        }
    }

    /// Year Start, up to the first draw. Rule 7.1.
    pub(crate) fn begin_year<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.year += 1;
        state.part = Part::NewYear;
        state.at = 0;
        sink.emit(|| GameEvent::YearBegins { year: state.year });
        self.snapshot(state);
        if OPINION.contains(&state.year) && state.nation(self.atlas().usa).status == Status::Neutral {
            self.influence(state, Faction::West, self.atlas().usa, sink);
            if self.west_has_usa(state) {
                self.usa_joins(state, sink);
            }
        }
        if self.victory_check(state, sink) {
            return;
        }
        for deck in 0..2 {
            state.deck[deck] |= state.discard[deck];
            state.discard[deck] = 0;
        }
        self.peace_dividends(state, 0, sink);
    }

    fn west_has_usa(&self, state: &State) -> bool {
        let usa = state.nation(self.atlas().usa);
        usa.influencer == Some(Faction::West) && usa.markers >= 3
    }

    /// Economic victory. Rule 16.2, rulings R18, R51.
    fn victory_check<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) -> bool {
        let points = Faction::ALL.map(|faction| self.points(state, faction, true));
        let enough = |faction: &Faction| points[faction.index()].total() >= TO_WIN;
        let parties = Faction::ALL.into_iter().filter(enough).fold(Parties::NONE, Parties::with);
        for faction in Faction::ALL {
            let seat = self.seat_of(faction);
            sink.emit_to(Audience::Only(seat), || GameEvent::Standing {
                faction,
                points: points[faction.index()],
            });
            sink.emit_to(Audience::Except(seat), || GameEvent::Standing {
                faction,
                points: self.public_points(state, faction),
            });
        }
        if parties.is_empty() {
            return false;
        }
        let best = Self::best(parties, &points);
        let verdict = match best.count() {
            1 => best.factions().next().map_or(Verdict::Shared(best), Verdict::Economic),
            _ => Verdict::Shared(best),
        };
        self.finish_game(state, verdict, &points, sink);
        true
    }

    /// Those with most VP, then most Production, then most chits. Ruling R18.
    fn best(among: Parties, points: &[Points; 3]) -> Parties {
        let key = |faction: Faction| {
            let own = points[faction.index()];
            (own.total(), own.level, own.chits)
        };
        let top = among.factions().map(key).max();
        among.factions().filter(|faction| Some(key(*faction)) == top).fold(Parties::NONE, Parties::with)
    }

    /// After Winter 1945: most VP, without blockade. Rule 16.5, rulings R18, R84.
    fn hegemony<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.snapshot(state);
        let points = Faction::ALL.map(|faction| self.points(state, faction, false));
        let all = Faction::ALL.into_iter().fold(Parties::NONE, Parties::with);
        let best = Self::best(all, &points);
        let verdict = match best.count() {
            1 => best.factions().next().map_or(Verdict::Shared(best), Verdict::Hegemony),
            _ => Verdict::Shared(best),
        };
        self.finish_game(state, verdict, &points, sink);
    }

    /// The game is over: everything is laid open.
    pub(crate) fn finish_game<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        verdict: Verdict,
        points: &[Points; 3],
        sink: &mut S,
    ) {
        state.verdict = Some(verdict);
        state.stage = Stage::Over;
        sink.emit(|| GameEvent::Ended { verdict, points: *points });
    }

    /// A victory by force or by the bomb.
    pub(crate) fn win<S: EventSink<GameEvent>>(&self, state: &mut State, verdict: Verdict, sink: &mut S) {
        let points = Faction::ALL.map(|faction| self.points(state, faction, true));
        self.finish_game(state, verdict, &points, sink);
    }

    /// Peace Dividends, from a Faction on. Rule 7.13, rulings R24, R52.
    pub(crate) fn peace_dividends<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        from: usize,
        sink: &mut S,
    ) {
        for faction in Faction::ALL.into_iter().skip(from) {
            let count = if self.before_short_game(state) {
                self.world.forces.short[faction.index()].chits
            } else {
                let own = state.of(faction);
                u8::from(state.year == FIRST || !(own.at_war() || own.fought))
            };
            if count > 0 && state.cup.iter().any(|left| *left > 0) {
                state.stage = Stage::Chit(faction, count);
                return;
            }
            sink.emit(|| GameEvent::NoChit { faction });
        }
        if self.before_short_game(state) {
            self.begin_year(state, sink);
            return;
        }
        for faction in Faction::ALL {
            let own = state.of_mut(faction);
            (own.fought, own.raises) = (false, 0);
        }
        state.stage = Stage::TurnOrder;
    }

    /// A chit is drawn; only its owner sees its value.
    pub(crate) fn chit_drawn<S: EventSink<GameEvent>>(&self, state: &mut State, value: u8, sink: &mut S) {
        let Stage::Chit(faction, left) = state.stage else { return };
        state.cup[usize::from(value)] -= 1;
        state.of_mut(faction).chits[usize::from(value)] += 1;
        let seat = self.seat_of(faction);
        sink.emit_to(Audience::Only(seat), || GameEvent::Chit { faction, value: Some(value) });
        sink.emit_to(Audience::Except(seat), || GameEvent::Chit { faction, value: None });
        if left > 1 && state.cup.iter().any(|left| *left > 0) {
            state.stage = Stage::Chit(faction, left - 1);
        } else {
            self.peace_dividends(state, faction.index() + 1, sink);
        }
    }

    /// The Turn Order of the year. Rule 7.14.
    pub(crate) fn turn_order_rolled<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        die: u8,
        sink: &mut S,
    ) {
        state.order = TURN_ORDERS[usize::from(die.clamp(1, 6)) - 1];
        state.at = 0;
        sink.emit(|| GameEvent::Order { die, order: state.order });
        // Only now: a draw before it would be seen at once where nothing else is decided in a year.
        self.open_stacks(state);
        if self.before_short_game(state) {
            self.short_growth(state, sink);
        } else if self.settings.two_players {
            state.stage = Stage::ActiveAlly;
        } else {
            self.begin_production(state, sink);
        }
    }

    // --- cards -------------------------------------------------------------------------------------

    /// The Faction and deck of the next card that is due.
    pub(crate) fn next_due(state: &State) -> Option<(Faction, Deck)> {
        let faction = Faction::ALL.into_iter().find(|faction| state.of(*faction).due != [0; 2])?;
        let deck = Deck::ALL.into_iter().find(|deck| state.of(faction).due[*deck as usize] > 0)?;
        Some((faction, deck))
    }

    /// Draws the cards that are due, then goes on. Rules 7.24, 15.41; ruling R6.
    pub(crate) fn draw_due<S: EventSink<GameEvent>>(&self, state: &mut State, after: After, sink: &mut S) {
        while let Some((faction, deck)) = Self::next_due(state) {
            let at = deck as usize;
            if state.deck[at] == 0 && state.discard[at] != 0 {
                state.deck[at] = std::mem::take(&mut state.discard[at]);
                sink.emit(|| GameEvent::Reshuffled { deck });
            }
            if state.deck[at] != 0 {
                state.stage = Stage::Draw(after);
                return;
            }
            state.of_mut(faction).due[at] = 0;
        }
        self.go_on(state, after, sink);
    }

    /// A card is drawn; only its owner sees it.
    pub(crate) fn card_drawn<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        card: crate::cards::Card,
        after: After,
        sink: &mut S,
    ) {
        let Some((faction, deck)) = Self::next_due(state) else { return };
        let at = deck as usize;
        state.deck[at] &= !card.bit();
        let to_stack = self.draws_to_stack(state, faction, after);
        let own = state.of_mut(faction);
        own.due[at] -= 1;
        if to_stack {
            own.stack[at] |= card.bit();
            sink.emit(|| GameEvent::Drawn { faction, deck, card: None });
        } else {
            own.hand[at] |= card.bit();
            let seat = self.seat_of(faction);
            sink.emit_to(Audience::Only(seat), || GameEvent::Drawn { faction, deck, card: Some(card) });
            sink.emit_to(Audience::Except(seat), || GameEvent::Drawn { faction, deck, card: None });
        }
        self.draw_due(state, after, sink);
    }

    /// Where the game goes on after forced work.
    pub(crate) fn go_on<S: EventSink<GameEvent>>(&self, state: &mut State, after: After, sink: &mut S) {
        match after {
            After::SetUp => self.begin_year(state, sink),
            After::ShortStart => self.short_plays(state, sink),
            After::ShortPlays => self.peace_dividends(state, 0, sink),
            After::Production => self.next_production(state, sink),
            After::Government => self.next_government(state, sink),
            After::HandSize => self.begin_hand_size(state, sink),
            After::Movement => self.resume_movement(state, sink),
            After::Intervention => state.stage = Stage::Movement,
        }
    }

    /// Whether all four stages of Atomic Research are there, in the vault or revealed. Rule 9.4.
    pub(crate) fn has_bomb(state: &State, faction: Faction) -> bool {
        let own = state.of(faction);
        let techs = own.techs | own.secret_techs();
        let stages = [Tech::Atomic1, Tech::Atomic2, Tech::Atomic3, Tech::Atomic4];
        stages.iter().all(|stage| techs & stage.bit() != 0)
    }
}
