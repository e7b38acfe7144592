//! Everything that people read: every event has a line, labels and reasons are words and not ids, and no reason tells what is
//! hidden from the mover.

use kernel::{
    Catalogue as _, Dice, Discard, Fold, Game, LabDice, Match, MatchDice, Mover, Options, Recorder, Viewer,
    Wording,
};
use triumph::{
    Card, Cause, Choice, Class, Command, Deck, Faction, Find, GameEvent, Kind, Part, Parties, Points, Power,
    Tech, Tracks, Triumph, UnitSeen, Verdict,
};

const UNEXPLAINED: &str = "that can't be done now";
const ALIKE: &str = "another unit that is the same";

/// Every set-up, some more often if there is time. `MAPROOM_LONG=1` plays a hundred games of each.
fn set_ups() -> Vec<Triumph> {
    let games = if std::env::var_os("MAPROOM_LONG").is_some() { 100 } else { 2 };
    let all: Vec<Triumph> = Triumph::setups()
        .iter()
        .map(|setup| Triumph::with_options(&setup.options).expect("a set-up has good options"))
        .collect();
    std::iter::repeat_n(all, games).flatten().collect()
}

/// Words for people: no ids, no doubled spaces, no unfinished sentences.
fn check_words(game: &Triumph, text: &str, of: &str) {
    assert!(!text.is_empty() && text.trim() == text, "{of}: {text:?}");
    assert!(!text.contains('_') && !text.contains("  ") && !text.contains("{}"), "{of}: {text:?}");
    let atlas = game.rules().atlas();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let is_id = atlas.find_area(word).is_some()
            || atlas.find_nation(word).is_some()
            || Kind::parse(word).is_some()
            || Tech::parse(word).is_some();
        assert!(!is_id, "{of}: {word:?} is an id in {text:?}");
    }
}

/// Random play; the check sees every position of a seat or of Fate.
fn play(game: &Triumph, seed: u64, mut check: impl FnMut(&Match<Triumph>, &[Choice])) -> Match<Triumph> {
    let mut dice = LabDice::new(seed);
    let mut played = Match::new(game.clone(), MatchDice::seeded(seed + 100));
    while game.outcome(played.state()).is_none() {
        if game.mover(played.state()) == Mover::Fate {
            played.play_forced(&mut Discard);
            continue;
        }
        let listed = played.choices();
        check(&played, &listed);
        let choice = listed[dice.below(listed.len() as u32) as usize];
        played.play(choice, &mut Discard).expect("a listed choice is open");
    }
    played
}

/// Events of every kind, in both forms where there are two.
fn all_events() -> Vec<GameEvent> {
    use GameEvent as E;
    let (axis, west, ussr) = (Faction::Axis, Faction::West, Faction::Ussr);
    let action = Card::new(Deck::Action, 17);
    let investment = Card::new(Deck::Investment, 12);
    let agent = Card::new(Deck::Investment, 31);
    let known = UnitSeen { power: Some(Power::Italy), face: Some((Kind::Infantry, 3)) };
    let unknown = UnitSeen { power: Some(Power::Italy), face: None };
    let fort = UnitSeen { power: None, face: Some((Kind::Fortress, 2)) };
    let points = Points { level: 12, atomic: 1, capitals: 2, chits: 3, wars: 1 };
    let verdicts = [
        Verdict::Economic(axis),
        Verdict::Military(west),
        Verdict::Atomic(ussr),
        Verdict::Hegemony(axis),
        Verdict::Shared(Parties::one(axis).with(west)),
    ];
    let mut all = vec![
        E::YearBegins { year: 37 },
        E::Begins { part: Part::Summer },
        E::Order { die: 3, order: [west, axis, ussr] },
        E::ActiveAlly { faction: west },
        E::Standing { faction: axis, points },
        E::Reshuffled { deck: Deck::Action },
        E::NoChit { faction: axis },
        E::Production { faction: axis, tracks: Tracks { pop: 11, res: 6, ind: 12, level: 11 } },
        E::Bought { faction: axis, deck: Deck::Investment },
        E::Stepped { faction: axis, unit: None },
        E::Stepped { faction: axis, unit: Some((known, 2)) },
        E::ProductionEnds { faction: axis, lost: 0 },
        E::ProductionEnds { faction: axis, lost: 2 },
        E::DiplomacyPlayed { faction: axis, card: action, nation: 16, against: None },
        E::DiplomacyPlayed { faction: axis, card: action, nation: 16, against: Some((west, action)) },
        E::WildPlayed { faction: axis, card: action, nation: 16 },
        E::Influence { nation: 16, influencer: Some(axis), markers: 2 },
        E::Influence { nation: 16, influencer: None, markers: 0 },
        E::Paid { faction: axis, card: investment },
        E::FactoryBuilt { faction: axis, ind: 13 },
        E::Revealed { faction: axis, tech: Tech::Jets },
        E::Vaulted { faction: axis, tech: Some(Tech::Jets) },
        E::Vaulted { faction: axis, tech: None },
        E::SpyPlayed { faction: axis, card: agent, target: west, place: 12 },
        E::Turned { faction: axis, against: west },
        E::NotTurned { faction: axis },
        E::UnitsSeen { of: axis, area: 4, units: vec![known] },
        E::HandSeen { of: axis, cards: vec![action, investment] },
        E::VaultSeen { of: axis, techs: vec![Tech::Sonar, Tech::Jets] },
        E::Looked { faction: axis, of: west },
        E::Stolen { from: axis, by: west, deck: Deck::Action, card: Some(action) },
        E::Stolen { from: axis, by: west, deck: Deck::Action, card: None },
        E::IndustryLost { faction: axis, ind: 11 },
        E::Coup { nation: 16, by: axis },
        E::MoleFails { faction: axis },
        E::Repudiated { faction: axis, nation: 16 },
        E::Joined { nation: 17, faction: axis },
        E::UsaJoins,
        E::Discarded { faction: axis, card: action },
        E::Passed { faction: axis },
        E::Committed { faction: axis, card: Some(action) },
        E::Committed { faction: axis, card: None },
        E::TurnsOrdered { by: axis, order: vec![west, axis] },
        E::TurnBegins { faction: axis, moves: 6, emergency: false },
        E::TurnBegins { faction: axis, moves: 4, emergency: true },
        E::NoTurn { faction: axis },
        E::WarDeclared { by: axis, on: west },
        E::Violated { by: axis, nation: 17 },
        E::Armed { nation: 17 },
        E::Intervened { by: axis, nation: 17 },
        E::ProtectorStands { by: axis, nation: 17 },
        E::ProtectorGivesUp { by: axis, nation: 17 },
        E::Surfaced { faction: axis, area: 110 },
        E::MovesEnd { faction: axis },
        E::BattleDeclared { area: 25, by: axis },
        E::BattleAvoided { area: 25, by: axis },
        E::BattleBegins { area: 25, by: axis, against: Parties::one(west).and(Parties::MINOR) },
        E::BattleBegins { area: 25, by: axis, against: Parties::NONE },
        E::Shown { area: 25, units: vec![known, fort] },
        E::RoundBegins { area: 110, round: 2 },
        E::Fires { unit: known, class: Some(Class::Ground), dice: 3, needs: 3 },
        E::Fires { unit: known, class: None, dice: 1, needs: 1 },
        E::Rolled { dice: 3, hits: 0 },
        E::Rolled { dice: 3, hits: 2 },
        E::Hit { unit: fort, area: 85, left: 1 },
        E::Retreats { unit: known, from: 4, to: 5 },
        E::Rebases { unit: known, from: 110, to: 5 },
        E::EscapesAway { faction: axis, area: 110 },
        E::BattleEnds { area: 25, winner: Some(axis) },
        E::BattleEnds { area: 25, winner: None },
        E::Bombed { faction: axis, ind: 11, lost: 1 },
        E::Bombed { faction: axis, ind: 11, lost: 0 },
        E::Captured { nation: 9, captor: axis, defeated: true },
        E::Captured { nation: 17, captor: axis, defeated: false },
        E::ColonyTaken { nation: 10, faction: axis },
        E::ColonyArmed { nation: 10 },
        E::Unsupplied { faction: axis, area: 25, steps: 2 },
        E::Blockaded { faction: axis, full: 2, med: 1 },
        E::Blockaded { faction: axis, full: 0, med: 0 },
    ];
    for unit in [known, unknown] {
        all.push(E::Placed { unit, area: 4 });
        all.push(E::Built { unit, area: 4 });
        all.push(E::Moved { unit, from: 4, to: 110, via: Some(5), invades: unit.face.is_some() });
    }
    for card in [None, Some(action)] {
        all.push(E::Drawn { faction: axis, deck: Deck::Action, card });
    }
    for value in [None, Some(2)] {
        all.push(E::Chit { faction: axis, value });
    }
    for counts in [Command::Valid, Command::Emergency, Command::Bluff, Command::Defensive] {
        all.push(E::CommandShown { faction: axis, card: action, counts });
    }
    for cause in [Cause::Hits, Cause::Supply, Cause::NowhereToGo, Cause::Disbanded] {
        all.push(E::Lost { unit: known, area: 4, cause });
    }
    all.extend(verdicts.map(|verdict| E::Ended { verdict, points: [points; 3] }));
    all
}

#[test]
fn every_event_has_a_line() {
    let game = Triumph::with_options(&Options::new()).expect("no options are good options");
    for event in all_events() {
        let line = game.log_line(&event);
        check_words(&game, &line.text, &format!("{event:?}"));
        assert!(!line.text.starts_with("Something") && !line.rule.is_empty(), "{event:?}: {line:?}");
        assert!(game.counter(&event).is_none_or(|at| at < game.counters().len()), "{event:?}");
        if let Some(headline) = game.headline(&[&event]) {
            check_words(&game, &headline.text, &format!("headline of {event:?}"));
        }
    }
}

#[test]
fn labels_and_questions_are_words() {
    for (seed, game) in (1..).zip(set_ups()) {
        play(&game, seed, |played, listed| {
            let state = played.state();
            for &choice in listed {
                check_words(&game, &game.label(state, choice), &format!("{choice:?}"));
            }
            let prompt = game.prompt(state);
            check_words(&game, &prompt.text, "prompt");
            check_words(&game, &prompt.waiting, "waiting");
            assert!(!prompt.rule.is_empty(), "{prompt:?}");
            let mut closed = Vec::new();
            game.closed(state, listed, &mut closed);
            for choice in closed {
                check_words(&game, &game.label(state, choice), &format!("closed {choice:?}"));
                check_reason(&game, state, listed, choice);
            }
        });
    }
}

/// A reason is specific, and what is said to be listed instead is listed.
fn check_reason(game: &Triumph, state: &triumph::State, listed: &[Choice], choice: Choice) {
    let refusal = game.why_not(state, choice);
    check_words(game, &refusal.reason, &format!("why not {choice:?}"));
    assert!(!refusal.rule.is_empty() && refusal.reason != UNEXPLAINED, "{choice:?}: {refusal:?}");
    if refusal.reason.starts_with(ALIKE) {
        let unit = |choice: &Choice| choice.block().map(|block| (block, state.blocks[block]));
        let (at, own) = unit(&choice).expect("a choice with a unit");
        let same = |other: &Choice| {
            std::mem::discriminant(other) == std::mem::discriminant(&choice)
                && unit(other).is_some_and(|(block, other)| {
                    Power::of_block(block) == Power::of_block(at)
                        && (other.kind, other.area) == (own.kind, own.area)
                })
        };
        assert!(listed.iter().any(same), "{choice:?} at {:?}: nothing alike is listed", state.stage);
    }
}

/// Some choice or other, open or not.
fn any_choice<D: Dice>(dice: &mut D) -> Choice {
    let block = dice.below(226) as u8;
    let (area, other) = (dice.below(136) as u8, dice.below(136) as u8);
    let nation = dice.below(36) as u8;
    let faction = Faction::at(dice.below(3) as usize);
    let deck = Deck::ALL[dice.below(2) as usize];
    let (card, second) =
        (Card::new(deck, dice.below(55) as u8), Card::new(Deck::Investment, dice.below(55) as u8));
    let kind = Kind::at(dice.below(7) as usize);
    let find = Find::new(Tech::at(dice.below(14) as usize), dice.below(2) == 0);
    let via = if dice.below(2) == 0 { 255 } else { other };
    match dice.below(50) {
        0 => Choice::Cadre(kind),
        1 => Choice::Card(card),
        2 => Choice::Chit(dice.below(3) as u8),
        3 => Choice::Die(dice.below(7) as u8),
        4 => Choice::Hits(dice.below(9) as u8),
        5 => Choice::FromDeck(dice.below(2) == 0),
        6 => Choice::Active(faction),
        7 => Choice::Arrive(area),
        8 => Choice::Disband(block),
        9 => Choice::BuyAction,
        10 => Choice::BuyInvestment,
        11 => Choice::Strengthen,
        12 => Choice::Build,
        13 => Choice::Finish,
        14 => Choice::Step(block),
        15 => Choice::New(Power::ALL[dice.below(6) as usize], kind),
        16 => Choice::At(area),
        17 => Choice::Diplomacy(card, nation),
        18 => Choice::Wild(card, nation),
        19 => Choice::Factory,
        20 => Choice::Pay(card),
        21 => Choice::Pair(card, second, find),
        22 => Choice::Spy(card, faction, if via == 255 { via } else { nation }),
        23 => Choice::Reveal(find.tech()),
        24 => Choice::Repudiate(nation),
        25 => Choice::Pass,
        26 => Choice::DoubleAgent,
        27 => Choice::LetItPass,
        28 => Choice::Aim(nation),
        29 => Choice::Take(card, find),
        30 => Choice::Nothing,
        31 => Choice::Muster(kind),
        32 => Choice::Discard(card),
        33 => Choice::Commit(card),
        34 => Choice::Order([faction, Faction::West, Faction::Axis]),
        35 => Choice::War(faction),
        36 => Choice::Violate(nation),
        37 => Choice::Intervene(nation),
        38 => Choice::Bomb,
        39 => Choice::Surface(block),
        40 => Choice::Move(block),
        41 => Choice::To(area, via),
        42 => Choice::End,
        43 => [Choice::StandBy, Choice::GiveUp][dice.below(2) as usize],
        44 => [Choice::Fight(area), Choice::Avoid(area), Choice::Select(area)][dice.below(3) as usize],
        45 => Choice::Against(Parties(1 + dice.below(15) as u8)),
        46 => Choice::Group(block),
        47 => Choice::Fire(block, Class::ALL[dice.below(4) as usize]),
        48 => [Choice::Raid(block), Choice::Strike(block), Choice::Hit(block), Choice::Escape(block)]
            [dice.below(4) as usize],
        _ => [Choice::Retreat(block, area), Choice::Rebase(block, area)][dice.below(2) as usize],
    }
}

/// Choices of the kind that is asked now, with any unit, card and place.
fn near_choices(listed: &[Choice], dice: &mut LabDice) -> Vec<Choice> {
    let mut found = Vec::new();
    for _ in 0..300 {
        let choice = any_choice(dice);
        if listed.iter().any(|open| std::mem::discriminant(open) == std::mem::discriminant(&choice)) {
            found.push(choice);
        }
        if found.len() == 12 {
            break;
        }
    }
    found
}

#[test]
fn whatever_is_not_listed_has_a_reason_that_tells_nothing_hidden() {
    for (seed, game) in (11..).zip(set_ups()) {
        let mut dice = LabDice::new(seed);
        play(&game, seed, |played, listed| {
            let state = played.state();
            let Mover::Seat(seat) = game.mover(state) else { return };
            let guess = game.determinize(&game.view(state, Viewer::Seat(seat)), &mut dice);
            let mut asked = near_choices(listed, &mut dice);
            asked.extend((0..12).map(|_| any_choice(&mut dice)));
            asked.retain(|choice| !listed.contains(choice));
            for choice in asked {
                assert!(!game.label(state, choice).is_empty());
                check_reason(&game, state, listed, choice);
                let (told, guessed) = (game.why_not(state, choice), game.why_not(&guess, choice));
                assert_eq!(told, guessed, "{choice:?} at {:?} tells something hidden", state.stage);
            }
        });
    }
}

#[test]
fn every_viewer_reads_sentences_in_the_log() {
    for (seed, game) in (21..).zip(set_ups()) {
        let played = play(&game, seed, |_, _| {});
        let seats = (0..game.seats().len()).map(|at| Viewer::Seat(kernel::Seat(at as u8)));
        for viewer in seats.chain([Viewer::Spectator]) {
            let actions = played.actions(0..played.log().len(), viewer);
            assert!(actions.len() * 2 < played.log().len(), "actions, not clicks");
            for action in actions {
                let Some(line) = action.headline else { continue };
                check_words(&game, &line.text, "headline");
                assert!(!line.rule.is_empty(), "{line:?}");
            }
        }
    }
}

#[test]
fn a_battle_is_one_action() {
    let game = Triumph::with_options(&Options::new()).expect("no options are good options");
    let played = play(&game, 31, |_, _| {});
    let mut state = game.start();
    for step in played.log().from(0) {
        let mut recorder = Recorder::default();
        let fold = game.fold(&state, step.choice);
        game.apply(&mut state, step.choice, &mut recorder);
        let begins = recorder.events.iter().any(|(_, event)| matches!(event, GameEvent::BattleBegins { .. }));
        let fires = recorder.events.iter().any(|(_, event)| matches!(event, GameEvent::Rolled { .. }));
        assert!(!begins || matches!(step.choice, Choice::Against(_)) || fold == Fold::Begins);
        assert!(!fires || fold == Fold::Continues);
    }
}

#[test]
fn views_are_described_without_secrets() {
    let game = Triumph::with_options(&Options::new()).expect("no options are good options");
    play(&game, 41, |played, _| {
        let view = game.view(played.state(), Viewer::Spectator);
        let text = game.describe(&view).to_string();
        assert!(!text.contains("\"hand\"") && !text.contains("peace_dividend_values"));
        assert!(!game.picture(&view).contains("Hand of"));
        let own = game.view(played.state(), Viewer::Seat(kernel::Seat(1)));
        assert_eq!(game.describe(&own).to_string().matches("\"hand\"").count(), 1);
        assert!(game.picture(&own).contains("Hand of the West"));
    });
}

#[test]
fn turns_are_seasons_of_a_year() {
    for game in set_ups() {
        let start = game.start();
        let first = game.turn_title(game.turn(&start));
        assert!(["New Year 1936", "Before 1939"].contains(&first.as_str()), "{first}");
        assert_eq!(game.turn_title(18), "Summer 1939");
    }
}
