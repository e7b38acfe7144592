//! The games that there are: the one place that names them.

mod tools;

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use diagnostics::shown;
use kernel::{CompleteGame, LoadError, MatchDice, Options, Table, game_of_save};
use web::{Board, Opened, PlainBoard};

pub use lab::OptionValue;
pub use tools::GameTools;

/// All games: those of this project, a line each, and those that another program has added. A game that has no board of its
/// own is listed with [`GameEntry::plain`].
pub static GAMES: LazyLock<Vec<GameEntry>> = LazyLock::new(|| {
    let mut games = vec![
        GameEntry::of::<boards::EchoesBoard>(),
        GameEntry::of::<boards::BlitzBoard>(),
        GameEntry::of::<boards::DDayBoard>(),
        GameEntry::of::<boards::TriumphBoard>(),
        GameEntry::of::<boards::SurrenderBoard>(),
    ];
    games.append(&mut MORE.lock().unwrap_or_else(PoisonError::into_inner));
    games
});

/// Games on their way into the list.
static MORE: Mutex<Vec<GameEntry>> = Mutex::new(Vec::new());

/// Adds games to those of this project, once, before anything else is done.
pub fn add(more: impl IntoIterator<Item = GameEntry>) {
    MORE.lock().unwrap_or_else(PoisonError::into_inner).extend(more);
    LazyLock::force(&GAMES);
    let late = MORE.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(late.is_empty(), "games can be added once only, before the list is used");
    for (at, game) in GAMES.iter().enumerate() {
        let is_new = GAMES[..at].iter().all(|other| other.id() != game.id());
        assert!(is_new, "two games are called {:?}", game.id());
    }
}

/// A game as the program holds it, without its type.
pub struct GameEntry {
    /// What the browser shows of it: names, board, rulebook, tables.
    pub(crate) title: Arc<dyn web::Title>,
    /// What the commands do with it: simulations, ladders, checks, odds.
    pub(crate) tools: Box<dyn GameTools>,
}

impl GameEntry {
    /// A game with a board of its own.
    pub fn of<B: Board>() -> Self {
        Self { title: Arc::new(web::Of::<B>::new()), tools: tools::of::<B::Game>() }
    }

    /// A game that is shown on the plain board: the position as a picture and a table, the choices as buttons.
    pub fn plain<G: CompleteGame>() -> Self {
        Self::of::<PlainBoard<G>>()
    }

    /// Its word.
    pub fn id(&self) -> &'static str {
        self.title.id()
    }

    /// Its title for people.
    pub fn name(&self) -> &'static str {
        self.title.name()
    }

    /// A new match.
    pub fn open(&self, options: &Options, dice: MatchDice) -> Result<Box<dyn Table>, String> {
        self.title.open(options, dice)
    }

    /// A saved match.
    pub fn load(&self, name: &str, text: &str) -> Result<Opened, LoadError> {
        self.title.load(name, text)
    }

    /// The steps of a saved match that the current rules can replay.
    pub fn load_common(&self, name: &str, text: &str) -> Result<Opened, LoadError> {
        self.title.load_common(name, text)
    }
}

/// All games, as the browser's server holds them.
pub fn titles() -> Vec<Arc<dyn web::Title>> {
    GAMES.iter().map(|game| Arc::clone(&game.title)).collect()
}

/// The game of a word, or which there are.
pub fn game(word: &str) -> Result<&'static GameEntry, String> {
    GAMES.iter().find(|game| game.id() == word).ok_or_else(|| {
        let words: Vec<&str> = GAMES.iter().map(GameEntry::id).collect();
        let meant = diagnostics::nearest(word, words.iter().copied());
        let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
        format!("unknown game {:?}{hint}; the games are: {}", shown(word), words.join(", "))
    })
}

/// The game that a save belongs to.
pub fn of_save(name: &str, text: &str) -> Result<&'static GameEntry, String> {
    match game_of_save(text) {
        Some(word) => game(word).map_err(|why| format!("{name}: {why}")),
        None => {
            Err(format!("{name}: this is not a Maproom match: its first line should be \"maproom match 1\""))
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Mover, SecretPolicy, Viewer};
    use lab::ladder::{Contender, Ladder};
    use lab::{Batch, Progress, Site};
    use testkit::auction::Auction;

    use super::*;

    /// A game without a board of its own, listed as any other.
    fn plain() -> GameEntry {
        GameEntry::plain::<Auction>()
    }

    #[test]
    fn every_game_has_a_word_of_its_own_and_both_sides_mean_the_same_game() {
        let words: Vec<&str> = GAMES.iter().map(GameEntry::id).collect();
        assert!(words.iter().enumerate().all(|(at, word)| !words[..at].contains(word)), "{words:?}");
        for word in &words {
            let entry = game(word).expect("a listed game");
            let table = entry.open(&Options::new(), MatchDice::seeded(1)).expect("the plain set-up");
            assert_eq!(table.game_id(), *word);
            let save = table.save(SecretPolicy::Keep).expect("a save");
            assert_eq!(of_save("save", &save).map(GameEntry::id), Ok(*word));
            let (opened, _) = entry.tools.verify("save", &save).expect("an own save");
            assert_eq!(opened.table.game_id(), *word);
        }
        assert_eq!(titles().len(), words.len());
    }

    #[test]
    fn one_line_is_all_that_a_game_without_a_board_needs() {
        let entry = plain();
        assert_eq!((entry.id(), entry.name()), ("auction", "Auction"));
        let three = Options::from([("seats".to_owned(), "3".to_owned())]);
        let mut table = entry.open(&three, MatchDice::seeded(1)).expect("a table");
        table.play_forced(None);
        assert!(matches!(table.mover(), Mover::Seat(_)) && !table.picture(Viewer::Spectator).is_empty());
        assert!(entry.title.sheet(&*table).into_string().contains("plain"));
        let bots = vec![entry.tools.bot("greedy").expect("a bot")];
        let batch = Batch { games: 20, seed: 1, seats: bots, threads: 1 };
        let here = Site::in_process();
        let report =
            entry.tools.simulate(&here, &three, &batch, &Progress::default()).expect("a batch").result;
        assert_eq!((report.games, report.seats.len()), (20, 3));
        let contenders = ["greedy", "random"]
            .map(|name| Contender { name: name.to_owned(), who: entry.tools.opponent(name).expect("a bot") });
        let ladder = Ladder { contenders: contenders.into(), games: 8, seed: 1, threads: 1 };
        let ladder = entry.tools.ladder(&here, &three, &ladder, &Progress::default());
        let (totals, _) = ladder.expect("a ladder").result;
        assert_eq!(totals.games, totals.asked);
        assert_eq!(entry.tools.perft(&three, 2).expect("counts"), [6, 42]);
        assert!(entry.tools.check_builtin().is_ok());
        assert_eq!(entry.tools.option_value("seats"), OptionValue::Word);
    }
}
