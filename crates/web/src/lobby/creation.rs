//! New matches: started, or imported from a record.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clocks::{FlagPolicy, Pace, Rules};
use diagnostics::shown;
use kernel::{LoadError, MatchDice, Options, Seat, Secret, Shares, Table, game_of_save};
use store::{AccountId, Manners, MatchRecord, Origin, Player, SeatRecord, TableEvent};
use tracing::info;

use super::thread::in_background;
use super::{Lobby, LobbyError, MINE};
use crate::live::Live;
use crate::seating;
use crate::secrets;
use crate::title::Title;

/// An option that is longer is a file of somebody's own.
const LONGEST_OPTION: usize = 100;

/// The settings of a new match.
#[derive(Default)]
pub struct NewMatch {
    /// The game's id.
    pub game: String,
    /// Its name; empty to name it after its set-up.
    pub name: String,
    /// The options.
    pub options: Options,
    /// Whether a person rolls the dice.
    pub own_dice: bool,
    /// The seed: the same seed gives the same dice. `None` for random dice.
    pub seed: Option<u64>,
    /// The lesson that the match is played with; it brings its own options, seed and players.
    pub lesson: String,
    /// Who plays which seat, by number: `me`, `friend` or `bot:NAME`; empty for the default.
    pub seats: Vec<String>,
    /// The rules of the table about time, as [`clocks::Rules`] reads them; empty for none.
    pub clock: String,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// The account of the creator, which keeps their seat in a rated match.
    pub maker: Option<AccountId>,
    /// Whether nobody talks at the table.
    pub is_quiet: bool,
}

/// A match that is about to be stored.
pub(super) struct Draft<'a> {
    pub(super) title: Arc<dyn Title>,
    pub(super) table: Box<dyn Table>,
    pub(super) players: Vec<Player>,
    pub(super) name: &'a str,
    pub(super) origin: Option<Origin>,
    pub(super) lesson: String,
    pub(super) rules: Option<Rules>,
}

/// What people know of a match before it is there.
pub(super) struct Reserved {
    /// Its id.
    pub(super) id: String,
    /// The tokens of its seats; empty for a fresh one.
    pub(super) links: Vec<String>,
    /// Whether time runs before everybody has sat down: in a tournament, where others wait for the result.
    pub(super) at_once: bool,
}

impl Reserved {
    /// Nobody knows anything of it.
    fn fresh() -> Result<Self, secrets::NoRandomness> {
        Ok(Self { id: secrets::match_id()?, links: Vec::new(), at_once: false })
    }
}

impl Lobby {
    /// Creates a match and returns its id and the creator's token: that of their seat, or the spectator token if they have
    /// none.
    pub async fn create(self: &Arc<Self>, order: &NewMatch) -> Result<(String, String), LobbyError> {
        let title = Arc::clone(self.title(&order.game)?);
        if !order.lesson.is_empty() {
            return self.create_lesson(title, &order.lesson).await;
        }
        let dice = match (order.own_dice, order.seed) {
            (true, None) => MatchDice::Own,
            (true, Some(_)) => {
                let why = "A seed only works with Maproom's dice: leave it empty to roll your own.";
                return Err(LobbyError::Bad(why.to_owned()));
            }
            (false, Some(seed)) => MatchDice::seeded(seed),
            (false, None) => MatchDice::fair(Secret(secrets::random_bytes()?)),
        };
        let mut table = title.open(&order.options, dice).map_err(LobbyError::Bad)?;
        let players = seating::players(&*title, table.seats(), &order.seats).map_err(LobbyError::Bad)?;
        if order.own_dice && !players.iter().any(Player::is_human) {
            let why = "Bots can't roll your dice: when only bots play, Maproom must roll.";
            return Err(LobbyError::Bad(why.to_owned()));
        }
        let (players, rules) = match order.rated {
            true => rated_table(&*title, order, players)?,
            false => {
                let rules = table_rules(&*title, &order.clock, &players)?;
                (players, rules)
            }
        };
        if order.seed.is_none() {
            share_dice(&mut *table, &players);
        }
        table.play_forced(None);
        let (lesson, name) = (String::new(), order.name.trim());
        let draft = Draft { title, table, players, name, origin: None, lesson, rules };
        let made = self.start_match(draft).await?;
        if order.is_quiet {
            self.set_manners(&made.id, Manners { is_quiet: true, is_gathered: false }).await?;
        }
        let is_makers = |seat: &SeatRecord| order.maker.is_some() && seat.player.account() == order.maker;
        let token = if made.seats.iter().any(is_makers) { MINE } else { made.owner_token() };
        Ok((made.id.clone(), token.to_owned()))
    }

    /// Creates the match of a lesson: its set-up, its dice, and bots in all seats but the learner's.
    async fn create_lesson(
        self: &Arc<Self>,
        title: Arc<dyn Title>,
        id: &str,
    ) -> Result<(String, String), LobbyError> {
        let found = title.lessons().iter().find(|lesson| lesson.file.id == id);
        let lesson = Arc::clone(&found.ok_or_else(|| unknown_lesson(&*title, id))?.lesson);
        let mut table =
            title.open(&lesson.options, MatchDice::seeded(lesson.seed)).map_err(LobbyError::Bad)?;
        let others = lesson.others.as_deref().unwrap_or_default();
        let seat = |seat: &kernel::SeatInfo| match seat.word == lesson.seat {
            true => "me".to_owned(),
            false => format!("bot:{others}"),
        };
        let seats: Vec<String> = table.seats().iter().map(seat).collect();
        let players = seating::players(&*title, table.seats(), &seats).map_err(LobbyError::Bad)?;
        table.play_forced(None);
        let (name, lesson) = (&lesson.title, format!("{id} 0"));
        let draft = Draft { title, table, players, name, origin: None, lesson, rules: None };
        let made = self.start_match(draft).await?;
        Ok((made.id.clone(), made.owner_token().to_owned()))
    }

    /// Imports a saved match. One that the current rules cannot follow to its end is imported up to its last common step,
    /// and only if `common` is set.
    pub async fn import(
        self: &Arc<Self>,
        name: &str,
        text: &str,
        common: bool,
    ) -> Result<(String, String, Vec<String>), LobbyError> {
        let word = game_of_save(text).ok_or_else(|| {
            LobbyError::Bad(format!(
                "{name} is not a Maproom match: its first line should be \"maproom match 1\""
            ))
        })?;
        let title = Arc::clone(self.title(word)?);
        // A record may be large. It is read on a thread of its own, so that nobody else has to wait, and one at a time.
        let _place = self.imports.acquire().await.map_err(|_| LobbyError::Closing)?;
        let (reader, of, whole) = (Arc::clone(&title), name.to_owned(), text.to_owned());
        let read = in_background("import", move || {
            if common { reader.load_common(&of, &whole) } else { reader.load(&of, &whole) }
        });
        let opened = read.await.map_err(|_| LobbyError::Fault("This record could not be read"))?;
        let mut opened = opened.map_err(|error| match error {
            LoadError::Unreadable(problems) => LobbyError::Bad(problems.to_string()),
            LoadError::Parted(parting) => {
                LobbyError::Parted { match_id: None, name: name.to_owned(), parting }
            }
        })?;
        // Those who were to put a number into its dice are not here: the house makes them.
        if opened.table.dice().are_awaited() {
            opened.table.share_dice(Shares::default());
        }
        // A record may end where dice must be rolled.
        opened.table.play_forced(None);
        let secret = !matches!(opened.table.dice(), MatchDice::Fair { secret: None, .. });
        if !secret && opened.table.result().is_none() {
            let why = "this match is not over, and its record lacks the secret of its dice: `maproom verify` can check \
                       it, but it can't be continued";
            return Err(LobbyError::Bad(format!("{name}: {why}")));
        }
        let players = seating::players(&*title, opened.table.seats(), &[]).map_err(LobbyError::Bad)?;
        let name = name.trim_end_matches(".match");
        let lesson = String::new();
        let draft = Draft { title, table: opened.table, players, name, origin: None, lesson, rules: None };
        let made = self.start_match(draft).await?;
        Ok((made.id.clone(), made.owner_token().to_owned(), opened.notes))
    }

    /// Stores a new match and starts its bot loop if it is a bot's turn.
    pub(super) async fn start_match(self: &Arc<Self>, draft: Draft<'_>) -> Result<MatchRecord, LobbyError> {
        self.start_match_with(draft, None, None).await
    }

    /// The same under an id and with links that people were given before, and asked for by the holder of an account: the others
    /// who keep a seat in it are told.
    pub(super) async fn start_match_with(
        self: &Arc<Self>,
        draft: Draft<'_>,
        reserved: Option<Reserved>,
        by: Option<AccountId>,
    ) -> Result<MatchRecord, LobbyError> {
        let reserved = reserved.map_or_else(Reserved::fresh, Ok)?;
        let Draft { title, table, players, name, origin, lesson, rules } = draft;
        self.check_reached()?;
        let settings = rules.as_ref().and_then(|rules| rules.settings.as_ref());
        if settings.is_some_and(|settings| settings.bank < clocks::DAY) {
            self.check_own_clock()?;
        }
        let setup = title.setup_title(&*table);
        let mut seats = Vec::new();
        for (at, (seat, player)) in table.seats().iter().zip(players).enumerate() {
            let has_link = player.is_a_persons() && player.account().is_none();
            let known = reserved.links.get(at).filter(|link| !link.is_empty()).cloned();
            let token = if has_link { known.map_or_else(secrets::token, Ok) } else { Ok(String::new()) };
            seats.push(SeatRecord {
                seat: at as u8,
                word: seat.word.to_owned(),
                token: token?,
                player,
                claimed_at: None,
                seen: table.steps() as u32,
            });
        }
        let name: String = if name.is_empty() { setup.clone() } else { name.chars().take(80).collect() };
        let house = Arc::clone(&self.house);
        let mut live = Live::new(Arc::clone(&title), table, name.clone(), seats.clone(), house);
        let first = live.pending(live.whole_entry(), Instant::now());
        live.committed(&first, Duration::ZERO);
        let (now, mut journal, mut effects) = (first.append.entry.at, vec![first.append.entry], Vec::new());
        let clock = rules.as_ref().map(|rules| TableEvent::Clock { rules: rules.to_string() });
        // From its first event on a journal says whom the match waits for, and those who keep a seat are told.
        let mut events: Vec<TableEvent> =
            live.expects(rules.as_ref(), reserved.at_once).into_iter().chain(clock).collect();
        if events.is_empty() {
            events.extend(live.first_event());
        }
        for event in events {
            let event = live.happen(event);
            live.committed(&event, Duration::ZERO);
            journal.push(event.append.entry);
            effects.extend(event.append.effects);
        }
        effects.extend(live.invitations(by, now));
        let record = MatchRecord {
            id: reserved.id,
            game: title.id().to_owned(),
            name,
            setup,
            header: live.table.head(),
            options: statistics_options(&live.table.options()),
            viewer_token: secrets::token()?,
            origin,
            created_at: now,
            changed_at: now,
            deleted_at: None,
            revision: live.revision,
            pace: String::new(),
            lesson,
            summary: live.summary(),
            seats,
        };
        let bot_begins = live.bot_to_choose().is_some();
        drop(live);
        let (written, house) = (effects.clone(), Arc::clone(&self.house));
        let keep = move |store: &dyn store::Store| {
            // With the first clock the house begins to note that it lives: before anybody's time runs.
            if !written.is_empty() {
                house.note(store)?;
            }
            store.create_with(&record, &journal, &written).map(|()| record)
        };
        let made = self.with_store(keep).await?;
        self.note_deadline(&effects);
        info!("match {}: started, a game of {}", made.id, made.game);
        if bot_begins {
            self.find(&made.id).await?;
        }
        self.rest_at_table(&made.id, &made.seats).await;
        Ok(made)
    }
}

/// What is fair in a match that counts: seats for people only, dice that nobody knows or throws, a set-up that came with the game.
/// The creator's seat is that of their account.
fn rated_table(
    title: &dyn Title,
    order: &NewMatch,
    players: Vec<Player>,
) -> Result<(Vec<Player>, Option<Rules>), LobbyError> {
    fn refuse<T>(why: &str) -> Result<T, LobbyError> {
        Err(LobbyError::Bad(format!("A rated match {why}")))
    }
    if order.own_dice || order.seed.is_some() {
        return refuse(
            "is played with Maproom's dice, which nobody knows beforehand: choose them, without a seed.",
        );
    }
    check_rated_options(&order.options)?;
    if !(2..=3).contains(&players.len()) || players.iter().any(|player| !player.is_a_persons()) {
        return refuse(
            "is for two or three people: choose nobody but \"Me\" and \"A friend\", or no rated match.",
        );
    }
    let seat = |player: Player| match (player, order.maker) {
        (Player::Owner, Some(id)) => Ok(Player::Account { id, bot: None }),
        (Player::Owner, None) => {
            refuse("is for accounts: log in to play it yourself, or choose \"A friend\" for every seat.")
        }
        (player, _) => Ok(player),
    };
    let players: Vec<Player> = players.into_iter().map(seat).collect::<Result<_, _>>()?;
    let clock = rated_clock(&order.clock, players.len());
    let rules = table_rules(title, &clock, &players)?;
    Ok((players, rules))
}

/// Refuses a set-up of somebody's own making.
pub(super) fn check_rated_options(options: &Options) -> Result<(), LobbyError> {
    match options.values().find(|value| value.len() > LONGEST_OPTION) {
        Some(_) => {
            let why = "A rated match is played with what came with the game: no scenario, cards or book of one's own.";
            Err(LobbyError::Bad(why.to_owned()))
        }
        None => Ok(()),
    }
}

/// The rules of a table that counts. Where they don't say what follows when time runs out, it is a loss between two; with three the
/// others must not lose their game with it.
pub(super) fn rated_clock(clock: &str, seats: usize) -> String {
    let pace = if clock.is_empty() { Pace::None.word() } else { clock };
    let flag = if seats == 2 && !clock.contains("flag=") { " flag=loss" } else { "" };
    format!("{pace}{flag} rated=yes")
}

/// Where several people play with the dice of the house, each puts a number into them.
pub(super) fn share_dice(table: &mut dyn Table, players: &[Player]) {
    let persons = (0..).zip(players).filter(|(_, player)| player.is_a_persons());
    let seats: Vec<Seat> = persons.map(|(seat, _)| Seat(seat)).collect();
    if seats.len() > 1 {
        table.share_dice(Shares::awaiting(seats));
    }
}

impl Live {
    /// Whom a new match waits for before it begins; nobody where no dice and no clock depend on it.
    /// With `at_once` the time of those who let the others wait runs already.
    fn expects(&self, rules: Option<&Rules>, at_once: bool) -> Option<TableEvent> {
        let dice = self.table.dice().are_awaited();
        let has_clock = rules.is_some_and(|rules| rules.settings.is_some());
        let persons = self.seats.iter().filter(|record| record.player.is_a_persons());
        let seats: Vec<u8> = persons.map(|record| record.seat).collect();
        ((dice || has_clock) && seats.len() > 1).then_some(TableEvent::Expect { seats, dice, at_once })
    }
}

/// The rules of a table about time, where there are any: only people who play each other need them.
pub(super) fn table_rules(
    title: &dyn Title,
    text: &str,
    players: &[Player],
) -> Result<Option<Rules>, LobbyError> {
    if text.is_empty() {
        return Ok(None);
    }
    let rules: Rules =
        text.parse().map_err(|why| LobbyError::Bad(format!("The clock {:?}: {why}", shown(text))))?;
    if players.iter().filter(|player| player.is_a_persons()).count() < 2 {
        let why =
            "A clock is for people who play each other: choose \"A friend\" for another seat, or no clock.";
        return Err(LobbyError::Bad(why.to_owned()));
    }
    if let FlagPolicy::StandIn(bot) | FlagPolicy::Claim(bot) = &rules.on_flag {
        seating::sit_offered(title, bot, players.len())
            .map_err(|why| LobbyError::Bad(format!("The bot for those who run out of time: {why}")))?;
    }
    Ok(Some(rules))
}

fn unknown_lesson(title: &dyn Title, id: &str) -> LobbyError {
    let known: Vec<&str> = title.lessons().iter().map(|lesson| lesson.file.id).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    LobbyError::Bad(format!("unknown lesson {:?}; the lessons of {} are: {known}", shown(id), title.name()))
}

/// The options as JSON without custom data files, which can be large.
fn statistics_options(options: &Options) -> String {
    let short: HashMap<&str, &str> = options
        .iter()
        .map(|(key, value)| (key.as_str(), if value.len() > LONGEST_OPTION { "own" } else { value.as_str() }))
        .collect();
    serde_json::to_string(&short).unwrap_or_default()
}
