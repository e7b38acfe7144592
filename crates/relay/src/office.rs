//! A desk on the network: what it hands out goes into the stream, what workers say comes to it.
//!
//! The desk is worked by the thread that called; what waits for NATS does so on the connection's own.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, Context};
use async_nats::{Client, Message, Subject, Subscriber};
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;

use crate::desk::{Crew, Desk, Posted, Summary, Terms, Waiting};
use crate::line::{Target, runtime};
use crate::message::{Class, Note, Sign, bytes, clean, clean_thread};
use crate::results::read_labelled;
use crate::stream::{self, SIGNS, desk_subject, result_subject};

/// How long to wait for something to happen before looking around.
const WAIT: Duration = Duration::from_millis(20);
/// How often to say in the ledger that the desk is there, compared with the lease.
const BEATS: u64 = 3;
/// How often to ask the ledger how far the job is.
const ASK: Duration = Duration::from_millis(250);
/// How often to look whether the stream and what waits in it are there.
const LOOK: Duration = Duration::from_secs(3);

/// How long a server may need until it can keep errands.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whoever runs the job.
pub trait Hears {
    /// Whether to stop.
    fn is_stopped(&self) -> bool;
    /// So many more numbers are done.
    fn advance(&self, numbers: u64);
    /// Something that a person should know.
    fn say(&self, words: &str);
    /// How the workers are doing, several times a second and at the end.
    fn shows(&self, _crew: &Crew) {}
}

/// What comes from the network.
enum Event {
    Said(Message),
    Brought(Message),
    Seen(Message),
    Posted {
        number: u64,
        sequence: Result<u64, String>,
    },
    /// Of these errands nothing is left in the stream; without numbers, of none.
    Lost(Option<Vec<u64>>),
    /// What is in the stream is given out from the beginning.
    Anew,
    Connected(bool),
}

/// Hands a job out to workers until it is done, or stops because it can't go on or was asked to. How the job stands then is in
/// the ledger; the error says why nothing more can be handed out.
pub fn hand_out(
    target: &Target,
    terms: Terms,
    posted: &Posted<'_>,
    hears: &dyn Hears,
) -> Result<Summary, String> {
    let runtime = runtime()?;
    let (tell, events) = channel();
    let mut desk = Desk::new(fresh_name()?, posted, terms);
    desk.check_what_is_done(0)?;
    let line = runtime.block_on(Line::open(target, &desk, posted, hears, tell))?;
    let mut office = Office {
        desk,
        posted,
        hears,
        runtime: &runtime,
        line,
        events,
        begin: Instant::now(),
        connected: true,
        numbers: posted.job.numbers[1],
        refusals: 0,
    };
    let result = office.work();
    hears.shows(&office.desk.crew(office.now()));
    let Office { line, desk, .. } = office;
    let summary = desk.summary;
    // What is left in the stream is of no use to anybody; if it can't be removed, workers are told so one by one.
    let clear = runtime.block_on(async {
        let clear = async {
            let (stream, _) = stream::ensure(&line.jetstream).await?;
            stream::clear(&stream, &posted.job.job.id).await
        };
        tokio::time::timeout(Duration::from_secs(1), clear).await
    });
    if let Ok(Err(why)) = clear {
        tracing::debug!("what is left of the job can't be removed from the stream: {why}");
    }
    runtime.shutdown_timeout(Duration::from_millis(200));
    result.map(|()| summary)
}

/// A name that nobody else has.
pub(crate) fn fresh_name() -> Result<String, String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|why| format!("the system gives no random numbers: {why}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The connection of a desk.
struct Line {
    client: Client,
    jetstream: Context,
    tell: Sender<Event>,
}

impl Line {
    async fn open(
        target: &Target,
        desk: &Desk<'_>,
        posted: &Posted<'_>,
        hears: &dyn Hears,
        tell: Sender<Event>,
    ) -> Result<Self, String> {
        let heard = tell.clone();
        let hear = move |connected| {
            // Whoever does not listen any more needs not know.
            let _ = heard.send(Event::Connected(connected));
            std::future::ready(())
        };
        let client = target.connect("desk", hear).await?;
        let jetstream = jetstream::new(client.clone());
        let fail = |why: String| format!("NATS at {target}: {why}");
        // A server that has just started may need a moment for its streams.
        let begin = Instant::now();
        while let Err(why) = Self::prepare(&jetstream, &posted.job.job.id).await {
            if begin.elapsed() > PATIENCE || hears.is_stopped() {
                return Err(fail(why));
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        let subscribe = async |subject: String, event: fn(Message) -> Event| {
            let subscriber = client.subscribe(subject).await.map_err(|why| fail(why.to_string()))?;
            tokio::spawn(forward(subscriber, tell.clone(), event));
            Ok::<(), String>(())
        };
        subscribe(desk_subject(desk.name()), Event::Said).await?;
        subscribe(result_subject(&posted.job.job.id), Event::Brought).await?;
        subscribe(SIGNS.to_owned(), Event::Seen).await?;
        client.flush().await.map_err(|why| fail(why.to_string()))?;
        Ok(Self { client, jetstream, tell })
    }

    /// Makes what is missing, and removes what a desk that was killed has left: who has begun may end, but nobody needs to
    /// begin.
    async fn prepare(jetstream: &Context, job: &str) -> Result<(), String> {
        let (stream, _) = stream::ensure(jetstream).await?;
        stream::clear(&stream, job).await
    }
}

async fn forward(mut from: Subscriber, to: Sender<Event>, event: fn(Message) -> Event) {
    while let Some(message) = from.next().await {
        if to.send(event(message)).is_err() {
            return;
        }
    }
}

struct Office<'a> {
    desk: Desk<'a>,
    posted: &'a Posted<'a>,
    hears: &'a dyn Hears,
    runtime: &'a Runtime,
    line: Line,
    events: Receiver<Event>,
    begin: Instant,
    connected: bool,
    /// Numbers that were done when somebody looked last.
    numbers: u64,
    refusals: usize,
}

/// When something that is done every now and then is done next.
struct Every {
    pause: Duration,
    next: Instant,
}

impl Every {
    fn new(pause: Duration) -> Self {
        Self { pause, next: Instant::now() }
    }

    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = now >= self.next;
        if due {
            self.next = now + self.pause;
        }
        due
    }
}

impl Office<'_> {
    /// Milliseconds since the desk was opened.
    fn now(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn work(&mut self) -> Result<(), String> {
        let mut beat = Every::new(Duration::from_millis(self.posted.lease / BEATS));
        let (mut ask, mut look) = (Every::new(ASK), Every::new(LOOK));
        look.is_due();
        let mut was_idle = false;
        loop {
            match self.events.recv_timeout(WAIT) {
                Ok(event) => {
                    self.handle(event);
                    // All that has come meanwhile, but not for ever.
                    for event in self.events.try_iter().take(256).collect::<Vec<_>>() {
                        self.handle(event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err("the connection to NATS ended".to_owned()),
            }
            if beat.is_due() {
                let until = (self.posted.now)().saturating_add(self.posted.lease);
                // If it can't be written, neither can the results, and there it is told.
                let _ = self.posted.ledger.beat(self.posted.holder, until);
            }
            if self.connected {
                self.desk.sweep(self.now());
                if look.is_due() {
                    self.look();
                }
            }
            if self.hears.is_stopped() || self.desk.trouble.is_some() {
                return Ok(());
            }
            self.post()?;
            // Nobody waits for the end of a pause when the last result has come.
            let looks_over = !was_idle && self.desk.has_nothing_out();
            was_idle = self.desk.has_nothing_out();
            if (ask.is_due() || looks_over) && self.is_over()? {
                return Ok(());
            }
        }
    }

    fn is_over(&mut self) -> Result<bool, String> {
        let (over, numbers) = self.desk.is_over(self.now())?;
        self.hears.shows(&self.desk.crew(self.now()));
        self.hears.advance(numbers.saturating_sub(self.numbers));
        self.numbers = self.numbers.max(numbers);
        Ok(over)
    }

    fn handle(&mut self, event: Event) {
        let now = self.now();
        match event {
            Event::Said(Message { payload, reply, .. }) => {
                let Ok(note) = serde_json::from_slice::<Note>(&payload).map(Note::cleaned) else { return };
                let answer = self.desk.hear(&note, now);
                self.reply(reply, bytes(&answer));
                self.tell_refusals();
            }
            Event::Brought(Message { payload, reply, .. }) => {
                let Some((mut label, slice)) = read_labelled(&payload) else { return };
                (label.worker, label.build) = (clean_thread(&label.worker), clean(&label.build));
                let receipt = self.desk.take(&label, slice, now);
                self.reply(reply, bytes(&receipt));
            }
            Event::Seen(Message { payload, .. }) => {
                if let Ok(mut sign) = serde_json::from_slice::<Sign>(&payload) {
                    sign.process = clean(&sign.process);
                    self.desk.see(&sign, now);
                }
            }
            Event::Posted { number, sequence } => {
                if let Err(why) = &sequence {
                    tracing::debug!("errand {number} can't be put into the stream now: {why}");
                }
                self.desk.was_posted(number, sequence.ok(), now);
            }
            Event::Lost(numbers) => self.desk.were_lost(numbers.as_deref(), now),
            Event::Anew => self.desk.begins_anew(now),
            Event::Connected(connected) => {
                if connected && !self.connected {
                    self.desk.forgive(now);
                    self.look();
                }
                self.connected = connected;
            }
        }
    }

    /// Says what workers refuse; a few times, not for every machine of a hundred.
    fn tell_refusals(&mut self) {
        const MOST: usize = 10;
        for words in self.desk.refusals() {
            self.refusals += 1;
            if self.refusals <= MOST {
                self.hears.say(&words);
            }
        }
    }

    fn reply(&self, to: Option<Subject>, answer: Vec<u8>) {
        let Some(to) = to else { return };
        let client = self.line.client.clone();
        // An answer that is lost is asked for again.
        self.runtime.spawn(async move { client.publish(to, answer.into()).await });
    }

    fn post(&mut self) -> Result<(), String> {
        let now = self.now();
        self.desk.fill(now)?;
        for errand in self.desk.take_unposted(now) {
            let (jetstream, tell) = (self.line.jetstream.clone(), self.line.tell.clone());
            let class = self.desk.class();
            self.runtime.spawn(async move {
                let sequence = stream::post(&jetstream, class, &errand).await;
                tell.send(Event::Posted { number: errand.number, sequence })
            });
        }
        Ok(())
    }

    /// Looks whether the stream is there, and what waits in it.
    fn look(&self) {
        let (waiting, class) = (self.desk.to_look_for(self.now()), self.desk.class());
        let (jetstream, tell) = (self.line.jetstream.clone(), self.line.tell.clone());
        self.runtime.spawn(async move {
            let lost = match stream::ensure(&jetstream).await {
                Ok((_, true)) => None,
                Ok((stream, false)) => {
                    let (lost, there) = lost(&stream, waiting).await;
                    if is_passed_over(&stream, class, &there).await {
                        match stream::begin_anew(&stream, class).await {
                            Ok(()) => tell.send(Event::Anew)?,
                            Err(why) => tracing::debug!("{why}"),
                        }
                    }
                    Some(lost)
                }
                Err(why) => {
                    tracing::debug!("{why}");
                    Some(Vec::new())
                }
            };
            tell.send(Event::Lost(lost))
        });
    }
}

/// The errands that are not in the stream any more, and those that are.
async fn lost(stream: &jetstream::stream::Stream, waiting: Vec<Waiting>) -> (Vec<u64>, Vec<Waiting>) {
    let (mut lost, mut there) = (Vec::new(), Vec::new());
    for waits in waiting {
        match stream::is_there(stream, waits.sequence, &waits.errand).await {
            Some(false) => lost.push(waits.errand.number),
            Some(true) => there.push(waits),
            None => {}
        }
    }
    (lost, there)
}

/// Whether one of these errands is in the stream and is never given out.
async fn is_passed_over(stream: &jetstream::stream::Stream, class: Class, there: &[Waiting]) -> bool {
    // How far the consumer has come is asked for after the errands were seen there: what is acknowledged in between is taken for
    // passed over, and then errands are given out twice, which is harmless.
    let place = if there.is_empty() { None } else { stream::place(stream, class).await };
    place.is_some_and(|place| there.iter().any(|one| place.has_passed(one.sequence, one.waits)))
}
