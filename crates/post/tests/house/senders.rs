//! Mail, hooks and push against servers on loopback.

use std::net::TcpListener;
use std::sync::Arc;

use crate::http::Http;
use crate::smtp::Smtp;
use crate::{FakeClock, FakeDesk, HOUR, SECOND, START, add, channel, house, key, lock, postman, work};
use post::{Outgoing, Postman, Reach, read_unsubscribe};
use store::{AccountId, ChannelKind, MemoryPost, NewChannel, NoticeKind, NoticeState, Post, QuietHours};

/// A house with its servers.
struct Town {
    post: Arc<dyn Post>,
    desk: Arc<FakeDesk>,
    clock: FakeClock,
    mail: Smtp,
    web: Http,
    postman: Postman,
}

fn town() -> Town {
    let (mail, web) = (Smtp::start(), Http::start());
    let post: Arc<dyn Post> = Arc::new(MemoryPost::new());
    let (desk, clock) = (Arc::new(FakeDesk::default()), FakeClock::new());
    let postman = postman(&post, &desk, &clock, &house(Some(mail.server.address)));
    Town { post, desk, clock, mail, web, postman }
}

impl Town {
    fn queue(&self, account: u64, match_id: &str, kind: NoticeKind) {
        assert_eq!(self.post.queue(&[(key(account, match_id, kind), self.clock.now())]).unwrap(), 1);
    }

    fn state(&self, account: u64, match_id: &str) -> NoticeState {
        let notices = self.post.notices(AccountId(account)).unwrap();
        notices.iter().find(|notice| notice.key.match_id == match_id).unwrap().state
    }
}

#[test]
fn three_turns_are_one_mail() {
    let town = town();
    add(&*town.post, &channel(1, ChannelKind::Mail, "anna@example.net"));
    *lock(&town.desk.until) = Some(START + 24 * HOUR);
    for match_id in ["a", "b", "c"] {
        town.queue(1, match_id, NoticeKind::Turn);
    }
    town.queue(2, "a", NoticeKind::Turn);
    work(&town.postman);
    let mails = town.mail.take();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to, "anna@example.net");
    assert_eq!(mails[0].header("Subject"), "Your turn in 3 matches, the nearest until tomorrow 16:13");
    assert_eq!((town.state(1, "a"), town.state(2, "a")), (NoticeState::Sent, NoticeState::Moot));
    // Nothing is left to do, now or later.
    town.clock.turn(24 * HOUR);
    assert!(!town.postman.round().unwrap());
    assert!(town.mail.take().is_empty());
}

#[test]
fn a_mail_can_be_unsubscribed_from_by_one_click() {
    let town = town();
    let id = add(&*town.post, &channel(1, ChannelKind::Mail, "anna@example.net"));
    town.queue(1, "Größe", NoticeKind::Turn);
    work(&town.postman);
    let mail = town.mail.take().remove(0);
    for (header, value) in [
        ("From", "Maproom <post@example.org>"),
        ("To", "anna@example.net"),
        ("Date", "Mon, 21 Sep 2026 14:13:20 +0000"),
        ("Auto-Submitted", "auto-generated"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Content-Type", "text/plain; charset=utf-8"),
    ] {
        assert_eq!(mail.header(header), value);
    }
    let id_of_mail = mail.header("Message-ID");
    assert!(id_of_mail.starts_with('<') && id_of_mail.ends_with("@example.org>"), "{id_of_mail}");
    let link = mail.header("List-Unsubscribe");
    let token =
        link.trim().strip_prefix("<https://maproom.example/unsubscribe/").unwrap().trim_end_matches('>');
    assert_eq!(read_unsubscribe(&town.postman.secret, token), Some((AccountId(1), id)));
    assert!(!town.postman.unsubscribe(&token.replace("a1-", "a2-")).unwrap());
    assert!(town.postman.unsubscribe(token).unwrap());
    assert!(!town.postman.unsubscribe(token).unwrap(), "it was done before");
    assert!(town.post.channels(AccountId(1)).unwrap().is_empty());
}

#[test]
fn a_mail_that_somebody_asked_for_goes_at_once() {
    let town = town();
    let carriers = post::Carriers::open(&house(Some(town.mail.server.address)), &*town.post).unwrap();
    let mailer = carriers.mailer().unwrap();
    mailer.send_asked_for("anna@example.net", "Confirm", "Hello,\nclick here.", "abc", START).unwrap();
    let mail = town.mail.take().remove(0);
    assert_eq!((mail.header("Subject"), mail.header("List-Unsubscribe")), ("Confirm".into(), String::new()));
    assert!(mail.text.trim_end().ends_with("\n\nHello,\nclick here."), "{}", mail.text);
    assert!(mailer.send_asked_for("nobody", "Confirm", "", "abc", START).is_err());
}

#[test]
fn what_is_moot_is_not_sent() {
    let town = town();
    add(&*town.post, &channel(1, ChannelKind::Mail, "anna@example.net"));
    add(&*town.post, &channel(2, ChannelKind::Mail, "bert@example.net"));
    lock(&town.desk.passed).insert(key(1, "chosen", NoticeKind::Turn));
    lock(&town.desk.looking).insert(AccountId(2));
    town.queue(1, "chosen", NoticeKind::Turn);
    town.queue(2, "seen", NoticeKind::Turn);
    town.queue(2, "urgent", NoticeKind::Last);
    work(&town.postman);
    let mails = town.mail.take();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("War urgent") && !mails[0].text.contains("War seen"));
    assert_eq!((town.state(1, "chosen"), town.state(2, "seen")), (NoticeState::Moot, NoticeState::Moot));
}

#[test]
fn one_match_that_cannot_be_read_holds_up_no_other() {
    let town = town();
    add(&*town.post, &channel(1, ChannelKind::Mail, "anna@example.net"));
    lock(&town.desk.broken).insert("broken".into());
    lock(&town.desk.unreadable).insert("unreadable".into());
    for match_id in ["unreadable", "broken", "fine"] {
        town.queue(1, match_id, NoticeKind::Turn);
    }
    work(&town.postman);
    let mails = town.mail.take();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("War fine"));
    let waiting = (NoticeState::Waiting, NoticeState::Waiting);
    assert_eq!((town.state(1, "broken"), town.state(1, "unreadable")), waiting);
    // Once the trouble is over, they are told.
    lock(&town.desk.broken).clear();
    lock(&town.desk.unreadable).clear();
    work(&town.postman);
    assert_eq!(town.mail.take()[0].header("Subject"), "Your turn in 2 matches");
}

#[test]
fn a_letter_is_not_held_up_by_a_match_that_broke() {
    let town = town();
    let mut daily = channel(1, ChannelKind::Mail, "anna@example.net");
    // Half past four in Berlin: it is a quarter past.
    daily.wishes.digest = Some(16 * 60 + 30);
    add(&*town.post, &daily);
    for match_id in ["a", "b", "c"] {
        town.queue(1, match_id, NoticeKind::Turn);
    }
    work(&town.postman);
    assert!(town.mail.take().is_empty());
    lock(&town.desk.broken).insert("a".into());
    lock(&town.desk.unreadable).insert("b".into());
    town.clock.turn(HOUR);
    // What can't be read now may be readable later, so the whole letter waits.
    while town.postman.round().is_ok_and(|busy| busy) {}
    assert!(town.mail.take().is_empty());
    lock(&town.desk.unreadable).clear();
    town.clock.turn(120 * SECOND);
    work(&town.postman);
    assert_eq!(town.mail.take()[0].header("Subject"), "Your turn in 2 matches");
    assert_eq!((town.state(1, "a"), town.state(1, "b")), (NoticeState::Moot, NoticeState::Sent));
}

#[test]
fn what_is_held_back_is_looked_at_again() {
    let town = town();
    let mut quiet = channel(1, ChannelKind::Mail, "anna@example.net");
    // It is a quarter past four in Berlin.
    quiet.wishes.quiet = Some(QuietHours { from: 16 * 60, to: 18 * 60 });
    add(&*town.post, &quiet);
    for match_id in ["a", "b"] {
        town.queue(1, match_id, NoticeKind::Turn);
    }
    town.queue(1, "c", NoticeKind::Last);
    work(&town.postman);
    assert_eq!(town.mail.take().len(), 1, "the last reminder waits for nothing");
    lock(&town.desk.passed).insert(key(1, "a", NoticeKind::Turn));
    town.clock.turn(2 * HOUR);
    work(&town.postman);
    let mails = town.mail.take();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].text.contains("War b") && !mails[0].text.contains("War a"), "{}", mails[0].text);
    assert_eq!((town.state(1, "a"), town.state(1, "b")), (NoticeState::Moot, NoticeState::Sent));
}

#[test]
fn a_failing_hook_is_tried_three_more_times_and_its_owner_told() {
    let town = town();
    let hook = add(&*town.post, &channel(1, ChannelKind::Json, &town.web.url("/hook")));
    let mut mail = channel(1, ChannelKind::Mail, "anna@example.net");
    mail.wishes.kinds.clear();
    add(&*town.post, &mail);
    town.queue(1, "a", NoticeKind::Turn);
    town.web.answer(&["500 No", "302 Found", "404 No", "410 No"]);
    let mut ids = Vec::new();
    for wait in [0, 10 * SECOND, 60 * SECOND, 600 * SECOND] {
        if wait > 0 {
            town.clock.turn(wait - 1);
            work(&town.postman);
            assert!(town.web.take().is_empty(), "too early");
            town.clock.turn(1);
        }
        assert_eq!(town.post.channel(hook).unwrap().unwrap().failing_since, None);
        work(&town.postman);
        let requests = town.web.take();
        assert_eq!(requests.len(), 1);
        ids.push(requests[0].header("Maproom-Delivery").to_owned());
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "it is the same message");
    let record = town.post.channel(hook).unwrap().unwrap();
    assert_eq!(record.failing_since, Some(town.clock.now()));
    assert_eq!(record.error, "the other side answered with status 410");
    assert_eq!(town.state(1, "a"), NoticeState::Failed);
    let mails = town.mail.take();
    assert_eq!(mails.len(), 1);
    assert_eq!(
        mails[0].header("Subject"),
        "Notices by your hook could not be delivered and are switched off. Your settings say why"
    );
    // Nothing more goes there until its owner mends it.
    town.queue(1, "b", NoticeKind::Turn);
    work(&town.postman);
    assert!(town.web.take().is_empty());
    assert!(town.post.mend_channel(AccountId(1), hook).unwrap());
    town.queue(1, "c", NoticeKind::Turn);
    work(&town.postman);
    assert_eq!(town.web.take().len(), 1);
}

#[test]
fn a_mail_server_that_refuses_is_asked_again() {
    let town = town();
    let id = add(&*town.post, &channel(1, ChannelKind::Mail, "anna@example.net"));
    town.queue(1, "a", NoticeKind::Turn);
    town.mail.refuse(&["451 later"]);
    work(&town.postman);
    assert_eq!(town.post.channel(id).unwrap().unwrap().error, "the other side answered with status 451");
    town.clock.turn(10 * SECOND);
    work(&town.postman);
    assert_eq!(town.mail.take().len(), 1);
    assert_eq!(town.post.channel(id).unwrap().unwrap().error, "");
}

/// A subscription whose keys are those of RFC 8291.
fn subscription(url: &str) -> NewChannel {
    let mut push = channel(1, ChannelKind::Push, url);
    push.secret = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 \
                   BTBZMqHH6r4Tts7J_aSIgg"
        .into();
    push
}

#[test]
fn a_push_that_is_gone_takes_its_channel_with_it() {
    let town = town();
    let push = subscription(&town.web.url("/push"));
    *lock(&town.desk.until) = Some(START + HOUR);
    for status in ["404 Not Found", "410 Gone"] {
        add(&*town.post, &push);
        town.queue(1, status, NoticeKind::Turn);
        town.web.answer(&[status]);
        work(&town.postman);
        assert!(town.post.channels(AccountId(1)).unwrap().is_empty());
        let request = town.web.take().remove(0);
        assert_eq!(request.line, "POST /push HTTP/1.1");
        assert_eq!((request.header("TTL"), request.header("Content-Encoding")), ("3600", "aes128gcm"));
        assert!(request.header("Authorization").starts_with("vapid t="));
        assert!(!request.body.is_empty() && !request.header("Topic").is_empty());
    }
}

#[test]
fn each_channel_can_be_tested() {
    let town = town();
    for kind in ChannelKind::ALL {
        let mut one = match kind {
            ChannelKind::Mail => channel(1, *kind, "anna@example.net"),
            ChannelKind::Push => subscription(&town.web.url("/Push")),
            _ => channel(1, *kind, &town.web.url(&format!("/{kind:?}"))),
        };
        if *kind == ChannelKind::Ntfy {
            one.secret = "tk_abc".into();
        }
        let id = add(&*town.post, &one);
        assert_eq!(town.postman.test(AccountId(1), id).unwrap(), Ok(()), "{kind:?}");
        assert!(town.postman.test(AccountId(2), id).unwrap().is_err(), "it is not theirs");
    }
    assert!(town.mail.take()[0].text.contains("This is a test"));
    let lines: Vec<String> = town.web.take().into_iter().map(|request| request.line).collect();
    assert_eq!(
        lines,
        ["Push", "Discord", "Slack", "Ntfy", "Json"].map(|kind| format!("POST /{kind} HTTP/1.1"))
    );
}

#[test]
fn only_public_addresses_are_connected_to() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let outgoing = Outgoing::new(Reach::Public);
    for host in ["127.0.0.1", "localhost", "127.1", "2130706433", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"] {
        let refusal = outgoing.post(&format!("https://{host}:{port}/"), &[], b"x").unwrap_err();
        assert_eq!(refusal.status, None, "{host}");
    }
    let refusal = outgoing.post(&format!("https://127.0.0.1:{port}/"), &[], b"x").unwrap_err();
    assert_eq!(refusal.why, "no public address of that name was found");
    for bad in [
        "http://example.org/",
        "ftp://example.org/",
        "https://user@example.org/",
        "https:///",
        "example.org",
        "",
    ] {
        assert!(outgoing.check(bad).is_err() && outgoing.post(bad, &[], b"x").is_err(), "{bad}");
    }
    assert!(outgoing.check("https://example.org/hook?a=b").is_ok());
    assert!(listener.accept().is_err(), "nobody has connected");
}

#[test]
fn redirects_and_endless_answers_are_refused() {
    let web = Http::start();
    let outgoing = Outgoing::new(Reach::LoopbackToo);
    web.answer_raw(&format!(
        "HTTP/1.1 307 Elsewhere\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
        web.url("/other")
    ));
    assert_eq!(outgoing.post(&web.url("/"), &[], b"x").unwrap_err().status, Some(307));
    assert_eq!(web.take().len(), 1, "it was not followed");
    web.answer_raw(&format!("HTTP/1.1 200 OK\r\nX: {}\r\nContent-Length: 0\r\n\r\n", "x".repeat(100_000)));
    assert_eq!(outgoing.post(&web.url("/"), &[], b"x").unwrap_err().status, None);
}

#[test]
fn what_people_enter_is_checked() {
    let town = town();
    let carriers = post::Carriers::open(&house(None), &*town.post).unwrap();
    assert!(carriers.check(&channel(1, ChannelKind::Mail, "anna@example.net")).is_err(), "no mail server");
    let carriers = post::Carriers::open(&house(Some(town.mail.server.address)), &*town.post).unwrap();
    assert_eq!(carriers.push_key().unwrap().len(), 87);
    assert_eq!(carriers.secret(), town.postman.secret, "secrets are made once");
    let good = [
        channel(1, ChannelKind::Mail, "anna@example.net"),
        channel(1, ChannelKind::Json, "https://example.net/"),
        subscription("https://push.example.net/"),
    ];
    for one in good {
        assert_eq!(carriers.check(&one), Ok(()), "{one:?}");
    }
    let bad = [
        channel(1, ChannelKind::Mail, "anna"),
        channel(1, ChannelKind::Slack, "ftp://example.net/"),
        channel(1, ChannelKind::Push, "https://push.example.net/"),
        NewChannel { secret: "short".into(), ..channel(1, ChannelKind::Json, "https://example.net/") },
        NewChannel { secret: "a\nb".into(), ..channel(1, ChannelKind::Ntfy, "https://example.net/") },
    ];
    for one in bad {
        assert!(carriers.check(&one).is_err(), "{one:?}");
    }
}
