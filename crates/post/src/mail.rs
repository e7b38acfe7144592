//! Mail.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message as Mail, MessageBuilder};
use lettre::transport::smtp::authentication::Credentials;
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
    /// `server` is an address like `smtps://mail.example.org` or `smtp://mail.example.org:587?tls=required`; without encryption only
    /// a server on this machine is talked to. `login` is the name and the password for it; `from` is the sender,
    /// `Maproom <post@example.org>`.
    pub fn new(server: &str, login: Option<(String, String)>, from: &str) -> Result<Mailer, String> {
        let from: Mailbox = from.parse().map_err(|_| format!("`{from}` is no mail address"))?;
        if !is_encrypted(server) && !is_local(server) {
            return Err("a mail server elsewhere needs `smtps://…` or `smtp://…?tls=required`".to_owned());
        }
        // What lettre says may contain the password.
        let builder = SmtpTransport::from_url(server)
            .map_err(|_| "the address of the mail server can't be read".to_owned())?;
        let builder = match login {
            Some((name, password)) => builder.credentials(Credentials::new(name, password)),
            None => builder,
        };
        let name = ClientId::Domain(from.email.domain().to_owned());
        Ok(Mailer { transport: builder.hello_name(name).timeout(Some(PATIENCE)).build(), from })
    }

    /// Sends notices. `id` names the message, so that mail programs fold a repeat; `unsubscribe` is the link that ends these mails.
    pub(crate) fn send(
        &self,
        to: &str,
        message: &Message,
        id: &str,
        unsubscribe: &str,
        now: u64,
    ) -> Result<(), Refusal> {
        let subject = message.title.trim_end_matches('.');
        let letter = self.letter(to, subject, id, now)?;
        let header = |name, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        let letter = letter
            .raw_header(header("List-Unsubscribe", format!("<{unsubscribe}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        self.post(letter, text(message, unsubscribe))
    }

    /// Sends a mail that somebody has just asked for: to confirm an address, to reset a password. Nobody can unsubscribe from it.
    pub fn send_asked_for(
        &self,
        to: &str,
        subject: &str,
        text: &str,
        id: &str,
        now: u64,
    ) -> Result<(), Refusal> {
        self.post(self.letter(to, subject, id, now)?, text.replace('\n', "\r\n"))
    }

    /// The head that all our mails have.
    fn letter(&self, to: &str, subject: &str, id: &str, now: u64) -> Result<MessageBuilder, Refusal> {
        let unusable = |_| Refusal::no_answer("this is no mail address");
        let to = Mailbox::new(None, to.parse::<Address>().map_err(unusable)?);
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        Ok(Mail::builder()
            .from(self.from.clone())
            .to(to)
            .subject(subject)
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .date(UNIX_EPOCH + Duration::from_millis(now))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN))
    }

    fn post(&self, letter: MessageBuilder, text: String) -> Result<(), Refusal> {
        let mail = letter.body(text).map_err(|_| Refusal::no_answer("the mail could not be written"))?;
        self.transport.send(&mail).map(drop).map_err(|error| in_words(&error))
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
    fn a_mail_names_each_match_with_its_link() {
        let item = |text: &str| Item {
            text: text.into(),
            ..test_message("https://maproom.example").items[0].clone()
        };
        let message = Message {
            title: "Your turn in 2 matches.".into(),
            items: vec![item("Your turn in “Größe”."), item("Your turn in “War”.")],
            ..test_message("https://maproom.example")
        };
        assert_eq!(
            text(&message, "https://maproom.example/unsubscribe/x"),
            "Your turn in 2 matches.\r\n\r\nYour turn in “Größe”.\r\nhttps://maproom.example/\r\n\r\n\
             Your turn in “War”.\r\nhttps://maproom.example/\r\n\r\n-- \r\nNo more of these mails:\r\n\
             https://maproom.example/unsubscribe/x\r\n"
        );
    }

    #[test]
    fn passwords_go_encrypted_only() {
        for good in [
            "smtps://mail.example.org",
            "smtp://mail.example.org:587?tls=required",
            "smtp://localhost",
            "smtp://127.0.0.1:2525",
        ] {
            assert!(Mailer::new(good, None, "post@example.org").is_ok(), "{good}");
        }
        for bad in [
            "smtp://mail.example.org",
            "smtp://mail.example.org?tls=opportunistic",
            "smtp://localhost@mail.example.org",
            "smtp://localhost.example.org",
            "mail.example.org",
            "",
        ] {
            assert!(Mailer::new(bad, None, "post@example.org").is_err(), "{bad}");
        }
        assert!(Mailer::new("smtp://localhost", None, "nobody").is_err());
        let login = Some(("user".to_owned(), "hush".to_owned()));
        let mailer = Mailer::new("smtps://mail.example.org", login, "post@example.org").unwrap();
        assert!(!format!("{mailer:?}").contains("hush"), "what is printed for debugging ends up in logs");
    }
}
