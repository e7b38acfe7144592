//! Orders in memory, for tests.

use std::collections::BTreeMap;

use crate::memory::MemoryStore;
use crate::{OrderBooks, StoreError, StoredAnswer, StoredBook};

/// The orders of one match.
#[derive(Default)]
pub(crate) struct KeptOrders {
    books: BTreeMap<u8, StoredBook>,
    answers: BTreeMap<(u32, u8), String>,
}

impl KeptOrders {
    /// Keeps a book and the answer that it gave; see `orders_sql::put`.
    pub(crate) fn put(
        &mut self,
        seat: u8,
        book: &StoredBook,
        answer: Option<&StoredAnswer>,
        steps: Option<u32>,
    ) {
        self.books.insert(seat, StoredBook { version: book.version + 1, ..book.clone() });
        if let Some(steps) = steps {
            self.answers.retain(|(step, of), _| *of != seat || *step <= steps);
        }
        if let Some(StoredAnswer { step, words }) = answer {
            self.answers.insert((*step, seat), words.clone());
        }
    }

    /// Whether a book is the one that was written last.
    pub(crate) fn is_current(&self, seat: u8, book: &StoredBook) -> bool {
        self.books.get(&seat).map_or(0, |known| known.version) == book.version
    }

    /// Removes the books of an account.
    pub(crate) fn erase(&mut self, account: crate::AccountId) {
        let of: Vec<u8> = self
            .books
            .iter()
            .filter(|(_, book)| book.account == Some(account))
            .map(|(seat, _)| *seat)
            .collect();
        for seat in of {
            self.forget(seat);
        }
    }

    fn forget(&mut self, seat: u8) -> bool {
        self.answers.retain(|(_, of), _| *of != seat);
        self.books.remove(&seat).is_some()
    }

    /// Whether the book of a seat may answer.
    pub(crate) fn runs(&self, seat: Option<u8>) -> bool {
        seat.and_then(|seat| self.books.get(&seat)).is_some_and(StoredBook::runs)
    }
}

impl OrderBooks for MemoryStore {
    fn prepare_orders(&self) -> Result<(), StoreError> {
        self.inner().has_orders = true;
        Ok(())
    }

    fn has_orders(&self) -> Result<bool, StoreError> {
        Ok(self.inner().has_orders)
    }

    fn books(&self, match_id: &str) -> Result<Vec<(u8, StoredBook)>, StoreError> {
        let read =
            |kept: &mut KeptOrders| kept.books.iter().map(|(seat, book)| (*seat, book.clone())).collect();
        Ok(self.inner().orders_mut(match_id).map(read).unwrap_or_default())
    }

    fn put_book(&self, match_id: &str, seat: u8, book: &StoredBook) -> Result<bool, StoreError> {
        let mut inner = self.inner();
        inner.has_orders = true;
        let kept = inner.orders_mut(match_id).filter(|kept| kept.is_current(seat, book));
        Ok(kept.map(|kept| kept.put(seat, book, None, None)).is_some())
    }

    fn forget_book(&self, match_id: &str, seat: u8) -> Result<bool, StoreError> {
        Ok(self.inner().orders_mut(match_id).is_some_and(|kept| kept.forget(seat)))
    }

    fn answers(&self, match_id: &str) -> Result<Vec<(u8, StoredAnswer)>, StoreError> {
        let read = |kept: &mut KeptOrders| {
            let answer = |((step, seat), words): (&(u32, u8), &String)| {
                (*seat, StoredAnswer { step: *step, words: words.clone() })
            };
            kept.answers.iter().map(answer).collect()
        };
        Ok(self.inner().orders_mut(match_id).map(read).unwrap_or_default())
    }

    fn awaiting_orders(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.inner().awaiting_orders())
    }
}
