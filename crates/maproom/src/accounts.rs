//! Accounts from the command line: how a server has them, `maproom invite`, `maproom admin`.

mod conduct;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use people::{Cost, Entry, House, Mailer, NoMail, Passwords, name_key};
use post::Carriers;
use store::{Account, AccountState, Role, Store};
use web::{Accounts, LetterBox, Lobby, Notices};

use crate::arguments::{AdminOrder, AdminTask, HouseOrder, InviteOrder, ServeOrder};
use crate::database::{Keeper, Place};

/// The setting with the address at which a server with accounts was last started.
const ADDRESS: &str = "accounts_address";
const DAY_MS: u64 = 86_400_000;
/// How many accounts are read at a time.
const PAGE: usize = 500;

/// Who may make an account, from the word on the command line.
pub fn entry(word: &str) -> Entry {
    if word == "open" { Entry::Open } else { Entry::Invited }
}

/// Refuses doors through which passwords would travel for all to read.
pub fn check_doors(order: &ServeOrder) -> Result<(), String> {
    let is_https = order.address.as_ref().is_some_and(|url| url.starts_with("https://"));
    match (is_https, order.address.is_none() && order.host.is_loopback()) {
        (true, _) if order.proxy.is_empty() => Err("--accounts with --address needs the address of the proxy in front \
            of the server, such as --behind-proxy 127.0.0.1: only its word is taken for who a visitor is"
            .to_owned()),
        (true, _) | (false, true) => Ok(()),
        (false, false) => Err("--accounts needs HTTPS, because passwords are sent: put a reverse proxy in front and give \
            its address, such as --address https://war.example --behind-proxy 127.0.0.1. On this machine alone \
            (127.0.0.1, without --address) plain HTTP will do."
            .to_owned()),
    }
}

/// Opens the accounts of a server and its post, and notes its address for the links that commands print.
pub fn open(
    keeper: &Keeper,
    lobby: &Arc<Lobby>,
    entry: Entry,
    house: &post::House,
) -> Result<Accounts, String> {
    keeper.store().set_setting(ADDRESS, &house.base).map_err(|why| why.to_string())?;
    let people = keeper.people();
    let post = keeper.post().map_err(|why| why.to_string())?;
    let carriers = Arc::new(Carriers::open(house, &*post).map_err(|why| why.to_string())?);
    let clock = lobby.clock();
    let mailer: Arc<dyn Mailer> = match carriers.mailer() {
        Some(_) => {
            let letters = LetterBox::start(Arc::clone(&carriers), clock.clone());
            Arc::new(letters.map_err(|_| "can't start a thread".to_owned())?)
        }
        None => Arc::new(NoMail),
    };
    let accounts = Accounts::open(Arc::clone(&people), mailer, entry, &house.base);
    let accounts = accounts.map_err(|why| why.to_string())?;
    Ok(accounts.with_notices(Notices::new(lobby, people, post, carriers, clock)))
}

/// Runs `maproom invite`.
pub fn invite(order: &InviteOrder) -> Result<ExitCode, String> {
    let (house, address, _) = beside(&order.house)?;
    for _ in 0..order.count {
        let secret = house.invite(order.days * DAY_MS, now()).map_err(|why| why.to_string())?;
        outln!("{address}/join/{}", secret.reveal());
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs `maproom admin`.
pub fn administer(order: &AdminOrder) -> Result<ExitCode, String> {
    let (house, _, store) = beside(&order.house)?;
    let fail = |why: people::PeopleError| why.to_string();
    match &order.task {
        AdminTask::List => list(&house)?,
        AdminTask::Reset { name } => {
            let account = find(&house, name)?;
            let link = house.reset_link(&account, now()).map_err(fail)?;
            conduct::note(&house, account.id, "made a link for a new password")?;
            outln!("{link}");
        }
        AdminTask::Close { name } => {
            let account = find(&house, name)?.id;
            house.set_closed(account, true).map_err(fail)?;
            conduct::note(&house, account, "closed the account")?;
            outln!("{name} is closed and logged out.");
        }
        AdminTask::Reopen { name } => {
            let account = find(&house, name)?.id;
            house.set_closed(account, false).map_err(fail)?;
            conduct::note(&house, account, "opened the account again")?;
            outln!("{name} is open again.");
        }
        AdminTask::Role { name, role } => {
            let account = find(&house, name)?.id;
            house.set_role(account, Role::read(role)).map_err(fail)?;
            conduct::note(&house, account, &format!("gave the role {role}"))?;
            outln!("{name} is {role} and has to log in again.");
        }
        AdminTask::Mute { name, days } => conduct::mute(&house, &find(&house, name)?, Some(*days))?,
        AdminTask::Unmute { name } => conduct::mute(&house, &find(&house, name)?, None)?,
        AdminTask::Reports => conduct::reports(&house)?,
        AdminTask::Answer { report, words } => conduct::answer(&house, *report, words)?,
        AdminTask::Outages => conduct::outages(&*store)?,
        AdminTask::Log => conduct::log(&house)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The accounts of a folder, beside a server that may be running, and what links begin with.
fn beside(order: &HouseOrder) -> Result<(House, String, Arc<dyn Store>), String> {
    let keeper = Place::of(order.data.as_deref(), order.database.as_deref())?.open_beside()?;
    let (store, people) = (keeper.store(), keeper.people());
    if !people.has_people().map_err(|why| why.to_string())? {
        return Err(format!(
            "there are no accounts in {}: start the server once with `maproom serve --accounts invited`",
            keeper.place()
        ));
    }
    let known = store.setting(ADDRESS).map_err(|why| why.to_string())?;
    let address = order.address.clone().or(known).unwrap_or_default();
    let address = address.trim_end_matches('/').to_owned();
    // No command makes or checks a password, so it does not matter what one would cost.
    let passwords =
        Passwords::start(Cost::TRIFLING, 1, || {}).map_err(|_| "can't start a thread".to_owned())?;
    let house = House::open(people, passwords, Arc::new(NoMail), Entry::Invited, &address);
    Ok((house.map_err(|why| why.to_string())?, address, store))
}

fn find(house: &House, name: &str) -> Result<Account, String> {
    let found = house.people().account_named(&name_key(name)).map_err(|why| why.to_string())?;
    found.ok_or_else(|| format!("no account has the name {name:?}: `maproom admin list` shows all"))
}

/// Names and states, and no addresses: those are nobody else's business.
fn list(house: &House) -> Result<(), String> {
    let mut after = None;
    let mut count = 0;
    loop {
        let accounts = house.people().accounts(after, PAGE).map_err(|why| why.to_string())?;
        for account in &accounts {
            let leaving = if account.leaving_at.is_some() { ", leaving" } else { "" };
            let (id, role, state) = (account.id.to_string(), account.role.word(), account.state.word());
            outln!("{id:6} {:24} {role:7} {state}{leaving}", account.name);
        }
        count += accounts.iter().filter(|account| account.state != AccountState::Deleted).count();
        match accounts.last() {
            Some(last) if accounts.len() == PAGE => after = Some(last.id),
            _ => break,
        }
    }
    outln!("{count} accounts");
    Ok(())
}

/// Milliseconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn doors(words: &str) -> Result<(), String> {
        let words = format!("maproom serve --accounts invited {words}");
        let read = Arguments::try_read(words.split_whitespace().map(OsString::from)).expect("understood");
        let Some(Command::Serve(order)) = read.command else { panic!("serve") };
        check_doors(&order)
    }

    #[test]
    fn passwords_travel_encrypted_or_not_at_all() {
        for fine in ["", "--host 127.0.0.1", "--address https://war.example --behind-proxy 127.0.0.1"] {
            assert_eq!(doors(fine), Ok(()), "{fine}");
        }
        for open in ["--host 0.0.0.0", "--address http://war.example --proxy 10.0.0.2"] {
            assert!(doors(open).is_err_and(|why| why.contains("HTTPS")), "{open}");
        }
        assert!(doors("--address https://war.example").is_err_and(|why| why.contains("--behind-proxy")));
    }
}
