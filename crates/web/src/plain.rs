//! A plain board for games without their own: the view as text and tables, the choices as buttons. [`Board`] takes its
//! defaults from here, so an author draws only what they want to draw.

mod facts;

use std::marker::PhantomData;

use bots::BotKind;
use kernel::{CompleteGame, Options, Viewer};
use maud::{Markup, html};

use crate::opponents::{BotOffer, seat_fields};
use crate::scene::{Board, Scene, Tone};

/// The board of a game without its own. The table lists every choice as a button, with keys, undo, log and bots.
pub struct PlainBoard<G>(PhantomData<fn() -> G>);

impl<G: CompleteGame> Board for PlainBoard<G> {
    type Game = G;
}

/// The stylesheet of the plain board.
pub(crate) const STYLE: &str = include_str!("plain/board.css");

/// An option with a longer value gets a field of several lines, and is not named in a title.
const SHORT: usize = 40;

/// The widths in characters for which the stylesheet has a size of type; a wider picture is as wide as it is.
const WIDTHS: [usize; 7] = [20, 28, 36, 48, 64, 80, 100];

/// The options of a game as they are when nothing is chosen.
fn default_options<G: CompleteGame>() -> Options {
    G::with_options(&Options::new()).map_or_else(|_| Options::new(), |game| game.options())
}

/// "Salient, reserve 12": the title, and the options that are not the default ones.
pub(crate) fn setup_title<G: CompleteGame>(game: &G) -> String {
    let default = default_options::<G>();
    let options = game.options();
    let mut title = G::TITLE.to_owned();
    for (key, value) in options.iter().filter(|(key, value)| default.get(*key) != Some(value)) {
        title.push_str(", ");
        title.push_str(&facts::words(key).to_lowercase());
        if is_short(value) {
            title.push(' ');
            title.push_str(value);
        }
    }
    title
}

/// The game, and the options in short.
pub(crate) fn setup_class<G: CompleteGame>(options: &Options) -> (String, String) {
    let bar = G::with_options(options).map_or_else(|_| String::new(), |game| setup_title(&game));
    (G::TITLE.to_owned(), bar)
}

fn is_short(value: &str) -> bool {
    value.chars().count() <= SHORT && !value.contains('\n')
}

/// A field for each option, with its default value and what it means, then the seats.
pub(crate) fn new_game_fields<G: CompleteGame>(bots: &[BotOffer]) -> Markup {
    let default = default_options::<G>();
    let game = G::with_options(&Options::new());
    let seats = game.as_ref().map_or_else(|_| Vec::new(), |game| game.seats().to_vec());
    let titles: Vec<&str> = seats.iter().map(|seat| seat.title).collect();
    html! {
        @for (key, about) in G::option_help() {
            @let value = default.get(*key).map_or("", String::as_str);
            label.field {
                (facts::words(key)) " "
                @if is_short(value) {
                    input type="text" name={ "option." (key) } value=(value)
                        inputmode=[value.parse::<i64>().is_ok().then_some("numeric")];
                } @else {
                    textarea name={ "option." (key) } rows="6" { (value) }
                }
                small { (about) }
            }
        }
        @if titles.len() > 1 { (seat_fields(&titles, bots)) }
    }
}

/// The places of the picture and of the tables.
pub(crate) fn sheet<G: CompleteGame>(game: &G) -> Markup {
    let start = game.start();
    let has_facts = facts::has_form(&game.describe(&game.view(&start, Viewer::Spectator)));
    html! {
        div.plain {
            div #plain-picture-place {}
            @if has_facts {
                details.figures open {
                    summary { "The position in figures" }
                    div #plain-facts-place {}
                }
            }
        }
    }
}

/// The picture, and the view as tables if the game describes it as data.
pub(crate) fn draw<G: CompleteGame>(game: &G, view: &G::View<'_>, scene: &mut Scene) {
    scene.add("plain-picture-place", "plain-picture", html! { div #plain-picture { (picture(game, view)) } });
    let described = game.describe(view);
    if facts::has_form(&described) {
        let tables = facts::tables(&described);
        scene.add("plain-facts-place", "plain-facts", html! { div #plain-facts { (tables) } });
    }
}

/// The picture in a frame, with type as large as its width allows. A game without a picture that describes its view as data is shown
/// by its tables alone: they are easier to read than the value that the program works with.
fn picture<G: CompleteGame>(game: &G, view: &G::View<'_>) -> Markup {
    let picture = game.picture(view);
    if facts::has_form(&game.describe(view)) && picture == format!("{view:#?}") {
        return Markup::default();
    }
    let columns = columns(&picture);
    let width = WIDTHS.into_iter().find(|width| columns <= *width);
    let class = width.map_or_else(|| "picture".to_owned(), |width| format!("picture w{width}"));
    html! { pre class=(class) { (picture.trim_end()) } }
}

fn columns(picture: &str) -> usize {
    picture.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0)
}

/// The picture as large as a thumbnail allows. It stands alone, so it brings its colours along.
pub(crate) fn thumbnail<G: CompleteGame>(game: &G, view: &G::View<'_>, tone: Tone) -> Markup {
    const ROWS: usize = 14;
    const COLUMNS: usize = 60;
    let picture = game.picture(view);
    let lines: Vec<String> =
        picture.lines().take(ROWS).map(|line| line.trim_end().chars().take(COLUMNS).collect()).collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1).max(1);
    // A character is about 0.6 wide and a line 1.3 high.
    let size = (216.0 / (0.6 * columns as f64)).min(112.0 / (1.3 * lines.len().max(1) as f64)).min(20.0);
    let top = (135.0 - 1.3 * size * lines.len() as f64) / 2.0 + size;
    let left = (240.0 - 0.6 * size * columns as f64) / 2.0;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 135" role="img" {
            rect width="240" height="135" fill=(tone.pick("#e9e0c8", "#17191b")) {}
            rect x="5" y="5" width="230" height="125" rx="4" fill=(tone.pick("#faf5e8", "#222528")) stroke=(tone.pick("#cbbfa4", "#454a4e")) {}
            g fill=(tone.pick("#29251e", "#ece6d8")) font-family="Liberation Mono, DejaVu Sans Mono, monospace" font-size=(format!("{size:.1}")) {
                @for (row, line) in lines.iter().enumerate() {
                    text x=(format!("{left:.1}")) y=(format!("{:.1}", top + 1.3 * size * row as f64)) xml:space="preserve" { (line) }
                }
            }
        }
    }
}

/// The picture and the tables on paper. There is no blank sheet to fill in.
pub(crate) fn print<G: CompleteGame>(game: &G, view: Option<&G::View<'_>>) -> Markup {
    html! {
        @match view {
            Some(view) => { (picture(game, view)) (facts::tables(&game.describe(view))) }
            None => p { "This game has no sheet to fill in by hand." }
        }
    }
}

/// The face of a die by the usual name of the choice: `die 4`.
pub(crate) fn die_face(name: &str) -> Option<u8> {
    name.strip_prefix("die ")?.parse().ok().filter(|face| (1..=6).contains(face))
}

/// A page for a game without a rulebook: its options and its bots.
pub(crate) fn rulebook<G: CompleteGame>() -> String {
    let mut page = format!("# {}\n\n{}\n\n", G::TITLE, G::PITCH);
    page.push_str("This game comes without a rulebook. The table lists at every step what you can do.\n");
    let default = default_options::<G>();
    if !G::option_help().is_empty() {
        page.push_str("\n## Options\n\n");
    }
    for (key, about) in G::option_help() {
        let value = default.get(*key).filter(|value| is_short(value) && !value.is_empty());
        let value = value.map_or_else(String::new, |value| format!(" (default: {value})"));
        page.push_str(&format!("- **{}**: {about}{value}\n", facts::words(key)));
    }
    page.push_str("\n## Bots\n\n");
    for (_, word, about) in BotKind::all::<G>() {
        page.push_str(&format!("- **{}**: {about}\n", facts::words(word)));
    }
    page
}

#[cfg(test)]
mod tests {
    use kernel::Game as _;
    use testkit::duel::Duel;

    use super::*;

    #[test]
    fn faces_are_read_from_names() {
        for (name, face) in
            [("die 4", Some(4)), ("die 7", None), ("die 0", None), ("dice 4", None), ("4", None)]
        {
            assert_eq!(die_face(name), face, "{name}");
        }
    }

    #[test]
    fn a_title_names_the_options_that_were_changed() {
        let titled = |pairs: &[(&str, &str)]| {
            let options = pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
            setup_title(&Duel::with_options(&options).expect("a set-up"))
        };
        assert_eq!(titled(&[]), "Duel");
        assert_eq!(titled(&[("open", "yes")]), "Duel, open yes");
    }

    #[test]
    fn the_form_has_every_option_with_its_usual_value_and_every_seat() {
        let form = new_game_fields::<Duel>(&[]).into_string();
        assert!(form.contains("name=\"option.fault\" value=\"None\""), "{form}");
        assert!(
            form.contains("name=\"option.open\" value=\"\"") && form.contains("played with open cards"),
            "{form}"
        );
        assert!(form.contains("name=\"seat.0\"") && form.contains("name=\"seat.1\""), "{form}");
    }

    #[test]
    fn a_game_without_a_rulebook_gets_a_page() {
        let page = rulebook::<Duel>();
        assert!(
            page.starts_with("# Duel\n")
                && page.contains("- **Fault**: the promise that is broken (default: None)")
        );
        assert!(page.contains("- **Captain**: Level 3: a solid player"), "{page}");
    }

    #[test]
    fn a_picture_has_one_class_attribute_with_its_width() {
        let game = Duel::with_options(&Options::new()).expect("a set-up");
        let start = game.start();
        let html = picture(&game, &game.view(&start, Viewer::Spectator)).into_string();
        assert!(html.starts_with("<pre class=\"picture"), "{html}");
        assert_eq!(html.matches("class=").count(), 1, "{html}");
    }

    #[test]
    fn a_picture_fits_its_thumbnail() {
        let game = Duel::with_options(&Options::new()).expect("a set-up");
        let start = game.start();
        let svg = thumbnail(&game, &game.view(&start, Viewer::Spectator), Tone::Light).into_string();
        let size =
            svg.split("font-size=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(size.is_some_and(|size| size * 0.6 * 60.0 <= 217.0), "{svg}");
    }
}
