//! Chat at a table and notes for oneself: who is in which room, and how much anybody can say.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::{Seat, Viewer};
use post::due;
use store::{
    AccountId, ChatLine, FORMER_PLAYER, Manners, NewLine, NewReport, NoticeKey, NoticeKind, People, Reported,
    Room, Said,
};

use super::{LiveMatch, Lobby, LobbyError};
use crate::bucket::{Rate, TokenBucket};
use crate::live::Live;

/// The longest line, in letters.
pub const LONGEST_LINE: usize = 500;
/// The longest note, in letters.
pub const LONGEST_NOTE: usize = 4_000;
/// How many lines are sent at once: the newest.
const LINES_AT_ONCE: usize = 200;
/// How much somebody says: a few lines in a row, then one every five seconds.
const SPEECH: Rate = Rate { at_once: 6.0, per_second: 0.2 };
/// The most speakers that are remembered.
const REMEMBERED: usize = 10_000;
/// Whoever loads the page anew is away for a moment only: that is not worth a word to everybody.
const PRESENCE_WAIT: Duration = Duration::from_secs(1);

/// Somebody who says or notes something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Speaker {
    /// As whom they look at the table.
    pub viewer: Viewer,
    /// Their account, if they are signed in.
    pub account: Option<AccountId>,
}

/// How much has been said lately, by speaker: an account anywhere, or the guest of a seat.
#[derive(Debug, Default)]
pub(super) struct Speech(Mutex<HashMap<(Option<AccountId>, String), TokenBucket>>);

impl Speech {
    /// Takes one line of a speaker, if they have one left.
    fn take(&self, speaker: &Speaker, match_id: &str, now: Instant) -> bool {
        let key = match (speaker.account, speaker.viewer) {
            (Some(account), _) => (Some(account), String::new()),
            (None, Viewer::Seat(seat)) => (None, format!("{match_id} {}", seat.0)),
            (None, Viewer::Spectator) => (None, match_id.to_owned()),
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED && !known.contains_key(&key) {
            known.retain(|_, bucket| bucket.is_empty(now));
            if known.len() >= REMEMBERED {
                known.clear();
            }
        }
        known.entry(key).or_insert_with(|| TokenBucket::full(SPEECH, now)).take(now)
    }
}

/// What somebody reads and writes at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ears {
    /// The rooms whose lines they read.
    pub hears: Vec<Room>,
    /// The room in which they speak.
    pub speaks: Option<Room>,
}

impl Live {
    /// What somebody reads and writes here. Players and onlookers are apart until the match is over; whoever plays and opens
    /// the link for watching besides is still a player, and onlookers without an account could be anybody, players included.
    pub fn ears(&self, speaker: &Speaker) -> Ears {
        let is_over = self.is_over();
        let keeps_seat = speaker
            .account
            .is_some_and(|account| self.seats.iter().any(|seat| seat.player.account() == Some(account)));
        let own = match speaker.viewer {
            Viewer::Seat(_) => Some(Room::Players),
            Viewer::Spectator if speaker.account.is_some() && !keeps_seat => Some(Room::Onlookers),
            Viewer::Spectator => None,
        };
        if !self.company.talks {
            return Ears { hears: Vec::new(), speaks: None };
        }
        Ears { hears: if is_over { Room::ALL.to_vec() } else { own.into_iter().collect() }, speaks: own }
    }
}

/// A line for one reader.
#[derive(Clone, Debug)]
pub struct ReadLine {
    /// The line.
    pub line: ChatLine,
    /// Who said it, in words.
    pub name: String,
    /// Whether the reader did.
    pub is_mine: bool,
}

/// A line as it is kept: no control characters, nothing that turns the direction of the text around.
fn tidied(text: &str, most: usize, keeps_lines: bool) -> Result<String, LobbyError> {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    let plain = text.chars().filter(|letter| !turns(*letter)).map(|letter| match letter {
        '\n' if keeps_lines => '\n',
        letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => ' ',
        letter => letter,
    });
    let plain: String = plain.collect();
    let plain = plain.trim();
    match plain.chars().count() {
        letters if letters > most => {
            Err(LobbyError::Bad(format!("That is too long: {letters} letters, and at most {most} fit.")))
        }
        _ => Ok(plain.to_owned()),
    }
}

impl Lobby {
    /// Notes what people who meet at a table have there; called when a match is read.
    pub(super) async fn note_company(&self, id: &str, live: &mut Live) -> Result<(), LobbyError> {
        if self.people.is_none() {
            return Ok(());
        }
        let of = id.to_owned();
        let read = move |people: &dyn People| {
            Ok((people.manners(&of)?, !people.lines(&of, &Room::ALL, 0, 1)?.is_empty()))
        };
        let (manners, has_lines) = self.with_accounts(read).await?;
        // Where all but one have left for good, what was said can still be read.
        live.company.meets = !live.is_solo() || has_lines;
        live.company.talks = live.company.meets && !manners.is_quiet;
        live.company.is_gathered = manners.is_gathered;
        Ok(())
    }

    /// Says how a new table is kept, where people have accounts.
    pub(super) async fn set_manners(&self, id: &str, manners: Manners) -> Result<(), LobbyError> {
        if self.people.is_none() {
            return Ok(());
        }
        let of = id.to_owned();
        self.with_accounts(move |people| people.set_manners(&of, manners)).await?;
        // A bot that begins has brought the match in already.
        match self.in_memory(id) {
            Some(found) => self.note_company(id, &mut *found.lock().await).await,
            None => Ok(()),
        }
    }

    /// Says something at a table, and returns the number of the line.
    pub async fn say(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        speaker: Speaker,
        text: &str,
    ) -> Result<u32, LobbyError> {
        let text = tidied(text, LONGEST_LINE, false)?;
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if text.is_empty() {
            return refuse("There is nothing in it.");
        }
        let (talks, room) = {
            let live = found.lock().await;
            (live.company.talks, live.ears(&speaker).speaks)
        };
        if !talks {
            return refuse("Nobody talks at this table: that was chosen with the match.");
        }
        let Some(room) = room else { return Err(LobbyError::WatchOnly) };
        if !self.speech.take(&speaker, &found.id, Instant::now()) {
            return Err(LobbyError::TooFast);
        }
        let seat = match speaker.viewer {
            Viewer::Seat(seat) => Some(seat.0),
            Viewer::Spectator => None,
        };
        let (account, now, match_id) = (speaker.account, self.now(), found.id.clone());
        let say = move |people: &dyn People| {
            let until = account.map(|account| people.silenced_until(account)).transpose()?.flatten();
            if until.is_some_and(|until| now < until) {
                return Ok(None);
            }
            people.say(&NewLine { match_id, at: now, room, seat, account, text }).map(Some)
        };
        match self.with_accounts(say).await? {
            Some(Said::Kept(n)) => {
                found.lock().await.tell_of_talk(room, n);
                self.tell_beside(&found.id);
                Ok(n)
            }
            Some(Said::Full) => refuse("This table has talked enough: no more lines fit."),
            Some(Said::Missing) => Err(LobbyError::NotFound),
            None => refuse("You can't write for a while: the house has muted you. “People” says until when."),
        }
    }

    /// Those who keep a seat and are to be told that another player has said something: once until they have read on, and nobody
    /// who has muted or blocked the speaker.
    pub(crate) async fn to_be_told_of_talk(
        &self,
        found: &LiveMatch,
        speaker: &Speaker,
    ) -> Result<Vec<(NoticeKey, u64)>, LobbyError> {
        let (seats, tempo) = {
            let live = found.lock().await;
            let others = live.seats.iter().filter(|seat| speaker.viewer != Viewer::Seat(Seat(seat.seat)));
            let seats: Vec<_> = others.filter_map(|seat| Some((seat.seat, seat.player.account()?))).collect();
            (seats, live.tempo())
        };
        let (due_at, by, match_id) = (due(tempo, self.now()), speaker.account, found.id.clone());
        let read = move |people: &dyn People| {
            let mut told = Vec::new();
            for (seat, account) in seats {
                let contacts = people.contacts(account)?;
                if by.is_some_and(|by| contacts.iter().any(|(other, _)| *other == by)) {
                    continue;
                }
                let (stint, kind) = (people.heard(&match_id, seat)?, NoticeKind::Chat);
                told.push((NoticeKey { account, match_id: match_id.clone(), seat, stint, kind }, due_at));
            }
            Ok(told)
        };
        self.with_accounts(read).await
    }

    /// The newest lines that somebody may read, after number `after`; without those of people whom they have muted or blocked.
    pub async fn lines_for(
        &self,
        found: &LiveMatch,
        speaker: &Speaker,
        after: u32,
    ) -> Result<Vec<ReadLine>, LobbyError> {
        let (ears, titles) = {
            let live = found.lock().await;
            let titles: Vec<&'static str> = live.table.seats().iter().map(|seat| seat.title).collect();
            (live.ears(speaker), titles)
        };
        let (reader, id) = (speaker.clone(), found.id.clone());
        let read = move |people: &dyn People| {
            let mut lines = people.lines(&id, &ears.hears, after, LINES_AT_ONCE)?;
            if let Some(own) = reader.account {
                let unheard: HashSet<AccountId> =
                    people.contacts(own)?.into_iter().map(|(account, _)| account).collect();
                lines.retain(|line| line.line.account.is_none_or(|account| !unheard.contains(&account)));
            }
            let names = names(people, lines.iter().filter_map(|line| line.line.account))?;
            Ok((lines, names))
        };
        let (lines, names) = self.with_accounts(read).await?;
        let read = |line: ChatLine| {
            let seat = line.line.seat.and_then(|seat| titles.get(usize::from(seat))).copied();
            let account = line.line.account.and_then(|account| names.get(&account));
            let name = match (account, seat) {
                (Some(name), Some(seat)) => format!("{name} ({seat})"),
                (Some(name), None) => name.clone(),
                (None, seat) => seat.unwrap_or("An onlooker").to_owned(),
            };
            let own_seat = match speaker.viewer {
                Viewer::Seat(seat) => Some(seat.0),
                Viewer::Spectator => None,
            };
            let is_mine = line.line.account == speaker.account && line.line.seat == own_seat;
            ReadLine { line, name, is_mine: is_mine && (speaker.account.is_some() || own_seat.is_some()) }
        };
        Ok(lines.into_iter().map(read).collect())
    }

    /// Reports a line that somebody can read.
    pub async fn report_line(
        &self,
        found: &LiveMatch,
        speaker: &Speaker,
        n: u32,
        why: &str,
    ) -> Result<(), LobbyError> {
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        let Some(by) = speaker.account else { return refuse("Log in to report something.") };
        let why = tidied(why, LONGEST_LINE, false)?;
        let hears = found.lock().await.ears(speaker).hears;
        let (id, at) = (found.id.clone(), self.now());
        let report = move |people: &dyn People| {
            let line = people.line(&id, n)?.filter(|line| hears.contains(&line.line.room));
            let Some(ChatLine { line, .. }) = line.filter(|line| line.line.account != Some(by)) else {
                return Ok(None);
            };
            let NewLine { match_id, room, account: about, text, .. } = line;
            people.report(&NewReport { at, by, about, match_id, n, room, text, why }).map(Some)
        };
        match self.with_accounts(report).await? {
            Some(Reported::Kept(_)) => Ok(()),
            Some(Reported::Twice) => refuse("You have reported this already."),
            Some(Reported::TooMany) => {
                refuse("Many of your reports wait for an answer: wait for it as well.")
            }
            None => refuse("There is no such line."),
        }
    }

    /// Writes somebody's notes, in the seat that they look from.
    pub async fn set_note(&self, found: &LiveMatch, speaker: &Speaker, text: &str) -> Result<(), LobbyError> {
        let Viewer::Seat(seat) = speaker.viewer else { return Err(LobbyError::WatchOnly) };
        let text = tidied(text, LONGEST_NOTE, true)?;
        found.lock().await.spend()?;
        let (id, account) = (found.id.clone(), speaker.account);
        match self.with_accounts(move |people| people.set_note(&id, seat.0, account, &text)).await? {
            true => Ok(()),
            false => Err(LobbyError::NotFound),
        }
    }

    /// Publishes soon who is at a table.
    pub fn note_presence(found: &Arc<LiveMatch>, live: &mut Live) {
        if !live.company.meets || std::mem::replace(&mut live.company.is_scheduled, true) {
            return;
        }
        let found = Arc::clone(found);
        tokio::spawn(async move {
            tokio::time::sleep(PRESENCE_WAIT).await;
            let mut live = found.lock().await;
            live.company.is_scheduled = false;
            live.publish_presence();
        });
    }
}

/// The names of accounts.
pub(crate) fn names(
    people: &dyn People,
    ids: impl IntoIterator<Item = AccountId>,
) -> Result<HashMap<AccountId, String>, store::StoreError> {
    let mut names = HashMap::new();
    for id in ids {
        if let Entry::Vacant(name) = names.entry(id) {
            name.insert(people.account(id)?.map_or_else(|| FORMER_PLAYER.to_owned(), |account| account.name));
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use kernel::Seat;

    use super::*;

    #[test]
    fn a_few_lines_in_a_row_and_then_one_every_five_seconds() {
        let (speech, begun) = (Speech::default(), Instant::now());
        let ann = Speaker { viewer: Viewer::Spectator, account: Some(AccountId(1)) };
        let guest = |seat| Speaker { viewer: Viewer::Seat(Seat(seat)), account: None };
        let said = |speaker: &Speaker, table: &str, seconds: u64| {
            let at = begun + Duration::from_secs(seconds);
            (0..20).filter(|_| speech.take(speaker, table, at)).count()
        };
        assert_eq!(said(&ann, "here", 0), 6);
        assert_eq!(said(&ann, "there", 4), 0, "an account is counted everywhere");
        assert_eq!(said(&ann, "there", 5), 1);
        assert_eq!(said(&guest(0), "here", 5), 6, "others have their own");
        assert_eq!((said(&guest(0), "there", 5), said(&guest(1), "here", 5)), (6, 6));
        assert_eq!(said(&ann, "here", 3_600), 6, "no more than at first");
    }

    #[test]
    fn lines_are_plain() {
        let line = |text: &str| tidied(text, 20, false).map_err(|why| why.to_string());
        assert_eq!(line(" two\nlines\u{202e}\u{0} ").as_deref(), Ok("two lines"));
        assert_eq!(line("<b>&amp;").as_deref(), Ok("<b>&amp;"), "it is escaped where it is shown");
        assert!(line(&"ä".repeat(20)).is_ok() && line(&"ä".repeat(21)).is_err());
        assert_eq!(tidied("a\nb\r\n", 9, true).map_err(|why| why.to_string()).as_deref(), Ok("a\nb"));
    }
}
