//! The stream `WORK`, and who takes from it.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, RawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};

use crate::message::{Class, Errand, bytes};

/// The name of the stream.
pub(crate) const STREAM: &str = "WORK";
/// The most errands in it, and the most bytes: what is refused is put in later.
const MOST_ERRANDS: i64 = 100_000;
const MOST_BYTES: i64 = 256 << 20;
/// Who takes an errand and is not heard of for so long loses it.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(30);
/// The server needs a moment to give out once more what was not acknowledged in time.
const SLACK: Duration = Duration::from_secs(10);
/// For so long the same errand is put in only once.
const SAME: Duration = Duration::from_secs(120);

/// The subject of an errand.
fn subject(class: Class, errand: &Errand) -> String {
    format!("work.{}.{}.{}", class.word(), errand.kind, errand.job)
}

/// The subject on which a desk is spoken to.
pub(crate) fn desk_subject(desk: &str) -> String {
    format!("desk.{desk}")
}

/// The subject on which a worker of a class says that it is there.
pub(crate) fn sign_subject(class: Class) -> String {
    format!("here.{}", class.word())
}

/// Where desks hear all of that.
pub(crate) const SIGNS: &str = "here.*";

/// The subject on which results of a job are brought. It is that of the job: a desk that was killed is followed by another.
pub(crate) fn result_subject(job: &str) -> String {
    format!("result.{job}")
}

/// Makes the stream and its consumers where they are missing. Whether the stream was missing.
pub(crate) async fn ensure(jetstream: &Context) -> Result<(Stream, bool), String> {
    let (stream, was_missing) = match jetstream.get_stream(STREAM).await {
        Ok(stream) => (stream, false),
        Err(why) if is_missing(&why.kind()) => {
            let made = jetstream.create_stream(config()).await;
            (made.map_err(|why| format!("can't make the stream {STREAM}: {why}"))?, true)
        }
        Err(why) => return Err(format!("can't find the stream {STREAM}: {why}")),
    };
    for class in Class::ALL {
        let made = stream.get_or_create_consumer(class.word(), consumer(class)).await;
        made.map_err(|why| format!("can't make the consumer {}: {why}", class.word()))?;
    }
    Ok((stream, was_missing))
}

fn is_missing(why: &GetStreamErrorKind) -> bool {
    matches!(why, GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

fn config() -> Config {
    Config {
        name: STREAM.to_owned(),
        description: Some("Maproom: chunks of work that wait for a worker".to_owned()),
        subjects: vec!["work.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        max_messages: MOST_ERRANDS,
        max_bytes: MOST_BYTES,
        duplicate_window: SAME,
        num_replicas: 1,
        ..Config::default()
    }
}

fn consumer(class: Class) -> pull::Config {
    pull::Config {
        durable_name: Some(class.word().to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        filter_subject: format!("work.{}.>", class.word()),
        max_ack_pending: MOST_ERRANDS,
        ..pull::Config::default()
    }
}

/// Puts an errand into the stream; once, however often it is tried. Its place in the stream.
pub(crate) async fn post(jetstream: &Context, class: Class, errand: &Errand) -> Result<u64, String> {
    let message = PublishMessage::build()
        .payload(bytes(errand).into())
        .message_id(format!("{}/{}", errand.desk, errand.number))
        .expected_stream(STREAM);
    let sent =
        jetstream.send_publish(subject(class, errand), message).await.map_err(|why| why.to_string())?;
    sent.await.map(|receipt| receipt.sequence).map_err(|why| why.to_string())
}

/// Whether an errand is still in the stream, as far as that can be said.
pub(crate) async fn is_there(stream: &Stream, sequence: u64, errand: &Errand) -> Option<bool> {
    match stream.get_raw_message(sequence).await {
        // The numbers of a stream that was made anew begin anew.
        Ok(found) => Some(found.payload == bytes(errand)),
        Err(why) => match why.kind() {
            RawMessageErrorKind::NoMessageFound => Some(false),
            RawMessageErrorKind::JetStream(why) => {
                (why.error_code() == ErrorCode::NO_MESSAGE_FOUND).then_some(false)
            }
            _ => None,
        },
    }
}

/// How far a class's consumer has come in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The last number that it has given out.
    given: u64,
    /// Up to here everything counts as acknowledged.
    over: u64,
    /// So many of those given out are not acknowledged.
    open: usize,
}

/// How far a class's consumer has come, if that can be said.
pub(crate) async fn place(stream: &Stream, class: Class) -> Option<Place> {
    let info = stream.consumer_info(class.word()).await.ok()?;
    let [given, over] = [info.delivered, info.ack_floor].map(|place| place.stream_sequence);
    Some(Place { given, over, open: info.num_ack_pending })
}

impl Place {
    /// Whether a consumer that is here has passed over what waits at this number for so many milliseconds, and will never give it
    /// out. A server that was killed may have lost the end of the stream and not the consumer's place: then what is put in next
    /// has numbers that count as given out (2.9.10 does not notice).
    ///
    /// What was given out and not acknowledged comes again after [`ACK_WAIT`]; what counts as acknowledged never does. Which ones
    /// are not acknowledged nobody says: while there are any, only waiting tells.
    pub fn has_passed(self, sequence: u64, waits: u64) -> bool {
        let is_late = u128::from(waits) > (ACK_WAIT + SLACK).as_millis();
        sequence <= self.given && (sequence <= self.over || self.open == 0 || is_late)
    }
}

/// Makes a class's consumer anew, from the beginning of the stream: what was given out comes once more, and its desk says that it is
/// over.
pub(crate) async fn begin_anew(stream: &Stream, class: Class) -> Result<(), String> {
    let fail = |why: String| format!("can't make the consumer {} anew: {why}", class.word());
    stream.delete_consumer(class.word()).await.map_err(|why| fail(why.to_string()))?;
    let made = stream.get_or_create_consumer(class.word(), consumer(class)).await;
    made.map(drop).map_err(|why| fail(why.to_string()))
}

/// Removes all errands of a job.
pub(crate) async fn clear(stream: &Stream, job: &str) -> Result<(), String> {
    let cleared = stream.purge().filter(format!("work.*.*.{job}")).await;
    cleared.map(drop).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_again_by_itself_was_not_passed_over() {
        let late = u64::try_from(ACK_WAIT.as_millis()).unwrap() + 10_001;
        let place = Place { given: 20, over: 10, open: 3 };
        assert!(!place.has_passed(21, late), "its turn has not come");
        assert!(place.has_passed(10, 0), "it counts as acknowledged");
        assert!(!place.has_passed(11, late - 1), "somebody may have it");
        assert!(place.has_passed(20, late), "whoever had it would have lost it");
        assert!(Place { open: 0, ..place }.has_passed(20, 0), "nobody has anything");
    }
}
