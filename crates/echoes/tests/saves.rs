//! Saves: they keep everything, they say where they are wrong, and nothing in them can be forged unnoticed.

mod mutation;
mod reports;

use std::time::{Duration, Instant};

use echoes::{Choice, Echoes, Edition};
use kernel::{
    Actor, Dice as _, DiceProof, Discard, Game as _, LabDice, Loaded, MAX_SAVE_BYTES, Match, MatchDice,
    Mover, Options, Secret, SecretPolicy, game_of_save,
};
use mutation::{Random, mutate};
use reports::check_report;

type War = Match<Echoes>;

const NAME: &str = "war.match";
const OWN_BOOK: &str = include_str!("data/own-book.txt");

fn edition(edition: Edition, spread: u8) -> Echoes {
    Echoes::edition(edition, spread).unwrap_or_else(|why| panic!("{why}"))
}

fn own_book() -> Echoes {
    let options = Options::from([("book".to_owned(), OWN_BOOK.to_owned())]);
    Echoes::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

/// Random choices until the log has so many steps, or to the end.
fn play_on(war: &mut War, seed: u64, steps: usize) {
    let mut random = LabDice::new(seed);
    while war.log().len() < steps && war.mover() != Mover::Nobody {
        let choices = war.choices();
        let pick = choices[random.below(choices.len() as u32) as usize];
        match (war.mover(), war.dice()) {
            (Mover::Fate, MatchDice::Own) => war.fate(Some(pick), &mut Discard),
            (Mover::Fate, _) => war.fate(None, &mut Discard),
            _ => war.play(pick, &mut Discard),
        }
        .expect("a listed choice is open");
    }
}

fn war(game: Echoes, dice: MatchDice, steps: usize) -> War {
    let mut war = Match::new(game, dice);
    play_on(&mut war, 7, steps);
    war
}

fn finished(seed: u64) -> War {
    war(edition(Edition::Allied, 1), MatchDice::seeded(seed), usize::MAX)
}

#[track_caller]
fn load(text: &str) -> Loaded<Echoes> {
    War::load(NAME, text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// The report on a save that must be refused.
#[track_caller]
fn refusal(text: &str) -> String {
    let error = War::load(NAME, text).err().unwrap_or_else(|| panic!("was accepted:\n{text}"));
    check_report(error.problems(), text);
    error.to_string()
}

/// The number of the first line that begins with a header.
fn line_of(text: &str, header: &str) -> usize {
    text.lines().position(|line| line.starts_with(header)).expect("the header is there") + 1
}

#[test]
fn every_match_comes_back_as_it_was() {
    for game in [edition(Edition::Allied, 1), edition(Edition::Axis, 14), own_book()] {
        for dice in [MatchDice::seeded(5), MatchDice::fair(Secret([9; 32])), MatchDice::Own] {
            for steps in [0, 1, 2, 30, 64, 65, usize::MAX] {
                let before = war(game.clone(), dice.clone(), steps);
                let text = before.save(SecretPolicy::Keep);
                let Loaded { game_match: after, notes, uncompared } = load(&text);
                assert_eq!(uncompared, 0);
                assert_eq!((after.state(), after.log()), (before.state(), before.log()));
                assert_eq!((after.dice(), after.draws()), (before.dice(), before.draws()));
                assert_eq!(after.game().options(), before.game().options());
                assert_eq!((after.save(SecretPolicy::Keep), notes), (text.clone(), Vec::new()));
                assert_eq!(load(&text.replace('\n', "\r\n")).game_match.log(), before.log());
                assert_eq!(game_of_save(&text), Some("echoes"));
            }
        }
    }
}

#[test]
fn a_loaded_match_goes_on_with_the_same_dice() {
    let mut here = war(edition(Edition::Axis, 1), MatchDice::seeded(11), 40);
    let mut there = load(&here.save(SecretPolicy::Keep)).game_match;
    play_on(&mut here, 3, usize::MAX);
    play_on(&mut there, 3, usize::MAX);
    assert_eq!(here.save(SecretPolicy::Keep), there.save(SecretPolicy::Keep));
    assert!(here.game().outcome(here.state()).is_some());
}

#[test]
fn the_save_of_an_own_book_holds_the_book() {
    let text = war(own_book(), MatchDice::seeded(2), usize::MAX).save(SecretPolicy::Keep);
    assert!(OWN_BOOK.lines().all(|line| text.contains(&format!("\n|{line}\n"))));
    let loaded = load(&text).game_match;
    assert_eq!(loaded.game().options().get("book").map(String::as_str), Some(OWN_BOOK));
    assert_eq!(loaded.game().rules().book.title, "A war of our own");
    // A typing error in the embedded book is named with its place in the book and in the save.
    let why = refusal(&text.replace("|Axis: None. Allies: Skip.", "|Axis: Nothing. Allies: Skip."));
    let line =
        OWN_BOOK.lines().position(|line| line == "Axis: None. Allies: Skip.").expect("in the book") + 1;
    assert!(why.contains(&format!("book:{line}:7")) && why.contains("unknown word \"Nothing\""), "{why}");
    assert!(why.contains(&format!("{NAME}:")), "{why}");
}

#[test]
fn a_take_back_across_a_die_is_noted() {
    let mut war = war(edition(Edition::Allied, 1), MatchDice::seeded(4), 50);
    while war.takebacks() == 0 {
        war.undo(kernel::Seat(0), kernel::Undo::Turn).expect("a decision to take back");
    }
    let loaded = load(&war.save(SecretPolicy::Keep));
    assert_eq!(loaded.game_match.takebacks(), 1);
    assert_eq!(loaded.notes, ["one undo past a die roll"]);
}

#[test]
fn a_save_that_is_cut_off_is_refused_at_every_line() {
    for war in [finished(1), war(own_book(), MatchDice::seeded(1), 60), war(own_book(), MatchDice::Own, 60)] {
        let text = war.save(SecretPolicy::Keep);
        let lines: Vec<&str> = text.lines().collect();
        for kept in 0..lines.len() {
            let cut = lines[..kept].join("\n");
            // Only what stands behind the last choice may be missing, and then only comments and blanks.
            refusal(&cut);
            refusal(&format!("{cut}\n"));
        }
        for at in (0..text.trim_end().len()).filter(|at| text.is_char_boundary(*at)) {
            let cut = &text[..at];
            if cut.trim_end().len() == cut.len() && text.as_bytes()[at].is_ascii_alphanumeric() {
                refusal(cut);
            }
        }
    }
}

#[test]
fn a_cut_log_says_how_much_is_missing() {
    let text = war(edition(Edition::Allied, 1), MatchDice::seeded(1), 20).save(SecretPolicy::Keep);
    let cut = text.trim_end().rsplit_once('\n').expect("many lines").0;
    let why = refusal(cut);
    assert!(why.contains("the log has 19 choices, the header says 20"), "{why}");
    assert!(why.contains(&format!("{NAME}:{}:1", line_of(cut, "steps:"))), "{why}");
    assert!(why.contains("cut off"), "{why}");
}

/// A save with another rules version in its header.
fn aged(text: &str) -> String {
    text.replacen("\nrules: 3\n", "\nrules: 0.9\n", 1)
}

#[test]
fn other_rules_with_the_same_states_load_with_a_note() {
    let war = finished(3);
    let loaded = load(&aged(&war.save(SecretPolicy::Keep)));
    let expected = format!(
        "started under rules 0.9; all {} choices lead to the same states under rules 3",
        war.log().len()
    );
    assert_eq!(loaded.notes, [expected]);
    assert_eq!(loaded.game_match.state(), war.state());
}

#[test]
fn other_rules_that_part_name_both_versions_and_the_step() {
    let war = finished(3);
    let text = aged(&war.save(SecretPolicy::Keep));
    for step in [1, 17, war.log().len()] {
        let digest = war.digests(step - 1..step)[0].to_string();
        let line =
            text.lines().position(|line| line.trim_start().starts_with(&format!("{step} "))).expect("a step");
        let altered: Vec<String> = text
            .lines()
            .enumerate()
            .map(|(at, text)| if at == line { text.replace(&digest, "0badc0de") } else { text.to_owned() })
            .collect();
        let why = refusal(&altered.join("\n"));
        for part in [
            format!("leads to another state ({digest}) than the save says (0badc0de)"),
            format!("{NAME}:{}:1, step {step}, Turn ", line + 1),
            "started under rules 0.9, which differ from the current ones".to_owned(),
            format!("{NAME}:3:1"),
            "expected rules 3".to_owned(),
            "the file is untouched".to_owned(),
        ] {
            assert!(why.contains(&part), "{part}\n{why}");
        }
        // Under the same version the same change is not blamed on the rules.
        let same = altered.join("\n").replacen("rules: 0.9", "rules: 3", 1);
        assert!(!refusal(&same).contains("started under rules"));
    }
}

#[test]
fn other_rules_are_named_when_an_option_or_a_choice_is_no_longer_known() {
    let text = aged(&war(edition(Edition::Allied, 1), MatchDice::seeded(3), 12).save(SecretPolicy::Keep));
    for (from, to) in [("option spread: 1", "option weather: on"), ("attack", "assault"), ("no  ", "nay ")] {
        if text.contains(from) {
            let why = refusal(&text.replacen(from, to, 1));
            assert!(why.contains("started under rules 0.9") && why.contains("expected rules 3"), "{why}");
        }
    }
}

#[test]
fn the_secret_is_withheld_until_the_game_is_over() {
    let secret = Secret::from_seed(6).reveal();
    let mut war = war(edition(Edition::Allied, 1), MatchDice::seeded(6), 30);
    let kept = war.save(SecretPolicy::Keep);
    assert!(kept.contains(&format!("\nsecret: {secret}\nseed: 6\n")));
    let published = war.save(SecretPolicy::Withhold);
    assert!(!published.contains(&secret) && !published.contains("seed:"), "{published}");
    assert!(published.contains(&Secret::from_seed(6).commitment().to_string()));
    // Without the secret the match can be looked at, but no further die can be rolled.
    let (loaded, proof) = War::verify(NAME, &published).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(proof, DiceProof::NotYet);
    let mut looked_at = loaded.game_match;
    assert_eq!(looked_at.next_draw(), None);
    looked_at.play_forced(&mut Discard);
    while looked_at.mover() != Mover::Fate {
        looked_at.play(looked_at.choices()[0], &mut Discard).expect("a listed choice is open");
    }
    assert_eq!(looked_at.fate(None, &mut Discard), Err(kernel::MatchError::NoSecret));
    play_on(&mut war, 8, usize::MAX);
    let over = war.save(SecretPolicy::Withhold);
    assert!(over.contains(&secret));
    let (_, proof) = War::verify(NAME, &over).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(proof, DiceProof::Proven { draws: war.draws(), inherited: 0 });
    // A finished match without its secret proves nothing, and says so.
    let bare: Vec<&str> =
        over.lines().filter(|l| !l.starts_with("secret:") && !l.starts_with("seed:")).collect();
    let why = War::verify(NAME, &bare.join("\n")).expect_err("nothing is proven").to_string();
    assert!(why.contains("the game is over, but the secret of its dice is missing"), "{why}");
    assert!(why.contains(&format!("{NAME}:{}:1", line_of(&over, "commitment:"))), "{why}");
}

#[test]
fn own_dice_prove_nothing() {
    let text = war(edition(Edition::Allied, 1), MatchDice::Own, usize::MAX).save(SecretPolicy::Withhold);
    assert!(text.contains("\ndice: own\n") && !text.contains("commitment"));
    let (_, proof) = War::verify(NAME, &text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(proof, DiceProof::OwnDice);
}

#[test]
fn a_wrong_secret_is_refused() {
    let text = finished(6).save(SecretPolicy::Keep);
    let right = Secret::from_seed(6).reveal();
    for (from, to, complaint) in [
        (&right[..], Secret::from_seed(7).reveal(), "the secret is not the one that was committed to"),
        (&right[..], right[1..].to_owned(), "the secret can't be read"),
        ("seed: 6", "seed: 7".to_owned(), "was not made from this seed"),
        ("seed: 6", "seed: six".to_owned(), "the seed can't be read"),
        ("dice: fair", "dice: loaded".to_owned(), "unknown dice \"loaded\""),
        ("commitment: ", "commitment: 0".to_owned(), "the commitment can't be read"),
    ] {
        let why = refusal(&text.replacen(from, &to, 1));
        assert!(why.contains(complaint), "{why}");
    }
    let lost = text.replacen(&format!("secret: {right}\n"), "", 1).replacen("seed: 6", "seed: 8", 1);
    assert!(refusal(&lost).contains("was not made from this seed"));
}

/// The war of a cheat: as `honest` up to a draw, there another face, and all digests in order.
fn forged(honest: &War, step: usize) -> String {
    let Choice::Die(face) = honest.log()[step].choice else { panic!("step {step} is no draw") };
    let mut cheat = Match::new(honest.game().clone(), MatchDice::Own);
    for earlier in honest.log().iter().take(step) {
        match earlier.actor {
            Actor::Fate => cheat.fate(Some(earlier.choice), &mut Discard),
            Actor::Seat(_) => cheat.play(earlier.choice, &mut Discard),
        }
        .expect("the same way is open");
    }
    cheat.fate(Some(Choice::Die(face % 6 + 1)), &mut Discard).expect("any face can be typed in");
    play_on(&mut cheat, 1, usize::MAX);
    let secret = Secret::from_seed(6);
    let dice = format!("dice: fair\ncommitment: {}\nsecret: {}\n", secret.commitment(), secret.reveal());
    cheat.save(SecretPolicy::Keep).replacen("dice: own\n", &dice, 1)
}

#[test]
fn an_altered_die_is_caught_at_its_step() {
    let honest = finished(6);
    let draws: Vec<usize> =
        (0..honest.log().len()).filter(|at| honest.log()[*at].actor == Actor::Fate).collect();
    for (number, &step) in draws.iter().enumerate().step_by(5) {
        let text = forged(&honest, step);
        assert!(War::load(NAME, &text).is_ok(), "every choice of it is legal");
        let why = War::verify(NAME, &text).expect_err("a forged die").to_string();
        let line = text.lines().position(|line| line.trim_start().starts_with(&format!("{} ", step + 1)));
        let first = why.lines().take(2).collect::<Vec<_>>().join("\n");
        assert!(
            first.contains(&format!("draw {} is not what the committed secret gives", number + 1)),
            "{why}"
        );
        let place = format!("{NAME}:{}:17, step {}, Turn ", line.expect("the step") + 1, step + 1);
        assert!(first.contains(&place), "{place}\n{why}");
        assert!(why.contains("expected \"die ") && why.contains("purpose of the draw: "), "{why}");
    }
    // A die that is only overwritten is caught by the digest already.
    let text = honest.save(SecretPolicy::Keep);
    let lazy = text.replacen("fate     die 1", "fate     die 2", 1);
    assert!(refusal(&lazy).contains("leads to another state"));
}

#[test]
fn what_stands_in_a_save_is_not_believed_unseen() {
    let text = finished(9).save(SecretPolicy::Keep);
    let result = text.lines().find(|line| line.starts_with("result: ")).expect("a result");
    let first = text.lines().find(|line| line.trim_start().starts_with("1 ")).expect("a first step");
    for (from, to, complaint) in [
        (result, "result: allied_total", "the save says result \"allied_total\""),
        (result, "", "the save says result \"none\""),
        ("maproom match 1", "maproom match 2", "this is not a Maproom match"),
        ("game: echoes", "game: chess", "this is a match of \"chess\""),
        ("option spread: 1", "option spread: 25", "there are 24"),
        ("option edition: allied", "option edition: soviet", "allied or axis"),
        ("steps: ", "steps: -", "the number of steps can't be read"),
        ("takebacks: 0", "takebacks: 99999999999", "the number of undos can't be read"),
        ("takebacks: 0", "takeback: 0", "did you mean \"takebacks\"?"),
        ("takebacks: 0", "game: echoes", "the header \"game\" appears twice"),
        (first, "    1  fate     die 7  00000000", "not a choice of this game"),
        (first, "    1  fate     die 7", "\"7\" is not a digest"),
        (first, "    1  axis     die 1  00000000", "it is not the turn of axis"),
        (first, "    2  fate     die 1  00000000", "this is step 2, but step 1 comes next"),
        (first, "    1  fate     attack WF  00000000", "is not possible here"),
        (first, "    1  fate*    die 1  00000000", "marked as forced"),
        (first, "hello", "neither a header, a choice nor a comment"),
    ] {
        assert!(text.contains(from), "{from}");
        let why = refusal(&text.replacen(from, to, 1));
        assert!(why.contains(complaint), "{complaint}\n{why}");
    }
    let longer = format!("{}\n  999  fate     die 1  00000000\n", text.trim_end());
    assert!(refusal(&longer).contains("this is step 999, but step"));
}

#[test]
fn a_choice_after_the_end_is_refused() {
    let war = finished(9);
    let steps = war.log().len();
    let text = war
        .save(SecretPolicy::Keep)
        .replacen(&format!("steps: {steps}"), &format!("steps: {}", steps + 1), 1)
        .replacen("\nresult: ", &format!("\n{}  fate  die 1  00000000\nresult: ", steps + 1), 1);
    let why = refusal(&text);
    assert!(why.contains("the game is over, but the log continues"), "{why}");
}

/// What is read must be a match that can be saved and read again, as it is.
fn check_accepted(loaded: &Loaded<Echoes>) {
    let text = loaded.game_match.save(SecretPolicy::Keep);
    let again = load(&text).game_match;
    assert_eq!(again.state(), loaded.game_match.state());
    assert_eq!(again.log(), loaded.game_match.log());
    assert_eq!(again.save(SecretPolicy::Keep), text);
}

#[test]
fn mutated_saves() {
    let wars = [
        finished(1),
        war(edition(Edition::Axis, 8), MatchDice::seeded(2), 40),
        war(edition(Edition::Allied, 17), MatchDice::Own, 25),
        war(own_book(), MatchDice::fair(Secret([1; 32])), 15),
    ];
    let texts: Vec<String> = wars.iter().map(|war| war.save(SecretPolicy::Keep)).collect();
    let mut random = Random(0x5AFE);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..12_000 {
        let mut bytes = texts[random.below(texts.len())].clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        match War::verify(NAME, &text) {
            Ok((loaded, _)) => {
                accepted += 1;
                check_accepted(&loaded);
            }
            Err(error) => {
                refused += 1;
                check_report(error.problems(), &text);
            }
        }
    }
    // Blanks, comments and the number of undos can change; most else can't.
    assert!(accepted > 100 && refused > 6_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn shuffled_log_lines() {
    let war = finished(2);
    let text = war.save(SecretPolicy::Keep);
    let lines: Vec<&str> = text.lines().collect();
    let first = line_of(&text, "# Turn") - 1;
    let mut random = Random(0xD1CE);
    for _ in 0..3_000 {
        let mut lines = lines.clone();
        let mut at = || first + random.below(lines.len() - first - 1);
        let (one, two) = (at(), at());
        lines.swap(one, two);
        let shuffled = lines.join("\n");
        if lines[one].starts_with('#') && lines[two].starts_with('#') || one == two {
            assert_eq!(load(&shuffled).game_match.log(), war.log());
        } else if !lines[one].starts_with('#') && !lines[two].starts_with('#') {
            refusal(&shuffled);
        }
    }
}

/// Refused soon (in far less than a second, where nothing else runs), with a message that fits on a screen.
#[track_caller]
fn bomb(text: &str) {
    let begin = Instant::now();
    let report = War::load(NAME, text).expect_err("a bomb").to_string();
    assert!(report.len() < 50_000, "a report of {} bytes", report.len());
    assert!(report.contains(&format!("{NAME}:")), "{report}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn huge_saves_are_refused_in_bounded_time_with_a_short_message() {
    let text = war(edition(Edition::Allied, 1), MatchDice::seeded(1), 5).save(SecretPolicy::Keep);
    let huge = "x".repeat(10 << 20);
    bomb(&"x".repeat(MAX_SAVE_BYTES + 1));
    bomb(&huge);
    for (from, to) in [
        ("game: echoes", format!("game: {huge}")),
        ("rules: 3", format!("rules: {huge}\noption colour: red")),
        ("option spread: 1", format!("option spread: {huge}")),
        ("option edition: allied", format!("option edition: {huge}")),
        ("option edition: allied", format!("option {huge}: 1")),
        ("dice: fair", format!("dice: {huge}")),
        ("takebacks: 0", format!("{huge}: 0")),
        ("takebacks: 0", huge.clone()),
        ("    1  fate", format!("    1{huge}  fate")),
        ("    1  fate", format!("    1  {huge}")),
        ("    1  fate     die", format!("    1  fate     {huge}")),
        ("    1  fate     die", format!("    1  fate     die {}", "x ".repeat(5 << 20))),
        ("\n    2  ", format!(" {huge}\n    2  ")),
        ("option spread: 1", format!("option book:\n{}", "|1.1 x\n".repeat(1 << 20))),
        ("option spread: 1", format!("option spread:\n{}", "|\n".repeat(5 << 20))),
    ] {
        assert!(text.contains(from), "{from}");
        bomb(&text.replacen(from, &to, 1));
    }
    let steps = "1 fate die 1 00000000\n".repeat(400_000);
    bomb(&format!("{}{steps}", &text[..text.find("    1 ").expect("a first step")]));
}
