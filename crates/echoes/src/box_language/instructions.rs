//! The instructions of a sentence. Rules 7.2, 7.3.

use std::ops::RangeInclusive;

use super::ast::{ChooseOption, Condition, Instr, InstrKind};
use super::lexer::Kind;
use super::parser::Parser;
use super::{MAX_DEPTH, MAX_OPTIONS, MAX_STEPS, folded};
use crate::ids::{Conflict, Region, Track};

/// The words that an instruction can begin with.
const STARTERS: [&str; 11] =
    ["ADV", "Attack", "None", "Skip", "Extra", "Major", "Roll", "If", "In", "Choose", "Attacks"];
/// The words of [`STARTERS`] for a message.
const AN_INSTRUCTION: &str = "an instruction: ADV, Attack, 2 Attacks, 1 Action, +1 EMT, Extra TOW, Roll, If, In, Choose, Major Conflict or None";
const A_REGION: &str = "a region: WF, EF, SF, CHN, PAC or ISL";
const A_REGION_OR_INSTRUCTION: &str =
    "a region (WF, EF, SF, CHN, PAC or ISL) or an instruction such as ADV, Attack or +1 EMT";
const REGIONS: [&str; 6] = ["WF", "EF", "SF", "CHN", "PAC", "ISL"];

/// What a region list is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListUse {
    /// Everything in it is done: `x2` repeats, `or` is doubtful.
    All,
    /// Something is chosen from it: each region counts once.
    Choice,
}

impl Parser<'_, '_> {
    /// Whether the token here can begin an instruction.
    pub(super) fn starts_instr(&self) -> bool {
        match self.peek().kind {
            Kind::Open => true,
            Kind::Number(_) => {
                let after = self.peek_after();
                let word = &self.text[after.span()];
                ["attack", "attacks", "action", "actions"]
                    .iter()
                    .any(|known| word.eq_ignore_ascii_case(known))
            }
            Kind::Plus | Kind::Minus { .. } => matches!(self.peek_after().kind, Kind::Number(_)),
            Kind::Word => STARTERS.iter().any(|word| self.is_word(word)),
            _ => false,
        }
    }

    /// `sequence = instr { "then" instr }`
    fn sequence(&mut self, out: &mut Vec<Instr>) -> Option<()> {
        self.instr(out)?;
        while self.eat_word("then") {
            self.instr(out)?;
        }
        Some(())
    }

    /// A sequence inside another instruction, with the limit on depth.
    fn inner_sequence(&mut self, out: &mut Vec<Instr>) -> Option<()> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span();
            self.report
                .error(span, "instructions stand too deep inside each other")
                .expected(format!("at most {MAX_DEPTH} deep"));
            return None;
        }
        self.depth += 1;
        self.sequence(out)?;
        self.depth -= 1;
        Some(())
    }

    /// One instruction; a bracket can hold several.
    pub(super) fn instr(&mut self, out: &mut Vec<Instr>) -> Option<()> {
        let start = self.peek().start;
        let kind = match self.peek().kind {
            Kind::Open => return self.bracket(out),
            Kind::Number(_) => self.grant()?,
            Kind::Plus | Kind::Minus { .. } => self.mark_or_tow()?,
            Kind::Word => self.worded()?,
            Kind::End => {
                self.unexpected(AN_INSTRUCTION);
                return None;
            }
            Kind::Quoted => {
                self.unexpected(AN_INSTRUCTION).hint("events are only named in \"If event … done:\"");
                return None;
            }
            _ => {
                self.unexpected(AN_INSTRUCTION);
                return None;
            }
        };
        out.push(Instr { kind, span: start..self.last_end() });
        Some(())
    }

    /// `"(" sequence ")"`
    fn bracket(&mut self, out: &mut Vec<Instr>) -> Option<()> {
        let open = self.next();
        self.brackets += 1;
        self.inner_sequence(out)?;
        if !self.eat(Kind::Close) {
            match self.peek().kind {
                Kind::Stop | Kind::End => {
                    self.report
                        .error(open.span(), "this bracket is not closed")
                        .expected("a closing bracket before the full stop");
                }
                Kind::Semicolon => self.misplaced_semicolon(),
                _ => {
                    self.unexpected("\"then\" or a closing bracket");
                }
            }
            return None;
        }
        self.brackets -= 1;
        Some(())
    }

    /// The instructions that begin with a word.
    fn worded(&mut self) -> Option<InstrKind> {
        let word = self.word().unwrap_or_default().to_ascii_lowercase();
        match word.as_str() {
            "none" | "skip" => {
                self.next();
                Some(InstrKind::Nothing)
            }
            "adv" | "advance" => self.advance(),
            "attack" | "attacks" => self.attack(),
            "extra" => {
                self.next();
                self.expect_word("TOW").map(|()| InstrKind::Tow(1))
            }
            "major" => self.major(),
            "roll" => self.roll(),
            "if" => self.conditional(Self::conditions),
            "in" => self.conditional(|parser| Some(vec![Condition::Years(parser.years()?)])),
            "choose" => self.choose(),
            _ => {
                self.not_an_instruction();
                None
            }
        }
    }

    fn not_an_instruction(&mut self) {
        let word = self.word().unwrap_or_default();
        if Region::parse(word).is_some() {
            let hint = format!("did you mean \"Attack {word}\" or \"ADV {word}\"?");
            self.unexpected(AN_INSTRUCTION).hint(hint);
            return;
        }
        if ["action", "actions"].iter().any(|known| word.eq_ignore_ascii_case(known)) {
            self.unexpected(AN_INSTRUCTION).hint("say how many: \"1 Action\"");
            return;
        }
        if let Some(track) = Track::parse(word) {
            self.unexpected(AN_INSTRUCTION).hint(format!("say how many marks: \"+1 {track}\""));
            return;
        }
        if word.eq_ignore_ascii_case("tow") {
            self.unexpected(AN_INSTRUCTION).hint("did you mean \"Extra TOW\"?");
            return;
        }
        let mut known = STARTERS.to_vec();
        known.extend(REGIONS);
        known.extend(["then", "else", "or", "Action", "Allies", "Axis", "Alternate", "Event"]);
        let expected = if self.goes_on_with_regions() { A_REGION_OR_INSTRUCTION } else { AN_INSTRUCTION };
        self.unknown(expected, &known);
    }

    /// Whether the word here follows a region and a comma, so that it may be meant as a region.
    fn goes_on_with_regions(&self) -> bool {
        let [.., before, comma] = self.taken() else { return false };
        comma.kind == Kind::Comma
            && (matches!(before.kind, Kind::Times(_)) || Region::parse(&self.text[before.span()]).is_some())
    }

    /// `number Attacks [on regions] [at]`, `number Actions`
    fn grant(&mut self) -> Option<InstrKind> {
        let count = self.count(1..=20)?;
        if self.eat_word("action") || self.eat_word("actions") {
            return Some(InstrKind::Actions(count));
        }
        if !(self.eat_word("attack") || self.eat_word("attacks")) {
            self.unknown(
                "\"Attacks\" or \"Actions\" after the number",
                &["Attack", "Attacks", "Action", "Actions"],
            );
            return None;
        }
        let regions =
            if self.eat_word("on") { self.regions(ListUse::Choice, 1)? } else { Region::ALL.to_vec() };
        let modifier = self.at_modifier()?;
        Some(InstrKind::FreeAttacks { count, regions, modifier })
    }

    /// `ADV regions`, `ADV number on regions`, `ADV number of regions`
    fn advance(&mut self) -> Option<InstrKind> {
        self.next();
        if !matches!(self.peek().kind, Kind::Number(_)) {
            return Some(InstrKind::Advance(self.regions(ListUse::All, 1)?));
        }
        let span = self.peek().span();
        let count = self.count(1..=20)?;
        if self.eat_word("on") {
            return Some(InstrKind::Advance(self.regions(ListUse::All, count)?));
        }
        if !self.eat_word("of") {
            self.unknown("\"on\" (that many steps in each) or \"of\" (that many of them)", &["on", "of"]);
            return None;
        }
        let regions = self.regions(ListUse::Choice, 1)?;
        if usize::from(count) > regions.len() {
            let what = format!("{count} regions are asked for, but only {} can be chosen", regions.len());
            self.report.warn(span, what);
        }
        Some(InstrKind::AdvanceOf { count, regions })
    }

    /// `Attack regions [at]`
    fn attack(&mut self) -> Option<InstrKind> {
        self.next();
        if self.is_word("on") {
            self.unexpected(A_REGION)
                .hint("\"Attack WF\" is an order; free attacks are \"2 Attacks on WF, EF\"");
            return None;
        }
        let regions = self.regions(ListUse::All, 1)?;
        let modifier = self.at_modifier()?;
        Some(InstrKind::Attack { regions, modifier })
    }

    /// `regions = region [ times ] { ( "," | "and" | "or" ) region [ times ] }`; a comma goes on with the
    /// list only before a region. Each region is repeated `each` times.
    fn regions(&mut self, list: ListUse, each: u8) -> Option<Vec<Region>> {
        let mut regions = Vec::new();
        loop {
            let start = self.peek().start;
            let Some(region) = self.word().and_then(Region::parse) else {
                self.unknown(A_REGION, &REGIONS);
                return None;
            };
            self.next();
            let times = self.times();
            let span = start..self.last_end();
            if list == ListUse::Choice && (times != 1 || regions.contains(&region)) {
                self.report
                    .warn(span, format!("{region} counts only once in a list to choose from"))
                    .hint("take the repetition out");
            }
            if list == ListUse::All || !regions.contains(&region) {
                let copies = if list == ListUse::All { usize::from(times) * usize::from(each) } else { 1 };
                let room = (MAX_STEPS + 1).saturating_sub(regions.len());
                regions.extend(std::iter::repeat_n(region, copies.min(room)));
            }
            let after = *self.peek_after();
            let region_follows =
                after.kind == Kind::Word && Region::parse(&self.text[after.span()]).is_some();
            if self.is_word("or") && region_follows && list == ListUse::All {
                let span = self.peek().span();
                self.report
                    .warn(span, "\"or\" in this list means \"and\": every region of it is done")
                    .hint("for a choice write \"ADV 1 of …\" or \"1 Attack on …\"");
            }
            let joined = self.is_word("and") || self.is_word("or") || self.is_word("&");
            let listed = self.peek().kind == Kind::Comma && region_follows;
            if !joined && !listed {
                return Some(regions);
            }
            self.next();
            if joined && !region_follows && self.starts_instr() {
                self.unexpected(A_REGION)
                    .hint("join instructions with a comma or \"then\"; divide options with \"; or\"");
                return None;
            }
        }
    }

    /// `times = "x" digit`, also `x 2`; 1 if there is none or it is wrong.
    fn times(&mut self) -> u8 {
        let start = self.peek().start;
        let number = match self.peek().kind {
            Kind::Times(number) => {
                self.next();
                number
            }
            Kind::Word if self.is_word("x") || self.is_word("×") => match self.peek_after().kind {
                Kind::Number(number) => {
                    self.next();
                    self.next();
                    number
                }
                _ => return 1,
            },
            _ => return 1,
        };
        let span = start..self.last_end();
        match u8::try_from(number).ok().filter(|number| (1..=9).contains(number)) {
            Some(number) => number,
            None => {
                let quoted = self.quote(span.clone());
                self.report.error(span, format!("{quoted} is out of range")).expected("x1 to x9");
                1
            }
        }
    }

    /// `at = "at" ( plus | minus )`; 0 if there is none.
    fn at_modifier(&mut self) -> Option<i8> {
        if !self.eat_word("at") {
            return Some(0);
        }
        if !matches!(self.peek().kind, Kind::Plus | Kind::Minus { .. }) {
            self.unexpected("a modifier with its sign, such as +1 or -1");
            return None;
        }
        self.signed(-6..=6, "a modifier from -6 to +6")
    }

    /// `+1 EMT`, `+1 TOW`, `-1 TOW`
    fn mark_or_tow(&mut self) -> Option<InstrKind> {
        let start = self.peek().start;
        let sign = self.peek().kind;
        if !matches!(self.peek_after().kind, Kind::Number(_)) {
            self.next();
            self.unexpected("a number after the sign");
            return None;
        }
        let digits = *self.peek_after();
        let after = *self.peek_ahead(2);
        let word = if after.kind == Kind::Word { &self.text[after.span()] } else { "" };
        if word.eq_ignore_ascii_case("tow") {
            let number = self.signed(-6..=6, "+1 to +6 or -1 to -6")?;
            self.next();
            if number == 0 {
                self.report
                    .error(start..self.last_end(), "this changes nothing")
                    .expected("+1 to +6 or -1 to -6");
            }
            return Some(InstrKind::Tow(number));
        }
        let Some(track) = Track::parse(word) else {
            self.next();
            self.next();
            self.unknown("EMT, PMT, USA or TOW after the number", &["EMT", "PMT", "USA", "TOW"]);
            return None;
        };
        let Kind::Number(number) = digits.kind else { return None };
        self.next();
        self.next();
        self.next();
        let span = start..self.last_end();
        if sign != Kind::Plus {
            self.report
                .error(span, "marks can't be taken away")
                .expected(format!("+1 {track} to +9 {track}"))
                .hint("write it as a mark on the other side's row: give that side the \"+1\"");
            return Some(InstrKind::Mark { track, count: 1 });
        }
        let count = u8::try_from(number).ok().filter(|count| (1..=9).contains(count));
        if count.is_none() {
            let quoted = self.quote(span.clone());
            self.report
                .error(span, format!("{quoted} is out of range"))
                .expected(format!("+1 {track} to +9 {track}"));
        }
        Some(InstrKind::Mark { track, count: count.unwrap_or(1) })
    }

    /// `Major Conflict Europe`
    fn major(&mut self) -> Option<InstrKind> {
        self.next();
        self.expect_word("Conflict")?;
        let Some(conflict) = self.word().and_then(Conflict::parse) else {
            self.unknown("Europe or Pacific", &["Europe", "Pacific"]);
            return None;
        };
        self.next();
        Some(InstrKind::Major(conflict))
    }

    /// `Roll 1d6: branch { ; branch }`
    fn roll(&mut self) -> Option<InstrKind> {
        self.next();
        let die = *self.peek();
        match die.kind {
            Kind::Die { count: 1, faces: 6 } => {
                self.next();
            }
            Kind::Die { .. } => {
                self.next();
                let quoted = self.quote(die.span());
                self.report.error(die.span(), format!("the game has one die, not {quoted}")).expected("1d6");
            }
            _ => {
                self.unexpected("1d6");
                return None;
            }
        }
        self.colon_after("the die");
        let mut faces = [None; 6];
        let mut branches = Vec::new();
        loop {
            self.faces(&mut faces, branches.len())?;
            let mut branch = Vec::new();
            self.inner_sequence(&mut branch)?;
            branches.push(branch);
            if self.peek().kind != Kind::Semicolon || !matches!(self.peek_after().kind, Kind::Number(_)) {
                return Some(InstrKind::Roll { faces, branches });
            }
            let span = self.peek_after().span();
            self.next();
            if branches.len() == 6 {
                self.report.error(span, "a die has no seventh result").expected("at most 6 branches");
                return None;
            }
        }
    }

    /// `digit | digit "-" digit` at the head of a branch.
    fn faces(&mut self, faces: &mut [Option<u8>; 6], branch: usize) -> Option<()> {
        let start = self.peek().start;
        let Kind::Number(first) = self.peek().kind else {
            self.unexpected("a result of the die such as 1 or 1-3");
            return None;
        };
        self.next();
        let mut last = first;
        if self.peek().kind == (Kind::Minus { sign: false })
            && let Kind::Number(number) = self.peek_after().kind
        {
            self.next();
            self.next();
            last = number;
        }
        let span = start..self.last_end();
        let quoted = self.quote(span.clone());
        if !(1..=6).contains(&first) || !(1..=6).contains(&last) {
            self.report.error(span, format!("{quoted} is not on the die")).expected("results from 1 to 6");
            return Some(());
        }
        if last < first {
            self.report
                .error(span, format!("the results {quoted} run backwards"))
                .expected("the lower result first")
                .hint(format!("did you mean {last}-{first}?"));
            return Some(());
        }
        let branch = u8::try_from(branch).ok();
        for face in first..=last {
            let slot = &mut faces[face as usize - 1];
            if slot.is_some() {
                self.report
                    .error(span, format!("the result {face} already belongs to an earlier branch"))
                    .expected("every result in one branch at most");
                break;
            }
            *slot = branch;
        }
        Some(())
    }

    /// `If … : sequence [ ; else sequence ]` and the same with `In`.
    fn conditional(
        &mut self,
        conditions: impl FnOnce(&mut Self) -> Option<Vec<Condition>>,
    ) -> Option<InstrKind> {
        self.next();
        let conditions = conditions(self)?;
        if self.peek().kind != Kind::Colon && !self.starts_instr() {
            self.unexpected("a colon after the condition");
            return None;
        }
        self.colon_after("the condition");
        let mut then = Vec::new();
        self.inner_sequence(&mut then)?;
        let mut otherwise = Vec::new();
        if self.semicolon_before("else") {
            self.inner_sequence(&mut otherwise)?;
        }
        Some(InstrKind::If { conditions, then, otherwise })
    }

    /// `Choose: sequence ; or sequence { ; or sequence }`
    fn choose(&mut self) -> Option<InstrKind> {
        let head = self.next().span();
        self.colon_after("Choose");
        let mut options = Vec::new();
        loop {
            let start = self.peek().start;
            let mut instrs = Vec::new();
            self.inner_sequence(&mut instrs)?;
            let words = folded(&self.text[start..self.last_end()]);
            options.push(ChooseOption { instrs, words });
            let span = self.peek().span();
            if !self.semicolon_before("or") {
                break;
            }
            if options.len() == MAX_OPTIONS {
                self.report
                    .error(span, "too many options to choose from")
                    .expected(format!("at most {MAX_OPTIONS} options"));
                return None;
            }
        }
        if options.len() < 2 {
            self.report
                .error(head, "there is nothing to choose from")
                .expected("at least two options, divided by \"; or\"");
        }
        Some(InstrKind::Choose(options))
    }

    /// Takes `; word` if it stands here.
    fn semicolon_before(&mut self, word: &str) -> bool {
        let after = self.peek_after();
        let found = self.peek().kind == Kind::Semicolon
            && after.kind == Kind::Word
            && self.text[after.span()].eq_ignore_ascii_case(word);
        if found {
            self.next();
            self.next();
        }
        found
    }

    /// A number with a limit; out of range is reported and read as the nearest.
    fn count(&mut self, range: RangeInclusive<u32>) -> Option<u8> {
        let token = self.next();
        let Kind::Number(number) = token.kind else { return None };
        let (low, high) = (*range.start(), *range.end());
        if !range.contains(&number) {
            let quoted = self.quote(token.span());
            self.report
                .error(token.span(), format!("{quoted} is out of range"))
                .expected(format!("a number from {low} to {high}"));
        }
        u8::try_from(number.clamp(low, high)).ok()
    }

    /// A sign and a number within a range; out of range is reported and read as 0.
    fn signed(&mut self, range: RangeInclusive<i32>, expected: &str) -> Option<i8> {
        let sign = self.next();
        let Kind::Number(number) = self.peek().kind else {
            self.unexpected("a number after the sign");
            return None;
        };
        let end = self.next().end;
        let size = i32::try_from(number).unwrap_or(i32::MAX);
        let value = if sign.kind == Kind::Plus { size } else { -size };
        match i8::try_from(value).ok().filter(|_| range.contains(&value)) {
            Some(value) => Some(value),
            None => {
                let span = sign.start..end;
                let quoted = self.quote(span.clone());
                self.report.error(span, format!("{quoted} is out of range")).expected(expected);
                Some(0)
            }
        }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Option<()> {
        if self.eat_word(word) {
            return Some(());
        }
        self.unknown(&format!("\"{word}\""), &[word]);
        None
    }
}
