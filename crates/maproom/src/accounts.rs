//! Accounts from the command line: how a server has them, `maproom invite`, `maproom admin`.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use people::{Cost, Entry, House, NoMail, Passwords, People, name_key};
use store::{Account, AccountState, Role, SqliteStore, Store};
use web::Accounts;

use crate::arguments::{AdminOrder, AdminTask, HouseOrder, InviteOrder, ServeOrder};
use crate::files;

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

/// Opens the accounts of a server, and notes its address for the links that commands print.
pub fn open(store: Arc<SqliteStore>, entry: Entry, address: &str) -> Result<Accounts, String> {
    store.set_setting(ADDRESS, address).map_err(|why| why.to_string())?;
    Accounts::open(store, entry, address).map_err(|why| why.to_string())
}

/// Runs `maproom invite`.
pub fn invite(order: &InviteOrder) -> Result<ExitCode, String> {
    let (house, address) = beside(&order.house)?;
    for _ in 0..order.count {
        let secret = house.invite(order.days * DAY_MS, now()).map_err(|why| why.to_string())?;
        outln!("{address}/join/{}", secret.reveal());
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs `maproom admin`.
pub fn administer(order: &AdminOrder) -> Result<ExitCode, String> {
    let (house, _) = beside(&order.house)?;
    let fail = |why: people::PeopleError| why.to_string();
    match &order.task {
        AdminTask::List => list(&house)?,
        AdminTask::Reset { name } => {
            let account = find(&house, name)?;
            let link = house.reset_link(&account, now()).map_err(fail)?;
            outln!("{link}");
        }
        AdminTask::Close { name } => {
            house.set_closed(find(&house, name)?.id, true).map_err(fail)?;
            outln!("{name} is closed and logged out.");
        }
        AdminTask::Reopen { name } => {
            house.set_closed(find(&house, name)?.id, false).map_err(fail)?;
            outln!("{name} is open again.");
        }
        AdminTask::Role { name, role } => {
            house.set_role(find(&house, name)?.id, Role::read(role)).map_err(fail)?;
            outln!("{name} is {role} and has to log in again.");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The accounts of a folder, beside a server that may be running, and what links begin with.
fn beside(order: &HouseOrder) -> Result<(House, String), String> {
    let folder = match &order.data {
        Some(folder) => folder.clone(),
        None => {
            files::data_folder().ok_or("no data folder found on this system: choose one with --data DIR")?
        }
    };
    let store = SqliteStore::open_beside(&folder).map_err(|why| why.to_string())?;
    if !store.has_people().map_err(|why| why.to_string())? {
        return Err(format!(
            "there are no accounts in {}: start the server once with `maproom serve --accounts invited`",
            folder.display()
        ));
    }
    let known = store.setting(ADDRESS).map_err(|why| why.to_string())?;
    let address = order.address.clone().or(known).unwrap_or_default();
    let address = address.trim_end_matches('/').to_owned();
    // No command makes or checks a password, so it does not matter what one would cost.
    let passwords =
        Passwords::start(Cost::TRIFLING, 1, || {}).map_err(|_| "can't start a thread".to_owned())?;
    let house = House::open(Arc::new(store), passwords, Arc::new(NoMail), Entry::Invited, &address);
    Ok((house.map_err(|why| why.to_string())?, address))
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
