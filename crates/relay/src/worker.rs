//! A worker: takes errands one at a time, on each of its threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::client::RequestErrorKind;
use async_nats::connection::State;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, AckKind, Context, Message};
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use crate::line::{NoLine, Target, runtime};
use crate::message::{Answer, Class, Errand, MOST_SPEC, Note, Piece, Receipt, Sign, What, bytes};
use crate::office::fresh_name;
use crate::results::{Label, is_too_large, labelled, pack, part, slices};
use crate::stream::{STREAM, desk_subject, result_subject, sign_subject};
use crate::think::{Choice, Listening, NoChoice, Question};
use store::Finished;
use workers::Progress;

/// How long a pull waits for an errand. A worker that is to stop needs no longer for it.
const PULL: Duration = Duration::from_millis(800);
/// How long to wait where there is no stream, or no connection.
const NO_STREAM: Duration = Duration::from_millis(300);
/// How long to wait for an answer.
const ANSWER: Duration = Duration::from_secs(2);
/// How often to ask before there is no answer. A question may be asked twice; whoever is believed to have begun and has not is
/// waited for until its time is over.
const QUESTIONS: usize = 5;
/// How often a worker says that it is there.
const SIGN: Duration = Duration::from_secs(1);
/// An errand for another build is left to others for so long.
const NOT_FOR_ME: Duration = Duration::from_secs(5);
/// A check that somebody else has to make is left to them for so long.
const NOT_BY_ME: Duration = Duration::from_millis(250);
/// An errand whose desk does not answer is left for so long, and so often.
const NO_DESK: Duration = Duration::from_millis(500);
const MOST_TRIES: i64 = 20;
/// For so long a worker tries to bring what it has.
const BRING: Duration = Duration::from_secs(90);
/// The same for one that is to stop.
const BRING_LAST: Duration = Duration::from_millis(600);
/// How often it says that it is at work, at least: the stream waits thirty seconds.
const SLOWEST_BEAT: Duration = Duration::from_secs(10);
/// What a worker has is brought when it is so many bytes, or when so much time has gone.
const ENOUGH: usize = 4 << 20;

/// What a worker is asked to do.
#[derive(Debug)]
pub struct Task<'a> {
    /// What kind of work it is.
    pub kind: &'a str,
    /// The game.
    pub game: &'a str,
    /// The specification of the job.
    pub spec: &'a str,
    /// The ranges of numbers to do, in this order.
    pub ranges: &'a [Range<u64>],
    /// Says when the work is to end soon.
    pub progress: &'a Progress,
}

/// Whoever can do the work.
pub trait Labour: Sync {
    /// The version of a game's rules; `None` if the game is not known.
    fn rules(&self, game: &str) -> Option<String>;
    /// Does the ranges of a task and hands in the parts of each, until `hand_in` answers `false` or it is to stop. The error
    /// says what is wrong with the range that was not handed in.
    fn work(&self, task: &Task<'_>, hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String>;
    /// Lets a bot think about its next choice, on so many threads; soon after `stop` is set it has one.
    fn think(&self, question: &Question, threads: usize, stop: &AtomicBool) -> Result<Choice, NoChoice>;
}

/// Whoever wants to know what a worker does.
pub trait Told: Sync {
    /// It begins to wait, or can't any more.
    fn says(&self, words: &str);
    /// It has brought so many chunks, with so many numbers in them.
    fn brought(&self, errand: &Errand, chunks: u64, numbers: u64);
}

/// A worker.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Where work is handed out.
    pub target: Target,
    /// What it may do.
    pub class: Class,
    /// How many errands it does at a time, how many questions of bots it thinks about, and on how many threads.
    pub threads: usize,
    /// Its name: no other worker has the same.
    pub name: String,
    /// Its build.
    pub build: String,
}

impl Worker {
    /// Works until it is to stop. Then what is under way is given back.
    pub fn run(&self, labour: &dyn Labour, stop: &AtomicBool, told: &dyn Told) -> Result<(), String> {
        let runtime = runtime()?;
        let Some(client) = self.connect(runtime.handle(), stop, told)? else { return Ok(()) };
        // It begins a task of its own, which needs the runtime.
        let jetstream = runtime.block_on(async { jetstream::new(client.clone()) });
        let _signs = self.give_signs(runtime.handle(), &client);
        told.says(&format!("{} is waiting for work at {}", self.name, self.target));
        let threads = self.threads.max(1);
        let flags: Vec<Flag> = (0..threads).map(|_| Flag::default()).collect();
        let specs = Specs::default();
        let listening = Listening {
            name: fresh_name()?,
            build: &self.build,
            places: threads,
            is_private: self.target.is_private(),
            labour,
            client: client.clone(),
            on: runtime.handle().clone(),
        };
        std::thread::scope(|scope| {
            // Positions of running matches are shown to machines of the house only.
            if self.class == Class::House {
                let listening = &listening;
                scope.spawn(move || listening.work(scope, stop));
            }
            for (at, flag) in flags.iter().enumerate() {
                let hand = Hand {
                    worker: self,
                    name: format!("{}/{at}", self.name),
                    labour,
                    told,
                    stop,
                    flag,
                    specs: &specs,
                    client: client.clone(),
                    jetstream: jetstream.clone(),
                    on: runtime.handle(),
                };
                scope.spawn(move || hand.work());
            }
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
            }
            flags.iter().for_each(Flag::set);
        });
        let _ = runtime.block_on(async { tokio::time::timeout(ANSWER / 4, client.flush()).await });
        runtime.shutdown_timeout(Duration::from_millis(100));
        Ok(())
    }
}

impl Worker {
    /// Connects, and waits for the server if it is not there yet. `None` if it is to stop before.
    fn connect(&self, on: &Handle, stop: &AtomicBool, told: &dyn Told) -> Result<Option<Client>, String> {
        let mut is_said = false;
        while !stop.load(Ordering::Relaxed) {
            let connect = self.target.connect(self.class.word(), |_| std::future::ready(()));
            match on.block_on(connect) {
                Ok(client) => return Ok(Some(client)),
                Err(NoLine::ForGood(why)) => return Err(why),
                Err(NoLine::ForNow(why)) => {
                    if !is_said {
                        told.says(&format!("{why}; trying again until it is there"));
                    }
                    is_said = true;
                    std::thread::sleep(NO_STREAM);
                }
            }
        }
        Ok(None)
    }

    /// Says again and again that it is there.
    fn give_signs(&self, on: &Handle, client: &Client) -> Repeated {
        let Self { name, build, class, .. } = self.clone();
        let (client, subject) = (client.clone(), sign_subject(class));
        let sign = bytes(&Sign { process: name, build, class });
        let signs = async move {
            loop {
                // While there is no connection nobody could hear it.
                if client.connection_state() == State::Connected
                    && let Err(why) = client.publish(subject.clone(), sign.clone().into()).await
                {
                    tracing::debug!("nobody can be told that this worker is there: {why}");
                }
                tokio::time::sleep(SIGN).await;
            }
        };
        Repeated(on.spawn(signs).abort_handle())
    }
}

/// What stops the errand that a thread is at, if it is at one.
#[derive(Default)]
struct Flag(Mutex<Option<Arc<Progress>>>);

impl Flag {
    fn set(&self) {
        if let Some(flag) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            flag.stop();
        }
    }

    fn fresh(&self) -> Arc<Progress> {
        let fresh = Arc::<Progress>::default();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&fresh));
        fresh
    }
}

/// The job whose specification was too long for a message last, and its specification: the same for all threads.
type Specs = Mutex<Option<(String, Arc<str>)>>;

/// One thread of a worker.
struct Hand<'a> {
    worker: &'a Worker,
    name: String,
    labour: &'a dyn Labour,
    told: &'a dyn Told,
    stop: &'a AtomicBool,
    flag: &'a Flag,
    specs: &'a Specs,
    client: Client,
    jetstream: Context,
    on: &'a Handle,
}

/// What came of an errand.
enum Outcome {
    /// It is done, or nobody wants it any more.
    Over,
    /// Somebody else shall have it, after this time.
    Back(Duration),
}

/// What came of bringing results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    Kept,
    Unwanted,
    /// Nobody took them.
    Not,
}

type Pull = Consumer<pull::Config>;

impl Hand<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn work(&self) {
        let mut consumers = None;
        while !self.is_stopped() {
            if consumers.is_none() {
                consumers = self.on.block_on(self.consumers());
            }
            let Some(known) = &consumers else {
                std::thread::sleep(NO_STREAM);
                continue;
            };
            match self.on.block_on(self.pull(known)) {
                Ok(Some(message)) => self.errand(&message),
                Ok(None) => {}
                Err(why) => {
                    tracing::debug!("no errand can be had: {why}");
                    consumers = None;
                    std::thread::sleep(NO_STREAM);
                }
            }
        }
    }

    /// From where this worker may take: the house's own machines do also what others may.
    async fn consumers(&self) -> Option<Vec<Pull>> {
        let classes = match self.worker.class {
            Class::House => &[Class::House, Class::Lent][..],
            Class::Lent => &[Class::Lent],
        };
        let mut consumers = Vec::new();
        for class in classes {
            consumers.push(self.jetstream.get_consumer_from_stream(class.word(), STREAM).await.ok()?);
        }
        Some(consumers)
    }

    async fn pull(&self, from: &[Pull]) -> Result<Option<Message>, String> {
        let Some((last, first)) = from.split_last() else { return Ok(None) };
        for consumer in first {
            let messages = consumer.fetch().max_messages(1).messages().await;
            if let Some(message) = next(messages.map_err(|why| why.to_string())?).await? {
                return Ok(Some(message));
            }
        }
        let messages = last.batch().max_messages(1).expires(PULL).messages().await;
        next(messages.map_err(|why| why.to_string())?).await
    }

    /// Does an errand, and acknowledges it when that is right.
    fn errand(&self, message: &Message) {
        let outcome = match serde_json::from_slice::<Errand>(&message.payload) {
            Ok(_) if self.is_stopped() => Outcome::Back(Duration::ZERO),
            Ok(errand) => self.do_errand(&errand, message),
            // Whatever that is, it is not for any worker of this build.
            Err(_) => Outcome::Back(NOT_FOR_ME),
        };
        self.on.block_on(async {
            let kind = match outcome {
                Outcome::Over => AckKind::Ack,
                Outcome::Back(Duration::ZERO) => AckKind::Nak(None),
                Outcome::Back(pause) => AckKind::Nak(Some(pause)),
            };
            // An acknowledgement that is lost brings the errand once more, and then its desk says that it is over.
            if let Err(why) = message.double_ack_with(kind).await {
                tracing::debug!("an acknowledgement was lost: {why}");
            }
        });
    }

    fn do_errand(&self, errand: &Errand, message: &Message) -> Outcome {
        if let Some(why) = self.refusal(errand) {
            self.note(errand, What::Refused { why });
            return Outcome::Back(NOT_FOR_ME);
        }
        if errand.except.as_ref() == Some(&self.worker.name) {
            return Outcome::Back(NOT_BY_ME);
        }
        match self.ask(errand, What::Begin) {
            Ok(Answer::Go { spec, bytes, pieces, lease }) => match self.whole(errand, spec, bytes) {
                Ok(spec) => self.go(errand, message, &spec, &pieces, lease),
                Err(Some(why)) => self.fail(errand, &pieces, why),
                Err(None) => self.give_back(errand),
            },
            Ok(Answer::Noted | Answer::Gone | Answer::Spec { .. }) => Outcome::Over,
            Err(kind) => {
                let tries = message.info().map_or(0, |info| info.delivered);
                let is_gone = kind == Some(RequestErrorKind::NoResponders) && tries > MOST_TRIES;
                // Its desk may be on its way back. If not, another desk hands the same out again.
                if is_gone { Outcome::Over } else { Outcome::Back(NO_DESK) }
            }
        }
    }

    /// The whole specification of a job, of which this is the beginning; what is long is asked for once only. Without it the error
    /// says why it can't be had, unless the desk is gone.
    fn whole(&self, errand: &Errand, beginning: String, bytes: usize) -> Result<Arc<str>, Option<String>> {
        if bytes == beginning.len() {
            return Ok(beginning.into());
        }
        if bytes > MOST_SPEC {
            return Err(Some(format!("a specification of {bytes} bytes is too long")));
        }
        // One thread asks for all of them.
        let mut known = self.specs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, spec)) = known.as_ref().filter(|(job, _)| *job == errand.job) {
            return Ok(Arc::clone(spec));
        }
        let mut spec = beginning;
        while spec.len() < bytes {
            match self.ask(errand, What::Spec { from: spec.len() }) {
                Ok(Answer::Spec { spec: more }) if !more.is_empty() => spec.push_str(&more),
                Ok(Answer::Spec { .. }) => return Err(Some("the specification is cut off".to_owned())),
                Ok(_) | Err(_) => return Err(None),
            }
        }
        let spec: Arc<str> = spec.into();
        *known = Some((errand.job.clone(), Arc::clone(&spec)));
        Ok(spec)
    }

    /// Says that nothing can be done of an errand.
    fn fail(&self, errand: &Errand, pieces: &[Piece], why: String) -> Outcome {
        let Some(first) = pieces.first() else { return Outcome::Over };
        self.told.says(&format!("chunk {} of job {}: {why}", first.n, short(&errand.job)));
        // A desk that can't be told hands it out again all the same.
        let _ = self.ask(errand, What::Failed { n: first.n, why });
        Outcome::Over
    }

    /// Why this worker can't do an errand.
    fn refusal(&self, errand: &Errand) -> Option<String> {
        let Worker { build, .. } = self.worker;
        if *build != errand.build {
            return Some(format!("it is build {build}, and the job was begun by {}", errand.build));
        }
        match self.labour.rules(&errand.game) {
            None => Some(format!("it does not know the game {}", errand.game)),
            Some(rules) if rules != errand.rules => {
                Some(format!("it has rules {rules} of {}, and the job has {}", errand.game, errand.rules))
            }
            Some(_) => None,
        }
    }

    fn as_note(&self, errand: &Errand, what: What) -> Vec<u8> {
        bytes(&Note { errand: errand.number, worker: self.name.clone(), what })
    }

    /// Says something without waiting for an answer.
    fn note(&self, errand: &Errand, what: What) {
        let note = self.as_note(errand, what);
        let say = async { self.client.publish(desk_subject(&errand.desk), note.into()).await };
        if let Err(why) = self.on.block_on(say) {
            tracing::debug!("the desk can't be told: {why}");
        }
    }

    /// Asks the desk, more than once if need be. Without an answer the error says why, if that is known.
    fn ask(&self, errand: &Errand, what: What) -> Result<Answer, Option<RequestErrorKind>> {
        let note = self.as_note(errand, what);
        let mut asked = 0;
        loop {
            asked += 1;
            let answer = self.on.block_on(ask(&self.client, desk_subject(&errand.desk), note.clone()));
            let is_there = answer != Err(Some(RequestErrorKind::NoResponders));
            if answer.is_ok() || !is_there || asked == QUESTIONS || self.is_stopped() {
                return answer;
            }
        }
    }

    /// Does what the desk has said.
    fn go(&self, errand: &Errand, message: &Message, spec: &str, pieces: &[Piece], lease: u64) -> Outcome {
        let stop = self.flag.fresh();
        let gone = Arc::new(AtomicBool::new(false));
        let pause = SLOWEST_BEAT.min(Duration::from_millis(lease / 3));
        let _beat = self.beat(errand, message, pause, &stop, &gone);
        if self.is_stopped() {
            stop.stop();
        }
        let ranges: Vec<Range<u64>> = pieces.iter().map(Piece::numbers).collect();
        let task = Task { kind: &errand.kind, game: &errand.game, spec, ranges: &ranges, progress: &stop };
        let mut basket =
            Basket { hand: self, errand, finished: Vec::new(), bytes: 0, brought: Brought::Kept };
        let (mut at, mut since) = (0, Instant::now());
        let result = self.labour.work(&task, &mut |parts| {
            let Some(piece) = pieces.get(at) else { return false };
            at += 1;
            basket.put(piece.n, parts);
            if basket.bytes >= ENOUGH || since.elapsed() >= Duration::from_millis(lease.max(1_000)) {
                basket.bring();
                since = Instant::now();
            }
            basket.brought == Brought::Kept
        });
        basket.bring();
        let brought = basket.brought;
        let numbers = pieces[..at].iter().map(|piece| piece.end - piece.first).sum();
        if brought == Brought::Kept && at > 0 {
            self.told.brought(errand, at as u64, numbers);
        }
        match (result, brought) {
            (_, Brought::Unwanted) => Outcome::Over,
            (_, _) if gone.load(Ordering::Relaxed) => Outcome::Over,
            (_, Brought::Not) => self.give_back(errand),
            (Err(why), _) if at < pieces.len() => self.fail(errand, &pieces[at..], why),
            _ if at < pieces.len() => self.give_back(errand),
            _ => Outcome::Over,
        }
    }

    fn give_back(&self, errand: &Errand) -> Outcome {
        self.note(errand, What::GaveBack);
        Outcome::Back(Duration::ZERO)
    }

    /// Says again and again that this worker is alive, to the stream and to the desk. A desk that wants no more of it stops it.
    fn beat(
        &self,
        errand: &Errand,
        message: &Message,
        pause: Duration,
        stop: &Arc<Progress>,
        gone: &Arc<AtomicBool>,
    ) -> Repeated {
        let (client, subject) = (self.client.clone(), desk_subject(&errand.desk));
        let note = self.as_note(errand, What::Beat);
        let (stop, gone) = (Arc::clone(stop), Arc::clone(gone));
        let acker = jetstream::message::Acker::new(self.jetstream.clone(), message.reply.clone());
        let beat = async move {
            loop {
                tokio::time::sleep(pause).await;
                if let Err(why) = acker.ack_with(AckKind::Progress).await {
                    tracing::debug!("the stream can't be told: {why}");
                }
                if let Ok(Answer::Gone) = ask(&client, subject.clone(), note.clone()).await {
                    gone.store(true, Ordering::Relaxed);
                    stop.stop();
                    return;
                }
            }
        };
        Repeated(self.on.spawn(beat).abort_handle())
    }
}

/// Something that is said again and again, until this is dropped.
pub(crate) struct Repeated(pub AbortHandle);

impl Drop for Repeated {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn short(job: &str) -> &str {
    job.get(..8).unwrap_or(job)
}

async fn next(mut messages: pull::Batch) -> Result<Option<Message>, String> {
    // A connection that goes away in the middle would be waited for without an end.
    match tokio::time::timeout(PULL + ANSWER, messages.next()).await {
        Ok(Some(message)) => message.map(Some).map_err(|why| why.to_string()),
        Ok(None) => Ok(None),
        Err(_) => Err("no answer".to_owned()),
    }
}

async fn ask(client: &Client, subject: String, note: Vec<u8>) -> Result<Answer, Option<RequestErrorKind>> {
    let asked = tokio::time::timeout(ANSWER, client.request(subject, note.into())).await;
    let answer = asked.map_err(|_| None)?.map_err(|why| Some(why.kind()))?;
    serde_json::from_slice(&answer.payload).map_err(|_| None)
}

/// Results on their way.
struct Basket<'a> {
    hand: &'a Hand<'a>,
    errand: &'a Errand,
    finished: Vec<Finished>,
    bytes: usize,
    /// What came of all that was brought.
    brought: Brought,
}

impl Basket<'_> {
    fn put(&mut self, n: u64, parts: Vec<Vec<u8>>) {
        self.bytes += parts.iter().map(Vec::len).sum::<usize>();
        self.finished.push(Finished { n, parts: parts.into_iter().map(part).collect() });
    }

    /// Brings what is there, and waits until it is kept.
    fn bring(&mut self) {
        let finished = std::mem::take(&mut self.finished);
        self.bytes = 0;
        if finished.is_empty() || self.brought != Brought::Kept {
            return;
        }
        let whole = pack(&finished);
        self.brought = if is_too_large(whole.len()) {
            let words = format!("{} bytes are more than can be brought", whole.len());
            self.hand.told.says(&words);
            let failed = What::Failed { n: finished[0].n, why: words };
            let _ = self.hand.ask(self.errand, failed);
            Brought::Unwanted
        } else {
            self.deliver(&whole)
        };
    }

    fn deliver(&self, whole: &[u8]) -> Brought {
        let begin = Instant::now();
        let mut delivery = 0;
        loop {
            delivery += 1;
            match self.hand.on.block_on(self.slices(whole, delivery)) {
                Some(Receipt::Kept) => return Brought::Kept,
                Some(Receipt::Unwanted) => return Brought::Unwanted,
                _ => {}
            }
            let patience = if self.hand.is_stopped() { BRING_LAST } else { BRING };
            if begin.elapsed() > patience {
                return Brought::Not;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Sends all slices once. `None` if something got lost.
    async fn slices(&self, whole: &[u8], delivery: u64) -> Option<Receipt> {
        let count = slices(whole.len());
        let mut last = None;
        for (slice, bytes) in whole.chunks(crate::results::SLICE).enumerate() {
            let label = Label {
                worker: self.hand.name.clone(),
                build: self.hand.worker.build.clone(),
                desk: self.errand.desk.clone(),
                errand: self.errand.number,
                delivery,
                slice,
                slices: count,
            };
            let subject = result_subject(&self.errand.job);
            let message = labelled(&label, bytes).into();
            let request = self.hand.client.request(subject, message);
            let answer = tokio::time::timeout(2 * ANSWER, request).await.ok()?.ok()?;
            let receipt = serde_json::from_slice(&answer.payload).ok()?;
            if receipt != Receipt::More {
                return Some(receipt);
            }
            last = Some(receipt);
        }
        last
    }
}
