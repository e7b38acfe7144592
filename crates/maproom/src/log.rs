//! The program's log on standard error.
//!
//! Only our own crates are logged: messages of libraries could contain secrets, such as an address or a link with its token.

use std::io;
use std::panic::PanicHookInfo;
use std::str::FromStr;

use diagnostics::{nearest, shown};
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata, error};
use tracing_subscriber::filter::{FilterFn, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// The environment variable with the levels, used when no flag is given.
pub const VARIABLE: &str = "MAPROOM_LOG";

/// The parts of the program that log.
const PARTS: [&str; 6] = ["maproom", "web", "store", "bots", "lab", "program"];
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// A level for each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLevels {
    parts: Vec<(&'static str, LevelFilter)>,
}

impl Default for LogLevels {
    /// Warnings, and what external bots write to standard error.
    fn default() -> Self {
        let level = |part| if part == "program" { LevelFilter::INFO } else { LevelFilter::WARN };
        Self { parts: PARTS.map(|part| (part, level(part))).to_vec() }
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
    /// The levels from the flag, else from the environment, else the default ones.
    pub fn from_flag_or_environment(flag: Option<&Self>) -> Result<Self, String> {
        match (flag, std::env::var(VARIABLE)) {
            (Some(levels), _) => Ok(levels.clone()),
            (None, Ok(text)) => text.parse().map_err(|why| format!("{VARIABLE}: {why}")),
            (None, Err(_)) => Ok(Self::default()),
        }
    }

    /// Whether an event is logged. `quotes` includes what external bots wrote in games with hidden information: useful to bot
    /// authors, but a server logs the same complaint without the quotation.
    fn is_enabled(&self, target: &str, level: Level, quotes: bool) -> bool {
        let excluded = if quotes { "program::unquoted" } else { "program::quoted" };
        let part = target.split("::").next().unwrap_or_default();
        let known = self.parts.iter().find(|(known, _)| *known == part);
        target != excluded && known.is_some_and(|(_, enabled)| level <= *enabled)
    }

    /// The filter. Nothing passes but our own parts.
    fn filter(&self, quotes: bool) -> FilterFn<impl Fn(&Metadata<'_>) -> bool + use<>> {
        let most = self.parts.iter().map(|(_, level)| *level).max();
        let levels = self.clone();
        filter_fn(move |event| levels.is_enabled(event.target(), *event.level(), quotes))
            .with_max_level_hint(most.unwrap_or(LevelFilter::OFF))
    }

    /// Starts logging for a server: each line with time, level and part. Panics are logged in the same way.
    pub fn start_for_server(&self) {
        let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
        let _ = tracing_subscriber::registry()
            .with(self.filter(false))
            .with(layer.log_internal_errors(false))
            .try_init();
        std::panic::set_hook(Box::new(log_panic));
    }

    /// Starts logging for a command: plain lines.
    pub fn start_for_command(&self) {
        let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(false);
        let layer = layer.without_time().with_level(false).with_target(false).log_internal_errors(false);
        let _ = tracing_subscriber::registry().with(self.filter(true)).with(layer).try_init();
    }
}

fn log_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let place =
        panic.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
    let message = panic.payload_as_str().unwrap_or("no message");
    error!("thread {} panicked{place}: {message}", thread.name().unwrap_or("without a name"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_enabled(text: &str, quotes: bool, target: &str, level: Level) -> bool {
        text.parse::<LogLevels>().expect("levels").is_enabled(target, level, quotes)
    }

    #[test]
    fn levels_are_for_all_or_for_a_part() {
        assert!(
            is_enabled("", false, "web::lobby", Level::WARN)
                && !is_enabled("", false, "web::lobby", Level::INFO)
        );
        assert!(is_enabled("", false, "program", Level::INFO));
        assert!(is_enabled("", true, "lab::ladder::game", Level::WARN));
        assert!(
            is_enabled("debug", false, "store::writer", Level::DEBUG)
                && !is_enabled("debug", false, "web", Level::TRACE)
        );
        assert!(is_enabled("error,store=debug", false, "store::writer", Level::DEBUG));
        assert!(!is_enabled("error,store=debug", false, "web", Level::WARN));
        assert!(!is_enabled("off", false, "web", Level::ERROR));
    }

    #[test]
    fn libraries_are_never_logged_and_quotes_only_by_commands() {
        for target in ["hyper::proto", "axum::serve", "tokio", "webby"] {
            assert!(!is_enabled("trace", false, target, Level::ERROR), "{target}");
        }
        for level in ["warn", "trace", "program=trace"] {
            assert!(!is_enabled(level, false, "program::quoted", Level::WARN), "{level}");
            assert!(is_enabled(level, true, "program::quoted", Level::WARN), "{level}");
            assert!(is_enabled(level, false, "program::unquoted", Level::WARN), "{level}");
            assert!(!is_enabled(level, true, "program::unquoted", Level::WARN), "{level}");
        }
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_likely_one() {
        let why = |text: &str| text.parse::<LogLevels>().expect_err("a wrong word");
        assert!(why("debgu").contains("did you mean debug?"));
        assert!(why("wep=debug").contains("did you mean web?"));
        assert!(why("3").contains("off, error, warn"));
    }
}
