//! Saves of earlier releases, which every later release must load, verify and continue.
//!
//! `tests/museum/RELEASE/` of a game holds saves as that release wrote them, with two tab-separated
//! tables:
//!
//! * `index.tsv`: every save, whether it is finished, its steps, its result (or `-`), and what `maproom verify` said about its
//!   dice: `proven` and the number of draws, `own`, or `not yet` where the secret is withheld.
//! * `continued.tsv`: how that release continued each unfinished save that can be continued. Fair dice are drawn; else the
//!   choice is number (7 × steps so far + 3) modulo the number of choices, own dice included; at most 200 choices more. The
//!   table has the steps then, the result, who is to choose, the turn, the last choice, and the first 16 digits of the
//!   SHA-256 of the last 200 lines `who choice` of the log.
//!
//! A release folder is made once, by `cargo xtask museum RELEASE`, and never changed again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kernel::{
    Actor, CompleteGame, Dice, DiceProof, Discard, LabDice, Match, MatchDice, Mover, Options, Seat,
    SecretPolicy, Undo,
};
use sha2::{Digest as _, Sha256};

/// The environment variable that names the release for which [`make`] writes a folder.
pub const RELEASE: &str = "MAPROOM_MUSEUM";
/// The environment variable that lets [`make`] overwrite an existing folder.
pub const AGAIN: &str = "MAPROOM_MUSEUM_AGAIN";

const INDEX: &str = "file\tstate\tsteps\tresult\tdice\n";
const CONTINUED: &str = "file\tsteps\tresult\tmover\tturn\tlast choice\tlast lines\n";
/// How many choices a match is continued for.
const FURTHER: usize = 200;

/// One release's saves of a game.
pub struct Hall {
    /// The folder.
    pub folder: PathBuf,
    /// The release, such as `0.1`.
    pub release: String,
}

/// The releases with saves below `museum`, oldest first.
pub fn halls(museum: &Path) -> Vec<Hall> {
    let folders = std::fs::read_dir(museum).unwrap_or_else(|why| panic!("{}: {why}", museum.display()));
    let mut halls: Vec<Hall> = folders
        .map(|folder| folder.expect("a folder can be listed").path())
        .filter(|folder| folder.is_dir())
        .map(|folder| {
            let release = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Hall { folder, release }
        })
        .collect();
    halls.sort_by(|one, two| one.release.cmp(&two.release));
    halls
}

impl Hall {
    fn read(&self, file: &str) -> String {
        let path = self.folder.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
    }

    /// The rows of a table, without its heading.
    fn rows(&self, table: &str) -> Vec<Vec<String>> {
        let text = self.read(table);
        text.lines().skip(1).map(|row| row.split('\t').map(str::to_owned).collect()).collect()
    }

    /// The names of all saves, each with its text.
    pub fn saves(&self) -> Vec<(String, String)> {
        self.rows("index.tsv").into_iter().map(|row| (row[0].clone(), self.read(&row[0]))).collect()
    }

    /// Loads, verifies and rewrites every save, continues the unfinished ones, and returns how many there are.
    ///
    /// # Panics
    /// If a save does not match its tables; the message names all of them.
    pub fn check<G: CompleteGame>(&self) -> usize {
        let index = self.rows("index.tsv");
        let stored = std::fs::read_dir(&self.folder).expect("the folder can be listed");
        let stored = stored
            .filter_map(Result::ok)
            .filter(|file| file.path().extension().is_some_and(|e| e == "match"));
        assert_eq!(stored.count(), index.len(), "{}: every save has its row", self.folder.display());
        let mut faults = String::new();
        for row in &index {
            if let Err(why) = check_save::<G>(row, &self.read(&row[0])) {
                let _ = writeln!(faults, "{}: {why}", row[0]);
            }
        }
        for row in self.rows("continued.tsv") {
            if let Err(why) = check_continued::<G>(&row, &self.read(&row[0])) {
                let _ = writeln!(faults, "{}, played on: {why}", row[0]);
            }
        }
        assert!(faults.is_empty(), "release {}:\n{faults}", self.release);
        index.len()
    }
}

fn check_save<G: CompleteGame>(row: &[String], text: &str) -> Result<(), String> {
    let (loaded, proof) = Match::<G>::verify(&row[0], text).map_err(|why| why.to_string())?;
    if loaded.uncompared > 0 {
        return Err(format!("{} digests were not compared", loaded.uncompared));
    }
    let game_match = loaded.game_match;
    let found = index_row(&row[0], &game_match, &proof);
    if found != row.join("\t") {
        return Err(format!("the index says\n  {}\nnow it is\n  {found}", row.join("\t")));
    }
    let again = game_match.save(policy_of(text));
    if again != text {
        let line = again.lines().zip(text.lines()).position(|(now, then)| now != then);
        let line = line.unwrap_or_else(|| again.lines().count().min(text.lines().count()));
        let [now, then] = [&again, text].map(|text| text.lines().nth(line).unwrap_or("(end)"));
        return Err(format!("saved again it differs in line {}: {now:?} instead of {then:?}", line + 1));
    }
    Ok(())
}

fn check_continued<G: CompleteGame>(row: &[String], text: &str) -> Result<(), String> {
    let mut game_match = Match::<G>::load(&row[0], text).map_err(|why| why.to_string())?.game_match;
    play_on(&mut game_match)?;
    let found = continued_row(&row[0], &game_match);
    if found != row.join("\t") {
        return Err(format!("the table says\n  {}\nnow it comes to\n  {found}", row.join("\t")));
    }
    let saved = game_match.save(policy_of(text));
    let (loaded, _) = Match::<G>::verify(&row[0], &saved).map_err(|why| why.to_string())?;
    if loaded.game_match.log() != game_match.log() || loaded.game_match.state() != game_match.state() {
        return Err("saved and loaded it is another match".to_owned());
    }
    Ok(())
}

/// Whether a save is written again with its secret, as it was.
fn policy_of(text: &str) -> SecretPolicy {
    if text.contains("\nsecret: ") { SecretPolicy::Keep } else { SecretPolicy::Withhold }
}

fn result_of<G: CompleteGame>(game_match: &Match<G>) -> &'static str {
    let game = game_match.game();
    game.outcome(game_match.state()).map_or("-", |outcome| game.results()[usize::from(outcome.0)].word)
}

fn index_row<G: CompleteGame>(file: &str, game_match: &Match<G>, proof: &DiceProof) -> String {
    let result = result_of(game_match);
    let state = if result == "-" { "unfinished" } else { "finished" };
    let dice = match proof {
        DiceProof::Proven { draws, .. } => format!("proven {draws}"),
        DiceProof::OwnDice => "own".to_owned(),
        DiceProof::NotYet => "not yet".to_owned(),
    };
    format!("{file}\t{state}\t{}\t{result}\t{dice}", game_match.log().len())
}

fn continued_row<G: CompleteGame>(file: &str, game_match: &Match<G>) -> String {
    let game = game_match.game();
    let mover = match game_match.mover() {
        Mover::Nobody => "-",
        Mover::Fate => "fate",
        Mover::Seat(seat) => game.seats()[seat.index()].word,
    };
    let steps = game_match.log().len();
    let mut lines = Vec::new();
    game_match.replay(steps.saturating_sub(FURTHER), &mut Discard, |_, state, step, _| {
        let who = match step.actor {
            Actor::Fate => "fate",
            Actor::Seat(seat) => game.seats()[seat.index()].word,
        };
        let mut name = String::new();
        game.write_name(state, step.choice, &mut name);
        lines.push((who, name));
    });
    let text: Vec<String> = lines.iter().map(|(who, name)| format!("{who} {name}")).collect();
    let sum = Sha256::digest(text.join("\n"));
    let sum: String = sum[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let last = lines.last().map_or("-", |(_, name)| name);
    let turn = game.turn(game_match.state());
    format!("{file}\t{steps}\t{}\t{mover}\t{turn}\t{last}\t{sum}", result_of(game_match))
}

/// Continues a match as `continued.tsv` describes.
fn play_on<G: CompleteGame>(game_match: &mut Match<G>) -> Result<(), String> {
    for _ in 0..FURTHER {
        let steps = game_match.log().len();
        let pick = |choices: Vec<G::Choice>| choices[(7 * steps + 3) % choices.len()];
        match (game_match.mover(), game_match.dice()) {
            (Mover::Nobody, _) => break,
            (Mover::Fate, MatchDice::Fair { .. }) => game_match.fate(None, &mut Discard),
            (Mover::Fate, MatchDice::Own) => game_match.fate(Some(pick(game_match.choices())), &mut Discard),
            (Mover::Seat(_), _) => game_match.play(pick(game_match.choices()), &mut Discard),
        }
        .map_err(|why| why.to_string())?;
    }
    Ok(())
}

/// A match to be saved for a release.
#[derive(Clone, Debug, Default)]
pub struct Exhibit {
    /// The name of its file, without the part that says how far it went.
    pub name: String,
    /// Its set-up.
    pub options: Vec<(&'static str, String)>,
    /// After how many steps it stops; `None` for a match to its end.
    pub stop: Option<usize>,
    /// Whether a person rolls the dice.
    pub own_dice: bool,
    /// Whether decisions are undone now and then.
    pub takebacks: bool,
    /// Whether the choices of the seats are explained.
    pub remarks: bool,
    /// Whether the secret of the dice is left out.
    pub published: bool,
}

impl Exhibit {
    /// A match of a set-up.
    pub fn of(name: &str, options: &[(&'static str, &str)], stop: Option<usize>) -> Self {
        let options = options.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        Self { name: name.to_owned(), options, stop, ..Self::default() }
    }

    fn file(&self) -> String {
        format!("{}-{}.match", self.name, if self.stop.is_some() { "unfinished" } else { "finished" })
    }

    /// Plays the match by random choices that follow from its name.
    fn play<G: CompleteGame>(&self) -> Match<G> {
        let options: Options =
            self.options.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let game = G::with_options(&options).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        let seed =
            Sha256::digest(self.file()).iter().take(6).fold(0, |seed, byte| seed << 8 | u64::from(*byte));
        let dice = if self.own_dice { MatchDice::Own } else { MatchDice::seeded(seed) };
        let mut picks = LabDice::new(seed);
        let mut game_match = Match::open(game, dice).unwrap_or_else(|why| panic!("{}: {why}", self.name));
        // One person in the first seat, so that everything may be undone.
        game_match.seat_persons(kernel::SeatSet::first(1));
        let mut taken_back = 0;
        while game_match.mover() != Mover::Nobody
            && self.stop.is_none_or(|stop| game_match.log().len() < stop)
        {
            let choices = game_match.choices();
            let pick = choices[picks.below(choices.len() as u32) as usize];
            let done = match (game_match.mover(), self.own_dice) {
                (Mover::Fate, false) => game_match.fate(None, &mut Discard),
                (Mover::Fate, true) => game_match.fate(Some(pick), &mut Discard),
                _ => game_match.play(pick, &mut Discard),
            };
            done.unwrap_or_else(|why| panic!("{}: {why}", self.name));
            let steps = game_match.log().len();
            if self.remarks && picks.below(3) == 0 {
                game_match.remark(steps - 1, &format!("Zug {steps}: “das hält” – step {steps} of many"));
            }
            if self.takebacks && taken_back < 12 && picks.below(20) == 0 {
                let scope = if picks.below(3) == 0 { Undo::Turn } else { Undo::Step };
                taken_back += usize::from(game_match.undo(Seat(0), scope).is_ok());
            }
        }
        game_match
    }
}

/// Writes the saves of a release into `museum`, if [`RELEASE`] asks for it.
///
/// # Panics
/// When it does not, when the folder is there already and [`AGAIN`] is not set, or when something can't be written.
pub fn make<G: CompleteGame>(museum: &Path, exhibits: &[Exhibit]) {
    let release = std::env::var(RELEASE)
        .unwrap_or_else(|_| panic!("{RELEASE} names the release; see `cargo xtask museum`"));
    assert!(
        !release.is_empty() && release.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
        "{release:?}: such as 0.3"
    );
    let hall = Hall { folder: museum.join(&release), release };
    assert!(
        std::env::var_os(AGAIN).is_some() || !hall.folder.exists(),
        "{} is there already: what a release wrote is not changed afterwards",
        hall.folder.display()
    );
    let _ = std::fs::remove_dir_all(&hall.folder);
    std::fs::create_dir_all(&hall.folder).expect("the folder can be made");
    let (mut index, mut continued) = (INDEX.to_owned(), CONTINUED.to_owned());
    for exhibit in exhibits {
        let file = exhibit.file();
        let game_match = exhibit.play::<G>();
        let over = game_match.mover() == Mover::Nobody;
        assert_eq!(over, exhibit.stop.is_none(), "{file}: it ended after {} steps", game_match.log().len());
        let policy = if exhibit.published { SecretPolicy::Withhold } else { SecretPolicy::Keep };
        let text = game_match.save(policy);
        let path = hall.folder.join(&file);
        assert!(!path.exists(), "{file}: two exhibits of one name");
        std::fs::write(path, &text).expect("a save can be written");
        let (mut loaded, proof) =
            Match::<G>::verify(&file, &text).unwrap_or_else(|why| panic!("{file}: {why}"));
        let _ = writeln!(index, "{}", index_row(&file, &loaded.game_match, &proof));
        if !over && proof != DiceProof::NotYet {
            play_on(&mut loaded.game_match).unwrap_or_else(|why| panic!("{file}: {why}"));
            let _ = writeln!(continued, "{}", continued_row(&file, &loaded.game_match));
        }
    }
    std::fs::write(hall.folder.join("index.tsv"), index).expect("the index can be written");
    std::fs::write(hall.folder.join("continued.tsv"), continued).expect("the table can be written");
    hall.check::<G>();
}
