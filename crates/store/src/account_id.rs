//! The number of an account.

use std::fmt;
use std::str::FromStr;

/// An account of the house. As text it is `a17`.
///
/// ```
/// use store::AccountId;
/// assert_eq!(AccountId(17).to_string(), "a17");
/// assert_eq!("a17".parse(), Ok(AccountId(17)));
/// assert!("17".parse::<AccountId>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AccountId(pub u64);

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a{}", self.0)
    }
}

impl FromStr for AccountId {
    type Err = String;

    fn from_str(text: &str) -> Result<AccountId, String> {
        let digits = text.strip_prefix('a').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse().ok());
        number.map(AccountId).ok_or_else(|| format!("`{text}` is no account: expected `a` and a number"))
    }
}
