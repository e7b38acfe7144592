//! Ratings in memory, for tests.

use std::collections::BTreeMap;

use crate::{
    AccountId, Counting, Formula, KeptRating, Luck, MemoryStore, RatedSeat, RatingBook, SideScore, StoreError,
};

/// All rows, and the ratings that follow from them.
#[derive(Default)]
pub(crate) struct Book {
    up_to: u64,
    /// With the number under which each was counted, once it was.
    rows: Vec<(RatedSeat, Option<u64>)>,
    ratings: BTreeMap<(AccountId, String, u8), KeptRating>,
}

impl Book {
    fn of_match(&self, id: &str) -> Vec<RatedSeat> {
        let mut found: Vec<RatedSeat> =
            self.rows.iter().map(|(row, _)| row).filter(|row| row.match_id == id).cloned().collect();
        found.sort_by_key(|row| row.seat);
        found
    }

    fn count_if_whole(&mut self, id: &str, number: u64, formula: Formula<'_>) {
        let seats = self.of_match(id);
        let is_whole = |first: &RatedSeat| usize::from(first.players) == seats.len() && first.step.is_none();
        if !seats.first().is_some_and(is_whole) {
            return;
        }
        let key = |seat: &RatedSeat| (seat.account, seat.game.clone(), seat.players);
        let before: Vec<_> =
            seats.iter().map(|seat| self.ratings.get(&key(seat)).map(|kept| kept.skill)).collect();
        let score = |seat: &RatedSeat| {
            let same = |row: &RatedSeat| {
                (&row.game, row.players, &row.setup, row.seat)
                    == (&seat.game, seat.players, &seat.setup, seat.seat)
            };
            let counted = self.rows.iter().filter(|(row, counted)| counted.is_some() && same(row));
            counted.filter_map(|(row, _)| row.step).map(|step| step.sixths).sum()
        };
        let side_sixths: Vec<u64> = seats.iter().map(score).collect();
        let counting = Counting { seats: &seats, before: &before, side_sixths: &side_sixths };
        let Some(steps) = formula(&counting).filter(|steps| steps.len() == seats.len()) else { return };
        for (seat, step) in seats.iter().zip(steps) {
            for (row, counted) in &mut self.rows {
                if (&row.match_id, row.account) == (&seat.match_id, seat.account) {
                    (row.step, *counted) = (Some(step), Some(number));
                }
            }
            let kept = self.ratings.entry(key(seat)).or_insert_with(|| KeptRating {
                account: seat.account,
                game: seat.game.clone(),
                players: seat.players,
                skill: step.after,
                matches: 0,
            });
            (kept.skill, kept.matches) = (step.after, kept.matches + 1);
        }
    }
}

impl MemoryStore {
    fn book<T>(&self, work: impl FnOnce(&mut Book) -> T) -> T {
        work(&mut self.inner().book)
    }
}

impl RatingBook for MemoryStore {
    fn prepare_ratings(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn rated_up_to(&self) -> Result<u64, StoreError> {
        Ok(self.book(|book| book.up_to))
    }

    fn take_up(&self, row: &RatedSeat, formula: Formula<'_>) -> Result<bool, StoreError> {
        Ok(self.book(|book| {
            if book.up_to >= row.number {
                return false;
            }
            book.up_to = row.number;
            let clashes = |known: &RatedSeat| {
                known.match_id == row.match_id && (known.account == row.account || known.seat == row.seat)
            };
            if !book.rows.iter().any(|(known, _)| clashes(known)) {
                book.rows.push((RatedSeat { step: None, luck: Luck::Waits, ..row.clone() }, None));
            }
            book.count_if_whole(&row.match_id, row.number, formula);
            true
        }))
    }

    fn pass_over(&self, number: u64) -> Result<(), StoreError> {
        self.book(|book| book.up_to = book.up_to.max(number));
        Ok(())
    }

    fn count_anew(&self, formula: Formula<'_>) -> Result<(), StoreError> {
        self.book(|book| {
            book.ratings.clear();
            let mut last: BTreeMap<String, u64> = BTreeMap::new();
            for (row, counted) in &mut book.rows {
                (*counted, row.step) = (None, None);
                let known = last.entry(row.match_id.clone()).or_default();
                *known = (*known).max(row.number);
            }
            let mut order: Vec<(u64, String)> = last.into_iter().map(|(id, number)| (number, id)).collect();
            order.sort_unstable();
            for (number, id) in order {
                book.count_if_whole(&id, number, formula);
            }
        });
        Ok(())
    }

    fn ratings_of(&self, account: AccountId) -> Result<Vec<KeptRating>, StoreError> {
        let own =
            |book: &mut Book| book.ratings.values().filter(|kept| kept.account == account).cloned().collect();
        Ok(self.book(own))
    }

    fn rated_players(&self, game: &str, most: usize) -> Result<Vec<KeptRating>, StoreError> {
        let mut found: Vec<KeptRating> =
            self.book(|book| book.ratings.values().filter(|kept| kept.game == game).cloned().collect());
        let at_least = |kept: &KeptRating| kept.skill.mu - 3.0 * kept.skill.sigma;
        found.sort_by(|a, b| {
            at_least(b).total_cmp(&at_least(a)).then((a.account, a.players).cmp(&(b.account, b.players)))
        });
        found.truncate(most);
        Ok(found)
    }

    fn rated_seats(&self, account: AccountId, most: usize) -> Result<Vec<RatedSeat>, StoreError> {
        let mut found: Vec<(u64, RatedSeat)> = self.book(|book| {
            let own = book.rows.iter().filter(|(row, _)| row.account == account);
            own.filter_map(|(row, counted)| Some(((*counted)?, row.clone()))).collect()
        });
        found.sort_by_key(|(counted, _)| std::cmp::Reverse(*counted));
        Ok(found.into_iter().map(|(_, row)| row).take(most).collect())
    }

    fn rated_match(&self, match_id: &str) -> Result<Vec<RatedSeat>, StoreError> {
        Ok(self.book(|book| book.of_match(match_id)))
    }

    fn side_scores(&self, game: &str) -> Result<Vec<SideScore>, StoreError> {
        let mut scores: BTreeMap<(u8, String, u8), SideScore> = BTreeMap::new();
        self.book(|book| {
            for (row, _) in book.rows.iter().filter(|(row, counted)| row.game == game && counted.is_some()) {
                let score = scores.entry((row.players, row.setup.clone(), row.seat));
                let score = score.or_insert_with(|| SideScore {
                    players: row.players,
                    setup: row.setup.clone(),
                    seat: row.seat,
                    side: row.side.clone(),
                    matches: 0,
                    sixths: 0,
                });
                score.matches += 1;
                score.sixths += row.step.map_or(0, |step| step.sixths);
            }
        });
        Ok(scores.into_values().collect())
    }

    fn to_review(&self, most: usize) -> Result<Vec<String>, StoreError> {
        let mut found: Vec<(u64, String)> = self.book(|book| {
            let waiting = book.rows.iter().filter(|(row, _)| row.luck == Luck::Waits);
            waiting.filter_map(|(row, counted)| Some(((*counted)?, row.match_id.clone()))).collect()
        });
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        Ok(found.into_iter().map(|(_, id)| id).take(most).collect())
    }

    fn set_luck(&self, match_id: &str, luck: &[f64]) -> Result<(), StoreError> {
        self.book(|book| {
            for (row, _) in book.rows.iter_mut().filter(|(row, _)| row.match_id == match_id) {
                let known = luck.get(usize::from(row.seat));
                row.luck = known.map_or(Luck::Unknowable, |luck| Luck::Known(*luck));
            }
        });
        Ok(())
    }
}
