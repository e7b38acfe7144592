//! Somebody who listens to a war and holds what is told against the rulebook, with tables of their own.

use std::collections::HashSet;

use echoes::book::Verdict;
use echoes::ids::{Conflict, Region, Side, Track};
use echoes::{AttackRoll, Choice, Echoes, GameEvent, State};
use kernel::{Actor, Game, Recorder};

/// Which space of a region is a capital of the enemy of `side`. Rule 2.3.
fn is_enemy_capital(side: Side, region: Region, space: u8) -> bool {
    match side {
        Side::Allies => space == 5 && region != Region::Chn,
        Side::Axis => space == 0 && matches!(region, Region::Wf | Region::Ef | Region::Pac),
    }
}

/// What an attack needs in the plain game, by side and region, 1940-42 and 1943+. Rule 2.3.
const STRENGTHS: [[[u8; 2]; 6]; 2] =
    [[[5, 4], [5, 3], [5, 4], [5, 5], [5, 4], [5, 4]], [[3, 5], [3, 5], [4, 5], [4, 4], [3, 5], [3, 5]]];
/// Victory points of the plain game. Rule 2.3.
const POINTS: [&[u8]; 6] = [
    &[0, 1, 2, 3, 5, 8],
    &[0, 1, 2, 3, 5, 8],
    &[0, 1, 2, 3, 4, 6],
    &[0, 1, 2, 4],
    &[0, 1, 2, 3, 5, 8],
    &[0, 1, 2, 3, 4, 6],
];

/// What has been told of a war so far.
pub struct Witness {
    human: Side,
    /// Whether strengths and points are those of the plain game.
    plain: bool,
    turn: Option<u8>,
    fronts: [u8; 6],
    tracks: [i8; 3],
    /// The die of the Allies in a Major Conflict, until it is told.
    held_die: Option<u8>,
    last_roll: Option<AttackRoll>,
    attacks: [u8; 6],
    events: u32,
    open_event: Option<u8>,
    tides: HashSet<Region>,
    tides_left: u8,
    over: Option<(Verdict, u8)>,
}

impl Witness {
    /// Somebody who has seen the opening position.
    pub fn new(game: &Echoes, plain: bool) -> Self {
        let start = game.start();
        Self {
            human: game.rules().human,
            plain,
            turn: None,
            fronts: Region::ALL.map(|region| start.at(region)),
            tracks: Track::ALL.map(|track| start.track(track)),
            held_die: None,
            last_roll: None,
            attacks: [0; 6],
            events: start.events,
            open_event: None,
            tides: start.tow_used.iter().collect(),
            tides_left: start.tow_left,
            over: None,
        }
    }

    /// How the war ended, if it has been told.
    pub fn verdict(&self) -> Option<Verdict> {
        self.over.map(|(verdict, _)| verdict)
    }

    /// A step of the game: what was chosen, what was told of it, and where that led.
    pub fn step(
        &mut self,
        actor: Actor,
        choice: Choice,
        recorder: &Recorder<GameEvent>,
        before: &State,
        after: &State,
    ) -> Result<(), String> {
        if actor == Actor::Fate {
            if before == after {
                return Err("a die was rolled for nothing".to_owned());
            }
            self.die(choice, recorder)?;
        }
        for (_, game_event) in &recorder.events {
            self.check(*game_event).map_err(|why| format!("{game_event:?}: {why}"))?;
        }
        for region in Region::ALL {
            if after.at(region) != self.fronts[region.index()] {
                return Err(format!("{region} moved to {} without a word", after.at(region)));
            }
        }
        for track in Track::ALL {
            if after.track(track) != self.tracks[track.index()] {
                return Err(format!("{track} moved to {} without a word", after.track(track)));
            }
        }
        if after.events != self.events {
            return Err(format!("event squares {:b}, told {:b}", after.events, self.events));
        }
        if after.tow_left != self.tides_left || after.tow_used.iter().collect::<HashSet<_>>() != self.tides {
            return Err(format!("Tide of War {}, {:?}", after.tow_left, after.tow_used));
        }
        if after.verdict != self.verdict() {
            return Err(format!("verdict {:?}, told {:?}", after.verdict, self.over));
        }
        Ok(())
    }

    /// Every die is told: at once, or (the Allied die of a Major Conflict) with the next one.
    fn die(&mut self, choice: Choice, recorder: &Recorder<GameEvent>) -> Result<(), String> {
        let Choice::Die(face @ 1..=6) = choice else { return Err(format!("Fate chose {choice:?}")) };
        let dice: Vec<u8> = recorder
            .events
            .iter()
            .flat_map(|(_, game_event)| match *game_event {
                GameEvent::ChartRolled { die, .. }
                | GameEvent::BoxOpened { die, .. }
                | GameEvent::BranchRolled { die }
                | GameEvent::ConfidenceRolled { die, .. } => vec![die],
                GameEvent::AttackRolled(roll) => vec![roll.die],
                GameEvent::ConflictRolled { allies, axis, .. } => vec![allies, axis],
                _ => Vec::new(),
            })
            .collect();
        let mut expected: Vec<u8> = self.held_die.take().into_iter().collect();
        expected.push(face);
        if dice.is_empty() && expected.len() == 1 {
            self.held_die = Some(face);
        } else if dice != expected {
            return Err(format!("dice {expected:?} were rolled, {dice:?} were told"));
        }
        Ok(())
    }

    fn check(&mut self, game_event: GameEvent) -> Result<(), String> {
        if self.over.is_some() {
            return Err("the game is over".to_owned());
        }
        match game_event {
            GameEvent::TurnStarted { turn } => {
                if self.turn.is_some_and(|before| before + 1 != turn) || turn > 20 {
                    return Err(format!("after turn {:?}", self.turn));
                }
                if self.open_event.is_some() {
                    return Err("the event of the turn before was never marked".to_owned());
                }
                self.turn = Some(turn);
                self.attacks = [0; 6];
            }
            GameEvent::BoxOpened { number, event, .. } => {
                if event && self.events >> number & 1 != 0 {
                    return Err("the square of this event is marked".to_owned());
                }
                self.open_event = event.then_some(number);
            }
            GameEvent::EventMarked { number } => {
                if self.open_event.take() != Some(number) {
                    return Err("another event was open".to_owned());
                }
                self.events |= 1 << number;
            }
            GameEvent::AttackRolled(roll) => self.attack(roll)?,
            GameEvent::AttackTurned(roll) => {
                let rolled = self.last_roll.ok_or("no attack was rolled")?;
                if (rolled.side, rolled.region, rolled.die) != (roll.side, roll.region, roll.die) {
                    return Err(format!("after {rolled:?}"));
                }
                if rolled.wins() == roll.wins() || roll.wins() != (roll.side == self.human) {
                    return Err("it was not turned the human's way".to_owned());
                }
                self.arithmetic(roll)?;
            }
            GameEvent::ConflictTurned { conflict, lead, .. } => {
                let track =
                    self.tracks[if conflict == Conflict::Europe { Track::Emt } else { Track::Pmt }.index()];
                if lead.map_or(0, Side::sign) != track {
                    return Err(format!("tracks {:?}", self.tracks));
                }
            }
            GameEvent::Captured { side, region, to } => {
                let roll = self.last_roll.take().ok_or("no attack was rolled")?;
                if (roll.side, roll.region) != (side, region) || roll.total() < roll.need as i8 {
                    return Err(format!("won by {roll:?}"));
                }
                if is_enemy_capital(side, region, to) && roll.total() < 6 {
                    return Err(format!("a capital fell to {}", roll.total()));
                }
                self.front(side, region, to)?;
            }
            GameEvent::Advanced { side, region, to } => {
                if is_enemy_capital(side, region, to) {
                    return Err("an advance entered a capital".to_owned());
                }
                self.front(side, region, to)?;
            }
            GameEvent::Marked { track, value, .. } => self.tracks[track.index()] = value,
            GameEvent::TowShifted { region, track, value, left } => {
                self.tide(region, left)?;
                self.tracks[track.index()] = value;
            }
            GameEvent::TowReroll { region, side, left } => {
                let roll = self.last_roll.ok_or("no attack was rolled")?;
                if roll.reroll || (roll.side, roll.region) != (side, region) {
                    return Err(format!("after {roll:?}"));
                }
                if roll.wins() == (side == self.human) {
                    return Err("nobody rerolls good luck".to_owned());
                }
                self.tide(region, left)?;
            }
            GameEvent::TowAllowance { left } => {
                if left.abs_diff(self.tides_left) > 1 {
                    return Err(format!("there were {}", self.tides_left));
                }
                self.tides_left = left;
            }
            GameEvent::GameOver { verdict, vp } => {
                self.over = Some((verdict, vp));
                if self.plain {
                    self.judge(verdict, vp)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// One step of a front in the direction of the side, never past the ends of the track.
    fn front(&mut self, side: Side, region: Region, to: u8) -> Result<(), String> {
        let front = &mut self.fronts[region.index()];
        let next = front.checked_add_signed(side.sign());
        if next != Some(to) || to > if region == Region::Chn { 3 } else { 5 } {
            return Err(format!("from {front}"));
        }
        *front = to;
        Ok(())
    }

    /// A use of the Tide of War: one less, in a region that had none.
    fn tide(&mut self, region: Region, left: u8) -> Result<(), String> {
        if self.tides_left.checked_sub(1) != Some(left) {
            return Err(format!("there were {}", self.tides_left));
        }
        self.tides_left = left;
        if self.tides.insert(region) { Ok(()) } else { Err("its box was marked already".to_owned()) }
    }

    /// An attack: no more than two by the human in a region. Rule 3.3.4.
    fn attack(&mut self, roll: AttackRoll) -> Result<(), String> {
        let at = roll.region.index();
        if roll.side == self.human && !roll.reroll {
            self.attacks[at] += 1;
            if self.attacks[at] > 2 {
                return Err("a third attack in one turn".to_owned());
            }
        }
        self.arithmetic(roll)
    }

    /// Whether the sum of a roll is right as the tracks stand, and what it needs. Rule 2.3.3.
    fn arithmetic(&mut self, roll: AttackRoll) -> Result<(), String> {
        let at = roll.region.index();
        let target = self.fronts[at].checked_add_signed(roll.side.sign()).ok_or("beyond the track")?;
        let capital = is_enemy_capital(roll.side, roll.region, target);
        if capital != roll.capital || (capital && roll.need != 6) {
            return Err(format!("the target is {target}, a capital: {capital}"));
        }
        let main = self.tracks[roll.region.main_track().index()];
        let usa = roll.side == Side::Allies
            && matches!(roll.region, Region::Wf | Region::Sf)
            && self.tracks[Track::Usa.index()] == 3;
        if (roll.lead, roll.usa) != (i8::from(main == roll.side.sign()), i8::from(usa)) {
            return Err(format!("tracks {:?}", self.tracks));
        }
        let column = usize::from(self.turn.is_some_and(|turn| turn >= 11));
        if self.plain && !capital && roll.need != STRENGTHS[roll.side.index()][at][column] {
            return Err("another strength is printed".to_owned());
        }
        self.last_roll = Some(roll);
        Ok(())
    }

    /// The end of a plain game. Rules 3.5, 5.1, 5.2.
    fn judge(&self, verdict: Verdict, vp: u8) -> Result<(), String> {
        let at = |region: Region| self.fronts[region.index()];
        let points: u8 = Region::ALL.iter().map(|r| POINTS[r.index()][usize::from(at(*r))]).sum();
        let lost = [Region::Wf, Region::Ef, Region::Pac].into_iter().filter(|r| at(*r) == 0).count();
        let berlin = [Region::Wf, Region::Ef, Region::Sf].into_iter().filter(|r| at(*r) == 5).count();
        let japan = at(Region::Pac) == 5 && at(Region::Isl) == 5;
        let turn = self.turn.unwrap_or_default();
        let axis_edition = self.human == Side::Axis;
        let expected = if lost == 3 {
            Verdict::AxisImmediate
        } else if berlin >= 2 && japan {
            Verdict::AlliedImmediate
        } else if turn < 20 {
            if ![6, 10, 14, 18].contains(&turn) {
                return Err(format!("the war ends on turn {turn}"));
            }
            Verdict::ConfidenceFailure
        } else {
            match (points, lost > 0, axis_edition) {
                (28.., _, _) => Verdict::AlliedMajor,
                (25..=27, false, _) => Verdict::AlliedMinor,
                (25..=27, true, _) | (22..=24, false, _) => Verdict::Draw,
                (0..=17, _, true) => Verdict::AxisMajor,
                (_, _, true) => Verdict::AxisMinor,
                (_, _, false) => Verdict::Axis,
            }
        };
        if (verdict, vp) != (expected, points) {
            return Err(format!("expected {expected:?} at {points} points"));
        }
        Ok(())
    }
}
