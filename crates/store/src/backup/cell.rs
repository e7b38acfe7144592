//! One cell of a row as JSON. Numbers with a fraction and bytes are written so that every bit comes back.

use serde_json::{Value as Json, json};

use crate::sql::Value;

/// A value as JSON.
pub(super) fn written(value: &Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Integer(number) => (*number).into(),
        Value::Real(number) => json!({ "real": number.to_string() }),
        Value::Text(text) => Json::String(text.to_string()),
        Value::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "hex": hex })
        }
    }
}

/// The value that was written.
pub(super) fn read(json: Json) -> Result<Value<'static>, String> {
    let refuse = |json: &Json| {
        Err(format!("the cell {json} is neither null, a whole number, a text, `real` nor `hex`"))
    };
    Ok(match json {
        Json::Null => Value::Null,
        Json::String(text) => Value::Text(text.into()),
        Json::Number(ref number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => return refuse(&json),
        },
        Json::Object(ref fields) if fields.len() == 1 => {
            let real = fields.get("real").and_then(|text| text.as_str()?.parse().ok()).map(Value::Real);
            let hex = || {
                fields
                    .get("hex")
                    .and_then(|text| bytes(text.as_str()?))
                    .map(|bytes| Value::Blob(bytes.into()))
            };
            match real.or_else(hex) {
                Some(value) => value,
                None => return refuse(&json),
            }
        }
        _ => return refuse(&json),
    })
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back() {
        for value in [
            Value::Null,
            Value::Integer(i64::MIN),
            Value::Integer(i64::MAX),
            Value::Real(0.1),
            Value::Real(-1.0 / 3.0),
            Value::Real(f64::MIN_POSITIVE),
            Value::Text("\0 \"größe\"\n".into()),
            Value::Blob(vec![0, 1, 127, 255].into()),
        ] {
            let text = written(&value).to_string();
            assert_eq!(read(serde_json::from_str(&text).unwrap()), Ok(value));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["true", "0.5", "[]", "{}", r#"{"hex":"abc"}"#, r#"{"hex":"zz"}"#, r#"{"real":"much"}"#] {
            assert!(read(serde_json::from_str(text).unwrap()).is_err(), "{text}");
        }
    }
}
