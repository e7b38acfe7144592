//! Choosing in two steps where pieces are placed: first the piece, then the space. A list of all placements at once is too long
//! to read.

use std::fmt::Write as _;

use kernel::Offer;

/// From so many choices on, pieces are picked first.
const TOO_MANY: usize = 10;

/// A line of the list: one choice, or all placements of a piece.
enum Entry<'a> {
    /// A choice as it is.
    One(&'a Offer),
    /// A piece with its placements.
    Piece {
        /// The beginning of their names: `place army2`.
        key: &'a str,
        /// The placements.
        offers: Vec<&'a Offer>,
    },
}

/// The beginning of a placement's name, up to the space: `place army2` of `place army2 WE.1.2`. The label of a placement tells
/// the piece from what it does; other names of three words are choices like any other.
fn piece_of(offer: &Offer) -> Option<&str> {
    let (key, space) = offer.name.rsplit_once(' ')?;
    let is_placement = !parts_of(&offer.label).0.is_empty();
    (is_placement && key.split(' ').count() == 2 && !space.is_empty()).then_some(key)
}

/// The word of a piece: `army2` of `place army2`.
fn word_of(key: &str) -> &str {
    key.rsplit_once(' ').map_or(key, |(_, word)| word)
}

/// The choices, with the placements of a piece in one line if there are many. The order stays.
fn entries(offers: &[Offer]) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for offer in offers {
        let key = piece_of(offer).filter(|_| offers.len() >= TOO_MANY);
        let known = entries.iter_mut().find_map(|entry| match entry {
            Entry::Piece { key: known, offers } if Some(*known) == key => Some(offers),
            _ => None,
        });
        match (key, known) {
            (Some(_), Some(placements)) => placements.push(offer),
            (Some(key), None) => entries.push(Entry::Piece { key, offers: vec![offer] }),
            (None, _) => entries.push(Entry::One(offer)),
        }
    }
    entries
}

/// A label in two parts: the piece, and what its placement does.
fn parts_of(label: &str) -> (&str, &str) {
    label.split_once(" → ").unwrap_or(("", label))
}

/// What a line means at a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// A choice, by its name.
    Choice(String),
    /// A piece whose spaces are to be listed.
    Piece(String),
}

/// What a person means by a number or a name, where a piece may have been picked. The error is for the person.
pub fn meant(offers: &[Offer], picked: Option<&str>, line: &str) -> Result<Meant, String> {
    let number = line.parse::<usize>().ok();
    let wrong = |number: usize, count: usize| {
        format!("There is no choice {number}: type a number from 1 to {count}.\n")
    };
    if let Some(key) = picked {
        let spaces = placements(offers, key);
        if let Some(number) = number {
            let offer = number.checked_sub(1).and_then(|at| spaces.get(at));
            return offer
                .map(|offer| Meant::Choice(offer.name.clone()))
                .ok_or_else(|| wrong(number, spaces.len()));
        }
        // A space alone is enough.
        let full = format!("{key} {line}");
        let known = spaces.iter().find(|offer| offer.name.eq_ignore_ascii_case(&full));
        return Ok(Meant::Choice(known.map_or_else(|| line.to_owned(), |offer| offer.name.clone())));
    }
    let entries = entries(offers);
    let is_meant = |entry: &&Entry<'_>| match entry {
        Entry::Piece { key, .. } => key.eq_ignore_ascii_case(line) || word_of(key).eq_ignore_ascii_case(line),
        Entry::One(_) => false,
    };
    let entry = match number {
        Some(number) => {
            let entry = number.checked_sub(1).and_then(|at| entries.get(at));
            Some(entry.ok_or_else(|| wrong(number, entries.len()))?)
        }
        None => entries.iter().find(is_meant),
    };
    Ok(match entry {
        Some(Entry::Piece { key, .. }) => Meant::Piece((*key).to_owned()),
        Some(Entry::One(offer)) => Meant::Choice(offer.name.clone()),
        None => Meant::Choice(line.to_owned()),
    })
}

/// The placements of a piece.
fn placements<'a>(offers: &'a [Offer], key: &str) -> Vec<&'a Offer> {
    offers.iter().filter(|offer| piece_of(offer) == Some(key)).collect()
}

/// The numbered choices, with one line for each piece that can be placed.
pub fn list_entries(offers: &[Offer], out: &mut String) {
    let entries = entries(offers);
    let name = |entry: &Entry<'_>| match entry {
        Entry::One(offer) => offer.name.clone(),
        Entry::Piece { key, .. } => word_of(key).to_owned(),
    };
    let width = entries.iter().map(|entry| name(entry).len()).max().unwrap_or(0);
    for (number, entry) in (1..).zip(&entries) {
        let words = match entry {
            Entry::One(offer) => offer.label.clone(),
            Entry::Piece { offers, .. } => {
                let piece = offers.first().map_or("", |offer| parts_of(&offer.label).0);
                let spaces: Vec<&str> =
                    offers.iter().filter_map(|offer| offer.name.rsplit(' ').next()).collect();
                format!("{piece}: {}", spaces.join(" "))
            }
        };
        let _ = writeln!(out, "  {number:>2}  {:width$}  {words}", name(entry));
    }
}

/// The numbered spaces of the piece that was picked.
pub fn list_spaces(offers: &[Offer], key: &str, out: &mut String) {
    let spaces = placements(offers, key);
    if let Some(first) = spaces.first() {
        let _ = writeln!(out, "{} on which space? (back: another piece)", parts_of(&first.label).0);
    }
    let name = |offer: &Offer| offer.name.rsplit(' ').next().unwrap_or_default().to_owned();
    let width = spaces.iter().map(|offer| name(offer).len()).max().unwrap_or(0);
    for (number, offer) in (1..).zip(spaces) {
        let _ = writeln!(out, "  {number:>2}  {:width$}  {}", name(offer), parts_of(&offer.label).1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(name: &str) -> Offer {
        Offer { name: name.to_owned(), label: format!("Label → {name}"), weight: 0 }
    }

    #[test]
    fn many_placements_are_one_line_for_each_piece() {
        let mut offers: Vec<Offer> = (1..=6).map(|n| offer(&format!("place army2 WE.1.{n}"))).collect();
        offers.extend((1..=5).map(|n| offer(&format!("place spy EE.1.{n}"))));
        offers.push(offer("stop"));
        let entries = entries(&offers);
        let keys: Vec<(&str, usize)> = entries
            .iter()
            .map(|entry| match entry {
                Entry::One(offer) => (offer.name.as_str(), 1),
                Entry::Piece { key, offers } => (*key, offers.len()),
            })
            .collect();
        assert_eq!(keys, [("place army2", 6), ("place spy", 5), ("stop", 1)]);
        assert_eq!(word_of(keys[0].0), "army2");
        assert_eq!(parts_of(&offers[0].label), ("Label", "place army2 WE.1.1"));
        let choice = |name: &str| Ok(Meant::Choice(name.to_owned()));
        assert_eq!(meant(&offers, None, "2"), Ok(Meant::Piece("place spy".to_owned())));
        assert_eq!(meant(&offers, None, "Army2"), Ok(Meant::Piece("place army2".to_owned())));
        assert_eq!(meant(&offers, None, "3"), choice("stop"));
        assert_eq!(meant(&offers, None, "place spy EE.1.5"), choice("place spy EE.1.5"));
        assert_eq!(meant(&offers, Some("place spy"), "5"), choice("place spy EE.1.5"));
        assert_eq!(meant(&offers, Some("place spy"), "ee.1.2"), choice("place spy EE.1.2"));
        assert!(meant(&offers, Some("place spy"), "6").is_err_and(|why| why.contains("from 1 to 5")));
        assert!(meant(&offers, None, "4").is_err_and(|why| why.contains("from 1 to 3")));
    }

    #[test]
    fn a_few_choices_stay_as_they_are() {
        let offers: Vec<Offer> = (1..=4).map(|n| offer(&format!("place army2 WE.1.{n}"))).collect();
        assert_eq!(entries(&offers).len(), 4);
        assert!(piece_of(&offer("tow shift WF EMT")).is_none() && piece_of(&offer("die 4")).is_none());
    }

    /// An assault names two zones, but nothing is placed: every one keeps its own line.
    #[test]
    fn only_placements_are_put_together() {
        let assault = |n: u32| Offer {
            name: format!("assault 0702 080{n}"),
            label: format!("Assault 080{n} from 0702, 7 or less hits"),
            weight: 0,
        };
        let offers: Vec<Offer> = (0..12).map(assault).collect();
        assert!(entries(&offers).iter().all(|entry| matches!(entry, Entry::One(_))));
    }
}
