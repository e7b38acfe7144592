//! What may be chosen now, and why the rest may not: one set of predicates for both. Rules 2.5, 3.3.4, 8.

use kernel::Refusal;

use crate::choice::{Choice, MAX_OPTIONS};
use crate::ids::{Region, Regions, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::tide::track_bit;
use crate::windows::Windows;

/// Why a choice is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// Nothing of this kind is asked at this moment.
    NotAsked,
    /// The game is over.
    Over,
    /// The die has six faces.
    NoSuchFace,
    /// The front is at the end of its track.
    TrackEnds,
    /// Attacked twice this turn.
    Twice,
    /// The box names other regions.
    NotListed,
    /// The mark would be ignored.
    Ignored,
    /// Free attacks can't be spent on marks.
    AttacksOnly,
    /// The region can't advance, or has already.
    NoAdvance,
    /// There are fewer options.
    NoSuchOption,
    /// No Tide of War use is left.
    NoTow,
    /// The region's Tide of War box is marked.
    BoxMarked,
    /// The region does not list the track.
    WrongBox,
    /// The shift would not change this roll.
    NoEffect,
    /// Another region is under attack.
    OtherRegion,
    /// No attack was just rolled that could be rolled again.
    NoReroll,
    /// The human is asked about the Tide of War anyway.
    AskedAnyway,
}

impl Rules {
    /// Why a choice is closed; `None` if it is open.
    pub fn bar(&self, state: &State, choice: Choice) -> Option<Bar> {
        if state.phase.is_over() {
            return Some(Bar::Over);
        }
        match choice {
            Choice::Die(face) => self.bar_die(state, face),
            Choice::Attack(region) => self.bar_attack(state, region),
            Choice::Shift(track) => self.bar_mark(state, track),
            Choice::Pass => {
                (!matches!(state.phase, Phase::Action | Phase::FreeAttack)).then_some(Bar::NotAsked)
            }
            Choice::Advance(region) => match state.phase {
                Phase::PickAdvance => (!state.candidates.has(region)).then_some(Bar::NoAdvance),
                _ => Some(Bar::NotAsked),
            },
            Choice::Option(number) => match state.phase {
                Phase::PickOption => {
                    (!(1..=self.option_count(state)).contains(&number)).then_some(Bar::NoSuchOption)
                }
                _ => Some(Bar::NotAsked),
            },
            Choice::TowReroll(region) => match state.phase {
                Phase::AfterAttack if region != state.region => Some(Bar::OtherRegion),
                Phase::AfterAttack => state.tow_used.has(region).then_some(Bar::BoxMarked),
                _ if state.tow_left == 0 => Some(Bar::NoTow),
                _ if state.tow_used.has(region) => Some(Bar::BoxMarked),
                _ => Some(Bar::NoReroll),
            },
            Choice::TowShift(region, track) => self.bar_tow_shift(state, region, track),
            Choice::Request => match state.phase {
                _ if state.tow_left == 0 => Some(Bar::NoTow),
                _ if self.listens(state) => Some(Bar::AskedAnyway),
                Phase::Action | Phase::FreeAttack => None,
                _ => Some(Bar::NotAsked),
            },
            Choice::No => (!state.phase.is_window()).then_some(Bar::NotAsked),
        }
    }

    fn bar_die(&self, state: &State, face: u8) -> Option<Bar> {
        if !state.phase.is_fate() {
            return Some(Bar::NotAsked);
        }
        (!(1..=6).contains(&face)).then_some(Bar::NoSuchFace)
    }

    /// Rules 2.3.3, 3.3.4.
    #[inline]
    fn bar_attack(&self, state: &State, region: Region) -> Option<Bar> {
        if !matches!(state.phase, Phase::Action | Phase::FreeAttack) {
            return Some(Bar::NotAsked);
        }
        if !self.attack_order(state).2.has(region) {
            return Some(Bar::NotListed);
        }
        if self.open_attacks(state).has(region) {
            return None;
        }
        Some(if self.has_target(state, self.human, region) { Bar::Twice } else { Bar::TrackEnds })
    }

    /// Rules 2.2, 3.3.3.
    #[inline]
    fn bar_mark(&self, state: &State, track: Track) -> Option<Bar> {
        match state.phase {
            Phase::Action => self.mark_is_ignored(state, self.human, track).then_some(Bar::Ignored),
            Phase::FreeAttack => Some(Bar::AttacksOnly),
            _ => Some(Bar::NotAsked),
        }
    }

    /// Rule 2.5.
    fn bar_tow_shift(&self, state: &State, region: Region, track: Track) -> Option<Bar> {
        let asked = matches!(state.phase, Phase::Action | Phase::FreeAttack) || state.phase.is_window();
        if !asked || (state.phase == Phase::AfterAttack && self.windows != Windows::V3) {
            return Some(Bar::NotAsked);
        }
        if !self.track_regions[track.index()].has(region) {
            return Some(Bar::WrongBox);
        }
        if state.tow_left == 0 {
            return Some(Bar::NoTow);
        }
        if state.tow_used.has(region) {
            return Some(Bar::BoxMarked);
        }
        if self.mark_is_ignored(state, self.human, track) {
            return Some(Bar::Ignored);
        }
        (!self.allows_shift(state, region, track)).then_some(Bar::NoEffect)
    }

    /// How many options the `Choose` in hand has.
    pub(crate) fn option_count(&self, state: &State) -> u8 {
        match *self.op(state) {
            Op::Choose(_, count) => count,
            _ => 0,
        }
    }

    /// Adds everything that is open, in a stable order.
    #[inline]
    pub fn list(&self, state: &State, out: &mut Vec<Choice>) {
        match state.phase {
            Phase::Action | Phase::FreeAttack => {
                let attacks = self.open_attacks(state).0 & self.attack_order(state).2.0;
                let marks = if state.phase == Phase::Action { self.open_marks(state) } else { 0 };
                let open = usize::from(attacks) | usize::from(marks) << 6;
                // A copy of fixed length, cut to size: nothing here depends on what is open.
                let kept = out.len() + open.count_ones() as usize;
                out.extend_from_slice(&SPENDINGS[open & 511]);
                out.truncate(kept + 1);
                if state.tow_left > 0 {
                    out.truncate(kept);
                    self.list_tow_shifts(state, out);
                    if self.may_request(state) {
                        out.push(Choice::Request);
                    }
                    out.push(Choice::Pass);
                }
            }
            Phase::AfterAttack => {
                if !state.tow_used.has(state.region) {
                    out.push(Choice::TowReroll(state.region));
                }
                self.list_turning_shifts(state, out);
                out.push(Choice::No);
            }
            Phase::AfterConflict | Phase::BeforeTest | Phase::BeforePick => {
                self.list_turning_shifts(state, out);
                out.push(Choice::No);
            }
            phase if phase.is_window() => {
                self.list_tow_shifts(state, out);
                out.push(Choice::No);
            }
            Phase::PickAdvance => out.extend(state.candidates.iter().map(Choice::Advance)),
            Phase::PickOption => out.extend((1..=self.option_count(state)).map(Choice::Option)),
            Phase::Over | Phase::Halted => {}
            _ => out.extend((1..=6).map(Choice::Die)),
        }
    }

    /// The shifts of a late window: those on the shortest way to turn what it is about.
    #[inline(never)]
    fn list_turning_shifts(&self, state: &State, out: &mut Vec<Choice>) {
        if self.windows == Windows::V3 && self.shifts_to_turn(state).is_some() {
            let first = out.len();
            self.list_shifts(state, self.open_shifts(state), out);
            let mut at = first;
            while let Some(&Choice::TowShift(region, track)) = out.get(at) {
                if self.shift_turns(state, region, track) {
                    at += 1;
                } else {
                    out.remove(at);
                }
            }
        }
    }

    fn list_tow_shifts(&self, state: &State, out: &mut Vec<Choice>) {
        self.list_shifts(state, self.shifts_allowed(state), out);
    }

    fn list_shifts(&self, state: &State, tracks: u8, out: &mut Vec<Choice>) {
        if tracks == 0 {
            return;
        }
        for track in Track::ALL.into_iter().filter(|&track| tracks & track_bit(track) != 0) {
            let mut free = self.track_regions[track.index()].0 & !state.tow_used.0;
            while free != 0 {
                out.push(Choice::TowShift(Region::ALL[free.trailing_zeros() as usize % 6], track));
                free &= free - 1;
            }
        }
    }

    /// The reason why a choice is illegal.
    pub fn refusal(&self, state: &State, choice: Choice) -> Option<Refusal> {
        let bar = self.bar(state, choice)?;
        let human = self.human;
        let (reason, rule) = match (bar, choice) {
            (Bar::Over, _) => ("the game is over".to_owned(), "5.0"),
            (Bar::NoSuchFace, _) => ("a die shows 1 to 6".to_owned(), "1.0"),
            (Bar::TrackEnds, Choice::Attack(region)) => {
                let space = &self.book.regions[region.index()].spaces[usize::from(state.at(region))];
                (format!("{region} is already at {space}, the end of its track"), "2.3.3")
            }
            (Bar::Twice, Choice::Attack(region)) => {
                (format!("{region} has been attacked twice this turn"), "3.3.4")
            }
            (Bar::NotListed, Choice::Attack(_)) => {
                let listed: Vec<&str> = self.attack_order(state).2.iter().map(Region::code).collect();
                (format!("the box allows attacks on {} only", listed.join(", ")), "3.3.3")
            }
            (Bar::Ignored, Choice::Shift(track) | Choice::TowShift(_, track)) => {
                let why = match track {
                    Track::Usa => format!("the USA track is at its limit for the {human}"),
                    _ => format!("the {human} already lead {track}, so another mark would be ignored"),
                };
                (why, if matches!(choice, Choice::Shift(_)) { "2.2" } else { "2.5.1" })
            }
            (Bar::AttacksOnly, _) => {
                ("Attacks are not Actions: they can't be spent on a mark".to_owned(), "3.3.3")
            }
            (Bar::NoAdvance, Choice::Advance(region)) => {
                let why = if self.advance_list(state).has(region) {
                    format!(
                        "{region} has already advanced, or its next space is a capital or beyond the limit"
                    )
                } else {
                    format!("{region} is not among the regions to choose from")
                };
                (why, self.rule_in_hand(state))
            }
            (Bar::NoSuchOption, _) => (format!("there are {} options", self.option_count(state)), "7.3"),
            (Bar::NoTow, _) => ("no Tide of War is left".to_owned(), "2.5.1"),
            (Bar::NoReroll, _) => {
                let why = "you can only reroll the attack just rolled, and only your own failure or the bot's success";
                (why.to_owned(), "2.5.5")
            }
            (Bar::BoxMarked, Choice::TowShift(region, _) | Choice::TowReroll(region)) => {
                (format!("the Tide of War box of {region} is already marked"), "2.5.1")
            }
            (Bar::WrongBox, Choice::TowShift(region, track)) => {
                (format!("{region} does not list {track} in its DRM column"), "2.5.1")
            }
            (Bar::NoEffect, Choice::TowShift(region, track)) => match state.phase {
                Phase::BeforeAttack | Phase::BeforeConflict => {
                    (format!("a shift of {track} would not change this roll"), "2.5.3")
                }
                _ => {
                    let why = format!("a shift of {track} by the box of {region} would not turn this");
                    (why, self.rule_in_hand(state))
                }
            },
            (Bar::AskedAnyway, _) => {
                ("you are already being asked about the Tide of War".to_owned(), "2.5.8")
            }
            (Bar::OtherRegion, _) => (format!("the attack just rolled was on {}", state.region), "2.5.5"),
            _ => (format!("now you must {}", self.asked_for(state)), self.rule_in_hand(state)),
        };
        Some(Refusal { reason, rule })
    }

    /// What is asked for, as the end of "now you must …".
    fn asked_for(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Action => "spend an Action or pass",
            Phase::FreeAttack => "make an attack or pass",
            Phase::PickAdvance => "pick a region to advance in",
            Phase::PickOption => "choose an option of the box",
            Phase::AfterAttack => "use the Tide of War or keep the roll",
            phase if phase.is_window() => "use the Tide of War or say no",
            _ => "roll the die",
        }
    }

    /// Every choice that can be named.
    pub fn vocabulary(&self, out: &mut Vec<Choice>) {
        out.extend((0..=7).map(Choice::Die));
        out.extend(Region::ALL.map(Choice::Attack));
        out.extend(Track::ALL.map(Choice::Shift));
        out.extend(Region::ALL.map(Choice::Advance));
        out.extend((0..=MAX_OPTIONS).map(Choice::Option));
        out.extend(Region::ALL.map(Choice::TowReroll));
        for region in Region::ALL {
            out.extend(Track::ALL.map(|track| Choice::TowShift(region, track)));
        }
        out.extend([Choice::Pass, Choice::Request, Choice::No]);
    }

    /// What a person would look for at this decision and can't have.
    pub fn closed(&self, state: &State, out: &mut Vec<Choice>) {
        let mut looked_for = Vec::new();
        match state.phase {
            Phase::Action | Phase::FreeAttack => {
                looked_for.extend(Region::ALL.map(Choice::Attack));
                looked_for.extend(Track::ALL.map(Choice::Shift));
            }
            Phase::PickAdvance => {
                let listed = self.advance_list(state);
                looked_for.extend(listed.iter().map(Choice::Advance));
            }
            _ => {}
        }
        let late = state.phase == Phase::AfterAttack || state.phase.is_late();
        let shifts =
            if late { self.shifts_to_turn(state).is_some() } else { self.shifts_allowed(state) != 0 };
        if state.tow_left > 0 && shifts {
            for region in Region::ALL {
                let listed = |track: &Track| self.track_regions[track.index()].has(region);
                let shifts = Track::ALL.into_iter().filter(listed);
                looked_for.extend(shifts.map(|track| Choice::TowShift(region, track)));
            }
        }
        out.extend(looked_for.into_iter().filter(|&choice| self.bar(state, choice).is_some()));
    }

    /// The regions that the advance in hand is about.
    fn advance_list(&self, state: &State) -> Regions {
        match *self.op(state) {
            Op::AdvanceOf(_, _, list) => self.program.lists[list as usize].iter().copied().collect(),
            Op::Major(conflict) => self.book.conflicts[conflict.index()].regions.iter().copied().collect(),
            _ => Regions::NONE,
        }
    }
}

/// What an Action can be spent on, for each set of open attacks (bits 0 to 5) and marks (bits 6 to 8): the open ones
/// in order, then passes.
static SPENDINGS: [[Choice; 10]; 512] = {
    let mut spendings = [[Choice::Pass; 10]; 512];
    let mut open = 0;
    while open < 512 {
        let mut at = 0;
        let mut bit = 0;
        while bit < 9 {
            if open >> bit & 1 != 0 {
                spendings[open][at] = if bit < 6 {
                    Choice::Attack(Region::ALL[bit])
                } else {
                    Choice::Shift(Track::ALL[bit - 6])
                };
                at += 1;
            }
            bit += 1;
        }
        open += 1;
    }
    spendings
};
