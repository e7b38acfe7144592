//! A child process and the lines that go to it and come from it.
//!
//! Three threads do the reading and writing, because a full or silent pipe would block its user; so no call waits longer
//! than its time limit.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::report;

/// The longest line that a program may write.
const MAX_LINE: usize = 64 << 10;
/// The longest piece of a line on standard error that is forwarded at a time.
const MAX_MESSAGE: u64 = 4 << 10;
/// How many lines of standard error are forwarded; a program that goes on is read, but not heard.
const MAX_MESSAGES: usize = 200;
/// Lines that are buffered; a program that writes more has to wait.
const WAITING: usize = 8;
/// How often a waiting reader checks whether to stop.
const POLL: Duration = Duration::from_millis(20);
/// The pause between checks for something that is about to happen.
const SHORT_WAIT: Duration = Duration::from_millis(1);
/// How long to wait for the exit status and the last messages of a program that has closed its output.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// A running program, which is killed when this value is dropped.
pub(super) struct Process {
    child: Child,
    /// Whether its exit status was read; its process id may be in use again by then.
    reaped: bool,
    to: Option<SyncSender<String>>,
    from: Receiver<Output>,
    /// Forwards what it writes to standard error.
    messenger: Option<JoinHandle<()>>,
}

enum Output {
    Line(String),
    /// A line without an end, and how it began.
    Endless(String),
}

/// Why no line came.
#[derive(Debug)]
pub(super) enum ReadError {
    /// The program has ended.
    Ended(Option<ExitStatus>),
    /// It writes a line that does not end; this is how it begins.
    Endless(String),
    /// It took too long.
    TooLong,
    /// The caller asked to stop waiting.
    Stopped,
}

impl Process {
    /// Starts a program. What it writes to standard error goes to the log with its name in front.
    /// In a match that `hides` something only those who work on the program see it.
    pub(super) fn start(words: &[String], name: &str, hides: bool) -> std::io::Result<Self> {
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
        // If a thread can't be started, the value is dropped and the program with it.
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            let name = name.to_owned();
            thread::Builder::new().spawn(move || write_lines(stdin, &lines_to))?;
            thread::Builder::new().spawn(move || read_lines(BufReader::new(stdout), &lines_from))?;
            let messenger = thread::Builder::new()
                .spawn(move || forward_messages(BufReader::new(stderr), &name, hides))?;
            process.messenger = Some(messenger);
        }
        Ok(process)
    }

    /// Sends a line. A program that does not read it will fail to answer in time.
    pub(super) fn say(&self, line: String) {
        if let Some(to) = &self.to {
            let _ = to.try_send(line);
        }
    }

    /// Waits for the next line that is not blank, up to a time limit.
    pub(super) fn read_line(&mut self, patience: Duration, stop: &AtomicBool) -> Result<String, ReadError> {
        let begin = Instant::now();
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                return Err(ReadError::TooLong);
            }
            match self.from.recv_timeout(left.min(POLL)) {
                Ok(Output::Line(line)) if line.trim().is_empty() => {}
                Ok(Output::Line(line)) => return Ok(line),
                Ok(Output::Endless(line)) => return Err(ReadError::Endless(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(ReadError::Ended(self.last_words())),
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                    return Err(ReadError::Stopped);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Throws away lines that have already arrived and returns how many, up to a limit: a program may never stop writing.
    pub(super) fn forget_lines(&self) -> usize {
        (0..2 * WAITING).take_while(|_| self.from.try_recv().is_ok()).count()
    }

    /// Gives the program some time to exit by itself, then kills it.
    pub(super) fn end(mut self, patience: Duration) {
        // The last line is written before the pipe closes.
        drop(self.to.take());
        let begin = Instant::now();
        while begin.elapsed() < patience {
            match self.from.recv_timeout(POLL) {
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
            thread::sleep(SHORT_WAIT);
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
        // Its last messages say what went wrong, so they should come before ours.
        let begin = Instant::now();
        while self.messenger.as_ref().is_some_and(|messenger| !messenger.is_finished())
            && begin.elapsed() < LAST_BREATH
        {
            thread::sleep(SHORT_WAIT);
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

/// Reads lines in bounded memory until the output ends, a line is too long, or the receiver is gone.
fn read_lines(mut stdout: impl BufRead, lines: &SyncSender<Output>) {
    loop {
        let mut bytes = Vec::new();
        let read = stdout.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let endless = bytes.len() > MAX_LINE;
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        let output = if endless { Output::Endless(line) } else { Output::Line(line) };
        if lines.send(output).is_err() || endless {
            return;
        }
    }
}

fn forward_messages(stderr: impl BufRead, name: &str, hides: bool) {
    read_messages(stderr, |line| report::pass_on(name, hides, line));
}

/// Reads lines until the output ends, and passes on the first of them. The rest is read all the same: a full pipe would
/// stop the program.
fn read_messages(mut stderr: impl BufRead, mut pass_on: impl FnMut(&str)) {
    let mut bytes = Vec::new();
    for number in 0_usize.. {
        bytes.clear();
        let read = stderr.by_ref().take(MAX_MESSAGE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        match number {
            ..MAX_MESSAGES => pass_on(String::from_utf8_lossy(&bytes).trim_end()),
            MAX_MESSAGES => pass_on("(it writes more; the rest is left out)"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_never_stops_complaining_is_heard_for_a_while() {
        let mut heard = Vec::new();
        read_messages("oh no\n".repeat(100_000).as_bytes(), |line| heard.push(line.to_owned()));
        assert_eq!(heard.len(), MAX_MESSAGES + 1);
        assert!(heard[..MAX_MESSAGES].iter().all(|line| line == "oh no"));
        assert!(heard[MAX_MESSAGES].contains("left out"));
        // A line without an end is passed on in pieces, and counted by them.
        let mut pieces = 0;
        read_messages("x".repeat(10 << 20).as_bytes(), |piece| {
            assert!(piece.len() <= MAX_MESSAGE as usize);
            pieces += 1;
        });
        assert_eq!(pieces, MAX_MESSAGES + 1);
    }
}
