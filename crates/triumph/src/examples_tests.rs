use kernel::Mover;

use super::*;

#[test]
fn every_choice_of_random_games_begins_with_a_known_verb() {
    let games = [("3", "1936"), ("2", "1939"), ("2", "1936"), ("3", "1939")];
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for (players, start) in games {
        let options: Options = [("players", players), ("start", start)]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        let rules = Rules::new(Settings::read(&options).expect("good options"));
        let mut state = rules.start();
        while rules.mover(&state) != Mover::Nobody {
            let mut choices = Vec::new();
            rules.list(&state, &mut choices);
            for name in rules.names_of_choices(&state) {
                let verb = name.split(' ').next().unwrap_or_default();
                assert!(VERBS.contains(&verb), "{name}");
            }
            let choice = choices[next(choices.len())];
            rules.play(&mut state, choice, &mut kernel::Discard);
        }
    }
}
