//! Tables that gather: who sits down where, and the match that begins when all seats are filled. Until then there is no match:
//! nothing is drawn and no clock runs.

use std::sync::Arc;

use clocks::Rules;
use kernel::{MatchDice, Options, Seat, Secret, Viewer};
use store::{
    AccountId, AccountState, Gathering, GatheringSeat, MOST_INVITATIONS, Manners, MatchRecord, People,
    Player, SeatOffer, Shelf, Taken,
};

use super::creation::{Draft, Reserved, share_dice, table_rules};
use super::{LiveMatch, Lobby, LobbyError, NewMatch, Requester};
use crate::live::Live;
use crate::opponents::default_bot;
use crate::seating;
use crate::secrets;

/// After so long a table that has not come together is gone: 30 days.
const GATHERING_MS: u64 = 30 * 86_400_000;
/// Whoever plays so many matches already gathers no more tables.
const MOST_RUNNING: usize = 100;
/// The largest options, such as scenarios of one's own.
const MOST_OPTIONS: usize = 32 << 10;
/// How often a change is tried that comes at the same time as others.
const TRIES: usize = 8;

/// What somebody wants to gather a table for.
pub struct GatheringOrder {
    /// The game, its options, who sits where, and the clock. The dice are always Maproom's, for nobody may know them.
    pub order: NewMatch,
    /// Whether anybody who is signed in may take the other seats.
    pub is_listed: bool,
    /// The names of those who are invited, in the order of the seats for friends.
    pub invited: Vec<String>,
}

/// For whom a host keeps a seat.
pub enum SeatWish {
    /// For anybody.
    Open,
    /// For somebody by name.
    Named(String),
    /// For whoever has the link.
    Link,
    /// For a bot.
    Bot(String),
    /// For the host.
    Mine,
}

fn refuse<T>(why: impl Into<String>) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.into()))
}

const GONE: &str = "This table is no longer there: its host has given it up, or it has started.";

/// Whether a person may sit at a table or ask others to one: nobody there has blocked them.
fn is_welcome(people: &dyn People, table: &Gathering, account: AccountId) -> Result<bool, store::StoreError> {
    let sitting = table.seats.iter().filter_map(GatheringSeat::account);
    for other in sitting.chain([table.host]) {
        if other != account && people.has_blocked(other, account)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The account of a name that a host may invite.
fn invited(
    people: &dyn People,
    host: AccountId,
    name: &str,
) -> Result<Result<AccountId, String>, store::StoreError> {
    let found = people.account_named(&::people::name_key(name))?;
    let Some(account) = found.filter(|account| account.state == AccountState::Open) else {
        return Ok(Err(format!("No account has the name {:?}.", diagnostics::shown(name))));
    };
    let asked = people.gatherings_of(account.id)?;
    let is_full =
        asked.iter().filter(|table| table.asked_seat(account.id).is_some()).count() >= MOST_INVITATIONS;
    if account.id != host && (people.has_blocked(account.id, host)? || is_full) {
        return Ok(Err(format!("{} can't be invited.", account.name)));
    }
    Ok(Ok(account.id))
}

impl Lobby {
    /// Gathers a table, and returns its id.
    pub async fn gather(
        self: &Arc<Self>,
        host: AccountId,
        wanted: GatheringOrder,
    ) -> Result<String, LobbyError> {
        let GatheringOrder { order, is_listed, invited: names } = wanted;
        let title = Arc::clone(self.title(&order.game)?);
        let options = serde_json::to_string(&order.options).unwrap_or_default();
        if options.len() > MOST_OPTIONS {
            return refuse("These options are too large.");
        }
        let table = title.open(&order.options, MatchDice::seeded(1)).map_err(LobbyError::Bad)?;
        if table.seats().len() < 2 {
            return refuse("This game is for one: there is nobody to gather.");
        }
        let players = seating::players(&*title, table.seats(), &order.seats).map_err(LobbyError::Bad)?;
        for (player, info) in players.iter().zip(table.seats()) {
            if let Player::Bot(bot) = player {
                seating::sit_offered(&*title, bot, players.len())
                    .map_err(|why| LobbyError::Bad(format!("{}: {why}", info.title)))?;
            }
        }
        let clock_for = vec![Player::Person; players.len()];
        table_rules(&*title, &order.clock, &clock_for)?;
        let mut names = names.into_iter();
        let setup = title.setup_title(&*table);
        drop(table);
        let mut seats = Vec::new();
        for player in &players {
            seats.push(match player {
                Player::Owner => taken_by(host),
                Player::Bot(word) => free(SeatOffer::Bot(word.clone())),
                _ => match names.next() {
                    Some(name) => free(SeatOffer::Named(self.invite_for(host, name).await?)),
                    None if is_listed => free(SeatOffer::Open),
                    None => free(SeatOffer::Link(secrets::token()?)),
                },
            });
        }
        if names.next().is_some() {
            return refuse("There are fewer seats for others than names.");
        }
        let gathering = Gathering {
            id: secrets::match_id()?,
            host,
            game: order.game.clone(),
            name: order.name.trim().chars().take(80).collect(),
            setup,
            options,
            clock: order.clock.clone(),
            is_quiet: order.is_quiet,
            is_listed: has_open_seat(&seats),
            made_at: self.now(),
            revision: 0,
            match_id: None,
            again: None,
            seats,
        };
        self.add_gathering(gathering).await
    }

    async fn invite_for(&self, host: AccountId, name: String) -> Result<AccountId, LobbyError> {
        self.with_accounts(move |people| invited(people, host, &name)).await?.map_err(LobbyError::Bad)
    }

    async fn add_gathering(&self, gathering: Gathering) -> Result<String, LobbyError> {
        let (id, host) = (gathering.id.clone(), gathering.host);
        if gathering.seats.iter().enumerate().any(|(at, seat)| {
            seat.offer.asked().is_some_and(|asked| {
                gathering.seats[..at].iter().any(|other| other.offer.asked() == Some(asked))
            })
        }) {
            return refuse("Everybody can have one seat only.");
        }
        let add = move |people: &dyn People| {
            if people.kept_seats(host, Shelf::Running, MOST_RUNNING)?.len() >= MOST_RUNNING {
                return Ok(false);
            }
            people.add_gathering(&gathering)
        };
        match self.with_accounts(add).await? {
            true => Ok(id),
            false => refuse("You gather or play too many tables at once: finish some of them first."),
        }
    }

    /// A table, as whoever looks at it may know it: what has become of a match that could not be started is forgotten.
    pub async fn gathering(&self, id: &str) -> Result<Gathering, LobbyError> {
        if !secrets::well_formed(id) {
            return Err(LobbyError::NotFound);
        }
        let of = id.to_owned();
        let found = self.with_accounts(move |people| people.gathering(&of)).await?;
        found.ok_or(LobbyError::NotFound)
    }

    /// Changes a table that still gathers, and starts the match if all seats are filled then.
    async fn change_gathering(
        self: &Arc<Self>,
        id: &str,
        change: impl Fn(&dyn People, &mut Gathering) -> Result<Result<(), String>, store::StoreError>
        + Send
        + Sync
        + 'static,
    ) -> Result<Gathering, LobbyError> {
        if !secrets::well_formed(id) {
            return Err(LobbyError::NotFound);
        }
        let of = id.to_owned();
        let act = move |people: &dyn People| {
            for _ in 0..TRIES {
                let Some(mut table) = people.gathering(&of)? else { return Ok(Err(GONE.to_owned())) };
                if table.match_id.is_some() {
                    return Ok(Err(GONE.to_owned()));
                }
                if let Err(why) = change(people, &mut table)? {
                    return Ok(Err(why));
                }
                // Nobody looks for a table at which no seat is open.
                table.is_listed = has_open_seat(&table.seats);
                if people.change_gathering(&table)? {
                    table.revision += 1;
                    return Ok(Ok(table));
                }
            }
            Ok(Err("Others change this table just now: try again.".to_owned()))
        };
        let lobby = Arc::clone(self);
        // Whoever hangs up has sat down all the same, and a full table begins.
        let changing = tokio::spawn(async move {
            let table = lobby.with_accounts(act).await?.map_err(LobbyError::Bad)?;
            if table.is_full() { lobby.begin(table).await } else { Ok(table) }
        });
        changing.await.map_err(|_| LobbyError::Fault("This table could not be changed"))?
    }

    /// Takes a seat: one that is open to all, or the one that somebody is invited to.
    pub async fn sit_down(
        self: &Arc<Self>,
        id: &str,
        account: AccountId,
        seat: usize,
    ) -> Result<Gathering, LobbyError> {
        let sit = move |people: &dyn People, table: &mut Gathering| {
            let is_welcome = is_welcome(people, table, account)?;
            let has_seat = table.seat_of(account).is_some();
            let host = table.host;
            let Some(place) = table.seats.get_mut(seat).filter(|place| place.taken.is_none()) else {
                return Ok(Err("This seat was taken: choose another one.".to_owned()));
            };
            let is_asked = place.waits_for(account);
            match &place.offer {
                _ if has_seat => return Ok(Err("You have a seat at this table already.".to_owned())),
                SeatOffer::Named(_) if is_asked => place.taken = Some(Taken::Account(account)),
                SeatOffer::Open if is_welcome => place.taken = Some(Taken::Account(account)),
                _ if account == host => *place = taken_by(host),
                _ => return Ok(Err("This seat is not for you.".to_owned())),
            }
            Ok(Ok(()))
        };
        self.change_gathering(id, sit).await
    }

    /// Takes the seat of a link: with an account, or as a guest.
    pub async fn sit_by_link(
        self: &Arc<Self>,
        id: &str,
        token: &str,
        account: Option<AccountId>,
    ) -> Result<Gathering, LobbyError> {
        let token = token.to_owned();
        let sit = move |people: &dyn People, table: &mut Gathering| {
            let is_welcome = match account {
                Some(account) => is_welcome(people, table, account)?,
                None => true,
            };
            if account.is_some_and(|account| table.seat_of(account).is_some()) {
                return Ok(Err("You have a seat at this table already.".to_owned()));
            }
            let Some(at) = seat_of_link(table, &token).filter(|_| is_welcome) else {
                return Ok(Err("This link opens no seat any more.".to_owned()));
            };
            let place = &mut table.seats[at];
            if place.taken.is_some() {
                return Ok(Err("This seat was taken.".to_owned()));
            }
            place.taken = Some(account.map_or(Taken::Guest, Taken::Account));
            Ok(Ok(()))
        };
        self.change_gathering(id, sit).await
    }

    /// Gives a seat up again, or declines to take it.
    pub async fn stand_up(self: &Arc<Self>, id: &str, account: AccountId) -> Result<Gathering, LobbyError> {
        let stand = move |_: &dyn People, table: &mut Gathering| {
            let asked = table.asked_seat(account);
            let Some(at) = table.seat_of(account).or(asked) else {
                return Ok(Err("You have no seat at this table.".to_owned()));
            };
            let place = &mut table.seats[at];
            place.taken = None;
            if place.offer == SeatOffer::Named(account) {
                place.offer =
                    if account == table.host { SeatOffer::Open } else { SeatOffer::Declined(account) };
            }
            Ok(Ok(()))
        };
        self.change_gathering(id, stand).await
    }

    /// The same for the guest of a link.
    pub async fn stand_up_guest(self: &Arc<Self>, id: &str, token: &str) -> Result<Gathering, LobbyError> {
        let token = token.to_owned();
        let stand = move |_: &dyn People, table: &mut Gathering| {
            let found = seat_of_link(table, &token).map(|at| &mut table.seats[at]);
            let Some(place) = found.filter(|place| place.taken == Some(Taken::Guest)) else {
                return Ok(Err("You have no seat at this table.".to_owned()));
            };
            place.taken = None;
            Ok(Ok(()))
        };
        self.change_gathering(id, stand).await
    }

    /// Keeps a seat for somebody else, at the word of the host. Whoever had taken it is asked to leave by that.
    pub async fn keep_for(
        self: &Arc<Self>,
        id: &str,
        host: AccountId,
        seat: usize,
        wish: SeatWish,
    ) -> Result<Gathering, LobbyError> {
        let table = self.gathering(id).await?;
        if table.host != host {
            return Err(LobbyError::WatchOnly);
        }
        let place = match wish {
            SeatWish::Open => free(SeatOffer::Open),
            SeatWish::Link => free(SeatOffer::Link(secrets::token()?)),
            SeatWish::Mine => taken_by(host),
            SeatWish::Named(name) => match self.invite_for(host, name).await? {
                own if own == host => taken_by(host),
                other => free(SeatOffer::Named(other)),
            },
            SeatWish::Bot(bot) => {
                let title = self.title(&table.game)?;
                seating::sit_offered(&**title, &bot, table.seats.len()).map_err(LobbyError::Bad)?;
                free(SeatOffer::Bot(bot))
            }
        };
        let change = move |_: &dyn People, table: &mut Gathering| {
            let is_twice = place.offer.asked().is_some_and(|asked| {
                let others = table.seats.iter().enumerate().filter(|(at, _)| *at != seat);
                others.clone().any(|(_, other)| {
                    other.account() == Some(asked) || other.offer.asked() == Some(asked) && asked != host
                })
            });
            if is_twice && place.taken.is_none() {
                return Ok(Err("Everybody can have one seat only.".to_owned()));
            }
            if place.account() == Some(host)
                && let Some(old) = table.seat_of(host)
            {
                table.seats[old] = free(SeatOffer::Open);
            }
            let Some(old) = table.seats.get_mut(seat) else {
                return Ok(Err("There is no such seat.".to_owned()));
            };
            *old = place.clone();
            Ok(Ok(()))
        };
        self.change_gathering(id, change).await
    }

    /// Lets bots take the empty seats and starts, at the word of the host.
    pub async fn fill_with_bots(
        self: &Arc<Self>,
        id: &str,
        host: AccountId,
    ) -> Result<Gathering, LobbyError> {
        let table = self.gathering(id).await?;
        if table.host != host {
            return Err(LobbyError::WatchOnly);
        }
        let title = self.title(&table.game)?;
        let bots = title.bots();
        let word = default_bot(&bots).unwrap_or("greedy").to_owned();
        seating::sit_offered(&**title, &word, table.seats.len()).map_err(LobbyError::Bad)?;
        let fill = move |_: &dyn People, table: &mut Gathering| {
            if !table.seats.iter().any(|seat| seat.taken.is_some()) {
                return Ok(Err("Nobody sits at this table yet.".to_owned()));
            }
            for seat in table.seats.iter_mut().filter(|seat| !seat.is_filled()) {
                *seat = free(SeatOffer::Bot(word.clone()));
            }
            Ok(Ok(()))
        };
        self.change_gathering(id, fill).await
    }

    /// Gives a table up, at the word of its host.
    pub async fn give_up_table(&self, id: &str, host: AccountId) -> Result<(), LobbyError> {
        let table = self.gathering(id).await?;
        if table.host != host {
            return Err(LobbyError::WatchOnly);
        }
        if table.match_id.is_some() {
            return refuse(GONE);
        }
        let id = id.to_owned();
        self.with_accounts(move |people| people.remove_gathering(&id)).await.map(|_| ())
    }

    /// Starts the match of a table that is full. Of several who fill it at once, only one starts it: the id of the match is
    /// written at the table first.
    async fn begin(self: &Arc<Self>, table: Gathering) -> Result<Gathering, LobbyError> {
        let here = table.clone();
        // Whoever has lost their account meanwhile, or was closed out, does not play.
        let lost = move |people: &dyn People| {
            let mut lost = Vec::new();
            for account in here.seats.iter().filter_map(GatheringSeat::account) {
                let found = people.account(account)?;
                if !found.is_some_and(|account| account.state == AccountState::Open) {
                    lost.push(account);
                }
            }
            Ok(lost)
        };
        let lost = self.with_accounts(lost).await?;
        let mut table = table;
        for seat in &mut table.seats {
            if seat.account().is_some_and(|account| lost.contains(&account)) {
                *seat = free(SeatOffer::Open);
            }
        }
        table.is_listed = has_open_seat(&table.seats);
        if lost.is_empty() {
            table.match_id = Some(secrets::match_id()?);
        }
        let next = table.clone();
        if !self.with_accounts(move |people| people.change_gathering(&next)).await? {
            // Somebody else has changed it, and starts it if it is still full.
            return self.gathering(&table.id).await;
        }
        table.revision += 1;
        if let Err(why) = self.start_gathered(&table).await {
            table.match_id = None;
            let back = table.clone();
            self.with_accounts(move |people| people.change_gathering(&back)).await?;
            return Err(why);
        }
        Ok(table)
    }

    async fn start_gathered(self: &Arc<Self>, gathering: &Gathering) -> Result<(), LobbyError> {
        let Some(id) = gathering.match_id.clone() else { return Ok(()) };
        let title = Arc::clone(self.title(&gathering.game)?);
        let options: Options = serde_json::from_str(&gathering.options)
            .map_err(|_| LobbyError::Fault("The options of this table can't be read"))?;
        let dice = MatchDice::fair(Secret(secrets::random_bytes()?));
        let mut table = title.open(&options, dice).map_err(LobbyError::Bad)?;
        let player = |seat: &GatheringSeat| match (&seat.offer, seat.taken) {
            (_, Some(Taken::Account(id))) => Player::Account { id, bot: None },
            (SeatOffer::Bot(word), None) => Player::Bot(word.clone()),
            _ => Player::Person,
        };
        let players: Vec<Player> = gathering.seats.iter().map(player).collect();
        let persons = players.iter().filter(|player| player.is_a_persons()).count();
        let rules: Option<Rules> = match persons {
            0 | 1 => None,
            _ => table_rules(&*title, &gathering.clock, &players)?,
        };
        share_dice(&mut *table, &players);
        table.play_forced(None);
        let links = gathering.seats.iter().map(|seat| match &seat.offer {
            SeatOffer::Link(token) => token.clone(),
            _ => String::new(),
        });
        let reserved = Reserved { id: id.clone(), links: links.collect(), at_once: false };
        let (name, lesson) = (gathering.name.as_str(), String::new());
        let draft = Draft { title, table, players, name, origin: None, lesson, rules };
        self.start_match_with(draft, Some(reserved), None).await?;
        // The match exists: what can't be noted of it is no reason to begin another.
        let manners = Manners { is_quiet: gathering.is_quiet, is_gathered: true };
        if let Err(why) = self.set_manners(&id, manners).await {
            tracing::warn!("match {id}: how its table is kept could not be noted: {why}");
        }
        Ok(())
    }

    /// The path of the match of a table for somebody: their seat, the link that they came by, or the link for watching.
    pub async fn path_from(
        &self,
        table: &Gathering,
        account: Option<AccountId>,
        link: Option<&str>,
    ) -> Result<Option<String>, LobbyError> {
        let Some(id) = table.match_id.clone() else { return Ok(None) };
        let record: MatchRecord = match self.stored_record(&id).await {
            Ok(record) => record,
            // It is being written just now, or was deleted.
            Err(LobbyError::NotFound) => return Ok(None),
            Err(why) => return Err(why),
        };
        let keeps = record.seats.iter().any(|seat| account.is_some() && seat.player.account() == account);
        let token = match link {
            _ if keeps => super::MINE,
            Some(link) => link,
            None => &record.viewer_token,
        };
        Ok(Some(format!("/m/{id}/{token}")))
    }

    /// Gathers a table for the same match again, with the accounts of all players: each of them has to agree. Whoever asks when
    /// another has asked before takes their seat there.
    pub async fn gather_again(
        self: &Arc<Self>,
        found: &LiveMatch,
        by: Requester,
        account: AccountId,
        changes_sides: bool,
    ) -> Result<String, LobbyError> {
        let of = found.id.clone();
        if let Some(known) = self.with_accounts(move |people| people.gathering_after(&of)).await? {
            if let Some(seat) = known.asked_seat(account) {
                self.sit_down(&known.id, account, seat).await?;
            }
            return Ok(known.id);
        }
        let live = self.lock_current(found).await?;
        if !live.may_gather_again(by) {
            return refuse("Only players of a finished match can start it again.");
        }
        let mut seats = Vec::new();
        for record in &live.seats {
            seats.push(match record.player.taken_back() {
                Player::Account { id, .. } if id == account => taken_by(id),
                Player::Account { id, .. } => free(SeatOffer::Named(id)),
                Player::Bot(word) => free(SeatOffer::Bot(word)),
                Player::Owner | Player::Person | Player::StandIn { .. } => {
                    free(SeatOffer::Link(secrets::token()?))
                }
            });
        }
        if changes_sides {
            seats.rotate_right(1);
        }
        let gathering = Gathering {
            id: secrets::match_id()?,
            host: account,
            game: live.title.id().to_owned(),
            name: live.name.clone(),
            setup: live.title.setup_title(&*live.table),
            options: serde_json::to_string(&live.table.options()).unwrap_or_default(),
            clock: live.proceedings.rules.as_ref().map_or_else(String::new, ToString::to_string),
            is_quiet: !live.company.talks,
            is_listed: false,
            made_at: self.now(),
            revision: 0,
            match_id: None,
            again: Some(found.id.clone()),
            seats,
        };
        drop(live);
        // Nobody is asked by somebody whom they have blocked.
        let asked: Vec<AccountId> = gathering.seats.iter().filter_map(|seat| seat.offer.asked()).collect();
        let is_unwelcome = move |people: &dyn People| {
            for other in asked.into_iter().filter(|other| *other != account) {
                if people.has_blocked(other, account)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if self.with_accounts(is_unwelcome).await? {
            return refuse("Not all players of this match can be invited again.");
        }
        self.add_gathering(gathering).await
    }

    /// Forgets tables that did not come together, and those whose match began long ago; called regularly.
    pub async fn tidy_gatherings(&self) -> Result<(), LobbyError> {
        let before = self.now().saturating_sub(GATHERING_MS);
        self.with_accounts(move |people| people.forget_gatherings(before)).await.map(|_| ())
    }
}

impl Live {
    /// Whether somebody may ask the other players to play the match again: they have played it by their account.
    pub fn may_gather_again(&self, by: Requester) -> bool {
        let Viewer::Seat(Seat(own)) = by.viewer else { return false };
        let kept = self.seats.iter().any(|record| record.seat == own && record.player.account().is_some());
        self.is_over() && kept && !self.is_solo()
    }
}

fn has_open_seat(seats: &[GatheringSeat]) -> bool {
    seats.iter().any(|seat| seat.offer == SeatOffer::Open)
}

fn free(offer: SeatOffer) -> GatheringSeat {
    GatheringSeat { offer, taken: None }
}

fn taken_by(account: AccountId) -> GatheringSeat {
    GatheringSeat { offer: SeatOffer::Named(account), taken: Some(Taken::Account(account)) }
}

/// The seat that a link opens; every link is compared, in constant time.
pub fn seat_of_link(table: &Gathering, token: &str) -> Option<usize> {
    let mut found = None;
    for (at, seat) in table.seats.iter().enumerate() {
        if let SeatOffer::Link(secret) = &seat.offer
            && secrets::same(secret, token)
        {
            found = Some(at);
        }
    }
    found
}
