//! Reads the two decks, ours or a user's own. Rules 4.1, 4.2.

use crate::cards::{ActionCard, Diplomacy, Intel, InvestmentCard, LISTS, Research, Season, Tech, Wild};
use crate::world::Atlas;
use crate::world_files::{MAX_CARDS, flag, read};
use diagnostics::Problems;
use diagnostics::datafile::{Table, Value};

/// A list of nations as a mask.
fn nation_mask(value: &Value<'_>, atlas: &Atlas, problems: &mut Problems) -> Option<u64> {
    let known: Vec<&str> = diplomatic(atlas);
    let list = value.words(
        &known,
        |word| atlas.find_nation(word).filter(|n| atlas.nation(*n).diplomacy),
        problems,
    )?;
    Some(list.into_iter().fold(0, |mask, nation| mask | 1 << nation))
}

/// The nations that Diplomacy can touch.
fn diplomatic(atlas: &Atlas) -> Vec<&str> {
    atlas.nations.iter().filter(|nation| nation.diplomacy).map(|nation| nation.id.as_str()).collect()
}

/// The id of a card, which must be new.
fn card_id(entry: &mut Table<'_>, taken: &[&str], problems: &mut Problems) -> Option<String> {
    let id = entry.text("id", problems)?;
    let word = id.as_str();
    let good = !word.is_empty() && word.len() <= 8 && word.chars().all(|c| c.is_ascii_alphanumeric());
    if !good {
        problems
            .error(id.span(), format!("{word:?} can't be the id of a card"))
            .expected("letters and digits, at most eight");
        return None;
    }
    if taken.contains(&word) {
        problems.error(id.span(), format!("there is another card {word:?}")).expected("an id of its own");
        return None;
    }
    Some(word.to_owned())
}

/// Reads a deck, card by card; a deck that is too small or too large is refused.
fn deck<T>(
    root: &mut Table<'_>,
    key: &'static str,
    problems: &mut Problems,
    mut card: impl FnMut(&mut Table<'_>, &[T], &mut Problems) -> Option<T>,
) -> Option<Vec<T>> {
    let entries = root.tables(key, problems)?;
    if entries.is_empty() || entries.len() > MAX_CARDS {
        let what = format!("the deck has {} cards", entries.len());
        problems.error(0..0, what).expected(format!("1 to {MAX_CARDS}"));
        return None;
    }
    let mut cards = Vec::new();
    for mut entry in entries {
        entry.optional("number");
        if let Some(read) = card(&mut entry, &cards, problems) {
            cards.push(read);
        }
        entry.finish(problems);
    }
    Some(cards)
}

/// The Action cards of a file.
pub fn actions(name: &str, text: &str, atlas: &Atlas) -> Result<Vec<ActionCard>, Problems> {
    read(name, text, |root, problems| {
        deck(root, "action_card", problems, |entry, cards: &[ActionCard], problems| {
            let taken: Vec<&str> = cards.iter().map(|card| card.id.as_str()).collect();
            let id = card_id(entry, &taken, problems);
            let seasons: Vec<&str> = Season::ALL.iter().map(|season| season.word()).collect();
            let season = entry.word("season", &seasons, Season::parse, problems);
            let letters: Vec<String> = ('A'..='Z').map(String::from).collect();
            let known: Vec<&str> = letters.iter().map(String::as_str).collect();
            let one = |word: &str| (word.len() == 1).then(|| word.bytes().next()).flatten();
            let letter =
                entry.word("letter", &known, |word| one(word).filter(u8::is_ascii_uppercase), problems);
            let value = entry.integer("value", 1..=20, problems);
            let diplomacy = diplomacy(entry, atlas, problems);
            Some(ActionCard {
                id: id?,
                season: season?,
                letter: letter?,
                value: value?,
                diplomacy: diplomacy?,
            })
        })
    })
}

/// The effects of WildCards.
const EFFECTS: [&str; 6] = [
    "add_or_remove_listed",
    "remove_listed",
    "remove_listed_by_rival",
    "adjacent_to_friendly",
    "adjacent_to_rival",
    "foreign_aid",
];

fn diplomacy(entry: &mut Table<'_>, atlas: &Atlas, problems: &mut Problems) -> Option<Diplomacy> {
    let Some(wild) = entry.optional("wild") else {
        let value = entry.required("nations", "two nations", problems)?;
        let known = diplomatic(atlas);
        let find = |word: &str| atlas.find_nation(word).filter(|nation| atlas.nation(*nation).diplomacy);
        let list = value.words(&known, find, problems)?;
        let Ok([one, other]) = <[u8; 2]>::try_from(list) else {
            problems.error(value.span(), "a card names two nations").expected("two different nations");
            return None;
        };
        if one == other {
            problems.error(value.span(), "both ends name the same nation").expected("two different nations");
            return None;
        }
        return Some(Diplomacy::Nations([one, other]));
    };
    let title = wild.text(problems)?.as_str().to_owned();
    let effect =
        entry.word("effect", &EFFECTS, |word| EFFECTS.iter().position(|known| *known == word), problems)?;
    let mut lists = [0; 3];
    if effect == 0 || effect == 2 {
        for (key, faction) in LISTS {
            if let Some(value) = entry.required(key, "a list of nations", problems) {
                lists[faction.index()] = nation_mask(&value, atlas, problems)?;
            }
        }
    }
    let wild = match effect {
        0 => Wild::Listed(lists),
        1 => {
            let value = entry.required("list_any", "a list of nations", problems)?;
            Wild::Isolation(nation_mask(&value, atlas, problems)?)
        }
        2 => Wild::Loathing(lists),
        3 => Wild::Intimidation,
        4 => Wild::Guarantee,
        _ => Wild::ForeignAid,
    };
    Some(Diplomacy::Wild(title, wild))
}

/// The kinds of Investment cards.
const RESEARCH: [&str; 3] = ["tech", "science", "intelligence"];

/// The Investment cards of a file.
pub fn investments(name: &str, text: &str) -> Result<Vec<InvestmentCard>, Problems> {
    read(name, text, |root, problems| {
        deck(root, "investment_card", problems, |entry, cards: &[InvestmentCard], problems| {
            let taken: Vec<&str> = cards.iter().map(|card| card.id.as_str()).collect();
            let id = card_id(entry, &taken, problems);
            let factory = entry.integer("factory", 0..=9, problems);
            let research = research(entry, problems);
            Some(InvestmentCard { id: id?, factory: factory?, research: research? })
        })
    })
}

fn research(entry: &mut Table<'_>, problems: &mut Problems) -> Option<Research> {
    let kind =
        entry.word("kind", &RESEARCH, |word| RESEARCH.iter().position(|known| *known == word), problems)?;
    if kind == 2 {
        let known: Vec<&str> = Intel::ALL.iter().map(|intel| intel.word()).collect();
        return Some(Research::Intelligence(entry.word("intel", &known, Intel::parse, problems)?));
    }
    let value = entry.required("techs", "a list of technologies", problems)?;
    let known: Vec<&str> = Tech::ALL.iter().map(|tech| tech.word()).collect();
    let list = value.words(&known, Tech::parse, problems)?;
    let techs = list.iter().fold(0, |mask, tech| mask | tech.bit());
    if kind == 1 {
        let year: u16 = entry.integer("year", 1936..=1945, problems)?;
        return Some(Research::Science((year - 1900) as u8, techs));
    }
    let espionage = flag(entry, "industrial_espionage", problems);
    let most = if espionage { 1 } else { 2 };
    if techs == 0 || list.len() > most {
        let what = format!("the card names {} technologies", list.len());
        problems.error(value.span(), what).expected(format!("1 to {most}"));
        return None;
    }
    Some(Research::Tech(techs, espionage))
}
