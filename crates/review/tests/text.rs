//! The text and the picture of a review that was made by hand, so that they change only when their own code does.

use std::path::{Path, PathBuf};

use review::{Fork, Moment, Point, Review, SeatSum, TurnSum, What};
use testkit::golden;

fn fork(name: &str, weight: u32, chance: f64, was_made: bool) -> Fork {
    Fork {
        name: name.to_owned(),
        label: format!("{name} in words"),
        weight,
        chances: vec![chance, 1.0 - chance],
        was_made,
    }
}

fn draw(name: &str, gain: f64, after: f64) -> (String, f64, What) {
    let others = after - gain * 6.0 / 5.0;
    let face = |face: u32| {
        let face = format!("die {face}");
        let came = face == name;
        fork(&face, 1, if came { after } else { others }, came)
    };
    (name.to_owned(), gain, What::Luck { outcomes: (1..=6).map(face).collect() })
}

fn mistake(name: &str, loss: f64, after: f64, sign: f64) -> (String, f64, What) {
    let best = fork("march to the <river> & \"dig in\"", 0, after + sign * loss, false);
    let tried = vec![best.clone(), fork(name, 0, after, true)];
    let what = What::Choice { loss, noise: 0.021, is_mistake: true, best: Some(best), tried };
    (name.to_owned(), -sign * loss, what)
}

fn sound(name: &str, after: f64) -> (String, f64, What) {
    let tried = vec![fork(name, 0, after, true)];
    (name.to_owned(), 0.0, What::Choice { loss: 0.0, noise: 0.03, is_mistake: false, best: None, tried })
}

/// A match of 60 steps over six turns, lost by the Axis.
fn sample() -> Review {
    let mut chance: f64 = 0.52;
    let point = |step: usize, chance: f64| Point {
        step,
        turn: step.min(59) as u16 / 10 + 1,
        turn_title: format!("Turn {}, 194{}", step.min(59) / 10 + 1, step.min(59) / 20),
        chances: vec![chance, 1.0 - chance],
        error: 0.004,
    };
    let mut points = vec![point(0, chance)];
    let mut moments = Vec::new();
    for step in 1..=60_usize {
        let (actor, (name, change, what)) = match step {
            14 => ("axis", mistake("attack the Eastern Front by night", 0.1234, chance - 0.1234, 1.0)),
            33 => ("allies", mistake("pass", 0.045, chance + 0.045, -1.0)),
            48 => ("axis", mistake("shift EMT", 0.21, chance - 0.21, 1.0)),
            60 => ("fate", draw("die 1", -chance, 0.0)),
            n if n % 3 == 0 => {
                let gain = [0.03, -0.02, 0.081, -0.055, 0.01][n / 3 % 5];
                ("fate", draw("die 5", gain, chance + gain))
            }
            n if n % 7 == 0 => ("axis", ("go on".to_owned(), 0.0, What::Forced)),
            n if n % 2 == 0 => ("axis", sound("attack WF", chance)),
            _ => ("allies", sound("attack PAC", chance)),
        };
        chance += change;
        points.push(point(step, chance));
        moments.push(Moment {
            step,
            turn: (step as u16 - 1) / 10 + 1,
            actor: actor.to_owned(),
            label: format!("{name} in words"),
            name,
            prompt: "Axis attack on the Eastern Front: needs 5 +1 (EMT), 3 in 6".to_owned(),
            rule: "2.3.3".to_owned(),
            change: vec![change, -change],
            error: 0.004,
            what,
        });
    }
    let is = |moment: &Moment, actor: &str| moment.actor == actor && !moment.is_luck();
    let sum = |seat: usize, pick: &dyn Fn(&Moment) -> bool| -> f64 {
        moments.iter().filter(|moment| pick(moment)).map(|moment| moment.change[seat]).sum()
    };
    let words = [("axis", "Axis"), ("allies", "Allies")];
    let seat = |seat: usize| SeatSum {
        word: words[seat].0.to_owned(),
        title: words[seat].1.to_owned(),
        start: points[0].chances[seat],
        luck: sum(seat, &|moment| moment.is_luck()),
        own: sum(seat, &|moment| is(moment, words[seat].0)),
        others: sum(seat, &|moment| is(moment, words[1 - seat].0)),
        end: points[60].chances[seat],
        mistakes: [2, 1][seat],
        decisions: 20,
        verdict: format!(
            "What there is to say to {}, over more than a line, for a sentence may be long; the turning point was turn 6: the die.",
            words[seat].1
        ),
    };
    let turn = |turn: u16| {
        let of = |pick: &dyn Fn(&Moment) -> bool| {
            [0, 1].map(|seat| sum(seat, &|moment: &Moment| moment.turn == turn && pick(moment))).to_vec()
        };
        let own =
            |seat: usize| sum(seat, &|moment: &Moment| moment.turn == turn && is(moment, words[seat].0));
        TurnSum {
            turn,
            title: format!("Turn {turn}, 1940"),
            luck: of(&|moment| moment.is_luck()),
            choices: of(&|moment| !moment.is_luck()),
            by_seat: vec![own(0), own(1)],
        }
    };
    Review {
        game: "echoes".to_owned(),
        title: "Echoes of War".to_owned(),
        seats: vec![seat(0), seat(1)],
        turns: (1..=6).map(turn).collect(),
        turning_points: vec![59, 47, 13, 8, 32],
        points,
        moments,
        verdict: "Allies beat Axis: luck gave Allies 30 points; mistakes cost Axis 33 points, Allies 5."
            .to_owned(),
        result: "Victory <for> the Allies".to_owned(),
        playouts: 1_234_567,
        finished: true,
        stopped: false,
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn the_text_is_as_it_was() {
    golden::compare(&file("both.txt"), &sample().text(100, None));
    golden::compare(&file("allies.txt"), &sample().text(72, Some(1)));
}

#[test]
fn no_line_is_too_long() {
    for width in [72, 80, 100, 140] {
        for seat in [None, Some(0), Some(1), Some(7)] {
            let text = sample().text(width, seat);
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
            assert!(longest <= width, "{longest} letters in {width}:\n{text}");
            assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        }
    }
}

#[test]
fn the_picture_is_as_it_was() {
    golden::compare(&file("curve.svg"), &sample().curve_svg());
}

/// Every element is closed in its turn, and nothing in the words breaks out of them.
#[test]
fn the_picture_is_sound_xml() {
    for seats in [1, 2] {
        let mut review = sample();
        review.seats.truncate(seats);
        let svg = review.curve_svg();
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{svg}");
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().expect("a name"));
            }
        }
        assert!(open.is_empty() && svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("role=\"img\"") && svg.contains("<title") && svg.contains("<desc"));
        assert!(svg.contains("data-step=\"14\"") && !svg.contains("style="), "a page may refuse styles");
    }
}

#[test]
fn a_long_match_makes_no_long_picture() {
    let mut review = sample();
    let (points, moments) = (review.points.clone(), review.moments.clone());
    for _ in 0..40 {
        review.points.extend(points.iter().skip(1).cloned());
        review.moments.extend(moments.iter().cloned());
    }
    for (step, point) in review.points.iter_mut().enumerate() {
        point.step = step;
    }
    assert!(review.curve_svg().len() < 120_000, "{}", review.curve_svg().len());
    assert!(review.text(80, None).lines().count() < 120);
}
