//! Tournaments in memory, for tests.

use std::collections::BTreeMap;

use crate::{
    AccountId, Entered, Entrant, MemoryStore, Pairing, StoreError, TournamentRecord, TournamentState,
    Tournaments,
};

/// A tournament with all that belongs to it.
#[derive(Default)]
pub(crate) struct Cup {
    record: TournamentRecord,
    entrants: Vec<Entrant>,
    pairings: Vec<Pairing>,
}

/// All of them.
pub(crate) type Cups = BTreeMap<String, Cup>;

impl Cup {
    fn enter(&mut self, account: AccountId, at: u64, most: usize) -> Entered {
        if self.record.state != TournamentState::Gathering {
            return Entered::Shut;
        }
        if self.entrants.iter().any(|entrant| entrant.account == account) {
            return Entered::Already;
        }
        if self.entrants.len() >= most {
            return Entered::Full;
        }
        self.entrants.push(Entrant { account, entered_at: at, withdrawn_at: None, pool: None });
        Entered::Done
    }

    fn withdraw(&mut self, account: AccountId, at: u64) -> bool {
        let found = self.entrants.iter().position(|entrant| entrant.account == account);
        match (found, self.record.state) {
            (Some(found), TournamentState::Gathering) => {
                self.entrants.remove(found);
                true
            }
            (Some(found), TournamentState::Running) if self.entrants[found].withdrawn_at.is_none() => {
                self.entrants[found].withdrawn_at = Some(at);
                true
            }
            _ => false,
        }
    }

    fn begin(&mut self, pools: &[(AccountId, u8)], pairings: &[Pairing]) -> bool {
        let of = |account| pools.iter().find(|(of, _)| *of == account).map(|(_, pool)| *pool);
        let is_same =
            self.entrants.len() == pools.len() && self.entrants.iter().all(|e| of(e.account).is_some());
        if self.record.state != TournamentState::Gathering || !is_same {
            return false;
        }
        for entrant in &mut self.entrants {
            entrant.pool = of(entrant.account);
        }
        self.pairings = pairings.to_vec();
        self.record.state = TournamentState::Running;
        true
    }
}

impl MemoryStore {
    fn cups<T>(&self, work: impl FnOnce(&mut Cups) -> T) -> T {
        work(&mut self.inner().cups)
    }

    /// Something about one tournament, or what `T` is without it.
    fn cup<T: Default>(&self, id: &str, work: impl FnOnce(&mut Cup) -> T) -> T {
        self.cups(|cups| cups.get_mut(id).map(work).unwrap_or_default())
    }

    fn pairing(&self, id: &str, number: u32, change: impl FnOnce(&mut Pairing) -> bool) -> bool {
        self.cup(id, |cup| {
            cup.pairings.iter_mut().find(|pairing| pairing.number == number).is_some_and(change)
        })
    }
}

impl Tournaments for MemoryStore {
    fn prepare_tournaments(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn add_tournament(&self, new: &TournamentRecord, entrants: &[AccountId]) -> Result<(), StoreError> {
        let entrant = |account: &AccountId| Entrant {
            account: *account,
            entered_at: new.made_at,
            withdrawn_at: None,
            pool: None,
        };
        let entrants = entrants.iter().map(entrant).collect();
        let cup = Cup { record: new.clone(), entrants, pairings: Vec::new() };
        self.cups(|cups| match cups.contains_key(&new.id) {
            true => Err(StoreError::Other(format!("tournament {} is there already", new.id))),
            false => {
                cups.insert(new.id.clone(), cup);
                Ok(())
            }
        })
    }

    fn tournament(&self, id: &str) -> Result<Option<TournamentRecord>, StoreError> {
        Ok(self.cups(|cups| cups.get(id).map(|cup| cup.record.clone())))
    }

    fn tournaments(&self, most: usize) -> Result<Vec<TournamentRecord>, StoreError> {
        let mut found: Vec<TournamentRecord> =
            self.cups(|cups| cups.values().map(|cup| cup.record.clone()).collect());
        found.sort_by(|a, b| (b.made_at, &b.id).cmp(&(a.made_at, &a.id)));
        found.truncate(most);
        Ok(found)
    }

    fn running_tournaments(&self) -> Result<Vec<TournamentRecord>, StoreError> {
        let mut all = self.tournaments(usize::MAX)?;
        all.retain(|record| record.state == TournamentState::Running);
        Ok(all)
    }

    fn entrants(&self, id: &str) -> Result<Vec<Entrant>, StoreError> {
        Ok(self.cup(id, |cup| cup.entrants.clone()))
    }

    fn pairings(&self, id: &str) -> Result<Vec<Pairing>, StoreError> {
        Ok(self.cup(id, |cup| cup.pairings.clone()))
    }

    fn enter(&self, id: &str, account: AccountId, at: u64, most: usize) -> Result<Entered, StoreError> {
        Ok(self.cups(|cups| cups.get_mut(id).map_or(Entered::Shut, |cup| cup.enter(account, at, most))))
    }

    fn withdraw(&self, id: &str, account: AccountId, at: u64) -> Result<bool, StoreError> {
        Ok(self.cup(id, |cup| cup.withdraw(account, at)))
    }

    fn begin(&self, id: &str, pools: &[(AccountId, u8)], pairings: &[Pairing]) -> Result<bool, StoreError> {
        Ok(self.cup(id, |cup| cup.begin(pools, pairings)))
    }

    fn move_on(&self, id: &str, from: TournamentState, to: TournamentState) -> Result<bool, StoreError> {
        Ok(self.cup(id, |cup| {
            let is_there = cup.record.state == from;
            if is_there {
                cup.record.state = to;
            }
            is_there
        }))
    }

    fn set_match(&self, id: &str, number: u32, match_id: &str) -> Result<bool, StoreError> {
        Ok(self.pairing(id, number, |pairing| match pairing.match_id {
            Some(_) => false,
            None => {
                pairing.match_id = Some(match_id.to_owned());
                true
            }
        }))
    }

    fn decide(&self, id: &str, number: u32, standings: &str, why: &str) -> Result<bool, StoreError> {
        Ok(self.pairing(id, number, |pairing| {
            pairing.verdict = Some((standings.to_owned(), why.to_owned()));
            true
        }))
    }

    fn entered_by(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        let takes_part = |cup: &&Cup| {
            let is_open = matches!(cup.record.state, TournamentState::Gathering | TournamentState::Running);
            is_open && cup.entrants.iter().any(|e| e.account == account && e.withdrawn_at.is_none())
        };
        Ok(self.cups(|cups| cups.values().filter(takes_part).map(|cup| cup.record.id.clone()).collect()))
    }
}
