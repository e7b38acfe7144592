//! A program that was started, and the lines that go to it and come from it.
//!
//! Nothing here waits for the program longer than it is told to: three threads do the reading and writing, for a pipe that is
//! full or silent would hold up whoever uses it.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::report;

/// The longest line that a program may write.
const MAX_LINE: usize = 64 << 10;
/// The longest piece of a message on standard error that is passed on at a time.
const MAX_MESSAGE: u64 = 4 << 10;
/// Lines that wait to be read; a program that writes more has to wait itself.
const WAITING: usize = 8;
/// How often somebody who waits looks whether they still should.
const GLANCE: Duration = Duration::from_millis(20);
/// How long somebody sleeps who waits for what is about to happen.
const MOMENT: Duration = Duration::from_millis(1);
/// How long a program that has closed its output is given to say how it ended, and its last messages to arrive.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// A running program. It does not outlive this value.
pub(super) struct Process {
    child: Child,
    /// Whether its end was seen: then its number may belong to another by now.
    reaped: bool,
    to: Option<SyncSender<String>>,
    from: Receiver<Heard>,
    /// Passes on what it writes to standard error.
    messenger: Option<JoinHandle<()>>,
}

enum Heard {
    Line(String),
    /// A line without an end, and how it began.
    Endless(String),
}

/// Why no line came.
#[derive(Debug)]
pub(super) enum Silence {
    /// The program has ended.
    Ended(Option<ExitStatus>),
    /// It writes a line that does not end; it began so.
    Endless(String),
    /// It took too long.
    TooLong,
    /// Somebody said stop.
    Stopped,
}

impl Process {
    /// Starts a program. What it writes to standard error is passed on to the log with its name in front.
    pub(super) fn start(words: &[String], name: &str) -> std::io::Result<Self> {
        let mut command = Command::new(words.first().map_or("", String::as_str));
        command.args(words.iter().skip(1));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C at the terminal is ours to answer, and what the program starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (to, lines_to) = sync_channel(WAITING);
        let (lines_from, from) = sync_channel(WAITING);
        let mut process = Self { child, reaped: false, to: Some(to), from, messenger: None };
        // Where a thread can't be had the value is dropped, and the program with it.
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let name = name.to_owned();
            thread::Builder::new().spawn(move || write_lines(stdin, &lines_to))?;
            thread::Builder::new().spawn(move || read_lines(BufReader::new(stdout), &lines_from))?;
            let messenger = thread::Builder::new().spawn(move || pass_on(BufReader::new(stderr), &name))?;
            process.messenger = Some(messenger);
        }
        Ok(process)
    }

    /// Sends a line. A program that does not read is noticed when its answer does not come.
    pub(super) fn say(&self, line: String) {
        if let Some(to) = &self.to {
            let _ = to.try_send(line);
        }
    }

    /// The next line, blank ones passed over; waits for it so long and no longer.
    pub(super) fn hear(&mut self, patience: Duration, stop: &AtomicBool) -> Result<String, Silence> {
        let begin = Instant::now();
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(Silence::TooLong);
            }
            match self.from.recv_timeout(left.min(GLANCE)) {
                Ok(Heard::Line(line)) if line.trim().is_empty() => {}
                Ok(Heard::Line(line)) => return Ok(line),
                Ok(Heard::Endless(line)) => return Err(Silence::Endless(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.last_words())),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    return Err(Silence::Stopped);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Throws away what has come already, and says how many lines that was. No more than a few are looked at: a program may
    /// never stop writing.
    pub(super) fn forget_lines(&self) -> usize {
        (0..2 * WAITING).take_while(|_| self.from.try_recv().is_ok()).count()
    }

    /// Lets the program end by itself for a while; then it is ended.
    pub(super) fn end(mut self, patience: Duration) {
        // What was said last is written before the pipe closes.
        drop(self.to.take());
        let begin = Instant::now();
        while begin.elapsed() < patience {
            match self.from.recv_timeout(GLANCE) {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn last_words(&mut self) -> Option<ExitStatus> {
        let begin = Instant::now();
        while begin.elapsed() < LAST_BREATH {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.reaped = true;
                return Some(status);
            }
            thread::sleep(MOMENT);
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            #[cfg(unix)]
            {
                let group = rustix::process::Pid::from_child(&self.child);
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        // Its last messages say what went wrong: they come before ours.
        let begin = Instant::now();
        while self.messenger.as_ref().is_some_and(|messenger| !messenger.is_finished())
            && begin.elapsed() < LAST_BREATH
        {
            thread::sleep(MOMENT);
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines in bounded memory, until the output ends, a line does not, or nobody listens any more.
fn read_lines(mut stdout: impl BufRead, lines: &SyncSender<Heard>) {
    loop {
        let mut bytes = Vec::new();
        let read = stdout.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let endless = bytes.len() > MAX_LINE;
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        let heard = if endless { Heard::Endless(line) } else { Heard::Line(line) };
        if lines.send(heard).is_err() || endless {
            return;
        }
    }
}

fn pass_on(mut stderr: impl BufRead, name: &str) {
    loop {
        let mut bytes = Vec::new();
        let read = stderr.by_ref().take(MAX_MESSAGE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        report::pass_on(name, String::from_utf8_lossy(&bytes).trim_end());
    }
}
