//! `maproom engine`: a line of JSON in, a line of JSON out.

mod bot_session;
mod commands;
mod engine_match;
#[cfg(test)]
mod properties;
mod request;

use std::io::{BufRead, Write as _};
use std::process::ExitCode;

use serde_json::{Map, Value};

use crate::arguments::EngineOrder;
use crate::registry::GAMES;
use commands::Engine;
use request::Request;

/// The longest line that is read; a larger save is loaded by its file name.
const MAX_LINE: usize = 1 << 20;

/// An answer that says no: the state is as it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineError {
    /// What was wrong and what would have been right.
    pub message: String,
    /// A short stable word.
    pub code: &'static str,
    /// The rule behind it, or an empty text.
    pub rule: &'static str,
}

impl EngineError {
    /// A request that can't be understood.
    pub fn request(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: "bad-request", rule: "" }
    }
}

/// Runs the command.
pub fn run(order: &EngineOrder) -> Result<ExitCode, String> {
    // Which game it will be is not known yet: some game must have such a bot.
    let known = GAMES.iter().map(|game| game.tools.bot(&order.bot));
    known.reduce(Result::or).transpose()?;
    let mut engine = Engine::new(&order.bot);
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    while let Some(line) = read_line(&mut input).map_err(|why| format!("can't read standard input: {why}"))? {
        let line = match &line {
            Line::TooLong => Err(EngineError::request(format!("the line is longer than {MAX_LINE} bytes"))),
            Line::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => continue,
            Line::Whole(bytes) => std::str::from_utf8(bytes).map_err(|why| {
                EngineError::request(format!("the line is not UTF-8 from byte {} on", why.valid_up_to() + 1))
            }),
        };
        let answer =
            line.map_or_else(|trouble| answer_line(None, Err(trouble)), |line| reply(&mut engine, line));
        let written = writeln!(output, "{answer}").and_then(|()| output.flush());
        if written.is_err() || engine.has_quit() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a request and answers it, with the id that the client gave it.
fn reply(engine: &mut Engine, line: &str) -> String {
    let mut request = match Request::parse(line) {
        Ok(request) => request,
        Err(trouble) => return answer_line(None, Err(trouble)),
    };
    match request.id() {
        Ok(id) => answer_line(id, engine.answer(&mut request)),
        Err(trouble) => answer_line(None, Err(trouble)),
    }
}

/// `{"ok":true,…}` or `{"error":…}`.
fn answer_line(id: Option<Value>, answer: Result<Map<String, Value>, EngineError>) -> String {
    let mut line = Map::new();
    match answer {
        Ok(fields) => {
            line.insert("ok".to_owned(), Value::Bool(true));
            line.extend(fields);
        }
        Err(trouble) => {
            line.insert("error".to_owned(), Value::String(trouble.message));
            line.insert("code".to_owned(), Value::String(trouble.code.to_owned()));
            if !trouble.rule.is_empty() {
                line.insert("rule".to_owned(), Value::String(trouble.rule.to_owned()));
            }
        }
    }
    line.extend(id.map(|id| ("id".to_owned(), id)));
    Value::Object(line).to_string()
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The next line in bounded memory; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if bytes.len() + part.len() > MAX_LINE {
            too_long = true;
            bytes = Vec::new();
        } else if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(any.then_some(if too_long { Line::TooLong } else { Line::Whole(bytes) }))
}
