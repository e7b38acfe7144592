//! Two wars that differ only in what is hidden are the same war to everybody else, letter by letter: boards, lists, prompts, the
//! log, odds, pictures, pages for paper, and what is played at once.
//!
//! The other war is made by [`Table::fork_for`]: whatever was concealed from a viewer is drawn anew among what would have looked
//! the same. Then everything is asked for in both.

use boards::TriumphBoard;
use kernel::{Dice as _, LabDice, MatchDice, Mover, Options, Seat, Secret, Table, Undo, Viewer};
use web::{Of, Part, PointInTime, Scene, Title, ToldStep, Tone};

/// Everything that a viewer can ask of a table, with what it is.
fn everything(title: &dyn Title, table: &dyn Table, viewer: Viewer) -> Vec<(String, String)> {
    let steps = table.steps();
    let mut told = vec![
        ("the mover".to_owned(), format!("{:?}", table.mover())),
        ("the turn".to_owned(), format!("{} {}", table.turn(), table.turn_title(table.turn()))),
        ("the prompt".to_owned(), prompt(table, viewer)),
        ("the choices".to_owned(), format!("{:?} {:?}", table.offers(viewer), table.default_choice(viewer))),
        ("what is closed".to_owned(), format!("{:?}", table.closed(viewer))),
        ("the view".to_owned(), table.view(viewer).to_string()),
        ("the picture".to_owned(), table.picture(viewer)),
        ("the last decision".to_owned(), table.last_decision(viewer).to_string()),
        ("the last turns".to_owned(), table.last_turns_from(60).to_string()),
        ("the digest".to_owned(), format!("{:?}", table.digest())),
        ("the print".to_owned(), title.print(table, viewer, false).into_string()),
        ("what can be taken back".to_owned(), taken_back(table, viewer)),
    ];
    for tone in [Tone::Light, Tone::Dark] {
        told.push(("the thumbnail".to_owned(), title.thumbnail(table, tone).into_string()));
    }
    for entry in table.log(0, viewer) {
        told.push((format!("the log at {}", entry.step), format!("{entry:?}")));
    }
    for step in title.steps(table, 0..steps, viewer) {
        told.push((format!("step {}", step.entry.step), step_words(&step)));
    }
    for action in title.actions(table, 0..steps, viewer) {
        let inside: Vec<String> = action.steps.iter().map(step_words).collect();
        told.push(("an action".to_owned(), format!("{:?} {inside:?}", action.headline)));
    }
    for step in steps.saturating_sub(24)..=steps {
        told.push((format!("the action of step {step}"), table.action_start(step).to_string()));
        told.push((format!("the turn at step {step}"), table.turn_at(step).to_string()));
    }
    for step in [steps / 2, steps.saturating_sub(7), steps.saturating_sub(1)] {
        drawn(title, table, viewer, PointInTime::After(step), &mut told);
    }
    drawn(title, table, viewer, PointInTime::Now, &mut told);
    for question in table.questions(viewer) {
        told.push((format!("the odds of {question}"), format!("{:?}", table.answer(&question, viewer))));
    }
    for name in probes() {
        let why = table.why_not(viewer, &name).map_err(|why| why.to_string());
        let foreseen = title.preview(table, viewer, &name).map(|(words, scene)| (words, parts(&scene)));
        let asked = (title.label(table, viewer, &name), title.question(table, viewer, &name));
        told.push((format!("what {name} would be"), format!("{why:?} {foreseen:?} {asked:?}")));
    }
    told
}

/// Names that somebody could try who wants to know whether there is such a unit, or where such a card is.
fn probes() -> Vec<String> {
    let mut names: Vec<String> =
        ["pass", "end", "finish", "build", "factory", "reveal jets"].map(str::to_owned).into();
    let homes = [
        ("germany", "berlin"),
        ("italy", "rome"),
        ("britain", "london"),
        ("france", "paris"),
        ("ussr", "moscow"),
    ];
    for (power, area) in homes {
        for kind in ["fortress", "air_force", "carrier", "submarine", "fleet", "tank", "infantry"] {
            for cv in 1..=2 {
                let verb = if cv == 1 { "move" } else { "step" };
                names.push(format!("{verb} {power} {kind} {cv} {area}"));
                names.push(format!("step {power} {kind} 1 {area}"));
            }
        }
    }
    for number in 1..=55 {
        names.extend([
            format!("commit A{number:02}"),
            format!("discard I{number:02}"),
            format!("pay I{number:02}"),
        ]);
    }
    names
}

/// What stands over the board: the mover reads another prompt than those who wait.
fn prompt(table: &dyn Table, viewer: Viewer) -> String {
    let prompt = table.prompt(viewer);
    let asked = matches!(table.mover(), Mover::Seat(seat) if viewer == Viewer::Seat(seat));
    format!("{} {}", if asked { &prompt.text } else { &prompt.waiting }, prompt.rule)
}

fn taken_back(table: &dyn Table, viewer: Viewer) -> String {
    let Viewer::Seat(seat) = viewer else { return String::new() };
    let undone = |scope| table.fork(table.steps()).undo(seat, scope).map_err(|why| why.to_string());
    format!("{:?} {:?}", undone(Undo::Step), undone(Undo::Turn))
}

fn step_words(step: &ToldStep) -> String {
    format!("{:?} {:?} {} {:?} {:?}", step.entry, step.label, step.purpose, step.traces, step.face)
}

fn parts(scene: &Scene) -> String {
    scene.parts.iter().map(|Part(key, place, part)| format!("{key} {place:?} {part}\n")).collect()
}

fn drawn(
    title: &dyn Title,
    table: &dyn Table,
    viewer: Viewer,
    moment: PointInTime,
    told: &mut Vec<(String, String)>,
) {
    let mut scene = Scene::default();
    let menu = title.draw(table, viewer, moment, &mut scene);
    told.push((format!("the menu {moment:?}"), format!("{menu:?}")));
    for Part(key, place, part) in scene.parts {
        told.push((format!("the board {moment:?}, {key}"), format!("{place:?} {part}")));
    }
}

/// Plays a random choice and what follows by itself; phases are not ended at once.
fn play_on(table: &mut dyn Table, dice: &mut LabDice) {
    let Mover::Seat(seat) = table.mover() else { return };
    let offers = table.offers(Viewer::Seat(seat));
    let ends = |name: &str| matches!(name, "end" | "finish" | "pass") || name.starts_with("disband");
    let mut name = &offers[dice.below(offers.len() as u32) as usize].name;
    for _ in 0..3 {
        if ends(name) {
            name = &offers[dice.below(offers.len() as u32) as usize].name;
        }
    }
    let name = name.clone();
    table.play(seat, &name, None).expect("a listed choice is open");
    table.play_forced(None);
}

/// Compares a war with one that looks the same to a viewer; says whether the secrets differed.
fn compare(title: &dyn Title, table: &dyn Table, viewer: Viewer, seed: u64) -> bool {
    let steps = table.steps();
    let other = table.fork_for(viewer, steps, Secret::from_seed(seed), seed);
    let (real, guessed) = (everything(title, table, viewer), everything(title, &*other, viewer));
    for ((what, real), (_, guessed)) in real.iter().zip(&guessed) {
        assert_eq!(real, guessed, "{viewer:?} is told something by {what} after {steps} steps");
    }
    assert_eq!(real.len(), guessed.len(), "{viewer:?} is told more or less after {steps} steps");
    // What the table would play at once is the same, too.
    let at_once = |table: &dyn Table| {
        let mut played = table.fork(steps);
        played.play_forced(None);
        (played.steps(), played.mover())
    };
    assert_eq!(at_once(table), at_once(&*other), "{viewer:?} after {steps} steps");
    let lies_open = |table: &dyn Table| {
        let seats = (0..table.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat)));
        seats.map(|seat| table.picture(seat)).collect::<Vec<_>>()
    };
    lies_open(table) != lies_open(&*other)
}

fn wars_look_alike(start: &str, players: &str, seed: u64, pauses: &[usize]) {
    let title = Of::<TriumphBoard>::new();
    let options: Options = [("start", start), ("players", players)]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
    let mut table = title.open(&options, MatchDice::seeded(seed)).expect("good options");
    let mut dice = LabDice::new(seed);
    table.play_forced(None);
    let (mut compared, mut differed) = (0, 0);
    for (at, pause) in pauses.iter().enumerate() {
        while table.steps() < *pause && matches!(table.mover(), Mover::Seat(_)) {
            play_on(&mut *table, &mut dice);
        }
        let seats = (0..table.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat)));
        for viewer in seats.chain([Viewer::Spectator]) {
            compared += 1;
            differed += usize::from(compare(&title, &*table, viewer, seed + at as u64));
        }
    }
    assert!(differed * 10 > compared * 9, "only {differed} of {compared} wars had other secrets");
}

#[test]
fn three_players_from_1936() {
    wars_look_alike("1936", "3", 11, &[20, 100, 200]);
}

#[test]
fn three_players_from_1939() {
    wars_look_alike("1939", "3", 12, &[90, 240]);
}

#[test]
fn two_players_from_1936() {
    wars_look_alike("1936", "2", 13, &[70, 200]);
}

#[test]
fn two_players_from_1939() {
    wars_look_alike("1939", "2", 14, &[90, 240]);
}
