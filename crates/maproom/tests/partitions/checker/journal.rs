//! The journals, as psql prints them.

use std::collections::BTreeMap;

/// An entry.
#[derive(Debug)]
pub struct Entry {
    pub number: u64,
    /// The key of the request; empty where there was none.
    pub key: String,
    /// Its steps; none where something happened beside the game.
    pub steps: Vec<Step>,
}

/// A step, and what position it led to.
#[derive(Debug)]
pub struct Step {
    pub name: String,
    pub digest: String,
}

/// The entries of every match, in the order of the text.
pub type Journals = BTreeMap<String, Vec<Entry>>;

/// Reads them.
pub fn read(text: &str) -> Result<Journals, String> {
    let mut journals = Journals::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let odd = || format!("a line of the journals can't be read: {line}");
        let mut words = line.splitn(4, '|');
        let mut next = || words.next().ok_or_else(odd);
        let (id, number, key, steps) = (next()?, next()?, next()?, next()?);
        let number = number.parse().map_err(|_| odd())?;
        let steps = steps.split(',').filter(|step| !step.is_empty()).map(|step| {
            let (name, digest) = step.rsplit_once('=').ok_or_else(odd)?;
            Ok(Step { name: name.to_owned(), digest: digest.to_owned() })
        });
        let steps = steps.collect::<Result<_, String>>()?;
        journals.entry(id.to_owned()).or_default().push(Entry { number, key: key.to_owned(), steps });
    }
    Ok(journals)
}
