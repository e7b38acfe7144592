//! Notices: the channels of an account, the link that ends its mails, and what the browser needs for push.

use std::collections::HashMap;

use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    AccountId, ChannelId, ChannelKind, NewChannel, NoticeKind, Post, QuietHours, StoreError, Wishes,
};
use tracing::warn;

use super::account::MemberOnly;
use super::sign_in::accounts;
use super::{App, Visitor, page as as_page};
use crate::accounts::Accounts;
use crate::assets;
use crate::lobby::LobbyError;
use crate::notices::Notices;
use crate::pages::layout;
use crate::pages::notices as pages;

/// The longest address of a channel. Push services give long ones.
const MOST_ADDRESS: usize = 1_000;
/// The longest key of a channel.
const MOST_SECRET: usize = 300;

/// Fields of a form by name: there are many of the same sort.
type Fields = HashMap<String, String>;

/// What was done just now, as a word in the address.
#[derive(Default, Deserialize)]
pub struct Done {
    #[serde(default)]
    done: String,
}

fn sentence(done: &str) -> Option<&'static str> {
    Some(match done {
        "add" => "The channel was added. Send a test, and you know that it works.",
        "wishes" => "Your choices were saved.",
        "test" => "A test was sent and accepted. Look whether it has arrived.",
        "mend" => "The channel is switched on again.",
        "remove" => "The channel was removed.",
        _ => return None,
    })
}

fn done(word: &str) -> Response {
    Redirect::to(&format!("/account/notices?done={word}")).into_response()
}

/// The notices of the server; where there are none, there are no such pages.
fn notices(member: &MemberOnly) -> Result<&Notices, LobbyError> {
    member.accounts.notices().ok_or(LobbyError::NotFound)
}

/// The page.
pub async fn page(member: MemberOnly, Query(Done { done }): Query<Done>) -> Result<Response, LobbyError> {
    Ok(as_page(&drawn(&member, sentence(&done), None).await?).into_response())
}

async fn drawn(
    member: &MemberOnly,
    done: Option<&str>,
    trouble: Option<&str>,
) -> Result<maud::Markup, LobbyError> {
    let notices = notices(member)?;
    let channels = change(member, |post, account| post.channels(account)).await?;
    let shown = pages::NoticesPage {
        account: &member.signed_in.account,
        channels: &channels,
        can_mail: notices.carriers().mailer().is_some(),
        push_key: notices.carriers().push_key(),
        is_owner: member.visitor.owner,
        done,
        trouble,
    };
    Ok(pages::page(member.visitor.prefs, &shown))
}

/// The channels of a member; `None` where nobody is told anything.
pub(super) async fn channels_of(
    member: &MemberOnly,
) -> Result<Option<Vec<store::ChannelRecord>>, LobbyError> {
    match member.accounts.notices() {
        Some(_) => change(member, |post, account| post.channels(account)).await.map(Some),
        None => Ok(None),
    }
}

/// The page again, with what went wrong.
async fn refused(member: &MemberOnly, status: StatusCode, why: &str) -> Result<Response, LobbyError> {
    Ok((status, as_page(&drawn(member, None, Some(why)).await?)).into_response())
}

/// Adds a channel.
pub async fn add(member: MemberOnly, Form(fields): Form<Fields>) -> Result<Response, LobbyError> {
    let refuse = async |why: &str| refused(&member, StatusCode::UNPROCESSABLE_ENTITY, why).await;
    let channel = match read_channel(&member, &fields) {
        Ok(channel) => channel,
        Err(why) => return refuse(&why).await,
    };
    if let Err(why) = notices(&member)?.carriers().check(&channel) {
        return refuse(&why).await;
    }
    let added = change(&member, move |post, _| post.add_channel(&channel)).await?;
    match added {
        Some(_) => Ok(done("add")),
        None => refuse(&format!("You have {} channels: remove one first.", store::MOST_CHANNELS)).await,
    }
}

/// Does something with the channels of a member.
async fn change<T: Send + 'static>(
    member: &MemberOnly,
    work: impl FnOnce(&dyn Post, AccountId) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, LobbyError> {
    let id = member.signed_in.account.id;
    notices(member)?.with(move |post| work(post, id)).await.map_err(LobbyError::Store)
}

/// The channel that a form describes.
fn read_channel(member: &MemberOnly, fields: &Fields) -> Result<NewChannel, String> {
    let field = |name: &str| fields.get(name).map(|text| text.trim()).unwrap_or_default();
    let account = &member.signed_in.account;
    let kind = ChannelKind::read(field("kind")).ok_or("Choose by what to send.")?;
    let address = match (kind, &account.mail) {
        // Only to the address that its owner has confirmed: nobody can have mail sent to others.
        (ChannelKind::Mail, Some(mail)) => mail.address.as_str(),
        (ChannelKind::Mail, None) => {
            return Err("First confirm your mail address, on the page of your account.".to_owned());
        }
        _ => field("address"),
    };
    let secret = match kind {
        ChannelKind::Push | ChannelKind::Ntfy | ChannelKind::Json => field("secret"),
        ChannelKind::Mail | ChannelKind::Discord | ChannelKind::Slack => "",
    };
    if address.len() > MOST_ADDRESS || secret.len() > MOST_SECRET {
        return Err("This address or key is too long.".to_owned());
    }
    let wishes = Wishes { kinds: pages::USUAL.iter().copied().collect(), quiet: None, digest: None };
    let (account, address, secret) = (account.id, address.to_owned(), secret.to_owned());
    Ok(NewChannel { account, kind, address, secret, wishes })
}

/// Changes what is wanted by a channel.
pub async fn wishes(
    member: MemberOnly,
    Path(id): Path<u64>,
    Form(fields): Form<Fields>,
) -> Result<Response, LobbyError> {
    let read = match read_wishes(&fields) {
        Ok(read) => read,
        Err(why) => return refused(&member, StatusCode::UNPROCESSABLE_ENTITY, why).await,
    };
    let set = change(&member, move |post, account| {
        let Some(record) = post.channel(ChannelId(id))? else { return Ok(false) };
        let mut wishes = read;
        // What the page does not ask about stays as it is.
        let others = record.channel.wishes.kinds.into_iter().filter(|kind| !pages::is_asked(*kind));
        wishes.kinds.extend(others);
        post.set_wishes(account, ChannelId(id), &wishes)
    });
    if set.await? { Ok(done("wishes")) } else { Err(LobbyError::NotFound) }
}

fn read_wishes(fields: &Fields) -> Result<Wishes, &'static str> {
    let wants = |kind: &NoticeKind| fields.contains_key(&format!("kind.{}", kind.word()));
    let kinds = NoticeKind::ALL.iter().copied().filter(|kind| pages::is_asked(*kind) && wants(kind));
    let time = |name: &str| match fields.get(name).map(|text| text.trim()).unwrap_or_default() {
        "" => Ok(None),
        text => minute(text).map(Some).ok_or("Write times as hours and minutes, such as 22:30."),
    };
    let quiet = match (time("quiet-from")?, time("quiet-to")?) {
        (Some(from), Some(to)) if from == to => {
            return Err("The quiet hours end when they begin: leave both empty for none.");
        }
        (Some(from), Some(to)) => Some(QuietHours { from, to }),
        (None, None) => None,
        _ => return Err("Give the beginning and the end of the quiet hours, or neither."),
    };
    Ok(Wishes { kinds: kinds.collect(), quiet, digest: time("digest")? })
}

/// The minute of the day of a time such as `22:30`. Some browsers add seconds.
fn minute(text: &str) -> Option<u16> {
    let number = |part: &str| {
        let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u16>().ok().filter(|_| is_plain)
    };
    let mut parts = text.split(':').map(number);
    match (parts.next()?, parts.next()?, parts.count()) {
        (Some(hour @ 0..24), Some(minute @ 0..60), 0 | 1) => Some(hour * 60 + minute),
        _ => None,
    }
}

/// Sends a test by a channel.
pub async fn test(member: MemberOnly, Path(id): Path<u64>) -> Result<Response, LobbyError> {
    let (account, now) = (member.signed_in.account.id, member.accounts.now());
    match notices(&member)?.test(account, ChannelId(id), now).await {
        Some(Ok(Ok(()))) => Ok(done("test")),
        Some(Ok(Err(refusal))) => {
            let why = format!("The test did not arrive: {}.", refusal.why);
            refused(&member, StatusCode::UNPROCESSABLE_ENTITY, &why).await
        }
        Some(Err(why)) => Err(LobbyError::Store(why)),
        None => {
            let why = "Three tests an hour are enough for a channel: try again later.";
            refused(&member, StatusCode::TOO_MANY_REQUESTS, why).await
        }
    }
}

/// Switches a channel on again that has failed.
pub async fn mend(member: MemberOnly, Path(id): Path<u64>) -> Result<Response, LobbyError> {
    let mended = change(&member, move |post, account| post.mend_channel(account, ChannelId(id))).await?;
    if mended { Ok(done("mend")) } else { Err(LobbyError::NotFound) }
}

/// Removes a channel.
pub async fn remove(member: MemberOnly, Path(id): Path<u64>) -> Result<Response, LobbyError> {
    let removed = change(&member, move |post, account| post.remove_channel(account, ChannelId(id))).await?;
    if removed { Ok(done("remove")) } else { Err(LobbyError::NotFound) }
}

/// What is kept about the channels of a member, for their export. Keys stay here: whoever has them could pass for the house.
pub(super) async fn exported(member: &MemberOnly) -> Result<Vec<Value>, LobbyError> {
    let channels = channels_of(member).await?.unwrap_or_default();
    let line = |record: store::ChannelRecord| {
        let wishes = record.channel.wishes;
        let kinds: Vec<&str> = wishes.kinds.iter().map(|kind| kind.word()).collect();
        json!({
            "kind": "channel", "by": record.channel.kind.word(), "address": record.channel.address,
            "wants": kinds, "quiet": wishes.quiet.map(|quiet| [quiet.from, quiet.to]),
            "digest": wishes.digest, "failing_since": record.failing_since,
        })
    };
    Ok(channels.into_iter().map(line).collect())
}

/// Lets the mails of an account follow its address. If that fails now they end: the channel can be added again.
pub(super) async fn follow_address(accounts: &Accounts, account: AccountId, address: Option<String>) {
    if let Some(notices) = accounts.notices()
        && let Err(why) = notices.follow_address(account, address).await
    {
        warn!("the mails of {account} could not follow its address: {why}");
    }
}

/// The channel of a link in a mail.
#[expect(clippy::result_large_err, reason = "the error is the answer, which handlers give back as it is")]
fn ended_by(app: &App, visitor: &Visitor, token: &str) -> Result<(AccountId, ChannelId), Response> {
    let accounts = accounts(app, visitor)?;
    let found = accounts.notices().and_then(|notices| notices.unsubscribes(token));
    found.ok_or_else(|| {
        let text = "This link is incomplete. Copy all of it from the mail, or change what is sent on the page of your account.";
        (StatusCode::NOT_FOUND, as_page(&layout::error_page(visitor.prefs, "No such link", text)))
            .into_response()
    })
}

/// The page behind the link in a mail. Programs open links, so it changes nothing.
pub async fn unsubscribe_page(
    State(app): State<App>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Response, Response> {
    ended_by(&app, &visitor, &token)?;
    Ok(as_page(&pages::unsubscribe(visitor.prefs, &format!("/unsubscribe/{token}"))).into_response())
}

/// Ends the mails to somebody, without a log-in: by the button of that page, or of a mail program (RFC 8058).
pub async fn unsubscribe(
    State(app): State<App>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Response, Response> {
    let (account, channel) = ended_by(&app, &visitor, &token)?;
    let accounts = accounts(&app, &visitor)?;
    let Some(notices) = accounts.notices() else { return Err(LobbyError::NotFound.into_response()) };
    let removed = notices.with(move |post| post.remove_channel(account, channel)).await;
    removed.map_err(|why| LobbyError::Store(why).into_response())?;
    Ok(as_page(&pages::unsubscribed(visitor.prefs)).into_response())
}

/// The worker that shows what is pushed. Its address is the same for ever, and it may look after all pages.
pub async fn worker(State(app): State<App>, visitor: Visitor) -> Result<Response, Response> {
    accounts(&app, &visitor)?;
    Ok(assets::answer(app.lobby.titles(), "", "notices-worker.js"))
}

/// What a browser needs to install Maproom, without which some push nothing.
pub async fn manifest(State(app): State<App>, visitor: Visitor) -> Result<Response, Response> {
    accounts(&app, &visitor)?;
    let icon = json!({ "src": assets::url("icon.svg"), "type": "image/svg+xml", "sizes": "any" });
    let text = json!({
        "name": "Maproom", "short_name": "Maproom", "start_url": "/turns", "scope": "/", "display": "standalone",
        "icons": [icon],
    });
    let kind = HeaderValue::from_static("application/manifest+json");
    Ok(([(header::CONTENT_TYPE, kind)], text.to_string()).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Fields {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn times_are_read_as_browsers_write_them() {
        for (text, read) in [("00:00", Some(0)), ("22:30", Some(1350)), ("07:05:00", Some(425))] {
            assert_eq!(minute(text), read, "{text}");
        }
        for odd in ["", "24:00", "12:60", "7:5", "12", "12:00:00:00", "-1:00", "é", "+1:+2"] {
            assert_eq!(minute(odd), None, "{odd}");
        }
    }

    #[test]
    fn wishes_are_read() {
        let all = read_wishes(&fields(&[
            ("kind.turn", "on"),
            ("kind.last", "on"),
            ("kind.channel", "on"),
            ("kind.nonsense", "on"),
            ("quiet-from", "22:00"),
            ("quiet-to", "07:30"),
            ("digest", ""),
        ]))
        .expect("fine");
        assert_eq!(all.kinds.into_iter().collect::<Vec<_>>(), [NoticeKind::Turn, NoticeKind::Last]);
        assert_eq!((all.quiet, all.digest), (Some(QuietHours { from: 1320, to: 450 }), None));
        for bad in [
            [("quiet-from", "22:00"), ("quiet-to", "")],
            [("quiet-from", "22:00"), ("quiet-to", "22:00")],
            [("digest", "noon"), ("quiet-to", "")],
        ] {
            assert!(read_wishes(&fields(&bad)).is_err(), "{bad:?}");
        }
    }
}
