//! Plays worked examples and compares what comes of them. Rule 9.

use std::collections::VecDeque;

use diagnostics::examples::Mismatch;
use kernel::Discard;

use crate::attack::ATTACKS_PER_REGION;
use crate::book::{Book, Verdict};
use crate::box_language::parse_alone;
use crate::choice::Choice;
use crate::examples::{Example, ExampleKind, Expect, ExpectedResult};
use crate::ids::{Region, Regions, Track};
use crate::program::{Compiler, Op};
use crate::rules::Rules;
use crate::spreads::Spreads;
use crate::state::{Phase, State};
use crate::windows::{Ask, Windows};

/// Plays an example; an empty list means that all is as it should be.
pub fn run(example: &Example) -> Vec<Mismatch> {
    let mut found = Vec::new();
    match play(example) {
        Err(Stop::Refused(_)) if example.expect.error => {}
        Err(Stop::Refused(why)) => differ(&mut found, "error", "none", why),
        Err(Stop::Incomplete(why)) => differ(&mut found, "example", "a complete example", why),
        Ok(_) if example.expect.error => {
            differ(&mut found, "error", "the choice or text is refused", "all was accepted");
        }
        Ok(played) => compare(example, &played, &mut found),
    }
    found
}

fn differ(found: &mut Vec<Mismatch>, what: &str, expected: impl Into<String>, is: impl Into<String>) {
    found.push(Mismatch::new(what, expected, is));
}

/// Why an example did not come to its end.
enum Stop {
    /// A choice or a text was refused, or never asked for.
    Refused(String),
    /// The example itself lacks something, so that it shows nothing.
    Incomplete(String),
}

/// What an example led to.
struct Played {
    rules: Rules,
    before: State,
    after: State,
    unused_dice: Vec<u8>,
}

fn play(example: &Example) -> Result<Played, Stop> {
    let book = Book::builtin(example.book);
    let spreads = Spreads::builtin();
    let number = example.spread.unwrap_or(1);
    let spread = spreads.get(number);
    let spread = spread.ok_or_else(|| Stop::Incomplete(format!("there is no spread {number}")))?;
    let (book, _) = book.with_spread(spread).map_err(|problems| Stop::Incomplete(problems.to_string()))?;
    // All windows are open, so that examples can show each of them.
    let mut rules = Rules::new(book).with_windows(Windows::V3, Ask::Always);
    let before = set_up(&rules, example).map_err(Stop::Incomplete)?;
    let mut after = before;
    let mut table = ExampleTable {
        dice: example.dice.iter().copied().collect(),
        script: script(&example.choices),
        first_turn: before.turn,
    };
    match &example.kind {
        ExampleKind::Vp => {}
        ExampleKind::Turn => table.play_on(&rules, &mut after)?,
        ExampleKind::EndTurn => {
            rules.end_turn(&mut after, &mut Discard);
            table.play_on(&rules, &mut after)?;
        }
        alone => {
            after.pc = rules.add_procedure(alone, before.turn).map_err(Stop::Refused)?;
            let box_text = matches!(alone, ExampleKind::Text { .. });
            if box_text && rules.open_shifts(&after) != 0 {
                after.phase = Phase::Opened;
            } else {
                rules.run(&mut after, &mut Discard);
            }
            table.play_on(&rules, &mut after)?;
        }
    }
    match table.script.front() {
        Some(choice) => Err(Stop::Refused(format!("the choice {choice:?} was never asked for"))),
        None => Ok(Played { rules, before, after, unused_dice: table.dice.into() }),
    }
}

impl Rules {
    /// Compiles a procedure that stops when it is done, and returns its first operation.
    fn add_procedure(&mut self, kind: &ExampleKind, turn: u8) -> Result<u32, String> {
        let first = self.program.ops.len() as u32;
        let year = self.year(turn);
        let parsed = match kind {
            ExampleKind::Text { text } => {
                let titles = self.book.titles();
                let parsed = parse_alone(text, self.human, &titles, self.book.region_max());
                Some(parsed.map_err(|problems| problems.to_string())?.0)
            }
            _ => None,
        };
        let mut compiler = Compiler::extending(&self.book, std::mem::take(&mut self.program), year);
        let op = match *kind {
            ExampleKind::Attack { side, region, modifier } => Some(Op::Attack(side, region, modifier)),
            ExampleKind::Adv { side, region } => Some(Op::Advance(side, region)),
            ExampleKind::Shift { side, track, n } => Some(Op::Mark(side, track, n)),
            ExampleKind::Major { conflict } => Some(Op::Major(conflict)),
            _ => None,
        };
        if let Some(op) = op {
            compiler.emit(op);
        }
        if let Some(parsed) = parsed {
            let event = parsed.event.filter(|event| event.years.contains(&year));
            compiler.body(event.as_ref().map_or(&parsed.body, |event| &event.body));
        }
        compiler.emit(Op::Halt);
        self.program = compiler.finish();
        Ok(first)
    }
}

/// The position before.
fn set_up(rules: &Rules, example: &Example) -> Result<State, String> {
    let spec = &example.state;
    let mut state = rules.start();
    if let Some(turn) = spec.turn {
        if !(1..=rules.final_turn).contains(&turn) {
            return Err(format!("there is no turn {turn}"));
        }
        state.turn = turn;
    }
    for region in Region::ALL {
        if let Some(space) = spec.regions[region.index()] {
            if space > rules.max[region.index()] {
                return Err(format!("{region} has no space {space}"));
            }
            rules.set_front(&mut state, region, space);
        }
    }
    for track in Track::ALL {
        if let Some(value) = spec.tracks[track.index()] {
            if !(rules.track_min[track.index()]..=rules.track_max[track.index()]).contains(&value) {
                return Err(format!("{track} can't be {value}"));
            }
            rules.set_track(&mut state, track, value);
        }
    }
    state.tow_left = spec.tow.unwrap_or(state.tow_left);
    state.tow_used = spec.tow_used.iter().copied().collect();
    for &region in &spec.attacked {
        let attacks = &mut state.attacks[region.index()];
        if *attacks >= ATTACKS_PER_REGION {
            return Err(format!("{region} can't have been attacked more than twice (rule 3.3.4)"));
        }
        *attacks += 1;
    }
    state.events |= event_bits(rules, &spec.done)?;
    Ok(state)
}

fn event_bits(rules: &Rules, titles: &[String]) -> Result<u32, String> {
    let bit = |title: &String| {
        let number = rules.book.event_number(title).ok_or_else(|| format!("there is no event {title:?}"))?;
        Ok(1 << number)
    };
    titles.iter().map(bit).try_fold(0, |bits, bit: Result<u32, String>| Ok(bits | bit?))
}

/// The scripted choices one by one: `adv WF, SF` is two.
fn script(choices: &[String]) -> VecDeque<String> {
    let mut script = VecDeque::new();
    for choice in choices {
        let words = choice.trim();
        match words.split_once(char::is_whitespace) {
            Some((verb, regions)) if verb.eq_ignore_ascii_case("adv") => {
                let regions = regions.split([',', ' ']).filter(|region| !region.is_empty());
                script.extend(regions.map(|region| format!("adv {region}")));
            }
            _ => script.push_back(words.to_owned()),
        }
    }
    script
}

/// The dice and the scripted player of an example.
struct ExampleTable {
    dice: VecDeque<u8>,
    script: VecDeque<String>,
    first_turn: u8,
}

impl ExampleTable {
    /// Goes on until the procedure is done, the turn is over or the game is.
    fn play_on(&mut self, rules: &Rules, state: &mut State) -> Result<(), Stop> {
        loop {
            let turn_over = state.phase == Phase::Chart && state.turn != self.first_turn;
            if turn_over || state.phase.is_over() {
                return Ok(());
            }
            let choice = if state.phase.is_fate() {
                let purpose =
                    || Stop::Incomplete(format!("a die is missing for: {}", rules.prompt(state).text));
                Choice::Die(self.dice.pop_front().ok_or_else(purpose)?)
            } else {
                self.decide(rules, state)?
            };
            if let Some(refusal) = rules.refusal(state, choice) {
                return Err(Stop::Refused(format!("{:?}: {refusal}", choice.name())));
            }
            rules.play(state, choice, &mut Discard);
        }
    }

    /// The next scripted choice where it belongs to the decision; windows that are not mentioned are declined. A shift is
    /// meant for the window before a roll, with `now` for the open box, with `after` for a later window.
    fn decide(&mut self, rules: &Rules, state: &State) -> Result<Choice, Stop> {
        let next = self.script.front().map(|choice| choice.to_ascii_lowercase()).unwrap_or_default();
        let suffix = [" now", " after"].into_iter().find(|suffix| next.ends_with(suffix));
        let next = next.strip_suffix(suffix.unwrap_or_default()).unwrap_or_default().trim_end();
        let (now, after) = (suffix == Some(" now"), suffix == Some(" after"));
        let parsed = Choice::parse(state, next);
        let wanted = match (state.phase, parsed) {
            (Phase::Opened, Some(Choice::TowShift(..))) => now,
            (Phase::BeforeAttack | Phase::BeforeConflict, Some(choice @ Choice::TowShift(..))) => {
                !now && !after && rules.bar(state, choice).is_none()
            }
            (phase, Some(choice @ Choice::TowShift(..)))
                if phase == Phase::AfterAttack || phase.is_late() =>
            {
                after && rules.bar(state, choice).is_none()
            }
            (Phase::AfterAttack, Some(Choice::TowReroll(region))) => region == state.region,
            // Only a written `no` answers a window: a `pass` is meant for the grant that follows.
            (phase, _) if phase.is_window() => next == "no",
            (Phase::Action | Phase::FreeAttack, _) if next.is_empty() => return Ok(Choice::Pass),
            _ if next.is_empty() => {
                let missing = format!("a choice is missing for: {}", rules.prompt(state).text);
                return Err(Stop::Incomplete(missing));
            }
            (_, None) => return Err(Stop::Refused(format!("{next:?} is not a choice of this game"))),
            _ => true,
        };
        if wanted {
            self.script.pop_front();
            return Ok(parsed.unwrap_or(Choice::No));
        }
        Ok(Choice::No)
    }
}

fn compare(example: &Example, played: &Played, found: &mut Vec<Mismatch>) {
    let Played { rules, before, after, unused_dice } = played;
    let expect = &example.expect;
    if !unused_dice.is_empty() {
        differ(found, "dice", "all dice are used", format!("{unused_dice:?} were not"));
    }
    for region in Region::ALL {
        let expected = expect.regions[region.index()].unwrap_or(before.at(region));
        if after.at(region) != expected {
            differ(found, region.code(), expected.to_string(), after.at(region).to_string());
        }
    }
    for track in Track::ALL {
        let expected = expect.tracks[track.index()].unwrap_or(before.track(track));
        if after.track(track) != expected {
            differ(found, track.code(), expected.to_string(), after.track(track).to_string());
        }
    }
    compare_tide(expect, before, after, found);
    compare_events(rules, expect, before, after, found);
    let whole_turn = matches!(example.kind, ExampleKind::Turn | ExampleKind::EndTurn);
    let goes_on = whole_turn && after.verdict.is_none();
    let expected = expect.turn.unwrap_or(before.turn + u8::from(goes_on));
    if after.turn != expected {
        differ(found, "turn", expected.to_string(), after.turn.to_string());
    }
    compare_result(rules, example, after, found);
}

fn compare_tide(expect: &Expect, before: &State, after: &State, found: &mut Vec<Mismatch>) {
    let left = expect.tow.unwrap_or(before.tow_left);
    if after.tow_left != left {
        differ(found, "tow", left.to_string(), after.tow_left.to_string());
    }
    let codes = |regions: Regions| format!("{:?}", regions.iter().map(Region::code).collect::<Vec<_>>());
    let used = expect.tow_used.as_ref().map_or(before.tow_used, |used| used.iter().copied().collect());
    if after.tow_used != used {
        differ(found, "tow_used", codes(used), codes(after.tow_used));
    }
    if let Some(attacked) = &expect.attacked {
        let mut counts = [0_u8; 8];
        for region in attacked {
            counts[region.index()] = counts[region.index()].saturating_add(1);
        }
        if after.attacks != counts {
            differ(found, "attacked", format!("{counts:?}"), format!("{:?}", after.attacks));
        }
    }
}

fn compare_events(rules: &Rules, expect: &Expect, before: &State, after: &State, found: &mut Vec<Mismatch>) {
    let (marked, unmarked) = match (event_bits(rules, &expect.marked), event_bits(rules, &expect.unmarked)) {
        (Ok(marked), Ok(unmarked)) => (marked, unmarked),
        (Err(unknown), _) | (_, Err(unknown)) => {
            return differ(found, "events", "titles of this book", unknown);
        }
    };
    let expected = (before.events | marked) & !unmarked;
    for number in (0..24).filter(|number| (expected ^ after.events) >> number & 1 != 0) {
        let words = |bits: u32| if bits >> number & 1 != 0 { "marked" } else { "not marked" };
        let title = format!("event {:?}", rules.box_title(number));
        differ(found, &title, words(expected), words(after.events));
    }
}

fn compare_result(rules: &Rules, example: &Example, after: &State, found: &mut Vec<Mismatch>) {
    let word = after.verdict.map_or("continue", Verdict::word);
    match example.expect.result {
        Some(ExpectedResult::Number(vp)) if rules.vp(after) != vp => {
            differ(found, "result", vp.to_string(), rules.vp(after).to_string());
        }
        Some(ExpectedResult::Verdict(verdict)) if after.verdict != Some(verdict) => {
            differ(found, "result", verdict.word(), word);
        }
        None | Some(ExpectedResult::Continue) if after.verdict.is_some() => {
            differ(found, "result", "continue", word);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples;

    #[test]
    fn every_worked_example_comes_out_as_written() {
        let (list, _) = examples::parse("examples.toml", examples::SOURCE).expect("our examples can be read");
        assert_eq!(list.len(), 92);
        let failed: Vec<String> = list
            .iter()
            .flat_map(|example| run(example).into_iter().map(move |wrong| format!("{} {wrong}", example.id)))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    /// The checker must be able to fail: every expectation turned wrong is noticed.
    #[test]
    fn a_wrong_expectation_is_noticed() {
        let (list, _) = examples::parse("examples.toml", examples::SOURCE).expect("our examples can be read");
        for example in list.iter().filter(|example| !example.expect.error) {
            let mut wrong = example.clone();
            let right = wrong.expect.regions[0];
            wrong.expect.regions[0] = Some(right.unwrap_or(9) ^ 7);
            assert!(!run(&wrong).is_empty(), "{}: a wrong space of WF went unnoticed", example.id);
            let mut refused = example.clone();
            refused.expect.error = true;
            assert!(!run(&refused).is_empty(), "{}: a missing refusal went unnoticed", example.id);
            if let Some(die) = example.dice.len().checked_sub(1) {
                let mut short = example.clone();
                short.dice.truncate(die);
                short.expect.error = true;
                assert!(!run(&short).is_empty(), "{}: a missing die passed for a refusal", example.id);
            }
            let mut unused = example.clone();
            unused.dice.push(6);
            assert!(!run(&unused).is_empty(), "{}: a die too many went unnoticed", example.id);
        }
    }

    /// `pass` ends a grant; it never answers a Tide of War window.
    #[test]
    fn a_pass_is_for_the_grant_and_not_for_a_window() {
        let text = r#"
            format = "echoes-examples/1"
            [[example]]
            id = "two grants"
            kind = "text"
            state = { turn = 12, EMT = 0 }
            do = { text = "Allies: 2 Attacks on EF. 1 Action." }
            choices = ["pass", "shift PMT"]
            expect = { PMT = 0 }
            [[example]]
            id = "after an attack"
            kind = "text"
            state = { turn = 12, EMT = 0 }
            do = { text = "Allies: 2 Attacks. 1 Action." }
            dice = [1]
            choices = ["attack EF", "pass", "shift PMT"]
            expect = { PMT = 0 }
            [[example]]
            id = "a reroll later"
            kind = "text"
            do = { text = "Allies first. Allies: 1 Action. Axis: Attack PAC." }
            dice = [6, 1]
            choices = ["pass", "tow reroll PAC"]
            expect = { tow = 1, tow_used = ["PAC"] }
            [[example]]
            id = "window A"
            kind = "text"
            do = { text = "Axis: Attack PAC." }
            dice = [1]
            choices = ["tow shift ISL PMT now"]
            expect = { PMT = 0, tow = 1, tow_used = ["ISL"] }
        "#;
        let (list, _) = examples::parse("examples", text).expect("the examples can be read");
        for example in &list {
            assert_eq!(run(example), [], "{}", example.id);
        }
    }

    #[test]
    fn more_than_two_attacks_in_a_region_are_refused_in_a_set_up() {
        let attacked = vec![r#""SF""#; 256].join(", ");
        let text = format!(
            "format = \"echoes-examples/1\"\n[[example]]\nid = \"x\"\nkind = \"attack\"\n\
             do = {{ side = \"Allies\", region = \"SF\" }}\nstate = {{ attacked = [{attacked}] }}\n"
        );
        let (list, _) = examples::parse("examples", &text).expect("the example can be read");
        assert!(run(&list[0])[0].found.contains("more than twice"));
    }
}
