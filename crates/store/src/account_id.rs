//! The number of an account.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// The number of an account. As text it is `a` and the number in decimal: `a17`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AccountId(pub u64);

/// Why a text is not the number of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountIdError {
    /// It does not begin with `a`.
    NoLetter,
    /// What follows the `a` is not a number in plain decimal.
    NoNumber(Option<ParseIntError>),
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a{}", self.0)
    }
}

impl FromStr for AccountId {
    type Err = AccountIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('a').ok_or(AccountIdError::NoLetter)?;
        // One text for each number: no sign, no leading zero.
        let plain =
            digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        if !plain {
            return Err(AccountIdError::NoNumber(None));
        }
        digits.parse().map(Self).map_err(|why| AccountIdError::NoNumber(Some(why)))
    }
}

impl fmt::Display for AccountIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLetter => f.write_str("the number of an account begins with a, as in a17"),
            Self::NoNumber(None) => f.write_str("after the a of an account comes its number, as in a17"),
            Self::NoNumber(Some(why)) => write!(f, "the number of an account can't be read: {why}"),
        }
    }
}

impl std::error::Error for AccountIdError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written_and_in_no_other_way() {
        for number in [0, 1, 17, u64::MAX] {
            assert_eq!(AccountId(number).to_string().parse(), Ok(AccountId(number)));
        }
        for wrong in ["", "17", "A17", "a", "a+17", "a017", "a 17", "a17 ", "a-1", "a18446744073709551616"] {
            assert!(wrong.parse::<AccountId>().is_err(), "{wrong:?}");
        }
        assert_eq!(
            "17".parse::<AccountId>().map_err(|why| why.to_string()).unwrap_err(),
            AccountIdError::NoLetter.to_string()
        );
    }
}
