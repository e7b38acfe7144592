//! What a viewer sees: everything, because the game hides nothing. Rule 1.0.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::book::Verdict;
use crate::ids::{Region, Side, Track};
use crate::rules::Rules;
use crate::state::{NO_BOX, Phase, State};

/// What any viewer sees: the whole sheet. It is a separate type, so that nothing that draws or
/// plays the game can come to depend on the state behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    state: State,
}

impl View {
    pub(crate) const fn new(state: State) -> Self {
        Self { state }
    }

    /// The sheet.
    pub const fn sheet(&self) -> &State {
        &self.state
    }
}

impl Rules {
    /// The view as data. Rule 8.
    pub fn describe(&self, state: &State) -> Value {
        let mut regions = serde_json::Map::new();
        for region in Region::ALL {
            regions.insert(region.code().to_owned(), self.describe_region(state, region));
        }
        let mut tracks = serde_json::Map::new();
        for track in Track::ALL {
            tracks.insert(track.code().to_owned(), json!(state.track(track)));
        }
        let titles: Vec<&str> =
            (0..24).filter(|n| state.events >> n & 1 != 0).map(|n| self.box_title(n)).collect();
        let in_box = (state.in_box != NO_BOX && state.phase != Phase::BoxDie).then(|| {
            let data = &self.book.tables[usize::from(state.in_box / 6)].boxes[usize::from(state.in_box % 6)];
            json!({
                "table": state.in_box / 6 + 1,
                "box": state.in_box % 6 + 1,
                "title": data.title,
                "text": data.text,
                "event": state.event,
            })
        });
        json!({
            "turn": state.turn,
            "year": self.year(state.turn),
            "last_turn": self.final_turn,
            "human": self.human.code(),
            "phase": phase_word(state.phase),
            "vp": self.vp(state),
            "regions": regions,
            "tracks": tracks,
            "tow": {
                "left": state.tow_left,
                "used": state.tow_used.iter().map(Region::code).collect::<Vec<_>>(),
            },
            "attacked": Region::ALL.into_iter().flat_map(|region| {
                std::iter::repeat_n(region.code(), usize::from(state.attacks[region.index()]))
            }).collect::<Vec<_>>(),
            "events": titles,
            "box": in_box,
            "left": state.left,
            "result": state.verdict.map(Verdict::word),
        })
    }

    fn describe_region(&self, state: &State, region: Region) -> Value {
        let data = &self.book.regions[region.index()];
        let at = usize::from(state.at(region));
        let attack = |side: Side| {
            let need = self.need(state, side, region);
            (need > 0).then(|| {
                let bonus = self.lead_modifier(state, side, region) + self.usa_modifier(state, side, region);
                json!({
                    "need": need,
                    "modifier": bonus,
                    "faces": self.winning_faces(state, side, region, 0),
                    "capital": self.faces_capital(state, side, region),
                })
            })
        };
        json!({
            "space": at,
            "name": data.spaces[at],
            "vp": data.vp[at],
            "max": data.max,
            "allied_x": state.x[Side::Allies.index()][region.index()],
            "axis_x": state.x[Side::Axis.index()][region.index()],
            "allies_attack": attack(Side::Allies),
            "axis_attack": attack(Side::Axis),
        })
    }

    /// The sheet as text.
    pub fn picture(&self, state: &State) -> String {
        let mut out = String::new();
        self.draw_turns(state, &mut out);
        let _ = writeln!(
            out,
            "{:20} {:32}  {:38} {:9} Axis",
            "", "Axis ◄ VP of each space ► Allies", "front (space, VP), then needed to win:", "Allies"
        );
        for region in Region::ALL {
            self.draw_region(state, region, &mut out);
        }
        for track in Track::ALL {
            self.draw_track(state, track, &mut out);
        }
        let boxes: String = Region::ALL
            .into_iter()
            .map(|region| format!(" {region}[{}]", if state.tow_used.has(region) { 'X' } else { ' ' }))
            .collect();
        let _ = writeln!(out, "Tide of War: {} left, boxes{boxes}", state.tow_left);
        let done: Vec<&str> =
            (0..24).filter(|n| state.events >> n & 1 != 0).map(|n| self.box_title(n)).collect();
        if !done.is_empty() {
            let _ = writeln!(out, "Events done: {}", done.join(", "));
        }
        out.push_str(&self.standing_words(state));
        out
    }

    /// The turn track: X for turns that are over, * gold, ! red.
    fn draw_turns(&self, state: &State, out: &mut String) {
        let mut year = 0;
        for turn in 1..=self.final_turn {
            if self.year(turn) != year {
                year = self.year(turn);
                let _ = write!(out, "{}{year}:", if turn == 1 { "" } else { "  " });
            }
            let gold = self.confidence[usize::from(turn)].is_some_and(|(_, lose)| lose != 0);
            let mark = match (gold, turn == self.red) {
                (true, _) => "*",
                (false, true) => "!",
                (false, false) => "",
            };
            let over = turn < state.turn || (turn == state.turn && state.phase == Phase::Over);
            let cell = match (over, turn == state.turn) {
                (true, _) => "X".to_owned(),
                (false, true) => format!("[{turn}]"),
                (false, false) => turn.to_string(),
            };
            let _ = write!(out, " {cell}{mark}");
        }
        out.push('\n');
    }

    fn draw_region(&self, state: &State, region: Region, out: &mut String) {
        let data = &self.book.regions[region.index()];
        let mut line = String::new();
        for space in 0..=data.max {
            let capital = (space == 0 && data.allied_capital) || (space == data.max && data.axis_capital);
            let star = if capital { "★" } else { "" };
            let cell = format!("{star}{}", data.vp[usize::from(space)]);
            let cell = if space == state.at(region) { format!("[{cell}]") } else { format!(" {cell} ") };
            let _ = write!(line, "{cell:^5}");
        }
        let front = self.space_words(region, state.at(region));
        let attack = |side: Side| {
            let need = self.need(state, side, region);
            if need == 0 {
                return "-".to_owned();
            }
            let bonus = self.lead_modifier(state, side, region) + self.usa_modifier(state, side, region);
            if bonus == 0 { need.to_string() } else { format!("{need} ({bonus:+})") }
        };
        let _ = writeln!(
            out,
            "{:3} {:16} {line:32}  {front:38} {:9} {}",
            region.code(),
            data.name,
            attack(Side::Allies),
            attack(Side::Axis)
        );
    }

    fn draw_track(&self, state: &State, track: Track, out: &mut String) {
        let at = track.index();
        let row = |marks: u8| "X".repeat(usize::from(marks.min(18)));
        let regions: Vec<&str> = self.track_regions[at].iter().map(Region::code).collect();
        let (allies, axis) = match track {
            Track::Usa => ("To Europe", "Away"),
            _ => ("Allies", "Axis"),
        };
        let _ = writeln!(
            out,
            "{track} {:20} {allies} {:9} {axis} {:9} (+1 on {})",
            self.track_words(track, state.track(track)),
            row(state.marks[Side::Allies.index()][at]),
            row(state.marks[Side::Axis.index()][at]),
            regions.join(", ")
        );
    }

    /// VP against the next Confidence row and the victory bands.
    fn standing_words(&self, state: &State) -> String {
        let vp = self.vp(state);
        let mut words = format!("VP {vp}");
        if let Some((turn, points)) = self.next_confidence(state) {
            let rule = match self.book.confidence_rule {
                crate::book::ConfidenceRule::AtOrBelow => format!("{points} or less"),
                crate::book::ConfidenceRule::Below => format!("less than {points}"),
                crate::book::ConfidenceRule::AtOrAbove => format!("{points} or more"),
            };
            let _ = write!(words, "; Confidence roll after turn {turn} at {rule}");
        }
        let mut footnote = "";
        let mut bands = Vec::new();
        for band in &self.book.bands {
            bands.push(match band.if_axis_holds_capital {
                Some(other) => {
                    footnote = " (* if the Axis holds an Allied capital)";
                    format!("{}+ {} or {}*", band.min, band.result.title(), other.title())
                }
                None => format!("{}+ {}", band.min, band.result.title()),
            });
        }
        let _ = write!(words, "\nAt the end: {}{footnote}", bands.join(", "));
        words
    }

    /// The next gold turn that can lose, with its points.
    pub fn next_confidence(&self, state: &State) -> Option<(u8, u8)> {
        if state.phase == Phase::Over {
            return None;
        }
        (state.turn..=self.final_turn).find_map(|turn| {
            let (points, lose) = self.confidence[usize::from(turn)]?;
            (lose != 0).then_some((turn, points))
        })
    }
}

/// The phase in the protocol's words.
const fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Chart => "chart",
        Phase::BoxDie => "box",
        Phase::Opened => "tow_open",
        Phase::BeforeAttack | Phase::BeforeConflict => "tow_before",
        Phase::AttackDie => "attack_die",
        Phase::AfterAttack | Phase::AfterConflict => "tow_after",
        Phase::BeforeTest => "tow_before_if",
        Phase::BeforePick => "tow_before_pick",
        Phase::BeforeLoss => "tow_before_loss",
        Phase::RerollDie => "reroll_die",
        Phase::Action => "act",
        Phase::FreeAttack => "attack",
        Phase::PickAdvance => "adv",
        Phase::PickOption => "choose",
        Phase::BranchDie => "branch_die",
        Phase::ConflictAllies => "conflict_allies",
        Phase::ConflictAxis => "conflict_axis",
        Phase::ConfidenceDie => "confidence",
        Phase::Over => "over",
        Phase::Halted => "halted",
    }
}
