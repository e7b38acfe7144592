//! A server with matches that have come to any step, and somebody who knows what can be chosen there.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use kernel::{Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Options, Seat, SecretPolicy};
use store::{Entry, EntryKind, MatchRecord, MemoryStore, Player, SeatRecord, SqliteStore, Store, Summary};
use tempfile::TempDir;
use web::{ConnectionLimits, Lobby, Of, Serving, Title};

use crate::expanse::{Expanse, ExpanseBoard};
use crate::wire::Http;

/// The steps at which is measured. The match is a little longer than the last.
pub const MARKS: [usize; 4] = [100, 1_000, 4_000, 8_000];

/// The server, and one match from its beginning to its end to take others from.
pub struct Stand {
    /// Where it listens.
    pub port: u16,
    /// The whole match.
    pub course: Match<Expanse>,
    /// The steps of the whole match as lines of its record.
    lines: Vec<String>,
    /// After so many steps a seat is to choose.
    inputs: Vec<usize>,
    store: Arc<dyn Store>,
    planted: u32,
    _folder: TempDir,
}

/// A match that the server has in its store.
pub struct Planted {
    /// The paths of the table: for the first seat, the second and those who look on.
    pub paths: [String; 3],
    /// The number of its last journal entry.
    pub revision: u32,
    /// The same match here: it meets the same dice.
    pub mirror: Match<Expanse>,
    dice: LabDice,
}

impl Stand {
    /// Plays the whole match and opens a server on an empty folder, or on a store in memory.
    pub fn open(in_memory: bool) -> io::Result<Self> {
        let (course, inputs) = play_all();
        let mut text = String::new();
        course.write_log(0, &mut text);
        let steps = text.lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<String> = steps.map(|line| format!("{line}\n")).collect();
        assert_eq!(lines.len(), course.log().len(), "a line a step");
        let folder = tempfile::Builder::new().prefix("maproom-large-map-").tempdir()?;
        let store: Arc<dyn Store> = if in_memory {
            Arc::new(MemoryStore::default())
        } else {
            Arc::new(SqliteStore::open(folder.path()).map_err(io::Error::other)?)
        };
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<ExpanseBoard>::new())];
        let lobby = Arc::new(Lobby::open(Arc::clone(&store), titles).map_err(io::Error::other)?);
        std::thread::spawn(move || serve(lobby, listener));
        Ok(Self { port, course, lines, inputs, store, planted: 0, _folder: folder })
    }

    /// The last step up to `step` at which a seat is to choose.
    pub fn input_before(&self, step: usize) -> usize {
        self.inputs[self.inputs.partition_point(|input| *input <= step).saturating_sub(1)]
    }

    /// Puts a match that has come to a step into the store, one journal entry for each choice as if it had been played.
    pub fn plant(&mut self, step: usize, players: [Player; 2]) -> io::Result<Planted> {
        let steps = self.input_before(step);
        self.planted += 1;
        let id = format!("match{}", self.planted);
        let tokens = ["north", "south", "viewer"].map(|who| format!("{who}{}", self.planted));
        let inputs = &self.inputs[..self.inputs.partition_point(|input| *input <= steps)];
        let journal: Vec<Entry> = inputs
            .windows(2)
            .map(|ends| EntryKind::Steps(self.lines[ends[0]..ends[1]].concat()))
            .zip(1..)
            .map(|(kind, seq)| Entry::new(seq, 1, kind))
            .collect();
        let seats = players.into_iter().zip(&tokens).zip(0..).map(|((player, token), seat)| SeatRecord {
            seat,
            word: self.course.game().seats()[usize::from(seat)].word.to_owned(),
            token: if player.is_human() { token.clone() } else { String::new() },
            player,
            claimed_at: Some(1),
            seen: steps as u32,
        });
        let revision = journal.len() as u32;
        let record = MatchRecord {
            id: id.clone(),
            game: Expanse::ID.to_owned(),
            name: format!("Step {steps}"),
            header: self.course.head(SecretPolicy::Keep),
            options: "{}".to_owned(),
            viewer_token: tokens[2].clone(),
            revision,
            pace: "once".to_owned(),
            summary: Summary { steps: steps as u32, ..Summary::default() },
            seats: seats.collect(),
            ..MatchRecord::default()
        };
        self.store.create(&record, &journal).map_err(io::Error::other)?;
        let paths = tokens.map(|token| format!("/m/{id}/{token}"));
        let mirror = self.course.fork(steps);
        Ok(Planted { paths, revision, mirror, dice: LabDice::new(steps as u64) })
    }

    /// Switches the chances to win on or off for everybody.
    pub async fn show_chances(&self, on: bool) -> io::Result<()> {
        let form = if on { "theme=system&chance=on" } else { "theme=system" };
        let kind = "application/x-www-form-urlencoded";
        let answer = Http::connect(self.port).await?.post("/settings", kind, form).await?;
        if answer.status == 204 { Ok(()) } else { Err(io::Error::other(format!("status {}", answer.status))) }
    }
}

impl Planted {
    /// The seat that is to choose.
    pub fn mover(&self) -> usize {
        match self.mirror.mover() {
            Mover::Seat(Seat(seat)) => usize::from(seat),
            Mover::Fate | Mover::Nobody => panic!("the match is over"),
        }
    }

    /// Makes a choice of the quick policy here and returns its name, to be made in the server as well.
    pub fn choose(&mut self) -> String {
        let choices = self.mirror.choices();
        let pick = self.mirror.game().quick_choice(self.mirror.state(), &choices, &mut self.dice);
        let name = self.mirror.name(choices[pick]);
        self.follow(&name);
        name
    }

    /// Makes a choice here that was made in the server.
    pub fn follow(&mut self, name: &str) {
        let choice = self.mirror.read(name).expect("a choice of this game");
        self.mirror.play(choice, &mut Discard).expect("an open choice");
        self.mirror.play_forced(&mut Discard);
        self.revision += 1;
    }

    /// A click as JSON.
    pub fn click(&mut self) -> String {
        let revision = self.revision;
        format!("{{\"revision\":{revision},\"choice\":\"{}\"}}", self.choose())
    }
}

/// A match by the quick policy, and the numbers of steps after which a seat chose.
fn play_all() -> (Match<Expanse>, Vec<usize>) {
    let game = Expanse::with_options(&Options::new()).expect("the default set-up");
    let mut course = Match::new(game, MatchDice::seeded(8_000));
    let mut dice = LabDice::new(1);
    let mut inputs = vec![0];
    while let Mover::Seat(_) = course.mover() {
        let choices = course.choices();
        // Now and then somebody errs, so that not all pieces crowd around the same towns.
        let pick = match dice.below(16) {
            0 => dice.below(choices.len() as u32) as usize,
            _ => course.game().quick_choice(course.state(), &choices, &mut dice),
        };
        course.play(choices[pick], &mut Discard).expect("an open choice");
        course.play_forced(&mut Discard);
        inputs.push(course.log().len());
    }
    (course, inputs)
}

fn serve(lobby: Arc<Lobby>, listener: TcpListener) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        let limits = ConnectionLimits::of_this_machine();
        let (address, proxies, accounts) = (None, Vec::new(), None);
        let serving = Serving { listener, local_only: true, address, proxies, limits, accounts };
        web::serve(lobby, serving, std::future::pending()).await.expect("the server serves");
    });
}
