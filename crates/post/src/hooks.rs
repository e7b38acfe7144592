//! What hooks are sent: Discord, Slack, ntfy, and signed JSON.

use serde_json::json;

use crate::Message;
use crate::secret::{code, hex};

/// Discord takes 2,000 letters; the others take more.
const LONGEST_TEXT: usize = 1900;

/// A request as a hook gets it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    fn json(body: &serde_json::Value) -> Request {
        let headers = vec![("Content-Type", "application/json".to_owned())];
        Request { headers, body: body.to_string().into_bytes() }
    }
}

/// What Discord gets. Nobody is pinged, and no preview is drawn (flag 4).
pub(crate) fn discord(message: &Message) -> Request {
    let content = text(message, escape_discord);
    Request::json(&json!({ "content": content, "flags": 4, "allowed_mentions": { "parse": [] } }))
}

/// What Slack gets.
pub(crate) fn slack(message: &Message) -> Request {
    Request::json(&json!({ "text": text(message, escape_slack), "unfurl_links": false }))
}

/// What ntfy gets; `token` is the access token of a topic that has one.
pub(crate) fn ntfy(message: &Message, token: &str) -> Request {
    let mut headers = vec![("Click", message.link.clone())];
    if message.is_urgent {
        headers.push(("Priority", "high".to_owned()));
    }
    if !token.is_empty() {
        headers.push(("Authorization", format!("Bearer {token}")));
    }
    Request { headers, body: lines(message).join("\n").into_bytes() }
}

/// What anybody's own hook gets: JSON, signed together with the time. `id` names the message, so that a receiver can drop a repeat.
pub(crate) fn signed(message: &Message, secret: &str, id: &str, now: u64) -> Request {
    let mut request = Request::json(&payload(message, id));
    let timestamp = (now / 1000).to_string();
    let signature = code(secret, &[timestamp.as_bytes(), b".", &request.body]);
    request.headers.extend([
        ("Maproom-Delivery", id.to_owned()),
        ("Maproom-Timestamp", timestamp),
        ("Maproom-Signature", format!("sha256={}", hex(signature.as_ref()))),
    ]);
    request
}

/// A message as JSON: what signed hooks get.
fn payload(message: &Message, id: &str) -> serde_json::Value {
    let items: Vec<_> = message
        .items
        .iter()
        .map(|item| {
            json!({
                "kind": item.kind.word(),
                "match": item.match_id,
                "text": item.text,
                "url": item.link,
                "until": item.until,
            })
        })
        .collect();
    json!({ "id": id, "title": message.title, "url": message.link, "items": items })
}

/// The sentences of a message: its title, and if it has several notices each of them.
pub(crate) fn lines(message: &Message) -> Vec<String> {
    let mut lines = vec![message.title.clone()];
    if message.items.len() > 1 {
        lines.extend(message.items.iter().map(|item| format!("- {}", item.text)));
    }
    lines
}

fn text(message: &Message, escape: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for line in lines(message) {
        let line = escape(&line);
        if text.chars().count() + line.chars().count() > LONGEST_TEXT - message.link.len().min(500) {
            text.push_str("…\n");
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    text + &message.link
}

/// People choose the names of matches; here they stay names and become neither links nor calls.
fn escape_discord(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for letter in line.chars() {
        if "\\*_~`|[]()<>@#:/".contains(letter) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// The three letters that Slack gives a meaning to.
fn escape_slack(line: &str) -> String {
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Item;
    use crate::test_message;
    use store::NoticeKind;

    fn message(name: &str) -> Message {
        let item = |kind, text: String| Item {
            kind,
            match_id: "m".into(),
            text,
            link: "https://maproom.example/m/m".into(),
            until: Some(7),
        };
        let items = vec![
            item(NoticeKind::Last, format!("Your turn in {name}.")),
            item(NoticeKind::Chat, "New.".into()),
        ];
        Message {
            title: format!("Turn in {name}."),
            items,
            is_urgent: true,
            ..test_message("https://maproom.example")
        }
    }

    #[test]
    fn json_is_signed_with_its_time() {
        let request = signed(&message("War"), "key", "id-1", 1_790_000_000_999);
        let header = |name: &str| request.headers.iter().find(|(one, _)| *one == name).unwrap().1.clone();
        assert_eq!(header("Maproom-Timestamp"), "1790000000");
        assert_eq!(header("Maproom-Delivery"), "id-1");
        let expected = code("key", &[b"1790000000.", &request.body]);
        assert_eq!(header("Maproom-Signature"), format!("sha256={}", hex(expected.as_ref())));
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(body["id"], "id-1");
        assert_eq!(body["items"][0]["kind"], "last");
        assert_eq!(body["items"][1]["until"], 7);
    }

    /// What the documentation shows is what is sent.
    #[test]
    fn the_documentation_is_right() {
        let page = include_str!("../../../docs/notices.md");
        let line = |start: &str| page.lines().find(|line| line.starts_with(start)).unwrap();
        let body = line("{\"id\"");
        let shown: serde_json::Value = serde_json::from_str(body).unwrap();
        let text = shown["title"].as_str().unwrap().to_owned();
        let link = shown["url"].as_str().unwrap().to_owned();
        let (kind, match_id, until) =
            (NoticeKind::Turn, "k3v9".to_owned(), shown["items"][0]["until"].as_u64());
        let items = vec![Item { kind, match_id, text: text.clone(), link: link.clone(), until }];
        let message = Message { title: text, items, link, ..test_message("https://maproom.example") };
        let seconds: u64 = line("Maproom-Timestamp: ").split(' ').next_back().unwrap().parse().unwrap();
        let id = shown["id"].as_str().unwrap();
        let request = signed(&message, "a-key-of-your-own-choice", id, seconds * 1000);
        assert_eq!(String::from_utf8(request.body).unwrap(), body);
        for (name, value) in request.headers {
            assert_eq!(line(&format!("{name}: ")), format!("{name}: {value}"));
        }
        for kind in NoticeKind::ALL {
            assert!(page.contains(&format!("\n| `{}` |", kind.word())), "{kind:?}");
        }
    }

    #[test]
    fn names_stay_names() {
        let nasty = "@everyone <!channel> [x](https://evil.example) & `y`";
        let body: serde_json::Value = serde_json::from_slice(&discord(&message(nasty)).body).unwrap();
        let content = body["content"].as_str().unwrap();
        assert!(
            content.starts_with("Turn in \\@everyone \\<!channel\\> \\[x\\]\\(https\\:\\/\\/evil.example\\)"),
            "{content}"
        );
        assert!(content.ends_with("\nhttps://maproom.example/"));
        assert_eq!(body["allowed_mentions"]["parse"], json!([]));
        let slack = String::from_utf8(slack(&message(nasty)).body).unwrap();
        assert!(slack.contains("&lt;!channel&gt;") && slack.contains("&amp; `y`"), "{slack}");
    }

    #[test]
    fn ntfy_is_plain_text() {
        let request = ntfy(&message("War"), "tk");
        assert_eq!(request.body, b"Turn in War.\n- Your turn in War.\n- New.");
        let expected =
            [("Click", "https://maproom.example/"), ("Priority", "high"), ("Authorization", "Bearer tk")];
        assert_eq!(request.headers, expected.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn long_messages_are_cut() {
        let mut long = message("War");
        long.items = vec![long.items[0].clone(); 500];
        let content = text(&long, escape_discord);
        assert!(content.chars().count() < 2000 && content.contains("…\nhttps://maproom.example/"));
    }
}
