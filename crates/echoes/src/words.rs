//! Prompts, labels and log lines.

use std::fmt::Write as _;

use kernel::{LogLine, Prompt};

use crate::book::{ChartEntry, Verdict};
use crate::box_language::folded;
use crate::choice::Choice;
use crate::game_event::{AttackRoll, GameEvent};
use crate::ids::{Region, Side, Track};
use crate::program::Op;
use crate::rules::Rules;
use crate::state::{Phase, State};

impl Rules {
    /// The rule behind the decision or draw in hand.
    pub(crate) fn rule_in_hand(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::Chart => "3.1",
            Phase::BoxDie => "3.2",
            Phase::Opened => "2.5.2",
            Phase::BeforeAttack | Phase::BeforeConflict => "2.5.3",
            Phase::AttackDie | Phase::RerollDie => "2.3.3",
            Phase::AfterAttack => "2.5.5",
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
                    "{whose} ({}: {}, needed {}). Reroll with the Tide of War? ({} left)",
                    roll.region,
                    roll.total(),
                    roll.need,
                    state.tow_left
                );
                (text, format!("Waiting for the {human} to decide about a reroll"))
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

    /// "needs 5, +1 EMT: 2 in 6" for an attack.
    pub fn attack_words(&self, state: &State, side: Side, region: Region, modifier: i8) -> String {
        let roll = self.attack_roll(state, side, region, modifier, 0);
        let mut words = format!("needs {}", roll.need);
        if roll.capital {
            words.push_str(" (capital)");
        }
        modifier_words(&roll, &mut words);
        let _ = write!(words, ", {} in 6", self.winning_faces(state, side, region, modifier));
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
                format!("Tide of War box {region}: shift {track}, {}", self.shift_words(state, track))
            }
            Choice::No => match state.phase {
                Phase::AfterAttack => "No: keep this roll".to_owned(),
                _ => "No: keep the Tide of War".to_owned(),
            },
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

    /// The log line for an event.
    pub fn log_line(&self, game_event: &GameEvent) -> LogLine {
        let (text, rule) = self.story(game_event);
        LogLine { text, rule, aside: false }
    }

    fn story(&self, game_event: &GameEvent) -> (String, &'static str) {
        match *game_event {
            GameEvent::TurnStarted { turn } => (format!("Turn {turn}, {}", self.year(turn)), "4.0"),
            GameEvent::ChartRolled { die, entry } => {
                let leads = match entry {
                    ChartEntry::Table(table) => {
                        format!("table {}, {}", table + 1, self.book.tables[usize::from(table)].name)
                    }
                    ChartEntry::Major(conflict) => format!("Major Conflict {conflict}"),
                };
                (format!("Die Roll Chart: {die}, {leads}"), "3.1")
            }
            GameEvent::BoxOpened { die, number, event } => {
                let data = &self.book.tables[usize::from(number / 6)].boxes[usize::from(number % 6)];
                let which = match (&data.parsed.event, event) {
                    (None, _) => "",
                    (Some(_), true) => ": the Event",
                    (Some(_), false) => ": the Alternate",
                };
                (format!("Box {die}: {}{which}. {}", data.title, self.box_words(number, event)), "3.3.1")
            }
            GameEvent::Advanced { side, region, to } => {
                let advance = side.verb("advance", "advances");
                (format!("{side} {advance} on {region} to {}", self.space_words(region, to)), "3.3.3")
            }
            GameEvent::AdvanceBlocked { side, region, capital } => {
                let why = if capital { "the next space is a capital" } else { "the track ends here" };
                (format!("{side} can't advance on {region}: {why}"), "3.3.3")
            }
            GameEvent::AttackRolled(roll) => (attack_sentence(&roll), "2.3.3"),
            GameEvent::Captured { region, to, .. } => {
                (format!("{region} moves to {}", self.space_words(region, to)), "2.4")
            }
            GameEvent::AttackImpossible { side, region, twice } => {
                if twice {
                    (
                        format!(
                            "{side} {} attacked {region} twice this turn: no roll",
                            side.verb("have", "has")
                        ),
                        "3.3.4",
                    )
                } else {
                    (format!("{side} can't attack {region}: the track ends here, no roll"), "2.3.3")
                }
            }
            GameEvent::Marked { side, track, value } => (
                format!("{side} {} {track}: {}", side.verb("mark", "marks"), self.track_words(track, value)),
                "2.2",
            ),
            GameEvent::MarkIgnored { side, track } => (
                format!("{side} {} {track}: ignored, the track is at its limit", side.verb("mark", "marks")),
                "2.2",
            ),
            GameEvent::TowShifted { region, track, value, left } => (
                format!(
                    "Tide of War, box {region}: {track} shifts to {} ({left} left)",
                    self.track_words(track, value)
                ),
                "2.5",
            ),
            GameEvent::TowReroll { region, side, left } => (
                format!(
                    "Tide of War, box {region}: the {side} {} again ({left} left)",
                    side.verb("roll", "rolls")
                ),
                "2.5.5",
            ),
            GameEvent::TowAllowance { left } => (format!("Tide of War: {left} left"), "2.5.1"),
            GameEvent::ConflictRolled { conflict, allies, axis, lead } => {
                (self.conflict_sentence(conflict, allies, axis, lead), "3.4.1")
            }
            GameEvent::BranchRolled { die } => (format!("Roll 1d6: {die}"), "7.3"),
            GameEvent::OptionChosen { number } => (format!("Option {number} chosen"), "7.3"),
            GameEvent::Passed { left } => {
                (format!("{} {}, {left} left unused", self.human, self.human.verb("pass", "passes")), "3.3.4")
            }
            GameEvent::EventMarked { number } => {
                (format!("The event square of {} is marked", self.box_title(number)), "3.3.1")
            }
            GameEvent::ConfidenceChecked { vp, points, roll } => {
                let so = if roll { "a roll is needed" } else { "no roll is needed" };
                (format!("Confidence Chart: {vp} VP, limit {points}: {so}"), "3.5")
            }
            GameEvent::ConfidenceRolled { die, lost } => {
                let so = if lost { "confidence fails" } else { "the war continues" };
                (format!("Confidence roll: {die}, {so}"), "3.5")
            }
            GameEvent::GameOver { verdict, vp } => {
                let rule = match verdict {
                    Verdict::AlliedImmediate | Verdict::AxisImmediate => "5.1",
                    Verdict::ConfidenceFailure => "3.5",
                    _ => "5.2",
                };
                (format!("{} at {vp} VP", verdict.title()), rule)
            }
        }
    }

    fn conflict_sentence(
        &self,
        conflict: crate::ids::Conflict,
        allies: u8,
        axis: u8,
        lead: Option<Side>,
    ) -> String {
        let result = self.conflict_result(lead, allies, axis);
        let with_lead = |side: Side, die: u8| {
            if lead == Some(side) {
                format!("{side} {die} +1 = {}", die + 1)
            } else {
                format!("{side} {die}")
            }
        };
        let consequence = match result.winner {
            None => "a draw".to_owned(),
            Some(side) => {
                let advance = side.verb("advance", "advances");
                format!("the {side} {advance} in {} region{}", result.regions, plural(result.regions))
            }
        };
        format!(
            "Major Conflict {conflict}: {}, {}: {consequence}",
            with_lead(Side::Allies, allies),
            with_lead(Side::Axis, axis)
        )
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

/// "Axis attack EF: 4 +1 (EMT) = 5, needs 5: success."
fn attack_sentence(roll: &AttackRoll) -> String {
    let attack = roll.side.verb("attack", "attacks");
    let mut text = format!("{} {attack} {}: {}", roll.side, roll.region, roll.die);
    let plain = roll.lead == 0 && roll.usa == 0 && roll.modifier == 0;
    if !plain {
        modifier_words(roll, &mut text);
        let _ = write!(text, " = {}", roll.total());
    }
    let capital = if roll.capital { " (capital)" } else { "" };
    let success = if roll.wins() { "success" } else { "failure" };
    let _ = write!(text, ", needs {}{capital}: {success}", roll.need);
    if roll.reroll {
        text.push_str(", final");
    }
    text.push('.');
    text
}

fn modifier_words(roll: &AttackRoll, out: &mut String) {
    if roll.lead != 0 {
        let _ = write!(out, " +1 ({})", roll.region.main_track());
    }
    if roll.usa != 0 {
        out.push_str(" +1 (USA)");
    }
    if roll.modifier != 0 {
        let _ = write!(out, " {:+} (box)", roll.modifier);
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

const fn plural(count: u8) -> &'static str {
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
