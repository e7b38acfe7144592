//! The log: what the program says beside its answers, on standard error.
//!
//! Only our own parts are heard. What libraries say could hold what must stay secret: an address, a link with its token.

use std::io;
use std::panic::PanicHookInfo;
use std::str::FromStr;

use diagnostics::{nearest, shown};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata, error};
use tracing_subscriber::filter::{FilterFn, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// Where the levels are read that no flag gives.
pub const VARIABLE: &str = "MAPROOM_LOG";

/// The parts that can be heard.
const PARTS: [&str; 6] = ["maproom", "web", "store", "bots", "workers", "program"];
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// What is heard: a level for each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLevels {
    parts: Vec<(&'static str, LevelFilter)>,
}

impl Default for LogLevels {
    /// Warnings, and what programs that play have to say.
    fn default() -> Self {
        let usual = |part| if part == "program" { LevelFilter::INFO } else { LevelFilter::WARN };
        Self { parts: PARTS.map(|part| (part, usual(part))).to_vec() }
    }
}

impl FromStr for LogLevels {
    type Err = String;

    /// Reads `debug`, or `info,store=debug`: a level for all, and levels for parts.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut levels = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word.split_once('=') {
                None => {
                    let level = read_level(word)?;
                    levels.parts.iter_mut().for_each(|(_, known)| *known = level);
                }
                Some((part, level)) => {
                    let level = read_level(level.trim())?;
                    let known = levels.parts.iter_mut().find(|(known, _)| *known == part.trim());
                    known.ok_or_else(|| unknown("part", part.trim(), &PARTS))?.1 = level;
                }
            }
        }
        Ok(levels)
    }
}

fn read_level(word: &str) -> Result<LevelFilter, String> {
    let known = LEVELS.contains(&word).then(|| word.parse().ok()).flatten();
    known.ok_or_else(|| unknown("level", word, &LEVELS))
}

fn unknown(what: &str, word: &str, words: &[&'static str]) -> String {
    let meant = nearest(word, words.iter().copied());
    let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant}?)"));
    format!("unknown {what} {:?}{hint}: {}", shown(word), words.join(", "))
}

impl LogLevels {
    /// Those of a flag, or of the environment, or the usual ones.
    pub fn given(flag: Option<&Self>) -> Result<Self, String> {
        match (flag, std::env::var(VARIABLE)) {
            (Some(levels), _) => Ok(levels.clone()),
            (None, Ok(text)) => text.parse().map_err(|why| format!("{VARIABLE}: {why}")),
            (None, Err(_)) => Ok(Self::default()),
        }
    }

    /// Whether an event is heard. `quotes` are what programs wrote in games with secrets: for those who work on a program, never
    /// for a server, which has the same without the quotation.
    fn hears(&self, target: &str, level: Level, quotes: bool) -> bool {
        let silent = if quotes { "program::unquoted" } else { "program::quoted" };
        let part = target.split("::").next().unwrap_or_default();
        let known = self.parts.iter().find(|(known, _)| *known == part);
        target != silent && known.is_some_and(|(_, heard)| level <= *heard)
    }

    /// The filter, which lets nothing through but our own parts.
    fn filter(&self, quotes: bool) -> FilterFn<impl Fn(&Metadata<'_>) -> bool + use<>> {
        let most = self.parts.iter().map(|(_, level)| *level).max();
        let levels = self.clone();
        filter_fn(move |event| levels.hears(event.target(), *event.level(), quotes))
            .with_max_level_hint(most.unwrap_or(LevelFilter::OFF))
    }

    /// Hears from now on what a server has to say, with time, level and part. Panics are said in the same way.
    pub fn hear_server(&self) {
        let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
        let _ = tracing_subscriber::registry()
            .with(self.filter(false))
            .with(layer.log_internal_errors(false))
            .try_init();
        std::panic::set_hook(Box::new(say_panic));
    }

    /// Hears from now on what a command has to say, as plain lines.
    pub fn hear_command(&self) {
        let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
        let layer = layer.without_time().with_level(false).with_target(false).log_internal_errors(false);
        let _ = tracing_subscriber::registry().with(self.filter(true)).with(layer).try_init();
    }
}

fn say_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let place =
        panic.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
    let message = panic.payload_as_str().unwrap_or("no message");
    error!("thread {} panicked{place}: {message}", thread.name().unwrap_or("without a name"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hears(text: &str, quotes: bool, target: &str, level: Level) -> bool {
        text.parse::<LogLevels>().expect("levels").hears(target, level, quotes)
    }

    #[test]
    fn levels_are_for_all_or_for_a_part() {
        assert!(hears("", false, "web::lobby", Level::WARN) && !hears("", false, "web::lobby", Level::INFO));
        assert!(hears("", false, "program", Level::INFO));
        assert!(
            hears("debug", false, "store::writer", Level::DEBUG)
                && !hears("debug", false, "web", Level::TRACE)
        );
        assert!(hears("error,store=debug", false, "store::writer", Level::DEBUG));
        assert!(!hears("error,store=debug", false, "web", Level::WARN));
        assert!(!hears("off", false, "web", Level::ERROR));
    }

    #[test]
    fn libraries_are_never_heard_and_quotes_only_by_commands() {
        for target in ["hyper::proto", "axum::serve", "tokio", "webby"] {
            assert!(!hears("trace", false, target, Level::ERROR), "{target}");
        }
        for level in ["warn", "trace", "program=trace"] {
            assert!(!hears(level, false, "program::quoted", Level::WARN), "{level}");
            assert!(hears(level, true, "program::quoted", Level::WARN), "{level}");
            assert!(hears(level, false, "program::unquoted", Level::WARN), "{level}");
            assert!(!hears(level, true, "program::unquoted", Level::WARN), "{level}");
        }
    }

    #[test]
    fn a_wrong_word_is_told_what_was_meant() {
        let why = |text: &str| text.parse::<LogLevels>().expect_err("a wrong word");
        assert!(why("debgu").contains("did you mean debug?"));
        assert!(why("wep=debug").contains("did you mean web?"));
        assert!(why("3").contains("off, error, warn"));
    }
}
