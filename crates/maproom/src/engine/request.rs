//! Reads the fields of a request by name and refuses unknown ones.

use diagnostics::{nearest, shown};
use serde_json::{Map, Value};

use super::EngineError;
use bots::external::renamed;

/// A request whose fields are read one by one.
pub struct Request {
    fields: Map<String, Value>,
    asked: Vec<&'static str>,
}

impl Request {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Self, EngineError> {
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(fields)) => Ok(Self { fields, asked: Vec::new() }),
            Ok(_) => Err(EngineError::request("a request is a JSON object such as {\"cmd\":\"choices\"}")),
            Err(why) => Err(EngineError::request(format!("this is not JSON: {why}"))),
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.asked.push(key);
        self.fields.remove(key).filter(|value| !value.is_null())
    }

    /// Accepts fields that are valid here but not needed.
    pub fn pass_over(&mut self, keys: &[&'static str]) {
        for key in keys {
            self.take(key);
        }
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, EngineError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(key, &other, "a text")),
        }
    }

    /// The client's id for this request, a text or a number that the answer repeats.
    pub fn id(&mut self) -> Result<Option<Value>, EngineError> {
        match self.take("id") {
            id @ (None | Some(Value::String(_) | Value::Number(_))) => Ok(id),
            Some(other) => Err(wrong("id", &other, "a text or a number")),
        }
    }

    /// A text that must be there.
    pub fn required(&mut self, key: &'static str, example: &str) -> Result<String, EngineError> {
        self.text(key)?.ok_or_else(|| {
            EngineError::request(format!("the field {key:?} is missing; for example {example}"))
        })
    }

    /// A whole number from 0 on.
    pub fn number(&mut self, key: &'static str) -> Result<Option<u64>, EngineError> {
        match self.take(key) {
            None => Ok(None),
            Some(value) => {
                value.as_u64().map(Some).ok_or_else(|| wrong(key, &value, "a whole number, 0 or more"))
            }
        }
    }

    /// True or false.
    pub fn flag(&mut self, key: &'static str) -> Result<bool, EngineError> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(wrong(key, &other, "true or false")),
        }
    }

    /// An object whose values are texts or numbers, as texts.
    pub fn options(&mut self, key: &'static str) -> Result<Vec<(String, String)>, EngineError> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Object(fields)) => fields
                .into_iter()
                .map(|(name, value)| match value {
                    Value::String(text) => Ok((name, text)),
                    Value::Number(number) => Ok((name, number.to_string())),
                    other => Err(wrong(key, &other, "an object of texts and numbers")),
                })
                .collect(),
            Some(other) => Err(wrong(key, &other, "an object of texts and numbers")),
        }
    }

    /// A text or a number, as a text.
    pub fn text_or_number(&mut self, key: &'static str) -> Result<Option<String>, EngineError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => Err(wrong(key, &other, "a text or a number")),
        }
    }

    /// Refuses fields that have not been read; a name of protocol 1 is answered with the new one.
    pub fn finish(&self) -> Result<(), EngineError> {
        let Some(key) = self.fields.keys().next() else { return Ok(()) };
        if let Some(message) = renamed(key) {
            return Err(EngineError::request(message));
        }
        let mut message = format!("unknown field {:?}", shown(key));
        if let Some(meant) = nearest(key, self.asked.iter().copied()) {
            message.push_str(&format!(" (did you mean {meant:?}?)"));
        }
        message.push_str(&format!("; the fields here are: {}", self.asked.join(", ")));
        Err(EngineError::request(message))
    }
}

fn wrong(key: &str, value: &Value, expected: &str) -> EngineError {
    EngineError::request(format!("the field {key:?} is {}, expected {expected}", shown(&value.to_string())))
}
