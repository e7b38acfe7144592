//! The options of a game on the command line. Which there are the games say themselves: each becomes a flag, and
//! `--option KEY=VALUE` reaches all of them.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use kernel::Options;

use crate::files::read_text;
use crate::registry::{GAMES, GameEntry, OptionValue};

/// The flag that takes any option.
const ANY: &str = "option";
/// All flags that set a game up, for those that can't go with them.
const GROUP: &str = "setup";
/// What the flag of an option is called inside: so that it can't be mistaken for a flag of the command.
const ONE: &str = "option:";
/// The same for a flag in the plural, where a command takes several set-ups.
const SEVERAL: &str = "options:";
/// The same for a kind of file that can be checked.
const KIND: &str = "kind:";
/// The commands that go through several set-ups: an option may have several values there.
const COMMANDS_FOR_SEVERAL: [&str; 2] = ["sim", "ladder"];
/// The longest list of numbers that is written as a range or as `all`.
const MOST_NUMBERS: u32 = 1_000;

/// How a game is set up: the options that were given.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// As `KEY=VALUE`.
    pairs: Vec<String>,
    /// By flags of their own: the key and the value.
    flags: Vec<(String, String)>,
}

impl Args for Setup {
    fn augment_args(command: Command) -> Command {
        let help = "Any option of the game as KEY=VALUE.";
        let any = Arg::new(ANY).long(ANY).value_name("KEY=VALUE").help(help).action(ArgAction::Append);
        command.arg(any)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Setup {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let pairs = matches.get_many::<String>(ANY).into_iter().flatten().cloned().collect();
        let flags = matches.ids().filter_map(|id| {
            let key = id.as_str().strip_prefix(ONE).or_else(|| id.as_str().strip_prefix(SEVERAL))?;
            Some((key.to_owned(), matches.get_one::<String>(id.as_str())?.clone()))
        });
        Ok(Self { pairs, flags: flags.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Setup {
    /// The options of the match. Files are read and checked under their own names; warnings go to standard error.
    pub fn options(&self, game: &GameEntry) -> Result<Options, String> {
        let mut options = self.pairs()?;
        for (key, value) in &self.flags {
            options.insert(key.clone(), read(game, key, value)?);
        }
        Ok(options)
    }

    /// The options of every set-up that was asked for, where an option may have several values: each with each.
    pub fn each(&self, game: &GameEntry) -> Result<Vec<Options>, String> {
        let mut setups = vec![self.pairs()?];
        // In the order of the game's options, whatever the order of the flags.
        let help = game.tools.option_help();
        let place = |key: &str| help.iter().position(|(known, _)| *known == key);
        let mut flags: Vec<&(String, String)> = self.flags.iter().collect();
        flags.sort_by_key(|(key, _)| place(key));
        for (key, value) in flags {
            let first = setups.first().cloned().unwrap_or_default();
            let mut values = Vec::new();
            for value in list(game, &first, key, value)? {
                values.push(read(game, key, &value)?);
            }
            let with = |options: &Options, value: &String| {
                let mut options = options.clone();
                options.insert(key.clone(), value.clone());
                options
            };
            setups = setups
                .iter()
                .flat_map(|options| values.iter().map(move |value| with(options, value)))
                .collect();
        }
        Ok(setups)
    }

    fn pairs(&self) -> Result<Options, String> {
        let pair = |text: &String| {
            let (key, value) = text
                .split_once('=')
                .ok_or_else(|| format!("--{ANY} {:?}: write it as KEY=VALUE", diagnostics::shown(text)))?;
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        };
        self.pairs.iter().map(pair).collect()
    }
}

/// Whether a value is the name of a file: there is one, or it is written as one.
fn is_file(value: &str) -> bool {
    let path = Path::new(value);
    path.extension().is_some() || path.is_file()
}

/// The value of a flag, or the text of the file that it names.
fn read(game: &GameEntry, key: &str, value: &str) -> Result<String, String> {
    match game.tools.option_value(key) {
        OptionValue::Word => Ok(value.to_owned()),
        OptionValue::WordOrFile if !is_file(value) => Ok(value.to_owned()),
        OptionValue::File | OptionValue::WordOrFile => {
            let text = read_text(Path::new(value))?;
            let check = game.tools.check_file(key, value, &text).map_err(|problems| problems.to_string())?;
            if !check.warnings.is_empty() {
                errln!("{}\n", check.warnings);
            }
            Ok(text)
        }
    }
}

/// The values of a list: `3`, `1,4,7`, `1-6`, `all` for all numbers from 1 on that the game takes, or words with commas.
fn list(game: &GameEntry, others: &Options, key: &str, value: &str) -> Result<Vec<String>, String> {
    match game.tools.option_value(key) {
        OptionValue::File => return Ok(vec![value.to_owned()]),
        OptionValue::WordOrFile if Path::new(value).is_file() => return Ok(vec![value.to_owned()]),
        OptionValue::Word | OptionValue::WordOrFile => {}
    }
    if value == "all" {
        let mut options = others.clone();
        let numbers = (1..=MOST_NUMBERS).map(|number| number.to_string()).take_while(|number| {
            options.insert(key.to_owned(), number.clone());
            game.tools.check_options(&options).is_ok()
        });
        let numbers: Vec<String> = numbers.collect();
        return Ok(if numbers.is_empty() { vec![value.to_owned()] } else { numbers });
    }
    let mut values = Vec::new();
    for part in value.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match range(part) {
            Some((first, last)) if first <= last && last - first < MOST_NUMBERS => {
                values.extend((first..=last).map(|number| number.to_string()));
            }
            Some(_) => {
                let shown = diagnostics::shown(value);
                return Err(format!("--{} {shown:?}: use 3, 1,4,7, 1-6 or all", flag(key)));
            }
            None => values.push(part.to_owned()),
        }
    }
    if values.is_empty() {
        return Err(format!("--{} {:?}: give at least one value", flag(key), diagnostics::shown(value)));
    }
    Ok(values)
}

/// Two numbers with a dash between them.
fn range(part: &str) -> Option<(u32, u32)> {
    let (first, last) = part.split_once('-')?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// How the flag of an option is written.
fn flag(key: &str) -> String {
    key.replace('_', "-")
}

/// Files to be checked, each with its kind.
#[derive(Debug, Clone, Default)]
pub struct OwnFiles(Vec<(String, PathBuf)>);

impl OwnFiles {
    /// The files of a kind.
    pub fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Path> {
        self.0.iter().filter(move |(of, _)| of == kind).map(|(_, file)| file.as_path())
    }

    /// A kind that is not one of these.
    pub fn other_kind(&self, kinds: &[(&str, &str)]) -> Option<&str> {
        self.0
            .iter()
            .map(|(kind, _)| kind.as_str())
            .find(|kind| !kinds.iter().any(|(known, _)| known == kind))
    }
}

impl Args for OwnFiles {
    fn augment_args(command: Command) -> Command {
        let kinds = keys(|game| game.tools.file_kinds());
        kinds.into_iter().fold(command, |command, (kind, uses)| {
            let flag = Arg::new(format!("{KIND}{kind}")).long(flag(kind)).value_name("FILE");
            let flag = flag.help(sentence(&uses)).action(ArgAction::Append);
            command.arg(flag.value_parser(clap::value_parser!(PathBuf)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OwnFiles {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut files = Vec::new();
        for id in matches.ids() {
            let Some(kind) = id.as_str().strip_prefix(KIND) else { continue };
            let given = matches.get_many::<PathBuf>(id.as_str()).into_iter().flatten();
            files.extend(given.map(|file| (kind.to_owned(), file.clone())));
        }
        Ok(Self(files))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A game, and what it says about a key.
type Use = (&'static GameEntry, &'static str);

/// Every key that some game has, with the games that have it.
fn keys(of: impl Fn(&GameEntry) -> &'static [(&'static str, &'static str)]) -> Vec<(&'static str, Vec<Use>)> {
    let mut keys: Vec<(&'static str, Vec<Use>)> = Vec::new();
    for game in GAMES.iter() {
        for &(key, about) in of(game) {
            match keys.iter_mut().find(|(known, _)| *known == key) {
                Some((_, uses)) => uses.push((game, about)),
                None => keys.push((key, vec![(game, about)])),
            }
        }
    }
    keys
}

/// What the games say about a key, in a line.
fn sentence(uses: &[Use]) -> String {
    let lines: Vec<String> = uses.iter().map(|(game, about)| format!("{}: {about}", game.id())).collect();
    lines.join("; ")
}

/// Gives every command that sets a game up a flag for each option of each game. The help shows those of one game where one is
/// meant, and else those of all.
pub fn with_games(command: Command, meant: Option<&GameEntry>) -> Command {
    let names: Vec<String> = GAMES.iter().map(|game| format!("{} ({})", game.id(), game.name())).collect();
    let about =
        format!("{}\n\nGames: {}.", command.get_about().cloned().unwrap_or_default(), names.join(", "));
    command.long_about(about).mut_subcommands(|command| {
        let sets_up = command.get_arguments().any(|arg| arg.get_id() == ANY);
        if sets_up { with_options(command, meant) } else { command }
    })
}

fn with_options(mut command: Command, meant: Option<&GameEntry>) -> Command {
    let several = COMMANDS_FOR_SEVERAL.contains(&command.get_name());
    let keys = keys(|game| game.tools.option_help());
    let is_key = |word: &str| keys.iter().any(|(key, _)| *key == word);
    let mut group = ArgGroup::new(GROUP).multiple(true).arg(ANY);
    for (key, uses) in &keys {
        // A flag of the command goes before an option of the same name, which `--option` still reaches.
        let long = flag(key);
        if command.get_arguments().any(|arg| arg.get_long() == Some(&long)) {
            continue;
        }
        let id = format!("{ONE}{key}");
        let mut one = option(key, uses, meant).id(id.clone()).long(long.clone());
        if long != *key {
            one = one.alias(*key);
        }
        command = command.arg(one);
        group = group.arg(id.clone());
        let plural = format!("{key}s");
        if several && !is_key(&plural) {
            let list = Arg::new(format!("{SEVERAL}{key}")).long(flag(&plural)).hide(true);
            group = group.arg(list.get_id().clone());
            command = command.arg(list.value_name("LIST").conflicts_with(id));
        }
    }
    command.group(group)
}

/// The flag of an option, without its name.
fn option(key: &str, uses: &[Use], meant: Option<&GameEntry>) -> Arg {
    let about = |(game, about): &Use| {
        // What the text of a file is about the kind of the file says.
        let kinds = game.tools.file_kinds();
        let kind = kinds.iter().find(|(kind, _)| *kind == key).map(|(_, about)| *about);
        let value = game.tools.option_value(key);
        (value, if value == OptionValue::File { kind.unwrap_or(about) } else { about })
    };
    let own: Option<&Use> = meant.and_then(|meant| uses.iter().find(|(game, _)| game.id() == meant.id()));
    let value = own.or(uses.first()).map_or(OptionValue::Word, |one| about(one).0);
    let arg = Arg::new("").value_name(match value {
        OptionValue::Word => "VALUE",
        OptionValue::File => "FILE",
        OptionValue::WordOrFile => "NAME|FILE",
    });
    match (own, uses) {
        (Some(own), _) => arg.help(about(own).1).help_heading(format!("Options of {}", own.0.name())),
        (None, [one]) => arg.help(about(one).1).help_heading(format!("Options of {}", one.0.id())),
        (None, _) => arg.help(sentence(uses)).help_heading("Options of several games"),
    }
    .hide(meant.is_some() && own.is_none())
}

#[cfg(test)]
mod tests;
