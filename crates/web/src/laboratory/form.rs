//! The form for a batch, read.
//!
//! Fields: `game`; `setup`, `option.KEY` and `text.KEY` for how it is set up; the same with `b.` before them for the other way,
//! which counts if `compare` is there; `seat.N`, `games`, `seed`. The editor of a text sends `measure` (the kind), `of` (what it
//! was begun from) and the text: then the first way is the original and the other one the text.

use diagnostics::shown;
use kernel::Options;
use lab::{Order, Subject};

use super::{MOST_TEXT, bad};
use crate::lobby::LobbyError;
use crate::seating::MOST_SEATS;
use crate::title::Title;

/// How one of the two ways is set up, as it was filled in.
#[derive(Clone, Debug, Default)]
struct Way {
    setup: String,
    options: Options,
    texts: Options,
}

/// The form as it was filled in.
#[derive(Clone, Debug, Default)]
pub struct Form {
    game: String,
    ways: [Way; 2],
    compares: bool,
    measure: String,
    of: String,
    seats: Vec<String>,
    games: String,
    seed: String,
}

impl Form {
    /// Takes the fields of a request.
    pub fn read(fields: Vec<(String, String)>) -> Result<Self, LobbyError> {
        let mut form = Self::default();
        for (key, value) in fields {
            match key.as_str() {
                "game" => form.game = value,
                "compare" => form.compares = true,
                "measure" => form.measure = value,
                "of" => form.of = value,
                "games" => form.games = value,
                "seed" => form.seed = value,
                _ => form.more(&key, value)?,
            }
        }
        Ok(form)
    }

    fn more(&mut self, key: &str, value: String) -> Result<(), LobbyError> {
        if let Some(seat) = key.strip_prefix("seat.").and_then(|seat| seat.parse::<usize>().ok()) {
            if seat < MOST_SEATS {
                self.seats.resize(self.seats.len().max(seat + 1), String::new());
                self.seats[seat] = value;
            }
            return Ok(());
        }
        let (way, key) = key.strip_prefix("b.").map_or((0, key), |rest| (1, rest));
        let way = &mut self.ways[way];
        if key == "setup" {
            way.setup = value;
        } else if let Some(option) = key.strip_prefix("option.") {
            if !value.trim().is_empty() {
                way.options.insert(option.to_owned(), value.trim().to_owned());
            }
        } else if let Some(option) = key.strip_prefix("text.") {
            if value.len() > MOST_TEXT {
                return bad(format!("The text for {option} is longer than {} KB.", MOST_TEXT >> 10));
            }
            if !value.trim().is_empty() {
                // Browsers send texts with the ends of lines of old.
                way.texts.insert(option.to_owned(), value.replace("\r\n", "\n"));
            }
        } else {
            return bad(format!("unknown field {:?}", shown(key)));
        }
        Ok(())
    }

    /// The id of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The order, with what the game says to it checked.
    pub fn order(mut self, title: &dyn Title) -> Result<Order, LobbyError> {
        let subject = title.subject();
        if !self.measure.is_empty() {
            self.put_original(&*subject)?;
        }
        let [first, second] = &self.ways;
        let options = set_up(title, &*subject, first, &Options::new())?;
        let other = self.compares.then(|| set_up(title, &*subject, second, &options)).transpose()?;
        let seats = subject.seats(&options).map_err(LobbyError::Bad)?.len();
        let known = subject.bots();
        let mut bots: Vec<String> =
            self.seats.into_iter().take(seats).filter(|bot| !bot.is_empty()).collect();
        if bots.is_empty() {
            bots.push("greedy".to_owned());
        }
        // Only bots of the list: others may think for a time, or for ever.
        if let Some(odd) = bots.iter().find(|bot| known.iter().all(|(word, _)| word != bot)) {
            let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
            return bad(format!("There is no bot {:?} here; the bots are {}.", shown(odd), words.join(", ")));
        }
        if other == Some(options.clone()) {
            return bad("Both ways are the same: change something in the second one.");
        }
        Ok(Order {
            game: title.id().to_owned(),
            options,
            other,
            bots,
            games: number("games", &self.games, 1_000)?,
            seed: number("seed", &self.seed, 1)?,
        })
    }

    /// From an editor: the first way has the text as it comes with the game.
    fn put_original(&mut self, subject: &dyn Subject) -> Result<(), LobbyError> {
        let kinds = subject.texts();
        let built_in = kinds.iter().find(|kind| kind.key == self.measure).map(|kind| &kind.built_in);
        let original = built_in.and_then(|texts| texts.iter().find(|(name, _)| *name == self.of));
        let Some((_, original)) = original else { return bad("There is no such text to measure against.") };
        let Some(text) = self.ways[0].texts.remove(&self.measure) else {
            return bad("There is no text to measure.");
        };
        self.ways[0].texts.insert(self.measure.clone(), (*original).to_owned());
        self.ways[1].texts.insert(self.measure.clone(), text);
        self.compares = true;
        Ok(())
    }
}

fn number(name: &str, text: &str, default: u64) -> Result<u64, LobbyError> {
    match text.trim() {
        "" => Ok(default),
        text => text.parse().or_else(|_| bad(format!("{name}: {:?} is not a whole number.", shown(text)))),
    }
}

/// The options of a way: those of its set-up (of `base` if it names none), then what was filled in.
fn set_up(
    title: &dyn Title,
    subject: &dyn Subject,
    way: &Way,
    base: &Options,
) -> Result<Options, LobbyError> {
    let mut options = base.clone();
    if !way.setup.is_empty() {
        let card = title.setups().iter().find(|card| card.id == way.setup);
        let Some(card) = card else { return bad(format!("There is no set-up {:?}.", shown(&way.setup))) };
        options = card.options.clone();
    }
    options.extend(way.options.clone());
    options.extend(way.texts.clone());
    let why = match subject.seats(&options) {
        Ok(_) => return Ok(options),
        Err(why) => why,
    };
    // What a set-up says and a text says otherwise the text decides: a book says itself which side one plays.
    let filled_in = |key: &String| way.options.contains_key(key) || way.texts.contains_key(key);
    let said: Vec<String> = options.keys().filter(|key| !filled_in(key)).cloned().collect();
    for key in said.iter().filter(|_| !way.texts.is_empty()) {
        let mut fewer = options.clone();
        fewer.remove(key);
        if subject.seats(&fewer).is_ok() {
            return Ok(fewer);
        }
    }
    bad(why)
}

#[cfg(test)]
mod tests {
    use echoes::Echoes;

    use super::*;
    use crate::plain::PlainBoard;
    use crate::title::Of;

    fn read(fields: &[(&str, &str)]) -> Result<Order, LobbyError> {
        let title = Of::<PlainBoard<Echoes>>::new();
        let pairs = fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        Form::read(pairs.collect())?.order(&title)
    }

    fn why(fields: &[(&str, &str)]) -> String {
        read(fields).expect_err("refused").to_string()
    }

    fn book() -> &'static str {
        let kinds = Of::<PlainBoard<Echoes>>::new().subject().texts();
        kinds.into_iter().find(|kind| kind.key == "book").expect("books").built_in[0].1
    }

    #[test]
    fn what_is_left_empty_is_usual() {
        let order = read(&[("game", "echoes"), ("games", ""), ("seed", " ")]).expect("an order");
        assert_eq!((order.games, order.seed, order.bots), (1_000, 1, vec!["greedy".to_owned()]));
        assert_eq!((order.options, order.other), (Options::new(), None));
    }

    #[test]
    fn a_text_goes_before_what_a_set_up_says() {
        let order = read(&[("setup", "axis"), ("text.book", book())]).expect("an order");
        assert!(order.options.contains_key("book") && !order.options.contains_key("edition"));
        // What somebody has filled in by hand is not left out without a word.
        assert!(why(&[("option.edition", "axis"), ("text.book", book())]).contains("not both"));
    }

    #[test]
    fn the_editor_measures_a_text_against_its_original() {
        let own = book().replacen("ADV", "Attack", 1);
        let order = read(&[("measure", "book"), ("of", "allied"), ("text.book", &own)]).expect("an order");
        assert_eq!(order.options.get("book").map(String::as_str), Some(book()));
        assert_eq!(order.other.expect("a second way").get("book"), Some(&own));
        let windows = book().replace('\n', "\r\n");
        let same = why(&[("measure", "book"), ("of", "allied"), ("text.book", &windows)]);
        assert!(same.contains("the same"), "{same}");
        assert!(why(&[("measure", "book"), ("of", "nothing"), ("text.book", "x")]).contains("no such text"));
        assert!(why(&[("measure", "book"), ("of", "allied")]).contains("no text"));
    }

    #[test]
    fn bad_fields_are_refused() {
        assert!(why(&[("games", "many")]).contains("whole number"));
        assert!(why(&[("seat.0", "search:500ms")]).contains("no bot"));
        assert!(why(&[("seat.0", "nobody")]).contains("captain"));
        assert!(why(&[("setup", "nothing")]).contains("no set-up"));
        assert!(why(&[("option.nothing", "1")]).contains("nothing"));
        assert!(why(&[("surprise", "1")]).contains("unknown field"));
        assert!(why(&[("text.book", &"x".repeat(MOST_TEXT + 1))]).contains("256 KB"));
        assert!(why(&[("compare", "yes")]).contains("the same"));
    }
}
