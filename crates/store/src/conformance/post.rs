//! Channels, notices and letters.

use crate::{
    AccountId, Addressed, ChannelId, ChannelKind, Letter, MOST_CHANNELS, NewChannel, NoticeKey, NoticeKind,
    NoticeState, Post, PostCounts, QuietHours, Settled, Wishes,
};

/// The matches that the checks speak of. A store in which notices need their match must have them.
pub const POST_MATCHES: [&str; 8] = ["m", "n", "o", "a", "b", "c", "later", "waiting"];

/// Puts a store for channels and notices through all checks. `make` gives an empty one each time.
pub fn post_conformance(make: impl Fn() -> Box<dyn Post>) {
    let checks: &[fn(&dyn Post)] = &[
        nothing_yet,
        channels_are_kept,
        only_so_many_channels,
        queued_once,
        due_in_order,
        addressed_once,
        gathered_into_one,
        claimed_by_one,
        mail_before_hooks,
        sent_by_one_of_two,
        tried_again,
        failing,
        gone,
        lightened,
        a_stint_ends,
        forgotten,
        purged,
        secrets,
    ];
    for check in checks {
        check(&*make());
    }
}

const ANNA: AccountId = AccountId(17);
const BERT: AccountId = AccountId(18);

fn key(account: AccountId, match_id: &str, stint: u32, kind: NoticeKind) -> NoticeKey {
    NoticeKey { account, match_id: match_id.into(), seat: 1, stint, kind }
}

fn turn(match_id: &str) -> NoticeKey {
    key(ANNA, match_id, 1, NoticeKind::Turn)
}

fn new_channel(account: AccountId, kind: ChannelKind, address: &str) -> NewChannel {
    NewChannel {
        account,
        kind,
        address: address.into(),
        secret: "ключ".into(),
        wishes: Wishes {
            kinds: NoticeKind::ALL.iter().copied().collect(),
            quiet: Some(QuietHours { from: 22 * 60, to: 7 * 60 }),
            digest: Some(8 * 60),
        },
    }
}

fn add(post: &dyn Post, kind: ChannelKind, address: &str) -> ChannelId {
    post.add_channel(&new_channel(ANNA, kind, address)).unwrap().unwrap()
}

/// Hands one notice to channels, and says whether it waited.
fn hand(post: &dyn Post, key: &NoticeKey, channels: &[(ChannelId, u64)]) -> bool {
    let addressed = Addressed { key: key.clone(), channels: channels.to_vec() };
    post.address(&[addressed]).unwrap() == 1
}

/// Queues turns that are due at 5, and hands them to channels at 10.
fn addressed(post: &dyn Post, matches: &[&str], channels: &[ChannelId]) {
    let to: Vec<(ChannelId, u64)> = channels.iter().map(|id| (*id, 10)).collect();
    for id in matches {
        assert_eq!(post.queue(&[(turn(id), 5)]).unwrap(), 1);
        assert!(hand(post, &turn(id), &to));
    }
}

fn one_letter(post: &dyn Post) -> Letter {
    assert_eq!(post.gather(10).unwrap(), 1);
    post.claim(10, 100).unwrap().unwrap()
}

fn state(post: &dyn Post, key: &NoticeKey) -> (NoticeState, u32) {
    let notices = post.notices(key.account).unwrap();
    notices.iter().find(|notice| notice.key == *key).map(|notice| (notice.state, notice.tries)).unwrap()
}

fn nothing_yet(post: &dyn Post) {
    assert_eq!(post.channels(ANNA).unwrap(), []);
    assert_eq!(post.channel(ChannelId(1)).unwrap(), None);
    assert_eq!(post.notices(ANNA).unwrap(), []);
    assert_eq!(post.due(u64::MAX, 9).unwrap(), []);
    assert_eq!((post.gather(9).unwrap(), post.claim(9, 10).unwrap()), (0, None));
    assert!(!hand(post, &turn("m"), &[]));
    assert_eq!(post.post_counts().unwrap(), PostCounts::default());
}

fn channels_are_kept(post: &dyn Post) {
    let mut entered = new_channel(ANNA, ChannelKind::Json, "https://example.org/größe?a=b");
    let id = post.add_channel(&entered).unwrap().unwrap();
    let other = post.add_channel(&new_channel(BERT, ChannelKind::Json, &entered.address)).unwrap().unwrap();
    assert_ne!(id, other);
    let found = post.channel(id).unwrap().unwrap();
    assert_eq!(
        (found.id, &found.channel, found.error.as_str(), found.failing_since),
        (id, &entered, "", None)
    );
    assert_eq!(post.channels(ANNA).unwrap(), [found]);

    let wishes = Wishes { kinds: [NoticeKind::Over].into(), quiet: None, digest: None };
    assert!(!post.set_wishes(BERT, id, &wishes).unwrap(), "it is not Bert's");
    assert!(post.set_wishes(ANNA, id, &wishes).unwrap());
    assert_eq!(post.channel(id).unwrap().unwrap().channel.wishes, wishes);

    entered.secret = "other".into();
    assert_eq!(post.add_channel(&entered).unwrap(), Some(id), "the same address is the same channel");
    assert_eq!(post.channel(id).unwrap().unwrap().channel, entered);

    assert!(!post.remove_channel(BERT, id).unwrap());
    assert!(post.remove_channel(ANNA, id).unwrap());
    assert!(!post.remove_channel(ANNA, id).unwrap());
    let next = post.add_channel(&entered).unwrap().unwrap();
    assert!(next != id && next != other, "a number is not given twice");
}

fn only_so_many_channels(post: &dyn Post) {
    for i in 0..MOST_CHANNELS {
        add(post, ChannelKind::Ntfy, &format!("https://example.org/{i}"));
    }
    let one_more = new_channel(ANNA, ChannelKind::Mail, "anna@example.org");
    assert_eq!(post.add_channel(&one_more).unwrap(), None);
    assert!(post.add_channel(&NewChannel { account: BERT, ..one_more }).unwrap().is_some());
    add(post, ChannelKind::Ntfy, "https://example.org/0");
    assert_eq!(post.channels(ANNA).unwrap().len(), MOST_CHANNELS);
}

fn queued_once(post: &dyn Post) {
    let last = key(ANNA, "m", 1, NoticeKind::Last);
    assert_eq!(post.queue(&[]).unwrap(), 0);
    assert_eq!(post.queue(&[(turn("m"), 5), (last.clone(), 9), (turn("m"), 7)]).unwrap(), 2);
    assert_eq!(post.queue(&[(turn("m"), 7)]).unwrap(), 0);
    let found = post.notices(ANNA).unwrap();
    assert_eq!(
        found.iter().map(|one| (&one.key, one.due_at)).collect::<Vec<_>>(),
        [(&turn("m"), 5), (&last, 9)]
    );
    assert_eq!(state(post, &last), (NoticeState::Waiting, 0));
    for other in [
        NoticeKey { account: BERT, ..turn("m") },
        turn("n"),
        NoticeKey { seat: 2, ..turn("m") },
        NoticeKey { stint: 2, ..turn("m") },
    ] {
        assert_eq!(post.queue(&[(other, 5)]).unwrap(), 1);
    }
    // What was settled is not queued again either.
    assert!(hand(post, &turn("m"), &[]));
    assert_eq!(post.queue(&[(turn("m"), 7)]).unwrap(), 0);
    assert_eq!(state(post, &turn("m")).0, NoticeState::Moot);
}

fn due_in_order(post: &dyn Post) {
    post.queue(&[(turn("c"), 30), (turn("a"), 20), (turn("b"), 10)]).unwrap();
    let due = |now, most| -> Vec<String> {
        post.due(now, most).unwrap().into_iter().map(|notice| notice.key.match_id).collect()
    };
    assert_eq!(due(9, 9), [""; 0]);
    assert_eq!(due(20, 9), ["b", "a"]);
    assert_eq!(due(30, 2), ["b", "a"]);
    assert_eq!(post.post_counts().unwrap().waiting, 3);
}

fn addressed_once(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m"], &[id]);
    assert_eq!(state(post, &turn("m")).0, NoticeState::Addressed);
    assert!(!hand(post, &turn("m"), &[(id, 10)]));
    assert_eq!(post.due(99, 9).unwrap(), []);
    // A channel that is no more is passed over.
    post.queue(&[(turn("n"), 5)]).unwrap();
    assert!(hand(post, &turn("n"), &[(ChannelId(999), 10)]));
    assert_eq!(state(post, &turn("n")).0, NoticeState::Moot);
}

fn gathered_into_one(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m", "n"], &[id]);
    post.queue(&[(turn("later"), 5)]).unwrap();
    assert!(hand(post, &turn("later"), &[(id, 11)]));
    assert_eq!(post.gather(9).unwrap(), 0);
    let letter = one_letter(post);
    assert_eq!((letter.channel.id, letter.made_at, letter.tries), (id, 10, 0));
    assert_eq!(letter.notices, [turn("m"), turn("n")]);
    // While it is on its way there is no second one by the same channel.
    assert_eq!(post.gather(11).unwrap(), 0);
    assert!(post.settle(letter.id, &Settled::Sent).unwrap());
    assert_eq!(post.gather(11).unwrap(), 1);
    let next = post.claim(11, 100).unwrap().unwrap();
    assert_eq!(next.notices, [turn("later")]);
    assert_ne!(next.id, letter.id);
}

fn claimed_by_one(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m"], &[id]);
    let letter = one_letter(post);
    assert_eq!(post.claim(99, 200).unwrap(), None, "somebody else has it");
    // Whoever had it is gone: it comes again as it was.
    assert_eq!(post.claim(100, 200).unwrap().as_ref(), Some(&letter));
    assert!(post.settle(letter.id, &Settled::Sent).unwrap());
    assert!(!post.settle(letter.id, &Settled::Sent).unwrap());
    assert!(!post.settle(letter.id, &Settled::Gone).unwrap());
    assert_eq!(state(post, &turn("m")), (NoticeState::Sent, 0));
    assert_eq!(post.claim(999, 1000).unwrap(), None);
}

fn mail_before_hooks(post: &dyn Post) {
    let mut channels = Vec::new();
    for (i, kind) in [ChannelKind::Json, ChannelKind::Push, ChannelKind::Mail].into_iter().enumerate() {
        channels.push(add(post, kind, &format!("address {i}")));
    }
    addressed(post, &["m"], &channels);
    assert_eq!(post.gather(10).unwrap(), 3);
    let claim = || post.claim(20, 100).unwrap().unwrap();
    let mail = claim();
    assert_eq!(mail.channel.id, channels[2]);
    post.settle(mail.id, &Settled::Again { at: 12, error: "no".into() }).unwrap();
    let order: Vec<ChannelId> = (0..3).map(|_| claim().channel.id).collect();
    assert_eq!(order, [channels[1], channels[0], channels[2]], "what has failed comes last");
}

fn sent_by_one_of_two(post: &dyn Post) {
    let mail = add(post, ChannelKind::Mail, "anna@example.org");
    let hook = add(post, ChannelKind::Slack, "https://example.org/");
    addressed(post, &["m"], &[mail, hook]);
    assert_eq!(post.gather(10).unwrap(), 2);
    let first = post.claim(10, 100).unwrap().unwrap();
    post.settle(first.id, &Settled::Sent).unwrap();
    assert_eq!(state(post, &turn("m")).0, NoticeState::Sent);
    let second = post.claim(10, 100).unwrap().unwrap();
    post.settle(second.id, &Settled::Failing { at: 50_000, error: "no".into(), tell: vec![] }).unwrap();
    assert_eq!(state(post, &turn("m")).0, NoticeState::Sent, "one channel is enough");
}

fn tried_again(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m"], &[id]);
    let letter = one_letter(post);
    assert!(post.settle(letter.id, &Settled::Again { at: 40, error: "it rained".into() }).unwrap());
    assert_eq!(state(post, &turn("m")), (NoticeState::Addressed, 1));
    let record = post.channel(id).unwrap().unwrap();
    assert_eq!((record.error.as_str(), record.failing_since), ("it rained", None));
    assert_eq!(post.claim(39, 100).unwrap(), None);
    let again = post.claim(40, 100).unwrap().unwrap();
    assert_eq!((again.id, again.tries, &again.notices), (letter.id, 1, &letter.notices));
    post.settle(again.id, &Settled::Sent).unwrap();
    assert_eq!(post.channel(id).unwrap().unwrap().error, "");
}

fn failing(post: &dyn Post) {
    let hook = add(post, ChannelKind::Discord, "https://example.org/");
    addressed(post, &["m", "n"], &[hook]);
    let letter = one_letter(post);
    addressed(post, &["o"], &[hook]);
    let mail = add(post, ChannelKind::Mail, "anna@example.org");
    let tell = vec![(mail, 60_000), (ChannelId(999), 60_000)];
    assert!(
        post.settle(letter.id, &Settled::Failing { at: 50_000, error: "status 500".into(), tell }).unwrap()
    );
    let record = post.channel(hook).unwrap().unwrap();
    assert_eq!((record.error.as_str(), record.failing_since), ("status 500", Some(50_000)));
    assert_eq!(state(post, &turn("m")), (NoticeState::Failed, 1));
    assert_eq!(state(post, &turn("o")), (NoticeState::Failed, 0), "nothing more goes this way");
    assert_eq!(post.post_counts().unwrap(), PostCounts { waiting: 0, letters: 0, failing: 1 });
    // The owner hears of it by another channel.
    assert_eq!((post.gather(59_999).unwrap(), post.gather(60_000).unwrap()), (0, 1));
    let told = post.claim(60_000, 70_000).unwrap().unwrap();
    let about = &told.notices[0];
    assert_eq!((told.channel.id, about.kind, about.account), (mail, NoticeKind::Channel, ANNA));
    assert_eq!(about.match_id, format!("channel-{}", hook.0));
    assert!(post.settle(told.id, &Settled::Sent).unwrap());

    assert!(!post.mend_channel(BERT, hook).unwrap());
    assert!(post.mend_channel(ANNA, hook).unwrap());
    let record = post.channel(hook).unwrap().unwrap();
    assert_eq!((record.error.as_str(), record.failing_since), ("", None));
}

fn gone(post: &dyn Post) {
    let push = add(post, ChannelKind::Push, "https://example.org/");
    addressed(post, &["m"], &[push]);
    let letter = one_letter(post);
    assert!(post.settle(letter.id, &Settled::Gone).unwrap());
    assert_eq!(post.channels(ANNA).unwrap(), []);
    assert_eq!(state(post, &turn("m")).0, NoticeState::Failed);
    assert_eq!(post.claim(u64::MAX / 4, u64::MAX / 2).unwrap(), None);
    assert_eq!(post.post_counts().unwrap(), PostCounts::default());
}

fn lightened(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m", "n"], &[id]);
    let letter = one_letter(post);
    assert_eq!(post.lighten(letter.id, &[turn("m"), turn("elsewhere")]).unwrap(), 1);
    assert_eq!(state(post, &turn("m")).0, NoticeState::Moot);
    assert_eq!(post.claim(100, 200).unwrap().unwrap().notices, [turn("n")]);
    assert_eq!(post.lighten(letter.id, &[turn("n")]).unwrap(), 0);
    assert_eq!(post.post_counts().unwrap(), PostCounts::default());
    assert!(!post.settle(letter.id, &Settled::Sent).unwrap());
    assert_eq!(post.lighten(letter.id, &[turn("n")]).unwrap(), 0);
}

fn a_stint_ends(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    let of = |stint, kind| key(ANNA, "m", stint, kind);
    let (half, next, chat) = (of(1, NoticeKind::Half), of(2, NoticeKind::Turn), of(1, NoticeKind::Chat));
    let last = of(1, NoticeKind::Last);
    addressed(post, &["m"], &[id]);
    let letter = one_letter(post);
    post.queue(&[(half.clone(), 5), (last.clone(), 9), (next.clone(), 5), (chat.clone(), 5)]).unwrap();
    assert!(hand(post, &half, &[(id, 10)]));
    assert_eq!(post.cancel_stint("m", 0, 1).unwrap(), 0, "another seat");
    assert_eq!(post.cancel_stint("m", 1, 1).unwrap(), 2);
    for moot in [&half, &last] {
        assert_eq!(state(post, moot).0, NoticeState::Moot);
    }
    // A letter that is out is left to whoever carries it; other stints and chat are not concerned.
    assert_eq!(state(post, &turn("m")).0, NoticeState::Addressed);
    for waiting in [&next, &chat] {
        assert_eq!(state(post, waiting).0, NoticeState::Waiting);
    }
    post.settle(letter.id, &Settled::Sent).unwrap();
    assert_eq!(post.cancel_stint("m", 1, 1).unwrap(), 0);
    assert_eq!(state(post, &turn("m")).0, NoticeState::Sent);
}

fn forgotten(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m"], &[id]);
    let bert = NoticeKey { account: BERT, ..turn("m") };
    post.queue(&[(bert.clone(), 5)]).unwrap();
    let letter = one_letter(post);
    post.forget(ANNA).unwrap();
    assert_eq!((post.channels(ANNA).unwrap(), post.notices(ANNA).unwrap()), (vec![], vec![]));
    assert!(!post.settle(letter.id, &Settled::Sent).unwrap());
    assert_eq!(state(post, &bert).0, NoticeState::Waiting);
}

fn purged(post: &dyn Post) {
    let id = add(post, ChannelKind::Mail, "anna@example.org");
    addressed(post, &["m", "n"], &[id]);
    let letter = one_letter(post);
    post.queue(&[(turn("waiting"), 1), (turn("later"), 6)]).unwrap();
    assert!(hand(post, &turn("later"), &[]));
    assert_eq!(post.purge_notices(7).unwrap(), 1);
    post.settle(letter.id, &Settled::Sent).unwrap();
    assert_eq!(post.purge_notices(5).unwrap(), 0);
    assert_eq!(post.purge_notices(6).unwrap(), 2);
    assert_eq!(post.notices(ANNA).unwrap().len(), 1);
}

fn secrets(post: &dyn Post) {
    assert_eq!(post.keep_secret("a", "1").unwrap(), "1");
    assert_eq!(post.keep_secret("a", "2").unwrap(), "1");
    assert_eq!(post.keep_secret("b", "2").unwrap(), "2");
}
