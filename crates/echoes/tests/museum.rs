//! Saves of every release are read, proven and played on.

use std::path::{Path, PathBuf};

use echoes::Echoes;
use kernel::{Actor, Discard, Game as _, Match, MatchDice, SecretPolicy, assemble};
use testkit::museum::{Exhibit, halls, make};

type War = Match<Echoes>;

fn museum() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/museum")
}

#[test]
fn saves_of_every_release_are_read_and_go_on() {
    for hall in halls(&museum()) {
        let saves = hall.check::<Echoes>();
        assert!(saves > 25, "release {} has {saves} saves", hall.release);
    }
}

/// The first finished save of release 0.1, of format 1.
fn old_save() -> String {
    let (_, text) = halls(&museum())[0].saves().swap_remove(1);
    assert!(!text.contains("\ndigest: ") && text.contains("\nresult: "), "{text}");
    text
}

/// The log with the digest of each step from `from` on (counted from 0) given by `digest`.
fn with_digests(text: &str, from: usize, digest: impl Fn(u32) -> u32) -> String {
    let mut step = 0;
    let changed = text.lines().map(|line| {
        if !line.starts_with("  ") {
            return line.to_owned();
        }
        step += 1;
        let (rest, old) = line.rsplit_once(' ').expect("a digest");
        let new = digest(u32::from_str_radix(old, 16).expect("eight digits"));
        if step > from { format!("{rest} {new:08x}") } else { line.to_owned() }
    });
    changed.collect::<Vec<_>>().join("\n") + "\n"
}

/// What another compiler would have made of the same states: other numbers, all of them.
fn of_another_compiler(digest: u32) -> u32 {
    digest.wrapping_mul(0x9e37_79b1) ^ 0x5bd1_e995
}

#[test]
fn digests_of_another_compiler_do_not_lock_a_match_up() {
    let text = old_save();
    let ours = War::load("ours", &text).expect("it can be read").game_match;
    let theirs = with_digests(&text, 0, of_another_compiler);
    let loaded = War::load("theirs", &theirs).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(loaded.uncompared, ours.log().len());
    assert_eq!(loaded.game_match.log(), ours.log(), "the match itself is the same");
    assert!(
        loaded.notes.iter().any(|note| note.contains("can't compare the check numbers")),
        "{:?}",
        loaded.notes
    );
    assert!(War::verify("theirs", &theirs).is_ok(), "its dice are proven all the same");
    // It goes on where it is kept: old lines as they are, new ones with our numbers.
    let half = 40;
    let mut log = String::new();
    ours.write_log(half, &mut log);
    let kept: Vec<&str> = theirs.lines().filter(|line| line.starts_with("  ")).take(half).collect();
    let head = ours.head(SecretPolicy::Keep);
    let result = text.lines().find_map(|line| line.strip_prefix("result: "));
    let mixed = assemble(&head, 0, ours.log().len(), &format!("{}\n{log}", kept.join("\n")), result);
    let loaded = War::load("mixed", &mixed).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((loaded.uncompared, loaded.game_match.log()), (half, ours.log()));
}

#[test]
fn digests_that_agree_and_then_do_not_part() {
    let text = old_save();
    let steps = War::load("ours", &text).expect("it can be read").game_match.log().len();
    for common in [1, 40, steps - 1] {
        let parted = with_digests(&text, common, of_another_compiler);
        let error = War::load("parted", &parted).expect_err("the states differ");
        let parting = error.parting().expect("it can be followed for a while");
        assert_eq!((parting.common, parting.steps), (common, steps));
        assert!(error.to_string().contains("leads to another state"), "{error}");
        let loaded = War::load_common("parted", &parted, Echoes::with_options).expect("the common steps");
        assert_eq!(loaded.game_match.log().len(), common);
    }
    // Of the present format no compiler has a say: there a digest that does not fit never passes.
    let war = War::load("old", &text).expect("it can be read").game_match;
    let mut new = Match::new(war.game().clone(), MatchDice::Own);
    for step in war.log().iter() {
        match step.actor {
            Actor::Fate => new.fate(Some(step.choice), &mut Discard),
            Actor::Seat(_) => new.play(step.choice, &mut Discard),
        }
        .expect("the same way is open");
    }
    let new = new.save(SecretPolicy::Keep);
    assert!(new.contains("\ndigest: 2\n") && War::load("new", &new).is_ok());
    let error = War::load("new", &with_digests(&new, 0, of_another_compiler)).expect_err("nothing agrees");
    assert_eq!(error.parting().map(|parting| parting.common), Some(0));
}

#[test]
fn a_digest_of_a_later_version_is_named() {
    let text = old_save().replacen("\nrules: ", "\ndigest: 7\nrules: ", 1);
    let error = War::load("later", &text).expect_err("nobody knows it yet");
    assert!(error.parting().is_none());
    let report = error.to_string();
    assert!(report.contains("digest \"7\" is not known to this version of Maproom"), "{report}");
    assert!(report.contains("later:3:1") && report.contains("expected 1 or 2"), "{report}");
}

const OWN_SPREADS: &str = r#"format = "echoes-spreads/1"

[[spread]]
n = 1
title = "As it stands in the book"
blurb = "The plain game, from a file of our own."

[[spread]]
n = 2
title = "A later, harder war"
blurb = "The West has fallen back, the islands hold, and there is one more Tide of War."
start = { WF = 2, ISL = 4 }
drm = { USA = 1 }
start_turn = 3
tow = 3
done = ["Fall of France"]
"#;

/// `cargo xtask museum RELEASE` runs this.
#[test]
#[ignore = "makes the saves of a new release"]
fn make_the_saves_of_a_release() {
    let mut exhibits = Vec::new();
    for spread in 1_usize..=24 {
        let edition = if spread / 2 % 2 == 0 { "allied" } else { "axis" };
        let options = [("edition", edition), ("spread", &spread.to_string())];
        for stop in [None, Some(7 * spread % 37 + 1)] {
            exhibits.push(Exhibit::of(&format!("{edition}-spread-{spread:02}"), &options, stop));
        }
    }
    let book = include_str!("data/own-book.txt");
    for stop in [None, Some(31)] {
        let of = |name: &str, options: &[(&'static str, &str)]| Exhibit::of(name, options, stop);
        exhibits.extend([
            of("own-book", &[("book", book)]),
            of("own-spreads", &[("edition", "axis"), ("spreads", OWN_SPREADS), ("spread", "2")]),
            of("windows-1", &[("windows", "1"), ("spread", "8")]),
            of("windows-2", &[("windows", "2"), ("spread", "18")]),
            of("ask-always", &[("ask", "always"), ("spread", "18")]),
            of("ask-request", &[("ask", "request"), ("edition", "axis")]),
            Exhibit { own_dice: true, ..of("own-dice", &[]) },
            Exhibit { takebacks: true, ..of("takebacks", &[("edition", "axis")]) },
            Exhibit { remarks: true, ..of("remarks", &[("edition", "axis"), ("spread", "14")]) },
        ]);
    }
    exhibits.push(Exhibit { published: true, ..Exhibit::of("published", &[], Some(29)) });
    exhibits.push(Exhibit { name: "just-begun".to_owned(), stop: Some(0), ..Exhibit::default() });
    make::<Echoes>(&museum(), &exhibits);
}
