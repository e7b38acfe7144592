//! Plays worked examples and compares what comes of them. Rule 12.

use std::collections::VecDeque;

use diagnostics::examples::Mismatch;
use kernel::{Discard, Mover};

use crate::choice::Choice;
use crate::examples::{Example, ExampleKind, Expect, Position};
use crate::pool::Pool;
use crate::rules::Rules;
use crate::settings::{BoardKind, Difficulty, Settings};
use crate::state::{Phase, Placed, Placing, Stage, State, Verdict};
use crate::units::{Kind, Side};

/// Plays an example; an empty list means that all is as it should be.
pub fn run(example: &Example) -> Vec<Mismatch> {
    match play(example) {
        Ok(wrong) => wrong,
        Err(why) => vec![Mismatch::new("example", "a complete example", why)],
    }
}

fn play(example: &Example) -> Result<Vec<Mismatch>, String> {
    let solo = matches!(
        example.kind,
        ExampleKind::BotPlace | ExampleKind::BotSelect | ExampleKind::BotStrategic | ExampleKind::SetUp
    );
    let settings = if solo {
        let default =
            if example.board == BoardKind::Nippon { Difficulty::Standard } else { Difficulty::Medium };
        Settings::solo(example.board, example.action.level.unwrap_or(default))
    } else {
        Settings::two_player(example.board)
    };
    let rules = Rules::new(settings);
    let mut table = ExampleTable::new(&rules, example)?;
    let action = &example.action;
    let missing = |what: &str| format!("action.{what} is missing");
    let mut wrong = Vec::new();
    match example.kind {
        ExampleKind::Place | ExampleKind::BotPlace => table.place(example)?,
        ExampleKind::Legal | ExampleKind::Illegal => {
            let unit = action.unit.ok_or_else(|| missing("unit"))?;
            let at = action.at.ok_or_else(|| missing("at"))?;
            let choice = Choice::Place { kind: unit, space: at };
            let legal = rules.refusal(&table.state, choice).is_none();
            let illegal = (example.kind == ExampleKind::Illegal).then_some(false);
            compare(&mut wrong, "legal", &example.expect.legal.or(illegal), &legal)?;
        }
        ExampleKind::Strength => {
            let unit = action.unit.ok_or_else(|| missing("unit"))?;
            let theatre = action.theatre.ok_or_else(|| missing("theatre"))?;
            let side = table.state.side;
            let unit = rules.played(&table.state, side, unit).ok_or("the spy has nothing to copy")?;
            let strength = rules.strength(&table.state, side, unit, theatre);
            compare(&mut wrong, "strength", &example.expect.strength, &strength)?;
        }
        ExampleKind::Stuck => {
            let mut choices = Vec::new();
            rules.list(&table.state, &mut choices);
            let placements =
                choices.iter().filter(|choice| matches!(choice, Choice::Place { .. })).count() as u16;
            compare(&mut wrong, "placements", &example.expect.placements, &placements)?;
        }
        ExampleKind::BotSelect => {
            let die = action.die.ok_or_else(|| missing("die"))?;
            let selection =
                rules.select(&table.state, Side::First, action.stratagem, action.theatre, &mut Discard);
            let selection = selection.ok_or("the bot can place nothing")?;
            let at = Rules::unit_of_die(selection.units, die);
            let space = |space: &u8| rules.space(*space).name.clone();
            let expected = example.expect.at.as_ref().map(space);
            compare(&mut wrong, "at", &expected, &space(&selection.space))?;
            let unit = table.state.hands[0].as_slice()[at];
            compare(&mut wrong, "unit", &example.expect.unit, &unit)?;
            if example.expect.index.is_some() {
                compare(&mut wrong, "index", &example.expect.index, &(at as u8 + 1))?;
            }
        }
        ExampleKind::BotStrategic => {
            let from = action.theatre.ok_or_else(|| missing("from"))?;
            let n = action.n.ok_or_else(|| missing("n"))? as i8;
            let targets = table.state.open & !(1 << from);
            if targets == 0 {
                return Err("no other theatre is open".to_owned());
            }
            let (target, _) = rules.greatest_target(&table.state, Side::First, targets, n);
            let id = |theatre: &u8| rules.theatre(*theatre).id.clone();
            let expected = example.expect.target.as_ref().map(id);
            compare(&mut wrong, "target", &expected, &id(&target))?;
        }
        ExampleKind::EndCheck => {
            rules.end_turn(&mut table.state, &mut Discard);
            let winner = table.state.verdict.map(Verdict::winner);
            compare(&mut wrong, "winner", &example.expect.winner, &winner)?;
        }
        ExampleKind::SetUp => table.set_up(example)?,
    }
    compare_state(&rules, &example.expect, &table.state, &mut wrong);
    Ok(wrong)
}

/// Compares an answer with what an example must expect.
fn compare<T: PartialEq + std::fmt::Debug>(
    wrong: &mut Vec<Mismatch>,
    what: &str,
    expected: &Option<T>,
    found: &T,
) -> Result<(), String> {
    let expected = expected.as_ref().ok_or_else(|| format!("expect.{what} is missing"))?;
    if expected != found {
        wrong.push(Mismatch::new(what, format!("{expected:?}"), format!("{found:?}")));
    }
    Ok(())
}

/// A position with tokens that come in a given order.
struct ExampleTable<'a> {
    rules: &'a Rules,
    state: State,
    bags: [VecDeque<Kind>; 2],
    pile: VecDeque<Kind>,
}

impl<'a> ExampleTable<'a> {
    fn new(rules: &'a Rules, example: &Example) -> Result<Self, String> {
        let position = &example.position;
        let mut state = rules.start();
        state.phase = Phase::Place;
        state.stage = Stage::Ready;
        state.placing = Placing::NOTHING;
        state.turn = 1;
        state.side = example.action.side.unwrap_or(Side::First);
        state.hands = position.hands.each_ref().map(|hand| hand.iter().copied().collect());
        state.bags = position.bags.each_ref().map(|bag| Pool::of(bag.iter().copied()));
        state.pile = Pool::of(position.pile.iter().copied());
        state.vp = position.vp.unwrap_or_default();
        state.last = position.last;
        put_on_board(rules, &mut state, position)?;
        let bags = position.bags.each_ref().map(|bag| bag.iter().copied().collect());
        let pile = position.pile.iter().copied().collect();
        let mut table = Self { rules, state, bags, pile };
        if example.kind == ExampleKind::SetUp {
            table.state = rules.start();
        }
        Ok(table)
    }

    /// One placement and everything that follows up to the draw at the end of the turn.
    fn place(&mut self, example: &Example) -> Result<(), String> {
        let action = &example.action;
        let unit = action.unit.ok_or("action.unit is missing")?;
        let at = action.at.ok_or("action.at is missing")?;
        let choice = Choice::Place { kind: unit, space: at };
        if let Some(refusal) = self.rules.refusal(&self.state, choice) {
            // The bot's own placements are never asked of a player, but they obey the same rules.
            return Err(format!("the placement is refused: {refusal}"));
        }
        let turn = self.state.turn;
        self.rules.play(&mut self.state, choice, &mut Discard);
        let mut targets: VecDeque<u8> = action.strategic_to.iter().copied().collect();
        let mut bombed: VecDeque<Kind> = action.bomb.iter().copied().collect();
        let mut cities: VecDeque<u8> = action.open_to.iter().copied().collect();
        while self.state.turn == turn && self.state.phase != Phase::Over {
            let choice = match self.state.phase {
                Phase::Draw if self.state.stage == Stage::TurnDraw && !action.draw => break,
                Phase::Draw => Choice::Draw(self.next_of_bag()?),
                Phase::Research => Choice::Research(self.pile.pop_front().ok_or("the pile is empty")?),
                Phase::Blitz => Choice::Stop,
                Phase::Strategic => self.given(targets.pop_front().map(Choice::Strategic)),
                Phase::BombRow => self.given(bombed.pop_front().map(|kind| self.bombing(kind))),
                Phase::Open => self.given(cities.pop_front().map(Choice::Open)),
                _ if self.rules.mover(&self.state) == Mover::Fate => self.rules.drawn(&self.state, 0),
                phase => return Err(format!("nothing is said for {phase:?}")),
            };
            if let Some(refusal) = self.rules.refusal(&self.state, choice) {
                return Err(format!("{choice:?} is refused: {refusal}"));
            }
            let victim = self.state.side.enemy().index();
            match choice {
                Choice::Hit(kind) => self.bags[victim].push_back(kind),
                Choice::BombAt(place) => {
                    let kind = self.state.hands[victim].as_slice()[usize::from(place)];
                    self.bags[victim].push_back(kind);
                }
                _ => {}
            }
            if let (Choice::Research(kind), true) =
                (choice, self.state.placing.effect != crate::layout::Effect::ResearchIndustry)
            {
                self.bags[self.state.side.index()].push_back(kind);
            }
            self.rules.play(&mut self.state, choice, &mut Discard);
        }
        let unused = targets.len() + bombed.len() + cities.len();
        if unused > 0 { Err(format!("{unused} of the given choices were never asked for")) } else { Ok(()) }
    }

    /// The bombing of the leftmost unit of a kind in the bot's row.
    fn bombing(&self, kind: Kind) -> Choice {
        let row = self.state.hands[self.state.side.enemy().index()].as_slice();
        let place = row.iter().position(|token| *token == kind).unwrap_or(row.len());
        Choice::BombAt(place as u8)
    }

    /// A given choice, or what the quick player would do.
    fn given(&self, choice: Option<Choice>) -> Choice {
        choice.unwrap_or_else(|| {
            let mut choices = Vec::new();
            self.rules.list(&self.state, &mut choices);
            choices[self.rules.quick_choice(&self.state, &choices)]
        })
    }

    fn next_of_bag(&mut self) -> Result<Kind, String> {
        let next = self.bags[self.state.side.index()].pop_front();
        next.ok_or_else(|| "the bag is empty".to_owned())
    }

    /// Deals, and rolls the bot's advantage. Rules 8.3, 10.7.
    fn set_up(&mut self, example: &Example) -> Result<(), String> {
        let mut rolls = example.action.rolls.iter();
        let mut choices = example.action.choices.iter();
        while self.state.turn == 0 {
            let choice = match self.state.phase {
                Phase::Difficulty => Choice::Die(*rolls.next().ok_or("a roll is missing")?),
                Phase::NameTheatre => Choice::Theatre(*choices.next().ok_or("a choice is missing")?),
                Phase::StartCity => Choice::City(*choices.next().ok_or("a city is missing")?),
                _ => self.rules.drawn(&self.state, 0),
            };
            if let Some(refusal) = self.rules.refusal(&self.state, choice) {
                return Err(format!("{choice:?} is refused: {refusal}"));
            }
            self.rules.play(&mut self.state, choice, &mut Discard);
        }
        if rolls.next().is_some() || choices.next().is_some() {
            return Err("there are more rolls or choices than are asked for".to_owned());
        }
        Ok(())
    }
}

/// Puts units, finished campaigns and markers where an example has them.
fn put_on_board(rules: &Rules, state: &mut State, position: &Position) -> Result<(), String> {
    if let Some(open) = &position.open {
        state.open = open.iter().fold(0, |all, theatre| all | 1 << theatre);
    }
    for &(theatre, done) in &position.done {
        let campaigns = &rules.theatre(theatre).campaigns;
        let finished = campaigns.get(..usize::from(done)).ok_or("more campaigns are done than there are")?;
        // They are full, of whatever it was.
        state.occupied |= finished.iter().fold(0, |all, campaign| all | campaign.mask);
        state.active[usize::from(theatre)] = done;
    }
    for &(space, side, kind) in &position.filled {
        state.units[usize::from(space)] = Placed::new(side, kind);
        state.occupied |= 1 << space;
    }
    for &(theatre, marker) in &position.tracks {
        state.tracks[usize::from(theatre)] = marker;
    }
    for &theatre in &position.closed {
        state.open &= !(1 << theatre);
        state.closed |= 1 << theatre;
        state.active[usize::from(theatre)] = rules.theatre(theatre).campaigns.len() as u8;
    }
    for theatre in 0..rules.layout.theatres.len() as u8 {
        rules.refresh(state, theatre);
    }
    Ok(())
}

fn compare_state(rules: &Rules, expect: &Expect, state: &State, wrong: &mut Vec<Mismatch>) {
    let mut differ = |what: String, expected: String, found: String| {
        if expected != found {
            wrong.push(Mismatch { what, expected, found });
        }
    };
    let id = |theatre: u8| rules.theatre(theatre).id.clone();
    for &(theatre, marker) in &expect.tracks {
        differ(id(theatre), marker.to_string(), state.track(theatre).to_string());
    }
    for &(theatre, campaign) in &expect.active {
        let found = state.active[usize::from(theatre)] + 1;
        differ(format!("active campaign of {}", id(theatre)), campaign.to_string(), found.to_string());
    }
    for (theatre, status) in &expect.status {
        let found = match () {
            () if state.is_open(*theatre) => "open",
            () if state.is_closed(*theatre) => "closed",
            () => "locked",
        };
        differ(format!("state of {}", id(*theatre)), status.clone(), found.to_owned());
    }
    if let Some(vp) = expect.vp {
        differ("vp".to_owned(), format!("{vp:?}"), format!("{:?}", state.vp));
    }
    let mut size = |what: &str, expected: Option<u8>, found: usize| {
        if let Some(expected) = expected {
            differ(what.to_owned(), expected.to_string(), found.to_string());
        }
    };
    for side in Side::ALL {
        let at = side.index();
        size("hand size", expect.hand_sizes[at], state.hands[at].len());
        size("bag size", expect.bag_sizes[at], state.bags[at].len() as usize);
    }
    size("pile size", expect.pile_size, state.pile.len() as usize);
    for side in Side::ALL {
        let at = side.index();
        if let Some(hand) = &expect.hands[at] {
            let words = |kinds: &[Kind]| kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(" ");
            differ("reserve".to_owned(), words(hand), words(state.hands[at].as_slice()));
        }
        for kind in &expect.bag_has[at] {
            let found = if state.bags[at].has(*kind) { kind.word() } else { "none" };
            differ("in the bag".to_owned(), kind.word().to_owned(), found.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples;

    fn list() -> Vec<Example> {
        let (list, problems) = examples::read("examples.toml", examples::SOURCE).expect("it can be read");
        assert!(problems.is_empty(), "{problems}");
        list
    }

    #[test]
    fn every_worked_example_comes_out_as_written() {
        let list = list();
        assert!(list.len() >= 52, "{} examples", list.len());
        let failed: Vec<String> = list
            .iter()
            .flat_map(|example| run(example).into_iter().map(move |wrong| format!("{} {wrong}", example.id)))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }

    /// Changes one thing that an example expects; `None` if it does not expect it.
    type Change = fn(&mut Expect) -> Option<()>;

    const CHANGES: [Change; 18] = [
        |expect| expect.tracks.first_mut().map(|(_, marker)| *marker += 1),
        |expect| expect.tracks.last_mut().map(|(_, marker)| *marker -= 1),
        |expect| expect.vp.as_mut().map(|vp| vp[0] += 1),
        |expect| expect.vp.as_mut().map(|vp| vp[1] += 1),
        |expect| expect.hands.iter_mut().flatten().next().map(|hand| hand.push(Kind::Spy)),
        |expect| expect.hand_sizes.iter_mut().flatten().next().map(|size| *size += 1),
        |expect| expect.bag_sizes.iter_mut().flatten().next().map(|size| *size += 1),
        |expect| expect.bag_has.iter_mut().flatten().next().map(|kind| *kind = Kind::Godzilla),
        |expect| expect.pile_size.as_mut().map(|size| *size += 1),
        |expect| expect.active.first_mut().map(|(_, campaign)| *campaign += 1),
        |expect| expect.status.first_mut().map(|(_, status)| status.push('!')),
        |expect| expect.legal.as_mut().map(|legal| *legal = !*legal),
        |expect| expect.strength.as_mut().map(|strength| *strength += 1),
        |expect| expect.placements.as_mut().map(|placements| *placements += 1),
        |expect| expect.at.as_mut().map(|at| *at = (*at + 1) % 40),
        |expect| expect.unit.as_mut().map(|unit| *unit = Kind::Nuclear),
        |expect| expect.index.as_mut().map(|index| *index += 1),
        |expect| expect.target.as_mut().map(|target| *target = (*target + 1) % 5),
    ];

    /// The checker must be able to fail: every expectation turned wrong, one at a time, is noticed.
    #[test]
    fn a_wrong_expectation_is_noticed() {
        let mut noticed = [0; CHANGES.len()];
        for example in list() {
            for (at, change) in CHANGES.iter().enumerate() {
                let mut wrong = example.clone();
                if change(&mut wrong.expect).is_some() {
                    assert!(!run(&wrong).is_empty(), "{}: change {at} went unnoticed", example.id);
                    noticed[at] += 1;
                }
            }
            let mut wrong = example.clone();
            if let Some(winner) = &mut wrong.expect.winner {
                *winner = winner.map(Side::enemy);
                assert!(!run(&wrong).is_empty(), "{}: a wrong winner went unnoticed", example.id);
            }
        }
        assert!(noticed.iter().all(|count| *count > 0), "{noticed:?}");
    }

    /// What can't be an example is refused with the reason, and nothing breaks.
    #[test]
    fn bad_examples_are_refused() {
        let head = "schema = 1\n[[example]]\nid = \"X\"\ntitle = \"x\"\n";
        let many = vec!["\"army1\""; 60].join(", ");
        for (body, words) in [
            ("kind = \"place\"\n".to_owned(), "expects nothing"),
            ("kind = \"stuck\"\nexpect = { strength = 1 }\n".to_owned(), "unknown key"),
            (
                "kind = \"stuck\"\naction = { die = 1 }\nexpect = { placements = 0 }\n".to_owned(),
                "unknown key",
            ),
            ("kind = \"illegal\"\nexpect = { legal = true }\n".to_owned(), "can't be legal"),
            (
                format!(
                    "kind = \"stuck\"\nsetup = {{ hand_first = [{many}] }}\nexpect = {{ placements = 1 }}\n"
                ),
                "not so many army1",
            ),
            (
                "kind = \"legal\"\naction = { at = \"WE.9.9\" }\nexpect = { legal = true }\n".to_owned(),
                "no space",
            ),
        ] {
            let (list, problems) =
                examples::read("x.toml", &format!("{head}{body}")).expect("the file can be read");
            assert!(list.is_empty() && problems.to_string().contains(words), "{body}\n{problems}");
        }
    }
}
