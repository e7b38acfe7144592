//! Exact answers: the chance of an attack, of a Major Conflict, of a Confidence roll.

use diagnostics::shown;
use kernel::{Answer, Chance, Discard};

use crate::ids::{Conflict, Region, Side, Track};
use crate::rules::Rules;
use crate::state::{Phase, State};
use crate::words::faces;

/// The questions, for error messages.
const FORMS: &str = "`attack [Allies|Axis] REGION [at +N]`, `conflict europe|pacific`, `confidence` or `vp`";

impl Rules {
    /// The questions that make sense in a position. When the game is over, only the points are left to ask about.
    pub fn questions(&self, state: &State) -> Vec<String> {
        if state.phase == Phase::Over {
            return vec!["vp".to_owned()];
        }
        let mut questions = Vec::new();
        for side in [self.human, self.human.enemy()] {
            for region in Region::ALL.into_iter().filter(|&region| self.need(state, side, region) > 0) {
                questions.push(format!("attack {side} {region}"));
            }
        }
        questions
            .extend(Conflict::ALL.map(|conflict| format!("conflict {}", conflict.code().to_lowercase())));
        if self.next_confidence(state).is_some() {
            questions.push("confidence".to_owned());
        }
        questions.push("vp".to_owned());
        questions
    }

    /// Answers a question.
    pub fn answer(&self, state: &State, question: &str) -> Result<Answer, String> {
        let words: Vec<&str> = question.split_whitespace().take(8).collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        match &lower[..] {
            ["attack", rest @ ..] => self.attack_question(state, rest),
            ["conflict", name] | ["major", "conflict", name] => match Conflict::parse(name) {
                Some(conflict) => Ok(self.conflict_odds(state, conflict)),
                None => Err(format!("unknown Major Conflict {:?}: europe or pacific", shown(name))),
            },
            ["confidence"] => self.confidence_odds(state),
            ["vp"] => Ok(self.vp_answer(state)),
            _ => Err(format!("unknown question {:?}: ask {FORMS}", shown(question))),
        }
    }

    fn attack_question(&self, state: &State, words: &[&str]) -> Result<Answer, String> {
        let (side, words) = match words.first().and_then(|word| Side::parse(word)) {
            Some(side) => (side, &words[1..]),
            None => (self.human, words),
        };
        let (region, modifier) = match words {
            [region] => (*region, 0),
            [region, "at", modifier] => {
                let value = modifier.parse::<i8>().ok().filter(|value| (-6..=6).contains(value));
                let wrong = || format!("modifier {:?}: a number from -6 to +6", shown(modifier));
                (*region, value.ok_or_else(wrong)?)
            }
            _ => return Err(format!("an attack is asked as {FORMS}")),
        };
        let region = Region::parse(region)
            .ok_or_else(|| format!("unknown region {:?}: WF, EF, SF, CHN, PAC or ISL", shown(region)))?;
        Ok(self.attack_odds(state, side, region, modifier))
    }

    /// The chance that an attack wins, alone and with a Tide of War. Rule 2.3.3.
    pub fn attack_odds(&self, state: &State, side: Side, region: Region, modifier: i8) -> Answer {
        let data = &self.book.regions[region.index()];
        let title = format!("{side} attack on {region} ({})", data.name);
        let Some(space) = self.next_space(state, side, region) else {
            let facts = vec![("front", self.space_words(region, state.at(region)))];
            let results = vec![("not possible: the track ends here".to_owned(), Chance::CERTAIN)];
            return Answer { title, rule: "2.3.3", facts, results };
        };
        let roll = self.attack_roll(state, side, region, modifier, 0);
        let wins = u64::from(self.winning_faces(state, side, region, modifier));
        let mut facts = vec![
            ("from", self.space_words(region, state.at(region))),
            ("to", self.space_words(region, space)),
            ("need", format!("{}{}", roll.need, if roll.capital { " (capital)" } else { "" })),
            ("modifier", format!("{:+}", roll.lead + roll.usa + roll.modifier)),
        ];
        let mut results = vec![
            ("success".to_owned(), Chance::of(wins, 6)),
            ("failure".to_owned(), Chance::of(6 - wins, 6)),
        ];
        if state.tow_left > 0 && !state.tow_used.has(region) {
            let with_reroll = if side == self.human { 36 - (6 - wins) * (6 - wins) } else { wins * wins };
            results.push(("success if a Tide of War reroll follows".to_owned(), Chance::of(with_reroll, 36)));
        }
        if side == self.human && !self.human_can_attack(state, region) {
            facts.push(("note", "attacked twice this turn: no further attack here (rule 3.3.4)".to_owned()));
        }
        if let Some(shift) = self.shift_that_helps(state, side, region, modifier) {
            facts.push(("tide", shift));
        }
        Answer { title, rule: "2.3.3", facts, results }
    }

    /// What Tide of War shifts would change: the fewest that do and can be paid for. Rules 2.5.1, 2.5.3.
    fn shift_that_helps(&self, state: &State, side: Side, region: Region, modifier: i8) -> Option<String> {
        let usa = self.track_regions[Track::Usa.index()].has(region).then_some(Track::Usa);
        let tracks = [Some(region.main_track()), usa];
        tracks.into_iter().flatten().find_map(|track| self.shifts_of(track, state, side, region, modifier))
    }

    fn shifts_of(
        &self,
        track: Track,
        state: &State,
        side: Side,
        region: Region,
        modifier: i8,
    ) -> Option<String> {
        let boxes = (self.track_regions[track.index()].0 & !state.tow_used.0).count_ones() as u8;
        let before = self.winning_faces(state, side, region, modifier);
        let mut shifted = *state;
        for shifts in 1..=state.tow_left.min(boxes) {
            self.mark(&mut shifted, self.human, track, 1, &mut Discard);
            let wins = self.winning_faces(&shifted, side, region, modifier);
            if wins != before {
                let shifts = match shifts {
                    1 => format!("a shift of {track} makes"),
                    _ => format!("{shifts} shifts of {track} make"),
                };
                return Some(format!("{shifts} it {}", Chance::of(u64::from(wins), 6)));
            }
        }
        None
    }

    /// All 36 pairs of a Major Conflict. Rule 3.4.1.
    pub fn conflict_odds(&self, state: &State, conflict: Conflict) -> Answer {
        let lead = self.conflict_lead(state, conflict);
        let mut counts = [[0_u64; 4]; 2];
        let mut ties = 0;
        for allies in 1..=6 {
            for axis in 1..=6 {
                let result = self.conflict_result(lead, allies, axis);
                match result.winner {
                    None => ties += 1,
                    Some(side) => counts[side.index()][usize::from(result.regions)] += 1,
                }
            }
        }
        let data = &self.book.conflicts[conflict.index()];
        let mut results = Vec::new();
        for side in Side::ALL {
            let order = if side == self.human { &data.regions } else { &data.bot_order };
            let able: Vec<&str> = order
                .iter()
                .filter(|&&region| self.can_advance(state, side, region))
                .map(|region| region.code())
                .collect();
            if able.is_empty() {
                let wins = counts[side.index()].iter().sum();
                results.push((
                    format!("{side} win, but none of their regions can advance"),
                    Chance::of(wins, 36),
                ));
                continue;
            }
            for regions in 1..=3_usize {
                let count = counts[side.index()][regions];
                if count == 0 {
                    continue;
                }
                let where_to = match (able.len(), side == self.human) {
                    (n, true) if n > regions => format!("{regions} of {}", able.join(", ")),
                    (n, _) => able[..regions.min(n)].join(", "),
                };
                results.push((format!("{side} advance: {where_to}"), Chance::of(count, 36)));
            }
        }
        results.push(("nobody advances".to_owned(), Chance::of(ties, 36)));
        let lead = lead.map_or("nobody".to_owned(), |side| format!("{side}, +1 on the die"));
        Answer {
            title: format!("Major Conflict {conflict}"),
            rule: "3.4.1",
            facts: vec![("track", data.track.to_string()), ("leads", lead)],
            results,
        }
    }

    /// The Confidence roll at the next gold turn, as the points stand. Rule 3.5.
    fn confidence_odds(&self, state: &State) -> Result<Answer, String> {
        let (turn, points) = self.next_confidence(state).ok_or_else(|| match state.phase {
            Phase::Over => "the game is over: there is no Confidence roll to come (rule 3.5)".to_owned(),
            _ => "no Confidence roll is left in this game (rule 3.5)".to_owned(),
        })?;
        let lose = self.confidence[usize::from(turn)].map_or(0, |(_, lose)| lose);
        let vp = self.vp(state);
        let shaken = self.confidence_is_shaken(vp, points);
        let losing = if shaken { u64::from(lose.count_ones()) } else { 0 };
        Ok(Answer {
            title: format!("Confidence Chart after turn {turn}, if the points stay as they are"),
            rule: "3.5",
            facts: vec![
                ("vp", vp.to_string()),
                ("points", points.to_string()),
                ("roll", if shaken { format!("yes, {} lose", faces(lose)) } else { "no".to_owned() }),
            ],
            results: vec![
                ("the war goes on".to_owned(), Chance::of(6 - losing, 6)),
                ("the game is lost".to_owned(), Chance::of(losing, 6)),
            ],
        })
    }

    fn vp_answer(&self, state: &State) -> Answer {
        let each: Vec<String> = Region::ALL
            .into_iter()
            .map(|region| format!("{region} {}", self.space_vp(region, state.at(region))))
            .collect();
        let verdict = self.book.band(self.vp(state), self.axis_holds_capital(state));
        Answer {
            title: "Victory points".to_owned(),
            rule: "5.2",
            facts: vec![
                ("total", self.vp(state).to_string()),
                ("regions", each.join(", ")),
                ("worth at the end", verdict.title().to_owned()),
            ],
            results: Vec::new(),
        }
    }
}
