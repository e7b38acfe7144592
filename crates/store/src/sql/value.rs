//! Values between the program and a database.

use std::borrow::Cow;

use super::{Error, Result};

/// A value in a statement or a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'v> {
    /// None.
    Null,
    /// A whole number; also a yes (1) or a no (0).
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(Cow<'v, str>),
    /// Bytes.
    Blob(Cow<'v, [u8]>),
}

impl Value<'_> {
    /// The text that must be there.
    pub(crate) fn as_str(&self) -> Result<&str> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(Error::Unreadable(format!("{other:?} is not a text"))),
        }
    }

    /// The text, if one is there.
    pub(crate) fn as_str_or_null(&self) -> Result<Option<&str>> {
        match self {
            Self::Null => Ok(None),
            _ => self.as_str().map(Some),
        }
    }
}

/// What can stand in a statement.
pub trait ToValue {
    /// As a value.
    fn to_value(&self) -> Value<'_>;
}

/// What can be read from a row.
pub trait FromValue: Sized {
    /// Reads a value, or says why it can't be meant.
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String>;
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, ToValue::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl ToValue for str {
    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(self))
    }
}

impl ToValue for String {
    fn to_value(&self) -> Value<'_> {
        Value::Text(Cow::Borrowed(self))
    }
}

impl FromValue for String {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Text(text) => Ok(text.into_owned()),
            other => Err(format!("{other:?} is not a text")),
        }
    }
}

/// Numbers that always fit into the database's.
macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl ToValue for $kind {
            fn to_value(&self) -> Value<'_> {
                Value::Integer(i64::from(*self))
            }
        }
        impl FromValue for $kind {
            fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
                let number = i64::from_value(value)?;
                Self::try_from(number).map_err(|_| format!("the number {number} is out of range"))
            }
        }
    )*};
}

whole_numbers!(u8, u16, u32);

impl ToValue for i64 {
    fn to_value(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl FromValue for i64 {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Integer(number) => Ok(number),
            other => Err(format!("{other:?} is not a whole number")),
        }
    }
}

/// No database knows unsigned numbers of this size: what doesn't fit is written as the largest that does.
impl ToValue for u64 {
    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
    }
}

impl FromValue for u64 {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        let number = i64::from_value(value)?;
        Self::try_from(number).map_err(|_| format!("the number {number} is out of range"))
    }
}

impl ToValue for bool {
    fn to_value(&self) -> Value<'_> {
        Value::Integer(i64::from(*self))
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        Ok(i64::from_value(value)? != 0)
    }
}

impl ToValue for f64 {
    fn to_value(&self) -> Value<'_> {
        Value::Real(*self)
    }
}

impl FromValue for f64 {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Real(number) => Ok(number),
            Value::Integer(number) => Ok(number as Self),
            other => Err(format!("{other:?} is not a number")),
        }
    }
}

impl<const N: usize> ToValue for [u8; N] {
    fn to_value(&self) -> Value<'_> {
        Value::Blob(Cow::Borrowed(self))
    }
}

impl ToValue for Vec<u8> {
    fn to_value(&self) -> Value<'_> {
        Value::Blob(Cow::Borrowed(self))
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Blob(bytes) => Ok(bytes.into_owned()),
            other => Err(format!("{other:?} is not bytes")),
        }
    }
}

impl<const N: usize> FromValue for [u8; N] {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        match value {
            Value::Blob(bytes) => {
                (*bytes).try_into().map_err(|_| format!("{} bytes instead of {N}", bytes.len()))
            }
            other => Err(format!("{other:?} is not a row of bytes")),
        }
    }
}

impl ToValue for Value<'_> {
    fn to_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::Integer(*number),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Text(Cow::Borrowed(text)),
            Self::Blob(bytes) => Value::Blob(Cow::Borrowed(bytes)),
        }
    }
}

impl FromValue for Value<'static> {
    fn from_value(value: Value<'_>) -> std::result::Result<Self, String> {
        Ok(match value {
            Value::Null => Value::Null,
            Value::Integer(number) => Value::Integer(number),
            Value::Real(number) => Value::Real(number),
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Blob(bytes) => Value::Blob(Cow::Owned(bytes.into_owned())),
        })
    }
}

/// The values of a statement: `?1` is the first.
pub trait Params {
    /// Lends them.
    fn lend<T>(self, with: &mut dyn FnMut(&[Value<'_>]) -> Result<T>) -> Result<T>;
}

impl Params for &[&dyn ToValue] {
    fn lend<T>(self, with: &mut dyn FnMut(&[Value<'_>]) -> Result<T>) -> Result<T> {
        let values: Vec<Value<'_>> = self.iter().map(|value| value.to_value()).collect();
        with(&values)
    }
}

impl Params for [&dyn ToValue; 0] {
    fn lend<T>(self, with: &mut dyn FnMut(&[Value<'_>]) -> Result<T>) -> Result<T> {
        with(&[])
    }
}

/// Lists of a fixed length: with one implementation for all lengths nobody would know of what an empty list is.
macro_rules! lists {
    ($($length:literal),*) => {$(
        impl<T: ToValue> Params for [T; $length] {
            fn lend<R>(self, with: &mut dyn FnMut(&[Value<'_>]) -> Result<R>) -> Result<R> {
                with(&self.each_ref().map(ToValue::to_value))
            }
        }
    )*};
}

lists!(1, 2, 3, 4);

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<bool> for Value<'_> {
    fn from(is_so: bool) -> Self {
        Self::Integer(i64::from(is_so))
    }
}

/// Whole numbers that fit.
macro_rules! from_numbers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Value<'_> {
            fn from(number: $kind) -> Self {
                Self::Integer(i64::from(number))
            }
        }
    )*};
}

from_numbers!(u8, u16, u32, i64);

impl<'v, T: Into<Self>> From<Option<T>> for Value<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The values of one run of a statement that runs several times.
macro_rules! list {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::sql::Value::from($value)),*]
    };
}
pub(crate) use list;

/// Values of several types for one statement.
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::sql::ToValue),*] as &[&dyn $crate::sql::ToValue]
    };
}
pub(crate) use params;
