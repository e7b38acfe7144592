//! Names of the bots and the order in which forms offer them.

use bots::external::Command;
use bots::{BotKind, LEVELS};
use kernel::CompleteGame;
use maud::{Markup, html};

/// The bots that forms preselect: the first of these that the game has.
const PRESELECTED: [&str; 2] = ["captain", "greedy"];

/// The headings under which bots are offered, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotGroup {
    /// A level of search, weakest first.
    Level,
    /// A bot that only this game has.
    Own,
    /// A simple bot that every game has.
    Simple,
    /// An external program that the server's owner has added.
    Program,
}

impl BotGroup {
    const ALL: [Self; 4] = [Self::Level, Self::Own, Self::Simple, Self::Program];

    const fn title(self) -> &'static str {
        match self {
            Self::Level => "Bots, weakest first",
            Self::Own => "Special bots",
            Self::Simple => "Simple bots",
            Self::Program => "Programs",
        }
    }
}

/// A bot that can take a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotOffer {
    /// Its name in seats and URLs, after `bot:`.
    pub word: String,
    /// Its name for people.
    pub name: String,
    /// A sentence about it.
    pub about: String,
    /// Its heading in a list.
    pub group: BotGroup,
}

/// The bots of a game and the programs that play it, in the order in which they are offered.
pub fn bots_of<G: CompleteGame>(programs: &[Command]) -> Vec<BotOffer> {
    let mut offers: Vec<BotOffer> = BotKind::all::<G>()
        .into_iter()
        .map(|(kind, word, about)| {
            let group = match kind {
                BotKind::Level(_) => BotGroup::Level,
                BotKind::Own(_) => BotGroup::Own,
                _ => BotGroup::Simple,
            };
            // The number of a level stands in its name.
            let about =
                about.split_once(": ").filter(|_| group == BotGroup::Level).map_or(about, |(_, rest)| rest);
            BotOffer { word: word.to_owned(), name: bot_name(word), about: about.to_owned(), group }
        })
        .collect();
    offers.extend(programs.iter().map(|program| BotOffer {
        word: program.name().to_owned(),
        name: bot_name(program.name()),
        about: "an external program on this server".to_owned(),
        group: BotGroup::Program,
    }));
    offers.sort_by_key(|offer| BotGroup::ALL.iter().position(|group| *group == offer.group));
    offers
}

/// Words for sides that are written in capital letters.
const ABBREVIATIONS: &[&str] = &["ussr", "usa", "uk"];

/// A bot's name for people: "Captain (level 3)", "Greedy".
pub fn bot_name(word: &str) -> String {
    if let Some(at) = LEVELS.iter().position(|level| level.word == word) {
        return format!("{} (level {})", capital(word), at + 1);
    }
    match word.strip_prefix("search:") {
        Some(budget) if budget.ends_with('s') => format!("Search for {budget}"),
        Some(budget) => format!("Search with {budget} playouts"),
        None if word == "onestep" => "One step ahead".to_owned(),
        None => capital(word),
    }
}

/// The name without the number of its level.
pub fn short_bot_name(word: &str) -> String {
    let name = bot_name(word);
    name.split_once(" (").map_or(name.clone(), |(short, _)| short.to_owned())
}

/// The name of a side for people, from the word that stands for it: "Axis", "USSR".
pub fn side_name(word: &str) -> String {
    if ABBREVIATIONS.contains(&word) { word.to_uppercase() } else { capital(word) }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The bot that forms preselect.
pub fn default_bot(bots: &[BotOffer]) -> Option<&str> {
    PRESELECTED.into_iter().find(|word| bots.iter().any(|bot| bot.word == *word))
}

/// The `<option>`s for a list of bots, under headings; each value is `prefix` followed by the bot's name.
pub fn bot_options(bots: &[BotOffer], prefix: &str, selected: Option<&str>) -> Markup {
    html! {
        @for group in BotGroup::ALL {
            @if bots.iter().any(|bot| bot.group == group) {
                optgroup label=(group.title()) {
                    @for bot in bots.iter().filter(|bot| bot.group == group) {
                        option value={(prefix) (bot.word)} selected[selected == Some(bot.word.as_str())] {
                            (bot.name) ": " (bot.about)
                        }
                    }
                }
            }
        }
    }
}

/// The form field that asks who plays a seat. One seat is preselected for the creator, the others for a bot.
pub fn seat_field(at: usize, title: &str, is_mine: bool, bots: &[BotOffer]) -> Markup {
    let default = default_bot(bots).filter(|_| !is_mine);
    html! {
        label.field {
            (title) " "
            select name={"seat." (at)} {
                option value="me" selected[is_mine] { "Me" }
                option value="friend" selected[!is_mine && default.is_none()] { "A friend (by link)" }
                (bot_options(bots, "bot:", default))
            }
        }
    }
}

/// The form field that asks how much time people who play each other have.
pub fn clock_field() -> Markup {
    html! {
        label.field {
            "Clock, between people "
            select name="clock" {
                option value="" selected { "None" }
                option value="sitting" { "One sitting: 45 minutes each, 20 seconds free a move" }
                option value="daily" { "Daily: 3 days each, 12 hours more a turn, at most 5 days" }
                option value="easy" { "Easy: 7 days each, 36 hours more a turn, at most 14 days" }
                option value="sitting flag=loss" { "One sitting; out of time loses" }
                option value="daily flag=loss" { "Daily; out of time loses" }
                option value="daily flag=claim" { "Daily; the other decides when time runs out" }
            }
        }
        (off_days_field())
    }
}

/// The form fields for days of the week on which no clock runs. A script puts them in (`off-days.js`), so that a page with many
/// forms does not carry them many times, and fills in the zone of the browser.
pub fn off_days_field() -> Markup {
    html! { details.off-days { summary { "Days off" } } }
}

/// The fields for all seats of a game; the first seat is preselected for the creator.
pub fn seat_fields(seats: &[&str], bots: &[BotOffer]) -> Markup {
    html! {
        @for (at, title) in seats.iter().enumerate() { (seat_field(at, title, at == 0, bots)) }
        @if seats.len() > 1 { (clock_field()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_have_names() {
        for (word, name) in [
            ("captain", "Captain (level 3)"),
            ("greedy", "Greedy"),
            ("onestep", "One step ahead"),
            ("search:4000", "Search with 4000 playouts"),
            ("search:500ms", "Search for 500ms"),
            ("", ""),
        ] {
            assert_eq!(bot_name(word), name);
        }
        assert_eq!(
            (short_bot_name("general"), short_bot_name("greedy")),
            ("General".into(), "Greedy".into())
        );
    }

    #[test]
    fn levels_come_first_and_from_weak_to_strong() {
        let program = Command::parse("mine=./bot").expect("a command");
        let bots = bots_of::<blitz::Blitz>(&[program]);
        let words: Vec<&str> = bots.iter().map(|bot| bot.word.as_str()).collect();
        assert_eq!(words[..5], ["recruit", "sergeant", "captain", "colonel", "general"]);
        assert_eq!(words.last(), Some(&"mine"));
        assert!(words.contains(&"greedy") && words.contains(&"solo"), "{words:?}");
        assert_eq!(bots[2].about, "a solid player");
    }

    #[test]
    fn the_form_asks_who_sits_where() {
        let bot = |word: &str, about: &str, group| BotOffer {
            word: word.to_owned(),
            name: bot_name(word),
            about: about.to_owned(),
            group,
        };
        let bots =
            [bot("captain", "solid", BotGroup::Level), bot("greedy", "The <best> move", BotGroup::Simple)];
        let form = seat_fields(&["Axis", "Allies"], &bots).into_string();
        let lists: Vec<&str> = form.split("<select ").skip(1).collect();
        assert_eq!(lists.len(), 3);
        assert!(
            lists[2].starts_with("name=\"clock\"") && lists[2].contains("<option value=\"\" selected>"),
            "{form}"
        );
        assert!(lists[0].starts_with("name=\"seat.0\"") && lists[1].starts_with("name=\"seat.1\""), "{form}");
        assert!(lists[0].contains("<option value=\"me\" selected>"), "{form}");
        assert!(lists[1].contains("<option value=\"bot:captain\" selected>"), "{form}");
        assert_eq!(form.matches(" selected").count(), 3, "one option is preselected in each list");
        assert!(form.contains("The &lt;best&gt; move"), "{form}");
        assert!(
            seat_fields(&["Axis", "Allies"], &[])
                .into_string()
                .contains("<option value=\"friend\" selected>")
        );
    }
}
