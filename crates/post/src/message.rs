//! Many notices as one message, in the words of a spectator.

use store::{ChannelKind, NoticeKey, NoticeKind};

use crate::{Headline, Zone};

/// One message to one account, whatever it goes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What it says in one sentence.
    pub title: String,
    /// What it says one by one; what ends first comes first.
    pub items: Vec<Item>,
    /// Where a click leads to.
    pub link: String,
    /// What it is about, so that a newer message takes the place of an older one: a match, or all of them.
    pub tag: String,
    /// After this time nobody needs it any more.
    pub until: Option<u64>,
    /// Whether it is the last reminder.
    pub is_urgent: bool,
}

/// One notice of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What it is about.
    pub kind: NoticeKind,
    /// The match, tournament or channel.
    pub match_id: String,
    /// The sentence.
    pub text: String,
    /// Where a click leads to.
    pub link: String,
    /// Until when there is time.
    pub until: Option<u64>,
}

/// What a notice of a letter is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Matter {
    /// A match or a tournament.
    Public(Headline),
    /// A channel of the account that fails.
    Failing(ChannelKind),
}

/// Puts notices together into one message. `base` is the address of the house, for example `https://maproom.example`.
pub fn compose(notices: &[(NoticeKey, Matter)], base: &str, zone: &Zone, now: u64) -> Message {
    let mut items: Vec<Item> =
        latest(notices).map(|(key, matter)| item(key, matter, base, zone, now)).collect();
    items.sort_by_key(|item| (!is_turn(item.kind), item.until.unwrap_or(u64::MAX), item.kind));
    let mut links: Vec<&str> = items.iter().map(|item| item.link.as_str()).collect();
    links.dedup();
    let mut matches: Vec<&str> = items.iter().map(|item| item.match_id.as_str()).collect();
    matches.dedup();
    Message {
        title: title(&items, zone, now),
        link: if let [link] = links[..] { link.to_owned() } else { format!("{base}/") },
        tag: if let [one] = matches[..] { one.to_owned() } else { "all".to_owned() },
        until: items
            .iter()
            .map(|item| item.until)
            .collect::<Option<Vec<u64>>>()
            .and_then(|all| all.into_iter().max()),
        is_urgent: items.iter().any(|item| item.kind == NoticeKind::Last),
        items,
    }
}

/// The message of the button that tests a channel.
pub fn test_message(base: &str) -> Message {
    let text = "This is a test: notices from Maproom arrive here.".to_owned();
    let link = format!("{base}/");
    let (kind, match_id) = (NoticeKind::Channel, "test".to_owned());
    let items = vec![Item { kind, match_id, text: text.clone(), link: link.clone(), until: None }];
    Message { title: text, items, link, tag: "test".to_owned(), until: None, is_urgent: false }
}

fn is_turn(kind: NoticeKind) -> bool {
    matches!(kind, NoticeKind::Turn | NoticeKind::Half | NoticeKind::Fifth | NoticeKind::Last)
}

/// Of the turn and the reminders of one seat only the latest, and of everything else the latest of its kind: whoever was held back
/// until morning is told once.
fn latest(notices: &[(NoticeKey, Matter)]) -> impl Iterator<Item = &(NoticeKey, Matter)> {
    let replaces = |newer: &NoticeKey, older: &NoticeKey| {
        (&newer.match_id, newer.seat) == (&older.match_id, older.seat)
            && (newer.kind == older.kind || (is_turn(newer.kind) && is_turn(older.kind)))
            && (newer.stint, newer.kind) > (older.stint, older.kind)
    };
    notices.iter().filter(move |(key, _)| !notices.iter().any(|(other, _)| replaces(other, key)))
}

fn item(key: &NoticeKey, matter: &Matter, base: &str, zone: &Zone, now: u64) -> Item {
    let (text, path, until) = match matter {
        Matter::Public(headline) => {
            (say(key.kind, headline, zone, now), headline.path.as_str(), headline.until)
        }
        Matter::Failing(kind) => (say_failing(*kind), "/account/notices", None),
    };
    Item { kind: key.kind, match_id: key.match_id.clone(), text, link: format!("{base}{path}"), until }
}

fn say(kind: NoticeKind, about: &Headline, zone: &Zone, now: u64) -> String {
    let full = format!("“{}” ({})", about.name, about.game);
    let when = about.until.map(|until| zone.say(until, now));
    let until = when.as_ref().map_or(String::new(), |when| format!(" until {when}"));
    let ends = when.as_ref().map_or("is running out".to_owned(), |when| format!("ends {when}"));
    match kind {
        NoticeKind::Turn => format!("Your turn in {full}{until}."),
        NoticeKind::Half | NoticeKind::Fifth => format!("Still your turn in {full}{until}."),
        NoticeKind::Last => format!("Last reminder: your time in {full} {ends}."),
        NoticeKind::Flagged => format!("Your time in {full} has run out."),
        NoticeKind::Invited => match &about.by {
            Some(by) => format!("{by} invites you to {full}."),
            None => format!("You are invited to {full}."),
        },
        NoticeKind::Started => format!("{full} has started."),
        NoticeKind::Over => format!("{full} is over."),
        NoticeKind::Offer => format!("An offer in {full} awaits your answer{until}."),
        NoticeKind::Chat => format!("New messages in {full}."),
        NoticeKind::Tournament => format!("News of the tournament {full}."),
        NoticeKind::Channel => format!("News of {full}."),
    }
}

fn say_failing(kind: ChannelKind) -> String {
    let by = match kind {
        ChannelKind::Mail => "by mail",
        ChannelKind::Push => "in your browser",
        ChannelKind::Discord => "by Discord",
        ChannelKind::Slack => "by Slack",
        ChannelKind::Ntfy => "by ntfy",
        ChannelKind::Json => "by your hook",
    };
    format!("Notices {by} could not be delivered and are switched off. Your settings say why.")
}

fn title(items: &[Item], zone: &Zone, now: u64) -> String {
    let turns = items.iter().filter(|item| is_turn(item.kind)).count();
    let others = items.len() - turns;
    let nearest = items.iter().filter(|item| is_turn(item.kind)).filter_map(|item| item.until).min();
    let nearest =
        nearest.map_or(String::new(), |until| format!(", the nearest until {}", zone.say(until, now)));
    let first = items.first().map_or("", |item| item.text.as_str());
    match (turns, others) {
        (0, 0 | 1) | (1, 0) => first.to_owned(),
        (0, _) => format!("{others} notices from Maproom."),
        (1, _) => format!("{first} And {others} more."),
        (_, 0) => format!("Your turn in {turns} matches{nearest}."),
        _ => format!("Your turn in {turns} matches{nearest}. And {others} more."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{AccountId, MatchRecord};

    const HOUR: u64 = 3_600_000;
    const BASE: &str = "https://maproom.example";

    fn about(id: &str, kind: NoticeKind, until: Option<u64>) -> (NoticeKey, Matter) {
        let record = MatchRecord { id: id.into(), name: format!("War {id}"), ..MatchRecord::default() };
        let headline = Headline::of_match(&record, "Echoes of War");
        let headline = until.map_or(headline.clone(), |until| headline.until(until));
        let key = NoticeKey { account: AccountId(1), match_id: id.into(), seat: 0, stint: 4, kind };
        (key, Matter::Public(headline))
    }

    fn composed(notices: &[(NoticeKey, Matter)]) -> Message {
        // A Thursday, 1 January 1970.
        compose(notices, BASE, &Zone::UTC, HOUR)
    }

    #[test]
    fn one_turn_is_one_sentence() {
        let message = composed(&[about("m", NoticeKind::Turn, Some(24 * 5 * HOUR + 18 * HOUR))]);
        assert_eq!(message.title, "Your turn in “War m” (Echoes of War) until Tuesday 18:00.");
        assert_eq!((message.link.as_str(), message.tag.as_str()), ("https://maproom.example/m/m/mine", "m"));
        assert_eq!((message.until, message.is_urgent), (Some(138 * HOUR), false));
        assert_eq!(
            composed(&[about("m", NoticeKind::Turn, None)]).title,
            "Your turn in “War m” (Echoes of War)."
        );
    }

    #[test]
    fn three_turns_are_one_message() {
        let kind = NoticeKind::Turn;
        let message = composed(&[
            about("a", kind, None),
            about("b", kind, Some(138 * HOUR)),
            about("c", kind, Some(162 * HOUR)),
        ]);
        assert_eq!(message.title, "Your turn in 3 matches, the nearest until Tuesday 18:00.");
        assert_eq!(message.items.iter().map(|item| item.match_id.as_str()).collect::<String>(), "bca");
        assert_eq!((message.link.as_str(), message.tag.as_str()), ("https://maproom.example/", "all"));
        assert_eq!(message.until, None, "one of them has all the time in the world");
    }

    #[test]
    fn turns_come_before_the_rest() {
        let message = composed(&[
            about("a", NoticeKind::Chat, None),
            about("b", NoticeKind::Last, Some(2 * HOUR)),
            about("c", NoticeKind::Over, None),
        ]);
        assert_eq!(
            message.title,
            "Last reminder: your time in “War b” (Echoes of War) ends 02:00 today. And 2 more."
        );
        assert!(message.is_urgent);
        let message = composed(&[about("a", NoticeKind::Chat, None), about("a", NoticeKind::Over, None)]);
        assert_eq!(
            (message.title.as_str(), message.link.as_str()),
            ("2 notices from Maproom.", "https://maproom.example/m/a/mine")
        );
    }

    #[test]
    fn of_one_stint_only_the_latest_is_told() {
        let mut said_later = about("a", NoticeKind::Chat, None);
        said_later.0.stint += 1;
        let message = composed(&[
            about("a", NoticeKind::Turn, Some(9 * HOUR)),
            about("a", NoticeKind::Half, Some(9 * HOUR)),
            about("a", NoticeKind::Over, None),
            about("a", NoticeKind::Chat, None),
            said_later,
        ]);
        assert_eq!(
            message.items.iter().map(|item| item.kind).collect::<Vec<_>>(),
            [NoticeKind::Half, NoticeKind::Over, NoticeKind::Chat]
        );
    }

    #[test]
    fn every_kind_has_its_words() {
        let mut said = std::collections::BTreeSet::new();
        for kind in NoticeKind::ALL {
            let text = composed(&[about("m", *kind, Some(2 * HOUR))]).title;
            assert!(text.contains("War m") && text.ends_with('.'), "{text}");
            said.insert(text);
        }
        // The two middle reminders say the same.
        assert_eq!(said.len(), NoticeKind::ALL.len() - 1);
        let (mut key, _) = about("channel-3", NoticeKind::Channel, None);
        key.match_id = "channel-3".into();
        let message = composed(&[(key, Matter::Failing(ChannelKind::Ntfy))]);
        assert_eq!(
            message.title,
            "Notices by ntfy could not be delivered and are switched off. Your settings say why."
        );
        assert_eq!(message.link, "https://maproom.example/account/notices");
        let (key, Matter::Public(headline)) = about("m", NoticeKind::Invited, None) else { unreachable!() };
        let invited = composed(&[(key, Matter::Public(headline.by("Anna")))]);
        assert_eq!(invited.title, "Anna invites you to “War m” (Echoes of War).");
    }
}
