//! Prompts and labels.

use std::fmt::Write as _;

use kernel::Prompt;

use crate::book::Verdict;
use crate::box_language::folded;
use crate::choice::Choice;
use crate::ids::{Region, Side, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::windows::Windows;

impl Rules {
    /// The rule behind the decision or draw in hand.
    pub(crate) fn rule_in_hand(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Chart => "3.1",
            Phase::BoxDie => "3.2",
            Phase::Opened => "2.5.2",
            Phase::BeforeAttack | Phase::BeforeConflict => "2.5.3",
            Phase::AttackDie | Phase::RerollDie => "2.3.3",
            Phase::AfterAttack | Phase::AfterConflict => "2.5.5",
            Phase::BeforeTest | Phase::BeforePick | Phase::BeforeLoss => "2.5.7",
            Phase::Action | Phase::FreeAttack => "3.3.3",
            Phase::PickAdvance => match *self.op(state) {
                Op::Major(_) => "3.4.3",
                _ => "3.3.3",
            },
            Phase::PickOption | Phase::BranchDie => "7.3",
            Phase::ConflictAllies | Phase::ConflictAxis => "3.4.1",
            Phase::ConfidenceDie => "3.5",
            Phase::Over | Phase::Halted => "5.0",
        }
    }

    /// What is asked now.
    pub fn prompt(&self, state: &State) -> Prompt {
        let human = self.human;
        let (text, waiting) = match state.phase {
            Phase::Opened => {
                let text = format!(
                    "{}: shift a track with the Tide of War before it is resolved? ({} left)",
                    self.box_title(state.in_box),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about the Tide of War"))
            }
            Phase::BeforeAttack => {
                let (side, modifier) = (state.attacker, state.modifier);
                let several =
                    if self.takes_several_shifts(state) { " More than one shift is needed." } else { "" };
                let text = format!(
                    "{side} attack on {}: {}. Shift a track first?{several} (Tide of War, {} left)",
                    state.region,
                    self.attack_words(state, side, state.region, modifier),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} before the roll"))
            }
            Phase::BeforeConflict => {
                let conflict = self.conflict_in_hand(state);
                let lead = match self.conflict_lead(state, conflict) {
                    Some(side) => format!("the {side} {} 1", side.verb("add", "adds")),
                    None => "nobody leads".to_owned(),
                };
                let text = format!(
                    "Major Conflict {conflict}, {lead}: shift {} first? (Tide of War, {} left)",
                    self.book.conflicts[conflict.index()].track,
                    state.tow_left
                );
                (text, format!("Waiting for the {human} before the Major Conflict"))
            }
            Phase::AfterAttack => {
                let roll = self.roll_in_hand(state, state.die);
                let whose =
                    if roll.side == self.human { "Your attack failed" } else { "The bot's attack succeeded" };
                let text = format!(
                    "{whose} ({}: {}, needed {}). {}? ({} left)",
                    roll.region,
                    roll.rolled(),
                    roll.need,
                    self.remedies(state),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about a reroll"))
            }
            Phase::AfterConflict => {
                let conflict = self.conflict_in_hand(state);
                let (allies, axis) = state.conflict_dice();
                let lead = self.conflict_lead(state, conflict);
                let text = format!(
                    "{}. {}? ({} left)",
                    self.conflict_sentence(conflict, allies, axis, lead),
                    self.remedies(state),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} after the Major Conflict"))
            }
            Phase::BeforeTest => {
                let now = if self.conditions_hold(state).0 { "holds" } else { "does not hold" };
                let text = format!(
                    "{}: the next condition {now}. {}? ({} left)",
                    self.box_title(state.in_box),
                    self.remedies(state),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about the Tide of War"))
            }
            Phase::BeforePick => {
                let (side, modifier, regions) = self.attack_order(state);
                let pick = self.best_attack(state, side, regions, modifier);
                let pick = pick.map_or("nowhere", Region::code);
                let text = format!(
                    "{side} {} going to attack {pick}, where the odds are best. {}? ({} left)",
                    side.verb("are", "is"),
                    self.remedies(state),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about the Tide of War"))
            }
            Phase::BeforeLoss => {
                let text = format!(
                    "{}: the Tide of War allowance is about to go down. Shift a track first? ({} left)",
                    self.box_title(state.in_box),
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about the Tide of War"))
            }
            Phase::Action => (
                format!("Spend an Action: {} left", state.left),
                format!("Waiting for the {human} to spend an Action"),
            ),
            Phase::FreeAttack => {
                let (_, modifier, _) = self.attack_order(state);
                let bonus = if modifier == 0 { String::new() } else { format!(" at {modifier:+}") };
                (
                    format!("Make an attack{bonus}: {} left", state.left),
                    format!("Waiting for the {human} to attack"),
                )
            }
            Phase::PickAdvance => (
                format!("Advance without a roll: pick {} region{}", state.left, plural(state.left)),
                format!("Waiting for the {human} to advance"),
            ),
            Phase::PickOption => (
                format!("{}: choose one", self.box_title(state.in_box)),
                format!("Waiting for the {human} to choose"),
            ),
            Phase::Over => {
                let verdict = state.verdict.map_or("", Verdict::title);
                (format!("The game is over: {verdict}"), format!("The game is over: {verdict}"))
            }
            Phase::Halted => ("Done".to_owned(), "Done".to_owned()),
            _ => {
                let purpose = self.draw_purpose(state);
                (purpose.clone(), purpose)
            }
        };
        Prompt { text, waiting, rule: self.rule_in_hand(state) }
    }

    /// "Reroll, or shift a track, with the Tide of War": what a late window offers.
    fn remedies(&self, state: &State) -> &'static str {
        let reroll = state.phase == Phase::AfterAttack && !state.tow_used.has(state.region);
        match (reroll, self.windows == Windows::V3, self.shifts_to_turn(state)) {
            (true, true, Some(1)) => "Reroll with the Tide of War, or change it by a shift",
            (true, true, Some(_)) => "Reroll with the Tide of War, or change it by more than one shift",
            (true, ..) => "Reroll with the Tide of War",
            (false, _, Some(1)) => "Change it by a Tide of War shift",
            (false, ..) => "Change it by more than one Tide of War shift",
        }
    }

    /// What the die is rolled for.
    fn draw_purpose(&self, state: &State) -> String {
        match state.phase {
            Phase::Chart => format!("Turn {}, {}: the Die Roll Chart", state.turn, self.year(state.turn)),
            Phase::BoxDie => {
                let table = state.in_box / 6;
                format!("box of table {} ({})", table + 1, self.book.tables[usize::from(table)].name)
            }
            Phase::AttackDie | Phase::RerollDie => {
                let (side, modifier) = (state.attacker, state.modifier);
                let again = if state.phase == Phase::RerollDie { ", reroll" } else { "" };
                let words = self.attack_words(state, side, state.region, modifier);
                format!("{side} attack on {}{again}: {words}", state.region)
            }
            Phase::BranchDie => format!("{}: Roll 1d6", self.box_title(state.in_box)),
            Phase::ConflictAllies => {
                format!("Major Conflict {}: Allied die", self.conflict_in_hand(state))
            }
            Phase::ConflictAxis => {
                format!("Major Conflict {}: Axis die (Allies {})", self.conflict_in_hand(state), state.die)
            }
            Phase::ConfidenceDie => {
                let lose = self.confidence[usize::from(state.turn)].map_or(0, |(_, lose)| lose);
                format!("Confidence Chart at {} VP: {} lose", self.vp(state), faces(lose))
            }
            _ => String::new(),
        }
    }

    /// `Table 1, box 4 "Atlantic Wall"` for people: the title.
    pub fn box_title(&self, number: u8) -> &str {
        let data =
            self.book.tables.get(usize::from(number / 6)).map(|table| &table.boxes[usize::from(number % 6)]);
        data.map_or("This box", |data| data.title.as_str())
    }

    /// Which part of a box is played, and why: "the Alternate, because 1943 is not in 1940-1941". Empty for a box without an
    /// event. Rule 3.3.1.
    pub fn part_played(&self, number: u8, event: bool, marked: bool, year: u16) -> String {
        let data = &self.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
        let Some(parsed) = &data.parsed.event else { return String::new() };
        if event {
            return "the Event".to_owned();
        }
        if marked {
            return "the Alternate, because the event has already been played".to_owned();
        }
        let (first, last) = (*parsed.years.start(), *parsed.years.end());
        let years = if first == last { first.to_string() } else { format!("{first}-{last}") };
        format!("the Alternate, because {year} is not in {years}")
    }

    /// The part of a box's text that is being resolved, white space folded. Rule 3.3.1.
    pub fn box_words(&self, number: u8, event: bool) -> String {
        let data = &self.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
        let words = folded(&data.text);
        if data.parsed.event.is_none() {
            return words;
        }
        let lower = words.to_ascii_lowercase();
        let alternate =
            ["alternate:", "alternate :"].iter().find_map(|mark| Some((lower.find(mark)?, mark.len())));
        let (at, length) = alternate.unwrap_or((words.len(), 0));
        if !event {
            return words[at + length..].trim().to_owned();
        }
        let first = words[..at].split_once(':').map_or("", |(_, first)| first);
        first.trim().to_owned()
    }

    /// "needs 5, +1 to the die (EMT): 3 in 6" for an attack.
    pub fn attack_words(&self, state: &State, side: Side, region: Region, modifier: i8) -> String {
        let roll = self.attack_roll(state, side, region, modifier, 0);
        let mut words = format!("needs {}", roll.need);
        if roll.capital {
            words.push_str(" (capital)");
        }
        let sources =
            [(roll.lead != 0, region.main_track().code()), (roll.usa != 0, "USA"), (modifier != 0, "box")];
        let sources: Vec<&str> =
            sources.into_iter().filter(|(adds, _)| *adds).map(|(_, name)| name).collect();
        if !sources.is_empty() {
            let total = roll.lead + roll.usa + roll.modifier;
            let _ = write!(words, ", {total:+} to the die ({})", sources.join(", "));
        }
        let _ = write!(words, ": {} in 6", self.winning_faces(state, side, region, modifier));
        words
    }

    /// The label of a choice, with what it means here.
    pub fn label(&self, state: &State, choice: Choice) -> String {
        let region_name = |region: Region| self.book.regions[region.index()].name.as_str();
        match choice {
            Choice::Die(face) => format!("The die shows {face}"),
            Choice::Attack(region) => {
                let (_, modifier, _) = self.attack_order(state);
                let target = match self.next_space(state, self.human, region) {
                    Some(space) => {
                        let data = &self.book.regions[region.index()];
                        format!(
                            "to {}, {}",
                            data.spaces[usize::from(space)],
                            self.vp_words(state, region, space)
                        )
                    }
                    None => "nothing to enter".to_owned(),
                };
                let words = self.attack_words(state, self.human, region, modifier);
                format!("Attack {} {target}: {words}", region_name(region))
            }
            Choice::Shift(track) => format!("Mark {track}: {}", self.shift_words(state, track)),
            Choice::Pass => format!("Pass: give up the remaining {}", state.left),
            Choice::Advance(region) => match self.next_space(state, self.human, region) {
                Some(space) => {
                    let data = &self.book.regions[region.index()];
                    let space_name = &data.spaces[usize::from(space)];
                    format!(
                        "Advance on {} to {space_name}, {}",
                        data.name,
                        self.vp_words(state, region, space)
                    )
                }
                None => format!("Advance on {}", region_name(region)),
            },
            Choice::Option(number) => match *self.op(state) {
                Op::Choose(base, count) if (1..=count).contains(&number) => {
                    self.program.option_words[base as usize + usize::from(number) - 1].clone()
                }
                _ => format!("Option {number}"),
            },
            Choice::TowReroll(region) => {
                let whom = if state.attacker == self.human { "Reroll it" } else { "Force a reroll" };
                format!("{whom} (marks the Tide of War box of {region})")
            }
            Choice::TowShift(region, track) => {
                format!("Tide of War box {region}: shift {}", self.shift_heading(state, track))
            }
            Choice::Request => "Ask me about the Tide of War, in this turn and the next".to_owned(),
            Choice::No => match state.phase {
                Phase::AfterAttack => "No: keep this roll".to_owned(),
                Phase::AfterConflict => "No: keep these dice".to_owned(),
                _ => "No: keep the Tide of War".to_owned(),
            },
        }
    }

    /// "EMT, even → Allies lead; total 5, needs 5: success": a Tide of War shift, whichever box pays.
    pub fn shift_heading(&self, state: &State, track: Track) -> String {
        format!("{track}, {}{}", self.shift_words(state, track), self.turned_words(state, track))
    }

    /// "; total 5, needs 5: success": what a shift makes of the dice that lie on the table.
    fn turned_words(&self, state: &State, track: Track) -> String {
        let mut after = *state;
        self.mark(&mut after, self.human, track, 1, &mut kernel::Discard);
        match state.phase {
            Phase::AfterAttack => {
                let roll = self.roll_in_hand(&after, state.die);
                let success = if roll.wins() { "success" } else { "failure" };
                format!("; total {}, needs {}: {success}", roll.total(), roll.need)
            }
            Phase::AfterConflict => {
                let (allies, axis) = state.conflict_dice();
                let lead = self.conflict_lead(&after, self.conflict_in_hand(state));
                format!("; {}", self.conflict_consequence(lead, allies, axis))
            }
            Phase::BeforePick => {
                let (side, modifier, regions) = self.attack_order(state);
                let pick = self.best_attack(&after, side, regions, modifier);
                pick.map_or_else(String::new, |region| format!("; the attack goes to {region}"))
            }
            _ => String::new(),
        }
    }

    /// "VP 3 → 5": what a step does to the points, which are the Allies'.
    fn vp_words(&self, state: &State, region: Region, space: u8) -> String {
        format!("VP {} → {}", self.space_vp(region, state.at(region)), self.space_vp(region, space))
    }

    fn shift_words(&self, state: &State, track: Track) -> String {
        let now = state.track(track);
        let next = now + self.human.sign();
        match track {
            Track::Usa => {
                let there = if next >= self.usa_active { ", USA in Europe" } else { "" };
                format!("{now} → {next} of {}{there}", self.usa_active)
            }
            _ => format!("{} → {}", lead_words(now), lead_words(next)),
        }
    }

    /// "Paris (3, 3 VP)".
    pub(crate) fn space_words(&self, region: Region, space: u8) -> String {
        let data = &self.book.regions[region.index()];
        format!("{} ({space}, {} VP)", data.spaces[usize::from(space)], self.space_vp(region, space))
    }

    /// A track's value for people.
    pub fn track_words(&self, track: Track, value: i8) -> String {
        match track {
            Track::Usa if value >= self.usa_active => format!("{value}, USA in Europe"),
            Track::Usa => format!("{value} of {}", self.usa_active),
            _ => lead_words(value).to_owned(),
        }
    }
}

impl Verdict {
    /// The result for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::AlliedMajor => "Major Allied Victory",
            Self::AlliedMinor => "Minor Allied Victory",
            Self::Draw => "Draw",
            Self::Axis => "Axis Victory",
            Self::AxisMinor => "Minor Axis Victory",
            Self::AxisMajor => "Major Axis Victory",
            Self::AlliedImmediate => "Immediate Allied Victory: Berlin and Japan are taken",
            Self::AxisImmediate => "Immediate Axis Victory: all Allied capitals are lost",
            Self::ConfidenceFailure => "Defeat: the Confidence Chart failed",
        }
    }
}

/// Who leads the EMT or PMT.
const fn lead_words(value: i8) -> &'static str {
    match value {
        0 => "even",
        1.. => "Allies lead",
        _ => "Axis leads",
    }
}

pub(crate) const fn plural(count: u8) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// "1-3" for the losing faces, or a list where they are not a run.
pub(crate) fn faces(bits: u8) -> String {
    let faces: Vec<u8> = (1..=6).filter(|face| bits >> face & 1 != 0).collect();
    match (faces.first(), faces.last()) {
        (Some(first), Some(last)) if usize::from(last - first) + 1 == faces.len() && faces.len() > 1 => {
            format!("{first}-{last}")
        }
        _ => faces.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    }
}
