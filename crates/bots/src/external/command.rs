//! How a program that plays is named: its command line, and what it is called.

use std::path::Path;
use std::time::Duration;

use diagnostics::shown;
use kernel::CompleteGame;

use crate::BotKind;

/// How long a program may take for an answer, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(30);
/// The longest time that a program may be given.
const MOST_PATIENCE: f64 = 3_600.0;

/// The command line of a program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: String,
    words: Vec<String>,
    patience: Duration,
}

impl Command {
    /// Whether a text is meant as a command rather than as the word of a bot: it holds a blank or a separator of paths,
    /// names a file that is there, or begins with a name and `=`.
    pub fn is_meant(text: &str) -> bool {
        let (name, line) = split_name(text);
        name.is_some()
            || line.contains(char::is_whitespace)
            || line.contains(std::path::is_separator)
            || Path::new(line).is_file()
    }

    /// Reads a command line, with quotes and backslashes as in a shell. `NAME=` before it gives the program a name; else it
    /// goes by that of its file.
    ///
    /// ```
    /// use bots::external::Command;
    /// let command = Command::parse("python3 'my bots/first.py' --bold").expect("a command line");
    /// assert_eq!((command.name(), command.words().len()), ("first", 3));
    /// assert_eq!(Command::parse("hasty=./bot --time 1").expect("a command line").name(), "hasty");
    /// assert!(Command::parse("python3 'my bots/first.py").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, line) = split_name(text);
        let words = shlex::split(line).ok_or_else(|| {
            format!("the command {:?} ends inside a quotation or with a backslash: close it", shown(line))
        })?;
        if words.first().is_none_or(String::is_empty) {
            return Err(format!(
                "{:?} names no program: write a command such as \"python3 my_bot.py\"",
                shown(text)
            ));
        }
        let name = name.map_or_else(|| file_name(&words), str::to_owned);
        Ok(Self { name, words, patience: PATIENCE })
    }

    /// Gives the program so many seconds for an answer.
    pub fn with_patience(mut self, seconds: f64) -> Result<Self, String> {
        if !(0.01..=MOST_PATIENCE).contains(&seconds) {
            return Err(format!(
                "{seconds} seconds for an answer: a number from 0.01 to {MOST_PATIENCE} is needed"
            ));
        }
        self.patience = Duration::from_secs_f64(seconds);
        Ok(self)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How long it may take for an answer.
    pub fn patience(&self) -> Duration {
        self.patience
    }
}

/// `NAME=command`, where the name is a plain word.
fn split_name(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    let plain = |name: &str| {
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
    };
    match text.split_once('=') {
        Some((name, line)) if plain(name) => (Some(name), line.trim()),
        _ => (None, text),
    }
}

/// The name of the file that is run: a script behind its interpreter counts more than the interpreter.
fn file_name(words: &[String]) -> String {
    let script = words.iter().skip(1).find(|word| Path::new(word).is_file() || word.ends_with(".py"));
    let file = script.or(words.first()).map(Path::new);
    let stem = file.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| "program".to_owned())
}

/// Who can play a seat: a built-in bot, or an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A built-in bot.
    Bot(BotKind),
    /// A program.
    Program(Command),
}

impl Opponent {
    /// Reads a bot's word or a command line, or says which bots there are and how a command is written.
    pub fn parse<G: CompleteGame>(text: &str) -> Result<Self, String> {
        match BotKind::parse::<G>(text) {
            Ok(kind) => Ok(Self::Bot(kind)),
            Err(_) if Command::is_meant(text) => Command::parse(text).map(Self::Program),
            Err(why) => Err(format!(
                "{why}; a program of your own is written as a command, such as \"python3 my_bot.py\" or ./my_bot"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_from_a_word() {
        for text in ["python3 bot.py", "./bot", "bots/bot", "x=bot", "Cargo.toml"] {
            assert!(Command::is_meant(text), "{text}");
        }
        for text in ["gredy", "search:500", "search:a=b"] {
            assert!(!Command::is_meant(text), "{text}");
        }
    }

    #[test]
    fn words_are_split_as_a_shell_would() {
        let words = |text: &str| Command::parse(text).map(|command| command.words);
        assert_eq!(words(r#"a "b c" d\ e 'f"g'"#).expect("closed"), ["a", "b c", "d e", "f\"g"]);
        for bad in ["", "  ", "x=", "'' a", "a \"b", "a \\"] {
            assert!(words(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn patience_has_bounds() {
        let command = Command::parse("./bot").expect("a command");
        assert_eq!(command.patience(), PATIENCE);
        assert!(command.clone().with_patience(0.5).is_ok());
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY, 3_601.0] {
            assert!(command.clone().with_patience(wrong).is_err(), "{wrong}");
        }
    }
}
