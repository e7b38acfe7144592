//! A change of the book parts only from matches that met it: digests do not depend on how a book is compiled.

use echoes::book_reader::source_of;
use echoes::{Echoes, Edition};
use kernel::{Dice, DigestFormat, Discard, Game, LabDice, Mover, Options, encoded};

/// The Allied book with a longer text in box 1.1, so that every operation behind it moves.
fn changed() -> Echoes {
    let old = "Event 1940-1941: Axis: ADV WF. Attack WF x2. Allies: 1 Action.";
    let new = "Event 1940-1941: Axis: ADV WF. Attack WF x2, SF, EF. +1 EMT. Allies: 1 Action.";
    let text = source_of(Edition::Allied);
    assert!(text.contains(old));
    let options = Options::from([("book".to_owned(), text.replacen(old, new, 1))]);
    Echoes::with_options(&options).expect("the changed book is sound")
}

#[test]
fn a_changed_box_parts_only_from_matches_that_opened_it() {
    let plain = Echoes::edition(Edition::Allied, 1).expect("the plain game is there");
    let changed = changed();
    let (mut compared, mut moved, mut parted) = (0, 0, 0);
    for seed in 0..60 {
        let mut dice = LabDice::new(seed);
        let (mut before, mut after) = (plain.start(), changed.start());
        let mut choices = Vec::new();
        while plain.mover(&before) != Mover::Nobody {
            choices.clear();
            plain.choices(&before, &mut choices);
            let choice = choices[dice.below(choices.len() as u32) as usize];
            plain.apply(&mut before, choice, &mut Discard);
            changed.apply(&mut after, choice, &mut Discard);
            if before.in_box == 0 && before.event {
                // The changed Event is open: from here on the two may differ.
                parted += 1;
                break;
            }
            if before.in_box == 0 {
                continue;
            }
            for format in [DigestFormat::V1, DigestFormat::V2] {
                let digests = (plain.digest(&before, format), changed.digest(&after, format));
                assert_eq!(digests.0, digests.1, "seed {seed}: {before:?}");
            }
            compared += 1;
            moved += usize::from(encoded(&before) != encoded(&after));
        }
    }
    assert!(compared > 2_000 && parted > 2, "{compared} positions, {parted} matches parted");
    assert!(moved > 500, "only {moved} positions would have differed without care");
}
