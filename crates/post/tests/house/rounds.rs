//! The postman on his own thread.

use std::sync::mpsc::{Sender, channel as inbox};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use post::{Carrier, Desk, Parcel, Postman, Refusal, Rounds};
use store::{ChannelKind, MemoryPost, NoticeKind, Post};

use crate::{FakeClock, FakeDesk, add, channel, key, lock};

/// Says what it was given; panics over the first message.
struct Telling {
    titles: Mutex<Sender<String>>,
    calls: Mutex<u32>,
}

impl Carrier for Telling {
    fn carry(&self, parcel: Parcel<'_>) -> Result<(), Refusal> {
        *lock(&self.calls) += 1;
        if *lock(&self.calls) == 1 {
            lock(&self.titles).send("panic".into()).unwrap();
            panic!("a panic that the postman outlives");
        }
        lock(&self.titles).send(parcel.message.title.clone()).unwrap();
        Ok(())
    }
}

#[test]
fn he_outlives_a_panic_and_stops_when_asked() {
    let (titles, told) = inbox();
    let post: Arc<dyn Post> = Arc::new(MemoryPost::new());
    let clock = FakeClock::new();
    let postman = Postman {
        post: Arc::clone(&post),
        desk: Arc::new(FakeDesk::default()) as Arc<dyn Desk>,
        carrier: Arc::new(Telling { titles: Mutex::new(titles), calls: Mutex::default() }),
        clock: clock.clock(),
        base: "https://maproom.example".into(),
        secret: "secret".into(),
    };
    add(&*post, &channel(1, ChannelKind::Slack, "https://example.org/"));
    let rounds = Rounds::start(Arc::new(postman)).unwrap();
    let next = || told.recv_timeout(Duration::from_secs(60)).unwrap();
    post.queue(&[(key(1, "a", NoticeKind::Turn), clock.now())]).unwrap();
    rounds.wake();
    assert_eq!(next(), "panic");
    // The letter belongs to him who has panicked for another two minutes.
    clock.turn(120_000);
    rounds.wake();
    assert_eq!(next(), "Your turn in “War a” (Echoes of War).");
    drop(rounds);
    assert!(told.recv().is_err(), "his carrier is gone with him");
}
