//! Mail.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message as Mail};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, SmtpTransport};
use lettre::{Address, Transport as _};

use crate::{Message, Refusal};

/// How long the mail server may take for each of its answers.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends mail by the mail server that whoever runs the house has named.
#[derive(Debug)]
pub struct Mailer {
    transport: SmtpTransport,
    from: Mailbox,
}

impl Mailer {
    /// `server` is an address like `smtps://user:password@mail.example.org` or `smtp://mail.example.org:587?tls=required`; without
    /// encryption only a server on this machine is talked to. `from` is the sender, `Maproom <post@example.org>`.
    pub fn new(server: &str, from: &str) -> Result<Mailer, String> {
        let from: Mailbox = from.parse().map_err(|_| format!("`{from}` is no mail address"))?;
        if !is_encrypted(server) && !is_local(server) {
            return Err("a mail server elsewhere needs `smtps://…` or `smtp://…?tls=required`".to_owned());
        }
        // What lettre says may contain the password.
        let builder = SmtpTransport::from_url(server)
            .map_err(|_| "the address of the mail server can't be read".to_owned())?;
        let name = ClientId::Domain(from.email.domain().to_owned());
        Ok(Mailer { transport: builder.hello_name(name).timeout(Some(PATIENCE)).build(), from })
    }

    /// Sends a message. `id` names it, so that mail programs fold a repeat; `unsubscribe` is the link that ends these mails.
    pub(crate) fn send(
        &self,
        to: &str,
        message: &Message,
        id: &str,
        unsubscribe: &str,
        now: u64,
    ) -> Result<(), Refusal> {
        let mail = self.mail(to, message, id, unsubscribe, now)?;
        match self.transport.send(&mail) {
            Ok(_) => Ok(()),
            Err(error) => Err(in_words(&error)),
        }
    }

    fn mail(
        &self,
        to: &str,
        message: &Message,
        id: &str,
        unsubscribe: &str,
        now: u64,
    ) -> Result<Mail, Refusal> {
        let unusable = |_| Refusal::no_answer("this is no mail address");
        let to = Mailbox::new(None, to.parse::<Address>().map_err(unusable)?);
        let header = |name, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        Mail::builder()
            .from(self.from.clone())
            .to(to)
            .subject(message.title.trim_end_matches('.'))
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .date(UNIX_EPOCH + Duration::from_millis(now))
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()))
            .raw_header(header("List-Unsubscribe", format!("<{unsubscribe}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(text(message, unsubscribe))
            .map_err(|_| Refusal::no_answer("the mail could not be written"))
    }
}

fn is_encrypted(server: &str) -> bool {
    server.starts_with("smtps://") || (server.starts_with("smtp://") && server.ends_with("?tls=required"))
}

fn is_local(server: &str) -> bool {
    let host = server.strip_prefix("smtp://").map(|rest| rest.split(['/', '?']).next().unwrap_or(rest));
    let host = host.map(|host| host.rsplit_once('@').map_or(host, |(_, host)| host));
    let name = host.map(|host| host.rsplit_once(':').map_or(host, |(name, _)| name));
    name.is_some_and(|name| ["localhost", "127.0.0.1", "[::1]"].contains(&name))
}

/// The text of a mail: each notice with its link, then how to get no more of them.
fn text(message: &Message, unsubscribe: &str) -> String {
    let mut lines = Vec::new();
    if message.items.len() > 1 {
        lines.extend([message.title.clone(), String::new()]);
    }
    for item in &message.items {
        lines.extend([item.text.clone(), item.link.clone(), String::new()]);
    }
    lines.extend(["--".to_owned() + " ", "No more of these mails:".to_owned(), unsubscribe.to_owned()]);
    lines.join("\r\n") + "\r\n"
}

/// An error of the mail server, without what it said: that may name people or machines.
fn in_words(error: &smtp::Error) -> Refusal {
    match error.status() {
        Some(code) => Refusal::status(u16::from(code)),
        None if error.is_timeout() => Refusal::no_answer("the mail server did not answer in time"),
        None => Refusal::no_answer("the mail server could not be reached"),
    }
}

/// Whether a text is a mail address.
pub(crate) fn is_address(text: &str) -> bool {
    text.parse::<Address>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Item;
    use crate::test_message;

    #[test]
    fn a_mail_can_be_unsubscribed_from_by_one_click() {
        let mailer = Mailer::new("smtp://127.0.0.1:2525", "Maproom <post@example.org>").unwrap();
        let link = "https://maproom.example/unsubscribe/a17-3-0123456789abcdef0123456789abcdef";
        let item = |text: &str| Item {
            text: text.into(),
            ..test_message("https://maproom.example").items[0].clone()
        };
        let message = Message {
            title: "Your turn in 2 matches.".into(),
            items: vec![item("Your turn in “Größe”."), item("Your turn in “War”.")],
            ..test_message("https://maproom.example")
        };
        let mail = mailer.mail("anna@example.net", &message, "abc", link, 1_790_000_000_000).unwrap();
        let raw = String::from_utf8(mail.formatted()).unwrap();
        for line in [
            "From: Maproom <post@example.org>",
            "To: anna@example.net",
            "Subject: Your turn in 2 matches",
            "Message-ID: <abc@example.org>",
            "Date: Mon, 21 Sep 2026 14:13:20 +0000",
            "Auto-Submitted: auto-generated",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "Content-Type: text/plain; charset=utf-8",
        ] {
            assert!(raw.contains(&format!("{line}\r\n")), "{line}\n{raw}");
        }
        let unfolded = raw.replace("\r\n ", " ").replace("  ", " ");
        assert!(unfolded.contains(&format!("List-Unsubscribe: <{link}>\r\n")), "{raw}");
        assert_eq!(
            text(&message, link),
            "Your turn in 2 matches.\r\n\r\nYour turn in “Größe”.\r\nhttps://maproom.example/\r\n\r\nYour turn in “War”.\r\n\
             https://maproom.example/\r\n\r\n-- \r\nNo more of these mails:\r\n"
                .to_owned() + link + "\r\n"
        );
        assert!(mailer.mail("nobody", &message, "abc", link, 0).is_err());
    }

    #[test]
    fn passwords_go_encrypted_only() {
        for good in [
            "smtps://user:pass@mail.example.org",
            "smtp://user:pass@mail.example.org:587?tls=required",
            "smtp://localhost",
            "smtp://127.0.0.1:2525",
        ] {
            assert!(Mailer::new(good, "post@example.org").is_ok(), "{good}");
        }
        for bad in [
            "smtp://mail.example.org",
            "smtp://mail.example.org?tls=opportunistic",
            "smtp://localhost@mail.example.org",
            "smtp://localhost.example.org",
            "mail.example.org",
            "",
        ] {
            assert!(Mailer::new(bad, "post@example.org").is_err(), "{bad}");
        }
        assert!(Mailer::new("smtp://localhost", "nobody").is_err());
    }
}
