//! The real program: started with arguments, fed with lines, in a data folder of its own.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder for one test, in which the program also keeps its data.
pub struct Home {
    folder: TempDir,
}

/// The names of the files of a batch, as this build writes them if nobody says how.
pub fn files() -> [String; 4] {
    let format = if cfg!(feature = "files") { "parquet" } else { "csv" };
    let [games, decisions, draws] = ["games", "decisions", "draws"].map(|name| format!("{name}.{format}"));
    [games, decisions, draws, "about.json".to_owned()]
}

impl Home {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the folder, as text.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    /// Writes a file into the folder and returns its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path().join(name), text).expect("a file can be written");
        self.file(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).expect("a file can be read")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).expect("a file can be read")
    }

    /// The program with its arguments, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maproom"));
        command
            .args(arguments)
            .current_dir(self.path())
            .env("XDG_DATA_HOME", self.path())
            .env("HOME", self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Ended {
        self.run_command(self.command(arguments), input)
    }

    /// Runs a command of this folder, changed by the test, to its end.
    pub fn run_command(&self, mut command: Command, input: &[u8]) -> Ended {
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_vec();
        // The program may leave before it has read everything.
        let writer = thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends");
        Ended {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("output is text"),
            err: String::from_utf8(output.stderr).expect("messages are text"),
        }
    }
}

/// Waits until a program catches Ctrl-C: before that it would just be gone.
#[cfg(target_os = "linux")]
pub fn wait_for_handler(process: u32) {
    /// SIGINT in the mask of the signals that are caught.
    const INTERRUPT: u64 = 1 << 1;
    let file = format!("/proc/{process}/status");
    let begin = Instant::now();
    loop {
        let status = std::fs::read_to_string(&file).expect("the program runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        if caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|mask| mask & INTERRUPT > 0)
        {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "it does not catch Ctrl-C: {status}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// What a run of the program left.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// The output of a run that must have gone well.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.out
    }

    /// The output (or the messages) of a run that must have failed without a panic.
    #[track_caller]
    pub fn failed(self) -> String {
        assert!(matches!(self.code, Some(1 | 2)), "{self:#?}");
        assert!(!self.err.contains("panicked"), "{}", self.err);
        format!("{}{}", self.out, self.err)
    }
}

/// Lets a bot play a match by the engine, at most so many choices, and keeps it in a file of the folder, whose path it returns.
pub fn saved(home: &Home, name: &str, new: &Value, choices: usize) -> String {
    let mut engine = Engine::start(home);
    engine.granted(&new.to_string());
    for _ in 0..choices {
        if !engine.granted(r#"{"cmd":"state"}"#)["result"].is_null() {
            break;
        }
        engine.granted(r#"{"cmd":"go","bot":"greedy"}"#);
    }
    let file = home.file(name);
    engine.granted(&json!({ "cmd": "save", "file": file }).to_string());
    assert_eq!(engine.end().0, Some(0));
    file
}

/// A conversation with `maproom engine`.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Engine {
    pub fn start(home: &Home) -> Self {
        let mut child = home.command(&["engine"]).spawn().expect("the program starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout }
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and returns the answer.
    #[track_caller]
    pub fn ask(&mut self, request: &str) -> Value {
        let answer = self.line(request.as_bytes());
        serde_json::from_str(&answer).unwrap_or_else(|why| panic!("{why}: {answer}"))
    }

    /// Sends a request that must be granted.
    #[track_caller]
    pub fn granted(&mut self, request: &str) -> Value {
        let answer = self.ask(request);
        assert_eq!(answer["ok"], true, "{request}\n{answer}");
        answer
    }

    /// Sends a request that must be refused with this code, and returns the message.
    #[track_caller]
    pub fn refused(&mut self, request: &str, code: &str) -> String {
        let answer = self.ask(request);
        assert_eq!(answer["code"], code, "{request}\n{answer}");
        assert!(answer.get("ok").is_none(), "{answer}");
        answer["error"].as_str().expect("a message").to_owned()
    }

    /// Sends a line and returns the line that answers it.
    #[track_caller]
    pub fn line(&mut self, request: &[u8]) -> String {
        let stdin = self.stdin.as_mut().expect("still open");
        stdin.write_all(request).and_then(|()| stdin.write_all(b"\n")).expect("the engine listens");
        self.answer()
    }

    fn answer(&mut self) -> String {
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("the engine answers with text");
        assert!(answer.ends_with('\n'), "the engine fell silent after {answer:?}");
        answer.pop();
        answer
    }

    /// Sends many lines at once and hands each answer to `each`, in order.
    pub fn stream(&mut self, requests: &[Vec<u8>], mut each: impl FnMut(usize, &str)) {
        let mut stdin = self.stdin.take().expect("still open");
        let text = requests.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect::<Vec<u8>>();
        let writer = thread::spawn(move || {
            stdin.write_all(&text).expect("the engine listens");
            stdin
        });
        for at in 0..requests.len() {
            let answer = self.answer();
            each(at, &answer);
        }
        self.stdin = Some(writer.join().expect("the writer ends"));
    }

    /// Closes the input and returns the exit code, and whatever was said after the last answer.
    pub fn end(mut self) -> (Option<i32>, String) {
        drop(self.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("text");
        let code = self.child.wait().expect("the program ends").code();
        let mut complaints = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut complaints).expect("text");
        }
        assert_eq!(complaints, "", "the engine says nothing on standard error");
        (code, rest)
    }
}
