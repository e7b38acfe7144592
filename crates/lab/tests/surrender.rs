//! A batch of wars tells when countries fall, as a second count of the same games has it.

use std::collections::BTreeMap;

use bots::BotKind;
use kernel::{Audience, EventSink, Game as _, LabDice, Options, Wording as _};
use lab::{Batch, BotPlayers, Observer, Playing, Progress, SimReport, simulate};
use surrender::{GameEvent, State, Surrender};

/// The countries that fell in a game, and the turn of the first time.
struct Falls {
    turn: u16,
    first: BTreeMap<usize, u16>,
}

impl EventSink<GameEvent> for Falls {
    fn emit_to(&mut self, _: Audience, event: impl FnOnce() -> GameEvent) {
        if let GameEvent::Conquered(country, _) = event() {
            self.first.entry(country.index()).or_insert(self.turn);
        }
    }
}

impl Observer<Surrender> for Falls {
    fn decided(&mut self, _: usize) {}

    fn drew(&mut self) {}

    fn after(&mut self, game: &Surrender, state: &State) {
        self.turn = game.turn(state);
    }
}

#[test]
fn a_batch_tells_when_countries_fall() {
    const GAMES: u64 = 9;
    let options = Options::from([("scenario".to_owned(), "poland-1939".to_owned())]);
    let game = Surrender::with_options(&options).expect("options of the game");
    let seats = vec![BotKind::Own(0)];
    let batch = Batch { games: GAMES, seed: 11, seats: seats.clone(), threads: 2 };
    let totals = simulate(&game, &batch, &Progress::default()).expect("a batch");
    let report = SimReport::new(&game, &batch, &totals);

    let mut counted: BTreeMap<usize, Vec<u16>> = BTreeMap::new();
    let mut playing = Playing::default();
    let mut seated = BotPlayers::new(&game, &seats);
    for number in 0..GAMES {
        let (mut dice, mut state) = (LabDice::for_game(batch.seed, number), game.start());
        let mut falls = Falls { turn: game.turn(&state), first: BTreeMap::new() };
        seated.begin();
        playing.to_the_end(&game, &mut state, &mut seated, &mut dice, &mut falls);
        for (country, turn) in falls.first {
            counted.entry(country).or_default().push(turn);
        }
    }

    assert!(!counted.is_empty(), "Poland falls in some of the games");
    assert_eq!(report.events.len(), counted.len());
    let names = kernel::Catalogue::counters(&game);
    for (country, mut turns) in counted {
        turns.sort_unstable();
        let line = report.events.iter().find(|line| line.name == names[country]).expect("its line");
        assert!((line.in_games - turns.len() as f64 / GAMES as f64).abs() < 1e-9, "{}", line.name);
        // The smallest turn by which at least that share of the games had it.
        let at = |hundredths: usize| game.turn_title(turns[(turns.len() * hundredths).div_ceil(100) - 1]);
        assert_eq!(line.first.quarter, at(25), "{turns:?}");
        assert_eq!(line.first.median, at(50), "{turns:?}");
        assert_eq!(line.first.three_quarters, at(75), "{turns:?}");
        assert!(report.table().contains(&at(50)));
    }
}
