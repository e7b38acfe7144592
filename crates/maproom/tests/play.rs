//! `maproom play` through pipes: whole wars, side questions, taking up again, and whatever may be typed.

#[path = "../../echoes/tests/mutation/mod.rs"]
mod mutation;
mod program;

use mutation::{Random, mutate};
use program::Home;

const BOOK: &str = include_str!("../../echoes/tests/data/own-book.txt");

/// How many choices a saved match holds.
fn steps(save: &str) -> usize {
    let line = save.lines().find_map(|line| line.strip_prefix("steps: ")).expect("a number of steps");
    line.parse().expect("a number")
}

/// The names of the choices in a saved match.
fn choices(save: &str) -> Vec<String> {
    let log = save.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let name = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words[2..words.len() - 1].join(" ")
    };
    log.map(name).collect()
}

#[test]
fn a_whole_war_of_first_choices() {
    let home = Home::new();
    let file = home.file("war.match");
    let said = home
        .run(
            &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file],
            "1\n".repeat(3_000).as_bytes(),
        )
        .fine();
    let save = home.read("war.match");
    assert!(save.contains("\nresult: ") && save.contains("\nseed: 3\n"), "{save}");
    assert!(said.contains("Turn 1, 1940") && said.contains(&file), "{said}");
    assert!(said.contains("Victory") || said.contains("Draw") || said.contains("defeat"), "{said}");
    let proof = home.run(&["verify", &file], b"").fine();
    assert!(proof.contains("verified") && proof.contains("all ") && proof.contains(" draws"), "{proof}");
    // The same again is the same war.
    let again = home.file("again.match");
    let repeated = home.run(
        &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &again],
        "1\n".repeat(3_000).as_bytes(),
    );
    assert_eq!(repeated.fine().replace("again.match", "war.match"), said);
    assert_eq!(home.read("again.match"), save);
    // A finished war can be looked at again.
    let over = home.run(&["play", "echoes", "--resume", &file], b"").fine();
    assert!(over.contains("saved in"), "{over}");
}

#[test]
fn wars_of_both_editions_and_many_spreads_end() {
    let home = Home::new();
    for (number, edition) in [(2, "allied"), (8, "axis"), (16, "allied"), (17, "axis")] {
        let name = format!("war-{number}.match");
        let file = home.file(&name);
        let spread = number.to_string();
        let arguments =
            ["play", "echoes", "--edition", edition, "--spread", &spread, "--seed", &spread, "--save", &file];
        home.run(&arguments, "2\n1\n".repeat(2_000).as_bytes()).fine();
        let save = home.read(&name);
        assert!(save.contains(&format!("\noption edition: {edition}\noption spread: {spread}\n")), "{save}");
        assert!(save.contains("\nresult: "), "{save}");
    }
}

#[test]
fn side_questions_are_answered_and_change_nothing() {
    let home = Home::new();
    let file = home.file("war.match");
    let copy = home.file("copy.match");
    let typed = format!(
        "?\n? attack WF\n? no\n? nonsense\no\no attack WF\no weather\nr\nr 2.5.3\nr 99\nb\nl\nl all\nh\nh?\ns {copy}\ns\nq\n"
    );
    let said = home
        .run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file], typed.as_bytes())
        .fine();
    for part in [
        "\"attack WF\" is not possible now",
        "You can choose",
        "is not a choice of this game",
        "1/3 (33.3 %)",
        "nknown question \"weather\"",
        "**2.5.2**",
        "**2.5.3**",
        "There is no rule \"99\"",
        "Western Front",
        "Die Roll Chart: ",
        "The greedy bot would choose: ",
        "undo the last choice",
        "Saved to ",
        "Type s and a file name",
        "--resume",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(choices(&home.read("war.match")), ["die 3", "die 4"], "only the opening dice were rolled");
    assert_eq!(home.read("copy.match"), home.read("war.match"));
}

#[test]
fn decisions_are_taken_back() {
    let play = |typed: &str| {
        let home = Home::new();
        let file = home.file("war.match");
        let said = home
            .run(
                &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file],
                typed.as_bytes(),
            )
            .fine();
        (said, home.read("war.match"))
    };
    let (said, save) = play("u\nq\n");
    assert!(said.contains("There is nothing to undo"), "{said}");
    assert_eq!(steps(&save), 2);
    let (said, save) = play("tow shift WF EMT\nu\nq\n");
    assert!(said.contains("Undone: 1 step"), "{said}");
    assert_eq!((steps(&save), save.contains("takebacks: 0")), (2, true));
    let (said, save) = play("no\nno\nno\nu\nu turn\nu war\nq\n");
    assert!(said.contains("the record notes this undo"), "dice had been rolled\n{said}");
    assert!(said.contains("Type u, or u turn"), "{said}");
    assert_eq!((steps(&save), save.contains("takebacks: 0")), (2, false));
}

#[test]
fn a_war_is_taken_up_again_where_it_was_left() {
    let home = Home::new();
    let whole = home.file("whole.match");
    let ones = "1\n".repeat(3_000);
    home.run(&["play", "echoes", "--seed", "5", "--save", &whole], ones.as_bytes()).fine();
    let parts = home.file("parts.match");
    // The input ends without a word, in the middle of a line even: the match is kept.
    let said = home.run(&["play", "echoes", "--seed", "5", "--save", &parts], b"1\n1\n1\n1").fine();
    assert!(said.contains("Saved in ") && said.contains("--resume"), "{said}");
    let left = steps(&home.read("parts.match"));
    assert!(left > 4, "{left}");
    home.run(&["play", "echoes", "--resume", &parts], b"1\n1\nq\n").fine();
    assert!(steps(&home.read("parts.match")) > left);
    home.run(&["play", "echoes", "--resume", &parts], ones.as_bytes()).fine();
    assert_eq!(home.read("parts.match"), home.read("whole.match"));
    // Taken up elsewhere, the first file stays as it was.
    let other = home.file("other.match");
    home.run(&["play", "echoes", "--resume", &parts, "--save", &other], b"").fine();
    assert_eq!(home.read("other.match"), home.read("whole.match"));
}

#[test]
fn the_last_war_is_kept_in_the_data_folder() {
    let home = Home::new();
    let none = home.run(&["play", "echoes", "--resume"], b"").failed();
    assert!(none.contains("there is no match to resume"), "{none}");
    let said = home.run(&["play", "echoes", "--option", "ask=always", "--seed", "3"], b"no\nq\n").fine();
    let kept =
        said.lines().find_map(|line| line.strip_prefix("Saved in ")).expect("a place").trim().to_owned();
    assert!(kept.starts_with(&home.path().display().to_string()), "{kept}");
    let before = steps(&std::fs::read_to_string(&kept).expect("the kept match"));
    home.run(&["play", "echoes", "--resume"], b"no\nq\n").fine();
    assert!(steps(&std::fs::read_to_string(&kept).expect("the kept match")) > before);
    // A new war never takes the place of an old one, finished or not: each has a file of its own.
    let said = home.run(&["play", "echoes", "--seed", "4"], b"q\n").fine();
    assert!(said.contains("The last match is not finished") && said.contains(&kept), "{said}");
    let second =
        said.lines().find_map(|line| line.strip_prefix("Saved in ")).expect("a place").trim().to_owned();
    assert_ne!(second, kept);
    assert!(std::fs::read_to_string(&kept).expect("the old match").contains("\nseed: 3\n"));
    assert!(std::fs::read_to_string(&second).expect("the new match").contains("\nseed: 4\n"));
    // Nor does a file that was named.
    let refused = home.run(&["play", "echoes", "--save", &kept], b"q\n").failed();
    assert!(refused.contains("already exists") && refused.contains("--resume"), "{refused}");
}

#[test]
fn own_dice_are_asked_for_and_checked() {
    let home = Home::new();
    let file = home.file("war.match");
    let typed = "0\n7\nsix\nattack WF\n\n1\n1\nno\nu\nq\n";
    let said = home
        .run(&["play", "echoes", "--own-dice", "--option", "ask=always", "--save", &file], typed.as_bytes())
        .fine();
    assert!(said.contains("Dice: your own") && said.contains("A die shows 1 to 6"), "{said}");
    assert!(said.contains("Fall of France"), "chart 1, box 1\n{said}");
    let save = home.read("war.match");
    assert!(save.contains("\ndice: own\n") && save.contains("takebacks: 0"), "{save}");
    assert_eq!(choices(&save), ["die 1", "die 1"]);
    // A whole war with a die that always shows 4.
    let file = home.file("fours.match");
    home.run(&["play", "echoes", "--own-dice", "--save", &file], "4\n1\n".repeat(2_000).as_bytes()).fine();
    let save = home.read("fours.match");
    assert!(save.contains("\nresult: "), "{save}");
    let proof = home.run(&["verify", &file], b"").fine();
    assert!(proof.contains("used their own dice"), "{proof}");
    let both = home.run(&["play", "echoes", "--own-dice", "--seed", "3"], b"").failed();
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn whatever_is_typed_the_war_goes_on() {
    let home = Home::new();
    let file = home.file("war.match");
    let mut random = Random(0x9A_6BA6);
    let mut typed: Vec<u8> = Vec::new();
    typed.extend(b"99999999999999999999\n-1\n0\n2.5\n? \n? ?\no o\nl l\nu u u\n \n");
    typed.extend(vec![b'x'; 10 << 20]);
    typed.push(b'\n');
    typed.extend("é".repeat(3_000).as_bytes());
    typed.push(b'\n');
    for _ in 0..400 {
        let length = random.below(30);
        typed.extend((0..length).map(|_| random.below(256) as u8).filter(|byte| *byte != b'q'));
        typed.push(b'\n');
    }
    for _ in 0..400 {
        let good =
            ["attack WF", "tow shift SF EMT", "pass", "no", "1", "u turn", "o conflict europe", "l", "? no"];
        let mut line = random.pick(&good).as_bytes().to_vec();
        mutate(&mut line, &mut random);
        typed.extend(line.into_iter().filter(|byte| *byte != b'q'));
        typed.push(b'\n');
    }
    typed.extend(b"q\n");
    let said =
        home.run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file], &typed);
    assert!(said.err.is_empty(), "{}", said.err);
    let said = said.fine();
    assert!(said.contains("aved in "), "the match is saved, over or not");
    assert!(said.len() < 4 << 20, "{} bytes", said.len());
    let verdict = home.run(&["verify", &file], b"");
    assert_eq!(verdict.code, Some(0), "{verdict:?}");
}

#[test]
fn an_own_book_is_played_from_its_file_and_then_without_it() {
    let home = Home::new();
    let book = home.write("my-book.txt", BOOK);
    let file = home.file("war.match");
    let arguments = ["play", "echoes", "--book", &book, "--seed", "1", "--save", &file];
    home.run(&arguments, b"1\n1\n1\nq\n").fine();
    std::fs::remove_file(&book).expect("the book can go");
    home.run(&["play", "echoes", "--resume", &file], "1\n".repeat(3_000).as_bytes()).fine();
    let save = home.read("war.match");
    assert!(save.contains("\n|title: A war of our own\n") && save.contains("\nresult: "), "{save}");
    // The book says which side is played.
    let book = home.write("my-book.txt", BOOK);
    let both = home.run(&["play", "echoes", "--book", &book, "--edition", "axis"], b"").failed();
    assert!(both.contains("give a book or an edition, not both"), "{both}");
}

#[test]
fn a_broken_book_is_refused_with_its_place() {
    let home = Home::new();
    let line = BOOK.lines().position(|line| line == "Axis: None. Allies: Skip.").expect("a box") + 1;
    let book =
        home.write("broken.txt", BOOK.replace("Axis: None. Allies: Skip.", "Axis: None. Allies: Skipp."));
    let said = home.run(&["play", "echoes", "--book", &book], b"1\n");
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{said:?}");
    assert!(said.err.contains(&format!(":{line}:21")), "{}", said.err);
    assert!(
        said.err.contains("unknown word \"Skipp\"") && said.err.contains("did you mean \"Skip\"?"),
        "{}",
        said.err
    );
    assert!(said.err.contains("box 1.6 \"Quiet\""), "{}", said.err);
    let lost = home.run(&["play", "echoes", "--book", "no-such-book.txt"], b"").failed();
    assert!(lost.contains("can't read no-such-book.txt"), "{lost}");
    let binary = home.write("binary.txt", [b'a', b'\n', 0xFF, 0xFE]);
    let said = home.run(&["play", "echoes", "--book", &binary], b"").failed();
    assert!(said.contains("line 2 is not text"), "{said}");
}

#[test]
fn a_broken_match_is_refused_with_its_place_and_left_alone() {
    let home = Home::new();
    let file = home.file("war.match");
    home.run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file], b"no\nno\nq\n")
        .fine();
    let broken = home.read("war.match").replacen("die 3", "die 5", 1);
    let file = home.write("war.match", &broken);
    let said = home.run(&["play", "echoes", "--resume", &file], b"1\n").failed();
    assert!(said.contains("war.match:") && said.contains("step 1, Turn 1, 1940"), "{said}");
    assert_eq!(home.read("war.match"), broken);
}

/// A save as if it had been begun under old rules, and after how many steps the present ones part from it: before a decision
/// in the middle.
fn parted(save: &str) -> (String, usize) {
    let log: Vec<&str> = save.lines().filter(|line| line.starts_with("  ")).collect();
    let is_decision = |at: &usize| log[*at].split_whitespace().nth(1) == Some("allies");
    let common = (log.len() / 2..log.len()).find(is_decision).expect("a decision");
    let (rest, _) = log[common].rsplit_once(' ').expect("a digest");
    let old = save.replacen("\nrules: 3\n", "\nrules: 0\n", 1);
    (old.replacen(log[common], &format!("{rest} 0badc0de"), 1), common)
}

#[test]
fn a_match_of_other_rules_goes_on_from_its_last_common_step_as_a_new_one() {
    let home = Home::new();
    let file = home.file("war.match");
    home.run(
        &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file],
        b"1\n1\n1\n1\n1\n1\n1\n1\nq\n",
    )
    .fine();
    let whole = home.read("war.match");
    let (old, common) = parted(&whole);
    let file = home.write("war.match", &old);
    let said = home.run(&["play", "echoes", "--resume", &file], b"1\n").failed();
    assert!(said.contains(&format!("`--common` continues from step {common} as a new match")), "{said}");
    assert!(said.contains("started under rules 0") && said.contains("war.match:"), "{said}");
    // Without a place of its own it is kept in the data folder, with one there; an existing file is never overwritten.
    let said = home.run(&["play", "echoes", "--resume", &file, "--common"], b"q\n").fine();
    let kept =
        said.lines().find_map(|line| line.strip_prefix("Saved in ")).expect("a place").trim().to_owned();
    assert_ne!(kept, file);
    let new = home.file("new.match");
    home.run(&["play", "echoes", "--resume", &file, "--common", "--save", &new], b"q\n").fine();
    assert_eq!(std::fs::read_to_string(kept).expect("the kept match"), home.read("new.match"));
    let begun = home.read("new.match");
    assert_eq!(choices(&begun), choices(&whole)[..common]);
    assert!(begun.contains("\nrules: 3\n") && begun.contains("\nseed: 3\n"), "{begun}");
    let taken = home.run(&["play", "echoes", "--resume", &file, "--common", "--save", &new], b"").failed();
    assert!(taken.contains("already exists"), "{taken}");
    // The new match is a match like any other: here it takes the same way as the old one.
    home.run(&["play", "echoes", "--resume", &new, "--common"], b"1\n1\nq\n").fine();
    let further = choices(&home.read("new.match"));
    assert!(further.len() > common && further[..common] == choices(&whole)[..common], "{further:?}");
    assert_eq!(home.read("war.match"), old, "the old file stays as it is");
}

#[test]
fn a_match_that_cannot_be_kept_is_played_all_the_same() {
    let home = Home::new();
    home.write("a-file", "");
    let place = home.file("a-file/war.match");
    let copy = home.file("copy.match");
    let typed = format!("no\nno\ns {copy}\nq\n");
    let said = home
        .run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &place], typed.as_bytes())
        .fine();
    assert_eq!(said.matches("Warning: ").count(), 1, "said once\n{said}");
    assert!(steps(&home.read("copy.match")) > 3);
}

#[test]
fn a_record_without_its_secret_is_not_played_on() {
    let home = Home::new();
    let file = home.file("war.match");
    home.run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file], b"no\nq\n")
        .fine();
    let save = home.read("war.match");
    let published: Vec<&str> =
        save.lines().filter(|line| !line.starts_with("secret: ") && !line.starts_with("seed: ")).collect();
    std::fs::write(&file, published.join("\n")).expect("a file to write");
    let refused = home.run(&["play", "echoes", "--resume", &file], b"").failed();
    assert!(refused.contains("without the secret of its dice"), "{refused}");
}

#[cfg(target_os = "linux")]
#[test]
fn matches_are_kept_and_found_in_the_usual_folder() {
    let home = Home::new();
    let elsewhere = home.path().join("elsewhere");
    let usual = home.path().join(".local/share");
    // A relative path in the variable counts as none.
    for (variable, base) in [(None, &usual), (Some("relative"), &usual), (elsewhere.to_str(), &elsewhere)] {
        let play = |arguments: &[&str], input: &[u8]| {
            let mut all = vec!["play", "echoes"];
            all.extend(arguments);
            let mut command = home.command(&all);
            command.env_remove("XDG_DATA_HOME").envs(variable.map(|path| ("XDG_DATA_HOME", path)));
            home.run_command(command, input).fine()
        };
        let folder = base.join("maproom/matches");
        let _ = std::fs::remove_dir_all(&folder);
        play(&["--option", "ask=always", "--seed", "3"], b"no\nq\n");
        let kept = folder.join("echoes-0001.match");
        let begun = steps(&std::fs::read_to_string(&kept).expect("a match in the usual folder"));
        let said = play(&["--resume"], b"1\nq\n");
        assert!(said.contains(&kept.display().to_string()), "{said}");
        let save = std::fs::read_to_string(&kept).expect("the same match");
        assert!(steps(&save) > begun, "the match went on in its file");
        assert!(!home.path().join("relative").exists());
    }
}
