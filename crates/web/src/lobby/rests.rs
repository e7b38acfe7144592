//! Days of rest: announced by hand for all matches of an account, thirty a year, in whole days of its zone.
//!
//! What is announced is kept with the account, and becomes an entry of every match that it has a seat in: of those that run, and of
//! those that begin while it rests. A house that dies in between goes on with it when it starts.

use std::sync::Arc;

use clocks::{DAY, Days};
use diagnostics::shown;
use store::{Account, AccountId, Rest, SeatRecord, Shelf};
use tracing::warn;

use super::{Lobby, LobbyError, Sender};
use crate::live::{Live, RestIn};

/// How many days an account may rest in a year.
pub const REST_DAYS: u32 = 30;
/// How far ahead a rest may be announced.
const AHEAD: u64 = 366 * DAY;
/// The most matches in which an account can rest: it has no more clocks that run.
const MOST: usize = 1_000;

/// What an announced rest has led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rested {
    /// In how many matches the clock stands still, or will.
    pub matches: usize,
    /// In which it does not, by name, and why.
    pub refused: Vec<(String, &'static str)>,
}

fn refuse<T>(why: impl Into<String>) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.into()))
}

/// The days of a kept rest.
pub fn days_of(rest: &Rest, zone: &str) -> Option<Days> {
    Days::read(&rest.first, &rest.last, zone)
}

/// How many days of a year are left for resting.
pub fn days_left(rests: &[Rest], year: i16) -> u32 {
    let taken: u32 =
        rests.iter().filter_map(|rest| days_of(rest, "UTC")).map(|days| days.in_year(year)).sum();
    REST_DAYS.saturating_sub(taken)
}

/// A rest from one day to another, if an account with these rests may take it now.
fn planned(rests: &[Rest], first: &str, last: &str, zone: &str, now: u64) -> Result<Rest, String> {
    let Some(days) = Days::read(first.trim(), last.trim(), zone) else {
        return Err(format!(
            "{} to {}: choose two days such as 2026-12-24, the last not before the first.",
            shown(first),
            shown(last)
        ));
    };
    let (Some(from), Some(until)) = (days.from(), days.until()) else {
        return Err("These days are in no calendar.".to_owned());
    };
    if until <= now {
        return Err("These days are over: time is never given back.".to_owned());
    }
    if Days::at(now, zone).is_some_and(|today| days.first() < today.first()) {
        return Err("A rest begins today at the earliest.".to_owned());
    }
    if until > now.saturating_add(AHEAD) {
        return Err("A rest is announced up to a year ahead.".to_owned());
    }
    if let Some(other) =
        rests.iter().filter_map(|rest| days_of(rest, zone)).find(|other| other.overlap(&days))
    {
        return Err(format!("You rest already, {other}."));
    }
    for year in days.years() {
        let left = days_left(rests, year);
        if days.in_year(year) > left {
            let unit = if left == 1 { "day" } else { "days" };
            return Err(format!("Of the {REST_DAYS} days of {year} you have {left} {unit} left."));
        }
    }
    Ok(Rest { first: days.first(), last: days.last(), from: from.max(now), until })
}

/// What is left of a rest when its holder is back: the days that have begun.
fn shortened(rest: &Rest, zone: &str, now: u64) -> Option<Rest> {
    let today = Days::at(now, zone).filter(|_| rest.from <= now)?;
    Some(Rest { last: today.last().min(rest.last.clone()), until: now, ..rest.clone() })
}

impl Lobby {
    /// Announces that the holder of an account rests from one day to another.
    pub async fn announce_rest(
        self: &Arc<Self>,
        account: &Account,
        first: &str,
        last: &str,
    ) -> Result<Rested, LobbyError> {
        let (id, zone, now) = (account.id, account.zone.clone(), self.now());
        let before = self.with_accounts(move |people| people.rests(id)).await?;
        let rest = planned(&before, first, last, &zone, now).map_err(LobbyError::Bad)?;
        // Each is an entry in many matches.
        if !self.rests_announced.take(id, now) {
            return refuse("You have announced three rests within the hour: wait a little with the next.");
        }
        // What was rested long ago counts for no year any more.
        let mut after: Vec<Rest> = before.clone();
        after.retain(|rest| rest.until.saturating_add(2 * AHEAD) > now);
        after.push(rest.clone());
        after.sort_by_key(|rest| rest.from);
        if !self.with_accounts(move |people| people.put_rests(id, &before, &after)).await? {
            return refuse("You have just changed your days of rest elsewhere: look again.");
        }
        self.rest_everywhere(id, &rest).await
    }

    /// Ends a rest, or takes back one that has not begun. The days that have begun count.
    pub async fn end_rest(self: &Arc<Self>, account: &Account, from: u64) -> Result<(), LobbyError> {
        let (id, zone, now) = (account.id, account.zone.clone(), self.now());
        let before = self.with_accounts(move |people| people.rests(id)).await?;
        let Some(at) = before.iter().position(|rest| rest.from == from && rest.until > now) else {
            return refuse("This rest is over already.");
        };
        let mut after = before.clone();
        let ended = after.remove(at);
        let until = ended.until;
        for kept in self.running_of(id).await? {
            let Some(found) = self.openable(&kept).await? else { continue };
            if found.lock().await.back_of(id, until).is_some() {
                let gone = |live: &Live| LobbyError::Stale { revision: live.revision };
                let act = move |live: &mut Live| match live.back_of(id, until) {
                    Some(event) => Ok(live.happen(event)),
                    None => Err(gone(live)),
                };
                self.enter_rest(&found, id, act).await?;
            }
        }
        // The account's own row comes last: whoever was interrupted can go on with it.
        after.extend(shortened(&ended, &zone, now));
        after.sort_by_key(|rest| rest.from);
        match self.with_accounts(move |people| people.put_rests(id, &before, &after)).await? {
            true => Ok(()),
            false => refuse("You have just changed your days of rest elsewhere: look again."),
        }
    }

    /// Brings a rest into all matches of an account that run.
    async fn rest_everywhere(self: &Arc<Self>, id: AccountId, rest: &Rest) -> Result<Rested, LobbyError> {
        let mut rested = Rested::default();
        for kept in self.running_of(id).await? {
            match self.rest_in(&kept, id, rest).await? {
                (name, RestIn::Refused(why)) => rested.refused.push((name, why)),
                (_, RestIn::Entry(_)) => rested.matches += 1,
                (_, RestIn::Nothing) => {}
            }
        }
        Ok(rested)
    }

    async fn running_of(&self, id: AccountId) -> Result<Vec<String>, LobbyError> {
        let seats = self.with_accounts(move |people| people.kept_seats(id, Shelf::Running, MOST)).await?;
        Ok(seats.into_iter().map(|seat| seat.match_id).collect())
    }

    /// A match, unless the rules can't follow it any more: nobody is awaited there.
    async fn openable(self: &Arc<Self>, id: &str) -> Result<Option<Arc<super::LiveMatch>>, LobbyError> {
        match self.find(id).await {
            Ok(found) => Ok(Some(found)),
            Err(LobbyError::Store(why)) => Err(LobbyError::Store(why)),
            Err(_) => Ok(None),
        }
    }

    /// Brings a rest into a match; returns its name, and what became of it.
    async fn rest_in(
        self: &Arc<Self>,
        id: &str,
        account: AccountId,
        rest: &Rest,
    ) -> Result<(String, RestIn), LobbyError> {
        let Some(found) = self.openable(id).await? else { return Ok((String::new(), RestIn::Nothing)) };
        let (from, until) = (rest.from, rest.until);
        let (name, meant) = {
            let live = found.lock().await;
            (live.name.clone(), live.rest_of(account, from, until))
        };
        if matches!(meant, RestIn::Entry(_)) {
            let act = move |live: &mut Live| match live.rest_of(account, from, until) {
                RestIn::Entry(event) => Ok(live.happen(event)),
                _ => Err(LobbyError::Stale { revision: live.revision }),
            };
            self.enter_rest(&found, account, act).await?;
        }
        Ok((name, meant))
    }

    /// Writes an entry about a rest. That somebody else has done so meanwhile is as good.
    async fn enter_rest(
        self: &Arc<Self>,
        found: &Arc<super::LiveMatch>,
        account: AccountId,
        act: impl FnOnce(&mut Live) -> Result<crate::live::Pending, LobbyError> + Clone + Send + 'static,
    ) -> Result<(), LobbyError> {
        let sender = Sender { account: Some(account), request: None };
        match self.commit_anyhow(found, sender, act).await {
            Ok(_) | Err(LobbyError::Stale { .. } | LobbyError::NotFound) => Ok(()),
            Err(why) => Err(why),
        }
    }

    /// Lets those rest in a match that has just begun, or whose seat was just kept, who rest everywhere else.
    pub(super) async fn rest_at_table(self: &Arc<Self>, id: &str, seats: &[SeatRecord]) {
        let accounts: Vec<AccountId> = seats.iter().filter_map(|seat| seat.player.account()).collect();
        if accounts.is_empty() || self.people.is_none() {
            return;
        }
        if let Err(why) = self.bring_rests(accounts, Some(id)).await {
            warn!("match {id}: whether somebody rests could not be looked at: {why}");
        }
    }

    /// Goes on with rests that a house had not brought into all matches when it died; called once at the start.
    pub async fn wake_rests(self: &Arc<Self>) -> Result<(), LobbyError> {
        if self.people.is_none() {
            return Ok(());
        }
        let now = self.now();
        let accounts = self.with_accounts(move |people| people.resting(now)).await?;
        self.bring_rests(accounts, None).await
    }

    async fn bring_rests(
        self: &Arc<Self>,
        accounts: Vec<AccountId>,
        into: Option<&str>,
    ) -> Result<(), LobbyError> {
        let now = self.now();
        for account in accounts {
            let mut rests = self.with_accounts(move |people| people.rests(account)).await?;
            rests.retain(|rest| rest.until > now);
            for rest in rests {
                match into {
                    Some(id) => drop(self.rest_in(id, account, &rest).await?),
                    None => {
                        if let Err(why) = self.rest_everywhere(account, &rest).await {
                            warn!(
                                "a rest of account {} could not be brought into all matches: {why}",
                                account.0
                            );
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-09-21 14:13:20 UTC.
    const NOW: u64 = 1_790_000_000_000;
    const ZONE: &str = "Europe/Berlin";

    fn plan(rests: &[Rest], first: &str, last: &str) -> Result<Rest, String> {
        planned(rests, first, last, ZONE, NOW)
    }

    #[test]
    fn a_rest_is_whole_days_and_begins_now_at_the_earliest() {
        let rest = plan(&[], "2026-09-21", "2026-09-22").expect("two days");
        // The first of them has begun: what is over is not given back. The end is midnight in Berlin.
        assert_eq!((rest.from, rest.until % DAY), (NOW, 22 * clocks::HOUR));
        let later = plan(&[], " 2026-12-24", "2026-12-26 ").expect("three days");
        assert_eq!(later.until - later.from, 3 * DAY);
        for (first, last, told) in [
            ("2026-09-20", "2026-09-22", "today at the earliest"),
            ("2026-09-19", "2026-09-20", "are over"),
            ("2026-09-23", "2026-09-22", "choose two days"),
            ("soon", "", "choose two days"),
            ("2027-10-01", "2027-10-02", "a year ahead"),
            ("2026-10-01", "2026-10-31", "Of the 30 days of 2026 you have 30 days left."),
        ] {
            let why = plan(&[], first, last).expect_err(told);
            assert!(why.contains(told), "{why}");
        }
        assert!(plan(&[], "2026-10-01", "2026-10-30").is_ok());
    }

    #[test]
    fn thirty_days_a_year_and_no_day_twice() {
        let rests = [
            plan(&[], "2026-10-01", "2026-10-20").expect("twenty days"),
            plan(&[], "2026-12-24", "2027-01-02").expect("eight and two"),
        ];
        assert_eq!((days_left(&rests, 2026), days_left(&rests, 2027), days_left(&rests, 2028)), (2, 28, 30));
        let why = plan(&rests, "2026-10-20", "2026-10-21").expect_err("twice");
        assert!(why.contains("You rest already, 1 to 20 October."), "{why}");
        assert!(plan(&rests, "2026-11-01", "2026-11-02").is_ok());
        let why = plan(&rests, "2026-11-01", "2026-11-03").expect_err("too many");
        assert!(why.contains("you have 2 days left"), "{why}");
    }

    #[test]
    fn days_that_have_begun_count() {
        let rest = plan(&[], "2026-09-21", "2026-09-25").expect("five days");
        let back = shortened(&rest, ZONE, NOW + DAY).expect("it has begun");
        assert_eq!((back.last.as_str(), back.until, back.from), ("2026-09-22", NOW + DAY, NOW));
        assert_eq!(days_left(std::slice::from_ref(&back), 2026), 28);
        let later = plan(&[], "2026-12-24", "2026-12-26").expect("three days");
        assert_eq!(shortened(&later, ZONE, NOW), None, "what has not begun costs nothing");
    }
}
