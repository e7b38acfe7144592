//! Tournaments: who enters, who meets whom, and how it stands. Results are read from the matches, whose journals decide.
//!
//! Every pool is played round by round: the matches of a round are made when those of the round before are settled. Every step here
//! can be taken again after it was interrupted: a match has its id before it is made, and what a withdrawal means is worked out anew
//! each time.

mod making;
mod standing;

use std::sync::Arc;

use clocks::Rules;
use diagnostics::shown;
use kernel::{MatchDice, Secret};
use store::{
    AccountId, Entered, MatchRecord, Pairing, Player, StoreError, TournamentRecord, TournamentState,
};
use tracing::info;

pub use making::{MOST_ENTRANTS, NewTournament};
pub use standing::{Fate, PoolTable, Round, TournamentView};

use super::creation::{Draft, Reserved, share_dice};
use super::{Lobby, LobbyError, Sender};
use crate::live::TableAct;
use crate::proceedings::read_standings;
use crate::secrets;

fn refuse<T>(why: impl Into<String>) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.into()))
}

impl Lobby {
    /// A tournament as it is kept.
    pub async fn tournament(&self, id: &str) -> Result<TournamentRecord, LobbyError> {
        let of = id.to_owned();
        let found = self.with_contest(move |contests| contests.tournament(&of)).await?;
        found.ok_or(LobbyError::NotFound)
    }

    /// A tournament as it stands.
    pub async fn tournament_view(&self, id: &str) -> Result<TournamentView, LobbyError> {
        let record = self.tournament(id).await?;
        let of = id.to_owned();
        let read =
            move |contests: &dyn super::Contests| Ok((contests.entrants(&of)?, contests.pairings(&of)?));
        let (entrants, pairings) = self.with_contest(read).await?;
        let ids: Vec<String> = pairings.iter().filter_map(|pairing| pairing.match_id.clone()).collect();
        let matches: Vec<MatchRecord> = self
            .with_store(move |store| {
                ids.iter().filter_map(|id| store.find(id).transpose()).collect::<Result<_, _>>()
            })
            .await?;
        Ok(TournamentView::new(record, entrants, pairings, &matches))
    }

    /// Puts an account on the list.
    pub async fn enter_tournament(&self, id: &str, account: AccountId) -> Result<(), LobbyError> {
        let record = self.tournament(id).await?;
        if !record.is_open {
            return refuse("The organizer names who takes part in this tournament.");
        }
        self.add_entrant(id, account).await
    }

    /// The same for somebody whom the organizer names.
    pub async fn add_entrant(&self, id: &str, account: AccountId) -> Result<(), LobbyError> {
        let (of, at) = (id.to_owned(), self.now());
        let enter = move |contests: &dyn super::Contests| contests.enter(&of, account, at, MOST_ENTRANTS);
        match self.with_contest(enter).await? {
            Entered::Done | Entered::Already => {
                self.tending.news.send_modify(|count| *count += 1);
                Ok(())
            }
            Entered::Full => refuse(format!("The list is full: {MOST_ENTRANTS} have entered.")),
            Entered::Shut => refuse("This tournament has begun, so nobody can enter any more."),
        }
    }

    /// Takes an account off the list, or withdraws it from the matches that are left: they are lost.
    pub async fn withdraw_from(self: &Arc<Self>, id: &str, account: AccountId) -> Result<(), LobbyError> {
        let (of, at) = (id.to_owned(), self.now());
        if !self.with_contest(move |contests| contests.withdraw(&of, account, at)).await? {
            return refuse("Whoever does not take part, or has withdrawn already, can't withdraw.");
        }
        self.after_change().await;
        Ok(())
    }

    /// Withdraws an account that leaves the house.
    pub(super) async fn withdraw_everywhere(self: &Arc<Self>, account: AccountId) -> Result<(), LobbyError> {
        if self.contests.is_none() {
            return Ok(());
        }
        for id in self.with_contest(move |contests| contests.entered_by(account)).await? {
            match self.withdraw_from(&id, account).await {
                // It was over meanwhile.
                Ok(()) | Err(LobbyError::Bad(_)) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Calls a tournament off that has not begun.
    pub async fn call_off(&self, id: &str) -> Result<(), LobbyError> {
        let of = id.to_owned();
        let (from, to) = (TournamentState::Gathering, TournamentState::CalledOff);
        match self.with_contest(move |contests| contests.move_on(&of, from, to)).await? {
            true => {
                self.tending.news.send_modify(|count| *count += 1);
                Ok(())
            }
            false => refuse("Only a tournament that has not begun can be called off."),
        }
    }

    /// The organizer's word about a match: how each seat fared (`win,loss`; empty for no result), and why. A result that stands in
    /// the journal stays.
    pub async fn decide_pairing(
        self: &Arc<Self>,
        id: &str,
        number: u32,
        standings: &str,
        why: &str,
    ) -> Result<(), LobbyError> {
        let view = self.tournament_view(id).await?;
        if view.record.state != TournamentState::Running {
            return refuse("Verdicts are for a tournament that is being played.");
        }
        let Some(round) = view.find(number) else {
            return refuse("There is no such match in this tournament.");
        };
        let seats = round.pairing.players.len();
        if !standings.is_empty() && read_standings(standings, seats).is_none() {
            return refuse(format!("{:?} does not say how each player fared.", shown(standings)));
        }
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        if why.is_empty() {
            return refuse("Say why: all players read it.");
        }
        let why: String = why.chars().take(200).collect();
        match (&round.fate, &round.pairing.match_id) {
            (Fate::Scored(_), Some(_)) if round.pairing.verdict.is_none() => {
                return refuse("This match is over, and its journal says how it ended.");
            }
            (Fate::Running, Some(id)) => {
                let found = self.find(id).await?;
                let (standings, why) = (standings.to_owned(), why.clone());
                let act = move |live: &mut crate::live::Live| live.verdict(&standings, &why);
                self.commit_anyhow(&found, Sender::default(), act).await?;
            }
            _ => {}
        }
        let (of, standings) = (id.to_owned(), standings.to_owned());
        if !self.with_contest(move |contests| contests.decide(&of, number, &standings, &why)).await? {
            return Err(LobbyError::NotFound);
        }
        self.after_change().await;
        Ok(())
    }

    /// What is done at once after somebody has changed something.
    pub(super) async fn after_change(self: &Arc<Self>) {
        self.tend_contests().await;
        self.tending.news.send_modify(|count| *count += 1);
    }

    /// Brings all tournaments on: makes the matches of rounds that begin, gives up those of players who have withdrawn, and closes
    /// what is over.
    pub(super) async fn run_tournaments(self: &Arc<Self>) -> Result<(), LobbyError> {
        for record in self.with_contest(|contests| contests.running_tournaments()).await? {
            // One that can't be brought on must not hold up the others.
            if let Err(why) = self.bring_on(&record).await {
                tracing::warn!("tournament {}: {why}", record.id);
            }
        }
        Ok(())
    }

    async fn bring_on(self: &Arc<Self>, record: &TournamentRecord) -> Result<(), LobbyError> {
        let view = self.tournament_view(&record.id).await?;
        for round in view.rounds().filter(|round| round.fate == Fate::Running) {
            for &player in round.pairing.players.iter().filter(|player| view.has_withdrawn(**player)) {
                self.resign_for(round.pairing.match_id.as_deref().unwrap_or_default(), player).await?;
            }
        }
        let due = view.due();
        for pairing in &due {
            self.make_match(record, pairing).await?;
        }
        let is_over = due.is_empty() && view.is_settled();
        if is_over {
            let id = record.id.clone();
            let (from, to) = (TournamentState::Running, TournamentState::Over);
            self.with_contest(move |contests| contests.move_on(&id, from, to)).await?;
        }
        if is_over || !due.is_empty() {
            self.tending.news.send_modify(|count| *count += 1);
        }
        Ok(())
    }

    async fn resign_for(self: &Arc<Self>, match_id: &str, player: AccountId) -> Result<(), LobbyError> {
        let found = self.find(match_id).await?;
        let act = move |live: &mut crate::live::Live| {
            let seat = live.seats.iter().find(|seat| seat.player.account() == Some(player));
            let seat = kernel::Seat(seat.ok_or(LobbyError::WatchOnly)?.seat);
            live.act(seat, live.revision, &TableAct::Resign)
        };
        match self.commit(&found, act).await {
            // Where the seat is not theirs any more there is nothing to give up; where somebody was quicker it is looked at again.
            Ok(_) | Err(LobbyError::WatchOnly | LobbyError::Bad(_) | LobbyError::Stale { .. }) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// Makes the match of a pairing, with a dice secret of its own. Its id is noted first: whoever comes after an interruption makes
    /// the same match and no other.
    async fn make_match(
        self: &Arc<Self>,
        record: &TournamentRecord,
        pairing: &Pairing,
    ) -> Result<(), LobbyError> {
        let id = match &pairing.match_id {
            Some(id) => id.clone(),
            None => {
                let new = secrets::match_id()?;
                let (of, number, match_id) = (record.id.clone(), pairing.number, new.clone());
                if !self.with_contest(move |contests| contests.set_match(&of, number, &match_id)).await? {
                    return Ok(());
                }
                new
            }
        };
        let title = Arc::clone(self.title(&record.game)?);
        let options = making::options_of(record);
        let dice = MatchDice::fair(Secret(secrets::random_bytes()?));
        let mut table = title.open(&options, dice).map_err(LobbyError::Bad)?;
        let players: Vec<Player> =
            pairing.players.iter().map(|id| Player::Account { id: *id, bot: None }).collect();
        share_dice(&mut *table, &players);
        table.play_forced(None);
        let rules: Rules =
            record.clock.parse().map_err(|why: clocks::RulesError| LobbyError::Bad(why.to_string()))?;
        let name = format!("{}, round {}", record.name, pairing.round);
        let draft = Draft {
            title,
            table,
            players,
            name: &name,
            origin: None,
            lesson: String::new(),
            rules: Some(rules),
        };
        let reserved = Reserved { id, links: Vec::new(), at_once: true };
        match self.start_match_with(draft, Some(reserved), None).await {
            Ok(_) => {}
            // Another server was faster.
            Err(LobbyError::Store(StoreError::Exists { .. })) => return Ok(()),
            Err(error) => return Err(error),
        }
        info!("tournament {}: match {} begins", record.id, pairing.number);
        Ok(())
    }
}
