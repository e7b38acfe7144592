//! Reports, mutes, outages and the log on the command line. What is done here stands in the log as done by the owner.

use people::House;
use store::{Account, AccountId, NewAct, Outage, Store};

use super::{DAY_MS, PAGE, now};

/// The longest answer, in letters.
const LONGEST: usize = 500;

/// Writes into the log what the owner has done to an account.
pub fn note(house: &House, about: AccountId, deed: &str) -> Result<(), String> {
    let act = NewAct { at: now(), by: None, about: Some(about), deed: deed.to_owned(), note: String::new() };
    house.people().note_act(&act).map_err(|why| why.to_string())
}

/// Lets an account write nothing for some days, or anything again.
pub fn mute(house: &House, account: &Account, days: Option<u64>) -> Result<(), String> {
    let until = days.map(|days| now() + days * DAY_MS);
    house.people().silence(account.id, until).map_err(|why| why.to_string())?;
    match days {
        Some(days) => {
            note(house, account.id, &format!("muted for {days} day{}", if days == 1 { "" } else { "s" }))?;
            outln!("{} can't write at any table for {days} days.", account.name);
        }
        None => {
            note(house, account.id, "ended the mute")?;
            outln!("{} can write again.", account.name);
        }
    }
    Ok(())
}

fn name(house: &House, account: Option<AccountId>) -> Result<String, String> {
    let Some(account) = account else { return Ok("a guest".to_owned()) };
    let found = house.people().account(account).map_err(|why| why.to_string())?;
    Ok(found.map_or_else(|| "somebody".to_owned(), |account| account.name))
}

/// Lists the reports that wait.
pub fn reports(house: &House) -> Result<(), String> {
    let open = house.people().reports(false, PAGE).map_err(|why| why.to_string())?;
    for report in &open {
        let told = &report.report;
        let (by, about) = (name(house, Some(told.by))?, name(house, told.about)?);
        // What somebody has written may not move the cursor of whoever reads it.
        let (text, why) = (&told.text, &told.why);
        outln!(
            "{:5} {by} reports {about} among the {} of {}: {text:?}",
            report.id,
            told.room.word(),
            told.match_id
        );
        if !told.why.is_empty() {
            outln!("      {why:?}");
        }
    }
    outln!("{} report{}", open.len(), if open.len() == 1 { "" } else { "s" });
    Ok(())
}

/// Answers a report.
pub fn answer(house: &House, report: u64, words: &str) -> Result<(), String> {
    let fail = |why: store::StoreError| why.to_string();
    let words: String = words.trim().chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    let known = house.people().report_numbered(report).map_err(fail)?;
    if !house.people().answer_report(report, now(), &words).map_err(fail)? {
        return Err(format!("no report {report} waits for an answer: `maproom admin reports` lists them"));
    }
    let about = known.and_then(|known| known.report.about);
    let deed = format!("answered report {report}");
    house.people().note_act(&NewAct { at: now(), by: None, about, deed, note: words }).map_err(fail)?;
    outln!("Answered.");
    Ok(())
}

/// Lists when the server did not run.
pub fn outages(store: &dyn Store) -> Result<(), String> {
    let outages = store.outages(0).map_err(|why| why.to_string())?;
    for Outage { began, ended } in &outages {
        let (ago, long) = (now().saturating_sub(*began) / 60_000, ended.saturating_sub(*began) / 1_000);
        outln!("{ago:9} minutes ago, for {long} seconds");
    }
    outln!("{} outages", outages.len());
    Ok(())
}

/// Shows the log.
pub fn log(house: &House) -> Result<(), String> {
    let acts = house.people().acts(None, PAGE).map_err(|why| why.to_string())?;
    for act in &acts {
        let by = match act.act.by {
            Some(by) => name(house, Some(by))?,
            None => "The owner".to_owned(),
        };
        let about = match act.act.about {
            Some(about) => format!(" ({})", name(house, Some(about))?),
            None => String::new(),
        };
        let minutes = now().saturating_sub(act.act.at) / 60_000;
        let written = if act.act.note.is_empty() { String::new() } else { format!(": {:?}", act.act.note) };
        outln!("{minutes:9} minutes ago  {by} {}{about}{written}", act.act.deed);
    }
    outln!("{} entries", acts.len());
    Ok(())
}
