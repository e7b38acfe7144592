//! A small mail server. The tests of other crates use it too.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use super::server::{Server, lock};

/// A mail as it came.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) to: String,
    pub(crate) text: String,
}

impl Received {
    /// A header, unfolded.
    pub(crate) fn header(&self, name: &str) -> String {
        let head = self.text.split("\n\n").next().unwrap_or("").replace("\n ", " ");
        let found = head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned));
        found.unwrap_or_default()
    }
}

/// Takes mails; what is set is answered to the next mails instead of taking them.
pub(crate) struct Smtp {
    pub(crate) server: Server,
    pub(crate) received: Arc<Mutex<Vec<Received>>>,
    refusals: Arc<Mutex<VecDeque<String>>>,
}

impl Smtp {
    pub(crate) fn start() -> Smtp {
        let received = Arc::new(Mutex::new(Vec::new()));
        let refusals = Arc::new(Mutex::new(VecDeque::new()));
        let (inbox, to_say) = (Arc::clone(&received), Arc::clone(&refusals));
        let server = Server::start(move |connection| {
            talk(&connection, &inbox, &to_say);
        });
        Smtp { server, received, refusals }
    }

    pub(crate) fn refuse(&self, answers: &[&str]) {
        lock(&self.refusals).extend(answers.iter().map(|answer| (*answer).to_owned()));
    }

    /// Whether the next mail is taken.
    pub(crate) fn says_yes(&self) -> bool {
        lock(&self.refusals).is_empty()
    }

    pub(crate) fn take(&self) -> Vec<Received> {
        std::mem::take(&mut lock(&self.received))
    }
}

/// A conversation; `None` where the other side has left.
fn talk(
    connection: &TcpStream,
    inbox: &Mutex<Vec<Received>>,
    refusals: &Mutex<VecDeque<String>>,
) -> Option<()> {
    let mut lines = BufReader::new(connection).lines();
    let say = |text: &str| (&*connection).write_all(format!("{text}\r\n").as_bytes()).ok();
    say("220 here")?;
    let mut to = String::new();
    loop {
        let line = lines.next()?.ok()?;
        match line.split([' ', ':']).next()? {
            "EHLO" => say("250-here\r\n250 8BITMIME")?,
            "RCPT" => {
                to = line.trim_start_matches("RCPT TO:<").split('>').next()?.to_owned();
                say("250 ok")?;
            }
            "DATA" => {
                say("354 go on")?;
                let mut text = Vec::new();
                loop {
                    let line = lines.next()?.ok()?;
                    if line == "." {
                        break;
                    }
                    text.push(line.strip_prefix('.').unwrap_or(&line).to_owned());
                }
                let refusal = lock(refusals).pop_front();
                if let Some(refusal) = refusal {
                    say(&refusal)?;
                } else {
                    lock(inbox).push(Received { to: to.clone(), text: text.join("\n") });
                    say("250 taken")?;
                }
            }
            "QUIT" => return say("221 bye"),
            _ => say("250 ok")?,
        }
    }
}
