//! How a tournament stands: what became of each match, and the tables of the pools.

use std::collections::{HashMap, HashSet};

use ratings::{Played, Row, Score, standings};
use store::{AccountId, Entrant, MatchRecord, Pairing, TournamentRecord};

/// What became of a pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its match is not there yet.
    ToCome,
    /// Its match is played.
    Running,
    /// It counts: how each player fared.
    Scored(Vec<Score>),
    /// It counts for nobody.
    Void,
}

/// A pairing with what became of it.
#[derive(Clone, Debug)]
pub struct Round {
    /// The pairing.
    pub pairing: Pairing,
    /// What became of it.
    pub fate: Fate,
    /// How it ended, in words; empty where there is nothing to say.
    pub words: String,
    /// The token for watching the match, once there is one.
    pub watch: Option<String>,
}

/// The table of a pool.
#[derive(Clone, Debug)]
pub struct PoolTable {
    /// The players.
    pub players: Vec<AccountId>,
    /// The lines, best first; `player` is an index into `players`.
    pub rows: Vec<Row>,
}

/// A tournament as it stands.
#[derive(Clone, Debug)]
pub struct TournamentView {
    /// The tournament.
    pub record: TournamentRecord,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    rounds: Vec<Round>,
    withdrawn: HashSet<AccountId>,
}

impl TournamentView {
    /// A tournament and what is known of its matches.
    pub fn new(
        record: TournamentRecord,
        entrants: Vec<Entrant>,
        pairings: Vec<Pairing>,
        matches: &[MatchRecord],
    ) -> Self {
        let withdrawn: HashSet<AccountId> =
            entrants.iter().filter(|e| e.withdrawn_at.is_some()).map(|e| e.account).collect();
        let matches: HashMap<&str, &MatchRecord> = matches.iter().map(|m| (m.id.as_str(), m)).collect();
        let round = |pairing: Pairing| {
            let found = pairing.match_id.as_deref().and_then(|id| matches.get(id).copied());
            let (fate, words) = settled(&pairing, found, &withdrawn);
            let watch =
                found.filter(|found| found.deleted_at.is_none()).map(|found| found.viewer_token.clone());
            Round { pairing, fate, words, watch }
        };
        let rounds = pairings.into_iter().map(round).collect();
        Self { record, entrants, rounds, withdrawn }
    }

    /// All pairings with what became of them, by number.
    pub fn rounds(&self) -> impl Iterator<Item = &Round> {
        self.rounds.iter()
    }

    /// The pairing with a number.
    pub fn find(&self, number: u32) -> Option<&Round> {
        self.rounds.iter().find(|round| round.pairing.number == number)
    }

    /// Whether somebody has withdrawn.
    pub fn has_withdrawn(&self, account: AccountId) -> bool {
        self.withdrawn.contains(&account)
    }

    /// Whether nothing is left to play.
    pub fn is_settled(&self) -> bool {
        self.rounds.iter().all(|round| matches!(round.fate, Fate::Scored(_) | Fate::Void))
    }

    /// The pairings whose matches are to be made now: those of the round that each pool has come to.
    pub fn due(&self) -> Vec<Pairing> {
        let mut due = Vec::new();
        for pool in 0..self.pools() {
            let open = self.rounds.iter().filter(|round| {
                round.pairing.pool == pool && matches!(round.fate, Fate::ToCome | Fate::Running)
            });
            let now = open.clone().map(|round| round.pairing.round).min();
            due.extend(
                open.filter(|round| Some(round.pairing.round) == now && round.fate == Fate::ToCome)
                    .map(|round| round.pairing.clone()),
            );
        }
        due
    }

    fn pools(&self) -> u8 {
        self.entrants.iter().filter_map(|entrant| entrant.pool).max().map_or(0, |last| last + 1)
    }

    /// The tables of the pools.
    pub fn tables(&self) -> Vec<PoolTable> {
        (0..self.pools()).map(|pool| self.table(pool)).collect()
    }

    fn table(&self, pool: u8) -> PoolTable {
        let of_pool = self.entrants.iter().filter(|entrant| entrant.pool == Some(pool));
        let players: Vec<AccountId> = of_pool.map(|entrant| entrant.account).collect();
        let place = |account: &AccountId| players.iter().position(|player| player == account);
        let played = |round: &Round| match &round.fate {
            Fate::Scored(scores) if round.pairing.pool == pool => {
                let each = round.pairing.players.iter().zip(scores);
                Some(Played(each.filter_map(|(account, score)| Some((place(account)?, *score))).collect()))
            }
            _ => None,
        };
        let matches: Vec<Played> = self.rounds.iter().filter_map(played).collect();
        PoolTable { rows: standings(players.len(), &matches), players }
    }
}

/// What became of a pairing: the house's verdict first, then the journal of its match, then who has withdrawn.
fn settled(pairing: &Pairing, found: Option<&MatchRecord>, withdrawn: &HashSet<AccountId>) -> (Fate, String) {
    if let Some((standings, why)) = &pairing.verdict {
        return (scored(standings, pairing, None), format!("Verdict: {why}"));
    }
    match found {
        Some(found) if found.deleted_at.is_some() => (Fate::Void, "The match was deleted".to_owned()),
        Some(found) if found.summary.result.is_some() => {
            let fate = scored(&found.summary.standings, pairing, Some(found));
            (fate, found.summary.result_title.clone())
        }
        Some(_) => (Fate::Running, String::new()),
        None => forfeited(pairing, withdrawn),
    }
}

/// The scores that standings mean. Whoever has given a seat up has lost, whatever a bot made of it.
fn scored(standings: &str, pairing: &Pairing, found: Option<&MatchRecord>) -> Fate {
    let words: Vec<&str> = standings.split(',').collect();
    if words.len() != pairing.players.len() {
        return Fate::Void;
    }
    let score = |(seat, word): (usize, &&str)| {
        let is_theirs = found
            .and_then(|found| found.seats.get(seat))
            .is_none_or(|record| record.player.account() == pairing.players.get(seat).copied());
        match *word {
            "win" if is_theirs => Some(Score::Win),
            "draw" if is_theirs => Some(Score::Draw),
            "win" | "draw" | "loss" => Some(Score::Loss),
            _ => None,
        }
    };
    words.iter().enumerate().map(score).collect::<Option<_>>().map_or(Fate::Void, Fate::Scored)
}

/// A match that is not made because somebody has withdrawn: one who is left has won, two share.
fn forfeited(pairing: &Pairing, withdrawn: &HashSet<AccountId>) -> (Fate, String) {
    let gone = |player: &AccountId| withdrawn.contains(player);
    let left = pairing.players.iter().filter(|player| !gone(player)).count();
    if left == pairing.players.len() {
        return (Fate::ToCome, String::new());
    }
    let score = |player: &AccountId| match (gone(player), left) {
        (true, _) => Score::Loss,
        (false, 1) => Score::Win,
        (false, _) => Score::Draw,
    };
    match left {
        0 => (Fate::Void, "Not played: all have withdrawn".to_owned()),
        _ => (Fate::Scored(pairing.players.iter().map(score).collect()), "Forfeit".to_owned()),
    }
}
