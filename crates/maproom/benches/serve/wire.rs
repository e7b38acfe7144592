//! A light client: HTTP/1.1 over a connection that stays open, and a WebSocket that only listens. It shares the
//! processor with the server it measures, so it reads no more of an answer than it must.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// No answer takes longer than this, or it counts as an error.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection that stays open.
pub struct Http {
    stream: TcpStream,
    unread: Vec<u8>,
    /// The lines of every head: for whom the request is, and from whom.
    head: String,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// A header, named in small letters as the server writes them.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The body, if all is well.
    pub fn text(&self) -> io::Result<&str> {
        let text = std::str::from_utf8(&self.body).map_err(io::Error::other)?;
        if self.status == 200 { Ok(text) } else { Err(io::Error::other(format!("{}: {text}", self.status))) }
    }
}

impl Http {
    pub async fn connect(port: u16) -> io::Result<Self> {
        Self::connect_as(port, &format!("Host: 127.0.0.1:{port}\r\n")).await
    }

    /// Connects with lines that every head has: for whom the requests are, and from whom.
    pub async fn connect_as(port: u16, head: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, unread: Vec::new(), head: head.to_owned() })
    }

    pub async fn get(&mut self, path: &str) -> io::Result<Answer> {
        let text = format!("GET {path} HTTP/1.1\r\n{}\r\n", self.head);
        self.stream.write_all(text.as_bytes()).await?;
        self.answer().await
    }

    pub async fn post(&mut self, path: &str, kind: &str, body: &str) -> io::Result<Answer> {
        self.tell(path, kind, body).await?;
        self.answer().await
    }

    /// Sends without waiting for the answer.
    pub async fn tell(&mut self, path: &str, kind: &str, body: &str) -> io::Result<()> {
        let text = format!(
            "POST {path} HTTP/1.1\r\n{}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            self.head,
            body.len()
        );
        self.stream.write_all(text.as_bytes()).await
    }

    pub async fn answer(&mut self) -> io::Result<Answer> {
        timeout(PATIENCE, self.read_answer()).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
    }

    async fn read_answer(&mut self) -> io::Result<Answer> {
        let end = loop {
            if let Some(at) = find(&self.unread, b"\r\n\r\n") {
                break at + 4;
            }
            more(&mut self.stream, &mut self.unread).await?;
        };
        let head = String::from_utf8_lossy(&self.unread[..end]).into_owned();
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut answer = Answer { status, head, body: Vec::new() };
        if status == 101 {
            self.unread.drain(..end);
            return Ok(answer);
        }
        let length = answer.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while self.unread.len() < end + length {
            more(&mut self.stream, &mut self.unread).await?;
        }
        answer.body = self.unread[end..end + length].to_vec();
        self.unread.drain(..end + length);
        Ok(answer)
    }
}

/// Reads on; nothing is lost if the wait is given up.
async fn more(stream: &mut TcpStream, into: &mut Vec<u8>) -> io::Result<()> {
    if stream.read_buf(into).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|at| at == what)
}

/// A WebSocket that listens.
pub struct Live {
    stream: TcpStream,
    unread: Vec<u8>,
    /// The pieces of a long message that are there.
    held: String,
}

/// What an update tells.
pub struct News {
    from: u32,
    pub to: u32,
    pub bytes: usize,
    pub choices: Option<Vec<String>>,
}

impl News {
    /// Whether only the page has changed, not the match: the chance to win, a bot that thinks, another pace.
    pub fn is_aside(&self) -> bool {
        self.from == self.to
    }
}

impl Live {
    pub async fn open(port: u16, path: &str, since: u32) -> io::Result<Self> {
        Self::open_with(Http::connect(port).await?, path, since).await
    }

    /// Opens one over a connection.
    pub async fn open_with(mut http: Http, path: &str, since: u32) -> io::Result<Self> {
        let text = format!(
            "GET {path}/live?since={since} HTTP/1.1\r\n{}Connection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            http.head
        );
        http.stream.write_all(text.as_bytes()).await?;
        let answer = http.answer().await?;
        if answer.status != 101 {
            return Err(io::Error::other(format!("no WebSocket: {}", answer.status)));
        }
        Ok(Self { stream: http.stream, unread: http.unread, held: String::new() })
    }

    /// Says a word of less than 126 letters, masked with nothing.
    pub async fn say(&mut self, word: &str) -> io::Result<()> {
        let mut frame = vec![0x81, 0x80 | word.len() as u8, 0, 0, 0, 0];
        frame.extend_from_slice(word.as_bytes());
        self.stream.write_all(&frame).await
    }

    /// The next message, put together from its pieces; nothing is lost if the wait is given up.
    pub async fn message(&mut self) -> io::Result<String> {
        loop {
            let Some((kind, start, length)) = frame(&self.unread) else {
                more(&mut self.stream, &mut self.unread).await?;
                continue;
            };
            let text = std::str::from_utf8(&self.unread[start..start + length]).map_err(io::Error::other)?;
            let message = match text.as_bytes().first() {
                Some(b'+') if kind == 0x81 => {
                    self.held.push_str(&text[1..]);
                    None
                }
                Some(b'=') if kind == 0x81 => Some(std::mem::take(&mut self.held) + &text[1..]),
                _ => (kind == 0x81).then(|| text.to_owned()),
            };
            self.unread.drain(..start + length);
            if self.unread.is_empty() {
                // Thousands of connections lie idle.
                self.unread = Vec::new();
            }
            match (kind, message) {
                (0x81, Some(message)) => return Ok(message),
                (0x81, None) => {}
                (0x89, _) => self.stream.write_all(&[0x8a, 0x80, 0, 0, 0, 0]).await?,
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
    }

    /// The next update. The word that the line holds is none.
    pub async fn news(&mut self) -> io::Result<News> {
        loop {
            let message = self.message().await?;
            if !message.starts_with("{\"behind\"") {
                return read_news(&message);
            }
        }
    }

    /// The next update with a new revision.
    pub async fn change(&mut self) -> io::Result<News> {
        loop {
            let news = self.news().await?;
            if !news.is_aside() {
                return Ok(news);
            }
        }
    }
}

/// The kind, the start and the length of a frame that is there in full.
fn frame(unread: &[u8]) -> Option<(u8, usize, usize)> {
    let (kind, short) = (*unread.first()?, *unread.get(1)? & 0x7f);
    let (start, length) = match short {
        126 => (4, usize::from(u16::from_be_bytes(unread.get(2..4)?.try_into().ok()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(unread.get(2..10)?.try_into().ok()?)).ok()?),
        _ => (2, usize::from(short)),
    };
    (unread.len() >= start + length).then_some((kind, start, length))
}

/// Reads what a bot needs from an update, without reading all of it as JSON.
pub fn read_news(text: &str) -> io::Result<News> {
    let revision = |key: &str| {
        let (_, rest) = text.split_once(key)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok()
    };
    let (Some(from), Some(to)) = (revision("\"from\":"), revision("\"to\":")) else {
        return Err(io::Error::other("an update without a revision"));
    };
    let choices = text.split_once("[\"choices\",").map(|(_, part)| choices(part));
    Ok(News { from, to, bytes: text.len(), choices })
}

/// The names of the choices in the part of that name: buttons, or a long list in rows of text.
fn choices(part: &str) -> Vec<String> {
    let end = [part.find("</ol>"), part.find("\"]")].into_iter().flatten().min().unwrap_or(part.len());
    let part = &part[..end];
    let rows = part.split_once("data-rows=\\\"").and_then(|(_, rest)| rest.split_once('>'));
    match rows {
        Some((_, rows)) => {
            rows.split("\\n").filter_map(|row| Some(row.split_once("\\t")?.0.to_owned())).collect()
        }
        None => {
            let buttons = part.split("data-choice=\\\"").skip(1);
            buttons.filter_map(|rest| Some(rest.split_once("\\\"")?.0.to_owned())).collect()
        }
    }
}
