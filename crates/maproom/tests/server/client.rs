//! The real server in a process of its own, and a small client that can also be rude: plain HTTP/1.1 and
//! WebSocket over a socket, so that a test decides over every byte.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take before the test gives up: a busy machine takes its time.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The program, not yet started.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::PROGRAM);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program to its end; a server that opened after all is ended.
pub fn run(arguments: &[&str]) -> Output {
    run_command(program(arguments))
}

/// The same for a command that is made elsewhere.
pub fn run_command(mut command: Command) -> Output {
    let mut child = command.spawn().expect("the program starts");
    let begun = Instant::now();
    while child.try_wait().expect("the state of a process").is_none() {
        if begun.elapsed() > PATIENCE {
            drop(child.kill());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("its output")
}

/// What a program said: standard output, then standard error.
pub fn words(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// `maproom serve`, running. It ends with the test.
pub struct Server {
    child: Child,
    said: Arc<Mutex<String>>,
    log: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
    /// The port on which it listens.
    pub port: u16,
}

impl Server {
    /// Starts on any free port with a data folder.
    pub fn start(data: &Path) -> Self {
        Self::start_with(data, &["--port", "0"])
    }

    /// Starts with further arguments.
    pub fn start_with(data: &Path, further: &[&str]) -> Self {
        let mut command = program(&["serve", "--data"]);
        command.arg(data).args(further);
        Self::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
    }

    /// Starts a command and waits for the line with the address. The error is what it said instead.
    pub fn launch(mut command: Command) -> Result<Self, String> {
        let mut child = command.spawn().map_err(|why| why.to_string())?;
        let said = Arc::new(Mutex::new(String::new()));
        let output = child.stdout.take().expect("a pipe");
        let messages = child.stderr.take().expect("a pipe");
        let log = Arc::new(Mutex::new(String::new()));
        let readers = vec![
            listen(output, vec![Arc::clone(&said)]),
            listen(messages, vec![Arc::clone(&said), Arc::clone(&log)]),
        ];
        let mut server = Self { child, said, log, readers, port: 0 };
        let begun = Instant::now();
        loop {
            if let Some(port) = port_in(&server.said()) {
                server.port = port;
                return Ok(server);
            }
            let ended = server.child.try_wait().map_err(|why| why.to_string())?;
            if ended.is_some() || begun.elapsed() > PATIENCE {
                server.kill();
                return Err(server.said());
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Everything it has said till now.
    pub fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The key in the address that it prints for its owner. The line may still be on its way, or half of it.
    pub fn key(&self) -> String {
        let begun = Instant::now();
        loop {
            let said = self.said();
            let rest = said.split("/enter/").nth(1).and_then(|rest| rest.split_once(char::is_whitespace));
            match rest {
                Some((key, _)) => return key.to_owned(),
                None => assert!(begun.elapsed() < PATIENCE, "no key: {said}"),
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it has written to standard error till now.
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends it from one instant to the next (`kill -9`).
    pub fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        for reader in self.readers.drain(..) {
            drop(reader.join());
        }
    }

    /// Asks it to end as the system does, and waits.
    pub fn stop(&mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -TERM \"$1\"", "sh", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()), "a signal can be sent");
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the state of a process") {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "asked to end, it went on. It said:\n{}", self.said());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A connection of its own.
    pub fn connect(&self) -> Http {
        Http::connect(self.port).expect("the server listens")
    }

    /// One request over a connection of its own.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.connect().send(method, path, headers, body).expect("an answer")
    }

    /// Fetches something.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    /// Sends JSON.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[JSON], &body.to_string())
    }

    /// Makes a match and returns the path of its table.
    pub fn new_match(&self) -> String {
        self.connect().new_match().expect("a new match")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn listen(stream: impl Read + Send + 'static, heard: Vec<Arc<Mutex<String>>>) -> JoinHandle<()> {
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
            for text in &heard {
                let mut text = text.lock().unwrap_or_else(PoisonError::into_inner);
                text.push_str(&String::from_utf8_lossy(&line));
                text.push('\n');
            }
        }
    })
}

/// The port in "Maproom is running at http://127.0.0.1:PORT/…", if the line is complete.
/// Behind another address the log has it.
fn port_in(said: &str) -> Option<u16> {
    if let Some((_, rest)) = said.split_once("listening on port ") {
        return rest.split_once('\n')?.0.parse().ok();
    }
    let rest = said.split_once("Maproom is running at http://")?.1;
    let address = rest.split_once('\n')?.0.split('/').next()?;
    address.rsplit_once(':')?.1.parse().ok()
}

/// The header of a JSON body.
pub const JSON: (&str, &str) = ("Content-Type", "application/json");
/// The header of a form.
pub const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
/// A plain game, with dice that are the same every time.
pub const NEW_MATCH: &str = "game=echoes&option.edition=allied&option.spread=1&dice=fair&seed=7";
/// The same, before a seed of one's own.
pub const NEW_MATCH_OF_SEED: &str = "game=echoes&option.edition=allied&option.spread=1&seed=";

/// An answer of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// The first header of a name, given in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    /// Insists on a status.
    #[track_caller]
    pub fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

/// A connection that stays open.
pub struct Http {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Http {
    pub fn connect(port: u16) -> io::Result<Self> {
        Self::over(TcpStream::connect(("127.0.0.1", port))?, PATIENCE)
    }

    /// Connects to a server elsewhere, and waits for nothing longer than that.
    pub fn connect_to(address: SocketAddr, patience: Duration) -> io::Result<Self> {
        Self::over(TcpStream::connect_timeout(&address, patience)?, patience)
    }

    fn over(stream: TcpStream, patience: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        let host = stream.peer_addr()?.to_string();
        Ok(Self { stream: BufReader::new(stream), host })
    }

    /// Waits for nothing longer than this.
    pub fn patience(&self, time: Duration) {
        self.stream.get_ref().set_read_timeout(Some(time)).expect("a timeout");
    }

    /// Sends a request and waits for the answer. A `Host` among the headers replaces the usual one.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> io::Result<Answer> {
        self.tell(method, path, headers, body)?;
        self.answer()
    }

    /// Sends a request only.
    pub fn tell(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> io::Result<()> {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            let _ = write!(text, "Host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        if method != "GET" {
            let _ = write!(text, "Content-Length: {}\r\n", body.len());
        }
        text.push_str("\r\n");
        text.push_str(body);
        self.stream.get_mut().write_all(text.as_bytes())
    }

    /// Waits for the answer to what was sent.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let mut answer = self.head()?;
        let length = answer.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        answer.body = String::from_utf8(body).map_err(io::Error::other)?;
        Ok(answer)
    }

    /// The status and the headers.
    fn head(&mut self) -> io::Result<Answer> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status: {first:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Answer { status, headers, body: String::new() })
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }

    /// Makes a match and returns the path of its table.
    pub fn new_match(&mut self) -> io::Result<String> {
        self.new_match_of(NEW_MATCH)
    }

    /// Makes the match that a form asks for, and returns its path.
    pub fn new_match_of(&mut self, form: &str) -> io::Result<String> {
        let answer = self.send("POST", "/matches", &[FORM], form)?;
        match (answer.status, answer.header("location")) {
            (303, Some(path)) => Ok(path.to_owned()),
            _ => Err(io::Error::other(format!("{answer:?}"))),
        }
    }

    /// What a match offers.
    pub fn debug(&mut self, path: &str) -> io::Result<Value> {
        let answer = self.send("GET", &format!("{path}/debug"), &[], "")?;
        if answer.status != 200 {
            return Err(io::Error::other(format!("{answer:?}")));
        }
        serde_json::from_str(&answer.body).map_err(io::Error::other)
    }

    /// Makes a choice.
    pub fn choose(&mut self, path: &str, revision: u64, choice: &str) -> io::Result<Answer> {
        let body = json!({ "revision": revision, "choice": choice }).to_string();
        self.send("POST", &format!("{path}/choose"), &[JSON], &body)
    }

    /// The saved match.
    pub fn export(&mut self, path: &str) -> io::Result<String> {
        let answer = self.send("GET", &format!("{path}/export"), &[], "")?;
        if answer.status == 200 { Ok(answer.body) } else { Err(io::Error::other(format!("{answer:?}"))) }
    }
}

/// A WebSocket.
pub struct Socket {
    stream: BufReader<TcpStream>,
}

impl Socket {
    /// Opens one; the error is the answer that refused it.
    pub fn open(port: u16, path: &str, headers: &[(&str, &str)]) -> io::Result<Result<Self, Answer>> {
        Self::open_over(Http::connect(port)?, path, headers)
    }

    /// The same over a connection that there is already.
    pub fn open_over(
        mut http: Http,
        path: &str,
        headers: &[(&str, &str)],
    ) -> io::Result<Result<Self, Answer>> {
        let mut all = vec![
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        all.extend_from_slice(headers);
        http.tell("GET", path, &all, "")?;
        let answer = http.head()?;
        if answer.status == 101 {
            // The example of RFC 6455, section 1.3.
            assert_eq!(answer.header("sec-websocket-accept"), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
            return Ok(Ok(Self { stream: http.stream }));
        }
        Ok(Err(answer))
    }

    /// The next message with text; `None` when the server has closed.
    pub fn next(&mut self) -> io::Result<Option<String>> {
        loop {
            let mut start = [0; 2];
            self.stream.read_exact(&mut start)?;
            let length = match start[1] & 0x7f {
                126 => {
                    let mut long = [0; 2];
                    self.stream.read_exact(&mut long)?;
                    u64::from(u16::from_be_bytes(long))
                }
                127 => {
                    let mut long = [0; 8];
                    self.stream.read_exact(&mut long)?;
                    u64::from_be_bytes(long)
                }
                short => u64::from(short),
            };
            let mut text = vec![0; usize::try_from(length).map_err(io::Error::other)?];
            self.stream.read_exact(&mut text)?;
            match start[0] {
                0x81 => return String::from_utf8(text).map(Some).map_err(io::Error::other),
                0x88 => return Ok(None),
                // A ping, which is answered; the mask is zero.
                0x89 => self.stream.get_mut().write_all(&[0x8a, 0x80, 0, 0, 0, 0])?,
                other => return Err(io::Error::other(format!("frame {other:#x}"))),
            }
        }
    }

    /// The next update.
    pub fn update(&mut self) -> io::Result<Value> {
        let mut text = String::new();
        // A long message comes in pieces: all but the last begin with +, the last with =.
        loop {
            let piece = self.next()?.ok_or(io::ErrorKind::UnexpectedEof)?;
            text.push_str(piece.trim_start_matches(['+', '=']));
            if !piece.starts_with('+') {
                break;
            }
        }
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// Gives up waiting after this time.
    pub fn patience(&self, time: Duration) {
        self.stream.get_ref().set_read_timeout(Some(time)).expect("a timeout");
    }

    /// Says something short.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).map_err(io::Error::other)?, 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        self.stream.get_mut().write_all(&frame)
    }
}
