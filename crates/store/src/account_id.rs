//! The number of an account.

use std::fmt;
use std::str::FromStr;

/// The number of an account. As text it is `a` and the number: `a17`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AccountId(pub u64);

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a{}", self.0)
    }
}

/// A text that is not the number of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAccount;

impl fmt::Display for NotAnAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the number of an account, such as a17")
    }
}

impl std::error::Error for NotAnAccount {}

impl FromStr for AccountId {
    type Err = NotAnAccount;

    /// Reads exactly what [`Display`](fmt::Display) writes, so that an account has one text only.
    fn from_str(text: &str) -> Result<Self, NotAnAccount> {
        let digits = text.strip_prefix('a').ok_or(NotAnAccount)?;
        let id = digits.parse().map(AccountId).map_err(|_| NotAnAccount)?;
        if id.to_string() == text { Ok(id) } else { Err(NotAnAccount) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_has_one_text() {
        for id in [0, 17, u64::MAX] {
            assert_eq!(AccountId(id).to_string().parse(), Ok(AccountId(id)));
        }
        for wrong in ["", "a", "17", "a017", "a+17", "a-1", "A17", "a17 ", "a18446744073709551616"] {
            assert_eq!(wrong.parse::<AccountId>(), Err(NotAnAccount), "{wrong}");
        }
    }
}
